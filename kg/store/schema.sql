-- The library file. `cases.record`, `terms.record` and `schemes.record` hold each record whole;
-- all other tables are laid out from them in the same transaction, for SQL.
CREATE TABLE builds (
    key VARCHAR PRIMARY KEY,
    value VARCHAR NOT NULL
);
COMMENT ON TABLE builds IS 'Provenance of this file: schema version, encoder, content hashes, counts.';

CREATE TABLE schemes (
    scheme VARCHAR PRIMARY KEY,
    label_en VARCHAR,
    label_ko VARCHAR,
    record JSON NOT NULL
);
COMMENT ON TABLE schemes IS 'Controlled lists (SKOS concept schemes).';

CREATE TABLE terms (
    term_id VARCHAR PRIMARY KEY,
    scheme VARCHAR NOT NULL REFERENCES schemes (scheme),
    type VARCHAR,
    label_en VARCHAR,
    label_ko VARCHAR,
    definition_en VARCHAR,
    definition_ko VARCHAR,
    unnamed BOOLEAN NOT NULL,
    record JSON NOT NULL
);
COMMENT ON TABLE terms IS 'Terms of all schemes (SKOS concepts).';

CREATE TABLE labels (
    term_id VARCHAR NOT NULL REFERENCES terms (term_id),
    ordinal INTEGER NOT NULL,
    lang VARCHAR NOT NULL,
    label VARCHAR NOT NULL,
    preferred BOOLEAN NOT NULL,
    PRIMARY KEY (term_id, ordinal)
);
COMMENT ON TABLE labels IS 'Every spelling of a term; identifiers have the language zxx.';

CREATE TABLE mappings (
    term_id VARCHAR NOT NULL REFERENCES terms (term_id),
    relation VARCHAR NOT NULL,
    iri VARCHAR NOT NULL,
    PRIMARY KEY (term_id, iri)
);
COMMENT ON TABLE mappings IS 'Concepts of other vocabularies that a term matches (SKOS).';
COMMENT ON COLUMN mappings.relation IS 'exact_match: means the same; close_match: nearly the same.';
COMMENT ON COLUMN mappings.iri IS 'Absolute IRI of the concept.';

CREATE TABLE cases (
    case_id VARCHAR PRIMARY KEY,
    kind VARCHAR NOT NULL,
    domain VARCHAR NOT NULL,
    title VARCHAR NOT NULL,
    title_ko VARCHAR,
    sort_date DATE,
    severity VARCHAR,
    time_to_detect_s DOUBLE,
    time_to_recover_s DOUBLE,
    content_hash VARCHAR NOT NULL,
    record JSON NOT NULL
);
COMMENT ON TABLE cases IS 'One row a case; NULL means not stated.';
COMMENT ON COLUMN cases.kind IS 'incident, series or study; only incidents enter time statistics.';
COMMENT ON COLUMN cases.sort_date IS 'Published, else started; lists are ordered by it.';

CREATE TABLE texts (
    case_id VARCHAR NOT NULL REFERENCES cases (case_id),
    field VARCHAR NOT NULL,
    lang VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    PRIMARY KEY (case_id, field, lang)
);
COMMENT ON TABLE texts IS 'The stored texts that evidence points into.';

CREATE TABLE dates (
    case_id VARCHAR NOT NULL REFERENCES cases (case_id),
    ordinal INTEGER NOT NULL,
    kind VARCHAR NOT NULL,
    stated VARCHAR NOT NULL,
    earliest DATE NOT NULL,
    precision VARCHAR NOT NULL,
    approx BOOLEAN NOT NULL,
    PRIMARY KEY (case_id, ordinal)
);
COMMENT ON TABLE dates IS 'Times of a case with their kind and precision.';

CREATE TABLE claims (
    claim_id VARCHAR PRIMARY KEY,
    case_id VARCHAR NOT NULL REFERENCES cases (case_id),
    kind VARCHAR NOT NULL,
    relation VARCHAR NOT NULL,
    status VARCHAR NOT NULL,
    role VARCHAR,
    statement_en VARCHAR,
    statement_ko VARCHAR,
    value VARCHAR,
    result VARCHAR
);
COMMENT ON TABLE claims IS 'What a case says about its parts; relation is the edge it becomes.';
COMMENT ON COLUMN claims.status IS 'confirmed, suspected or ruled_out; only confirmed is fact.';

CREATE TABLE claim_terms (
    claim_id VARCHAR NOT NULL REFERENCES claims (claim_id),
    term_id VARCHAR NOT NULL REFERENCES terms (term_id),
    PRIMARY KEY (claim_id, term_id)
);
COMMENT ON TABLE claim_terms IS 'The terms that a claim names.';

CREATE TABLE evidence (
    claim_id VARCHAR NOT NULL REFERENCES claims (claim_id),
    ordinal INTEGER NOT NULL,
    field VARCHAR NOT NULL,
    lang VARCHAR NOT NULL,
    start_char INTEGER NOT NULL,
    end_char INTEGER NOT NULL,
    quote VARCHAR NOT NULL,
    PRIMARY KEY (claim_id, ordinal)
);
COMMENT ON TABLE evidence IS 'Spans of texts.text: characters from start_char, end_char excluded.';

CREATE TABLE figures (
    case_id VARCHAR NOT NULL REFERENCES cases (case_id),
    figure_id VARCHAR NOT NULL,
    label_en VARCHAR,
    label_ko VARCHAR,
    value DOUBLE,
    min_value DOUBLE,
    max_value DOUBLE,
    unit VARCHAR NOT NULL,
    approx BOOLEAN NOT NULL,
    PRIMARY KEY (case_id, figure_id)
);
COMMENT ON TABLE figures IS 'Numbers that a case states: a value or a range, with its unit.';

CREATE TABLE sources (
    case_id VARCHAR NOT NULL REFERENCES cases (case_id),
    ordinal INTEGER NOT NULL,
    list VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    title VARCHAR NOT NULL,
    locator VARCHAR NOT NULL,
    archived BOOLEAN NOT NULL,
    PRIMARY KEY (case_id, list, ordinal)
);
COMMENT ON TABLE sources IS 'Sources, and reference documents (list = reference).';

CREATE TABLE links (
    from_id VARCHAR NOT NULL,
    relation VARCHAR NOT NULL,
    to_id VARCHAR NOT NULL,
    case_id VARCHAR NOT NULL,
    status VARCHAR NOT NULL,
    derived BOOLEAN NOT NULL,
    PRIMARY KEY (from_id, relation, to_id, case_id)
);
COMMENT ON TABLE links IS 'Edges without a claim: between terms, curated, and derived ones.';

CREATE TABLE passages (
    passage_id INTEGER PRIMARY KEY,
    case_id VARCHAR NOT NULL REFERENCES cases (case_id),
    field VARCHAR NOT NULL,
    lang VARCHAR NOT NULL,
    start_char INTEGER NOT NULL,
    end_char INTEGER NOT NULL,
    text VARCHAR NOT NULL
);
COMMENT ON TABLE passages IS 'The pieces of text that are embedded.';

CREATE TABLE vectors (
    passage_id INTEGER PRIMARY KEY REFERENCES passages (passage_id),
    vector FLOAT[{dimension}] NOT NULL,
    tokens BLOB
);
COMMENT ON TABLE vectors IS 'Unit vectors of the passages, by the encoder named in builds.';
COMMENT ON COLUMN vectors.tokens IS 'Vectors of the tokens, end to end, a signed byte a number and '
    'builds.token_dimension numbers each; NULL when the encoder makes none.';

CREATE TABLE similarity (
    case_id VARCHAR NOT NULL REFERENCES cases (case_id),
    rank INTEGER NOT NULL,
    other_id VARCHAR NOT NULL REFERENCES cases (case_id),
    score DOUBLE NOT NULL,
    dense DOUBLE NOT NULL,
    words DOUBLE NOT NULL,
    graph DOUBLE NOT NULL,
    same_cause VARCHAR NOT NULL,
    PRIMARY KEY (case_id, rank)
);
COMMENT ON TABLE similarity IS 'Nearest cases by computation; dense + words + graph = score.';

CREATE VIEW edges AS
SELECT c.case_id, c.relation, ct.term_id, c.status, c.role, c.value, c.claim_id
FROM claims AS c JOIN claim_terms AS ct USING (claim_id);
COMMENT ON VIEW edges IS 'Case to term edges with status; join claims and evidence by claim_id.';

CREATE VIEW case_causes AS
SELECT e.case_id, k.title, e.term_id AS cause_id, t.label_en, t.label_ko, e.status, e.role
FROM edges AS e JOIN cases AS k USING (case_id) JOIN terms AS t USING (term_id)
WHERE e.relation = 'CAUSED_BY';
COMMENT ON VIEW case_causes IS 'Causes of each case, with status; ruled-out ones are listed too.';

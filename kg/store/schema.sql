-- The library file. `cases.record`, `terms.record` and `schemes.record` hold each record whole;
-- all other tables are laid out from them in the same transaction, for SQL.
CREATE TABLE builds (
    key VARCHAR PRIMARY KEY,
    value VARCHAR NOT NULL
);
COMMENT ON TABLE builds IS 'Provenance of this file: schema version, encoder, content hashes, counts.';
COMMENT ON COLUMN builds.key IS
    'What is told: schema_version, encoder, fingerprint, dimension, cases, terms and so on.';
COMMENT ON COLUMN builds.value IS 'Its value as text.';

CREATE TABLE schemes (
    scheme VARCHAR PRIMARY KEY,
    label_en VARCHAR,
    label_ko VARCHAR,
    record JSON NOT NULL
);
COMMENT ON TABLE schemes IS 'Controlled lists (SKOS concept schemes).';
COMMENT ON COLUMN schemes.scheme IS
    'Name of the list, such as cause; the part of a term id before the colon.';
COMMENT ON COLUMN schemes.label_en IS 'English name.';
COMMENT ON COLUMN schemes.label_ko IS 'Korean name; NULL where there is none.';
COMMENT ON COLUMN schemes.record IS 'The whole record, without its terms.';

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
COMMENT ON COLUMN terms.term_id IS 'Scheme and slug, such as cause:race-condition.';
COMMENT ON COLUMN terms.scheme IS 'The list that it belongs to.';
COMMENT ON COLUMN terms.type IS
    'Finer kind within the list, such as software; NULL where there is none.';
COMMENT ON COLUMN terms.label_en IS 'Preferred English label.';
COMMENT ON COLUMN terms.label_ko IS 'Preferred Korean label.';
COMMENT ON COLUMN terms.definition_en IS 'What it means, in English.';
COMMENT ON COLUMN terms.definition_ko IS 'What it means, in Korean.';
COMMENT ON COLUMN terms.unnamed IS
    'Whether it stands for something that the source does not name; two such need not be one.';
COMMENT ON COLUMN terms.record IS 'The whole record.';

CREATE TABLE labels (
    term_id VARCHAR NOT NULL REFERENCES terms (term_id),
    ordinal INTEGER NOT NULL,
    lang VARCHAR NOT NULL,
    label VARCHAR NOT NULL,
    preferred BOOLEAN NOT NULL,
    PRIMARY KEY (term_id, ordinal)
);
COMMENT ON TABLE labels IS 'Every spelling of a term; identifiers have the language zxx.';
COMMENT ON COLUMN labels.term_id IS 'The term.';
COMMENT ON COLUMN labels.ordinal IS
    'Place among the spellings of the term, from 0; preferred ones come first.';
COMMENT ON COLUMN labels.lang IS 'en, ko, or zxx for identifiers.';
COMMENT ON COLUMN labels.label IS 'The spelling.';
COMMENT ON COLUMN labels.preferred IS 'Whether it is the preferred label in its language.';

CREATE TABLE mappings (
    term_id VARCHAR NOT NULL REFERENCES terms (term_id),
    relation VARCHAR NOT NULL,
    iri VARCHAR NOT NULL,
    PRIMARY KEY (term_id, iri)
);
COMMENT ON TABLE mappings IS 'Concepts of other vocabularies that a term matches (SKOS).';
COMMENT ON COLUMN mappings.term_id IS 'The term.';
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
    origin_system VARCHAR,
    origin_id VARCHAR,
    content_hash VARCHAR NOT NULL,
    record JSON NOT NULL
);
COMMENT ON TABLE cases IS 'One row a case; NULL means not stated.';
COMMENT ON COLUMN cases.case_id IS 'Id of the case, such as IL-0480.';
COMMENT ON COLUMN cases.kind IS 'incident, series or study; only incidents enter time statistics.';
COMMENT ON COLUMN cases.domain IS 'Field of work, such as ai-infra.';
COMMENT ON COLUMN cases.title IS 'English title, else in what language there is.';
COMMENT ON COLUMN cases.title_ko IS 'Korean title; NULL where there is none.';
COMMENT ON COLUMN cases.sort_date IS
    'First day of the publication, else of the start, else of the first date; lists go by it.';
COMMENT ON COLUMN cases.severity IS 'As the source names it.';
COMMENT ON COLUMN cases.time_to_detect_s IS
    'Seconds from start to detection, as stated; see durations for what the words fix.';
COMMENT ON COLUMN cases.time_to_recover_s IS
    'Seconds from start to recovery, as stated; see durations for what the words fix.';
COMMENT ON COLUMN cases.origin_system IS
    'The site or tenant, else the format, that the case was read from; NULL for a case file.';
COMMENT ON COLUMN cases.origin_id IS 'Its id there; NULL where it has none.';
COMMENT ON COLUMN cases.content_hash IS 'SHA-256 of the record.';
COMMENT ON COLUMN cases.record IS
    'The whole record; every other table of cases is laid out from it.';

CREATE TABLE texts (
    case_id VARCHAR NOT NULL REFERENCES cases (case_id),
    field VARCHAR NOT NULL,
    lang VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    PRIMARY KEY (case_id, field, lang)
);
COMMENT ON TABLE texts IS 'The stored texts that evidence points into.';
COMMENT ON COLUMN texts.case_id IS 'The case.';
COMMENT ON COLUMN texts.field IS
    'Part of the case, such as symptom or cause; sources, related, services and labels hold lines.';
COMMENT ON COLUMN texts.lang IS 'en, ko, or zxx for what is in no language.';
COMMENT ON COLUMN texts.text IS 'The text, paragraphs joined; spans count its characters.';

CREATE TABLE dates (
    case_id VARCHAR NOT NULL REFERENCES cases (case_id),
    ordinal INTEGER NOT NULL,
    kind VARCHAR NOT NULL,
    stated VARCHAR NOT NULL,
    earliest DATE NOT NULL,
    precision VARCHAR NOT NULL,
    approx BOOLEAN NOT NULL,
    first_day DATE NOT NULL,
    last_day DATE NOT NULL,
    moment TIMESTAMP,
    PRIMARY KEY (case_id, ordinal)
);
COMMENT ON TABLE dates IS 'Times of a case with their kind and precision.';
COMMENT ON COLUMN dates.case_id IS 'The case.';
COMMENT ON COLUMN dates.ordinal IS 'Place in the record, from 0; the first of a kind counts.';
COMMENT ON COLUMN dates.kind IS 'published, started, detected, mitigated or ended.';
COMMENT ON COLUMN dates.stated IS 'As written: 2022, 2022-03, 2022-03-04 or 2022-03-04T10:00Z.';
COMMENT ON COLUMN dates.earliest IS 'First day that it can mean, as written; periods go by it.';
COMMENT ON COLUMN dates.precision IS 'year, month, day, minute or second.';
COMMENT ON COLUMN dates.approx IS 'Whether the source says about.';
COMMENT ON COLUMN dates.first_day IS
    'First day that it can mean, in UTC if it has a zone, one unit earlier if approximate.';
COMMENT ON COLUMN dates.last_day IS
    'Last day that it can mean, in UTC if it has a zone, one unit later if approximate.';
COMMENT ON COLUMN dates.moment IS
    'The moment in UTC; NULL unless it is exact to the minute and has a zone.';

CREATE TABLE durations (
    case_id VARCHAR NOT NULL REFERENCES cases (case_id),
    measure VARCHAR NOT NULL,
    stated VARCHAR,
    seconds DOUBLE NOT NULL,
    least_s DOUBLE NOT NULL,
    most_s DOUBLE,
    approx BOOLEAN NOT NULL,
    PRIMARY KEY (case_id, measure)
);
COMMENT ON TABLE durations IS 'Times to detect and to recover as a case states them, and what the words fix.';
COMMENT ON COLUMN durations.case_id IS 'The case.';
COMMENT ON COLUMN durations.measure IS 'time_to_detect or time_to_recover.';
COMMENT ON COLUMN durations.stated IS 'The words of the source; NULL where only a number is kept.';
COMMENT ON COLUMN durations.seconds IS 'The length that is named, in seconds.';
COMMENT ON COLUMN durations.least_s IS 'The least that it can be; 0 for "within", "up to".';
COMMENT ON COLUMN durations.most_s IS
    'The most that it can be; NULL for "at least", "over": no upper end.';
COMMENT ON COLUMN durations.approx IS 'Whether the source says about.';

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
    result VARCHAR,
    made_by VARCHAR,
    confidence DOUBLE,
    reviewed BOOLEAN
);
COMMENT ON TABLE claims IS 'What a case says about its parts; relation is the edge it becomes.';
COMMENT ON COLUMN claims.claim_id IS
    'Case, kind and number within the kind, such as IL-0480#cause-1.';
COMMENT ON COLUMN claims.case_id IS 'The case that says so.';
COMMENT ON COLUMN claims.kind IS
    'trigger, cause, factor, component, symptom, detection, mitigation, follow_up, organization or check.';
COMMENT ON COLUMN claims.relation IS 'The edge that it becomes, such as CAUSED_BY.';
COMMENT ON COLUMN claims.status IS 'confirmed, suspected or ruled_out; only confirmed is fact.';
COMMENT ON COLUMN claims.role IS
    'The part that the term plays, such as primary or owner; NULL where the kind has none.';
COMMENT ON COLUMN claims.statement_en IS
    'The claim in English words; where NULL, the evidence speaks.';
COMMENT ON COLUMN claims.statement_ko IS 'The claim in Korean words.';
COMMENT ON COLUMN claims.value IS 'Value of a setting, where one is named.';
COMMENT ON COLUMN claims.result IS 'What came of a mitigation; NULL where not stated.';
COMMENT ON COLUMN claims.made_by IS
    'What a program went by: name, meaning, field or rule; NULL where a person wrote the claim.';
COMMENT ON COLUMN claims.confidence IS 'How sure the program was, 0 to 1; NULL for a person.';
COMMENT ON COLUMN claims.reviewed IS
    'Whether a person has accepted what a program made; NULL where a person wrote the claim.';

CREATE TABLE claim_terms (
    claim_id VARCHAR NOT NULL REFERENCES claims (claim_id),
    term_id VARCHAR NOT NULL REFERENCES terms (term_id),
    PRIMARY KEY (claim_id, term_id)
);
COMMENT ON TABLE claim_terms IS 'The terms that a claim names.';
COMMENT ON COLUMN claim_terms.claim_id IS 'The claim.';
COMMENT ON COLUMN claim_terms.term_id IS 'A term that it names.';

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
COMMENT ON COLUMN evidence.claim_id IS 'The claim that it bears out.';
COMMENT ON COLUMN evidence.ordinal IS 'Place among the spans of the claim, from 0.';
COMMENT ON COLUMN evidence.field IS 'Field of the text, see texts.';
COMMENT ON COLUMN evidence.lang IS 'Language of the text.';
COMMENT ON COLUMN evidence.start_char IS 'First character, counted from 0.';
COMMENT ON COLUMN evidence.end_char IS 'Character after the last one.';
COMMENT ON COLUMN evidence.quote IS 'The words that stand there.';

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
COMMENT ON COLUMN figures.case_id IS 'The case.';
COMMENT ON COLUMN figures.figure_id IS 'Id within the case.';
COMMENT ON COLUMN figures.label_en IS 'What is measured, in English.';
COMMENT ON COLUMN figures.label_ko IS 'What is measured, in Korean.';
COMMENT ON COLUMN figures.value IS 'The number; NULL for a range.';
COMMENT ON COLUMN figures.min_value IS 'Lower end of a range.';
COMMENT ON COLUMN figures.max_value IS 'Upper end of a range.';
COMMENT ON COLUMN figures.unit IS 'Unit, such as count, ratio or s.';
COMMENT ON COLUMN figures.approx IS 'Whether the source says about.';

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
COMMENT ON COLUMN sources.case_id IS 'The case.';
COMMENT ON COLUMN sources.ordinal IS 'Place in its list, from 0.';
COMMENT ON COLUMN sources.list IS 'source or reference.';
COMMENT ON COLUMN sources.kind IS 'Kind of document.';
COMMENT ON COLUMN sources.title IS 'Its title.';
COMMENT ON COLUMN sources.locator IS
    'Where it is found; cases that cite the same place have the same locator.';
COMMENT ON COLUMN sources.archived IS 'Whether the locator is an archived copy.';

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
COMMENT ON COLUMN links.from_id IS 'Node where the edge begins: case:…, or a term id.';
COMMENT ON COLUMN links.relation IS
    'BROADER, PART_OF and the like between terms; RELATED_TO between cases; LEADS_TO and ADDRESSES.';
COMMENT ON COLUMN links.to_id IS 'Node where it ends.';
COMMENT ON COLUMN links.case_id IS 'The case that says so; empty for the vocabulary.';
COMMENT ON COLUMN links.status IS
    'confirmed, suspected or ruled_out: of a derived edge, the weaker of the two claims.';
COMMENT ON COLUMN links.derived IS 'Whether it was computed from several claims of the case.';

CREATE TABLE changes (
    change_id INTEGER PRIMARY KEY,
    operation VARCHAR NOT NULL,
    changed_at VARCHAR,
    author VARCHAR,
    note VARCHAR,
    record JSON NOT NULL
);
COMMENT ON TABLE changes IS
    'History of the vocabulary: terms renamed, merged or split, the oldest first. What was undone is not in it.';
COMMENT ON COLUMN changes.change_id IS 'Number of the change, from 1.';
COMMENT ON COLUMN changes.operation IS 'rename, merge or split.';
COMMENT ON COLUMN changes.changed_at IS
    'When, as written: a day or a moment; NULL where nobody said so.';
COMMENT ON COLUMN changes.author IS 'Who did it; NULL where nobody said so.';
COMMENT ON COLUMN changes.note IS 'Why, in the words of the author.';
COMMENT ON COLUMN changes.record IS
    'The whole record: every term before and after, and the claims that were re-tagged.';

CREATE TABLE changed_terms (
    change_id INTEGER NOT NULL REFERENCES changes (change_id),
    old_id VARCHAR NOT NULL,
    new_id VARCHAR NOT NULL,
    PRIMARY KEY (change_id, old_id, new_id)
);
COMMENT ON TABLE changed_terms IS 'Which terms a change led from and to.';
COMMENT ON COLUMN changed_terms.change_id IS 'The change.';
COMMENT ON COLUMN changed_terms.old_id IS
    'The id that ended; of a split, the term that was split and stayed.';
COMMENT ON COLUMN changed_terms.new_id IS 'The id that stood for it then, or was split off.';

CREATE TABLE changed_claims (
    change_id INTEGER NOT NULL REFERENCES changes (change_id),
    claim_id VARCHAR NOT NULL REFERENCES claims (claim_id),
    part VARCHAR NOT NULL,
    old_id VARCHAR NOT NULL,
    new_id VARCHAR NOT NULL,
    PRIMARY KEY (change_id, claim_id, part, old_id, new_id)
);
COMMENT ON TABLE changed_claims IS 'The claims that a change re-tagged; status and evidence stayed.';
COMMENT ON COLUMN changed_claims.change_id IS 'The change.';
COMMENT ON COLUMN changed_claims.claim_id IS 'The claim.';
COMMENT ON COLUMN changed_claims.part IS
    'terms, or addresses: the causes that a mitigation acts on.';
COMMENT ON COLUMN changed_claims.old_id IS 'A term that it named before.';
COMMENT ON COLUMN changed_claims.new_id IS 'A term that it named after.';

CREATE TABLE old_terms (
    old_id VARCHAR PRIMARY KEY,
    term_id VARCHAR NOT NULL REFERENCES terms (term_id),
    change_id INTEGER NOT NULL REFERENCES changes (change_id)
);
COMMENT ON TABLE old_terms IS 'Ids that are no longer those of a term, and where each leads now.';
COMMENT ON COLUMN old_terms.old_id IS 'The old id.';
COMMENT ON COLUMN old_terms.term_id IS 'The term that stands for it now.';
COMMENT ON COLUMN old_terms.change_id IS 'The change in which it ended.';

-- No reference to cases in the next three tables: those that a merge absorbed are in none.
CREATE TABLE reviews (
    case_id VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    term_id VARCHAR NOT NULL,
    decision VARCHAR NOT NULL,
    status VARCHAR NOT NULL,
    done_at VARCHAR,
    author VARCHAR,
    note VARCHAR,
    record JSON NOT NULL,
    PRIMARY KEY (case_id, kind, term_id)
);
COMMENT ON TABLE reviews IS
    'Decisions of people about what a program claimed; they hold when a document is read again.';
COMMENT ON COLUMN reviews.case_id IS 'The case, or one that a merge absorbed.';
COMMENT ON COLUMN reviews.kind IS 'Kind of the claim, see claims.';
COMMENT ON COLUMN reviews.term_id IS 'The term that was claimed.';
COMMENT ON COLUMN reviews.decision IS 'accept, change or reject.';
COMMENT ON COLUMN reviews.status IS 'How the claim stands when accepted.';
COMMENT ON COLUMN reviews.done_at IS 'When, as the author wrote it; NULL when not told.';
COMMENT ON COLUMN reviews.author IS 'Who decided; NULL when not told.';
COMMENT ON COLUMN reviews.note IS 'Why; NULL when not told.';
COMMENT ON COLUMN reviews.record IS 'The whole decision, with what is claimed instead.';

CREATE TABLE revisions (
    case_id VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    action VARCHAR NOT NULL,
    done_at VARCHAR,
    author VARCHAR,
    note VARCHAR,
    before JSON,
    absorbed JSON,
    PRIMARY KEY (case_id, number)
);
COMMENT ON TABLE revisions IS 'How each case that was read from elsewhere came to be as it is.';
COMMENT ON COLUMN revisions.case_id IS 'The case, or one that a merge absorbed.';
COMMENT ON COLUMN revisions.number IS 'Which step, from 1.';
COMMENT ON COLUMN revisions.action IS 'added, updated, reviewed or merged.';
COMMENT ON COLUMN revisions.done_at IS 'When, as the author wrote it; NULL when not told.';
COMMENT ON COLUMN revisions.author IS 'Who; NULL when not told.';
COMMENT ON COLUMN revisions.note IS 'Why; NULL when not told.';
COMMENT ON COLUMN revisions.before IS 'The record as it was before; NULL for the first step.';
COMMENT ON COLUMN revisions.absorbed IS
    'Of a merge, the record that went into the case; later, that of the part that was changed.';

CREATE TABLE apart (
    case_id VARCHAR NOT NULL,
    other_id VARCHAR NOT NULL,
    done_at VARCHAR,
    author VARCHAR,
    note VARCHAR,
    PRIMARY KEY (case_id, other_id)
);
COMMENT ON TABLE apart IS
    'Decisions of people that two cases tell of different events; they are not proposed again.';
COMMENT ON COLUMN apart.case_id IS 'The case with the lesser id.';
COMMENT ON COLUMN apart.other_id IS 'The other one.';
COMMENT ON COLUMN apart.done_at IS 'When, as the author wrote it; NULL when not told.';
COMMENT ON COLUMN apart.author IS 'Who decided; NULL when not told.';
COMMENT ON COLUMN apart.note IS 'Why; NULL when not told.';

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
COMMENT ON COLUMN passages.passage_id IS 'Number of the passage, from 0.';
COMMENT ON COLUMN passages.case_id IS 'The case.';
COMMENT ON COLUMN passages.field IS 'Field of the text, see texts.';
COMMENT ON COLUMN passages.lang IS 'Language of the text.';
COMMENT ON COLUMN passages.start_char IS 'First character within the text, counted from 0.';
COMMENT ON COLUMN passages.end_char IS 'Character after the last one.';
COMMENT ON COLUMN passages.text IS 'The words.';

CREATE TABLE vectors (
    passage_id INTEGER PRIMARY KEY REFERENCES passages (passage_id),
    vector FLOAT[{dimension}] NOT NULL,
    tokens BLOB
);
COMMENT ON TABLE vectors IS 'Unit vectors of the passages, by the encoder named in builds.';
COMMENT ON COLUMN vectors.passage_id IS 'The passage.';
COMMENT ON COLUMN vectors.vector IS 'Unit vector; compare it by array_cosine_similarity.';
COMMENT ON COLUMN vectors.tokens IS
    'Vectors of the tokens, end to end, a signed byte a number and builds.token_dimension numbers each; NULL when the encoder makes none.';

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
COMMENT ON COLUMN similarity.case_id IS 'The case that is compared.';
COMMENT ON COLUMN similarity.rank IS '1 is the nearest.';
COMMENT ON COLUMN similarity.other_id IS 'The similar case.';
COMMENT ON COLUMN similarity.score IS 'Higher is nearer; not a probability.';
COMMENT ON COLUMN similarity.dense IS 'What meaning adds to the score.';
COMMENT ON COLUMN similarity.words IS 'What common words add to the score.';
COMMENT ON COLUMN similarity.graph IS 'What common terms add to the score.';
COMMENT ON COLUMN similarity.same_cause IS
    'yes, no, or unknown: whether both confirm a cause in common. Similar is not same cause.';

-- Views: what an analyst would join on the first day. They store nothing. Only confirmed claims
-- count as facts; where others are shown, their status stands beside them.
CREATE VIEW edges AS
SELECT c.case_id, c.relation, ct.term_id, c.status, c.role, c.value, c.claim_id
FROM claims AS c JOIN claim_terms AS ct USING (claim_id);
COMMENT ON VIEW edges IS 'Case to term edges with status; join claims and evidence by claim_id.';
COMMENT ON COLUMN edges.case_id IS 'The case that says so.';
COMMENT ON COLUMN edges.relation IS 'The edge, such as CAUSED_BY.';
COMMENT ON COLUMN edges.term_id IS 'The term that it leads to.';
COMMENT ON COLUMN edges.status IS 'confirmed, suspected or ruled_out.';
COMMENT ON COLUMN edges.role IS 'The part that the term plays.';
COMMENT ON COLUMN edges.value IS 'Value of a setting, where one is named.';
COMMENT ON COLUMN edges.claim_id IS 'The claim behind it.';

CREATE VIEW review_queue AS
SELECT
    c.claim_id, c.case_id, c.kind, ct.term_id, c.status, c.made_by, c.confidence,
    e.field, e.lang, e.quote
FROM claims AS c
JOIN claim_terms AS ct USING (claim_id)
JOIN evidence AS e ON e.claim_id = c.claim_id AND e.ordinal = 0
WHERE NOT c.reviewed
ORDER BY c.confidence DESC, c.claim_id, ct.term_id;
COMMENT ON VIEW review_queue IS
    'Claims that a program made and nobody has reviewed, surest first, with their first span.';
COMMENT ON COLUMN review_queue.claim_id IS 'The claim.';
COMMENT ON COLUMN review_queue.case_id IS 'Its case.';
COMMENT ON COLUMN review_queue.kind IS 'Kind of claim, see claims.';
COMMENT ON COLUMN review_queue.term_id IS 'A term that it names.';
COMMENT ON COLUMN review_queue.status IS 'suspected or ruled_out.';
COMMENT ON COLUMN review_queue.made_by IS 'What the program went by, see claims.';
COMMENT ON COLUMN review_queue.confidence IS 'How sure it was, 0 to 1.';
COMMENT ON COLUMN review_queue.field IS 'Field of the text that bears it out.';
COMMENT ON COLUMN review_queue.lang IS 'Language of the text.';
COMMENT ON COLUMN review_queue.quote IS 'The words there.';

CREATE VIEW case_causes AS
SELECT e.case_id, k.title, e.term_id AS cause_id, t.label_en, t.label_ko, e.status, e.role
FROM edges AS e JOIN cases AS k USING (case_id) JOIN terms AS t USING (term_id)
WHERE e.relation = 'CAUSED_BY';
COMMENT ON VIEW case_causes IS 'Causes of each case, with status; ruled-out ones are listed too.';
COMMENT ON COLUMN case_causes.case_id IS 'The case.';
COMMENT ON COLUMN case_causes.title IS 'Its title.';
COMMENT ON COLUMN case_causes.cause_id IS 'The cause.';
COMMENT ON COLUMN case_causes.label_en IS 'English label of the cause.';
COMMENT ON COLUMN case_causes.label_ko IS 'Korean label of the cause.';
COMMENT ON COLUMN case_causes.status IS 'confirmed, suspected or ruled_out; only confirmed is fact.';
COMMENT ON COLUMN case_causes.role IS 'primary or secondary.';

CREATE VIEW broader_terms AS
WITH RECURSIVE up (term_id, broader_id, steps) AS (
    SELECT term_id, term_id, 0 FROM terms
    UNION
    SELECT up.term_id, l.to_id, up.steps + 1
    FROM up JOIN links AS l ON l.from_id = up.broader_id AND l.relation = 'BROADER'
)
SELECT term_id, broader_id, min(steps) AS steps FROM up GROUP BY ALL;
COMMENT ON VIEW broader_terms IS 'Each term with itself and all that is broader.';
COMMENT ON COLUMN broader_terms.term_id IS 'The term.';
COMMENT ON COLUMN broader_terms.broader_id IS 'The term itself, or one above it.';
COMMENT ON COLUMN broader_terms.steps IS 'Least number of steps up; 0 for the term itself.';

CREATE VIEW confirmed_terms AS
WITH kinds (kind, relation, roles) AS (
    VALUES
        ('cause', 'CAUSED_BY', NULL), ('trigger', 'TRIGGERED_BY', NULL),
        ('factor', 'CONTRIBUTED_BY', NULL), ('component', 'AFFECTS', NULL),
        ('symptom', 'EXHIBITS', NULL), ('mitigation', 'MITIGATED_BY', NULL),
        ('follow_up', 'FOLLOWED_UP_BY', NULL), ('organization', 'REPORTED_BY', ['owner']),
        ('tool', 'DETECTED_WITH', ['detected', 'diagnosed'])
)
SELECT DISTINCT k.kind, b.broader_id AS term_id, e.case_id
FROM edges AS e
JOIN kinds AS k ON k.relation = e.relation AND (k.roles IS NULL OR list_contains(k.roles, e.role))
JOIN broader_terms AS b ON b.term_id = e.term_id
WHERE e.status = 'confirmed';
COMMENT ON VIEW confirmed_terms IS
    'What each case confirms, narrower terms counted in: what every count starts from.';
COMMENT ON COLUMN confirmed_terms.kind IS
    'cause, trigger, factor, component, symptom, mitigation, follow_up, organization (owner) or '
    'tool (one that detected or diagnosed).';
COMMENT ON COLUMN confirmed_terms.term_id IS 'The term, stated itself or in a narrower form.';
COMMENT ON COLUMN confirmed_terms.case_id IS 'A case that confirms it.';

CREATE VIEW case_facets AS
WITH facets (facet, relation) AS (
    VALUES
        ('cause', 'CAUSED_BY'), ('trigger', 'TRIGGERED_BY'), ('factor', 'CONTRIBUTED_BY'),
        ('symptom', 'EXHIBITS'), ('component', 'AFFECTS'), ('mitigation', 'MITIGATED_BY'),
        ('mitigation', 'FOLLOWED_UP_BY'), ('organization', 'REPORTED_BY'),
        ('organization', 'INVOLVES'), ('tool', 'DETECTED_WITH')
)
SELECT f.facet, b.broader_id AS term_id, e.case_id, bool_or(e.status = 'confirmed') AS confirmed
FROM edges AS e JOIN facets AS f USING (relation) JOIN broader_terms AS b USING (term_id)
WHERE e.status <> 'ruled_out'
GROUP BY ALL;
COMMENT ON VIEW case_facets IS 'Which cases a facet lets through; suspected claims match as well.';
COMMENT ON COLUMN case_facets.facet IS 'The scheme of the term.';
COMMENT ON COLUMN case_facets.term_id IS 'The term, stated itself or in a narrower form.';
COMMENT ON COLUMN case_facets.case_id IS 'A case that states it.';
COMMENT ON COLUMN case_facets.confirmed IS 'Whether it is confirmed; else only suspected.';

CREATE VIEW facet_counts AS
SELECT
    f.facet, f.term_id, t.label_en, t.label_ko, count(*) AS cases,
    count(*) FILTER (f.confirmed) AS confirmed, count(*) FILTER (NOT f.confirmed) AS suspected
FROM case_facets AS f JOIN terms AS t USING (term_id)
GROUP BY ALL;
COMMENT ON VIEW facet_counts IS 'How many cases each facet value lets through.';
COMMENT ON COLUMN facet_counts.facet IS 'The scheme of the term.';
COMMENT ON COLUMN facet_counts.term_id IS 'The term.';
COMMENT ON COLUMN facet_counts.label_en IS 'Its English label.';
COMMENT ON COLUMN facet_counts.label_ko IS 'Its Korean label.';
COMMENT ON COLUMN facet_counts.cases IS 'Cases that state the term or a narrower one.';
COMMENT ON COLUMN facet_counts.confirmed IS 'Of these, those that confirm it.';
COMMENT ON COLUMN facet_counts.suspected IS 'Of these, those that only suspect it.';

CREATE VIEW cause_component_matrix AS
WITH held AS MATERIALIZED (
    SELECT t.kind, t.term_id, t.case_id FROM confirmed_terms AS t JOIN cases AS c USING (case_id)
    WHERE c.kind = 'incident' AND t.kind IN ('cause', 'component')
),
counts AS (SELECT kind, term_id, count(*) AS n FROM held GROUP BY ALL),
pairs AS (
    SELECT a.term_id AS cause_id, b.term_id AS component_id, count(*) AS n
    FROM held AS a JOIN held AS b USING (case_id)
    WHERE a.kind = 'cause' AND b.kind = 'component'
    GROUP BY ALL
)
SELECT
    p.cause_id, p.component_id, p.n, x.n AS cause_n, y.n AS component_n, w.n AS incidents,
    x.n * y.n / w.n AS expected, p.n * w.n / (x.n * y.n) AS lift
FROM pairs AS p
JOIN counts AS x ON x.kind = 'cause' AND x.term_id = p.cause_id
JOIN counts AS y ON y.kind = 'component' AND y.term_id = p.component_id
CROSS JOIN (SELECT count(*) AS n FROM cases WHERE kind = 'incident') AS w;
COMMENT ON VIEW cause_component_matrix IS
    'Confirmed causes beside confirmed components of incidents, narrower terms counted in. A high '
    'lift with a small n may be chance.';
COMMENT ON COLUMN cause_component_matrix.cause_id IS 'The cause.';
COMMENT ON COLUMN cause_component_matrix.component_id IS 'The component.';
COMMENT ON COLUMN cause_component_matrix.n IS 'Incidents that confirm both.';
COMMENT ON COLUMN cause_component_matrix.cause_n IS 'Incidents that confirm the cause.';
COMMENT ON COLUMN cause_component_matrix.component_n IS 'Incidents that confirm the component.';
COMMENT ON COLUMN cause_component_matrix.incidents IS 'All incidents.';
COMMENT ON COLUMN cause_component_matrix.expected IS 'n if both were unrelated.';
COMMENT ON COLUMN cause_component_matrix.lift IS 'n / expected; 1 is no more than by chance.';

CREATE VIEW case_periods AS
WITH firsts AS (
    SELECT
        case_id, kind AS dated, arg_min(earliest, ordinal) AS day,
        arg_min("precision", ordinal) AS known_to
    FROM dates GROUP BY case_id, kind
)
SELECT case_id, dated, 'year' AS per, printf('%04d', year(day)) AS period FROM firsts
UNION ALL
SELECT case_id, dated, 'quarter', printf('%04d-Q%d', year(day), quarter(day)) FROM firsts
WHERE known_to <> 'year'
UNION ALL
SELECT case_id, dated, 'month', printf('%04d-%02d', year(day), month(day)) FROM firsts
WHERE known_to <> 'year';
COMMENT ON VIEW case_periods IS 'The year, quarter and month of each case, if its date says so much.';
COMMENT ON COLUMN case_periods.case_id IS 'The case.';
COMMENT ON COLUMN case_periods.dated IS 'Which kind of date decides, see dates.kind.';
COMMENT ON COLUMN case_periods.per IS 'year, quarter or month.';
COMMENT ON COLUMN case_periods.period IS '2024, 2024-Q3 or 2024-07.';

CREATE VIEW incident_groups AS
WITH held AS MATERIALIZED (
    SELECT t.kind AS grouped_by, t.term_id AS key, t.case_id
    FROM confirmed_terms AS t JOIN cases AS c USING (case_id) WHERE c.kind = 'incident'
),
counts AS MATERIALIZED (SELECT grouped_by, key, count(*) AS n FROM held GROUP BY ALL),
says_no_more AS (
    SELECT DISTINCT up.grouped_by, up.key
    FROM counts AS low
    JOIN broader_terms AS b ON b.term_id = low.key AND b.steps > 0
    JOIN counts AS up
        ON up.grouped_by = low.grouped_by AND up.key = b.broader_id AND up.n = low.n
),
incidents AS (SELECT case_id, domain, severity FROM cases WHERE kind = 'incident'),
keyed AS MATERIALIZED (
    SELECT * FROM held ANTI JOIN says_no_more USING (grouped_by, key)
    UNION ALL SELECT 'domain', domain, case_id FROM incidents
    UNION ALL SELECT 'severity', severity, case_id FROM incidents WHERE severity IS NOT NULL
    UNION ALL
    SELECT p.per, p.period, case_id FROM case_periods AS p JOIN incidents USING (case_id)
    WHERE p.dated = 'started'
)
SELECT grouped_by, key, case_id FROM keyed
UNION ALL SELECT 'all', NULL, case_id FROM incidents
UNION ALL
SELECT g.grouped_by, NULL, i.case_id
FROM incidents AS i
CROSS JOIN (
    SELECT unnest([
        'cause', 'trigger', 'factor', 'component', 'symptom', 'mitigation', 'follow_up',
        'organization', 'tool', 'severity', 'year', 'quarter', 'month'
    ]) AS grouped_by
) AS g
ANTI JOIN keyed AS k ON k.grouped_by = g.grouped_by AND k.case_id = i.case_id;
COMMENT ON VIEW incident_groups IS
    'Incidents by what they confirm, by domain, severity and period of the start. A broader term '
    'is a group only where it covers more than each term below it.';
COMMENT ON COLUMN incident_groups.grouped_by IS
    'A kind of confirmed_terms, domain, severity, year, quarter, month, or all.';
COMMENT ON COLUMN incident_groups.key IS
    'Term, value or period; NULL for the incidents that state none, and for all.';
COMMENT ON COLUMN incident_groups.case_id IS 'An incident of the group.';

CREATE VIEW time_quantiles AS
WITH stated AS (
    SELECT
        g.grouped_by, g.key, m.measure, count(*) AS incidents, count(d.case_id) AS n,
        count(*) FILTER (d.case_id IS NOT NULL AND d.most_s IS NULL) AS at_least,
        count(*) FILTER (d.least_s < d.most_s) AS at_most,
        count(*) FILTER (d.approx) AS approximate,
        list_sort(list(d.least_s) FILTER (d.case_id IS NOT NULL)) AS low,
        list_sort(
            list(coalesce(d.most_s, 'infinity'::DOUBLE)) FILTER (d.case_id IS NOT NULL)
        ) AS high
    FROM incident_groups AS g
    CROSS JOIN (VALUES ('time_to_detect'), ('time_to_recover')) AS m (measure)
    LEFT JOIN durations AS d ON d.case_id = g.case_id AND d.measure = m.measure
    GROUP BY g.grouped_by, g.key, m.measure
),
bounds AS (
    SELECT
        *, quantile_of(low, 0.25) AS p25_low, quantile_of(high, 0.25) AS p25_high,
        quantile_of(low, 0.5) AS p50_low, quantile_of(high, 0.5) AS p50_high,
        quantile_of(low, 0.75) AS p75_low, quantile_of(high, 0.75) AS p75_high,
        quantile_of(low, 0.9) AS p90_low, quantile_of(high, 0.9) AS p90_high
    FROM stated
)
SELECT
    grouped_by, key, measure, incidents, n, 1 - n / incidents AS unknown_share,
    at_least, at_most, approximate,
    CASE WHEN n >= 3 AND p25_low = p25_high THEN p25_low END AS p25,
    CASE WHEN n >= 3 AND p50_low = p50_high THEN p50_low END AS median,
    CASE WHEN n >= 3 AND p75_low = p75_high THEN p75_low END AS p75,
    CASE WHEN n >= 10 AND p90_low = p90_high THEN p90_low END AS p90,
    CASE WHEN n >= 3 THEN p50_low END AS median_least,
    CASE WHEN n >= 3 AND p50_high < 'infinity'::DOUBLE THEN p50_high END AS median_most
FROM bounds;
COMMENT ON VIEW time_quantiles IS
    'Quantiles of the times of incidents in seconds, group by group: linear interpolation (type 7 '
    'of Hyndman and Fan 1996). NULL below 3 values (p90: 10), or when a quantile hangs on a value '
    'of which only one end is stated.';
COMMENT ON COLUMN time_quantiles.grouped_by IS 'See incident_groups.';
COMMENT ON COLUMN time_quantiles.key IS 'See incident_groups.';
COMMENT ON COLUMN time_quantiles.measure IS 'time_to_detect or time_to_recover.';
COMMENT ON COLUMN time_quantiles.incidents IS 'Incidents in the group.';
COMMENT ON COLUMN time_quantiles.n IS 'Of these, those that state the time.';
COMMENT ON COLUMN time_quantiles.unknown_share IS 'Share of those that do not.';
COMMENT ON COLUMN time_quantiles.at_least IS 'Of the n, those that state only a lower end.';
COMMENT ON COLUMN time_quantiles.at_most IS 'Of the n, those that state only an upper end.';
COMMENT ON COLUMN time_quantiles.approximate IS 'Of the n, those that are approximate.';
COMMENT ON COLUMN time_quantiles.p25 IS '25 % quantile.';
COMMENT ON COLUMN time_quantiles.median IS '50 % quantile.';
COMMENT ON COLUMN time_quantiles.p75 IS '75 % quantile.';
COMMENT ON COLUMN time_quantiles.p90 IS '90 % quantile.';
COMMENT ON COLUMN time_quantiles.median_least IS 'The least that the median can be.';
COMMENT ON COLUMN time_quantiles.median_most IS 'The most that it can be; NULL: no upper end.';

CREATE VIEW time_to_recover_quantiles AS
SELECT * EXCLUDE (measure) FROM time_quantiles WHERE measure = 'time_to_recover';
COMMENT ON VIEW time_to_recover_quantiles IS 'The times to recover of time_quantiles.';
COMMENT ON COLUMN time_to_recover_quantiles.grouped_by IS 'See incident_groups.';
COMMENT ON COLUMN time_to_recover_quantiles.key IS 'See incident_groups.';
COMMENT ON COLUMN time_to_recover_quantiles.incidents IS 'Incidents in the group.';
COMMENT ON COLUMN time_to_recover_quantiles.n IS 'Of these, those that state the time.';
COMMENT ON COLUMN time_to_recover_quantiles.unknown_share IS 'Share of those that do not.';
COMMENT ON COLUMN time_to_recover_quantiles.at_least IS 'Of the n, those that state only a lower end.';
COMMENT ON COLUMN time_to_recover_quantiles.at_most IS 'Of the n, those that state only an upper end.';
COMMENT ON COLUMN time_to_recover_quantiles.approximate IS 'Of the n, those that are approximate.';
COMMENT ON COLUMN time_to_recover_quantiles.p25 IS '25 % quantile.';
COMMENT ON COLUMN time_to_recover_quantiles.median IS '50 % quantile.';
COMMENT ON COLUMN time_to_recover_quantiles.p75 IS '75 % quantile.';
COMMENT ON COLUMN time_to_recover_quantiles.p90 IS '90 % quantile.';
COMMENT ON COLUMN time_to_recover_quantiles.median_least IS 'The least that the median can be.';
COMMENT ON COLUMN time_to_recover_quantiles.median_most IS 'The most that it can be; NULL: no upper end.';

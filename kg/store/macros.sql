-- Macros: questions with arguments. `FROM shared_causes('IL-0023', 'IL-0025')`.
CREATE MACRO current_term(id) AS
    coalesce((SELECT o.term_id FROM old_terms AS o WHERE o.old_id = id), id);
COMMENT ON MACRO current_term IS
    'The id by which a term goes now: of an old id the new one, any other as it is.';

CREATE MACRO cases_with(scheme_name, term) AS TABLE
SELECT c.case_id, c.kind, c.title, c.title_ko, c.sort_date, f.confirmed
FROM case_facets AS f JOIN cases AS c USING (case_id)
WHERE f.facet = scheme_name
    AND f.term_id IN (current_term(term), current_term(scheme_name || ':' || term))
ORDER BY c.sort_date DESC NULLS LAST, c.case_id;
COMMENT ON MACRO TABLE cases_with IS
    'Cases by facet, newest first: that state the term (id, old id or slug) or a narrower one, '
    'confirmed or suspected.';

CREATE MACRO common_terms(of_kind, case_ids, minimum := 2) AS TABLE
WITH chosen AS (SELECT case_id FROM cases WHERE list_contains(case_ids, case_id)),
everywhere AS MATERIALIZED (
    SELECT term_id, case_id FROM confirmed_terms WHERE kind = of_kind
),
held AS MATERIALIZED (
    SELECT term_id, list_sort(list(case_id)) AS cases, count(*) AS n
    FROM everywhere JOIN chosen USING (case_id) GROUP BY term_id
),
library AS (SELECT term_id, count(*) AS n FROM everywhere GROUP BY term_id),
told AS (
    SELECT * FROM held AS h
    WHERE h.n >= minimum AND NOT EXISTS (
        SELECT 1 FROM broader_terms AS b JOIN held AS low ON low.term_id = b.term_id
        WHERE b.broader_id = h.term_id AND b.steps > 0 AND low.n = h.n
    )
),
sizes AS (
    SELECT (SELECT count(*) FROM chosen) AS chosen_of, (SELECT count(*) FROM cases) AS library_of
)
SELECT
    h.term_id, t.label_en, t.label_ko, h.n, s.chosen_of, h.cases, l.n AS library_n, s.library_of,
    s.chosen_of * l.n / s.library_of AS expected,
    round((h.n / s.chosen_of) / (l.n / s.library_of), 9) AS lift
FROM told AS h JOIN library AS l USING (term_id) JOIN terms AS t USING (term_id)
CROSS JOIN sizes AS s
ORDER BY
    lift DESC, h.n DESC,
    (SELECT count(*) FROM broader_terms AS b WHERE b.term_id = h.term_id) DESC, h.term_id;
COMMENT ON MACRO TABLE common_terms IS
    'Terms of a kind that at least `minimum` of the given cases confirm, narrower ones counted '
    'in, by lift over the library. A broader term only where it covers more cases.';

CREATE MACRO shared_causes(a, b) AS TABLE
SELECT term_id AS cause_id, * EXCLUDE (term_id, n, chosen_of, cases)
FROM common_terms('cause', [a, b]);
COMMENT ON MACRO TABLE shared_causes IS
    'Root causes that both cases confirm, by lift. Empty does not mean that the causes differ: '
    'a case may state none.';

CREATE MACRO similar_cases(id, k := 5) AS TABLE
SELECT s.rank, s.other_id AS case_id, c.title, c.title_ko, s.score, s.dense, s.words, s.graph,
    s.same_cause
FROM similarity AS s JOIN cases AS c ON c.case_id = s.other_id
WHERE s.case_id = id AND s.rank <= k
ORDER BY s.rank;
COMMENT ON MACRO TABLE similar_cases IS
    'The k nearest cases as computed when the library was built, at most 20. Similar is not same '
    'cause: that stands beside.';

CREATE MACRO trends(of_kind, step, date_kind := 'started') AS TABLE
WITH placed AS MATERIALIZED (
    SELECT p.case_id, p.period FROM case_periods AS p JOIN cases AS c USING (case_id)
    WHERE c.kind = 'incident' AND p.dated = date_kind AND p.per = step
),
named (day) AS (
    SELECT CASE step
        WHEN 'year' THEN make_date(period::INTEGER, 1, 1)
        WHEN 'month' THEN (period || '-01')::DATE
        ELSE make_date(period[1:4]::INTEGER, period[7:7]::INTEGER * 3 - 2, 1)
    END FROM placed
),
steps (day) AS (
    SELECT unnest(generate_series(
        first_day, last_day,
        CASE step WHEN 'year' THEN INTERVAL 1 YEAR WHEN 'month' THEN INTERVAL 1 MONTH
            ELSE INTERVAL 3 MONTH END
    ))
    FROM (SELECT min(day)::TIMESTAMP AS first_day, max(day)::TIMESTAMP AS last_day FROM named)
),
periods AS (
    SELECT d.period, count(p.case_id) AS incidents
    FROM (
        SELECT CASE step
            WHEN 'year' THEN printf('%04d', year(day))
            WHEN 'month' THEN printf('%04d-%02d', year(day), month(day))
            ELSE printf('%04d-Q%d', year(day), quarter(day))
        END AS period FROM steps
    ) AS d LEFT JOIN placed AS p USING (period)
    GROUP BY d.period
),
held AS MATERIALIZED (
    SELECT t.term_id, p.period, p.case_id
    FROM confirmed_terms AS t JOIN placed AS p USING (case_id) WHERE t.kind = of_kind
),
sizes AS MATERIALIZED (SELECT term_id, count(*) AS n FROM held GROUP BY term_id),
told AS (
    SELECT * FROM sizes AS up WHERE NOT EXISTS (
        SELECT 1 FROM broader_terms AS b JOIN sizes AS low ON low.term_id = b.term_id
        WHERE b.broader_id = up.term_id AND b.steps > 0 AND low.n = up.n
    )
)
SELECT
    t.term_id, p.period, count(h.case_id) AS n, p.incidents,
    CASE WHEN p.incidents > 0 THEN count(h.case_id) / p.incidents END AS share
FROM told AS t CROSS JOIN periods AS p
LEFT JOIN held AS h ON h.term_id = t.term_id AND h.period = p.period
GROUP BY t.term_id, p.period, p.incidents
ORDER BY t.term_id, p.period;
COMMENT ON MACRO TABLE trends IS
    'How many incidents of each period (year, quarter or month of one kind of date) confirm each '
    'term of a kind, every period from the first to the last. Incidents whose date does not say '
    'the period are left out.';

CREATE MACRO yearly_trends(of_kind) AS TABLE FROM trends(of_kind, 'year');
COMMENT ON MACRO TABLE yearly_trends IS 'trends by the year of the start.';

CREATE MACRO monthly_trends(of_kind) AS TABLE FROM trends(of_kind, 'month');
COMMENT ON MACRO TABLE monthly_trends IS 'trends by the month of the start.';

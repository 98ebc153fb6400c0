-- One organisation, one confirmed cause, again at a later time: as `lib.recurrences()` tells it.
CREATE MACRO kinds_prove(earlier_kind, later_kind) AS
    later_kind = 'started' OR (earlier_kind = later_kind AND earlier_kind <> 'published');
COMMENT ON MACRO kinds_prove IS
    'Whether a time of one kind before a time of another proves the order of the events.';

CREATE MACRO kind_place(kind) AS
    list_position(['started', 'detected', 'mitigated', 'ended', 'published'], kind);
COMMENT ON MACRO kind_place IS 'The place of a kind of time in the order of events, from 1.';

CREATE MACRO kinds_preference(earlier_kind, later_kind) AS
    CASE
        WHEN earlier_kind = later_kind AND earlier_kind <> 'published' THEN kind_place(earlier_kind)
        WHEN later_kind = 'started' THEN 3 + kind_place(earlier_kind)
        WHEN earlier_kind = later_kind THEN 9
        ELSE 10 + 5 * kind_place(earlier_kind) + kind_place(later_kind)
    END;
COMMENT ON MACRO kinds_preference IS
    'The lower, the more a pair of kinds of times proves, see date_order.preference.';

CREATE VIEW date_order AS
WITH first_dates AS MATERIALIZED (
    SELECT case_id, kind, first_day, last_day, moment, stated
    FROM dates QUALIFY row_number() OVER (PARTITION BY case_id, kind ORDER BY ordinal) = 1
)
SELECT
    x.case_id AS earlier, y.case_id AS later, x.kind AS earlier_kind, x.stated AS earlier_at,
    y.kind AS later_kind, y.stated AS later_at,
    kinds_preference(x.kind, y.kind) AS preference, kinds_prove(x.kind, y.kind) AS sure,
    y.first_day - x.last_day AS least_days, y.last_day - x.first_day AS most_days
FROM first_dates AS x
JOIN first_dates AS y
    ON x.case_id <> y.case_id AND (x.last_day < y.first_day OR x.moment < y.moment);
COMMENT ON VIEW date_order IS
    'Every pair of dates of two cases of which one lies wholly before the other. Name cases when '
    'asking: all pairs of a large library are many.';
COMMENT ON COLUMN date_order.earlier IS 'The case whose date lies before.';
COMMENT ON COLUMN date_order.later IS 'The case whose date lies after.';
COMMENT ON COLUMN date_order.earlier_kind IS 'Kind of its date.';
COMMENT ON COLUMN date_order.earlier_at IS 'Its date as written.';
COMMENT ON COLUMN date_order.later_kind IS 'Kind of its date.';
COMMENT ON COLUMN date_order.later_at IS 'Its date as written.';
COMMENT ON COLUMN date_order.preference IS
    'The lower, the more the pair of kinds proves: equal kinds of the event, any time before a '
    'start, two publications, the rest.';
COMMENT ON COLUMN date_order.sure IS
    'Whether it proves the order of the events; two publications do not.';
COMMENT ON COLUMN date_order.least_days IS 'The fewest days that can lie between.';
COMMENT ON COLUMN date_order.most_days IS 'The most days that can lie between.';

-- Comparing the dates of every two cases would take too long where one owner has thousands. Most
-- are put in order by one kind of date (`lane`): those that state a start by the start, those that
-- state nothing but their publication by that. Of these it is counted how many end before a day.
-- Only what overlaps, or goes by different kinds, is compared in pairs.
CREATE VIEW recurrence AS
WITH specific AS (
    SELECT term_id FROM terms
    WHERE term_id IN (SELECT from_id FROM links WHERE relation = 'BROADER')
        OR term_id NOT IN (SELECT to_id FROM links WHERE relation = 'BROADER')
),
caused AS (
    SELECT e.case_id, list_sort(list(DISTINCT e.term_id)) AS causes
    FROM edges AS e JOIN cases AS c USING (case_id)
    WHERE e.relation = 'CAUSED_BY' AND e.status = 'confirmed' AND c.kind = 'incident'
    GROUP BY e.case_id
),
firsts AS MATERIALIZED (
    SELECT
        case_id, kind, stated, first_day, last_day, moment,
        CASE WHEN bool_or(kind = 'started') OVER of_case THEN 'started'
            WHEN bool_and(kind = 'published') OVER of_case THEN 'published' ELSE '' END AS lane
    FROM dates
    WINDOW of_case AS (PARTITION BY case_id)
    QUALIFY row_number() OVER (PARTITION BY case_id, kind ORDER BY ordinal) = 1
),
members AS MATERIALIZED (
    SELECT
        dense_rank() OVER (ORDER BY o.organization_id, o.causes, t.lane) AS alike,
        o.organization_id, o.causes, t.lane, o.case_id, f.first_day, f.last_day,
        (f.first_day - DATE '0001-01-01') // 7 AS first_week,
        (f.last_day - DATE '0001-01-01') // 7 AS last_week
    FROM (
        SELECT DISTINCT e.term_id AS organization_id, c.causes, c.case_id
        FROM caused AS c JOIN edges AS e USING (case_id) JOIN terms AS t USING (term_id)
        WHERE e.relation = 'REPORTED_BY' AND e.role = 'owner' AND e.status = 'confirmed'
            AND NOT t.unnamed
    ) AS o
    JOIN (SELECT DISTINCT case_id, lane FROM firsts) AS t USING (case_id)
    LEFT JOIN firsts AS f ON f.case_id = o.case_id AND f.kind = t.lane
),
named AS (
    SELECT alike, organization_id, lane, unnest(causes) AS term_id
    FROM (SELECT DISTINCT alike, organization_id, lane, causes FROM members)
),
upper AS (
    SELECT x.alike AS a, y.alike AS b, x.lane = y.lane AND x.lane <> '' AS by_lane,
        y.term_id AS cause_id
    FROM named AS x
    JOIN broader_terms AS up USING (term_id)
    JOIN named AS y ON y.organization_id = x.organization_id AND y.term_id = up.broader_id
    WHERE y.term_id IN (SELECT term_id FROM specific)
),
meets AS MATERIALIZED (
    SELECT a, b, by_lane, list_sort(list(DISTINCT cause_id)) AS causes
    FROM (SELECT * FROM upper UNION ALL SELECT b, a, by_lane, cause_id FROM upper)
    GROUP BY ALL
),
ends AS (
    SELECT
        alike, last_day, sum(count(*)) OVER (PARTITION BY alike ORDER BY last_day) AS n,
        {'first_day': max(first_day), 'last_day': last_day,
         'case_id': first(case_id ORDER BY first_day DESC, case_id)} AS nearest
    FROM members WHERE lane <> '' GROUP BY alike, last_day
),
-- What ended last before a case began, by running through both in order of their days. An ASOF
-- JOIN says the same, but DuckDB compares every pair for it where it expects few rows.
asked AS (
    SELECT alike AS a, last_day AS day, true AS ended, n, nearest, NULL AS later, NULL AS causes
    FROM ends
    UNION ALL
    SELECT m.a, k.first_day, false, NULL, NULL, k, m.causes
    FROM members AS k JOIN meets AS m ON m.b = k.alike AND m.by_lane
),
answered AS (
    SELECT
        later, causes, last_value(n IGNORE NULLS) OVER past AS n,
        last_value(nearest IGNORE NULLS) OVER past AS nearest
    FROM asked
    WINDOW past AS (
        PARTITION BY a ORDER BY day, ended ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    )
),
wholly_before AS (
    SELECT
        later.organization_id, causes, nearest.case_id AS earlier, later.case_id AS later, n,
        later.lane = 'started' AS sure, later.lane AS earlier_kind, later.lane AS later_kind,
        later.first_day - nearest.last_day AS least_days,
        later.last_day - nearest.first_day AS most_days
    FROM answered WHERE later IS NOT NULL AND n IS NOT NULL
),
weekly AS (
    SELECT *, unnest(range(first_week, last_week + 1)) AS week FROM members WHERE lane <> ''
),
overlapping AS (
    SELECT y.organization_id, m.causes, x.case_id AS a, y.case_id AS b
    FROM weekly AS x JOIN meets AS m ON m.a = x.alike AND m.by_lane
    JOIN members AS y ON y.alike = m.b AND y.first_week = x.week
    WHERE x.case_id <> y.case_id AND y.first_day BETWEEN x.first_day AND x.last_day
),
pairs AS MATERIALIZED (
    SELECT organization_id, causes, a, b FROM overlapping
    UNION SELECT organization_id, causes, b, a FROM overlapping
    UNION
    SELECT x.organization_id, m.causes, x.case_id, y.case_id
    FROM meets AS m JOIN members AS x ON x.alike = m.a JOIN members AS y ON y.alike = m.b
    WHERE NOT m.by_lane AND x.case_id <> y.case_id
),
telling AS MATERIALIZED (
    SELECT
        x.case_id AS earlier, y.case_id AS later, x.kind AS earlier_kind, y.kind AS later_kind,
        kinds_preference(x.kind, y.kind) AS preference, kinds_prove(x.kind, y.kind) AS sure,
        y.first_day - x.last_day AS least_days, y.last_day - x.first_day AS most_days
    FROM (SELECT DISTINCT a, b FROM pairs) AS p
    JOIN firsts AS x ON x.case_id = p.a JOIN firsts AS y ON y.case_id = p.b
    WHERE x.last_day < y.first_day OR x.moment < y.moment
),
ordered AS (
    SELECT x.* FROM telling AS x
    ANTI JOIN telling AS y
        ON y.earlier = x.later AND y.later = x.earlier AND y.preference = x.preference
    QUALIFY x.preference = min(x.preference)
        OVER (PARTITION BY least(x.earlier, x.later), greatest(x.earlier, x.later))
),
earlier_ones AS (
    SELECT * FROM wholly_before
    UNION ALL
    SELECT
        p.organization_id, p.causes, o.earlier, o.later, 1, o.sure, o.earlier_kind, o.later_kind,
        o.least_days, o.most_days
    FROM ordered AS o JOIN pairs AS p ON p.a = o.earlier AND p.b = o.later
),
ranked AS (
    SELECT
        *, row_number() OVER nearest AS place, first_value(sure) OVER nearest AS best
    FROM earlier_ones
    WINDOW nearest AS (
        PARTITION BY organization_id, later
        ORDER BY NOT sure, least_days, most_days, earlier
    )
),
counted AS (
    SELECT *, sum(n) FILTER (sure = best) OVER (PARTITION BY organization_id, later) AS past
    FROM ranked QUALIFY place = 1
)
SELECT
    r.organization_id, t.label_en AS organization, r.causes, r.earlier, r.later,
    (r.past + 1)::BIGINT AS times, r.earlier_kind, x.stated AS earlier_at, r.later_kind,
    y.stated AS later_at, r.least_days, r.most_days, r.sure
FROM counted AS r JOIN terms AS t ON t.term_id = r.organization_id
JOIN firsts AS x ON x.case_id = r.earlier AND x.kind = r.earlier_kind
JOIN firsts AS y ON y.case_id = r.later AND y.kind = r.later_kind;
COMMENT ON VIEW recurrence IS
    'Incidents whose organisation had an incident of the same confirmed cause before, with the '
    'nearest one. Only rows that are sure are proven by their dates.';
COMMENT ON COLUMN recurrence.organization_id IS 'The owner of both.';
COMMENT ON COLUMN recurrence.organization IS 'Its English label.';
COMMENT ON COLUMN recurrence.causes IS 'The specific terms in which their causes meet, sorted.';
COMMENT ON COLUMN recurrence.earlier IS 'The nearest earlier incident.';
COMMENT ON COLUMN recurrence.later IS 'The incident that happened again.';
COMMENT ON COLUMN recurrence.times IS
    'The how-manyth incident of the owner with some cause in common; not each has all of causes.';
COMMENT ON COLUMN recurrence.earlier_kind IS 'Kind of the date of the earlier one.';
COMMENT ON COLUMN recurrence.earlier_at IS 'That date as written.';
COMMENT ON COLUMN recurrence.later_kind IS 'Kind of the date of the later one.';
COMMENT ON COLUMN recurrence.later_at IS 'That date as written.';
COMMENT ON COLUMN recurrence.least_days IS 'The fewest days that can lie between.';
COMMENT ON COLUMN recurrence.most_days IS 'The most days that can lie between.';
COMMENT ON COLUMN recurrence.sure IS 'Whether the dates prove the order of the events.';

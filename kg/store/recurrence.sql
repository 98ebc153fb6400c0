-- One organisation, one confirmed cause, again at a later time: as `lib.recurrences()` tells it.
CREATE VIEW date_order AS
WITH first_dates AS MATERIALIZED (
    SELECT case_id, kind, first_day, last_day, moment, stated,
        list_position(['started', 'detected', 'mitigated', 'ended', 'published'], kind) AS place
    FROM dates QUALIFY row_number() OVER (PARTITION BY case_id, kind ORDER BY ordinal) = 1
)
SELECT
    x.case_id AS earlier, y.case_id AS later, x.kind AS earlier_kind, x.stated AS earlier_at,
    y.kind AS later_kind, y.stated AS later_at,
    CASE
        WHEN x.kind = y.kind AND x.kind <> 'published' THEN x.place
        WHEN y.kind = 'started' THEN 3 + x.place
        WHEN x.kind = y.kind THEN 9
        ELSE 10 + 5 * x.place + y.place
    END AS preference,
    y.kind = 'started' OR (x.kind = y.kind AND x.kind <> 'published') AS sure,
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

CREATE VIEW recurrence AS
WITH specific AS (
    SELECT term_id FROM terms
    WHERE term_id IN (SELECT from_id FROM links WHERE relation = 'BROADER')
        OR term_id NOT IN (SELECT to_id FROM links WHERE relation = 'BROADER')
),
caused AS MATERIALIZED (
    SELECT DISTINCT e.case_id, e.term_id
    FROM edges AS e JOIN cases AS c USING (case_id)
    WHERE e.relation = 'CAUSED_BY' AND e.status = 'confirmed' AND c.kind = 'incident'
),
owned AS MATERIALIZED (
    SELECT DISTINCT e.term_id AS organization_id, c.case_id, c.term_id
    FROM caused AS c JOIN edges AS e USING (case_id) JOIN terms AS t ON t.term_id = e.term_id
    WHERE e.relation = 'REPORTED_BY' AND e.role = 'owner' AND e.status = 'confirmed'
        AND NOT t.unnamed
),
meets AS (
    SELECT x.organization_id, x.case_id AS a, y.case_id AS b, y.term_id AS cause_id
    FROM owned AS x
    JOIN broader_terms AS up ON up.term_id = x.term_id
    JOIN owned AS y ON y.organization_id = x.organization_id AND y.term_id = up.broader_id
    WHERE x.case_id <> y.case_id AND y.term_id IN (SELECT term_id FROM specific)
),
pairs AS MATERIALIZED (
    SELECT organization_id, a, b, list_sort(list_distinct(list(cause_id))) AS causes
    FROM (SELECT * FROM meets UNION ALL SELECT organization_id, b, a, cause_id FROM meets)
    GROUP BY ALL
),
telling AS MATERIALIZED (
    SELECT o.* FROM date_order AS o
    JOIN (SELECT DISTINCT a, b FROM pairs) AS p ON p.a = o.earlier AND p.b = o.later
),
ordered AS (
    SELECT x.* FROM telling AS x
    ANTI JOIN telling AS y
        ON y.earlier = x.later AND y.later = x.earlier AND y.preference = x.preference
    QUALIFY x.preference = min(x.preference)
        OVER (PARTITION BY least(x.earlier, x.later), greatest(x.earlier, x.later))
),
ranked AS (
    SELECT
        p.organization_id, p.causes, o.*,
        row_number() OVER nearest AS place, first_value(o.sure) OVER nearest AS best
    FROM ordered AS o JOIN pairs AS p ON p.a = o.earlier AND p.b = o.later
    WINDOW nearest AS (
        PARTITION BY p.organization_id, o.later
        ORDER BY NOT o.sure, o.least_days, o.most_days, o.earlier
    )
)
SELECT
    r.organization_id, t.label_en AS organization, r.causes, r.earlier, r.later,
    count(*) FILTER (r.sure = r.best) OVER told + 1 AS times,
    r.earlier_kind, r.earlier_at, r.later_kind, r.later_at, r.least_days, r.most_days, r.sure
FROM ranked AS r JOIN terms AS t ON t.term_id = r.organization_id
WINDOW told AS (PARTITION BY r.organization_id, r.later)
QUALIFY r.place = 1;
COMMENT ON VIEW recurrence IS
    'Incidents whose organisation had an incident of the same confirmed cause before, with the '
    'nearest one. Only rows that are sure are proven by their dates.';
COMMENT ON COLUMN recurrence.organization_id IS 'The owner of both.';
COMMENT ON COLUMN recurrence.organization IS 'Its English label.';
COMMENT ON COLUMN recurrence.causes IS 'The specific terms in which their causes meet, sorted.';
COMMENT ON COLUMN recurrence.earlier IS 'The nearest earlier incident.';
COMMENT ON COLUMN recurrence.later IS 'The incident that happened again.';
COMMENT ON COLUMN recurrence.times IS 'The how-manyth time this is, as far as the library knows.';
COMMENT ON COLUMN recurrence.earlier_kind IS 'Kind of the date of the earlier one.';
COMMENT ON COLUMN recurrence.earlier_at IS 'That date as written.';
COMMENT ON COLUMN recurrence.later_kind IS 'Kind of the date of the later one.';
COMMENT ON COLUMN recurrence.later_at IS 'That date as written.';
COMMENT ON COLUMN recurrence.least_days IS 'The fewest days that can lie between.';
COMMENT ON COLUMN recurrence.most_days IS 'The most days that can lie between.';
COMMENT ON COLUMN recurrence.sure IS 'Whether the dates prove the order of the events.';

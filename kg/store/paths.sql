-- Ways from one case to another: what both say, climbed up the hierarchy until it meets.
CREATE VIEW standing_terms AS
SELECT DISTINCT ON (case_id, term_id)
    case_id, term_id, split_part(term_id, ':', 1) AS kind, relation, status, claim_id
FROM edges
WHERE status <> 'ruled_out' AND relation IN (
    'CAUSED_BY', 'TRIGGERED_BY', 'CONTRIBUTED_BY', 'AFFECTS', 'EXHIBITS', 'DETECTED_WITH',
    'MITIGATED_BY', 'FOLLOWED_UP_BY'
)
ORDER BY
    case_id, term_id,
    (CASE status WHEN 'confirmed' THEN 4 ELSE 2 END)
        * (CASE role WHEN 'check_item' THEN 1 ELSE 4 END) DESC,
    relation DESC, length(claim_id), claim_id;
COMMENT ON VIEW standing_terms IS
    'What makes a case like others, each term once with its strongest claim; nothing ruled out.';
COMMENT ON COLUMN standing_terms.case_id IS 'The case.';
COMMENT ON COLUMN standing_terms.term_id IS 'A term that it states itself.';
COMMENT ON COLUMN standing_terms.kind IS 'The scheme of the term.';
COMMENT ON COLUMN standing_terms.relation IS 'The edge from the case to the term.';
COMMENT ON COLUMN standing_terms.status IS 'confirmed or suspected.';
COMMENT ON COLUMN standing_terms.claim_id IS 'The claim.';

CREATE MACRO paths(a, b) AS TABLE
WITH RECURSIVE climb (case_id, own, node, nodes) AS (
    SELECT case_id, term_id, term_id, [term_id] FROM standing_terms
    WHERE case_id IN (a, b) AND a <> b
    UNION
    SELECT c.case_id, c.own, l.to_id, list_append(c.nodes, l.to_id)
    FROM climb AS c JOIN links AS l ON l.from_id = c.node AND l.relation = 'BROADER'
),
ways AS MATERIALIZED (
    SELECT DISTINCT ON (case_id, own, node) * FROM climb
    ORDER BY case_id, own, node, len(nodes), nodes
),
mine AS (SELECT * FROM standing_terms WHERE case_id = a AND a <> b),
theirs AS (SELECT * FROM standing_terms WHERE case_id = b AND a <> b),
same AS (SELECT term_id FROM mine SEMI JOIN theirs USING (term_id)),
met AS (
    SELECT x.own AS x, y.own AS y, x.node, x.nodes AS up, list_reverse(y.nodes) AS down
    FROM ways AS x JOIN ways AS y USING (node)
    WHERE x.case_id = a AND y.case_id = b AND (
        x.own = y.own OR (x.own NOT IN (FROM same) AND y.own NOT IN (FROM same))
    )
),
nearest AS (
    SELECT * FROM met AS m
    WHERE NOT EXISTS (
        SELECT 1 FROM met AS low JOIN broader_terms AS s ON s.term_id = low.node
        WHERE low.x = m.x AND low.y = m.y AND s.broader_id = m.node AND s.steps > 0
    )
),
beside AS (
    SELECT from_id AS x, to_id AS y, to_id AS node, ' -' || relation || '-> ' || to_id AS way
    FROM links WHERE relation IN ('PART_OF', 'DEPENDS_ON', 'VARIANT_OF')
    UNION ALL
    SELECT to_id, from_id, to_id, ' <-' || relation || '- ' || from_id
    FROM links WHERE relation IN ('PART_OF', 'DEPENDS_ON', 'VARIANT_OF')
    UNION ALL
    SELECT p.from_id, q.from_id, p.to_id,
        ' -PART_OF-> ' || p.to_id || ' <-PART_OF- ' || q.from_id
    FROM links AS p JOIN links AS q USING (to_id)
    WHERE p.relation = 'PART_OF' AND q.relation = 'PART_OF' AND p.from_id <> q.from_id
),
told (kind, x, y, node, way) AS (
    SELECT CASE WHEN x = y THEN 'same' ELSE 'broader' END, x, y, node,
        array_to_string(up, ' -BROADER-> ')
        || array_to_string(list_transform(down[2:], lambda n: ' <-BROADER- ' || n), '')
    FROM nearest
    UNION ALL
    SELECT 'neighbour', x, y, node, x || way FROM beside
    WHERE x NOT IN (FROM same) AND y NOT IN (FROM same)
        AND split_part(x, ':', 1) IN ('component', 'tool')
        AND split_part(y, ':', 1) IN ('component', 'tool')
),
counts AS (
    SELECT s.broader_id AS node, count(DISTINCT t.case_id) AS cases
    FROM standing_terms AS t JOIN broader_terms AS s USING (term_id)
    WHERE s.broader_id IN (SELECT node FROM told) GROUP BY s.broader_id
),
citing AS (
    SELECT locator, list(DISTINCT case_id) AS ids FROM sources WHERE list = 'source'
    GROUP BY locator HAVING count(DISTINCT case_id) < 5
),
found (kind, path, meeting, status, cases) AS (
    SELECT t.kind,
        'case:' || a || ' -' || m.relation || '-> ' || t.way || ' <-' || h.relation || '- case:' || b,
        t.node,
        CASE WHEN 'suspected' IN (m.status, h.status) THEN 'suspected' ELSE 'confirmed' END,
        c.cases
    FROM told AS t
    JOIN mine AS m ON m.term_id = t.x JOIN theirs AS h ON h.term_id = t.y
    JOIN counts AS c USING (node)
    UNION ALL
    SELECT 'link', from_id || ' -RELATED_TO-> ' || to_id, to_id, 'confirmed', 2
    FROM links WHERE relation = 'RELATED_TO' AND from_id = 'case:' || a AND to_id = 'case:' || b
    UNION ALL
    SELECT 'link', to_id || ' <-RELATED_TO- ' || from_id, from_id, 'confirmed', 2
    FROM links WHERE relation = 'RELATED_TO' AND from_id = 'case:' || b AND to_id = 'case:' || a
    UNION ALL
    SELECT 'link', 'case:' || a || ' -CITES-> source:' || locator || ' <-CITES- case:' || b,
        'source:' || locator, 'confirmed', len(ids)
    FROM citing WHERE list_contains(ids, a) AND list_contains(ids, b) AND a <> b
)
SELECT kind, path, meeting, status, cases FROM found
ORDER BY list_position(['same', 'broader', 'neighbour', 'link'], kind), cases, path;
COMMENT ON MACRO TABLE paths IS
    'Ways from one case to another: a term that both state, terms that meet in a broader one '
    '(the nearest), components and tools that belong together, links between the cases. '
    '`cases` says how many of the library state the meeting term; few say more. Nothing that is '
    'ruled out lies on a path; status is the weaker of the two claims.';

-- Searching the texts by words. DuckDB's own full-text index is an extension that would have to be
-- fetched, so this is plain SQL: BM25 (Robertson and Zaragoza 2009) with k1 = 1.2 and b = 0.75.
CREATE MACRO plain_text(words) AS lower(nfc_normalize(words));
COMMENT ON MACRO plain_text IS 'A text in lower case and composed form, as words are compared.';

CREATE MACRO words_of(words) AS flatten(list_transform(
    regexp_extract_all(
        plain_text(words), '\p{Hangul}+|(?:[^\P{L}\p{Hangul}]|[\p{M}\p{N}_])+'
    ),
    lambda w: CASE
        WHEN regexp_matches(w, '^\p{Hangul}{3}')
            THEN list_transform(range(1, length(w)), lambda i: substr(w, i, 2))
        WHEN regexp_matches(w, '[^_]_+[^_]')
            THEN list_prepend(w, list_filter(string_split(w, '_'), lambda p: p <> ''))
        ELSE [w]
    END
));
COMMENT ON MACRO words_of IS
    'The words of a text, repeated ones as often as they stand: Korean ones of three or more '
    'syllables as pairs of syllables, identifiers with underscores whole and in parts.';

CREATE MACRO search_texts(question) AS TABLE
WITH asked AS MATERIALIZED (SELECT DISTINCT unnest(words_of(question)) AS word),
sizes AS (SELECT lang, count(*) AS texts, avg(length(text)) AS mean FROM texts GROUP BY lang),
near AS MATERIALIZED (
    SELECT case_id, field, lang, text FROM texts AS t
    WHERE EXISTS (SELECT 1 FROM asked WHERE contains(plain_text(t.text), asked.word))
),
counted AS MATERIALIZED (
    SELECT w.case_id, w.field, w.lang, w.word, count(*) AS times
    FROM (SELECT case_id, field, lang, unnest(words_of(text)) AS word FROM near) AS w
    SEMI JOIN asked USING (word)
    GROUP BY ALL
),
known AS (SELECT lang, word, count(*) AS texts FROM counted GROUP BY ALL),
scored AS (
    SELECT
        c.case_id, c.field, c.lang, list_sort(list(c.word)) AS matched,
        sum(
            ln(1 + (s.texts - k.texts + 0.5::DOUBLE) / (k.texts + 0.5::DOUBLE))
            * c.times * 2.2::DOUBLE
            / (c.times + 1.2::DOUBLE * (0.25::DOUBLE + 0.75::DOUBLE * length(n.text) / s.mean))
            ORDER BY c.word
        ) AS score
    FROM counted AS c
    JOIN known AS k USING (lang, word) JOIN sizes AS s USING (lang)
    JOIN near AS n USING (case_id, field, lang)
    GROUP BY c.case_id, c.field, c.lang
)
SELECT s.case_id, s.field, s.lang, round(s.score, 9) AS score, s.matched, n.text
FROM scored AS s JOIN near AS n USING (case_id, field, lang)
ORDER BY round(s.score, 9) DESC, s.case_id, s.field, s.lang;
COMMENT ON MACRO TABLE search_texts IS
    'The stored texts that hold a word of the question, best first, by BM25 within each language; '
    'lengths are counted in characters. Endings are not cut off.';

CREATE MACRO search_cases(question, k := 10) AS TABLE
SELECT c.case_id, c.title, c.title_ko, best.score, best.field, best.lang, best.matched
FROM (
    SELECT * FROM search_texts(question)
    QUALIFY row_number() OVER (PARTITION BY case_id ORDER BY score DESC, field, lang) = 1
) AS best JOIN cases AS c USING (case_id)
ORDER BY best.score DESC, c.case_id LIMIT k;
COMMENT ON MACRO TABLE search_cases IS
    'The k cases with the best text of search_texts, and which text that is.';

"""Translations learned from pairs of texts: against a plain loop, and what the rules promise."""

from __future__ import annotations

import json
from collections import defaultdict
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embeddings import BM25F
from embeddings.lexicon import (
    FILE,
    LEAST,
    MOST,
    ROUNDS,
    Lexicon,
    Pair,
    learn,
    shipped_lexicon,
    write_lexicon,
)
from embeddings.tokens import tokenize

if TYPE_CHECKING:
    from pathlib import Path

ENGLISH = ("disk full", "the disk failed", "switch failed", "a full queue", "Xid 79 on the switch")
KOREAN = ("디스크 가득", "디스크 고장", "스위치 고장", "대기열 가득", "스위치에서 Xid 79")
PAIRS = [
    Pair(f"{owner}{number}", one, other)
    for owner in "ab"
    for number, (one, other) in enumerate(zip(ENGLISH, KOREAN, strict=True))
]


def korean(word: str) -> bool:
    return any("가" <= c <= "힣" for c in word)


def twin(pairs: list[Pair], owners: int) -> dict[str, list[tuple[str, float]]]:
    """IBM Model 1 as the paper writes it, word by word in dictionaries, both ways."""
    found: dict[str, list[tuple[str, float]]] = {}
    for way in (korean, lambda word: not korean(word)):
        rows = []
        for pair in sorted(set(pairs)):
            apart = set(tokenize(pair.one)) ^ set(tokenize(pair.other))
            words = [w for w in sorted(apart) if any(c.isalpha() for c in w)]
            sides = [w for w in words if not way(w)], [w for w in words if way(w)]
            if all(sides):
                rows.append((pair.owner, *sides))
        likely = {(e, f): 1.0 for _, one, other in rows for e in one for f in other}
        for _ in range(ROUNDS):
            counts: dict[tuple[str, str], float] = defaultdict(float)
            totals: dict[str, float] = defaultdict(float)
            for _, one, other in rows:
                for f in other:
                    whole = sum(likely[e, f] for e in one)
                    for e in one:
                        counts[e, f] += likely[e, f] / whole
                        totals[e] += likely[e, f] / whole
            likely = {(e, f): count / totals[e] for (e, f), count in counts.items()}
        spoken: dict[tuple[str, str], set[str]] = defaultdict(set)
        for owner, one, other in rows:
            for e in one:
                for f in other:
                    spoken[e, f].add(owner)
        kept: dict[str, list[tuple[str, float]]] = defaultdict(list)
        for (e, f), p in likely.items():
            if p >= LEAST and len(spoken[e, f]) >= owners:
                kept[e].append((f, p))
        for word, some in kept.items():
            found[word] = sorted(some, key=lambda t: (-round(t[1], 3), t[0]))[:MOST]
    return found


words = st.lists(st.sampled_from(ENGLISH), min_size=1, max_size=2).map(" ".join)
korean_words = st.lists(st.sampled_from(KOREAN), min_size=1, max_size=2).map(" ".join)


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.tuples(st.sampled_from("abc"), words, korean_words), max_size=6),
    st.integers(1, 3),
)
def test_what_is_learned_equals_the_plain_loop(
    rows: list[tuple[str, str, str]], owners: int
) -> None:
    pairs = [Pair(*row) for row in rows]
    found, slow = learn(pairs, korean, owners).translations, twin(pairs, owners)
    assert found.keys() == slow.keys()
    for word, expected in slow.items():
        assert [t for t, _ in found[word]] == [t for t, _ in expected]
        assert [p for _, p in found[word]] == pytest.approx([p for _, p in expected], abs=6e-4)


@settings(deadline=None)
@given(st.randoms())
def test_neither_the_order_of_pairs_nor_of_their_languages_matters(random: Random) -> None:
    pairs = [Pair(p.owner, p.other, p.one) if random.random() < 0.5 else p for p in PAIRS]
    random.shuffle(pairs)
    assert learn(pairs, korean).translations == learn(PAIRS, korean).translations


def test_words_meet_their_translations() -> None:
    lexicon = learn(PAIRS, korean)
    assert lexicon.translations["disk"][0][0] in ("디스크", "디스", "스크")
    assert lexicon.translations["고장"][0][0] == "fail"
    assert {t for t, _ in lexicon.translations["switch"]} & {"스위치", "스위", "위치"}


def test_what_stands_in_both_texts_and_numbers_are_not_translated() -> None:
    known = learn(PAIRS, korean).translations
    assert not {"xid", "79"} & known.keys()
    assert not {"xid", "79"} & {t for found in known.values() for t, _ in found}
    dated = [Pair(o, "at 09 the disk", "디스크 아홉") for o in "ab"]
    assert "09" not in learn(dated, korean).translations


def test_one_owner_alone_teaches_nothing() -> None:
    alone = [Pair("a", one, other) for one, other in zip(ENGLISH, KOREAN, strict=True)]
    assert len(learn(alone, korean)) == 0
    assert len(learn(alone, korean, owners=1)) > 0
    assert len(learn([], korean)) == 0


def test_translations_weigh_by_probability_and_add_up() -> None:
    lexicon = Lexicon({"disk": [("디스크", 0.5)], "drive": [("디스크", 0.25), ("구동", 0.5)]})
    assert lexicon.across({"disk": 1.0, "drive": 2.0}) == {"디스크": 1.0, "구동": 1.0}
    assert lexicon.across({"disk": 1.0, "디스크": 1.0}) == {}
    assert lexicon.across({"unknown": 1.0}) == {}


def test_a_word_index_scores_translations_as_it_scores_words() -> None:
    documents = [{"text": "디스크 고장"}, {"text": "스위치 고장"}, {"text": "disk"}]
    index = BM25F({"text": 1.0}).fit(documents)
    assert index.weighted_scores(index.weights("디스크 고장")) == pytest.approx(
        index.scores("디스크 고장")
    )
    crossed = index.weighted_scores(Lexicon({"disk": [("디스크", 1.0)]}).across({"disk": 1.0}))
    assert crossed[0] > 0
    assert crossed[1] == crossed[2] == 0
    assert index.weighted_scores({}).tolist() == [0, 0, 0]


def test_a_lexicon_is_written_line_by_line_and_read_back(tmp_path: Path) -> None:
    lexicon = learn(PAIRS, korean)
    write_lexicon(tmp_path / "l.json", lexicon, 'from "texts"')
    text = (tmp_path / "l.json").read_text(encoding="utf-8")
    content = json.loads(text)
    assert content["provenance"] == 'from "texts"'
    back = {w: [tuple(t) for t in found] for w, found in content["translations"].items()}
    assert back == lexicon.translations
    assert text.count("\n") == len(lexicon) + 3
    assert list(back) == sorted(back)


def test_the_shipped_lexicon_knows_the_trade() -> None:
    known = shipped_lexicon().translations
    assert len(known) > 3000
    for word, translation in (("학습", "train"), ("누수", "leak"), ("certificat", "인증서")):
        assert translation in [t for t, _ in known[word]]
    for found in known.values():
        assert 1 <= len(found) <= MOST
        assert all(LEAST - 1e-3 <= p <= 1 for _, p in found)
    assert "kg.library.fit" in json.loads(FILE.read_text(encoding="utf-8"))["provenance"]

"""Every sentence of the paragraphs is held against the records, by a reader of its own.

The reader knows nothing of how the paragraphs are made: it takes them apart by the labels of the
vocabulary and looks each statement up in the edges of the networkx graph.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Set
from functools import cache
from itertools import combinations, pairwise
from typing import Any

import pytest

from kg.graph import Relation, case_node
from kg.library import Library
from kg.model import Status
from kg.vocab import Vocabulary
from tests.helpers import twins

ID = r"[A-Z]{2}-\d{4}[a-d]?"
KIND_OF_SENTENCE = {
    r"Symptoms? of both: (?P<terms>.+)": ("symptom", {"EXHIBITS"}),
    r"Involved in both: (?P<terms>.+)": ("component", {"AFFECTS"}),
    r"Triggers? of both: (?P<terms>.+)": ("trigger", {"TRIGGERED_BY"}),
    r"Contributing factors? of both: (?P<terms>.+)": ("factor", {"CONTRIBUTED_BY"}),
    r"Done in both: (?P<terms>.+)": ("mitigation", {"MITIGATED_BY"}),
    r"Detection(?: or diagnosis)? in both: (?P<terms>.+)": ("tool", {"DETECTED_WITH"}),
    r"Less telling, as many cases have it: (?P<terms>.+)": ("", set()),
}
Edge = dict[str, Any]


@cache
def labels_of(vocabulary: Vocabulary) -> dict[str, str]:
    return {t.id: t.label.best("en") for t in vocabulary.terms.values()}


@cache
def shown_of(vocabulary: Vocabulary, kind: str) -> list[tuple[str, str]]:
    """Each way to write the label of each term of a kind, with the term."""
    return [
        (term, shown)
        for term, label in labels_of(vocabulary).items()
        if term.startswith(kind)
        for shown in (label, f"“{label}”", f"{label[0].upper()}{label[1:]}")
    ]


class Reader:
    """Reads the paragraph of two cases."""

    def __init__(self, library: Library, a: str, b: str) -> None:
        self.library, self.sides = library, (a, b)
        self.vocabulary = library.vocabulary
        self.labels = labels_of(self.vocabulary)
        self.said = {i: list(self._edges(i)) for i in self.sides}
        self.counts: Counter[str] = Counter()
        self.upper = ""

    def _edges(self, case_id: str) -> Iterator[Edge]:
        for _, target, data in self.library.graph.nx.out_edges(case_node(case_id), data=True):
            yield {**data, "target": target}

    def terms(self, phrase: str, kind: str) -> list[tuple[str, str]]:
        """A list of labels as (term, what stands in brackets); nothing may be left over."""
        found, rest = [], phrase
        while rest and not re.fullmatch(r"\d+ more", rest):
            term, length = self._first(rest, kind)
            rest = rest[length:]
            notes = re.match(r" \(((?:[^()]|\([^()]*\))*)\)", rest)
            rest = rest[notes.end() :] if notes else rest
            found.append((term, notes.group(1) if notes else ""))
            rest = re.sub(r"^(, | and )", "", rest)
        return found

    def _first(self, text: str, kind: str) -> tuple[str, int]:
        """The longest label with which a text begins, with or without quotes."""
        best = ("", 0)
        for term, shown in shown_of(self.vocabulary, kind):
            if text.startswith(shown) and len(shown) > best[1]:
                best = (term, len(shown))
        assert best[1], f"no label of {kind or 'any kind'} begins {text!r}"
        return best

    def claims(self, case_id: str, term: str, *statuses: str) -> list[Edge]:
        """What a case says of a term or one below it."""
        below = twins.below(self.vocabulary, term)
        return [
            e for e in self.said[case_id]
            if e["target"] in below and (not statuses or e["status"] in statuses)
        ]  # fmt: skip

    def read(self, text: str) -> None:
        """Check each sentence of a paragraph."""
        for case_id, told in re.findall(rf"caveat of ({ID}): “([^”]*)”", text):
            self.caveat(case_id, told)
        plain = re.sub(rf"caveat of {ID}: “[^”]*”(?:; )?", "", text).replace(" ()", "")
        unquoted = re.sub(rf"({ID})( \([^)]*\))?: “[^”]*[.!?…。]”", "", plain)
        for sentence in re.split(r"(?<=[.])\s+(?=[A-Z“])", unquoted.strip()):
            self._check(sentence.strip().removesuffix("."))

    def _check(self, sentence: str) -> None:
        rules: dict[str, Callable[[re.Match[str]], None]] = {
            rf"Listed as a symptom only of ({ID}): (.+?)(?:; only of ({ID}): (.+))?": self.only,
            rf"({ID}) rules out (.+); the record of ({ID}) (?:does not name it|names none of it)": (
                self.unnamed
            ),
            rf"({ID}) rules out (.+); ({ID}) has no claim of that": self.denied,
            rf"({ID}) rules out (.+); ({ID}) has no claim of that, but its record has the words "
            r"“(.+?)[.]?”": self.quoted,
            rf"({ID}) and ({ID}) name different confirmed causes": self.differ,
            rf"Root cause of ({ID}): (.+?)(?:; root cause of ({ID}): (.+))?": self.root,
            r"Both suspect (.+)": self.both_suspect,
            r"That says little: (\d+) of (\d+) cases confirm a cause of this kind": self.common,
            rf"({ID}) rules out (.+?)(?: as (?:a cause|the trigger|a contributing factor))?, which "
            rf"({ID}) (confirms|suspects|reports)": self.ruled_out,
            rf"({ID}) rules out (.+?) as a cause, while ({ID}) (confirms|suspects) (.+), a kind "
            r"of it": self.ruled_out,
            rf"({ID}) and ({ID}) have the same kind of root cause: (.+)": self.same_root,
            rf"({ID}) and ({ID}) share a kind of confirmed cause: (.+) \(.+\)": self.same_cause,
            rf"It is not known whether {ID} and {ID} have the same cause(?:: .+)?": self.unknown,
            rf"Causes? of ({ID}): (.+?); causes? of ({ID}): (.+)": self.caused,
            rf"(.+) caught ({ID}) but missed ({ID})": self.caught,
            rf"By their records “(.+)” (.+) in ({ID}) but (.+) in ({ID})": self.outcomes,
            r"Both rule out (.+)": self.both_out,
            rf"({ID}) is a (study|report on a series) .+": self.kind,
            rf"({ID}) took (.+) to recover and ({ID}) (.+)": self.recovery,
            rf"({ID}) suspects what ({ID}) confirms: (.+)": self.suspects,
            rf"(.+?) (?:\(suspected )?in ({ID})\)? and (.+?) (?:\(suspected )?in ({ID})\)? are "
            r"both kinds of (.+)": self.kinds,
        }
        for pattern, (kind, relations) in KIND_OF_SENTENCE.items():
            if match := re.fullmatch(pattern, sentence):
                self.shared(match["terms"], kind, relations)
                return
        for pattern, rule in rules.items():
            if match := re.fullmatch(pattern, sentence):
                rule(match)
                return
        self.counts["not read"] += 1

    def shared(self, phrase: str, kind: str, relations: set[str]) -> None:
        for term, notes in self.terms(phrase, kind):
            for side in self.sides:
                claims = self.claims(side, term, "confirmed", "suspected")
                claims = [e for e in claims if not relations or e["relation"] in relations]
                assert claims, f"{side} does not say {term}"
                sure = any(e["status"] == "confirmed" for e in claims)
                marked = f"suspected in {side}" in notes or re.search(
                    rf"{side}: [^;]*, suspected", notes
                )
                assert sure or marked, f"{side} only suspects {term}"
                watched = all(e["role"] == "watched" for e in claims)
                assert watched == (f"only watched in {side}" in notes), (side, term, notes)
                if kind == "tool":
                    assert {e["role"] for e in claims} & {"detected", "diagnosed"}
                    assert "missed" not in {e["role"] for e in claims if e["target"] == term}
            self.counts["shared"] += 1
            for told, label in re.findall(rf"({ID}): ([^;]+)", notes):
                own = label.removesuffix(", suspected")
                targets = {self.labels.get(e["target"]) for e in self.said[told]}
                assert own.strip("“”") in targets, (told, own)
            for few, all_ in re.findall(r"(\d+) of (\d+) cases", notes):
                found = self.confirming(term)
                assert (int(few), int(all_)) == (len(found), len(self.library))

    def only(self, match: re.Match[str]) -> None:
        one, phrase, other, more = match.groups()
        for side, told in ((one, phrase), (other, more)):
            for term, notes in self.terms(told, "symptom") if side else ():
                (away,) = set(self.sides) - {side}
                claims = self.claims(side, term, "confirmed", "suspected")
                assert claims
                assert not self.claims(away, term, "confirmed", "suspected"), (away, term)
                assert not self.names(away, term, {"title", "symptom", "impact"}), (away, term)
                sure = any(e["status"] == "confirmed" for e in claims)
                assert sure == (notes != "suspected")
                self.counts["only"] += 1

    def ruled_out(self, match: re.Match[str]) -> None:
        out, phrase, other, says, *narrower = match.groups()
        ((term, _),) = self.terms(phrase, "")
        assert self.claims(out, term, "ruled_out")
        assert not self.claims(out, term, "confirmed", "suspected")
        status = "suspected" if says == "suspects" else "confirmed"
        assert self.claims(other, term, status)
        for label in narrower:
            ((below, _),) = self.terms(label, "")
            assert term in twins.above(self.vocabulary, below)
            assert below in {e["target"] for e in self.claims(other, below, status)}
        self.counts["ruled out"] += 1

    def same_root(self, match: re.Match[str]) -> None:
        for term, _ in self.terms(match[3], "cause"):
            for side in self.sides:
                roles = [e["role"] for e in self.claims(side, term, "confirmed")]
                assert "primary" in roles
        self.counts["root"] += 1

    def same_cause(self, match: re.Match[str]) -> None:
        for term, _ in self.terms(match[3], "cause"):
            assert all(self.claims(side, term, "confirmed") for side in self.sides)
        self.counts["cause"] += 1

    def causes(self, case_id: str, status: str, *roles: str) -> set[str]:
        return {
            e["target"] for e in self.said[case_id]
            if e["relation"] == "CAUSED_BY" and e["status"] == status
            and (not roles or e["role"] in roles)
        }  # fmt: skip

    def caused(self, match: re.Match[str]) -> None:
        for side, phrase in ((match[1], match[2]), (match[3], match[4])):
            confirmed, suspected = (self.causes(side, s) for s in ("confirmed", "suspected"))
            if phrase.startswith("none"):
                assert not confirmed
                stated = any(e["relation"] == "CAUSED_BY" for e in self.said[side])
                assert stated == (phrase != "none stated")
                listed = re.search(r"\(suspected: (.+)\)", phrase)
                told = {t for t, _ in self.terms(listed[1], "cause")} if listed else set()
                assert told <= suspected
                assert bool(told) == bool(suspected)
                continue
            told, doubted = self._parts(phrase)
            assert told <= confirmed
            assert told == confirmed or " more" in phrase
            assert doubted == (
                set() if self.causes(side, "confirmed", "primary")
                else self.causes(side, "suspected", "primary")
            ), (side, phrase)  # fmt: skip
            self.counts["caused"] += 1

    def _parts(self, phrase: str) -> tuple[set[str], set[str]]:
        """The confirmed causes of a phrase, and its suspected root causes."""
        parts = re.fullmatch(r"(.+) \(suspected root cause\) and (.+) \(confirmed, .+\)", phrase)
        doubted = {t for t, _ in self.terms(parts[1], "cause")} if parts else set()
        return {t for t, _ in self.terms(parts[2] if parts else phrase, "cause")}, doubted

    def root(self, match: re.Match[str]) -> None:
        for side, phrase in ((match[1], match[2]), (match[3], match[4])):
            for term, notes in self.terms(phrase, "cause") if side else ():
                status = "suspected" if notes == "suspected" else "confirmed"
                assert term in self.causes(side, status, "primary")
                self.counts["own root"] += 1

    def differ(self, match: re.Match[str]) -> None:
        one, other = (self.causes(side, "confirmed") for side in self.sides)
        assert one
        assert other
        assert not one & other
        self.counts["differ"] += 1

    def both_suspect(self, match: re.Match[str]) -> None:
        for term, _ in self.terms(match[1], "cause"):
            assert all(term in self.causes(side, "suspected") for side in self.sides)
        self.counts["both suspect"] += 1

    def denied(self, match: re.Match[str]) -> None:
        """What one rules out, and the other says nothing of, above or below it."""
        phrase = re.sub(r"that (.+?) had a part in it", r"\1", match[2])
        for term, _ in self.terms(phrase, ""):
            assert self.claims(match[1], term, "ruled_out")
            told = [e for e in self.said[match[1]] if e["relation"] in twins.ALIKE]
            assert {e["status"] for e in told if e["target"] == term} == {"ruled_out"}
            kin = twins.below(self.vocabulary, term) | set(twins.above(self.vocabulary, term))
            assert not kin & {e["target"] for e in self.said[match[3]]}, (match[3], term)
            self.counts["denied"] += 1

    def unnamed(self, match: re.Match[str]) -> None:
        """The same, where no name of it stands in the record either."""
        self.denied(match)
        phrase = re.sub(r"that (.+?) had a part in it", r"\1", match[2])
        for term, _ in self.terms(phrase, ""):
            assert not self.names(match[3], term), (match[3], term)

    def quoted(self, match: re.Match[str]) -> None:
        """The same with a sentence of the record."""
        self.denied(match)
        case = self.library.get(match[3])
        texts = [text for *_, text in case.texts()]
        texts += [t for c in case.claims if c.statement for _, t in c.statement.items()]
        told = match[4].removesuffix("…")
        assert any(told in " ".join(text.split()) for text in texts), told

    def names(self, case_id: str, term: str, fields: Set[str] = frozenset()) -> bool:
        """Whether a name of a term stands letter by letter in texts of a case; all or some."""
        texts = " ".join(
            text
            for field, lang, text in self.library.get(case_id).texts()
            if lang != "zxx" and (not fields or field in fields)
        ).casefold()
        spellings = (s.casefold() for _, s in self.vocabulary.terms[term].spellings())
        return any(re.search(rf"(?<!\w){re.escape(s)}(?!\w)", texts) for s in spellings)

    def confirming(self, term: str) -> list[str]:
        relations = [Relation(r) for r in twins.ALIKE]
        return self.library.graph.cases_of(
            term, narrower=True, status=Status.CONFIRMED, relations=relations
        )

    def caveat(self, case_id: str, told: str) -> None:
        caveats = [c.caveat.best("en") for c in self.library.get(case_id).claims if c.caveat]
        assert any(c.startswith(told.rstrip("…")) for c in caveats), (case_id, told)
        self.counts["caveat"] += 1

    def caught(self, match: re.Match[str]) -> None:
        ((term, _),) = self.terms(match[1], "tool")
        for side, roles in ((match[2], {"detected", "diagnosed"}), (match[3], {"missed"})):
            told = {e["role"] for e in self.said[side] if e["target"] == term}
            assert told & roles
            assert not told - roles - {"check_item"}
        self.counts["caught"] += 1

    def outcomes(self, match: re.Match[str]) -> None:
        ((term, _),) = self.terms(match[1], "mitigation")
        words = {"worked": "worked", "failed": "failed", "worked only partly": "partly"}
        for side, word in ((match[3], match[2]), (match[5], match[4])):
            told = {
                str(c.result) for c in self.library.get(side).claims
                if term in c.terms and c.kind == "mitigation" and c.status == "confirmed"
                and str(c.result) in words.values()
            }  # fmt: skip
            assert told == {words[word]}
        self.counts["outcomes"] += 1

    def kind(self, match: re.Match[str]) -> None:
        told = {"study": "study", "report on a series": "series"}[match[2]]
        assert self.library.get(match[1]).kind == told
        self.counts["kind"] += 1

    def recovery(self, match: re.Match[str]) -> None:
        for side, told in ((match[1], match[2]), (match[3], match[4])):
            case = self.library.get(side)
            assert case.kind == "incident"
            duration = case.time_to_recover
            assert duration is not None
            units = {"day": 86400, "hour": 3600, "minute": 60, "second": 1}
            parts = re.findall(r"(\d+) (day|hour|minute|second)s?", told)
            seconds = sum(int(n) * units[unit] for n, unit in parts)
            about = duration.approx or seconds != round(duration.seconds)
            assert about == told.startswith("about ")
            assert abs(duration.seconds - seconds) <= max(1, units[parts[0][1]] / 24)
        self.counts["time"] += 1

    def suspects(self, match: re.Match[str]) -> None:
        ((term, _),) = self.terms(match[3], "cause")
        for side, status in ((match[1], "suspected"), (match[2], "confirmed")):
            assert [e for e in self.claims(side, term, status) if e["target"] == term]
        self.counts["suspects"] += 1

    def kinds(self, match: re.Match[str]) -> None:
        ((upper, _),) = self.terms(match[5], "cause")
        for side, label in ((match[2], match[1]), (match[4], match[3])):
            ((term, _),) = self.terms(label.strip(), "cause")
            assert upper in twins.above(self.vocabulary, term)
            told = [e for e in self.claims(side, term) if e["target"] == term]
            doubt = f"(suspected in {side})" in match[0]
            assert ("suspected" if doubt else "confirmed") in {e["status"] for e in told}
        self.upper = upper
        self.counts["kinds"] += 1

    def common(self, match: re.Match[str]) -> None:
        """How many cases have the class of causes that the sentence before names."""
        having = self.confirming(self.upper) if self.upper else ()
        assert not self.upper or int(match[1]) == len(having)
        assert int(match[2]) == len(self.library)
        self.counts["common"] += 1

    def unknown(self, match: re.Match[str]) -> None:
        sure = [bool(self.causes(side, "confirmed")) for side in self.sides]
        assert all(sure) == ("general class" in match[0])
        if "neither " in match[0]:
            assert not any(sure)
        self.counts["unknown"] += 1

    def both_out(self, match: re.Match[str]) -> None:
        for term, notes in self.terms(match[1], ""):
            for side in self.sides:
                out = {e["target"] for e in self.said[side] if e["status"] == "ruled_out"}
                assert out & set(twins.above(self.vocabulary, term))
                assert term in out or f"{side}: " in notes, (side, term)
        self.counts["both out"] += 1


@pytest.fixture(scope="module")
def read_pairs(whole: Library) -> Counter[str]:
    """Reads the paragraphs of many pairs, near ones and far ones; counts what was checked."""
    ids = sorted(whole.cases)
    pairs = [*list(combinations(ids, 2))[::61], *pairwise(ids)]
    counts: Counter[str] = Counter()
    for a, b in pairs:
        reader = Reader(whole, a, b)
        reader.read(whole.explain(a, b).text)
        counts += reader.counts
    return counts


def test_every_sentence_that_the_reader_knows_is_true(read_pairs: Counter[str]) -> None:
    kinds = {"shared", "only", "ruled out", "root", "cause", "caused", "caught", "outcomes"}
    kinds |= {"denied", "own root", "differ", "caveat"}
    assert kinds <= set(read_pairs), read_pairs
    assert sum(read_pairs[k] for k in kinds) > 1500, read_pairs


def test_the_reader_knows_most_sentences(read_pairs: Counter[str]) -> None:
    checked = sum(n for kind, n in read_pairs.items() if kind != "not read")
    assert read_pairs["not read"] < checked / 50, read_pairs


@pytest.mark.parametrize(
    "sentence",
    [
        "Symptom of both: NCCL timeout.",
        "Listed as a symptom only of IL-0480: job hang.",
        "Both rule out network fault.",
        "IL-0480 and IL-0428 have the same kind of root cause: mismatched collectives.",
        "IL-0428 rules out network fault as a cause, which IL-0480 confirms.",
        "Involved in both: a thing of no vocabulary.",
        "Less telling, as many cases have it: job hang (2 of 8 cases).",
        "Involved in both: GPU (IL-0480: H100; IL-0428: A100).",
        "Cause of IL-0428: fused optimizer defect; cause of IL-0480: mismatched collectives.",
        "Root cause of IL-0480: fused optimizer defect.",
        "IL-0480 and IL-0428 name different confirmed causes.",
        "IL-0480 rules out mismatched collectives; IL-0428 has no claim of that.",
        "IL-0480 rules out mismatched collectives; the record of IL-0428 does not name it.",
        "IL-0480 rules out “out of memory”; IL-0428 has no claim of that, but its record has the "
        "words “Nobody wrote this.”.",
        "By their records “Restart” worked in IL-0480 (caveat of IL-0480: “Nobody wrote this.”).",
    ],
)
def test_the_reader_finds_what_is_not_true(quick: Library, sentence: str) -> None:
    reader = Reader(quick, "IL-0480", "IL-0428")
    with pytest.raises(AssertionError):
        reader.read(sentence)

"""Predicting human cause labels of plain reports, learned from the other reports of a set.

A set is a folder in the BEIR layout whose documents carry `metadata.labels.cause`: labels such as
`hardware failures/power outage`, of which the part before the slash is the coarse level. The
reports become a library of their own: each a case with these labels as its confirmed causes. What
stands in a report is read by the encoder and by the tagger of the shipped library, as everywhere;
labels of a report are never read to predict it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from embeddings import split_passages, tokenize
from embeddings.centre import centre_of
from kg.graph import IncidentGraph
from kg.graph.compact import widen
from kg.library import Library
from kg.library.cause_judging import Answers, fit_rule, marks_of, row_of, smoothed
from kg.library.tag_lane import surest
from kg.model import Case, Scheme, Term
from kg.rca.evidence import KINDS
from kg.rca.prediction import CausePredictor, Sighting
from kg.vocab import SCHEMES, Vocabulary

Scores = NDArray[np.float64]
Marks = NDArray[np.bool_]
Floats = NDArray[np.float32]
Progress = Callable[[str, int, int], None]
Split = tuple[Sequence[int], Sequence[int]]

TOLD = ("cause", "trigger", "factor")
"""Kinds of terms that a report tells of its cause by."""


@dataclass(frozen=True)
class Report:
    """A document with its labels.

    Attributes:
        id: in the set.
        text: title and text.
        short: a shorter text, where the set has one.
        causes: human labels, `coarse` or `coarse/fine`, each once.
    """

    id: str
    text: str
    short: str | None
    causes: tuple[str, ...]

    @property
    def coarse(self) -> frozenset[str]:
        """The labels without what stands after the slash."""
        return frozenset(label.partition("/")[0] for label in self.causes)


def read_reports(folder: Path) -> list[Report]:
    """The documents of a folder that have cause labels, in the order of the file.

    Lines that cannot be read are left out, see `embeddings.evaluate.read_set`.
    """
    short = {
        query["_id"]: query.get("metadata", {}).get("text_short")
        for query in _lines(folder / "queries.jsonl")
    }
    found = []
    for document in _lines(folder / "corpus.jsonl"):
        labels = document.get("metadata", {}).get("labels", {}).get("cause") or ()
        if labels:
            text = f"{document.get('title', '')}\n{document['text']}"
            name = document["_id"]
            found.append(Report(name, text, short.get(name), tuple(dict.fromkeys(labels))))
    return found


class TypedReports:
    """Reports as a library: their labels as causes, their texts as sightings.

    Attributes:
        reports: in the order of the file.
        classes: the coarse labels, sorted.
        true: which report has which, (reports, classes).
    """

    def __init__(self, reports: Sequence[Report], library: Library) -> None:
        """`library`: the shipped one, for its encoder and tagger."""
        self.reports, self._library = tuple(reports), library
        self.classes = sorted(frozenset().union(*(r.coarse for r in reports)))
        self.true = marks_of([r.coarse for r in reports], self.classes)
        self._vocabulary = label_vocabulary({c for r in reports for c in r.causes})
        self._ids = [f"R-{number:05d}" for number in range(len(reports))]
        cases = [as_case(i, r) for i, r in zip(self._ids, reports, strict=True)]
        self._graph = IncidentGraph(cases, self._vocabulary)

    @cached_property
    def whole(self) -> list[Sighting]:
        """The reports as their whole texts show them."""
        return self._seen([r.text for r in self.reports])

    @cached_property
    def short(self) -> list[Sighting]:
        """The reports as their shorter texts show them, the whole one where there is none."""
        return self._seen([r.short or r.text for r in self.reports])

    def learned(
        self,
        rows: Iterable[int],
        practice: Sequence[Sighting],
        kinds: Collection[str] = KINDS,
        tags: bool = True,
    ) -> CausePredictor:
        """A predictor that has seen these reports only.

        Args:
            rows: numbers of reports.
            practice: all reports as they will be asked for.
            kinds: the kinds of evidence that count.
            tags: whether the terms told in the reports count.
        """
        known = {i: (self._ids[i], self.whole[i]) for i in rows}
        vectors = {i: s.vector for i, s in known.values() if s.vector is not None}
        return CausePredictor(
            self._graph,
            self._vocabulary,
            vectors,
            incidents=[i for i, _ in known.values()],
            case_terms={i: s.terms for i, s in known.values()} if tags else {},
            term_vectors=self._label_vectors,
            tokenize=tokenize,
            practice=[(self._ids[i], practice[i]) for i in known],
            kinds=kinds,
        )

    def predict(
        self,
        splits: Sequence[Split],
        seen: Sequence[Sighting],
        progress: Progress,
        kinds: Collection[str] = KINDS,
        tags: bool = True,
    ) -> tuple[Answers, Scores]:
        """Answers and probabilities (reports, classes), each report in the test part of one split.

        The set that is told follows a rule fitted on the reports learned from.
        """
        ids = [label_id(c) for c in self.classes]
        chance = np.zeros(self.true.shape)
        told = np.zeros(self.true.shape, dtype=bool)
        for number, (learn, test) in enumerate(splits, 1):
            predictor = self.learned(learn, seen, kinds, tags)
            left_out = predictor.left_out(1)
            column = [left_out.causes.index(c) for c in ids]
            marks = left_out.marks[:, column] > 0
            rule = fit_rule(left_out.probabilities[:, column], marks)
            for row in test:
                found = {p.cause: p.probability for p in predictor.predict(seen[row], 1)}
                chance[row] = row_of(found, ids)
                told[row] = rule.told(chance[row][None], smoothed(marks))[0]
            progress("predicting labels", number, len(splits))
        return Answers.of(chance, told, self.true), chance

    def _seen(self, texts: Sequence[str]) -> list[Sighting]:
        cut = [[t[a:b] for a, b in split_passages(t)] or [t] for t in texts]
        flat = self._library.encoder.encode_passages([p for own in cut for p in own])
        centre = centre_of(self._library.encoder.fingerprint)
        flat = centre.passages(flat) if centre else flat - flat.mean(axis=0)
        ends = np.cumsum([len(own) for own in cut])
        found = []
        for text, mine in zip(texts, np.split(flat, ends[:-1]), strict=True):
            vector = mine.mean(axis=0)
            vector = vector / max(1e-9, float(np.linalg.norm(vector)))
            said = frozenset(tokenize(text))
            found.append(Sighting({}, self._told(text), frozenset(), vector, said))
        return found

    def _told(self, text: str) -> Mapping[str, float]:
        """The terms of the shipped vocabulary that a text tells of its cause by."""
        tags = [t for t in self._library.tag(text, 0.0) if t.term.partition(":")[0] in TOLD]
        return widen(surest(tags), self._library.vocabulary)

    @cached_property
    def _label_vectors(self) -> dict[str, Floats]:
        """The vector of each label, in words."""
        terms = self._vocabulary.of("cause")
        texts = [f"{t.label.best()}: {t.definition.best()}" for t in terms]
        vectors = self._library.encoder.encode_passages(texts)
        return {t.id: row for t, row in zip(terms, vectors, strict=True)}


def leave_one_out(count: int) -> list[Split]:
    """Each report with all others to learn from."""
    return [([j for j in range(count) if j != i], [i]) for i in range(count)]


def folds(count: int, parts: int, seed: int) -> list[Split]:
    """So many parts of a shuffled list, each with all others to learn from."""
    order = np.random.default_rng(seed).permutation(count)
    groups = [sorted(order[k::parts].tolist()) for k in range(parts)]
    return [([i for g in groups if g is not test for i in g], test) for test in groups]


def label_id(label: str) -> str:
    """The cause that stands for a label."""
    return "cause:" + re.sub(r"[^a-z0-9]+", "-", label.lower()).strip("-")


def label_vocabulary(labels: Collection[str]) -> Vocabulary:
    """Labels as a cause scheme of two levels; the other schemes are empty."""
    terms: dict[str, Term] = {}
    for label in sorted(labels):
        coarse, _, fine = label.partition("/")
        terms.setdefault(label_id(coarse), _term(coarse, coarse, ()))
        if fine:
            terms[label_id(label)] = _term(label, f"{fine} ({coarse})", (label_id(coarse),))
    return Vocabulary(
        Scheme.model_validate(
            {
                "scheme": name,
                "label": {"en": name},
                "definition": {"en": name},
                "terms": [t.model_dump() for t in terms.values()] if name == "cause" else [],
            }
        )
        for name in SCHEMES
    )


def as_case(case_id: str, report: Report) -> Case:
    """A report as a case that confirms its labels; the title stands as evidence."""
    title = " ".join(report.text.partition("\n")[0].split()) or case_id
    evidence = [{"field": "title", "lang": "en", "quote": title}]
    claims = [
        {
            "kind": "cause",
            "terms": [label_id(label)],
            "role": "secondary" if number else "primary",
            "evidence": evidence,
        }
        for number, label in enumerate(report.causes)
    ]
    return Case.model_validate(
        {
            "id": case_id,
            "domain": "cloud",
            "title": {"en": [title]},
            "summary": {"en": [title]},
            "claims": claims,
        }
    )


def _term(label: str, definition: str, broader: tuple[str, ...]) -> Term:
    name = label.rpartition("/")[2]
    return Term.model_validate(
        {
            "id": label_id(label),
            "label": {"en": name},
            "definition": {"en": definition},
            "broader": broader,
        }
    )


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file, one a line; a line that is none is left out."""
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    for line in text.split("\n"):
        try:
            value = json.loads(line) if line.strip() else None
        except ValueError:
            value = None
        if isinstance(value, dict):
            yield value

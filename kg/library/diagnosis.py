"""Diagnoses over a library: what may be behind a sighting, and whether an answer keeps to it.

The rules of diagnosis (`kg.rca`) are loaded by the first one: a search must not wait for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from embeddings import condense, embed_query
from kg.errors import BadQuery
from kg.library.search import THRESHOLD, check_size
from kg.model.text import language_of

if TYPE_CHECKING:
    from embeddings import Encoder
    from kg.graph import IncidentGraph
    from kg.library.root_causes import RootCauses
    from kg.library.search import Searcher
    from kg.library.text_lanes import TextLanes
    from kg.model import Case
    from kg.rca import AnswerReport, Diagnosis
    from kg.rca.facts import Facts
    from kg.rca.make import Asked, Diagnoser
    from kg.store import Snapshot
    from kg.vocab import Tag, Tagger, Vocabulary

CASES = 6
"""At most so many cases are called similar."""


class Diagnoses:
    """What a library says of an incident that is under way. `Library` is one."""

    cases: Mapping[str, Case]

    if TYPE_CHECKING:

        @property
        def _text_lanes(self) -> TextLanes: ...

        @property
        def _searcher(self) -> Searcher: ...

        @property
        def _tagger(self) -> Tagger: ...

        _snapshot: Snapshot

        @property
        def graph(self) -> IncidentGraph:
            """The typed graph."""

        @property
        def encoder(self) -> Encoder:
            """The encoder of this library's vectors."""

        @property
        def vocabulary(self) -> Vocabulary:
            """The terms of this library."""

        def tag(self, text: str, least: float = ...) -> Sequence[Tag]:
            """The terms that a text tells of."""

        def labels(self, text: str) -> Sequence[Tag]:
            """The terms that a text names."""

    def diagnose(
        self,
        text: str,
        *,
        observed: str | Iterable[str] = (),
        ruled_out: str | Iterable[str] = (),
        previous: Diagnosis | None = None,
        k: int = CASES,
        threshold: float = THRESHOLD,
        lang: str | None = None,
    ) -> Diagnosis:
        """What may be behind what was seen: hypotheses with evidence, and what is not known.

        Args:
            text: symptoms, log lines, a question, in Korean or English; read as data only.
            observed: further terms that were seen or done (a symptom, a component, a tool that was
                looked at, a mitigation that was tried), in any spelling. They raise the cases
                that confirm them and lower none.
            ruled_out: terms that are out of question. Such causes, and narrower ones, are no
                hypotheses, and what rests on them counts less or falls.
            previous: an earlier diagnosis, to be told what changed. Nothing is taken over from
                it: give all that is known each time.
            k: at most so many cases are called similar.
            threshold: the least probability of a case that is called similar.
            lang: language of the answer; that of the text when None.

        Raises:
            BadQuery: the text has no words; a term is both observed and ruled out; k, threshold
                or previous cannot be used.
            TermNotFound, AmbiguousTerm: a spelling names no term, or several.
            EncoderMismatch, EncoderNotFound: the vectors of this library need another encoder.
        """
        from kg.rca import Diagnosis
        from kg.rca.facts import resolve_facts

        if not any(c.isalnum() for c in text):
            raise BadQuery("the text has no words; say what was seen")
        if previous is not None and not isinstance(previous, Diagnosis):
            raise BadQuery("previous must be a diagnosis, such as an earlier answer of diagnose")
        check_size(k, threshold)
        text = condense(text)
        language = lang or language_of(text)
        facts = resolve_facts(self.vocabulary, observed, ruled_out, language)
        asked = self._asked(text, facts, k, threshold, language)
        return self._diagnoser.diagnose(asked, previous)

    def to_prompt(self, diagnosis: Diagnosis, lang: str | None = None) -> str:
        """A prompt for any language model: rules, the incident as data, numbered evidence.

        The same diagnosis always gives the same prompt. `lang` is the language of the answer;
        that of the diagnosis when None.
        """
        from kg.rca import to_prompt

        return to_prompt(diagnosis, lang)

    def draft_postmortem(self, diagnosis: Diagnosis, lang: str | None = None) -> str:
        """A draft of a postmortem in Markdown: symptoms, possible causes, checks, steps, evidence.

        No cause of the incident is called confirmed in it. The same diagnosis always gives the
        same draft. `lang` is its language; that of the diagnosis when None.
        """
        from kg.rca import draft_postmortem

        return draft_postmortem(diagnosis, lang)

    def verify_answer(
        self, answer: str, diagnosis: Diagnosis, lang: str | None = None
    ) -> AnswerReport:
        """Whether each sentence of an answer keeps to the evidence that it cites.

        Refused are sentences that cite nothing, or a number that there is not; that hold a
        figure, an identifier or a name that the cited evidence does not hold; or that take for
        confirmed what is suspected, ruled out, or only known of another incident.

        Raises:
            BadQuery: the answer is empty.
        """
        from kg.rca import verify_answer

        return verify_answer(answer, diagnosis, self.labels, self.vocabulary, lang)

    def _asked(self, text: str, facts: Facts, k: int, threshold: float, lang: str) -> Asked:
        """The sighting with the cases that are like it, by the lanes of a search.

        What the user has observed besides raises cases that confirm it and changes no other: a
        case that does not state it may have shown it all the same.
        """
        from kg.rca.facts import HINTED
        from kg.rca.make import Asked
        from kg.rca.observing import raised

        ids = tuple(self.cases)
        query = embed_query(self.encoder, text)
        ranking = self._text_lanes.rank(query, self.labels(text), ids)
        likely = _by_case(self._text_lanes.ids, self._searcher.likely(text, ranking))
        found = self.tag(text, HINTED)
        told = {t.term: t.confidence for t in found if not t.negated}
        wording = language_of(text)
        added = [self.vocabulary.terms[t].label.best(wording) for t in facts.observed]
        sought = "\n".join([text, *added])
        tags = self.labels(sought)
        if added:
            more = self._text_lanes.rank(embed_query(self.encoder, sought), tags, ids)
            again = _by_case(self._text_lanes.ids, self._searcher.likely(sought, more))
            likely = raised(self.graph, likely, again, facts.observed, told)
        hits = self._searcher.by_text(
            text,
            ranking,
            tags,
            ids,
            k,
            threshold,
            lang,
            likely=np.array([likely[i] for i in self._text_lanes.ids]),
        )
        seen = self._root_causes.sighting(text, query, {}, {})
        return Asked(
            text=text,
            lang=lang,
            tags=self.tag(text),
            hinted=frozenset(told),
            facts=facts,
            hits=replace(hits, query=sought),
            likeness=_by_case(self._text_lanes.ids, ranking.total),
            likely={i: round(p, 6) for i, p in likely.items()},
            vector=seen.vector,
            words=seen.words,
        )

    @cached_property
    def _diagnoser(self) -> Diagnoser:
        from kg.rca.make import Diagnoser

        predictor = self._root_causes.predictor
        return Diagnoser(self.graph, self.vocabulary, self.cases, predictor)

    @cached_property
    def _root_causes(self) -> RootCauses:
        from kg.library.root_causes import RootCauses

        return RootCauses(self._snapshot, self.graph, self._text_lanes, self.encoder, self._tagger)


def _by_case(ids: Sequence[str], values: Any) -> dict[str, float]:
    return {i: round(float(v), 6) for i, v in zip(ids, values, strict=True)}

"""The data of a case or scheme, gathered from triples in the form that files have."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import unquote

from kg.model import PROSE_FIELDS, TermRelation
from kg.model.text import PARAGRAPH_BREAK
from kg.readers import rdf_names as names
from kg.readers.rdf_names import camel, chosen, word

_LAST = 1 << 60
"""The place of what has none: after all that have one, sorted by its address."""

Data = dict[str, Any]
Texts = dict[tuple[str, str], str]


class Things:
    """Triples by subject and predicate, each given once.

    IRIs and literals are `str`; a literal has `language`.
    """

    def __init__(self, triples: Iterable[tuple[Any, Any, Any]]) -> None:
        self._said: dict[str, dict[str, list[Any]]] = defaultdict(lambda: defaultdict(list))
        for subject, predicate, value in triples:
            self._said[str(subject)][str(predicate)].append(value)
        self._several: list[tuple[str, str]] = []
        self._typed: dict[str, list[str]] = defaultdict(list)
        for subject, said in self._said.items():
            for kind in said.get(names.TYPE, ()):
                self._typed[str(kind)].append(subject)

    def of_type(self, iri: str) -> list[str]:
        """The things of a class, sorted."""
        return sorted(self._typed.get(iri, ()))

    def all(self, subject: str, predicate: str) -> list[Any]:
        """Every value, sorted."""
        return sorted(self._said.get(subject, {}).get(predicate, ()), key=str)

    def one(self, subject: str, predicate: str) -> str | None:
        """The one value as text, or None. Of several the first by sorting, see `several`."""
        found = self.all(subject, predicate)
        if len(found) > 1:
            self._several.append((subject, predicate))
        return str(found[0]) if found else None

    def several(self) -> list[tuple[str, str]]:
        """Things with the predicates of which one value was asked since, and there are several."""
        found, self._several = list(dict.fromkeys(self._several)), []
        return found

    def by_lang(self, subject: str, predicate: str) -> Data | None:
        """A text by language, or None."""
        values = self.all(subject, predicate)
        found = {getattr(v, "language", None) or "zxx": str(v) for v in values}
        if len(found) < len(values):
            self._several.append((subject, predicate))
        return found or None

    def choice(self, subject: str, predicate: str, group: str) -> str | None:
        """The value of a closed list; one that is not of the list as it stands, to be refused."""
        iri = self.one(subject, predicate)
        return None if iri is None else chosen(group, iri) or iri

    def flag(self, subject: str, predicate: str) -> bool:
        """Whether a truth value is there and true."""
        return self.one(subject, predicate) in ("true", "1")

    def numeral(self, subject: str, predicate: str) -> float | str | None:
        """A number, or what stands in its place."""
        text = self.one(subject, predicate)
        try:
            return None if text is None else float(text)
        except ValueError:
            return text

    def replaced(self) -> dict[str, list[str]]:
        """Things that others stand for now, with these: told of either side."""
        found: dict[str, set[str]] = defaultdict(set)
        for subject, said in self._said.items():
            for new in said.get(names.REPLACED_BY, ()):
                found[subject].add(str(new))
            for old in said.get(names.REPLACES, ()):
                found[str(old)].add(subject)
        return {old: sorted(new) for old, new in sorted(found.items())}

    def placed(self, subject: str, predicate: str) -> list[str]:
        """The things that a predicate leads to, by their `kg:position`."""
        return sorted(map(str, self.all(subject, predicate)), key=lambda n: (self._place(n), n))

    def _place(self, node: str) -> int:
        text = self.one(node, word("position")) or ""
        return int(text) if text.isdecimal() else _LAST

    def ids(self, subject: str, predicate: str, name: str, key: str) -> list[str]:
        """The ids of things, in the order that `kg:inOrder` gives; those it leaves out at the end.

        `key` is the property that holds an id; where it is absent the address tells.
        """
        found = {
            self.one(n, key) or _last_steps(n, key) for n in map(str, self.all(subject, predicate))
        }
        for order in map(str, self.all(subject, word("inOrder"))):
            first, *listed = order.split(" ")
            if first == name:
                kept = [i for i in dict.fromkeys(listed) if i in found]
                return kept + sorted(found - set(kept))
        return sorted(found)


def term_id(things: Things, iri: str) -> str:
    """The id of a term: its notation, else what its address tells."""
    return things.one(iri, names.NOTATION) or _last_steps(iri, names.NOTATION)


def _last_steps(iri: str, key: str) -> str:
    """The id that an address of ours tells: of a term scheme and slug, else its last step."""
    steps = [unquote(s) for s in iri.split("/")]
    return ":".join(steps[-2:]) if key == names.NOTATION else steps[-1]


def _kept(data: Data) -> Data:
    return {k: v for k, v in data.items() if v is not None}


def case_data(things: Things, iri: str) -> Data:
    """The data of a case, as a case file has it."""
    texts = _stored(things, iri)
    return _kept(
        {
            "id": things.one(iri, names.IDENTIFIER),
            "kind": _kind(things, iri),
            "domain": things.one(iri, word("domain")),
            "severity": things.one(iri, word("severity")),
            "dates": [_date(things, n) for n in things.placed(iri, word("date"))],
            "time_to_detect": _duration(things, iri, "timeToDetect"),
            "time_to_recover": _duration(things, iri, "timeToRecover"),
            **_proses(things, iri, texts),
            **_lists(things, iri),
            "claims": [_claim(things, n, texts) for n in things.placed(iri, word("claim"))],
            "figures": [_figure(things, n, texts) for n in things.placed(iri, word("figure"))],
            "arithmetic": _values(things, iri, "arithmetic"),
            "links": [_link(things, n) for n in things.placed(iri, word("link"))],
            "origin": _origin(things, iri),
        }
    )


def _kind(things: Things, iri: str) -> str | None:
    own = [str(t) for t in things.all(iri, names.TYPE) if str(t) != word("Case")]
    kinds = [t.removeprefix(names.KG).lower() for t in own if t.startswith(names.KG)]
    return kinds[0] if kinds else None


def _none_stated(things: Things, iri: str) -> set[str | None]:
    return {chosen("field", str(n)) for n in things.all(iri, word("noneStated"))}


def _stored(things: Things, iri: str) -> Texts:
    """The stored texts of a case by field and language."""
    found: Texts = {}
    for node in map(str, things.all(iri, word("text"))):
        field = things.choice(node, word("field"), "field") or ""
        for lang, text in (things.by_lang(node, names.VALUE) or {}).items():
            found[field, lang] = text
    return found


def _proses(things: Things, iri: str, texts: Texts) -> Data:
    found: dict[str, Data] = defaultdict(dict)
    for (field, lang), text in texts.items():
        found[field][lang] = text.split(PARAGRAPH_BREAK) if text else []
    none = _none_stated(things, iri)
    empty: Data = {f: [] for f in PROSE_FIELDS if f in none}
    return {**empty, **{f: found[f] for f in PROSE_FIELDS if f in found}}


def _lists(things: Things, iri: str) -> Data:
    """The lists that may be stated as none: of these only an empty one says so."""
    lists = {
        "regions": _values(things, iri, "region"),
        "sources": _sources(things, iri, names.SOURCE),
        "references": _sources(things, iri, names.REFERENCES),
        "services": _values(things, iri, "service"),
        "labels": _values(things, iri, "sourceLabel"),
        "related": things.ids(iri, word("relatedTo"), "related", names.IDENTIFIER),
    }
    none = _none_stated(things, iri)
    return {name: found for name, found in lists.items() if found or name in none}


def _values(things: Things, iri: str, name: str) -> list[str | None]:
    return [things.one(n, names.VALUE) for n in things.placed(iri, word(name))]


def _date(things: Things, node: str) -> Data:
    return _kept(
        {
            "kind": things.choice(node, word("dateKind"), "date"),
            "at": things.one(node, word("at")),
            "approx": things.flag(node, word("approximate")),
        }
    )


def _duration(things: Things, iri: str, name: str) -> Data | None:
    node = things.one(iri, word(name))
    if node is None:
        return None
    return _kept(
        {
            "seconds": things.numeral(node, word("seconds")),
            "text": things.one(node, word("asWritten")),
            "approx": things.flag(node, word("approximate")),
        }
    )


def _sources(things: Things, iri: str, predicate: str) -> list[Data]:
    return [
        _kept(
            {
                "kind": things.choice(node, word("sourceKind"), "source"),
                "title": things.one(node, f"{names.DCTERMS}title"),
                "locator": things.one(node, word("locator")),
                "archived": things.flag(node, word("archived")),
            }
        )
        for node in things.placed(iri, predicate)
    ]


def _link(things: Things, node: str) -> Data:
    rel, href = things.one(node, word("relation")), things.one(node, word("href"))
    return _kept({"rel": rel, "href": href})


def _claim(things: Things, node: str, stored: Texts) -> Data:
    classes = {str(t) for t in things.all(node, names.TYPE)}
    kinds = [str(k) for k, iri in names.CLASS_OF_CLAIM.items() if iri in classes]
    texts = ("statement", "outcome", "conditions", "caveat")
    return _kept(
        {
            "kind": kinds[0] if kinds else None,
            "terms": things.ids(node, word("term"), "term", names.NOTATION),
            # An absent status is refused here: a claim that has none must never become a fact.
            "status": things.choice(node, word("status"), "status") or "",
            "role": things.choice(node, word("role"), "role"),
            "evidence": _evidence(things, node, stored),
            "value": things.one(node, word("settingValue")),
            "figures": things.ids(node, word("figure"), "figure", names.IDENTIFIER),
            "result": things.choice(node, word("result"), "result"),
            "addresses": things.ids(node, word("addresses"), "addresses", names.NOTATION),
            "made": _made(things, node),
            **{name: things.by_lang(node, word(name)) for name in texts},
        }
    )


def _origin(things: Things, iri: str) -> Data | None:
    node = things.one(iri, word("origin"))
    if node is None:
        return None
    named = ("format", "system", "digest", "updated")
    return _kept(
        {
            **{name: things.one(node, word(name)) for name in named},
            "identifier": things.one(node, names.IDENTIFIER),
            "file": things.one(node, word("fileName")),
            "duplicates": sorted(things.all(node, word("duplicate"))),
        }
    )


def _made(things: Things, node: str) -> Data | None:
    told = {
        "by": things.choice(node, word("madeBy"), "made"),
        "confidence": things.numeral(node, word("confidence")),
    }
    if all(value is None for value in told.values()):
        return None
    return _kept({**told, "reviewed": things.flag(node, word("reviewed"))})


def _evidence(things: Things, node: str, texts: Texts) -> list[Data]:
    return [_span(things, n, texts) for n in things.placed(node, word("evidence"))]


def _span(things: Things, node: str, texts: Texts) -> Data:
    said = _kept(
        {
            "field": things.choice(node, word("field"), "field"),
            "lang": things.one(node, names.LANGUAGE),
            "quote": things.one(node, names.EXACT),
            "start": _whole(things, node, names.START),
            "end": _whole(things, node, names.END),
        }
    )
    for name in _left_out(said, set(map(str, things.all(node, word("placeGiven")))), texts):
        del said[name]
    return said


def _left_out(said: Data, given: set[str], texts: Texts) -> set[str]:
    """What of its place the record did not give; a place that is not where the words stand stays.

    Where the triples do not say, a place is left out if it is the first one of the words.
    """
    start, end, quote = said.get("start"), said.get("end"), said.get("quote", "")
    if not isinstance(start, int) or end != start + len(quote):
        return set()
    first = texts.get((said.get("field", ""), said.get("lang", "")), "").find(quote)
    return {"start", "end"} - given if given or first == start else set()


def _whole(things: Things, node: str, predicate: str) -> int | str | None:
    text = things.one(node, predicate)
    return int(text) if text is not None and text.isdecimal() else text


def _figure(things: Things, node: str, stored: Texts) -> Data:
    return _kept(
        {
            "id": things.one(node, names.IDENTIFIER),
            "label": things.by_lang(node, names.LABEL),
            "value": things.numeral(node, word("value")),
            "min": things.numeral(node, word("minimum")),
            "max": things.numeral(node, word("maximum")),
            "unit": things.one(node, word("unit")),
            "of": things.by_lang(node, word("ofWhat")),
            "approx": things.flag(node, word("approximate")),
            "evidence": _evidence(things, node, stored),
        }
    )


def scheme_data(things: Things, iri: str) -> Data:
    """The data of a scheme with its terms, as a vocabulary file has it; terms sorted by id."""
    concepts = things.of_type(f"{names.SKOS}Concept")
    gone = things.replaced()
    own = [c for c in concepts if things.one(c, names.IN_SCHEME) == iri and c not in gone]
    terms = [_term(things, c) for c in own]
    return _kept(
        {
            "scheme": things.one(iri, names.NOTATION),
            "label": things.by_lang(iri, names.PREF),
            "definition": things.by_lang(iri, names.DEFINITION),
            "terms": sorted(terms, key=lambda t: str(t.get("id"))),
        }
    )


def _term(things: Things, iri: str) -> Data:
    def ids(predicate: str, name: str) -> Sequence[str]:
        return things.ids(iri, predicate, name, names.NOTATION)

    return _kept(
        {
            "id": things.one(iri, names.NOTATION),
            "type": things.one(iri, word("termType")),
            "label": things.by_lang(iri, names.PREF),
            "aliases": _aliases(things, iri),
            "definition": things.by_lang(iri, names.DEFINITION),
            "broader": ids(names.BROADER, "broader"),
            **{str(r): ids(word(camel(r)), r) for r in TermRelation},
            **{n: list(map(str, things.all(iri, p))) for n, p in names.MATCH_OF.items()},
            "unnamed": things.flag(iri, word("unnamed")),
        }
    )


def _aliases(things: Things, iri: str) -> Data:
    """Aliases by language: those with a place first, then the plain ones that have none."""
    found: Data = {str(lang): [] for lang in things.all(iri, word("noAliasIn"))}
    placed = things.placed(iri, names.XL_ALT)
    labels = [v for n in placed for v in things.all(n, names.XL_FORM)]
    plain = [v for v in things.all(iri, names.ALT) if v not in labels]
    for value in [*labels, *plain]:
        found.setdefault(getattr(value, "language", None) or "zxx", []).append(str(value))
    return dict(sorted(found.items()))

"""Triples as text: N-Triples, Turtle, TriG and JSON-LD, sorted: equal cases give equal bytes.

Written here rather than by rdflib, whose Turtle rounds numbers and whose order is that of input.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from kg.errors import BadQuery
from kg.export.rdf.triples import Lit, Triple
from kg.readers.rdf_names import PREFIXES, TYPE
from kg.vocab import SCHEMES

Parts = Sequence[tuple[str, Sequence[Triple]]]
"""The triples of each named graph, with its IRI: each triple once, in one graph only."""

_ESCAPED = re.compile(
    '[\\x00-\\x1f"\\\\\\x7f-\\x9f'  # what the grammar forbids, and other controls
    "\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff"  # signs that act without being seen
    "\\U000e0000-\\U000e007f]"
)
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}
_LOCAL = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_-])?")


def prefixes(base: str) -> dict[str, str]:
    """All prefixes of a base: with them `cause:race` is the term with this id.

    A case is `case:IL-0480`.
    """
    schemes = {scheme: f"{base}term/{scheme}/" for scheme in SCHEMES}
    return {**PREFIXES, **schemes, "case": f"{base}case/"}


ENDINGS: Mapping[str, str] = {
    ".ttl": "turtle",
    ".nt": "ntriples",
    ".jsonld": "jsonld",
    ".trig": "trig",
}
"""The format that the ending of a file name tells."""


def write_rdf(parts: Parts, format: str, base: str, file: Path) -> None:
    """Write the triples into a file, in UTF-8; the same bytes as `rdf_text`.

    N-Triples go there a graph at a time, so that the text need not fit into memory.

    Raises:
        BadQuery: there is no such format.
        OSError: the file cannot be written.
    """
    blocks = ntriples_blocks(parts) if format == "ntriples" else [rdf_text(parts, format, base)]
    with file.open("wb") as stream:
        for block in blocks:
            stream.write(block.encode())


def rdf_text(parts: Parts, format: str, base: str) -> str:
    """The triples in one of `FORMATS`, with a newline at the end.

    Raises:
        BadQuery: there is no such format.
    """
    if format not in FORMATS:
        raise BadQuery(f"no RDF format {format!r}; use one of {', '.join(FORMATS)}")
    return FORMATS[format](parts, base)


def ntriples_blocks(parts: Parts) -> Iterator[str]:
    """The N-Triples of each graph, its lines sorted; no line stands in two graphs.

    Written for speed, as this is the form for large libraries: one format a line, and a graph at a
    time, so that what is worked on stays in the processor's cache.
    """
    for _, triples in parts:
        lines: list[str] = []
        add = lines.append
        for s, p, o in triples:
            if type(o) is not Lit:  # faster than isinstance, and nothing derives from it
                add(f"<{s}> <{p}> <{o}> .\n")
                continue
            text, lang, datatype = o
            if '"' in text or "\\" in text or not text.isprintable():
                text = _escaped(text)
            if lang:
                add(f'<{s}> <{p}> "{text}"@{lang} .\n')
            elif datatype:
                add(f'<{s}> <{p}> "{text}"^^<{datatype}> .\n')
            else:
                add(f'<{s}> <{p}> "{text}" .\n')
        lines.sort()
        yield "".join(lines)


def _ntriples(parts: Parts, _base: str) -> str:
    return "".join(ntriples_blocks(parts))


def _escaped(text: str) -> str:
    """A text with everything escaped that needs it: all of `_ESCAPED` but quotes is unprintable."""
    short = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return short if short.isprintable() else _ESCAPED.sub(_escape, text)


def _literal(literal: Lit, name: Callable[[str], str]) -> str:
    text = f'"{_escaped(literal.text)}"'
    if literal.lang:
        return f"{text}@{literal.lang}"
    return f"{text}^^{name(literal.datatype)}" if literal.datatype else text


def _escape(match: re.Match[str]) -> str:
    sign = match.group()
    code = ord(sign)
    return _SHORT.get(sign) or (f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}")


def _namer(base: str, around: Callable[[str], str]) -> Callable[[str], str]:
    """Shortens IRIs by the prefixes; `around` shows one that has none."""
    known = {namespace: prefix for prefix, namespace in prefixes(base).items()}

    @cache
    def name(iri: str) -> str:
        cut = max(iri.rfind("/"), iri.rfind("#")) + 1
        prefix, local = known.get(iri[:cut]), iri[cut:]
        return f"{prefix}:{local}" if prefix and _LOCAL.fullmatch(local) else around(iri)

    return name


def _turtle(parts: Parts, base: str) -> str:
    every = [t for _, triples in parts for t in triples]
    return "\n".join([*_head(base), *_statements(every, _namer(base, "<{}>".format), "")])


def _trig(parts: Parts, base: str) -> str:
    lines, name = _head(base), _namer(base, "<{}>".format)
    for graph, triples in sorted(parts):
        lines += [f"<{graph}> {{", *_statements(triples, name, "    "), "}", ""]
    return "\n".join(lines)


def _head(base: str) -> list[str]:
    return [f"@prefix {p}: <{n}> ." for p, n in sorted(prefixes(base).items())] + [""]


def _statements(
    triples: Iterable[Triple], name: Callable[[str], str], indent: str
) -> Iterator[str]:
    """One block a subject, one line an object: easy to read, and to compare by line."""
    for subject, said in _by_subject(triples).items():
        yield f"{indent}{name(subject)}"
        last = len(said) - 1
        for i, (predicate, objects) in enumerate(said.items()):
            verb = "a" if predicate == TYPE else name(predicate)
            told = [_literal(o, name) if isinstance(o, Lit) else name(o) for o in objects]
            between = f",\n{indent}        "
            yield f"{indent}    {verb} {between.join(told)}{' .' if i == last else ' ;'}"
        yield ""


def _by_subject(triples: Iterable[Triple]) -> dict[str, dict[str, list[str | Lit]]]:
    """Objects by subject and predicate, all sorted, the type first."""
    found: dict[str, dict[str, list[str | Lit]]] = {}
    for s, p, o in sorted(set(triples), key=_order):
        found.setdefault(s, {}).setdefault(p, []).append(o)
    return found


def _order(triple: Triple) -> tuple[str, bool, str, bool, tuple[str, ...]]:
    s, p, o = triple
    return s, p != TYPE, p, isinstance(o, Lit), tuple(o) if isinstance(o, Lit) else (o,)


@cache
def _shipped_context() -> Mapping[str, Any]:
    text = resources.files("kg.export.rdf").joinpath("context.jsonld").read_text(encoding="utf-8")
    context: Mapping[str, Any] = json.loads(text)["@context"]
    return context


def _jsonld(parts: Parts, base: str) -> str:
    context = {**_shipped_context(), **prefixes(base)}
    terms = {_whole(spec, context): (key, spec) for key, spec in context.items() if key[0] != "@"}
    name = _namer(base, str)
    nodes = []
    for subject, said in _by_subject(t for _, triples in parts for t in triples).items():
        node: dict[str, Any] = {"@id": name(subject)}
        for predicate, objects in said.items():
            if predicate == TYPE:
                node["@type"] = [name(str(o)) for o in objects]
            else:
                key, spec = terms.get(predicate, (predicate, {}))
                kind = spec.get("@type", "") if isinstance(spec, dict) else ""
                node[key] = [_value(o, _expand(kind, context), name) for o in objects]
        nodes.append(node)
    text = json.dumps({"@context": context, "@graph": nodes}, ensure_ascii=False, indent=1)
    return _ESCAPED.sub(_json_escape, text) + "\n"


def _whole(spec: Any, context: Mapping[str, Any]) -> str:
    return _expand(spec["@id"], context) if isinstance(spec, dict) else str(spec)


def _expand(name: str, context: Mapping[str, Any]) -> str:
    prefix, colon, local = name.partition(":")
    return f"{context[prefix]}{local}" if colon and prefix in context else name


def _value(node: str | Lit, kind: str, name: Callable[[str], str]) -> Any:
    """An object as the context lets it be written: short where the key tells the type."""
    if not isinstance(node, Lit):
        return name(node) if kind == "@id" else {"@id": name(node)}
    if node.lang:
        return {"@language": node.lang, "@value": node.text}
    if node.datatype == kind:
        return node.text
    return {"@value": node.text, **({"@type": node.datatype} if node.datatype else {})}


def _json_escape(match: re.Match[str]) -> str:
    sign = match.group()
    if sign in '\n"\\':  # the layout of the JSON itself
        return sign
    code = ord(sign)
    if code <= 0xFFFF:
        return f"\\u{code:04x}"
    high, low = divmod(code - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"


FORMATS: Mapping[str, Callable[[Parts, str], str]] = {
    "turtle": _turtle,
    "ntriples": _ntriples,
    "jsonld": _jsonld,
    "trig": _trig,
}
"""The formats that can be written."""

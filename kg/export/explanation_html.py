"""An explanation as HTML: for a notebook, or as a page of its own; nothing is loaded or run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from kg.export.explanation_boxes import name_of, owner_of, stated_by
from kg.export.explanation_svg import explanation_svg
from kg.export.palette import COLOURS, KINDS, STATUS, dark_rules
from kg.export.view_words import relation_word, view_phrase, view_word
from kg.graph import Relation, kind_of
from kg.model import Duration, Figure, Status
from kg.model.escaping import safe, safe_line
from kg.queries import Explanation, SharedTerm
from kg.queries.differences import Contrast, Excluded, Measure
from kg.queries.paths import COUNTERPART, Basis, Path, Step
from kg.queries.sides import TEXT, Saying, TextSaying

_MOST_PATHS, _MOST_SAYINGS = 12, 2
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"

# Colours are half transparent or inherited, so that they fit a light and a dark page.
_STYLE = """
.kg-ex{font-family:system-ui,'Noto Sans KR','Apple SD Gothic Neo','Malgun Gothic',sans-serif;
line-height:1.5;max-width:76rem;overflow-wrap:anywhere}
.kg-ex h2,.kg-ex h3{line-height:1.25;margin:1.1em 0 .4em}
.kg-ex h2{font-size:1.2em}.kg-ex h3{font-size:1.05em}
.kg-ex .sides{display:grid;grid-template-columns:1fr 1fr;gap:.6rem}
.kg-ex .card,.kg-ex .side{border:1px solid rgba(128,128,128,.45);border-radius:6px;
padding:.45rem .7rem}
.kg-ex .side{border-left:4px solid #56B4E9}
.kg-ex .chip{border:1px solid rgba(128,128,128,.6);border-radius:9px;padding:0 .5em;
font-size:.85em;white-space:nowrap}
.kg-ex .suspected{border-style:dashed}.kg-ex .ruled_out{border-style:dotted}
.kg-ex .kind{border-left:.55em solid;padding-left:.45em}
.kg-ex blockquote{margin:.3em 0 0;padding-left:.7em;border-left:3px solid rgba(128,128,128,.45)}
.kg-ex .place{font-size:.8em;opacity:.75}
.kg-ex .shared{margin:.7rem 0}
.kg-ex table{border-collapse:collapse}
.kg-ex td,.kg-ex th{border:1px solid rgba(128,128,128,.45);padding:.2em .6em;text-align:left}
.kg-ex summary{cursor:pointer}
.kg-ex figure{margin:.6rem 0;overflow-x:auto}
.kg-ex figure svg{max-width:100%;height:auto;min-width:44rem}
""" + dark_rules(".kg-ex figure")


def explanation_html(found: Explanation) -> str:
    """An explanation as a fragment of HTML, with its own style and without any script.

    Every claim is shown with its case, status, statement, quotation and place. All text of cases
    is escaped.
    """
    return _View(found).fragment()


def explanation_page(found: Explanation) -> str:
    """The same as a whole page, which forbids itself to load or run anything."""
    a, b = (name_of(s, found.lang == "ko") for s in (found.a, found.b))
    return (
        f'<!DOCTYPE html>\n<html lang="{"ko" if found.lang == "ko" else "en"}">\n<head>\n'
        '<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="color-scheme" content="light dark">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{safe_line(a)} – {safe_line(b)}</title>\n</head>\n"
        f'<body style="margin:1.2rem">\n{explanation_html(found)}</body>\n</html>\n'
    )


class _View:
    def __init__(self, found: Explanation) -> None:
        self._found = found
        self._lang = "ko" if found.lang == "ko" else "en"
        self._korean = self._lang == "ko"

    def fragment(self) -> str:
        found = self._found
        parts = [
            f'<div class="kg-ex" lang="{self._lang}">',
            f"<style>{_STYLE}</style>",
            f"<h2>{safe_line(self._name(found.a))} – {safe_line(self._name(found.b))}</h2>",
            f'<div class="sides">{self._side(found.a)}{self._side(found.b)}</div>',
            f'<p><span class="chip">{self._word("same cause")}: '
            f"{self._word(str(found.same_cause))}</span></p>",
            f"<p>{safe_line(found.text)}</p>",
            f"<figure>{explanation_svg(found)}</figure>",
            *self._section("in common", map(self._shared, found.shared)),
            *self._section("contrasts", map(self._contrast, found.contrasts)),
            *self._section("excluded", map(self._excluded, found.excluded)),
            *self._denied(),
            *self._only(),
            *self._measures(found.measures),
            *self._paths(found.paths),
            "</div>",
        ]
        return "\n".join(parts) + "\n"

    def _side(self, side: str) -> str:
        if side == TEXT:
            text = self._found.query or ""
            return f'<div class="side"><b>{self._word("text")}</b><br>{self._lines(text)}</div>'
        kind = self._word(self._found.kinds[side])
        return (
            f'<div class="side"><b>{safe_line(side)}</b> <span class="chip">{kind}</span><br>'
            f"{safe_line(self._found.titles[side])}</div>"
        )

    def _section(self, heading: str, parts: Iterable[str]) -> Iterator[str]:
        made = list(parts)
        if made:
            yield f"<h3>{self._word(heading)}</h3>"
            yield from made

    def _shared(self, shared: SharedTerm) -> str:
        notes = [view_phrase("cases", self._lang, shared.cases)]
        if any(shared.steps):
            notes.append(view_phrase("steps", self._lang, *shared.steps))
        if shared.generic:
            notes.append(self._word("generic"))
        return (
            f'<div class="shared">{self._term(shared.term)} {self._chip(str(shared.status))} '
            f'<span class="place">{safe_line(" · ".join(notes))}</span>'
            f"{self._both(shared.left, shared.right)}</div>"
        )

    def _contrast(self, contrast: Contrast) -> str:
        one, other = (self._word(w) for w in contrast.words)
        words = f"{self._word(str(contrast.about))}: {one} – {other}"
        return (
            f'<div class="shared">{self._term(contrast.term)} '
            f'<span class="place">{words}</span>'
            f"{self._both((contrast.left,), (contrast.right,))}</div>"
        )

    def _excluded(self, excluded: Excluded) -> str:
        return (
            f'<div class="shared">{self._term(excluded.term)}'
            f"{self._both((excluded.left,), (excluded.right,))}</div>"
        )

    def _denied(self) -> Iterator[str]:
        """What one side rules out and the other says nothing of."""
        a, b = (owner_of(s, self._korean) for s in (self._found.a, self._found.b))
        sides = ((self._found.denied_a, a, b), (self._found.denied_b, b, a))
        for said, mine, other in sides:
            if said:
                heading = view_phrase("denied", self._lang, mine, other)
                yield f"<h3>{safe_line(heading)}</h3>"
                yield from (f'<div class="shared">{self._saying(s)}</div>' for s in said)

    def _both(self, left: Sequence[Saying], right: Sequence[Saying]) -> str:
        sides = (f"<div>{self._sayings(said)}</div>" for said in (left, right))
        return f'<div class="sides">{"".join(sides)}</div>'

    def _sayings(self, sayings: Sequence[Saying]) -> str:
        return "".join(self._saying(s) for s in sayings[:_MOST_SAYINGS])

    def _saying(self, saying: Saying) -> str:
        """A claim: whose, how sure, in which part, its statement, and where it is written."""
        statement = dict(saying.statement).get(self._lang) or dict(saying.statement).get("en")
        spans = saying.evidence
        span = next((s for s in spans if s.lang == self._lang), spans[0] if spans else None)
        head = [f"<b>{safe_line(self._name(saying.case_id))}</b>", *self._standing(saying)]
        label = self._found.labels.get(saying.target, saying.target)
        value = f" = {saying.value}" if saying.value else ""
        parts = [f"{' '.join(head)}<br>{safe_line(label + value)}"]
        if statement:
            parts.append(f": {safe_line(statement)}")
        if span is not None:
            place = f"{span.field}.{span.lang} {span.start}–{span.end}"
            parts.append(
                f'<blockquote lang="{safe(span.lang)}">{self._lines(span.quote)} '
                f'<span class="place">{safe_line(place)}</span></blockquote>'
            )
        if caveat := self._found.caveats.get(saying.claim_id):
            parts.append(
                f'<br><span class="place">{self._word("caveat")}:</span> {safe_line(caveat)}'
            )
        return f'<div class="card">{"".join(parts)}</div>'

    def _standing(self, saying: Saying) -> Iterator[str]:
        """How sure a claim is, and the part of its term; of a text, how the term was found."""
        if not isinstance(saying, TextSaying):
            yield self._chip(str(saying.status))
            if saying.role and saying.status is Status.CONFIRMED:
                yield f'<span class="place">{self._word(str(saying.role))}</span>'
            return
        if saying.status is not Status.CONFIRMED:
            yield self._chip(str(saying.status))
        told = view_phrase(saying.how, self._lang, f"{saying.confidence:.2f}")
        yield f'<span class="place">{safe_line(told)}</span>'

    def _only(self) -> Iterator[str]:
        sides = (
            (self._found.a, self._found.only_a, self._found.told_a),
            (self._found.b, self._found.only_b, self._found.told_b),
        )
        for side, only, told in sides:
            if only:
                count = sum(len(terms) for terms in only.values())
                owner = owner_of(side, self._korean)
                heading = view_phrase("only", self._lang, owner, count)
                cards = "".join(self._kind(kind, terms, told) for kind, terms in only.items())
                yield f"<details><summary>{safe_line(heading)}</summary>{cards}</details>"

    def _kind(self, kind: str, terms: Sequence[str], told: Mapping[str, tuple[Saying, ...]]) -> str:
        cards = "".join(self._sayings(told[term][:1]) for term in terms)
        return f"<p>{safe_line(KINDS[kind][self._korean])}</p>{cards}"

    def _measures(self, measures: Sequence[Measure]) -> Iterator[str]:
        if not measures:
            return
        a, b = (safe_line(self._name(s)) for s in (self._found.a, self._found.b))
        yield f"<h3>{self._word('measures')}</h3>"
        yield f"<table><tr><th></th><th>{a}</th><th>{b}</th></tr>"
        for m in measures:
            label = (
                m.left.label.best(self._lang) if isinstance(m.left, Figure) else self._word(m.name)
            )
            cells = "".join(
                f"<td>{safe_line(self._amount(x, m.unit))}</td>" for x in (m.left, m.right)
            )
            yield f"<tr><th>{safe_line(label)}</th>{cells}</tr>"
        yield "</table>"

    def _amount(self, amount: Duration | Figure, unit: str) -> str:
        if isinstance(amount, Duration):
            text = f"{amount.seconds:g} s" + (f" ({amount.text})" if amount.text else "")
        elif amount.value is not None:
            text = f"{amount.value:g} {unit}"
        else:
            low, high = ("" if x is None else f"{x:g}" for x in (amount.min, amount.max))
            text = f"{low}–{high} {unit}"
        return view_phrase("about", self._lang, text) if amount.approx else text

    def _paths(self, paths: Sequence[Path]) -> Iterator[str]:
        if paths:
            yield f"<h3>{self._word('paths')}</h3>"
            yield "<ol>"
            yield from (f"<li>{self._path(path)}</li>" for path in paths[:_MOST_PATHS])
            yield "</ol>"

    def _path(self, path: Path) -> str:
        """The way in words, then what each step rests on."""
        way = [self._node(path.nodes[0])]
        rests = []
        for node, step in zip(path.nodes[1:], path.steps, strict=True):
            way.append(f"{self._arrow(step, step.target == node)} {self._node(node)}")
            rests.append(self._rest(step))
        facts = f"{path.weight:.2f} {self._chip(str(path.status))}"
        items = "".join(f"<li>{rest}</li>" for rest in rests)
        return (
            f'{" ".join(way)} <span class="place">{facts}</span>'
            f"<details><summary>{self._word('rests on')}</summary><ul>{items}</ul></details>"
        )

    def _arrow(self, step: Step, forward: bool) -> str:
        word = safe_line(relation_word(step.relation, self._lang))
        if step.relation == COUNTERPART:
            return f"={word}="
        return f"—{word}→" if forward else f"←{word}—"

    def _rest(self, step: Step) -> str:
        source, target = (safe_line(self._label(n)) for n in (step.source, step.target))
        word = safe_line(relation_word(step.relation, self._lang))
        head = f"{source} —{word}→ {target}"
        if step.basis is Basis.CLAIM:
            return f"{head}{self._sayings(step.sayings)}"
        if step.relation == Relation.LEADS_TO:
            return f"{self._leads(step)}{self._sayings_of_each(step.sayings)}"
        basis = self._word("counterpart" if step.relation == COUNTERPART else str(step.basis))
        return f"{head} ({basis}){self._sayings_of_each(step.sayings)}"

    def _leads(self, step: Step) -> str:
        """That both ends are stated and the way from one to the other is not."""
        ends = (self._label(n) for n in (step.source, step.target))
        return safe_line(view_phrase("leads", self._lang, stated_by(step, self._lang), *ends))

    def _sayings_of_each(self, sayings: Sequence[Saying]) -> str:
        return "".join(self._saying(s) for s in sayings)

    def _node(self, node: str) -> str:
        return f"<b>{safe_line(self._label(node))}</b>"

    def _label(self, node: str) -> str:
        return self._name(self._found.labels.get(node, node))

    def _term(self, term: str) -> str:
        kind = kind_of(term)
        name = KINDS.get(kind, (kind, kind))[self._korean]
        return (
            f'<span class="kind" style="border-color:{COLOURS.get(kind, "#7F7F7F")}">'
            f"{safe_line(name)}: <b>{safe_line(self._label(term))}</b></span>"
        )

    def _chip(self, status: str) -> str:
        named = {str(s): names for s, (_, *names) in STATUS.items()}
        return f'<span class="chip {safe(status)}">{named[status][self._korean]}</span>'

    def _name(self, side: str) -> str:
        return name_of(side, self._korean)

    def _word(self, key: str) -> str:
        return safe_line(view_word(key, self._lang))

    def _lines(self, text: str) -> str:
        return "<br>".join(safe_line(line) for line in text.splitlines() if line.strip())

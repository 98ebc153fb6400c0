"""The stored texts of two cases as those of one, and where each span of the second is then."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from kg.model import LINE_FIELDS, PROSE_FIELDS, Case, Prose, Span
from kg.model.text import OMITTED, PARAGRAPH_BREAK

Move = Callable[[Span], Span | None]
"""From a span of the second case to the same words in the merged one; None where they are not."""

Block = dict[str, tuple[str, ...]]
"""Paragraphs by language."""

_BREAK = len(PARAGRAPH_BREAK)


@dataclass
class MergedTexts:
    """The texts of two cases after each other.

    Attributes:
        prose: each prose field of the merged case.
        lines: sources, related cases, services and labels of both, each once.
        untranslated: fields in which paragraphs stand in some of their languages only.
        differences: what one states to be none and the other tells of: (field, kept, other).
        shifts: for a field and language of the second case, the field in which its text is and
            how many characters further on.
    """

    second: Case
    prose: dict[str, Prose | None]
    lines: dict[str, Any] = field(default_factory=dict)
    untranslated: tuple[str, ...] = ()
    differences: list[tuple[str, str, str]] = field(default_factory=list)
    shifts: dict[tuple[str, str], tuple[str, int]] = field(default_factory=dict)
    starts: dict[str, dict[int, int]] = field(default_factory=dict)

    def move(self, span: Span) -> Span | None:
        """The same words of the second case, where they are now."""
        start, end = self.second.locate(span)
        if span.field in LINE_FIELDS:
            return self._moved_line(span, start)
        found = self.shifts.get((span.field, span.lang))
        if found is None:
            return None
        place, by = found
        moved = {"field": place, "start": start + by, "end": end + by}
        return span.model_copy(update=moved)

    def _moved_line(self, span: Span, start: int) -> Span | None:
        """A span within one of the lines; of one over several, what stands in the first."""
        for item, (first, length) in enumerate(_places(_items(self.second, span.field))):
            if first <= start < first + length:
                now = self.starts[span.field].get(item)
                if now is None:
                    return None
                quote = span.quote[: first + length - start]
                at = now + start - first
                moved = {"quote": quote, "start": at, "end": at + len(quote)}
                return span.model_copy(update=moved)
        return None


def merged_texts(keep: Case, absorb: Case) -> MergedTexts:
    """The texts of a case with those of another behind.

    Where a field has other languages in the one than in the other, `[…]` stands for the
    paragraphs that have no translation, so that nothing passes for a translation that is none.
    The title of the second goes before its summary, unless the first has none in its language.
    """
    made = MergedTexts(absorb, {name: getattr(keep, name) for name in PROSE_FIELDS})
    left = _titles(made, keep, absorb)
    untranslated = []
    for name in PROSE_FIELDS[1:]:
        theirs: Prose | None = getattr(absorb, name)
        head = left if name == "summary" else {}
        if theirs is not None and theirs.stated_none and not head:
            _none(made, name)
        elif theirs is not None:
            untranslated += [name] if _append(made, name, theirs, head) else []
    made.untranslated = tuple(untranslated)
    for name in LINE_FIELDS:
        _lines(made, keep, absorb, name)
    return made


def _titles(made: MergedTexts, keep: Case, absorb: Case) -> Block:
    """Put titles in languages that the first lacks beside its own; what else there is to tell."""
    ours, theirs = keep.title, absorb.title
    new = {lang: theirs.paragraphs(lang) for lang in theirs.languages}
    lacking = {lang: p for lang, p in new.items() if lang not in ours.languages}
    alike = len(theirs.paragraphs(theirs.languages[0])) == len(ours.paragraphs(ours.languages[0]))
    left: Block = {}
    for lang, paragraphs in new.items():
        if (lang in lacking and alike) or paragraphs == ours.paragraphs(lang):
            made.shifts["title", lang] = ("title", 0)
        elif paragraphs == absorb.summary.paragraphs(lang)[: len(paragraphs)]:
            made.shifts["title", lang] = ("", 0)  # moves with the summary that begins with it
        else:
            left[lang] = paragraphs
    if lacking and alike:
        own = {lang: ours.paragraphs(lang) for lang in ours.languages}
        made.prose["title"] = Prose.model_validate(own | lacking)
    return left


def _none(made: MergedTexts, name: str) -> None:
    """The second states that there is nothing to tell in a field."""
    ours = made.prose[name]
    if ours is None:
        made.prose[name] = Prose.model_validate([])
    elif not ours.stated_none:
        made.differences.append((name, ours.best(), "none"))


def _append(made: MergedTexts, name: str, theirs: Prose, head: Block) -> bool:
    """Put the paragraphs of the second case behind; whether some lack a translation."""
    ours = made.prose[name] or Prose.model_validate([])
    if made.prose[name] is not None and ours.stated_none:
        made.differences.append((name, "none", theirs.best()))
    first, body = _block(ours), _block(theirs)
    told = bool(body) and all(first.get(lang) == p for lang, p in body.items())
    blocks = [first, head, {} if told else body]
    whole, offsets = _stacked(blocks)
    made.prose[name] = Prose.model_validate(whole)
    for lang in body:
        made.shifts[name, lang] = (name, 0 if told else offsets[2][lang])
    for lang in head:
        made.shifts["title", lang] = (name, offsets[1][lang])
    for (field_, lang), (place, _) in list(made.shifts.items()):
        if not place and name == "summary":
            made.shifts[field_, lang] = made.shifts[name, lang]
    return any(b and set(b) != set(whole) for b in blocks)


def _block(prose: Prose) -> Block:
    return {lang: prose.paragraphs(lang) for lang in prose.languages}


def _stacked(blocks: Sequence[Block]) -> tuple[dict[str, list[str]], list[dict[str, int]]]:
    """Blocks after each other, in all their languages, and where each begins in each."""
    whole: dict[str, list[str]] = {lang: [] for lang in sorted({k for b in blocks for k in b})}
    offsets = []
    for block in blocks:
        size = max(map(len, block.values()), default=0)
        offsets.append({lang: sum(len(p) + _BREAK for p in whole[lang]) for lang in block})
        for lang, paragraphs in whole.items():
            told = block.get(lang, ())
            paragraphs += [*told, *[OMITTED] * (size - len(told))]
    return whole, offsets


def _items(case: Case, name: str) -> list[str]:
    """The lines of a pseudo-field."""
    values = getattr(case, name) or ()
    return [getattr(v, "line", v) for v in values]


def _places(items: Sequence[str]) -> list[tuple[int, int]]:
    """Where each line begins in the stored text, and how long it is."""
    found, at = [], 0
    for item in items:
        found.append((at, len(item)))
        at += len(item) + 1
    return found


def _lines(made: MergedTexts, keep: Case, absorb: Case, name: str) -> None:
    """The lines of both, each once; none of `related` is one of the two."""
    ours, theirs = getattr(keep, name), getattr(absorb, name)
    if theirs is None:
        made.starts[name] = {}
        return
    kept = list(ours or ())
    skipped = (keep.id, absorb.id) if name == "related" else ()
    kept += [v for v in dict.fromkeys(theirs) if v not in kept and v not in skipped]
    made.lines[name] = tuple(kept)
    first = _places([getattr(v, "line", v) for v in kept])
    made.starts[name] = {i: first[kept.index(v)][0] for i, v in enumerate(theirs) if v in kept}

"""Charts by matplotlib, as SVG whose letters the reader's own fonts draw."""

from __future__ import annotations

import io
import math
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from kg.errors import MissingExtra
from kg.export.palette import FONT
from kg.notebook.drawing import FAINT, INK, PAPER, Drawing
from kg.queries import StatGroup, Statistics, Trends
from kg.queries.times import TimeStatistic
from kg.queries.view_words import say

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F")
_DASHES = ("-", "--", "-.", ":", "-", "--", "-.")
_MARKS = ("o", "s", "^", "D", "v", "P", "X")
_HEAD = re.compile(r"^.*?(?=<svg\b)", re.DOTALL)
_METADATA = re.compile(r"<metadata>.*?</metadata>", re.DOTALL)
_FAMILY = re.compile(r"(font-family: |font: [^;\"]*?px )[^;\"]*")
"""How matplotlib names fonts: by a property of their own, or together with the size."""
_DAY = 86400.0
_TICKS = (
    (1.0, "1 s", "1초"), (10.0, "10 s", "10초"), (60.0, "1 min", "1분"),
    (600.0, "10 min", "10분"), (3600.0, "1 h", "1시간"),
    (21600.0, "6 h", "6시간"), (_DAY, "1 d", "1일"), (7 * _DAY, "7 d", "7일"),
    (30 * _DAY, "30 d", "30일"), (365 * _DAY, "1 y", "1년"),
)  # fmt: skip


def themed(figure: Figure) -> Drawing:
    """A matplotlib figure as a drawing: letters stay letters, nothing is loaded.

    Hangul is drawn by the fonts of whoever looks at it; none has to be there where it is made.
    The figure is closed.
    """
    from matplotlib import rc_context

    buffer = io.StringIO()
    with warnings.catch_warnings(), rc_context({"svg.fonttype": "none", "svg.hashsalt": "kg"}):
        warnings.filterwarnings("ignore", "Glyph .* missing from")
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close(figure)
    svg = _METADATA.sub("", _HEAD.sub("", buffer.getvalue()))
    svg = _FAMILY.sub(rf"\g<1>{FONT}", svg)
    return Drawing(svg)


@contextmanager
def _axes(width: float, height: float) -> Iterator[tuple[Figure, Axes]]:
    """A figure in our colours, for which no window is opened; sizes in inches."""
    try:
        from matplotlib import rc_context
        from matplotlib.backends.backend_svg import FigureCanvasSVG
        from matplotlib.figure import Figure as Made
    except ImportError as error:
        raise MissingExtra("matplotlib", "notebooks") from error
    look: Any = {
        "text.color": INK, "axes.labelcolor": INK, "axes.edgecolor": FAINT, "xtick.color": INK,
        "ytick.color": INK, "grid.color": FAINT, "axes.facecolor": PAPER,
        "figure.facecolor": PAPER, "legend.facecolor": PAPER, "legend.edgecolor": FAINT,
        "axes.spines.top": False, "axes.spines.right": False, "font.size": 10.0,
    }  # fmt: skip
    with rc_context(look), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from")
        figure = Made(figsize=(width, height), layout="constrained")
        FigureCanvasSVG(figure)
        yield figure, figure.add_subplot()


def recovery_chart(found: Statistics, lang: str = "en", most: int = 12) -> Drawing:
    """Times to recover by group: the median, the middle half, and n, on a logarithmic axis.

    Where values of which only an end is stated leave the median open, a dashed line spans what it
    can be. A group of fewer than three values is named with its n and no mark.

    Raises:
        MissingExtra: matplotlib is not installed.
    """
    groups = [g for g in found.groups if g.key and g.recover.n][:most]
    names = [f"{_plain(found.label(str(g.key)))}  (n = {g.recover.n} / {g.n})" for g in groups]
    with _axes(9, 1.4 + 0.36 * max(1, len(groups))) as (figure, axes):
        for y, group in enumerate(reversed(groups)):
            _spread(axes, y, group.recover, lang)
        axes.set_yticks(range(len(groups)), list(reversed(names)))
        axes.set_xscale("log")
        axes.set_xlim(*_reach(groups))
        axes.set_ylim(-0.6, len(groups) - 0.4)
        ticks = [tick for tick in _TICKS if axes.get_xlim()[0] <= tick[0]]
        axes.set_xticks(
            [t for t, *_ in ticks], [(ko if lang == "ko" else en) for _, en, ko in ticks]
        )
        axes.minorticks_off()
        axes.grid(axis="x", linewidth=0.6)
        title = "Time to recover: median and middle half"
        axes.set_title("복구까지: 중앙값과 가운데 절반" if lang == "ko" else title, loc="left")
        _say_if_empty(axes, groups, lang)
        return themed(figure)


def _reach(groups: Sequence[StatGroup]) -> tuple[float, float]:
    """The ends of the axis of times in seconds: 30 s to 400 days, and further where a mark lies."""
    times = [g.recover for g in groups]
    marks = [x for t in times for x in (t.median, t.p25, t.p75) if x]
    return min([30.0, *(0.7 * x for x in marks)]), max([400 * _DAY, *(1.4 * x for x in marks)])


def _plain(text: str) -> str:
    """A text in which no sign begins a formula, for which matplotlib takes what is between `$`."""
    return text.replace("$", r"\$")


def _spread(axes: Axes, y: float, times: TimeStatistic, lang: str) -> None:
    """The marks of one group; a median of which only the bounds are known is a dashed line."""
    if times.median is not None:
        if times.p25 is not None and times.p75 is not None:
            axes.plot([times.p25, times.p75], [y, y], color="#56B4E9", linewidth=7, alpha=0.8)
        axes.plot([times.median], [y], marker="o", color="#0072B2", markersize=7)
    elif "median" in times.between:
        low, high = times.between["median"]
        ends = [max(low, 31.0), high if high is not None else 390 * _DAY]
        axes.plot(ends, [y, y], color="#D55E00", linestyle="--", linewidth=2)
    else:
        axes.text(40, y, say("too few", lang), va="center", fontstyle="italic")


def trend_chart(found: Trends, lang: str = "en", most: int = 5) -> Drawing:
    """The share of terms among the incidents of each period: those that rise or fall, then others.

    The legend says which of these a line is, and of how many incidents. Colour, dashes and mark
    differ for each line, so that it can be told without colours. A period in which no incident is
    dated is a gap.

    Raises:
        MissingExtra: matplotlib is not installed.
    """
    frequent = sorted(found.others, key=lambda t: (-t.n, t.term))
    shown = [*found.items, *frequent][:most]
    with _axes(9, 4) as (figure, axes):
        for i, item in enumerate(shown):
            axes.plot(
                [c.period for c in item.counts],
                [math.nan if c.share is None else 100 * c.share for c in item.counts],
                color=_COLOURS[i % len(_COLOURS)],
                linestyle=_DASHES[i % len(_DASHES)],
                marker=_MARKS[i % len(_MARKS)],
                label=f"{_plain(found.label(item.term))} "
                f"({say(str(item.direction), lang)}, n = {item.n})",
            )
        axes.set_ylabel("%")
        axes.grid(axis="y", linewidth=0.6)
        title = "기간별 사고 중 비율" if lang == "ko" else "Share of the incidents of each period"
        axes.set_title(title, loc="left")
        _say_if_empty(axes, shown, lang)
        if shown:
            axes.legend(loc="upper left", bbox_to_anchor=(0, -0.12), ncols=2, frameon=False)
        return themed(figure)


def reliability_chart(rows: Sequence[tuple[float, float, int]], lang: str = "en") -> Drawing:
    """How often what was said with a probability was so: (said, so, n) a point.

    On the line both are equal. The area of a point is its number of judged pairs.

    Raises:
        MissingExtra: matplotlib is not installed.
    """
    with _axes(6, 4.6) as (figure, axes):
        axes.plot([0, 100], [0, 100], color=FAINT, linestyle="--", linewidth=1)
        for said, held, n in rows:
            axes.scatter(
                [100 * said], [100 * held], s=30 + 3 * min(n, 150), color="#0072B2", alpha=0.8
            )
            axes.annotate(
                f"n = {n}", (100 * said, 100 * held), xytext=(8, -12), textcoords="offset points"
            )
        axes.set_xlim(-3, 103)
        axes.set_ylim(-3, 103)
        axes.set_xlabel("말한 확률 (%)" if lang == "ko" else "probability that was said (%)")
        axes.set_ylabel(
            "실제로 관련 있던 비율 (%)" if lang == "ko" else "share that was relevant (%)"
        )
        axes.grid(linewidth=0.6)
        _say_if_empty(axes, rows, lang)
        return themed(figure)


def _say_if_empty(axes: Axes, shown: Sequence[object], lang: str) -> None:
    """A chart of nothing says so, rather than look as if everything were zero."""
    if not shown:
        text = "그릴 것이 없음" if lang == "ko" else "nothing to draw"
        axes.text(0.5, 0.5, text, transform=axes.transAxes, ha="center", fontstyle="italic")
        axes.set_xticks([])
        axes.set_yticks([])

"""`kg demo`: the main job from case files to an explained answer, on the shipped cases."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from kg.cli import show as views
from kg.cli import show_analysis
from kg.cli.output import clean, clean_line, finish, say
from kg.cli.show_explanation import explanation
from kg.library import Library, build_library
from kg.library.progress import print_progress
from kg.readers import shipped

SYMPTOMS_EN = "GPUs show 100 % but power fell to 190 W and nothing progresses"
SYMPTOMS_KO = "GPU는 100%라고 나오는데 보드 전력이 190 W까지 내려갔고 학습이 전혀 나아가지 않는다"
UNRELATED = "the invoice export writes Korean names as question marks"
FIVE = ("IL-0023", "IL-0127", "IL-0025", "IL-0125", "IL-0126")
SQL = """\
SELECT t.label_en AS cause, c.status, count(DISTINCT c.case_id) AS cases,
       string_agg(DISTINCT c.case_id, ' ' ORDER BY c.case_id) AS ids
FROM claims AS c JOIN claim_terms USING (claim_id) JOIN terms AS t USING (term_id)
WHERE c.relation = 'CAUSED_BY'
GROUP BY ALL ORDER BY cases DESC, cause LIMIT 6"""


def demo(options: argparse.Namespace) -> int:
    """Build, search in two languages, find nothing, explain, diagnose, compare, ask SQL, draw."""
    folder = Path(options.folder)
    folder.mkdir(parents=True, exist_ok=True)
    library_file, picture = folder / "incidents.duckdb", folder / "graph.svg"
    _title(f"kg build {shipped('cases')} -o {library_file}")
    with build_library(shipped("cases"), library_file, progress=print_progress) as library:
        say(clean_line(views.built(library.path, len(library))))
        for title, answer in _questions(library):
            _title(title)
            say(clean(answer()))
        _title(f"kg graph -o {picture}")
        picture.write_text(library.picture(), encoding="utf-8")
    _title("where everything lies")
    say(clean_line(f"library   {library_file.resolve()}  (any DuckDB opens it)"))
    say(clean_line(f"picture   {picture.resolve()}  (any browser opens it)"))
    say(clean_line(f"cases     {shipped('cases')}"))
    say(clean_line(f"next      kg search 'what you see' -l {library_file}"))
    return 0


def _questions(library: Library) -> Sequence[tuple[str, Callable[[], str]]]:
    def search(text: str, lang: str) -> Callable[[], str]:
        return lambda: views.hits(library, library.search(text, k=3, lang=lang), lang)

    return (
        (f"kg search '{SYMPTOMS_EN}'", search(SYMPTOMS_EN, "en")),
        (f"kg search --lang ko '{SYMPTOMS_KO}'", search(SYMPTOMS_KO, "ko")),
        (f"kg search '{UNRELATED}'", search(UNRELATED, "en")),
        (
            "kg explain IL-0480 IL-0428",
            lambda: explanation(library, library.explain("IL-0480", "IL-0428")),
        ),
        (
            f"kg diagnose '{SYMPTOMS_EN}' --ruled-out 'network fault'",
            lambda: str(library.diagnose(SYMPTOMS_EN, ruled_out=["network fault"])),
        ),
        (
            f"kg causes {' '.join(FIVE)}",
            lambda: show_analysis.common(library, library.common(FIVE), "en"),
        ),
        (f'kg sql "{SQL}"', lambda: str(library.sql(SQL))),
    )


def _title(text: str) -> None:
    bold, plain = ("\033[1m", "\033[0m") if _colours() else ("", "")
    say(f"\n{bold}$ {clean(text)}{plain}")
    finish()


def _colours() -> bool:
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ

"""Whole pages, from what is asked to HTML: the same for a server and for written files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kg.queries import Filter
from kg.server.pages.case import case_page
from kg.server.pages.compare import compare_page
from kg.server.pages.diagnose import DiagnosePage, Facts, diagnose_page
from kg.server.pages.find import MOST_HITS, Asked, applied_chips, find_page
from kg.server.pages.graph import graph_view, picture
from kg.server.pages.links import EVERYTHING, Links
from kg.server.pages.names import Names
from kg.server.pages.renderer import Renderer
from kg.server.pages.topic import topic_page, topics_page

if TYPE_CHECKING:
    from kg.library import Library


@dataclass(frozen=True)
class Views:
    """Makes pages of one library in one language.

    Attributes:
        renderer: the templates.
        library: the library.
        lang: the language of the pages.
        links: where pages lie, seen from the one that is made.
    """

    renderer: Renderer
    library: Library
    lang: str
    links: Links

    def find(self, asked: Asked, *, home: bool = False, brief: bool = False) -> str:
        """A list of cases; `brief`: each with its terms only."""
        page = find_page(self.library, asked, self.lang)
        svg = picture(self.library, page.graph, self.links, self.lang) if page.graph else ""
        extra: dict[str, Any] = {"brief": True} if brief else {}
        return self._page("find", "cases", page=page, home=home, picture=svg, **extra)

    def case(self, case_id: str) -> str:
        """The page of a case; CaseNotFound where there is none."""
        return self._page("case", "case", page=case_page(self.library, case_id, self.lang))

    def compare(self, a: str, b: str, problem: str = "", problem_lang: str = "en") -> str:
        """Two cases beside each other; only the form where one is not named, or with a problem."""
        page = compare_page(self.library, a, b, self.lang) if a and b and not problem else None
        names = Names(self.library, self.lang)
        return self._page(
            "compare",
            "compare",
            page=page,
            a=a,
            b=b,
            problem=problem,
            problem_lang=problem_lang,
            action=self.links.compare() or "",
            cases=[] if self.links.static else [names.case(i) for i in sorted(self.library.cases)],
            picture=page.svg if page else "",
        )

    def diagnose(
        self,
        facts: Facts,
        before: Facts | None = None,
        problem: str = "",
        problem_lang: str = "en",
    ) -> str:
        """The assistant with its answer."""
        if problem:
            page = DiagnosePage(facts, before, problem=problem, problem_lang=problem_lang)
        else:
            page = diagnose_page(self.library, facts, self.lang, before)
        return self._page("diagnose", "diagnose", page=page)

    def topic(self, term: str) -> str:
        """A term with its cases; TermNotFound where there is none."""
        return self._page("topic", "topics", page=topic_page(self.library, term, self.lang))

    def topics(self, scheme: str | None = None) -> str:
        """All terms, or those of one scheme."""
        return self._page("topics", "topics", schemes=topics_page(self.library, self.lang, scheme))

    def graph(self, query: str = "", wanted: Filter = EVERYTHING) -> str:
        """The graph of a result."""
        names = Names(self.library, self.lang)
        if query:
            found = self.library.search(query, k=MOST_HITS, wanted=wanted, lang=self.lang)
            ids = found.ids
        else:
            ids = tuple(self.library._matching(wanted))
        view = graph_view(self.library, ids, names)
        return self._page(
            "graph",
            "graph",
            graph=view,
            query=query,
            wanted=wanted,
            chips=applied_chips(wanted, names),
            picture=picture(self.library, view, self.links, self.lang),
        )

    def _page(self, template: str, current: str, **values: Any) -> str:
        return self.renderer.page(template, self.lang, self.links, current=current, **values)

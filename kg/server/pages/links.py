"""Addresses within the pages: of a server, where everything can be asked, and of written files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import quote, urlencode

from kg.queries import Filter

EVERYTHING = Filter()
"""The filter that lets every case through."""

SORTS = ("recent", "oldest", "id")


class Links(Protocol):
    """Where the pages lie. What does not exist there has no address (None)."""

    @property
    def static(self) -> bool:
        """Whether they are written files, where nothing can be asked."""

    @property
    def lang(self) -> str | None:
        """The language that the addresses name; None where they name none."""

    def home(self) -> str | None:
        """The first page."""

    def find(
        self,
        query: str = "",
        wanted: Filter = EVERYTHING,
        sort: str = SORTS[0],
        offset: int = 0,
    ) -> str | None:
        """A list of cases."""

    def search(self) -> str | None:
        """Where the form of a search goes."""

    def case(self, case_id: str, anchor: str = "") -> str:
        """A case, or a place on its page."""

    def compare(self, a: str = "", b: str = "") -> str | None:
        """Two cases beside each other."""

    def diagnose(self) -> str | None:
        """The assistant."""

    def topic(self, term: str) -> str | None:
        """A term with its cases."""

    def topics(self) -> str:
        """All terms."""

    def graph(self, query: str = "", wanted: Filter = EVERYTHING) -> str | None:
        """The graph of a result."""

    def asset(self, name: str) -> str:
        """A style sheet or script that ships with the pages."""

    def here(self, lang: str) -> str:
        """This page in another language."""

    def data(self, case_id: str, part: str = "") -> str | None:
        """A case as JSON (`part` "similar": the cases like it)."""

    def program(self, name: str) -> str | None:
        """What is there for programs alone: `openapi.json`, `mcp`."""


@dataclass(frozen=True)
class LiveLinks:
    """Addresses on a server.

    Attributes:
        lang: the language that the address of this page names; None where it names none, and
            the browser's own choice goes on deciding.
        path: the path of this page, without `root`.
        pairs: what its query says, the language aside.
        root: what stands before every path, "" at the top of a host.
    """

    lang: str | None = None
    path: str = "/"
    pairs: Sequence[tuple[str, str]] = ()
    root: str = ""
    static: bool = False

    def home(self) -> str | None:
        """The first page."""
        return self._to("/")

    def find(
        self,
        query: str = "",
        wanted: Filter = EVERYTHING,
        sort: str = SORTS[0],
        offset: int = 0,
    ) -> str | None:
        """A list of cases, found by words, by facets or both."""
        pairs = [("q", query)] if query else []
        pairs += wanted.chips()
        pairs += [("sort", sort)] if sort != SORTS[0] and not query else []
        pairs += [("offset", str(offset))] if offset else []
        return self._to("/search" if query else "/cases", pairs)

    def search(self) -> str | None:
        """Where the form of a search goes."""
        return f"{self.root}/search"

    def case(self, case_id: str, anchor: str = "") -> str:
        """A case, or a place on its page."""
        return self._to(f"/cases/{_part(case_id)}") + (f"#{_part(anchor)}" if anchor else "")

    def compare(self, a: str = "", b: str = "") -> str | None:
        """Two cases beside each other; the form where one is not named."""
        return self._to("/explain", [(k, v) for k, v in (("a", a), ("b", b)) if v])

    def diagnose(self) -> str | None:
        """The assistant."""
        return self._to("/diagnose")

    def topic(self, term: str) -> str | None:
        """A term with its cases."""
        return self._to(f"/topics/{_part(term)}")

    def topics(self) -> str:
        """All terms."""
        return self._to("/topics")

    def graph(self, query: str = "", wanted: Filter = EVERYTHING) -> str | None:
        """The graph of a result."""
        return self._to("/graph", [*([("q", query)] if query else []), *wanted.chips()])

    def asset(self, name: str) -> str:
        """A style sheet or script."""
        return f"{self.root}/assets/{_part(name)}"

    def here(self, lang: str) -> str:
        """This page in another language."""
        return f"{self.root}{self.path}?{urlencode([*self.pairs, ('lang', lang)])}"

    def data(self, case_id: str, part: str = "") -> str | None:
        """A case as JSON; the format is named, since a browser would be given the page."""
        path = f"/cases/{_part(case_id)}" + (f"/{part}" if part else "")
        return f"{self.root}{path}?format=json"

    def program(self, name: str) -> str | None:
        """What is there for programs alone."""
        return f"{self.root}/{_part(name)}"

    def _to(self, path: str, pairs: Sequence[tuple[str, str]] = ()) -> str:
        own = [*pairs, *([("lang", self.lang)] if self.lang else [])]
        return f"{self.root}{path}" + (f"?{urlencode(own)}" if own else "")


@dataclass(frozen=True)
class StaticLinks:
    """Addresses among written files, each from the page itself: the folder may lie anywhere.

    Attributes:
        lang: the language of this page.
        file: the file of this page, below the folder of its language.
        written: the terms that have a page; None for all.
        compared: the pairs of cases that have one, as `pair` gives them.
    """

    lang: str
    file: str
    written: frozenset[str] | None = None
    compared: frozenset[tuple[str, str]] = frozenset()
    static: bool = True

    def home(self) -> str | None:
        """The first page."""
        return self._to("index.html")

    def find(
        self,
        query: str = "",
        wanted: Filter = EVERYTHING,
        sort: str = SORTS[0],
        offset: int = 0,
    ) -> str | None:
        """A list that was written: of all cases, or of one facet value; else there is none."""
        chips = wanted.chips()
        if query or sort != SORTS[0] or offset or len(chips) > 1:
            return None
        return self._to(list_file(*chips[0]) if chips else "index.html")

    def search(self) -> str | None:
        """Nothing: a script looks into an index that was written beside."""
        return None

    def case(self, case_id: str, anchor: str = "") -> str:
        """A case, or a place on its page."""
        return self._to(case_file(case_id)) + (f"#{_part(anchor)}" if anchor else "")

    def compare(self, a: str = "", b: str = "") -> str | None:
        """Two cases whose comparison was written: any two would be too many files."""
        both = pair(a, b)
        return self._to(compare_file(*both)) if both in self.compared else None

    def diagnose(self) -> str | None:
        """Nothing: a diagnosis is worked out when it is asked for."""
        return None

    def topic(self, term: str) -> str | None:
        """A term with its cases, where it was written."""
        known = self.written is None or term in self.written
        return self._to(topic_file(term)) if known else None

    def topics(self) -> str:
        """All terms."""
        return self._to("topics/index.html")

    def graph(self, query: str = "", wanted: Filter = EVERYTHING) -> str | None:
        """The graph of all cases; of a result there is none."""
        return None if query or wanted.chips() else self._to("graph.html")

    def asset(self, name: str) -> str:
        """A style sheet or script, beside the folders of the languages."""
        return f"{'../' * (self.file.count('/') + 1)}assets/{_part(name)}"

    def here(self, lang: str) -> str:
        """This page in another language."""
        return f"{'../' * (self.file.count('/') + 1)}{lang}/{quote(self.file)}"

    def data(self, case_id: str, part: str = "") -> str | None:
        """Nothing: JSON comes from a server, or from `kg export`."""
        del case_id, part
        return None

    def program(self, name: str) -> str | None:
        """Nothing: programs ask a server."""
        del name
        return None

    def _to(self, file: str) -> str:
        mine, theirs = self.file.split("/")[:-1], file.split("/")
        while mine and len(theirs) > 1 and mine[0] == theirs[0]:
            mine, theirs = mine[1:], theirs[1:]
        return "../" * len(mine) + quote("/".join(theirs))


def case_file(case_id: str) -> str:
    """The file of a case."""
    return f"cases/{case_id}.html"


def pair(a: str, b: str) -> tuple[str, str]:
    """Two cases in the order in which their comparison is written, once for both."""
    return (a, b) if a <= b else (b, a)


def compare_file(a: str, b: str) -> str:
    """The file of the comparison of two cases, in the order of `pair`."""
    return f"compare/{a}/{b}.html"


def topic_file(term: str) -> str:
    """The file of a term: its scheme is a folder, as a colon is no name of a file everywhere."""
    scheme, _, slug = term.partition(":")
    return f"topics/{scheme}/{slug}.html"


def list_file(facet: str, value: str) -> str:
    """The file of the list of one facet value."""
    return f"lists/{facet}/{value}.html"


def _part(text: str) -> str:
    return quote(text, safe=":@-._~")

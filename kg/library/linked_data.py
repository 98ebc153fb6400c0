"""A library as linked data: RDF in four formats, as a graph, and asked in SPARQL."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from kg.errors import BadQuery, LibraryError
from kg.export.rdf import (
    ENDINGS,
    Asked,
    RdfCheck,
    as_dataset,
    as_graph,
    check_graph,
    rdf_parts,
    rdf_text,
    write_rdf,
)
from kg.export.subset import decisions_about
from kg.library.case_lists import CaseLists
from kg.readers.rdf_names import DEFAULT_BASE, checked_base
from kg.store import Table

if TYPE_CHECKING:
    from rdflib import Dataset, Graph

    from kg.export.rdf.write import Parts


class LinkedData(CaseLists):
    """The part of a library that speaks RDF. `Library` is one."""

    @overload
    def to_rdf(
        self,
        base: str = ...,
        *,
        case_ids: Iterable[str] | None = ...,
        dataset: Literal[False] = ...,
    ) -> Graph: ...

    @overload
    def to_rdf(
        self, base: str = ..., *, case_ids: Iterable[str] | None = ..., dataset: Literal[True]
    ) -> Dataset: ...

    def to_rdf(
        self,
        base: str = DEFAULT_BASE,
        *,
        case_ids: Iterable[str] | None = None,
        dataset: bool = False,
    ) -> Graph | Dataset:
        """The vocabulary and the cases as an rdflib graph of one's own, free to be changed.

        Args:
            base: what the addresses of cases and terms begin with; an absolute http(s) IRI.
            case_ids: only these cases (the vocabulary is always whole); all where None.
            dataset: an `rdflib.Dataset` with one named graph a case and one for the vocabulary,
                instead of one graph of everything.

        Raises:
            BadQuery: the base is not an absolute IRI.
            CaseNotFound: an id is not in the library.
        """
        base = checked_base(base)
        return (as_dataset if dataset else as_graph)(self._parts(base, case_ids), base)

    def rdf_text(
        self,
        format: str = "turtle",
        base: str = DEFAULT_BASE,
        *,
        case_ids: Iterable[str] | None = None,
    ) -> str:
        """The same triples as text, equal bytes for equal cases whatever their order.

        Args:
            format: `turtle`, `ntriples`, `jsonld` or `trig` (which keeps cases in named graphs).
            base: what the addresses of cases and terms begin with.
            case_ids: only these cases; all where None.

        Raises:
            BadQuery: there is no such format, or the base is not an absolute IRI.
            CaseNotFound: an id is not in the library.
        """
        base = checked_base(base)
        return rdf_text(self._parts(base, case_ids), format, base)

    def write_rdf(
        self,
        path: str | Path,
        format: str | None = None,
        base: str = DEFAULT_BASE,
        *,
        case_ids: Iterable[str] | None = None,
    ) -> Path:
        """Write the text of `rdf_text` into a file, in UTF-8; `kg.build_library` reads it back.

        Args:
            path: the file; what stands there is replaced.
            format: as for `rdf_text`; where None, by the ending (.ttl, .nt, .jsonld, .trig).
            base: what the addresses of cases and terms begin with.
            case_ids: only these cases; all where None.

        Raises:
            BadQuery: there is no such format, the ending tells none, or the base is not an
                absolute IRI.
            CaseNotFound: an id is not in the library.
            LibraryError: the file cannot be written.
        """
        base, file = checked_base(base), Path(path)
        chosen = format or ENDINGS.get(file.suffix.lower())
        if chosen is None:
            raise BadQuery(
                f"the ending of {file.name} tells no format; name the file {', '.join(ENDINGS)}, "
                "or say --format"
            )
        try:
            write_rdf(self._parts(base, case_ids), chosen, base, file)
        except OSError as error:
            raise LibraryError(f"cannot write {file}: {error.strerror}") from error
        return file

    def check_rdf(self, *, case_ids: Iterable[str] | None = None, lang: str = "en") -> RdfCheck:
        """Hold the RDF of this library against the SHACL shapes that `kg rdf --part shapes` prints.

        It takes about a tenth of a second a case. What a library writes conforms; what was edited
        elsewhere is checked with `kg.export.rdf.check_graph`, or `kg rdf --check --file FILE`.

        Args:
            case_ids: only these cases, with the whole vocabulary; all where None.
            lang: the language of the messages, `en` or `ko`.

        Returns:
            What is wrong, thing by thing; nothing when the data conform.

        Raises:
            CaseNotFound: an id is not in the library.
            MissingExtra: pyshacl is not installed.
        """
        return check_graph(self.to_rdf(case_ids=case_ids), lang)

    def sparql(self, query: str, values: Mapping[str, Any] | None = None) -> Table:
        """Answer one SPARQL question (SELECT or ASK) over the triples of this library.

        The prefixes need not be declared: `kg:`, `skos:`, `dcterms:`, `prov:` and the like, `case:`
        and one for each scheme, so that `cause:gpu-fault` is the term of this id. Nothing is
        changed or fetched. Oxigraph answers where the extra `rdf` is installed, else rdflib, with
        the same rows. The first question takes longest: the triples are loaded then.

        Args:
            query: the text. Without ORDER BY the rows are sorted; LIMIT needs an ORDER BY to be
                the same from run to run.
            values: values of variables by name, such as {"id": "IL-0480"}; they never act as
                query text.

        Returns:
            A table; an IRI is a text, an unbound variable None, an ASK one truth value.

        Raises:
            BadQuery: it is no SELECT or ASK, cannot be read or answered, or would fetch something.
        """
        return self._triples.ask(query, values)

    @cached_property
    def _triples(self) -> Asked:
        return Asked(lambda: self._parts(DEFAULT_BASE, None), DEFAULT_BASE)

    def _parts(self, base: str, case_ids: Iterable[str] | None) -> Parts:
        ids = self.cases if case_ids is None else dict.fromkeys(self._known(case_ids))
        decided = decisions_about(self._snapshot, ids)
        return rdf_parts((self.cases[i] for i in ids), self.vocabulary, base, decided)

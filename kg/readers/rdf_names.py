"""The names of things in RDF: namespaces, addresses of cases and terms, words of our ontology.

Both ways use them, `kg.export.rdf` out of a library and `kg.readers.rdf` back. No rdflib here.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote

from kg.errors import BadQuery
from kg.model import LINE_FIELDS, PROSE_FIELDS, ClaimKind
from kg.model.iri import absolute_iri

ONTOLOGY = "https://incident-kg.example/ns"
KG = f"{ONTOLOGY}#"
"""The namespace of our classes and properties. It is a name only: nothing is served there."""

DEFAULT_BASE = "https://incident-kg.example/id/"
"""What the addresses of cases and terms begin with unless the caller says otherwise."""

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
XSD = "http://www.w3.org/2001/XMLSchema#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
SKOSXL = "http://www.w3.org/2008/05/skos-xl#"
DCTERMS = "http://purl.org/dc/terms/"
PROV = "http://www.w3.org/ns/prov#"
OA = "http://www.w3.org/ns/oa#"
SCHEMA = "https://schema.org/"
NORIA = "https://w3id.org/noria/ontology/"

PREFIXES: Mapping[str, str] = {
    "dcterms": DCTERMS,
    "kg": KG,
    "noria": NORIA,
    "oa": OA,
    "owl": OWL,
    "prov": PROV,
    "rdf": RDF,
    "rdfs": RDFS,
    "schema": SCHEMA,
    "skos": SKOS,
    "skosxl": SKOSXL,
    "xsd": XSD,
}
"""The prefixes of the files that we write and of every SPARQL query."""

TYPE = f"{RDF}type"
VALUE = f"{RDF}value"
LABEL = f"{RDFS}label"
IDENTIFIER = f"{DCTERMS}identifier"
LANGUAGE = f"{DCTERMS}language"
SOURCE = f"{DCTERMS}source"
REFERENCES = f"{DCTERMS}references"
QUOTED_FROM = f"{PROV}wasQuotedFrom"
START, END, EXACT = f"{OA}start", f"{OA}end", f"{OA}exact"
NOTATION = f"{SKOS}notation"
PREF, ALT, DEFINITION = f"{SKOS}prefLabel", f"{SKOS}altLabel", f"{SKOS}definition"
IN_SCHEME, BROADER = f"{SKOS}inScheme", f"{SKOS}broader"
MATCH_OF = {"exact_match": f"{SKOS}exactMatch", "close_match": f"{SKOS}closeMatch"}
DEPRECATED = f"{OWL}deprecated"
REPLACED_BY, REPLACES = f"{DCTERMS}isReplacedBy", f"{DCTERMS}replaces"
CHANGE_NOTE = f"{SKOS}changeNote"
XL_ALT, XL_FORM = f"{SKOSXL}altLabel", f"{SKOSXL}literalForm"

TRISTATE = (
    *PROSE_FIELDS,
    "severity",
    "regions",
    "time_to_detect",
    "time_to_recover",
    "references",
    *LINE_FIELDS,
)
"""The fields of a case that a source may state, state as none, or leave unsaid."""


def word(name: str) -> str:
    """A class or property of our ontology."""
    return KG + name


def camel(name: str) -> str:
    """`TRIGGERED_BY` or `triggered_by` as the name of a property, `triggeredBy`."""
    first, *rest = name.lower().split("_")
    return first + "".join(part.capitalize() for part in rest)


def choice(group: str, value: str) -> str:
    """One value of a closed list as a thing of its own: `kg:status-ruled-out`."""
    return f"{KG}{group}-{value.replace('_', '-')}"


def chosen(group: str, iri: str) -> str | None:
    """The value behind such a thing, or None when it is none of this group."""
    start = f"{KG}{group}-"
    return iri.removeprefix(start).replace("-", "_") if iri.startswith(start) else None


CLASS_OF_CLAIM: Mapping[ClaimKind, str] = {
    kind: f"{KG}{''.join(p.capitalize() for p in kind.split('_'))}Claim" for kind in ClaimKind
}
"""The class of the claims of each kind: `kg:CauseClaim`, `kg:FollowUpClaim` and so on."""


def checked_base(base: str) -> str:
    """The base with a separator at its end.

    Raises:
        BadQuery: it is not an absolute http(s) IRI.
    """
    try:
        iri = absolute_iri(base)
    except ValueError as error:
        raise BadQuery(f"the base of addresses cannot be used: {error}") from error
    return iri if iri.endswith(("/", "#")) else f"{iri}/"


def case_iri(base: str, case_id: str) -> str:
    """The address of a case."""
    return f"{base}case/{quote(case_id, safe='')}"


def term_iri(base: str, term_id: str) -> str:
    """The address of a term: scheme and slug are two steps of the path."""
    scheme, _, slug = term_id.partition(":")
    return f"{base}term/{quote(scheme, safe='')}/{quote(slug, safe='')}"


def scheme_iri(base: str, scheme: str) -> str:
    """The address of a scheme."""
    return f"{base}scheme/{quote(scheme, safe='')}"

"""The library in other forms: pictures, pages, and (`kg.export.formats`) files for programs."""

from kg.export.explanation_boxes import name_of, owner_of, stated_by
from kg.export.explanation_html import explanation_html, explanation_page
from kg.export.explanation_svg import explanation_svg
from kg.export.svg import draw
from kg.export.view_words import relation_word, view_phrase, view_word

__all__ = [
    "draw",
    "explanation_html",
    "explanation_page",
    "explanation_svg",
    "name_of",
    "owner_of",
    "relation_word",
    "stated_by",
    "view_phrase",
    "view_word",
]

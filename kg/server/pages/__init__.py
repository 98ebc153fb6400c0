"""The web pages: what they say as plain records, the templates that show it, and where it goes.

A page is made in two steps. A builder takes a library and what was asked and gives a frozen
record of what the page says; the `Renderer` puts it into a template. Both are used as they are
by the live pages (`router`) and by the static export (`site`).
"""

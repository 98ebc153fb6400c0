"""Problems that several readers of prose have in common."""

from __future__ import annotations

from kg.errors import Problem


def too_long(file: str, most: int) -> Problem:
    """A document too long to be a report of an incident."""
    message = f"longer than {most // 1_000_000} million characters, which no report is"
    return Problem(file, 0, "", message, "Split it into one file for each incident")


def unfilled(file: str, sections: int) -> Problem:
    """A template that nobody filled in."""
    message = f"an unfilled template: none of its {sections} sections has text of an incident"
    return Problem(file, 0, "", message, "Fill it in, or leave the file out")


def no_text(file: str) -> Problem:
    """A document without any text of an incident."""
    return Problem(
        file, 0, "", "no text of an incident in it", "Leave the file out, or name its format"
    )

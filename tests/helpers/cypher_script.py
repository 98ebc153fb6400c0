"""A small reader of Cypher scripts of our form, written apart from what writes them.

It reads sign by sign as a Cypher parser would, and so sees a string that ends too early. It knows
both ways in which versions of Cypher treat `\\uXXXX`: within strings only, or in the whole script
before anything else.
"""

from __future__ import annotations

import re
from typing import Any

_SIMPLE = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\", "'": "'", '"': '"'}
_CLAUSES = (
    r"CREATE CONSTRAINT \w+ IF NOT EXISTS FOR \(n:\w+\) REQUIRE n\.id IS UNIQUE",
    r"MERGE \(n:(?P<label>\w+) \{id: row\.id\}\) SET n \+= row",
    r"MATCH \(a:(?P<one>\w+) \{id: row\.source\}\) MATCH \(b:(?P<other>\w+) \{id: row\.target\}\) "
    r"MERGE \(a\)-\[r:(?P<type>\w+) \{key: row\.data\.key\}\]->\(b\) SET r \+= row\.data",
)


def early(script: str) -> str:
    """The script after every `\\uXXXX` became its sign, wherever it stands."""
    return re.sub(r"\\u([0-9a-fA-F]{4})", lambda m: chr(int(m.group(1), 16)), script)


class Reader:
    """Reads one value after the other from a text."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def skip(self) -> None:
        while self.at < len(self.text) and self.text[self.at] in " \n":
            self.at += 1

    def take(self, sign: str) -> bool:
        self.skip()
        found = self.text.startswith(sign, self.at)
        self.at += len(sign) if found else 0
        return found

    def value(self) -> Any:
        if self.take("["):
            return self.listed("]", self.value)
        if self.take("{"):
            return dict(self.listed("}", self.pair))
        for word, truth in (("true", True), ("false", False)):
            if self.take(word):
                return truth
        text = self.string()
        while self.take("+"):
            text += self.string()
        return text

    def listed(self, end: str, item: Any) -> list[Any]:
        found = []
        if self.take(end):
            return found
        while True:
            found.append(item())
            if self.take(end):
                return found
            assert self.take(","), self.text[self.at : self.at + 40]

    def pair(self) -> tuple[str, Any]:
        self.skip()
        name = re.compile(r"[a-z][A-Za-z0-9_]*").match(self.text, self.at)
        assert name is not None, self.text[self.at : self.at + 40]
        self.at = name.end()
        assert self.take(":")
        return name.group(), self.value()

    def string(self) -> str:
        assert self.take("'"), self.text[self.at : self.at + 40]
        found = []
        while (sign := self.text[self.at]) != "'":
            self.at += 1
            if sign != "\\":
                found.append(sign)
                continue
            code = self.text[self.at]
            self.at += 1
            if code == "u":
                found.append(chr(int(self.text[self.at : self.at + 4], 16)))
                self.at += 4
            else:
                found.append(_SIMPLE[code])
        self.at += 1
        return "".join(found)

    def until_end(self) -> str:
        end = self.text.index(";", self.at)
        clause, self.at = self.text[self.at : end], end + 1
        return " ".join(clause.split())


def run_script(script: str) -> tuple[dict[str, dict[str, Any]], dict[Any, dict[str, Any]]]:
    """What a database holds after the script: nodes by id, edges by (source, key, target).

    A clause that is not one of those that an export may hold fails.
    """
    script = "\n".join(line for line in script.split("\n") if not line.startswith("//"))
    reader, nodes, edges = Reader(script), {}, {}
    reader.skip()
    while reader.at < len(script):
        rows = reader.value() if reader.take("UNWIND") else []
        assert not rows or reader.take("AS row")
        clause = reader.until_end()
        found = next((m for c in _CLAUSES if (m := re.fullmatch(c, clause))), None)
        assert found is not None, clause
        for row in rows:
            if "label" in found.groupdict():
                assert found["label"].lower() == row["kind"]
                nodes.setdefault(row["id"], {}).update(row)
            else:
                _join(nodes, edges, row, found)
        reader.skip()
    return nodes, edges


def _join(nodes: Any, edges: Any, row: Any, found: re.Match[str]) -> None:
    one, other = nodes[row["source"]], nodes[row["target"]]
    assert (one["kind"], other["kind"]) == (found["one"].lower(), found["other"].lower())
    assert found["type"] == row["data"]["relation"]
    place = (row["source"], row["data"]["key"], row["target"])
    edges.setdefault(place, {}).update(row["data"])

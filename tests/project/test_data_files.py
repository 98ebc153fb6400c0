"""Rules of the shipped data, each with the way to put it right."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kg.library import Library
from kg.model import PROSE_FIELDS
from kg.readers import shipped
from kg.readers.format import canonical

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

DATA = shipped("cases").parent
CASES = sorted(shipped("cases").glob("*.json"))
SCHEMES = sorted(shipped("vocabulary").glob("*.json"))


def test_files_are_canonical_run_make_data() -> None:
    wanted = canonical(DATA.parent)
    stale = [str(f) for f, t in wanted.items() if not f.is_file() or f.read_text("utf-8") != t]
    assert stale == [], "run: make data"


@cache
def judge(name: str) -> Validator:
    """What judges files by a JSON Schema, which is sound itself."""
    from jsonschema.validators import validator_for  # takes seconds, which few workers need

    schema = json.loads((DATA / "schema" / f"{name}.schema.json").read_text(encoding="utf-8"))
    kind = validator_for(schema)
    kind.check_schema(schema)
    return kind(schema)


@pytest.mark.parametrize("file", CASES, ids=lambda f: f.stem)
def test_cases_fit_their_json_schema(file: Path) -> None:
    judge("case").validate(json.loads(file.read_text(encoding="utf-8")))


@pytest.mark.parametrize("file", SCHEMES, ids=lambda f: f.stem)
def test_schemes_fit_their_json_schema(file: Path) -> None:
    judge("scheme").validate(json.loads(file.read_text(encoding="utf-8")))


def test_the_json_schema_refuses_what_the_model_refuses() -> None:
    from jsonschema.exceptions import ValidationError

    good = json.loads(CASES[0].read_text(encoding="utf-8"))
    for broken in ({**good, "severty": "low"}, {**good, "id": 7}, {**good, "title": {"en": 3}}):
        with pytest.raises(ValidationError):
            judge("case").validate(broken)


@pytest.mark.parametrize("file", CASES, ids=lambda f: f.stem)
def test_a_case_file_is_named_for_its_id(file: Path) -> None:
    assert json.loads(file.read_text(encoding="utf-8"))["id"] == file.stem


def test_every_text_is_in_english_and_korean_add_the_missing_one(whole: Library) -> None:
    bare = [
        f"{case.id}.{field}"
        for case in whole.cases.values()
        for field in PROSE_FIELDS
        if (prose := getattr(case, field)) and prose.languages not in ((), ("en", "ko"))
    ]
    assert bare == []


def test_korean_text_is_korean_and_english_text_is_not(whole: Library) -> None:
    for case in whole.cases.values():
        for field, lang, text in case.texts():
            if lang == "zxx":  # titles of documents stay in their own language
                continue
            # Quoted messages and identifiers stay as they are.
            own = re.sub(r"`[^`]*`|[\"“][^\"”]*[\"”]|\w+(?:[._]\w+)+", "", text, flags=re.ASCII)
            hangul = len(re.findall("[가-힣]", own)) / max(1, len(own))
            assert (hangul > 0.2) if lang == "ko" else (hangul == 0), f"{case.id}.{field}.{lang}"


def test_every_claim_has_evidence_in_both_languages(whole: Library) -> None:
    bare = [
        claim_id
        for case in whole.cases.values()
        for claim_id, claim in case.claim_ids()
        if {s.lang for s in claim.evidence} != {"en", "ko"}
    ]
    assert bare == []


def test_every_term_is_used_or_groups_used_ones(whole: Library) -> None:
    used = {t for case in whole.cases.values() for c in case.claims for t in c.terms}
    reached = {up for t in used for up in whole.vocabulary.broader_steps(t)}
    linked = {
        target
        for t in reached
        for r in ("part_of", "depends_on", "variant_of", "does_not_cover")
        for target in getattr(whole.vocabulary.get(t), r)
    }
    assert set(whole.vocabulary.terms) - reached - linked == set()


def test_a_spelling_names_one_term(whole: Library) -> None:
    shared = {k: v for k, v in whole.vocabulary.by_spelling.items() if len(v) > 1}
    assert shared == {}


def test_terms_have_labels_and_definitions_in_both_languages(whole: Library) -> None:
    for term in whole.vocabulary.terms.values():
        assert term.label.languages == term.definition.languages == ("en", "ko"), term.id


def test_every_case_has_a_source_and_a_symptom(whole: Library) -> None:
    for case in whole.cases.values():
        assert case.sources, case.id
        assert any(c.kind == "symptom" for c in case.claims), case.id


def test_no_address_or_secret_is_in_the_data() -> None:
    pattern = re.compile(
        r"[\w.]+@(?!\w{7,})[\w-]+\.\w+|AKIA[0-9A-Z]{16}|gh[pousr]_\w{20,}|-----BEGIN|\b10\.\d+\.\d+\.\d+"
    )
    found = [f.name for f in (*CASES, *SCHEMES) if pattern.search(f.read_text(encoding="utf-8"))]
    assert found == []

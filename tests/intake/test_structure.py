"""A draft becomes a case: fields, claims with spans, and nothing that is taken for a fact."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import Problem
from kg.intake import Structured, digest_of, structured
from kg.model import Case, CaseKind, ClaimKind, DateKind, MadeBy, Role, SourceKind, Status, When
from kg.readers.draft import Cited, Draft, Given, Passage
from kg.vocab import Tagger
from tests.helpers.strategies import QUICK
from tests.helpers.tiny import tiny_vocabulary

VOCABULARY = tiny_vocabulary()
TAGGER = Tagger(VOCABULARY)

DRAFT = Draft(
    format="markdown",
    file="folder/2024-05-01 hang.md",
    title="Training hung",
    source_id="PM-7",
    passages=(
        Passage("symptom", "Slow training was seen.\n\nThe GPU was idle."),
        Passage("cause", "A race condition in NCCL. It was not an ECC error."),
        Passage("mitigation", "We did a restart."),
        Passage("follow_up", "Next time a restart is automatic."),
    ),
    none=("impact",),
    dates=(When(kind=DateKind.STARTED, at="2024-05-01T10:00Z"),),
    severity="SEV2",
    services=("PyTorch", "billing-api"),
    given=(Given(ClaimKind.CAUSE, "link down", Status.CONFIRMED, "root_cause"),),
    source=Cited(SourceKind.POSTMORTEM, "PM-7 Training hung", "https://example.com/pm-7"),
)


def made(draft: Draft = DRAFT) -> Case:
    found = structured(draft, "PM-7", "own", TAGGER.tag, VOCABULARY)
    assert isinstance(found, Structured), found
    return found.case


def claims(case: Case, kind: ClaimKind) -> dict[str, Status]:
    return {c.terms[0]: c.status for c in case.claims if c.kind is kind}


def test_sections_are_fields() -> None:
    case = made()
    assert case.symptom is not None
    assert case.symptom.paragraphs("en") == ("Slow training was seen.", "The GPU was idle.")
    assert case.severity == "SEV2"
    assert case.dates == DRAFT.dates
    assert case.impact is not None
    assert case.impact.stated_none
    assert case.lesson is None
    assert case.services == ("PyTorch", "billing-api")
    assert case.labels == ("link down",)


def test_a_case_without_summary_is_shown_by_its_title() -> None:
    assert made().summary.best() == "Training hung"


def test_claims_say_that_a_program_made_them_and_how_sure_it_was() -> None:
    for claim in made().claims:
        assert claim.in_review
        assert claim.made is not None
        assert 0 < claim.made.confidence <= 1
        assert claim.status is not Status.CONFIRMED


def test_what_is_denied_is_ruled_out_and_the_rest_is_suspected() -> None:
    assert claims(made(), ClaimKind.CAUSE) == {
        "cause:link-down": Status.SUSPECTED,
        "cause:race": Status.SUSPECTED,
        "cause:ecc-error": Status.RULED_OUT,
    }


def test_the_surest_cause_of_the_cause_section_is_primary() -> None:
    roles = {c.terms[0]: c.role for c in made().claims if c.kind is ClaimKind.CAUSE}
    assert roles["cause:race"] is Role.PRIMARY
    assert roles["cause:link-down"] is Role.SECONDARY


def test_the_same_word_is_a_mitigation_or_a_follow_up_by_its_section() -> None:
    case = made()
    assert set(claims(case, ClaimKind.MITIGATION)) == {"mitigation:restart"}
    assert set(claims(case, ClaimKind.FOLLOW_UP)) == {"mitigation:restart"}


def test_fields_of_the_source_are_cited_where_they_stand() -> None:
    pytorch = next(c for c in made().claims if c.terms == ("component:pytorch",))
    assert pytorch.made is not None
    assert pytorch.made.by is MadeBy.FIELD
    assert [(s.field, s.quote) for s in pytorch.evidence] == [("services", "PyTorch")]
    assert pytorch.role is Role.AFFECTED


def test_a_service_that_the_vocabulary_lacks_is_kept_and_claims_nothing() -> None:
    case = made()
    assert "billing-api" in case.text("services", "zxx")
    assert not any("billing" in t for c in case.claims for t in c.terms)


def test_every_span_stands_in_its_text() -> None:
    case = made()
    for _, span in case.spans():
        start, end = case.locate(span)
        assert case.text(span.field, span.lang)[start:end] == span.quote


def test_where_it_came_from_is_kept() -> None:
    origin = made().origin
    assert origin is not None
    assert (origin.format, origin.identifier) == ("markdown", "PM-7")
    assert origin.file == "2024-05-01 hang.md"
    assert origin.digest == digest_of(DRAFT)
    assert made().sources is not None
    assert made().sources[0].locator == "https://example.com/pm-7"  # type: ignore[index]


def test_duplicates_that_the_source_names_are_kept_in_order() -> None:
    origin = made(replace(DRAFT, duplicates=("PM-9", " PM-3 ", "PM-9", " "))).origin
    assert origin is not None
    assert origin.duplicates == ("PM-3", "PM-9")


def test_times_that_contradict_are_left_out_and_noted() -> None:
    ended = When(kind=DateKind.ENDED, at="2024-04-01")
    found = structured(
        replace(DRAFT, dates=(*DRAFT.dates, ended)), "PM-7", "own", TAGGER.tag, VOCABULARY
    )
    assert isinstance(found, Structured)
    assert found.case.dates == ()
    assert [n.field for n in found.notes] == ["dates"]


@pytest.mark.parametrize("title", ["", "  \n "])
def test_a_draft_without_a_title_is_a_problem(title: str) -> None:
    found = structured(replace(DRAFT, title=title), "PM-7", "own", TAGGER.tag, VOCABULARY)
    assert isinstance(found, Problem)
    assert "title" in found.message or "text" in found.message


def test_a_draft_in_korean_is_read_as_korean() -> None:
    text = "학습이 멈췄다. 경쟁 상태였다. ECC 오류는 아니었다."
    draft = Draft("markdown", "a.md", "학습 멈춤", lang="ko", passages=(Passage("cause", text),))
    case = made(draft)
    assert claims(case, ClaimKind.CAUSE) == {
        "cause:race": Status.SUSPECTED,
        "cause:ecc-error": Status.RULED_OUT,
    }
    assert all(s.lang == "ko" for _, s in case.spans())


def test_what_contributed_is_no_cause() -> None:
    told = (Passage("cause", "A race condition.", "Contributing factors"),)
    assert claims(made(replace(DRAFT, passages=told, given=())), ClaimKind.CAUSE) == {}
    told = (Passage("cause", "A race condition.", "Root cause"),)
    assert claims(made(replace(DRAFT, passages=told, given=())), ClaimKind.CAUSE) == {
        "cause:race": Status.SUSPECTED
    }


def test_a_passage_in_another_language_keeps_it() -> None:
    told = (Passage("summary", "느렸다."), Passage("impact", "Slow training.", lang="en"))
    case = made(replace(DRAFT, passages=told, lang="ko", none=()))
    assert case.impact is not None
    assert case.impact.languages == ("en",)
    assert case.summary.languages == ("ko",)
    assert claims(case, ClaimKind.SYMPTOM) == {"symptom:slow": Status.SUSPECTED}


def test_languages_that_do_not_run_side_by_side_lose_no_word() -> None:
    told = (
        Passage("impact", "Slow training was seen everywhere.\n\nTwice."),
        Passage("impact", "느렸다.", lang="ko"),
    )
    case = made(replace(DRAFT, passages=told, none=()))
    assert case.impact is not None
    assert case.impact.text("en") == "Slow training was seen everywhere.\n\nTwice.\n\n느렸다."


TEXT = st.text(min_size=0, max_size=60)


@QUICK
@given(
    st.lists(st.tuples(st.sampled_from(["summary", "cause", "symptom", "lesson"]), TEXT)),
    TEXT,
    st.lists(TEXT, max_size=3),
)
def test_whatever_stands_in_a_draft_it_is_a_case_or_a_problem(
    told: list[tuple[str, str]], title: str, names: list[str]
) -> None:
    draft = Draft(
        "markdown", "a.md", title, services=tuple(names), kind=CaseKind.SERIES,
        passages=tuple(Passage(field, text) for field, text in told),
    )  # fmt: skip
    found = structured(draft, "A-1", "own", TAGGER.tag, VOCABULARY)
    assert isinstance(found, Problem | Structured)
    if isinstance(found, Structured):
        assert Case.model_validate_json(found.case.model_dump_json()) == found.case

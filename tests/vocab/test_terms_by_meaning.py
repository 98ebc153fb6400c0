"""Terms that a text tells of in other words, with spans and confidence."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.vocab import MeaningWeights, Tagger, term_texts
from kg.vocab.weights import FEATURES, SchemeWeights
from tests.helpers.strategies import QUICK, sentences
from tests.helpers.tagging import EXPIRY, HAND_SET, HASH, make_tagger, of_meaning
from tests.helpers.tiny import term, tiny_vocabulary

TAGGER = make_tagger()


@pytest.mark.parametrize(
    "text",
    [
        "An expired TLS certificate broke the logins",
        "the certificates had all expired",
        "Nothing answered. The expired root certificate was found later.",
        "인증서가 어제 만료됐다",
    ],
)
def test_a_cause_is_found_in_other_words(text: str) -> None:
    assert of_meaning(TAGGER, text) == {"cause:certificate-expiry": False}


@pytest.mark.parametrize("text", ["", "?!", "hello there", "the cat sat on the mat"])
def test_a_text_about_nothing_known_has_no_tags(text: str) -> None:
    assert TAGGER.tag(text) == []


def test_names_are_found_as_before() -> None:
    text = "ECC error on the A100, then NCCL timeout; the certificates had expired"
    named = [(t.start, t.end, t.term, t.negated) for t in TAGGER.tag(text) if t.how == "label"]
    plain = [(t.start, t.end, t.term, t.negated) for t in Tagger(EXPIRY).tag(text)]
    assert named == plain


def test_a_named_term_is_not_found_again_by_meaning() -> None:
    text = "expired certificate. The certificates had expired."
    tags = [t for t in TAGGER.tag(text) if t.term == "cause:certificate-expiry"]
    assert [t.how for t in tags] == ["label"]


def test_a_longer_name_explains_its_words_within_the_scheme() -> None:
    wider = tiny_vocabulary(
        term("symptom:nccl-error", "NCCL error", aliases={"en": ["NCCL failure of a timeout"]}),
        term("mitigation:raise-timeout", "raise NCCL timeout"),
    )
    eager = MeaningWeights(
        {s: SchemeWeights((1.0, 4.0, 4.0, 0.0, 0.0, 0.0), -2.5, 0.3) for s in HAND_SET.schemes}
    )
    tagger = make_tagger(wider, weights=eager)
    found = {t.term: t.how for t in tagger.tag("then came an NCCL timeout")}
    assert found["symptom:nccl-timeout"] == "label"
    assert "symptom:nccl-error" not in found
    assert found["mitigation:raise-timeout"] == "meaning"
    assert "symptom:nccl-error" in of_meaning(tagger, "NCCL failure, then a timeout of some kind")


def test_the_span_is_on_the_words_that_say_it() -> None:
    text = "At night, with nobody there, the TLS certificates expired. Logins failed."
    (tag,) = [t for t in TAGGER.tag(text) if t.how == "meaning"]
    assert tag.text == text[tag.start : tag.end] == "certificates expired"


def test_where_few_words_say_it_the_span_is_the_sentence() -> None:
    far = MeaningWeights({s: SchemeWeights((0.0,) * 3 + (3.0, 0.0, 0.0), -5.0, 0.5)
                          for s in HAND_SET.schemes})  # fmt: skip
    example = "Nobody could sign in this morning at the office"
    tagger = make_tagger(examples=[("cause:certificate-expiry", "en", example)] * 1, weights=far)
    text = f"We had a look. {example}."
    tags = [t for t in tagger.tag(text) if t.term == "cause:certificate-expiry"]
    assert [t.text for t in tags] == [f"{example}."]


def test_examples_teach_what_definitions_do_not_say() -> None:
    example = "signature validity elapsed on the gateway"
    near = MeaningWeights({s: SchemeWeights((0.0,) * 3 + (1.0, 0.0, 0.0), -2.0, 0.5)
                           for s in HAND_SET.schemes})  # fmt: skip
    row = TAGGER.ids.index("cause:certificate-expiry")
    untaught = make_tagger(weights=near).features(example)[row]
    taught = make_tagger(
        examples=[("cause:certificate-expiry", "en", example)], weights=near
    ).features(example)[row]
    at = FEATURES.index("near")
    assert taught[at] > untaught[at] + 1


def test_confidence_is_higher_for_more_of_the_name() -> None:
    def sure(text: str) -> float:
        return max((t.confidence for t in TAGGER.tag(text)), default=0.0)

    assert sure("the certificates had expired") > sure("hello") == 0.0
    assert sure("expired certificate") >= sure("the certificates had expired")


@pytest.mark.parametrize(("threshold", "found"), [(0.0001, True), (0.9999, False)])
def test_the_threshold_decides(threshold: float, found: bool) -> None:
    weights = MeaningWeights(
        {s: SchemeWeights(w.weights, w.intercept, threshold) for s, w in HAND_SET.schemes.items()}
    )
    tagger = TAGGER.with_weights(weights)
    assert bool(of_meaning(tagger, "the certificates had expired")) is found


def test_other_weights_leave_the_first_tagger_as_it_was() -> None:
    before = TAGGER.tag("the certificates had expired")
    TAGGER.with_weights(MeaningWeights({}))
    assert TAGGER.tag("the certificates had expired") == before


def test_organizations_are_only_found_where_they_are_named() -> None:
    eager = MeaningWeights(
        {s: SchemeWeights((0.0,) * len(FEATURES), 5.0, 0.5) for s in HAND_SET.schemes}
    )
    tagger = TAGGER.with_weights(eager)
    found = of_meaning(tagger, "the cloud was down")
    assert "organization:beta" in found
    assert "organization:alpha" not in found


def test_unnamed_terms_are_never_found() -> None:
    eager = MeaningWeights(
        {s: SchemeWeights((0.0,) * len(FEATURES), 5.0, 0.5) for s in HAND_SET.schemes}
    )
    assert "component:some-switch" not in TAGGER.ids
    assert "component:some-switch" not in of_meaning(TAGGER.with_weights(eager), "a switch broke")


def test_the_vector_of_the_whole_text_saves_embedding() -> None:
    asked: list[str] = []
    tagger = make_tagger()
    embed = tagger._embed

    def counted(texts: list[str]) -> np.ndarray:
        asked.extend(texts)
        return embed(texts)

    tagger._embed = counted
    text = "The certificates had expired. Logins failed."
    whole = HASH.encode_queries([text])[0]
    tags = tagger.tag(text, whole)
    assert asked == []
    assert {t.term for t in tags} == {t.term for t in tagger.tag(text)}
    assert asked == ["The certificates had expired.", "Logins failed."]


def test_what_is_embedded_of_a_vocabulary() -> None:
    texts = term_texts(EXPIRY)
    assert len(texts) == len({(t, lang) for t, lang, _ in texts})
    assert ("cause:certificate-expiry", "ko", "인증서 만료: 인증서의 기한이 지났다.") in texts
    assert not [t for t, _, _ in texts if EXPIRY.get(t).unnamed]


texts = st.lists(
    st.one_of(
        sentences,
        st.sampled_from(
            ["the certificates had expired", "no link down", "We ruled out OOM; GPU fault",
             "인증서가 만료됐다", "경쟁 상태는 원인이 아니었다", "Health checks: ECC error"]
        ),
    ),
    max_size=5,
).map(". ".join)  # fmt: skip


@QUICK
@given(texts)
def test_spans_lie_in_the_text_and_confidences_between_0_and_1(text: str) -> None:
    tags = TAGGER.tag(text)
    assert tags == sorted(tags)
    for tag in tags:
        assert text[tag.start : tag.end] == tag.text != ""
        assert 0 <= tag.confidence <= 1
        assert tag.how in ("label", "meaning")
        assert tag.term in EXPIRY
    by_meaning = [t.term for t in tags if t.how == "meaning"]
    assert len(by_meaning) == len(set(by_meaning))
    assert not {t.term for t in tags if t.how == "label"} & set(by_meaning)


@QUICK
@given(texts)
def test_the_same_text_gives_the_same_tags(text: str) -> None:
    assert TAGGER.tag(text) == make_tagger().tag(text)


@QUICK
@given(st.permutations(["The certificates had expired.", "A GPU broke.", "Link down again."]))
def test_the_order_of_sentences_does_not_matter(order: list[str]) -> None:
    found = {(t.term, t.text, t.confidence, t.how) for t in TAGGER.tag(" ".join(order))}
    first = {(t.term, t.text, t.confidence, t.how) for t in TAGGER.tag(" ".join(sorted(order)))}
    assert found == first


def slow_features(text: str) -> np.ndarray:
    """The twin: every piece for itself, then the best of each measure, term by term."""
    from kg.vocab.pieces import pieces_of

    told = [text[p.start : p.end] for p in pieces_of(text) if not p.excluded]
    each = [TAGGER.features(piece) for piece in told]
    named = {t.term for t in TAGGER.tag(text) if t.how == "label" and not t.negated}
    best = np.zeros((len(TAGGER.ids), len(FEATURES)))
    for row, term_id in enumerate(TAGGER.ids):
        best[row, 0] = float(term_id in named)
        for column in (1, 2, 3):
            best[row, column] = max(f[row, column] for f in each) if each else 0.0
    for row, term_id in enumerate(TAGGER.ids):
        scheme = term_id.partition(":")[0]
        others = [i for i, t in enumerate(TAGGER.ids) if t.startswith(scheme + ":") and i != row]
        for lead, column in ((4, 1), (5, 3)):
            top = max((best[i, column] for i in others), default=best[row, column])
            best[row, lead] = best[row, column] - top
    return best


@QUICK
@given(texts)
def test_features_are_those_of_the_slow_twin(text: str) -> None:
    assert np.allclose(TAGGER.features(text), slow_features(text))


def test_a_scheme_with_one_term_has_no_lead() -> None:
    one = tiny_vocabulary(term("trigger:only", "only one"))
    tagger = make_tagger(one)
    assert np.isfinite(tagger.features("only one")).all()

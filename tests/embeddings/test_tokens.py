"""Words: identifiers whole and in parts, English endings, Korean particles, ideographs."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embeddings.tokens import stem, tokenize, whole_tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("NCCL_IB_TIMEOUT", {"nccl_ib_timeout", "nccl", "ib", "timeout"}),
        (
            "--kill-on-bad-exit=1",
            {
                "--kill-on-bad-exit=1",
                "kill_on_bad_exit=1",
                "kill_on_bad_exit",
                "kill",
                "bad",
                "exit",
            },
        ),
        ("CUDA_LAUNCH_BLOCKING=1", {"cuda_launch_blocking=1", "cuda_launch_blocking", "cuda"}),
        ("1024*14", {"1024*14", "1024", "14"}),
        ("torch.distributed", {"torch.distributed", "torch", stem("distributed")}),
        (
            "deepspeed/runtime/pipe/engine.py:540",
            {
                "deepspeed/runtime/pipe/engine.py:540",
                "deepspeed/runtime/pipe/engine.py",
                "engine.py",
                "deepspeed",
                "540",
            },
        ),
        ("Xid 79", {"xid", "79", "xid_79"}),
        ("NVRM: Xid (PCI:0000:3b:00): 79, pid=1", {"xid", "79", "xid_79"}),
        ("OutOfMemoryError", {"outofmemoryerror", "memory", "error"}),
        ("v2.4.1", {"2.4.1"}),
        ("2.13.0+cpu", {"2.13.0+cpu", "2.13.0"}),
        ("H100-80GB", {"h100_80gb", "h100", "80gb"}),
        ("10.0.0.1:8080", {"10.0.0.1:8080", "10.0.0.1"}),
    ],
)
def test_identifiers_come_whole_and_in_parts(text: str, expected: set[str]) -> None:
    assert expected <= set(tokenize(text))


def test_versions_and_addresses_have_no_parts() -> None:
    assert tokenize("v2.4.1") == ["2.4.1"]
    assert not {"10", "0", "1"} & set(tokenize("10.0.0.1:8080"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("reduce-scatter", "reduce_scatter"),
        ("NCCL_IB_TIMEOUT", "nccl_ib_timeout"),
        ("v2.4.1", "2.4.1"),
        ("ＮＣＣＬ", "NCCL"),
        ("timeouts", "timeout"),
        ("restarted", "restarting"),
        ("nodes", "node"),
        ("caused", "cause"),
        ("retries", "retry"),
        ("stopped", "stop"),
        ("GPUs", "GPU"),
        ("crashes", "crash"),
        ("노드가", "노드에서"),
        ("원인은", "원인"),
        ("스위치로부터", "스위치로부터는"),
    ],
)
def test_forms_that_meet(one: str, other: str) -> None:
    assert set(tokenize(one)) & set(tokenize(other))


@pytest.mark.parametrize(
    "word",
    ["status", "analysis", "process", "speed", "string", "bus", "loss", "red", "need", "gas"],
)
def test_words_that_only_look_inflected_keep_their_ending(word: str) -> None:
    assert stem(word) == word


@given(st.from_regex(r"[a-z]{1,12}", fullmatch=True))
def test_a_stem_is_a_shorter_beginning_or_ends_in_y(word: str) -> None:
    short = stem(word)
    assert len(short) >= 2 or len(word) < 2
    assert word.startswith(short) or (short.endswith("y") and word.startswith(short[:-1]))


def test_stop_words_and_clitics_are_left_out() -> None:
    assert tokenize("It was the switch that didn't work, it's dead") == ["switch", "work", "dead"]


def test_whole_words_only_of_korean_without_particles() -> None:
    assert tokenize("노드가") == ["노드"]
    assert tokenize("스위치의") == ["스위치", "스위", "위치"]
    assert tokenize("네트워크에서는")[0] == "네트워크"


@pytest.mark.parametrize("word", ["재시도", "시간초과", "정확도", "증가", "전문가", "온도", "경로"])
def test_words_whose_end_is_no_particle_stay_whole(word: str) -> None:
    assert tokenize(word)[0] == word


@pytest.mark.parametrize("text", ["NCCL이", "NCCL에서는", "NCCL과", "NCCL은"])
def test_a_particle_after_latin_letters_is_dropped(text: str) -> None:
    assert tokenize(text) == ["nccl"]


def test_a_korean_noun_after_latin_letters_is_kept() -> None:
    assert tokenize("GPU노드가 멈췄다")[:2] == ["gpu", "노드"]


def test_a_particle_alone_is_only_dropped_after_latin_letters() -> None:
    assert tokenize("GPU 이") == ["gpu", "이"]


def test_chinese_and_japanese_by_pairs() -> None:
    assert tokenize("训练任务") == ["训练", "练任", "任务"]
    assert tokenize("火") == ["火"]
    assert tokenize("タイム") == ["タイ", "イム"]


def test_identifiers_only() -> None:
    text = "The NCCL_IB_TIMEOUT of node gpu07 in torch.distributed: Xid 79 and OOM, see DataLoader"
    assert whole_tokens(text) == [
        "nccl_ib_timeout",
        "gpu07",
        "torch.distributed",
        "oom",
        "dataloader",
        "xid_79",
    ]
    assert whole_tokens("The switch failed again") == []
    assert whole_tokens("NCCL이 NCCL을") == ["nccl"]


def test_repeats_stay_and_numbers_of_words_do_not_run_on() -> None:
    assert tokenize("timeout timeout") == ["timeout", "timeout"]
    assert "step_1200" in tokenize("at step 1200, it stopped")
    assert "step_120" not in tokenize("step 1200*2")
    assert not [word for word in tokenize("after 3 hours") if word.startswith("after")]


@given(st.text(max_size=80))
def test_words_are_lower_case_without_space_and_stable(text: str) -> None:
    found = tokenize(text)
    assert found == tokenize(text)
    assert all(word and word == word.lower() and not set(word) & set(" \n\t") for word in found)
    assert all(len(set(whole_tokens(text))) == len(whole_tokens(text)) for _ in range(1))


@given(st.lists(st.sampled_from(["노드가", "GPU", "NCCL이", "Xid", "79", "훈련", "é"]), max_size=8))
def test_decomposed_text_gives_the_same_words(parts: list[str]) -> None:
    text = " ".join(parts)
    assert tokenize(unicodedata.normalize("NFD", text)) == tokenize(text)


@given(st.from_regex(r"[A-Z]{2,6}(_[A-Z]{2,6}){1,3}", fullmatch=True))
def test_a_setting_is_always_found_by_its_whole_name(name: str) -> None:
    assert name.lower() in tokenize(f"set {name}=22, then restart")
    assert name.lower() in whole_tokens(f"`{name}`를 22로")

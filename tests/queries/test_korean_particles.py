"""Korean particles fit the sound before them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.queries.korean import josa
from tests.helpers.strategies import QUICK


@pytest.mark.parametrize(
    ("word", "pair", "wanted"),
    [
        ("노드", "은/는", "노드는"), ("결함", "은/는", "결함은"), ("결함", "이/가", "결함이"),
        ("서버", "과/와", "서버와"), ("재시작", "과/와", "재시작과"), ("서울", "으로/로", "서울로"),
        ("부산", "으로/로", "부산으로"), ("노드", "으로/로", "노드로"),
        ("IL-0480", "은/는", "IL-0480은"), ("IL-0023", "은/는", "IL-0023은"),
        ("IL-2", "은/는", "IL-2는"),
        ("IL-1", "으로/로", "IL-1로"), ("IL-3", "으로/로", "IL-3으로"), ("IL-7", "을/를", "IL-7을"),
        ("IL-4", "을/를", "IL-4를"), ("NCCL", "이/가", "NCCL이"), ("NCCL", "으로/로", "NCCL로"),
        ("GPU", "을/를", "GPU를"), ("VPN", "이/가", "VPN이"), ("OOM", "으로/로", "OOM으로"),
        ("Docker", "이/가", "Docker가"), ("reduce_scatter", "과/와", "reduce_scatter와"),
        ("DNR", "이/가", "DNR이"),
        ("노드(A)", "은/는", "노드(A)는"), ("결함.", "은/는", "결함.은"),
        ("", "은/는", "는"), ("!!", "은/는", "!!는"),
        ("장애", "이라는/라는", "장애라는"), ("결함", "이라는/라는", "결함이라는"),
    ],
)  # fmt: skip
def test_particles_fit_the_sound_before_them(word: str, pair: str, wanted: str) -> None:
    assert josa(word, pair) == wanted


@pytest.mark.parametrize(
    "word",
    [
        "Google Kubernetes Engine", "Google Compute Engine", "Anthropic", "Slack", "Puppet",
        "Reddit", "NVIDIA Container Toolkit", "PyTorch Lightning", "ArcticTraining", "WebDataset",
        "CUDA_LAUNCH_BLOCKING", "NCCL_IB_TIMEOUT", "PyTorch Join", "GitLab", "train_step",
        "Honeycomb", "iDRAC", "npm", "NCCL_IB_DISABLE", "Knight Capital", "SLURM", "vLLM",
    ],
)  # fmt: skip
def test_a_latin_word_that_korean_closes_with_a_consonant(word: str) -> None:
    assert [josa(word, p)[len(word) :] for p in ("은/는", "이/가", "을/를", "과/와")] == [
        "은", "이", "을", "과",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "word",
    [
        "PyTorch", "GPU", "InfiniBand", "GitHub", "NVLink", "Apache Spark", "ChatGPT", "MSK",
        "Claude", "Azure Compute", "Amazon DynamoDB", "CUDA_DEVICE_MAX_CONNECTIONS", "DNS",
        "FFN_HIDDEN_SIZE", "Kafka", "srun --wait", "Open Policy Agent", "Redis", "SageMaker",
        "save_checkpoint", "LD_PRELOAD", "Datadog", "BF16Optimizer", "bit",
    ],
)  # fmt: skip
def test_a_latin_word_that_korean_ends_in_a_vowel(word: str) -> None:
    assert [josa(word, p)[len(word) :] for p in ("은/는", "이/가", "을/를", "과/와")] == [
        "는", "가", "를", "와",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("word", "wanted"),
    [
        ("Google", "Google로"),
        ("Slack", "Slack으로"),
        ("MySQL", "MySQL로"),
        ("Engine", "Engine으로"),
    ],
)
def test_rieul_takes_the_short_form(word: str, wanted: str) -> None:
    assert josa(word, "으로/로") == wanted


@QUICK
@given(st.text(max_size=8), st.sampled_from(["은/는", "이/가", "을/를", "과/와", "으로/로"]))
def test_any_word_takes_one_particle_of_the_pair(word: str, pair: str) -> None:
    assert josa(word, pair) in {word + p for p in pair.split("/")}

"""Identifiers and names are found as wholes."""

from __future__ import annotations

import pytest

from kg.rca.names import capitalised, holds, identifiers


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("NCCL_IB_TIMEOUT=22 was set", ["NCCL_IB_TIMEOUT=22"]),
        ("the A100 and H100 GPUs", ["A100", "H100", "GPUs"]),
        ("run --kill-on-bad-exit=1 now", ["--kill-on-bad-exit=1"]),
        ("in torch/distributed/c10d.py:1191", ["torch/distributed/c10d.py:1191"]),
        ("PyTorch 2.4.1 hung", ["PyTorch", "2.4.1"]),
        ("a 16-GPU job, end-of-epoch, read/write and/or", ["GPU"]),
        ("IL-0480 on 2024-03-01 at 10:32", ["IL-0480", "2024-03-01", "10:32"]),
        ("see `dmesg -T` now", ["dmesg", "-T"]),
        ("the dog, e.g. 3,850 of 0.17 on the 3rd", []),
        ("It is NOT the cause, OK", []),
        ("1024*14 and 176B", ["1024*14", "176B"]),
        ("NCCL이 멈췄다", ["NCCL"]),
        ("train.py hung.", ["train.py"]),
        ("the \u0410100 GPU", ["\u0410100", "GPU"]),
    ],
)
def test_identifiers(text: str, found: list[str]) -> None:
    assert identifiers(text) == found


@pytest.mark.parametrize(
    ("text", "token", "held"),
    [
        ("NCCLX hung", "NCCL", False), ("NCCL hung", "NCCLX", False), ("NCCL이", "NCCL", True),
        ("nccl", "NCCL", True), ("A100-80GB", "A100", True), ("GB300", "B300", False),
        ("2.4.1", "2.4", False), ("2.4.1", "4.1", False), ("v2.4.", "v2.4", True),
        ("GPUs", "GPU", True), ("GPU", "GPUs", True), ("NCCL_IB_TIMEOUT", "NCCL_IB", False),
        ("torch.cuda.synchronize()", "torch.cuda.synchronize", True), ("a+b", "a+b", True),
    ],
)  # fmt: skip
def test_a_token_is_held_as_a_whole(text: str, token: str, held: bool) -> None:
    assert holds(text, token) is held


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("At first Initech saw it", ["Initech"]),
        ("Initech saw it", []),
        ("Acme Corp saw it", ["Corp"]),
        ("it hit Acme Corp and Initech", ["Acme Corp", "Initech"]),
        ("It hung. The rest: Nothing", []),
        ("하지만 Initech 직원은", ["Initech"]),
        ("see `Initech Thing` here", []),
        ("Initech가 보았다", ["Initech"]),
        ("작업은 Initech에서 돌았다", ["Initech"]),
        ("In P-1, 링크가 끊겼다", []),
    ],
)
def test_capitals_within_a_sentence_make_a_name(text: str, found: list[str]) -> None:
    assert capitalised(text) == found

"""What logs say: each rule by an example and a neighbour that it must not take."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.readers import read_vocabulary
from kg.readers.document import Document
from kg.readers.formats.log import FORMAT
from kg.readers.logrules import HINT, RULES
from kg.readers.logs import Finding, counted, log_findings
from kg.readers.xid import XID_NAMES, xid_name
from kg.vocab import Vocabulary
from tests.helpers.foreign import DATA, problem
from tests.helpers.strategies import QUICK

NODE = (DATA / "logs" / "node.log").read_text(encoding="utf-8")

SAYS = {
    "NVRM: Xid (PCI:0000:9b:00): 79, GPU has fallen off the bus.": ["Xid 79"],
    "NVRM: Xid (0000:03:00): 14, Channel 00000001": ["Xid 14"],
    "nvidia-nvswitch3: SXid (PCI:0000:05:00.0): 12028, Non-fatal, Link 32": ["SXid 12028"],
    "NVRM: GPU 0000:29:00.0: GPU has fallen off the bus.": ["GPU has fallen off the bus"],
    "NVRM: GPU 0000:01:00.0: RmInitAdapter failed! (0x26:0x56:1474)": ["RmInitAdapter failed"],
    "NVRM: The NVIDIA probe routine failed for 1 device(s).": ["NVIDIA probe routine failed"],
    "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate": ["CUDA out of memory"],
    "RuntimeError: CUDA error: an illegal memory access was encountered": [
        "CUDA error: an illegal memory access was encountered"
    ],
    "cuCtxCreate: CUDA_ERROR_ECC_UNCORRECTABLE": ["CUDA_ERROR_ECC_UNCORRECTABLE"],
    "code=700(cudaErrorIllegalAddress)": ["cudaErrorIllegalAddress"],
    "RuntimeError: CUBLAS_STATUS_EXECUTION_FAILED": ["CUBLAS_STATUS_EXECUTION_FAILED"],
    "Watchdog caught collective operation timeout: WorkNCCL(": ["NCCL watchdog timeout"],
    "ProcessGroupNCCL's watchdog got stuck for 480 seconds": ["NCCL watchdog stuck"],
    "Some NCCL operations have failed or timed out.": ["NCCL operations failed or timed out"],
    "Exception (either an error or timeout) detected by watchdog at work": [
        "NCCL watchdog exception"
    ],
    "NCCL error in: x.cpp:1, ncclSystemError: System call failed": ["ncclSystemError"],
    "NCCL WARN NET/IB : Got completion from peer 10.0.0.1 with status=12 opcode=0": [
        "NCCL completion status 12"
    ],
    "NCCL WARN NET/IB : mlx5_0:1 Got async event : port error": [
        "NCCL asynchronous event: port error"
    ],
    "NCCL WARN Call to connect returned Connection refused": ["NCCL WARN"],
    "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null)": ["oom-kill CONSTRAINT_MEMCG"],
    "Memory cgroup out of memory: Killed process 4242 (python)": ["cgroup out of memory"],
    "Out of memory: Kill process 456 (python) score 50": ["out of memory: killed process"],
    "python invoked oom-killer: gfp_mask=0xcc0": ["oom-killer invoked"],
    "oom_reaper: reaped process 345646 (vector)": ["oom_reaper reaped process"],
    "Container train exited with code 137": ["exit code 137"],
    '"exitCode": 137': ["exit code 137"],
    "exitcode : -9 (pid: 4242)": ["exit code -9"],
    "traceback : Signal 9 (SIGKILL) received by PID 4242": ["SIGKILL"],
    "python[4242]: segfault at 7f00 ip 0000": ["segmentation fault"],
    "Last State: Terminated Reason: OOMKilled": ["OOMKilled"],
    "Back-off restarting failed container: CrashLoopBackOff": ["CrashLoopBackOff"],
    'event reason="Evicted" pod=train-0': ["Evicted"],
    "skipping pod synchronization - PLEG is not healthy": ["PLEG is not healthy"],
    "Kubelet stopped posting node status.": ["kubelet stopped posting node status"],
    "mlx5_core 0000:5c:00.0: x: Detected insufficient power on the PCIe slot (27W).": [
        "mlx5 insufficient power on the PCIe slot"
    ],
    "mlx5_core: Port module event[error]: module 2, High Temperature detected": [
        "mlx5 port module error: High Temperature detected"
    ],
    "mlx5_core 0000:d2:00.0: x: ACCESS_REG(0x805) op_mod(0x1) failed": [
        "mlx5 command ACCESS_REG failed"
    ],
    "mlx5_core 0000:d2:00.0: device's health compromised - reached miss count": [
        "mlx5 health compromised"
    ],
    "mlx5_core 0000:d2:00.0 ens1: Link down": ["link down"],
    "wr error IBV_WC_RETRY_EXC_ERR": ["IBV_WC_RETRY_EXC_ERR"],
    "NETDEV WATCHDOG: eth0 (mlx5_core): transmit queue 3 timed out": ["transmit queue timed out"],
    "EXT4-fs error (device sda1): ext4_find_entry": ["EXT4-fs error"],
    "XFS (nvme0n1): Metadata corruption detected at xfs_agf": ["XFS corruption"],
    "XFS (nvme0n1): log error, Shutting down filesystem": ["XFS shut down"],
    "EXT4-fs (sda1): Remounting filesystem read-only": ["remounted read-only"],
    "blk_update_request: I/O error, dev sda, sector 1": ["I/O error"],
    "OSError: [Errno 28] No space left on device": ["no space left on device"],
    "OSError: [Errno 122] Disk quota exceeded": ["disk quota exceeded"],
    "OSError: [Errno 30] Read-only file system": ["read-only file system"],
    "OSError: [Errno 116] Stale file handle": ["stale file handle"],
    "nfs: server fs1 not responding, still trying": ["NFS server not responding"],
    "LustreError: 11-0: x-OST0001": ["LustreError"],
    "nvme nvme0: I/O 12 QID 3 timeout, aborting": ["NVMe timeout"],
    "OSError: [Errno 24] Too many open files": ["too many open files"],
    "Kernel panic - not syncing: Fatal exception": ["kernel panic"],
    "watchdog: BUG: soft lockup - CPU#3 stuck for 22s!": ["soft lockup"],
    "INFO: task python:4242 blocked for more than 120 seconds.": ["hung task"],
    "rcu: INFO: rcu_sched self-detected stall on CPU": ["RCU stall"],
    "pcieport 0000:00:01.0: AER: Corrected error received": ["PCIe AER: Corrected"],
    "mce: [Hardware Error]: Machine check events logged": ["machine check"],
    "EDAC MC0: 1 CE memory read error": ["EDAC CE"],
}

SAYS_NOTHING = [
    "NVRM: Xid error: xyz, invalid data",
    "NVRM: Xid (invalid): some error",
    "nvidia-nvswitch0: SXid (PCI:0000:00:00.0): xyz, Fatal error",
    "transaction xid 79 committed",
    "NCCL INFO NET/IB : Using [0]mlx5_0:1/IB",
    "CUBLAS_STATUS_SUCCESS",
    "cudaError_t status",
    "mlx5_core: ACCESS_REG successful",
    "mlx5_core: Detected insufficient power on the PCIe slot (W).",
    "mlx5_core 0000:d2:00.0 ens1: Link up",
    "process exited with code 0",
    "exit code 3.5",
    "exit 10 seconds later",
    "srun --kill-on-bad-exit=1",
    "The pod was Evicted",
    "out of memory reports were sent",
    "step 79, loss 1.37",
]


@pytest.mark.parametrize("message", SAYS)
def test_a_message_is_called_by_its_name(message: str) -> None:
    assert [one.name for one in log_findings(message)] == SAYS[message]


@pytest.mark.parametrize("message", SAYS_NOTHING)
def test_what_only_looks_like_it_is_not(message: str) -> None:
    assert log_findings(message) == ()


def test_every_rule_has_its_example_and_no_line_of_one_is_passed_over() -> None:
    taken = {rule for rule in RULES for text in SAYS if rule.pattern.search(text)}
    assert [rule.name for rule in RULES if rule not in taken] == []
    for text in SAYS:
        assert HINT.search(text)
        for rule in RULES:
            assert not rule.pattern.search(text) or any(need in text for need in rule.needs)


def found(name: str, vocabulary: Vocabulary | None = None) -> Finding:
    return next(one for one in log_findings(NODE, vocabulary) if one.name == name)


def test_a_finding_tells_how_often_when_and_where() -> None:
    one = found("Xid 119")
    assert (one.kind, one.count, one.line) == ("gpu", 2, 1)
    assert (one.first, one.last) == ("2024-12-01T14:54:40", "2024-12-01T14:54:46")
    assert (one.devices, one.hosts) == (("0000:9b:00",), ("gpu-7",))
    assert len(one.messages) == 1
    assert one.meaning == "GSP RPC Timeout"


def test_a_message_over_several_lines_counts_once() -> None:
    one = found("GPU has fallen off the bus")
    assert (one.count, one.line, one.devices) == (1, 3, ("0000:b3:00.0",))
    assert one.example.endswith("has fallen off the bus and is not responding to commands.")
    assert one.meaning == ""


def test_ranks_are_named() -> None:
    assert found("NCCL watchdog timeout").ranks == (3,)


def test_an_exit_by_kill_is_not_called_a_lack_of_memory() -> None:
    assert found("exit code 137").kind == "process"
    assert found("OOMKilled").kind == "kubernetes"


def test_terms_are_those_of_the_same_spelling(vocabulary: Vocabulary) -> None:
    lost = log_findings("NVRM: Xid (PCI:0000:44:00): 79, GPU has fallen off the bus", vocabulary)
    assert lost[0].terms == ("symptom:xid-error", "symptom:gpu-fallen-off-bus")
    assert found("NCCL watchdog timeout", vocabulary).terms == ("symptom:nccl-timeout",)
    assert found("OOMKilled", vocabulary).terms == ("symptom:oom-kill",)
    assert found("exit code 137", vocabulary).terms == ()
    every = {t for text in SAYS for one in log_findings(text, vocabulary) for t in one.terms}
    assert every <= set(vocabulary.terms)


def test_findings_come_in_order_of_their_lines_and_are_counted_by_kind() -> None:
    findings = log_findings(NODE)
    assert [one.line for one in findings] == sorted(one.line for one in findings)
    assert counted(findings)["gpu"] == 3
    assert next(iter(counted(findings))) == "gpu"


def test_a_code_that_is_not_in_the_list_has_no_meaning() -> None:
    assert xid_name(99999) == ""
    assert all(name and code > 0 for code, name in XID_NAMES.items())


def test_a_log_is_no_incident_and_it_is_said_what_to_do() -> None:
    log = Document("node.log", NODE)
    assert FORMAT.sure(log) == 0.9
    told = problem(FORMAT, log)
    assert told.line == 1
    assert "Xid 119 (line 1)" in told.message
    assert "kg diagnose" in told.remedy
    assert FORMAT.sure(Document("a.md", "# Outage\n\nLinks went down.\n")) == 0.0
    assert FORMAT.sure(Document("a.json", '{"title": "x"}')) == 0.0


def test_repeating_a_log_multiplies_the_counts_only() -> None:
    once, twice = log_findings(NODE), log_findings(NODE + NODE)
    assert [one.name for one in once] == [one.name for one in twice]
    assert [2 * one.count for one in once] == [one.count for one in twice]


@QUICK
@given(st.lists(st.sampled_from([*SAYS, *SAYS_NOTHING]), max_size=12))
def test_counts_are_those_of_looking_at_each_line_alone(lines: list[str]) -> None:
    counts: dict[str, int] = {}
    for line in lines:
        for one in log_findings(line):
            counts[one.name] = counts.get(one.name, 0) + 1
    assert {one.name: one.count for one in log_findings("\n".join(lines))} == counts


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return read_vocabulary(DATA.parents[2] / "datasets" / "vocabulary")

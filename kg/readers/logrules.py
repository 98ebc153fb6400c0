"""What is recognised in logs: for each message that a program is known to write, what it is called.

A rule names what the line says and nothing beyond it: `exit code 137` is not called a lack of
memory, since every SIGKILL ends so. Names of codes are those of the program that writes them.
"""

# A pattern is read in one piece.
# ruff: noqa: E501
from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    """A kind of message.

    Attributes:
        kind: what it comes from: `gpu`, `nvswitch`, `cuda`, `nccl`, `memory`, `process`,
            `kubernetes`, `network`, `storage` or `kernel`.
        name: what it is called; `{0}`, `{1}` are the groups of the pattern.
        pattern: what the message looks like.
        spelling: what the vocabulary may call it; "" to look its name up, "-" not to.
        needs: texts of which one stands in every such message; cheaper to look for.
    """

    kind: str
    name: str
    pattern: re.Pattern[str]
    spelling: str
    needs: tuple[str, ...]


def _rule(kind: str, name: str, needs: str, pattern: str, spelling: str = "") -> Rule:
    return Rule(kind, name, re.compile(pattern), spelling, tuple(needs.split("|")))


_PCI = r"[0-9a-fA-F:.]{4,16}"
_EXITED = (
    r"(?:[Ee]xit(?:ed)?(?:[ _-]?(?:code|status)| with(?: (?:code|status|exit code))?)?|exitCode)"
)
_REASONS = (
    "CrashLoopBackOff|ImagePullBackOff|ErrImagePull|FailedScheduling|FailedMount|FailedAttachVolume|"
    "FailedCreatePodSandBox|NodeNotReady|NetworkUnavailable|DiskPressure|MemoryPressure|PIDPressure|"
    "ContainerGCFailed|ImageGCFailed|EvictionThresholdMet|NodeHasDiskPressure|"
    "NodeHasInsufficientMemory|UnexpectedAdmissionError|OOMKilling|SystemOOM"
)

RULES: tuple[Rule, ...] = (
    # NVIDIA's kernel driver and its NVSwitch driver
    _rule("gpu", "Xid {0}", "Xid (", rf"\bXid \((?:PCI:)?{_PCI}\): (\d{{1,5}})\b", "Xid error"),
    _rule("nvswitch", "SXid {0}", "SXid (", rf"\bSXid \((?:PCI:)?{_PCI}\): (\d{{1,6}})\b", "-"),
    _rule(
        "gpu", "GPU has fallen off the bus", "fallen off the bus",
        rf"NVRM: (?:The NVIDIA )?GPU (?:{_PCI}).*fallen off the bus",
    ),
    _rule("gpu", "RmInitAdapter failed", "RmInitAdapter", r"NVRM:.*\bRmInitAdapter failed", "-"),
    _rule("gpu", "NVIDIA probe routine failed", "probe routine failed", r"NVRM: The NVIDIA probe routine failed", "-"),
    # CUDA and its libraries
    _rule(
        "cuda", "CUDA out of memory", "CUDA|torch|cudaError",
        r"CUDA out of memory|torch(?:\.cuda)?\.OutOfMemoryError|CUDA error: out of memory|"
        r"\bCUDA_ERROR_OUT_OF_MEMORY\b|\bcudaErrorMemoryAllocation\b",
    ),
    _rule("cuda", "CUDA error: {0}", "CUDA error: ", r"CUDA error: (?!out of memory)([a-z][a-zA-Z -]{3,60}[a-z])", "CUDA error"),
    _rule("cuda", "{0}", "CUDA_ERROR_", r"\b(CUDA_ERROR_(?!OUT_OF_MEMORY\b)[A-Z_]+)\b", "CUDA error"),
    _rule(
        "cuda", "{0}", "cudaError",
        r"\b(cudaError(?!MemoryAllocation\b|_t\b|_enum\b)[A-Z][A-Za-z]+)\b", "CUDA error",
    ),
    _rule("cuda", "{0}", "_STATUS_", r"\b((?:CUBLAS|CUDNN|CUSOLVER|CUSPARSE)_STATUS_(?!SUCCESS\b)[A-Z_]+)\b", "-"),
    # NCCL, and PyTorch's watchdog over it
    _rule("nccl", "NCCL watchdog timeout", "Watchdog caught", r"Watchdog caught collective operation timeout"),
    _rule("nccl", "NCCL watchdog stuck", "watchdog got stuck", r"ProcessGroupNCCL's watchdog got stuck", "-"),
    _rule("nccl", "NCCL operations failed or timed out", "Some NCCL", r"Some NCCL operations have failed or timed out", "-"),
    _rule(
        "nccl", "NCCL watchdog exception", "detected by watchdog",
        r"Exception \(either an error or timeout\) detected by watchdog", "-",
    ),
    _rule(
        "nccl", "{0}", "nccl",
        r"\b(nccl(?:UnhandledCuda|System|Internal|Remote)Error|ncclInvalid(?:Argument|Usage))\b", "NCCL error",
    ),
    _rule("nccl", "NCCL completion status {0}", "NET/IB", r"NET/IB ?: .*\bGot completion .*\bstatus[= ](\d+)", "-"),
    _rule("nccl", "NCCL asynchronous event: {0}", "NET/IB", r"NET/IB ?: .*Got async event : ([a-z][a-z ]{2,40}[a-z])", "-"),
    _rule("nccl", "NCCL WARN", "NCCL WARN", r"\bNCCL WARN (?!.*(?:Got completion .*\bstatus|Got async event))", "-"),
    # Memory: the kernel's own words
    _rule("memory", "oom-kill {0}", "oom-kill:", r"\boom-kill:constraint=([A-Z_]+)", "OOM kill"),
    _rule("memory", "cgroup out of memory", "Memory cgroup", r"Memory cgroup out of memory: Kill(?:ed)? process", "OOM kill"),
    _rule("memory", "out of memory: killed process", "ut of memory: Kill", r"(?<!cgroup )\b[Oo]ut of memory: Kill(?:ed)? process", "OOM kill"),
    _rule("memory", "oom-killer invoked", "invoked oom-killer", r"\binvoked oom-killer\b", "OOM killer"),
    _rule("memory", "oom_reaper reaped process", "oom_reaper", r"\boom_reaper: reaped process", "OOM kill"),
    # Ends of processes and containers
    _rule(
        "process", "exit code {0}", "xit",
        rf"(?<![-\w]){_EXITED}[\"']?\s*[:=]?\s*(-?(?!0\b)\d{{1,3}})\b(?![.\d]|\s*(?:s|ms|seconds|minutes|%))", "-",
    ),
    _rule("process", "{0}", "SIG", r"\b(SIG(?:KILL|SEGV|BUS|ABRT|TERM|FPE|ILL))\b", "-"),
    _rule("process", "segmentation fault", "segfault|Segmentation", r"\bsegfault at [0-9a-f]|Segmentation fault", "segfault"),
    # Kubernetes: reasons of events and states of containers
    _rule("kubernetes", "OOMKilled", "OOMKilled", r"\bOOMKilled\b"),
    _rule("kubernetes", "{0}", _REASONS, rf"\b({_REASONS})\b"),
    _rule("kubernetes", "{0}", "reason", r"\breason[\"']?\s*[:=]\s*[\"']?(Evicted|BackOff|Unhealthy|NotReady|Failed)\b", "-"),
    _rule("kubernetes", "PLEG is not healthy", "PLEG", r"\bPLEG is not healthy\b", "-"),
    _rule("kubernetes", "kubelet stopped posting node status", "stopped posting", r"[Kk]ubelet stopped posting node status"),
    # Network cards and InfiniBand
    _rule("network", "mlx5 insufficient power on the PCIe slot", "insufficient power", r"mlx5_core.*Detected insufficient power on the PCIe slot \(\d+W\)", "-"),
    _rule("network", "mlx5 port module error: {0}", "Port module event", r"mlx5_core.*Port module event\[error\]: module \d+, ([A-Za-z][A-Za-z ]{2,50}[a-z])", "-"),
    _rule("network", "mlx5 command {0} failed", "op_mod(", r"mlx5_core.*\b([A-Z][A-Z_]+)\(0x[0-9a-f]+\) op_mod\(0x[0-9a-f]+\) failed", "-"),
    _rule("network", "mlx5 health compromised", "health compromised", r"mlx5_core.*health compromised", "-"),
    _rule("network", "link down", "ink", r"\b(?:mlx[45]_\w+|\w*(?:eth|ib|en|bond)\w*)\b.*\b[Ll]ink (?:is )?[Dd]own\b|NIC Link is Down"),
    _rule("network", "{0}", "IBV_", r"\b(IBV_WC_[A-Z_]*ERR|IBV_EVENT_(?:PORT_ERR|DEVICE_FATAL|QP_FATAL))\b", "-"),
    _rule("network", "transmit queue timed out", "NETDEV WATCHDOG", r"NETDEV WATCHDOG: .*transmit queue \d+ timed out", "-"),
    # File systems and disks
    _rule("storage", "EXT4-fs error", "EXT4-fs", r"\bEXT4-fs error\b", "-"),
    _rule("storage", "XFS corruption", "XFS (", r"\bXFS \([^)]+\): (?:Metadata corruption detected|Internal error|.*[Cc]orruption)", "-"),
    _rule("storage", "XFS shut down", "XFS (", r"\bXFS \([^)]+\): .*[Ss]hutting down filesystem", "-"),
    _rule("storage", "remounted read-only", "emounting filesystem", r"[Rr]emounting filesystem read-only", "-"),
    _rule("storage", "I/O error", "I/O error|Input/output error", r"\bI/O error, dev(?:ice)? \w+|Buffer I/O error on dev|\bInput/output error\b", "-"),
    _rule("storage", "no space left on device", "No space left|ENOSPC", r"No space left on device|\bENOSPC\b"),
    _rule("storage", "disk quota exceeded", "quota exceeded|EDQUOT", r"[Dd]isk quota exceeded|\bEDQUOT\b", "-"),
    _rule("storage", "read-only file system", "Read-only file|EROFS", r"Read-only file system|\bEROFS\b", "-"),
    _rule("storage", "stale file handle", "tale|ESTALE", r"Stale (?:NFS )?file handle|\bESTALE\b", "-"),
    _rule("storage", "NFS server not responding", "nfs: server", r"\bnfs: server \S+ not responding", "-"),
    _rule("storage", "LustreError", "LustreError", r"\bLustreError: ", "-"),
    _rule("storage", "NVMe timeout", "nvme", r"\bnvme nvme\d+: (?:I/O|I/O tag) .*timeout|\bnvme nvme\d+: controller is down", "-"),
    _rule("storage", "too many open files", "open files|EMFILE", r"Too many open files|\bEMFILE\b", "-"),
    # The kernel itself
    _rule("kernel", "kernel panic", "Kernel panic", r"Kernel panic - not syncing"),
    _rule("kernel", "soft lockup", "soft lockup", r"\bBUG: soft lockup - CPU#", "-"),
    _rule("kernel", "hung task", "blocked for more", r"\btask \S+ blocked for more than \d+ seconds", "-"),
    _rule("kernel", "RCU stall", "stall", r"\brcu.*(?:self-)?detected stall", "-"),
    _rule("kernel", "PCIe AER: {0}", "AER: ", r"\bAER: (?:Multiple )?((?:Uncorrected|Uncorrectable|Corrected)(?: \((?:Non-)?Fatal\))?) error", "-"),
    _rule("kernel", "machine check", "[Hardware Error]", r"mce: \[Hardware Error\]", "-"),
    _rule("kernel", "EDAC {0}", "EDAC", r"\bEDAC \w+.*\b\d+ ([CU]E)\b", "-"),
)  # fmt: skip

HINT = re.compile(
    "|".join(sorted({re.escape(n) for rule in RULES for n in (*rule.needs, "NVRM:")}))
)
"""What stands in every line of a message that a rule fits: most lines are passed over by it."""

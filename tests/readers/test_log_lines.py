"""Lines of logs: what stands before a message, what makes a log, what changes between lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.readers.loglines import LogLine, log_line, log_lines, looks_like_log, normalised
from tests.helpers.foreign import DATA
from tests.helpers.strategies import QUICK

NODE = (DATA / "logs" / "node.log").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("line", "at", "host", "rank", "message"),
    [
        ("[ 1843.308145] NVRM: hi", "boot+1843.308145", "", None, "NVRM: hi"),
        ("[Sun Dec  1 14:54:40 2024] gpu-7 kernel: mlx5_core: x", "2024-12-01T14:54:40", "gpu-7",
         None, "mlx5_core: x"),
        ("kern  :warn  : 2025-01-21T04:41:44,283302+00:00 NVRM: hi", "2025-01-21T04:41:44Z", "",
         None, "NVRM: hi"),
        ("6,3964,206764307,-;nvidia-nvswitch2: open", "boot+206.764307", "", None,
         "nvidia-nvswitch2: open"),
        ("Dec  1 14:55:09 gpu-7 kernel: EXT4-fs error", "--12-01T14:55:09", "gpu-7", None,
         "EXT4-fs error"),
        ("[rank2]:[E626 05:06:30.929096625 ProcessGroupNCCL.cpp:632] [Rank 2] Watchdog",
         "--06-26T05:06:30", "", 2, "Watchdog"),
        ("> [E ProcessGroupNCCL.cpp:481] [Rank 65] Watchdog", "", "", 65, "Watchdog"),
        ("[1831] [rank4]:[E602 11:18:52.5 ProcessGroupNCCL.cpp:684] [Rank 4] x",
         "--06-02T11:18:52", "", 4, "x"),
        ('E1201 14:55:10.000000    1234 kubelet.go:2000] "SyncLoop"', "--12-01T14:55:10", "", None,
         '"SyncLoop"'),
        ("2024-12-01T14:55:02.123456789Z stderr F ERROR: out", "2024-12-01T14:55:02Z", "", None,
         "out"),
        ("2024-12-01 14:55:02,123 - INFO - step 3", "2024-12-01T14:55:02", "", None,
         "- INFO - step 3"),
        ("node-1:4242:4250 [3] NCCL WARN Timeout", "", "node-1", None, "NCCL WARN Timeout"),
        ("[1,5]<stderr>: Segmentation fault", "", "", 5, "Segmentation fault"),
        ('{"time": "2024-12-01T14:55:02Z", "msg": "boom", "rank": 3, "host": "a"}',
         "2024-12-01T14:55:02Z", "a", 3, "boom"),
        ("no prefix at all", "", "", None, "no prefix at all"),
    ],
)  # fmt: skip
def test_what_stands_before_a_message(
    line: str, at: str, host: str, rank: int | None, message: str
) -> None:
    found = log_line(line, 7)
    assert (found.at, found.host, found.rank, found.message) == (at, host, rank, message)
    assert found.line == 7
    assert found.prefixed == (message != line)


def test_a_time_that_is_not_in_the_calendar_is_none() -> None:
    assert log_line("2024-13-01T14:55:02Z x").at == ""
    assert log_line("[Sun Feb 30 14:54:40 2024] x").at == ""


def test_lines_keep_their_numbers() -> None:
    assert [one.line for one in log_lines("a\n\n b\n")] == [1, 3]


def test_logs_are_recognised() -> None:
    assert looks_like_log(NODE)
    assert looks_like_log("NVRM: Xid (PCI:0000:44:00): 79, GPU has fallen off the bus")
    trace = "2024-12-01 14:55:02 ERROR failed\nTraceback (most recent call last):\n"
    assert looks_like_log(trace + '  File "a.py", line 3, in <module>\n    x()\nValueError: x\n')


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The links went down at 10:05 and came back at 10:20.\nWe rolled back.\n",
        "# Outage\n\n```\n[ 1843.308145] NVRM: hi\n```\n\nWe saw the line above. It was bad.\n",
        "# Timeline\n- [ ] mend it\n| 10:05 | down |\n2024-12-01 14:55:02 it broke\n",
        "title,cause\nA,B\n",
        "Dear all,\nthe cluster is down since Monday.\nRegards\n",
    ],
)
def test_reports_are_no_logs(text: str) -> None:
    assert not looks_like_log(text)


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("Xid (PCI:0000:9b:00): 119, pid=2024380, name=x", "Xid (PCI:<pci>): 119, pid=<n>, name=x"),
        ("at 0x546fb0=0x11f000e", "at <hex>=<hex>"),
        ("from 10.0.0.12:8080 to aa:bb:cc:dd:ee:01", "from <ip> to <mac>"),
        ("rank 12 waits, Rank 7 too", "rank <n> waits, rank <n> too"),
        ("GPU-509665ad-b600-ac93-3616-d754b23d636d", "GPU-<uuid>"),
        ("2024-12-01T14:55:02Z SeqNum=120049", "<time> SeqNum=<n>"),
        ("commit 3fc28fa1c647 failed with 137", "commit <hash> failed with 137"),
    ],
)
def test_what_changes_is_written_alike(message: str, said: str) -> None:
    assert normalised(message) == said


@QUICK
@given(st.text(alphabet='[]{}0123456789:,. ->#"abEXidrank\n\u0660'))
def test_no_text_raises(text: str) -> None:
    assert looks_like_log(text) in (True, False)
    for one in log_lines(text):
        assert isinstance(one, LogLine)
        assert isinstance(normalised(one.message), str)

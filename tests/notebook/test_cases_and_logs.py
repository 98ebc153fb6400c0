"""A case with its claims and quotations, and the findings of a log, as HTML."""

from __future__ import annotations

import pytest

from kg.errors import CaseNotFound
from kg.library import Library
from kg.notebook import log_view, show_case

LOG = """\
2026-07-01T03:12:07Z node-17 kernel: NVRM: Xid (PCI:0000:b3:00): 79, GPU has fallen off the bus.
2026-07-01T03:12:09Z node-17 python[4121]: [rank12]: Watchdog caught collective operation timeout
2026-07-01T03:12:10Z node-18 python[4133]: [rank20]: Watchdog caught collective operation timeout
"""


@pytest.mark.parametrize("lang", ["en", "ko"])
def test_every_claim_stands_with_status_and_quotation(quick: Library, lang: str) -> None:
    html = show_case(quick, "IL-0480", lang)._repr_html_()
    case = quick.get("IL-0480").resolved()
    for claim_id, _ in case.claim_ids():
        assert f">{claim_id.rpartition('#')[2]}<" in html
    for word in {"en": ("confirmed", "ruled out"), "ko": ("확정", "배제")}[lang]:
        assert word in html
    assert f".{lang}]" in html
    assert html.startswith(f'<div class="kg-view" lang="{lang}">')


def test_what_is_not_stated_is_said(quick: Library) -> None:
    assert "time to recover: not stated" in show_case(quick, "IL-0480").html
    assert "복구까지: 적혀 있지 않음" in show_case(quick, "IL-0480", "ko").html


def test_a_case_that_is_not_there(quick: Library) -> None:
    with pytest.raises(CaseNotFound):
        show_case(quick, "IL-048")


def test_a_log_is_told_by_its_findings(quick: Library) -> None:
    html = log_view(quick, LOG, "en").html
    assert "Xid 79" in html
    assert "GPU has fallen off the bus" in html
    assert "rank 12, rank 20" in html
    assert "NCCL timeout" in html
    assert '<td class="kg-n">2</td>' in html


def test_labels_follow_the_language(quick: Library) -> None:
    assert "NCCL 타임아웃" in log_view(quick, LOG, "ko").html
    assert "줄 수" in log_view(quick, f"학습이 멈췄다\n{LOG}").html


def test_no_finding_is_not_called_fine(quick: Library) -> None:
    assert "does not say that nothing is wrong" in log_view(quick, "all is quiet", "en").html


def test_a_log_line_stays_text(quick: Library) -> None:
    html = log_view(quick, LOG.replace("has fallen", "<script>alert(1)</script> has fallen")).html
    assert "<script>" not in html
    assert "&lt;script&gt;" in html

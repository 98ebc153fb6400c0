"""N12 to N22: GPUs, memory, networks, storage."""

from __future__ import annotations

import itertools

import pytest

from kg.errors import TermNotFound
from kg.graph import Relation
from kg.model import Status
from kg.queries.sharing import confirmed_causes


def test_n12_a100(check_r, quick):
    check_r(["A100 80GB", "A100"], "component:a100", "gpu-model", "0428")
    (edge,) = quick.graph.edges_to("component:a100")
    assert edge.value == "80GB"


def test_n13_h100(check_r):
    check_r(["H100"], "component:h100", "gpu-model", "0127 0025")


def test_n14_b300(check_r):
    check_r(["B300", "NVIDIA B300"], "component:b300", "gpu-model", "0480")


NAMES = ("A100", "H100", "B300", "NCCL", "NCCLX")


@pytest.mark.parametrize(("left", "right"), list(itertools.permutations(NAMES, 2)))
def test_n12_n13_n14_n28_no_two_merge(quick, vocabulary, left, right):
    a, b = vocabulary.resolve(left), vocabulary.resolve(right)
    assert a.id != b.id
    assert right.casefold() not in {s.casefold() for _, s in a.spellings()}
    named = {t.term for t in quick.tag(f"{left}에서 멈췄다")}
    assert {t for t in named if t.startswith("component:")} == {a.id}
    assert b.id not in vocabulary.broader_steps(a.id)
    for near in {f"{left}0", f"{left}Y", left[:-1]} - set(NAMES):
        with pytest.raises(TermNotFound):
            vocabulary.resolve(near)


def test_n15_hbm3(check_r, quick):
    term = check_r(["HBM3", "HBM3 메모리"], "component:hbm3", "memory", "0127")
    assert term.part_of == ("component:h100",)
    assert not term.broader
    assert quick.graph.nx.has_edge("component:hbm3", "component:h100", key="PART_OF")


def test_n16_infiniband(check_r, quick):
    check_r(["InfiniBand", "IB"], "component:infiniband", "network", "0023 0025 0126")
    out = [e for e in quick.graph.edges_to("component:infiniband") if e.case_id == "IL-0480"]
    assert [e.status for e in out] == [Status.RULED_OUT]
    assert "IL-0480" not in quick.list(component="InfiniBand").ids
    # "The network was not the cause": stated, kept, and counted for nothing.
    network = [e for e in quick.graph.edges_to("cause:network-fault") if e.case_id == "IL-0480"]
    assert [e.status for e in network] == [Status.RULED_OUT]
    assert any("The network was not the cause" in s.quote for s in network[0].evidence)
    assert confirmed_causes(quick.graph, "IL-0480") == ["cause:collective-mismatch"]
    ranked = quick.shared_causes(["IL-0480", "IL-0023", "IL-0025", "IL-0126"], minimum=1)
    told = {c.cause: c.cases for c in ranked if "IL-0480" in (*c.cases, *c.suspected)}
    assert told
    for cause in told:
        assert cause in quick.vocabulary.broader_steps("cause:collective-mismatch")


def test_n17_rdma(check_r):
    check_r(["RDMA"], "component:rdma", "network", "0023")


def test_n18_gpudirect_rdma(check_r):
    check_r(["GPUDirect RDMA", "GDR"], "component:gpudirect-rdma", "feature", "0025")


def test_n19_nvlink(check_r):
    check_r(["NVLink"], "component:nvlink", "network", "0025")


def test_n20_pcie_cable_and_acs(check_r, quick):
    check_r(["PCIe cable", "PCIe 케이블"], "component:pcie-cable", "hardware", "0025")
    check_r(["PCIe ACS"], "component:pcie-acs", "setting", "0025")
    (edge,) = quick.graph.edges_to("component:pcie-acs")
    assert (edge.role, edge.value) == ("changed", "off")
    # Turned off in order to enable GPUDirect: what a mitigation acted on, not a cause.
    assert {s.field for s in edge.evidence} == {"mitigation"}
    mitigations = quick.graph.edges_of("IL-0025", Relation.MITIGATED_BY)
    gdr = next(e for e in mitigations if e.target == "mitigation:enable-gpudirect")
    assert any("PCIe ACS" in text for _, text in gdr.statement)


def test_n21_nvme(check_r):
    check_r(["NVMe"], "component:nvme", "storage", "0480")


def test_n22_ufm(check_r):
    check_r(["UFM", "Unified Fabric Manager"], "tool:ufm", "monitoring", "0025")

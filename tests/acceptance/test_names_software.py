"""N27 to N40, N58 and N59: libraries, frameworks, features, runtimes."""

from __future__ import annotations

from kg.graph import Relation
from kg.model import Frame, Status, parse_frame


def _check_frame(quick, term, file, line, function):
    """The value of the claim is a stack frame, and the quoted text holds the same frame."""
    (edge,) = quick.graph.edges_to(term)
    expected = Frame(file=file, line=line, function=function)
    assert parse_frame(edge.value or "") == expected
    for span in edge.evidence:
        assert parse_frame(span.quote) == expected
        assert f"{function} ({file}:{line})" in span.quote


def test_n27_nccl(check_r, quick, five):
    check_r(["NCCL"], "component:nccl", "software", "0428 0023 0127 0025 0125 0480")
    assert quick.top_components(five)[0] == ("component:nccl", 4)


def test_n28_ncclx(check_r, vocabulary):
    term = check_r(["NCCLX"], "component:ncclx", "software", "0127")
    assert term.variant_of == ("component:nccl",)
    assert not term.broader
    assert vocabulary.resolve("NCCL").id == "component:nccl"


def test_n29_pytorch(check_r):
    check_r(["PyTorch"], "component:pytorch", "software", "0428 0023 0127 0417 0480")


def test_n30_fsdp(check_r, quick):
    check_r(["FSDP", "FULL_SHARD", "FSDP FULL_SHARD"], "component:fsdp", "feature", "0480")
    (edge,) = quick.graph.edges_to("component:fsdp")
    assert edge.value == "FULL_SHARD"


def test_n31_pytorch_join(check_r, quick):
    check_r(["PyTorch Join", "PyTorch의 Join"], "component:pytorch-join", "feature", "0480")
    uncovered = [
        target
        for _, target, relation in quick.graph.nx.out_edges("component:pytorch-join", "relation")
        if relation == Relation.DOES_NOT_COVER
    ]
    assert sorted(uncovered) == ["component:dist-barrier", "component:fsdp"]
    # The same is an edge of the graph's own list, not of networkx alone.
    own = [e for e in quick.graph.edges if e.relation is Relation.DOES_NOT_COVER]
    assert [e.target for e in own] == ["component:dist-barrier", "component:fsdp"]


def test_n32_fused_adam(check_r, quick):
    check_r(["apex FusedAdam", "FusedAdam"], "component:fused-adam", "software", "0428")
    (edge,) = quick.graph.edges_to("component:fused-adam")
    assert edge.status is Status.SUSPECTED
    causes = quick.graph.edges_of("IL-0428", Relation.CAUSED_BY)
    suspected = [e for e in causes if e.status is Status.SUSPECTED]
    assert len(suspected) == 4
    assert [e.target for e in suspected if any("FusedAdam" in t for _, t in e.statement)] == [
        "cause:optimizer-kernel-defect"
    ]
    assert quick.graph.cases_of("component:fused-adam", status=Status.CONFIRMED) == []


def test_n33_deepspeed(check_r, quick):
    names = ["DeepSpeed", "deepspeed/runtime/pipe/engine.py:540"]
    check_r(names, "component:deepspeed", "software", "0428")
    file = "deepspeed/runtime/pipe/engine.py"
    _check_frame(quick, "component:deepspeed", file, 540, "_aggregate_total_loss")


def test_n34_megatron(check_r, quick):
    names = ["Megatron", "megatron/training.py:915"]
    check_r(names, "component:megatron", "software", "0428")
    _check_frame(quick, "component:megatron", "megatron/training.py", 915, "train")


def test_n35_torch_distributed(check_r, quick):
    names = ["torch.distributed", "distributed_c10d.py:1191"]
    check_r(names, "component:torch-distributed", "software", "0428")
    file = "torch/distributed/distributed_c10d.py"
    _check_frame(quick, "component:torch-distributed", file, 1191, "broadcast")


def test_n36_modified_megatron(check_r, vocabulary):
    spellings = ["Megatron-LM (modified)", "Megatron-LM", "modified Megatron-LM"]
    term = check_r(spellings, "component:megatron-lm-modified", "software", "0417")
    assert term.variant_of == ("component:megatron",)
    assert vocabulary.resolve("Megatron").id == "component:megatron"
    assert not vocabulary.get("component:megatron").variant_of


def test_n37_cuda(check_r):
    check_r(["CUDA"], "component:cuda", "software", "0428 0417")
    allocator, queue = "component:cuda-memory-allocator", "component:cuda-hw-queue"
    names = ["CUDA memory allocator", "CUDA 메모리 할당기"]
    assert check_r(names, allocator, "software", "0417").broader == ("component:cuda",)
    names = ["CUDA HW queue", "CUDA 하드웨어 큐"]
    assert check_r(names, queue, "software", "0417").broader == ("component:cuda",)
    check_r([], "component:cuda", "software", "0428 0417", narrower=True)


def test_n38_python_gc(check_r, quick):
    spellings = ["Python GC", "가비지 컬렉션", "자동 GC", "파이썬 GC", "garbage collection"]
    check_r(spellings, "component:python-gc", "software", "0417 0025")
    explained = quick.explain("IL-0417", "IL-0025")
    pause = "cause:garbage-collection-pause"
    assert ("case:IL-0417", pause, "case:IL-0025") in [p.nodes for p in explained.paths]
    assert (explained.shared[0].term, explained.shared[0].steps) == (pause, (0, 0))
    assert explained.same_cause == "yes"
    assert pause in [c.cause for c in quick.shared_causes(["IL-0417", "IL-0025"])]


def test_n40_slurm(check_r):
    check_r(["SLURM", "Slurm"], "component:slurm", "software", "0428 0125")


def test_n58_cloud_python_api(check_r, quick):
    spellings = ["클라우드 Python API", "클라우드 업체의 Python API", "cloud Python API"]
    check_r(spellings, "component:cloud-python-api", "software", "0126")
    (edge,) = quick.graph.edges_to("component:cloud-python-api")
    said = dict(edge.statement)["en"]
    assert "checkpoint" in said
    assert "download" in said


def test_n59_training_data_loader(check_r, quick):
    spellings = ["학습 데이터 로더", "데이터 로더", "data loader", "dataloader"]
    check_r(spellings, "component:training-data-loader", "software", "0480")
    assert quick.list(component="데이터 로더").ids == ("IL-0480",)
    assert "component:training-data-loader" in {t.term for t in quick.tag("데이터 로더가 느리다")}

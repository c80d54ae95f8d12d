# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the pass makes, broken on purpose: the sanitizer finds it, or the numbers differ.

The mistakes are those that such loops have had when they were written by hand, and when compilers
wrote them first.
"""

from __future__ import annotations

import pathlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType, i1
from xdsl.ir import Operation, SSAValue

import xgpu
from tests.circular.loops import Case, text_of
from tests.circular.runs import buffered, check
from tests.support.some_cases import each, short
from xgpu.core import ods
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.gpu.syntax import WORKGROUP_COUNT
from xgpu.kernels.circular import numbers
from xgpu.kernels.circular import plan as planning
from xgpu.tools import xgpu_opt
from xgpu.transforms.scf.builders import if_else

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

#: What is at a line of a case.
_LOOP, _READ, _WRITE = "scf.for", "memref.load", "memref.store"
_BULK_STORE = "nvgpu.tma.async.store"
_WAIT = "nvgpu.mbarrier.try_wait.parity"


def _kernel(module: ModuleOp) -> Operation:
    """The kernel of the buffered loop: the second one."""
    return [op for op in module.walk() if op.name == "gpu.launch"][1]


def _all(module: ModuleOp, name: str) -> list[Operation]:
    return [op for op in _kernel(module).walk() if op.name == name]


def _loops(module: ModuleOp) -> list[Operation]:
    """The loops that compute: the main loop, and the epilogue where there is one."""
    return _all(module, "scf.for")[-2:]


def _constant(before: Operation, number: int) -> Rewriter:
    rw = Rewriter(before)
    rw.value("arith.constant", (), IndexType(), {"value": IntegerAttr(number, IndexType())})
    return rw


def _behind(value: SSAValue) -> Operation:
    assert isinstance(value.owner, Operation)
    return value.owner


def phase_through_memory(module: ModuleOp) -> None:
    """D1: what a wait is for is kept in workgroup memory by one thread, for all, with nothing in
    between."""
    kernel = _kernel(module)
    body = kernel.regions[0].block
    count = kernel.properties.get(WORKGROUP_COUNT) or kernel.attributes[WORKGROUP_COUNT]
    assert isinstance(count, IntegerAttr)
    space = ods.enum("gpu.address_space", "workgroup")
    ty = MemRefType(i1, [1], memory_space=space)
    memory = body.insert_arg(ty, 12 + count.value.data)
    kernel.attributes[WORKGROUP_COUNT] = IntegerAttr(count.value.data + 1, count.type)
    wait = _all(module, _WAIT)[0]
    rw = Rewriter(wait)
    at = rw.value("arith.constant", (), IndexType(), {"value": IntegerAttr(0, IndexType())})
    thread = rw.value("gpu.thread_id", (), IndexType(), {"dimension": ods.enum("gpu.dim", "x")})
    is_first = numbers.compare(rw, numbers.EQ, thread, 0)

    def keep() -> list[SSAValue]:
        rw.create("memref.store", [wait.operands[1], memory, at])
        return []

    if_else(rw, is_first, (), keep)
    wait.operands[1] = rw.value("memref.load", [memory, at], i1)


def no_barrier_before_a_stage_is_filled_again(module: ModuleOp) -> None:
    """D2."""
    for loop in _loops(module):
        barrier = [op for op in loop.regions[0].block.ops if op.name == "gpu.barrier"][-1]
        barrier.detach()


def epilogue_begins_early(module: ModuleOp) -> None:
    """D4."""
    tail = _loops(module)[-1]
    rw = Rewriter(tail)
    one = rw.value("arith.constant", (), IndexType(), {"value": IntegerAttr(1, IndexType())})
    tail.operands[0] = rw.value("arith.subi", [tail.operands[0], one], IndexType())


def epilogue_begins_before_the_first_iteration(module: ModuleOp) -> None:
    """D5: with fewer iterations than are copied ahead."""
    tail = _loops(module)[-1]
    clamp = tail.operands[0].owner
    assert isinstance(clamp, Operation)
    assert clamp.name == "arith.maxsi"
    tail.operands[0] = clamp.operands[0]


def invalidated_while_others_wait(module: ModuleOp) -> None:
    """D6."""
    end = _kernel(module).regions[0].block.last_op
    assert end is not None
    assert end.prev_op is not None
    barrier = end.prev_op.prev_op
    assert barrier is not None
    assert barrier.name == "gpu.barrier"
    barrier.detach()


def one_barrier_is_left(module: ModuleOp) -> None:
    """D6, the other half."""
    Rewriter(last := _all(module, "nvvm.mbarrier.inval")[-1]).erase(last)


def no_fence_before_the_first_copy(module: ModuleOp) -> None:
    """D7."""
    for op in _all(module, "nvvm.fence.mbarrier.init"):
        op.detach()


def no_barrier_behind_the_initialization(module: ModuleOp) -> None:
    barrier = _all(module, "nvgpu.mbarrier.init")[-1]
    while barrier.name != "gpu.barrier":
        assert barrier.next_op is not None
        barrier = barrier.next_op
    barrier.detach()


def too_few_bytes(module: ModuleOp) -> None:
    for op in _all(module, "nvgpu.mbarrier.arrive.expect_tx"):
        op.operands[1] = _constant(op, 128).anchor.prev_op.results[0]  # type: ignore[union-attr]


def too_many_bytes(module: ModuleOp) -> None:
    for op in _all(module, "nvgpu.mbarrier.arrive.expect_tx"):
        op.operands[1] = _constant(op, 512).anchor.prev_op.results[0]  # type: ignore[union-attr]


def too_few_arrivals(module: ModuleOp) -> None:
    """The empty barriers count one warp only."""
    for op in _all(module, "nvgpu.mbarrier.init"):
        if op.operands[1].owner.name != "arith.constant":  # type: ignore[union-attr]
            op.operands[1] = _constant(op, 32).anchor.prev_op.results[0]  # type: ignore[union-attr]


def parity_of_the_inner_index(module: ModuleOp) -> None:
    """nvFuser's: the parity, but not the stage, is that of the innermost loop's index."""
    for wait in _all(module, _WAIT):
        loop = wait.parent_op()
        assert loop is not None
        parity = _behind(wait.operands[1])
        turn = _behind(_behind(parity.operands[0]).operands[0])
        if _behind(turn.operands[0]).name == "arith.addi":
            turn.operands[0] = loop.regions[0].block.args[0]


def drained_behind_the_barrier(module: ModuleOp) -> None:
    """nvFuser's and MLIR's tutorial's: a wait for what still reads orders one warp only."""
    for op in _all(module, "nvvm.cp.async.bulk.wait_group"):
        barrier = op.next_op
        while barrier is not None and barrier.name not in ("gpu.barrier", "nvgpu.mbarrier.arrive"):
            barrier = barrier.next_op
        assert barrier is not None
        assert op.parent is not None
        op.detach()
        barrier.parent.insert_op_after(op, barrier)  # type: ignore[union-attr]


def not_drained(module: ModuleOp) -> None:
    for op in _all(module, "nvvm.cp.async.bulk.wait_group"):
        op.detach()


SIMPLE = Case("bulk", "pipelined", 3, 2, "simple")
STORES = Case("thread", "pipelined", 3, 2, "simple")
EMPTY = Case("bulk", "pipelined-mbarrier", 3, 1, "simple")
NESTED = Case("bulk", "pipelined", 3, 2, "nested")
EMPTIED = Case("bulk", "pipelined", 3, 2, "emptied")
EMPTIED_ROLES = Case("bulk", "warp-specialized", 3, 2, "emptied")

#: Each with the kind of a finding and what is at the lines of its two sides: what the pass builds
#: itself is at the line of the loop.
MUTATIONS: list[Any] = [
    (SIMPLE, phase_through_memory, "race", {_LOOP}),
    (SIMPLE, no_barrier_before_a_stage_is_filled_again, "race", {_LOOP, _READ}),
    (STORES, epilogue_begins_before_the_first_iteration, "memory", {_WRITE, "gpu.alloc"}),
    (EMPTY, invalidated_while_others_wait, "race", {_LOOP}),
    (SIMPLE, no_fence_before_the_first_copy, "race", {_LOOP}),
    (SIMPLE, too_many_bytes, "sync", {_LOOP}),
    (EMPTY, too_few_arrivals, "sync", {_LOOP}),
    (NESTED, parity_of_the_inner_index, "race", {_LOOP, _READ}),
    (EMPTIED, drained_behind_the_barrier, "race", {_LOOP, _BULK_STORE}),
    *(
        pytest.param(*values, marks=pytest.mark.long)
        for values in (
            (SIMPLE, epilogue_begins_early, "init", {_READ}),  # no copy has filled it
            (EMPTIED, not_drained, "race", {_LOOP, _BULK_STORE}),
            (SIMPLE, too_few_bytes, "race", {_LOOP, _READ}),
            (SIMPLE, no_barrier_behind_the_initialization, "race", {_LOOP}),
            (SIMPLE, epilogue_begins_before_the_first_iteration, "sync", {_LOOP}),
            (STORES, no_barrier_before_a_stage_is_filled_again, "race", {_WRITE, _READ}),
            (EMPTIED_ROLES, drained_behind_the_barrier, "race", {_LOOP, _BULK_STORE}),
            (EMPTIED_ROLES, not_drained, "race", {_LOOP, _BULK_STORE}),
        )
    ),
]


@pytest.mark.parametrize(
    ("case", "mutate", "kind", "places"), each(MUTATIONS, 4),
    ids=lambda p: getattr(p, "__name__", None),
)
def test_a_mistake_is_found(
    case: Case, mutate: Callable[[ModuleOp], None], kind: str, places: set[str]
) -> None:
    text = text_of(case)
    module = buffered(text)
    mutate(module)
    lines = text.splitlines()
    found = [
        (one.kind, {lines[side.line - 1].strip() for side in one.sides if side.line})
        for one in xgpu.sanitize(module)
    ]
    assert any(
        each == kind and len(sides) == len(places) and all(_is_at(p, sides) for p in places)
        for each, sides in found
    ), found


def _is_at(place: str, lines: set[str]) -> bool:
    return any(place in line for line in lines)


@pytest.mark.parametrize(
    ("case", "mutate", "words"),
    [
        (STORES._replace(constant=5), epilogue_begins_early, "numbers differ"),
        (SIMPLE, one_barrier_is_left, "3 barriers are made, 2 invalidated"),
    ],
)
def test_what_is_no_race_is_seen_in_what_comes_out(
    case: Case, mutate: Callable[[ModuleOp], None], words: str
) -> None:
    problem = check(case, mutate)
    assert problem is not None
    assert words in problem


def test_a_buffer_for_nothing_is_seen_in_the_schedule(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """D3: three buffers, and one tile ahead. Nothing goes wrong; what is in flight says it."""
    case = SIMPLE._replace(prefetch=1)
    assert check(case) is None
    path = tmp_path / "case.mlir"
    path.write_text(text_of(case))
    assert xgpu_opt.main([str(path), "--print-buffer-schedule", "-o", str(tmp_path / "out")]) == 0
    said = capsys.readouterr().err
    assert "only 2 of 3 stages have a tile at any time: a prefetch distance of 2" in said


@pytest.mark.parametrize("way", short(["thread-pipelined", "bulk-pipelined"], "bulk-pipelined"))
def test_refilled_at_the_distance_of_the_stages(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """nvFuser's: what is asked for has the stage that is being read."""
    monkeypatch.setenv("XGPU_NO_CACHE", "1")
    groups = planning.groups_of

    def too_far(*given: object) -> list[planning.Group]:
        found = groups(*given)  # type: ignore[arg-type]
        for group in found:
            group.ahead = group.stages
        return found

    monkeypatch.setattr(planning, "groups_of", too_far)
    transport, mode = way.split("-")
    problem = check(Case(transport, mode, 3, 2, "simple"))
    assert problem is not None
    assert "race" in problem or "sync" in problem, problem

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the pass makes, broken on purpose: the sanitizer finds it, or the numbers differ.

The mistakes are those that such loops have had when they were written by hand, and when compilers
wrote them first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Operation, SSAValue

from tests.circular.loops import Case
from tests.circular.runs import check
from xgpu.rewriting.rewriter import Rewriter
from xgpu.transforms.circular import plan as planning

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

_LOAD = "nvgpu.tma.async.load"
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

MUTATIONS: list[tuple[Case, Callable[[ModuleOp], None], str]] = [
    (SIMPLE, no_barrier_before_a_stage_is_filled_again, "race"),
    (STORES, no_barrier_before_a_stage_is_filled_again, "race"),
    (SIMPLE, epilogue_begins_early, "sync"),
    (STORES._replace(constant=5), epilogue_begins_early, "differ"),
    (SIMPLE, epilogue_begins_before_the_first_iteration, "sync"),
    (STORES, epilogue_begins_before_the_first_iteration, "memory"),
    (EMPTY, invalidated_while_others_wait, "race"),
    (SIMPLE, one_barrier_is_left, "2 invalidated"),
    (SIMPLE, no_fence_before_the_first_copy, "race"),
    (SIMPLE, no_barrier_behind_the_initialization, "race"),
    (SIMPLE, too_few_bytes, "sync"),
    (SIMPLE, too_many_bytes, "sync"),
    (EMPTY, too_few_arrivals, "sync"),
    (NESTED, parity_of_the_inner_index, "sync"),
    (EMPTIED, drained_behind_the_barrier, "race"),
    (EMPTIED_ROLES, drained_behind_the_barrier, "race"),
    (EMPTIED, not_drained, "race"),
    (EMPTIED_ROLES, not_drained, "race"),
]


@pytest.mark.parametrize(
    ("case", "mutate", "words"), MUTATIONS, ids=lambda p: getattr(p, "__name__", None)
)
def test_a_mistake_is_found(case: Case, mutate: Callable[[ModuleOp], None], words: str) -> None:
    problem = check(case, mutate)
    assert problem is not None
    assert words in problem, problem


@pytest.mark.parametrize("way", ["thread-pipelined", "bulk-pipelined"])
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

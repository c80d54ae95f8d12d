# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops in which a thread waits for what another writes to memory.

    ^wait:                                             // ld.volatile until it is set
      %v = llvm.load volatile %flag
      %set = llvm.icmp "ne" %v, %zero
      llvm.cond_br %set, ^go, ^wait

Such a loop stores nothing, and whether it ends depends on a volatile or atomic load, or on an
atomic operation that is tried again with the same operands (a lock). A loop around a
compare-and-swap whose expected value is what was read last is none: it goes round again because
another got on.
A thread that runs by itself lets the others go first each time (`yield_in_spins`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.ir import Block, Operation, SSAValue

from xgpu.backend.host import operations
from xgpu.backend.host.code import Code, FunctionState
from xgpu.backend.host.types import I32
from xgpu.backend.host.vectors.graph import Graph, Loop
from xgpu.ir.branches import successor_operands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from xdsl.ir import BlockArgument


def yield_in_spins(function: Operation, state: FunctionState) -> None:
    """Lets other threads go first wherever a loop waits for them."""
    region = function.regions[0]
    if not any(_may_wait(op) for block in region.blocks for op in block.ops):
        return
    graph = Graph(region)
    for loop, _ in spins(graph):
        first = graph.blocks[loop.header].first_op
        assert first is not None
        Code(state, first).wait("yield", Code(state, state.end).integer(0, I32))


def spins(graph: Graph) -> Iterator[tuple[Loop, Operation]]:
    """The loops that wait, each with the read that they wait for."""
    for loop in graph.loops:
        read = _awaited(graph, loop)
        if read is not None:
            yield loop, read


def _may_wait(op: Operation) -> bool:
    if op.name == "llvm.load":
        return operations.is_ordered(op)
    return op.name in operations.ATOMICS


def _awaited(graph: Graph, loop: Loop) -> Operation | None:
    inside = {graph.blocks[b] for b in loop.blocks}
    if any(_does_more(op) for block in inside for op in block.ops):
        return None
    pending: list[SSAValue] = []
    for b, _ in loop.exits:
        last = graph.blocks[b].last_op
        assert last is not None
        pending += last.operands[:1]
    seen: set[SSAValue] = set()
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        owner = value.owner
        if isinstance(owner, Block):
            if owner in inside:
                pending += _incoming(graph, cast("BlockArgument", value), inside)
        elif owner.parent in inside:
            if _may_wait(owner) and _tries_again(owner, inside):
                return owner
            pending += owner.operands
    return None


def _does_more(op: Operation) -> bool:
    """Whether a loop with `op` in it does work while it waits."""
    return op.name == "llvm.store" or operations.is_barrier(op) or op.name.startswith("nvvm.cp.")


def _tries_again(read: Operation, inside: set[Block]) -> bool:
    """Whether a read is the same each time: atomic operations with what they bring along."""
    if read.name == "llvm.load":
        return True
    return all(_home(operand) not in inside for operand in read.operands[1:2])


def _home(value: SSAValue) -> Block | None:
    owner = value.owner
    if isinstance(owner, Block):
        return owner
    return None if owner.name in operations.CONSTANTS else owner.parent


def _incoming(graph: Graph, value: BlockArgument, inside: set[Block]) -> list[SSAValue]:
    found: list[SSAValue] = []
    for b, k in graph.edges_in[graph.number[value.owner]]:
        last = graph.blocks[b].last_op
        if last is None or last.parent not in inside:
            continue
        given = successor_operands(last, k)
        if given is not None and value.index < len(given):
            found.append(given[value.index])
    return found

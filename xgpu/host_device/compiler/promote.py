# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Private memory as values, where it is read and written at known places only.

    %m = llvm.alloca 1 x array<2 x i64>                  ->  (nothing)
    llvm.store %a, %m
    %p = llvm.getelementptr %m[0, 1]; llvm.store %b, %p
    %v = llvm.load %m                                    ->  uses of %v are of %a

A lowering leaves such memory behind for what it chose by number (`memref.dim`), and front ends for
every variable. As memory, its content would differ in every lane. Block arguments stand where ways
meet that stored different values (dominance frontiers, pruned where nobody reads any more).
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Operation, SSAValue

from xgpu.core import ods
from xgpu.core.ir.construction import nested_operations
from xgpu.core.ir.dominance import ControlFlowGraph
from xgpu.core.ir.region_flow import set_successor_operands, successor_operands
from xgpu.host_device.compiler.operations import is_ordered
from xgpu.host_device.compiler.types import gep_strides, plain, size_of

if TYPE_CHECKING:
    from xdsl.ir import Attribute


#: On a function that may read memory of its own before it has written to it.
UNWRITTEN = "host.unwritten"


class _Slot:
    """A scalar at a known place in an allocation."""

    __slots__ = ("loads", "size", "stores", "type")

    def __init__(self, ty: Attribute, size: int) -> None:
        self.type = ty
        self.size = size
        self.loads: list[Operation] = []
        self.stores: list[Operation] = []


def promote(function: Operation) -> None:
    """Changes a function in place; it gets the attribute `UNWRITTEN` where a way leads to a load of
    what nothing has stored."""
    allocas = [op for op in nested_operations(function) if op.name == "llvm.alloca"]
    if not allocas:
        return
    graph = ControlFlowGraph(function.regions[0])
    frontiers = graph.frontiers()
    children = graph.children()
    for op in allocas:
        found = _slots(op)
        if found is None:
            continue
        slots, addresses = found
        for slot in slots.values():
            if _promote(graph, frontiers, children, slot):
                function.attributes[UNWRITTEN] = UnitAttr()
        for address in reversed(addresses):
            _erase(address)


def _slots(alloca: Operation) -> tuple[dict[int, _Slot], list[Operation]] | None:
    """The scalars of an allocation by offset, and all addresses; None if some use is another."""
    slots: dict[int, _Slot] = {}
    addresses = [alloca]
    pending: list[tuple[SSAValue, int]] = [(alloca.results[0], 0)]
    while pending:
        address, at = pending.pop()
        for use in address.uses:
            op = use.operation
            if op.name == "llvm.getelementptr" and len(op.operands) == 1:
                strides = gep_strides(op)
                if strides is None:
                    return None
                addresses.append(op)
                pending.append((op.results[0], at + strides[0]))
            elif op.name == "llvm.addrspacecast":
                addresses.append(op)
                pending.append((op.results[0], at))
            elif not _access(op, use.index, at, slots):
                return None
    places = sorted(slots)
    for here, following in pairwise(places):
        if here + slots[here].size > following:
            return None
    return slots, addresses


def _access(op: Operation, index: int, at: int, slots: dict[int, _Slot]) -> bool:
    """Notes a load or store of a slot. Whether it is one."""
    if op.name == "llvm.load":
        ty = op.results[0].type
    elif op.name == "llvm.store" and index == 1:
        ty = op.operands[0].type
    else:
        return False
    size = size_of(ty)
    if is_ordered(op) or size is None or ty.name in ("llvm.struct", "llvm.array", "vector"):
        return False
    slot = slots.setdefault(at, _Slot(ty, size))
    if slot.type != ty:
        return False
    (slot.loads if op.name == "llvm.load" else slot.stores).append(op)
    return True


def _erase(op: Operation) -> None:
    op.detach()
    op.erase()


def _promote(
    graph: ControlFlowGraph, frontiers: list[set[int]], children: list[list[int]], slot: _Slot
) -> bool:
    """Whether there is a load of what nothing has stored."""
    number = graph.number
    writers = {number[b] for op in slot.stores if (b := op.parent) is not None and b in number}
    joins = _joins(writers, frontiers) & _live_in(graph, slot, writers)
    arguments: dict[int, SSAValue] = {}
    for b in sorted(joins):
        block = graph.blocks[b]
        arguments[b] = block.insert_arg(plain(slot.type), len(block.args))
    return _rename(graph, children, slot, arguments)


def _joins(writers: set[int], frontiers: list[set[int]]) -> set[int]:
    found: set[int] = set()
    stack = list(writers)
    while stack:
        for b in frontiers[stack.pop()]:
            if b not in found:
                found.add(b)
                stack.append(b)
    return found


def _live_in(graph: ControlFlowGraph, slot: _Slot, writers: set[int]) -> set[int]:
    """Blocks at whose beginning the content is read later."""
    accesses = {id(op): op for op in (*slot.loads, *slot.stores)}
    live: set[int] = set()
    for block in {op.parent for op in slot.loads}:
        if block is None or block not in graph.number:
            continue
        first = next(op for op in block.ops if id(op) in accesses)
        if first.name == "llvm.load":
            live.add(graph.number[block])
    stack = list(live)
    while stack:
        for p, _ in graph.edges_in[stack.pop()]:
            if p not in live and p not in writers:
                live.add(p)
                stack.append(p)
    return live


def _rename(
    graph: ControlFlowGraph, children: list[list[int]], slot: _Slot, arguments: dict[int, SSAValue]
) -> bool:
    accesses = {id(op) for op in (*slot.loads, *slot.stores)}
    value: SSAValue
    ty = plain(slot.type)
    nothing = ods.create("llvm.mlir.poison", (), (ty,))
    entry = graph.blocks[0]
    first = entry.first_op
    assert first is not None
    entry.insert_op_before(nothing, first)
    stack: list[tuple[int, SSAValue]] = [(0, nothing.results[0])]
    while stack:
        b, value = stack.pop()
        if b in arguments:
            value = arguments[b]
        block = graph.blocks[b]
        for op in list(block.ops):
            if id(op) not in accesses:
                continue
            if op.name == "llvm.store":
                value = op.operands[0]
            else:
                op.results[0].replace_all_uses_with(value)
            _erase(op)
        _pass_on(graph, b, value, arguments)
        stack += [(c, value) for c in children[b]]
    if nothing.results[0].first_use is not None:
        return True
    _erase(nothing)
    return False


def _pass_on(
    graph: ControlFlowGraph, b: int, value: SSAValue, arguments: dict[int, SSAValue]
) -> None:
    last = cast("Operation", graph.blocks[b].last_op)
    for k, target in enumerate(graph.successors[b]):
        if target in arguments:
            given = successor_operands(last, k) or []
            set_successor_operands(last, k, [*given, value])

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel's control flow in the form that the analyses expect.

* One block returns. Ways that end in `llvm.unreachable` go there too: what makes them unreachable
  (a trap, a failed assertion) ends the kernel at run time.
* A barrier is the last operation of its block before a branch.
* Each loop has one latch, and a block of its own before its header.
* `llvm.switch` is a chain of `llvm.cond_br`.

Values of struct, array and vector type are `scalarize`'s.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Block, Operation, SSAValue

from xgpu.core import ods
from xgpu.core.ir.blocks import split_before
from xgpu.core.ir.construction import operations_of
from xgpu.core.ir.dominance import ControlFlowGraph
from xgpu.core.ir.elements import values_of
from xgpu.core.ir.region_flow import (
    case_sizes,
    predecessor_edges,
    segment_sizes,
    set_successor_operands,
    successor_operands,
)
from xgpu.host_device.compiler.operations import is_barrier

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerType
    from xdsl.ir import Attribute, LocationAttr, Region


def prepare(function: Operation) -> None:
    """Brings the body of an `llvm.func` into that form."""
    region = function.regions[0]
    for block in list(region.blocks):
        last = block.last_op
        if last is not None and last.name == "llvm.switch":
            _expand_switch(last)
    _remove_unreachable(region)
    _unify_returns(region)
    for block in list(region.blocks):
        for op in operations_of(block):
            if is_barrier(op) and op.next_op is not None and not _ends(op.next_op):
                _end_block_after(op)
    _simplify_loops(region)
    for block in region.blocks:
        for op in operations_of(block):
            if op.name == "llvm.extractvalue":
                _move_to_producer(op)


def _move_to_producer(op: Operation) -> None:
    """Takes a member of a struct where the struct is made: no struct leaves its block."""
    producer = op.operands[0].owner
    if isinstance(producer, Block) or producer.parent is None or producer.parent is op.parent:
        return
    op.detach()
    producer.parent.insert_op_after(op, producer)


def _ends(op: Operation) -> bool:
    """Whether `op` is an unconditional branch without arguments."""
    return op.name == "llvm.br" and not op.operands


def _end_block_after(op: Operation) -> None:
    assert op.next_op is not None
    head, tail = split_before(op.next_op)
    append(head, "llvm.br", (), successors=(tail,), location=op.location)


def append(
    block: Block,
    name: str,
    operands: Sequence[SSAValue | Sequence[SSAValue]] = (),
    result_types: Sequence[Attribute] = (),
    properties: Mapping[str, Attribute] | None = None,
    successors: Sequence[Block] = (),
    location: LocationAttr | None = None,
) -> Operation:
    """Creates an operation at the end of `block`."""
    op = ods.create(
        name, operands, result_types, properties, successors=successors, location=location
    )
    block.add_op(op)
    return op


def _remove_unreachable(region: Region) -> None:
    from xgpu.core.ir.dominance import program_order

    kept = set(program_order(region))
    dead = [b for b in region.blocks if b not in kept]
    for block in dead:
        for op in operations_of(block):
            op.drop_all_references()
    for block in dead:
        region.detach_block(block)


def _unify_returns(region: Region) -> None:
    ends = [
        b.last_op for b in region.blocks
        if b.last_op is not None and b.last_op.name in ("llvm.return", "llvm.unreachable")
    ]  # fmt: skip
    if len(ends) == 1 and ends[0].name == "llvm.return":
        return
    last = Block()
    region.add_block(last)
    location = ends[0].location if ends else None
    append(last, "llvm.return", location=location)
    for op in ends:
        block = op.parent
        assert block is not None
        op.detach()
        op.erase()
        append(block, "llvm.br", successors=(last,), location=op.location)


def _expand_switch(op: Operation) -> None:
    """Compares with one case after the other."""
    cases_attr = op.properties.get("case_values")
    values = (
        [int(v) for v in values_of(cast("DenseIntOrFPElementsAttr", cases_attr))]
        if cases_attr is not None
        else []
    )
    condition = op.operands[0]
    block = cast("Block", op.parent)
    sizes = segment_sizes(op)
    default = list(op.operands[1 : 1 + sizes[1]])
    at = 1 + sizes[1]
    cases: list[list[SSAValue]] = []
    for size in case_sizes(op):
        cases.append(list(op.operands[at : at + size]))
        at += size
    targets = list(op.successors)
    location = op.location
    op.detach()
    op.erase()
    region = cast("Region", block.parent)
    for value, operands, target in zip(values, cases, targets[1:], strict=True):
        constant = append(
            block, "llvm.mlir.constant", (), (condition.type,),
            {"value": IntegerAttr(value, cast("IntegerType", condition.type))}, location=location,
        ).results[0]  # fmt: skip
        equal = append(
            block, "llvm.icmp", (condition, constant), (ods_i1(),),
            {"predicate": IntegerAttr(0, i64)}, location=location,
        ).results[0]  # fmt: skip
        following = Block()
        region.insert_block_after(following, block)
        append(
            block, "llvm.cond_br", (equal, operands, ()), successors=(target, following),
            location=location,
        )  # fmt: skip
        block = following
    append(block, "llvm.br", default, successors=(targets[0],), location=location)


def ods_i1() -> IntegerType:
    from xdsl.dialects.builtin import i1

    return i1


def _simplify_loops(region: Region) -> None:
    graph = ControlFlowGraph(region)
    if graph.irreducible is not None:
        return
    for loop in graph.loops:
        header = graph.blocks[loop.header]
        inside = {graph.blocks[b] for b in loop.blocks}
        edges = predecessor_edges(header)
        back = [e for e in edges if e[0].parent in inside]
        entering = [e for e in edges if e[0].parent not in inside]
        if len(back) > 1:
            _merge_edges(header, back, region.insert_block_before)
        if len(entering) != 1 or len(entering[0][0].successors) != 1:
            _merge_edges(header, entering, region.insert_block_before)


def separate_region_ends(function: Operation) -> None:
    """Gives each region between barriers one block at its end, and edges with operands that leave
    a branch between regions a block of their own (see `regions`)."""
    from xgpu.host_device.compiler.vectors.regions import find_leaders

    region = function.regions[0]
    graph = ControlFlowGraph(region)
    leaders, owner = find_leaders(graph)
    for leader in sorted(leaders):
        by_owner: dict[int, list[tuple[Operation, int]]] = {}
        for b, k in graph.edges_in[leader]:
            by_owner.setdefault(owner[b], []).append(
                (cast("Operation", graph.blocks[b].last_op), k)
            )
        for edges in by_owner.values():
            if len(edges) > 1:
                _merge_edges(graph.blocks[leader], edges, region.insert_block_before)
            elif len(edges[0][0].successors) > 1 and graph.blocks[leader].args:
                split_edge(*edges[0])


def _merge_edges(
    target: Block, edges: list[tuple[Operation, int]], insert: Callable[[Block, Block], None]
) -> Block:
    """A new block before `target` that these edges lead to, with the same arguments."""
    block = Block(arg_types=[a.type for a in target.args])
    for new, old in zip(block.args, target.args, strict=True):
        new.location = old.location
    insert(block, target)
    location = edges[0][0].location
    for op, index in edges:
        op.successors[index] = block
    append(block, "llvm.br", list(block.args), successors=(target,), location=location)
    return block


def split_edge(op: Operation, index: int) -> Block:
    """A new block on the edge `index` of the branch `op`; it passes the operands on."""
    target = op.successors[index]
    operands = successor_operands(op, index)
    assert operands is not None
    block = Block()
    region = target.parent
    assert region is not None
    region.insert_block_before(block, target)
    set_successor_operands(op, index, [])
    op.successors[index] = block
    append(block, "llvm.br", operands, successors=(target,), location=op.location)
    return block

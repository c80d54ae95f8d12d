# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`buffer-loop-hoisting`: allocations move out of loops.

An allocation goes as far out as the operations around it are loops, its sizes are known there and
its buffer does not live beyond the loop's iteration anyway (a yielded buffer stays). Source: MLIR
22.1 BufferOptimizations.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Block, Operation, SSAValue

from xgpu.core.ir.liveness import definition_block
from xgpu.core.ir.op_info import traits_of
from xgpu.core.ir.region_flow import edges, is_region_branch, region_ends
from xgpu.core.passes.base import Pass
from xgpu.dialects.bufferization.canonicalize import BufferOrigins

if TYPE_CHECKING:
    from xdsl.context import Context

_ALLOCATIONS = frozenset({"memref.alloc", "memref.alloca"})


def _is_loop(op: Operation) -> bool:
    """Whether a region of `op` may follow itself."""
    if "LoopLikeOpInterface" in traits_of(op.name):
        return True
    if not is_region_branch(op):
        return False
    return any(
        flow.target == index
        for index in range(len(op.regions))
        for end in region_ends(op, index)
        for flow in edges(op, end)
    )


def _is_inside(block: Block, op: Operation) -> bool:
    around = block.parent_op()
    while around is not None and around is not op:
        around = around.parent_op()
    return around is op


def _target(alloc: Operation, origins: BufferOrigins, values: list[SSAValue]) -> Operation:
    """The operation that the allocation can stand before."""
    result = alloc.results[0]
    aliases = [v for v in values if v is not result and result in origins.origins(v)]
    target: Operation = alloc
    while True:
        block = target.parent
        loop = None if block is None else block.parent_op()
        if loop is None or not _is_loop(loop):
            return target
        if any(_is_inside(definition_block(operand), loop) for operand in alloc.operands):
            return target
        if not all(_is_inside(definition_block(alias), loop) for alias in aliases):
            return target
        target = loop


class BufferLoopHoistingPass(Pass):
    """Allocations move out of loops."""

    name = "buffer-loop-hoisting"
    summary = "Optimizes placement of allocation operations by moving them out of loop nests"
    anchor = "func.func"

    def run(self, op: Operation, ctx: Context) -> None:
        hoist_allocations(op)


def hoist_allocations(root: Operation) -> None:
    """Moves the allocations in `root` out of loops."""
    allocations = [inner for inner in root.walk() if inner.name in _ALLOCATIONS]
    if not allocations:
        return
    origins = BufferOrigins(root)
    values: list[SSAValue] = []
    for inner in root.walk():
        values.extend(inner.results)
        for region in inner.regions:
            for block in region.blocks:
                values.extend(block.args)
    for alloc in allocations:
        target = _target(alloc, origins, values)
        if target is alloc:
            continue
        alloc.detach()
        block = target.parent
        assert block is not None
        block.insert_op_before(alloc, target)

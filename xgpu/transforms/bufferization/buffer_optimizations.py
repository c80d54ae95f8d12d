# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`buffer-loop-hoisting` and `drop-equivalent-buffer-results`: fewer allocations and fewer
results.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ArrayAttr, FunctionType, MemRefType, UnrankedMemRefType
from xdsl.ir import Block, Operation, SSAValue

from xgpu.core.ir.calls import callee_name, has_body
from xgpu.core.ir.liveness import definition_block
from xgpu.core.ir.op_info import traits_of
from xgpu.core.ir.region_flow import edges, is_region_branch, region_ends
from xgpu.core.ir.symbols import resolve, visibility
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.bufferization.canonicalize import BufferOrigins

if TYPE_CHECKING:
    from xdsl.context import Context


# --- buffer loop hoisting ------------------------------------------------------------------------
# `buffer-loop-hoisting`: allocations move out of loops.
#
# An allocation goes as far out as the operations around it are loops, its sizes are known there and
# its buffer does not live beyond the loop's iteration anyway (a yielded buffer stays). Source: MLIR
# 22.1 BufferOptimizations.cpp.


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


# --- drop equivalent buffer results --------------------------------------------------------------
# `drop-equivalent-buffer-results`: a function does not return what its caller gave it.
#
#     func.func private @f(%m: memref<?xf32>) -> memref<?xf32> { ... return %m : memref<?xf32> }
#     =>
#     func.func private @f(%m: memref<?xf32>) { ... return }
#
# Public functions keep their results, unless `modify-public-functions`, which is MLIR 23's, says
# otherwise. Source: MLIR 22.1 DropEquivalentBufferResults.cpp.


_BUFFERS = (MemRefType, UnrankedMemRefType)


def _returned_arguments(function: Operation) -> dict[int, int]:
    """For each result that is the same argument at each return which one."""
    ends = [op for op in function.walk() if op.name == "func.return"]
    first = function.regions[0].first_block
    if not ends or first is None:
        return {}
    found: dict[int, int] = {}
    for index in range(len(ends[0].operands)):
        values = {_uncast(end.operands[index]) for end in ends}
        value = values.pop()
        if not values and value in first.args and isinstance(value.type, _BUFFERS):
            found[index] = first.args.index(value)
    return found


def _uncast(value: SSAValue) -> SSAValue:
    while isinstance(value.owner, Operation) and value.owner.name == "memref.cast":
        value = value.owner.operands[0]
    return value


def _drop_results(function: Operation, dropped: dict[int, int]) -> None:
    kind = function.properties["function_type"]
    assert isinstance(kind, FunctionType)
    outputs = [ty for at, ty in enumerate(kind.outputs.data) if at not in dropped]
    function.properties["function_type"] = FunctionType.from_lists(kind.inputs.data, outputs)
    attributes = function.properties.get("res_attrs")
    if isinstance(attributes, ArrayAttr):
        kept = [entry for at, entry in enumerate(attributes.data) if at not in dropped]
        function.properties["res_attrs"] = ArrayAttr(kept)
    for op in function.walk():
        if op.name == "func.return":
            op.operands = [v for at, v in enumerate(op.operands) if at not in dropped]


def _update_call(call: Operation, dropped: dict[int, int]) -> None:
    rw = Rewriter(call)
    types = [result.type for at, result in enumerate(call.results) if at not in dropped]
    new = rw.create(call.name, call.operands, types, call.properties, call.attributes)
    left = iter(new.results)
    values: list[SSAValue] = []
    for at, result in enumerate(call.results):
        if at not in dropped:
            values.append(next(left))
            continue
        value = call.operands[dropped[at]]
        if value.type != result.type:
            value = rw.value("memref.cast", (value,), result.type)
        values.append(value)
    rw.replace(call, values)


class DropEquivalentBufferResultsPass(Pass):
    """Results that are arguments go."""

    name = "drop-equivalent-buffer-results"
    summary = "Remove MemRef return values that are equivalent to a bbArg"
    anchor = "builtin.module"
    options = (
        Option("modify-public-functions", bool, False, "Public functions lose results too."),
    )

    modify_public_functions: bool

    def run(self, op: Operation, ctx: Context) -> None:
        calls: dict[Operation, list[Operation]] = {}
        for call in op.walk():
            name = callee_name(call) if call.name == "func.call" else None
            path = None if name is None else resolve(call, name)
            if path:
                calls.setdefault(path[-1], []).append(call)
        for function in op.regions[0].block.ops:
            if function.name != "func.func" or not has_body(function):
                continue
            if visibility(function) == "public" and not self.modify_public_functions:
                continue
            dropped = _returned_arguments(function)
            if not dropped:
                continue
            _drop_results(function, dropped)
            for call in calls.get(function, ()):
                _update_call(call, dropped)

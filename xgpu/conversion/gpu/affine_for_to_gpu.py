# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""convert-affine-for-to-gpu: perfectly nested affine.for loops at the top of a function become
a launch.

The first `gpu-block-dims` loops go to blocks, the next `gpu-thread-dims` to threads. A loop from
lower to upper by step runs (upper - lower) ceildiv step times; iteration id has the induction
value lower + step * id. Source: MLIR 22.1 SCFToGPU.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, Region, SSAValue

from xgpu.core.ir.errors import error
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.rewriter import Rewriter
from xgpu.dialects.arith.builders import index_constant
from xgpu.dialects.gpu.ops import is_inside
from xgpu.transforms.affine.expand import expand_map

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import (
        AffineMapAttr,
        DenseArrayBase,
        IntegerAttr,
        IntegerType,
    )

_INDEX = IndexType()


class ConvertAffineForToGpu(Pass):
    """Converts top-level affine.for loops to GPU kernels."""

    name = "convert-affine-for-to-gpu"
    summary = "Convert top-level AffineFor Ops to GPU kernels"
    anchor = "func.func"
    options = (
        Option("gpu-block-dims", int, 1, "Number of GPU block dimensions for mapping"),
        Option("gpu-thread-dims", int, 1, "Number of GPU thread dimensions for mapping"),
    )

    gpu_block_dims: int
    gpu_thread_dims: int

    def run(self, op: Operation, ctx: Context) -> None:
        for region in op.regions:
            for block in region.blocks:
                for loop in list(block.ops):
                    if loop.name == "affine.for":
                        _convert(loop, self.gpu_block_dims, self.gpu_thread_dims)


class _Loop(NamedTuple):
    lower: SSAValue
    size: SSAValue
    step: SSAValue
    step_value: int
    variable: SSAValue


def _bounds(loop: Operation) -> tuple[list[SSAValue], list[SSAValue]]:
    sizes = cast("DenseArrayBase[IntegerType]", loop.properties["operandSegmentSizes"])
    lower, upper, _ = sizes.get_values()
    operands = list(loop.operands)
    return operands[:lower], operands[lower : lower + upper]


def _nest(root: Operation, count: int) -> list[Operation]:
    """The `count` loops from `root` inwards; an error if they cannot be mapped together."""
    loops = [root]
    while len(loops) < count:
        body = loops[-1].regions[0].block
        first = body.first_op
        if first is None or first.next_op is None or first.next_op.next_op is not None:
            raise error(loops[-1], "expected perfectly nested loops in the body")
        if first.name != "affine.for":
            raise error(first, "expected a nested loop")
        for operand in first.operands:
            owner = operand.owner
            block = owner if isinstance(owner, Block) else owner.parent
            if is_inside(block, root.regions[0]):
                raise error(
                    first, "loops with bounds depending on other mapped loops are not supported"
                )
        loops.append(first)
    return loops


def _convert(root: Operation, blocks: int, threads: int) -> None:
    if blocks < 1 and threads < 1:
        return
    for count, what in ((blocks, "block"), (threads, "thread")):
        if count > 3:
            raise error(root, f"cannot map to more than 3 {what} dimensions")
    nest = _nest(root, blocks + threads)
    rw = Rewriter(root)
    loops = [_measure(loop, rw) for loop in nest]
    rw.location = root.location
    one = index_constant(rw, 1) if blocks < 3 or threads < 3 else None
    sizes = [loop.size for loop in loops]
    grid = [*sizes[:blocks], *([one] * (3 - blocks))]
    block_sizes = [*sizes[blocks:], *([one] * (3 - threads))]
    body = Block(arg_types=[_INDEX] * 12)
    rw.create("gpu.launch", ([], *grid, *block_sizes, *([None] * 4)), regions=[Region(body)])
    _move(nest[-1].regions[0].block, body)
    _replace_indices(loops, body, blocks)
    rw.erase(root)


def _measure(loop: Operation, rw: Rewriter) -> _Loop:
    """Emits bounds, iteration count and step of a loop before the nest."""
    rw.location = loop.location
    low_operands, up_operands = _bounds(loop)
    lower_map = cast("AffineMapAttr", loop.properties["lowerBoundMap"])
    upper_map = cast("AffineMapAttr", loop.properties["upperBoundMap"])
    lower = _extreme(rw, "arith.maxsi", expand_map(rw, lower_map.data, low_operands))
    upper = _extreme(rw, "arith.minsi", expand_map(rw, upper_map.data, up_operands))
    size = rw.value("arith.subi", [upper, lower], _INDEX)
    attribute = cast("IntegerAttr", loop.properties["step"])
    step = index_constant(rw, attribute.value.data)
    if attribute.value.data != 1:
        size = rw.value("arith.ceildivsi", [size, step], _INDEX)
    index = loop.regions[0].block.args[0]
    return _Loop(lower, size, step, attribute.value.data, index)


def _extreme(rw: Rewriter, name: str, values: list[SSAValue]) -> SSAValue:
    result = values[0]
    for value in values[1:]:
        result = rw.value(name, [result, value], _INDEX)
    return result


def _move(source: Block, target: Block) -> None:
    """Moves what the innermost loop does to the launch."""
    end = source.last_op
    assert end is not None
    location = end.location
    Rewriter(end).erase(end)
    for op in list(source.ops):
        op.detach()
        target.add_op(op)
    Rewriter(block=target, location=location).create("gpu.terminator")


def _replace_indices(loops: list[_Loop], body: Block, blocks: int) -> None:
    rw = Rewriter(body.first_op)
    for i, loop in enumerate(loops):
        value: SSAValue = body.args[i if i < blocks else 3 + i - blocks]
        if loop.step_value != 1:
            value = rw.value("arith.muli", [loop.step, value], _INDEX)
        value = rw.value("arith.addi", [loop.lower, value], _INDEX)
        value.name_hint = loop.variable.name_hint
        loop.variable.replace_all_uses_with(value)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`convert-linalg-to-loops` and its siblings: structured operations on buffers become loops.

One loop for each iterator, in order; the innermost reads an element of each operand, computes the
body and writes an element of each output. The siblings differ in the loops: scf.for, affine.for,
or scf.parallel where neighbouring iterators are parallel.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import AffineMapAttr, IndexType, IntegerAttr
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap

from xgpu.core.ir.blocks import block_with
from xgpu.core.ir.constants import int_of
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern, apply_patterns
from xgpu.dialects import arith
from xgpu.dialects.affine.simplify import canonicalize
from xgpu.dialects.arith.builders import index_constant
from xgpu.dialects.linalg import ops

if TYPE_CHECKING:
    from xdsl.context import Context

_INDEX = IndexType()


def loop_sizes(op: Operation, rw: Rewriter) -> list[SSAValue | int] | None:
    """The trip count of each loop: the size of a dimension that the loop alone walks along."""
    maps = ops.indexing_maps(op)
    found: dict[int, SSAValue | int] = {}
    for operand, map_ in zip(op.operands, maps, strict=True):
        shape = ops.shape_of(operand) or ()
        for dimension, (size, result) in enumerate(zip(shape, map_.results, strict=True)):
            # Sizes that no loop needs are erased later; they keep the order of constants.
            value: SSAValue | int = size
            if size < 0:
                kind = "tensor" if operand.type.name == "tensor" else "memref"
                value = rw.value(f"{kind}.dim", [operand, index_constant(rw, dimension)], _INDEX)
            if isinstance(result, AffineDimExpr):
                found.setdefault(result.position, value)
    count = maps[0].num_dims if maps else 0
    if len(found) != count:
        return None
    return [found[position] for position in range(count)]


class _Nest:
    """Builds the loops around the body; `ivs` are the loops' variables."""

    def __init__(self, rw: Rewriter, kind: str) -> None:
        self.rw = rw
        self.kind = kind
        self.ivs: list[SSAValue] = []

    def build(self, counts: Sequence[SSAValue | int], iterators: Sequence[str]) -> None:
        """Leaves the rewriter inside the innermost loop."""
        rw = self.rw
        zero: list[SSAValue] = []
        sizes: list[SSAValue] = []
        one: list[SSAValue] = []
        for count in counts:
            zero.append(index_constant(rw, 0))
            sizes.append(index_constant(rw, count) if isinstance(count, int) else count)
            one.append(index_constant(rw, 1))
        at = 0
        while at < len(sizes):
            end = at + 1
            if self.kind == "parallel" and iterators[at] == ops.PARALLEL:
                while end < len(sizes) and iterators[end] == ops.PARALLEL:
                    end += 1
                self._loop("scf.parallel", [zero[at:end], sizes[at:end], one[at:end], ()], end - at)
            elif self.kind == "affine":
                self._affine(sizes[at])
            else:
                self._loop("scf.for", [zero[at], sizes[at], one[at]], 1)
            at = end

    def _loop(self, name: str, operands: Sequence[object], count: int) -> None:
        rw = self.rw
        block = block_with([_INDEX] * count, rw.location)
        loop = rw.create(name, operands, (), regions=(Region(block),))
        self._enter(loop, block, "scf.reduce" if name == "scf.parallel" else "scf.yield")

    def _affine(self, size: SSAValue) -> None:
        constant = int_of(size)
        zero = AffineMapAttr(AffineMap(0, 0, (AffineConstantExpr(0),)))
        operands: list[SSAValue] = []
        if constant is None:
            upper = AffineMap(1, 0, (AffineDimExpr(0),))
            operands.append(size)
        else:
            upper = AffineMap(0, 0, (AffineConstantExpr(constant),))
        upper, operands = canonicalize(upper, operands)
        block = block_with([_INDEX], self.rw.location)
        properties = {
            "lowerBoundMap": zero,
            "upperBoundMap": AffineMapAttr(upper),
            "step": IntegerAttr(1, _INDEX),
        }
        loop = self.rw.create(
            "affine.for", ((), operands, ()), (), properties, regions=(Region(block),)
        )
        self._enter(loop, block, "affine.yield")

    def _enter(self, loop: Operation, block: Block, terminator: str) -> None:
        rw = self.rw
        rw.at_end(block)
        end = rw.create(terminator, ())
        rw.before(end)
        self.ivs.extend(block.args)


def _subscripts(rw: Rewriter, map_: AffineMap, ivs: Sequence[SSAValue]) -> list[SSAValue]:
    """Where an iteration reads or writes: affine.apply where it is more than a loop variable."""
    found: list[SSAValue] = []
    for result in map_.results:
        if isinstance(result, AffineDimExpr):
            found.append(ivs[result.position])
        elif isinstance(result, AffineConstantExpr):
            found.append(index_constant(rw, result.value))
        else:
            one, operands = canonicalize(AffineMap(map_.num_dims, 0, (result,)), ivs)
            found.append(rw.value("affine.apply", operands, _INDEX, {"map": AffineMapAttr(one)}))
    return found


def _access(map_: AffineMap) -> dict[str, AffineMapAttr]:
    rank = len(map_.results)
    return {"map": AffineMapAttr(ops.select(rank, range(rank)))}


def lower(op: Operation, rw: Rewriter, kind: str) -> bool:
    """Replaces the structured operation `op` by loops of `kind` "for", "parallel" or "affine"."""
    if not ops.is_structured(op) or not ops.is_on_buffers(op):
        return False
    sizes = loop_sizes(op, rw)
    if sizes is None:
        return False
    nest = _Nest(rw, kind)
    nest.build(sizes, ops.iterator_types(op))
    ivs = nest.ivs
    prefix = "affine" if kind == "affine" else "memref"
    maps = ops.indexing_maps(op)
    elements: list[SSAValue] = []
    for operand, map_ in zip(op.operands, maps, strict=True):
        if ops.shape_of(operand) is None:
            elements.append(operand)
            continue
        properties = _access(map_) if kind == "affine" else {}
        indices = _subscripts(rw, map_, ivs)
        elements.append(
            rw.value(f"{prefix}.load", [operand, *indices], ops.scalar_type(operand), properties)
        )
    results = _inline(op.regions[0].blocks[0], elements, ivs, rw)
    first = len(ops.inputs(op))
    for position, value in enumerate(results):
        operand, map_ = op.operands[first + position], maps[first + position]
        indices = _subscripts(rw, map_, ivs)
        properties = _access(map_) if kind == "affine" else {}
        rw.create(f"{prefix}.store", [value, operand, *indices], (), properties)
    rw.erase(op)
    return True


def _inline(
    block: Block, arguments: Sequence[SSAValue], ivs: Sequence[SSAValue], rw: Rewriter
) -> list[SSAValue]:
    """Copies the body; what it yields."""
    values: dict[SSAValue, SSAValue] = dict(zip(block.args, arguments, strict=True))
    for op in block.ops:
        if op.name == "linalg.yield":
            return [values.get(v, v) for v in op.operands]
        if op.name == "linalg.index":
            dimension = cast("IntegerAttr", op.properties["dim"])
            values[op.results[0]] = ivs[dimension.value.data]
            continue
        copy = cast("arith.AddfOp", op.clone(value_mapper=values))
        rw.insert(copy)
        for inner in list(copy.walk()):
            if inner.name == "linalg.index":
                dim = cast("IntegerAttr", inner.properties["dim"])
                rw.replace(inner, [ivs[dim.value.data]])
    return []


class _ToLoops(Pass):
    kind = "for"

    def run(self, op: Operation, ctx: Context) -> None:
        def pattern(target: Operation, rw: GreedyRewriter) -> bool:
            return lower(target, rw, self.kind)

        patterns: dict[str, tuple[Pattern, ...]] = {}
        for inner in op.walk():
            if ops.is_structured(inner):
                patterns[inner.name] = (pattern,)
        apply_patterns(op, patterns)  # without a pattern too: it folds and simplifies


class ConvertLinalgToLoopsPass(_ToLoops):
    """Structured operations become nests of scf.for."""

    name = "convert-linalg-to-loops"
    summary = "Lower the operations from the linalg dialect into loops"


class ConvertLinalgToParallelLoopsPass(_ToLoops):
    """Structured operations become scf.parallel, and scf.for where they reduce."""

    name = "convert-linalg-to-parallel-loops"
    summary = "Lower the operations from the linalg dialect into parallel loops"
    kind = "parallel"


class ConvertLinalgToAffineLoopsPass(_ToLoops):
    """Structured operations become nests of affine.for."""

    name = "convert-linalg-to-affine-loops"
    summary = "Lower the operations from the linalg dialect into affine loops"
    kind = "affine"

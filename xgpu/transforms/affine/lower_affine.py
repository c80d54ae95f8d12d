# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`lower-affine`: affine operations become arith, memref, scf and vector operations.

Source: MLIR 22.1 AffineToStandard.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    AffineSetAttr,
    AnyFloat,
    DenseArrayBase,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    i1,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap

from xgpu.core.ir.blocks import block_with
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.core.rewriting.driver import Conversion, NoMatch, Rule, convert
from xgpu.dialects.affine.syntax import dma_parts
from xgpu.dialects.arith.builders import attribute_constant, cmpi, index_constant
from xgpu.transforms.affine.expand import INDEX_RULES, check_map, expand, expand_map

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern
    from xgpu.dialects import affine, scf


# --- reductions ----------------------------------------------------------------------------------
# Reductions by kind (`arith::AtomicRMWKind`): the operation, and the value that changes
# nothing.


#: AtomicRMWKind's value -> arith's operation. 3 is `assign`, which combines nothing.
OPERATIONS = {
    0: "arith.addf",
    1: "arith.addi",
    2: "arith.andi",
    4: "arith.maximumf",
    5: "arith.maxnumf",
    6: "arith.maxsi",
    7: "arith.maxui",
    8: "arith.minimumf",
    9: "arith.minnumf",
    10: "arith.minsi",
    11: "arith.minui",
    12: "arith.mulf",
    13: "arith.muli",
    14: "arith.ori",
    15: "arith.xori",
}

_FLOATS = {
    0: 0.0,
    4: -math.inf,
    5: math.copysign(math.nan, -1.0),
    8: math.inf,
    9: math.copysign(math.nan, -1.0),
    12: 1.0,
}


def identity(kind: int, ty: Attribute) -> Attribute | None:
    """The neutral element of the reduction `kind` in the scalar type `ty`, or None."""
    if isinstance(ty, AnyFloat):
        value = _FLOATS.get(kind)
        return None if value is None else FloatAttr(value, ty)
    if isinstance(ty, IndexType):
        width = 64
    elif isinstance(ty, IntegerType):
        width = ty.width.data
    else:
        return None
    integers = {
        1: 0,
        2: -1,
        6: -(1 << (width - 1)),
        7: 0,
        10: (1 << (width - 1)) - 1,
        11: -1,
        13: 1,
        14: 0,
        15: 0,
    }
    number = integers.get(kind)
    if number is None:
        return None
    if width == 1:
        number &= 1
    return IntegerAttr(number, ty)


def reduction(rw: Rewriter, kind: int, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    """Builds the operation that combines two values."""
    return rw.value(OPERATIONS[kind], [lhs, rhs], lhs.type)


def _map(op: Operation, name: str = "map") -> AffineMap:
    attr = cast("AffineMapAttr", op.properties[name])
    return attr.data


def _extreme(
    rw: Conversion, name: str, affine_map: AffineMap, operands: Sequence[SSAValue]
) -> SSAValue:
    """The least or greatest result of a map, by `arith.minsi` or `arith.maxsi`."""
    values = expand_map(rw, affine_map, operands)
    result = values[0]
    for value in values[1:]:
        result = rw.value(name, [result, value], result.type)
    return result


def lower_apply(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    return expand_map(rw, _map(op), operands)


def lower_min(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    return [_extreme(rw, "arith.minsi", _map(op), operands)]


def lower_max(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    return [_extreme(rw, "arith.maxsi", _map(op), operands)]


def lower_for(op: affine.ForOp, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    """`affine.for` is `scf.for` from the greatest lower to the least upper bound."""
    sizes = op.properties["operandSegmentSizes"]
    lower_count, upper_count, _ = sizes.get_values()
    lower_map, upper_map = _map(op, "lowerBoundMap"), _map(op, "upperBoundMap")
    check_map(lower_map)
    check_map(upper_map)
    split = lower_count + upper_count
    lower = _extreme(rw, "arith.maxsi", lower_map, operands[:lower_count])
    upper = _extreme(rw, "arith.minsi", upper_map, operands[lower_count:split])
    step_attr = op.properties["step"]
    step = index_constant(rw, step_attr.value.data)
    loop = cast(
        "scf.ForOp",
        rw.create(
            "scf.for",
            [lower, upper, step, *operands[split:]],
            [r.type for r in op.results],
            regions=(_take(op.regions[0], "scf.yield", rw),),
        ),
    )
    return loop.results


def _take(region: Region, terminator: str, rw: Conversion) -> Region:
    """Moves the blocks of `region` to a new one, with `terminator` at their end."""
    taken = Region()
    region.move_blocks(taken)
    for block in taken.blocks:
        _rename_end(block, terminator, rw)
    return taken


def _rename_end(block: Block, terminator: str, rw: Conversion) -> None:
    last = block.last_op
    if last is None or last.name != "affine.yield":
        return
    place = (rw.anchor, rw.block, rw.location)
    rw.at_end(block)
    rw.location = last.location
    rw.create(terminator, last.operands)
    rw.erase(last)
    rw.anchor, rw.block, rw.location = place


def lower_if(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    """`affine.if` is `scf.if` on the conjunction of its constraints."""
    attr = cast("AffineSetAttr", op.properties["condition"])
    integer_set = attr.data
    dims, symbols = operands[: integer_set.num_dims], operands[integer_set.num_dims :]
    zero = index_constant(rw, 0)
    condition: SSAValue | None = None
    for constraint in integer_set.constraints:
        value = expand(rw, constraint.lhs, dims, symbols)
        holds = cmpi(rw, "eq" if constraint.kind.name == "eq" else "sge", value, zero)
        condition = holds if condition is None else rw.value("arith.andi", [condition, holds], i1)
    if condition is None:
        condition = attribute_constant(rw, IntegerAttr(1, 1), i1)
    branch = cast(
        "scf.IfOp",
        rw.create(
            "scf.if",
            [condition],
            [r.type for r in op.results],
            regions=[_take(region, "scf.yield", rw) for region in op.regions],
        ),
    )
    return branch.results


def _groups(
    op: Operation, which: str, operands: Sequence[SSAValue]
) -> list[tuple[AffineMap, Sequence[SSAValue]]]:
    """The map of each dimension's bounds in an `affine.parallel`."""
    bounds = _map(op, f"{which}BoundsMap")
    sizes = cast("DenseArrayBase[IntegerType]", op.properties[f"{which}BoundsGroups"])
    groups: list[tuple[AffineMap, Sequence[SSAValue]]] = []
    start = 0
    for size in sizes.get_values():
        results = bounds.results[start : start + size]
        groups.append((AffineMap(bounds.num_dims, bounds.num_symbols, tuple(results)), operands))
        start += size
    return groups


def lower_parallel(
    op: affine.ParallelOp, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    """`affine.parallel` is `scf.parallel`; reductions become `scf.reduce` regions."""
    lower_map, upper_map = _map(op, "lowerBoundsMap"), _map(op, "upperBoundsMap")
    check_map(lower_map)
    check_map(upper_map)
    lower_count = lower_map.num_dims + lower_map.num_symbols
    reductions = op.properties["reductions"]
    kinds = [kind.value.data for kind in reductions.data]
    types = [r.type for r in op.results]
    for kind, ty in zip(kinds, types, strict=True):
        if identity(kind, ty) is None:
            raise NoMatch("unsupported reduction")
    lower: list[SSAValue] = []
    upper: list[SSAValue] = []
    for (low, values), (high, others) in zip(
        _groups(op, "lower", operands[:lower_count]),
        _groups(op, "upper", operands[lower_count:]),
        strict=True,
    ):
        lower.append(_extreme(rw, "arith.maxsi", low, values))
        upper.append(_extreme(rw, "arith.minsi", high, others))
    steps_attr = op.properties["steps"]
    steps = [index_constant(rw, step.value.data) for step in steps_attr.data]
    initial = [
        attribute_constant(rw, cast("Attribute", identity(kind, ty)), ty)
        for kind, ty in zip(kinds, types, strict=True)
    ]
    region = Region()
    op.regions[0].move_blocks(region)
    block = region.blocks[0]
    last = block.last_op
    assert last is not None
    regions: list[Region] = []
    for kind, ty in zip(kinds, types, strict=True):
        inner = block_with([ty, ty], last.location)
        with rw.inside(inner):
            value = reduction(rw, kind, inner.args[0], inner.args[1])
            rw.create("scf.reduce.return", [value])
        regions.append(Region(inner))
    with rw.inside(block):
        rw.create("scf.reduce", last.operands, regions=regions).location = last.location
        rw.erase(last)
    loop = rw.create("scf.parallel", [lower, upper, steps, initial], types, regions=(region,))
    return loop.results


def _access(name: str, leading: int, *keep: str) -> Rule:
    """An access whose indices come from a map: `leading` operands stay in front of them."""

    def rule(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
        indices = expand_map(rw, _map(op), operands[leading:])
        properties: dict[str, Attribute] = {k: op.properties[k] for k in keep if k in op.properties}
        new = rw.create(
            name, [*operands[:leading], *indices], [r.type for r in op.results], properties
        )
        return new.results

    return rule


def lower_dma_start(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    parts, rest = dma_parts(op, ("src_map", "dst_map", "tag_map"))
    source, target, tag = ([buffer, *expand_map(rw, m, values)] for buffer, m, values in parts)
    rw.create("memref.dma_start", [*source, *target, rest[0], *tag, *rest[1:]])
    return ()


def lower_dma_wait(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    ((tag, tag_map, values),), rest = dma_parts(op, ("tag_map",))
    rw.create("memref.dma_wait", [tag, *expand_map(rw, tag_map, values), *rest])
    return ()


RULES: dict[str, Rule] = {
    "affine.apply": lower_apply,
    "affine.dma_start": lower_dma_start,
    "affine.dma_wait": lower_dma_wait,
    "affine.for": lower_for,
    "affine.if": lower_if,
    "affine.load": _access("memref.load", 1),
    "affine.max": lower_max,
    "affine.min": lower_min,
    "affine.parallel": lower_parallel,
    "affine.prefetch": _access("memref.prefetch", 1, "isWrite", "localityHint", "isDataCache"),
    "affine.store": _access("memref.store", 2),
    "affine.vector_load": _access("vector.load", 1),
    "affine.vector_store": _access("vector.store", 2),
    **INDEX_RULES,
}


class LowerAffinePass(Pass):
    name = "lower-affine"
    summary = "Lower Affine operations to a combination of Arith and SCF operations"

    def run(self, op: Operation, ctx: Context) -> None:
        convert(op, RULES, illegal=("affine",), known=("arith", "memref", "scf", "vector"))


def _pattern(rule: Rule) -> Pattern:
    """A conversion's rule as a pattern of the greedy driver."""

    def rewrite(op: Operation, rw: GreedyRewriter) -> bool:
        rw.replace(op, cast("Sequence[SSAValue]", rule(op, op.operands, rw)))
        return True

    return rewrite


class AffineExpandIndexOps(Pass):
    name = "affine-expand-index-ops"
    summary = "Lower affine operations operating on indices into more fundamental operations"

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.core.rewriting.greedy import apply_patterns

        patterns = {name: (_pattern(rule),) for name, rule in INDEX_RULES.items()}
        apply_patterns(op, patterns)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of `scf.forall`: bounds, and what runs once or never."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerAttr
from xdsl.ir import Block, Operation, Region, SSAValue

from xgpu.core.ir.constants import int_of
from xgpu.dialects.arith.builders import attribute_constant
from xgpu.dialects.scf.canonicalize_outputs import fold_output_casts, unchanged_outputs
from xgpu.dialects.slices import mixed, not_negative, parts, settle

if TYPE_CHECKING:
    from collections.abc import Iterator

    from xdsl.dialects.builtin import DenseArrayBase, IntegerType
    from xdsl.ir import Attribute

    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern
    from xgpu.dialects import scf, tensor


def _trips(lower: int | None, upper: int | None, step: int | None) -> int | None:
    """How often a dimension runs; never by steps of zero, which are not valid."""
    if step == 0:
        return 0
    if lower is None or upper is None or step is None or step < 0:
        return None
    return max(0, -(-(upper - lower) // step))


_BOUNDS = ("lower_bound", "upper_bound", "step")
_STATIC = ("LowerBound", "UpperBound", "Step")


def _forall_bounds(op: scf.ForallOp) -> list[list[int | SSAValue]]:
    found: list[list[int | SSAValue]] = []
    for name in _BOUNDS:
        values: Iterator[SSAValue] = iter(getattr(op, f"dynamic_{name}"))
        numbers = cast("DenseArrayBase[IntegerType]", getattr(op, f"static_{name}")).get_values()
        found.append([next(values) if n == DYNAMIC_INDEX else n for n in numbers])
    return found


def _make_forall(
    op: scf.ForallOp,
    rw: GreedyRewriter,
    bounds: list[list[int | SSAValue]],
    region: Region,
    mapping: Attribute | None,
) -> Operation:
    split = [parts(b) for b in bounds]
    properties: dict[str, Attribute] = {
        f"static{static}": numbers for static, (_, numbers) in zip(_STATIC, split, strict=True)
    }
    if mapping is not None:
        properties["mapping"] = mapping
    return rw.create(
        op.name,
        (*(values for values, _ in split), list(op.outputs)),
        [r.type for r in op.results],
        properties,
        dict(op.attributes),
        [region],
    )


def forall_constants(op: scf.ForallOp, rw: GreedyRewriter) -> bool:
    """forall with constant bounds -> forall with static bounds"""
    bounds = _forall_bounds(op)
    after = [settle(b) for b in bounds]
    if after == bounds:
        return False
    region = op.detach_region(0)
    new = _make_forall(op, rw, after, region, op.properties.get("mapping"))
    op.add_region(Region(Block()))
    rw.replace(op, new.results)
    return True


def forall_few_iterations(op: scf.ForallOp, rw: GreedyRewriter) -> bool:
    """Dimensions of one iteration go; a forall of none goes (where there is no mapping)"""
    mapping = op.properties.get("mapping")
    if mapping is not None and mapping.data:
        return False
    bounds = _forall_bounds(op)
    counts = [_forall_trips(*entries) for entries in zip(*bounds, strict=True)]
    if 0 in counts:
        rw.replace(op, list(op.outputs))
        return True
    kept = [i for i, count in enumerate(counts) if count != 1]
    if kept and len(kept) == len(counts):
        return False
    if not kept:
        return _forall_once(op, rw, bounds[0])
    block: Block = op.regions[0].blocks[0]
    for i in reversed(range(len(counts))):
        if i not in kept:
            rw.replace_all_uses(block.args[i], _value(rw, bounds[0][i]))
            block.erase_arg(block.args[i])
    region = op.detach_region(0)
    new = _make_forall(op, rw, [[b[i] for i in kept] for b in bounds], region, mapping)
    op.add_region(Region(Block()))
    rw.replace(op, new.results)
    return True


def _forall_trips(lower: int | SSAValue, upper: int | SSAValue, step: int | SSAValue) -> int | None:
    if isinstance(lower, SSAValue) and lower is upper:
        return 0
    return _trips(*(e if isinstance(e, int) else int_of(e) for e in (lower, upper, step)))


def _forall_once(op: scf.ForallOp, rw: GreedyRewriter, lower: list[int | SSAValue]) -> bool:
    """The body instead of the loop; what it put into its outputs in parallel it puts into them."""
    block: Block = op.regions[0].blocks[0]
    terminator = block.last_op
    assert terminator is not None
    combining = list(terminator.regions[0].blocks[0].ops)
    if any(inner.name != "tensor.parallel_insert_slice" for inner in combining):
        return False
    results: list[SSAValue] = list(op.outputs)
    arguments: list[SSAValue] = [*block.args[len(lower) :]]
    places = [arguments.index(inner.operands[1]) for inner in combining]
    rw.inline_block(block, op, [*(_value(rw, entry) for entry in lower), *results])
    for at, inner in zip(places, combining, strict=True):
        results[at] = _insert_slice(cast("tensor.ParallelInsertSliceOp", inner), rw, results[at])
    rw.erase(terminator)
    rw.replace(op, results)
    return True


def _insert_slice(
    insert: tensor.ParallelInsertSliceOp, rw: GreedyRewriter, dest: SSAValue
) -> SSAValue:
    """What a parallel_insert_slice puts into `dest`, by itself; places that are constants now are
    static. Sizes stay, which the type of the slice says."""
    offsets, static_offsets = parts(settle(mixed(insert, "offsets"), not_negative))
    strides, static_strides = parts(settle(mixed(insert, "strides")))
    return rw.value(
        "tensor.insert_slice",
        (insert.source, dest, offsets, insert.sizes, strides),
        dest.type,
        {
            "static_offsets": static_offsets,
            "static_sizes": insert.properties["static_sizes"],
            "static_strides": static_strides,
        },
    )


def _value(rw: GreedyRewriter, entry: int | SSAValue) -> SSAValue:
    if isinstance(entry, SSAValue):
        return entry
    attr = IntegerAttr(entry, IndexType())
    return attribute_constant(rw, attr, IndexType())


def forall_constant_induction(op: scf.ForallOp, rw: GreedyRewriter) -> bool:
    """With a mapping, the variable of a dimension of one iteration is the lower bound"""
    lower, upper, step = _forall_bounds(op)
    block: Block = op.regions[0].blocks[0]
    changed = False
    for i in range(len(lower)):
        entries = (lower[i], upper[i], step[i])
        if not all(isinstance(e, int) for e in entries):
            continue
        if _trips(*entries) != 1 or block.args[i].first_use is None:  # type: ignore[arg-type]
            continue
        rw.at(op)
        rw.replace_all_uses(block.args[i], _value(rw, lower[i]))
        changed = True
    return changed


FORALL_PATTERNS: tuple[Pattern, ...] = (
    fold_output_casts,
    forall_constants,
    unchanged_outputs,
    forall_few_iterations,
    forall_constant_induction,
)

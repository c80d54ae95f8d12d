# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of `scf.parallel` and `scf.forall`."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerAttr
from xdsl.ir import Block, Operation, Region, SSAValue

from xgpu.dialects.slices import mixed, not_negative, parts, settle
from xgpu.ir.constants import int_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from xdsl.dialects.builtin import DenseArrayBase, IntegerType
    from xdsl.ir import Attribute

    from xgpu.dialects import scf, tensor
    from xgpu.rewriting.greedy import GreedyRewriter, Pattern


def _trips(lower: int | None, upper: int | None, step: int | None) -> int | None:
    if lower is None or upper is None or step is None or step <= 0:
        return None
    return max(0, -(-(upper - lower) // step))


def few_iterations(op: scf.ParallelOp, rw: GreedyRewriter) -> bool:
    """Dimensions of one iteration go; a loop of none goes"""
    lower, upper, step = list(op.lower_bound), list(op.upper_bound), list(op.step)
    inits = list(op.init_vals)
    block: Block = op.regions[0].blocks[0]
    kept: list[int] = []
    for i, (a, b, c) in enumerate(zip(lower, upper, step, strict=True)):
        count = 0 if a is b else _trips(int_of(a), int_of(b), int_of(c))
        if count == 0:
            rw.replace(op, inits)
            return True
        if count != 1:
            kept.append(i)
    if len(kept) == len(lower):
        return False
    for i in range(len(lower)):
        if i not in kept:
            rw.replace_all_uses(block.args[i], lower[i])
    if not kept:
        return _run_once(op, rw, inits)
    for i in range(len(lower) - 1, -1, -1):
        if i not in kept:
            block.erase_arg(block.args[i])
    region = op.detach_region(0)
    pick = [[values[i] for i in kept] for values in (lower, upper, step)]
    new = rw.create(
        op.name,
        (*pick, inits),
        [r.type for r in op.results],
        None,
        dict(op.attributes),
        [region],
    )
    op.add_region(Region(Block()))
    rw.replace(op, new.results)
    return True


def _run_once(op: scf.ParallelOp, rw: GreedyRewriter, inits: list[SSAValue]) -> bool:
    """All dimensions run once: the body, with each reduction applied to its initial value."""
    block, parent = op.regions[0].blocks[0], op.parent
    assert parent is not None
    reduce = cast("scf.ReduceOp", block.last_op)
    results: list[SSAValue] = []
    values = list(reduce.operands)
    regions = [r.blocks[0] for r in reduce.regions]
    for inner in list(block.ops):
        if inner is not reduce:
            inner.detach()
            parent.insert_op_before(inner, op)
            for nested in inner.walk():
                rw.worklist.push(nested)
    for init, value, body in zip(inits, values, regions, strict=True):
        terminator = body.last_op
        assert terminator is not None
        rw.inline_block(body, op, [init, value])
        results.append(terminator.operands[0])
        rw.erase(terminator)
    for result, value in zip(list(op.results), results, strict=True):
        rw.replace_all_uses(result, value)
    rw.erase(op)
    return True


def merge_nested(op: scf.ParallelOp, rw: GreedyRewriter) -> bool:
    """parallel (i) { parallel (j) { A } } -> parallel (i, j) { A }"""
    block: Block = op.regions[0].blocks[0]
    inner = cast("scf.ParallelOp | None", block.first_op)
    if inner is None or inner.name != "scf.parallel" or inner.next_op is not block.last_op:
        return False
    if list(op.init_vals) or list(inner.init_vals):
        return False
    bounds = [*inner.lower_bound, *inner.upper_bound, *inner.step]
    if any(value in block.args for value in bounds):
        return False
    inner_block: Block = inner.regions[0].blocks[0]
    lower, upper, step = (
        [*getattr(op, name), *getattr(inner, name)]
        for name in ("lower_bound", "upper_bound", "step")
    )
    body = Block(arg_types=[v.type for v in lower])
    new = rw.create(
        op.name, (lower, upper, step, []), (), None, dict(op.attributes), [Region(body)]
    )
    arguments = [*block.args, *inner_block.args]
    for old, arg in zip(arguments, body.args, strict=True):
        rw.replace_all_uses(old, arg)
    for moved in list(inner_block.ops):
        moved.detach()
        body.add_op(moved)
        for nested in moved.walk():
            rw.worklist.push(nested)
    del new
    rw.erase(op)
    return True


# --- forall --------------------------------------------------------------------------------------
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
    if op.properties.get("mapping") is not None:
        return False
    bounds = _forall_bounds(op)
    counts = [_forall_trips(*entries) for entries in zip(*bounds, strict=True)]
    if 0 in counts:
        rw.replace(op, list(op.outputs))
        return True
    kept = [i for i, count in enumerate(counts) if count != 1]
    if len(kept) == len(counts):
        return False
    if not kept:
        return _forall_once(op, rw, bounds[0])
    block: Block = op.regions[0].blocks[0]
    for i in reversed(range(len(counts))):
        if i not in kept:
            rw.replace_all_uses(block.args[i], _value(rw, bounds[0][i]))
            block.erase_arg(block.args[i])
    region = op.detach_region(0)
    new = _make_forall(op, rw, [[b[i] for i in kept] for b in bounds], region, None)
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
    return rw.value("arith.constant", (), IndexType(), {"value": attr})


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


PARALLEL_PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "scf.forall": (forall_constants, forall_few_iterations, forall_constant_induction),
    "scf.parallel": (few_iterations, merge_nested),
}

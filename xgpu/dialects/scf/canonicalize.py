# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of the scf dialect.

Those of `scf.if` and `scf.while` are in `canonicalize_if.py` and `canonicalize_while.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IndexType, IntegerAttr, IntegerType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue

from xgpu.core.ir.constants import int_of, width_of
from xgpu.core.ir.integers import unsigned
from xgpu.core.ir.op_info import traits_of
from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern
from xgpu.dialects import scf, tensor
from xgpu.dialects.reshapes import mixed, not_negative, out_of_bounds, parts, settle, slice_lists
from xgpu.dialects.scf.canonicalize_if import IF_PATTERNS, drop_results, is_inside
from xgpu.dialects.scf.canonicalize_while import WHILE_PATTERNS
from xgpu.dialects.tensor.casts import cast_to, shape_of, uncast

# -- Tensors that loops carry, or write in parallel: those that stay as they are, and casts.


# --- forall --------------------------------------------------------------------------------------
def _combining(op: scf.ForallOp) -> list[Operation]:
    """What ends `op`: insertions into its outputs, in parallel."""
    last = op.regions[0].blocks[0].last_op
    assert last is not None
    return list(last.regions[0].blocks[0].ops)


def _arguments(op: scf.ForallOp) -> list[BlockArgument]:
    """The block arguments that stand for the outputs."""
    block: Block = op.regions[0].blocks[0]
    return list(block.args[len(block.args) - len(op.outputs) :])


def _destination(insert: Operation) -> SSAValue | None:
    """Into which argument something is inserted; None for what we do not know."""
    return insert.operands[1] if insert.name == "tensor.parallel_insert_slice" else None


def _properties(op: Operation) -> dict[str, Attribute]:
    return op.properties


def _with_outputs(op: scf.ForallOp, rw: GreedyRewriter, outputs: Sequence[SSAValue]) -> Operation:
    """The same loop, with its body, over other outputs."""
    region = op.detach_region(0)
    properties = {k: v for k, v in _properties(op).items() if k != "operandSegmentSizes"}
    new = rw.create(
        op.name,
        (op.dynamic_lower_bound, op.dynamic_upper_bound, op.dynamic_step, outputs),
        [output.type for output in outputs],
        properties,
        dict(op.attributes),
        [region],
    )
    op.add_region(Region(Block()))
    return new


def unchanged_outputs(op: scf.ForallOp, rw: GreedyRewriter) -> bool:
    """Outputs that nothing is inserted into are what they were; those that are not read after the
    loop go, too, with what is inserted into them"""
    inserts = _combining(op)
    written = [_destination(insert) for insert in inserts]
    if None in written:
        return False
    block: Block = op.regions[0].blocks[0]
    outputs, arguments = list(op.outputs), _arguments(op)
    kept = [
        at
        for at, argument in enumerate(arguments)
        if op.results[at].first_use is not None and argument in written
    ]
    if len(kept) == len(outputs):
        return False
    dropped = [at for at in range(len(outputs)) if at not in kept]
    gone = [arguments[at] for at in dropped]
    for insert, argument in zip(inserts, written, strict=True):
        if argument in gone:
            rw.erase(insert)
    for at in reversed(dropped):
        rw.replace_all_uses(arguments[at], outputs[at])
        rw.replace_all_uses(op.results[at], outputs[at])
        block.erase_arg(arguments[at])
    new = _with_outputs(op, rw, [outputs[at] for at in kept])
    for at, result in zip(kept, new.results, strict=True):
        rw.replace_all_uses(op.results[at], result)
    rw.erase(op)
    return True


def fold_output_casts(op: scf.ForallOp, rw: GreedyRewriter) -> bool:
    """forall over a cast that forgets sizes -> cast of a forall over what is cast"""
    inserts, arguments = _combining(op), _arguments(op)
    outputs: list[SSAValue] = list(op.outputs)
    changed: list[int] = []
    for at, output in enumerate(op.outputs):
        source = uncast(output)
        if source is None or source.type == output.type:
            continue
        into = [insert for insert in inserts if arguments[at] in insert.operands]
        if all(_fits(insert, arguments[at], source) for insert in into):
            outputs[at] = source
            changed.append(at)
    if not changed:
        return False
    block: Block = op.regions[0].blocks[0]
    for at in changed:
        argument, old = arguments[at], arguments[at].type
        rw.at_start(block)
        fresh = block.insert_arg(outputs[at].type, argument.index)
        known = rw.value("tensor.cast", (fresh,), old)
        for insert in inserts:
            if insert.operands[1] is argument:
                rw.set_operand(insert, 1, fresh)
        rw.replace_all_uses(argument, known)
        block.erase_arg(argument)
    rw.at(op)
    kinds = [result.type for result in op.results]
    new = _with_outputs(op, rw, outputs)
    rw.replace(op, [cast_to(rw, r, kind) for r, kind in zip(new.results, kinds, strict=True)])
    return True


def _fits(insert: Operation, argument: SSAValue, source: SSAValue) -> bool:
    """Whether an insertion into `argument` may be one into a tensor of the sizes of `source`."""
    if _destination(insert) is not argument:
        return False
    return out_of_bounds(shape_of(source), slice_lists(insert)) is None


# --- for -----------------------------------------------------------------------------------------
def fold_carried_cast(op: Operation, rw: GreedyRewriter) -> bool:
    """for over a cast that forgets sizes, whose result has one user -> cast of a for over what is
    cast, which is cast in the loop instead"""
    for at, result in enumerate(op.results):
        source = uncast(op.operands[3 + at])
        if source is not None and source.type != result.type and result.has_one_use():
            _carry(op, rw, at, source)
            return True
    return False


def _carry(op: Operation, rw: GreedyRewriter, at: int, source: SSAValue) -> None:
    """Lets a loop carry `source` as its value number `at`, which was a cast of it."""
    block: Block = op.regions[0].blocks[0]
    last = block.last_op
    assert last is not None
    old = op.results[at].type
    rw.at_start(block)
    argument = block.args[1 + at]
    fresh = block.insert_arg(source.type, 1 + at)
    rw.replace_all_uses(argument, rw.value("tensor.cast", (fresh,), old))
    block.erase_arg(argument)
    rw.before(last)
    last.location = op.location
    rw.set_operand(last, at, rw.value("tensor.cast", (last.operands[at],), source.type))
    rw.at(op)
    region = op.detach_region(0)
    operands, kinds = list(op.operands), [result.type for result in op.results]
    operands[3 + at], kinds[at] = source, source.type
    new = rw.create(op.name, operands, kinds, dict(op.properties), dict(op.attributes), [region])
    op.add_region(Region(Block()))
    results: list[SSAValue] = list(new.results)
    results[at] = rw.value("tensor.cast", (results[at],), old)
    rw.replace(op, results)


# -- Canonicalization patterns of `scf.forall`: bounds, and what runs once or never.


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


FORALL_PATTERNS: tuple[Pattern, ...] = (
    fold_output_casts,
    forall_constants,
    unchanged_outputs,
    forall_few_iterations,
    forall_constant_induction,
)


# -- Canonicalization patterns of `scf.parallel`.


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
        if moved is inner_block.last_op:
            moved.location = op.location
        moved.detach()
        body.add_op(moved)
        for nested in moved.walk():
            rw.worklist.push(nested)
    del new
    rw.erase(op)
    return True


PARALLEL_PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "scf.forall": FORALL_PATTERNS,
    "scf.parallel": (few_iterations, merge_nested),
}


# -- Canonicalization patterns of `scf.for`, and the table of all patterns.


def inline_single_block(op: Operation, rw: GreedyRewriter, arguments: list[SSAValue]) -> None:
    """Replaces `op` with the content of its first region's block and what that yields."""
    block = op.regions[0].blocks[0]
    terminator = block.last_op
    assert terminator is not None
    rw.inline_block(block, op, arguments)
    rw.replace(op, list(terminator.operands))
    rw.erase(terminator)


def trip_count(op: Operation) -> int | None:
    """How often a `scf.for` runs, or None."""
    lower, upper, step = (int_of(op.operands[i]) for i in range(3))
    width = width_of(op.operands[0].type)
    is_unsigned = "unsignedCmp" in op.properties
    if op.operands[0] is op.operands[1]:
        return 0
    if step is None:
        return None
    if step <= 0:
        # A step has to be positive: such a loop is said to do nothing. One below zero may be meant
        # as an unsigned number.
        return None if is_unsigned and step < 0 else 0
    if lower is not None and upper is not None:
        if is_unsigned:
            lower, upper = unsigned(lower, width), unsigned(upper, width)
        return max(0, -(-(upper - lower) // step))
    # An upper bound of lower bound + constant, which cannot wrap.
    added = op.operands[1].owner
    if isinstance(added, Operation) and added.name == "arith.addi":
        flags = getattr(added.properties.get("overflowFlags"), "flags", ())
        for a, b in ((0, 1), (1, 0)):
            distance = int_of(added.operands[b])
            if added.operands[a] is op.operands[0] and distance is not None:
                if ("nuw" if is_unsigned else "nsw") not in flags:
                    return None
                return max(0, -(-distance // step))
    return None


def trivial_for(op: Operation, rw: GreedyRewriter) -> bool:
    """A loop that runs never or once, or whose body does nothing, goes"""
    inits = list(op.operands)[3:]
    block: Block = op.regions[0].blocks[0]
    count = trip_count(op)
    if count == 0:
        rw.replace(op, inits)
        return True
    if count == 1:
        inline_single_block(op, rw, [op.operands[0], *inits])
        return True
    if count is None:
        return False
    # More than one iteration of nothing: a value from above that is yielded is the result.
    terminator = block.last_op
    if terminator is None or terminator is not block.first_op:
        return False
    yielded = list(terminator.operands)
    if any(is_inside(value, op) for value in yielded):
        return False
    rw.replace(op, yielded)
    return True


def unchanging_iter_args(op: Operation, rw: GreedyRewriter) -> bool:
    """Loop-carried values that never change, are never used, or are carried twice go"""
    block: Block = op.regions[0].blocks[0]
    terminator = block.last_op
    assert terminator is not None
    inits, yields = list(op.operands)[3:], list(terminator.operands)
    constant = _constant_iter_args(inits, list(block.args[1:]), yields)
    kept: list[int] = []
    known: dict[tuple[SSAValue, SSAValue], int] = {}
    changed = False
    for i, init in enumerate(inits):
        arg, result, yielded = block.args[i + 1], op.results[i], yields[i]
        unused = arg.first_use is None and result.first_use is None
        if i in constant or unused:
            rw.replace_all_uses(arg, init)
            rw.replace_all_uses(result, init)
            changed = True
        elif (init, yielded) in known:
            same = known[init, yielded]
            rw.replace_all_uses(arg, block.args[same + 1])
            rw.replace_all_uses(result, op.results[same])
            changed = True
        else:
            known[init, yielded] = i
            kept.append(i)
    if not changed:
        return False
    rebuild_for(op, rw, kept)
    return True


def _constant_iter_args(
    inits: list[SSAValue], args: list[BlockArgument], yields: list[SSAValue]
) -> set[int]:
    """Which loop-carried values keep what they begin with: they get that again, or another of
    them that has the same."""
    places = {arg: i for i, arg in enumerate(args)}
    source = [places.get(value) for value in yields]  # type: ignore[call-overload]
    constant = set(range(len(inits)))
    pending = list(constant)
    users: dict[int, list[int]] = {}
    for i, at in enumerate(source):
        if at is not None:
            users.setdefault(at, []).append(i)
    while pending:
        i = pending.pop()
        at = source[i]
        keeps = yields[i] is inits[i] or (at in constant and inits[at] is inits[i])
        if i in constant and not keeps:
            constant.remove(i)
            pending += users.get(i, ())
    return constant


def rebuild_for(op: Operation, rw: GreedyRewriter, kept: list[int]) -> None:
    """Leaves only the loop-carried values `kept`; the others have no users."""
    block: Block = op.regions[0].blocks[0]
    terminator = block.last_op
    assert terminator is not None
    yielded = [terminator.operands[i] for i in kept]
    rw.set_operands(terminator, yielded)
    for i in range(len(block.args) - 2, -1, -1):
        if i not in kept:
            block.erase_arg(block.args[i + 1], safe_erase=False)
    region: Region = op.detach_region(0)
    inits = list(op.operands)[3:]
    new = rw.create(
        op.name,
        [*op.operands[:3], *(inits[i] for i in kept)],
        [op.results[i].type for i in kept],
        dict(op.properties),
        dict(op.attributes),
        [region],
    )
    for at, i in enumerate(kept):
        rw.replace_all_uses(op.results[i], new.results[at])
    op.add_region(Region(Block()))
    rw.erase(op)


# --- execute_region, index_switch ----------------------------------------------------------------
def inline_execute_region(op: Operation, rw: GreedyRewriter) -> bool:
    """execute_region of one block -> its content"""
    region = op.regions[0]
    if region.first_block is not region.last_block or "no_inline" in op.properties:
        return False
    last = region.blocks[0].last_op
    if last is None or last.name != "scf.yield":
        return False
    inline_single_block(op, rw, [])
    return True


def inline_execute_blocks(op: Operation, rw: GreedyRewriter) -> bool:
    """execute_region of several blocks in a function -> its blocks in the function"""
    parent = op.parent_op()
    if parent is None or "no_inline" in op.properties:
        return False
    if "FunctionOpInterface" not in traits_of(parent.name) and parent.name != "scf.execute_region":
        return False
    region = op.regions[0]
    if region.first_block is region.last_block:
        return False
    before = op.parent
    assert before is not None
    assert before.parent is not None
    blocks = list(region.blocks)
    after = before.split_before(op, arg_types=[r.type for r in op.results])
    entry = blocks[0]
    for block in blocks:
        region.detach_block(block)
        before.parent.insert_block_before(block, after)
    rw.at_end(before)
    rw.create("cf.br", (), successors=(entry,))
    for block in blocks:
        last = block.last_op
        if last is not None and last.name == "scf.yield":
            values = list(last.operands)
            rw.at(last)
            rw.create("cf.br", values, successors=(after,))
            rw.erase(last)
    for result, arg in zip(op.results, after.args, strict=True):
        rw.replace_all_uses(result, arg)
    rw.erase(op)
    return True


def constant_case(op: scf.IndexSwitchOp, rw: GreedyRewriter) -> bool:
    """index_switch on a constant -> the content of the case"""
    value = int_of(op.operands[0])
    if value is None:
        return False
    cases = list(op.cases.get_values())
    region = op.regions[1 + cases.index(value)] if value in cases else op.regions[0]
    block = region.blocks[0]
    terminator = block.last_op
    assert terminator is not None
    rw.inline_block(block, op)
    rw.replace(op, list(terminator.operands))
    rw.erase(terminator)
    return True


PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "scf.execute_region": (inline_execute_region, inline_execute_blocks, drop_results),
    "scf.for": (unchanging_iter_args, trivial_for, fold_carried_cast),
    "scf.if": (*IF_PATTERNS, drop_results),
    "scf.index_switch": (constant_case, drop_results),
    **PARALLEL_PATTERNS,
    "scf.while": WHILE_PATTERNS,
}

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`convert-scf-to-cf`: structured control flow becomes blocks and branches.

Each rule splits the block before its operation, moves the operation's regions in between, and
turns their terminators into branches. Outer operations go first; what is nested is met afterwards
where it then lies. Source: MLIR 22.1 SCFToControlFlow.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DenseArrayBase,
    DenseIntElementsAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    VectorType,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue

from xgpu.core.ir.blocks import block_before, block_for, split_before
from xgpu.core.ir.construction import set_arguments
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.driver import Conversion, NoMatch, Rule, convert

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import LocationAttr

    from xgpu.dialects import scf

_SLT, _ULT = 2, 6  # arith.cmpi's predicates
_DYNAMIC = -(1 << 63)


def _branch(rw: Conversion, target: Block, values: Sequence[SSAValue]) -> Operation:
    return rw.create("cf.br", list(values), successors=(target,))


def _cond_branch(
    rw: Conversion,
    condition: SSAValue,
    then: tuple[Block, Sequence[SSAValue]],
    otherwise: tuple[Block, Sequence[SSAValue]],
) -> Operation:
    return rw.create(
        "cf.cond_br",
        [condition, list(then[1]), list(otherwise[1])],
        successors=(then[0], otherwise[0]),
    )


def _move(region: Region, before: Block) -> None:
    """Moves the blocks of `region` to before `before`."""
    if region.blocks:
        region.move_blocks_before(before)


def _end(
    rw: Conversion,
    block: Block,
    target: Block,
    name: str = "scf.yield",
    location: LocationAttr | None = None,
) -> None:
    """Replaces the terminator of `block`, if it is a `name`, with a branch that passes its
    operands on; where the terminator is, or at `location`."""
    last = block.last_op
    if last is None or last.name != name:
        return
    rw.at_end(block)
    with rw.located(last.location if location is None else location):
        _branch(rw, target, last.operands)
    rw.erase(last)


def _continuation(op: Operation, tail: Block, rw: Conversion) -> Block:
    """Where `op`'s results are known: `tail` itself, or a block of the results before it."""
    if not op.results:
        return tail
    block = block_before(tail, [r.type for r in op.results], [op.location] * len(op.results))
    rw.at_end(block)
    _branch(rw, tail, ())
    return block


def _loop_attributes(source: Operation, branch: Operation) -> None:
    annotation = source.attributes.get("llvm.loop_annotation")
    if annotation is not None:
        branch.attributes["llvm.loop_annotation"] = annotation


def lower_for(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    """
    `scf.for` becomes a block that holds the induction variable and the carried values:

        cf.br ^cond(%lb, %init)
      ^cond(%i, %acc):
        %more = arith.cmpi slt, %i, %ub
        cf.cond_br %more, ^body, ^end
    """
    lower, upper, step, *initial = operands
    head, tail = split_before(op)
    region = op.regions[0]
    entry, last = region.blocks[0], region.blocks[len(region.blocks) - 1]
    condition = block_before(entry)
    arguments: tuple[BlockArgument, ...] = entry.args
    set_arguments(entry, ())
    set_arguments(condition, arguments)
    _move(region, tail)

    terminator = last.last_op
    assert terminator is not None
    rw.at_end(last)
    following = rw.value("arith.addi", [arguments[0], step], arguments[0].type)
    _loop_attributes(op, _branch(rw, condition, [following, *terminator.operands]))
    rw.erase(terminator)

    rw.at_end(head)
    _branch(rw, condition, [lower, *initial])
    rw.at_end(condition)
    predicate = _ULT if "unsignedCmp" in op.properties else _SLT
    more = rw.value(
        "arith.cmpi", [arguments[0], upper], i1, {"predicate": IntegerAttr(predicate, 64)}
    )
    _cond_branch(rw, more, (entry, ()), (tail, ()))
    return arguments[1:]


def lower_if(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    """`scf.if` becomes `cf.cond_br`; its results become arguments of the block that follows."""
    head, tail = split_before(op)
    after = _continuation(op, tail, rw)
    targets: list[Block] = []
    for region in op.regions:
        if not region.blocks:
            targets.append(after)
            continue
        blocks = list(region.blocks)
        _move(region, after)
        _end(rw, blocks[-1], after, location=op.location)
        targets.append(blocks[0])
    rw.at_end(head)
    _cond_branch(rw, operands[0], (targets[0], ()), (targets[1], ()))
    return after.args if op.results else ()


def lower_execute_region(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    """`scf.execute_region` is its blocks; every yield branches to what follows."""
    head, tail = split_before(op)
    blocks = list(op.regions[0].blocks)
    _move(op.regions[0], tail)
    for result in op.results:
        tail.insert_arg(result.type, len(tail.args), op.location)
    for block in blocks:
        _end(rw, block, tail, location=op.location)
    rw.at_end(head)
    _branch(rw, blocks[0], ())
    return tail.args


def lower_while(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    """`scf.while`: the region that decides, the region that works, a branch back."""
    head, tail = split_before(op)
    before, after = op.regions
    first_before, last_before = before.blocks[0], before.blocks[len(before.blocks) - 1]
    first_after, last_after = after.blocks[0], after.blocks[len(after.blocks) - 1]
    forwards = _only_forwards(after)
    _move(before, tail)
    if not forwards:
        _move(after, tail)
    rw.at_end(head)
    _branch(rw, first_before, operands)
    condition = last_before.last_op
    assert condition is not None
    flag, *values = condition.operands
    rw.at_end(last_before)
    # A region that only hands its arguments back is no block of its own: do-while.
    target = first_before if forwards else first_after
    with rw.located(condition.location):
        branch = _cond_branch(rw, flag, (target, values), (tail, ()))
    if forwards:
        _loop_attributes(op, branch)
    rw.erase(condition)
    if not forwards:
        terminator = last_after.last_op
        assert terminator is not None
        rw.at_end(last_after)
        with rw.located(terminator.location):
            _loop_attributes(op, _branch(rw, first_before, terminator.operands))
        rw.erase(terminator)
    return values


def _only_forwards(region: Region) -> bool:
    """Whether a region yields its arguments, in their order, and does nothing else."""
    if len(region.blocks) != 1:
        return False
    block = region.blocks[0]
    only = block.first_op
    return (
        only is not None
        and only is block.last_op
        and len(only.operands) == len(block.args)
        and all(a is b for a, b in zip(only.operands, block.args, strict=True))
    )


def lower_index_switch(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    """`scf.index_switch` becomes `cf.switch` on the index as an i32."""
    head, after = split_before(op)
    for result in op.results:
        after.insert_arg(result.type, len(after.args), op.location)
    default, *cases = op.regions
    targets: list[Block] = []
    for region in (*cases, default):
        blocks = list(region.blocks)
        _move(region, after)
        for block in blocks:
            _end(rw, block, after)
        targets.append(blocks[0])
    rw.at_end(head)
    keys = cast("DenseArrayBase[IntegerType]", op.properties["cases"])
    values = list(keys.get_values())
    # As MLIR where no case is lost by that: it always looks at the low 32 bits.
    width = i32 if all(-(2**31) <= v < 2**31 for v in values) else i64
    flag = rw.value("arith.index_cast", [operands[0]], width)
    properties: dict[str, Attribute] = {
        "case_operand_segments": DenseArrayBase.from_list(i32, [0] * len(cases))
    }
    if cases:
        properties["case_values"] = DenseIntElementsAttr.from_list(
            VectorType(width, [len(values)]), values
        )
    rw.create(
        "cf.switch",
        [flag, [], []],
        properties=properties,
        successors=(targets[-1], *targets[:-1]),
    )
    return after.args


def lower_parallel(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    """`scf.parallel` becomes nested `scf.for`, reductions become carried values, in order."""
    sizes = cast("DenseArrayBase[IntegerType]", op.properties["operandSegmentSizes"])
    counts = list(sizes.get_values())
    rank = counts[0]
    lower, upper, step = (operands[i * rank : (i + 1) * rank] for i in range(3))
    carried: list[SSAValue] = list(operands[3 * rank :])
    types = [v.type for v in carried]
    body = op.regions[0].blocks[0]
    results: Sequence[SSAValue] = ()
    for depth in range(rank):
        block = block_for(carried, types)
        block.insert_arg(IndexType(), 0, op.location)
        loop = cast(
            "scf.ForOp",
            rw.create(
                "scf.for",
                [lower[depth], upper[depth], step[depth], *carried],
                types,
                regions=(Region(block),),
            ),
        )
        _loop_attributes(op, loop)
        if depth == 0:
            results = loop.results
        else:
            rw.create("scf.yield", [*loop.results])
        rw.map_value(body.args[depth], block.args[0])
        carried = list(block.args[1:])
        rw.at_start(block)
    innermost = rw.block
    assert innermost is not None
    _finish_parallel(body, innermost, carried, rw)
    return results


def _finish_parallel(
    body: Block, target: Block, carried: Sequence[SSAValue], rw: Conversion
) -> None:
    """Moves the body of an `scf.parallel` into the innermost loop and unfolds its reductions."""
    for inner in list(body.ops):
        inner.detach()
        target.add_op(inner)
    reduce = target.last_op
    assert reduce is not None
    rw.before(reduce)
    values: list[SSAValue] = []
    for region, value, initial in zip(reduce.regions, reduce.operands, carried, strict=True):
        block = region.blocks[0]
        rw.map_value(block.args[0], initial)
        rw.map_value(block.args[1], value)
        terminator = block.last_op
        assert terminator is not None
        for inner in list(block.ops):
            if inner is not terminator:
                inner.detach()
                target.insert_op_before(inner, reduce)
        values.append(terminator.operands[0])
        rw.erase(terminator)
    rw.create("scf.yield", values)
    rw.erase(reduce)


def lower_forall(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    """`scf.forall` without results becomes `scf.parallel`."""
    if op.results:
        raise NoMatch("only fully bufferized scf.forall ops can be lowered to scf.parallel")
    sizes = cast("DenseArrayBase[IntegerType]", op.properties["operandSegmentSizes"])
    counts = list(sizes.get_values())
    bounds: list[SSAValue] = []
    start = 0
    for name, count in zip(
        ("staticLowerBound", "staticUpperBound", "staticStep"), counts[:3], strict=True
    ):
        dynamic = iter(operands[start : start + count])
        start += count
        static = cast("DenseArrayBase[IntegerType]", op.properties[name])
        for value in static.get_values():
            if value == _DYNAMIC:
                bounds.append(next(dynamic))
            else:
                bounds.append(
                    rw.value(
                        "arith.constant",
                        (),
                        IndexType(),
                        {"value": IntegerAttr.from_index_int_value(value)},
                    )
                )
    rank = len(bounds) // 3
    region = Region()
    op.regions[0].move_blocks(region)
    block = region.blocks[0]
    terminator = cast("scf.ForallInParallelOp | None", block.last_op)
    assert terminator is not None
    with rw.inside(block):
        rw.erase(terminator)
        rw.create("scf.reduce", ())
    rw.create(
        "scf.parallel",
        [bounds[:rank], bounds[rank : 2 * rank], bounds[2 * rank :], []],
        regions=(region,),
    )
    return ()


RULES: dict[str, Rule] = {
    "scf.execute_region": lower_execute_region,
    "scf.for": lower_for,
    "scf.forall": lower_forall,
    "scf.if": lower_if,
    "scf.index_switch": lower_index_switch,
    "scf.parallel": lower_parallel,
    "scf.while": lower_while,
}


class SCFToControlFlowPass(Pass):
    name = "convert-scf-to-cf"
    summary = (
        "Convert SCF dialect to ControlFlow dialect, replacing structured control flow with a CFG"
    )
    options = (
        Option("allow-pattern-rollback", bool, True, "accepted; nothing is ever rolled back"),
    )

    def run(self, op: Operation, ctx: Context) -> None:
        convert(op, RULES, illegal=RULES)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ODS leaves to C++ of scf operations: verifiers and folds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr
from xdsl.ir import Attribute, Operation, OpOperands, Region, SSAValue

from xgpu.core.ir.constants import int_of
from xgpu.core.ir.errors import error, op_error, shown
from xgpu.dialects import scf
from xgpu.dialects.interfaces import Folder, back, between, into, verify_edges, yields

# -- Verifiers of scf's parallel loops and reductions.


#: Operations that an `scf.forall.in_parallel` may hold.
_COMBINING = frozenset(("tensor.parallel_insert_slice",))


def verify_parallel(op: scf.ParallelOp) -> None:
    """Bounds, steps, induction variables and reductions of `scf.parallel`."""
    steps = op.operand_group(2)
    if not steps:
        raise op_error(op, "needs at least one tuple element for lowerBound, upperBound and step")
    for step in steps:
        number = int_of(step)
        if number is not None and number <= 0:
            raise op_error(op, "constant step operand must be positive")
    block = op.regions[0].block
    if len(block.args) != len(steps):
        raise op_error(
            op,
            f"expects the same number of induction variables: {len(block.args)} as bound and step "
            f"values: {len(steps)}",
        )
    for argument in block.args:
        if argument.type.name != "index":
            raise op_error(op, "expects arguments for the induction variable to be of index type")
    end = block.last_op
    if end is None or end.name != "scf.reduce":
        notes = [] if end is None else [(end.location, "terminator here")]
        raise op_error(op, "expects body to terminate with 'scf.reduce'", notes)
    results, reductions, inits = len(op.results), len(end.regions), len(op.operand_group(3))
    if results != reductions:
        raise op_error(
            op,
            f"expects number of results: {results} to be the same as number of reductions: "
            f"{reductions}",
        )
    if results != inits:
        raise op_error(
            op,
            f"expects number of results: {results} to be the same as number of initial values: "
            f"{inits}",
        )
    for index, (operand, result) in enumerate(zip(end.operands, op.results, strict=False)):
        if operand.type != result.type:
            raise op_error(
                end,
                f"expects type of {index}-th reduction operand: '{shown(operand.type)}' to be the "
                f"same as the {index}-th result type: '{shown(result.type)}'",
            )


def verify_reduction_count(op: Operation) -> None:
    """`scf.reduce` has a region for each operand."""
    if len(op.operands) != len(op.regions):
        raise op_error(
            op,
            f"expects number of reduction regions: {len(op.regions)} to be the same as number of "
            f"reduction operands: {len(op.operands)}",
        )


def verify_reduce(op: Operation) -> None:
    """The reduction regions of `scf.reduce`."""
    for index, (operand, region) in enumerate(zip(op.operands, op.regions, strict=True)):
        kind = operand.type
        block = region.first_block
        if block is None or block.last_op is None:
            raise op_error(op, f"{index}-th reduction has an empty body")
        if len(block.args) != 2 or any(argument.type != kind for argument in block.args):
            raise op_error(
                op,
                f"expected two block arguments with type '{shown(kind)}' in the {index}-th "
                "reduction region",
            )
        if block.last_op.name != "scf.reduce.return":
            raise op_error(op, "reduction bodies must be terminated with an 'scf.reduce.return' op")


def verify_reduce_return(op: scf.ReduceReturnOp) -> None:
    """`scf.reduce.return` gives what its reduction takes."""
    block = op.parent
    kind = block.args[0].type if block is not None and block.args else None
    if kind is not None and op.operands[0].type != kind:
        raise op_error(op, f"must have type '{shown(kind)}' (the type of the reduction inputs)")


def verify_forall(op: scf.ForallOp) -> None:
    """Outputs, arguments and mapping of `scf.forall`."""
    outputs = op.operand_group(3)
    if len(op.results) != len(outputs):
        raise op_error(
            op, f"produces {len(op.results)} results, but has only {len(outputs)} outputs"
        )
    rank = len(op.static_upper_bound.get_values())
    block = op.regions[0].block
    if len(block.args) != rank + len(outputs):
        raise op_error(op, "region expects " + str(rank + len(outputs)) + " arguments")
    for index in range(rank):
        if block.args[index].type.name != "index":
            raise op_error(op, f"expects {index}-th block argument to be an index")
    for index, output in enumerate(outputs):
        if block.args[rank + index].type != output.type:
            raise op_error(
                op, f"type mismatch between {index}-th output and corresponding block argument"
            )
    for group, (words, bounds) in enumerate(
        (
            ("lower bound", op.static_lower_bound),
            ("upper bound", op.static_upper_bound),
            ("step", op.static_step),
        )
    ):
        numbers = bounds.get_values()
        if len(numbers) != rank:
            raise op_error(op, f"expected {rank} {words} values, got {len(numbers)}")
        dynamic = list(numbers).count(DYNAMIC_INDEX)
        if dynamic != len(op.operand_group(group)):
            raise error(op, f"expected {dynamic} dynamic {words} values")
    _verify_mapping(op, rank)


def _verify_mapping(op: Operation, rank: int) -> None:
    mapping = cast("ArrayAttr | None", op.properties.get("mapping"))
    if mapping is None:
        return
    masks = [attr for attr in mapping.data if attr.name == "gpu.mask"]
    if len(masks) > 1:
        raise op_error(op, '"mapping" supports at most one device masking attribute')
    if mapping.data and len(mapping.data) - len(masks) != rank:
        raise op_error(op, "mapping attribute size must match op rank")


def verify_in_parallel(op: Operation) -> None:
    """`scf.forall.in_parallel` holds operations that write slices of the outputs."""
    loop = op.parent_op()
    if loop is None or loop.name != "scf.forall":
        raise op_error(op, "expected forall op parent")
    for block in op.regions[0].blocks:
        for child in block.ops:
            if child.name not in _COMBINING:
                raise op_error(op, "expected only ParallelCombiningOpInterface ops")
            target = child.operands[1]
            if target.owner is not op.parent:
                raise op_error(child, "may only insert into an output block argument")


PARALLEL_VERIFY: dict[str, Callable[..., None]] = {
    "scf.parallel": verify_parallel,
    "scf.forall": verify_forall,
    "scf.forall.in_parallel": verify_in_parallel,
    "scf.reduce": verify_reduction_count,
    "scf.reduce.return": verify_reduce_return,
}
PARALLEL_VERIFY_REGIONS: dict[str, Callable[..., None]] = {"scf.reduce": verify_reduce}


# -- Verifiers of scf's loops and conditionals.


def _for(op: Operation) -> None:
    inits = op.operands[3:]
    if len(inits) != len(op.results):
        raise op_error(op, "mismatch in number of loop-carried values and defined values")
    block = op.regions[0].block
    if not block.args:
        raise op_error(op, "expected body to have at least one block argument")


def _for_regions(op: scf.ForOp) -> None:
    block = op.regions[0].block
    if block.args[0].type != op.operands[0].type:
        raise op_error(op, "expected induction variable to be same type as bounds and step")
    end = cast("Operation", block.last_op)
    verify_loop_carried(op, op.operands[3:], block.args[1:], end.operands)


def verify_loop_carried(
    op: Operation, inits: Sequence[SSAValue], arguments: Sequence[SSAValue], yielded: OpOperands
) -> None:
    """Initial values, region arguments, yielded values and results of a loop agree (MLIR's
    LoopLikeOpInterface)."""
    results = op.results
    if len(inits) != len(arguments):
        raise op_error(
            op,
            f"different number of inits and region iter_args: {len(inits)} != {len(arguments)}",
        )
    if len(yielded) != len(arguments):
        raise op_error(
            op,
            "different number of region iter_args and yielded values: "
            f"{len(arguments)} != {len(yielded)}",
        )
    if len(results) != len(arguments):
        raise op_error(
            op,
            "different number of loop results and region iter_args: "
            f"{len(results)} != {len(arguments)}",
        )
    groups = zip(inits, arguments, yielded, results, strict=True)
    for index, (init, argument, value, result) in enumerate(groups):
        for words, found in (("init", init), ("yielded value", value), ("loop result", result)):
            if words == "init":
                first, second = ("init", init), ("region iter_arg", argument)
            else:
                first, second = ("region iter_arg", argument), (words, found)
            if first[1].type != second[1].type:
                raise op_error(
                    op,
                    f"{index}-th {first[0]} and {index}-th {second[0]} have different type: "
                    f"'{shown(first[1].type)}' != '{shown(second[1].type)}'",
                )


def _if(op: Operation) -> None:
    if op.results and op.regions[1].first_block is None:
        raise op_error(op, "must have an else block if defining values")


def _if_regions(op: Operation) -> None:
    edges = [
        back(end, end.operands, op.results)
        for index in (0, 1)
        for end in yields(op, index, "scf.yield")
    ]
    verify_edges(op, edges)


def _while(op: Operation) -> None:
    before, after = op.regions
    _ends_with(op, before, "before", "scf.condition")
    _ends_with(op, after, "after", "scf.yield")


def _ends_with(op: Operation, region: Region, which: str, name: str) -> None:
    last = region.first_block.last_op if region.first_block is not None else None
    if last is not None and last.name == name:
        return
    notes = [] if last is None else [(last.location, "terminator here")]
    raise op_error(op, f"expects the '{which}' region to terminate with '{name}'", notes)


def _while_regions(op: scf.WhileOp) -> None:
    before, after = (region.block for region in op.regions)
    condition, again = cast("Operation", before.last_op), cast("Operation", after.last_op)
    verify_edges(
        op,
        [
            into(op, 0, op.operands, before.args),
            between(condition, 1, condition.operands[1:], after.args),
            back(condition, condition.operands[1:], op.results),
            between(again, 0, again.operands, before.args),
        ],
    )


def _execute_region(op: Operation) -> None:
    entry = op.regions[0].first_block
    if entry is None:
        raise op_error(op, "region needs to have at least one block")
    if entry.args:
        raise op_error(op, "region cannot have any arguments")


def _execute_region_regions(op: Operation) -> None:
    verify_edges(op, [back(end, end.operands, op.results) for end in yields(op, 0, "scf.yield")])


def _index_switch(op: scf.IndexSwitchOp) -> None:
    cases = list(op.cases.get_values())
    regions = list(op.regions)
    if len(cases) != len(regions) - 1:
        raise op_error(op, f"has {len(regions) - 1} case regions but {len(cases)} case values")
    seen: set[int] = set()
    for value in cases:
        if value in seen:
            raise op_error(op, f"has duplicate case value: {value}")
        seen.add(value)
    _switch_region(op, regions[0], "default region")
    for index, region in enumerate(regions[1:]):
        _switch_region(op, region, f"case region #{index}")


def _switch_region(op: Operation, region: Region, name: str) -> None:
    end = region.block.last_op
    if end is None:
        return
    if end.name != "scf.yield":
        raise op_error(op, f"expected region to end with scf.yield, but got {end.name}")
    if len(end.operands) != len(op.results):
        raise op_error(
            op,
            f"expected each region to return {len(op.results)} values, but {name} returns "
            f"{len(end.operands)}",
            [(end.location, "see yield operation here")],
        )
    for index, (result, value) in enumerate(zip(op.results, end.operands, strict=True)):
        if result.type != value.type:
            raise op_error(
                op,
                f"expected result #{index} of each region to be '{shown(result.type)}'",
                [(end.location, f"{name} returns '{shown(value.type)}' here")],
            )


VERIFY = {
    "scf.for": _for,
    "scf.if": _if,
    "scf.while": _while,
    "scf.execute_region": _execute_region,
    "scf.index_switch": _index_switch,
    **PARALLEL_VERIFY,
}
VERIFY_REGIONS = {
    "scf.for": _for_regions,
    "scf.if": _if_regions,
    "scf.while": _while_regions,
    "scf.execute_region": _execute_region_regions,
    **PARALLEL_VERIFY_REGIONS,
}


# -- Folds of the scf dialect.


def _fold_if(op: Operation, constants: list[Attribute | None]) -> bool | None:
    """if (not c) A else B -> if c B else A"""
    then, other = op.regions
    if other.first_block is None:
        return None
    inverted = op.operands[0].owner
    if not isinstance(inverted, Operation) or inverted.name != "arith.xori":
        return None
    if int_of(inverted.operands[1]) in (None, 0):
        return None
    op.operands[0] = inverted.operands[0]
    first, second = then.blocks[0], other.blocks[0]
    then.detach_block(first)
    other.detach_block(second)
    then.add_block(second)
    other.add_block(first)
    return True


FOLD: dict[str, Folder] = {"scf.if": _fold_if}

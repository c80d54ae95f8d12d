# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of scf's loops and conditionals."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xgpu.core.ir.attribute_text import shown
from xgpu.core.ir.errors import op_error
from xgpu.dialects.scf import verify_parallel
from xgpu.dialects.region_branches import back, between, into, verify_edges, yields

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.ir import Operation, OpOperands, Region, SSAValue

    from xgpu.dialects import scf


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
    **verify_parallel.PARALLEL_VERIFY,
}
VERIFY_REGIONS = {
    "scf.for": _for_regions,
    "scf.if": _if_regions,
    "scf.while": _while_regions,
    "scf.execute_region": _execute_region_regions,
    **verify_parallel.PARALLEL_VERIFY_REGIONS,
}

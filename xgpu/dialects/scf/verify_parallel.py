# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of scf's parallel loops and reductions."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX

from xgpu.core.ir.attribute_text import shown
from xgpu.core.ir.constants import int_of
from xgpu.core.ir.errors import error, op_error

if TYPE_CHECKING:
    from collections.abc import Callable

    from xdsl.dialects.builtin import ArrayAttr
    from xdsl.ir import Operation

    from xgpu.dialects import scf


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

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`sharding-propagation`: shardings for the operands and results of all operations of a function.

Each operation gets axes of the grid for its loops, from what is known of its operands and results.
A `shard.shard` that says how this operation has a value must hold; one that says how others have
it may be followed or not. Of the ways that are possible, one without resharding is taken, else one
that only reshards what was not said of this operation.

Source: MLIR 22.1 ShardingPropagation.cpp, and maybeInsert*ShardingAnnotation of ShardOps.cpp.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue

from xgpu.core.ir.blocks import location_of
from xgpu.core.ir.constants import is_constant_op
from xgpu.core.ir.construction import defining, operations_of
from xgpu.core.ir.errors import op_error
from xgpu.core.ir.op_info import traits_of
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects import shard
from xgpu.dialects.shard.sharding import Sharding, build_shard, build_sharding, is_for_users
from xgpu.transforms.shard.interface import Model, ShardingOption, model_of
from xgpu.transforms.shard.partitioning import Shardings

if TYPE_CHECKING:
    from xdsl.context import Context

#: What a way to shard an operation costs.
_NONE, _OTHERS, _EXPLICIT = range(3)
_ANNOTATIONS = frozenset(("shard.get_sharding", "shard.shard", "shard.sharding"))


# -- What is known of a value.


def _annotations(value: SSAValue) -> list[shard.ShardOp]:
    """The `shard.shard` of a value."""
    users = (use.operation for use in value.uses)
    return [cast("shard.ShardOp", user) for user in users if user.name == "shard.shard"]


def _of_result(value: SSAValue) -> tuple[bool, Sharding | None]:
    """Whether the sharding of a result must hold, and the sharding."""
    found = _annotations(value)
    if any(not is_for_users(op) for op in found):
        if len(list(value.uses)) != 1:
            return False, None
        return True, Sharding.of(found[0].sharding)
    return False, Sharding.of(found[0].sharding) if found else None


def _of_operand(value: SSAValue) -> tuple[bool, Sharding | None]:
    """Whether the sharding of an operand must hold, and the sharding."""
    found: shard.ShardOp | None = defining(value, "shard.shard")
    return (False, None) if found is None else (is_for_users(found), Sharding.of(found.sharding))


def _combinations(known: Sequence[tuple[bool, Sharding | None]]) -> Iterator[Shardings]:
    """All ways to take what may hold, and to leave it; first those that take more."""
    return product(
        *((sharding,) if must or sharding is None else (sharding, None) for must, sharding in known)
    )


# -- The choice of one operation.


def _cost(op: Operation, shardings: Shardings) -> int:
    """What must be resharded if the operands and results have these shardings."""
    worst = _NONE
    for value, sharding in zip(op.operands, shardings, strict=False):
        found: shard.ShardOp | None = defining(value, "shard.shard")
        if found is not None and Sharding.of(found.sharding) != sharding:
            worst = max(worst, _EXPLICIT if is_for_users(found) else _OTHERS)
    for value, sharding in zip(op.results, shardings[len(op.operands) :], strict=True):
        for found in _annotations(value):
            if Sharding.of(found.sharding) != sharding:
                worst = max(worst, _OTHERS if is_for_users(found) else _EXPLICIT)
    return worst


def _choose(op: Operation, model: Model) -> tuple[ShardingOption, Shardings] | None:
    """The best way to shard an operation; None where nothing is known."""
    best: tuple[int, ShardingOption, Shardings] | None = None
    operands = list(_combinations([_of_operand(value) for value in op.operands]))
    for results in _combinations([_of_result(value) for value in op.results]):
        for given in operands:
            option = model.choose(op, given, results)
            if option is None:
                continue
            shardings = model.shardings(op, option)
            if shardings is None:
                raise op_error(op, "fail to get sharding option.")
            cost = _cost(op, shardings)
            if best is None or cost < best[0]:
                best = cost, option, shardings
            if cost == _NONE:
                return option, shardings
    return None if best is None else best[1:]


# -- Annotating.


def _annotate_result(rw: Rewriter, value: SSAValue, sharding: Sharding) -> None:
    """Lets the users of a result have it with a sharding."""
    made: shard.ShardOp | None = None
    for use in list(value.uses):
        user = use.operation
        known = cast("shard.ShardOp", user) if user.name == "shard.shard" else None
        is_definition = known is not None and not is_for_users(known)
        if known is not None and is_definition and Sharding.of(known.sharding) == sharding:
            made = made or known
            continue
        if made is None:
            _after(rw, value)
            made = build_shard(rw, value, build_sharding(rw, sharding), for_users=False)
        user.operands[use.index] = made.result
        if is_definition:
            rw.after(made)
            again = build_shard(rw, made.result, made.sharding, for_users=True)
            _replace_uses(made.result, again)


def _replace_uses(value: SSAValue, made: shard.ShardOp) -> None:
    """Lets all users of a value but one use that one's result."""
    for use in list(value.uses):
        if use.operation is not made:
            use.operation.operands[use.index] = made.result


def _after(rw: Rewriter, value: SSAValue) -> None:
    owner = cast("Operation", value.owner)
    rw.after(owner)
    rw.location = owner.location


def _annotate_operand(rw: Rewriter, op: Operation, index: int, shardings: Shardings) -> None:
    """Lets an operation have one operand with its sharding, resharded where its definition says
    another. Operands that are the same value with the same sharding share the annotation; MLIR
    gives that of the last to all of them."""
    value, sharding = op.operands[index], shardings[index]
    if sharding is None or not isinstance(value.type, TensorType):
        return
    known: shard.ShardOp | None = defining(value, "shard.shard")
    is_explicit = known is not None and is_for_users(known)
    if known is not None and is_explicit and Sharding.of(known.sharding) == sharding:
        return
    rw.before(op)
    rw.location = location_of(value)
    made_sharding = build_sharding(rw, sharding)
    source = value
    if is_explicit:
        # Its definition is for other users: this one reshards a value that has a definition.
        source = build_shard(rw, value, made_sharding, for_users=False).result
    made = build_shard(rw, source, made_sharding, for_users=True)
    for at, operand in enumerate(op.operands):
        if operand is value and shardings[at] == sharding:
            op.operands[at] = made.result


def _visit(op: Operation, rw: Rewriter) -> None:
    """Annotates the operands and results of one operation."""
    model = model_of(op)
    if "Terminator" in traits_of(op.name) or op.name in _ANNOTATIONS:
        return
    if model is None:
        if is_constant_op(op):
            return
        raise op_error(op, "sharding interface is not implemented.")
    chosen = _choose(op, model)
    if chosen is None:
        return
    _, shardings = chosen
    count = len(op.operands)
    for result, sharding in zip(op.results, shardings[count:], strict=True):
        if sharding is not None:
            _annotate_result(rw, result, sharding)
    for index in range(count):
        _annotate_operand(rw, op, index, shardings)


class ShardingPropagation(Pass):
    """Shardings of a function's values, from those that are given."""

    name = "sharding-propagation"
    summary = "sharding propagation"
    anchor = "FunctionOpInterface"
    options = (
        Option(
            "traversal",
            str,
            "backward-forward",
            "Traversal order to use for sharding propagation:",
            ("forward", "backward", "forward-backward", "backward-forward"),
        ),
    )
    traversal: str

    def run(self, op: Operation, ctx: Context) -> None:
        region = op.regions[0]
        if region.blocks.first is None or region.blocks.first is not region.blocks.last:
            raise op_error(op, "only one block is supported!")
        rw = Rewriter()
        for direction in self.traversal.split("-"):
            visited = operations_of(region.block)
            for inner in reversed(visited) if direction == "backward" else visited:
                _visit(inner, rw)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`shard-partition`: a function on one process of the grid.

Every tensor becomes its shard. Two `shard.shard` in a row become the collectives that reshard.

Source: MLIR 22.1 Partition.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import FunctionType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue

from xgpu.core.ir.constants import is_constant_op
from xgpu.core.ir.construction import defining, operations_of
from xgpu.core.ir.effects import is_trivially_dead
from xgpu.core.ir.errors import error
from xgpu.core.ir.op_info import traits_of
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects import shard
from xgpu.dialects.shard.sharding import (
    Sharding,
    grid_at,
    is_sharded_type,
    shard_type,
)
from xgpu.transforms.shard.interface import model_of
from xgpu.transforms.shard.partitioning import OnProcess, partition_replicated
from xgpu.transforms.shard.resharding import reshard

if TYPE_CHECKING:
    from xdsl.context import Context


def _annotation(value: SSAValue) -> shard.ShardOp | None:
    """The `shard.shard` that is the only user of a value."""
    users = [use.operation for use in value.uses]
    is_one = len(users) == 1 and users[0].name == "shard.shard"
    return cast("shard.ShardOp", users[0]) if is_one else None


# -- What must hold of the annotations.


def _check_argument(function: Operation, block: int, argument: BlockArgument) -> shard.ShardOp:
    """The annotation of a block argument. Reports where there is none."""
    found = _annotation(argument)
    if found is not None:
        return found
    several = len(list(argument.uses)) > 1
    what = "a single use for block" if several else "a shard.shard op for block"
    raise error(
        function,
        f"Cannot partition: expected {what} argument {argument.index} in block {block}",
    )


def _check(op: Operation) -> None:
    """All tensors that an operation takes and gives have annotations."""
    if is_constant_op(op):
        return
    for index, operand in enumerate(op.operands):
        if is_sharded_type(operand.type) and defining(operand, "shard.shard") is None:
            raise error(
                op,
                f"Cannot partition: tensor operand {index} must be defined by a shard.shard "
                "operation.",
            )
    for result in op.results:
        if is_sharded_type(result.type):
            _check_result(op, result)


def _check_result(op: Operation, result: OpResult) -> None:
    if len(list(result.uses)) != 1:
        raise error(op, f"Cannot partition: result {result.index} must have exactly one use.")
    if _annotation(result) is None:
        raise error(
            op,
            f"Cannot partition: user of result {result.index} must be shard.shard operation.",
        )


# -- One function.


class _Partitioner:
    """Builds the blocks of a function anew. `values` has what each value is on one process."""

    def __init__(self, function: Operation) -> None:
        self.function = function
        self.values: dict[SSAValue, SSAValue] = {}
        self.blocks: dict[Block, Block] = {}
        self.rw = Rewriter()

    def run(self) -> None:
        region = self.function.regions[0]
        blocks = list(region.blocks)
        if not any(op.name == "shard.shard" for block in blocks for op in block.ops):
            return
        for number, block in enumerate(blocks):
            self.blocks[block] = made = Block(arg_types=self._argument_types(number, block))
            for old, new in zip(block.args, made.args, strict=True):
                new.location, new.name_hint = old.location, old.name_hint
                self.values[old] = new
            region.add_block(made)
        for block in blocks:
            self.rw.at_end(self.blocks[block])
            for op in operations_of(block):
                self.rw.location = op.location
                self._partition(op)
        for block in blocks:
            for op in block.ops:
                op.drop_all_references()
        for block in blocks:
            region.erase_block(block, safe_erase=False)
        self._set_type()

    def _argument_types(self, number: int, block: Block) -> list[Attribute]:
        types: list[Attribute] = []
        for argument in block.args:
            kind = argument.type
            if is_sharded_type(kind):
                found = _check_argument(self.function, number, argument)
                kind = self._shard_type(found)
            types.append(kind)
        return types

    def _shard_type(self, op: shard.ShardOp) -> Attribute:
        sharding = Sharding.of(op.sharding)
        try:
            return shard_type(op.src.type, grid_at(op, sharding.grid), sharding)
        except ValueError as problem:
            raise error(op, f"cannot be partitioned: {problem}") from None

    def _partition(self, op: Operation) -> None:
        if op.name == "shard.sharding" or is_trivially_dead(op):
            return
        if op.name == "shard.get_sharding":
            self._get_sharding(op)
        elif op.name == "shard.shard":
            self._annotated(cast("shard.ShardOp", op))
        else:
            _check(op)
            self._operation(op)

    def _get_sharding(self, op: Operation) -> None:
        source: shard.ShardOp | None = defining(op.operands[0], "shard.shard")
        if source is None:
            raise error(op, "expected a shard op as source of get_sharding")
        made = cast("Operation", source.sharding.owner).clone(self.values)
        self.rw.insert(made)
        self.values[op.results[0]] = made.results[0]

    def _annotated(self, op: shard.ShardOp) -> None:
        source: shard.ShardOp | None = defining(op.src, "shard.shard")
        part = self.values[op.src]
        if source is not None:
            grid = grid_at(op, Sharding.of(op.sharding).grid)
            part = reshard(self.rw, grid, source, op, part)
        self.values[op.result] = part

    def _operation(self, op: Operation) -> None:
        operands = [
            Sharding.of(defining(value, "shard.shard").sharding)
            if is_sharded_type(value.type)
            else None
            for value in op.operands
        ]
        results = [
            Sharding.of(found.sharding) if (found := _annotation(value)) is not None else None
            for value in op.results
        ]
        given = OnProcess(op, operands, results, self.values, self.blocks, self.rw)
        model = model_of(op)
        if model is None:
            partition_replicated(given)
        else:
            model.partition(given)

    def _set_type(self) -> None:
        """The function takes and returns shards."""
        for block in self.function.regions[0].blocks:
            last = block.last_op
            if last is None or "ReturnLike" not in traits_of(last.name):
                continue
            arguments = self.function.regions[0].blocks[0].args
            inputs = [argument.type for argument in arguments]
            kind = FunctionType.from_lists(inputs, [value.type for value in last.operands])
            self.function.properties["function_type"] = kind
            return


class Partition(Pass):
    """A function on one process."""

    name = "shard-partition"
    summary = "Partition a function into SPMD form."
    anchor = "FunctionOpInterface"

    def run(self, op: Operation, ctx: Context) -> None:
        _Partitioner(op).run()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`shard-distribute`: a program with shardings as what each process of the grid runs.

The functions that have a `shard.shard` are propagated and partitioned. The others are the same on
all processes: they may do what cannot be sharded, such as print.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Operation

from xgpu.core.passes.base import Pass
from xgpu.transforms.shard.shard_partition import Partition
from xgpu.transforms.shard.shard_simplify import ShardSimplify
from xgpu.transforms.shard.sharding_propagation import ShardingPropagation

if TYPE_CHECKING:
    from xdsl.context import Context


class ShardDistribute(Pass):
    """What each process runs."""

    name = "shard-distribute"
    summary = "Propagate shardings and partition each function that has any"
    anchor = "builtin.module"

    def run(self, op: Operation, ctx: Context) -> None:
        functions = [inner for inner in op.walk() if inner.name == "func.func"]
        for function in functions:
            if any(inner.name == "shard.shard" for inner in function.walk()):
                ShardingPropagation().run(function, ctx)
                # What an operation got from one before it reaches the others that it takes only
                # backwards again.
                ShardingPropagation(traversal="backward").run(function, ctx)
                Partition().run(function, ctx)
        ShardSimplify().run(op, ctx)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MLIR's test passes over the shard dialect: lowerings, simplifications, resharding."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.core.rewriting.greedy import apply_patterns

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation


class TestAllSliceOpLowering(Pass):
    """all_slice as tensor.extract_slice."""

    __test__ = False
    name = "test-grid-all-slice-op-lowering"
    summary = "Test lowering of all-slice."

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.transforms.shard.lowering import ALL_SLICE

        apply_patterns(op, ALL_SLICE)


class TestMultiIndexOpLowering(Pass):
    """process_multi_index as affine.delinearize_index."""

    __test__ = False
    name = "test-grid-process-multi-index-op-lowering"
    summary = "Test lowering of shard.process_multi_index op."

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.transforms.shard.lowering import MULTI_INDEX

        apply_patterns(op, MULTI_INDEX)


class TestShardSimplifications(Pass):
    """What MLIR 22 simplifies."""

    __test__ = False
    name = "test-grid-simplifications"
    summary = "Test grid simplifications"

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.transforms.shard.shard_simplify import SIMPLIFICATIONS

        apply_patterns(op, SIMPLIFICATIONS)


class TestResharding(Pass):
    """Two shard.shard in a row as collectives on a shard."""

    __test__ = False
    name = "test-grid-resharding-partition"
    summary = "Test Shard dialect resharding partition."
    anchor = "builtin.module"

    def run(self, op: Operation, ctx: Context) -> None:
        for found in [inner for inner in op.walk() if inner.name == "shard.shard"]:
            if "annotate_for_users" not in found.properties:
                _reshard_users(found)
        apply_patterns(op, {})


def _reshard_users(op: Any) -> None:
    from xgpu.core.ir.construction import replace_all_uses
    from xgpu.dialects.shard.sharding import Sharding, grid_at, shard_type
    from xgpu.transforms.shard.resharding import reshard

    sharding = Sharding.of(op.sharding)
    grid = grid_at(op, sharding.grid)
    for use in list(op.result.uses):
        user: Any = use.operation
        if user.name != "shard.shard" or "annotate_for_users" not in user.properties:
            continue
        rw = Rewriter(op)
        part = rw.value(_CAST, [op.src], shard_type(op.src.type, grid, sharding))
        made = reshard(rw, grid, op, user, part)
        replace_all_uses(user.result, rw.value(_CAST, [made], user.result.type))


_CAST = "builtin.unrealized_conversion_cast"

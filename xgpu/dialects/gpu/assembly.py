# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names that MLIR suggests for results of gpu operations (`%thread_id_x`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xgpu.dialects import gpu


_INDEX_OPS = (
    "thread_id",
    "block_id",
    "block_dim",
    "grid_dim",
    "global_id",
    "cluster_id",
    "cluster_dim",
    "cluster_dim_blocks",
    "cluster_block_id",
)


def _name_dimension(op: gpu.BlockDimOp) -> list[str | None]:
    return [f"{op.name[4:]}_{op.properties['dimension'].data}"]


NAMES = {f"gpu.{name}": _name_dimension for name in _INDEX_OPS}

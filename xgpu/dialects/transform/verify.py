# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The verifiers of transform operations."""

from __future__ import annotations

from typing import Any

from xgpu.errors import op_error


def verify_map_forall_to_blocks(op: Any) -> None:
    dims = op.properties.get("grid_dims")
    if dims is not None and len(dims) not in (0, 3):
        raise op_error(op, "transform requires empty or size-3 grid_dims")


VERIFY = {"transform.gpu.map_forall_to_blocks": verify_map_forall_to_blocks}

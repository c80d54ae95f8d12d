# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names that MLIR suggests for results of index operations."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xgpu.dialects import index


def _constant(op: index.ConstantOp) -> list[str | None]:
    return [f"idx{op.value.value.data}"]


def _bool_constant(op: index.BoolConstantOp) -> list[str | None]:
    return ["true" if op.value.value.data else "false"]


NAMES = {"index.constant": _constant, "index.bool.constant": _bool_constant}

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of transform.structured operations: what they say fits together."""

from __future__ import annotations

from typing import Any

from xgpu.errors import op_error


def _numbers(op: Any, name: str) -> list[int]:
    attr = op.properties.get(name)
    return list(attr.get_values()) if attr is not None else []


def verify_tile_using_for(op: Any) -> None:
    """A handle for each loop, that is for each size that is not zero."""
    sizes = _numbers(op, "static_sizes")
    scalable = _numbers(op, "scalable_sizes")
    if scalable and len(scalable) != len(sizes):
        raise op_error(
            op,
            f"expected same number of sizes ({len(sizes)}) and scalable sizes ({len(scalable)})",
        )
    expected = sum(size != 0 for size in sizes)
    if len(op.results) - 1 != expected:
        raise op_error(
            op,
            f"expected number of loops to tile ({expected}) to match number of `loops` results "
            f"({len(op.results) - 1})",
        )


VERIFY = {"transform.structured.tile_using_for": verify_tile_using_for}

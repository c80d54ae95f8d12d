# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names that MLIR suggests for results of vector operations."""

from __future__ import annotations

from typing import Any


def _vscale(op: Any) -> list[str | None]:
    return ["vscale"]


NAMES = {"vector.vscale": _vscale}

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names that MLIR suggests for results of complex operations."""

from __future__ import annotations

from typing import Any


def _constant(op: Any) -> list[str | None]:
    return ["cst"]


NAMES = {"complex.constant": _constant}

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names that MLIR suggests for results of func operations."""

from __future__ import annotations

from typing import Any


def _name_constant(op: Any) -> list[str | None]:
    return ["f"]


NAMES = {"func.constant": _name_constant}

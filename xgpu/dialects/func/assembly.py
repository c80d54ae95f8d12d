# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names that MLIR suggests for results of func operations."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xdsl.ir import Operation


def _name_constant(op: Operation) -> list[str | None]:
    return ["f"]


NAMES = {"func.constant": _name_constant}

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names that MLIR suggests for results of complex operations."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xdsl.ir import Operation


def _constant_names(op: Operation) -> list[str | None]:
    return ["cst"]


NAMES = {"complex.constant": _constant_names}

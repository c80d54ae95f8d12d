# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names that MLIR suggests for results of tensor operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xdsl.ir import Operation


def _fixed(name: str) -> Callable[[Operation], list[str | None]]:
    return lambda op: [name]


NAMES = {
    "tensor.cast": _fixed("cast"),
    "tensor.collapse_shape": _fixed("collapsed"),
    "tensor.concat": _fixed("concat"),
    "tensor.dim": _fixed("dim"),
    "tensor.expand_shape": _fixed("expanded"),
    "tensor.extract": _fixed("extracted"),
    "tensor.extract_slice": _fixed("extracted_slice"),
    "tensor.from_elements": _fixed("from_elements"),
    "tensor.gather": _fixed("gather"),
    "tensor.generate": _fixed("generated"),
    "tensor.insert": _fixed("inserted"),
    "tensor.insert_slice": _fixed("inserted_slice"),
    "tensor.pad": _fixed("padded"),
    "tensor.rank": _fixed("rank"),
    "tensor.reshape": _fixed("reshape"),
    "tensor.scatter": _fixed("scatter"),
    "tensor.splat": _fixed("splat"),
}

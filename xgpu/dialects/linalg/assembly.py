# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names that MLIR suggests for results of linalg operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def _fixed(name: str) -> Callable[[Any], list[str | None]]:
    return lambda op: [name]


NAMES = {
    "linalg.broadcast": _fixed("broadcasted"),
    "linalg.map": _fixed("mapped"),
    "linalg.pack": _fixed("pack"),
    "linalg.reduce": _fixed("reduced"),
    "linalg.transpose": _fixed("transposed"),
    "linalg.unpack": _fixed("unpack"),
}

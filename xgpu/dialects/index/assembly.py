# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names that MLIR suggests for results of index operations."""

from __future__ import annotations

from typing import Any


def _constant(op: Any) -> list[str | None]:
    return [f"idx{op.properties['value'].value.data}"]


def _bool_constant(op: Any) -> list[str | None]:
    return ["true" if op.properties["value"].value.data else "false"]


NAMES = {"index.constant": _constant, "index.bool.constant": _bool_constant}

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names of results that follow from an operation's definition.

MLIR names the results of an operation that defines several after its definition (`%sum, %overflow =
arith.addui_extended`), unless the operation suggests names itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xgpu.core.ods.operation import OdsOperation


def default_result_names(op_name: str) -> Callable[[OdsOperation], list[str | None]] | None:
    """The function that names the results of an operation, or None if nothing does."""
    from xgpu.core.ods.registry import op_spec

    spec = op_spec(op_name)
    if spec is None or len(spec.results) < 2 or "OpAsmOpInterface" in spec.traits:
        return None
    names = [field.name for field in spec.results]
    if not any(names):
        return None

    def suggest(op: OdsOperation) -> list[str | None]:
        suggested: list[str | None] = [None] * len(op.results)
        at = 0
        for index, name in enumerate(names):
            size = len(op.result_group(index))
            if size and name:
                suggested[at] = name
            at += size
        return suggested

    return suggest

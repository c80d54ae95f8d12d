# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory effects of vector transfers: those of memrefs have some, those of tensors none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import MemRefType, UnrankedMemRefType
from xdsl.ir import Operation

from xgpu.core.ir.effects import Effect

if TYPE_CHECKING:
    from collections.abc import Callable


def _transfer(kind: str, place: int) -> Callable[[Operation], list[Effect]]:
    def effects(op: Operation) -> list[Effect]:
        base = op.operands[place]
        if isinstance(base.type, MemRefType | UnrankedMemRefType):
            return [Effect(kind, base)]
        return []

    return effects


EFFECTS: dict[str, Callable[[Operation], list[Effect]]] = {
    "vector.transfer_read": _transfer("read", 0),
    "vector.transfer_write": _transfer("write", 1),
}

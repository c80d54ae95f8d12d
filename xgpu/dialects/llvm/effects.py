# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory effects of llvm operations that depend on their attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation

from xgpu.core.ir.effects import Effect

if TYPE_CHECKING:
    from collections.abc import Callable

    from xdsl.dialects.builtin import IntegerAttr

    from xgpu.core.ods.attributes import EnumAttr


def _ordering(op: Operation) -> int:
    attr = op.properties.get("ordering")
    if attr is None:
        return 0
    return attr.value.data if isinstance(attr, IntegerAttr) else cast("EnumAttr", attr).value


def _access(kind: str, place: int) -> Callable[[Operation], list[Effect]]:
    """A load or store: volatile and ordered ones may not move past anything."""

    def effects(op: Operation) -> list[Effect]:
        found = [Effect(kind, op.operands[place])]
        if "volatile_" in op.properties or _ordering(op) >= 2:  # monotonic or stricter
            found += [Effect("read", None), Effect("write", None)]
        return found

    return effects


def _inline_asm(op: Operation) -> list[Effect]:
    if "has_side_effects" in op.properties:
        return [Effect("write", None), Effect("read", None)]
    return []


EFFECTS: dict[str, Callable[[Operation], list[Effect]]] = {
    "llvm.inline_asm": _inline_asm,
    "llvm.load": _access("read", 0),
    "llvm.store": _access("write", 1),
}

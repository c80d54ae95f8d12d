# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What discardable transform attributes demand of the operation that carries them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.core.ir.errors import error

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation


def verify_with_named_sequence(op: Operation, name: str, value: Attribute) -> None:
    from xgpu.core.ir.symbols import is_symbol_table

    if value.name != "unit":
        raise error(op, f"'{name}' attribute must be a UnitAttr")
    if not is_symbol_table(op):
        raise error(op, f'"{name}" attribute can only be attached to operations with symbol tables')


def verify_target_tag(op: Operation, name: str, value: Attribute) -> None:
    if value.name != "string":
        raise error(op, f'"{name}" attribute must be a string')


VERIFY_ATTRIBUTES = {
    "transform.target_tag": verify_target_tag,
    "transform.with_named_sequence": verify_with_named_sequence,
}

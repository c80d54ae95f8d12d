# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the llvm dialect demands of discardable attributes that carry its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import StringAttr

from xgpu.core.ir.errors import op_error

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation


#: What a part of a data layout may begin with.
_LETTERS = "eEpnivfaAFGPmSsu"


def _mistake(text: str) -> str | None:
    """What is wrong with a data layout, in LLVM's words, or None."""
    for part in text.split("-") if text else ():
        if not part:
            return "empty specification is not allowed"
        if part[0] not in _LETTERS and not part.startswith("ni"):
            return f"unknown specifier '{part[0]}'"
        if part[0] in "eE" and len(part) > 1:
            return f"malformed specification, must be just '{part[0]}'"
    return None


def _data_layout(op: Operation, name: str, value: Attribute) -> None:
    if not isinstance(value, StringAttr):
        raise op_error(op, "expected 'llvm.data_layout' to be a string attributes")
    mistake = _mistake(value.data)
    if mistake is not None:
        raise op_error(op, f"invalid data layout descriptor: {mistake}")


#: Discardable attribute name -> fn(op, name, value).
VERIFY_ATTRIBUTES = {"llvm.data_layout": _data_layout}

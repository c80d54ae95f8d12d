# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Constant addresses: `getelementptr` of a global with constant indices, as LLVM folds it.

LLVM turns such an address into a byte offset, `getelementptr inbounds nuw (i8, ptr @g, i64 52)`,
and finds `inbounds` by itself where the offset lies within the global.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import VectorType

from xgpu.backend.llvm_ir.fold import as_int
from xgpu.dialects.llvm.types import LLVMArrayType, LLVMPointerType, LLVMStructType
from xgpu.ir.errors import DiagnosticError

if TYPE_CHECKING:
    from xdsl.ir import Attribute, SSAValue

    from xgpu.backend.llvm_ir.function import FunctionWriter
    from xgpu.backend.llvm_ir.types import DataLayout

_OFFSET = re.compile(
    r"getelementptr (inbounds )?(?:nusw )?(?:nuw )?"
    r"\(i8, ptr(?: addrspace\(\d+\))? (@.+), i\d+ (-?\d+)\)$"
)


def offset(layout: DataLayout, element: Attribute, indices: Sequence[int]) -> int | None:
    """The distance in bytes that `indices` into `element` make, or None if a step is no address."""
    total = indices[0] * layout.size(element)
    t = element
    for index in indices[1:]:
        if isinstance(t, LLVMStructType):
            total += layout.offsets(t)[index]
            t = t.body[index]
        elif isinstance(t, (LLVMArrayType, VectorType)):
            t = t.element_type
            total += index * layout.size(t)
        else:
            return None
    return total


def constant_address(
    w: FunctionWriter, base: SSAValue, element: Attribute, indices: Sequence[str], bits: int
) -> str | None:
    """The folded address, or None where LLVM would keep an instruction."""
    if not isinstance(base.type, LLVMPointerType):
        return None
    numbers = [as_int(i.rpartition(" ")[2]) for i in indices]
    if not numbers or None in numbers:
        return None
    try:
        distance = offset(w.module.layout, element, [n for n in numbers if n is not None])
    except DiagnosticError:
        return None
    if distance is None:
        return None
    text = w.values[base]
    pointer = w.types(base.type)
    if text == "null" and distance == 0:
        return text
    inner = _OFFSET.match(text)
    if inner is not None:
        text, distance = inner[2], distance + int(inner[3])
        bits &= 7 if inner[1] else 0
    if distance == 0:
        return text
    width = w.module.layout.index_width(base.type.data)
    size = w.module.global_size(text)
    inbounds = bits & 1 or (size is not None and 0 <= distance <= size)
    if inbounds:
        flags = "inbounds nuw " if distance >= 0 else "inbounds "
    else:
        flags = ("nusw " if bits & 2 else "") + (
            "nuw " if bits & 4 or (bits & 2 and distance > 0) else ""
        )
    return f"getelementptr {flags}(i8, {pointer} {text}, i{width} {distance})"

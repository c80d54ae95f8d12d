# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What writers of nvvm operations need: arguments, intrinsics, address spaces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.ir import Operation, SSAValue

from xgpu.backend.llvm_ir.context import Argument, Literal
from xgpu.backend.llvm_ir.facts import prop, text_of
from xgpu.dialects.llvm.types import LLVMPointerType

if TYPE_CHECKING:
    from xgpu.backend.llvm_ir.function import FunctionWriter

GENERIC, GLOBAL, SHARED, LOCAL, TENSOR, CLUSTER = 0, 1, 3, 5, 6, 7


def emit(w: FunctionWriter, op: Operation, name: str, arguments: Sequence[Argument]) -> None:
    """Calls `llvm.nvvm.<name>`; the call is the operation's result."""
    result = op.results[0].type if op.results else None
    text = w.call(op, result, f"llvm.nvvm.{name}", arguments)
    if text is not None and op.results:
        w.values[op.results[0]] = text


def keyword(op: Operation, name: str) -> str:
    """The keyword of an enumeration attribute, "" if it is not there."""
    attr = prop(op, name)
    return "" if attr is None else text_of(attr)


def space(value: SSAValue) -> int:
    """The address space of a pointer."""
    t = value.type
    return t.data if isinstance(t, LLVMPointerType) else 0


def optional(value: SSAValue | None, absent: Literal) -> SSAValue | Literal:
    """An optional operand, or what stands for it."""
    return absent if value is None else value


def boolean(value: object) -> Literal:
    return Literal(1, int(bool(value)))


def in_shared(w: FunctionWriter, value: SSAValue) -> Argument:
    """A pointer, cast to shared memory if it is generic."""
    if space(value) != GENERIC:
        return value
    text = w.values[value]
    target = f"ptr addrspace({SHARED})"
    if text[0] != "%":
        return f"{target} addrspacecast (ptr {text} to {target})"
    return f"{target} {w.new(f'addrspacecast ptr {text} to {target}')}"

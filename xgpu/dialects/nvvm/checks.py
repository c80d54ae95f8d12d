# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the verifiers of nvvm operations share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerAttr, IntegerType
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core.ir.errors import Diagnostic, DiagnosticError, op_error
from xgpu.dialects.llvm.types import LLVMPointerType, LLVMStructType

if TYPE_CHECKING:
    from xgpu.core.ods.attributes import EnumAttr


GENERIC, GLOBAL, SHARED, CONSTANT, LOCAL, TENSOR, SHARED_CLUSTER = 0, 1, 3, 4, 5, 6, 7


def keyword(op: Operation, name: str, default: str = "") -> str:
    """The keyword of an enum property, or `default` where the operation leaves it out."""
    attribute = op.properties.get(name)
    return default if attribute is None else cast("EnumAttr", attribute).data


def flag(op: Operation, name: str) -> bool:
    """Whether a unit property is there, or a boolean one true."""
    attribute = op.properties.get(name)
    if attribute is None:
        return False
    value = getattr(attribute, "value", None)
    return True if value is None else bool(value.data)


def number(op: Operation, name: str, default: int = 0) -> int:
    """An integer property's number."""
    attribute = cast("IntegerAttr | None", op.properties.get(name))
    return default if attribute is None else attribute.value.data


def address_space(value: SSAValue) -> int:
    """The address space of a pointer, as PTX numbers them."""
    return cast("LLVMPointerType", value.type).data


def is_integer(t: Attribute, width: int) -> bool:
    return t == IntegerType(width)


def literal_struct(types: Sequence[Attribute]) -> Attribute:
    """`!llvm.struct<(types)>`"""
    return LLVMStructType(tuple(types))


def struct_body(t: Attribute) -> tuple[Attribute, ...] | None:
    """The types in a struct; None for any other type."""
    return t.body if isinstance(t, LLVMStructType) else None


def errors(op: Operation, messages: Sequence[str]) -> DiagnosticError:
    """Several errors at one operation, for the verifiers that go on after the first."""
    return DiagnosticError(
        *(Diagnostic("error", message, op.location, [], op) for message in messages)
    )


def op_errors(op: Operation, messages: Sequence[str]) -> DiagnosticError:
    """Several errors with the operation's name before each."""
    return errors(op, [f"'{op.name}' op {message}" for message in messages])


def require(op: Operation, holds: bool, message: str) -> None:
    """Raises MLIR's `emitOpError(message)` unless `holds`."""
    if not holds:
        raise op_error(op, message)

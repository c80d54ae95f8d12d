# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`llvm.*` attributes of function arguments and results (MLIR's verifyParameterAttribute)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerAttr, IntegerType, UnitAttr
from xdsl.ir import TypeAttribute

from xgpu.core.ir.errors import error
from xgpu.core.ods.type_predicates import is_llvm_compatible
from xgpu.dialects.llvm.types import LLVMPointerType, LLVMVoidType

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation


_POINTER_UNITS = frozenset(
    ("noalias", "readonly", "readnone", "writeonly", "nest", "nocapture", "nofree", "nonnull")
)
_POINTER_TYPES = frozenset(("sret", "byval", "byref", "elementtype", "inalloca", "preallocated"))
_INTEGER_UNITS = frozenset(("signext", "zeroext"))
_POINTER_INTEGERS = frozenset(("align", "dereferenceable", "dereferenceable_or_null"))
_UNITS = frozenset(("noundef", "inreg", "returned"))
#: What says something of arguments only.
_NO_RESULT = frozenset(
    (
        *("allocalign", "allocptr", "byval", "byref", "inalloca", "nest", "nocapture", "nofree"),
        *("preallocated", "readnone", "readonly", "returned", "alignstack", "sret", "writeonly"),
    )
)


def verify_parameter(op: Operation, t: Attribute, name: str, value: Attribute) -> None:
    """One attribute `name`, without its `llvm.`, of a parameter of type `t`."""
    known = is_llvm_compatible(t)
    full = f'"llvm.{name}"'
    if name in _POINTER_UNITS or name in _INTEGER_UNITS or name in _UNITS:
        if not isinstance(value, UnitAttr):
            raise error(op, f"{full} should be a unit attribute")
    elif name in _POINTER_TYPES:
        if not isinstance(value, TypeAttribute):
            raise error(op, f"{full} should be a type attribute")
    elif (name in _POINTER_INTEGERS or name == "alignstack") and not isinstance(value, IntegerAttr):
        raise error(op, f"{full} should be an integer attribute")
    if not known:
        return
    if name in _INTEGER_UNITS and not isinstance(t, IntegerType):
        raise error(op, f"{full} attribute attached to non-integer LLVM type")
    if (
        name in _POINTER_UNITS or name in _POINTER_TYPES or name in _POINTER_INTEGERS
    ) and not isinstance(t, LLVMPointerType):
        raise error(op, f"{full} attribute attached to non-pointer LLVM type")


def verify_argument(op: Operation, t: Attribute, name: str, value: Attribute) -> None:
    """One attribute of a function's argument."""
    if name.startswith("llvm."):
        verify_parameter(op, t, name[5:], value)


def verify_result(op: Operation, t: Attribute, name: str, value: Attribute) -> None:
    """One attribute of a function's result."""
    if not name.startswith("llvm."):
        return
    if isinstance(t, LLVMVoidType):
        raise error(op, "cannot attach result attributes to functions with a void return")
    if name[5:] in _NO_RESULT:
        raise error(op, f'"{name}" is not a valid result attribute')
    verify_parameter(op, t, name[5:], value)

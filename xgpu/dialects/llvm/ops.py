# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the llvm dialect states beside verifiers: effects, symbols, discardable attributes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerAttr, IntegerType, StringAttr, SymbolRefAttr, UnitAttr
from xdsl.ir import Attribute, Operation, TypeAttribute
from xdsl.traits import IsolatedFromAbove, SymbolTable

from xgpu.core.ir.effects import Effect
from xgpu.core.ir.errors import error, op_error
from xgpu.core.ir.symbols import lookup as find_symbol
from xgpu.core.ir.symbols import may_be_table
from xgpu.core.ods.predicates import is_llvm_compatible
from xgpu.dialects.llvm.types import LLVMPointerType, LLVMVoidType

if TYPE_CHECKING:
    from xgpu.core.ods.attributes import EnumAttr


# -- Memory effects of llvm operations that depend on their attributes.


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


# -- Symbol look-up for the llvm dialect's verifiers.


def nearest_table(op: Operation) -> Operation | None:
    """The nearest operation above `op` that holds symbols, or None."""
    holder = op.parent_op()
    while holder is not None and not holder.has_trait(SymbolTable, value_if_unregistered=False):
        if may_be_table(holder):
            return None
        holder = holder.parent_op()
    return holder


def lookup(op: Operation, reference: SymbolRefAttr) -> Operation | None:
    """What the symbol reference names, seen from `op`, or None."""
    holder = nearest_table(op)
    if holder is None:
        return None
    found = find_symbol(holder, reference.root_reference.data)
    for nested in reference.nested_references.data:
        if found is None:
            return None
        found = find_symbol(found, nested.data)
    return found


def is_llvm_module(op: Operation) -> bool:
    """Whether `op` may hold globals: it is isolated and holds symbols."""
    return op.has_trait(SymbolTable, value_if_unregistered=False) and op.has_trait(
        IsolatedFromAbove, value_if_unregistered=False
    )


def llvm_module(op: Operation) -> Operation | None:
    """The module around `op`, or None."""
    holder = op.parent_op()
    while holder is not None and not is_llvm_module(holder):
        holder = holder.parent_op()
    return holder


def lookup_in_module(op: Operation, reference: SymbolRefAttr) -> Operation | None:
    """What the flat reference names in the module around `op`, or None."""
    holder = llvm_module(op)
    return None if holder is None else find_symbol(holder, reference.root_reference.data)


# -- What the llvm dialect demands of discardable attributes that carry its name.


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


# -- `llvm.*` attributes of function arguments and results (MLIR's verifyParameterAttribute).


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


#: What verifies an attribute of the llvm dialect in the signature of any function.
VERIFY_SIGNATURES = {"argument": verify_argument, "result": verify_result}

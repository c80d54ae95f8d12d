# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds of the arith dialect: integers here, floats in `fold_float`, casts in `fold_cast`.

A fold gets the operation and its constant operands (None where an operand is no constant), and
returns the results as values or constants, True if it changed the operation in place, or None.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerAttr, IntegerType
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from xgpu.core.ir.constants import (
    constant_of,
    int_value,
    is_poison,
    make,
    map_elements,
    poison,
    width_of,
)
from xgpu.core.ir.dense_parts import chosen_elements, is_dense
from xgpu.core.ir.integer_arithmetic import (
    BINARY,
    PREDICATES,
    SWAPPED,
    TRUE_ON_EQUAL,
    Binary,
    compare,
    largest,
    signed,
    smallest,
    unsigned,
)
from xgpu.dialects.arith.fold_cast import CASTS
from xgpu.dialects.arith.fold_float import FLOATS

if TYPE_CHECKING:
    from xgpu.dialects.hook_types import Folder




def defining(value: SSAValue, name: str) -> Operation | None:
    """The operation `name` that defines `value`, or None."""
    if value.__class__ is not OpResult:
        return None
    owner = cast("OpResult", value).op
    return owner if owner.name == name else None


def _all_ones(attr: Attribute | None, width: int) -> bool:
    value = int_value(attr)
    return value is not None and signed(value, width) == -1


def integer_binary(compute: Binary) -> Fold:
    """A constant fold: `compute(lhs, rhs, width)` on signed numbers."""

    def fold(op: Operation, constants: Constants) -> Folded:
        width = width_of(op.results[0].type)
        found = map_elements(constants, op.results[0].type, lambda a, b: compute(a, b, width))
        return None if found is None else [found]

    return fold


def _zero(op: Operation) -> Folded:
    found = make(op.results[0].type, 0)
    return None if found is None else [found]


def _ceildivsi(a: int, b: int, width: int) -> int | None:
    """MLIR divides what is negative by way of its negation, and leaves what has none."""
    if a and smallest(width) in (a, b):
        return None
    return BINARY["ceildivs"](a, b, width)


CONSTANT_BINARY: dict[str, Fold] = {
    f"arith.{name}": integer_binary(BINARY[opcode])
    for name, opcode in {
        "addi": "add",
        "subi": "sub",
        "muli": "mul",
        "andi": "and",
        "ori": "or",
        "xori": "xor",
        "divsi": "sdiv",
        "divui": "udiv",
        "ceildivui": "ceildivu",
        "floordivsi": "floordivs",
        "remsi": "srem",
        "remui": "urem",
        "shli": "shl",
        "shrsi": "ashr",
        "shrui": "lshr",
        "maxsi": "smax",
        "minsi": "smin",
        "maxui": "umax",
        "minui": "umin",
    }.items()
} | {"arith.ceildivsi": integer_binary(_ceildivsi)}


# --- algebra -------------------------------------------------------------------------------------
def _addi(op: Operation, constants: Constants) -> Folded:
    lhs, rhs = op.operands
    if int_value(constants[1]) == 0:
        return [lhs]
    for a, b in ((lhs, rhs), (rhs, lhs)):
        sub = defining(a, "arith.subi")
        if sub is not None and sub.operands[1] is b:
            return [sub.operands[0]]
    return CONSTANT_BINARY[op.name](op, constants)


def _subi(op: Operation, constants: Constants) -> Folded:
    lhs, rhs = op.operands
    if lhs is rhs:
        return _zero(op)
    if int_value(constants[1]) == 0:
        return [lhs]
    add = defining(lhs, "arith.addi")
    if add is not None:
        if add.operands[1] is rhs:
            return [add.operands[0]]
        if add.operands[0] is rhs:
            return [add.operands[1]]
    return CONSTANT_BINARY[op.name](op, constants)


def _muli(op: Operation, constants: Constants) -> Folded:
    value = int_value(constants[1])
    if value == 0:
        return [op.operands[1]]
    if value is not None and _is_one(constants[1], op):
        return [op.operands[0]]
    return CONSTANT_BINARY[op.name](op, constants)


def _is_one(attr: Attribute | None, op: Operation) -> bool:
    value = int_value(attr)
    return value is not None and unsigned(value, width_of(op.results[0].type)) == 1


def _divide_by_one(op: Operation, constants: Constants) -> Folded:
    if _is_one(constants[1], op):
        return [op.operands[0]]
    flag = {"arith.divsi": "nsw", "arith.divui": "nuw"}.get(op.name)
    product = defining(op.operands[0], "arith.muli") if flag is not None else None
    if product is not None and flag in getattr(
        product.properties.get("overflowFlags"), "flags", ()
    ):
        # (a * b) / b without overflow is a.
        a, b = product.operands
        if b is op.operands[1]:
            return [a]
        if a is op.operands[1]:
            return [b]
    return CONSTANT_BINARY[op.name](op, constants)


def _rem(op: Operation, constants: Constants) -> Folded:
    if _is_one(constants[1], op):
        return _zero(op)
    return CONSTANT_BINARY[op.name](op, constants)


def _shift_by_zero(op: Operation, constants: Constants) -> Folded:
    if int_value(constants[1]) == 0:
        return [op.operands[0]]
    return CONSTANT_BINARY[op.name](op, constants)


def _andi(op: Operation, constants: Constants) -> Folded:
    lhs, rhs = op.operands
    width = width_of(op.results[0].type)
    if int_value(constants[1]) == 0:
        return [rhs]
    if _all_ones(constants[1], width):
        return [lhs]
    for a, b in ((lhs, rhs), (rhs, lhs)):
        inner = defining(a, "arith.xori")
        if inner is not None and inner.operands[0] is b and _ones_value(inner.operands[1], width):
            return _zero(op)
    for a, b in ((lhs, rhs), (rhs, lhs)):
        inner = defining(a, "arith.andi")
        if inner is not None and b in (inner.operands[0], inner.operands[1]):
            return [a]
    return CONSTANT_BINARY[op.name](op, constants)


def _ones_value(value: SSAValue, width: int) -> bool:
    return _all_ones(constant_of(value), width)


def _ori(op: Operation, constants: Constants) -> Folded:
    lhs, rhs = op.operands
    width = width_of(op.results[0].type)
    if int_value(constants[1]) == 0:
        return [lhs]
    if _all_ones(constants[1], width):
        return [rhs]
    for a, b in ((lhs, rhs), (rhs, lhs)):
        inner = defining(a, "arith.xori")
        if inner is not None and inner.operands[0] is b and _ones_value(inner.operands[1], width):
            return [inner.operands[1]]
    return CONSTANT_BINARY[op.name](op, constants)


def _xori(op: Operation, constants: Constants) -> Folded:
    lhs, rhs = op.operands
    if int_value(constants[1]) == 0:
        return [lhs]
    if lhs is rhs:
        return _zero(op)
    for a, b in ((lhs, rhs), (rhs, lhs)):
        inner = defining(a, "arith.xori")
        if inner is not None:
            if inner.operands[1] is b:
                return [inner.operands[0]]
            if inner.operands[0] is b:
                return [inner.operands[1]]
    return CONSTANT_BINARY[op.name](op, constants)


def _bounds(low: Callable[[int], int], high: Callable[[int], int]) -> Fold:
    """max or min: the neutral constant gives the other operand, the absorbing one itself."""

    def fold(op: Operation, constants: Constants) -> Folded:
        lhs, rhs = op.operands
        if lhs is rhs:
            return [rhs]
        value = int_value(constants[1])
        if value is not None:
            width = width_of(op.results[0].type)
            if signed(value, width) == signed(high(width), width):
                return [rhs]
            if signed(value, width) == signed(low(width), width):
                return [lhs]
        return CONSTANT_BINARY[op.name](op, constants)

    return fold


def _none(width: int) -> int:
    return 0


def _ones(width: int) -> int:
    return -1


def _addui_extended(op: Operation, constants: Constants) -> Folded:
    width = width_of(op.results[0].type)
    if int_value(constants[1]) == 0:
        overflow = make(op.results[1].type, 0)
        return None if overflow is None else [op.operands[0], overflow]
    total = map_elements(constants, op.results[0].type, lambda a, b: a + b)
    carry = map_elements(
        constants,
        op.results[1].type,
        lambda a, b: int(unsigned(a, width) + unsigned(b, width) >= 1 << width),
    )
    return None if total is None or carry is None else [total, carry]


def _mul_extended(extend: Callable[[int, int], int]) -> Fold:
    def fold(op: Operation, constants: Constants) -> Folded:
        type_ = op.results[0].type
        width = width_of(type_)
        if int_value(constants[1]) == 0:
            return [op.operands[1], op.operands[1]]
        if _is_one(constants[1], op) and extend is unsigned:
            high = make(type_, 0)
            return None if high is None else [op.operands[0], high]
        low = map_elements(constants, type_, lambda a, b: a * b)
        top = map_elements(
            constants, type_, lambda a, b: (extend(a, width) * extend(b, width)) >> width
        )
        return None if low is None or top is None else [low, top]

    return fold


# --- comparison and choice -----------------------------------------------------------------------
def predicate_of(op: Operation) -> int:
    """The number of a comparison's predicate."""
    attr = cast("IntegerAttr", op.properties["predicate"])
    return attr.value.data


def _cmpi(op: Operation, constants: Constants) -> Folded:
    lhs, rhs = op.operands
    predicate = predicate_of(op)
    if lhs is rhs:
        found = make(op.results[0].type, int(PREDICATES[predicate] in TRUE_ON_EQUAL))
        return None if found is None else [found]
    value = int_value(constants[1])
    if value == 0 and predicate == 1:
        for name in ("arith.extsi", "arith.extui"):
            ext = defining(lhs, name)
            if ext is not None and width_of(ext.operands[0].type) == 1:
                return [ext.operands[0]]
    if value is not None and width_of(lhs.type) == 1:
        one = value != 0
        if (predicate == 0 and one) or (predicate == 1 and not one):
            return [lhs]
    if constants[0] is not None and constants[1] is None:
        predicate_attr = cast("IntegerAttr", op.properties["predicate"])
        swapped = PREDICATES.index(SWAPPED[PREDICATES[predicate]])
        op.properties["predicate"] = IntegerAttr(swapped, predicate_attr.type)
        op.operands = [rhs, lhs]
        return True
    width, name = width_of(lhs.type), PREDICATES[predicate]
    found = map_elements(
        constants, op.results[0].type, lambda a, b: int(compare(name, a, b, width))
    )
    return None if found is None else [found]


def _select(op: Operation, constants: Constants) -> Folded:
    condition, true, false = op.operands
    if true is false:
        return [true]
    chosen = int_value(constants[0])
    if chosen is not None:
        return [true if chosen else false]
    if is_poison(constants[0]):
        return [poison()]
    if is_poison(constants[1]):
        return [false]
    if is_poison(constants[2]):
        return [true]
    if (
        isinstance(op.results[0].type, IntegerType)
        and width_of(op.results[0].type) == 1
        and condition.type == op.results[0].type
        and int_value(constants[1]) not in (None, 0)
        and int_value(constants[2]) == 0
    ):
        return [condition]
    compared = defining(condition, "arith.cmpi")
    if compared is not None and predicate_of(compared) in (0, 1):
        pair = {compared.operands[0], compared.operands[1]}
        if pair == {true, false}:
            return [false if predicate_of(compared) == 0 else true]
    if all(is_dense(constant) for constant in constants):
        made = chosen_elements(*constants)
        return None if made is None else [made]
    return None


FOLD: dict[str, Folder] = {
    **CONSTANT_BINARY,
    **FLOATS,
    **CASTS,
    "arith.addi": _addi,
    "arith.addui_extended": _addui_extended,
    "arith.andi": _andi,
    "arith.ceildivsi": _divide_by_one,
    "arith.ceildivui": _divide_by_one,
    "arith.cmpi": _cmpi,
    "arith.divsi": _divide_by_one,
    "arith.divui": _divide_by_one,
    "arith.floordivsi": _divide_by_one,
    "arith.maxsi": _bounds(smallest, largest),
    "arith.maxui": _bounds(_none, _ones),
    "arith.minsi": _bounds(largest, smallest),
    "arith.minui": _bounds(_ones, _none),
    "arith.muli": _muli,
    "arith.mulsi_extended": _mul_extended(signed),
    "arith.mului_extended": _mul_extended(unsigned),
    "arith.ori": _ori,
    "arith.remsi": _rem,
    "arith.remui": _rem,
    "arith.select": _select,
    "arith.shli": _shift_by_zero,
    "arith.shrsi": _shift_by_zero,
    "arith.shrui": _shift_by_zero,
    "arith.subi": _subi,
    "arith.xori": _xori,
}

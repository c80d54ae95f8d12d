# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds of the arith dialect.

A fold gets the operation and its constant operands (None where an operand is no constant), and
returns the results as values or constants, True if it changed the operation in place, or None.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ContainerType,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    TensorType,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core.ir import float_arithmetic as floats
from xgpu.core.ir.constants import (
    constant_of,
    element_type,
    format_of,
    int_value,
    is_poison,
    make,
    map_elements,
    poison,
    splat_value,
    width_of,
)
from xgpu.core.ir.construction import defining
from xgpu.core.ir.elements import chosen_elements, is_dense
from xgpu.core.ir.float_formats import FloatFormat, from_bits, round_to, to_bits
from xgpu.core.ir.floats import float_attribute
from xgpu.core.ir.integers import (
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
from xgpu.dialects.interfaces import Constants, Folded, Folder

# -- Folds of arith's casts.


def _constant(
    op: Operation, constants: Constants, compute: Callable[..., int | float | None]
) -> Folded:
    found = map_elements(constants, op.results[0].type, compute)
    return None if found is None else [found]


def _extend(op: Operation, constants: Constants) -> Folded:
    source = width_of(op.operands[0].type)
    inner = defining(op.operands[0], op.name)
    if inner is not None:
        op.operands[0] = inner.operands[0]
        return True
    number = unsigned if op.name == "arith.extui" else signed
    return _constant(op, constants, lambda a: number(a, source))


def _trunci(op: Operation, constants: Constants) -> Folded:
    inner = defining(op.operands[0], "arith.extui", "arith.extsi")
    if inner is not None:
        source = inner.operands[0]
        to, from_ = width_of(op.results[0].type), width_of(source.type)
        if source.type == op.results[0].type:
            return [source]
        if to < from_:
            op.operands[0] = source
            return True
    inner = defining(op.operands[0], "arith.trunci")
    if inner is not None:
        op.operands[0] = inner.operands[0]
        return True
    return _constant(op, constants, lambda a: a)


def _extf(op: Operation, constants: Constants) -> Folded:
    inner = defining(op.operands[0], "arith.truncf")
    if inner is not None:
        flags = getattr(op.properties.get("fastmath"), "flags", ())
        before = getattr(inner.properties.get("fastmath"), "flags", ())
        allowed = {"contract", "fast"}
        if (
            inner.operands[0].type == op.results[0].type
            and allowed & set(flags)
            and allowed & set(before)
        ):
            return [inner.operands[0]]
    return _convert(op, constants)


def _truncf(op: Operation, constants: Constants) -> Folded:
    inner = defining(op.operands[0], "arith.extf")
    if inner is not None:
        source = inner.operands[0]
        if source.type == op.results[0].type:
            return [source]
        to, from_ = element_type(op.results[0].type), element_type(source.type)
        if getattr(to, "bitwidth", 0) < getattr(from_, "bitwidth", 0):
            op.operands[0] = source
            return True
    return _convert(op, constants)


def _convert(op: Operation, constants: Constants) -> Folded:
    """MLIR leaves what would be rounded, or is a signaling NaN."""
    form = format_of(op.results[0].type)
    if form is None:
        return None
    return _constant(op, constants, lambda a: a if floats.is_exact_in(a, form) else None)


def _int_to_float(op: Operation, constants: Constants) -> Folded:
    source = width_of(op.operands[0].type)
    number = unsigned if op.name == "arith.uitofp" else signed
    form = format_of(op.results[0].type)
    if form is None:
        return None
    return _constant(op, constants, lambda a: floats.from_int(number(a, source), form))


def _float_to_int(op: Operation, constants: Constants) -> Folded:
    width = width_of(op.results[0].type)
    is_signed = op.name == "arith.fptosi"
    return _constant(op, constants, lambda a: floats.to_int(a, width, is_signed=is_signed))


def _index_cast(op: Operation, constants: Constants) -> Folded:
    source = width_of(op.operands[0].type)
    number = unsigned if op.name == "arith.index_castui" else signed
    return _constant(op, constants, lambda a: number(a, source))


def _bits(attr: Attribute | None) -> tuple[int, int] | None:
    """A scalar constant's bits and how many they are."""
    if isinstance(attr, IntegerAttr):
        width = width_of(attr.type)
        return unsigned(attr.value.data, width), width
    if isinstance(attr, FloatAttr) and (form := format_of(attr.type)) is not None:
        return to_bits(attr.value.data, form), form.width
    return None


def _bitcast(op: Operation, constants: Constants) -> Folded:
    to = op.results[0].type
    if op.operands[0].type == to:
        return [op.operands[0]]
    if is_poison(constants[0]) and not isinstance(to, ContainerType):
        return [poison()]
    if isinstance(constants[0], DenseIntOrFPElementsAttr):
        return _bitcast_elements(constants[0], to)
    found = _bits(constants[0])
    if found is None:
        return None
    bits, width = found
    if isinstance(to, IntegerType) and to.width.data == width:
        return [IntegerAttr(signed(bits, width), to)]
    form = format_of(to)
    if form is not None and form.width == width and isinstance(to, AnyFloat):
        return [float_attribute(from_bits(bits, form), to)]
    return None


def _bitcast_elements(attr: DenseIntOrFPElementsAttr, to: Attribute) -> Folded:
    """Elements are kept as their bytes, whatever their type; those of less than one are not."""

    to = cast("TensorType[IntegerType | AnyFloat]", to)
    width = to.element_type.bitwidth
    if width % 8 or width > 64:
        return None
    return [DenseIntOrFPElementsAttr(to, attr.data)]


CASTS: dict[str, Folder] = {
    "arith.bitcast": _bitcast,
    "arith.extf": _extf,
    "arith.extsi": _extend,
    "arith.extui": _extend,
    "arith.fptosi": _float_to_int,
    "arith.fptoui": _float_to_int,
    "arith.index_cast": _index_cast,
    "arith.index_castui": _index_cast,
    "arith.sitofp": _int_to_float,
    "arith.truncf": _truncf,
    "arith.trunci": _trunci,
    "arith.uitofp": _int_to_float,
}


# -- Folds of arith's floating-point operations. Each result is rounded once, to nearest even.


Fold = Callable[[Operation, Constants], Folded]


def _is(attr: Attribute | None, value: float) -> bool:
    """Whether a constant is `value`, of the same sign if it is zero."""
    found = splat_value(attr)
    return (
        isinstance(found, float)
        and found == value
        and math.copysign(1.0, found) == math.copysign(1.0, value)
    )


def float_binary(compute: Callable[[float, float, FloatFormat], float | None]) -> Fold:
    """A constant fold of two floats."""

    def fold(op: Operation, constants: Constants) -> Folded:
        form = format_of(op.results[0].type)
        if form is None:
            return None
        found = map_elements(constants, op.results[0].type, lambda a, b: compute(a, b, form))
        return None if found is None else [found]

    return fold


def _choice(compute: Callable[[float, float], float]) -> Fold:
    """A constant fold that gives one of two floats."""
    return float_binary(lambda a, b, to: compute(a, b))


def _neutral(name: str, neutral: float) -> Fold:
    """x op neutral -> x."""

    def fold(op: Operation, constants: Constants) -> Folded:
        if _is(constants[1], neutral):
            return [op.operands[0]]
        return CONSTANT[name](op, constants)

    return fold


def _extreme(name: str, neutral: float) -> Fold:
    """max or min: x op x -> x; x op neutral -> x."""

    def fold(op: Operation, constants: Constants) -> Folded:
        if op.operands[0] is op.operands[1]:
            return [op.operands[1]]
        value = splat_value(constants[1])
        if isinstance(value, float) and (
            value == neutral or (neutral != neutral and value != value)
        ):
            return [op.operands[0]]
        return CONSTANT[name](op, constants)

    return fold


def _mulf(op: Operation, constants: Constants) -> Folded:
    if _is(constants[1], 1.0):
        return [op.operands[0]]
    flags = getattr(op.properties.get("fastmath"), "flags", ())
    if ("nnan" in flags and "nsz" in flags) or "fast" in flags:
        value = splat_value(constants[1])
        if isinstance(value, float) and value == 0.0:
            return [op.operands[1]]
    return CONSTANT["arith.mulf"](op, constants)


def _negf(op: Operation, constants: Constants) -> Folded:
    inner = op.operands[0].owner
    if isinstance(inner, Operation) and inner.name == "arith.negf":
        return [inner.operands[0]]
    form = format_of(op.results[0].type)
    if form is None:
        return None
    # A type without negative zero has nothing to negate there.
    found = map_elements(constants, op.results[0].type, lambda a: round_to(floats.neg(a), form))
    return None if found is None else [found]


CONSTANT: dict[str, Fold] = {
    "arith.addf": float_binary(floats.add),
    "arith.subf": float_binary(floats.sub),
    "arith.mulf": float_binary(floats.mul),
    "arith.divf": float_binary(floats.div),
    "arith.remf": float_binary(floats.rem),
    "arith.maximumf": _choice(floats.maximum),
    "arith.minimumf": _choice(floats.minimum),
    "arith.maxnumf": _choice(floats.maxnum),
    "arith.minnumf": _choice(floats.minnum),
}


def _cmpf(op: Operation, constants: Constants) -> Folded:
    attr = cast("IntegerAttr", op.properties["predicate"])
    name = floats.PREDICATES[attr.value.data]
    type_ = cast("IntegerType", op.results[0].type)
    if name in ("false", "true"):
        found = make(type_, int(name == "true"))
        return None if found is None else [found]
    if any(is_poison(c) for c in constants):
        return [poison()]
    for constant in constants:
        value = splat_value(constant)
        if isinstance(value, float) and value != value:
            found = make(type_, int(floats.compare(name, value, 0.0)))
            return None if found is None else [found]
    found = map_elements(constants, type_, lambda a, b: int(floats.compare(name, a, b)))
    return None if found is None else [found]


FLOATS: dict[str, Fold] = {
    "arith.addf": _neutral("arith.addf", -0.0),
    "arith.subf": _neutral("arith.subf", 0.0),
    "arith.mulf": _mulf,
    "arith.divf": _neutral("arith.divf", 1.0),
    "arith.remf": CONSTANT["arith.remf"],
    "arith.maximumf": _extreme("arith.maximumf", -math.inf),
    "arith.minimumf": _extreme("arith.minimumf", math.inf),
    "arith.maxnumf": _extreme("arith.maxnumf", math.nan),
    "arith.minnumf": _extreme("arith.minnumf", math.nan),
    "arith.negf": _negf,
    "arith.cmpf": _cmpf,
}


# -- Folds of arith's integer operations.


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

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of the arith dialect.

Each docstring shows the rewrite. `c0`, `c1` are constants; overflow flags are kept where both
operations have them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    TensorType,
    VectorType,
    i1,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core import ods
from xgpu.core.ir.constants import constant_of, int_value, make, map_elements, width_of
from xgpu.core.ir.construction import defining
from xgpu.core.ir.integers import signed, unsigned

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern


# -- Canonicalization patterns of arith's casts and floating-point operations.


def extsi_of_extui(op: Operation, rw: GreedyRewriter) -> bool:
    """extsi(extui(x)) -> extui(x)"""
    inner = defining(op.operands[0], "arith.extui")
    if inner is None:
        return False
    rw.fuse(op.operands[0])
    rw.replace_with(op, "arith.extui", (inner.operands[0],), (op.results[0].type,))
    return True


def trunc_of_ext(op: Operation, rw: GreedyRewriter) -> bool:
    """trunci(ext(x)) -> ext(x) where x is narrower than the result"""
    inner = defining(op.operands[0], "arith.extsi", "arith.extui")
    if inner is None or width_of(inner.operands[0].type) >= width_of(op.results[0].type):
        return False
    rw.fuse(op.operands[0])
    rw.replace_with(op, inner.name, (inner.operands[0],), (op.results[0].type,))
    return True


def trunc_of_shrsi(op: Operation, rw: GreedyRewriter) -> bool:
    """trunci(shrsi(x, c)) -> trunci(shrui(x, c)) where c bits are cut off: the high half remains"""
    inner = defining(op.operands[0], "arith.shrsi")
    if inner is None:
        return False
    amount = constant_of(inner.operands[1])
    type_ = inner.results[0].type
    if amount is None or int_value(amount) != width_of(type_) - width_of(op.results[0].type):
        return False
    rw.fuse(inner.operands[1])
    # A constant of its own, as MLIR makes: it comes before the others.
    again = rw.value("arith.constant", (), type_, {"value": amount})
    shifted = rw.value("arith.shrui", (inner.operands[0], again), type_, dict(inner.properties))
    rw.replace_with(op, "arith.trunci", (shifted,), (op.results[0].type,), dict(op.properties))
    return True


def truncf_of_int(op: Operation, rw: GreedyRewriter) -> bool:
    """truncf(sitofp(x)) -> sitofp(x), truncf(uitofp(x)) -> uitofp(x)"""
    inner = defining(op.operands[0], "arith.sitofp", "arith.uitofp")
    if inner is None or op.properties.get("roundingmode") is not None:
        return False
    rw.fuse(op.operands[0])
    rw.replace_with(op, inner.name, (inner.operands[0],), (op.results[0].type,))
    return True


def index_cast_of_index_cast(op: Operation, rw: GreedyRewriter) -> bool:
    """index_cast(index_cast(x : T) : index) : T -> x"""
    inner = defining(op.operands[0], op.name)
    if inner is None or inner.operands[0].type != op.results[0].type:
        return False
    if width_of(inner.results[0].type) < width_of(op.results[0].type):
        return False
    rw.replace(op, [inner.operands[0]])
    return True


def index_cast_of_ext(op: Operation, rw: GreedyRewriter) -> bool:
    """index_cast(extsi(x)) -> index_cast(x), index_castui(extui(x)) -> index_castui(x)"""
    inner = defining(
        op.operands[0], "arith.extsi" if op.name == "arith.index_cast" else "arith.extui"
    )
    if inner is None:
        return False
    rw.fuse(op.operands[0])
    rw.replace_with(op, op.name, (inner.operands[0],), (op.results[0].type,))
    return True


def bitcast_of_bitcast(op: Operation, rw: GreedyRewriter) -> bool:
    """bitcast(bitcast(x)) -> bitcast(x)"""
    inner = defining(op.operands[0], "arith.bitcast")
    if inner is None:
        return False
    rw.fuse(op.operands[0])
    rw.replace_with(op, op.name, (inner.operands[0],), (op.results[0].type,))
    return True


def bitcast_of_complex_bitcast(op: Operation, rw: GreedyRewriter) -> bool:
    """bitcast(complex.bitcast(z)) -> complex.bitcast(z) where z is a complex number"""
    inner = defining(op.operands[0], "complex.bitcast")
    if inner is None:
        return False
    source = inner.operands[0]
    name = "complex.bitcast" if source.type.name == "complex" else "arith.bitcast"
    rw.replace_with(op, name, [source], [op.results[0].type])
    return True


def of_two_negated(op: Operation, rw: GreedyRewriter) -> bool:
    """mulf|divf(negf a, negf b) -> mulf|divf(a, b)"""
    sources: list[SSAValue] = []
    for value in op.operands:
        inner = value.owner
        if not isinstance(inner, Operation) or inner.name != "arith.negf":
            return False
        sources.append(inner.operands[0])
    rw.fuse(*op.operands)
    rw.replace_with(op, op.name, sources, (op.results[0].type,), dict(op.properties))
    return True


# cmpf predicates, ordered and unordered alike, as cmpi ones: (unsigned, signed).
_INTEGER = {1: (0, 0), 2: (8, 4), 3: (9, 5), 4: (6, 2), 5: (7, 3), 6: (1, 1)}


def _may_round(value: float, type_: AnyFloat, width: int, value_bits: int) -> bool:
    """Whether rounding an integer of `width` bits can change how it compares with `value`: where
    the float type cannot tell integers of that size apart."""
    digits = 8 if type_.name == "bf16" else {16: 11, 32: 24, 64: 53}.get(type_.bitwidth, 0)
    if width <= digits:
        return False
    if math.isinf(value):
        return (15 if type_.name == "f16" else 127) < value_bits  # integers could become infinite
    exponent = math.frexp(value)[1] - 1
    return digits <= exponent <= value_bits


def compare_int_with_float(op: Operation, rw: GreedyRewriter) -> bool:
    """cmpf p (itofp x), c -> cmpi p' x, c', or a constant, where no rounding of x can matter"""
    number = cast("IntegerAttr", op.properties["predicate"])
    predicate: int = number.value.data
    constant = constant_of(op.operands[1])
    inner = defining(op.operands[0], "arith.sitofp", "arith.uitofp")
    if inner is None or not isinstance(constant, FloatAttr):
        return False
    value: float = constant.value.data
    if value != value or predicate in (0, 15):
        return False
    type_ = cast("IntegerType", inner.operands[0].type)
    result_type = op.results[0].type

    def known(answer: bool) -> bool:
        attr = make(result_type, int(answer))
        assert attr is not None
        rw.replace_with(op, "arith.constant", (), (result_type,), {"value": attr})
        return True

    if predicate == 7:
        return known(True)
    if predicate == 14:
        return known(False)
    is_unsigned = inner.name == "arith.uitofp"
    width = width_of(type_)
    value_bits = width - (0 if is_unsigned else 1)
    if _may_round(value, constant.type, width, value_bits):
        return False
    kind = predicate if predicate < 7 else predicate - 7
    low = 0 if is_unsigned else -(1 << (width - 1))
    high = (1 << width) - 1 if is_unsigned else (1 << (width - 1)) - 1
    if value > high:
        return known(kind in (4, 5, 6))
    if value < low:
        return known(kind in (2, 3, 6))
    bound = math.trunc(value)
    if bound != value:  # between two integers
        if kind == 1:
            return known(False)
        if kind == 6:
            return known(True)
        bound = math.floor(value)
        if kind in (4, 5):
            kind = 5  # x < 2.5 is x <= 2
        else:
            kind = 2  # x > 2.5 is x > 2
        if value < 0 and kind == 5:
            bound, kind = math.ceil(value), 4
        elif value < 0:
            bound, kind = math.ceil(value), 3
    attr = make(type_, unsigned(bound, width))
    assert attr is not None
    c = rw.value("arith.constant", (), type_, {"value": attr})
    rw.replace_with(
        op,
        "arith.cmpi",
        (inner.operands[0], c),
        (result_type,),
        {"predicate": IntegerAttr(_INTEGER[kind][0 if is_unsigned else 1], i64)},
    )
    return True


CAST_PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "arith.bitcast": (bitcast_of_bitcast, bitcast_of_complex_bitcast),
    "arith.cmpf": (compare_int_with_float,),
    "arith.divf": (of_two_negated,),
    "arith.extsi": (extsi_of_extui,),
    "arith.index_cast": (index_cast_of_index_cast, index_cast_of_ext),
    "arith.index_castui": (index_cast_of_index_cast, index_cast_of_ext),
    "arith.mulf": (of_two_negated,),
    "arith.truncf": (truncf_of_int,),
    "arith.trunci": (trunc_of_ext, trunc_of_shrsi),
}


# -- Canonicalization patterns of arith's integer operations.


def constant(rw: GreedyRewriter, attr: Attribute, type_: Attribute) -> SSAValue:
    return rw.value("arith.constant", (), type_, {"value": attr})


def overflow(*ops: Operation) -> dict[str, Attribute]:
    """The overflow flags that all `ops` have, as a property."""
    common: set[str] | None = None
    for op in ops:
        flags: set[str] = set(getattr(op.properties.get("overflowFlags"), "flags", ()))
        common = flags if common is None else common & flags
    kept = [f for f in ("nsw", "nuw") if f in (common or ())]
    return {"overflowFlags": ods.enum("arith.overflow", kept or "none")}


def _combine(a: SSAValue, b: SSAValue, compute: Callable[[int, int], int]) -> Attribute | None:
    """The constant that `compute` makes of two constant numbers, or None."""
    ca, cb = constant_of(a), constant_of(b)
    if not isinstance(ca, IntegerAttr) or not isinstance(cb, IntegerAttr):
        return None
    return map_elements([ca, cb], a.type, compute)


def _reassociate(
    inner_name: str,
    constant_at: int,
    outer_constant_at: int,
    result: str,
    compute: Callable[[int, int], int],
    constant_first: bool = False,
) -> Pattern:
    """op(inner(x, c0), c1) -> result(x, compute(c0, c1)), with the constants at given places."""

    def pattern(op: Operation, rw: GreedyRewriter) -> bool:
        inner = defining(op.operands[1 - outer_constant_at], inner_name)
        if inner is None:
            return False
        value = _combine(inner.operands[constant_at], op.operands[outer_constant_at], compute)
        if value is None:
            return False
        type_ = op.results[0].type
        rw.fuse(inner.operands[constant_at] if outer_constant_at else op.operands[0])
        c = constant(rw, value, type_)
        x = inner.operands[1 - constant_at]
        operands = (c, x) if constant_first else (x, c)
        rw.replace_with(op, result, operands, (type_,), overflow(op, inner))
        return True

    pattern.__name__ = f"{result.partition('.')[2]}_of_{inner_name.partition('.')[2]}_constant"
    return pattern


def _negated(value: SSAValue) -> SSAValue | None:
    """y where `value` is muli(y, -1)."""
    mul = defining(value, "arith.muli")
    if mul is None:
        return None
    factor = int_value(constant_of(mul.operands[1]))
    if factor is None or signed(factor, width_of(value.type)) != -1:
        return None
    return mul.operands[0]


def add_of_negated(op: Operation, rw: GreedyRewriter) -> bool:
    """addi(x, muli(y, -1)) -> subi(x, y); also with the operands exchanged."""
    for a, b in ((op.operands[0], op.operands[1]), (op.operands[1], op.operands[0])):
        y = _negated(b)
        if y is not None:
            rw.fuse(cast("Operation", b.owner).operands[1])
            rw.replace_with(op, "arith.subi", (a, y), (op.results[0].type,), overflow())
            return True
    return False


def sub_of_own_difference(op: Operation, rw: GreedyRewriter) -> bool:
    """subi(subi(a, b), a) -> subi(0, b)"""
    inner = defining(op.operands[0], "arith.subi")
    if inner is None or inner.operands[0] is not op.operands[1]:
        return False
    type_ = op.results[0].type
    zero = make(type_, 0)
    if zero is None:
        return False
    rw.fuse(op.operands[0])
    rw.replace_with(
        op,
        "arith.subi",
        (constant(rw, zero, type_), inner.operands[1]),
        (type_,),
        overflow(op, inner),
    )
    return True


def extended_to_plain(name: str) -> Pattern:
    """An extended operation whose high result is unused becomes the plain one."""

    def pattern(op: Operation, rw: GreedyRewriter) -> bool:
        if op.results[1].first_use is not None:
            return False
        low = rw.value(name, op.operands, op.results[0].type, overflow())
        rw.replace_all_uses(op.results[0], low)
        rw.erase(op)
        return True

    pattern.__name__ = f"{name.partition('.')[2]}_extended_to_plain"
    return pattern


def mulsi_extended_by_one(op: Operation, rw: GreedyRewriter) -> bool:
    """mulsi_extended(x, 1) -> x, extsi(cmpi slt, x, 0)"""
    if int_value(constant_of(op.operands[1])) != 1 or width_of(op.operands[0].type) == 1:
        return False
    x = op.operands[0]
    zero = make(x.type, 0)
    if zero is None:
        return False
    c = constant(rw, zero, x.type)
    negative = rw.value("arith.cmpi", (x, c), bool_like(x.type), predicate(2))
    high = rw.value("arith.extsi", (negative,), x.type)
    rw.replace(op, [x, high])
    return True


def bool_like(type_: Attribute) -> Attribute:
    """i1, or the shaped type with elements of i1."""
    if isinstance(type_, VectorType):
        return VectorType(i1, type_.shape, type_.scalable_dims)
    if isinstance(type_, TensorType):
        return TensorType(i1, type_.get_shape(), type_.encoding)
    return i1


def predicate(number: int) -> dict[str, Attribute]:
    return {"predicate": IntegerAttr(number, i64)}


def _is_true(value: SSAValue) -> bool:
    """Whether `value` is the constant true; a vector of it is not."""
    attr = constant_of(value)
    return isinstance(attr, IntegerAttr) and bool(attr.value.data & 1)


_INVERTED = (1, 0, 5, 4, 3, 2, 9, 8, 7, 6)


def xor_not_cmpi(op: Operation, rw: GreedyRewriter) -> bool:
    """xori(cmpi(p, a, b), true) -> cmpi(not p, a, b)"""
    cmp = defining(op.operands[0], "arith.cmpi")
    if cmp is None or not _is_true(op.operands[1]):
        return False
    number = cast("IntegerAttr", cmp.properties["predicate"])
    rw.fuse(op.operands[0])
    rw.replace_with(
        op,
        "arith.cmpi",
        list(cmp.operands),
        (op.results[0].type,),
        predicate(_INVERTED[number.value.data]),
    )
    return True


def bitwise_of(ext: str) -> Pattern:
    """and|or|xor(ext x, ext y) -> ext(and|or|xor(x, y)) where x and y have one type"""

    def pattern(op: Operation, rw: GreedyRewriter) -> bool:
        a, b = defining(op.operands[0], ext), defining(op.operands[1], ext)
        if a is None or b is None or a.operands[0].type != b.operands[0].type:
            return False
        rw.fuse(*op.operands)
        inner = rw.value(op.name, (a.operands[0], b.operands[0]), a.operands[0].type)
        rw.replace_with(op, ext, (inner,), (op.results[0].type,))
        return True

    pattern.__name__ = f"bitwise_of_{ext.partition('.')[2]}"
    return pattern


def compare_of(ext: str) -> Pattern:
    """cmpi eq|ne (ext x, ext y) -> cmpi eq|ne (x, y) where x and y have one type"""

    def pattern(op: Operation, rw: GreedyRewriter) -> bool:
        a, b = defining(op.operands[0], ext), defining(op.operands[1], ext)
        if a is None or b is None or a.operands[0].type != b.operands[0].type:
            return False
        number = cast("IntegerAttr", op.properties["predicate"])
        if number.value.data > 1:
            return False
        operands = (a.operands[0], b.operands[0])
        rw.fuse(*op.operands)
        rw.replace_with(op, "arith.cmpi", operands, (op.results[0].type,), dict(op.properties))
        return True

    pattern.__name__ = f"compare_of_{ext.partition('.')[2]}"
    return pattern


# --- select --------------------------------------------------------------------------------------
def redundant_select(op: Operation, rw: GreedyRewriter) -> bool:
    """select(p, a, select(p, b, c)) -> select(p, a, c); the same for the true side"""
    condition, a, b = op.operands
    for at, value in ((1, a), (2, b)):
        inner = defining(value, "arith.select")
        if inner is not None and inner.operands[0] is condition:
            operands = [condition, a, b]
            operands[at] = inner.operands[at]
            rw.fuse(value)
            rw.replace_with(op, op.name, operands, (op.results[0].type,))
            return True
    return False


def select_of_not(op: Operation, rw: GreedyRewriter) -> bool:
    """select(xori(p, true), a, b) -> select(p, b, a)"""
    condition, a, b = op.operands
    inner = defining(condition, "arith.xori")
    if inner is None or not _is_true(inner.operands[1]):
        return False
    rw.fuse(inner.operands[1])
    rw.replace_with(op, op.name, (inner.operands[0], b, a), (op.results[0].type,))
    return True


def select_of_bools(op: Operation, rw: GreedyRewriter) -> bool:
    """select(p, 0, 1) : i1 -> xori(p, 1);  select(p, 1, 0) : iN -> extui(p)

    and select(p, 0, 1) : iN -> extui(xori(p, 1))
    """
    condition, a, b = op.operands
    type_ = op.results[0].type
    true, false = int_value(constant_of(a)), int_value(constant_of(b))
    if true is None or false is None or not isinstance(type_, IntegerType):
        return False
    if width_of(type_) == 1:
        if true != 0 or false == 0:
            return False
        rw.replace_with(op, "arith.xori", (condition, _one(rw, type_)), (type_,))
        return True
    if {true, false} != {0, 1}:
        return False
    if true == 0:
        condition = rw.value("arith.xori", (condition, _one(rw, condition.type)), condition.type)
    rw.replace_with(op, "arith.extui", (condition,), (type_,))
    return True


def _one(rw: GreedyRewriter, type_: Attribute) -> SSAValue:
    """The constant 1 of an integer type."""
    one = make(type_, 1)
    assert one is not None
    return constant(rw, one, type_)


_AND_OR_XOR = (bitwise_of("arith.extui"), bitwise_of("arith.extsi"))

PATTERNS: dict[str, tuple[Pattern, ...]] = {
    **CAST_PATTERNS,
    "arith.addi": (
        _reassociate("arith.addi", 1, 1, "arith.addi", lambda c0, c1: c0 + c1),
        _reassociate("arith.subi", 1, 1, "arith.addi", lambda c0, c1: c1 - c0),
        _reassociate("arith.subi", 0, 1, "arith.subi", lambda c0, c1: c0 + c1, True),
        add_of_negated,
    ),
    "arith.addui_extended": (extended_to_plain("arith.addi"),),
    "arith.andi": _AND_OR_XOR,
    "arith.cmpi": (compare_of("arith.extsi"), compare_of("arith.extui")),
    "arith.muli": (_reassociate("arith.muli", 1, 1, "arith.muli", lambda c0, c1: c0 * c1),),
    "arith.mulsi_extended": (extended_to_plain("arith.muli"), mulsi_extended_by_one),
    "arith.mului_extended": (extended_to_plain("arith.muli"),),
    "arith.ori": _AND_OR_XOR,
    "arith.select": (redundant_select, select_of_not, select_of_bools),
    "arith.subi": (
        _reassociate("arith.addi", 1, 1, "arith.addi", lambda c0, c1: c0 - c1),
        _reassociate("arith.addi", 1, 0, "arith.subi", lambda c0, c1: c1 - c0, True),
        _reassociate("arith.subi", 1, 1, "arith.subi", lambda c0, c1: c0 + c1),
        _reassociate("arith.subi", 0, 1, "arith.subi", lambda c0, c1: c0 - c1, True),
        _reassociate("arith.subi", 1, 0, "arith.subi", lambda c0, c1: c0 + c1, True),
        _reassociate("arith.subi", 0, 0, "arith.addi", lambda c0, c1: c1 - c0),
        sub_of_own_difference,
    ),
    "arith.xori": (xor_not_cmpi, *_AND_OR_XOR),
}

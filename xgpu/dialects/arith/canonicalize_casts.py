# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of arith's casts and floating-point operations."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import FloatAttr, IntegerAttr, i64
from xdsl.ir import Operation, SSAValue

from xgpu.core.ir.constants import constant_of, int_value, make, width_of
from xgpu.core.ir.integer_arithmetic import unsigned
from xgpu.dialects.arith.builders import attribute_constant

if TYPE_CHECKING:
    from xdsl.dialects.builtin import AnyFloat, IntegerType

    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern


def _inner(op: Operation, *names: str) -> Operation | None:
    owner = op.operands[0].owner
    return owner if isinstance(owner, Operation) and owner.name in names else None


def extsi_of_extui(op: Operation, rw: GreedyRewriter) -> bool:
    """extsi(extui(x)) -> extui(x)"""
    inner = _inner(op, "arith.extui")
    if inner is None:
        return False
    rw.replace_with(op, "arith.extui", (inner.operands[0],), (op.results[0].type,))
    return True


def trunc_of_ext(op: Operation, rw: GreedyRewriter) -> bool:
    """trunci(ext(x)) -> ext(x) where x is narrower than the result"""
    inner = _inner(op, "arith.extsi", "arith.extui")
    if inner is None or width_of(inner.operands[0].type) >= width_of(op.results[0].type):
        return False
    rw.replace_with(op, inner.name, (inner.operands[0],), (op.results[0].type,))
    return True


def trunc_of_shrsi(op: Operation, rw: GreedyRewriter) -> bool:
    """trunci(shrsi(x, c)) -> trunci(shrui(x, c)) where c bits are cut off: the high half remains"""
    inner = _inner(op, "arith.shrsi")
    if inner is None:
        return False
    amount = constant_of(inner.operands[1])
    type_ = inner.results[0].type
    if amount is None or int_value(amount) != width_of(type_) - width_of(op.results[0].type):
        return False
    # A constant of its own, as MLIR makes: it comes before the others.
    again = attribute_constant(rw, amount, type_)
    shifted = rw.value("arith.shrui", (inner.operands[0], again), type_, dict(inner.properties))
    rw.replace_with(op, "arith.trunci", (shifted,), (op.results[0].type,), dict(op.properties))
    return True


def truncf_of_int(op: Operation, rw: GreedyRewriter) -> bool:
    """truncf(sitofp(x)) -> sitofp(x), truncf(uitofp(x)) -> uitofp(x)"""
    inner = _inner(op, "arith.sitofp", "arith.uitofp")
    if inner is None or op.properties.get("roundingmode") is not None:
        return False
    rw.replace_with(op, inner.name, (inner.operands[0],), (op.results[0].type,))
    return True


def index_cast_of_index_cast(op: Operation, rw: GreedyRewriter) -> bool:
    """index_cast(index_cast(x : T) : index) : T -> x"""
    inner = _inner(op, op.name)
    if inner is None or inner.operands[0].type != op.results[0].type:
        return False
    if width_of(inner.results[0].type) < width_of(op.results[0].type):
        return False
    rw.replace(op, [inner.operands[0]])
    return True


def index_cast_of_ext(op: Operation, rw: GreedyRewriter) -> bool:
    """index_cast(extsi(x)) -> index_cast(x), index_castui(extui(x)) -> index_castui(x)"""
    inner = _inner(op, "arith.extsi" if op.name == "arith.index_cast" else "arith.extui")
    if inner is None:
        return False
    rw.replace_with(op, op.name, (inner.operands[0],), (op.results[0].type,))
    return True


def bitcast_of_bitcast(op: Operation, rw: GreedyRewriter) -> bool:
    """bitcast(bitcast(x)) -> bitcast(x)"""
    inner = _inner(op, "arith.bitcast")
    if inner is None:
        return False
    rw.replace_with(op, op.name, (inner.operands[0],), (op.results[0].type,))
    return True


def bitcast_of_complex_bitcast(op: Operation, rw: GreedyRewriter) -> bool:
    """bitcast(complex.bitcast(z)) -> complex.bitcast(z) where z is a complex number"""
    inner = _inner(op, "complex.bitcast")
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
    inner = _inner(op, "arith.sitofp", "arith.uitofp")
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
    c = attribute_constant(rw, attr, type_)
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

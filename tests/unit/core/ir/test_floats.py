# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Floats of every type beside exact rational numbers, `struct`, and tables of all small numbers."""

from __future__ import annotations

import copy
import math
import pickle
import struct
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.support.some_cases import short
from xgpu.core.ir import float_arithmetic as floats
from xgpu.core.ir.float_formats import (
    FORMATS,
    FloatFormat,
    WideFloat,
    from_bits,
    is_negative,
    is_signaling,
    round_exact,
    round_to,
    to_bits,
)

#: exponent bits, fraction bits, bias, what the largest exponent is for: written down once more.
LAYOUT = {
    "f16": (5, 10, 15, "ieee"),
    "bf16": (8, 7, 127, "ieee"),
    "f32": (8, 23, 127, "ieee"),
    "f64": (11, 52, 1023, "ieee"),
    "f80": (15, 63, 16383, "ieee"),
    "f128": (15, 112, 16383, "ieee"),
    "tf32": (8, 10, 127, "ieee"),
    "f8E5M2": (5, 2, 15, "ieee"),
    "f8E5M2FNUZ": (5, 2, 16, "fnuz"),
    "f8E4M3": (4, 3, 7, "ieee"),
    "f8E4M3FN": (4, 3, 7, "fn"),
    "f8E4M3FNUZ": (4, 3, 8, "fnuz"),
    "f8E4M3B11FNUZ": (4, 3, 11, "fnuz"),
    "f8E3M4": (3, 4, 3, "ieee"),
    "f8E8M0FNU": (8, 0, 127, "fn"),
    "f6E3M2FN": (3, 2, 3, "finite"),
    "f6E2M3FN": (2, 3, 1, "finite"),
    "f4E2M1FN": (2, 1, 1, "finite"),
}
NAMES = sorted(FORMATS)
SIGNED = [n for n in NAMES if n != "f8E8M0FNU"]
SMALL = [n for n in SIGNED if FORMATS[n].width <= 8]
LARGE = [n for n in SIGNED if FORMATS[n].width > 8]


def exact(value: float) -> Fraction:
    return Fraction(*value.as_integer_ratio())


def largest(name: str) -> Fraction:
    exponent_bits, fraction_bits, bias, kind = LAYOUT[name]
    top = (1 << exponent_bits) - 1 - bias - (1 if kind == "ieee" else 0)
    significand = Fraction(2) - Fraction(2) ** -fraction_bits * (2 if kind == "fn" else 1)
    return significand * Fraction(2) ** top


def model(number: Fraction, name: str) -> Fraction | str:
    """A rational number rounded to the type: half to even by Python's `round` of fractions."""
    _, fraction_bits, bias, kind = LAYOUT[name]
    if not number:
        return number
    top = max(floor_log2(abs(number)), 1 - bias)
    unit = Fraction(2) ** (top - fraction_bits)
    rounded = round(number / unit) * unit
    if abs(rounded) <= largest(name):
        return rounded
    return {"ieee": "inf", "finite": "largest"}.get(kind, "nan")


def floor_log2(number: Fraction) -> int:
    at = number.numerator.bit_length() - number.denominator.bit_length()
    return at if Fraction(2) ** at <= number else at - 1


def check(value: float | None, number: Fraction, name: str) -> None:
    """`value` is what `number` becomes in the type."""
    expected = model(number, name)
    if expected == "inf":
        assert value == (math.inf if number > 0 else -math.inf)
    elif expected == "nan":
        assert value is not None
        assert math.isnan(value)
    else:
        if expected == "largest":
            expected = largest(name) if number > 0 else -largest(name)
        assert value is not None
        assert exact(value) == expected


@st.composite
def numbers(draw: Any, name: str) -> float:
    """Any number of a type, often one at an end of its range, or a small one."""
    form = FORMATS[name]
    kind = draw(st.integers(0, 2))
    if kind == 0:
        return from_bits(draw(st.integers(0, (1 << form.width) - 1)), form)
    if kind == 1:
        return floats.from_int(draw(st.integers(-9, 9)), form)
    near = draw(st.sampled_from([form.min_exponent, form.max_exponent, 0]))
    shift = draw(st.integers(-form.precision - 1, form.precision + 1))
    significand = draw(st.integers(1, (1 << form.precision) - 1))
    value = Fraction(significand) * Fraction(2) ** (near + shift - form.precision)
    return from_fraction(value if draw(st.booleans()) else -value, form)


def from_fraction(number: Fraction, form: FloatFormat) -> float:
    found = floats.div(
        floats.from_int(number.numerator, FORMATS["f128"]),
        floats.from_int(number.denominator, FORMATS["f128"]),
        FORMATS["f128"],
    )
    assert found is not None
    return round_to(found, form)


# --- bits ----------------------------------------------------------------------------------------
def number_of_bits(bits: int, name: str) -> Fraction | str:
    """What the bits of a small type say, by the definition of its layout."""
    exponent_bits, fraction_bits, bias, kind = LAYOUT[name]
    sign = bits >> (exponent_bits + fraction_bits)
    field = bits >> fraction_bits & ((1 << exponent_bits) - 1)
    fraction = bits & ((1 << fraction_bits) - 1)
    all_ones = field == (1 << exponent_bits) - 1
    if kind == "fnuz" and sign and not field and not fraction:
        return "nan"
    if kind == "ieee" and all_ones:
        return "nan" if fraction else "-inf" if sign else "inf"
    if kind == "fn" and all_ones and fraction == (1 << fraction_bits) - 1:
        return "nan"
    if name == "f8E8M0FNU":
        return Fraction(2) ** (field - bias)
    one = Fraction(1 if field else 0) + Fraction(fraction, 1 << fraction_bits)
    return (-1) ** sign * one * Fraction(2) ** (max(field, 1) - bias)


@pytest.mark.parametrize("name", [n for n in NAMES if FORMATS[n].width <= 19 and n != "tf32"])
@pytest.mark.parametrize("step", short([13, 1], 13))
def test_all_bit_patterns(name: str, step: int) -> None:
    form = FORMATS[name]
    for bits in range(0, 1 << form.width, 1 if form.width <= 8 else step):
        value, expected = from_bits(bits, form), number_of_bits(bits, name)
        if isinstance(expected, str):
            assert str(abs(value)) == expected.strip("-")
            assert expected == "nan" or is_negative(value) == (expected[0] == "-")
        else:
            assert exact(value) == expected
            assert is_negative(value) == bool(name != "f8E8M0FNU" and bits >> (form.width - 1))
        assert to_bits(value, form) == bits, hex(bits)


@pytest.mark.parametrize("name", ["f16", "f32", "f64"])
@given(data=st.data())
def test_bits_are_those_of_struct(name: str, data: st.DataObject) -> None:
    form = FORMATS[name]
    size = form.width // 8
    raw = data.draw(st.binary(min_size=size, max_size=size))
    (expected,) = struct.unpack({2: "<e", 4: "<f", 8: "<d"}[size], raw)
    value = from_bits(int.from_bytes(raw, "little"), form)
    assert value == expected or (value != value and expected != expected)
    assert to_bits(value, form).to_bytes(size, "little") == raw


@pytest.mark.parametrize("name", LARGE)
@given(data=st.data())
def test_bits_return(name: str, data: st.DataObject) -> None:
    form = FORMATS[name]
    bits = data.draw(st.integers(0, (1 << form.width) - 1))
    value = from_bits(bits, form)
    if name == "f80" and not bits >> 63 & 1 and bits >> 64 & 0x7FFF:
        assert math.isnan(value)  # x87 has no such numbers
        assert to_bits(value, form) == bits | 0x7FFF << 64
        return
    if name == "f80" and bits >> 63 & 1 and not bits >> 64 & 0x7FFF:
        bits |= 1 << 64  # the same number has a usual pattern
    assert to_bits(value, form) == bits
    if math.isfinite(value):
        again = -from_bits(bits ^ 1 << (form.width - 1), form)
        assert again == value
        assert hash(again) == hash(value)


@given(st.data())
def test_wide_numbers_are_what_they_are(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(["f80", "f128"]))
    a, b = data.draw(numbers(name)), data.draw(numbers(name))
    assume(math.isfinite(a) and math.isfinite(b))
    x, y = exact(a), exact(b)
    assert (a == b) == (x == y)
    assert (a < b) == (x < y)
    assert (a >= b) == (x >= y)
    assert exact(-a) == -x
    assert exact(abs(a)) == abs(x)
    assert copy.deepcopy(a) == a
    assert pickle.loads(pickle.dumps(a)) == a
    if isinstance(a, WideFloat):
        assert math.isfinite(float.__add__(a, 0.0))
        assert float.__add__(a, 0.0) != 0.0


# --- rounding ------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", SIGNED)
@given(data=st.data())
def test_rounding(name: str, data: st.DataObject) -> None:
    form = FORMATS[name]
    source = data.draw(st.sampled_from(["f64", "f128", "f80", "f32"]))
    value = data.draw(numbers(source))
    assume(math.isfinite(value))
    check(round_to(value, form), exact(value), name)


@pytest.mark.parametrize("name", SIGNED)
@given(data=st.data())
def test_rounding_beside_ties(name: str, data: st.DataObject) -> None:
    """Halfway between two numbers, and a little to either side."""
    form = FORMATS[name]
    value = data.draw(numbers(name))
    assume(math.isfinite(value))
    x = exact(value)
    top = max(floor_log2(abs(x)) if x else form.min_exponent, form.min_exponent)
    half = Fraction(2) ** (top - form.precision)
    near = x + half + half * Fraction(2) ** -70 * data.draw(st.integers(-1, 1))
    exponent = 1 - near.denominator.bit_length()
    rounded = round_exact(near < 0, abs(near.numerator), exponent, form)
    check(rounded, near, name)


@given(st.integers(-(1 << 127), 1 << 127), st.sampled_from(SIGNED))
def test_integers_round_once(number: int, name: str) -> None:
    check(floats.from_int(number, FORMATS[name]), Fraction(number), name)


def test_an_integer_that_rounds_twice_through_double() -> None:
    assert floats.from_int(9007199791611905, FORMATS["f32"]) == 9007200328482816.0


@pytest.mark.parametrize("name", SIGNED)
@given(data=st.data())
def test_to_integers(name: str, data: st.DataObject) -> None:
    value = data.draw(numbers(name))
    width, is_signed = data.draw(st.integers(1, 128)), data.draw(st.booleans())
    found = floats.to_int(value, width, is_signed=is_signed)
    if not math.isfinite(value):
        assert found is None
        return
    whole = math.trunc(exact(value))
    low = -(1 << width - 1) if is_signed else 0
    assert found == (whole if low <= whole < low + (1 << width) else None)


# --- arithmetic ----------------------------------------------------------------------------------
EXACT: dict[str, Any] = {
    "fadd": lambda x, y: x + y,
    "fsub": lambda x, y: x - y,
    "fmul": lambda x, y: x * y,
    "fdiv": lambda x, y: x / y,
    "frem": lambda x, y: x - math.trunc(x / y) * y,
}


def test_every_operation_is_tested() -> None:
    assert set(floats.BINARY) == set(EXACT)


@pytest.mark.parametrize("name", SIGNED)
@given(data=st.data())
def test_operations_round_once(name: str, data: st.DataObject) -> None:
    form = FORMATS[name]
    a, b = data.draw(numbers(name)), data.draw(numbers(name))
    assume(math.isfinite(a) and math.isfinite(b))
    for opcode, compute in EXACT.items():
        if not b and opcode in ("fdiv", "frem"):
            continue
        found = floats.BINARY[opcode](a, b, form)
        number = compute(exact(a), exact(b))
        check(found, number, name)
        if not number and found is not None and LAYOUT[name][3] != "fnuz":
            assert is_negative(found) == zero_is_negative(opcode, a, b)


def zero_is_negative(opcode: str, a: float, b: float) -> bool:
    """The sign of an exact zero."""
    x, y = is_negative(a), is_negative(b)
    if opcode == "fadd":
        return x and y
    if opcode == "fsub":
        return x and not y
    return x if opcode == "frem" else x != y


@pytest.mark.parametrize("every", short([1, 3], 3))
@pytest.mark.parametrize("name", SMALL)
def test_all_pairs_of_small_numbers(name: str, every: int) -> None:
    """Each fifth one of 8 bits, and only each third of those without --long."""
    form = FORMATS[name]
    step = every * (1 if form.width < 8 else 5)
    values = [from_bits(bits, form) for bits in range(0, 1 << form.width, step)]
    for a in filter(math.isfinite, values):
        for b in filter(math.isfinite, values):
            check(floats.add(a, b, form), exact(a) + exact(b), name)
            check(floats.mul(a, b, form), exact(a) * exact(b), name)
            if b:
                check(floats.div(a, b, form), exact(a) / exact(b), name)


@pytest.mark.parametrize("name", ["f16", "f32", "f64", "f80", "f128", "bf16"])
@given(data=st.data())
def test_fma_rounds_once(name: str, data: st.DataObject) -> None:
    a, b, c = (data.draw(numbers(name)) for _ in range(3))
    assume(all(map(math.isfinite, (a, b, c))))
    check(floats.fma(a, b, c, FORMATS[name]), exact(a) * exact(b) + exact(c), name)


INF, NAN = math.inf, math.nan


@pytest.mark.parametrize("name", ["f16", "f32", "f64", "f80", "f128", "f8E5M2"])
def test_specials(name: str) -> None:
    form = FORMATS[name]
    cases: list[tuple[Any, float, float, float]] = [
        (floats.div, 1.0, 0.0, INF),
        (floats.div, 1.0, -0.0, -INF),
        (floats.div, -1.0, -0.0, INF),
        (floats.div, 0.0, 0.0, NAN),
        (floats.div, INF, INF, NAN),
        (floats.div, INF, -0.0, -INF),
        (floats.div, 1.0, -INF, -0.0),
        (floats.add, INF, -INF, NAN),
        (floats.add, INF, 1.0, INF),
        (floats.add, -0.0, -0.0, -0.0),
        (floats.add, -0.0, 0.0, 0.0),
        (floats.sub, 1.0, 1.0, 0.0),
        (floats.sub, -0.0, 0.0, -0.0),
        (floats.sub, INF, INF, NAN),
        (floats.mul, 0.0, -INF, NAN),
        (floats.mul, 0.0, -1.0, -0.0),
        (floats.mul, -INF, -2.0, INF),
        (floats.rem, 1.0, 0.0, NAN),
        (floats.rem, INF, 1.0, NAN),
        (floats.rem, -1.0, INF, -1.0),
        (floats.rem, -1.0, 1.0, -0.0),
    ]
    for compute, a, b, expected in cases:
        found = compute(a, b, form)
        assert floats.same(found, expected), (compute, a, b, found)


def test_signed_zeros_and_nan_among_the_extremes() -> None:
    same = floats.same
    assert same(floats.maximum(-0.0, 0.0), 0.0)
    assert same(floats.maximum(0.0, -0.0), 0.0)
    assert same(floats.minimum(0.0, -0.0), -0.0)
    assert same(floats.minimum(-0.0, 0.0), -0.0)
    assert math.isnan(floats.maximum(1.0, NAN))
    assert math.isnan(floats.minimum(NAN, 1.0))
    assert floats.maxnum(1.0, NAN) == 1.0
    assert floats.maxnum(NAN, 1.0) == 1.0
    assert floats.minnum(NAN, 2.0) == 2.0
    assert floats.maxnum(1.0, 2.0) == floats.maximum(2.0, 1.0) == 2.0
    assert floats.minnum(1.0, 2.0) == floats.minimum(2.0, 1.0) == 1.0


@pytest.mark.parametrize("name", ["f16", "bf16", "f32", "f64", "f80", "f128", "tf32", "f8E5M2"])
@given(data=st.data())
def test_nan_keep_their_bits(name: str, data: st.DataObject) -> None:
    form = FORMATS[name]
    fraction = data.draw(st.integers(1, (1 << form.fraction_bits) - 1))
    sign = data.draw(st.integers(0, 1)) << (form.width - 1)
    head = ((1 << form.exponent_bits) - 1) << form.stored_bits
    head |= 1 << form.fraction_bits if form.explicit_bit else 0
    bits, top = sign | head | fraction, 1 << (form.fraction_bits - 1)
    value = from_bits(bits, form)
    assert to_bits(value, form) == bits
    assert is_signaling(value) == (not fraction & top)
    one = from_bits(head, form)
    for found in (floats.add(value, one, form), floats.mul(one, value, form)):
        assert found is not None
        assert to_bits(found, form) == bits | top
    assert to_bits(floats.neg(value), form) == bits ^ 1 << (form.width - 1)
    wider = floats.convert(value, FORMATS["f128"])
    assert wider is not None
    assert to_bits(wider, FORMATS["f128"]) & (1 << 112) - 1 == (fraction | top) << (
        112 - form.fraction_bits
    )
    assert to_bits(wider, form) == bits | top


@pytest.mark.parametrize("name", SIGNED)
@given(data=st.data())
def test_whole_numbers(name: str, data: st.DataObject) -> None:
    value = data.draw(numbers(name))
    assume(math.isfinite(value))
    x = exact(value)
    away = math.floor(abs(x) + Fraction(1, 2)) * (1 if x > 0 else -1)
    expected = {
        floats.trunc: math.trunc(x),
        floats.ceil: math.ceil(x),
        floats.floor: math.floor(x),
        floats.round_even: round(x),
        floats.round_away: away,
    }
    for function, whole in expected.items():
        found = function(value)
        assert exact(found) == whole
        assert found or is_negative(found) == is_negative(value)


@given(st.data())
def test_comparisons(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(["f16", "f64", "f80", "f128"]))
    a, b = data.draw(numbers(name)), data.draw(numbers(name))
    unordered = math.isnan(a) or math.isnan(b)
    for predicate in floats.PREDICATES:
        found = floats.compare(predicate, a, b)
        if predicate in ("true", "false"):
            assert found == (predicate == "true")
        elif predicate in ("ord", "uno"):
            assert found == (unordered == (predicate == "uno"))
        elif unordered:
            assert found == (predicate[0] == "u")
        elif math.isfinite(a) and math.isfinite(b):
            x, y = exact(a), exact(b)
            holds = {
                "eq": x == y,
                "ne": x != y,
                "lt": x < y,
                "le": x <= y,
                "gt": x > y,
                "ge": x >= y,
            }
            assert found == holds[predicate[1:]]


def test_powers_of_two_only() -> None:
    form = FORMATS["f8E8M0FNU"]
    for value, expected in ((1.5, 2.0), (1.4, 1.0), (3.0, 4.0), (6.0, 8.0), (1e10, 2.0**33)):
        assert round_to(value, form) == expected
    assert round_to(0.0, form) == 2.0**-127
    assert math.isnan(round_to(2.0**128, form))

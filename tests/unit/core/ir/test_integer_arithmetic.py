# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Integers of every width beside Python's own and exact rational numbers."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xgpu.core.ir import integers as ints
from xgpu.core.ir.integers import BINARY, compare, signed, unsigned

WIDTHS = st.integers(1, 128)


@st.composite
def operands(draw: Any, count: int = 2) -> tuple[int, ...]:
    """A width, then numbers of it: any representative, often at the ends of the range."""
    width = draw(WIDTHS)
    ends = [
        0,
        1,
        -1,
        2,
        (1 << width - 1) - 1,
        -(1 << width - 1),
        (1 << width) - 1,
        width,
        width - 1,
    ]
    number = st.one_of(st.sampled_from(ends), st.integers(-(1 << width - 1), (1 << width) - 1))
    return (width, *(draw(number) for _ in range(count)))


def value(number: int, width: int, kind: str) -> int:
    """What the bits of `number` say, by adding them up."""
    bits = [number >> i & 1 for i in range(width)]
    total = sum(bit << i for i, bit in enumerate(bits))
    return total - (bits[-1] << width) if kind == "s" else total


@given(operands(1))
def test_representatives(case: tuple[int, int]) -> None:
    width, a = case
    assert signed(a, width) == value(a, width, "s")
    assert unsigned(a, width) == value(a, width, "u")
    assert ints.ctlz(a, width) == len(f"{unsigned(a, width):0{width}b}".partition("1")[0])
    assert ints.cttz(a, width) == len(f"{unsigned(a, width):0{width}b}".rpartition("1")[2])
    assert ints.ctpop(a, width) == f"{unsigned(a, width):b}".count("1")


def quotient(opcode: str, a: int, b: int, width: int) -> int | None:
    kind = opcode[0] if opcode.startswith(("s", "u")) else opcode[-1]
    x, y = value(a, width, kind), value(b, width, kind)
    if y == 0:
        return None
    exact = Fraction(x, y)
    if "ceil" in opcode:
        whole = math.ceil(exact)
    elif "floor" in opcode:
        whole = math.floor(exact)
    else:
        whole = math.trunc(exact)
    if opcode.endswith("rem"):
        return x - whole * y
    least = -(1 << width - 1) if kind == "s" else 0
    return whole if least <= whole < least + (1 << width) else None


QUOTIENTS = ("udiv", "urem", "sdiv", "srem", "ceildivs", "ceildivu", "floordivs")


@pytest.mark.parametrize("opcode", QUOTIENTS)
@given(case=operands())
def test_division(opcode: str, case: tuple[int, int, int]) -> None:
    width, a, b = case
    found, expected = BINARY[opcode](a, b, width), quotient(opcode, a, b, width)
    if opcode == "ceildivs" and expected is None and found is not None:
        pytest.fail(f"{found} does not fit")
    assert (found is None) == (expected is None)
    if expected is not None and found is not None:
        assert unsigned(found, width) == unsigned(expected, width)


MODELS: dict[str, Any] = {
    "add": lambda a, b, w: unsigned(a, w) + unsigned(b, w),
    "sub": lambda a, b, w: unsigned(a, w) - unsigned(b, w),
    "mul": lambda a, b, w: unsigned(a, w) * unsigned(b, w),
    "and": lambda a, b, w: sum((a >> i & b >> i & 1) << i for i in range(w)),
    "or": lambda a, b, w: sum(((a >> i | b >> i) & 1) << i for i in range(w)),
    "xor": lambda a, b, w: sum(((a >> i ^ b >> i) & 1) << i for i in range(w)),
    "smax": lambda a, b, w: max(value(a, w, "s"), value(b, w, "s")),
    "smin": lambda a, b, w: min(value(a, w, "s"), value(b, w, "s")),
    "umax": lambda a, b, w: max(value(a, w, "u"), value(b, w, "u")),
    "umin": lambda a, b, w: min(value(a, w, "u"), value(b, w, "u")),
}


@pytest.mark.parametrize("opcode", sorted(MODELS))
@given(case=operands())
def test_what_always_has_a_result(opcode: str, case: tuple[int, int, int]) -> None:
    width, a, b = case
    found = BINARY[opcode](a, b, width)
    assert found is not None
    assert unsigned(found, width) == unsigned(MODELS[opcode](a, b, width), width)


@pytest.mark.parametrize("opcode", ["shl", "lshr", "ashr"])
@given(case=operands())
def test_shifts(opcode: str, case: tuple[int, int, int]) -> None:
    width, a, b = case
    amount = value(b, width, "u")
    found = BINARY[opcode](a, b, width)
    if amount >= width:
        assert found is None
        return
    digits = f"{unsigned(a, width):0{width}b}"
    if opcode == "shl":
        expected = (digits + "0" * amount)[amount:]
    else:
        filler = digits[0] if opcode == "ashr" else "0"
        expected = filler * amount + digits[: width - amount]
    assert found is not None
    assert f"{unsigned(found, width):0{width}b}" == expected


def test_every_operation_is_tested() -> None:
    assert set(BINARY) == {*QUOTIENTS, *MODELS, "shl", "lshr", "ashr"}


@given(operands())
def test_comparisons(case: tuple[int, int, int]) -> None:
    width, a, b = case
    for kind in "su":
        x, y = value(a, width, kind), value(b, width, kind)
        holds = {"lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y}
        for name, expected in holds.items():
            assert compare(kind + name, a, b, width) == expected
            assert compare(ints.SWAPPED[kind + name], b, a, width) == expected
    assert compare("eq", a, b, width) == (value(a, width, "u") == value(b, width, "u"))
    assert compare("ne", a, b, width) != compare("eq", a, b, width)
    for predicate in ints.PREDICATES:
        assert compare(predicate, a, a, width) == (predicate in ints.TRUE_ON_EQUAL)


@given(operands())
def test_power(case: tuple[int, int, int]) -> None:
    width, a, b = case
    base, exponent = signed(a, width), signed(b, width) % 40 - 20
    if exponent != signed(exponent, width):
        return
    if base == 0 and exponent < 0:
        assert ints.power(base, exponent, width) is None
        return
    expected = math.trunc(Fraction(base) ** exponent)
    found = ints.power(base, exponent, width)
    assert found is not None
    assert unsigned(found, width) == unsigned(expected, width)

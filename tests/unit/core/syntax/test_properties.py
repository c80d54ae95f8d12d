# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random literals survive printing and reading."""

from __future__ import annotations

import math
import struct
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, StringAttr, f16, f32, f64

from xgpu.core.ir.floats import from_bits, to_bits
from xgpu.core.syntax import parse_attribute
from xgpu.core.syntax.affine_parser import AffineParser
from xgpu.core.syntax.printer import attribute_text

assert AffineParser


def again(text: str) -> str:
    return attribute_text(parse_attribute(text))


@pytest.mark.parametrize(("ty", "width"), [(f64, 64), (f32, 32), (f16, 16)])
def test_floats_keep_their_bits(ty, width) -> None:
    """Without hypothesis, whose import takes longer than all of these."""
    random = Random(width)
    least = [0, 1, 2, (1 << width - 1) - 1]
    signed = [bits | sign for bits in least for sign in (0, 1 << width - 1)]
    for bits in [*signed, *(random.getrandbits(width) for _ in range(300))]:
        value = FloatAttr.new([_data(from_bits(bits, ty)), ty])
        read = parse_attribute(attribute_text(value))
        is_same = to_bits(read.value.data, ty) == bits
        assert is_same or (width == 32 and math.isnan(read.value.data)), hex(bits)


def _data(value: float):
    from xdsl.dialects.builtin import FloatData

    return FloatData(value)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=20))
def test_strings(data: bytes) -> None:
    text = '"' + "".join(f"\\{byte:02X}" for byte in data) + '"'
    read = parse_attribute(text)
    assert isinstance(read, StringAttr)
    assert read.data.encode("utf-8", "surrogateescape") == data
    assert again(attribute_text(read)) == attribute_text(read)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(-(2**31), 2**31 - 1), min_size=1, max_size=150))
def test_dense_integers(values: list[int]) -> None:
    attribute = parse_attribute(f"dense<{values}> : tensor<{len(values)}xi32>")
    assert isinstance(attribute, DenseIntOrFPElementsAttr)
    assert list(attribute.get_values()) == values
    assert parse_attribute(attribute_text(attribute)) == attribute


_terms = st.deferred(
    lambda: st.one_of(
        st.sampled_from(["d0", "d1", "s0"]),
        st.integers(-20, 20).map(str),
        st.tuples(_terms, st.sampled_from(["+", "-"]), _terms).map(lambda t: f"({' '.join(t)})"),
        st.tuples(
            _terms, st.sampled_from(["*", "floordiv", "ceildiv", "mod"]), st.integers(1, 9)
        ).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
    )
)


@settings(max_examples=300, deadline=None)
@given(_terms, st.integers(0, 30), st.integers(0, 30), st.integers(0, 30))
def test_affine_expressions_keep_their_value(text: str, d0: int, d1: int, s0: int) -> None:
    attribute = parse_attribute(f"affine_map<(d0, d1)[s0] -> ({text})>")
    (value,) = attribute.data.eval([d0, d1], [s0])
    expression = text.replace("floordiv", "//").replace("mod", "%")
    while "ceildiv" in expression:
        expression = expression.replace("ceildiv", "@")
    names = {"d0": _Int(d0), "d1": _Int(d1), "s0": _Int(s0)}
    expected = eval(_wrapped(expression), {"I": _Int}, names)
    assert value == int(expected)
    # MLIR simplifies while it reads, so that what it printed may be simplified further.
    (value,) = parse_attribute(attribute_text(attribute)).data.eval([d0, d1], [s0])
    assert value == int(expected)


class _Int(int):
    """Integers whose `@` divides and rounds up."""

    def __matmul__(self, other: int) -> _Int:
        return _Int(-(-int(self) // int(other)))

    def __add__(self, other):
        return _Int(int(self) + int(other))

    def __sub__(self, other):
        return _Int(int(self) - int(other))

    def __mul__(self, other):
        return _Int(int(self) * int(other))

    def __floordiv__(self, other):
        return _Int(int(self) // int(other))

    def __mod__(self, other):
        return _Int(int(self) % int(other))


def _wrapped(expression: str) -> str:
    import re

    return re.sub(r"(?<![a-z0-9])(-?[0-9]+)", r"I(\1)", expression)


def test_struct_is_what_floats_use() -> None:
    assert struct.pack("<f", 1.0) == to_bits(1.0, f32).to_bytes(4, "little")

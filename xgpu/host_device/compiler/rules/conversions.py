# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Conversions to and from small floats, to tf32, to and from ue8m0, and with stochastic rounding.

Which of the random bits an element gets: of .f16x2 13 of each half of the word, of .bf16x2 a half,
of four elements a byte each; the first operand, which comes to the upper end, those at the upper
end.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import f16, f32, i16
from xdsl.ir import SSAValue

from xgpu.backend.llvm_ir.facts import flag
from xgpu.host_device.compiler.code import Code
from xgpu.host_device.compiler.rules.lowering import (
    Call,
    Values,
    intrinsic,
    lower_intrinsic,
    operation,
)
from xgpu.host_device.compiler.types import I8, I16, I32, bits

if TYPE_CHECKING:
    from xdsl.ir import Attribute


# -- Conversions to and from floats of 8, 6 and 4 bits on the host: `native/sources/small_floats`.


# Format -> bits of mantissa and exponent, bias, largest finite code, code of NaN in a conversion to
# it, code of NaN in one from it (0: none), whether there are infinities, bits that a code takes.
FORMATS = {
    "e4m3": (3, 4, 7, 0x7E, 0x7F, 0x7F, 0, 8),
    "e5m2": (2, 5, 15, 0x7B, 0x7F, 0, 1, 8),
    "e2m3": (3, 2, 1, 0x1F, 0x1F, 0, 0, 8),
    "e3m2": (2, 3, 3, 0x1F, 0x1F, 0, 0, 8),
    "e2m1": (1, 2, 1, 0x7, 0x7, 0, 0, 4),
}
_NAME = re.compile(r"(?:ff|f16x2|bf16x2)\.to\.(e\dm\d)x2|(e\dm\d)x2\.to\.f16x2")


def _format(call: Call, b: Code) -> tuple[int, ...]:
    match = _NAME.match(call.name)
    name = match and (match[1] or match[2])
    if name not in FORMATS:
        b.refuse(f"'llvm.nvvm.{call.name}' is not supported on the host device")
    return FORMATS[name]


@intrinsic(r"(ff|f16x2|bf16x2)\.to\.e\dm\dx2\.rn(\.relu)?(\.satfinite)?")
def narrow(call: Call, b: Code) -> Values:
    """Two numbers into one code of 16 bits: the first of two operands in the upper half, the
    elements of a vector as they lie."""
    mantissa, exponent, bias, largest, nan, _, _, width = _format(call, b)
    if len(call.arguments) == 2:
        values = call.arguments
    else:
        (pair,) = call.arguments
        values = [b.cast("fpext", b.element(pair, lane), f32) for lane in (1, 0)]
    numbers = (mantissa, exponent, bias, largest, nan, int("relu" in call.words))
    rest = [b.integer(n) for n in numbers]
    high, low = (b.call("xgpu_small_from_float", I32, value, *rest) for value in values)
    assert high is not None
    assert low is not None
    both = b.binary("or", b.binary("shl", high, width), low)
    return [b.cast("trunc", both, call.type)]


@intrinsic(r"e\dm\dx2\.to\.f16x2\.rn(\.relu)?")
def widen(call: Call, b: Code) -> Values:
    """Two codes to two numbers of 16 bits."""
    mantissa, exponent, bias, _, _, nan, infinity, width = _format(call, b)
    whole = b.cast("zext", call.arguments[0], I32)
    numbers = (mantissa, exponent, bias, nan, infinity, int("relu" in call.words))
    rest = [b.integer(n) for n in numbers]
    found: list[SSAValue] = []
    for lane in range(2):
        code = b.binary("and", b.binary("lshr", whole, width * lane), (1 << width) - 1)
        value = b.call("xgpu_small_to_float", f32, code, *rest)
        assert value is not None
        found.append(b.cast("fptrunc", value, f16))
    return [b.vector(call.type, found)]


@operation("nvvm.convert.f8x2.to.f16x2", "nvvm.convert.f6x2.to.f16x2", "nvvm.convert.f4x2.to.f16x2")
def widen_operation(call: Call, b: Code) -> Values:
    from xgpu.backend.llvm_ir.nvvm_convert import format_name

    kind = format_name(call.op, "srcType")
    (source,) = call.arguments
    ty: Attribute = source.type
    if ty.name != "integer_type":
        source = b.cast("bitcast", source, i16)
    elif bits(ty) == 8:
        source = b.cast("zext", source, i16)
    relu = ".relu" if flag(call.op, "relu") else ""
    return lower_intrinsic(Call(call.op, f"{kind}x2.to.f16x2.rn{relu}", [source]), b)


_INFINITY = 0x7F800000
_NAN = 0x7FFFFFFF
#: Bits of mantissa and exponent, bias, largest finite code, infinity, NaN.
_HALVES = {"f16": (10, 5, 15, 0x7BFF, 0x7C00, 0x7FFF), "bf16": (7, 8, 127, 0x7F7F, 0x7F80, 0x7FFF)}


def _bits(b: Code, value: SSAValue) -> SSAValue:
    return b.cast("bitcast", value, I32)


# -- tf32: an f32 whose lowest 13 bits are zero


@intrinsic(r"f2tf32\.(rna|rn|rz)(\.relu)?(\.satfinite)?")
def tensor_float(call: Call, b: Code) -> Values:
    whole = _bits(b, call.arguments[0])
    sign, magnitude = b.binary("and", whole, -(1 << 31)), b.binary("and", whole, _NAN)
    rounded = magnitude
    if "rna" in call.words:
        rounded = b.binary("add", magnitude, 1 << 12)
    elif "rn" in call.words:
        odd = b.binary("and", b.binary("lshr", magnitude, 13), 1)
        rounded = b.binary("add", b.binary("add", magnitude, (1 << 12) - 1), odd)
    rounded = b.binary("and", rounded, -(1 << 13))
    if "satfinite" in call.words:
        largest = b.integer(_INFINITY - (1 << 13))
        rounded = b.select(b.icmp("sge", rounded, _INFINITY), largest, rounded)
    result = b.binary("or", rounded, sign)
    if "relu" in call.words:
        result = b.select(b.icmp("slt", whole, 0), b.integer(0), result)
    is_nan = b.icmp("ugt", magnitude, _INFINITY)
    return [b.select(is_nan, b.integer(_NAN), result)]


# -- ue8m0: powers of two


@intrinsic(
    r"ff\.to\.ue8m0x2\.(rz|rp)(\.satfinite)?", r"bf16x2\.to\.ue8m0x2\.(rz|rp)(\.satfinite)?"
)  # fmt: skip
def to_powers(call: Call, b: Code) -> Values:
    """Two numbers in 16 bits, the first of two operands in the upper half."""
    values = call.arguments
    if len(values) == 1:
        values = [b.cast("fpext", b.element(values[0], lane), f32) for lane in (1, 0)]
    high, low = (_power(call, b, value) for value in values)
    return [b.cast("trunc", b.binary("or", b.binary("shl", high, 8), low), call.type)]


def _power(call: Call, b: Code, value: SSAValue) -> SSAValue:
    """The exponent of the magnitude, rounded down or up."""
    magnitude = b.binary("and", _bits(b, value), _NAN)
    code = b.binary("lshr", magnitude, 23)
    if "rp" in call.words:
        # Below 2^-126 lies 2^-127, which a half of the fraction is.
        rest = b.binary("and", magnitude, (1 << 23) - 1)
        least = b.select(b.icmp("eq", code, 0), b.integer(1 << 22), b.integer(0))
        code = b.binary("add", code, b.cast("zext", b.icmp("ugt", rest, least), I32))
    if "satfinite" in call.words:
        code = b.intrinsic("umin", (code, b.integer(254)))
    code = b.intrinsic("umin", (code, b.integer(255)))
    return b.select(b.icmp("ugt", magnitude, _INFINITY), b.integer(255), code)


@intrinsic(r"ue8m0x2\.to\.bf16x2")
def from_powers(call: Call, b: Code) -> Values:
    whole = b.cast("zext", call.arguments[0], I32)
    found: list[SSAValue] = []
    for lane in range(2):
        code = b.binary("and", b.binary("lshr", whole, 8 * lane), 255)
        bits = b.select(b.icmp("eq", code, 0), b.integer(0x40), b.binary("shl", code, 7))
        bits = b.select(b.icmp("eq", code, 255), b.integer(_NAN & 0xFFFF), bits)
        found.append(b.cast("bitcast", b.cast("trunc", bits, I16), call.type.element_type))
    return [b.vector(call.type, found)]


@operation("nvvm.convert.f8x2.to.bf16x2")
def powers_operation(call: Call, b: Code) -> Values:
    (source,) = call.arguments
    whole = b.cast("bitcast", source, I16)
    return lower_intrinsic(Call(call.op, "ue8m0x2.to.bf16x2", [whole]), b)


# -- stochastic rounding


def _stochastic(
    b: Code, value: SSAValue, numbers: tuple[int, ...], random: SSAValue, count: int, relu: bool
) -> SSAValue:
    rest = [b.integer(n) for n in numbers]
    found = b.call(
        "xgpu_small_stochastic", I32, value, *rest, random, b.integer(count), b.integer(int(relu))
    )
    assert found is not None
    return found


@intrinsic(r"ff2b?f16x2\.rs(\.relu)?(\.satfinite)?")
def halves(call: Call, b: Code) -> Values:
    """(upper, lower, random bits)"""
    kind = "bf16" if "bf16" in call.words[0] else "f16"
    mantissa, exponent, bias, largest, infinity, nan = _HALVES[kind]
    overflow = largest if "satfinite" in call.words else infinity
    numbers = (mantissa, exponent, bias, largest, overflow, nan)
    count = 16 if kind == "bf16" else 13
    upper, lower, random = call.arguments
    codes: list[SSAValue] = []
    for value, at in ((lower, 0), (upper, 16)):
        own = b.binary("and", b.binary("lshr", random, at), (1 << count) - 1)
        code = _stochastic(b, value, numbers, own, count, "relu" in call.words)
        codes.append(b.cast("bitcast", b.cast("trunc", code, I16), call.type.element_type))
    return [b.vector(call.type, codes)]


@intrinsic(r"f32x4\.to\.e\dm\dx4\.rs(\.relu)?\.satfinite")
def quarters(call: Call, b: Code) -> Values:
    """(four numbers, the first to the upper end; random bits)"""
    kind = call.words[2][:-2]
    mantissa, exponent, bias, largest, nan, _, _, width = FORMATS[kind]
    numbers = (mantissa, exponent, bias, largest, largest, nan)
    values, random = call.arguments
    codes: list[SSAValue] = []
    for at in range(4):
        own = b.binary("and", b.binary("lshr", random, 8 * at), 255)
        value = b.element(values, 3 - at)
        codes.append(_stochastic(b, value, numbers, own, 8, "relu" in call.words))
    if width == 8:
        return [b.vector(call.type, [b.cast("trunc", code, I8) for code in codes])]
    total = codes[0]
    for at, code in enumerate(codes[1:], 1):
        total = b.binary("or", total, b.binary("shl", code, width * at))
    return [b.cast("trunc", total, call.type)]

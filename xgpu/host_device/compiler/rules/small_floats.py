# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Conversions to and from floats of 8, 6 and 4 bits on the host: `native/sources/small_floats`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import f16, f32
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
from xgpu.host_device.compiler.types import I32, bits

if TYPE_CHECKING:
    from xdsl.ir import Attribute


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
    from xdsl.dialects.builtin import i16

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

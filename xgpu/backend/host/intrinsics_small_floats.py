# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Conversions to and from floats of 8, 6 and 4 bits on the host: `native/sources/small_floats`."""

from __future__ import annotations

import re

from xgpu.backend.host.context import FunctionContext, UnsupportedOnHost
from xgpu.backend.host.intrinsics_math import Emitter
from xgpu.backend.host.text import Call

# Format -> bits of mantissa and exponent, bias, largest finite code, code of NaN in a conversion to
# it, code of NaN in one from it (0: none), whether there are infinities, bits that a code takes.
_FORMATS = {
    "e4m3": (3, 4, 7, 0x7E, 0x7F, 0x7F, 0, 8),
    "e5m2": (2, 5, 15, 0x7B, 0x7F, 0, 1, 8),
    "e2m3": (3, 2, 1, 0x1F, 0x1F, 0, 0, 8),
    "e3m2": (2, 3, 3, 0x1F, 0x1F, 0, 0, 8),
    "e2m1": (1, 2, 1, 0x7, 0x7, 0, 0, 4),
}
_NAME = re.compile(r"(?:ff|f16x2|bf16x2)\.to\.(e\dm\d)x2|(e\dm\d)x2\.to\.f16x2")


def _format(call: Call) -> tuple[int, ...]:
    match = _NAME.search(call.callee or "")
    name = match and (match[1] or match[2])
    if name not in _FORMATS:
        raise UnsupportedOnHost(f"'{call.callee}' is not supported on the host device")
    return _FORMATS[name]


def _flags(call: Call) -> int:
    return int("relu" in (call.callee or "").split("."))


def _narrow(call: Call, ctx: FunctionContext) -> list[str]:
    """Two numbers into one code of 16 bits: the first of two operands in the upper half, the
    elements of a vector as they lie.
    """
    if call.result is None:
        return []
    mantissa, exponent, bias, largest, nan, _, _, width = _format(call)
    lines: list[str] = []
    if len(call.arguments) == 2:
        high, low = (value for _, value in call.arguments)
    else:
        type, vector = call.arguments[0]
        element = "bfloat" if "bfloat" in type else "half"
        wide = []
        for lane in (1, 0):
            part, value = ctx.fresh(), ctx.fresh()
            lines += [
                f"{part} = extractelement {type} {vector}, i32 {lane}",
                f"{value} = fpext {element} {part} to float",
            ]
            wide.append(value)
        high, low = wide
    callee = ctx.module.declare("i32", "xgpu_small_from_float", "float", *["i32"] * 6)
    rest = ", ".join(f"i32 {n}" for n in (mantissa, exponent, bias, largest, nan, _flags(call)))
    codes = []
    for value in (high, low):
        code = ctx.fresh()
        lines.append(f"{code} = call i32 {callee}(float {value}, {rest})")
        codes.append(code)
    up, both = ctx.fresh(), ctx.fresh()
    return [
        *lines,
        f"{up} = shl i32 {codes[0]}, {width}",
        f"{both} = or i32 {up}, {codes[1]}",
        f"{call.result} = trunc i32 {both} to {call.type}",
    ]


def _widen(call: Call, ctx: FunctionContext) -> list[str]:
    """Two codes to two numbers of 16 bits."""
    if call.result is None:
        return []
    mantissa, exponent, bias, _, _, nan, infinity, width = _format(call)
    type, given = call.arguments[0]
    whole = ctx.fresh()
    lines = [f"{whole} = zext {type} {given} to i32"]
    callee = ctx.module.declare("float", "xgpu_small_to_float", *["i32"] * 7)
    rest = ", ".join(f"i32 {n}" for n in (mantissa, exponent, bias, nan, infinity, _flags(call)))
    vector = "poison"
    for lane in range(2):
        moved, code, value, half = (ctx.fresh() for _ in range(4))
        following = call.result if lane == 1 else ctx.fresh()
        lines += [
            f"{moved} = lshr i32 {whole}, {width * lane}",
            f"{code} = and i32 {moved}, {(1 << width) - 1}",
            f"{value} = call float {callee}(i32 {code}, {rest})",
            f"{half} = fptrunc float {value} to half",
            f"{following} = insertelement <2 x half> {vector}, half {half}, i32 {lane}",
        ]
        vector = following
    return lines


PATTERNS: list[tuple[re.Pattern[str], Emitter]] = [
    (re.compile(r"(ff|f16x2|bf16x2)\.to\.e\dm\dx2\.rn(\.relu)?(\.satfinite)?"), _narrow),
    (re.compile(r"e\dm\dx2\.to\.f16x2\.rn(\.relu)?"), _widen),
]

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Floating-point values from their bit patterns."""

from __future__ import annotations

import struct
from typing import Any

from xdsl.dialects import builtin

_FORMATS: dict[Any, tuple[str, str]] = {
    builtin.f64: ("<Q", "<d"),
    builtin.f32: ("<I", "<f"),
    builtin.f16: ("<H", "<e"),
}


def float_of_bits(bits: int, type: Any) -> float:
    """The value of the float type `type` whose bit pattern is `bits`."""
    if isinstance(type, builtin.BFloat16Type):
        return struct.unpack("<f", struct.pack("<I", bits << 16))[0]
    pack, unpack = _FORMATS[type]
    return struct.unpack(unpack, struct.pack(pack, bits))[0]

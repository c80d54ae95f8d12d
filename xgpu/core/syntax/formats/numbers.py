# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers in texts: integers of a size, floating-point values from their bit patterns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.dialects import builtin
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Attribute

from xgpu.core.ir.construction import current_token
from xgpu.core.ir.integers import fits

if TYPE_CHECKING:
    from xdsl.parser import AttrParser


_FORMATS: dict[Attribute, tuple[str, str]] = {
    builtin.f64: ("<Q", "<d"),
    builtin.f32: ("<I", "<f"),
    builtin.f16: ("<H", "<e"),
}


def float_of_bits(bits: int, type: Attribute) -> float:
    """The value of the float type `type` whose bit pattern is `bits`."""
    import struct  # which few texts need

    if isinstance(type, builtin.BFloat16Type):
        return struct.unpack("<f", struct.pack("<I", bits << 16))[0]
    pack, unpack = _FORMATS[type]
    return struct.unpack(unpack, struct.pack(pack, bits))[0]


def read_integer(
    parser: AttrParser,
    bits: int,
    *,
    signed: bool = True,
    optional: bool = False,
    boolean: bool = False,
) -> Any:
    """A number where MLIR reads a C++ integer of so many bits; None if there is none that must be.

    A negative one may stand for an unsigned one, which it becomes. `parser` is ours, or xDSL's,
    which has no limit. Raises `DiagnosticError` where the number is no such integer.
    """
    position = parser.pos
    value = _read_any(parser, boolean)
    if value is None:
        return None if optional else parser.raise_error("expected integer value", position)
    if not fits(value, bits) and (signed or not fits(value, bits, False)):
        parser.raise_error("integer value too large", position)
    return value if signed else value & ((1 << bits) - 1)


def read_typed_number(parser: Any, type: IndexType | IntegerType) -> Any:
    """A number as an attribute of `type`, with the rules for such; None if there is no number."""
    text = current_token(parser).text
    if text != "-" and text[:1] not in tuple("0123456789"):
        return None
    if hasattr(parser, "integer_literal"):
        return parser.parse_attribute(type)
    value = parser.parse_number()
    if not isinstance(type, builtin.AnyFloat):
        return builtin.IntegerAttr(value, type)
    if isinstance(value, int) and text.startswith("0x"):
        value = float_of_bits(value, type)
    return builtin.FloatAttr(float(value), type)


def read_wide_integer(parser: AttrParser) -> int:
    """A number of any size."""
    position = parser.pos
    value = _read_any(parser, False)
    return parser.raise_error("expected integer value", position) if value is None else value


def _read_any(parser: AttrParser, boolean: bool) -> int | None:
    read = getattr(parser, "parse_optional_wide_integer", parser.parse_optional_integer)
    return read(allow_boolean=boolean)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers as LLVM IR constants, and back.

A constant is its text without its type: "42", "true", "0x3FF8000000000000". An `Aggregate` knows
its parts, an `Expression` its operation and an `Address` where it points, so that constants can be
folded (see `fold`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerType, VectorType
from xdsl.ir import Attribute

from xgpu.core.ir.float_formats import F64, FORMATS, FloatFormat, from_bits, round_to, to_bits
from xgpu.core.ir.integers import signed
from xgpu.dialects.llvm.types import LLVMArrayType, LLVMPointerType, LLVMStructType

if TYPE_CHECKING:
    from xgpu.backend.llvm_ir.types import Types


class Aggregate(str):
    """An array, struct or vector constant that knows its parts: (type text, constant) each."""

    __slots__ = ("parts",)
    parts: list[tuple[str, str]]


class Expression(str):
    """A constant expression: `opcode` of constants of xDSL types."""

    __slots__ = ("opcode", "operands", "types")
    opcode: str
    operands: tuple[str, ...]
    types: tuple[Attribute, ...]


class Address(str):
    """`getelementptr` of bytes: `base`, a constant that is no such address itself, and `offset`.

    `flags` are MLIR's bits: 1 inbounds, 2 nusw, 4 nuw.
    """

    __slots__ = ("base", "flags", "offset", "type")
    base: str
    flags: int
    offset: int
    type: LLVMPointerType


class Unsupported(Exception):
    """An attribute that is no LLVM constant."""

    def __str__(self) -> str:
        return f"unsupported constant value: {self.args[0]}"


class Refused(Unsupported):
    """An attribute that is no LLVM constant, for the reason that it says."""

    def __str__(self) -> str:
        return str(self.args[0])


# --- integers ------------------------------------------------------------------------------------
def int_text(value: int, width: int) -> str:
    """An integer of `width` bits."""
    if width == 1:
        return "true" if value & 1 else "false"
    return str(signed(value, width))


def as_int(text: str) -> int | None:
    """The integer that a constant is, or None."""
    if text == "true":
        return 1
    if text == "false":
        return 0
    if text.isdigit() or (text[:1] == "-" and text[1:].isdigit()):
        return int(text)
    return None


# --- floats --------------------------------------------------------------------------------------
_FORMATS: dict[str, FloatFormat] = {
    "half": FORMATS["f16"],
    "bfloat": FORMATS["bf16"],
    "float": FORMATS["f32"],
    "double": F64,
    "x86_fp80": FORMATS["f80"],
    "fp128": FORMATS["f128"],
}
#: The names of the types above in MLIR.
_NAMES = {form.name: name for name, form in _FORMATS.items()}


def format_of(t: Attribute) -> FloatFormat | None:
    """The format of a floating-point type that LLVM has; None for other types."""
    return FORMATS[t.name] if t.name in _NAMES else None


def is_float(t: str) -> bool:
    """Whether the LLVM type `t` is a floating-point type."""
    return t in _FORMATS or t == "ppc_fp128"


def float_text(value: float, t: str) -> str:
    """A floating-point constant of the LLVM type `t`, in LLVM's hexadecimal form."""
    form = _FORMATS.get(t)
    if form is None:
        raise Unsupported(f"floating-point constant of type {t}")
    if form is F64 or t == "float":
        # What is of type float is written as the double that it is.
        return f"0x{to_bits(round_to(value, form), F64):016X}"
    bits = to_bits(value, form)
    if t == "x86_fp80":
        return f"0xK{bits:020X}"
    if t == "fp128":
        # The low word is written first.
        return f"0xL{bits & (1 << 64) - 1:016X}{bits >> 64:016X}"
    return f"0x{'H' if t == 'half' else 'R'}{bits:04X}"


def float_constant(value: float, form: FloatFormat) -> str:
    """The constant of a value of `form`."""
    return float_text(value, _NAMES[form.name])


def as_float(text: str, form: FloatFormat) -> float | None:
    """The value that a constant of the type is, or None."""
    if text[:2] != "0x":
        return 0.0 if text == "zeroinitializer" else None
    letter = text[2]
    if letter == "K":
        return from_bits(int(text[3:], 16), form)
    if letter == "L":
        return from_bits(int(text[19:] + text[3:19], 16), form)
    if letter in "HR":
        return from_bits(int(text[3:], 16), form)
    return from_bits(int(text[2:], 16), F64)


# --- aggregates ----------------------------------------------------------------------------------
def null(t: Attribute) -> str:
    """The constant of type `t` whose bits are all zero."""
    if isinstance(t, IntegerType):
        return int_text(0, t.width.data)
    if isinstance(t, LLVMPointerType):
        return "null"
    if t.name in _NAMES:
        return float_text(0.0, _NAMES[t.name])
    return "zeroinitializer"


def is_null(text: str, t: Attribute) -> bool:
    """Whether a constant of type `t` has no bit set."""
    return text == "zeroinitializer" or text == null(t)


def aggregate(parts: Sequence[tuple[str, str]], opening: str, closing: str) -> Aggregate:
    """The aggregate of (type text, constant) pairs between brackets."""
    text = Aggregate(f"{opening}{', '.join([f'{t} {v}' for t, v in parts])}{closing}")
    text.parts = list(parts)
    return text


def brackets(t: Attribute) -> tuple[str, str]:
    """How a constant of the aggregate type `t` opens and closes."""
    if isinstance(t, LLVMArrayType):
        return "[", "]"
    if isinstance(t, VectorType):
        return "<", ">"
    if isinstance(t, LLVMStructType) and t.packed:
        return "<{ ", " }>"
    return "{ ", " }"


def element_types(t: Attribute) -> list[Attribute]:
    """The types of the parts of the aggregate type `t`."""
    if isinstance(t, LLVMArrayType):
        return [t.element_type] * t.size
    if isinstance(t, VectorType):
        return [t.element_type] * t.get_shape()[0]
    if isinstance(t, LLVMStructType):
        return list(t.body)
    raise Unsupported(f"{t} has no parts")


def expand(text: str, t: Attribute, types: Types) -> list[tuple[str, str]] | None:
    """The parts of the constant `text` of type `t`, or None if they are not known."""
    if isinstance(text, Aggregate):
        return list(text.parts)
    if text in ("undef", "poison"):
        return [(types(e), text) for e in element_types(t)]
    if text == "zeroinitializer":
        return [(types(e), null(e)) for e in element_types(t)]
    return None


def is_scalable(t: Attribute) -> bool:
    """Whether `t` is a vector whose length the machine chooses."""
    return isinstance(t, VectorType) and any(s.value.data for s in t.scalable_dims)


def elements(text: str, t: Attribute, types: Types) -> list[str] | None:
    """The elements of a constant vector of fixed length, or None if they are not known."""
    if is_scalable(t):
        return None
    parts = expand(text, t, types)
    return None if parts is None else [part for _, part in parts]


def vector(values: Sequence[str], t: Attribute, types: Types) -> str:
    """The vector constant of `values`, elements of the vector type `t`."""
    first = values[0] if values else "zeroinitializer"
    if first in ("undef", "poison") and all(v == first for v in values):
        return first
    inner = cast("VectorType", t).element_type
    if all(is_null(v, inner) for v in values):
        return "zeroinitializer"
    element = types(inner)
    return aggregate([(element, v) for v in values], "<", ">")

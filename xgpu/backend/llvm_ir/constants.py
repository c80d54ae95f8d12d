# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attributes as LLVM IR constants.

A constant is its text without its type ("42", "0x3FF8000000000000", "{ i64 1, ptr null }"). An
`Aggregate` also knows its parts, so that `insertvalue` and its kin can be folded.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import (
    ArrayAttr,
    ComplexType,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    VectorType,
    i1,
)

from xgpu.backend.llvm_ir.types import Types, quoted, symbol
from xgpu.dialects.llvm.types import LLVMArrayType, LLVMPointerType, LLVMStructType
from xgpu.ir.elements import pack, unpack
from xgpu.ir.splats import Repeated

if TYPE_CHECKING:
    from xdsl.ir import Attribute


class Aggregate(str):
    """An array, struct or vector constant that knows its parts: (type text, constant) each."""

    __slots__ = ("parts",)
    parts: list[tuple[str, str]]


class Unsupported(Exception):
    """An attribute that is no LLVM constant."""

    def __str__(self) -> str:
        return f"unsupported constant value: {self.args[0]}"


class Refused(Unsupported):
    """An attribute that is no LLVM constant, for the reason that it says."""

    def __str__(self) -> str:
        return str(self.args[0])


def float_text(value: float, t: str) -> str:
    """A floating-point constant of the LLVM type `t`, in LLVM's hexadecimal spelling."""
    if t == "double" or t == "float":
        rounded = to_f32(value) if t == "float" else value
        return f"0x{struct.unpack('<Q', struct.pack('<d', rounded))[0]:016X}"
    if t == "half":
        return f"0xH{float_bits(value, t):04X}"
    if t == "bfloat":
        return f"0xR{float_bits(value, t):04X}"
    if t == "fp128":
        return f"0xL{_fp128_words(value)}"
    if t == "x86_fp80":
        return f"0xK{_fp80_bits(value):020X}"
    raise Unsupported(f"floating-point constant of type {t}")


def to_f32(value: float) -> float:
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def float_bits(value: float, t: str) -> int:
    """The bits of `value` in the type `t` ("half", "bfloat", "float" or "double")."""
    if t == "half":
        try:
            return struct.unpack("<H", struct.pack("<e", value))[0]
        except OverflowError:
            return 0x7C00 if value > 0 else 0xFC00
    if t == "bfloat":
        bits = struct.unpack("<I", struct.pack("<f", to_f32(value)))[0]
        if value != value:
            return bits >> 16 | 0x40
        return bits + 0x7FFF + (bits >> 16 & 1) >> 16
    if t == "float":
        return struct.unpack("<I", struct.pack("<f", to_f32(value)))[0]
    return struct.unpack("<Q", struct.pack("<d", value))[0]


def float_value(text: str) -> float | None:
    """The number that the constant `text` of type float or double stands for."""
    if len(text) == 18 and text.startswith("0x"):
        return struct.unpack("<d", struct.pack("<Q", int(text, 16)))[0]
    return None


def _wide_bits(value: float, fraction: int) -> int:
    """A double's value as a quad: sign, 15 bits of exponent, `fraction` bits."""
    bits = struct.unpack("<Q", struct.pack("<d", value))[0]
    sign, exponent, mantissa = bits >> 63, bits >> 52 & 0x7FF, bits & (1 << 52) - 1
    if exponent == 0x7FF:
        exponent = 0x7FFF
    elif exponent:
        exponent += 16383 - 1023
    elif mantissa:
        shift = 53 - mantissa.bit_length()
        mantissa = mantissa << shift & (1 << 52) - 1
        exponent = 16383 - 1022 - shift
    return sign << fraction + 15 | exponent << fraction | mantissa << fraction - 52


def _fp128_words(value: float) -> str:
    # LLVM writes the low word first.
    bits = _wide_bits(value, 112)
    return f"{bits & (1 << 64) - 1:016X}{bits >> 64:016X}"


def _fp80_bits(value: float) -> int:
    bits = _wide_bits(value, 63)
    exponent = bits >> 63 & 0x7FFF
    sign_exponent = bits >> 63
    mantissa = bits & (1 << 63) - 1
    return sign_exponent << 64 | (1 << 63 if exponent else 0) | mantissa


def int_text(value: int, width: int) -> str:
    if width == 1:
        return "true" if value & 1 else "false"
    value &= (1 << width) - 1
    return str(value - (1 << width) if value >> width - 1 else value)


def null(t: Attribute) -> str:
    """The constant of type `t` whose bits are all zero."""
    if isinstance(t, IntegerType):
        return int_text(0, t.width.data)
    if isinstance(t, LLVMPointerType):
        return "null"
    return "zeroinitializer"


def is_float(t: str) -> bool:
    return t in ("half", "bfloat", "float", "double", "fp128", "x86_fp80", "ppc_fp128")


def aggregate(parts: Sequence[tuple[str, str]], opening: str, closing: str) -> Aggregate:
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


def is_scalable(t: Attribute) -> bool:
    """Whether `t` is a vector of an unknown number of elements."""
    return isinstance(t, VectorType) and t.get_num_scalable_dims() > 0


def expand(text: str, t: Attribute, types: Types) -> list[tuple[str, str]] | None:
    """The parts of the constant `text` of type `t`, or None if they are not known."""
    if isinstance(text, Aggregate):
        return list(text.parts)
    if is_scalable(t):
        return None
    if text in ("undef", "poison"):
        return [(types(e), text) for e in element_types(t)]
    if text == "zeroinitializer":
        return [(types(e), null(e)) for e in element_types(t)]
    return None


def constant(attr: Attribute, t: Attribute, types: Types) -> str:
    """The constant of type `t` that the attribute of `llvm.mlir.constant` or a global means."""
    if isinstance(attr, IntegerAttr):
        if isinstance(t, IntegerType):
            value = attr.value.data & 1 if attr.type == i1 else attr.value.data
            return int_text(value, t.width.data)
        if isinstance(t, LLVMStructType):
            raise Unsupported(f"{attr} as {t}")
        return splat(int_text(attr.value.data, _int_width(t)), t, types)
    if isinstance(attr, FloatAttr):
        return _float_constant(attr, t, types)
    if isinstance(attr, UnitAttr):
        return "undef"
    if isinstance(attr, SymbolRefAttr):
        return f"@{symbol(attr.string_value())}"
    if isinstance(attr, DenseIntOrFPElementsAttr):
        return _dense(attr, t, types)
    if isinstance(attr, StringAttr):
        return f'c"{quoted(attr.data)}"'
    if isinstance(attr, ArrayAttr):
        if isinstance(t, LLVMStructType) and len(t.body) == len(attr.data):
            parts = [
                (types(e), constant(a, e, types)) for a, e in zip(attr.data, t.body, strict=False)
            ]
        elif isinstance(t, LLVMArrayType) and t.size == len(attr.data):
            element = types(t.element_type)
            parts = [(element, constant(a, t.element_type, types)) for a in attr.data]
        else:
            raise Unsupported(f"{attr} as {t}")
        return aggregate(parts, *brackets(t))
    name = attr.name
    if name == "builtin.sparse":
        from xgpu.ir.elements import densify

        return _dense(densify(attr), t, types)
    if name == "dense_resource":
        from xgpu.backend.llvm_ir.constant_elements import ResourceError, dense_of_resource

        try:
            return _dense(dense_of_resource(attr, _scalar(t), types.resources), t, types)
        except ResourceError as reason:
            raise Refused(str(reason)) from None
    if name in ("llvm.mlir.undef", "llvm.undef"):
        return "undef"
    if name == "llvm.poison":
        return "poison"
    if name == "llvm.zero":
        return null(t)
    raise Unsupported(str(attr))


def _float_constant(attr: FloatAttr, t: Attribute, types: Types) -> str:
    text = types(t)
    value = attr.value.data
    if is_float(text):
        return float_text(value, text)
    if isinstance(t, IntegerType):
        # A float of 8 bits or fewer has no LLVM type and travels as its bits.
        return int_text(int.from_bytes(pack([value], attr.type), "little"), t.width.data)
    if isinstance(t, LLVMStructType) and len(t.body) == 2:
        raise Unsupported(f"{attr} as {t}")
    return splat(float_text(value, types(_scalar(t))), t, types)


def _scalar(t: Attribute) -> Attribute:
    while isinstance(t, (VectorType, LLVMArrayType)):
        t = t.element_type
    return t


def _int_width(t: Attribute) -> int:
    scalar = _scalar(t)
    if isinstance(scalar, IntegerType):
        return scalar.width.data
    raise Unsupported(f"an integer as {t}")


def splat(value: str, t: Attribute, types: Types) -> str:
    """`value` in every place of the vector or array type `t`."""
    if isinstance(t, VectorType):
        if any(s.value.data for s in t.scalable_dims):
            return f"splat ({types(t.element_type)} {value})"
        return aggregate([(types(t.element_type), value)] * t.get_shape()[0], "<", ">")
    if isinstance(t, LLVMArrayType):
        part = (types(t.element_type), splat(value, t.element_type, types))
        return aggregate([part] * t.size, "[", "]")
    return value


def _dense(attr: DenseIntOrFPElementsAttr, t: Attribute, types: Types) -> str:
    """A dense attribute, nested as deep as `t` is."""
    scalar = _scalar(t)
    text = types(scalar)
    raw = attr.data.data
    if not any(raw):
        return null(t)
    if isinstance(raw, Repeated):
        raise Unsupported(f"a constant of {len(raw)} bytes")
    element = attr.type.element_type
    if isinstance(element, ComplexType) and isinstance(scalar, LLVMStructType):
        pairs = [_complex(pair, scalar, types) for pair in unpack(raw, element)]
        if len(pairs) != _count(t):
            raise Unsupported(f"{attr} as {t}")
        return _nest(pairs, t, types)
    if is_float(text):
        size = {"half": 2, "bfloat": 2, "float": 4, "double": 8}.get(text)
        if size is None:
            raise Unsupported(str(attr))
        if size >= 4:
            code = "f" if size == 4 else "d"
            numbers = struct.unpack(f"<{len(raw) // size}{code}", raw)
            values = [f"0x{struct.unpack('<Q', struct.pack('<d', n))[0]:016X}" for n in numbers]
        else:
            letter = "H" if text == "half" else "R"
            numbers = struct.unpack(f"<{len(raw) // 2}H", raw)
            values = [f"0x{letter}{n:04X}" for n in numbers]
    elif isinstance(scalar, IntegerType):
        width = scalar.width.data
        if isinstance(t, LLVMArrayType) and width == 8 and len(raw) == t.size and raw:
            return f'c"{quoted(raw)}"'
        if isinstance(element, IntegerType) or element.name == "index":
            values = [int_text(n, width) for n in attr.get_values()]  # pyright: ignore
        else:
            values = [int_text(n, width) for n in raw]
    else:
        raise Unsupported(f"{attr} as {t}")
    count = _count(t)
    if any(s.value.data for s in t.scalable_dims) if isinstance(t, VectorType) else False:
        if len(set(values)) != 1:
            raise Unsupported(f"{attr} as {t}")
        return splat(values[0], t, types)
    if len(values) == 1 and count != 1:
        return splat(values[0], t, types)
    if len(values) != count:
        raise Unsupported(f"{attr} as {t}")
    return _nest(values, t, types)


def _complex(pair: Any, t: LLVMStructType, types: Types) -> str:
    """A complex number, as the struct that stands for it."""
    kind = t.body[0]
    text = types(kind)
    parts = [
        (text, int_text(v, kind.width.data))
        if isinstance(kind, IntegerType)
        else (text, float_text(v, text))
        for v in pair
    ]
    return aggregate(parts, *brackets(t))


def _count(t: Attribute) -> int:
    if isinstance(t, LLVMArrayType):
        return t.size * _count(t.element_type)
    if isinstance(t, VectorType):
        return t.get_shape()[0]
    return 1


def _nest(values: Sequence[str], t: Attribute, types: Types) -> str:
    if isinstance(t, (LLVMArrayType, VectorType)):
        inner, kind = t.element_type, types(t.element_type)
        count = t.size if isinstance(t, LLVMArrayType) else t.get_shape()[0]
        step = len(values) // count if count else 0
        if step == 1 and not isinstance(inner, (LLVMArrayType, VectorType)):
            parts = [(kind, v) for v in values]
        else:
            parts = [
                (kind, _nest(values[i * step : (i + 1) * step], inner, types)) for i in range(count)
            ]
        return aggregate(parts, *brackets(t))
    return values[0]

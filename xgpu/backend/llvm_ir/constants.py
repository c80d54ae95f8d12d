# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attributes as LLVM IR constants (see `literals` for what a constant is)."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    ComplexType,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
    VectorType,
    i1,
)
from xdsl.ir import Attribute

from xgpu.backend.llvm_ir.literals import (
    Refused,
    Unsupported,
    aggregate,
    brackets,
    float_text,
    int_text,
    is_float,
    is_scalable,
    null,
)
from xgpu.backend.llvm_ir.types import Types, quoted, symbol
from xgpu.core.ir.elements import Repeated, dense, densify, element_size, from_raw, unpack
from xgpu.core.ir.floats import to_bits
from xgpu.dialects.llvm.types import LLVMArrayType, LLVMStructType


class ResourceError(Exception):
    """A resource that cannot be the constant's value, in MLIR's words."""


def dense_of_resource(
    attr: DenseResourceAttr,
    scalar: Attribute,
    resources: Mapping[str, Mapping[str, Mapping[str, str]]] | None,
) -> DenseIntOrFPElementsAttr:
    """The elements of a blob; `scalar` is the innermost type of the constant."""
    bits = scalar.width.data if isinstance(scalar, IntegerType) else getattr(scalar, "bitwidth", 0)
    if bits not in (8, 16, 32, 64):
        raise ResourceError("no known conversion for innermost element type")
    blobs = ((resources or {}).get("dialect_resources") or {}).get("builtin") or {}
    text = blobs.get(attr.resource_handle.data)
    if text is None:
        raise ResourceError("resource does not exist")
    raw = bytes.fromhex(text[2:])[4:]
    kind = cast("VectorType | TensorType", attr.type)
    element = kind.element_type
    count = 1
    for length in kind.get_shape():
        count *= length
    if isinstance(element, VectorType):
        for length in element.get_shape():
            count *= length
        element = element.element_type
    if len(raw) // count * 8 != bits:
        raise ResourceError("raw data size does not match element type size")
    if kind.name not in ("tensor", "vector"):
        raise ResourceError("unsupported dense_resource type")
    data = from_raw(raw[: count * bits // 8], element, count)
    if data is None:
        raise ResourceError("raw data size does not match element type size")
    return dense(TensorType(element, [count]), data)


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
        if _count(t) > _MOST_ELEMENTS:
            raise Unsupported(f"an array of {_count(t)} elements")
        return _dense(densify(attr), t, types)
    if name == "dense_resource":
        try:
            return _dense(
                dense_of_resource(cast("DenseResourceAttr", attr), _scalar(t), types.resources),
                t,
                types,
            )
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
        return int_text(to_bits(value, attr.type), t.width.data)
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


#: Up to so many equal elements are written one by one.
_MOST_ELEMENTS = 1 << 24


def splat(value: str, t: Attribute, types: Types) -> str:
    """`value` in every place of the vector or array type `t`."""
    if isinstance(t, VectorType):
        count = t.get_shape()[0]
        if is_scalable(t) or count > _MOST_ELEMENTS:
            return f"splat ({types(t.element_type)} {value})"
        return aggregate([(types(t.element_type), value)] * count, "<", ">")
    if isinstance(t, LLVMArrayType):
        if _count(t) > _MOST_ELEMENTS:
            raise Unsupported(f"an array of {_count(t)} elements")
        part = (types(t.element_type), splat(value, t.element_type, types))
        return aggregate([part] * t.size, "[", "]")
    return value


def _dense(attr: DenseIntOrFPElementsAttr, t: Attribute, types: Types) -> str:
    """A dense attribute, nested as deep as `t` is."""
    scalar = _scalar(t)
    raw = attr.data.data
    if not any(raw):
        return null(t)
    element = attr.type.element_type
    size = element_size(element)
    count = _count(t)
    if isinstance(raw, Repeated):
        raw = raw[:size]  # said once
    if isinstance(element, ComplexType) and isinstance(scalar, LLVMStructType):
        values = [_complex(pair, scalar, types) for pair in unpack(raw, element)]
    elif isinstance(t, LLVMArrayType) and types(scalar) == "i8" and len(raw) == t.size and raw:
        return f'c"{quoted(raw)}"'
    else:
        values = _texts(unpack(raw, element), element, scalar, types)
    if values is None:
        raise Unsupported(f"{attr} as {t}")
    if is_scalable(t) and len(set(values)) != 1:
        raise Unsupported(f"{attr} as {t}")
    if is_scalable(t) or (len(values) == 1 and count != 1):
        return splat(values[0], t, types)
    if len(values) != count:
        raise Unsupported(f"{attr} as {t}")
    return _nest(values, t, types)


def _texts(
    values: Sequence[float], element: Attribute, scalar: Attribute, types: Types
) -> list[str] | None:
    """Elements of the type `element` as constants of `scalar`; None if that cannot hold them."""
    text = types(scalar)
    if is_float(text):
        if text != "double" and text != "float":
            return [float_text(value, text) for value in values]
        bits = struct.unpack(f"<{len(values)}Q", struct.pack(f"<{len(values)}d", *values))
        return [f"0x{number:016X}" for number in bits]
    if not isinstance(scalar, IntegerType):
        return None
    width = scalar.width.data
    if isinstance(element, AnyFloat):
        # A float of 8 bits or fewer has no LLVM type and travels as its bits.
        return [int_text(to_bits(value, element), width) for value in values]
    return [int_text(number, width) for number in cast("Sequence[int]", values)]


def _complex(pair: Iterable[float], t: LLVMStructType, types: Types) -> str:
    """A complex number, as the struct that stands for it."""
    kind = t.body[0]
    text = types(kind)
    parts = [
        (text, int_text(cast("int", v), kind.width.data))
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

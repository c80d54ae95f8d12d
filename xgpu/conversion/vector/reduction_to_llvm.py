# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""vector.reduction, plain and masked, as LLVM's reduction intrinsics.

Source: MLIR 22.1 ConvertVectorToLLVM.cpp.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.conversion.one_to_one import fastmath
from xgpu.conversion.vector.elements_to_llvm import is_scalable
from xgpu.core import ods
from xgpu.core.ir.elements import dense_of
from xgpu.core.rewriting.driver import NoMatch
from xgpu.dialects.llvm import builders as llvm

if TYPE_CHECKING:
    from xdsl.dialects.builtin import VectorType

    from xgpu.conversion.llvm_types import LLVMTypeConverter
    from xgpu.core.rewriting.driver import Conversion, Rule
    from xgpu.dialects import arith

#: Kind -> the intrinsic's name, and the operation or comparison that adds the start value.
_INTEGER = {
    "add": ("add", "add"),
    "mul": ("mul", "mul"),
    "and": ("and", "and"),
    "or": ("or", "or"),
    "xor": ("xor", "xor"),
}
_COMPARED = {
    "minui": ("umin", "ule"),
    "minsi": ("smin", "sle"),
    "maxui": ("umax", "uge"),
    "maxsi": ("smax", "sge"),
}
#: Kinds of floats that take a start value, with the neutral one.
_STARTED = {"add": ("fadd", 0.0), "mul": ("fmul", 1.0)}
#: Kind -> intrinsic, and the scalar operation that adds the start value.
_FLOAT = {
    "minimumf": ("fminimum", "minimum"),
    "maximumf": ("fmaximum", "maximum"),
    "minnumf": ("fmin", "minnum"),
    "maxnumf": ("fmax", "maxnum"),
}
_QUIET_NAN = struct.unpack("<d", struct.pack("<Q", 0x7FF8000000000000))[0]
_NEGATIVE_NAN = struct.unpack("<d", struct.pack("<Q", 0xFFF8000000000000))[0]


def _flags(op: Operation, rw: Conversion) -> Attribute:
    types = cast("LLVMTypeConverter", rw.types)
    value = cast("arith.FastmathAttr", op.properties["fastmath"])
    if not types.reassociate_reductions:
        return fastmath(value)
    names = [*value.flags, "reassoc"] if "fast" not in value.flags else ["fast"]
    return ods.enum("llvm.fastmath", ", ".join(dict.fromkeys(names)))


def lower_reduction(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    kind: str = op.properties["kind"].data  # pyright: ignore
    vector = operands[0]
    start = operands[1] if len(operands) > 1 else None
    old = op.results[0].type
    ty = rw.convert_type(old)
    if isinstance(old, IntegerType | IndexType):
        return [_reduce_integers(rw, kind, vector, start, ty)]
    if not isinstance(old, AnyFloat):
        raise NoMatch("expected integers or floats")
    flags = {"fastmathFlags": _flags(op, rw)}
    if kind in _STARTED:
        name, neutral = _STARTED[kind]
        if start is None:
            start = llvm.attribute_constant(rw, FloatAttr(neutral, ty), ty)
        intrinsic = f"llvm.intr.vector.reduce.{name}"
        return [rw.value(intrinsic, (start, vector), ty, flags)]
    if kind not in _FLOAT:
        raise NoMatch(f"there is no reduction {kind} of floats")
    return [_reduce_floats(rw, kind, vector, start, ty, flags)]


def _reduce_integers(
    rw: Conversion, kind: str, vector: SSAValue, start: SSAValue | None, ty: Attribute
) -> SSAValue:
    if kind in _INTEGER:
        intrinsic, scalar = _INTEGER[kind]
        result = rw.value(f"llvm.intr.vector.reduce.{intrinsic}", (vector,), ty)
        return result if start is None else llvm.binary(rw, scalar, start, result)
    if kind not in _COMPARED:
        raise NoMatch(f"there is no reduction {kind} of integers")
    intrinsic, predicate = _COMPARED[kind]
    result = rw.value(f"llvm.intr.vector.reduce.{intrinsic}", (vector,), ty)
    if start is None:
        return result
    better = llvm.icmp(rw, predicate, start, result)
    return rw.value("llvm.select", (better, start, result), ty)


def _reduce_floats(
    rw: Conversion,
    kind: str,
    vector: SSAValue,
    start: SSAValue | None,
    ty: Attribute,
    flags: dict[str, Attribute],
) -> SSAValue:
    intrinsic, scalar = _FLOAT[kind]
    result = rw.value(f"llvm.intr.vector.reduce.{intrinsic}", (vector,), ty, flags)
    if start is None:
        return result
    return rw.value(f"llvm.intr.{scalar}", (result, start), ty)


# --- masked ------------------------------------------------------------------------------------
def _neutral(kind: str, ty: IntegerType) -> tuple[str, Attribute]:
    """The intrinsic of a masked reduction, and the value that changes nothing."""
    if isinstance(ty, AnyFloat):
        table = {
            "add": ("fadd", 0.0),
            "mul": ("fmul", 1.0),
            "minnumf": ("fmin", _NEGATIVE_NAN),
            "maxnumf": ("fmax", _QUIET_NAN),
        }
        if kind not in table:
            raise NoMatch(f"there is no masked reduction {kind} of floats")
        name, value = table[kind]
        return name, FloatAttr(value, ty)
    width = ty.width.data
    least, most = -(1 << (width - 1)), (1 << (width - 1)) - 1
    integers = {
        "add": ("add", 0),
        "mul": ("mul", 1),
        "minui": ("umin", -1),
        "minsi": ("smin", most),
        "maxui": ("umax", 0),
        "maxsi": ("smax", least),
        "and": ("and", -1),
        "or": ("or", 0),
        "xor": ("xor", 0),
    }
    if kind not in integers:
        raise NoMatch(f"there is no masked reduction {kind} of integers")
    name, number = integers[kind]
    return name, IntegerAttr(number, ty)


def lower_mask(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    """vector.mask around a reduction; what is left around others has been taken away before."""
    body = op.regions[0].blocks[0]
    inner = body.first_op
    if inner is None or inner.name != "vector.reduction":
        raise NoMatch("only masked reductions have an intrinsic")
    kind: str = inner.properties["kind"].data  # pyright: ignore
    vector = rw.converted(inner.operands[0])
    start = rw.converted(inner.operands[1]) if len(inner.operands) > 1 else None
    rw.before(op)
    ty = rw.convert_type(inner.results[0].type)
    mask = operands[0]
    if kind in ("maximumf", "minimumf"):
        flags = {"fastmathFlags": fastmath(inner.properties["fastmath"])}
        return [_mask_by_select(rw, kind, vector, start, mask, ty, flags)]
    name, neutral = _neutral(kind, ty)
    if start is None:
        start = llvm.attribute_constant(rw, neutral, ty)
    length = _length(rw, vector)
    return [rw.value(f"llvm.intr.vp.reduce.{name}", (start, vector, mask, length), ty)]


def _mask_by_select(
    rw: Conversion,
    kind: str,
    vector: SSAValue,
    start: SSAValue | None,
    mask: SSAValue,
    ty: Attribute,
    flags: dict[str, Attribute],
) -> SSAValue:
    """There are no masked intrinsics for these: elements that do not count become neutral."""
    vector_type = vector.type
    value = _smallest(ty) if kind == "maximumf" else _largest(ty)
    dense = dense_of(vector_type, [value])
    neutral = llvm.attribute_constant(rw, dense, vector_type)
    chosen = rw.value("llvm.select", (mask, vector, neutral), vector_type)
    return _reduce_floats(rw, kind, chosen, start, ty, flags)


def _bits(ty: Attribute, pattern: dict[str, tuple[str, int]]) -> float:
    if ty.name not in pattern:
        raise NoMatch(f"floats of type {ty} are not handled")
    code, bits = pattern[ty.name]
    integer = {"e": "<H", "f": "<I", "d": "<Q"}[code]
    return struct.unpack(f"<{code}", struct.pack(integer, bits))[0]


def _smallest(ty: Attribute) -> float:
    """The negative number next to zero (MLIR takes this one)."""
    return _bits(
        ty,
        {
            "f16": ("e", 0x8001),
            "bf16": ("f", 0x80010000),
            "f32": ("f", 0x80000001),
            "f64": ("d", 0x8000000000000001),
        },
    )


def _largest(ty: Attribute) -> float:
    return _bits(
        ty,
        {
            "f16": ("e", 0x7BFF),
            "bf16": ("f", 0x7F7F0000),
            "f32": ("f", 0x7F7FFFFF),
            "f64": ("d", 0x7FEFFFFFFFFFFFFF),
        },
    )


def _length(rw: Conversion, vector: SSAValue) -> SSAValue:
    """The number of elements, as the intrinsics for masks take it."""
    ty = cast("VectorType", vector.type)
    count = llvm.constant(rw, ty.get_shape()[0], i32)
    if not is_scalable(ty):
        return count
    scale = rw.value("vector.vscale", (), IndexType())
    scale = rw.value("arith.index_cast", (scale,), i32)
    return rw.value("arith.muli", (count, scale), i32)


RULES: dict[str, Rule] = {"vector.mask": lower_mask, "vector.reduction": lower_reduction}

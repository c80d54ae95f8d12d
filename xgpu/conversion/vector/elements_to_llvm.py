# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Vectors in registers, in the llvm dialect: extract, insert, shuffle, broadcast, interleave,
reductions.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    DenseArrayBase,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    VectorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.conversion.to_llvm import fastmath
from xgpu.core import ods
from xgpu.core.ir.elements import dense_of
from xgpu.core.rewriting.driver import Conversion, NoMatch, Rule
from xgpu.dialects.llvm import builders as llvm
from xgpu.dialects.llvm.types import LLVMArrayType, LLVMStructType

if TYPE_CHECKING:
    from xgpu.conversion.llvm_types import LLVMTypeConverter
    from xgpu.dialects import arith


# --- elements to llvm ----------------------------------------------------------------------------
# Vectors in registers, in the llvm dialect: extract, insert, shuffle, broadcast, interleave, ...
#
# An n-D vector is arrays of 1-D vectors there; a 0-D vector has one element.
# Source: MLIR 22.1 ConvertVectorToLLVM.cpp.


#: What stands in static_position for an operand.
_DYNAMIC = -(2**63)


def is_scalable(ty: VectorType) -> bool:
    return any(bool(dim.value.data) for dim in ty.scalable_dims.data)


def shuffle(
    rw: Conversion,
    left: SSAValue,
    right: SSAValue,
    mask: Sequence[int],
    ty: Attribute | None = None,
) -> SSAValue:
    """`llvm.shufflevector`; the result has as many elements as `mask`."""
    source = cast("VectorType", left.type)
    scalable = source.scalable_dims if is_scalable(source) else None
    result = VectorType(source.element_type, [len(mask)], scalable) if ty is None else ty
    return rw.value(
        "llvm.shufflevector",
        (left, right),
        result,
        {"mask": DenseArrayBase.from_list(i32, mask)},
    )


def extract_element(rw: Conversion, vector: SSAValue, index: SSAValue) -> SSAValue:
    ty = cast("VectorType", vector.type)
    return rw.value("llvm.extractelement", (vector, index), ty.element_type)


def insert_element(rw: Conversion, vector: SSAValue, value: SSAValue, index: SSAValue) -> SSAValue:
    return rw.value("llvm.insertelement", (vector, value, index), vector.type)


def _position(op: Operation, dynamic: Sequence[SSAValue]) -> list[SSAValue | int]:
    """The indices: integers, or values where they are not known."""
    static = cast("DenseArrayBase[IntegerType]", op.properties["static_position"])
    rest = iter(dynamic)
    return [next(rest) if n == _DYNAMIC else n for n in static.get_values()]


def _index_value(rw: Conversion, index: SSAValue | int) -> SSAValue:
    return llvm.constant(rw, index, i64) if isinstance(index, int) else index


def _known(position: Sequence[SSAValue | int]) -> list[int]:
    known = [index for index in position if isinstance(index, int)]
    if len(known) != len(position):
        raise NoMatch("an index into an n-D vector is not known")
    return known


def lower_extract(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    source_type = cast("VectorType", op.operands[0].type)
    rw.convert_type(op.results[0].type)
    rank = source_type.get_num_dims()
    position = _position(op, operands[1:])
    is_scalar = len(position) == rank
    if rank == 0:
        position.append(0)
    value = operands[0]
    if rank >= 2:
        outer = _known(position[:-1] if is_scalar else position)
        if outer:
            value = llvm.extract(rw, value, *outer)
    if is_scalar:
        value = extract_element(rw, value, _index_value(rw, position[-1]))
    return [value]


def lower_insert(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    target_type = cast("VectorType", op.operands[1].type)
    result_type = cast("VectorType | LLVMArrayType", rw.convert_type(target_type))
    value, target = operands[0], operands[1]
    position = _position(op, operands[2:])
    rank = target_type.get_num_dims()
    is_scalar = len(position) == rank
    is_nested = isinstance(result_type, LLVMArrayType)
    outer = position[:-1] if is_scalar else position
    if is_scalar:
        row = llvm.extract(rw, target, *_known(outer)) if is_nested else target
        value = insert_element(rw, row, value, _index_value(rw, position[-1] if rank else 0))
    if is_nested:
        known = _known(outer)
        value = llvm.insert(rw, target, value, *known) if known else value
    return [value]


def lower_shuffle(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    mask = cast("DenseArrayBase[IntegerType]", op.properties["mask"])
    places = list(mask.get_values())
    first_type = cast("VectorType", op.operands[0].type)
    ty = cast("VectorType", op.results[0].type)
    result_type = cast("VectorType", rw.convert_type(ty))
    rank = ty.get_num_dims()
    first, second = operands
    if rank <= 1 and first_type == op.operands[1].type:
        return [shuffle(rw, first, second, places)]
    types = cast("LLVMTypeConverter", rw.types)
    count = first_type.get_shape()[0] if first_type.get_num_dims() else 1
    result = llvm.poison(rw, result_type)
    for to, place in enumerate(places):
        source, at = (second, place - count) if place >= count else (first, place)
        if rank <= 1:
            element = extract_element(rw, source, llvm.index_constant(rw, at, types.index))
            index = llvm.index_constant(rw, to, types.index)
            result = insert_element(rw, result, element, index)
        else:
            result = llvm.insert(rw, result, llvm.extract(rw, source, at), to)
    return [result]


def lower_broadcast(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    """Of a scalar; other broadcasts are taken apart before."""
    if isinstance(op.operands[0].type, VectorType):
        raise NoMatch("broadcast from vector type not handled")
    ty = cast("VectorType", op.results[0].type)
    result_type = cast("VectorType", rw.convert_type(ty))
    rank = ty.get_num_dims()
    if rank <= 1:
        empty = llvm.poison(rw, result_type)
        zero = llvm.constant(rw, 0, i32)
        value = insert_element(rw, empty, operands[0], zero)
        if rank == 0 or (ty.get_shape()[0] == 1 and not is_scalable(ty)):
            return [value]
        return [shuffle(rw, value, empty, [0] * ty.get_shape()[0])]
    row_type = result_type
    while isinstance(row_type, LLVMArrayType):
        row_type = row_type.element_type
    result = llvm.poison(rw, result_type)
    empty = llvm.poison(rw, row_type)
    zero = llvm.constant(rw, 0, i32)
    row = insert_element(rw, empty, operands[0], zero)
    row = shuffle(rw, row, row, [0] * ty.get_shape()[-1])
    for position in product(*(range(extent) for extent in ty.get_shape()[:-1])):
        result = llvm.insert(rw, result, row, *position)
    return [result]


def lower_bitcast(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    ty = cast("VectorType", op.results[0].type)
    if ty.get_num_dims() > 1:
        raise NoMatch("only 0-D and 1-D vectors can be lowered to LLVM")
    return [rw.value("llvm.bitcast", operands, rw.convert_type(ty))]


def lower_fma(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    ty = cast("VectorType", op.results[0].type)
    if ty.get_num_dims() > 1:
        raise NoMatch("n-D vectors are taken apart before")
    return [rw.value("llvm.intr.fmuladd", operands, operands[0].type)]


def lower_interleave(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    ty = cast("VectorType", op.results[0].type)
    if ty.get_num_dims() != 1:
        raise NoMatch("InterleaveOp not rank 1")
    if is_scalable(ty):
        result = rw.convert_type(ty)
        return [rw.value("llvm.intr.vector.interleave2", operands, result)]
    half = ty.get_shape()[0] // 2
    mask = [place for i in range(half) for place in (i, half + i)]
    return [shuffle(rw, operands[0], operands[1], mask)]


def lower_deinterleave(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    ty = cast("VectorType", op.results[0].type)
    if ty.get_num_dims() != 1:
        raise NoMatch("DeinterleaveOp not rank 1")
    if is_scalable(ty):
        result = rw.convert_type(ty)
        pair = rw.value(
            "llvm.intr.vector.deinterleave2", operands, LLVMStructType((result, result))
        )
        return [llvm.extract(rw, pair, 0), llvm.extract(rw, pair, 1)]
    source = cast("VectorType", operands[0].type)
    count = source.get_shape()[0]
    empty = llvm.poison(rw, source)
    return [
        shuffle(rw, operands[0], empty, list(range(0, count, 2))),
        shuffle(rw, operands[0], empty, list(range(1, count, 2))),
    ]


def lower_from_elements(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    ty = cast("VectorType", op.results[0].type)
    if ty.get_num_dims() > 1:
        raise NoMatch("rank > 1 vectors are not supported")
    result = llvm.poison(rw, rw.convert_type(ty))
    for i, element in enumerate(operands):
        result = insert_element(rw, result, element, llvm.constant(rw, i, i64))
    return [result]


def lower_to_elements(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue | None]:
    types = cast("LLVMTypeConverter", rw.types)
    if isinstance(operands[0].type, LLVMArrayType):
        raise NoMatch("rank > 1 vectors are not supported")
    return [
        extract_element(rw, operands[0], llvm.constant(rw, i, types.index))
        if result.first_use is not None
        else None
        for i, result in enumerate(op.results)
    ]


def lower_scalable_insert(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    value, target = operands
    properties = {"pos": op.properties["pos"]}
    return [rw.value("llvm.intr.vector.insert", (target, value), target.type, properties)]


def lower_scalable_extract(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    properties = {"pos": op.properties["pos"]}
    ty = rw.convert_type(op.results[0].type)
    return [rw.value("llvm.intr.vector.extract", operands, ty, properties)]


def lower_step(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    ty = cast("VectorType", op.results[0].type)
    if not is_scalable(ty):
        raise NoMatch("a step of fixed length is a constant")
    return [rw.value("llvm.intr.stepvector", (), rw.convert_type(ty))]


def lower_vscale(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    return [rw.value("llvm.intr.vscale", (), rw.convert_type(op.results[0].type))]


def lower_create_mask(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    """Of a scalable 1-D vector: compares steps with the bound."""
    ty = cast("VectorType", op.results[0].type)
    if ty.get_num_dims() != 1 or not is_scalable(ty):
        raise NoMatch("only for scalable 1-D vectors")
    types = cast("LLVMTypeConverter", rw.types)
    width = 32 if types.vector_indices_32bit else 64
    steps_type = VectorType(IntegerType(width), ty.shape, ty.scalable_dims)
    steps = rw.value("llvm.intr.stepvector", (), steps_type)
    bound = rw.value("arith.index_cast", (op.operands[0],), IntegerType(width))
    bounds = rw.value("vector.broadcast", (bound,), steps_type)
    return [_less(rw, steps, bounds)]


def _less(rw: Conversion, left: SSAValue, right: SSAValue) -> SSAValue:
    predicate = {"predicate": IntegerAttr(2, i64)}
    return rw.value("arith.cmpi", (left, right), llvm.comparison_type(left.type), predicate)


# --- reduction to llvm ---------------------------------------------------------------------------
# vector.reduction, plain and masked, as LLVM's reduction intrinsics.
#
# Source: MLIR 22.1 ConvertVectorToLLVM.cpp.


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
    rw.location = inner.location
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


RULES: dict[str, Rule] = {
    "vector.bitcast": lower_bitcast,
    "vector.broadcast": lower_broadcast,
    "vector.create_mask": lower_create_mask,
    "vector.deinterleave": lower_deinterleave,
    "vector.extract": lower_extract,
    "vector.fma": lower_fma,
    "vector.from_elements": lower_from_elements,
    "vector.insert": lower_insert,
    "vector.interleave": lower_interleave,
    "vector.scalable.extract": lower_scalable_extract,
    "vector.scalable.insert": lower_scalable_insert,
    "vector.shuffle": lower_shuffle,
    "vector.step": lower_step,
    "vector.to_elements": lower_to_elements,
    "vector.vscale": lower_vscale,
    "vector.mask": lower_mask,
    "vector.reduction": lower_reduction,
}

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nvgpu.warpgroup operations: matrix products of a warpgroup (wgmma, sm_90a).

Source: MLIR 22.1 NVGPUToNVVM.cpp; PTX ISA, asynchronous warpgroup-level matrix instructions.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    i32,
    i64,
)
from xdsl.ir import Attribute, SSAValue

from xgpu.conversion.memref.descriptor import element_pointer
from xgpu.conversion.nvgpu.types import SWIZZLE, WGMMA_M, number_of
from xgpu.core import ods
from xgpu.core.rewriting.driver import NoMatch
from xgpu.dialects.llvm.builders import (
    attribute_constant,
    binary,
    constant,
    extract,
    insert,
    poison,
)

if TYPE_CHECKING:
    from xdsl.dialects.builtin import AnyFloat, MemRefType, VectorType
    from xdsl.ir import Operation

    from xgpu.conversion.llvm_types import LLVMConversion
    from xgpu.core.rewriting.driver import Conversion
    from xgpu.dialects import nvgpu
    from xgpu.dialects.llvm.types import LLVMStructType


#: Addresses and strides in descriptors leave out their four lowest bits.
_EXCLUDED_BITS = 4
_LAYOUT_BYTES = (1, 32, 64, 128)
_SWIZZLE_CODES = (0, 3, 2, 1)


def lower_generate_descriptor(
    op: nvgpu.WarpgroupGenerateDescriptorOp, operands: Sequence[SSAValue], rw: LLVMConversion
) -> list[SSAValue]:
    """The 64-bit description of a matrix in shared memory (PTX ISA, matrix descriptor)."""
    tensor_map = op.tensor_map.type
    kind = number_of(SWIZZLE, tensor_map.swizzle)
    layout = _LAYOUT_BYTES[kind]
    # All but the last: a box may have further dimensions, in which it has one element.
    rows = prod(cast("MemRefType", tensor_map.tensor).get_shape()[:-1])
    stride = constant(rw, (layout << 3) >> _EXCLUDED_BITS, i64)
    leading = constant(rw, (rows * layout) >> _EXCLUDED_BITS, i64)
    base = element_pointer(rw, rw.types, op.tensor.type, operands[0], (), flags=0)
    address = rw.value("llvm.ptrtoint", (base,), i64)

    def shift(name: str, value: SSAValue, bits: int) -> SSAValue:
        return binary(rw, name, value, constant(rw, bits, i64), 0 if name == "shl" else None)

    address = shift("lshr", shift("shl", address, 46), 50)
    descriptor = constant(rw, 0, i64)
    parts: list[tuple[SSAValue | int, int]] = [
        (_SWIZZLE_CODES[kind], 62),
        (0, 49),
        (stride, 32),
        (leading, 16),
        (address, 0),
    ]
    for part, bit in parts:
        value = constant(rw, part, i64) if isinstance(part, int) else part
        descriptor = binary(rw, "or", descriptor, shift("shl", value, bit))
    return [descriptor]


def _wgmma_type(ty: Attribute, *, is_result: bool) -> str:
    if isinstance(ty, Float32Type) or ty.name == "tf32":
        return "f32" if is_result else "tf32"
    if isinstance(ty, Float16Type):
        return "f16"
    if isinstance(ty, BFloat16Type):
        return "bf16"
    if isinstance(ty, IntegerType):
        name = {1: "b1", 8: "s8", 32: "s32"}.get(ty.width.data)
        if name is not None:
            return name
    name = {"f8E4M3FN": "e4m3", "f8E5M2": "e5m2"}.get(ty.name)
    if name is None:
        raise NoMatch(f"wgmma has no elements of type {ty}")
    return name


def _k_size(ty: Attribute) -> int:
    kind = _wgmma_type(ty, is_result=False)
    size = {"tf32": 8, "f16": 16, "bf16": 16, "e4m3": 32, "e5m2": 32, "s8": 32, "b1": 256}
    if kind not in size:
        raise NoMatch(f"wgmma has no elements of type {ty}")
    return size[kind]


def lower_mma(
    op: nvgpu.WarpgroupMmaOp, operands: Sequence[SSAValue], rw: Conversion
) -> list[SSAValue]:
    """A fence, one wgmma for each 64 rows and each k, commit and wait."""
    matrix_a, matrix_b = (
        cast("MemRefType[AnyFloat]", ty.tensor)
        for ty in (op.descriptor_a.type, op.descriptor_b.type)
    )
    (total_m, total_k), total_n = matrix_a.get_shape(), matrix_b.get_shape()[1]
    k_size = _k_size(matrix_a.element_type)
    properties = op.properties
    one_in, row, col = (
        ods.enum("nvvm.wgmma_scale_in", "one"),
        ods.enum("nvvm.mma_layout", "row"),
        ods.enum("nvvm.mma_layout", "col"),
    )
    element_d = cast("VectorType", op.matrix_c.type.fragmented).element_type
    fixed: dict[str, Attribute] = {
        "shape": ods.attr_class("nvvm.shape")(WGMMA_M, total_n, k_size),  # pyright: ignore
        "typeA": _type(matrix_a.element_type, is_result=False),
        "typeB": _type(matrix_b.element_type, is_result=False),
        "typeD": _type(element_d, is_result=True),
        "scaleD": ods.enum("nvvm.wgmma_scale_out", "one"),
        "scaleA": one_in,
        "scaleB": one_in,
        "layoutA": col if "transposeA" in properties else row,
        "layoutB": row if "transposeB" in properties else col,
        "satfinite": ods.enum("nvvm.mma_int_overflow", "wrapped"),
    }
    bytes_a = matrix_a.element_type.bitwidth // 8
    bytes_b = matrix_b.element_type.bitwidth // 8

    def moved(descriptor: SSAValue, distance: int) -> SSAValue:
        distance >>= _EXCLUDED_BITS
        if not distance:
            return descriptor
        step = attribute_constant(rw, IntegerAttr(distance, i32), i64)
        return binary(rw, "add", descriptor, step, 0)

    rw.create("nvvm.wgmma.fence.aligned")
    accumulator = operands[2]
    result = poison(rw, accumulator.type)
    rows: list[SSAValue] = []
    for i in range(total_m // WGMMA_M):
        matrix = extract(rw, accumulator, i)
        for k in range(total_k // k_size):
            distance_a = (k_size * k + WGMMA_M * total_k * i) * bytes_a
            # With rows along k the next k are beside these ones, else k rows further down.
            wide_b = matrix_b.get_shape()[0] if "transposeB" in properties else 1
            distance_b = wide_b * k_size * k * bytes_b
            descriptor_a = moved(operands[0], distance_a)
            descriptor_b = moved(operands[1], distance_b)
            matrix = rw.value(
                "nvvm.wgmma.mma_async", (matrix, descriptor_a, descriptor_b), matrix.type, fixed
            )
        rows.append(matrix)
    for i, matrix in enumerate(rows):
        result = insert(rw, result, matrix, i)
    rw.create("nvvm.wgmma.commit.group.sync.aligned")
    group = properties.get("waitGroup")
    rw.create(
        "nvvm.wgmma.wait.group.sync.aligned",
        (),
        (),
        {"group": IntegerAttr(1 if group is None else group.value.data, i64)},
    )
    return [result]


def _type(ty: Attribute, *, is_result: bool) -> Attribute:
    return ods.enum("nvvm.wgmma_type", _wgmma_type(ty, is_result=is_result))


def lower_init(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> list[SSAValue]:
    """All registers zero."""
    packed = rw.convert_type(op.results[0].type)
    element = packed.body[0].body[0]
    value = IntegerAttr(0, element) if isinstance(element, IntegerType) else FloatAttr(0.0, element)
    zero = attribute_constant(rw, value, element)
    result = poison(rw, packed)
    structs: list[SSAValue] = []
    for i, inner in enumerate(packed.body):
        struct = extract(rw, result, i)
        for j in range(len(inner.body)):
            struct = insert(rw, struct, zero, j)
        structs.append(struct)
    for i, struct in enumerate(structs):
        result = insert(rw, result, struct, i)
    return [result]


def lower_store(
    op: nvgpu.WarpgroupMmaStoreOp, operands: Sequence[SSAValue], rw: Conversion
) -> list[SSAValue]:
    """Each thread stores its registers: pairs in 8x8 matrices, two below one another in a warp."""
    accumulator = operands[0]
    offset = 0
    for i, inner in enumerate(cast("LLVMStructType", accumulator.type).body):
        _store_rows(op, rw, extract(rw, accumulator, i), offset)
        offset += len(cast("LLVMStructType", inner).body)
    return []


def _store_rows(
    op: nvgpu.WarpgroupMmaStoreOp, rw: Conversion, matrix: SSAValue, offset: int
) -> None:
    def number(value: int) -> SSAValue:
        return constant(rw, value, i32)

    def mul(a: SSAValue, b: SSAValue) -> SSAValue:
        return binary(rw, "mul", a, b, 0)

    def add(a: SSAValue, b: SSAValue) -> SSAValue:
        return binary(rw, "add", a, b, 0)

    one, two, four, eight, sixteen, warp = (number(n) for n in (1, 2, 4, 8, 16, 32))
    thread = rw.value("nvvm.read.ptx.sreg.tid.x", (), i32)
    lane = binary(rw, "urem", thread, warp)
    warp_id = binary(rw, "udiv", thread, warp)
    lane_row = binary(rw, "udiv", lane, four)
    lane_column = binary(rw, "urem", lane, four)
    column = mul(lane_column, two)
    row = add(lane_row, mul(warp_id, sixteen))
    if offset:
        row = add(row, number(offset))
    index = IndexType()

    def as_index(value: SSAValue) -> SSAValue:
        return rw.value("arith.index_cast", (value,), index)

    ty = cast("LLVMStructType", matrix.type)
    for i in range(2):
        x = add(row, mul(number(i), eight))
        for j in range(len(ty.body) // 4):
            y = add(column, mul(number(j), eight))
            position = 2 * i + 4 * j
            row_index, first = as_index(x), as_index(y)
            second = as_index(add(y, one))
            values = (extract(rw, matrix, position), extract(rw, matrix, position + 1))
            for value, column_index in zip(values, (first, second), strict=True):
                rw.create("memref.store", (value, op.dst_memref, row_index, column_index))


RULES = {
    "nvgpu.warpgroup.generate.descriptor": lower_generate_descriptor,
    "nvgpu.warpgroup.mma": lower_mma,
    "nvgpu.warpgroup.mma.init.accumulator": lower_init,
    "nvgpu.warpgroup.mma.store": lower_store,
}

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`convert-nvgpu-to-nvvm`: tensor cores, asynchronous copies and barriers of NVIDIA GPUs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import prod
from typing import TYPE_CHECKING, cast

from xdsl.context import Context
from xdsl.dialects.builtin import (
    AnyFloat,
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    StringAttr,
    UnitAttr,
    VectorType,
    f16,
    f32,
    f64,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.conversion.memref_descriptor import element_pointer
from xgpu.conversion.nvgpu.memory_to_nvvm import RULES as memory
from xgpu.conversion.nvgpu.memory_to_nvvm import SWIZZLE, WGMMA_M, barrier_memref, number_of
from xgpu.core import ods
from xgpu.core.ir.construction import nested_operations
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.core.rewriting.driver import Conversion, NoMatch, convert
from xgpu.core.rewriting.type_converter import UNKNOWN
from xgpu.dialects.llvm.builders import (
    attribute_constant,
    binary,
    constant,
    extract,
    insert,
    poison,
)
from xgpu.dialects.llvm.types import LLVMArrayType, LLVMPointerType, LLVMStructType

if TYPE_CHECKING:
    from xgpu.conversion.llvm_types import LLVMConversion, LLVMTypeConverter
    from xgpu.dialects import nvgpu


# --- mma to nvvm ---------------------------------------------------------------------------------
# nvgpu.mma.sync, mma.sp.sync, ldmatrix and rcp as nvvm operations.
#
# A matrix is a vector of 32-bit registers (vectors); nvvm takes and gives single registers.
# Source: MLIR 22.1 NVGPUToNVVM.cpp.


def ptx_type(element: Attribute) -> str:
    """nvvm.mma_type of a factor's elements."""
    if isinstance(element, IntegerType) and element.width.data in (4, 8):
        return f"s{element.width.data}"
    for cls, name in (
        (Float16Type, "f16"),
        (BFloat16Type, "bf16"),
        (Float64Type, "f64"),
        (Float32Type, "tf32"),
    ):
        if isinstance(element, cls):
            return name
    raise NoMatch("failed to deduce operand PTX types")


def accumulator_type(element: Attribute) -> str:
    """nvvm.mma_type of the accumulator's elements."""
    for cls, name in ((Float16Type, "f16"), (Float32Type, "f32"), (Float64Type, "f64")):
        if isinstance(element, cls):
            return name
    if isinstance(element, IntegerType) and element.width.data == 32:
        return "s32"
    raise NoMatch("could not infer the PTX type for the accumulator/result")


def unpack(rw: Conversion, value: SSAValue, kind: str) -> list[SSAValue]:
    """The registers of a matrix: small integers and tf32 as i32, f64, f32 and i32 one by one."""
    array = cast("LLVMArrayType", value.type)
    found: list[SSAValue] = []
    for i in range(array.size):
        register = extract(rw, value, i)
        ty = register.type
        if kind in ("s8", "s4") or (kind == "tf32" and isinstance(ty, VectorType)):
            found.append(rw.value("llvm.bitcast", (register,), i32))
        elif kind in ("f32", "f64", "s32"):
            for j in range(cast("VectorType", ty).get_shape()[0]):
                position = constant(rw, j, i64)
                found.append(
                    rw.value(
                        "llvm.extractelement",
                        (register, position),
                        cast("VectorType", ty).element_type,
                    )
                )
        else:
            found.append(register)
    return found


def intrinsic_result(array: Attribute) -> LLVMStructType:
    """The struct that the instruction gives for a result of this (converted) type."""
    if not isinstance(array, LLVMArrayType):
        raise NoMatch("expected an array of vectors")
    element = cast("VectorType", array.element_type)
    if element == VectorType(f16, [2]):
        return LLVMStructType([element] * array.size)
    if element.element_type in (f32, f64, i32):
        return LLVMStructType([element.element_type] * (array.size * element.get_shape()[0]))
    raise NoMatch("unsupported result type")


def pack(rw: Rewriter, value: SSAValue, array: LLVMArrayType) -> SSAValue:
    """The array of vectors from what the instruction gave."""
    struct = cast("LLVMStructType", value.type)
    element = cast("VectorType", array.element_type)
    rows: list[SSAValue] = []
    if struct.body[0] == element:
        rows = [extract(rw, value, i) for i in range(array.size)]
    else:
        width = element.get_shape()[0]
        for i in range(array.size):
            row = poison(rw, element)
            members = [extract(rw, value, width * i + j) for j in range(width)]
            for j, member in enumerate(members):
                row = rw.value("llvm.insertelement", (row, member, constant(rw, j, i32)), element)
            rows.append(row)
    result = poison(rw, array)
    for i, row in enumerate(rows):
        result = insert(rw, result, row, i)
    return result


def _shape(op: nvgpu.MmaSpSyncOp | nvgpu.MmaSyncOp) -> tuple[int, int, int]:
    m, n, k = (item.value.data for item in op.mma_shape.data)
    return m, n, k


def _factors(
    op: nvgpu.MmaSpSyncOp | nvgpu.MmaSyncOp, operands: Sequence[SSAValue], rw: Conversion
) -> tuple[str, str, list[list[SSAValue]]]:
    element = op.matrix_a.type.element_type
    if isinstance(element, Float32Type) and "tf32Enabled" not in op.properties:
        raise NoMatch("f32 needs tf32Enabled")
    source = ptx_type(element)
    target = accumulator_type(op.matrix_c.type.element_type)
    kinds = (source, source, target)
    return (
        source,
        target,
        [unpack(rw, v, kind) for v, kind in zip(operands[:3], kinds, strict=True)],
    )


def lower_mma_sync(
    op: nvgpu.MmaSyncOp, operands: Sequence[SSAValue], rw: Conversion
) -> list[SSAValue]:
    source, _, registers = _factors(op, operands, rw)
    array = rw.convert_type(op.results[0].type)
    m, n, k = _shape(op)
    properties: dict[str, Attribute] = {
        "shape": ods.attr_class("nvvm.shape")(m, n, k),  # pyright: ignore
        "layoutA": ods.enum("nvvm.mma_layout", "row"),
        "layoutB": ods.enum("nvvm.mma_layout", "col"),
        "multiplicandAPtxType": ods.enum("nvvm.mma_type", source),
        "multiplicandBPtxType": ods.enum("nvvm.mma_type", source),
    }
    if isinstance(op.matrix_a.type.element_type, IntegerType):
        properties["intOverflowBehavior"] = ods.enum("nvvm.mma_int_overflow", "satfinite")
    result = rw.create("nvvm.mma.sync", registers, (intrinsic_result(array),), properties)
    return [pack(rw, result.results[0], array)]


def lower_mma_sp_sync(
    op: nvgpu.MmaSpSyncOp, operands: Sequence[SSAValue], rw: Conversion
) -> list[SSAValue]:
    """mma.sp.sync as inline assembly."""
    source, target, (a, b, c) = _factors(op, operands, rw)
    array = rw.convert_type(op.results[0].type)
    metadata = rw.value("llvm.bitcast", (operands[3],), i32)
    m, n, k = _shape(op)
    selector = cast("IntegerAttr | None", op.properties.get("sparsitySelector"))
    overflow = "satfinite." if isinstance(op.matrix_a.type.element_type, IntegerType) else ""
    text = (
        f"mma.sp.sync.aligned.m{m}n{n}k{k}.row.col.{overflow}{target}.{source}.{source}.{target} "
    )
    position = 0
    for count in (len(c), len(a), len(b), len(c)):
        text += "{" + ",".join(f"${position + i}" for i in range(count)) + "},"
        position += count
    text += f"${position},0x{0 if selector is None else selector.value.data};"
    inputs = len(a) + len(b) + len(c) + 1
    result = rw.value(
        "llvm.inline_asm",
        (*a, *b, *c, metadata),
        intrinsic_result(array),
        {
            "asm_dialect": IntegerAttr(0, i64),
            "asm_string": StringAttr(text),
            "constraints": StringAttr(",".join(["=r"] * len(c) + ["r"] * inputs)),
            "has_side_effects": UnitAttr(),
        },
    )
    return [pack(rw, result, array)]


def lower_ldmatrix(
    op: nvgpu.LdmatrixOp, operands: Sequence[SSAValue], rw: LLVMConversion
) -> list[SSAValue]:
    ty = op.results[0].type
    registers, width = ty.get_shape()
    inner = VectorType(ty.element_type, [width])
    properties = op.properties
    pointer = element_pointer(rw, rw.types, op.src_memref.type, operands[0], operands[1:], flags=0)
    is_single = registers == 1
    is_transposed = properties["transpose"].value.data != 0
    loaded = rw.value(
        "nvvm.ldmatrix",
        (pointer,),
        i32 if is_single else LLVMStructType([i32] * registers),
        {
            "num": properties["numTiles"],
            "layout": ods.enum("nvvm.mma_layout", "col" if is_transposed else "row"),
            "shape": ods.attr_class("nvvm.ld_st_matrix_shape")(8, 8),  # pyright: ignore
            "eltType": ods.enum("nvvm.ld_st_matrix_elt_type", "b16"),
        },
    )
    result = poison(rw, rw.convert_type(ty))
    for i in range(registers):
        register = loaded if is_single else extract(rw, loaded, i)
        result = insert(rw, result, rw.value("llvm.bitcast", (register,), inner), i)
    return [result]


def lower_rcp(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> list[SSAValue]:
    """Each element with rcp.approx.ftz."""
    (value,) = operands
    return [_rcp(rw, value)]


def _rcp(rw: Conversion, value: SSAValue) -> SSAValue:
    ty = cast("VectorType", value.type)
    result = poison(rw, ty)
    if isinstance(ty, LLVMArrayType):
        for i in range(ty.size):
            result = insert(rw, result, _rcp(rw, extract(rw, value, i)), i)
        return result
    for i in range(ty.get_shape()[0]):
        position = constant(rw, i, i64)
        element = rw.value("llvm.extractelement", (value, position), f32)
        element = rw.value("nvvm.rcp.approx.ftz.f", (element,), f32)
        result = rw.value("llvm.insertelement", (result, element, position), ty)
    return result


MMA_RULES = {
    "nvgpu.mma.sync": lower_mma_sync,
    "nvgpu.mma.sp.sync": lower_mma_sp_sync,
    "nvgpu.ldmatrix": lower_ldmatrix,
    "nvgpu.rcp": lower_rcp,
}


# --- warpgroup to nvvm ---------------------------------------------------------------------------
# nvgpu.warpgroup operations: matrix products of a warpgroup (wgmma, sm_90a).
#
# Source: MLIR 22.1 NVGPUToNVVM.cpp; PTX ISA, asynchronous warpgroup-level matrix instructions.


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


WARPGROUP_RULES = {
    "nvgpu.warpgroup.generate.descriptor": lower_generate_descriptor,
    "nvgpu.warpgroup.mma": lower_mma,
    "nvgpu.warpgroup.mma.init.accumulator": lower_init,
    "nvgpu.warpgroup.mma.store": lower_store,
}


# --- nvgpu to nvvm -------------------------------------------------------------------------------
# convert-nvgpu-to-nvvm: tensor cores, asynchronous copies and barriers of NVIDIA GPUs.
#
# Tokens of asynchronous copies become a dummy i32; barrier groups are memrefs of i64 in shared
# memory; tensor map descriptors are pointers. Other rules: `memory_to_nvvm.py`. Source:
# MLIR 22.1 NVGPUToNVVM.cpp.


class ConvertNVGPUToNVVMPass(Pass):
    """Lowers nvgpu operations to nvvm and llvm operations."""

    name = "convert-nvgpu-to-nvvm"
    summary = "Convert NVGPU dialect to NVVM dialect"

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.conversion.control_flow.scf_structure import RULES as structure

        # Whatever else loops carry takes its converted type as well.
        if not any(
            o.name.startswith("nvgpu.") or o.name in structure for o in nested_operations(op)
        ):
            return
        # Loops carry accumulators and tokens from one step to the next.
        rules = {**memory, **MMA_RULES, **WARPGROUP_RULES, **structure}
        known = ("llvm", "nvvm", "arith", "memref", "builtin")
        convert(op, rules, nvgpu_types(), state=op, known=known)


def nvgpu_types() -> LLVMTypeConverter:
    """The type converter of this pass."""
    from xgpu.conversion.gpu.gpu_to_nvvm import _address_space
    from xgpu.conversion.llvm_types import LLVMTypeConverter

    types = LLVMTypeConverter()
    types.memory_spaces.append(_address_space)
    types.add(partial(_convert, types))
    return types


def _convert(types: LLVMTypeConverter, ty: Attribute) -> Attribute | None:
    name = ty.name
    if not name.startswith("nvgpu."):
        return UNKNOWN
    if name == "nvgpu.device.async.token":
        return i32
    if name in ("nvgpu.mbarrier.token", "nvgpu.warpgroup.descriptor"):
        return i64
    if name == "nvgpu.mbarrier.group":
        return types.convert(barrier_memref(cast("nvgpu.MbarrierGroupType", ty)))
    if name == "nvgpu.tensormap.descriptor":
        return LLVMPointerType()
    if name == "nvgpu.warpgroup.accumulator":
        return _accumulator(ty)
    return UNKNOWN


def _accumulator(ty: Attribute) -> Attribute | None:
    """A struct for each 64 rows, of the registers that a thread holds of them."""
    ty = cast("nvgpu.WarpgroupAccumulatorType", ty)
    element = cast("VectorType", ty.fragmented).element_type
    rows, columns = cast("VectorType", ty.fragmented).get_shape()
    width = getattr(element, "bitwidth", 0)
    if width == 32:
        members = columns // 2
    elif width == 16:
        members = columns // 4
    else:
        return None
    inner = LLVMStructType([element] * members)
    return LLVMStructType([inner] * -(-rows // WGMMA_M))


def is_integer(ty: Attribute, width: int) -> bool:
    return isinstance(ty, IntegerType) and ty.width.data == width

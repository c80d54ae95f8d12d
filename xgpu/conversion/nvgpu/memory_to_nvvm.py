# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nvgpu's asynchronous copies, mbarriers and tensor memory accesses as nvvm operations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerAttr,
    IntegerType,
    MemRefType,
    Signedness,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.conversion.launch.state import call_runtime_function, declare_runtime_function
from xgpu.conversion.memref_descriptor import UnrankedDescriptor, element_pointer
from xgpu.core import ods
from xgpu.core.ir.construction import operands_of
from xgpu.core.ir.symbols import SymbolTable
from xgpu.core.rewriting.builder import Rewriter
from xgpu.core.rewriting.driver import Conversion, NoMatch
from xgpu.dialects.gpu.ops import parent_of
from xgpu.dialects.llvm.builders import alloca, attribute_constant, binary, constant, gep, store
from xgpu.dialects.llvm.types import LLVMPointerType

if TYPE_CHECKING:
    from xgpu.conversion.llvm_types import LLVMConversion
    from xgpu.dialects import func, nvgpu


# --- types ---------------------------------------------------------------------------------------
# What nvgpu's types are in memory and in registers.


#: Rows of one wgmma instruction.
WGMMA_M = 64


_SHARED = 3


def barrier_memref(ty: nvgpu.MbarrierGroupType) -> MemRefType:
    """The memref that holds a group of barriers; gpu's memory space as its number."""
    space = ty.memory_space
    if space.name == "gpu.address_space":
        space = IntegerAttr(_SHARED, i64)
    return MemRefType(i64, [int(ty.num_barriers)], memory_space=space)


INTERLEAVE = ("none", "interleave_16b", "interleave_32b")


SWIZZLE = ("none", "swizzle_32b", "swizzle_64b", "swizzle_128b")


PROMOTION = ("none", "l2promo_64b", "l2promo_128b", "l2promo_256b")


OUT_OF_BOUNDS = ("zero", "nan")


def number_of(cases: tuple[str, ...], parameter: str) -> int:
    """The number of an enumeration's case, given as text, number or attribute."""
    value = getattr(parameter, "data", parameter)
    return cases.index(value) if isinstance(value, str) else int(value)


# --- memory to nvvm ------------------------------------------------------------------------------
# nvgpu's asynchronous copies, mbarriers and tensor memory accesses as nvvm operations.
#
# Source: MLIR 22.1 NVGPUToNVVM.cpp.


_GLOBAL, _CLUSTER = 1, 7
_BYTE_BITS = 8
_TENSOR_MAP_BYTES = 128


def _one(op: Operation, name: str, operands: Sequence[SSAValue]) -> SSAValue:
    """The converted value of the operand `name`."""
    return operands[operands_of(op).index(getattr(op, name))]


def _optional(op: Operation, name: str, operands: Sequence[SSAValue]) -> SSAValue | None:
    """The converted value of the optional operand `name`."""
    return None if getattr(op, name) is None else _one(op, name, operands)


def _several(op: Operation, name: str, operands: Sequence[SSAValue]) -> list[SSAValue]:
    """The converted values of the operand group `name`."""
    converted = dict(zip(operands_of(op), operands, strict=True))
    return [converted[value] for value in getattr(op, name)]


def _trunc(rw: Rewriter, value: SSAValue) -> SSAValue:
    return rw.value("llvm.trunc", (value,), i32)


def _strided_pointer(
    rw: LLVMConversion, ty: MemRefType, descriptor: SSAValue, indices: Sequence[SSAValue] = ()
) -> SSAValue:
    return element_pointer(rw, rw.types, ty, descriptor, indices, flags=0)


# --- copies within a thread block ----------------------------------------------------------------
def lower_async_copy(
    op: nvgpu.DeviceAsyncCopyOp, operands: Sequence[SSAValue], rw: LLVMConversion
) -> list[SSAValue]:
    """device_async_copy as cp.async; bytes beyond srcElements are filled with zeros."""
    dst_type, src_type = op.dst.type, op.src.type
    dst = _strided_pointer(
        rw, dst_type, _one(op, "dst", operands), _several(op, "dst_indices", operands)
    )
    src = _strided_pointer(
        rw, src_type, _one(op, "src", operands), _several(op, "src_indices", operands)
    )
    src = rw.value("llvm.addrspacecast", (src,), LLVMPointerType(_GLOBAL))
    elements = op.properties["dstElements"].value.data
    size = cast("AnyFloat", dst_type.element_type).bitwidth * elements // 8
    arguments = [dst, src]
    count = _optional(op, "src_elements", operands)
    if count is not None:
        three = constant(rw, 3, i32)
        width = constant(rw, cast("AnyFloat", src_type.element_type).bitwidth, i32)
        bits = binary(rw, "mul", width, _trunc(rw, count), 0)
        arguments.append(binary(rw, "lshr", bits, three))
    modifier = "cg" if "bypassL1" in op.properties and size == 16 else "ca"
    rw.create(
        "nvvm.cp.async.shared.global",
        arguments,
        (),
        {
            "size": IntegerAttr(size, i32),
            "modifier": ods.enum("nvvm.load_cache_modifier", modifier),
        },
    )
    return [constant(rw, 0, i32)]


def lower_create_group(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> list[SSAValue]:
    rw.create("nvvm.cp.async.commit.group")
    return [constant(rw, 0, i32)]


def lower_async_wait(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> list[SSAValue]:
    groups = cast("IntegerAttr | None", op.properties.get("numGroups"))
    count = 0 if groups is None else groups.value.data
    rw.create("nvvm.cp.async.wait.group", (), (), {"n": IntegerAttr(count, i32)})
    return []


# --- barriers in shared memory -------------------------------------------------------------------
def lower_barrier_create(
    op: nvgpu.MbarrierCreateOp, operands: Sequence[SSAValue], rw: Conversion
) -> list[SSAValue]:
    """A private memref.global of the module."""
    ty = barrier_memref(op.results[0].type)
    module = parent_of(op, "gpu.module") or parent_of(op, "builtin.module")
    if module is None:
        raise NoMatch("expected to be in a module")
    table = SymbolTable(module)
    parent = cast("func.FuncOp", op.parent_op())
    barrier = ods.create(
        "memref.global",
        properties={
            "sym_name": StringAttr("__mbarrier"),
            "sym_visibility": StringAttr("private"),
            "type": ty,
            "alignment": IntegerAttr(8, i64),
        },
        location=parent.location,
    )
    name = table.insert(barrier, table.body.first_op)
    return [rw.value("memref.get_global", (), ty, {"name": SymbolRefAttr(name)})]


def _barrier(op: Operation, operands: Sequence[SSAValue], rw: LLVMConversion) -> SSAValue:
    """The pointer to the barrier that `op` names."""
    ty = barrier_memref(cast("nvgpu.MbarrierInitOp", op).barriers.type)
    index = _one(op, "mbar_id", operands)
    return _strided_pointer(rw, ty, _one(op, "barriers", operands), [index])


def lower_barrier_get(
    op: nvgpu.MbarrierGetOp, operands: Sequence[SSAValue], rw: LLVMConversion
) -> list[SSAValue]:
    pointer = _barrier(op, operands, rw)
    return [rw.value("llvm.ptrtoint", (pointer,), op.results[0].type)]


def lower_barrier_init(
    op: nvgpu.MbarrierInitOp, operands: Sequence[SSAValue], rw: LLVMConversion
) -> list[SSAValue]:
    pointer = _barrier(op, operands, rw)
    count = _trunc(rw, _one(op, "count", operands))
    predicate = _optional(op, "predicate", operands)
    rw.create("nvvm.mbarrier.init", (pointer, count, *([predicate] if predicate else [])))
    return []


def _default_scope() -> dict[str, Attribute]:
    return {"scope": ods.enum("nvvm.mem_scope", "cta"), "relaxed": IntegerAttr(0, i1)}


def lower_arrive(
    op: nvgpu.MbarrierArriveOp, operands: Sequence[SSAValue], rw: LLVMConversion
) -> list[SSAValue]:
    pointer = _barrier(op, operands, rw)
    return [rw.value("nvvm.mbarrier.arrive", (pointer,), i64, _default_scope())]


def lower_arrive_nocomplete(
    op: nvgpu.MbarrierArriveNocompleteOp, operands: Sequence[SSAValue], rw: LLVMConversion
) -> list[SSAValue]:
    pointer = _barrier(op, operands, rw)
    count = _trunc(rw, _one(op, "count", operands))
    return [rw.value("nvvm.mbarrier.arrive.nocomplete", (pointer, count), i64)]


def lower_test_wait(
    op: nvgpu.MbarrierTestWaitOp, operands: Sequence[SSAValue], rw: LLVMConversion
) -> list[SSAValue]:
    pointer = _barrier(op, operands, rw)
    token = _one(op, "token", operands)
    return [rw.value("nvvm.mbarrier.test.wait", (pointer, token), i1, _default_scope())]


def lower_arrive_expect_tx(
    op: nvgpu.MbarrierArriveExpectTxOp, operands: Sequence[SSAValue], rw: LLVMConversion
) -> list[SSAValue]:
    pointer = _barrier(op, operands, rw)
    count = _trunc(rw, _one(op, "txcount", operands))
    predicate = _optional(op, "predicate", operands)
    arguments = (pointer, count, *([predicate] if predicate else []))
    rw.create("nvvm.mbarrier.arrive.expect_tx", arguments, (), _default_scope())
    return []


def lower_try_wait_parity(
    op: nvgpu.MbarrierTryWaitParityOp, operands: Sequence[SSAValue], rw: LLVMConversion
) -> list[SSAValue]:
    pointer = _barrier(op, operands, rw)
    ticks = _trunc(rw, _one(op, "ticks", operands))
    phase = rw.value("llvm.zext", (_one(op, "phase_parity", operands),), i32)
    rw.create("nvvm.mbarrier.try_wait.parity", (pointer, phase, ticks))
    return []


# --- tensor memory accesses ----------------------------------------------------------------------
def lower_tma_load(
    op: nvgpu.TmaAsyncLoadOp, operands: Sequence[SSAValue], rw: LLVMConversion
) -> list[SSAValue]:
    dst = _strided_pointer(rw, op.dst.type, _one(op, "dst", operands))
    dst = rw.value("llvm.addrspacecast", (dst,), LLVMPointerType(_CLUSTER))
    barrier = _barrier(op, operands, rw)
    coordinates = [_trunc(rw, value) for value in _several(op, "coordinates", operands)]
    rw.create(
        "nvvm.cp.async.bulk.tensor.shared.cluster.global",
        [
            dst,
            _one(op, "tensor_map_descriptor", operands),
            coordinates,
            barrier,
            [],
            _optional(op, "multicast_mask", operands),
            None,
            _optional(op, "predicate", operands),
        ],
        (),
        {"mode": ods.enum("nvvm.tma_load_mode", "tile"), "isCTAOnly": IntegerAttr(0, i1)},
    )
    return []


def lower_tma_store(
    op: nvgpu.TmaAsyncStoreOp, operands: Sequence[SSAValue], rw: LLVMConversion
) -> list[SSAValue]:
    src = _strided_pointer(rw, op.src.type, _one(op, "src", operands))
    coordinates = [_trunc(rw, value) for value in _several(op, "coordinates", operands)]
    rw.create(
        "nvvm.cp.async.bulk.tensor.global.shared.cta",
        [
            _one(op, "tensor_map_descriptor", operands),
            src,
            coordinates,
            None,
            _optional(op, "predicate", operands),
        ],
        (),
        {"mode": ods.enum("nvvm.tma_store_mode", "tile")},
    )
    return []


def lower_tma_prefetch(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> list[SSAValue]:
    rw.create("nvvm.prefetch", tuple(operands), (), {"tensormap": UnitAttr()})
    return []


def lower_tma_fence(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> list[SSAValue]:
    size = constant(rw, _TENSOR_MAP_BYTES, i32)
    rw.create(
        "nvvm.fence.proxy.acquire",
        (operands[0], size),
        (),
        {
            "scope": ods.enum("nvvm.mem_scope", "sys"),
            "fromProxy": ods.enum("nvvm.proxy_kind", "generic"),
            "toProxy": ods.enum("nvvm.proxy_kind", "tensormap"),
        },
    )
    return []


def _data_type(ty: Attribute) -> int:
    """CUtensorMapDataType of the CUDA driver API."""
    if isinstance(ty, IntegerType):
        unsigned = ty.signedness.data is Signedness.UNSIGNED
        numbers = {8: 0, 16: 1, 32: 2, 64: 4} if unsigned else {32: 3, 64: 5}
        if ty.width.data in numbers and ty.signedness.data is not Signedness.SIGNED:
            return numbers[ty.width.data]
    for cls, number in (
        (Float16Type, 6),
        (Float32Type, 7),
        (Float64Type, 8),
        (BFloat16Type, 9),
    ):
        if isinstance(ty, cls):
            return number
    is_signed = isinstance(ty, IntegerType) and ty.signedness.data is Signedness.SIGNED
    if getattr(ty, "bitwidth", 0) == _BYTE_BITS and not is_signed:
        return 0  # floats and integers of 8 bits are copied as bytes
    raise NoMatch(f"tensor maps have no elements of type {ty}")


def lower_create_descriptor(
    op: nvgpu.TmaCreateDescriptorOp, operands: Sequence[SSAValue], rw: Conversion
) -> list[SSAValue]:
    """tma.create.descriptor as mgpuTensorMapEncodeTiledMemref(rank, memref, type, ..., box)."""

    def number(value: int) -> SSAValue:
        return attribute_constant(rw, IntegerAttr(value, i32), i64)

    ty = op.tensor_map.type
    data_type = number(_data_type(op.tensor.type.element_type))
    rank, memref = UnrankedDescriptor(rw, operands[0]).unpack()
    box = alloca(rw, number(5), i64)
    for i, value in enumerate(operands[1:]):
        store(rw, value, gep(rw, box, LLVMPointerType(), [number(i)]))
    arguments = [
        rank,
        memref,
        data_type,
        number(number_of(INTERLEAVE, ty.interleave)),
        number(number_of(SWIZZLE, ty.swizzle)),
        number(number_of(PROMOTION, ty.l2promo)),
        number(number_of(OUT_OF_BOUNDS, ty.oob)),
        box,
    ]
    name = "mgpuTensorMapEncodeTiledMemref"
    module = parent_of(op, "builtin.module")
    assert module is not None
    declare_runtime_function(module, name, op.location)
    return call_runtime_function(rw, name, arguments)


RULES = {
    "nvgpu.device_async_copy": lower_async_copy,
    "nvgpu.device_async_create_group": lower_create_group,
    "nvgpu.device_async_wait": lower_async_wait,
    "nvgpu.mbarrier.create": lower_barrier_create,
    "nvgpu.mbarrier.get": lower_barrier_get,
    "nvgpu.mbarrier.init": lower_barrier_init,
    "nvgpu.mbarrier.arrive": lower_arrive,
    "nvgpu.mbarrier.arrive.nocomplete": lower_arrive_nocomplete,
    "nvgpu.mbarrier.test.wait": lower_test_wait,
    "nvgpu.mbarrier.arrive.expect_tx": lower_arrive_expect_tx,
    "nvgpu.mbarrier.try_wait.parity": lower_try_wait_parity,
    "nvgpu.tma.async.load": lower_tma_load,
    "nvgpu.tma.async.store": lower_tma_store,
    "nvgpu.tma.create.descriptor": lower_create_descriptor,
    "nvgpu.tma.prefetch.descriptor": lower_tma_prefetch,
    "nvgpu.tma.fence.descriptor": lower_tma_fence,
}

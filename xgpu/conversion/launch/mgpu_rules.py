# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`convert-mgpu-to-llvm`: operations of the mgpu dialect as calls of the runtime.

Every handle is a pointer. `mgpu.kernel` becomes a load of a global that says which kernel it holds:
where the binaries are embedded (`xgpu/backend/llvm_ir/gpu_kernel.py`), kernels are resolved once,
when the program starts. Rules are also part of `gpu-to-llvm`. Signatures: xgpu/runtime/abi.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import IntegerAttr, IntegerType, StringAttr, i32, i64
from xdsl.ir import Operation, Region, SSAValue

from xgpu import ods
from xgpu.conversion import llvm_ops as llvm
from xgpu.conversion.launch.runtime_calls import (
    POINTER,
    allocation_sizes,
    generic_pointer,
    kernel_arguments,
    runtime_call,
    size_in_bytes,
)
from xgpu.conversion.llvm_strings import string_pointer
from xgpu.conversion.memref.descriptor import MemRefDescriptor, UnrankedDescriptor
from xgpu.dialects.memref.strides import contiguous_strides, strided_form
from xgpu.ir.errors import op_error
from xgpu.ir.symbols import lookup

if TYPE_CHECKING:
    from xgpu.rewriting.driver import Rule

_I8 = IntegerType(8)


# --- calls that take handles and numbers as they are -------------------------------------------
def plain_call(name: str, order: tuple[int, ...] | None = None) -> Rule:
    """A rule for an operation whose converted operands, in `order`, are the arguments."""

    def rule(op: Operation, operands: Sequence[Any], rw: Any) -> list[SSAValue]:
        arguments = operands if order is None else [operands[i] for i in order]
        result = POINTER if op.results else None
        made = runtime_call(rw, name, arguments, result)
        return [made] if op.results else []

    return rule


def lower_get_function(op: Any, operands: Sequence[Any], rw: Any) -> list[SSAValue]:
    name = string_pointer(rw, llvm.symbol_table(op), f"{op.kernel.data}_name", op.kernel.data)
    return [runtime_call(rw, "mgpuModuleGetFunction", [operands[0], name], POINTER)]


def lower_annotate(op: Any, operands: Sequence[Any], rw: Any) -> list[SSAValue]:
    table = llvm.symbol_table(op)
    runtime_call(rw, "mgpuAnnotate", [string_pointer(rw, table, "mgpu_place", op.text.data)])
    return []


def lower_kernel(op: Any, operands: Sequence[Any], rw: Any) -> list[SSAValue]:
    """
    %k = mgpu.kernel @m::@k      %a = llvm.mlir.addressof @m_k_function
                                 %k = llvm.load %a : !llvm.ptr -> !llvm.ptr
    """
    name = _kernel_global(op, rw)
    address = rw.value("llvm.mlir.addressof", (), POINTER, {"global_name": llvm.reference(name)})
    return [llvm.load(rw, address, POINTER)]


def _kernel_global(op: Any, rw: Any) -> Operation:
    """The global of a kernel, made when first asked for."""
    table = llvm.symbol_table(op)
    wanted = "_".join(
        [op.kernel.root_reference.data, *(n.data for n in op.kernel.nested_references)]
    )
    name, number = f"{wanted}_function", 0
    while (found := lookup(table, name)) is not None:
        if found.attributes.get("mgpu.kernel") == op.kernel:
            return found
        name, number = f"{wanted}_function_{number}", number + 1
    memory = ods.create(
        "llvm.mlir.global",
        properties={
            "addr_space": IntegerAttr(0, i32),
            "global_type": POINTER,
            "linkage": ods.enum("llvm.linkage", "external"),
            "sym_name": StringAttr(name),
        },
        attributes={"mgpu.kernel": op.kernel},
        regions=(Region(),),
        location=rw.location,
    )
    table.regions[0].blocks[0].add_op(memory)
    return memory


# --- launches ----------------------------------------------------------------------------------
class KernelLaunch:
    """The arguments that launches and kernel nodes share."""

    __slots__ = (
        "block",
        "bytes",
        "cluster",
        "count",
        "function",
        "grid",
        "operands",
        "parameters",
        "shared",
    )

    def __init__(self, op: Any, operands: Sequence[Any], rw: Any) -> None:
        converted = dict(zip(op.operands, operands, strict=True))

        def sizes(*values: Any) -> list[SSAValue]:
            return [_wide(rw, converted[v]) for v in values if v is not None]

        self.function: SSAValue = converted[op.function]
        self.grid = sizes(op.grid_size_x, op.grid_size_y, op.grid_size_z)
        self.block = sizes(op.block_size_x, op.block_size_y, op.block_size_z)
        self.cluster: list[SSAValue] = []
        if op.name != "mgpu.graph_set_kernel":
            self.cluster = sizes(op.cluster_size_x, op.cluster_size_y, op.cluster_size_z)
        shared = op.dynamic_shared_memory_size
        self.shared = llvm.constant(rw, 0, i32) if shared is None else converted[shared]
        kernel = op.kernel_operands
        values = kernel_arguments(rw, kernel, operands[len(operands) - len(kernel) :])
        self.count = len(values)
        self.bytes: int = rw.state.arguments.size(rw, values)
        self.parameters: SSAValue = rw.state.arguments.store(rw, values)


def _wide(rw: Any, value: SSAValue) -> SSAValue:
    """A grid or block size as i64, which the runtime takes."""
    return value if value.type == i64 else rw.value("llvm.zext", (value,), i64)


def lower_launch(op: Any, operands: Sequence[Any], rw: Any) -> list[SSAValue]:
    launch = KernelLaunch(op, operands, rw)
    null = llvm.zero(rw, POINTER)
    tail = [launch.shared, operands[0], launch.parameters, null]
    sizes = [*launch.grid, *launch.block]
    if launch.cluster:
        arguments = [launch.function, *launch.cluster, *sizes, *tail]
        runtime_call(rw, "mgpuLaunchClusterKernel", arguments)
        return []
    count = llvm.constant(rw, launch.count, i64)
    runtime_call(rw, "mgpuLaunchKernel", [launch.function, *sizes, *tail, count])
    return []


# --- memory ------------------------------------------------------------------------------------
def _allocate(op: Any, rw: Any, dynamic: Sequence[Any], make: Any) -> list[SSAValue]:
    ty = op.results[0].type
    if _offset(op, ty) != 0:
        raise op_error(op, f"allocates '{ty}', whose elements do not begin at its address")
    sizes, strides, size = allocation_sizes(rw, ty, dynamic)
    pointer = make(size)
    space = rw.types.address_space(ty)
    if space:
        pointer = rw.value("llvm.addrspacecast", (pointer,), type(POINTER)(space))
    made = MemRefDescriptor.from_parts(rw, rw.types, ty, pointer, pointer, sizes, strides)
    return [made.value]


def lower_alloc(op: Any, operands: Sequence[Any], rw: Any) -> list[SSAValue]:
    shared = llvm.constant(rw, 0 if op.host_shared is None else 1, _I8)
    null = llvm.zero(rw, POINTER)

    def make(size: SSAValue) -> SSAValue:
        return runtime_call(rw, "mgpuMemAlloc", [size, null, shared], POINTER)

    return _allocate(op, rw, operands[: len(op.dynamic_sizes)], make)


def lower_alloc_async(op: Any, operands: Sequence[Any], rw: Any) -> list[SSAValue]:
    def make(size: SSAValue) -> SSAValue:
        return runtime_call(rw, "mgpuMemAllocAsync", [size, operands[0]], POINTER)

    return _allocate(op, rw, operands[1 : 1 + len(op.dynamic_sizes)], make)


def lower_free(op: Any, operands: Sequence[Any], rw: Any) -> list[SSAValue]:
    pointer = generic_pointer(rw, MemRefDescriptor(rw, operands[0]).allocated())
    runtime_call(rw, "mgpuMemFree", [pointer, llvm.zero(rw, POINTER)])
    return []


def lower_free_async(op: Any, operands: Sequence[Any], rw: Any) -> list[SSAValue]:
    pointer = generic_pointer(rw, MemRefDescriptor(rw, operands[1]).allocated())
    runtime_call(rw, "mgpuMemFreeAsync", [pointer, operands[0]])
    return []


class _Memory:
    """A contiguous memref: the address of its first element and how many there are."""

    __slots__ = ("count", "pointer", "type")

    def __init__(self, op: Any, rw: Any, value: SSAValue, descriptor: SSAValue) -> None:
        ty: Any = value.type
        self.type = ty
        offset = _offset(op, ty)
        memref = MemRefDescriptor(rw, descriptor)
        pointer = memref.aligned()
        if offset is None:
            pointer = llvm.gep(rw, pointer, rw.convert_type(ty.element_type), [memref.offset()])
        elif offset:
            pointer = llvm.gep(rw, pointer, rw.convert_type(ty.element_type), [offset])
        self.pointer = generic_pointer(rw, pointer)
        self.count = _element_count(rw, ty, memref)

    def bytes(self, rw: Any) -> SSAValue:
        return size_in_bytes(rw, self.type, self.count)


def _offset(op: Any, ty: Any) -> int | None:
    """The offset of a contiguous memref type, None for a dynamic one; an error for others."""
    form = strided_form(ty)
    if form is None or form[0] != contiguous_strides(ty.get_shape()):
        raise op_error(op, f"cannot reach '{ty}' as one piece of memory: its layout has gaps")
    return form[1]


def _element_count(rw: Any, ty: Any, descriptor: MemRefDescriptor) -> SSAValue:
    shape = ty.get_shape()
    if all(extent >= 0 for extent in shape):
        return llvm.index_constant(rw, ty.element_count(), rw.types.index)
    # A stride is the product of the sizes behind it, so one product is left.
    if len(shape) == 1:
        return descriptor.size(0)
    return llvm.binary(rw, "mul", descriptor.stride(0), descriptor.size(0), 0)


def copy_arguments(
    op: Any, rw: Any, target: SSAValue, source: SSAValue
) -> tuple[SSAValue, SSAValue, SSAValue]:
    """To, from and bytes of a copy."""
    to = _Memory(op, rw, op.dst, target)
    back = _Memory(op, rw, op.src, source)
    return to.pointer, back.pointer, back.bytes(rw)


def fill_arguments(
    op: Any, rw: Any, target: SSAValue, value: SSAValue
) -> tuple[SSAValue, SSAValue, int, SSAValue]:
    """To, value as an integer, bytes of a value, and values of a fill."""
    memory = _Memory(op, rw, op.dst, target)
    ty: Any = value.type
    width = getattr(ty, "bitwidth", 64 if ty.name == "llvm.ptr" else None)
    if width == 1:
        value, width = rw.value("llvm.zext", (value,), _I8), 8
    if width not in (8, 16, 32, 64):
        raise op_error(op, f"cannot fill with '{op.value.type}': its width is not 8, 16, 32 or 64")
    integer = IntegerType(width)
    if value.type != integer:
        cast = "llvm.ptrtoint" if ty.name == "llvm.ptr" else "llvm.bitcast"
        value = rw.value(cast, (value,), integer)
    return memory.pointer, value, width // 8, memory.count


def lower_memcpy(op: Any, operands: Sequence[Any], rw: Any) -> list[SSAValue]:
    to, source, size = copy_arguments(op, rw, operands[1], operands[2])
    runtime_call(rw, "mgpuMemcpy", [to, source, size, operands[0]])
    return []


def lower_memset(op: Any, operands: Sequence[Any], rw: Any) -> list[SSAValue]:
    to, value, width, count = fill_arguments(op, rw, operands[1], operands[2])
    runtime_call(rw, f"mgpuMemset{8 * width}", [to, value, count, operands[0]])
    return []


def _registration(name: str) -> Rule:
    def rule(op: Operation, operands: Sequence[Any], rw: Any) -> list[SSAValue]:
        size = size_in_bytes(rw, op.operands[0].type, 1)
        runtime_call(rw, name, [*UnrankedDescriptor(rw, operands[0]).unpack(), size])
        return []

    return rule


RULES: dict[str, Rule] = {
    "mgpu.stream_create": plain_call("mgpuStreamCreate"),
    "mgpu.stream_destroy": plain_call("mgpuStreamDestroy"),
    "mgpu.stream_synchronize": plain_call("mgpuStreamSynchronize"),
    "mgpu.stream_wait_event": plain_call("mgpuStreamWaitEvent"),
    "mgpu.event_create": plain_call("mgpuEventCreate"),
    "mgpu.event_destroy": plain_call("mgpuEventDestroy"),
    "mgpu.event_record": plain_call("mgpuEventRecord"),
    "mgpu.event_synchronize": plain_call("mgpuEventSynchronize"),
    "mgpu.module_load": plain_call("mgpuModuleLoad"),
    "mgpu.module_load_jit": plain_call("mgpuModuleLoadJIT"),
    "mgpu.module_unload": plain_call("mgpuModuleUnload"),
    "mgpu.get_function": lower_get_function,
    "mgpu.kernel_preload": plain_call("mgpuKernelPreload"),
    "mgpu.kernel": lower_kernel,
    "mgpu.launch": lower_launch,
    "mgpu.alloc": lower_alloc,
    "mgpu.free": lower_free,
    "mgpu.alloc_async": lower_alloc_async,
    "mgpu.free_async": lower_free_async,
    "mgpu.memcpy": lower_memcpy,
    "mgpu.memset": lower_memset,
    "mgpu.host_register": _registration("mgpuMemHostRegisterMemRef"),
    "mgpu.host_unregister": _registration("mgpuMemHostUnregisterMemRef"),
    "mgpu.set_default_device": plain_call("mgpuSetDefaultDevice"),
    "mgpu.annotate": lower_annotate,
}

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`convert-mgpu-to-llvm`: operations of the mgpu dialect as calls of the runtime."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, IntegerType, StringAttr, SymbolRefAttr, i32, i64
from xdsl.ir import Attribute, Operation, Region, SSAValue

from xgpu.conversion.launch.kernel_signature import (
    CONVENTION_OPTIONS,
    Convention,
    KernelSignature,
    LaunchCall,
    Memref,
)
from xgpu.conversion.launch.state import (
    LaunchConversion,
    RuntimeState,
    allocation_sizes,
    generic_pointer,
    memref_type,
    new_buffer,
    runtime_call,
    runtime_value,
    size_in_bytes,
    unranked_type,
)
from xgpu.conversion.llvm_types import LLVMTypeConverter
from xgpu.conversion.memref_descriptor import MemRefDescriptor, UnrankedDescriptor
from xgpu.conversion.to_llvm import string_pointer
from xgpu.core import ods
from xgpu.core.ir.errors import op_error
from xgpu.core.ir.symbols import lookup
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.driver import Rule, convert
from xgpu.core.rewriting.type_converter import UNKNOWN
from xgpu.dialects import mgpu
from xgpu.dialects.llvm import builders as llvm
from xgpu.dialects.llvm.builders import POINTER
from xgpu.dialects.memref_layout import contiguous_strides, strided_form
from xgpu.dialects.mgpu.ops import HANDLES, NCCL_ELEMENTS, NCCL_REDUCTIONS

# --- mgpu rules ----------------------------------------------------------------------------------
# `convert-mgpu-to-llvm`: operations of the mgpu dialect as calls of the runtime.
#
# Every handle is a pointer. `mgpu.kernel` becomes a load of a global that says which kernel it
# holds: where the binaries are embedded (`xgpu/backend/llvm_ir/gpu.py`), kernels are
# resolved once, when the program starts. Rules are also part of `gpu-to-llvm`. Signatures:
# xgpu/core/support/abi.py.


_I8 = IntegerType(8)


# --- calls that take handles and numbers as they are -------------------------------------------
def plain_call(name: str) -> Rule:
    """A rule for an operation whose converted operands are the arguments."""

    def rule(op: Operation, operands: Sequence[SSAValue], rw: LaunchConversion) -> list[SSAValue]:
        return runtime_call(rw, name, operands)

    return rule


def lower_get_function(
    op: mgpu.GetFunctionOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    name = string_pointer(rw, llvm.symbol_table(op), f"{op.kernel.data}_name", op.kernel.data)
    return runtime_call(rw, "mgpuModuleGetFunction", [operands[0], name])


def lower_annotate(
    op: mgpu.AnnotateOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    table = llvm.symbol_table(op)
    runtime_call(rw, "mgpuAnnotate", [string_pointer(rw, table, "mgpu_place", op.text.data)])
    return []


def lower_kernel(
    op: mgpu.KernelOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    """
    %k = mgpu.kernel @m::@k      %a = llvm.mlir.addressof @m_k_function
                                 %k = llvm.load %a : !llvm.ptr -> !llvm.ptr
    """
    name = _kernel_global(op, rw)
    address = rw.value("llvm.mlir.addressof", (), POINTER, {"global_name": llvm.reference(name)})
    return [llvm.load(rw, address, POINTER)]


def _kernel_global(op: mgpu.KernelOp, rw: LaunchConversion) -> Operation:
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
def kernel_launch(
    op: mgpu.LaunchOp | mgpu.GraphAddKernelOp | mgpu.GraphSetKernelOp,
    operands: Sequence[SSAValue],
    rw: LaunchConversion,
    *clusters: SSAValue | None,
) -> LaunchCall[SSAValue]:
    """What launches and kernel nodes tell the runtime; stores the arguments of the kernel."""
    converted = dict(zip(op.operands, operands, strict=True))

    def sizes(*values: SSAValue | None) -> tuple[SSAValue, ...]:
        return tuple(_wide(rw, converted[v]) for v in values if v is not None)

    grid = sizes(op.grid_size_x, op.grid_size_y, op.grid_size_z)
    block = sizes(op.block_size_x, op.block_size_y, op.block_size_z)
    cluster = sizes(*clusters)
    shared = op.dynamic_shared_memory_size
    shared = llvm.constant(rw, 0, i32) if shared is None else converted[shared]
    kernel = op.kernel_operands
    signature = KernelSignature.of(rw.types, [v.type for v in kernel], rw.state.convention)
    values = signature.arguments(rw, operands[len(operands) - len(kernel) :])
    parameters = rw.state.arguments.store(rw, signature, values)
    size = signature.layout(op).size
    return LaunchCall(
        converted[op.function], grid, block, cluster, shared, parameters, signature.count, size
    )


def _wide(rw: LaunchConversion, value: SSAValue) -> SSAValue:
    """A grid or block size as i64, which the runtime takes."""
    return value if value.type == i64 else rw.value("llvm.zext", (value,), i64)


def numbers(rw: LaunchConversion) -> Callable[[int], SSAValue]:
    """Makes numbers that the runtime takes."""
    return lambda value: llvm.constant(rw, value, i64)


def lower_launch(
    op: mgpu.LaunchOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    clusters = op.cluster_size_x, op.cluster_size_y, op.cluster_size_z
    launch = kernel_launch(op, operands, rw, *clusters)
    null = llvm.zero(rw, POINTER)
    return runtime_call(rw, *launch.on_stream(operands[0], null, numbers(rw)))


# --- memory ------------------------------------------------------------------------------------
def _allocate(
    op: mgpu.AllocOp | mgpu.AllocAsyncOp,
    rw: LaunchConversion,
    dynamic: Sequence[SSAValue],
    make: Callable[[SSAValue], SSAValue],
) -> list[SSAValue]:
    ty = memref_type(op.results[0])
    if _offset(op, ty) != 0:
        raise op_error(op, f"allocates '{ty}', whose elements do not begin at its address")
    sizes, strides, size = allocation_sizes(rw, ty, dynamic)
    return [new_buffer(rw, ty, make(size), sizes, strides)]


def lower_alloc(
    op: mgpu.AllocOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    shared = llvm.constant(rw, 0 if op.host_shared is None else 1, _I8)
    null = llvm.zero(rw, POINTER)

    def make(size: SSAValue) -> SSAValue:
        return runtime_value(rw, "mgpuMemAlloc", [size, null, shared])

    return _allocate(op, rw, operands[: len(op.dynamic_sizes)], make)


def lower_alloc_async(
    op: mgpu.AllocAsyncOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    def make(size: SSAValue) -> SSAValue:
        return runtime_value(rw, "mgpuMemAllocAsync", [size, operands[0]])

    return _allocate(op, rw, operands[1 : 1 + len(op.dynamic_sizes)], make)


def lower_free(
    op: mgpu.FreeOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    pointer = generic_pointer(rw, MemRefDescriptor(rw, operands[0]).allocated())
    return runtime_call(rw, "mgpuMemFree", [pointer, llvm.zero(rw, POINTER)])


def lower_free_async(
    op: mgpu.FreeAsyncOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    pointer = generic_pointer(rw, MemRefDescriptor(rw, operands[1]).allocated())
    return runtime_call(rw, "mgpuMemFreeAsync", [pointer, operands[0]])


class _Memory:
    """A contiguous memref: the address of its first element and how many there are."""

    __slots__ = ("count", "pointer", "type")

    def __init__(
        self, op: Operation, rw: LaunchConversion, value: SSAValue, descriptor: SSAValue
    ) -> None:
        ty = self.type = memref_type(value)
        offset = _offset(op, ty)
        memref = MemRefDescriptor(rw, descriptor)
        pointer = memref.aligned()
        if offset is None:
            pointer = llvm.gep(rw, pointer, rw.convert_type(ty.element_type), [memref.offset()])
        elif offset:
            pointer = llvm.gep(rw, pointer, rw.convert_type(ty.element_type), [offset])
        self.pointer = generic_pointer(rw, pointer)
        self.count = _element_count(rw, ty, memref)

    def bytes(self, rw: LaunchConversion) -> SSAValue:
        return size_in_bytes(rw, self.type, self.count)


def _offset(op: Operation, ty: Memref) -> int | None:
    """The offset of a contiguous memref type, None for a dynamic one; an error for others."""
    form = strided_form(ty)
    if form is None or form[0] != contiguous_strides(ty.get_shape()):
        raise op_error(op, f"cannot reach '{ty}' as one piece of memory: its layout has gaps")
    return form[1]


def _element_count(rw: LaunchConversion, ty: Memref, descriptor: MemRefDescriptor) -> SSAValue:
    shape = ty.get_shape()
    if all(extent >= 0 for extent in shape):
        return llvm.index_constant(rw, ty.element_count(), rw.types.index)
    # A stride is the product of the sizes behind it, so one product is left.
    if len(shape) == 1:
        return descriptor.size(0)
    return llvm.binary(rw, "mul", descriptor.stride(0), descriptor.size(0), 0)


def copy_arguments(
    op: mgpu.MemcpyOp | mgpu.GraphAddMemcpyOp | mgpu.GraphSetMemcpyOp,
    rw: LaunchConversion,
    target: SSAValue,
    source: SSAValue,
) -> tuple[SSAValue, SSAValue, SSAValue]:
    """To, from and bytes of a copy."""
    to = _Memory(op, rw, op.dst, target)
    back = _Memory(op, rw, op.src, source)
    return to.pointer, back.pointer, back.bytes(rw)


def fill_arguments(
    op: mgpu.MemsetOp | mgpu.GraphAddMemsetOp | mgpu.GraphSetMemsetOp,
    rw: LaunchConversion,
    target: SSAValue,
    value: SSAValue,
) -> tuple[SSAValue, SSAValue, int, SSAValue]:
    """To, value as an integer, bytes of a value, and values of a fill."""
    memory = _Memory(op, rw, op.dst, target)
    is_pointer = value.type.name == "llvm.ptr"
    width: int | None = getattr(value.type, "bitwidth", 64 if is_pointer else None)
    if width == 1:
        value, width = rw.value("llvm.zext", (value,), _I8), 8
    if width not in (8, 16, 32, 64):
        raise op_error(op, f"cannot fill with '{op.value.type}': its width is not 8, 16, 32 or 64")
    integer = IntegerType(width)
    if value.type != integer:
        cast = "llvm.ptrtoint" if is_pointer else "llvm.bitcast"
        value = rw.value(cast, (value,), integer)
    return memory.pointer, value, width // 8, memory.count


def lower_memcpy(
    op: mgpu.MemcpyOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    to, source, size = copy_arguments(op, rw, operands[1], operands[2])
    return runtime_call(rw, "mgpuMemcpy", [to, source, size, operands[0]])


def lower_memset(
    op: mgpu.MemsetOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    to, value, width, count = fill_arguments(op, rw, operands[1], operands[2])
    return runtime_call(rw, f"mgpuMemset{8 * width}", [to, value, count, operands[0]])


def _registration(name: str) -> Rule:
    def rule(op: Operation, operands: Sequence[SSAValue], rw: LaunchConversion) -> list[SSAValue]:
        ty = unranked_type(op.operands[0])
        size = size_in_bytes(rw, ty, 1)
        return runtime_call(rw, name, [*UnrankedDescriptor(rw, operands[0]).unpack(), size])

    return rule


# --- communication -----------------------------------------------------------------------------
def _elements(op: Operation, rw: LaunchConversion, value: SSAValue) -> SSAValue:
    """NCCL's number of the type of a buffer's elements."""
    name = str(memref_type(value).element_type)
    if name not in NCCL_ELEMENTS:
        raise op_error(op, f"cannot communicate elements of type '{name}': NCCL has none such")
    return llvm.constant(rw, NCCL_ELEMENTS[name], i32)


def _collective(name: str, counted: int) -> Rule:
    """A collective with two buffers, of which one says how many elements a rank has."""

    def rule(op: Operation, operands: Sequence[SSAValue], rw: LaunchConversion) -> list[SSAValue]:
        stream, *buffers, comm = operands
        memory = [_Memory(op, rw, op.operands[1 + at], v) for at, v in enumerate(buffers)]
        arguments = [*(m.pointer for m in memory), memory[counted].count]
        arguments.append(_elements(op, rw, op.operands[1]))
        number = op.properties.get("op")
        if isinstance(number, IntegerAttr):
            arguments.append(llvm.constant(rw, NCCL_REDUCTIONS[number.value.data], i32))
        return runtime_call(rw, name, [*arguments, comm, stream])

    return rule


def _with_peer(name: str) -> Rule:
    """Communication of one buffer with a rank."""

    def rule(op: Operation, operands: Sequence[SSAValue], rw: LaunchConversion) -> list[SSAValue]:
        stream, buffer, peer, comm = operands
        memory = _Memory(op, rw, op.operands[1], buffer)
        kind = _elements(op, rw, op.operands[1])
        arguments = [memory.pointer, memory.count, kind, peer, comm, stream]
        return runtime_call(rw, name, arguments)

    return rule


RULES: dict[str, Rule] = {
    "mgpu.comm_all_gather": _collective("mgpuCommAllGather", 0),
    "mgpu.comm_all_reduce": _collective("mgpuCommAllReduce", 0),
    "mgpu.comm_all_to_all": _collective("mgpuCommAllToAll", 0),
    "mgpu.comm_broadcast": _with_peer("mgpuCommBroadcast"),
    "mgpu.comm_group_end": plain_call("mgpuCommGroupEnd"),
    "mgpu.comm_group_start": plain_call("mgpuCommGroupStart"),
    "mgpu.comm_receive": _with_peer("mgpuCommReceive"),
    "mgpu.comm_reduce_scatter": _collective("mgpuCommReduceScatter", 1),
    "mgpu.comm_send": _with_peer("mgpuCommSend"),
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


# --- mgpu graph rules ----------------------------------------------------------------------------
# Graphs of the mgpu dialect, and handles that outlive a call, in the llvm dialect.
#
# Rules of `convert-mgpu-to-llvm`. Signatures: xgpu/core/support/abi.py.


if TYPE_CHECKING:
    #: Operations that add a node to a graph.
    Adds = (
        mgpu.GraphAddKernelOp
        | mgpu.GraphAddMemcpyOp
        | mgpu.GraphAddMemsetOp
        | mgpu.GraphAddEmptyOp
        | mgpu.GraphAddHostOp
    )


def _add(
    op: Adds,
    operands: Sequence[SSAValue],
    rw: LaunchConversion,
    name: str,
    arguments: Sequence[SSAValue],
) -> list[SSAValue]:
    """A call that adds a node: graph, dependencies, their number, and `arguments`."""
    before = operands[1 : 1 + len(op.dependencies)]
    listed = rw.state.arguments.list(rw, before)
    count = llvm.constant(rw, len(before), i64)
    return runtime_call(rw, name, [operands[0], listed, count, *arguments])


def lower_add_kernel(
    op: mgpu.GraphAddKernelOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    clusters = op.cluster_size_x, op.cluster_size_y, op.cluster_size_z
    launch = kernel_launch(op, operands, rw, *clusters)
    return _add(op, operands, rw, *launch.as_node(numbers(rw)))


def lower_set_kernel(
    op: mgpu.GraphSetKernelOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    launch = kernel_launch(op, operands, rw)
    return runtime_call(rw, *launch.of_node(operands[0], operands[1], numbers(rw)))


def lower_add_memcpy(
    op: mgpu.GraphAddMemcpyOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    arguments = copy_arguments(op, rw, *operands[-2:])
    return _add(op, operands, rw, "mgpuGraphAddMemcpy", arguments)


def lower_set_memcpy(
    op: mgpu.GraphSetMemcpyOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    arguments = copy_arguments(op, rw, *operands[-2:])
    return runtime_call(rw, "mgpuGraphExecMemcpySetParams", [*operands[:2], *arguments])


def _fill(
    op: mgpu.GraphAddMemsetOp | mgpu.GraphSetMemsetOp,
    operands: Sequence[SSAValue],
    rw: LaunchConversion,
) -> list[SSAValue]:
    to, value, width, count = fill_arguments(op, rw, *operands[-2:])
    if width < 8:
        value = rw.value("llvm.zext", (value,), i64)
    return [to, value, llvm.constant(rw, width, i32), count]


def lower_add_memset(
    op: mgpu.GraphAddMemsetOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    return _add(op, operands, rw, "mgpuGraphAddMemset", _fill(op, operands, rw))


def lower_set_memset(
    op: mgpu.GraphSetMemsetOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    arguments = [*operands[:2], *_fill(op, operands, rw)]
    return runtime_call(rw, "mgpuGraphExecMemsetSetParams", arguments)


def lower_add_empty(
    op: mgpu.GraphAddEmptyOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    return _add(op, operands, rw, "mgpuGraphAddEmpty", ())


def lower_add_host(
    op: mgpu.GraphAddHostOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    return _add(op, operands, rw, "mgpuGraphAddHost", operands[-2:])


# --- handles that outlive a call ---------------------------------------------------------------
def _slot(
    op: mgpu.CacheLoadOp | mgpu.CacheTakeOp | mgpu.CacheStoreOp, rw: LaunchConversion
) -> SSAValue:
    """The address of a handle in the global that keeps it."""
    name = {"global_name": SymbolRefAttr(op.cache.root_reference.data)}
    address = rw.value("llvm.mlir.addressof", (), POINTER, name)
    return llvm.gep(rw, address, POINTER, [op.index.value.data])


def lower_cache_load(
    op: mgpu.CacheLoadOp | mgpu.CacheTakeOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    return [llvm.load(rw, _slot(op, rw), POINTER)]


def lower_cache_store(
    op: mgpu.CacheStoreOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    llvm.store(rw, operands[0], _slot(op, rw))
    return []


def lower_is_null(
    op: Operation, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    return [llvm.icmp(rw, "eq", operands[0], llvm.zero(rw, POINTER))]


GRAPH_RULES: dict[str, Rule] = {
    "mgpu.graph_create": plain_call("mgpuGraphCreate"),
    "mgpu.graph_destroy": plain_call("mgpuGraphDestroy"),
    "mgpu.graph_add_kernel": lower_add_kernel,
    "mgpu.graph_add_memcpy": lower_add_memcpy,
    "mgpu.graph_add_memset": lower_add_memset,
    "mgpu.graph_add_empty": lower_add_empty,
    "mgpu.graph_add_host": lower_add_host,
    "mgpu.graph_instantiate": plain_call("mgpuGraphInstantiate"),
    "mgpu.graph_set_kernel": lower_set_kernel,
    "mgpu.graph_set_memcpy": lower_set_memcpy,
    "mgpu.graph_set_memset": lower_set_memset,
    "mgpu.graph_launch": plain_call("mgpuGraphLaunch"),
    "mgpu.graph_exec_destroy": plain_call("mgpuGraphExecDestroy"),
    "mgpu.cache_load": lower_cache_load,
    "mgpu.cache_take": lower_cache_load,
    "mgpu.cache_store": lower_cache_store,
    "mgpu.is_null": lower_is_null,
}


# --- mgpu to llvm --------------------------------------------------------------------------------
# convert-mgpu-to-llvm: the mgpu dialect as calls of the runtime.


class ConvertMgpuToLLVM(Pass):
    name = "convert-mgpu-to-llvm"
    summary = "Convert the mgpu dialect to calls of the runtime"
    anchor = "builtin.module"
    options = CONVENTION_OPTIONS

    use_bare_pointers_for_kernels: bool
    intersperse_sizes_for_kernels: bool

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.conversion.llvm_types import index_width

        types = LLVMTypeConverter(index_width(op))
        types.add(convert_handle)
        state = RuntimeState(
            op,
            Convention(self.use_bare_pointers_for_kernels, self.intersperse_sizes_for_kernels),
        )
        convert(op, all_rules(), types, state=state)


def convert_handle(ty: Attribute) -> Attribute:
    return POINTER if ty.name in HANDLES else UNKNOWN


def all_rules() -> dict[str, Rule]:
    """The rules of all operations of the dialect."""
    return {**RULES, **GRAPH_RULES}

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`gpu-to-llvm`: the host side of gpu programs to the llvm dialect and calls of the runtime, those
on sparse matrices included.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Protocol, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ComplexType,
    IntegerType,
    MemRefType,
    SymbolRefAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.conversion.launch.kernel_signature import (
    CONVENTION_OPTIONS,
    Convention,
    KernelSignature,
    Memref,
    integer_width,
)
from xgpu.conversion.launch.state import (
    LaunchConversion,
    RuntimeState,
    allocation_sizes,
    generic_pointer,
    is_2to4,
    memref_type,
    new_buffer,
    require_identity_layout,
    runtime_call,
    runtime_value,
    size_in_bytes,
    unranked_type,
)
from xgpu.conversion.memref_descriptor import MemRefDescriptor, UnrankedDescriptor
from xgpu.conversion.to_llvm import dialect_rules
from xgpu.core.ir.construction import nested_operations
from xgpu.core.ir.errors import op_error
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.driver import NoMatch, Rule, convert
from xgpu.core.rewriting.greedy import apply_patterns
from xgpu.core.rewriting.type_converter import UNKNOWN, TypeConverter
from xgpu.dialects import gpu
from xgpu.dialects.gpu.attributes import AsyncTokenType
from xgpu.dialects.llvm.builders import (
    POINTER,
    alloca,
    binary,
    constant,
    gep,
    index_constant,
    load,
    zero,
)
from xgpu.dialects.llvm.types import LLVMPointerType

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.core.ods.attributes import EnumAttr
    from xgpu.core.rewriting.greedy import Patterns


# --- runtime calls -------------------------------------------------------------------------------
# gpu operations of the host as calls of the runtime (the mgpu functions), those on sparse
# matrices included.


# --- runtime calls -------------------------------------------------------------------------------
# gpu operations of the host as calls of the runtime (the mgpu functions).
#
# A token is a stream: an operation with one dependency runs on that stream and hands it on. Where
# streams meet (`gpu.wait async [a, b]`) each leaves an event behind, recorded right after the
# operation that made the token, and a new stream waits for the events. The rules take only what
# MLIR's take: an operation without a token, or with several dependencies, stays as it is.
# Source: MLIR 22.1 GPUToLLVMConversion.cpp; signatures: xgpu/core/support/abi.py.


_I8, _I16 = IntegerType(8), IntegerType(16)


class Asynchronous(Protocol):
    """An operation that takes and gives tokens."""

    @property
    def async_dependencies(self) -> Sequence[SSAValue]: ...

    @property
    def async_token(self) -> SSAValue | None: ...


def end_token(op: Operation, rw: LaunchConversion) -> None:
    """Remembers where the token of `op` has been made."""
    last = op.prev_op
    if last is not None and op.results and isinstance(op.results[-1].type, AsyncTokenType):
        rw.state.token_ends[op.results[-1]] = last


def single_dependency(op: Asynchronous, rw: LaunchConversion) -> SSAValue:
    """The stream of an asynchronous operation with exactly one dependency."""
    dependencies = op.async_dependencies
    if len(dependencies) != 1:
        raise NoMatch("Can only convert with exactly one async dependency.")
    if op.async_token is None:
        raise NoMatch("Can convert only async version.")
    return rw.converted(dependencies[0])


# --- memory ------------------------------------------------------------------------------------
def lower_alloc(
    op: gpu.AllocOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    """gpu.alloc as mgpuMemAlloc(bytes, stream, host_shared)."""
    ty = memref_type(op.memref)
    require_identity_layout(ty)
    is_shared = "host_shared" in op.properties or "hostShared" in op.properties
    if not is_shared or op.async_token is not None:
        single_dependency(op, rw)
    elif op.async_dependencies:
        raise NoMatch("expected no dependency without a token")
    dependencies = len(op.async_dependencies)
    dynamic = operands[dependencies : dependencies + len(op.dynamic_sizes)]
    sizes, strides, size = allocation_sizes(rw, ty, dynamic)
    null = zero(rw, POINTER)
    stream = operands[0] if dependencies else null
    shared = constant(rw, 1 if is_shared else 0, _I8)
    pointer = runtime_value(rw, "mgpuMemAlloc", [size, stream, shared])
    descriptor = new_buffer(rw, ty, pointer, sizes, strides)
    end_token(op, rw)
    return [descriptor, *([stream] if op.async_token is not None else [])]


def lower_dealloc(
    op: gpu.DeallocOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    stream = single_dependency(op, rw)
    pointer = generic_pointer(rw, MemRefDescriptor(rw, operands[1]).allocated())
    runtime_call(rw, "mgpuMemFree", [pointer, stream])
    end_token(op, rw)
    return [stream]


def _element_count(rw: LaunchConversion, ty: Memref, descriptor: MemRefDescriptor) -> SSAValue:
    """How many elements a memref of identity layout has."""
    shape = ty.get_shape()
    if all(extent >= 0 for extent in shape):
        return index_constant(rw, ty.element_count(), rw.types.index)
    count = descriptor.size(0)
    for dimension in range(1, len(shape)):
        count = binary(rw, "mul", count, descriptor.size(dimension), 0)
    return count


def lower_memcpy(
    op: gpu.MemcpyOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    """gpu.memcpy as mgpuMemcpy(dst, src, bytes, stream)."""
    ty = memref_type(op.src)
    require_identity_layout(ty)
    stream = single_dependency(op, rw)
    source, target = MemRefDescriptor(rw, operands[2]), MemRefDescriptor(rw, operands[1])
    size = size_in_bytes(rw, ty, _element_count(rw, ty, source))
    source_pointer = generic_pointer(rw, source.aligned())
    target_pointer = generic_pointer(rw, target.aligned())
    runtime_call(rw, "mgpuMemcpy", [target_pointer, source_pointer, size, stream])
    end_token(op, rw)
    return [stream]


def lower_memset(
    op: gpu.MemsetOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    """gpu.memset of 16 or 32 bits as mgpuMemset16/32(dst, value, elements, stream)."""
    ty = memref_type(op.dst)
    require_identity_layout(ty)
    stream = single_dependency(op, rw)
    value = operands[2]
    width = getattr(value.type, "bitwidth", None)
    if width not in (16, 32):
        raise NoMatch("value must be a 16 or 32 bit scalar")
    target = MemRefDescriptor(rw, operands[1])
    count = _element_count(rw, ty, target)
    value = rw.value("llvm.bitcast", (value,), _I16 if width == 16 else i32)
    pointer = generic_pointer(rw, target.aligned())
    runtime_call(rw, f"mgpuMemset{width}", [pointer, value, count, stream])
    end_token(op, rw)
    return [stream]


def _lower_host_registration(name: str) -> Rule:
    def rule(op: Operation, operands: Sequence[SSAValue], rw: LaunchConversion) -> list[SSAValue]:
        ty = unranked_type(op.operands[0])
        size = size_in_bytes(rw, ty, 1)
        members = UnrankedDescriptor(rw, operands[0]).unpack()
        runtime_call(rw, name, [*members, size])
        return []

    return rule


def lower_set_default_device(
    op: Operation, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    runtime_call(rw, "mgpuSetDefaultDevice", [operands[0]])
    return []


# --- streams and events ------------------------------------------------------------------------
def is_stream(value: SSAValue) -> bool:
    """Whether a converted token is a stream that the program made: MLIR's test."""
    owner = value.owner
    if not isinstance(owner, Operation) or owner.name != "llvm.call":
        return False
    callee = owner.properties.get("callee")
    return isinstance(callee, SymbolRefAttr) and callee.root_reference.data == "mgpuStreamCreate"


def create_stream(rw: LaunchConversion) -> SSAValue:
    return runtime_value(rw, "mgpuStreamCreate", [])


def record_event(rw: LaunchConversion, stream: SSAValue) -> SSAValue:
    event = runtime_value(rw, "mgpuEventCreate", [])
    runtime_call(rw, "mgpuEventRecord", [event, stream])
    return event


def lower_wait(
    op: gpu.WaitOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    """gpu.wait: the host waits for each stream or event, and destroys it."""
    if op.async_token is not None:
        return _lower_wait_async(op, operands, rw)
    for operand in operands:
        kind = "Stream" if is_stream(operand) else "Event"
        runtime_call(rw, f"mgpu{kind}Synchronize", [operand])
        runtime_call(rw, f"mgpu{kind}Destroy", [operand])
    return []


def _lower_wait_async(
    op: gpu.WaitOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    """gpu.wait async: a new stream that waits for an event of each dependency."""
    events: list[SSAValue] = []
    for token, operand in zip(op.operands, operands, strict=True):
        if not is_stream(operand):
            events.append(operand)
            continue
        end = rw.state.token_ends.get(token)
        if end is None or end.parent is None:
            end = operand.owner
            assert isinstance(end, Operation)
        rw.after(end)
        events.append(record_event(rw, operand))
    rw.before(op)
    stream = create_stream(rw)
    for event in events:
        runtime_call(rw, "mgpuStreamWaitEvent", [stream, event])
    for event in events:
        runtime_call(rw, "mgpuEventDestroy", [event])
    end_token(op, rw)
    return [stream]


def lower_async_yield(op: Operation, operands: Sequence[SSAValue], rw: LaunchConversion) -> None:
    """async.yield of tokens: outside of async.execute a token is an event."""
    tokens = [isinstance(operand.type, AsyncTokenType) for operand in op.operands]
    if not any(tokens):
        from xgpu.conversion.control_flow.scf_structure import lower_yield

        lower_yield(op, operands, rw)
        return
    values: list[SSAValue] = []
    streams: dict[SSAValue, None] = {}
    for is_token, value in zip(tokens, operands, strict=True):
        if not is_token:
            values.append(value)
            continue
        values.append(record_event(rw, value))
        streams[value] = None
    for stream in streams:
        runtime_call(rw, "mgpuStreamDestroy", [stream])
    op.operands = values


# --- launches ----------------------------------------------------------------------------------
def lower_launch_func(
    op: gpu.LaunchFuncOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    """gpu.launch_func with llvm operands, on a stream: translation to LLVM IR does the rest."""
    dependencies = len(op.async_dependencies)
    if dependencies > 1:
        raise NoMatch("Cannot convert with more than one async dependency.")
    if dependencies and op.async_token is None:
        raise NoMatch("Cannot convert non-async op with async dependencies.")
    if op.async_object is not None and all(
        a is b for a, b in zip(op.operands, operands, strict=True)
    ):
        raise NoMatch("is legal")
    stream: SSAValue | None = op.async_object
    if dependencies:
        stream = operands[0]
    elif op.async_token is not None:
        stream = create_stream(rw)
    kernel = op.kernel_operands
    first = len(op.operands) - len(kernel) - (1 if op.async_object is not None else 0)
    signature = KernelSignature.of(rw.types, [v.type for v in kernel], rw.state.convention)
    arguments = signature.arguments(rw, operands[first : first + len(kernel)])

    position = iter(operands[dependencies:first])

    def converted(value: SSAValue | None) -> SSAValue | None:
        return None if value is None else next(position)

    rw.create(
        "gpu.launch_func",
        [
            [],
            *(converted(v) for v in (op.grid_size_x, op.grid_size_y, op.grid_size_z)),
            *(converted(v) for v in (op.block_size_x, op.block_size_y, op.block_size_z)),
            *(converted(v) for v in (op.cluster_size_x, op.cluster_size_y, op.cluster_size_z)),
            converted(op.dynamic_shared_memory_size),
            arguments,
            stream,
        ],
        (),
        {"kernel": op.properties["kernel"]},
        dict(op.attributes),
    )
    end_token(op, rw)
    if op.async_token is None:
        return []
    assert stream is not None
    return [stream]


def is_legal_launch(op: Operation) -> bool:
    """Whether `op` is a launch all of whose operands are what the llvm dialect has."""
    return op.name == "gpu.launch_func" and not _has_tokens_or_memrefs(op)


def is_illegal_launch(op: Operation) -> bool:
    """Whether `op` is a launch with operands that the llvm dialect does not have."""
    return op.name == "gpu.launch_func" and _has_tokens_or_memrefs(op)


def _has_tokens_or_memrefs(op: Operation) -> bool:
    return bool(op.results) or any(_is_builtin_only(operand.type) for operand in op.operands)


def _is_builtin_only(ty: Attribute) -> bool:
    return ty.name in ("index", "memref", "unranked_memref", "gpu.async.token")


# --- sparse calls --------------------------------------------------------------------------------
# Sparse gpu operations as calls of the runtime (cuSPARSE, and cuSPARSELt for 2:4 matrices).
#
# A handle is a pointer; a token is the stream that the call is given last. Only operations with a
# token and exactly one dependency are converted. Matrices of 2:4 sparsity, and dense ones that are
# multiplied with such, live in memory of the caller whose size the library sets.
# Source: MLIR 22.1 GPUToLLVMConversion.cpp; signatures: xgpu/core/support/abi.py.


#: cudaDataType by element type, and of a complex number by its parts' type.
_REAL = {"bf16": 14, "f16": 2, "f32": 0, "f64": 1, "i8": 3, "i16": 20, "i32": 10}
_COMPLEX = {"bf16": 15, "f16": 6, "f32": 4, "f64": 5, "i8": 7, "i16": 21, "i32": 11}
#: cusparseComputeType of cuSPARSELt.
_LT_COMPUTE = {"f16": 0, "i32": 1}
_DENSE_BYTES = 11032
_SPARSE_BYTES = 44104
_SPARSE_I8 = IntegerType(8)


def data_type(op: Operation, ty: Attribute) -> int:
    """What cuSPARSE calls an element type."""
    if isinstance(ty, ComplexType):
        code = _COMPLEX.get(str(cast("ComplexType[AnyFloat]", ty).element_type))
    else:
        code = _REAL.get(str(ty))
    if code is None:
        raise op_error(op, f"has an element type that cuSPARSE does not know: '{ty}'")
    return code


def index_type(ty: Attribute) -> int:
    """What cuSPARSE calls an index type: 16, 32 or 64 bits."""
    return {16: 1, 32: 2}.get(integer_width(ty) or 64, 3)


class _Arguments:
    """The arguments of one call, collected in order; `stream` goes last."""

    __slots__ = ("op", "rw", "stream", "values")

    def __init__(
        self, op: Asynchronous, operands: Sequence[SSAValue], rw: LaunchConversion
    ) -> None:
        self.op = cast("Operation", op)
        self.rw = rw
        self.stream = single_dependency(op, rw)
        self.values: list[SSAValue] = list(operands[1:])

    def pointer(self, i: int) -> SSAValue:
        """The allocated pointer of the memref that is operand `i` behind the dependency."""
        return MemRefDescriptor(self.rw, self.values[i]).allocated()

    def element(self, i: int) -> Attribute:
        return cast("MemRefType", self.op.operands[1 + i].type).element_type

    def number(self, value: int) -> SSAValue:
        return constant(self.rw, value, i32)

    def mode(self, name: str) -> SSAValue:
        attribute = cast("EnumAttr | None", self.op.properties.get(name))
        return self.number(0 if attribute is None else attribute.value)

    def compute_type(self) -> SSAValue:
        return self.number(data_type(self.op, self.op.properties["computeType"]))

    def call(self, name: str, arguments: Sequence[SSAValue]) -> list[SSAValue]:
        return runtime_call(self.rw, name, [*arguments, self.stream])

    def done(self, *results: SSAValue) -> list[SSAValue]:
        end_token(self.op, self.rw)
        return [*results, self.stream]


def _own_memory(a: _Arguments, size: int) -> SSAValue:
    """Memory on the stack for an object of cuSPARSELt."""
    count = index_constant(a.rw, size, a.rw.types.index)
    memory = alloca(a.rw, count, _SPARSE_I8, alignment=16)
    return a.rw.value("llvm.bitcast", (memory,), POINTER)


# --- dense tensors -----------------------------------------------------------------------------
def lower_create_dn_tensor(
    op: gpu.CreateDnTensorOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    a = _Arguments(op, operands, rw)
    pointer = a.pointer(0)
    kind = a.number(data_type(op, a.element(0)))
    sizes = a.values[1:]
    if len(sizes) not in (1, 2):
        raise NoMatch("Only 1D and 2D tensors are supported")
    if len(sizes) == 1:
        (handle,) = a.call("mgpuCreateDnVec", [sizes[0], pointer, kind])
    elif id(op.results[0]) in rw.state.dense_of_2to4:
        handle = _own_memory(a, _DENSE_BYTES)
        a.call("mgpuCreateCuSparseLtDnMat", [handle, *sizes, pointer, kind])
    else:
        (handle,) = a.call("mgpuCreateDnMat", [*sizes, pointer, kind])
    return a.done(handle)


def lower_destroy_dn_tensor(
    op: gpu.DestroyDnTensorOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    a = _Arguments(op, operands, rw)
    tensor = op.dn_tensor
    if getattr(tensor.owner, "name", "") != "gpu.create_dn_tensor":
        raise NoMatch("expected the tensor to come from gpu.create_dn_tensor")
    if len(cast("gpu.CreateDnTensorOp", tensor.owner).dims) == 1:
        name = "mgpuDestroyDnVec"
    elif id(tensor) in rw.state.dense_of_2to4:
        name = "mgpuDestroyCuSparseLtDnMat"
    else:
        name = "mgpuDestroyDnMat"
    a.call(name, [a.values[0]])
    return a.done()


# --- sparse matrices ---------------------------------------------------------------------------
def _lower_create(name: str, sizes: int, index_arrays: int) -> Rule:
    """`sizes` numbers, then index arrays, then the elements; a code for each type that differs."""

    def rule(
        op: Asynchronous, operands: Sequence[SSAValue], rw: LaunchConversion
    ) -> list[SSAValue]:
        a = _Arguments(op, operands, rw)
        arrays = range(sizes, sizes + index_arrays + 1)
        pointers = [a.pointer(i) for i in arrays]
        # Coordinates are all of one type; positions have their own.
        coded = arrays[:-1] if name in ("Csr", "Csc", "Bsr") else arrays[-2:-1]
        codes = [a.number(index_type(a.element(i))) for i in coded]
        codes.append(a.number(data_type(a.op, a.element(arrays[-1]))))
        return a.done(*a.call(f"mgpuCreate{name}", [*a.values[:sizes], *pointers, *codes]))

    return rule


def lower_create_2to4(
    op: gpu.Create2to4SpmatOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    a = _Arguments(op, operands, rw)
    pointer = a.pointer(2)
    kind = a.number(data_type(op, a.element(2)))
    handle = _own_memory(a, _SPARSE_BYTES)
    a.call("mgpuCusparseLtCreate2To4SpMat", [handle, *a.values[:2], pointer, kind])
    return a.done(handle)


def lower_destroy_sp_mat(
    op: gpu.DestroySpMatOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    a = _Arguments(op, operands, rw)
    name = "mgpuDestroyCuSparseLtSpMat" if is_2to4(op.spmat) else "mgpuDestroySpMat"
    a.call(name, [a.values[0]])
    return a.done()


def lower_get_size(
    op: gpu.SpmatGetSizeOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    a = _Arguments(op, operands, rw)
    index = rw.types.index
    buffer = alloca(rw, index_constant(rw, 3, index), i64, alignment=16)
    members = [gep(rw, buffer, POINTER, [index_constant(rw, i, index)]) for i in range(3)]
    a.call("mgpuSpMatGetSize", [a.values[0], *members])
    return a.done(*(load(rw, member, i64) for member in members))


def lower_set_csr_pointers(
    op: gpu.SetCsrPointersOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    a = _Arguments(op, operands, rw)
    a.call("mgpuSetCsrPointers", [a.values[0], *(a.pointer(i) for i in (1, 2, 3))])
    return a.done()


# --- products ----------------------------------------------------------------------------------
def _lower_buffer_size(name: str, modes: tuple[str, ...]) -> Rule:
    def rule(
        op: Asynchronous, operands: Sequence[SSAValue], rw: LaunchConversion
    ) -> list[SSAValue]:
        a = _Arguments(op, operands, rw)
        numbers = [a.mode(mode) for mode in modes]
        if a.op.name == "gpu.spmm_buffer_size" and is_2to4(
            cast("gpu.SpmmBufferSizeOp", op).spmat_a
        ):
            return _lower_lt_buffer_size(a, numbers)
        kind = a.compute_type()
        return a.done(*a.call(f"mgpu{name}BufferSize", [*numbers, *a.values, kind]))

    return rule


def _lower_lt_buffer_size(a: _Arguments, modes: list[SSAValue]) -> list[SSAValue]:
    """cuSPARSELt needs three buffers: the sizes come back through memory."""
    op, rw, index = a.op, a.rw, a.rw.types.index
    matrix = cast("gpu.Create2to4SpmatOp", cast("gpu.SpmmBufferSizeOp", op).spmat_a.owner)
    flag = a.number(matrix.prune_flag.value)
    ty = op.properties["computeType"]
    code = _LT_COMPUTE.get(str(ty))
    if code is None:
        raise op_error(op, f"has a compute type that cuSPARSELt does not know: '{ty}'")
    kind = a.number(code)
    buffer = alloca(rw, index_constant(rw, 3, index), POINTER, alignment=16)
    a.call("mgpuCuSparseLtSpMMBufferSize", [buffer, *modes, *a.values, kind, flag])
    rest = [gep(rw, buffer, POINTER, [index_constant(rw, i, index)]) for i in (1, 2)]
    return a.done(*(load(rw, member, i64) for member in (buffer, *rest)))


def _lower_product(name: str, modes: tuple[str, ...]) -> Rule:
    def rule(
        op: Asynchronous, operands: Sequence[SSAValue], rw: LaunchConversion
    ) -> list[SSAValue]:
        a = _Arguments(op, operands, rw)
        numbers = [a.mode(mode) for mode in modes]
        kind = a.compute_type()
        if a.op.name == "gpu.spmm" and is_2to4(cast("gpu.SpmmOp", op).spmat_a):
            if len(a.values) != 6:
                raise NoMatch("expected three buffers")
            buffers = [a.pointer(i) for i in (3, 4, 5)]
            a.call("mgpuCuSparseLtSpMM", [*a.values[:3], *buffers])
        else:
            if len(a.values) < 4:
                raise NoMatch("expected a buffer")
            a.call(f"mgpu{name}", [*numbers, *a.values[:3], kind, a.pointer(3)])
        return a.done()

    return rule


# --- products of two sparse matrices -----------------------------------------------------------
def lower_create_descr(
    op: gpu.SpgemmCreateDescrOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    a = _Arguments(op, operands, rw)
    return a.done(*a.call("mgpuSpGEMMCreateDescr", []))


def lower_destroy_descr(
    op: gpu.SpgemmDestroyDescrOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    a = _Arguments(op, operands, rw)
    a.call("mgpuSpGEMMDestroyDescr", [a.values[0]])
    return a.done()


def lower_spgemm(
    op: gpu.SpgemmWorkEstimationOrComputeOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    a = _Arguments(op, operands, rw)
    kind, modes = a.compute_type(), [a.mode("modeA"), a.mode("modeB")]
    kind_of_call = op.kind
    buffer = a.pointer(5)
    name = (
        "mgpuSpGEMMWorkEstimation"
        if kind_of_call.data == "WORK_ESTIMATION"
        else "mgpuSpGEMMCompute"
    )
    arguments = [a.values[0], *modes, *a.values[1:4], kind, a.values[4], buffer]
    return a.done(*a.call(name, arguments))


def lower_spgemm_copy(
    op: gpu.SpgemmCopyOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    a = _Arguments(op, operands, rw)
    kind, modes = a.compute_type(), [a.mode("modeA"), a.mode("modeB")]
    a.call("mgpuSpGEMMCopy", [a.values[0], *modes, *a.values[1:4], kind])
    return a.done()


_BOTH = ("modeA", "modeB")


RUNTIME_RULES: dict[str, Rule] = {
    "gpu.alloc": lower_alloc,
    "gpu.dealloc": lower_dealloc,
    "gpu.memcpy": lower_memcpy,
    "gpu.memset": lower_memset,
    "gpu.host_register": _lower_host_registration("mgpuMemHostRegisterMemRef"),
    "gpu.host_unregister": _lower_host_registration("mgpuMemHostUnregisterMemRef"),
    "gpu.set_default_device": lower_set_default_device,
    "gpu.wait": lower_wait,
    "async.yield": lower_async_yield,
    "gpu.launch_func": lower_launch_func,
    "gpu.create_dn_tensor": lower_create_dn_tensor,
    "gpu.destroy_dn_tensor": lower_destroy_dn_tensor,
    "gpu.create_coo": _lower_create("Coo", 3, 2),
    "gpu.create_coo_aos": _lower_create("CooAoS", 3, 1),
    "gpu.create_csr": _lower_create("Csr", 3, 2),
    "gpu.create_csc": _lower_create("Csc", 3, 2),
    "gpu.create_bsr": _lower_create("Bsr", 5, 2),
    "gpu.create_2to4_spmat": lower_create_2to4,
    "gpu.destroy_sp_mat": lower_destroy_sp_mat,
    "gpu.spmat_get_size": lower_get_size,
    "gpu.set_csr_pointers": lower_set_csr_pointers,
    "gpu.spmv_buffer_size": _lower_buffer_size("SpMV", ("modeA",)),
    "gpu.spmv": _lower_product("SpMV", ("modeA",)),
    "gpu.spmm_buffer_size": _lower_buffer_size("SpMM", _BOTH),
    "gpu.spmm": _lower_product("SpMM", _BOTH),
    "gpu.sddmm_buffer_size": _lower_buffer_size("SDDMM", _BOTH),
    "gpu.sddmm": _lower_product("SDDMM", _BOTH),
    "gpu.spgemm_create_descr": lower_create_descr,
    "gpu.spgemm_destroy_descr": lower_destroy_descr,
    "gpu.spgemm_work_estimation_or_compute": lower_spgemm,
    "gpu.spgemm_copy": lower_spgemm_copy,
}


# --- gpu to llvm ---------------------------------------------------------------------------------
# gpu-to-llvm: the host side of gpu programs to the llvm dialect and runtime calls.
#
# Rules: those above, and those of every dialect that has a conversion to llvm. Kernels in
# gpu.modules and gpu.binaries stay for `gpu-module-to-binary` and the translation; rules of the
# mgpu dialect are in `mgpu_to_llvm.py`. Source: MLIR 22.1 GPUToLLVMConversion.cpp.


_HANDLES = frozenset(
    {
        "gpu.async.token",
        "gpu.sparse.dntensor_handle",
        "gpu.sparse.spmat_handle",
        "gpu.sparse.spgemmop_handle",
    }
)


class GpuToLLVMConversionPass(Pass):
    """Lowers host code with gpu operations to llvm operations and runtime calls."""

    name = "gpu-to-llvm"
    summary = "Convert dialects to LLVM dialect with GPU runtime calls"
    anchor = "builtin.module"
    options = (
        Option(
            "use-bare-pointers-for-host",
            bool,
            False,
            "Use bare pointers to pass memref arguments to host functions.",
        ),
        *CONVENTION_OPTIONS,
    )

    use_bare_pointers_for_host: bool
    use_bare_pointers_for_kernels: bool
    intersperse_sizes_for_kernels: bool

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.conversion.launch.mgpu_to_llvm import convert_handle as convert_mgpu_handle
        from xgpu.conversion.llvm_types import LLVMTypeConverter

        apply_patterns(op, _transfer_patterns(op))
        # As in MLIR, indices of the host have 64 bits, whatever the data layout says.
        types = LLVMTypeConverter(bare_pointers=self.use_bare_pointers_for_host)
        types.add(_convert_handle)
        types.add(convert_mgpu_handle)
        types.add(partial(_convert_async_value, types))
        state = RuntimeState(
            op,
            Convention(
                # As in MLIR, the host's convention is that of its launches too.
                self.use_bare_pointers_for_kernels or self.use_bare_pointers_for_host,
                self.intersperse_sizes_for_kernels,
            ),
        )
        convert(
            op,
            self._rules(op),
            types,
            legal=is_legal_launch,
            illegal=is_illegal_launch,
            state=state,
        )

    def _rules(self, op: Operation) -> dict[str, Rule]:
        from xgpu.conversion.launch import mgpu_to_llvm

        rules = dialect_rules(op)
        rules.update(RUNTIME_RULES)
        rules.update(mgpu_to_llvm.all_rules())
        if any(o.name.startswith("async.") for o in nested_operations(op)):
            from xgpu.conversion.control_flow.scf_structure import ASYNC_RULES as async_rules

            rules.update({k: r for k, r in async_rules.items() if k not in rules})
        return rules


def _transfer_patterns(op: Operation) -> Patterns:
    """vector.transfer_* of one dimension to loads and stores, where there are any."""
    if not any(o.name.startswith("vector.transfer_") for o in nested_operations(op)):
        return {}
    from xgpu.transforms.vector.transfer_lowering import TRANSFER_PATTERNS

    return dict(TRANSFER_PATTERNS)


def _convert_handle(ty: Attribute) -> Attribute:
    return LLVMPointerType() if ty.name in _HANDLES else UNKNOWN


def _convert_async_value(types: TypeConverter, ty: Attribute) -> Attribute:
    if ty.name in ("async.token", "async.group"):
        return ty
    if ty.name == "async.value":
        inner = types.convert(ty.data)  # pyright: ignore
        return None if inner is None else type(ty)(inner)  # pyright: ignore
    return UNKNOWN

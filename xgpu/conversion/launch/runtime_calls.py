# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gpu operations of the host as calls of the runtime (the mgpu functions).

A token is a stream: an operation with one dependency runs on that stream and hands it on. Where
streams meet (`gpu.wait async [a, b]`) each leaves an event behind, recorded right after the
operation that made the token, and a new stream waits for the events. The rules take only what
MLIR's take: an operation without a token, or with several dependencies, stays as it is.
Source: MLIR 22.1 GPUToLLVMConversion.cpp; signatures: xgpu/core/support/abi.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from xdsl.dialects.builtin import IntegerType, SymbolRefAttr, i32
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.conversion.launch.buffers import (
    allocation_sizes,
    generic_pointer,
    memref_type,
    new_buffer,
    require_identity_layout,
    size_in_bytes,
    unranked_type,
)
from xgpu.conversion.launch.builtin_types import Memref
from xgpu.conversion.launch.kernel_signature import KernelSignature
from xgpu.conversion.launch.state import LaunchConversion, runtime_call, runtime_value
from xgpu.conversion.memref.descriptor import MemRefDescriptor, UnrankedDescriptor
from xgpu.core.rewriting.driver import NoMatch
from xgpu.dialects.gpu.attributes import AsyncTokenType
from xgpu.dialects.llvm.builders import POINTER, binary, constant, index_constant, zero

if TYPE_CHECKING:
    from xgpu.core.rewriting.driver import Rule
    from xgpu.dialects import gpu

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
        from xgpu.conversion.async_runtime.structure import lower_yield

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


RULES: dict[str, Rule] = {
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
}

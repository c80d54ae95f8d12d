# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gpu operations of the host as calls of the runtime (the mgpu functions).

A token is a stream: an operation with one dependency runs on that stream and hands it on. Where
streams meet (`gpu.wait async [a, b]`) each leaves an event behind, recorded right after the
operation
that made the token, and a new stream waits for the events. The rules take only what MLIR's take: an
operation without a token, or with several dependencies, stays as it is.
Source: MLIR 22.1 GPUToLLVMConversion.cpp; signatures: xgpu/runtime/abi.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import IntegerType, i32
from xdsl.ir import Attribute, Operation, Region, SSAValue

from xgpu import ods
from xgpu.conversion.llvm_ops import (
    binary,
    call,
    constant,
    function_attributes,
    gep,
    index_constant,
    zero,
)
from xgpu.conversion.memref.descriptor import MemRefDescriptor, UnrankedDescriptor
from xgpu.dialects.gpu.attributes import AsyncTokenType
from xgpu.dialects.llvm.types import LLVMFunctionType, LLVMPointerType, LLVMVoidType
from xgpu.dialects.memref.strides import strided_form
from xgpu.rewriting.driver import NoMatch

POINTER = LLVMPointerType()
VOID = LLVMVoidType()
_I8, _I16 = IntegerType(8), IntegerType(16)


class RuntimeState:
    """What the rules of one conversion share: declarations, where tokens end, arguments."""

    __slots__ = (
        "_declared", "arguments", "bare_kernels", "dense_of_2to4", "intersperse", "module",
        "token_ends",
    )  # fmt: skip

    def __init__(
        self,
        module: Operation,
        *,
        bare_kernels: bool = False,
        intersperse: bool = False,
    ) -> None:
        from xgpu.conversion.launch.kernel_arguments import ArgumentBuffers
        from xgpu.conversion.launch.sparse_facts import dense_tensors_of_2to4

        self.module = module
        #: Where launches put the arguments of kernels.
        self.arguments = ArgumentBuffers()
        #: Ids of dense tensors that are multiplied with a matrix of 2:4 sparsity.
        self.dense_of_2to4 = dense_tensors_of_2to4(module)
        self.bare_kernels = bare_kernels
        self.intersperse = intersperse
        #: Token -> the last operation of what made it; events of its stream go behind that.
        self.token_ends: dict[SSAValue, Operation] = {}
        #: Names of the functions that a module declares, by the module's identity.
        self._declared: dict[int, tuple[Operation, set[str]]] = {}

    def declared(self, module: Operation) -> set[str]:
        """The names of the functions in `module`; those added later are added here."""
        known = self._declared.get(id(module))
        if known is None:
            from xgpu.ir.symbols import symbol_name

            names = {
                name
                for block in module.regions[0].blocks
                for op in block.ops
                if op.name == "llvm.func" and (name := symbol_name(op))
            }
            known = self._declared[id(module)] = (module, names)
        return known[1]


def _module_around(block: Any) -> Any:
    """The module nearest around `block`: its symbols are those that operations in it see."""
    op = block.parent_op()
    while op is not None and op.name != "builtin.module":
        op = op.parent_op()
    return op


def runtime_call(
    rw: Any, name: str, operands: Sequence[SSAValue], result: Attribute | None = None
) -> Any:
    """Calls a runtime function, declared at the end of the nearest module; its result or None."""
    state: RuntimeState = rw.state
    module = _module_around(rw.block) or state.module
    declared = state.declared(module)
    if name not in declared:
        declared.add(name)
        ty = LLVMFunctionType([o.type for o in operands], VOID if result is None else result)
        declaration = ods.create(
            "llvm.func",
            properties=function_attributes(name, ty),
            regions=[Region()],
            location=rw.location,
        )
        block: Any = module.regions[0].blocks.last
        block.add_op(declaration)
    made = call(rw, name, operands, result)
    return made.results[0] if result is not None else None


def end_token(op: Operation, rw: Any) -> None:
    """Remembers where the token of `op` has been made."""
    last = op.prev_op
    if last is not None and op.results and isinstance(op.results[-1].type, AsyncTokenType):
        rw.state.token_ends[op.results[-1]] = last


def single_dependency(op: Any, rw: Any) -> SSAValue:
    """The stream of an asynchronous operation with exactly one dependency."""
    dependencies = op.async_dependencies
    if len(dependencies) != 1:
        raise NoMatch("Can only convert with exactly one async dependency.")
    if op.async_token is None:
        raise NoMatch("Can convert only async version.")
    return rw.converted(dependencies[0])


# --- memory ------------------------------------------------------------------------------------
def _require_identity_layout(ty: Any) -> None:
    form = strided_form(ty)
    identity = form is not None and form[1] == 0 and form[0] == _contiguous(ty)
    if not identity:
        raise NoMatch("expected a memref with an identity layout")


def _contiguous(ty: Any) -> list[int | None]:
    from xgpu.dialects.memref.strides import contiguous_strides

    return contiguous_strides(ty.get_shape())


def allocation_sizes(
    rw: Any, ty: Any, dynamic: Sequence[SSAValue]
) -> tuple[list[SSAValue], list[SSAValue], SSAValue]:
    """Sizes, strides and bytes of a new buffer of type `ty`."""
    index = rw.types.index
    remaining = iter(dynamic)
    shape = ty.get_shape()
    sizes = [next(remaining) if n < 0 else index_constant(rw, n, index) for n in shape]
    known: int | None = 1
    running = index_constant(rw, 1, index)
    strides: list[SSAValue] = []
    for extent, size in zip(reversed(shape), reversed(sizes), strict=True):
        strides.append(running)
        was_one = known == 1
        known = None if known is None or extent < 0 else known * extent
        if was_one:
            running = size
        elif known is None:
            running = binary(rw, "mul", running, size, 0)
        else:
            running = index_constant(rw, known, index)
    strides.reverse()
    return sizes, strides, size_in_bytes(rw, ty, running)


def size_in_bytes(rw: Any, ty: Any, count: SSAValue | int) -> SSAValue:
    """The bytes of `count` elements: the address of the element behind the last, from null."""
    element = rw.convert_type(ty.element_type)
    end = gep(rw, zero(rw, POINTER), element, [count])
    return rw.value("llvm.ptrtoint", (end,), rw.types.index)


def lower_alloc(op: Any, operands: Sequence[Any], rw: Any) -> list[Any]:
    """gpu.alloc as mgpuMemAlloc(bytes, stream, host_shared)."""
    ty = op.memref.type
    _require_identity_layout(ty)
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
    pointer = runtime_call(rw, "mgpuMemAlloc", [size, stream, shared], POINTER)
    space = rw.types.address_space(ty)
    if space:
        pointer = rw.value("llvm.addrspacecast", (pointer,), LLVMPointerType(space))
    descriptor = MemRefDescriptor.from_parts(rw, rw.types, ty, pointer, pointer, sizes, strides)
    end_token(op, rw)
    return [descriptor.value, *([stream] if op.async_token is not None else [])]


def lower_dealloc(op: Any, operands: Sequence[Any], rw: Any) -> list[SSAValue]:
    stream = single_dependency(op, rw)
    pointer = generic_pointer(rw, MemRefDescriptor(rw, operands[1]).allocated())
    runtime_call(rw, "mgpuMemFree", [pointer, stream])
    end_token(op, rw)
    return [stream]


def generic_pointer(rw: Any, pointer: SSAValue) -> SSAValue:
    """`pointer` in address space 0."""
    ty: Any = pointer.type
    if ty.address_space == 0:
        return pointer
    return rw.value("llvm.addrspacecast", (pointer,), POINTER)


def _element_count(rw: Any, ty: Any, descriptor: MemRefDescriptor) -> SSAValue:
    """How many elements a memref of identity layout has."""
    shape = ty.get_shape()
    if all(extent >= 0 for extent in shape):
        return index_constant(rw, ty.element_count(), rw.types.index)
    count = descriptor.size(0)
    for dimension in range(1, len(shape)):
        count = binary(rw, "mul", count, descriptor.size(dimension), 0)
    return count


def lower_memcpy(op: Any, operands: Sequence[Any], rw: Any) -> list[SSAValue]:
    """gpu.memcpy as mgpuMemcpy(dst, src, bytes, stream)."""
    ty = op.src.type
    _require_identity_layout(ty)
    stream = single_dependency(op, rw)
    source, target = MemRefDescriptor(rw, operands[2]), MemRefDescriptor(rw, operands[1])
    size = size_in_bytes(rw, ty, _element_count(rw, ty, source))
    source_pointer = generic_pointer(rw, source.aligned())
    target_pointer = generic_pointer(rw, target.aligned())
    runtime_call(rw, "mgpuMemcpy", [target_pointer, source_pointer, size, stream])
    end_token(op, rw)
    return [stream]


def lower_memset(op: Any, operands: Sequence[Any], rw: Any) -> list[SSAValue]:
    """gpu.memset of 16 or 32 bits as mgpuMemset16/32(dst, value, elements, stream)."""
    ty = op.dst.type
    _require_identity_layout(ty)
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


def _lower_host_registration(name: str) -> Any:
    def rule(op: Operation, operands: Sequence[Any], rw: Any) -> list[SSAValue]:
        ty: Any = op.operands[0].type
        size = size_in_bytes(rw, ty, 1)
        members = UnrankedDescriptor(rw, operands[0]).unpack()
        runtime_call(rw, name, [*members, size])
        return []

    return rule


def lower_set_default_device(op: Operation, operands: Sequence[Any], rw: Any) -> list[SSAValue]:
    runtime_call(rw, "mgpuSetDefaultDevice", [operands[0]])
    return []


# --- streams and events ------------------------------------------------------------------------
def is_stream(value: SSAValue) -> bool:
    """Whether a converted token is a stream that the program made: MLIR's test."""
    owner = value.owner
    if not isinstance(owner, Operation) or owner.name != "llvm.call":
        return False
    callee: Any = owner.properties.get("callee")
    return callee is not None and callee.root_reference.data == "mgpuStreamCreate"


def create_stream(rw: Any) -> SSAValue:
    return runtime_call(rw, "mgpuStreamCreate", [], POINTER)


def record_event(rw: Any, stream: SSAValue) -> SSAValue:
    event = runtime_call(rw, "mgpuEventCreate", [], POINTER)
    runtime_call(rw, "mgpuEventRecord", [event, stream])
    return event


def lower_wait(op: Any, operands: Sequence[Any], rw: Any) -> list[SSAValue]:
    """gpu.wait: the host waits for each stream or event, and destroys it."""
    if op.async_token is not None:
        return _lower_wait_async(op, operands, rw)
    for operand in operands:
        kind = "Stream" if is_stream(operand) else "Event"
        runtime_call(rw, f"mgpu{kind}Synchronize", [operand])
        runtime_call(rw, f"mgpu{kind}Destroy", [operand])
    return []


def _lower_wait_async(op: Any, operands: Sequence[Any], rw: Any) -> list[SSAValue]:
    """gpu.wait async: a new stream that waits for an event of each dependency."""
    events: list[SSAValue] = []
    for token, operand in zip(op.operands, operands, strict=True):
        if not is_stream(operand):
            events.append(operand)
            continue
        end = rw.state.token_ends.get(token)
        if end is None or end.parent is None:
            end = operand.owner
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


def lower_async_yield(op: Operation, operands: Sequence[Any], rw: Any) -> None:
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
def lower_launch_func(op: Any, operands: Sequence[Any], rw: Any) -> list[SSAValue]:
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
    arguments = kernel_arguments(rw, kernel, operands[first : first + len(kernel)])

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


def is_legal_launch(op: Any) -> bool:
    """Whether all operands of a launch are what the llvm dialect has."""
    return op.async_token is None and not any(
        _is_builtin_only(operand.type) for operand in op.operands
    )


def _is_builtin_only(ty: Attribute) -> bool:
    return ty.name in ("index", "memref", "unranked_memref", "gpu.async.token")


def kernel_arguments(rw: Any, old: Sequence[SSAValue], new: Sequence[Any]) -> list[SSAValue]:
    """Memrefs are passed as their members, or as one pointer (and a size)."""
    from xdsl.dialects.builtin import MemRefType, UnrankedMemRefType

    arguments: list[SSAValue] = []
    for before, value in zip(old, new, strict=True):
        ty: Any = before.type
        if isinstance(ty, MemRefType):
            memref = MemRefDescriptor(rw, value)
            if rw.state.bare_kernels:
                arguments.append(memref.aligned())
            else:
                arguments += memref.unpack()
        elif isinstance(ty, UnrankedMemRefType):
            if rw.state.bare_kernels:
                raise NoMatch("unranked memrefs cannot be bare pointers")
            arguments += UnrankedDescriptor(rw, value).unpack()
        else:
            arguments += value if isinstance(value, tuple) else (value,)
    return _with_sizes(rw, old, arguments) if rw.state.intersperse else arguments


def _with_sizes(rw: Any, old: Sequence[SSAValue], arguments: Sequence[SSAValue]) -> list[SSAValue]:
    """After each pointer the size of its memref in bytes."""
    if len(old) != len(arguments):
        raise NoMatch("Cannot add sizes to arguments with one-to-many LLVM IR expansion.")
    pairs = [(value, _size(rw, before.type)) for before, value in zip(old, arguments, strict=True)]
    return [value for pair in pairs for value in pair]


def _size(rw: Any, ty: Any) -> SSAValue:
    from xdsl.dialects.builtin import MemRefType

    if not isinstance(ty, MemRefType):
        raise NoMatch("Operand to launch op is not a memref.")
    width = getattr(ty.element_type, "bitwidth", None)
    if any(extent < 0 for extent in ty.get_shape()) or width is None:
        raise NoMatch(
            "Operand to launch op is not a memref with a static shape and an integer or float "
            "element type."
        )
    if width % 8:
        raise NoMatch("Operand to launch op is not a memref with a byte-aligned element type.")
    return index_constant(rw, width // 8 * ty.element_count(), rw.types.index)


RULES = {
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

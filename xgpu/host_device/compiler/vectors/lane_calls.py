# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is not executed as vectors of threads, as calls of the device's runtime on the record of a
thread.

    nvvm.mbarrier.try_wait %bar, %phase
becomes
    %thread = llvm.call @xgpu.this_thread() : () -> !llvm.ptr       // in the first block, once
    %go = llvm.call @xgpu_mbarrier_wait(%thread, %bar, %phase) {host.waits} : (...) -> i1

by the rules of `lowering`, which are those of threads by themselves. What vectors can do stays.
Later each lane of a warp calls for itself, with its own record, or one for all (`warp_calls`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Block, Operation, SSAValue

from xgpu.backend.llvm_ir.facts import text_of
from xgpu.core import ods
from xgpu.core.ir.construction import erase_operation, nested_operations
from xgpu.dialects.llvm.types import LLVMArrayType
from xgpu.host_device.compiler import operations
from xgpu.host_device.compiler.code import (
    OF_LANE,
    THIS_BLOCK,
    THIS_THREAD,
    Code,
    FunctionState,
    ModuleState,
    NoRegions,
    Unsupported,
    call_properties,
)
from xgpu.host_device.compiler.ptx.raise_assembly import raise_assembly
from xgpu.host_device.compiler.raise_intrinsics import intrinsic_name
from xgpu.host_device.compiler.scalarize import is_aggregate
from xgpu.host_device.compiler.spin_waits import SANITIZER, yield_in_spins
from xgpu.host_device.compiler.threads.coroutines import yield_at_loops
from xgpu.host_device.compiler.threads.runtime_calls import lay_out_shared, lower_operation
from xgpu.host_device.compiler.types import I8, I32, POINTER, bits
from xgpu.host_device.compiler.vectors.warp_calls import SCRATCH, is_device_call

if TYPE_CHECKING:
    from xdsl.ir import Attribute


# -- which operations are executed as vectors


#: Operations of the nvvm dialect that each thread does by itself, without memory.
_OWN = (
    "nvvm.rcp.", "nvvm.fmin", "nvvm.fmax", "nvvm.ex2", "nvvm.lg2", "nvvm.sqrt", "nvvm.rsqrt",
    "nvvm.tanh", "nvvm.prmt", "nvvm.dot.accumulate", "nvvm.addf", "nvvm.subf", "nvvm.fma",
)  # fmt: skip
_KNOWN = (
    operations.ELEMENTWISE | operations.CONSTANTS | operations.WARP | operations.FENCES
    | operations.HINTS | operations.ATOMICS | operations.TERMINATORS | operations.RANGES
    | {"llvm.getelementptr", "llvm.addrspacecast", "llvm.load", "llvm.store", "llvm.alloca",
       "llvm.extractvalue"}
)  # fmt: skip


def check(function: Operation) -> None:
    """Raises `NoRegions` at the first operation that vectors cannot do."""
    for op in nested_operations(function):
        reason = _obstacle(op)
        if reason is not None:
            raise NoRegions(reason, op)


def _obstacle(op: Operation) -> str | None:
    name = op.name
    if name == "llvm.call":
        callee = operations.callee(op)
        known = callee is not None and (
            callee in operations.SERVICES
            or callee in (operations.SCREEN_CHECK, operations.BOUNDS_CHECK, operations.MARK)
            or (callee.startswith("__nv_") and op.results)
        )
        if not known and not is_device_call(op):
            return f"it calls '{callee or 'an address'}'"
    elif name == "llvm.call_intrinsic":
        if not operations.is_computed(op):
            return f"it calls '{text_of(op.properties['intrin'])}'"
    elif operations.register(op) is None and not operations.is_barrier(op):
        if name not in _KNOWN and not (name.startswith(_OWN) and op.results):
            return f"'{name}' has no form for a vector of threads"
    if name == "llvm.fence" or name in operations.HINTS:
        return None
    for value in (*op.operands, *op.results):
        if not _is_scalar(value.type) and not _is_pair(op, value):
            return f"'{name}' has a value of type {value.type}"
    return None


def is_vectorizable(op: Operation) -> bool:
    """Whether an nvvm operation is executed as vectors."""
    if any(is_aggregate(v.type) and not _is_pair(op, v) for v in (*op.operands, *op.results)):
        return False
    if operations.register(op) is not None:
        return True
    return op.name in _KNOWN or (op.name.startswith(_OWN) and bool(op.results))


def _is_scalar(ty: Attribute) -> bool:
    width = bits(ty)
    return width is not None and width <= 64 and (
        ty.name != "integer_type" or width in (1, 8, 16, 32, 64)
    )  # fmt: skip


def _is_pair(op: Operation, value: SSAValue) -> bool:
    """A struct that an operation delivers, or one that is taken apart."""
    return value.type.name == "llvm.struct" and op.name in (
        "nvvm.shfl.sync", "nvvm.match.sync", "llvm.cmpxchg", "llvm.extractvalue"
    )  # fmt: skip


def lower_for_lanes(function: Operation, module: Operation | None) -> None:
    """Changes a kernel in place; `module` is where it comes from. Raises `NoRegions`."""
    try:
        raise_assembly(function)
    except Unsupported as reason:
        raise NoRegions(str(reason), reason.at) from None
    found = [op for op in nested_operations(function) if needs_call(op)]
    state = _state(function, module)
    yield_in_spins(function, state)
    try:
        for op in found:
            state.begin_operation()
            if not _is_sanitizer_call(op):
                lower_operation(op, state)
            else:
                _give_thread(op, state)
        yield_at_loops(function, state)
    except Unsupported as reason:
        raise NoRegions(str(reason), reason.at) from None


def lower_without_thread(function: Operation, module: Operation | None) -> None:
    """Changes what is arithmetic or an access of memory by its rule; barriers of the block stay.
    Raises `NoRegions` at an operation that needs the thread's record."""
    found = [
        op for op in nested_operations(function)
        if needs_call(op) and not operations.is_barrier(op)
        and not (op.name == "llvm.call" or op.name.startswith("llvm.intr."))
    ]  # fmt: skip
    if not found:
        return
    state = _state(function, module)
    records = (state.thread, state.known["block"])
    for op in found:
        intrinsic = intrinsic_name(op)
        name = op.name if intrinsic is None else f"llvm.nvvm.{intrinsic}"
        state.begin_operation()
        try:
            lower_operation(op, state)
        except Unsupported as reason:
            raise NoRegions(str(reason), reason.at) from None
        for record in records:
            if record.first_use is not None:
                user = record.first_use.operation
                raise NoRegions(f"'{name}' has no form for a vector of threads", user)
    for record in records:
        erase_operation(record.owner)  # type: ignore[arg-type]


def needs_call(op: Operation) -> bool:
    """Whether an operation is one that is not executed as vectors and has a rule."""
    if op.name in operations.TERMINATORS or op.name in ("llvm.func", "llvm.switch"):
        return False
    if operations.is_barrier(op):
        return True
    if op.name == "llvm.call":
        return operations.callee(op) in operations.SERVICES or _is_sanitizer_call(op)
    if op.name.startswith("llvm."):
        return op.name == "llvm.call_intrinsic" or (
            op.name.startswith("llvm.intr.") and ("trap" in op.name)
        )
    return not is_vectorizable(op)


def _is_sanitizer_call(op: Operation) -> bool:
    """Whether an operation tells the sanitizer what a thread does."""
    return op.name == "llvm.call" and (operations.callee(op) or "").startswith(SANITIZER)


def _give_thread(op: Operation, state: FunctionState) -> None:
    """A call of the sanitizer gets the record of its lane, by the function's other name."""
    given = (state.thread, *op.operands)
    name = OF_LANE + (operations.callee(op) or "")
    made = ods.create(
        "llvm.call", given, [r.type for r in op.results], call_properties(name, given),
        location=op.location,
    )  # fmt: skip
    block = op.parent
    assert block is not None
    block.insert_op_before(made, op)
    for old, new in zip(op.results, made.results, strict=True):
        old.replace_all_uses_with(new)
    erase_operation(op)


class _LaneState(FunctionState):
    """The state of a function whose thread's record is the result of a call."""

    def __init__(self, function: Operation, module: ModuleState, thread: Operation) -> None:
        super().__init__(function, module, True, thread.results[0])
        self._scratch: list[SSAValue] = []
        self._used = 0

    def begin_operation(self) -> None:
        """What operations need for themselves alone is the same memory."""
        self._used = 0

    def memory(self, code: Code, size: int, alignment: int) -> SSAValue:
        at, self._used = self._used, self._used + 1
        if at == len(self._scratch):
            self._scratch.append(super().memory(code, size, alignment))
        place = self._scratch[at]
        allocation = cast("Operation", place.owner)
        allocation.attributes[SCRATCH] = UnitAttr()
        if cast("LLVMArrayType", allocation.properties["elem_type"]).size < size:
            allocation.properties["elem_type"] = LLVMArrayType(size, I8)
        return place

    def thread_register(self, code: Code, name: str) -> SSAValue:
        if name == "linear":
            return super().thread_register(code, name)
        return code.value(f"nvvm.read.ptx.sreg.{name}", (), I32)


def _state(function: Operation, module: Operation | None) -> _LaneState:
    state = ModuleState()
    if module is not None:
        lay_out_shared(module, state)
    region = function.regions[0]
    body: Block = region.blocks[0]
    prologue = Block(arg_types=[a.type for a in body.args])
    region.insert_block_before(prologue, body)
    for old, new in zip(body.args, prologue.args, strict=True):
        new.location, new.name_hint = old.location, old.name_hint
        old.replace_all_uses_with(new)
    for argument in reversed(body.args):
        body.erase_arg(argument)
    thread, block = (_record(name, function) for name in (THIS_THREAD, THIS_BLOCK))
    prologue.add_ops((thread, block))
    prologue.add_op(ods.create("llvm.br", (), (), successors=(body,), location=function.location))
    found = _LaneState(function, state, thread)
    found.known["block"] = block.results[0]
    return found


def _record(name: str, function: Operation) -> Operation:
    return ods.create(
        "llvm.call", (), (POINTER,), call_properties(name, ()), location=function.location
    )

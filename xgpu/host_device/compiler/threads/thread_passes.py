# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The steps from a kernel module to host code in which each thread is by itself, as passes.

    host-runtime-calls     what only a GPU has becomes calls of the device's runtime
    host-flat-memory       one address space
    host-inline-waits      functions that make a thread wait are part of their callers
    host-check-divisions   divisions without a result end a kernel
    host-entries           kernels become loops over the threads of a block, or coroutines

They work on each `gpu.module`, or on a module without one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, VectorType
from xdsl.ir import Attribute, SSAValue

from xgpu.core.ir.construction import nested_operations, replace_all_uses, set_type
from xgpu.core.ir.errors import error
from xgpu.core.ir.symbols import symbol_name
from xgpu.core.passes.base import Pass
from xgpu.dialects.llvm.types import (
    LLVMArrayType,
    LLVMFunctionType,
    LLVMPointerType,
    LLVMStructType,
)
from xgpu.host_device.compiler.claims import OF_ONE_THREAD
from xgpu.host_device.compiler.code import ModuleState, Unsupported
from xgpu.host_device.compiler.threads.runtime_calls import declare, lower_module, top_level
from xgpu.host_device.compiler.types import POINTER

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation


# -- One address space: pointers without numbers, no casts between them, no scopes of GPUs.
# Scopes of aliasing, which are about the accesses of one thread, go too.
#
#     %p = llvm.addrspacecast %q : !llvm.ptr<3> to !llvm.ptr
#     %v = llvm.load %q atomic syncscope("block") acquire : !llvm.ptr<3> -> i32
# becomes
#     %v = llvm.load %q atomic acquire : !llvm.ptr -> i32


class Flattener:
    """Types without address spaces; each type is looked at once."""

    def __init__(self) -> None:
        self._known: dict[Attribute, Attribute] = {}

    def __call__(self, ty: Attribute) -> Attribute:
        found = self._known.get(ty)
        if found is None:
            found = self._known[ty] = self._flat(ty)
        return found

    def _flat(self, ty: Attribute) -> Attribute:
        if isinstance(ty, LLVMPointerType):
            return POINTER
        if isinstance(ty, LLVMArrayType):
            inner = self(ty.element_type)
            return ty if inner is ty.element_type else LLVMArrayType(ty.size, inner)
        if isinstance(ty, LLVMStructType) and not ty.is_opaque:
            return self._struct(ty)
        if isinstance(ty, LLVMFunctionType):
            arguments = [self(a) for a in ty.arguments]
            return LLVMFunctionType(arguments, self(ty.result), variadic=ty.variadic)
        if isinstance(ty, VectorType) and isinstance(ty.element_type, LLVMPointerType):
            return VectorType(POINTER, ty.shape, ty.scalable_dims)
        return ty

    def _struct(self, ty: LLVMStructType) -> Attribute:
        body = [self(member) for member in ty.body]
        if all(a is b for a, b in zip(body, ty.body, strict=True)):
            return ty
        # A struct's name stands for its members; with other members it is another one.
        return LLVMStructType(body, packed=ty.packed)

    def attribute(self, attr: Attribute) -> Attribute:
        """An attribute with types in it."""
        if isinstance(attr, DictionaryAttr):
            return DictionaryAttr({k: self.attribute(v) for k, v in attr.data.items()})
        if isinstance(attr, ArrayAttr):
            return ArrayAttr([self.attribute(a) for a in attr.data])
        return self(attr)


_TYPED = ("elem_type", "function_type", "global_type", "var_callee_type", "arg_attrs", "res_attrs")
#: Of operations. A module of kernels is an object by itself: no other one is linked to it whose
#: comdats could be the same.
_DROPPED = ("syncscope", "comdat", *OF_ONE_THREAD)


def flatten_memory(module: Operation) -> None:
    """Changes a module in place."""
    flat = Flattener()
    for op in nested_operations(module):
        _flatten(op, flat)


def _flatten(op: Operation, flat: Flattener) -> None:
    for result in op.results:
        _set_type(result, flat)
    for region in op.regions:
        for block in region.blocks:
            for argument in block.args:
                _set_type(argument, flat)
    properties = op.properties
    for name in _TYPED:
        if name in properties:
            properties[name] = flat.attribute(properties[name])
    for name in _DROPPED:
        properties.pop(name, None)
    if op.name == "llvm.mlir.global":
        properties.pop("addr_space", None)
        properties.pop("externally_initialized", None)
    if op.name == "llvm.addrspacecast":
        replace_all_uses(op.results[0], op.operands[0])
        op.detach()
        op.erase()


def _set_type(value: SSAValue, flat: Flattener) -> None:
    ty = flat(value.type)
    if ty is not value.type:
        set_type(value, ty)


def kernel_modules(op: Operation) -> list[Operation]:
    """The kernel modules in `op`: each gpu.module, or `op` itself."""
    if op.name == "gpu.module":
        return [op]
    if op.name != "builtin.module":
        return []
    return [m for m in top_level(op) if m.name == "gpu.module"] or [op]


def _state(module: Operation) -> ModuleState:
    """What is known of a module that a pass before has changed."""
    state = ModuleState()
    functions = [op for op in top_level(module) if op.name == "llvm.func"]
    state.placed = {symbol_name(f) or "" for f in functions}
    return state


class _HostPass(Pass):
    def run(self, op: Operation, ctx: Context) -> None:
        for module in kernel_modules(op):
            try:
                self.change(module)
            except Unsupported as reason:
                raise error(reason.at or module, str(reason)) from None

    def change(self, module: Operation) -> None:
        raise NotImplementedError


class HostRuntimeCalls(_HostPass):
    """See `runtime_calls`."""

    name = "host-runtime-calls"
    summary = "Make calls of the host device's runtime of what only a GPU has"

    def change(self, module: Operation) -> None:
        lower_module(module)


class HostFlatMemory(_HostPass):
    """Pointers without address spaces, no scopes of GPUs."""

    name = "host-flat-memory"
    summary = "Put all memory of kernels into one address space"

    def change(self, module: Operation) -> None:

        flatten_memory(module)


class HostInlineWaits(_HostPass):
    """See `inline_waits`."""

    name = "host-inline-waits"
    summary = "Inline functions of kernel modules that make a thread wait"

    def change(self, module: Operation) -> None:
        from xgpu.host_device.compiler.threads.coroutines import inline_waits

        inline_waits(module)


class HostCheckDivisions(_HostPass):
    """See `divisions`."""

    name = "host-check-divisions"
    summary = "Let divisions without a result end a kernel"

    def change(self, module: Operation) -> None:
        from xgpu.host_device.compiler.threads.divisions import check_divisions

        state = _state(module)
        check_divisions(module, state)
        declare(module, state)


class HostEntries(_HostPass):
    """See `entries`."""

    name = "host-entries"
    summary = "Make kernels functions that the host device starts"

    def change(self, module: Operation) -> None:
        from xgpu.host_device.compiler.threads.entries import make_entries

        make_entries(module, _state(module))

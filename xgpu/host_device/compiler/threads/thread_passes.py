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

from xgpu.core.ir.errors import error
from xgpu.core.ir.symbols import symbol_name
from xgpu.core.passes.base import Pass
from xgpu.host_device.compiler.code import ModuleState, Unsupported
from xgpu.host_device.compiler.threads.runtime_calls import declare, top_level

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation


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
        from xgpu.host_device.compiler.threads.runtime_calls import lower_module

        lower_module(module)


class HostFlatMemory(_HostPass):
    """See `flat_memory`."""

    name = "host-flat-memory"
    summary = "Put all memory of kernels into one address space"

    def change(self, module: Operation) -> None:
        from xgpu.host_device.compiler.threads.flat_memory import flatten_memory

        flatten_memory(module)


class HostInlineWaits(_HostPass):
    """See `inline_waits`."""

    name = "host-inline-waits"
    summary = "Inline functions of kernel modules that make a thread wait"

    def change(self, module: Operation) -> None:
        from xgpu.host_device.compiler.threads.inline_waits import inline_waits

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

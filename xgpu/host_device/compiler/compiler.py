# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernel modules as objects for the host, and as code in which each thread is by itself.

An object carries a kernel module in the llvm and nvvm dialects, as text. Code is made of it when a
kernel is launched: for the strategy that it gets with that size of its blocks (`specialize`), or,
once for the module, for threads by themselves, by these passes:

    runtime_calls   what only a GPU has becomes calls of the device's runtime
    flat_memory     one address space
    inline_waits    functions that make a thread wait are part of their callers
    divisions       divisions without a result end a kernel
    entries         a kernel without waits becomes a loop over the threads of a block, one with
                    waits a coroutine a thread
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    UNKNOWN_LOC,
    FileLineColLoc,
    FusedLoc,
    IntAttr,
    StringAttr,
    UnitAttr,
)

from xgpu.backend import llvm_ir
from xgpu.backend.llvm_ir.facts import integers
from xgpu.core.ir.construction import clone_operation, erase_operation, nested_operations
from xgpu.core.ir.locations import source_location
from xgpu.core.ir.symbols import symbol_name
from xgpu.host_device.compiler.bounds_checks import Checks, check_module
from xgpu.host_device.compiler.code import ModuleState, Unsupported
from xgpu.host_device.compiler.counting import COUNTERS, count_in_functions
from xgpu.host_device.compiler.functions import (
    is_kernel,
    parameter_alignments,
    parameter_sizes,
    pointer_parameters,
)
from xgpu.host_device.compiler.objects import Dims, add_module, is_module_wanted, write_object
from xgpu.host_device.compiler.operations import RELAXED_FLOATS
from xgpu.host_device.compiler.threads.coroutines import inline_waits
from xgpu.host_device.compiler.threads.entries import make_entries
from xgpu.host_device.compiler.threads.runtime_calls import (
    PARAMETERS,
    declaration,
    host_variables,
    is_divisible,
    is_host_variable,
    lay_out_shared,
    lower_module,
    top_level,
    uses_workspace,
)

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Block, Operation

    from xgpu.backend.llvm_ir.parts import Uses
    from xgpu.host_device.compiler.objects import Manifest


def compile_module(
    module: Operation, opt_level: int = 2, sizes: dict[str, list[Dims]] | None = None,
    relaxed_floats: bool = False,
) -> bytes:  # fmt: skip
    """A `gpu.module` in the llvm and nvvm dialects as an object (see `objects`).

    `sizes` says for which blocks code is made when the object is loaded. `relaxed_floats` lets
    kernels add to floats atomically in another order, and says so on each of them. Raises
    `Unsupported` for what the host cannot run.
    """
    from xgpu.core.syntax import print_module

    for kernel in _kernels(module) if relaxed_floats else ():
        kernel.attributes[RELAXED_FLOATS] = UnitAttr()
    # MLIR's own form of `nvvm.barrier` reads a location behind it as its reduction.
    generic = any(op.name == "nvvm.barrier" for op in nested_operations(module))
    text = print_module(module, debuginfo=True, generic=generic)
    state = _described(module) if _is_plain(module) else _tried(module)
    if is_module_wanted():
        add_module(text, clone_operation(module))
    alignments = {symbol_name(op) or "": parameter_alignments(op) for op in _kernels(module)}
    manifest: Manifest = {
        "kernels": {
            name: {"parameters": bytes, "alignments": alignments[name], "shared": shared}
            for name, bytes, shared in state.kernels
        },
        "shared_end": state.static_bytes,
        "dynamic_shared": state.dynamic_offset,
        "globals": state.variables,
        "variables": host_variables(module),
        "symbols": sorted(state.declared),
        "opt_level": opt_level,
        "sizes": sizes or {},
        "pointers": {symbol_name(op) or "": pointer_parameters(op) for op in _kernels(module)},
        "blocks": {
            symbol_name(op) or "": said
            for op in _kernels(module)
            if (said := _said_of_blocks(op)) is not None
        },
        "clusters": {
            symbol_name(op) or "": integers(said)
            for op in _kernels(module)
            if (said := op.attributes.get("nvvm.cluster_dim")) is not None
        },
        "is_divisible": is_divisible(module),
        "uses_workspace": uses_workspace(module),
        "module": symbol_name(module) or "",
        "locations": {symbol_name(op) or "": _place(op) for op in _kernels(module)},
    }
    return write_object(manifest, text)


# What a kernel may say of the size of its blocks, the strictest first.
_BLOCK_SIZES = ("nvvm.reqntid", "gpu.known_block_size", "nvvm.maxntid")


def _said_of_blocks(kernel: Operation) -> tuple[str, list[int]] | None:
    for name in _BLOCK_SIZES:
        attr = kernel.attributes.get(name)
        if attr is not None:
            return name, integers(attr)
    return None


def _place(op: Operation) -> str:
    """Where the source has an operation, `file:line:column`; empty where that is not known."""
    location = source_location(op.location)
    return "" if location is None else ":".join(map(str, location))


def _kernels(module: Operation) -> list[Operation]:
    functions = [op for op in top_level(module) if op.name == "llvm.func"]
    return [op for op in functions if op.regions[0].blocks and is_kernel(op)]


def _tried(module: Operation) -> ModuleState:
    """What is known of a module that has been compiled for the host, up to LLVM IR."""
    copy = clone_operation(module)
    try:
        state = to_threads(copy)
        host_text(copy)
    except Unsupported as reason:
        raise _located(reason) from None
    return state


def _is_plain(module: Operation) -> bool:
    """Whether all operations of a module are known to have a meaning on the host."""
    from xgpu.host_device.compiler.strategies import is_known

    return all(op.name in _EVERYWHERE or is_known(op) for op in nested_operations(module))


#: What LLVM has on each machine as it is.
_EVERYWHERE = frozenset(
    (
        "llvm.func", "llvm.mlir.global", "llvm.return", "llvm.extractelement",
        "llvm.insertelement",
    )
)  # fmt: skip


def _described(module: Operation) -> ModuleState:
    """What is known of a module that need not be tried."""
    state = ModuleState()
    lay_out_shared(module, state)
    for op in top_level(module):
        name = symbol_name(op) or ""
        if op.name == "llvm.mlir.global" and name not in state.shared:
            state.variables.append(name)
        elif op.name == "llvm.func" and op.regions[0].blocks and is_kernel(op):
            state.kernels.append((name, parameter_sizes(op), state.kernel_shared[name]))
    return state


def _located(reason: Unsupported) -> Unsupported:
    """What is wrong, in which function. The operation is one of a copy with the same places."""
    function = reason.at
    while function is not None and function.name != "llvm.func":
        function = function.parent_op()
    if function is None:
        return reason
    name = function.properties["sym_name"].data  # type: ignore[attr-defined]
    kind = "kernel" if PARAMETERS in function.attributes else "function"
    return Unsupported(f"{kind} '{name}': {reason}", reason.at)


def compile_llvm(source: str | bytes, opt_level: int = 2) -> bytes:
    """Likewise for a kernel module in LLVM IR for NVPTX, as text or bitcode. Raises
    `DiagnosticError` for what LLVM refuses."""
    return compile_module(import_kernels(source), opt_level)


def import_kernels(source: str | bytes) -> Operation:
    """LLVM IR for NVPTX as a `gpu.module` in the llvm and nvvm dialects."""
    from xgpu.frontend.llvm_ir import import_module
    from xgpu.frontend.llvm_ir.device import device_program

    program = device_program(cast("ModuleOp", import_module(source)), "kernels")
    (kernels,) = program.regions[0].blocks[0].ops
    kernels.detach()
    return kernels


def to_threads(module: Operation) -> ModuleState:
    """Changes a kernel module in place into one for the host, in which each thread is by itself.
    Raises `Unsupported`."""
    state = to_host(module)
    make_entries(module, state)
    return state


def to_host(module: Operation) -> ModuleState:
    """Changes a kernel module in place into one of functions for the host. Raises
    `Unsupported`."""
    from xgpu.host_device.compiler.threads.divisions import check_divisions
    from xgpu.host_device.compiler.threads.thread_passes import flatten_memory

    state = lower_module(module)
    flatten_memory(module)
    inline_waits(module)
    check_divisions(module, state)
    return state


def thread_code(
    module: Operation, opt_level: int, checks: Checks | None = None, counts: bool = False
) -> tuple[bytes, ModuleState]:
    """Object code of a kernel module in which each thread is by itself; `module` is not changed.
    With `checks`, which learn of the accesses, their bounds are checked. With `counts` its kernels
    count what they do, and its variables are those of code that does not."""
    copy = clone_operation(module)
    if checks is not None:
        check_module(copy, checks)
    if counts:
        _share_variables(copy)
    state = to_threads(copy)
    if counts:
        count_in_functions(copy)
    return host_code(copy, opt_level), state


def _share_variables(module: Operation) -> None:
    """Lets the variables of a kernel module be those of other code, all but its counters."""
    for op in top_level(module):
        if is_host_variable(op) and symbol_name(op) != COUNTERS:
            cast("Block", op.parent).insert_op_before(declaration(op), op)
            erase_operation(op)


def _drop_debug_information(module: Operation) -> None:
    """Leave functions their places alone. What is made of a kernel is several functions, one of
    which calls another; LLVM wants a subprogram to belong to one, and each call in it a place."""
    for op in top_level(module):
        if op.name == "llvm.func" and type(op.location) is FusedLoc:
            place = source_location(op.location)
            op.location = (
                UNKNOWN_LOC
                if place is None
                else FileLineColLoc(
                    StringAttr(place.file), IntAttr(place.line), IntAttr(place.column)
                )
            )


def host_text(module: Operation, uses: Uses | None = None) -> str:
    """LLVM IR of a module for the host, whose functions lose their debug information, and their
    instructions with them; `uses` gets what the text uses that not every target has."""
    from xgpu.host_device.machine.cpu import host_target

    _drop_debug_information(module)
    is_checked = host_target().is_checked
    return llvm_ir.translate(
        module, target="host", locates=is_checked, names_places=is_checked, uses=uses
    )


def host_code(module: Operation, opt_level: int) -> bytes:
    """Object code of a module for the host. Raises `DiagnosticError` for what LLVM has no code
    for."""
    from xgpu.backend.llvm_ir.parts import Uses
    from xgpu.host_device.machine.cpu import compile_ir

    uses = Uses()
    return compile_ir(host_text(module, uses), opt_level, uses)

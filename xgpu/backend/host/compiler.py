# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels as code for the machine that we run on, each thread by itself.

The input is LLVM IR of a kernel module for NVPTX, as text or bitcode, from whatever source: the
seam lies at the level of `llvm.nvvm.*` calls, so that our own translation, `mlir-translate` and
the bitcode of an `offload` object all take the same way. Each thread gets a record
(`structs.Thread`); a kernel without waits becomes a loop over the threads of a block, one
with waits a coroutine a thread. The object describes itself in the symbol `xgpu_kernels`, text
that `read_manifest` reads.
"""

from __future__ import annotations

import json
import re
from typing import Any

from xgpu.backend.host.context import (
    THREAD,
    FunctionContext,
    ModuleContext,
    UnsupportedOnHost,
    block_register_load,
    field_load,
    field_store,
    is_block_register,
)
from xgpu.backend.host.coroutine import expand_exits, make_coroutine, take_turns_at_loops
from xgpu.backend.host.function import FunctionRewriter, callees, strip_spaces, waits
from xgpu.backend.host.sizes import SHARED_SPACE, byte_size, byval, lay_out_shared
from xgpu.backend.host.structs import size_of
from xgpu.backend.host.text import Function, Global, Module, read_module, type_end

MAGIC = b"xgpu-host-2\0"


class KernelInfo:
    """What a launch must know of a kernel: sizes in bytes."""

    __slots__ = ("name", "parameter_sizes", "static_shared", "suspending")

    def __init__(
        self, name: str, parameter_sizes: list[int], static_shared: int, suspending: bool
    ) -> None:
        self.name = name
        self.parameter_sizes = parameter_sizes
        self.static_shared = static_shared
        self.suspending = suspending


def compile_module(
    source: str | bytes,
    opt_level: int = 2,
    ir: str = "",
    sizes: dict[str, list[tuple[int, int, int]]] | None = None,
) -> bytes:
    """A kernel module in LLVM IR (text or bitcode) for the host, as a self-contained object.

    The result is `MAGIC`, the length of a manifest, the manifest (JSON), and LLVM IR for the host
    in which each thread is by itself; machine code is made of it when a kernel is launched that
    runs in that form. `ir` is the module in the llvm and nvvm dialects, of which the faster forms
    are made (see `specialize`), and `sizes` says for which blocks when it is loaded. Raises
    `UnsupportedOnHost` for what the host cannot run, and RuntimeError for IR that LLVM refuses.
    """
    text, manifest = translate(source)
    manifest["ir"] = ir
    manifest["opt_level"] = opt_level
    manifest["sizes"] = sizes or {}
    head = json.dumps(manifest).encode()
    return MAGIC + len(head).to_bytes(8, "little") + head + text.encode()


def is_host_object(data: bytes) -> bool:
    """Whether `data` is what `compile_module` makes."""
    return data.startswith(MAGIC)


def read_object(data: bytes) -> tuple[dict[str, KernelInfo], dict[str, Any], str]:
    """Kernels by name, the rest of the manifest, and LLVM IR for the host as text."""
    length = int.from_bytes(data[len(MAGIC) : len(MAGIC) + 8], "little")
    start = len(MAGIC) + 8
    manifest = json.loads(data[start : start + length])
    kernels = {
        name: KernelInfo(name, k["parameters"], k["shared"], k["suspending"])
        for name, k in manifest["kernels"].items()
    }
    return kernels, manifest, data[start + length :].decode()


def translate(
    source: str | bytes, block_functions: frozenset[str] = frozenset()
) -> tuple[str, dict[str, Any]]:
    """LLVM IR text for the host, and the manifest.

    `block_functions` names functions that run a whole block (see `block_loops`).
    """
    module = read_module(_canonical(source))
    context = ModuleContext()
    lay_out_shared(module, context)
    contexts = _rewrite(module, context)
    module, contexts = _inline_waiting(module, context, contexts)
    manifest: dict[str, Any] = {"kernels": {}, "globals": [], "symbols": []}
    lines: list[str] = [*module.types]
    kernels: list[str] = []
    for variable in module.globals:
        if variable.address_space != SHARED_SPACE:
            lines.append(_global(variable, module))
            manifest["globals"].append(variable.name[1:].strip('"'))
    shared_users = _shared_by_kernel(module, context)
    for function in module.functions:
        ctx = contexts[function.name]
        if function.name.strip('"') in block_functions:
            lines += _device_function(function, ctx)
            kernels += _block_entry(function)
            manifest["kernels"][function.name.strip('"')] = {
                "parameters": [byte_size(p.type, p.attributes) for p in function.parameters],
                "shared": context.static_bytes,
                "suspending": False,
            }
            continue
        if not function.is_kernel:
            lines += _device_function(function, ctx)
            continue
        suspending = waits(function)
        kernels += _suspending(function, ctx) if suspending else _plain(function, ctx)
        manifest["kernels"][function.name.strip('"')] = {
            "parameters": [byte_size(p.type, p.attributes) for p in function.parameters],
            "shared": shared_users[function.name],
            "suspending": suspending,
        }
    manifest["static_shared"] = context.dynamic_offset
    declared = {**context.declarations, "xgpu_yield": "declare i1 @xgpu_yield(ptr, i32)"}
    for name, text in module.declarations.items():
        if name.startswith("llvm.") and not name.startswith("llvm.nvvm."):
            clean = strip_spaces(text)
            declared.setdefault(re.search(r"@([\w.]+)\(", clean)[1], clean)  # type: ignore[index]
    declared = {n: t for n, t in declared.items() if not n.startswith("xgpu.wait.")}
    declared |= _waiting_declarations(context)
    manifest["symbols"] = [n for n in declared if not n.startswith("llvm.")]
    lines += [*declared.values(), *kernels]
    return "\n".join(lines) + "\n", manifest


def _canonical(source: str | bytes) -> str:
    """The module as LLVM prints it with every value named."""
    from llvmlite import binding

    from xgpu.backend.host.machine import target_machine
    from xgpu.backend.llvm_ir.parsing import parsed

    machine = target_machine()
    module = parsed(source)
    builder = binding.create_pass_builder(machine, binding.create_pipeline_tuning_options(0))
    manager = binding.create_new_module_pass_manager()
    manager.add_instruction_namer_pass()
    manager.run(module, builder)
    return str(module)


_ALLOCA = re.compile(r"%\S+ = alloca ")
_DYNAMIC_ALLOCA = re.compile(r"%\S+ = alloca .*, i\d+ %")


def _hoist_allocas(function: Function, ctx: FunctionContext) -> None:
    """Private memory belongs to the thread, not to the point that names it: LLVM makes frame
    slots only
    of what is allocated in the entry block."""
    printed = " ".join(line for line in function.lines() if "@xgpu_vprintf(" in line)
    for _, lines in function.blocks:
        kept: list[str] = []
        for line in lines:
            if not _ALLOCA.match(line):
                kept.append(line)
                continue
            if _DYNAMIC_ALLOCA.match(line):
                raise UnsupportedOnHost("private memory of a size known only at run time")
            ctx.entry.append(line)
            name = line.split(" ", 1)[0]
            if printed and re.search(re.escape(name) + r"(?![\w.$-])", printed):
                # printf reads whole words of what MLIR stores as narrower integers.
                type = line[line.index("alloca ") + 7 :]
                end = f"ptr getelementptr ({type[: type_end(type)]}, ptr null, i32 1)"
                fill = ctx.module.declare("void", "llvm.memset.p0.i64", "ptr", "i8", "i64", "i1")
                ctx.entry.append(
                    f"call void {fill}(ptr {name}, i8 0, i64 ptrtoint ({end} to i64), i1 false)"
                )
        lines[:] = kept


def _rewrite(module: Module, context: ModuleContext) -> dict[str, FunctionContext]:
    defined = {f.name.strip('"') for f in module.functions}
    contexts: dict[str, FunctionContext] = {}
    for function in module.functions:
        ctx = FunctionContext(context, function.name, function.is_kernel)
        try:
            FunctionRewriter(function, ctx, defined).run()
            _hoist_allocas(function, ctx)
        except UnsupportedOnHost as problem:
            kind = "kernel" if function.is_kernel else "function"
            raise UnsupportedOnHost(
                f"{kind} '{function.name}': {problem}", function.name, problem.text
            ) from None
        contexts[function.name] = ctx
    return contexts


def _inline_waiting(
    module: Module, context: ModuleContext, contexts: dict[str, FunctionContext]
) -> tuple[Module, dict[str, FunctionContext]]:
    """Inline device functions that wait into their callers: only a kernel can be a coroutine."""
    waiting = {f.name for f in module.functions if not f.is_kernel and waits(f)}
    if not waiting:
        return module, contexts
    while True:
        callers = {
            f.name for f in module.functions if not f.is_kernel and callees(f) & waiting
        } - waiting
        if not callers:
            break
        waiting |= callers
    text = _with_inlining(module, context, contexts, waiting)
    inlined = read_module(text)
    inlined.functions = [f for f in inlined.functions if f.name not in waiting]
    originals = {f.name: f for f in module.functions}
    fresh: dict[str, FunctionContext] = {}
    for function in inlined.functions:
        original = originals[function.name]
        function.is_kernel = original.is_kernel
        function.parameters = original.parameters
        stuck = callees(function) & waiting
        if stuck:
            raise UnsupportedOnHost(f"function '{stuck.pop()}' waits and calls itself")
        fresh[function.name] = FunctionContext(context, function.name, function.is_kernel)
        _hoist_allocas(function, fresh[function.name])
    inlined.globals = module.globals
    inlined.declarations = {**module.declarations, **inlined.declarations}
    return inlined, fresh


def _with_inlining(
    module: Module,
    context: ModuleContext,
    contexts: dict[str, FunctionContext],
    waiting: set[str],
) -> str:
    from llvmlite import binding

    from xgpu.backend.host.machine import target_machine

    lines: list[str] = [*module.types]
    lines += [_global(g, module) for g in module.globals if g.address_space != SHARED_SPACE]
    for function in module.functions:
        ctx = contexts[function.name]
        inline = " alwaysinline" if function.name in waiting else ""
        expand_exits(function, "xgpu.exited")
        lines += _definition(function, ctx, function.result, inline, linkage="")
        ctx.registers.clear()
        ctx.entry.clear()
    lines += context.declarations.values()
    lines += [
        strip_spaces(t) for n, t in module.declarations.items()
        if n.startswith("llvm.") and not n.startswith("llvm.nvvm.")
        and n not in context.declarations
    ]  # fmt: skip
    # Names of ours that are in the text now must not meet those of the second pass.
    text = re.sub(r"%xgpu\.(?!t\b)", "%xgpu1.", "\n".join(lines))
    text = re.sub(r"^xgpu\.", "xgpu1.", text, flags=re.MULTILINE)
    parsed = binding.parse_assembly(text)
    parsed.verify()
    builder = binding.create_pass_builder(
        target_machine(), binding.create_pipeline_tuning_options(0)
    )
    manager = binding.create_new_module_pass_manager()
    manager.add_always_inliner_pass()
    manager.add_instruction_namer_pass()
    manager.run(parsed, builder)
    return str(parsed)


def _definition(
    function: Function, ctx: FunctionContext, result: str, attributes: str, linkage: str
) -> list[str]:
    """An ordinary function: the thread's record first, registers loaded at entry."""
    parameters = ", ".join([f"ptr {THREAD}", *(f"{p.type} {p.name}" for p in function.parameters)])
    prologue = [*ctx.register_loads(), *ctx.entry, *_own_copies(function)]
    lines = [f"define {linkage}{result} @{function.name}({parameters}){attributes} {{"]
    lines += ["xgpu.entry:", *prologue, f"br label %{function.blocks[0][0]}"]
    lines += _blocks(function)
    return [*lines, "}"]


def _blocks(function: Function) -> list[str]:
    lines: list[str] = []
    for label, body in function.blocks:
        lines += [f"{label}:", *body]
    if any("%xgpu.exited" in line for line in lines):
        lines += ["xgpu.exited:", "ret void"]
    return lines


def _device_function(function: Function, ctx: FunctionContext) -> list[str]:
    expand_exits(function, "xgpu.exited")
    return _definition(function, ctx, function.result, "", "internal ")


def _own_copies(function: Function) -> list[str]:
    """A byval parameter is the thread's own; it may write to it."""
    lines: list[str] = []
    for p in function.parameters:
        type = byval(p.attributes)
        if type is not None:
            name = f"%xgpu.own.{p.name[1:]}"
            lines += [
                f"{name}.value = load {type}, ptr {p.name}",
                f"{name} = alloca {type}, align 16",
            ]
            lines.append(f"store {type} {name}.value, ptr {name}")
            for _, body in function.blocks:
                body[:] = [re.sub(re.escape(p.name) + r"(?![\w.$-])", name, b) for b in body]
    return lines


# -- kernels


def _load_parameters(function: Function, block: str) -> list[str]:
    """Read the kernel's parameters as cuLaunchKernel passes them: an array of pointers to
    values.
    """
    lines = [
        *field_load("%xgpu.launch", "ptr", block, "Block", "launch"),
        *field_load("%xgpu.params", "ptr", "%xgpu.launch", "Launch", "params"),
    ]
    for i, p in enumerate(function.parameters):
        at = f"%xgpu.param.{i}"
        lines += [
            f"{at} = getelementptr inbounds ptr, ptr %xgpu.params, i64 {i}",
            f"{at}.in = load ptr, ptr {at}",
        ]
        if byval(p.attributes) is not None:
            lines.append(f"{p.name} = bitcast ptr {at}.in to ptr")
        else:
            lines.append(f"{p.name} = load {p.type}, ptr {at}.in")
    return lines


def _suspending(function: Function, ctx: FunctionContext) -> list[str]:
    """`ptr @xgpu.entry.<kernel>(ptr %thread)`: start the thread, run it to its first wait."""
    own = _own_copies(function)
    if any("@xgpu_wgmma(" in line for line in function.lines()):
        take_turns_at_loops(function)
    make_coroutine(function, ctx)
    prologue = function.blocks[0][1]
    branch = prologue.pop()
    if not any(line.startswith("%xgpu.block = ") for line in prologue):
        prologue += field_load("%xgpu.block", "ptr", THREAD, "Thread", "block")
    prologue += [*_load_parameters(function, "%xgpu.block"), *own, branch]
    head = f"define ptr @{_entry_name(function)}(ptr {THREAD}) presplitcoroutine nounwind {{"
    return [head, *_blocks(function), "}"]


def _plain(function: Function, ctx: FunctionContext) -> list[str]:
    """`void @xgpu.entry.<kernel>(ptr %block)`: all threads of a block, one after the other.

    What is the same for the whole block is read once, before the loops. The thread's record is a
    local that LLVM dissolves into registers unless the kernel hands it to a function that it
    does not inline.
    """
    expand_exits(function, "xgpu.exited")
    registers = sorted(ctx.registers)
    block_registers = [r for r in registers if is_block_register(r)]
    parameters = [f"ptr {THREAD}"]
    arguments = ["ptr %xgpu.thread"]
    for r in registers:
        type = "ptr" if r == "shared" else "i32"
        parameters.append(f"{type} %xgpu.sreg.{r}")
        source = f"%xgpu.sreg.{r}" if is_block_register(r) else _LOOP_VALUES[r]
        arguments.append(f"{type} {source}")
    for p in function.parameters:
        parameters.append(f"{p.type} {p.name}")
        arguments.append(f"{p.type} {p.name}")
    body = f"xgpu.body.{function.name.strip(chr(34))}"
    lines = [f'define internal void @"{body}"({", ".join(parameters)}) alwaysinline nounwind {{']
    lines += ["xgpu.entry:", *ctx.entry, *_own_copies(function)]
    lines += [f"br label %{function.blocks[0][0]}", *_blocks(function), "}"]
    head: list[str] = [f"%xgpu.thread = alloca [{size_of('Thread')} x i8], align 8"]
    head += _load_parameters(function, "%xgpu.block")
    wanted = dict.fromkeys([*block_registers, "ntid.x", "ntid.y", "ntid.z"])
    for r in wanted:
        head += block_register_load(f"%xgpu.sreg.{r}", r, "%xgpu.block")
    head += field_store("%xgpu.block", "ptr", "%xgpu.thread", "Thread", "block", "%xgpu.at.block")
    lines.append(f"define void @{_entry_name(function)}(ptr %xgpu.block) nounwind {{")
    lines += ["xgpu.entry:", *head, "br label %xgpu.z"]
    lines += _thread_loops(f'call void @"{body}"({", ".join(arguments)})')
    return [*lines, "}"]


def _block_entry(function: Function) -> list[str]:
    """`void @xgpu.entry.<kernel>(ptr %block)`: the function that runs a whole block, called once.

    The thread's record is for what asks for it; the function says which thread it is in before it
    calls a service of the device.
    """
    arguments = ["ptr %xgpu.thread", *(f"{p.type} {p.name}" for p in function.parameters)]
    return [
        f"define void @{_entry_name(function)}(ptr %xgpu.block) nounwind {{",
        "xgpu.entry:",
        f"%xgpu.thread = alloca [{size_of('Thread')} x i8], align 8",
        *_load_parameters(function, "%xgpu.block"),
        *field_store("%xgpu.block", "ptr", "%xgpu.thread", "Thread", "block", "%xgpu.at.block"),
        f"call void @{function.name}({', '.join(arguments)}) alwaysinline",
        "ret void",
        "}",
    ]


_LOOP_VALUES = {
    "tid.x": "%xgpu.x.i",
    "tid.y": "%xgpu.y.i",
    "tid.z": "%xgpu.z.i",
    "linear": "%xgpu.linear",
}


def _thread_loops(call: str) -> list[str]:
    """Three nested loops around `call`, x innermost, which sets the thread's indices first."""
    values = {"tid_x": "x.i", "tid_y": "y.i", "tid_z": "z.i", "linear": "linear"}
    inner: list[str] = []
    for field, value in values.items():
        inner += field_store(
            f"%xgpu.{value}", "i32", "%xgpu.thread", "Thread", field, f"%xgpu.at.{field}"
        )
    y_setup = [
        "%xgpu.plane = mul nuw nsw i32 %xgpu.z.i, %xgpu.sreg.ntid.y",
        "%xgpu.row = add nuw nsw i32 %xgpu.plane, %xgpu.y.i",
        "%xgpu.first = mul nuw nsw i32 %xgpu.row, %xgpu.sreg.ntid.x",
    ]
    x_setup = ["%xgpu.linear = add nuw nsw i32 %xgpu.first, %xgpu.x.i", *inner, call]
    return [
        *_loop_head("z", "entry", "z.end"), "br label %xgpu.y",
        *_loop_head("y", "z", "y.end"), *y_setup, "br label %xgpu.x",
        *_loop_head("x", "y", "x"), *x_setup, *_loop_latch("x", "y.end"),
        "xgpu.y.end:", *_loop_latch("y", "z.end"),
        "xgpu.z.end:", *_loop_latch("z", "done"),
        "xgpu.done:", "ret void",
    ]  # fmt: skip


def _loop_head(axis: str, before: str, latch: str) -> list[str]:
    i = f"%xgpu.{axis}"
    return [f"xgpu.{axis}:", f"{i}.i = phi i32 [ 0, %xgpu.{before} ], [ {i}.n, %xgpu.{latch} ]"]


def _loop_latch(axis: str, after: str) -> list[str]:
    i = f"%xgpu.{axis}"
    return [
        f"{i}.n = add nuw nsw i32 {i}.i, 1",
        f"{i}.more = icmp ult i32 {i}.n, %xgpu.sreg.ntid.{axis}",
        f"br i1 {i}.more, label %xgpu.{axis}, label %xgpu.{after}",
    ]


def entry_symbol(kernel: str) -> str:
    """The symbol of a kernel's entry in the object code."""
    return f"xgpu.entry.{kernel}"


def _entry_name(function: Function) -> str:
    return f'"{entry_symbol(function.name.strip(chr(34)))}"'


# -- globals


def _global(variable: Global, module: Module) -> str:
    text = strip_spaces(variable.text)
    return re.sub(r" (externally_initialized|local_unnamed_addr|unnamed_addr)\b", "", text)


def _shared_by_kernel(module: Module, context: ModuleContext) -> dict[str, int]:
    """Static shared memory of each kernel. The rewriting has replaced the names by places, so
    all of the
    module's counts for a kernel that touches any."""
    return {f.name: context.static_bytes for f in module.functions if f.is_kernel}


def _waiting_declarations(context: ModuleContext) -> dict[str, str]:
    """Native functions behind the waits of this module."""
    declared: dict[str, str] = {}
    for name, text in context.declarations.items():
        if name.startswith("xgpu.wait."):
            native = f"xgpu_{name[len('xgpu.wait.') :]}"
            declared[native] = text.replace("declare void", "declare i1").replace(name, native)
    return declared

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM for the machine that we run on: LLVM IR text to object code, and JIT linkers for it.

Code is for this processor. Tests ask for others that this machine can execute, and for code that
checks what it claims to LLVM (`claim_checks`): `made_for` within a process, and for it and those
that it starts `XGPU_HOST_TARGET`, words with commas between: the name that LLVM has for a
processor, `checked`, or both.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from llvmlite.binding import ModuleRef, TargetMachine
    from llvmlite.binding.orcjit import LLJIT

    from xgpu.backend.llvm_ir.parts import Uses


#: What LLVM takes for conversions of bf16 though it is none: instructions that make zeros of
#: subnormal numbers, whatever the processor's mode.
_FLUSHING = ("avx512bf16", "avxneconvert", "avx10.2-256", "avx10.2-512", "avx10.2")


#: With these LLVM 22.1 makes wrong code. It exchanges VPMOV*2M and KMOV, a mask of sign bits of 128
#: or 256 bits in a general register, for VMOVMSK, which has no vector registers above 15
#: (llvm-project#191304), and drops masks that are shifted later (llvm-project#198197). Without them
#: it makes such masks of 512 bits, in which it exchanges nothing.
_MISCOMPILED = ("avx512vl",)


def _features(processor: str) -> str:
    """What a processor can, or this one, less what computes something else."""
    from llvmlite import binding

    if processor:
        return ",".join(f"-{name}" for name in _MISCOMPILED)
    found = binding.get_host_cpu_features()
    found.update((name, False) for name in (*_FLUSHING, *_MISCOMPILED) if name in found)
    return found.flatten()


class HostTarget(NamedTuple):
    """What code is made for."""

    #: LLVM's name of a processor; without one it is this machine's.
    processor: str = ""
    #: Whether code checks what it claims to LLVM.
    is_checked: bool = False

    @classmethod
    def named(cls, text: str) -> HostTarget:
        """The target that words name, with commas between."""
        words = [word for word in text.split(",") if word]
        names = [word for word in words if word != _CHECKED]
        return cls(names[0] if names else "", _CHECKED in words)


_CHECKED = "checked"
_target = HostTarget.named(os.environ.get("XGPU_HOST_TARGET", ""))


def host_target() -> HostTarget:
    """What code is made for now."""
    return _target


@contextmanager
def made_for(target: HostTarget) -> Generator[None]:
    """Meanwhile, code is made for that. For tests: it holds for all threads of the process."""
    global _target
    before, _target = _target, target
    try:
        yield
    finally:
        _target = before


def target_machine(opt_level: int = 2) -> TargetMachine:
    """A target machine for the processor that code is made for, position independent (the JIT may
    load it anywhere)."""
    return _machine(_target.processor, opt_level)


@cache
def _machine(processor: str, opt_level: int) -> TargetMachine:
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    with _trapping():
        return binding.Target.from_default_triple().create_target_machine(
            cpu=processor or binding.get_host_cpu_name(),
            features=_features(processor),
            opt=opt_level,
            reloc="pic",
            codemodel="small",
        )


#: LLVM's options are the whole process's.
_OPTIONS = threading.Lock()


@contextmanager
def _trapping() -> Generator[None]:
    """Target machines that are made meanwhile give `unreachable` a trap, but behind calls that do
    not return.

    What has no meaning (a division by a constant zero, a store to null) becomes `unreachable`,
    for which LLVM makes no code by default: control would run on into what lies behind it, and a
    function of nothing else would have no code at all.
    """
    from llvmlite import binding

    def set_options(value: str) -> None:
        for name in ("trap-unreachable", "no-trap-after-noreturn"):
            binding.set_option("xgpu", f"-{name}={value}")

    with _OPTIONS:
        set_options("true")
        try:
            yield
        finally:
            set_options("false")


def description() -> str:
    """What object code depends on besides its source: LLVM, and what it is made for."""
    return _description(_target)


@cache
def _description(target: HostTarget) -> str:
    from llvmlite import binding

    parts = [target.processor or binding.get_host_cpu_name(), _features(target.processor)]
    if target.is_checked:
        parts.append(_CHECKED)
    return " ".join([str(binding.llvm_version_info), target_machine().triple, *parts])


def optimize(module: ModuleRef, opt_level: int) -> None:
    """Run LLVM's default pipeline of that level; it splits coroutines at every level, 0 too."""
    from llvmlite import binding

    options = binding.create_pipeline_tuning_options(speed_level=opt_level)
    options.loop_vectorization = opt_level > 1
    options.slp_vectorization = opt_level > 1
    builder = binding.create_pass_builder(target_machine(opt_level), options)
    builder.getModulePassManager().run(module, builder)


def parse(text: str) -> ModuleRef:
    """`text` as a verified LLVM module with the host's triple and data layout."""
    from xgpu.backend.llvm_ir.parsing import read

    machine = target_machine()
    module = read(text)
    module.triple = machine.triple
    module.data_layout = str(machine.target_data)
    module.verify()
    return module


def _to_compile(text: str) -> ModuleRef:
    """`text` as a module; with checks of its claims, if code is to have them."""
    module = parse(text)
    if not _target.is_checked:
        return module
    from llvmlite import binding

    from xgpu.host_device.machine.claim_checks import with_checks

    binding.initialize_native_asmparser()
    return parse(with_checks(str(module)))


def compile_ir(text: str, opt_level: int = 2, uses: Uses | None = None) -> bytes:
    """Object code for the host of a module in LLVM IR text.

    `uses` is what the translation noted of a kernel; without it the text is xgpu's own, which LLVM
    has code for.
    """

    def work() -> bytes:
        module = _to_compile(text)
        optimize(module, opt_level)
        return object_code(module, opt_level)

    return work() if uses is None else contained_here(work, uses)


def compile_simply(text: str, code_level: int, inlined: int = 0) -> bytes:
    """Like `compile_ir` for text of xgpu's own, in a third of the time at a `code_level` of 2, in a
    tenth at 0.

    Variables get registers and instructions become simpler, but loops stay as they are, and of
    functions those that cannot be seen from outside and have less than `inlined` instructions
    become part of others: for functions of which little depends.
    """
    from llvmlite import binding

    module = _to_compile(text)
    if inlined:
        _inline_small(module, inlined)
    passes = binding.create_new_module_pass_manager()
    for _ in range(2 if inlined else 1):
        if inlined:
            passes.add_always_inliner_pass()
            passes.add_global_dead_code_eliminate_pass()
        passes.add_sroa_pass()
        passes.add_instruction_combine_pass()
        passes.add_simplify_cfg_pass()
    options = binding.create_pipeline_tuning_options(speed_level=1)
    passes.run(module, binding.create_pass_builder(target_machine(code_level), options))
    return object_code(module, code_level)


def _inline_small(module: ModuleRef, limit: int) -> None:
    """Mark functions of the module's own that have fewer instructions than `limit`."""
    from llvmlite.binding import Linkage

    for function in module.functions:
        if function.linkage != Linkage.internal:
            continue
        if sum(1 for block in function.blocks for _ in block.instructions) < limit:
            function.add_function_attribute("alwaysinline")


#: Intrinsics that LLVM makes calls of libm of, accesses lane by lane, or an address on the stack.
_TAME = re.compile(
    r"llvm\.(?:frameaddress\.|masked\.(?:gather|scatter)\b|prefetch\b|(?:a?(?:sin|cos|tan)h?|atan2|exp(?:2|10)?|log(?:2|10)?|powi?|ldexp|l?l?r(?:ound|int))\.(?!f80|f128))"
)


def contained_here(work: Callable[[], bytes], uses: Uses) -> bytes:
    """The result of `work`, which compiles a module with these uses for this machine, if LLVM gets
    to its end."""
    from xgpu.backend.llvm_ir.containment import contained, is_tame

    tame = is_tame(uses, lambda name: _TAME.match(name) is not None, lambda feature: True)
    return contained(work, tame=tame, what="compile for this machine")


#: Accesses that are scheduled together.
_MOST_ACCESSES = 200


def object_code(module: ModuleRef, opt_level: int) -> bytes:
    """Object code of an optimized module; what has no meaning in it traps (`_trapping`)."""
    from llvmlite import binding

    machine = target_machine(opt_level)
    # Schedulers take time that grows with the square of a block's instructions, half of all where
    # vectors are stored lane by lane. The last is switched off, and the other leaves the first of
    # more accesses than that to the same memory where they are. Processors that have vectors
    # reorder them anyway. Other code that is made meanwhile means the same; that for GPUs has no
    # such passes.
    binding.set_option("xgpu", "-disable-post-ra=true")
    binding.set_option("xgpu", f"-dag-maps-huge-region={_MOST_ACCESSES}")
    try:
        return machine.emit_object(module)
    finally:
        binding.set_option("xgpu", "-disable-post-ra=false")
        binding.set_option("xgpu", "-dag-maps-huge-region=1000")


def create_jit() -> LLJIT:
    """A JIT linker of its own, for objects that `compile_ir` made."""
    from llvmlite import binding

    return binding.create_lljit_compiler(target_machine(), use_jit_link=True)


_SIMPLE = {"ptr": 8, "i64": 8, "i32": 4, "float": 4, "double": 8, "i8": 1, "i1": 1, "i16": 2,
           "half": 2}  # fmt: skip


@cache
def byte_size(type: str) -> int:
    """The bytes of a type under the host's data layout; of one that is not simple LLVM says it."""
    if type in _SIMPLE:
        return _SIMPLE[type]
    from llvmlite import binding

    module = binding.parse_assembly(f"@g = external global {type}")
    return target_machine().target_data.get_abi_size(
        module.get_global_variable("g").global_value_type
    )

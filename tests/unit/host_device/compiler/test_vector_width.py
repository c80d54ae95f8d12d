# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The width of vectors in machine code: what a function says of it LLVM drops without a word where
the function becomes part of one that does not say the same."""

import pytest
from llvmlite import binding

from xgpu.host_device.compiler.compiler import host_text, to_threads
from xgpu.host_device.compiler.specialize import KernelSource
from xgpu.host_device.sanitizer.instrument.calls import Instrumentation, SiteTable
from xgpu.host_device.sanitizer.instrument.screening import Screen

ACCESS = """
    %tx = nvvm.read.ptx.sreg.tid.x : i32
    %at = llvm.getelementptr %a[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %v = llvm.load %at : !llvm.ptr -> f32
"""
MOVES = f"""{ACCESS}
    %w = llvm.fadd %v, %v : f32
    llvm.store %w, %at : f32, !llvm.ptr
    llvm.return
"""
COMPUTES = f"""{ACCESS}
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    llvm.br ^loop(%zero, %v : i32, f32)
  ^loop(%i: i32, %x: f32):
    %y = llvm.fmul %x, %v : f32
    %z = llvm.fadd %y, %v : f32
    %next = llvm.add %i, %one : i32
    %more = llvm.icmp "slt" %next, %n : i32
    llvm.cond_br %more, ^loop(%next, %z : i32, f32), ^end
  ^end:
    llvm.store %z, %at : f32, !llvm.ptr
    llvm.return
"""
WAITS = f"""{ACCESS}
    %one = llvm.mlir.constant(1 : i32) : i32
    nvvm.barrier id = %one
    llvm.store %v, %at : f32, !llvm.ptr
    llvm.return
"""
DIVIDES = f"""{ACCESS}
    %i = llvm.fptosi %v : f32 to i32
    %r = llvm.srem %tx, %i : i32
    %w = llvm.sitofp %r : i32 to f32
    llvm.store %w, %at : f32, !llvm.ptr
    llvm.return
"""


def optimized(strategy, body, screened=False):
    """A kernel's module as LLVM leaves it for a processor that has registers of 512 bits, and its
    machine code as text."""
    source = KernelSource(f"""
gpu.module @m {{
  llvm.func @k(%a: !llvm.ptr, %n: i32) attributes {{gpu.kernel, nvvm.kernel}} {{{body}  }}
}}""")
    screen = Screen(Instrumentation(source.module, SiteTable()), ("init",)) if screened else None
    module = source.specialized_ir(strategy, "k", (64, 1, 1), screen=screen)
    to_threads(module)
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    target = binding.Target.from_triple("x86_64-unknown-linux-gnu")
    machine = target.create_target_machine(cpu="sapphirerapids", opt=2)
    code = binding.parse_assembly(host_text(module))
    code.triple, code.data_layout = machine.triple, str(machine.target_data)
    options = binding.create_pipeline_tuning_options(speed_level=2)
    builder = binding.create_pass_builder(machine, options)
    builder.getModulePassManager().run(code, builder)
    return code, machine.emit_assembly(code)


@pytest.mark.parametrize(
    ("strategy", "body", "wide"),
    [("block-loops", MOVES, False), ("block-loops", COMPUTES, True), ("warps", WAITS, False),
     ("block-loops", DIVIDES, False)],
)  # fmt: skip
def test_kernels_that_compute_have_the_widest_registers(strategy, body, wide):
    _, found = optimized(strategy, body)
    assert ("%zmm" in found) == wide
    assert "%ymm" in found or wide


def test_vectors_that_are_saved_around_checks_lie_in_one_line_of_the_cache():
    code, text = optimized("block-loops", MOVES, screened=True)
    assert any(b"stackrealign" in a for a in code.get_function("xgpu.entry.k").attributes)
    assert "%zmm" in text

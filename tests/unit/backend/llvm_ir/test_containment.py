# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM's end is an error, in a tool and in another program's process."""

from __future__ import annotations

import os
import re
import signal
import sys
import threading

import pytest

import xgpu
from tests.support import processes
from xgpu.backend.llvm_ir import translate
from xgpu.backend.llvm_ir.containment import _ended, contained, is_tame
from xgpu.backend.llvm_ir.parts import Uses
from xgpu.backend.nvptx.compiler import compile_to_bitcode, compile_to_ptx
from xgpu.core.ir.errors import DiagnosticError
from xgpu.core.syntax import parse_module
from xgpu.host_device.machine.cpu import contained_here

SINE = """declare double @llvm.sin.f64(double)
define double @f(double %x) {
  %r = call double @llvm.sin.f64(double %x)
  ret double %r
}
"""
F128 = """
func.func @main() -> f32 {
  %c0 = arith.constant 0 : index
  %a = arith.constant 1.0 : f128
  %p = memref.alloca() : memref<1xf128>
  memref.store %a, %p[%c0] : memref<1xf128>
  %x = memref.load %p[%c0] : memref<1xf128>
  %y = func.call @f(%x) : (f128) -> f128
  %r = arith.truncf %y : f128 to f32
  return %r : f32
}
func.func @f(%x: f128) -> f128 attributes {no_inline} {
  %y = arith.mulf %x, %x : f128
  %z = arith.maximumf %x, %y : f128
  return %z : f128
}
"""


def test_a_kernel_that_llvm_cannot_select():
    for _ in range(2):
        with pytest.raises(
            DiagnosticError,
            match=r"LLVM cannot compile the module for sm_80: Cannot select: \w+: f64 = fsin",
        ):
            compile_to_ptx(SINE, chip="sm_80")
    good = SINE.replace("llvm.sin", "llvm.sqrt")
    assert "sqrt.rn.f64" in compile_to_ptx(good, chip="sm_80"), "the process goes on"


def test_threads_do_not_keep_a_child_from_its_work():
    """Another thread uses LLVM all the while: the child must not wait for its lock."""
    stop = threading.Event()

    def work():
        while not stop.is_set():
            compile_to_ptx(SINE.replace("llvm.sin", "llvm.sqrt"), chip="sm_80")

    other = threading.Thread(target=work)
    other.start()
    try:
        for _ in range(10):
            with pytest.raises(DiagnosticError, match="LLVM cannot"):
                compile_to_ptx(SINE, chip="sm_80")
    finally:
        stop.set()
        other.join()


def test_what_a_child_refuses_is_what_the_process_would():
    broken = SINE.replace("%x)\n", "%y)\n")
    with pytest.raises(DiagnosticError, match="LLVM refuses the translated module"):
        compile_to_ptx(broken, chip="sm_80")
    with pytest.raises(DiagnosticError, match="unknown chip 'sm_7'"):
        compile_to_ptx(SINE, chip="sm_7")
    assert compile_to_bitcode(SINE, chip="sm_80")[:2] == b"BC"


def test_a_program_for_this_machine():
    with pytest.raises(DiagnosticError, match="LLVM cannot compile for this machine: it asserts"):
        xgpu.run(F128, device="host")
    fine = F128.replace("arith.maximumf", "arith.addf")
    assert xgpu.run(fine, device="host").value == 2.0


def test_what_a_child_writes_and_raises_arrives(capfd):
    def work():
        os.write(2, b"a warning\n")
        raise RuntimeError("no")

    with pytest.raises(RuntimeError, match=r"^no$"):
        contained(work, tame=False, what="work")
    assert capfd.readouterr().err == "a warning\n"
    assert contained(lambda: b"x" * 1_000_000, tame=False, what="work") == b"x" * 1_000_000
    pid = os.getpid()
    assert contained(lambda: str(os.getpid()).encode(), tame=True, what="work") == str(pid).encode()
    assert contained(lambda: str(os.getpid()).encode(), tame=False, what="w") != str(pid).encode()


def test_where_nobody_hears_of_children():
    """A process that ignores SIGCHLD gets no status: what the child has written tells."""
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        assert contained(lambda: b"made", tame=False, what="work") == b"made"
        with pytest.raises(DiagnosticError, match="LLVM cannot work: it ended without a word"):
            contained(lambda: os._exit(3), tame=False, what="work")
    finally:
        signal.signal(signal.SIGCHLD, before)


def test_an_interrupt_ends_the_child():
    reader, writer = os.pipe()
    over = threading.Event()
    children = []

    def work():
        os.write(writer, os.getpid().to_bytes(8, "little"))
        signal.pause()

    def interrupt():
        children.append(int.from_bytes(os.read(reader, 8), "little"))  # it works
        # One that comes right before the main thread waits for the child does not end the wait:
        # Python has looked for it before.
        over.wait(0.3)
        while not over.is_set():
            os.kill(os.getpid(), signal.SIGINT)
            over.wait(5)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with processes.interruptible():
        try:
            with pytest.raises(KeyboardInterrupt):
                contained(work, tame=False, what="work")
        finally:
            over.set()
            thread.join()
    with pytest.raises(ChildProcessError):  # it is not left
        os.waitpid(children[0], os.WNOHANG)


@pytest.mark.parametrize(
    ("tool", "text", "options", "message"),
    [
        ("xgpu_runner", F128, ["--entry-point-result=f32", "--device=host"],
         r"xgpu-runner: error: LLVM cannot compile for this machine: it asserts: .*\n"),
        ("xgpu_opt", "gpu.module @k [#nvvm.target<chip = \"sm_80\">] {\n"
         "llvm.func @f(%x: f64) -> f64 {\n  %r = llvm.intr.sin(%x) : (f64) -> f64\n"
         "  llvm.return %r : f64\n}}", ["--gpu-module-to-binary=format=isa"],
         r"<stdin>:1:1: error: LLVM cannot compile the module for sm_80: .*\n"),
    ],
)  # fmt: skip
def test_a_tool_says_it_and_ends_with_1(tool, text, options, message):
    done = processes.run(
        [sys.executable, "-m", f"xgpu.tools.{tool}", "-", *options],
        input=text, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stdout == ""
    assert re.fullmatch(message, done.stderr), done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("LLVM ERROR: Cannot select: t1\nmore\n", "Cannot select: t1"),
        ('x.cpp:3: f(): Assertion `a && "no b"\' failed.\n', "it asserts: no b"),
        ("x.cpp:3: f(): Assertion `a == b' failed.\n", "it asserts: a == b"),
        ("", "it ended without a word"),
    ],
)
def test_what_llvm_said_last(words, said):
    assert _ended("go on", words, None).message == f"LLVM cannot go on: {said}"


KERNEL = """
module {{
llvm.mlir.global internal thread_local @t(0 : i32) : i32
llvm.func @what() -> i32
llvm.func @f(%x: f32, %d: f64, %p: !llvm.ptr, %n: i32, %w: i65, %q: f128) {{
  {line}
  llvm.return
}}
}}
"""


def uses_of(line):
    uses = Uses()
    module = parse_module(KERNEL.format(line=line))
    if "@t " not in line:
        module.regions[0].block.first_op.detach()
    translate(module, uses=uses)
    # The function's parameters are of rare types.
    assert {"fp128", "wide integer"} <= uses.features
    return uses


@pytest.mark.parametrize(
    ("line", "features", "intrinsics"),
    [
        ("%a = llvm.intr.fma(%x, %x, %x) : (f32, f32, f32) -> f32", (), ("llvm.fma",)),
        ("%a = llvm.intr.sin(%d) : (f64) -> f64", (), ("llvm.sin",)),
        ("%a = nvvm.read.ptx.sreg.tid.x : i32", (), ("llvm.nvvm.read.ptx.sreg.tid.x",)),
        ("%a = llvm.alloca %n x i32 : (i32) -> !llvm.ptr", ("dynamic alloca",), ()),
        ("%a = llvm.load %p atomic seq_cst {alignment = 4 : i64} : !llvm.ptr -> i32",
         ("load atomic",), ()),
        ("llvm.store %n, %p atomic monotonic {alignment = 4 : i64} : i32, !llvm.ptr",
         ("store atomic",), ()),
        ('llvm.fence syncscope("singlethread") seq_cst', ("syncscope singlethread",), ()),
        ("%a = llvm.mlir.addressof @t : !llvm.ptr", ("thread_local",), ()),
        ("%a = llvm.va_arg %p : (!llvm.ptr) -> i32", ("va_arg",), ()),
        ("%a = llvm.load %p : !llvm.ptr -> vector<[4]xi32>", ("vscale",), ()),
        ("%a = llvm.call musttail @what() : () -> i32", ("musttail",), ()),
    ],
)  # fmt: skip
def test_the_translation_notes_what_not_every_target_has(line, features, intrinsics):
    uses = uses_of(line)
    assert uses.features - {"fp128", "wide integer"} == {*features}
    assert uses.intrinsics == {*intrinsics}


def test_what_is_tame():
    def tame(features=(), intrinsics=(), assembly=(), known=lambda name: False):
        return is_tame(Uses(features, intrinsics, assembly), known, lambda f: f == "load atomic")

    assert tame()
    assert tame(["load atomic"], ["llvm.fma", "llvm.memcpy"])
    assert not tame(["store atomic"])
    assert not tame(["load atomic", "wide integer"])
    assert not tame(intrinsics=["llvm.sin"])
    assert not tame(intrinsics=["llvm.nvvm.what"])
    assert tame(intrinsics=["llvm.nvvm.what"], known=lambda name: name == "llvm.nvvm.what")
    assert not tame(assembly=["bar"])


@pytest.mark.parametrize("name", ["llvm.masked.gather", "llvm.masked.scatter", "llvm.prefetch"])
def test_kernels_of_this_machine_need_no_child(monkeypatch, name):
    """What vectors of threads are made of: a child takes as long as a small kernel."""
    monkeypatch.setattr(os, "fork", None)
    assert contained_here(lambda: b"code", Uses((), (name,), ())) == b"code"

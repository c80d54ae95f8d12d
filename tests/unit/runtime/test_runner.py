# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`xgpu-runner` in a process of its own."""

from __future__ import annotations

import json
import os
import pathlib
import signal
import subprocess
import sys

import pytest

import xgpu
from tests.support import forked, processes
from tests.support.some_cases import each, short

ROOT = pathlib.Path(__file__).resolve().parents[3]
COMMAND = [sys.executable, "-m", "xgpu.tools.xgpu_runner"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}
#: The tool, with less time for an interrupted program to see that it is: one that never does costs
#: all of it.
IMPATIENT = """
from xgpu.runtime import program_threads
program_threads.GRACE_SECONDS = 0.2
from xgpu.tools.xgpu_runner import console
console()
"""


def run(text, *options):
    return forked.run_text("xgpu.tools.xgpu_runner", ["-", *options], text)


RETURN = """llvm.func @{name}() -> {type} {{
  %c = llvm.mlir.constant({value} : {type}) : {type}
  llvm.return %c : {type}
}}"""


@pytest.mark.parametrize(
    ("type", "value", "printed"),
    each([("f32", "3.5", "3.500000e+00\n"), ("i32", "-3", "-3\n"), ("i64", "4", "4\n")], 3),
)
def test_entry_results_print_as_mlir_runner_prints_them(type, value, printed):
    text = RETURN.format(name="f", type=type, value=value)
    done = run(text, "-e", "f", f"--entry-point-result={type}", "-O0")
    assert (done.returncode, done.stdout, done.stderr) == (0, printed, "")
    assert run(text, "--entry-point=f", "--entry-point-result=void").stdout == ""


@pytest.mark.parametrize(
    ("type", "value", "result"), [("f64", "3.5", 3.5), ("f16", "2.5", 2.5), ("i8", "-3", -3),
                                  ("i16", "-4", -4)],
)  # fmt: skip
def test_results_of_other_types(type, value, result):
    text = RETURN.format(name="main", type=type, value=value)
    found = xgpu.run(text, device="host").value
    assert (found, found.__class__) == (result, result.__class__)


def test_a_result_that_has_no_form():
    text = RETURN.format(name="main", type="vector<2xf32>", value="dense<1.0>")
    words = r"'main' returns <2 x float>, expected one of i1, .*`result` of xgpu.run"
    with pytest.raises(xgpu.ProgramError, match=words):
        xgpu.run(text, device="host")
    assert xgpu.run(text, device="host", result="void").value is None


def test_libraries_that_are_built_in():
    text = """llvm.func @printI64(i64)
llvm.func @main() {
  %c = llvm.mlir.constant(5 : i64) : i64
  llvm.call @printI64(%c) : (i64) -> ()
  llvm.return
}"""
    done = run(text, "--shared-libs=/x/libmlir_runner_utils.so.22.1,mlir_c_runner_utils")
    assert (done.returncode, done.stdout) == (0, "5")
    done = run(text, "--shared-libs=/nowhere/libother.so")
    assert done.returncode == 1
    assert done.stderr.startswith("xgpu-runner: cannot load library '/nowhere/libother.so'")


def test_division_by_zero_names_its_place():
    text = """llvm.func @main() -> i32 {
  %n = llvm.mlir.constant(3 : i32) : i32
  %p = llvm.alloca %n x i32 : (i32) -> !llvm.ptr
  %zero = llvm.mlir.constant(0 : i32) : i32
  llvm.store volatile %zero, %p : i32, !llvm.ptr
  %d = llvm.load volatile %p : !llvm.ptr -> i32
  %q = llvm.sdiv %n, %d : i32
  llvm.return %q : i32
}"""
    done = run(text)
    assert done.returncode == 1
    assert done.stderr == "<stdin>:7:8: error: integer division by zero\n"


@pytest.mark.parametrize(
    ("type", "zero"),
    each([("i32", "0 : i32"), ("vector<2xi32>", "dense<[1, 0]> : vector<2xi32>")], 2),
)
def test_division_by_a_constant_zero_names_its_place(type, zero):
    text = f"""func.func @main() {{
  %n = arith.constant {zero.replace("0", "3", 1)}
  %z = arith.constant {zero}
  %q = arith.divsi %n, %z : {type}
  call @keep(%q) : ({type}) -> ()
  return
}}
func.func @keep(%x: {type}) attributes {{no_inline}} {{
  return
}}"""
    done = run(text)
    assert done.returncode == 1
    assert done.stderr == "<stdin>:4:8: error: integer division by zero\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--entry-point=nope",), "error: entry point 'nope' not found"),
        (("--entrypoint=f",), "unknown option '--entrypoint=f'; did you mean '--entry-point'?"),
        (("--device=tpu",), "option '--device' is 'tpu', expected one of auto, cuda, cuda:N"),
        (("--trace=/nowhere/t.json",), "cannot open output file '/nowhere/t.json'"),
    ],
)
def test_mistakes_are_one_line(arguments, message):
    done = run(RETURN.format(name="main", type="i32", value=1), *arguments)
    assert done.returncode == 1
    assert done.stderr.startswith(f"xgpu-runner: {message}")
    assert done.stderr.count("\n") == 1


def test_what_others_call_is_compiled_and_loaded():
    """Kernels, too; but a name that was given must be there."""
    text = """func.func @scale(%m: memref<?xf32>, %n: index) {
  %one = arith.constant 1 : index
  gpu.launch blocks(%a, %b, %c) in (%d = %n, %e = %one, %f = %one)
             threads(%x, %y, %z) in (%u = %one, %v = %one, %w = %one) {
    %0 = memref.load %m[%a] : memref<?xf32>
    %1 = gpu.subgroup_reduce add %0 : (f32) -> f32
    memref.store %1, %m[%a] : memref<?xf32>
    gpu.terminator
  }
  return
}
"""
    for _ in range(2):  # and it is not kept as a program with a `main`
        done = run(text, "--device=host")
        assert (done.returncode, done.stdout) == (0, "")
        assert done.stderr == (
            "xgpu-runner: warning: no function of the program can be called without arguments: it "
            "was compiled and loaded, and nothing was run\n"
        )
    named = run(text, "--device=host", "--entry-point=main")
    assert named.returncode == 1
    assert "entry point 'main' not found: the program defines 'scale'" in named.stderr
    unclear = run(text + "func.func @go() {\n  return\n}\n", "--device=host")
    assert unclear.returncode == 1
    assert "entry point 'main' not found: the program defines 'scale', 'go'" in unclear.stderr
    wrong = run(text.replace("subgroup_reduce add", "subgroup_reduce and"), "--device=host")
    assert (wrong.returncode, wrong.stderr.count("error:")) == (1, 1)


def test_text_that_ends_early_has_a_place():
    done = run("llvm.func @main() {\n  llvm.return")
    assert done.returncode == 1
    assert done.stderr.startswith("<stdin>:2:")
    assert "Traceback" not in done.stderr


def test_address_that_is_not_there_handed_to_the_runtime():
    text = """llvm.func @printMemrefF32(i64, !llvm.ptr)
llvm.func @main() {
  %r = llvm.mlir.constant(1 : i64) : i64
  %p = llvm.inttoptr %r : i64 to !llvm.ptr
  llvm.call @printMemrefF32(%r, %p) : (i64, !llvm.ptr) -> ()
  llvm.return
}"""
    done = run(text)
    assert done.returncode == 1
    assert "illegal memory access in a runtime function" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_interrupt_leaves_with_one_line(tmp_path):
    program = tmp_path / "endless.mlir"
    program.write_text("""llvm.func @printNewline()
llvm.func @main() {
  %c = llvm.mlir.constant(1 : i64) : i64
  %p = llvm.alloca %c x i64 : (i64) -> !llvm.ptr
  llvm.call @printNewline() : () -> ()
  llvm.br ^bb1
^bb1:
  llvm.store volatile %c, %p : i64, !llvm.ptr
  llvm.br ^bb1
}""")
    trace = tmp_path / "trace.json"
    process = processes.start(
        [sys.executable, "-c", IMPATIENT, str(program), f"--trace={trace}", "--device=host"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "\n"
    processes.work_on(process, 0.1)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=processes.TIMEOUT)
    assert process.returncode == 1
    assert errors == f"{program}: error: interrupted\n"
    assert json.loads(trace.read_text())["traceEvents"] == []


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_interrupt_of_a_kernel_without_end(tmp_path):
    program = tmp_path / "endless.mlir"
    program.write_text("""func.func private @printNewline()
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %a = gpu.alloc () : memref<1xi32>
  func.call @printNewline() : () -> ()
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%t, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    scf.while : () -> () {
      %v = memref.atomic_rmw andi %zero, %a[%c0] : (i32, memref<1xi32>) -> i32
      %w = memref.atomic_rmw addi %zero, %a[%c0] : (i32, memref<1xi32>) -> i32
      %go = arith.cmpi eq, %w, %zero : i32
      scf.condition(%go)
    } do {
      scf.yield
    }
    gpu.terminator
  }
  return
}""")
    process = processes.start(
        [*COMMAND, str(program), "--device=host"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "\n"
    processes.work_on(process, 0.4)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=processes.TIMEOUT)
    assert process.returncode == 1
    assert errors == f"{program}:8:3: error: interrupted\n"


FAR = """
func.func @main() {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %big = arith.constant 4000000000000 : index
  %f = arith.constant 1.0 : f32
  %d = gpu.alloc () : memref<64xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%t, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %far = arith.addi %t, %big : index
    memref.store %f, %d[%far] : memref<64xf32>
    gpu.terminator
  }
  gpu.dealloc %d : memref<64xf32>
  return
}
"""


@pytest.mark.parametrize("form", short(["auto", "threads", "block-loops"], "auto"))
def test_a_kernel_that_faults_in_the_tool(tmp_path, form):
    """The tool catches LLVM's end too, and compiles while the program runs, again after a fault."""
    path = tmp_path / "far.mlir"
    path.write_text(FAR)
    command = [sys.executable, "-c", "from xgpu.tools.xgpu_runner import console; console()"]
    command += ["--device=host", f"--kernel-strategy={form}", str(path)]
    done = processes.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert ":8:3: error: kernel 'main_kernel': illegal memory access in block (0, 0, 0)" in (
        done.stderr
    )

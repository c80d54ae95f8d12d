# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs under many legal orders: from Python and with `xgpu-runner --schedules`."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from tests.support import processes
from xgpu.core.ir.errors import UsageError
from xgpu.driver.engine import ProgramError
from xgpu.driver.schedules import Explorer

ROOT = pathlib.Path(__file__).resolve().parents[3]

KERNELS = """
  gpu.module @kernels {
    gpu.func @set(%a: memref<4xi32>, %v: i32) kernel {
      %t = gpu.thread_id x
      memref.store %v, %a[%t] : memref<4xi32>
      gpu.return
    }
    gpu.func @double(%a: memref<4xi32>) kernel {
      %t = gpu.thread_id x
      %v = memref.load %a[%t] : memref<4xi32>
      %w = arith.addi %v, %v : i32
      memref.store %w, %a[%t] : memref<4xi32>
      gpu.return
    }
    gpu.func @fault(%a: memref<4xi32>) kernel {
      %big = arith.constant 100000000000 : index
      %v = arith.constant 1 : i32
      memref.store %v, %a[%big] : memref<4xi32>
      gpu.return
    }
  }
  func.func private @printMemrefI32(memref<*xi32>)
  memref.global "private" @calls : memref<1xi32> = dense<5>
"""

# EDGE: what `double` waits for.
PROGRAM = """
module attributes {gpu.container_module} {
  KERNELS
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %v = arith.constant 21 : i32
    %m = gpu.alloc host_shared () : memref<4xi32>
    %u = memref.cast %m : memref<4xi32> to memref<*xi32>
    %x = gpu.wait async
    %y = gpu.wait async
    %set = gpu.launch_func async [%x] @kernels::@set blocks in (%c1, %c1, %c1)
        threads in (%c4, %c1, %c1) args(%m : memref<4xi32>, %v : i32)
    EDGE
    %double = gpu.launch_func async [%z] @kernels::@double blocks in (%c1, %c1, %c1)
        threads in (%c4, %c1, %c1) args(%m : memref<4xi32>)
    %both = gpu.wait async [%set, %double]
    gpu.wait [%both]
    func.call @printMemrefI32(%u) : (memref<*xi32>) -> ()
    gpu.dealloc %m : memref<4xi32>
    return
  }
}
""".replace("KERNELS", KERNELS)
ORDERED = PROGRAM.replace("EDGE", "%z = gpu.wait async [%set, %y]")
RACING = PROGRAM.replace("EDGE", "%z = gpu.wait async")


def test_a_program_whose_tokens_order_all_that_matters_never_differs():
    found = Explorer(ORDERED).explore(schedules=50)
    assert "[42,  42,  42,  42]" in found.natural.output
    assert found.seed is None
    assert found.runs >= 1


def test_a_missing_wait_is_found_and_replayed():
    explorer = Explorer(RACING)
    found = explorer.explore(schedules=50)
    assert "[21,  21,  21,  21]" in found.other.output
    assert found.difference == (
        "line 2 of the output: [42,  42,  42,  42]\n   now: [21,  21,  21,  21]"
    )
    assert [(a.name, b.name) for a, b in found.swapped] == [("double", "set")]
    again = explorer.explore(schedules=1, seed=found.seed)
    assert again.seed == found.seed
    assert found.other.difference(again.other) is None
    assert found.other.difference(explorer.run(seed=found.seed)) is None


ARGUMENTS = """
module attributes {gpu.container_module} {
  KERNELS
  func.func @twice(%a: memref<4xi32>, %v: i32, %f: f64) -> f64 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    gpu.launch_func @kernels::@set blocks in (%c1, %c1, %c1)
        threads in (%c4, %c1, %c1) args(%a : memref<4xi32>, %v : i32)
    gpu.launch_func @kernels::@double blocks in (%c1, %c1, %c1)
        threads in (%c4, %c1, %c1) args(%a : memref<4xi32>)
    %calls = memref.get_global @calls : memref<1xi32>
    %n = memref.load %calls[%c0] : memref<1xi32>
    %n1 = arith.addi %n, %n : i32
    memref.store %n1, %calls[%c0] : memref<1xi32>
    %r = arith.sitofp %n1 : i32 to f64
    %s = arith.addf %r, %f : f64
    return %s : f64
  }
  func.func @bad(%a: memref<4xi32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@fault blocks in (%c1, %c1, %c1)
        threads in (%c1, %c1, %c1) args(%a : memref<4xi32>)
    return
  }
}
""".replace("KERNELS", KERNELS)


def test_arguments_results_and_fresh_globals():
    explorer = Explorer(ARGUMENTS)
    given = np.zeros(4, np.int32)
    for _ in range(3):
        outcome = explorer.run("twice", [given, 8, 0.5])
        assert outcome.error is None
        assert outcome.value == 10.5
        assert outcome.arrays[0].tolist() == [16] * 4
    assert given.tolist() == [0] * 4


def test_errors_are_outcomes_and_the_next_run_is_not_affected():
    explorer = Explorer(ARGUMENTS)
    array = np.zeros(4, np.int32)
    for _ in range(3):
        bad = explorer.run("bad", [array])
        assert "kernel 'fault': illegal memory access" in bad.error
        assert explorer.run("twice", [array, 1, 0.0]).error is None
    with pytest.raises(UsageError, match=r"'bad' takes 1 argument, but 0 were given"):
        explorer.run("bad", [])
    with pytest.raises(ProgramError, match="no function 'nobody' with a plain signature"):
        explorer.run("nobody")


def test_thousands_of_runs_take_a_minute():
    """A run of a small program takes about a millisecond; the limit is for busy machines."""
    explorer = Explorer(ARGUMENTS)
    array = np.zeros(4, np.int32)
    explorer.run("twice", [array, 1, 0.0])
    begin = time.process_time()
    for seed in range(100):
        explorer.run("twice", [array, 1, 0.0], seed=seed)
    assert time.process_time() - begin < 2


PRINTING = """
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @hello(%n: i32) kernel {
      gpu.printf "hello %d\\0A", %n : i32
      gpu.return
    }
  }
  func.func @main(%n: i32) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@hello blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%n : i32)
    return
  }
}
"""


def test_what_kernels_print_belongs_to_their_program():
    first, second = Explorer(PRINTING), Explorer(PRINTING)
    for explorer, number in ((first, 1), (second, 2), (first, 3)):
        assert explorer.run("main", [number]).output == f"hello {number}\n"


def run(text, *options):
    return processes.run(
        [sys.executable, "-m", "xgpu.tools.xgpu_runner", "-", "--device=host", *options],
        input=text, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False,
    )  # fmt: skip


def test_runner_compares_orders():
    done = run(ORDERED, "--schedules=20")
    assert done.returncode == 0
    assert done.stdout.count("[42,  42,  42,  42]") == 1
    assert "the same outcome" in done.stderr
    done = run(RACING, "--schedules=20")
    assert done.returncode == 1
    assert done.stdout.count("[42,  42,  42,  42]") == 1
    message, was, now, swapped = done.stderr.splitlines()
    assert "the outcome depends on the order of operations" in message
    assert (was, now) == (
        "line 2 of the output: [42,  42,  42,  42]",
        "   now: [21,  21,  21,  21]",
    )
    assert swapped == "there, double (<stdin>:38:15) ran before set (<stdin>:35:12)"
    seed = message.rsplit("--seed=", 1)[1].split(" ")[0]
    again = run(RACING, "--schedules=1", f"--seed={seed}")
    assert again.stderr.splitlines()[1:] == [was, now, swapped]


def test_runner_refuses_what_makes_no_sense():
    assert "needs the host device" in run("", "--schedules=3", "--device=cuda").stderr
    assert "exclude one another" in run("", "--schedules=3", "--trace=/dev/null").stderr
    assert "expected a number" in run("", "--schedules=many").stderr


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_interrupt(tmp_path):
    program = tmp_path / "endless.mlir"
    begun = tmp_path / "begun"
    program.write_text(f"""llvm.mlir.global internal constant @begun("{begun}\\00")
llvm.func @creat(!llvm.ptr, i32) -> i32
llvm.func @main() {{
  %c = llvm.mlir.constant(1 : i64) : i64
  %p = llvm.alloca %c x i64 : (i64) -> !llvm.ptr
  %mode = llvm.mlir.constant(384 : i32) : i32
  %path = llvm.mlir.addressof @begun : !llvm.ptr
  %file = llvm.call @creat(%path, %mode) : (!llvm.ptr, i32) -> i32
  llvm.br ^bb1
^bb1:
  llvm.store volatile %c, %p : i64, !llvm.ptr
  llvm.br ^bb1
}}""")
    process = processes.start(
        [sys.executable, "-m", "xgpu.tools.xgpu_runner", str(program), "--schedules=2",
         "--device=host"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    processes.wait_until(process, begun.exists)  # the first order does not end
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=processes.TIMEOUT)
    assert process.returncode == 1
    assert errors == "xgpu-runner: error: interrupted\n"


# The loop hands on a token, and its launches do not wait for it.
UNORDERED_LOOP = """
module attributes {gpu.container_module} {
  KERNELS
  gpu.module @more {
    gpu.func @step(%a: memref<4xi32>, %k: index) kernel {
      %t = gpu.thread_id x
      %i = arith.index_cast %k : index to i32
      %v = memref.load %a[%t] : memref<4xi32>
      %d = arith.addi %v, %v : i32
      %w = arith.addi %d, %i : i32
      memref.store %w, %a[%t] : memref<4xi32>
      gpu.return
    }
  }
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %m = gpu.alloc host_shared () : memref<4xi32>
    %v = arith.constant 1 : i32
    gpu.memset %m, %v : memref<4xi32>, i32
    %start = gpu.wait async
    %last = scf.for %k = %c0 to %c4 step %c1 iter_args(%t = %start) -> (!gpu.async.token) {
      %n = gpu.launch_func async [NEEDED] @more::@step
          blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1) args(%m : memref<4xi32>, %k : index)
      %j = gpu.wait async [%t, %n]
      scf.yield %j : !gpu.async.token
    }
    gpu.wait [%last]
    %u = memref.cast %m : memref<4xi32> to memref<*xi32>
    call @printMemrefI32(%u) : (memref<*xi32>) -> ()
    gpu.dealloc %m : memref<4xi32>
    return
  }
}
""".replace("KERNELS", KERNELS)


@pytest.mark.parametrize(("orders", "differs"), [("streams", False), ("tokens", True)])
def test_iterations_share_a_stream_unless_tokens_alone_order(orders: str, differs: bool) -> None:
    explorer = Explorer(UNORDERED_LOOP.replace("NEEDED", "%start"), orders=orders)
    try:
        assert (explorer.explore("main", schedules=20).difference is not None) == differs
    finally:
        explorer.close()


def test_a_loop_that_hands_its_token_on_never_differs() -> None:
    explorer = Explorer(UNORDERED_LOOP.replace("NEEDED", "%t"), orders="tokens")
    try:
        found = explorer.explore("main", schedules=20)
        assert found.difference is None
        # ((((1 * 2 + 0) * 2 + 1) * 2 + 2) * 2 + 3
        assert "[27,  27,  27,  27]" in found.natural.output
    finally:
        explorer.close()


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (
            "llvm.func @main() {\n  llvm.return\n}",
            ("--schedules=2", "--orders=tokens"),
            "a program that is lowered has no tokens: give it as it was before",
        ),
        (
            "func.func @main() {\n  %t = async.execute {\n    async.yield\n  }\n"
            "  async.await %t : !async.token\n  return\n}",
            ("--schedules=2", "--orders=tokens"),
            "<stdin>:2:8: error: 'async.execute' op runs in a thread of its own, whose order "
            "cannot be chosen",
        ),
        ("", ("--orders=tokens",), "option '--orders=tokens' needs '--schedules'"),
    ],
)
def test_orders_of_tokens_that_cannot_be_had(
    text: str, options: tuple[str, ...], message: str
) -> None:
    done = processes.run(
        [sys.executable, "-m", "xgpu.tools.xgpu_runner", *options, "-"], input=text,
        capture_output=True, text=True, cwd=ROOT, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert message in done.stderr.splitlines()[0]
    assert "Traceback" not in done.stderr


def test_the_replay_names_the_kind_of_orders() -> None:
    done = processes.run(
        [sys.executable, "-m", "xgpu.tools.xgpu_runner", "--schedules=20", "--orders=tokens", "-"],
        input=UNORDERED_LOOP.replace("NEEDED", "%start"), capture_output=True, text=True, cwd=ROOT,
        check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "--orders=tokens replays it)" in done.stderr

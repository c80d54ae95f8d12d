# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What was compiled before comes from the user's cache, and is what it would be without one."""

from __future__ import annotations

import os
import sys

import pytest

from tests.support import processes

RUN = """
import sys
from xgpu.tools.xgpu_runner import main
code = main(sys.argv[1:])
print("read" if "xdsl.dialects.builtin" in sys.modules else "kept", code)
"""
PROGRAM = """
func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 8 : index
  %out = gpu.alloc host_shared () : memref<8xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%t, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    %i = arith.index_cast %t : index to i32
    %d = arith.constant VALUE : i32
    %v = OPERATION %i, %d : i32
    memref.store %v, %out[%t] : memref<8xi32>
    gpu.terminator
  }
  %r = memref.load %out[%c1] : memref<8xi32>
  return %r : i32
}
"""


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.delenv("XGPU_NO_CACHE", raising=False)
    path = tmp_path / "a.mlir"
    cache = processes.cache_with_libraries(tmp_path / "cache")

    def act(text, *options, **variables):
        path.write_text(text)
        done = processes.run(
            [sys.executable, "-c", RUN, "--device=host", *options, str(path)],
            capture_output=True, text=True,
            env={**os.environ, "XDG_CACHE_HOME": str(cache), **variables},
        )  # fmt: skip
        assert "Traceback" not in done.stderr, done.stderr
        return done.stdout.split("\n")[:-1], done.stderr

    return act


def program(value, operation="arith.addi"):
    return PROGRAM.replace("VALUE", str(value)).replace("OPERATION", operation)


def test_a_second_run_takes_what_the_first_made(run):
    first, _ = run(program(5))
    second, _ = run(program(5))
    assert first == ["6", "read 0"]
    assert second == ["6", "kept 0"]
    assert run(program(7))[0] == ["8", "read 0"]
    assert run(program(5), "-O3")[0] == ["6", "read 0"]
    assert run(program(5), XGPU_NO_CACHE="1")[0] == ["6", "read 0"]


def test_strategies_of_cached_code_are_reported_too(run):
    said = [run(program(3), "--print-kernel-strategies")[1] for _ in range(2)]
    assert said[0] == said[1]
    assert "kernel 'main_kernel', blocks of 8 x 1 x 1: block-loops" in said[1]
    out, said = run(program(3), "--kernel-strategy=threads", "--print-kernel-strategies")
    assert out == ["4", "read 0"]  # of the module, for the other strategy
    assert "threads, not block-loops or warps: it was asked for" in said


def test_faults_of_cached_programs_have_their_places(run):
    text = program(0, "arith.divsi")
    (first, said), (second, again) = run(text), run(text)
    assert first == second == ["read 1"]  # the error is shown
    assert said == again
    assert "a.mlir:7:3: error: kernel 'main_kernel': integer division by zero" in said


def test_what_is_wrong_is_said_again(run):
    text = "func.func @main() { %0 = arith.constant 1 : i32\n return %0 : i32 }"
    (first, said), (second, again) = run(text), run(text)
    assert first == second == ["read 1"]
    assert said == again

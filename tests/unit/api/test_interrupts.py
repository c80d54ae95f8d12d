# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ctrl-C while the host device runs a kernel that does not end: the caller gets it, nothing goes on
with his arrays, and the device serves again.
"""

from __future__ import annotations

import sys

import pytest

from tests.support import processes
from tests.support.some_cases import short

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")

PROGRAM = '''
import os, signal, sys, threading, time
import numpy as np
import xgpu

SOURCE = """
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @endless(%a: memref<?xi32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %begun = memref.atomic_rmw ori %one, %a[%c1] : (i32, memref<?xi32>) -> i32
      scf.while : () -> () {
        %v = memref.atomic_rmw addi %zero, %a[%c0] : (i32, memref<?xi32>) -> i32
        %go = arith.cmpi eq, %v, %zero : i32
        scf.condition(%go)
      } do {
        PRINT
        scf.yield
      }
      gpu.return
    }
    gpu.func @fine(%a: memref<?xi32>) kernel {
      %c0 = arith.constant 0 : index
      %seven = arith.constant 7 : i32
      memref.store %seven, %a[%c0] : memref<?xi32>
      gpu.return
    }
  }
  func.func @run(%a: memref<?xi32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @m::@endless blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<?xi32>)
    return
  }
}
"""
way = sys.argv[1]
prints = 'gpu.printf "printed"' if way == "printing" else ""
module = xgpu.load(SOURCE.replace("PRINT", prints), "host", output=lambda text: None)
array = np.zeros(4, np.int32)
endless, fine = module.kernels["endless"], module.kernels["fine"]
fine[1, 1](np.zeros(1, np.int32))

def watched():
    with xgpu.sanitized():
        module.kernels["endless"][1, 1](array)

def on_a_stream():
    stream = xgpu.Stream("host")
    endless[1, 1, stream](array)
    stream.synchronize()

ways = {
    "inline": lambda: endless[1, 1](array), "blocks": lambda: endless[64, 4](array),
    "many": lambda: endless[4096, 64](array), "printing": lambda: endless[1, 1](array),
    "stream": on_a_stream, "function": lambda: module.functions["run"](array),
    "watched": watched, "handler": lambda: endless[1, 1](array),
}
handled = []
if way == "handler":
    signal.signal(signal.SIGINT, lambda *_: handled.append("handled"))

def interrupt():
    while not array[1]:  # the kernel has not begun
        time.sleep(0.001)
    os.kill(os.getpid(), signal.SIGINT)
    if way == "handler":
        time.sleep(0.2)  # time for what would end the kernel now
        array[0] = 1  # which ends it

threading.Thread(target=interrupt, daemon=True).start()
try:
    ways[way]()
    print("ended", handled)
except KeyboardInterrupt:
    print("interrupted")
if way != "stream":
    assert not module.kernels["endless"]._backend.device.running()
out = np.zeros(1, np.int32)
fine[1, 1](out)
fine[300, 1](out)
print()  # behind what the kernel has printed
print(out[0], xgpu.Stream("host").done, flush=True)
os._exit(0)
'''


def run(way):
    return processes.run(
        [sys.executable, "-c", PROGRAM, way], capture_output=True, text=True,
        check=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    "way",
    short(
        ["inline", "blocks", "many", "printing", "stream", "function", "watched"],
        "inline", "stream", "watched",
    ),
)
def test_ctrl_c_ends_a_kernel_without_end(way):
    done = run(way)
    lines = done.stdout.splitlines()
    assert lines, (done.returncode, done.stderr)
    assert (lines[0], lines[-1]) == ("interrupted", "7 True"), done.stderr


def test_a_handler_of_the_program_is_asked_and_the_kernel_goes_on():
    done = run("handler")
    assert done.stdout.splitlines() == ["ended ['handled']", "", "7 True"], done.stderr

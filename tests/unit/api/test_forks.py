# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The host device in a process that was forked from one that uses it."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="forks")

PROGRAM = '''
import os, select, sys
import numpy as np
import xgpu

SOURCE = """
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @double(%a: memref<?xf32>, %n: index) kernel {
      %b = gpu.block_id x
      %s = gpu.block_dim x
      %t = gpu.thread_id x
      %p = arith.muli %b, %s : index
      %i = arith.addi %p, %t : index
      %v = memref.load %a[%i] : memref<?xf32>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %w = scf.for %j = %c0 to %n step %c1 iter_args(%x = %v) -> (f32) {
        %y = arith.addf %x, %v : f32
        scf.yield %y : f32
      }
      memref.store %w, %a[%i] : memref<?xf32>
      gpu.return
    }
  }
  func.func @run(%a: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %t0 = gpu.wait async
    %t1 = gpu.launch_func async [%t0] @m::@double blocks in (%c64, %c1, %c1)
        threads in (%c64, %c1, %c1) args(%a : memref<?xf32>, %c1 : index)
    gpu.wait [%t1]
    return
  }
}
"""
module = xgpu.load(SOURCE, "host")
double, run = module.kernels["double"], module.functions["run"]
a, stream = np.ones(4096, np.float32), xgpu.Stream("host")
double[64, 64](a, 1)
run(a)
double[64, 64, stream](a, 1)
stream.synchronize()
assert (a == 8).all()
long = np.zeros(4096, np.float32)
double[64, 64, stream](long, 3_000_000)  # under way when the process forks

read, write = os.pipe()
if os.fork() == 0:
    stream.synchronize()  # what is under way is the parent's
    double[64, 64](a, 1)
    run(a)
    double[64, 64, stream](a, 1)
    big = xgpu.zeros(1 << 20, "float32", "host").fill(1.0)
    double[1 << 12, 256](big, 1)
    fresh = xgpu.load(SOURCE.replace("@m", "@other"), "host")
    fresh.functions["run"](a)
    stream.synchronize()
    os.write(write, f"{a.min()} {a.max()} {big.numpy().sum()}".encode())
    os._exit(0)
print(os.read(read, 100).decode() if select.select([read], [], [], 60)[0] else "hangs", flush=True)
stream.synchronize()
double[64, 64](a, 1)
print(a.max())
os._exit(0)
'''


def test_the_child_has_a_device_of_its_own():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.stdout.splitlines() == ["128.0 128.0 2097152.0", "16.0"], done.stderr

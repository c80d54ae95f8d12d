# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The host device in a process that was forked from one that uses it."""

from __future__ import annotations

import sys

import pytest

from tests.support import processes

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
print(a.max(), flush=True)
os._exit(0)
'''


def test_the_child_has_a_device_of_its_own():
    done = processes.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines() == ["128.0 128.0 2097152.0", "16.0"], done.stderr


BUSY = '''
import os, sys, threading, time
import numpy as np
import xgpu

SOURCE = """
gpu.module @m {
  gpu.func @next(%a: memref<?xf32>, %b: memref<?xf32>) kernel {
    %x = gpu.block_id x
    %v = memref.load %a[%x] : memref<?xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %b[%x] : memref<?xf32>
    gpu.return
  }
  gpu.func @fails(%a: memref<?xf32>) kernel {
    %no = arith.constant false
    cf.assert %no, "bad"
    gpu.return
  }
}
"""
kernels = xgpu.load(SOURCE, "host").kernels
end = threading.Event()
# A child can never import a module that another thread was importing when it was made. So all that
# a launch imports is there before.
begun = threading.Barrier(4)


def work(number):
    a, b = np.ones(4096, np.float32), np.zeros(4096, np.float32)

    def launch():
        try:
            kernels["fails" if number == 0 else "next"][4096, 1](*(a, b)[: number + 1])
        except xgpu.DeviceError as problem:
            str(problem)

    for _ in range(3):
        launch()
    begun.wait()
    while not end.is_set():
        launch()


threads = [threading.Thread(target=work, args=(n,)) for n in (0, 1, 1)]
for thread in threads:
    thread.start()
begun.wait()
sys.stderr.close()
ends = set()
for _ in range(int(sys.argv[1])):
    child = os.fork()
    if child == 0:
        a, b = np.ones(4096, np.float32), np.zeros(4096, np.float32)
        try:
            kernels["next"][4096, 1](a, b)
            os._exit(0 if (b == 2).all() else 2)
        except BaseException:
            os._exit(1)
    deadline = time.monotonic() + 300
    while not (waited := os.waitpid(child, os.WNOHANG))[0]:
        if time.monotonic() > deadline:
            os.kill(child, 9)
            os.waitpid(child, 0)
            waited = (child, "hangs")
            break
        time.sleep(0.002)
    ends.add(waited[1])
    time.sleep(0.003)
end.set()
print(ends, flush=True)
os._exit(0)
'''


def test_forked_while_other_threads_launch():
    """Locks, launches and errors that other threads had under way stay in the parent."""
    command = [sys.executable, "-c", BUSY, "30"]
    done = processes.run(command, capture_output=True, text=True)
    assert done.stdout == "{0}\n", done.stderr


LEFT = """
import os, threading
from xgpu.host_device.device import helpers

released = []


class Library:
    def release(self, address):
        released.append(address)


helpers.native_library = lambda: Library()
ready, end = threading.Event(), threading.Event()


def work(until):
    helpers.own()
    ready.set()
    until.wait()


stays = threading.Thread(target=work, args=(end,), daemon=True)
stays.start()
ready.wait()
child = os.fork()
if child == 0:
    os._exit(len(released))
print(os.waitpid(child, 0)[1], len(released))
end.set()
stays.join()
print(len(released), flush=True)
os._exit(0)
"""


def test_what_a_thread_of_the_parent_is_in_the_middle_of_is_not_freed():
    """Python drops other threads' records in the child before anything else knows of the fork."""
    command = [sys.executable, "-c", LEFT]
    done = processes.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == "0 0\n1\n", done.stderr


GUARDED = (
    PROGRAM[: PROGRAM.index("long = ")]
    + """
import ctypes, time
from threading import get_ident
from xgpu.host_device.abi.codes import KEPT_SLOT
from xgpu.host_device.native.library import native_library

def is_guarded():
    return any(t > 1 and not t & KEPT_SLOT for t in slots)

table = ctypes.CFUNCTYPE(ctypes.c_void_p)(native_library().symbols["xgpu_slot_table"])()
slots = (ctypes.c_uint64 * 256).from_address(table)
long = np.zeros(4096, np.float32)
double[64, 64, stream](long, 30_000_000)
deadline = time.monotonic() + 300
while not is_guarded() and time.monotonic() < deadline:
    time.sleep(0.001)
child = os.fork()
if child == 0:
    os._exit(any(t > 1 and t != get_ident() | KEPT_SLOT for t in slots))
print(is_guarded(), os.waitpid(child, 0)[1], flush=True)
os._exit(0)
"""
)


def test_the_child_has_no_thread_in_guarded_code():
    """A thread that runs a kernel holds a slot; in the child that slot is free."""
    done = processes.run(
        [sys.executable, "-c", GUARDED], capture_output=True, text=True, check=False
    )
    assert done.stdout == "True 0\n", done.stderr

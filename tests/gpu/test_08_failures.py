# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that fail on an NVIDIA GPU: one error, in words, and the next process works."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from tests.support import processes

pytestmark = pytest.mark.gpu

KERNELS = """
import numpy as np
import xgpu
SOURCE = '''
gpu.module @kernels {
  gpu.func @far(%a: memref<?xi32>) kernel {
    %at = arith.constant 1000000000000 : index
    %x = arith.constant 1 : i32
    memref.store %x, %a[%at] : memref<?xi32>
    gpu.return
  }
  gpu.func @trap(%a: memref<?xi32>) kernel {
    llvm.intr.trap
    gpu.return
  }
  gpu.func @print(%a: memref<?xi32>) kernel {
    %t = gpu.thread_id x
    gpu.printf "thread %lld\\\\n", %t : index
    gpu.return
  }
  gpu.func @ever(%a: memref<?xi32>) kernel {
    %c0 = arith.constant 0 : index
    %yes = arith.constant true
    scf.while : () -> () {
      scf.condition(%yes)
    } do {
      %one = arith.constant 1 : i32
      %x = memref.atomic_rmw addi %one, %a[%c0] : (i32, memref<?xi32>) -> i32
      scf.yield
    }
    gpu.return
  }
}
'''
kernels = xgpu.load(SOURCE, "cuda").kernels
array = xgpu.zeros(8, "int32", "cuda")
"""
WORKS = KERNELS + "kernels['print'][1, 2](array)\narray.numpy()\nprint('works')\n"


@pytest.mark.parametrize(
    ("kernel", "words"), [("far", "ILLEGAL_ADDRESS"), ("trap", "LAUNCH_FAILED|ILLEGAL_INSTRUCTION")]
)
def test_a_kernel_that_fails(kernel: str, words: str, python) -> None:
    body = f"""
try:
    kernels['{kernel}'][1, 1](array)
    array.numpy()
except xgpu.core.ir.errors.DeviceError as problem:
    print('caught', problem)
"""
    code, text = python(KERNELS + "import xgpu.core.ir.errors\n" + body)
    assert code == 0, text
    assert text.count("caught") == 1
    assert any(word in text for word in words.split("|")), text
    assert "Traceback" not in text
    code, text = python(WORKS)
    assert (code, text.splitlines()[-1]) == (0, "works")


def test_what_kernels_print(python) -> None:
    code, text = python(WORKS)
    assert code == 0
    assert sorted(text.splitlines()) == ["thread 0", "thread 1", "works"]


EVER = """
func.func @f(%a: memref<?xi32>) {
  %c1 = arith.constant 1 : index
  gpu.launch_func @kernels::@ever blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%a : memref<?xi32>)
  return
}
"""


def test_ctrl_c() -> None:
    """A function whose kernel never ends is left by KeyboardInterrupt."""
    text = KERNELS + (
        f"text = 'module attributes {{gpu.container_module}} {{' + SOURCE + {EVER!r} + '}}'\n"
        "f = xgpu.load(text, 'cuda').functions['f']\n"
        "print('runs', flush=True)\ntry:\n    f(array)\n"
        "except KeyboardInterrupt:\n    import os\n    os._exit(3)\n"
    )
    child = processes.start(
        [sys.executable, "-c", text], memory=64 << 30, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "runs\n"
    time.sleep(3)
    child.send_signal(signal.SIGINT)
    try:
        assert child.wait(20) == 3
    finally:
        child.kill()
        child.wait()
        child.stdout.close()


def test_after_fork(python) -> None:
    if not hasattr(os, "fork"):
        pytest.skip("no fork here")
    body = """
import os, sys
array.numpy()
child = os.fork()
if not child:
    try:
        array.numpy()
    except Exception as problem:
        print(problem)
    sys.stdout.flush()
    os._exit(0)
os.waitpid(child, 0)
array.numpy()
print('works')
"""
    # Python warns of a fork beside threads from 3.12 on.
    quiet = "import warnings\nwarnings.simplefilter('ignore', DeprecationWarning)\n"
    code, text = python(KERNELS + quiet + body)
    assert code == 0, text
    assert "this process was forked from one that had used the cuda device" in text
    assert text.splitlines()[-1] == "works"

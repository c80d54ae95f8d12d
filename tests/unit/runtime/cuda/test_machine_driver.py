# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""xgpu and cuda-bindings over the library of xgpu's CUDA driver: what they tell it by C is what it
asks for. Each in a process of its own: a process has one driver.
"""

from __future__ import annotations

import re
import sys

import pytest

pytest.importorskip("cuda.bindings.driver", reason="needs cuda-python")

from tests.support import processes
from tests.support.some_cases import short
from xgpu.cuda_driver import is_possible

pytestmark = pytest.mark.skipif(
    not is_possible(), reason="the library is written for Linux on x86-64"
)

BEGIN = """
from xgpu import cuda_driver
recorder = cuda_driver.Recorder()
found = cuda_driver.connect(recorder=recorder)
"""


def process(*arguments):
    return processes.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=False, seconds=3600
    )


def said(text):
    """What a script prints."""
    done = process("-c", text)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def failures(step):
    done = process("-m", "tests.support.machine_runs", str(step))
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(" calls") == 15
    return int(re.findall(r"(\d+) failures", done.stdout)[0])


def test_all_programs_and_some_failures():
    assert failures(199) >= 20


@pytest.mark.parametrize(
    ("step", "least"),
    [
        pytest.param(29, 180, marks=pytest.mark.long),
        pytest.param(5, 1200, marks=pytest.mark.exhaustive),
    ],
)
def test_all_programs_and_more_failures(step, least):
    assert failures(step) >= least


def test_a_tool_over_the_library(tmp_path):
    from tests.support.cuda_programs import PROGRAMS

    file = tmp_path / "streams.mlir"
    file.write_text(PROGRAMS["streams"][0])
    tool = ["xgpu-runner", "--device=cuda", "--entry-point-result=void", str(file)]
    done = process("-m", "xgpu.tools.xgpu_cuda", "--leftovers", *tool)
    assert done.returncode == 0, done.stderr
    assert re.search(r"process \d+: not given back: nothing", done.stderr)


WRONG = (
    BEGIN
    + """
from cuda.bindings import driver as d
d.cuInit(0)
d.cuCtxSetCurrent(d.cuDevicePrimaryCtxRetain(0)[1])
stream = d.cuStreamCreate(0)[1]
d.cuStreamDestroy(stream)
d.cuStreamDestroy(stream)
copy = d.CUDA_MEMCPY2D()
copy.WidthInBytes, copy.Height, copy.srcPitch, copy.dstPitch = 8, 2, 4, 8
copy.srcMemoryType = copy.dstMemoryType = d.CUmemorytype.CU_MEMORYTYPE_DEVICE
copy.srcDevice = copy.dstDevice = d.cuMemAlloc(64)[1]
d.cuMemcpy2DAsync(copy, 0)
copy.srcPitch = 8
print(d.cuMemcpy2DAsync(copy, 0)[0].name)
copy.Height = 9
d.cuMemcpy2DAsync(copy, 0)
for call, result in recorder.refusals:
    print(call.name, d.CUresult(result).name)
print(found.driver.leftovers())
"""
)


def test_what_is_wrong_by_c_is_refused_and_recorded():
    assert said(WRONG) == [
        "CUDA_SUCCESS",
        "cuStreamDestroy CUDA_ERROR_INVALID_HANDLE", "cuMemcpy2DAsync CUDA_ERROR_INVALID_VALUE",
        "cuMemcpy2DAsync CUDA_ERROR_INVALID_VALUE", "{'CUcontext': 1, 'memory': 1}",
    ]  # fmt: skip


# Waits that only end when `go` is set: in machine code, as in the driver, no signal ends them.
ENDLESS = (
    BEGIN
    + """
import ctypes, os, signal, sys, threading, time
import numpy as np
from cuda.bindings import driver as d
from llvmlite import binding
from xgpu.host_device.machine.cpu import compile_ir
from xgpu.host_device.native.library import native_library
import xgpu

go, begun = ctypes.c_int64(0), ctypes.c_int64(0)
text = '''
@go = external global i64
@begun = external global i64
define i32 @endless(i64 %stream) {
begin:
  store atomic volatile i64 1, ptr @begun monotonic, align 8
  br label %again
again:
  %seen = load atomic volatile i64, ptr @go monotonic, align 8
  %over = icmp ne i64 %seen, 0
  br i1 %over, label %end, label %again
end:
  ret i32 0
}
'''
builder = binding.JITLibraryBuilder().add_object_img(compile_ir(text, 2))
builder.import_symbol("go", ctypes.addressof(go))
builder.import_symbol("begun", ctypes.addressof(begun))
builder.export_symbol("endless")
tracker = builder.link(native_library().jit, "endless")

def busy():
    for name in ("cuStreamSynchronize", "cuEventSynchronize", "cuCtxSynchronize"):
        found.replace(name, tracker["endless"])
    for name in ("cuStreamQuery", "cuEventQuery"):
        recorder.failures[name] = d.CUresult.CUDA_ERROR_NOT_READY

PROGRAM = '''
module attributes {gpu.container_module} {
  gpu.module @m { gpu.func @k(%a: memref<?xf32>) kernel { gpu.return } }
  func.func @f(%a: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %t0 = gpu.wait async
    %t1 = gpu.launch_func async [%t0] @m::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<?xf32>)
    %t2 = gpu.launch_func async [%t1] @m::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<?xf32>)
    gpu.wait [%t2]
    return
  }
}
'''
array = xgpu.zeros(8, "float32", "cuda")
function, graph = (
    xgpu.load(PROGRAM, "cuda", chip="sm_90", pipeline=f"async-mode={mode}").functions["f"]
    for mode in ("streams", "graph")
)
for _ in range(3):
    function(array)
    graph(array)
assert function._program.straight_functions == {"f"} == graph._program.graph_functions
stream = xgpu.Stream("cuda")
event = stream.record()
waits = {
    "numpy": array.numpy, "stream": stream.synchronize, "event": event.synchronize,
    "function": lambda: function(array), "graph": lambda: graph(array),
    "fill": lambda: array.fill(1.0), "elapsed": lambda: event.elapsed(event),
    "copy": lambda: array.copy_from(np.zeros(8, np.float32)),
}
busy()

def interrupt():
    while not begun.value:
        time.sleep(0.001)
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=interrupt, daemon=True).start()
try:
    waits[sys.argv[1]]()
except KeyboardInterrupt:
    print("interrupted")
go.value = 1
"""
)


@pytest.mark.parametrize(
    "wait",
    short(
        ["numpy", "stream", "event", "fill", "elapsed", "copy", "function", "graph"],
        "event",
        "graph",
    ),
)
def test_ctrl_c_ends_a_wait(wait):
    done = process("-c", ENDLESS, wait)
    assert done.stdout.splitlines() == ["interrupted"], done.stderr


@pytest.mark.long
def test_the_tests_for_gpus_over_it():
    done = process("-m", "xgpu.tools.xgpu_cuda", "pytest", "tests/gpu", "-q", "-n0")
    assert done.returncode == 0, done.stdout

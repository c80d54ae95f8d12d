# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""xgpu, cuda-bindings and cuda.core over the stand-in as machine code: what they tell the driver by
C is what it asks for. Each in a process of its own: a process has one driver.
"""

from __future__ import annotations

import re
import sys

import pytest

pytest.importorskip("cuda.bindings.driver", reason="needs cuda-python")

from tests.support import processes
from tests.support.machine_driver import is_possible
from tests.support.some_cases import short

pytestmark = pytest.mark.skipif(
    not is_possible(), reason="the library is written for Linux on x86-64"
)

BEGIN = """
import tempfile
from pathlib import Path
from tests.support.{module} import {driver}, {machine}
fake = {driver}()
machine = {machine}(fake)
with tempfile.TemporaryDirectory() as folder:
    machine.load(Path(folder))
"""
PYTHON = BEGIN.format(module="machine_driver", driver="FakeDriver", machine="MachineDriver")
FAST = BEGIN.format(module="fast_driver", driver="FastDriver", machine="FastMachineDriver")


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
    done = process("-m", "tests.support.machine_driver", *tool)
    assert done.returncode == 0, done.stderr
    assert re.search(r"driver: \d\d+ calls, broken \[\], alive \{\}", done.stderr)


WRONG = (
    PYTHON
    + """
from cuda.bindings import driver as d
d.cuInit(0)
d.cuCtxSetCurrent(d.cuDevicePrimaryCtxRetain(0)[1])
stream = d.cuStreamCreate(0)[1]
d.cuStreamDestroy(stream)
print(d.cuStreamDestroy(stream)[0].name)
copy = d.CUDA_MEMCPY2D()
copy.WidthInBytes, copy.Height, copy.srcPitch, copy.dstPitch = 8, 2, 4, 8
copy.srcMemoryType = copy.dstMemoryType = d.CUmemorytype.CU_MEMORYTYPE_DEVICE
copy.srcDevice = copy.dstDevice = d.cuMemAlloc(64)[1]
print(d.cuMemcpy2DAsync(copy, 0)[0].name)
copy.srcPitch = 8
print(d.cuMemcpy2DAsync(copy, 0)[0].name)
copy.Height = 9
print(d.cuMemcpy2DAsync(copy, 0)[0].name)
print(len(fake.violations), *fake.violations, sep="|")
"""
)


def test_rules_that_are_broken_through_c_are_seen():
    assert said(WRONG) == [
        "CUDA_ERROR_INVALID_HANDLE", "CUDA_ERROR_INVALID_VALUE", "CUDA_SUCCESS",
        "CUDA_ERROR_INVALID_VALUE",
        "3|cuStreamDestroy: 0x1000 is no live stream"
        "|cuMemcpy2DAsync: the pitch is less than a row"
        "|cuMemcpy2DAsync: 72 bytes leave an allocation of 64",
    ]  # fmt: skip


LAUNCHES = (
    FAST
    + """
from cuda.bindings import driver as d
import xgpu
source = "gpu.module @m { gpu.func @k(%a: memref<?xf32>) kernel { gpu.return } }"
ptx = xgpu.compile(source, chip="sm_90").kernels["m"]
d.cuInit(0)
d.cuCtxSetCurrent(d.cuDevicePrimaryCtxRetain(0)[1])
module = d.cuModuleLoadDataEx(ptx + b"\\0", 0, [], [])[1]
kernel = d.cuModuleGetFunction(module, b"k")[1]
stream, gone = d.cuStreamCreate(0)[1], d.cuStreamCreate(0)[1]
d.cuStreamDestroy(gone)
sizes = [
    (1, 1, 1, 32, 1, 1, 0), (2**31 - 1, 65535, 65535, 1, 16, 64, 49152), (0, 1, 1, 1, 1, 1, 0),
    (2**31, 1, 1, 1, 1, 1, 0), (1, 65536, 1, 1, 1, 1, 0), (1, 1, 65536, 1, 1, 1, 0),
    (1, 1, 1, 1025, 1, 1, 0), (1, 1, 1, 1, 1, 65, 0), (1, 1, 1, 32, 32, 2, 0),
    (1, 1, 1, 1, 1, 1, 49153), (1, 1, 1, 0, 1, 1, 0),
]
for each in sizes:
    begin = fake.fast_calls
    print(d.cuLaunchKernel(kernel, *each, stream, 0, 0)[0].name, fake.fast_calls - begin)
print(d.cuLaunchKernel(kernel, *sizes[0], gone, 0, 0)[0].name)
d.cuCtxSetCurrent(0)
print(d.cuLaunchKernel(kernel, *sizes[0], stream, 0, 0)[0].name)
d.cuCtxSetCurrent(d.cuDevicePrimaryCtxRetain(0)[1])
d.cuModuleUnload(module)
print(d.cuLaunchKernel(kernel, *sizes[0], stream, 0, 0)[0].name)
"""
)


def test_machine_code_lets_nothing_through():
    refused = "CUDA_ERROR_INVALID_VALUE 0"
    taken = "CUDA_SUCCESS 1"
    assert said(LAUNCHES) == [
        taken, taken, *[refused] * 9,
        "CUDA_ERROR_INVALID_HANDLE", "CUDA_ERROR_INVALID_CONTEXT", "CUDA_ERROR_INVALID_HANDLE",
    ]  # fmt: skip


CORE = (
    FAST
    + """
import sys
sys.path.insert(0, "benchmarks")
from launch import core_launch
launch, wait = core_launch(4)
begin = fake.fast_calls
for _ in range(3):
    launch()
wait()
print(fake.fast_calls - begin >= 4, fake.violations)
"""
)


def test_cuda_core_launches_over_it():
    pytest.importorskip("cuda.core")
    assert said(CORE) == ["True []"]


# Waits that only end when `go` is set: in machine code, as in the driver, no signal ends them.
ENDLESS = (
    PYTHON
    + """
import ctypes, os, signal, sys, threading, time
import numpy as np
from cuda.bindings import driver as d
from llvmlite import binding
from xgpu.api.cuda_driver.shared_object import TABLE
from xgpu.host_device.compiler.machine import compile_ir
from xgpu.host_device.native.library import native_library
import xgpu

go = ctypes.c_int64(0)
text = '''
@go = external global i64
define i32 @endless(i64 %stream) {
begin:
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
builder.export_symbol("endless")
tracker = builder.link(native_library().jit, "endless")
table = (ctypes.c_uint64 * len(machine._names)).in_dll(machine._library, TABLE)

def busy():
    for name in ("cuStreamSynchronize", "cuEventSynchronize", "cuCtxSynchronize"):
        table[machine._names.index(name)] = tracker["endless"]
    for name in ("cuStreamQuery", "cuEventQuery"):
        fake.failures[name] = d.CUresult.CUDA_ERROR_NOT_READY

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
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
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
        "numpy", "event", "function", "graph",
    ),
)
def test_ctrl_c_ends_a_wait(wait):
    done = process("-c", ENDLESS, wait)
    assert done.stdout.splitlines() == ["interrupted"], done.stderr


@pytest.mark.long
def test_the_tests_for_gpus_over_it():
    """Those that look at results are skipped; the rest passes, and breaks no rule."""
    done = process("-m", "tests.support.machine_driver", "pytest", "tests/gpu", "-q", "-n0")
    assert done.returncode == 0, done.stdout
    assert "broken []" in done.stderr

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`xgpu-cuda`: its command line, and programs that run under it, each in processes of its own."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import sys
import textwrap
from pathlib import Path

import pytest

from tests.support import processes
from tests.support.clang import needs_clang
from tests.support.driver_calls import PTX
from tests.support.some_cases import short
from xgpu.api.cuda_driver.library_file import is_possible
from xgpu.core.ir.errors import UsageError
from xgpu.tools.xgpu_cuda import help_text, main, parse_arguments

pytestmark = pytest.mark.skipif(
    not is_possible(), reason="the library is written for Linux on x86-64"
)


def needs(*modules):
    """Skips where a client is not installed."""
    missing = [m for m in modules if importlib.util.find_spec(m) is None]
    return pytest.mark.skipif(bool(missing), reason=f"needs {', '.join(missing)}")


def run(*arguments, **options):
    command = [sys.executable, "-m", "xgpu.tools.xgpu_cuda", *arguments]
    return processes.run(command, capture_output=True, text=True, seconds=300, **options)


def python(text, *options, **more):
    done = run(*options, sys.executable, "-c", text, **more)
    return done.returncode, done.stdout, done.stderr


# -- the command line


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ([], "expected a command"), (["--chip"], "option '--chip' needs a value"),
        (["--wrong", "true"], "unknown option '--wrong'"),
        (["--hepl"], "unknown option '--hepl', did you mean '--help'?"),
        (["--verbose=1", "true"], "'--verbose' takes no value"),
        (["--chip=gfx90a", "true"], "chip is 'gfx90a'"),
        (["--devices=many", "true"], "'--devices' is 'many'"),
        (["--fail-at=x", "true"], "'--fail-at' is 'x'"),
        (["--fail-at=0", "true"], "'--fail-at' is '0', expected N or N:RESULT: a call, from 1"),
        (["--fail-at=5:CUDA_ERROR_OUT", "true"], "'--fail-at' is '5:CUDA_ERROR_OUT'"),
        (["--sanitize=nothing", "true"], "sanitizer 'nothing'"),
        (["--timeline=x.png", "true"], "'--timeline' is 'x.png'"),
        (["--report", "a.cu", "b.cu"], "'--report' is 'a.cu', expected .json, .sarif"),
        (["--report=/nowhere/x.json", "true"], "/nowhere/x.json"),
        (["/nowhere/program"], "cannot run '/nowhere/program'"),
    ],
)  # fmt: skip
def test_mistakes(given, words, capfd):
    assert main(given) == 1
    assert words in capfd.readouterr().err


def test_options_end_at_the_command():
    options, _, command = parse_arguments(["--sanitize", "--devices", "2", "python", "--chip=x"])
    assert options == {"sanitize": "1", "devices": "2"}
    assert command == ["python", "--chip=x"]
    with pytest.raises(UsageError):
        parse_arguments(["--"])


def test_help(capfd):
    assert main(["--help"]) == 0
    assert capfd.readouterr().out == help_text()
    assert main(["--version"]) == 0
    assert capfd.readouterr().out.startswith("xgpu-cuda ")


def test_exit_codes():
    assert run("false").returncode == 1
    assert run("sh", "-c", "exit 7").returncode == 7
    assert run("sh", "-c", "kill -9 $$").returncode == 137


def test_an_internal_error_of_the_driver():
    """The program does not look at results: it is not the one that says whether all is well."""
    code, out, said = python("""
import ctypes
import xgpu.api.cuda_driver.contexts
from xgpu.api.cuda_driver.table import FUNCTIONS
FUNCTIONS["cuDriverGetVersion"].run = lambda *_: {}["version"]
driver = ctypes.CDLL("libcuda.so.1")
print(driver.cuInit(0), driver.cuDriverGetVersion(ctypes.byref(ctypes.c_int())))
""")
    assert (code, out) == (1, "0 999\n")
    what = "internal error in cuDriverGetVersion: KeyError('version'); please report this"
    assert what in said


# -- the library

FIRST = """
import ctypes
driver = ctypes.CDLL("libcuda.so.1")
number = ctypes.c_int()
print(driver.cuDeviceGetCount(ctypes.byref(number)), driver.cuInit(0))
driver.cuDeviceGetCount(ctypes.byref(number))
print(number.value)
for name in ("cuMemAlloc", "cuMemAlloc_v2", "cuStreamQuery_ptsz", "cuMemcpyHtoD_v2_ptds"):
    getattr(driver, name)
"""


def test_a_process_finds_the_driver():
    assert python(FIRST, "--devices=3") == (0, "3 0\n3\n", "")


def test_two_names_are_one_library():
    text = FIRST + "print(ctypes.CDLL('libcuda.so').cuCtxSynchronize())"
    assert python(text)[1].splitlines()[-1] == "201"


def test_functions_are_looked_up_with_their_versions():
    text = (
        FIRST
        + """
found, status = ctypes.c_void_p(), ctypes.c_int()
for name in (b"cuMemAlloc", b"cuNothing"):
    code = driver.cuGetProcAddress_v2(name, ctypes.byref(found), 12000, 0, ctypes.byref(status))
    print(code, bool(found.value), status.value)
"""
    )
    code, out, _ = python(text, "--verbose")
    assert out.splitlines()[2:] == ["0 True 0", "0 False 1"]
    assert "there is no function cuNothing" in python(text, "--verbose")[2]
    assert code == 0


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """A program in C, which has no Python, and prints what it is given back."""
    if shutil.which("gcc") is None:
        pytest.skip("needs gcc")
    folder = tmp_path_factory.mktemp("program")
    (folder / "main.c").write_text("""
#include <stdio.h>
#include <stdlib.h>
int cuInit(int); int cuCtxCreate_v2(void **, int, int); int cuMemAlloc_v2(void **, size_t);
int cuMemcpyHtoD_v2(void *, const void *, size_t); int cuMemcpyDtoH_v2(void *, void *, size_t);
int cuMemFree_v2(void *); int cuStreamCreate(void **, int); int cuStreamDestroy_v2(void *);
int cuEventCreate(void **, int); int cuEventDestroy_v2(void *);
int main(void) {
  void *context, *memory, *stream, *event; int given = 42, found = 0, code = cuInit(0);
  if (code) { printf("cuInit: %d\\n", code); return code; }
  if (cuCtxCreate_v2(&context, 0, 0) || cuMemAlloc_v2(&memory, 4)) return 2;
  if (cuMemcpyHtoD_v2(memory, &given, 4) || cuMemcpyDtoH_v2(&found, memory, 4)) return 3;
  for (int i = 0; i < 2; ++i) {
    if (cuStreamCreate(&stream, 0) || cuEventCreate(&event, 0)) return 4;
    if (i == 0 && getenv("LEAK")) continue;
    if (cuStreamDestroy_v2(stream) || cuEventDestroy_v2(event)) return 5;
  }
  if (!getenv("LEAK") && cuMemFree_v2(memory)) return 6;
  printf("%d\\n", found);
  return 0;
}
""")
    from xgpu.api.cuda_driver.library_file import library_folder

    build = ["gcc", "main.c", "-o", "main", f"-L{library_folder()}", "-lcuda"]
    processes.run(build, cwd=folder, check=True)
    return folder / "main"


def test_a_program_without_python(program):
    done = run("--leftovers", program)
    assert (done.returncode, done.stdout) == (0, "42\n")
    assert "not given back: 1 CUcontext\n" in done.stderr


@pytest.mark.long
@needs_clang
def test_a_program_without_python_compiles_a_kernel(tmp_path):
    """It calls NVRTC first, which starts the interpreter; the driver's record at the end is there.
    Clang has linked it with the libraries, then xgpu-cuda compiles and runs it."""
    text = """
#include <cuda.h>
#include <nvrtc.h>
#include <cstdio>
#include <vector>
int main() {
  nvrtcProgram program;
  const char *source = "extern \\"C\\" __global__ void k(int *p) { *p = 42; }";
  int result = nvrtcCreateProgram(&program, source, nullptr, 0, nullptr, nullptr);
  if (result || nvrtcCompileProgram(program, 0, nullptr)) return 1;
  size_t size;
  nvrtcGetPTXSize(program, &size);
  std::vector<char> ptx(size);
  nvrtcGetPTX(program, ptx.data());
  CUcontext context;
  CUmodule module;
  CUfunction kernel;
  CUdeviceptr memory;
  int found = 0;
  if (cuInit(0) || cuCtxCreate(&context, 0, 0) || cuModuleLoadData(&module, ptx.data())) return 2;
  if (cuModuleGetFunction(&kernel, module, "k") || cuMemAlloc(&memory, 4)) return 3;
  void *arguments[] = {&memory};
  if (cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, 0, arguments, 0)) return 4;
  cuMemcpyDtoH(&found, memory, 4);
  std::printf("%d %s\\n", found, nvrtcGetErrorString(NVRTC_SUCCESS));
  return nvrtcDestroyProgram(&program);
}
"""
    from xgpu.api.cuda_driver.library_file import library_folder
    from xgpu.frontend.cuda.clang import HEADERS, find_clang

    source, program = tmp_path / "main.cpp", tmp_path / "main"
    source.write_text(text)
    folder = library_folder()
    build = [find_clang(), "-x", "c++", source, f"-isystem{HEADERS}", "-o", program, f"-L{folder}",
             "-lnvrtc", "-lcuda", "-lstdc++"]  # fmt: skip
    processes.run(build, check=True)
    for command in (program, source):
        done = run("--leftovers", command)
        assert (done.returncode, done.stdout) == (0, "42 NVRTC_SUCCESS\n"), done.stderr
        assert "not given back: 1 CUcontext, 1 CUmodule, 1 memory\n" in done.stderr


def test_the_sanitizer_in_a_program_without_python(program, monkeypatch):
    monkeypatch.setenv("LEAK", "1")
    done = run("--sanitize=leak", program)
    assert done.returncode == 1
    assert sorted(filter(None, done.stderr.splitlines())) == [
        "error: leak: 4 bytes of device memory are never released",
        "error: leak: a stream is never destroyed",
        "error: leak: an event is never destroyed",
    ]


def test_where_there_is_no_driver_python_says_so(program, monkeypatch):
    """The library alone: what it needs of xgpu is in its text."""
    from xgpu.api.cuda_driver.library_file import library_folder

    environment = {"LD_LIBRARY_PATH": str(library_folder()), "XGPU_CUDA_CHIP": "none"}
    done = processes.run([program], capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stdout) == (3, "cuInit: 3\n")
    assert "cannot be imported" in done.stderr
    assert "chip is 'none'" in done.stderr


# -- programs

BEGIN = f"""
import ctypes, os, sys
import numpy as np
from cuda.bindings import driver
PTX = {PTX!r}
def check(found):
    assert found[0] == 0, found[0]
    return found[1] if len(found) == 2 else found[1:]
check(driver.cuInit(0))
device = check(driver.cuDeviceGet(0))
context = check(driver.cuDevicePrimaryCtxRetain(device))
check(driver.cuCtxSetCurrent(context))
"""
ADD = (
    BEGIN
    + """
module = check(driver.cuModuleLoadData(PTX.encode()))
kernel = check(driver.cuModuleGetFunction(module, KERNEL))
n = 1000
a, b = np.random.rand(n).astype("f"), np.random.rand(n).astype("f")
c = np.empty(n, "f")
A, B, C = (check(driver.cuMemAlloc(4 * n)) for _ in range(3))
for to, array in ((A, a), (B, b)):
    check(driver.cuMemcpyHtoD(to, array.ctypes.data, 4 * n))
word = ctypes.c_void_p
arguments = ((int(A), int(B), int(C), n), (word, word, word, ctypes.c_uint32))
check(driver.cuLaunchKernel(kernel, 8, 1, 1, 128, 1, 1, 0, 0, arguments, 0))
check(driver.cuMemcpyDtoH(c.ctypes.data, C, 4 * n))
print("right" if np.array_equal(c, a + b) else "wrong")
for memory in (A, B, C):
    check(driver.cuMemFree(memory))
check(driver.cuModuleUnload(module))
check(driver.cuDevicePrimaryCtxRelease(device))
"""
)


def add(kernel="add"):
    return ADD.replace("KERNEL", repr(kernel.encode()))


@needs("cuda.bindings")
def test_cuda_bindings():
    code, out, said = python(add(), "--leftovers", "--fidelity")
    assert (code, out) == (0, "right\n"), said
    assert re.search(r": kernel add: \d+ exact\nxgpu-cuda: .* not given back: nothing\n$", said)


# A kernel that ends if its second argument is 0, and not otherwise.
ENDLESS = """
import ctypes, os, signal, sys, threading
from cuda.bindings import driver
PTX = b'''.version 8.0
.target sm_80
.address_size 64
.visible .entry spin(.param .u64 a, .param .u32 n)
{
  .reg .pred %p; .reg .u64 %rd1; .reg .u32 %r<3>;
  ld.param.u64 %rd1, [a]; ld.param.u32 %r1, [n]; mov.u32 %r2, 0;
L: add.u32 %r2, %r2, 1; st.volatile.global.u32 [%rd1], %r2;
  setp.ne.u32 %p, %r1, 0;
  @%p bra L;
  ret;
}''' + bytes(1)
driver.cuInit(0)
driver.cuCtxSetCurrent(driver.cuDevicePrimaryCtxRetain(0)[1])
module = driver.cuModuleLoadData(PTX)[1]
kernel = driver.cuModuleGetFunction(module, b"spin")[1]
address = ctypes.c_uint64(int(driver.cuMemAlloc(4)[1]))
def launch(n):
    number = ctypes.c_uint32(n)
    given = (ctypes.c_uint64 * 2)(ctypes.addressof(address), ctypes.addressof(number))
    return driver.cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, 0, ctypes.addressof(given), 0)
for _ in range(LAUNCHES):
    launch(0)
    driver.cuCtxSynchronize()
threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    launch(1)
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.long
@needs("cuda.bindings")
@pytest.mark.parametrize("launches", [0, 2, 9])
def test_ctrl_c_in_a_launch(launches):
    """Of one that is the first, one by Python, and one by machine code."""
    code, out, said = python(ENDLESS.replace("LAUNCHES", str(launches)))
    assert (code, out) == (0, "interrupted\n"), said


@needs("cuda.bindings")
def test_a_clean_program_under_the_sanitizer(tmp_path):
    report, timeline = tmp_path / "found.json", tmp_path / "line.svg"
    code, out, said = python(add(), "--sanitize", f"--report={report}", f"--timeline={timeline}")
    assert (code, out, said) == (0, "right\n", "")
    document = json.loads(report.read_text())
    assert document["findings"] == []
    assert document["watched"]["launches"] == [
        {"kernel": "add", "how": "screened", "why": "", "launches": 1}
    ]
    assert ">add<" in timeline.read_text()


@needs("cuda.bindings")
@pytest.mark.parametrize("suffix", short(["json", "sarif"], "json"))
def test_a_race_is_found(tmp_path, suffix):
    report = tmp_path / f"found.{suffix}"
    racy = add().replace("st.global.f32 [%rd7], %f3;", "st.global.f32 [%rd3], %f3;")
    code, out, said = python(racy, "--sanitize=race", f"--report={report}")
    assert (code, out) == (1, "wrong\n")
    assert "error: race: thread" in said
    found = json.loads(report.read_text())
    found = found["findings"] if suffix == "json" else found["runs"][0]["results"]
    assert len(found) == 1


@pytest.mark.long
@needs("cuda.bindings")
@pytest.mark.parametrize("option", ["", "--sanitize"])
def test_the_plugin_of_pytest(tmp_path, option):
    """Devices outlive the tests; each test has what it has added, and what is seen again."""
    text = f"""
        import ctypes, pytest
        from cuda.bindings import driver as cuda
        def ok(given):
            assert given[0] == 0
            return given[1] if len(given) > 1 else None
        def launch(threads):
            ok(cuda.cuInit(0))
            ok(cuda.cuCtxSetCurrent(ok(cuda.cuDevicePrimaryCtxRetain(0))))
            module = ok(cuda.cuModuleLoadData({PTX.encode()!r}))
            kernel = ok(cuda.cuModuleGetFunction(module, b"count"))
            memory = int(ok(cuda.cuMemAlloc(64)))
            given = ((memory,), (ctypes.c_void_p,))
            ok(cuda.cuLaunchKernel(kernel, 1, 1, 1, threads, 1, 1, 0, 0, given, 0))
            ok(cuda.cuCtxSynchronize())
        def test_one(): launch(1)
        def test_race(): launch(2)
        def test_one_again(): launch(1)
        def test_race_again(): launch(2)
        @pytest.mark.xgpu_sanitize("memory")
        def test_nothing_else(): launch(2)
    """
    (tmp_path / "test_race.py").write_text(textwrap.dedent(text))
    given = ["-m", "pytest", "--xgpu-sanitize", "-q", *processes.ONLY_OUR_PLUGIN, str(tmp_path)]
    done = run(*filter(None, [option]), sys.executable, *given)
    assert done.returncode == 1
    failed = re.findall(r"^FAILED .*::(\w+)", done.stdout, re.MULTILINE)
    assert failed == ["test_race", "test_race_again"], done.stdout
    assert "error: race: " in done.stdout
    assert "2 failed, 3 passed" in done.stdout


@needs("cuda.bindings")
@pytest.mark.parametrize("call", short(range(5, 40, 5), 10, 30))
def test_failures_are_injected(call):
    code, out, said = python(add(), f"--fail-at={call}:CUDA_ERROR_OUT_OF_MEMORY", "--leftovers")
    if "fails as --fail-at asks for" not in said:
        assert (code, out) == (0, "right\n")
        return
    assert code == 1
    assert "CUDA_ERROR_OUT_OF_MEMORY" in said


@needs("cuda.bindings")
def test_two_processes_and_a_fork(tmp_path):
    file = tmp_path / "add.py"
    file.write_text(
        add()
        + """
child = os.fork()
if child == 0:
    code = driver.cuCtxSynchronize()[0]
    os._exit(code != driver.CUresult.CUDA_ERROR_NOT_INITIALIZED)
assert os.waitpid(child, 0)[1] == 0
"""
    )
    outputs = [tmp_path / "first", tmp_path / "second"]
    first, second = (f"{sys.executable} {file} >{output}" for output in outputs)
    done = run("sh", "-c", f"{first} & {second} && wait $!")
    assert done.returncode == 0, done.stderr
    assert [output.read_text() for output in outputs] == ["right\n", "right\n"]


@needs("cuda.bindings", "cuda.core")
def test_cuda_core():
    code, out, said = python(f"""
import numpy as np
from cuda.bindings import driver
from cuda.core import Device, LaunchConfig, ObjectCode, launch
device = Device()
device.set_current()
stream = device.create_stream()
kernel = ObjectCode.from_ptx({PTX!r}.encode()).get_kernel("add")
n = 1000
a, b, c = np.random.rand(n).astype("f"), np.random.rand(n).astype("f"), np.empty(n, "f")
buffers = [device.allocate(4 * n, stream=stream) for _ in range(3)]
for array, buffer in zip((a, b), buffers):
    assert driver.cuMemcpyHtoD(int(buffer.handle), array.ctypes.data, 4 * n)[0] == 0
launch(stream, LaunchConfig(grid=8, block=128), kernel, *buffers, np.uint32(n))
stream.sync()
assert driver.cuMemcpyDtoH(c.ctypes.data, int(buffers[2].handle), 4 * n)[0] == 0
print(np.array_equal(c, a + b), device.compute_capability)
""")
    assert (code, out) == (0, "True ComputeCapability(major=9, minor=0)\n"), said


@needs("cuda.bindings", "cuda.core")
@needs_clang
def test_cuda_core_compiles_cuda():
    """By NVRTC. Buffers that are let go when the interpreter ends are no error."""
    code, out, said = python("""
import numpy as np
from cuda.bindings import driver
from cuda.core import Device, LaunchConfig, Program, launch
device = Device()
device.set_current()
stream = device.create_stream()
text = "template <typename T> __global__ void fill(T *p, T v) { p[threadIdx.x] = v; }"
module = Program(text, "c++").compile("cubin", name_expressions=("fill<float>", "fill<short>"))
buffer, found = device.allocate(128, stream=stream), np.empty(64, np.int16)
kernel = module.get_kernel("fill<short>")
launch(stream, LaunchConfig(grid=1, block=64), kernel, buffer, np.int16(-7))
stream.sync()
assert driver.cuMemcpyDtoH(found.ctypes.data, int(buffer.handle), 128)[0] == 0
print(set(found.tolist()))
try:
    Program("wrong;", "c++").compile("ptx")
except Exception as problem:
    print("default_program(1): error:" in str(problem))
""")
    assert (code, out, said) == (0, "{-7}\nTrue\n", ""), said


@needs("tinygrad")
def test_tinygrad(monkeypatch, tmp_path):
    monkeypatch.setenv("DEV", "CUDA:PTX")
    monkeypatch.setenv("CACHEDB", str(tmp_path / "cache.db"))
    code, out, said = python("""
import numpy as np
from tinygrad import Tensor, TinyJit
a, b = np.random.rand(32, 32).astype("f"), np.random.rand(32, 32).astype("f")
print(np.allclose((Tensor(a) @ Tensor(b)).numpy(), a @ b, atol=1e-4))
print(np.allclose(Tensor(a).softmax().sum().numpy(), 32))
@TinyJit
def step(x, y):
    return ((x @ y).relu() + 1).sum(axis=0).realize()
for _ in range(4):
    found = step(Tensor(a).realize(), Tensor(b).realize()).numpy()
    print(np.allclose(found, (np.maximum(a @ b, 0) + 1).sum(0), atol=1e-3))
""")
    assert (code, out) == (0, "True\n" * 6), said


NUMBA = """
import math
import numpy as np
from numba_cuda_mlir import cuda

@cuda.jit(device=True)
def twice(x):
    return x + x

@cuda.jit
def k(x, y, n):
    i = cuda.grid(1)
    cuda.syncthreads()
    if i < n:
        y[i] = math.sin(twice(x[i]))

x, y = np.arange(100.0), np.zeros(100)
k[4, 32](x, y, 100)
print(np.allclose(y, np.sin(2 * x)))
(text,) = k.inspect_asm().values()
print(".visible .entry" in text, "target datalayout" in next(iter(k.inspect_llvm().values())))
"""


@pytest.mark.long
@needs("numba_cuda_mlir")
def test_numba(monkeypatch, tmp_path):
    """Kernels of numba-cuda-mlir, without NVIDIA's compilers."""
    file = tmp_path / "kernels.py"
    file.write_text(NUMBA)
    done = run(sys.executable, "-W", "ignore", file)
    assert (done.returncode, done.stdout) == (0, "True\nTrue True\n"), done.stderr
    file.write_text(NUMBA.replace("y[i] =", "y[0] ="))
    done = run("--sanitize=race", sys.executable, "-W", "ignore", file)
    assert done.returncode == 1
    assert f"{file}:15:" in done.stderr
    assert "error: race: " in done.stderr


NUMBA_DEVICES = """
from xgpu.numba import cuda
with cuda.gpus[1] as context:
    print(len(cuda.gpus), cuda.device, context.device.name, context.device.WARP_SIZE)
    free, total = context.get_memory_info()
    print(0 < free <= total, context.device.uuid != cuda.gpus[0].uuid)
"""


@pytest.mark.long
@needs("numba_cuda_mlir")
def test_devices_of_xgpu_numba(tmp_path):
    (tmp_path / "devices.py").write_text(NUMBA_DEVICES)
    done = run("--devices=2", sys.executable, tmp_path / "devices.py")
    lines = "2 cuda:1 xgpu host device 1 (sm_90a) 32\nTrue True\n"
    assert (done.returncode, done.stdout) == (0, lines), done.stderr


TRITON = (
    BEGIN
    + """
import triton
import triton.language as tl

class Array:
    dtype = "float32"
    def __init__(self, array):
        self.array, self.address = array, int(check(driver.cuMemAlloc(array.nbytes)))
        check(driver.cuMemcpyHtoD(self.address, array.ctypes.data, array.nbytes))
    def data_ptr(self):
        return self.address
    def numpy(self):
        found = np.empty_like(self.array)
        check(driver.cuMemcpyDtoH(found.ctypes.data, self.address, found.nbytes))
        return found

@triton.jit
def add(x, y, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    mask = i < n
    tl.store(out + i, tl.load(x + i, mask=mask) + tl.load(y + i, mask=mask), mask=mask)

active = triton.runtime.driver.active
active.get_current_device, active.get_current_stream = lambda: 0, lambda device: 0
n = 1000
a, b = np.random.rand(n).astype("f"), np.random.rand(n).astype("f")
A, B, C = Array(a), Array(b), Array(np.zeros(n, "f"))
add[(4,)](A, B, C, n, B=256)
print(np.array_equal(C.numpy(), a + b))
"""
)


@needs("cuda.bindings", "triton")
def test_triton(monkeypatch, tmp_path):
    if shutil.which("gcc") is None:
        pytest.skip("needs gcc")
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    file = tmp_path / "add.py"
    file.write_text(TRITON)
    done = run(sys.executable, file)
    assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr
    racy = TRITON.replace("tl.store(out + i,", "tl.store(out + i * 0,")
    file.write_text(racy)
    done = run("--sanitize=race", sys.executable, file)
    assert done.returncode == 1
    assert f"{file}:" in done.stderr
    assert "error: race: " in done.stderr


@needs("cuda.bindings")
@pytest.mark.parametrize("name", short(["two_matmuls", "vector_add"], "vector_add"))
def test_our_own_cuda_path(name):
    file = Path(__file__).parents[3] / "examples" / f"{name}.mlir"
    runner = [sys.executable, "-m", "xgpu.tools.xgpu_runner"]
    on_cuda = run(*runner, "--device=cuda", file)
    host = processes.run([*runner, "--device=host", file], capture_output=True, text=True)
    assert (on_cuda.returncode, on_cuda.stdout) == (0, host.stdout), on_cuda.stderr

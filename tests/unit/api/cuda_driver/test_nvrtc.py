# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NVRTC's functions: right use, wrong arguments, options, logs, names, and how programs find it."""

from __future__ import annotations

import ctypes
import json
import re
import sys
import textwrap

import numpy as np
import pytest

from tests.support import processes
from tests.support.clang import needs_clang
from tests.support.driver_calls import pointers
from xgpu.api.cuda_driver import nvrtc
from xgpu.api.cuda_driver.images import content
from xgpu.api.cuda_driver.library_file import is_possible
from xgpu.api.cuda_driver.nvrtc import FUNCTIONS, NvrtcResult
from xgpu.api.cuda_driver.nvrtc_options import NvrtcOptions, OptionError
from xgpu.frontend.cuda import clang

CALLS = {name: nvrtc.made_call(function) for name, function in FUNCTIONS.items()}


def call(name, *arguments):
    """A function's result; texts, lists of texts and objects of ctypes stand for addresses."""
    kept = []

    def number(value):
        if isinstance(value, int):
            return value
        if isinstance(value, str):
            value = ctypes.create_string_buffer(value.encode())
        if isinstance(value, list):
            texts = [ctypes.create_string_buffer(text.encode()) for text in value]
            kept.extend(texts)
            value = (ctypes.c_uint64 * len(texts))(*map(ctypes.addressof, texts))
        kept.append(value)
        return ctypes.addressof(value)

    return CALLS[name](*map(number, arguments))


def do(name, *arguments):
    assert call(name, *arguments) == NvrtcResult.SUCCESS


def created(source, name="", headers=()):
    handle = ctypes.c_uint64()
    names, texts = [n for n, _ in headers], [t for _, t in headers]
    do("nvrtcCreateProgram", handle, source, name, len(names), texts or 0, names or 0)
    return handle.value


def got(kind, program):
    """What the two functions of a kind of result give."""
    size = ctypes.c_size_t()
    do(f"nvrtcGet{kind}Size", program, size)
    buffer = ctypes.create_string_buffer(size.value + 1)
    do(f"nvrtcGet{kind}", program, buffer)
    return buffer.raw[: size.value]


def log(program):
    text = got("ProgramLog", program)
    assert text[-1] == 0
    return text[:-1].decode()


def compiled(program, *options):
    return call("nvrtcCompileProgram", program, len(options), list(options) or 0)


def lowered(program, name):
    found = ctypes.c_uint64()
    do("nvrtcGetLoweredName", program, name, found)
    return ctypes.string_at(found.value).decode()


SOURCE = """
#include "sizes/base.h"
#include <stdlib.h>
#include <cuda_fp16.h>
namespace n { __constant__ int shift[2]; __device__ float scale = 2; }
int twice(int x) {
  int sum = 0;
  for (int each : std::initializer_list<int>{x, x}) sum += each;
  return std::move(sum);
}
template <typename T> __global__ void fill(T *p, int from) {
  p[threadIdx.x] = T(twice(from)) + T(threadIdx.x) + T(BASE);
}
static __constant__ int given[2];
__global__ void plain(int *p) { *p = 7 + given[1]; }
"""
NAMES = {
    "fill<float>": "_Z4fillIfEvPT_i", "&fill<unsigned>": "_Z4fillIjEvPT_i", "plain": "_Z5plainPi",
    "(void (*)(int *))plain": "_Z5plainPi", "&n::shift": "_ZN1n5shiftE",
    "&n::scale": "_ZN1n5scaleE", "&given": "given",
}  # fmt: skip


@pytest.fixture(scope="module")
def program():
    """A compiled one."""
    made = created(SOURCE, "fill.cu", [("sizes/base.h", "#define BASE 100\n")])
    for name in NAMES:
        do("nvrtcAddNameExpression", made, name)
    options = ["--gpu-architecture=sm_80", "-default-device", "-I", "/nowhere", "-lineinfo"]
    assert compiled(made, *options) == NvrtcResult.SUCCESS, log(made)
    return made


@needs_clang
def test_names_of_headers_that_go_up():
    text = '#include "../up/a.h"\n__global__ void k(int *p) { *p = A; }'
    assert compiled(created(text, "k.cu", [("../up/a.h", "#define A 3\n")])) == 0


@needs_clang
def test_a_program_runs(program, calls):
    assert log(program) == ""
    ptx = got("PTX", program)
    assert ptx[-1] == 0
    assert re.search(rb'\.file\s+\d+ ".*fill\.cu"', ptx)
    assert content(got("CUBIN", program)) == ptx[:-1]
    memory = calls.get("cuMemAlloc", 128)
    values = pointers(ctypes.c_uint64(memory), ctypes.c_int(5))
    for image in (ptx, got("CUBIN", program) + b"\0"):
        module = calls.get("cuModuleLoadData", image)
        kernel = calls.get("cuModuleGetFunction", module, lowered(program, "fill<float>"))
        calls.do("cuLaunchKernel", kernel, 1, 1, 1, 32, 1, 1, 0, 0, values, 0)
        found = np.zeros(32, np.float32)
        calls.do("cuMemcpyDtoH", found.ctypes.data, memory, 128)
        assert np.array_equal(found, np.arange(32) + 110)
        calls.do("cuModuleUnload", module)


@needs_clang
def test_a_static_variable_is_written_from_outside(program, calls):
    module = calls.get("cuModuleLoadData", got("PTX", program))
    address, size, found = ctypes.c_uint64(), ctypes.c_size_t(), ctypes.c_int()
    calls.do("cuModuleGetGlobal", address, size, module, "given")
    assert size.value == 8
    calls.do("cuMemcpyHtoD", address.value, (ctypes.c_int * 2)(1, 30), 8)
    kernel, memory = (
        calls.get("cuModuleGetFunction", module, NAMES["plain"]),
        calls.get("cuMemAlloc", 4),
    )
    values = pointers(ctypes.c_uint64(memory))
    calls.do("cuLaunchKernel", kernel, 1, 1, 1, 1, 1, 1, 0, 0, values, 0)
    calls.do("cuMemcpyDtoH", found, memory, 4)
    assert found.value == 37


@needs_clang
def test_names(program):
    assert {name: lowered(program, name) for name in NAMES} == NAMES
    unknown = call("nvrtcGetLoweredName", program, "fill<int>", ctypes.c_uint64())
    assert unknown == NvrtcResult.ERROR_NAME_EXPRESSION_NOT_VALID
    late = call("nvrtcAddNameExpression", program, "fill<int>")
    assert late == NvrtcResult.ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION
    early = call("nvrtcGetLoweredName", created("int x;"), "x", ctypes.c_uint64())
    assert early == NvrtcResult.ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION


@needs_clang
def test_what_is_never_made(program):
    assert got("OptiXIR", program) == got("TileIR", program) == got("LTOIR", program) == b""
    status = call("nvrtcGetPCHCreateStatus", program)
    assert status == NvrtcResult.ERROR_NO_PCH_CREATE_ATTEMPTED
    required = call("nvrtcGetPCHHeapSizeRequired", program, ctypes.c_size_t())
    assert required == NvrtcResult.ERROR_INVALID_INPUT


@needs_clang
@pytest.mark.parametrize(
    ("source", "name", "options", "words"),
    [
        ("__global__ void k(int *p) {\n  *p = missing; }", "", (),
         ['default_program(2): error: identifier "missing" is undefined', "  *p = missing; }",
          '1 error detected in the compilation of "default_program".']),
        ("#include <cuda/std/mdspan>\n", "a.cu", (),
         ["a.cu(1): error: 'cuda/std/mdspan' file not found: xgpu does not have this part of "
          "libcu++"]),
        ("__global__ void k() {}", "b.cu", ("(int *)0",),
         ["<name expressions>(1): error: '(int *)0' is not the address of a kernel"]),
        ("int f() { return 1; }\n__global__ void k(int *p) { *p = f(); }", "c.cu", (),
         ["c.cu(2): error: no matching function for call to 'f'",
          "c.cu(1): note: candidate function not viable: call to __host__ function"]),
    ],
)  # fmt: skip
def test_errors_of_programs(source, name, options, words):
    program = created(source, name)
    for expression in options:
        do("nvrtcAddNameExpression", program, expression)
    assert compiled(program) == NvrtcResult.ERROR_COMPILATION
    for word in words:
        assert word in log(program)
    failed = call("nvrtcGetPTXSize", program, ctypes.c_size_t())
    assert failed == NvrtcResult.ERROR_INVALID_PROGRAM


@needs_clang
def test_warnings_are_in_the_log_each_time(tmp_path):
    """What is in the cache has them too."""
    for _ in range(2):
        program = created(
            "__global__ void k() {\n#warning careful\nint i;}\n", str(tmp_path / "w.cu")
        )
        assert compiled(program, "--fdevice-syntax-only") == NvrtcResult.SUCCESS
        assert "w.cu(2): warning: careful" in log(program)
        assert 'w.cu(3): warning: variable "i" was declared but never referenced' in log(program)
        assert got("PTX", program) == b"\0"


@needs_clang
def test_lto_ir_is_linked_by_the_driver(calls):
    """Two programs, of which one calls the other's function."""
    parts = (
        "__device__ int three() { return 3; }",
        'extern __device__ int three();\nextern "C" __global__ void k(int *p) { *p = three(); }',
    )
    (state,) = calls.values("cuLinkCreate", 0, 0, 0)
    for source in parts:
        program = created(source)
        assert compiled(program, "-dlto", "-arch=sm_80") == NvrtcResult.SUCCESS, log(program)
        image = got("LTOIR", program)
        calls.do("cuLinkAddData", state, 5, image, len(image), 0, 0, 0, 0)
    cubin, size = ctypes.c_uint64(), ctypes.c_size_t()
    calls.do("cuLinkComplete", state, cubin, size)
    module = calls.get("cuModuleLoadData", cubin.value)
    kernel = calls.get("cuModuleGetFunction", module, "k")
    memory, found = calls.get("cuMemAlloc", 4), ctypes.c_int()
    values = pointers(ctypes.c_uint64(memory))
    calls.do("cuLaunchKernel", kernel, 1, 1, 1, 1, 1, 1, 0, 0, values, 0)
    calls.do("cuMemcpyDtoH", found, memory, 4)
    assert found.value == 3


@needs_clang
def test_times(tmp_path):
    table, trace = tmp_path / "times.csv", tmp_path / "trace.json"
    program = created("__global__ void k() {}")
    options = (f"--time={table}", f"--fdevice-time-trace={trace}", "--fdevice-syntax-only")
    for _ in range(2):
        assert compiled(program, *options) == NvrtcResult.SUCCESS
    lines = table.read_text().splitlines()
    assert len(lines) == 3
    assert lines[0].startswith("source file name , phase name")
    assert lines[1].startswith("default_program , clang , , , sm_75 , nvrtc , ")
    assert [e["name"] for e in json.loads(trace.read_text())["traceEvents"]] == ["clang"]
    wrong = compiled(program, "--time=/nowhere/t", "--fdevice-syntax-only")
    assert wrong == NvrtcResult.ERROR_TIME_FILE_WRITE_FAILED
    wrong = compiled(program, "--fdevice-time-trace=/nowhere/t", "--fdevice-syntax-only")
    assert wrong == NvrtcResult.ERROR_TIME_TRACE_FILE_WRITE_FAILED


@needs_clang
@pytest.mark.parametrize("last", [1, 2, 3])
def test_a_callback_ends_the_compilation(last):
    """It is called before and after each phase."""
    seen = []

    def ask(payload, reserved):
        seen.append((payload, reserved))
        return int(len(seen) == last)

    made = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(ask)
    program = created("__global__ void k() {}")
    do("nvrtcSetFlowCallback", program, ctypes.cast(made, ctypes.c_void_p).value, 42)
    assert compiled(program, "--fdevice-syntax-only") == NvrtcResult.ERROR_CANCELLED
    assert seen == [(42, None)] * last
    no_code = call("nvrtcGetCUBINSize", program, ctypes.c_size_t())
    assert no_code == NvrtcResult.ERROR_INVALID_PROGRAM


def test_without_clang(monkeypatch):
    monkeypatch.setattr(clang.shutil, "which", lambda name: None)
    program = created("__global__ void k() {}")
    assert compiled(program) == NvrtcResult.ERROR_BUILTIN_OPERATION_FAILURE
    assert "nvrtc: error: CUDA C++ is read by clang, and none was found" in log(program)


# -- functions without a program


def test_versions_chips_errors():
    major, minor, count = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
    do("nvrtcVersion", major, minor)
    assert (major.value, minor.value) == (13, 0)
    do("nvrtcGetNumSupportedArchs", count)
    chips = (ctypes.c_int * count.value)()
    do("nvrtcGetSupportedArchs", chips)
    assert list(chips) == sorted(chips)
    assert {75, 80, 90, 100, 110, 120} <= set(chips)
    assert 101 not in chips
    names = [
        ctypes.string_at(call("nvrtcGetErrorString", n)).decode() for n in (*range(19), 19, -1)
    ]
    assert names[:2] == ["NVRTC_SUCCESS", "NVRTC_ERROR_OUT_OF_MEMORY"]
    assert names[18:] == ["NVRTC_ERROR_BUSY", "NVRTC_ERROR unknown", "NVRTC_ERROR unknown"]


def test_the_heap_of_precompiled_headers():
    size = ctypes.c_size_t()
    do("nvrtcSetPCHHeapSize", 1 << 20)
    do("nvrtcGetPCHHeapSize", size)
    assert size.value == 1 << 20


def test_headers_are_installed_and_removed(tmp_path):
    info = nvrtc._HeadersInfo()
    do("nvrtcGetBundledHeadersInfo", info, 0)
    assert info.available == 1
    place, why = tmp_path / "headers", ctypes.c_uint64()
    do("nvrtcInstallBundledHeaders", str(place), 0, 0)
    assert len([p for p in place.rglob("*") if p.is_file()]) == info.files + 1
    (place / "cuda_fp16.h").unlink()
    do("nvrtcInstallBundledHeaders", str(place), 1, 0)  # skip what is there
    assert not (place / "cuda_fp16.h").exists()
    do("nvrtcInstallBundledHeaders", str(place), 2, 0)
    assert (place / "cuda_fp16.h").exists()
    do("nvrtcRemoveBundledHeaders", str(place), 0)
    assert not place.exists()
    place.mkdir()
    kept = call("nvrtcRemoveBundledHeaders", str(place), why)
    assert kept == NvrtcResult.ERROR_INVALID_INPUT
    assert f"no headers are installed in '{place}'".encode() == ctypes.string_at(why.value)
    assert place.exists()
    file = tmp_path / "file"
    file.write_text("")
    failed = call("nvrtcInstallBundledHeaders", str(file / "below"), 0, why)
    assert failed == NvrtcResult.ERROR_BUILTIN_OPERATION_FAILURE
    assert call("nvrtcInstallBundledHeaders", "x", 3, 0) == NvrtcResult.ERROR_INVALID_INPUT


# -- wrong arguments


@pytest.mark.parametrize("name", FUNCTIONS)
def test_null_arguments(name):
    """Each pointer that may not be null, and each program that there is not."""
    parameters = FUNCTIONS[name].parameters
    buffer = ctypes.create_string_buffer(4096)
    ctypes.c_uint64.from_buffer(buffer).value = live = created("int x;")

    def arguments():
        return [
            live if p.kind == "nvrtcProgram" and p.how == "number" else
            0 if p.how == "number" else ctypes.addressof(buffer)
            for p in parameters
        ]  # fmt: skip

    for i, parameter in enumerate(parameters):
        given = arguments()
        given[i] = 0
        if parameter.kind == "nvrtcProgram" and parameter.how == "number":
            for wrong in (0, 1, 1 << 40):
                given[i] = wrong
                assert CALLS[name](*given) == NvrtcResult.ERROR_INVALID_PROGRAM
        elif parameter.how != "number" and not parameter.optional:
            assert CALLS[name](*given) == NvrtcResult.ERROR_INVALID_INPUT, parameter.name
    assert not nvrtc.internal_errors


def test_programs_end_once():
    handle = ctypes.c_uint64(created("int x;"))
    old = handle.value
    do("nvrtcDestroyProgram", handle)
    assert handle.value == 0
    assert call("nvrtcDestroyProgram", handle) == NvrtcResult.ERROR_INVALID_PROGRAM
    assert call("nvrtcCompileProgram", old, 0, 0) == NvrtcResult.ERROR_INVALID_PROGRAM


@pytest.mark.parametrize(
    ("count", "headers", "names"),
    [(-1, 0, 0), (1, 0, ["a.h"]), (1, ["x"], 0), (1, ["x"], ["/a.h"]),
     (1, ["x"], [""])],
)  # fmt: skip
def test_wrong_headers(count, headers, names):
    result = call("nvrtcCreateProgram", ctypes.c_uint64(), "int x;", "", count, headers, names)
    assert result == NvrtcResult.ERROR_INVALID_INPUT


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("--no-such", "unrecognized option --no-such found"),
        ("sm_80", "unrecognized option sm_80 found"),
        ("-arch=sm_1", "invalid value for --gpu-architecture (-arch): 'sm_1'"),
        ("--gpu-architecture", "option --gpu-architecture needs a value"),
        ("--std=c++99", "invalid value for --std: 'c++99'"),
        ("--fmad=maybe", "invalid value for --fmad: 'maybe', expected true or false"),
        ("-G=3", "option -G=3 takes no value"), ("--dopt=perhaps", "expected on or off"),
        ("--optix-ir", "OptiX IR is not made here"),
    ],
)  # fmt: skip
def test_wrong_options(option, words):
    program = created("int x;")
    assert compiled(program, option) == NvrtcResult.ERROR_INVALID_OPTION
    assert log(program).startswith("nvrtc: error: ")
    assert words in log(program)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("-DA=1", "-D", "B", "--define-macro=C", "-UD"), ["-DA=1", "-DB", "-DC", "-UD"]),
        (("-I/a", "-I", "/b", "--include-path=/c", "-I /d"),
         ["-isystem", "/a", "-isystem", "/b", "-isystem", "/c", "-isystem", "/d"]),
        (("--pre-include=a.h", "-include", "b.h"), ["-include", "a.h", "-include", "b.h"]),
        (("-dc",), ["-fgpu-rdc"]), (("-rdc=true",), ["-fgpu-rdc"]),
        (("--use_fast_math",), ["-fgpu-flush-denormals-to-zero", "-fgpu-approx-transcendentals"]),
        (("--ftz=true",), ["-fgpu-flush-denormals-to-zero"]), (("-w",), ["-w"]),
        (("--builtin-move-forward=false", "--builtin-initializer-list=true"),
         ["-DXGPU_NO_MOVE_FORWARD"]),
        (("--builtin-initializer-list=false",), ["-DXGPU_NO_INITIALIZER_LIST"]),
    ],
)  # fmt: skip
def test_options_of_clang(options, expected):
    always = len(_for_clang().arguments)
    assert [w for w in _for_clang(*options).arguments[always:] if w in expected] == expected


def _for_clang(*options, keeps_accesses=False):
    return NvrtcOptions(options).for_clang([], [], keeps_accesses=keeps_accesses)


def test_options_that_choose():
    of = _for_clang
    assert (of().std, of().chip, of().contract, of().optimize) == ("c++17", "sm_75", True, 2)
    assert of("-std=c++20").std == "c++20"
    assert not of("--fmad=false").contract
    assert of("--fmad=false", "-use_fast_math").contract
    assert [of("-G").optimize, of("-G", "--dopt=on").optimize] == [0, 2]
    assert of(keeps_accesses=True).optimize == 1
    assert of("-rdc=true", "-dw").arguments == of().arguments
    assert NvrtcOptions(["-arch=compute_90a"]).is_virtual
    assert NvrtcOptions(["-G"]).has_lines
    ignored = (
        "--maxrregcount=32", "-Xptxas", "-v", "--prec-div=false", "--extra-device-vectorization",
        "--split-compile=2", "--pch", "--diag-suppress=1", "-restrict=true",
    )  # fmt: skip
    assert of(*ignored).arguments == of().arguments
    with pytest.raises(OptionError):
        of("--restrict=2")


def test_a_mistake_of_ours_is_told(monkeypatch, capfd):
    def fails():
        raise KeyError("x")

    monkeypatch.setattr(nvrtc, "supported_chips", fails)
    monkeypatch.setattr(nvrtc, "internal_errors", [])
    assert call("nvrtcGetNumSupportedArchs", ctypes.c_int()) == NvrtcResult.ERROR_INTERNAL_ERROR
    assert "internal error in nvrtcGetNumSupportedArchs: KeyError('x')" in capfd.readouterr().err
    assert nvrtc.internal_errors == ["nvrtcGetNumSupportedArchs"]


# -- the library


@pytest.mark.skipif(not is_possible(), reason="the library is written for Linux on x86-64")
def test_programs_find_it_by_its_names():
    """By the driver's folder, and in a process that has connected; it is one library."""
    script = """
        import ctypes
        from xgpu import cuda_driver
        cuda_driver.connect()
        found = ctypes.CDLL("libnvrtc.so.13")
        folder = cuda_driver.library_folder()
        for name in ("libnvrtc.so", "libnvrtc.so.12", "libnvrtc.so.13"):
            assert ctypes.CDLL(folder / name)._handle == found._handle, name
        major, minor = ctypes.c_int(), ctypes.c_int()
        assert found.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor)) == 0
        assert (major.value, minor.value) == (13, 0)
        assert found.nvrtcVersion(None, ctypes.byref(minor)) == 3
        found.nvrtcGetErrorString.restype = ctypes.c_char_p
        assert found.nvrtcGetErrorString(6) == b"NVRTC_ERROR_COMPILATION"
        # Programs that are linked with NVIDIA's ask for these versions.
        versioned = ctypes.CDLL(None).dlvsym
        versioned.restype = ctypes.c_void_p
        versioned.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p]
        place = ctypes.cast(found.nvrtcVersion, ctypes.c_void_p).value
        for name in (b"libnvrtc.so.12", b"libnvrtc.so.13"):
            assert versioned(found._handle, b"nvrtcVersion", name) == place
        assert versioned(found._handle, b"nvrtcVersion", b"libnvrtc.so.11") is None
    """
    done = processes.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, seconds=100
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Images, modules, libraries, linking, functions, launches."""

from __future__ import annotations

import ctypes
import struct
import time
from mmap import ACCESS_COPY as COPY
from mmap import mmap

import numpy as np
import pytest

from tests.support.clang import needs_clang
from tests.support.driver_calls import HEAD, PTX, Calls, pointers
from xgpu.api.cuda_driver.clients import _Compilers
from xgpu.api.cuda_driver.header import Result, TensorMap
from xgpu.api.cuda_driver.images import container, content
from xgpu.api.cuda_driver.launches import LaunchAttribute, LaunchConfig
from xgpu.api.cuda_driver.launches_again import Again
from xgpu.api.cuda_driver.settings import Settings
from xgpu.api.cuda_driver.state import MEMORY_UNIT
from xgpu.host_device.compiler import compiler, specialize

MLIR = """
gpu.module @kernels {
  llvm.func @store(%o: !llvm.ptr, %v: i32) attributes {gpu.kernel, nvvm.kernel} {
    llvm.store %v, %o : i32, !llvm.ptr
    llvm.return
  }
}
"""
LLVM_IR = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @store(ptr %o, i32 %v) {
  store i32 %v, ptr %o
  ret void
}
"""


def fat_binary(*entries):
    """A fat binary of (kind, flags, capability, data)."""
    body = b""
    for kind, flags, chip, data in entries:
        head = struct.pack("<HHIQIIIIIIQQQ", kind, 0x101, 64, len(data), 0, 0, 0, chip, 0, 0, flags,
                           0, 0)  # fmt: skip
        body += head[:64].ljust(64, b"\0") + data
    return struct.pack("<IHHQ", 0xBA55ED50, 1, 16, len(body)) + body


def bitcode():
    from llvmlite import binding

    return binding.parse_assembly(LLVM_IR.replace("ptx_kernel ", "ptx_kernel ")).as_bitcode()


@pytest.mark.parametrize(
    "image",
    [
        MLIR.encode(), LLVM_IR.encode(), container(MLIR.encode()), bitcode() + bytes(8),
        fat_binary((2, 0, 90, b"\x7fELF...."), (1, 0, 80, HEAD.encode() + b"""
            .visible .entry store(.param .u64 o, .param .u32 v) {
              .reg .u64 %rd; .reg .u32 %r;
              ld.param.u64 %rd, [o]; ld.param.u32 %r, [v]; st.u32 [%rd], %r; ret; }""")),
    ],
    ids=["mlir", "llvm-ir", "container", "bitcode", "fatbin"],
)  # fmt: skip
def test_images(calls, image):
    module = calls.get("cuModuleLoadData", image)
    store = calls.get("cuModuleGetFunction", module, "store")
    address, found = calls.get("cuMemAlloc", 4), ctypes.c_uint32()
    values = pointers(ctypes.c_uint64(address), ctypes.c_uint32(42))
    calls.do("cuLaunchKernel", store, 1, 1, 1, 1, 1, 1, 0, 0, values, 0)
    calls.do("cuMemcpyDtoH", found, address, 4)
    assert found.value == 42
    calls.do("cuModuleUnload", module)
    assert calls("cuModuleUnload", module) == Result.INVALID_HANDLE
    assert calls("cuFuncLoad", store) == Result.INVALID_HANDLE


def test_what_was_just_compiled_is_not_read_again(calls, monkeypatch):
    """A launch takes the operations that the image was compiled from, not their text."""

    def read(*arguments, **named):
        raise AssertionError

    monkeypatch.setattr(specialize, "parse_module", read)
    image = MLIR.replace("@store", "@store_once").encode()  # no other test has it in the cache
    module = calls.get("cuModuleLoadData", image)
    store = calls.get("cuModuleGetFunction", module, "store_once")
    address, found = calls.get("cuMemAlloc", 4), ctypes.c_uint32()
    values = pointers(ctypes.c_uint64(address), ctypes.c_uint32(43))
    calls.do("cuLaunchKernel", store, 1, 1, 1, 1, 1, 1, 0, 0, values, 0)
    calls.do("cuMemcpyDtoH", found, address, 4)
    assert found.value == 43


def test_parts_of_vectors_need_no_trial(calls, monkeypatch):
    """A kernel whose operations are all known is not compiled in order to see whether it can be."""

    def tried(module):
        raise AssertionError

    monkeypatch.setattr(compiler, "_tried", tried)
    image = HEAD.encode() + b"""
        .visible .entry turn(.param .u64 a) {
          .reg .u64 %rd; .reg .f32 %f<3>;
          ld.param.u64 %rd, [a]; ld.global.v2.f32 {%f1, %f2}, [%rd];
          st.global.v2.f32 [%rd], {%f2, %f1}; ret; }"""
    turn = calls.get("cuModuleGetFunction", calls.get("cuModuleLoadData", image), "turn")
    address, found = calls.get("cuMemAlloc", 8), (ctypes.c_float * 2)(1, 2)
    calls.do("cuMemcpyHtoD", address, found, 8)
    calls.do("cuLaunchKernel", turn, 1, 1, 1, 1, 1, 1, 0, 0, pointers(ctypes.c_uint64(address)), 0)
    calls.do("cuMemcpyDtoH", found, address, 8)
    assert list(found) == [2, 1]


@pytest.mark.parametrize(
    ("image", "result", "words"),
    [
        (b"\x7fELF\2\1\1", Result.NO_BINARY_FOR_GPU, "a cubin"),
        (fat_binary((2, 0, 90, b"\x7fELF")), Result.NO_BINARY_FOR_GPU, "machine code"),
        (fat_binary((1, 0x2000, 90, b"....")), Result.NO_BINARY_FOR_GPU, "compressed PTX"),
        (b" \n", Result.INVALID_IMAGE, "the image is empty"),
        (HEAD.encode() + b".visible .entry k() { foo.bar; ret; }", Result.INVALID_PTX,
         ".ptx:4:23: error: 'foo.bar;' is not supported"),
        (b".version 8.7\n.target sm_120\n.address_size 64\n", Result.NO_BINARY_FOR_GPU,
         "PTX for sm_120"),
        (b".version 8.7\n.target sm_100a\n.address_size 64\n", Result.NO_BINARY_FOR_GPU,
         "the device is sm_90a"),
        (b"func.func @f(", Result.INVALID_IMAGE, "error: "),
    ],
)  # fmt: skip
def test_images_that_cannot_be_used(calls, image, result, words, capfd):
    log, size = ctypes.create_string_buffer(1000), 1000
    kinds = (ctypes.c_uint32 * 2)(5, 6)
    values = (ctypes.c_uint64 * 2)(ctypes.addressof(log), size)
    out = ctypes.c_uint64()
    assert calls("cuModuleLoadDataEx", out, image, 2, kinds, values) == result
    assert words in log.value.decode()
    assert values[1] == len(log.value)
    assert words in capfd.readouterr().err
    assert calls.driver.leftovers() == {"CUcontext": 1}


def test_the_file_of_a_fat_binary_is_named(calls, tmp_path, capfd):
    """As where a library of NVIDIA's is loaded."""
    path = tmp_path / "libkernels.so.1"
    path.write_bytes(fat_binary((2, 0, 90, b"\x7fELF")))
    with open(path, "rb") as file, mmap(file.fileno(), 0, access=COPY) as mapped:
        place = ctypes.c_char.from_buffer(mapped)
        given = ctypes.addressof(place)
        assert calls("cuModuleLoadData", ctypes.c_uint64(), given) == Result.NO_BINARY_FOR_GPU
        del place
    assert "the image is a fat binary in libkernels.so.1 with no PTX" in capfd.readouterr().err


def test_a_container_holds_what_it_was_given():
    data = bytes(range(256))
    assert content(container(data) + b"more") == data
    assert content(b"plain") == b"plain"


def test_options_of_the_compiler(calls):
    out, kinds = ctypes.c_uint64(), (ctypes.c_uint32 * 1)(7)
    values = (ctypes.c_uint64 * 1)(5)
    assert calls("cuModuleLoadDataEx", out, PTX, 1, kinds, values) == Result.INVALID_VALUE
    values[0] = 4
    calls.do("cuModuleLoadDataEx", out, PTX, 1, kinds, values)


def test_files(calls, tmp_path):
    file = tmp_path / "k.ptx"
    file.write_text(PTX)
    module = calls.get("cuModuleLoad", str(file))
    assert calls.get("cuModuleGetFunctionCount", module) == 4
    missing = calls("cuModuleLoad", ctypes.c_uint64(), str(tmp_path / "no.ptx"))
    assert missing == Result.FILE_NOT_FOUND


def test_variables(calls):
    module = calls.get("cuModuleLoadData", PTX)
    count = calls.get("cuModuleGetFunction", module, "count")
    address, size = ctypes.c_uint64(), ctypes.c_uint64()
    calls.do("cuModuleGetGlobal", address, size, module, "counter")
    assert size.value == 4
    out, found = calls.get("cuMemAlloc", 4), ctypes.c_uint32()
    calls.do("cuMemcpyDtoH", found, address.value, 4)
    assert found.value == 5
    calls.do("cuMemsetD32", address.value, 40, 1)
    for expected in (40, 41):
        parameters = pointers(ctypes.c_uint64(out))
        calls.do("cuLaunchKernel", count, 1, 1, 1, 1, 1, 1, 0, 0, parameters, 0)
        calls.do("cuMemcpyDtoH", found, out, 4)
        assert found.value == expected
    assert calls("cuModuleGetGlobal", address, size, module, "none") == Result.NOT_FOUND
    other = calls.get("cuModuleLoadData", PTX)  # which has a variable of its own
    calls.do("cuModuleGetGlobal", address, size, other, "counter")
    calls.do("cuMemcpyDtoH", found, address.value, 4)
    assert found.value == 5


def test_a_missing_kernel(calls):
    module = calls.get("cuModuleLoadData", PTX)
    assert calls("cuModuleGetFunction", ctypes.c_uint64(), module, "none") == Result.NOT_FOUND


def test_libraries_work_in_each_context(calls):
    library = calls.get("cuLibraryLoadData", PTX, 0, 0, 0, 0, 0, 0)
    kernel = calls.get("cuLibraryGetKernel", library, "count")
    first = calls.get("cuKernelGetFunction", kernel)
    assert run_count(calls, kernel) == 5
    assert run_count(calls, kernel) == 6
    context = calls.get("cuCtxCreate", 0, 0)
    assert calls.get("cuKernelGetFunction", kernel) != first
    assert run_count(calls, kernel) == 5
    calls.do("cuCtxDestroy", context)
    assert run_count(calls, kernel) == 7
    assert calls.get("cuLibraryGetKernelCount", library) == 4
    listed = (ctypes.c_uint64 * 4)()
    calls.do("cuLibraryEnumerateKernels", listed, 4, library)
    assert kernel in listed
    calls.do("cuLibraryUnload", library)
    assert calls("cuKernelGetFunction", ctypes.c_uint64(), kernel) == Result.INVALID_HANDLE


def test_kernels_of_a_library_without_a_context(raw):
    raw.do("cuInit", 0)
    library = raw.get("cuLibraryLoadData", PTX, 0, 0, 0, 0, 0, 0)
    kernel = raw.get("cuLibraryGetKernel", library, "count")
    assert raw("cuLibraryGetKernel", ctypes.c_uint64(), library, "none") == Result.NOT_FOUND
    listed = (ctypes.c_uint64 * 4)()
    raw.do("cuLibraryEnumerateKernels", listed, 4, library)
    assert kernel in listed
    assert not raw.driver.devices[0].has_begun


@pytest.mark.parametrize(
    ("image", "result", "words"),
    [
        (b"\xed\x43\x4e\x7f" + bytes(40), Result.NO_BINARY_FOR_GPU, "LTO-IR of NVIDIA's compilers"),
        (HEAD.encode() + b"\xff\xfe;", Result.INVALID_PTX, "error: "),
    ],
)
def test_what_cannot_be_linked(calls, image, result, words):
    """Messages of a text that is no UTF-8 reach the program's log."""
    log, size = ctypes.create_string_buffer(400), 400
    kinds = (ctypes.c_uint32 * 2)(5, 6)
    values = (ctypes.c_uint64 * 2)(ctypes.addressof(log), size)
    state = ctypes.c_uint64()
    at = (ctypes.addressof(kinds), ctypes.addressof(values))
    calls.do("cuLinkCreate", 2, *at, state)
    added = calls("cuLinkAddData", state.value, 1, image, len(image), 0, 0, 0, 0)
    cubin, bytes_ = ctypes.c_uint64(), ctypes.c_uint64()
    assert (added or calls("cuLinkComplete", state.value, cubin, bytes_)) == result
    assert words in log.value.decode()


def test_local_and_constant_memory(calls):
    text = (
        HEAD
        + """
    .const .align 8 .b8 table[24]; .visible .const .u32 one = 1;
    .func f() { .local .b8 of_f[8]; ret; }
    .visible .entry k(.param .u64 o) { .local .align 8 .b8 a[40]; .local .u32 b; ret; }
    .visible .entry none() { ret; }
    """
    )
    module, value = calls.get("cuModuleLoadData", text), ctypes.c_int32()
    for name, size in (("k", 44), ("none", 0)):
        calls.do("cuFuncGetAttribute", value, 3, calls.get("cuModuleGetFunction", module, name))
        assert value.value == size
        calls.do("cuFuncGetAttribute", value, 2, calls.get("cuModuleGetFunction", module, name))
        assert value.value == 28


def test_linking_for_another_chip(calls):
    """It is linked, and cannot be loaded here."""
    text = HEAD.replace("sm_80", "sm_100a") + ".visible .entry k() { ret; }"
    assert "sm_100a" in text
    results = []
    for chip in (90, 0x10000 + 100):
        kind, value, state = ctypes.c_uint32(9), ctypes.c_uint64(chip), ctypes.c_uint64()
        calls.do("cuLinkCreate", 1, ctypes.addressof(kind), ctypes.addressof(value), state)
        calls.do("cuLinkAddData", state.value, 1, text, len(text) + 1, 0, 0, 0, 0)
        cubin, size, module = ctypes.c_uint64(), ctypes.c_uint64(), ctypes.c_uint64()
        results.append(calls("cuLinkComplete", state.value, cubin, size))
    assert results == [Result.NO_BINARY_FOR_GPU, Result.SUCCESS]
    assert calls("cuModuleLoadData", module, cubin.value) == Result.NO_BINARY_FOR_GPU


def archive(members):
    """A library of objects, as ar makes it, by their names."""
    made = b"!<arch>\n"
    for name, data in members.items():
        made += f"{name:16}{0:<12}{0:<6}{0:<6}{644:<8}{len(data):<10}`\n".encode() + data
        made += b"\n" * (len(data) % 2)
    return made


def test_the_rest_of_the_last_unit_of_memory_is_the_programs(calls, capfd):
    """A GPU maps 2 MiB at a time: a program that stores behind its array ends well there, with a
    warning when the memory is released, or at the end. What comes behind the unit is an error."""
    store = calls.get("cuModuleGetFunction", calls.get("cuModuleLoadData", LLVM_IR), "store")

    def stores(address):
        values = pointers(ctypes.c_uint64(address), ctypes.c_uint32(1))
        calls.do("cuLaunchKernel", store, 1, 1, 1, 1, 1, 1, 0, 0, values, 0)
        return calls("cuCtxSynchronize")

    first, second = (calls.get("cuMemAlloc", 40) for _ in range(2))
    unit = MEMORY_UNIT - 4096 + 512  # the pages of an allocation and what is behind them
    for offset in (40, 512, 1000, unit - 4):
        assert stores(first + offset) == Result.SUCCESS
    assert stores(second + 4096) == Result.SUCCESS
    calls.do("cuMemFree", first)
    calls.driver.settle_memory()
    warning, *_ = capfd.readouterr().err.splitlines()
    assert warning.startswith("warning: memory 0 bytes behind 512 bytes of gpu.alloc was used:")
    calls.driver.report_unseen()
    warning, *_ = capfd.readouterr().err.splitlines()
    assert warning.startswith("warning: memory 3584 bytes behind 512 bytes of gpu.alloc was used:")
    calls.driver.report_unseen()
    assert not capfd.readouterr().err
    assert stores(second + unit) == Result.ILLEGAL_ADDRESS
    said = capfd.readouterr().err
    assert f" lies {unit - 512} bytes behind 512 bytes of gpu.alloc" in said


def test_whole_units_of_memory_have_nothing_behind_them(calls):
    store = calls.get("cuModuleGetFunction", calls.get("cuModuleLoadData", LLVM_IR), "store")
    at = calls.get("cuMemAlloc", MEMORY_UNIT)
    for offset, result in ((-4, Result.SUCCESS), (0, Result.ILLEGAL_ADDRESS)):
        address = ctypes.c_uint64(at + MEMORY_UNIT + offset)
        values = pointers(address, ctypes.c_uint32(1))
        calls.do("cuLaunchKernel", store, 1, 1, 1, 1, 1, 1, 0, 0, values, 0)
        assert calls("cuCtxSynchronize") == result


def test_short_launches_that_are_made_again(calls, monkeypatch):
    """They run with few steps (`launches.Again`): each with its own arguments, in the order of the
    stream, and with what is said of a store beside memory."""
    again = []
    monkeypatch.setattr(Again, "__call__", lambda self, *given, old=Again.__call__: (
        again.append(old(self, *given)) or again[-1]
    ))  # fmt: skip
    store = calls.get("cuModuleGetFunction", calls.get("cuModuleLoadData", LLVM_IR), "store")
    at, found = calls.get("cuMemAlloc", 256), (ctypes.c_uint32 * 64)()
    for number in range(64):
        values = pointers(ctypes.c_uint64(at + 4 * number), ctypes.c_uint32(number + 1))
        calls.do("cuLaunchKernel", store, 1, 1, 1, 1, 1, 1, 0, 0, values, 0)
        calls.do("cuMemsetD32Async", at, number, 1, 0)
    calls.do("cuMemcpyDtoH", found, at, 256)
    assert list(found) == [63, *range(2, 65)]
    assert any(again)
    deadline = time.monotonic() + 20
    del again[:]
    while not (again and again[-1]):  # another thread may have the core for a while
        assert calls("cuCtxSynchronize") == Result.SUCCESS
        values = pointers(ctypes.c_uint64(at), ctypes.c_uint32(1))
        calls.do("cuLaunchKernel", store, 1, 1, 1, 1, 1, 1, 0, 0, values, 0)
        assert time.monotonic() < deadline
    values = pointers(ctypes.c_uint64(at + MEMORY_UNIT), ctypes.c_uint32(1))
    calls.do("cuLaunchKernel", store, 1, 1, 1, 1, 1, 1, 0, 0, values, 0)
    assert calls("cuCtxSynchronize") == Result.ILLEGAL_ADDRESS


def test_arguments_of_launches_that_are_made_again(calls):
    """A structure and numbers of each size, from other places each time, by both functions."""
    kernel = calls.get("cuModuleGetFunction", calls.get("cuModuleLoadData", PTX), "mixed")
    at, found = calls.get("cuMemAlloc", 128), (ctypes.c_uint32 * 32)()
    stream = calls.get("cuStreamCreate", 1)
    config = LaunchConfig(grid=(1, 1, 1), block=(1, 1, 1), stream=stream)
    for number in range(32):
        values = pointers(
            ctypes.c_uint64(at + 4 * number), (ctypes.c_uint32 * 3)(7, 7, number),
            ctypes.c_uint16(100 * number), ctypes.c_uint32(number << 20),
        )  # fmt: skip
        if number % 2:
            calls.do("cuLaunchKernelEx", config, kernel, values, 0)
        else:
            calls.do("cuLaunchKernel", kernel, 1, 1, 1, 1, 1, 1, 0, stream, values, 0)
    calls.do("cuStreamSynchronize", stream)
    calls.do("cuMemcpyDtoH", found, at, 128)
    assert list(found) == [n + 100 * n + (n << 20) for n in range(32)]


def run_count(calls, kernel):
    out, found = calls.get("cuMemAlloc", 4), ctypes.c_uint32()
    parameters = pointers(ctypes.c_uint64(out))
    calls.do("cuLaunchKernel", kernel, 1, 1, 1, 1, 1, 1, 0, 0, parameters, 0)
    calls.do("cuMemcpyDtoH", found, out, 4)
    return found.value


def test_linking(calls):
    state = ctypes.c_uint64()
    calls.do("cuLinkCreate", 0, 0, 0, state)
    main = (
        HEAD
        + """
    .extern .func (.param .u32 r) seven();
    .visible .entry k(.param .u64 o) {
      .reg .u64 %rd; .reg .u32 %r;
      ld.param.u64 %rd, [o];
      { .param .u32 r; call (r), seven; ld.param.u32 %r, [r]; }
      st.u32 [%rd], %r; ret; }
    """
    )
    other = HEAD + ".visible .func (.param .u32 r) seven() { st.param.u32 [r], 7; ret; }"
    library = archive({"/": b"names", "a.cubin": b"\x7fELF....", "other.ptx": other.encode()})
    calls.do("cuLinkAddData", state.value, 1, main, len(main) + 1, 0, 0, 0, 0)
    calls.do("cuLinkAddData", state.value, 4, library, len(library), 0, 0, 0, 0)
    cubin, size = ctypes.c_uint64(), ctypes.c_uint64()
    calls.do("cuLinkComplete", state.value, cubin, size)
    assert ctypes.string_at(cubin.value, size.value).startswith(b"xgpu image 1\n")
    module = calls.get("cuModuleLoadData", cubin.value)
    kernel = calls.get("cuModuleGetFunction", module, "k")
    assert run_count(calls, kernel) == 7
    text = HEAD
    again = calls("cuLinkAddData", state.value, 1, text, len(text), 0, 0, 0, 0)
    assert again == Result.INVALID_VALUE
    calls.do("cuLinkDestroy", state.value)
    assert calls("cuLinkDestroy", state.value) == Result.INVALID_HANDLE


@pytest.fixture
def functions(calls):
    module = calls.get("cuModuleLoadData", PTX)
    names = ("add", "mixed", "count")
    return {name: calls.get("cuModuleGetFunction", module, name) for name in names}


def vectors(calls, count):
    a, b = np.random.rand(count).astype("f"), np.random.rand(count).astype("f")
    addresses = [calls.get("cuMemAlloc", 4 * count) for _ in range(3)]
    for address, array in zip(addresses, (a, b), strict=False):
        calls.do("cuMemcpyHtoD", address, array.ctypes.data, 4 * count)
    return a + b, addresses


def read(calls, address, count):
    found = np.empty(count, "f")
    calls.do("cuMemcpyDtoH", found.ctypes.data, address, 4 * count)
    return found


def test_a_launch(calls, functions):
    expected, addresses = vectors(calls, 1000)
    values = pointers(*map(ctypes.c_uint64, addresses), ctypes.c_uint32(1000))
    calls.do("cuLaunchKernel", functions["add"], 8, 1, 1, 128, 1, 1, 0, 0, values, 0)
    assert np.array_equal(read(calls, addresses[2], 1000), expected)


def test_arguments_in_one_buffer(calls, functions):
    """As the compiler lays out a structure of the parameters."""
    assert [parameter(calls, functions["mixed"], i) for i in range(4)] == [
        (0, 8), (8, 12), (20, 2), (24, 4),
    ]  # fmt: skip
    assert calls("cuFuncGetParamInfo", functions["mixed"], 4, ctypes.c_uint64(), 0) == (
        Result.INVALID_VALUE
    )
    assert calls.values("cuFuncGetParamCount", functions["mixed"]) == [4]
    out = calls.get("cuMemAlloc", 4)
    buffer = (ctypes.c_uint8 * 28).from_buffer_copy(
        struct.pack("<QIIIHxxI", out, 0, 0, 1000, 200, 30)
    )
    size = ctypes.c_uint64(28)
    extra = (ctypes.c_uint64 * 5)(1, ctypes.addressof(buffer), 2, ctypes.addressof(size), 0)
    calls.do("cuLaunchKernel", functions["mixed"], 1, 1, 1, 1, 1, 1, 0, 0, 0, extra)
    found = ctypes.c_uint32()
    calls.do("cuMemcpyDtoH", found, out, 4)
    assert found.value == 1230
    size.value = 24
    launch = ("cuLaunchKernel", functions["mixed"], 1, 1, 1, 1, 1, 1, 0, 0, 0)
    assert calls(*launch, extra) == Result.INVALID_VALUE
    assert calls(*launch, 0) == Result.INVALID_VALUE


def parameter(calls, function, number):
    offset, size = ctypes.c_uint64(), ctypes.c_uint64()
    calls.do("cuFuncGetParamInfo", function, number, offset, size)
    return offset.value, size.value


@pytest.mark.parametrize(
    ("sizes", "shared", "result"),
    [
        ((0, 1, 1, 1, 1, 1), 0, Result.INVALID_VALUE),
        ((1, 1, 1, 1025, 1, 1), 0, Result.INVALID_VALUE),
        ((1, 1, 1, 1, 1, 65), 0, Result.INVALID_VALUE),
        ((1, 65536, 1, 1, 1, 1), 0, Result.INVALID_VALUE),
        ((1, 1, 1, 1, 1, 1), 49153, Result.INVALID_VALUE),
    ],
)
def test_sizes_of_launches(calls, functions, sizes, shared, result):
    values = pointers(ctypes.c_uint64(calls.get("cuMemAlloc", 4)))
    assert calls("cuLaunchKernel", functions["count"], *sizes, shared, 0, values, 0) == result
    calls.do("cuCtxSynchronize")  # and the context goes on


def test_a_block_beyond_the_bounds_of_its_kernel(calls):
    """As numba's tests have it of CUDA."""
    text = HEAD + ".visible .entry bound() .maxntid 8, 4 { ret; }"
    bound = calls.get("cuModuleGetFunction", calls.get("cuModuleLoadData", text), "bound")
    assert calls.get("cuFuncGetAttribute", 0, bound) == 32
    calls.do("cuLaunchKernel", bound, 1, 1, 1, 32, 1, 1, 0, 0, 0, 0)
    beyond = calls("cuLaunchKernel", bound, 1, 1, 1, 33, 1, 1, 0, 0, 0, 0)
    assert beyond == Result.INVALID_VALUE


def config(grid, block, *attributes, shared=0, stream=0):
    made = (LaunchAttribute * max(len(attributes), 1))(*attributes)
    given = LaunchConfig(grid, block, shared, stream, ctypes.addressof(made), len(attributes))
    given.kept = made
    return given


def attribute(number, *values):
    return LaunchAttribute(number, 0, (ctypes.c_uint32 * 16)(*values))


def test_launches_with_attributes(calls, functions):
    expected, addresses = vectors(calls, 1000)
    values = pointers(*map(ctypes.c_uint64, addresses), ctypes.c_uint32(1000))
    stream = calls.get("cuStreamCreate", 1)
    grid, block = (8, 1, 1), (128, 1, 1)
    add = functions["add"]
    given = config(grid, block, attribute(4, 2, 1, 1), attribute(8, 0), stream=stream)
    calls.do("cuLaunchKernelEx", given, add, values, 0)
    calls.do("cuStreamSynchronize", stream)
    assert np.array_equal(read(calls, addresses[2], 1000), expected)
    for cluster, result in (((3, 1, 1), Result.INVALID_CLUSTER_SIZE),
                            ((16, 1, 1), Result.INVALID_CLUSTER_SIZE)):  # fmt: skip
        given = config((48, 1, 1), block, attribute(4, *cluster))
        if cluster[0] == 3:
            given = config((8, 1, 1), block, attribute(4, *cluster))
        assert calls("cuLaunchKernelEx", given, add, values, 0) == result
    calls.do("cuFuncSetAttribute", add, 14, 1)
    given = config((16, 1, 1), block, attribute(4, 16, 1, 1))
    calls.do("cuLaunchKernelEx", given, add, values, 0)
    given = config((1 << 20, 1, 1), block, attribute(2, 1))
    many = calls("cuLaunchKernelEx", given, add, values, 0)
    assert many == Result.COOPERATIVE_LAUNCH_TOO_LARGE
    calls.do("cuLaunchCooperativeKernel", add, 8, 1, 1, 128, 1, 1, 0, stream, values)


def test_each_cooperative_grid_has_a_workspace(calls, capfd):
    """Two at a time have two; a grid that is not cooperative has none, and traps."""
    text = (
        HEAD
        + """
    .visible .entry meet(.param .u64 own, .param .u64 other) {
      .reg .u64 %a, %b, %w; .reg .u32 %low, %high; .reg .pred %p;
      ld.param.u64 %a, [own]; ld.param.u64 %b, [other];
      mov.u32 %low, %envreg1; mov.u32 %high, %envreg2; mov.b64 %w, {%low, %high};
      setp.eq.u64 %p, %w, 0;
      @%p trap;
      st.release.gpu.u64 [%a], %w;
      ld.u64 %w, [%w]; st.u64 [%a+8], %w;
    WAIT:
      ld.acquire.gpu.u64 %w, [%b];
      setp.eq.u64 %p, %w, 0;
      @%p bra WAIT;
      ret; }
    """
    )
    meet = calls.get("cuModuleGetFunction", calls.get("cuModuleLoadData", text), "meet")
    first = calls.get("cuMemAlloc", 32)
    calls.do("cuMemsetD8", first, 0, 32)
    for own, other in ((first, first + 16), (first + 16, first)):
        stream, values = (
            calls.get("cuStreamCreate", 1),
            pointers(*map(ctypes.c_uint64, (own, other))),
        )
        calls.do("cuLaunchCooperativeKernel", meet, 1, 1, 1, 1, 1, 1, 0, stream, values)
    calls.do("cuCtxSynchronize")
    found = (ctypes.c_uint32 * 8)()
    calls.do("cuMemcpyDtoH", found, first, 32)
    one, other = found[:2], found[4:6]
    assert one != other
    assert [0, 0] not in (one, other)
    assert found[2:4] == found[6:8] == [8, 0]  # its bytes; nothing has arrived
    calls.do("cuLaunchKernel", meet, 1, 1, 1, 1, 1, 1, 0, 0, values, 0)
    assert calls("cuCtxSynchronize") == Result.LAUNCH_FAILED
    assert "trap in block (0, 0, 0)" in (said := capfd.readouterr().err)
    assert "a grid synchronizes (grid.sync()) in cooperative launches only" in said


def test_a_kernel_says_the_size_of_its_clusters(calls):
    text = (
        HEAD.replace("sm_80", "sm_90")
        + """
    .visible .entry size(.param .u64 o) .reqnctapercluster 2, 1, 1 {
      .reg .u64 %rd; .reg .u32 %r;
      ld.param.u64 %rd, [o]; mov.u32 %r, %cluster_nctaid.x; st.u32 [%rd], %r; ret; }
    """
    )
    module = calls.get("cuModuleLoadData", text)
    size = calls.get("cuModuleGetFunction", module, "size")
    out, found = calls.get("cuMemAlloc", 4), ctypes.c_uint32()
    values = pointers(ctypes.c_uint64(out))
    calls.do("cuLaunchKernel", size, 4, 1, 1, 1, 1, 1, 0, 0, values, 0)
    calls.do("cuMemcpyDtoH", found, out, 4)
    assert found.value == 2
    odd = calls("cuLaunchKernel", size, 3, 1, 1, 1, 1, 1, 0, 0, values, 0)
    assert odd == Result.INVALID_CLUSTER_SIZE


def test_clusters_need_a_chip():
    calls = Calls(Settings(chips=("sm_80",)))
    calls.begin()
    module = calls.get("cuModuleLoadData", PTX)
    add = calls.get("cuModuleGetFunction", module, "add")
    values = pointers(*[ctypes.c_uint64()] * 3, ctypes.c_uint32(0))
    given = config((8, 1, 1), (32, 1, 1), attribute(4, 2, 1, 1))
    assert calls("cuLaunchKernelEx", given, add, values, 0) == Result.INVALID_VALUE
    size = calls("cuOccupancyMaxPotentialClusterSize", ctypes.c_int32(), add, given)
    assert size == Result.NOT_SUPPORTED
    calls.close()


def test_what_is_of_another_context_is_refused(calls, functions):
    stream = calls.get("cuStreamCreate", 0)
    values = pointers(ctypes.c_uint64(0))
    context = calls.get("cuCtxCreate", 0, 0)
    launch = ("cuLaunchKernel", functions["count"], 1, 1, 1, 1, 1, 1, 0)
    assert calls(*launch, 0, values, 0) == Result.INVALID_HANDLE
    assert calls(*launch, stream, values, 0) == Result.INVALID_HANDLE
    calls.do("cuCtxDestroy", context)


def test_attributes_of_functions(calls, functions):
    add = functions["add"]
    assert calls.get("cuFuncGetAttribute", 0, add) == 1024
    assert calls.get("cuFuncGetAttribute", 8, add) == 49152
    calls.do("cuFuncSetAttribute", add, 8, 200_000)
    assert calls.get("cuFuncGetAttribute", 8, add) == 200_000
    assert calls("cuFuncSetAttribute", add, 8, 300_000) == Result.INVALID_VALUE
    assert calls("cuFuncSetAttribute", add, 4, 1) == Result.INVALID_VALUE
    assert calls("cuFuncGetAttribute", ctypes.c_int32(), 99, add) == Result.INVALID_VALUE
    name = ctypes.c_uint64()
    calls.do("cuFuncGetName", name, add)
    assert ctypes.string_at(name.value) == b"add"


def test_occupancy(calls, functions):
    add = functions["add"]
    blocks = "cuOccupancyMaxActiveBlocksPerMultiprocessor"
    assert calls.get(blocks, add, 256, 0) == 8
    assert calls.get(blocks, add, 1024, 0) == 2
    assert calls.get(blocks, add, 32, 100 * 1024) == 0  # no launch may have so much
    calls.do("cuFuncSetAttribute", add, 8, 100 * 1024)
    assert calls.get(blocks, add, 32, 100 * 1024) == 2
    assert calls.get(blocks, add, 1025, 0) == 0
    assert calls(blocks, ctypes.c_int32(), add, 0, 0) == Result.INVALID_VALUE
    grid, block = ctypes.c_int32(), ctypes.c_int32()
    calls.do("cuOccupancyMaxPotentialBlockSize", grid, block, add, 0, 0, 0)
    assert block.value == 1024
    assert grid.value == 2 * calls.get("cuDeviceGetAttribute", 16, 0)


def test_tensor_maps(calls):
    address = calls.get("cuMemAlloc", 64 * 64 * 4)
    room = (ctypes.c_uint8 * 256)()
    at = -(-ctypes.addressof(room) // 64) * 64
    sizes, strides = (ctypes.c_uint64 * 2)(64, 64), (ctypes.c_uint64 * 1)(256)
    box, steps = (ctypes.c_uint32 * 2)(16, 16), (ctypes.c_uint32 * 2)(1, 1)
    encode = ("cuTensorMapEncodeTiled", at, 7, 2, address, sizes, strides, box, steps)
    calls.do(*encode, 0, 2, 0, 0)
    assert any(TensorMap.from_address(at).words)
    calls.do("cuTensorMapReplaceAddress", at, address + 256)
    assert calls(*encode, 0, 1, 0, 0) == Result.INVALID_VALUE  # rows of 64 bytes, 32 swizzled
    box[0] = 257
    assert calls(*encode, 0, 0, 0, 0) == Result.INVALID_VALUE
    box[0] = 16
    calls.do("cuTensorMapEncodeTiled", at + 16, *encode[2:], 0, 0, 0, 0)  # as in cuda.core
    strides[0] = 250
    assert calls(*encode, 0, 0, 0, 0) == Result.INVALID_VALUE


@pytest.mark.parametrize("name", ["cuFuncGetName", "cuKernelGetName"])
def test_the_name_of_nothing(calls, name):
    assert calls(name, ctypes.c_uint64(), 0) == Result.INVALID_VALUE


def test_each_result_has_a_name_and_a_text(calls):
    for result in Result:
        for function in ("cuGetErrorName", "cuGetErrorString"):
            text = ctypes.c_uint64()
            calls.do(function, int(result), text)
            assert ctypes.string_at(text.value)


@needs_clang
def test_cuda_that_a_client_links_has_what_nvrtc_has():
    source = 'extern "C" __device__ int next(int x) { int y = std::move(x); return y + 1; }'
    ptx = _Compilers().ptx_of_cuda(source, "next.cu", [], "sm_80")
    assert ".visible .func  (.param .b32 func_retval0) next(" in ptx

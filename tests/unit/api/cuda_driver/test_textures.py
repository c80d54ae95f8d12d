# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays, and textures and surfaces of them: what they are, copies, and kernels that read them."""

from __future__ import annotations

import ctypes
import threading
from ctypes import c_uint64

import numpy as np
import pytest

from tests.support.driver_calls import HEAD, Calls, pointers
from xgpu.api.cuda_driver.header import (
    ArrayDescription,
    ArrayDescription2D,
    Copy2D,
    Copy3D,
    ResourceDescription,
    ResourceView,
    Result,
    TextureDescription,
)

U8, U16, I32, FLOAT = 1, 2, 10, 32
HOST, DEVICE, ARRAY = 1, 2, 3
LAYERED, SURFACE, CUBE = 1, 2, 4
INTEGERS, NORMALIZED = 1, 2
#: `read` puts texel (x, y) of a plane at [y * width + x]; `change` adds one to each of a surface.
PTX = (
    HEAD
    + """
.visible .entry read(.param .u64 o, .param .u64 t, .param .u32 w)
{
  .reg .u64 %rd<5>; .reg .u32 %r<5>; .reg .f32 %f<7>;
  ld.param.u64 %rd1, [o]; ld.param.u64 %rd2, [t]; ld.param.u32 %r1, [w];
  mov.u32 %r2, %tid.x; mov.u32 %r3, %ctaid.x;
  cvt.rn.f32.u32 %f1, %r2; cvt.rn.f32.u32 %f2, %r3;
  add.f32 %f1, %f1, 0f3F000000; add.f32 %f2, %f2, 0f3F000000;
  tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%rd2, {%f1, %f2}];
  mad.lo.u32 %r4, %r3, %r1, %r2;
  mul.wide.u32 %rd3, %r4, 4; add.u64 %rd4, %rd1, %rd3;
  st.global.f32 [%rd4], %f3;
  ret;
}
.visible .entry change(.param .u64 s)
{
  .reg .u64 %rd<3>; .reg .u32 %r<5>;
  ld.param.u64 %rd1, [s];
  mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;
  shl.b32 %r1, %r1, 2;
  suld.b.2d.b32.trap %r3, [%rd1, {%r1, %r2}];
  add.u32 %r3, %r3, 1;
  sust.b.2d.b32.trap [%rd1, {%r1, %r2}], %r3;
  ret;
}
"""
)


def plane(width: int, height: int, code: int = FLOAT, channels: int = 1) -> ArrayDescription2D:
    return ArrayDescription2D(width, height, code, channels)


def solid(
    width: int, height: int, depth: int, flags: int = 0, code: int = FLOAT
) -> ArrayDescription:
    return ArrayDescription(width, height, depth, code, 1, flags)


def of_array(handle: int) -> ResourceDescription:
    made = ResourceDescription()
    made.words[0] = handle
    return made


def of_memory(kind: int, address: int, code: int, channels: int, *rest: int) -> ResourceDescription:
    made = ResourceDescription(kind=kind)
    for at, word in enumerate((address, code | channels << 32, *rest)):
        made.words[at] = word
    return made


def filled(calls: Calls, data: np.ndarray) -> int:
    """An array of a plane of floats."""
    height, width = data.shape
    array = calls.get("cuArrayCreate", plane(width, height))
    calls.do("cuMemcpy2D", Copy2D(
        source_type=HOST, source_host=data.ctypes.data, target_type=ARRAY, target_array=array,
        width=4 * width, height=height,
    ))  # fmt: skip
    return array


def launched(calls: Calls, name: str, grid: int, block: int, *arguments: object) -> None:
    module = calls.get("cuModuleLoadData", PTX)
    function = calls.get("cuModuleGetFunction", module, name)
    calls.do("cuLaunchKernel", function, grid, 1, 1, block, 1, 1, 0, 0, pointers(*arguments), 0)
    calls.do("cuCtxSynchronize")


# -- arrays


def test_what_an_array_is(calls):
    flat = calls.get("cuArrayCreate", plane(7, 0, U8, 4))
    found = ArrayDescription2D()
    calls.do("cuArrayGetDescriptor", found, flat)
    assert [found.width, found.height, found.format, found.channels] == [7, 0, U8, 4]
    layers = calls.get("cuArray3DCreate", solid(6, 0, 3, LAYERED | SURFACE))
    known = ArrayDescription()
    calls.do("cuArray3DGetDescriptor", known, layers)
    assert [known.width, known.height, known.depth, known.flags] == [6, 0, 3, 3]
    used = calls.driver.ranges.all()
    calls.do("cuArrayDestroy", layers)
    assert len(used) == len(calls.driver.ranges.all()) + 1
    assert calls("cuArrayDestroy", layers) == Result.INVALID_HANDLE


@pytest.mark.parametrize(
    "given",
    [
        plane(0, 4), plane(4, 4, 7), plane(4, 4, U8, 3), solid(4, 0, 2), solid(4, 5, 6, CUBE),
        solid(4, 4, 5, CUBE), solid(4, 4, 0, LAYERED), solid(4, 4, 7, CUBE | LAYERED),
        solid(4, 4, 4, 512), solid(4, 0, 0, 8),
    ],
)  # fmt: skip
def test_what_is_no_array(calls, given):
    name = "cuArrayCreate" if isinstance(given, ArrayDescription2D) else "cuArray3DCreate"
    assert calls(name, c_uint64(), given) == Result.INVALID_VALUE


def test_bytes_of_an_array_in_a_row(calls):
    first, second = (calls.get("cuArrayCreate", plane(8, 0, I32)) for _ in range(2))
    data, got = np.arange(8, dtype=np.int32), np.zeros(8, np.int32)
    stream = calls.get("cuStreamCreate", 0)
    calls.do("cuMemcpyHtoA", first, 0, data.ctypes.data, 32)
    calls.do("cuMemcpyHtoAAsync", first, 8, data.ctypes.data, 8, stream)
    calls.do("cuStreamSynchronize", stream)
    calls.do("cuMemcpyAtoA", second, 4, first, 0, 28)
    memory = calls.get("cuMemAlloc", 32)
    calls.do("cuMemcpyAtoD", memory, first, 0, 32)
    calls.do("cuMemcpyDtoA", second, 0, memory + 28, 4)
    calls.do("cuMemcpyAtoH", got.ctypes.data, second, 0, 32)
    assert got.tolist() == [7, 0, 1, 0, 1, 4, 5, 6]
    calls.do("cuMemcpyAtoHAsync", got.ctypes.data, first, 4, 16, stream)
    calls.do("cuStreamSynchronize", stream)
    assert got[:4].tolist() == [1, 0, 1, 4]
    assert calls("cuMemcpyHtoA", first, 4, data.ctypes.data, 32) == Result.INVALID_VALUE
    rows = calls.get("cuArrayCreate", plane(8, 2))
    assert calls("cuMemcpyHtoA", rows, 0, data.ctypes.data, 32) == Result.INVALID_VALUE
    assert calls("cuMemcpyAtoD", 64, first, 0, 8) == Result.INVALID_VALUE


def test_boxes_of_arrays(calls):
    data = np.arange(60, dtype=np.float32).reshape(3, 4, 5)
    array = calls.get("cuArray3DCreate", solid(5, 4, 3))
    copy = Copy3D(
        source_type=HOST, source_host=data.ctypes.data, source_pitch=20, source_height=4,
        target_type=ARRAY, target_array=array, width=20, height=4, depth=3,
    )  # fmt: skip
    calls.do("cuMemcpy3D", copy)
    got = np.zeros((2, 2, 3), np.float32)
    back = Copy3D(
        source_type=ARRAY, source_array=array, source_x=8, source_y=1, source_z=1,
        target_type=HOST, target_host=got.ctypes.data, target_pitch=12, target_height=2,
        width=12, height=2, depth=2,
    )  # fmt: skip
    calls.do("cuMemcpy3D", back)
    assert np.array_equal(got, data[1:3, 1:3, 2:5])
    back.source_x = 12
    assert calls("cuMemcpy3D", back) == Result.INVALID_VALUE
    back.source_x, back.source_z = 8, 2
    assert calls("cuMemcpy3D", back) == Result.INVALID_VALUE
    back.source_array = 99
    assert calls("cuMemcpy3D", back) == Result.INVALID_HANDLE


def test_a_graph_copies_an_array(calls):
    data = np.arange(12, dtype=np.float32).reshape(3, 4)
    array, other = filled(calls, data), calls.get("cuArrayCreate", plane(4, 3))
    stream = calls.get("cuStreamCreate", 0)
    calls.do("cuStreamBeginCapture", stream, 0)
    calls.do("cuMemcpy2DAsync", Copy2D(
        source_type=ARRAY, source_array=array, target_type=ARRAY, target_array=other,
        width=16, height=3,
    ), stream)  # fmt: skip
    graph = c_uint64()
    calls.do("cuStreamEndCapture", stream, graph)
    executable = calls.get("cuGraphInstantiateWithFlags", graph.value, 0)
    calls.do("cuGraphLaunch", executable, stream)
    calls.do("cuStreamSynchronize", stream)
    got = np.zeros_like(data)
    calls.do("cuMemcpy2D", Copy2D(
        source_type=ARRAY, source_array=other, target_type=HOST, target_host=got.ctypes.data,
        width=16, height=3,
    ))  # fmt: skip
    assert np.array_equal(got, data)


def test_arrays_go_with_their_context(calls):
    context = calls.get("cuCtxCreate", 0, 0)
    calls.get("cuArrayCreate", plane(4, 4))
    before = len(calls.driver.ranges.all())
    calls.do("cuCtxDestroy", context)
    assert len(calls.driver.ranges.all()) == before - 1


# -- textures


def test_a_kernel_reads_a_texture(calls):
    data = np.random.default_rng(1).random((6, 9), np.float32)
    texture = calls.get("cuTexObjectCreate", of_array(filled(calls, data)), TextureDescription(), 0)
    out = calls.get("cuMemAlloc", data.nbytes)
    launched(calls, "read", 6, 9, c_uint64(out), c_uint64(texture), ctypes.c_uint32(9))
    got = np.zeros_like(data)
    calls.do("cuMemcpyDtoH", got.ctypes.data, out, got.nbytes)
    assert np.array_equal(got, data)
    calls.do("cuTexObjectDestroy", texture)
    assert calls("cuTexObjectDestroy", texture) == Result.INVALID_VALUE


def test_a_texture_of_rows_of_memory(calls):
    """Bytes become floats, unless they are read as integers."""
    memory, pitch = ctypes.c_uint64(), ctypes.c_uint64()
    calls.do("cuMemAllocPitch", memory, pitch, 8, 4, 4)
    data = np.arange(32, dtype=np.uint8).reshape(4, 8)
    calls.do("cuMemcpy2D", Copy2D(
        source_type=HOST, source_host=data.ctypes.data, target_type=DEVICE,
        target_device=memory.value, target_pitch=pitch.value, width=8, height=4,
    ))  # fmt: skip
    resource = of_memory(3, memory.value, U8, 1, 8, 4, pitch.value)
    out, got = calls.get("cuMemAlloc", 128), np.zeros((4, 8), np.float32)
    for flags, wanted in ((0, data / np.float32(255)), (INTEGERS, data)):
        texture = calls.get("cuTexObjectCreate", resource, TextureDescription(flags=flags), 0)
        launched(calls, "read", 4, 8, c_uint64(out), c_uint64(texture), ctypes.c_uint32(8))
        calls.do("cuMemcpyDtoH", got.ctypes.data, out, 128)
        found = got if flags == 0 else got.view(np.uint32)
        np.testing.assert_allclose(found, wanted, rtol=1e-6)


def test_what_is_known_of_a_texture(calls):
    memory = calls.get("cuMemAlloc", 4096)
    resource = of_memory(2, memory, FLOAT, 2, 4096)
    given = TextureDescription(flags=NORMALIZED, anisotropy=4)
    given.modes[:] = [0, 1, 2]
    texture = calls.get("cuTexObjectCreate", resource, given, 0)
    known, description = ResourceDescription(), TextureDescription()
    calls.do("cuTexObjectGetResourceDesc", known, texture)
    calls.do("cuTexObjectGetTextureDesc", description, texture)
    assert (known.kind, list(known.words[:3])) == (2, list(resource.words[:3]))
    assert (list(description.modes), description.anisotropy) == ([0, 1, 2], 4)
    assert calls("cuTexObjectGetResourceDesc", known, texture + 8) == Result.INVALID_VALUE
    assert calls("cuSurfObjectDestroy", texture) == Result.INVALID_VALUE


def test_what_is_no_texture(calls):
    array = calls.get("cuArrayCreate", plane(8, 8, U16))
    memory = calls.get("cuMemAlloc", 4096)
    plain = TextureDescription()

    def refused(resource, description=plain, view=0, result=Result.INVALID_VALUE):
        texture = c_uint64(7)
        assert calls("cuTexObjectCreate", texture, resource, description, view) == result
        assert texture.value == 7

    good = of_array(array)
    refused(of_array(12345), result=Result.INVALID_HANDLE)
    refused(good, TextureDescription(filter=1, flags=INTEGERS))
    refused(good, TextureDescription(filter=2))
    refused(good, TextureDescription(flags=128))
    refused(good, TextureDescription(flags=16), result=Result.NOT_SUPPORTED)
    mode = TextureDescription()
    mode.modes[1] = 4
    refused(good, mode)
    refused(good, view=ResourceView(format=1), result=Result.NOT_SUPPORTED)
    flagged = of_array(array)
    flagged.flags = 1
    refused(flagged)
    refused(ResourceDescription(kind=1), result=Result.NOT_SUPPORTED)
    refused(ResourceDescription(kind=4))
    refused(of_memory(2, memory + 4, FLOAT, 1, 1024))
    refused(of_memory(2, memory, FLOAT, 1, 8192))
    refused(of_memory(2, memory, FLOAT, 3, 1024))
    refused(of_memory(2, memory, 5, 1, 1024))
    refused(of_memory(3, memory, FLOAT, 1, 8, 4, 16))
    refused(of_memory(3, memory, FLOAT, 1, 8, 4, 40))
    refused(of_memory(3, memory, FLOAT, 1, 8, 1000, 64))
    refused(of_memory(3, memory, FLOAT, 1, 8, 0, 64))


def test_a_texture_that_is_destroyed_fails_in_a_kernel(calls):
    texture = calls.get(
        "cuTexObjectCreate", of_array(filled(calls, np.ones((2, 2), np.float32))),
        TextureDescription(), 0,
    )  # fmt: skip
    calls.do("cuTexObjectDestroy", texture)
    out = calls.get("cuMemAlloc", 64)
    module = calls.get("cuModuleLoadData", PTX)
    function = calls.get("cuModuleGetFunction", module, "read")
    given = pointers(c_uint64(out), c_uint64(texture), ctypes.c_uint32(2))
    calls.do("cuLaunchKernel", function, 2, 1, 1, 2, 1, 1, 0, 0, given, 0)
    assert calls("cuCtxSynchronize") == Result.ILLEGAL_ADDRESS


def test_a_texture_that_is_destroyed_behind_a_launch(calls):
    """The kernel still reads by it, and what comes behind the kernel fails."""
    data = np.random.default_rng(2).random((6, 9), np.float32)
    texture = calls.get("cuTexObjectCreate", of_array(filled(calls, data)), TextureDescription(), 0)
    out = calls.get("cuMemAlloc", data.nbytes)
    function = calls.get("cuModuleGetFunction", calls.get("cuModuleLoadData", PTX), "read")
    given = pointers(c_uint64(out), c_uint64(texture), ctypes.c_uint32(9))
    stream, go_on = calls.get("cuStreamCreate", 1), threading.Event()
    wait = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: go_on.wait(60) and None)
    calls.do("cuLaunchHostFunc", stream, ctypes.cast(wait, ctypes.c_void_p).value, 0)
    calls.do("cuLaunchKernel", function, 6, 1, 1, 9, 1, 1, 0, stream, given, 0)
    calls.do("cuTexObjectDestroy", texture)
    assert calls("cuTexObjectDestroy", texture) == Result.INVALID_VALUE
    go_on.set()
    calls.do("cuStreamSynchronize", stream)
    got = np.zeros_like(data)
    calls.do("cuMemcpyDtoH", got.ctypes.data, out, got.nbytes)
    assert np.array_equal(got, data)
    calls.do("cuLaunchKernel", function, 6, 1, 1, 9, 1, 1, 0, stream, given, 0)
    assert calls("cuStreamSynchronize", stream) == Result.ILLEGAL_ADDRESS


# -- surfaces


def test_a_kernel_changes_a_surface(calls):
    array = calls.get("cuArray3DCreate", solid(8, 4, 0, SURFACE, I32))
    data = np.arange(32, dtype=np.int32).reshape(4, 8)
    copy = Copy2D(source_type=HOST, source_host=data.ctypes.data, target_type=ARRAY,
                  target_array=array, width=32, height=4)  # fmt: skip
    calls.do("cuMemcpy2D", copy)
    surface = calls.get("cuSurfObjectCreate", of_array(array))
    known = ResourceDescription()
    calls.do("cuSurfObjectGetResourceDesc", known, surface)
    assert known.words[0] == array
    launched(calls, "change", 4, 8, c_uint64(surface))
    got = np.zeros_like(data)
    calls.do("cuMemcpy2D", Copy2D(
        source_type=ARRAY, source_array=array, target_type=HOST, target_host=got.ctypes.data,
        width=32, height=4,
    ))  # fmt: skip
    assert np.array_equal(got, data + 1)
    calls.do("cuSurfObjectDestroy", surface)


def test_what_is_no_surface(calls):
    plain = calls.get("cuArrayCreate", plane(8, 8))
    memory = calls.get("cuMemAlloc", 4096)
    assert calls("cuSurfObjectCreate", c_uint64(), of_array(plain)) == Result.INVALID_VALUE
    linear = of_memory(2, memory, FLOAT, 1, 4096)
    assert calls("cuSurfObjectCreate", c_uint64(), linear) == Result.INVALID_VALUE

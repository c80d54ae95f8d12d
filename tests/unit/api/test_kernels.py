# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels from Python on the host device: launches, checks of arguments, what a kernel says."""

from __future__ import annotations

import array
import os
import re
import weakref

import numpy as np
import pytest

import xgpu
from xgpu.api import views
from xgpu.api.devices.host import HostBackend
from xgpu.api.parameters import Scalar
from xgpu.core.ir.errors import DeviceError, DiagnosticError, UsageError
from xgpu.host_device.device.repeated_launches import RepeatedLaunch


def vectors(n=1000):
    a = np.arange(n, dtype=np.float32)
    return a, a * 2, np.zeros_like(a)


def test_launch_with_numpy_arrays_is_over_when_it_returns(add):
    a, b, c = vectors()
    add[4, 256](a, b, c, 1000)
    assert np.array_equal(c, a * 3)
    c[:] = 0
    add.launch(grid=(4,), block=(256, 1, 1))(a, b, c, 1000)
    assert np.array_equal(c, a * 3)


LONG = """
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @sums(%x: memref<?xf32>, %first: f32) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %steps = arith.constant 2000 : index
      %dim = gpu.block_dim x
      %block = gpu.block_id x
      %thread = gpu.thread_id x
      %base = arith.muli %block, %dim : index
      %i = arith.addi %base, %thread : index
      %one = arith.constant 1.0 : f32
      %sum = scf.for %j = %c0 to %steps step %c1 iter_args(%s = %first) -> (f32) {
        %next = arith.addf %s, %one : f32
        scf.yield %next : f32
      }
      %old = memref.load %x[%i] : memref<?xf32>
      %new = arith.addf %old, %sum : f32
      memref.store %new, %x[%i] : memref<?xf32>
      gpu.return
    }
  }
}
"""


@pytest.mark.skipif(
    not hasattr(os, "sched_getaffinity") or len(os.sched_getaffinity(0)) < 2,
    reason="there are no helpers on one core",
)
def test_long_launches_that_are_waited_for_are_made_again(monkeypatch):
    """Few steps of Python stand before and behind them then; arguments may be others each time."""
    made, call = [], RepeatedLaunch.__call__
    monkeypatch.setattr(
        RepeatedLaunch, "__call__", lambda *a, **k: made.append(call(*a, **k)) or made[-1]
    )
    with xgpu.load(LONG, device="host") as module:
        sums = module.kernels["sums"][200, 128]
        arrays = [np.zeros(25600, np.float32) for _ in range(2)]
        expected = np.zeros(2, np.float32)
        for i in range(40):
            sums(arrays[i % 2], i)
            expected[i % 2] += 2000 + i
            assert all((a == e).all() for a, e in zip(arrays, expected, strict=True))
    assert made[-10:] == [True] * 10


def test_short_launches_are_done_by_who_makes_them(add, monkeypatch):
    """Once it is known how long they take, though nothing waits for those before."""
    queued: list[object] = []
    submit = HostBackend._submit

    def counted(*given):
        queued.append(given)
        return submit(*given)

    monkeypatch.setattr(HostBackend, "_submit", counted)
    a, b, c = (xgpu.zeros(64, "float32", "host") for _ in range(3))
    for _ in range(20):  # a core that others share makes some look long
        queued.clear()
        for _ in range(100):
            add[2, 32](a, b, c, 64)
        if not queued:
            return
    raise AssertionError(f"{len(queued)} of 100 launches were queued")


def test_arrays_of_numpy_that_say_the_same_are_not_looked_at_again(add, monkeypatch):
    """Another address, other sizes and read-only arrays are looked at; none is kept alive."""
    launch = add[1, 32]
    a, b, c = (np.full(32, i, np.float32) for i in range(3))
    launch(a, b, c, 32)
    looks = []
    from_interface = views._from_interface
    monkeypatch.setattr(
        views, "_from_interface", lambda *given: looks.append(1) or from_interface(*given)
    )
    a[:] = 5
    launch(a, b, c, 32)
    assert (c == 6).all()
    assert not looks
    d = np.full(32, 7, np.float32)
    launch(a, d, c, 32)  # the second one alone
    assert (c == 12).all()
    assert len(looks) == 1
    launch(a, d[:16], c, 16)
    assert len(looks) == 2
    with pytest.raises(TypeError, match="expected elements of float32"):
        launch(a, d.view(np.int32), c, 32)
    c.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        launch(a, d, c, 32)
    gone = weakref.ref(d)
    del d
    assert gone() is None


def test_numbers_of_numpy_are_not_looked_at_again(add, monkeypatch):
    launch = add[1, 32]
    (a, b, c), n = vectors(32), np.int32(16)
    launch(a, b, c, n)
    monkeypatch.setattr(Scalar, "words", None)
    launch(a, b, c, n)
    monkeypatch.undo()
    launch(a, b, c, np.int32(32))
    assert np.array_equal(c, a + b)


def test_launch_with_arrays_of_ours(add):
    a, b, c = (xgpu.asarray(v, "host", copy=True) for v in vectors())
    add[4, 256](a, b, c, 1000)
    assert np.array_equal(c.numpy(), np.arange(1000, dtype=np.float32) * 3)


def test_buffers_and_views_without_copies(module, add):
    a, b = array.array("f", [1, 2, 3]), memoryview(bytearray(np.float32([5, 6, 7]))).cast("f")
    c = np.zeros((2, 4), np.float32)
    add[1, 32](a, b, c[1, :3], 3)
    assert c.tolist() == [[0, 0, 0, 0], [6, 8, 10, 0]]


def test_strides_are_the_memrefs(module):
    transpose = module.kernels["transpose"]
    a = np.arange(48, dtype=np.float64).reshape(6, 8)
    b = np.zeros((4, 3))
    transpose[1, (3, 4)](a[::2, ::-2], b)
    assert np.array_equal(b, a[::2, ::-2].T)


def test_scalars(module):
    out = np.zeros(8)
    module.kernels["scalars"][1, 1](out, 1.5, np.float16(0.25), 1e300, -7, 2**40, True, np.int8(-3))
    assert out.tolist() == [1.5, 0.25, 1e300, -7, 2.0**40, 1, -3, 0]
    module.kernels["scalars"][1, 1](out, 2, 3, 4, 2**32 - 1, -1, False, 255)
    assert out.tolist() == [2, 3, 4, -1, -1, 0, -1, 0]


def bad(add, *arguments):
    with pytest.raises((TypeError, ValueError)) as caught:
        add[4, 256](*arguments)
    return type(caught.value), str(caught.value)


def test_errors_name_the_argument(add):
    a, b, c = vectors()
    of_a = "kernel 'add', argument 'a' of type memref<?xf32>: "
    of_n = "kernel 'add', argument 'n' of type index: "
    wide = a.astype(np.float64)
    assert bad(add, a, b, c) == (
        TypeError, "kernel 'add' takes 4 arguments (a, b, c, n), but 3 were given",
    )  # fmt: skip
    assert bad(add, wide, b, c, 1) == (
        TypeError, of_a + "expected elements of float32, but found float64",
    )  # fmt: skip
    assert bad(add, a.astype(">f4"), b, c, 1) == (
        TypeError, of_a + "memrefs hold native byte order: use .astype('=f4')",
    )  # fmt: skip
    assert bad(add, a.reshape(10, 100), b, c, 1) == (
        ValueError, of_a + "expected the shape (?), but found (10, 100)",
    )  # fmt: skip
    assert bad(add, a[::2], b, c, 1) == (
        ValueError, of_a + "expected a contiguous array, but found the strides (2); a parameter "
        "of type memref<?xf32, strided<[?], offset: ?>> takes any strides",
    )  # fmt: skip
    assert bad(add, 3, b, c, 1) == (
        TypeError, of_a + "expected an array, but 3 of type int was given",
    )  # fmt: skip
    assert bad(add, a, b, c, 1.5) == (
        TypeError, of_n + "expected an integer, but 1.5 of type float was given",
    )  # fmt: skip
    assert bad(add, a, b, c, a) == (
        TypeError, of_n + "expected a number, but a ndarray was given",
    )  # fmt: skip
    assert bad(add, a, b, c, a[:2]) == (
        TypeError, of_n + f"expected a number, but {a[:2]!r} of type ndarray was given",
    )  # fmt: skip
    assert bad(add, None, b, c, 1) == (TypeError, of_a + "expected an array, but None was given")
    assert bad(add, a, b, c, 1 << 64) == (
        ValueError, of_n + f"{1 << 64} does not fit in 64 bits",
    )  # fmt: skip
    view = np.lib.stride_tricks.as_strided(a, (4,), (6,))
    assert bad(add, view, b, c, 1) == (
        TypeError, of_a + "strides are no multiples of an element's size",
    )  # fmt: skip
    odd = np.frombuffer(bytearray(21), np.uint8)[1:].view(np.float32)
    kind, text = bad(add, odd, b, c, 1)
    assert kind is ValueError
    assert re.fullmatch(re.escape(of_a) + "0x[0-9a-f]+ is not aligned for float32", text)


def test_only_what_is_written_must_be_writable(add):
    a, b, c = vectors()
    a.flags.writeable = b.flags.writeable = False
    add[4, 256](a, b, c, 1000)
    assert np.array_equal(c, a * 3)
    c.flags.writeable = False
    kind, text = bad(add, a, b, c, 1000)
    assert kind is ValueError
    assert text == (
        "kernel 'add', argument 'c' of type memref<?xf32>: the array is read-only, and what gets "
        "it may write to it"
    )


def test_static_sizes_and_scalars_out_of_range(module):
    with pytest.raises(ValueError, match=re.escape("expected the shape (8), but found (9)")):
        module.kernels["scalars"][1, 1](np.zeros(9), 1, 1, 1, 1, 1, 1, 1)
    for at, value, what in ((4, 1 << 32, "32 bits"), (1, 1e300, "f32"), (2, 1e6, "f16")):
        arguments = [np.zeros(8), 1, 1, 1, 1, 1, 1, 1]
        arguments[at] = value
        with pytest.raises(ValueError, match=f"does not fit in {what}"):
            module.kernels["scalars"][1, 1](*arguments)


def test_sizes_of_launches(add, module):
    with pytest.raises(TypeError, match="expected \\[grid, block\\]"):
        add[4]
    with pytest.raises(TypeError, match=r"kernel 'add' needs the size .*: add\[grid, block\]"):
        add(*vectors(4), 4)
    with pytest.raises(TypeError, match=r"kernel 'add': grid size x is 1.5, expected an integer"):
        add[1.5, 4]
    with pytest.raises(ValueError, match=r"kernel 'add': block size y is 0, expected at least 1"):
        add[1, (4, 0)]
    with pytest.raises(ValueError, match=r"grid has 4 sizes, expected 1 to 3"):
        add[(1, 1, 1, 1), 4]
    a, b, c = vectors(4)
    with pytest.raises(DeviceError, match=r"block of 2048 x 1 x 1 = 2048 threads, the limit is 10"):
        add[1, 2048](a, b, c, 4)
    with pytest.raises(TypeError, match="does not say how large blocks are"):
        add.launch(grid=1)
    out = np.zeros(16, np.int32)
    fixed = module.kernels["fixed"]
    assert fixed.known_block == (8, 2, 1)
    fixed.launch(grid=1)(out)
    assert out.tolist() == list(range(16))


def test_a_kernel_that_fails_and_the_next_one(module, add):
    a, b, c = vectors()
    memory = xgpu.zeros(4, "float32", "host")
    far = "kernel 'fault', argument 'a': store to element 1000000000000 of memref<.xf32> of 4"
    with pytest.raises(DeviceError, match=far):
        module.kernels["fault"][1, 1](np.zeros(4, np.float32))
    stream = xgpu.Stream("host")
    module.kernels["fault"][1, 1, stream](memory)
    with pytest.raises(DeviceError, match=far):
        stream.synchronize()
    stream.synchronize()
    add[4, 256](a, b, c, 1000)
    assert np.array_equal(c, a * 3)


def test_what_a_kernel_says(module, add):
    assert [(p.name, p.type, p.shape, p.dtype) for p in add.parameters] == [
        ("a", "memref<?xf32>", (None,), "float32"), ("b", "memref<?xf32>", (None,), "float32"),
        ("c", "memref<?xf32>", (None,), "float32"), ("n", "index", None, "int64"),
    ]  # fmt: skip
    assert repr(add) == (
        "<xgpu.Kernel add(a: memref<?xf32>, b: memref<?xf32>, c: memref<?xf32>, n: index) on host>"
    )
    assert add.location == "-:3:3"
    assert add.source.splitlines()[0].strip().startswith("gpu.func @add(")
    assert add.source.splitlines()[-1].strip() == "}"
    assert add.shared_bytes == 0
    assert add.largest_block == 1024
    assert ".visible .entry add(" in add.ptx
    assert "define ptx_kernel void @add(" in add.llvm_ir
    assert "kernel add" in add._repr_html_()
    assert "memref&lt;?xf32&gt;" in module._repr_html_()


def test_names(module):
    assert list(module.kernels) == ["add", "transpose", "scalars", "fault", "fixed"]
    assert module.kernels["kernels::add"] is module.kernels["add"]
    with pytest.raises(KeyError, match="no kernel 'ad'; did you mean 'add'"):
        module.kernels["ad"]
    with pytest.raises(KeyError, match="no function 'f'; there are: none"):
        module.functions["f"]


def test_sources(tmp_path):
    text = "gpu.module @m { gpu.func @k(%a: memref<1xi32>) kernel { gpu.return } }"
    path = tmp_path / "k.mlir"
    path.write_text(text)
    from xgpu.driver.compiler import parse

    for source in (text, path, str(path), parse(text)):
        with xgpu.load(source, "host") as loaded:
            loaded.kernels["k"][1, 1](np.zeros(1, np.int32))
    with pytest.raises(ValueError, match="the module is closed"):
        loaded.kernels["m::k"][1, 1](np.zeros(1, np.int32))
    with pytest.raises(UsageError, match="device is 'gpu', expected 'auto', 'host', 'cuda'"):
        xgpu.load(text, "gpu")
    with pytest.raises(DiagnosticError):
        xgpu.load("func.func @f( {\n}", "host")


def test_lowered_kernels_take_pointers():
    text = """
    gpu.module @m [#nvvm.target<chip = "sm_90">] {
      llvm.func @k(%p: !llvm.ptr, %v: f32) attributes {gpu.kernel, nvvm.kernel} {
        llvm.store %v, %p : f32, !llvm.ptr
        llvm.return
      }
    }
    """
    out = np.zeros(2, np.float32)
    kernel = xgpu.load(text, "host").kernels["k"]
    kernel[1, 1](out, 2.5)
    kernel[1, 1](out.ctypes.data + 4, 3.5)
    assert out.tolist() == [2.5, 3.5]


def test_kernels_of_two_modules_with_one_name():
    text = """
    gpu.module @m { gpu.func @k(%a: memref<1xi32>) kernel {
      %c0 = arith.constant 0 : index
      %v = arith.constant VALUE : i32
      memref.store %v, %a[%c0] : memref<1xi32>
      gpu.return
    } }
    """
    both = text.replace("VALUE", "1") + text.replace("@m", "@n").replace("VALUE", "2")
    loaded = xgpu.load(both, "host")
    assert list(loaded.kernels) == ["m::k", "n::k"]
    out = np.zeros(1, np.int32)
    loaded.kernels["n::k"][1, 1](out)
    assert out[0] == 2


@pytest.mark.parametrize("shared", ["x", 1.5, [4]])
def test_bytes_of_workgroup_memory_are_an_integer(add, shared):
    with pytest.raises(TypeError, match=r"kernel 'add': shared is .*, expected bytes"):
        add[1, 1, None, shared]

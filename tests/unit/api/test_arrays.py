# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays: of ours, and those of other libraries as we see them."""

from __future__ import annotations

import copy
import ctypes
import gc
import pickle
import re
import weakref

import numpy as np
import pytest

import xgpu
from xgpu.api.elements import ELEMENTS, name_of
from xgpu.api.views import NotAnArray, view_of
from xgpu.core.ir.errors import DeviceError


def test_empty_and_zeros():
    a = xgpu.empty((3, 4), "float16", "host")
    assert (a.shape, a.strides, a.dtype, a.device) == ((3, 4), (4, 1), "float16", "host")
    assert (a.ndim, a.size, a.itemsize, a.nbytes, len(a)) == (2, 12, 2, 24, 3)
    assert repr(a) == "<xgpu.Array (3, 4) float16 on host>"
    assert xgpu.zeros(5, np.int64, "host").numpy().tolist() == [0] * 5
    assert xgpu.empty((), "f32", "host").numpy().shape == ()
    assert xgpu.empty((0, 3), "float32", "host").numpy().shape == (0, 3)
    with pytest.raises(ValueError, match="expected sizes of at least 0"):
        xgpu.empty((-1,), "float32", "host")
    with pytest.raises(ValueError, match="dtype is 'float3', expected one of bool"):
        xgpu.empty(1, "float3", "host")


def test_names_of_types():
    given = ("bf16", "index", "<f4", "f4", "u2", "b1", np.uint8, np.dtype("c8"), float, bool)
    assert [name_of(t) for t in given] == [
        "bfloat16", "int64", "float32", "float32", "uint16", "bool", "uint8", "complex64",
        "float64", "bool",
    ]  # fmt: skip
    for name in (">f4", "f3", "b4", "f", "fx", ""):
        with pytest.raises(ValueError, match="dtype is"):
            name_of(name)
    # Bytes to NumPy, bits to MLIR.
    with pytest.raises(ValueError, match="'i8', which is int64 to NumPy and int8 to MLIR"):
        name_of("i8")
    with pytest.raises(ValueError, match="'i1', which is int8 to NumPy and bool to MLIR"):
        name_of("i1")


def test_memory_goes_back():
    from xgpu.api.devices.registry import backend

    device = backend("host").device
    a = xgpu.empty(1000, "float64", "host")
    address = a.address
    assert device.memory.size_at(address) == 8000
    del a
    gc.collect()
    xgpu.empty(1, "int8", "host")  # what nobody uses any more is freed by the next who allocates
    assert device.memory.size_at(address) is None


def test_out_of_memory():
    with pytest.raises(DeviceError, match="out of memory"):
        xgpu.empty(1 << 50, "int8", "host")


def test_copies_and_fills():
    a = xgpu.asarray(np.arange(6.0).reshape(2, 3), "host", copy=True)
    assert a.numpy().tolist() == [[0, 1, 2], [3, 4, 5]]
    a.copy_from(np.arange(12.0).reshape(2, 6)[:, ::2])
    assert a.numpy().tolist() == [[0, 2, 4], [6, 8, 10]]
    out = np.empty((2, 3))
    assert a.numpy(out) is out
    assert a.fill(7).numpy().tolist() == [[7] * 3] * 2
    with pytest.raises(ValueError, match=re.escape("source is (2,) float64, expected (2, 3) fl")):
        a.copy_from(np.zeros(2))
    with pytest.raises(ValueError, match=r"out is .*, expected"):
        a.numpy(np.empty(3))
    assert xgpu.zeros(3, "int16", "host").fill(-2).numpy().tolist() == [-2] * 3
    assert xgpu.zeros(2, "complex128", "host").fill(1 + 2j).numpy().tolist() == [1 + 2j] * 2


def test_asarray_copies_only_what_it_must():
    a = np.arange(4, dtype=np.int32)
    ours = xgpu.asarray(a)
    assert ours.address == a.ctypes.data
    assert xgpu.asarray(ours) is ours
    assert xgpu.asarray(a, "host", copy=True).address != a.ctypes.data
    a[0] = 9
    assert ours.numpy()[0] == 9
    assert xgpu.asarray([1, 2], dtype="float32").numpy().tolist() == [1, 2]
    assert xgpu.asarray(ours, dtype="float64").dtype == "float64"
    with pytest.raises(TypeError, match="expected an array, but None was given"):
        xgpu.asarray(None)


def test_numpy_sees_our_memory():
    a = xgpu.zeros((2, 3), "float32", "host")
    for seen in (np.from_dlpack(a), np.asarray(a), np.array(a, copy=False)):
        assert seen.ctypes.data == a.address
        assert seen.shape == (2, 3)
    copied = np.array(a)
    assert copied.ctypes.data != a.address
    view = np.from_dlpack(a)
    view[1, 2] = 5
    del a
    gc.collect()
    assert view[1, 2] == 5  # the memory lives as long as its views


def test_a_capsule_that_nobody_takes():
    from xgpu.api import dlpack

    a = xgpu.zeros(3, "float32", "host")
    before = len(dlpack._lent)
    capsules = [a.__dlpack__(), a.__dlpack__(max_version=(1, 1))]
    assert len(dlpack._lent) == before + 2
    del capsules
    gc.collect()
    assert len(dlpack._lent) == before
    taken = np.from_dlpack(a)
    assert len(dlpack._lent) == before + 1
    del taken
    gc.collect()
    assert len(dlpack._lent) == before


def test_read_only_arrays_stay_so():
    a = np.arange(3.0)
    a.flags.writeable = False
    ours = xgpu.asarray(a)
    assert not np.from_dlpack(ours).flags.writeable
    assert not np.asarray(ours.__array_interface__ and ours).flags.writeable
    with pytest.raises(BufferError, match="read-only"):
        ours.__dlpack__()


class OnlyDLPack:
    """An array of another library: nothing but DLPack."""

    def __init__(self, array, versioned=True):
        self._array, self._versioned = array, versioned

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()

    def __dlpack__(self, **how):
        if not self._versioned and "max_version" in how:
            raise TypeError("an old library")
        return self._array.__dlpack__(**how)


@pytest.mark.parametrize("versioned", [True, False])
def test_dlpack_in(add, versioned):
    a, b, c = np.arange(8, dtype=np.float32)[::2], np.ones(4, np.float32), np.zeros(4, np.float32)
    view = view_of(OnlyDLPack(a, versioned))
    assert (view.shape, view.strides, view.dtype) == ((4,), (2,), "float32")
    assert view.address == a.ctypes.data
    add[1, 32](OnlyDLPack(a.copy(), versioned), b, OnlyDLPack(c, versioned), 4)
    assert c.tolist() == [1, 3, 5, 7]
    count = _references(a)
    views = [view_of(OnlyDLPack(a, versioned)) for _ in range(3)]
    del views, view
    gc.collect()
    assert _references(a) <= count


def _references(value):
    import sys

    return sys.getrefcount(value)


def test_every_element_type_goes_out_and_in():
    for name in ELEMENTS:
        a = xgpu.zeros(3, name, "host")
        view = view_of(OnlyDLPack(a))
        assert (view.dtype, view.address) == (name, a.address)


def test_small_floats_by_ml_dtypes():
    types = pytest.importorskip("ml_dtypes", reason="needs ml_dtypes")
    for name in ("bfloat16", "float8_e4m3fn", "float8_e5m2"):
        a = np.array([1, 2, -3]).astype(getattr(types, name))
        assert view_of(a).dtype == name
        ours = xgpu.asarray(a, copy=True)
        assert ours.dtype == name
        assert ours.numpy().astype(np.float32).tolist() == [1, 2, -3]


def test_the_array_interface_of_others():
    room = (ctypes.c_float * 4)(1, 2, 3, 4)

    class Other:
        __array_interface__ = {
            "version": 3, "shape": (2,), "typestr": "<f4", "strides": (8,),
            "data": (ctypes.addressof(room), True),
        }  # fmt: skip

    view = view_of(Other())
    assert (view.shape, view.strides, view.writable) == ((2,), (2,), False)


def test_memory_of_a_gpu_is_refused_on_the_host(add, monkeypatch):
    from xgpu.api import views

    monkeypatch.setattr(views, "_cuda_device", lambda address: "cuda:1")

    class Other:
        __cuda_array_interface__ = {
            "version": 3, "shape": (4,), "typestr": "<f4", "data": (4096, False), "strides": None,
        }  # fmt: skip

    c = np.zeros(4, np.float32)
    with pytest.raises(ValueError, match=r"argument 'a' .*: the array lies in cuda:1, and wh"):
        add[1, 4](Other(), c, c, 4)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (np.array(["a"]), "no memref has elements of str32"),
        (np.array([None]), "no memref has elements of object"),
        (np.ones(2, "f4,i4"), "no memref has elements of a structured type"),
        (memoryview(b"abcd").cast("c"), None),
        ("text", "expected an array, but 'text' of type str was given"),
    ],
)
def test_what_is_no_array(given, why):
    if why is None:
        assert view_of(given).dtype == "uint8"
        return
    with pytest.raises(NotAnArray, match=re.escape(why)):
        view_of(given)


MASKED = np.ma.masked_array([1.0, 2.0], [False, True], dtype=np.float32)


def test_masked_arrays_are_refused(add):
    """Their data are not all that they say, and a kernel would write beside the mask."""
    plain = np.zeros(2, np.float32)
    ours = xgpu.zeros(2, "float32", "host")
    why = r"masked arrays have no counterpart: give \.data, or what \.filled\(value\) makes"
    for call in (
        lambda: add[1, 2](plain, MASKED, plain, 2),
        lambda: add[1, 2](MASKED[:0], plain, plain, 0),
        lambda: xgpu.asarray(MASKED),
        lambda: xgpu.asarray(MASKED, dtype="float64"),
        lambda: ours.copy_from(MASKED),
        lambda: ours.numpy(np.ma.zeros(2, np.float32)),
    ):
        with pytest.raises(TypeError, match=why):
            call()
    with pytest.raises(TypeError, match="value is masked, expected a number"):
        ours.fill(MASKED[1])
    words = r"argument 'n' of type .*, but masked of type MaskedConstant was given"
    with pytest.raises(TypeError, match=words):
        add[1, 2](plain, plain, plain, np.ma.masked)
    add[1, 2](MASKED.data, MASKED.filled(5.0), plain, 2)
    assert plain.tolist() == [2.0, 7.0]


def test_alignment_is_looked_at_each_time(add):
    """Arrays of one shape may lie anywhere."""
    bytes = np.zeros(13, np.uint8)
    skew, fine = bytes[1:].view(np.float32), np.ones(3, np.float32)
    for array in (skew, xgpu.asarray(skew)):
        add[1, 3](fine, fine, fine, 3)
        with pytest.raises(ValueError, match=r"argument 'b' .* is not aligned for float32"):
            add[1, 3](fine, array, fine, 3)


FOUR = np.ones(4, np.float32)


def interface(**given):
    """An array of a library that says `given` of `FOUR`."""
    fine = {"version": 3, "shape": (4,), "typestr": "<f4", "data": (FOUR.ctypes.data, False)}

    class Other:
        __array_interface__ = {**fine, **given}

    return Other()


@pytest.mark.parametrize(
    "given",
    [
        {"shape": (-4,)}, {"shape": (4.0,)}, {"shape": None}, {"shape": 4}, {"shape": (2**70,)},
        {"data": (None, False)}, {"data": (0, False)}, {"data": (-8, False)},
        {"data": (2**64, False)}, {"data": ("x", False)}, {"data": (1,)}, {"data": 1},
        {"typestr": None}, {"typestr": ""}, {"typestr": "<f"}, {"typestr": b"<f4"},
        {"strides": ()}, {"strides": (4.0,)}, {"strides": (2**70,)}, {"strides": 4},
    ],
    ids=repr,
)  # fmt: skip
def test_array_interfaces_that_are_none(add, given):
    """Whatever a library says goes to machine code: it has to be an array, and one that is refused
    leaves nothing behind for the next."""
    with pytest.raises(TypeError, match=r"argument 'a' .*: its array interface is none: "):
        add[1, 4](interface(**given), FOUR, FOUR, 4)
    with pytest.raises(TypeError, match="its array interface is none: "):
        xgpu.asarray(interface(**given))
    out = np.zeros(4, np.float32)
    add[1, 4](interface(shape=(np.int64(4),)), FOUR, out, 4)
    assert out.tolist() == [2.0] * 4


class Exporter:
    def __init__(self, device=(1, 0), problem=None):
        self._device, self._problem = device, problem

    def __dlpack_device__(self):
        return self._device

    def __dlpack__(self, **how):
        if self._problem is not None:
            raise self._problem
        return None


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (Exporter(device="x"), "__dlpack_device__ gives no device"),
        (Exporter(), "__dlpack__ gave no DLPack capsule, or one that was used already"),
        (Exporter(problem=BufferError("it requires a gradient")), "it requires a gradient"),
    ],
)
def test_exporters_that_export_nothing(add, given, why):
    with pytest.raises(TypeError, match=f"argument 'a' of type .*: {why}"):
        add[1, 4](given, FOUR, FOUR, 4)


def test_a_memoryview_that_was_released(add):
    view = memoryview(bytearray(16)).cast("f")
    view.release()
    with pytest.raises(TypeError, match=r"argument 'a' of type .*: operation forbidden"):
        add[1, 4](view, FOUR, FOUR, 4)


def test_arrays_of_others_are_let_go_when_the_kernel_has_run(add):
    """A kernel's launch is kept by its sizes, and would keep the last arrays with it."""
    stream = xgpu.Stream("host")
    for launch in (add[1, 4], add[1, 4, stream]):
        given, room = np.ones(4, np.float32), bytearray(16)
        kept = weakref.ref(given)
        launch(given, memoryview(room).cast("f"), FOUR, 4)
        stream.synchronize()
        del given
        gc.collect()
        assert kept() is None
        room.extend(b"more")  # which a bytearray that somebody reads refuses


def test_arrays_that_nobody_has_room_for():
    with pytest.raises(DeviceError, match=f"out of memory: an array of {2**95} bytes"):
        xgpu.empty((2**31, 2**31, 2**31), "float32", "host")


def test_torch_and_jax_arrays(add):
    """What they have in common with each other: DLPack."""
    torch = pytest.importorskip("torch", reason="needs PyTorch")
    a, b, c = torch.arange(8.0), torch.ones(8), torch.zeros(8)
    add[1, 32](a, b, c, 8)
    assert c.tolist() == [i + 1.0 for i in range(8)]
    assert torch.from_dlpack(xgpu.asarray(c)).data_ptr() == c.data_ptr()


def test_jax_arrays_are_read(add):
    jax = pytest.importorskip("jax", reason="needs JAX")
    a, b = jax.numpy.arange(8.0, dtype="float32"), jax.numpy.ones(8, "float32")
    c = np.zeros(8, np.float32)
    add[1, 32](a, b, c, 8)
    assert c.tolist() == [i + 1.0 for i in range(8)]
    assert jax.numpy.from_dlpack(xgpu.asarray(c)).tolist() == c.tolist()
    with pytest.raises(ValueError, match=r"argument 'c' .*: the array is read-only"):
        add[1, 32](a, b, a, 8)


@pytest.mark.parametrize(
    ("dtype", "value"),
    [
        ("int8", 300), ("int8", -129), ("uint8", -1), ("int8", 2.5), ("int64", float("nan")),
        ("float16", 1e5), ("float32", 1e300), ("bool", 2),
    ],
)  # fmt: skip
def test_fills_with_what_does_not_fit(dtype, value):
    a = xgpu.zeros(2, dtype, "host")
    with pytest.raises(ValueError, match=rf"value is .*, which {dtype} cannot hold"):
        a.fill(value)
    assert not a.numpy().any()


@pytest.mark.parametrize("value", ["a", None, [1, 2], 10**400])
def test_fills_with_what_is_no_number(value):
    with pytest.raises(TypeError, match="expected a number"):
        xgpu.zeros(2, "int8", "host").fill(value)
    with pytest.raises(TypeError, match="expected a real number for float32"):
        xgpu.zeros(2, "float32", "host").fill(1j)


def test_fills_with_limits():
    for dtype, value in (("int8", -128), ("uint8", 255), ("uint64", 2**64 - 1), ("int8", 2.0),
                         ("float16", float("inf")), ("float32", np.float64(0.5)), ("bool", True),
                         ("int32", np.int64(-7)), ("complex64", 1 + 2j)):  # fmt: skip
        filled = xgpu.zeros(2, dtype, "host").fill(value).numpy()
        assert (filled == value).all(), (dtype, value)


@pytest.mark.parametrize("shape", [4.5, (2.5,), "ab", None, (1, None)])
def test_shapes_that_are_none(shape):
    with pytest.raises(TypeError, match=r"shape is .*, expected integers"):
        xgpu.empty(shape, "float32", "host")


def test_shapes():
    for shape in ((2, 3), [2, 3], np.array([2, 3]), (np.int64(2), np.uint8(3))):
        assert xgpu.empty(shape, "float32", "host").shape == (2, 3)
    assert xgpu.empty(np.int64(3), "float32", "host").shape == (3,)


@pytest.mark.parametrize("name", ["shape", "strides", "dtype", "address", "device"])
def test_what_an_array_is_stays_so(name):
    """Its elements are where they are: another shape would reach beyond them."""
    with pytest.raises(AttributeError):
        setattr(xgpu.zeros(4, "float32", "host"), name, (5,))


@pytest.mark.parametrize("name", ["grid", "block", "cluster", "shared"])
def test_what_a_launch_is_stays_so(add, name):
    launch = add[(2, 3), 4]
    with pytest.raises(AttributeError):
        setattr(launch, name, (5, 1, 1))
    assert (launch.grid, launch.block, launch.shared) == ((2, 3, 1), (4, 1, 1), 0)
    assert repr(launch) == "<launch of add, grid (2, 3, 1), block (4, 1, 1)>"


def test_what_belongs_to_its_process(add, module):
    things = (
        xgpu.zeros(2, "float32", "host"), module, add, add[1, 1], module.kernels, module.functions,
        xgpu.Stream("host"),
    )  # fmt: skip
    for thing in things:
        with pytest.raises(TypeError, match="belongs to its process: hand on"):
            pickle.dumps(thing)
    with pytest.raises(TypeError, match=r"hand on its numpy\(\) instead"):
        copy.deepcopy(things[0])

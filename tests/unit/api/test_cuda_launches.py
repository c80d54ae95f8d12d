# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches made again with other arguments: the driver gets their words, and errors, contexts and
threads are as at the first launch."""

from __future__ import annotations

import ctypes
import gc
import math
import random
import struct
import threading
import time
import weakref
from collections import Counter

import numpy as np
import pytest

pytest.importorskip("cuda.bindings.driver", reason="needs cuda-python")

from cuda.bindings import driver as real

import xgpu
from xgpu.core.ir.errors import DeviceError

KERNELS = """
gpu.module @kernels {
  gpu.func @numbers(%a: memref<?xf32>, %i: i8, %l: i64, %b: i1, %x: index, %f: f32, %d: f64)
    kernel { gpu.return }
  gpu.func @shifted(%a: memref<4x?xf16, strided<[?, 1], offset: 8>>) kernel { gpu.return }
  gpu.func @half(%a: memref<?xf32>, %h: f16) kernel { gpu.return }
  gpu.func @two(%a: memref<?xf32>, %b: memref<?xf32>, %n: i32) kernel { gpu.return }
}
"""


@pytest.fixture
def module(current_cuda):
    return xgpu.load(KERNELS, "cuda:1", chip="sm_90")


class Seen(list):
    """The words of each launch, as the driver sees them; `count` of them."""

    count = 1
    pause = 0.0


@pytest.fixture
def launched(driver):
    seen = Seen()

    def check(config, kernel, parameters, extra):
        time.sleep(seen.pause)
        at = (ctypes.c_uint64 * seen.count).from_address(parameters)
        seen.append([ctypes.string_at(a, 8) for a in at])

    driver.recorder.observers["cuLaunchKernelEx"] = check
    return seen


def test_other_arrays_and_numbers_each_time(module, launched):
    launched.count = 11
    launch = module.kernels["numbers"][1, 32, xgpu.Stream("cuda:1")]
    a, b = (xgpu.empty(8, "float32", "cuda:1") for _ in range(2))
    launch(a, 1, 2, 1, 3, 1.5, 2.5)
    launch(b, -128, 2**63 - 1, 0, 2**63 - 1, -math.inf, 1e300)
    launch(a, 255, -(2**63), -1, 7, math.nan, -0.0)
    first, second, third = launched
    for words, array in ((first, a), (second, b), (third, a)):
        assert struct.unpack("<QQqqq", b"".join(words[:5])) == (
            array.address, array.address, 0, 8, 1,
        )  # fmt: skip
    assert second[5][:1] == b"\x80"
    assert third[5][:1] == b"\xff"
    assert [struct.unpack("<q", w[6])[0] for w in (second, third)] == [2**63 - 1, -(2**63)]
    assert [w[7][:1] for w in (first, second, third)] == [b"\x01", b"\x00", b"\x01"]
    assert [struct.unpack("<q", w[8])[0] for w in (first, second, third)] == [3, 2**63 - 1, 7]
    assert struct.unpack("<f", second[9][:4])[0] == -math.inf
    assert math.isnan(struct.unpack("<f", third[9][:4])[0])
    assert struct.unpack("<d", second[10])[0] == 1e300
    assert math.copysign(1, struct.unpack("<d", third[10])[0]) == -1


def test_random_numbers_are_written_as_by_a_first_launch(module, launched):
    launched.count = 11
    kernel = module.kernels["numbers"]
    arrays = [xgpu.empty(8, "float32", "cuda:1") for _ in range(2)]
    chance = random.Random(1)
    stream = xgpu.Stream("cuda:1")
    again = kernel[1, 32, stream]
    again(arrays[0], 0, 0, 0, 0, 0.0, 0.0)
    launched.clear()
    for _ in range(60):
        given = (
            chance.choice(arrays), chance.randrange(-128, 256), chance.randrange(-(2**63), 2**63),
            chance.randrange(2), chance.randrange(2**63),
            chance.choice((1, -1)) * 10 ** chance.uniform(-45, 38), chance.uniform(-1e9, 1e9),
        )  # fmt: skip
        again(*given)
        kernel[1, 32, stream](*given)
    assert launched[::2] == launched[1::2]
    for launch in (again, kernel[1, 32, stream]):
        with pytest.raises(ValueError, match="expected an index of at least 0, but -1 was given"):
            launch(arrays[0], 0, 0, 0, -1, 0.0, 0.0)


def test_a_memref_that_begins_before_its_array(module, launched):
    launched.count = 7
    launch = module.kernels["shifted"][1, 32, xgpu.Stream("cuda:1")]
    a, b = (xgpu.empty((4, 6), "float16", "cuda:1") for _ in range(2))
    launch(a)
    launch(b)
    assert struct.unpack("<QQqqqqq", b"".join(launched[1])) == (
        b.address - 16, b.address - 16, 8, 4, 6, 6, 1,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("argument", "kind", "words"),
    [
        ((0, 300), ValueError, "argument 'i' .*300 does not fit in 8 bits"),
        ((0, -129), ValueError, "argument 'i' .*-129 does not fit in 8 bits"),
        ((1, 2**64), ValueError, "argument 'l' .*does not fit in 64 bits"),
        ((1, 1.5), TypeError, "argument 'l' .*expected an integer"),
        ((4, 1e39), ValueError, "argument 'f' .*does not fit in f32"),
        ((4, "1"), TypeError, "argument 'f' .*expected a number"),
    ],
)
def test_errors(module, launched, argument, kind, words):
    launch = module.kernels["numbers"][1, 32, xgpu.Stream("cuda:1")]
    a = xgpu.empty(8, "float32", "cuda:1")
    numbers = [1, 2, 1, 3, 1.5, 2.5]
    launch(a, *numbers)
    numbers[argument[0]] = argument[1]
    with pytest.raises(kind, match=words):
        launch(a, *numbers)
    assert len(launched) == 1


def test_other_types_and_shapes_are_looked_at(module, launched):
    launched.count = 11
    launch = module.kernels["two"][1, 32, xgpu.Stream("cuda:1")]
    a = xgpu.empty(8, "float32", "cuda:1")
    launch(a, a, 1)
    with pytest.raises(TypeError, match=r"'b' .*found int8"):
        launch(a, xgpu.empty(8, "int8", "cuda:1"), 1)
    with pytest.raises(ValueError, match=r"'a' .*found \(2, 4\)"):
        launch(xgpu.empty((2, 4), "float32", "cuda:1"), a, 1)
    with pytest.raises(ValueError, match=r"'a' .*lies in the host's memory"):
        launch(np.zeros(8, np.float32), a, 1)
    with pytest.raises(TypeError, match="takes 3 arguments"):
        launch(a, a)
    b = xgpu.empty(9, "float32", "cuda:1")
    launch(b, a, True)
    assert struct.unpack("<q", launched[1][3]) == (9,)
    assert len(launched) == 2
    module.close()
    with pytest.raises(ValueError, match="the module is closed"):
        launch(a, a, 1)


@pytest.mark.parametrize("count", [0, 2, 4, 5])
@pytest.mark.parametrize("kind", ["arrays", "numbers"])
def test_too_few_arguments_and_too_many(module, driver, count, kind):
    launch = module.kernels["two"][1, 32, xgpu.Stream("cuda:1")]
    a = xgpu.empty(8, "float32", "cuda:1")
    for _ in range(2):
        launch(a, a, 1)
    more = a if kind == "arrays" else 1
    with pytest.raises(TypeError, match=f"takes 3 arguments .*, but {count} were given"):
        launch(*(a, a, 1, more, more)[:count])
    assert len(driver.launches) == 2
    launch(a, a, 1)


def test_half_numbers(module, launched):
    launched.count = 6
    launch = module.kernels["half"][1, 32, xgpu.Stream("cuda:1")]
    a, b = (xgpu.empty(8, "float32", "cuda:1") for _ in range(2))
    for array, number in ((a, 1.0), (b, 0.5)):
        launch(array, number)
    assert [struct.unpack("<e", made[5][:2])[0] for made in launched] == [1.0, 0.5]
    assert struct.unpack("<Q", launched[1][0]) == (b.address,)


def test_shapes_that_change(module, launched):
    launched.count = 11
    launch = module.kernels["two"][1, 32, xgpu.Stream("cuda:1")]
    for n in range(20):
        a = xgpu.empty(n + 1, "float32", "cuda:1")
        launch(a, a, n)
    assert [struct.unpack("<q", made[3])[0] for made in launched] == list(range(1, 21))


def test_arrays_that_others_see_are_waited_for(module, driver, monkeypatch):
    launch = module.kernels["two"][1, 32]
    a, b = (xgpu.empty(8, "float32", "cuda:1") for _ in range(2))
    launch(a, a, 1)
    begin = len(driver.recorder.calls)
    launch(b, b, 1)
    assert "cuStreamSynchronize" not in [name for name, _ in driver.recorder.calls[begin:]]
    _ = b.__cuda_array_interface__
    launch(b, a, 1)
    assert "cuStreamSynchronize" in [name for name, _ in driver.recorder.calls[begin:]]


def test_nothing_is_kept_alive(module):
    launch = module.kernels["two"][1, 32, xgpu.Stream("cuda:1")]
    a, b = (xgpu.empty(8, "float32", "cuda:1") for _ in range(2))
    launch(a, a, 1)
    launch(b, b, 1)
    seen = [weakref.ref(a), weakref.ref(b)]
    del a, b
    gc.collect()
    assert [s() for s in seen] == [None, None]


def test_an_error_of_the_driver_has_its_words(module, driver):
    launch = module.kernels["two"][1, 32, xgpu.Stream("cuda:1")]
    a = xgpu.empty(8, "float32", "cuda:1")
    launch(a, a, 1)
    driver.recorder.failures["cuLaunchKernelEx"] = real.CUresult.CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES
    with pytest.raises(DeviceError, match=r"kernel 'two'.*LAUNCH_OUT_OF_RESOURCES"):
        launch(a, a, 1)
    driver.recorder.failures.clear()
    launch(a, a, 1)


def test_another_context_is_left_as_it_is(module, driver):
    launch = module.kernels["two"][1, 32, xgpu.Stream("cuda:1")]
    a = xgpu.empty(8, "float32", "cuda:1")
    launch(a, a, 1)
    _, ours = driver.cuCtxGetCurrent()
    _, other = driver.cuDevicePrimaryCtxRetain(0)
    driver.recorder.calls.clear()
    seen = []

    def work():
        driver.cuCtxSetCurrent(other)
        launch(a, a, 1)
        seen.append(driver.cuCtxGetCurrent()[1])

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [other]
    assert driver.cuCtxGetCurrent()[1] == ours
    # The driver refuses the launch in the other context; then it is made in ours.
    assert [name for name, _ in driver.recorder.calls if name.startswith("cuLaunch")] == [
        "cuLaunchKernelEx", "cuLaunchKernelEx",
    ]  # fmt: skip
    assert len(driver.launches) == 1
    driver.cuDevicePrimaryCtxRelease(0)


def test_threads_that_share_a_launch(module, launched, driver):
    """The driver takes its time: a second launch comes while the first is under way."""
    launched.count = 11
    launch = module.kernels["two"][1, 32, xgpu.Stream("cuda:1")]
    arrays = [xgpu.empty(8, "float32", "cuda:1") for _ in range(4)]
    launch(arrays[0], arrays[0], 0)
    launched.clear()
    launched.pause = 0.0002

    _, context = driver.cuCtxGetCurrent()

    def work(k):
        driver.cuCtxSetCurrent(context)
        for _ in range(50):
            launch(arrays[k], arrays[k], k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seen = [struct.unpack("<QQqqqQQqqqi", b"".join(m[:10]) + m[10][:4]) for m in launched]
    assert Counter(words[10] for words in seen) == dict.fromkeys(range(4), 50)
    for words in seen:
        k = words[10]
        assert (words[0], words[5]) == (arrays[k].address,) * 2


def test_a_profile_sees_launches_that_were_made_before(module, driver):
    launch = module.kernels["two"][1, 32, xgpu.Stream("cuda:1")]
    a = xgpu.empty(8, "float32", "cuda:1")
    for n in range(3):
        launch(a, a, n)
    with xgpu.profile() as p:
        launch(a, a, 3)
        launch(a, a, 3)
    assert {row.name: row.calls for row in p.rows}["two"] == 2
    launch(a, a, 3)
    driver.recorder.calls.clear()
    launch(a, a, 4)
    assert [name for name, _ in driver.recorder.calls] == ["cuLaunchKernelEx"]


def test_a_thread_without_a_context(module, driver):
    """It has none afterwards either: the context of another device than the first does not stay."""
    launch = module.kernels["two"][1, 32, xgpu.Stream("cuda:1")]
    a = xgpu.empty(8, "float32", "cuda:1")
    launch(a, a, 1)
    seen = []

    def work():
        for n in range(3):
            launch(a, a, n)
        seen.append(int(driver.cuCtxGetCurrent()[1]))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [0]
    assert len(driver.launches) == 4


def test_both_pointers_of_a_memref_are_one_word(module, driver):
    """They are equal, and a launch with another array writes it once."""
    seen = []
    driver.recorder.observers["cuLaunchKernelEx"] = lambda config, kernel, parameters, extra: (
        seen.append(list((ctypes.c_uint64 * 11).from_address(parameters)))
    )
    a = xgpu.empty(8, "float32", "cuda:1")
    module.kernels["two"][1, 32](a, a, 1)
    (places,) = seen
    assert (places[0], places[5]) == (places[1], places[6])
    assert len(set(places)) == 9

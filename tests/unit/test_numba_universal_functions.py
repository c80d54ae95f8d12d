# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`cuda.vectorize` and `cuda.guvectorize` on the host device, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip(
    "numba_cuda_mlir", reason="numba-cuda-mlir is not installed: pip install 'xgpu[numba]'"
)

from xgpu import DeviceError
from xgpu.numba import DeviceArray, cuda

RNG = np.random.default_rng(3)


@pytest.fixture(autouse=True)
def host() -> None:
    cuda.select_device("host")


@pytest.fixture(scope="module")
def scaled() -> Any:
    cuda.select_device("host")

    @cuda.vectorize(["float32(float32, float32)", "float64(float64, float64)"])
    def scaled(a, b):
        return a * b + a

    return scaled


@pytest.fixture(scope="module")
def product() -> Any:
    cuda.select_device("host")

    @cuda.guvectorize(["void(float32[:, :], float32[:], float32[:])"], "(m,n),(n)->(m)")
    def product(a, x, y):
        for i in range(a.shape[0]):
            y[i] = 0
            for j in range(a.shape[1]):
                y[i] += a[i, j] * x[j]

    return product


def test_elements_of_arrays_that_broadcast(scaled: Any) -> None:
    x, y = RNG.random((3, 1, 5), np.float32), RNG.random((4, 5), np.float32)
    found = scaled(x, y)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, x * y + x, rtol=1e-6)
    np.testing.assert_allclose(scaled(x, 2), x * 3, rtol=1e-6)
    wide = scaled(x.astype(np.float64), np.float64(1))
    assert wide.dtype == np.float64
    assert scaled(np.float32(2), np.float32(3)) == np.float32(8)
    assert scaled(x[:0], y).shape == (0, 4, 5)


def test_results_in_given_arrays(scaled: Any) -> None:
    x, y = RNG.random((3, 4), np.float32), RNG.random(4, np.float32)
    out = np.zeros((4, 3), np.float32).T
    assert scaled(x, y, out=out) is out
    np.testing.assert_allclose(out, x * y + x, rtol=1e-6)
    dense = np.zeros((3, 4), np.float32)
    assert scaled(x, y, dense) is dense
    np.testing.assert_array_equal(dense, out)


def test_arrays_of_the_device_stay_there(scaled: Any) -> None:
    x, y = RNG.random((3, 4), np.float32), RNG.random(4, np.float32)
    stream = cuda.stream()
    found = scaled(cuda.to_device(x), cuda.to_device(y), stream=stream)
    stream.synchronize()
    assert isinstance(found, DeviceArray)
    np.testing.assert_allclose(found.copy_to_host(), x * y + x, rtol=1e-6)


def test_results_on_the_host_are_there_whatever_the_stream(scaled: Any) -> None:
    @cuda.jit
    def busy(x):
        total = 0.0
        for _ in range(1_000_000):
            total += x[0]
        x[0] = total

    stream, kept = cuda.stream(), cuda.to_device(np.ones(1))
    x = np.full((4, 5), 2, np.float32)
    for out in (None, np.zeros((5, 4), np.float32).T):
        busy[1, 1, stream](kept)
        assert (scaled(x, x, out=out, stream=stream) == 6).all()


@pytest.mark.long
def test_a_function_of_two_reduces() -> None:
    @cuda.vectorize(["int64(int64, int64)"])
    def most(a, b):
        return max(a, b)

    values = RNG.integers(-90, -1, 1000)
    assert most.reduce(values) == values.max()
    assert most.reduce(cuda.to_device(values[:1])) == values[0]
    with pytest.raises(ValueError, match="expected an array of one dimension with elements"):
        most.reduce(values[:0])


def test_rows_of_arrays(product: Any) -> None:
    a, x = RNG.random((5, 1, 3, 4), np.float32), RNG.random((2, 4), np.float32)
    expected = np.einsum("abmn,bn->abm", np.broadcast_to(a, (5, 2, 3, 4)), x)
    np.testing.assert_allclose(product(a, x), expected, rtol=1e-5)
    assert product(a[0, 0], x[0]).shape == (3,)
    out = cuda.device_array((5, 2, 3), np.float32)
    assert product(a, x, out) is out
    np.testing.assert_allclose(out.copy_to_host(), expected, rtol=1e-5)


@pytest.mark.long
def test_rows_to_numbers() -> None:
    @cuda.guvectorize(
        ["void(float64[:], float64, float64[:], float64[:])"], "(n),()->(),(n)"
    )  # fmt: skip
    def scaled_sum(x, by, total, parts):
        total[0] = 0
        for i in range(x.shape[0]):
            parts[i] = x[i] * by
            total[0] += parts[i]

    x = RNG.random((6, 3))
    total, parts = scaled_sum(x, 2.0)
    np.testing.assert_allclose(total, 2 * x.sum(axis=1))
    np.testing.assert_allclose(parts, 2 * x)


def test_an_error_names_the_line_of_the_function() -> None:
    @cuda.guvectorize(["void(float32[:], float32[:])"], "(n)->(n)")
    def shifted(x, y):
        for i in range(x.shape[0]):
            y[i] = x[i + 1]

    with pytest.raises(DeviceError, match=r"load from element .*test_numba_universal_functions.py"):
        shifted(np.ones((2, 4), np.float32))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda f, g: f(1, 2), r"several signatures fit \(a number, a number\)"),
        (lambda f, g: f(np.ones(3, np.int64), 1), r"declared for \(float32, float32\) or \(floa"),
        (lambda f, g: f(np.ones((2, 3), np.float32), np.ones(2, np.float32)), "cannot be broad"),
        (lambda f, g: f(np.ones(3, np.float32)), "takes 2 arguments, but 1 were given"),
        (lambda f, g: f(np.ones(3, np.float32), 1, out=np.ones(3)), "elements of float64, expect"),
        (lambda f, g: f(np.ones(3, np.float32), 1, np.ones(2, np.float32)), r"the shape \(2,\)"),
        (lambda f, g: g(np.ones((3, 4), np.float32), np.ones(3, np.float32)), "'n' is 4 and 3"),
        (lambda f, g: g(np.ones(4, np.float32), np.ones(4, np.float32)), "at least 2 dimensions"),
        (lambda f, g: cuda.vectorize(["(float32,)"])(max), "says nothing of the result"),
        (lambda f, g: cuda.vectorize([]), "at least one signature"),
        (lambda f, g: cuda.guvectorize(["void(float32[:])"], "(n)->(m)")(max), "'m' of a result"),
        (lambda f, g: cuda.guvectorize(["void(float32[:])"], "n->n")(max), "the layout is 'n->n'"),
    ],
)  # fmt: skip
def test_wrong_calls(call: Any, message: str, scaled: Any, product: Any) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        call(scaled, product)


def test_names_are_completed() -> None:
    assert {"grid", "vectorize", "to_device", "syncthreads"} <= set(dir(cuda))

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies of arrays with gaps between their elements, on the host device and over the CUDA driver
of xgpu.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import xgpu
from xgpu.api.arrays import Array
from xgpu.api.copies import rows_of
from xgpu.api.views import view_of


def cut(array, axes):
    """A view of an array: of each axis (first, step), and a permutation."""
    for axis, (first, step) in enumerate(axes):
        array = np.moveaxis(np.moveaxis(array, axis, 0)[first::step], 0, axis)
    return array


@st.composite
def pairs(draw):
    """Two views of one shape with strides of their own, and no element twice in the target."""
    rank = draw(st.integers(0, 4))
    made = []
    shape = tuple(draw(st.lists(st.integers(1, 4), min_size=rank, max_size=rank)))
    for _ in range(2):
        steps = draw(st.lists(st.sampled_from([-2, -1, 1, 2]), min_size=rank, max_size=rank))
        order = draw(st.permutations(range(rank)))
        whole = np.zeros([shape[i] * abs(steps[i]) for i in order])
        view = np.transpose(whole, np.argsort(order)) if rank else whole
        made.append(view[tuple(slice(None, None, s) for s in steps)] if rank else view)
    made[1][...] = np.arange(made[1].size).reshape(shape)
    return made


@given(pairs())
def test_rows_are_all_elements(both):
    target, source = both
    assert target.shape == source.shape
    for rows in rows_of(view_of(target), view_of(source), 8):
        assert rows.count == 1 or min(rows.target[1], rows.source[1]) >= rows.width
        for i in range(rows.count):
            for at in range(rows.width // 8):
                to = rows.target[0] + i * rows.target[1] + 8 * at
                origin = rows.source[0] + i * rows.source[1] + 8 * at
                place(target, to)[...] = place(source, origin)
    assert np.array_equal(target, source)


def place(array, address):
    """The element of `array` that lies at an address."""
    for at in np.ndindex(array.shape):
        offset = sum(i * s for i, s in zip(at, array.strides, strict=True))
        if array.ctypes.data + offset == address:
            return array[(*at, ...)]
    raise AssertionError("no element lies there")


def test_how_many_copies():
    a = np.zeros((6, 8, 10))
    for target, source, count in (
        (a, a, 1),
        (a[:, :, :5], a[:, :, :5], 1),
        (a[:, :4], a[:, :4], 1),
        (a[:, :4, :5], a[:, :4, :5], 6),
        (a[::2], a[::2], 1),
        (a[0].T, a[0].T, 10),
    ):
        assert len(list(rows_of(view_of(target), view_of(source), 8))) == count, target.shape


def strided(device):
    """An array of 3 x 4 elements, every second of a larger one, and the larger one."""
    whole = xgpu.zeros((6, 8), "float64", device)
    backend = whole._backend
    return Array(backend, whole.address, (3, 4), (16, 2), "float64", owner=whole), whole


@pytest.fixture
def cuda():
    pytest.importorskip("cuda.bindings.driver", reason="needs cuda-python")
    from tests.support.driver_bindings import DriverBindings
    from xgpu.api.devices import registry
    from xgpu.api.devices.cuda import CudaBackend
    from xgpu.runtime.cuda.driver import Driver

    driver = DriverBindings()
    registry.install(CudaBackend(1, Driver(driver)))
    yield driver
    registry.remove("cuda:1")
    assert driver.violations == []
    driver.close()


@pytest.mark.parametrize("device", ["host", "cuda:1"])
def test_copies_with_gaps(device, request):
    if device != "host":
        request.getfixturevalue("cuda")
    target, whole = strided(device)
    numbers = np.arange(12.0).reshape(3, 4)
    target.copy_from(np.asfortranarray(numbers))
    assert np.array_equal(target.numpy(), numbers)
    expected = np.zeros((6, 8))
    expected[::2, ::2] = numbers
    assert np.array_equal(whole.numpy(), expected)
    dense = xgpu.zeros((3, 4), "float64", device)
    dense.copy_from(target)
    assert np.array_equal(dense.numpy(), numbers)
    backwards = Array(
        dense._backend, dense.address + 11 * 8, (3, 4), (-4, -1), "float64", owner=dense
    )
    assert np.array_equal(backwards.numpy(), numbers[::-1, ::-1])
    assert np.array_equal(xgpu.asarray(numbers[:, ::2], device).numpy(), numbers[:, ::2])

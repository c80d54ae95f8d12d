# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What threads of a program share is made once, however they meet."""

from __future__ import annotations

import ctypes
import threading
import time

import pytest

from tests.unit.runtime.cuda.conftest import PTX
from xgpu.runtime.cuda.device import CudaDevice
from xgpu.runtime.cuda.driver import Driver
from xgpu.runtime.session import Session


class SlowDriver(Driver):
    """Other threads run within each call."""

    def call(self, name, *arguments, doing=""):
        time.sleep(0.002)
        result = super().call(name, *arguments, doing=doing)
        time.sleep(0.002)
        return result


def together(what):
    """Results of a function in four threads that begin it together."""
    start = threading.Barrier(4)
    results = []

    def run():
        start.wait()
        results.append(what())

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4
    return results


@pytest.fixture
def driver(fake):
    made = SlowDriver(fake)
    yield made
    made.drop_all()
    assert fake.leftovers() == {}


def test_a_context(driver):
    assert len(set(map(id, together(lambda: driver.context(0))))) == 1


def test_a_pool(driver, fake):
    context = driver.context(0)
    assert len(set(map(id, together(context.pool)))) == 1
    assert len(fake.alive("CUmemoryPool")) == 1


def test_use_of_a_device(driver):
    device = CudaDevice(Session(), driver)
    together(device.mgpuStreamCreate)
    assert driver.context(0).users == 1
    device.close()


def test_a_module_on_another_device(driver, fake):
    device = CudaDevice(Session(), driver)
    image = ctypes.create_string_buffer(PTX)
    module = device.mgpuModuleLoad(ctypes.addressof(image), len(PTX))
    name = ctypes.create_string_buffer(b"k")

    def find():
        device.mgpuSetDefaultDevice(1)
        return device.mgpuModuleGetFunction(module, ctypes.addressof(name))

    assert len(set(together(find))) == 1
    assert len(fake.alive("CUmodule")) == 2
    device.mgpuModuleUnload(module)
    device.close()

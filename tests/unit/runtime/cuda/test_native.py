# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions over the driver without Python between. The tests of the device run through them too
(`conftest.ThroughTable`); here is what only they have.
"""

from __future__ import annotations

import ctypes

import pytest

pytest.importorskip("cuda.bindings.driver", reason="needs cuda-python")

from cuda.bindings import driver as real

from xgpu.runtime.cuda.device import CudaDevice
from xgpu.runtime.cuda.driver import Driver
from xgpu.runtime.cuda.native import _CALLS, NAMES
from xgpu.runtime.session import Session
from xgpu.support.abi import FUNCTIONS, prototype


class Program:
    """Calls functions as a program does; `python` counts the driver's calls made by Python."""

    def __init__(self, fake, trace=False):
        self.session = Session()
        if trace:
            self.session.start_trace()
        self.driver = Driver(fake)
        self.device = CudaDevice(self.session, self.driver)
        self.table = self.device.address_table()
        self.stream = self.device.mgpuStreamCreate()
        self.python = []
        call = self.driver.call

        def counted(name, *arguments, doing=""):
            self.python.append(name)
            return call(name, *arguments, doing=doing)

        self.driver.call = counted

    def __call__(self, name, *arguments):
        function = FUNCTIONS[name]
        return prototype(function)(self.table[function.index])(*arguments)


ARGUMENTS = {
    "mgpuLaunchKernel": (0x111, 1, 2, 3, 4, 5, 6, 7, 8, 0x77, 0, 1),
    "mgpuStreamSynchronize": (8,), "mgpuStreamWaitEvent": (8, 9), "mgpuEventRecord": (9, 8),
    "mgpuEventSynchronize": (9,), "mgpuMemcpy": (1 << 40, 2 << 40, 3 << 32, 8),
    "mgpuMemset8": (1 << 40, -1, 5, 8), "mgpuMemset16": (1 << 40, -1, 5, 8),
    "mgpuMemset32": (1 << 40, -1, 5, 8), "mgpuGraphLaunch": (10, 8),
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_the_driver_sees_what_it_sees_from_python(fake, name):
    program = Program(fake)
    program(name, *ARGUMENTS[name])
    assert program.python == []
    native = fake.calls[-1]
    getattr(program.device, name)(*ARGUMENTS[name])
    assert native == fake.calls[-1]
    assert native[0] == _CALLS[name][0]
    assert ("cuCtxSetCurrent", (int(program.device._context),)) in fake.calls


def test_launches_are_counted(fake):
    program = Program(fake)
    for _ in range(3):
        program("mgpuLaunchKernel", *ARGUMENTS["mgpuLaunchKernel"])
    program.device.close()
    assert program.session.counts["launches"].created == 3


def test_what_needs_preparation_is_left_to_python(fake):
    program = Program(fake)
    arguments = list(ARGUMENTS["mgpuLaunchKernel"])
    arguments[7] = 100_000
    program("mgpuLaunchKernel", *arguments)
    assert "cuFuncSetAttribute" in program.python
    arguments[4:7] = 1024, 1024, 1024
    program("mgpuLaunchKernel", *arguments)
    assert "block of 1024 x 1024 x 1024" in str(program.session.error)
    large = Program(fake)
    arguments[1] = 1 << 33
    large("mgpuLaunchKernel", *arguments)
    assert large.session.failed


def test_what_the_driver_refuses_gets_its_words_from_python(fake):
    program = Program(fake)
    program.session.place = lambda: "a.mlir:3:4"
    fake.failures["cuMemcpyAsync"] = real.CUresult.CUDA_ERROR_INVALID_VALUE
    program("mgpuMemcpy", 16, 32, 8, 0)
    assert str(program.session.error) == (
        "a.mlir:3:4: error: gpu.memcpy of 8 bytes from 0x20 to 0x10: cuMemcpyAsync failed with "
        "CUDA_ERROR_INVALID_VALUE (words of the driver)"
    )


def test_a_trace_goes_through_python(fake):
    program = Program(fake, trace=True)
    program("mgpuStreamSynchronize", 8)
    assert "cuStreamSynchronize" in program.python


def test_an_old_driver_is_served_by_python(fake):
    fake.failures["cuGetProcAddress"] = real.CUresult.CUDA_ERROR_NOT_FOUND
    program = Program(fake)
    program("mgpuMemcpy", 16, 32, 8, 0)
    assert "cuMemcpyAsync" in program.python


def test_without_a_context_python_makes_one(fake):
    device = CudaDevice(Session(), Driver(fake))
    table = device.address_table()
    call = prototype(FUNCTIONS["mgpuMemcpy"])(table[FUNCTIONS["mgpuMemcpy"].index])
    call(16, 32, 8, 0)
    assert fake.names()[-1] == "cuMemcpyAsync"
    assert "cuDevicePrimaryCtxRetain" in fake.names()
    device.close()
    assert ctypes.c_uint64.from_address(ctypes.addressof(device._native.context)).value == 0

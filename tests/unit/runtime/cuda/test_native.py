# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions over the driver without Python between. The tests of the device run through them too
(`conftest.ThroughTable`); here is what only they have.
"""

from __future__ import annotations

import ctypes

import pytest

pytest.importorskip("cuda.bindings.driver", reason="needs cuda-python")

from cuda.bindings import driver as real

from tests.unit.runtime.cuda.conftest import PTX
from xgpu.core.support.abi import FUNCTIONS, prototype
from xgpu.driver.cuda_functions import NativeFunctions
from xgpu.runtime.cuda.device import CudaDevice
from xgpu.runtime.cuda.driver import Driver
from xgpu.runtime.session import Session


class Program:
    """Calls functions as a program does; `python` counts the driver's calls made by Python."""

    def __init__(self, fake, trace=False):
        self.session = Session()
        if trace:
            self.session.start_trace()
        self.driver = Driver(fake)
        self.device = CudaDevice(self.session, self.driver, native=NativeFunctions)
        self.table = self.device.address_table()
        self.stream = self.device.mgpuStreamCreate()
        self.python = []
        call = self.driver.call

        def counted(name, *arguments, doing=""):
            self.python.append(name)
            return call(name, *arguments, doing=doing)

        self.driver.call = counted

    def load(self):
        image = ctypes.create_string_buffer(
            PTX.replace(b"{ ret; }", b"{ .shared .b8 s[1024]; st.shared.u8 [s], 1; ret; }")
        )
        name = ctypes.create_string_buffer(b"k")
        module = self.device.mgpuModuleLoadJIT(ctypes.addressof(image), 2)
        self.kernel = self.device.mgpuModuleGetFunction(module, ctypes.addressof(name))
        self.event = self.device.mgpuEventCreate()
        self.memory = self.device.mgpuMemAlloc(4096, self.stream, 0)
        self.entered = self.device.entered()
        self.entered.__enter__()
        self.device.mgpuStreamSynchronize(self.stream)  # makes the context current
        self.python.clear()

    def __call__(self, name, *arguments):
        function = FUNCTIONS[name]
        return prototype(function)(self.table[function.index])(*arguments)


@pytest.fixture
def program(fake):
    """A program on a stream of its own, with a kernel, an event, and 4096 bytes of memory."""
    made = Program(fake)
    made.load()
    return made


def test_the_driver_sees_what_it_sees_from_python(fake, program):
    calls = {
        "mgpuStreamSynchronize": (program.stream,),
        "mgpuStreamWaitEvent": (program.stream, program.event),
        "mgpuEventRecord": (program.event, program.stream),
        "mgpuEventSynchronize": (program.event,),
        "mgpuMemcpy": (program.memory, program.memory + 64, 32, program.stream),
        "mgpuMemset8": (program.memory, -1, 5, program.stream),
        "mgpuMemset16": (program.memory, -1, 5, program.stream),
        "mgpuMemset32": (program.memory, -1, 5, program.stream),
    }
    for name, arguments in calls.items():
        program(name, *arguments)
        assert program.python == []
        native = fake.recorder.calls[-1]
        getattr(program.device, name)(*arguments)
        assert native == next(
            c for c in reversed(fake.recorder.calls) if not c.name.startswith("cuCtx")
        )  # fmt: skip
        program.python.clear()
    assert program.session.error is None


def test_launches(fake, program):
    launch = (program.kernel, 1, 2, 3, 4, 5, 6, 7, program.stream, 0x77, 0, 1)
    program("mgpuLaunchKernel", *launch)
    assert program.python == []
    program.device.mgpuLaunchKernel(*launch)
    made = (program.kernel, [1, 2, 3], [4, 5, 6], 7, program.stream)
    assert fake.launches == [made, made]
    assert [a[1:] for n, a in fake.recorder.calls if n == "cuLaunchKernelEx"] == [
        (program.kernel, 0x77, 0)
    ] * 2


def test_launches_with_clusters(fake, program):
    """The structure that machine code makes has the sizes in their places."""
    launch = (program.kernel, 2, 1, 3, 4, 5, 6, 7, 1, 1, 100, program.stream, 0x77, 0)
    program("mgpuLaunchClusterKernel", *launch)
    assert program.python == []
    sizes = ([4, 5, 6], [7, 1, 1], 100, program.stream)
    assert [made[1:] for made in fake.launches] == [sizes]
    program("mgpuLaunchClusterKernel", program.kernel, 2, 1, 4, *launch[4:])
    assert "grid of 4 x 5 x 6 blocks does not divide into clusters" in str(program.session.error)


def test_a_cluster_that_not_every_device_takes_is_allowed_first(fake, program):
    launch = (program.kernel, 16, 1, 1, 16, 1, 1, 32, 1, 1, 0, program.stream, 0, 0)
    program("mgpuLaunchClusterKernel", *launch)
    assert fake.names()[-2:] == ["cuFuncSetAttribute", "cuLaunchKernelEx"]
    assert program.session.error is None


def test_launches_are_counted(fake, program):
    for _ in range(3):
        program("mgpuLaunchKernel", program.kernel, 1, 1, 1, 32, 1, 1, 0, program.stream, 0, 0, 0)
    program("mgpuLaunchClusterKernel", program.kernel, *[1] * 9, 0, program.stream, 0, 0)
    program.device.close()
    assert program.session.counts["launches"].created == 4


def test_shared_memory_beyond_48_kilobytes_needs_no_python(fake, program):
    launch = [program.kernel, 1, 1, 1, 32, 1, 1, 200_000, program.stream, 0, 0, 0]
    program("mgpuLaunchKernel", *launch)
    assert program.python == []
    launch[7] = 232_448 - 1024 + 1
    program("mgpuLaunchKernel", *launch)
    assert "232449 bytes of workgroup memory (1024 static, 231425 dynamic), the limit is" in str(
        program.session.error
    )


@pytest.mark.parametrize(
    ("place", "value", "words"),
    [
        (1, 1 << 33, "grid size x is 8589934592, the limit is 2147483647"),
        (2, 70_000, "grid size y is 70000, the limit is 65535"),
        (1, 0, "grid of 0 x 1 x 1 blocks of 32 x 1 x 1 threads: every size must be at least 1"),
        (1, -1, "every size must be at least 1"),
        (4, 2048, "block of 2048 x 1 x 1 = 2048 threads, the limit is 1024"),
    ],
)
def test_sizes_that_no_device_takes(fake, program, place, value, words):
    launch = [program.kernel, 1, 1, 1, 32, 1, 1, 0, program.stream, 0, 0, 0]
    launch[place] = value
    program("mgpuLaunchKernel", *launch)
    assert words in str(program.session.error)


def test_what_the_driver_refuses_gets_its_words_from_python(fake):
    program = Program(fake)
    program.session.location = lambda: "a.mlir:3:4"
    fake.recorder.failures["cuMemcpyAsync"] = real.CUresult.CUDA_ERROR_INVALID_VALUE
    program("mgpuMemcpy", 16, 32, 8, 0)
    assert str(program.session.error) == (
        "a.mlir:3:4: error: gpu.memcpy of 8 bytes from 0x20 to 0x10: cuMemcpyAsync failed with "
        "CUDA_ERROR_INVALID_VALUE (invalid argument)"
    )


def test_a_trace_goes_through_python(fake):
    program = Program(fake, trace=True)
    program("mgpuStreamSynchronize", program.stream)
    assert "cuStreamSynchronize" in program.python


def test_an_old_driver_is_served_by_python(fake):
    fake.recorder.failures["cuGetProcAddress"] = real.CUresult.CUDA_ERROR_NOT_FOUND
    program = Program(fake)
    memory = ctypes.create_string_buffer(16)
    at = ctypes.addressof(memory)
    program("mgpuMemcpy", at, at + 8, 8, 0)
    assert "cuMemcpyAsync" in program.python


def test_without_a_context_python_makes_one(fake):
    device = CudaDevice(Session(), Driver(fake), native=NativeFunctions)
    table = device.address_table()
    call = prototype(FUNCTIONS["mgpuMemcpy"])(table[FUNCTIONS["mgpuMemcpy"].index])
    memory = ctypes.create_string_buffer(16)
    at = ctypes.addressof(memory)
    call(at, at + 8, 8, 0)
    assert fake.names()[-1] == "cuMemcpyAsync"
    assert "cuDevicePrimaryCtxRetain" in fake.names()
    assert device._native.context == fake.context()


def test_a_thread_of_the_caller_keeps_its_context(fake):
    """Where a program runs, contexts stay; elsewhere each call puts back what was current."""
    device = CudaDevice(Session(), Driver(fake), ordinal=1, native=NativeFunctions)
    table = device.address_table()
    synchronize = prototype(FUNCTIONS["mgpuStreamSynchronize"])(
        table[FUNCTIONS["mgpuStreamSynchronize"].index]
    )
    _, others = fake.cuDevicePrimaryCtxRetain(0)
    fake.cuCtxSetCurrent(others)
    device.mgpuStreamCreate()
    assert fake.current() == others
    with device.entered():
        synchronize(0)
        assert fake.current() == fake.context(1)
        before = len(fake.recorder.calls)
        synchronize(0)
        names = [n for n, _ in fake.recorder.calls[before:]]
        assert names == ["cuCtxGetCurrent", "cuStreamSynchronize"]
    assert fake.current() == others

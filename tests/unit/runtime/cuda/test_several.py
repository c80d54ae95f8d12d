# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Several GPUs in one program: each call goes to the device that it belongs to."""

from __future__ import annotations

import ctypes
import random

import pytest

pytest.importorskip("cuda.bindings.driver", reason="needs cuda-python")

from tests.support.driver_bindings import DriverBindings
from tests.unit.runtime.cuda.conftest import PTX
from xgpu.core.support.abi import FUNCTIONS, prototype
from xgpu.driver.cuda_functions import NativeFunctions
from xgpu.runtime.cuda.device import CudaDevice
from xgpu.runtime.cuda.driver import Driver
from xgpu.runtime.session import Session

_LOOKS = ("cuCtxGetCurrent", "cuCtxSetCurrent", "cuGetProcAddress", "cuDeviceGetAttribute")


class Program:
    """A program on three GPUs; `calls` are those of the driver that it has caused since they were
    asked for, `python` those that Python has made."""

    def __init__(self, *, native):
        self.fake = DriverBindings(("sm_90a",) * 3)
        # What is asked for is done, so that the same calls follow.
        for name in ("cuStreamQuery", "cuEventQuery"):
            self.fake.recorder.observers[name] = self._finish
        driver = Driver(self.fake)
        self.device = CudaDevice(Session(), driver, native=NativeFunctions)
        self.python = []
        self._launched = []
        call = driver.call

        def counted(name, *arguments, doing=""):
            if name not in _LOOKS:
                self.python.append(name)
            return call(name, *arguments, doing=doing)

        driver.call = counted
        self.table = self.device.address_table() if native else None
        self.entered = self.device.entered()
        self.entered.__enter__()
        image = ctypes.create_string_buffer(PTX)
        name = ctypes.create_string_buffer(b"k")
        module = self("mgpuModuleLoadJIT", ctypes.addressof(image), 2)
        self.kernel = self("mgpuModuleGetFunction", module, ctypes.addressof(name))

    def __call__(self, name, *arguments):
        if self.table is None:
            return getattr(self.device, name)(*arguments)
        function = FUNCTIONS[name]
        result = prototype(function)(self.table[function.index])(*arguments)
        assert self.device.session.error is None
        return result

    def calls(self):
        """The calls of the driver."""
        told = [c for c in self.fake.recorder.calls if c[0] not in _LOOKS]
        self._launched += self.fake.launches
        self.fake.recorder.calls.clear()
        self.python.clear()
        return told

    def _finish(self, handle):
        for device in self.fake.driver.devices:
            device.synchronize()

    @property
    def launches(self):
        return self._launched + self.fake.launches

    def launch(self, stream):
        self("mgpuLaunchKernel", self.kernel, 1, 1, 1, 32, 1, 1, 0, stream, 0, 0, 0)

    def end(self):
        self.device.close()
        self.entered.__exit__(None, None, None)
        self.device._driver.drop_all()
        assert self.fake.violations == []
        assert self.fake.leftovers() == {}
        self.fake.close()


@pytest.fixture
def program():
    made = Program(native=True)
    yield made
    made.end()


def test_work_on_each_device(program):
    streams, events, memory = [], [], []
    for on in range(3):
        program("mgpuSetDefaultDevice", on)
        streams.append(program("mgpuStreamCreate"))
        events.append(program("mgpuEventCreate"))
        memory.append(program("mgpuMemAlloc", 256, streams[on], 0))
        program.launch(streams[on])  # which loads the module there
    for on in (0, 1, 2, 1, 0):
        program("mgpuSetDefaultDevice", on)
        program.calls()
        program.launch(streams[on])
        program.launch(0)
        program("mgpuMemcpy", memory[on], memory[0], 64, streams[on])
        program("mgpuMemset32", memory[on], 7, 4, streams[on])
        program("mgpuEventRecord", events[on], streams[on])
        for event in events:  # of whichever device
            program("mgpuStreamWaitEvent", streams[on], event)
            program("mgpuEventSynchronize", event)
        program("mgpuStreamSynchronize", streams[on])
        kernel = program.device._kernel_on(program.kernel, on).handle
        launches = [(made[0], made[4]) for made in program.launches[-2:]]
        assert launches == [(kernel, streams[on]), (kernel, 0)]


def test_a_stream_that_moves(program):
    """Its work on another device is behind what it holds, and Python says so once."""
    stream = program("mgpuStreamCreate")
    program.launch(stream)
    program("mgpuSetDefaultDevice", 1)
    program.launch(stream)
    program.calls()
    program.launch(stream)
    assert [c[0] for c in program.calls()] == ["cuLaunchKernelEx"]
    assert program.launches[-1][4] not in (0, stream)
    program("mgpuSetDefaultDevice", 0)
    program.launch(stream)
    assert [c[0] for c in program.calls()][-3:] == [
        "cuEventRecord", "cuStreamWaitEvent", "cuLaunchKernelEx",
    ]  # fmt: skip
    program.launch(stream)
    assert program.launches[-1][4] == stream


def test_an_event_that_was_another_devices_is_its_own_again(program):
    """Who waits then waits for what was recorded last."""
    event, first = program("mgpuEventCreate"), program("mgpuStreamCreate")
    program("mgpuSetDefaultDevice", 1)
    second = program("mgpuStreamCreate")
    program("mgpuEventRecord", event, second)
    program("mgpuEventRecord", event, first)
    program.calls()
    program("mgpuEventSynchronize", event)
    assert program.calls() == [("cuEventSynchronize", (event,))]
    program("mgpuSetDefaultDevice", 2)
    program("mgpuEventRecord", event, second)
    program("mgpuEventRecord", event, program("mgpuStreamCreate"))
    program("mgpuEventDestroy", event)


@pytest.mark.parametrize("native", [True, False])
def test_a_graph_of_another_device_is_waited_for(native):
    program = Program(native=native)
    graph = program("mgpuGraphCreate")
    program("mgpuGraphAddKernel", graph, 0, 0, program.kernel, 1, 1, 1, 32, 1, 1, 0, 0, 0, 0)
    executable = program("mgpuGraphInstantiate", graph)
    program("mgpuSetDefaultDevice", 1)
    stream = program("mgpuStreamCreate")
    program("mgpuGraphLaunch", executable, stream)
    (launched,) = [c[1] for c in program.calls() if c[0] == "cuGraphLaunch"]
    assert launched[1] != stream
    program("mgpuStreamSynchronize", stream)
    assert program.calls()[-1] == ("cuStreamSynchronize", (launched[1],))
    program.end()


def test_machine_code_serves_until_there_is_a_second_device(program):
    stream = program("mgpuStreamCreate")
    program.launch(stream)
    program.calls()
    program.launch(stream)
    assert program.python == []
    program("mgpuSetDefaultDevice", 1)
    program.launch(stream)
    program("mgpuSetDefaultDevice", 0)
    program.calls()
    program("mgpuStreamSynchronize", stream)
    assert "cuStreamSynchronize" in program.python


class Random:
    """A program that chance writes; the same for the same seed."""

    def __init__(self, program, seed):
        self.program, self.chance = program, random.Random(seed)
        self.streams, self.events, self.memory, self.executables = [], [], [], []
        self.actions = [
            self.choose, self.create, self.end, self.launch, self.launch, self.copy, self.record,
            self.wait, self.graph,
        ]  # fmt: skip

    def run(self, steps):
        for on in range(3):
            self.program("mgpuSetDefaultDevice", on)
            self.create()
        for _ in range(steps):
            self.chance.choice(self.actions)()

    def one(self, handles):
        return self.chance.choice([*handles, 0])

    def choose(self):
        self.program("mgpuSetDefaultDevice", self.chance.randrange(3))

    def create(self):
        self.streams.append(self.program("mgpuStreamCreate"))
        self.events.append(self.program("mgpuEventCreate"))
        self.memory.append(self.program("mgpuMemAlloc", 256, self.one(self.streams), 0))

    def end(self):
        for handles, name in ((self.streams, "Stream"), (self.events, "Event")):
            if handles and self.chance.random() < 0.5:
                handle = handles.pop(self.chance.randrange(len(handles)))
                self.program(f"mgpu{name}Destroy", handle)

    def launch(self):
        self.program.launch(self.one(self.streams))

    def copy(self):
        if self.memory:
            to, of = self.chance.choices(self.memory, k=2)
            self.program("mgpuMemcpy", to, of, 16, self.one(self.streams))
            self.program("mgpuMemset8", to, 1, 16, self.one(self.streams))

    def record(self):
        if self.events:
            event = self.chance.choice(self.events)
            self.program("mgpuEventRecord", event, self.one(self.streams))

    def wait(self):
        self.program("mgpuStreamSynchronize", self.one(self.streams))
        if self.events:
            event = self.chance.choice(self.events)
            self.program("mgpuStreamWaitEvent", self.one(self.streams), event)
            self.program("mgpuEventSynchronize", event)

    def graph(self):
        program, kernel = self.program, self.program.kernel
        if not self.executables or self.chance.random() < 0.2:
            graph = program("mgpuGraphCreate")
            sizes = (1, 1, 1, 32, 1, 1, 0, 0, 0, 0)
            node = program("mgpuGraphAddKernel", graph, 0, 0, kernel, *sizes)
            self.executables.append((program("mgpuGraphInstantiate", graph), node))
        executable, node = self.chance.choice(self.executables)
        sizes = (self.chance.randrange(1, 5), 1, 1, 32, 1, 1, 0, 0, 0, 0)
        program("mgpuGraphExecKernelSetParams", executable, node, kernel, *sizes)
        program("mgpuGraphLaunch", executable, self.one(self.streams))


#: Arrays of the host lie above this; handles, and memory of the device, below.
_ARRAYS = 0x7000_0000_0000


def plain(calls):
    """Calls as numbers, without structures and arrays; addresses are counted as they come. What
    nodes of graphs are set to is left out: machine code sets nothing to what it was. So are
    launches."""
    seen = {}
    return [
        (
            name,
            [
                seen.setdefault(a, -len(seen)) if a > 2**32 else a
                for a in given if type(a) is int and a < _ARRAYS
            ],
        )
        for name, given in calls
        if "SetParams" not in name and name != "cuLaunchKernelEx"
    ]  # fmt: skip


def counted(launches):
    """Launches with kernels and streams counted as they come."""
    seen = {0: 0}
    return [
        (*(seen.setdefault(handle, len(seen)) for handle in (kernel, stream)), *sizes)
        for kernel, *sizes, stream in launches
    ]


@pytest.mark.parametrize("seed", range(8))
def test_random_programs_tell_the_driver_the_same(seed):
    told = []
    for native in (True, False):
        program = Program(native=native)
        Random(program, seed).run(150)
        told.append((plain(program.calls()), counted(program.launches)))
        program.end()
    assert told[0] == told[1]

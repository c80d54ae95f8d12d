# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Several GPUs in one program without Python between: the driver sees what it sees from Python."""

from __future__ import annotations

import ctypes
import random

import pytest

pytest.importorskip("cuda.bindings.driver", reason="needs cuda-python")

from llvmlite import binding

from tests.support.fake_driver import FakeDriver
from xgpu.core.support.abi import FUNCTIONS, prototype
from xgpu.host_device.compiler.machine import compile_ir
from xgpu.host_device.native.library import native_library
from xgpu.runtime.cuda.device import CudaDevice
from xgpu.runtime.cuda.driver import Driver
from xgpu.runtime.cuda.several import Table, lookup_text
from xgpu.runtime.session import Session

_LOOKS = ("cuCtxGetCurrent", "cuCtxSetCurrent", "cuGetProcAddress", "cuDeviceGetAttribute")


# -- tables


@pytest.fixture(scope="module")
def found():
    """The value of a key in a table, as machine code reads it."""
    text = lookup_text() + (
        "define i64 @found(ptr %t, i64 %k) {\n"
        "  %v = call i64 @xgpu_cuda_found(ptr %t, i64 %k)\n  ret i64 %v\n}\n"
    )
    builder = binding.JITLibraryBuilder().add_object_img(compile_ir(text, 2))
    builder.export_symbol("found")
    tracker = builder.link(native_library().jit, "test.several")
    call = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_uint64)(tracker["found"])
    yield lambda table, key: call(table.address, key)
    del tracker


def test_machine_code_reads_tables(found):
    chance = random.Random(3)
    table, model = Table(0), {}
    keys = [chance.getrandbits(64) for _ in range(300)] + [256 * i for i in range(1, 300)]
    for _ in range(4000):
        key = chance.choice(keys)
        if chance.random() < 0.4:
            table.drop(key)
            model.pop(key, None)
        else:
            model[key] = chance.getrandbits(48)
            table.put(key, model[key])
    assert {k: found(table, k) for k in keys} == {k: model.get(k, -1) for k in keys}
    assert found(table, 0) == 0  # the null stream


def test_a_table_does_not_grow_by_what_comes_and_goes(found):
    table = Table(0)
    for key in range(1, 20_000):
        table.put(key, key + 1)
        table.drop(key - 5)
    assert ctypes.sizeof(table._words) < 4096
    assert [found(table, k) for k in (19_999, 19_995, 19_994)] == [20_000, 19_996, -1]


# -- programs


class Program:
    """A program on three GPUs; `calls` are those of the driver that it has caused since `clear`,
    `python` those that Python has made."""

    def __init__(self, *, native):
        self.fake = FakeDriver()
        self.fake.count = 3
        driver = Driver(self.fake)
        self.device = CudaDevice(Session(), driver)
        self.python = []
        call = driver.call

        def counted(name, *arguments, doing=""):
            if name not in _LOOKS:
                self.python.append(name)
            return call(name, *arguments, doing=doing)

        driver.call = counted
        self.table = self.device.address_table() if native else None
        self.entered = self.device.entered()
        self.entered.__enter__()
        image = ctypes.create_string_buffer(b".version 8.0\n.target sm_90\n.visible .entry k()\n")
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
        """What the driver was told to do."""
        told = [c for c in self.fake.calls if c[0] not in _LOOKS]
        self.fake.calls.clear()
        self.python.clear()
        return told

    def launch(self, stream):
        self("mgpuLaunchKernel", self.kernel, 1, 1, 1, 32, 1, 1, 0, stream, 0, 0, 0)

    def end(self):
        self.device.close()
        self.entered.__exit__(None, None, None)
        self.device._driver.drop_all()
        assert self.fake.violations == []
        assert self.fake.leftovers() == {}


@pytest.fixture
def program():
    made = Program(native=True)
    yield made
    made.end()


def test_work_on_each_device_needs_no_python(program):
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
        assert program.python == []
        launches = [c[1][0] for c in program.calls() if c[0] == "cuLaunchKernel"]
        assert launches == [program.device._kernel_on(program.kernel, on).handle] * 2


def test_a_stream_that_moves(program):
    """Its work on another device is behind what it holds, and Python says so once."""
    stream = program("mgpuStreamCreate")
    program.launch(stream)
    program("mgpuSetDefaultDevice", 1)
    program.launch(stream)
    program.calls()
    program.launch(stream)
    assert program.python == []
    (launched,) = program.calls()
    assert launched[1][8] not in (0, stream)
    program("mgpuSetDefaultDevice", 0)
    program.launch(stream)
    assert [c[0] for c in program.calls()][-3:] == [
        "cuEventRecord", "cuStreamWaitEvent", "cuLaunchKernel",
    ]  # fmt: skip
    program.launch(stream)
    assert program.calls()[0][1][8] == stream


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


def test_a_trace_begins_and_ends_among_several(program):
    stream = program("mgpuStreamCreate")
    program("mgpuSetDefaultDevice", 1)
    program.launch(stream)
    program.device.session.start_trace()
    program.device.begin_trace()
    program.calls()
    program.launch(stream)
    assert "cuLaunchKernel" in program.python
    program.device.end_trace()
    program.device.session.events = None
    program.calls()
    program.launch(stream)
    assert program.python == []


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


def plain(calls):
    """Calls as numbers, without structures; addresses are counted as they come. What nodes of
    graphs are set to is left out: machine code sets nothing to what it was."""
    seen = {}
    return [
        (
            name,
            [seen.setdefault(a, -len(seen)) if a > 2**32 else a for a in given if type(a) is int],
        )
        for name, given in calls
        if "SetParams" not in name
    ]


@pytest.mark.parametrize("seed", range(8))
def test_random_programs_tell_the_driver_the_same(seed):
    told = []
    for native in (True, False):
        program = Program(native=native)
        Random(program, seed).run(150)
        by_python = len(program.python)
        told.append(plain(program.calls()))
        assert not native or by_python < len(told[0])
        program.end()
    assert told[0] == told[1]

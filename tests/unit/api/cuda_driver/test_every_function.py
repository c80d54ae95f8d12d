# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What holds for each function of the table: what it needs, wrong arguments, failures on demand."""

from __future__ import annotations

import os
import pathlib
import re
import sys
import threading
from ctypes import c_float, c_uint32, c_uint64

import pytest

from tests.support import processes
from tests.support.c_declarations import difference
from tests.support.driver_calls import PTX, Calls, World, pointers, wrong_arguments
from xgpu.api.cuda_driver.contexts import symbol_of
from xgpu.api.cuda_driver.settings import Settings
from xgpu.api.cuda_driver.table import FUNCTIONS, Needs
from xgpu.runtime.cuda.results import Result

CASES = wrong_arguments()


@pytest.fixture(scope="module")
def world():
    made = World(Calls())
    yield made
    made.calls.close()


def test_the_table_has_what_programs_need():
    assert len(FUNCTIONS) >= 200
    assert len(CASES) >= 400
    for function in FUNCTIONS.values():
        names = [p.name for p in function.parameters]
        assert len(set(names)) == len(names), function.name


@pytest.mark.parametrize(("name", "number", "value", "result"), CASES)
def test_a_wrong_argument_is_refused(world, name, number, value, result):
    function = FUNCTIONS[name]
    arguments = world.arguments(function)
    arguments[number] = value
    before = world.calls.driver.leftovers()
    assert world.calls(name, *arguments) == Result[result]
    assert world.calls.driver.leftovers() == before


@pytest.mark.parametrize("name", [n for n, f in FUNCTIONS.items() if f.needs >= Needs.INIT])
def test_without_cuinit(raw, name):
    count = len(FUNCTIONS[name].parameters)
    assert raw(name, *[0] * count) == Result.NOT_INITIALIZED


@pytest.mark.parametrize("name", [n for n, f in FUNCTIONS.items() if f.needs >= Needs.CONTEXT])
def test_without_a_context(raw, name):
    raw.do("cuInit", 0)
    count = len(FUNCTIONS[name].parameters)
    assert raw(name, *[0] * count) == Result.INVALID_CONTEXT


@pytest.fixture(scope="module")
def faulted():
    """A context in which a kernel has failed."""
    calls = Calls()
    world = World(calls)
    stream = world.handles["CUstream"]
    fault = calls.get("cuModuleGetFunction", world.module, "fault")
    calls.do("cuLaunchKernel", fault, 1, 1, 1, 1, 1, 1, 0, stream, pointers(c_uint64(64)), 0)
    assert calls("cuStreamSynchronize", stream) == Result.ILLEGAL_ADDRESS
    yield world
    calls.close()


@pytest.mark.parametrize("name", [n for n, f in FUNCTIONS.items() if f.needs == Needs.CONTEXT])
def test_after_a_fault_every_function_gives_it(faulted, name):
    arguments = faulted.arguments(FUNCTIONS[name])
    assert faulted.calls(name, *arguments) == Result.ILLEGAL_ADDRESS


@pytest.mark.parametrize("name", [n for n, f in FUNCTIONS.items() if f.needs >= Needs.INIT])
def test_a_failure_that_is_asked_for(name, capfd):
    calls = Calls(Settings(fail_at=1, fail_with=2))
    assert calls(name, *[0] * len(FUNCTIONS[name].parameters)) == Result.OUT_OF_MEMORY
    assert f"call 1, {name}, fails" in capfd.readouterr().err
    assert calls(name, *[0] * len(FUNCTIONS[name].parameters)) == Result.NOT_INITIALIZED


@pytest.mark.parametrize("place", [2, 3])
def test_a_later_failure_that_is_asked_for(place):
    """Each function with right arguments, as the second or third call: it has done nothing, and the
    calls behind it do their work."""
    world = World(Calls(Settings(fail_at=1 << 62, fail_with=2)))
    calls, recorder = world.calls, world.calls.driver.recorder
    before, wrong = calls.driver.leftovers(), []
    for name, function in FUNCTIONS.items():
        if function.needs < Needs.INIT:
            continue
        arguments = world.arguments(function)
        recorder.fail_at = recorder.count + place
        for _ in range(place - 1):
            calls.do("cuCtxSynchronize")
        result = calls(name, *arguments)
        results = [word for p, a in zip(function.parameters, arguments, strict=True)
                   if p.how == "out" for word in a]  # fmt: skip
        if result != Result.OUT_OF_MEMORY or any(results):
            wrong.append((name, result))
        assert set(world.handles.values()) <= set(calls.driver.handles), name
        memory = calls.get("cuMemAlloc", 8)
        calls.do("cuMemFree", memory)
        assert calls.driver.leftovers() == before, name
    calls.close()
    assert wrong == []


def _program(calls):
    """What a program does, which gives back what it has where a call fails; its result."""
    undo, code = [], 0

    def do(name, *arguments):
        nonlocal code
        code = calls(name, *arguments)
        if code:
            raise ArithmeticError(name)

    def made(name, back, *arguments):
        handle = c_uint64()
        do(name, handle, *arguments)
        undo.append((back, handle.value))
        return handle.value

    try:
        do("cuInit", 0)
        do("cuDevicePrimaryCtxRetain", c_uint64(), 0)
        undo.append(("cuDevicePrimaryCtxRelease", 0))
        context = c_uint64()
        do("cuDevicePrimaryCtxRetain", context, 0)
        undo.append(("cuDevicePrimaryCtxRelease", 0))
        do("cuCtxSetCurrent", context.value)
        module = made("cuModuleLoadData", "cuModuleUnload", PTX)
        library = made("cuLibraryLoadData", "cuLibraryUnload", PTX, 0, 0, 0, 0, 0, 0)
        add, kernel = c_uint64(), c_uint64()
        do("cuModuleGetFunction", add, module, "add")
        do("cuLibraryGetKernel", kernel, library, "add")
        stream = made("cuStreamCreate", "cuStreamDestroy", 1)
        event = made("cuEventCreate", "cuEventDestroy", 0)
        memory = made("cuMemAlloc", "cuMemFree", 256)
        vector = (c_float * 64)(*[1] * 64)
        given = pointers(*[c_uint64(memory)] * 3, c_uint32(64))
        do("cuMemcpyHtoDAsync", memory, vector, 256, stream)
        do("cuStreamBeginCapture", stream, 0)
        undo.append(("cuStreamEndCapture", stream))
        do("cuLaunchKernel", add.value, 2, 1, 1, 32, 1, 1, 0, stream, given, 0)
        graph = c_uint64()
        do("cuStreamEndCapture", stream, graph)
        undo[-1] = ("cuGraphDestroy", graph.value)
        executable = made("cuGraphInstantiateWithFlags", "cuGraphExecDestroy", graph.value, 0)
        for _ in range(2):
            do("cuGraphLaunch", executable, stream)
        do("cuLaunchKernel", kernel.value, 2, 1, 1, 32, 1, 1, 0, stream, given, 0)
        do("cuEventRecord", event, stream)
        do("cuEventSynchronize", event)
        do("cuMemcpyDtoH", vector, memory, 256)
        assert list(vector) == [8.0] * 64
    except ArithmeticError:
        pass
    for name, handle in reversed(undo):
        graph = c_uint64()
        more = [graph] if name == "cuStreamEndCapture" else []
        if calls(name, handle, *more):  # one that has failed has not given back
            calls.do(name, handle, *more)
        if graph.value:
            calls.do("cuGraphDestroy", graph.value)
    return code


@pytest.mark.parametrize("step", [6, pytest.param(1, marks=pytest.mark.long)])
def test_a_program_of_which_a_call_fails(step):
    """Each call in turn: nothing is left, and the next program of the process does its work."""
    number = 0
    while True:
        number += step
        calls = Calls(Settings(fail_at=number, fail_with=2))
        code, recorder = _program(calls), calls.driver.recorder
        if recorder.injected is None:
            break
        assert calls.driver.leftovers() == {}, recorder.injected
        assert code in (0, Result.OUT_OF_MEMORY), recorder.injected  # 0 of those that give back
        if number % 12 == 0:
            assert _program(calls) == 0, recorder.injected
            assert calls.driver.leftovers() == {}, recorder.injected
        calls.close()
    calls.close()
    assert code == 0
    assert number > 28


#: Functions of the program, which would be called.
_CALLED = ("CUhostFn", "CUstreamCallback", "CUoccupancyB2DSize")
#: Of numbers: none, one, one that no pointer is, the largest of 32 bits, the sign of 64 bits.
_NUMBERS = [
    pytest.param(n, marks=() if n == 1 << 63 else pytest.mark.long)
    for n in (0, 1, 7, 0xFFFFFFFF, 1 << 63)
]


@pytest.mark.parametrize("value", _NUMBERS)
def test_numbers_that_mean_nothing(value, capfd):
    """Each number of each function in turn: a result, which is of no error of xgpu's own."""
    world = World(Calls())
    wrong = []
    for name, function in FUNCTIONS.items():
        numbers = [
            i for i, p in enumerate(function.parameters)
            if p.how == "number" and p.kind not in _CALLED
        ]  # fmt: skip
        for number in numbers:
            arguments = world.arguments(function)
            for other in numbers:
                arguments[other] = value if other == number else 1
            result = world.calls(name, *arguments)
            if result == Result.UNKNOWN:
                wrong.append((name, function.parameters[number].name))
            if not set(world.handles.values()) <= set(world.calls.driver.handles) or (
                world.calls("cuCtxSynchronize") != 0
            ):
                world.calls.close()
                world = World(Calls())
    world.calls.close()
    assert wrong == []


def test_a_size_of_nothing():
    world = World(Calls())
    arguments = world.arguments(FUNCTIONS["cuOccupancyMaxActiveClusters"])
    assert world.calls("cuOccupancyMaxActiveClusters", *arguments) == Result.INVALID_VALUE
    world.calls.close()


def test_eight_threads(world):
    """Each has the context, a stream, memory and events of its own, and adds to its vector."""
    calls, wrong = world.calls, []
    add = world.handles["CUfunction"]

    def work(number):
        calls.do("cuCtxSetCurrent", world.context)
        stream = calls.get("cuStreamCreate", 1)
        event = calls.get("cuEventCreate", 0)
        vector = (c_float * 64)(*[number] * 64)
        memory = calls.get("cuMemAlloc", 256)
        calls.do("cuMemcpyHtoDAsync", memory, vector, 256, stream)
        given = pointers(*[c_uint64(memory)] * 3, c_uint32(64))
        for _ in range(10):  # it doubles each time
            calls.do("cuLaunchKernel", add, 2, 1, 1, 32, 1, 1, 0, stream, given, 0)
            calls.do("cuEventRecord", event, stream)
        calls.do("cuEventSynchronize", event)
        calls.do("cuMemcpyDtoH", vector, memory, 256)
        if list(vector) != [number * 1024.0] * 64:
            wrong.append((number, vector[0]))
        for name, handle in (("MemFree", memory), ("StreamDestroy", stream)):
            calls.do(f"cu{name}", handle)
        calls.do("cuEventDestroy", event)

    before = calls.driver.leftovers()
    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert calls.driver.leftovers() == before


def test_a_forked_process(world):
    """The child has no use of the driver; the parent goes on."""
    child = os.fork()
    if not child:
        processes.limit_child()
        code = 1
        try:
            codes = {
                world.calls(name, *[0] * len(function.parameters))
                for name, function in FUNCTIONS.items() if function.needs >= Needs.INIT
            }  # fmt: skip
            code = 0 if codes == {Result.NOT_INITIALIZED} else 2
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0
    assert world.calls("cuCtxSynchronize") == 0


def test_declarations_are_those_of_the_bindings():
    """Each function has the parameters that cuda-bindings passes, in their order and type."""
    bindings = pytest.importorskip("cuda.bindings.cydriver", reason="needs cuda-bindings")
    text = pathlib.Path(bindings.__file__).with_name("cydriver.pxd").read_text()
    declared = dict(re.findall(r"CUresult (cu\w+)\((.*?)\) except", text))
    different: list[str] = []
    seen = 0
    for name, given in declared.items():
        symbol, is_known = symbol_of(name, 14000)
        if not is_known:
            continue
        function = next(f for f in FUNCTIONS.values() if symbol in f.symbols)
        different += filter(None, [difference(function, given)])
        seen += 1
    assert different == []
    assert seen >= 200


def test_versions_are_those_of_the_toolkit():
    """A function comes with the version of CUDA by which NVIDIA's header names its type."""
    header = next(
        (found for folder in sys.path for found in
         pathlib.Path(folder).glob("nvidia/cu1?/include/cudaTypedefs.h")), None,
    )  # fmt: skip
    if header is None:
        pytest.skip("needs the headers of CUDA's toolkit")
    theirs: dict[str, set[int]] = {}
    for name, version in re.findall(r"PFN_(cu\w+?)_v(\d+)(?:_pt\ws)?\)", header.read_text()):
        theirs.setdefault(name, set()).add(int(version))
    ours = [
        (name, version) for function in FUNCTIONS.values() for name, version, _ in function.answers
    ]
    # The header knows both versions of this one by other numbers: the second form is a macro's.
    other = {("cuGraphInstantiate", 12000)}
    assert sum(name in theirs for name, _ in ours) > 300
    assert [it for it in ours if it[0] in theirs and it[1] not in theirs[it[0]]] == [*other]

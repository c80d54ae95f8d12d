# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What holds for each function of the table: what it needs, wrong arguments, failures on demand."""

from __future__ import annotations

import re

import pytest

from tests.support.driver_calls import Calls, World, wrong_arguments
from xgpu.api.cuda_driver.contexts import symbol_of
from xgpu.api.cuda_driver.header import Result
from xgpu.api.cuda_driver.settings import Settings
from xgpu.api.cuda_driver.table import FUNCTIONS, Needs

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
    assert world.calls(name, *arguments) == Result[result]


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
    from ctypes import c_uint64

    from tests.support.driver_calls import pointers

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


def test_declarations_are_those_of_the_bindings():
    """The number of parameters of each function is that which cuda-bindings passes."""
    bindings = pytest.importorskip("cuda.bindings.cydriver", reason="needs cuda-bindings")
    import pathlib

    text = pathlib.Path(bindings.__file__).with_name("cydriver.pxd").read_text()
    declared = dict(re.findall(r"CUresult (cu\w+)\((.*?)\) except", text))
    seen = 0
    for name, given in declared.items():
        symbol, is_known = symbol_of(name, 14000)
        if not is_known:
            continue
        function = next(f for f in FUNCTIONS.values() if symbol in f.symbols)
        count = len(given.split(",")) if given.strip() else 0
        assert len(function.parameters) == count, name
        seen += 1
    assert seen >= 200

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole programs over the stand-in of the driver, and each of its calls failing in turn: one error
comes of it, no rule of the driver is broken, and what can be released is.
"""

from __future__ import annotations

import functools

import pytest

pytest.importorskip("cuda.bindings.driver", reason="needs cuda-python")

from cuda.bindings import driver as real

from tests.support.cuda_programs import PROGRAMS
from tests.support.fake_driver import FakeDriver
from xgpu.backend.host.checks import Places
from xgpu.driver.compiler import host_text, parse
from xgpu.ir.errors import DeviceError
from xgpu.runtime.cuda.device import CudaDevice
from xgpu.runtime.cuda.driver import Driver
from xgpu.runtime.engine import HostProgram, ProgramError
from xgpu.runtime.session import Session

#: Which calls fail in the short form: one of that many.
STEP = 13

MODES = {
    "once": (real.CUresult.CUDA_ERROR_INVALID_VALUE, False),
    "for ever": (real.CUresult.CUDA_ERROR_ILLEGAL_ADDRESS, True),
    "memory": (real.CUresult.CUDA_ERROR_OUT_OF_MEMORY, False),
}

#: What releases something: if that fails, the thing stays.
_RELEASES = ("Destroy", "Free", "Unload", "Release", "Unregister", "Trim")


@functools.cache
def translated(name):
    """A program as LLVM IR; the device says for which chip."""
    text, options = PROGRAMS[name]
    device = CudaDevice(Session(), Driver(FakeDriver()))
    places = Places()
    return host_text(parse(text, f"{name}.mlir"), device, places, 0, options), places


def run(name, fake):
    """The error that came of a run, or None; the driver's contexts are given back after it."""
    text, places = translated(name)
    session = Session()
    device = CudaDevice(session, Driver(fake))
    problem = None
    try:
        program = HostProgram(
            text, "main", "void", session=session, device=device, opt_level=0, places=places
        )
        program.run()
    except (DeviceError, ProgramError) as raised:
        problem = raised
    finally:
        device.close()
        device._driver.drop_all()
    return problem


@functools.cache
def calls_of(name):
    """How many calls a program makes, all of which are as they should be."""
    fake = FakeDriver()
    assert run(name, fake) is None
    assert fake.violations == []
    assert fake.leftovers() == {}
    return fake.numbered


@pytest.mark.parametrize("name", PROGRAMS)
def test_undisturbed(name):
    assert calls_of(name) > 20


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_some_calls_fail(name, mode):
    check_failures(name, mode, 1 + sum(map(ord, name + mode)) % STEP, STEP)


@pytest.mark.long
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_each_call_fails(name, mode):
    check_failures(name, mode, 1, 1)


def check_failures(name, mode, first, step):
    code, sticky = MODES[mode]
    for number in range(first, calls_of(name) + 1, step):
        fake = FakeDriver()
        fake.fail_at, fake.fail_with, fake.sticky = number, code, sticky
        problem = run(name, fake)
        what = f"{name}: call {number}, {fake.injected}"
        assert problem is None or "internal error" not in str(problem), what
        assert fake.violations == [], what
        released = fake.injected is not None and any(r in fake.injected for r in _RELEASES)
        if not sticky and not released:
            assert fake.leftovers() == {}, what

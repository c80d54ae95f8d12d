# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole programs over xgpu's own driver, and each of its calls failing in turn: one error
comes of it, no rule of the driver is broken, and what can be released is.
"""

from __future__ import annotations

import functools

import pytest

pytest.importorskip("cuda.bindings.driver", reason="needs cuda-python")

from tests.support.cuda_programs import PROGRAMS
from tests.support.driver_bindings import DriverBindings
from tests.support.injection import MODES, calls_of, check_failures, first_of
from xgpu.core.ir.errors import DeviceError
from xgpu.driver.engine import HostProgram, ProgramError
from xgpu.driver.program import Program
from xgpu.runtime.cuda.device import CudaDevice
from xgpu.runtime.cuda.driver import Driver
from xgpu.runtime.session import Session

#: Which calls fail in the short form: one of that many.
STEP = 37


@functools.cache
def lowered(name):
    """A program, lowered; the device says for which chip."""
    text, options = PROGRAMS[name]
    device = CudaDevice(Session(), Driver(DriverBindings()))
    return Program(text, f"{name}.mlir", opt_level=0, options=options).lower(device)


def run(name, fake):
    """What came of a run; the driver's contexts are given back after it."""
    session = Session()
    device = CudaDevice(session, Driver(fake))
    problems = []
    try:
        program = HostProgram(
            lowered(name), "main", "void", session=session, device=device, opt_level=0
        )
        program.run()
    except (DeviceError, ProgramError) as raised:
        problems.append(str(raised))
    finally:
        device.close()
        device._driver.drop_all()
        fake.close()
    return problems


@functools.cache
def calls(name):
    return calls_of(lambda fake: run(name, fake))


@pytest.mark.parametrize("name", PROGRAMS)
def test_undisturbed(name):
    assert calls(name) > 20


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_some_calls_fail(name, mode):
    first = first_of(name + mode, STEP)
    check_failures(name, lambda fake: run(name, fake), mode, calls(name), first, STEP)


@pytest.mark.parametrize("step", [
    pytest.param(13, marks=pytest.mark.long), pytest.param(1, marks=pytest.mark.exhaustive)
])  # fmt: skip
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_more_calls_fail(name, mode, step):
    check_failures(name, lambda fake: run(name, fake), mode, calls(name), 1, step)

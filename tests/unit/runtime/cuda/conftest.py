# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A cuda device over the CUDA driver of xgpu."""

from __future__ import annotations

import pytest

from xgpu.runtime.session import Session

#: Kernels without parameters: launches may give any.
PTX = b""".version 8.0
.target sm_90
.address_size 64
.visible .entry k() { ret; }
.visible .entry other() { ret; }
"""


@pytest.fixture
def make_driver():
    """`DriverBindings`; none of those made may have seen a rule of the driver broken."""
    pytest.importorskip("cuda.bindings.driver", reason="needs cuda-python")
    from tests.support.driver_bindings import DriverBindings

    made = []

    def make(*chips, **attributes):
        made.append(DriverBindings(chips or ("sm_90a", "sm_90a"), **attributes))
        return made[-1]

    yield make
    assert [v for driver in made for v in driver.violations] == []
    for driver in made:
        driver.close()


@pytest.fixture
def fake(make_driver):
    return make_driver()


@pytest.fixture(params=["python", "native"])
def device(fake, request):
    """The device; with `native`, functions that have machine code are called through it."""
    from xgpu.driver.cuda_functions import NativeFunctions
    from xgpu.runtime.cuda.device import CudaDevice
    from xgpu.runtime.cuda.driver import Driver

    made = CudaDevice(Session(), Driver(fake), native=NativeFunctions)
    return made if request.param == "python" else ThroughTable(made)


class ThroughTable:
    """A device whose functions are called as programs call them, by address. What they latch is
    raised.
    """

    def __init__(self, device):
        self._device = device
        self._table = device.address_table()

    def __getattr__(self, name):
        from xgpu.core.support.abi import FUNCTIONS, prototype
        from xgpu.driver.cuda_functions import NAMES

        if name not in NAMES:
            return getattr(self._device, name)
        function = FUNCTIONS[name]
        call = prototype(function)(self._table[function.index])

        def checked(*arguments):
            call(*arguments)
            session = self._device.session
            if session.error is not None:
                error, session.error = session.error, None
                raise error

        return checked

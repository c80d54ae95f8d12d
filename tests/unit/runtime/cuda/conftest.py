# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A cuda device over a driver that only keeps books."""

from __future__ import annotations

import importlib.util
import pathlib
import sys

import pytest

from xgpu.runtime.session import Session


@pytest.fixture
def fake():
    pytest.importorskip("cuda.bindings.driver", reason="needs cuda-python")
    if "fake_driver" not in sys.modules:
        path = pathlib.Path(__file__).with_name("fake_driver.py")
        spec = importlib.util.spec_from_file_location("fake_driver", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules["fake_driver"] = module
        spec.loader.exec_module(module)
    return sys.modules["fake_driver"].FakeDriver()


@pytest.fixture(params=["python", "native"])
def device(fake, request):
    """The device; with `native`, functions that have machine code are called through it."""
    from xgpu.runtime.cuda.device import CudaDevice
    from xgpu.runtime.cuda.driver import Driver

    made = CudaDevice(Session(), Driver(fake))
    return made if request.param == "python" else ThroughTable(made)


class ThroughTable:
    """A device whose functions are called as programs call them, by address. What they latch is
    raised.
    """

    def __init__(self, device):
        self._device = device
        self._table = device.address_table()

    def __getattr__(self, name):
        from xgpu.runtime.cuda.native import NAMES
        from xgpu.support.abi import FUNCTIONS, prototype

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

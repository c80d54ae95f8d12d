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


@pytest.fixture
def device(fake):
    from xgpu.runtime.cuda.device import CudaDevice
    from xgpu.runtime.cuda.driver import Driver

    return CudaDevice(Session(), Driver(fake))

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranges for NVIDIA's profilers, over a stand-in for the package that writes them."""

from __future__ import annotations

import contextlib
import sys
from types import SimpleNamespace

import pytest

pytest.importorskip("cuda.bindings.driver", reason="needs cuda-python")

from tests.support.cuda_programs import PROGRAMS
from xgpu.core.ir.errors import DeviceError
from xgpu.driver.cuda_functions import NativeFunctions
from xgpu.driver.program import Program
from xgpu.runtime.cuda.device import CudaDevice
from xgpu.runtime.cuda.driver import Driver
from xgpu.runtime.session import Session


@pytest.fixture
def said(monkeypatch, fake):
    """What the ranges say, and how many calls of the driver there were in each."""
    found = []

    @contextlib.contextmanager
    def annotate(message, domain):
        assert domain == "xgpu"
        before = len(fake.recorder.calls)
        yield
        inside = [n for n, _ in fake.recorder.calls[before:] if not n.startswith("cuCtx")]
        found.append((message, inside))

    monkeypatch.setitem(sys.modules, "nvtx", SimpleNamespace(annotate=annotate))
    monkeypatch.setenv("XGPU_NVTX", "1")
    return found


def test_operations_have_ranges(said, fake):
    session = Session()
    device = CudaDevice(session, Driver(fake), native=NativeFunctions)
    program = Program(PROGRAMS["streams"][0], "s.mlir", entry="main", opt_level=0)
    program.run(session, device)
    kinds = [(message.split(" (")[0], calls) for message, calls in said]
    assert kinds == [
        ("memset", ["cuMemsetD32Async"]),
        ("add", ["cuLaunchKernelEx"]),
        ("add", ["cuLaunchKernelEx"]),
        ("memcpy", ["cuMemcpyAsync"]),
    ]
    assert all("(s.mlir:" in message for message, _ in said)


def test_nobody_asks(fake, monkeypatch):
    monkeypatch.setenv("XGPU_NVTX", "0")
    assert CudaDevice(Session(), Driver(fake))._ranges is None


def test_the_package_is_missing(fake, monkeypatch):
    monkeypatch.setenv("XGPU_NVTX", "1")
    monkeypatch.setitem(sys.modules, "nvtx", None)
    with pytest.raises(DeviceError, match=r"XGPU_NVTX is set, .*pip install nvtx"):
        CudaDevice(Session(), Driver(fake))

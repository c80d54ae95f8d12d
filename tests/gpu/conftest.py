# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tests on a GPU need."""

from __future__ import annotations

import sys

import pytest

from tests.support import processes


@pytest.fixture(scope="session")
def hardware():
    """Skips what only a GPU of NVIDIA's shows, where the driver is xgpu's own (`xgpu-cuda`)."""
    from xgpu.runtime.cuda.driver import load_driver

    device = load_driver().call("cuDeviceGet", 0)
    if load_driver().call("cuDeviceGetName", 100, device).startswith(b"xgpu host device"):
        pytest.skip("the devices are simulated")


@pytest.fixture(scope="session")
def attribute():
    """Attributes of the first GPU, by their names in CUdevice_attribute."""
    from xgpu.api.devices.registry import backend

    return backend("cuda").device.attribute


@pytest.fixture
def needs_chip(attribute):
    """Skips what GPUs before a compute capability have not."""

    def check(major):
        if attribute("COMPUTE_CAPABILITY_MAJOR") < major:
            pytest.skip(f"needs compute capability {major}.0")

    return check


@pytest.fixture
def python():
    """What runs Python text in a process of its own: exit code, and all that it printed."""

    def run(text, **options):
        done = processes.run(
            [sys.executable, "-c", text], capture_output=True, text=True,
            check=False, memory=64 << 30, **options,
        )  # fmt: skip
        return done.returncode, done.stdout + done.stderr

    return run

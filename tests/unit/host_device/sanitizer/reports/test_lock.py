# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One thread of the machine is inside of the sanitizer at a time."""

from __future__ import annotations

import ctypes
import threading

import pytest

from xgpu.host_device.sanitizer.reports.library import sanitizer_library
from xgpu.host_device.sanitizer.reports.monitor import Sanitizer


@pytest.mark.parametrize("field", ["sink", "reports"])
@pytest.mark.parametrize("what", ["allocate", "release", "settle", "transfer"])
def test_calls_of_other_threads_wait(what, field):
    """Whoever is inside, by whatever name, as far as it is not the same thread."""
    sanitizer = Sanitizer()
    buffer = ctypes.create_string_buffer(64)
    sanitizer.allocated(ctypes.addressof(buffer), 64, "host", None)
    number = max(sanitizer.allocations)
    library = sanitizer_library()
    calls = library.calls
    state = sanitizer.record("SanState", library.state)
    act = {
        "allocate": lambda: calls["xgpu_san_allocate"](ctypes.addressof(buffer), 64, 2),
        "release": lambda: calls["xgpu_san_release"](number),
        "settle": lambda: calls["xgpu_san_settle"](0),
        "transfer": lambda: calls["xgpu_san_transfer"](0, 0, ctypes.addressof(buffer), 0, 64, 1),
    }[what]
    inside = getattr(state, field)
    calls["xgpu_san_enter"](inside)
    thread = threading.Thread(target=act)
    thread.start()
    thread.join(0.05)
    waited = thread.is_alive()
    calls["xgpu_san_leave"](inside)
    thread.join(300)
    assert waited
    assert not thread.is_alive()

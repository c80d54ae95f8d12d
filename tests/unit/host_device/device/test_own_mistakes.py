# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A mistake of ours while a stream works is an error of the program, not a wait for ever."""

from __future__ import annotations

import threading

from xgpu.host_device.device.device import HostDevice
from xgpu.runtime.session import Session


def test_a_stream_goes_on_after_an_exception():
    session = Session()
    device = HostDevice(session)
    stream = device._stream(device.mgpuStreamCreate())
    done = []

    def fails() -> None:
        raise AttributeError("no such field")

    device._enqueue(stream, "launch", fails)
    device._enqueue(stream, "free", lambda: done.append(1), always=True)
    waiter = threading.Thread(target=device._wait, args=(stream.frontier, "a stream"), daemon=True)
    waiter.start()
    waiter.join(300)
    assert not waiter.is_alive()
    device.close()

    assert done == [1]
    assert "internal error: AttributeError: no such field" in str(session.error)

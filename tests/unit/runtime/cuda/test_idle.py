# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Streams and events that are made again: who has them, and that they go back at the end."""

from __future__ import annotations

import threading

import pytest

pytest.importorskip("cuda.bindings.driver", reason="needs cuda-python")

from cuda.bindings import driver as real

from xgpu.core.ir.errors import DeviceError
from xgpu.runtime.cuda.device import CudaDevice
from xgpu.runtime.cuda.driver import Driver
from xgpu.runtime.cuda.streams import Idle
from xgpu.runtime.session import Session

KINDS = ("Stream", "Event")


@pytest.fixture
def plain(fake):
    return CudaDevice(Session(), Driver(fake))


def create(device, kind):
    return getattr(device, f"mgpu{kind}Create")()


def destroy(device, kind, handle):
    getattr(device, f"mgpu{kind}Destroy")(handle)


@pytest.mark.parametrize("kind", KINDS)
def test_the_next_has_what_the_last_had(plain, fake, kind):
    first = create(plain, kind)
    for _ in range(3):
        destroy(plain, kind, first)
        assert create(plain, kind) == first
    assert create(plain, kind) != first  # that one is in use
    assert fake.names().count(f"cu{kind}Create") == 2
    assert plain.session.counts[f"{kind.lower()}s"].created == 5
    destroy(plain, kind, first)
    plain.close()
    assert f"cu{kind}Destroy" in fake.names()
    assert fake.alive(f"CU{kind.lower()}") == []


@pytest.mark.parametrize("kind", KINDS)
def test_what_still_runs_is_nobodys(plain, fake, kind):
    """A new stream does not wait for old work."""
    first = create(plain, kind)
    destroy(plain, kind, first)
    fake.recorder.failures[f"cu{kind}Query"] = real.CUresult.CUDA_ERROR_NOT_READY
    second = create(plain, kind)
    assert second != first
    fake.recorder.failures.clear()
    assert create(plain, kind) == first


@pytest.mark.parametrize("kind", KINDS)
def test_what_others_have_spoilt_is_destroyed(plain, fake, kind):
    """Such as a stream that is captured."""
    first = create(plain, kind)
    destroy(plain, kind, first)
    fake.recorder.failures[f"cu{kind}Query"] = real.CUresult.CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED
    assert create(plain, kind) != first
    assert fake.made()[-2] == (f"cu{kind}Destroy", (first,))


@pytest.mark.parametrize("kind", KINDS)
def test_a_device_has_its_own(plain, fake, kind):
    first = create(plain, kind)
    destroy(plain, kind, first)
    plain.mgpuSetDefaultDevice(1)
    assert create(plain, kind) != first
    plain.mgpuSetDefaultDevice(0)
    assert create(plain, kind) == first


@pytest.mark.parametrize("kind", KINDS)
def test_only_so_many_are_kept(plain, fake, kind):
    handles = [create(plain, kind) for _ in range(70)]
    for handle in handles:
        destroy(plain, kind, handle)
    assert fake.names().count(f"cu{kind}Destroy") == 6
    assert len(fake.alive(f"CU{kind.lower()}")) == 64


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_kept_is_not_alive_for_the_program(plain, kind):
    handle = create(plain, kind)
    destroy(plain, kind, handle)
    assert plain.session.leaks() == {}
    assert plain.live_streams() == []
    with pytest.raises(DeviceError, match=f"not a live {kind.lower()}"):
        destroy(plain, kind, handle)
    if kind == "Event":
        return
    with pytest.raises(DeviceError, match="not a live stream"):
        plain.end_stream(handle)


def test_a_stream_that_others_knew_is_not_kept(plain, fake):
    """The front's streams go to other libraries, which may use them too long."""
    stream = plain.mgpuStreamCreate()
    plain.end_stream(stream)
    assert fake.made()[-1] == ("cuStreamDestroy", (stream,))
    assert plain.mgpuStreamCreate() != stream


def test_threads_never_get_the_same(fake):
    """The driver may give the lock away while it is asked."""
    meeting = threading.Barrier(2)

    def query(name, handle, on):
        meeting.wait(300)

    idle = Idle("cuStreamQuery", "cuStreamDestroy", query, lambda *a, **k: None)
    idle.give(1, 0)
    idle.give(2, 0)
    found = []
    threads = [threading.Thread(target=lambda: found.append(idle.take(0))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == [1, 2]

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Streams and events on the host device."""

from __future__ import annotations

import re
import threading
import time

import numpy as np
import pytest

import xgpu
from xgpu.api.devices.registry import backend

SPIN = """
gpu.module @kernels {
  gpu.func @spin(%a: memref<?xi64>, %n: index, %v: i64) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : i64
    %end = scf.for %i = %c0 to %n step %c1 iter_args(%x = %v) -> (i64) {
      %p = arith.muli %x, %c7 : i64
      %q = arith.xori %p, %v : i64
      %k = arith.index_cast %i : index to i64
      %r = arith.divui %q, %c7 : i64
      %s = arith.addi %r, %k : i64
      scf.yield %s : i64
    }
    memref.store %end, %a[%c0] : memref<?xi64>
    gpu.return
  }
  gpu.func @copy(%a: memref<?xi64>, %b: memref<?xi64>) kernel {
    %c0 = arith.constant 0 : index
    %x = memref.load %a[%c0] : memref<?xi64>
    memref.store %x, %b[%c0] : memref<?xi64>
    gpu.return
  }
}
"""
LONG = 3_000_000


@pytest.fixture(scope="module")
def kernels():
    return xgpu.load(SPIN, "host").kernels


def test_a_stream_goes_on_while_the_caller_does(kernels):
    a = xgpu.zeros(1, "int64", "host")
    stream = xgpu.Stream("host")
    kernels["spin"][1, 1, stream](a, LONG, 3)
    event = stream.record()
    assert not event.done
    assert not stream.done
    stream.synchronize()
    assert event.done
    assert stream.done
    assert a.numpy()[0] != 0


def test_one_stream_waits_for_another(kernels):
    a, b = xgpu.zeros(1, "int64", "host"), xgpu.zeros(1, "int64", "host")
    first, second = xgpu.Stream("host"), xgpu.Stream("host")
    kernels["spin"][1, 1, first](a, LONG, 3)
    second.wait(first)
    kernels["copy"][1, 1, second](a, b)
    second.synchronize()
    assert b.numpy()[0] == a.numpy()[0] != 0


def test_events_take_the_time(kernels):
    a = xgpu.zeros(1, "int64", "host")
    stream = xgpu.Stream("host")
    begin = stream.record()
    kernels["spin"][1, 1, stream](a, LONG, 3)
    end = stream.record()
    assert begin.elapsed(end) > 1.0  # three million dependent steps take longer than 1 ms
    assert begin.elapsed(begin) == 0.0


def test_arguments_live_until_the_kernel_has_run(kernels):
    stream = xgpu.Stream("host")
    b = xgpu.zeros(1, "int64", "host")
    a = xgpu.zeros(1, "int64", "host")
    kernels["spin"][1, 1, stream](a, LONG, 3)
    kernels["copy"][1, 1, stream](a, b)
    del a
    xgpu.empty(1, "int64", "host")  # frees what is unused, which must not be accessed then
    stream.synchronize()
    assert b.numpy()[0] != 0


def test_many_threads_with_streams_of_their_own(kernels):
    wrong: list[object] = []

    def work(value: int) -> None:
        stream = xgpu.Stream("host")
        a, b = np.full(1, value), np.zeros(1, np.int64)
        for _ in range(50):
            b[0] = -1
            kernels["copy"][1, 1, stream](a, b)
            stream.synchronize()
            if b[0] != value:
                wrong.append((value, b[0]))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_what_is_no_stream(kernels):
    with pytest.raises(TypeError, match=r"stream is 3, expected an xgpu.Stream"):
        kernels["copy"][1, 1, 3]

    class Foreign:
        def __cuda_stream__(self):
            return (0, 77)

    with pytest.raises(ValueError, match="is a CUDA stream, and what it gets runs on host"):
        kernels["copy"][1, 1, Foreign()]
    with pytest.raises(TypeError, match="a stream of the host device is no CUDA stream"):
        xgpu.Stream("host").__cuda_stream__()


ENDLESS = """
gpu.module @m {
  gpu.func @endless(%a: memref<?xi32>) kernel {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    scf.while : () -> () {
      %v = memref.atomic_rmw addi %zero, %a[%c0] : (i32, memref<?xi32>) -> i32
      %go = arith.cmpi eq, %v, %zero : i32
      scf.condition(%go)
    } do {
      scf.yield
    }
    gpu.return
  }
}
"""


def test_a_kernel_in_one_thread_does_not_keep_others_from_launching():
    """What the caller's thread runs itself holds no lock meanwhile."""
    endless = xgpu.load(ENDLESS, "host").kernels["endless"]
    held, free = np.zeros(1, np.int32), np.ones(1, np.int32)
    thread = threading.Thread(target=lambda: endless[1, 1](held), daemon=True)
    thread.start()
    while not endless._backend.device.running():
        time.sleep(0.001)
    ended = threading.Event()

    def other():
        stream = xgpu.Stream("host")
        endless[1, 1, stream](free)
        stream.synchronize()
        ended.set()

    threading.Thread(target=other, daemon=True).start()
    got_on = ended.wait(300)
    held[0] = 1
    thread.join(300)
    assert got_on
    assert not thread.is_alive()


def test_what_is_no_event():
    stream = xgpu.Stream("host")
    with pytest.raises(TypeError, match="what is 5, expected an xgpu"):
        stream.wait(5)
    with pytest.raises(TypeError, match="later is None, expected an xgpu"):
        stream.record().elapsed(None)


FAILING = """
gpu.module @kernels {
  gpu.func @next(%a: memref<?xf32>, %b: memref<?xf32>) kernel {
    %t = gpu.thread_id x
    %c = arith.constant 1.0 : f32
    %x = memref.load %a[%t] : memref<?xf32>
    %y = arith.addf %x, %c : f32
    memref.store %y, %b[%t] : memref<?xf32>
    gpu.return
  }
  gpu.func @fails(%a: memref<?xf32>) kernel {
    %no = arith.constant false
    cf.assert %no, "bad"
    gpu.return
  }
}
"""


def test_threads_that_share_a_stream_each_hear_of_what_befell_their_own(capfd):
    """A launch that was skipped, for another thread's had failed before it, must not look done."""
    kernels = xgpu.load(FAILING, "host").kernels
    wrong: list[str] = []

    def fail() -> None:
        a = np.zeros(1, np.float32)
        for _ in range(150):
            try:
                kernels["fails"][1, 1](a)
            except xgpu.DeviceError:
                continue
            wrong.append("a failure that was not reported")

    def work() -> None:
        a, b = np.arange(32, dtype=np.float32), np.zeros(32, np.float32)
        for _ in range(300):
            b[:] = 0
            try:
                kernels["next"][1, 32](a, b)
            except xgpu.DeviceError:
                continue
            if not np.array_equal(b, a + 1):
                wrong.append("a launch that did nothing")

    threads = [threading.Thread(target=one) for one in (fail, work, work)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    capfd.readouterr()
    assert not wrong


# -- errors that nothing waits for


def failed_stream(kernels) -> xgpu.Stream:
    """A stream in which a copy beyond the end of an array has failed."""
    stream = xgpu.Stream("host")
    kernels["copy"][1, 1, stream](xgpu.zeros(0, "int64", "host"), xgpu.zeros(1, "int64", "host"))
    while not stream.done:
        time.sleep(0.001)
    return stream


def test_an_error_of_a_stream_that_ends_is_printed(kernels, capfd):
    stream = failed_stream(kernels)
    with pytest.raises(xgpu.DeviceError, match="load from element 0"):
        stream.synchronize()
    del stream
    assert capfd.readouterr().err == ""
    stream = failed_stream(kernels)
    del stream
    printed = capfd.readouterr().err
    assert re.match(r"xgpu: error in stream \d+, for which nothing has waited: kernel 'c", printed)
    assert "load from element 0 of memref<?xi64> of 0 elements" in printed


def test_errors_are_printed_at_the_end_of_the_process(kernels, capfd):
    stream = failed_stream(kernels)
    backend("host").report_unseen_errors()  # what atexit calls
    assert "for which nothing has waited: kernel 'copy'" in capfd.readouterr().err
    with pytest.raises(xgpu.DeviceError):  # the thread that has launched it still gets it
        stream.synchronize()

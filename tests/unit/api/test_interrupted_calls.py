# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ctrl-C between any two lines of what the host device does for a call: the device serves again, in
the order that streams have.
"""

from __future__ import annotations

import sys

import pytest

from tests.support import processes

# Each call is made again and again, and interrupted one line later each time, until it comes to its
# end: in the files of the device and of `xgpu.api`, where the interpreter acts on signals as it
# does anywhere.
PROGRAM = '''
import faulthandler, linecache, os, sys
import numpy as np
import xgpu

SOURCE = """
gpu.module @m {
  gpu.func @double(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %x = gpu.block_id x
    %v = memref.load %a[%x] : memref<?xf32>
    %z = arith.constant 0.0 : f32
    %d = arith.addf %v, %v : f32
    %w = scf.for %i = %c0 to %n step %c1 iter_args(%s = %d) -> (f32) {
      %t = arith.mulf %s, %z : f32
      %u = arith.addf %t, %d : f32
      scf.yield %u : f32
    }
    memref.store %w, %b[%x] : memref<?xf32>
    gpu.return
  }
}
"""
SIZE, STEPS = 64, 200_000
double = xgpu.load(SOURCE, "host").kernels["double"]
a, b = np.ones(SIZE, np.float32), np.zeros(SIZE, np.float32)
da, db, dc = (xgpu.zeros(SIZE, "float32", "host") for _ in range(3))
stream = xgpu.Stream("host")


def waits():
    double[SIZE, 1](a, b, 0)


def again():  # long enough for helpers: it is made again with few steps of Python
    double[SIZE, 1](a, b, 2_000)


def queued():
    double[SIZE, 1, stream](da, db, 0)


def behind():  # in a stream that is busy
    double[SIZE, 1, stream](da, dc, 0)


def filled():
    db.fill(3.0)


def recorded():
    stream.record().synchronize()


def fresh():
    other = xgpu.Stream("host")
    double[SIZE, 1, other](da, db, 0)
    other.synchronize()


call = globals()[sys.argv[1]]
folders = tuple(
    os.path.join(os.path.dirname(xgpu.__file__), *part) + os.sep
    for part in (("host_device", "device"), ("api",))
)
left, place = 0, ""


def trace(frame, event, _):
    global left, place
    if not frame.f_code.co_filename.startswith(folders) or frame.f_code.co_name == "__del__":
        return None
    here = frame.f_code.co_filename, frame.f_lineno
    # The interpreter tells of a `with` when it is left, too, where no signal is acted on.
    if event == "line" and not linecache.getline(*here).lstrip().startswith("with "):
        left -= 1
        if left == 0:
            place = here
            raise KeyboardInterrupt
    return trace


def interrupted(count):
    """Whether the call was interrupted at that line."""
    global left
    for _ in range(3):  # what an interrupt has lost is there again
        call()
    left = count
    try:
        sys.settrace(trace)
        call()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(None)
    return False


for _ in range(12):
    call()
stream.synchronize()
count = 1
while True:
    faulthandler.dump_traceback_later(300, exit=True)
    da.fill(1.0)
    db.fill(0.0)
    if call is behind:
        double[SIZE, 1, stream](da, db, STEPS)
    was = interrupted(count)
    if call is behind:  # whatever became of it, the long one before it is waited for
        stream.synchronize()
        assert (db.numpy() == 2).all(), (place, db.numpy())
    b[:] = 0
    double[SIZE, 1](a, b, 0)
    assert (b == 2).all(), (place, b)
    double[SIZE, 1, stream](da, db, 0)
    stream.synchronize()
    assert (db.numpy() == 2).all(), (place, db.numpy())
    faulthandler.cancel_dump_traceback_later()
    if not was:
        break
    count += 1
print(count, flush=True)
os._exit(0)
'''


@pytest.mark.parametrize(
    ("call", "least"),
    [
        ("waits", 50),
        ("queued", 40),
        ("filled", 30),
        pytest.param("again", 20, marks=pytest.mark.long),
        pytest.param("behind", 40, marks=pytest.mark.long),
        pytest.param("recorded", 40, marks=pytest.mark.long),
        pytest.param("fresh", 80, marks=pytest.mark.long),
    ],
)
def test_the_device_serves_after_an_interrupt_at_any_line(call: str, least: int) -> None:
    done = processes.run(
        [sys.executable, "-c", PROGRAM, call], capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]
    assert int(done.stdout) > least

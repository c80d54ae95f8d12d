# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Profiles tell kernels and streams apart."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest

import xgpu
from xgpu.core.ir.errors import UsageError
from xgpu.host_device.device.peaks import machine_peaks
from xgpu.runtime.work import Peaks

TWO = """
gpu.module @first { gpu.func @k() kernel { gpu.return } }
gpu.module @second { gpu.func @k() kernel { gpu.return } }
gpu.module @third { gpu.func @other() kernel { gpu.return } }
"""


def test_kernels_of_one_name_are_rows_of_their_own() -> None:
    module = xgpu.load(TWO, device="host")
    stream = xgpu.Stream("host")
    with xgpu.profile() as found:
        for name in ("first::k", "second::k", "second::k", "other"):
            module.kernels[name][1, 1, stream]()
        stream.synchronize()
    calls = {row.name: row.calls for row in found.rows if row.kind == "kernel"}
    assert calls == {"first::k": 1, "second::k": 2, "other": 1}


def test_a_stream_has_one_number() -> None:
    kernel = xgpu.load(TWO, device="host").kernels["other"]
    streams = [xgpu.Stream("host") for _ in range(3)]
    with xgpu.profile() as found:
        for stream in streams:
            kernel[1, 1, stream]()
            stream.synchronize()
    lanes = [event["tid"] for event in found.events if event["cat"] == "kernel"]
    waits = [event["name"] for event in found.events if event["cat"] == "wait"]
    assert len(set(lanes)) == 3
    assert waits == [f"wait for stream {lane}" for lane in lanes]
    assert set(re.findall(r"stream \d", found.timeline())) == {f"stream {n}" for n in lanes}


SCALE = """
gpu.module @m { gpu.func @scale(%a: memref<?xf32>) kernel {
  %b = gpu.block_id x %d = gpu.block_dim x %t = gpu.thread_id x
  %base = arith.muli %b, %d : index
  %i = arith.addi %base, %t : index
  %v = memref.load %a[%i] : memref<?xf32>
  %two = arith.constant 2.0 : f32
  %w = arith.mulf %v, %two : f32
  memref.store %w, %a[%i] : memref<?xf32>
  gpu.return } }
"""


def test_what_kernels_do_in_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    peaks = Peaks(1e9, 2e9, 1e9)
    monkeypatch.setattr("xgpu.host_device.device.peaks.machine_peaks", lambda: peaks)
    kernel = xgpu.load(SCALE, device="host").kernels["scale"]
    values = np.ones(256, np.float32)
    with xgpu.profile() as found:
        for _ in range(3):
            kernel[4, 64](values)
    assert (values == 8).all()
    (rate,) = found.kernels
    assert (rate.name, rate.strategy, rate.calls, rate.timed) == ("scale", "block-loops", 3, 2)
    assert (rate.bytes, rate.floats) == (2 * 8 * 256, 2 * 256)
    assert "block-loops" in repr(found)
    picture = ElementTree.fromstring(found.roofline("one kernel"))
    texts = [element.text for element in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert {"one kernel", "scale", "f32 2 GFLOP/s", "1 GB/s"} <= set(texts)


def test_a_profile_need_not_count() -> None:
    kernel = xgpu.load(SCALE, device="host").kernels["scale"]
    with xgpu.profile(counts=False) as found:
        kernel[4, 64](np.ones(256, np.float32))
    assert not found.kernels
    assert "GB/s" not in repr(found)
    with pytest.raises(UsageError, match="does not count"):
        found.roofline()


def test_the_machine_computes_and_copies() -> None:
    found = machine_peaks(1)
    assert found.floats > found.doubles > 1e8
    assert found.bytes > 1e8

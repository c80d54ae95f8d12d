# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Profiles tell kernels and streams apart."""

from __future__ import annotations

import re

import xgpu

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

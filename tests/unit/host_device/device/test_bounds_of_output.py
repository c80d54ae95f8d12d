# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What runs produce has a bound, and says when it is reached: printf, traces, profiles, warnings,
and the sanitizer's reports."""

from __future__ import annotations

import json

import numpy as np
import pytest

import xgpu
from xgpu.core.ir.errors import DeviceError
from xgpu.host_device.device.printing import VARIABLE
from xgpu.host_device.sanitizer.reports import monitor
from xgpu.runtime import session as sessions
from xgpu.runtime.session import EVENTS_VARIABLE, Session

PRINTS = """
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%n: index) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      scf.for %i = %c0 to %n step %c1 {
        gpu.printf "line %lld\\0A", %i : index
      }
      gpu.return
    }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
LAUNCHES
    return
  }
}
"""
LINE = len("line 0\n")


def printing(*counts: int) -> str:
    """A program that launches a kernel for each of `counts`, which prints so many lines."""
    launches = "".join(
        f"    %n{i} = arith.constant {count} : index\n"
        "    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) "
        f"args(%n{i} : index)\n"
        for i, count in enumerate(counts)
    )
    return PRINTS.replace("LAUNCHES", launches)


def printed(text: str) -> list[str]:
    """What a program prints, in the pieces that are written."""
    pieces: list[str] = []
    xgpu.run(text, device="host", output=pieces.append, filename="prints.mlir")
    return pieces


def test_a_launch_that_prints_more_than_the_buffer_is_cut_off(monkeypatch, capfd):
    monkeypatch.setenv(VARIABLE, str(5 * LINE + 3))
    assert "".join(printed(printing(8))) == "".join(f"line {i}\n" for i in range(5))
    warnings = capfd.readouterr().err.splitlines()
    assert warnings[0] == (
        f"warning: kernel 'k' prints more than the {5 * LINE + 3} bytes of printf's buffer "
        f"({VARIABLE}): the rest is not shown"
    )
    assert warnings[1].startswith("prints.mlir:16:5: warning: kernel 'k': ")
    assert warnings[1].endswith(
        f"printed {8 * LINE} bytes, of which the last {3 * LINE} are not shown"
    )
    assert len(warnings) == 2


def test_what_is_short_does_not_slip_in_behind_what_was_cut_off(monkeypatch, capfd):
    """The end is missing, and nothing between."""
    monkeypatch.setenv(VARIABLE, str(10 * LINE + LINE))  # 10 lines of one digit, and no room for 11
    assert "".join(printed(printing(30))).endswith("line 8\nline 9\n")


def test_several_launches_have_a_buffer_each(monkeypatch, capfd):
    """All that they print is there, and no more than two buffers are kept at a time."""
    monkeypatch.setenv(VARIABLE, str(10 * LINE))
    pieces = printed(printing(*[10] * 20))
    assert "".join(pieces) == "".join(f"line {i}\n" for i in range(10)) * 20
    assert max(map(len, pieces)) <= 20 * LINE
    assert not capfd.readouterr().err


def test_a_kernel_called_again_and_again_has_a_buffer_each_time(monkeypatch, capfd):
    monkeypatch.setenv(VARIABLE, str(10 * LINE))
    kernel, stream = xgpu.load(printing(1), "host").kernels["k"], xgpu.Stream("host")
    for _ in range(50):
        kernel[1, 1, stream](3)
    stream.synchronize()
    assert capfd.readouterr().out.splitlines() == ["line 0", "line 1", "line 2"] * 50


def test_a_buffer_without_a_bound_and_one_that_is_none(monkeypatch, capfd):
    monkeypatch.setenv(VARIABLE, "0")
    assert "".join(printed(printing(100_000))).count("\n") == 100_000
    monkeypatch.setenv(VARIABLE, "1 MiB")
    with pytest.raises(DeviceError, match=f"{VARIABLE} is '1 MiB', expected a number of bytes"):
        printed(printing(1))


def test_a_trace_that_is_full(monkeypatch, capfd):
    monkeypatch.setenv(EVENTS_VARIABLE, "2")
    result = xgpu.run(printing(0, 0, 0), device="host", trace=True)
    trace = json.loads(result.session.trace_json())
    assert len([e for e in trace["traceEvents"] if e["ph"] == "X"]) == 2
    left_out = trace["otherData"]["operations left out"]
    assert left_out >= 3
    warning = f"holds 2 operations ({EVENTS_VARIABLE}): what runs from here on is not in it"
    assert capfd.readouterr().err.count(warning) == 1


def test_a_profile_that_is_full(monkeypatch, capfd):
    monkeypatch.setenv(EVENTS_VARIABLE, "2")
    kernel, stream = xgpu.load(printing(1), "host").kernels["k"], xgpu.Stream("host")
    kernel[1, 1, stream](0)
    stream.synchronize()
    with xgpu.profile() as profile:
        for _ in range(5):
            kernel[1, 1, stream](0)
        stream.synchronize()
    assert len(profile.events) == 2
    assert profile.left_out == 4
    assert repr(profile).endswith("4 more operations ran when the profile was full")
    assert capfd.readouterr().err.count("holds 2 operations") == 1
    with xgpu.profile() as profile:
        kernel[1, 1, stream](0)
    assert "more operations" not in repr(profile)


def test_warnings_without_end(monkeypatch, capfd):
    monkeypatch.setattr(sessions, "MOST_WARNINGS", 3)
    session = Session()
    for number in range(10):
        session.warn(f"number {number}", "")
        session.warn(f"number {number}", "")
    assert capfd.readouterr().err.splitlines() == [
        "warning: number 0", "warning: number 1", "warning: number 2",
        "warning: more than 3 warnings: no more are shown",
    ]  # fmt: skip


RACES = """
gpu.module @m {
  gpu.func @k(%x: memref<?xf32>, %f: f32) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %n = arith.index_cast %t : index to i32
    %v = arith.sitofp %n : i32 to f32
STORES
    gpu.return
  }
}
"""


def test_reports_without_end(monkeypatch):
    """Each pair of places has a report, as long as there is room."""
    monkeypatch.setattr(monitor, "MOST_FINDINGS", 4)
    stores = "".join(
        f"    %i{n} = arith.constant {n} : index\n    memref.store %v, %x[%i{n}] : memref<?xf32>\n"
        for n in range(20)
    )
    text = RACES.replace("STORES", stores)
    with xgpu.sanitized(["race"]) as watched:
        xgpu.load(text, "host").kernels["k"][1, 64](np.zeros(20, np.float32), 1.0)
    found = watched.findings()
    assert len(found) == 4
    assert found.left_out > 0
    assert f"no room for more reports: {found.left_out} times an access" in found.text()

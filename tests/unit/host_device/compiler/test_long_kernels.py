# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The time that a kernel whose threads wait takes to compile grows as the kernel does."""

from __future__ import annotations

import cProfile

import pytest

from tests.support.processor_time import least_ratio, seconds
from tests.support.some_cases import short
from xgpu.host_device.compiler.compiler import host_text, to_threads
from xgpu.host_device.compiler.specialize import KernelSource


def kernel(waits):
    """A chain of 50 operations before each barrier of a warp."""
    lines, value = [], "%x"
    for i in range(50 * waits):
        lines.append(f"    %v{i} = llvm.fmul {value}, %y : f32")
        value = f"%v{i}"
        if i % 50 == 49:
            lines.append("    nvvm.bar.warp.sync %m : i32")
    body = "\n".join(lines)
    return f"""gpu.module @m {{
  llvm.func @k(%out: !llvm.ptr, %x: f32, %y: f32) attributes {{nvvm.kernel}} {{
    %m = llvm.mlir.constant(-1 : i32) : i32
{body}
    llvm.store {value}, %out : f32, !llvm.ptr
    llvm.return
  }}
}}"""


def processor_time(waits):
    """Seconds to compile it."""
    source = KernelSource(kernel(waits))
    assert source.module
    return seconds(lambda: source.threads(2))


def test_long_computations_are_not_looked_at_again_behind_each_wait():
    """LLVM would, in time that grows as the square of the kernel."""
    ratio = least_ratio(lambda: processor_time(80), lambda: processor_time(20), 8)
    assert ratio < 8


def calls(strategy, count):
    """How many Python functions the passes of a strategy call for so many barriers."""
    wait = "nvvm.barrier0" if strategy == "block-loops" else "nvvm.barrier id = %one"
    text = kernel(count).replace("nvvm.bar.warp.sync %m : i32", wait)
    text = text.replace("%m = llvm", "%one = llvm.mlir.constant(1 : i32) : i32\n    %m = llvm")
    source = KernelSource(text)
    profile = cProfile.Profile()
    assert source.module
    profile.enable()
    if strategy == "threads":
        module = source.module.clone()
    else:
        module = source.specialized_ir(strategy, "k", (64, 1, 1))
    to_threads(module)
    host_text(module)
    profile.disable()
    return sum(entry.callcount for entry in profile.getstats())


@pytest.mark.parametrize("strategy", short(["block-loops", "warps", "threads"], "warps"))
def test_passes_take_time_in_proportion_to_the_kernel(strategy):
    calls(strategy, 1)
    assert calls(strategy, 40) < 4.4 * calls(strategy, 10)

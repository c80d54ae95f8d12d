# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PTX, cubins and fat binaries, levels, lines, and unloading on an NVIDIA GPU."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

import xgpu
from tests.support.gpu_kernels import FILL
from xgpu.core.ir.errors import DeviceError

pytestmark = pytest.mark.gpu


def has_assembler() -> bool:
    if shutil.which("ptxas"):
        return True
    try:
        from cuda.bindings import nvjitlink

        return nvjitlink.version()[0] >= 12
    except Exception:
        return False


@pytest.mark.parametrize("level", [0, 1, 2, 3])
@pytest.mark.parametrize("format", ["isa", "bin", "fatbin"])
def test_formats_and_levels(format: str, level: int, request) -> None:
    if format != "isa":
        request.getfixturevalue("hardware")
        if not has_assembler():
            pytest.skip("needs ptxas or nvJitLink")
    array = xgpu.zeros(64, "int32", "cuda")
    module = xgpu.load(FILL, "cuda", format=format, opt_level=level, line_info=level < 2)
    module.kernels["iota"][2, 32](array, level)
    assert np.array_equal(array.numpy(), np.arange(level, 64 + level))


def test_a_module_for_another_chip(attribute) -> None:
    other = "sm_90a" if attribute("COMPUTE_CAPABILITY_MAJOR") != 9 else "sm_100a"
    module = xgpu.load(FILL, "cuda", chip=other)
    array = xgpu.zeros(8, "int32", "cuda")
    with pytest.raises(DeviceError, match=r"the kernels are for|newer than what the driver reads"):
        module.kernels["iota"][1, 8](array, 1)


LONG = """
gpu.module @kernels {
  gpu.func @long(%a: memref<?xi32>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = arith.constant 1 : i32
    %t = gpu.thread_id x
    scf.for %i = %c0 to %n step %c1 {
      %old = memref.atomic_rmw addi %one, %a[%t] : (i32, memref<?xi32>) -> i32
    }
    gpu.return
  }
}
"""


def test_unloading_while_a_kernel_runs() -> None:
    array = xgpu.zeros(32, "int32", "cuda")
    stream = xgpu.Stream("cuda")
    module = xgpu.load(LONG, "cuda")
    module.kernels["long"][1, 32, stream](array, 2_000_000)
    module.close()  # waits
    assert (array.numpy() == 2_000_000).all()


def test_a_module_that_nobody_refers_to_any_more() -> None:
    array = xgpu.zeros(32, "int32", "cuda")
    stream = xgpu.Stream("cuda")
    for _ in range(20):
        xgpu.load(LONG, "cuda").kernels["long"][1, 32, stream](array, 10_000)
    stream.synchronize()
    assert (array.numpy() == 200_000).all()

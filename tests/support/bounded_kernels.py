# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that index arrays of NumPy, within them and beyond."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import xgpu
from xgpu.core.ir.errors import DeviceError

INDEX = """
    %b = gpu.block_id x
    %d = gpu.block_dim x
    %t = gpu.thread_id x
    %o = arith.muli %b, %d : index
    %i = arith.addi %o, %t : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = arith.constant 1.0 : f32
"""
X = "%x: memref<?xf32>"
STORE = "memref.store %one, %x[%i] : memref<?xf32>"


def loaded(parameters: str, body: str, before: str = "", **options: Any) -> xgpu.Module:
    text = f"""
gpu.module @m {{
{before}
  gpu.func @k({parameters}) kernel {{
{INDEX}
{body}
    gpu.return
  }}
}}"""
    return xgpu.load(text, device="host", filename="k.mlir", **options)


def launch(parameters: str, body: str, *arguments: Any, grid: Any = 4, block: Any = 256,
           **options: Any) -> None:  # fmt: skip
    loaded(parameters, body, **options).kernels["k"][grid, block](*arguments)


def missed(*given: Any, **options: Any) -> str:
    """What is said of a launch that leaves an array."""
    with pytest.raises(DeviceError) as raised:
        launch(*given, **options)
    return str(raised.value)


def floats(count: int) -> Any:
    """Floats with room behind them, which has to stay as it is."""
    whole = np.zeros(count + 8192, np.float32)
    return whole[4096 : 4096 + count]


def untouched(view: Any) -> bool:
    """Whether nothing but a view of `floats` has been written."""
    whole = view.base
    return not whole[:4096].any() and not whole[4096 + len(view) :].any()

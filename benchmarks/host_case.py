# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel that is measured: its programs, how they are launched, its arguments and its result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

ELEMENTS = 1 << 20
_PAGE = 4096
_APART = 1152


def apart(*arrays: np.ndarray) -> list[Any]:
    """Copies that begin at different places of a page, as what a heap gives does: where arrays lie
    whole pages from each other, a processor takes an element of one for that of another."""
    found: list[Any] = []
    for index, array in enumerate(arrays):
        room = np.empty(array.nbytes + 2 * _PAGE, np.uint8)
        begin = -room.ctypes.data % _PAGE + index * _APART % _PAGE
        copy = room[begin : begin + array.nbytes].view(array.dtype).reshape(array.shape)
        copy[...] = array
        found.append(copy)
    return found


class Case:
    """A kernel: `arguments` are fresh buffers, `check` says whether they hold the result."""

    def __init__(
        self,
        name: str,
        mlir: str,
        opencl: str,
        grid: tuple[int, ...],
        block: tuple[int, ...],
        arguments: Callable[[], list[Any]],
        check: Callable[[list[Any]], bool],
        again: Callable[[list[Any]], None] | None = None,
    ) -> None:
        self.name = name
        self.mlir = mlir
        self.opencl = opencl
        self.grid = grid
        self.block = block
        self.arguments = arguments
        self.check = check
        #: Puts buffers back that a launch changes and reads.
        self.again = again


WORKGROUP = "#gpu.address_space<workgroup>"


def module(parameters: str, workgroup: str, body: str) -> str:
    shared = f" workgroup({workgroup})" if workgroup else ""
    return f"""
module attributes {{gpu.container_module}} {{
  gpu.module @m {{
    gpu.func @k({parameters}){shared} kernel {{
{body}
      gpu.return
    }}
  }}
}}
"""


INDICES = """
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %tx = gpu.thread_id x
      %ty = gpu.thread_id y
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %dx = gpu.block_dim x
      %dy = gpu.block_dim y
      %xb = arith.muli %bx, %dx : index
      %x = arith.addi %xb, %tx : index
      %yb = arith.muli %by, %dy : index
      %y = arith.addi %yb, %ty : index
"""

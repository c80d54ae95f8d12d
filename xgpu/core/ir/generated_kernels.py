# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that passes of xgpu's own have written, by an attribute of theirs.

What mlir-opt makes of a kernel xgpu makes too, to the byte. One that has been through
`circular-buffer` or `gpu-gemm-pipeline` is nobody's but ours: it may get code that is better.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import UnitAttr

if TYPE_CHECKING:
    from xdsl.ir import Operation

OWN = "xgpu.own"
_KERNELS = ("gpu.launch", "gpu.func", "llvm.func")


def mark_own(op: Operation) -> None:
    """Say so of the kernel around `op`, or that `op` is, if there is one."""
    kernel: Operation | None = op
    while kernel is not None and kernel.name not in _KERNELS:
        kernel = kernel.parent_op()
    if kernel is not None:
        kernel.attributes[OWN] = UnitAttr()


def own_kernels(module: Operation) -> Iterator[Operation]:
    """Those in `module`, a module of kernels in the llvm dialect."""
    for op in module.regions[0].block.ops:
        if OWN in op.attributes:
            yield op

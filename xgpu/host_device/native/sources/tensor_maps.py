# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensor maps. A kernel that makes one begins with zeros: one dimension of bytes, as on a GPU (PTX
ISA, `tensormap.replace`)."""

from __future__ import annotations

from xgpu.host_device.native.prelude import i32, i64
from xgpu.host_device.native.records import TensorMap

LINES = 4  # of a matrix, in the modes gather4 and scatter4


def dimensions(map: TensorMap) -> i32:
    return 1 if map.rank == 0 else map.rank


def element_size(map: TensorMap) -> i64:
    return 1 if map.element_bytes == 0 else i64(map.element_bytes)

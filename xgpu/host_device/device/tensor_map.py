# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensor maps of the host device, with the checks that the CUDA driver makes of them."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

from xgpu.core.ir.errors import DeviceError
from xgpu.host_device.compiler.structs import ctypes_struct
from xgpu.runtime.runner_utils import MemRef

if TYPE_CHECKING:
    from xgpu.host_device.compiler.record_classes import TensorMap


# Bytes of an element, in the order of CUtensorMapDataType.
ELEMENT_BYTES = (1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4)
SWIZZLE_BYTES = (0, 32, 64, 128)


def encode_tensor_map(
    rank: int, descriptor: int, dtype: int, interleave: int, swizzle: int, fill: int, box: int
) -> TensorMap:
    """The record of a tiled tensor map (CUDA driver API, cuTensorMapEncodeTiled)."""
    if not 1 <= rank <= 5:
        raise DeviceError(f"tensor map of rank {rank}: it must be 1 to 5")
    if not 0 <= dtype < len(ELEMENT_BYTES):
        raise DeviceError(f"tensor map of unknown data type {dtype}")
    if interleave:
        raise DeviceError("interleaved tensor maps are not supported on the host device")
    if not 0 <= swizzle < len(SWIZZLE_BYTES):
        raise DeviceError(f"tensor map of unknown swizzle {swizzle}")
    memref = MemRef(rank, descriptor)
    size = ELEMENT_BYTES[dtype]
    boxes = list((ctypes.c_int64 * rank).from_address(box))[::-1]
    if any(not 1 <= b <= 256 for b in boxes):
        raise DeviceError(f"tensor map: box sizes must be 1 to 256, they are {boxes[::-1]}")
    if swizzle and boxes[0] * size > SWIZZLE_BYTES[swizzle]:
        raise DeviceError(
            f"tensor map: the box's innermost dimension is {boxes[0] * size} bytes, the swizzle "
            f"allows {SWIZZLE_BYTES[swizzle]}"
        )
    encoded = ctypes_struct("TensorMap")()
    encoded.base = memref.base + memref.offset * size
    encoded.rank, encoded.element_bytes = rank, size
    encoded.swizzle, encoded.fill = swizzle, fill
    for i, extent in enumerate(reversed(memref.sizes)):
        encoded.sizes[i] = extent
        encoded.box[i] = boxes[i]
    for i, stride in enumerate(reversed(memref.strides[:-1])):
        if stride * size % 16:
            raise DeviceError(f"tensor map: stride of {stride * size} bytes, not a multiple of 16")
        encoded.strides[i] = stride * size
    return encoded

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensor maps for TMA, from memref descriptors (CUDA driver API, cuTensorMapEncodeTiled)."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

from xgpu.ir.errors import DeviceError
from xgpu.runtime.runner_utils.memrefs import MemRef

if TYPE_CHECKING:
    from xgpu.runtime.cuda.driver import Driver

TENSOR_MAP_BYTES = 128

# Bytes of an element, in the order of CUtensorMapDataType.
ELEMENT_BYTES = (1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4)


def encode_tiled(
    driver: Driver, rank: int, descriptor: int, dtype: int, interleave: int, swizzle: int, l2: int,
    fill: int, box: int,
) -> bytes:  # fmt: skip
    """The 128 bytes of a tensor map. The driver wants dimensions innermost first, strides in
    bytes.
    """
    if not 1 <= rank <= 5:
        raise DeviceError(f"tensor map of rank {rank}: it must be 1 to 5")
    if not 0 <= dtype < len(ELEMENT_BYTES):
        raise DeviceError(f"tensor map of unknown data type {dtype}")
    memref = MemRef(rank, descriptor)
    size = ELEMENT_BYTES[dtype]
    boxes = list((ctypes.c_int64 * rank).from_address(box))
    b = driver.bindings
    encoded = driver.call(
        "cuTensorMapEncodeTiled",
        b.CUtensorMapDataType(dtype),
        rank,
        memref.base + memref.offset * size,
        [b.cuuint64_t(n) for n in reversed(memref.sizes)],
        [b.cuuint64_t(s * size) for s in reversed(memref.strides[:-1])],
        [b.cuuint32_t(n) for n in reversed(boxes)],
        [b.cuuint32_t(1)] * rank,
        b.CUtensorMapInterleave(interleave),
        b.CUtensorMapSwizzle(swizzle),
        b.CUtensorMapL2promotion(l2),
        b.CUtensorMapFloatOOBfill(fill),
        doing=f"tensor map of a {'x'.join(map(str, memref.sizes))} memref",
    )
    return ctypes.string_at(int(encoded.getPtr()), TENSOR_MAP_BYTES)

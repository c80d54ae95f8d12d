# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensor maps for TMA, from memref descriptors (CUDA driver API, cuTensorMapEncodeTiled)."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING

from xgpu.core.ir.errors import DeviceError
from xgpu.runtime.runner_utils.memrefs import MemRef

if TYPE_CHECKING:
    from xgpu.runtime.cuda.driver import Driver

TENSOR_MAP_BYTES = 128
_ALIGNMENT = 64  # of a CUtensorMap

# Bytes of an element, in the order of CUtensorMapDataType.
ELEMENT_BYTES = (1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4)

_I, _P = ctypes.c_uint32, ctypes.c_void_p
# map, type, rank, address, sizes, strides, box, element strides, interleave, swizzle, L2
# promotion, fill
_ENCODE = ctypes.CFUNCTYPE(ctypes.c_int, _P, _I, _I, _P, _P, _P, _P, _P, _I, _I, _I, _I)


def encode_tiled(
    driver: Driver, rank: int, descriptor: int, dtype: int, interleave: int, swizzle: int, l2: int,
    fill: int, box: int,
) -> bytes:  # fmt: skip
    """The 128 bytes of a tensor map. The driver wants dimensions innermost first, strides in
    bytes, and a map at a multiple of 64 bytes, where the bindings' own objects are not.
    """
    if not 1 <= rank <= 5:
        raise DeviceError(f"tensor map of rank {rank}: it must be 1 to 5")
    if not 0 <= dtype < len(ELEMENT_BYTES):
        raise DeviceError(f"tensor map of unknown data type {dtype}")
    memref = MemRef(rank, descriptor)
    size = ELEMENT_BYTES[dtype]
    boxes = list((ctypes.c_int64 * rank).from_address(box))
    storage = ctypes.create_string_buffer(TENSOR_MAP_BYTES + _ALIGNMENT)
    aligned = -(-ctypes.addressof(storage) // _ALIGNMENT) * _ALIGNMENT
    result = _ENCODE(driver.entry("cuTensorMapEncodeTiled"))(
        aligned, dtype, rank, memref.base + memref.offset * size,
        _words(ctypes.c_uint64, memref.sizes[::-1]),
        _words(ctypes.c_uint64, [s * size for s in memref.strides[-2::-1]]),
        _words(ctypes.c_uint32, boxes[::-1]), _words(ctypes.c_uint32, [1] * rank),
        interleave, swizzle, l2, fill,
    )  # fmt: skip
    sizes = "x".join(map(str, memref.sizes))
    driver.check(result, "cuTensorMapEncodeTiled", f"tensor map of a {sizes} memref")
    return ctypes.string_at(aligned, TENSOR_MAP_BYTES)


def _words(
    kind: type[ctypes.c_uint32 | ctypes.c_uint64], values: Sequence[int]
) -> ctypes.Array[ctypes.c_uint32] | ctypes.Array[ctypes.c_uint64]:
    return (kind * max(len(values), 1))(*values)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Registers of a warp whose threads are a vector, for what works on those of a thread.

`lanes` has element after element, each of all 32 lanes; `threads` thread after thread, `size` bytes
each. See `xgpu/host_device/compiler/vectors/scratch.py`.
"""

from __future__ import annotations

from xgpu.host_device.native.prelude import Ptr, advance, i16, i32, i64, ptr

WARP = 32


def xgpu_to_threads(threads: ptr, lanes: ptr, size: i64, at: i64, count: i64, bytes: i64) -> None:
    """Give each thread `count` elements of 2, 4 or 8 `bytes`, from byte `at` of its memory on."""
    for i in range(count):
        place = at + i * bytes
        source = advance(lanes, place * WARP)
        for lane in range(i64(WARP)):
            target = advance(threads, lane * size + place)
            if bytes == 4:
                Ptr[i32](target)[0] = Ptr[i32](source)[lane]
            elif bytes == 2:
                Ptr[i16](target)[0] = Ptr[i16](source)[lane]
            else:
                Ptr[i64](target)[0] = Ptr[i64](source)[lane]


def xgpu_to_lanes(threads: ptr, lanes: ptr, size: i64, at: i64, count: i64, bytes: i64) -> None:
    """Give the lanes what the threads have there."""
    for i in range(count):
        place = at + i * bytes
        target = advance(lanes, place * WARP)
        for lane in range(i64(WARP)):
            source = advance(threads, lane * size + place)
            if bytes == 4:
                Ptr[i32](target)[lane] = Ptr[i32](source)[0]
            elif bytes == 2:
                Ptr[i16](target)[lane] = Ptr[i16](source)[0]
            else:
                Ptr[i64](target)[lane] = Ptr[i64](source)[0]

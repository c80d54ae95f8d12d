# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the driver asks of memory, copies, fills and maps of tensors; see `fake_rules`."""

from __future__ import annotations

import ctypes
from typing import Any

from tests.support.fake_rules import Refused, check_stream, require, rule

#: Bytes of an element of each type of a map of a tensor.
_ELEMENT = (1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4)


def allocate(d: Any, size: int, kind: str) -> Any:
    from tests.support.fake_driver import Memory

    require(size, "an allocation of nothing")
    if size > 1 << 36:
        raise Refused("too much", "OUT_OF_MEMORY", broken=False)
    memory = Memory(size, kind)
    return (d.make("memory", memory, memory.address),)


def free(d: Any, address: Any, *kinds: str) -> None:
    found = d.alive.get("memory", {}).get(int(address))
    require(found is not None, f"0x{int(address):x} is not allocated")
    require(found.kind in kinds, f"memory of the kind {found.kind}")
    del d.alive["memory"][int(address)]


@rule
def cuMemAlloc(d: Any, size: int) -> Any:
    return allocate(d, size, "plain")


@rule
def cuMemAllocManaged(d: Any, size: int, flags: Any) -> Any:
    return allocate(d, size, "managed")


@rule
def cuMemHostAlloc(d: Any, size: int, flags: int) -> Any:
    return allocate(d, size, "mapped")


@rule
def cuMemAllocAsync(d: Any, size: int, stream: Any) -> Any:
    require(d.attributes["MEMORY_POOLS_SUPPORTED"], "no memory pools", "NOT_SUPPORTED")
    check_stream(d, stream)
    return allocate(d, size, "ordered")


@rule
def cuMemAllocFromPoolAsync(d: Any, size: int, pool: Any, stream: Any) -> Any:
    if int(pool) not in d.pools_of_devices:
        d.find("pool", pool)
    return cuMemAllocAsync(d, size, stream)


@rule
def cuMemFree(d: Any, address: Any) -> Any:
    free(d, address, "plain", "managed", "ordered")


@rule
def cuMemFreeHost(d: Any, address: Any) -> Any:
    free(d, address, "mapped")


@rule
def cuMemFreeAsync(d: Any, address: Any, stream: Any) -> Any:
    require(d.attributes["MEMORY_POOLS_SUPPORTED"], "no memory pools", "NOT_SUPPORTED")
    check_stream(d, stream)
    free(d, address, "plain", "ordered")


@rule
def cuMemPoolCreate(d: Any, properties: Any) -> Any:
    require(d.attributes["MEMORY_POOLS_SUPPORTED"], "no memory pools", "NOT_SUPPORTED")
    return (d.make("pool"),)


@rule
def cuMemPoolDestroy(d: Any, pool: Any) -> Any:
    d.end("pool", pool)


@rule
def cuMemPoolTrimTo(d: Any, pool: Any, size: int) -> Any:
    d.find("pool", pool)


@rule
def cuMemcpyAsync(d: Any, target: int, source: int, size: int, stream: Any) -> Any:
    check_stream(d, stream)
    if size:
        d.memory_at(target, size)
        d.memory_at(source, size)
        if min(target, source) > 1 << 20:  # else numbers of a test
            ctypes.memmove(target, source, size)


@rule
def cuMemcpy2DAsync(d: Any, params: Any, stream: Any) -> Any:
    check_stream(d, stream)
    width, rows = params.WidthInBytes, params.Height
    require(width and rows, "a copy of nothing")
    ends: list[tuple[int, int]] = []
    for end in ("dst", "src"):
        is_host = "HOST" in getattr(params, f"{end}MemoryType").name
        address = int(getattr(params, f"{end}Host" if is_host else f"{end}Device"))
        pitch = getattr(params, f"{end}Pitch")
        require(pitch >= width, "the pitch is less than a row")
        found = d.memory_at(address, (rows - 1) * pitch + width)
        require(is_host != (found is not None), f"the kind of the memory of {end}")
        ends.append((address, pitch))
    (to, to_pitch), (origin, pitch) = ends
    for i in range(rows):
        ctypes.memmove(to + i * to_pitch, origin + i * pitch, width)


@rule
def cuMemcpyHtoD(d: Any, target: Any, source: bytes, size: int) -> Any:
    require(d.memory_at(int(target), size), "the target is no memory of the device")
    ctypes.memmove(int(target), source, size)


def fill(d: Any, at: int, pitch: int, value: int, size: int, columns: int, rows: int) -> None:
    require(at % size == 0 and pitch % size == 0, "alignment of a fill")
    if not columns or not rows:
        return
    memory = d.memory_at(at, pitch * (rows - 1) + columns * size)
    require(memory is not None or at < 1 << 20, "a fill of pageable memory of the host")
    if memory is not None:
        for row in range(rows):
            word = value.to_bytes(size, "little") * columns
            ctypes.memmove(at + row * pitch, word, len(word))


@rule
def cuMemsetD8Async(d: Any, at: int, value: int, count: int, stream: Any) -> Any:
    check_stream(d, stream)
    fill(d, at, 0, value, 1, count, 1)


@rule
def cuMemsetD16Async(d: Any, at: int, value: int, count: int, stream: Any) -> Any:
    check_stream(d, stream)
    fill(d, at, 0, value, 2, count, 1)


@rule
def cuMemsetD32Async(d: Any, at: int, value: int, count: int, stream: Any) -> Any:
    check_stream(d, stream)
    fill(d, at, 0, value, 4, count, 1)


@rule
def cuMemsetD2D32Async(
    d: Any, at: int, pitch: int, value: int, columns: int, rows: int, stream: Any
) -> Any:
    check_stream(d, stream)
    fill(d, at, pitch, value, 4, columns, rows)


@rule
def cuMemHostRegister(d: Any, address: int, size: int, flags: int) -> Any:
    for start, length in d.alive.get("registered", {}).items():
        if address < start + length and address + size > start:
            raise Refused("registered already", "HOST_MEMORY_ALREADY_REGISTERED")
    d.make("registered", size, address)


@rule
def cuMemHostUnregister(d: Any, address: int) -> Any:
    d.end("registered", address)


@rule
def cuTensorMapEncodeTiled(
    d: Any, at: int, kind: int, rank: int, address: int, sizes: int, strides: int, box: int,
    steps: int, interleave: int, swizzle: int, promotion: int, out_of_bounds: int,
) -> Any:  # fmt: skip
    require(at % 64 == 0, "the map is not at a multiple of 64 bytes")
    require(address % 16 == 0, "the tensor is not at a multiple of 16 bytes")
    boxes = (ctypes.c_uint32 * rank).from_address(box)
    extents = (ctypes.c_uint64 * rank).from_address(sizes)
    pitches = (ctypes.c_uint64 * (rank - 1)).from_address(strides)
    require(all(p % 16 == 0 for p in pitches), "a stride is no multiple of 16 bytes")
    require(all(0 < b <= 256 for b in boxes) and all(extents), "a box or size")
    require(interleave or boxes[0] * _ELEMENT[kind] % 16 == 0, "the inner box")
    if swizzle and boxes[0] * _ELEMENT[kind] > 16 << swizzle:
        raise Refused("the inner box exceeds the swizzle", broken=False)
    ctypes.memset(at, 0x5A, 128)
    d.tensor_maps.append((kind, address, list(extents), list(pitches), list(boxes)))

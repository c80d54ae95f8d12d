# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of the driver: where managed memory lies. It does not move; what a program says of it
is kept, and can be asked for."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import cast

from xgpu.api.cuda_driver.header import Refused, Result, require
from xgpu.api.cuda_driver.memory import ATTACH
from xgpu.api.cuda_driver.state import Allocation, Context, Stream
from xgpu.api.cuda_driver.table import entry

_INT = ctypes.c_int32
_HOST_DEVICE, _NO_DEVICE = -1, -2  # CU_DEVICE_CPU, CU_DEVICE_INVALID
_NOWHERE, _DEVICE, _HOST, _NUMA, _MOST_LOCATION = 0, 1, 2, 3, 4  # CUmemLocationType
# CUmem_advise: one sets what the next takes back.
_READ_MOSTLY, _PREFERRED, _ACCESSED = 1, 3, 5
# CUmem_range_attribute
_IS_READ_MOSTLY, _PREFERRED_DEVICE, _ACCESSED_BY, _PREFETCHED_DEVICE = 1, 2, 3, 4
_PREFERRED_TYPE, _PREFERRED_ID, _PREFETCHED_TYPE, _PREFETCHED_ID = 5, 6, 7, 8

#: CUmemLocationType, and the number of a device or of a node of the host's memory.
Place = tuple[int, int]


@dataclass(frozen=True)
class Part:
    """What a program has said of the bytes from `begin` to `end`, by their addresses: whether they
    are mostly read, where they should lie, who accesses them, and where they were fetched to."""

    begin: int
    end: int
    is_read_mostly: bool = False
    preferred: Place | None = None
    accessed: frozenset[Place] = frozenset()
    prefetched: Place | None = None


def _managed(context: Context, address: int, size: int) -> Allocation:
    found = context.driver.ranges.around(address)
    if found is None or found.kind != "managed" or address + size > found.end:
        raise Refused(Result.INVALID_VALUE, f"0x{address:x} is no managed memory of {size} bytes")
    return found


def _parts(found: Allocation) -> Sequence[Part]:
    """The parts of an allocation, in order."""
    return cast("Sequence[Part]", found.parts) or [Part(found.address, found.end)]


def _update(found: Allocation, begin: int, size: int, change: Callable[[Part], Part]) -> None:
    """Let something be said of a range. Neighbours of which the same is said are one part."""
    end = begin + size
    made: list[Part] = []
    for part in _parts(found):
        cuts = [at for at in (begin, end) if part.begin < at < part.end]
        for first, last in pairwise((part.begin, *cuts, part.end)):
            piece = replace(part, begin=first, end=last)
            if begin <= first < end:
                piece = change(piece)
            if made and replace(piece, begin=made[-1].begin) == replace(made[-1], end=last):
                made[-1] = replace(made[-1], end=last)
            else:
                made.append(piece)
    found.parts = made


def _place_of(context: Context, device: int) -> Place:
    """A device's number, or that of the host. Raises `Refused`."""
    if device == _HOST_DEVICE:
        return _HOST, 0
    return _DEVICE, context.driver.device(device).ordinal


def _place(context: Context, location: int) -> Place:
    """A location that comes in a register. Raises `Refused`."""
    type, number = location & 0xFFFFFFFF, ctypes.c_int32(location >> 32).value
    require(_NOWHERE < type <= _MOST_LOCATION, f"no type {type} of locations")
    if type == _DEVICE:
        return _place_of(context, context.driver.device(number).ordinal)
    return type, number if type == _NUMA else 0


@entry(
    "cuMemPrefetchAsync(CUdeviceptr address, size_t size, int target, CUstream stream)",
    since=8000,
)  # fmt: skip
def prefetch(context: Context, address: int, size: int, target: int, stream: Stream) -> None:
    _prefetch(context, address, size, _place_of(context, target))


@entry(
    "cuMemPrefetchAsync_v2(CUdeviceptr address, size_t size, CUmemLocation target, "
    "unsigned int flags, CUstream stream)", since=12020,
)  # fmt: skip
def prefetch_2(
    context: Context, address: int, size: int, target: int, flags: int, stream: Stream
) -> None:
    require(flags == 0, "flags must be 0")
    _prefetch(context, address, size, _place(context, target))


def _prefetch(context: Context, address: int, size: int, place: Place) -> None:
    found = _managed(context, address, size)
    _update(found, address, size, lambda part: replace(part, prefetched=place))


@entry("cuMemAdvise(CUdeviceptr address, size_t size, CUmem_advise advice, int device)", since=8000)
def advise(context: Context, address: int, size: int, advice: int, device: int) -> None:
    require(1 <= advice <= 6, f"no advice {advice}")
    needs_place = advice in (_PREFERRED, _ACCESSED, _ACCESSED + 1)
    place = _place_of(context, device) if needs_place else (_HOST, 0)
    _advise(context, address, size, advice, place)


@entry(
    "cuMemAdvise_v2(CUdeviceptr address, size_t size, CUmem_advise advice, CUmemLocation location)",
    since=12020,
)  # fmt: skip
def advise_2(context: Context, address: int, size: int, advice: int, location: int) -> None:
    require(1 <= advice <= 6, f"no advice {advice}")
    needs_place = advice in (_PREFERRED, _ACCESSED, _ACCESSED + 1)
    place = _place(context, location) if needs_place else (_HOST, 0)
    _advise(context, address, size, advice, place)


def _advise(context: Context, address: int, size: int, advice: int, place: Place) -> None:
    is_access = advice in (_ACCESSED, _ACCESSED + 1)
    require(not is_access or place[0] in (_DEVICE, _HOST), "who accesses is a device or the host")

    def change(part: Part) -> Part:
        if advice in (_READ_MOSTLY, _READ_MOSTLY + 1):
            return replace(part, is_read_mostly=advice == _READ_MOSTLY)
        if not is_access:
            return replace(part, preferred=place if advice == _PREFERRED else None)
        if advice == _ACCESSED:
            return replace(part, accessed=part.accessed | {place})
        return replace(part, accessed=part.accessed - {place})

    _update(_managed(context, address, size), address, size, change)


def _same(places: Sequence[Place | None]) -> Place | None:
    """The place that all parts have, if they have the same."""
    return places[0] if len(set(places)) == 1 else None


def _number(place: Place | None) -> int:
    """A place as a device's number."""
    if place is None:
        return _NO_DEVICE
    return place[1] if place[0] == _DEVICE else _HOST_DEVICE


def _write_attribute(parts: Sequence[Part], attribute: int, into: int, size: int) -> None:
    """Write what all parts have in common. Raises `Refused`."""
    require(_IS_READ_MOSTLY <= attribute <= _PREFETCHED_ID, f"no attribute {attribute}")
    room, rest = divmod(size, 4)
    is_list = attribute == _ACCESSED_BY
    require(room > 0 and not rest and (is_list or room == 1), f"{size} bytes for the attribute")
    values = (_INT * room).from_address(into)
    if is_list:
        common = frozenset.intersection(*(part.accessed for part in parts))
        # Devices first, then the host, as the driver gives them.
        numbers = [number for _, number in sorted((n < 0, n) for n in map(_number, common))][:room]
        values[:] = [*numbers, *[_NO_DEVICE] * (room - len(numbers))]
        return
    is_preferred = attribute in (_PREFERRED_DEVICE, _PREFERRED_TYPE, _PREFERRED_ID)
    place = _same([part.preferred if is_preferred else part.prefetched for part in parts])
    if attribute == _IS_READ_MOSTLY:
        values[0] = all(part.is_read_mostly for part in parts)
    elif attribute in (_PREFERRED_DEVICE, _PREFETCHED_DEVICE):
        values[0] = _number(place)
    elif attribute in (_PREFERRED_TYPE, _PREFETCHED_TYPE):
        values[0] = _NOWHERE if place is None else place[0]
    else:
        values[0] = _NO_DEVICE if place is None else place[1]


@entry(
    "cuMemRangeGetAttribute(void *into, size_t room, CUmem_range_attribute attribute, "
    "CUdeviceptr address, size_t size)", since=8000,
)  # fmt: skip
def range_attribute(
    context: Context, into: int, room: int, attribute: int, address: int, size: int
) -> None:
    require(size, "a range of nothing")
    _write_attribute(
        _within(_managed(context, address, size), address, size), attribute, into, room
    )


@entry(
    "cuMemRangeGetAttributes(void *into[], size_t rooms[], CUmem_range_attribute attributes[], "
    "size_t count, CUdeviceptr address, size_t size)", since=8000,
)  # fmt: skip
def range_attributes(
    context: Context, into: int, rooms: int, attributes: int, count: int, address: int, size: int
) -> None:
    require(count and size, "a range of nothing")
    parts = _within(_managed(context, address, size), address, size)
    words = ctypes.c_uint64 * count
    numbers = (ctypes.c_uint32 * count).from_address(attributes)
    given = zip(words.from_address(into), words.from_address(rooms), numbers, strict=True)
    for where, room, attribute in given:
        require(where, "a pointer is null")
        _write_attribute(parts, attribute, where, room)


def _within(found: Allocation, address: int, size: int) -> list[Part]:
    """The parts that a range has bytes of."""
    return [p for p in _parts(found) if p.begin < address + size and address < p.end]


@entry(
    "cuStreamAttachMemAsync(CUstream stream, CUdeviceptr address, size_t size, unsigned int flags)",
    since=6000,
)  # fmt: skip
def attach(context: Context, stream: Stream, address: int, size: int, flags: int) -> None:
    require(flags in ATTACH, f"flags are {flags}")
    _managed(context, address, size)

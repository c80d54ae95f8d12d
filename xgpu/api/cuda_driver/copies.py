# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of the driver: copies, also of arrays, and fills."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from xgpu.api.cuda_driver.arrays import Array, array_of
from xgpu.api.cuda_driver.header import Copy2D, Copy3D, Refused, Result, require
from xgpu.api.cuda_driver.state import COPY, FILL, Allocation, Context, NodeWork, Part, Stream
from xgpu.api.cuda_driver.table import entry
from xgpu.host_device.device.memory import transfer
from xgpu.host_device.device.operations import Operation, Transfer
from xgpu.runtime.cuda.graph_nodes import FillNode

_QUICK_BYTES = 65536  # what takes less time than another thread to begin
_HOST, _DEVICE, _ARRAY, _UNIFIED = 1, 2, 3, 4  # CUmemorytype


# -- what the driver knows of both ends


def known(context: Context, address: int, size: int) -> Allocation | None:
    """The allocation that holds these bytes; None: they are pageable memory of the host. Raises
    `Refused` where they leave it."""
    ranges = context.driver.ranges
    found = ranges.around(address)
    if found is not None and address + size > found.end and address + size > ranges.end_with(found):
        raise Refused(
            Result.INVALID_VALUE,
            f"{size} bytes at 0x{address:x} leave an allocation of {found.size} bytes",
        )
    return found


def on_device(context: Context, address: int, size: int) -> Allocation:
    """Likewise, of memory that must be known to the driver."""
    found = known(context, address, size)
    if found is None:
        raise Refused(Result.INVALID_VALUE, f"0x{address:x} is no memory of the device")
    return found


def _check_host(address: int) -> None:
    require(address, "a pointer is null")


# -- what a stream is given


class Rows:
    """`count` rows of `width` bytes in each of `slices`; pairs are distances of rows and slices in
    bytes, of the target and the source."""

    __slots__ = ("count", "from_slice", "from_step", "origin", "slices", "to", "to_slice",
                 "to_step", "width")  # fmt: skip

    def __init__(
        self, to: int, origin: int, width: int, count: int = 1, to_step: int = 0,
        from_step: int = 0, slices: int = 1, to_slice: int = 0, from_slice: int = 0,
    ) -> None:  # fmt: skip
        self.to, self.origin, self.width, self.count = to, origin, width, count
        self.to_step, self.from_step, self.slices = to_step, from_step, slices
        self.to_slice, self.from_slice = to_slice, from_slice

    @property
    def size(self) -> int:
        return self.width * self.count * self.slices

    def effects(self) -> list[Transfer]:
        """What it does, a slice each."""
        rows = (self.count, self.width, self.to_step, self.from_step)
        span = (self.count - 1) * self.to_step + self.width
        return [
            Transfer(
                "memcpy", self.to + z * self.to_slice, self.origin + z * self.from_slice, span, 0,
                None if self.count == 1 else rows,
            )
            for z in range(self.slices)
        ]  # fmt: skip


def _copying(effect: Transfer) -> Callable[[], None]:
    def run() -> None:
        for to, origin, width in effect.parts():
            transfer(to, origin, width)

    return run


def _described(rows: Rows) -> Copy3D:
    """What a program may give for the same."""
    unified = 4  # CUmemorytype
    return Copy3D(
        source_type=unified, source_device=rows.origin, source_pitch=rows.from_step,
        source_height=rows.from_slice // (rows.from_step or 1),
        target_type=unified, target_device=rows.to, target_pitch=rows.to_step,
        target_height=rows.to_slice // (rows.to_step or 1),
        width=rows.width, height=rows.count, depth=rows.slices,
    )  # fmt: skip


class CopyWork(NodeWork):
    kind = COPY

    def __init__(self, context: Context, rows: Rows, given: Copy3D | None = None) -> None:
        ends = [known(context, at, rows.width) for at in (rows.to, rows.origin)]
        facts = tuple("host" if end is None else end.kind for end in ends)
        super().__init__(_described(rows) if given is None else given, facts)
        self.rows = rows

    def parts(self) -> Sequence[Part]:
        return [("memcpy", _copying(effect), effect) for effect in self.rows.effects()]


def copy(
    context: Context, stream: Stream, rows: Rows, *, waits: bool, is_pageable: bool = False
) -> None:
    """Copy in the order of a stream; the caller waits, also for what is pageable memory of the
    host, which the driver copies by way of its own."""
    if rows.size == 0:
        return
    if stream.capture is not None:
        require(not waits, "a stream is capturing", Result.STREAM_CAPTURE_UNSUPPORTED)
        stream.capture.add(stream, CopyWork(context, rows))
        return
    quick = rows.size <= _QUICK_BYTES
    operations = [
        stream.enqueue("memcpy", _copying(effect), effect, quick=quick) for effect in rows.effects()
    ]
    if waits or is_pageable:
        context.wait(operations)


def _copied(
    context: Context, to: int, origin: int, size: int, stream: Stream | None, *ends: bool
) -> None:
    """A copy whose `ends`, target and source, must be on the device or not."""
    to_device, from_device = ends
    pageable = _is_pageable(context, to, size, to_device)
    pageable = _is_pageable(context, origin, size, from_device) or pageable
    where, waits = stream or context.legacy, stream is None
    is_short = 0 < size <= _QUICK_BYTES and where.capture is None
    if is_short and where.perform_at_once(partial(transfer, to, origin, size)):
        if waits or pageable:
            context.wait(())
        return
    copy(context, where, Rows(to, origin, size), waits=waits, is_pageable=pageable)


def _is_pageable(context: Context, address: int, size: int, must_be_known: bool) -> bool:
    """Check one end of a copy; whether it is pageable memory of the host. Raises `Refused`."""
    found = known(context, address, size)
    if found is not None:
        return False
    if must_be_known:
        raise Refused(Result.INVALID_VALUE, f"0x{address:x} is no memory of the device")
    if size:
        _check_host(address)
    return bool(size)


@entry("cuMemcpy(CUdeviceptr target, CUdeviceptr source, size_t size)", since=4000)
def copy_any(context: Context, to: int, origin: int, size: int) -> None:
    _copied(context, to, origin, size, None, False, False)


@entry(
    "cuMemcpyAsync(CUdeviceptr target, CUdeviceptr source, size_t size, CUstream stream)",
    since=4000,
)  # fmt: skip
def copy_any_async(context: Context, to: int, origin: int, size: int, stream: Stream) -> None:
    _copied(context, to, origin, size, stream, False, False)


@entry("cuMemcpyHtoD(CUdeviceptr target, const void source[]?, size_t size)", since=2000, v2=3020)
def copy_in(context: Context, to: int, origin: int, size: int) -> None:
    _copied(context, to, origin, size, None, True, False)


@entry(
    "cuMemcpyHtoDAsync(CUdeviceptr target, const void source[]?, size_t size, CUstream stream)",
    since=2000, v2=3020,
)  # fmt: skip
def copy_in_async(context: Context, to: int, origin: int, size: int, stream: Stream) -> None:
    _copied(context, to, origin, size, stream, True, False)


@entry("cuMemcpyDtoH(void target[]?, CUdeviceptr source, size_t size)", since=2000, v2=3020)
def copy_out(context: Context, to: int, origin: int, size: int) -> None:
    _copied(context, to, origin, size, None, False, True)


@entry(
    "cuMemcpyDtoHAsync(void target[]?, CUdeviceptr source, size_t size, CUstream stream)",
    since=2000,
    v2=3020,
)
def copy_out_async(context: Context, to: int, origin: int, size: int, stream: Stream) -> None:
    _copied(context, to, origin, size, stream, False, True)


@entry("cuMemcpyDtoD(CUdeviceptr target, CUdeviceptr source, size_t size)", since=2000, v2=3020)
def copy_within(context: Context, to: int, origin: int, size: int) -> None:
    _copied(context, to, origin, size, None, True, True)


@entry(
    "cuMemcpyDtoDAsync(CUdeviceptr target, CUdeviceptr source, size_t size, CUstream stream)",
    since=3000, v2=3020,
)  # fmt: skip
def copy_within_async(context: Context, to: int, origin: int, size: int, stream: Stream) -> None:
    _copied(context, to, origin, size, stream, True, True)


@entry(
    "cuMemcpyPeer(CUdeviceptr target, CUcontext to, CUdeviceptr source, CUcontext from, "
    "size_t size)", since=4000,
)  # fmt: skip
def copy_peer(
    context: Context, to: int, target: Context, origin: int, source: Context, size: int
) -> None:
    _copied(context, to, origin, size, None, True, True)


@entry(
    "cuMemcpyPeerAsync(CUdeviceptr target, CUcontext to, CUdeviceptr source, CUcontext from, "
    "size_t size, CUstream stream)", since=4000,
)  # fmt: skip
def copy_peer_async(
    context: Context, to: int, target: Context, origin: int, source: Context, size: int,
    stream: Stream,
) -> None:  # fmt: skip
    _copied(context, to, origin, size, stream, True, True)


# -- arrays: bytes in a row


def _bytes(array: Array, offset: int, size: int) -> int:
    require(array.rows == array.slices == 1, "the array has rows: a copy of rows is needed")
    return array.place(offset, 0, 0, size, 1, 1)


def _copied_in_row(
    context: Context, to: int, origin: int, size: int, stream: Stream | None, host: int = 0
) -> None:
    pageable = bool(host) and known(context, host, size) is None
    where = stream or context.legacy
    copy(context, where, Rows(to, origin, size), waits=stream is None, is_pageable=pageable)


@entry(
    "cuMemcpyHtoA(CUarray target, size_t offset, const void source[]?, size_t size)",
    since=2000,
    v2=3020,
)
def copy_to_array(
    context: Context, to: Array, offset: int, origin: int, size: int, stream: Stream | None = None
) -> None:
    if size:
        _check_host(origin)
    _copied_in_row(context, _bytes(to, offset, size), origin, size, stream, origin)


entry(
    "cuMemcpyHtoAAsync(CUarray target, size_t offset, const void source[]?, size_t size, "
    "CUstream stream)", since=2000, v2=3020,
)(copy_to_array)  # fmt: skip


@entry(
    "cuMemcpyAtoH(void target[]?, CUarray source, size_t offset, size_t size)", since=2000, v2=3020
)
def copy_from_array(
    context: Context, to: int, origin: Array, offset: int, size: int, stream: Stream | None = None
) -> None:
    if size:
        _check_host(to)
    _copied_in_row(context, to, _bytes(origin, offset, size), size, stream, to)


entry(
    "cuMemcpyAtoHAsync(void target[]?, CUarray source, size_t offset, size_t size, "
    "CUstream stream)", since=2000, v2=3020,
)(copy_from_array)  # fmt: skip


@entry(
    "cuMemcpyDtoA(CUarray target, size_t offset, CUdeviceptr source, size_t size)",
    since=2000,
    v2=3020,
)
def copy_device_to_array(context: Context, to: Array, offset: int, origin: int, size: int) -> None:
    if size:
        on_device(context, origin, size)
    _copied_in_row(context, _bytes(to, offset, size), origin, size, None)


@entry(
    "cuMemcpyAtoD(CUdeviceptr target, CUarray source, size_t offset, size_t size)",
    since=2000,
    v2=3020,
)
def copy_array_to_device(context: Context, to: int, origin: Array, offset: int, size: int) -> None:
    if size:
        on_device(context, to, size)
    _copied_in_row(context, to, _bytes(origin, offset, size), size, None)


@entry(
    "cuMemcpyAtoA(CUarray target, size_t to, CUarray source, size_t from, size_t size)",
    since=2000,
    v2=3020,
)
def copy_between_arrays(
    context: Context, to: Array, offset: int, origin: Array, first: int, size: int
) -> None:
    _copied_in_row(context, _bytes(to, offset, size), _bytes(origin, first, size), size, None)


# -- rows and slices


def rows_of(context: Context, given: Copy2D | Copy3D) -> tuple[Rows, bool]:
    """What a structure says, and whether an end is pageable memory. Raises `Refused`."""
    depth = getattr(given, "depth", 1)
    width, height = given.width, given.height
    begins: list[int] = []
    steps: list[tuple[int, int]] = []
    pageable = False
    for end in ("target", "source"):
        kind = getattr(given, f"{end}_type")
        x, y, z = (getattr(given, f"{end}_{axis}", 0) for axis in "xyz")
        if kind == _ARRAY:
            array = array_of(context, getattr(given, f"{end}_array"))
            begins.append(array.place(x, y, z, width, height, depth))
            steps.append((array.row, array.row * array.rows))
            continue
        require(kind in (_HOST, _DEVICE, _UNIFIED), f"no kind of memory {kind}")
        base = getattr(given, f"{end}_{'host' if kind == _HOST else 'device'}")
        pitch = getattr(given, f"{end}_pitch") or width
        rows = getattr(given, f"{end}_height", 0) or height
        require(height <= 1 or pitch >= width + x, "the pitch is less than a row")
        begin = base + (z * rows + y) * pitch + x
        begins.append(begin)
        steps.append((pitch, pitch * rows))
        size = (depth - 1) * pitch * rows + (height - 1) * pitch + width
        if width and height and depth:
            pageable = _end_of(context, kind, begin, size) or pageable
    (to_step, to_slice), (from_step, from_slice) = steps
    made = Rows(
        begins[0], begins[1], width, height, to_step, from_step, depth, to_slice, from_slice
    )
    return made, pageable


def _end_of(context: Context, kind: int, begin: int, size: int) -> bool:
    """Check one end of a copy; whether it is pageable memory."""
    if kind == _DEVICE:
        on_device(context, begin, size)
        return False
    _check_host(begin)
    return known(context, begin, size) is None


def _copied_rows(context: Context, given: Copy2D | Copy3D, stream: Stream | None) -> None:
    rows, pageable = rows_of(context, given)
    where = stream or context.legacy
    copy(context, where, rows, waits=stream is None, is_pageable=pageable)


def _declare_rows() -> None:
    """The functions of rows and slices differ by the structure that they take."""
    for name, kind, since, v2 in (
        ("cuMemcpy2D", "CUDA_MEMCPY2D", 2000, 3020),
        ("cuMemcpy2DUnaligned", "CUDA_MEMCPY2D", 2000, 3020),
        ("cuMemcpy3D", "CUDA_MEMCPY3D", 2000, 3020),
        ("cuMemcpy3DPeer", "CUDA_MEMCPY3D_PEER", 4000, 0),
    ):
        entry(f"{name}(const {kind} *copy)", since=since, v2=v2)(
            lambda context, given: _copied_rows(context, given, None)
        )
        if name != "cuMemcpy2DUnaligned":
            entry(f"{name}Async(const {kind} *copy, CUstream stream)", since=since, v2=v2)(
                _copied_rows
            )


_declare_rows()


# -- fills


class FillWork(NodeWork):
    kind = FILL

    def __init__(self, given: FillNode) -> None:
        super().__init__(given, given.height)
        self.fill = FillNode.from_buffer_copy(given)

    def parts(self) -> Sequence[Part]:
        f = self.fill
        return [
            (
                "memset", _filling(f.target + row * f.pitch, f.width, f.value, f.size),
                Transfer("memset", f.target + row * f.pitch, 0, f.width, f.size),
            )
            for row in range(f.height)
        ]  # fmt: skip


def fill(
    context: Context, stream: Stream | None, at: int, pitch: int, value: int, bytes: int,
    columns: int, rows: int,
) -> None:  # fmt: skip
    """Write `rows` rows of `columns` values."""
    require(at % bytes == 0 and (rows <= 1 or pitch % bytes == 0), "alignment of a fill")
    require(rows <= 1 or pitch >= columns * bytes, "the pitch is less than a row")
    if not columns or not rows:
        return
    on_device(context, at, (rows - 1) * pitch + columns * bytes)
    where = stream or context.legacy
    if where.capture is not None:
        require(stream is not None, "a stream is capturing", Result.STREAM_CAPTURE_UNSUPPORTED)
        where.capture.add(where, FillWork(FillNode(at, pitch, value, bytes, columns, rows)))
        return
    quick = columns * bytes <= _QUICK_BYTES
    if quick and rows == 1 and where.perform_at_once(_filling(at, columns, value, bytes)):
        if stream is None:
            context.wait(())
        return
    last: list[Operation] = []
    for row in range(rows):
        last = [where.enqueue(
            "memset", _filling(at + row * pitch, columns, value, bytes),
            Transfer("memset", at + row * pitch, 0, columns, bytes),
            quick=quick,
        )]  # fmt: skip
    if stream is None:
        context.wait(last)


def _filling(at: int, count: int, value: int, bytes: int) -> Callable[[], None]:
    return lambda: transfer(at, 0, count, value, bytes)


def _declare_fills() -> None:
    for bits, kind in ((8, "unsigned char"), (16, "unsigned short"), (32, "unsigned int")):
        flat, stepped = _fills(bits // 8)
        declared = f"CUdeviceptr target, {kind} value, size_t count"
        entry(f"cuMemsetD{bits}({declared})", since=2000, v2=3020)(flat)
        entry(f"cuMemsetD{bits}Async({declared}, CUstream stream)", since=3020)(flat)
        declared = f"CUdeviceptr target, size_t pitch, {kind} value, size_t width, size_t height"
        entry(f"cuMemsetD2D{bits}({declared})", since=2000, v2=3020)(stepped)
        entry(f"cuMemsetD2D{bits}Async({declared}, CUstream stream)", since=3020)(stepped)


def _fills(bytes: int) -> tuple[Callable[..., None], Callable[..., None]]:
    def flat(
        context: Context, at: int, value: int, count: int, stream: Stream | None = None
    ) -> None:
        fill(context, stream, at, 0, value, bytes, count, 1)

    def stepped(
        context: Context, at: int, pitch: int, value: int, width: int, height: int,
        stream: Stream | None = None,
    ) -> None:  # fmt: skip
        fill(context, stream, at, pitch, value, bytes, width, height)

    return flat, stepped


_declare_fills()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of the driver: streams and events, and what a stream calls on the host."""

from __future__ import annotations

import ctypes
import struct
import time
from collections.abc import Callable, Sequence

from xgpu.api.cuda_driver.fast_calls import IS_RECORDED, TIME
from xgpu.api.cuda_driver.header import HostNode, MemoryOperation, Refused, Result, require
from xgpu.api.cuda_driver.state import (
    HOST,
    NON_BLOCKING,
    RECORD,
    WAIT,
    Capturing,
    Context,
    Driver,
    Held,
    NodeWork,
    Part,
    Stream,
    thread_number,
)
from xgpu.api.cuda_driver.table import Needs, entry
from xgpu.host_device.device.operations import Effect, Operation, Word

_LEAST, _GREATEST = 0, -5
_NO_TIMING, _MOST_EVENT_FLAGS, _INTERPROCESS = 2, 7, 4
_EXTERNAL = 1  # of recording and waiting, in captures


# -- streams


@entry("cuStreamCreate(CUstream *stream, unsigned int flags)", since=2000)
def create(context: Context, flags: int) -> int:
    return create_with_priority(context, flags, 0)


@entry("cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority)", since=5050)
def create_with_priority(context: Context, flags: int, priority: int) -> int:
    require(flags in (0, NON_BLOCKING), f"flags are {flags}")
    made = Stream(context, flags, min(max(priority, _GREATEST), _LEAST))
    if not flags & NON_BLOCKING:
        context.blocking[made.number] = made
    return context.own(made)


@entry("cuStreamDestroy(CUstream stream)", since=2000, v2=4000)
def destroy(context: Context, stream: Stream) -> None:
    own = stream.handle in stream.context.owned
    require(own, "a stream of the driver's", Result.INVALID_HANDLE)
    stream.destroy()
    stream.context.disown(stream)


@entry("cuStreamSynchronize(CUstream stream)", since=2000)
def synchronize(context: Context, stream: Stream) -> None:
    _check_no_capture(stream)
    stream.synchronize()


@entry("cuStreamQuery(CUstream stream)", since=2000)
def query(context: Context, stream: Stream) -> None:
    _check_no_capture(stream)
    if not stream.is_done():
        raise Refused(Result.NOT_READY)
    stream.context.wait(stream.work.frontier)


def _check_no_capture(stream: Stream) -> None:
    if stream.capture is not None:
        stream.capture.invalidate()
        raise Refused(Result.STREAM_CAPTURE_UNSUPPORTED, "the stream is capturing")


@entry("cuStreamGetPriority(CUstream stream, int *priority)", since=5050)
def priority(context: Context, stream: Stream) -> int:
    return stream.priority


@entry("cuStreamGetFlags(CUstream stream, unsigned int *flags)", since=5050)
def flags(context: Context, stream: Stream) -> int:
    return stream.flags


@entry("cuStreamGetId(CUstream stream, unsigned long long *id)", since=12000)
def identity(context: Context, stream: Stream) -> int:
    return stream.number


@entry("cuStreamGetCtx(CUstream stream, CUcontext *context)", since=9020)
def stream_context(context: Context, stream: Stream) -> int:
    return stream.context.handle


@entry("cuStreamGetDevice(CUstream stream, CUdevice *device)", since=12080)
def stream_device(context: Context, stream: Stream) -> int:
    return stream.context.device.ordinal


# Attributes: CUstreamAttrID
_WINDOW, _SYNCHRONIZATION, _PRIORITY, _DOMAINS, _DOMAIN = 1, 3, 8, 9, 10
#: What they are until they are set: no window, automatic, the first domain for the first.
_DEFAULTS = {_WINDOW: b"", _SYNCHRONIZATION: b"\1", _DOMAINS: b"\0\1", _DOMAIN: b""}
_MOST_WINDOW, _MOST_DOMAINS = 109, 126  # CUdevice_attribute
_PERSISTING = 2  # CUaccessProperty
_VALUE = ctypes.c_char * 64  # CUstreamAttrValue


@entry("cuStreamCopyAttributes(CUstream to, CUstream from)", since=11000)
def copy_attributes(context: Context, to: Stream, origin: Stream) -> None:
    require(to.context is origin.context, "a stream of another context")
    to.priority, to.attributes = origin.priority, dict(origin.attributes)


@entry(
    "cuStreamGetAttribute(CUstream stream, CUstreamAttrID attribute, CUstreamAttrValue value[1])",
    since=11000,
)  # fmt: skip
def attribute(context: Context, stream: Stream, number: int, where: int) -> None:
    known = {_PRIORITY: struct.pack("i", stream.priority), **_DEFAULTS, **stream.attributes}
    require(number in known, f"streams have no attribute {number}")
    _VALUE.from_address(where).raw = known[number].ljust(ctypes.sizeof(_VALUE), b"\0")


@entry(
    "cuStreamSetAttribute(CUstream stream, CUstreamAttrID attribute, "
    "const CUstreamAttrValue *value)", since=11000,
)  # fmt: skip
def set_attribute(context: Context, stream: Stream, number: int, where: int) -> None:
    """Of these, nothing but the priority is looked at again: they are hints for a GPU's caches and
    its scheduler."""
    value = _VALUE.from_address(where).raw
    if number == _PRIORITY:
        stream.priority = min(max(struct.unpack_from("i", value)[0], _GREATEST), _LEAST)
        return
    known = context.device.attributes
    require(number in _DEFAULTS, f"streams have no attribute {number}")
    if number == _WINDOW:
        _check_window(value, known[_MOST_WINDOW])
    elif number == _SYNCHRONIZATION:
        require(1 <= struct.unpack_from("I", value)[0] <= 4, "no such policy")
    elif number == _DOMAIN:
        require(struct.unpack_from("I", value)[0] <= 1, "no such domain")
    else:
        require(max(value[:2]) < max(known[_MOST_DOMAINS], 2), "the device has fewer domains")
    stream.attributes[number] = value


def _check_window(value: bytes, most: int) -> None:
    """CUaccessPolicyWindow: where, how many bytes, which part of them is kept, and how those that
    are kept and the others are accessed."""
    _, size, ratio, hit, miss = struct.unpack_from("QQfII", value)
    require(size <= most, f"the largest window has {most} bytes")
    require(0 <= ratio <= 1, "the ratio is not between 0 and 1")
    require(hit <= _PERSISTING and miss < _PERSISTING, "no such property of accesses")


# -- events


class Event(Held):
    """An event: the operation that stands for what it has recorded, and when that was done, in
    nanoseconds; or what a capture has at that point."""

    kinds = ("CUevent",)
    leaks_as = "event"

    def __init__(self, context: Context, flags: int) -> None:
        self.context, self.flags = context, flags
        self._operation: Operation | None = None
        self._captured: tuple[Capturing, Sequence[object]] | None = None
        #: What machine code, which records it in streams with nothing left, has noted.
        self.notes = (ctypes.c_int64 * 2)()
        self.time = 0

    def _catch_up(self) -> None:
        """Machine code has recorded it last."""
        self.time, self.notes[IS_RECORDED] = self.notes[TIME], 0
        self._operation, self._captured = _OVER, None

    @property
    def operation(self) -> Operation | None:
        """What stands for what it has recorded."""
        if self.notes[IS_RECORDED]:
            self._catch_up()
        return self._operation

    @operation.setter
    def operation(self, operation: Operation) -> None:
        self._operation, self.notes[IS_RECORDED] = operation, 0

    @property
    def captured(self) -> tuple[Capturing, Sequence[object]] | None:
        """The capture in which it was recorded last, and the nodes that it stands for."""
        if self.notes[IS_RECORDED]:
            self._catch_up()
        return self._captured

    @captured.setter
    def captured(self, captured: tuple[Capturing, Sequence[object]] | None) -> None:
        self._captured, self.notes[IS_RECORDED] = captured, 0

    def record(self, stream: Stream) -> None:
        if stream.perform_at_once(self._stamp):
            self.operation, self.captured = _OVER, None
            return
        stamp = _Stamp(self)
        operation = stream.enqueue("event", stamp.run, always=True, quick=True)
        stamp.operation = self.operation = operation
        self.captured = None
        if operation.done:
            self.time = stamp.time

    def _stamp(self) -> None:
        self.time = time.perf_counter_ns()


#: Stands for what needed none: it is done.
_OVER = Operation("event", 0)
_OVER.run()


class _Stamp:
    """When a recording was done; a later one of the same event counts instead."""

    __slots__ = ("event", "operation", "time")

    def __init__(self, event: Event) -> None:
        self.event = event
        self.operation: Operation | None = None
        self.time = 0

    def run(self) -> None:
        self.time = time.perf_counter_ns()
        if self.operation is not None and self.event.operation is self.operation:
            self.event.time = self.time


@entry("cuEventCreate(CUevent *event, unsigned int flags)", since=2000)
def create_event(context: Context, flags: int) -> int:
    require(flags <= _MOST_EVENT_FLAGS, f"flags are {flags}")
    shared = flags & _INTERPROCESS
    require(not shared or flags & _NO_TIMING, "an event for other processes has no times")
    require(not shared, "events for other processes", Result.NOT_SUPPORTED)
    made = Event(context, flags)
    handle = context.own(made)
    context.driver.mirror.event(handle, context.handle, ctypes.addressof(made.notes))
    return handle


@entry("cuEventDestroy(CUevent event)", since=2000, v2=4000)
def destroy_event(context: Context, event: Event) -> None:
    event.context.disown(event)


@entry("cuEventRecord(CUevent event, CUstream stream)", since=2000)
def record(context: Context, event: Event, stream: Stream) -> None:
    record_with_flags(context, event, stream, 0)


@entry("cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags)", since=11010)
def record_with_flags(context: Context, event: Event, stream: Stream, flags: int) -> None:
    require(flags in (0, _EXTERNAL), f"flags are {flags}")
    same = event.context is stream.context
    require(same, "the event is another context's", Result.INVALID_HANDLE)
    if stream.capture is not None:
        if flags & _EXTERNAL:
            stream.capture.add(stream, EventWork(RECORD, event))
        else:
            event.captured = (stream.capture, stream.capture.ends(stream))
        return
    require(not flags, "the stream is not capturing", Result.ILLEGAL_STATE)
    event.record(stream)


@entry("cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags)", since=3020)
def wait_event(context: Context, stream: Stream, event: Event, flags: int) -> None:
    require(flags in (0, _EXTERNAL), f"flags are {flags}")
    if stream.capture is not None or event.captured is not None:
        _wait_in_capture(stream, event, is_external=bool(flags))
        return
    if event.operation is not None:
        stream.follow_legacy()  # the wait is something that the stream does
        stream.join((event.operation,))


def _wait_in_capture(stream: Stream, event: Event, *, is_external: bool) -> None:
    """A stream waits for an event; one of both is of a capture. Raises `Refused`."""
    capture = stream.capture
    if is_external and capture is not None:
        capture.add(stream, EventWork(WAIT, event))
        return
    if event.captured is None:
        if capture is None or event.operation is None:
            return
        capture.invalidate()
        raise Refused(Result.STREAM_CAPTURE_ISOLATION, "the event was recorded outside of it")
    of_event, nodes = event.captured
    if capture is not None and capture is not of_event:
        capture.invalidate()
        raise Refused(Result.STREAM_CAPTURE_MERGE, "the event is of another capture")
    require(not stream.is_legacy, "the legacy stream", Result.STREAM_CAPTURE_IMPLICIT)
    of_event.join(stream, nodes)


def _check_recorded(event: Event) -> None:
    if event.captured is not None:
        raise Refused(Result.CAPTURED_EVENT, "the event was recorded in a capture")


@entry("cuEventQuery(CUevent event)", since=2000)
def query_event(context: Context, event: Event) -> None:
    _check_recorded(event)
    if event.operation is not None:
        if not event.operation.done:
            raise Refused(Result.NOT_READY)
        event.context.wait((event.operation,))


@entry("cuEventSynchronize(CUevent event)", since=2000)
def synchronize_event(context: Context, event: Event) -> None:
    _check_recorded(event)
    if event.operation is not None:
        event.context.wait((event.operation,))


@entry("cuEventElapsedTime(float *milliseconds, CUevent begin, CUevent end)", since=2000, v2=12080)
def elapsed(context: Context, begin: Event, end: Event) -> float:
    for event in (begin, end):
        _check_recorded(event)
        has = event.operation is not None and not event.flags & _NO_TIMING
        require(has, "an event without a time", Result.INVALID_HANDLE)
        assert event.operation is not None
        if not event.operation.done:
            raise Refused(Result.NOT_READY)
    return (end.time - begin.time) / 1e6


@entry("cuCtxRecordEvent(CUcontext given, CUevent event)", since=12050)
def record_context(context: Context, given: Context, event: Event) -> None:
    require(event.context is given, "the event is another context's", Result.INVALID_HANDLE)
    lane = given.legacy
    for stream in given.streams():
        if stream is not lane:
            lane.join(stream.work.frontier)
    event.record(lane)


@entry("cuCtxWaitEvent(CUcontext given, CUevent event)", since=12050)
def wait_context(context: Context, given: Context, event: Event) -> None:
    if event.operation is not None:
        for stream in given.streams():
            stream.join((event.operation,))


# -- calls of the host


def host_call(function: int, data: int) -> Callable[[], None]:
    """What calls a function of C with one argument."""
    call = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(function)

    def run() -> None:
        call(data)

    return run


class HostWork(NodeWork):
    kind = HOST

    def __init__(self, given: HostNode) -> None:
        super().__init__(given)
        self.call = given.function, given.data

    def parts(self) -> Sequence[Part]:
        return (("host call", host_call(*self.call), Effect()),)


class EventWork(NodeWork):
    """`RECORD` or `WAIT`."""

    def __init__(self, kind: int, event: Event) -> None:
        super().__init__()
        self.kind, self.event = kind, event


@entry("cuLaunchHostFunc(CUstream stream, CUhostFn function, void data[]?)", since=10000)
def launch_host(context: Context, stream: Stream, function: int, data: int) -> None:
    require(function, "a pointer is null")
    if stream.capture is not None:
        stream.capture.add(stream, HostWork(HostNode(function, data)))
        return
    stream.enqueue("host call", host_call(function, data), Effect())


@entry(
    "cuStreamAddCallback(CUstream stream, CUstreamCallback function, void data[]?, "
    "unsigned int flags)", since=5000,
)  # fmt: skip
def add_callback(context: Context, stream: Stream, function: int, data: int, flags: int) -> None:
    require(function, "a pointer is null")
    require(flags == 0, "flags must be 0")
    _check_no_capture(stream)
    word = ctypes.c_void_p
    call = ctypes.CFUNCTYPE(None, word, ctypes.c_int32, word)(function)

    def run() -> None:
        call(stream.handle, int(context.error or 0), data)

    stream.enqueue("host call", run, Effect(), always=True)


# -- words of memory in the order of a stream


_Unsigned = type[ctypes.c_uint32] | type[ctypes.c_uint64]
_NO_MEMORY_BARRIER = 1


def _check_word(stream: Stream, address: int, size: int) -> None:
    _check_no_capture(stream)
    require(address % size == 0, "alignment of the address")
    known = stream.context.driver.ranges.around(address)
    require(known is not None, f"0x{address:x} is no memory of the device")


def _check_word_flags(flags: int, *, writes: bool) -> None:
    require(flags in ((0, _NO_MEMORY_BARRIER) if writes else _COMPARE), f"flags are {flags}")


def _write(stream: Stream, address: int, value: int, kind: _Unsigned, flags: int) -> None:
    _check_word_flags(flags, writes=True)
    size = ctypes.sizeof(kind)
    _check_word(stream, address, size)

    def run() -> None:
        kind.from_address(address).value = value

    what = Word("write value", address, size, writes=True, orders=flags == 0)
    stream.enqueue(what.name, run, what, quick=True)


@entry(
    "cuStreamWriteValue32(CUstream stream, CUdeviceptr address, cuuint32_t value, "
    "unsigned int flags)", since=8000, v2=11070,
)  # fmt: skip
def write_32(context: Context, stream: Stream, address: int, value: int, flags: int) -> None:
    _write(stream, address, value, ctypes.c_uint32, flags)


@entry(
    "cuStreamWriteValue64(CUstream stream, CUdeviceptr address, cuuint64_t value, "
    "unsigned int flags)", since=9000, v2=11070,
)  # fmt: skip
def write_64(context: Context, stream: Stream, address: int, value: int, flags: int) -> None:
    _write(stream, address, value, ctypes.c_uint64, flags)


_PAUSE = 20e-6
_COMPARE = {
    0: lambda now, value, bits: (now - value) % (1 << bits) < 1 << (bits - 1),
    1: lambda now, value, bits: now == value,
    2: lambda now, value, bits: now & value != 0,
    3: lambda now, value, bits: ~(now | value) & ((1 << bits) - 1) != 0,
}


def _wait(stream: Stream, address: int, value: int, kind: _Unsigned, flags: int) -> None:
    _check_word_flags(flags, writes=False)
    compare, size = _COMPARE[flags], ctypes.sizeof(kind)
    _check_word(stream, address, size)
    word, bits = kind.from_address(address), 8 * size

    def run() -> None:
        while not compare(word.value, value, bits) and stream.context.session.error is None:
            time.sleep(_PAUSE)

    what = Word("wait for value", address, size, writes=False)
    stream.enqueue(what.name, run, what)


@entry(
    "cuStreamWaitValue32(CUstream stream, CUdeviceptr address, cuuint32_t value, "
    "unsigned int flags)", since=8000, v2=11070,
)  # fmt: skip
def wait_32(context: Context, stream: Stream, address: int, value: int, flags: int) -> None:
    _wait(stream, address, value, ctypes.c_uint32, flags)


@entry(
    "cuStreamWaitValue64(CUstream stream, CUdeviceptr address, cuuint64_t value, "
    "unsigned int flags)", since=9000, v2=11070,
)  # fmt: skip
def wait_64(context: Context, stream: Stream, address: int, value: int, flags: int) -> None:
    _wait(stream, address, value, ctypes.c_uint64, flags)


_MOST_OPERATIONS = 256
_BARRIER = 6  # CU_STREAM_MEM_OP_BARRIER; each write is one already
_WAITS: dict[int, _Unsigned] = {1: ctypes.c_uint32, 4: ctypes.c_uint64}
_WRITES: dict[int, _Unsigned] = {2: ctypes.c_uint32, 5: ctypes.c_uint64}


@entry(
    "cuStreamBatchMemOp(CUstream stream, unsigned int count, "
    "CUstreamBatchMemOpParams operations[], unsigned int flags)", since=8000, v2=11070,
)  # fmt: skip
def several(context: Context, stream: Stream, count: int, where: int, flags: int) -> None:
    require(0 < count <= _MOST_OPERATIONS, f"{count} operations")
    require(flags == 0, "flags must be 0")
    given = (MemoryOperation * count).from_address(where)
    for one in given:  # all are right, or none is done
        kind = one.operation
        size = ctypes.sizeof(_WAITS.get(kind) or _WRITES.get(kind) or ctypes.c_uint8)
        require(size > 1 or kind == _BARRIER, f"no operation {kind}")
        if size > 1:
            _check_word(stream, one.address, size)
            _check_word_flags(one.flags, writes=kind in _WRITES)
    for one in given:
        kind, bits = one.operation, (1 << 64) - 1 if one.operation > 2 else (1 << 32) - 1
        if kind in _WAITS:
            _wait(stream, one.address, one.value & bits, _WAITS[kind], one.flags)
        elif kind in _WRITES:
            _write(stream, one.address, one.value & bits, _WRITES[kind], one.flags)


@entry(
    "cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode mode[1])", needs=Needs.INIT, since=10010
)
def exchange_mode(driver: Driver, where: int) -> None:
    word = ctypes.c_uint32.from_address(where)
    require(word.value <= 2, f"no mode {word.value}")
    number = thread_number()
    before = driver.capture_modes.get(number, 0)
    driver.capture_modes[number], word.value = word.value, before

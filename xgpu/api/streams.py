# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Streams and events: in which order a device works, and when."""

from __future__ import annotations

from operator import index
from typing import SupportsIndex, cast

from xgpu.api.devices.interface import Backend
from xgpu.api.devices.registry import backend as device_named
from xgpu.api.memory import LEGACY
from xgpu.core.ir.errors import ArgumentTypeError, ArgumentValueError, public
from xgpu.core.support.forks import OfOneProcess, new_rlock


class _OnDevice(OfOneProcess):
    """Something that a device has made, which goes back with the last reference. `_handle` is the
    device's; 0 before there is one."""

    __slots__ = ("__weakref__", "_backend", "_handle")
    _instead = "the name of its device"

    def __init__(self, device: str) -> None:
        self._handle = 0
        self._backend: Backend = device_named(device)

    @property
    def device(self) -> str:
        return self._backend.name


class Event(_OnDevice):
    """A point in a stream: over when all that the stream held when it was recorded is done.

    Make one with `stream.record()`. `first.elapsed(second)` is the time between two, in
    milliseconds. Raises `DeviceError` where the device failed before it.
    """

    __slots__ = ()

    @public
    def __init__(self, device: str = "auto") -> None:
        super().__init__(device)
        self._handle = self._backend.event_create()

    def __del__(self) -> None:
        if getattr(self, "_handle", 0):
            self._backend.event_destroy_later(self._handle)

    def _move(self, backend: Backend) -> int:
        """The event's handle on a device that stands for its own, where it is recorded anew."""
        if self._backend is not backend:
            self._backend.event_destroy_later(self._handle)
            self._handle = backend.event_create()
            self._backend = backend
        return self._handle

    @public
    def synchronize(self) -> None:
        """Wait until it is over."""
        self._backend.event_synchronize(self._handle)

    @property
    def done(self) -> bool:
        """Whether it is over; one that was never recorded is."""
        return self._backend.event_done(self._handle)

    @public
    def elapsed(self, later: Event) -> float:
        """Milliseconds from this event to `later`; waits for both."""
        if not _is_event(later):
            raise ArgumentTypeError(f"later is {later!r}, expected an xgpu.Event")
        if later.device != self.device:
            raise ArgumentValueError(f"the events belong to {self.device} and {later.device}")
        self.synchronize()
        later.synchronize()
        if later._backend is not self._backend:
            raise ArgumentValueError(
                "one of the events is of a watch of the sanitizer, the other is not"
            )
        return self._backend.event_elapsed(self._handle, later._handle)

    def __repr__(self) -> str:
        return f"<xgpu.Event on {self.device}, {'over' if self.done else 'not over'}>"


def _is_event(value: object) -> bool:
    return isinstance(value, Event)


# Held by who moves a stream from one device to another that stands for it.
_moving = new_rlock()


class Stream(_OnDevice):
    """What is given to a stream runs in that order; streams run beside each other.

    Libraries that know `__cuda_stream__` (CuPy, cuda.core) take it, and ours take theirs.
    Within `xgpu.sanitized` the host device is another one; a stream from before the `with` serves
    in it, and one from there behind it, when all that it was given has run.
    """

    __slots__ = ("_elsewhere",)

    @public
    def __init__(self, device: str = "auto") -> None:
        super().__init__(device)
        #: Its handles on devices that stand for its own, where it has been before.
        self._elsewhere: dict[Backend, int] = {}
        self._handle = self._backend.stream_create()

    def __del__(self) -> None:
        if getattr(self, "_handle", 0):
            self._backend.stream_destroy_later(self._handle)
            for backend, handle in self._elsewhere.items():
                backend.stream_destroy_later(handle)

    def _move(self, backend: Backend) -> int:
        """The stream's handle on a device that stands for its own. Raises `DeviceError` for what
        went wrong in it before."""
        if self._backend is backend:
            return self._handle
        with _moving:
            if self._backend is backend:
                return self._handle
            self._backend.stream_synchronize(self._handle)
            self._elsewhere[self._backend] = self._handle
            self._handle = self._elsewhere.pop(backend, 0) or backend.stream_create()
            self._backend = backend
            return self._handle

    def _return(self) -> None:
        """Move to the device that stands for its own now, if it has been on another."""
        if self._elsewhere:
            self._move(self._backend.current())

    @public
    def synchronize(self) -> None:
        """Wait for all that it was given. Raises `DeviceError` for the first thing that failed."""
        self._return()
        self._backend.stream_synchronize(self._handle)

    @property
    def done(self) -> bool:
        """Whether all that it was given has run."""
        self._return()
        return self._backend.stream_done(self._handle)

    def record(self, event: Event | None = None) -> Event:
        """An event that is over when all that the stream holds now is done."""
        backend = self._backend.current()
        handle = self._move(backend)
        if event is None:
            event = Event(self.device)
        elif not _is_event(event):
            raise TypeError(f"event is {event!r}, expected an xgpu.Event")
        elif event.device != self.device:
            raise ValueError(f"the event belongs to {event.device}, the stream to {self.device}")
        backend.event_record(event._move(backend), handle)
        return event

    def wait(self, what: Event | Stream) -> None:
        """Let what is given to this stream from here on wait for an event, or for all that another
        stream holds now. The caller goes on."""
        event = what.record() if isinstance(what, Stream) else what
        if not _is_event(event):
            raise TypeError(f"what is {what!r}, expected an xgpu.Event or xgpu.Stream")
        backend = self._backend.current()
        if event._backend is not backend:
            event.synchronize()
            return
        backend.stream_wait(self._move(backend), event._handle)

    def __cuda_stream__(self) -> tuple[int, int]:
        if self._backend.dlpack[0] != 2:
            raise TypeError("a stream of the host device is no CUDA stream")
        return (0, self._handle)

    def __repr__(self) -> str:
        return f"<xgpu.Stream on {self.device}>"


def handle_of(stream: object, backend: Backend) -> int:
    """The handle of a stream of ours or of another library (`__cuda_stream__`); None is 0, the
    device's own. Raises `TypeError` for what is no stream, `ValueError` for one of another device.
    """
    if stream is None:
        return 0
    if isinstance(stream, Stream):
        if stream.device != backend.name:
            raise ArgumentValueError(
                f"the stream belongs to {stream.device}, and what it gets runs on {backend.name}"
            )
        return stream._move(backend)
    protocol = getattr(stream, "__cuda_stream__", None)
    if protocol is None:
        raise ArgumentTypeError(
            f"stream is {stream!r}, expected an xgpu.Stream or one of another library"
        )
    if backend.dlpack[0] != 2:
        raise ArgumentValueError(
            f"the stream is a CUDA stream, and what it gets runs on {backend.name}"
        )
    return _foreign_handle(protocol())


def _foreign_handle(given: object) -> int:
    """The handle in what `__cuda_stream__` gave."""
    try:
        version, handle = cast("tuple[object, object]", given)
        number = index(cast("SupportsIndex", handle))
    except (TypeError, ValueError):
        version, number = None, -1
    if version is not None and version != 0:
        raise ArgumentTypeError(f"__cuda_stream__ of version {version!r}, expected 0")
    if not 0 <= number < 2**64:
        raise ArgumentTypeError(f"__cuda_stream__ gave {given!r}, expected 0 and a handle")
    # 0 is the stream of callers who name none: here CUDA's default one, which has a name too.
    return number or LEGACY

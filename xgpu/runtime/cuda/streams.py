# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Streams and events of the cuda device, and waiting for them.

A program's stream is an order, and what is given to it runs on the device that is chosen then
(`gpu.set_default_device`). The driver's streams belong to a device. So a program's stream has one
of the driver's on each device that it has work for; when it comes to another, that one waits for
what the last holds, and the order stays what it was. What a program ends serves the next that it
makes (`Idle`), so that a function that is called again makes none.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from xgpu.core.ir.errors import DeviceError
from xgpu.runtime.cuda.driver import CudaError, Driver
from xgpu.runtime.cuda.trace import CudaTrace
from xgpu.runtime.session import Session

# So many handles that are free are kept of a device: what one call of a function may want.
_MOST_IDLE = 64
# As long as it takes to hand something to another thread.
_SPIN_SECONDS = 60e-6


class StreamFunctions:
    """The functions of streams and events of the cuda device."""

    session: Session
    _driver: Driver
    _ordinal: int
    _trace: CudaTrace | None
    _call: Callable[..., Any]
    _release: Callable[..., None]
    _release_each: Callable[..., None]
    _tracing: Callable[[], CudaTrace | None]
    _polls: Callable[[], bool]

    def __init__(self) -> None:
        self._streams: dict[int, int] = {}  # -> the device's ordinal
        self._events: dict[int, int] = {}
        # Event -> one of the device that has recorded it, and that device.
        self._substitutes: dict[int, tuple[int, int]] = {}
        # Of a program's stream: those that serve it on other devices, and which serves now.
        self._elsewhere: dict[int, dict[int, int]] = {}
        self._now: dict[int, int] = {}
        self._others: dict[int, int] = {}  # all that serve others -> the device's ordinal
        self._idle_streams = Idle("cuStreamQuery", "cuStreamDestroy", self._call, self._release)
        self._idle_events = Idle("cuEventQuery", "cuEventDestroy", self._call, self._release)

    def _home(self, stream: int) -> int:
        """The device of a stream; the null stream is the default device's."""
        found = self._streams.get(stream)
        return self._others.get(stream, self._ordinal) if found is None else found

    def _placed(self, stream: int) -> int:
        """The driver's stream for work that is given to `stream` now, on the chosen device."""
        return self._moved(stream, self._ordinal)

    def _moved(self, stream: int, on: int) -> int:
        """The driver's stream for work that is given to `stream` now, on the device `on`."""
        now = self._now.get(stream, stream)
        if stream not in self._streams or self._home(now) == on:
            return now
        self._now[stream] = placed = self._serving(stream, on)
        return placed

    def _serving(self, stream: int, on: int) -> int:
        """The driver's stream that serves `stream` on the device `on`, behind all that the stream
        holds."""
        now = self._now.get(stream, stream)
        if stream not in self._streams or self._home(now) == on:
            return now
        if self._streams[stream] == on:
            placed = stream
        else:
            others = self._elsewhere.setdefault(stream, {})
            if on not in others:
                others[on] = self._new_stream(on)
                self._others[others[on]] = on
            placed = others[on]
        home = self._home(now)
        event = self._new_event(home)
        try:
            self._call("cuEventRecord", event, now, on=home)
            self._call("cuStreamWaitEvent", placed, event, 0, on=on)
        finally:
            self._drop_event(event, home)
        return placed

    def _new_stream(self, on: int) -> int:
        kept = self._idle_streams.take(on)
        if kept is not None:
            return kept
        flags = self._driver.bindings.CUstream_flags.CU_STREAM_NON_BLOCKING
        return int(self._call("cuStreamCreate", flags, on=on))

    def _drop_stream(self, stream: int, home: int) -> None:
        self._idle_streams.give(stream, home)

    def live_streams(self) -> list[int]:
        """The streams that were made here and not destroyed."""
        return list(self._streams)

    def mgpuStreamCreate(self) -> int:
        stream = self._new_stream(self._ordinal)
        self._streams[stream] = self._ordinal
        self.session.create("streams")
        return stream

    def mgpuStreamDestroy(self, stream: int) -> None:
        self._forget_stream(stream, self._drop_stream)

    def end_stream(self, stream: int) -> None:
        """Destroy a stream that others may have known: it is not used again."""
        self._forget_stream(
            stream, lambda handle, home: self._release("cuStreamDestroy", handle, on=home)
        )

    def _forget_stream(self, stream: int, drop: Callable[[int, int], None]) -> None:
        home = self._streams.pop(stream, None)
        if home is not None:
            drop(stream, home)
            for ordinal, other in self._elsewhere.pop(stream, {}).items():
                drop(other, ordinal)
                del self._others[other]
            self._now.pop(stream, None)
            if self._trace is not None:
                self._trace.forget(stream)
            self.session.destroy("streams")
        elif not self.session.failed:
            raise DeviceError(f"0x{stream:x} is not a live stream (destroyed already?)")

    def mgpuStreamSynchronize(self, stream: int) -> None:
        begin = self.session.now()
        stream = self._now.get(stream, stream)
        home = self._home(stream)
        self._wait("cuStreamSynchronize", "cuStreamQuery", stream, "waiting for a stream", home)
        trace = self._tracing()
        if trace is not None:
            self.session.record(
                f"wait for stream {trace.lane(stream)}", "wait", 0, begin,
                after=trace.behind(stream=stream), location=self.session.location(),
                stream=trace.lane(stream),
            )  # fmt: skip

    def _wait(self, name: str, query: str, handle: int, doing: str, on: int | None = None) -> None:
        """Wait by the driver's function `name`; `query` says whether that would come back."""

        def synchronize() -> object:
            return self._call(name, handle, doing=doing, on=on)

        if self._polls():
            wait(synchronize, lambda: self._is_over(query, handle, on))
        else:
            synchronize()

    def _is_over(self, query: str, handle: int, on: int | None) -> bool:
        try:
            self._call(query, handle, on=on)
        except CudaError as problem:
            if problem.result == "CUDA_ERROR_NOT_READY":
                return False
            raise
        return True

    def mgpuStreamWaitEvent(self, stream: int, event: int) -> None:
        stream = self._now.get(stream, stream)
        actual = self._actual(event)
        self._call("cuStreamWaitEvent", stream, actual, 0, on=self._home(stream))
        if self._trace is not None:
            self._trace.wait(stream, event)

    def mgpuEventCreate(self) -> int:
        event = self._new_event(self._ordinal)
        self._events[event] = self._ordinal
        self.session.create("events")
        return event

    def _new_event(self, on: int) -> int:
        kept = self._idle_events.take(on)
        if kept is not None:
            return kept
        flags = self._driver.bindings.CUevent_flags.CU_EVENT_DISABLE_TIMING
        return int(self._call("cuEventCreate", flags, on=on))

    def _recording(self, event: int, on: int) -> int:
        """The driver's event for a recording on the device `on`: events record streams of their
        own device only."""
        own = self._events.get(event, on)
        actual, home = self._substitutes.get(event, (event, own))
        if home == on:
            return actual
        self._drop_substitute(event)
        if own != on:
            self._substitutes[event] = self._new_event(on), on
        return self._actual(event)

    def _drop_substitute(self, event: int) -> None:
        substitute = self._substitutes.pop(event, None)
        if substitute is not None:
            self._drop_event(*substitute)

    def _actual(self, event: int) -> int:
        """The driver's event that stands for the program's."""
        return self._substitutes.get(event, (event,))[0]

    def _drop_event(self, event: int, home: int) -> None:
        self._idle_events.give(event, home)

    def mgpuEventDestroy(self, event: int) -> None:
        home = self._events.pop(event, None)
        if home is not None:
            self._drop_substitute(event)
            self._drop_event(event, home)
            self.session.destroy("events")
        elif not self.session.failed:
            raise DeviceError(f"0x{event:x} is not a live event (destroyed already?)")

    def mgpuEventSynchronize(self, event: int) -> None:
        begin = self.session.now()
        actual = self._actual(event)
        self._wait("cuEventSynchronize", "cuEventQuery", actual, "waiting for an event")
        trace = self._tracing()
        if trace is not None:
            self.session.record(
                "wait for event", "wait", 0, begin, after=trace.behind(event=event),
                location=self.session.location(),
            )  # fmt: skip

    def mgpuEventRecord(self, event: int, stream: int) -> None:
        stream = self._now.get(stream, stream)
        home = self._home(stream)
        actual = self._recording(event, home)
        self._call("cuEventRecord", actual, stream, on=home)
        if self._trace is not None:
            self._trace.record(event, stream)

    def _release_streams(self) -> None:
        events = self._events | dict(self._substitutes.values())
        self._release_each("cuEventDestroy", events | self._idle_events.take_all())
        self._release_each("cuStreamDestroy", self._streams)
        self._release_each("cuStreamDestroy", self._others)
        self._release_each("cuStreamDestroy", self._idle_streams.take_all())
        self._elsewhere.clear()
        self._now.clear()
        self._events.clear()
        self._substitutes.clear()


class Idle:
    """The driver's streams or events that no program's stream or event has any more, by device.

    What is taken is over: a stream that still has work, or an event that has not come yet, stays
    until it is. So nothing waits for unrelated work, as with new ones. `query` is the driver's
    function that says whether what a handle stands for is over, `destroy` the one that ends it;
    `call` and `release` are the device's.
    """

    def __init__(
        self, query: str, destroy: str, call: Callable[..., object], release: Callable[..., None]
    ) -> None:
        self._query, self._destroy = query, destroy
        self._call, self._release = call, release
        self._kept: dict[int, deque[int]] = {}

    def give(self, handle: int, on: int) -> None:
        """Nothing uses `handle` of the device `on` any more."""
        kept = self._kept.setdefault(on, deque())
        if len(kept) >= _MOST_IDLE:
            self._release(self._destroy, handle, on=on)
        else:
            kept.append(handle)

    def take(self, on: int) -> int | None:
        """A handle of the device `on`, the caller's from now on; None where a new one is due."""
        kept = self._kept.get(on)
        try:
            handle = kept.popleft() if kept else None  # the oldest: the rest was given back later
        except IndexError:
            handle = None  # another thread was first
        if kept is None or handle is None:
            return None
        try:
            self._call(self._query, handle, on=on)
        except CudaError as problem:
            if problem.result == "CUDA_ERROR_NOT_READY":
                kept.appendleft(handle)
            else:
                self._release(self._destroy, handle, on=on)  # nothing uses it
            return None
        return handle

    def take_all(self) -> dict[int, int]:
        """All that is kept, by handle its device; nothing is kept after it."""
        found = {handle: on for on, kept in self._kept.items() for handle in kept}
        self._kept.clear()
        return found


def wait(for_it: Callable[[], object], done: Callable[[], bool]) -> None:
    """Call `for_it`, which returns when all is done; `done` says whether it would at once.

    The driver does not come back before that, whatever signals come. So what takes longer than a
    thread needs to begin is waited for in another thread, and Ctrl-C ends the wait.
    """
    if threading.current_thread() is not threading.main_thread() or _soon(done):
        for_it()
        return
    from xgpu.runtime.program_threads import run_in_thread

    def body() -> None:
        for_it()

    run_in_thread(body, lambda finished: None)


def _soon(done: Callable[[], bool]) -> bool:
    """Whether something is over within some microseconds; what fails is, and says so to the code
    that waits for it."""
    end = time.perf_counter() + _SPIN_SECONDS
    try:
        while not done():
            if time.perf_counter() > end:
                return False
    except CudaError:
        pass
    return True

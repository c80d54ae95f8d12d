# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""When what ran on a GPU: events of the driver around each operation, while a trace is written.

Ranges for NVIDIA's profilers (NVTX): with `XGPU_NVTX=1` what a program gives the GPU is named after
its kernel and its location in the source, in Nsight Systems' timeline of the host.
"""

from __future__ import annotations

import contextlib
import itertools
import os
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from types import ModuleType
from typing import SupportsInt, TypeVar, cast

from xgpu.core.ir.errors import DeviceError
from xgpu.runtime.session import Session

#: What is set where ranges are wanted; 0 and nothing say that they are not.
NVTX_VARIABLE = "XGPU_NVTX"
_DOMAIN = "xgpu"
_MOST_PENDING = 4096  # operations whose times have not been read


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Pending:
    """An operation whose times the GPU knows."""

    name: str
    kind: str
    lane: int
    device: int
    begin: int
    end: int
    details: dict[str, object]


class CudaTrace:
    """Lanes of streams, times of operations, and which operations of other streams they followed.

    `call` is a checked call of the driver, `release` one that gives something back, `home` the
    device of a stream.
    """

    def __init__(
        self, session: Session, call: Callable[..., SupportsInt], release: Callable[..., None],
        home: Callable[[int], int],
    ) -> None:  # fmt: skip
        self._session = session
        self._call = call
        self._release = release
        self._home = home
        self._pending: deque[_Pending] = deque()
        self._count = 0
        self._numbers = itertools.count(1)
        self._lanes: dict[int, int] = {}
        self._last: dict[int, list[int]] = {}  # stream -> what its next operation follows
        self._recorded: dict[int, list[int]] = {}  # event -> what it stands for
        self._homes: dict[int, int] = {}  # operation -> lane
        #: By device: the event from which its times are counted, and when that was.
        self._starts: dict[int, tuple[int, float]] = {}

    def _start(self, device: int) -> None:
        event = self._recorded_now(0, device)
        try:
            self._call("cuEventSynchronize", event, on=device)
        except DeviceError:
            self._drop(event, device)
            raise
        self._starts[device] = (event, self._session.now() / 1000)

    def _timer(self, stream: int) -> int:
        device = self._home(stream)
        if device not in self._starts:
            self._start(device)
        return self._recorded_now(stream, device)

    def _recorded_now(self, stream: int, device: int) -> int:
        """A new event that records what `stream` holds."""
        event = int(self._call("cuEventCreate", 0, on=device))
        try:
            self._call("cuEventRecord", event, stream, on=device)
        except DeviceError:
            self._drop(event, device)
            raise
        return event

    def _drop(self, event: int, device: int) -> None:
        with contextlib.suppress(DeviceError):
            self._release("cuEventDestroy", event, on=device)

    def lane(self, stream: int) -> int:
        """The number of a stream, from 1 in the order in which they are first seen."""
        number = self._lanes.get(stream)
        if number is None:
            number = self._lanes[stream] = next(self._numbers)
        return number

    def operation(
        self, name: str, kind: str, stream: int, location: str | None, do: Callable[[], T],
        **details: object,
    ) -> T:  # fmt: skip
        """Do an operation in `stream` and remember it."""
        lane = self.lane(stream)
        begin = self._timer(stream)
        try:
            result = do()
            end = self._timer(stream)
        except DeviceError:
            self._drop(begin, self._home(stream))
            raise
        before = self._last.get(stream, [])
        number = self._count
        self._count += 1
        details |= {
            "operation": number, "location": location,
            "after": [n for n in before if self._homes[n] != lane],
        }  # fmt: skip
        self._homes[number] = lane
        self._last[stream] = [number]
        self._pending.append(_Pending(name, kind, lane, self._home(stream), begin, end, details))
        if len(self._pending) > _MOST_PENDING:
            self.read()
        return result

    def record(self, event: int, stream: int) -> None:
        """`event` stands for what `stream` holds."""
        self._recorded[event] = list(self._last.get(stream, ()))

    def wait(self, stream: int, event: int) -> None:
        """What comes in `stream` follows what `event` stands for."""
        merged = dict.fromkeys((*self._last.get(stream, ()), *self._recorded.get(event, ())))
        self._last[stream] = list(merged)

    def forget(self, stream: int) -> None:
        """A stream has been destroyed: another may get its handle."""
        self._lanes.pop(stream, None)
        self._last.pop(stream, None)

    def behind(self, *, stream: int | None = None, event: int | None = None) -> list[int]:
        """The operations that a wait of the host for a stream or an event follows."""
        if event is not None:
            return self._recorded.get(event, [])
        return self._last.get(stream or 0, [])

    def read(self) -> None:
        """Wait for what is pending, and write down when it ran."""
        while self._pending:
            one = self._pending[0]
            self._call("cuEventSynchronize", one.end, on=one.device)
            begin, end = (self._time(timer, one.device) for timer in (one.begin, one.end))
            self._session.record_at(one.name, one.kind, one.lane, begin, end, **one.details)
            self._forget_first()

    def _forget_first(self) -> None:
        one = self._pending.popleft()
        for timer in (one.begin, one.end):
            self._drop(timer, one.device)

    def close(self) -> None:
        """Read what is pending; all events go back, also where that fails."""
        try:
            self.read()
        finally:
            while self._pending:
                self._forget_first()
            for device, (event, _) in self._starts.items():
                self._drop(event, device)
            self._starts.clear()

    def _time(self, timer: int, device: int) -> float:
        """Microseconds of the session."""
        event, start = self._starts[device]
        milliseconds = cast("float", self._call("cuEventElapsedTime", event, timer, on=device))
        return start + 1000 * milliseconds


class Ranges:
    """Ranges in a domain of ours, through the package nvtx."""

    def __init__(self, nvtx: ModuleType) -> None:
        self._nvtx = nvtx

    def around(self, what: str, location: str | None) -> AbstractContextManager[object]:
        """A range while a call of the driver is made."""
        text = f"{what} ({location})" if location else what
        return self._nvtx.annotate(message=text, domain=_DOMAIN)


def wanted_ranges() -> Ranges | None:
    """None where no ranges are wanted. Raises `DeviceError` where the package is missing."""
    if os.environ.get(NVTX_VARIABLE, "0") in ("", "0"):
        return None
    with contextlib.suppress(ImportError):
        import nvtx  # pyright: ignore[reportMissingImports, reportMissingTypeStubs]

        return Ranges(nvtx)
    raise DeviceError(
        f"{NVTX_VARIABLE} is set, and ranges need the package nvtx (pip install nvtx)"
    )

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Vector clocks: up to which point of each stream something has been waited for.

A clock is a dict over another clock. Many streams that wait for the same point share what that
point knew, so that forks and joins of any width cost what they change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

_DEPTH = 8


class Clock:
    """Stream -> the number of the last point that is known to be over."""

    __slots__ = ("_base", "_depth", "_own", "_size")

    def __init__(self, own: dict[int, int] | None = None, base: Clock | None = None) -> None:
        self._own = {} if own is None else own
        self._base = base
        self._depth = 0 if base is None else base._depth + 1
        self._size = len(self._own) + (0 if base is None else base._size)

    def known(self, stream: int) -> int:
        """The last point of `stream` that is over; 0 for none."""
        best = 0
        at: Clock | None = self
        while at is not None:
            best = max(best, at._own.get(stream, 0))
            at = at._base
        return best

    def _layers(self) -> Iterable[Clock]:
        at: Clock | None = self
        while at is not None:
            yield at
            at = at._base

    def _flatten(self) -> None:
        """Makes this clock one dict. Who shares it sees the same."""
        own = dict(self._own)
        at = self._base
        while at is not None:
            for stream, number in at._own.items():
                if own.get(stream, 0) < number:
                    own[stream] = number
            at = at._base
        self._own, self._base, self._depth, self._size = own, None, 0, len(own)


def merge(clocks: Iterable[Clock], points: Mapping[int, int]) -> Clock:
    """The clock that knows all that `clocks` know, and `points`."""
    listed = list({id(c): c for c in clocks}.values())
    own = dict(points)
    if not listed:
        return Clock(own)
    base = max(listed, key=lambda c: c._size)
    if base._depth >= _DEPTH:
        base._flatten()
    seen = {id(layer) for layer in base._layers()}
    for clock in listed:
        for layer in clock._layers():
            if id(layer) in seen:
                continue
            seen.add(id(layer))
            for stream, number in layer._own.items():
                if own.get(stream, 0) < number:
                    own[stream] = number
    return Clock(own, base) if own else base


class Gathering:
    """A clock that learns of many points, one after the other."""

    __slots__ = ("_base", "_own", "_seen")

    def __init__(self, base: Clock) -> None:
        self._base = base
        self._own: dict[int, int] = {}
        self._seen = {id(layer) for layer in base._layers()}

    def known(self, stream: int) -> int:
        return max(self._own.get(stream, 0), self._base.known(stream))

    def add(self, stream: int, number: int, clock: Clock | None) -> None:
        """A point has been waited for, and with it what its clock knows."""
        own = self._own
        own[stream] = max(own.get(stream, 0), number)
        for layer in clock._layers() if clock is not None else ():
            if id(layer) not in self._seen:
                self._seen.add(id(layer))
                for other, last in layer._own.items():
                    if own.get(other, 0) < last:
                        own[other] = last

    def clock(self) -> Clock:
        if self._base._depth >= _DEPTH:
            self._base._flatten()
        return Clock(self._own, self._base) if self._own else self._base


EMPTY = Clock()

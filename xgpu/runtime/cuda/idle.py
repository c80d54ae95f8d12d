# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Streams and events of the driver that no program's stream or event has any more, kept for the
next: a function that is called again and again makes none after its first call.

What is taken is over: a stream that still has work, or an event that has not come yet, stays until
it is. So nobody waits for work that is not their own, as with new ones.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from xgpu.runtime.cuda.driver import CudaError

# So many are kept of a device: what one call of a function may want.
_MOST = 64


class Idle:
    """Handles of one kind by device. `query` is the driver's function that says whether what a
    handle stands for is over, `destroy` the one that ends it; `call` and `release` are the
    device's."""

    def __init__(
        self, query: str, destroy: str, call: Callable[..., object], release: Callable[..., None]
    ) -> None:
        self._query, self._destroy = query, destroy
        self._call, self._release = call, release
        self._kept: dict[int, deque[int]] = {}

    def give(self, handle: int, on: int) -> None:
        """Nobody uses `handle` of the device `on` any more."""
        kept = self._kept.setdefault(on, deque())
        if len(kept) >= _MOST:
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
                self._release(self._destroy, handle, on=on)  # of no use to anybody
            return None
        return handle

    def take_all(self) -> dict[int, int]:
        """All that is kept, by handle its device; nothing is kept after it."""
        found = {handle: on for on, kept in self._kept.items() for handle in kept}
        self._kept.clear()
        return found

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is given back a little later than nobody uses it any more.

Python may collect an object at any moment, in any thread: in one that holds a lock of the device,
or in one of the device's own, which would wait for itself. So `__del__` only leaves a note here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable


class Leavings:
    """Notes of what is to be done; any thread may leave one, or see to them."""

    __slots__ = ("_notes",)

    def __init__(self) -> None:
        self._notes: deque[Callable[[], object]] = deque()

    def leave(self, note: Callable[[], object]) -> None:
        self._notes.append(note)

    def see_to(self) -> None:
        """Do what has been noted; called where a call of the device can be made and wait."""
        while self._notes:
            try:
                note = self._notes.popleft()
            except IndexError:  # another thread was faster
                return
            note()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A forked process has none of the threads of its parent: whoever has some begins anew in it.

What the parent's threads had not done by then is the parent's: nobody does it here, and nobody
waits for it.
"""

from __future__ import annotations

import os
import weakref
from typing import Protocol


class Threaded(Protocol):
    def begin_anew(self) -> None:
        """Forget threads, what they were given, and locks that they may have held."""


_known: weakref.WeakSet[Threaded] = weakref.WeakSet()


def begins_anew(threaded: Threaded) -> None:
    """Let something know when this is a forked process."""
    _known.add(threaded)


def _after_fork() -> None:
    for threaded in list(_known):
        threaded.begin_anew()


os.register_at_fork(after_in_child=_after_fork)

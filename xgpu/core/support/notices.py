# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A word on what takes long, for a user who watches a terminal.

The first compilation of a kernel, and of the parts of the host device that it needs, may take
seconds; all of it is kept on disk. Outside of a terminal nothing is said: not in a pipe, a log or a
test.
"""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress

#: What is over sooner is not worth a word, in seconds.
DELAY = 1.5

_is_announced = False


@contextmanager
def slow(what: str) -> Generator[None]:
    """Within it, if it takes longer than `DELAY`, standard error says once that xgpu is `what`."""
    global _is_announced
    if _is_announced or not _is_terminal():
        yield
        return
    from threading import Timer

    timer = Timer(DELAY, _say, (what,))
    timer.daemon = True
    _is_announced = True  # what is within says nothing of its own
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        _is_announced = False


def _is_terminal() -> bool:
    with suppress(AttributeError, ValueError):  # no stream, or a closed one
        return bool(sys.stderr.isatty())
    return False


def _say(what: str) -> None:
    with suppress(OSError, ValueError, AttributeError):
        sys.stderr.write(f"xgpu: {what}; the result is kept for the next time\n")
        sys.stderr.flush()

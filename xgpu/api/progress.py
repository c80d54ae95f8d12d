# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bars for what takes long: tqdm's or rich's, where one is installed and output is a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

from xgpu.core.support.process import slow

_GERUNDS = {"compile": "compiling", "autotune": "running variants", "explore": "exploring orders"}

#: What is over sooner shows no bar, in seconds.
DELAY = 1.0


@contextmanager
def bar(total: int, what: str) -> Generator[Callable[[], None]]:
    """What to call after each of `total` steps. Without a terminal nothing is shown; on one without
    tqdm and rich a line."""
    shown = _tqdm(total, what) or _rich(total, what) if _is_watched() else None
    if shown is None:
        with slow(_GERUNDS.get(what, f"busy ({what})")):
            yield _nothing
        return
    step, close = shown
    try:
        yield step
    finally:
        close()


def _nothing() -> None:
    """Progress is not shown."""


def _is_watched() -> bool:
    stream = sys.stderr
    if stream is None:
        return False
    return bool(stream.isatty()) or "ipykernel" in sys.modules


def _tqdm(total: int, what: str) -> tuple[Callable[[], None], Callable[[], None]] | None:
    try:
        from tqdm.auto import tqdm  # pyright: ignore
    except ImportError:
        return None
    shown = tqdm(total=total, desc=what, delay=DELAY, leave=False)

    def step() -> None:
        shown.update(1)

    return step, shown.close


def _rich(total: int, what: str) -> tuple[Callable[[], None], Callable[[], None]] | None:
    try:
        from rich.console import Console  # pyright: ignore
        from rich.progress import Progress  # pyright: ignore
    except ImportError:
        return None
    shown = Progress(transient=True, console=Console(stderr=True))
    task = shown.add_task(what, total=total)
    begin = time.monotonic()

    def step() -> None:
        shown.advance(task)
        if not shown.live.is_started and time.monotonic() - begin >= DELAY:
            shown.start()

    return step, shown.stop

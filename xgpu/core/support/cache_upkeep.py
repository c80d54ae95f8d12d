# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cache's folder as a whole, by a handle of it: what there is, room for more, and an empty
folder. Who only reads and writes entries needs none of it."""

from __future__ import annotations

import os
import time
from collections.abc import Generator
from contextlib import suppress

#: A new file that nobody finished in so many seconds is nobody's any more.
_ABANDONED = 3600


def entries(directory: int) -> list[tuple[str, int, float]]:
    """What is kept: kind, bytes, and when it was used last (seconds since 1970), newest first."""
    files = sorted(_files(directory), reverse=True)
    return [(name.rpartition("-")[0], size, used) for used, size, name in files]


def clear(directory: int, kind: str | None = None) -> int:
    """Remove what is kept, or that of one `kind`; how many files that were."""
    removed = 0
    for _, _, name in list(_files(directory)):
        if kind is None or name.rpartition("-")[0] == kind:
            _remove(directory, name)
            removed += 1
    return removed


def make_room(directory: int, most: int) -> None:
    """Removes what was used longest ago until less than three quarters of `most` bytes are left,
    and what writers that died have left."""
    files = list(_files(directory))
    now = time.time()
    for used, _, name in files:
        if name.startswith("new-") and now - used > _ABANDONED:
            _remove(directory, name)
    total = sum(size for _, size, _ in files)
    if total <= most * 7 // 8:
        return
    for _, size, name in sorted(files):
        if total <= most * 3 // 4:
            return
        _remove(directory, name)
        total -= size


def _remove(directory: int, name: str) -> None:
    with suppress(OSError):  # gone already, or a folder: it is in nobody's way
        os.unlink(name, dir_fd=directory)


def _files(directory: int) -> Generator[tuple[float, int, str]]:
    """When each file was last used, its bytes and its name."""
    with os.scandir(directory) as found:
        for entry in found:
            try:
                status = entry.stat(follow_symlinks=False)
            except OSError:
                continue
            yield status.st_mtime, status.st_size, entry.name

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`xgpu.cache`: what is cached on disk from one process to the next, to look at and to clear.

    print(xgpu.cache.info())
    xgpu.cache.clear()

Programs that were compiled (kind "module"), machine code of kernels for the host device
("kernels") and of host programs ("programs"), the best of `autotune` ("tuned"), and more:
`xgpu.core.support.cache` has the table. All together stay below `limit` bytes: what was used
longest ago goes first.
`XGPU_NO_CACHE=1` turns it off.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeVar

from xgpu.core.support import cache as _files

T = TypeVar("T")

#: All files together have at most so many bytes.
limit = _files.MOST_BYTES


class Info:
    """What is cached: `folder` (None where nothing can be), `files`, `bytes`, and both by kind."""

    __slots__ = ("bytes", "files", "folder", "kinds")

    def __init__(self) -> None:
        self.folder = _files.folder()
        self.kinds: dict[str, tuple[int, int]] = {}
        for kind, size, _ in _in_folder(_files.entries, []):
            files, total = self.kinds.get(kind, (0, 0))
            self.kinds[kind] = (files + 1, total + size)
        self.files = sum(files for files, _ in self.kinds.values())
        self.bytes = sum(size for _, size in self.kinds.values())

    def __repr__(self) -> str:
        if self.folder is None:
            return "nothing is cached: XGPU_NO_CACHE is set, or there is no folder of one's own"
        lines = [f"{self.folder}: {self.files} files, {self.bytes:,} of {limit:,} bytes"]
        lines += [
            f"  {kind:12}{files:>6} files {size:>14,} bytes"
            for kind, (files, size) in sorted(self.kinds.items())
        ]
        return "\n".join(lines)


def info() -> Info:
    """What is cached now."""
    return Info()


def clear(kind: str | None = None) -> int:
    """Remove all that is cached, or all of one kind; how many files that were."""
    return _in_folder(lambda directory: _files.clear(directory, kind), 0)


def _in_folder(use: Callable[[int], T], otherwise: T) -> T:
    """What `use` makes of the folder's handle; `otherwise` where there is no folder."""
    directory = _files.open_folder(create=False)
    if directory is None:
        return otherwise
    try:
        return use(directory)
    finally:
        os.close(directory)

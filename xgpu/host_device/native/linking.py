# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is linked into the process once: by one thread at a time, not while the process forks."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import cache, wraps
from typing import TypeVar

from xgpu.core.support.forks import holds_off_forks, new_rlock

T = TypeVar("T")

#: Who makes the native library, or links a part of it, which may need another.
LINKING = new_rlock()


def _lock_of_llvm() -> AbstractContextManager[object] | None:
    """llvmlite's, if it is there: a fork in the middle of LLVM's work would leave it broken."""
    ffi = sys.modules.get("llvmlite.binding.ffi")
    return getattr(getattr(ffi, "lib", None), "_lock", None)


holds_off_forks(lambda: LINKING)
holds_off_forks(_lock_of_llvm)


def linked_once(link: Callable[[], T]) -> Callable[[], T]:
    """What `link` gives, the first time it is asked for."""
    known = cache(link)

    @wraps(link)
    def get() -> T:
        with LINKING:
            return known()

    return get

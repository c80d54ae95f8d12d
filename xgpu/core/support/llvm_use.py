# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM in this process: its lock, and its end."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager


def lock_of_llvm() -> AbstractContextManager[object] | None:
    """llvmlite's lock, None before llvmlite is loaded. A child that is forked while another thread
    is in LLVM would find LLVM broken, and the lock held by a thread that it does not have.

    llvmlite has no public name for it. A lock around xgpu's own calls would not do: finalizers of
    llvmlite's objects and other packages, numba for one, call LLVM too. Nor do the callbacks of
    `llvmlite.binding.ffi.register_lock_callback`: they run when the lock is held already, and a
    thread that waits in one holds it.
    """
    ffi = sys.modules.get("llvmlite.binding.ffi")
    return getattr(getattr(ffi, "lib", None), "_lock", None)


# -- the end of the process
#
# LLVM's variables have destructors, which run in `exit` of C. A thread that still compiles then,
# say a part of the native library for later launches, would make LLVM end the process by an
# assertion.


def keep_llvm() -> None:
    """Let no other thread use LLVM from here on: the process ends, and waits for no thread that
    does."""
    lock = lock_of_llvm()
    if lock is not None:
        lock.__enter__()


def begin_llvm() -> None:
    """Make LLVM's variables: what `exit` is to call and is registered behind this call runs before
    their destructors, so that until then all threads may compile."""
    from llvmlite import binding

    # LLVM reads its options from files too, and makes a file system for that.
    binding.set_option("xgpu", "-disable-auto-upgrade-debug-info")

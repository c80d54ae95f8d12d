# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kinds of interpreters: in which xgpu can be imported, and whether this is the main one of the
process. Machine code calls back into the main one, wherever it was called from, and children are
forked from it only."""

from __future__ import annotations

import sys
from functools import cache

#: What is said elsewhere.
REFUSED = (
    "this is a subinterpreter, and programs are compiled and run in the main interpreter of a "
    "process only"
)


@cache
def is_main_interpreter() -> bool:
    """Whether who calls is not in a subinterpreter."""
    import ctypes

    api = ctypes.pythonapi
    here, main = api.PyInterpreterState_Get, api.PyInterpreterState_Main
    here.restype = main.restype = ctypes.c_void_p
    return here() == main()


def refusal(version: tuple[int, int], abi_flags: str, *, own_lock: bool) -> str | None:
    """Why xgpu cannot be imported in an interpreter of this version of Python, built with these
    flags, which has a lock of its own or shares one; None if it can.

    Modules of C that the standard library and xgpu need (`ctypes`, `hashlib`) refuse to be loaded
    in a subinterpreter of Python 3.12 with its own lock, or corrupt the heap of the process when
    the interpreter ends. Python 3.13 has fixed that.
    """
    if "t" in abi_flags:
        return (
            "xgpu cannot be imported in a free-threaded build of Python: its runtime needs the "
            f"global interpreter lock; use the default build of Python {version[0]}.{version[1]}"
        )
    if own_lock and version == (3, 12):
        return (
            "xgpu cannot be imported in a subinterpreter of Python 3.12 that has its own lock: "
            "parts of Python's own library that it needs cannot be loaded there; use Python 3.13, "
            "a subinterpreter that shares the lock, or a process"
        )
    return None


def check_interpreter() -> None:
    """Raises ImportError in an interpreter in which xgpu cannot be imported."""
    version = sys.version_info[:2]
    why = refusal(version, getattr(sys, "abiflags", ""), own_lock=_has_own_lock(version))
    if why is not None:
        raise ImportError(why)


def _has_own_lock(version: tuple[int, int]) -> bool:
    """Whether this is a subinterpreter with a lock of its own. Python says so of 3.12 on: such an
    interpreter has no daemon threads."""
    if version < (3, 12):
        return False
    import _thread

    return not _thread.daemon_threads_allowed()  # type: ignore[attr-defined]

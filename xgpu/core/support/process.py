# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""This process: its interpreter, whether a tool owns it, its exit code, notices on its terminal,
and how often Python's garbage collector runs while modules are compiled.

Machine code calls back into the main interpreter, wherever it was called from, and children are
forked from that one only.
"""

from __future__ import annotations

import _thread
import atexit
import gc
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from functools import cache
from threading import Lock, Timer

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
    return not _thread.daemon_threads_allowed()  # type: ignore[attr-defined]


# -- The owner of the process, and its exit code.
#
# A tool may end its process with a message; a library may not.


_tool: str | None = None
_exit_code = 0
_is_registered = False


def own_process(tool: str) -> None:
    """A tool says that the process is its own."""
    global _tool
    _tool = tool


def owner() -> str | None:
    """The name of the tool whose process this is; None in any other process."""
    return _tool


def register_exit_code() -> None:
    """Lets `set_exit_code` have an effect. Functions that are registered with `atexit` after this
    call run before the process ends with the code, and those of before do not run then. So
    `import xgpu` makes the call, where XGPU_SANITIZE is set."""
    global _is_registered
    if not _is_registered:
        _is_registered = True
        atexit.register(_end)


def set_exit_code(code: int) -> None:
    """The process, which comes to its end, ends with `code`."""
    global _exit_code
    _exit_code = code


def _end() -> None:
    if _exit_code == 0:
        return
    import ctypes

    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):  # None is a closed one
            stream.flush()
    ctypes.CDLL(None).fflush(None)  # what programs have printed
    os._exit(_exit_code)


# -- Notices about long work, for a user at a terminal.
#
# The first compilation of a kernel, and of the parts of the host device that it needs, may take
# seconds; the result is cached on disk. In a pipe, a log or a test nothing is printed.


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
        sys.stderr.write(f"xgpu: {what}; the result is cached for the next time\n")
        sys.stderr.flush()


# -- The garbage collector.
#
# Operations, their results and uses refer to each other, and nearly all of what a pass makes stays.
# With Python's own threshold, a collection every 700 new objects, a quarter of the time of a
# compilation goes into collections that find nothing.


#: After how many new objects the youngest generation is collected while modules are compiled, and
#: after how many such collections the older ones (`gc.set_threshold`).
RARE_COLLECTIONS = (200_000, 20, 100)

_collector_lock = Lock()
_compilations = 0
_usual: tuple[int, ...] = ()
_rare: tuple[int, ...] = ()


@contextmanager
def rare_collections() -> Generator[None]:
    """Within it, garbage collections of this process are rare. The thresholds of before are put
    back at the end of the outermost one, in the thread that leaves last, unless the program has
    set others meanwhile. A collector that is switched off stays so.
    """
    global _compilations, _usual, _rare
    with _collector_lock:
        if not _compilations:
            _usual = gc.get_threshold()
            # The first is 0 where the program wants no collections.
            _rare = tuple(map(max, _usual, RARE_COLLECTIONS)) if _usual[0] else _usual
            gc.set_threshold(*_rare)
        _compilations += 1
    try:
        yield
    finally:
        with _collector_lock:
            _compilations -= 1
            if not _compilations and gc.get_threshold() == _rare:
                gc.set_threshold(*_usual)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether this process is a tool's own, or that of a program which uses xgpu; and its exit code.

A tool may end its process and say its last words there; a library may not.
"""

from __future__ import annotations

import atexit
import os
import sys
from contextlib import suppress

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

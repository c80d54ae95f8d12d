# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether this is the process's main interpreter. Machine code calls back into that one, wherever
it was called from, and children are forked from it only."""

from __future__ import annotations

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

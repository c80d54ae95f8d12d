# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The end of a process in which another thread uses LLVM."""

from __future__ import annotations

import sys

import pytest

from tests.support import processes

#: Without what is tested, LLVM ends about every other one.
_PROCESSES = 8
#: A thread that goes into LLVM and out of it, up to the end.
_USER = """
import atexit, ctypes, sys, threading, time

def use():
    from llvmlite import binding
    while True:
        binding.set_option("xgpu", "-disable-auto-upgrade-debug-info")
        used.set()

used, user = threading.Event(), threading.Thread(target=use, daemon=True)

def begin():
    user.start()
    used.wait()
"""
#: A library in a program of C++ has started the interpreter, which does not end: what `exit` of C
#: calls behind the interpreter's functions, and among them.
_ENDS = {
    "behind": """
from xgpu.api.cuda_driver.native import own_interpreter

last = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_void_p)(lambda code, data: time.sleep(0.05))
ctypes.CDLL(None).on_exit(last, None)
own_interpreter()
""",
    "among": """
from xgpu.api.cuda_driver.native import own_interpreter

own_interpreter()
atexit.register(time.sleep, 0.05)
""",
}


@pytest.mark.parametrize("place", _ENDS)
def test_a_process_ends_while_a_thread_uses_llvm(place: str) -> None:
    text = _USER + _ENDS[place] + "begin()\nctypes.CDLL(None).exit(3)\n"
    for _ in range(_PROCESSES):
        done = processes.run([sys.executable, "-c", text], capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (3, "")

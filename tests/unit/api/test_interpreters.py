# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Subinterpreters: machine code calls back into the main interpreter, whatever called it."""

from __future__ import annotations

import subprocess
import sys

CODE = """
import xgpu
from xgpu.ir.errors import DeviceError

TEXT = "func.func @f() -> i32 { %c = arith.constant 1 : i32 return %c : i32 }"

def tried(call):
    try:
        print("went on", call())
    except (DeviceError, ImportError) as problem:  # of Python, where it refuses ctypes
        print("refused:", str(problem).count("\\\\n"), flush=True)

tried(lambda: xgpu.load(TEXT, "host"))
tried(lambda: xgpu.run(TEXT, entry="f", device="host"))
tried(lambda: xgpu.empty(3, "float32", "host"))
tried(lambda: xgpu.Stream("host"))
tried(lambda: xgpu.explore(TEXT, "f"))
"""

MAIN = f"""
import os, sys
try:
    import _interpreters as made
except ImportError:
    import _xxsubinterpreters as made
try:
    one = made.create(isolated=False)
except TypeError:
    one = made.create("legacy")
made.run_string(one, '''{CODE}''')
sys.stdout.flush()
os._exit(0)
"""


def test_a_subinterpreter_is_refused_with_one_line():
    done = subprocess.run(
        [sys.executable, "-c", MAIN], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.stdout.splitlines() == ["refused: 0"] * 5, done.stderr
    assert done.returncode == 0

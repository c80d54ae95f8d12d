# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Subinterpreters: machine code calls back into the main interpreter, whatever called it."""

from __future__ import annotations

import sys

import pytest

from tests.support import processes
from xgpu.core.support.process import refusal

CODE = """
import xgpu
from xgpu.core.ir.errors import DeviceError

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
    done = processes.run([sys.executable, "-c", MAIN], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == ["refused: 0"] * 5, done.stderr
    assert done.returncode == 0


OWN_LOCK = """
import sys
sys.path[:] = {path!r}
try:
    import xgpu
    print("went on", sorted(m for m in ("ctypes", "hashlib") if m in sys.modules))
except ImportError as problem:
    print("refused:", problem, sorted(m for m in ("ctypes", "hashlib") if m in sys.modules))
"""


@pytest.mark.parametrize(
    ("version", "flags", "own_lock", "why"),
    [
        ((3, 11), "", False, None),
        ((3, 12), "", True, "a subinterpreter of Python 3.12 that has its own lock"),
        ((3, 12), "", False, None),
        ((3, 13), "", True, None),
        ((3, 13), "t", False, "a free-threaded build of Python"),
        ((3, 14), "t", True, "a free-threaded build of Python"),
        ((3, 14), "td", False, "a free-threaded build of Python"),
        ((3, 14), "d", False, None),
    ],
)
def test_where_the_import_is_refused(
    version: tuple[int, int], flags: str, own_lock: bool, why: str | None
) -> None:
    refused = refusal(version, flags, own_lock=own_lock)
    if why is None:
        assert refused is None
    else:
        assert refused is not None
        assert refused.startswith(f"xgpu cannot be imported in {why}")
        assert "\n" not in refused


def test_importing_asks_the_interpreter() -> None:
    """One whose flags say that it has no lock is refused by `import xgpu` itself."""
    code = "import sys; sys.abiflags = 't'; import xgpu"
    done = processes.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith(
        "ImportError: xgpu cannot be imported in a free-threaded build of Python: "
    )


@pytest.mark.skipif(sys.version_info < (3, 12), reason="no interpreter has its own lock there")
def test_subinterpreters_with_their_own_lock():
    """They come and go; the process goes on, and ends as it should."""
    code = OWN_LOCK.format(path=sys.path)
    main = f"""
try:
    import _interpreters as made
    new = lambda: made.create("isolated")
except ImportError:
    import _xxsubinterpreters as made
    new = lambda: made.create(isolated=True)
for _ in range(3):
    one = new()
    made.run_string(one, {code!r})
    made.destroy(one)
"""
    done = processes.run([sys.executable, "-c", main], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 3
    if sys.version_info < (3, 13):
        assert all(line.startswith("refused: xgpu cannot be imported") for line in lines)
        assert all(line.endswith("[]") for line in lines)
    else:
        assert all(line.startswith("went on") for line in lines)

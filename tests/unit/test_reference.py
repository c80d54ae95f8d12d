# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests come to mlir-opt 22 by one door, so that it is known which are others without it."""

from __future__ import annotations

import mmap
import os
import pathlib
import re

import pytest
from reference import names_reference

from tests.support import processes

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOOR = ROOT / "tests" / "support" / "reference.py"
#: How a file could look for it by itself. An option of xgpu's tools (`--mlir-to-ptx`) is no tool,
#: nor is a file that a tool writes (`mlir-remarks.yaml`).
_LOOKS = re.compile(
    r"(which|run|environ|getenv|Popen|Path)\W+(?<!--)"
    r"(mlir-(?![a-z-]+\.)|LLVM_BIN|/usr/lib/llvm)"
)


def test_nobody_else_looks_for_the_reference() -> None:
    assert _LOOKS.search(DOOR.read_text()), "the door itself must be seen"
    files = [p for p in (ROOT / "tests").rglob("*.py") if p != DOOR]
    assert [str(p.relative_to(ROOT)) for p in files if _LOOKS.search(p.read_text())] == []


def test_who_asks_is_known() -> None:
    parity = ROOT / "tests" / "parity" / "test_ptx.py"
    assert names_reference(parity)
    assert not names_reference(ROOT / "tests" / "unit" / "test_types.py")


def test_processes_have_limits() -> None:
    """Tests start processes by `tests/support/processes.py` alone, and `reference.py` before it."""
    starts = re.compile(
        r"\bsubprocess\.(run|Popen|call|check_\w+)\(|\bos\.(system|popen|spawn\w+)\("
    )
    doors = {DOOR, DOOR.with_name("processes.py")}
    files = [p for p in (ROOT / "tests").rglob("*.py") if p not in doors]
    assert [str(p.relative_to(ROOT)) for p in files if starts.search(p.read_text())] == []


@pytest.mark.parametrize(("megabytes", "fits"), [(32, True), (128, False)])
def test_a_forked_child_has_memory_of_its_own(megabytes: int, fits: bool) -> None:
    """Its limit is on top of what its parent has mapped, which is more than the limit here."""
    with mmap.mmap(-1, 5 << 30, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS):
        child = os.fork()
        if child == 0:
            status = 2
            try:
                processes.limit_child(memory=64 << 20)
                mmap.mmap(-1, megabytes << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
                status = 0
            except OSError:
                status = 1
            finally:
                os._exit(status)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == (0 if fits else 1)

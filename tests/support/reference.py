# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What of the outside world is on this machine: mlir-opt 22, an NVIDIA GPU."""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

#: Why a test that compares with MLIR is skipped.
NO_REFERENCE = "needs mlir-opt 22 (Debian: mlir-22-tools)"


@cache
def llvm_bin() -> pathlib.Path | None:
    """The folder of MLIR 22's tools: `LLVM_BIN` where that is set, and then no other (so an empty
    one is a machine without MLIR); else Debian's place, or where PATH finds mlir-opt."""
    named = os.environ.get("LLVM_BIN")
    places = [named or "/nonexistent"] if named is not None else ["/usr/lib/llvm-22/bin"]
    found = shutil.which("mlir-opt-22") or shutil.which("mlir-opt")
    if found and named is None:
        places.append(str(pathlib.Path(found).resolve().parent))
    for place in places:
        tool = pathlib.Path(place) / "mlir-opt"
        if tool.is_file():
            version = subprocess.run([tool, "--version"], capture_output=True, text=True)
            if "version 22." in version.stdout:
                return tool.parent
    return None


def llvm_tool(name: str) -> pathlib.Path | None:
    """A tool of LLVM 22 beside MLIR's, which other packages hold (llc: llvm-22)."""
    folder = llvm_bin()
    tool = folder / name if folder else None
    return tool if tool and tool.is_file() else None


def llvm_library(name: str) -> pathlib.Path | None:
    """MLIR 22's shared library `name`. The packages for users hold `name.so.22.1` alone; the plain
    name comes with those for developers, and some installations have neither."""
    folder = llvm_bin()
    if folder is None:
        return None
    found = [folder.parent / "lib" / f"{name}.so{version}" for version in ("", ".22.1", ".22")]
    return next((path for path in found if path.is_file()), None)


#: How a test comes by the reference: this file, a fixture, or a benchmark that looks for it.
_WAYS = re.compile(r"\breference import\b|\bmlir_(opt|translate)\b|\bbenchmarks\b")


def asks_for_reference(item: pytest.Item) -> bool:
    """Whether a test may do something else where mlir-opt 22 is missing. That no test has another
    way to it is what tests/unit/test_reference.py holds."""
    if item.get_closest_marker("parity"):
        return True
    return item.path.suffix == ".py" and names_reference(item.path)


@cache
def names_reference(path: pathlib.Path) -> bool:
    return _WAYS.search(path.read_text(encoding="utf-8")) is not None


@cache
def has_gpu() -> bool:
    """Whether an NVIDIA driver with a device is there."""
    try:
        from cuda.bindings import driver
    except ImportError:
        return False
    try:
        if driver.cuInit(0)[0] != driver.CUresult.CUDA_SUCCESS:
            return False
        return driver.cuDeviceGetCount()[1] > 0
    except Exception:  # bindings without a driver raise their own kinds
        return False

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What of the outside world is on this machine: mlir-opt 22, an NVIDIA GPU."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
from functools import cache


@cache
def llvm_bin() -> pathlib.Path | None:
    """The folder of MLIR 22's tools: `LLVM_BIN`, Debian's place, or where PATH finds mlir-opt."""
    found = shutil.which("mlir-opt-22") or shutil.which("mlir-opt")
    places = [os.environ.get("LLVM_BIN"), "/usr/lib/llvm-22/bin"]
    if found:
        places.append(str(pathlib.Path(found).resolve().parent))
    for place in places:
        tool = pathlib.Path(place or "/nonexistent") / "mlir-opt"
        if tool.is_file():
            version = subprocess.run([tool, "--version"], capture_output=True, text=True)
            if "version 22." in version.stdout:
                return tool.parent
    return None


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

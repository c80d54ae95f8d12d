# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tests may need, and how they say why they are skipped."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
from functools import cache

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="also run tests that take minutes")


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


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("parity") and llvm_bin() is None:
            item.add_marker(pytest.mark.skip(reason="needs mlir-opt 22 (package mlir-22-tools)"))
        if item.get_closest_marker("gpu") and not has_gpu():
            item.add_marker(pytest.mark.skip(reason="needs an NVIDIA GPU and cuda-python"))
        if item.get_closest_marker("long") and not config.getoption("--long"):
            item.add_marker(pytest.mark.skip(reason="takes minutes: run with --long"))


@pytest.fixture(scope="session")
def mlir_opt() -> str:
    """The path of mlir-opt 22."""
    found = llvm_bin()
    if found is None:
        pytest.skip("needs mlir-opt 22 (package mlir-22-tools)")
    return str(found / "mlir-opt")


@pytest.fixture(scope="session")
def mlir_translate() -> str:
    """The path of mlir-translate 22."""
    found = llvm_bin()
    if found is None:
        pytest.skip("needs mlir-translate 22 (package mlir-22-tools)")
    return str(found / "mlir-translate")


@pytest.fixture(scope="session")
def examples() -> pathlib.Path:
    """The folder of the example programs."""
    return ROOT / "examples"

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tests may need, and how they say why they are skipped."""

from __future__ import annotations

import pathlib

import pytest
from hypothesis import settings
from reference import NO_REFERENCE, asks_for_reference, has_gpu, llvm_bin, llvm_tool

# How long an example takes depends on what else the machine does.
settings.register_profile("xgpu", deadline=None)
settings.load_profile("xgpu")

ROOT = pathlib.Path(__file__).resolve().parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="also run tests that take minutes")
    parser.addoption(
        "--reference-users", action="store_true",
        help="run only tests that ask for mlir-opt 22: all others are the same without it",
    )  # fmt: skip


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--reference-users"):
        items[:] = [item for item in items if asks_for_reference(item)]
    for item in items:
        if item.get_closest_marker("parity") and llvm_bin() is None:
            item.add_marker(pytest.mark.skip(reason=NO_REFERENCE))
        if item.get_closest_marker("gpu") and not has_gpu():
            item.add_marker(pytest.mark.skip(reason="needs an NVIDIA GPU and cuda-python"))
        if item.get_closest_marker("long") and not config.getoption("--long"):
            item.add_marker(pytest.mark.skip(reason="takes minutes: run with --long"))


@pytest.fixture(scope="session")
def mlir_opt() -> str:
    """The path of mlir-opt 22."""
    return needed("mlir-opt")


@pytest.fixture(scope="session")
def mlir_translate() -> str:
    """The path of mlir-translate 22."""
    return needed("mlir-translate")


def needed(name: str) -> str:
    tool = llvm_tool(name)
    if tool is None:
        pytest.skip(NO_REFERENCE.replace("mlir-opt", name))
    return str(tool)


@pytest.fixture(scope="session")
def examples() -> pathlib.Path:
    """The folder of the example programs."""
    return ROOT / "examples"

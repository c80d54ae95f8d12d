# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The two examples, as they are and buffered: right, without a report, and taken by MLIR."""

from __future__ import annotations

import pathlib

import pytest

import xgpu
from tests.circular.runs import buffered
from tests.support import processes
from xgpu.core.syntax import print_module

STAGES = {"double_buffer": 2, "circular_buffer": 3}


def _text(examples: pathlib.Path, name: str) -> str:
    return (examples / f"{name}.mlir").read_text()


@pytest.mark.parametrize("name", STAGES)
def test_the_example_copies(examples: pathlib.Path, name: str) -> None:
    plain = _text(examples, name)
    module = buffered(plain)
    tile = f"memref<{STAGES[name]}x32xf32, #gpu.address_space<workgroup>>"
    assert tile in print_module(module)
    for source in (plain, module):
        printed: list[str] = []
        found = xgpu.sanitize(source, output=printed.append)
        assert not found, found.text()
        assert "".join(printed) == "0\n"


@pytest.mark.parity
@pytest.mark.parametrize("name", STAGES)
def test_mlir_takes_the_buffered_example(examples: pathlib.Path, name: str, mlir_opt: str) -> None:
    text = print_module(buffered(_text(examples, name)))
    done = processes.run([mlir_opt], input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

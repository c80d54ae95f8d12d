# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The example programs through gpu-lower-to-nvvm-pipeline, beside mlir-opt 22."""

from __future__ import annotations

import pathlib
import re

import pytest

from tests.support import processes
from xgpu.tools.xgpu_opt import main

EXAMPLES = ("reduce", "two_matmuls", "two_matmuls_launch", "vector_add")
#: mlir-opt's default of +ptx60 is too old for the chip.
PIPELINE = "--gpu-lower-to-nvvm-pipeline=cubin-chip=sm_80 cubin-features=+ptx80 cubin-format=isa"

pytestmark = pytest.mark.parity


def ptx(text: str) -> list[str]:
    """The PTX of each kernel module, registers without their numbers."""
    return [
        re.sub(r"%[a-z]+\d+", "%r", found)
        for found in re.findall(r'assembly = "((?:[^"\\]|\\.)*)"', text)
    ]


@pytest.mark.parametrize("name", EXAMPLES)
def test_same_ptx(name: str, examples: pathlib.Path, mlir_opt: str, tmp_path: pathlib.Path) -> None:
    file = examples / f"{name}.mlir"
    theirs = processes.run(
        [mlir_opt, str(file), PIPELINE], capture_output=True, text=True, check=True
    ).stdout
    lowered = tmp_path / "lowered.mlir"
    assert main([str(file), PIPELINE, "-o", str(lowered)]) == 0
    found = ptx(lowered.read_text())
    assert found
    assert found == ptx(theirs)
    # mlir-opt reads what we print.
    processes.run([mlir_opt, str(lowered), "-o", "/dev/null"], check=True)

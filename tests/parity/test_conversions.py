# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Conversions beside mlir-opt 22: the same text for each file of `conversions/`.

A file's first line, `// SAME: options`, says which passes.
"""

from __future__ import annotations

import pathlib
import shlex

import pytest

from tests.support import processes
from xgpu.tools.xgpu_opt import main

pytestmark = [pytest.mark.parity, pytest.mark.sampled(2)]

FILES = sorted((pathlib.Path(__file__).parent / "conversions").glob("*.mlir"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_same_text(file: pathlib.Path, mlir_opt: str, tmp_path: pathlib.Path) -> None:
    first = file.read_text().splitlines()[0]
    options = shlex.split(first.removeprefix("// SAME: "))
    options += ["--split-input-file", "--allow-unregistered-dialect"]
    theirs = processes.run(
        [mlir_opt, str(file), *options], capture_output=True, text=True, check=True
    ).stdout
    ours = tmp_path / "ours.mlir"
    assert main([str(file), *options, "-o", str(ours)]) == 0
    assert ours.read_text() == theirs

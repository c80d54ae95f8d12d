# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Translation beside mlir-translate 22: the same LLVM IR for each part of the files of
`translate/`, but for the order in which comments name predecessors."""

from __future__ import annotations

import pathlib

import pytest

from tests.support import processes
from xgpu.tools.xgpu_translate import main

pytestmark = pytest.mark.parity

FILES = sorted((pathlib.Path(__file__).parent / "translate").glob("*.mlir"))
PARTS = [
    pytest.param(part, id=f"{file.stem}-{number}")
    for file in FILES
    for number, part in enumerate(file.read_text().split("// -----\n"))
]


@pytest.mark.parametrize("part", PARTS)
def test_same_text(part: str, mlir_opt: str, tmp_path: pathlib.Path) -> None:
    source, ours = tmp_path / "part.mlir", tmp_path / "ours.ll"
    source.write_text(part)
    translate = pathlib.Path(mlir_opt).with_name("mlir-translate")
    theirs = processes.run(
        [translate, "--mlir-to-llvmir", source], capture_output=True, text=True, check=True
    ).stdout
    assert main(["--mlir-to-llvmir", str(source), "-o", str(ours)]) == 0
    assert plain(ours.read_text()) == plain(theirs)


def plain(text: str) -> list[str]:
    return [line.partition("; preds")[0].rstrip() for line in text.strip().splitlines()]

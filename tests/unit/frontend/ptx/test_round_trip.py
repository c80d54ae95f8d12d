# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All PTX that examples and the programs of filecheck tests become is read."""

from __future__ import annotations

import pathlib

import pytest

from tests.support.some_cases import each
from xgpu.core.ir.errors import DiagnosticError
from xgpu.core.syntax.verify import verify_module
from xgpu.driver import compiler
from xgpu.frontend.ptx import import_module

ROOT = pathlib.Path(__file__).parents[4]
CHIP = "sm_100a"


def _programs() -> list[object]:
    """Programs with kernels, each a part of a file."""
    found: list[object] = []
    for folder in ("examples", "tests/filecheck"):
        for path in sorted((ROOT / folder).rglob("*.mlir")):
            text = path.read_text(errors="surrogateescape")
            for number, part in enumerate(text.split("// -----")):
                has_kernels = "gpu.module" in part or "gpu.launch" in part
                if has_kernels and "expected-error" not in part:
                    name = f"{path.relative_to(ROOT)}-{number}"
                    found.append(pytest.param(part, id=name))
    return found


def _each() -> list[object]:
    """Every twelfth, the others for `--long`."""
    given = _programs()
    marks = each(range(len(given)), 12)
    return [
        pytest.param(*p.values, id=p.id, marks=getattr(mark, "marks", ()))  # type: ignore[attr-defined]
        for p, mark in zip(given, marks, strict=True)
    ]


@pytest.mark.parametrize("text", _each())
def test_read_back(text: str) -> None:
    try:
        kernels = compiler.compile(text, chip=CHIP).kernels
    except DiagnosticError:
        pytest.skip("the program does not compile by itself")
    for code in kernels.values():
        ptx = code.decode()
        if ".entry" in ptx:
            verify_module(import_module(ptx, "k.ptx"))

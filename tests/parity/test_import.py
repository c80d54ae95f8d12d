# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`xgpu-translate --import-llvm` beside mlir-translate 22: the same text for the files of the
import's own tests, and for what the translation to LLVM IR gives in its tests; and back again the
same module, once a round has brought the globals that bodies ask for to their place."""

from __future__ import annotations

import pathlib
import re

import pytest

from tests.support import processes
from xgpu.backend.llvm_ir import canonical, translate
from xgpu.core.ir.errors import DiagnosticError
from xgpu.core.syntax import diagnostics, parse_module, print_module
from xgpu.core.syntax.verify import verify_module
from xgpu.frontend.llvm_ir import import_module

pytestmark = [pytest.mark.parity, pytest.mark.usefixtures("llvm_here")]

TESTS = pathlib.Path(__file__).parent.parent
#: What we do otherwise on purpose, or refuse; and what LLVM cannot read again, the addresses of
#: blocks without names.
OTHERWISE = ("deviations", "invalid", "invalid-modules", "warnings", "block_addresses")
OWN = [
    pytest.param(file.read_text(), id=file.stem)
    for file in sorted((TESTS / "filecheck" / "frontend" / "llvm_ir").glob("*.ll"))
    if file.stem not in OTHERWISE
]


def exported() -> list[object]:
    """LLVM IR for each part of the tests of the translation to it that has one."""
    found: list[object] = []
    files = sorted((TESTS / "filecheck" / "backend" / "llvm_ir").glob("*.mlir"))
    for file in [*files, *sorted((TESTS / "parity" / "translate").glob("*.mlir"))]:
        parts = file.read_text().split("// -----\n") if file.stem not in OTHERWISE else ()
        for number, part in enumerate(parts):
            try:
                with diagnostics.collect():
                    text = canonical(translate(parse_module(part)), None)
            except DiagnosticError:
                continue
            found.append(pytest.param(text, id=f"{file.stem}-{number}"))
    return found


EXPORTED = exported()


def reference(text: str, mlir_opt: str, *options: str) -> str:
    translate_tool = pathlib.Path(mlir_opt).with_name("mlir-translate")
    return processes.run(
        [translate_tool, "--import-llvm", *options],
        input=text,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def imported(text: str) -> str:
    module = import_module(text, "<stdin>")
    verify_module(module)
    return print_module(module, debuginfo=True)


def plain(text: str) -> list[str]:
    """Lines as words, without what MLIR writes otherwise: arrays without elements as zeros, and
    calls without the operand bundles that it loses."""
    text = text.replace("dense<0> : tensor<0x", "dense<> : tensor<0x")
    text = text.replace("dense<0.000000e+00> : tensor<0x", "dense<> : tensor<0x")
    text = re.sub(r"(llvm\.call @.*\)) \[.*?\]", r"\1", text)
    return [" ".join(line.split()) for line in text.strip().splitlines()]


@pytest.mark.parametrize("text", [*OWN, *EXPORTED])
def test_same_text(text: str, mlir_opt: str) -> None:
    theirs = reference(text, mlir_opt, "--mlir-print-debuginfo")
    assert plain(imported(text)) == plain(theirs)


@pytest.mark.parametrize("text", [*OWN, *EXPORTED])
def test_there_and_back(text: str) -> None:
    # Debug records about one value change their order with each round.
    rounds = [imported(text)]
    for _ in range(3):
        rounds.append(imported(canonical(translate(parse_module(rounds[-1])), None)))
    assert plain(rounds[1]) == plain(rounds[3])

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`xgpu-translate --import-llvm` beside mlir-translate 22: the same text for the files of the
import's own tests, and for what the translation to LLVM IR gives in its tests; and back again the
same module, once a round has brought the globals that bodies ask for to their place."""

from __future__ import annotations

import pathlib
import re
from functools import cache

import pytest

from tests.support import processes
from tests.support.some_cases import each
from xgpu.backend.llvm_ir import canonical, translate
from xgpu.core.ir.errors import DiagnosticError
from xgpu.core.syntax import diagnostics, parse_module, print_module
from xgpu.core.syntax.verify import verify_module
from xgpu.frontend.llvm_ir import import_module

pytestmark = [pytest.mark.parity, pytest.mark.usefixtures("llvm_here")]

TESTS = pathlib.Path(__file__).parent.parent
#: What we do otherwise on purpose, or refuse; and what LLVM cannot read again, the addresses of
#: blocks without names.
OTHERWISE = (
    "deviations", "invalid", "invalid-modules", "refused_by_llvm", "warnings", "block_addresses"
)  # fmt: skip
FILES = [
    file
    for pattern in (
        "filecheck/frontend/llvm_ir/*.ll", "filecheck/backend/llvm_ir/*.mlir",
        "parity/translate/*.mlir",
    )
    for file in sorted(TESTS.glob(pattern))
    if file.stem not in OTHERWISE
]  # fmt: skip


def name_of(file: pathlib.Path) -> str:
    return f"{file.stem}{file.suffix}"


@cache
def texts(file: pathlib.Path) -> list[str]:
    """LLVM IR: the file, or what the translation gives for each of its parts that has some."""
    if file.suffix == ".ll":
        return [file.read_text()]
    found: list[str] = []
    for part in file.read_text().split("// -----\n"):
        try:
            with diagnostics.collect():
                found.append(canonical(translate(parse_module(part)), None))
        except DiagnosticError:
            continue
    return found


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


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_same_text(file: pathlib.Path, mlir_opt: str) -> None:
    assert texts(file)
    for text in texts(file):
        theirs = reference(text, mlir_opt, "--mlir-print-debuginfo")
        assert plain(imported(text)) == plain(theirs)


@pytest.mark.parametrize("file", each(FILES, 2), ids=name_of)
def test_there_and_back(file: pathlib.Path) -> None:
    # Debug records about one value change their order with each round.
    for text in texts(file):
        rounds = [imported(text)]
        for _ in range(3):
            rounds.append(imported(canonical(translate(parse_module(rounds[-1])), None)))
        assert plain(rounds[1]) == plain(rounds[3])

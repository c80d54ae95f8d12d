# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The readers of frequent operations give what the step by step ones give, errors included."""

from __future__ import annotations

import pathlib
import re
from typing import Any

import pytest

from xgpu.ir.errors import DiagnosticError
from xgpu.ods.registry import optional_op_class
from xgpu.syntax import parse_module, print_module
from xgpu.syntax.formats.fast_reader import fast_reader
from xgpu.syntax.parser import Parser

FILES = sorted((pathlib.Path(__file__).parents[2] / "filecheck").rglob("*.mlir"))


class Always(dict[str, Any]):
    """Has a fast reader from the first operation on, and counts who took it."""

    taken = 0

    def get(self, name: str, default: Any = None) -> Any:
        if "." not in name or not name[0].isalpha():
            return None
        cls: Any = optional_op_class(name)
        read = None if cls is None else fast_reader(cls)
        if read is None:
            return None

        def counted(parser: Any, at: int) -> Any:
            op = read(parser, at)
            Always.taken += op is not None
            return op

        return counted


@pytest.fixture
def both(monkeypatch: pytest.MonkeyPatch) -> Any:
    """What reading a text gives, without fast readers and with nothing but them."""
    plain = Parser.__init__

    def always(self: Any, *arguments: Any) -> None:
        plain(self, *arguments)
        self._fast = Always()

    def outcomes(text: str) -> tuple[Any, Any]:
        found: list[Any] = []
        for init in (plain, always):
            monkeypatch.setattr(Parser, "__init__", init)
            monkeypatch.setattr(Parser, "frequent", 1 << 60)
            found.append(_outcome(text))
        return found[0], found[1]

    return outcomes


def _outcome(text: str) -> Any:
    try:
        module = parse_module(text, "a.mlir", allow_unregistered=True)
    except DiagnosticError as error:
        return [(d.severity, d.message, str(d.location)) for d in error.diagnostics]
    return print_module(module, generic=True, debuginfo=True)


def test_all_our_files_read_the_same(both: Any) -> None:
    before = Always.taken
    for file in FILES:
        for text in re.split(r"^// -----.*$", file.read_text(), flags=re.M):
            slow, fast = both(text)
            assert fast == slow, file
    assert Always.taken - before > 500


HEAD = "func.func @f(%a: i32, %b: i64, %m: memref<4xi32>, %i: index) {\n"


@pytest.mark.parametrize(
    "line",
    [
        "%0 = arith.addi %a, %b : i32",
        "%0 = arith.addi %a %a : i32",
        "%0 = arith.addi %a, %a overflow<nsw> : i32",
        "%0 = arith.addi %a, %a overflow<wrong> : i32",
        "%0 = arith.addi %a, %a {x = 1 : i32} : i32",
        "%0 = arith.addi %later, %a : i32\n%later = arith.constant 1 : i32",
        "%0 = arith.addi %never, %a : i32",
        "%0:2 = arith.addi %a, %a : i32",
        "%0 = arith.addi %a#1, %a : i32",
        "%0 = arith.addi %a, %a#1 : i32",
        "%0 = arith.addi %a, %a : (i32) -> i32",
        "%0 = memref.load %m[%i] : memref<4xi32>",
        "%0 = memref.load %m[%i,] : memref<4xi32>",
        "%0 = memref.load %m[] : memref<4xi32>",
        "%0 = memref.load %m[%a] : memref<4xi32>",
        "memref.store %b, %m[%i] : memref<4xi32>",
        'memref.store %a, %m[%i] : memref<4xi32> loc("x")',
        "%0 = memref.store %a, %m[%i] : memref<4xi32>",
        "%0 = arith.cmpi wrong, %a, %a : i32",
        "%0 = arith.cmpi slt, %a, %a : i32",
        "cf.br ^bb1(%a : i32)\n^bb1(%x: i32):",
        "cf.br ^bb1(%a, %b : i32)\n^bb1(%x: i32):",
        "cf.br ^nowhere",
        "%0 = func.call @g(%a, %b) : (i32, i64) -> i32",
        "%0 = func.call @g(%a, %b) : (i32) -> i32",
        "%0 = arith.trunci %b : i64 to i32",
        "%0 = arith.trunci %b : i64 to i32 : i32",
    ],
)
def test_right_and_wrong_lines_read_the_same(both: Any, line: str) -> None:
    slow, fast = both(f"{HEAD}{line}\nreturn\n}}\n")
    assert fast == slow


def test_a_frequent_operation_gets_a_reader() -> None:
    lines = "".join(f"%{k} = arith.addi %a, %a : i32\n" for k in range(3 * Parser.frequent))
    cls: Any = optional_op_class("arith.addi")
    module = parse_module(f"{HEAD}{lines}return\n}}\n")
    assert callable(cls._fast_reader)
    assert print_module(module).count("arith.addi") == 3 * Parser.frequent

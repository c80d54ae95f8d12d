# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""xgpu-reduce: what it leaves out, and what it says where it cannot."""

from __future__ import annotations

import pathlib

import pytest

from xgpu.core.syntax import parse_module
from xgpu.core.syntax.verify import verify_module
from xgpu.tools import xgpu_reduce
from xgpu.tools.reducer import TreeReducer, reduced_text, smaller, tokens


def reduced(text: str, word: str) -> str:
    """The smallest program with `word`; each that is asked about must be valid."""
    asked: list[str] = []

    def interesting(candidate: str) -> bool:
        asked.append(candidate)
        verify_module(parse_module(candidate, "f", allow_unregistered=True))
        return word in candidate

    reducer = TreeReducer(parse_module(text, "f", allow_unregistered=True), interesting)
    reducer.run()
    assert asked
    assert word in reducer.text
    return reducer.text


def test_parts_of_a_list() -> None:
    assert smaller(list(range(100)), lambda kept: {3, 71, 72} <= set(kept)) == [3, 71, 72]
    assert smaller([1, 2, 3], lambda kept: True) == []
    assert smaller([], lambda kept: True) == []


def test_parts_of_a_text() -> None:
    text = "a b\nc d\ne f needle g\nh\n"
    assert "".join(tokens(text)) == text
    assert reduced_text(text, lambda part: "needle" in part) == "needle"


def test_what_uses_an_operation_goes_first() -> None:
    text = """
    func.func @f(%a: i32) -> i32 {
      %0 = arith.addi %a, %a : i32
      %1 = arith.muli %0, %a : i32
      %2 = arith.subi %1, %0 : i32
      return %2 : i32
    }
    func.func @g() {
      return
    }
    """
    assert reduced(text, "arith.muli") == (
        "module {\n  func.func @f(%arg0: i32) -> i32 {\n    %0 = arith.muli %arg0, %arg0 : i32\n"
        "    return %0 : i32\n  }\n}\n"
    )


def test_bodies_take_the_place_of_what_holds_them() -> None:
    text = """
    func.func @f(%c: i1, %n: index, %m: memref<?xf32>) {
      scf.if %c {
        scf.execute_region {
          scf.for %i = %n to %n step %n {
            %0 = memref.load %m[%i] : memref<?xf32>
            memref.store %0, %m[%n] : memref<?xf32>
          }
          scf.yield
        }
      }
      return
    }
    """
    assert reduced(text, "memref.load") == (
        "module {\n  func.func @f(%arg0: index, %arg1: memref<?xf32>) {\n"
        "    %0 = memref.load %arg1[%arg0] : memref<?xf32>\n    return\n  }\n}\n"
    )


def test_branches_go_one_way() -> None:
    text = """
    func.func @f(%c: i1, %a: i32) -> i32 {
      cf.cond_br %c, ^left(%a : i32), ^right
    ^left(%x: i32):
      %0 = "test.wanted"(%x) {note = "n"} : (i32) -> i32
      cf.br ^end(%0 : i32)
    ^right:
      cf.switch %a : i32, [default: ^end(%a : i32), 1: ^left(%a : i32)]
    ^end(%y: i32):
      return %y : i32
    }
    """
    assert reduced(text, "test.wanted") == (
        "module {\n  func.func @f(%arg0: i32) -> i32 {\n"
        '    %0 = "test.wanted"(%arg0) : (i32) -> i32\n    return %0 : i32\n  }\n}\n'
    )


def test_calls_keep_their_functions() -> None:
    text = """
    func.func private @callee(%a: i32, %b: i32)
    func.func @f(%a: i32) {
      call @callee(%a, %a) : (i32, i32) -> ()
      return
    }
    """
    assert "@callee(i32, i32)" in reduced(text, "call @callee")


@pytest.mark.parametrize(
    ("script", "options", "message"),
    [
        ("exit 0", "test={}", "error: uninterested module will not be reduced"),
        ("kill -9 $$", "test={}", "was ended by SIGKILL"),
        ("exit 1", "", "the option 'test' names no program"),
        ("exit 1", "test=nowhere/at-all", "cannot run the test 'nowhere/at-all'"),
        ("exit 1", "tset={}", "no such option tset"),
    ],
)
def test_what_cannot_be_reduced(
    script: str,
    options: str,
    message: str,
    tmp_path: pathlib.Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    test, program = tmp_path / "test.sh", tmp_path / "p.mlir"
    test.write_text(f"#!/bin/sh\n{script}\n")
    test.chmod(0o755)
    program.write_text("func.func private @f()\n")
    out = tmp_path / "out.mlir"
    argument = f"--reduction-tree={options.format(test)}"
    assert xgpu_reduce.main([str(program), argument, "-o", str(out)]) == 1
    assert message in capsys.readouterr().err
    assert not out.exists()


def test_other_passes_and_chunks(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "p.mlir"
    program.write_text("func.func private @f()\n// -----\nfunc.func private @g()\n")
    assert xgpu_reduce.main([str(program), "--symbol-dce", "--split-input-file"]) == 0
    assert capsys.readouterr().out == "module {\n}\n// -----\nmodule {\n}\n"

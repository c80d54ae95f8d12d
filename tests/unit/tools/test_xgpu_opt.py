# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""xgpu-opt on bad input: one diagnostic with a place, exit code 1, no traceback, nothing left."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import pytest

from tests.support import processes
from xgpu.tools.xgpu_opt import main

PROGRAM = """\
func.func @f(%x: i32, %m: memref<4xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %0 = arith.addi %x, %x : i32
  memref.store %0, %m[%c0] : memref<4xi32>
  return %0 : i32
}
"""


def run(text: str, *flags: str, tmp_path: pathlib.Path) -> int:
    file = tmp_path / "input.mlir"
    file.write_text(text)
    return main([str(file), *flags])


@pytest.mark.parametrize("length", range(1, len(PROGRAM) - 2, 7))
def test_cut_anywhere(
    length: int, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run(PROGRAM[:length], tmp_path=tmp_path)
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    assert "internal error" not in captured.err
    if PROGRAM[:length].strip():
        assert code == 1
        assert "input.mlir:" in captured.err
        assert ": error: " in captured.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("foo.bar", "input.mlir:1:1: error: "),
        ('"nosuch.op"() : () -> ()', "unregistered dialect"),
        (
            "func.func @f(%x: f32) -> f32 {\n  %0 = arith.addi %x, %x : f32\n  return %0 : f32\n}",
            "input.mlir:2:8: error: 'arith.addi' op operand #0 must be signless-integer-like, "
            "but got 'f32'",
        ),
        ("func.func @f() {\n  %0 = arith.constant 1 : i32\n}", "input.mlir:"),
    ],
)
def test_wrong_text(
    text: str, message: str, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(text, tmp_path=tmp_path) == 1
    error = capsys.readouterr().err
    assert message in error
    assert "Traceback" not in error


def test_nothing_written_on_failure(tmp_path: pathlib.Path) -> None:
    output = tmp_path / "out.mlir"
    assert run("func.func @f(", "-o", str(output), tmp_path=tmp_path) == 1
    assert not output.exists()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["input.mlir"]


def test_written_whole(tmp_path: pathlib.Path) -> None:
    output = tmp_path / "out.mlir"
    assert run(PROGRAM, "-o", str(output), "--cse", tmp_path=tmp_path) == 0
    assert "func.func @f" in output.read_text()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["input.mlir", "out.mlir"]


def test_reader_goes_away(tmp_path: pathlib.Path) -> None:
    """`xgpu-opt ... | head -1`: no complaint about the pipe."""
    file = tmp_path / "input.mlir"
    file.write_text(PROGRAM)
    reading, writing = os.pipe()
    os.close(reading)
    done = processes.run(
        [sys.executable, "-m", "xgpu.tools.xgpu_opt", str(file)],
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(writing)
    assert done.stderr == ""


def test_pass_fails_without_internal_error(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = ("--pass-pipeline=func.func(canonicalize)",)
    assert run(PROGRAM, *flags, tmp_path=tmp_path) == 1
    assert "can't run 'func.func' pass manager on 'builtin.module' op" in capsys.readouterr().err

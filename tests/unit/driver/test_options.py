# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Wrong arguments of `compile` and `run` are reported before any work is done, with the right
ones."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest

import xgpu
from xgpu.core.ir.errors import DiagnosticError, ProgramError, UsageError

TEXT = """func.func @main() -> i32 {
  %0 = arith.constant 7 : i32
  return %0 : i32
}
func.func @takes(%x: i32) {
  return
}
func.func private @declared()
"""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"format": "ptx"},
            "format is 'ptx', expected one of 'isa' (PTX), 'bin' (a cubin), 'fatbin' (a fat "
            "binary), 'offloading' (bitcode), 'host' (code for the host device)",
        ),
        ({"format": None}, "format is None, expected one of 'isa' (PTX)"),
        ({"opt_level": 4}, "opt_level is 4, expected one of 0, 1, 2, 3"),
        ({"opt_level": True}, "opt_level is True, expected one of 0, 1, 2, 3"),
        ({"opt_level": "2"}, "opt_level is '2', expected one of 0, 1, 2, 3"),
        ({"chip": "sm90"}, "chip is 'sm90', expected a name like 'sm_80' or 'sm_90a'"),
        ({"chip": 90}, "chip is 90, expected a name like 'sm_80' or 'sm_90a'"),
    ],
)
def test_compile(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        xgpu.compile(TEXT, **arguments)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"device": "gpu"}, "device is 'gpu', expected 'auto', 'host', 'cuda' or 'cuda:N'"),
        ({"result": "f80"}, "result is 'f80', expected one of 'auto', 'void', 'i1', 'i8', 'i16', "
         "'i32', 'i64', 'f16', 'f32', 'f64'"),
        ({"opt_level": -1}, "opt_level is -1, expected one of 0, 1, 2, 3"),
    ],
)
def test_run(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        xgpu.run(TEXT, **arguments)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("entry", "problem", "message"),
    [
        ("mian", ProgramError, "entry point 'mian' not found, did you mean 'main'?"),
        ("x", ProgramError, "entry point 'x' not found: the program defines 'main', 'takes'"),
        ("takes", DiagnosticError, "f:5:1: error: entry point 'takes' must take no arguments"),
        ("declared", DiagnosticError, "f:8:1: error: entry point 'declared' is declared, but"),
    ],
)
def test_entries(
    entry: str, problem: type[Exception], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from xgpu.driver import program

    def compiled(*_: object) -> None:
        raise AssertionError("the program was compiled")

    monkeypatch.setattr(program, "lower_program", compiled)
    with pytest.raises(problem) as caught:
        xgpu.run(TEXT, entry=entry, device="host", filename="f")
    assert str(caught.value).startswith(message)


def test_a_program_without_functions() -> None:
    with pytest.raises(ProgramError, match="not found: the program defines no function"):
        xgpu.run("module {}", device="host")


def test_paths(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "program.mlir"
    path.write_text(TEXT)
    for given in (path, str(path)):
        path.write_text(TEXT)
        assert isinstance(xgpu.compile(given), xgpu.Compiled)
        path.write_text("nonsense")
        with pytest.raises(DiagnosticError, match=r"program\.mlir:1:1: error: "):
            xgpu.compile(given)
    for absent in (tmp_path / "absent.mlir", "absent.mlir", "absent.ll"):
        with pytest.raises(UsageError, match=r"cannot read '.*absent\.\w+': No such file or dir"):
            xgpu.compile(absent)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (b"module {}", "source is bytes, no text: decode it first"),
        (7, "expected the program's text, a module or a path"),
        (None, "expected the program's text, a module or a path"),
    ],
)
def test_other_sources(source: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        xgpu.compile(source)


def test_orders() -> None:
    from xgpu.driver.schedules import Explorer

    with pytest.raises(UsageError, match="orders is 'token', expected one of 'streams', 'tokens'"):
        Explorer(TEXT, orders="token")
    with pytest.raises(ProgramError, match="did you mean 'main'"):
        Explorer(TEXT, entry="mian")


def test_results_show_themselves() -> None:
    kernel = "gpu.module @kernels {\n  gpu.func @k() kernel {\n    gpu.return\n  }\n}\n"
    text = f"module attributes {{gpu.container_module}} {{\n{kernel}}}"
    compiled = xgpu.compile(text, chip="sm_80")
    size = len(compiled.kernels["kernels"])
    assert repr(compiled) == f"<Compiled, kernels: {size} bytes>"
    assert repr(xgpu.compile("module {}")) == "<Compiled, no kernels>"
    # What is declared and not called would be asked for.
    text = TEXT.replace("func.func private @declared()\n", "")
    assert repr(xgpu.run(text, device="host")) == "<Result 7>"

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Device code that was compiled before, from the cache."""

from __future__ import annotations

import pathlib
import sys

import pytest

import xgpu
from tests.support import processes
from xgpu.core.ir.errors import DiagnosticError
from xgpu.driver import compiler

SOURCE = """
gpu.module @m {
  gpu.func @k(%a: memref<?xf32>, %b: f32, %c: f32) kernel {
    %i = gpu.thread_id x
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.mulf %x, %b : f32
    %z = arith.addf %y, %c : f32
    memref.store %z, %a[%i] : memref<?xf32>
    gpu.return
  }
}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("XGPU_NO_CACHE", raising=False)
    return tmp_path / "xgpu"


def no_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("read again")

    monkeypatch.setattr(compiler, "parse", fail)


def test_the_second_time_nothing_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    first = xgpu.compile(SOURCE, chip="sm_80")
    with monkeypatch.context() as patch:
        no_reading(patch)
        second = xgpu.compile(SOURCE, chip="sm_80")
    assert second.kernels == first.kernels
    assert "gpu.binary @m" in str(second.module)
    assert str(second.module) == str(first.module)


@pytest.mark.parametrize(
    "options",
    [
        {"chip": "sm_90"}, {"opt_level": 0}, {"fma_contract": True}, {"fast": True}, {"ftz": True},
        {"line_info": True}, {"filename": "other.mlir"}, {"format": "offloading"},
    ],
    ids=str,
)  # fmt: skip
def test_other_options_are_another_outcome(options, monkeypatch):
    xgpu.compile(SOURCE, chip="sm_80")
    no_reading(monkeypatch)
    with pytest.raises(AssertionError, match="read again"):
        xgpu.compile(SOURCE, **{"chip": "sm_80", **options})


def test_another_assembler_is_another_outcome(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    xgpu.compile(SOURCE, chip="sm_80")
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "ptxas").write_text("")
    (tools / "ptxas").chmod(0o700)
    monkeypatch.setenv("PATH", str(tools))
    no_reading(monkeypatch)
    with pytest.raises(AssertionError, match="read again"):
        xgpu.compile(SOURCE, chip="sm_80")


def test_errors_are_not_cached() -> None:
    for _ in range(2):
        with pytest.raises(DiagnosticError):
            xgpu.compile(SOURCE.replace("mulf", "mulx"), chip="sm_80")


def test_a_second_process_imports_no_compiler() -> None:
    xgpu.compile(SOURCE, chip="sm_80")
    text = (
        "import sys, xgpu\n"
        f"found = xgpu.compile({SOURCE!r}, chip='sm_80').kernels['m']\n"
        "print(b'.entry k' in found, 'xgpu.core.syntax' in sys.modules, 'llvmlite' in sys.modules)"
    )
    done = processes.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
    assert done.stdout == "True False False\n", done.stderr

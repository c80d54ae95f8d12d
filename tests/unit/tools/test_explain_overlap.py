# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`xgpu-runner --explain-overlap` and `xgpu-opt --print-token-graph`, as a user calls them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.support import processes
from xgpu.tools import xgpu_opt, xgpu_runner

EXAMPLE = Path(__file__).parents[3] / "examples" / "two_matmuls.mlir"


def test_two_matmuls(capfd: pytest.CaptureFixture[str]) -> None:
    """The explanation goes to standard error, and the program runs."""
    assert xgpu_runner.main(["--device=host", "--explain-overlap", str(EXAMPLE)]) == 0
    said = capfd.readouterr()
    assert said.out == "-16.6337\n0\n"
    lines = said.err.splitlines()
    assert lines[0] == "@two_matmuls: 3 launches"
    assert "@first_kernel::@matmul" in lines[1]
    assert "@second_kernel::@matmul" in lines[1]
    assert lines[1].endswith(": may run together")
    assert "@add_kernel::@add" in lines[2]
    assert "one after the other: the second waits for the token of the first" in lines[2]
    assert len(lines) == 4


def test_a_race_is_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    changed = EXAMPLE.read_text().replace("gpu.wait async [%1, %3]", "gpu.wait async")
    path = tmp_path / "race.mlir"
    path.write_text(changed)
    assert changed != EXAMPLE.read_text()
    assert xgpu_opt.main(["--print-token-graph", str(path)]) == 0
    assert "nothing orders #4 and #8, which share %first" in capfd.readouterr().out
    # A process of its own: the program may write to memory that it has given back.
    command = [sys.executable, "-m", "xgpu.tools.xgpu_runner", "--device=host"]
    done = processes.run([*command, "--explain-overlap", str(path)], capture_output=True, text=True)
    assert "may run together, though both touch %first and one writes" in done.stderr


def test_what_cannot_be_read_is_told_once(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "broken.mlir"
    path.write_text("func.func @main() { oh }\n")
    assert xgpu_runner.main(["--device=host", "--explain-overlap", str(path)]) == 1
    assert capfd.readouterr().err.count("error:") == 1


def test_unknown_form(capfd: pytest.CaptureFixture[str]) -> None:
    assert xgpu_opt.main(["--print-token-graph=picture", str(EXAMPLE)]) == 1
    assert "(text, mermaid or dot)" in capfd.readouterr().err

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What docs/guide.md shows is what happens: its files are written, its commands are run."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.support import processes

ROOT = Path(__file__).parents[3]
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = _BLOCK.findall((ROOT / "docs" / "guide.md").read_text())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the guide's files, and the examples."""
    path = tmp_path_factory.mktemp("guide")
    shutil.copytree(ROOT / "examples", path / "examples")
    for language, text in BLOCKS:
        if language == "mlir":
            first, _, rest = text.partition("\n")
            (path / first.removeprefix("// ")).write_text(f"{first}\n{rest}")
    return path


def _tools(command: str) -> str:
    """The command with this interpreter's tools; `not` turns the exit code around."""
    module = {"opt": "xgpu_opt", "runner": "xgpu_runner", "translate": "xgpu_translate"}
    command = re.sub(
        r"\bxgpu-(opt|runner|translate)\b",
        lambda m: f"{sys.executable} -m xgpu.tools.{module[m[1]]}",
        command,
    )
    command = re.sub(r"\bfilecheck ", f"{Path(sys.executable).with_name('filecheck')} ", command)
    return re.sub(r"^not ", "! ", command)


@pytest.mark.parametrize("text", [text for language, text in BLOCKS if language == "console"])
def test_command(text: str, folder: Path) -> None:
    command, _, expected = text.removeprefix("$ ").partition("\n")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = processes.run(
        ["bash", "-c", f"set -o pipefail; {_tools(command)}"], cwd=folder, env=environment,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = [f"{line.rstrip()}\n" for line in (done.stdout + done.stderr).splitlines()]
    # A line of dots stands for any lines, dots within a line for any text.
    pattern = "".join(
        r"(?:.*\n)*?" if line == "..." else re.escape(line).replace(r"\.\.\.", ".*") + "\n"
        for line in expected.splitlines()
    )
    assert re.fullmatch(pattern, "".join(lines)), "".join(lines)


@pytest.mark.parametrize(
    ("source", "printed"),
    list(
        zip(
            [text for language, text in BLOCKS if language == "python"],
            ["launches           1", ""],
            strict=True,
        )
    ),
)
def test_python(source: str, printed: str, folder: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = processes.run(
        [sys.executable, "-c", source], cwd=folder, env=environment, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert printed in done.stdout

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What documents show is what happens: their files are written, commands and programs run."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from documents import DOCUMENTS, ROOT, blocks, name_of
from some_cases import short

from tests.support import processes
from tests.support.clang import missing_clang

#: Has files and plugins of its own: `tests/embedding/test_documentation.py`.
_ELSEWHERE = {ROOT / "docs/reference/embedding.md"}
#: What runs only on a machine with a display, a GPU or minutes to spend is a block of another kind.
PAGES = [path for path in DOCUMENTS if path not in _ELSEWHERE]

_SCRIPTS = {
    **{
        f"xgpu-{tool}": f'exec {sys.executable} -m xgpu.tools.xgpu_{tool} "$@"'
        for tool in ("opt", "translate", "runner", "reduce", "cuda")
    },
    "filecheck": f'exec {Path(sys.executable).with_name("filecheck")} "$@"',
    "python": f'exec {sys.executable} "$@"',
    "pip": "exit 0",  # what a page installs is there
}


def pages_with(*languages: str) -> list[Path]:
    return [p for p in PAGES if any(kind in languages for kind, _ in blocks(p.read_text()))]


def needs_clang(path: Path) -> bool:
    return any(language == "cuda" for language, _ in blocks(path.read_text()))


def prepare(path: Path, folder: Path) -> None:
    """The examples and the files that a page shows."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    for language, text in blocks(path.read_text()):
        if language in ("mlir", "cuda") and (found := re.match(r"// (\w+\.\w+)\n", text)):
            (folder / found[1]).write_text(text)


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the tools as this interpreter runs them."""
    folder = tmp_path_factory.mktemp("bin")
    for name, body in _SCRIPTS.items():
        script = folder / name
        script.write_text(f"#!/bin/bash\n{body}\n")
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return folder


def commands(path: Path) -> list[tuple[str, str]]:
    """The commands of a page with the output that it shows."""
    found: list[tuple[str, str]] = []
    for language, text in blocks(path.read_text()):
        if language != "console":
            continue
        for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            while command.endswith("\\"):
                more, _, output = output.partition("\n")
                command = f"{command[:-1]}{more}"
            found.append((command, output))
    return found


def pattern(expected: str) -> str:
    """A line of dots stands for any lines, dots within a line for any text."""
    return "".join(
        r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line).replace(r"\.\.\.", ".*") + "\n"
        for line in expected.splitlines()
    )


#: Pages whose programs no other test runs, or that are read first.
_SHOWN = [
    ROOT / name
    for name in (
        "README.md", "docs/tutorial/1-first-kernel.md",
        "docs/howto/run-a-ptx-kernel.md", "docs/reference/host-device.md",
        "docs/concepts/host-device.md", "docs/internals/tour.md",
    )
]  # fmt: skip


@pytest.mark.parametrize("path", short(pages_with("console", "python"), *_SHOWN), ids=name_of)
def test_page(path: Path, tmp_path: Path, programs: Path) -> None:
    """The commands of a page in their order, then its program, in one folder. Output is what a
    terminal shows: standard output and errors, as they come."""
    if "xgpu.numba" in path.read_text():
        pytest.importorskip("numba_cuda_mlir", reason="numba-cuda-mlir is not installed")
    if needs_clang(path) and (reason := missing_clang()):
        pytest.skip(reason)
    prepare(path, tmp_path)
    places = os.pathsep.join((str(programs), os.environ["PATH"]))
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PATH": places, "PYTHONUNBUFFERED": "1"}

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        return processes.run(
            command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip

    for command, expected in commands(path):
        done = run("bash", "-c", f"set -o pipefail; {command}")
        assert done.returncode == 0, f"{command}: {done.stdout}"
        output = "".join(f"{line.rstrip()}\n" for line in done.stdout.splitlines())
        assert re.fullmatch(pattern(expected), output), f"{command}:\n{output}"
    parts = [text for language, text in blocks(path.read_text()) if language == "python"]
    if parts:
        (tmp_path / "program.py").write_text("\n".join(parts))
        done = run(sys.executable, "program.py")
        assert done.returncode == 0, done.stdout


def test_output_is_compared() -> None:
    assert re.fullmatch(pattern("a\n...\nb ... c\n"), "a\nx\ny\nb 1 c\n")
    assert not re.fullmatch(pattern("a\nb\n"), "a\nc\n")

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Strict types: the examples have no error, and mistakes in a client's code are found."""

import json
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from environment import EXAMPLE, HERE

ROOT = HERE.parents[1]
CHECKER = shutil.which("basedpyright", path=str(Path(sys.executable).parent))

pytestmark = pytest.mark.skipif(CHECKER is None, reason="basedpyright is not installed")


def errors(tmp_path: Path, *files: Path, mode: str = "strict") -> list[tuple[int, str]]:
    """Line and rule of each error of a check."""
    project = tmp_path / "pyrightconfig.json"
    settings = {
        "typeCheckingMode": mode,
        "include": [str(file) for file in files],
        "extraPaths": [str(EXAMPLE), str(HERE), str(ROOT)],
        "pythonVersion": "3.11",
    }
    project.write_text(json.dumps(settings))
    assert CHECKER is not None
    done = subprocess.run(
        [CHECKER, "--outputjson", "--pythonpath", sys.executable, "-p", str(project)],
        capture_output=True,
        text=True,
        check=False,
    )
    found = json.loads(done.stdout)["generalDiagnostics"]
    return [
        (d["range"]["start"]["line"] + 1, d.get("rule", d["message"]))
        for d in found
        if d["severity"] == "error"
    ]


def test_examples(tmp_path: Path) -> None:
    assert (
        errors(tmp_path, EXAMPLE / "scale_dialect", HERE / "sat_plugin", HERE / "fixed_plugin")
        == []
    )


def document(tmp_path: Path) -> Path:
    """The blocks of docs/embedding.md as one program."""
    text = (ROOT / "docs" / "embedding.md").read_text()
    program = tmp_path / "document.py"
    program.write_text("\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL)))
    return program


def test_the_document(tmp_path: Path) -> None:
    assert errors(tmp_path, document(tmp_path), mode="standard") == []


@pytest.mark.skipif(find_spec("mypy") is None, reason="mypy is not installed")
def test_the_document_with_mypy(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--follow-imports=silent", str(document(tmp_path))],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def test_options_of_a_users_pass(tmp_path: Path) -> None:
    client = tmp_path / "client.py"
    client.write_text(
        "from xdsl.context import Context\n"
        "from xdsl.ir import Operation\n"
        "from xgpu.core.passes.base import Option, Pass\n"
        "from xgpu.universe import module_pass\n"
        "\n"
        "class Mine(Pass):\n"
        "    name = 'mine'\n"
        "    options = (Option('limit', int, 3),)\n"
        "    limit: int\n"
        "    def run(self, op: Operation, ctx: Context) -> None:\n"
        "        print(self.limit + 1, self.limt)\n"
        "\n"
        "lower = module_pass('gpu-lower-to-nvvm-pipeline')(cubin_chip='sm_90')\n"
        "lower.apply(3, 4)\n"
    )
    found = errors(tmp_path, client, mode="standard")
    assert [line for line, _ in found] == [11, 14, 14]


def test_stubs(tmp_path: Path) -> None:
    stubs = (ROOT / "xgpu" / "dialects").glob("*/__init__.pyi")
    assert errors(tmp_path, *stubs) == []


def test_mistakes_are_found(tmp_path: Path) -> None:
    client = tmp_path / "client.py"
    client.write_text(
        "from xdsl.ir import Operation\n"
        "from xgpu.dialects import gpu\n"
        "\n"
        "def f(op: Operation) -> None:\n"
        "    if isinstance(op, gpu.LaunchOp):\n"
        "        print(op.grid_size_x.type, op.async_token, op.body)\n"
        "        print(op.grid_size_w)\n"
        "    gpu.WaitOp(async_tokn=True)\n"
        "    gpu.ThreadIdOp(dimension='w')\n"
        "    gpu.ThreadIdOp()\n"
        "    gpu.LunchOp()\n"
    )
    found = errors(tmp_path, client)
    assert sorted({line for line, _ in found}) == [7, 8, 9, 10, 11]
    assert (7, "reportAttributeAccessIssue") in found
    assert (9, "reportArgumentType") in found

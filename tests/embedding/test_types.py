# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Strict types: the examples have no error, and mistakes in a client's code are found."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from environment import EXAMPLE, HERE

ROOT = HERE.parents[1]
CHECKER = shutil.which("basedpyright", path=str(Path(sys.executable).parent))

pytestmark = pytest.mark.skipif(CHECKER is None, reason="basedpyright is not installed")


def errors(tmp_path: Path, *files: Path) -> list[tuple[int, str]]:
    """Line and rule of each error of a strict check."""
    project = tmp_path / "pyrightconfig.json"
    settings = {
        "typeCheckingMode": "strict",
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

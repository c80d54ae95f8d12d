# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Strict types: the examples have no error, and mistakes in a client's code are found."""

import json
import re
import shutil
import sys
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from environment import EXAMPLE, HERE

from tests.support import processes

ROOT = HERE.parents[1]
CHECKER = shutil.which("basedpyright", path=str(Path(sys.executable).parent))

pytestmark = pytest.mark.skipif(CHECKER is None, reason="basedpyright is not installed")


PASS_OF_A_USER = """\
from xdsl.context import Context
from xdsl.ir import Operation
from xgpu.core.passes.base import Option, Pass
from xgpu.universe import module_pass

class Mine(Pass):
    name = 'mine'
    options = (Option('limit', int, 3),)
    limit: int
    def run(self, op: Operation, ctx: Context) -> None:
        print(self.limit + 1, self.limt)

lower = module_pass('gpu-lower-to-nvvm-pipeline')(cubin_chip='sm_90')
lower.apply(3, 4)
"""
MISTAKES = """\
from xdsl.ir import Operation
from xgpu.dialects import gpu

def f(op: Operation) -> None:
    if isinstance(op, gpu.LaunchOp):
        print(op.grid_size_x.type, op.async_token, op.body)
        print(op.grid_size_w)
    gpu.WaitOp(async_tokn=True)
    gpu.ThreadIdOp(dimension='w')
    gpu.ThreadIdOp()
    gpu.LunchOp()
"""


Errors = dict[str, list[tuple[int, str]]]
STUBS = (ROOT / "xgpu" / "dialects").glob("*/__init__.pyi")
EXAMPLES = [EXAMPLE / "scale_dialect", HERE / "sat_plugin", HERE / "fixed_plugin"]


def errors(folder: Path, strict: Iterable[Path], standard: Iterable[Path] = ()) -> Errors:
    """Line and rule of each error of a check, by the names of files."""
    project = folder / "pyrightconfig.json"
    settings = {
        "typeCheckingMode": "standard",
        "include": [str(file) for file in (*strict, *standard)],
        "strict": [str(file) for file in strict],
        "extraPaths": [str(EXAMPLE), str(HERE), str(ROOT)],
        "pythonVersion": "3.11",
    }
    project.write_text(json.dumps(settings))
    assert CHECKER is not None
    done = processes.run(
        [CHECKER, "--outputjson", "--pythonpath", sys.executable, "-p", str(project)],
        capture_output=True,
        text=True,
        check=False,
    )
    found: Errors = {}
    for d in json.loads(done.stdout)["generalDiagnostics"]:
        if d["severity"] == "error":
            place = d["range"]["start"]["line"] + 1, d.get("rule", d["message"])
            found.setdefault(Path(d["file"]).name, []).append(place)
    return found


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Errors:
    """The errors in a client's code, by the names of files. One run of the checker, which takes
    seconds to read what the code imports."""
    folder = tmp_path_factory.mktemp("types")
    mistakes, user = folder / "mistakes.py", folder / "pass_of_a_user.py"
    mistakes.write_text(MISTAKES)
    user.write_text(PASS_OF_A_USER)
    return errors(folder, [mistakes], [user])


@pytest.mark.long
def test_examples_and_the_document(tmp_path: Path) -> None:
    assert errors(tmp_path, EXAMPLES, [document(tmp_path)]) == {}


def document(folder: Path) -> Path:
    """The blocks of docs/reference/embedding.md as one program."""
    text = (ROOT / "docs" / "reference" / "embedding.md").read_text()
    program = folder / "document.py"
    program.write_text("\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL)))
    return program


@pytest.mark.skipif(find_spec("mypy") is None, reason="mypy is not installed")
def test_the_document_with_mypy(tmp_path: Path) -> None:
    done = processes.run(
        [sys.executable, "-m", "mypy", "--follow-imports=silent", str(document(tmp_path))],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def test_options_of_a_users_pass(found: Errors) -> None:
    assert [line for line, _ in found["pass_of_a_user.py"]] == [11, 14, 14]


@pytest.mark.long
def test_stubs(tmp_path: Path) -> None:
    """As `basedpyright` without arguments does in `.ci/run`."""
    assert errors(tmp_path, list(STUBS)) == {}


def test_mistakes_are_found(found: Errors) -> None:
    wrong = found["mistakes.py"]
    assert sorted({line for line, _ in wrong}) == [7, 8, 9, 10, 11]
    assert (7, "reportAttributeAccessIssue") in wrong
    assert (9, "reportArgumentType") in wrong

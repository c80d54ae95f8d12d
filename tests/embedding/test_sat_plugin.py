# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A plugin of xgpu-opt: its dialect, its operation's facts and its pass are as good as ours."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from environment import HERE, PLUGIN, run

from tests.support.some_cases import short

PROGRAM = """
func.func @f(%a: i8) -> (i8, i8) {
  %c100 = arith.constant 100 : i8
  %c0 = arith.constant 0 : i8
  %0 = sat.add %c100, %c100 : i8
  %1 = sat.add %a, %c0 : i8
  %2 = sat.add %1, %0 : i8
  %unused = sat.add %a, %a : i8
  return %2, %0 : i8, i8
}
"""

CANONICAL = """\
module {
  func.func @f(%arg0: i8) -> (i8, i8) attributes {n = 4 : i32} {
    %c127_i8 = arith.constant 127 : i8
    %0 = sat.add %arg0, %c127_i8 : i8
    return %0, %c127_i8 : i8, i8
  }
}

"""


def opt(*arguments: str, text: str = PROGRAM) -> tuple[int, str, str]:
    done = run("xgpu-opt", *arguments, stdin=text, path=(HERE,))
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    "name", short([str(PLUGIN), "sat_plugin"], "sat_plugin"), ids=["a folder", "a module"]
)
def test_a_folder_or_a_module(name: str) -> None:
    """Folds, canonicalizations, effects (the sum that nothing uses goes) and the pass."""
    passes = ("--sat-count=label=n", "--canonicalize")
    assert opt(f"--load-dialect-plugin={name}", *passes) == (0, CANONICAL, "")
    assert opt("--load-pass-plugin", name, *passes) == (0, CANONICAL, "")
    both = (f"--load-dialect-plugin={name}", f"--load-pass-plugin={name}")
    assert opt(*both, *passes) == (0, CANONICAL, "")


def test_conversion() -> None:
    code, out, err = opt(f"--load-dialect-plugin={PLUGIN}", "--convert-to-llvm")
    assert (code, err) == (0, "")
    assert out.count("llvm.intr.sadd.sat") == 3
    assert "llvm.mlir.constant(127 : i8)" in out  # conversion folds first
    assert "sat.add" not in out


def test_verifier() -> None:
    text = "func.func @f(%a: i1) {\n  %0 = sat.add %a, %a : i1\n  return\n}"
    code, out, err = opt(f"--load-dialect-plugin={PLUGIN}", text=text)
    assert (code, out) == (1, "")
    assert err.startswith("<stdin>:2:8: error: 'sat.add' op expected an integer of at least 2 bits")


def test_syntax_error() -> None:
    text = "func.func @f(%a: i8) {\n  %0 = sat.add %a : i8\n  return\n}"
    code, out, err = opt(f"--load-dialect-plugin={PLUGIN}", text=text)
    assert (code, out) == (1, "")
    assert err.startswith("<stdin>:2:18: error: expected ','")


def test_without_the_plugin() -> None:
    code, out, err = opt()
    assert (code, out) == (1, "")
    assert "Dialect `sat' not found for custom op 'sat.add'" in err
    code, _, err = opt("--sat-count")
    assert code == 1
    assert err.startswith("xgpu-opt: unknown command line argument '--sat-count'")


def test_what_cannot_be_loaded(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text("raise ValueError('not today')\n")
    empty = tmp_path / "empty"
    empty.mkdir()
    for name, reason in (
        (str(wrong), f"ValueError: not today ({wrong}:1)"),
        (str(empty), "no __init__.py in it"),
        (str(tmp_path / "none.py"), "no such file"),
        ("no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
    ):
        code, out, err = opt(f"--load-dialect-plugin={name}")
        assert (code, out) == (1, "")
        assert err == f"xgpu-opt: cannot load the plugin '{name}': {reason}\n"


def test_names_that_are_taken(tmp_path: Path) -> None:
    dialect = tmp_path / "mine.py"
    dialect.write_text("from xdsl.ir import Dialect\nGpu = Dialect('gpu', [], [])\n")
    code, _, err = opt(f"--load-dialect-plugin={dialect}")
    assert (code, err) == (
        1,
        f"xgpu-opt: dialect 'gpu' is defined by xgpu and by the plugin '{dialect}'\n",
    )
    again = tmp_path / "again.py"
    again.write_text("from xdsl.ir import Dialect\nSat = Dialect('sat', [], [])\n")
    code, _, err = opt(f"--load-dialect-plugin={PLUGIN}", f"--load-dialect-plugin={again}")
    assert (code, err) == (
        1,
        f"xgpu-opt: dialect 'sat' is defined by the plugin '{PLUGIN}' and by "
        f"the plugin '{again}'\n",
    )
    cse = tmp_path / "cse.py"
    cse.write_text(
        "from xgpu.core.passes.base import Pass\nclass Mine(Pass):\n    name = 'cse'\n"
        "    def run(self, op, ctx): ...\n"
    )
    code, _, err = opt(f"--load-pass-plugin={cse}")
    assert (code, err) == (
        1, f"xgpu-opt: pass 'cse' is defined by xgpu and by the plugin '{cse}'\n"
    )  # fmt: skip


def test_a_pass_of_xdsls_kind(tmp_path: Path) -> None:
    file = tmp_path / "rename.py"
    file.write_text(
        "from dataclasses import dataclass\n"
        "from xdsl.dialects.builtin import StringAttr\n"
        "from xdsl.dialects.func import FuncOp\n"
        "from xdsl.passes import ModulePass\n"
        "@dataclass(frozen=True)\n"
        "class Rename(ModulePass):\n"
        "    'Renames functions.'\n"
        "    name = 'rename-functions'\n"
        "    new_name: str = 'g'\n"
        "    def apply(self, ctx, op):\n"
        "        for f in op.walk():\n"
        "            if isinstance(f, FuncOp):\n"
        "                f.sym_name = StringAttr(self.new_name)\n"
    )
    code, out, err = opt(
        f"--load-pass-plugin={file}",
        "--rename-functions=new-name=h",
        text="func.func @f() { return }",
    )
    assert (code, err) == (0, "")
    assert "func.func @h()" in out


def test_a_package_laid_out_as_ours(tmp_path: Path) -> None:
    """A dialect of a table, with hooks found by name, as in `xgpu/dialects`."""
    folder = tmp_path / "tiny_plugin"
    (folder / "tiny").mkdir(parents=True)
    (folder / "__init__.py").write_text(
        "from xgpu.core.ods.foreign import add_package\n"
        "add_package('tiny', __name__ + '.tiny', 'tiny_plugin')\n"
    )
    (folder / "tiny" / "__init__.py").write_text("")
    (folder / "tiny" / "table.py").write_text(
        "OPS = {'tiny.same': 'operands x:AnyType\\nresults y:AnyType\\n'\n"
        "    'traits Pure, SameOperandsAndResultType\\nhooks fold\\n'\n"
        "    'format $x attr-dict `:` type($x)\\n'}\n"
        "ATTRS = {}\nENUMS = {}\nTYPES = {}\nATTR_CONSTRAINTS = {}\n"
    )
    (folder / "tiny" / "fold.py").write_text(
        "FOLD = {'tiny.same': lambda op, constants: [op.operands[0]]}\n"
    )
    text = "func.func @f(%a: i8) -> i8 {\n  %0 = tiny.same %a : i8\n  return %0 : i8\n}"
    code, out, err = opt(f"--load-dialect-plugin={folder}", text=text)
    assert (code, err) == (0, "")
    assert "%0 = tiny.same %arg0 : i8" in out
    code, out, err = opt(f"--load-dialect-plugin={folder}", "--canonicalize", text=text)
    assert (code, err) == (0, "")
    assert "return %arg0 : i8" in out

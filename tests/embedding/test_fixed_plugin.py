# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A plugin with a type of its own that says in xDSL's terms what can be said so."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from environment import HERE, run

PLUGIN = f"--load-dialect-plugin={HERE / 'fixed_plugin'}"
PROGRAM = """
func.func @f(%a: !fixed.number<4>) -> (!fixed.number<4>, !fixed.number<4>, !fixed.number<4>) {
  %one = fixed.constant 16 : !fixed.number<4>
  %c = fixed.constant 40 : !fixed.number<4>
  %0 = fixed.mul %one * %a : !fixed.number<4>
  %1 = fixed.mul %c * %c : !fixed.number<4>
  %2 = fixed.mul %c * %a : !fixed.number<4>
  %unused = fixed.mul %a * %a : !fixed.number<4>
  return %0, %1, %2 : !fixed.number<4>, !fixed.number<4>, !fixed.number<4>
}
"""

CANONICAL = """\
module {
  func.func @f(%arg0: !fixed.number<4>) -> (!fixed.number<4>, !fixed.number<4>, !fixed.number<4>) {
    %0 = fixed.constant 40 : !fixed.number<4>
    %1 = fixed.constant 100 : !fixed.number<4>
    %2 = fixed.mul %arg0 * %0 : !fixed.number<4>
    return %arg0, %1, %2 : !fixed.number<4>, !fixed.number<4>, !fixed.number<4>
  }
}

"""


def opt(*arguments: str, text: str = PROGRAM) -> tuple[int, str, str]:
    done = run("xgpu-opt", PLUGIN, *arguments, stdin=text, path=(HERE,))
    return done.returncode, done.stdout, done.stderr


def test_what_classes_state_in_xdsls_terms_counts() -> None:
    """Folder, constants and how they are made, canonicalization patterns, traits."""
    assert opt("--canonicalize") == (0, CANONICAL, "")


def test_syntax_in_both_forms() -> None:
    code, generic, err = opt("--mlir-print-op-generic")
    assert (code, err) == (0, "")
    assert '"fixed.constant"() <{value = 16 : i32}> : () -> !fixed.number<4>' in generic
    code, out, err = opt("--canonicalize", text=generic)
    assert (code, out, err) == (0, CANONICAL, "")


LOWERED = """
func.func @g(%a: !fixed.number<4>) -> !fixed.number<4> {
  %c = fixed.constant 24 : !fixed.number<4>
  %0 = fixed.mul %a * %c : !fixed.number<4>
  return %0 : !fixed.number<4>
}
"""

MAIN = """
  llvm.func @main() -> i32 {
    %x = llvm.mlir.constant(40 : i32) : i32
    %y = llvm.call @g(%x) : (i32) -> i32
    llvm.return %y : i32
  }
}"""


def test_type_and_operations_are_lowered(tmp_path: Path) -> None:
    code, out, err = opt("--convert-to-llvm", text=LOWERED)
    assert (code, err) == (0, "")
    assert "llvm.func @g(%arg0: i32) -> i32" in out
    assert "llvm.ashr" in out
    assert "fixed" not in out
    program = tmp_path / "main.mlir"
    program.write_text(out.replace("\n}", MAIN, 1))
    done = run("xgpu-runner", "--device=host", "--entry-point-result=i32", str(program))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "60\n"  # 2.5 times 1.5 is 3.75


ELEMENTS = """
func.func @g(%a: memref<4x!fixed.number<4>>, %i: index) -> !fixed.number<4> {
  %0 = memref.load %a[%i] : memref<4x!fixed.number<4>>
  return %0 : !fixed.number<4>
}
"""


def test_types_inside_of_types_are_lowered() -> None:
    code, out, err = opt("--convert-to-llvm", text=ELEMENTS)
    assert (code, err) == (0, "")
    assert "-> !llvm.ptr, i32" in out
    assert "fixed" not in out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "func.func @f(%a: !fixed.number<40>) {\n  return\n}",
            "<stdin>:1:18: error: expected between 0 and 31 bits behind the point",
        ),
        (
            "func.func @f() {\n  %a = fixed.constant 1 : i32\n  return\n}",
            "<stdin>:2:8: error: 'fixed.constant' op expected a fixed-point type, but found i32",
        ),
        (
            "func.func @f() {\n  %a = fixed.constant : !fixed.number<4>\n  return\n}",
            "<stdin>:2:23: error: custom op 'fixed.constant' expected integer value",
        ),
    ],
)
def test_mistakes(text: str, message: str) -> None:
    code, out, err = opt(text=text)
    assert (code, out) == (1, "")
    assert err.splitlines()[0] == message


def test_a_module_brings_what_its_classes_state(tmp_path: Path) -> None:
    """From Python the dialect need not be added: passes of ours see the operations' classes."""
    program = tmp_path / "program.py"
    program.write_text(
        "from xdsl.context import Context\n"
        "from xdsl.dialects.builtin import Builtin\n"
        "from xdsl.dialects.func import Func\n"
        "from xdsl.parser import Parser\n"
        "from fixed_plugin.dialect import Fixed\n"
        "from xgpu.universe import module_pass\n"
        "context = Context()\n"
        "for dialect in (Builtin, Func, Fixed):\n"
        "    context.load_dialect(dialect)\n"
        f"text = {PROGRAM!r}.replace('return', 'func.return')\n"
        "module = Parser(context, text).parse_module()\n"
        "module_pass('cse')().apply(context, module)\n"
        "module_pass('canonicalize')().apply(context, module)\n"
        "print(module)\n"
    )
    done = run("python", str(program), path=(HERE,))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("fixed.mul") == 2  # constants: only the dialect could make them
    assert "%a * %c" in done.stdout
    assert "%one" not in done.stdout

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bad input and bad luck: one diagnostic with a place, exit code 1, no traceback, nothing left."""

from __future__ import annotations

import pathlib
import subprocess

import pytest

from tests.support import forked
from tests.support.some_cases import some
from xgpu.tools import xgpu_opt

ROOT = pathlib.Path(__file__).resolve().parents[3]
LAUNCH = """\
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @kernel() kernel {
      gpu.return
    }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    %n = arith.constant THREADS : index
    gpu.launch_func @kernels::@NAME blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1)
    return
  }
}
"""


def run(tool: str, *arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return forked.run_text(f"xgpu.tools.{tool}", arguments, text, folder=ROOT)


def check(result: subprocess.CompletedProcess[str], message: str) -> None:
    """One error, with `message` in it."""
    assert result.returncode == 1, result.stderr
    assert result.stdout == ""
    errors = [line for line in result.stderr.splitlines() if "error:" in line]
    assert len(errors) == 1, result.stderr
    assert message in errors[0]
    assert "Traceback" not in result.stderr
    assert "internal error" not in result.stderr


CASES = {
    "cut": (
        "func.func @f() {\n  %0 = arith.constant",
        "<stdin>:2:21: error: expected attribute value",
    ),
    "dialect": ("foo.bar", "<stdin>:1:1: error: Dialect `foo' not found for custom op 'foo.bar'"),
    "type": (
        "func.func @f(%a: f32) {\n  %0 = arith.addi %a, %a : f32\n  return\n}\n",
        "<stdin>:2:8: error: 'arith.addi' op operand #0 must be signless-integer-like, but got "
        "'f32'",
    ),
    "kernel": (
        LAUNCH.replace("THREADS", "1").replace("NAME", "missing"),
        "<stdin>:10:5: error: 'gpu.launch_func' op kernel function '@kernels::@missing' is "
        "undefined",
    ),
}


@pytest.mark.parametrize(("tool", "case"), some(["xgpu_opt", "xgpu_runner"], list(CASES)))
def test_text(tool: str, case: str) -> None:
    text, message = CASES[case]
    check(run(tool, "-", text=text), message)


@pytest.mark.parametrize("tool", ["xgpu_opt", "xgpu_translate", "xgpu_runner"])
def test_missing_file(tool: str) -> None:
    arguments = ["--mlir-to-llvmir"] if tool == "xgpu_translate" else []
    result = run(tool, *arguments, "no/such/file.mlir")
    assert result.returncode == 1
    assert "'no/such/file.mlir': No such file or directory" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_deep_nesting(tmp_path: pathlib.Path) -> None:
    """mlir-opt reads thousands of nested regions; here Python's stack ends at some 1,200."""
    for depth, code in ((600, 0), (3000, 1)):
        file = tmp_path / f"{depth}.mlir"
        regions = "scf.if %c {\n" * depth + "}\n" * depth
        file.write_text("func.func @f(%c: i1) {\n" + regions + "return\n}\n")
        output = tmp_path / f"{depth}.out"
        done = run("xgpu_opt", str(file), "-o", str(output))
        assert done.returncode == code
        if code == 0:
            assert output.read_text().count("scf.if") == depth
        else:
            assert done.stderr == "xgpu-opt: error: the input is nested too deeply\n"


def test_block_of_2048_threads() -> None:
    text = LAUNCH.replace("THREADS", "2048").replace("NAME", "kernel")
    check(
        run("xgpu_runner", "--device=host", "-", text=text), "<stdin>:10:5: error: kernel 'kernel'"
    )


def test_unknown_chip() -> None:
    check(
        run(
            "xgpu_opt",
            "--gpu-lower-to-nvvm-pipeline=cubin-chip=sm_999 cubin-format=isa",
            "examples/vector_add.mlir",
        ),
        "examples/vector_add.mlir:9:3: error: unknown chip 'sm_999'",
    )


def test_ptx_where_there_is_no_gpu() -> None:
    lowered = run(
        "xgpu_opt",
        "--gpu-lower-to-nvvm-pipeline=cubin-chip=sm_80 cubin-format=isa",
        "examples/vector_add.mlir",
    )
    assert lowered.returncode == 0
    result = run("xgpu_runner", "--device=host", "-", text=lowered.stdout)
    check(result, "cubin-format=host")
    assert result.stderr.startswith("<stdin>:2:3: error: the kernel module is PTX")


def test_out_of_memory() -> None:
    text = """\
func.func @main() {
  %n = arith.constant 1000000000000000 : index
  %m = gpu.alloc host_shared (%n) : memref<?xf32>
  gpu.dealloc %m : memref<?xf32>
  return
}
"""
    check(run("xgpu_runner", "--device=host", "-", text=text), "<stdin>:3:8: error: out of memory")


def test_unknown_pass_names_the_nearest() -> None:
    result = run("xgpu_opt", "--canonicalise", "-", text="")
    assert result.returncode == 1
    assert "did you mean '--canonicalize'?" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_translate_shows_tracebacks_where_asked(monkeypatch, tmp_path, capsys):
    """As xgpu-opt and xgpu-runner do, by --debug."""
    from xgpu.tools import translate_session, xgpu_translate

    monkeypatch.setattr(translate_session, "process", None)  # a call of it is a defect
    source = tmp_path / "a.mlir"
    source.write_text("")
    assert xgpu_translate.main(["--mlir-to-llvmir", str(source)]) == 2
    assert "--debug shows where" in capsys.readouterr().err
    with pytest.raises(TypeError, match="'NoneType' object is not callable"):
        xgpu_translate.main(["--mlir-to-llvmir", "--debug", str(source)])


BROKEN = """from xdsl.dialects.builtin import f32
from xdsl.interfaces import HasFolderInterface
from xdsl.ir import Dialect
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def

@irdl_op_definition
class Folds(IRDLOperation, HasFolderInterface):
    name = "broken.folds"
    value, result = operand_def(f32), result_def(f32)
    def fold(self):
        raise ZeroDivisionError("fold")

@irdl_op_definition
class Verifies(IRDLOperation):
    name = "broken.verifies"
    value, result = operand_def(f32), result_def(f32)
    def verify_(self):
        from xgpu.dialects import gpu
        gpu.ThreadIdOp(dimension="w")

BROKEN = Dialect("broken", [Folds, Verifies], [])
"""


@pytest.mark.parametrize(
    ("operation", "words", "line"),
    [
        ("folds", "ZeroDivisionError: fold", 11),
        ("verifies", "ValueError: dimension must be one of x, y, z, but is 'w'", 19),
    ],
)
def test_defects_of_a_plugin_name_its_line(tmp_path, capsys, operation, words, line):
    plugin = tmp_path / f"broken_{operation}.py"  # modules and dialects are loaded once
    plugin.write_text(BROKEN.replace('"broken', f'"broken_{operation}'))
    source = tmp_path / "a.mlir"
    source.write_text(
        f'func.func @f(%x: f32) -> f32 {{ %y = "broken_{operation}.{operation}"(%x) : (f32) -> f32 '
        "return %y : f32 }"
    )
    given = [f"--load-dialect-plugin={plugin}", "--canonicalize", str(source)]
    assert xgpu_opt.main(given) == 1
    assert capsys.readouterr().err == (
        f"xgpu-opt: error: code of another project raised {words} ({plugin}:{line}; --debug shows "
        "the traceback)\n"
    )

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the command lines say of what is not there, of plugins' mistakes and of other inputs."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from tests.support import forked, processes
from xgpu.core.ir.errors import UsageError
from xgpu.tools import translate_session, xgpu_opt, xgpu_reduce, xgpu_runner

ROOT = Path(__file__).parents[3]
EMPTY = "func.func @f() { return }\n"
RUNS = {
    "opt": xgpu_opt.run, "translate": translate_session.run, "runner": xgpu_runner.run,
    "reduce": xgpu_reduce.run,
}  # fmt: skip


def refusal(tool: str, *arguments: str) -> str:
    with pytest.raises(UsageError) as caught:
        RUNS[tool](arguments)
    return str(caught.value)


def process(
    tool: str, *arguments: str, text: str = EMPTY, path: Path | None = None
) -> tuple[int, str]:
    """The code and the words of a tool. `path` has what is installed besides: Python looks for
    that when it starts."""
    if path is None:
        done = forked.run_text(f"xgpu.tools.xgpu_{tool}", arguments, text)
    else:
        done = processes.run(
            [sys.executable, "-m", f"xgpu.tools.xgpu_{tool}", *arguments], input=text,
            capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(path)},
        )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


# -- what MLIR has


@pytest.mark.parametrize("name", ["affine-super-vectorize", "affine-loop-unroll", "print-op-stats"])
def test_a_pass_that_xgpu_lacks_is_named_as_such(name: str) -> None:
    expected = "a pass; MLIR 22.1 has it, xgpu does not (docs/reference/passes.md lists both)"
    assert refusal("opt", f"--{name}") == f"unknown command line argument '--{name}': {expected}"
    found = refusal("opt", f"--pass-pipeline=builtin.module({name})")
    assert found == f"'{name}' does not refer to a registered pass or pass pipeline: {expected}"
    assert refusal("opt", "-p", name) == f"unknown pass '{name}': {expected}"
    assert refusal("opt", f"--mlir-print-ir-after={name}").endswith(expected)


def test_an_option_of_a_pass_is_named_as_such() -> None:
    """Not the nearest name of another thing: `--test` is not `--target`."""
    ways = "--opt-reduction-pass='test=t.sh' or --reduction-tree='test=t.sh'"
    begin = "unknown command line argument"
    found = refusal("reduce", "--test=t.sh")
    assert found == f"{begin} '--test=t.sh', an option of a pass: {ways}"
    found = refusal("reduce", "--reduction-tree=traversal-mode=0", "--test=t.sh")
    assert found.endswith("an option of a pass: --reduction-tree='test=t.sh'")
    found = refusal("opt", "--convert-gpu-to-nvvm", "--index-bitwidth=32")
    assert found.endswith("an option of a pass: --convert-gpu-to-nvvm='index-bitwidth=32'")
    assert refusal("opt", "--index-bitwidth=32") == f"{begin} '--index-bitwidth=32'"


def test_pipelines_and_options_that_xgpu_lacks() -> None:
    has = "MLIR 22.1 has it, xgpu does not"
    assert f": a pipeline; {has}" in refusal("opt", "--sparsifier")
    for option in ("mlir-pass-statistics", "irdl-file", "run-reproducer", "debug-only=x"):
        assert refusal("opt", f"--{option}").endswith(f": an option of mlir-opt; {has}")
    assert f"mlir-translate; {has}" in refusal("translate", "--serialize-spirv")
    assert f"mlir-runner; {has}" in refusal("runner", "--dump-object-file")
    assert refusal("reduce", "--run-reproducer").endswith(has)


def test_a_misspelling_is_answered_with_the_nearest_name() -> None:
    assert refusal("opt", "--canonicalise").endswith("did you mean '--canonicalize'?")
    assert refusal("translate", "--gpu-to-ptxx").startswith(
        "Unknown command line argument '--gpu-to-ptxx', did you mean '--gpu-to-ptx'?"
    )
    assert "did you mean '--device'" in refusal("runner", "--devise=host")


def test_a_pass_of_xdsl_runs_by_p() -> None:
    assert refusal("opt", "--convert-scf-to-openmp").endswith(
        "; -p convert-scf-to-openmp runs xDSL's pass of this name"
    )


def test_dialects_and_operations_that_xgpu_lacks(capsys: pytest.CaptureFixture[str], tmp_path):
    for text, expected in (
        ("spirv.module Logical GLSL450 {}", "note: MLIR 22.1 has the dialect 'spirv', xgpu does"),
        ('"sparse_tensor.load"() : () -> ()', "note: MLIR 22.1 has the dialect 'sparse_tensor'"),
        ("func.func @f(%a: f32) { %x = arith.max %a, %a : f32 return }",
         "note: did you mean 'arith.maximumf', 'arith.maxnumf', 'arith.maxsi' or 'arith.maxui'?"),
    ):  # fmt: skip
        file = tmp_path / "a.mlir"
        file.write_text(text)
        assert xgpu_opt.run([str(file)]) == 1
        assert expected in capsys.readouterr().err


def test_the_page_of_passes_is_what_the_registry_has() -> None:
    from xgpu.core.passes.registry import PASSES, PIPELINES

    page = (ROOT / "docs" / "reference" / "passes.md").read_text()
    has = set(re.findall(r"^\| \[`([\w-]+)`\]\(#[\w-]+\) \| MLIR \|", page, re.MULTILINE))
    missing = page.partition("## MLIR's passes")[2]
    lacks = set(re.findall(r"^\| `([\w-]+)` \|", missing, re.MULTILINE))
    from xgpu.core.ir.suggestions import mlir_names

    assert has | lacks == mlir_names("passes") | mlir_names("pipelines")
    assert has == {*PASSES, *PIPELINES} & (mlir_names("passes") | mlir_names("pipelines"))
    assert not has & lacks
    mlir, ours = len(mlir_names("passes")), len(mlir_names("passes") & PASSES.keys())
    assert f"[{ours} of MLIR's {mlir} passes]" in (ROOT / "README.md").read_text()


def test_the_names_are_the_generators() -> None:
    done = processes.run(
        [sys.executable, "tools/generate_mlir_names.py", "--check"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode == 2:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr


# -- literals


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("%a = arith.constant -inf : f32", "-inf of f32 is written as its bits, 0xFF800000 : f32"),
        ("%a = arith.constant nan : f64",
         "nan of f64 is written as its bits, 0x7FF8000000000000 : f64"),
        ("%a = arith.constant Infinity : bf16",
         "inf of bf16 is written as its bits, 0x7F80 : bf16"),
        ("%a = arith.constant dense<inf> : tensor<2xf16>",
         "inf of f16 is written as its bits, 0x7C00"),
        ("%a = arith.constant dense<[1.0, -nan]> : vector<2xf32>",
         "-nan of f32 is written as its bits, 0xFFC00000"),
        ('"a.b"() {a = array<f64: inf>} : () -> ()',
         "inf of f64 is written as its bits, 0x7FF0000000000000"),
        ("%a = arith.constant inf : f8E4M3FN", "f8E4M3FN has no infinity"),
        ("%a = arith.constant nan : f4E2M1FN", "f4E2M1FN has no NaN"),
    ],
)  # fmt: skip
def test_infinity_says_how_it_is_written(text: str, hint: str) -> None:
    from xgpu.core.ir.errors import DiagnosticError
    from xgpu.core.syntax import parse_module

    with pytest.raises(DiagnosticError) as caught:
        parse_module(text, allow_unregistered=True)
    assert caught.value.message.endswith(f"; {hint}")
    bits = re.search(r"0x[0-9A-F]+", hint)
    if bits is not None:  # what it says can be read
        name = hint.split()[2]
        parse_module(f"%a = arith.constant {bits[0]} : {name}")


def test_a_name_is_no_literal() -> None:
    from xgpu.core.ir.errors import DiagnosticError
    from xgpu.core.syntax import parse_module

    with pytest.raises(DiagnosticError) as caught:
        parse_module("func.func @f(%inf: f32) { %a = arith.constant %inf : f32 return }")
    assert "written" not in caught.value.message


# -- plugins and installed projects

PLUGIN = """
from dataclasses import dataclass
from xdsl.passes import ModulePass
from xgpu.core.ir.errors import DiagnosticError
from xgpu.core.passes.base import Option, Pass

class Crash(Pass):
    name = "crash-me"
    def run(self, op, ctx):
        raise KeyError("oops")

class Refuse(Pass):
    name = "refuse-me"
    anchor = "func.func"
    def run(self, op, ctx):
        raise DiagnosticError("no such function")

class Wrong(Pass):
    name = "wrong-error"
    def run(self, op, ctx):
        raise DiagnosticError(3)

class Unmakeable(Pass):
    name = "unmakeable"
    def __init__(self, more):
        pass

@dataclass(frozen=True)
class Boom(ModulePass):
    name = "boom"
    factor: int
    def apply(self, ctx, op):
        {}["oops"]
"""


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    path = tmp_path / "broken_plugin.py"
    path.write_text(PLUGIN)
    return path


def test_a_plugin_that_imports_what_moved(tmp_path: Path) -> None:
    path = tmp_path / "old_plugin.py"
    path.write_text("from xgpu.passes.base import Pass\n")
    code, said = process("opt", f"--load-pass-plugin={path}")
    assert code == 1
    assert said == (
        f"xgpu-opt: cannot load the plugin '{path}': ModuleNotFoundError: No module named "
        f"'xgpu.passes' ({path}:1): `xgpu.plugins` has what plugins import\n"
    )


@pytest.mark.parametrize(
    ("option", "name", "line"), [("crash-me", "crash-me", 10), ("boom=factor=2", "boom", 33)]
)
def test_a_plugin_that_raises(plugin: Path, option: str, name: str, line: int) -> None:
    code, said = process("opt", f"--load-pass-plugin={plugin}", f"--{option}")
    assert code == 1
    assert said == (
        f"<stdin>:0:0: error: the pass '{name}' of the plugin '{plugin}' raised KeyError: 'oops' "
        f"({plugin}:{line})\n"
    )
    code, said = process("opt", f"--load-pass-plugin={plugin}", f"--{option}", "--debug")
    assert code == 1
    assert "Traceback (most recent call last)" in said
    assert f'{plugin.name}", line {line}' in said
    assert said.endswith(f"({plugin}:{line})\n")


def test_other_mistakes_of_plugins(plugin: Path) -> None:
    load = f"--load-pass-plugin={plugin}"
    code, said = process("opt", load, "--refuse-me")
    assert (code, said.splitlines()[0]) == (1, "<stdin>:1:1: error: no such function")
    code, said = process("opt", load, "--wrong-error")
    assert code == 1
    assert "DiagnosticError() takes diagnostics, or a text and its location, but was given" in said
    code, said = process("opt", load, "--unmakeable")
    assert code == 1
    assert f"the pass 'unmakeable' of the plugin '{plugin}' cannot be made: TypeError" in said
    code, said = process("opt", load, "--boom")
    assert code == 1
    assert "boom: the option 'factor' must be given" in said


def test_the_runner_takes_plugins(plugin: Path) -> None:
    text = "func.func @main() -> i64 {\n  %c = arith.constant 42 : i64\n  return %c : i64\n}\n"
    passes = "--pass-pipeline=builtin.module(canonicalize)"
    assert process("runner", "--device=host", passes, text=text) == (0, "42\n")
    code, said = process(
        "runner", "--device=host", f"--load-pass-plugin={plugin}",
        "--pass-pipeline=builtin.module(crash-me)", text=text,
    )  # fmt: skip
    assert code == 1
    assert "the pass 'crash-me' of the plugin" in said


def installed(folder: Path, name: str, module: str, text: str) -> Path:
    """A folder with a project that offers a universe, as pip installs it."""
    (folder / f"{module}.py").write_text(text)
    info = folder / f"{module}-0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1\n")
    (info / "entry_points.txt").write_text(f"[xdsl.universe]\n{module} = {module}:UNIVERSE\n")
    return folder


UNIVERSE = """
from dataclasses import dataclass
from xdsl.passes import ModulePass
from xdsl.universe import Universe

@dataclass(frozen=True)
class Rename(ModulePass):
    name = "rename-mine"
    to: str = "g"
    def apply(self, ctx, op):
        from xdsl.dialects.builtin import StringAttr
        for f in op.ops:
            f.properties["sym_name"] = StringAttr(self.to)

UNIVERSE = Universe(all_dialects={}, all_passes={"rename-mine": lambda: Rename})
"""


def test_passes_of_installed_projects(tmp_path: Path) -> None:
    path = installed(tmp_path, "mine-xdsl", "mine_universe", UNIVERSE)
    for option in ("--rename-mine=to=h", "--pass-pipeline=builtin.module(rename-mine{to=h})"):
        code, said = process("opt", option, path=path)
        assert code == 0, said
        assert "func.func @h()" in said
    assert process("opt", "--rename-min", path=path)[1].endswith("did you mean '--rename-mine'?\n")
    code, said = process("opt", "--help", path=path)
    assert "Passes of installed projects:\n      --rename-mine" in said
    assert "of the universe 'mine_universe'\n        --to=<string>" in said


def test_a_broken_entry_point_names_its_package(tmp_path: Path) -> None:
    path = installed(tmp_path, "mine-xdsl", "mine_broken", "\nx = 1 / 0\n")
    code, said = process("opt", "--no-such-pass", path=path)
    assert code == 1
    assert said == (
        "xgpu-opt: the package 'mine-xdsl' has a broken entry point, xdsl.universe 'mine_broken' = "
        f"mine_broken:UNIVERSE: ZeroDivisionError: division by zero ({tmp_path}/mine_broken.py:2)\n"
    )
    assert process("opt", "--cse", path=path)[0] == 0


# -- other inputs


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"BC\xc0\xde\x35\x14\0\0", "LLVM bitcode"),
        (b"\x7fELF\x02\x01\x01" + bytes(11) + b"\xbe\0", "a cubin"),
        (b"\x7fELF\x02\x01\x01" + bytes(11) + b"\x3e\0", "an object file"),
        (b"//\n// Generated by LLVM\n//\n\n.version 8.0\n.target sm_90\n", "PTX"),
        (b"; ModuleID = 'x'\nsource_filename = \"x\"\n", "LLVM IR"),
        (b"define void @f() {\n  ret void\n}\n", "LLVM IR"),
        (b"// mine\n__global__ void k(float *x) { x[0] = 1; }\n", "CUDA C++"),
        (b"#include <cuda.h>\n\n__device__ int f();\n", "CUDA C++"),
        (b"#include <vector>\nint main() {}\n", "C++"),
        (b"import numpy as np\n", "a Python program"),
        (b"\x1f\x8b\x08\0", "compressed by gzip"),
        (b"\0\1\2\3", "binary data"),
    ],
)
def test_inputs_of_another_kind_are_named(tmp_path: Path, content: bytes, what: str) -> None:
    file = tmp_path / "input"  # the content says it, not the name
    file.write_bytes(content)
    for tool in ("opt", "runner", "reduce"):
        assert refusal(tool, str(file)).startswith(
            f"cannot read '{file}': it is {what}; xgpu reads"
        )
    import xgpu

    if not what.startswith(("LLVM", "CUDA", "PTX")):  # programs too: `tests/unit/frontend`
        with pytest.raises(UsageError, match=re.escape(f"it is {what}; xgpu reads MLIR text")):
            xgpu.load(str(file), device="host")
    if not what.startswith(("C++", "CUDA")):
        found = refusal("translate", "--import-cuda", str(file))
        assert found == f"cannot read '{file}': it is {what}; expected CUDA C++"
    if what != "PTX":
        found = refusal("translate", "--import-ptx", str(file))
        assert found == f"cannot read '{file}': it is {what}; expected PTX"
    if not what.startswith("LLVM"):
        found = refusal("translate", "--import-llvm", str(file))
        assert found == f"cannot read '{file}': it is {what}; expected LLVM IR"


def test_text_of_mlir_is_read(tmp_path: Path) -> None:
    for text in ("// c\n" + EMPTY, "#map = affine_map<() -> ()>\n" + EMPTY, "\n\n" + EMPTY, ""):
        file = tmp_path / "a.cu"
        file.write_text(text)
        assert xgpu_opt.run([str(file), "-o", str(tmp_path / "out")]) == 0


# -- help, PTX


@pytest.mark.parametrize("tool", RUNS)
def test_h_is_help(tool: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert RUNS[tool](["-h"]) == 0
    assert "USAGE: xgpu-" in capsys.readouterr().out


@pytest.mark.parametrize("tool", ["translate", "reduce"])
def test_help_takes_no_value(tool: str) -> None:
    assert "--help option: does not allow a value! 'cse' specified" in refusal(tool, "--help=cse")


def test_ptx_as_text(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "two.mlir"
    file.write_text(
        "gpu.module @first { gpu.func @k() kernel { gpu.return } }\n"
        "gpu.module @second { gpu.func @l() kernel { gpu.return } }\n"
    )
    assert translate_session.run(["--gpu-to-ptx", "--chip=sm_80", str(file)]) == 0
    found = capfd.readouterr().out
    assert found.count(".target sm_80") == 2
    places = [found.index(t) for t in ("@first", ".entry k(", "@second", ".entry l(")]
    assert places == sorted(places)
    assert "chip is '90'" in refusal("translate", "--gpu-to-ptx", "--chip=90", str(file))
    assert "'7' is invalid" in refusal("translate", "--gpu-to-ptx", "--opt-level=7", str(file))
    file.write_text(EMPTY)
    assert translate_session.run(["--mlir-to-ptx", str(file)]) == 1
    assert "error: the program has no kernels" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("--gpu-gemm-pipeline=stages=-1", "stages is -1, expected at least 0"),
        ("--gpu-gemm-pipeline=tile=0,64,32", "tile is 0, expected at least 1"),
        ("--circular-buffer=stages=0", "stages is 0, expected at least 1"),
        ("--convert-linalg-to-gpu=threads=2048", "threads is 2048, expected at most 1024"),
    ],
)
def test_options_out_of_range(option: str, words: str) -> None:
    name = option[2:].partition("=")[0]
    assert refusal("opt", option) == f"{name}: {words}"

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A project with a dialect of its own: typed patterns make `gpu.LaunchOp` of it, and it runs."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from environment import EXAMPLE, PROGRAM, install, run
from xdsl.builder import ImplicitBuilder
from xdsl.context import Context
from xdsl.dialects.arith import Arith
from xdsl.dialects.builtin import Builtin, FunctionType, IndexType, IntegerAttr, ModuleOp
from xdsl.dialects.func import Func
from xdsl.dialects.memref import MemRef
from xdsl.dialects.scf import ForOp, Scf
from xdsl.parser import Parser

import xgpu
from tests.support.some_cases import short
from xgpu.core.syntax import print_module
from xgpu.dialects import gpu
from xgpu.universe import module_pass


@pytest.fixture
def project(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(str(EXAMPLE))
    from importlib import import_module

    import_module("scale_dialect.dialect")
    yield import_module("scale_dialect.lowering")
    for name in [name for name in sys.modules if name.startswith("scale_dialect")]:
        del sys.modules[name]


@pytest.fixture
def site(tmp_path: Path) -> tuple[Path, Path]:
    install(tmp_path, "scale", "scale_dialect.universe:UNIVERSE")
    return (tmp_path, EXAMPLE)


def read(project: Any) -> tuple[Context, ModuleOp]:
    """The program in xDSL's classes, and the project's."""
    context = Context()
    scale = sys.modules["scale_dialect.dialect"].Scale
    for dialect in (Builtin, Func, Arith, MemRef, Scf, scale):
        context.load_dialect(dialect)
    module = Parser(context, PROGRAM).parse_module()
    module.verify()
    return context, module


def test_lowers_and_runs(project: Any) -> None:
    context, module = read(project)
    project.ScaleToGPUPass().apply(context, module)
    module.verify()
    assert [type(op) for op in module.walk() if op.name == "gpu.launch"] == [gpu.LaunchOp]
    before = str(module)
    assert xgpu.run(module, entry="main", device="host").value == 12.0
    assert str(module) == before  # the caller keeps it
    assert any(isinstance(op, ForOp) for op in module.walk())


def test_compiles(project: Any) -> None:
    context, module = read(project)
    project.ScaleToGPUPass().apply(context, module)
    kernels = xgpu.compile(module, chip="sm_90", format="isa").kernels
    assert b".visible .entry main_kernel(" in kernels["main_kernel"]


def test_our_passes_leave_other_operations_alone(project: Any) -> None:
    context, module = read(project)
    operations = list(module.walk())
    classes = [type(op) for op in operations]
    before = str(module)
    module_pass("symbol-privatize")(exclude=("main",)).apply(context, module)
    assert list(module.walk()) == operations
    assert [type(op) for op in module.walk()] == classes
    assert str(module) == before


def test_printing_adopts(project: Any) -> None:
    context, module = read(project)
    project.ScaleToGPUPass().apply(context, module)
    classes = [type(op) for op in module.walk()]
    assert "gpu.launch async [" in print_module(module)
    assert [type(op) for op in module.walk()] == classes


# --- installed ---------------------------------------------------------------------------------


def test_xgpu_opt_reads_the_dialect(site: tuple[Path, ...]) -> None:
    done = run("xgpu-opt", stdin=PROGRAM, path=site)
    assert (done.returncode, done.stderr) == (0, "")
    assert "scale.by %alloc, %cst : memref<?xf32>" in done.stdout
    generic = run("xgpu-opt", "--mlir-print-op-generic", stdin=PROGRAM, path=site)
    assert '"scale.by"(' in generic.stdout
    again = run("xgpu-opt", stdin=generic.stdout, path=site)
    assert again.stdout == done.stdout


def test_xgpu_opt_says_what_its_verifier_says(site: tuple[Path, ...]) -> None:
    text = (
        "func.func @f(%m: memref<2x2xf32>, %f: f32) {\n"
        "  scale.by %m, %f : memref<2x2xf32>\n  return\n}"
    )
    done = run("xgpu-opt", stdin=text, path=site)
    assert done.returncode == 1
    assert done.stderr.startswith(
        "<stdin>:2:3: error: 'scale.by' op expected a buffer of one dimension"
    )


def test_xgpu_opt_runs_its_pass(site: tuple[Path, ...]) -> None:
    done = run("xgpu-opt", "-p", "scale-to-gpu,gpu-kernel-outlining", stdin=PROGRAM, path=site)
    assert (done.returncode, done.stderr) == (0, "")
    assert "gpu.launch_func async [" in done.stdout
    assert "scale.by" not in done.stdout


#: Passes of three projects, and the operations that each is there to make and to take away.
PIPELINE: tuple[tuple[str, set[str], set[str]], ...] = (
    ("scale-to-gpu", {"gpu.launch"}, {"scale.by"}),  # the project's
    ("release-gpu-ops", set(), set()),  # ours
    ("gpu-kernel-outlining", {"gpu.launch_func"}, {"gpu.launch"}),  # ours
    ("cse", set(), set()),  # xDSL's
    ("convert-scf-to-cf", {"cf.cond_br"}, {"scf.for"}),  # xDSL's
    ("gpu-async-to-mgpu", {"mgpu.launch"}, {"gpu.launch_func"}),  # ours
    ("convert-func-to-llvm", {"llvm.func"}, {"func.func"}),  # xDSL's
)


@pytest.mark.parametrize("count", short(range(1, len(PIPELINE) + 1), len(PIPELINE)))
def test_a_pipeline_of_all(count: int, site: tuple[Path, ...]) -> None:
    """Each pass of a mixed pipeline does its work: none is a silent no-op."""
    passes = ",".join(name for name, _, _ in PIPELINE[:count])
    done = run("xdsl-opt", "-p", passes, "--print-op-generic", stdin=PROGRAM, path=site)
    assert (done.returncode, done.stderr) == (0, "")
    found = set(re.findall(r'"([a-z_]+\.[a-z_.]+)"\(', done.stdout))
    _, made, gone = PIPELINE[count - 1]
    assert made <= found
    assert not gone & found
    # xDSL's cse leaves one of equal constants.
    assert done.stdout.count('"arith.constant"') == (5 if count >= 4 else 11)


def test_released_operations_are_seen_by_xdsls_passes(site: tuple[Path, ...]) -> None:
    """xDSL's lowering of loops looks for xDSL's class: a loop of ours has to be released."""
    from xdsl.ir import Block
    from xdsl.universe import Universe

    from xgpu.dialects import arith, func, scf

    def module() -> ModuleOp:
        block = Block()
        with ImplicitBuilder(block):
            bound = arith.ConstantOp(value=IntegerAttr(4, IndexType()))
            body = Block(arg_types=[IndexType()])
            with ImplicitBuilder(body):
                gpu.BarrierOp()  # without it the loop is dead
            scf.ForOp(bound, bound, bound, region=body)
            func.ReturnOp()
        kind = FunctionType.from_lists([], [])
        return ModuleOp([func.FuncOp(sym_name="f", function_type=kind, body=block)])

    universe = Universe.get_multiverse()
    context = Context()
    for name, factory in universe.all_dialects.items():
        context.register_dialect(name, factory)
    lower = universe.all_passes["convert-scf-to-cf"]()()
    unseen = module()
    lower.apply(context, unseen)
    assert "scf.for" in str(unseen)
    seen = module()
    universe.all_passes["release-gpu-ops"]()().apply(context, seen)
    assert any(isinstance(op, ForOp) for op in seen.walk())
    lower.apply(context, seen)
    assert "scf.for" not in str(seen)


def test_xdsl_sees_what_our_pass_made(site: tuple[Path, ...]) -> None:
    """The kernel that we outlined is what xDSL's classes say it is: xDSL's own pass finds it."""
    passes = "scale-to-gpu,gpu-kernel-outlining"
    done = run("xdsl-opt", "-p", passes, "--print-op-generic", stdin=PROGRAM, path=site)
    assert "<{function_type = (memref<?xf32>, f32) -> (), kernel}>" in done.stdout


def test_our_pipeline_in_xdsl_opt(site: tuple[Path, ...]) -> None:
    passes = (
        "scale-to-gpu,adopt-gpu-ops,"
        'gpu-lower-to-nvvm-pipeline{cubin-chip="sm_90" cubin-format="isa"}'
    )
    done = run("xdsl-opt", "-p", passes, stdin=PROGRAM, path=site)
    assert (done.returncode, done.stderr) == (0, "")
    assert "gpu.binary @main_kernel" in done.stdout
    assert "llvm.func @main() -> f32" in done.stdout


def test_what_cannot_go_back_is_named(site: tuple[Path, ...]) -> None:
    passes = 'scale-to-gpu,gpu-lower-to-nvvm-pipeline{cubin-chip="sm_90" cubin-format="isa"}'
    done = run("xdsl-opt", "-p", passes, stdin=PROGRAM, path=site)
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    assert re.search(
        r"'llvm\.\w+' op cannot be given back to xdsl\.dialects\.llvm\.\w+ after "
        r"gpu-lower-to-nvvm-pipeline: .* \(run adopt-gpu-ops first to go on with xgpu's classes\)",
        last,
    )


def test_two_projects_of_one_name(site: tuple[Path, ...], tmp_path: Path) -> None:
    install(tmp_path, "other", "scale_dialect.universe:UNIVERSE")
    done = run("xgpu-opt", stdin=PROGRAM, path=site)
    assert done.returncode == 1
    assert done.stderr == (
        "xgpu-opt: dialect 'scale' is defined by the universe 'other' and by the universe 'scale'\n"
    )
    done = run("xgpu-opt", "-p", "dce", stdin="", path=site)
    assert done.returncode == 1
    assert "'other'" in done.stderr
    assert "'scale'" in done.stderr
    assert "internal error" not in done.stderr

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the judge takes for MLIR's own: mlir-opt leaves the same, and says the same of it."""

from __future__ import annotations

import subprocess
from pathlib import Path
from random import Random

import pytest

from tests.fuzz import judge
from tests.support import processes
from tests.support.reference import NO_REFERENCE, llvm_tool

_BODIES = [
    (
        "convert-scf-to-cf",
        """
module {
  scf.execute_region {
    builtin.module {
    }
    scf.yield
  }
}
""",
    ),
    (
        "convert-func-to-llvm",
        """
func.func @twice(%f: !llvm.func<void (i32)>) -> (!llvm.func<void (i32)>, !llvm.func<void (i32)>) {
  return %f, %f : !llvm.func<void (i32)>, !llvm.func<void (i32)>
}
""",
    ),
    (
        "lower-affine",
        """
func.func @copy(%a: memref<8xf32>, %b: memref<8xf32, 3>, %tag: memref<1xi32>, %i: index) {
  affine.dma_start %a[%i], %b[], %tag[%i], %i : memref<8xf32>, memref<8xf32, 3>, memref<1xi32>
  return
}
""",
    ),
    (
        "lower-affine",
        """
func.func @copy(%a: memref<8xf32>, %b: memref<8xf32, 3>, %tag: memref<1xi32>, %i: index) {
  affine.dma_start %a[%i], %b[%i], %tag[], %i : memref<8xf32>, memref<8xf32, 3>, memref<1xi32>
  return
}
""",
    ),
]
_SIGNED = """
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (ui32)>,
      linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64,
      visibility_ = 0 : i64}> ({
  }) : () -> ()
}) : () -> ()
"""


def _reference(path: Path, *options: str) -> subprocess.CompletedProcess[str]:
    tool = llvm_tool("mlir-opt")
    if tool is None:
        pytest.skip(NO_REFERENCE)
    return processes.run([tool, str(path), *options], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("name", "body"), _BODIES)
def test_a_pass_leaves_what_mlirs_leaves(name: str, body: str, tmp_path: Path) -> None:
    path = tmp_path / "f.mlir"
    path.write_text(body)
    ours = processes.run(
        ["xgpu-opt", str(path), f"--{name}"], capture_output=True, text=True, check=False
    )
    assert ours.returncode == 1
    theirs = _reference(path, f"--{name}")
    assert ours.stderr.splitlines()[0] == theirs.stderr.splitlines()[0]


@pytest.mark.parametrize(("name", "body"), _BODIES)
def test_the_judge_knows(name: str, body: str) -> None:
    seed = next(seed for seed in range(10000) if Random(seed).choice(judge.PASSES) == name)
    assert judge.judge(body, seed).finding is None


def test_a_type_that_only_the_generic_form_takes(tmp_path: Path) -> None:
    assert judge.judge(_SIGNED, 0, passes=False).finding is None
    path, printed = tmp_path / "f.mlir", tmp_path / "printed.mlir"
    path.write_text(_SIGNED)
    printed.write_text(_reference(path).stdout)
    assert "expected LLVM type for function arguments" in _reference(printed).stderr


_ATTRIBUTIONS = """
gpu.module @m {
  "gpu.func"() <{function_type = () -> (), private_attrib_attrs = [{llvm.align = 4 : i64}],
      workgroup_attrib_attrs = [{llvm.align = 16 : i64}, {llvm.align = 8 : i64}]}> ({
  ^bb0(%a: memref<32xf32, 3>, %b: memref<1xi8, 5>, %c: memref<1xi8, 5>):
    "gpu.return"() : () -> ()
  }) {sym_name = "f", workgroup_attributions = 1 : i64} : () -> ()
}
"""


def test_attributes_of_buffers_that_are_not_there(tmp_path: Path) -> None:
    """MLIR prints as many as there are buffers, too."""
    assert judge.judge(_ATTRIBUTIONS, 0, passes=False).finding is None
    path = tmp_path / "f.mlir"
    path.write_text(_ATTRIBUTIONS)
    ours = processes.run(["xgpu-opt", str(path)], capture_output=True, text=True, check=True)
    assert "align = 8" not in ours.stdout
    assert ours.stdout == _reference(path).stdout

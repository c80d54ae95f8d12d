# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names of passes' classes, which `--mlir-print-ir-after-all` and `--mlir-timing` show."""

from __future__ import annotations

import json
import pathlib
import re

import pytest

from tests.support import processes
from xgpu.core.passes.registry import PASSES, pass_class

ROOT = pathlib.Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.parity

#: Passes on any operation of a kind that a module is not.
ON_FUNCTIONS = frozenset(
    ("affine-simplify-min-max", "convert-affine-for-to-gpu", "shard-partition",
     "sharding-propagation")
)  # fmt: skip
#: These end with an error on a program without what they need.
NEEDS_MORE = frozenset(("gpu-module-to-binary", "transform-interpreter"))
PROGRAM = "module { func.func @f() { return } gpu.module @m { gpu.func @k() { gpu.return } } }"


def test_classes_have_the_names_of_mlirs(mlir_opt: str) -> None:
    theirs = json.loads((ROOT / "tools" / "mlir_passes.json").read_text())["passes"]
    passes = [name for name in PASSES if name in theirs and name not in NEEDS_MORE]
    steps: list[str] = []
    for name in passes:
        anchor = "func.func" if name in ON_FUNCTIONS else pass_class(name).anchor
        if anchor in (None, "builtin.module"):
            steps.append(name)
        else:  # first, while there are functions
            steps.insert(0, f"{anchor}({name})")
    shown = processes.run(
        [mlir_opt, "-", f"--pass-pipeline=builtin.module({','.join(steps)})",
         "--mlir-print-ir-after-all"],
        input=PROGRAM, capture_output=True, text=True, check=True,
    ).stderr  # fmt: skip
    found = {name: cls for cls, name in re.findall(r"IR Dump After (\w+) \(([\w-]+)\)", shown)}
    assert {name: pass_class(name).__name__ for name in passes} == {
        name: found.get(name) for name in passes
    }

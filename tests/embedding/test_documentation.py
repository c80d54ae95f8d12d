# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Blocks of docs/reference/embedding.md: Python runs as a program, commands in a folder."""

import os
import re
import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from environment import HERE, PLUGIN

from tests.support import processes

TEXT = (HERE.parents[1] / "docs" / "reference" / "embedding.md").read_text()

FILES = {
    "launch.mlir": """
        func.func @f(%n: index, %a: memref<?xf32>) {
          %c1 = arith.constant 1 : index
          %c0 = arith.constant 0 : index
          gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
                     threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
            scf.for %i = %c0 to %n step %c1 {
              %v = memref.load %a[%i] : memref<?xf32>
              memref.store %v, %a[%tx] : memref<?xf32>
            }
            gpu.terminator
          }
          return
        }""",
    "pdl.mlir": """
        pdl.pattern @x : benefit(1) {
          %t = pdl.type
          %r = pdl.operation "foo.op" -> (%t : !pdl.type)
          pdl.rewrite %r with "bar"
        }""",
    "sums.mlir": """
        func.func @f(%a: i8) -> i8 {
          %0 = sat.add %a, %a : i8
          return %0 : i8
        }""",
}

#: What the output of a command has, and has not, for those that say more than that they work.
OUTPUTS = {
    "convert-scf-to-cf' generic.mlir": ("cf.cond_br", "scf.for"),
    "gpu-lower-to-nvvm-pipeline": ("gpu.binary", "gpu.launch "),
    "convert-scf-to-cf' launch.mlir": ("cf.cond_br", "scf.for"),
    "pdl.mlir": ("pdl.rewrite", "scf"),
    "sums.mlir": ("llvm.intr.sadd.sat", "sat.add"),
}


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)


def test_python(tmp_path: Path) -> None:
    """In a process of its own: what it registers should not stay."""
    program = tmp_path / "blocks.py"
    program.write_text("\n".join(blocks("python")))
    done = processes.run(
        [sys.executable, str(program)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "arith.constant 42 : i32" in done.stdout


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    shutil.copytree(PLUGIN, tmp_path / "sat_plugin")
    return tmp_path


@pytest.mark.long
def test_commands(folder: Path) -> None:
    commands = [line[2:] for block in blocks("console") for line in block.splitlines()]
    assert len(commands) == 6
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    seen = 0
    for command in commands:
        done = processes.run(
            command,
            shell=True,
            cwd=folder,
            capture_output=True,
            text=True,
            env={**os.environ, "PATH": path},
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, ""), command
        for key, (there, gone) in OUTPUTS.items():
            if key in command:
                seen += 1
                assert there in done.stdout, command
                assert gone not in done.stdout, command
    assert seen == len(OUTPUTS)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The examples as other projects see them: installed beside xgpu, run as processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.support import processes

HERE = Path(__file__).parent
EXAMPLE = HERE / "scale_dialect"
PLUGIN = HERE / "sat_plugin"

#: Fills a buffer with 0, 1, 2, 3, doubles it on a device, and sums it up: 12.
PROGRAM = """
func.func @main() -> f32 {
  %n = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f32
  %zero = arith.constant 0.0 : f32
  %buffer = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.index_cast %i : index to i32
    %f = arith.sitofp %j : i32 to f32
    memref.store %f, %buffer[%i] : memref<?xf32>
  }
  scale.by %buffer, %two : memref<?xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
    %v = memref.load %buffer[%i] : memref<?xf32>
    %w = arith.addf %acc, %v : f32
    scf.yield %w : f32
  }
  memref.dealloc %buffer : memref<?xf32>
  func.return %sum : f32
}
"""


def install(site: Path, name: str, universe: str) -> None:
    """What an installed project leaves in site-packages for `importlib.metadata`."""
    info = site / f"{name}-0.1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1.0\n")
    (info / "entry_points.txt").write_text(f"[xdsl.universe]\n{name} = {universe}\n")


def run(
    *command: str, stdin: str = "", path: tuple[Path, ...] = ()
) -> subprocess.CompletedProcess[str]:
    """Runs a tool of this environment, with `path` before everything that is installed."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(str(p) for p in path)}
    tool = Path(sys.executable).parent / command[0]
    return processes.run(
        [str(tool), *command[1:]],
        input=stdin,
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )

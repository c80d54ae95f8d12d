# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program for the explorer, and what the recorder says of its lowering."""

from __future__ import annotations

from functools import cache

from xgpu.core.passes.pipeline_text import parse_pipeline
from xgpu.core.syntax import context, parse_module
from xgpu.tools.explorer.model import Exploration
from xgpu.tools.explorer.recorder import Recorder

KERNEL = """module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @shift(%x: memref<64xi32>) kernel {
      %t = gpu.thread_id x
      %c1 = arith.constant 1 : index
      %n = arith.addi %t, %c1 : index
      %v = memref.load %x[%t] : memref<64xi32>
      memref.store %v, %x[%n] : memref<64xi32>
      gpu.return
    }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %x, %t0 = gpu.alloc async [] () : memref<64xi32>
    %t1 = gpu.launch_func async [%t0] @kernels::@shift blocks in (%c1, %c1, %c1)
        threads in (%c2, %c1, %c1) args(%x : memref<64xi32>)
    %t2 = gpu.dealloc async [%t1] %x : memref<64xi32>
    gpu.wait [%t2]
    return
  }
}
"""
PIPELINE = "builtin.module(gpu-lower-to-nvvm-pipeline{cubin-chip=sm_80 cubin-format=isa})"


def recorded(pipeline: str, text: str) -> Exploration:
    """What the page shows of a pipeline on a text."""
    module = parse_module(text, "a.mlir")
    recorder = Recorder("a.mlir", {"a.mlir": text})
    recorder.begin(module)
    parse_pipeline(pipeline).run(module, context(), [recorder])
    recorder.end(module)
    return recorder.exploration


@cache
def lowered_kernel() -> Exploration:
    """That of `PIPELINE` on `KERNEL`, which is not to be changed."""
    return recorded(PIPELINE, KERNEL)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program says where it is in one way: by marks, also what it annotates itself."""

from __future__ import annotations

from typing import Any

from xgpu.core.passes.pipeline_text import parse_pipeline
from xgpu.core.syntax import context, parse_module
from xgpu.host_device.compiler.checks import Locations, mark_locations

PROGRAM = """
func.func @main(%s: !mgpu.stream, %a: memref<4xf32>, %x: f32) {
  mgpu.annotate "elsewhere.py:7:3"
  mgpu.stream_synchronize %s
  mgpu.memset %s, %a, %x : memref<4xf32>, f32
  mgpu.memset %s, %a, %x : memref<4xf32>, f32
  return
}
"""


def marked(text: str) -> list[tuple[str, str | None]]:
    """The calls of the runtime, each with what the mark before it says."""
    module = parse_module(text, "host.mlir")
    parse_pipeline("builtin.module(gpu-to-llvm)").run(module, context())
    locations = Locations()
    mark_locations(module, locations)
    found: list[tuple[str, str | None]] = []
    where: str | None = None
    for op in module.walk():
        if op.name != "llvm.call":
            continue
        callee: Any = op.properties["callee"]
        name = callee.root_reference.data
        if name == "xgpu_at":
            number: Any = op.operands[0].owner
            where = locations[number.properties["value"].value.data]
        else:
            found.append((name, where))
            where = None
    return found


def test_an_annotation_is_the_mark_of_the_next_operation() -> None:
    assert marked(PROGRAM) == [
        ("mgpuStreamSynchronize", "host.mlir:4:3"),
        ("mgpuMemset32", "elsewhere.py:7:3"),
        ("mgpuMemset32", "host.mlir:6:3"),
    ]


def test_what_the_lowering_annotates_is_what_marks_say() -> None:
    text = """
    module attributes {gpu.container_module} {
      func.func @main(%a: memref<4xf32>, %x: f32) {
        %t = gpu.wait async
        %u = gpu.memset async [%t] %a, %x : memref<4xf32>, f32
        gpu.wait [%u]
        return
      }
    }
    """
    module = parse_module(text, "host.mlir")
    pipeline = "builtin.module(gpu-async-to-mgpu{locations=true},gpu-to-llvm)"
    parse_pipeline(pipeline).run(module, context())
    locations = Locations()
    mark_locations(module, locations)
    calls: list[Any] = [op for op in module.walk() if op.name == "llvm.call"]
    assert "mgpuAnnotate" not in {op.properties["callee"].root_reference.data for op in calls}
    assert "host.mlir:5:14" in locations.texts

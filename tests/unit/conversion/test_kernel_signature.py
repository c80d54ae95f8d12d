# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Host and device agree on what the parameters of a kernel are; calls of launches and the table."""

from __future__ import annotations

import pathlib
import re
from typing import Any

import pytest
from xdsl.dialects.builtin import IntegerType, MemRefType, f32, i8, i64

from xgpu.conversion.launch.kernel_signature import Convention, KernelSignature, LaunchCall, Passing
from xgpu.conversion.llvm_types import LLVMTypeConverter
from xgpu.core.passes.pipeline_text import parse_pipeline
from xgpu.core.rewriting.driver import NoMatch
from xgpu.core.support.abi import FUNCTIONS
from xgpu.core.syntax import context, parse_module
from xgpu.dialects.llvm.types import LLVMPointerType

POINTER = LLVMPointerType()
TYPES = LLVMTypeConverter()

PROGRAM = """
gpu.module @m {
  gpu.func @k(%a: memref<4x?xf32>, %n: index, %u: memref<*xf32>, %z: complex<f32>, %b: memref<f32>,
              %v: vector<2x2xf32>) kernel { gpu.return }
}
func.func @main(%a: memref<4x?xf32>, %n: index, %u: memref<*xf32>, %z: complex<f32>,
                %b: memref<f32>, %v: vector<2x2xf32>) {
  gpu.launch_func @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    args(%a : memref<4x?xf32>, %n : index, %u : memref<*xf32>, %z : complex<f32>, %b : memref<f32>,
         %v : vector<2x2xf32>)
  return
}
"""
BARE = """
gpu.module @m { gpu.func @k(%a: memref<4x8xf32>, %n: index) kernel { gpu.return } }
func.func @main(%a: memref<4x8xf32>, %n: index) {
  gpu.launch_func @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    args(%a : memref<4x8xf32>, %n : index)
  return
}
"""


@pytest.mark.parametrize(
    ("text", "device", "host"),
    [
        (PROGRAM, "convert-gpu-to-nvvm", "gpu-to-llvm"),
        (
            BARE,
            "convert-gpu-to-nvvm{use-bare-ptr-memref-call-conv=true}",
            "gpu-to-llvm{use-bare-pointers-for-kernels=true}",
        ),
    ],
)
def test_a_launch_passes_what_the_kernel_takes(text: str, device: str, host: str) -> None:
    module = parse_module(f"module attributes {{gpu.container_module}} {{ {text} }}")
    parse_pipeline(f"builtin.module(gpu.module({device}),{host})").run(module, context())
    ops: dict[str, Any] = {op.name: op for op in module.walk()}
    (kernel,) = (o for o in module.walk() if o.name == "llvm.func" and "gpu.kernel" in o.attributes)
    taken: Any = kernel.properties["function_type"]
    passed = [v.type for v in ops["gpu.launch_func"].kernel_operands]
    assert passed == list(taken.arguments)


def test_the_members_of_a_descriptor() -> None:
    signature = KernelSignature.of(TYPES, [MemRefType(f32, [-1, 4]), i8])
    assert [p.passing for p in signature.parameters] == [Passing.DESCRIPTOR, Passing.VALUE]
    assert signature.types == [POINTER, POINTER, *[i64] * 5, i8]
    assert signature.count == 8
    assert signature.parameters[1].group == i8
    assert signature.parameters[0].group == tuple(signature.types[:7])


def test_sizes_follow_bare_pointers() -> None:
    convention = Convention(bare_pointers=True, sizes=True)
    signature = KernelSignature.of(TYPES, [MemRefType(f32, [4]), MemRefType(i8, [3])], convention)
    assert [p.size for p in signature.parameters] == [16, 3]
    assert signature.types == [POINTER, i64, POINTER, i64]
    assert signature.count == 4


def test_sizes_of_what_has_none() -> None:
    convention = Convention(bare_pointers=True, sizes=True)
    with pytest.raises(NoMatch, match="not a memref\\."):
        KernelSignature.of(TYPES, [i8], convention)
    with pytest.raises(NoMatch, match="one-to-many"):
        KernelSignature.of(TYPES, [i8, MemRefType(f32, [4])], Convention(sizes=True))
    with pytest.raises(NoMatch, match="byte-aligned"):
        KernelSignature.of(TYPES, [MemRefType(IntegerType(4), [2])], convention)


def test_layout() -> None:
    signature = KernelSignature.lowered([i8, POINTER, IntegerType(128), i8])
    layout = signature.layout(parse_module(""))
    assert layout.offsets == (0, 8, 16, 32)
    assert (layout.size, layout.alignment) == (33, 16)


@pytest.mark.parametrize("cluster", [(), ("cx", "cy", "cz")])
def test_calls_of_launches_fit_the_table(cluster: tuple[str, ...]) -> None:
    sizes = [*cluster, "gx", "gy", "gz", "bx", "by", "bz"]
    grid, block = ("gx", "gy", "gz"), ("bx", "by", "bz")
    launch = LaunchCall("f", grid, block, cluster, "shared", "args", 3, 40)
    name, arguments = launch.on_stream("stream", "null", str)
    assert len(arguments) == len(FUNCTIONS[name].parameters)
    assert arguments[: 4 + len(sizes)] == ["f", *sizes, "shared", "stream", "args"]
    name, arguments = launch.as_node(str)
    # The graph, what the node waits for, and how many that are come first.
    assert len(arguments) + 3 == len(FUNCTIONS[name].parameters)
    assert arguments == ["f", *sizes, "shared", "args", "3", "40"]


def test_a_node_gets_new_parameters() -> None:
    launch = LaunchCall("f", ("gx", "gy", "gz"), ("bx", "by", "bz"), (), "shared", "args", 3, 40)
    name, arguments = launch.of_node("graph", "node", str)
    assert len(arguments) == len(FUNCTIONS[name].parameters)
    assert arguments[:3] == ["graph", "node", "f"]


def test_only_the_table_declares_functions_of_the_runtime() -> None:
    root = pathlib.Path(__file__).parents[3] / "xgpu"
    declared = re.compile(r"declare [^\n]*@(\{load\}|\{name\}\(ptr|mgpu)")
    assert [
        str(path.relative_to(root))
        for path in root.rglob("*.py")
        if declared.search(path.read_text())
    ] == []

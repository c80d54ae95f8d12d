# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loads of workgroup memory by some lanes, where the others' places may lie before it: on a page
without access, which costs the processor as much as some hundred instructions."""

from __future__ import annotations

import numpy as np
import pytest

import xgpu
from xgpu.core.ir.construction import nested_operations
from xgpu.host_device.compiler.specialize import KernelSource


def _kernel(index: str, memory: str = "s", condition: str = "sge", steps: str = "") -> str:
    """Threads from 4 on, or all of them, read an element of shared memory, or of `%a`."""
    return f"""
gpu.module @m {{
  llvm.mlir.global internal @room() {{addr_space = 3 : i32}} : !llvm.array<256 x f32>
  llvm.func @k(%a: !llvm.ptr, %n: i32) attributes {{gpu.kernel, nvvm.kernel}} {{
    %tx = nvvm.read.ptx.sreg.tid.x : i32
    %far = llvm.mlir.constant(4 : i32) : i32
    %less = llvm.mlir.constant(-4 : i32) : i32
    %room = llvm.mlir.addressof @room : !llvm.ptr<3>
    %s = llvm.addrspacecast %room : !llvm.ptr<3> to !llvm.ptr
    %own = llvm.getelementptr %a[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %value = llvm.load %own : !llvm.ptr -> f32
    %place = llvm.getelementptr %s[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store %value, %place : f32, !llvm.ptr
    nvvm.barrier
    %is = llvm.icmp "{condition}" %tx, %far : i32
    llvm.cond_br %is, ^read, ^end
  ^read:
    %i = {index}
    %w = llvm.sext %i : i32 to i64
    %p = llvm.getelementptr %{memory}[%w] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    {steps}
    %v = llvm.load %{"q" if steps else "p"} : !llvm.ptr -> f32
    llvm.store %v, %own : f32, !llvm.ptr
    llvm.br ^end
  ^end:
    llvm.return
  }}
}}"""


def _gathers(text: str) -> int:
    module = KernelSource(text).specialized_ir("block-loops", "k", (256, 1, 1))
    return sum(op.name == "llvm.intr.masked.gather" for op in nested_operations(module))


_BACK = "%q = llvm.getelementptr %p[-4] : (!llvm.ptr) -> !llvm.ptr, f32"


@pytest.mark.parametrize(
    ("index", "steps", "count"),
    [
        ("llvm.sub %tx, %far : i32", "", 1), ("llvm.add %tx, %less : i32", "", 1),
        ("llvm.add %tx, %far : i32", _BACK, 1), ("llvm.sub %tx, %n : i32", "", 3),
    ],
    ids=["a constant", "an addition", "an element before", "any number, where it may wrap too"],
)  # fmt: skip
def test_what_may_lie_before(index: str, steps: str, count: int) -> None:
    assert _gathers(_kernel(index, steps=steps)) == count


@pytest.mark.parametrize(
    ("index", "memory"),
    [("llvm.add %tx, %far : i32", "s"), ("llvm.sub %tx, %far : i32", "a")],
    ids=["behind", "global memory"],
)
def test_others(index: str, memory: str) -> None:
    assert _gathers(_kernel(index, memory)) == 0


@pytest.mark.parametrize("size", [256, 2048])
def test_a_scan(size: int) -> None:
    """By sums of pairs: the first threads have no partner. Memory of one page, and of two."""
    a = np.arange(1, size + 1, dtype=np.float32)
    module = xgpu.load(_scan(size), "host")
    module.kernels["k"][1, 256](a)
    expected = np.arange(1, size + 1, dtype=np.float32)
    expected[-256:] = np.cumsum(expected[-256:])
    np.testing.assert_array_equal(a, expected)


def _scan(size: int) -> str:
    steps = "\n".join(
        f"""
      %c{far} = arith.constant {far} : index
      %has{far} = arith.cmpi uge, %t, %c{far} : index
      %other{far} = scf.if %has{far} -> f32 {{
        %from = arith.subi %at, %c{far} : index
        %v = memref.load %s[%from] : memref<{size}xf32, #gpu.address_space<workgroup>>
        scf.yield %v : f32
      }} else {{
        scf.yield %zero : f32
      }}
      %v{2 * far} = arith.addf %v{far}, %other{far} : f32
      gpu.barrier
      memref.store %v{2 * far}, %s[%at] : memref<{size}xf32, #gpu.address_space<workgroup>>
      gpu.barrier"""
        for far in (1, 2, 4, 8, 16, 32, 64, 128)
    )
    return f"""
gpu.module @m {{
  gpu.func @k(%a: memref<{size}xf32>)
      workgroup(%s: memref<{size}xf32, #gpu.address_space<workgroup>>) kernel {{
      %t = gpu.thread_id x
      %base = arith.constant {size - 256} : index
      %zero = arith.constant 0.0 : f32
      %at = arith.addi %t, %base : index
      %v1 = memref.load %a[%at] : memref<{size}xf32>
      memref.store %v1, %s[%at] : memref<{size}xf32, #gpu.address_space<workgroup>>
      gpu.barrier{steps}
      memref.store %v256, %a[%at] : memref<{size}xf32>
      gpu.return
  }}
}}"""

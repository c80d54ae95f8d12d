# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which loads have prefetches before them, and how many."""

from __future__ import annotations

import pytest

from xgpu.core.ir.construction import nested_operations
from xgpu.host_device.compiler.specialize import KernelSource

_SUM = """
    %sum = llvm.fadd %v0, %v1 : f32
    %o = llvm.getelementptr %out[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store %sum, %o : f32, !llvm.ptr
    llvm.return
"""


def _kernel(factor: int, second: int, pointer: str = "a") -> str:
    """Block b reads elements factor * b + t, and those `second` elements further on."""
    return f"""
gpu.module @m {{
  llvm.func @k(%a: !llvm.ptr, %c: !llvm.ptr, %out: !llvm.ptr)
      attributes {{gpu.kernel, nvvm.kernel}} {{
    %tx = nvvm.read.ptx.sreg.tid.x : i32
    %bx = nvvm.read.ptx.sreg.ctaid.x : i32
    %f = llvm.mlir.constant({factor} : i64) : i64
    %wide = llvm.zext %bx : i32 to i64
    %t = llvm.zext %tx : i32 to i64
    %row = llvm.mul %wide, %f : i64
    %at = llvm.add %row, %t : i64
    %p0 = llvm.getelementptr %a[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v0 = llvm.load %p0 : !llvm.ptr -> f32
    %q = llvm.getelementptr %{pointer}[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %p1 = llvm.getelementptr %q[{second}] : (!llvm.ptr) -> !llvm.ptr, f32
    %v1 = llvm.load %p1 : !llvm.ptr -> f32
    {_SUM}
  }}
}}"""


def _count(text: str) -> int:
    """Prefetches of a vector of a block of 256 threads."""
    module = KernelSource(text).specialized_ir("block-loops", "k", (256, 1, 1))
    return sum(op.name == "llvm.intr.prefetch" for op in nested_operations(module))


def test_a_block_that_reads_a_range_in_pieces() -> None:
    """2,048 bytes, of which each of 8 vectors asks for 4 lines."""
    assert _count(_kernel(512, 256)) == 4


@pytest.mark.parametrize(
    ("factor", "second", "pointer"),
    [(256, 256, "a"), (1024, 256, "a"), (512, 256, "c")],
    ids=["ranges that overlap", "ranges with gaps", "two arrays"],
)
def test_other_blocks(factor: int, second: int, pointer: str) -> None:
    assert _count(_kernel(factor, second, pointer)) == 0

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which loads have prefetches before them, and how many."""

from __future__ import annotations

import pytest
from xdsl.ir import Operation

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


def _rows(offsets: str) -> str:
    """A thread reads an array at such offsets from its element: n is the width of a row, 1 and -1
    are elements beside it."""
    loads: list[str] = []
    for i, offset in enumerate(offsets.split()):
        loads.append(f"""
    %i{i} = llvm.add %at, %{offset} : i32
    %w{i} = llvm.sext %i{i} : i32 to i64
    %p{i} = llvm.getelementptr %a[%w{i}] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v{i} = llvm.load %p{i} : !llvm.ptr -> f32
    %s{i + 1} = llvm.fadd %s{i}, %v{i} : f32""")
    return f"""
gpu.module @m {{
  llvm.func @k(%a: !llvm.ptr, %out: !llvm.ptr, %n: i32)
      attributes {{gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 256, 1, 1>}} {{
    %tx = nvvm.read.ptx.sreg.tid.x : i32
    %bx = nvvm.read.ptx.sreg.ctaid.x : i32
    %y = nvvm.read.ptx.sreg.ctaid.y : i32
    %width = llvm.mlir.constant(256 : i32) : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %right = llvm.mlir.constant(1 : i32) : i32
    %left = llvm.mlir.constant(-1 : i32) : i32
    %down = llvm.mlir.constant(4096 : i32) : i32
    %up = llvm.mlir.constant(-4096 : i32) : i32
    %s0 = llvm.mlir.constant(0.0 : f32) : f32
    %n_up = llvm.sub %zero, %n : i32
    %plane = llvm.mul %n, %n : i32
    %plane_up = llvm.sub %zero, %plane : i32
    %b = llvm.mul %bx, %width : i32
    %x = llvm.add %b, %tx : i32
    %row = llvm.mul %y, %n : i32
    %at = llvm.add %row, %x : i32{"".join(loads)}
    %o = llvm.getelementptr %out[%at] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store %s{len(loads)}, %o : f32, !llvm.ptr
    llvm.return
  }}
}}"""


@pytest.mark.parametrize(
    ("offsets", "foremost"),
    [
        ("zero left right n_up n", 4),
        ("zero left right down up", 3),
        ("plane zero n left right plane_up n_up", 0),
        ("zero n_up n", None),
        ("zero left right n", None),
    ],
    ids=["5 points", "rows of a known width", "7 points", "planes of their own", "two rows"],
)
def test_the_foremost_row_of_a_stencil(offsets: str, foremost: int | None) -> None:
    """A vector of it has two lines. One load alone has them before it."""
    module = KernelSource(_rows(offsets)).specialized_ir("block-loops", "k", (256, 1, 1))
    found = [op.name for op in nested_operations(module)]
    loads = [i for i, name in enumerate(found) if name in ("llvm.load", "llvm.intr.masked.load")]
    asked = [i for i, name in enumerate(found) if name == "llvm.intr.prefetch"]
    assert len(asked) == (0 if foremost is None else 2)
    if foremost is not None:
        of_vectors = [i for i in loads if "xf32" in _result(module, i)]
        assert sum(i < asked[0] for i in of_vectors) == foremost


def _result(module: Operation, number: int) -> str:
    op = list(nested_operations(module))[number]
    return str(op.results[0].type)

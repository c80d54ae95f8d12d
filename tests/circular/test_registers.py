# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loads from workgroup memory to registers, ahead of what computes on them."""

from __future__ import annotations

import pytest

import xgpu
from tests.circular.runs import buffered
from tests.support.some_cases import short

_TILE = "memref<16x64xf32, #gpu.address_space<workgroup>>"


def _kernel(out: str, mark: str) -> str:
    return f"""
      gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
          threads(%t, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
          workgroup(%tile : {_TILE}) {{
        %c63 = arith.constant 63 : index
        %f1 = arith.constant 1.0 : f32
        %other = arith.subi %c63, %t : index
        scf.for %r = %c0 to %c16 step %c1 {{
          %row = arith.muli %r, %c64 : index
          %k = arith.addi %row, %t : index
          %v = memref.load %in[%k] : memref<1024xf32>
          memref.store %v, %tile[%r, %t] : {_TILE}
        }}
        gpu.barrier
        %sum:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %f1, %at = %c0)
            -> (f32, index) {{
          %a = memref.load %tile[%i, %other] : {_TILE}
          %b = vector.load %tile[%at, %c0] : {_TILE}, vector<4xf32>
          %b1 = vector.extract %b[1] : f32 from vector<4xf32>
          %p = arith.mulf %acc, %b1 : f32
          %q = arith.addf %p, %a : f32
          %limit = arith.constant 257.0 : f32
          %m = arith.remf %q, %limit : f32
          %half = arith.addi %at, %c3 : index
          %next = arith.remui %half, %c16 : index
          scf.yield %m, %next : f32, index
        }} {mark}
        memref.store %sum#0, {out}[%t] : memref<64xf32>
        gpu.terminator
      }}"""


def _text(stages: int, prefetch: int) -> str:
    mark = f"{{xgpu.circular_buffer = {{stages = {stages}, prefetch = {prefetch}}}}}"
    return f"""
func.func @main() -> i64 {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c12 = arith.constant 12 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %c1024 = arith.constant 1024 : index
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %h = memref.alloc() : memref<1024xf32>
    %x = memref.alloc() : memref<64xf32>
    %y = memref.alloc() : memref<64xf32>
    scf.for %i = %c0 to %c1024 step %c1 {{
      %k = arith.index_cast %i : index to i32
      %f = arith.sitofp %k : i32 to f32
      memref.store %f, %h[%i] : memref<1024xf32>
    }}
    %in = gpu.alloc () : memref<1024xf32>
    %out0 = gpu.alloc () : memref<64xf32>
    %out1 = gpu.alloc () : memref<64xf32>
    gpu.memcpy %in, %h : memref<1024xf32>, memref<1024xf32>
    %bad = scf.for %n = %c0 to %c12 step %c1 iter_args(%b0 = %zero) -> i64 {{
{_kernel("%out0", "")}
{_kernel("%out1", mark)}
      gpu.memcpy %x, %out0 : memref<64xf32>, memref<64xf32>
      gpu.memcpy %y, %out1 : memref<64xf32>, memref<64xf32>
      %b1 = scf.for %i = %c0 to %c64 step %c1 iter_args(%b = %b0) -> i64 {{
        %u = memref.load %x[%i] : memref<64xf32>
        %v = memref.load %y[%i] : memref<64xf32>
        %differ = arith.cmpf une, %u, %v : f32
        %more = arith.select %differ, %one, %zero : i64
        %sum = arith.addi %b, %more : i64
        scf.yield %sum : i64
      }}
      scf.yield %b1 : i64
    }}
    gpu.dealloc %in : memref<1024xf32>
    gpu.dealloc %out0 : memref<64xf32>
    gpu.dealloc %out1 : memref<64xf32>
    memref.dealloc %h : memref<1024xf32>
    memref.dealloc %x : memref<64xf32>
    memref.dealloc %y : memref<64xf32>
    return %bad : i64
}}
"""


@pytest.mark.parametrize(
    ("stages", "prefetch"), short([(2, 1), (2, 0), (3, 2), (4, 2), (5, 4)], (2, 0), (4, 2))
)
def test_loads_run_ahead(stages: int, prefetch: int) -> None:
    module = buffered(_text(stages, prefetch))
    loops = [op for op in module.walk() if op.name == "scf.for"]
    assert len(loops) == (8 if prefetch else 7)
    found = xgpu.sanitize(module)
    assert not found, found.text()
    assert found.value == 0

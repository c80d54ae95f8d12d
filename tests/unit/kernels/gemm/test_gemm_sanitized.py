# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products under the sanitizer: no race, nothing beyond memory, nothing read before it is there."""

from __future__ import annotations

import pytest

import xgpu
from tests.unit.kernels.gemm.test_gemm import WGMMA, built

K = 136


def program(m: int, n: int) -> str:
    """A program that gives how many elements differ from a plain product."""
    return f"""
    func.func @product(%a: memref<{m}x{K}xf16>, %b: memref<{K}x{n}xf16>, %c: memref<{m}x{n}xf32>) {{
      linalg.matmul ins(%a, %b : memref<{m}x{K}xf16>, memref<{K}x{n}xf16>)
          outs(%c : memref<{m}x{n}xf32>)
      return
    }}
    func.func @main() -> i64 {{
      %0 = arith.constant 0 : index
      %1 = arith.constant 1 : index
      %7 = arith.constant 7 : index
      %m = arith.constant {m} : index
      %n = arith.constant {n} : index
      %k = arith.constant {K} : index
      %zero = arith.constant 0.0 : f32
      %none = arith.constant 0 : i64
      %a = memref.alloc() : memref<{m}x{K}xf16>
      %b = memref.alloc() : memref<{K}x{n}xf16>
      %c = memref.alloc() : memref<{m}x{n}xf32>
      scf.for %i = %0 to %m step %1 {{
        scf.for %j = %0 to %k step %1 {{
          %s = arith.addi %i, %j : index
          %r = arith.remui %s, %7 : index
          %w = arith.index_cast %r : index to i32
          %x = arith.sitofp %w : i32 to f16
          memref.store %x, %a[%i, %j] : memref<{m}x{K}xf16>
        }}
      }}
      scf.for %i = %0 to %k step %1 {{
        scf.for %j = %0 to %n step %1 {{
          %s = arith.muli %i, %j : index
          %r = arith.remui %s, %7 : index
          %w = arith.index_cast %r : index to i32
          %x = arith.sitofp %w : i32 to f16
          memref.store %x, %b[%i, %j] : memref<{K}x{n}xf16>
        }}
      }}
      %da = gpu.alloc() : memref<{m}x{K}xf16>
      %db = gpu.alloc() : memref<{K}x{n}xf16>
      %dc = gpu.alloc() : memref<{m}x{n}xf32>
      gpu.memcpy %da, %a : memref<{m}x{K}xf16>, memref<{m}x{K}xf16>
      gpu.memcpy %db, %b : memref<{K}x{n}xf16>, memref<{K}x{n}xf16>
      linalg.fill ins(%zero : f32) outs(%c : memref<{m}x{n}xf32>)
      gpu.memcpy %dc, %c : memref<{m}x{n}xf32>, memref<{m}x{n}xf32>
      func.call @product(%da, %db, %dc) : (memref<{m}x{K}xf16>, memref<{K}x{n}xf16>,
                                           memref<{m}x{n}xf32>) -> ()
      gpu.memcpy %c, %dc : memref<{m}x{n}xf32>, memref<{m}x{n}xf32>
      %bad = scf.for %i = %0 to %m step %1 iter_args(%b0 = %none) -> i64 {{
        %row = scf.for %j = %0 to %n step %1 iter_args(%b1 = %b0) -> i64 {{
          %sum = scf.for %l = %0 to %k step %1 iter_args(%t = %zero) -> f32 {{
            %x = memref.load %a[%i, %l] : memref<{m}x{K}xf16>
            %y = memref.load %b[%l, %j] : memref<{K}x{n}xf16>
            %u = arith.extf %x : f16 to f32
            %v = arith.extf %y : f16 to f32
            %p = arith.mulf %u, %v : f32
            %q = arith.addf %t, %p : f32
            scf.yield %q : f32
          }}
          %is = memref.load %c[%i, %j] : memref<{m}x{n}xf32>
          %ne = arith.cmpf une, %is, %sum : f32
          %one = arith.extui %ne : i1 to i64
          %b2 = arith.addi %b1, %one : i64
          scf.yield %b2 : i64
        }}
        scf.yield %row : i64
      }}
      gpu.dealloc %da : memref<{m}x{K}xf16>
      gpu.dealloc %db : memref<{K}x{n}xf16>
      gpu.dealloc %dc : memref<{m}x{n}xf32>
      memref.dealloc %a : memref<{m}x{K}xf16>
      memref.dealloc %b : memref<{K}x{n}xf16>
      memref.dealloc %c : memref<{m}x{n}xf32>
      return %bad : i64
    }}"""


@pytest.mark.parametrize(
    "options",
    [
        "tile=32,32,16 warps=1,1 stages=3",
        pytest.param(f"{WGMMA} tile=64,64,64 blocks=2 order=swizzled", marks=pytest.mark.long),
        pytest.param(f"{WGMMA} tile=64,64,64 mode=pipelined-mbarrier", marks=pytest.mark.long),
        pytest.param(f"{WGMMA} tile=128,64,64 warps=8,1 blocks=1", marks=pytest.mark.long),
    ],
)
def test_nothing_is_found(options: str) -> None:
    found = xgpu.sanitize(built(program(136, 72), options))
    assert not found, found.text()
    assert found.value == 0


@pytest.mark.long
@pytest.mark.parametrize("mode", ["warp-specialized", "pipelined"])
def test_a_tile_is_stored_beside_the_next_products(mode: str) -> None:
    """A wait for the boxes of a tile stands where they are written again, behind the products of
    the next tile; without it the sanitizer sees them written while they are read."""
    options = f"{WGMMA} tile=64,64,64 blocks=1 order=swizzled store=tma mode={mode}"
    module = built(program(136, 72), options)
    waits = [op for op in module.walk() if op.name == "nvvm.cp.async.bulk.wait_group"]
    stores = [op for op in module.walk() if op.name == "nvgpu.tma.async.store"]
    # Two boxes of 32 columns, each written behind a wait, and one wait behind all tiles.
    assert (len(stores), len(waits)) == (2, 3)
    first = waits[0]
    before: list[str] = []
    while first.prev_op is not None:
        first = first.prev_op
        before.append(first.name)
    assert "scf.for" in before
    found = xgpu.sanitize(module)
    assert not found, found.text()
    assert found.value == 0
    again = built(program(136, 72), options)
    wait = next(op for op in again.walk() if op.name == "nvvm.cp.async.bulk.wait_group")
    wait.detach()
    wait.erase()
    assert xgpu.sanitize(again)

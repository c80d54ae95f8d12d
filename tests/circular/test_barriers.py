# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gpu-eliminate-barriers by buffer schedules: what is left is needed, and enough.

Loops by hand with S buffers, whose copies run P tiles ahead, and a barrier before and behind what
reads: the second one is needed only where the next copy goes to the buffer that is read, P = S - 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import xgpu
from xgpu.core.passes.pipeline_text import parse_pipeline
from xgpu.core.syntax.table_context import context
from xgpu.driver import compiler

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

_THREADS, _TILES = 64, 11


def _program(stages: int, ahead: int) -> str:
    ring = f"memref<{stages}x{_THREADS}xf32, #gpu.address_space<workgroup>>"
    tile = f"memref<{_THREADS}xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>"
    size = _TILES * _THREADS
    return f"""
    func.func @main() -> i64 {{
      %0 = arith.constant 0 : index
      %1 = arith.constant 1 : index
      %p = arith.constant {ahead} : index
      %s = arith.constant {stages} : index
      %n = arith.constant {_TILES} : index
      %w = arith.constant {_THREADS} : index
      %last = arith.constant {_THREADS - 1} : index
      %size = arith.constant {size} : index
      %a = memref.alloc() : memref<{size}xf32>
      %b = memref.alloc() : memref<{size}xf32>
      scf.for %i = %0 to %size step %1 {{
        %j = arith.index_cast %i : index to i32
        %f = arith.sitofp %j : i32 to f32
        memref.store %f, %a[%i] : memref<{size}xf32>
      }}
      %da = gpu.alloc() : memref<{size}xf32>
      %db = gpu.alloc() : memref<{size}xf32>
      gpu.memcpy %da, %a : memref<{size}xf32>, memref<{size}xf32>
      gpu.launch blocks(%x, %y, %z) in (%gx = %1, %gy = %1, %gz = %1)
          threads(%t, %ty, %tz) in (%bx = %w, %by = %1, %bz = %1) workgroup(%ring : {ring}) {{
        scf.for %j = %0 to %p step %1 {{
          %at = arith.muli %j, %w : index
          %from = arith.addi %at, %t : index
          %c = nvgpu.device_async_copy %da[%from], %ring[%j, %t], 1 : memref<{size}xf32> to {ring}
          %g = nvgpu.device_async_create_group %c
        }}
        scf.for %i = %0 to %n step %1 {{
          %next = arith.addi %i, %p : index
          %there = arith.remui %next, %s : index
          %here = arith.remui %i, %s : index
          %tiles = arith.subi %n, %1 : index
          %in = arith.minui %next, %tiles : index
          %at = arith.muli %in, %w : index
          %from = arith.addi %at, %t : index
          %to = memref.subview %ring[%there, 0] [1, {_THREADS}] [1, 1] : {ring} to {tile}
          %c = nvgpu.device_async_copy %da[%from], %to[%t], 1 : memref<{size}xf32> to {tile}
          %g = nvgpu.device_async_create_group %c
          nvgpu.device_async_wait %g {{numGroups = {ahead} : i32}}
          gpu.barrier
          %other = arith.subi %last, %t : index
          %v = memref.load %ring[%here, %other] : {ring}
          %begin = arith.muli %i, %w : index
          %place = arith.addi %begin, %other : index
          memref.store %v, %db[%place] : memref<{size}xf32>
          gpu.barrier
        }}
        gpu.terminator
      }}
      gpu.memcpy %b, %db : memref<{size}xf32>, memref<{size}xf32>
      %none = arith.constant 0 : i64
      %bad = scf.for %i = %0 to %size step %1 iter_args(%sum = %none) -> i64 {{
        %x = memref.load %a[%i] : memref<{size}xf32>
        %y = memref.load %b[%i] : memref<{size}xf32>
        %ne = arith.cmpf une, %x, %y : f32
        %one = arith.extui %ne : i1 to i64
        %more = arith.addi %sum, %one : i64
        scf.yield %more : i64
      }}
      gpu.dealloc %da : memref<{size}xf32>
      gpu.dealloc %db : memref<{size}xf32>
      memref.dealloc %a : memref<{size}xf32>
      memref.dealloc %b : memref<{size}xf32>
      return %bad : i64
    }}"""


def _barriers(module: ModuleOp) -> list[object]:
    return [op for op in module.walk() if op.name == "gpu.barrier"]


@pytest.mark.long
@pytest.mark.parametrize("stages", [2, 3, 4])
def test_what_is_left_is_needed_and_enough(stages: int) -> None:
    for ahead in range(1, stages):
        module = compiler.parse(_program(stages, ahead), "ring.mlir")
        passes = "builtin.module(func.func(gpu-eliminate-barriers{schedule=true}))"
        parse_pipeline(passes).run(module, context())
        assert len(_barriers(module)) == (2 if ahead == stages - 1 else 1)
        findings = xgpu.sanitize(module)
        assert not findings, findings.text()
        assert findings.value == 0


def test_one_more_would_be_a_race() -> None:
    """What the pass keeps in two buffers is missed by the sanitizer's standards, too."""
    text = _program(2, 1).replace(
        "          gpu.barrier\n        }\n        gpu.term", "        }\n        gpu.term"
    )
    module = compiler.parse(text, "ring.mlir")
    assert len(_barriers(module)) == 1
    assert xgpu.sanitize(module)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`cp.async`: what is read before it has come, or written while it comes."""

from __future__ import annotations

from mbarrier_cases import TILE
from planted import Planted

_CP = """
      %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
      %tw = memref.extract_aligned_pointer_as_index %in : memref<256xf32> -> index
      %ti = arith.index_cast %tw : index to i64
      %src0 = llvm.inttoptr %ti : i64 to !llvm.ptr<1>
      %tn = arith.index_cast %t : index to i64
      %own = llvm.getelementptr %tile[%tn] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
      %src = llvm.getelementptr %src0[%tn] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %k = arith.subi %c63, %t : index
      %kn = arith.index_cast %k : index to i64
      %other = llvm.getelementptr %tile[%kn] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
"""
COPIES = [
    Planted(
        "cp_async_without_wait",
        "race",
        _CP
        + """
      nvvm.cp.async.shared.global %own, %src, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1> // SIDE
      nvvm.cp.async.commit.group
      nvvm.cp.async.wait.group 0 // GOOD
      %v = llvm.load %own : !llvm.ptr<3> -> f32 // SIDE
      memref.store %v, %out[%t] : memref<256xf32>
""",
        device=TILE,
    ),
    Planted(
        "cp_async_without_barrier",
        "race",
        _CP
        + """
      nvvm.cp.async.shared.global %own, %src, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1> // SIDE
      nvvm.cp.async.commit.group
      nvvm.cp.async.wait.group 0
      gpu.barrier // GOOD
      %v = llvm.load %other : !llvm.ptr<3> -> f32 // SIDE
      memref.store %v, %out[%t] : memref<256xf32>
""",
        device=TILE,
    ),
    Planted(
        "barrier_before_the_wait",
        "race",
        _CP
        + """
      nvvm.cp.async.shared.global %own, %src, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1> // SIDE
      nvvm.cp.async.commit.group
      nvvm.cp.async.wait.group 0 // GOOD
      gpu.barrier
      nvvm.cp.async.wait.group 0 // BAD
      %v = llvm.load %other : !llvm.ptr<3> -> f32 // SIDE
      memref.store %v, %out[%t] : memref<256xf32>
""",
        device=TILE,
    ),
    Planted(
        "one_group_too_few_waited_for",
        "race",
        _CP
        + """
      nvvm.cp.async.shared.global %own, %src, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1> // SIDE
      nvvm.cp.async.commit.group
      nvvm.cp.async.wait.group 1 // BAD
      nvvm.cp.async.wait.group 0 // GOOD
      %v = llvm.load %own : !llvm.ptr<3> -> f32 // SIDE
      memref.store %v, %out[%t] : memref<256xf32>
""",
        device=TILE,
    ),
    Planted(
        "no_commit",
        "race",
        _CP
        + """
      nvvm.cp.async.shared.global %own, %src, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1> // SIDE
      nvvm.cp.async.commit.group // GOOD
      nvvm.cp.async.wait.group 0
      %v = llvm.load %own : !llvm.ptr<3> -> f32 // SIDE
      memref.store %v, %out[%t] : memref<256xf32>
""",
        device=TILE,
    ),
    Planted(
        "cp_async_overwrites_what_is_read",
        "race",
        _CP
        + """
      llvm.store %f1, %own : f32, !llvm.ptr<3>
      gpu.barrier
      %v = llvm.load %other : !llvm.ptr<3> -> f32 // SIDE
      gpu.barrier // GOOD
      memref.store %v, %out[%t] : memref<256xf32>
      nvvm.cp.async.shared.global %own, %src, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1> // SIDE
      nvvm.cp.async.wait.group 0
""",
        device=TILE,
    ),
    Planted(
        "cp_async_over_the_end",
        "memory",
        _CP
        + """
      %src1 = llvm.getelementptr %src[193] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32 // BAD
      %src1 = llvm.getelementptr %src[192] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32 // GOOD
      nvvm.cp.async.shared.global %own, %src1, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1> // SIDE
      nvvm.cp.async.commit.group
      nvvm.cp.async.wait.group 0
""",
        device=TILE,
    ),
    Planted(
        "cp_async_of_nothing",
        "init",
        _CP
        + """
      %ow = memref.extract_aligned_pointer_as_index %out : memref<256xf32> -> index // BAD
      %ow = memref.extract_aligned_pointer_as_index %in : memref<256xf32> -> index // GOOD
      %oi = arith.index_cast %ow : index to i64
      %src1 = llvm.inttoptr %oi : i64 to !llvm.ptr<1>
      %src2 = llvm.getelementptr %src1[%tn] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      nvvm.cp.async.shared.global %own, %src2, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1> // SIDE
      nvvm.cp.async.commit.group
      nvvm.cp.async.wait.group 0
      %v = llvm.load %own : !llvm.ptr<3> -> f32 // SIDE
      memref.store %v, %in[%t] : memref<256xf32>
""",
        device=TILE,
    ),
]

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mbarriers, and copies that they tell of, used wrongly."""

from __future__ import annotations

from planted import Planted
from sync_cases import BARS, READY

TILE = (
    """llvm.mlir.global external @tile() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<64 x f32>
    """  # noqa: E501
    + BARS
)
_COPY = (
    READY
    + """
      %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
      %tw = memref.extract_aligned_pointer_as_index %in : memref<256xf32> -> index
      %ti = arith.index_cast %tw : index to i64
      %src = llvm.inttoptr %ti : i64 to !llvm.ptr<1>
      %cta = llvm.addrspacecast %tile : !llvm.ptr<3> to !llvm.ptr<7>
      %tn = arith.index_cast %t : index to i64
      %own = llvm.getelementptr %tile[%tn] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
      %bytes = arith.constant 256 : i32
"""
)

MBARRIERS = [
    Planted(
        "no_barrier_behind_init",
        "race",
        READY
        + """
      scf.if %first {
        nvvm.mbarrier.init %bars, %n64 : !llvm.ptr<3>, i32 // SIDE
      }
      gpu.barrier // GOOD
      %s = nvvm.mbarrier.arrive %bars : !llvm.ptr<3> -> i64 // SIDE
      nvvm.mbarrier.try_wait.parity %bars, %i0, %ticks : !llvm.ptr<3>, i32, i32
""",
        device=BARS,
    ),
    Planted(
        "mbarrier_orders_only_who_waits",
        "race",
        READY
        + """
      scf.if %first {
        nvvm.mbarrier.init %bars, %n64 : !llvm.ptr<3>, i32
      }
      gpu.barrier
      %v = memref.load %in[%t] : memref<256xf32>
      memref.store %v, %s[%t] : memref<64xf32, #wg> // SIDE
      %st = nvvm.mbarrier.arrive %bars : !llvm.ptr<3> -> i64
      nvvm.mbarrier.try_wait.parity %bars, %i0, %ticks : !llvm.ptr<3>, i32, i32 // GOOD
      %k = arith.subi %c63, %t : index
      %w = memref.load %s[%k] : memref<64xf32, #wg> // SIDE
      memref.store %w, %out[%t] : memref<256xf32>
""",
        device=BARS,
        workgroup="%s: memref<64xf32, #wg>",
    ),
    Planted(
        "invalidated_while_others_wait",
        "race",
        READY
        + """
      scf.if %first {
        nvvm.mbarrier.init %bars, %n64 : !llvm.ptr<3>, i32
      }
      gpu.barrier
      %st = nvvm.mbarrier.arrive %bars : !llvm.ptr<3> -> i64
      nvvm.mbarrier.try_wait.parity %bars, %i0, %ticks : !llvm.ptr<3>, i32, i32 // SIDE
      gpu.barrier // GOOD
      scf.if %first {
        nvvm.mbarrier.inval %bars : !llvm.ptr<3> // SIDE
      }
""",
        device=BARS,
    ),
    Planted(
        "arrival_behind_invalidation",
        "sync",
        READY
        + """
      scf.if %first {
        nvvm.mbarrier.init %bars, %n64 : !llvm.ptr<3>, i32
        nvvm.mbarrier.inval %bars : !llvm.ptr<3> // SIDE
        nvvm.mbarrier.init %bars, %n64 : !llvm.ptr<3>, i32 // GOOD
      }
      gpu.barrier
      %s = nvvm.mbarrier.arrive %bars : !llvm.ptr<3> -> i64 // SIDE
""",
        device=BARS,
    ),
    Planted(
        "invalidation_of_no_mbarrier",
        "sync",
        READY
        + """
      scf.if %first {
        nvvm.mbarrier.init %bars, %n64 : !llvm.ptr<3>, i32 // GOOD
        nvvm.mbarrier.inval %bars : !llvm.ptr<3> // SIDE
      }
""",
        device=BARS,
    ),
    Planted(
        "bulk_copy_without_wait",
        "race",
        _COPY
        + """
      scf.if %first {
        nvvm.mbarrier.init %bars, %n1 : !llvm.ptr<3>, i32
        nvvm.fence.mbarrier.init
      }
      gpu.barrier
      scf.if %first {
        nvvm.mbarrier.arrive.expect_tx %bars, %bytes : !llvm.ptr<3>, i32
        nvvm.cp.async.bulk.shared.cluster.global %cta, %src, %bars, %bytes : !llvm.ptr<7>, !llvm.ptr<1> // SIDE
      }
      nvvm.mbarrier.try_wait.parity %bars, %i0, %ticks : !llvm.ptr<3>, i32, i32 // GOOD
      %v = llvm.load %own : !llvm.ptr<3> -> f32 // SIDE
      memref.store %v, %out[%t] : memref<256xf32>
""",  # noqa: E501
        device=TILE,
    ),
    Planted(
        "no_fence_behind_init",
        "race",
        _COPY
        + """
      scf.if %first {
        nvvm.mbarrier.init %bars, %n1 : !llvm.ptr<3>, i32 // SIDE
        nvvm.fence.mbarrier.init // GOOD
      }
      gpu.barrier
      scf.if %first {
        nvvm.mbarrier.arrive.expect_tx %bars, %bytes : !llvm.ptr<3>, i32
        nvvm.cp.async.bulk.shared.cluster.global %cta, %src, %bars, %bytes : !llvm.ptr<7>, !llvm.ptr<1> // SIDE
      }
      nvvm.mbarrier.try_wait.parity %bars, %i0, %ticks : !llvm.ptr<3>, i32, i32
      %v = llvm.load %own : !llvm.ptr<3> -> f32
      memref.store %v, %out[%t] : memref<256xf32>
""",  # noqa: E501
        device=TILE,
    ),
    Planted(
        "wait_for_the_wrong_barrier",
        "race",
        _COPY
        + """
      scf.if %first {
        nvvm.mbarrier.init %bars, %n1 : !llvm.ptr<3>, i32
        nvvm.mbarrier.init %bar1, %n64 : !llvm.ptr<3>, i32
        nvvm.fence.mbarrier.init
      }
      gpu.barrier
      %st = nvvm.mbarrier.arrive %bar1 : !llvm.ptr<3> -> i64
      scf.if %first {
        nvvm.mbarrier.arrive.expect_tx %bars, %bytes : !llvm.ptr<3>, i32
        nvvm.cp.async.bulk.shared.cluster.global %cta, %src, %bars, %bytes : !llvm.ptr<7>, !llvm.ptr<1> // SIDE
      }
      nvvm.mbarrier.try_wait.parity %bar1, %i0, %ticks : !llvm.ptr<3>, i32, i32 // BAD
      nvvm.mbarrier.try_wait.parity %bars, %i0, %ticks : !llvm.ptr<3>, i32, i32 // GOOD
      %v = llvm.load %own : !llvm.ptr<3> -> f32 // SIDE
      memref.store %v, %out[%t] : memref<256xf32>
""",  # noqa: E501
        device=TILE,
    ),
    Planted(
        "refill_while_others_read",
        "race",
        _COPY
        + """
      scf.if %first {
        nvvm.mbarrier.init %bars, %n1 : !llvm.ptr<3>, i32
        nvvm.fence.mbarrier.init
      }
      gpu.barrier
      scf.for %round = %c0 to %c4 step %c1 {
        %r = arith.index_cast %round : index to i32
        %parity = arith.andi %r, %i1 : i32
        scf.if %first {
          nvvm.mbarrier.arrive.expect_tx %bars, %bytes : !llvm.ptr<3>, i32
          nvvm.cp.async.bulk.shared.cluster.global %cta, %src, %bars, %bytes : !llvm.ptr<7>, !llvm.ptr<1> // SIDE
        }
        nvvm.mbarrier.try_wait.parity %bars, %parity, %ticks : !llvm.ptr<3>, i32, i32
        %v = llvm.load %own : !llvm.ptr<3> -> f32 // SIDE
        memref.store %v, %out[%t] : memref<256xf32>
        gpu.barrier // GOOD
      }
""",  # noqa: E501
        device=TILE,
        also=("sync",),
    ),
    Planted(
        "bulk_copy_over_the_end",
        "memory",
        _COPY
        + """
      %far = llvm.getelementptr %cta[16] : (!llvm.ptr<7>) -> !llvm.ptr<7>, i8 // BAD
      %far = llvm.getelementptr %cta[0] : (!llvm.ptr<7>) -> !llvm.ptr<7>, i8 // GOOD
      scf.if %first {
        nvvm.mbarrier.init %bars, %n1 : !llvm.ptr<3>, i32
        nvvm.fence.mbarrier.init
      }
      gpu.barrier
      scf.if %first {
        nvvm.mbarrier.arrive.expect_tx %bars, %bytes : !llvm.ptr<3>, i32
        nvvm.cp.async.bulk.shared.cluster.global %far, %src, %bars, %bytes : !llvm.ptr<7>, !llvm.ptr<1> // SIDE
      }
      nvvm.mbarrier.try_wait.parity %bars, %i0, %ticks : !llvm.ptr<3>, i32, i32
      %v = llvm.load %own : !llvm.ptr<3> -> f32 // GOOD
      memref.store %v, %out[%t] : memref<256xf32> // GOOD
""",  # noqa: E501
        device=TILE,
    ),
    Planted(
        "bulk_store_without_fence",
        "race",
        _COPY
        + """
      %f = arith.constant 2.0 : f32
      llvm.store %f, %own : f32, !llvm.ptr<3> // SIDE
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>} // GOOD
      gpu.barrier
      scf.if %first {
        nvvm.cp.async.bulk.global.shared.cta %src, %tile, %bytes : !llvm.ptr<1>, !llvm.ptr<3> // SIDE
        nvvm.cp.async.bulk.commit.group
        nvvm.cp.async.bulk.wait_group 0
      }
""",  # noqa: E501
        device=TILE,
    ),
    Planted(
        "bulk_store_overwritten",
        "race",
        _COPY
        + """
      %f = arith.constant 2.0 : f32
      llvm.store %f, %own : f32, !llvm.ptr<3>
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      gpu.barrier
      scf.if %first {
        nvvm.cp.async.bulk.global.shared.cta %src, %tile, %bytes : !llvm.ptr<1>, !llvm.ptr<3> // SIDE
        nvvm.cp.async.bulk.commit.group
        nvvm.cp.async.bulk.wait_group 0 {read} // GOOD
        llvm.store %f1, %tile : f32, !llvm.ptr<3> // SIDE
      }
""",  # noqa: E501
        device=TILE,
    ),
]

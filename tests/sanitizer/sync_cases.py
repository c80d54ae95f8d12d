# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Barriers and waits that are used wrongly."""

from __future__ import annotations

from planted import Planted

_BAR = "llvm.mlir.global external @bars() {addr_space = 3 : i32, alignment = 16 : i64} : " \
       "!llvm.array<4 x i64>"  # fmt: skip
_PTR = """
      %bars = llvm.mlir.addressof @bars : !llvm.ptr<3>
      %bar1 = llvm.getelementptr %bars[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
      %first = arith.cmpi eq, %t, %c0 : index
"""
_READY = (
    _PTR
    + """
      %n1 = arith.constant 1 : i32
      %n64 = arith.constant 64 : i32
      %ticks = arith.constant 1000 : i32
"""
)

SYNC = [
    Planted(
        "barrier_in_a_branch",
        "sync",
        """
      %is = arith.cmpi ult, %t, %c16 : index // BAD
      %is = arith.cmpi ult, %t, %c64 : index // GOOD
      scf.if %is {
        memref.store %f1, %in[%t] : memref<256xf32>
        gpu.barrier // SIDE
      } else {
        %old = memref.atomic_rmw addi %i1, %n[%c0] : (i32, memref<64xi32>) -> i32
        gpu.barrier // BAD SIDE
      }
""",
    ),
    Planted(
        "half_of_the_block_waits_elsewhere",
        "sync",
        """
      %n64 = arith.constant 64 : i32
      %id = arith.constant 1 : i32
      %is = arith.cmpi ult, %t, %c32 : index // BAD
      %is = arith.cmpi ult, %t, %c64 : index // GOOD
      scf.if %is {
        gpu.barrier // SIDE
      } else {
        %old = memref.atomic_rmw addi %i1, %n[%c0] : (i32, memref<64xi32>) -> i32
        nvvm.barrier id = %id number_of_threads = %n64 // BAD SIDE
      }
""",
    ),
    Planted(
        "barrier_with_too_few",
        "sync",
        """
      %n96 = arith.constant 96 : i32 // BAD
      %n96 = arith.constant 64 : i32 // GOOD
      %id = arith.constant 1 : i32
      nvvm.barrier id = %id number_of_threads = %n96 // SIDE
""",
    ),
    Planted(
        "mbarrier_with_too_few_arrivals",
        "sync",
        _READY
        + """
      %count = arith.constant 65 : i32 // BAD
      %count = arith.constant 64 : i32 // GOOD
      scf.if %first {
        nvvm.mbarrier.init %bars, %count : !llvm.ptr<3>, i32
      }
      gpu.barrier
      %s = nvvm.mbarrier.arrive %bars : !llvm.ptr<3> -> i64
      nvvm.mbarrier.try_wait.parity %bars, %i0, %ticks : !llvm.ptr<3>, i32, i32 // SIDE
""",
        device=_BAR,
    ),
    Planted(
        "wait_for_a_phase_too_far",
        "sync",
        _READY
        + """
      scf.if %first {
        nvvm.mbarrier.init %bars, %n64 : !llvm.ptr<3>, i32
      }
      gpu.barrier
      %s = nvvm.mbarrier.arrive %bars : !llvm.ptr<3> -> i64
      nvvm.mbarrier.try_wait.parity %bars, %i0, %ticks : !llvm.ptr<3>, i32, i32
      %s2 = nvvm.mbarrier.arrive %bars : !llvm.ptr<3> -> i64 // GOOD
      nvvm.mbarrier.try_wait.parity %bars, %i1, %ticks : !llvm.ptr<3>, i32, i32 // SIDE
""",
        device=_BAR,
    ),
    Planted(
        "phase_waited_for_twice",
        "sync",
        _READY
        + """
      scf.if %first {
        nvvm.mbarrier.init %bars, %n64 : !llvm.ptr<3>, i32
      }
      gpu.barrier
      %s = nvvm.mbarrier.arrive %bars : !llvm.ptr<3> -> i64
      nvvm.mbarrier.try_wait.parity %bars, %i0, %ticks : !llvm.ptr<3>, i32, i32
      %s2 = nvvm.mbarrier.arrive %bars : !llvm.ptr<3> -> i64 // GOOD
      nvvm.mbarrier.try_wait.parity %bars, %i0, %ticks : !llvm.ptr<3>, i32, i32 // BAD SIDE
      nvvm.mbarrier.try_wait.parity %bars, %i1, %ticks : !llvm.ptr<3>, i32, i32 // GOOD
""",
        device=_BAR,
    ),
    Planted(
        "arrive_before_init",
        "sync",
        _READY
        + """
      scf.if %first { // GOOD
        nvvm.mbarrier.init %bars, %n64 : !llvm.ptr<3>, i32 // GOOD
      } // GOOD
      gpu.barrier
      %s = nvvm.mbarrier.arrive %bars : !llvm.ptr<3> -> i64 // SIDE
""",
        device=_BAR,
        also=("init",),
    ),
    Planted(
        "expects_bytes_that_never_come",
        "sync",
        _READY
        + """
      %bytes = arith.constant 128 : i32 // BAD
      %bytes = arith.constant 0 : i32 // GOOD
      scf.if %first {
        nvvm.mbarrier.init %bars, %n1 : !llvm.ptr<3>, i32
      }
      gpu.barrier
      scf.if %first {
        nvvm.mbarrier.arrive.expect_tx %bars, %bytes : !llvm.ptr<3>, i32
      }
      nvvm.mbarrier.try_wait.parity %bars, %i0, %ticks : !llvm.ptr<3>, i32, i32 // SIDE
""",
        device=_BAR,
    ),
]

_TILE = (
    """llvm.mlir.global external @tile() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<64 x f32>
    """  # noqa: E501
    + _BAR
)
_COPY = (
    _READY
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
        _READY
        + """
      scf.if %first {
        nvvm.mbarrier.init %bars, %n64 : !llvm.ptr<3>, i32 // SIDE
      }
      gpu.barrier // GOOD
      %s = nvvm.mbarrier.arrive %bars : !llvm.ptr<3> -> i64 // SIDE
      nvvm.mbarrier.try_wait.parity %bars, %i0, %ticks : !llvm.ptr<3>, i32, i32
""",
        device=_BAR,
    ),
    Planted(
        "mbarrier_orders_only_who_waits",
        "race",
        _READY
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
        device=_BAR,
        workgroup="%s: memref<64xf32, #wg>",
    ),
    Planted(
        "invalidated_while_others_wait",
        "race",
        _READY
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
        device=_BAR,
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
        device=_TILE,
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
        device=_TILE,
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
        device=_TILE,
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
        device=_TILE,
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
        device=_TILE,
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
        device=_TILE,
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
        device=_TILE,
    ),
]

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
        device=_TILE,
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
        device=_TILE,
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
        device=_TILE,
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
        device=_TILE,
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
        device=_TILE,
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
        device=_TILE,
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
        device=_TILE,
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
        device=_TILE,
    ),
]

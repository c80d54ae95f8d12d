# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Barriers and waits that are used wrongly."""

from __future__ import annotations

from planted import Planted

BARS = "llvm.mlir.global external @bars() {addr_space = 3 : i32, alignment = 16 : i64} : " \
       "!llvm.array<4 x i64>"  # fmt: skip
_PTR = """
      %bars = llvm.mlir.addressof @bars : !llvm.ptr<3>
      %bar1 = llvm.getelementptr %bars[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
      %first = arith.cmpi eq, %t, %c0 : index
"""
READY = (
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
        READY
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
        device=BARS,
    ),
    Planted(
        "wait_for_a_phase_too_far",
        "sync",
        READY
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
        device=BARS,
    ),
    Planted(
        "phase_waited_for_twice",
        "sync",
        READY
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
        device=BARS,
    ),
    Planted(
        "arrive_before_init",
        "sync",
        READY
        + """
      scf.if %first { // GOOD
        nvvm.mbarrier.init %bars, %n64 : !llvm.ptr<3>, i32 // GOOD
      } // GOOD
      gpu.barrier
      %s = nvvm.mbarrier.arrive %bars : !llvm.ptr<3> -> i64 // SIDE
""",
        device=BARS,
        also=("init",),
    ),
    Planted(
        "expects_bytes_that_never_come",
        "sync",
        READY
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
        device=BARS,
    ),
]

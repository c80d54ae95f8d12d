# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Barriers that some threads leave out, arrivals that come too early, and waits that cannot end."""

from __future__ import annotations

from planted import Planted
from sync_cases import BARS, READY

#: What is written of inline PTX that tests an mbarrier's phase, by its address of 32 bits.
_TEST_IN_PTX = (
    '"{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [$1], $2; selp.u32 $0, 1, 0, p; }", '
    '"=r,r,r" %place, %i0 : (i32, i32) -> i32'
)
_POINTERS = """
      %true = arith.constant true
      %ni = memref.extract_aligned_pointer_as_index %n : memref<64xi32> -> index
      %nn = arith.index_cast %ni : index to i64
      %p = llvm.inttoptr %nn : i64 to !llvm.ptr<1>
      %q = llvm.getelementptr %p[16] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
      %first = arith.cmpi eq, %t, %c0 : index
"""


def _lock(number: int, lock: str, mark: str = "") -> str:
    return f"""
        scf.while : () -> () {{
          %pr{number} = llvm.cmpxchg {lock}, %zero, %one acquire monotonic : !llvm.ptr<1>, i32{mark}
          %got{number} = llvm.extractvalue %pr{number}[1] : !llvm.struct<(i32, i1)>
          %again{number} = arith.xori %got{number}, %true : i1
          scf.condition(%again{number})
        }} do {{
          scf.yield
        }}"""


def _unlock(lock: str) -> str:
    return f"""
        llvm.store %zero, {lock} atomic release {{alignment = 4 : i64}} : i32, !llvm.ptr<1>"""


_SOME = """
      %some = arith.cmpi ult, %t, %c16 : index // BAD
      %some = arith.cmpi ult, %t, %c64 : index // GOOD
"""

WAITING = [
    Planted("barrier_left_out_by_some", "sync", _SOME + """
      memref.store %f1, %in[%t] : memref<256xf32>
      scf.if %some {
        gpu.barrier // SIDE
      }
      memref.store %f0, %out[%t] : memref<256xf32> // SIDE
"""),
    Planted("barrier_left_out_by_a_warp", "sync", """
      %some = arith.cmpi ult, %t, %c32 : index // BAD
      %some = arith.cmpi ult, %t, %c64 : index // GOOD
      scf.if %some {
        gpu.barrier // SIDE
      }
      %old = memref.atomic_rmw addi %i1, %n[%c0] : (i32, memref<64xi32>) -> i32 // SIDE
"""),
    Planted("barrier_left_out_in_a_loop", "sync", _SOME + """
      scf.for %i = %c0 to %c3 step %c1 {
        scf.if %some {
          memref.store %f1, %in[%t] : memref<256xf32>
          gpu.barrier // SIDE
        }
        memref.store %f0, %out[%t] : memref<256xf32> // SIDE
      }
"""),
    Planted("fewer_rounds_with_a_barrier", "sync", """
      %c5 = arith.constant 5 : index
      %some = arith.cmpi ult, %t, %c32 : index // BAD
      %some = arith.cmpi ult, %t, %c64 : index // GOOD
      %rounds = arith.select %some, %c5, %c3 : index
      scf.for %i = %c0 to %rounds step %c1 {
        memref.store %f1, %in[%t] : memref<256xf32>
        gpu.barrier // SIDE
      }
      memref.store %f0, %out[%t] : memref<256xf32> // SIDE
"""),
    Planted("reduction_by_part_of_a_block", "sync", """
      %some = arith.cmpi ult, %t, %c32 : index // BAD
      %some = arith.cmpi ult, %t, %c64 : index // GOOD
      cf.cond_br %some, ^some, ^end
    ^some:
      %v = memref.load %in[%t] : memref<256xf32>
      %sum = gpu.all_reduce add %v uniform {} : (f32) -> f32 // SIDE
      memref.store %sum, %out[%t] : memref<256xf32>
      cf.br ^end
    ^end:
""", also=("init",)),
    Planted("arrival_before_the_write", "race", """
      %id = arith.constant 1 : i32
      %n64 = arith.constant 64 : i32
      %is = arith.cmpi ult, %t, %c32 : index
      %k = arith.subi %c63, %t : index
      scf.if %is {
        nvvm.barrier.arrive id = %id number_of_threads = %n64 // BAD
        memref.store %f1, %s[%t] : memref<64xf32, #wg> // SIDE
        nvvm.barrier.arrive id = %id number_of_threads = %n64 // GOOD
      } else {
        nvvm.barrier id = %id number_of_threads = %n64
        %v = memref.load %s[%k] : memref<64xf32, #wg> // SIDE
        memref.store %v, %out[%t] : memref<256xf32>
      }
""", workgroup="%s : memref<64xf32, #wg>"),
    # The reader has done more before the barrier: a clock of its own says nothing of the writer.
    Planted("arrival_before_the_write_of_a_late_reader", "race", """
      %id = arith.constant 1 : i32
      %n64 = arith.constant 64 : i32
      %is = arith.cmpi ult, %t, %c32 : index
      %k = arith.subi %c63, %t : index
      scf.if %is {
        nvvm.barrier.arrive id = %id number_of_threads = %n64 // BAD
        memref.store %f1, %s[%t] : memref<64xf32, #wg> // SIDE
        nvvm.barrier.arrive id = %id number_of_threads = %n64 // GOOD
      } else {
        nvvm.bar.warp.sync %all : i32
        nvvm.bar.warp.sync %all : i32
        nvvm.bar.warp.sync %all : i32
        nvvm.barrier id = %id number_of_threads = %n64
        %v = memref.load %s[%k] : memref<64xf32, #wg> // SIDE
        memref.store %v, %out[%t] : memref<256xf32>
      }
      gpu.barrier
""", workgroup="%s : memref<64xf32, #wg>"),
    Planted("mbarrier_initialized_again", "sync", READY + """
      scf.if %first {
        nvvm.mbarrier.init %bars, %n64 : !llvm.ptr<3>, i32 // SIDE
      }
      gpu.barrier
      %s = nvvm.mbarrier.arrive %bars : !llvm.ptr<3> -> i64
      nvvm.mbarrier.try_wait.parity %bars, %i0, %ticks : !llvm.ptr<3>, i32, i32
      gpu.barrier
      scf.if %first {
        nvvm.mbarrier.inval %bars : !llvm.ptr<3> // GOOD
        nvvm.mbarrier.init %bars, %n64 : !llvm.ptr<3>, i32 // SIDE
      }
      gpu.barrier
      %s2 = nvvm.mbarrier.arrive %bars : !llvm.ptr<3> -> i64
      nvvm.mbarrier.try_wait.parity %bars, %i0, %ticks : !llvm.ptr<3>, i32, i32
""", device=BARS),
    Planted("mbarrier_initialized_by_all_threads", "sync", READY + """
      nvvm.mbarrier.init %bars, %n64 : !llvm.ptr<3>, i32 // BAD SIDE
      scf.if %first {
        nvvm.mbarrier.init %bars, %n64 : !llvm.ptr<3>, i32 // GOOD
      }
      gpu.barrier
      %s = nvvm.mbarrier.arrive %bars : !llvm.ptr<3> -> i64
      nvvm.mbarrier.try_wait.parity %bars, %i0, %ticks : !llvm.ptr<3>, i32, i32
""", device=BARS, also=("race",)),
    Planted("answer_that_is_not_looked_at", "race", READY + """
      %k = arith.subi %c63, %t : index
      scf.if %first {
        nvvm.mbarrier.init %bars, %n64 : !llvm.ptr<3>, i32
      }
      gpu.barrier
      memref.store %f1, %s[%t] : memref<64xf32, #wg> // SIDE
      %state = nvvm.mbarrier.arrive %bars : !llvm.ptr<3> -> i64
      %over = nvvm.mbarrier.test.wait %bars, %state : !llvm.ptr<3>, i64 -> i1 // BAD
      nvvm.mbarrier.try_wait.parity %bars, %i0, %ticks : !llvm.ptr<3>, i32, i32 // GOOD
      %v = memref.load %s[%k] : memref<64xf32, #wg> // SIDE
      memref.store %v, %out[%t] : memref<256xf32>
""", device=BARS, workgroup="%s : memref<64xf32, #wg>"),
    Planted("poll_in_ptx_of_a_phase_that_lacks_an_arrival", "sync", READY + """
      %count = arith.constant 65 : i32 // BAD
      %count = arith.constant 64 : i32 // GOOD
      scf.if %first {
        nvvm.mbarrier.init %bars, %count : !llvm.ptr<3>, i32
      }
      gpu.barrier
      %state = nvvm.mbarrier.arrive %bars : !llvm.ptr<3> -> i64
      %place = llvm.ptrtoint %bars : !llvm.ptr<3> to i32
      scf.while : () -> () {
        %over = llvm.inline_asm has_side_effects """ + _TEST_IN_PTX + """ // SIDE
        %more = arith.cmpi eq, %over, %i0 : i32
        scf.condition(%more)
      } do {
        scf.yield
      }
""", device=BARS),
    Planted("poll_of_a_phase_that_lacks_an_arrival", "sync", READY + """
      %count = arith.constant 65 : i32 // BAD
      %count = arith.constant 64 : i32 // GOOD
      scf.if %first {
        nvvm.mbarrier.init %bars, %count : !llvm.ptr<3>, i32
      }
      gpu.barrier
      %state = nvvm.mbarrier.arrive %bars : !llvm.ptr<3> -> i64
      %true = arith.constant true
      scf.while : () -> () {
        %over = nvvm.mbarrier.test.wait %bars, %state : !llvm.ptr<3>, i64 -> i1 // SIDE
        %more = arith.xori %over, %true : i1
        scf.condition(%more)
      } do {
        scf.yield
      }
""", device=BARS),
    Planted("ticket_that_is_never_called", "sync", _POINTERS + """
      %from = llvm.getelementptr %p[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
      %step = arith.constant 2 : i32 // BAD
      %step = arith.constant 1 : i32 // GOOD
      scf.if %first {
        %mine = llvm.atomicrmw add %from, %step acq_rel : !llvm.ptr<1>, i32
        %last = scf.while (%ns = %one) : (i32) -> i32 {
          %now = llvm.load %q atomic acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32 // SIDE
          %more = arith.cmpi ne, %now, %mine : i32
          scf.condition(%more) %ns : i32
        } do {
        ^bb0(%ns: i32):
          llvm.call_intrinsic "llvm.nvvm.nanosleep"(%ns) : (i32) -> ()
          %longer = arith.addi %ns, %ns : i32
          scf.yield %longer : i32
        }
        %called = arith.addi %mine, %one : i32
        llvm.store %called, %q atomic release {alignment = 4 : i64} : i32, !llvm.ptr<1>
      }
""", threads=32, blocks=2),
    Planted("lock_that_is_taken_twice", "sync", _POINTERS + """
      %again = llvm.select %true, %p, %p : i1, !llvm.ptr<1> // BAD
      %again = llvm.select %true, %q, %q : i1, !llvm.ptr<1> // GOOD
      scf.if %first {""" + _lock(1, "%p") + _lock(2, "%again", " // SIDE") + _unlock("%again")
      + _unlock("%p") + """
      }
""", threads=32),
    Planted("grid_barrier_that_waits_for_one_more", "sync", _POINTERS + """
      %wanted = arith.constant 5 : i32 // BAD
      %wanted = arith.constant 4 : i32 // GOOD
      scf.if %first {
        %old = llvm.atomicrmw add %p, %one acq_rel : !llvm.ptr<1>, i32
        scf.while : () -> () {
          %seen = llvm.load %p atomic acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32 // SIDE
          %less = arith.cmpi ult, %seen, %wanted : i32
          scf.condition(%less)
        } do {
          scf.yield
        }
      }
      gpu.barrier
""", threads=32, blocks=4),
    Planted("wait_on_a_plain_load", "race", _POINTERS + """
      %b0 = arith.cmpi eq, %b, %c0 : index
      scf.if %b0 {
        llvm.store %one, %p atomic release {alignment = 4 : i64} : i32, !llvm.ptr<1> // SIDE
      } else {
        scf.while : () -> () {
          %f = llvm.load %p : !llvm.ptr<1> -> i32 // BAD SIDE
          %f = llvm.load %p atomic acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32 // GOOD
          %less = arith.cmpi eq, %f, %i0 : i32
          scf.condition(%less)
        } do {
          scf.yield
        }
        memref.store %f1, %out[%c0] : memref<256xf32>
      }
""", threads=1, blocks=2),
]  # fmt: skip

#: Which of two blocks is first to a lock decides: other orders show it.
TWO_LOCKS = Planted("two_locks_in_opposite_order", "sync", _POINTERS + """
      %b0 = arith.cmpi eq, %b, %c0 : index
      %la = llvm.select %b0, %p, %q : i1, !llvm.ptr<1> // BAD
      %lb = llvm.select %b0, %q, %p : i1, !llvm.ptr<1> // BAD
      %la = llvm.select %b0, %p, %p : i1, !llvm.ptr<1> // GOOD
      %lb = llvm.select %b0, %q, %q : i1, !llvm.ptr<1> // GOOD
      scf.if %first {""" + _lock(1, "%la") + _lock(2, "%lb", " // SIDE") + _unlock("%lb")
      + _unlock("%la") + """
      }
""", threads=32, blocks=2)  # fmt: skip

#: What is no mistake: threads that return early, and those that have nothing to do in a branch.
CORRECT = [
    Planted("early_return", "sync", """
      %some = arith.cmpi ult, %t, %c31 : index
      memref.store %f1, %s[%t] : memref<64xf32, #wg>
      cf.cond_br %some, ^some, ^end
    ^some:
      gpu.barrier
      %v = memref.load %s[%t] : memref<64xf32, #wg>
      memref.store %v, %out[%t] : memref<256xf32>
      cf.br ^end
    ^end:
""", workgroup="%s : memref<64xf32, #wg>"),
    Planted("early_return_with_a_word", "sync", """
      %some = arith.cmpi ult, %t, %c31 : index
      scf.if %some {
        memref.store %f1, %in[%t] : memref<256xf32>
        gpu.barrier
        memref.store %f0, %out[%t] : memref<256xf32>
      } else {
        memref.store %f1, %out[%t] : memref<256xf32>
      }
"""),
    Planted("return_in_the_midst_of_rounds", "sync", """
      %c5 = arith.constant 5 : index
      %some = arith.cmpi ult, %t, %c31 : index
      %rounds = arith.select %some, %c5, %c3 : index
      scf.for %i = %c0 to %rounds step %c1 {
        memref.store %f1, %in[%t] : memref<256xf32>
        gpu.barrier
        memref.store %f0, %out[%t] : memref<256xf32>
      }
"""),
]  # fmt: skip

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Races between threads, warps and blocks."""

from __future__ import annotations

from planted import Planted

_S = "%s: memref<64xf32, #wg>"

SHARED = [
    Planted(
        "neighbour_without_barrier",
        "race",
        """
      %v = memref.load %in[%t] : memref<256xf32>
      memref.store %v, %s[%t] : memref<64xf32, #wg> // SIDE
      gpu.barrier // GOOD
      %k = arith.subi %c63, %t : index
      %w = memref.load %s[%k] : memref<64xf32, #wg> // SIDE
      memref.store %w, %out[%t] : memref<256xf32>
""",
        workgroup=_S,
    ),
    Planted(
        "write_after_read",
        "race",
        """
      %v = memref.load %in[%t] : memref<256xf32>
      memref.store %v, %s[%t] : memref<64xf32, #wg>
      gpu.barrier
      %k = arith.subi %c63, %t : index
      %w = memref.load %s[%k] : memref<64xf32, #wg> // SIDE
      gpu.barrier // GOOD
      %x = arith.addf %w, %f1 : f32
      memref.store %x, %s[%t] : memref<64xf32, #wg> // SIDE
""",
        workgroup=_S,
    ),
    Planted(
        "two_write_one_place",
        "race",
        """
      %i = arith.index_cast %t : index to i32
      %x = arith.sitofp %i : i32 to f32
      %k = arith.remui %t, %c32 : index // BAD
      %k = arith.remui %t, %c64 : index // GOOD
      memref.store %x, %s[%k] : memref<64xf32, #wg> // SIDE
""",
        workgroup=_S,
    ),
    Planted(
        "reduction_without_barrier_in_loop",
        "race",
        """
      %v = memref.load %in[%t] : memref<256xf32>
      %i = arith.index_cast %t : index to i32
      %x = arith.sitofp %i : i32 to f32
      memref.store %x, %s[%t] : memref<64xf32, #wg>
      gpu.barrier
      scf.for %step = %c0 to %c4 step %c1 {
        %stride = arith.shrui %c32, %step : index
        %active = arith.cmpi ult, %t, %stride : index
        scf.if %active {
          %o = arith.addi %t, %stride : index
          %p = memref.load %s[%t] : memref<64xf32, #wg>
          %q = memref.load %s[%o] : memref<64xf32, #wg> // SIDE
          %sum = arith.addf %p, %q : f32
          memref.store %sum, %s[%t] : memref<64xf32, #wg> // SIDE
        }
        gpu.barrier // GOOD
      }
""",
        workgroup=_S,
    ),
    Planted(
        "same_warp_no_sync",
        "race",
        """
      %v = memref.load %in[%t] : memref<256xf32>
      memref.store %v, %s[%t] : memref<64xf32, #wg> // SIDE
      nvvm.bar.warp.sync %all : i32 // GOOD
      %k = arith.xori %t, %c1 : index
      %w = memref.load %s[%k] : memref<64xf32, #wg> // SIDE
      memref.store %w, %out[%t] : memref<256xf32>
""",
        workgroup=_S,
        threads=32,
    ),
    Planted(
        "warp_sync_is_not_enough",
        "race",
        """
      %v = memref.load %in[%t] : memref<256xf32>
      memref.store %v, %s[%t] : memref<64xf32, #wg> // SIDE
      nvvm.bar.warp.sync %all : i32 // BAD
      gpu.barrier // GOOD
      %k = arith.subi %c63, %t : index
      %w = memref.load %s[%k] : memref<64xf32, #wg> // SIDE
      memref.store %w, %out[%t] : memref<256xf32>
""",
        workgroup=_S,
    ),
    Planted(
        "shuffle_orders_nothing",
        "race",
        """
      %v = memref.load %in[%t] : memref<256xf32>
      memref.store %v, %s[%t] : memref<64xf32, #wg> // SIDE
      %w, %ok = gpu.shuffle xor %v, %i1, %i32 : f32
      nvvm.bar.warp.sync %all : i32 // GOOD
      %k = arith.xori %t, %c1 : index
      %x = memref.load %s[%k] : memref<64xf32, #wg> // SIDE
      %y = arith.addf %w, %x : f32
      memref.store %y, %out[%t] : memref<256xf32>
""".replace("%v, %i1, %i32", "%v, %i1, %w32").replace(
            "      %v = memref", "      %w32 = arith.constant 32 : i32\n      %v = memref", 1
        ),
        workgroup=_S,
        threads=32,
    ),
    Planted(
        "named_barrier_of_others",
        "race",
        """
      %n64 = arith.constant 64 : i32
      %id1 = arith.constant 1 : i32
      %v = memref.load %in[%t] : memref<256xf32>
      memref.store %v, %s[%t] : memref<64xf32, #wg> // SIDE
      %is = arith.cmpi ult, %t, %c32 : index
      scf.if %is { // BAD
        nvvm.barrier id = %id1 number_of_threads = %w32 // BAD
      } // BAD
      nvvm.barrier id = %id1 number_of_threads = %n64 // GOOD
      %k = arith.subi %c63, %t : index
      %w = memref.load %s[%k] : memref<64xf32, #wg> // SIDE
      memref.store %w, %out[%t] : memref<256xf32>
""".replace("      %n64 =", "      %w32 = arith.constant 32 : i32\n      %n64 =", 1),
        workgroup=_S,
    ),
    Planted(
        "plain_and_atomic",
        "race",
        """
      memref.store %i0, %s[%t] : memref<64xi32, #wg>
      gpu.barrier
      %old = memref.atomic_rmw addi %i1, %s[%c0] : (i32, memref<64xi32, #wg>) -> i32 // SIDE
      gpu.barrier // GOOD
      %v = memref.load %s[%c0] : memref<64xi32, #wg> // SIDE
      memref.store %v, %n[%t] : memref<64xi32>
""",
        workgroup="%s: memref<64xi32, #wg>",
    ),
    Planted(
        "bytes_of_a_word",
        "race",
        """
      %b = arith.trunci %i3 : i32 to i8
      %i = arith.index_cast %t : index to i32
      %x = arith.trunci %i : i32 to i8
      %k = arith.divui %t, %c2 : index // BAD
      %k = arith.addi %t, %c0 : index // GOOD
      memref.store %x, %s[%k] : memref<64xi8, #wg> // SIDE
""".replace("      %b = arith.trunci %i3 : i32 to i8\n", ""),
        workgroup="%s: memref<64xi8, #wg>",
    ),
]

GLOBAL = [
    Planted(
        "blocks_write_one_place",
        "race",
        """
      %i = arith.index_cast %b : index to i32
      %x = arith.sitofp %i : i32 to f32
      %base = arith.muli %b, %c64 : index // GOOD
      %base = arith.muli %b, %c32 : index // BAD
      %k = arith.addi %base, %t : index
      memref.store %x, %out[%k] : memref<256xf32> // SIDE
""",
        blocks=2,
    ),
    Planted(
        "blocks_read_what_others_write",
        "race",
        """
      %base = arith.muli %b, %c64 : index
      %k = arith.addi %base, %t : index
      %i = arith.index_cast %b : index to i32
      %x = arith.sitofp %i : i32 to f32
      memref.store %x, %in[%k] : memref<256xf32> // SIDE
      %v = memref.load %in[%t] : memref<256xf32> // BAD SIDE
      %v = memref.load %in[%k] : memref<256xf32> // GOOD
      memref.store %v, %out[%k] : memref<256xf32>
""",
        blocks=3,
    ),
    Planted(
        "sum_without_atomic",
        "race",
        """
      %old = memref.load %n[%c0] : memref<64xi32> // BAD SIDE
      %new = arith.addi %old, %i1 : i32 // BAD
      memref.store %new, %n[%c0] : memref<64xi32> // BAD SIDE
      %sum = memref.atomic_rmw addi %i1, %n[%c0] : (i32, memref<64xi32>) -> i32 // GOOD
""",
    ),
    Planted(
        "last_block_without_fence",
        "race",
        """
      %first = arith.cmpi eq, %t, %c0 : index
      scf.if %first {
        %i = arith.index_cast %b : index to i32
        %x = arith.sitofp %i : i32 to f32
        memref.store %x, %out[%b] : memref<256xf32> // SIDE
        %pn = memref.extract_aligned_pointer_as_index %n : memref<64xi32> -> index
        %pi = arith.index_cast %pn : index to i64
        %p = llvm.inttoptr %pi : i64 to !llvm.ptr
        %old = llvm.atomicrmw add %p, %one monotonic : !llvm.ptr, i32 // BAD
        %old = llvm.atomicrmw add %p, %one acq_rel : !llvm.ptr, i32 // GOOD
        %last = arith.cmpi eq, %old, %i3 : i32
        scf.if %last {
          %v = memref.load %out[%c0] : memref<256xf32> // SIDE
          memref.store %v, %in[%c0] : memref<256xf32>
        }
      }
""",
        blocks=4,
    ),
    Planted(
        "flag_without_release",
        "race",
        """
      %pn = memref.extract_aligned_pointer_as_index %n : memref<64xi32> -> index
      %pi = arith.index_cast %pn : index to i64
      %p = llvm.inttoptr %pi : i64 to !llvm.ptr
      %first = arith.cmpi eq, %b, %c0 : index
      scf.if %first {
        memref.store %f1, %out[%c0] : memref<256xf32> // SIDE
        llvm.store %one, %p atomic monotonic {alignment = 4 : i64} : i32, !llvm.ptr // BAD
        llvm.store %one, %p atomic release {alignment = 4 : i64} : i32, !llvm.ptr // GOOD
      } else {
        scf.while : () -> () {
          %f = llvm.load %p atomic acquire {alignment = 4 : i64} : !llvm.ptr -> i32
          %again = arith.cmpi eq, %f, %i0 : i32
          scf.condition(%again)
        } do {
          scf.yield
        }
        %v = memref.load %out[%c0] : memref<256xf32> // SIDE
        memref.store %v, %in[%c0] : memref<256xf32>
      }
""",
        blocks=2,
        threads=1,
    ),
    Planted(
        "flag_with_fences",
        "race",
        """
      %pn = memref.extract_aligned_pointer_as_index %n : memref<64xi32> -> index
      %pi = arith.index_cast %pn : index to i64
      %p = llvm.inttoptr %pi : i64 to !llvm.ptr
      %first = arith.cmpi eq, %b, %c0 : index
      scf.if %first {
        memref.store %f1, %out[%c0] : memref<256xf32> // SIDE
        llvm.fence syncscope("device") seq_cst
        llvm.store volatile %one, %p : i32, !llvm.ptr
      } else {
        scf.while : () -> () {
          %f = llvm.load volatile %p : !llvm.ptr -> i32
          %again = arith.cmpi eq, %f, %i0 : i32
          scf.condition(%again)
        } do {
          scf.yield
        }
        llvm.fence syncscope("device") seq_cst // GOOD
        %v = memref.load %out[%c0] : memref<256xf32> // SIDE
        memref.store %v, %in[%c0] : memref<256xf32>
      }
""",
        blocks=2,
        threads=1,
    ),
    Planted(
        "scope_too_narrow",
        "race",
        """
      %pn = memref.extract_aligned_pointer_as_index %n : memref<64xi32> -> index
      %pi = arith.index_cast %pn : index to i64
      %p = llvm.inttoptr %pi : i64 to !llvm.ptr
      %old = llvm.atomicrmw add %p, %one syncscope("block") monotonic : !llvm.ptr, i32 // BAD SIDE
      %old = llvm.atomicrmw add %p, %one syncscope("device") monotonic : !llvm.ptr, i32 // GOOD
""",
        blocks=2,
        threads=1,
    ),
]

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Races in the shapes that kernels have: tiles, sums, scans, histograms, stencils."""

from __future__ import annotations

from planted import Planted

_S = "%s: memref<64xf32, #wg>"
_H = "%h: memref<64xi32, #wg>"
_X = """
      %ti = arith.index_cast %t : index to i32
      %tf = arith.sitofp %ti : i32 to f32
"""

SHAPES = [
    Planted(
        "tile_filled_again_in_a_loop",
        "race",
        _X
        + """
      scf.for %i = %c0 to %c4 step %c1 {
        memref.store %tf, %s[%t] : memref<64xf32, #wg>
        gpu.barrier
        %k = arith.subi %c63, %t : index
        %v = memref.load %s[%k] : memref<64xf32, #wg> // SIDE
        memref.store %v, %out[%t] : memref<256xf32>
        gpu.barrier // GOOD
        %j = arith.index_cast %i : index to i32
        %d = arith.sitofp %j : i32 to f32
        %e = arith.addf %tf, %d : f32
        memref.store %e, %s[%t] : memref<64xf32, #wg> // SIDE
        gpu.barrier
      }
""",
        workgroup=_S,
    ),
    Planted(
        "transposed_tile",
        "race",
        _X
        + """
      %r = arith.divui %t, %c8 : index
      %c = arith.remui %t, %c8 : index
      %a = arith.muli %c, %c8 : index
      %k = arith.addi %a, %r : index
      memref.store %tf, %s[%t] : memref<64xf32, #wg> // SIDE
      gpu.barrier // GOOD
      %v = memref.load %s[%k] : memref<64xf32, #wg> // SIDE
      memref.store %v, %out[%t] : memref<256xf32>
""",
        workgroup=_S,
    ),
    Planted(
        "scan_in_place",
        "race",
        _X
        + """
      memref.store %tf, %s[%t] : memref<64xf32, #wg>
      gpu.barrier
      scf.for %i = %c0 to %c4 step %c1 {
        %d = arith.shli %c1, %i : index
        %has = arith.cmpi uge, %t, %d : index
        %x = scf.if %has -> (f32) {
          %k = arith.subi %t, %d : index
          %l = memref.load %s[%k] : memref<64xf32, #wg> // SIDE
          scf.yield %l : f32
        } else {
          scf.yield %f0 : f32
        }
        gpu.barrier // GOOD
        %own = memref.load %s[%t] : memref<64xf32, #wg>
        %y = arith.addf %own, %x : f32
        memref.store %y, %s[%t] : memref<64xf32, #wg> // SIDE
        gpu.barrier
      }
""",
        workgroup=_S,
    ),
    Planted(
        "histogram_without_atomics",
        "race",
        """
      memref.store %i0, %h[%t] : memref<64xi32, #wg>
      gpu.barrier
      %k = arith.remui %t, %c8 : index
      %old = memref.load %h[%k] : memref<64xi32, #wg> // BAD SIDE
      %new = arith.addi %old, %i1 : i32 // BAD
      memref.store %new, %h[%k] : memref<64xi32, #wg> // BAD SIDE
      %old = memref.atomic_rmw addi %i1, %h[%k] : (i32, memref<64xi32, #wg>) -> i32 // GOOD
""",
        workgroup=_H,
    ),
    Planted(
        "counted_before_all_is_cleared",
        "race",
        """
      memref.store %i0, %h[%t] : memref<64xi32, #wg> // SIDE
      gpu.barrier // GOOD
      %k = arith.remui %t, %c8 : index
      %old = memref.atomic_rmw addi %i1, %h[%k] : (i32, memref<64xi32, #wg>) -> i32 // SIDE
""",
        workgroup=_H,
    ),
    Planted(
        "histogram_read_too_early",
        "race",
        """
      memref.store %i0, %h[%t] : memref<64xi32, #wg>
      gpu.barrier
      %k = arith.remui %t, %c8 : index
      %old = memref.atomic_rmw addi %i1, %h[%k] : (i32, memref<64xi32, #wg>) -> i32 // SIDE
      gpu.barrier // GOOD
      %v = memref.load %h[%t] : memref<64xi32, #wg> // SIDE
      memref.store %v, %n[%t] : memref<64xi32>
""",
        workgroup=_H,
    ),
    Planted(
        "histogram_not_cleared_in_time",
        "race",
        """
      memref.store %i0, %h[%t] : memref<64xi32, #wg> // SIDE
      gpu.barrier // GOOD
      %k = arith.subi %c63, %t : index
      %old = memref.atomic_rmw addi %i1, %h[%k] : (i32, memref<64xi32, #wg>) -> i32 // SIDE
""",
        workgroup=_H,
    ),
    Planted(
        "cleared_by_one_block",
        "race",
        """
      %z = arith.cmpi eq, %b, %c1 : index // BAD
      %z = arith.constant false // GOOD
      %seven = arith.constant 7 : i32
      scf.if %z {
        memref.store %seven, %n[%t] : memref<64xi32> // SIDE
      }
      %old = memref.atomic_rmw addi %i1, %n[%t] : (i32, memref<64xi32>) -> i32 // SIDE
""",
        blocks=2,
    ),
    Planted(
        "stencil_in_place",
        "race",
        _X
        + """
      memref.store %tf, %out[%t] : memref<256xf32>
      gpu.barrier
      %k = arith.addi %t, %c1 : index
      %e = arith.remui %k, %c64 : index
      %v = memref.load %out[%e] : memref<256xf32> // SIDE
      gpu.barrier // GOOD
      memref.store %v, %out[%t] : memref<256xf32> // SIDE
""",
    ),
    Planted(
        "halo_of_another_block",
        "race",
        """
      %r = arith.muli %b, %c64 : index
      %k = arith.addi %r, %t : index
      %ki = arith.index_cast %k : index to i32
      %kf = arith.sitofp %ki : i32 to f32
      %e = arith.addi %k, %c1 : index // BAD
      %e = arith.addi %k, %c0 : index // GOOD
      %v = memref.load %in[%e] : memref<256xf32> // SIDE
      %x = arith.addf %v, %kf : f32
      memref.store %x, %in[%k] : memref<256xf32> // SIDE
""",
        blocks=2,
    ),
    Planted(
        "through_global_in_a_block",
        "race",
        _X
        + """
      memref.store %tf, %out[%t] : memref<256xf32> // SIDE
      gpu.barrier // GOOD
      %k = arith.subi %c63, %t : index
      %v = memref.load %out[%k] : memref<256xf32> // SIDE
      memref.store %v, %in[%t] : memref<256xf32>
""",
    ),
    Planted(
        "partial_sums_read_by_one",
        "race",
        _X
        + """
      memref.store %tf, %s[%t] : memref<64xf32, #wg> // SIDE
      gpu.barrier // GOOD
      %first = arith.cmpi eq, %t, %c0 : index
      scf.if %first {
        %sum = scf.for %i = %c0 to %c64 step %c1 iter_args(%a = %f0) -> (f32) {
          %v = memref.load %s[%i] : memref<64xf32, #wg> // SIDE
          %x = arith.addf %a, %v : f32
          scf.yield %x : f32
        }
        memref.store %sum, %out[%t] : memref<256xf32>
      }
""",
        workgroup=_S,
    ),
    Planted(
        "broadcast_without_barrier",
        "race",
        _X
        + """
      %first = arith.cmpi eq, %t, %c0 : index
      scf.if %first {
        memref.store %f1, %s[%c0] : memref<64xf32, #wg> // SIDE
      }
      gpu.barrier // GOOD
      %v = memref.load %s[%c0] : memref<64xf32, #wg> // SIDE
      memref.store %v, %out[%t] : memref<256xf32>
""",
        workgroup=_S,
        also=("init",),
    ),
    Planted(
        "halves_of_a_word",
        "race",
        _X
        + """
      %w = memref.extract_aligned_pointer_as_index %out : memref<256xf32> -> index
      %m = arith.constant 1 : index // BAD
      %m = arith.constant 2 : index // GOOD
      %o = arith.muli %t, %m : index
      %k = arith.addi %w, %o : index
      %e = arith.andi %t, %c1 : index
      %i = arith.index_cast %k : index to i64
      %p = llvm.inttoptr %i : i64 to !llvm.ptr<1>
      %s16 = arith.trunci %ti : i32 to i16
      llvm.store %s16, %p {alignment = 1 : i64} : i16, !llvm.ptr<1> // SIDE
""",
    ),
    Planted(
        "wide_store_over_a_neighbour",
        "race",
        _X
        + """
      %k = arith.muli %t, %c2 : index // GOOD
      %k = arith.addi %t, %c0 : index // BAD
      %v = vector.broadcast %tf : f32 to vector<2xf32>
      %w = memref.extract_aligned_pointer_as_index %out : memref<256xf32> -> index
      %o = arith.muli %k, %c4 : index
      %a = arith.addi %w, %o : index
      %i = arith.index_cast %a : index to i64
      %p = llvm.inttoptr %i : i64 to !llvm.ptr<1>
      llvm.store %v, %p {alignment = 4 : i64} : vector<2xf32>, !llvm.ptr<1> // SIDE
""",
    ),
    Planted(
        "two_rows_of_threads_one_row_of_memory",
        "race",
        _X
        + """
      %k = arith.divui %t, %c2 : index // BAD
      %k = arith.divui %t, %c1 : index // GOOD
      memref.store %tf, %out[%k] : memref<256xf32> // SIDE
""",
    ),
    Planted(
        "blocks_share_a_row",
        "race",
        """
      %r = arith.muli %b, %c63 : index // BAD
      %r = arith.muli %b, %c64 : index // GOOD
      %k = arith.addi %r, %t : index
      %ki = arith.index_cast %b : index to i32
      %kf = arith.sitofp %ki : i32 to f32
      memref.store %kf, %out[%k] : memref<256xf32> // SIDE
""",
        blocks=3,
    ),
    Planted(
        "read_back_across_a_loop",
        "race",
        _X
        + """
      memref.store %tf, %s[%t] : memref<64xf32, #wg>
      gpu.barrier
      scf.for %i = %c0 to %c4 step %c1 {
        %k = arith.subi %c63, %t : index
        %v = memref.load %s[%k] : memref<64xf32, #wg> // SIDE
        gpu.barrier
        %x = arith.addf %v, %f1 : f32
        memref.store %x, %s[%t] : memref<64xf32, #wg> // SIDE
        gpu.barrier // GOOD
      }
""",
        workgroup=_S,
    ),
    Planted(
        "exchange_and_plain_read",
        "race",
        """
      memref.store %i0, %h[%t] : memref<64xi32, #wg>
      gpu.barrier
      %old = memref.atomic_rmw assign %i3, %h[%c0] : (i32, memref<64xi32, #wg>) -> i32 // SIDE
      gpu.barrier // GOOD
      %v = memref.load %h[%c0] : memref<64xi32, #wg> // SIDE
      memref.store %v, %n[%t] : memref<64xi32>
""",
        workgroup=_H,
    ),
]

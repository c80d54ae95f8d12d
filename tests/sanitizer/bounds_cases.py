# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory that is missed, or that nothing has written, in loops, by vectors, by blocks."""

from __future__ import annotations

from planted import Planted

_S = "%s: memref<64xf32, #wg>"
_P = "%p = memref.alloca() : memref<8xf32, #gpu.address_space<private>>"
_PT = "memref<8xf32, #gpu.address_space<private>>"

BOUNDS = [
    Planted(
        "far_before",
        "memory",
        """
      %m = arith.constant -5 : index // BAD
      %m = arith.constant 5 : index // GOOD
      %k = arith.addi %t, %m : index
      memref.store %f1, %out[%k] : memref<256xf32> // SIDE
""",
    ),
    Planted(
        "vector_store_over_the_end",
        "memory",
        """
      %k = arith.muli %t, %c4 : index
      %o = arith.addi %k, %c2 : index // BAD
      %o = arith.addi %k, %c0 : index // GOOD
      %v = arith.constant dense<1.0> : vector<4xf32>
      vector.store %v, %out[%o] : memref<256xf32>, vector<4xf32> // SIDE
""",
    ),
    Planted(
        "shared_before",
        "memory",
        """
      memref.store %f1, %s[%t] : memref<64xf32, #wg>
      gpu.barrier
      %k = arith.subi %t, %c1 : index // BAD
      %k = arith.subi %t, %t : index // GOOD
      %v = memref.load %s[%k] : memref<64xf32, #wg> // SIDE
      memref.store %v, %out[%t] : memref<256xf32>
""",
        workgroup=_S,
    ),
    Planted(
        "atomic_behind_in_shared",
        "memory",
        """
      %z = memref.atomic_rmw addi %i0, %n[%t] : (i32, memref<64xi32>) -> i32
      memref.store %i0, %h[%t] : memref<64xi32, #wg>
      gpu.barrier
      %k = arith.addi %t, %c1 : index // BAD
      %k = arith.addi %t, %c0 : index // GOOD
      %old = memref.atomic_rmw addi %i1, %h[%k] : (i32, memref<64xi32, #wg>) -> i32 // SIDE
""",
        workgroup="%h: memref<64xi32, #wg>",
    ),
    Planted(
        "grid_too_large",
        "memory",
        """
      %r = arith.muli %b, %c64 : index
      %k = arith.addi %r, %t : index
      %h = arith.constant 256 : index
      %in1 = arith.cmpi ult, %k, %h : index // GOOD
      %in1 = arith.constant true // BAD
      scf.if %in1 {
        memref.store %f1, %out[%k] : memref<256xf32> // SIDE
      }
""",
        blocks=5,
    ),
    Planted(
        "loop_one_too_far",
        "memory",
        """
      %last = arith.constant 257 : index // BAD
      %last = arith.constant 256 : index // GOOD
      %sum = scf.for %i = %c0 to %last step %c1 iter_args(%a = %f0) -> (f32) {
        %v = memref.load %in[%i] : memref<256xf32> // SIDE
        %x = arith.addf %a, %v : f32
        scf.yield %x : f32
      }
      memref.store %sum, %out[%t] : memref<256xf32>
""",
    ),
    Planted(
        "loop_one_too_far_in_shared",
        "memory",
        """
      memref.store %f1, %s[%t] : memref<64xf32, #wg>
      gpu.barrier
      %last = arith.addi %c64, %c1 : index // BAD
      %last = arith.addi %c64, %c0 : index // GOOD
      %sum = scf.for %i = %c0 to %last step %c1 iter_args(%a = %f0) -> (f32) {
        %v = memref.load %s[%i] : memref<64xf32, #wg> // SIDE
        %x = arith.addf %a, %v : f32
        scf.yield %x : f32
      }
      memref.store %sum, %out[%t] : memref<256xf32>
""",
        workgroup=_S,
    ),
    Planted(
        "stride_too_wide",
        "memory",
        """
      %k = arith.muli %t, %c8 : index // BAD
      %k = arith.muli %t, %c4 : index // GOOD
      %v = memref.load %in[%k] : memref<256xf32> // SIDE
      memref.store %v, %out[%t] : memref<256xf32>
""",
    ),
    Planted(
        "reversed_from_the_end",
        "memory",
        """
      %k = arith.subi %c64, %t : index // BAD
      %k = arith.subi %c63, %t : index // GOOD
      %v = memref.load %n[%k] : memref<64xi32> // SIDE
      %x = arith.sitofp %v : i32 to f32
      memref.store %x, %out[%t] : memref<256xf32>
""",
    ),
    Planted(
        "one_thread_of_many",
        "memory",
        """
      %x = arith.cmpi eq, %t, %c31 : index
      %far = arith.constant 300 : index // BAD
      %far = arith.constant 200 : index // GOOD
      %k = arith.select %x, %far, %t : index
      memref.store %f1, %out[%k] : memref<256xf32> // SIDE
""",
    ),
    Planted(
        "misaligned_word",
        "memory",
        """
      %w = memref.extract_aligned_pointer_as_index %out : memref<256xf32> -> index
      %k = arith.muli %t, %c4 : index
      %a = arith.addi %w, %k : index
      %m = arith.addi %a, %c2 : index // BAD
      %m = arith.addi %a, %c0 : index // GOOD
      %i = arith.index_cast %m : index to i64
      %p = llvm.inttoptr %i : i64 to !llvm.ptr<1>
      llvm.store %f1, %p : f32, !llvm.ptr<1> // SIDE
""",
    ),
    Planted(
        "private_before",
        "memory",
        f"""
      {_P}
      scf.for %i = %c0 to %c8 step %c1 {{
        memref.store %f1, %p[%i] : {_PT}
      }}
      %k = arith.subi %c0, %c1 : index // BAD
      %k = arith.subi %c1, %c1 : index // GOOD
      %d = arith.remui %t, %c1 : index
      %j = arith.addi %k, %d : index
      %v = memref.load %p[%j] : {_PT} // SIDE
      memref.store %v, %out[%t] : memref<256xf32>
""",
    ),
]

WRITTEN = [
    Planted(
        "loop_reads_unwritten_shared",
        "init",
        """
      %half = arith.cmpi ult, %t, %c63 : index
      scf.if %half { // BAD
        memref.store %f1, %s[%t] : memref<64xf32, #wg>
      } // BAD
      gpu.barrier
      %sum = scf.for %i = %c0 to %c64 step %c1 iter_args(%a = %f0) -> (f32) {
        %v = memref.load %s[%i] : memref<64xf32, #wg> // SIDE
        %x = arith.addf %a, %v : f32
        scf.yield %x : f32
      }
      memref.store %sum, %out[%t] : memref<256xf32>
""",
        workgroup=_S,
    ),
    Planted(
        "every_second_is_written",
        "init",
        """
      %k = arith.andi %t, %c31 : index
      %d = arith.muli %k, %c2 : index // BAD
      %d = arith.addi %t, %c0 : index // GOOD
      memref.store %f1, %s[%d] : memref<64xf32, #wg>
      gpu.barrier
      %v = memref.load %s[%t] : memref<64xf32, #wg> // SIDE
      memref.store %v, %out[%t] : memref<256xf32>
""",
        workgroup=_S,
    ),
    Planted(
        "the_other_half_of_an_array",
        "init",
        """
      memref.store %f1, %out[%t] : memref<256xf32>
      gpu.barrier
      %k = arith.addi %t, %c64 : index // BAD
      %k = arith.addi %t, %c0 : index // GOOD
      %v = memref.load %out[%k] : memref<256xf32> // SIDE
      memref.store %v, %in[%t] : memref<256xf32>
""",
    ),
    Planted(
        "sum_that_begins_with_nothing",
        "init",
        """
      memref.store %f0, %out[%t] : memref<256xf32> // GOOD
      %v = memref.load %out[%t] : memref<256xf32> // SIDE
      %x = arith.addf %v, %f1 : f32
      memref.store %x, %out[%t] : memref<256xf32>
""",
    ),
    Planted(
        "private_one_unwritten",
        "init",
        f"""
      {_P}
      %last = arith.subi %c8, %c1 : index // BAD
      %last = arith.subi %c8, %c0 : index // GOOD
      scf.for %i = %c0 to %last step %c1 {{
        memref.store %f1, %p[%i] : {_PT}
      }}
      %sum = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %f0) -> (f32) {{
        %v = memref.load %p[%i] : {_PT} // SIDE
        %x = arith.addf %a, %v : f32
        scf.yield %x : f32
      }}
      memref.store %sum, %out[%t] : memref<256xf32>
""",
    ),
    Planted(
        "written_by_the_wrong_side",
        "init",
        """
      %low = arith.cmpi ult, %t, %c32 : index
      scf.if %low {
        memref.store %f1, %s[%t] : memref<64xf32, #wg>
      } else {
        %k = arith.subi %t, %c32 : index // BAD
        %k = arith.subi %t, %c0 : index // GOOD
        memref.store %f1, %s[%k] : memref<64xf32, #wg>
      }
      gpu.barrier
      %v = memref.load %s[%t] : memref<64xf32, #wg> // SIDE
      memref.store %v, %out[%t] : memref<256xf32>
""",
        workgroup=_S,
    ),
]

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mistakes with memory and initialization."""

from __future__ import annotations

from planted import Planted

_S = "%s: memref<64xf32, #wg>"
_SF = "memref<64xf32, #wg>"

MEMORY = [
    Planted(
        "store_one_behind",
        "memory",
        """
      %i = arith.addi %t, %c1 : index // BAD
      %j = arith.muli %t, %c4 : index
      %k = arith.addi %j, %c3 : index
      %l = arith.addi %k, %i : index // BAD
      memref.store %f1, %out[%l] : memref<256xf32> // BAD SIDE
      memref.store %f1, %out[%k] : memref<256xf32> // GOOD
""",
    ),
    Planted(
        "load_one_behind",
        "memory",
        """
      %j = arith.muli %t, %c4 : index
      %k = arith.addi %j, %c4 : index // BAD
      %k = arith.addi %j, %c3 : index // GOOD
      %v = memref.load %in[%k] : memref<256xf32> // SIDE
      memref.store %v, %out[%j] : memref<256xf32>
""",
    ),
    Planted(
        "load_before",
        "memory",
        """
      %k = arith.subi %t, %c1 : index // BAD
      %k = arith.addi %t, %c1 : index // GOOD
      %v = memref.load %in[%k] : memref<256xf32> // SIDE
      memref.store %v, %out[%t] : memref<256xf32>
""",
    ),
    Planted(
        "far_in_other_memory",
        "memory",
        """
      %far = arith.constant 4096 : index // BAD
      %far = arith.constant 64 : index // GOOD
      %k = arith.addi %t, %far : index
      %v = memref.load %in[%k] : memref<256xf32> // SIDE
      memref.store %v, %out[%t] : memref<256xf32>
""",
    ),
    Planted(
        "far_away",
        "memory",
        """
      %far = arith.constant 1000000000000 : index // BAD
      %far = arith.constant 64 : index // GOOD
      %k = arith.addi %t, %far : index
      memref.store %f1, %out[%k] : memref<256xf32> // SIDE
""",
    ),
    Planted(
        "vector_over_the_end",
        "memory",
        """
      %three = arith.muli %t, %c4 : index
      %k = arith.addi %three, %c1 : index // BAD
      %k = arith.addi %three, %c0 : index // GOOD
      %v = vector.load %in[%k] : memref<256xf32>, vector<4xf32> // SIDE
      vector.store %v, %out[%three] : memref<256xf32>, vector<4xf32>
""",
    ),
    Planted(
        "shared_one_behind",
        "memory",
        """
      %k = arith.addi %t, %c1 : index // BAD
      %k = arith.addi %t, %c0 : index // GOOD
      memref.store %f1, %s[%k] : memref<64xf32, #wg> // SIDE
      gpu.barrier
""",
        workgroup=_S,
    ),
    Planted(
        "shared_in_the_neighbour",
        "memory",
        """
      memref.store %f1, %r[%t] : memref<64xf32, #wg>
      gpu.barrier
      %k = arith.addi %t, %c64 : index // BAD
      %k = arith.addi %t, %c0 : index // GOOD
      memref.store %f1, %s[%t] : memref<64xf32, #wg>
      %v = memref.load %s[%k] : memref<64xf32, #wg> // SIDE
      memref.store %v, %out[%t] : memref<256xf32>
""",
        workgroup=_S + ", %r: memref<64xf32, #wg>",
    ),
    Planted(
        "dynamic_shared_too_small",
        "memory",
        """
      %d = gpu.dynamic_shared_memory : memref<?xi8, #wg>
      %v = memref.view %d[%c0][] : memref<?xi8, #wg> to memref<64xf32, #wg>
      %k = arith.addi %t, %c1 : index // BAD
      %k = arith.addi %t, %c0 : index // GOOD
      memref.store %f1, %v[%k] : memref<64xf32, #wg> // SIDE
""",
        dynamic=256,
    ),
    Planted(
        "private_behind",
        "memory",
        """
      %p = memref.alloca() : memref<4xf32, #gpu.address_space<private>>
      memref.store %f1, %p[%c0] : memref<4xf32, #gpu.address_space<private>>
      memref.store %f1, %p[%c1] : memref<4xf32, #gpu.address_space<private>>
      memref.store %f1, %p[%c2] : memref<4xf32, #gpu.address_space<private>>
      memref.store %f1, %p[%c3] : memref<4xf32, #gpu.address_space<private>>
      %r = arith.remui %t, %c4 : index // GOOD
      %r = arith.remui %t, %c8 : index // BAD
      %v = memref.load %p[%r] : memref<4xf32, #gpu.address_space<private>> // SIDE
      memref.store %v, %out[%t] : memref<256xf32>
""",
    ),
    Planted(
        "atomic_behind",
        "memory",
        """
      %k = arith.addi %t, %c1 : index // BAD
      %k = arith.addi %t, %c0 : index // GOOD
      %v = memref.atomic_rmw addi %i1, %n[%k] : (i32, memref<64xi32>) -> i32 // SIDE
""",
    ),
    Planted(
        "byte_behind",
        "memory",
        """
      %p = memref.extract_aligned_pointer_as_index %n : memref<64xi32> -> index
      %q = arith.index_cast %p : index to i64
      %a = llvm.inttoptr %q : i64 to !llvm.ptr
      %k = arith.constant 256 : index // BAD
      %k = arith.constant 255 : index // GOOD
      %l = arith.index_cast %k : index to i64
      %e = llvm.getelementptr %a[%l] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %v = llvm.load %e : !llvm.ptr -> i8 // SIDE
      llvm.store %v, %a : i8, !llvm.ptr
""",
        threads=1,
    ),
    Planted(
        "misaligned_vector",
        "memory",
        """
      %four = arith.muli %t, %c4 : index
      %k = arith.addi %four, %c1 : index // BAD
      %k = arith.addi %four, %c0 : index // GOOD
      %p = memref.extract_aligned_pointer_as_index %in : memref<256xf32> -> index
      %b4 = arith.muli %k, %c4 : index
      %sum = arith.addi %p, %b4 : index
      %q = arith.index_cast %sum : index to i64
      %a = llvm.inttoptr %q : i64 to !llvm.ptr
      %v = llvm.load %a {alignment = 16 : i64} : !llvm.ptr -> vector<4xf32> // SIDE
      %x = llvm.extractelement %v[%zero : i32] : vector<4xf32>
      memref.store %x, %out[%t] : memref<256xf32>
""",
        threads=32,
    ),
]

_PRIVATE = "memref<4xf32, #gpu.address_space<private>>"
INIT = [
    Planted(
        "shared_unwritten",
        "init",
        """
      memref.store %f1, %s[%t] : memref<64xf32, #wg> // GOOD
      gpu.barrier
      %v = memref.load %s[%t] : memref<64xf32, #wg> // SIDE
      memref.store %v, %out[%t] : memref<256xf32>
""",
        workgroup=_S,
    ),
    Planted(
        "shared_half_written",
        "init",
        """
      %h = arith.constant 32 : index // BAD
      %h = arith.constant 64 : index // GOOD
      %is = arith.cmpi ult, %t, %h : index
      scf.if %is {
        memref.store %f1, %s[%t] : memref<64xf32, #wg>
      }
      gpu.barrier
      %k = arith.subi %c63, %t : index
      %v = memref.load %s[%k] : memref<64xf32, #wg> // SIDE
      memref.store %v, %out[%t] : memref<256xf32>
""",
        workgroup=_S,
    ),
    Planted(
        "global_unwritten",
        "init",
        """
      %k = arith.addi %t, %c64 : index
      memref.store %f1, %out[%k] : memref<256xf32>
      %v = memref.load %out[%t] : memref<256xf32> // BAD SIDE
      %v = memref.load %out[%k] : memref<256xf32> // GOOD
      memref.store %v, %in[%t] : memref<256xf32>
""",
    ),
    Planted(
        "private_unwritten",
        "init",
        f"""
      %p = memref.alloca() : {_PRIVATE}
      memref.store %f1, %p[%c0] : {_PRIVATE}
      memref.store %f1, %p[%c1] : {_PRIVATE} // GOOD
      %r = arith.remui %t, %c2 : index
      %v = memref.load %p[%r] : {_PRIVATE} // SIDE
      memref.store %v, %out[%t] : memref<256xf32>
""",
    ),
    Planted(
        "atomic_on_unwritten",
        "init",
        """
      %i = arith.index_cast %t : index to i32
      memref.store %i0, %s[%t] : memref<64xi32, #wg> // GOOD
      gpu.barrier
      %v = memref.load %s[%t] : memref<64xi32, #wg> // SIDE
      memref.store %v, %n[%t] : memref<64xi32>
""",
        workgroup="%s: memref<64xi32, #wg>",
    ),
    Planted(
        "vector_part_unwritten",
        "init",
        """
      %k = arith.muli %t, %c2 : index
      memref.store %f1, %out[%k] : memref<256xf32>
      %k1 = arith.addi %k, %c1 : index
      memref.store %f1, %out[%k1] : memref<256xf32> // GOOD
      %v = vector.load %out[%k] : memref<256xf32>, vector<2xf32> // SIDE
      vector.store %v, %in[%k] : memref<256xf32>, vector<2xf32>
""",
    ),
    Planted(
        "shared_of_the_block_before",
        "init",
        """
      %first = arith.cmpi eq, %b, %c0 : index // BAD
      %first = arith.cmpi ult, %b, %c4 : index // GOOD
      scf.if %first {
        memref.store %f1, %s[%t] : memref<64xf32, #wg>
      }
      gpu.barrier
      %v = memref.load %s[%t] : memref<64xf32, #wg> // SIDE
      %base = arith.muli %b, %c64 : index
      %k = arith.addi %base, %t : index
      memref.store %v, %out[%k] : memref<256xf32>
""",
        workgroup=_S,
        blocks=2,
    ),
]

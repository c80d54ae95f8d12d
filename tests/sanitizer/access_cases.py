# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Atomic operations, matrices of a warp, copies and inline PTX: what they read, how wide they are,
where they begin and end."""

from __future__ import annotations

from mbarrier_cases import TILE
from planted import Planted
from sync_cases import BARS, READY

_HISTOGRAM = "%h: memref<32xi32, #wg>"
_POINTERS = """
      %nw = memref.extract_aligned_pointer_as_index %n : memref<64xi32> -> index
      %ni = arith.index_cast %nw : index to i64
      %np = llvm.inttoptr %ni : i64 to !llvm.ptr<1>
      %ow = memref.extract_aligned_pointer_as_index %out : memref<256xf32> -> index
      %oi = arith.index_cast %ow : index to i64
      %op = llvm.inttoptr %oi : i64 to !llvm.ptr<1>
      %first = arith.cmpi eq, %t, %c0 : index
"""
_TILES = """llvm.mlir.global external @tiles() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<64 x f32>
    llvm.mlir.global external @other() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<256 x f32>"""  # noqa: E501
_FILLED = """
      %tiles = llvm.mlir.addressof @tiles : !llvm.ptr<3>
      %other = llvm.mlir.addressof @other : !llvm.ptr<3>
      %tn = arith.index_cast %t : index to i64
      %own = llvm.getelementptr %tiles[%tn] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
      llvm.store %f1, %own : f32, !llvm.ptr<3>
      scf.for %q = %c0 to %c4 step %c1 {
        %q64 = arith.muli %q, %c64 : index
        %qt = arith.addi %q64, %t : index
        %qn = arith.index_cast %qt : index to i64
        %oq = llvm.getelementptr %other[%qn] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
        llvm.store %f1, %oq : f32, !llvm.ptr<3>
      }
      gpu.barrier
"""
_BYTES = """
      %tiles = llvm.mlir.addressof @tile : !llvm.ptr<3>
      %base = llvm.ptrtoint %tiles : !llvm.ptr<3> to i32
      %tn32 = arith.index_cast %t : index to i32
      %four = arith.constant 4 : i32
      %o32 = arith.muli %tn32, %four : i32
      %a32 = arith.addi %base, %o32 : i32
"""
_HALF = """
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %in = gpu.alloc () : memref<256xf32>
    %out = gpu.alloc () : memref<256xf32>
    %n = gpu.alloc () : memref<64xi32>
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%in : memref<256xf32>, %out : memref<256xf32>, %n : memref<64xi32>)
    %to = memref.alloc() : memref<256xf32>
    %t0 = gpu.wait async
    %t1 = gpu.memcpy async [%t0] %to, %out : memref<256xf32>, memref<256xf32> // SIDE
    gpu.wait [%t1]
    memref.dealloc %to : memref<256xf32>
    gpu.dealloc %in : memref<256xf32>
    gpu.dealloc %out : memref<256xf32>
    gpu.dealloc %n : memref<64xi32>
    return
  }"""

ACCESSES = [
    Planted(
        "histogram_in_shared_is_not_cleared",
        "init",
        """
      %m = arith.remui %t, %c32 : index
      memref.store %i0, %h[%m] : memref<32xi32, #wg> // GOOD
      gpu.barrier
      %old = memref.atomic_rmw addi %i1, %h[%m] : (i32, memref<32xi32, #wg>) -> i32 // SIDE
""",
        workgroup=_HISTOGRAM,
    ),
    Planted(
        "histogram_in_shared_is_cleared_in_part",
        "init",
        """
      %some = arith.cmpi ult, %t, %c31 : index // BAD
      %some = arith.cmpi ult, %t, %c32 : index // GOOD
      scf.if %some {
        memref.store %i0, %h[%t] : memref<32xi32, #wg>
      }
      gpu.barrier
      %m = arith.remui %t, %c32 : index
      %old = memref.atomic_rmw addi %i1, %h[%m] : (i32, memref<32xi32, #wg>) -> i32 // SIDE
""",
        workgroup=_HISTOGRAM,
        kinds=("init",),
    ),
    Planted(
        "sum_of_what_nothing_wrote",
        "init",
        """
      %old = memref.atomic_rmw addf %f1, %out[%c0] : (f32, memref<256xf32>) -> f32 // BAD SIDE
      %old = memref.atomic_rmw addf %f1, %in[%c0] : (f32, memref<256xf32>) -> f32 // GOOD
""",
    ),
    Planted(
        "an_exchange_that_is_looked_at",
        "init",
        _POINTERS
        + """
      scf.if %first {
        %old = llvm.atomicrmw xchg %op, %one monotonic : !llvm.ptr<1>, i32 // SIDE
        %oldf = arith.sitofp %old : i32 to f32 // BAD
        memref.store %oldf, %in[%c0] : memref<256xf32> // BAD
      }
""",
    ),
    Planted(
        "compare_and_swap_of_what_nothing_wrote",
        "init",
        _POINTERS
        + """
      scf.if %first {
        llvm.store %zero, %op : i32, !llvm.ptr<1> // GOOD
        %old = llvm.cmpxchg %op, %zero, %one acq_rel monotonic : !llvm.ptr<1>, i32 // SIDE
      }
""",
    ),
    Planted(
        "ptx_red_of_what_nothing_wrote",
        "init",
        _POINTERS
        + """
      llvm.inline_asm has_side_effects "red.global.add.s32 [$0], $1;", "l,r" %oi, %one : (i64, i32) -> () // BAD SIDE
      llvm.inline_asm has_side_effects "red.global.add.s32 [$0], $1;", "l,r" %ni, %one : (i64, i32) -> () // GOOD
""",  # noqa: E501
    ),
    Planted(
        "ptx_atom_in_shared_of_what_nothing_wrote",
        "init",
        _BYTES
        + """
      llvm.inline_asm has_side_effects "st.shared.u32 [$0], $1;", "r,r" %a32, %zero : (i32, i32) -> () // GOOD
      %old = llvm.inline_asm has_side_effects "atom.shared.add.u32 $0, [$1], $2;", "=r,r,r" %a32, %one : (i32, i32) -> i32 // SIDE
""",  # noqa: E501
        device=TILE,
    ),
    Planted(
        "bulk_reduction_into_what_nothing_wrote",
        "init",
        _BYTES
        + _POINTERS
        + """
      llvm.inline_asm has_side_effects "st.shared.u32 [$0], $1;", "r,r" %a32, %one : (i32, i32) -> ()
      llvm.inline_asm has_side_effects "fence.proxy.async.shared::cta;", "" : () -> ()
      gpu.barrier
      %n256 = arith.constant 256 : i32
      scf.if %first {
        llvm.inline_asm has_side_effects "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 [$0], [$1], $2;", "l,r,r" %oi, %base, %n256 : (i64, i32, i32) -> () // BAD SIDE
        llvm.inline_asm has_side_effects "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 [$0], [$1], $2;", "l,r,r" %ni, %base, %n256 : (i64, i32, i32) -> () // GOOD
        llvm.inline_asm has_side_effects "cp.async.bulk.commit_group;", "" : () -> ()
        llvm.inline_asm has_side_effects "cp.async.bulk.wait_group 0;", "" : () -> ()
      }
""",  # noqa: E501
        device=TILE,
    ),
    Planted(
        "private_of_one_branch",
        "init",
        """
      %l = memref.alloca() : memref<1xf32>
      memref.store %f1, %l[%c0] : memref<1xf32> // GOOD
      %few = arith.cmpi ult, %t, %c31 : index
      scf.if %few {
        memref.store %f0, %l[%c0] : memref<1xf32>
      }
      %v = memref.load %l[%c0] : memref<1xf32> // SIDE
      memref.store %v, %out[%t] : memref<256xf32>
""",
    ),
    Planted(
        "copied_to_the_host_half_written",
        "init",
        """
      %k = arith.muli %t, %c4 : index
      memref.store %f1, %out[%k] : memref<256xf32>
      %k1 = arith.addi %k, %c1 : index
      %k2 = arith.addi %k, %c2 : index // GOOD
      %k3 = arith.addi %k, %c3 : index // GOOD
      memref.store %f1, %out[%k1] : memref<256xf32>
      memref.store %f1, %out[%k2] : memref<256xf32> // GOOD
      memref.store %f1, %out[%k3] : memref<256xf32> // GOOD
""",
        host=_HALF,
    ),
    Planted(
        "atomics_of_two_widths",
        "race",
        _POINTERS
        + """
      %long = arith.constant 1 : i64
      %half = llvm.getelementptr %np[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32 // BAD
      %half = llvm.getelementptr %np[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32 // GOOD
      %mine = arith.cmpi eq, %b, %c0 : index
      scf.if %mine {
        %a = llvm.atomicrmw add %np, %long monotonic : !llvm.ptr<1>, i64 // SIDE
      } else {
        %c = llvm.atomicrmw add %half, %one monotonic : !llvm.ptr<1>, i32 // SIDE
      }
""",
        blocks=2,
    ),
    Planted(
        "atomics_of_two_widths_in_shared",
        "race",
        """
      %tiles = llvm.mlir.addressof @tile : !llvm.ptr<3>
      %tn = arith.index_cast %t : index to i64
      %own = llvm.getelementptr %tiles[%tn] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
      llvm.store %zero, %own : i32, !llvm.ptr<3>
      gpu.barrier
      %long = arith.constant 1 : i64
      %half = llvm.getelementptr %tiles[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32 // BAD
      %half = llvm.getelementptr %tiles[2] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32 // GOOD
      %low = arith.cmpi ult, %t, %c32 : index
      scf.if %low {
        %a = llvm.atomicrmw add %tiles, %long monotonic : !llvm.ptr<3>, i64 // SIDE
      } else {
        %c = llvm.atomicrmw add %half, %one monotonic : !llvm.ptr<3>, i32 // SIDE
      }
""",
        device=TILE,
    ),
    Planted(
        "atomic_of_64_bits_at_a_word",
        "memory",
        _POINTERS
        + """
      %long = arith.constant 1 : i64
      %at = llvm.getelementptr %np[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32 // BAD
      %at = llvm.getelementptr %np[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32 // GOOD
      %a = llvm.atomicrmw add %at, %long monotonic : !llvm.ptr<1>, i64 // SIDE
""",
    ),
    Planted(
        "ldmatrix_of_the_next_variable",
        "memory",
        _FILLED
        + """
      %l16 = arith.constant 16 : i64 // BAD
      %l16 = arith.constant 4 : i64 // GOOD
      %c7n = arith.constant 7 : i64
      %row = arith.andi %tn, %c7n : i64
      %off = arith.muli %row, %l16 : i64
      %at = llvm.getelementptr %tiles[%off] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
      %x = nvvm.ldmatrix %at {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 1 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : (!llvm.ptr<3>) -> i32 // SIDE
""",  # noqa: E501
        device=_TILES,
    ),
    Planted(
        "stmatrix_into_the_next_variable",
        "memory",
        _FILLED
        + """
      %l16 = arith.constant 16 : i64 // BAD
      %l16 = arith.constant 4 : i64 // GOOD
      %c7n = arith.constant 7 : i64
      %row = arith.andi %tn, %c7n : i64
      %off = arith.muli %row, %l16 : i64
      %at = llvm.getelementptr %tiles[%off] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
      %is = arith.cmpi ult, %t, %c32 : index
      scf.if %is {
        %ai = llvm.ptrtoint %at : !llvm.ptr<3> to i32
        llvm.inline_asm has_side_effects "stmatrix.sync.aligned.m8n8.x1.shared.b16 [$0], {$1};", "r,r" %ai, %one : (i32, i32) -> () // SIDE
      }
""",  # noqa: E501
        device=_TILES,
        kinds=("memory",),
    ),
    Planted(
        "bulk_copy_of_an_odd_size",
        "memory",
        READY
        + _POINTERS.replace("%first = arith", "%lead = arith")
        + """
      %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
      %cta = llvm.addrspacecast %tile : !llvm.ptr<3> to !llvm.ptr<7>
      %iw = memref.extract_aligned_pointer_as_index %in : memref<256xf32> -> index
      %ii = arith.index_cast %iw : index to i64
      %src = llvm.inttoptr %ii : i64 to !llvm.ptr<1>
      %bytes = arith.constant 248 : i32 // BAD
      %bytes = arith.constant 256 : i32 // GOOD
      scf.if %first {
        nvvm.mbarrier.init %bars, %n1 : !llvm.ptr<3>, i32
        nvvm.fence.mbarrier.init
        nvvm.mbarrier.arrive.expect_tx %bars, %bytes : !llvm.ptr<3>, i32
        nvvm.cp.async.bulk.shared.cluster.global %cta, %src, %bars, %bytes : !llvm.ptr<7>, !llvm.ptr<1> // SIDE
      }
      gpu.barrier
      nvvm.mbarrier.try_wait.parity %bars, %i0, %ticks : !llvm.ptr<3>, i32, i32
""",  # noqa: E501
        device=TILE,
    ),
    Planted(
        "ptx_store_behind_the_last_variable",
        "memory",
        _BYTES
        + """
      %more = arith.constant 4 : i32 // BAD
      %more = arith.constant 0 : i32 // GOOD
      %at = arith.addi %a32, %more : i32
      llvm.inline_asm has_side_effects "st.shared.u32 [$0], $1;", "r,r" %at, %one : (i32, i32) -> () // SIDE
""",  # noqa: E501
        device="llvm.mlir.global external @tile() {addr_space = 3 : i32, alignment = 128 : i64} : "
        "!llvm.array<64 x f32>",
    ),
    Planted(
        "store_to_a_constant",
        "memory",
        """
      %table = memref.get_global @table : memref<64xf32>
      %v = memref.load %table[%t] : memref<64xf32>
      memref.store %v, %out[%t] : memref<256xf32>
      memref.store %f1, %table[%t] : memref<64xf32> // BAD SIDE
""",
        device="memref.global constant @table : memref<64xf32> = dense<2.0>",
    ),
    Planted(
        "mapa_beyond_the_cluster",
        "memory",
        """
      %tiles = llvm.mlir.addressof @tile : !llvm.ptr<3>
      %rank = arith.constant 2 : i32 // BAD
      %rank = arith.constant 1 : i32 // GOOD
      %far = nvvm.mapa %tiles, %rank : !llvm.ptr<3> -> !llvm.ptr<7> // SIDE
""",
        device=TILE,
        blocks=2,
        cluster=2,
    ),
    Planted(
        "ptx_mbarrier_by_a_register",
        "race",
        READY
        + """
      %bar = llvm.ptrtoint %bars : !llvm.ptr<3> to i32
      scf.if %first {
        llvm.inline_asm has_side_effects "mbarrier.init.shared::cta.b64 [$0], $1;", "r,r" %bar, %n64 : (i32, i32) -> ()
      }
      gpu.barrier
      memref.store %f1, %s[%t] : memref<64xf32, #wg> // SIDE
      llvm.inline_asm has_side_effects "mbarrier.arrive.shared::cta.b64 _, [$0];", "r" %bar : (i32) -> ()
      llvm.inline_asm has_side_effects "{\\0A.reg .pred P1;\\0ALAB_WAIT:\\0Ambarrier.try_wait.parity.shared::cta.b64 P1, [$0], $1;\\0A@P1 bra DONE;\\0Abra LAB_WAIT;\\0ADONE:\\0A}", "r,r" %bar, %i0 : (i32, i32) -> () // GOOD
      %k = arith.subi %c63, %t : index
      %w = memref.load %s[%k] : memref<64xf32, #wg> // SIDE
      memref.store %w, %out[%t] : memref<256xf32>
      gpu.barrier
      scf.if %first {
        llvm.inline_asm has_side_effects "mbarrier.inval.shared::cta.b64 [$0];", "r" %bar : (i32) -> ()
      }
""",  # noqa: E501
        device=BARS,
        workgroup="%s: memref<64xf32, #wg>",
    ),
]

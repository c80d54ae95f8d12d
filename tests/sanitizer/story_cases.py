# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Defects of hand-written double-buffered copies: docs/concepts/circular-buffering.md.

Two stages of 64 numbers; thread 0 asks for the copies, all threads wait for them and use them.
"""

from __future__ import annotations

from planted import Planted

_MEMORY = """llvm.mlir.global external @tiles() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<128 x f32>
    llvm.mlir.global external @bars() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<4 x i64>
    llvm.mlir.global external @tokens() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<4 x i64>"""  # noqa: E501
_SETUP = """
      %n1 = arith.constant 1 : i32
      %ticks = arith.constant 1000 : i32
      %bytes = arith.constant 256 : i32
      %first = arith.cmpi eq, %t, %c0 : index
      %tn = arith.index_cast %t : index to i64
      %bars = llvm.mlir.addressof @bars : !llvm.ptr<3>
      %tokens = llvm.mlir.addressof @tokens : !llvm.ptr<3>
      %tiles = llvm.mlir.addressof @tiles : !llvm.ptr<3>
      %bar1 = llvm.getelementptr %bars[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
      %pi = memref.extract_aligned_pointer_as_index %in : memref<256xf32> -> index
      %pn = arith.index_cast %pi : index to i64
      %src = llvm.inttoptr %pn : i64 to !llvm.ptr<1>
      scf.if %first {
        nvvm.mbarrier.init %bars, %n1 : !llvm.ptr<3>, i32
        nvvm.mbarrier.init %bar1, %n1 : !llvm.ptr<3>, i32
        nvvm.fence.mbarrier.init
      }
      gpu.barrier
"""
_STAGE = """
        %s = arith.remui %i, %c2 : index
        %sn = arith.index_cast %s : index to i64
        %bar = llvm.getelementptr %bars[%sn] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
        %token = llvm.getelementptr %tokens[%sn] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
        %s64 = arith.muli %s, %c64 : index
        %o = arith.index_cast %s64 : index to i64
        %tile = llvm.getelementptr %tiles[%o] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
        %cta = llvm.addrspacecast %tile : !llvm.ptr<3> to !llvm.ptr<7>
        %own = llvm.getelementptr %tile[%tn] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
        %half = arith.divui %i, %c2 : index
        %h = arith.index_cast %half : index to i32
        %parity = arith.andi %h, %i1 : i32
"""
_COPY = """
          nvvm.cp.async.bulk.shared.cluster.global %cta, %src, %bar, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
"""  # noqa: E501
_FILL = (
    """
        scf.if %first {
          nvvm.mbarrier.arrive.expect_tx %bar, %bytes : !llvm.ptr<3>, i32
"""
    + _COPY
    + """
        }
"""
)
_WAIT = """
        nvvm.mbarrier.try_wait.parity %bar, %parity, %ticks : !llvm.ptr<3>, i32, i32
"""
_USE = """
        %v = llvm.load %own : !llvm.ptr<3> -> f32
        memref.store %v, %out[%t] : memref<256xf32>
"""

STORY = [
    # D1: the state of the arrival goes to the other threads through memory that nothing orders.
    Planted(
        "token_in_shared_memory",
        "race",
        _SETUP
        + """
      scf.for %i = %c0 to %c4 step %c1 {
"""
        + _STAGE
        + """
        scf.if %first {
          nvvm.mbarrier.expect_tx %bar, %bytes : !llvm.ptr<3>, i32
"""
        + _COPY
        + """
          %state = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
          llvm.store %state, %token : i64, !llvm.ptr<3> // SIDE
        }
        gpu.barrier // GOOD
        %given = llvm.load %token : !llvm.ptr<3> -> i64 // SIDE
        scf.while : () -> () {
          %over = nvvm.mbarrier.test.wait %bar, %given : !llvm.ptr<3>, i64 -> i1
          %again = arith.xori %over, %true : i1
          scf.condition(%again)
        } do {
          scf.yield
        }
""".replace("        scf.while", "        %true = arith.constant true\n        scf.while", 1)
        + _USE
        + """
        gpu.barrier
      }
""",
        device=_MEMORY,
        also=("sync",),
    ),
    # D2: a stage is filled again while slower warps still read it.
    Planted(
        "stage_filled_again_too_early",
        "race",
        _SETUP
        + """
      scf.for %i = %c0 to %c8 step %c1 {
"""
        + _STAGE
        + _FILL.replace("!llvm.ptr<1>\n", "!llvm.ptr<1> // SIDE\n")
        + _WAIT
        + _USE.replace("-> f32\n", "-> f32 // SIDE\n")
        + """
        gpu.barrier // GOOD
      }
""",
        device=_MEMORY,
        also=("sync",),
    ),
    # D4: the epilogue begins one iteration early, and waits for a phase that was waited for.
    Planted(
        "iteration_done_twice",
        "sync",
        _SETUP
        + """
      scf.for %i = %c0 to %c4 step %c1 {
"""
        + _STAGE
        + _FILL
        + _WAIT
        + _USE
        + """
        gpu.barrier
      }
      %from = arith.constant 3 : index // BAD
      %from = arith.constant 4 : index // GOOD
      scf.for %i = %from to %c4 step %c1 {
"""
        + _STAGE
        + _WAIT.replace("i32, i32\n", "i32, i32 // BAD SIDE\n")
        + _USE
        + """
      }
""",
        device=_MEMORY,
    ),
    # D5: with one iteration the epilogue begins at -1.
    Planted(
        "epilogue_from_minus_one",
        "memory",
        _SETUP
        + """
      %minus = arith.constant -1 : index // BAD
      %minus = arith.constant 0 : index // GOOD
      scf.for %i = %minus to %c1 step %c1 {
        %base = arith.muli %i, %c64 : index
        %k = arith.addi %base, %t : index
        %v = memref.load %in[%k] : memref<256xf32> // SIDE
        memref.store %v, %out[%t] : memref<256xf32>
      }
""",
        device=_MEMORY,
    ),
    # D6: barriers are invalidated while other warps still wait at them.
    Planted(
        "invalidated_too_early",
        "race",
        _SETUP
        + """
      scf.for %i = %c0 to %c2 step %c1 {
"""
        + _STAGE
        + _FILL
        + _WAIT.replace("i32, i32\n", "i32, i32 // SIDE\n")
        + _USE
        + """
      }
      gpu.barrier // GOOD
      scf.if %first {
        nvvm.mbarrier.inval %bars : !llvm.ptr<3> // SIDE
        nvvm.mbarrier.inval %bar1 : !llvm.ptr<3>
      }
""",
        device=_MEMORY,
    ),
    # D7: no fence between the initialization and the first copy.
    Planted(
        "no_fence_before_the_first_copy",
        "race",
        _SETUP.replace("nvvm.fence.mbarrier.init", "nvvm.fence.mbarrier.init // GOOD").replace(
            "init %bars, %n1 : !llvm.ptr<3>, i32", "init %bars, %n1 : !llvm.ptr<3>, i32 // SIDE"
        )
        + """
      scf.for %i = %c0 to %c2 step %c1 {
"""
        + _STAGE
        + _FILL.replace("!llvm.ptr<1>\n", "!llvm.ptr<1> // SIDE\n")
        + _WAIT
        + _USE
        + """
      }
""",
        device=_MEMORY,
    ),
    # MLIR's tutorial: no barrier between the initialization and the other threads.
    Planted(
        "no_barrier_after_the_initialization",
        "race",
        _SETUP.replace("      gpu.barrier\n", "      gpu.barrier // GOOD\n").replace(
            "init %bars, %n1 : !llvm.ptr<3>, i32", "init %bars, %n1 : !llvm.ptr<3>, i32 // SIDE"
        )
        + """
      scf.for %i = %c0 to %c2 step %c1 {
"""
        + _STAGE
        + _FILL
        + _WAIT.replace("i32, i32\n", "i32, i32 // SIDE\n")
        + _USE
        + """
      }
""",
        device=_MEMORY,
        also=("sync",),
    ),
]

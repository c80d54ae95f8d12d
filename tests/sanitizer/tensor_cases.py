# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensor memory, tcgen05's products, and matrices that inline PTX moves."""

from __future__ import annotations

from product_cases import product_setup

from tests.support.planted import Planted

_SLOT = """llvm.mlir.global external @slot() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<4 x i32>
    llvm.mlir.global external @ab() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<2304 x i8>
    llvm.mlir.global external @bar() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<1 x i64>"""  # noqa: E501
_ALLOCATED = """
      %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
      %w = arith.shrui %t, %c5 : index
      %is_first = arith.cmpi eq, %w, %c0 : index
      %columns = arith.constant 32 : i32
      scf.if %is_first {
        nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
      }
"""
_FOUND = """
      %ta = llvm.load %slot : !llvm.ptr<3> -> i32
      %tm = llvm.inttoptr %ta : i32 to !llvm.ptr<6>
      %values = llvm.mlir.constant(dense<7> : vector<4xi32>) : vector<4xi32>
"""
_STORED = """
      nvvm.tcgen05.st %tm, %values {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<4xi32>
      nvvm.tcgen05.wait #nvvm.tcgen05_wait<store>
"""
_LOADED = """
      %r = nvvm.tcgen05.ld %tm {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<4xi32>
      nvvm.tcgen05.wait #nvvm.tcgen05_wait<load>
      %last = llvm.extractelement %r[%i3 : i32] : vector<4xi32>
      %rf = arith.bitcast %last : i32 to f32
      memref.store %rf, %out[%t] : memref<256xf32>
"""
_RELEASED = """
      gpu.barrier
      scf.if %is_first {
        nvvm.tcgen05.dealloc %tm, %columns : !llvm.ptr<6>, i32
      }
"""
_BARRIER = "\n      gpu.barrier\n"
_PRODUCT = """
      %instruction = llvm.mlir.constant(67239952 : i32) : i32
      %fixed = llvm.mlir.constant(70368744177664 : i64) : i64
      %a5 = llvm.or %a_desc, %fixed : i64
      %b5 = llvm.or %b_desc, %fixed : i64
      %no = llvm.mlir.constant(false) : i1
      %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
      %ticks = arith.constant 1000 : i32
      %leads = arith.cmpi eq, %t, %c0 : index
      scf.if %leads {
        nvvm.mbarrier.init %bar, %i1 : !llvm.ptr<3>, i32
      }
      gpu.barrier
      scf.if %leads {
        nvvm.tcgen05.mma %tm, %a5, %b5, %instruction, %no {ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, i64, i64, i32, i1)
        nvvm.tcgen05.commit %bar : !llvm.ptr<3>
      }
"""  # noqa: E501
#: With sparse A, whose metadata are in columns of their own. All pieces of B's rows are the same.
_METADATA = """
      %c16i = arith.constant 16 : i32
      %md = llvm.add %ta, %c16i : i32
      %meta = llvm.inttoptr %md : i32 to !llvm.ptr<6>
"""
_STORE_METADATA = _STORED.replace("%tm", "%meta")
_SPARSE = (
    _PRODUCT.replace("67239952", "67239956").replace("llvm.or %b_desc", "llvm.or %fb")
    .replace("tcgen05.mma %tm", "tcgen05.mma.sp %tm").replace("%no {", "%no, %meta {")
    .replace("i32, i1)", "i32, i1, !llvm.ptr<6>)")
)  # fmt: skip
_WAITED = """
      nvvm.mbarrier.try_wait.parity %bar, %i0, %ticks : !llvm.ptr<3>, i32, i32
"""


def _side(text: str, word: str, mark: str = "SIDE") -> str:
    """Marks the lines with a word."""
    return "\n".join(f"{x} // {mark}" if word in x else x for x in text.split("\n"))


def _case(name: str, kind: str, body: str, threads: int = 32) -> Planted:
    five = "      %c5 = arith.constant 5 : index\n"
    return Planted(name, kind, five + body, device=_SLOT, threads=threads)


def _product(name: str, kind: str, body: str) -> Planted:
    setup = product_setup() + _ALLOCATED + _BARRIER + _FOUND + _STORED
    return _case(name, kind, setup + body, threads=128)


_FILL = """
      llvm.store %ones, %own : vector<8xf16>, !llvm.ptr<3>
      scf.if %is_few {
        llvm.store %ones, %ownb : vector<8xf16>, !llvm.ptr<3>
      }
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
"""
_AGAIN = """
      %twos = llvm.mlir.constant(dense<2.0> : vector<8xf16>) : vector<8xf16>
      llvm.store %twos, %own : vector<8xf16>, !llvm.ptr<3> // SIDE
"""

_MATRIX = """
      %s = llvm.mlir.addressof @ab : !llvm.ptr<3>
      %tn = arith.index_cast %t : index to i64
      %n16 = llvm.mlir.constant(16 : i64) : i64
      %row = llvm.mul %tn, %n16 : i64
      %mine = llvm.getelementptr %s[%row] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i8
      %one64 = llvm.mlir.constant(1 : i64) : i64
      %peer = llvm.xor %tn, %one64 : i64
      %there = llvm.mul %peer, %n16 : i64
      %other = llvm.getelementptr %s[%there] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i8
      %sn = llvm.ptrtoint %other : !llvm.ptr<3> to i32
      %ones = llvm.mlir.constant(dense<1.0> : vector<8xf16>) : vector<8xf16>
"""
_WRITE = "      llvm.store %ones, %mine : vector<8xf16>, !llvm.ptr<3>"
_READ = """
      %x = llvm.inline_asm has_side_effects "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,r" %sn : (i32) -> !llvm.struct<(i32, i32, i32, i32)> // SIDE
      %x0 = llvm.extractvalue %x[0] : !llvm.struct<(i32, i32, i32, i32)>
      %xf = arith.bitcast %x0 : i32 to f32
      memref.store %xf, %out[%t] : memref<256xf32>
"""  # noqa: E501
_PUT = """
      llvm.inline_asm has_side_effects "stmatrix.sync.aligned.m8n8.x1.shared.b16 [$0], {$1};", "r,r" %sn, %i3 : (i32, i32) -> () // SIDE
"""  # noqa: E501

TENSORS = [
    _case("tensor_memory_that_nobody_wrote", "init", _ALLOCATED + _BARRIER + _FOUND
          + _side(_STORED, "tcgen05.st", "GOOD") + _side(_LOADED, "tcgen05.ld") + _RELEASED),
    _case("columns_that_are_not_allocated", "memory", _ALLOCATED + _BARRIER
          + _FOUND.replace("%ta = llvm.load", "%got = llvm.load") .replace("      %tm", """
      %more = arith.constant 29 : i32 // BAD
      %more = arith.constant 28 : i32 // GOOD
      %ta = llvm.add %got, %more : i32
      %tm""") + _side(_STORED, "tcgen05.st") + _LOADED),
    _case("columns_after_their_release", "memory", _ALLOCATED + _BARRIER + _FOUND + _STORED
          + """
      nvvm.tcgen05.dealloc %tm, %columns : !llvm.ptr<6>, i32 // BAD
""" + _side(_LOADED, "tcgen05.ld")),
    _case("columns_allocated_anew", "init", _ALLOCATED + _BARRIER + _FOUND + _STORED + """
      nvvm.tcgen05.dealloc %tm, %columns : !llvm.ptr<6>, i32 // BAD
      gpu.barrier // BAD
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32 // BAD
""" + _side(_LOADED, "tcgen05.ld") + _RELEASED),
    _case("address_read_before_the_barrier", "race", _side(_ALLOCATED, "tcgen05.alloc")
          + "\n      gpu.barrier // GOOD\n" + _side(_FOUND, "llvm.load") + _STORED + _LOADED
          + _RELEASED, threads=128),
    _product("operands_of_tcgen05_that_nobody_wrote", "init",
             _side(_FILL, "%ownb :", "GOOD") + _side(_PRODUCT, "tcgen05.mma") + _WAITED + _LOADED
             + _RELEASED),
    _product("operands_written_under_tcgen05", "race", _FILL + _side(_PRODUCT, "tcgen05.mma")
             + "\n      nvvm.mbarrier.try_wait.parity %bar, %i0, %ticks : !llvm.ptr<3>, i32, i32"
             " // GOOD\n" + _AGAIN + _side(_WAITED, "try_wait", "BAD") + _LOADED + _RELEASED),
    _product("operands_of_tcgen05_without_a_proxy_fence", "race",
             _side(_side(_FILL, "fence.proxy", "GOOD"), "%own :") + _side(_PRODUCT, "tcgen05.mma")
             + _WAITED + _LOADED),
    _product("result_read_before_the_wait", "race", _FILL + _side(_PRODUCT, "tcgen05.mma")
             + _side(_WAITED, "try_wait", "GOOD") + _side(_LOADED, "tcgen05.ld")),
    _product("accumulator_filled_without_a_barrier", "race", _FILL
             + _side(_STORED, "tcgen05.st") + _side(_PRODUCT, "tcgen05.mma").replace(
                 "      gpu.barrier", "      gpu.barrier // GOOD") + _WAITED + _LOADED),
    _case("columns_released_while_others_read", "race", _ALLOCATED + _BARRIER + _FOUND + _STORED
          + _side(_LOADED, "tcgen05.ld") + _side(_RELEASED, "dealloc").replace(
              "gpu.barrier", "gpu.barrier // GOOD"), threads=128),
    _product("product_of_tcgen05_that_is_not_committed", "sync", _FILL
             + _side(_PRODUCT, "tcgen05.commit", "GOOD") + _side(_WAITED, "try_wait") + _LOADED
             + _RELEASED),
    _product("metadata_that_nobody_wrote", "init", _FILL + _METADATA
             + _side(_STORE_METADATA, "tcgen05", "GOOD") + _side(_SPARSE, "tcgen05.mma") + _WAITED
             + _LOADED + _RELEASED),
    _product("metadata_written_under_tcgen05", "race", _FILL + _METADATA + _STORE_METADATA
             + _side(_SPARSE, "tcgen05.mma") + _side(_WAITED, "try_wait", "GOOD")
             + _side(_STORE_METADATA, "tcgen05.st") + _side(_WAITED, "try_wait", "BAD") + _LOADED
             + _RELEASED),
    _case("ldmatrix_in_ptx_of_what_nobody_wrote", "init", _MATRIX + _WRITE + " // GOOD\n"
          + _BARRIER + _READ),
    _case("ldmatrix_in_ptx_without_a_barrier", "race", _MATRIX + _WRITE + " // SIDE\n"
          + "\n      gpu.barrier // GOOD\n" + _READ),
    _case("ldmatrix_in_ptx_beyond", "memory", _MATRIX.replace("%sn = llvm.ptrtoint %other", """
      %past = llvm.mlir.constant(65536 : i32) : i32 // BAD
      %past = llvm.mlir.constant(0 : i32) : i32 // GOOD
      %s0 = llvm.ptrtoint %other""") + "      %sn = llvm.add %s0, %past : i32\n" + _WRITE + "\n"
          + _BARRIER + _READ),
    _case("stmatrix_in_ptx_over_what_is_read", "race", _MATRIX + _WRITE + "\n" + _BARRIER + """
      %o = llvm.load %mine : !llvm.ptr<3> -> f32 // SIDE
      memref.store %o, %out[%t] : memref<256xf32>
      gpu.barrier // GOOD
""" + _PUT),
    # Both warps store the same rows. Equal values are no mistake.
    _case("rows_that_two_warps_store", "race", """
      %s = llvm.mlir.addressof @ab : !llvm.ptr<3>
      %tn = arith.index_cast %t : index to i32
      %lanes = arith.constant 31 : i32
      %lane = arith.andi %tn, %lanes : i32
      %bytes = arith.constant 16 : i32
      %row = arith.muli %lane, %bytes : i32
      %s0 = llvm.ptrtoint %s : !llvm.ptr<3> to i32
      %sn = arith.addi %s0, %row : i32
      %past = arith.constant 5 : i32 // BAD
      %past = arith.constant 6 : i32 // GOOD
      %which = arith.shrui %tn, %past : i32
      llvm.inline_asm has_side_effects "stmatrix.sync.aligned.m8n8.x1.shared.b16 [$0], {$1};", "r,r" %sn, %which : (i32, i32) -> () // SIDE
""", threads=64),  # noqa: E501
]  # fmt: skip

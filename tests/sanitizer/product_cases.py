# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of matrices by a warpgroup, which read shared memory through descriptors.

A has 64 rows of 16 numbers, B 8 of 16, both of f16 and not swizzled: pieces of 16 bytes, those of
eight rows side by side. Each thread writes 16 bytes of A, the first sixteen also 16 bytes of B.
"""

from __future__ import annotations

from planted import Planted

_MEMORY = """llvm.mlir.global external @ab() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<2304 x i8>
    llvm.mlir.global external @bar() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<1 x i64>"""  # noqa: E501
_SETUP = """
      %tn = arith.index_cast %t : index to i64
      %ones = llvm.mlir.constant(dense<1.0> : vector<8xf16>) : vector<8xf16>
      %ab = llvm.mlir.addressof @ab : !llvm.ptr<3>
      %n16 = llvm.mlir.constant(16 : i64) : i64
      %o = llvm.mul %tn, %n16 : i64
      %own = llvm.getelementptr %ab[%o] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i8
      %bm = llvm.getelementptr %ab[2048] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
      %ownb = llvm.getelementptr %bm[%o] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i8
      %is_few = arith.cmpi ult, %t, %c16 : index
      %at = llvm.ptrtoint %ab : !llvm.ptr<3> to i64
      %mask = llvm.mlir.constant(262143 : i64) : i64
      %n4 = llvm.mlir.constant(4 : i64) : i64
      %low = llvm.and %at, %mask : i64
      %field = llvm.lshr %low, %n4 : i64
      // A: pieces of a row 1024 bytes apart, eight rows 128; B: 128 and 256.
      %da = llvm.mlir.constant(34363932672 : i64) : i64
      %db = llvm.mlir.constant(68719476864 : i64) : i64
      %leadb = llvm.mlir.constant(524288 : i64) : i64
      %a_desc = llvm.or %da, %field : i64
      %fb = llvm.add %field, %db : i64
      %b_desc = llvm.or %fb, %leadb : i64
      %z = llvm.mlir.constant(0.0 : f32) : f32
      %r0 = llvm.mlir.undef : !llvm.struct<(f32, f32, f32, f32)>
      %r1 = llvm.insertvalue %z, %r0[0] : !llvm.struct<(f32, f32, f32, f32)>
      %r2 = llvm.insertvalue %z, %r1[1] : !llvm.struct<(f32, f32, f32, f32)>
      %r3 = llvm.insertvalue %z, %r2[2] : !llvm.struct<(f32, f32, f32, f32)>
      %acc = llvm.insertvalue %z, %r3[3] : !llvm.struct<(f32, f32, f32, f32)>
"""
_FILL = """
      llvm.store %ones, %own : vector<8xf16>, !llvm.ptr<3>
      scf.if %is_few {
        llvm.store %ones, %ownb : vector<8xf16>, !llvm.ptr<3>
      }
"""
_VISIBLE = """
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      gpu.barrier
"""
_FENCE = """
      nvvm.wgmma.fence.aligned
"""
_PRODUCT = """
      %d = nvvm.wgmma.mma_async %a_desc, %b_desc, %acc, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, #nvvm.wgmma_scale_out<one>], A [<f16>, #nvvm.wgmma_scale_in<one>, <row>], B [<f16>, #nvvm.wgmma_scale_in<one>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
"""  # noqa: E501
_COMMIT = """
      nvvm.wgmma.commit.group.sync.aligned
"""
_WAIT = """
      nvvm.wgmma.wait.group.sync.aligned 0
"""
_OUT = """
      %v = llvm.extractvalue %d[0] : !llvm.struct<(f32, f32, f32, f32)>
      memref.store %v, %out[%t] : memref<256xf32>
"""
_AGAIN = """
      %twos = llvm.mlir.constant(dense<2.0> : vector<8xf16>) : vector<8xf16>
      llvm.store %twos, %own : vector<8xf16>, !llvm.ptr<3> // SIDE
"""
_SIDE_PRODUCT = _PRODUCT.replace("f32)>\n", "f32)> // SIDE\n")
_SIDE_FILL = _FILL.replace("%own : vector<8xf16>, !llvm.ptr<3>\n",
                           "%own : vector<8xf16>, !llvm.ptr<3> // SIDE\n")  # fmt: skip
_COPY = """
      %n1 = arith.constant 1 : i32
      %bytes = arith.constant 1024 : i32
      %ticks = arith.constant 1000 : i32
      %first = arith.cmpi eq, %t, %c0 : index
      %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
      %pi = memref.extract_aligned_pointer_as_index %in : memref<256xf32> -> index
      %pn = arith.index_cast %pi : index to i64
      %src = llvm.inttoptr %pn : i64 to !llvm.ptr<1>
      %cta = llvm.addrspacecast %ab : !llvm.ptr<3> to !llvm.ptr<7>
      scf.if %first {
        nvvm.mbarrier.init %bar, %n1 : !llvm.ptr<3>, i32
        nvvm.fence.mbarrier.init
        nvvm.mbarrier.arrive.expect_tx %bar, %bytes : !llvm.ptr<3>, i32
        nvvm.cp.async.bulk.shared.cluster.global %cta, %src, %bar, %bytes : !llvm.ptr<7>, !llvm.ptr<1> // SIDE
      }
      gpu.barrier
      nvvm.mbarrier.try_wait.parity %bar, %i0, %ticks : !llvm.ptr<3>, i32, i32
"""  # noqa: E501


def product_setup() -> str:
    """Where the factors lie, and their descriptors."""
    return _SETUP


def _case(name: str, kind: str, body: str, threads: int = 128) -> Planted:
    return Planted(name, kind, _SETUP + body, device=_MEMORY, threads=threads)


PRODUCTS = [
    _case("product_without_a_proxy_fence", "race", _SIDE_FILL + """
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>} // GOOD
      gpu.barrier
""" + _FENCE + _SIDE_PRODUCT + _COMMIT + _WAIT + _OUT),  # noqa: E501
    _case("product_before_the_barrier", "race", _SIDE_FILL + """
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      gpu.barrier // GOOD
""" + _FENCE + _SIDE_PRODUCT + _COMMIT + _WAIT + _OUT),
    _case("operand_written_under_a_product", "race", _FILL + _VISIBLE + _FENCE + _SIDE_PRODUCT
          + _COMMIT + """
      nvvm.wgmma.wait.group.sync.aligned 0 // GOOD
      gpu.barrier
""" + _AGAIN + _WAIT + _OUT),
    _case("wait_that_leaves_the_group", "race", _FILL + _VISIBLE + _FENCE + _SIDE_PRODUCT
          + _COMMIT + """
      nvvm.wgmma.wait.group.sync.aligned 1 // BAD
      nvvm.wgmma.wait.group.sync.aligned 0 // GOOD
      gpu.barrier
""" + _AGAIN + _WAIT + _OUT),
    _case("product_that_is_not_committed", "race", _FILL + _VISIBLE + _FENCE + _SIDE_PRODUCT + """
      nvvm.wgmma.commit.group.sync.aligned // GOOD
      nvvm.wgmma.wait.group.sync.aligned 0
      gpu.barrier
""" + _AGAIN + _COMMIT + _WAIT + _OUT),
    _case("waited_for_by_one_warp_only", "race", _FILL + _VISIBLE + _FENCE + _SIDE_PRODUCT
          + _COMMIT + _WAIT + """
      gpu.barrier // GOOD
      %half = arith.xori %tn, %n64 : i64
      %o2 = llvm.mul %half, %n16 : i64
      %other = llvm.getelementptr %ab[%o2] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i8
""".replace("      %half", "      %n64 = llvm.mlir.constant(64 : i64) : i64\n      %half", 1)
          + _AGAIN.replace("%own", "%other") + _OUT),
    # The end of the fourth and fifth chapter of MLIR's tutorial on Hopper: results are stored where
    # the factors were, behind the wait of the storing warp, and other warps may still multiply.
    _case("result_over_an_operand_of_another_warp", "race", _FILL + _VISIBLE + _FENCE
          + _SIDE_PRODUCT + _COMMIT + _WAIT + """
      gpu.barrier // GOOD
      %first_sum = llvm.extractvalue %d[0] : !llvm.struct<(f32, f32, f32, f32)>
      %four = llvm.mlir.constant(4 : i64) : i64
      %at_own = llvm.mul %tn, %four : i64
      %result = llvm.getelementptr %ab[%at_own] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i8
      llvm.store %first_sum, %result : f32, !llvm.ptr<3> // SIDE
""" + _OUT),
    _case("copy_into_an_operand_of_a_product", "race", _FILL + _VISIBLE + _FENCE + _SIDE_PRODUCT
          + _COMMIT + """
      nvvm.wgmma.wait.group.sync.aligned 0 // GOOD
      gpu.barrier
""" + _COPY + _WAIT + _OUT),
    _case("results_before_the_wait", "race", _FILL + _VISIBLE + _FENCE + _SIDE_PRODUCT + _COMMIT
          + """
      nvvm.wgmma.wait.group.sync.aligned 0 // GOOD
      %v = llvm.extractvalue %d[0] : !llvm.struct<(f32, f32, f32, f32)>
      memref.store %v, %out[%t] : memref<256xf32> // SIDE
      nvvm.wgmma.wait.group.sync.aligned 0 // BAD
"""),
    _case("product_without_wgmma_fence", "sync", _FILL + _VISIBLE + """
      nvvm.wgmma.fence.aligned // GOOD
""" + _SIDE_PRODUCT + _COMMIT + _WAIT + _OUT),
    _case("descriptor_beyond_shared_memory", "memory", _FILL + _VISIBLE + """
      %far = llvm.mlir.constant(1024 : i64) : i64 // BAD
      %far = llvm.mlir.constant(0 : i64) : i64 // GOOD
      %b_far = llvm.add %b_desc, %far : i64
""" + _FENCE + _SIDE_PRODUCT.replace("%b_desc", "%b_far") + _COMMIT + _WAIT + _OUT),
]  # fmt: skip

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Clusters of two blocks that use shared memory of one another, and ends of blocks."""

from __future__ import annotations

from planted import Planted

_MEMORY = """llvm.mlir.global external @own() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<64 x f32>
    llvm.mlir.global external @second() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<64 x f32>
    llvm.mlir.global external @bar() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<1 x i64>"""  # noqa: E501
_SETUP = """
      %rank = gpu.cluster_block_id x
      %r32 = arith.index_cast %rank : index to i32
      %peer = arith.xori %r32, %i1 : i32
      %tn = arith.index_cast %t : index to i64
      %own = llvm.mlir.addressof @own : !llvm.ptr<3>
      %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
      %mine = llvm.getelementptr %own[%tn] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
      %there = nvvm.mapa %mine, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
      %at = arith.muli %b, %c64 : index
      %o = arith.addi %at, %t : index
      %v0 = arith.index_cast %o : index to i32
      %f = arith.sitofp %v0 : i32 to f32
"""
# The same address, written in PTX.
_SETUP_PTX = _SETUP.replace(
    "      %there = nvvm.mapa %mine, %peer : !llvm.ptr<3> -> !llvm.ptr<7>\n",
    """
      %mn = llvm.ptrtoint %mine : !llvm.ptr<3> to i32
      %far = llvm.inline_asm "mapa.shared::cluster.u32 $0, $1, $2;", "=r,r,r" %mn, %peer : (i32, i32) -> i32
      %there = llvm.inttoptr %far : i32 to !llvm.ptr<7>
""",  # noqa: E501
)
_ALL_ARRIVE = """
      nvvm.cluster.arrive
      nvvm.cluster.wait
"""
_GIVE = """
      llvm.store %f, %there : f32, !llvm.ptr<7> // SIDE
"""
_TAKE = """
      %v = llvm.load %mine : !llvm.ptr<3> -> f32 // SIDE
      memref.store %v, %out[%o] : memref<256xf32>
"""
_FETCH = """
      llvm.store %f, %mine : f32, !llvm.ptr<3>
      nvvm.cluster.arrive
      nvvm.cluster.wait
      %v = llvm.load %there : !llvm.ptr<7> -> f32 // SIDE
      memref.store %v, %out[%o] : memref<256xf32>
"""
_BARRIER = """
      %n1 = arith.constant 1 : i32
      %bytes = arith.constant 256 : i32
      %ticks = arith.constant 1000 : i32
      %first = arith.cmpi eq, %t, %c0 : index
      %leads = arith.cmpi eq, %rank, %c0 : index
      %both = arith.andi %first, %leads : i1
      %mask = llvm.mlir.constant(3 : i16) : i16
      %pi = memref.extract_aligned_pointer_as_index %in : memref<256xf32> -> index
      %pn = arith.index_cast %pi : index to i64
      %src = llvm.inttoptr %pn : i64 to !llvm.ptr<1>
      %dst = llvm.addrspacecast %own : !llvm.ptr<3> to !llvm.ptr<7>
      scf.if %first {
        nvvm.mbarrier.init %bar, %n1 : !llvm.ptr<3>, i32
        nvvm.fence.mbarrier.init
        nvvm.mbarrier.arrive.expect_tx %bar, %bytes : !llvm.ptr<3>, i32
      }
"""
_MULTICAST = """
      scf.if %both {
        nvvm.cp.async.bulk.shared.cluster.global %dst, %src, %bar, %bytes multicast_mask = %mask : !llvm.ptr<7>, !llvm.ptr<1> // SIDE
      }
"""  # noqa: E501
_WAIT = """
      nvvm.mbarrier.try_wait.parity %bar, %i0, %ticks : !llvm.ptr<3>, i32, i32
"""
_LATE_WAIT = _WAIT.rstrip("\n") + " // BAD\n"


def _case(name: str, kind: str, body: str, also: tuple[str, ...] = ()) -> Planted:
    return Planted(name, kind, _SETUP + body, device=_MEMORY, blocks=2, cluster=2, also=also)


CLUSTERS = [
    _case("peer_reads_before_the_cluster_barrier", "race", _GIVE + """
      nvvm.cluster.arrive // GOOD
      nvvm.cluster.wait // GOOD
""" + _TAKE + _ALL_ARRIVE, also=("init",)),
    Planted("peer_by_ptx_before_the_cluster_barrier", "race", _SETUP_PTX + _GIVE + """
      nvvm.cluster.arrive // GOOD
      nvvm.cluster.wait // GOOD
""" + _TAKE + _ALL_ARRIVE, device=_MEMORY, also=("init",), blocks=2, cluster=2),
    _case("relaxed_arrival_orders_nothing", "race", _GIVE + """
      nvvm.cluster.arrive.relaxed // BAD
      nvvm.cluster.arrive // GOOD
      nvvm.cluster.wait
""" + _TAKE + _ALL_ARRIVE),
    _case("barrier_of_the_block_for_a_cluster", "race", _GIVE + """
      gpu.barrier // BAD
      nvvm.cluster.arrive // GOOD
      nvvm.cluster.wait // GOOD
""" + _TAKE + _ALL_ARRIVE, also=("init",)),
    _case("store_beyond_the_peers_memory", "memory", """
      %far = llvm.getelementptr %there[1024] : (!llvm.ptr<7>) -> !llvm.ptr<7>, f32 // BAD
      %far = llvm.getelementptr %there[0] : (!llvm.ptr<7>) -> !llvm.ptr<7>, f32 // GOOD
      llvm.store %f, %far : f32, !llvm.ptr<7> // SIDE
""" + _ALL_ARRIVE),
    _case("peer_that_ends_under_a_read", "race", _FETCH + """
      nvvm.cluster.arrive // GOOD
      nvvm.cluster.wait // GOOD
"""),
    _case("multicast_without_a_cluster_barrier", "race", _BARRIER + """
      nvvm.cluster.arrive // GOOD
      nvvm.cluster.wait // GOOD
      gpu.barrier
""" + _MULTICAST + _WAIT
          + _TAKE.replace(" // SIDE", "") + _ALL_ARRIVE, also=("sync", "init", "memory")),
    # As CUTLASS begins a pipeline of a cluster.
    _case("relaxed_arrival_without_the_fence_of_mbarriers", "race", _BARRIER.replace(
        "nvvm.mbarrier.init %bar, %n1 : !llvm.ptr<3>, i32\n        nvvm.fence.mbarrier.init", """
        nvvm.mbarrier.init %bar, %n1 : !llvm.ptr<3>, i32 // SIDE
        nvvm.fence.mbarrier.init // GOOD
      }
      nvvm.cluster.arrive.relaxed
      nvvm.cluster.wait
      scf.if %first {""") + _MULTICAST + _WAIT + _TAKE.replace(" // SIDE", "") + _ALL_ARRIVE,
          also=("sync", "init", "memory")),
    _case("multicast_that_is_not_waited_for", "race", _BARRIER + _ALL_ARRIVE + _MULTICAST + """
      nvvm.mbarrier.try_wait.parity %bar, %i0, %ticks : !llvm.ptr<3>, i32, i32 // GOOD
""" + _TAKE + _LATE_WAIT + _ALL_ARRIVE),
    # Barriers of the block tell of threads, and of copies only what one of the threads knows.
    _case("store_over_a_multicast_behind_a_barrier_of_the_cluster", "race", _BARRIER + _ALL_ARRIVE
          + "gpu.barrier" + _MULTICAST + _ALL_ARRIVE + """
      nvvm.mbarrier.try_wait.parity %bar, %i0, %ticks : !llvm.ptr<3>, i32, i32 // GOOD
      llvm.store %f, %mine : f32, !llvm.ptr<3> // SIDE
""" + _LATE_WAIT + _ALL_ARRIVE),
    _case("store_to_a_peer_whose_thread_has_waited_for_a_copy", "race", _BARRIER + _ALL_ARRIVE
          + "gpu.barrier" + _MULTICAST + """
      scf.if %first {
        nvvm.mbarrier.try_wait.parity %bar, %i0, %ticks : !llvm.ptr<3>, i32, i32 // GOOD
      }
      gpu.barrier
""" + _ALL_ARRIVE + """
      llvm.store %f, %there : f32, !llvm.ptr<7> // SIDE
""" + _LATE_WAIT + _ALL_ARRIVE),
    _case("copy_between_blocks_that_is_not_waited_for", "race", _BARRIER + """
      llvm.store %f, %mine : f32, !llvm.ptr<3>
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      %own2 = llvm.mlir.addressof @second : !llvm.ptr<3>
      %mine2 = llvm.getelementptr %own2[%tn] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
      nvvm.cluster.arrive
      nvvm.cluster.wait
      %tgt = nvvm.mapa %own2, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
      %tbar7 = nvvm.mapa %bar, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
      %tbar = llvm.addrspacecast %tbar7 : !llvm.ptr<7> to !llvm.ptr<3>
      scf.if %first {
        nvvm.cp.async.bulk.shared.cluster.shared.cta %tgt, %own, %tbar, %bytes : !llvm.ptr<7>, !llvm.ptr<3> // SIDE
      }
      nvvm.mbarrier.try_wait.parity %bar, %i0, %ticks : !llvm.ptr<3>, i32, i32 // GOOD
      %w = llvm.load %mine2 : !llvm.ptr<3> -> f32 // SIDE
      memref.store %w, %out[%o] : memref<256xf32>
""" + _LATE_WAIT + _ALL_ARRIVE),  # noqa: E501
    Planted("block_ends_under_a_bulk_store", "race", """
      %tn = arith.index_cast %t : index to i64
      %own = llvm.mlir.addressof @own : !llvm.ptr<3>
      %mine = llvm.getelementptr %own[%tn] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
      %bytes = arith.constant 256 : i32
      %pi = memref.extract_aligned_pointer_as_index %out : memref<256xf32> -> index
      %pn = arith.index_cast %pi : index to i64
      %dst = llvm.inttoptr %pn : i64 to !llvm.ptr<1>
      llvm.store %f1, %mine : f32, !llvm.ptr<3>
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      gpu.barrier
      %first = arith.cmpi eq, %t, %c0 : index
      scf.if %first {
        nvvm.cp.async.bulk.global.shared.cta %dst, %own, %bytes : !llvm.ptr<1>, !llvm.ptr<3> // SIDE
        nvvm.cp.async.bulk.commit.group
        nvvm.cp.async.bulk.wait_group 0 {read} // GOOD
      }
""", device=_MEMORY),
]  # fmt: skip

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fences that do not reach far enough, or are for other memory."""

from __future__ import annotations

from planted import Planted

_FLAG = """
      %ni = memref.extract_aligned_pointer_as_index %n : memref<64xi32> -> index
      %nn = arith.index_cast %ni : index to i64
      %flag = llvm.inttoptr %nn : i64 to !llvm.ptr<1>
      %b0 = arith.cmpi eq, %b, %c0 : index
"""
_WIDE = 'llvm.fence syncscope("device") seq_cst'


def _message(name: str, narrow: str, wide: str, *, reader: bool = False, cluster: int = 0,
             blocks: int = 2) -> Planted:  # fmt: skip
    """Block 0 writes data and a flag, the last block waits for the flag: with a fence on either
    side, of which one is too narrow by mistake."""
    planted = f"        {narrow} // BAD\n        {wide} // GOOD"
    writer, waiter = (_WIDE, planted) if reader else (planted, _WIDE)
    return Planted(
        name,
        "race",
        f"""{_FLAG}
      %last = arith.constant {blocks - 1} : index
      %is_last = arith.cmpi eq, %b, %last : index
      scf.if %b0 {{
        memref.store %f1, %out[%c1] : memref<256xf32> // SIDE
{writer}
        llvm.store %one, %flag atomic monotonic {{alignment = 4 : i64}} : i32, !llvm.ptr<1>
      }}
      scf.if %is_last {{
        scf.while : () -> () {{
          %f = llvm.load %flag atomic monotonic {{alignment = 4 : i64}} : !llvm.ptr<1> -> i32
          %again = arith.cmpi eq, %f, %i0 : i32
          scf.condition(%again)
        }} do {{
          scf.yield
        }}
{waiter}
        %v = memref.load %out[%c1] : memref<256xf32> // SIDE
        memref.store %v, %out[%c0] : memref<256xf32>
      }}
""",
        threads=1,
        blocks=blocks,
        cluster=cluster,
    )


def _ptx(text: str) -> str:
    return f'llvm.inline_asm has_side_effects "{text};", "" : () -> ()'


def _intrinsic(name: str) -> str:
    return f'llvm.call_intrinsic "llvm.nvvm.{name}"() : () -> ()'


_COPY = "nvvm.cp.async.bulk.global.shared.cta %dst, %tile, %bytes : !llvm.ptr<1>, !llvm.ptr<3>"


def _stored(name: str, narrow: str, fence: str) -> Planted:
    """A bulk copy of workgroup memory, behind a fence that is for something else by mistake."""
    return Planted(
        name,
        "race",
        f"""
      %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
      %tn = arith.index_cast %t : index to i64
      %own = llvm.getelementptr %tile[%tn] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
      %po = memref.extract_aligned_pointer_as_index %out : memref<256xf32> -> index
      %pn = arith.index_cast %po : index to i64
      %dst = llvm.inttoptr %pn : i64 to !llvm.ptr<1>
      %bytes = arith.constant 256 : i32
      llvm.store %f1, %own : f32, !llvm.ptr<3> // SIDE
      {narrow} // BAD
      {fence} // GOOD
      gpu.barrier
      %first = arith.cmpi eq, %t, %c0 : index
      scf.if %first {{
        {_COPY} // SIDE
        nvvm.cp.async.bulk.commit.group
        nvvm.cp.async.bulk.wait_group 0
      }}
""",
        device="llvm.mlir.global external @tile() {addr_space = 3 : i32, alignment = 128 : i64} : "
        "!llvm.array<64 x f32>",
    )


_SHARED = (
    "nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}"
)

FENCES = [
    _message("fence_of_a_block", 'llvm.fence syncscope("block") seq_cst', _WIDE),
    _message("fence_of_a_block_in_the_reader", 'llvm.fence syncscope("block") seq_cst', _WIDE,
             reader=True),
    _message("membar_cta", _ptx("membar.cta"), _ptx("membar.gl")),
    _message("membar_cta_in_the_reader", _ptx("membar.cta"), _ptx("membar.sys"), reader=True),
    _message("fence_acq_rel_cta", _ptx("fence.acq_rel.cta"), _ptx("fence.acq_rel.gpu")),
    _message("fence_acq_rel_cta_among_others", _ptx("{fence.acq_rel.cta; membar.cta;}"),
             _ptx("{fence.acq_rel.cta; membar.gl;}")),
    _message("memory_barrier_cta", "nvvm.memory.barrier <cta>", "nvvm.memory.barrier <gpu>"),
    _message("intrinsic_membar_cta", _intrinsic("membar.cta"), _intrinsic("membar.gl")),
    _message("fence_of_a_cluster", "nvvm.memory.barrier <cluster>", "nvvm.memory.barrier <sys>"),
    _message("fence_of_a_block_in_a_cluster", "nvvm.memory.barrier <cta>",
             "nvvm.memory.barrier <cluster>", cluster=2),
    _message("fence_of_a_cluster_between_two", "nvvm.memory.barrier <cluster>",
             "nvvm.memory.barrier <gpu>", cluster=2, blocks=4),
    _stored("fence_of_mbarriers_for_data", "nvvm.fence.mbarrier.init", _SHARED),
    _stored("fence_of_global_memory_for_shared",
            "nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.global>}",
            "nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}"),
    _stored("fence_of_aliases_for_copies", "nvvm.fence.proxy {kind = #nvvm.proxy_kind<alias>}",
            _SHARED),
    _stored("fence_in_ptx_of_global_memory", _ptx("fence.proxy.async.global"),
            _ptx("fence.proxy.async.shared::cta")),
    _stored("fence_in_ptx_of_global_memory_among_others",
            _ptx("{fence.proxy.async.global; membar.cta;}"),
            _ptx("{fence.proxy.async.shared::cta; membar.cta;}")),
]  # fmt: skip

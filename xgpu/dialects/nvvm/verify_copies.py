# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of nvvm's asynchronous copies, of TMA and of mbarriers. Messages are MLIR's.

Source: MLIR 22.1 NVVMDialect.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.core.ir.errors import error, op_error
from xgpu.dialects.nvvm.checks import (
    SHARED,
    SHARED_CLUSTER,
    address_space,
    flag,
    keyword,
    number,
)

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xgpu.dialects import nvvm
    from xgpu.dialects.hook_types import Verifier


def verify_cp_async(op: Operation) -> None:
    modifier, size = keyword(op, "modifier"), number(op, "size")
    if modifier not in ("cg", "ca"):
        raise error(op, "Only CG and CA cache modifiers are supported.")
    if size not in (4, 8, 16):
        raise error(op, "expected byte size to be either 4, 8 or 16.")
    if modifier == "cg" and size != 16:
        raise error(op, "CG cache modifier is only support for 16 bytes copy.")


# --- tensor copies -----------------------------------------------------------------------------
def _verify_stored_box(op: Operation, rank: int, *, is_im2col: bool) -> None:
    if not 1 <= rank <= 5:
        raise error(op, "expects coordinates between 1 to 5 dimension")
    if is_im2col and rank < 3:
        raise error(op, "to use im2col mode, the tensor has to be at least 3-dimensional")


def verify_tensor_store(op: nvvm.CpAsyncBulkTensorGlobalSharedCtaOp) -> None:
    mode = keyword(op, "mode", "tile")
    if op.predicate is not None:
        if mode != "tile":
            raise error(op, "Inline-ptx lowering supported only for Tile mode.")
        if op.l2_cache_hint is not None:
            raise error(op, "Inline-ptx lowering unsupported with L2 cache-hint.")
    rank = len(op.coordinates)
    if mode != "tile_scatter4":
        _verify_stored_box(op, rank, is_im2col=mode == "im2col")
    elif rank != 5:
        raise error(op, "Scatter4 mode expects 5 coordinates")


def verify_tensor_reduce(op: nvvm.CpAsyncBulkTensorReduceOp) -> None:
    mode = keyword(op, "mode", "tile")
    if mode == "tile_scatter4":
        raise error(op, "Scatter mode unsupported for CpAsyncBulkTensorReduceOp")
    _verify_stored_box(op, len(op.coordinates), is_im2col=mode == "im2col")


def verify_loaded_box(
    op: nvvm.CpAsyncBulkTensorPrefetchOp | nvvm.CpAsyncBulkTensorSharedClusterGlobalOp,
) -> None:
    """Coordinates and offsets of a load or prefetch fit its mode."""
    rank, offsets = len(op.coordinates), len(op.im2col_offsets)
    mode = keyword(op, "mode", "tile")
    if not 1 <= rank <= 5:
        raise error(op, "expects coordinates between 1 to 5 dimension")
    if mode == "tile_gather4" and rank != 5:
        raise error(op, "Gather4 mode expects 5 coordinates")
    is_im2col = mode.startswith("im2col")
    if is_im2col and rank < 3:
        raise error(op, f"to use {mode} mode, the tensor has to be at least 3-dimensional")
    expected = 0 if not is_im2col else rank - 2 if mode == "im2col" else 2
    if offsets != expected:
        raise error(op, f" im2col offsets expected {expected} (provided {offsets})")


def verify_tensor_load(op: nvvm.CpAsyncBulkTensorSharedClusterGlobalOp) -> None:
    is_cta_only = flag(op, "isCTAOnly")
    if op.predicate is not None:
        if is_cta_only:
            raise error(op, "Predicate is supported only for shared::cluster mode.")
        if keyword(op, "mode", "tile") not in ("tile", "im2col"):
            raise error(op, "Predicate is supported only for Tile and Im2col modes.")
    else:
        space = address_space(op.dst_mem)
        if is_cta_only and space != SHARED:
            raise error(op, "Shared::cta destination requires address-space 3.")
        if not is_cta_only and space != SHARED_CLUSTER:
            raise error(op, "Shared::cluster destination requires address-space 7.")
        if is_cta_only and op.multicast_mask is not None:
            raise error(op, "Multicast is not supported with shared::cta mode.")
        if is_cta_only and "group" in op.properties:
            raise error(op, "CTAGroup is not supported with shared::cta mode.")
    verify_loaded_box(op)


def verify_bulk_load(op: nvvm.CpAsyncBulkSharedClusterGlobalOp) -> None:
    if address_space(op.dst_mem) == SHARED and op.multicast_mask is not None:
        raise error(op, "Multicast is not supported with shared::cta mode.")


def verify_st_bulk(op: Operation) -> None:
    value = number(op, "initVal")
    if value != 0:
        raise op_error(op, f"only 0 is supported for initVal, got {value}")


# --- mbarriers ---------------------------------------------------------------------------------
def verify_mbarrier(op: Operation) -> None:
    """The scope of an mbarrier operation; one in another block's memory returns no state."""
    if keyword(op, "scope", "cta") not in ("cta", "cluster"):
        raise error(op, "mbarrier scope must be either CTA or Cluster")


def verify_mbarrier_arrive(
    op: nvvm.MbarrierArriveOp
    | nvvm.MbarrierArriveExpectTxOp
    | nvvm.MbarrierArriveDropOp
    | nvvm.MbarrierArriveDropExpectTxOp,
) -> None:
    verify_mbarrier(op)
    if op.results and address_space(op.addr) == SHARED_CLUSTER:
        raise error(op, "mbarrier in shared_cluster space cannot return any value")


def verify_mbarrier_arrive_expect_tx(op: nvvm.MbarrierArriveExpectTxOp) -> None:
    if op.predicate is not None:
        if keyword(op, "scope", "cta") != "cta":
            raise error(op, "mbarrier scope must be CTA when using predicate")
        if address_space(op.addr) == SHARED_CLUSTER:
            raise error(
                op,
                "mbarrier in shared_cluster space is not supported when using predicate",
            )
        if op.results:
            raise error(op, "return-value is not supported when using predicate")
        if flag(op, "relaxed"):
            raise error(op, "mbarrier with relaxed semantics is not supported when using predicate")
    verify_mbarrier_arrive(op)


VERIFY_COPIES: dict[str, Verifier] = {
    "nvvm.cp.async.shared.global": verify_cp_async,
    "nvvm.cp.async.bulk.shared.cluster.global": verify_bulk_load,
    "nvvm.cp.async.bulk.tensor.global.shared.cta": verify_tensor_store,
    "nvvm.cp.async.bulk.tensor.prefetch": verify_loaded_box,
    "nvvm.cp.async.bulk.tensor.reduce": verify_tensor_reduce,
    "nvvm.cp.async.bulk.tensor.shared.cluster.global": verify_tensor_load,
    "nvvm.st.bulk": verify_st_bulk,
    "nvvm.mbarrier.arrive": verify_mbarrier_arrive,
    "nvvm.mbarrier.arrive.expect_tx": verify_mbarrier_arrive_expect_tx,
    "nvvm.mbarrier.arrive_drop": verify_mbarrier_arrive,
    "nvvm.mbarrier.arrive_drop.expect_tx": verify_mbarrier_arrive,
    "nvvm.mbarrier.complete_tx": verify_mbarrier,
    "nvvm.mbarrier.expect_tx": verify_mbarrier,
    "nvvm.mbarrier.test.wait": verify_mbarrier,
    "nvvm.mbarrier.try_wait": verify_mbarrier,
}

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What MLIR's verifiers of nvvm operations and of `#nvvm.target` check beyond the tables.

Source: MLIR 22.1 NVVMDialect.cpp, NVVMRequiresSMTraits.h.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, IntegerType, UnitAttr, i1
from xdsl.ir import Attribute, Operation

from xgpu.core import ods
from xgpu.core.ir.errors import error, op_error, shown
from xgpu.dialects import nvvm
from xgpu.dialects.nvvm.checks import (
    CONSTANT,
    GENERIC,
    GLOBAL,
    LOCAL,
    SHARED,
    SHARED_CLUSTER,
    address_space,
    flag,
    is_integer,
    keyword,
    number,
    require,
    struct_body,
)
from xgpu.dialects.nvvm.verify_matrices import VERIFY_MATRICES, VERIFY_MMA, VERIFY_TCGEN05

if TYPE_CHECKING:
    from xgpu.dialects.interfaces import Verifier
    from xgpu.dialects.llvm.attributes import ConstantRangeAttr
    from xgpu.dialects.nvvm.attributes import NVVMTargetAttr


# -- Verifiers of nvvm's conversions between float formats, and of its permutation. MLIR's messages.
#
# Source: MLIR 22.1 NVVMDialect.cpp.


_F8 = ("f8E4M3FN", "f8E5M2")
_F6 = ("f6E2M3FN", "f6E3M2FN")
_F4 = ("f4E2M1FN",)
_E8M0 = ("f8E8M0FNU",)


def _names(formats: tuple[str, ...]) -> str:
    return " and ".join(f"'{name}'" for name in formats)


def _only(attribute: str, formats: tuple[str, ...], what: str) -> Callable[[Operation], None]:
    """A check that the small format is one of `formats`."""
    noun = "type is" if len(formats) == 1 else "types are"
    message = f"Only {_names(formats)} {noun} supported for conversions from {what}."

    def check(op: Operation) -> None:
        if shown(op.properties[attribute]) not in formats:
            raise op_error(op, message)

    return check


def verify_float_to_tf32(op: Operation) -> None:
    rounding = keyword(op, "rnd", "none")
    if rounding == "rna":
        if flag(op, "relu"):
            raise error(op, "Relu not supported with rna rounding mode.")
    elif rounding not in ("rn", "rz"):
        raise error(op, "Only {rn,rz,rna} rounding modes supported for ConvertFloatToTF32Op.")


def verify_f32x2_to_f8x2(op: Operation) -> None:
    target = shown(op.properties["dstTy"])
    rounding = keyword(op, "rnd", "none")
    if target in _F8:
        if rounding != "rn":
            raise op_error(
                op,
                "Only RN rounding mode is supported for conversions from f32x2 to "
                f"{_names(_F8)} types",
            )
        if keyword(op, "sat", "none") != "satfinite":
            raise op_error(
                op,
                "Only SATFINITE saturation mode is supported for conversions from f32x2 to "
                f"{_names(_F8)} types",
            )
    elif target in _E8M0:
        if rounding not in ("rz", "rp"):
            raise op_error(
                op,
                "Only RZ and RP rounding modes are supported for conversions from f32x2 to "
                f"{_names(_E8M0)} type",
            )
        if flag(op, "relu"):
            raise op_error(op, f"relu not supported for conversions to {_names(_E8M0)} type")
    else:
        raise op_error(
            op,
            "Only 'f8E4M3FN', 'f8E5M2', and 'f8E8M0FNU' types are supported for conversions "
            "from f32x2 to f8x2",
        )


_only_e8m0 = _only("dstTy", _E8M0, "bf16x2 to f8x2")


def verify_bf16x2_to_f8x2(op: Operation) -> None:
    _only_e8m0(op)
    if keyword(op, "rnd", "none") not in ("rz", "rp"):
        raise op_error(
            op,
            "Only RZ and RP rounding modes are supported for conversions from bf16x2 to f8x2.",
        )


def _verify_f32x2(target: str) -> Verifier:
    def check(op: nvvm.ConvertF32x2ToBf16x2Op | nvvm.ConvertF32x2ToF16x2Op) -> None:
        rounding = keyword(op, "rnd", "none")
        if rounding not in ("rn", "rz", "rs"):
            raise op_error(
                op,
                "Only RN, RZ, and RS rounding modes are supported for conversions from f32x2 to "
                f"{target}.",
            )
        if rounding == "rs" and op.random_bits is None:
            raise op_error(op, "random_bits is required for RS rounding mode.")
        if rounding != "rs" and op.random_bits is not None:
            raise op_error(op, "random_bits not supported for RN and RZ rounding modes.")

    return check


def verify_permute(op: nvvm.PrmtOp) -> None:
    mode = keyword(op, "mode")
    takes_high = mode in ("default", "f4e", "b4e")
    if takes_high and op.hi is None:
        raise error(op, f"mode '{mode}' requires 'hi' operand.")
    if not takes_high and op.hi is not None:
        raise error(op, f"mode '{mode}' does not accept 'hi' operand.")


VERIFY_CONVERSIONS: dict[str, Verifier] = {
    "nvvm.convert.float.to.tf32": verify_float_to_tf32,
    "nvvm.convert.f32x2.to.f4x2": _only("dstTy", _F4, "f32x2 to f4x2"),
    "nvvm.convert.f32x2.to.f6x2": _only("dstTy", _F6, "f32x2 to f6x2"),
    "nvvm.convert.f32x2.to.f8x2": verify_f32x2_to_f8x2,
    "nvvm.convert.f16x2.to.f8x2": _only("dstTy", _F8, "f16x2 to f8x2"),
    "nvvm.convert.bf16x2.to.f8x2": verify_bf16x2_to_f8x2,
    "nvvm.convert.f8x2.to.f16x2": _only("srcType", _F8, "f8x2 to f16x2"),
    "nvvm.convert.f8x2.to.bf16x2": _only("srcType", _E8M0, "f8x2 to bf16x2"),
    "nvvm.convert.f6x2.to.f16x2": _only("srcType", _F6, "f6x2 to f16x2"),
    "nvvm.convert.f4x2.to.f16x2": _only("srcType", _F4, "f4x2 to f16x2"),
    "nvvm.convert.f32x2.to.f16x2": _verify_f32x2("f16x2"),
    "nvvm.convert.f32x2.to.bf16x2": _verify_f32x2("bf16x2"),
    "nvvm.convert.f32x4.to.f8x4": _only("dstTy", _F8, "f32x4 to f8x4"),
    "nvvm.convert.f32x4.to.f6x4": _only("dstTy", _F6, "f32x4 to f6x4"),
    "nvvm.convert.f32x4.to.f4x4": _only("dstTy", _F4, "f32x4 to f4x4"),
    "nvvm.prmt": verify_permute,
}


# -- Verifiers of nvvm's asynchronous copies, of TMA and of mbarriers. Messages are MLIR's.
#
# Source: MLIR 22.1 NVVMDialect.cpp.


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


# -- Verifiers of nvvm's fences, barriers, warp collectives, prefetches, queries. MLIR's messages.
#
# Source: MLIR 22.1 NVVMDialect.cpp.


_ORDERS = ("acquire", "release")
_ONLY_ORDERS = "only acquire and release semantics are supported"


# --- fences ------------------------------------------------------------------------------------
def verify_fence_sync_restrict(op: Operation) -> None:
    require(op, keyword(op, "order") in _ORDERS, _ONLY_ORDERS)


def verify_fence_proxy(op: Operation) -> None:
    kind = keyword(op, "kind")
    has_space = "space" in op.properties
    require(op, kind != "tensormap", "tensormap proxy is not a supported proxy kind")
    require(op, kind != "generic", "generic proxy not a supported proxy kind")
    if kind == "async.shared":
        require(op, has_space, "async_shared fence requires space attribute")
    else:
        require(op, not has_space, "only async_shared fence can have space attribute")


def verify_fence_proxy_one_way(op: Operation) -> None:
    require(
        op,
        keyword(op, "fromProxy", "generic") == "generic",
        "uni-directional proxies only support generic for from_proxy attribute",
    )
    require(
        op,
        keyword(op, "toProxy", "tensormap") == "tensormap",
        "uni-directional proxies only support tensormap for to_proxy attribute",
    )


def verify_fence_proxy_sync_restrict(op: Operation) -> None:
    require(op, keyword(op, "order") in _ORDERS, _ONLY_ORDERS)
    require(
        op,
        keyword(op, "fromProxy", "generic") == "generic",
        "only generic is support for from_proxy attribute",
    )
    require(
        op,
        keyword(op, "toProxy", "async") == "async",
        "only async is supported for to_proxy attribute",
    )


# --- barriers ----------------------------------------------------------------------------------
def verify_barrier(op: nvvm.BarrierOp) -> None:
    has_id = op.barrier_id is not None
    has_kind, has_value = "reductionOp" in op.properties, op.reduction_predicate is not None
    require(
        op,
        has_id or op.number_of_threads is None,
        "barrier id is missing, it should be set between 0 to 15",
    )
    require(
        op,
        not (has_id and (has_kind or has_value)),
        "reduction are only available when id is 0",
    )
    require(
        op,
        has_kind == has_value,
        "reduction predicate and reduction operation must be specified together",
    )


def verify_set_max_register(op: Operation) -> None:
    count = number(op, "regCount")
    require(op, count % 8 == 0, "new register size must be multiple of 8")
    require(op, 24 <= count <= 256, "new register size must be in between 24 to 256")


def verify_pm_event(op: Operation) -> None:
    has_id, has_mask = "eventId" in op.properties, "maskedEventId" in op.properties
    require(op, has_id or has_mask, "either `id` or `mask` must be set")
    require(op, not (has_id and has_mask), "`id` and `mask` cannot be set at the same time")
    if has_id:
        require(op, 0 <= number(op, "eventId") <= 15, "`id` must be between 0 and 15")


# --- collectives of a warp ---------------------------------------------------------------------
def verify_match_sync(op: nvvm.MatchSyncOp) -> None:
    result = op.res.type
    if keyword(op, "kind") == "all":
        body = struct_body(result)
        require(
            op,
            body is not None
            and len(body) == 2
            and is_integer(body[0], 32)
            and is_integer(body[1], 1),
            "match.sync 'all' returns a two element struct with first element as i32 and "
            "second element as i1",
        )
    else:
        require(op, is_integer(result, 32), "match.sync 'any' returns an i32")


def verify_vote_sync(op: nvvm.VoteSyncOp) -> None:
    if keyword(op, "kind") == "ballot":
        require(op, is_integer(op.res.type, 32), "vote.sync 'ballot' returns an i32")
    else:
        require(op, is_integer(op.res.type, 1), "vote.sync 'any', 'all' and 'uni' returns an i1")


def verify_shfl_sync(op: nvvm.ShflSyncOp) -> None:
    value, result = op.val.type, op.res.type
    has_flag = "return_value_and_is_valid" in op.properties
    body = struct_body(result)

    def expect(what: str, expected: Attribute, actual: Attribute) -> None:
        require(
            op,
            actual == expected,
            f"expected {what} to be of type '{shown(expected)}' but got '{shown(actual)}' instead",
        )

    if body is None:
        require(op, not has_flag, "expected return type to be a two-element struct")
        expect("return type", value, result)
        return
    require(
        op,
        has_flag,
        '"return_value_and_is_valid" attribute must be specified when the return type is a '
        "struct type",
    )
    require(op, len(body) == 2, "expected return type to be a two-element struct")
    expect("first element in the returned struct", value, body[0])
    expect("second element in the returned struct", i1, body[1])


def verify_redux_sync(op: nvvm.ReduxSyncOp) -> None:
    result = shown(op.res.type)
    kind = keyword(op, "kind")
    for attribute in ("abs", "nan"):
        require(
            op,
            result == "f32" or not flag(op, attribute),
            f"{attribute} attribute is supported only for f32 type",
        )
    expected = "f32" if kind in ("fmin", "fmax") else "i32"
    require(
        op,
        result == expected,
        f"'{kind}' redux kind unsupported with '{result}' type. "
        f"Only supported type is '{expected}'.",
    )


# --- prefetches --------------------------------------------------------------------------------
def verify_prefetch(op: nvvm.PrefetchOp) -> None:
    level, is_tensormap = keyword(op, "cacheLevel"), flag(op, "tensormap")
    if is_tensormap and level:
        raise op_error(op, "cannot specify both tensormap and cache level")
    if is_tensormap:
        _verify_tensormap_prefetch(op)
    elif level:
        _verify_cache_prefetch(op, level)
    else:
        raise op_error(op, "requires specification of either cache level or tensormap")


def _verify_tensormap_prefetch(op: nvvm.PrefetchOp) -> None:
    space = address_space(op.addr)
    require(
        op,
        space in (GENERIC, CONSTANT),
        "prefetch tensormap requires a generic or constant pointer",
    )
    require(
        op,
        "evictPriority" not in op.properties,
        "prefetch tensormap does not support eviction priority",
    )
    require(
        op,
        space == GENERIC or not flag(op, "in_param_space"),
        "in_param_space can only be specified for a generic pointer",
    )


def _verify_cache_prefetch(op: nvvm.PrefetchOp, level: str) -> None:
    space = address_space(op.addr)
    require(
        op,
        space in (GENERIC, GLOBAL, LOCAL),
        "prefetch to cache level requires a generic, global, or local pointer",
    )
    if flag(op, "uniform"):
        require(
            op,
            level == "L1",
            "unsupported cache level, the only supported uniform cache level is L1",
        )
        require(op, space == GENERIC, "prefetch to uniform cache requires a generic pointer")
    priority = keyword(op, "evictPriority")
    if priority:
        require(op, level == "L2", "cache eviction priority supported only for cache level L2")
        require(op, space == GLOBAL, "cache eviction priority requires a global pointer")
        require(
            op,
            priority in ("evict_normal", "evict_last"),
            "unsupported cache eviction priority, only evict_last and evict_normal are supported",
        )
    require(op, op.predicate is None, "predicate supported only on prefetch tensormap")


# --- queries -----------------------------------------------------------------------------------
def verify_query_cancel(op: nvvm.ClusterlaunchcontrolQueryCancelOp) -> None:
    if keyword(op, "query_type") == "is_canceled":
        require(op, is_integer(op.res.type, 1), "is_canceled query type returns an i1")
    else:
        require(
            op,
            is_integer(op.res.type, 32),
            "get_first_cta_id_x, get_first_cta_id_y, get_first_cta_id_z query types return an i32",
        )


def verify_register_range(op: Operation) -> None:
    """The range of a special register is one that LLVM's ConstantRange can be."""
    span = cast("ConstantRangeAttr | None", op.properties.get("range"))
    if span is None:
        return
    width, lower, upper = span.data
    greatest = (1 << width) - 1
    if lower == upper and (lower & greatest) not in (0, greatest):
        raise op_error(
            op,
            f"invalid range attribute: Lower == Upper, but they aren't min (0) or max ({greatest}) "
            "value! This is an invalid constant range.",
        )


_RANGED = """
cluster.ctaid.x cluster.ctaid.y cluster.ctaid.z cluster.ctarank cluster.nctaid.x
cluster.nctaid.y cluster.nctaid.z cluster.nctarank clusterid.x clusterid.y clusterid.z ctaid.x
ctaid.y ctaid.z gridid laneid nclusterid.x nclusterid.y nclusterid.z nctaid.x nctaid.y nctaid.z
nsmid ntid.x ntid.y ntid.z nwarpid smid tid.x tid.y tid.z warpid warpsize
"""

VERIFY_SYNC: dict[str, Verifier] = {
    "nvvm.fence.sync_restrict": verify_fence_sync_restrict,
    "nvvm.fence.proxy": verify_fence_proxy,
    "nvvm.fence.proxy.acquire": verify_fence_proxy_one_way,
    "nvvm.fence.proxy.release": verify_fence_proxy_one_way,
    "nvvm.fence.proxy.sync_restrict": verify_fence_proxy_sync_restrict,
    "nvvm.barrier": verify_barrier,
    "nvvm.setmaxregister": verify_set_max_register,
    "nvvm.pmevent": verify_pm_event,
    "nvvm.match.sync": verify_match_sync,
    "nvvm.vote.sync": verify_vote_sync,
    "nvvm.shfl.sync": verify_shfl_sync,
    "nvvm.redux.sync": verify_redux_sync,
    "nvvm.prefetch": verify_prefetch,
    "nvvm.clusterlaunchcontrol.query.cancel": verify_query_cancel,
    **{f"nvvm.read.ptx.sreg.{name}": verify_register_range for name in _RANGED.split()},
}


# -- What discardable nvvm attributes demand of the function, or the argument, that carries them.
#
# Source: MLIR 22.1 NVVMDialect.cpp.


def verify_kernel(op: Operation, name: str, value: Attribute) -> None:
    if op.name != "llvm.func":
        raise error(op, f"'{name}' attribute attached to unexpected op")


def verify_dimensions(op: Operation, name: str, value: Attribute) -> None:
    is_array = isinstance(value, DenseArrayBase)
    if not (is_array and value.elt_type == IntegerType(32) and 1 <= len(value) <= 3):
        raise error(op, f"'\"{name}\"' attribute must be integer array with maximum 3 index")


def verify_number(op: Operation, name: str, value: Attribute) -> None:
    if not isinstance(value, IntegerAttr):
        raise error(op, f"'\"{name}\"' attribute must be integer constant")


def verify_blocks_are_clusters(op: Operation, name: str, value: Attribute) -> None:
    if "nvvm.reqntid" not in op.attributes or "nvvm.cluster_dim" not in op.attributes:
        raise error(
            op,
            f"'\"{name}\"' attribute must be used along with 'nvvm.reqntid' and 'nvvm.cluster_dim'",
        )


def verify_grid_constant(
    op: Operation, name: str, value: Attribute, others: dict[str, Attribute]
) -> None:
    if "nvvm.kernel" not in op.attributes:
        raise error(op, f"'\"{name}\"' attribute must be present only on kernel arguments")
    if not isinstance(value, UnitAttr):
        raise error(op, f"'\"{name}\"' must be a unit attribute")
    if "llvm.byval" not in others:
        raise error(
            op,
            f"'\"{name}\"' attribute requires the argument to also have attribute 'llvm.byval'",
        )


#: Discardable attribute name -> fn(op, name, value).
VERIFY_ATTRIBUTES: dict[str, Callable[[Operation, str, Attribute], None]] = {
    "nvvm.kernel": verify_kernel,
    "nvvm.maxntid": verify_dimensions,
    "nvvm.reqntid": verify_dimensions,
    "nvvm.cluster_dim": verify_dimensions,
    "nvvm.minctasm": verify_number,
    "nvvm.maxnreg": verify_number,
    "nvvm.cluster_max_blocks": verify_number,
    "nvvm.blocksareclusters": verify_blocks_are_clusters,
}
#: Attribute of a function's argument -> fn(op, name, value, all attributes of the argument).
VERIFY_ARGUMENT_ATTRIBUTES = {"nvvm.grid_constant": verify_grid_constant}


# -- The table of verifiers, and `#nvvm.target`.


MINIMUM_VERSION = 20


def sm_version(chip: str) -> tuple[int, bool]:
    """The number of a chip, and whether it is an accelerated variant (sm_90a); 0 for others.

    As MLIR reads it: the digits after three characters, and an `a` at the very end.
    """
    digits = ""
    for character in chip[3:]:
        if not character.isdigit():
            break
        digits += character
    return (int(digits) if digits else 0), chip.endswith("a")


def verify_target(module: Operation, target: NVVMTargetAttr) -> None:
    """Checks that the chip exists and has every operation in the module."""
    version, is_accelerated = sm_version(target.chip)
    if version < MINIMUM_VERSION:
        raise error(module, "Minimum NVVM target SM version is sm_20")
    supported: dict[str, bool] = {}
    for op in module.walk():
        name = op.name
        if name not in supported:
            supported[name] = _is_supported(name, version, is_accelerated)
        if not supported[name]:
            raise op_error(op, f"is not supported on {target.chip}")


def _is_supported(name: str, version: int, is_accelerated: bool) -> bool:
    spec = ods.op_spec(name)
    for trait in () if spec is None else spec.traits:
        if isinstance(trait, str):
            continue
        kind, *arguments = trait
        numbers = [int(n) for n in ",".join(map(str, arguments)).split(",") if n.strip().isdigit()]
        if kind == "NVVMRequiresSM" and numbers and version < numbers[0]:
            return False
        if kind == "NVVMRequiresSMa" and not (is_accelerated and version in numbers):
            return False
    return True


VERIFY: dict[str, Verifier] = {
    **VERIFY_CONVERSIONS,
    **VERIFY_COPIES,
    **VERIFY_MATRICES,
    **VERIFY_MMA,
    **VERIFY_SYNC,
    **VERIFY_TCGEN05,
}

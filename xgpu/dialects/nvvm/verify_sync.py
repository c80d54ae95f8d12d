# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of nvvm's fences, barriers, warp collectives, prefetches, queries. MLIR's messages.

Source: MLIR 22.1 NVVMDialect.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xgpu.core.ir.errors import op_error
from xgpu.dialects.nvvm.checks import (
    CONSTANT,
    GENERIC,
    GLOBAL,
    LOCAL,
    address_space,
    flag,
    is_integer,
    keyword,
    number,
    require,
    shown,
    struct_body,
)

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation

    from xgpu.dialects import nvvm
    from xgpu.dialects.hook_types import Verifier
    from xgpu.dialects.llvm.attributes import ConstantRangeAttr


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
    from xdsl.dialects.builtin import i1

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

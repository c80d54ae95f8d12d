# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nvvm: barriers, mbarriers, fences, clusters, launch control, waits for groups."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import i1, i32, i64
from xdsl.ir import Operation, SSAValue

from xgpu.backend.llvm_ir.address_comparisons import icmp
from xgpu.backend.llvm_ir.context import Argument, Emitter, Literal
from xgpu.backend.llvm_ir.facts import flag, number, prop
from xgpu.backend.llvm_ir.nvvm_operands import (
    CLUSTER,
    SHARED,
    emit,
    in_shared,
    keyword,
    optional,
    space,
)

if TYPE_CHECKING:
    from xgpu.backend.llvm_ir.function import FunctionWriter
    from xgpu.dialects import nvvm


# --- barriers of a block -------------------------------------------------------------------------
def barrier0(w: FunctionWriter, op: Operation) -> None:
    emit(w, op, "barrier.cta.sync.aligned.all", (Literal(32, 0),))


def barrier(w: FunctionWriter, op: nvvm.BarrierOp) -> None:
    arguments: list[Argument] = [optional(op.barrier_id, Literal(32, 0))]
    reduction = keyword(op, "reductionOp")
    if reduction:
        predicate = w.values[cast("SSAValue", op.reduction_predicate)]
        folded = icmp(w.module, "ne", predicate, "0", i32) if predicate[0] != "%" else None
        holds = folded if folded is not None else w.new(f"icmp ne i32 {predicate}, 0")
        arguments.append(f"i1 {holds}")
        kind = i32 if reduction == "popc" else i1
        name = f"llvm.nvvm.barrier.cta.red.{reduction}.aligned.all"
        text = w.call(op, kind, name, arguments)
        assert text is not None
        w.values[op.results[0]] = text if kind == i32 else w.new(f"zext i1 {text} to i32")
        return
    if op.number_of_threads is not None:
        arguments.append(op.number_of_threads)
        emit(w, op, "barrier.cta.sync.aligned.count", arguments)
    else:
        emit(w, op, "barrier.cta.sync.aligned.all", arguments)


def _cluster(name: str) -> Callable[[FunctionWriter, Operation], None]:
    def write(w: FunctionWriter, op: Operation) -> None:
        emit(w, op, name + (".aligned" if flag(op, "aligned") else ""), ())

    return write


# --- mbarrier ------------------------------------------------------------------------------------
def _scope(
    op: nvvm.MbarrierArriveOp
    | nvvm.MbarrierArriveExpectTxOp
    | nvvm.MbarrierArriveDropOp
    | nvvm.MbarrierArriveDropExpectTxOp
    | nvvm.MbarrierCompleteTxOp
    | nvvm.MbarrierExpectTxOp,
) -> str:
    """`scope.cta.space.cluster`: the operation's scope, and where its mbarrier lies."""
    scope = "cluster" if keyword(op, "scope") == "cluster" else "cta"
    where = "cluster" if space(op.addr) == CLUSTER else "cta"
    return f"scope.{scope}.space.{where}"


def _relaxed(op: Operation) -> str:
    return ".relaxed" if flag(op, "relaxed") else ""


def _shared_suffix(name: str) -> Emitter:
    """Operations with one intrinsic for shared and one for generic pointers."""

    def write(w: FunctionWriter, op: nvvm.MbarrierInitOp | nvvm.MbarrierInvalOp) -> None:
        suffix = ".shared" if space(op.addr) == SHARED else ""
        arguments = [op.addr]
        if (count := getattr(op, "count", None)) is not None:
            arguments.append(count)
        emit(w, op, name + suffix, arguments)

    return write


def mbarrier_tx(w: FunctionWriter, op: nvvm.MbarrierCompleteTxOp | nvvm.MbarrierExpectTxOp) -> None:
    """mbarrier.expect_tx and mbarrier.complete_tx"""
    name = op.name[len("nvvm.") :].replace("_", ".")
    emit(w, op, f"{name}.{_scope(op)}", (op.addr, op.txcount))


def mbarrier_arrive(
    w: FunctionWriter, op: nvvm.MbarrierArriveOp | nvvm.MbarrierArriveDropOp
) -> None:
    scope, address = _scope(op), in_shared(w, op.addr)
    drops = "drop" in op.name
    is_plain = op.count is None and not drops and not flag(op, "relaxed")
    if is_plain and scope == "scope.cta.space.cta":
        # The form that sm_80 has.
        emit(w, op, "mbarrier.arrive.shared", (address,))
        return
    name = "mbarrier.arrive.drop" if drops else "mbarrier.arrive"
    count = optional(op.count, Literal(32, 1))
    _arrive(w, op, f"{name}{_relaxed(op)}.{scope}", (address, count))


def _arrive(w: FunctionWriter, op: Operation, name: str, arguments: tuple[Argument, ...]) -> None:
    """An arrival on another block's mbarrier has no state to return."""
    result = None if name.endswith("space.cluster") else i64
    text = w.call(op, result, f"llvm.nvvm.{name}", arguments)
    if text is not None and op.results:
        w.values[op.results[0]] = text


def mbarrier_arrive_expect(
    w: FunctionWriter, op: nvvm.MbarrierArriveExpectTxOp | nvvm.MbarrierArriveDropExpectTxOp
) -> None:
    address = in_shared(w, op.addr)
    name = "mbarrier.arrive.drop" if "drop" in op.name else "mbarrier.arrive"
    name = f"{name}.expect.tx{_relaxed(op)}.{_scope(op)}"
    _arrive(w, op, name, (address, op.txcount))


def mbarrier_nocomplete(
    w: FunctionWriter, op: nvvm.MbarrierArriveNocompleteOp | nvvm.MbarrierArriveDropNocompleteOp
) -> None:
    name = "mbarrier.arrive.drop" if "drop" in op.name else "mbarrier.arrive"
    suffix = ".shared" if space(op.addr) == SHARED else ""
    emit(w, op, f"{name}.noComplete{suffix}", op.operands)


def mbarrier_wait(w: FunctionWriter, op: nvvm.MbarrierTestWaitOp | nvvm.MbarrierTryWaitOp) -> None:
    """mbarrier.test.wait and mbarrier.try_wait"""
    address = in_shared(w, op.addr)
    tries = "try" in op.name
    ticks = cast("nvvm.MbarrierTryWaitOp", op).ticks if tries else None
    name = "mbarrier.try.wait" if tries else "mbarrier.test.wait"
    name += ".parity" if w.types(op.state_or_phase.type) == "i32" else ""
    name += ".tl" if ticks is not None else ""
    scope = "cluster" if keyword(op, "scope") == "cluster" else "cta"
    arguments: list[Argument] = [address, op.state_or_phase]
    if ticks is not None:
        arguments.append(ticks)
    emit(w, op, f"{name}{_relaxed(op)}.scope.{scope}.space.cta", arguments)


# --- fences --------------------------------------------------------------------------------------
_MEMBAR = {"cta": "membar.cta", "cluster": "fence.sc.cluster", "gpu": "membar.gl"}


def memory_barrier(w: FunctionWriter, op: Operation) -> None:
    emit(w, op, _MEMBAR.get(keyword(op, "scope"), "membar.sys"), ())


def fence_proxy(w: FunctionWriter, op: Operation) -> None:
    kind = keyword(op, "kind")
    if kind == "async.shared":
        kind = f"async.shared_{keyword(op, 'space')}"
    emit(w, op, f"fence.proxy.{kind}", ())


def fence_proxy_one_way(w: FunctionWriter, op: Operation) -> None:
    order = op.name.rpartition(".")[2]
    name = f"fence.proxy.tensormap_generic.{order}.{keyword(op, 'scope')}"
    emit(w, op, name, op.operands)


_RESTRICTED = {
    "acquire": "acquire.sync_restrict.space.cluster.scope.cluster",
    "release": "release.sync_restrict.space.cta.scope.cluster",
}


def fence_sync_restrict(w: FunctionWriter, op: Operation) -> None:
    proxy = "proxy.async_generic." if op.name == "nvvm.fence.proxy.sync_restrict" else ""
    emit(w, op, f"fence.{proxy}{_RESTRICTED[keyword(op, 'order')]}", ())


# --- the rest ------------------------------------------------------------------------------------
_QUERIES = {
    "is_canceled": "is_canceled",
    "get_first_cta_id_x": "get_first_ctaid.x",
    "get_first_cta_id_y": "get_first_ctaid.y",
    "get_first_cta_id_z": "get_first_ctaid.z",
}


def query_cancel(w: FunctionWriter, op: Operation) -> None:
    query = _QUERIES[keyword(op, "query_type")]
    emit(w, op, f"clusterlaunchcontrol.query_cancel.{query}", op.operands)


def try_cancel(w: FunctionWriter, op: nvvm.ClusterlaunchcontrolTryCancelOp) -> None:
    multicast = ".multicast" if flag(op, "multicast") else ""
    name = f"clusterlaunchcontrol.try_cancel.async{multicast}.shared"
    emit(w, op, name, (op.smem_address, op.mbarrier))


def wgmma_wait(w: FunctionWriter, op: Operation) -> None:
    emit(w, op, "wgmma.wait_group.sync.aligned", (Literal(64, number(prop(op, "group"))),))


EMIT: dict[str, Emitter] = {
    "nvvm.barrier0": barrier0,
    "nvvm.barrier": barrier,
    "nvvm.cluster.arrive": _cluster("barrier.cluster.arrive"),
    "nvvm.cluster.arrive.relaxed": _cluster("barrier.cluster.arrive.relaxed"),
    "nvvm.cluster.wait": _cluster("barrier.cluster.wait"),
    "nvvm.mbarrier.init": _shared_suffix("mbarrier.init"),
    "nvvm.mbarrier.inval": _shared_suffix("mbarrier.inval"),
    "nvvm.mbarrier.expect_tx": mbarrier_tx,
    "nvvm.mbarrier.complete_tx": mbarrier_tx,
    "nvvm.mbarrier.arrive": mbarrier_arrive,
    "nvvm.mbarrier.arrive_drop": mbarrier_arrive,
    "nvvm.mbarrier.arrive.expect_tx": mbarrier_arrive_expect,
    "nvvm.mbarrier.arrive_drop.expect_tx": mbarrier_arrive_expect,
    "nvvm.mbarrier.arrive.nocomplete": mbarrier_nocomplete,
    "nvvm.mbarrier.arrive_drop.nocomplete": mbarrier_nocomplete,
    "nvvm.mbarrier.test.wait": mbarrier_wait,
    "nvvm.mbarrier.try_wait": mbarrier_wait,
    "nvvm.memory.barrier": memory_barrier,
    "nvvm.fence.proxy": fence_proxy,
    "nvvm.fence.proxy.acquire": fence_proxy_one_way,
    "nvvm.fence.proxy.release": fence_proxy_one_way,
    "nvvm.fence.sync_restrict": fence_sync_restrict,
    "nvvm.fence.proxy.sync_restrict": fence_sync_restrict,
    "nvvm.clusterlaunchcontrol.query.cancel": query_cancel,
    "nvvm.clusterlaunchcontrol.try.cancel": try_cancel,
    "nvvm.wgmma.wait.group.sync.aligned": wgmma_wait,
}

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nvvm: asynchronous copies, plain, bulk and of tensors (TMA)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Operation, SSAValue

from xgpu.backend.llvm_ir.context import Argument, Emitter, Literal
from xgpu.backend.llvm_ir.facts import flag, number, prop
from xgpu.backend.llvm_ir.nvvm_operands import (
    SHARED,
    boolean,
    emit,
    keyword,
    optional,
    space,
)

if TYPE_CHECKING:
    from xgpu.backend.llvm_ir.function import FunctionWriter
    from xgpu.dialects import nvvm

    Tensor = (
        nvvm.CpAsyncBulkTensorSharedClusterGlobalOp
        | nvvm.CpAsyncBulkTensorPrefetchOp
        | nvvm.CpAsyncBulkTensorGlobalSharedCtaOp
        | nvvm.CpAsyncBulkTensorReduceOp
    )
    Hinted = (
        Tensor
        | nvvm.CpAsyncBulkPrefetchOp
        | nvvm.CpAsyncBulkSharedClusterGlobalOp
        | nvvm.CpAsyncBulkGlobalSharedCtaOp
    )


def cp_async(w: FunctionWriter, op: nvvm.CpAsyncSharedGlobalOp) -> None:
    size = number(prop(op, "size"))
    cache = "cg" if size == 16 and keyword(op, "modifier") == "cg" else "ca"
    partial = ".s" if op.cp_size is not None else ""
    emit(w, op, f"cp.async.{cache}.shared.global.{size}{partial}", op.operands)


def cp_async_wait(w: FunctionWriter, op: Operation) -> None:
    emit(w, op, "cp.async.wait.group", (Literal(32, number(prop(op, "n"))),))


def cp_async_mbarrier(w: FunctionWriter, op: nvvm.CpAsyncMbarrierArriveOp) -> None:
    name = "cp.async.mbarrier.arrive" + (".noinc" if number(prop(op, "noinc")) else "")
    emit(w, op, name + (".shared" if space(op.addr) == SHARED else ""), op.operands)


def bulk_wait(w: FunctionWriter, op: Operation) -> None:
    name = "cp.async.bulk.wait.group" + (".read" if flag(op, "read") else "")
    emit(w, op, name, (Literal(32, number(prop(op, "group"))),))


def _hint(op: Hinted) -> tuple[SSAValue | Literal, Literal]:
    """The cache hint (0 if there is none), and whether there is one."""
    hint = op.l2_cache_hint
    return optional(hint, Literal(64, 0)), boolean(hint is not None)


def bulk_prefetch(w: FunctionWriter, op: nvvm.CpAsyncBulkPrefetchOp) -> None:
    emit(w, op, "cp.async.bulk.prefetch.L2", (op.src_mem, op.size, *_hint(op)))


def bulk_to_shared(w: FunctionWriter, op: nvvm.CpAsyncBulkSharedClusterGlobalOp) -> None:
    hint, has_hint = _hint(op)
    arguments: list[Argument] = [op.dst_mem, op.mbar, op.src_mem, op.size]
    if space(op.dst_mem) == SHARED:
        emit(w, op, "cp.async.bulk.global.to.shared.cta", (*arguments, hint, has_hint))
        return
    mask = op.multicast_mask
    arguments += [optional(mask, Literal(16, 0)), hint, boolean(mask is not None), has_hint]
    emit(w, op, "cp.async.bulk.global.to.shared.cluster", arguments)


def bulk_to_global(w: FunctionWriter, op: nvvm.CpAsyncBulkGlobalSharedCtaOp) -> None:
    arguments: list[Argument] = [op.dst_mem, op.src_mem, op.size, *_hint(op)]
    if op.byte_mask is not None:
        arguments.append(op.byte_mask)
    suffix = ".bytemask" if op.byte_mask is not None else ""
    emit(w, op, f"cp.async.bulk.shared.cta.to.global{suffix}", arguments)


def bulk_to_cluster(w: FunctionWriter, op: nvvm.CpAsyncBulkSharedClusterSharedCtaOp) -> None:
    arguments = [op.dst_mem, op.mbar, op.src_mem, op.size]
    emit(w, op, "cp.async.bulk.shared.cta.to.cluster", arguments)


def _shape(op: Tensor) -> str:
    """`tile.2d`, `im2col.w.128.5d`, `tile.gather4.2d`: mode and dimensions."""
    mode = keyword(op, "mode") or "tile"
    if mode in ("tile_gather4", "tile_scatter4"):
        return f"{mode.replace('_', '.')}.2d"
    return f"{mode.replace('_', '.')}.{len(op.coordinates)}d"


def tensor_to_shared(w: FunctionWriter, op: nvvm.CpAsyncBulkTensorSharedClusterGlobalOp) -> None:
    arguments: list[Argument] = [op.dst_mem, op.mbar, op.tma_descriptor]
    arguments += [*op.coordinates, *op.im2col_offsets]
    hint, has_hint = _hint(op)
    if flag(op, "isCTAOnly"):
        emit(w, op, f"cp.async.bulk.tensor.g2s.cta.{_shape(op)}", (*arguments, hint, has_hint))
        return
    mask = op.multicast_mask
    group = prop(op, "group")
    count = 0 if group is None else number(group) + 1
    arguments += [optional(mask, Literal(16, 0)), hint, boolean(mask is not None), has_hint]
    emit(w, op, f"cp.async.bulk.tensor.g2s.{_shape(op)}", (*arguments, Literal(32, count)))


def tensor_prefetch(w: FunctionWriter, op: nvvm.CpAsyncBulkTensorPrefetchOp) -> None:
    values = (op.tma_descriptor, *op.coordinates, *op.im2col_offsets)
    emit(w, op, f"cp.async.bulk.tensor.prefetch.{_shape(op)}", (*values, *_hint(op)))


def tensor_to_global(w: FunctionWriter, op: nvvm.CpAsyncBulkTensorGlobalSharedCtaOp) -> None:
    arguments = [op.src_mem, op.tma_descriptor, *op.coordinates]
    emit(w, op, f"cp.async.bulk.tensor.s2g.{_shape(op)}", (*arguments, *_hint(op)))


def tensor_reduce(w: FunctionWriter, op: nvvm.CpAsyncBulkTensorReduceOp) -> None:
    arguments = [op.src_mem, op.tma_descriptor, *op.coordinates]
    name = f"cp.async.bulk.tensor.reduce.{keyword(op, 'redKind')}.{_shape(op)}"
    emit(w, op, name, (*arguments, *_hint(op)))


EMIT: dict[str, Emitter] = {
    "nvvm.cp.async.shared.global": cp_async,
    "nvvm.cp.async.wait.group": cp_async_wait,
    "nvvm.cp.async.mbarrier.arrive": cp_async_mbarrier,
    "nvvm.cp.async.bulk.wait_group": bulk_wait,
    "nvvm.cp.async.bulk.prefetch": bulk_prefetch,
    "nvvm.cp.async.bulk.shared.cluster.global": bulk_to_shared,
    "nvvm.cp.async.bulk.global.shared.cta": bulk_to_global,
    "nvvm.cp.async.bulk.shared.cluster.shared.cta": bulk_to_cluster,
    "nvvm.cp.async.bulk.tensor.shared.cluster.global": tensor_to_shared,
    "nvvm.cp.async.bulk.tensor.prefetch": tensor_prefetch,
    "nvvm.cp.async.bulk.tensor.global.shared.cta": tensor_to_global,
    "nvvm.cp.async.bulk.tensor.reduce": tensor_reduce,
}

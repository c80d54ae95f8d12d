# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""transform.structured.*: operations on where results are written, and on what loops repeat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation, SSAValue

from xgpu.dialects.linalg import ops
from xgpu.dialects.reshapes import slice_operands
from xgpu.transform_dialect.interpreter import Results, each, flag
from xgpu.transform_dialect.state import TrackingRewriter, silenceable
from xgpu.transforms import fold_tensor_subset_ops
from xgpu.transforms.linalg.destinations import create_copy, in_destination_style
from xgpu.transforms.vector.hoist_transfers import hoist_broadcasts, hoist_transfers

if TYPE_CHECKING:
    from xgpu.transform_dialect.state import State


# --- what loops repeat ---------------------------------------------------------------------------
# transform.structured.hoist_redundant_vector_transfers and hoist_redundant_vector_broadcasts.


def hoist_vector_transfers(op: Operation, target: Operation, state: State) -> list[Operation]:
    hoist_transfers(
        target,
        lambda anchor: TrackingRewriter(state, anchor),
        nonzero=flag(op, "verify_non_zero_trip"),
    )
    return [target]


def hoist_vector_broadcasts(op: Operation, target: Operation, state: State) -> list[Operation]:
    hoist_broadcasts(target, lambda anchor: TrackingRewriter(state, anchor))
    return [target]


# --- destinations --------------------------------------------------------------------------------
# transform.structured.rewrite_in_destination_passing_style, insert_slice_to_copy and
# linalg_copy_to_memref.


def rewrite_in_destination_style(op: Operation, target: Operation, state: State) -> list[Operation]:
    new = in_destination_style(TrackingRewriter(state, target), target)
    if new is None:
        raise silenceable(
            op,
            "failed to rewrite in destination passing style"
            if target.name in ("tensor.from_elements", "tensor.generate", "tensor.pad")
            else "unsupported target op",
            [(target.location, "target op")],
        )
    return [new]


def insert_slice_to_copy(op: Operation, target: Operation, state: State) -> list[Operation]:
    """The copy of what is inserted to the place that it is inserted at."""
    if target.name not in ("tensor.insert_slice", "tensor.parallel_insert_slice"):
        raise silenceable(
            op,
            "only InsertSliceOp and ParallelInsertSliceOp ops are supported",
            [(target.location, "target op")],
        )
    source = target.operands[0]
    owner = source.owner
    if isinstance(owner, Operation) and owner.name == "linalg.copy" and len(owner.results) == 1:
        return [owner]
    rw = TrackingRewriter(state, target)
    if target.name == "tensor.parallel_insert_slice":
        around = target.parent_op()
        assert around is not None
        rw.before(around)
    place = fold_tensor_subset_ops.Slice(target)
    groups, properties = slice_operands((place.offsets, place.sizes, place.strides))
    dest = rw.value(
        "tensor.extract_slice", [[target.operands[1]], *groups], source.type, properties
    )
    copy = create_copy(rw, source, dest)
    target.operands[0] = copy.results[0]
    return [copy]


def copy_to_memref(op: Operation, target: Operation, state: State) -> list[Operation]:
    """memref.copy for a linalg.copy of buffers."""
    note = [(target.location, "target op")]
    if target.name != "linalg.copy":
        raise silenceable(op, "only linalg.copy target ops are supported", note)
    source, dest = target.operands
    if target.results:
        raise silenceable(op, "cannot transform a linalg.copy on tensors into a memref.copy", note)
    if source.type.name != "memref" or dest.type.name != "memref":
        raise silenceable(op, "cannot transform a linalg.copy which input is not a memref", note)
    if ops.scalar_type(source) != ops.scalar_type(dest):
        raise silenceable(
            op,
            "cannot transform a linalg.copy with different source and destination element types ",
            note,
        )
    rw = TrackingRewriter(state, target)
    new = rw.create("memref.copy", [source, dest])
    rw.replace(target, [])
    return [new]


# --- allocations ---------------------------------------------------------------------------------
# transform.structured.bufferize_to_allocation.


class _RecordingRewriter(TrackingRewriter):
    """Keeps what it has made."""

    __slots__ = ("made",)

    def __init__(self, state: State, made: list[Operation]) -> None:
        super().__init__(state)
        self.made = made

    def inserted(self, op: Operation) -> None:
        self.made.append(op)


def bufferize_targets(op: Operation, state: State) -> Results:
    from xgpu.transforms.bufferization.to_allocation import (
        AllocationOptions,
        bufferize_to_allocation,
    )

    def text(name: str, default: str) -> str:
        attr = op.properties.get(name)
        return attr.data if isinstance(attr, StringAttr) else default

    default = AllocationOptions()
    options = AllocationOptions(
        text("alloc_op", default.alloc_op),
        text("memcpy_op", default.copy_op),
        op.properties.get("memory_space", default.space),
        flag(op, "bufferize_destination_only"),
        flag(op, "emit_dealloc"),
    )
    made: list[Operation] = []
    buffers: list[SSAValue] = []
    for target in state.ops(op.operands[0]):
        location = target.location
        buffer = bufferize_to_allocation(_RecordingRewriter(state, made), target, options)
        if buffer is None:
            raise silenceable(
                op, "failed to bufferize operation", [(location, "target payload op")]
            )
        buffers.append(buffer)
    return [buffers, [new for new in dict.fromkeys(made) if new.parent is not None]]


OPS = {
    "transform.structured.bufferize_to_allocation": bufferize_targets,
    "transform.structured.hoist_redundant_vector_broadcasts": each(hoist_vector_broadcasts),
    "transform.structured.hoist_redundant_vector_transfers": each(hoist_vector_transfers),
    "transform.structured.insert_slice_to_copy": each(insert_slice_to_copy),
    "transform.structured.linalg_copy_to_memref": each(copy_to_memref),
    "transform.structured.rewrite_in_destination_passing_style": each(rewrite_in_destination_style),
}

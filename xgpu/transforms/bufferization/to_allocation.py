# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One operation on tensors as the same on buffers, whose result is in a new allocation.

What it writes is a copy in the new buffer; its users get that buffer as a tensor. With
`destination_only` the operation stays on tensors, and only writes to a new buffer. Source: MLIR
22.1 ConvertToDestinationStyle.cpp (bufferizeToAllocation).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    TensorType,
    UnitAttr,
)
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from xgpu.dialects.affine.index_math import as_value
from xgpu.dialects.memref.verify_views import infer_subview
from xgpu.dialects.reshapes import mixed, settle, slice_operands
from xgpu.transforms.bufferization.one_shot.buffers import Buffers
from xgpu.transforms.bufferization.one_shot.model import model_of
from xgpu.transforms.bufferization.one_shot.options import Options
from xgpu.transforms.bufferization.one_shot.state import Undecided
from xgpu.transforms.bufferization.one_shot.values import Operand, tensor_operands
from xgpu.transforms.linalg.destinations import create_copy, fill_padding
from xgpu.transforms.memref.result_sizes import size_of, size_of_result

if TYPE_CHECKING:
    from xgpu.core.rewriting.builder import Rewriter
    from xgpu.dialects import tensor


class AllocationOptions(NamedTuple):
    """How to allocate and copy: names of operations, and the memory space of the buffer."""

    alloc_op: str = "memref.alloc"
    copy_op: str = "bufferization.materialize_in_destination"
    space: Attribute = NoneAttr()
    destination_only: bool = False
    emit_dealloc: bool = False


def bufferize_to_allocation(
    rw: Rewriter, op: Operation, options: AllocationOptions
) -> SSAValue | None:
    """The new buffer; None if `op` cannot be bufferized like this. `rw` makes what is new."""
    rw.before(op)
    rw.location = op.location
    if op.name == "tensor.pad" and not options.destination_only:
        return _pad(rw, cast("tensor.PadOp", op), options)
    if op.name == "bufferization.alloc_tensor" and not options.destination_only:
        buffer = _allocate(rw, op.results[0], options)
        rw.replace(op, [_as_tensor(rw, buffer, op.results[0].type, fresh=True)])
        return buffer
    return _bufferize(rw, op, options)


def _bufferize(rw: Rewriter, op: Operation, options: AllocationOptions) -> SSAValue | None:
    state = Undecided(Options())
    model = model_of(op)
    if model is None or op.name == "vector.mask":
        return None
    results = [result for result in op.results if result.type.name == "tensor"]
    if not all(isinstance(result.type, TensorType) for result in results) or model.allocates(op):
        return None
    written: dict[Operand, None] = {}
    for result in results:
        written.update(dict.fromkeys(source.operand for source in state.sources(result)))
    written.update((use, None) for use in tensor_operands(op) if state.writes(use))
    if len(written) != 1:
        return None
    use = next(iter(written))
    buffer = _allocate(rw, use.value, options)
    if state.definitions(use.value):
        _copy(rw, use.value, buffer, options)
    kind = use.value.type
    op.operands[use.at] = _as_tensor(rw, buffer, kind, fresh=options.destination_only)
    if options.destination_only:
        return buffer
    buffers = Buffers(state)
    buffers.start(op)
    users = [(use.operation, use.index) for result in results for use in result.uses]
    model.bufferize(op, buffers)
    for made in buffers.created:
        if made.parent is not None:
            rw.inserted(made)
    for user, at in users:
        owner = user.operands[at].owner
        if isinstance(owner, Operation) and owner.name == "bufferization.to_tensor":
            owner.properties.update(restrict=UnitAttr(), writable=UnitAttr())
    return buffer


def _as_tensor(rw: Rewriter, buffer: SSAValue, kind: Attribute, *, fresh: bool) -> SSAValue:
    """The buffer as a tensor; a fresh one has no other name and may be written."""
    flags: dict[str, Attribute] = {"restrict": UnitAttr(), "writable": UnitAttr()} if fresh else {}
    return rw.value("bufferization.to_tensor", (buffer,), kind, flags)


def _allocate(rw: Rewriter, value: SSAValue, options: AllocationOptions) -> SSAValue:
    """A buffer of the shape of a tensor."""
    kind = cast("TensorType", value.type)
    shape = kind.get_shape()
    sizes: list[SSAValue] = []
    for dim, extent in enumerate(shape):
        if extent == DYNAMIC_INDEX:
            size = size_of_result(value, dim, rw) if isinstance(value, OpResult) else None
            sizes.append(as_value(rw, size_of(rw, value, dim) if size is None else size))
    memory = MemRefType(kind.element_type, shape, memory_space=options.space)
    buffer = rw.value(options.alloc_op, (sizes, []), memory)
    if options.emit_dealloc and options.alloc_op == "memref.alloc":
        last = rw.current.last_op
        assert last is not None
        with rw.insertion_guard():
            rw.before(last)
            rw.create("memref.dealloc", [buffer])
    return buffer


def _copy(rw: Rewriter, source: SSAValue, target: SSAValue, options: AllocationOptions) -> None:
    """Copies a tensor to a buffer."""
    if options.copy_op == "bufferization.materialize_in_destination":
        rw.create(options.copy_op, [source, target], (), {"writable": UnitAttr()})
        return
    kind = cast("TensorType", source.type)
    layout = StridedLayoutAttr([NoneAttr()] * len(kind.get_shape()), NoneAttr())
    memory = MemRefType(kind.element_type, kind.get_shape(), layout)
    read_only: dict[str, Attribute] = {"read_only": UnitAttr()}
    buffer = rw.value("bufferization.to_buffer", [source], memory, read_only)
    if options.copy_op == "memref.copy":
        rw.create("memref.copy", [buffer, target])
    else:
        create_copy(rw, buffer, target)


def _pad(rw: Rewriter, op: tensor.PadOp, options: AllocationOptions) -> SSAValue:
    """The padding in a new buffer, and the source copied to where it belongs."""
    buffer = _allocate(rw, op.results[0], options)
    rw.before(op)
    low, high = mixed(op, "low"), mixed(op, "high")
    if any(size != 0 for size in settle([*low, *high])):
        rw.after(fill_padding(rw, op, buffer))
        rw.before(op)
    source = op.operands[0]
    sizes = [size_of(rw, source, dim) for dim in range(len(low))]
    ones = [1] * len(low)
    known = [[n if isinstance(n, int) else None for n in part] for part in (low, sizes)]
    view = infer_subview(buffer.type, known[0], known[1], ones)
    assert view is not None
    groups, properties = slice_operands((low, sizes, ones))
    part = rw.value("memref.subview", [[buffer], *groups], view, properties)
    _copy(rw, source, part, options)
    rw.replace(op, [_as_tensor(rw, buffer, op.results[0].type, fresh=True)])
    return buffer

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies from global to shared memory through registers become asynchronous copies in groups.

Source: MLIR 22.1 CreateAsyncGroups.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerAttr, MemRefType, UnitAttr, i1, i64
from xdsl.ir import Operation, SSAValue

from xgpu.core import ods
from xgpu.core.ir.constants import int_of
from xgpu.core.ir.effects import is_memory_effect_free
from xgpu.dialects.affine.index_math import bit_width
from xgpu.dialects.arith.builders import index_constant
from xgpu.dialects.gpu.ops import walk_postorder

if TYPE_CHECKING:
    from xdsl.dialects.builtin import DenseArrayBase, IntegerType
    from xdsl.ir import Attribute

    from xgpu.core.rewriting.rewriter import Rewriter
    from xgpu.dialects import nvgpu, vector

_COPY_BYTES = (4, 8, 16)
_BYPASS_BYTES = 16
_SHARED = 3
_SLT = 2


def in_shared_memory(ty: Attribute) -> bool:
    """Whether a memref type is in workgroup memory, by either spelling."""
    space = getattr(ty, "memory_space", None)
    if isinstance(space, IntegerAttr):
        return space.value.data == _SHARED
    return space is not None and space.name == "gpu.address_space" and space.data == "workgroup"


def _unit_stride(ty: MemRefType) -> bool:
    if not ty.shape.data:
        return True
    layout = ty.get_strides()
    return layout is not None and layout[-1] == 1


def _is_contiguous_transfer(transfer: Operation) -> bool:
    op = cast("vector.TransferReadOp | vector.TransferWriteOp", transfer)
    if not isinstance(op.base.type, MemRefType):
        return False
    affine_map = op.properties["permutation_map"].data
    bounds = op.properties["in_bounds"].data
    rank = len(affine_map.results)
    minor = all(
        getattr(e, "position", None) == affine_map.num_dims - rank + i
        for i, e in enumerate(affine_map.results)
    )
    return minor and bool(bounds) and bool(bounds[0].value.data) and _unit_stride(op.base.type)


def _is_contiguous_store(op: Operation) -> bool:
    if op.name == "vector.transfer_write":
        return _is_contiguous_transfer(op) and cast("vector.TransferWriteOp", op).mask is None
    return op.name == "vector.store"


def _is_contiguous_read(op: Operation) -> bool:
    if op.name == "vector.transfer_read":
        return _is_contiguous_transfer(op)
    return op.name == "vector.load"


def _mask_source(mask: SSAValue) -> tuple[Operation, list[int]] | None:
    """The create_mask behind the mask, and what is extracted of it; None if it is another mask."""
    owner = mask.owner
    if not isinstance(owner, Operation):
        return None
    if owner.name == "vector.create_mask":
        return owner, []
    if owner.name == "vector.extract":
        inner = owner.operands[0].owner
        if isinstance(inner, Operation) and inner.name == "vector.create_mask":
            position = cast("DenseArrayBase[IntegerType]", owner.properties["static_position"])
            return inner, list(position.get_values())
    return None


def _can_be_copied(op: Operation) -> bool:
    if not _is_contiguous_store(op):
        return False
    write = cast("vector.TransferWriteOp | vector.StoreOp", op)
    stored = write.value_to_store
    ty = stored.type
    if len(ty.get_shape()) != 1:
        return False
    if not in_shared_memory(write.base.type):
        return False
    read = stored.owner
    if not isinstance(read, Operation) or not _is_contiguous_read(read):
        return False
    base = read.operands[0].type
    if in_shared_memory(base):
        return False
    if read.name == "vector.transfer_read":
        transfer = cast("vector.TransferReadOp", read)
        if transfer.mask is not None and (
            int_of(transfer.padding) == 0 or _mask_source(transfer.mask) is None
        ):
            return False
    bits = ty.get_shape()[0] * bit_width(ty.element_type)
    return bits in [8 * size for size in _COPY_BYTES]


def _read_elements(rw: Rewriter, op: Operation) -> SSAValue | None:
    """How many elements a masked read reads."""
    read = cast("vector.TransferReadOp", op)
    if op.name != "vector.transfer_read" or read.mask is None:
        return None
    source = _mask_source(read.mask)
    assert source is not None
    mask, position = source
    if not position:
        return mask.operands[0]
    condition: SSAValue | None = None
    for index, size in zip(position, mask.operands, strict=False):
        properties = {"predicate": IntegerAttr(_SLT, i64)}
        inside = rw.value("arith.cmpi", [index_constant(rw, index), size], i1, properties)
        condition = inside if condition is None else rw.value("arith.andi", [inside, condition], i1)
    assert condition is not None
    last = mask.operands[-1]
    return rw.value("arith.select", [condition, last, index_constant(rw, 0)], last.type)


def create_async_groups(rw: Rewriter, root: Operation, *, bypass_l1: bool) -> None:
    """Rewrites what is in `root`."""
    pending: dict[Operation, None] = {}
    for region in root.regions:
        for op in walk_postorder(region):
            if _can_be_copied(op):
                pending[op] = None
    while pending:
        first = next(iter(pending))
        del pending[first]
        _emit_group(rw, root, _group_from(first, pending), bypass_l1)


def _group_from(first: Operation, pending: dict[Operation, None]) -> list[Operation]:
    group = [first]
    following = first.next_op
    while following is not None:
        op = following
        following = op.next_op
        if not op.regions and is_memory_effect_free(op):
            continue
        if op.name in ("vector.transfer_read", "vector.load") and not in_shared_memory(
            op.operands[0].type
        ):
            continue
        if op not in pending:
            break
        del pending[op]
        group.append(op)
    return group


def _emit_group(rw: Rewriter, root: Operation, group: list[Operation], bypass_l1: bool) -> None:
    token = cast("nvgpu.DeviceAsyncTokenType", ods.attr_class("nvgpu.device.async.token")())
    tokens: list[SSAValue] = []
    for write in group:
        rw.before(write)
        rw.location = write.location
        target = cast("vector.StoreOp", write)
        stored = target.value_to_store
        read = cast("vector.LoadOp", stored.owner)
        count = stored.type.get_shape()[0]
        properties: dict[str, Attribute] = {"dstElements": IntegerAttr.from_index_int_value(count)}
        if bypass_l1 and count * bit_width(stored.type.element_type) // 8 == _BYPASS_BYTES:
            properties["bypassL1"] = UnitAttr()
        elements = _read_elements(rw, read)
        operands = [
            target.base,
            list(target.indices),
            read.operands[0],
            list(read.indices),
            elements,
        ]
        tokens.append(rw.value("nvgpu.device_async_copy", operands, token, properties))
    rw.location = root.location
    done = rw.value("nvgpu.device_async_create_group", tokens, token)
    rw.create("nvgpu.device_async_wait", [done])
    for write in group:
        rw.erase(write)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""convert-vector-to-scf: transfers of n-D vectors become loops over buffers of smaller vectors.

First the vector gets a buffer of one element, a vector; then, one dimension after the other, the
buffer is cast to one of more and smaller vectors, and a loop transfers those. A label says which
transfers belong to a buffer. Source: MLIR 22.1 VectorToSCF.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import MemRefType, UnitAttr
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineMap

from xgpu.conversion.vector.scf_bounds import Options, in_bounds_check, moved_indices
from xgpu.core.ir.op_info import traits_of
from xgpu.dialects.arith.builders import index_constant
from xgpu.dialects.syntax_helpers import scalable_dims
from xgpu.transforms.scf.builders import for_loop
from xgpu.transforms.vector.transfers import (
    READ,
    WRITE,
    Transfer,
    broadcast,
    create_read,
    create_write,
    without_leading_dims,
)

if TYPE_CHECKING:
    from xdsl.dialects.builtin import VectorType
    from xdsl.ir import Attribute

    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern

_LABEL = "__vector_to_scf_lowering__"
_SCOPE = "AutomaticAllocationScope"


def patterns(options: Options) -> dict[str, tuple[Pattern, ...]]:
    """The patterns of each transfer operation."""

    def prepare(op: Operation, rw: GreedyRewriter) -> bool:
        return _prepare(op, rw, options)

    def unpack(op: Operation, rw: GreedyRewriter) -> bool:
        return _unpack(op, rw, options)

    return {READ: (prepare, unpack), WRITE: (prepare, unpack)}


# --- buffers -------------------------------------------------------------------------------------
def _allocation_scope(op: Operation) -> Operation | None:
    """The nearest operation around `op` that frees what was allocated on the stack in it."""
    parent = op.parent_op()
    while parent is not None and _SCOPE not in traits_of(parent.name):
        parent = parent.parent_op()
    return parent


def _allocate(rw: GreedyRewriter, kind: Attribute) -> SSAValue:
    buffer = MemRefType(kind, ())
    return rw.value("memref.alloca", [[], []], buffer)


def _load(rw: GreedyRewriter, buffer: SSAValue, indices: list[SSAValue]) -> SSAValue:
    kind = cast("MemRefType", buffer.type)
    return rw.value("memref.load", [buffer, *indices], kind.element_type)


def _store(
    rw: GreedyRewriter, value: SSAValue, buffer: SSAValue, indices: list[SSAValue]
) -> Operation:
    return rw.create("memref.store", [value, buffer, *indices])


def _prepare(op: Operation, rw: GreedyRewriter, options: Options) -> bool:
    """Gives the vector of a transfer, and its mask, a buffer."""
    transfer = Transfer(op)
    if (
        _LABEL in op.attributes
        or transfer.rank <= options.target_rank
        or transfer.leading_scalable
        or (transfer.on_tensor and not options.lower_tensors)
        or not transfer.same_elements
    ):
        return False
    scope = _allocation_scope(op)
    if scope is None:
        return False
    mask = transfer.mask
    rw.at_start(scope.regions[0].blocks[0])
    buffer = _allocate(rw, transfer.vector_type)
    mask_buffer = _allocate(rw, mask.type) if mask is not None else None
    rw.at(op)
    if mask is not None and mask_buffer is not None:
        _store(rw, mask, mask_buffer, [])
        mask = _load(rw, mask_buffer, [])
    if transfer.is_read:
        assert transfer.padding is not None
        vector = create_read(
            rw,
            transfer.vector_type,
            transfer.base,
            transfer.indices,
            transfer.padding,
            transfer.map,
            transfer.in_bounds,
            mask,
        )
        _store(rw, vector, buffer, [])
        new = vector.owner
        assert isinstance(new, Operation)
    else:
        _store(rw, transfer.vector, buffer, [])
        new = create_write(
            rw,
            _load(rw, buffer, []),
            transfer.base,
            transfer.indices,
            transfer.map,
            transfer.in_bounds,
            mask,
        )
    new.attributes.update(op.attributes)
    new.attributes[_LABEL] = UnitAttr()
    rw.replace(op, [_load(rw, buffer, [])] if transfer.is_read else new.results)
    return True


# --- one dimension at a time ---------------------------------------------------------------------
def _unpacked(kind: MemRefType) -> MemRefType[Attribute] | None:
    """The type of the buffer with the first dimension of its vectors made one of its own."""
    vector = cast("VectorType", kind.element_type)
    flags = scalable_dims(vector)
    if not flags or flags[0]:
        return None
    shape = (*kind.get_shape(), vector.get_shape()[0])
    return MemRefType(without_leading_dims(vector), shape)


def _owner(value: SSAValue, name: str) -> Operation:
    owner = value.owner
    assert isinstance(owner, Operation)
    assert owner.name == name
    return owner


class _Unpacking:
    """One labelled transfer that becomes a loop."""

    def __init__(self, op: Operation, rw: GreedyRewriter, options: Options) -> None:
        self.op, self.rw, self.options = op, rw, options
        self.transfer = transfer = Transfer(op)
        #: What moves the vector between the transfer and the buffer.
        if transfer.is_read:
            use = op.results[0].first_use
            assert use is not None
            assert use.operation.name == "memref.store"
            self.access: Operation = use.operation
            self.old_buffer, *self.indices = self.access.operands[1:]
        else:
            self.access = _owner(transfer.vector, "memref.load")
            self.old_buffer, *self.indices = self.access.operands
        self.buffer = self.old_buffer
        self.mask_buffer: SSAValue | None = None
        self.mask_indices: list[SSAValue] = []
        self.rest = AffineMap(transfer.map.num_dims, 0, transfer.map.results[1:])

    def run(self) -> bool:
        rw, transfer = self.rw, self.transfer
        kind = _unpacked(cast("MemRefType", self.old_buffer.type))
        if kind is None:
            return False
        self.buffer = rw.value("vector.type_cast", [self.old_buffer], kind)
        if transfer.mask is not None:
            load = _owner(transfer.mask, "memref.load")
            self.mask_buffer, *self.mask_indices = load.operands
            # A broadcast is no dimension of the mask, and one of 1-D masks is checked here.
            if not transfer.is_broadcast(0) and transfer.mask_rank > 1:
                mask_kind = _unpacked(cast("MemRefType", self.mask_buffer.type))
                assert mask_kind is not None
                self.mask_buffer = rw.value("vector.type_cast", [self.mask_buffer], mask_kind)
        lower = index_constant(rw, 0)
        upper = index_constant(rw, transfer.shape[0])
        step = index_constant(rw, 1)
        inits = [transfer.base] if transfer.on_tensor and not transfer.is_read else []
        loop = for_loop(rw, lower, upper, step, inits, self._body)
        if transfer.is_read:
            rw.erase(self.access)
            rw.erase(self.op)
        else:
            rw.replace(self.op, loop.results)
        return True

    def _body(self, iv: SSAValue, carried: list[SSAValue]) -> list[SSAValue]:
        transfer = self.transfer
        in_or_out = (self._read, self._pad) if transfer.is_read else (self._write, self._keep)
        state = carried[0] if carried else None
        result = in_bounds_check(
            self.rw,
            transfer,
            iv,
            state.type if state is not None else None,
            lambda: in_or_out[0](iv, state),
            lambda: in_or_out[1](iv, state),
        )
        return [result] if result is not None else []

    def _label(self, op: Operation, rank: int) -> None:
        if rank > self.options.target_rank:
            op.attributes[_LABEL] = UnitAttr()

    def _mask(self, iv: SSAValue) -> SSAValue | None:
        """The mask of the smaller transfer."""
        transfer = self.transfer
        if self.mask_buffer is None:
            return None
        if transfer.is_broadcast(0):
            return _load(self.rw, self.mask_buffer, self.mask_indices)
        if transfer.mask_rank > 1:
            return _load(self.rw, self.mask_buffer, [*self.mask_indices, iv])
        return None

    def _read(self, iv: SSAValue, state: SSAValue | None) -> None:
        transfer, rw = self.transfer, self.rw
        indices = moved_indices(rw, transfer, iv)
        kind = cast("VectorType", self.buffer.type)
        assert transfer.padding is not None
        vector = create_read(
            rw,
            kind.element_type,
            transfer.base,
            indices,
            transfer.padding,
            self.rest,
            transfer.in_bounds[1:],
            self._mask(iv),
        )
        assert isinstance(vector.owner, Operation)
        self._label(vector.owner, transfer.rank - 1)
        _store(rw, vector, self.buffer, [*self.indices, iv])

    def _pad(self, iv: SSAValue, state: SSAValue | None) -> None:
        kind = cast("VectorType", self.buffer.type)
        assert self.transfer.padding is not None
        vector = broadcast(self.rw, self.transfer.padding, kind.element_type)
        _store(self.rw, vector, self.buffer, [*self.indices, iv])

    def _write(self, iv: SSAValue, state: SSAValue | None) -> SSAValue | None:
        transfer, rw = self.transfer, self.rw
        indices = moved_indices(rw, transfer, iv)
        vector = _load(rw, self.buffer, [*self.indices, iv])
        new = create_write(
            rw,
            vector,
            transfer.base if state is None else state,
            indices,
            self.rest,
            transfer.in_bounds[1:],
            self._mask(iv),
        )
        self._label(new, transfer.rank - 1)
        return new.results[0] if new.results else None

    def _keep(self, iv: SSAValue, state: SSAValue | None) -> SSAValue | None:
        return state


def _unpack(op: Operation, rw: GreedyRewriter, options: Options) -> bool:
    return _LABEL in op.attributes and _Unpacking(op, rw, options).run()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`convert-vector-to-scf`: transfers of vectors become loops, or many transfers of smaller
vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    IndexType,
    MemRefType,
    TensorType,
    UnitAttr,
    VectorType,
    i1,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from xgpu.core.ir import affine
from xgpu.core.ir.construction import next_use
from xgpu.core.ir.op_info import traits_of
from xgpu.dialects.affine.simplify import fully_canonical
from xgpu.dialects.arith.builders import cmpi, index_constant
from xgpu.dialects.syntax_helpers import scalable_dims
from xgpu.dialects.vector.ops import vector_type
from xgpu.dialects.vector.syntax import is_minor_identity, minor_identity
from xgpu.transforms.scf.builders import for_loop, if_else
from xgpu.transforms.vector.transfers import (
    READ,
    WRITE,
    Transfer,
    broadcast,
    create_read,
    create_write,
    extract,
    insert,
    last_dim_is_unit_stride,
    mixed_position,
    without_leading_dims,
)

if TYPE_CHECKING:
    from xgpu.core.rewriting.builder import Rewriter
    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern
    from xgpu.dialects.vector import ExtractOp, InsertOp


# --- scf bounds ----------------------------------------------------------------------------------
# convert-vector-to-scf: where a transfer goes on in memory, and whether that is in bounds.


_INDEX = IndexType()
_SUM = AffineMap(2, 0, (affine.add(AffineDimExpr(0), AffineDimExpr(1)),))

#: Builds one of two cases; gives its value, or None if the transfer has no result.
Case = Callable[[], SSAValue | None]


class Options:
    """The options of the pass."""

    __slots__ = ("lower_tensors", "target_rank")

    def __init__(self, target_rank: int, lower_tensors: bool) -> None:
        self.target_rank = target_rank
        self.lower_tensors = lower_tensors


def composed_apply(rw: Rewriter, affine_map: AffineMap, operands: Sequence[SSAValue]) -> SSAValue:
    """Creates an `affine.apply`, composed with those that define its operands."""
    final, values = fully_canonical(affine_map, list(operands))
    return rw.value("affine.apply", values, _INDEX, {"map": AffineMapAttr(final)})


def moved_indices(rw: Rewriter, transfer: Transfer, iv: SSAValue) -> list[SSAValue]:
    """The indices of `transfer` for step `iv` of its first vector dimension."""
    indices = list(transfer.indices)
    dim = transfer.memory_dim(0)
    if dim is not None:
        indices[dim] = composed_apply(rw, _SUM, [indices[dim], iv])
    return indices


def size_of(rw: Rewriter, base: SSAValue, dim: int) -> SSAValue:
    """The size of dimension `dim` of a memref or tensor."""
    kind = cast("MemRefType | TensorType", base.type)
    size = kind.get_shape()[dim]
    if size != DYNAMIC_INDEX:
        return index_constant(rw, size)
    name = "memref.dim" if kind.name == "memref" else "tensor.dim"
    return rw.value(name, [base, index_constant(rw, dim)], _INDEX)


def _condition(rw: Rewriter, transfer: Transfer, iv: SSAValue) -> SSAValue | None:
    """Whether step `iv` is in bounds and not masked; None if that is known."""
    condition: SSAValue | None = None
    dim = transfer.memory_dim(0)
    if dim is not None and not transfer.in_bounds[0]:
        size = size_of(rw, transfer.base, dim)
        index = composed_apply(rw, _SUM, [transfer.indices[dim], iv])
        condition = cmpi(rw, "sgt", size, index)
    # A mask of more dimensions goes along to the smaller transfer.
    if transfer.mask is not None and transfer.mask_rank == 1 and dim is not None:
        unmasked = extract(rw, transfer.mask, iv)
        condition = (
            unmasked if condition is None else rw.value("arith.andi", [condition, unmasked], i1)
        )
    return condition


def in_bounds_check(
    rw: Rewriter,
    transfer: Transfer,
    iv: SSAValue,
    result_type: Attribute | None,
    inside: Case,
    outside: Case,
) -> SSAValue | None:
    """Builds `inside`, or an `scf.if` of both cases where it is not known to be in bounds."""
    condition = _condition(rw, transfer, iv)
    if condition is None:
        return inside()

    def branch(case: Case) -> Callable[[], Sequence[SSAValue]]:
        def build() -> Sequence[SSAValue]:
            value = case()
            return () if result_type is None or value is None else (value,)

        return build

    types = () if result_type is None else (result_type,)
    op = if_else(rw, condition, types, branch(inside), branch(outside))
    return op.results[0] if result_type is not None else None


# --- scf 1d --------------------------------------------------------------------------------------
# convert-vector-to-scf: transfers of 1-D vectors whose elements are not adjacent in memory.
#
# A loop loads or stores one element after the other. Source: MLIR 22.1 VectorToSCF.cpp.


def vscale_multiple(rw: GreedyRewriter, count: SSAValue) -> SSAValue:
    """`count` times the runtime's multiple of scalable dimensions."""
    vscale = rw.value("vector.vscale", (), IndexType())
    return rw.value("arith.muli", [count, vscale], IndexType())


def _lower(op: Operation, rw: GreedyRewriter) -> bool:
    transfer = Transfer(op)
    base = cast("MemRefType | TensorType", transfer.base.type)
    if transfer.rank != 1 or not transfer.map.results or base.name != "memref":
        return False
    if is_minor_identity(transfer.map) and last_dim_is_unit_stride(base):
        return False  # the conversion to llvm takes it
    lower = index_constant(rw, 0)
    upper = index_constant(rw, transfer.shape[0])
    if scalable_dims(transfer.vector_type)[0]:
        upper = vscale_multiple(rw, upper)
    step = index_constant(rw, 1)
    inits: list[SSAValue] = []
    if transfer.padding is not None:
        inits.append(broadcast(rw, transfer.padding, transfer.vector_type))

    def body(iv: SSAValue, carried: list[SSAValue]) -> list[SSAValue]:
        indices = moved_indices(rw, transfer, iv)
        vector = carried[0] if carried else None

        def inside() -> SSAValue | None:
            if vector is None:
                value = extract(rw, transfer.vector, iv)
                rw.create("memref.store", [value, transfer.base, *indices])
                return None
            value = rw.value("memref.load", [transfer.base, *indices], base.element_type)
            return insert(rw, value, vector, iv)

        result_type = vector.type if vector is not None else None
        result = in_bounds_check(rw, transfer, iv, result_type, inside, lambda: vector)
        return [result] if result is not None else []

    loop = for_loop(rw, lower, upper, step, inits, body)
    rw.replace(op, loop.results)
    return True


PATTERNS_1D = {READ: (_lower,), WRITE: (_lower,)}


# --- scf loops -----------------------------------------------------------------------------------
# convert-vector-to-scf: transfers of n-D vectors become loops over buffers of smaller vectors.
#
# First the vector gets a buffer of one element, a vector; then, one dimension after the other, the
# buffer is cast to one of more and smaller vectors, and a loop transfers those. A label says which
# transfers belong to a buffer. Source: MLIR 22.1 VectorToSCF.cpp.


_LABEL = "__vector_to_scf_lowering__"
_SCOPE = "AutomaticAllocationScope"


def loop_patterns(options: Options) -> dict[str, tuple[Pattern, ...]]:
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


# --- scf unrolled --------------------------------------------------------------------------------
# convert-vector-to-scf, full-unroll: transfers of n-D vectors become many of smaller vectors.
#
# What is read is inserted into the result, what is written extracted, without buffers; a vector
# that is only inserted into another one, or extracted from one, is left out. Source: MLIR 22.1
# VectorToSCF.cpp.


def unrolled_patterns(options: Options) -> dict[str, tuple[Pattern, ...]]:
    """The patterns of each transfer operation."""

    def unroll(op: Operation, rw: GreedyRewriter) -> bool:
        transfer = Transfer(op)
        if (
            transfer.rank <= options.target_rank
            or (transfer.on_tensor and not options.lower_tensors)
            or not transfer.same_elements
            or transfer.leading_scalable
        ):
            return False
        (_unroll_read if transfer.is_read else _unroll_write)(transfer, rw)
        return True

    return {READ: (unroll,), WRITE: (unroll,)}


def _mask(rw: GreedyRewriter, transfer: Transfer, step: int) -> SSAValue | None:
    """The mask of the smaller transfer; one of a 1-D mask was checked already."""
    if transfer.mask is None:
        return None
    if transfer.is_broadcast(0):
        return transfer.mask
    return extract(rw, transfer.mask, step) if transfer.mask_rank > 1 else None


def _rest(transfer: Transfer) -> AffineMap:
    return AffineMap(transfer.map.num_dims, 0, transfer.map.results[1:])


def _only_insert(op: Operation) -> Operation | None:
    """The `vector.insert` that alone uses the result of `op`."""
    use = op.results[0].first_use
    if use is None or next_use(use) is not None:
        return None
    return use.operation if use.operation.name == "vector.insert" else None


def _unroll_read(read: Transfer, rw: GreedyRewriter) -> None:
    op, padding = read.op, read.padding
    assert padding is not None
    target = _only_insert(op)
    if target is not None:
        position = mixed_position(cast("InsertOp", target))
        vector = target.operands[1]
    else:
        position = []
        vector = broadcast(rw, padding, read.vector_type)
    kind = without_leading_dims(read.vector_type)
    for step in range(read.shape[0]):
        iv = index_constant(rw, step)

        def inside(step: int, iv: SSAValue, vector: SSAValue) -> SSAValue:
            indices = moved_indices(rw, read, iv)
            mask = _mask(rw, read, step)
            part = create_read(
                rw, kind, read.base, indices, padding, _rest(read), read.in_bounds[1:], mask
            )
            # Only scalars and vectors of a positive rank can be inserted.
            if not kind.get_shape():
                part = extract(rw, part)
            return insert(rw, part, vector, *position, step)

        result = in_bounds_check(
            rw,
            read,
            iv,
            vector.type,
            partial(inside, step, iv, vector),
            lambda vector=vector: vector,
        )
        assert result is not None
        vector = result
    if target is not None:
        rw.replace(target, [vector])
        rw.erase(op)
    else:
        rw.replace(op, [vector])


def _unroll_write(write: Transfer, rw: GreedyRewriter) -> None:
    source, position = write.vector, []
    owner = source.owner
    if isinstance(owner, Operation) and owner.name == "vector.extract":
        source, position = owner.operands[0], mixed_position(cast("ExtractOp", owner))
    kind = without_leading_dims(write.vector_type)
    base = write.base
    for step in range(write.shape[0]):
        iv = index_constant(rw, step)

        def inside(step: int, iv: SSAValue, base: SSAValue) -> SSAValue | None:
            indices = moved_indices(rw, write, iv)
            part = extract(rw, source, *position, step)
            if write.rank == 1:
                part = broadcast(rw, part, kind)
            mask = _mask(rw, write, step)
            new = create_write(rw, part, base, indices, _rest(write), write.in_bounds[1:], mask)
            return new.results[0] if new.results else None

        result = in_bounds_check(
            rw,
            write,
            iv,
            base.type if write.on_tensor else None,
            partial(inside, step, iv, base),
            lambda base=base: base if write.on_tensor else None,
        )
        base = result if result is not None else base
    rw.replace(write.op, [base] if write.on_tensor else [])


# --- scf scalable --------------------------------------------------------------------------------
# convert-vector-to-scf, lower-scalable: writes of transposed scalable vectors become loops.
#
# The loop goes along the scalable dimension and writes one row, of a fixed size, at a time.
# Source: MLIR 22.1 VectorToSCF.cpp.


def scalable_patterns(options: Options) -> dict[str, tuple[Pattern, ...]]:
    """The pattern, for writes."""

    def lower(op: Operation, rw: GreedyRewriter) -> bool:
        return _lower_scalable(op, rw, options)

    return {WRITE: (lower,)}


def _mask_sizes(rw: GreedyRewriter, mask: SSAValue | None) -> list[SSAValue] | None:
    """The sizes of the region that is not masked, none without a mask; None: unknown."""
    if mask is None:
        return []
    owner = mask.owner
    if not isinstance(owner, Operation):
        return None
    if owner.name == "vector.create_mask":
        return list(owner.operands)
    if owner.name != "vector.constant_mask":
        return None
    sizes: list[SSAValue] = []
    flags = scalable_dims(mask.type)
    for size, scalable in zip(owner.properties["mask_dim_sizes"].get_values(), flags, strict=True):  # type: ignore[attr-defined]
        value = index_constant(rw, size)
        sizes.append(vscale_multiple(rw, value) if scalable else value)
    return sizes


def _lower_scalable(op: Operation, rw: GreedyRewriter, options: Options) -> bool:
    write = Transfer(op)
    if write.on_tensor and not options.lower_tensors:
        return False
    if tuple(scalable_dims(write.vector_type)) != (True, False):
        return False
    dims = write.map.num_dims
    if dims != 2 or not is_minor_identity(write.map) or not write.in_bounds[0]:
        return False
    transposition = write.vector.owner
    if not isinstance(transposition, Operation) or transposition.name != "vector.transpose":
        return False
    if tuple(transposition.properties["permutation"].get_values()) != (1, 0):  # type: ignore[attr-defined]
        return False
    owner = write.mask.owner if write.mask is not None else None
    if write.mask is not None and not (
        isinstance(owner, Operation)
        and owner.name in ("vector.create_mask", "vector.constant_mask")
    ):
        return False
    sizes = _mask_sizes(rw, write.mask)
    assert sizes is not None
    rows, count = write.shape
    slices = [extract(rw, transposition.operands[0], at) for at in range(count)]
    lower = index_constant(rw, 0)
    upper = sizes[0] if sizes else vscale_multiple(rw, index_constant(rw, rows))
    step = index_constant(rw, 1)
    kind = without_leading_dims(write.vector_type)
    mask: SSAValue | None = None
    if sizes:
        mask = rw.value("vector.create_mask", sizes[1:], vector_type(i1, [count], [False]))

    def body(iv: SSAValue, carried: list[SSAValue]) -> list[SSAValue]:
        indices = moved_indices(rw, write, iv)
        elements = [extract(rw, part, iv) for part in slices]
        row = rw.value("vector.from_elements", elements, kind)
        new = create_write(
            rw,
            row,
            carried[0] if carried else write.base,
            indices,
            minor_identity(dims, 1),
            write.in_bounds[1:],
            mask,
        )
        return list(new.results)

    inits = [write.base] if write.on_tensor else []
    loop = for_loop(rw, lower, upper, step, inits, body)
    rw.replace(op, loop.results)
    return True

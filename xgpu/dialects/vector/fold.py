# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds of the vector dialect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    BoolAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    Float16Type,
    Float32Type,
    IntegerType,
    MemRefType,
    TensorType,
    VectorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr
from xdsl.ir.affine.affine_map import AffineMap

from xgpu.core.ir.constants import int_of, int_value, is_poison, poison, splat_value
from xgpu.core.ir.construction import defining
from xgpu.core.ir.elements import dense, pack, unpack
from xgpu.dialects import vector
from xgpu.dialects.memref_layout import fold_casts
from xgpu.dialects.syntax_helpers import scalable_dims
from xgpu.dialects.vector.builders import start
from xgpu.dialects.vector.fold_elements import (
    Constants,
    Folded,
    fold_constant_mask,
    fold_extract,
    fold_extract_slice,
    fold_from_elements,
    fold_insert,
    fold_insert_slice,
    fold_to_elements,
)
from xgpu.dialects.vector.ops import (
    POISON_INDEX,
    element_of,
    elements_of,
    filled,
    is_broadcastable,
    is_vector,
    rank,
    shape,
    splat_element,
    vector_of,
)

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter
    from xgpu.dialects.vector import TransferReadOp, TransferWriteOp


# -- Folds of operations that move elements of vectors or look at them as another shape.
#
# Source: MLIR 22.1 VectorOps.cpp, the `fold` methods.


def is_order_preserving(transpose: Operation) -> bool:
    """Whether only dimensions of one element change their place: the elements keep their order."""
    kind = cast("VectorType", transpose.operands[0].type)
    sizes, flags = shape(kind), scalable_dims(kind)
    permutation = cast(
        "DenseArrayBase[IntegerType]", transpose.properties["permutation"]
    ).get_values()
    moved = [p for p in permutation if sizes[p] != 1 or flags[p]]
    return moved == sorted(moved)


def fold_broadcast(op: vector.BroadcastOp, constants: Constants) -> Folded:
    """A broadcast of what has the result's type already, of a cast that changes only leading ones,
    of a constant."""
    source, result = op.operands[0], op.results[0].type
    if source.type == result:
        return [source]
    cast = defining(source, "vector.shape_cast")
    if cast is not None and _adds_leading_ones(cast, result):
        op.operands[0] = cast.operands[0]
        return True
    constant = constants[0]
    if is_poison(constant):
        return [poison()]
    element = splat_element(constant) if is_vector(source.type) else _scalar(constant, result)
    made = None if element is None else filled(result, element)
    return None if made is None else [made]


def _scalar(constant: Attribute | None, result: VectorType) -> bytes | None:
    """The bytes of a constant whose type is the vector's element type."""
    kind = getattr(constant, "type", None)
    return element_of(constant, result.element_type) if kind == result.element_type else None


def _adds_leading_ones(cast: vector.ShapeCastOp, result: VectorType) -> bool:
    """Whether a cast that is broadcast may as well be left out."""
    before, after = shape(cast.operands[0].type), shape(cast.results[0].type)
    common = min(len(before), len(after))
    same = before[len(before) - common :] == after[len(after) - common :]
    return same and is_broadcastable(cast.operands[0].type, result)


def fold_transpose(op: vector.TransposeOp, constants: Constants) -> Folded:
    """Splats, poison, and transpositions that move nothing."""
    if is_poison(constants[0]):
        return [poison()]
    element = splat_element(constants[0])
    if element is not None:
        made = filled(op.results[0].type, element)
        return None if made is None else [made]
    if op.operands[0].type == op.results[0].type and is_order_preserving(op):
        return [op.operands[0]]
    return None


def fold_shape_cast(op: vector.ShapeCastOp, constants: Constants) -> Folded:
    """The source of the last cast in a row, what was broadcast, constants."""
    source, result = op.operands[0], op.results[0].type
    if source.type == result:
        return [source]
    inner = defining(source, "vector.shape_cast", "vector.transpose", "vector.broadcast")
    if inner is not None and inner.name != "vector.broadcast":
        if inner.name == "vector.transpose" and not is_order_preserving(inner):
            return None
        op.operands[0] = inner.operands[0]
        return True
    if inner is not None and inner.operands[0].type == result:
        return [inner.operands[0]]
    constant = constants[0]
    if is_poison(constant):
        return [poison()]
    if splat_element(constant) is None and elements_of(constant) is None:
        return None
    return [dense(result, cast("DenseIntOrFPElementsAttr", constant).data.data)]


def fold_shuffle(op: vector.ShuffleOp, constants: Constants) -> Folded:
    """All of one vector as it is, and constants."""
    first, second = op.operands
    if not rank(first):
        return None  # the result has a dimension
    mask = list(op.mask.get_values())
    size, other = shape(first.type)[0], shape(second.type)[0]
    if mask == list(range(size)):
        return [first]
    if mask == list(range(size, size + other)):
        return [second]
    if is_poison(constants[0]) and is_poison(constants[1]):
        return [poison()]
    if rank(first) != 1:
        return None
    made = _shuffled(op, mask, constants, (size, other))
    return None if made is None else [made]


def _shuffled(
    op: Operation, mask: list[int], constants: Constants, sizes: tuple[int, int]
) -> Attribute | None:
    """The elements that a shuffle of constants chooses; for those that are poison, the first that
    is none."""
    parts: list[bytes | None] = []
    for constant, size in zip(constants, sizes, strict=True):
        elements: Sequence[bytes | None] | None = (
            [None] * size if is_poison(constant) else elements_of(constant)
        )
        if elements is None:
            return None
        parts.extend(elements)
    any_element = next(element for element in parts if element is not None)
    chosen = [None if at == POISON_INDEX else parts[at] for at in mask]
    return vector_of(
        op.results[0].type,
        [any_element if element is None else element for element in chosen],  # pyright: ignore
    )


def fold_bitcast(op: vector.BitcastOp, constants: Constants) -> Folded:
    """The source of the last cast in a row, and splats that become wider."""
    source, result = op.source, op.results[0].type
    if source.type == result:
        return [source]
    inner = defining(source, "vector.bitcast")
    if inner is not None:
        if inner.operands[0].type == result:
            return [inner.operands[0]]
        op.operands[0] = inner.operands[0]
        return True
    element = splat_element(constants[0])
    wide = None if element is None else _widened(element, source.type, result)
    made = None if wide is None else filled(result, wide)
    return None if made is None else [made]


def _widened(element: bytes, source: VectorType, result: VectorType) -> bytes | None:
    """The bits of equal elements side by side, as an element of the result."""
    before, after = source.element_type, result.element_type
    if isinstance(before, IntegerType) and isinstance(after, IntegerType):
        width, wide = before.width.data, after.width.data
        if wide <= width or wide % width:
            return None
        bits = unpack(element, before)[0] & ((1 << width) - 1)
        total = sum(bits << at for at in range(0, wide, width))
        return pack([total - (1 << wide) if total >> (wide - 1) else total], after)
    if isinstance(before, Float16Type) and isinstance(after, Float32Type):
        return element * 2
    return None


# -- Masked accesses whose mask is known: all of it is accessed, or nothing.
#
# Source: MLIR 22.1 VectorOps.cpp, the masked operations' folders.


def is_all(mask: SSAValue) -> bool | None:
    """True if every bit of `mask` is known to be set, False if none is; None if unknown."""
    op = mask.owner
    if not isinstance(op, Operation):
        return None
    kind = cast("VectorType", mask.type)
    if op.name == "arith.constant":
        value = splat_value(op.properties["value"])
        return None if value is None else bool(value)
    if op.name == "vector.constant_mask":
        sizes = cast("DenseArrayBase[IntegerType]", op.properties["mask_dim_sizes"])
        known = list(sizes.get_values())
        if tuple(known) == (tuple(kind.get_shape()) or (1,)):
            return True
        return False if all(size <= 0 for size in known) else None
    if op.name == "vector.create_mask":
        return _created(op, kind)
    return None


def _created(op: Operation, kind: VectorType) -> bool | None:
    flags = scalable_dims(kind)
    full = True
    for operand, size, scalable in zip(
        op.operands, kind.get_shape() or (1,), flags or (False,), strict=True
    ):
        known = int_of(operand)
        if known is not None and known <= 0:
            return False
        full = full and known is not None and not scalable and known >= size
    return True if full else None


def fold_create_mask(op: Operation, rw: GreedyRewriter) -> bool:
    """A mask of known sizes is a constant one."""
    ty = cast("VectorType", op.results[0].type)
    sizes: list[int] = []
    for operand, extent, scalable in zip(
        op.operands, ty.get_shape() or (1,), scalable_dims(ty) or (False,), strict=True
    ):
        known = int_of(operand)
        if known is None:
            # A multiple of vscale must be all there may be.
            if (_vscales(operand) or 0) < extent:
                return False
            known = extent
        elif scalable and known > 0:
            return False
        sizes.append(min(max(known, 0), extent))
    # Nothing counts in one dimension: nothing at all does.
    if 0 in sizes:
        sizes = [0] * len(sizes)
    start(op, rw)
    properties = {"mask_dim_sizes": DenseArrayBase.from_list(i64, sizes)}
    rw.replace(op, [rw.value("vector.constant_mask", (), ty, properties)])
    return True


def _vscales(value: SSAValue) -> int | None:
    """How many times `vector.vscale` a value is, if that is known."""
    op = defining(value, "arith.muli", "vector.vscale")
    if op is None or op.name == "vector.vscale":
        return None if op is None else 1
    for one, other in (op.operands, reversed(op.operands)):
        if defining(one, "vector.vscale") is not None:
            return int_of(other)
    return None


def _access(op: Operation) -> dict[str, Attribute]:
    return {k: v for k, v in op.properties.items() if k in ("alignment", "nontemporal")}


def fold_load(op: Operation, rw: GreedyRewriter) -> bool:
    """vector.maskedload, vector.expandload"""
    base, *indices, mask, passthru = op.operands
    known = is_all(mask)
    if known is None:
        return False
    start(op, rw)
    if known:
        kind = op.results[0].type
        rw.replace(op, [rw.value("vector.load", (base, *indices), kind, _access(op))])
    else:
        rw.replace(op, [passthru])
    return True


def fold_store(op: Operation, rw: GreedyRewriter) -> bool:
    """vector.maskedstore, vector.compressstore"""
    base, *indices, mask, value = op.operands
    known = is_all(mask)
    if known is None:
        return False
    start(op, rw)
    if known:
        rw.create("vector.store", (value, base, *indices), (), _access(op))
    rw.erase(op)
    return True


def fold_gather(op: Operation, rw: GreedyRewriter) -> bool:
    *_, mask, passthru = op.operands
    if is_all(mask) is not False:
        return False
    rw.replace(op, [passthru])
    return True


def fold_scatter(op: Operation, rw: GreedyRewriter) -> bool:
    mask = op.operands[-2]
    if is_all(mask) is not False:
        return False
    rw.replace(op, list(op.operands[:1]) if op.results else [])
    return True


def slice_of_mask(op: vector.ExtractStridedSliceOp, rw: GreedyRewriter) -> bool:
    """A slice of a constant mask is a constant mask."""
    mask = op.operands[0].owner
    if not isinstance(mask, Operation) or mask.name != "vector.constant_mask":
        return False
    attrs = op.properties
    strides = [s.value.data for s in attrs["strides"].data]
    if any(stride != 1 for stride in strides):
        return False
    offsets = [o.value.data for o in attrs["offsets"].data]
    sizes = [s.value.data for s in attrs["sizes"].data]
    property_ = cast("DenseArrayBase[IntegerType]", mask.properties["mask_dim_sizes"])
    known = list(property_.get_values())
    new = [max(0, min(o + s, k) - o) for o, s, k in zip(offsets, sizes, known, strict=False)]
    new.extend(known[len(new) :])
    # Nothing counts in one dimension: nothing at all does.
    if 0 in new:
        new = [0] * len(new)
    start(op, rw)
    properties = {"mask_dim_sizes": DenseArrayBase.from_list(i64, new)}
    rw.replace(op, [rw.value("vector.constant_mask", (), op.results[0].type, properties)])
    return True


def transpose_twice(op: Operation, rw: GreedyRewriter) -> bool:
    """A transpose of a transpose is one."""
    inner = op.operands[0].owner
    if not isinstance(inner, Operation) or inner.name != "vector.transpose":
        return False
    outer = cast("DenseArrayBase[IntegerType]", op.properties["permutation"])
    first = cast("DenseArrayBase[IntegerType]", inner.properties["permutation"])
    places = list(first.get_values())
    start(op, rw)
    permutation = DenseArrayBase.from_list(i64, [places[p] for p in outer.get_values()])
    rw.replace(
        op,
        [
            rw.value(
                "vector.transpose",
                (inner.operands[0],),
                op.results[0].type,
                {"permutation": permutation},
            )
        ],
    )
    return True


#: Masked accesses, by name.
ACCESSES = {
    "vector.compressstore": (fold_store,),
    "vector.expandload": (fold_load,),
    "vector.gather": (fold_gather,),
    "vector.maskedload": (fold_load,),
    "vector.maskedstore": (fold_store,),
    "vector.scatter": (fold_scatter,),
}

#: What passes that lower vectors do of this.
MASK_PATTERNS = {
    **ACCESSES,
    "vector.extract_strided_slice": (slice_of_mask,),
    "vector.transpose": (transpose_twice,),
}


# -- Folds of transfers: what is known to be in bounds, casts of memory that say less, masks that
# are set, and tensors that are read after they are written.
#
# Source: MLIR 22.1 VectorOps.cpp.


READ, WRITE = "vector.transfer_read", "vector.transfer_write"


def _vector(op: Operation) -> Attribute:
    """The type of the vector that is read or written."""
    return op.results[0].type if op.name == READ else op.operands[0].type


def _map(op: TransferReadOp | TransferWriteOp) -> AffineMap:
    return op.properties["permutation_map"].data


def _is_minor_identity(op: TransferReadOp | TransferWriteOp) -> bool:
    """Whether a vector's dimensions are the last ones of the memory, in their order."""
    map = _map(op)
    lead = map.num_dims - len(map.results)
    return lead >= 0 and all(
        isinstance(expr, AffineDimExpr) and expr.position == lead + i
        for i, expr in enumerate(map.results)
    )


def _is_in_bounds(op: TransferReadOp | TransferWriteOp) -> bool:
    return all(bool(flag.value.data) for flag in op.properties["in_bounds"].data)


def is_same_place(
    one: TransferReadOp | TransferWriteOp, other: TransferReadOp | TransferWriteOp
) -> bool:
    """Whether two transfers go to the same elements of what they read or write, in one order."""
    return (
        tuple(one.indices) == tuple(other.indices)
        and _vector(one) == _vector(other)
        and _map(one) == _map(other)
    )


def are_disjoint(
    one: TransferReadOp | TransferWriteOp, other: TransferReadOp | TransferWriteOp
) -> bool:
    """Whether constants show that two transfers have no element in common."""
    if _vector(one) != _vector(other):
        return False
    if not _is_minor_identity(one) or not _is_minor_identity(other):
        return False
    sizes = shape(_vector(one))
    lead = len(one.indices) - len(sizes)
    for dim, (first, second) in enumerate(zip(one.indices, other.indices, strict=True)):
        a, b = int_of(first), int_of(second)
        if a is None or b is None:
            continue
        if abs(a - b) >= (1 if dim < lead else sizes[dim - lead]):
            return True
    return False


def _mark_in_bounds(
    op: TransferReadOp | TransferWriteOp, first: int, vector: Attribute, constants: Constants
) -> bool:
    """Sets `in_bounds` where constant indices and static sizes show it."""
    results = _map(op).results
    if not results:
        return False
    old = [bool(flag.value.data) for flag in op.in_bounds.data]
    memory = cast("MemRefType | TensorType", op.operands[first].type)
    shape, sizes = memory.get_shape(), cast("VectorType", vector).get_shape()
    new = list(old)
    plain: list[int] = []
    for dim, expr in enumerate(results):
        if not isinstance(expr, AffineDimExpr):
            continue
        plain.append(dim)
        at = expr.position
        start = int_value(constants[first + 1 + at])
        if not old[dim] and start is not None and shape[at] != DYNAMIC_INDEX:
            new[dim] = start >= 0 and start + sizes[dim] <= shape[at]
    # A broadcast reads what the other dimensions read.
    if all(new[dim] for dim in plain):
        new = [True] * len(new)
    if new == old:
        return False
    op.properties["in_bounds"] = ArrayAttr([BoolAttr.from_bool(flag) for flag in new])
    return True


def _without_mask(op: TransferReadOp | TransferWriteOp) -> bool:
    """Drops a mask that is set everywhere."""
    if op.mask is None or not is_all(op.mask):
        return False
    op.operands = op.operands[:-1]
    sizes = list(op.properties["operandSegmentSizes"].get_values())
    op.properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, [*sizes[:-1], 0])
    return True


def _fold_common(
    op: TransferReadOp | TransferWriteOp, first: int, constants: Constants
) -> bool | None:
    """What reads and writes have in common."""
    if _mark_in_bounds(op, first, _vector(op), constants) or _without_mask(op):
        return True
    return fold_casts(op) or _fold_tensor_cast(op, first) or None


def _fold_tensor_cast(op: TransferReadOp | TransferWriteOp, first: int) -> bool:
    """Reads what was cast, if that says no less."""
    cast = defining(op.operands[first], "tensor.cast")
    if cast is None or op.name != READ:
        return False
    source, kind = cast.operands[0], cast.results[0].type
    if source.type.name != "tensor":
        return False
    sizes = zip(source.type.get_shape(), kind.get_shape(), strict=True)
    if any(known != said != DYNAMIC_INDEX for known, said in sizes):
        return False
    op.operands[first] = source
    return True


def fold_read(op: TransferReadOp, constants: Constants) -> Folded:
    """Folds a `vector.transfer_read`."""
    written = _written(op)
    return _fold_common(op, 0, constants) if written is None else [written]


def _written(op: TransferReadOp) -> SSAValue | None:
    """The vector that was written to a tensor where `op` reads."""
    write = None if op.mask is not None else defining(op.base, WRITE)
    while write is not None:
        if is_same_place(write, op) and write.mask is None and _is_in_bounds(write):
            return write.operands[0]
        if not are_disjoint(write, op):
            return None
        write = defining(write.base, WRITE)
    return None


def fold_write(op: TransferWriteOp, constants: Constants) -> Folded:
    """Folds a `vector.transfer_write`."""
    same = _unchanged(op) if op.results else None
    return _fold_common(op, 1, constants) if same is None else [same]


def _unchanged(op: TransferWriteOp) -> SSAValue | None:
    """The tensor that a write makes, if it is one that was read: all of it, or where it was."""
    read = defining(op.operands[0], READ)
    if read is None or read.mask is not None or op.mask is not None:
        return None
    if read.base is op.base and is_same_place(read, op):
        return op.base
    whole = (
        read.base.type == op.base.type
        and shape(_vector(op)) == cast("TensorType", op.base.type).get_shape()
        and shape(_vector(op)) != ()
        and all(_is_minor_identity(t) and _is_in_bounds(t) for t in (read, op))
        and all(int_of(index) == 0 for index in (*read.indices, *op.indices))
    )
    return read.base if whole else None


# -- The table of folds.


def _mask(op: vector.MaskOp, _: Constants) -> Folded:
    """A mask around nothing: what it yields. A mask that is all set: the operation comes out."""
    block = op.regions[0].blocks[0]
    inner, end = block.first_op, block.last_op
    if inner is None or end is None:
        return None
    if inner is end:
        return list(end.operands) if op.passthru is None and end.operands else None
    if not is_all(op.operands[0]) or not inner.results:
        return None
    end.operands = []
    inner.detach()
    assert op.parent is not None
    op.parent.insert_op_before(inner, op)
    return list(inner.results)


FOLD = {
    "vector.bitcast": fold_bitcast,
    "vector.broadcast": fold_broadcast,
    "vector.constant_mask": fold_constant_mask,
    "vector.extract": fold_extract,
    "vector.extract_strided_slice": fold_extract_slice,
    "vector.from_elements": fold_from_elements,
    "vector.insert": fold_insert,
    "vector.insert_strided_slice": fold_insert_slice,
    "vector.mask": _mask,
    "vector.shape_cast": fold_shape_cast,
    "vector.shuffle": fold_shuffle,
    "vector.to_elements": fold_to_elements,
    "vector.transfer_read": fold_read,
    "vector.transfer_write": fold_write,
    "vector.transpose": fold_transpose,
}

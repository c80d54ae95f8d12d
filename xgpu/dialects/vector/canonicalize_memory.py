# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of masks, memory accesses, transfers and reductions of vectors.

Source: MLIR 22.1 VectorOps.cpp.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    BoolAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    TensorType,
    VectorType,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr

from xgpu.core.ir.constants import constant_of, int_of
from xgpu.core.ir.construction import defining
from xgpu.core.ir.elements import Repeated, pack, values_of
from xgpu.dialects import vector
from xgpu.dialects.syntax_helpers import i64_array, scalable_dims
from xgpu.dialects.vector.builders import masking_op
from xgpu.dialects.vector.fold import are_disjoint, is_all, is_same_place
from xgpu.dialects.vector.ops import (
    chosen,
    combine,
    element_of,
    filled,
    integers,
    is_scalable,
    is_vector,
    rank,
    shape,
    splat_element,
    vector_type,
)

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern


# -- Canonicalization patterns of masks: parts, casts and transpositions of masks are masks, and
# masked operations of which all or nothing is done.
#
# Source: MLIR 22.1 VectorOps.cpp.


def _created(op: Operation, rw: GreedyRewriter, sizes: list[SSAValue]) -> bool:
    rw.replace(op, [rw.value("vector.create_mask", sizes, op.results[0].type)])
    return True


def _constant(op: Operation, rw: GreedyRewriter, sizes: list[int]) -> bool:
    properties = {"mask_dim_sizes": DenseArrayBase.from_list(i64, sizes)}
    rw.replace(op, [rw.value("vector.constant_mask", (), op.results[0].type, properties)])
    return True


def extract_of_mask(op: vector.ExtractOp, rw: GreedyRewriter) -> bool:
    """extract(create_mask) -> create_mask of the dimensions left, or nothing is set"""
    mask, result = defining(op.operands[0], "vector.create_mask"), op.results[0].type
    if mask is None or not is_vector(result):
        return False
    position = op.properties["static_position"].get_values()
    none_set, unknown = is_all(op.operands[0]) is False, False
    for at, bound, size in zip(position, mask.operands, shape(mask.results[0].type), strict=False):
        known = int_of(bound)
        if known is None:
            unknown = True
        elif at != DYNAMIC_INDEX:
            none_set = none_set or at >= known
        else:
            unknown = unknown or known < size
    if none_set:
        zero = filled(result, pack([0], cast("VectorType", result).element_type))
        assert zero is not None
        rw.replace(op, [rw.value("arith.constant", (), result, {"value": zero})])
        return True
    return not unknown and _created(op, rw, list(mask.operands[len(position) :]))


def slice_of_created(op: vector.ExtractStridedSliceOp, rw: GreedyRewriter) -> bool:
    """extract_strided_slice(create_mask) -> create_mask of what lies behind the offsets; it bounds
    them itself."""
    mask = defining(op.operands[0], "vector.create_mask")
    if mask is None or any(stride != 1 for stride in integers(op.properties["strides"])):
        return False
    sizes = list(mask.operands)
    for dim, offset in enumerate(integers(op.properties["offsets"])):
        start = rw.value(
            "arith.constant", (), IndexType(), {"value": IntegerAttr(offset, IndexType())}
        )
        sizes[dim] = rw.value("arith.subi", (sizes[dim], start), IndexType())
    return _created(op, rw, sizes)


def cast_of_mask(op: vector.ShapeCastOp, rw: GreedyRewriter) -> bool:
    """shape_cast of a mask without trailing dimensions of one element that are set -> a mask of the
    other dimensions"""
    mask = defining(op.operands[0], "vector.create_mask", "vector.constant_mask")
    if mask is None:
        return False
    kind, result = op.operands[0].type, op.results[0].type
    sizes, flags = list(shape(kind)), list(scalable_dims(kind))
    while len(sizes) > 1 and sizes[-1] == 1 and not flags[-1]:
        sizes.pop()
        flags.pop()
    kept = len(sizes)
    if tuple(sizes) != shape(result) or kept == len(shape(kind)):
        return False
    if mask.name == "vector.create_mask":
        if any(int_of(size) != 1 for size in mask.operands[kept:]):
            return False
        return _created(op, rw, list(mask.operands[:kept]))
    known = list(mask.properties["mask_dim_sizes"].get_values())
    return all(size == 1 for size in known[kept:]) and _constant(op, rw, known[:kept])


def transpose_of_mask(op: vector.TransposeOp, rw: GreedyRewriter) -> bool:
    """transpose of a mask -> a mask of the transposed sizes"""
    mask = defining(op.operands[0], "vector.create_mask", "vector.constant_mask")
    permutation = op.properties["permutation"].get_values()
    if mask is None or not permutation:
        return False
    if mask.name == "vector.create_mask":
        return _created(op, rw, [mask.operands[p] for p in permutation])
    known = list(mask.properties["mask_dim_sizes"].get_values())
    return _constant(op, rw, [known[p] for p in permutation])


def masked_nothing(op: vector.MaskOp, rw: GreedyRewriter) -> bool:
    """vector.mask %m, %p { vector.yield %a } -> arith.select %m, %a, %p"""
    terminator = op.regions[0].blocks[0].first_op
    if (
        op.passthru is None
        or terminator is None
        or terminator is not op.regions[0].blocks[0].last_op
    ):
        return False
    operands = (op.operands[0], terminator.operands[0], op.passthru)
    rw.replace(op, [rw.value("arith.select", operands, op.results[0].type)])
    return True


def masked_all(op: vector.MaskOp, rw: GreedyRewriter) -> bool:
    """vector.mask whose mask is all set -> the operation without it"""
    block = op.regions[0].blocks[0]
    masked, terminator = block.first_op, block.last_op
    if masked is terminator or not is_all(op.operands[0]):
        return False
    assert masked is not None
    assert terminator is not None
    assert op.parent is not None
    terminator.operands = []
    masked.detach()
    op.parent.insert_op_before(masked, op)
    rw.modified(masked)
    rw.replace(op, masked.results)
    return True


def _counts_from_zero(indices: SSAValue) -> bool:
    """Whether a vector of one dimension is 0, 1, 2, ..."""
    sizes = shape(indices.type)
    if len(sizes) != 1 or is_scalable(indices.type):
        return False
    if defining(indices, "vector.step") is not None:
        return True
    constant = constant_of(indices)
    if not isinstance(constant, DenseIntOrFPElementsAttr):
        return False
    if isinstance(constant.data.data, Repeated):
        return False  # too many equal ones to be held one by one
    return list(values_of(constant)) == list(range(sizes[0]))


def gather_of_rows(op: vector.GatherOp, rw: GreedyRewriter) -> bool:
    """gather of neighbours -> maskedload"""
    if not isinstance(op.base.type, MemRefType) or not _counts_from_zero(op.indices):
        return False
    operands = (op.base, *op.offsets, op.mask, op.pass_thru)
    rw.replace(op, [rw.value("vector.maskedload", operands, op.results[0].type)])
    return True


def scatter_of_rows(op: vector.ScatterOp, rw: GreedyRewriter) -> bool:
    """scatter to neighbours -> maskedstore"""
    if not isinstance(op.base.type, MemRefType) or not _counts_from_zero(op.indices):
        return False
    rw.create("vector.maskedstore", (op.base, *op.offsets, op.mask, op.operands[-1]))
    rw.erase(op)
    return True


def write_twice(op: vector.TransferWriteOp, rw: GreedyRewriter) -> bool:
    """A write to a tensor that another writes over: the earlier one goes"""
    if not op.results:
        return False
    changed = op
    before = defining(op.base, op.name)
    while before is not None:
        if is_same_place(op, before) and op.mask is before.mask:
            rw.set_operand(changed, 1, before.base)
            return True
        if not are_disjoint(before, op) or not before.results[0].has_one_use():
            return False
        changed, before = before, defining(before.base, op.name)
    return False


MEMORY_PATTERNS = {
    "vector.gather": (gather_of_rows,),
    "vector.scatter": (scatter_of_rows,),
    "vector.transfer_write": (write_twice,),
}


# -- Reads of tensors, of what was written to them in another order or fewer dimensions.
#
# Source: MLIR 22.1 VectorOps.cpp.


def _dims(op: vector.TransferReadOp | vector.TransferWriteOp) -> list[int | None] | None:
    """For each dimension of the vector that of the tensor, None for a broadcast; None if the map
    says anything else."""
    found: list[int | None] = []
    for expr in op.permutation_map.data.results:
        if isinstance(expr, AffineDimExpr):
            found.append(expr.position)
        elif isinstance(expr, AffineConstantExpr) and expr.value == 0:
            found.append(None)
        else:
            return None
    return found


def _accessed(dims: list[int | None], kind: VectorType[Attribute]) -> dict[int, tuple[int, int]]:
    """How many elements along each dimension of the tensor, and if times vscale; without those of
    one."""
    sizes = zip(kind.get_shape(), kind.get_scalable_dims(), strict=True)
    found = {
        dim: (size, int(scalable))
        for dim, (size, scalable) in zip(dims, sizes, strict=True)
        if dim is not None
    }
    return {dim: size for dim, size in found.items() if size != (1, 0)}


def read_what_was_written(op: vector.TransferReadOp, rw: GreedyRewriter) -> bool:
    """read(write v to t) from the same place -> transpose(broadcast v)"""
    write = cast("vector.TransferWriteOp | None", defining(op.base, "vector.transfer_write"))
    if write is None or op.mask is not None or write.mask is not None:
        return False
    if tuple(op.indices) != tuple(write.indices):
        return False
    flags = [*op.in_bounds.data, *write.in_bounds.data]
    if not all(bool(flag.value.data) for flag in flags):
        return False
    kind, stored = op.vector.type, write.operands[0].type
    element = cast("TensorType[Attribute]", op.base.type).element_type
    if not isinstance(stored, VectorType) or kind.element_type != element:
        return False
    reads, writes = _dims(op), _dims(write)
    if reads is None or writes is None or None in writes:
        return False
    if _accessed(reads, kind) != _accessed(writes, stored):
        return False
    order = _order(reads, writes)
    if order is None:
        return False
    rw.replace(op, [_rearranged(rw, write.operands[0], kind, order)])
    return True


def _order(reads: list[int | None], writes: list[int | None]) -> list[int] | None:
    """Which dimension of a broadcast of what is written each dimension of what is read is; None
    if what is read lacks one that is written, be it of one element, as in MLIR."""
    if not set(writes) <= set(reads):
        return None
    lead = len(reads) - len(writes)
    places = {dim: lead + at for at, dim in enumerate(writes)}
    order = [places.get(dim) if dim is not None else None for dim in reads]
    free = iter(range(lead))
    return [next(free) if place is None else place for place in order]


def _rearranged(
    rw: GreedyRewriter, value: SSAValue, kind: VectorType[Attribute], order: list[int]
) -> SSAValue:
    """`value` as a vector of type `kind`, of which `order` says where its dimensions are."""
    sizes, scalable = [1] * len(order), [False] * len(order)
    before = list(zip(kind.get_shape(), kind.get_scalable_dims(), strict=True))
    for (size, flag), at in zip(before, order, strict=True):
        sizes[at], scalable[at] = size, bool(flag)
    flags = ArrayAttr([BoolAttr.from_bool(flag) for flag in scalable])
    wide = VectorType(kind.element_type, sizes, flags)
    spread = rw.value("vector.broadcast", (value,), wide)
    permutation = DenseArrayBase.from_list(i64, order)
    return rw.value("vector.transpose", (spread,), kind, {"permutation": permutation})


TRANSFER_PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "vector.transfer_read": (read_what_was_written,)
}


# -- Canonicalization patterns of reductions and contractions.
#
# Source: MLIR 22.1 VectorOps.cpp. Where a mask leaves out what is reduced, the result is the
# accumulator.


def _scalar(rw: GreedyRewriter, value: SSAValue) -> SSAValue:
    """The only element of a vector."""
    kind = cast("VectorType", value.type)
    position = {"static_position": i64_array([0] * rank(value))}
    return rw.value("vector.extract", (value,), kind.element_type, position)


def _place(op: Operation, rw: GreedyRewriter) -> tuple[Operation, SSAValue | None]:
    """The operation to replace, which may be a mask around `op`, and the mask. From here on we
    build before it."""
    masking = masking_op(op)
    if masking is None:
        return op, None
    rw.before(masking)
    return masking, masking.operands[0]


def reduce_one(op: Operation, rw: GreedyRewriter) -> bool:
    """A reduction of one element -> the element, combined with the accumulator"""
    source, *rest = op.operands
    if shape(source.type) not in ((), (1,)) or is_scalable(source.type):
        return False
    if masking_op(op) is not None and not rest:
        return False  # what the kind leaves as it is where the mask is not set
    root, mask = _place(op, rw)
    bit = None if mask is None else _scalar(rw, mask)
    value = _scalar(rw, source)
    for acc in rest:
        fast = {"fastmath": op.properties["fastmath"]} if "fastmath" in op.properties else {}
        combined = combine(rw, op.properties["kind"], value, acc, fast)
        value = chosen(rw, bit, combined, acc)
    rw.replace(root, [value])
    return True


def reduce_units(op: vector.MultiReductionOp, rw: GreedyRewriter) -> bool:
    """A multi_reduction along dimensions of one element -> the vector without them, combined with
    the accumulator"""
    source, acc = op.operands
    kind = source.type
    reduced = op.properties["reduction_dims"].get_values()
    if any(shape(kind)[dim] != 1 or scalable_dims(kind)[dim] for dim in reduced):
        return False
    root, mask = _place(op, rw)
    left = None if mask is None else _without_units(rw, mask, acc)
    value = _without_units(rw, source, acc)
    combined = combine(rw, op.properties["kind"], acc, value)
    rw.replace(root, [chosen(rw, left, combined, acc)])
    return True


def _without_units(rw: GreedyRewriter, value: SSAValue, like: SSAValue) -> SSAValue:
    """The elements of `value` in the shape of `like`."""
    kind: Attribute = like.type
    if not is_vector(kind):
        return _scalar(rw, value)
    own = cast("VectorType", value.type)
    wanted = vector_type(own.element_type, shape(kind), scalable_dims(kind))
    return value if wanted == own else rw.value("vector.shape_cast", (value,), wanted)


def add_to_contract(op: vector.ContractOp, rw: GreedyRewriter) -> bool:
    """arith.add(contract with an accumulator of 0, %a) -> contract with the accumulator %a"""
    if op.kind.data != "add" or not _is_zero(op.operands[2]):
        return False
    result = op.results[0]
    for use in result.uses:
        add = use.operation
        if add.name not in ("arith.addi", "arith.addf"):
            continue
        rw.at(add)
        operands = (op.operands[0], op.operands[1], add.operands[1 - use.index])
        made = rw.value(op.name, operands, result.type, _properties(op), op.attributes)
        rw.replace(add, [made])
        return True
    return False


def _properties(op: Operation) -> Mapping[str, Attribute]:
    """Those of any operation, whatever its class says of their names."""
    return op.properties


def _is_zero(value: SSAValue) -> bool:
    constant = constant_of(value)
    kind = value.type
    element = splat_element(constant) if is_vector(kind) else element_of(constant, kind)
    return element is not None and not any(element)


REDUCTION_PATTERNS = {
    "vector.contract": (add_to_contract,),
    "vector.multi_reduction": (reduce_units,),
    "vector.reduction": (reduce_one,),
}

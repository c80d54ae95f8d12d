# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of vector operations that move and reshape vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xgpu.core.ir.attribute_text import shown
from xgpu.core.ir.dense_arrays import integers_of
from xgpu.core.ir.errors import op_error
from xgpu.core.ods.type_predicates import is_vector
from xgpu.dialects.memref.layout import has_identity_layout
from xgpu.dialects.syntax_helpers import DYNAMIC, scalable_dims
from xgpu.dialects.vector.infer import vector_type
from xgpu.dialects.vector.verify_contract import (
    verify_contract,
    verify_mask,
    verify_mask_type,
    verify_multi_reduction,
    verify_outerproduct,
    verify_reduction,
    verify_scan,
)
from xgpu.dialects.vector.verify_memory import (
    masked,
    verify_load,
    verify_store,
    verify_transfer_read,
    verify_transfer_write,
)

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ArrayAttr, FixedBitwidthType, IntegerAttr, VectorType
    from xdsl.ir import Attribute, Operation

    from xgpu.dialects.hook_types import Verifier
    from xgpu.dialects.vector import (
        BitcastOp,
        BroadcastOp,
        ConstantMaskOp,
        ExtractOp,
        ExtractStridedSliceOp,
        InsertOp,
        InsertStridedSliceOp,
        ShapeCastOp,
        ShuffleOp,
        TransposeOp,
        TypeCastOp,
    )


def _rank(kind: Attribute) -> int:
    return len(_shape(kind))


# -- broadcast, shuffle, transpose --------------------------------------------------------------


def _broadcast(op: BroadcastOp) -> None:
    source, result = op.operands[0].type, op.results[0].type
    if source.name in ("memref", "tensor", "unranked_memref", "unranked_tensor"):
        raise op_error(op, "source type is not a vector")
    if source.name != "vector":
        return
    if _rank(source) > _rank(result):
        raise op_error(op, "source rank higher than destination rank")
    offset = _rank(result) - _rank(source)
    for place, (size, flag) in enumerate(zip(_shape(source), scalable_dims(source), strict=True)):
        target = _shape(result)[offset + place]
        target_flag = scalable_dims(result)[offset + place]
        mismatch = size != 1 and size != target
        flags = (flag and not target_flag) or (not flag and target_flag and size != 1)
        if mismatch or flags or (flag and size != target):
            left = f"[{size}]" if flag else str(size)
            right = f"[{target}]" if target_flag else str(target)
            raise op_error(op, f"dimension mismatch ({left} vs. {right})")


def _shuffle(op: ShuffleOp) -> None:
    first, second = op.operands[0].type, op.operands[1].type
    result = op.results[0].type
    if not (_rank(first) == _rank(second) == 0 and _rank(result) == 1) and not (
        _rank(first) == _rank(second) == _rank(result)
    ):
        raise op_error(op, "rank mismatch")
    for place in range(1, _rank(first)):
        sizes = {_shape(kind)[place] for kind in (first, second, result)}
        if len(sizes) > 1:
            raise op_error(op, "dimension mismatch")
    mask = list(op.mask.get_values())
    if not mask:
        raise op_error(op, "invalid mask length")
    limit = sum(_shape(kind)[0] if _rank(kind) else 1 for kind in (first, second))
    for place, index in enumerate(mask):
        if index != -1 and not 0 <= index < limit:
            raise op_error(op, f"mask index #{place + 1} out of range")


def _transpose(op: TransposeOp) -> None:
    source, result = op.operands[0].type, op.results[0].type
    if _rank(source) != _rank(result):
        raise op_error(op, f"vector result rank mismatch: {_rank(result)}")
    permutation = list(op.permutation.get_values())
    if len(permutation) != _rank(source):
        raise op_error(op, f"transposition length mismatch: {len(permutation)}")
    seen: set[int] = set()
    for place, index in enumerate(permutation):
        if not 0 <= index < _rank(source):
            raise op_error(op, f"transposition index out of range: {index}")
        if index in seen:
            raise op_error(op, f"duplicate position index: {index}")
        seen.add(index)
        if _shape(result)[place] != _shape(source)[index]:
            raise op_error(op, f"dimension size mismatch at: {index}")


# -- extract, insert ----------------------------------------------------------------------------


def _positions(op: ExtractOp | InsertOp, vector: Attribute, words: str) -> None:
    for place, index in enumerate(integers_of(op.static_position)):
        if index != DYNAMIC and index != -1 and not 0 <= index < _shape(vector)[place]:
            suffix = " or poison (-1)" if words == "vector" else ""
            raise op_error(
                op,
                f"expected position attribute #{place + 1} to be a non-negative integer smaller "
                f"than the corresponding {words} dimension{suffix}",
            )


def _extract(op: ExtractOp) -> None:
    source, result = op.source.type, op.result.type
    if result.name == "vector" and not _rank(result) and source.element_type.name != "vector":
        raise op_error(op, "expected a scalar instead of a 0-d vector as the result type")
    if len(integers_of(op.static_position)) > _rank(source):
        raise op_error(op, "expected position attribute of rank no greater than vector rank")
    _positions(op, source, "vector")


def _insert(op: InsertOp) -> None:
    source, target = op.value_to_store.type, op.dest.type
    if source.name == "vector" and not _rank(source) and target.element_type.name != "vector":
        raise op_error(op, "expected a scalar instead of a 0-d vector as the source operand")
    count = len(op.properties["static_position"].get_values())
    if count > _rank(target):
        raise op_error(op, "expected position attribute of rank no greater than dest vector rank")
    if source.name == "vector" and count + _rank(source) != _rank(target):
        raise op_error(
            op, "expected position attribute rank + source rank to match dest vector rank"
        )
    if source.name != "vector" and count != _rank(target):
        raise op_error(op, "expected position attribute rank to match the dest vector rank")
    _positions(op, target, "dest vector")


def _numbers(attr: ArrayAttr[IntegerAttr]) -> list[int]:
    return [item.value.data for item in attr.data]


def _confined(
    op: Operation,
    values: Sequence[int],
    limits: Sequence[int],
    words: str,
    low: int,
    *,
    top: int = 0,
) -> None:
    """Each value is in [low, limit + top)."""
    for place, (value, limit) in enumerate(zip(values, limits, strict=False)):
        if not low <= value < limit + top:
            raise op_error(
                op,
                f"expected {words} dimension {place} to be confined to [{low}, {limit + top})",
            )


def _unit_strides(op: Operation, strides: Sequence[int]) -> None:
    if any(stride != 1 for stride in strides):
        raise op_error(op, "expected strides to be confined to [1, 2)")


def _insert_strided_slice(op: InsertStridedSliceOp) -> None:
    source, target = op.operands[0].type, op.operands[1].type
    offsets, strides = (_numbers(op.properties[name]) for name in ("offsets", "strides"))
    if len(offsets) != _rank(target):
        raise op_error(op, "expected offsets of same size as destination vector rank")
    if len(strides) != _rank(source):
        raise op_error(op, "expected strides of same size as source vector rank")
    if _rank(source) > _rank(target):
        raise op_error(op, "expected source rank to be no greater than destination rank")
    lead = _rank(target) - _rank(source)
    sizes = [0] * lead + list(_shape(source))
    _confined(op, offsets, _shape(target), "offsets", 0)
    _unit_strides(op, strides)
    sums = [offset + size for offset, size in zip(offsets, sizes, strict=True)]
    for place, (total, limit) in enumerate(zip(sums, _shape(target), strict=True)):
        if place >= lead and not 1 <= total < limit + 1:
            raise op_error(
                op,
                f"expected sum(offsets, source vector shape) dimension {place} to be confined to "
                f"[1, {limit + 1})",
            )
    flags, target_flags = scalable_dims(source), scalable_dims(target)[lead:]
    for place, (flag, wanted) in enumerate(zip(flags, target_flags, strict=True)):
        if flag != wanted:
            raise op_error(op, f"mismatching scalable flags (at source vector idx={place})")
        if flag and _shape(source)[place] != _shape(target)[lead + place]:
            raise op_error(
                op,
                f"expected size at idx={place} to match the corresponding base size from the input "
                f"vector ({_shape(source)[place]} vs {_shape(target)[lead + place]})",
            )


def _extract_strided_slice(op: ExtractStridedSliceOp) -> None:
    source, result = op.source.type, op.results[0].type
    offsets, sizes, strides = (_numbers(attr) for attr in (op.offsets, op.sizes, op.strides))
    if not len(offsets) == len(sizes) == len(strides):
        raise op_error(op, "expected offsets, sizes and strides attributes of same size")
    if len(offsets) > _rank(source):
        raise op_error(op, "expected offsets attribute of rank no greater than vector rank")
    _confined(op, offsets, _shape(source), "offsets", 0)
    _confined(op, sizes, _shape(source), "sizes", 1, top=1)
    _unit_strides(op, strides)
    sums = [offset + size for offset, size in zip(offsets, sizes, strict=True)]
    _confined(op, sums, _shape(source), "sum(offsets, sizes)", 1, top=1)
    shape = [*sizes, *_shape(source)[len(sizes) :]]
    expected = vector_type(source.element_type, shape, scalable_dims(source))
    if expected != result:
        raise op_error(op, f"expected result type to be '{shown(expected)}'")
    for place, (size, flag) in enumerate(zip(sizes, scalable_dims(source), strict=False)):
        if flag and size != _shape(source)[place]:
            raise op_error(
                op,
                f"expected size at idx={place} to match the corresponding base size from the input "
                f"vector ({size} vs {_shape(source)[place]})",
            )


# -- casts --------------------------------------------------------------------------------------


def _shape_cast(op: ShapeCastOp) -> None:
    source, result = op.source.type, op.result.type
    if source.element_type != result.element_type:
        raise op_error(op, "has different source and result element types")
    counts = [_count(source), _count(result)]
    if counts[0] != counts[1]:
        raise op_error(
            op,
            f"has different number of elements at source ({counts[0]}) and result ({counts[1]})",
        )
    flags = [sum(scalable_dims(source)), sum(scalable_dims(result))]
    if flags[0] != flags[1]:
        raise op_error(
            op,
            f"has different number of scalable dims at source ({flags[0]}) and result ({flags[1]})",
        )


def _count(kind: Attribute) -> int:
    count = 1
    for size in _shape(kind):
        count *= size
    return count


def _bits(kind: Attribute) -> int:
    if kind.name == "index":
        return 64
    return cast("FixedBitwidthType", kind).bitwidth


def _bitcast(op: BitcastOp) -> None:
    source, result = op.source.type, op.result.type
    shape, other = _shape(source), _shape(result)
    last = max(len(shape) - 1, 0)
    for place, (a, b) in enumerate(zip(shape[:last], other[:last], strict=False)):
        if a != b:
            raise op_error(op, f"dimension size mismatch at: {place}")
    bits, other_bits = _bits(source.element_type), _bits(result.element_type)
    if not shape:
        if bits != other_bits:
            raise op_error(
                op, "source/result bitwidth of the 0-D vector element types must be equal"
            )
        return
    if bits * shape[-1] != other_bits * other[-1]:
        raise op_error(op, "source/result bitwidth of the minor 1-D vectors must be equal")


def _type_cast(op: TypeCastOp) -> None:
    source, result = op.memref.type, op.result.type
    if not has_identity_layout(source):
        raise op_error(op, "expects operand to be a memref with identity layout")
    if not has_identity_layout(result):
        raise op_error(op, "expects result to be a memref with identity layout")
    if source.memory_space != result.memory_space:
        raise op_error(op, "expects result in same memory space")
    element = source.element_type
    inner = result.element_type
    flat = [*source.get_shape(), *_shape(element)]
    wanted = [*result.get_shape(), *_shape(inner)]
    base = element.element_type if is_vector(element) else element
    if (inner.element_type if is_vector(inner) else inner) != base:
        raise op_error(
            op,
            f"expects result and operand with same underlying scalar type: '{shown(base)}'",
        )
    if flat != wanted:
        raise op_error(op, "expects concatenated result and operand shapes to be equal")


# -- masks --------------------------------------------------------------------------------------


def _create_mask(op: Operation) -> None:
    result = cast("VectorType", op.results[0].type)
    if not _rank(result):
        if len(op.operands) != 1:
            raise op_error(op, "must specify exactly one operand for 0-D create_mask")
    elif len(op.operands) != _rank(result):
        raise op_error(op, "must specify an operand for each result vector dimension")


def _constant_mask(op: ConstantMaskOp) -> None:
    result = op.results[0].type
    sizes = list(op.mask_dim_sizes.get_values())
    if not _rank(result):
        if len(sizes) != 1:
            raise op_error(op, "array attr must have length 1 for 0-D vectors")
        if sizes[0] not in (0, 1):
            raise op_error(op, "mask dim size must be either 0 or 1 for 0-D vectors")
        return
    if len(sizes) != _rank(result):
        raise op_error(op, "must specify array attr of size equal vector result rank")
    for size, limit, flag in zip(sizes, _shape(result), scalable_dims(result), strict=True):
        if size < 0 or size > limit:
            raise op_error(op, "array attr of size out of bounds of vector result dimension size")
        if flag and size not in (0, limit):
            raise op_error(op, "only supports 'none set' or 'all set' scalable dimensions")
    if any(size == 0 for size in sizes) and any(sizes):
        raise op_error(
            op,
            "expected all mask dim sizes to be zeros, as a result of conjunction with zero mask "
            "dim",
        )


VERIFY: dict[str, Verifier] = {
    "vector.broadcast": _broadcast,
    "vector.shuffle": _shuffle,
    "vector.transpose": _transpose,
    "vector.extract": _extract,
    "vector.insert": _insert,
    "vector.insert_strided_slice": _insert_strided_slice,
    "vector.extract_strided_slice": _extract_strided_slice,
    "vector.shape_cast": _shape_cast,
    "vector.bitcast": _bitcast,
    "vector.type_cast": _type_cast,
    "vector.create_mask": _create_mask,
    "vector.constant_mask": _constant_mask,
    "vector.contract": verify_contract,
    "vector.reduction": verify_reduction,
    "vector.multi_reduction": verify_multi_reduction,
    "vector.outerproduct": verify_outerproduct,
    "vector.scan": verify_scan,
    "vector.mask": verify_mask,
    "vector.transfer_read": verify_transfer_read,
    "vector.transfer_write": verify_transfer_write,
    "vector.load": verify_load,
    "vector.store": verify_store,
    "vector.maskedload": masked("result", ("mask", "pass"), "shape"),
    "vector.maskedstore": masked("valueToStore", ("mask", "value"), "shape"),
    "vector.gather": masked("result", ("index", "mask", "pass"), "dim"),
    "vector.scatter": masked("valueToStore", ("index", "mask", "value"), "dim"),
    "vector.expandload": masked("result", ("mask", "pass"), "dim"),
    "vector.compressstore": masked("valueToStore", ("mask", "value"), "dim"),
}

VERIFY_REGIONS: dict[str, Verifier] = {"vector.mask": verify_mask_type}

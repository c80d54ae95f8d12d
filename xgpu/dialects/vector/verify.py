# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of vector operations that compute, move elements or change shapes.

Those of memory accesses are in `verify_memory.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    FixedBitwidthType,
    IntegerAttr,
    VectorType,
    i1,
)
from xdsl.ir import Attribute, Operation
from xdsl.ir.affine import AffineDimExpr, AffineMap

from xgpu.core.ir.errors import op_error, shown
from xgpu.core.ir.integers import integers_of
from xgpu.core.ods.predicates import i1_same_shape, is_float, is_integer, is_signless, is_vector
from xgpu.core.ods.registry import op_spec
from xgpu.dialects.memref_layout import has_identity_layout
from xgpu.dialects.syntax_helpers import DYNAMIC, scalable_dims
from xgpu.dialects.vector.ops import INFER, vector_type
from xgpu.dialects.vector.syntax import mask_type
from xgpu.dialects.vector.verify_memory import (
    masked,
    verify_load,
    verify_store,
    verify_transfer_read,
    verify_transfer_write,
)

if TYPE_CHECKING:
    from xgpu.dialects.interfaces import Verifier
    from xgpu.dialects.vector import (
        BitcastOp,
        BroadcastOp,
        ConstantMaskOp,
        ContractOp,
        ExtractOp,
        ExtractStridedSliceOp,
        InsertOp,
        InsertStridedSliceOp,
        MaskOp,
        MultiReductionOp,
        OuterproductOp,
        ReductionOp,
        ScanOp,
        ShapeCastOp,
        ShuffleOp,
        TransposeOp,
        TypeCastOp,
    )


# -- Verifiers of vector contractions, reductions, outer products, scans and masks.


_ANY = frozenset(("add", "mul"))
_FLOATS = frozenset(("minnumf", "maxnumf", "minimumf", "maximumf"))


def _supports(kind: str, element: Attribute) -> bool:
    """Whether values of a type combine by `kind`."""
    if kind in _ANY:
        return is_integer(element) or element.name == "index" or is_float(element)
    if kind in _FLOATS:
        return is_float(element)
    return is_integer(element) or element.name == "index"


def _shape(kind: Attribute) -> tuple[int, ...]:
    return cast("VectorType", kind).get_shape() if kind.name == "vector" else ()


# -- contract -----------------------------------------------------------------------------------


def verify_contract(op: ContractOp) -> None:
    """`vector.contract`"""
    lhs, rhs, acc = op.lhs.type, op.rhs.type, op.acc.type
    result = cast("VectorType", op.results[0].type)
    element = lhs.element_type
    if is_integer(element) and not is_signless(element):
        raise op_error(op, "only supports signless integer types")
    given = op.properties["indexing_maps"].data
    if not all(isinstance(attr, AffineMapAttr) for attr in given):
        raise op_error(op, "expected 'indexing_maps' to be affine maps")
    maps = [attr.data for attr in given if isinstance(attr, AffineMapAttr)]
    iterators = [kind.data for kind in op.properties["iterator_types"].data]
    if len(maps) != 3:
        raise op_error(op, "expected an indexing map for each vector operand")
    for index, (affine_map, kind) in enumerate(zip(maps, (lhs, rhs, acc), strict=True)):
        if affine_map.num_symbols:
            raise op_error(op, f"expected indexing map {index} to have no symbols")
        rank = len(_shape(kind))
        if affine_map.num_dims != len(iterators):
            raise op_error(
                op, f"expected indexing map {index} to have {len(iterators)} number of inputs"
            )
        if len(affine_map.results) != rank:
            raise op_error(op, f"expected indexing map {index} to have {rank} number of outputs")
        if not _is_projected(affine_map):
            raise op_error(
                op,
                f"expected indexing map {index} to be a projected permutation of its inputs",
            )
    pairs = _pairs(maps, iterators, "reduction")
    if not pairs:
        raise op_error(op, "expected at least one contracting dimension pair")
    for words, group in (
        ("contracting", pairs),
        ("batch", _pairs(maps, iterators, "parallel")),
    ):
        if any(_shape(lhs)[left] != _shape(rhs)[right] for left, right in group):
            raise op_error(op, f"invalid {words} dimension map")
    _verify_output(op, maps, (lhs, rhs), acc, result)
    if not _supports(op.properties["kind"].data, _element(result)):
        raise op_error(op, "unsupported contraction type")


def _is_projected(affine_map: AffineMap) -> bool:
    places = [e.position for e in affine_map.results if isinstance(e, AffineDimExpr)]
    return len(places) == len(affine_map.results) == len(set(places))


def _element(kind: VectorType) -> Attribute:
    return kind.element_type if kind.name == "vector" else kind


def _pairs(maps: list[AffineMap], iterators: list[str], wanted: str) -> list[tuple[int, int]]:
    """Dimensions of both operands that an iteration dimension of a kind runs over.

    A parallel dimension of both is a batch dimension, which the result has too.
    """
    found: list[tuple[int, int]] = []
    for dim, iterator in enumerate(iterators):
        places = [
            next((at for at, e in enumerate(m.results) if e == AffineDimExpr(dim)), None)
            for m in maps
        ]
        if iterator != wanted or places[0] is None or places[1] is None:
            continue
        if wanted == "reduction" or places[2] is not None:
            found.append((places[0], places[1]))
    return found


def _verify_output(
    op: Operation,
    maps: Sequence[AffineMap],
    operands: tuple[Attribute, Attribute],
    acc: Attribute,
    result: VectorType,
) -> None:
    sizes: dict[int, int] = {}
    for affine_map, kind in zip(maps[:2], operands, strict=True):
        for expr, size in zip(affine_map.results, _shape(kind), strict=True):
            sizes[cast("AffineDimExpr", expr).position] = size
    if len(sizes) != maps[0].num_dims:
        raise op_error(op, "expected all dimensions to be either a LHS or a RHS dimension")
    expected = [sizes[cast("AffineDimExpr", expr).position] for expr in maps[2].results]
    if not expected:
        if result.name == "vector" or acc.name == "vector":
            raise op_error(op, "invalid accumulator/result vector shape")
        return
    if list(_shape(result)) != expected or list(_shape(acc)) != expected:
        wanted = VectorType(_element(result), expected)
        raise op_error(op, f"invalid accumulator/result vector shape, expected: '{shown(wanted)}'")


# -- reductions ---------------------------------------------------------------------------------


def verify_reduction(op: ReductionOp) -> None:
    """`vector.reduction`"""
    vector = cast("VectorType", op.operands[0].type)
    rank = len(_shape(vector))
    if rank > 1:
        raise op_error(op, f"unsupported reduction rank: {rank}")
    kind = op.kind.data
    element = op.results[0].type
    if not _supports(kind, element):
        raise op_error(op, f"unsupported reduction type '{shown(element)}' for kind '{kind}'")


def verify_multi_reduction(op: MultiReductionOp) -> None:
    """`vector.multi_reduction`"""
    source, result = op.operands[0].type, op.results[0].type
    expected = INFER["vector.multi_reduction"](op.operands, op.properties, (), {})[0]
    if expected != result:
        raise op_error(
            op,
            f"destination type '{shown(result)}' is incompatible with source type "
            f"'{shown(source)}'",
        )


def verify_outerproduct(op: OuterproductOp) -> None:
    """`vector.outerproduct`"""
    left, right = op.operands[0].type, op.operands[1].type
    result = op.results[0].type
    if len(_shape(left)) != 1:
        raise op_error(op, "expected 1-d vector for operand #1")
    if right.name == "vector":
        if len(_shape(right)) != 1:
            raise op_error(op, "expected 1-d vector for operand #2")
        if len(_shape(result)) != 2:
            raise op_error(op, "expected 2-d vector result")
        if _shape(left)[0] != _shape(result)[0]:
            raise op_error(op, "expected #1 operand dim to match result dim #1")
        if _shape(right)[0] != _shape(result)[1]:
            raise op_error(op, "expected #2 operand dim to match result dim #2")
        if scalable_dims(left)[0] and not scalable_dims(right)[0]:
            raise op_error(op, "expected either both or only #2 operand dim to be scalable")
    else:
        if len(_shape(result)) != 1:
            raise op_error(op, "expected 1-d vector result")
        if _shape(left)[0] != _shape(result)[0]:
            raise op_error(op, "expected #1 operand dim to match result dim #1")
    if len(op.operands) > 2 and op.operands[2].type != result:
        raise op_error(op, "expected operand #3 of same type as result type")
    if not _supports(op.kind.data, result.element_type):
        raise op_error(op, "unsupported outerproduct type")


def verify_scan(op: ScanOp) -> None:
    """`vector.scan`"""
    source, initial = op.source.type, op.initial_value.type
    dim = op.properties["reduction_dim"].value.data
    rank = len(_shape(source))
    if dim >= rank:
        raise op_error(op, f"reduction dimension {dim} has to be less than {rank}")
    if len(_shape(initial)) != rank - 1:
        raise op_error(
            op, f"initial value rank {len(_shape(initial))} has to be equal to {rank - 1}"
        )
    kept = [size for place, size in enumerate(_shape(source)) if place != dim]
    if list(_shape(initial)) != kept:
        raise op_error(op, "incompatible input/initial value shapes")
    kind, element = op.properties["kind"].data, source.element_type
    if not _supports(kind, element):
        raise op_error(op, f"unsupported reduction type '{shown(element)}' for kind '{kind}'")


# -- mask ---------------------------------------------------------------------------------------


def verify_mask(op: Operation) -> None:
    """`vector.mask`"""
    block = op.regions[0].block
    operations = list(block.ops)
    if not operations:
        raise op_error(op, "expects a terminator within the mask region")
    if len(operations) > 2:
        raise op_error(op, "expects only one operation to mask")
    end = operations[-1]
    if end.name != "vector.yield":
        raise op_error(op, "expects a terminator within the mask region")
    if len(end.operands) != len(op.results):
        raise op_error(op, "expects number of results to match mask region yielded values")
    if len(operations) == 1:
        return
    masked = operations[0]
    spec = op_spec(masked.name)
    if spec is None or "MaskableOpInterface" not in spec.traits:
        raise op_error(op, "expects a MaskableOpInterface within the mask region")
    if len(masked.results) != len(op.results):
        raise op_error(
            op, "expects number of results to match maskable operation number of results"
        )
    if list(masked.results) != list(end.operands):
        raise op_error(
            op,
            "expects all the results from the MaskableOpInterface to match all the values returned "
            "by the terminator",
        )
    if [r.type for r in masked.results] != [r.type for r in op.results]:
        raise op_error(op, "expects result type to match maskable operation result type")


def verify_mask_type(op: MaskOp) -> None:
    """`vector.mask`, once the operation in it is known to be right: the mask is one for it."""
    masked = op.regions[0].block.first_op
    if masked is None or masked.name == "vector.yield":
        return
    expected = _expected_mask(masked)
    given = op.operands[0].type
    if expected is not None and expected != given:
        raise op_error(op, f"expects a '{shown(expected)}' mask for the maskable operation")
    if len(op.operands) > 1 and op.operands[1].type != op.results[0].type:
        raise op_error(op, "expects passthru type to match result type")


def _expected_mask(masked: Any) -> Any:
    """The mask type that a maskable operation takes, or None if we do not know."""
    match masked.name:
        case "vector.transfer_read":
            return mask_type(masked.results[0].type, masked.properties["permutation_map"].data)
        case "vector.transfer_write":
            value = cast("VectorType", masked.operand_group(0)[0].type)
            return mask_type(value, masked.properties["permutation_map"].data)
        case "vector.reduction" | "vector.multi_reduction":
            return i1_same_shape(masked.operands[0].type)
        case "vector.gather" | "vector.outerproduct":
            return i1_same_shape(masked.results[0].type)
        case "vector.contract":
            sizes: dict[int, tuple[int, bool]] = {}
            maps = [attr.data for attr in masked.properties["indexing_maps"].data]
            for affine_map, operand in zip(maps[:2], masked.operands[:2], strict=True):
                if operand.type.name != "vector":
                    continue
                flags = scalable_dims(operand.type)
                for expr, size, flag in zip(
                    affine_map.results, _shape(operand.type), flags, strict=True
                ):
                    sizes[expr.position] = (size, flag)
            dims = [sizes[dim] for dim in range(maps[0].num_dims)]
            return vector_type(i1, [size for size, _ in dims], [flag for _, flag in dims])
        case _:
            return None


# -- Verifiers of vector operations that move elements and change shapes.


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

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of vector contractions, reductions, outer products, scans and masks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir.affine import AffineDimExpr, AffineMap

from xgpu.core.ir.attribute_text import shown
from xgpu.core.ir.errors import op_error
from xgpu.core.ods.registry import op_spec
from xgpu.core.ods.type_predicates import is_float, is_integer, is_signless
from xgpu.dialects.syntax_helpers import scalable_dims

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.dialects.builtin import VectorType
    from xdsl.ir import Attribute, Operation

    from xgpu.dialects.vector import (
        ContractOp,
        MaskOp,
        MultiReductionOp,
        OuterproductOp,
        ReductionOp,
        ScanOp,
    )


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
        from xdsl.dialects.builtin import VectorType

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
    from xgpu.dialects.vector.infer import INFER

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
    from xgpu.core.ods.type_predicates import i1_same_shape
    from xgpu.dialects.vector.infer import vector_type
    from xgpu.dialects.vector.transfer_syntax import mask_type

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
            from xdsl.dialects.builtin import i1

            return vector_type(i1, [size for size, _ in dims], [flag for _, flag in dims])
        case _:
            return None

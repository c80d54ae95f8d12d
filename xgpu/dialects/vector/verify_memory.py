# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of vector operations that read and write memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import MemRefType, ShapedType, TensorType, VectorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap

from xgpu.core.ir.errors import op_error, shown
from xgpu.core.ods.predicates import is_vector
from xgpu.dialects.memref_layout import strides_and_offset
from xgpu.dialects.vector.syntax import mask_type

if TYPE_CHECKING:
    from xgpu.dialects.interfaces import Verifier
    from xgpu.dialects.vector import LoadOp, StoreOp, TransferReadOp, TransferWriteOp


def _shape(kind: Attribute) -> tuple[int, ...]:
    return cast("ShapedType", kind).get_shape()


# -- transfers ----------------------------------------------------------------------------------


def _transfer(
    op: TransferReadOp | TransferWriteOp,
    shaped: Attribute,
    vector: VectorType,
    mask: SSAValue | None,
    indices: int,
) -> None:
    permutation = op.permutation_map.data
    in_bounds = [bool(flag.value.data) for flag in op.in_bounds.data]
    if shaped.name not in ("memref", "tensor"):
        raise op_error(op, "requires source to be a memref or ranked tensor type")
    _check_indices(op, shaped, indices)
    vector_rank = len(_shape(vector))
    element = cast("MemRefType | TensorType", shaped).element_type
    if is_vector(element):
        _vector_elements(op, element, vector, permutation)
        if mask is not None:
            raise op_error(op, "does not support masks with vector element type")
    else:
        if _bits(vector.element_type) % _bits(element) and _bits(element) % _bits(
            vector.element_type
        ):
            raise op_error(
                op,
                "requires the bitwidth of the vector element type to be an integral "
                "multiple of the source element type's",
            )
        if len(permutation.results) != vector_rank:
            raise op_error(
                op,
                "requires a permutation_map with result dims of the same rank as the vector type",
            )
    if permutation.num_symbols:
        raise op_error(op, "requires permutation_map without symbols")
    if permutation.num_dims != len(_shape(shaped)):
        raise op_error(
            op, "requires a permutation_map with input dims of the same rank as the source type"
        )
    if mask is not None and mask.type != mask_type(vector, permutation):
        expected = mask_type(vector, permutation)
        raise op_error(
            op,
            f"inferred mask type ('{shown(expected)}') and mask operand type "
            f"('{shown(mask.type)}') don't match",
        )
    if len(in_bounds) != len(permutation.results):
        from xgpu.core.syntax.affine_printer import map_text

        raise op_error(
            op,
            "expects the in_bounds attr of same rank as permutation_map results: affine_map<"
            f"{map_text(permutation)}> vs inBounds of size: {len(in_bounds)}",
        )


def _check_indices(op: Operation, shaped: Attribute, indices: int) -> None:
    if shaped.name in ("memref", "tensor") and indices != len(_shape(shaped)):
        raise op_error(op, f"requires {len(_shape(shaped))} indices")


def _vector_elements(
    op: Operation, element: VectorType, vector: VectorType, permutation: AffineMap
) -> None:
    source = _bits(element.element_type) * (_shape(element)[-1] if _shape(element) else 1)
    result = _bits(vector.element_type) * (_shape(vector)[-1] if _shape(vector) else 1)
    if result % source:
        raise op_error(
            op,
            "requires the bitwidth of the minor 1-D vector to be an integral multiple of the "
            "bitwidth of the minor 1-D vector of the source",
        )
    if len(_shape(element)) > len(_shape(vector)):
        raise op_error(op, "requires source vector element and vector result ranks to match.")
    rest = len(_shape(vector)) - len(_shape(element))
    if len(permutation.results) != rest:
        raise op_error(
            op,
            "requires a permutation_map with result dims of the same rank as the vector type",
        )


def _bits(kind: Attribute) -> int:
    if kind.name == "index":
        return 64
    return getattr(kind, "bitwidth", 64)


def _is_broadcast(expr: AffineExpr) -> bool:
    return isinstance(expr, AffineConstantExpr) and expr.value == 0


def _projected(op: Operation, permutation: AffineMap) -> None:
    seen: set[int] = set()
    for expr in permutation.results:
        if _is_broadcast(expr):
            continue
        if not isinstance(expr, AffineDimExpr):
            raise op_error(
                op,
                "requires a projected permutation_map (at most one dim or the zero constant can "
                "appear in each result)",
            )
        if expr.position in seen:
            raise op_error(
                op,
                "requires a permutation_map that is a permutation (found one dim used more than "
                "once)",
            )
        seen.add(expr.position)


def verify_transfer_read(op: TransferReadOp) -> None:
    """`vector.transfer_read`"""
    base = cast("MemRefType | TensorType", op.operand_group(0)[0].type)
    vector = op.results[0].type
    masks = op.operand_group(3)
    _transfer(op, base, vector, masks[0] if masks else None, len(op.operand_group(1)))
    padding = op.operand_group(2)[0].type
    if padding != base.element_type:
        raise op_error(op, "requires formal padding and source of the same elemental type")
    _projected(op, op.permutation_map.data)


def verify_transfer_write(op: TransferWriteOp) -> None:
    """`vector.transfer_write`"""
    vector = cast("VectorType", op.operand_group(0)[0].type)
    base = op.operand_group(1)[0].type
    permutation = op.permutation_map.data
    masks = op.operand_group(3)
    _check_indices(op, base, len(op.operand_group(2)))
    if any(map(_is_broadcast, permutation.results)) and _shape(vector):
        raise op_error(op, "should not have broadcast dimensions")
    _transfer(op, base, vector, masks[0] if masks else None, len(op.operand_group(2)))
    _projected(op, permutation)


# -- load and store -----------------------------------------------------------------------------


def _unit_stride(op: Operation, memref: MemRefType, vector: VectorType) -> None:
    found = strides_and_offset(memref)
    strides = found[0] if found is not None else []
    # A vector of one element needs no stride.
    if _shape(vector) and strides and strides[-1] != 1:
        count = 1
        for size in _shape(vector):
            count *= size
        if count != 1:
            raise op_error(op, "most minor memref dim must have unit stride")


def _direct(
    op: Operation, memref: MemRefType, vector: VectorType, rank_message: str, value: str, types: str
) -> None:
    """What `vector.load` and `vector.store` ask of a memory and the vector that it gives or gets,
    with the words in which they differ."""
    _unit_stride(op, memref, vector)
    element = memref.element_type
    if len(_shape(memref)) < len(_shape(vector)) and element.name != "vector":
        raise op_error(op, rank_message)
    if is_vector(element):
        if element != vector:
            raise op_error(op, f"base memref and {value} vector types should match")
        element = element.element_type
    if vector.element_type != element:
        raise op_error(op, f"base and {value} element {types} should match")


def _index_count(op: Operation, memref: MemRefType, indices: Sequence[SSAValue]) -> None:
    if len(indices) != len(_shape(memref)):
        raise op_error(op, f"requires {len(_shape(memref))} indices")


def verify_load(op: LoadOp) -> None:
    """`vector.load`"""
    memref = op.base.type
    message = "destination memref has lower rank than the result vector"
    _direct(op, memref, op.result.type, message, "result", "types")
    _index_count(op, memref, op.operands[1:])


def verify_store(op: StoreOp) -> None:
    """`vector.store`"""
    memref = op.base.type
    message = "source memref has lower rank than the vector to store"
    _direct(op, memref, op.value_to_store.type, message, "valueToStore", "type")
    _index_count(op, memref, op.operands[2:])


# -- masked, gather, scatter --------------------------------------------------------------------


def masked(words: str, last: Sequence[str], shape_word: str) -> Verifier:
    """Base, indices, then the vectors `last` of "index", "mask", "pass", "value".

    `words` is how MLIR names what is read or written.
    """

    def verify(op: Operation) -> None:
        base, *rest = op.operands
        vectors = dict(zip(last, rest[len(rest) - len(last) :], strict=True))
        indices = len(rest) - len(last)
        value = vectors["value"] if "value" in vectors else op.results[0]
        vector = cast("VectorType", value.type)
        if vector.element_type != cast("MemRefType | TensorType", base.type).element_type:
            raise op_error(op, f"base and {words} element type should match")
        if indices != len(_shape(base.type)):
            raise op_error(op, f"requires {len(_shape(base.type))} indices")
        short = "result" if words == "result" else "valueToStore"
        if "index" in vectors and _shape(vectors["index"].type) != _shape(vector):
            raise op_error(op, f"expected {short} dim to match indices dim")
        if _shape(vectors["mask"].type) != _shape(vector):
            raise op_error(op, f"expected {short} {shape_word} to match mask {shape_word}")
        if "pass" in vectors and vectors["pass"].type != vector:
            raise op_error(op, "expected pass_thru of same type as result type")

    return verify

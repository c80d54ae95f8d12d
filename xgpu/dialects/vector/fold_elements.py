# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds of operations between vectors and their elements, and of constant masks."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import AnyFloat, ComplexType, IndexType, IntegerType

from xgpu.core.ir.elements import pack
from xgpu.dialects.vector.elements import element_of, filled, vector_of
from xgpu.dialects.vector.fold_extract import Constants, Folded
from xgpu.dialects.vector.shapes import defining, shape

if TYPE_CHECKING:
    from xdsl.dialects.builtin import VectorType
    from xdsl.ir import Operation

    from xgpu.dialects import vector


def fold_to_elements(op: Operation, _: Constants) -> Folded:
    """What a vector was made of."""
    maker = defining(op.operands[0], "vector.from_elements")
    return None if maker is None else list(maker.operands)


def fold_from_elements(op: Operation, constants: Constants) -> Folded:
    """A vector taken apart and put together again, and constants."""
    result = cast("VectorType", op.results[0].type)
    parts = defining(op.operands[0], "vector.to_elements")
    if parts is not None and parts.operands[0].type == result:
        if tuple(parts.results) == tuple(op.operands):
            return [parts.operands[0]]
        return None
    kind = result.element_type
    if not isinstance(kind, IntegerType | IndexType | AnyFloat | ComplexType):
        return None
    elements: list[bytes] = []
    for constant in constants:
        element = None if constant is None else element_of(constant, kind)
        if element is None:
            return None
        elements.append(element)
    if all(element == elements[0] for element in elements):
        made = filled(result, elements[0])
        return None if made is None else [made]
    return [vector_of(result, elements)]


def fold_constant_mask(op: vector.ConstantMaskOp, _: Constants) -> Folded:
    """A mask that is the same everywhere."""
    result = op.results[0].type
    sizes = tuple(op.mask_dim_sizes.get_values())
    whole = shape(result) or (1,)
    if sizes != whole and any(sizes):
        return None
    bit = pack([-1 if sizes == whole else 0], result.element_type)
    made = filled(result, bit)
    return None if made is None else [made]

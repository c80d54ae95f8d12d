# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds of operations that move elements of vectors or look at them as another shape.

Source: MLIR 22.1 VectorOps.cpp, the `fold` methods.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import Float16Type, Float32Type, IntegerType
from xdsl.ir import Attribute

from xgpu.core.ir.constants import is_poison, poison
from xgpu.core.ir.elements import dense, pack, unpack
from xgpu.dialects.syntax_helpers import scalable_dims
from xgpu.dialects.vector.elements import (
    element_of,
    elements_of,
    filled,
    splat_element,
    vector_of,
)
from xgpu.dialects.vector.fold_extract import Constants, Folded
from xgpu.dialects.vector.shapes import (
    POISON_INDEX,
    defining,
    is_broadcastable,
    is_vector,
    rank,
    shape,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.dialects.builtin import DenseArrayBase, DenseIntOrFPElementsAttr, VectorType
    from xdsl.ir import Operation

    from xgpu.dialects import vector


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

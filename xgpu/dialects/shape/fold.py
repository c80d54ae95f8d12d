# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds of the shape dialect.

Constants of shapes are dense elements of indices, those of sizes are integers, whichever type the
value has.

Source: MLIR 22.1 Shape.cpp.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, MemRefType, TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core.ir.constants import constant_of, int_value, is_poison, poison
from xgpu.core.ir.construction import defining
from xgpu.core.ir.integers import signed
from xgpu.dialects.interfaces import Folder
from xgpu.dialects.shape.ops import INDEX, extents_attribute, extents_of

Constants = list[Attribute | None]
Folded = list[SSAValue | Attribute] | bool | None
_TRUE = IntegerAttr.from_bool(True)


def _index(value: int) -> Attribute:
    return IntegerAttr(signed(value, 64), INDEX)


# -- Broadcasting.


def broadcast(left: Sequence[int], right: Sequence[int]) -> list[int] | None:
    """The extents of two shapes that are broadcast; None if they do not go together."""
    rank = max(len(left), len(right))
    padded = ([1] * (rank - len(s)) + list(s) for s in (left, right))
    result: list[int] = []
    for a, b in zip(*padded, strict=True):
        if DYNAMIC_INDEX in (a, b):
            # One that is not known is taken to fit a known one that is larger than 1.
            known = next((n for n in (a, b) if n > 1), None)
            result.append(known if known is not None else b if a == 1 else a)
        elif a == b or 1 in (a, b):
            result.append(b if a == 1 else a)
        else:
            return None
    return result


def is_broadcastable(shapes: Sequence[Sequence[int]]) -> bool:
    """Whether shapes go together whatever their unknown extents are."""
    for at in range(1, max(map(len, shapes)) + 1):
        other: int | None = None
        for shape in shapes:
            extent = shape[-at] if at <= len(shape) else 1
            if extent == 1:
                continue
            if other is not None and (extent != other or extent == DYNAMIC_INDEX):
                return False
            other = extent
    return True


def known_extents(value: SSAValue) -> list[int] | None:
    """The extents of a shape, as far as they are known; None if its rank is not."""
    source = defining(value, "shape.shape_of")
    if source is None:
        return extents_of(constant_of(value))
    kind = source.operands[0].type
    return list(kind.get_shape()) if isinstance(kind, TensorType | MemRefType) else None


# -- Sizes.


def _computed(constants: Constants, compute: Callable[[int, int], int | None]) -> Folded:
    left, right = constants
    if is_poison(left) or is_poison(right):
        return [poison()]
    a, b = int_value(left), int_value(right)
    value = None if a is None or b is None else compute(a, b)
    return None if value is None else [_index(value)]


def _arithmetic(compute: Callable[[int, int], int | None]) -> Folder:
    def fold(op: Operation, constants: Constants) -> Folded:
        return _computed(constants, compute)

    return fold


def _divide(a: int, b: int) -> int | None:
    return None if b == 0 else a // b


def _add(op: Operation, constants: Constants) -> Folded:
    """x + 0 is x."""
    left = op.operands[0]
    if int_value(constants[1]) == 0 and left.type == op.results[0].type:
        return [left]
    return _computed(constants, lambda a, b: a + b)


def _convert(op: Operation, constants: Constants) -> Folded:
    """Constants of indices and of sizes are the same."""
    if op.operands[0].type == op.results[0].type:
        return [op.operands[0]]
    return [constants[0]] if isinstance(constants[0], IntegerAttr) else None


def _extreme(op: Operation, constants: Constants) -> Folded:
    """max(x, x) is x."""
    left, right = op.operands
    return [left] if left is right and left.type == op.results[0].type else None


def _dim(op: Operation, constants: Constants) -> Folded:
    """A static extent of a value whose rank is known."""
    kind, at = op.operands[0].type, int_value(constants[1])
    if not isinstance(kind, TensorType | MemRefType) or at is None:
        return None
    extents = kind.get_shape()
    if not 0 <= at < len(extents) or extents[at] == DYNAMIC_INDEX:
        return None
    return [_index(extents[at])]


# -- Shapes.


def _any(op: Operation, constants: Constants) -> Folded:
    """One of several equal shapes is the one that is known, which stands last."""
    last = constants[-1] if constants else None
    return None if last is None else [last]


def _broadcast(op: Operation, constants: Constants) -> Folded:
    operands = op.operands
    if len(operands) == 1:
        return [operands[0]] if operands[0].type == op.results[0].type else None
    result: list[int] | None = []
    for constant in constants:
        extents = extents_of(constant)
        if extents is None or result is None:
            return None
        result = broadcast(result, extents)
    return None if result is None or not constants else [extents_attribute(result)]


def _concat(op: Operation, constants: Constants) -> Folded:
    left, right = (extents_of(constant) for constant in constants)
    return None if left is None or right is None else [extents_attribute(left + right)]


def _from_extents(op: Operation, constants: Constants) -> Folded:
    values = [value for value in map(int_value, constants) if value is not None]
    return [extents_attribute(values)] if len(values) == len(constants) else None


def _get_extent(op: Operation, constants: Constants) -> Folded:
    extents, at = extents_of(constants[0]), int_value(constants[1])
    if extents is None or at is None or not 0 <= at < len(extents):
        return None
    return [_index(extents[at])]


def _num_elements(op: Operation, constants: Constants) -> Folded:
    extents = extents_of(constants[0])
    return None if extents is None else [_index(prod(extents))]


def _rank(op: Operation, constants: Constants) -> Folded:
    extents = extents_of(constants[0])
    return None if extents is None else [_index(len(extents))]


def _split_at(op: Operation, constants: Constants) -> Folded:
    extents, at = extents_of(constants[0]), int_value(constants[1])
    if extents is None or at is None or not -len(extents) <= at <= len(extents):
        return None
    at %= len(extents) or 1
    # A split behind the last extent is one at its number.
    if int_value(constants[1]) == len(extents):
        at = len(extents)
    return [extents_attribute(extents[:at]), extents_attribute(extents[at:])]


def _to_extent_tensor(op: Operation, constants: Constants) -> Folded:
    if op.operands[0].type == op.results[0].type:
        return [op.operands[0]]
    extents = extents_of(constants[0])
    if extents is None:
        return None
    made = extents_attribute(extents)
    return [made] if made.type == op.results[0].type else None


def _shape_eq(op: Operation, constants: Constants) -> Folded:
    if any(constant is None for constant in constants):
        return None
    return [IntegerAttr.from_bool(all(c == constants[0] for c in constants))]


# -- Constraints. One that cannot hold is an assertion that fails when it runs: it stays.


def _is_broadcastable(op: Operation, constants: Constants) -> Folded:
    return [_TRUE] if len(op.operands) < 2 else None


def _cstr_broadcastable(op: Operation, constants: Constants) -> Folded:
    stated = [extents_of(constant) for constant in constants]
    if sum(extents is None or len(extents) > 0 for extents in stated) <= 1:
        return [_TRUE]  # scalars go with everything
    known = [known_extents(operand) for operand in op.operands]
    shapes = [extents for extents in known if extents is not None]
    if len(shapes) < len(known):
        return None
    return [_TRUE] if is_broadcastable(shapes) else None


def _cstr_eq(op: Operation, constants: Constants) -> Folded:
    first = constants[0] if constants else None
    return [_TRUE] if all(c is not None and c == first for c in constants) else None


def _cstr_require(op: Operation, constants: Constants) -> Folded:
    return None if constants[0] is None else [constants[0]]


def _assuming_all(op: Operation, constants: Constants) -> Folded:
    """Witnesses that hold are left out; what is left decides."""
    failing = next((c for c in constants if int_value(c) == 0), None)
    if failing is not None and all(c is not None for c in constants):
        return [failing]
    unknown = [v for v, c in zip(op.operands, constants, strict=True) if int_value(c) != -1]
    if not unknown:
        return [_TRUE]
    if len(unknown) == len(constants):
        return None
    op.operands = unknown
    return True


FOLD: dict[str, Folder] = {
    "shape.add": _add,
    "shape.any": _any,
    "shape.assuming_all": _assuming_all,
    "shape.broadcast": _broadcast,
    "shape.concat": _concat,
    "shape.cstr_broadcastable": _cstr_broadcastable,
    "shape.cstr_eq": _cstr_eq,
    "shape.cstr_require": _cstr_require,
    "shape.dim": _dim,
    "shape.div": _arithmetic(_divide),
    "shape.from_extents": _from_extents,
    "shape.get_extent": _get_extent,
    "shape.index_to_size": _convert,
    "shape.is_broadcastable": _is_broadcastable,
    "shape.max": _extreme,
    "shape.min": _extreme,
    "shape.mul": _arithmetic(lambda a, b: a * b),
    "shape.num_elements": _num_elements,
    "shape.rank": _rank,
    "shape.shape_eq": _shape_eq,
    "shape.size_to_index": _convert,
    "shape.split_at": _split_at,
    "shape.to_extent_tensor": _to_extent_tensor,
}

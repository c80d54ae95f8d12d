# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds of vector.insert.

Source: MLIR 22.1 VectorOps.cpp, `InsertOp::fold`; the order of the rules is the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.ir import Attribute

from xgpu.core.ir.constants import poison
from xgpu.dialects.vector.elements import element_of, elements_of, vector_of
from xgpu.dialects.vector.fold_extract import Constants, Folded, known_position
from xgpu.dialects.vector.shapes import (
    POISON_INDEX,
    count,
    defining,
    is_scalable,
    mixed_position,
    place,
    shape,
    static_position,
)

if TYPE_CHECKING:
    from xgpu.dialects import vector


#: A constant of more elements is not copied to change one, unless it has no other use.
MOST_ELEMENTS = 256


def fold_insert(op: vector.InsertOp, constants: Constants) -> Folded:
    """Folds a `vector.insert`."""
    value, dest = op.operands[0], op.operands[1]
    if value.type == dest.type:
        return [value]
    changed = known_position(op, 2, constants)
    # What is written to the same place before does not count.
    inner = cast("vector.InsertOp | None", defining(dest, "vector.insert"))
    if inner is not None and mixed_position(inner) == mixed_position(op):
        op.operands[1] = inner.operands[1]
        return True
    if POISON_INDEX in op.static_position.get_values():
        return [poison()]
    made = _constant_with_part(op, constants[0], constants[1])
    return changed or None if made is None else [made]


def _constant_with_part(
    op: vector.InsertOp, value: Attribute | None, dest: Attribute | None
) -> Attribute | None:
    """A constant put into a constant."""
    kind = op.results[0].type
    position = static_position(op)
    if value is None or dest is None or position is None or is_scalable(kind):
        return None
    if count(kind) > MOST_ELEMENTS and not op.results[0].has_one_use():
        return None
    elements, part = elements_of(dest), elements_of(value)
    if part is None:
        element = element_of(value, kind.element_type)
        part = None if element is None else [element]
    if elements is None or part is None:
        return None
    first = place(position, shape(kind))
    elements[first : first + len(part)] = part
    return vector_of(kind, elements)

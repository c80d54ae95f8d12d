# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds of the vector dialect.

Source: MLIR 22.1 VectorOps.cpp, the `fold` methods.
"""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    VectorType,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.dialects.syntax_helpers import i64_array, scalable_dims
from xgpu.dialects.vector.fold_slices import fold_extract_slice, fold_insert_slice, is_large
from xgpu.dialects.vector.fold_transfer import fold_transfer
from xgpu.ir.constants import int_value, is_poison, make, poison, splat_value
from xgpu.ir.dense_parts import element_at, is_dense, reshaped, sliced, with_slice
from xgpu.ir.elements import dense, pack, unpack

Constants = list[Attribute | None]
Folded = list[SSAValue | Attribute] | bool | None


def _defining(value: SSAValue, *names: str) -> Any:
    op = value.owner
    return op if isinstance(op, Operation) and op.name in names else None


def _rank(value: SSAValue) -> int:
    """The rank of a vector; 0 of a scalar."""
    kind: Any = value.type
    return len(kind.get_shape()) if kind.name == "vector" else 0


def _reshaped(op: Operation, constants: Constants) -> Folded:
    """Splats and poison stay so in any shape."""
    if is_poison(constants[0]):
        return [poison()]
    splat = splat_value(constants[0])
    if splat is None:
        return None
    result = _splat(op.results[0].type, splat)
    return None if result is None else [result]


def _splat(kind: Any, value: int | float) -> Attribute | None:
    """A constant of equal elements; of a scalable vector too."""
    if kind.name != "vector" or not any(scalable_dims(kind)):
        return make(kind, value)
    fixed = make(VectorType(kind.element_type, list(kind.get_shape())), value)
    if not isinstance(fixed, DenseIntOrFPElementsAttr):
        return None
    return dense(kind, fixed.data.data)


def _broadcast(op: Operation, constants: Constants) -> Folded:
    if op.operands[0].type == op.results[0].type:
        return [op.operands[0]]
    return _reshaped(op, constants)


def _transpose(op: Any, constants: Constants) -> Folded:
    permutation = tuple(op.properties["permutation"].get_values())
    if permutation == tuple(range(len(permutation))):
        return [op.operands[0]]
    folded = _reshaped(op, constants)
    if folded is not None:
        return folded
    # Nothing changes place but dimensions of size 1, of vectors that are otherwise the same.
    kind: Any = op.operands[0].type
    shape = kind.get_shape()
    moved = [p for p in permutation if shape[p] != 1 or scalable_dims(kind)[p]]
    if kind == op.results[0].type and moved == sorted(moved):
        return [op.operands[0]]
    return None


def _shape_cast(op: Operation, constants: Constants) -> Folded:
    source, result = op.operands[0], op.results[0].type
    if source.type == result:
        return [source]
    inner = _defining(source, "vector.shape_cast")
    if inner is not None:
        if inner.operands[0].type == result:
            return [inner.operands[0]]
        op.operands[0] = inner.operands[0]
        return True
    broadcast = _defining(source, "vector.broadcast")
    if broadcast is not None and broadcast.operands[0].type == result:
        return [broadcast.operands[0]]
    constant: Any = constants[0]
    if is_dense(constant) and not any(scalable_dims(result)):
        return [reshaped(constant, result)]
    return _reshaped(op, constants)


def _bitcast(op: Operation, constants: Constants) -> Folded:
    source, result = op.operands[0], op.results[0].type
    if source.type == result:
        return [source]
    inner = _defining(source, "vector.bitcast")
    if inner is not None:
        if inner.operands[0].type == result:
            return [inner.operands[0]]
        op.operands[0] = inner.operands[0]
        return True
    return [poison()] if is_poison(constants[0]) else None


# --- extract, insert -----------------------------------------------------------------------------
def _known_position(op: Any, first: int, constants: Constants) -> bool:
    """Constants of the dynamic position become part of the static one."""
    static = list(op.properties["static_position"].get_values())
    if DYNAMIC_INDEX not in static:
        return False
    kind: Any = op.operands[first - 1].type
    shape = kind.get_shape()
    kept = list(op.operands[:first])
    at, changed = first, False
    for dim, value in enumerate(static):
        if value != DYNAMIC_INDEX:
            continue
        number = int_value(constants[at])
        if number is not None and (number == -1 or 0 <= number < shape[dim]):
            static[dim] = number
            changed = True
        else:
            kept.append(op.operands[at])
        at += 1
    if changed:
        op.operands = kept
        op.properties["static_position"] = i64_array(static)
    return changed


def _static(op: Any) -> list[int] | None:
    """The position, if all of it is static."""
    static = list(op.properties["static_position"].get_values())
    return None if DYNAMIC_INDEX in static else static


def _extract(op: Any, constants: Constants) -> Folded:
    source, result = op.operands[0], op.results[0].type
    if source.type == result and not op.properties["static_position"].get_values():
        return [source]
    if is_poison(constants[0]):
        return [poison()]
    if -1 in op.properties["static_position"].get_values():
        return [poison()]
    if _extract_chain(op):
        return True
    for rule in (_extract_insert, _extract_broadcast, _extract_elements, _extract_reshaped):
        folded = rule(op)
        if folded is not None:
            return folded
    changed = _known_position(op, 1, constants)
    return _extract_constant(op, constants[0]) or changed or None


def _extract_chain(op: Any) -> bool:
    """An extract of an extract is one extract."""
    position = _static(op)
    inner = _defining(op.operands[0], "vector.extract")
    changed = False
    while position is not None and inner is not None:
        outer = _static(inner)
        if outer is None:
            break
        position = [*outer, *position]
        op.operands[0] = inner.operands[0]
        changed = True
        inner = _defining(op.operands[0], "vector.extract")
    if changed and position is not None:
        op.properties["static_position"] = i64_array(position)
    return changed


def _extract_insert(op: Any) -> Folded:
    """What was inserted at the position, or the vector without inserts at other positions."""
    position = _static(op)
    if position is None:
        return None
    value: SSAValue = op.operands[0]
    changed = False
    while (inner := _defining(value, "vector.insert")) is not None:
        inserted = _static(inner)
        if inserted is None:
            break
        if inserted == position:
            if inner.operands[0].type == op.results[0].type:
                return [inner.operands[0]]
            break
        common = min(len(inserted), len(position))
        if inserted[:common] == position[:common]:
            if len(inserted) < len(position) and _rank(inner.operands[0]):
                op.operands[0] = inner.operands[0]
                op.properties["static_position"] = i64_array(position[common:])
                return True
            break
        value = inner.operands[1]
        changed = True
    if changed:
        op.operands[0] = value
        return True
    return None


def _extract_broadcast(op: Any) -> Folded:
    """A broadcast's source, or an extract from it."""
    broadcast = _defining(op.operands[0], "vector.broadcast")
    if broadcast is None:
        return None
    source: SSAValue = broadcast.operands[0]
    if source.type == op.results[0].type:
        return [source]
    rank, wide = _rank(source), _rank(op.operands[0])
    extracted = len(op.properties["static_position"].get_values())
    # What is left may still be a broadcast of the source.
    if extracted == 0 or wide - extracted >= rank:
        return None
    position = _static(op)
    if position is None:
        return None
    kind: Any = source.type
    outer: Any = op.operands[0].type
    missing = wide - rank
    rest = [
        0 if kind.get_shape()[dim] == 1 and outer.get_shape()[missing + dim] != 1 else at
        for dim, at in enumerate(position[missing:])
    ]
    left = len(rest)
    result: Any = op.results[0].type
    # Dimensions that stay must not be stretched.
    if left < rank and tuple(kind.get_shape()[left:]) != tuple(result.get_shape()):
        return None
    op.operands[0] = source
    op.properties["static_position"] = i64_array(rest)
    return True


def _extract_elements(op: Any) -> Folded:
    """A scalar of `vector.from_elements`."""
    maker = _defining(op.operands[0], "vector.from_elements")
    position = _static(op)
    if maker is None or position is None or _rank(op.results[0]):
        return None
    if op.results[0].type.name == "vector":
        return None
    at = 0
    kind: Any = op.operands[0].type
    for size, p in zip(kind.get_shape(), position, strict=True):
        at = at * size + p
    return [maker.operands[at]]


def _extract_reshaped(op: Any) -> Folded:
    """An element of a reshaped vector is one of the vector: the only one, or that at the place."""
    cast = _defining(op.operands[0], "vector.shape_cast")
    if cast is None or op.results[0].type.name == "vector":
        return None
    source: Any = cast.operands[0].type
    outer: Any = op.operands[0].type
    if any(scalable_dims(source)) or any(scalable_dims(outer)):
        return None
    shape = source.get_shape()
    position = _static(op)
    at = 0
    if any(size != 1 for size in shape):
        if position is None:
            return None
        for size, p in zip(outer.get_shape(), position, strict=True):
            at = at * size + p
    place: list[int] = []
    for size in reversed(shape):
        place.insert(0, at % size)
        at //= size
    op.operands = [cast.operands[0]]
    op.properties["static_position"] = i64_array(place)
    return True


def _extract_constant(op: Any, constant: Attribute | None) -> Folded:
    if constant is None:
        return None
    splat = splat_value(constant)
    if splat is not None:
        made = _splat(op.results[0].type, splat)
        return None if made is None else [made]
    position = _static(op)
    if position is None or not isinstance(constant, DenseIntOrFPElementsAttr):
        return None
    source: Any = op.operands[0].type
    shape, result = source.get_shape(), op.results[0].type
    if result.name != "vector":
        data = element_at(constant, position)
        if data is None:
            return None
        made = make(result, unpack(data, source.element_type)[0])
        return None if made is None else [made]
    rest = len(shape) - len(position)
    sizes = [1] * len(position) + list(shape[len(position) :])
    part = sliced(constant, [*position, *[0] * rest], sizes, result)
    return None if part is None else [part]


def _insert(op: Any, constants: Constants) -> Folded:
    position = op.properties["static_position"].get_values()
    value, dest = op.operands[0], op.operands[1]
    if not position and value.type == dest.type:
        return [value]
    if is_poison(constants[0]) and is_poison(constants[1]):
        return [poison()]
    if -1 in position:
        return [poison()]
    # The same position written twice: the first does not count.
    inner = _defining(dest, "vector.insert")
    if inner is not None and _static(op) is not None and _static(op) == _static(inner):
        op.operands[1] = inner.operands[1]
        return True
    changed = _known_position(op, 2, constants)
    made = _insert_constant(op, constants[0], constants[1])
    return [made] if made is not None else changed or None


def _from_elements(op: Operation, constants: Constants) -> Folded:
    """Constants as elements."""
    kind: Any = op.results[0].type
    values = [c.value.data for c in constants if isinstance(c, IntegerAttr | FloatAttr)]
    if len(values) != len(constants):
        return None
    return [dense(kind, pack(values, kind.element_type))]


def _insert_constant(op: Any, value: Any, whole: Any) -> Attribute | None:
    """A constant in a constant vector."""
    position, dest = _static(op), op.operands[1]
    if value is None or not is_dense(whole) or position is None or is_large(dest):
        return None
    if any(scalable_dims(dest.type)):
        return None
    shape = list(dest.type.get_shape())
    if is_dense(value):
        part = value.data.data
    elif isinstance(value, IntegerAttr | FloatAttr):
        part = pack([value.value.data], dest.type.element_type)
    else:
        return None
    rest = len(shape) - len(position)
    sizes = [1] * len(position) + shape[len(position) :]
    return with_slice(whole, part, [*position, *[0] * rest], sizes)


def _mask(op: Any, constants: Constants) -> Any:
    """A mask around nothing: what it yields."""
    block = op.regions[0].blocks[0]
    inner = block.first_op
    if op.passthru is not None or inner is None or inner is not block.last_op:
        return None
    return list(inner.operands) if inner.operands else None


FOLD = {
    "vector.bitcast": _bitcast,
    "vector.broadcast": _broadcast,
    "vector.extract": _extract,
    "vector.extract_strided_slice": fold_extract_slice,
    "vector.from_elements": _from_elements,
    "vector.insert": _insert,
    "vector.insert_strided_slice": fold_insert_slice,
    "vector.mask": _mask,
    "vector.shape_cast": _shape_cast,
    "vector.transfer_read": fold_transfer,
    "vector.transfer_write": fold_transfer,
    "vector.transpose": _transpose,
}

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds of operations between vectors and their elements, and of constant masks."""

from __future__ import annotations

from itertools import product
from typing import cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    ArrayAttr,
    ComplexType,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    IntegerType,
    VectorType,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core.ir.constants import int_value, is_poison, poison
from xgpu.core.ir.construction import defining
from xgpu.core.ir.elements import pack
from xgpu.dialects import vector
from xgpu.dialects.interfaces import Constants, Folded
from xgpu.dialects.syntax_helpers import i64_array, scalable_dims
from xgpu.dialects.vector.ops import (
    POISON_INDEX,
    broadcast_like,
    count,
    element_of,
    elements_of,
    filled,
    integers,
    is_scalable,
    is_vector,
    mixed_position,
    place,
    position_of,
    rank,
    scalar,
    shape,
    splat_element,
    static_position,
    vector_of,
)

# -- Folds of vector.extract: what was put where it reads.
#
# Source: MLIR 22.1 VectorOps.cpp, `ExtractOp::fold`; the order of the rules is the same.


def known_position(
    op: vector.ExtractOp | vector.InsertOp, first: int, constants: Constants
) -> bool:
    """Constants among the indices, which begin at operand `first`, become static."""
    static = list(op.static_position.get_values())
    if DYNAMIC_INDEX not in static:
        return False
    sizes = shape(op.operands[first - 1].type)
    kept = list(op.operands[:first])
    at, changed = first, False
    for dim, number in enumerate(static):
        if number != DYNAMIC_INDEX:
            continue
        known = int_value(constants[at])
        if known is not None and POISON_INDEX <= known < sizes[dim]:
            static[dim] = known
            changed = True
        else:
            kept.append(op.operands[at])
        at += 1
    if changed:
        op.operands = kept
        op.properties["static_position"] = i64_array(static)
    return changed


def fold_extract(op: vector.ExtractOp, constants: Constants) -> Folded:
    """Folds a `vector.extract`."""
    source, result = op.operands[0], op.results[0].type
    if source.type == result:
        return [source]
    if is_poison(constants[0]):
        return [poison()]
    changed = known_position(op, 1, constants)
    position = op.static_position.get_values()
    if POISON_INDEX in position:
        return [poison()]
    made = _constant_part(op, constants[0])
    if made is not None:
        return [made]
    broadcast = _broadcast(op)
    if broadcast is not None:
        return broadcast
    static = static_position(op)
    if static is None:
        return changed or None
    for rule in _RULES:
        folded = rule(op, static)
        if folded is not None:
            return folded
    return changed or None


def _read(op: Operation, source: SSAValue, position: list[int]) -> bool:
    """Lets `op` read there."""
    op.operands = [source]
    op.properties["static_position"] = i64_array(position)
    return True


def _constant_part(op: vector.ExtractOp, constant: Attribute | None) -> Attribute | None:
    """A part of a constant. There are no more of the same rank than fill the vector, so that
    constants do not become many times larger."""
    result = op.results[0].type
    element = splat_element(constant)
    if element is not None:
        return filled(result, element)
    position, elements = static_position(op), elements_of(constant)
    if elements is None or position is None or is_scalable(op.operands[0].type):
        return None
    first = place(position, shape(op.operands[0].type))
    part = elements[first : first + count(result)]
    return vector_of(result, part) if is_vector(result) else scalar(result, part[0])


def _extracts(op: vector.ExtractOp, position: list[int]) -> Folded:
    """An extract of an extract is one."""
    source = op.operands[0]
    while (inner := defining(source, "vector.extract")) is not None:
        outer = static_position(inner)
        if outer is None:
            return None
        position = [*outer, *position]
        source = inner.operands[0]
    return None if source is op.operands[0] else _read(op, source, position)


def _inserts(op: vector.ExtractOp, position: list[int]) -> Folded:
    """What was inserted there, before transpositions too, or what was there before the inserts.

    Dimensions that the result keeps are followed through transpositions as negative numbers: only
    where they end in their order is the result part of what is found."""
    kept = list(range(-rank(op.operands[0]) + len(position), 0))
    wanted = [*position, *kept]
    value = op.operands[0]
    while (inner := defining(value, "vector.insert", "vector.transpose")) is not None:
        value = inner.operands[0]
        if inner.name == "vector.transpose":
            permutation = cast(
                "DenseArrayBase[IntegerType]", inner.properties["permutation"]
            ).get_values()
            before = list(wanted)
            for at, dim in enumerate(permutation):
                before[dim] = wanted[at]
            wanted = before
            continue
        inserted = static_position(inner)
        if inserted is None or POISON_INDEX in inserted:
            return None
        if inserted == wanted[: len(inserted)]:
            wanted = wanted[len(inserted) :]
            break
        if all(a == b or a < 0 for a, b in zip(wanted, inserted, strict=False)):
            return None  # some of it was inserted, not all
        value = inner.operands[1]
    if value is op.operands[0] or wanted[len(wanted) - len(kept) :] != kept:
        return None
    if value.type == op.results[0].type:
        return [value]
    if not is_vector(value.type):
        return None  # a scalar read as a vector of one element
    return _read(op, value, wanted[: len(wanted) - len(kept)])


def _broadcast(op: vector.ExtractOp) -> Folded:
    """The source of a broadcast, or an extract from it."""
    broadcast = cast("vector.BroadcastOp | None", broadcast_like(op.operands[0]))
    if broadcast is None:
        return None
    source, result = broadcast.operands[0], op.results[0].type
    if source.type == result:
        return [source]
    inner, left = shape(source.type), shape(result)
    if len(left) > len(inner) or not is_vector(source.type):
        return None
    if inner[len(inner) - len(left) :] != left:
        return None
    # Repeated dimensions have one element, whichever is read.
    lead = rank(op.operands[0]) - len(inner)
    position = mixed_position(op)[lead:]
    position = [0 if size == 1 else at for at, size in zip(position, inner, strict=False)]
    values = [at for at in position if isinstance(at, SSAValue)]
    op.operands = [source, *values]
    op.properties["static_position"] = i64_array(
        [at if isinstance(at, int) else DYNAMIC_INDEX for at in position]
    )
    return True


def _shuffle(op: vector.ExtractOp, position: list[int]) -> Folded:
    """An element that a shuffle moved."""
    shuffle = defining(op.operands[0], "vector.shuffle")
    if shuffle is None or rank(op.operands[0]) != 1:
        return None
    at = shuffle.properties["mask"].get_values()[position[0]]
    if at == POISON_INDEX:
        return [poison()]
    first, second = shuffle.operands
    if not rank(first):
        return _read(op, second if at else first, [])
    size = shape(first.type)[0]
    return _read(op, first, [at]) if at < size else _read(op, second, [at - size])


def _shape_cast(op: vector.ExtractOp, position: list[int]) -> Folded:
    """A part of a cast vector that has its trailing dimensions is one of the vector."""
    cast = defining(op.operands[0], "vector.shape_cast")
    if cast is None:
        return None
    source, outer, result = cast.operands[0].type, op.operands[0].type, op.results[0].type
    left = rank(op.results[0])
    inner = shape(source)
    if left > len(inner) or inner[len(inner) - left :] != shape(result):
        return None
    lead = len(inner) - left
    if any(scalable_dims(source)[:lead]) or any(scalable_dims(outer)[: len(position)]):
        return None
    at = place(position, shape(outer)[: len(position)])
    return _read(op, cast.operands[0], position_of(at, inner[:lead]))


def _slice(op: vector.ExtractOp, position: list[int]) -> Folded:
    """A part of a slice that has its trailing dimensions whole is one of the vector."""
    piece = defining(op.operands[0], "vector.extract_strided_slice")
    if piece is None or any(stride != 1 for stride in integers(piece.properties["strides"])):
        return None
    offsets = integers(piece.properties["offsets"])
    whole, part = shape(piece.operands[0].type), shape(op.operands[0].type)
    while offsets and offsets[-1] == 0 and part[len(offsets) - 1] == whole[len(offsets) - 1]:
        offsets.pop()
    if len(offsets) > len(position):
        return None
    offsets.extend([0] * (len(position) - len(offsets)))
    moved = [at + start for at, start in zip(position, offsets, strict=True)]
    return _read(op, piece.operands[0], moved)


def _inserted_slices(op: vector.ExtractOp, position: list[int]) -> Folded:
    """What was inserted there as part of a slice."""
    insert = defining(op.operands[0], "vector.insert_strided_slice")
    left = rank(op.results[0])
    while insert is not None:
        if any(stride != 1 for stride in integers(insert.properties["strides"])):
            return None
        value, dest = insert.operands
        sizes, outer = shape(value.type), shape(dest.type)
        lead = len(outer) - len(sizes)
        starts = integers(insert.properties["offsets"])
        if left > len(sizes) or not sizes:
            return None
        ends = [start + size for start, size in zip(starts, (*[1] * lead, *sizes), strict=True)]
        if all(s <= at < e for at, s, e in zip(position, starts, ends, strict=False)):
            if sizes[len(sizes) - left :] != outer[len(outer) - left :]:
                return None
            moved = [at - start for at, start in zip(position, starts, strict=False)]
            return _read(op, value, moved[lead:])
        insert = defining(dest, "vector.insert_strided_slice")
    return None


def _elements(op: vector.ExtractOp, position: list[int]) -> Folded:
    """A scalar of `vector.from_elements`."""
    maker = defining(op.operands[0], "vector.from_elements")
    if maker is None or is_vector(op.results[0].type):
        return None
    return [maker.operands[place(position, shape(op.operands[0].type))]]


_RULES = (_extracts, _inserts, _shuffle, _shape_cast, _slice, _inserted_slices, _elements)


# -- Folds of vector.insert.
#
# Source: MLIR 22.1 VectorOps.cpp, `InsertOp::fold`; the order of the rules is the same.


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


# -- Folds of vector.extract_strided_slice and insert_strided_slice.


def fold_extract_slice(op: vector.ExtractStridedSliceOp, constants: Constants) -> Folded:
    """The whole is the source; a part of what was inserted is part of that; of a constant one."""
    source = op.operands[0]
    if source.type == op.results[0].type:
        return [source]
    if _through_inserts(op):
        return True
    made = _constant_slice(op, constants[0])
    return None if made is None else [made]


def _through_inserts(op: vector.ExtractStridedSliceOp) -> bool:
    """Reads from the slice that was inserted there, looking through those inserted elsewhere."""
    source = op.operands[0]
    offsets, sizes = integers(op.properties["offsets"]), integers(op.properties["sizes"])
    given = len(offsets)
    offsets.extend([0] * (rank(source) - given))
    sizes.extend(shape(source.type)[given:])
    while (insert := defining(source, "vector.insert_strided_slice")) is not None:
        value, source = insert.operands
        if rank(value) != len(offsets):
            return False
        starts = integers(insert.properties["offsets"])
        both = list(zip(offsets, sizes, starts, shape(value.type), strict=True))
        if any(at + n <= start or start + size <= at for at, n, start, size in both):
            continue
        if any(at < start or at + n > start + size for at, n, start, size in both):
            return False
        op.operands[0] = value
        moved = [IntegerAttr(at - start, i64) for at, _, start, _ in both[:given]]
        op.properties["offsets"] = ArrayAttr(moved)
        return True
    return False


def _constant_slice(
    op: vector.ExtractStridedSliceOp, constant: Attribute | None
) -> Attribute | None:
    result = op.results[0].type
    element = splat_element(constant)
    if element is not None:
        return filled(result, element)
    elements = elements_of(constant)
    whole = cast("VectorType", op.operands[0].type)
    if elements is None or is_scalable(whole):
        return None
    offsets = integers(op.properties["offsets"])
    offsets.extend([0] * (rank(op.operands[0]) - len(offsets)))
    return vector_of(
        result,
        [elements[place(at, shape(whole))] for at in _places(offsets, shape(result))],
    )


def _places(offsets: list[int], sizes: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The positions within a slice of these sizes, in order."""
    return list(product(*(range(at, at + n) for at, n in zip(offsets, sizes, strict=True))))


def constant_insert_slice(
    op: vector.InsertStridedSliceOp, value: Attribute, dest: Attribute
) -> Attribute | None:
    """A constant slice put into a constant."""
    kind, part = op.results[0].type, op.operands[0].type
    elements, new = elements_of(dest), elements_of(value)
    if elements is None or new is None or is_scalable(kind):
        return None
    lead = rank(op.operands[1]) - rank(op.operands[0])
    sizes = (*[1] * lead, *shape(part))
    places = _places(integers(op.offsets), sizes)
    for at, element in zip(places, new, strict=True):
        elements[place(at, shape(kind))] = element
    return vector_of(kind, elements)


def fold_insert_slice(op: Operation, _: Constants) -> Folded:
    """A slice as large as the destination replaces it."""
    value, dest = op.operands
    return [value] if value.type == dest.type else None

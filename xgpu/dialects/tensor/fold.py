# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds of the tensor dialect; those of slices and of elements are in modules of their own."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    ArrayAttr,
    ComplexType,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    FloatData,
    IndexType,
    IntegerAttr,
    IntegerType,
    TensorType,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core.ir.constants import int_of, int_value, make, splat_value
from xgpu.core.ir.construction import defining
from xgpu.core.ir.elements import (
    dense,
    element_at,
    element_count,
    element_size,
    is_dense,
    is_splat,
    of_splat,
    pack,
    repeated,
    reshaped,
    unpack,
    values_of,
)
from xgpu.core.syntax.builtin_attributes import SparseElementsAttr
from xgpu.dialects.interfaces import Constants, Folded, Folder
from xgpu.dialects.reshapes import Mixed, fold_reshape, mixed, settle
from xgpu.dialects.tensor.casts import is_static, uncast

# -- Folds that go into elements: constants of tensors, and tensors that are made of elements.


#: A number, or the real and the imaginary part of one.
Number = int | float | tuple[float, float]


def _number(constant: Attribute | None) -> Number | None:
    """The number that a constant of a scalar is."""
    if isinstance(constant, IntegerAttr | FloatAttr):
        return cast("FloatData", constant.value).data
    if not isinstance(constant, ArrayAttr) or len(constant.data) != 2:
        return None
    real, imaginary = (_number(part) for part in constant.data)
    if isinstance(real, int | float) and isinstance(imaginary, int | float):
        return real, imaginary
    return None


def _scalar(kind: Attribute, data: bytes) -> Attribute | None:
    """The constant of a scalar type with the bytes `data`."""
    if not isinstance(kind, IntegerType | IndexType | AnyFloat | ComplexType):
        return None
    (value,) = unpack(data, kind)
    if not isinstance(kind, ComplexType):
        return make(kind, value)
    parts = [make(kind.element_type, part) for part in value]
    return None if None in parts else ArrayAttr([part for part in parts if part is not None])


def fold_extract(op: Operation, constants: Constants) -> Folded:
    """An element of a constant, of elements, or one that was just put there."""
    kind = op.results[0].type
    constant = constants[0] if is_dense(constants[0]) else None
    if constant is not None:
        size = element_size(kind)
        data: bytes = constant.data.data
        if len(data) and is_splat(data, size):
            return _given(_scalar(kind, data[:size]))
    position = [int_value(index) for index in constants[1:]]
    known = [at for at in position if at is not None]
    if len(known) != len(position):
        return None
    made = defining(op.operands[0], "tensor.from_elements")
    if made is not None:
        return _element(made, known)
    if constant is not None:
        data = element_at(constant, known) or b""
        return _given(_scalar(kind, data)) if data else None
    if isinstance(constants[0], SparseElementsAttr):
        return _given(_scalar(kind, _sparse_element(constants[0], known)))
    put = defining(op.operands[0], "tensor.insert")
    if put is not None and put.operands[0].type == kind:
        indices = [int_of(index) for index in put.operands[2:]]
        return [put.operands[0]] if indices == known else None
    return None


def _sparse_element(constant: SparseElementsAttr, position: list[int]) -> bytes:
    """The bytes of an element of a sparse constant: those stated for its place, or zeros."""
    indices, stated, _ = cast("tuple[DenseIntOrFPElementsAttr, ...]", constant.data)
    places, rank = list(values_of(indices)), len(position)
    size = element_size(stated.get_element_type())
    for at in range(element_count(stated)):
        if places[at * rank : (at + 1) * rank] == position:
            return bytes(stated.data.data[at * size : (at + 1) * size])
    return bytes(size)


def _given(made: Attribute | None) -> Folded:
    return None if made is None else [made]


def _element(made: Operation, position: Sequence[int]) -> Folded:
    flat = 0
    shape = cast("TensorType", made.results[0].type).get_shape()
    for at, extent in zip(position, shape, strict=True):
        flat = flat * extent + at
    # Out of bounds of the tensor, in code that never runs.
    return [made.operands[flat]] if 0 <= flat < len(made.operands) else None


def fold_from_elements(op: Operation, constants: Constants) -> Folded:
    """Constants as elements."""
    kind = cast("TensorType", op.results[0].type)
    values = [value for value in map(_number, constants) if value is not None]
    if len(values) != len(constants):
        return None
    return [dense(kind, pack(values, kind.element_type))]


def fold_splat(op: Operation, constants: Constants) -> Folded:
    """A constant everywhere in a static shape."""
    kind = cast("TensorType", op.results[0].type)
    value = constants[0]
    if not isinstance(value, IntegerAttr | FloatAttr) or not is_static(kind):
        return None
    number = splat_value(value)
    count = math.prod(kind.get_shape())
    return [dense(kind, repeated(pack([number], kind.element_type), count))]


def fold_insert(op: Operation, constants: Constants) -> Folded:
    """What a splat consists of, put into it."""
    scalar, dest = _number(constants[0]), constants[1]
    if scalar is None or not isinstance(dest, DenseIntOrFPElementsAttr):
        return None
    element = dest.get_element_type()
    size = element_size(element)
    data: bytes = dest.data.data
    same = len(data) and is_splat(data, size) and data[:size] == pack([scalar], element)
    return [dest] if same else None


def splat_as(constant: Attribute | None, kind: Attribute) -> Folded:
    """A constant of one value everywhere, in another static shape."""
    if not is_dense(constant) or not is_static(kind):
        return None
    return _given(of_splat(constant, kind))


# -- Folds of tensor.extract_slice and tensor.insert_slice: of everything, nothing, one another.
#
#     %0 = tensor.insert_slice %s into %t[4] [8] [1]
#     %1 = tensor.extract_slice %0[4] [8] [1]     =>  %s
#     %2 = tensor.insert_slice %1 into %0[4] [8] [1]  =>  %0


def place_of(op: Operation) -> tuple[Mixed, Mixed, Mixed]:
    """The offsets, sizes and strides of a slice."""
    return mixed(op, "offsets"), mixed(op, "sizes"), mixed(op, "strides")


def _is_everything(op: Operation, whole: Attribute) -> bool:
    """Whether a slice is all of a tensor of type `whole`."""
    offsets, sizes, strides = (settle(entries) for entries in place_of(op))
    return (
        all(offset == 0 for offset in offsets)
        and sizes == list(cast("TensorType", whole).get_shape())
        and all(stride == 1 for stride in strides)
    )


def _same_place(op: Operation, other: Operation) -> bool:
    pairs = zip(place_of(op), place_of(other), strict=True)
    return all(_same_entries(mine, theirs) for mine, theirs in pairs)


def _same_entries(mine: Mixed, theirs: Mixed) -> bool:
    return len(mine) == len(theirs) and all(
        a == b if isinstance(a, int) else a is b for a, b in zip(mine, theirs, strict=True)
    )


def fold_extract_slice(op: Operation, constants: Constants) -> Folded:
    """A slice of a splat, of all, of what was just put there."""
    source, kind = op.operands[0], op.results[0].type
    constant = constants[0]
    made = of_splat(constant, kind) if is_dense(constant) else None
    if made is not None:
        return [made]
    if source.type == kind and _is_everything(op, kind):
        return [source]
    inner = defining(source, "tensor.insert_slice")
    if inner is not None and inner.operands[0].type == kind and _same_place(op, inner):
        return [inner.operands[0]]
    return None


def fold_insert_slice(op: Operation, constants: Constants) -> Folded:
    """A slice over all, over one that was just put there, over itself, of no elements."""
    source, dest = op.operands[0], op.operands[1]
    kind = op.results[0].type
    if is_static(kind) and source.type == kind and _is_everything(op, kind):
        return [source]
    before = defining(dest, op.name)
    if before is not None and before.operands[0].type == source.type and _same_place(op, before):
        op.operands[1] = before.operands[1]
        return True
    taken = defining(source, "tensor.extract_slice")
    if taken is not None and taken.operands[0] is dest and _same_place(op, taken):
        return [dest]
    if any(size == 0 for size in settle(mixed(op, "sizes"))):
        return [dest]
    return None


def _index(value: int) -> Attribute:
    return IntegerAttr(value, IndexType())


def _dim(op: Operation, constants: Constants) -> Folded:
    """A size from the type, or from the operation that made the tensor."""
    dim = int_value(constants[1])
    source = op.operands[0]
    kind = source.type
    if dim is None or not isinstance(kind, TensorType):
        return None
    shape = list(kind.get_shape())
    if not 0 <= dim < len(shape):
        return None
    if shape[dim] != DYNAMIC_INDEX:
        return [_index(shape[dim])]
    made = defining(source, "tensor.generate")
    if made is not None:
        return [made.operands[shape[:dim].count(DYNAMIC_INDEX)]]
    taken = defining(source, "tensor.extract_slice")
    if taken is not None:
        sizes = mixed(taken, "sizes")
        # A slice that leaves out dimensions is for passes that resolve sizes.
        if len(sizes) == len(shape) and not isinstance(sizes[dim], int):
            return [cast("SSAValue", sizes[dim])]
    inner = uncast(source)
    if inner is None:
        return None
    op.operands[0] = inner
    return True


def _cast(op: Operation, constants: Constants) -> Folded:
    return [op.operands[0]] if op.operands[0].type == op.results[0].type else None


def _concat(op: Operation, constants: Constants) -> Folded:
    only = op.operands[0] if len(op.operands) == 1 else None
    return [only] if only is not None and only.type == op.results[0].type else None


def _gather(op: Operation, constants: Constants) -> Folded:
    return splat_as(constants[0], op.results[0].type)


def _pad(op: Operation, constants: Constants) -> Folded:
    kind = op.results[0].type
    same = is_static(kind) and op.operands[0].type == kind and "nofold" not in op.properties
    return [op.operands[0]] if same else None


def _rank(op: Operation, constants: Constants) -> Folded:
    kind = op.operands[0].type
    return [_index(len(kind.get_shape()))] if isinstance(kind, TensorType) else None


def _collapse_or_expand(op: Operation, constants: Constants) -> Folded:
    """Constants have the same elements in any shape; what is undone is nothing."""
    constant, kind = constants[0], op.results[0].type
    if is_dense(constant) and op.operands[0].type != kind:
        return [reshaped(constant, kind)] if is_static(kind) else None
    return fold_reshape(op, constants)


def _reshape(op: Operation, constants: Constants) -> Folded:
    """A splat in another shape, a reshape of a reshape, or to the shape that there was."""
    source, kind = op.operands[0], op.results[0].type
    splat = splat_as(constants[0], kind)
    if splat is not None:
        return splat
    inner = defining(source, op.name)
    if inner is not None:
        op.operands[0] = inner.operands[0]
        return True
    if not isinstance(kind, TensorType) or source.type != kind:
        return None
    shape = list(kind.get_shape())
    if len(shape) <= 1:
        return [source]
    sizes = defining(op.operands[1], "tensor.from_elements")
    if sizes is None or len(sizes.operands) != len(shape):
        return None
    are_same = all(
        _is_size(size, source, dim, shape[dim]) for dim, size in enumerate(sizes.operands)
    )
    return [source] if are_same else None


def _is_size(size: SSAValue, source: SSAValue, dim: int, extent: int) -> bool:
    """Whether a value is known to be the size of a dimension of `source`."""
    known = int_of(size)
    if known is not None:
        return known == extent
    asked = defining(size, "tensor.dim")
    return asked is not None and asked.operands[0] is source and int_of(asked.operands[1]) == dim


FOLD: dict[str, Folder] = {
    "tensor.bitcast": _cast,
    "tensor.cast": _cast,
    "tensor.collapse_shape": _collapse_or_expand,
    "tensor.concat": _concat,
    "tensor.dim": _dim,
    "tensor.expand_shape": _collapse_or_expand,
    "tensor.extract": fold_extract,
    "tensor.extract_slice": fold_extract_slice,
    "tensor.from_elements": fold_from_elements,
    "tensor.gather": _gather,
    "tensor.insert": fold_insert,
    "tensor.insert_slice": fold_insert_slice,
    "tensor.pad": _pad,
    "tensor.rank": _rank,
    "tensor.reshape": _reshape,
    "tensor.splat": fold_splat,
}

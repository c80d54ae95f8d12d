# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of the tensor dialect: casts and sizes. Those of slices, paddings,
reshapes and elements are in modules of their own.

Source: MLIR 22.1 TensorOps.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, NoneAttr, TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core.ir.constants import int_of
from xgpu.core.ir.construction import defining
from xgpu.core.ir.effects import is_trivially_dead
from xgpu.dialects.reshapes import (
    Groups,
    Mixed,
    collapse_of_collapse,
    collapse_of_expand,
    create_expand,
    expand_of_collapse,
    expand_of_expand,
    groups_of,
    not_negative,
    output_shape,
    reassociation,
    settle,
    static_sizes,
)
from xgpu.dialects.tensor.canonicalize_slices import PAD_PATTERNS, SLICE_PATTERNS, cast_of_extract
from xgpu.dialects.tensor.casts import (
    cast_to,
    destination_of,
    is_static,
    keeps_sizes,
    shape_of,
    uncast,
    with_shape,
)

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern


# -- Canonicalization patterns of tensor.extract: elements of what makes a tensor.


def extract_of_cast(op: Operation, rw: GreedyRewriter) -> bool:
    """extract (cast %t)[...] -> extract %t[...]"""
    inner = defining(op.operands[0], "tensor.cast")
    if inner is None or not isinstance(inner.operands[0].type, TensorType):
        return False
    operands = [inner.operands[0], *op.operands[1:]]
    rw.replace_with(op, op.name, operands, [op.results[0].type])
    return True


def extract_of_index_cast(op: Operation, rw: GreedyRewriter) -> bool:
    """extract (index_cast %t)[...] -> index_cast (extract %t[...])"""
    inner = defining(op.operands[0], "arith.index_cast")
    if inner is None:
        return False
    element = cast("TensorType", inner.operands[0].type).element_type
    taken = rw.value(op.name, [inner.operands[0], *op.operands[1:]], element)
    rw.replace_with(op, inner.name, [taken], [op.results[0].type])
    return True


def extract_of_generate(op: Operation, rw: GreedyRewriter) -> bool:
    """extract (generate { ^bb0(%i): ... yield %x })[%c] -> what gives %x, with %c for %i"""
    made: Operation | None = defining(op.operands[0], "tensor.generate")
    if made is None or not is_trivially_dead(made, ignore_uses=True):
        return False
    block = made.regions[0].block
    values: dict[SSAValue, SSAValue] = dict(zip(block.args, op.operands[1:], strict=True))
    end = block.last_op
    assert end is not None
    for inner in block.ops:
        if inner is not end:
            copy = rw.insert(inner.clone(values))
            copy.location = inner.location
    rw.replace(op, [values.get(end.operands[0], end.operands[0])])
    return True


ELEMENT_PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "tensor.extract": (extract_of_cast, extract_of_index_cast, extract_of_generate),
}


# -- Canonicalization patterns of tensor.empty, generate and concat, and of casts of empty tensors:
# sizes that are known go into types.


def _sizes(op: Operation) -> Mixed:
    """The sizes of the result of an operation whose operands are those that its type leaves
    open."""
    values = iter(op.operands)
    return [next(values) if size == DYNAMIC_INDEX else size for size in shape_of(op.results[0])]


def constant_sizes(op: Operation, rw: GreedyRewriter) -> bool:
    """empty(%c8) : tensor<?xf32> -> cast(empty() : tensor<8xf32>), and generate likewise"""
    before = _sizes(op)
    sizes = settle(before, not_negative)
    if sizes == before:
        return False
    values = [size for size in sizes if not isinstance(size, int)]
    kind = with_shape(op.results[0].type, static_sizes(sizes))
    regions = [op.detach_region(0) for _ in op.regions]
    new = rw.create(op.name, values, [kind], regions=regions)
    rw.replace_with(op, "tensor.cast", [new.results[0]], [op.results[0].type])
    return True


def cast_of_empty(op: Operation, rw: GreedyRewriter) -> bool:
    """cast(empty(...)) -> empty(...) of the sizes that the cast has"""
    made = defining(op.operands[0], "tensor.empty")
    kind = op.results[0].type
    if made is None or not keeps_sizes(made.results[0].type, kind):
        return False
    pairs = zip(_sizes(made), shape_of(op.results[0]), strict=True)
    values = [size for size, known in pairs if known == DYNAMIC_INDEX]
    rw.replace_with(op, made.name, values, [kind])
    return True


def dim_of_empty(op: Operation, rw: GreedyRewriter) -> bool:
    """The size that an empty tensor was given"""
    made, at = defining(op.operands[0], "tensor.empty"), int_of(op.operands[1])
    if made is None or at is None:
        return False
    sizes = _sizes(made)
    if not 0 <= at < len(sizes) or isinstance(sizes[at], int):
        return False
    rw.replace(op, [cast("SSAValue", sizes[at])])
    return True


# --- concat ----------------------------------------------------------------------------------
def concat_of_one(op: Operation, rw: GreedyRewriter) -> bool:
    """concat of one tensor -> cast"""
    if len(op.operands) != 1:
        return False
    rw.replace_with(op, "tensor.cast", [op.operands[0]], [op.results[0].type])
    return True


def _along(op: Operation) -> int:
    return cast("IntegerAttr", op.properties["dim"]).value.data


def _inferred(op: Operation) -> list[int]:
    """The sizes of the result, as far as those of the operands say them."""
    shapes = [shape_of(value) for value in op.operands]
    columns = [list(column) for column in zip(*shapes, strict=True)]
    sizes = [
        next((size for size in column if size != DYNAMIC_INDEX), DYNAMIC_INDEX)
        for column in columns
    ]
    along = columns[_along(op)]
    sizes[_along(op)] = DYNAMIC_INDEX if DYNAMIC_INDEX in along else sum(along)
    return sizes


def concat_operand_types(op: Operation, rw: GreedyRewriter) -> bool:
    """A static size of one operand off the concatenated dimension holds for all of them"""
    element = cast("TensorType", op.results[0].type).element_type
    sizes = _inferred(op)
    changed = False
    for at, value in enumerate(op.operands):
        sizes[_along(op)] = shape_of(value)[_along(op)]
        kind = TensorType(element, sizes)
        if not keeps_sizes(kind, value.type):
            rw.set_operand(op, at, cast_to(rw, value, kind))
            changed = True
    return changed


def concat_result_type(op: Operation, rw: GreedyRewriter) -> bool:
    """concat whose operands know more than its result -> cast(concat)"""
    old = cast("TensorType", op.results[0].type)
    kind = TensorType(old.element_type, _inferred(op))
    if keeps_sizes(kind, old):
        return False
    new = rw.value(op.name, list(op.operands), kind, dict(op.properties))
    rw.replace_with(op, "tensor.cast", [new], [old])
    return True


SIZE_PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "tensor.concat": (concat_of_one, concat_operand_types, concat_result_type),
    "tensor.empty": (constant_sizes,),
    "tensor.generate": (constant_sizes,),
}


# -- Canonicalization patterns of tensor.collapse_shape and tensor.expand_shape.


def _collapsed(sizes: Sequence[int], groups: Groups) -> list[int]:
    """The sizes that `groups` of `sizes` collapse to."""
    parts = [[sizes[dim] for dim in group] for group in groups]
    return [DYNAMIC_INDEX if DYNAMIC_INDEX in part else prod(part) for part in parts]


def _bare(kind: Attribute, shape: Sequence[int]) -> TensorType[Attribute]:
    """A tensor type with elements like those of `kind`, without an encoding."""
    assert isinstance(kind, TensorType)
    return TensorType(kind.element_type, shape)


def reshape_of_splat(op: Operation, rw: GreedyRewriter) -> bool:
    """A splat of known shape, reshaped, is a splat"""
    made = defining(op.operands[0], "tensor.splat")
    if made is None or not is_static(made.results[0].type):
        return False
    rw.replace_with(op, made.name, [made.operands[0]], [op.results[0].type])
    return True


def reshape_of_elements(op: Operation, rw: GreedyRewriter) -> bool:
    """Elements in a shape, reshaped, are the elements in another"""
    made = defining(op.operands[0], "tensor.from_elements")
    if made is None or not is_static(op.results[0].type):
        return False
    rw.replace_with(op, made.name, list(made.operands), [op.results[0].type])
    return True


def collapse_of_cast(op: Operation, rw: GreedyRewriter) -> bool:
    """collapse(cast %t) -> cast(collapse %t) where the cast forgets sizes"""
    source = uncast(op.operands[0])
    if source is None:
        return False
    groups = groups_of(op)
    kind = _bare(source.type, _collapsed(shape_of(source), groups))
    if kind == op.results[0].type:
        rw.set_operand(op, 0, source)
        return True
    new = rw.value(op.name, [source], kind, {"reassociation": reassociation(groups)})
    rw.replace_with(op, "tensor.cast", [new], [op.results[0].type])
    return True


def expand_of_cast(op: Operation, rw: GreedyRewriter) -> bool:
    """expand(cast %t) to sizes that are constants -> cast(expand(cast %t)) to static ones

    Where the cast forgets a size: what `%t` does not know, no part of it may know either.
    """
    source = uncast(op.operands[0])
    if source is None:
        return False
    groups, before = groups_of(op), output_shape(op)
    shape = settle(before, not_negative)
    for group, size in zip(groups, shape_of(source), strict=True):
        if size == DYNAMIC_INDEX:
            for dim in group:
                shape[dim] = before[dim]
    if shape == before:
        return False
    sizes = static_sizes(shape)
    inner = cast_to(rw, op.operands[0], _bare(source.type, _collapsed(sizes, groups)))
    new = create_expand(rw, op, _bare(source.type, sizes), inner, groups, shape)
    rw.replace_with(op, "tensor.cast", [new], [op.results[0].type])
    return True


def dim_of_reshape(op: Operation, rw: GreedyRewriter) -> bool:
    """dim (reshape %t(%shape)), %i -> extract %shape[%i]"""
    reshape = defining(op.operands[0], "tensor.reshape")
    if reshape is None:
        return False
    shape = reshape.operands[1]
    assert isinstance(shape.type, TensorType)
    rw.after(op)
    size = rw.value("tensor.extract", [shape, op.operands[1]], shape.type.element_type)
    if size.type != op.results[0].type:
        size = rw.value("arith.index_cast", [size], op.results[0].type)
    rw.replace(op, [size])
    return True


_OF_ALL: tuple[Pattern, ...] = (reshape_of_splat, reshape_of_elements)
RESHAPE_PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "tensor.collapse_shape": (
        collapse_of_collapse,
        collapse_of_expand,
        *_OF_ALL,
        collapse_of_cast,
    ),
    "tensor.expand_shape": (expand_of_expand, expand_of_collapse, expand_of_cast, *_OF_ALL),
}


def dim_of_buffer(op: Operation, rw: GreedyRewriter) -> bool:
    """The size of what was made of a buffer is the buffer's."""
    source = defining(op.operands[0], "bufferization.to_tensor")
    if source is None:
        return False
    operands = [source.operands[0], op.operands[1]]
    rw.replace_with(op, "memref.dim", operands, [op.results[0].type])
    return True


def dim_of_allocated(op: Operation, rw: GreedyRewriter) -> bool:
    """The size that a tensor was allocated with."""
    source, index = defining(op.operands[0], "bufferization.alloc_tensor"), int_of(op.operands[1])
    kind = op.operands[0].type
    if source is None or index is None or not isinstance(kind, TensorType):
        return False
    shape = kind.get_shape()
    if not 0 <= index < len(shape) or shape[index] != DYNAMIC_INDEX:
        return False
    if any(value.type == kind for value in source.operands):
        return False
    rw.replace(op, [source.operands[sum(size == DYNAMIC_INDEX for size in shape[:index])]])
    return True


def dim_of_cast(op: Operation, rw: GreedyRewriter) -> bool:
    """The size of a cast is that of what is cast."""
    inner = defining(op.operands[0], "tensor.cast")
    if inner is None:
        return False
    operands = [inner.operands[0], op.operands[1]]
    rw.replace_with(op, op.name, operands, [op.results[0].type])
    return True


def dim_of_destination(op: Operation, rw: GreedyRewriter) -> bool:
    """The size of what is written over something is the size of that."""
    source = destination_of(op.operands[0])
    if source is None:
        return False
    rw.set_operand(op, 0, source)
    return True


#: The sizes and the encoding of a tensor type; no sizes for an unranked one.
_Shape = tuple[list[int] | None, "Attribute"]


def cast_of_cast(op: Operation, rw: GreedyRewriter) -> bool:
    """A cast of a cast is one, if the first one does not forget what the second needs not know."""
    inner = defining(op.operands[0], "tensor.cast")
    if inner is None:
        return False
    kinds = (inner.operands[0].type, op.operands[0].type, op.results[0].type)
    first, middle, last = map(_shape, kinds)
    # What all three say together must be what the ends say.
    known = _joined(_joined(first, middle), last)
    if known is None or known != _joined(first, last):
        return False
    rw.replace_with(op, op.name, [inner.operands[0]], [kinds[2]])
    return True


def _shape(kind: Attribute) -> _Shape:
    return (
        (list(kind.get_shape()), kind.encoding)
        if isinstance(kind, TensorType)
        else (None, NoneAttr())
    )


def _joined(left: _Shape | None, right: _Shape | None) -> _Shape | None:
    """What two types know together; None if they contradict each other."""
    if left is None or right is None:
        return None
    if left[0] is None:
        return right
    if right[0] is None:
        return left
    if len(left[0]) != len(right[0]):
        return None
    sizes: list[int] = []
    for mine, theirs in zip(left[0], right[0], strict=True):
        if DYNAMIC_INDEX not in (mine, theirs) and mine != theirs:
            return None
        sizes.append(theirs if mine == DYNAMIC_INDEX else mine)
    return sizes, NoneAttr()


def bitcast_of_bitcast(op: Operation, rw: GreedyRewriter) -> bool:
    """bitcast(bitcast %t) -> bitcast %t"""
    inner = defining(op.operands[0], op.name)
    if inner is None:
        return False
    rw.replace_with(op, op.name, [inner.operands[0]], [op.results[0].type])
    return True


PATTERNS: dict[str, tuple[Pattern, ...]] = {
    **ELEMENT_PATTERNS,
    **PAD_PATTERNS,
    **RESHAPE_PATTERNS,
    **SIZE_PATTERNS,
    **SLICE_PATTERNS,
    "tensor.bitcast": (bitcast_of_bitcast,),
    "tensor.cast": (cast_of_cast, cast_of_extract, cast_of_empty),
    "tensor.dim": (
        dim_of_allocated,
        dim_of_buffer,
        dim_of_cast,
        dim_of_destination,
        dim_of_reshape,
        dim_of_empty,
    ),
}

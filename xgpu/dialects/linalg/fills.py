# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is made of a tensor full of one value, or of a cast of a structured operation's result:
canonicalization patterns whose roots are mostly operations of the tensor dialect.

%0 = linalg.fill ins(%x : f32) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
%1 = tensor.collapse_shape %0 [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
=>
%0 = tensor.collapse_shape %t [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
%1 = linalg.fill ins(%x : f32) outs(%0 : tensor<32xf32>) -> tensor<32xf32>
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, TensorType
from xdsl.ir import Operation, OpResult

from xgpu.core.ir import affine
from xgpu.core.ir.constants import constant_of
from xgpu.dialects.affine.apply import symbol
from xgpu.dialects.affine.index_math import constant, folded_apply
from xgpu.dialects.linalg.bodies import build_region
from xgpu.dialects.linalg.retyping import with_operands
from xgpu.dialects.linalg.structure import inputs, is_structured, outputs
from xgpu.dialects.slices import Mixed, mixed, slice_operands, static_sizes
from xgpu.dialects.tensor.canonicalize_pads import padding_value
from xgpu.dialects.tensor.casts import cast_to, keeps_sizes, made_by, shape_of
from xgpu.dialects.tensor.fold_slices import place_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.ir import SSAValue

    from xgpu.core.ods.operation import OdsOperation
    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern


def filled(value: SSAValue) -> tuple[SSAValue, SSAValue] | None:
    """What `value` is full of, and what that was written over."""
    op = made_by(value, "linalg.fill")
    return None if op is None else (op.operands[0], op.operands[1])


def fill(rw: GreedyRewriter, value: SSAValue, over: SSAValue) -> SSAValue:
    """`over`, full of `value`."""
    region = build_region("linalg.fill", (value, over), {}, 1, rw.location)
    return rw.create("linalg.fill", ([value], [over]), (over.type,), None, None, [region]).results[
        0
    ]


def same_value(first: SSAValue, second: SSAValue) -> bool:
    """Whether two values are one, or constants that are."""
    if first is second:
        return True
    known = constant_of(first)
    return known is not None and known == constant_of(second)


# --- of linalg's own operations --------------------------------------------------------------
def copy_of_fill(op: Operation, rw: GreedyRewriter) -> bool:
    """copy(fill) is a fill, and what is copied over a fill is copied over what was there before."""
    source = filled(op.operands[0])
    if source is not None and op.results:
        rw.replace(op, [fill(rw, source[0], op.operands[1])])
        return True
    target = filled(op.operands[1])
    if target is None:
        return False
    rw.set_operand(op, 1, target[1])
    return True


def transpose_of_fill(op: Operation, rw: GreedyRewriter) -> bool:
    """transpose(fill) -> fill"""
    source = filled(op.operands[0])
    if source is None or not op.results:
        return False
    rw.replace(op, [fill(rw, source[0], op.operands[1])])
    return True


def pack_of_fill(op: OdsOperation, rw: GreedyRewriter) -> bool:
    """pack(fill) -> fill, if the padding is the same and nobody else uses the destination"""
    source = filled(op.operands[0])
    if source is None:
        return False
    padding = op.operand_group(2)
    if padding and not same_value(padding[0], source[0]):
        return False
    if not op.operands[1].has_one_use():
        return False
    rw.replace(op, [fill(rw, source[0], op.operands[1])])
    return True


# --- of tensors --------------------------------------------------------------------------------
def reshape_of_fill(op: Operation, rw: GreedyRewriter) -> bool:
    """reshape(fill into %t) -> fill into reshape(%t)"""
    source = filled(op.operands[0])
    if source is None:
        return False
    operands = [source[1], *op.operands[1:]]
    kinds = [op.results[0].type]
    new = rw.create(op.name, operands, kinds, dict(op.properties), dict(op.attributes)).results[0]
    rw.replace(op, [fill(rw, source[0], new)])
    return True


def extract_of_fill(op: Operation, rw: GreedyRewriter) -> bool:
    """An element of what is full of a value is the value."""
    source = filled(op.operands[0])
    if source is None or source[0].type != op.results[0].type:
        return False
    rw.replace(op, [source[0]])
    return True


def pad_of_fill(op: Operation, rw: GreedyRewriter) -> bool:
    """pad(fill) with the same value -> fill of a larger tensor"""
    source = filled(op.operands[0])
    padding = padding_value(op)
    if source is None or padding is None or not same_value(padding, source[0]):
        return False
    sizes = _padded_sizes(op, rw)
    kind = cast("TensorType", op.results[0].type)
    open_sizes = [size for size in sizes if not isinstance(size, int)]
    empty = rw.value("tensor.empty", open_sizes, TensorType(kind.element_type, static_sizes(sizes)))
    rw.replace(op, [cast_to(rw, fill(rw, source[0], empty), kind)])
    return True


def _padded_sizes(op: Operation, rw: GreedyRewriter) -> Mixed:
    """The sizes of what is padded."""
    source, found = op.operands[0], Mixed()
    total = affine.add(affine.add(symbol(0), symbol(1)), symbol(2))
    lists = zip(shape_of(source), mixed(op, "low"), mixed(op, "high"), strict=True)
    for dim, (size, low, high) in enumerate(lists):
        extent = _size(rw, source, dim) if size == DYNAMIC_INDEX else size
        found.append(folded_apply(rw, total, [extent, low, high]))
    return found


def _size(rw: GreedyRewriter, source: SSAValue, dim: int) -> SSAValue:
    return rw.value("tensor.dim", [source, constant(rw, dim)], IndexType())


def concat_of_fills(op: Operation, rw: GreedyRewriter) -> bool:
    """concat of fills with one value -> fill of a concat"""
    found = [filled(value) for value in op.operands]
    sources = [source for source in found if source is not None]
    if not sources or len(sources) != len(found):
        return False
    if not all(same_value(value, sources[0][0]) for value, _ in sources):
        return False
    kind = op.results[0].type
    joined = rw.value(op.name, [over for _, over in sources], kind, dict(op.properties))
    rw.replace(op, [fill(rw, sources[0][0], joined)])
    return True


def insert_pad_into_fill(op: Operation, rw: GreedyRewriter) -> bool:
    """What is padded need not be, where it is inserted into what is full of the padding already."""
    pad = made_by(op.operands[0], "tensor.pad")
    if pad is None or _is_rank_reducing(op):
        return False
    first = _first_destination(op)
    target = None if first is None else filled(first)
    padding = padding_value(pad)
    if target is None or padding is None or not same_value(padding, target[0]):
        return False
    offsets, _, strides = place_of(op)
    total = affine.add(symbol(0), symbol(1))
    pairs = zip(mixed(pad, "low"), offsets, strict=True)
    moved: Mixed = [folded_apply(rw, total, [low, offset]) for low, offset in pairs]
    source = pad.operands[0]
    sizes: Mixed = [
        _size(rw, source, dim) if size == DYNAMIC_INDEX else size
        for dim, size in enumerate(shape_of(source))
    ]
    groups, properties = slice_operands((moved, sizes, strides))
    operands = [[source], [op.operands[1]], *groups]
    rw.replace_with(op, op.name, operands, [op.results[0].type], properties, dict(op.attributes))
    return True


def _is_rank_reducing(op: Operation) -> bool:
    return len(shape_of(op.operands[0])) != len(shape_of(op.operands[1]))


def _first_destination(op: Operation) -> SSAValue | None:
    """What `op` and the insertions before it, as far as they write elsewhere, insert into."""
    dest = op.operands[1]
    while (before := made_by(dest, "tensor.insert_slice")) is not None:
        if _is_rank_reducing(before):
            return None
        if not _are_disjoint(place_of(op), place_of(before)):
            break
        dest = before.operands[1]
    return dest


def _are_disjoint(mine: Sequence[Mixed], theirs: Sequence[Mixed]) -> bool:
    """Whether two slices are known to have no element in common."""
    for entries in zip(*mine, *theirs, strict=True):
        if not all(isinstance(entry, int) for entry in entries):
            continue
        start, size, stride, other, other_size, other_stride = cast("tuple[int, ...]", entries)
        end, other_end = start + (size - 1) * stride, other + (other_size - 1) * other_stride
        if end < other or other_end < start:
            return True
    return False


# --- casts -----------------------------------------------------------------------------------
def cast_of_result(op: Operation, rw: GreedyRewriter) -> bool:
    """A structured operation has the sizes that a cast of its result tells; its other users get a
    cast back."""
    source = op.operands[0]
    owner = source.owner
    if not isinstance(source, OpResult) or not isinstance(owner, Operation):
        return False
    if not is_structured(owner) or op.parent is not owner.parent:
        return False
    kind = op.results[0].type
    if not keeps_sizes(source.type, kind) or kind == source.type:
        return False
    rw.at(owner)
    place = len(inputs(owner)) + source.index
    if len(outputs(owner)) != len(owner.results):
        return False
    operands, kinds = list(owner.operands), [result.type for result in owner.results]
    operands[place] = rw.value("tensor.cast", (operands[place],), kind)
    old, kinds[source.index] = kinds[source.index], kind
    new = with_operands(rw, owner, operands, kinds)
    results: list[SSAValue] = list(new.results)
    results[source.index] = cast_to(rw, new.results[source.index], old)
    rw.replace(op, [new.results[source.index]])
    rw.replace(owner, results)
    return True


#: Patterns of operations of the tensor dialect.
TENSOR_PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "tensor.cast": (cast_of_result,),
    "tensor.collapse_shape": (reshape_of_fill,),
    "tensor.concat": (concat_of_fills,),
    "tensor.expand_shape": (reshape_of_fill,),
    "tensor.extract": (extract_of_fill,),
    "tensor.insert_slice": (insert_pad_into_fill,),
    "tensor.pad": (pad_of_fill,),
}

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of memref's views: subview, reinterpret_cast, reshapes, metadata."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import Operation, SSAValue

from xgpu.core.ir.constants import int_of
from xgpu.dialects.memref.canonicalize_reshapes import RESHAPE_PATTERNS
from xgpu.dialects.memref.casts import forgets, uncast
from xgpu.dialects.memref.fold import dropped_dims
from xgpu.dialects.memref.layout import known_description, strided_type, strides_and_offset
from xgpu.dialects.slices import (
    Mixed,
    known,
    mixed,
    not_negative,
    not_zero,
    out_of_bounds,
    parts,
    settle,
    slice_operands,
)

if TYPE_CHECKING:
    from xdsl.ir import Attribute

    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern
    from xgpu.dialects import memref

METADATA = "memref.extract_strided_metadata"


def cast_to(rw: GreedyRewriter, value: SSAValue, kind: Attribute) -> SSAValue:
    """`value` as a memref of type `kind`."""
    return value if value.type == kind else rw.value("memref.cast", (value,), kind)


# --- subview -------------------------------------------------------------------------------------
def subview_type(
    source: Attribute, offsets: Mixed, sizes: Mixed, strides: Mixed, dropped: set[int]
) -> MemRefType | None:
    """The type that MLIR infers for a subview without the dimensions `dropped`; None where what is
    known now is outside of the source, which only running it may say."""
    from xgpu.dialects.memref.verify_views import infer_subview

    if out_of_bounds(
        cast("MemRefType", source).get_shape(), (known(offsets), known(sizes), known(strides))
    ):
        return None  # nobody runs this, but it has to stay valid
    full = infer_subview(source, known(offsets), known(sizes), known(strides))
    if full is None or not dropped:
        return full
    found = strides_and_offset(full)
    if found is None:
        return None
    keep = [d for d in range(len(sizes)) if d not in dropped]
    shape = [full.get_shape()[d] for d in keep]
    return strided_type(full, shape, [found[0][d] for d in keep], found[1])


def make_subview(
    rw: GreedyRewriter,
    source: SSAValue,
    kind: Attribute,
    offsets: Mixed,
    sizes: Mixed,
    strides: Mixed,
) -> SSAValue:
    """Creates a memref.subview."""
    groups, properties = slice_operands((offsets, sizes, strides))
    return rw.value("memref.subview", (source, *groups), kind, properties)


def subview_constants(op: memref.SubviewOp, rw: GreedyRewriter) -> bool:
    """subview with constant offsets, sizes or strides -> cast(subview with static ones)"""
    before = [mixed(op, n) for n in ("offsets", "sizes", "strides")]
    after = [
        settle(before[0], not_negative),
        settle(before[1], not_negative),
        settle(before[2], not_zero),
    ]
    if after == before:
        return False
    dropped = dropped_dims(op)
    if dropped is None:
        return False
    kind = subview_type(op.source.type, after[0], after[1], after[2], dropped)
    if kind is None:
        return False
    new = make_subview(rw, op.operands[0], kind, *after)
    rw.replace(op, [cast_to(rw, new, op.results[0].type)])
    return True


def subview_of_cast(op: memref.SubviewOp, rw: GreedyRewriter) -> bool:
    """subview(cast %m) -> cast(subview %m) where the cast forgets sizes"""
    source = uncast(op.operands[0])
    if source is None or any(int_of(v) is not None for v in op.operands[1:]):
        return False
    if not forgets(source.type, op.operands[0].type):
        return False
    dropped = dropped_dims(op)
    if dropped is None:
        return False
    offsets, sizes, strides = (mixed(op, n) for n in ("offsets", "sizes", "strides"))
    kind = subview_type(source.type, offsets, sizes, strides, dropped)
    if kind is None:
        return False
    new = make_subview(rw, source, kind, offsets, sizes, strides)
    rw.replace(op, [cast_to(rw, new, op.results[0].type)])
    return True


def trivial_subview(op: memref.SubviewOp, rw: GreedyRewriter) -> bool:
    """subview %m[0, ...] [all of %m] [1, ...] -> cast %m"""
    source = op.operands[0]
    offsets, sizes, strides = (mixed(op, n) for n in ("offsets", "sizes", "strides"))
    if any(o != 0 for o in offsets) or any(s != 1 for s in strides):
        return False
    kind = cast("MemRefType", source.type)
    if list(kind.get_shape()) != sizes:  # static, and all of it
        return False
    if len(op.results[0].type.get_shape()) != len(sizes):
        return False
    if source.type == op.results[0].type:
        rw.replace(op, [source])
    else:
        rw.replace(op, [rw.value("memref.cast", (source,), op.results[0].type)])
    return True


# --- reinterpret_cast, metadata ------------------------------------------------------------------
def reinterpret_constants(op: memref.ReinterpretCastOp, rw: GreedyRewriter) -> bool:
    """reinterpret_cast with constants -> cast(reinterpret_cast with static numbers)"""
    before = [mixed(op, n) for n in ("offsets", "sizes", "strides")]
    after = [settle(before[0], not_negative), settle(before[1], not_negative), settle(before[2])]
    if after == before:
        return False
    old: MemRefType = op.results[0].type
    shape = [s if isinstance(s, int) else DYNAMIC_INDEX for s in after[1]]
    kind = strided_type(old, shape, known(after[2]), known(after[0])[0])
    o, static_offsets = parts(after[0])
    z, static_sizes = parts(after[1])
    t, static_strides = parts(after[2])
    new = rw.create(
        op.name,
        (op.operands[0], o, z, t),
        (kind,),
        {
            "static_offsets": static_offsets,
            "static_sizes": static_sizes,
            "static_strides": static_strides,
        },
    )
    rw.replace(op, [cast_to(rw, new.results[0], old)])
    return True


def reinterpret_of_metadata(op: memref.ReinterpretCastOp, rw: GreedyRewriter) -> bool:
    """reinterpret_cast(base of %m) -> cast %m where it has the offset, sizes and strides of %m

    Else it takes %m itself: base and memref point to the same memory, and the layout of what is
    reinterpreted does not count.
    """
    metadata = op.operands[0].owner
    if not isinstance(metadata, Operation) or metadata.name != METADATA:
        return False
    source = metadata.operands[0]
    if _description(op) != _described(metadata):
        rw.set_operand(op, 0, source)
        return True
    rw.replace(op, [cast_to(rw, source, op.results[0].type)])
    return True


def _description(op: memref.ReinterpretCastOp) -> Mixed | None:
    """Offset, sizes and strides of a reinterpret_cast; numbers where its type knows them."""
    kind: MemRefType = op.results[0].type
    found = strides_and_offset(kind)
    if found is None:
        return None
    numbers = known_description(kind, found)
    entries = [*mixed(op, "offsets"), *mixed(op, "sizes"), *mixed(op, "strides")]
    return [e if n is None else n for e, n in zip(settle(entries), numbers, strict=True)]


def _described(metadata: Operation) -> Mixed | None:
    """Offset, sizes and strides as extract_strided_metadata gives them, likewise."""
    kind = cast("MemRefType", metadata.operands[0].type)
    found = strides_and_offset(kind)
    if found is None:
        return None
    values = list(metadata.results)[1:]
    numbers = known_description(kind, found)
    return [v if n is None else n for v, n in zip(values, numbers, strict=True)]


VIEW_PATTERNS: dict[str, tuple[Pattern, ...]] = {
    **RESHAPE_PATTERNS,
    "memref.reinterpret_cast": (reinterpret_constants, reinterpret_of_metadata),
    "memref.subview": (subview_constants, subview_of_cast, trivial_subview),
}

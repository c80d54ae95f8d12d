# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`expand-strided-metadata`: what memref operations do to offset, sizes and strides, as arithmetic.

A subview, expand_shape or collapse_shape becomes `memref.reinterpret_cast` of the base buffer with
computed offset, sizes and strides; `memref.extract_strided_metadata` is resolved where its source
says what it gives. Source: MLIR 22.1 ExpandStridedMetadataPass.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import MemRefType, NoneAttr
from xdsl.ir import Operation, SSAValue

from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.greedy import apply_patterns
from xgpu.dialects.affine import maps as ap
from xgpu.dialects.affine.index_math import folded_apply
from xgpu.dialects.affine.maps import Mixed
from xgpu.dialects.arith.builders import index_constant
from xgpu.dialects.memref_layout import DYNAMIC_SIZE, strided_form
from xgpu.transforms.memref.result_sizes import (
    EXTRACT,
    Metadata,
    base_type,
    collapse_metadata,
    expand_metadata,
    extract,
    mixed,
    reinterpret,
    segments,
    subview_metadata,
)

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.core.rewriting.greedy import GreedyRewriter

#: Views with the aligned pointer of what they view (memref.view, for one, moves it).
_SAME_POINTER = frozenset({"memref.reinterpret_cast", "memref.subview"})
_S0, _S1 = ap.symbol(0), ap.symbol(1)


_METADATA = {
    "memref.collapse_shape": collapse_metadata,
    "memref.expand_shape": expand_metadata,
    "memref.subview": subview_metadata,
}


def _expand(op: Operation, rw: GreedyRewriter) -> bool:
    rw.before(op)
    rw.location = op.location
    meta = _METADATA[op.name](op, rw)
    if meta is None:
        return False
    rw.replace(op, [reinterpret(rw, meta, op.results[0].type)])
    return True


def _values(rw: GreedyRewriter, items: Sequence[Mixed]) -> list[SSAValue]:
    return [index_constant(rw, v) if isinstance(v, int) else v for v in items]


def _replace_extract(op: Operation, rw: GreedyRewriter, meta: Metadata) -> bool:
    rw.replace(op, [meta.base, *_values(rw, [meta.offset, *meta.sizes, *meta.strides])])
    return True


def resolve_extract(op: Operation, rw: GreedyRewriter) -> bool:
    """Resolves `memref.extract_strided_metadata` by what defines its source."""
    source = op.operands[0]
    owner = source.owner
    rw.before(op)
    rw.location = op.location
    if isinstance(owner, Operation):
        if owner.name in _METADATA:
            meta = _METADATA[owner.name](owner, rw)
            return meta is not None and _replace_extract(op, rw, meta)
        if owner.name in ("memref.alloc", "memref.alloca", "memref.get_global"):
            return _resolve_allocation(op, owner, rw)
        if owner.name == "memref.reinterpret_cast":
            return _resolve_reinterpret_cast(op, owner, rw)
        if owner.name == "memref.cast":
            return _resolve_cast(op, owner, rw)
        if owner.name == "memref.memory_space_cast":
            return _resolve_memory_space_cast(op, owner, rw)
        if owner.name == "memref.assume_alignment":
            rw.set_operand(op, 0, owner.operands[0])
            return True
        if owner.name == EXTRACT and source is owner.results[0]:
            return _resolve_base(op, owner, rw)
    return False


def _resolve_allocation(op: Operation, owner: Operation, rw: GreedyRewriter) -> bool:
    ty = cast("MemRefType", op.operands[0].type)
    if not isinstance(ty.layout, NoneAttr):
        return False
    dynamic = iter(owner.operands)
    sizes: list[Mixed] = [next(dynamic) if s == DYNAMIC_SIZE else s for s in ty.get_shape()]
    strides: list[Mixed] = [1] * len(sizes)
    expr = ap.constant(1)
    for dim in reversed(range(len(sizes) - 1)):
        inner = sizes[dim + 1 :]
        expr = ap.affine.mul(expr, ap.symbol(len(inner) - 1))
        strides[dim] = folded_apply(rw, expr, inner)
    base = op.operands[0]
    if ty.get_num_dims():
        base = reinterpret(rw, Metadata(base, 0, [], []), base_type(ty))
    return _replace_extract(op, rw, Metadata(base, 0, sizes, strides))


def _resolve_reinterpret_cast(op: Operation, owner: Operation, rw: GreedyRewriter) -> bool:
    """The source's base, with what the cast says."""
    inner = owner.operands[0]
    if not isinstance(inner.type, MemRefType):
        return False
    _, offsets_count, sizes_count, _ = segments(owner)
    meta = extract(rw, inner)
    if meta is None:
        return False
    meta.offset = mixed(owner, "offsets", 1)[0]
    meta.sizes = mixed(owner, "sizes", 1 + offsets_count)
    meta.strides = mixed(owner, "strides", 1 + offsets_count + sizes_count)
    return _replace_extract(op, rw, meta)


def _resolve_cast(op: Operation, owner: Operation, rw: GreedyRewriter) -> bool:
    """The source's metadata, with what the cast's type knows in addition."""
    inner = owner.operands[0]
    if not isinstance(inner.type, MemRefType):
        return False
    meta = extract(rw, inner)
    ty = cast("MemRefType", op.operands[0].type)
    form = strided_form(ty)
    if meta is None or form is None:
        return False
    strides, offset = form
    if offset is not None:
        meta.offset = offset
    meta.sizes = [
        old if s == DYNAMIC_SIZE else s for s, old in zip(ty.get_shape(), meta.sizes, strict=True)
    ]
    meta.strides = [old if s is None else s for s, old in zip(strides, meta.strides, strict=True)]
    return _replace_extract(op, rw, meta)


def _resolve_memory_space_cast(op: Operation, owner: Operation, rw: GreedyRewriter) -> bool:
    meta = extract(rw, owner.operands[0])
    if meta is None:
        return False
    result = cast("MemRefType", op.operands[0].type)
    meta.base = rw.value("memref.memory_space_cast", [meta.base], base_type(result))
    return _replace_extract(op, rw, meta)


def _resolve_base(op: Operation, owner: Operation, rw: GreedyRewriter) -> bool:
    """The base buffer of a base buffer is itself, at offset 0."""
    return _replace_extract(op, rw, Metadata(owner.results[0], 0, [], []))


def through_views(op: Operation, rw: GreedyRewriter) -> bool:
    """The aligned pointer of a view that only changes offset, sizes and strides is its source's."""
    owner = op.operands[0].owner
    if not isinstance(owner, Operation) or owner.name not in _SAME_POINTER:
        return False
    rw.set_operand(op, 0, owner.operands[0])
    return True


PATTERNS = {
    **dict.fromkeys(_METADATA, (_expand,)),
    EXTRACT: (resolve_extract,),
    "memref.extract_aligned_pointer_as_index": (through_views,),
}


class ExpandStridedMetadataPass(Pass):
    name = "expand-strided-metadata"
    summary = "Expand memref operations into easier to analyze constructs"

    def run(self, op: Operation, ctx: Context) -> None:
        apply_patterns(op, PATTERNS)

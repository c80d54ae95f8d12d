# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`expand-strided-metadata`: what memref operations do to offset, sizes and strides, as arithmetic.

A subview, expand_shape or collapse_shape becomes `memref.reinterpret_cast` of the base buffer with
computed offset, sizes and strides; `memref.extract_strided_metadata` is resolved where its source
says what it gives. Source: MLIR 22.1 ExpandStridedMetadata.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import DenseArrayBase, IndexType, MemRefType, NoneAttr, i64
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.dialects.affine import apply as ap
from xgpu.dialects.affine.apply import Mixed, folded_apply
from xgpu.dialects.memref.strides import DYNAMIC_SIZE, strided_form
from xgpu.ir.op_info import traits_of
from xgpu.passes.base import Pass

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.rewriting.greedy import GreedyRewriter

_INDEX = IndexType()
_EXTRACT = "memref.extract_strided_metadata"
_S0, _S1 = ap.symbol(0), ap.symbol(1)


class Metadata:
    """A memref as `base` with offset, sizes and strides: integers where its type knows them."""

    def __init__(
        self, base: SSAValue, offset: Mixed, sizes: Sequence[Mixed], strides: Sequence[Mixed]
    ) -> None:
        self.base = base
        self.offset = offset
        self.sizes = list(sizes)
        self.strides = list(strides)


def base_type(ty: MemRefType) -> MemRefType:
    """The rank-0 memref that `memref.extract_strided_metadata` gives for `ty`."""
    return MemRefType(ty.element_type, (), NoneAttr(), ty.memory_space)


def extract(rw: Any, source: SSAValue) -> Metadata | None:
    """Extracts the metadata of `source`; None if its layout is not strided."""
    ty = source.type
    if not isinstance(ty, MemRefType):
        return None
    form = strided_form(ty)
    if form is None:
        return None
    rank = ty.get_num_dims()
    op = rw.create(_EXTRACT, [source], [base_type(ty), *(_INDEX for _ in range(1 + 2 * rank))])
    base, offset, *rest = op.results
    strides, start = form
    return Metadata(
        base,
        offset if start is None else start,
        [rest[i] if size == DYNAMIC_SIZE else size for i, size in enumerate(ty.get_shape())],
        [rest[rank + i] if s is None else s for i, s in enumerate(strides)],
    )


def reinterpret(rw: Any, meta: Metadata, result: Attribute) -> SSAValue:
    """`memref.reinterpret_cast` of the base to that offset, those sizes and strides."""
    groups = ([meta.offset], meta.sizes, meta.strides)
    static = [
        DenseArrayBase.from_list(i64, [v if isinstance(v, int) else DYNAMIC_SIZE for v in group])
        for group in groups
    ]
    dynamic = [[v for v in group if not isinstance(v, int)] for group in groups]
    return rw.value(
        "memref.reinterpret_cast",
        [meta.base, *dynamic],
        result,
        {"static_offsets": static[0], "static_sizes": static[1], "static_strides": static[2]},
    )


def mixed(op: Operation, which: str, start: int) -> list[Mixed]:
    """The static and dynamic `which` (offsets, sizes, strides) of `op`, whose dynamic ones begin
    at operand `start`."""
    attr: Any = op.properties[f"static_{which}"]
    dynamic = iter(op.operands[start:])
    return [next(dynamic) if v == DYNAMIC_SIZE else v for v in attr.get_values()]


def segments(op: Operation) -> list[int]:
    attr: Any = op.properties["operandSegmentSizes"]
    return list(attr.get_values())


def subview_metadata(op: Operation, rw: Any, source: Metadata | None = None) -> Metadata | None:
    """Offset o + sum(offset_i * stride_i), sizes as given, strides stride_i * step_i.

    `source` is the metadata of the source, where the caller has extracted it."""
    source = source or extract(rw, op.operands[0])
    if source is None:
        return None
    _, offsets_count, sizes_count, _ = segments(op)
    offsets = mixed(op, "offsets", 1)
    sizes = mixed(op, "sizes", 1 + offsets_count)
    steps = mixed(op, "strides", 1 + offsets_count + sizes_count)
    strides = [
        folded_apply(rw, ap.affine.mul(_S0, _S1), [step, stride])
        for step, stride in zip(steps, source.strides, strict=True)
    ]
    offset = linear_index(rw, source.offset, offsets, source.strides)
    kept = kept_dimensions(op, sizes)
    return Metadata(source.base, offset, [sizes[i] for i in kept], [strides[i] for i in kept])


def linear_index(
    rw: Any, offset: Mixed, indices: Sequence[Mixed], strides: Sequence[Mixed]
) -> Mixed:
    """offset + sum(index_i * stride_i)"""
    expr = _S0
    operands: list[Mixed] = [offset]
    for i, (index, stride) in enumerate(zip(indices, strides, strict=True)):
        term = ap.affine.mul(ap.symbol(2 * i + 1), ap.symbol(2 * i + 2))
        expr = ap.affine.add(expr, term)
        operands += (index, stride)
    return folded_apply(rw, expr, operands)


def kept_dimensions(op: Operation, sizes: Sequence[Mixed]) -> list[int]:
    """The dimensions of the source that the result of a subview still has."""
    result: Any = op.results[0].type
    wanted = list(result.get_shape())
    rank = len(sizes)
    drop = rank - len(wanted)
    if drop == 0:
        return list(range(rank))
    form = strided_form(result)
    source_form = strided_form(op.operands[0].type)  # pyright: ignore[reportArgumentType]
    steps: Any = op.properties["static_strides"]
    kept: list[int] = []
    position = 0
    for i, size in enumerate(sizes):
        number = size if isinstance(size, int) else DYNAMIC_SIZE
        remaining = rank - i
        needed = len(wanted) - position
        fits = position < len(wanted) and wanted[position] == number
        if (
            fits
            and number == 1
            and remaining > needed
            and form is not None
            and source_form is not None
        ):
            # Of several unit dimensions the one whose stride the result has stays.
            stride = source_form[0][i]
            step = list(steps.get_values())[i]
            product = None if stride is None or step == DYNAMIC_SIZE else stride * step
            fits = form[0][position] is None or product is None or product == form[0][position]
        if fits or remaining <= needed:
            kept.append(i)
            position += 1
    return kept


def groups_of(op: Operation) -> list[list[int]]:
    attr: Any = op.properties["reassociation"]
    return [[index.value.data for index in group.data] for group in attr.data]


def expand_metadata(op: Operation, rw: Any) -> Metadata | None:
    """expand_shape: each source dimension becomes a group of dimensions."""
    source = extract(rw, op.operands[0])
    if source is None:
        return None
    result: Any = op.results[0].type
    shape = list(result.get_shape())
    output = mixed_output_shape(op)
    sizes: list[Mixed] = [0] * len(shape)
    strides: list[Mixed] = [0] * len(shape)
    groups = groups_of(op)
    for dimension, group in enumerate(groups):
        _expand_group(rw, group, shape, output, source, dimension, sizes, strides)
    if not groups:
        sizes, strides = [1] * len(shape), [1] * len(shape)
    return Metadata(source.base, source.offset, sizes, strides)


def mixed_output_shape(op: Operation) -> list[Mixed]:
    attr: Any = op.properties["static_output_shape"]
    dynamic = iter(op.operands[1:])
    return [next(dynamic) if v == DYNAMIC_SIZE else v for v in attr.get_values()]


def _expand_group(
    rw: Any,
    group: Sequence[int],
    shape: Sequence[int],
    output: Sequence[Mixed],
    source: Metadata,
    dimension: int,
    sizes: list[Mixed],
    strides: list[Mixed],
) -> None:
    static = 1
    dynamic: list[int] = []
    for i in group:
        if shape[i] == DYNAMIC_SIZE:
            dynamic.append(i)
        else:
            static *= shape[i]
            sizes[i] = shape[i]
    if len(dynamic) == 1:
        # The one unknown size is what the others leave of the source's.
        expr = ap.affine.floordiv(_S0, ap.constant(static))
        sizes[dynamic[0]] = folded_apply(rw, expr, [source.sizes[dimension]])
    for i in dynamic[1:] and dynamic:
        sizes[i] = output[i]
    running: Mixed = 1
    stride = source.strides[dimension]
    for i in reversed(group):
        strides[i] = folded_apply(rw, ap.affine.mul(_S0, _S1), [running, stride])
        running = folded_apply(rw, ap.affine.mul(_S0, _S1), [running, sizes[i]])


def collapse_metadata(op: Operation, rw: Any) -> Metadata | None:
    """collapse_shape: a group of dimensions becomes one, with the innermost stride that counts."""
    source = extract(rw, op.operands[0])
    if source is None:
        return None
    ty: Any = op.operands[0].type
    result: Any = op.results[0].type
    shape = list(ty.get_shape())
    wanted = list(result.get_shape())
    form = strided_form(result)
    sizes: list[Mixed] = []
    strides: list[Mixed] = []
    for number, group in enumerate(groups_of(op)):
        sizes.append(_product(rw, [source.sizes[i] for i in group], wanted[number]))
        counted = [source.strides[i] for i in group if shape[i] != 1]
        if counted:
            strides.append(counted[-1])
            continue
        stride = form[0][number] if form is not None else None
        unknown = [source.strides[i] for i in group if not isinstance(source.strides[i], int)]
        strides.append(stride if stride is not None else (unknown or [1])[0])
    return Metadata(source.base, source.offset, sizes, strides)


def _product(rw: Any, sizes: Sequence[Mixed], known: int) -> Mixed:
    if known != DYNAMIC_SIZE:
        return known
    expr: Any = ap.constant(1)
    for i in range(len(sizes)):
        expr = ap.affine.mul(expr, ap.symbol(i))
    return folded_apply(rw, expr, sizes)


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


def _values(rw: Any, items: Sequence[Mixed]) -> list[SSAValue]:
    from xgpu.transforms.affine.expand import constant

    return [constant(rw, v) if isinstance(v, int) else v for v in items]


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
        if owner.name == _EXTRACT and source is owner.results[0]:
            return _resolve_base(op, owner, rw)
    return _forward_static(op, rw)


def _resolve_allocation(op: Operation, owner: Operation, rw: GreedyRewriter) -> bool:
    ty: Any = op.operands[0].type
    if not isinstance(ty.layout, NoneAttr):
        return _forward_static(op, rw)
    dynamic = iter(owner.operands)
    sizes: list[Mixed] = [next(dynamic) if s == DYNAMIC_SIZE else s for s in ty.get_shape()]
    strides: list[Mixed] = []
    running: Mixed = 1
    for size in reversed(sizes):
        strides.append(running)
        running = folded_apply(rw, ap.affine.mul(_S0, _S1), [running, size])
    strides.reverse()
    base = op.operands[0]
    if ty.get_num_dims():
        base = reinterpret(rw, Metadata(base, 0, [], []), base_type(ty))
    return _replace_extract(op, rw, Metadata(base, 0, sizes, strides))


def _resolve_reinterpret_cast(op: Operation, owner: Operation, rw: GreedyRewriter) -> bool:
    """The source's base, with what the cast says."""
    inner = owner.operands[0]
    if not isinstance(inner.type, MemRefType):
        return _forward_static(op, rw)
    _, offsets_count, sizes_count, _ = segments(owner)
    meta = extract(rw, inner)
    if meta is None:
        return _forward_static(op, rw)
    meta.offset = mixed(owner, "offsets", 1)[0]
    meta.sizes = mixed(owner, "sizes", 1 + offsets_count)
    meta.strides = mixed(owner, "strides", 1 + offsets_count + sizes_count)
    return _replace_extract(op, rw, meta)


def _resolve_cast(op: Operation, owner: Operation, rw: GreedyRewriter) -> bool:
    """The source's metadata, with what the cast's type knows in addition."""
    inner = owner.operands[0]
    if not isinstance(inner.type, MemRefType):
        return _forward_static(op, rw)
    meta = extract(rw, inner)
    ty: Any = op.operands[0].type
    form = strided_form(ty)
    if meta is None or form is None:
        return _forward_static(op, rw)
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
        return _forward_static(op, rw)
    result: Any = op.operands[0].type
    meta.base = rw.value("memref.memory_space_cast", [meta.base], base_type(result))
    return _replace_extract(op, rw, meta)


def _resolve_base(op: Operation, owner: Operation, rw: GreedyRewriter) -> bool:
    """The base buffer of a base buffer is itself, at offset 0."""
    return _replace_extract(op, rw, Metadata(owner.results[0], 0, [], []))


def _forward_static(op: Operation, rw: GreedyRewriter) -> bool:
    """Replaces those results that the type of the source knows with constants."""
    from xgpu.transforms.affine.expand import constant

    ty: Any = op.operands[0].type
    form = strided_form(ty)
    if form is None:
        return False
    rank = ty.get_num_dims()
    known: list[Any] = [form[1], *ty.get_shape(), *form[0]]
    changed = False
    for result, number in zip(op.results[1 : 2 + 2 * rank], known, strict=True):
        if number is None or number == DYNAMIC_SIZE or result.first_use is None:
            continue
        rw.replace_all_uses(result, constant(rw, number))
        changed = True
    return changed


def through_views(op: Operation, rw: GreedyRewriter) -> bool:
    """The aligned pointer of a view is that of what it views."""
    value = op.operands[0]
    owner = value.owner
    if not isinstance(owner, Operation) or "ViewLikeOpInterface" not in traits_of(owner.name):
        return False
    if value is not owner.results[0]:
        return False
    rw.set_operand(op, 0, owner.operands[0])
    return True


PATTERNS = {
    **dict.fromkeys(_METADATA, (_expand,)),
    _EXTRACT: (resolve_extract,),
    "memref.extract_aligned_pointer_as_index": (through_views,),
}


class ExpandStridedMetadata(Pass):
    name = "expand-strided-metadata"
    summary = "Expand memref operations into easier to analyze constructs"

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.rewriting.greedy import apply_patterns

        if any(inner.name in PATTERNS for inner in op.walk()):
            apply_patterns(op, PATTERNS)

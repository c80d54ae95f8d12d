# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of memref's views: subview, reinterpret_cast, reshapes, metadata."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    MemRefType,
    i64,
)
from xdsl.ir import Operation, SSAValue

from xgpu.dialects.memref.casts import uncast
from xgpu.dialects.memref.fold import dropped_dims
from xgpu.dialects.memref.layout import strided_type, strides_and_offset
from xgpu.ir.constants import int_of

if TYPE_CHECKING:
    from xgpu.rewriting.greedy import GreedyRewriter

Mixed = list[int | SSAValue]


def mixed(op: Any, name: str) -> Mixed:
    """`offsets`, `sizes` or `strides` as numbers and values."""
    values = iter(getattr(op, name))
    static = op.properties[f"static_{name}"].get_values()
    return [next(values) if n == DYNAMIC_INDEX else n for n in static]


def parts(entries: Sequence[int | SSAValue]) -> tuple[list[SSAValue], DenseArrayBase[Any]]:
    """The values among `entries`, and the static list with a mark for each of them."""
    values = [e for e in entries if isinstance(e, SSAValue)]
    numbers = [e if isinstance(e, int) else DYNAMIC_INDEX for e in entries]
    return values, DenseArrayBase.from_list(i64, numbers)


def settle(entries: Mixed, *, negative: bool = False) -> Mixed:
    """Values that are constants as numbers (negative ones only where allowed)."""
    settled: Mixed = []
    for entry in entries:
        known = int_of(entry) if isinstance(entry, SSAValue) else None
        settled.append(entry if known is None or (known < 0 and not negative) else known)
    return settled


def known(entries: Mixed) -> list[int | None]:
    return [e if isinstance(e, int) else None for e in entries]


def cast_to(rw: GreedyRewriter, value: SSAValue, kind: Any) -> SSAValue:
    """`value` as a memref of type `kind`."""
    return value if value.type == kind else rw.value("memref.cast", (value,), kind)


# --- subview -------------------------------------------------------------------------------------
def subview_type(
    source: Any, offsets: Mixed, sizes: Mixed, strides: Mixed, dropped: set[int]
) -> MemRefType | None:
    """The type that MLIR infers for a subview without the dimensions `dropped`; None where what is
    known now is outside of the source, which only running it may say."""
    from xgpu.dialects.memref.verify_views import infer_subview
    from xgpu.dialects.slices import out_of_bounds

    lists = known(offsets), known(sizes), known(strides)
    if out_of_bounds(source.get_shape(), lists) is not None:
        return None
    full: Any = infer_subview(source, *lists)
    if full is None or not dropped:
        return full
    found = strides_and_offset(full)
    if found is None:
        return None
    keep = [d for d in range(len(sizes)) if d not in dropped]
    shape = [full.get_shape()[d] for d in keep]
    return strided_type(full, shape, [found[0][d] for d in keep], found[1])


def make_subview(
    rw: GreedyRewriter, source: SSAValue, kind: Any, offsets: Mixed, sizes: Mixed, strides: Mixed
) -> SSAValue:
    """Creates a memref.subview."""
    o, static_offsets = parts(offsets)
    z, static_sizes = parts(sizes)
    t, static_strides = parts(strides)
    op = rw.create(
        "memref.subview",
        (source, o, z, t),
        (kind,),
        {
            "static_offsets": static_offsets,
            "static_sizes": static_sizes,
            "static_strides": static_strides,
        },
    )
    return op.results[0]


def subview_constants(op: Any, rw: GreedyRewriter) -> bool:
    """subview with constant offsets, sizes or strides -> cast(subview with static ones)"""
    before = [mixed(op, n) for n in ("offsets", "sizes", "strides")]
    after = [settle(before[0]), settle(before[1]), settle(before[2], negative=True)]
    if after == before:
        return False
    dropped = dropped_dims(op)
    if dropped is None:
        return False
    kind = subview_type(op.operands[0].type, after[0], after[1], after[2], dropped)
    if kind is None:
        return False
    new = make_subview(rw, op.operands[0], kind, *after)
    rw.replace(op, [cast_to(rw, new, op.results[0].type)])
    return True


def subview_of_cast(op: Any, rw: GreedyRewriter) -> bool:
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


def forgets(source: Any, target: Any) -> bool:
    """Whether a cast from `source` to `target` makes static sizes, strides or offset dynamic."""
    if not isinstance(source, MemRefType) or not isinstance(target, MemRefType):
        return False
    for a, b in zip(source.get_shape(), target.get_shape(), strict=True):
        if a != b and b != DYNAMIC_INDEX:
            return False
    mine, theirs = strides_and_offset(source), strides_and_offset(target)
    if mine is None or theirs is None:
        return False
    pairs = [*zip(mine[0], theirs[0], strict=True), (mine[1], theirs[1])]
    return all(a == b or b is None for a, b in pairs)


def trivial_subview(op: Any, rw: GreedyRewriter) -> bool:
    """subview %m[0, ...] [all of %m] [1, ...] -> cast %m"""
    source = op.operands[0]
    offsets, sizes, strides = (mixed(op, n) for n in ("offsets", "sizes", "strides"))
    if any(o != 0 for o in offsets) or any(s != 1 for s in strides):
        return False
    kind: Any = source.type
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
def reinterpret_constants(op: Any, rw: GreedyRewriter) -> bool:
    """reinterpret_cast with constants -> cast(reinterpret_cast with static numbers)"""
    before = [mixed(op, n) for n in ("offsets", "sizes", "strides")]
    after = [settle(before[0]), settle(before[1]), settle(before[2])]
    if after == before:
        return False
    old: Any = op.results[0].type
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


def reinterpret_of_metadata(op: Any, rw: GreedyRewriter) -> bool:
    """reinterpret_cast(base of %m, with offset, sizes and strides of %m) -> cast %m"""
    metadata = op.operands[0].owner
    if (
        not isinstance(metadata, Operation)
        or metadata.name != "memref.extract_strided_metadata"
        or op.operands[0] is not metadata.results[0]
    ):
        return False
    source: Any = metadata.operands[0]
    rank = len(source.type.get_shape())
    found = strides_and_offset(source.type)
    offsets, sizes, strides = (mixed(op, n) for n in ("offsets", "sizes", "strides"))
    if found is None or len(sizes) != rank:
        return False
    results = list(metadata.results)

    def same(entry: int | SSAValue, value: SSAValue, static: int | None) -> bool:
        return entry is value or (static is not None and entry == static)

    shape = [None if s == DYNAMIC_INDEX else s for s in source.type.get_shape()]
    if not (
        same(offsets[0], results[1], found[1])
        and all(same(sizes[d], results[2 + d], shape[d]) for d in range(rank))
        and all(same(strides[d], results[2 + rank + d], found[0][d]) for d in range(rank))
    ):
        rw.set_operand(op, 0, source)
        return True
    rw.replace(op, [cast_to(rw, source, op.results[0].type)])
    return True


def static_metadata(op: Operation, rw: GreedyRewriter) -> bool:
    """The offset, sizes and strides that the type knows are constants"""
    kind: Any = op.operands[0].type
    found = strides_and_offset(kind)
    if found is None:
        return False
    shape: list[int | None] = [None if s == DYNAMIC_INDEX else s for s in kind.get_shape()]
    changed = False
    for result, number in zip(list(op.results)[1:], [found[1], *shape, *found[0]], strict=True):
        if number is None or result.first_use is None:
            continue
        attr = IntegerAttr(number, IndexType())
        rw.replace_all_uses(result, rw.value("arith.constant", (), IndexType(), {"value": attr}))
        changed = True
    return changed


# --- reshapes ------------------------------------------------------------------------------------
def groups(op: Any) -> list[list[int]]:
    return [[i.value.data for i in g.data] for g in op.properties["reassociation"].data]


def reassociation(indices: list[list[int]]) -> ArrayAttr[Any]:
    return ArrayAttr([ArrayAttr([IntegerAttr(i, i64) for i in g]) for g in indices])


def _compose(outer: list[list[int]], inner: list[list[int]]) -> list[list[int]]:
    """Groups of groups: `outer` groups the groups of `inner`."""
    return [[i for g in group for i in inner[g]] for group in outer]


def collapse_of_collapse(op: Any, rw: GreedyRewriter) -> bool:
    """collapse(collapse %m) -> collapse %m"""
    inner: Any = op.operands[0].owner
    if not isinstance(inner, Operation) or inner.name != op.name:
        return False
    first, second = groups(inner), groups(op)
    composed = _compose(second, first)
    rw.replace_with(
        op,
        op.name,
        (inner.operands[0],),
        (op.results[0].type,),
        {"reassociation": reassociation(composed)},
    )
    return True


def expand_of_expand(op: Any, rw: GreedyRewriter) -> bool:
    """expand(expand %m) -> expand %m"""
    inner: Any = op.operands[0].owner
    if not isinstance(inner, Operation) or inner.name != op.name:
        return False
    first, second = groups(inner), groups(op)
    composed = _compose(first, second) if first else []
    properties = dict(op.properties)
    properties["reassociation"] = reassociation(composed)
    rw.replace_with(
        op,
        op.name,
        (inner.operands[0], *op.output_shape),
        (op.results[0].type,),
        properties,
    )
    return True


def collapse_of_cast(op: Any, rw: GreedyRewriter) -> bool:
    """collapse(cast %m) -> cast(collapse %m) where the cast forgets sizes"""
    from xgpu.dialects.memref.verify_reshape import collapsed_layout

    source: Any = uncast(op.operands[0])
    if source is None or not forgets(source.type, op.operands[0].type):
        return False
    indices = groups(op)
    shape: list[int] = []
    for group in indices:
        sizes = [source.type.get_shape()[i] for i in group]
        size = 1
        for s in sizes:
            size = DYNAMIC_INDEX if DYNAMIC_INDEX in (s, size) else size * s
        shape.append(size)
    found = collapsed_layout(source.type, indices)
    if found is None:
        return False
    kind: Any = strided_type(source.type, shape, *found)
    if kind == op.results[0].type:
        rw.set_operand(op, 0, source)
        return True
    new = rw.value(op.name, (source,), kind, dict(op.properties))
    rw.replace(op, [rw.value("memref.cast", (new,), op.results[0].type)])
    return True


VIEW_PATTERNS: dict[str, tuple[Any, ...]] = {
    "memref.collapse_shape": (collapse_of_collapse, collapse_of_cast),
    "memref.expand_shape": (expand_of_expand,),
    "memref.extract_strided_metadata": (static_metadata,),
    "memref.reinterpret_cast": (reinterpret_constants, reinterpret_of_metadata),
    "memref.subview": (subview_constants, subview_of_cast, trivial_subview),
}

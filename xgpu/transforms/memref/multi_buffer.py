# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Multi-buffering: a buffer that a loop overwrites becomes several, used in turn.

Breaks the dependence of one iteration on the previous one. Source: MLIR 22.1
MemRef/Transforms/MultiBuffer.cpp.
"""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
    MemRefType,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineExpr,
    AffineSymExpr,
)

from xgpu.core.ir.constants import int_of
from xgpu.core.ir.dominance import stands_before
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects import memref
from xgpu.dialects.affine import index_math
from xgpu.dialects.affine.maps import Mixed
from xgpu.dialects.memref.canonicalize import make_subview, subview_type
from xgpu.dialects.memref.fold import dropped_dims
from xgpu.dialects.memref.verify_views import infer_subview
from xgpu.dialects.reshapes import known

_LOOP_LIKE = frozenset(
    ("affine.for", "affine.parallel", "scf.for", "scf.forall", "scf.parallel", "scf.while")
)


def floor_div(left: AffineExpr, right: AffineExpr) -> AffineExpr:
    """left floordiv right, where neither need be a constant."""
    return AffineBinaryOpExpr(AffineBinaryOpKind.FloorDiv, left, right)


def parent_loop(op: Operation) -> Operation | None:
    """The innermost loop around `op`."""
    parent = op.parent_op()
    while parent is not None and parent.name not in _LOOP_LIKE:
        parent = parent.parent_op()
    return parent


def users(value: SSAValue) -> list[Operation]:
    return list(dict.fromkeys(use.operation for use in value.uses))


def dominates(op: Operation, other: Operation) -> bool:
    """Whether `op` has run whenever `other` runs, as far as their blocks tell."""
    return op.is_ancestor(other) or stands_before(op, other)


def _candidate(alloc: Operation, *, skip_analysis: bool) -> Operation | None:
    """The loop whose iterations each begin by overwriting the buffer."""
    using = users(alloc.results[0])
    for user in using:
        loop = parent_loop(user)
        if loop is None:
            if user.name == "memref.dealloc":
                continue
            return None
        if skip_analysis:
            inside = all(u.name == "memref.dealloc" or loop.is_ancestor(u) for u in using)
            if inside:
                return loop
            continue
        overrides = user.name == "memref.copy" and user.operands[1] is alloc.results[0]
        if overrides and all(u is user or dominates(user, u) for u in using):
            return loop
    return None


def _steps(loop: Operation) -> tuple[SSAValue, Mixed, Mixed] | None:
    """Induction variable, first value and step."""
    if loop.name == "scf.for":
        return loop.regions[0].block.args[0], loop.operands[0], loop.operands[2]
    if loop.name != "affine.for":
        return None
    lower = cast("AffineMapAttr", loop.properties["lowerBoundMap"]).data.results
    if len(lower) != 1 or not isinstance(lower[0], AffineConstantExpr):
        return None
    step = cast("IntegerAttr", loop.properties["step"]).value.data
    return loop.regions[0].block.args[0], lower[0].value, step


def multi_buffer(
    rw: Rewriter, alloc: memref.AllocOp, factor: int, *, skip_analysis: bool
) -> Operation | None:
    """The allocation of `factor` buffers in place of `alloc`; None if that cannot be done."""
    loop = _candidate(alloc, skip_analysis=skip_analysis)
    if loop is None:
        return None
    steps = _steps(loop)
    if steps is None or not dominates(alloc, loop):
        return None
    iv, lower, step = steps
    old = alloc.results[0].type
    shape = list(old.get_shape())
    many = MemRefType(old.element_type, [factor, *shape], memory_space=old.memory_space)
    rw.before(alloc)
    rw.location = alloc.location
    new = rw.create(
        "memref.alloc",
        [list(alloc.operand_group(0)), []],
        [many],
        {
            k: v
            for k, v in cast("dict[str, Attribute]", alloc.properties).items()
            if k != "operandSegmentSizes"
        },
    )
    body: Block = loop.regions[0].block
    rw.at_start(body)
    expr = floor_div(AffineSymExpr(0) - AffineSymExpr(1), AffineSymExpr(2)) % factor
    turn = index_math.apply(rw, expr, [iv, *(_settled(item) for item in (lower, step))])
    view = _view(rw, new.results[0], turn, list(alloc.operand_group(0)))
    for use in list(alloc.results[0].uses):
        if use.operation.name == "memref.dealloc":
            use.operation.operands[use.index] = new.results[0]
    replace_uses(rw, alloc.results[0], view)
    rw.erase(alloc)
    return new


def _settled(item: Mixed) -> Mixed:
    number = None if isinstance(item, int) else int_of(item)
    return item if number is None else number


def _view(rw: Rewriter, buffer: SSAValue, turn: Mixed, sizes: list[SSAValue]) -> SSAValue:
    """The buffer whose turn it is."""
    ty = cast("MemRefType", buffer.type)
    dynamic = iter(sizes)
    rest: list[Mixed] = [n if n >= 0 else next(dynamic) for n in ty.get_shape()[1:]]
    zeros: list[Mixed] = [0] * len(rest)
    offsets: list[Mixed] = [turn, *zeros]
    strides: list[Mixed] = [1] * (1 + len(rest))
    result = subview_type(ty, offsets, [1, *rest], strides, {0})
    assert result is not None
    return make_subview(rw, buffer, result, offsets, [1, *rest], strides)  # type: ignore[arg-type]


_LISTS = ("offsets", "sizes", "strides")


def _mixed(subview: memref.SubviewOp, name: str) -> list[SSAValue | int]:
    """Offsets, sizes or strides: integers and values."""
    values = iter(subview.operand_group(1 + _LISTS.index(name)))
    static = cast("DenseArrayBase[IntegerType]", subview.properties[f"static_{name}"]).get_values()
    return [next(values) if n == DYNAMIC_INDEX else n for n in static]


def replace_uses(rw: Rewriter, old: SSAValue, new: SSAValue) -> None:
    """Uses of `old` are uses of `new`, whose type has another layout: views of it too."""
    for use in list(old.uses):
        user = use.operation
        if user.name != "memref.subview":
            user.operands[use.index] = new
            continue
        view = cast("memref.SubviewOp", user)
        full = infer_subview(new.type, *(known(_mixed(view, name)) for name in _LISTS))
        rank = len(view.results[0].type.get_shape())
        if full is not None and len(full.get_shape()) != rank:
            dropped = dropped_dims(user) or set()
            offsets, sizes, strides = (_mixed(view, name) for name in _LISTS)
            full = subview_type(new.type, offsets, sizes, strides, dropped)
        if full is None:
            user.operands[use.index] = new
            continue
        rw.before(user)
        rw.location = user.location
        operands = [[new], *(list(view.operand_group(i)) for i in (1, 2, 3))]
        properties = {k: v for k, v in user.properties.items() if k != "operandSegmentSizes"}
        again = rw.value("memref.subview", operands, full, properties)
        replace_uses(rw, user.results[0], again)
        rw.erase(user)

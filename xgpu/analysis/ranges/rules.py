# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What operations say of the ranges of their results: MLIR's InferIntRangeInterface.

A rule gets the operation and the ranges of its operands (None where nothing is known yet) and
returns ranges of results and of region arguments. Nothing is said while an operand is not known.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IndexType, IntegerAttr
from xdsl.ir import SSAValue

from xgpu.analysis.ranges import int_range_arith as a
from xgpu.analysis.ranges import rules_affine
from xgpu.analysis.ranges import rules_gpu
from xgpu.analysis.ranges.bounds import Ranges, Rule, storage_width
from xgpu.analysis.ranges.int_range import (
    IntRange,
    constant,
    extend,
    extend_signed,
    extend_unsigned,
    from_signed,
    from_unsigned,
    full,
    max_signed,
    min_signed,
    truncate,
)
from xgpu.core.ir.elements import distinct_values

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xgpu.dialects import arith, index, vector




def _complete(infer: Callable[..., IntRange]) -> Rule:
    """A rule for the only result that needs all operands."""

    def rule(op: Operation, ranges: Ranges) -> Found:
        known = [r for r in ranges if r is not None]
        if len(known) != len(ranges):
            return {}
        return {op.results[0]: infer(op, known)}

    return rule


def _binary(infer: a.Binary) -> Rule:
    def apply(op: Operation, r: list[IntRange]) -> IntRange:
        return infer(r[0], r[1])

    return _complete(apply)


def _wrapping(infer: Callable[..., IntRange]) -> Rule:
    """An operation that may be declared not to overflow."""

    def apply(op: Operation, r: list[IntRange]) -> IntRange:
        flags: Any = op.properties.get("overflowFlags")
        names = flags.flags if flags is not None else ()
        return infer(r[0], r[1], "nuw" in names, "nsw" in names)

    return _complete(apply)


def _size_of(op: Operation, ranges: Ranges) -> Found:
    return {op.results[0]: from_unsigned(64, 32, 64)}


# --- arith -------------------------------------------------------------------------------------
def _constant(op: Operation, ranges: Ranges) -> Found:
    value = op.properties["value"]
    width = storage_width(op.results[0].type)
    if not width:
        return {}
    if isinstance(value, IntegerAttr):
        return {op.results[0]: constant(width, value.value.data)}
    if isinstance(value, DenseIntOrFPElementsAttr):
        numbers = distinct_values(value)
        found: IntRange | None = None
        for number in numbers:
            one = constant(width, int(number))
            found = one if found is None else found.union(one)
        return {} if found is None else {op.results[0]: found}
    return {}


def _width(op: Operation) -> int:
    return storage_width(op.results[0].type)


def _cast(extend_: Callable[[IntRange, int], IntRange]) -> Rule:
    def apply(op: Operation, r: list[IntRange]) -> IntRange:
        width = _width(op)
        if width > r[0].width:
            return extend_(r[0], width)
        return truncate(r[0], width) if width < r[0].width else r[0]

    return _complete(apply)


def _cmpi(op: arith.CmpiOp, r: list[IntRange]) -> IntRange:
    predicate = a.PREDICATES[op.predicate.value.data]
    return a.truth(a.evaluate(predicate, r[0], r[1]))


def _select(op: Operation, ranges: Ranges) -> Found:
    if any(r is None for r in ranges):
        return {}
    condition, true, false = ranges
    assert condition is not None
    assert true is not None
    assert false is not None
    known = condition.constant
    if known is None:
        return {op.results[0]: true.union(false)}
    return {op.results[0]: true if known else false}


# --- index -------------------------------------------------------------------------------------
def _index_cast(extend_: Callable[[IntRange, int], IntRange]) -> Rule:
    """To index: what both widths of index may give."""

    def like(r: IntRange, width: int) -> IntRange:
        if r.width < width:
            return extend_(r, width)
        return truncate(r, width) if r.width > width else r

    def apply(op: Operation, r: list[IntRange]) -> IntRange:
        width = _width(op)
        if isinstance(op.operands[0].type, IndexType):
            return like(r[0], width)
        return like(r[0], width).union(extend(like(r[0], 32), width))

    return _complete(apply)


def _index_cmp(op: index.CmpOp, r: list[IntRange]) -> IntRange:
    predicate = op.properties["pred"].data
    wide = a.evaluate(predicate, r[0], r[1])
    narrow = a.evaluate(predicate, truncate(r[0], 32), truncate(r[1], 32))
    return a.truth(wide if wide == narrow else None)


# --- shapes ------------------------------------------------------------------------------------
def _dim(op: Operation, ranges: Ranges) -> Found:
    """The size of one of the dimensions that the index may mean."""
    top = max_signed(64)
    shape = getattr(op.operands[0].type, "get_shape", None)
    if shape is None:
        return {op.results[0]: from_signed(64, 0, top)}
    sizes = shape()
    low, high = 0, len(sizes) - 1
    if ranges[1] is not None:
        low, high = max(low, ranges[1].smin), min(high, ranges[1].smax)
    found: IntRange | None = None
    for size in sizes[low : high + 1]:
        one = from_signed(64, 0, top) if size < 0 else constant(64, size)
        found = one if found is None else found.union(one)
    return {op.results[0]: found if found is not None else from_signed(64, 0, top)}


def _step(op: vector.StepOp, ranges: Ranges) -> Found:
    type_ = op.results[0].type
    if any(bool(d.value.data) for d in type_.scalable_dims.data):
        return {}
    return {op.results[0]: from_unsigned(64, 0, type_.get_shape()[0] - 1)}


def _first(op: Operation, ranges: Ranges) -> Found:
    """Elements of the first operand."""
    known = ranges[0]
    return {} if known is None or not known.width else dict.fromkeys(op.results, known)


def _either(op: Operation, ranges: Ranges) -> Found:
    """Elements of the first or the second operand."""
    one, two = ranges[0], ranges[1]
    return {} if one is None or two is None else {op.results[0]: one.union(two)}


def _ceildivs(one: IntRange, two: IntRange) -> IntRange:
    """That of indices: the least one by a positive one comes out with another sign."""
    if one.smin == min_signed(one.width) and two.smax > 0:
        return full(one.width)
    return a.ceildiv_s(one, two)


_PLAIN: dict[str, a.Binary] = {
    "andi": a.and_,
    "ceildivsi": a.ceildiv_s,
    "ceildivui": a.ceildiv_u,
    "divsi": a.div_s,
    "divui": a.div_u,
    "floordivsi": a.floordiv_s,
    "maxsi": a.max_s,
    "maxui": a.max_u,
    "minsi": a.min_s,
    "minui": a.min_u,
    "ori": a.or_,
    "remsi": a.rem_s,
    "remui": a.rem_u,
    "shrsi": a.shr_s,
    "shrui": a.shr_u,
    "xori": a.xor,
}
_INDEX: dict[str, tuple[a.Binary, str]] = {
    "add": (a.add, "both"),
    "and": (a.and_, "unsigned"),
    "ceildivs": (_ceildivs, "signed"),
    "ceildivu": (a.ceildiv_u, "unsigned"),
    "divs": (a.div_s, "signed"),
    "divu": (a.div_u, "unsigned"),
    "floordivs": (a.floordiv_s, "signed"),
    "maxs": (a.max_s, "signed"),
    "maxu": (a.max_u, "unsigned"),
    "mins": (a.min_s, "signed"),
    "minu": (a.min_u, "unsigned"),
    "mul": (a.mul, "both"),
    "or": (a.or_, "unsigned"),
    "rems": (a.rem_s, "signed"),
    "remu": (a.rem_u, "unsigned"),
    "shl": (a.shl, "both"),
    "shrs": (a.shr_s, "signed"),
    "shru": (a.shr_u, "unsigned"),
    "sub": (a.sub, "both"),
    "xor": (a.xor, "unsigned"),
}

RULES: dict[str, Rule] = {
    **rules_gpu.GPU_RULES,
    **rules_affine.AFFINE_RULES,
    **{f"arith.{name}": _binary(infer) for name, infer in _PLAIN.items()},
    **{f"index.{name}": _binary(a.on_index(f, mode)) for name, (f, mode) in _INDEX.items()},
    "arith.addi": _wrapping(a.add),
    "arith.cmpi": _complete(_cmpi),
    "arith.constant": _constant,
    "arith.extsi": _cast(extend_signed),
    "arith.extui": _cast(extend_unsigned),
    "arith.index_cast": _cast(extend_signed),
    "arith.index_castui": _cast(extend_unsigned),
    "arith.muli": _wrapping(a.mul),
    "arith.select": _select,
    "arith.shli": _wrapping(a.shl),
    "arith.subi": _wrapping(a.sub),
    "arith.trunci": _cast(extend_signed),
    "index.bool.constant": _constant,
    "index.casts": _index_cast(extend_signed),
    "index.castu": _index_cast(extend_unsigned),
    "index.cmp": _complete(_index_cmp),
    "index.constant": _constant,
    "index.sizeof": _size_of,
    "memref.dim": _dim,
    "tensor.dim": _dim,
    "vector.bitcast": _first,
    "vector.broadcast": _first,
    "vector.extract": _first,
    "vector.extract_strided_slice": _first,
    "vector.insert": _either,
    "vector.insert_strided_slice": _either,
    "vector.shape_cast": _first,
    "vector.shuffle": _either,
    "vector.step": _step,
    "vector.transpose": _first,
}

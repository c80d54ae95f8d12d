# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`arith-unsigned-when-equivalent`: signed operations on what is never negative become unsigned.

One walk: what is found out about a value holds for what takes its place.
Source: MLIR 22.1 UnsignedWhenEquivalent.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerAttr, i64

from xgpu.core.ir.construction import nested_operations
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.rewriter import Rewriter
from xgpu.dialects.arith.builders import CMPI

if TYPE_CHECKING:
    from collections.abc import Iterable

    from xdsl.context import Context
    from xdsl.ir import Attribute, Operation, SSAValue

    from xgpu.analysis.ranges import RangeDomain

_COMPARISON = "arith.cmpi"
#: A quotient that is not negative is rounded down by cutting it off.
UNSIGNED = {
    "arith.ceildivsi": "arith.ceildivui",
    "arith.divsi": "arith.divui",
    "arith.extsi": "arith.extui",
    "arith.floordivsi": "arith.divui",
    "arith.maxsi": "arith.maxui",
    "arith.minsi": "arith.minui",
    "arith.remsi": "arith.remui",
}


def _unsigned_predicate(op: Operation) -> str | None:
    """The unsigned comparison that stands for a signed one, or None if it is not signed."""
    predicate = cast("IntegerAttr", op.properties["predicate"])
    name = CMPI[predicate.value.data]
    return f"u{name[1:]}" if name.startswith("s") else None


def _never_negative(ranges: RangeDomain, values: Iterable[SSAValue]) -> bool:
    known = [ranges.known.get(value) for value in values]
    return all(found is not None and found.smin >= 0 for found in known)


def make_unsigned(op: Operation, ranges: RangeDomain) -> None:
    """Replaces `op` if its operands and integer results are never negative."""
    properties = dict(op.properties)
    attributes: dict[str, Attribute] = {}
    if op.name == _COMPARISON:
        predicate = _unsigned_predicate(op)
        if predicate is None or not _never_negative(ranges, op.operands):
            return
        name = op.name
        properties["predicate"] = IntegerAttr(CMPI.index(predicate), i64)
    else:
        if not _never_negative(ranges, (*op.operands, *op.results)):
            return
        name = UNSIGNED[op.name]
        attributes = dict(op.attributes)
    rw = Rewriter(op)
    (result,) = op.results
    new = rw.create(name, op.operands, (result.type,), properties, attributes).results[0]
    if result in ranges.known:
        ranges.known[new] = ranges.known[result]
    rw.replace(op, [new])


class UnsignedWhenEquivalent(Pass):
    """Replaces signed operations by unsigned ones where integer ranges prove them the same."""

    name = "arith-unsigned-when-equivalent"
    summary = "Replace signed ops with unsigned ones where they are proven equivalent"

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.transforms.generic.int_range_optimizations import infer_ranges

        ranges = infer_ranges(op)
        for inner in nested_operations(op):
            if inner.name in UNSIGNED or inner.name == _COMPARISON:
                make_unsigned(inner, ranges)

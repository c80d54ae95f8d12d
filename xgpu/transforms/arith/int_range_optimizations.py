# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`int-range-optimizations` and `arith-unsigned-when-equivalent`: what integer range inference
knows, put to use.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.analysis.ranges import RangeDomain
from xgpu.analysis.sparse import ConstantDomain, Solver
from xgpu.core.ir.constants import int_of, is_constant_op, make
from xgpu.core.ir.construction import nested_operations
from xgpu.core.ir.effects import is_trivially_dead
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.core.rewriting.folding import materialize
from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern, apply_patterns
from xgpu.dialects.arith.builders import CMPI

if TYPE_CHECKING:
    from xdsl.context import Context


# --- int range optimizations ---------------------------------------------------------------------
# `int-range-optimizations`: what integer range inference knows, put to use.
#
# Values that can only be one number become constants; remainders of what is less than the divisor
# go.


def infer_ranges(op: Operation) -> RangeDomain:
    """The ranges of all integers inside `op`."""
    constants = ConstantDomain()
    ranges = RangeDomain(constants)
    Solver(constants, ranges).run(op)
    return ranges


class _Patterns(dict[str, Sequence[Pattern]]):
    """Patterns of any operation, beside those of some."""

    def __init__(self, any_op: Pattern, others: dict[str, tuple[Pattern, ...]]) -> None:
        super().__init__(others)
        self.any_op = any_op

    def get(self, name: str, default: object = None) -> Sequence[Pattern]:
        return (*super().get(name, ()), self.any_op)


class ArithIntRangeOpts(Pass):
    """Replaces integers that are known to be constant, and erases remainders without effect."""

    name = "int-range-optimizations"
    summary = "Do optimizations based on integer range analysis"

    def run(self, op: Operation, ctx: Context) -> None:
        ranges = infer_ranges(op)
        self.known = ranges.known
        patterns = _Patterns(
            self._materialize,
            {"arith.remsi": (self._remainder,), "arith.remui": (self._remainder,)},
        )
        apply_patterns(op, patterns)

    def _constant(self, value: SSAValue) -> int | None:
        found = self.known.get(value)
        return None if found is None or value.first_use is None else found.constant

    def _materialize(self, op: Operation, rw: GreedyRewriter) -> bool:
        """Replaces results and region arguments of `op` of which the range is one number."""
        if is_constant_op(op):
            return False
        arguments = [a for r in op.regions for b in r.blocks for a in b.args]
        if all(self._constant(v) is None for v in (*op.results, *arguments)):
            return False
        all_replaced = bool(op.results)
        for result in op.results:
            done = self._replace(result, op, rw) or result.first_use is None
            all_replaced = all_replaced and done
        if all_replaced and is_trivially_dead(op):
            rw.erase(op)
            return True
        for region in op.regions:
            for block in region.blocks:
                rw.at_start(block)
                for argument in block.args:
                    self._replace(argument, op, rw)
        return True

    def _replace(self, value: SSAValue, op: Operation, rw: GreedyRewriter) -> bool:
        number = self._constant(value)
        if number is None:
            return False
        attr = make(value.type, number)
        if attr is None:
            return False
        dialect = op.name.partition(".")[0]
        constant = materialize(rw, attr, value.type, dialect)
        if constant is None:
            return False
        self.known[constant] = self.known[value]
        rw.replace_all_uses(value, constant)
        return True

    def _remainder(self, op: Operation, rw: GreedyRewriter) -> bool:
        """`x rem n` is `x` if x is in [0, n)."""
        modulus = int_of(op.operands[1])
        found = self.known.get(op.operands[0])
        if modulus is None or modulus <= 0 or found is None:
            return False
        if op.name == "arith.remui":
            low, high = found.umin, found.umax
        else:
            low, high = found.smin, found.smax
        if not 0 <= low <= high < modulus:
            return False
        rw.replace(op, [op.operands[0]])
        return True


# --- unsigned when equivalent --------------------------------------------------------------------
# `arith-unsigned-when-equivalent`: signed operations on what is never negative become unsigned.
#
# One walk: what is found out about a value holds for what takes its place.
# Source: MLIR 22.1 UnsignedWhenEquivalent.cpp.


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


class ArithUnsignedWhenEquivalentPass(Pass):
    """Replaces signed operations by unsigned ones where integer ranges prove them the same."""

    name = "arith-unsigned-when-equivalent"
    summary = "Replace signed ops with unsigned ones where they are proven equivalent"

    def run(self, op: Operation, ctx: Context) -> None:
        ranges = infer_ranges(op)
        for inner in nested_operations(op):
            if inner.name in UNSIGNED or inner.name == _COMPARISON:
                make_unsigned(inner, ranges)

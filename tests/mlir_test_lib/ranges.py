# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranges of operations of the test dialect, which states ranges and shows what was found."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import IntegerAttr, IntegerType, Signedness
from xdsl.ir import SSAValue

from xgpu.analysis.bounds import VALUES, ValueBounds
from xgpu.analysis.int_range import (
    IntRange,
    Ranges,
    Rule,
    max_signed,
    max_unsigned,
    storage_width,
    to_signed,
)
from xgpu.analysis.linear import of_variable
from xgpu.core.ir import op_info
from xgpu.core.ir.constants import element_type

Found = dict[SSAValue, IntRange]


def _stated(op: Any, width: int) -> IntRange:
    """The range that the attributes of `op` state."""
    mask = max_unsigned(width)
    bounds = {name: op.properties[name].value.data for name in ("umin", "umax", "smin", "smax")}
    return IntRange(
        width,
        bounds["umin"] & mask,
        bounds["umax"] & mask,
        to_signed(bounds["smin"], width),
        to_signed(bounds["smax"], width),
    )


def _with_bounds(op: Any, ranges: Ranges) -> Found:
    result = op.results[0]
    return {result: _stated(op, storage_width(result.type))}


def _with_bounds_region(op: Any, ranges: Ranges) -> Found:
    argument = op.regions[0].blocks[0].args[0]
    return {argument: _stated(op, storage_width(argument.type))}


def _increment(op: Any, ranges: Ranges) -> Found:
    r = ranges[0]
    if r is None:
        return {}
    top, high = max_unsigned(r.width), max_signed(r.width)
    found = IntRange(
        r.width,
        min(r.umin + 1, top),
        min(r.umax + 1, top),
        min(r.smin + 1, high),
        min(r.smax + 1, high),
    )
    return {op.results[0]: found}


def _reflect(op: Any, ranges: Ranges) -> Found:
    """Writes the range of the operand into the operation, for the reader to see."""
    r = ranges[0]
    if r is None:
        return {}
    inner = element_type(op.results[0].type)
    signed: Any = inner
    unsigned: Any = inner
    if isinstance(inner, IntegerType):
        signed = IntegerType(r.width, Signedness.SIGNED)
        unsigned = IntegerType(r.width, Signedness.UNSIGNED)
        umin, umax = r.umin, r.umax
    else:
        umin, umax = to_signed(r.umin, r.width), to_signed(r.umax, r.width)
    op.properties["umin"] = IntegerAttr(umin, unsigned)
    op.properties["umax"] = IntegerAttr(umax, unsigned)
    op.properties["smin"] = IntegerAttr(r.smin, signed)
    op.properties["smax"] = IntegerAttr(r.smax, signed)
    return {op.results[0]: r}


def _value_with_bounds(bounds: ValueBounds, op: Any, value: SSAValue) -> None:
    """An index between two numbers, both included."""
    bounds.at_least(of_variable(value), {None: op.properties["min"].value.data})
    bounds.at_least({None: op.properties["max"].value.data}, of_variable(value))


def register() -> None:
    """Makes the rules known."""
    VALUES["test.value_with_bounds"] = _value_with_bounds
    for name, rule in _RULES.items():
        op_info.register(name, {"value_range": rule})


_RULES: dict[str, Rule] = {
    "test.increment": _increment,
    "test.reflect_bounds": _reflect,
    "test.with_bounds": _with_bounds,
    "test.with_bounds_region": _with_bounds_region,
}

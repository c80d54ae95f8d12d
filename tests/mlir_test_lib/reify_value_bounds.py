# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`test-affine-reify-value-bounds`: says of each `test.compare` whether it holds.

MLIR's pass also writes bounds that `test.reify_bound` asks for as operations; ours does not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xgpu.analysis.bounds import ValueBounds
from xgpu.analysis.linear import COMPARISONS, Form
from xgpu.core.ir.errors import Diagnostic, op_error
from xgpu.core.passes.base import Pass

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation

_INVERSE = {"LT": "GE", "LE": "GT", "GE": "LT", "GT": "LE"}


class TestAffineReifyValueBounds(Pass):
    """Tests the analysis of value bounds."""

    __test__ = False
    name = "test-affine-reify-value-bounds"
    summary = "Tests ValueBoundsOpInterface with affine dialect reification"

    def run(self, op: Operation, ctx: Context) -> None:
        for found in op.walk():
            if found.name in ("test.reify_bound", "test.reify_constant_bound"):
                raise op_error(found, "is not supported by xgpu: bounds are not written as code")
            if found.name == "test.compare":
                _report(found)


def _report(op: Any) -> None:
    from xgpu.core.syntax.diagnostics import emit

    stated = op.properties.get("cmp")
    comparison = "EQ" if stated is None else stated.data
    if comparison not in COMPARISONS:
        raise op_error(op, "invalid comparison operator")
    if _holds(op, comparison):
        severity, words = "remark", "true"
    elif _fails(op, comparison):
        severity, words = "remark", "false"
    else:
        severity, words = "error", "unknown"
    diagnostic = Diagnostic(severity, words, op.location)
    diagnostic.op = op  # type: ignore[attr-defined]
    emit(diagnostic)


def _fails(op: Any, comparison: str) -> bool:
    if comparison == "EQ":
        return _holds(op, "LT") or _holds(op, "GT")
    return _holds(op, _INVERSE[comparison])


def _holds(op: Any, comparison: str) -> bool:
    bounds = ValueBounds()
    left, rest = _side(op, bounds, op.properties.get("lhs_map"), list(op.operands))
    right, _ = _side(op, bounds, op.properties.get("rhs_map"), rest)
    return bounds.compare(left, comparison, right)


def _side(op: Any, bounds: ValueBounds, mapping: Any, operands: list[Any]) -> tuple[Form, Any]:
    """One side of the comparison, and the operands after it."""
    count = 1 if mapping is None else mapping.data.num_dims + mapping.data.num_symbols
    if count > len(operands):
        raise op_error(op, "has too few operands")
    values = [bounds.value(operand) for operand in operands[:count]]
    if mapping is None:
        return values[0], operands[1:]
    dims, symbols = values[: mapping.data.num_dims], values[mapping.data.num_dims :]
    found = bounds.expression(mapping.data.results[0], dims, symbols)
    if found is None:
        raise op_error(op, "compares what is not linear")
    return found, operands[count:]

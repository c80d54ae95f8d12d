# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`test-llvm-legalize-patterns`: functions and branches where a type stands for several.

MLIR's test pass: i17 becomes two i18, and `test.direct_replacement` its operands. Source: MLIR 22.1
test/lib/Dialect/LLVM/TestPatterns.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, Operation

from xgpu.conversion.control_flow.cf_to_llvm import RULES as CF_RULES
from xgpu.conversion.control_flow.func_to_llvm import RULES as FUNC_RULES
from xgpu.conversion.llvm_types import LLVMTypeConverter
from xgpu.conversion.scalar.arith_to_llvm import RULES as ARITH_RULES
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.driver import NoMatch, convert
from xgpu.core.rewriting.type_converter import UNKNOWN

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.core.rewriting.driver import Conversion


def _two(ty: Attribute) -> Any:
    if isinstance(ty, IntegerType) and ty.width.data == 17:
        return (IntegerType(18), IntegerType(18))
    return UNKNOWN


def _replace(op: Operation, operands: Sequence[Any], rw: Conversion) -> Sequence[Any]:
    if len(op.results) != 1:
        raise NoMatch("expected one result")
    return [operands[0] if len(operands) == 1 else tuple(operands)]


def _is_legal(op: Operation) -> bool:
    return op.name == "test.legal_op" or (op.name == "func.func" and "is_legal" in op.attributes)


class TestLLVMLegalizePatterns(Pass):
    name = "test-llvm-legalize-patterns"
    summary = "Run LLVM dialect legalization patterns"
    options = (Option("allow-pattern-rollback", bool, True, "Allow pattern rollback"),)
    allow_pattern_rollback: bool

    def run(self, op: Operation, ctx: Context) -> None:
        types = LLVMTypeConverter()
        types.add(_two)
        rules = {**ARITH_RULES, **FUNC_RULES, **CF_RULES, "test.direct_replacement": _replace}
        convert(op, rules, types, legal=_is_legal)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`convert-ub-to-llvm`: undefined behaviour as LLVM has it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.ir import Operation, SSAValue

from xgpu.conversion.options import INDEX_BITWIDTH
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.driver import NoMatch, convert
from xgpu.dialects.llvm import builders as llvm

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.core.rewriting.driver import Conversion, Rule


def lower_poison(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    value = op.properties.get("value")
    if value is not None and value.name != "ub.poison":
        raise NoMatch("expected PoisonAttr")
    return [llvm.poison(rw, rw.convert_type(op.results[0].type))]


def lower_unreachable(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    rw.create("llvm.unreachable")
    return ()


RULES: dict[str, Rule] = {"ub.poison": lower_poison, "ub.unreachable": lower_unreachable}


class ConvertUBToLLVM(Pass):
    name = "convert-ub-to-llvm"
    summary = "Convert UB dialect to LLVM dialect"
    options = (INDEX_BITWIDTH,)
    index_bitwidth: int

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.conversion.llvm_types import LLVMTypeConverter

        convert(op, RULES, LLVMTypeConverter(self.index_bitwidth or 64))

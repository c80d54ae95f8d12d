# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`llvm-optimize-for-nvvm-target`, `llvm-request-c-wrappers` and `set-llvm-module-datalayout`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import (
    IntegerAttr,
    IntegerType,
    Signedness,
    StringAttr,
    UnitAttr,
    f16,
    f32,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core.ir.errors import error
from xgpu.core.passes.base import Option, Pass

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.core.rewriting.greedy import GreedyRewriter


# --- llvm optimize for nvvm target ---------------------------------------------------------------
# llvm-optimize-for-nvvm-target: divisions of f16 by way of an approximate f32 reciprocal.
#
# The quotient in f32 gets one Newton step, unless it is zero, infinite, not a number or denormal;
# rounded to f16 it is right. Source: MLIR 22.1 OptimizeForNVVM.cpp.


_EXPONENT = 0x7F800000
_UI32 = IntegerType(32, Signedness.UNSIGNED)
_EQ = IntegerAttr(0, i64)


def _expand_division(op: Operation, rw: GreedyRewriter) -> bool:
    if op.results[0].type != f16:
        return False

    def make(name: str, operands: list[SSAValue], kind: Attribute = f32) -> SSAValue:
        return rw.value(name, operands, kind)

    def number(value: int) -> SSAValue:
        return rw.value("llvm.mlir.constant", (), i32, {"value": IntegerAttr(value, _UI32)})

    def equal(left: SSAValue, right: SSAValue) -> SSAValue:
        return rw.value("llvm.icmp", [left, right], i1, {"predicate": _EQ})

    lhs = make("llvm.fpext", [op.operands[0]])
    rhs = make("llvm.fpext", [op.operands[1]])
    reciprocal = make("nvvm.rcp.approx.ftz.f", [rhs])
    quotient = make("llvm.fmul", [lhs, reciprocal])
    negated = make("llvm.fneg", [rhs])
    error = make("llvm.intr.fma", [quotient, negated, lhs])
    refined = make("llvm.intr.fma", [error, reciprocal, quotient])
    mask = number(_EXPONENT)
    bits = make("llvm.bitcast", [quotient], i32)
    exponent = make("llvm.and", [bits, mask], i32)
    zero = number(0)
    small, large = equal(exponent, zero), equal(exponent, mask)
    special = make("llvm.or", [small, large], i1)
    result = make("llvm.select", [special, quotient, refined])
    rw.replace(op, [make("llvm.fptrunc", [result], f16)])
    return True


PATTERNS = {"llvm.fdiv": (_expand_division,)}


class NVVMOptimizeForTargetPass(Pass):
    """Expands what NVPTX would expand worse."""

    name = "llvm-optimize-for-nvvm-target"
    summary = "Optimize NVVM IR"

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.core.rewriting.greedy import apply_patterns

        apply_patterns(op, PATTERNS)


# --- llvm request c wrappers ---------------------------------------------------------------------
# `llvm-request-c-wrappers`: every function gets a C interface when it is lowered.


class LLVMRequestCWrappersPass(Pass):
    """Sets `llvm.emit_c_interface` on functions."""

    name = "llvm-request-c-wrappers"
    summary = "Request C wrapper emission for all functions"
    anchor = "func.func"

    def run(self, op: Operation, ctx: Context) -> None:
        op.attributes["llvm.emit_c_interface"] = UnitAttr()


# --- set llvm module datalayout ------------------------------------------------------------------
# `set-llvm-module-datalayout`: the data layout that the LLVM module gets.


#: What a part of a data layout begins with (LLVM's language reference, "Data Layout").
_SPECIFIERS = "eESPAGpivfamFn"


class SetLLVMModuleDataLayoutPass(Pass):
    """Attaches a data layout string as a module attribute."""

    name = "set-llvm-module-datalayout"
    summary = "Attach a datalayout string as a module attribute"
    anchor = "builtin.module"
    options = (Option("data-layout", str, "", "String description (LLVM format) of the layout"),)

    data_layout: str

    def run(self, op: Operation, ctx: Context) -> None:
        for part in self.data_layout.split("-") if self.data_layout else ():
            if not part:
                raise error(
                    op, "invalid data layout descriptor: empty specification is not allowed"
                )
            if part[0] not in _SPECIFIERS:
                raise error(op, f"invalid data layout descriptor: unknown specifier '{part[0]}'")
        op.attributes["llvm.data_layout"] = StringAttr(self.data_layout)

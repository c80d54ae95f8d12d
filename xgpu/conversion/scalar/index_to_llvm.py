# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`convert-index-to-llvm` and `convert-ub-to-llvm`: index arithmetic on the integer that stands
for index, and undefined behaviour.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerAttr, IntegerType
from xdsl.ir import Operation, SSAValue

from xgpu.conversion.to_llvm import INDEX_BITWIDTH
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.driver import Conversion, NoMatch, Rule, convert
from xgpu.dialects.llvm import builders as llvm

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.dialects import index


# --- index to llvm -------------------------------------------------------------------------------
# `convert-index-to-llvm`: index arithmetic on the integer that stands for index.
#
# Source: MLIR 22.1 IndexToLLVM. Rounding divisions follow the sign of the operands, so that no
# intermediate value overflows.


_DIRECT = {
    "add": "add",
    "and": "and",
    "divs": "sdiv",
    "divu": "udiv",
    "maxs": "intr.smax",
    "maxu": "intr.umax",
    "mins": "intr.smin",
    "minu": "intr.umin",
    "mul": "mul",
    "or": "or",
    "rems": "srem",
    "remu": "urem",
    "shl": "shl",
    "shrs": "ashr",
    "shru": "lshr",
    "sub": "sub",
    "xor": "xor",
}


def _direct(name: str) -> Rule:
    def rule(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
        return [rw.value(name, operands, operands[0].type)]

    return rule


def lower_ceildivs(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    """ceildivs(n, m) = same signs and n != 0 ? (n + x) / m + 1 : -(-n / m), x = m > 0 ? -1 : 1

    The least n, which has no negative, comes out with another sign by a positive m. Folds and
    ranges know.
    """
    n, m = operands
    ty = n.type
    zero, plus, minus = (llvm.constant(rw, value, ty) for value in (0, 1, -1))
    m_positive = llvm.icmp(rw, "sgt", m, zero)
    x = _select(rw, m_positive, minus, plus)
    n_plus_x = llvm.binary(rw, "add", n, x)
    quotient = llvm.binary(rw, "sdiv", n_plus_x, m)
    positive = llvm.binary(rw, "add", quotient, plus)
    negated = llvm.binary(rw, "sub", zero, n)
    negative = llvm.binary(rw, "sub", zero, llvm.binary(rw, "sdiv", negated, m))
    n_positive = llvm.icmp(rw, "sgt", n, zero)
    same = llvm.icmp(rw, "eq", n_positive, m_positive)
    nonzero = llvm.icmp(rw, "ne", n, zero)
    return [_select(rw, llvm.binary(rw, "and", same, nonzero), positive, negative)]


def lower_ceildivu(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    """ceildivu(n, m) = n == 0 ? 0 : (n - 1) / m + 1"""
    n, m = operands
    zero, one = (llvm.constant(rw, value, n.type) for value in (0, 1))
    less = llvm.binary(rw, "sub", n, one)
    quotient = llvm.binary(rw, "udiv", less, m)
    more = llvm.binary(rw, "add", quotient, one)
    return [_select(rw, llvm.icmp(rw, "eq", n, zero), zero, more)]


def lower_floordivs(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    """floordivs(n, m) = other signs and n != 0 ? -1 - (x - n) / m : n / m, x = m < 0 ? 1 : -1"""
    n, m = operands
    zero, plus, minus = (llvm.constant(rw, value, n.type) for value in (0, 1, -1))
    m_negative = llvm.icmp(rw, "slt", m, zero)
    x = _select(rw, m_negative, plus, minus)
    x_less_n = llvm.binary(rw, "sub", x, n)
    quotient = llvm.binary(rw, "sdiv", x_less_n, m)
    negative = llvm.binary(rw, "sub", minus, quotient)
    positive = llvm.binary(rw, "sdiv", n, m)
    n_negative = llvm.icmp(rw, "slt", n, zero)
    different = llvm.icmp(rw, "ne", n_negative, m_negative)
    nonzero = llvm.icmp(rw, "ne", n, zero)
    return [_select(rw, llvm.binary(rw, "and", different, nonzero), negative, positive)]


def _select(rw: Conversion, condition: SSAValue, yes: SSAValue, no: SSAValue) -> SSAValue:
    return rw.value("llvm.select", [condition, yes, no], yes.type)


def _cast(extend: str) -> Rule:
    def rule(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
        value = operands[0]
        target = rw.convert_type(op.results[0].type)
        have, want = cast("IntegerType", value.type).width.data, target.width.data
        if have == want:
            return [value]
        return [rw.value("llvm.trunc" if have > want else extend, [value], target)]

    return rule


def lower_cmp(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    predicate = cast("index.CmpPredicateAttr", op.properties["pred"])
    return [llvm.icmp(rw, predicate.data, *operands)]


def lower_constant(
    op: index.ConstantOp, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    ty = cast("IntegerType", rw.convert_type(op.results[0].type))
    value = op.properties["value"]
    width = ty.width.data
    number = value.value.data & ((1 << width) - 1)
    if number >> (width - 1):
        number -= 1 << width
    return [llvm.constant(rw, number, ty)]


def lower_bool_constant(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    return [llvm.attribute_constant(rw, op.properties["value"], IntegerType(1))]


def lower_sizeof(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    ty = rw.convert_type(op.results[0].type)
    return [llvm.attribute_constant(rw, IntegerAttr(ty.width.data, ty), ty)]


RULES: dict[str, Rule] = {
    **{f"index.{ours}": _direct(f"llvm.{theirs}") for ours, theirs in _DIRECT.items()},
    "index.bool.constant": lower_bool_constant,
    "index.casts": _cast("llvm.sext"),
    "index.castu": _cast("llvm.zext"),
    "index.ceildivs": lower_ceildivs,
    "index.ceildivu": lower_ceildivu,
    "index.cmp": lower_cmp,
    "index.constant": lower_constant,
    "index.floordivs": lower_floordivs,
    "index.sizeof": lower_sizeof,
}


class ConvertIndexToLLVMPass(Pass):
    name = "convert-index-to-llvm"
    summary = "Lower the `index` dialect to the `llvm` dialect."
    options = (INDEX_BITWIDTH,)
    index_bitwidth: int

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.conversion.llvm_types import LLVMTypeConverter

        convert(op, RULES, LLVMTypeConverter(self.index_bitwidth or 64), known=("llvm",))


# --- ub to llvm ----------------------------------------------------------------------------------
# `convert-ub-to-llvm`: undefined behaviour as LLVM has it.


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


UB_RULES: dict[str, Rule] = {"ub.poison": lower_poison, "ub.unreachable": lower_unreachable}


class UBToLLVMConversionPass(Pass):
    name = "convert-ub-to-llvm"
    summary = "Convert UB dialect to LLVM dialect"
    options = (INDEX_BITWIDTH,)
    index_bitwidth: int

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.conversion.llvm_types import LLVMTypeConverter

        convert(op, UB_RULES, LLVMTypeConverter(self.index_bitwidth or 64))

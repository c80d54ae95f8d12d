# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`convert-arith-to-llvm`: arithmetic, one to one but for extended results and rounding divisions.

Source: MLIR 22.1 ArithToLLVM.cpp, ExpandOps.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    IntegerAttr,
    IntegerType,
    VectorType,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.conversion.one_to_one import (
    convert_op,
    for_each_vector,
    llvm_attributes,
    of_supported_floats,
    one_to_one,
)
from xgpu.conversion.options import INDEX_BITWIDTH
from xgpu.core.ir.elements import dense, pack
from xgpu.core.ir.splats import repeated
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.driver import NoMatch, Replacements, convert
from xgpu.dialects.arith.builders import attribute_constant
from xgpu.dialects.llvm import builders as llvm
from xgpu.dialects.llvm.types import LLVMArrayType, LLVMStructType

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.core.rewriting.driver import Conversion, Rule
    from xgpu.dialects import arith

#: Names after `arith.` and `llvm.` of operations that only change their name.
_SAME = {
    "addf": "fadd",
    "addi": "add",
    "andi": "and",
    "bitcast": "bitcast",
    "constant": "mlir.constant",
    "divf": "fdiv",
    "divsi": "sdiv",
    "divui": "udiv",
    "extf": "fpext",
    "extsi": "sext",
    "extui": "zext",
    "fptosi": "fptosi",
    "fptoui": "fptoui",
    "maximumf": "intr.maximum",
    "maxnumf": "intr.maxnum",
    "maxsi": "intr.smax",
    "maxui": "intr.umax",
    "minimumf": "intr.minimum",
    "minnumf": "intr.minnum",
    "minsi": "intr.smin",
    "minui": "intr.umin",
    "mulf": "fmul",
    "muli": "mul",
    "negf": "fneg",
    "ori": "or",
    "remf": "frem",
    "remsi": "srem",
    "remui": "urem",
    "shli": "shl",
    "shrsi": "ashr",
    "shrui": "lshr",
    "sitofp": "sitofp",
    "subf": "fsub",
    "subi": "sub",
    "trunci": "trunc",
    "uitofp": "uitofp",
    "xori": "xor",
}

_PLAIN_CASTS = frozenset(("extf", "fptosi", "fptoui", "sitofp", "uitofp"))

#: What has a meaning for floats that LLVM does not have: they are integers there.
_ANY_BITS = frozenset(("bitcast", "constant"))

#: arith's rounding modes (to nearest even, downward, upward, toward zero, to nearest away) as
# llvm's.
_ROUNDING = (1, 3, 2, 0, 4)


def _cast(target: str) -> Rule:
    """Casts of floats have no fast-math flags in llvm: MLIR leaves arith's as an attribute."""

    def rule(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
        return [convert_op(op, target, operands, rw, {**op.properties, **op.attributes})]

    return rule


def lower_constant(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    ty = rw.convert_type(op.results[0].type)
    return [rw.value("llvm.mlir.constant", (), ty, op.properties, op.attributes)]


def lower_bitcast(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Replacements | None:
    """Between types that LLVM cannot tell apart, nothing."""
    if rw.convert_type(op.results[0].type) == rw.convert_type(op.operands[0].type):
        return [operands[0]]
    return _cast("llvm.bitcast")(op, operands, rw)


def lower_select(
    op: Operation, operands: Sequence[SSAValue | tuple[SSAValue, ...]], rw: Conversion
) -> Replacements | None:
    """An n-D select needs an n-D condition, or one for all."""
    condition, yes, no = operands
    if isinstance(condition, tuple):
        raise NoMatch("a condition that has become several")
    if isinstance(yes, tuple) and isinstance(no, tuple):
        # Of values that have become several, each is chosen.
        pieces = [
            rw.value("llvm.select", (condition, a, b), a.type, None, llvm_attributes(op))
            for a, b in zip(yes, no, strict=True)
        ]
        return [tuple(pieces)]
    operands = cast("Sequence[SSAValue]", operands)
    yes = operands[1]
    if not isinstance(yes.type, LLVMArrayType):
        return [rw.value("llvm.select", operands, yes.type, None, llvm_attributes(op))]
    if not isinstance(condition.type, LLVMArrayType):
        # A scalar condition selects whole arrays.
        return [rw.value("llvm.select", operands, yes.type, None, llvm_attributes(op))]
    return [convert_op(op, "llvm.select", operands, rw, llvm_attributes(op))]


def lower_truncf(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Replacements | None:
    """With a rounding mode, the constrained intrinsic."""
    mode = cast("IntegerAttr | None", op.properties.get("roundingmode"))
    if mode is None:
        return _cast("llvm.fptrunc")(op, operands, rw)
    attributes = {
        **{k: v for k, v in op.properties.items() if k != "roundingmode"},
        **op.attributes,
        "roundingmode": IntegerAttr(_ROUNDING[mode.value.data], i64),
        "fpExceptionBehavior": IntegerAttr(0, i64),
    }
    name = "llvm.intr.experimental.constrained.fptrunc"
    return [convert_op(op, name, operands, rw, attributes)]


def _index_cast(extend: str) -> Rule:
    """To or from index: by the width that index has."""

    def rule(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
        value = operands[0]
        target = rw.convert_type(op.results[0].type)
        have, want = (_bits(rw, ty.type) for ty in (op.operands[0], op.results[0]))
        if have == want:
            return [value]
        name = "llvm.trunc" if have > want else extend
        return [for_each_vector(rw, [value], target, lambda values, ty: rw.value(name, values, ty))]

    return rule


def _bits(rw: Conversion, ty: Attribute) -> int:
    element = rw.convert_type(ty.element_type if isinstance(ty, VectorType) else ty)
    if not isinstance(element, IntegerType):
        raise NoMatch("expected integers")
    return element.width.data


def lower_cmpi(
    op: arith.CmpiOp, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    predicate = op.properties["predicate"]
    attributes = {
        **op.attributes,
        "predicate": IntegerAttr(predicate.value.data, i64),
    }
    return [convert_op(op, "llvm.icmp", operands, rw, attributes)]


def lower_cmpf(
    op: arith.CmpfOp, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    """Both dialects number the predicates alike."""
    predicate = op.properties["predicate"]
    attributes = llvm_attributes(op)
    attributes["predicate"] = IntegerAttr(predicate.value.data, i64)
    return [convert_op(op, "llvm.fcmp", operands, rw, attributes)]


def lower_addui_extended(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    sum_type, overflow_type = (rw.convert_type(result.type) for result in op.results)
    if isinstance(sum_type, LLVMArrayType):
        raise NoMatch("ND vector types are not supported")
    struct = LLVMStructType((sum_type, overflow_type))
    both = rw.value("llvm.intr.uadd.with.overflow", operands, struct)
    return [llvm.extract(rw, both, 0), llvm.extract(rw, both, 1)]


def _multiply_extended(extend: str) -> Rule:
    """The product in twice the width, cut in two halves."""

    def rule(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
        narrow = rw.convert_type(op.results[0].type)
        if isinstance(narrow, LLVMArrayType):
            raise NoMatch("ND vector types are not supported")
        width = _bits(rw, op.results[0].type)
        wide = cast("VectorType", _with_element(narrow, IntegerType(2 * width)))
        left = rw.value(extend, [operands[0]], wide)
        right = rw.value(extend, [operands[1]], wide)
        product = llvm.binary(rw, "mul", left, right)
        low = rw.value("llvm.trunc", [product], narrow)
        amount = llvm.attribute_constant(rw, _filled(wide, width), wide)
        high = rw.value("llvm.trunc", [llvm.binary(rw, "lshr", product, amount)], narrow)
        return [low, high]

    return rule


def _with_element(ty: Attribute, element: Attribute) -> Attribute:
    if isinstance(ty, VectorType):
        return VectorType(element, ty.shape, ty.scalable_dims)
    return element


def _filled(ty: IntegerType | VectorType, value: int) -> Attribute:
    """The constant `value`, for a vector in every place."""
    if isinstance(ty, VectorType):
        data = repeated(pack([value], ty.element_type), prod(ty.get_shape()))
        return dense(ty, data)
    return IntegerAttr(value, ty)


# --- divisions that round ----------------------------------------------------------------------
# In operations of arith, so that they fold and convert like those that were there.


def _arith(rw: Conversion, name: str, *operands: SSAValue) -> SSAValue:
    return rw.value(f"arith.{name}", operands, operands[-1].type)


def _constant(rw: Conversion, ty: Attribute, value: int) -> SSAValue:
    return attribute_constant(rw, _filled(cast("IntegerType | VectorType", ty), value), ty)


_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


def _compare(rw: Conversion, predicate: str, left: SSAValue, right: SSAValue) -> SSAValue:
    ty = llvm.comparison_type(left.type)
    number = IntegerAttr(_PREDICATES.index(predicate), i64)
    return rw.value("arith.cmpi", (left, right), ty, {"predicate": number})


def expand_ceildivui(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    """ceildivui(a, b) = a == 0 ? 0 : (a - 1) / b + 1"""
    a, b = op.operands
    zero = _constant(rw, a.type, 0)
    is_zero = _compare(rw, "eq", a, zero)
    one = _constant(rw, a.type, 1)
    quotient = _arith(rw, "divui", _arith(rw, "subi", a, one), b)
    rounded = _arith(rw, "addi", quotient, one)
    return [_arith(rw, "select", is_zero, zero, rounded)]


def expand_ceildivsi(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    """ceildivsi(a, b): a / b, and one more if it is not exact and the signs are the same."""
    a, b = op.operands
    zero = _constant(rw, a.type, 0)
    one = _constant(rw, a.type, 1)
    quotient = _arith(rw, "divsi", a, b)
    inexact = _compare(rw, "ne", a, _arith(rw, "muli", quotient, b))
    a_negative, b_negative = _compare(rw, "slt", a, zero), _compare(rw, "slt", b, zero)
    same_sign = _compare(rw, "eq", a_negative, b_negative)
    rounds = _arith(rw, "andi", inexact, same_sign)
    return [_arith(rw, "select", rounds, _arith(rw, "addi", quotient, one), quotient)]


def expand_floordivsi(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    """floordivsi(a, b): a / b, and one less if it is not exact and the signs differ."""
    a, b = op.operands
    quotient = _arith(rw, "divsi", a, b)
    inexact = _compare(rw, "ne", a, _arith(rw, "muli", quotient, b))
    zero = _constant(rw, a.type, 0)
    a_negative, b_negative = _compare(rw, "slt", a, zero), _compare(rw, "slt", b, zero)
    other_sign = _compare(rw, "ne", a_negative, b_negative)
    rounds = _arith(rw, "andi", inexact, other_sign)
    minus_one = _constant(rw, a.type, -1)
    return [_arith(rw, "select", rounds, _arith(rw, "addi", quotient, minus_one), quotient)]


RULES: dict[str, Rule] = {
    **{
        f"arith.{name}": of_supported_floats(
            (_cast if name in _PLAIN_CASTS else one_to_one)(f"llvm.{target}")
        )
        for name, target in _SAME.items()
        if name not in _ANY_BITS
    },
    "arith.addui_extended": lower_addui_extended,
    "arith.bitcast": lower_bitcast,
    "arith.ceildivsi": expand_ceildivsi,
    "arith.ceildivui": expand_ceildivui,
    "arith.cmpf": of_supported_floats(lower_cmpf),
    "arith.cmpi": lower_cmpi,
    "arith.constant": lower_constant,
    "arith.floordivsi": expand_floordivsi,
    "arith.index_cast": _index_cast("llvm.sext"),
    "arith.index_castui": _index_cast("llvm.zext"),
    "arith.mulsi_extended": _multiply_extended("llvm.sext"),
    "arith.mului_extended": _multiply_extended("llvm.zext"),
    "arith.select": lower_select,
    "arith.truncf": of_supported_floats(lower_truncf),
}


class ConvertArithToLLVM(Pass):
    """Lowers arith to the llvm dialect."""

    name = "convert-arith-to-llvm"
    summary = "Convert Arith dialect to LLVM dialect"
    options = (INDEX_BITWIDTH,)

    index_bitwidth: int

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.conversion.llvm_types import LLVMTypeConverter

        convert(op, RULES, LLVMTypeConverter(self.index_bitwidth or 64))

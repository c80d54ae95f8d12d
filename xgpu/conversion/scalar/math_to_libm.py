# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`convert-math-to-libm`: mathematical functions as calls of the C library's.

f16 and bf16 go through f32; vectors are taken apart into their elements. Source: MLIR 22.1
MathToLibm.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    BFloat16Type,
    DenseArrayBase,
    Float16Type,
    Float32Type,
    Float64Type,
    FunctionType,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    VectorType,
    i64,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue

from xgpu.core import ods
from xgpu.core.ir.elements import dense_of
from xgpu.core.ir.symbols import lookup
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.driver import NoMatch, convert
from xgpu.dialects.arith.builders import attribute_constant
from xgpu.dialects.llvm.builders import symbol_table

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import AnyFloat

    from xgpu.core.rewriting.driver import Conversion, Rule

#: math's operation -> the C function of doubles; that of floats has an `f` at its end.
FUNCTIONS = {
    "absf": "fabs",
    "acos": "acos",
    "acosh": "acosh",
    "asin": "asin",
    "asinh": "asinh",
    "atan": "atan",
    "atan2": "atan2",
    "atanh": "atanh",
    "cbrt": "cbrt",
    "ceil": "ceil",
    "cos": "cos",
    "cosh": "cosh",
    "erf": "erf",
    "erfc": "erfc",
    "exp": "exp",
    "exp2": "exp2",
    "expm1": "expm1",
    "floor": "floor",
    "fma": "fma",
    "log": "log",
    "log10": "log10",
    "log1p": "log1p",
    "log2": "log2",
    "powf": "pow",
    "round": "round",
    "roundeven": "roundeven",
    "rsqrt": "rsqrt",
    "sin": "sin",
    "sinh": "sinh",
    "sqrt": "sqrt",
    "tan": "tan",
    "tanh": "tanh",
    "trunc": "trunc",
}


def _declare(op: Operation, name: str, ty: FunctionType) -> None:
    """The function `name`, declared at the start of the module around `op` if it is not there."""
    table = symbol_table(op)
    if lookup(table, name) is not None:
        return
    function = ods.create(
        "func.func",
        properties={
            "sym_name": StringAttr(name),
            "function_type": ty,
            "sym_visibility": StringAttr("private"),
        },
        attributes={"llvm.readnone": UnitAttr()},
        regions=(Region(),),
        location=op.location,
    )
    block = table.regions[0].blocks[0]
    assert block.first_op is not None
    block.insert_op_before(function, block.first_op)


def _scalar(op: Operation, name: str, values: Sequence[SSAValue], rw: Conversion) -> SSAValue:
    """A call of the function for the type of `values`."""
    ty = values[0].type
    if isinstance(ty, Float16Type | BFloat16Type):
        wide = [rw.value("arith.extf", [v], Float32Type()) for v in values]
        return rw.value("arith.truncf", [_scalar(op, name, wide, rw)], ty)
    callee = name if isinstance(ty, Float64Type) else f"{name}f"
    _declare(op, callee, FunctionType.from_lists([v.type for v in values], [ty]))
    return rw.value("func.call", values, ty, {"callee": SymbolRefAttr(callee)})


def _elements(op: Operation, name: str, values: Sequence[SSAValue], rw: Conversion) -> SSAValue:
    """A call for each element of vectors."""
    ty = cast("VectorType", values[0].type)
    element = cast("AnyFloat", ty.element_type)
    result = attribute_constant(rw, dense_of(ty, [0.0]), ty)
    for position in itertools.product(*(range(size) for size in ty.get_shape())):
        where = {"static_position": DenseArrayBase.from_list(i64, position)}
        pieces = [rw.value("vector.extract", [v], element, where) for v in values]
        one = _scalar(op, name, pieces, rw)
        result = rw.value("vector.insert", [one, result], ty, where)
    return result


def _is_known(ty: Attribute) -> bool:
    return isinstance(ty, Float16Type | BFloat16Type | Float32Type | Float64Type)


def _rule(name: str) -> Rule:
    def rule(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
        ty = op.results[0].type
        if isinstance(ty, VectorType):
            scalable = any(bool(s.value.data) for s in ty.scalable_dims.data)
            if scalable or not _is_known(ty.element_type):
                raise NoMatch("expected a vector of fixed size of f16, bf16, f32 or f64")
            return [_elements(op, name, operands, rw)]
        if not _is_known(ty):
            raise NoMatch("expected f16, bf16, f32 or f64")
        return [_scalar(op, name, operands, rw)]

    return rule


RULES: dict[str, Rule] = {f"math.{ours}": _rule(theirs) for ours, theirs in FUNCTIONS.items()}


class ConvertMathToLibm(Pass):
    name = "convert-math-to-libm"
    summary = "Convert Math dialect to libm calls"
    anchor = "builtin.module"

    def run(self, op: Operation, ctx: Context) -> None:
        convert(op, RULES, illegal=("math",))

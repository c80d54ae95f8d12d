# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`convert-math-to-libm`: mathematical functions as calls of the C library.

f16 and bf16 are computed in f32; of vectors each element is computed alone.
Source: MLIR 22.1 MathToLibm.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

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
    f32,
    i64,
)
from xdsl.ir import Operation, Region, SSAValue

from xgpu import ods
from xgpu.transforms.base import Pass
from xgpu.transforms.constants import make
from xgpu.transforms.conversion import llvm_ops as llvm
from xgpu.transforms.conversion.driver import NoMatch, convert
from xgpu.transforms.conversion.vector_elements_to_llvm import is_scalable

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.transforms.conversion.driver import Conversion, Rule

#: Operations whose function is called otherwise.
_OTHER_NAMES = {"absf": "fabs", "powf": "pow"}
_SAME_NAMES = (
    "acos acosh asin asinh atan atan2 atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 floor fma"
    " log log10 log1p log2 round roundeven rsqrt sin sinh sqrt tan tanh trunc"
)


def lower(op: Operation, operands: Sequence[Any], rw: Conversion) -> Sequence[SSAValue]:
    ty = op.results[0].type
    if isinstance(ty, VectorType):
        return [_by_element(op, operands, rw, ty)]
    return [_call(op, operands, rw)]


def _by_element(op: Operation, operands: Sequence[Any], rw: Conversion, ty: VectorType) -> SSAValue:
    zero = make(ty, 0.0)
    if is_scalable(ty) or zero is None:
        raise NoMatch("expected a vector of fixed length")
    result = rw.value("arith.constant", (), ty, {"value": zero})
    for position in product(*(range(extent) for extent in ty.get_shape())):
        at = {"static_position": DenseArrayBase.from_list(i64, position)}
        elements = [rw.value("vector.extract", (v,), ty.element_type, at) for v in operands]
        result = rw.value("vector.insert", (_call(op, elements, rw), result), ty, at)
    return result


def _call(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> SSAValue:
    element = operands[0].type
    if isinstance(element, Float16Type | BFloat16Type):
        wide = [rw.value("arith.extf", (v,), f32) for v in operands]
        return rw.value("arith.truncf", (_call(op, wide, rw),), element)
    if not isinstance(element, Float32Type | Float64Type):
        raise NoMatch(f"there is no function for {element}")
    plain = op.name.partition(".")[2]
    name = _OTHER_NAMES.get(plain, plain) + ("f" if isinstance(element, Float32Type) else "")
    ty = FunctionType.from_lists([v.type for v in operands], [element])
    _declare(op, rw, name, ty)
    return rw.value("func.call", operands, element, {"callee": SymbolRefAttr(name)})


def _declare(op: Operation, rw: Conversion, name: str, ty: FunctionType) -> None:
    """Declares the function at the start of the module, if it is not there."""
    if (name, "libm") in rw.cache:
        return
    rw.cache[name, "libm"] = True
    table = llvm.symbol_table(op)
    if llvm.lookup(table, name) is not None:
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
    first = block.first_op
    assert first is not None
    block.insert_op_before(function, first)


RULES: dict[str, Rule] = {f"math.{name}": lower for name in (*_SAME_NAMES.split(), *_OTHER_NAMES)}


class ConvertMathToLibm(Pass):
    """Lowers math to calls of the C library's functions."""

    name = "convert-math-to-libm"
    summary = "Convert Math dialect to libm calls"
    anchor = "builtin.module"

    def run(self, op: Operation, ctx: Context) -> None:
        known = ("arith", "func", "vector", "builtin")
        convert(op, RULES, illegal=("math",), known=known)

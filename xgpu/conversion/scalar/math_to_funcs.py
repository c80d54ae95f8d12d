# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`convert-math-to-funcs`: integer powers, and leading zeros if asked for, as calls of functions.

The functions, one a type, come to the end of the module; vectors are taken apart. Source: MLIR 22.1
MathToFuncs.cpp.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Never, cast

from xdsl.dialects.builtin import (
    DenseArrayBase,
    FunctionType,
    IntegerType,
    SymbolRefAttr,
    VectorType,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.conversion.scalar.math_functions import (
    build_float_power,
    build_integer_power,
    build_leading_zeros,
)
from xgpu.core.ir.errors import error, shown
from xgpu.core.ir.symbols import lookup
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.driver import Conversion, NoMatch, convert
from xgpu.dialects.arith.builders import constant, element_of

if TYPE_CHECKING:
    from xdsl.context import Context

#: How a function that is needed is built: in a module, by its name, for its type.
Build = Callable[["Operation", str, Never], None]
_BUILD: dict[str, Build] = {
    "math.ctlz": build_leading_zeros,
    "math.fpowi": build_float_power,
    "math.ipowi": build_integer_power,
}


def _function_name(op: Operation) -> str:
    """`__mlir_math_ipowi_i32`, `__mlir_math_fpowi_f32_i64`"""
    values = op.operands if op.name == "math.fpowi" else op.operands[:1]
    types = "_".join(shown(element_of(v.type)) for v in values)
    return f"__mlir_{op.name.replace('.', '_')}_{types}"


def _is_scalable(ty: VectorType) -> bool:
    return any(bool(dim.value.data) for dim in ty.scalable_dims.data)


def _call(name: str, operands: Sequence[SSAValue], ty: Attribute, rw: Conversion) -> SSAValue:
    return rw.value("func.call", operands, ty, {"callee": SymbolRefAttr(name)})


def to_call(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    """A call; for a vector one for each element."""
    ty, name = op.results[0].type, _function_name(op)
    if not isinstance(ty, VectorType):
        if element_of(ty) is not ty:
            raise NoMatch("expected a scalar or a vector")
        return [_call(name, operands, ty, rw)]
    if _is_scalable(ty):
        raise NoMatch("how many elements a scalable vector has is not known")
    result = constant(rw, 0, ty)
    for position in itertools.product(*(range(size) for size in ty.get_shape())):
        where = {"static_position": DenseArrayBase.from_list(i64, position)}
        pieces = [rw.value("vector.extract", (v,), element_of(v.type), where) for v in operands]
        one = _call(name, pieces, ty.element_type, rw)
        result = rw.value("vector.insert", (one, result), ty, where)
    return [result]


class ConvertMathToFuncs(Pass):
    """Outlines integer powers and the count of leading zeros."""

    name = "convert-math-to-funcs"
    summary = "Convert Math operations to calls of outlined implementations."
    anchor = "builtin.module"
    options = (
        Option(
            "min-width-of-fpowi-exponent",
            int,
            1,
            "Convert FPowI only if the width of its exponent's integer type is greater than or "
            "equal to this value",
        ),
        Option(
            "convert-ctlz",
            bool,
            False,
            "Convert math.ctlz to a software implementation. Enable for targets that do not "
            "natively support ctlz.",
        ),
    )
    min_width_of_fpowi_exponent: int
    convert_ctlz: bool

    def run(self, op: Operation, ctx: Context) -> None:
        wanted = [inner for inner in op.walk() if self._is_converted(inner)]
        if not wanted:
            return
        made: set[str] = set()
        for power in wanted:
            name = _function_name(power)
            if name in made:
                continue
            existing = lookup(op, name)
            if existing is not None:
                raise error(existing, f"redefinition of symbol named '{name}'")
            made.add(name)
            _BUILD[power.name](op, name, cast("Never", _function_type(power)))
        converted = set(wanted)
        rules = dict.fromkeys(_BUILD, to_call)
        convert(
            op,
            rules,
            known=("arith", "cf", "func", "scf", "vector"),
            legal=lambda o: o.name in rules and o not in converted,
            illegal=lambda o: o in converted,
        )

    def _is_converted(self, op: Operation) -> bool:
        """Whether the pass must convert `op`."""
        if op.name == "math.fpowi":
            exponent = cast("IntegerType", element_of(op.operands[1].type))
            return exponent.width.data >= self.min_width_of_fpowi_exponent
        if op.name == "math.ipowi" or (op.name == "math.ctlz" and self.convert_ctlz):
            return isinstance(element_of(op.results[0].type), IntegerType)
        return False


def _function_type(op: Operation) -> Attribute:
    """What `_BUILD` wants to know: the function's type, or the only type in it."""
    result = element_of(op.results[0].type)
    if op.name != "math.fpowi":
        return result
    return FunctionType.from_lists([element_of(v.type) for v in op.operands], [result])

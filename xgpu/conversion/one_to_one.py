# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules for operations that have one counterpart in the llvm dialect.

    rule = one_to_one("llvm.fadd")     # arith.addf %a, %b fastmath<fast>  ->  llvm.fadd ...

Attributes go along, those of arith (fast-math and overflow flags) as llvm's. An operation on an n-D
vector, which is arrays of 1-D vectors there, becomes one operation for each 1-D vector.
Source: MLIR 22.1 VectorPattern.cpp, AttrToLLVMConverter.cpp.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import AnyFloat, IntegerAttr, IntegerType, VectorType, i32
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core import ods
from xgpu.core.ir.fields import operands_of, value_type
from xgpu.core.rewriting.driver import NoMatch
from xgpu.dialects.llvm import builders as llvm
from xgpu.dialects.llvm.types import LLVMArrayType

if TYPE_CHECKING:
    from xgpu.core.rewriting.driver import Conversion, Replacements, Rule
    from xgpu.dialects import arith

#: Builds one operation from operands, its result type and properties.
Build = Callable[[Sequence[SSAValue], Attribute], SSAValue]


def llvm_attributes(op: Operation) -> dict[str, Attribute]:
    """All attributes of `op`, the inherent ones too, as an operation of llvm has them."""
    result: dict[str, Attribute] = {}
    for name, value in (*op.properties.items(), *op.attributes.items()):
        if name == "fastmath":
            if value.name == "arith.fastmath":
                result["fastmathFlags"] = fastmath(value)
            continue
        if name == "overflowFlags" and not isinstance(value, IntegerAttr):
            result[name] = llvm.integer(value.value, i32)  # pyright: ignore
            continue
        result[name] = value
    return result


_FASTMATH: dict[str, Attribute] = {}


def fastmath(value: Attribute) -> Attribute:
    """`#arith.fastmath<...>` as `#llvm.fastmath<...>`."""
    value = cast("arith.FastmathAttr", value)
    flags: str = value.data
    found = _FASTMATH.get(flags)
    if found is None:
        found = _FASTMATH[flags] = ods.enum("llvm.fastmath", flags)
    return found


def fast_math(op: Operation) -> dict[str, Attribute]:
    """The `fastmathFlags` of llvm operations that stand for `op`."""
    flags = op.properties.get("fastmath")
    return {} if flags is None else {"fastmathFlags": fastmath(flags)}


def of_supported_floats(rule: Rule) -> Rule:
    """`rule` for floats that LLVM has: the others become integers, which have no arithmetic."""

    def checked(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Replacements | None:
        # Whether LLVM has the floats of a class: asked for each operand, found once.
        known: dict[type, bool] = rw.cache.setdefault(of_supported_floats, {})
        for value in (*operands_of(op), *op.results):
            ty = value_type(value)
            element = ty.element_type if type(ty) is VectorType else ty
            has = known.get(element.__class__)
            if has is None:
                is_float = isinstance(element, AnyFloat)
                has = not (is_float and isinstance(rw.convert_type(element), IntegerType))
                known[element.__class__] = has
            if not has:
                raise NoMatch(f"unsupported floating point type: {element}")
        return rule(op, operands, rw)

    return checked


def one_to_one(target: str, **more: Attribute) -> Rule:
    """A rule that replaces an operation by `target`, which has the properties `more` too."""

    def rule(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
        return [convert_op(op, target, operands, rw, {**llvm_attributes(op), **more})]

    return rule


def convert_op(
    op: Operation,
    target: str,
    operands: Sequence[SSAValue],
    rw: Conversion,
    attributes: dict[str, Attribute] | None = None,
) -> SSAValue:
    """`target` of `operands` with the converted result type of `op`, for each 1-D vector."""

    def build(values: Sequence[SSAValue], ty: Attribute) -> SSAValue:
        return rw.value(target, values, ty, None, attributes)

    return for_each_vector(rw, operands, rw.convert_type(op.results[0].type), build)


def for_each_vector(
    rw: Conversion, operands: Sequence[SSAValue], result_type: Attribute, build: Build
) -> SSAValue:
    """`build` for the operands, or for each of the 1-D vectors that they consist of."""
    if any(isinstance(value, tuple) for value in operands) or isinstance(result_type, tuple):
        raise NoMatch("an operand or the result is several values")
    if not operands or not isinstance(operands[0].type, LLVMArrayType):
        return build(operands, result_type)
    if not isinstance(result_type, LLVMArrayType):
        raise NoMatch("expected an n-D vector as result")
    shape: list[int] = []
    row_type: Attribute = result_type
    while isinstance(row_type, LLVMArrayType):
        shape.append(row_type.size)
        row_type = row_type.element_type
    result = llvm.poison(rw, result_type)
    for position in product(*(range(size) for size in shape)):
        rows = [
            llvm.extract(rw, value, *position) if isinstance(value.type, LLVMArrayType) else value
            for value in operands
        ]
        result = llvm.insert(rw, result, build(rows, row_type), *position)
    return result

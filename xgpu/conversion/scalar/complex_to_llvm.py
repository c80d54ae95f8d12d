# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`convert-complex-to-llvm`: complex numbers as structs of two floats.

What is not basic arithmetic is for other passes. Division by the textbook formula, or by Smith's
with care for infinities (`complex-range=improved`). Source: MLIR 22.1 ComplexToLLVM.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import AnyFloat, FloatAttr, IntegerAttr, i64
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.conversion.llvm_types import LLVMTypeConverter
from xgpu.conversion.scalar.complex_division import divide, divide_by_smith
from xgpu.conversion.to_llvm import fastmath
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.driver import Conversion, Rule, convert
from xgpu.dialects.llvm import builders as llvm

if TYPE_CHECKING:
    from xdsl.context import Context

Pair = tuple[SSAValue, SSAValue]
_FCMP = {"oeq": 1, "olt": 4, "one": 6, "ord": 7, "uno": 14}


class _Floats:
    """Builds operations on floats with the flags of the complex operation."""

    __slots__ = ("flags", "rw")

    def __init__(self, op: Operation, rw: Conversion) -> None:
        self.rw = rw
        flags = op.properties.get("fastmath")
        self.flags: dict[str, Attribute] = {}
        if flags is not None:
            self.flags["fastmathFlags"] = fastmath(flags)

    def op(self, name: str, *operands: SSAValue) -> SSAValue:
        return self.rw.value(f"llvm.{name}", operands, operands[0].type, self.flags)

    def mul(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.op("fmul", a, b)

    def add(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.op("fadd", a, b)

    def sub(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.op("fsub", a, b)

    def div(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.op("fdiv", a, b)

    def absolute(self, a: SSAValue) -> SSAValue:
        return self.op("intr.fabs", a)

    def compare(self, predicate: str, a: SSAValue, b: SSAValue) -> SSAValue:
        number = {"predicate": IntegerAttr(_FCMP[predicate], i64)}
        return self.rw.value("llvm.fcmp", (a, b), llvm.I1, number)

    def both(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return llvm.binary(self.rw, "and", a, b)

    def either(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return llvm.binary(self.rw, "or", a, b)

    def select(self, condition: SSAValue, a: SSAValue, b: SSAValue) -> SSAValue:
        return llvm.select(self.rw, condition, a, b)

    def copysign(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.rw.value("llvm.intr.copysign", (a, b), a.type)

    def constant(self, value: float, ty: Attribute) -> SSAValue:
        return llvm.attribute_constant(self.rw, FloatAttr(value, cast("AnyFloat", ty)), ty)


def _parts(rw: Conversion, values: Sequence[SSAValue]) -> list[Pair]:
    """Real and imaginary parts."""
    return [(llvm.extract(rw, v, 0), llvm.extract(rw, v, 1)) for v in values]


def _pack(rw: Conversion, empty: SSAValue, real: SSAValue, imaginary: SSAValue) -> SSAValue:
    return llvm.insert(rw, llvm.insert(rw, empty, real, 0), imaginary, 1)


def lower_create(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    empty = llvm.poison(rw, rw.convert_type(op.results[0].type))
    return [_pack(rw, empty, operands[0], operands[1])]


def lower_constant(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    ty = rw.convert_type(op.results[0].type)
    return [rw.value("llvm.mlir.constant", (), ty, op.properties, op.attributes)]


def _part(index: int) -> Rule:
    def rule(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
        return [llvm.extract(rw, operands[0], index)]

    return rule


def lower_abs(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    f = _Floats(op, rw)
    ((real, imaginary),) = _parts(rw, operands)
    squares = f.add(f.mul(real, real), f.mul(imaginary, imaginary))
    return [rw.value("llvm.intr.sqrt", (squares,), squares.type)]


def _by_part(name: str) -> Rule:
    def rule(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
        f = _Floats(op, rw)
        a, b = _parts(rw, operands)
        empty = llvm.poison(rw, operands[0].type)
        real, imaginary = f.op(name, a[0], b[0]), f.op(name, a[1], b[1])
        return [_pack(rw, empty, real, imaginary)]

    return rule


def lower_mul(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    f = _Floats(op, rw)
    a, b = _parts(rw, operands)
    empty = llvm.poison(rw, operands[0].type)
    real = f.sub(f.mul(b[0], a[0]), f.mul(b[1], a[1]))
    imaginary = f.add(f.mul(a[1], b[0]), f.mul(a[0], b[1]))
    return [_pack(rw, empty, real, imaginary)]


def lower_div(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    f = _Floats(op, rw)
    a, b = _parts(rw, operands)
    empty = llvm.poison(rw, operands[0].type)
    types = cast("LLVMTypeConverter", rw.types)
    quotient = divide_by_smith if types.improved_complex_range else divide
    return [_pack(rw, empty, *quotient(f, a, b))]


RULES: dict[str, Rule] = {
    "complex.abs": lower_abs,
    "complex.add": _by_part("fadd"),
    "complex.constant": lower_constant,
    "complex.create": lower_create,
    "complex.div": lower_div,
    "complex.im": _part(1),
    "complex.mul": lower_mul,
    "complex.re": _part(0),
    "complex.sub": _by_part("fsub"),
}


class ConvertComplexToLLVMPass(Pass):
    """Lowers complex to the llvm dialect."""

    name = "convert-complex-to-llvm"
    summary = "Convert Complex dialect to LLVM dialect"
    options = (
        Option(
            "complex-range",
            str,
            "basic",
            "Control the intermediate calculation of complex number division",
            ("improved", "basic", "none"),
        ),
    )

    complex_range: str

    def run(self, op: Operation, ctx: Context) -> None:
        types = LLVMTypeConverter()
        types.improved_complex_range = self.complex_range == "improved"
        convert(op, RULES, types, illegal=("complex",))

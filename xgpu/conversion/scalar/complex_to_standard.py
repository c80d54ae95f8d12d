# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`convert-complex-to-standard`: complex operations as arith and math on real and imaginary parts.

What makes complex numbers and takes them apart stays: `complex.create`, `.re`, `.im`, `.constant`.
Source: MLIR 22.1 ComplexToStandard.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.ir import Operation, SSAValue

from xgpu.conversion.scalar import complex_functions as functions
from xgpu.conversion.scalar.complex_division import divide, divide_by_smith
from xgpu.conversion.scalar.complex_floats import RealFloats
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.driver import Conversion, Rule, convert

if TYPE_CHECKING:
    from xdsl.context import Context

Operands = Sequence["SSAValue"]


def _by_part(name: str) -> Rule:
    """The operation on each part by itself."""

    def rule(op: Operation, operands: Operands, rw: Conversion) -> Operands:
        f = RealFloats.of(op, rw)
        a, b = operands
        real = f.arith(name, f.real(a), f.real(b))
        return [f.number(real, f.arith(name, f.imaginary(a), f.imaginary(b)))]

    return rule


def _compared(predicate: str, combine: str) -> Rule:
    def rule(op: Operation, operands: Operands, rw: Conversion) -> Operands:
        f = RealFloats.of(op, rw)
        (a, b), (c, d) = f.parts(operands[0]), f.parts(operands[1])
        real = f.compare(predicate, a, c)
        imaginary = f.compare(predicate, b, d)
        return [rw.value(combine, (real, imaginary), real.type)]

    return rule


def lower_mul(op: Operation, operands: Operands, rw: Conversion) -> Operands:
    f = RealFloats.of(op, rw)
    (a, b), (c, d) = f.parts(operands[0]), f.parts(operands[1])
    real = f.sub(f.mul(a, c), f.mul(b, d))
    return [f.number(real, f.add(f.mul(b, c), f.mul(a, d)))]


def lower_div(op: Operation, operands: Operands, rw: Conversion) -> Operands:
    f = RealFloats.of(op, rw)
    a, b = f.parts(operands[0]), f.parts(operands[1])
    quotient = divide_by_smith if rw.state == "improved" else divide
    return [f.number(*quotient(f, a, b))]


def lower_neg(op: Operation, operands: Operands, rw: Conversion) -> Operands:
    f = RealFloats.of(op, rw).plain
    real, imaginary = f.parts(operands[0])
    return [f.number(f.negative(real), f.negative(imaginary))]


def lower_conj(op: Operation, operands: Operands, rw: Conversion) -> Operands:
    f = RealFloats.of(op, rw).plain
    real, imaginary = f.parts(operands[0])
    return [f.number(real, f.negative(imaginary))]


def lower_angle(op: Operation, operands: Operands, rw: Conversion) -> Operands:
    f = RealFloats.of(op, rw)
    real, imaginary = f.parts(operands[0])
    return [f.math("atan2", imaginary, real)]


def lower_sign(op: Operation, operands: Operands, rw: Conversion) -> Operands:
    """`z / |z|`, and zero for zero."""
    f = RealFloats.of(op, rw)
    real, imaginary = f.parts(operands[0])
    zero = f.of_value(0.0)
    real_zero, imaginary_zero = f.compare("oeq", real, zero), f.compare("oeq", imaginary, zero)
    is_zero = f.both(real_zero, imaginary_zero)
    size = f.modulus(operands[0])
    sign = f.number(f.div(real, size), f.div(imaginary, size))
    return [f.select(is_zero, operands[0], sign)]


def lower_atan2(op: Operation, operands: Operands, rw: Conversion) -> Operands:
    """`atan2(y, x) = -i * log((x + i * y) / sqrt(x ** 2 + y ** 2))`"""
    f = RealFloats.of(op, rw)
    y, x = operands
    squares = f.complex("add", f.complex("mul", x, x), f.complex("mul", y, y))
    size = f.complex("sqrt", squares)
    zero, one = f.of_value(0.0), f.of_value(1.0)
    turned = f.complex("mul", f.number(zero, one), y)
    direction = f.complex("div", f.complex("add", x, turned), size)
    log = f.complex("log", direction)
    minus_one = f.of_value(-1.0)
    return [f.complex("mul", f.number(zero, minus_one), log)]


RULES: dict[str, Rule] = {
    "complex.abs": functions.lower_abs,
    "complex.add": _by_part("addf"),
    "complex.angle": lower_angle,
    "complex.atan2": lower_atan2,
    "complex.conj": lower_conj,
    "complex.cos": functions.lower_cos,
    "complex.div": lower_div,
    "complex.eq": _compared("oeq", "arith.andi"),
    "complex.exp": functions.lower_exp,
    "complex.expm1": functions.lower_expm1,
    "complex.log": functions.lower_log,
    "complex.log1p": functions.lower_log1p,
    "complex.mul": lower_mul,
    "complex.neg": lower_neg,
    "complex.neq": _compared("une", "arith.ori"),
    "complex.pow": functions.lower_pow,
    "complex.powi": functions.lower_powi,
    "complex.rsqrt": functions.lower_rsqrt,
    "complex.sign": lower_sign,
    "complex.sin": functions.lower_sin,
    "complex.sqrt": functions.lower_sqrt,
    "complex.sub": _by_part("subf"),
    "complex.tan": functions.lower_tan,
    "complex.tanh": functions.lower_tanh,
}


class ConvertComplexToStandardPass(Pass):
    """Lowers complex to arith and math."""

    name = "convert-complex-to-standard"
    summary = "Convert Complex dialect to standard dialect"
    options = (
        Option(
            "complex-range",
            str,
            "improved",
            "Control the intermediate calculation of complex number division",
            ("improved", "basic", "none"),
        ),
    )

    complex_range: str

    def run(self, op: Operation, ctx: Context) -> None:
        convert(
            op,
            RULES,
            known=("arith", "math"),
            legal=("complex.create", "complex.im", "complex.re"),
            state=self.complex_range,
        )

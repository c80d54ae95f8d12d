# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ODS leaves to C++ of the complex dialect: attributes, verifiers, folds, patterns."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    ComplexType,
    FixedBitwidthType,
    FloatAttr,
    f64,
)
from xdsl.ir import Attribute, Data, Operation
from xdsl.parser import AttrParser

from xgpu.core.ir.construction import defining
from xgpu.core.ir.errors import op_error, shown
from xgpu.core.ir.float_formats import FORMATS, round_to
from xgpu.core.ods.predicates import is_complex, type_of
from xgpu.core.syntax.parser import Parser
from xgpu.dialects import complex
from xgpu.dialects.interfaces import Constants, Folded, Folder

if TYPE_CHECKING:
    from xdsl.printer import Printer

    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern


if TYPE_CHECKING:
    Number = tuple[float, float, AnyFloat]


# -- Attributes of the complex dialect: `#complex.number` has its syntax in C++.
#
# Source: MLIR 22.1 ComplexAttributes.td, ComplexDialect.cpp.


class NumberAttr(Data["Number"]):
    """`#complex.number<:f32 1.0, 2.0> : complex<f32>`: a complex number of floats."""

    name = "complex.number"

    def __init__(
        self, real: float | Number, imag: float = 0.0, element_type: AnyFloat | None = None
    ) -> None:
        """Both parts are rounded to the element type (f64 if there is none)."""
        if isinstance(real, tuple):  # what `parse_parameter` gave: xDSL's parser passes it on whole
            real, imag, element_type = real
        super().__init__(_rounded(real, imag, f64 if element_type is None else element_type))

    @property
    def real(self) -> float:
        return self.data[0]

    @property
    def imag(self) -> float:
        return self.data[1]

    @property
    def type(self) -> ComplexType[AnyFloat]:
        return ComplexType(self.data[2])

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Number:
        with parser.in_angle_brackets():
            parser.parse_punctuation(":")
            start = parser.pos
            element = parser.parse_type()
            if not isinstance(element, AnyFloat):
                parser.raise_error("expected a float type", start)
            real = _read_part(parser)
            parser.parse_punctuation(",")
            imag = _read_part(parser)
        # The type behind it says nothing new, and MLIR does not compare it.
        if parser.parse_optional_punctuation(":") is not None:
            parser.parse_type()
        return _rounded(real, imag, element)

    def print_parameter(self, printer: Printer) -> None:
        real, imag, element = self.data
        printer.print_string("<:")
        printer.print_attribute(element)
        printer.print_string(" ")
        # Bits are read as those of an f64.
        printer.print_float(real, element if math.isfinite(real) else f64)
        printer.print_string(", ")
        printer.print_float(imag, element if math.isfinite(imag) else f64)
        printer.print_string("> : ")
        printer.print_attribute(self.type)


def _rounded(real: float, imag: float, element: AnyFloat) -> Number:
    form = FORMATS[element.name]
    return round_to(real, form), round_to(imag, form), element


def _read_part(parser: AttrParser) -> float:
    """A float literal; in hexadecimal the bits of an f64, whatever the type."""
    if not isinstance(parser, Parser):
        return parser.parse_float()
    start = parser.pos
    part = parser.parse_optional_attribute(f64)
    if not isinstance(part, FloatAttr):
        parser.raise_error("expected floating point literal", start)
    return part.value.data


ATTRIBUTES: dict[str, type[Attribute]] = {NumberAttr.name: NumberAttr}


# -- Names that MLIR suggests for results of complex operations.


def _constant_names(op: Operation) -> list[str | None]:
    return ["cst"]


NAMES = {"complex.constant": _constant_names}


# -- Verifiers of complex operations.


def _constant(op: complex.ConstantOp) -> None:
    values = op.value.data
    if len(values) != 2:
        raise op_error(
            op, "requires 'value' to be a complex constant, represented as array of two values"
        )
    element = op.results[0].type.element_type
    types = [type_of(value) for value in values]
    if any(kind != element for kind in types):
        raise op_error(
            op,
            f"requires attribute's element types ('{shown(types[0])}', '{shown(types[1])}') to "
            f"match the element type of the op's return type ('{shown(element)}')",
        )


def _bits(kind: Attribute) -> int:
    if is_complex(kind):
        return 2 * _bits(kind.element_type)
    return cast("FixedBitwidthType", kind).bitwidth


def _bitcast(op: complex.BitcastOp) -> None:
    source, result = op.operands[0].type, op.results[0].type
    for words, kind in (("operand", source), ("result", result)):
        plain = kind.name == "integer_type" or hasattr(kind, "bitwidth")
        if not plain and kind.name != "complex":
            raise op_error(op, f"{words} must be int, float or complex")
    if "complex" not in (source.name, result.name):
        raise op_error(op, "requires that either input or output has a complex type")
    if _bits(source) != _bits(result):
        raise op_error(op, "casting bitwidths do not match")


VERIFY = {"complex.constant": _constant, "complex.bitcast": _bitcast}


# -- Folds of the complex dialect: what undoes itself, neutral constants, parts of known numbers.
#
# Source: MLIR 22.1 ComplexOps.cpp.


def _is_number(attr: Attribute | None, real: float) -> bool:
    """Whether a constant is the real number `real`."""
    if not isinstance(attr, ArrayAttr):
        return False
    values = [getattr(part, "value", None) for part in attr.data]
    return [getattr(value, "data", None) for value in values] == [real, 0.0]


def _inverse(name: str) -> Callable[[Operation, Constants], Folded]:
    """f(g(x)) -> x"""

    def fold(op: Operation, constants: Constants) -> Folded:
        inner = defining(op.operands[0], name)
        return None if inner is None else [inner.operands[0]]

    return fold


def _part(index: int) -> Callable[[Operation, Constants], Folded]:
    """The real or imaginary part of a constant, or of what was created from parts."""

    def fold(op: Operation, constants: Constants) -> Folded:
        value = constants[0]
        if isinstance(value, ArrayAttr):
            return [value.data[index]]
        created = defining(op.operands[0], "complex.create")
        return None if created is None else [created.operands[index]]

    return fold


def _create(op: Operation, constants: Constants) -> Folded:
    """create(re(x), im(x)) -> x"""
    real = defining(op.operands[0], "complex.re")
    imaginary = defining(op.operands[1], "complex.im")
    if real is None or imaginary is None or real.operands[0] is not imaginary.operands[0]:
        return None
    return [real.operands[0]]


def _add(op: Operation, constants: Constants) -> Folded:
    """sub(a, b) + b -> a, b + sub(a, b) -> a, a + 0 -> a"""
    left, right = op.operands
    for difference, other in ((left, right), (right, left)):
        inner = defining(difference, "complex.sub")
        if inner is not None and inner.operands[1] is other:
            return [inner.operands[0]]
    return [left] if _is_number(constants[1], 0.0) else None


def _sub(op: Operation, constants: Constants) -> Folded:
    """add(a, b) - b -> a, a - 0 -> a"""
    left, right = op.operands
    inner = defining(left, "complex.add")
    if inner is not None and inner.operands[1] is right:
        return [inner.operands[0]]
    return [left] if _is_number(constants[1], 0.0) else None


def _by_one(op: Operation, constants: Constants) -> Folded:
    """a * 1 -> a, a / 1 -> a"""
    return [op.operands[0]] if _is_number(constants[1], 1.0) else None


def _fold_bitcast(op: Operation, constants: Constants) -> Folded:
    return [op.operands[0]] if op.operands[0].type == op.results[0].type else None


FOLD: dict[str, Folder] = {
    "complex.add": _add,
    "complex.bitcast": _fold_bitcast,
    "complex.conj": _inverse("complex.conj"),
    "complex.create": _create,
    "complex.div": _by_one,
    "complex.exp": _inverse("complex.log"),
    "complex.im": _part(1),
    "complex.log": _inverse("complex.exp"),
    "complex.mul": _by_one,
    "complex.neg": _inverse("complex.neg"),
    "complex.re": _part(0),
    "complex.sub": _sub,
}


# -- Canonicalization patterns of the complex dialect. Source: MLIR 22.1 ComplexOps.cpp.


def part_of_negation(index: int) -> Callable[[Operation, GreedyRewriter], bool]:
    """re(neg(create(a, b))) -> negf(a), and im likewise"""

    def rewrite(op: Operation, rw: GreedyRewriter) -> bool:
        negation = defining(op.operands[0], "complex.neg")
        created = negation and defining(negation.operands[0], "complex.create")
        if created is None:
            return False
        rw.replace_with(op, "arith.negf", [created.operands[index]], [op.results[0].type])
        return True

    return rewrite


def merge_bitcasts(op: Operation, rw: GreedyRewriter) -> bool:
    """bitcast(bitcast(x)) -> bitcast(x), complex.bitcast if a complex number takes part"""
    inner = defining(op.operands[0], "complex.bitcast", "arith.bitcast")
    if inner is None:
        return False
    source = inner.operands[0]
    is_complex = "complex" in (op.results[0].type.name, source.type.name)
    name = "complex.bitcast" if is_complex else "arith.bitcast"
    rw.replace_with(op, name, [source], [op.results[0].type])
    return True


PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "complex.bitcast": (merge_bitcasts,),
    "complex.im": (part_of_negation(1),),
    "complex.re": (part_of_negation(0),),
}

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The dialect `fixed`: numbers with some bits behind the point, constants, products."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialect_interfaces.constant_materialization import ConstantMaterializationInterface
from xdsl.dialects.builtin import IntAttr, IntegerAttr
from xdsl.interfaces import HasCanonicalizationPatternsInterface, HasFolderInterface
from xdsl.ir import Attribute, Dialect, Operation, ParametrizedAttribute, SSAValue, TypeAttribute
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    base,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import AttrParser, Parser
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.printer import Printer
from xdsl.traits import ConstantLike, Pure
from xdsl.utils.exceptions import VerifyException


@irdl_attr_definition
class NumberType(ParametrizedAttribute, TypeAttribute):
    """`!fixed.number<4>`: 32 bits, of which 4 are behind the point."""

    name = "fixed.number"

    fraction: IntAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            return [IntAttr(parser.parse_integer())]

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(f"<{self.fraction.data}>")

    def verify(self) -> None:
        if not 0 <= self.fraction.data < 32:
            raise VerifyException("expected between 0 and 31 bits behind the point")


@irdl_op_definition
class ConstantOp(IRDLOperation, HasFolderInterface):
    """`fixed.constant 24 : !fixed.number<4>` is one and a half."""

    name = "fixed.constant"

    value = prop_def(IntegerAttr)
    result = result_def(NumberType)

    traits = traits_def(Pure(), ConstantLike())

    def __init__(self, value: IntegerAttr, type: NumberType) -> None:
        super().__init__(properties={"value": value}, result_types=[type])

    def fold(self) -> Sequence[SSAValue | Attribute] | None:
        return (self.value,)

    @classmethod
    def parse(cls, parser: Parser) -> ConstantOp:
        value = parser.parse_integer()
        parser.parse_punctuation(":")
        return cls(IntegerAttr(value, 32), number_type(parser.parse_type()))

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.value.value.data} : ")
        printer.print_attribute(self.result.type)


def number_type(type: Attribute) -> NumberType:
    if not isinstance(type, NumberType):
        raise VerifyException(f"expected a fixed-point type, but found {type}")
    return type


@irdl_op_definition
class MulOp(IRDLOperation, HasFolderInterface, HasCanonicalizationPatternsInterface):
    """`%product = fixed.mul %a * %b : !fixed.number<4>`"""

    name = "fixed.mul"

    T: ClassVar = VarConstraint("T", base(NumberType))

    lhs = operand_def(T)
    rhs = operand_def(T)
    result = result_def(T)

    assembly_format = "$lhs `*` $rhs attr-dict `:` type($result)"
    traits = traits_def(Pure())

    def __init__(self, lhs: SSAValue, rhs: SSAValue) -> None:
        super().__init__(operands=[lhs, rhs], result_types=[lhs.type])

    def fold(self) -> Sequence[SSAValue | Attribute] | None:
        lhs, rhs = map(ConstantLike.get_constant_value, self.operands)
        if not isinstance(lhs, IntegerAttr) or not isinstance(rhs, IntegerAttr):
            return None
        product = lhs.value.data * rhs.value.data >> self.result.type.fraction.data
        return (IntegerAttr(product, 32),)

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return (TimesOne(), ConstantLast())


class TimesOne(RewritePattern):
    """x * 1 -> x"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: MulOp, rewriter: PatternRewriter, /) -> None:
        factor = ConstantLike.get_constant_value(op.rhs)
        one = 1 << op.result.type.fraction.data
        if isinstance(factor, IntegerAttr) and factor.value.data == one:
            rewriter.replace(op, (), [op.lhs])


class ConstantLast(RewritePattern):
    """constant * x -> x * constant"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: MulOp, rewriter: PatternRewriter, /) -> None:
        first, second = map(ConstantLike.get_constant_value, op.operands)
        if first is not None and second is None:
            rewriter.replace(op, MulOp(op.rhs, op.lhs))


class Constants(ConstantMaterializationInterface):
    """What a folder gives becomes a constant of this dialect."""

    def materialize_constant(self, value: Attribute, type: Attribute) -> Operation | None:
        if not isinstance(value, IntegerAttr) or not isinstance(type, NumberType):
            return None
        return ConstantOp(IntegerAttr(value.value.data, 32), type)


Fixed = Dialect("fixed", [ConstantOp, MulOp], [NumberType], [Constants()])

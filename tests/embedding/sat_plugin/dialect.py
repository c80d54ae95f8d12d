# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Syntax and types of the dialect, in xDSL's terms."""

from typing import ClassVar

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Dialect
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure


@irdl_op_definition
class AddOp(IRDLOperation):
    """`%sum = sat.add %a, %b : i8`"""

    name = "sat.add"

    T: ClassVar = VarConstraint("T", base(IntegerType))

    lhs = operand_def(T)
    rhs = operand_def(T)
    sum = result_def(T)

    assembly_format = "$lhs `,` $rhs attr-dict `:` type($sum)"
    traits = traits_def(Pure())


Sat = Dialect("sat", [AddOp])

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The dialect: one operation, defined as any xDSL project defines its own."""

from xdsl.dialects.builtin import Float32Type, MemRefType
from xdsl.ir import Dialect
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    traits_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException


@irdl_op_definition
class ScaleOp(IRDLOperation):
    """Multiplies each element of a buffer by a factor."""

    name = "scale.by"

    buffer = operand_def(MemRefType[Float32Type])
    factor = operand_def(Float32Type)

    assembly_format = "$buffer `,` $factor attr-dict `:` type($buffer)"
    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def verify_(self) -> None:
        type = self.buffer.type
        if isinstance(type, MemRefType) and len(type.get_shape()) != 1:
            raise VerifyException("expected a buffer of one dimension")


Scale = Dialect("scale", [ScaleOp])

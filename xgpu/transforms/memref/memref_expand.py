# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`memref-expand`: memref operations that the conversion to llvm does not take.

A memref.reshape to a known rank becomes loads of the sizes and a reinterpret_cast.
Source: MLIR 22.1 ExpandOps.cpp of memref.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IndexType, i64
from xdsl.ir import Operation, SSAValue

from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.driver import NoMatch, convert
from xgpu.dialects.arith.builders import index_constant

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import MemRefType

    from xgpu.core.rewriting.driver import Conversion

_INDEX = IndexType()


def lower_reshape(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    """Sizes from last to first, strides as their products."""
    shape_operand = op.operands[1]
    shape_type = cast("MemRefType", shape_operand.type)
    ty = cast("MemRefType", op.results[0].type)
    if -1 in shape_type.get_shape():
        raise NoMatch("the rank is not known")
    shape = ty.get_shape()
    sizes: list[SSAValue | int] = list(shape)
    strides: list[SSAValue | int] = [1] * len(shape)
    stride: SSAValue | None = None
    known = 1
    for i in reversed(range(len(shape))):
        if shape[i] < 0:
            size = rw.value(
                "memref.load", (shape_operand, index_constant(rw, i)), shape_type.element_type
            )
            if not isinstance(size.type, IndexType):
                size = rw.value("arith.index_cast", (size,), _INDEX)
            sizes[i] = size
        else:
            size = index_constant(rw, shape[i])
        strides[i] = known if stride is None else stride
        if i == 0:
            break
        if stride is not None:
            stride = rw.value("arith.muli", (stride, size), _INDEX)
        elif shape[i] < 0:
            stride = rw.value("arith.muli", (index_constant(rw, known), size), _INDEX)
        else:
            known *= shape[i]
    groups: list[SSAValue | list[SSAValue]] = [op.operands[0], []]
    properties = {"static_offsets": DenseArrayBase.from_list(i64, [0])}
    for name, items in (("sizes", sizes), ("strides", strides)):
        groups.append([item for item in items if isinstance(item, SSAValue)])
        static = [DYNAMIC_INDEX if isinstance(item, SSAValue) else item for item in items]
        properties[f"static_{name}"] = DenseArrayBase.from_list(i64, static)
    return [rw.create("memref.reinterpret_cast", groups, (ty,), properties).results[0]]


class ExpandOps(Pass):
    """Legalizes memref operations to be convertible to LLVM."""

    name = "memref-expand"
    summary = "Legalize memref operations to be convertible to LLVM."

    def run(self, op: Operation, ctx: Context) -> None:
        convert(
            op,
            {"memref.reshape": lower_reshape},
            illegal=lambda o: o.name == "memref.reshape" and _has_known_rank(o),
            known=("arith", "memref"),
        )


def _has_known_rank(op: Operation) -> bool:
    ty = cast("MemRefType", op.operands[1].type)
    return -1 not in ty.get_shape()

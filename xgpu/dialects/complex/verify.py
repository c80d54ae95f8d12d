# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of complex operations."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xgpu.core.ir.attribute_text import shown
from xgpu.core.ir.errors import op_error
from xgpu.core.ods.attribute_predicates import type_of
from xgpu.core.ods.type_predicates import is_complex

if TYPE_CHECKING:
    from xdsl.dialects.builtin import FixedBitwidthType
    from xdsl.ir import Attribute

    from xgpu.dialects import complex


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

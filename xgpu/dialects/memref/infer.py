# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Result types that memref operations have from their operands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IndexType, MemRefType, NoneAttr
from xdsl.ir import Attribute

if TYPE_CHECKING:
    from xdsl.ir import SSAValue


def _infer_distinct_objects(
    operands: Sequence[SSAValue],
    properties: Mapping[str, Attribute],
    regions: object,
    attributes: object,
) -> list[Attribute]:
    return [operand.type for operand in operands]


def _extract_strided_metadata(
    operands: Sequence[SSAValue],
    properties: Mapping[str, Attribute],
    regions: object,
    attributes: object,
) -> list[Attribute]:
    source = cast("MemRefType", operands[0].type)
    rank = len(source.shape)
    base = MemRefType(source.element_type, [], NoneAttr(), source.memory_space)
    return [base, *[IndexType()] * (1 + 2 * rank)]


INFER = {
    "memref.distinct_objects": _infer_distinct_objects,
    "memref.extract_strided_metadata": _extract_strided_metadata,
}

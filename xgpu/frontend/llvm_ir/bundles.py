# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operand bundles of calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, StringAttr, i32
from xdsl.ir import SSAValue

from xgpu.frontend.llvm_ir.body import Body
from xgpu.frontend.llvm_ir.model import Instruction, Value

if TYPE_CHECKING:
    from xdsl.ir import Attribute


def bundles(b: Body, i: Instruction) -> tuple[dict[str, Attribute], list[SSAValue]]:
    """(the properties of operand bundles, all their operands)"""
    found: list[tuple[str, list[Value]]] = i.extra["bundles"]
    sizes = DenseArrayBase.from_list(i32, [len(values) for _, values in found])
    properties: dict[str, Attribute] = {"op_bundle_sizes": sizes}
    if found:
        properties["op_bundle_tags"] = ArrayAttr([StringAttr(tag) for tag, _ in found])
    return properties, [b.value(value) for _, values in found for value in values]

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""DWARF expressions: `!DIExpression(...)` as `#llvm.di_expression`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from xgpu.core import ods
from xgpu.frontend.llvm_ir.model import Node

if TYPE_CHECKING:
    from xdsl.ir import Attribute


#: Operations with arguments, and how many.
_ARGUMENTS = {
    "DW_OP_LLVM_convert": 2,
    "DW_OP_LLVM_fragment": 2,
    "DW_OP_LLVM_extract_bits_sext": 2,
    "DW_OP_LLVM_extract_bits_zext": 2,
    "DW_OP_bregx": 2,
    "DW_OP_constu": 1,
    "DW_OP_consts": 1,
    "DW_OP_deref_size": 1,
    "DW_OP_plus_uconst": 1,
    "DW_OP_LLVM_tag_offset": 1,
    "DW_OP_LLVM_entry_value": 1,
    "DW_OP_LLVM_arg": 1,
    "DW_OP_regx": 1,
}
_BASED_REGISTER = re.compile(r"DW_OP_breg\d+")


def expression(node: object) -> Attribute | None:
    """The attribute of an expression's node, None for anything else."""
    if not isinstance(node, Node) or node.kind != "DIExpression":
        return None
    element = ods.attr_class("llvm.di_expression_elem")
    operations: list[Attribute] = []
    words = node.fields["elements"]
    at = 0
    while at < len(words):
        opcode = words[at]
        count = _ARGUMENTS.get(opcode, 1 if _BASED_REGISTER.fullmatch(opcode) else 0)
        operations.append(element(opcode, tuple(words[at + 1 : at + 1 + count])))
        at += 1 + count
    cls = ods.attr_class("llvm.di_expression")
    return cls(tuple(operations))

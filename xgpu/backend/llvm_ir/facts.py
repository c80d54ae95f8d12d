# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small tables and accessors that every emitter of LLVM IR needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import ArrayAttr, DenseIntOrFPElementsAttr, IntegerAttr, StringAttr
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core.ir.elements import values_of
from xgpu.core.ir.integers import integers_of
from xgpu.core.ir.op_info import attribute_of

if TYPE_CHECKING:
    from xgpu.core.ods.attributes import EnumAttr

ORDERING = ("", "unordered", "monotonic", "", "acquire", "release", "acq_rel", "seq_cst")
VISIBILITY = ("", "hidden ", "protected ")
UNNAMED_ADDR = ("", "local_unnamed_addr ", "unnamed_addr ")
LINKAGE = (
    "",
    "available_externally ",
    "linkonce ",
    "linkonce_odr ",
    "weak ",
    "weak_odr ",
    "appending ",
    "internal ",
    "private ",
    "extern_weak ",
    "common ",
)
COMDAT = ("any", "exactmatch", "largest", "nodeduplicate", "samesize")
MODREF = ("none", "read", "write", "readwrite")
TAIL_CALL = ("", "tail ", "musttail ", "notail ")


def prop(op: Operation, name: str) -> Attribute | None:
    """The inherent attribute `name` of `op`, None if it is not there."""
    found = op.properties.get(name)
    return found if found is not None else op.attributes.get(name)


def number(attr: object, default: int = 0) -> int:
    """The integer behind an IntegerAttr, an enumeration attribute or a parameter."""
    if attr is None:
        return default
    if isinstance(attr, IntegerAttr):
        return attr.value.data
    if isinstance(attr, int):
        return attr
    return cast("EnumAttr", attr).value


def flag(op: Operation, name: str) -> bool:
    """Whether the unit attribute `name` is set; a boolean attribute counts by its value."""
    attr = prop(op, name)
    if attr is None:
        return False
    value = getattr(attr, "value", None)
    return True if value is None else bool(number(attr))


def text_of(attr: object) -> str:
    """The string behind a StringAttr or an enumeration attribute."""
    if isinstance(attr, StringAttr):
        return attr.data
    return attr if isinstance(attr, str) else cast("EnumAttr", attr).data


def group_sizes(op: Operation, groups: int, name: str = "operandSegmentSizes") -> list[int]:
    """How many operands each operand group has."""
    attr = prop(op, name)
    if attr is None:
        return [len(op.operands), *[0] * (groups - 1)]
    return [int(n) for n in attr.get_values()]  # pyright: ignore[reportAttributeAccessIssue]


def groups(op: Operation, count: int) -> list[list[SSAValue]]:
    """The operands, group by group."""
    found, at = [], 0
    for size in group_sizes(op, count):
        found.append(list(op.operands[at : at + size]))
        at += size
    return found


def integers(attr: Attribute | None) -> list[int]:
    """The numbers of a dense array or dense elements, or of an array of integer attributes."""
    if attr is None:
        return []
    if isinstance(attr, DenseIntOrFPElementsAttr):
        return [int(n) for n in values_of(attr)]
    if hasattr(attr, "get_values"):
        return list(integers_of(attr))
    return [number(a) for a in cast("ArrayAttr[IntegerAttr]", attr).data]


def fast_math(op: Operation) -> str:
    """The fast-math flags as LLVM writes them, with a blank behind."""
    attr = attribute_of(op, "fastmathFlags")
    if attr is None:
        return ""
    text: str = attr.data  # pyright: ignore[reportAttributeAccessIssue]
    if text == "none" or not text:
        return ""
    flags = text.replace(" ", "").split(",")
    return "fast " if "fast" in flags or len(flags) == 7 else " ".join(flags) + " "

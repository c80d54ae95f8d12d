# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types in debug information, in `TYPES` by the kind of their node."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerAttr, StringAttr, i64

from xgpu.frontend.llvm_ir.debug_attributes import attribute, flags, number, string, word
from xgpu.frontend.llvm_ir.debug_expressions import expression
from xgpu.frontend.llvm_ir.model import MetadataConstant, Node

if TYPE_CHECKING:
    from xdsl.ir import Attribute

    from xgpu.frontend.llvm_ir.debug_translator import Translator


def _basictype(d: Translator, node: Node) -> Attribute | None:
    return attribute(
        "di_basic_type",
        tag=word(node, "tag", "DW_TAG_base_type"),
        name=StringAttr(node.fields.get("name") or ""),
        sizeInBits=number(node, "size"),
        encoding=word(node, "encoding", "") or 0,
    )


def _stringtype(d: Translator, node: Node) -> Attribute | None:
    return attribute(
        "di_string_type",
        tag=word(node, "tag", "DW_TAG_string_type"),
        name=StringAttr(node.fields.get("name") or ""),
        sizeInBits=number(node, "size"),
        alignInBits=number(node, "align"),
        stringLength=d.field(node, "stringLength"),
        stringLengthExp=expression(node.fields.get("stringLengthExpression")),
        stringLocationExp=expression(node.fields.get("stringLocationExpression")),
        encoding=word(node, "encoding", "") or 0,
    )


def _derivedtype(d: Translator, node: Node) -> Attribute | None:
    base = d.field(node, "baseType")
    if node.fields.get("baseType") is not None and base is None:
        return None
    return attribute(
        "di_derived_type",
        tag=word(node, "tag", "DW_TAG_null"),
        name=string(node, "name"),
        baseType=base,
        sizeInBits=number(node, "size"),
        alignInBits=number(node, "align"),
        offsetInBits=number(node, "offset"),
        dwarfAddressSpace=node.fields.get("dwarfAddressSpace"),
        extraData=d.field(node, "extraData"),
    )


def _compositetype(d: Translator, node: Node) -> Attribute | None:
    tag = word(node, "tag", "DW_TAG_null")
    set_flags = flags(node, "flags", "di_composite_type", "flags")
    elements: list[Attribute | None] = []
    # A vector always needs its elements.
    if not d.drop_elements or "Vector" in (set_flags or "").split(", "):
        elements = d.listed(node, "elements")
    if None in elements:
        elements = []
    base = d.field(node, "baseType")
    # Without the type of its elements an array is malformed.
    if tag == "DW_TAG_array_type" and base is None:
        return None
    fields = node.fields
    return attribute(
        "di_composite_type",
        tag=tag,
        name=string(node, "name"),
        file=d.field(node, "file"),
        line=number(node, "line"),
        scope=d.field(node, "scope"),
        baseType=base,
        flags=set_flags,
        sizeInBits=number(node, "size"),
        alignInBits=number(node, "align"),
        dataLocation=expression(fields.get("dataLocation")),
        rank=expression(fields.get("rank")),
        allocated=expression(fields.get("allocated")),
        associated=expression(fields.get("associated")),
        elements=tuple(elements),
    )


def _subroutinetype(d: Translator, node: Node) -> Attribute | None:
    types: list[Attribute | None] = []
    listed = node.fields.get("types")
    for entry in listed.operands if isinstance(listed, Node) else ():
        # No type is the result of a function that returns nothing, or variadic arguments.
        types.append(attribute("di_null_type") if entry is None else d.translate(entry))
    if None in types:
        return None
    return attribute(
        "di_subroutine_type",
        callingConvention=word(node, "cc", "") or 0,
        types=tuple(types),
    )


def _subrange(d: Translator, node: Node) -> Attribute | None:
    count, upper = _bound(d, node, "count"), _bound(d, node, "upperBound")
    if count is None and upper is None:
        return None
    return attribute(
        "di_subrange",
        count=count,
        lowerBound=_bound(d, node, "lowerBound"),
        upperBound=upper,
        stride=_bound(d, node, "stride"),
    )


def _genericsubrange(d: Translator, node: Node) -> Attribute | None:
    count, upper = _bound(d, node, "count"), _bound(d, node, "upperBound")
    lower, stride = _bound(d, node, "lowerBound"), _bound(d, node, "stride")
    if (count is None and upper is None) or lower is None or stride is None:
        return None
    return attribute(
        "di_generic_subrange", count=count, lowerBound=lower, upperBound=upper, stride=stride
    )


def _bound(d: Translator, node: Node, field: str) -> Attribute | None:
    """A bound of a range: a number, an expression or a variable."""
    value = node.fields.get(field)
    if isinstance(value, int):
        return IntegerAttr(value, i64)
    if isinstance(value, MetadataConstant):
        return IntegerAttr(value.value.data, i64)  # pyright: ignore[reportAttributeAccessIssue]
    if isinstance(value, Node) and value.kind == "DIExpression":
        return expression(value)
    return d.translate(value)


TYPES: dict[str, Callable[[Translator, Node], Attribute | None]] = {
    "DIBasicType": _basictype,
    "DICompositeType": _compositetype,
    "DIDerivedType": _derivedtype,
    "DIGenericSubrange": _genericsubrange,
    "DIStringType": _stringtype,
    "DISubrange": _subrange,
    "DISubroutineType": _subroutinetype,
}

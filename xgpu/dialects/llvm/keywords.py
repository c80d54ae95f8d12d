# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The optional keywords before the name of a function, global, alias or call."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Attribute

from xgpu.dialects.llvm.attributes import CConvAttr, LinkageAttr, TailCallKindAttr

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.printer import Printer
    from xgpu.dialects import llvm


#: Keywords by MLIR's integer; the first stands for saying nothing.
VISIBILITY = ("", "hidden", "protected")
UNNAMED_ADDR = ("", "local_unnamed_addr", "unnamed_addr")


def parse_linkage(parser: Parser) -> LinkageAttr:
    return LinkageAttr(parser.parse_optional_keyword_in(LinkageAttr.cases) or "external")


def parse_convention(parser: Parser) -> CConvAttr:
    return CConvAttr(parser.parse_optional_keyword_in(CConvAttr.cases) or "ccc")


def parse_tail_call_kind(parser: Parser) -> TailCallKindAttr:
    return TailCallKindAttr(parser.parse_optional_keyword_in(TailCallKindAttr.cases) or "none")


def parse_choice(parser: Parser, choices: tuple[str, ...]) -> IntegerAttr:
    """One of `choices` as MLIR's integer; 0 if none of them stands here."""
    keyword = parser.parse_optional_keyword_in(choices[1:])
    return IntegerAttr(choices.index(keyword) if keyword else 0, i64)


def choice(attr: Attribute | None, choices: tuple[str, ...]) -> str:
    """The keyword of an integer attribute with a blank behind, or nothing."""
    if attr is None:
        return ""
    text = choices[attr.value.data]  # pyright: ignore[reportAttributeAccessIssue]
    return f"{text} " if text else ""


def parse_string(parser: Parser) -> str:
    """A string attribute, as MLIR reads one: any other attribute is of an invalid kind."""
    at = parser.pos
    text = parser.parse_optional_str_literal()
    if text is None:
        parser.parse_attribute()
        raise parser.raise_error("invalid kind of attribute specified", at)
    return text


def print_dict(
    printer: Printer, op: Operation, hidden: tuple[str, ...], *, keyword: bool = False
) -> None:
    """` {...}` of all attributes of `op`, sorted by name, without `hidden`."""
    shown = {k: v for k, v in {**op.properties, **op.attributes}.items() if k not in hidden}
    flags = cast("llvm.FastmathAttr | None", shown.get("fastmathFlags"))
    if flags is not None and flags.data in ("none", ""):
        del shown["fastmathFlags"]
    if shown:
        printer.print_op_attributes(dict(sorted(shown.items())), print_keyword=keyword)


def split(
    name: str, given: dict[str, Attribute]
) -> tuple[dict[str, Attribute], dict[str, Attribute]]:
    """(properties, discardable attributes) of an attribute dictionary of the operation `name`."""
    from xgpu.core import ods

    spec = ods.op_spec(name)
    inherent = {a.name for a in spec.attrs} if spec is not None else set()
    properties = {k: v for k, v in given.items() if k in inherent}
    return properties, {k: v for k, v in given.items() if k not in inherent}

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fields of LLVM's nodes as parameters of attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import StringAttr, UnitAttr

from xgpu.core import ods
from xgpu.core.syntax.builtin_attributes import DistinctAttr
from xgpu.frontend.llvm_ir.model import Node

if TYPE_CHECKING:
    from xdsl.ir import Attribute

    from xgpu.core.ods.spec import EnumSpec

    pass


class Distinct:
    """Makes identities, each different from all others."""

    __slots__ = ("_count",)

    def __init__(self) -> None:
        self._count = 0

    def new(self) -> DistinctAttr:
        self._count += 1
        return DistinctAttr((self._count - 1, UnitAttr()))


def attribute(name: str, /, **parameters: object) -> Any:
    """`#llvm.<name>` with these parameters; what is left out is absent."""
    cls = ods.attr_class(f"llvm.{name}")
    return cls(*[parameters.get(p.name) for p in cls.spec.parameters])


def string(node: Node, field: str) -> StringAttr | None:
    text = node.fields.get(field)
    return StringAttr(text) if text else None


def number(node: Node, field: str) -> int | None:
    """A number that need not be there: 0 stands for that."""
    return node.fields.get(field) or None


def word(node: Node, field: str, default: str) -> str:
    words = node.fields.get(field)
    return words[0] if isinstance(words, list) and words else default


def pairs(listed: object) -> tuple[Attribute, ...]:
    """Pairs of strings; LLVM has no others in practice."""
    found: list[Attribute] = []
    for pair in listed.operands if isinstance(listed, Node) else ():
        if isinstance(pair, Node) and len(pair.operands) == 2:
            name, value = pair.string(0), pair.string(1)
            if name is not None and value is not None:
                found.append(
                    attribute("di_annotation", name=StringAttr(name), value=StringAttr(value))
                )
    return tuple(found)


def flags(node: Node, field: str, owner: str, parameter: str) -> str | None:
    """LLVM's flags as MLIR's keywords in MLIR's order; None for no flags."""
    words = node.fields.get(field)
    if not isinstance(words, list):
        return None
    from xgpu.core.ods.attributes import keywords_of

    cls = ods.attr_class(f"llvm.{owner}")
    cases: EnumSpec = next(p.enum for p in cls.spec.parameters if p.name == parameter)
    value = 0
    for word in words:
        # DIFlagPublic, DISPFlagDefinition
        value |= cases.cases.get(word.partition("Flag")[2], 0)
    return keywords_of(cases, value) if value else None

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Metadata: one numbered list a module, with nodes of equal text shared.

Aliasing (TBAA, scopes, access groups), loops and branch weights are here, debug information is in
`debug_info`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.ir import Attribute

from xgpu.backend.llvm_ir.facts import number, text_of
from xgpu.backend.llvm_ir.types import quoted

if TYPE_CHECKING:
    from xgpu.core.ods.attributes import StructAttr

    pass


def string(text: str) -> str:
    return f'!"{quoted(text)}"'


class Metadata:
    """The metadata nodes of one module."""

    __slots__ = ("by_attr", "nodes", "shared")

    def __init__(self) -> None:
        self.nodes: list[str] = []
        self.shared: dict[str, str] = {}
        #: attribute (and what else tells nodes apart) -> reference
        self.by_attr: dict[object, str] = {}

    def reserve(self) -> str:
        """A reference whose node is set later."""
        self.nodes.append("")
        return f"!{len(self.nodes) - 1}"

    def set(self, reference: str, text: str) -> None:
        self.nodes[int(reference[1:])] = text

    def extend(self, reference: str, field: str) -> None:
        """Adds a field to a node that is already there."""
        text = self.nodes[int(reference[1:])]
        self.nodes[int(reference[1:])] = f"{text[:-1]}, {field})"

    def node(self, text: str, *, distinct: bool = False) -> str:
        """The reference of a node with this text."""
        if distinct:
            self.nodes.append(f"distinct {text}")
            return f"!{len(self.nodes) - 1}"
        found = self.shared.get(text)
        if found is None:
            self.nodes.append(text)
            found = self.shared[text] = f"!{len(self.nodes) - 1}"
        return found

    def tuple(self, parts: Sequence[str], *, distinct: bool = False) -> str:
        return self.node(f"!{{{', '.join(parts)}}}", distinct=distinct)

    def text(self) -> list[str]:
        return [f"!{i} = {node}" for i, node in enumerate(self.nodes)]

    # --- aliasing ----------------------------------------------------------------------------
    def access_group(self, attr: Attribute) -> str:
        found = self.by_attr.get(attr)
        if found is None:
            found = self.by_attr[attr] = self.node("!{}", distinct=True)
        return found

    def access_groups(self, attr: ArrayAttr) -> str:
        groups = [self.access_group(a) for a in attr.data]
        return groups[0] if len(groups) == 1 else self.tuple(groups)

    def _named(self, attr: StructAttr, rest: Sequence[str]) -> str:
        """A node that is unique by a string, or by mentioning itself."""
        found = self.by_attr.get(attr)
        if found is not None:
            return found
        identity = attr.data[0]
        if isinstance(identity, StringAttr):
            found = self.tuple([string(identity.data), *rest])
        else:
            found = self.reserve()
            self.set(found, f"distinct !{{{', '.join([found, *rest])}}}")
        self.by_attr[attr] = found
        return found

    def alias_scope(self, attr: StructAttr) -> str:
        _, domain, description = attr.data
        about = [string(text_of(domain.data[1]))] if domain.data[1] is not None else []
        rest = [self._named(domain, about)]
        if description is not None:
            rest.append(string(text_of(description)))
        return self._named(attr, rest)

    def alias_scopes(self, attrs: Sequence[StructAttr]) -> str:
        return self.tuple([self.alias_scope(a) for a in attrs])

    def tbaa(self, attr: StructAttr) -> str:
        """A TBAA root, type or tag."""
        found = self.by_attr.get(attr)
        if found is not None:
            return found
        if attr.name == "llvm.tbaa_root":
            if attr.data[0] is not None:
                found = self.tuple([string(text_of(attr.data[0]))])
            else:
                found = self.reserve()
                self.set(found, f"distinct !{{{found}}}")
        elif attr.name == "llvm.tbaa_type_desc":
            identity, members = attr.data
            parts = [string(text_of(identity))]
            for member in members or ():
                parts += [self.tbaa(member.data[0]), f"i64 {number(member.data[1])}"]
            found = self.tuple(parts)
        else:
            base, access, offset, constant = attr.data
            parts = [self.tbaa(base), self.tbaa(access), f"i64 {number(offset)}"]
            found = self.tuple([*parts, "i64 1"] if constant else parts)
        self.by_attr[attr] = found
        return found

    def dereferenceable(self, attr: StructAttr) -> str:
        size, may_be_null = attr.data
        kind = "dereferenceable_or_null" if may_be_null else "dereferenceable"
        return f", !{kind} {self.tuple([f'i64 {number(size)}'])}"

    def branch_weights(self, weights: Sequence[int]) -> str:
        return self.tuple(['!"branch_weights"', *(f"i32 {n}" for n in weights)])

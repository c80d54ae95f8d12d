# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Metadata: one numbered list a module, with nodes of equal text shared.

Aliasing (TBAA, scopes, access groups), loops and branch weights are here, debug information is in
`debug_info`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import IntegerAttr, StringAttr

from xgpu.backend.llvm_ir.facts import flag, integers, number, prop, text_of
from xgpu.backend.llvm_ir.types import quoted
from xgpu.dialects.llvm.loop_options import LOOP_PARTS

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xgpu.backend.llvm_ir.function import FunctionWriter


def string(text: str) -> str:
    return f'!"{quoted(text)}"'


class Metadata:
    """The metadata nodes of one module."""

    __slots__ = ("by_attr", "nodes", "shared")

    def __init__(self) -> None:
        self.nodes: list[str] = []
        self.shared: dict[str, str] = {}
        #: attribute (and what else tells nodes apart) -> reference
        self.by_attr: dict[Any, str] = {}

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
    def access_group(self, attr: Any) -> str:
        found = self.by_attr.get(attr)
        if found is None:
            found = self.by_attr[attr] = self.node("!{}", distinct=True)
        return found

    def access_groups(self, attr: Any) -> str:
        groups = [self.access_group(a) for a in attr.data]
        return groups[0] if len(groups) == 1 else self.tuple(groups)

    def _named(self, attr: Any, rest: Sequence[str]) -> str:
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

    def alias_scope(self, attr: Any) -> str:
        _, domain, description = attr.data
        about = [string(text_of(domain.data[1]))] if domain.data[1] is not None else []
        rest = [self._named(domain, about)]
        if description is not None:
            rest.append(string(text_of(description)))
        return self._named(attr, rest)

    def alias_scopes(self, attrs: Sequence[Any]) -> str:
        return self.tuple([self.alias_scope(a) for a in attrs])

    def tbaa(self, attr: Any) -> str:
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

    def dereferenceable(self, attr: Any) -> str:
        size, may_be_null = attr.data
        kind = "dereferenceable_or_null" if may_be_null else "dereferenceable"
        return f", !{kind} {self.tuple([f'i64 {number(size)}'])}"

    def branch_weights(self, weights: Sequence[int]) -> str:
        return self.tuple(['!"branch_weights"', *(f"i32 {n}" for n in weights)])


def access_metadata(w: FunctionWriter, op: Operation) -> str:
    """What a memory access carries behind itself."""
    properties = op.properties
    if not properties:
        return ""
    text, md = "", w.module.metadata
    if flag(op, "invariant"):
        text += f", !invariant.load {md.node('!{}')}"
    if (attr := prop(op, "dereferenceable")) is not None:
        text += md.dereferenceable(attr)
    if flag(op, "nontemporal"):
        text += f", !nontemporal {md.tuple(['i32 1'])}"
    if flag(op, "invariantGroup"):
        text += f", !invariant.group {md.node('!{}')}"
    return text + alias_metadata(w, op)


def alias_metadata(w: FunctionWriter, op: Operation) -> str:
    text, md = "", w.module.metadata
    if (attr := prop(op, "access_groups")) is not None and attr.data:  # pyright: ignore
        text += f", !llvm.access.group {md.access_groups(attr)}"
    for name, kind in (("alias_scopes", "alias.scope"), ("noalias_scopes", "noalias")):
        if (attr := prop(op, name)) is not None and attr.data:  # pyright: ignore
            text += f", !{kind} {md.alias_scopes(attr.data)}"  # pyright: ignore
    if (attr := prop(op, "tbaa")) is not None and attr.data:  # pyright: ignore
        if len(attr.data) == 1:  # pyright: ignore
            text += f", !tbaa {md.tbaa(attr.data[0])}"  # pyright: ignore
        else:
            w.module.warn(
                op,
                "TBAA access tags were not translated, because LLVM IR only supports a single "
                "tag per instruction",
            )
    return text


def branch_metadata(w: FunctionWriter, op: Operation) -> str:
    """Branch weights and loop annotation of a branch."""
    text = ""
    if weights := integers(prop(op, "branch_weights")):
        text += f", !prof {w.module.metadata.branch_weights(weights)}"
    if (attr := prop(op, "loop_annotation")) is not None:
        text += f", !llvm.loop {loop(w, op, attr)}"
    return text


_LOOP_PARAMETERS = [
    "disableNonforced",
    "vectorize",
    "interleave",
    "unroll",
    "unrollAndJam",
    "licm",
    "distribute",
    "pipeline",
    "peeled",
    "unswitch",
    "mustProgress",
    "isVectorized",
    "startLoc",
    "endLoc",
    "parallelAccesses",
]


def loop(w: FunctionWriter, op: Operation, attr: Any) -> str:
    """The loop metadata of a `#llvm.loop_annotation`: a node that mentions itself first."""
    md = w.module.metadata
    # One annotation in two functions is two loops.
    key = (attr, w.module.function)
    if (found := md.by_attr.get(key)) is not None:
        return found
    reference = md.by_attr[key] = md.reserve()
    values = dict(zip(_LOOP_PARAMETERS, attr.data, strict=False))
    parts: list[str] = [reference]
    for name in ("startLoc", "endLoc"):
        if values[name] is not None and (at := w.module.location_node(w, values[name])):
            parts.append(at)
    if number(values["disableNonforced"]):
        parts.append(md.tuple(['!"llvm.loop.disable_nonforced"']))
    if number(values["mustProgress"]):
        parts.append(md.tuple(['!"llvm.loop.mustprogress"']))
    if number(values["isVectorized"]):
        parts.append(md.tuple(['!"llvm.loop.isvectorized"', "i32 1"]))
    for name, options in LOOP_PARTS:
        if values[name] is None:
            continue
        for (_, option, how), value in zip(options, values[name].data, strict=False):
            if value is not None and (part := _loop_option(w, op, option, how, value)):
                parts.append(part)
    if values["parallelAccesses"]:
        groups = [md.access_group(a) for a in values["parallelAccesses"]]
        parts.append(md.tuple(['!"llvm.loop.parallel_accesses"', *groups]))
    md.set(reference, f"distinct !{{{', '.join(parts)}}}")
    return reference


def _loop_option(w: FunctionWriter, op: Operation, option: str, how: str, value: Any) -> str | None:
    md = w.module.metadata
    if how == "loop":
        return md.tuple([f'!"{option}"', loop(w, op, value)])
    n = number(value)
    if how == "i32":
        width = value.type.width.data if isinstance(value, IntegerAttr) else 32  # pyright: ignore
        return md.tuple([f'!"{option}"', f"i{width} {n}"])
    if how == "either":
        on, off = option.split("|")
        return md.tuple([f'!"{on if n else off}"'])
    if how == "flag":
        return md.tuple([f'!"{option}"']) if n else None
    if how == "not":
        n = not n
    return md.tuple([f'!"{option}"', "i1 true" if n else "i1 false"])

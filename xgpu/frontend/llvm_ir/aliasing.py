# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TBAA tags, alias scopes and access groups.

They are translated before all functions, over the whole module, as MLIR's importer does: that
decides which scopes are known when a declaration of one is met.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import StringAttr

from xgpu.frontend.llvm_ir.debug_attributes import Distinct, attribute
from xgpu.frontend.llvm_ir.loop_import import LoopImport
from xgpu.frontend.llvm_ir.messages import Messages
from xgpu.frontend.llvm_ir.model import Instruction, Module, Node

if TYPE_CHECKING:
    from xdsl.ir import Attribute


class Aliasing:
    """The TBAA tags, alias scopes and access groups of a module."""

    def __init__(self, messages: Messages, loops: LoopImport, distinct: Distinct) -> None:
        self.messages = messages
        self.loops = loops
        self._distinct = distinct
        #: node -> root, type descriptor or tag
        self.tags: dict[Node, Attribute] = {}
        self._scopes: dict[Node, Attribute] = {}

    def translate(self, module: Module) -> None:
        """Translates what the instructions of all functions refer to."""
        for function in module.functions:
            for block in function.blocks:
                for i in block.instructions:
                    if i.metadata:
                        self._translate(i)

    def _translate(self, i: Instruction) -> None:
        metadata = i.metadata
        if (node := metadata.get("llvm.access.group")) is not None:
            self.loops.add_groups(node)
        if (node := metadata.get("tbaa")) is not None:
            self._tbaa(node)
        for kind in ("alias.scope", "noalias"):
            if (node := metadata.get(kind)) is not None:
                self._alias_scopes(node)

    def lookup_scopes(self, node: Node) -> list[Attribute] | None:
        """The scopes of a list, None if one of them is not known."""
        found: list[Attribute] = []
        for n in node.operands:
            scope = self._scopes.get(cast("Node", n))
            if scope is None or scope.name != "llvm.alias_scope":
                return None
            found.append(scope)
        return found

    # --- scopes ------------------------------------------------------------------------------
    def _alias_scopes(self, listed: Node) -> None:
        for scope in listed.operands:
            if isinstance(scope, Node):
                self._alias_scope(scope)

    def _alias_scope(self, scope: Node) -> None:
        messages = self.messages
        domain = scope.operands[1] if len(scope.operands) > 1 else None
        if not _is_identified(scope) or not isinstance(domain, Node) or not _is_described(scope, 2):
            raise messages.error(f"unsupported alias scope node: {messages.as_text(scope)}")
        if not _is_identified(domain) or not _is_described(domain, 1):
            raise messages.error(f"unsupported alias domain node: {messages.as_text(domain)}")
        if scope in self._scopes:
            return
        if domain not in self._scopes:
            self._scopes[domain] = attribute(
                "alias_scope_domain",
                id=self._identity(domain),
                description=_described(domain, 1),
            )
        self._scopes[scope] = attribute(
            "alias_scope",
            id=self._identity(scope),
            domain=self._scopes[domain],
            description=_described(scope, 2),
        )

    def _identity(self, node: Node) -> Attribute:
        """A node that mentions itself is unique; another one goes by its name."""
        name = node.string(0)
        return self._distinct.new() if name is None else StringAttr(name)

    # --- TBAA --------------------------------------------------------------------------------
    def _tbaa(self, node: Node) -> None:
        """Translates a node behind all that it refers to."""
        seen: set[Node] = set()
        pending = [node]
        while pending:
            current = pending[-1]
            if current in self.tags:
                pending.pop()
                continue
            missing = [n for n in current.operands if isinstance(n, Node) and n not in self.tags]
            if not missing:
                pending.pop()
                self.tags[current] = self._tbaa_node(current)
                continue
            if current in seen:
                raise self.messages.error(
                    f"has cycle in TBAA graph: {self.messages.as_text(current)}"
                )
            seen.add(current)
            pending += missing

    def _tbaa_node(self, node: Node) -> Attribute:
        operands = node.operands
        if len(operands) == 0 or (len(operands) == 1 and not isinstance(operands[0], Node)):
            name = node.string(0)
            return attribute("tbaa_root", id=None if name is None else StringAttr(name))
        name = node.string(0)
        if name is not None:
            return self._tbaa_type(node, name)
        tag = self._tbaa_tag(node)
        if tag is None:
            raise self.messages.error(
                f"unsupported TBAA node format: {self.messages.as_text(node)}"
            )
        return tag

    def _tbaa_type(self, node: Node, name: str) -> Attribute:
        """`!{!"struct", !member, i64 offset, ...}`"""
        operands = node.operands
        members: list[Attribute] = []
        for place in range(1, len(operands) - 1 + len(operands) % 2, 2):
            member = operands[place]
            if not isinstance(member, Node):
                raise self._wrong(node, f"operand '{place}' must be MDNode")
            offset = node.integer(place + 1)
            if place + 1 >= len(operands):
                if len(operands) != 2:
                    raise self._wrong(node, "missing member offset")
                offset = 0
            elif offset is None:
                raise self._wrong(node, f"operand '{place + 1}' must be ConstantInt")
            members.append(attribute("tbaa_member", typeDesc=self.tags[member], offset=offset))
        if len(operands) == 2:
            member = operands[1]
            if not isinstance(member, Node):
                raise self._wrong(node, "operand '1' must be MDNode")
            members = [attribute("tbaa_member", typeDesc=self.tags[member], offset=0)]
        elif len(operands) % 2 == 0:
            raise self._wrong(node, "missing member offset")
        return attribute("tbaa_type_desc", id=name, members=tuple(members))

    def _wrong(self, node: Node, message: str) -> Exception:
        return self.messages.error(f"{message}: {self.messages.as_text(node)}")

    def _tbaa_tag(self, node: Node) -> Attribute | None:
        """`!{!base, !access, i64 offset, i64 constant}`"""
        operands = node.operands
        if len(operands) not in (3, 4):
            return None
        base, access, offset = operands[0], operands[1], node.integer(2)
        if not isinstance(base, Node) or not isinstance(access, Node) or offset is None:
            return None
        if access.string(0) is None:
            return None
        constant = 0
        if len(operands) == 4:
            found = node.integer(3)
            if found is None:
                raise self._wrong(node, "operand '3' must be ConstantInt")
            constant = found
        bases = self.tags[base], self.tags[access]
        if any(b.name != "llvm.tbaa_type_desc" for b in bases):
            return None
        return attribute(
            "tbaa_tag",
            base_type=bases[0],
            access_type=bases[1],
            offset=offset,
            constant=bool(constant & 1),
        )


def _is_identified(node: Node) -> bool:
    """Whether a node mentions itself first, or a name."""
    return bool(node.operands) and (node.operands[0] is node or node.string(0) is not None)


def _is_described(node: Node, place: int) -> bool:
    return place >= len(node.operands) or node.string(place) is not None


def _described(node: Node, place: int) -> StringAttr | None:
    text = node.string(place)
    return StringAttr(text) if text else None

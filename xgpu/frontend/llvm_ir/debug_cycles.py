# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cycles of LLVM's debug information, which attributes cannot have.

A composite type or a subprogram that is met again while it is being translated becomes a mention of
itself (`isRecSelf`), and the outer one gets an identity (`recId`) that the mention shares. What was
translated inside of such a cycle holds only there; so it is kept apart with the mentions that it
needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xgpu.core.syntax.builtin_attributes import DistinctAttr
from xgpu.frontend.llvm_ir.debug_attributes import Distinct, attribute
from xgpu.frontend.llvm_ir.model import Node

if TYPE_CHECKING:
    from xdsl.ir import Attribute

    from xgpu.dialects import llvm


#: Nodes that may be in themselves.
_RECURSIVE = ("DICompositeType", "DISubprogram")


class Pruner:
    """Cuts cycles of the graph of nodes."""

    __slots__ = ("_dependent", "_distinct", "_identities", "_stack")

    def __init__(self, distinct: Distinct) -> None:
        self._distinct = distinct
        #: what is being translated and can be recursive -> [its mention, mentions inside]
        self._stack: dict[Node, list[Any]] = {}
        self._identities: dict[Node, DistinctAttr] = {}
        #: node -> (attribute, the mentions that it needs around it)
        self._dependent: dict[Node, tuple[Attribute, frozenset[Attribute]]] = {}

    def enter(self, node: Node) -> llvm.DiCompositeTypeAttr | llvm.DiSubprogramAttr | None:
        """A mention of `node`, or what it became in the same surroundings; None to go on."""
        if node.kind in _RECURSIVE:
            state = self._stack.get(node)
            if state is None:
                self._stack[node] = [None, set()]
            else:
                if state[0] is None:
                    state[0] = self._mention(node)
                self._top()[1].add(state[0])
                return state[0]
        return self._lookup(node)

    def _top(self) -> list[Any]:
        return self._stack[next(reversed(self._stack))]

    def _mention(self, node: Node) -> llvm.DiCompositeTypeAttr | llvm.DiSubprogramAttr:
        identity = self._identities.get(node)
        if identity is None:
            identity = self._identities[node] = self._distinct.new()
        name = "di_subprogram" if node.kind == "DISubprogram" else "di_composite_type"
        return attribute(name, recId=identity, isRecSelf=True, **_EMPTY[name])

    def _lookup(self, node: Node) -> Any:
        found = self._dependent.get(node)
        if found is None:
            return None
        if self._stack and found[1] <= self._top()[1]:
            return found[0]
        del self._dependent[node]
        return None

    def finish(self, node: Node, made: Any) -> tuple[Attribute, bool]:
        """(the attribute with its identity if it is recursive, whether it holds everywhere)"""
        if not self._stack:
            return made, True
        last = next(reversed(self._stack))
        state = self._stack[last]
        if last is not node:
            return made, not state[1]
        if state[0] is not None:
            identity = state[0].data[0]
            made = type(made)(identity, *made.data[1:])
            state[1].discard(state[0])
        if state[1]:
            self._dependent[node] = made, frozenset(state[1])
            return made, False
        return made, True

    def leave(self, node: Node) -> None:
        """Says that the translation of `node` is over; its open mentions go to the next outer."""
        if not self._stack or next(reversed(self._stack)) is not node:
            return
        _, inside = self._stack.pop(node)
        if self._stack:
            self._top()[1] |= inside


#: Parameters of a mention that must be there.
_EMPTY: dict[str, dict[str, object]] = {
    "di_composite_type": {"elements": ()},
    "di_subprogram": {"retainedNodes": (), "annotations": ()},
}

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the translations of single nodes of debug information need of the whole."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from xgpu.core.syntax.builtin_attributes import DistinctAttr
from xgpu.frontend.llvm_ir.debug_attributes import Distinct
from xgpu.frontend.llvm_ir.model import Node

if TYPE_CHECKING:
    from xdsl.ir import Attribute


class Translator(ABC):
    """Translates nodes, each once; `drop_elements` leaves out those of composite types."""

    def __init__(self, distinct: Distinct, *, drop_elements: bool) -> None:
        self.drop_elements = drop_elements
        self._distinct = distinct
        self._identities: dict[Node, DistinctAttr] = {}

    @abstractmethod
    def translate(self, node: object) -> Attribute | None:
        """The attribute of a node, None for one that is not there or has none."""

    def field(self, node: Node, name: str) -> Any:
        return self.translate(node.fields.get(name))

    def listed(self, node: Node, name: str) -> list[Any]:
        """The attributes of a list of nodes."""
        listed = node.fields.get(name)
        return [self.translate(n) for n in listed.operands] if isinstance(listed, Node) else []

    def identity(self, node: Node) -> DistinctAttr:
        """What tells a distinct node from others of the same content."""
        found = self._identities.get(node)
        if found is None:
            found = self._identities[node] = self._distinct.new()
        return found

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loop metadata as `#llvm.loop_annotation`, and access groups.

A part that cannot be said is left out with a warning, as MLIR's importer does; an option that is
not known leaves the whole annotation out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerAttr, IntegerType, i1, i32

from xgpu.dialects.llvm.attributes import LOOP_PARTS
from xgpu.frontend.llvm_ir.debug_attributes import Distinct, attribute
from xgpu.frontend.llvm_ir.debug_import import DebugImport
from xgpu.frontend.llvm_ir.messages import Messages
from xgpu.frontend.llvm_ir.model import Instruction, Node

if TYPE_CHECKING:
    from collections.abc import Iterable

    from xdsl.ir import Attribute

_ATTRIBUTES = {
    "vectorize": "loop_vectorize",
    "interleave": "loop_interleave",
    "unroll": "loop_unroll",
    "unrollAndJam": "loop_unroll_and_jam",
    "licm": "loop_licm",
    "distribute": "loop_distribute",
    "pipeline": "loop_pipeline",
    "peeled": "loop_peeled",
    "unswitch": "loop_unswitch",
}


class _Malformed(Exception):
    """A loop's metadata says something that the attribute cannot."""


class LoopImport:
    """The loops and access groups of a module."""

    def __init__(self, messages: Messages, debug: DebugImport, distinct: Distinct) -> None:
        self.messages = messages
        self._debug = debug
        self._distinct = distinct
        self._loops: dict[Node, Attribute | None] = {}
        self._groups: dict[Node, Attribute] = {}

    # --- access groups -----------------------------------------------------------------------
    def add_groups(self, node: Node) -> None:
        """Translates an access group, or a list of them."""
        for group in node.operands or (node,):
            if not isinstance(group, Node):
                self._warn("expected access group operands to be metadata nodes")
                self._refuse(node)
            elif group not in self._groups:
                if group.operands or not group.distinct:
                    self._warn("expected an access group node to be empty and distinct")
                    self._refuse(node)
                self._groups[group] = attribute("access_group", id=self._distinct.new())

    def _refuse(self, node: Node) -> None:
        raise self.messages.error(f"unsupported access group node: {self.messages.as_text(node)}")

    def _warn(self, message: str, at: Instruction | None = None) -> None:
        self.messages.warn(message, at)

    def lookup_groups(self, node: Node) -> list[Attribute] | None:
        """The groups that a node is or lists, None if one is not known."""
        found: list[Attribute] = []
        for n in node.operands or (node,):
            group = self._groups.get(cast("Node", n))
            if group is None:
                return None
            found.append(group)
        return found

    # --- loops -------------------------------------------------------------------------------
    def annotation(self, node: Node | None, at: Instruction) -> Attribute | None:
        """The annotation of a loop, None if it has none or says something unknown."""
        if node is None:
            return None
        if node not in self._loops:
            try:
                self._loops[node] = self._annotation(node, at)
            except _Malformed as reason:
                self._warn(str(reason), at)
                self._loops[node] = None
        return self._loops[node]

    def _annotation(self, node: Node, at: Instruction) -> Attribute | None:
        options = _options(node)
        values: dict[str, object] = {
            "disableNonforced": _flag(options, "llvm.loop.disable_nonforced")
        }
        for part, parameters in LOOP_PARTS:
            values[part] = self._part(part, parameters, options, at)
        values["mustProgress"] = _flag(options, "llvm.loop.mustprogress")
        values["isVectorized"] = _number_as_flag(options, "llvm.loop.isvectorized")
        values["parallelAccesses"] = self._parallel(options, at)
        if options:
            for name in options:
                self._warn(f"unknown loop annotation {name}", at)
            return None
        locations = [
            self._debug.location(n)
            for n in node.operands[1:]
            if isinstance(n, Node) and n.kind == "DILocation"
        ]
        for name, location in zip(("startLoc", "endLoc"), locations, strict=False):
            values[name] = location
        if not any(v is not None and v != () for v in values.values()):
            return None
        return attribute("loop_annotation", **values)

    def _part(
        self,
        part: str,
        parameters: Iterable[tuple[str, str, str]],
        options: dict[str, Node],
        at: Instruction,
    ) -> Attribute | None:
        """One part of an annotation, None if nothing of it is said or something of it is wrong."""
        found: dict[str, object] = {}
        is_whole = True
        for name, option, how in parameters:
            try:
                found[name] = self._option(options, option, how, at)
            except _Malformed as reason:
                self._warn(str(reason), at)
                is_whole = False
        if not is_whole or all(value is None for value in found.values()):
            return None
        return attribute(_ATTRIBUTES[part], **found)

    def _option(
        self, options: dict[str, Node], option: str, how: str, at: Instruction
    ) -> Attribute | None:
        """The value of an option, None if it is not there; it is taken out of `options`."""
        if how == "i32":
            return _number(options, option)
        if how == "flag" or option == "llvm.loop.unroll.runtime.disable":
            return _flag(options, option)
        if how == "loop":
            return self.annotation(_node(options, option), at)
        if how == "either":
            disable, _, enable = option.partition("|")
            on, off = _flag(options, enable), _flag(options, disable)
            if on is not None and off is not None:
                raise _Malformed(
                    f"expected metadata nodes {enable} and {disable} to be mutually exclusive."
                )
            if on is None and off is None:
                return None
            return _truth(off is not None)
        value = _bool(options, option)
        return None if value is None else _truth(value != (how == "not"))

    def _parallel(self, options: dict[str, Node], at: Instruction) -> tuple[Attribute, ...]:
        name = "llvm.loop.parallel_accesses"
        property_ = options.pop(name, None)
        if property_ is None:
            return ()
        found: list[Attribute] = []
        nodes = property_.operands[1:]
        if not nodes or any(not isinstance(n, Node) for n in nodes):
            raise _Malformed(f"expected metadata node {name} to hold one or multiple MDNodes")
        for node in nodes:
            groups = self.lookup_groups(node)  # pyright: ignore[reportArgumentType]
            if groups is None:
                self._warn("could not lookup access group", at)
            else:
                found += groups
        return tuple(found)


def _options(node: Node) -> dict[str, Node]:
    """name -> node of a loop's properties."""
    if not node.operands or node.operands[0] is not node:
        raise _Malformed("invalid loop node")
    found: dict[str, Node] = {}
    for operand in node.operands[1:]:
        if isinstance(operand, Node) and operand.kind == "DILocation":
            continue
        if not isinstance(operand, Node):
            raise _Malformed(
                "expected all loop properties to be either debug locations or metadata nodes"
            )
        if not operand.operands:
            raise _Malformed("cannot import empty loop property")
        name = operand.string(0)
        if name is None:
            raise _Malformed("cannot import loop property without a name")
        if name in found:
            raise _Malformed(f"cannot import loop properties with duplicated names {name}")
        found[name] = operand
    return found


def _truth(value: bool) -> IntegerAttr:
    return IntegerAttr(-int(value), i1)


def _flag(options: dict[str, Node], name: str) -> IntegerAttr | None:
    node = options.pop(name, None)
    if node is None:
        return None
    if len(node.operands) != 1:
        raise _Malformed(f"expected metadata node {name} to hold no value")
    return _truth(True)


def _integer(node: Node, width: int) -> int | None:
    """The number that a property of two operands holds, if it has that many bits."""
    constant = node.constant(1)
    if len(node.operands) != 2 or constant is None or constant.kind != "int":
        return None
    t = constant.type
    return constant.data if isinstance(t, IntegerType) and t.width.data == width else None


def _bool(options: dict[str, Node], name: str) -> bool | None:
    node = options.pop(name, None)
    if node is None:
        return None
    value = _integer(node, 1)
    if value is None:
        raise _Malformed(f"expected metadata node {name} to hold a boolean value")
    return value != 0


def _number(options: dict[str, Node], name: str) -> IntegerAttr | None:
    node = options.pop(name, None)
    if node is None:
        return None
    value = _integer(node, 32)
    if value is None:
        raise _Malformed(f"expected metadata node {name} to hold an i32 value")
    return IntegerAttr(value, i32)


def _number_as_flag(options: dict[str, Node], name: str) -> IntegerAttr | None:
    node = options.pop(name, None)
    if node is None:
        return None
    value = _integer(node, 32)
    if value is None:
        raise _Malformed(f"expected metadata node {name} to hold an integer value")
    return _truth(value != 0)


def _node(options: dict[str, Node], name: str) -> Node | None:
    node = options.pop(name, None)
    if node is None:
        return None
    found = node.operands[1] if len(node.operands) == 2 else None
    if not isinstance(found, Node):
        raise _Malformed(f"expected metadata node {name} to hold an MDNode")
    return found

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What metadata says about accesses of memory, branches and functions, as attributes."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    i32,
    i64,
)

from xgpu.core import ods
from xgpu.frontend.llvm_ir.aliasing import Aliasing
from xgpu.frontend.llvm_ir.debug_attributes import attribute
from xgpu.frontend.llvm_ir.loop_import import LoopImport
from xgpu.frontend.llvm_ir.messages import Messages
from xgpu.frontend.llvm_ir.model import (
    Function,
    Instruction,
    MetadataConstant,
    Node,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from xdsl.ir import Attribute, Operation

    from xgpu.core.ods.spec import OpSpec


@cache
def _inherent(name: str) -> frozenset[str]:
    spec = cast("OpSpec", ods.op_spec(name))
    return frozenset(a.name for a in spec.attrs)


class Attachments:
    """Adds what metadata says to operations."""

    def __init__(self, messages: Messages, aliasing: Aliasing, loops: LoopImport) -> None:
        self.messages = messages
        self.aliasing = aliasing
        self.loops = loops
        self._adders: dict[str, Callable[[Instruction, Node, Operation], bool]] = {
            "prof": self._profile,
            "tbaa": self._tbaa,
            "llvm.access.group": self._access_groups,
            "llvm.loop": self._loop,
            "alias.scope": self._alias_scopes,
            "noalias": self._no_alias_scopes,
            "dereferenceable": self._dereferenceable,
            "dereferenceable_or_null": self._dereferenceable_or_null,
            "mmra": self._relaxation,
        }

    def add(self, i: Instruction, op: Operation) -> None:
        """Adds what the metadata of an instruction says to its operation."""
        for kind, node in i.metadata.items():
            adder = self._adders.get(kind)
            if adder is not None and not adder(i, node, op):
                self.messages.detail(f"unhandled metadata: {self.messages.as_text(node)} on", i)

    def _set(self, op: Operation, name: str, value: Attribute | None) -> bool:
        """Sets a property that the operation may not have."""
        if value is None or name not in _inherent(op.name):
            return False
        op.properties[name] = value
        return True

    # --- one kind after the other ------------------------------------------------------------
    def _profile(self, i: Instruction, node: Node, op: Operation) -> bool:
        weights = branch_weights(node)
        if weights is None or "branch_weights" not in _inherent(op.name):
            return False
        return self._set(op, "branch_weights", DenseArrayBase.from_list(i32, weights))

    def _tbaa(self, i: Instruction, node: Node, op: Operation) -> bool:
        found = self.aliasing.tags.get(node)
        return self._set(op, "tbaa", None if found is None else ArrayAttr((found,)))

    def _access_groups(self, i: Instruction, node: Node, op: Operation) -> bool:
        found = self.loops.lookup_groups(node)
        return self._set(op, "access_groups", None if found is None else ArrayAttr(found))

    def _scopes(self, node: Node, op: Operation, name: str) -> bool:
        found = self.aliasing.lookup_scopes(node)
        return self._set(op, name, None if found is None else ArrayAttr(found))

    def _alias_scopes(self, i: Instruction, node: Node, op: Operation) -> bool:
        return self._scopes(node, op, "alias_scopes")

    def _no_alias_scopes(self, i: Instruction, node: Node, op: Operation) -> bool:
        return self._scopes(node, op, "noalias_scopes")

    def _loop(self, i: Instruction, node: Node, op: Operation) -> bool:
        return self._set(op, "loop_annotation", self.loops.annotation(node, i))

    def _dereferenceable(
        self, i: Instruction, node: Node, op: Operation, *, null: bool = False
    ) -> bool:
        size = node.integer(0)
        if len(node.operands) != 1 or size is None or size < 0:
            return False
        value = attribute("dereferenceable", bytes=size, mayBeNull=null)
        return self._set(op, "dereferenceable", value)

    def _dereferenceable_or_null(self, i: Instruction, node: Node, op: Operation) -> bool:
        return self._dereferenceable(i, node, op, null=True)

    def _relaxation(self, i: Instruction, node: Node, op: Operation) -> bool:
        """Memory model relaxation: a tag, or a list of tags."""
        tag = _relaxation_tag(node)
        if tag is None:
            tags = [_relaxation_tag(n) for n in node.operands if isinstance(n, Node)]
            known = [t for t in tags if t is not None]
            if len(known) != len(node.operands):
                return False
            tag = ArrayAttr(known)
        op.attributes["llvm.mmra"] = tag
        return True


def _relaxation_tag(node: Node) -> Attribute | None:
    """A tag is a pair of strings."""
    prefix, suffix = node.string(0), node.string(1)
    if len(node.operands) != 2 or prefix is None or suffix is None:
        return None
    return attribute("mmra_tag", prefix=prefix, suffix=suffix)


def branch_weights(node: Node) -> list[int] | None:
    """The numbers of `!{!"branch_weights", i32 1, ...}`."""
    if node.string(0) != "branch_weights" or len(node.operands) < 2:
        return None
    first = 1
    if (origin := node.string(1)) is not None:
        if origin != "expected":
            return None
        first = 2
    found = [node.integer(place) for place in range(first, len(node.operands))]
    return None if None in found else [_as_i32(n) for n in found if n is not None]


def _as_i32(value: int) -> int:
    value &= 0xFFFF_FFFF
    return value - (1 << 32) if value >> 31 else value


# --- functions -----------------------------------------------------------------------------------
def function_metadata(messages: Messages, function: Function, op: Operation) -> None:
    """Adds what the metadata of a function says to `llvm.func`."""
    for kind, node in function.metadata:
        adder = _FUNCTION_KINDS.get(kind)
        if adder is not None and not adder(node, op):
            message = f"unhandled function metadata: {messages.as_text(node)} on"
            messages.warn(f"{message} {messages.line(function)}", function)


def _entry_count(node: Node, op: Operation) -> bool:
    count = node.integer(1)
    if node.string(0) != "function_entry_count" or len(node.operands) != 2 or count is None:
        return False
    op.properties["function_entry_count"] = IntegerAttr(count, i64)
    return True


def _type_hint(node: Node, op: Operation) -> bool:
    if len(node.operands) != 2 or not isinstance(node.operands[0], MetadataConstant):
        return False
    signed = node.integer(1)
    if signed is None:
        return False
    hint = attribute("vec_type_hint", hint=node.operands[0].value.type, is_signed=signed != 0)
    op.properties["vec_type_hint"] = hint
    return True


def _sizes(name: str) -> Callable[[Node, Operation], bool]:
    def add(node: Node, op: Operation) -> bool:
        numbers = [node.integer(place) for place in range(len(node.operands))]
        if None in numbers:
            return False
        values = [_as_i32(n) for n in numbers if n is not None]
        op.properties[name] = DenseArrayBase.from_list(i32, values)
        return True

    return add


def _subgroup_size(node: Node, op: Operation) -> bool:
    size = node.integer(0)
    if len(node.operands) != 1 or size is None:
        return False
    op.properties["intel_reqd_sub_group_size"] = IntegerAttr(size, i32)
    return True


_FUNCTION_KINDS: dict[str, Callable[[Node, Operation], bool]] = {
    "prof": _entry_count,
    "vec_type_hint": _type_hint,
    "work_group_size_hint": _sizes("work_group_size_hint"),
    "reqd_work_group_size": _sizes("reqd_work_group_size"),
    "intel_reqd_sub_group_size": _subgroup_size,
}

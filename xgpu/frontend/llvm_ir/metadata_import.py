# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What metadata says about accesses of memory, branches and functions, as attributes.

The nodes about aliasing are translated before all functions, over the whole module, as MLIR's
importer does: that decides which scopes are known when a declaration of one is met.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    StringAttr,
    i32,
    i64,
)

from xgpu import ods
from xgpu.frontend.llvm_ir.body_import import BodyImport
from xgpu.frontend.llvm_ir.debug_attributes import attribute
from xgpu.frontend.llvm_ir.loop_import import LoopImport
from xgpu.frontend.llvm_ir.model import (
    Function,
    Instruction,
    MetadataConstant,
    Node,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from xdsl.ir import Operation

    from xgpu.frontend.llvm_ir.importer import ModuleImport


@cache
def _inherent(name: str) -> frozenset[str]:
    spec: Any = ods.op_spec(name)
    return frozenset(a.name for a in spec.attrs)


class Attachments:
    """Adds what metadata says to operations."""

    def __init__(self, module: ModuleImport, loops: LoopImport) -> None:
        self.module = module
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

    def add(self, b: BodyImport, i: Instruction, op: Operation) -> None:
        """Adds what the metadata of an instruction says to its operation."""
        for kind, node in i.metadata.items():
            adder = self._adders.get(kind)
            if adder is not None and not adder(i, node, op):
                self.module.detail(f"unhandled metadata: {self.module.spelled(node)} on", i)

    def _set(self, op: Operation, name: str, value: Any) -> bool:
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
        found = self.module.aliasing.tags.get(node)
        return self._set(op, "tbaa", None if found is None else ArrayAttr((found,)))

    def _access_groups(self, i: Instruction, node: Node, op: Operation) -> bool:
        found = self.loops.lookup_groups(node)
        return self._set(op, "access_groups", None if found is None else ArrayAttr(found))

    def _scopes(self, node: Node, op: Operation, name: str) -> bool:
        found = self.module.aliasing.lookup_scopes(node)
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
            tags: list[Any] = [_relaxation_tag(n) for n in node.operands if isinstance(n, Node)]
            if None in tags or len(tags) != len(node.operands):
                return False
            tag = ArrayAttr(tags)
        op.attributes["llvm.mmra"] = tag
        return True


def _relaxation_tag(node: Node) -> Any:
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
def function_metadata(module: ModuleImport, function: Function, op: Operation) -> None:
    """Adds what the metadata of a function says to `llvm.func`."""
    for kind, node in function.metadata:
        adder = _FUNCTION_KINDS.get(kind)
        if adder is not None and not adder(node, op):
            message = f"unhandled function metadata: {module.spelled(node)} on"
            module.warn(f"{message} {module.line(function)}", function)


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


# --- aliasing ------------------------------------------------------------------------------------
class Aliasing:
    """The TBAA tags, alias scopes and access groups of a module."""

    def __init__(self, module: ModuleImport, loops: LoopImport) -> None:
        self.module = module
        self.loops = loops
        #: node -> root, type descriptor or tag
        self.tags: dict[Node, Any] = {}
        self._scopes: dict[Node, Any] = {}

    def translate(self) -> None:
        """Translates what the instructions of all functions refer to."""
        for function in self.module.source.functions:
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

    def lookup_scopes(self, node: Node) -> list[Any] | None:
        """The scopes of a list, None if one of them is not known."""
        found: list[Any] = [self._scopes.get(n) for n in node.operands]  # pyright: ignore
        if any(s is None or s.name != "llvm.alias_scope" for s in found):
            return None
        return found

    # --- scopes ------------------------------------------------------------------------------
    def _alias_scopes(self, listed: Node) -> None:
        for scope in listed.operands:
            if isinstance(scope, Node):
                self._alias_scope(scope)

    def _alias_scope(self, scope: Node) -> None:
        module = self.module
        domain = scope.operands[1] if len(scope.operands) > 1 else None
        if not _is_identified(scope) or not isinstance(domain, Node) or not _is_described(scope, 2):
            raise module.error(f"unsupported alias scope node: {module.spelled(scope)}")
        if not _is_identified(domain) or not _is_described(domain, 1):
            raise module.error(f"unsupported alias domain node: {module.spelled(domain)}")
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

    def _identity(self, node: Node) -> Any:
        """A node that mentions itself is unique; another one goes by its name."""
        name = node.string(0)
        return self.module.distinct.new() if name is None else StringAttr(name)

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
                raise self.module.error(f"has cycle in TBAA graph: {self.module.spelled(current)}")
            seen.add(current)
            pending += missing

    def _tbaa_node(self, node: Node) -> Any:
        operands = node.operands
        if len(operands) == 0 or (len(operands) == 1 and not isinstance(operands[0], Node)):
            name = node.string(0)
            return attribute("tbaa_root", id=None if name is None else StringAttr(name))
        name = node.string(0)
        if name is not None:
            return self._tbaa_type(node, name)
        tag = self._tbaa_tag(node)
        if tag is None:
            raise self.module.error(f"unsupported TBAA node format: {self.module.spelled(node)}")
        return tag

    def _tbaa_type(self, node: Node, name: str) -> Any:
        """`!{!"struct", !member, i64 offset, ...}`"""
        operands = node.operands
        members: list[Any] = []
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
        return self.module.error(f"{message}: {self.module.spelled(node)}")

    def _tbaa_tag(self, node: Node) -> Any:
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

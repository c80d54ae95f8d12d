# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What metadata says about accesses of memory, loops, branches and functions, as attributes; and
what all parts of an import share.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
    StringAttr,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation

from xgpu.core import ods
from xgpu.core.ods.spec import OpSpec
from xgpu.dialects.llvm.attributes import LOOP_PARTS
from xgpu.frontend.llvm_ir.debug_import import DebugImport, Distinct, attribute
from xgpu.frontend.llvm_ir.model import Function, Instruction, MetadataConstant, Module, Node
from xgpu.frontend.llvm_ir.source import Messages, Options

# --- loop import ---------------------------------------------------------------------------------
# Loop metadata as `#llvm.loop_annotation`, and access groups.
#
# A part that cannot be said is left out with a warning, as MLIR's importer does; an option that is
# not known leaves the whole annotation out.


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


# --- aliasing ------------------------------------------------------------------------------------
# TBAA tags, alias scopes and access groups.
#
# They are translated before all functions, over the whole module, as MLIR's importer does: that
# decides which scopes are known when a declaration of one is met.


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


# --- metadata import -----------------------------------------------------------------------------
# What metadata says about accesses of memory, branches and functions, as attributes.


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


# --- context -------------------------------------------------------------------------------------
# What all parts of an import share.


_NAMELESS = "mlir.llvm.nameless_global"


class Context:
    """The module that is imported, and the translations of what is not code."""

    def __init__(self, source: Module, messages: Messages, options: Options) -> None:
        self.source = source
        self.messages = messages
        self.options = options
        distinct = Distinct()
        self.debug = DebugImport(distinct, drop_elements=options.drop_di_composite_type_elements)
        loops = LoopImport(messages, self.debug, distinct)
        self.aliasing = Aliasing(messages, loops, distinct)
        self.attachments = Attachments(messages, self.aliasing, loops)
        self._nameless: dict[str, str] = {}

    def symbol(self, key: str) -> str:
        """The symbol of a global object; one without a name gets one."""
        name = self.source.symbols[key].name
        if name:
            return name
        found = self._nameless.get(key)
        if found is None:
            taken = {s.name for s in self.source.symbols.values()}
            number = len(self._nameless)
            while f"{_NAMELESS}_{number}" in taken:
                number += 1
            found = self._nameless[key] = f"{_NAMELESS}_{number}"
        return found

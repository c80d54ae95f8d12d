# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Debug information: LLVM's nodes as `#llvm.di_*` attributes and as locations."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import (
    UNKNOWN_LOC,
    FileLineColLoc,
    IntAttr,
    IntegerAttr,
    LocationAttr,
    StringAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute

from xgpu.core import ods
from xgpu.core.ir.locations import call_site_loc
from xgpu.core.ir.uniquing import fused_loc
from xgpu.core.syntax.builtin_attributes import DistinctAttr
from xgpu.frontend.llvm_ir.model import Function, MetadataConstant, Node

if TYPE_CHECKING:
    from xgpu.core.ods.spec import EnumSpec
    from xgpu.dialects import llvm


# --- debug attributes ----------------------------------------------------------------------------
# Fields of LLVM's nodes as parameters of attributes.


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


# --- debug translator ----------------------------------------------------------------------------
# What the translations of single nodes of debug information need of the whole.


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


# --- debug expressions ---------------------------------------------------------------------------
# DWARF expressions: `!DIExpression(...)` as `#llvm.di_expression`.


#: Operations with arguments, and how many.
_ARGUMENTS = {
    "DW_OP_LLVM_convert": 2,
    "DW_OP_LLVM_fragment": 2,
    "DW_OP_LLVM_extract_bits_sext": 2,
    "DW_OP_LLVM_extract_bits_zext": 2,
    "DW_OP_bregx": 2,
    "DW_OP_constu": 1,
    "DW_OP_consts": 1,
    "DW_OP_deref_size": 1,
    "DW_OP_plus_uconst": 1,
    "DW_OP_LLVM_tag_offset": 1,
    "DW_OP_LLVM_entry_value": 1,
    "DW_OP_LLVM_arg": 1,
    "DW_OP_regx": 1,
}
_BASED_REGISTER = re.compile(r"DW_OP_breg\d+")


def expression(node: object) -> Attribute | None:
    """The attribute of an expression's node, None for anything else."""
    if not isinstance(node, Node) or node.kind != "DIExpression":
        return None
    element = ods.attr_class("llvm.di_expression_elem")
    operations: list[Attribute] = []
    words = node.fields["elements"]
    at = 0
    while at < len(words):
        opcode = words[at]
        count = _ARGUMENTS.get(opcode, 1 if _BASED_REGISTER.fullmatch(opcode) else 0)
        operations.append(element(opcode, tuple(words[at + 1 : at + 1 + count])))
        at += 1 + count
    cls = ods.attr_class("llvm.di_expression")
    return cls(tuple(operations))


# --- debug types ---------------------------------------------------------------------------------
# Types in debug information, in `TYPES` by the kind of their node.


def _basictype(d: Translator, node: Node) -> Attribute | None:
    return attribute(
        "di_basic_type",
        tag=word(node, "tag", "DW_TAG_base_type"),
        name=StringAttr(node.fields.get("name") or ""),
        sizeInBits=number(node, "size"),
        encoding=word(node, "encoding", "") or 0,
    )


def _stringtype(d: Translator, node: Node) -> Attribute | None:
    return attribute(
        "di_string_type",
        tag=word(node, "tag", "DW_TAG_string_type"),
        name=StringAttr(node.fields.get("name") or ""),
        sizeInBits=number(node, "size"),
        alignInBits=number(node, "align"),
        stringLength=d.field(node, "stringLength"),
        stringLengthExp=expression(node.fields.get("stringLengthExpression")),
        stringLocationExp=expression(node.fields.get("stringLocationExpression")),
        encoding=word(node, "encoding", "") or 0,
    )


def _derivedtype(d: Translator, node: Node) -> Attribute | None:
    base = d.field(node, "baseType")
    if node.fields.get("baseType") is not None and base is None:
        return None
    return attribute(
        "di_derived_type",
        tag=word(node, "tag", "DW_TAG_null"),
        name=string(node, "name"),
        baseType=base,
        sizeInBits=number(node, "size"),
        alignInBits=number(node, "align"),
        offsetInBits=number(node, "offset"),
        dwarfAddressSpace=node.fields.get("dwarfAddressSpace"),
        extraData=d.field(node, "extraData"),
    )


def _compositetype(d: Translator, node: Node) -> Attribute | None:
    tag = word(node, "tag", "DW_TAG_null")
    set_flags = flags(node, "flags", "di_composite_type", "flags")
    elements: list[Attribute | None] = []
    # A vector always needs its elements.
    if not d.drop_elements or "Vector" in (set_flags or "").split(", "):
        elements = d.listed(node, "elements")
    if None in elements:
        elements = []
    base = d.field(node, "baseType")
    # Without the type of its elements an array is malformed.
    if tag == "DW_TAG_array_type" and base is None:
        return None
    fields = node.fields
    return attribute(
        "di_composite_type",
        tag=tag,
        name=string(node, "name"),
        file=d.field(node, "file"),
        line=number(node, "line"),
        scope=d.field(node, "scope"),
        baseType=base,
        flags=set_flags,
        sizeInBits=number(node, "size"),
        alignInBits=number(node, "align"),
        dataLocation=expression(fields.get("dataLocation")),
        rank=expression(fields.get("rank")),
        allocated=expression(fields.get("allocated")),
        associated=expression(fields.get("associated")),
        elements=tuple(elements),
    )


def _subroutinetype(d: Translator, node: Node) -> Attribute | None:
    types: list[Attribute | None] = []
    listed = node.fields.get("types")
    for entry in listed.operands if isinstance(listed, Node) else ():
        # No type is the result of a function that returns nothing, or variadic arguments.
        types.append(attribute("di_null_type") if entry is None else d.translate(entry))
    if None in types:
        return None
    return attribute(
        "di_subroutine_type",
        callingConvention=word(node, "cc", "") or 0,
        types=tuple(types),
    )


def _subrange(d: Translator, node: Node) -> Attribute | None:
    count, upper = _bound(d, node, "count"), _bound(d, node, "upperBound")
    if count is None and upper is None:
        return None
    return attribute(
        "di_subrange",
        count=count,
        lowerBound=_bound(d, node, "lowerBound"),
        upperBound=upper,
        stride=_bound(d, node, "stride"),
    )


def _genericsubrange(d: Translator, node: Node) -> Attribute | None:
    count, upper = _bound(d, node, "count"), _bound(d, node, "upperBound")
    lower, stride = _bound(d, node, "lowerBound"), _bound(d, node, "stride")
    if (count is None and upper is None) or lower is None or stride is None:
        return None
    return attribute(
        "di_generic_subrange", count=count, lowerBound=lower, upperBound=upper, stride=stride
    )


def _bound(d: Translator, node: Node, field: str) -> Attribute | None:
    """A bound of a range: a number, an expression or a variable."""
    value = node.fields.get(field)
    if isinstance(value, int):
        return IntegerAttr(value, i64)
    if isinstance(value, MetadataConstant):
        return IntegerAttr(value.value.data, i64)  # pyright: ignore[reportAttributeAccessIssue]
    if isinstance(value, Node) and value.kind == "DIExpression":
        return expression(value)
    return d.translate(value)


TYPES: dict[str, Callable[[Translator, Node], Attribute | None]] = {
    "DIBasicType": _basictype,
    "DICompositeType": _compositetype,
    "DIDerivedType": _derivedtype,
    "DIGenericSubrange": _genericsubrange,
    "DIStringType": _stringtype,
    "DISubrange": _subrange,
    "DISubroutineType": _subroutinetype,
}


# --- debug scopes --------------------------------------------------------------------------------
# Scopes, variables and labels in debug information, in `SCOPES` by the kind of their node.


_EMISSION = {
    "NoDebug": "None",
    "FullDebug": "Full",
    "LineTablesOnly": "LineTablesOnly",
    "DebugDirectivesOnly": "DebugDirectivesOnly",
}


def _lacks_scope(node: Node, scope: Attribute | None) -> bool:
    """Whether a node names a scope that is no attribute."""
    return node.fields.get("scope") is not None and scope is None


def _file(d: Translator, node: Node) -> Attribute | None:
    fields = node.fields
    return attribute(
        "di_file",
        name=StringAttr(fields.get("filename") or ""),
        directory=StringAttr(fields.get("directory") or ""),
    )


def _compileunit(d: Translator, node: Node) -> Attribute | None:
    tables = word(node, "nameTableKind", "Default")
    return attribute(
        "di_compile_unit",
        id=d.identity(node),
        sourceLanguage=word(node, "language", "DW_LANG_C"),
        file=d.field(node, "file"),
        producer=string(node, "producer"),
        isOptimized=bool(node.fields.get("isOptimized")),
        emissionKind=_EMISSION[word(node, "emissionKind", "NoDebug")],
        nameTableKind=None if tables == "Default" else tables,
        splitDebugFilename=string(node, "splitDebugFilename"),
    )


def _subprogram(d: Translator, node: Node) -> Attribute | None:
    identity = d.identity(node) if node.distinct else None
    scope = d.field(node, "scope")
    if _lacks_scope(node, scope):
        return None
    kind = d.field(node, "type")
    if node.fields.get("type") is not None and kind is None:
        return None
    retained = d.listed(node, "retainedNodes")
    return attribute(
        "di_subprogram",
        id=identity,
        compileUnit=d.field(node, "unit"),
        scope=scope,
        name=string(node, "name"),
        linkageName=string(node, "linkageName"),
        file=d.field(node, "file"),
        line=number(node, "line"),
        scopeLine=number(node, "scopeLine"),
        subprogramFlags=flags(node, "spFlags", "di_subprogram", "subprogramFlags"),
        type=kind,
        retainedNodes=() if None in retained else tuple(retained),
        annotations=pairs(node.fields.get("annotations")),
    )


def _lexicalblock(d: Translator, node: Node) -> Attribute | None:
    scope = d.field(node, "scope")
    if _lacks_scope(node, scope):
        return None
    return attribute(
        "di_lexical_block",
        scope=scope,
        file=d.field(node, "file"),
        line=number(node, "line"),
        column=number(node, "column"),
    )


def _lexicalblockfile(d: Translator, node: Node) -> Attribute | None:
    scope = d.field(node, "scope")
    if _lacks_scope(node, scope):
        return None
    return attribute(
        "di_lexical_block_file",
        scope=scope,
        file=d.field(node, "file"),
        discriminator=node.fields.get("discriminator", 0),
    )


def _module(d: Translator, node: Node) -> Attribute | None:
    return attribute(
        "di_module",
        file=d.field(node, "file"),
        scope=d.field(node, "scope"),
        name=string(node, "name"),
        configMacros=string(node, "configMacros"),
        includePath=string(node, "includePath"),
        apinotes=string(node, "apinotes"),
        line=number(node, "line"),
        isDecl=node.fields.get("isDecl") or None,
    )


def _namespace(d: Translator, node: Node) -> Attribute | None:
    return attribute(
        "di_namespace",
        name=string(node, "name"),
        scope=d.field(node, "scope"),
        exportSymbols=bool(node.fields.get("exportSymbols")),
    )


def _commonblock(d: Translator, node: Node) -> Attribute | None:
    return attribute(
        "di_common_block",
        scope=d.field(node, "scope"),
        decl=d.field(node, "declaration"),
        name=string(node, "name"),
        file=d.field(node, "file"),
        line=number(node, "line"),
    )


def _importedentity(d: Translator, node: Node) -> Attribute | None:
    elements = d.listed(node, "elements")
    return attribute(
        "di_imported_entity",
        tag=word(node, "tag", "DW_TAG_null"),
        scope=d.field(node, "scope"),
        entity=d.field(node, "entity"),
        file=d.field(node, "file"),
        line=number(node, "line"),
        name=string(node, "name"),
        elements=tuple(e for e in elements if e is not None),
    )


def _localvariable(d: Translator, node: Node) -> Attribute | None:
    scope = d.field(node, "scope")
    if _lacks_scope(node, scope):
        return None
    return attribute(
        "di_local_variable",
        scope=scope,
        name=string(node, "name"),
        file=d.field(node, "file"),
        line=number(node, "line"),
        arg=number(node, "arg"),
        alignInBits=number(node, "align"),
        type=d.field(node, "type"),
        flags=flags(node, "flags", "di_composite_type", "flags"),
    )


def _globalvariable(d: Translator, node: Node) -> Attribute | None:
    return attribute(
        "di_global_variable",
        scope=d.field(node, "scope"),
        name=string(node, "name"),
        linkageName=string(node, "linkageName"),
        file=d.field(node, "file"),
        line=node.fields.get("line", 0),
        type=d.field(node, "type"),
        isLocalToUnit=node.fields.get("isLocal") or None,
        isDefined=node.fields.get("isDefinition") or None,
        alignInBits=number(node, "align"),
    )


def _label(d: Translator, node: Node) -> Attribute | None:
    scope = d.field(node, "scope")
    if _lacks_scope(node, scope):
        return None
    return attribute(
        "di_label",
        scope=scope,
        name=string(node, "name"),
        file=d.field(node, "file"),
        line=number(node, "line"),
    )


SCOPES: dict[str, Callable[[Translator, Node], Attribute | None]] = {
    "DICommonBlock": _commonblock,
    "DICompileUnit": _compileunit,
    "DIFile": _file,
    "DIGlobalVariable": _globalvariable,
    "DIImportedEntity": _importedentity,
    "DILabel": _label,
    "DILexicalBlock": _lexicalblock,
    "DILexicalBlockFile": _lexicalblockfile,
    "DILocalVariable": _localvariable,
    "DIModule": _module,
    "DINamespace": _namespace,
    "DISubprogram": _subprogram,
}


# --- debug cycles --------------------------------------------------------------------------------
# Cycles of LLVM's debug information, which attributes cannot have.
#
# A composite type or a subprogram that is met again while it is being translated becomes a mention
# of itself (`isRecSelf`), and the outer one gets an identity (`recId`) that the mention shares.
# What was translated inside of such a cycle holds only there; so it is kept apart with the
# mentions that it needs.


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


# --- debug import --------------------------------------------------------------------------------
# Debug information: LLVM's nodes as `#llvm.di_*` attributes and as locations.
#
# LLVM's nodes form a graph with cycles, attributes are trees: the part on cycles, above, cuts
# them. A node that refers to something malformed is left out together with what must not stand
# without it.


class DebugImport(Translator):
    """Translates the debug information of one module."""

    def __init__(self, distinct: Distinct, *, drop_elements: bool = False) -> None:
        super().__init__(distinct, drop_elements=drop_elements)
        self._known: dict[Node, Attribute] = {}
        self._locations: dict[Node, LocationAttr] = {}
        self._pruner = Pruner(distinct)

    # --- locations ---------------------------------------------------------------------------
    def function_location(self, function: Function) -> LocationAttr:
        """Where a function stands, with its subprogram."""
        node = dict(function.metadata).get("dbg")
        if node is None:
            return UNKNOWN_LOC
        place = _file_location(_filename(node), node.fields.get("line", 0), 0)
        return fused_loc([place], self.translate(node))

    def location(self, node: object) -> LocationAttr:
        """The location that a `!DILocation` is."""
        if not isinstance(node, Node) or node.kind != "DILocation":
            return UNKNOWN_LOC
        found = self._locations.get(node)
        if found is not None:
            return found
        fields = node.fields
        scope = fields.get("scope")
        place = _file_location(_filename(scope), fields.get("line", 0), fields.get("column", 0))
        found = fused_loc([place], self.translate(scope))
        if (caller := fields.get("inlinedAt")) is not None:
            found = call_site_loc(found, self.location(caller))
        self._locations[node] = found
        return found

    # --- nodes -------------------------------------------------------------------------------
    def translate(self, node: object) -> Attribute | None:
        """The attribute of a node, None for one that is not there or has none."""
        if not isinstance(node, Node):
            return None
        known = self._known.get(node)
        if known is not None:
            return known
        if (found := self._pruner.enter(node)) is not None:
            return found
        try:
            make = SCOPES.get(node.kind) or TYPES.get(node.kind)
            made = make(self, node) if make is not None else None
            if made is None:
                return None
            made, is_whole = self._pruner.finish(node, made)
            if is_whole:
                self._known[node] = made
            return made
        finally:
            self._pruner.leave(node)


def _filename(node: object) -> str:
    """The name of the file that a scope stands in."""
    while isinstance(node, Node):
        file = node if node.kind == "DIFile" else node.fields.get("file")
        if isinstance(file, Node):
            return file.fields.get("filename") or ""
        node = None
    return ""


def _file_location(file: str, line: int, column: int) -> FileLineColLoc:
    return FileLineColLoc(StringAttr(file), IntAttr(line), IntAttr(column))

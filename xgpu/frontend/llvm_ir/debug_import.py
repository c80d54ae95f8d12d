# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Debug information: LLVM's nodes as `#llvm.di_*` attributes and as locations.

LLVM's nodes form a graph with cycles, attributes are trees. A composite type or a subprogram that is
met again while it is being translated becomes a mention of itself (`isRecSelf`), and the outer one
gets an identity (`recId`) that the mention shares. What was translated inside of such a cycle holds
only there; so it is kept apart with the mentions that it needs (`_Pruner`).

A node that refers to something malformed is left out together with what must not stand without it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import (
    UNKNOWN_LOC,
    FileLineColLoc,
    IntAttr,
    IntegerAttr,
    StringAttr,
    UnitAttr,
    i64,
)

from xgpu import ods
from xgpu.frontend.llvm_ir.debug_expressions import expression
from xgpu.frontend.llvm_ir.model import Function, Metadata, MetadataConstant, Node
from xgpu.ir.locations import call_site_loc, fused_loc, name_loc
from xgpu.syntax.builtin_attributes import DistinctAttr

if TYPE_CHECKING:
    from xdsl.ir import Attribute

_RECURSIVE = ("DICompositeType", "DISubprogram")
_EMISSION = {
    "NoDebug": "None",
    "FullDebug": "Full",
    "LineTablesOnly": "LineTablesOnly",
    "DebugDirectivesOnly": "DebugDirectivesOnly",
}
_NODE_KINDS = frozenset(
    [
        "DIBasicType",
        "DICommonBlock",
        "DICompileUnit",
        "DICompositeType",
        "DIDerivedType",
        "DIFile",
        "DIGenericSubrange",
        "DIGlobalVariable",
        "DIImportedEntity",
        "DILabel",
        "DILexicalBlock",
        "DILexicalBlockFile",
        "DILocalVariable",
        "DIModule",
        "DINamespace",
        "DIStringType",
        "DISubprogram",
        "DISubrange",
        "DISubroutineType",
    ]
)


class Distinct:
    """Makes identities, each different from all others."""

    __slots__ = ("_count",)

    def __init__(self) -> None:
        self._count = 0

    def new(self) -> DistinctAttr:
        self._count += 1
        return DistinctAttr((self._count - 1, UnitAttr()))


def attribute(name: str, **parameters: Any) -> Any:
    """`#llvm.<name>` with these parameters; what is left out is absent."""
    cls: Any = ods.attr_class(f"llvm.{name}")
    return cls(*[parameters.get(p.name) for p in cls.spec.parameters])


def _string(node: Node, field: str) -> StringAttr | None:
    text = node.fields.get(field)
    return StringAttr(text) if text else None


def _number(node: Node, field: str) -> int | None:
    """A number that need not be there: 0 stands for that."""
    return node.fields.get(field) or None


def _word(node: Node, field: str, default: str) -> str:
    words = node.fields.get(field)
    return words[0] if isinstance(words, list) and words else default


class DebugImport:
    """Translates the debug information of one module."""

    def __init__(self, distinct: Distinct, *, drop_elements: bool = False) -> None:
        self._distinct = distinct
        self._drop_elements = drop_elements
        self._known: dict[Node, Any] = {}
        self._identities: dict[Node, DistinctAttr] = {}
        self._locations: dict[Node, Any] = {}
        self._pruner = _Pruner(distinct)
        self._makers: dict[str, Callable[[Node], Any]] = {
            kind: getattr(self, f"_{kind[2:].lower()}") for kind in _NODE_KINDS
        }

    # --- locations ---------------------------------------------------------------------------
    def function_location(self, function: Function) -> Any:
        """Where a function stands, with its subprogram."""
        node = dict(function.metadata).get("dbg")
        if node is None:
            return UNKNOWN_LOC
        name = node.fields.get("name") or ""
        place = _file_location(_filename(node), node.fields.get("line", 0), 0)
        return fused_loc([name_loc(name, UNKNOWN_LOC), place], self.translate(node))

    def location(self, node: Metadata | None) -> Any:
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
    def translate(self, node: Any) -> Any:
        """The attribute of a node, None for one that is not there or has none."""
        if not isinstance(node, Node):
            return None
        known = self._known.get(node)
        if known is not None:
            return known
        if (found := self._pruner.enter(node)) is not None:
            return found
        try:
            make = self._makers.get(node.kind)
            made = make(node) if make is not None else None
            if made is None:
                return None
            made, is_whole = self._pruner.finish(node, made)
            if is_whole:
                self._known[node] = made
            return made
        finally:
            self._pruner.leave(node)

    def _field(self, node: Node, name: str) -> Any:
        return self.translate(node.fields.get(name))

    def _list(self, node: Node, name: str) -> list[Any]:
        """The attributes of a list of nodes."""
        listed = node.fields.get(name)
        return [self.translate(n) for n in listed.operands] if isinstance(listed, Node) else []

    def identity(self, node: Node) -> DistinctAttr:
        """What tells a distinct node from others of the same content."""
        found = self._identities.get(node)
        if found is None:
            found = self._identities[node] = self._distinct.new()
        return found

    def _lacks_scope(self, node: Node, scope: Any) -> bool:
        return node.fields.get("scope") is not None and scope is None

    # --- scopes ------------------------------------------------------------------------------
    def _file(self, node: Node) -> Any:
        fields = node.fields
        return attribute(
            "di_file",
            name=StringAttr(fields.get("filename") or ""),
            directory=StringAttr(fields.get("directory") or ""),
        )

    def _compileunit(self, node: Node) -> Any:
        tables = _word(node, "nameTableKind", "Default")
        return attribute(
            "di_compile_unit",
            id=self.identity(node),
            sourceLanguage=_word(node, "language", "DW_LANG_C"),
            file=self._field(node, "file"),
            producer=_string(node, "producer"),
            isOptimized=bool(node.fields.get("isOptimized")),
            emissionKind=_EMISSION[_word(node, "emissionKind", "NoDebug")],
            nameTableKind=None if tables == "Default" else tables,
            splitDebugFilename=_string(node, "splitDebugFilename"),
        )

    def _subprogram(self, node: Node) -> Any:
        identity = self.identity(node) if node.distinct else None
        scope = self._field(node, "scope")
        if self._lacks_scope(node, scope):
            return None
        kind = self._field(node, "type")
        if node.fields.get("type") is not None and kind is None:
            return None
        retained = self._list(node, "retainedNodes")
        return attribute(
            "di_subprogram",
            id=identity,
            compileUnit=self._field(node, "unit"),
            scope=scope,
            name=_string(node, "name"),
            linkageName=_string(node, "linkageName"),
            file=self._field(node, "file"),
            line=_number(node, "line"),
            scopeLine=_number(node, "scopeLine"),
            subprogramFlags=_flags(node, "spFlags", "di_subprogram", "subprogramFlags"),
            type=kind,
            retainedNodes=() if None in retained else tuple(retained),
            annotations=_annotations(node.fields.get("annotations")),
        )

    def _lexicalblock(self, node: Node) -> Any:
        scope = self._field(node, "scope")
        if self._lacks_scope(node, scope):
            return None
        return attribute(
            "di_lexical_block",
            scope=scope,
            file=self._field(node, "file"),
            line=_number(node, "line"),
            column=_number(node, "column"),
        )

    def _lexicalblockfile(self, node: Node) -> Any:
        scope = self._field(node, "scope")
        if self._lacks_scope(node, scope):
            return None
        return attribute(
            "di_lexical_block_file",
            scope=scope,
            file=self._field(node, "file"),
            discriminator=node.fields.get("discriminator", 0),
        )

    def _module(self, node: Node) -> Any:
        return attribute(
            "di_module",
            file=self._field(node, "file"),
            scope=self._field(node, "scope"),
            name=_string(node, "name"),
            configMacros=_string(node, "configMacros"),
            includePath=_string(node, "includePath"),
            apinotes=_string(node, "apinotes"),
            line=_number(node, "line"),
            isDecl=node.fields.get("isDecl") or None,
        )

    def _namespace(self, node: Node) -> Any:
        return attribute(
            "di_namespace",
            name=_string(node, "name"),
            scope=self._field(node, "scope"),
            exportSymbols=bool(node.fields.get("exportSymbols")),
        )

    def _commonblock(self, node: Node) -> Any:
        return attribute(
            "di_common_block",
            scope=self._field(node, "scope"),
            decl=self._field(node, "declaration"),
            name=_string(node, "name"),
            file=self._field(node, "file"),
            line=_number(node, "line"),
        )

    def _importedentity(self, node: Node) -> Any:
        elements = self._list(node, "elements")
        return attribute(
            "di_imported_entity",
            tag=_word(node, "tag", "DW_TAG_null"),
            scope=self._field(node, "scope"),
            entity=self._field(node, "entity"),
            file=self._field(node, "file"),
            line=_number(node, "line"),
            name=_string(node, "name"),
            elements=tuple(e for e in elements if e is not None),
        )

    # --- variables and labels ----------------------------------------------------------------
    def _localvariable(self, node: Node) -> Any:
        scope = self._field(node, "scope")
        if self._lacks_scope(node, scope):
            return None
        return attribute(
            "di_local_variable",
            scope=scope,
            name=_string(node, "name"),
            file=self._field(node, "file"),
            line=_number(node, "line"),
            arg=_number(node, "arg"),
            alignInBits=_number(node, "align"),
            type=self._field(node, "type"),
            flags=_flags(node, "flags", "di_composite_type", "flags"),
        )

    def _globalvariable(self, node: Node) -> Any:
        return attribute(
            "di_global_variable",
            scope=self._field(node, "scope"),
            name=_string(node, "name"),
            linkageName=_string(node, "linkageName"),
            file=self._field(node, "file"),
            line=node.fields.get("line", 0),
            type=self._field(node, "type"),
            isLocalToUnit=node.fields.get("isLocal") or None,
            isDefined=node.fields.get("isDefinition") or None,
            alignInBits=_number(node, "align"),
        )

    def _label(self, node: Node) -> Any:
        scope = self._field(node, "scope")
        if self._lacks_scope(node, scope):
            return None
        return attribute(
            "di_label",
            scope=scope,
            name=_string(node, "name"),
            file=self._field(node, "file"),
            line=_number(node, "line"),
        )

    # --- types -------------------------------------------------------------------------------
    def _basictype(self, node: Node) -> Any:
        return attribute(
            "di_basic_type",
            tag=_word(node, "tag", "DW_TAG_base_type"),
            name=StringAttr(node.fields.get("name") or ""),
            sizeInBits=_number(node, "size"),
            encoding=_word(node, "encoding", "") or 0,
        )

    def _stringtype(self, node: Node) -> Any:
        return attribute(
            "di_string_type",
            tag=_word(node, "tag", "DW_TAG_string_type"),
            name=StringAttr(node.fields.get("name") or ""),
            sizeInBits=_number(node, "size"),
            alignInBits=_number(node, "align"),
            stringLength=self._field(node, "stringLength"),
            stringLengthExp=expression(node.fields.get("stringLengthExpression")),
            stringLocationExp=expression(node.fields.get("stringLocationExpression")),
            encoding=_word(node, "encoding", "") or 0,
        )

    def _derivedtype(self, node: Node) -> Any:
        base = self._field(node, "baseType")
        if node.fields.get("baseType") is not None and base is None:
            return None
        return attribute(
            "di_derived_type",
            tag=_word(node, "tag", "DW_TAG_null"),
            name=_string(node, "name"),
            baseType=base,
            sizeInBits=_number(node, "size"),
            alignInBits=_number(node, "align"),
            offsetInBits=_number(node, "offset"),
            dwarfAddressSpace=node.fields.get("dwarfAddressSpace"),
            extraData=self._field(node, "extraData"),
        )

    def _compositetype(self, node: Node) -> Any:
        tag = _word(node, "tag", "DW_TAG_null")
        flags = _flags(node, "flags", "di_composite_type", "flags")
        elements: list[Any] = []
        # A vector always needs its elements.
        if not self._drop_elements or "Vector" in (flags or "").split(", "):
            elements = self._list(node, "elements")
        if None in elements:
            elements = []
        base = self._field(node, "baseType")
        # Without the type of its elements an array is malformed.
        if tag == "DW_TAG_array_type" and base is None:
            return None
        fields = node.fields
        return attribute(
            "di_composite_type",
            tag=tag,
            name=_string(node, "name"),
            file=self._field(node, "file"),
            line=_number(node, "line"),
            scope=self._field(node, "scope"),
            baseType=base,
            flags=flags,
            sizeInBits=_number(node, "size"),
            alignInBits=_number(node, "align"),
            dataLocation=expression(fields.get("dataLocation")),
            rank=expression(fields.get("rank")),
            allocated=expression(fields.get("allocated")),
            associated=expression(fields.get("associated")),
            elements=tuple(elements),
        )

    def _subroutinetype(self, node: Node) -> Any:
        types: list[Any] = []
        listed = node.fields.get("types")
        for entry in listed.operands if isinstance(listed, Node) else ():
            # No type is the result of a function that returns nothing, or variadic arguments.
            types.append(attribute("di_null_type") if entry is None else self.translate(entry))
        if None in types:
            return None
        return attribute(
            "di_subroutine_type",
            callingConvention=_word(node, "cc", "") or 0,
            types=tuple(types),
        )

    def _subrange(self, node: Node) -> Any:
        count, upper = self._bound(node, "count"), self._bound(node, "upperBound")
        if count is None and upper is None:
            return None
        return attribute(
            "di_subrange",
            count=count,
            lowerBound=self._bound(node, "lowerBound"),
            upperBound=upper,
            stride=self._bound(node, "stride"),
        )

    def _genericsubrange(self, node: Node) -> Any:
        count, upper = self._bound(node, "count"), self._bound(node, "upperBound")
        lower, stride = self._bound(node, "lowerBound"), self._bound(node, "stride")
        if (count is None and upper is None) or lower is None or stride is None:
            return None
        return attribute(
            "di_generic_subrange", count=count, lowerBound=lower, upperBound=upper, stride=stride
        )

    def _bound(self, node: Node, field: str) -> Attribute | None:
        """A bound of a range: a number, an expression or a variable."""
        value = node.fields.get(field)
        if isinstance(value, int):
            return IntegerAttr(value, i64)
        if isinstance(value, MetadataConstant):
            return IntegerAttr(value.value.data, i64)  # pyright: ignore[reportAttributeAccessIssue]
        if isinstance(value, Node) and value.kind == "DIExpression":
            return expression(value)
        return self.translate(value)


class _Pruner:
    """Cuts cycles of the graph of nodes."""

    __slots__ = ("_dependent", "_distinct", "_identities", "_stack")

    def __init__(self, distinct: Distinct) -> None:
        self._distinct = distinct
        #: what is being translated and can be recursive -> [its mention, mentions inside]
        self._stack: dict[Node, list[Any]] = {}
        self._identities: dict[Node, DistinctAttr] = {}
        #: node -> (attribute, the mentions that it needs around it)
        self._dependent: dict[Node, tuple[Any, frozenset[Any]]] = {}

    def enter(self, node: Node) -> Any:
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

    def _mention(self, node: Node) -> Any:
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

    def finish(self, node: Node, made: Any) -> tuple[Any, bool]:
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
_EMPTY: dict[str, dict[str, Any]] = {
    "di_composite_type": {"elements": ()},
    "di_subprogram": {"retainedNodes": (), "annotations": ()},
}


def _annotations(listed: Any) -> tuple[Any, ...]:
    """Pairs of strings; LLVM has no others in practice."""
    found: list[Any] = []
    for pair in listed.operands if isinstance(listed, Node) else ():
        if isinstance(pair, Node) and len(pair.operands) == 2:
            name, value = pair.string(0), pair.string(1)
            if name is not None and value is not None:
                found.append(
                    attribute("di_annotation", name=StringAttr(name), value=StringAttr(value))
                )
    return tuple(found)


def _flags(node: Node, field: str, owner: str, parameter: str) -> str | None:
    """LLVM's flags as MLIR's keywords in MLIR's order; None for no flags."""
    words = node.fields.get(field)
    if not isinstance(words, list):
        return None
    from xgpu.ods.attributes import keywords_of

    cls: Any = ods.attr_class(f"llvm.{owner}")
    cases: Any = next(p.enum for p in cls.spec.parameters if p.name == parameter)
    value = 0
    for word in words:
        # DIFlagPublic, DISPFlagDefinition
        value |= cases.cases.get(word.partition("Flag")[2], 0)
    return keywords_of(cases, value) if value else None


def _filename(node: Any) -> str:
    """The name of the file that a scope stands in."""
    while isinstance(node, Node):
        file = node if node.kind == "DIFile" else node.fields.get("file")
        if isinstance(file, Node):
            return file.fields.get("filename") or ""
        node = None
    return ""


def _file_location(file: str, line: int, column: int) -> Any:
    return FileLineColLoc(StringAttr(file), IntAttr(line), IntAttr(column))

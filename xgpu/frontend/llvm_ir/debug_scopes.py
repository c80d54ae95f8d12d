# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scopes, variables and labels in debug information, in `SCOPES` by the kind of their node."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import StringAttr

from xgpu.frontend.llvm_ir.debug_attributes import (
    attribute,
    flags,
    number,
    pairs,
    string,
    word,
)
from xgpu.frontend.llvm_ir.model import Node

if TYPE_CHECKING:
    from xdsl.ir import Attribute

    from xgpu.frontend.llvm_ir.debug_translator import Translator

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

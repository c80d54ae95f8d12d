# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Debug information: `#llvm.di_*` attributes and MLIR locations as LLVM's metadata.

A function has debug information if its location carries a `#llvm.di_subprogram`; only then do
the locations of its operations become `!DILocation`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xgpu.backend.llvm_ir.facts import number, text_of
from xgpu.backend.llvm_ir.types import quoted

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xgpu.backend.llvm_ir.module import ModuleWriter

#: Attribute -> (LLVM's node, its fields). A field is (name, parameter, kind): "node", "string",
#: "int", "zero" (an int that is left out if 0), "word" (a keyword), "bool", "flags", "list", "raw".
_NODES: dict[str, tuple[str, tuple[tuple[str, str, str], ...]]] = {
    "llvm.di_basic_type": (
        "DIBasicType",
        (
            ("tag", "tag", "word"),
            ("name", "name", "string"),
            ("size", "size_in_bits", "zero"),
            ("encoding", "encoding", "word"),
        ),
    ),
    "llvm.di_file": (
        "DIFile",
        (("filename", "name", "required"), ("directory", "directory", "required")),
    ),
    "llvm.di_derived_type": (
        "DIDerivedType",
        (
            ("tag", "tag", "word"),
            ("name", "name", "string"),
            ("baseType", "base_type", "base"),
            ("size", "size_in_bits", "zero"),
            ("align", "align_in_bits", "zero"),
            ("offset", "offset_in_bits", "zero"),
            ("dwarfAddressSpace", "dwarf_address_space", "int"),
            ("extraData", "extra_data", "node"),
        ),
    ),
    "llvm.di_composite_type": (
        "DICompositeType",
        (
            ("tag", "tag", "word"),
            ("name", "name", "string"),
            ("file", "file", "node"),
            ("line", "line", "zero"),
            ("scope", "scope", "node"),
            ("baseType", "base_type", "node"),
            ("size", "size_in_bits", "zero"),
            ("align", "align_in_bits", "zero"),
            ("flags", "flags", "flags"),
            ("elements", "elements", "list"),
            ("dataLocation", "data_location", "expression"),
            ("associated", "associated", "expression"),
            ("allocated", "allocated", "expression"),
            ("rank", "rank", "expression"),
        ),
    ),
    "llvm.di_string_type": (
        "DIStringType",
        (
            ("tag", "tag", "word"),
            ("name", "name", "string"),
            ("stringLength", "string_length", "node"),
            ("stringLengthExpression", "string_length_exp", "expression"),
            ("stringLocationExpression", "string_location_exp", "expression"),
            ("size", "size_in_bits", "zero"),
            ("align", "align_in_bits", "zero"),
            ("encoding", "encoding", "word"),
        ),
    ),
    "llvm.di_lexical_block": (
        "DILexicalBlock",
        (
            ("scope", "scope", "node"),
            ("file", "file", "node"),
            ("line", "line", "zero"),
            ("column", "column", "zero"),
        ),
    ),
    "llvm.di_lexical_block_file": (
        "DILexicalBlockFile",
        (
            ("scope", "scope", "node"),
            ("file", "file", "node"),
            ("discriminator", "discriminator", "int"),
        ),
    ),
    "llvm.di_local_variable": (
        "DILocalVariable",
        (
            ("name", "name", "string"),
            ("arg", "arg", "zero"),
            ("scope", "scope", "node"),
            ("file", "file", "node"),
            ("line", "line", "zero"),
            ("type", "type", "node"),
            ("flags", "flags", "flags"),
            ("align", "align_in_bits", "zero"),
        ),
    ),
    "llvm.di_global_variable": (
        "DIGlobalVariable",
        (
            ("name", "name", "string"),
            ("linkageName", "linkage_name", "string"),
            ("scope", "scope", "node"),
            ("file", "file", "node"),
            ("line", "line", "zero"),
            ("type", "type", "node"),
            ("isLocal", "is_local_to_unit", "bool"),
            ("isDefinition", "is_defined", "bool"),
            ("align", "align_in_bits", "zero"),
        ),
    ),
    "llvm.di_label": (
        "DILabel",
        (
            ("scope", "scope", "node"),
            ("name", "name", "required"),
            ("file", "file", "node"),
            ("line", "line", "int"),
        ),
    ),
    "llvm.di_module": (
        "DIModule",
        (
            ("scope", "scope", "null"),
            ("name", "name", "string"),
            ("configMacros", "config_macros", "string"),
            ("includePath", "include_path", "string"),
            ("apinotes", "apinotes", "string"),
            ("file", "file", "node"),
            ("line", "line", "zero"),
            ("isDecl", "is_decl", "true"),
        ),
    ),
    "llvm.di_namespace": (
        "DINamespace",
        (
            ("name", "name", "string"),
            ("scope", "scope", "null"),
            ("exportSymbols", "export_symbols", "true"),
        ),
    ),
    "llvm.di_imported_entity": (
        "DIImportedEntity",
        (
            ("tag", "tag", "word"),
            ("name", "name", "string"),
            ("scope", "scope", "node"),
            ("entity", "entity", "node"),
            ("file", "file", "node"),
            ("line", "line", "zero"),
            ("elements", "elements", "list"),
        ),
    ),
    "llvm.di_annotation": ("", ()),
    "llvm.di_subrange": (
        "DISubrange",
        (
            ("count", "count", "bound"),
            ("lowerBound", "lower_bound", "bound"),
            ("upperBound", "upper_bound", "bound"),
            ("stride", "stride", "bound"),
        ),
    ),
    "llvm.di_generic_subrange": (
        "DIGenericSubrange",
        (
            ("count", "count", "bound"),
            ("lowerBound", "lower_bound", "bound"),
            ("upperBound", "upper_bound", "bound"),
            ("stride", "stride", "bound"),
        ),
    ),
    "llvm.di_common_block": (
        "DICommonBlock",
        (
            ("scope", "scope", "node"),
            ("declaration", "decl", "node"),
            ("name", "name", "string"),
            ("file", "file", "node"),
            ("line", "line", "zero"),
        ),
    ),
    "llvm.di_subroutine_type": (
        "DISubroutineType",
        (("cc", "calling_convention", "word"), ("types", "types", "types")),
    ),
}
_DISTINCT = frozenset(("llvm.di_lexical_block", "llvm.di_lexical_block_file", "llvm.di_label"))


class DebugInfo:
    """The debug metadata of one module, each attribute and location once."""

    __slots__ = ("locations", "module", "recursive")

    def __init__(self, module: ModuleWriter) -> None:
        self.module = module
        self.locations: dict[Any, str | None] = {}
        #: identity of a recursive node -> its reference
        self.recursive: dict[Any, str] = {}

    # --- locations ---------------------------------------------------------------------------
    def subprogram_of(self, op: Operation) -> str | None:
        """The subprogram that the location of a function carries."""
        found = _scope_in(op.location, "llvm.di_subprogram")
        return None if found is None else self.node(found)

    def location(self, loc: Any, scope: str | None, inlined_at: str | None = None) -> str | None:
        """The reference of a location's node, None for a location without a place."""
        if loc is None or scope is None:
            return None
        key = (loc, scope, inlined_at)
        if key not in self.locations:
            self.locations[key] = self._location(loc, scope, inlined_at)
        return self.locations[key]

    def _location(self, loc: Any, scope: str, inlined_at: str | None) -> str | None:
        kind = type(loc).__name__
        if kind == "CallSiteLoc":
            caller = self.location(loc.caller, scope, inlined_at)
            return self.location(loc.callee, scope, caller)
        if kind == "FileLineColLoc":
            text = f"!DILocation(line: {number(loc.line)}, column: {_column(loc)}, scope: {scope}"
            text += f", inlinedAt: {inlined_at})" if inlined_at else ")"
            return self.module.metadata.node(text)
        if kind == "FusedLoc":
            metadata = getattr(loc, "metadata", None)
            if _is_local_scope(metadata):
                scope = self.node(metadata)
            inner = [self.location(part, scope, inlined_at) for part in loc.locations.data]
            if len(set(inner)) == 1:
                return inner[0]
            if None in inner:
                return None
            # LLVM merges places that differ into line 0 of their scope.
            text = f"!DILocation(line: 0, scope: {scope}"
            text += f", inlinedAt: {inlined_at})" if inlined_at else ")"
            return self.module.metadata.node(text)
        if kind == "NameLoc":
            return self.location(loc.location, scope, inlined_at)
        return None

    # --- attributes --------------------------------------------------------------------------
    def node(self, attr: Any) -> str:
        """The reference of a debug attribute's node, or `null`."""
        if attr is None or attr.name == "llvm.di_null_type":
            return "null"
        md = self.module.metadata
        found = md.by_attr.get(attr)
        if found is not None:
            return found
        if attr.name == "llvm.di_annotation":
            name, value = attr.data
            found = md.tuple([_string(name), _string(value)])
        elif attr.name == "llvm.di_compile_unit":
            found = self._compile_unit(attr)
        elif attr.name == "llvm.di_subprogram":
            found = self._subprogram(attr)
        elif attr.name == "llvm.di_expression":
            return self.expression(attr)
        else:
            found = self._plain(attr)
        md.by_attr[attr] = found
        return found

    def _plain(self, attr: Any) -> str:
        md = self.module.metadata
        identity = getattr(attr, "rec_id", None)
        if identity is not None and identity in self.recursive:
            return self.recursive[identity]
        reference = None
        if identity is not None:
            reference = self.recursive[identity] = md.reserve()
        kind, fields = _NODES[attr.name]
        parts = [
            f"{name}: {text}"
            for name, parameter, how in fields
            if (text := self._field(getattr(attr, parameter), how)) is not None
        ]
        text = f"!{kind}({', '.join(parts)})"
        if reference is not None:
            md.set(reference, f"distinct {text}")
            return reference
        return md.node(text, distinct=attr.name in _DISTINCT and attr.name != "llvm.di_label")

    def _field(self, value: Any, how: str) -> str | None:
        """The text of a field, None to leave it out."""
        if how == "base":
            return self.node(value)
        if how == "null":
            return self.node(value) if value is not None else "null"
        if how == "required":
            return f'"{quoted(text_of(value))}"' if value is not None else '""'
        if how == "types":
            return self.module.metadata.tuple([self.node(v) for v in value or ()])
        if value is None:
            return None
        if how == "node":
            return self.node(value)
        if how == "expression":
            return self.expression(value)
        if how == "string":
            return f'"{quoted(text_of(value))}"' if text_of(value) else None
        if how == "int":
            return str(number(value))
        if how == "zero":
            return str(number(value)) if number(value) else None
        if how == "bool":
            return "true" if number(value) else "false"
        if how == "true":
            return "true" if number(value) else None
        if how == "word":
            text = text_of(value) if not isinstance(value, int) else str(value)
            return text if text not in ("0", "", "DW_CC_normal_") else None
        if how == "flags":
            return _flags(text_of(value), "DIFlag")
        if how == "list":
            return self.module.metadata.tuple([self.node(v) for v in value]) if value else None
        if how == "bound":
            return self._bound(value)
        raise AssertionError(how)

    def _bound(self, value: Any) -> str:
        if value.name == "llvm.di_expression":
            return self.expression(value)
        if value.name.startswith("llvm.di_"):
            return self.node(value)
        return str(number(value))

    def _compile_unit(self, attr: Any) -> str:
        md = self.module.metadata
        reference = md.reserve()
        md.by_attr[attr] = reference
        fields = [f"language: {text_of(attr.source_language)}", f"file: {self.node(attr.file)}"]
        if attr.producer is not None and text_of(attr.producer):
            fields.append(f'producer: "{quoted(text_of(attr.producer))}"')
        fields.append(f"isOptimized: {'true' if number(attr.is_optimized) else 'false'}")
        fields.append("runtimeVersion: 0")
        split = attr.split_debug_filename
        if split is not None and text_of(split):
            fields.append(f'splitDebugFilename: "{quoted(text_of(split))}"')
        kinds = {"None": "NoDebug", "Full": "FullDebug", "LineTablesOnly": "LineTablesOnly"}
        kinds["DebugDirectivesOnly"] = "DebugDirectivesOnly"
        fields.append(f"emissionKind: {kinds[_keyword(attr.emission_kind)]}")
        if attr.name_table_kind is not None and _keyword(attr.name_table_kind) != "Default":
            fields.append(f"nameTableKind: {_keyword(attr.name_table_kind)}")
        md.set(reference, f"distinct !DICompileUnit({', '.join(fields)})")
        self.module.named.setdefault("llvm.dbg.cu", []).append(reference)
        return reference

    def _subprogram(self, attr: Any) -> str:
        md = self.module.metadata
        if attr.rec_id is not None and attr.rec_id in self.recursive:
            return self.recursive[attr.rec_id]
        flags = _keyword(attr.subprogram_flags) if attr.subprogram_flags is not None else ""
        is_definition = "Definition" in flags
        reference = None
        if is_definition or attr.rec_id is not None:
            reference = md.reserve()
            if attr.rec_id is not None:
                self.recursive[attr.rec_id] = reference
            md.by_attr[attr] = reference
        fields: list[str] = []
        for name, parameter, how in (
            ("name", "name", "string"),
            ("linkageName", "linkage_name", "string"),
            ("scope", "scope", "node"),
            ("file", "file", "node"),
            ("line", "line", "zero"),
            ("type", "type", "node"),
            ("scopeLine", "scope_line", "zero"),
        ):
            text = self._field(getattr(attr, parameter), how)
            if text is not None:
                fields.append(f"{name}: {text}")
        fields.append(f"spFlags: {_flags(flags, 'DISPFlag') or '0'}")
        if attr.compile_unit is not None:
            fields.append(f"unit: {self.node(attr.compile_unit)}")
        for name, parameter in (
            ("retainedNodes", "retained_nodes"),
            ("annotations", "annotations"),
        ):
            if (text := self._field(getattr(attr, parameter), "list")) is not None:
                fields.append(f"{name}: {text}")
        text = f"!DISubprogram({', '.join(fields)})"
        if reference is None:
            return md.node(text)
        md.set(reference, f"distinct {text}")
        return reference

    def expression(self, attr: Any) -> str:
        parts: list[str] = []
        for element in (attr.data[0] if attr is not None else None) or ():
            opcode, arguments = element.data
            parts.append(text_of(opcode))
            for argument in arguments or ():
                parts.append(argument if isinstance(argument, str) else str(number(argument)))
        return f"!DIExpression({', '.join(parts)})"

    def global_expression(self, attr: Any) -> str:
        variable, expression = attr.data
        node = self.node(variable)
        text = f"!DIGlobalVariableExpression(var: {node}, expr: {self.expression(expression)})"
        return self.module.metadata.node(text)


def _string(attr: Any) -> str:
    return f'!"{quoted(text_of(attr))}"'


def _keyword(value: Any) -> str:
    return text_of(value)


def _flags(text: str, prefix: str) -> str | None:
    words = [w.strip() for w in text.replace("|", ",").split(",") if w.strip()]
    words = [w for w in words if w not in ("Zero", "None", "")]
    return " | ".join(prefix + w for w in words) if words else None


def _column(loc: Any) -> int:
    return number(getattr(loc, "col", None) or getattr(loc, "column", None))


def _is_local_scope(attr: Any) -> bool:
    return getattr(attr, "name", "") in (
        "llvm.di_subprogram",
        "llvm.di_lexical_block",
        "llvm.di_lexical_block_file",
    )


def _scope_in(loc: Any, name: str) -> Any:
    """The first metadata of the attribute kind `name` inside a location."""
    kind = type(loc).__name__
    if kind == "FusedLoc":
        metadata = getattr(loc, "metadata", None)
        if getattr(metadata, "name", "") == name:
            return metadata
        for part in loc.locations.data:
            if (found := _scope_in(part, name)) is not None:
                return found
    elif kind == "CallSiteLoc":
        return _scope_in(loc.callee, name) or _scope_in(loc.caller, name)
    elif kind == "NameLoc":
        return _scope_in(loc.location, name)
    return None

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Debug information: `#llvm.di_*` attributes and MLIR locations as LLVM's metadata.

A function has debug information if its location carries a `#llvm.di_subprogram`; only then do
the locations of its operations become `!DILocation`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import ArrayAttr, CallSiteLoc, FusedLoc, NameLoc
from xdsl.ir import Attribute, Operation

from xgpu.backend.llvm_ir.debug_nodes import DISTINCT, NODES, OWN_TYPES
from xgpu.backend.llvm_ir.facts import number, text_of
from xgpu.backend.llvm_ir.types import quoted
from xgpu.core.ir.locations import source_location
from xgpu.dialects import llvm

if TYPE_CHECKING:
    from xgpu.backend.llvm_ir.context import ModuleContext
    from xgpu.core.ods.attributes import StructAttr

#: Frames from the outermost function to the innermost: scope, line, column.
Frames = tuple[tuple[str, int, int], ...]


class DebugInfo:
    """The debug metadata of one module, each attribute and location once.

    Objects are known by their identity before they are by what they are: a location of code that is
    inlined into inlined code is a tree, of which a hash visits all nodes.
    """

    __slots__ = ("globals", "identified", "locations", "mentions", "module", "nodes", "recursive")

    def __init__(self, module: ModuleContext) -> None:
        self.module = module
        #: (`id` of a location, scope) -> the location, which lives as long as its `id` is here, and
        #: its reference
        self.locations: dict[tuple[int, str | None], tuple[Attribute | None, str | None]] = {}
        #: Likewise of attributes, outside of recursive nodes.
        self.nodes: dict[int, tuple[Attribute, str]] = {}
        #: identity of a recursive node that is being written -> its reference
        self.recursive: dict[Attribute, str] = {}
        #: `id` of a distinct node -> its reference
        self.identified: dict[Attribute, str] = {}
        #: attribute -> the recursive nodes that it is, has or refers to
        self.mentions: dict[Attribute, frozenset[Attribute]] = {}
        #: compile unit -> its global variables
        self.globals: dict[Attribute, list[str]] = {}

    # --- locations ---------------------------------------------------------------------------
    def subprogram_of(self, op: Operation) -> str | None:
        """The subprogram that the location of a function carries."""
        found = _scope_in(op.location, "llvm.di_subprogram")
        return None if found is None else self.node(found)

    def location(self, location: Attribute | None, scope: str | None) -> str | None:
        """The reference of a location's node, None for one of no file."""
        key = (id(location), scope)
        found = self.locations.get(key)
        if found is None:
            frames = None if location is None else self._frames(location, scope, ())
            reference = None if frames is None else self._frames_node(frames)
            found = self.locations[key] = location, reference
        return found[1]

    def _frames_node(self, frames: Frames) -> str:
        reference = ""
        for scope, line, column in frames:
            at = f", column: {column}" if column else ""
            text = f"!DILocation(line: {line}{at}, scope: {scope}"
            text += f", inlinedAt: {reference})" if reference else ")"
            reference = self.module.metadata.node(text)
        return reference

    def _frames(self, loc: Attribute, scope: str | None, around: Frames) -> Frames | None:
        """The frames of `loc`, behind those `around` it that it was inlined at."""
        kind = type(loc).__name__
        if kind == "CallSiteLoc":
            # A caller without a line leaves the outer one; a callee without a scope, the caller.
            caller = self._frames(cast("CallSiteLoc", loc).caller, scope, around) or around
            return (
                (self._frames(cast("CallSiteLoc", loc).callee, None, caller) or caller)
                if caller
                else None
            )
        if kind in ("FileLineColLoc", "SourceLoc", "FileLineColRange"):
            found = source_location(loc)
            if found is None or scope is None:
                return None
            return (*around, (scope, found[1], found[2]))
        if kind == "FusedLoc":
            metadata = getattr(loc, "metadata", None)
            if _is_local_scope(metadata):
                scope = self.node(metadata)
            merged: Frames | None = None
            for i, part in enumerate(cast("ArrayAttr", cast("FusedLoc", loc).locations).data):
                found = self._frames(part, scope, around)
                merged = found if i == 0 else _merged(merged, found)
            return merged
        if kind == "NameLoc":
            return self._frames(cast("NameLoc", loc).location, scope, around)
        return None

    # --- attributes --------------------------------------------------------------------------
    def node(self, attr: Attribute | None) -> str:
        """The reference of a debug attribute's node, or `null`."""
        if attr is None or attr.name == "llvm.di_null_type":
            return "null"
        if self.recursive:
            return self._node(attr)
        known = self.nodes.get(id(attr))
        if known is None:
            known = self.nodes[id(attr)] = attr, self._node(attr)
        return known[1]

    def _node(self, attr: Attribute) -> str:
        md = self.module.metadata
        key = self._key(attr)
        found = md.by_attr.get(key)
        if found is not None:
            return found
        identity = getattr(attr, "rec_id", None)
        if identity is not None and identity in self.recursive:
            return self.recursive[identity]
        if attr.name == "llvm.di_annotation":
            name, value = cast("StructAttr", attr).data
            found = md.tuple([_string(name), _string(value)])
        elif attr.name == "llvm.di_compile_unit":
            found = self._compile_unit(cast("llvm.DiCompileUnitAttr", attr))
        elif attr.name == "llvm.di_subprogram":
            found = self._subprogram(cast("llvm.DiSubprogramAttr", attr))
        elif attr.name == "llvm.di_expression":
            return self.expression(attr)
        else:
            found = self._plain(cast("StructAttr", attr))
        md.by_attr[key] = found
        return found

    def _key(self, attr: Attribute) -> object:
        """What the node of `attr` depends on: inside of recursive nodes, on those that it names."""
        if not self.recursive:
            return attr
        inside = tuple((k, v) for k, v in self.recursive.items() if k in self._mentioned(attr))
        return (attr, inside) if inside else attr

    def _mentioned(self, attr: Attribute) -> frozenset[Attribute]:
        found = self.mentions.get(attr)
        if found is None:
            names: set[Attribute] = set()
            if (identity := getattr(attr, "rec_id", None)) is not None:
                names.add(identity)
            for part in _parts(attr):
                names |= self._mentioned(part)
            found = self.mentions[attr] = frozenset(names)
        return found

    def _plain(self, attr: StructAttr) -> str:
        md = self.module.metadata
        identity = getattr(attr, "rec_id", None)
        reference = None
        if identity is not None:
            reference = self.recursive[identity] = md.reserve()
        kind, fields = NODES[attr.name]
        parts = [
            f"{name}: {text}"
            for name, parameter, how in fields
            if (text := self._field(_parameter(attr, parameter), how)) is not None
        ]
        text = f"!{kind}({', '.join(parts)})"
        if identity is not None and reference is not None:
            del self.recursive[identity]
            md.set(reference, f"distinct {text}")
            return reference
        return md.node(text, distinct=attr.name in DISTINCT or _is_own_type(attr))

    def _field(self, value: object, how: str) -> str | None:
        """The text of a field, None to leave it out."""
        if how == "base":
            return self.node(cast("Attribute | None", value))
        if how == "null":
            return self.node(cast("Attribute", value)) if value is not None else "null"
        if how == "required":
            return f'"{quoted(text_of(value))}"' if value is not None else '""'
        if how == "types":
            return self.module.metadata.tuple(
                [self.node(v) for v in cast("Sequence[Attribute] | None", value) or ()]
            )
        if how == "said":
            return "true" if number(value) else "false"
        if value is None:
            return None
        if how == "node":
            return self.node(cast("Attribute", value))
        if how == "expression":
            return self.expression(cast("Attribute", value))
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
            return (
                self.module.metadata.tuple(
                    [self.node(v) for v in cast("Sequence[Attribute]", value)]
                )
                if value
                else None
            )
        if how == "bound":
            return self._bound(cast("Attribute", value))
        raise AssertionError(how)

    def _bound(self, value: Attribute) -> str:
        if value.name == "llvm.di_expression":
            return self.expression(cast("llvm.DiExpressionAttr | None", value))
        if value.name.startswith("llvm.di_"):
            return self.node(value)
        return str(number(value))

    def _compile_unit(self, attr: llvm.DiCompileUnitAttr) -> str:
        md = self.module.metadata
        reference = md.reserve()
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

    def _subprogram(self, attr: llvm.DiSubprogramAttr) -> str:
        md = self.module.metadata
        if attr.id is not None and attr.id in self.identified:
            return self.identified[attr.id]
        flags = _keyword(attr.subprogram_flags) if attr.subprogram_flags is not None else ""
        is_definition = "Definition" in flags
        reference = None
        if is_definition or attr.rec_id is not None or attr.id is not None:
            reference = md.reserve()
            if attr.id is not None:
                self.identified[attr.id] = reference
            if attr.rec_id is not None:
                self.recursive[attr.rec_id] = reference
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
            text = self._field(_parameter(attr, parameter), how)
            if text is not None:
                fields.append(f"{name}: {text}")
        fields.append(f"spFlags: {_flags(flags, 'DISPFlag') or '0'}")
        if attr.compile_unit is not None:
            fields.append(f"unit: {self.node(attr.compile_unit)}")
        for name, parameter in (
            ("retainedNodes", "retained_nodes"),
            ("annotations", "annotations"),
        ):
            if (text := self._field(_parameter(attr, parameter), "list")) is not None:
                fields.append(f"{name}: {text}")
        text = f"!DISubprogram({', '.join(fields)})"
        if reference is None:
            return md.node(text)
        if attr.rec_id is not None:
            del self.recursive[attr.rec_id]
        md.set(reference, f"distinct {text}")
        return reference

    def expression(self, attr: Attribute | None) -> str:
        parts: list[str] = []
        for element in (
            cast("llvm.DiExpressionAttr", attr).operations if attr is not None else None
        ) or ():
            opcode, arguments = cast("llvm.DiExpressionElemAttr", element).data
            parts.append(text_of(opcode))
            for argument in arguments or ():
                parts.append(argument if isinstance(argument, str) else str(number(argument)))
        return f"!DIExpression({', '.join(parts)})"

    def global_expression(self, attr: Attribute) -> str:
        pair = cast("llvm.DiGlobalVariableExpressionAttr", attr)
        variable, expression = cast("llvm.DiGlobalVariableAttr", pair.var), pair.expr
        node = self.node(variable)
        text = f"!DIGlobalVariableExpression(var: {node}, expr: {self.expression(expression)})"
        found = self.module.metadata.node(text)
        unit = _unit_of(variable.scope)
        if unit is not None:
            self.node(unit)
            self.globals.setdefault(unit, []).append(found)
        return found

    def finish(self) -> None:
        """Tells the compile units of their globals."""
        for unit, found in self.globals.items():
            md = self.module.metadata
            md.extend(md.by_attr[unit], f"globals: {md.tuple(found)}")


def _string(attr: Attribute) -> str:
    return f'!"{quoted(text_of(attr))}"'


def _merged(a: Frames | None, b: Frames | None) -> Frames | None:
    """The frames that two have in common, as LLVM merges them."""
    if a is None or b is None:
        return None
    found: list[tuple[str, int, int]] = []
    for one, other in zip(a, b, strict=False):
        if one == other:
            found.append(one)
            continue
        if one[0] == other[0]:
            found.append((one[0], one[1] if one[1] == other[1] else 0, 0))
        break
    return tuple(found) or ((a[0][0], 0, 0),)


def _parts(attr: Attribute) -> Iterator[Attribute]:
    """The debug attributes that an attribute has as parameters."""
    data: object = getattr(attr, "data", None)
    for value in cast("tuple[object, ...]", data) if isinstance(data, tuple) else ():
        for part in cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,):
            if isinstance(part, Attribute) and part.name.startswith("llvm.di_"):
                yield part


def _unit_of(scope: Attribute | None) -> Attribute | None:
    """The compile unit that a scope is in, or None."""
    while scope is not None and scope.name != "llvm.di_compile_unit":
        if scope.name == "llvm.di_subprogram":
            scope = cast("llvm.DiSubprogramAttr", scope).compile_unit
        else:
            scope = getattr(scope, "scope", None)
    return scope


def _is_own_type(attr: Attribute) -> bool:
    return (
        attr.name == "llvm.di_composite_type"
        and text_of(cast("llvm.DiCompositeTypeAttr", attr).tag) in OWN_TYPES
    )


def _parameter(attr: Attribute, name: str) -> object:
    """A parameter; `name` is what the attribute itself is called."""
    return getattr(attr, "name_" if name == "name" else name)


def _keyword(value: object) -> str:
    return text_of(value)


def _flags(text: str, prefix: str) -> str | None:
    words = [w.strip() for w in text.replace("|", ",").split(",") if w.strip()]
    words = [w for w in words if w not in ("Zero", "None", "")]
    return " | ".join(prefix + w for w in words) if words else None


def _is_local_scope(attr: Attribute | None) -> bool:
    return getattr(attr, "name", "") in (
        "llvm.di_subprogram",
        "llvm.di_lexical_block",
        "llvm.di_lexical_block_file",
    )


def _scope_in(loc: Attribute, name: str) -> llvm.DiSubprogramAttr | None:
    """The first metadata of the attribute kind `name` inside a location."""
    kind = type(loc).__name__
    if kind == "FusedLoc":
        metadata = getattr(loc, "metadata", None)
        if getattr(metadata, "name", "") == name:
            return metadata
        for part in cast("ArrayAttr", cast("FusedLoc", loc).locations).data:
            if (found := _scope_in(part, name)) is not None:
                return found
    elif kind == "CallSiteLoc":
        return _scope_in(cast("CallSiteLoc", loc).callee, name) or _scope_in(
            cast("CallSiteLoc", loc).caller, name
        )
    elif kind == "NameLoc":
        return _scope_in(cast("NameLoc", loc).location, name)
    return None

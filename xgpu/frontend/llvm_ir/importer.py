# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A whole module of LLVM IR as a `builtin.module` in the llvm and nvvm dialects.

In the module stand the comdats, the globals, aliases and ifuncs, what the module's metadata says,
and the functions, each in the order of the text; that is where MLIR's importer puts them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import (
    ArrayAttr,
    FileLineColLoc,
    IntAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    i64,
)
from xdsl.ir import Block, Region

from xgpu import ods
from xgpu.dialects.llvm.attributes import CConvAttr, ComdatAttr
from xgpu.frontend.llvm_ir import global_import
from xgpu.frontend.llvm_ir.attribute_import import function_properties, signature_attributes
from xgpu.frontend.llvm_ir.body_import import BodyImport
from xgpu.frontend.llvm_ir.builder import Builder
from xgpu.frontend.llvm_ir.data_layout import Unreadable, data_layout
from xgpu.frontend.llvm_ir.debug_attributes import Distinct
from xgpu.frontend.llvm_ir.debug_import import DebugImport
from xgpu.frontend.llvm_ir.intrinsic_import import has_operation
from xgpu.frontend.llvm_ir.lexer import line_of
from xgpu.frontend.llvm_ir.loop_import import LoopImport
from xgpu.frontend.llvm_ir.metadata_import import Aliasing, Attachments, function_metadata
from xgpu.frontend.llvm_ir.model import (
    Constant,
    Function,
    MetadataConstant,
    MetadataString,
    Module,
    Node,
)
from xgpu.frontend.llvm_ir.module_flags import linker_options, module_flags, module_strings
from xgpu.ir.errors import Diagnostic, DiagnosticError
from xgpu.syntax import diagnostics

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation

    from xgpu.frontend.llvm_ir.options import Options
    from xgpu.frontend.llvm_ir.places import Places

_COMDATS = "__llvm_global_comdat"
_NAMELESS = "mlir.llvm.nameless_global"


class ModuleImport:
    """Translates one module. `text` is what `source` was read from, `places` finds an instruction
    of it in what the user wrote."""

    def __init__(self, source: Module, text: str, places: Places, options: Options) -> None:
        self.source = source
        self.text = text
        self.places = places
        self.options = options
        self.distinct = Distinct()
        self.debug = DebugImport(
            self.distinct, drop_elements=options.drop_di_composite_type_elements
        )
        loops = LoopImport(self, self.distinct)
        self.aliasing = Aliasing(self, loops)
        self.attachments = Attachments(self, loops)
        self.body = Block()
        # LLVM calls what it got from us by a name of ours.
        name = source.source_filename
        file = places.file() if name == "<string>" else _file(name)
        self.op = ods.create("builtin.module", regions=[Region(self.body)], location=file)
        self.builder = Builder(self.body)
        self.builder.location = file
        #: what globals come behind
        self._last_global: Operation | None = None
        self._comdats: dict[str, SymbolRefAttr] = {}
        self._nameless: dict[str, str] = {}

    def run(self) -> Operation:
        """The module's operation."""
        attributes = self.op.attributes
        attributes["dlti.dl_spec"] = self._data_layout()
        self._add_comdats()
        self.aliasing.translate()
        self._add_metadata()
        for found in self.source.variables:
            global_import.variable(self, found)
        for function in self.source.functions:
            self._function(function)
        for alias in self.source.aliases:
            if not alias.is_ifunc:
                global_import.alias(self, alias)
        for alias in self.source.aliases:
            if alias.is_ifunc:
                global_import.ifunc(self, alias)
        attributes["llvm.target_triple"] = StringAttr(self.source.triple)
        lines = [StringAttr(line) for line in self.source.assembly if line]
        attributes["llvm.module_asm"] = ArrayAttr(lines)
        self.op.attributes = dict(sorted(attributes.items()))
        return self.op

    # --- services ----------------------------------------------------------------------------
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

    def comdat(self, name: str) -> SymbolRefAttr:
        return self._comdats[name]

    def spelled(self, node: Any) -> str:
        """Metadata as LLVM writes it."""
        if isinstance(node, Node):
            return line_of(self.text, node.token).strip()
        if isinstance(node, MetadataString):
            return f'!"{node.text}"'
        if isinstance(node, MetadataConstant) and isinstance(node.value, Constant):
            from xgpu.ir.attribute_text import shown

            return f"{shown(node.value.type)} {node.value.data}"
        return "null"

    def error(self, message: str, at: Any = None) -> DiagnosticError:
        """An error about something of the text."""
        return DiagnosticError(self._diagnostic("error", message, at))

    def unhandled(self, what: str, at: Any, reason: str = "") -> DiagnosticError:
        """An error about something that the llvm dialect has no words for; shows its line."""
        return self.error(f"unhandled {what}: {self.line(at)}{reason}", at)

    def warn(self, message: str, at: Any = None) -> None:
        diagnostics.emit(self._diagnostic("warning", message, at))

    def detail(self, message: str, at: Any) -> None:
        """A warning for those who asked for all of them; shows the line."""
        if self.options.emit_expensive_warnings:
            self.warn(f"{message} {self.line(at)}", at)

    def line(self, at: Any) -> str:
        """The line of LLVM's text that something stands in."""
        return line_of(self.text, getattr(at, "token", -1))

    def _diagnostic(self, severity: str, message: str, at: Any) -> Diagnostic:
        token = getattr(at, "token", -1)
        if token < 0:
            return Diagnostic(severity, message, self.places.file())
        return Diagnostic(severity, message, self.places.find(self.text, token, self.line(at)))

    # --- the module's parts ------------------------------------------------------------------
    def _data_layout(self) -> Attribute:
        try:
            return data_layout(
                self.source.data_layout,
                lambda part: self.warn(f"unhandled data layout token: {part}"),
            )
        except Unreadable as reason:
            raise self.error(f"cannot translate data layout: {reason.args[0]}") from None

    def _add_comdats(self) -> None:
        """One operation with a selector for each comdat that something is in."""
        used = [
            found.comdat
            for found in (*self.source.variables, *self.source.functions)
            if found.comdat is not None
        ]
        if not used:
            return
        block = Block()
        self._last_global = self.builder.create(
            "llvm.comdat", (), (), {"sym_name": StringAttr(_COMDATS)}, regions=[Region(block)]
        )
        inside = Builder(block)
        inside.location = self.builder.location
        for name in dict.fromkeys(used):
            kind = IntegerAttr(ComdatAttr.cases[self.source.comdats[name]], i64)
            inside.create(
                "llvm.comdat_selector", (), (), {"sym_name": StringAttr(name), "comdat": kind}
            )
            self._comdats[name] = SymbolRefAttr(_COMDATS, [name])

    def _add_metadata(self) -> None:
        for options in linker_options(self.source):
            self.builder.create("llvm.linker_options", (), (), {"options": options})
        flags = module_flags(self.source, self.spelled, self.warn)
        if flags:
            self.builder.create("llvm.module_flags", (), (), {"flags": ArrayAttr(flags)})
        self.op.attributes.update(module_strings(self.source))

    def add_global(
        self,
        name: str,
        properties: dict[str, Any],
        region: Region | None = None,
        *,
        moves: bool = True,
    ) -> Operation:
        """Inserts a global's operation behind the last one. If it `moves`, it is the last now."""
        last = self._last_global
        self.builder.anchor = self.body.first_op if last is None else last.next_op
        regions = () if region is None else (region,)
        op = self.builder.create(name, (), (), properties, regions=regions)
        self.builder.anchor = None
        if moves:
            self._last_global = op
        return op

    def _function(self, function: Function) -> None:
        if function.is_intrinsic and has_operation(function.name):
            return
        properties = global_import.shared_properties(function)
        properties["sym_name"] = StringAttr(self.symbol(function.key))
        properties["function_type"] = function.type
        properties["CConv"] = CConvAttr(function.convention)
        properties.update(signature_attributes(function))
        properties.update(function_properties(function))
        properties.update(self._function_properties(function))
        builder = Builder(self.body)
        builder.location = self.debug.function_location(function)
        region = Region()
        op = builder.create("llvm.func", (), (), properties, regions=[region])
        function_metadata(self, function, op)
        if function.blocks:
            BodyImport(self, region).function(function, op)

    def _function_properties(self, function: Function) -> dict[str, Any]:
        given = function.properties
        found: dict[str, Any] = {}
        personality = given.get("personality")
        if personality is not None:
            if personality.kind == "global":
                found["personality"] = SymbolRefAttr(self.symbol(personality.data))
            else:
                self.warn("could not deduce personality, skipping it", function)
        if (collector := given.get("gc")) is not None:
            found["garbageCollector"] = StringAttr(collector)
        if (section := given.get("section")) is not None:
            found["section"] = StringAttr(section)
        if (align := given.get("align")) is not None:
            found["alignment"] = IntegerAttr(align, i64)
        if function.comdat is not None:
            found["comdat"] = self.comdat(function.comdat)
        return found


def _file(name: str) -> FileLineColLoc:
    return FileLineColLoc(StringAttr(name), IntAttr(0), IntAttr(0))

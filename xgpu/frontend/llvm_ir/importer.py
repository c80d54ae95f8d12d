# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A whole module of LLVM IR as a `builtin.module` in the llvm and nvvm dialects.

In the module stand the comdats, the globals, aliases and ifuncs, what the module's metadata says,
and the functions, each in the order of the text; that is where MLIR's importer puts them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

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

from xgpu.core import ods
from xgpu.core.rewriting.builder import Builder
from xgpu.dialects.llvm.attributes import CConvAttr, ComdatAttr
from xgpu.frontend.llvm_ir import global_import
from xgpu.frontend.llvm_ir.attribute_import import function_properties, signature_attributes
from xgpu.frontend.llvm_ir.body_import import function_body
from xgpu.frontend.llvm_ir.context import Context
from xgpu.frontend.llvm_ir.data_layout import Unreadable, data_layout
from xgpu.frontend.llvm_ir.intrinsic_import import has_operation
from xgpu.frontend.llvm_ir.metadata_import import function_metadata
from xgpu.frontend.llvm_ir.model import (
    Function,
)
from xgpu.frontend.llvm_ir.module_flags import linker_options, module_flags, module_strings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from xdsl.ir import Attribute, Operation


_COMDATS = "__llvm_global_comdat"


class ModuleImport:
    """Translates one module."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.source = context.source
        self.messages = context.messages
        self.body = Block()
        # LLVM calls what it got from us by a name of ours.
        name = self.source.source_filename
        file = self.messages.locations.file() if name == "<string>" else _file(name)
        self.op = ods.create("builtin.module", regions=[Region(self.body)], location=file)
        self.builder = Builder(block=self.body, location=file)
        #: what globals come behind
        self._last_global: Operation | None = None
        self._comdats: dict[str, SymbolRefAttr] = {}

    def run(self) -> Operation:
        """The module's operation."""
        attributes = self.op.attributes
        attributes["dlti.dl_spec"] = self._data_layout()
        self._add_comdats()
        self.context.aliasing.translate(self.source)
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

    def comdat(self, name: str) -> SymbolRefAttr:
        return self._comdats[name]

    # --- the module's parts ------------------------------------------------------------------
    def _data_layout(self) -> Attribute:
        try:
            return data_layout(
                self.source.data_layout,
                lambda part: self.messages.warn(f"unhandled data layout token: {part}"),
            )
        except Unreadable as reason:
            raise self.messages.error(f"cannot translate data layout: {reason.args[0]}") from None

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
        inside = Builder(block=block, location=self.builder.location)
        for name in dict.fromkeys(used):
            kind = IntegerAttr(ComdatAttr.cases[self.source.comdats[name]], i64)
            inside.create(
                "llvm.comdat_selector", (), (), {"sym_name": StringAttr(name), "comdat": kind}
            )
            self._comdats[name] = SymbolRefAttr(_COMDATS, [name])

    def _add_metadata(self) -> None:
        for options in linker_options(self.source):
            self.builder.create("llvm.linker_options", (), (), {"options": options})
        flags = module_flags(self.source, self.messages.as_text, self.messages.warn)
        if flags:
            self.builder.create("llvm.module_flags", (), (), {"flags": ArrayAttr(flags)})
        self.op.attributes.update(module_strings(self.source))

    def add_global(
        self,
        name: str,
        properties: Mapping[str, Attribute],
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
        properties["sym_name"] = StringAttr(self.context.symbol(function.key))
        properties["function_type"] = function.type
        properties["CConv"] = CConvAttr(function.convention)
        properties.update(signature_attributes(function))
        properties.update(function_properties(function))
        properties.update(self._function_properties(function))
        location = self.context.debug.function_location(function)
        builder = Builder(block=self.body, location=location)
        op = builder.create("llvm.func", (), (), properties, regions=[Region()])
        function_metadata(self.messages, function, op)
        if function.blocks:
            function_body(self.context, function, op)

    def _function_properties(self, function: Function) -> dict[str, Attribute]:
        given = function.properties
        found: dict[str, Attribute] = {}
        personality = given.get("personality")
        if personality is not None:
            if personality.kind == "global":
                found["personality"] = SymbolRefAttr(self.context.symbol(personality.data))
            else:
                self.messages.warn("could not deduce personality, skipping it", function)
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

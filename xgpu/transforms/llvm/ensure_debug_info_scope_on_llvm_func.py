# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ensure-debug-info-scope-on-llvm-func`: every llvm.func gets a DISubprogram, and the locations
of its operations become lines of debug information.

Source: MLIR 22.1 DIScopeForLLVMFuncOp.cpp.
"""

from __future__ import annotations

import itertools
import os.path
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    CallSiteLoc,
    FileLineColLoc,
    FusedLoc,
    NameLoc,
    StringAttr,
    UnitAttr,
)
from xdsl.ir import Attribute, Operation

from xgpu.core import ods
from xgpu.core.ir.locations import FileLineColRange, SourceLoc, call_site_loc, source_location
from xgpu.core.ir.uniquing import fused_loc
from xgpu.core.passes.base import Option, Pass
from xgpu.core.syntax.builtin_attributes import DistinctAttr

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import LocationAttr

    from xgpu.dialects import llvm

#: Numbers of the distinct attributes that are made here; texts number theirs from 0.
_NUMBERS = itertools.count(1 << 32)


def file_location(location: Attribute) -> tuple[str, int, int] | None:
    """File, line and column of a location: of a call site those of the caller."""
    if isinstance(location, SourceLoc | FileLineColLoc | FileLineColRange):
        return source_location(location)
    if isinstance(location, NameLoc):
        return file_location(location.location)
    if isinstance(location, FusedLoc):
        parts = cast("ArrayAttr", location.locations)
        for part in parts.data:
            if (found := file_location(part)) is not None:
                return found
    if isinstance(location, CallSiteLoc):
        return file_location(location.caller)
    return None


def metadata_in(location: Attribute, name: str) -> llvm.DiSubprogramAttr | None:
    """The metadata of that name in a location, or None."""
    if isinstance(location, FusedLoc):
        if location.metadata.name == name:  # pyright: ignore
            return location.metadata  # pyright: ignore
        locations = cast("ArrayAttr[LocationAttr]", location.locations)
        inside = locations.data
    elif isinstance(location, NameLoc):
        inside = (location.location,)
    elif isinstance(location, CallSiteLoc):
        inside = (location.callee, location.caller)
    else:
        return None
    for part in inside:
        if (found := metadata_in(part, name)) is not None:
            return found
    return None


def _make(name: str, *values: object) -> Attribute:
    return ods.attr_class(f"llvm.{name}")(*values)


def _distinct() -> DistinctAttr:
    return DistinctAttr((next(_NUMBERS), UnitAttr()))


def _file(path: str | None) -> Attribute:
    folder, name = os.path.split(path) if path is not None else ("", "<unknown>")
    return _make("di_file", StringAttr(name), StringAttr(folder))


def add_scopes(module: Operation, emission_kind: str = "LineTablesOnly") -> None:
    """Gives the functions in `module` that have none a subprogram of one compile unit."""
    unit = metadata_in(module.location, "llvm.di_compile_unit")
    if unit is None:
        location = file_location(module.location)
        unit = _make(
            "di_compile_unit",
            _distinct(),
            "DW_LANG_C",
            _file(None if location is None else location[0]),
            StringAttr("MLIR"),
            True,
            emission_kind,
            None,
            None,
        )
    for op in module.walk():
        if op.name == "llvm.func":
            _add_scope(op, cast("llvm.DiCompileUnitAttr", unit))
        elif op is not module:
            _add_files(op)


def _add_scope(function: Operation, unit: llvm.DiCompileUnitAttr) -> None:
    if metadata_in(function.location, "llvm.di_subprogram") is not None:
        return
    is_definition = bool(function.regions and function.regions[0].blocks)
    location = file_location(function.location)
    path, line = (None, 1) if location is None else location[:2]
    file = unit.file if path is None else _file(path)
    name = function.properties["sym_name"]
    subprogram = _make(
        "di_subprogram",
        None,
        None,
        _distinct() if is_definition else None,
        unit if is_definition else None,
        file,
        name,
        name,
        file,
        line,
        line,
        "Definition, Optimized" if is_definition else "Optimized",
        _make("di_subroutine_type", "DW_CC_normal", ()),
        (),
        (),
    )
    function.location = fused_loc([function.location], subprogram)


def _add_files(op: Operation) -> None:
    """Says of a location in another file than its function's that it is in that file."""
    function = op.parent_op()
    while function is not None and function.name != "llvm.func":
        function = function.parent_op()
    if function is None:
        return
    scope = cast("llvm.DiSubprogramAttr", metadata_in(function.location, "llvm.di_subprogram"))
    location: Attribute = op.location
    if isinstance(location, CallSiteLoc):
        callee = _in_file(scope, location.callee)
        op.location = call_site_loc(callee, location.caller)
        return
    found = file_location(location)
    own = file_location(function.location)
    if found is None or own is None or found[0] == own[0] or isinstance(location, FusedLoc):
        return
    op.location = _in_file(scope, location)


def _in_file(scope: Attribute, location: Attribute) -> FusedLoc:
    found = file_location(location)
    block = _make("di_lexical_block_file", scope, _file(None if found is None else found[0]), 0)
    if isinstance(location, CallSiteLoc):
        location = _in_file(block, location.callee)
    return fused_loc([location], block)


class DIScopeForLLVMFuncOpPass(Pass):
    """Adds debug-information scopes to functions."""

    name = "ensure-debug-info-scope-on-llvm-func"
    summary = "Materialize LLVM debug info subprogram attribute on every LLVMFuncOp"
    anchor = "builtin.module"
    options = (
        Option(
            "emission-kind",
            str,
            "LineTablesOnly",
            "Emission kind to generate debug info.",
            ("None", "Full", "LineTablesOnly", "DebugDirectivesOnly"),
        ),
    )
    emission_kind: str

    def run(self, op: Operation, ctx: Context) -> None:
        add_scopes(op, self.emission_kind)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM IR as the llvm and nvvm dialects, as `mlir-translate --import-llvm` gives it.

    import_module(text_or_bitcode, "kernel.ll") -> module operation

LLVM reads the input, upgrades and checks it (`source`). Its own text is read into a `model` by
`module_parser` and the other parsers, and the model is translated by `importer` and the other
`*_import` modules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.frontend.llvm_ir.source import Options

if TYPE_CHECKING:
    from xdsl.ir import Operation

__all__ = ["Options", "import_module"]


def import_module(
    source: str | bytes, name: str = "<string>", options: Options | None = None
) -> Operation:
    """The `builtin.module` that LLVM IR, as text or bitcode, means.

    `name` is how messages call the source. What MLIR has no words for and can do without is left
    out; `options.emit_expensive_warnings` tells of all of it.

    Errors: `DiagnosticError` for text that LLVM refuses, at its location, and for what the llvm
    dialect cannot say.
    """
    from xgpu.core.ir.errors import Diagnostic, DiagnosticError
    from xgpu.frontend.llvm_ir.importer import ModuleImport
    from xgpu.frontend.llvm_ir.metadata_import import Context
    from xgpu.frontend.llvm_ir.module_parser import read_module
    from xgpu.frontend.llvm_ir.source import (
        Messages,
        SourceLocations,
        SyntaxFault,
        is_bitcode,
        line_of,
        normal_form,
    )

    options = options or Options()
    if isinstance(source, str):
        source = source.encode("utf-8", "surrogateescape")
    text = normal_form(source, name)
    original = None if is_bitcode(source) else source.decode("utf-8", "surrogateescape")
    locations = SourceLocations(name, original)
    try:
        module = read_module(text, literal_structs=options.import_structs_as_literals)
    except SyntaxFault as fault:
        line = line_of(text, fault.token)
        location = locations.find(text, fault.token, line)
        message = f"{fault.message}: {line.strip()}"
        raise DiagnosticError(Diagnostic("error", message, location)) from None
    messages = Messages(text, locations, details=options.emit_expensive_warnings)
    return ModuleImport(Context(module, messages, options)).run()

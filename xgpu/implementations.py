# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which modules implement the services of lower packages. See `xgpu/core/ir/services.py`.

Each function is called when its service is first asked for, and imports the implementation then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from xgpu.core.ir import services as ir
from xgpu.core.ods import services as ods
from xgpu.tools import services as tools

if TYPE_CHECKING:
    from inspect import Signature

    from xdsl.ir import Attribute, Dialect, Operation
    from xdsl.irdl import OpDef
    from xdsl.parser import Parser
    from xdsl.printer import Printer

    from xgpu.core.ods.attributes import AttributeFormats
    from xgpu.core.ods.operation import Check, Construct, OdsOperation, OperationParts
    from xgpu.core.ods.spec import OpSpec
    from xgpu.tools.runner_arguments import Arguments


def provide_all() -> None:
    """Provides all services; loads none."""
    ir.render_diagnostic.provide(_render_diagnostic)
    ir.attribute_text.provide(_attribute_text)
    ir.operation_facts.provide(_operation_facts)
    ir.definitions.provide(_definitions)
    ir.read_bytecode.provide(_read_bytecode)
    ir.other_passes.provide(_other_passes)
    ods.operation_parts.provide(_operation_parts)
    ods.attribute_formats.provide(_attribute_formats)
    ods.adopt_operation.provide(_adopt_operation)
    ods.installed_dialect.provide(_installed_dialect)
    ods.dialect_folders.provide(_dialect_folders)
    tools.launch_kernel.provide(_launch_kernel)
    tools.driver_folder.provide(_driver_folder)
    tools.program_command.provide(_program_command)


def _render_diagnostic() -> ir.RenderDiagnostic:
    from xgpu.core.syntax.diagnostics import render

    return render


def _driver_folder() -> Callable[[], Path]:
    from xgpu.api.cuda_driver.library_file import library_folder

    return library_folder


def _program_command() -> Callable[[Sequence[str], Sequence[str], Sequence[str]], list[str]]:
    from xgpu.api.cuda_program import program_command

    return program_command


def _launch_kernel() -> Callable[[Arguments], int]:
    from xgpu.api.one_kernel import launch_kernel

    return launch_kernel


def _attribute_text() -> Callable[[Attribute], str]:
    from xgpu.core.syntax.printer import attribute_text

    return attribute_text


def _operation_facts() -> ir.OperationFacts:
    from xgpu.core.ods import facts

    return facts


def _definitions() -> ir.Definitions:
    from xgpu.core.ods import registry

    return registry


def _read_bytecode() -> ir.ReadBytecode:
    from xgpu.core.bytecode.reader import read

    return read


def _other_passes() -> ir.OtherPasses:
    from xgpu import universe

    return universe


def _operation_parts() -> OperationParts:
    return _OperationParts()


def _attribute_formats() -> AttributeFormats:
    from xgpu.core.syntax.formats import attr_format

    return attr_format


def _adopt_operation() -> Callable[[Operation], None]:
    from xgpu.core.syntax.interop import adopt_operation

    return adopt_operation


def _installed_dialect() -> Callable[[str], tuple[Dialect, str] | None]:
    from xgpu.universe import installed_dialect

    return installed_dialect


def _dialect_folders() -> Sequence[str]:
    from xgpu import dialects

    return dialects.__path__


class _OperationParts:
    """Each part is another module, which is loaded when an operation first needs it."""

    def docstring(self, spec: OpSpec) -> str:
        from xgpu.core.ods.docstrings import docstring

        return docstring(spec)

    def signature(self, spec: OpSpec) -> Signature:
        from xgpu.core.ods.parameters import signature_of

        return signature_of(spec)

    def constructor(self, cls: type[OdsOperation]) -> Construct:
        from xgpu.core.ods.constructor import constructor_of

        return constructor_of(cls)

    def irdl_definition(self, cls: type[OdsOperation]) -> OpDef:
        from xgpu.core.ods.irdl import irdl_definition

        return irdl_definition(cls)

    def verify(self, op: OdsOperation, nested: bool) -> None:
        from xgpu.core.ods.verifier import verify_operation

        verify_operation(op, nested)

    def checks(self, cls: type[OdsOperation]) -> tuple[Check, ...]:
        from xgpu.core.ods.verifier import compile_checks

        return compile_checks(cls)

    def parser(self, cls: type[OdsOperation]) -> Callable[[Parser], Operation]:
        from xgpu.core.syntax.formats.format import parser_of

        return parser_of(cls)

    def printer(self, cls: type[OdsOperation]) -> Callable[[Printer, Operation], None]:
        from xgpu.core.syntax.formats.format import printer_of

        return printer_of(cls)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM IR into LLVM: the one place where text or bitcode of a user's program becomes a module."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from xdsl.ir import Attribute, Operation

from xgpu.backend.llvm_ir.translation import translate
from xgpu.core.ir.errors import Diagnostic, DiagnosticError, error

if TYPE_CHECKING:
    from llvmlite.binding.context import ContextRef
    from llvmlite.binding.module import ModuleRef


# -- the operation that an instruction comes from, for errors found in LLVM IR


#: Numbers of values: final ones, and those of the translation under way.
_VALUE = re.compile("%\x01?[0-9]+|, !dbg ![0-9]+$")


def operation_of_line(module: Operation, line: str) -> Operation | None:
    """The first operation that a line of the LLVM IR comes from, whatever its values are called."""
    found: list[Operation] = []
    wanted = _without_numbers(line)

    def record(op: Operation, lines: str) -> None:
        if not found and wanted in map(_without_numbers, lines.splitlines()):
            found.append(op)

    if wanted:
        translate(module, record=record)
    return found[0] if found else None


def _without_numbers(line: str) -> str:
    return _VALUE.sub("%", line.strip())


class RefusedError(DiagnosticError):
    """LLVM does not take what operations were translated to.

    `reason` is what LLVM says, and `line` the line of the text that it says it of, if it names one.
    """

    def __init__(self, problem: RuntimeError, text: str, location: Attribute | None) -> None:
        message = str(problem).strip()
        match = _PLACE.search(message)
        self.line = ""
        self.reason = message
        if match is not None:
            lines = text.splitlines()
            number = int(match[1])
            self.line = lines[number - 1] if number <= len(lines) else ""
            self.reason = match[2]
        super().__init__(
            Diagnostic("error", f"LLVM refuses the translated module: {message}", location)
        )

    def at(self, module: Operation) -> DiagnosticError:
        """The same at the operation in `module` that the line comes from, if that is found."""
        op = operation_of_line(module, self.line)
        if op is None:
            return self
        return error(op, f"LLVM refuses what '{op.name}' is translated to: {self.reason}")


_PLACE = re.compile(r"<string>:(\d+):\d+: error: (.*)")


def parsed(source: str | bytes, context: ContextRef | None = None) -> ModuleRef:
    """The llvmlite module of LLVM IR text or bitcode, verified.

    Errors: `RuntimeError` with LLVM's words.
    """
    module = read(source, context)
    try:
        module.verify()
    except RuntimeError:
        # The error's traceback holds this frame. The garbage collector, which ends such a circle in
        # any order, must not find a module whose context is gone.
        module.close()
        raise
    return module


def read(source: str | bytes, context: ContextRef | None = None) -> ModuleRef:
    """The llvmlite module of LLVM IR text or bitcode, for callers who verify it.

    LLVM's reader verifies a module with debug information in order to upgrade that, and ends the
    process where the module does not hold. The flag prevents that: it gets no information of old
    versions, and what is wrong then comes back as an error of `verify`.
    """
    import llvmlite.binding as llvm

    llvm.set_option("xgpu", "-disable-auto-upgrade-debug-info")
    if isinstance(source, str):
        return llvm.parse_assembly(source, context)
    return llvm.parse_bitcode(source, context)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which operation an instruction comes from, for errors that are found in LLVM IR."""

from __future__ import annotations

import re

from xdsl.ir import Operation

from xgpu.backend.llvm_ir.translation import translate
from xgpu.ir.symbols import symbol_name

#: Numbers of values: final ones, and those of the translation under way.
_VALUE = re.compile("%\x01?[0-9]+|, !dbg ![0-9]+$")
_CALLEE = re.compile(r'@("[^"]*"|[\w.$-]+)\(')


def operation_of(module: Operation, function: str, text: str) -> Operation | None:
    """The first operation in `function` whose translation holds `text`: a callee with its `@`, or
    the template of inline assembly as it is in the LLVM IR. None if there is none.

    `module` is translated once more, so this is for errors alone.
    """
    found: list[Operation] = []
    wanted = function.strip('@"')

    def record(op: Operation, lines: str) -> None:
        if not found and _function_of(op) == wanted and _holds(lines, text):
            found.append(op)

    if text:
        translate(module, record=record)
    return found[0] if found else None


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


def _holds(lines: str, text: str) -> bool:
    if text[0] != "@":
        return text in lines
    # LLVM appends types to the names of intrinsics.
    names = (match[1].strip('"') for match in _CALLEE.finditer(lines))
    return any(text[1:] == name or text[1:].startswith(f"{name}.") for name in names)


def _function_of(op: Operation) -> str | None:
    current: Operation | None = op
    while current is not None and current.name != "llvm.func":
        current = current.parent_op()
    return None if current is None else symbol_name(current)

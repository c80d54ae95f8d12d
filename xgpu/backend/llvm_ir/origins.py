# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which operation an instruction comes from, for errors that are found in LLVM IR."""

from __future__ import annotations

import re

from xdsl.ir import Operation

from xgpu.backend.llvm_ir.translation import translate

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

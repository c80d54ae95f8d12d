# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The memory space of a `!ptr.ptr`: an attribute that says that it is one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Attribute

if TYPE_CHECKING:
    from xgpu.core.syntax.parser import Parser
    from xgpu.core.syntax.printer import Printer


#: The attributes that implement MLIR's MemorySpaceAttrInterface; plugins add theirs.
SPACES = {"llvm.address_space", "nvvm.memory_space", "ptr.generic_space"}


def _read(parser: Parser) -> Attribute:
    start = parser.pos
    space = parser.parse_attribute()
    if space.name not in SPACES:
        parser.raise_error("invalid kind of attribute specified", start)
    return space


def _write(printer: Printer, space: Attribute) -> None:
    printer.print_attribute(space)


PARAMETERS = {("MemorySpaceAttrInterface", "memorySpace"): (_read, _write)}

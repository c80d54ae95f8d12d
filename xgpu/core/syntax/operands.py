# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What stands for a value before it is known: its name, and a value that is not defined yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from xdsl.ir import Attribute, SSAValue
from xdsl.parser import UnresolvedOperand
from xdsl.utils.lexer import Span

from xgpu.core.ir.errors import Diagnostic, DiagnosticError

if TYPE_CHECKING:
    from xdsl.parser import Parser as XdslParser

    from xgpu.core.ir.locations import SourceLoc


class ForwardValue(SSAValue[Attribute]):
    """A value that was used and is not defined yet."""

    location: SourceLoc
    position: int

    def unlinked(self) -> DiagnosticError:
        """For a use that stays: the definition was inside the operation that has the use."""
        return DiagnosticError(
            Diagnostic("error", "operation's operand is unlinked", self.location)
        )

    @property
    def owner(self) -> NoReturn:
        raise self.unlinked()


class Operand(UnresolvedOperand):
    """The name of a value that is used: `name` with its `%`, `index` after `#`, its position."""

    __slots__ = ("_source", "name", "position")

    def __init__(self, name: str, index: int, position: int, parser: XdslParser) -> None:
        self.name = name
        self.index = index
        self.position = position
        self._source = parser

    @property
    def span(self) -> Span:  # pyright: ignore
        return Span(self.position, self.position + len(self.name), self._source.lexer.input)

    @property
    def operand_name(self) -> str:
        return self.name[1:]

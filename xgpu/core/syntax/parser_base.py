# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the parts of the parser share: its state, and the methods by which they call one another.

A part (`*_parser`) is a base class of the parser and uses the others' methods. Here they are
declared for type checkers; nothing of this class is there at run time but the cursor's methods.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from xdsl.dialects.builtin import FunctionType
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineMap, AffineSet
from xdsl.parser import Parser as XdslParser
from xdsl.parser import UnresolvedOperand
from xdsl.utils.lexer import Span

from xgpu.core.ir.errors import Diagnostic, DiagnosticError
from xgpu.core.syntax.tokens import StateView, TokenParser

if TYPE_CHECKING:
    from xdsl.ir import Block, BlockArgument, LocationAttr, Operation, Region, TypeAttribute

    from xgpu.core.ir.locations import SourceLoc, StandInLoc
    from xgpu.core.syntax.table_context import TableContext


# -- names of values before their definition


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


class ParserBase(TokenParser):
    """The cursor, with what the parser keeps while it reads."""

    ctx: TableContext  # pyright: ignore[reportIncompatibleVariableOverride]
    _parser_state: StateView  # pyright: ignore[reportIncompatibleVariableOverride]
    dialect_resources: set[tuple[str, str]]
    resources: dict[str, dict[str, dict[str, object]]]
    #: What each name stands for: a value, a list of them, or a dictionary of values by number.
    _named: dict[str, Any]
    #: Where each name was defined.
    _definitions: dict[str, int]
    #: The names that each open region defined.
    _scopes: list[list[str]]
    #: Types by their text.
    _types: dict[str, TypeAttribute]
    #: Types of operands and results, and properties, of the plain forms that were read
    #: (`formats.plain_form`).
    _forms: dict[
        tuple[object, ...],
        tuple[tuple[Attribute, ...], tuple[Attribute, ...], dict[str, Attribute]],
    ]
    _forward: list[ForwardValue]
    _unresolved: dict[ForwardValue, None]
    #: How many results the operation that is read has names for.
    expected_results: int
    _isolated: bool
    blocks: dict[str, Block]  # pyright: ignore[reportIncompatibleVariableOverride]
    #: Where each block was first named that is not there yet.
    forward_block_references: dict[str, int]  # pyright: ignore[reportIncompatibleVariableOverride]
    #: Classes of operations in generic form; False where there is to be none.
    _generic_ops: dict[str, type[Operation]]
    #: For a spelled name and the default dialect: parser, name, default dialect inside, and
    #: whether the operation is isolated from above.
    _custom_ops: dict[tuple[str, str], tuple[Callable[[XdslParser], Operation], str, str, bool]]
    #: What the distinct attributes of each number refer to.
    distinct: dict[int, Attribute]
    #: What is added to these numbers.
    first_distinct: int
    #: Locations by aliases that are not defined yet, and who has them.
    _stand_ins: dict[str, StandInLoc]
    _located: list[Operation | BlockArgument]

    if TYPE_CHECKING:

        def as_text(self, attribute: Attribute) -> str: ...
        def parse_optional_wide_integer(
            self, allow_boolean: bool = True, allow_negative: bool = True
        ) -> int | None: ...
        def parse_affine_map(self) -> AffineMap: ...
        def parse_affine_set(self) -> AffineSet: ...
        def parse_optional_location(self, context: str = " in location") -> LocationAttr | None: ...
        def parse_location_attribute(self, context: str) -> LocationAttr: ...
        def parse_attribute(self, type: Attribute | None = None) -> Attribute: ...
        def parse_function_type(self) -> FunctionType: ...
        def integer_literal(
            self, text: str, negative: bool, type: Attribute, position: int
        ) -> Attribute: ...
        def _parse_types_in_parens(self) -> list[TypeAttribute]: ...
        def _parse_result_types(self) -> list[TypeAttribute]: ...
        def _parse_dimensions(self) -> list[int]: ...
        def _parse_region(
            self, arguments: Iterable[XdslParser.Argument] | None, isolated: bool
        ) -> Region: ...
        def _define(self, name: str, values: Sequence[SSAValue], position: int) -> None: ...
        def _definition_location(self, name: str, index: int, value: SSAValue) -> Attribute: ...
        def _block(self, name: str, position: int) -> Block: ...

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The parser: MLIR 22.1 text to IR, generic and pretty forms.

It is an xDSL `Parser`, so that hooks written against xDSL's interface run on it, with everything
that costs time or that xDSL lacks replaced; the parts are in the modules named `*_parser`.
"""

from __future__ import annotations

from xdsl.ir import Attribute
from xdsl.utils.lexer import Input

from xgpu.core.ir.errors import shown
from xgpu.core.ir.source import Source
from xgpu.core.syntax.affine_parser import AffineParser
from xgpu.core.syntax.attribute_parser import AttributeParser
from xgpu.core.syntax.lexer import tokenize
from xgpu.core.syntax.literal_parser import LiteralParser
from xgpu.core.syntax.location_parser import LocationParser
from xgpu.core.syntax.operation_parser import OperationParser
from xgpu.core.syntax.region_parser import RegionParser
from xgpu.core.syntax.symbol_parser import SymbolParser
from xgpu.core.syntax.table_context import TableContext
from xgpu.core.syntax.tokens import LexerView, StateView
from xgpu.core.syntax.type_parser import TypeParser, simple_types
from xgpu.core.syntax.value_parser import ValueParser


class Parser(  # pyright: ignore[reportIncompatibleMethodOverride]
    RegionParser,
    OperationParser,
    ValueParser,
    AttributeParser,
    SymbolParser,
    TypeParser,
    LocationParser,
    AffineParser,
    LiteralParser,
):
    """Reads one text. `parse_module` reads all of it."""

    def __init__(self, ctx: TableContext, source: Source) -> None:
        self.ctx = ctx
        self.source = source
        self._texts, self._starts = tokenize(source.text)
        self._at = 0
        self._parser_state = StateView(self, LexerView(self, Input(source.text, source.filename)))
        self.attribute_aliases: dict[str, Attribute] = {}
        self.dialect_resources = set()
        self.resources = {}
        self._types = simple_types()
        self._plain_types = {}
        self._function_types = {}
        self._forms = {}
        self._integers = {}
        self._attributes = {}
        self._named = {}
        self._definitions = {}
        self._scopes = [[]]
        self._forward = []
        self._unresolved = {}
        self.blocks = {}
        self.forward_block_references = {}
        self._isolated = False
        self._generic_ops = {}
        self._custom_ops = {}
        self.distinct = {}
        self.first_distinct = 0
        self._stand_ins = {}
        self._located = []

    def as_text(self, attribute: Attribute) -> str:
        """An attribute or type as text, for a message."""
        return shown(attribute)


def parse_alone(
    text: str,
    filename: str,
    ctx: TableContext | None = None,
    *,
    is_type: bool = False,
    first_distinct: int = 0,
) -> Attribute:
    """Reads one attribute or type, all of the text. Its distinct attributes are numbered from
    `first_distinct` on."""
    parser = Parser(ctx if ctx is not None else TableContext(True), Source(text, filename))
    parser.first_distinct = first_distinct
    found = parser.parse_type() if is_type else parser.parse_attribute()
    if parser._text:
        parser.fail("found trailing characters")
    return found

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reading `loc(...)`. A part of the parser."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import (
    FileLineColLoc,
    IntAttr,
    LocationAttr,
    NoneAttr,
    StringAttr,
    UnknownLoc,
)

from xgpu.core.ir.integers import integer_value
from xgpu.core.ir.locations import (
    FileLineColRange,
    StandInLoc,
    call_site_loc,
    is_location,
    name_loc,
)
from xgpu.core.ir.uniquing import fused_loc
from xgpu.core.syntax.lexer import is_composite, is_integer
from xgpu.core.syntax.parser_base import ParserBase


class LocationParser(ParserBase):
    """Reading `loc(...)`. A part of the parser."""

    def parse_optional_location(self, context: str = " in location") -> LocationAttr | None:
        """`loc(...)` of an operation or argument, which may name an alias that comes later."""
        if self._texts[self._at] != "loc":
            return None
        self._at += 1
        self.parse_punctuation("(", context)
        alias = self._texts[self._at]
        if alias[:1] != "#" or "." in alias or is_composite(alias):
            location = self._parse_location()
        else:
            location = self._location_alias(alias)
        self.parse_punctuation(")", context)
        return location

    def parse_location_attribute(self, context: str) -> LocationAttr:
        """`loc(...)`"""
        self._at += 1
        self.parse_punctuation("(", context)
        location = self._parse_location()
        self.parse_punctuation(")", context)
        return location

    def _location_alias(self, alias: str) -> LocationAttr:
        """The location that an alias stands for; if it is not defined yet, a placeholder that is
        replaced when the whole text was read."""
        position = self._starts[self._at]
        self._at += 1
        location = self.attribute_aliases.get(alias)
        if location is None:
            location = self._stand_ins.get(alias)
            if location is None:
                location = self._stand_ins[alias] = StandInLoc(self.source, position)
                location.alias = alias
        elif not is_location(location):
            found = self.as_text(location)
            raise self.error_at(position, f"expected location, but found '{found}'")
        return location

    def _parse_location(self) -> LocationAttr:
        text = self._text
        if text == "unknown":
            self._at += 1
            return UnknownLoc()
        if text[:1] == '"':
            return self._parse_file_or_name()
        if text == "callsite":
            self._at += 1
            self.parse_punctuation("(", " in callsite location")
            callee = self._parse_location()
            if self._texts[self._at] != "at":
                self.expected("expected 'at' in callsite location")
            self._at += 1
            caller = self._parse_location()
            self.parse_punctuation(")", " in callsite location")
            return call_site_loc(callee, caller)
        if text == "fused":
            return self._parse_fused()
        if text[:1] == "#":
            attribute = self.parse_attribute()
            if is_location(attribute):
                return attribute
            raise self.fail(f"expected location attribute, but got '{self.as_text(attribute)}'")
        return self.expected("expected location instance")

    def _parse_file_or_name(self) -> Any:
        text = self.parse_str_literal()
        texts = self._texts
        if texts[self._at] == ":":
            self._at += 1
            line = self._line_or_column("line")
            if texts[self._at] != ":":
                # Only a line: MLIR reads it as column 0.
                return FileLineColLoc(StringAttr(text), IntAttr(line), IntAttr(0))
            self._at += 1
            column = self._line_or_column("column")
            if texts[self._at] != "to":
                return FileLineColLoc(StringAttr(text), IntAttr(line), IntAttr(column))
            self._at += 1
            end_line = line
            if texts[self._at] != ":":
                end_line = self._line_or_column("line")
            self.parse_punctuation(":")
            end_column = self._line_or_column("column")
            return FileLineColRange((text, line, column, end_line, end_column))
        if texts[self._at] == "(":
            self._at += 1
            child = self._parse_location()
            self.parse_punctuation(")", " after child location of NameLoc")
            return name_loc(text, child)
        return name_loc(text, UnknownLoc())

    def _line_or_column(self, what: str) -> int:
        text = self._texts[self._at]
        # MLIR's are unsigned ints.
        if not is_integer(text) or (value := integer_value(text)) >> 32:
            raise self.expected(f"expected integer {what} number in FileLineColRange")
        self._at += 1
        return value

    def _parse_fused(self) -> LocationAttr:
        self._at += 1
        metadata = NoneAttr()
        if self.parse_optional_punctuation("<") is not None:
            metadata = self.parse_attribute()
            self.parse_punctuation(">", " after fused location metadata")
        parts = self.parse_comma_separated_list(
            self.Delimiter.SQUARE, self._parse_location, " in fused location"
        )
        return fused_loc(parts, metadata)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Locations: xDSL's classes, and what MLIR 22 has beyond them.

`SourceLoc` is what the reader gives every operation and block argument: a text and a position in
it. File, line and column are worked out when somebody asks, which for most is never.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import (
    BuiltinAttribute,
    CallSiteLoc,
    FileLineColLoc,
    FusedLoc,
    IntAttr,
    NameLoc,
    StringAttr,
    UnknownLoc,
)
from xdsl.ir import Data

if TYPE_CHECKING:
    from xdsl.ir import Attribute
    from xdsl.printer import Printer

    from xgpu.ir.source import Source


def build(cls: Any, **fields: Any) -> Any:
    """An xDSL attribute without its verifier, which knows no locations but xDSL's own."""
    attribute = cls.__new__(cls)
    attribute.__dict__.update(fields)
    return attribute


def name_loc(name: str, child: Any) -> NameLoc:
    """`"name"(child)`"""
    return build(NameLoc, desc=StringAttr(name), location=child)


def call_site_loc(callee: Any, caller: Any) -> CallSiteLoc:
    """`callsite(callee at caller)`"""
    return build(CallSiteLoc, callee=callee, caller=caller)


def fused_loc(locations: Any, metadata: Any = None) -> FusedLoc:
    """`fused<metadata>[locations]`"""
    from xdsl.dialects.builtin import ArrayAttr, NoneAttr

    return build(
        FusedLoc,
        locations=ArrayAttr(locations),
        metadata=NoneAttr() if metadata is None else metadata,
    )


class SourceLoc(BuiltinAttribute):
    """A `FileLineColLoc` that knows its text and the position in it, and finds line and column
    when asked. Equal to any `FileLineColLoc` of the same file, line and column (xDSL's class is
    final, so it is no subclass: ask `place_of`)."""

    __slots__ = ("position", "source")
    __setattr__ = object.__setattr__  # pyright: ignore[reportAssignmentType]
    name = "file_line_loc"

    def __init__(self, source: Source, position: int) -> None:
        self.source = source
        self.position = position

    def place(self) -> tuple[str, int, int]:
        """File, line, column."""
        source = self.source
        return (source.filename, *source.line_and_column(self.position))

    @property
    def filename(self) -> StringAttr:  # pyright: ignore
        return StringAttr(self.source.filename)

    @property
    def line(self) -> IntAttr:  # pyright: ignore
        return IntAttr(self.source.line_and_column(self.position)[0])

    @property
    def column(self) -> IntAttr:  # pyright: ignore
        return IntAttr(self.source.line_and_column(self.position)[1])

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if isinstance(other, SourceLoc | FileLineColLoc):
            return place_of(self) == place_of(other)
        return NotImplemented

    def print_builtin(self, printer: Printer) -> None:
        filename, line, column = self.place()
        with printer.in_location():
            printer.print_string_literal(filename)
            printer.print_string(f":{line}:{column}")

    def __hash__(self) -> int:
        filename, line, column = self.place()
        return hash(FileLineColLoc(StringAttr(filename), IntAttr(line), IntAttr(column)))

    def __deepcopy__(self, memo: object) -> SourceLoc:
        return self


class FileLineColRange(Data[tuple[str, int, int, int, int]], BuiltinAttribute):
    """A range in a file, `"f":1:2 to 3:4`; `data` is the file and the two lines and columns."""

    name = "builtin.file_line_range"

    def print_builtin(self, printer: Printer) -> None:
        filename, line, column, end_line, end_column = self.data
        with printer.in_location():
            printer.print_string_literal(filename)
            if end_line == line:
                end = f":{end_column}"
            else:
                end = f"{end_line}:{end_column}"
            printer.print_string(f":{line}:{column} to {end}")

    @classmethod
    def parse_parameter(cls, parser: Any) -> Any:
        parser.fail("a location is written as loc(...)")

    def print_parameter(self, printer: Printer) -> None: ...


LOCATIONS = (
    SourceLoc,
    FileLineColLoc,
    UnknownLoc,
    NameLoc,
    CallSiteLoc,
    FusedLoc,
    FileLineColRange,
)


def is_location(attribute: object) -> bool:
    """Whether an attribute is a location."""
    return isinstance(attribute, LOCATIONS)


def place_of(location: Attribute | None) -> tuple[str, int, int] | None:
    """File, line and column of a location for a message, as MLIR finds it: the first place that a
    name, a call site's callee or a fusion leads to. None if there is none."""
    if isinstance(location, SourceLoc):
        return location.place()
    if isinstance(location, FileLineColLoc):
        return location.filename.data, location.line.data, location.column.data
    if isinstance(location, FileLineColRange):
        return location.data[:3]
    if isinstance(location, NameLoc):
        return place_of(location.location)
    if isinstance(location, CallSiteLoc):
        return place_of(location.callee) or place_of(location.caller)
    if isinstance(location, FusedLoc):
        for part in location.locations.data:  # pyright: ignore
            if (place := place_of(part)) is not None:
                return place
    return None


def position(location: Attribute | None) -> tuple[str, int, str]:
    """File, line and function of a location, as far as it tells: a name is taken for the
    function's; `("(unknown)", 0, "(unknown)")` where nothing is known."""
    name = "(unknown)"
    if isinstance(location, NameLoc):
        name = location.desc.data
    elif isinstance(location, CallSiteLoc) and isinstance(location.callee, NameLoc):
        name = location.callee.desc.data
    place = place_of(location)
    return ("(unknown)", 0, name) if place is None else (place[0], place[1], name)


class LocationReader:
    """Reading `loc(...)`. A part of the parser."""

    #: Trailing locations that name an alias not defined yet: alias, position, whom to give it to.
    _deferred_locations: list[tuple[str, int, list[Any]]]

    def parse_optional_location(self: Any, context: str = " in location") -> Any:
        if self._texts[self._at] != "loc":
            return None
        self._at += 1
        self.parse_punctuation("(", context)
        alias = self._texts[self._at]
        if alias[:1] == "#" and self._texts[self._at + 1] == ")" and "." not in alias:
            location = self._location_alias(alias)
        else:
            location = self._parse_location()
        self.parse_punctuation(")", context)
        return location

    def _location_alias(self: Any, alias: str) -> Any:
        """The location that an alias stands for; if it is not defined yet, a stand-in that is
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
            raise self.error_at(position, f"expected location, but found '{self.spell(location)}'")
        return location

    def _parse_location(self: Any) -> Any:
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
            if "." not in text:
                return self._location_alias(text)
            position = self.pos
            attribute = self.parse_attribute()
            if is_location(attribute):
                return attribute
            raise self.error_at(
                position, f"expected location attribute, but got '{self.spell(attribute)}'"
            )
        if text == "loc":
            location = self.parse_optional_location()
            if location is not None:
                return location
        return self.expected("expected location instance")

    def _parse_file_or_name(self: Any) -> Any:
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

    def _line_or_column(self: Any, what: str) -> int:
        value = self.parse_optional_integer(allow_boolean=False, allow_negative=False)
        if value is None:
            raise self.expected(f"expected integer {what} number in FileLineColRange")
        return value

    def _parse_fused(self: Any) -> Any:
        from xdsl.dialects.builtin import NoneAttr

        self._at += 1
        metadata = NoneAttr()
        if self.parse_optional_punctuation("<") is not None:
            metadata = self.parse_attribute()
            self.parse_punctuation(">", " after fused location metadata")
        parts = self.parse_comma_separated_list(
            self.Delimiter.SQUARE, self._parse_location, " in fused location"
        )
        return fused_loc(parts, metadata)


class StandInLoc(SourceLoc):
    """Stands for a location alias that is defined later in the text."""

    __slots__ = ("alias",)
    alias: str


def resolve_location(location: Any, aliases: dict[str, Any]) -> Any:
    """`location` with its stand-ins replaced by what their aliases turned out to be."""
    if isinstance(location, StandInLoc):
        found = aliases[location.alias]
        if not is_location(found):
            from xgpu.ir.attribute_text import shown
            from xgpu.ir.errors import Diagnostic, DiagnosticError

            message = f"expected location, but found '{shown(found)}'"
            raise DiagnosticError(Diagnostic("error", message, location))
        return resolve_location(found, aliases)
    if isinstance(location, NameLoc):
        return name_loc(location.desc.data, resolve_location(location.location, aliases))
    if isinstance(location, CallSiteLoc):
        return call_site_loc(
            resolve_location(location.callee, aliases), resolve_location(location.caller, aliases)
        )
    if isinstance(location, FusedLoc):
        parts = [resolve_location(part, aliases) for part in location.locations.data]  # pyright: ignore
        return fused_loc(parts, location.metadata)
    return location

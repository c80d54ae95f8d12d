# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Locations: xDSL's classes, and what MLIR 22 has beyond them.

`SourceLoc` is what the reader gives every operation and block argument: a text and a position in
it. File, line and column are worked out on demand, which for most is never.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, NoReturn, TypeGuard, TypeVar

from xdsl.dialects.builtin import (
    BuiltinAttribute,
    CallSiteLoc,
    FileLineColLoc,
    FusedLoc,
    IntAttr,
    LocationAttr,
    NameLoc,
    StringAttr,
    UnknownLoc,
)
from xdsl.ir import Attribute, Data

if TYPE_CHECKING:
    from collections.abc import Iterator

    from xdsl.parser import AttrParser
    from xdsl.printer import Printer

    from xgpu.core.ir.source import Source


T = TypeVar("T")


def build(cls: type[T], **fields: object) -> T:
    """An xDSL attribute without its verifier, which knows no locations but xDSL's own."""
    attribute = cls.__new__(cls)
    attribute.__dict__.update(fields)
    return attribute


def name_loc(name: str, child: Attribute) -> NameLoc:
    """`"name"(child)`"""
    return build(NameLoc, desc=StringAttr(name), location=child)


def call_site_loc(callee: Attribute, caller: Attribute) -> CallSiteLoc:
    """`callsite(callee at caller)`"""
    return build(CallSiteLoc, callee=callee, caller=caller)


class SourceLocation(NamedTuple):
    """Where something is for people: what messages, traces and debug information say of a location
    of any kind. As text `file:line:column`."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


if TYPE_CHECKING:
    # It has all that this class has, and stands wherever that stands; see its docstring.
    _SourceLocBase = FileLineColLoc
else:
    _SourceLocBase = BuiltinAttribute


class SourceLoc(_SourceLocBase):
    """A `FileLineColLoc` that knows its text and the position in it, and finds line and column
    when asked. Equal to any `FileLineColLoc` of the same file, line and column (xDSL's class is
    final, so it is no subclass: ask `source_location`)."""

    __slots__ = ("position", "source")
    __setattr__ = object.__setattr__  # pyright: ignore[reportAssignmentType]
    name = "file_line_loc"

    def __init__(self, source: Source, position: int) -> None:
        self.source = source
        self.position = position

    def source_location(self) -> SourceLocation:
        """File, line, column."""
        source = self.source
        return SourceLocation(source.filename, *source.line_and_column(self.position))

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
            return source_location(self) == source_location(other)
        return NotImplemented

    def print_builtin(self, printer: Printer) -> None:
        filename, line, column = self.source_location()
        with printer.in_location():
            printer.print_string_literal(filename)
            printer.print_string(f":{line}:{column}")

    def __hash__(self) -> int:
        filename, line, column = self.source_location()
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
    def parse_parameter(cls, parser: AttrParser) -> NoReturn:
        parser.raise_error("a location is written as loc(...)")

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


def is_location(attribute: object) -> TypeGuard[LocationAttr]:
    """Whether an attribute is a location."""
    return isinstance(attribute, LOCATIONS)


def source_location(location: Attribute | None) -> SourceLocation | None:
    """File, line and column of a location for a message, as MLIR finds it: the first one that a
    name, a call site's callee or a fusion leads to. None if there is none."""
    if isinstance(location, SourceLoc):
        return location.source_location()
    for part in _parts(location):
        if isinstance(part, SourceLoc):
            return part.source_location()
        if isinstance(part, FileLineColLoc):
            return SourceLocation(part.filename.data, part.line.data, part.column.data)
        if isinstance(part, FileLineColRange):
            return SourceLocation(*part.data[:3])
    return None


def _parts(location: Attribute | None) -> Iterator[Attribute]:
    """A location and what names, call sites (the callee first) and fusions lead to, in order.

    Parts may be shared: none comes twice, so their number is that of distinct ones."""
    pending = [location]
    seen: set[int] = set()
    while pending:
        part = pending.pop()
        if part is None or id(part) in seen:
            continue
        seen.add(id(part))
        yield part
        if isinstance(part, NameLoc):
            pending.append(part.location)
        elif isinstance(part, CallSiteLoc):
            pending += (part.caller, part.callee)
        elif isinstance(part, FusedLoc):
            pending += reversed(part.locations.data)  # pyright: ignore


#: MLIR shows at most this many callers of a call site.
CALL_STACK_LIMIT = 10


def callers_of(location: Attribute | None) -> list[Attribute]:
    """Where the function of a location was called from, and that function, and so on, as far as
    call sites tell; at most so many as MLIR shows."""
    found: list[Attribute] = []
    call = _call_site(location)
    while call is not None and len(found) < CALL_STACK_LIMIT:
        found.append(call.caller)
        call = _call_site(call.caller)
    return found


def _call_site(location: Attribute | None) -> CallSiteLoc | None:
    """The first call site that names and fusions lead to."""
    return next((part for part in _parts(location) if isinstance(part, CallSiteLoc)), None)


def position(location: Attribute | None) -> tuple[str, int, str]:
    """File, line and function of a location, as far as it tells: a name is taken for the
    function's; `("(unknown)", 0, "(unknown)")` where nothing is known."""
    name = "(unknown)"
    if isinstance(location, NameLoc):
        name = location.desc.data
    elif isinstance(location, CallSiteLoc) and isinstance(location.callee, NameLoc):
        name = location.callee.desc.data
    found = source_location(location)
    return ("(unknown)", 0, name) if found is None else (found.file, found.line, name)


class StandInLoc(SourceLoc):
    """Stands for a location alias that is defined later in the text."""

    __slots__ = ("alias",)
    alias: str

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Data layout entries and specifications.

All are lists of entries `key = value`, where a key is a type or a string; an entry may also be
written as an attribute of its own, `#dlti.dl_entry<key, value>`. Source: MLIR 22.1 DLTI.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, Data

from xgpu.core.ir.fields import current_token

if TYPE_CHECKING:
    from xdsl.parser import AttrParser
    from xdsl.printer import Printer

Entry = tuple[Attribute, Attribute]


def _parse_key(parser: AttrParser) -> Attribute:
    text = parser.parse_optional_str_literal()
    if text is not None:
        if not text:
            parser.raise_error("empty string as DLTI key is not allowed")
        return StringAttr(text)
    key = parser.parse_optional_type()
    if key is None:
        parser.raise_error("expected a type or a quoted string")
    return key


def _print_entry(printer: Printer, entry: Entry, between: str) -> None:
    printer.print_attribute(entry[0])
    printer.print_string(between)
    printer.print_attribute(entry[1])


class DataLayoutEntryAttr(Data[Entry]):
    """`#dlti.dl_entry<key, value>`"""

    name = "dlti.dl_entry"

    @property
    def key(self) -> Attribute:
        return self.data[0]

    @property
    def value(self) -> Attribute:
        return self.data[1]

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Entry:
        parser.parse_punctuation("<")
        key = _parse_key(parser)
        parser.parse_punctuation(",")
        value = parser.parse_attribute()
        parser.parse_punctuation(">")
        return key, value

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string("<")
        _print_entry(printer, self.data, ", ")
        printer.print_string(">")


class _Entries(Data[tuple[Entry, ...]]):
    """A list of entries with distinct keys."""

    entries_of: type[Attribute] | None = None

    def entries(self) -> tuple[Entry, ...]:
        """The pairs of key and value, in order."""
        return self.data

    def query(self, key: Attribute | str) -> Attribute | None:
        """The value of `key`, or None."""
        wanted = StringAttr(key) if isinstance(key, str) else key
        return next((value for found, value in self.data if found == wanted), None)

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> tuple[Entry, ...]:
        parser.parse_punctuation("<")
        found: list[Entry] = []
        if parser.parse_optional_punctuation(">") is not None:
            return ()
        while True:
            at = parser.pos
            entry = cls._parse_entry(parser)
            if any(entry[0] == key for key, _ in found):
                parser.raise_error(f"repeated DLTI key: {_as_text(entry[0])}", at)
            found.append(entry)
            if parser.parse_optional_punctuation(",") is None:
                break
        parser.parse_punctuation(">")
        return tuple(found)

    @classmethod
    def _parse_entry(cls, parser: AttrParser) -> Entry:
        whole = parser.parse_optional_attribute() if _starts_attribute(parser) else None
        if whole is not None:
            if not isinstance(whole, DataLayoutEntryAttr):
                parser.raise_error("expected a data layout entry")
            return whole.data
        key = _parse_key(parser)
        parser.parse_punctuation("=")
        return key, parser.parse_attribute()

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string("<")
        for i, entry in enumerate(self.data):
            if i:
                printer.print_string(", ")
            _print_entry(printer, entry, " = ")
        printer.print_string(">")


def _starts_attribute(parser: AttrParser) -> bool:
    """Whether an attribute of a dialect, and no key, comes next."""
    return current_token(parser).text.startswith("#")


def _as_text(key: Attribute) -> str:
    return key.data if isinstance(key, StringAttr) else str(key)


class DataLayoutSpecAttr(_Entries):
    """`#dlti.dl_spec<index = 32 : i32, "dlti.endianness" = "little">`"""

    name = "dlti.dl_spec"


class MapAttr(_Entries):
    """`#dlti.map<"key" = value>`"""

    name = "dlti.map"


class TargetDeviceSpecAttr(_Entries):
    """`#dlti.target_device_spec<"L1_cache_size_in_bytes" = 4096 : i32>`"""

    name = "dlti.target_device_spec"


class TargetSystemSpecAttr(_Entries):
    """`#dlti.target_system_spec<"CPU" = #dlti.target_device_spec<...>>`"""

    name = "dlti.target_system_spec"


ATTRIBUTES: dict[str, type[Attribute]] = {
    cls.name: cls
    for cls in (
        DataLayoutEntryAttr,
        DataLayoutSpecAttr,
        MapAttr,
        TargetDeviceSpecAttr,
        TargetSystemSpecAttr,
    )
}

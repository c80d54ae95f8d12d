# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bytes of MLIR's bytecode: integers of variable width, sections, alignment.

An integer takes one to nine bytes. The number of zeros at the low end of the first byte says how
many bytes follow it; all zeros stand for eight. A section is its number, its length, and, where
the high bit of the number says so, an alignment and padding. See MLIR's `Bytecode/Encoding.h`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import NoReturn

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr

from xgpu.core.ir.errors import Diagnostic, DiagnosticError
from xgpu.core.support.files import BYTECODE

MAGIC = BYTECODE
#: What `xgpu.core.syntax.resources` keeps: section, group, key, value.
Resources = Mapping[str, Mapping[str, Mapping[str, object]]]
#: The newest version, which is written if no other is asked for.
VERSION = 6
#: Versions in which something came: what older files have instead is read and can be written.
DIALECT_VERSIONS = 1
ISOLATED_SECTIONS = 2
USE_LIST_ORDERS = 3
ELIDED_ARGUMENT_LOCATIONS = 4
NATIVE_PROPERTIES = 5
NATIVE_SEGMENT_SIZES = 6

PADDING = 0xCB
_WORD = (1 << 64) - 1
_ALIGNED = 0x80
#: MLIR's alignments are 32-bit numbers.
_MOST_ALIGNED = 1 << 31


class Section(IntEnum):
    """The numbers of sections."""

    STRING = 0
    DIALECT = 1
    ATTR_TYPE = 2
    ATTR_TYPE_OFFSET = 3
    IR = 4
    RESOURCE = 5
    RESOURCE_OFFSET = 6
    DIALECT_VERSIONS = 7
    PROPERTIES = 8


class Part:
    """What an operation has: bits of a byte in its encoding. Plain numbers, since an enumeration's
    take longer to look up than what they guard."""

    ATTRIBUTES = 1
    RESULTS = 2
    OPERANDS = 4
    SUCCESSORS = 8
    REGIONS = 16
    USE_LIST_ORDERS = 32
    PROPERTIES = 64


class ResourceKind(IntEnum):
    """What the value of a resource is."""

    BLOB = 0
    BOOL = 1
    STRING = 2


class Emitter:
    """Bytes that are written one after the other."""

    __slots__ = ("alignment", "data")

    def __init__(self) -> None:
        self.data = bytearray()
        #: The alignment that the first byte needs.
        self.alignment = 1

    def byte(self, value: int) -> None:
        self.data.append(value)

    def varint(self, value: int) -> None:
        """A number of 64 bits, without sign."""
        if value < 0x80:
            self.data.append(value << 1 | 1)
            return
        count = (value.bit_length() + 6) // 7
        if count > 8:
            self.data.append(0)
            self.data += value.to_bytes(8, "little")
        else:
            self.data += ((value << 1 | 1) << (count - 1)).to_bytes(count, "little")

    def flagged(self, value: int, flag: bool) -> None:
        """A number, and a flag in its low bit."""
        self.varint(value << 1 | flag)

    def signed(self, value: int) -> None:
        """A number of 64 bits with sign; small ones take little, whatever their sign."""
        self.varint(((value << 1) ^ (value >> 63)) & _WORD)

    def integer(self, value: int, width: int) -> None:
        """A number of `width` bits, which a reader knows."""
        value &= (1 << width) - 1
        if width <= 8:
            self.data.append(value)
        elif width <= 64:
            self.signed(_as_signed(value))
        else:
            count = max((value.bit_length() + 63) // 64, 1)
            self.varint(count)
            for at in range(count):
                self.signed(_as_signed(value >> (64 * at) & _WORD))

    def align(self, alignment: int) -> None:
        if alignment > 1:
            self.data += bytes((PADDING,)) * (-len(self.data) % alignment)
            self.alignment = max(self.alignment, alignment)

    def section(self, number: Section, content: Emitter) -> None:
        """A section with this content."""
        start = len(self.data)
        self.data.append(number)
        self.varint(len(content.data))
        if len(self.data) % content.alignment:
            self.data[start] |= _ALIGNED
            self.varint(content.alignment)
            self.align(content.alignment)
        else:
            self.alignment = max(self.alignment, content.alignment)
        self.data += content.data


def _as_signed(word: int) -> int:
    return word - (1 << 64) if word >> 63 else word


class Cursor:
    """A place in the bytes of a file, up to an end. Reading past it is a diagnostic."""

    __slots__ = ("at", "data", "end", "filename")

    def __init__(self, data: bytes, filename: str, at: int = 0, end: int | None = None) -> None:
        self.data = data
        self.filename = filename
        self.at = at
        self.end = len(data) if end is None else end

    def part(self, at: int, end: int) -> Cursor:
        """A cursor over a part of the same file."""
        return Cursor(self.data, self.filename, at, end)

    def fail(self, message: str, at: int | None = None) -> NoReturn:
        """Raises the diagnostic that the bytes at the cursor, or at `at`, are wrong."""
        raise self.error(message, at)

    def error(self, message: str, at: int | None = None) -> DiagnosticError:
        """The diagnostic that `fail` raises."""
        offset = self.at if at is None else at
        location = FileLineColLoc(StringAttr(self.filename), IntAttr(0), IntAttr(0))
        return DiagnosticError(Diagnostic("error", f"{message}, at offset {offset}", location))

    def byte(self) -> int:
        at = self.at
        if at >= self.end:
            self.fail("attempting to parse a byte at the end of the bytecode")
        self.at = at + 1
        return self.data[at]

    def bytes(self, count: int) -> bytes:
        at = self.at
        left = self.end - at
        if count > left:
            self.fail(f"attempting to parse {count} bytes when only {left} remain")
        self.at = at + count
        return self.data[at : at + count]

    def varint(self) -> int:
        at = self.at
        if at >= self.end:
            self.fail("attempting to parse a byte at the end of the bytecode")
        first = self.data[at]
        if first & 1:
            self.at = at + 1
            return first >> 1
        if not first:
            self.at = at + 1
            return int.from_bytes(self.bytes(8), "little")
        count = (first & -first).bit_length()
        return int.from_bytes(self.bytes(count), "little") >> count

    def flagged(self) -> tuple[int, bool]:
        value = self.varint()
        return value >> 1, bool(value & 1)

    def signed(self) -> int:
        value = self.varint()
        return (value >> 1) ^ -(value & 1)

    def integer(self, width: int) -> int:
        """A number of `width` bits, without sign."""
        mask = (1 << width) - 1
        if width <= 8:
            return self.byte() & mask
        if width <= 64:
            return self.signed() & mask
        value = 0
        for at in range(self.count("words of an integer")):
            value |= (self.signed() & _WORD) << (64 * at)
        return value & mask

    def count(self, what: str) -> int:
        """A number of things that follow, each of which takes a byte at least: what cannot be there
        is not counted on."""
        at = self.at
        count = self.varint()
        if count > self.end - self.at:
            self.fail(f"expected {count} {what}, but only {self.end - self.at} bytes remain", at)
        return count

    def entry(self, entries: Sequence[object], what: str) -> int:
        """The index of one of `entries`."""
        at = self.at
        if at < self.end and self.data[at] & 1:  # most take one byte
            index = self.data[at] >> 1
            if index < len(entries):
                self.at = at + 1
                return index
        index = self.varint()
        if index >= len(entries):
            self.fail(f"invalid {what} index: {index}", at)
        return index

    def align(self, alignment: int) -> None:
        """Goes over padding to a multiple of `alignment` in the file."""
        if alignment & (alignment - 1) or not 0 < alignment <= _MOST_ALIGNED:
            self.fail("expected alignment to be a power-of-two")
        while self.at % alignment:
            if self.byte() != PADDING:
                self.fail("expected alignment byte (0xCB)", self.at - 1)

    def section(self) -> tuple[int, Cursor]:
        """The number of the section that begins here, and its content."""
        start = self.at
        number = self.byte()
        length = self.varint()
        if number & _ALIGNED:
            self.align(self.varint())
        number &= ~_ALIGNED
        if number not in _SECTIONS:
            self.fail(f"invalid section ID: {number}", start)
        at = self.at
        self.bytes(length)
        return number, self.part(at, at + length)

    def expect_end(self, what: str) -> None:
        if self.at != self.end:
            self.fail(f"unexpected trailing bytes after {what}")


_SECTIONS = frozenset(Section)

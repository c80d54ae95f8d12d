# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lines of machine code: the table `.debug_line` of an ELF file of 64 bits, little-endian.

    LineTable(image).place(0x1234)  ->  ("main.cu", 12, 3)

DWARF 2 to 5, "Line Number Information" (https://dwarfstd.org). A compiler writes it with `-g`.
"""

from __future__ import annotations

import bisect
import os
import struct
import zlib
from typing import NamedTuple

_COMPRESSED = 0x800  # SHF_COMPRESSED
_COMPRESSION_HEADER = 24
# Forms of attributes: DWARF 5, 7.5.6.
_STRING, _LINE_STRP, _STRP, _DATA16, _UDATA, _BLOCK = 0x08, 0x1F, 0x0E, 0x1E, 0x0F, 0x09
_FIXED = {0x0B: 1, 0x05: 2, 0x06: 4, 0x07: 8, _DATA16: 16}
_PATH, _FOLDER = 1, 2  # DW_LNCT_path, DW_LNCT_directory_index


class Row(NamedTuple):
    """From `address` on; a row without a file ends a sequence."""

    address: int
    file: str
    line: int
    column: int


class LineTable:
    """The lines of an ELF image; none where it has no debug information, or is no such image."""

    def __init__(self, image: bytes) -> None:
        self._sections = _sections(image)
        self._rows: list[Row] | None = None
        self._begins: list[int] = []

    def place(self, address: int) -> tuple[str, int, int] | None:
        """The file, line and column of the instruction at an address of the image."""
        if self._rows is None:
            self._rows = sorted(
                _rows(self._sections), key=lambda row: (row.address, row.file != "")
            )
            self._begins = [row.address for row in self._rows]
        at = bisect.bisect_right(self._begins, address) - 1
        # Of several rows for an address, the last one counts; line 0 belongs to no line.
        row = self._rows[at] if at >= 0 else None
        return (row.file, row.line, row.column) if row is not None and row.line else None


def _sections(image: bytes) -> dict[str, bytes]:
    """The sections with debug information, by name."""
    if image[:6] != b"\x7fELF\x02\x01" or len(image) < 64:
        return {}
    (table,) = struct.unpack_from("<Q", image, 40)
    size, count, names = struct.unpack_from("<HHH", image, 58)
    headers = [
        struct.unpack_from("<IIQQQQIIQQ", image, table + i * size)
        for i in range(count)
        if table + (i + 1) * size <= len(image)
    ]
    if names >= len(headers):
        return {}
    texts = headers[names][4]
    found: dict[str, bytes] = {}
    for name, _, flags, _, offset, length, *_ in headers:
        text = _text(image, texts + name)
        if text.startswith((".debug_line", ".debug_str")):
            data = image[offset : offset + length]
            if flags & _COMPRESSED:
                data = zlib.decompress(data[_COMPRESSION_HEADER:])
            found[text] = data
    return found


def _text(data: bytes, at: int) -> str:
    end = data.find(b"\0", at)
    return data[at:end].decode("utf-8", "surrogateescape")


def _rows(sections: dict[str, bytes]) -> list[Row]:
    data = sections.get(".debug_line", b"")
    rows: list[Row] = []
    at = 0
    while at + 4 <= len(data):
        unit = _Unit(data, at, sections)
        rows += unit.rows()
        at = unit.end
    return rows


class _Unit:
    """A unit of the table: its header, and the program that makes its rows."""

    def __init__(self, data: bytes, at: int, sections: dict[str, bytes]) -> None:
        self.data, self.at, self._sections = data, at, sections
        length = self._number(4)
        self._wide = 8 if length == 0xFFFFFFFF else 4  # bytes of an offset
        if self._wide == 8:
            length = self._number(8)
        self.end = self.at + length
        self._version = self._number(2)
        if self._version >= 5:
            self._number(2)  # sizes of an address and of a segment selector
        begin = self._number(self._wide)
        self._program = self.at + begin
        self._step = self._number(1)
        if self._version >= 4:
            self._number(1)  # operations of an instruction, of VLIW machines
        self._number(1)
        self._line_base = self._number(1, is_signed=True)
        self._line_range = self._number(1)
        self._opcodes = self._number(1)
        self._lengths = [self._number(1) for _ in range(self._opcodes - 1)]
        self._files = self._names_5() if self._version >= 5 else self._names()

    # -- what is read

    def _number(self, size: int, *, is_signed: bool = False) -> int:
        value = int.from_bytes(self.data[self.at : self.at + size], "little", signed=is_signed)
        self.at += size
        return value

    def _leb(self, *, is_signed: bool = False) -> int:
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        return value - (1 << shift) if is_signed and byte & 64 else value

    def _string(self) -> str:
        text = _text(self.data, self.at)
        self.at = self.data.index(b"\0", self.at) + 1
        return text

    # -- files

    def _names(self) -> list[str]:
        folders = [""]
        while folder := self._string():
            folders.append(folder)
        files = [""]
        while name := self._string():
            files.append(os.path.join(folders[self._leb()], name))
            for _ in ("time", "size"):
                self._leb()
        return files

    def _names_5(self) -> list[str]:
        folders = [str(entry.get(_PATH, "")) for entry in self._entries()]
        files: list[str] = []
        for entry in self._entries():
            folder = int(entry.get(_FOLDER, 0))
            # The first folder is that of the compilation: names beneath it stay as they were given.
            where = folders[folder] if 0 < folder < len(folders) else ""
            files.append(os.path.join(where, str(entry.get(_PATH, ""))))
        return files

    def _entries(self) -> list[dict[int, int | str]]:
        count = self._number(1)
        forms = [(self._leb(), self._leb()) for _ in range(count)]
        return [{kind: self._form(form) for kind, form in forms} for _ in range(self._leb())]

    def _form(self, form: int) -> int | str:
        if form == _STRING:
            return self._string()
        if form in (_LINE_STRP, _STRP):
            name = ".debug_line_str" if form == _LINE_STRP else ".debug_str"
            return _text(self._sections.get(name, b"\0"), self._number(self._wide))
        if form == _UDATA:
            return self._leb()
        return self._number(self._leb() if form == _BLOCK else _FIXED[form])

    # -- rows

    def rows(self) -> list[Row]:
        """Those of all sequences."""
        self.at = self._program
        found: list[Row] = []
        address, file, line, column = 0, 1, 1, 0
        while self.at < self.end:
            opcode = self._number(1)
            is_row = opcode >= self._opcodes or opcode == 1
            if opcode >= self._opcodes:
                special = opcode - self._opcodes
                address += special // self._line_range * self._step
                line += self._line_base + special % self._line_range
            elif opcode == 0:
                length = self._leb()
                then, kind = self.at + length, self._number(1)
                if kind == 1:  # the end of a sequence
                    found.append(Row(address, "", 0, 0))
                    address, file, line, column = 0, 1, 1, 0
                elif kind == 2:
                    address = self._number(length - 1)
                self.at = then
            elif opcode == 2:
                address += self._leb() * self._step
            elif opcode == 3:
                line += self._leb(is_signed=True)
            elif opcode == 4:
                file = self._leb()
            elif opcode == 5:
                column = self._leb()
            elif opcode == 8:
                address += (255 - self._opcodes) // self._line_range * self._step
            elif opcode == 9:
                address += self._number(2)
            elif opcode != 1:
                for _ in range(self._lengths[opcode - 1]):
                    self._leb()
            if is_row:
                name = self._files[file] if file < len(self._files) else ""
                found.append(Row(address, name, line, column))
        return found

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lines of machine code, of tables that are built here byte by byte."""

from __future__ import annotations

import struct
import zlib

import pytest

from xgpu.core.support.line_tables import LineTable

# Operations of a line number program: DWARF 5, 6.2.5.
_COPY, _ADVANCE_PC, _ADVANCE_LINE, _SET_FILE, _SET_COLUMN, _CONST_ADD_PC = 1, 2, 3, 4, 5, 8
_LENGTHS = bytes((0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1))


def _program(file: int) -> bytes:
    """From 0x1000 line 5 column 3, from 0x1004 line 3, from 0x1011 + 1 line 7 of another file, up
    to 0x1020."""
    return b"".join((
        b"\x00\x09\x02", struct.pack("<Q", 0x1000),
        bytes((_ADVANCE_LINE, 4, _SET_COLUMN, 3, _COPY)),
        bytes((13 + 14 * 4 + 5 - 2,)),  # special: 4 bytes on, 2 lines back
        bytes((_CONST_ADD_PC, _SET_FILE, file, _ADVANCE_LINE, 4, _COPY)),
        bytes((_ADVANCE_PC, 0x1020 - 0x1004 - 17)), b"\x00\x01\x01",
    ))  # fmt: skip


def _unit(version: int) -> bytes:
    head = bytes((1, 1, 1, 256 - 5, 14, 13)) + _LENGTHS
    if version == 5:
        names = bytes((1, 1, 0x08, 2)) + b"/home\0inc\0"
        names += (
            bytes((2, 1, 0x1F, 2, 0x0B, 2)) + struct.pack("<IB", 1, 0) + struct.pack("<IB", 6, 1)
        )
        head += names
        sizes = bytes((8, 0))
    else:
        head += b"inc\0\0a.cu\0\0\0\0b.h\0\1\0\0\0"
        sizes = b""
    body = struct.pack("<H", version) + sizes + struct.pack("<I", len(head)) + head
    body += _program(1 if version == 5 else 2)
    return struct.pack("<I", len(body)) + body


def _elf(sections: dict[str, bytes], packed: bool) -> bytes:
    names = b"\0" + b"".join(name.encode() + b"\0" for name in (*sections, ".shstrtab"))
    rows, data = [bytes(64)], bytearray(64)
    for name, content in (*sections.items(), (".shstrtab", names)):
        squeezed = packed and name != ".shstrtab"
        if squeezed:
            content = struct.pack("<IIQQ", 1, 0, len(content), 1) + zlib.compress(content)
        rows.append(struct.pack(
            "<IIQQQQIIQQ", names.index(name.encode() + b"\0"), 1, 0x800 if squeezed else 0, 0,
            len(data), len(content), 0, 0, 1, 0,
        ))  # fmt: skip
        data += content
    data[:6] = b"\x7fELF\x02\x01"
    struct.pack_into("<Q", data, 40, len(data))
    struct.pack_into("<HHH", data, 58, 64, len(rows), len(rows) - 1)
    return bytes(data) + b"".join(rows)


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("version", [4, 5])
def test_places(version: int, packed: bool) -> None:
    strings = {".debug_line": _unit(version), ".debug_line_str": b"\0a.cu\0b.h\0"}
    table = LineTable(_elf(strings, packed))
    file = 1 if version == 4 else 0
    first = "a.cu" if file else "inc/b.h"  # files count from 1, or from 0, and the first one is 1
    assert table.place(0x0FFF) is None
    assert table.place(0x1000) == table.place(0x1003) == (first, 5, 3)
    assert table.place(0x1004) == (first, 3, 3)
    assert table.place(0x1004 + 17) == ("inc/b.h", 7, 3)
    assert table.place(0x1020) is None


def test_images_without_lines() -> None:
    for image in (b"", b"MZ", b"\x7fELF\x02\x01" + bytes(58), _elf({}, False)):
        assert LineTable(image).place(0x1000) is None

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A shared library for Linux on x86-64, written byte by byte: each of its functions jumps to where
a table says, which the loader fills in. So a process gets a library of a given name,
without a compiler or a linker, whose functions are its own; and can take them away again, for one
function of the library does nothing but return a number.

Three segments: what is read (headers, symbols), code, and what is written (the dynamic section and
the table). See the System V ABI, "Object Files" and "Dynamic Linking".
"""

from __future__ import annotations

import struct

_PAGE = 0x1000
_SYMBOL, _PROGRAM_HEADER, _FILE_HEADER = 24, 56, 64
_LOAD, _DYNAMIC = 1, 2
_READ, _WRITE, _EXECUTE = 4, 2, 1
_NEEDED_TAGS = {"HASH": 4, "STRTAB": 5, "SYMTAB": 6, "STRSZ": 10, "SYMENT": 11, "SONAME": 14}
_FUNCTION, _OBJECT = 0x12, 0x11  # global
_JUMP = 8  # bytes of `jmp *table[i](%rip)`, with padding

#: The table: an address a function, in the order of their names.
TABLE = "functions"
#: A function that returns the number that it was made with.
CONSTANT = "constant"


def shared_object(name: str, functions: list[str], number: int) -> bytes:
    """The library `name` with these functions, and one that returns `number`; none may be called
    before its place in the array `functions` is filled."""
    strings, offsets = _strings([name, *functions, TABLE, CONSTANT])
    count = len(functions) + 3  # and the null symbol, the table, the constant
    symbols_at = _FILE_HEADER + 4 * _PROGRAM_HEADER
    hash_at = symbols_at + count * _SYMBOL
    strings_at = hash_at + 4 * (2 + 1 + count)
    code_at = _page_after(strings_at + len(strings))
    data_at = _page_after(code_at + _JUMP * (len(functions) + 1))
    dynamic = _dynamic(
        HASH=hash_at, STRTAB=strings_at, SYMTAB=symbols_at, STRSZ=len(strings), SYMENT=_SYMBOL,
        SONAME=offsets[name],
    )  # fmt: skip
    table_at = data_at + len(dynamic)
    end = table_at + 8 * len(functions)

    symbols = [bytes(_SYMBOL)]
    code: list[bytes] = []
    for i, function in enumerate(functions):
        at = code_at + _JUMP * i
        symbols.append(_symbol(offsets[function], _FUNCTION, 2, at, _JUMP))
        code.append(b"\xff\x25" + struct.pack("<i", table_at + 8 * i - (at + 6)) + b"\x90\x90")
    constant_at = code_at + _JUMP * len(functions)
    code.append(b"\xb8" + struct.pack("<i", number) + b"\xc3")  # mov number, %eax; ret
    symbols.append(_symbol(offsets[CONSTANT], _FUNCTION, 2, constant_at, _JUMP))
    symbols.append(_symbol(offsets[TABLE], _OBJECT, 3, table_at, 8 * len(functions)))

    image = bytearray(end)
    image[:_FILE_HEADER] = _file_header()
    image[_FILE_HEADER:symbols_at] = b"".join((
        _segment(_LOAD, _READ, 0, strings_at + len(strings)),
        _segment(_LOAD, _READ | _EXECUTE, code_at, data_at - code_at),
        _segment(_LOAD, _READ | _WRITE, data_at, end - data_at),
        _segment(_DYNAMIC, _READ | _WRITE, data_at, len(dynamic)),
    ))  # fmt: skip
    for at, part in (
        (symbols_at, b"".join(symbols)), (hash_at, _hash(count)), (strings_at, strings),
        (code_at, b"".join(code)), (data_at, dynamic),
    ):  # fmt: skip
        image[at : at + len(part)] = part
    return bytes(image)


def _page_after(at: int) -> int:
    return -(-at // _PAGE) * _PAGE


def _strings(names: list[str]) -> tuple[bytes, dict[str, int]]:
    offsets: dict[str, int] = {}
    text = b"\0"
    for name in names:
        offsets[name] = len(text)
        text += name.encode() + b"\0"
    return text, offsets


def _symbol(name: int, kind: int, section: int, at: int, size: int) -> bytes:
    # No section headers: any section number but 0 says that the symbol is defined.
    return struct.pack("<IBBHQQ", name, kind, 0, section, at, size)


def _dynamic(**tags: int) -> bytes:
    rows = [struct.pack("<QQ", _NEEDED_TAGS[tag], value) for tag, value in tags.items()]
    return b"".join((*rows, bytes(16)))


def _hash(count: int) -> bytes:
    """A table of one bucket: all symbols, one after another."""
    chain = [*range(2, count), 0]
    return struct.pack(f"<III{count}I", 1, count, 1, 0, *chain)


def _file_header() -> bytes:
    identity = b"\x7fELF" + bytes((2, 1, 1)) + bytes(9)
    shared, x86_64 = 3, 62
    return identity + struct.pack(
        "<HHIQQQIHHHHHH", shared, x86_64, 1, 0, _FILE_HEADER, 0, 0, _FILE_HEADER, _PROGRAM_HEADER,
        4, 64, 0, 0,
    )  # fmt: skip


def _segment(kind: int, flags: int, at: int, size: int) -> bytes:
    align = 8 if kind == _DYNAMIC else _PAGE
    return struct.pack("<IIQQQQQQ", kind, flags, at, at, at, size, size, align)

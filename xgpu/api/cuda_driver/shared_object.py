# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A shared library for Linux on x86-64, written without a compiler or a linker.

Each exported function jumps to the address that a table has for it. At first that is code which
calls `start`, a function of the library that is expected to fill the table, and then jumps through
the table again; an entry that is still unfilled gives `failed`. `start` is position-independent
code without references: it gets the address of an array of pointers, which the dynamic linker fills
with functions of the process (weak symbols: null where there is none) and with texts.

A table's entry may also be an address in `GENERIC`, one a function. There `dispatch` is called,
which is code like `start`: it gets the address of the call's frame, that array, and `RECORDS`.

Programs that were linked with NVIDIA's library ask for a version of each symbol, such as
`libnvrtc.so.13`; a function then has a symbol for each version (Linux Standard Base, "Symbol
Versioning").

See the System V ABI, "Object Files" and "Dynamic Linking", and its supplement for x86-64. Sections
are described too, since linkers read symbols by way of them.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

#: The table: an address for each function, in the order of their names.
TABLE = "xgpu_functions"
#: A function that returns the number that the library was written with as `ended`.
ENDED = "xgpu_ended"
#: A function that returns 0.
DONE = "xgpu_done"
#: A function that writes a null pointer where its first argument points to, and returns 0.
NONE = "xgpu_none"

#: The generic functions: that of the function number `i` begins at `i * GENERIC_BYTES`.
GENERIC = "xgpu_generic"
GENERIC_BYTES = 10  # of `push $number; jmp common`
#: Two words for each function, for `dispatch`, and behind them `CALLS`.
RECORDS = "xgpu_records"
#: A word that `dispatch` keeps of the calls that it makes.
CALLS = "xgpu_calls"
# It holds the calls that Python is in now, a bit that machine code sets while
# it does the work of one (`fast_calls`), and how many calls there have been that may have changed
# something. What adds to it or sets the bit orders all that is read and written before and after.
#: The calls that Python is in.
INSIDE = (1 << 16) - 1
#: Machine code does the work of a call.
WORKING = 1 << 16
#: Where the number of calls begins.
CALL_SHIFT = 17

#: A function in Python gives this with its result if Ctrl-C was pressed meanwhile, so that the
#: program is interrupted: within the function Python would raise that where nothing can handle it.
INTERRUPTED = 1 << 62
#: Words of a frame: six arguments of registers, the function's number, where the call returns to,
#: and the other arguments.
FRAME_REGISTERS, FRAME_NUMBER, FRAME_STACK = 6, 6, 8

_PAGE = 0x1000
_FILE_HEADER, _PROGRAM_HEADER, _SECTION_HEADER = 64, 56, 64
_SYMBOL, _RELOCATION = 24, 24
_LOAD, _DYNAMIC, _STACK, _EH_FRAME = 1, 2, 0x6474E551, 0x6474E550
_READ, _WRITE, _EXECUTE = 4, 2, 1
_TAGS = {
    "HASH": 4, "STRTAB": 5, "SYMTAB": 6, "RELA": 7, "RELASZ": 8, "RELAENT": 9, "STRSZ": 10,
    "SYMENT": 11, "SONAME": 14, "VERSYM": 0x6FFFFFF0, "VERDEF": 0x6FFFFFFC,
    "VERDEFNUM": 0x6FFFFFFD,
}  # fmt: skip
_GLOBAL, _FIRST_VERSION, _HIDDEN = 1, 2, 0x8000  # versions of symbols
_VERSION_DEFINITION, _VERSION_NAME, _BASE = 20, 8, 1
_FUNCTION, _OBJECT = 0x12, 0x11  # global symbols
_WEAK = 0x20
_R_64, _R_RELATIVE = 1, 8

_LAZY = GENERIC_BYTES
_COMMON = 96  # bytes of what they jump to
_COMMON_GENERIC = 48  # of what generic functions jump to
_JUMP = 8  # bytes of `jmp *entry(%rip)`, padded
# Registers that hold a function's arguments; none of the driver's takes a floating-point number.
_SAVE = bytes.fromhex("57 56 52 51 41 50 41 51")  # push rdi, rsi, rdx, rcx, r8, r9
_RESTORE = bytes.fromhex("41 59 41 58 59 5a 5e 5f")
# xor %eax, %eax; test %rdi, %rdi; je over the store; mov %rax, (%rdi); ret
_NONE_CODE = bytes.fromhex("31 c0 48 85 ff 74 03 48 89 07 c3")
_FRAME = bytes.fromhex("41 51 41 50 51 52 56 57")  # push r9, r8, rcx, rdx, rsi, rdi


class SharedObject:
    """What goes into a library: the `name` that programs ask for, exported `functions`, code of
    `start` and `dispatch` with the names of the `imports` and the `texts` that they get, in this
    order; the numbers that functions return when `start` has `failed` and after the end (`ended`);
    and the `versions` of its symbols, of which the first is meant where a program names none.
    """

    def __init__(
        self, name: str, functions: Sequence[str], *, start: bytes, dispatch: bytes,
        imports: Sequence[str] = (), texts: Sequence[str] = (), failed: int, ended: int,
        versions: Sequence[str] = (),
    ) -> None:  # fmt: skip
        self.name, self.versions = name, list(versions)
        self.functions = list(functions)
        self.start, self.dispatch = start, dispatch
        self.imports = list(imports)
        self.texts = list(texts)
        self.failed, self.ended = failed, ended

    def to_bytes(self) -> bytes:
        """The library's file."""
        return _Layout(self).image()


class _Layout:
    """Where everything lies; addresses are offsets in the file."""

    def __init__(self, made: SharedObject) -> None:
        self.made = made
        count = len(made.functions)
        self.strings, self.offsets = _strings([
            *dict.fromkeys((made.name, *made.versions)), *made.functions, *made.imports,
            *_OWN_FUNCTIONS, *_OWN_DATA,
        ])  # fmt: skip
        #: Names in the order of their symbols.
        self.symbols = [
            "", *made.imports, *made.functions * max(len(made.versions), 1), *_OWN_FUNCTIONS,
            *_OWN_DATA,
        ]  # fmt: skip
        self.symbol_count = len(self.symbols)
        relocations = count + len(made.imports) + len(made.texts)
        self.symbols_at = _FILE_HEADER + 6 * _PROGRAM_HEADER
        self.hash_at = self.symbols_at + self.symbol_count * _SYMBOL
        self.strings_at = self.hash_at + 4 * (2 + self.symbol_count + self.symbol_count)
        self.relocations_at = _aligned(self.strings_at + len(self.strings), 8)
        self.relocations_size = relocations * _RELOCATION
        self.versions_at = self.relocations_at + self.relocations_size
        self.definitions_at = _aligned(self.versions_at + len(self._versions()), 8)
        self.frames_at = _aligned(self.definitions_at + len(self._definitions()), 8)
        read_end = self.frames_at + len(_frames(0, 0, 0, 0))

        self.code_at = _aligned(read_end, _PAGE)
        self.lazy_at = self.code_at + _JUMP * count
        self.common_at = self.lazy_at + _LAZY * count
        self.generic_at = self.common_at + _COMMON
        self.common_generic_at = self.generic_at + GENERIC_BYTES * count
        self.failed_at = self.common_generic_at + _COMMON_GENERIC
        self.ended_at = self.failed_at + 8
        self.done_at = self.ended_at + 8
        self.none_at = self.done_at + 8
        self.start_at = _aligned(self.none_at + len(_NONE_CODE), 16)
        self.dispatch_at = _aligned(self.start_at + len(made.start), 16)
        code_end = self.dispatch_at + len(made.dispatch)

        self.dynamic_at = _aligned(code_end, _PAGE)
        self.dynamic = self._dynamic()
        self.table_at = self.dynamic_at + len(self.dynamic)
        self.records_at = self.table_at + 8 * count
        self.calls_at = self.records_at + 16 * count
        self.api_at = self.calls_at + 8
        self.texts_at = self.api_at + 8 * (len(made.imports) + len(made.texts))
        self.texts = [text.encode() + b"\0" for text in made.texts]
        self.data_end = self.texts_at + sum(map(len, self.texts))
        self.code_end = code_end
        self.read_end = read_end

    def image(self) -> bytes:
        sections, names = self._sections()
        names_at = _aligned(self.data_end, 8)
        headers_at = _aligned(names_at + len(names), 8)
        image = bytearray(headers_at + len(sections))
        for at, part in (
            (0, _file_header(headers_at, len(sections) // _SECTION_HEADER)),
            (_FILE_HEADER, self._segments()), (self.symbols_at, self._symbols()),
            (self.hash_at, self._hash()), (self.strings_at, self.strings),
            (self.relocations_at, self._relocations()), (self.versions_at, self._versions()),
            (self.definitions_at, self._definitions()), (self.frames_at, self._unwinding()),
            (self.code_at, self._code()),
            (self.dynamic_at, self.dynamic), (self.texts_at, b"".join(self.texts)),
            (names_at, names), (headers_at, sections),
        ):  # fmt: skip
            image[at : at + len(part)] = part
        return bytes(image)

    # -- parts

    def _dynamic(self) -> bytes:
        values = {
            "HASH": self.hash_at, "STRTAB": self.strings_at, "SYMTAB": self.symbols_at,
            "RELA": self.relocations_at, "RELASZ": self.relocations_size, "RELAENT": _RELOCATION,
            "STRSZ": len(self.strings), "SYMENT": _SYMBOL, "SONAME": self.offsets[self.made.name],
        }  # fmt: skip
        if self.made.versions:
            values["VERSYM"], values["VERDEF"] = self.versions_at, self.definitions_at
            values["VERDEFNUM"] = 1 + len(self.made.versions)
        rows = [struct.pack("<QQ", _TAGS[tag], value) for tag, value in values.items()]
        return b"".join((*rows, bytes(16)))

    def _versions(self) -> bytes:
        """The version of each symbol, by its number; nothing where there are none."""
        if not self.made.versions:
            return b""
        numbers = [0, *[_GLOBAL] * len(self.made.imports)]
        for number in range(len(self.made.versions)):
            mark = _FIRST_VERSION + number | (_HIDDEN if number else 0)
            numbers += [mark] * len(self.made.functions)
        numbers += [_GLOBAL] * (self.symbol_count - len(numbers))
        return struct.pack(f"<{len(numbers)}H", *numbers)

    def _definitions(self) -> bytes:
        """The versions that there are: the library itself, and those of its functions."""
        names = [self.made.name, *self.made.versions] if self.made.versions else []
        size = _VERSION_DEFINITION + _VERSION_NAME
        return b"".join(
            struct.pack(
                "<HHHHIIIII", 1, 0 if number else _BASE, 1 + number, 1, _hashed(name),
                _VERSION_DEFINITION, size if number + 1 < len(names) else 0, self.offsets[name], 0,
            )
            for number, name in enumerate(names)
        )  # fmt: skip

    def _unwinding(self) -> bytes:
        """How to get from `dispatch` to the function that has called the library."""
        return _frames(
            self.frames_at, self.common_generic_at, self.dispatch_at, len(self.made.dispatch)
        )

    def _segments(self) -> bytes:
        data = self.data_end - self.dynamic_at
        code = self.code_end - self.code_at
        return b"".join((
            _segment(_LOAD, _READ, 0, self.read_end),
            _segment(_LOAD, _READ | _EXECUTE, self.code_at, code),
            _segment(_LOAD, _READ | _WRITE, self.dynamic_at, data),
            _segment(_DYNAMIC, _READ | _WRITE, self.dynamic_at, len(self.dynamic)),
            _segment(_STACK, _READ | _WRITE, 0, 0),
            _segment(_EH_FRAME, _READ, self.frames_at, self.read_end - self.frames_at),
        ))  # fmt: skip

    def _symbols(self) -> bytes:
        code, data = _SECTION_NAMES.index(".text"), _SECTION_NAMES.index(".data")
        rows = [bytes(_SYMBOL)]
        rows += [_symbol(self.offsets[name], _WEAK, 0, 0, 0) for name in self.made.imports]
        functions = [
            _symbol(self.offsets[name], _FUNCTION, code, self.code_at + _JUMP * i, _JUMP)
            for i, name in enumerate(self.made.functions)
        ]
        rows += functions * max(len(self.made.versions), 1)
        rows.append(_symbol(self.offsets[ENDED], _FUNCTION, code, self.ended_at, 6))
        rows.append(_symbol(self.offsets[DONE], _FUNCTION, code, self.done_at, 6))
        rows.append(_symbol(self.offsets[NONE], _FUNCTION, code, self.none_at, len(_NONE_CODE)))
        count = len(self.made.functions)
        size = GENERIC_BYTES * count
        rows.append(_symbol(self.offsets[GENERIC], _FUNCTION, code, self.generic_at, size))
        rows.append(_symbol(self.offsets[TABLE], _OBJECT, data, self.table_at, 8 * count))
        rows.append(_symbol(self.offsets[RECORDS], _OBJECT, data, self.records_at, 16 * count))
        rows.append(_symbol(self.offsets[CALLS], _OBJECT, data, self.calls_at, 8))
        return b"".join(rows)

    def _hash(self) -> bytes:
        """As many buckets as symbols; those of a bucket are a chain."""
        names, count = self.symbols, self.symbol_count
        buckets, chain = [0] * count, [0] * count
        for number in range(1, count):
            slot = _hashed(names[number]) % count
            chain[number], buckets[slot] = buckets[slot], number
        return struct.pack(f"<II{2 * count}I", count, count, *buckets, *chain)

    def _relocations(self) -> bytes:
        rows: list[bytes] = []
        for i in range(len(self.made.functions)):
            rows.append(_relocation(self.table_at + 8 * i, _R_RELATIVE, self.lazy_at + _LAZY * i))
        at = self.api_at
        for number in range(len(self.made.imports)):
            rows.append(_relocation(at, (number + 1) << 32 | _R_64, 0))
            at += 8
        text_at = self.texts_at
        for text in self.texts:
            rows.append(_relocation(at, _R_RELATIVE, text_at))
            at += 8
            text_at += len(text)
        return b"".join(rows)

    def _code(self) -> bytes:
        count = len(self.made.functions)
        code: list[bytes] = []
        for i in range(count):
            at = self.code_at + _JUMP * i
            code.append(b"\xff\x25" + _offset(self.table_at + 8 * i, at + 6) + b"\x90\x90")
        for i in range(count):
            at = self.lazy_at + _LAZY * i
            code.append(b"\x68" + struct.pack("<i", i))  # push $i
            code.append(b"\xe9" + _offset(self.common_at, at + _LAZY))  # jmp common
        code.append(self._common())
        for i in range(count):
            at = self.generic_at + GENERIC_BYTES * i
            code.append(b"\x68" + struct.pack("<i", i))  # push $i
            code.append(b"\xe9" + _offset(self.common_generic_at, at + GENERIC_BYTES))  # jmp
        code.append(self._common_generic())
        for number in (self.made.failed, self.made.ended, 0):
            code.append(b"\xb8" + struct.pack("<i", number) + b"\xc3\x90\x90")  # mov $n, %eax; ret
        code.append(_NONE_CODE)
        for begin, part in (
            (self.start_at, self.made.start), (self.dispatch_at, self.made.dispatch)
        ):  # fmt: skip
            code.append(b"\x90" * (begin - self.code_at - sum(map(len, code))))
            code.append(part)
        return b"".join(code)

    def _common(self) -> bytes:
        """Call `start` with all arguments kept, then jump to where the table says now; an entry
        that is still what it was at first gives `failed`."""
        at = self.common_at + len(_SAVE)
        code = _SAVE
        code += b"\x48\x8d\x3d" + _offset(self.api_at, at + 7)  # lea api, %rdi
        code += b"\xe8" + _offset(self.start_at, at + 12) + _RESTORE  # call start
        code += b"\x58"  # pop %rax, the function's number
        at = self.common_at + len(code)
        code += b"\x4c\x8d\x1d" + _offset(self.table_at, at + 7)  # lea table, %r11
        code += b"\x4d\x8b\x1c\xc3"  # mov (%r11,%rax,8), %r11
        at = self.common_at + len(code)
        # What is not filled lies in this library, between `lazy` and `common`.
        code += b"\x4c\x8d\x15" + _offset(self.common_at, at + 7)  # lea common, %r10
        code += b"\x4d\x29\xda"  # sub %r11, %r10
        code += b"\x49\x81\xfa" + struct.pack("<i", _LAZY * len(self.made.functions) + 1)  # cmp
        code += b"\x72\x03"  # jb over the jump
        code += b"\x41\xff\xe3"  # jmp *%r11
        at = self.common_at + len(code)
        code += b"\xe9" + _offset(self.failed_at, at + 5)
        return code.ljust(_COMMON, b"\x90")

    def _common_generic(self) -> bytes:
        """Complete the frame, whose number has been pushed, and give what `dispatch` gives."""
        at = self.common_generic_at + len(_FRAME)
        code = _FRAME + b"\x48\x89\xe7"  # mov %rsp, %rdi
        code += b"\x48\x8d\x35" + _offset(self.api_at, at + 10)  # lea api, %rsi
        code += b"\x48\x8d\x15" + _offset(self.records_at, at + 17)  # lea records, %rdx
        code += b"\xe8" + _offset(self.dispatch_at, at + 22)  # call dispatch
        code += b"\x48\x83\xc4" + bytes((8 * (FRAME_NUMBER + 1),)) + b"\xc3"  # add, %rsp; ret
        return code.ljust(_COMMON_GENERIC, b"\x90")

    def _sections(self) -> tuple[bytes, bytes]:
        """Headers of sections, and the text with their names."""
        names, offsets = _strings([*_SECTION_NAMES[1:], *_OF_VERSIONS])
        alloc, write, execute = 2, 1, 4
        names_at = _aligned(self.data_end, 8)
        code, data = self.code_end - self.code_at, self.data_end - self.table_at
        rows: tuple[tuple[str, int, int, int, int, int, int, int, int], ...] = (
            # name, type, flags, begin, bytes, link, info, alignment, bytes of an entry
            (".dynsym", 11, alloc, self.symbols_at, self.symbol_count * _SYMBOL, 3, 1, 8, _SYMBOL),
            (".hash", 5, alloc, self.hash_at, self.strings_at - self.hash_at, 1, 0, 8, 4),
            (".dynstr", 3, alloc, self.strings_at, len(self.strings), 0, 0, 1, 0),
            (".rela.dyn", 4, alloc, self.relocations_at, self.relocations_size, 1, 0, 8,
             _RELOCATION),
            (".text", 1, alloc | execute, self.code_at, code, 0, 0, 16, 0),
            (".dynamic", 6, alloc | write, self.dynamic_at, len(self.dynamic), 3, 0, 8, 16),
            (".data", 1, alloc | write, self.table_at, data, 0, 0, 8, 0),
            (".shstrtab", 3, 0, names_at, len(names), 0, 0, 1, 0),
        )  # fmt: skip
        if self.made.versions:
            count, definitions = 1 + len(self.made.versions), len(self._definitions())
            rows = (
                *rows[:-1],
                (_OF_VERSIONS[0], 0x6FFFFFFF, alloc, self.versions_at, 2 * self.symbol_count, 1, 0,
                 2, 2),
                (_OF_VERSIONS[1], 0x6FFFFFFD, alloc, self.definitions_at, definitions, 3, count, 8,
                 0),
                rows[-1],
            )  # fmt: skip
        headers = [bytes(_SECTION_HEADER)]
        for name, kind, flags, at, size, link, info, align, entry in rows:
            address = at if flags else 0
            headers.append(struct.pack(
                "<IIQQQQIIQQ", offsets[name], kind, flags, address, at, size, link, info, align,
                entry,
            ))  # fmt: skip
        return b"".join(headers), names


_OWN_FUNCTIONS, _OWN_DATA = (ENDED, DONE, NONE, GENERIC), (TABLE, RECORDS, CALLS)
_OF_VERSIONS = (".gnu.version", ".gnu.version_d")
#: In the order of their headers.
_SECTION_NAMES = (
    "", ".dynsym", ".hash", ".dynstr", ".rela.dyn", ".text", ".dynamic", ".data", ".shstrtab",
)  # fmt: skip


def _aligned(at: int, to: int) -> int:
    return -(-at // to) * to


def _offset(target: int, after: int) -> bytes:
    """An offset from the end of an instruction."""
    return struct.pack("<i", target - after)


def _strings(names: list[str]) -> tuple[bytes, dict[str, int]]:
    offsets: dict[str, int] = {}
    text = b"\0"
    for name in names:
        offsets[name] = len(text)
        text += name.encode() + b"\0"
    return text, offsets


def _symbol(name: int, kind: int, section: int, at: int, size: int) -> bytes:
    return struct.pack("<IBBHQQ", name, kind, 0, section, at, size)


def _relocation(at: int, kind: int, addend: int) -> bytes:
    return struct.pack("<QQq", at, kind, addend)


def _hashed(name: str) -> int:
    """The ABI's hash of a symbol's name."""
    value = 0
    for byte in name.encode():
        value = (value << 4) + byte
        high = value & 0xF0000000
        value = (value ^ high >> 24) & ~high
    return value


def _file_header(sections_at: int, sections: int) -> bytes:
    identity = b"\x7fELF" + bytes((2, 1, 1)) + bytes(9)
    shared, x86_64 = 3, 62
    return identity + struct.pack(
        "<HHIQQQIHHHHHH", shared, x86_64, 1, 0, _FILE_HEADER, sections_at, 0, _FILE_HEADER,
        _PROGRAM_HEADER, 6, _SECTION_HEADER, sections, sections - 1,
    )  # fmt: skip


# -- frames on the stack


_DEF_CFA, _DEF_CFA_OFFSET, _OFFSET = 0x0C, 0x0E, 0x80
_RBP, _RSP, _RETURN = 6, 7, 16  # numbers of registers in DWARF
_RELATIVE_4 = 0x1B  # DW_EH_PE_pcrel | DW_EH_PE_sdata4
_OMITTED = 0xFF


def _frames(at: int, stub: int, dispatch: int, dispatch_bytes: int) -> bytes:
    """`.eh_frame_hdr` and `.eh_frame`, which lie at `at`, for what generic functions jump to and
    for `dispatch`, as both are when they call (Linux Standard Base, "Exception Frames"). `dispatch`
    keeps a frame pointer."""
    header = struct.pack("<BBBBi", 1, _RELATIVE_4, _OMITTED, _OMITTED, 8 - 4)
    common = struct.pack("<IB3sBBBBB", 0, 1, b"zR", 1, 0x78, _RETURN, 1, _RELATIVE_4)
    common += bytes((_DEF_CFA, _RSP, 8, _OFFSET | _RETURN, 1))
    frames = _frame(common)
    for begin, size, rules in (
        (stub, _COMMON_GENERIC, bytes((_DEF_CFA_OFFSET, 8 * (FRAME_STACK)))),
        (dispatch, dispatch_bytes, bytes((_DEF_CFA, _RBP, 16, _OFFSET | _RBP, 2))),
    ):
        back = len(frames) + 4
        place = at + len(header) + back + 4
        frames += _frame(struct.pack("<IiIB", back, begin - place, size, 0) + rules)
    return header + frames + bytes(4)


def _frame(body: bytes) -> bytes:
    """An entry, with its length; `DW_CFA_nop` fills it."""
    body = body.ljust(_aligned(len(body) + 4, 8) - 4, b"\0")
    return struct.pack("<I", len(body)) + body


def _segment(kind: int, flags: int, at: int, size: int) -> bytes:
    align = 8 if kind == _DYNAMIC else 16 if kind == _STACK else _PAGE
    return struct.pack("<IIQQQQQQ", kind, flags, at, at, at, size, size, align)

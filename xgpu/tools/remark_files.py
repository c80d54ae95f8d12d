# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where xgpu-opt's options have remarks of passes go: diagnostics, YAML, or LLVM's bitstream.

Files are those of `llvm::remarks`: `llvm-remarkutil` and `opt-viewer` read them.
"""

from __future__ import annotations

import re
import sys
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from xdsl.ir import Attribute

from xgpu.core.ir.errors import Diagnostic, UsageError
from xgpu.core.ir.locations import source_location
from xgpu.core.passes import remarks
from xgpu.core.passes.remarks import Remark
from xgpu.core.syntax.diagnostics import emit

if TYPE_CHECKING:
    from xgpu.tools.command_line import Arguments

_NO_FUNCTION = "<unknown function>"
_NO_FILE = "<unknown file>"


class RemarkOutput:
    """`--remarks-filter` and its like."""

    def __init__(self, arguments: Arguments) -> None:
        specific = {
            remarks.PASSED: arguments.remarks_passed, remarks.MISSED: arguments.remarks_missed,
            remarks.FAILED: arguments.remarks_failed, remarks.ANALYSIS: arguments.remarks_analysis,
        }  # fmt: skip
        self._filters = {
            kind: "|".join(pattern for pattern in (arguments.remarks_filter, own) if pattern)
            for kind, own in specific.items()
        }
        self._is_final = arguments.remark_policy == "final"
        self._file: BinaryIO | None = None
        self._bitstream: Bitstream | None = None
        if arguments.remark_format != "emitRemark":
            self._file = _opened(
                arguments.remarks_file or f"mlir-remarks.{arguments.remark_format}"
            )
        if arguments.remark_format == "bitstream":
            self._bitstream = Bitstream()

    def collecting(self) -> AbstractContextManager[None]:
        """Remarks within are shown, those of the policy `final` at the end."""
        collector = remarks.Collector(self._filters, self._show, is_final=self._is_final)
        return remarks.collected(collector)

    def _show(self, remark: Remark) -> None:
        if self._bitstream is not None:
            self._bitstream.add(remark)
        elif self._file is not None:
            self._file.write(yaml(remark).encode("utf-8", "surrogateescape"))
        else:
            emit(Diagnostic("remark", remark.message(), remark.location))

    def close(self) -> None:
        """Ends the file."""
        if self._file is None:
            return
        if self._bitstream is not None:
            self._file.write(self._bitstream.finished())
        self._file.flush()
        if self._file is not sys.stdout.buffer:
            self._file.close()


def _opened(path: str) -> BinaryIO:
    """A file to write to, standard output for `-`. Raises `UsageError` where there is none."""
    if path == "-":
        return sys.stdout.buffer
    try:
        return open(path, "wb")
    except OSError as e:
        raise UsageError(f"cannot open output file '{path}': {e.strerror}") from None


# -- YAML

#: The column behind which a flow mapping goes on in the next line, and that of values.
_WRAP = 70
_VALUES = 17


def yaml(remark: Remark) -> str:
    """A remark as a document."""
    lines = [
        f"--- !{remark.kind}",
        _field("Pass", remark.category),
        _field("Name", remark.name),
        _place(remark.location),
        _field("Function", remark.function or _NO_FUNCTION),
    ]
    if remark.arguments:
        lines.append("Args:")
        lines += [f"  - {_field(key, value)}" for key, value in remark.arguments.items()]
    return "\n".join([*lines, "...\n"])


def _field(key: str, value: str) -> str:
    return f"{f'{key}: '.ljust(_VALUES)}{_scalar(value)}"


def _place(location: Attribute | None) -> str:
    file, line, column = source_location(location) or (_NO_FILE, 0, 0)
    text = f"{'DebugLoc: '.ljust(_VALUES)}{{ "
    entries = (f"File: {_scalar(file)}", f"Line: {line}", f"Column: {column}")
    start = 0
    for number, entry in enumerate(entries):
        text += ", " if number else ""
        if len(text) - start > _WRAP:
            start = len(text) + 1
            text += "\n" + " " * (_VALUES + 2)
        text += entry
    return f"{text} }}"


_PLAIN = r"[A-Za-z0-9_^.][A-Za-z0-9_\-^.,\t ]*"
#: What a reader of YAML takes for something else than a text.
_WORDS = (
    r"~|null|Null|NULL|true|True|TRUE|false|False|FALSE"
    r"|[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|0o[0-7]+|0x[0-9a-fA-F]+"
    r"|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"
)
_ESCAPES = {
    "\\": "\\\\", '"': '\\"', "\0": "\\0", "\a": "\\a", "\b": "\\b", "\t": "\\t", "\n": "\\n",
    "\v": "\\v", "\f": "\\f", "\r": "\\r", "\x1b": "\\e",
}  # fmt: skip


def _scalar(text: str) -> str:
    """A text as a scalar: plain, in single quotes, or in double ones where it is to be escaped."""
    if any((c < " " and c != "\t") or c >= "\x7f" for c in text):
        return f'"{"".join(_escaped(c) for c in text)}"'
    is_plain = re.fullmatch(_PLAIN, text) is not None and not text[-1].isspace()
    if is_plain and re.fullmatch(_WORDS, text) is None:
        return text
    return "'" + text.replace("'", "''") + "'"


def _escaped(character: str) -> str:
    known = _ESCAPES.get(character)
    if known is not None:
        return known
    code = ord(character)
    if 0x20 <= code < 0x7F:
        return character
    if code < 0x80:
        return f"\\x{code:02X}"
    return f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"


# -- Bitstream
#
# LLVM's container of blocks, records and abbreviations. A block of information names the records
# and says how each is encoded. Then come a block of metadata, one for each remark, and the texts.


class _Fixed(NamedTuple):
    """A number of so many bits."""

    bits: int


class _Vbr(NamedTuple):
    """A number in groups of so many bits, the first of which says whether there is another one."""

    bits: int


class _Record(NamedTuple):
    """A record: the code, the name, and the encoding of its fields; None for a blob."""

    code: int
    name: str
    fields: tuple[_Fixed | _Vbr, ...] | None


_META, _REMARK = 8, 9
_CONTAINER = _Record(1, "Container info", (_Fixed(32), _Fixed(2)))
_VERSION = _Record(2, "Remark version", (_Fixed(32),))
_TEXTS = _Record(3, "String table", None)
_HEADER = _Record(5, "Remark header", (_Fixed(3), _Vbr(6), _Vbr(6), _Vbr(8)))
_PLACE = _Record(6, "Remark debug location", (_Vbr(7), _Fixed(32), _Fixed(32)))
_HOTNESS = _Record(7, "Remark hotness", (_Vbr(8),))
_PLACED_ARGUMENT = _Record(
    8, "Argument with debug location", (_Vbr(7), _Vbr(7), _Vbr(7), _Fixed(32), _Fixed(32))
)
_ARGUMENT = _Record(9, "Argument", (_Vbr(7), _Vbr(7)))
#: By block: the name, the bits of an abbreviation's number, and the records in their order.
_BLOCKS = {
    _META: ("Meta", 3, (_CONTAINER, _VERSION, _TEXTS)),
    _REMARK: ("Remark", 4, (_HEADER, _PLACE, _HOTNESS, _PLACED_ARGUMENT, _ARGUMENT)),
}
_KINDS = {remarks.PASSED: 1, remarks.MISSED: 2, remarks.ANALYSIS: 3, remarks.FAILED: 6}

#: Abbreviations that each block has, and the first that is its own.
_END, _ENTER, _DEFINE, _UNABBREVIATED, _OWN = range(5)
_SET_BLOCK, _BLOCK_NAME, _RECORD_NAME = 1, 2, 3


class _Bits:
    """Bits, the lowest of each byte first."""

    def __init__(self) -> None:
        self.value = 0
        self.count = 0

    def fixed(self, number: int, bits: int) -> None:
        self.value |= number << self.count
        self.count += bits

    def vbr(self, number: int, bits: int) -> None:
        more = 1 << (bits - 1)
        while number >= more:
            self.fixed(number % more + more, bits)
            number //= more
        self.fixed(number, bits)

    def align(self) -> None:
        self.count = -(-self.count // 32) * 32

    def data(self) -> bytes:
        return self.value.to_bytes(self.count // 8, "little")


class Bitstream:
    """Remarks as a file of LLVM's; empty without a remark."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._texts: dict[str, int] = {}

    def add(self, remark: Remark) -> None:
        """Writes a remark."""
        if not self._parts:
            self._begin()
        bits = _Bits()
        names = (remark.name, remark.category, remark.function or _NO_FUNCTION)
        _record(bits, _REMARK, _HEADER, _KINDS[remark.kind], *map(self._text, names))
        file, line, column = source_location(remark.location) or (_NO_FILE, 0, 0)
        _record(bits, _REMARK, _PLACE, self._text(file), line, column)
        for key, value in remark.arguments.items():
            _record(bits, _REMARK, _ARGUMENT, self._text(key), self._text(value))
        self._block(_REMARK, _BLOCKS[_REMARK][1], bits)

    def finished(self) -> bytes:
        """The file, with the texts at its end."""
        if not self._parts:
            return b""
        table = "".join(f"{text}\0" for text in self._texts).encode("utf-8", "surrogateescape")
        width = _BLOCKS[_META][1]
        bits = _Bits()
        bits.fixed(_abbreviation(_META, _TEXTS), width)
        bits.vbr(len(table), 6)
        bits.align()
        bits.fixed(int.from_bytes(table, "little"), 8 * len(table))
        bits.align()
        self._block(_META, width, bits)
        return b"".join(self._parts)

    def _begin(self) -> None:
        self._parts.append(b"RMRK")
        self._block(0, 2, _information())
        bits = _Bits()
        _record(bits, _META, _CONTAINER, 1, 1)
        _record(bits, _META, _VERSION, 0)
        self._block(_META, _BLOCKS[_META][1], bits)

    def _block(self, number: int, width: int, body: _Bits) -> None:
        """Writes a block, which ends here."""
        body.fixed(_END, width)
        body.align()
        bits = _Bits()
        bits.fixed(_ENTER, 2)
        bits.vbr(number, 8)
        bits.vbr(width, 4)
        bits.align()
        bits.fixed(body.count // 32, 32)
        self._parts += (bits.data(), body.data())

    def _text(self, text: str) -> int:
        return self._texts.setdefault(text, len(self._texts))


def _abbreviation(block: int, record: _Record) -> int:
    return _OWN + _BLOCKS[block][2].index(record)


def _record(bits: _Bits, block: int, record: _Record, *numbers: int) -> None:
    """Writes a record by its abbreviation."""
    bits.fixed(_abbreviation(block, record), _BLOCKS[block][1])
    for number, field in zip(numbers, record.fields or (), strict=True):
        if isinstance(field, _Fixed):
            bits.fixed(number, field.bits)
        else:
            bits.vbr(number, field.bits)


def _information() -> _Bits:
    """The block that names the records and defines their abbreviations."""
    bits = _Bits()
    for block, (name, _, records) in _BLOCKS.items():
        _unabbreviated(bits, _SET_BLOCK, [block])
        _unabbreviated(bits, _BLOCK_NAME, name.encode())
        for number, record in enumerate(records):
            _unabbreviated(bits, _RECORD_NAME, [record.code, *record.name.encode()])
            if not number:  # LLVM's writer says it again before a block's first abbreviation
                _unabbreviated(bits, _SET_BLOCK, [block])
            _define(bits, record)
    return bits


def _unabbreviated(bits: _Bits, code: int, numbers: bytes | list[int]) -> None:
    bits.fixed(_UNABBREVIATED, 2)
    for number in (code, len(numbers), *numbers):
        bits.vbr(number, 6)


def _define(bits: _Bits, record: _Record) -> None:
    """Writes an abbreviation: the code itself, then how each field is encoded."""
    bits.fixed(_DEFINE, 2)
    bits.vbr(2 if record.fields is None else 1 + len(record.fields), 5)
    bits.fixed(1, 1)
    bits.vbr(record.code, 8)
    if record.fields is None:
        bits.fixed(0, 1)
        bits.fixed(5, 3)  # a blob
        return
    for field in record.fields:
        bits.fixed(0, 1)
        bits.fixed(1 if isinstance(field, _Fixed) else 2, 3)
        bits.vbr(field.bits, 5)

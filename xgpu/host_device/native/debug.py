# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which line of which source machine code comes from: as LLVM's metadata, and read from objects.

Line tables only (DWARF 4: its table has no forms to interpret). Debuggers that know LLVM's JIT
interface and `llvm-symbolizer` on a cached object read them as well.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache


class DebugInfo:
    """The debug metadata of one module. Numbers are given in order of first use."""

    def __init__(self) -> None:
        self.nodes: list[str] = []
        self._files: dict[str, str] = {}
        self._nodes: dict[tuple[int, str], str] = {}
        self._unit = ""
        self._type = ""

    def _node(self, text: str) -> str:
        self.nodes.append(text)
        return f"!{len(self.nodes) - 1}"

    def _file(self, file: str) -> str:
        if file not in self._files:
            self._files[file] = self._node(f'!DIFile(filename: "{file}", directory: "")')
        return self._files[file]

    def subprogram(self, file: str, name: str, line: int) -> str:
        """The node of a function."""
        node = self._file(file)
        if not self._unit:
            self._unit = self._node(
                f"distinct !DICompileUnit(language: DW_LANG_C99, file: {node}, isOptimized: true, "
                "emissionKind: LineTablesOnly)"
            )
            self._type = self._node("!DISubroutineType(types: !{})")
        return self._node(
            f'distinct !DISubprogram(name: "{name}", scope: {node}, file: {node}, line: {line}, '
            f"type: {self._type}, unit: {self._unit}, spFlags: DISPFlagDefinition)"
        )

    def location(self, line: int, subprogram: str) -> str:
        """The node of a line of a function."""
        key = (line, subprogram)
        if key not in self._nodes:
            self._nodes[key] = self._node(f"!DILocation(line: {line}, scope: {subprogram})")
        return self._nodes[key]

    def lines(self) -> list[str]:
        """The metadata as LLVM IR text, for the end of the module."""
        if not self._unit:
            return []
        flags = [
            self._node(f'!{{i32 7, !"{name}", i32 {value}}}')
            for name, value in (("Dwarf Version", 4), ("Debug Info Version", 3))
        ]
        named = [
            f"!llvm.dbg.cu = !{{{self._unit}}}",
            f"!llvm.module.flags = !{{{', '.join(flags)}}}",
        ]
        return named + [f"!{i} = {node}" for i, node in enumerate(self.nodes)]


class LineTable:
    """The line table of an object: `location(offset in its text section)`."""

    def __init__(self, rows: list[tuple[int, str, int]]) -> None:
        self.rows = sorted(rows)
        self._starts = [row[0] for row in self.rows]

    def location(self, offset: int) -> tuple[str, int] | None:
        """File and line of an instruction."""
        at = bisect_right(self._starts, offset) - 1
        return None if at < 0 or not self.rows[at][2] else self.rows[at][1:]


@cache
def line_table(code: bytes) -> LineTable:
    """The line table of an object; empty where its format has none that we read."""
    from llvmlite import binding

    binding.initialize_native_target()
    found: dict[bytes, bytes] = {}
    for section in binding.ObjectFileRef.from_data(code).sections():
        if section.name() in (b".debug_line", b".rela.debug_line"):
            found[section.name()] = section.data()
    if len(found) < 2:
        return LineTable([])
    program = bytearray(found[b".debug_line"])
    for at, _, addend in struct.iter_unpack("<QQq", found[b".rela.debug_line"]):
        # All are relative to the one section of code that we emit.
        program[at : at + 8] = addend.to_bytes(8, "little")
    return LineTable(list(_Program(bytes(program)).rows()))


class _Program:
    """DWARF 4, 6.2: a state machine that appends rows. All addresses are offsets in one section."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def _number(self, size: int, signed: bool = False) -> int:
        self.at += size
        return int.from_bytes(self.data[self.at - size : self.at], "little", signed=signed)

    def _leb(self, signed: bool = False) -> int:
        value = shift = 0
        while True:
            byte = self._number(1)
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value - (1 << shift) if signed and byte & 64 else value

    def _string(self) -> str:
        end = self.data.index(0, self.at)
        text = self.data[self.at : end].decode()
        self.at = end + 1
        return text

    def rows(self) -> Iterator[tuple[int, str, int]]:
        while self.at + 4 <= len(self.data):
            length = self._number(4)
            end = self.at + length
            if self._number(2) == 4:
                yield from self._unit(end)
            self.at = end

    def _unit(self, end: int) -> Iterator[tuple[int, str, int]]:
        begin = self._number(4) + self.at
        step, _, _ = self._number(1), self._number(1), self._number(1)
        line_base, line_range, opcode_base = self._number(1, True), self._number(1), self._number(1)
        arities = [self._number(1) for _ in range(opcode_base - 1)]
        folders = [""]
        while folder := self._string():
            folders.append(f"{folder}/")
        files = [""]
        while name := self._string():
            files.append(folders[self._leb()] + name)
            self._leb()  # when it was changed
            self._leb()  # and its size
        self.at = begin
        address, file, line = 0, 1, 1
        while self.at < end:
            opcode = self._number(1)
            emits = opcode >= opcode_base or opcode == 1
            if opcode >= opcode_base:
                jump = opcode - opcode_base
                address += jump // line_range * step
                line += line_base + jump % line_range
            elif opcode == 0:
                size = self._leb()
                following = self.at + size
                kind = self._number(1)
                if kind == 1:  # end of a sequence
                    yield address, "", 0
                    address, file, line = 0, 1, 1
                elif kind == 2:
                    address = self._number(size - 1)
                self.at = following
            elif opcode == 2:
                address += self._leb() * step
            elif opcode == 3:
                line += self._leb(signed=True)
            elif opcode == 4:
                file = self._leb()
            elif opcode == 8:
                address += (255 - opcode_base) // line_range * step
            elif opcode == 9:
                address += self._number(2)
            elif opcode != 1:
                for _ in range(arities[opcode - 1]):
                    self._leb()
            if emits:
                yield address, files[file], line

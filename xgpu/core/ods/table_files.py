# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The files in `xgpu/core/ods/tables`: what MLIR's definitions say of dialects, as data.

`gpu.txt` is written by `tools/generate_tables.py`; `gpu.own.txt`, where there is one, by hand, for
what MLIR defines in C++ and for operations of this project, in a dialect of MLIR's or of its own.
Both have the same form:

    # a comment, where a section or a row could begin

    [operations]

    gpu.barrier
    hooks canonicalize
    format attr-dict

    gpu.dealloc
    ...

    [types]
    AnyFloat<TAB>is_float(t)<TAB>floating-point

Rows of operations and attributes are separated by empty lines; `table_parser` says what is in them.
The other sections have a line for each name, with tabs between its parts.
"""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache
from types import ModuleType

from xgpu.core.support.files import data_lines, data_text

SUFFIX, OWN_SUFFIX = ".txt", ".own.txt"
#: Files that are no dialects.
SHARED = frozenset(("constraints", "intrinsics"))


class Table:
    """What a dialect has, by name: rows of operations and attributes, and the parts of lines."""

    __slots__ = ("attribute_constraints", "attributes", "enumerations", "operations", "types")

    def __init__(self) -> None:
        self.operations: dict[str, str] = {}
        self.attributes: dict[str, str] = {}
        self.enumerations: dict[str, str] = {}
        self.types: dict[str, tuple[str, ...]] = {}
        self.attribute_constraints: dict[str, tuple[str, ...]] = {}

    @classmethod
    def of_module(cls, module: ModuleType) -> Table:
        """The table that a module of another project has in dictionaries."""
        table = cls()
        table.operations = getattr(module, "OPS", {})
        table.attributes = getattr(module, "ATTRS", {})
        table.enumerations = getattr(module, "ENUMS", {})
        table.types = getattr(module, "TYPES", {})
        table.attribute_constraints = getattr(module, "ATTR_CONSTRAINTS", {})
        return table

    def add(self, text: str) -> None:
        """Add what a file says. Raises KeyError for a section that there is not."""
        sections = {"operations": self.operations, "attributes": self.attributes}
        rows = self.operations
        for part in text.strip("\n").split("\n\n"):
            while part.startswith("#"):
                part = part.partition("\n")[2]
            if not part:
                continue
            name, _, rest = part.partition("\n")
            if name[0] != "[":
                rows[name] = rest
            elif name[1:-1] in sections:
                rows = sections[name[1:-1]]
            else:
                self._add_lines(name[1:-1], data_lines(rest))

    def _add_lines(self, section: str, lines: list[list[str]]) -> None:
        if section == "enumerations":
            self.enumerations.update((name, text) for name, text in lines)
            return
        constraints = {"types": self.types, "attribute constraints": self.attribute_constraints}
        constraints[section].update((name, tuple(parts)) for name, *parts in lines)


def read_table(name: str) -> Table | None:
    """The table of a dialect or of what several share (`constraints`); None if there is none."""
    table = Table()
    is_there = False
    for suffix in (SUFFIX, OWN_SUFFIX):
        try:
            text = data_text(__file__, f"tables/{name}{suffix}")
        except FileNotFoundError:
            continue
        is_there = True
        table.add(text)
    return table if is_there else None


def read_intrinsics() -> list[list[str]]:
    """Operations that are one call of an LLVM intrinsic: operation, intrinsic, positions of its
    immediates, the properties that have their values."""
    found = data_lines(data_text(__file__, f"tables/intrinsics{SUFFIX}"))
    with suppress(FileNotFoundError):  # nothing is written by hand
        found += data_lines(data_text(__file__, f"tables/intrinsics{OWN_SUFFIX}"))
    return found


def file_dialects() -> set[str]:
    """The dialects that have a file."""
    return {name.partition(".")[0] for name in _file_names()} - SHARED


@cache
def mlir_dialects() -> frozenset[str]:
    """Those of MLIR 22.1: they have a generated file."""
    names = (name for name in _file_names() if not name.endswith(OWN_SUFFIX))
    return frozenset(name.removesuffix(SUFFIX) for name in names) - SHARED


@cache
def own_dialects() -> frozenset[str]:
    """Those of this project, all of whose rows are written by hand."""
    return frozenset(file_dialects()) - mlir_dialects()


def _file_names() -> list[str]:
    place = os.path.join(os.path.dirname(__file__), "tables")
    return [name for name in os.listdir(place) if name.endswith(SUFFIX)]

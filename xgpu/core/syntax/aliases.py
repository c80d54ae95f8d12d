# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which attributes and types get an alias, and its name.

An attribute that may have one is written as `\\0n\\0`, n counting such attributes in the order in
which they were met. At the end they are sorted as MLIR sorts them, by nesting depth, then by name,
and numbered.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from xdsl.dialects.builtin import AffineMapAttr, AffineSetAttr, TupleType, UnitAttr
from xdsl.ir import Attribute

from xgpu.core.ir.uniquing import Uniquer
from xgpu.core.syntax.builtin_attributes import DistinctAttr

#: Compiled where there are any: most short texts have none.
_MARK = "\0([0-9]+)\0"
_DISTINCT = "\0d([0-9]+)\0"

#: Attributes of dialects that MLIR gives an alias, by name: the alias.
_DIALECT_ALIASES = {
    f"llvm.{mnemonic}": mnemonic
    for mnemonic in (
        "access_group",
        "alias_scope",
        "alias_scope_domain",
        "di_basic_type",
        "di_common_block",
        "di_compile_unit",
        "di_composite_type",
        "di_derived_type",
        "di_file",
        "di_global_variable",
        "di_global_variable_expression",
        "di_imported_entity",
        "di_label",
        "di_lexical_block",
        "di_lexical_block_file",
        "di_local_variable",
        "di_module",
        "di_namespace",
        "di_null_type",
        "di_string_type",
        "di_subprogram",
        "di_subroutine_type",
        "mmra_tag",
        "loop_annotation",
        "loop_distribute",
        "loop_interleave",
        "loop_licm",
        "loop_peeled",
        "loop_pipeline",
        "loop_unroll",
        "loop_unroll_and_jam",
        "loop_unswitch",
        "loop_vectorize",
        "tbaa_root",
        "tbaa_tag",
        "tbaa_type_desc",
    )
}


def _parts(attribute: Attribute) -> list[Attribute]:
    """The attributes that an attribute of a dialect, an array or a dictionary holds directly."""
    data = getattr(attribute, "data", None)
    if isinstance(data, dict):
        return list(data.values())
    found: list[Attribute] = []
    for part in data if isinstance(data, tuple) else ():
        if isinstance(part, tuple):
            found += [inner for inner in part if isinstance(inner, Attribute)]
        elif isinstance(part, Attribute):
            found.append(part)
    return found


class _Entry:
    __slots__ = ("deferred", "depth", "is_type", "name", "text")

    def __init__(self, name: str, is_type: bool, deferred: bool) -> None:
        self.name = name
        self.is_type = is_type
        self.deferred = deferred
        self.depth = 0
        self.text = ""


class Aliases:
    """The aliases of one output."""

    def __init__(self, *, enabled: bool) -> None:
        self.enabled = enabled
        self.entries: list[_Entry] = []
        self._unique = Uniquer()
        self._marks: dict[int, str] = {}
        self._levels: dict[int, int] = {}
        self._names: list[str] | None = None
        self._in_location = False

    def mark(self, attribute: Attribute, as_text: Callable[[], str]) -> str | None:
        """The mark that stands for an attribute, or None if it gets no alias. `spell` gives its own
        text, which may hold marks of others."""
        if not self.enabled:
            return None
        alias = alias_of(attribute)
        if alias is None:
            return None
        number = self._unique.number(attribute)
        mark = self._marks.get(number)
        if mark is None:
            is_type = isinstance(attribute, TupleType)
            mark = self._new(attribute, alias, is_type, self._in_location, as_text)
        elif not self._in_location:
            self._undefer([self.entries[int(mark[1:-1])]])
        return mark

    def location_mark(
        self, location: Attribute, as_text: Callable[[], str], *, deferred: bool = True
    ) -> str | None:
        """The mark that stands for a location. Locations of block arguments are not `deferred`:
        MLIR defines their aliases at the top, although it then spells the location out."""
        if not self.enabled:
            return None
        number = self._unique.number(location)
        mark = self._marks.get(number)
        if mark is None:
            # What only locations name is defined with them.
            outside = self._in_location
            self._in_location = outside or deferred
            mark = self._new(location, "loc", False, deferred, as_text)
            self._in_location = outside
        elif not deferred:
            self._undefer([self.entries[int(mark[1:-1])]])
        return mark

    def _new(
        self,
        attribute: Attribute,
        alias: str,
        is_type: bool,
        deferred: bool,
        as_text: Callable[[], str],
    ) -> str:
        entry = _Entry(alias, is_type, deferred)
        mark = self._marks[self._unique.number(attribute)] = f"\0{len(self.entries)}\0"
        self.entries.append(entry)
        entry.text = as_text()
        if "\0" not in entry.text:
            return mark  # as most locations, it holds nothing that has an alias
        nested = self._nested(entry)
        entry.depth = max(
            1 + max((other.depth for other in nested), default=-1), self._deepest(attribute)
        )
        # What an alias at the top needs must be defined at the top as well.
        if not deferred:
            self._undefer(nested)
        return mark

    def _deepest(self, attribute: Attribute) -> int:
        """The greatest depth of what is in an attribute. What has no alias itself but holds some is
        a level too, as a member of a TBAA type is."""
        return max((self._depth(part) for part in _parts(attribute)), default=0)

    def _depth(self, attribute: Attribute) -> int:
        number = self._unique.number(attribute)
        mark = self._marks.get(number)
        if mark is not None:
            return self.entries[int(mark[1:-1])].depth + 1
        # What is asked for has been written, so that all inside of it that gets an alias has one.
        level = self._levels.get(number)
        if level is None:
            inside = self._deepest(attribute)
            level = self._levels[number] = inside + 1 if inside else 0
        return level

    def _undefer(self, entries: list[_Entry]) -> None:
        for entry in entries:
            if entry.deferred:
                entry.deferred = False
                self._undefer(self._nested(entry))

    def _nested(self, entry: _Entry) -> list[_Entry]:
        return [self.entries[int(n)] for n in re.findall(_MARK, entry.text)]

    # --- names -----------------------------------------------------------------------------
    def _order(self) -> list[int]:
        entries = self.entries
        return sorted(
            range(len(entries)),
            key=lambda n: (entries[n].depth, not entries[n].is_type, entries[n].name),
        )

    def names(self) -> list[str]:
        """The names of all entries, numbered in MLIR's order."""
        if self._names is None or len(self._names) != len(self.entries):
            counts: dict[str, int] = {}
            names = [""] * len(self.entries)
            for n in self._order():
                entry = self.entries[n]
                index = counts.get(entry.name, 0)
                counts[entry.name] = index + 1
                suffix = str(index) if index else ""
                if suffix and entry.name[-1].isdigit():
                    suffix = "_" + suffix
                names[n] = ("!" if entry.is_type else "#") + entry.name + suffix
            self._names = names
        return self._names

    def resolve(self, text: str) -> str:
        """`text` with names for marks."""
        if not self.entries:
            return self._number_distinct([text])[0]
        names = self.names()
        text = re.sub(_MARK, lambda match: names[int(match[1])], text)
        return self._number_distinct([text])[0]

    def _name_marks(self, text: str) -> str:
        names = self.names()
        return re.sub(_MARK, lambda match: names[int(match[1])], text)

    @staticmethod
    def _number_distinct(texts: list[str]) -> list[str]:
        """Numbers of distinct attributes count them in the order of the output."""
        numbers: dict[str, str] = {}

        def number(match: re.Match[str]) -> str:
            return numbers.setdefault(match[1], str(len(numbers)))

        return [re.sub(_DISTINCT, number, text) if "\0d" in text else text for text in texts]

    def finish(self, body: str) -> tuple[str, str, str]:
        """The definitions before a text, the text with names for marks, the definitions after."""
        if not self.entries:
            return "", self._number_distinct([body])[0], ""
        names = self.names()
        before: list[str] = []
        after: list[str] = []
        for n in self._order():
            entry = self.entries[n]
            line = f"{names[n]} = {self._name_marks(entry.text)}\n"
            (after if entry.deferred else before).append(line)
        texts = ["".join(before), self._name_marks(body), "".join(after)]
        first, second, third = self._number_distinct(texts)
        return first, second, third


def alias_of(attribute: Attribute) -> str | None:
    """The name of the alias that MLIR would give, or None."""
    if isinstance(attribute, AffineMapAttr):
        return "map"
    if isinstance(attribute, AffineSetAttr):
        return "set"
    if isinstance(attribute, DistinctAttr):
        return None if isinstance(attribute.data[1], UnitAttr) else "distinct"
    if isinstance(attribute, TupleType):
        return "tuple" if len(attribute.types) > 16 else None
    return _DIALECT_ALIASES.get(attribute.name)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Locations that the sanitizer's reports speak of, by number."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_SITES = 1 << 19


class Workgroup:
    """Where the variables of a kernel module lie in workgroup memory: (name, offset, bytes), those
    of dynamic shared memory without bytes."""

    __slots__ = ("_variables",)

    def __init__(self, variables: Iterable[tuple[str, int, int | None]] = ()) -> None:
        self._variables = sorted(variables, key=lambda variable: variable[1])

    def offset_of(self, name: str) -> int | None:
        """The offset of a variable, None if there is none of that name."""
        return next((begin for other, begin, _ in self._variables if other == name), None)

    def at(self, offset: int) -> tuple[str, int] | None:
        """Name and offset of the variable that holds a byte."""
        for name, begin, size in self._variables:
            if begin <= offset and (size is None or offset < begin + size):
                return name, begin
        return None


class Site:
    """An operation of a program: where it is, what it is, in which kernel ("" on the host)."""

    __slots__ = ("column", "file", "kernel", "line", "name", "workgroup")

    def __init__(
        self, file: str, line: int, column: int, name: str, kernel: str,
        workgroup: Workgroup | None = None,
    ) -> None:  # fmt: skip
        self.file = file
        self.line = line
        self.column = column
        self.name = name
        self.kernel = kernel
        #: The variables of its module in workgroup memory.
        self.workgroup = workgroup

    @property
    def location(self) -> str:
        """`file:line:column`, empty where it is not known."""
        return f"{self.file}:{self.line}:{self.column}" if self.file else ""


class SiteTable:
    """Sites by number, from 1; 0 is no location."""

    def __init__(self) -> None:
        self._sites: list[Site] = [Site("", 0, 0, "", "")]
        self._numbers: dict[tuple[object, ...], int] = {}
        #: What files are called here: several texts without a name are told apart.
        self.renamed: dict[str, str] = {}

    def add(self, site: Site) -> int:
        """The number of a site. Raises `OverflowError` where numbers have run out."""
        if len(self._sites) >= MOST_SITES:
            raise OverflowError(f"more than {MOST_SITES - 1} places to look at")
        self._sites.append(site)
        return len(self._sites) - 1

    def host(self, location: str | None, name: str) -> int:
        """The number of a call of the host at `file:line:column`."""
        key = (location, name)
        if key not in self._numbers:
            file, line, column = "", "0", "0"
            if location and location.count(":") >= 2:
                file, line, column = location.rsplit(":", 2)
            self._numbers[key] = self.add(Site(file, int(line), int(column), name, ""))
        return self._numbers[key]

    def __getitem__(self, number: int) -> Site:
        return self._sites[number] if 0 <= number < len(self._sites) else self._sites[0]

    def __len__(self) -> int:
        return len(self._sites)

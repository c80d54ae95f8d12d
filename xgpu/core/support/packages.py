# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a package has: modules, without `pkgutil`, which loads `inspect`, `ast` and `weakref`, and
files of data, without `importlib.resources`, which takes longer to load than most data is worth.
"""

from __future__ import annotations

import os
from collections.abc import Iterable


def modules_of(places: Iterable[str]) -> set[str]:
    """The names of the modules that are one file, in a package whose `__path__` is `places`."""
    return {name[:-3] for _, name in _entries(places) if _is_source(name)} - {"__init__"}


def packages_of(places: Iterable[str]) -> set[str]:
    """The names of the packages in a package whose `__path__` is `places`."""
    return {
        name
        for place, name in _entries(places)
        if name.isidentifier() and os.path.exists(os.path.join(place, name, "__init__.py"))
    }


def data_text(module: str, name: str) -> str:
    """The file `name` in the folder of a module whose `__file__` is `module`."""
    with open(os.path.join(os.path.dirname(module), name), encoding="utf-8") as file:
        return file.read()


def data_lines(text: str) -> list[list[str]]:
    """The lines of a file that are neither empty nor comments (`#`), in parts between tabs."""
    return [line.split("\t") for line in text.splitlines() if line and line[0] != "#"]


def _is_source(name: str) -> bool:
    return name.endswith(".py") and name[:-3].isidentifier()


def _entries(places: Iterable[str]) -> list[tuple[str, str]]:
    return [(place, name) for place in places for name in os.listdir(place)]

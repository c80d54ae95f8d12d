# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What modules a package has, without `pkgutil`, which loads `inspect`, `ast` and `weakref`."""

from __future__ import annotations

import os

TYPE_CHECKING = False  # importing `typing` for it takes longer than reading this file
if TYPE_CHECKING:
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


def _is_source(name: str) -> bool:
    return name.endswith(".py") and name[:-3].isidentifier()


def _entries(places: Iterable[str]) -> list[tuple[str, str]]:
    return [(place, name) for place in places for name in os.listdir(place)]

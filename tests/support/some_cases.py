# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases along several axes, most of them only for `--long`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

import pytest

_Parameters = type(pytest.param())


def some(*axes: Sequence[Any], of: int = 2) -> list[Any]:
    """All combinations, each `of`-th without a mark: those whose places along the axes add up to a
    multiple of it, so that each value of an axis is there. A value may be several arguments."""
    found = []
    for places in product(*(range(len(axis)) for axis in axes)):
        values: list[Any] = []
        for axis, place in zip(axes, places, strict=True):
            value = axis[place]
            values += value if isinstance(value, tuple) else (value,)
        marks = () if sum(places) % of == 0 else (pytest.mark.long,)
        found.append(pytest.param(*values, marks=marks))
    return found


def each(values: Iterable[Any], step: int) -> list[Any]:
    """All values, each `step`-th without a mark, the first among them. A value may be several
    arguments, or a `pytest.param` already."""
    return [value if place % step == 0 else _long(value) for place, value in enumerate(values)]


def short(values: Iterable[Any], *shown: Any) -> list[Any]:
    """All values, those in `shown` without a mark."""
    return [value if value in shown else _long(value) for value in values]


def _long(value: Any) -> Any:
    if not isinstance(value, _Parameters):
        values = value if type(value) is tuple else (value,)  # not what has a class of its own
        return pytest.param(*values, marks=pytest.mark.long)
    return pytest.param(*value.values, marks=[*value.marks, pytest.mark.long], id=value.id)


def long_first(values: Iterable[Any], count: int = 1) -> list[Any]:
    """All values, the first ones for `--long`, the others for `--exhaustive`."""
    return [
        pytest.param(value, marks=pytest.mark.long if place < count else pytest.mark.exhaustive)
        for place, value in enumerate(values)
    ]


def long_each(values: Iterable[Any], step: int) -> list[Any]:
    """All values, each `step`-th for `--long`, the others for `--exhaustive`."""
    return [
        pytest.param(value, marks=pytest.mark.exhaustive if place % step else pytest.mark.long)
        for place, value in enumerate(values)
    ]

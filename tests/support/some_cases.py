# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases along several axes, most of them only for `--long`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest


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

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies between arrays whose elements have gaps between them, as few copies of rows."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from xgpu.api.memory import HOST, View


@dataclass(frozen=True, slots=True)
class Rows:
    """`count` rows of `width` bytes each. `target` and `source` are an address, the bytes from one
    row to the next, and whether that is memory of the host."""

    target: tuple[int, int, bool]
    source: tuple[int, int, bool]
    width: int
    count: int


def rows_of(target: View, source: View, itemsize: int) -> Iterator[Rows]:
    """The rows whose copies give `target` the elements of `source`, which has the same shape."""
    if 0 in target.shape:
        return
    axes = _merged(target, source)
    width = 1
    if axes and axes[-1][1] == axes[-1][2] == 1:
        width = axes.pop()[0]
    count, to_step, from_step = axes.pop() if axes and _are_rows(axes[-1], width) else (1, 0, 0)
    for at in itertools.product(*(range(n) for n, _, _ in axes)):
        to = sum(i * step for i, (_, step, _) in zip(at, axes, strict=True))
        origin = sum(i * step for i, (_, _, step) in zip(at, axes, strict=True))
        yield Rows(
            (target.address + to * itemsize, to_step * itemsize, target.device == HOST),
            (source.address + origin * itemsize, from_step * itemsize, source.device == HOST),
            width * itemsize,
            count,
        )


def _are_rows(axis: tuple[int, int, int], width: int) -> bool:
    """Whether a device copies that at once: rows that do not overlap, in rising order."""
    return axis[1] >= width and axis[2] >= width


def _merged(target: View, source: View) -> list[tuple[int, int, int]]:
    """Size, step of the target and of the source of each axis, in elements; neighbours that are
    one run of memory in both are one axis."""
    axes: list[tuple[int, int, int]] = []
    for size, to, origin in zip(target.shape, target.strides, source.strides, strict=True):
        if size == 1:
            continue
        if axes:
            outer, outer_to, outer_origin = axes[-1]
            if outer_to == size * to and outer_origin == size * origin:
                axes[-1] = (outer * size, to, origin)
                continue
        axes.append((size, to, origin))
    return axes

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A roofline: kernels by their operations on floats for each byte and in each second, beside what
the machine can do (SVG).

Both axes are logarithms. The roof rises with the memory's bandwidth and is flat where arithmetic
limits. A kernel without operations on floats has no place there, and stands in the list alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xgpu.runtime.work import KernelRate, Peaks

_WIDTH, _HEIGHT = 980, 430
_LEFT, _TOP, _RIGHT, _BOTTOM = 64, 44, 560, 380
_LIST = 590  # where the list begins
_ROW = 17
_COLORS = ("#2f6db5", "#c03028", "#3b8f5a", "#8a6bb0", "#c9872c", "#3c9aa8", "#7a5c3e", "#b0478f")


class _Axis:
    """From a logarithm of base ten to the picture."""

    def __init__(self, values: Sequence[float], begin: float, end: float) -> None:
        self.low = math.floor(min(math.log10(v) for v in values))
        self.high = max(math.ceil(max(math.log10(v) for v in values)), self.low + 1)
        self._begin, self._step = begin, (end - begin) / (self.high - self.low)

    def __call__(self, value: float) -> float:
        return self._begin + (math.log10(value) - self.low) * self._step


def svg(kernels: Sequence[KernelRate], peaks: Peaks, title: str) -> str:
    """The picture, of kernels of which something is counted."""
    ridge = peaks.floats / peaks.bytes
    placed = [k for k in kernels if k.speed > 0 and 0 < k.intensity < math.inf]
    x = _Axis([ridge / 30, ridge * 30, *(k.intensity for k in placed)], _LEFT, _RIGHT)
    speeds = [peaks.floats / 1e9, peaks.floats / 1e11, *(k.speed / 1e9 for k in placed)]
    y = _Axis(speeds, _BOTTOM, _TOP)
    height = max(_HEIGHT, 96 + _ROW * len(kernels))
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" '
        f'viewBox="0 0 {_WIDTH} {height}" font-family="Helvetica, Arial, sans-serif" '
        'font-size="11">',
        f'<rect width="{_WIDTH}" height="{height}" fill="#ffffff"/>',
        f'<text x="{_LEFT}" y="20" font-size="14" fill="#111">{escape(title)}</text>',
        *_grid(x, y),
        *_roofs(x, y, peaks),
    ]
    numbers = {id(kernel): number for number, kernel in enumerate(kernels, 1)}
    for kernel in placed:
        out += _point(kernel, numbers[id(kernel)], x, y, peaks)
    out += _list(kernels, peaks)
    out.append("</svg>")
    return "\n".join(out) + "\n"


def _grid(x: _Axis, y: _Axis) -> list[str]:
    out: list[str] = []
    for power in range(x.low, x.high + 1):
        at = x(10.0**power)
        out.append(
            f'<line x1="{at:.1f}" y1="{_TOP}" x2="{at:.1f}" y2="{_BOTTOM}" stroke="#ddd"/>'
            f'<text x="{at:.1f}" y="{_BOTTOM + 15}" text-anchor="middle" fill="#777">'
            f"{10.0**power:g}</text>"
        )
    for power in range(y.low, y.high + 1):
        at = y(10.0**power)
        out.append(
            f'<line x1="{_LEFT}" y1="{at:.1f}" x2="{_RIGHT}" y2="{at:.1f}" stroke="#ddd"/>'
            f'<text x="{_LEFT - 6}" y="{at + 4:.1f}" text-anchor="end" fill="#777">'
            f"{10.0**power:g}</text>"
        )
    out.append(
        f'<text x="{(_LEFT + _RIGHT) / 2}" y="{_BOTTOM + 34}" text-anchor="middle" fill="#444">'
        "operations on floats for each byte of global memory that threads ask for</text>"
        f'<text x="{_LEFT}" y="{_TOP - 8}" fill="#444">GFLOP/s</text>'
    )
    return out


def _roofs(x: _Axis, y: _Axis, peaks: Peaks) -> list[str]:
    """For floats of 32 and of 64 bits, with one slope."""
    out: list[str] = []
    floor = 10.0**y.low * 1e9
    for peak, name, style in (
        (peaks.floats, "f32", ""), (peaks.doubles, "f64", ' stroke-dasharray="5 4"'),
    ):  # fmt: skip
        begin = max(10.0**x.low, floor / peaks.bytes)
        corner = peak / peaks.bytes
        points = [
            (begin, begin * peaks.bytes / 1e9), (corner, peak / 1e9), (10.0**x.high, peak / 1e9),
        ]  # fmt: skip
        path = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in points)
        out.append(
            f'<polyline points="{path}" fill="none" stroke="#222" stroke-width="1.6"{style}/>'
            f'<text x="{_RIGHT - 4}" y="{y(peak / 1e9) - 5:.1f}" text-anchor="end" fill="#222">'
            f"{name} {peak / 1e9:.0f} GFLOP/s</text>"
        )
    middle = math.sqrt(max(10.0**x.low, floor / peaks.bytes) * peaks.doubles / peaks.bytes)
    at, high = x(middle), y(middle * peaks.bytes / 1e9)
    out.append(
        f'<text x="{at - 8:.1f}" y="{high - 8:.1f}" text-anchor="end" fill="#222">'
        f"{peaks.bytes / 1e9:.0f} GB/s</text>"
    )
    return out


def _point(kernel: KernelRate, number: int, x: _Axis, y: _Axis, peaks: Peaks) -> list[str]:
    at, high = x(kernel.intensity), y(kernel.speed / 1e9)
    color = _COLORS[(number - 1) % len(_COLORS)]
    words = (
        f"{kernel.name}\n{kernel.speed / 1e9:.3g} GFLOP/s, {kernel.bandwidth / 1e9:.3g} GB/s, "
        f"{100 * kernel.roof(peaks):.0f} % of the roof"
    )
    return [
        f'<g class="kernel"><title>{escape(words)}</title>'
        f'<circle cx="{at:.1f}" cy="{high:.1f}" r="8" fill="{color}" stroke="#fff"/>'
        f'<text x="{at:.1f}" y="{high + 3.5:.1f}" text-anchor="middle" font-size="9.5" '
        f'fill="#fff">{number}</text></g>'
    ]


_COLUMNS = ((0, "start"), (22, "start"), (250, "end"), (310, "end"), (368, "end"))


def _list(kernels: Sequence[KernelRate], peaks: Peaks) -> list[str]:
    out = _row(_TOP, ("", "kernel", "GB/s", "GFLOP/s", "of roof"), "#777")
    for number, kernel in enumerate(kernels, 1):
        mark = "~" if kernel.is_counting_timed else ""
        cells = (
            str(number), kernel.name[:28], f"{mark}{kernel.bandwidth / 1e9:.3g}",
            f"{mark}{kernel.speed / 1e9:.3g}", f"{100 * kernel.roof(peaks):.0f} %",
        )  # fmt: skip
        out += _row(_TOP + _ROW * number, cells, _COLORS[(number - 1) % len(_COLORS)])
    return out


def _row(y: float, cells: Sequence[str], color: str) -> list[str]:
    return [
        f'<text x="{_LIST + at}" y="{y}" text-anchor="{anchor}" fill="{color}">'
        f"{escape(cell)}</text>"
        for (at, anchor), cell in zip(_COLUMNS, cells, strict=True)
        if cell
    ]

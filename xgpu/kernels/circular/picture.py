# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A buffer schedule as a picture: a lane a stage, a bar for each tile that it has."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from xgpu.kernels.circular.schedule import ASKED, COMING, FREE, USED

if TYPE_CHECKING:
    from xgpu.kernels.circular.schedule import BufferSchedule, Cell, Lane

_LEFT, _TOP, _STEP, _ROW, _GAP = 90, 64, 44, 28, 30
_FILL = {ASKED: "#9cc3ea", COMING: "#cfe2f5", USED: "#3b8f5a"}
_TEXT = {ASKED: "#123", COMING: "#345", USED: "#fff"}


def svg(schedules: list[BufferSchedule], titles: list[str]) -> str:
    """One picture of several loops, one below the other."""
    parts: list[str] = []
    width, at = 0, 0
    for schedule, title in zip(schedules, titles, strict=True):
        for lane in schedule.lanes():
            body, bottom = _lane(lane, f"{title}: {lane.name}", at)
            parts.append(body)
            width = max(width, _LEFT + _STEP * len(lane.rows[0]) + 24)
            at = bottom + _GAP
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{at}" '
        f'viewBox="0 0 {width} {at}" font-family="Helvetica, Arial, sans-serif" font-size="11">\n'
        f'<rect width="{width}" height="{at}" fill="#ffffff"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _lane(lane: Lane, title: str, at: int) -> tuple[str, int]:
    top = at + _TOP
    out = [
        f'<text x="12" y="{at + 20}" font-size="14">{escape(title)}</text>',
        f'<text x="12" y="{at + 38}" fill="#555">light: the copy is on its way; dark: the tile is '
        "used; numbers are iterations</text>",
    ]
    for step in range(len(lane.rows[0])):
        number = lane.first + step
        word = str(number) if number >= 0 else "prologue" if step == 0 else ""
        x = _LEFT + _STEP * step
        out.append(f'<text x="{x + 4}" y="{top - 6}" fill="#555">{word}</text>')
        out.append(
            f'<line x1="{x}" y1="{top}" x2="{x}" y2="{top + _ROW * len(lane.rows)}" stroke="#ddd"/>'
        )
    for stage, row in enumerate(lane.rows):
        y = top + _ROW * stage
        out.append(f'<text x="12" y="{y + 18}">stage {stage}</text>')
        out += [_cell(cell, _LEFT + _STEP * step, y) for step, cell in enumerate(row)]
    return "\n".join(line for line in out if line), top + _ROW * len(lane.rows)


def _cell(cell: Cell, x: int, y: int) -> str:
    if cell.state == FREE:
        return ""
    word = str(cell.iteration) if cell.state in (ASKED, USED) else ""
    return (
        f'<rect x="{x + 1}" y="{y + 3}" width="{_STEP - 1}" height="{_ROW - 6}" '
        f'fill="{_FILL[cell.state]}"/><text x="{x + 8}" y="{y + 18}" '
        f'fill="{_TEXT[cell.state]}">{word}</text>'
    )

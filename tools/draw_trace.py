#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws a trace of `xgpu-runner --trace` as SVG: a lane for each stream, a bar for each operation.

usage: draw_trace.py TRACE.json OUT.svg
"""

from __future__ import annotations

import html
import json
import pathlib
import sys
from typing import Any

WIDTH, LANE, BAR, LEFT, TOP = 860, 44, 28, 90, 34
COLOURS = ("#4c72b0", "#dd8452", "#55a868", "#8172b3", "#937860")


def draw(events: list[dict[str, Any]]) -> str:
    """The SVG text; times on the axis in milliseconds from the first kernel or copy."""
    bars = [e for e in events if e.get("ph") == "X" and e.get("tid")]
    begin = min(e["ts"] for e in bars)
    end = max(e["ts"] + e["dur"] for e in bars)
    scale = (WIDTH - LEFT - 20) / max(end - begin, 1)
    lanes = sorted({e["tid"] for e in bars})
    height = TOP + LANE * len(lanes) + 16
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
    ]
    for step in range(6):
        x = LEFT + step * (WIDTH - LEFT - 20) / 5
        label = f"{(end - begin) * step / 5 / 1000:.0f} ms"
        out.append(f'<line x1="{x:.1f}" y1="26" x2="{x:.1f}" y2="{height - 8}" stroke="#ddd"/>')
        anchor = "end" if step == 5 else "middle"
        out.append(f'<text x="{x:.1f}" y="18" fill="#666" text-anchor="{anchor}">{label}</text>')
    for row, lane in enumerate(lanes):
        y = TOP + row * LANE
        out.append(f'<text x="8" y="{y + 19}" fill="#222">stream {lane}</text>')
        for e in bars:
            if e["tid"] != lane:
                continue
            x = LEFT + (e["ts"] - begin) * scale
            width = max(e["dur"] * scale, 2)
            colour = COLOURS[row % len(COLOURS)]
            out.append(
                f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{BAR}" rx="3" '
                f'fill="{colour}"/>'
            )
            name = html.escape(str(e["name"]))
            if width > 9 * len(name):
                out.append(f'<text x="{x + 8:.1f}" y="{y + 19}" fill="white">{name}</text>')
            else:
                at = f'x="{x - 6:.1f}" y="{y + 19}"'
                out.append(f'<text {at} fill="#222" text-anchor="end">{name}</text>')
    out.append("</svg>")
    return "\n".join(out) + "\n"


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 1
    data = json.loads(pathlib.Path(sys.argv[1]).read_text())
    events = data["traceEvents"] if isinstance(data, dict) else data
    pathlib.Path(sys.argv[2]).write_text(draw(events))
    return 0


if __name__ == "__main__":
    sys.exit(main())

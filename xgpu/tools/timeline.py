# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`xgpu-runner --timeline FILE`: streams as lanes, operations as bars, waits as arrows.

.svg is one picture; .html is a wider one that scrolls, with a table of all operations; .json is a
Chrome trace with the waits as flows, for Perfetto.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from xgpu.core.ir.errors import UsageError
from xgpu.runtime.session import Session, TraceEvent, lane_name

SUFFIXES = (".svg", ".html", ".json")

_LEFT, _TOP, _RIGHT = 90, 58, 24
_LANE, _BAR = 46, 28
_LETTER = 6.4  # width of a letter of the labels, about
_COLORS = {  # kind -> fill, text
    "kernel": ("#2f6db5", "#ffffff"), "memory": ("#3b8f5a", "#ffffff"),
    "wait": ("#d9d9d9", "#333333"), "module": ("#c9a86a", "#222222"),
    "communication": ("#c05a1f", "#ffffff"),
    "host": ("#8a6bb0", "#ffffff"),
}  # fmt: skip
_KIND_WORDS = {
    "kernel": "kernel", "memory": "copy, fill, allocation", "wait": "host waits",
    "communication": "communication of ranks",
    "module": "module is loaded", "host": "call of the host",
}  # fmt: skip


def check_suffix(path: str) -> None:
    """Raise `UsageError` for a file that we would not know how to write."""
    if not path.endswith(SUFFIXES):
        raise UsageError(f"option '--timeline' is '{path}', expected {', '.join(SUFFIXES)}")


def write_timeline(path: str, session: Session, title: str) -> None:
    """Write what `session` has recorded."""
    from xgpu.tools.files import write_output

    if path.endswith(".json"):
        text = session.trace_json()
    elif path.endswith(".svg"):
        text = svg(session.events or [], title, names=session.lane_names)
    else:
        text = html(session.events or [], title, session.lane_names)
    write_output(path, text)


class _Scale:
    """From microseconds to the picture."""

    def __init__(self, events: list[TraceEvent], width: float) -> None:
        self.begin = min((e["ts"] for e in events), default=0.0)
        self.end = max((e["ts"] + e["dur"] for e in events), default=1.0)
        self.span = max(self.end - self.begin, 1e-3)
        self.width = width

    def __call__(self, time: float) -> float:
        return _LEFT + (time - self.begin) / self.span * self.width


def svg(
    events: list[TraceEvent], title: str, width: int = 1200, names: Mapping[int, str] | None = None
) -> str:
    """The picture; `names` are those of lanes that are not one process's streams. Bars and arrows
    have the numbers of their operations in `events`, for pages that hold the picture (`data-event`,
    `data-from`, `data-to`)."""
    numbered = {id(event): number for number, event in enumerate(events)}
    events = sorted(events, key=lambda e: (e["tid"], e["ts"]))
    numbers = sorted({e["tid"] for e in events} | {0})
    rows = {lane: _TOP + i * _LANE for i, lane in enumerate(numbers)}
    scale = _Scale(events, width - _LEFT - _RIGHT)
    bottom = _TOP + len(numbers) * _LANE
    height = bottom + 54
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="Helvetica, Arial, sans-serif" '
        'font-size="11">',
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="#c03028"/>'
        "</marker></defs>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text x="{_LEFT}" y="20" font-size="14" fill="#111">{escape(title)}</text>',
        f'<text x="{width - _RIGHT}" y="20" text-anchor="end" fill="#555">'
        f"{_duration(scale.span)}</text>",
    ]
    out += _axis(scale, bottom)
    for i, lane in enumerate(numbers):
        y = rows[lane]
        if i % 2 == 0:
            out.append(
                f'<rect x="0" y="{y}" width="{width}" height="{_LANE}" fill="#000" '
                'fill-opacity="0.035"/>'
            )
        name = (names or {}).get(lane) or lane_name(lane)
        out.append(
            f'<text class="lane" x="12" y="{y + _LANE / 2 + 4}" font-size="12" fill="#111">'
            f"{name}</text>"
        )
    for lane in numbers:
        lane_events = [e for e in events if e["tid"] == lane]
        out += _bars(lane_events, numbered, scale, rows[lane], width)
    out += _arrows(events, numbered, scale, rows)
    out += _legend({e["cat"] for e in events}, bottom + 36)
    out.append("</svg>")
    return "\n".join(out) + "\n"


def _axis(scale: _Scale, bottom: float) -> list[str]:
    digits = len(str(int(scale.span)))
    steps = (d * 10.0**e for e in range(-4, digits + 1) for d in (1, 2, 5))
    step = next(s for s in steps if scale.span / s <= 10)
    out = []
    count = int(scale.span / step)
    for i in range(count + 1):
        x = scale(scale.begin + i * step)
        out.append(
            f'<line x1="{x:.1f}" y1="{_TOP - 8}" x2="{x:.1f}" y2="{bottom}" stroke="#ccc"/>'
            f'<text x="{x:.1f}" y="{_TOP - 13}" text-anchor="middle" fill="#777">'
            f"{_duration(i * step)}</text>"
        )
    return out


def _bars(
    events: list[TraceEvent], numbered: Mapping[int, int], scale: _Scale, top: float, width: int
) -> list[str]:
    """The bars of one lane. Labels that do not fit into their bars go behind them, where there is
    room before the next bar; those of several short bars together; the last may go in front.
    """
    out: list[str] = []
    y = top + (_LANE - _BAR) / 2
    waiting: list[TraceEvent] = []  # without a label so far
    for i, event in enumerate(events):
        x = scale(event["ts"])
        length = max(event["dur"] / scale.span * scale.width, 1.5)
        fill, ink = _COLORS.get(event["cat"], _COLORS["host"])
        out.append(
            f'<g class="operation" data-event="{numbered[id(event)]}">'
            f"<title>{escape(_tip(event, scale.begin))}</title>"
            f'<rect x="{x:.1f}" y="{y}" width="{length:.1f}" height="{_BAR}" rx="2.5" '
            f'fill="{fill}" stroke="#ffffff" stroke-width="0.5"/></g>'
        )
        name, line = event["name"], _line(event)
        if _width(name) <= length:
            out += _label(x + 5, y, name, line if _width(line) <= length else "", ink)
            waiting.clear()
            continue
        waiting.append(event)
        following = scale(events[i + 1]["ts"]) if i + 1 < len(events) else width - 4
        name, line = _together(waiting)
        if max(_width(name), _width(line)) <= following - x - length:
            out += _label(x + length + 3, y, name, line, "#222222")
            waiting.clear()
    if waiting:  # at the right edge: in front of them, if there is room
        first = events.index(waiting[0])
        free = scale(waiting[0]["ts"]) - _LEFT
        if first:
            before = events[first - 1]
            free = scale(waiting[0]["ts"]) - scale(before["ts"] + before["dur"])
        name, line = _together(waiting)
        needed = max(_width(name), _width(line))
        if needed <= free:
            out += _label(scale(waiting[0]["ts"]) - needed + 5, y, name, line, "#222222")
    return out


def _width(text: str) -> float:
    return len(text) * _LETTER + 8


def _together(events: list[TraceEvent]) -> tuple[str, str]:
    """One label for several bars: their names, each with how often it comes, and their lines."""
    names: dict[str, int] = {}
    for event in events:
        names[event["name"]] = names.get(event["name"], 0) + 1
    words = [f"{name} x{count}" if count > 1 else name for name, count in names.items()]
    lines = list(dict.fromkeys(line for e in events if (line := _line(e))))
    if len(words) > 4:
        words = [*words[:3], f"{len(words) - 3} more"]
    if len(lines) > 1:
        lines = [lines[0], *(line.rsplit(":", 1)[-1] for line in lines[1:3])]
    return ", ".join(words), ", ".join(lines)


def _label(x: float, y: float, name: str, line: str, ink: str) -> list[str]:
    at = y + (12 if line else 18)
    out = [f'<text x="{x:.1f}" y="{at}" fill="{ink}">{escape(name)}</text>']
    if line:
        out.append(
            f'<text x="{x:.1f}" y="{y + 23.5}" fill="{ink}" fill-opacity="0.85" font-size="9.5">'
            f"{escape(line)}</text>"
        )
    return out


def _arrows(
    events: list[TraceEvent],
    numbered: Mapping[int, int],
    scale: _Scale,
    rows: Mapping[int, float],
) -> list[str]:
    """From the end of what was waited for to the start of what waited, or the end of a wait of
    the host.
    """
    out: list[str] = []
    for source, target in waits(events):
        x1 = scale(source["ts"] + source["dur"])
        is_host = target["cat"] == "wait"
        x2 = scale(target["ts"] + (target["dur"] if is_host else 0))
        y1 = rows[source["tid"]] + _LANE / 2
        y2 = rows[target["tid"]] + _LANE / 2
        edge = _BAR / 2 if y2 > y1 else -_BAR / 2
        bend = max(14.0, (x2 - x1) / 2)
        style = ' stroke-dasharray="4 3" stroke-opacity="0.6"' if is_host else ""
        if x2 - x1 < 28:  # hardly any room between them: from edge to edge
            path = f"M{x1:.1f},{y1 + edge:.1f} L{x2:.1f},{y2 - edge:.1f}"
        else:
            path = (
                f"M{x1:.1f},{y1:.1f} C{x1 + bend:.1f},{y1:.1f} {x2 - bend:.1f},{y2:.1f} "
                f"{x2:.1f},{y2:.1f}"
            )
        words = escape(f"{target['name']} waits for {source['name']}")
        out.append(
            f'<path class="wait" data-from="{numbered[id(source)]}" '
            f'data-to="{numbered[id(target)]}" d="{path}" fill="none" stroke="#c03028" '
            f'stroke-width="1.4"{style} marker-end="url(#head)"><title>{words}</title></path>'
        )
    return out


def waits(events: list[TraceEvent]) -> list[tuple[TraceEvent, TraceEvent]]:
    """Who waited for whom: pairs of events, what was waited for first."""
    by_number = {
        e["args"]["operation"]: e for e in events if e["args"].get("operation") is not None
    }
    return [
        (by_number[number], event)
        for event in events
        for number in event["args"].get("after", ())
        if number in by_number
    ]


def _legend(kinds: set[str], y: float) -> list[str]:
    out: list[str] = []
    x = float(_LEFT)
    for kind, (fill, _) in _COLORS.items():
        if kind in kinds:
            words = _KIND_WORDS[kind]
            out.append(
                f'<rect x="{x}" y="{y - 10}" width="12" height="12" rx="2" fill="{fill}"/>'
                f'<text x="{x + 17}" y="{y}" fill="#444">{words}</text>'
            )
            x += 40 + len(words) * _LETTER
    out.append(
        f'<path d="M{x},{y - 4} L{x + 26},{y - 4}" stroke="#c03028" stroke-width="1.4" '
        f'marker-end="url(#head)"/><text x="{x + 32}" y="{y}" fill="#444">waits for</text>'
    )
    return out


def _line(event: TraceEvent) -> str:
    """The location in the source, without its folder and column."""
    location = event["args"].get("location")
    if not location:
        return ""
    parts = location.rsplit("/", 1)[-1].split(":")
    return ":".join(parts[:2])


def _tip(event: TraceEvent, start: float) -> str:
    words = [event["name"]]
    if event["args"].get("location"):
        words.append(f"at {event['args']['location']}")
    words.append(f"{_duration(event['dur'])}, from {_duration(event['ts'] - start)}")
    for what in ("grid", "block", "bytes"):
        if event["args"].get(what):
            words.append(f"{what} {event['args'][what]}")
    return "\n".join(words)


def _duration(microseconds: float) -> str:
    if microseconds >= 1e6:
        return (
            f"{microseconds / 1e6:g} s"
            if microseconds % 1e4 == 0
            else (f"{microseconds / 1e6:.3f} s")
        )
    if microseconds >= 1e3:
        return f"{microseconds / 1e3:.4g} ms"
    return f"{microseconds:.4g} \u00b5s"


def wide_svg(events: list[TraceEvent], title: str, names: Mapping[int, str] | None = None) -> str:
    """The picture, as wide as short operations need to be seen."""
    spans = [e["dur"] for e in events if e["dur"] > 0]
    width = 1200
    if spans:
        typical = sorted(spans)[len(spans) // 2]
        width = int(min(max(1200, 60 * _Scale(events, 1).span / typical), 20_000))
    return svg(events, title, width, names)


def html(events: list[TraceEvent], title: str, names: Mapping[int, str] | None = None) -> str:
    """A page: the wide picture, and a table."""
    scale = _Scale(events, 1)
    rows = []
    for event in sorted(events, key=lambda e: e["ts"]):
        lane = (names or {}).get(event["tid"]) or lane_name(event["tid"])
        cells = (
            event["name"], lane, event["args"].get("location") or "",
            _duration(event["ts"] - scale.begin), _duration(event["dur"]),
        )  # fmt: skip
        rows.append("<tr>" + "".join(f"<td>{escape(c)}</td>" for c in cells) + "</tr>")
    head = "".join(f"<th>{h}</th>" for h in ("what", "where", "source", "begins", "takes"))
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>
<style>
body {{ font: 13px Helvetica, Arial, sans-serif; margin: 1em; }}
.picture {{ overflow-x: auto; border: 1px solid #ddd; }}
table {{ border-collapse: collapse; margin-top: 1em; }}
td, th {{ text-align: left; padding: 2px 14px 2px 0; border-bottom: 1px solid #eee; }}
</style></head><body>
<div class="picture">{wide_svg(events, title, names)}</div>
<table><tr>{head}</tr>
{chr(10).join(rows)}
</table></body></html>
"""

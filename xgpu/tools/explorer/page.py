# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One HTML page that shows an exploration. It holds all that it needs and loads nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

from xgpu.runtime.session import Session, TraceEvent
from xgpu.runtime.work import kernel_rates
from xgpu.tools import roofline
from xgpu.tools.explorer.model import Exploration, Run
from xgpu.tools.explorer.recorder import Recorder
from xgpu.tools.timeline import waits, wide_svg

if TYPE_CHECKING:
    from xgpu.driver.sanitizer import Findings
    from xgpu.host_device.device.modules import ChosenStrategy

#: Files beside this one, by the words that the page has for them.
_PARTS = {"style": "page.css", "model": "model.js", "script": "page.js"}
#: Of more operations of a run only the first are in the page.
MOST_EVENTS = 5_000


def page(exploration: Exploration) -> str:
    """The page as text."""
    folder = files("xgpu.tools.explorer")
    text = (folder / "page.html").read_text("utf-8")
    parts = {word: (folder / name).read_text("utf-8") for word, name in _PARTS.items()}
    # In a script `</script>` and `<!--` would be read as HTML.
    data = json.dumps(exploration.to_json(), separators=(",", ":")).replace("<", "\\u003c")
    words = {"title": escape(exploration.title), **parts, "data": data}
    # In one go: what is put in is not searched again.
    pieces = text.split("{")
    for at, piece in enumerate(pieces[1:], 1):
        word, closing, rest = piece.partition("}")
        pieces[at] = words[word] + rest if closing and word in words else "{" + piece
    return "".join(pieces)


class ExploredRun:
    """A program that is compiled and run, for its page: what the passes do (`recorder`), which
    strategies kernels get, and what the sanitizer finds."""

    def __init__(self, name: str, text: str) -> None:
        self.recorder = Recorder(name, {name: text})
        self.strategies: list[ChosenStrategy] = []
        self._findings: Findings | None = None

    def observe(self, findings: Findings) -> None:
        """Takes the sanitizer's reports."""
        self._findings = findings

    def and_to(self, report: Callable[[str], None]) -> Callable[[ChosenStrategy], None]:
        """What takes a strategy, and passes the words on it on."""

        def both(chosen: ChosenStrategy) -> None:
            self.strategies.append(chosen)
            report(str(chosen))

        return both

    def exploration(self, session: Session) -> Exploration:
        """All that the page shows, with what `session` has recorded of the run."""
        exploration = self.recorder.exploration
        exploration.run = self._run(session, exploration.title)
        return exploration

    def _run(self, session: Session, title: str) -> Run:
        events = sorted(session.events or [], key=lambda event: event["ts"])[:MOST_EVENTS]
        found = self._findings
        return Run(
            picture=wide_svg(events, title) if events else "",
            events=events_of(events),
            report=_rows(session.report()),
            findings=None if found is None else [finding.to_json() for finding in found],
            strategies=[
                {**chosen._asdict(), "words": str(chosen)}
                for chosen in dict.fromkeys(self.strategies)
            ],
            roofline=_roofline(events, title),
        )


def _roofline(events: list[TraceEvent], title: str) -> str:
    """The kernels beside what the machine can do, empty where none has counted what it does."""
    rates = kernel_rates(events)
    if not rates:
        return ""
    from xgpu.host_device.device.peaks import machine_peaks

    return roofline.svg(rates, machine_peaks(), title)


def events_of(events: list[TraceEvent]) -> list[dict[str, object]]:
    """What ran, as the page shows it: times from the first one's begin in seconds, and the numbers
    of those that each waited for."""
    start = min((event["ts"] for event in events), default=0.0)
    numbers = {id(event): number for number, event in enumerate(events)}
    after: dict[int, list[int]] = {}
    for source, target in waits(events):
        after.setdefault(id(target), []).append(numbers[id(source)])
    return [
        {
            "name": event["name"],
            "lane": f"stream {event['tid']}" if event["tid"] else "host",
            "begin": (event["ts"] - start) / 1e6,
            "seconds": event["dur"] / 1e6,
            "location": event["args"].get("location") or "",
            "after": after.get(id(event), []),
        }
        for event in events
    ]


def _rows(report: str) -> list[list[str]]:
    """The table of `--report` as cells. Its first column has no title."""
    head, *rows = report.splitlines()
    return [["what", *head.split()], *(row.split() for row in rows)]

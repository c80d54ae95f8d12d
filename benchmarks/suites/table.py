# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the suites share: a process for each program, and the table of what became of them.

A suite makes a list of `Program`, each with a function that yields an `Outcome` for each of its
runs (one, or one an input). `options` has the options of all suites. `main` runs the programs and
prints two tables: runs by what is expected and what was reported, and by reason if there was none.

Sources of a suite are a folder that the caller brings. None is stored here.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import os
import re
import selectors
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import xgpu

#: What is looked for.
KINDS = ("memory", "race", "sync", "init")
_PAIRS = 5
RAN = "ran"
"""The reason of a program that ran to its end."""


@dataclass
class Outcome:
    """What became of a run. `group` is its row of the table, "" for the program's. `reason` is
    `RAN`, or why it did not run or did not pass, in a few words that are alike for alike programs.
    `expected` is the kind of finding that it has by its suite ("race"), "" for none, None where the
    suite does not say. `found` has the numbers of findings by kind, `seconds` the parts of the time
    by name."""

    group: str = ""
    reason: str = RAN
    expected: str | None = None
    found: Mapping[str, int] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    detail: str = ""

    @property
    def verdict(self) -> str:
        """One of found, missed, clean, false, reported, silent, or `reason`."""
        if self.reason != RAN:
            return self.reason
        reported = any(self.found.values())
        if self.expected is None:
            return "reported" if reported else "silent"
        if self.expected:
            return "found" if self.found.get(self.expected) else "missed"
        return "false" if reported else "clean"


@dataclass(frozen=True)
class Program:
    """A program of a suite: a name, the row of the table that it belongs to, and how it runs."""

    name: str
    group: str
    run: Callable[[], Iterable[Outcome]]


Rows = Sequence[tuple[Program, Outcome]]


_PAIRS_HELP = (
    "run programs without findings again, without the sanitizer and with it: the "
    "processor time of a launch, or of a whole program that is compiled already"
)


def options(description: str, pairs: str = _PAIRS_HELP) -> argparse.ArgumentParser:
    """A parser with the options that all suites have. `pairs` says what is compared."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="the suite's sources")
    parser.add_argument("--only", metavar="REGEX", default="", help="programs whose name matches")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="every Nth program")
    parser.add_argument("--first", type=int, default=0, metavar="K", help="the Kth of every N")
    parser.add_argument("--limit", type=float, default=60, metavar="SECONDS", help="of a program")
    parser.add_argument("--jobs", type=int, default=1, help="programs at a time")
    parser.add_argument("--output", type=Path, metavar="FILE.json", help="all outcomes")
    parser.add_argument("--list", action="store_true", help="print each program's outcome")
    parser.add_argument("--pairs", action="store_true", help=pairs)
    return parser


def cost(
    run: Callable[[], float], watch: Callable[[], contextlib.AbstractContextManager[object]]
) -> dict[str, float]:
    """What the sanitizer costs: the median of the seconds that `run` gives, without and with it,
    and the ratio. The first run of each kind is not counted."""
    plain = _median([run() for _ in range(_PAIRS + 1)][1:])
    with watch():
        watched = _median([run() for _ in range(_PAIRS + 1)][1:])
    return {"plain": plain, "with": watched, "ratio": watched / plain if plain else float("nan")}


def launch_cost(
    launch: Callable[[], object],
    kinds: Sequence[str] = KINDS,
    *,
    prepare: Callable[[], object] = lambda: None,
) -> dict[str, float]:
    """`cost` of a launch in this process, in processor time, without what `prepare` does before
    each."""

    def timed() -> float:
        prepare()
        begin = time.process_time()
        launch()
        return time.process_time() - begin

    return cost(timed, lambda: xgpu.sanitized(kinds))


def by_kind(kinds: Iterable[str]) -> dict[str, int]:
    """How many findings there are of each kind."""
    return dict(sorted(Counter(kinds).items()))


def main(programs: Iterable[Program], args: argparse.Namespace, published: str = "") -> int:
    """Run the programs that `args` select and print the tables; 1 if a mistake was missed or a
    correct program reported. `published` stands below: figures of other tools."""
    chosen = [p for p in programs if re.search(args.only, p.name)][args.first :: args.every]
    begin = time.perf_counter()
    rows = run_each(chosen, args.limit, args.jobs, _line if args.list else None)
    elapsed = time.perf_counter() - begin
    print(verdicts(rows), reasons(rows), sep="\n\n", end="\n\n")
    print(f"{len(chosen)} programs, {len(rows)} runs in {elapsed:.0f} s, {args.jobs} at a time")
    if published:
        print(published)
    if args.output:
        records = [
            dataclasses.asdict(o) | {"program": p.name, "group": _group(p, o), "verdict": o.verdict}
            for p, o in rows
        ]
        args.output.write_text(json.dumps(records, indent=1) + "\n")
    return int(any(o.verdict in ("missed", "false") for _, o in rows))


def _group(program: Program, outcome: Outcome) -> str:
    return outcome.group or program.group


def _line(program: Program, outcome: Outcome) -> None:
    kinds = ", ".join(f"{kind} {n}" for kind, n in outcome.found.items() if n)
    text = " | ".join(part for part in (kinds, outcome.detail.replace("\n", " ")) if part)
    line = f"{program.name} ({_group(program, outcome)}): {outcome.verdict}  {text}"
    print(line[:400], flush=True)


# Tables.


def verdicts(rows: Rows) -> str:
    """A line a group: how many runs, what was expected and reported, the median times."""
    columns = ("found", "missed", "clean", "false", "reported", "silent", "not run")
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    times: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for program, outcome in rows:
        column = outcome.verdict if outcome.reason == RAN else "not run"
        for group in (_group(program, outcome), "all"):
            counts[group][column] += 1
            for part, seconds in outcome.seconds.items():
                times[group][part].append(seconds)
    used = [c for c in columns if counts["all"][c]]
    parts = list(times["all"])
    units = {"ratio": "with / plain"}
    table = [["", "runs", *used, *(units.get(part, f"{part} (s)") for part in parts)]]
    for group in [*(g for g in counts if g != "all"), "all"]:
        medians = [f"{_median(times[group][part]):.3g}" for part in parts]
        numbers = [str(counts[group][c]) for c in used]
        table.append([group, str(counts[group].total()), *numbers, *medians])
    return aligned(table)


def reasons(rows: Rows) -> str:
    """A line a reason: how many runs, and the first of their programs."""
    by_reason: dict[str, list[str]] = defaultdict(list)
    for program, outcome in rows:
        by_reason[outcome.reason].append(program.name)
    order = sorted(by_reason.items(), key=lambda item: -len(item[1]))
    lines = [[r, str(len(names)), "" if r == RAN else names[0]] for r, names in order]
    return aligned([["reason", "runs", "such as"], *lines])


def aligned(table: Sequence[Sequence[str]]) -> str:
    """The table as Markdown, its columns aligned."""
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    lines = [
        "| " + " | ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)) + " |"
        for row in table
    ]
    lines.insert(1, "|" + "|".join("-" * (w + 2) for w in widths) + "|")
    return "\n".join(lines)


def _median(values: Sequence[float]) -> float:
    ordered = sorted(values)
    return ordered[len(ordered) // 2] if ordered else float("nan")


# Processes.


def import_compiler() -> None:
    """Import what compiles kernels in CUDA C++, once for all processes of programs. No kernel runs:
    that would start threads, which a fork loses."""
    with tempfile.NamedTemporaryFile("w", suffix=".cu") as source:
        source.write("__global__ void k(int *p) { *p = 1; }")
        source.flush()
        xgpu.load(source.name, "host")


class _Child:
    """A program that runs in a process of its own."""

    def __init__(self, program: Program, limit: float) -> None:
        self.program = program
        self.reader, writer = os.pipe()
        self.text = b""
        sys.stdout.flush()
        self.pid = os.fork()
        if not self.pid:
            os.close(self.reader)
            _run_in_child(program, writer)
        os.close(writer)
        self.end = time.monotonic() + limit

    def stop(self) -> None:
        """End the process and those it has started: it leads a group of its own."""
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            os.kill(self.pid, signal.SIGKILL)

    def outcomes(self, expired: bool) -> list[Outcome]:
        """What the process wrote, a line an outcome, and how it ended if not well."""
        os.close(self.reader)
        _, status = os.waitpid(self.pid, 0)
        lines = self.text.decode().split("\n")
        outcomes = [Outcome(**json.loads(line)) for line in lines[:-1]]
        if expired:
            return [*outcomes, Outcome(reason="over the time limit")]
        if code := os.waitstatus_to_exitcode(status):
            name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
            return [*outcomes, Outcome(reason=f"the process ended: {name}")]
        return outcomes


def _run_in_child(program: Program, writer: int) -> None:
    """Write the outcomes as lines of JSON and end the process. What the program prints is lost."""
    code = 1
    try:
        os.setpgid(0, 0)
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        with os.fdopen(writer, "w", buffering=1) as stream:
            try:
                for outcome in program.run():
                    stream.write(json.dumps(dataclasses.asdict(outcome)) + "\n")
            except Exception as error:
                failed = Outcome(reason=type(error).__name__, detail=traceback.format_exc()[-2000:])
                stream.write(json.dumps(dataclasses.asdict(failed)) + "\n")
        code = 0
    finally:
        os._exit(code)


def run_each(
    programs: Sequence[Program], limit: float, jobs: int = 1,
    report: Callable[[Program, Outcome], None] | None = None,
) -> list[tuple[Program, Outcome]]:  # fmt: skip
    """The outcomes of all programs. Each has a process and `limit` seconds; `jobs` run at once."""
    waiting, outcomes = list(reversed(programs)), dict[str, list[Outcome]]()
    running = selectors.DefaultSelector()
    while waiting or running.get_map():
        while waiting and len(running.get_map()) < jobs:
            child = _Child(waiting.pop(), limit)
            running.register(child.reader, selectors.EVENT_READ, child)
        ready = {key.data for key, _ in running.select(0.2)}
        for key in list(running.get_map().values()):
            child: _Child = key.data
            expired = time.monotonic() > child.end
            if child in ready and (piece := os.read(child.reader, 1 << 16)):
                child.text += piece
            elif child in ready or expired:
                running.unregister(child.reader)
                if expired:
                    child.stop()
                outcomes[child.program.name] = child.outcomes(expired)
                for outcome in outcomes[child.program.name]:
                    if report is not None:
                        report(child.program, outcome)
    return [(program, outcome) for program in programs for outcome in outcomes[program.name]]

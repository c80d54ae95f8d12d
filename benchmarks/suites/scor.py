# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ScoR's 32 microbenchmarks of scoped races, under the sanitizer, in five readings, and its seven
applications.

    python benchmarks/suites/scor.py SCOR

`SCOR` is a checkout of csl-iisc/ScoR. The programs access their data by pointers to `volatile`. A
name says what a program is: `race_...` has a race by ScoR's model, `norace_...` has none. Readings:

* as written: volatile accesses are relaxed atomic ones, as PTX has it; unlocked ones do not race;
* volatile orders nothing: as ScoR, iGUARD and HiRace count them (kind `volatile`);
* plain accesses: `volatile` is left out of the text;
* in other orders: as before, and each launch runs in eight other orders too;
* with acquire fences, the correct ones: as before, and a `__threadfence()` behind each loop that
  waits. ScoR's model asks for a fence on the releasing side only, PTX's for both.

The applications are whole programs with a switch that makes them racy (`RACEY`). They run as
written, without and with it, and once more with `volatile` that orders nothing.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
import programs
import table

import xgpu

PUBLISHED = """\
published: ScoRD (hardware, simulated) finds all 18 (Kamath et al., ISCA 2020)"""

READINGS = (
    "as written", "volatile orders nothing", "plain accesses", "in other orders",
    "with acquire fences",
)  # fmt: skip
_ORDERS = 8

_WAIT = re.compile(r"(while\s*\(atomic\w+\([^;{]*\)\s*[!=]=\s*\d\)\s*(?:\{\}|;))")
_LAUNCH = re.compile(r"#define (NBLOCKS|TPERBLK)\s+(\d+)")
_SIZE = re.compile(r"^(\w+)\s*\?=\s*(\d+)\s*$", re.MULTILINE)


def main() -> int:
    """Run the suite; the exit code of `table.main`."""
    args = table.options(__doc__ or "").parse_args()
    sources = sorted((args.folder / "microbenchmarks" / "src").glob("*.cu"))
    if not sources:
        sys.exit(f"no programs in {args.folder}/microbenchmarks/src")
    chosen = [table.Program(s.stem, READINGS[0], partial(run, s, args)) for s in sources]
    for makefile in sorted((args.folder / "benchmarks").glob("*/Makefile")):
        name = f"application-{makefile.parent.name}"
        chosen.append(table.Program(name, "applications", partial(run_application, makefile, args)))
    table.import_compiler()
    return table.main(chosen, args, PUBLISHED)


def _graph(numbers: np.random.Generator) -> list[object]:
    """300 vertices, 900 edges. None joins a vertex with itself, which no coloring allows."""
    first = numbers.integers(0, 300, 900)
    edges = np.stack([first, (first + numbers.integers(1, 300, 900)) % 300], axis=1)
    return [300, 900, *edges.ravel()]


#: What the applications read.
_INPUTS: dict[str, Callable[[np.random.Generator], list[object]]] = {
    "1dconv": lambda numbers: [17, 4000, *numbers.integers(0, 9, 4017)],
    "graph-coloring": _graph,
    "graph-connectivity": _graph,
    "matrix-multiplication": lambda numbers: [24, 64, 24, *numbers.integers(0, 9, 3072)],
    "reduction": lambda numbers: [20000, *numbers.integers(0, 9, 20000)],
    "rule-110": lambda numbers: [2000, 4, *numbers.integers(0, 2, 2000)],
    "uts": lambda numbers: [3, 4, 1],
}


def run_application(makefile: Path, args: argparse.Namespace) -> Iterator[table.Outcome]:
    """An application without and with its switch, with the sizes of its Makefile."""
    text, folder = makefile.read_text(), makefile.parent
    sizes = [f"-D{name}={value}" for name, value in _SIZE.findall(text)]
    files = re.search(r"^FILES := (.*)$", text, re.MULTILINE)
    assert files is not None, makefile
    sources = [folder / name for name in files[1].split()]
    given = _INPUTS[folder.name](np.random.default_rng(4))
    stdin = " ".join(map(str, given)) + "\n"
    for reading in READINGS[:2]:
        kinds = ",".join(("volatile", *table.KINDS) if reading == READINGS[1] else table.KINDS)
        for racy in (False, True):
            options = ["-O1", f"-I{folder}", *sizes, *(["-DRACEY"] if racy else [])]
            outcome, _ = programs.watched(
                sources, kinds=kinds, options=options, stdin=stdin, pairs=args.pairs and not racy
            )
            outcome.found = dict(outcome.found)
            races = outcome.found.pop("volatile", 0) + outcome.found.pop("race", 0)
            outcome.found |= {"race": races} if races else {}
            outcome.group = f"applications, {'racy' if racy else 'correct'}, {reading}"
            outcome.expected = "race" if racy else ""
            yield outcome


def run(source: Path, args: argparse.Namespace) -> Iterator[table.Outcome]:
    """A run in each reading."""
    text = source.read_text()
    racy = source.stem.startswith("race_")
    for reading in READINGS[:4] if racy else READINGS:
        kinds = ("volatile", *table.KINDS) if reading == READINGS[1] else table.KINDS
        changed = text
        if reading in READINGS[2:]:
            changed = changed.replace("volatile", "")
        if reading == READINGS[4]:
            changed = _WAIT.sub(r"\1 __threadfence();", changed)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / source.name
            path.write_text(changed)
            orders = _ORDERS if reading in READINGS[3:] else 0
            outcome = _watched(path, text, kinds, orders, pairs=args.pairs)
        outcome.group = f"{'racy' if racy else 'correct'}, {reading}"
        outcome.expected = "race" if racy else ""
        yield outcome


def _watched(
    path: Path, text: str, kinds: tuple[str, ...], orders: int, *, pairs: bool
) -> table.Outcome:
    begin = time.perf_counter()
    # nvcc declares the functions of stdlib.h in each program.
    options = xgpu.CudaOptions(arguments=["-include", "stdlib.h"])
    kernel = next(iter(xgpu.load(str(path), "host", cuda=options).kernels.values()))
    compiled = time.perf_counter() - begin
    sizes = {name: int(value) for name, value in _LAUNCH.findall(text)}

    def launch() -> None:
        kernel[sizes["NBLOCKS"], sizes["TPERBLK"]](np.zeros(1, np.uint32))

    begin = time.perf_counter()
    with xgpu.sanitized(kinds, schedules=orders) as watched:
        launch()
    seconds = {"compile": compiled, "watched": time.perf_counter() - begin}
    findings = watched.findings()
    if pairs and not findings and not orders:
        seconds |= table.launch_cost(launch, kinds)
    found = table.by_kind("race" if f.kind == "volatile" else f.kind for f in findings)
    return table.Outcome(found=found, seconds=seconds, detail=findings.text()[:300])


if __name__ == "__main__":
    sys.exit(main())

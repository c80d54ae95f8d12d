# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ScoR's 32 microbenchmarks of scoped races, under the sanitizer, in five readings.

    python benchmarks/suites/scor.py SCOR

`SCOR` is a checkout of csl-iisc/ScoR. The programs access their data by pointers to `volatile`. A
name says what a program is: `race_...` has a race by ScoR's model, `norace_...` has none. Readings:

* as written: volatile accesses are relaxed atomic ones, as PTX has it; unlocked ones do not race;
* volatile orders nothing: as ScoR, iGUARD and HiRace count them (kind `volatile`);
* plain accesses: `volatile` is left out of the text;
* in other orders: as before, and each launch runs in eight other orders too;
* with acquire fences, the correct ones: as before, and a `__threadfence()` behind each loop that
  waits. ScoR's model asks for a fence on the releasing side only, PTX's for both.
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import table

import xgpu

PUBLISHED = """\
published: ScoRD (hardware, simulated) finds all 18 (Kamath et al., ISCA 2020)"""

KINDS = ("memory", "race", "sync", "init")
READINGS = (
    "as written", "volatile orders nothing", "plain accesses", "in other orders",
    "with acquire fences",
)  # fmt: skip
_ORDERS = 8

_WAIT = re.compile(r"(while\s*\(atomic\w+\([^;{]*\)\s*[!=]=\s*\d\)\s*(?:\{\}|;))")
_LAUNCH = re.compile(r"#define (NBLOCKS|TPERBLK)\s+(\d+)")


def main() -> int:
    """Run the suite; the exit code of `table.main`."""
    args = table.options(__doc__ or "").parse_args()
    sources = sorted((args.folder / "microbenchmarks" / "src").glob("*.cu"))
    if not sources:
        sys.exit(f"no programs in {args.folder}/microbenchmarks/src")
    programs = [table.Program(s.stem, READINGS[0], partial(run, s)) for s in sources]
    table.import_compiler()
    return table.main(programs, args, PUBLISHED)


def run(source: Path) -> Iterator[table.Outcome]:
    """A run in each reading."""
    text = source.read_text()
    racy = source.stem.startswith("race_")
    for reading in READINGS[:4] if racy else READINGS:
        kinds = ("volatile", *KINDS) if reading == READINGS[1] else KINDS
        changed = text
        if reading in READINGS[2:]:
            changed = changed.replace("volatile", "")
        if reading == READINGS[4]:
            changed = _WAIT.sub(r"\1 __threadfence();", changed)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / source.name
            path.write_text(changed)
            outcome = _watched(path, text, kinds, _ORDERS if reading in READINGS[3:] else 0)
        outcome.group = f"{'racy' if racy else 'correct'}, {reading}"
        outcome.expected = "race" if racy else ""
        yield outcome


def _watched(path: Path, text: str, kinds: tuple[str, ...], orders: int) -> table.Outcome:
    begin = time.perf_counter()
    # nvcc declares the functions of stdlib.h in each program.
    options = xgpu.CudaOptions(arguments=["-include", "stdlib.h"])
    kernel = next(iter(xgpu.load(str(path), "host", cuda=options).kernels.values()))
    compiled = time.perf_counter() - begin
    sizes = {name: int(value) for name, value in _LAUNCH.findall(text)}
    begin = time.perf_counter()
    with xgpu.sanitized(kinds, schedules=orders) as watched:
        kernel[sizes["NBLOCKS"], sizes["TPERBLK"]](np.zeros(1, np.uint32))
    seconds = {"compile": compiled, "watched": time.perf_counter() - begin}
    findings = watched.findings()
    found = table.by_kind("race" if f.kind == "volatile" else f.kind for f in findings)
    return table.Outcome(found=found, seconds=seconds, detail=findings.text()[:300])


if __name__ == "__main__":
    sys.exit(main())

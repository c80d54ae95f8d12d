# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Litmus tests for PTX: the memory model's verdict, the suite's, and the sanitizer's.

    python benchmarks/suites/litmus.py DAT3M [--model] [--only REGEX]

`DAT3M` is a checkout of hernanponcedeleon/Dat3M. Each test under litmus/PTX runs as a PTX kernel
with its threads in all orders of blocks and threads, watched. A run is one such launch: it has a
race or none by the executions of the memory model (tests/support/memory_model.py) that end with the
launch's values. `--model` compares the model itself with the results that Dat3M expects
(PTXv7_5-expected.csv), where it has any.

Tests of forward progress (CADP) have atomic operations only, and no verdict on races. `--cadp` runs
them too.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import table

from tests.support.litmus import read
from tests.support.litmus_runs import Inexpressible, Kernel, agreement, has_race
from tests.support.memory_model import executions

#: Verdicts that are no agreement and no mistake; docs/reference/sanitizer-suites.md explains them.
OTHERS = ("deadlock", "impossible outcome", "observed")


def main() -> int:
    """Run the suite; the exit code of `table.main`."""
    parser = table.options(__doc__ or "")
    parser.add_argument("--model", action="store_true", help="the model against Dat3M's results")
    parser.add_argument("--cadp", action="store_true", help="with the tests of forward progress")
    args = parser.parse_args()
    folder = args.folder / "litmus" / "PTX"
    sources = sorted(folder.rglob("*.litmus"))
    if not sources:
        sys.exit(f"no tests in {folder}")
    if not args.cadp:
        sources = [source for source in sources if "CADP" not in source.parts]
    programs = list[table.Program]()
    expected = results(args.folder)
    for source in sources:
        name = str(source.relative_to(args.folder))
        if args.model and name in expected:
            run = partial(check_model, source, expected[name])
        elif not args.model:
            run = partial(observe, source)
        else:
            continue
        group = str(source.relative_to(folder).parent)
        programs.append(table.Program(name.removeprefix("litmus/PTX/"), group, run))
    if not args.model:
        table.import_compiler()
    return table.main(programs, args)


def results(folder: Path) -> dict[str, bool]:
    """Whether a test's statement is true, by its path, as Dat3M expects."""
    path = folder / "dartagnan" / "src" / "test" / "resources" / "PTXv7_5-expected.csv"
    lines = filter(None, path.read_text().splitlines())
    return {name: value == "1" for name, value in (line.rsplit(",", 1) for line in lines)}


def check_model(source: Path, expected: bool) -> Iterator[table.Outcome]:
    """Whether the model says what Dat3M expects."""
    test = read(source.read_text())
    begin = time.perf_counter()
    passes = test.passes([execution.outcome for execution in executions(test)])
    seconds = {"model": time.perf_counter() - begin}
    reason = table.RAN if passes == expected else f"the model says {passes}, Dat3M {expected}"
    yield table.Outcome(reason=reason, seconds=seconds)


def observe(source: Path) -> Iterator[table.Outcome]:
    """A launch for each order of the test's threads."""
    test = read(source.read_text())
    try:
        kernel = Kernel(test)
    except Inexpressible as error:
        yield table.Outcome(reason=f"not on the host device: {error}")
        return
    begin = time.perf_counter()
    possible = list(executions(test))
    model = time.perf_counter() - begin
    for order in kernel.orders():
        begin = time.perf_counter()
        seen = kernel.observe(order)
        seconds = {"model": model, "watched": time.perf_counter() - begin}
        verdict = agreement(seen, possible)
        race = has_race(seen, possible)
        yield table.Outcome(
            reason=verdict if verdict in OTHERS else table.RAN,
            expected=None if race is None else "race" * race,
            found={"race": int(seen.race), "sync": 0},
            seconds=seconds,
            detail=f"{seen.order} {seen.outcome} {seen.report[:300]}",
        )


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Looks for programs that do not compute what they mean.

    python -m tests.fuzz.programs functions --seeds 0:20000
    python -m tests.fuzz.programs kernels --seeds 0:5000
    python -m tests.fuzz.programs sanitized --seeds 0:2000
    python -m tests.fuzz.programs ptx --seeds 0:5000
    python -m tests.fuzz.programs functions --seeds 4711 --show

Each seed is a program, run several ways; `function_runs`, `kernel_runs`, `ptx_runs` and, for
kernels under the sanitizer, `sanitized_runs` say which, and what must hold. A finding is reported once
for each kind, with its seed and the smallest program that does it. Exit code 1 if anything was found.

Seeds run in processes of their own, some at a time: one that ends its process is a finding, too.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module

from tests.fuzz.judge import TooSlow, limited
from tests.support import processes

#: So many seeds one process runs, and so many seconds one may take.
BATCH, LIMIT = 100, 120

ENDED = "the process ended"


class Subject:
    """A kind of programs: what a seed's text is, and what is wrong with a text."""

    def __init__(
        self,
        text: Callable[[int], str],
        check: Callable[[str, int], str | None],
        signature: Callable[[str], str],
    ) -> None:
        self.text, self.check, self.signature = text, check, signature

    def finding(self, text: str, seed: int) -> tuple[str, str] | None:
        """(what kind it is, what it is), or None."""
        try:
            with limited(LIMIT):
                found = self.check(text, seed)
        except TooSlow:
            return f"longer than {LIMIT} s", ""
        except Exception as problem:
            frame = traceback.extract_tb(problem.__traceback__)[-1]
            place = f"{os.path.basename(frame.filename)}:{frame.name}"
            return f"{type(problem).__name__} in {place}", traceback.format_exc(limit=-6)
        return None if found is None else (self.signature(found), found)


def subject(kind: str) -> Subject:
    if kind == "functions":
        from tests.fuzz.functions import RandomFunction

        runs = import_module("tests.fuzz.function_runs")
        return Subject(lambda seed: RandomFunction(seed).text, runs.check, runs.signature)
    name = {"kernels": "kernel_runs", "ptx": "ptx_runs"}.get(kind, "sanitized_runs")
    runs = import_module(f"tests.fuzz.{name}")
    return Subject(runs.text_of, runs.check, runs.signature)


def results(subject: Subject, seeds: Sequence[int]) -> Iterator[tuple[int, list[str] | None]]:
    """Each seed with its finding, if any; a seed that ends its process is reported, too."""
    todo = list(seeds)
    while todo:
        done = 0
        lines, _ = _in_child(lambda seed: subject.finding(subject.text(seed), seed), todo)
        for line in lines:
            yield todo[done], json.loads(line)
            done += 1
        if done < len(todo):
            yield todo[done], [ENDED, ""]
            done += 1
        todo = todo[done:]


def _in_child(work: Callable[[int], object], seeds: Sequence[int]) -> tuple[list[str], int]:
    """What `work` gives for seeds, as far as the process lives; and how that ended."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            processes.limit_child(seconds=3600)
            os.close(reader)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            with open(writer, "w") as file:
                for seed in seeds:
                    file.write(json.dumps(work(seed)) + "\n")
                    file.flush()
        finally:
            os._exit(0)  # whatever it raised: who called the parent must not run in two processes
    os.close(writer)
    with open(reader) as file:
        lines = file.read().splitlines()
    return lines, os.waitpid(child, 0)[1]


def reduced(subject: Subject, seed: int, kind: str) -> str:
    """The smallest program that is a finding of the same kind."""
    from tests.fuzz.reduce import reduced_module

    def still(text: str) -> bool:
        lines, status = _in_child(lambda seed: subject.finding(text, seed), [seed])
        if not lines:
            return (
                kind == ENDED and os.WIFSIGNALED(status) and os.WTERMSIG(status) != signal.SIGKILL
            )
        found = json.loads(lines[0])
        return found is not None and found[0] == kind

    return reduced_module(subject.text(seed), still, 600)


def _prepare(programs: Subject) -> None:
    """Loads what every child needs, once, and keeps it out of the collector's way."""
    from tests.fuzz.function_runs import FOLD, OPTIMIZE, passed, read
    from tests.support.kernel_launch import lowered_object

    for seed in range(12):
        module = read(programs.text(seed))
        passed(module.clone(), f"{FOLD},{OPTIMIZE}")
        lowered_object(module, 0)
    programs.finding(programs.text(0), 0)  # libraries of native code
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000)


def _seeds(text: str) -> range:
    first, _, last = text.partition(":")
    return range(int(first), int(last) if last else int(first) + 1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("kind", choices=("functions", "kernels", "ptx", "sanitized"))
    parser.add_argument("--seeds", type=_seeds, default=range(100), help="FIRST:LAST or one")
    parser.add_argument("--show", action="store_true", help="print the programs and end")
    parser.add_argument("--no-reduce", action="store_true", help="show findings as they are")
    parser.add_argument("--seconds", type=float, default=0, help="stop after so many")
    arguments = parser.parse_args()
    programs = subject(arguments.kind)
    if arguments.show:
        for seed in arguments.seeds:
            sys.stdout.write(f"// seed {seed}\n{programs.text(seed)}\n")
        return 0
    os.environ.setdefault("XGPU_NO_CACHE", "1")  # no program comes twice
    _prepare(programs)
    start, count = time.monotonic(), 0
    found: dict[str, list[int]] = {}
    for at in range(0, len(arguments.seeds), BATCH):
        for seed, finding in results(programs, arguments.seeds[at : at + BATCH]):
            count += 1
            if finding is None:
                continue
            kind, detail = finding
            if kind not in found:
                print(f"== seed {seed}: {kind}\n{detail}", flush=True)
                if not arguments.no_reduce:
                    print(f"-- program\n{reduced(programs, seed, kind)}", flush=True)
            found.setdefault(kind, []).append(seed)
        if arguments.seconds and time.monotonic() - start > arguments.seconds:
            break
    what = "kernels under the sanitizer" if arguments.kind == "sanitized" else arguments.kind
    print(f"{count} {what} in {time.monotonic() - start:.0f} s")
    for kind, seeds in found.items():
        print(f"  {len(seeds)} times {kind}: seeds {seeds[:5]}")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())

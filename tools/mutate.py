# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Breaks one line of a copy of the compiler at a time, and sees whether the tests notice.

    python tools/mutate.py                 # all of tests/mutations
    python tools/mutate.py range clock     # those with one of the words in name or file
    python tools/mutate.py --check         # whether the list still fits the code

`tests/mutations/*.toml` lists what is broken: a file, a line of it, what takes its place (spaces at
the start do not count), and the tests that must fail then. A line that is there more than once is
the first one behind the line that `after` is a part of.

    [[mutation]]
    name = "a launch has one thread more"
    file = "xgpu/analysis/ranges.py"
    after = "def _launch("
    old = "found[arguments[position]] = _index_range(0, bounded.umax - 1)"
    new = "found[arguments[position]] = _index_range(0, bounded.umax)"
    tests = ["tests/filecheck/transforms/arith/int_range_launch.mlir"]

A mutation is caught if a test fails, dies or does not end; it survives if all pass. Exit code 1 if
one survives or does not fit.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parent.parent
LISTS = ROOT / "tests" / "mutations"
#: What the tests read.
PARTS = ("xgpu", "tests", "tools", "benchmarks", "examples", "docs")
FILES = ("pyproject.toml", "README.md", "CONTRIBUTING.md")
#: Seconds for the tests of one mutation.
LIMIT = 300


class Unfit(Exception):
    """A mutation that does not fit the code, or whose tests do not run."""


@dataclass(frozen=True)
class Mutation:
    """One line, what takes its place, and the tests that must fail then."""

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]
    after: str = ""

    def applied(self, text: str) -> str:
        """`text`, the file's content, with the line replaced.

        Errors: `Unfit` where the line is missing, or there more than once without an `after`.
        """
        lines = text.splitlines(keepends=True)
        start = 0
        if self.after:
            starts = [i for i, line in enumerate(lines) if self.after in line]
            if not starts:
                raise Unfit(f"{self.file}: no line with '{self.after}'")
            start = starts[0] + 1
        places = [i for i in range(start, len(lines)) if lines[i].strip() == self.old.strip()]
        if not places or (len(places) > 1 and not self.after):
            raise Unfit(f"{self.file}: '{self.old.strip()}' is there {len(places)} times")
        at = places[0]
        indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
        lines[at] = f"{indent}{self.new.strip()}\n"
        return "".join(lines)

    def check(self, root: pathlib.Path) -> None:
        """Whether the line and the tests are there. Errors: `Unfit`."""
        path = root / self.file
        if not path.is_file():
            raise Unfit(f"{self.file} does not exist")
        text = self.applied(path.read_text(encoding="utf-8"))
        if path.suffix == ".py":
            compile(text, self.file, "exec")
        for test in self.tests:
            file, _, function = test.partition("::")
            if not (root / file).exists():
                raise Unfit(f"{file} does not exist")
            name = function.partition("[")[0].rpartition("::")[2]
            if name and f"def {name}(" not in (root / file).read_text(encoding="utf-8"):
                raise Unfit(f"{file} has no {name}")


def mutations(words: Iterable[str] = ()) -> list[Mutation]:
    """Those of the lists whose name or file has one of the words; all without words."""
    found: list[Mutation] = []
    for path in sorted(LISTS.glob("*.toml")):
        for row in tomllib.loads(path.read_text(encoding="utf-8"))["mutation"]:
            found.append(Mutation(**{**row, "tests": tuple(row["tests"])}))
    wanted = list(words)
    return [m for m in found if not wanted or any(w in m.name or w in m.file for w in wanted)]


class Tree:
    """A copy of the project in a temporary folder; a context manager."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="xgpu-mutations-")
        self.root = pathlib.Path(self._folder.name)
        for part in PARTS:
            shutil.copytree(
                ROOT / part, self.root / part, ignore=shutil.ignore_patterns("__pycache__")
            )
        for file in FILES:
            shutil.copy(ROOT / file, self.root / file)
        # Python compiles a file anew where its time, in seconds, is another.
        self._clock = time.time()

    def __enter__(self) -> Tree:
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def passes(self, tests: Iterable[str]) -> bool:
        """Whether all of `tests` pass here. Errors: `Unfit` where they cannot be run."""
        environment = {**os.environ, "PYTHONPATH": str(self.root)}
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-n0", "--long"]
        command += ["-p", "no:cacheprovider", *tests]
        try:
            done = subprocess.run(
                command,
                cwd=self.root,
                env=environment,
                capture_output=True,
                text=True,
                timeout=LIMIT,
            )
        except subprocess.TimeoutExpired:
            return False
        if done.returncode in (2, 3, 4, 5):  # pytest's own errors, or no test
            raise Unfit(f"{' '.join(tests)}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.returncode == 0

    def catches(self, mutation: Mutation) -> bool:
        """Whether the tests notice `mutation`. The tree is as before then."""
        path = self.root / mutation.file
        text = path.read_text(encoding="utf-8")
        self._write(path, mutation.applied(text))
        try:
            return not self.passes(mutation.tests)
        finally:
            self._write(path, text)

    def _write(self, path: pathlib.Path, text: str) -> None:
        path.write_text(text, encoding="utf-8")
        self._clock += 2
        os.utime(path, (self._clock, self._clock))


def main(argv: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="only look at the list")
    parser.add_argument("words", nargs="*", help="parts of names or files")
    arguments = parser.parse_args(argv)
    chosen = mutations(arguments.words)
    failed = 0
    for mutation in chosen:
        try:
            mutation.check(ROOT)
        except (Unfit, SyntaxError) as problem:
            failed += 1
            print(f"unfit     {mutation.name}: {problem}")
    if failed or arguments.check:
        return int(failed > 0)
    with Tree() as tree:
        if not tree.passes(dict.fromkeys(t for m in chosen for t in m.tests)):
            print("the tests fail without any mutation")
            return 1
        for mutation in chosen:
            try:
                caught = tree.catches(mutation)
            except Unfit as problem:
                caught = False
                print(problem)
            failed += not caught
            print(f"{'caught   ' if caught else 'SURVIVED '} {mutation.name}", flush=True)
    print(f"{len(chosen) - failed} of {len(chosen)} caught")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())

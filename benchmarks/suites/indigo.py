# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Indigo's CUDA programs, as HiRace's artifact has them, under the sanitizer.

    python benchmarks/suites/indigo.py HIRACE [-O 0] [--graphs DAG_100n_200e,tail] [--every 10]

`HIRACE` is a checkout of HiRace-Artifact-SC24. Its 590 kernels are launched as in the paper, 1,024
blocks of 256 threads, on its six graphs and on `tail`, whose first and last vertices have no edges:
there all errors in bounds leave the arrays. A name says what a program has: atomicBug, guardBug,
raceBug and syncBug are races, boundsBug alone is an access out of bounds. A run counts as racy by
that name, also where its graph does not reach the race.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import table

import xgpu

PUBLISHED = """\
published, of the 346 racy programs without boundsBug, on GPUs: HiRace 346, iGUARD 298,
compute-sanitizer's racecheck 92 (Jacobson et al., SC 2024, table 1); false alarms: HiRace 0"""

GRAPHS = (
    "DAG_5n_5e,counterDAG_5n_5e,DAG_100n_200e,DAG_200n_400e,counterDAG_200n_1000e,"
    "power_law_200n_1000e,tail"
)
GRID, BLOCK = 1024, 256
BUGS = ("atomic", "guard", "race", "sync", "bounds")

_TYPES = {
    "int": np.int32,
    "unsigned int": np.uint32,
    "float": np.float32,
    "double": np.float64,
}


def main() -> int:
    """Run the suite; the exit code of `table.main`."""
    parser = table.options(__doc__ or "")
    parser.add_argument("-O", dest="optimize", type=int, default=1, choices=(0, 1, 2))
    parser.add_argument("--graphs", default=GRAPHS, help="names, separated by commas")
    args = parser.parse_args()
    sources = sorted((args.folder / "indigo" / "indigo_sources").glob("*/*.cu"))
    if not sources:
        sys.exit(f"no programs in {args.folder}/indigo/indigo_sources")
    programs = [table.Program(s.stem, "all graphs", partial(run, s, args)) for s in sources]
    table.import_compiler()
    return table.main(programs, args, PUBLISHED)


def run(source: Path, args: argparse.Namespace) -> Iterator[table.Outcome]:
    """A run of the program on each graph, watched."""
    begin = time.perf_counter()
    include = args.folder / "indigo" / "indigo_include"
    options = xgpu.CudaOptions(include=[include], optimize=args.optimize)
    kernel = xgpu.load(str(source), "host", cuda=options).kernels["test_kernel"]
    compiled = time.perf_counter() - begin
    match = re.search(r"typedef\s+([\w ]+?)\s+data_t", source.read_text())
    assert match is not None, source
    dtype = _TYPES[match[1]]
    bugs = {bug for bug in BUGS if f"{bug}Bug" in source.stem}
    for name in args.graphs.split(","):
        index, neighbours = graph(args.folder, name)
        vertices, size = len(index) - 1, max(len(index) - 1, len(neighbours), 1)
        numbers = np.random.default_rng(1)
        data = [numbers.integers(0, max(limit, 1), size) for limit in (vertices, len(neighbours))]
        first, second = (values.astype(dtype) for values in data)
        first[0] = second[0] = 0
        values = index, neighbours, first, second, vertices
        begin = time.perf_counter()
        begun = first.copy(), second.copy()
        with xgpu.sanitized() as watched:
            _launch(kernel, values)
        seconds = {"compile": compiled, "watched": time.perf_counter() - begin}
        if args.pairs and not watched.findings():
            prepare = partial(_restore, (first, second), begun)
            seconds |= table.launch_cost(partial(_launch, kernel, values), prepare=prepare)
        yield table.Outcome(
            group=f"{_kind(bugs)}, {name}",
            expected=_expected(bugs),
            found=table.by_kind(finding.kind for finding in watched.findings()),
            seconds=seconds,
        )


def _launch(kernel: xgpu.Kernel, values: Sequence[object]) -> None:
    kernel[GRID, BLOCK](*values)


def _restore(arrays: Sequence[np.ndarray], values: Sequence[np.ndarray]) -> None:
    for array, held in zip(arrays, values, strict=True):
        array[:] = held


def _kind(bugs: set[str]) -> str:
    if not bugs:
        return "correct"
    if "bounds" not in bugs:
        return "racy"
    return "racy and bounds" if bugs - {"bounds"} else "bounds"


def _expected(bugs: set[str]) -> str:
    if not bugs:
        return ""
    return "race" if bugs - {"bounds"} else "memory"


def graph(folder: Path, name: str) -> tuple[np.ndarray, np.ndarray]:
    """The first edge of each vertex and one more, and the edges' ends. `tail` is made here: 100
    vertices, of which the first two and the last six have no edges, the others to random ones."""
    if name == "tail":
        numbers = np.random.default_rng(0)
        ends = [np.unique(numbers.integers(0, 100, numbers.integers(0, 6))) for _ in range(92)]
        starts = np.cumsum([0, 0, 0, *map(len, ends), *[0] * 6])
        return starts.astype(np.int32), np.concatenate(ends).astype(np.int32)
    words = np.fromfile(folder / "indigo" / "input" / f"{name}.egr", np.int32)
    vertices = int(words[0])
    return words[2 : 3 + vertices].copy(), words[3 + vertices : 3 + vertices + int(words[1])].copy()


if __name__ == "__main__":
    sys.exit(main())

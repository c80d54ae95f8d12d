# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Indigo2's CUDA programs, host code and all, under the sanitizer.

    python benchmarks/suites/indigo2.py INDIGO2 [-O 0] [--every 4 --first 1] [--vertices 400]

`INDIGO2` is a checkout of burtscher/Indigo2Suite, whose 754 CUDA programs are said to be without
races. Each runs by `xgpu-cuda --sanitize` on an undirected graph of five edges a vertex that is
made here, and verifies its own result. A program with a report counts as `false`, also where it
has a race by its source.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import programs
import table

#: Arguments behind the graph: the source vertex, and whether to verify.
ARGUMENTS = {
    "bfs": ("7", "1"), "cc": ("1",), "mis": ("1",), "pr": (), "sssp": ("7", "1"), "tc": ("1",),
}  # fmt: skip


def main() -> int:
    """Run the suite; the exit code of `table.main`."""
    parser = table.options(__doc__ or "")
    parser.add_argument("-O", dest="optimize", type=int, default=0, choices=(0, 1, 2))
    parser.add_argument("--vertices", type=int, default=50, metavar="N", help="of the graph")
    args = parser.parse_args()
    sources = sorted((args.folder / "codes" / "cuda").glob("*/*.cu"))
    if not sources:
        sys.exit(f"no programs in {args.folder}/codes/cuda")
    with tempfile.TemporaryDirectory() as folder:
        graph = Path(folder) / "graph.egr"
        write_graph(graph, args.vertices, 5 * args.vertices)
        programs = [
            table.Program(s.stem, s.parent.name.removesuffix("-cuda"), partial(run, s, graph, args))
            for s in sources
        ]
        return table.main(programs, args)


def write_graph(path: Path, vertices: int, edges: int) -> None:
    """An undirected random graph with weights, in the suite's format."""
    numbers = np.random.default_rng(2)
    pairs = numbers.integers(0, vertices, (edges, 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    both = np.unique(np.concatenate([pairs, pairs[:, ::-1]]), axis=0)
    starts = np.searchsorted(both[:, 0], np.arange(vertices + 1))
    weights = 1 + (both.sum(axis=1) * 7 + both.prod(axis=1)) % 90
    words = [np.array([vertices, len(both)]), starts, both[:, 1], weights]
    np.concatenate(words).astype(np.int32).tofile(path)


def run(source: Path, graph: Path, args: argparse.Namespace) -> Iterator[table.Outcome]:
    """The whole program, watched. It has no finding by what the suite says."""
    outcome, done = programs.watched(
        [source], kinds="memory,race,sync",
        options=[f"-O{args.optimize}", f"-I{args.folder / 'include'}"], pairs=args.pairs,
        arguments=[str(graph), *ARGUMENTS[source.parent.name.removesuffix("-cuda")]],
    )  # fmt: skip
    outcome.expected = ""
    # PageRank says `Total Error`, the others `ERROR`.
    failed = re.search("ERROR|Total Error", done.stdout + done.stderr)
    if outcome.reason == table.RAN and failed and not outcome.found:
        outcome.reason = "the suite's own verification fails"
    yield outcome


if __name__ == "__main__":
    sys.exit(main())

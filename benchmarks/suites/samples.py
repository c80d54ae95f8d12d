# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The samples of NVIDIA's compute-sanitizer under xgpu's sanitizer.

    python benchmarks/suites/samples.py SAMPLES [-O 1]

`SAMPLES` is a checkout of NVIDIA/compute-sanitizer-samples. The folder of a sample says which of
the four tools reports it, and so which kind is expected. The samples that are tools themselves have
no program to watch.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import programs
import table

#: Kinds by folder, and of programs that have another than their folder. The last one of them asks
#: for more memory than there is, which the call's result says.
KINDS = {
    "Memcheck": "memory", "Racecheck": "race", "Synccheck": "sync", "Initcheck": "init",
    "suppressions_initcheck_demo": "init", "suppressions_demo": None,
}  # fmt: skip


def main() -> int:
    """Run the suite; the exit code of `table.main`."""
    parser = table.options(__doc__ or "")
    parser.add_argument("-O", dest="optimize", type=int, default=1, choices=(0, 1, 2))
    args = parser.parse_args()
    sources = [s for s in sorted(args.folder.glob("*/*.cu")) if "main(" in s.read_text()]
    if not sources:
        sys.exit(f"no programs in {args.folder}")
    chosen = [table.Program(s.stem, s.parent.name, partial(run, s, args)) for s in sources]
    return table.main(chosen, args)


def run(source: Path, args: argparse.Namespace) -> Iterator[table.Outcome]:
    """The program, watched once."""
    outcome, _ = programs.watched([source], options=[f"-O{args.optimize}"], pairs=args.pairs)
    outcome.expected = KINDS.get(source.stem, KINDS.get(source.parent.name))
    yield outcome


if __name__ == "__main__":
    sys.exit(main())

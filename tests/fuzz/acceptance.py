# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether passes accept what mlir-opt 22 accepts: a pass, drawn anew each time, on a piece of a
test that MLIR has for something else.

    python -m tests.fuzz.acceptance DIR [--seconds 120] [--seed 1]

`DIR` is MLIR's `mlir/test`. Counted are pieces that both accept or refuse; printed are those that
only one accepts, and whatever ends in something else than a diagnostic. Texts of MLIR's own test
dialects and of dialects that xgpu does not have are left out.
"""

from __future__ import annotations

import argparse
import collections
import json
import random
import re
import time
from pathlib import Path

from tests.support import processes
from tests.support.reference import llvm_tool
from xgpu.core.ir.errors import DiagnosticError, UsageError
from xgpu.core.passes.pipeline_text import parse_pipeline
from xgpu.core.syntax import context, diagnostics, parse_module, print_module
from xgpu.core.syntax.verify import verify_module

FOLDERS = ("Affine", "Arith", "Bufferization", "Linalg", "MemRef", "SCF", "Tensor", "Vector")
PASSES = (
    "func.func(affine-loop-coalescing)",
    "affine-simplify-min-max",
    "arith-expand",
    "arith-unsigned-when-equivalent",
    "canonicalize",
    "convert-bufferization-to-memref",
    "convert-complex-to-standard",
    "convert-elementwise-to-linalg",
    "convert-linalg-to-parallel-loops",
    "convert-math-to-funcs",
    "drop-equivalent-buffer-results",
    "eliminate-empty-tensors",
    "empty-tensor-to-alloc-tensor",
    "fold-tensor-subset-ops",
    "func.func(lower-vector-multi-reduction)",
    "func.func(scf-parallel-loop-tiling)",
    "inline",
    "linalg-fuse-elementwise-ops",
    "linalg-generalize-named-ops",
    "math-uplift-to-fma",
    "normalize-memrefs",
    "one-shot-bufferize",
    "one-shot-bufferize{allow-unknown-ops}",
    "one-shot-bufferize{bufferize-function-boundaries}",
    "reify-result-shapes",
    "remove-dead-values",
    "resolve-shaped-type-result-dims",
    "scf-for-loop-canonicalization",
    "transform-interpreter",
)
_TEST_DIALECT = re.compile(r"\btest\.\w|\b(shard|xegpu|amx|sparse_tensor|shape|ml_program)\.\w")
_PIECES = re.compile(r"(?m)^\s*// -----.*$")


def pieces(tests: Path) -> list[tuple[str, str]]:
    """Name and text of each piece."""
    found: list[tuple[str, str]] = []
    for folder in FOLDERS:
        for file in sorted((tests / "Dialect" / folder).rglob("*.mlir")):
            text = file.read_text(errors="replace")
            for number, piece in enumerate(_PIECES.split(text)):
                if re.search(r"^\s*[^/\s]", piece, re.M) and not _TEST_DIALECT.search(piece):
                    found.append((f"{folder}/{file.name}#{number}", piece))
    return found


def ours(pipeline: str, text: str) -> str:
    """ "accept", "refuse", or the name of what else happened."""
    try:
        with diagnostics.collect():
            module = parse_module(text)
            verify_module(module)
            parse_pipeline(pipeline).run(module, context())
            verify_module(module)
            print_module(module)
    except (DiagnosticError, UsageError):
        return "refuse"
    except Exception as error:  # what a tool would report as internal
        return type(error).__name__
    return "accept"


def theirs(tool: str, pipeline: str, text: str) -> str:
    done = processes.run(
        [tool, f"--pass-pipeline={pipeline}"],
        input=text,
        capture_output=True,
        text=True,
        check=False,
        seconds=60,
    )
    return {0: "accept", 1: "refuse"}.get(done.returncode, "crash")


def main() -> None:
    """The command line; prints JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("tests", type=Path)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="passes with this in their names")
    given = parser.parse_args()
    tool = llvm_tool("mlir-opt")
    if tool is None:
        raise SystemExit("mlir-opt 22 is not installed")
    draw = random.Random(given.seed)
    texts = pieces(given.tests)
    passes = [name for name in PASSES if given.only in name]
    counts: collections.Counter[str] = collections.Counter()
    end = time.monotonic() + given.seconds
    while time.monotonic() < end:
        name, text = draw.choice(texts)
        pipeline = f"builtin.module({draw.choice(passes)})"
        wanted = theirs(str(tool), pipeline, text)
        if wanted == "crash":
            counts["the reference crashes"] += 1
            continue
        got = ours(pipeline, text)
        counts["the same" if got == wanted else f"{wanted} there, {got} here"] += 1
        if got != wanted:
            print(name, pipeline, f"{wanted} there, {got} here", flush=True)
    print(json.dumps({"seed": given.seed, **counts}, indent=1))


if __name__ == "__main__":
    main()

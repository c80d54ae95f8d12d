# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GPUVerify's CUDA tests under the sanitizer.

    python benchmarks/suites/gpuverify.py GPUVERIFY [-O 1]

`GPUVERIFY` is a checkout of mc-imperial/gpuverify. Its tests are for a verifier, which proves them
for all inputs; here each runs once, with arrays of zeros, numbers as `__requires` says (else 64),
and grids of at most 256 blocks. The first lines say what a test has: `//pass`, or `//xfail:` with
the words of the verifier's message. Of these, races are expected findings; a test whose race needs
another input counts as missed.
"""

from __future__ import annotations

import argparse
import itertools
import math
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

#: The annotations of the verifier mean nothing in a run.
_HEADER = """\
#pragma once
#define __requires(...)
#define __ensures(...)
#define __invariant(...) true
#define __global_invariant(...)
#define __global_assert(...)
#define __assert(...)
#define __assume(...)
#define __requires_fresh_array(...)
#define __axiom(...)
#define __barrier_invariant(...)
#define __barrier_invariant_1(...)
#define __barrier_invariant_2(...)
#define __function_wide_invariant(...)
#define __function_wide_candidate_invariant(...)
#define __candidate_invariant(...) true
#define __non_temporal(x) x
"""
_MOST_BLOCKS, _MOST_THREADS = 256, 1024
_ARRAY = 1 << 19
_ERRORS = (xgpu.DiagnosticError, xgpu.DeviceError, xgpu.UsageError, TypeError)


def main() -> int:
    """Run the suite; the exit code of `table.main`."""
    parser = table.options(__doc__ or "")
    parser.add_argument("-O", dest="optimize", type=int, default=1, choices=(0, 1, 2))
    args = parser.parse_args()
    folder = args.folder / "testsuite" / "CUDA"
    sources = sorted(folder.rglob("*.cu"))
    if not sources:
        sys.exit(f"no programs in {folder}")
    programs = list[table.Program]()
    for source in sources:
        name = str(source.relative_to(folder).with_suffix("")).replace("/kernel", "")
        group, _ = expectation(source.read_text())
        programs.append(table.Program(name, group, partial(run, source, args)))
    table.import_compiler()
    return table.main(programs, args)


def expectation(text: str) -> tuple[str, str | None]:
    """What the first line says, and the kind of finding that it means, if one."""
    lines = [line.strip() for line in text.lower().splitlines()]
    head = list(itertools.takewhile(lambda line: line.startswith("//"), filter(None, lines)))
    if head and head[0].strip("/ ").startswith("pass"):
        return "pass", ""
    if any(re.search(r"race|(write|read|atomic) by (work|thread)", line) for line in head):
        return "race", "race"
    return "another error of the verifier", None


def run(source: Path, args: argparse.Namespace) -> Iterator[table.Outcome]:
    """One watched launch of the first kernel."""
    text = source.read_text(errors="replace")
    _, expected = expectation(text)
    grid, block = _dimensions(text, "gridDim"), _dimensions(text, "blockDim")
    if math.prod(block) > _MOST_THREADS:
        yield table.Outcome(reason="more than 1,024 threads in a block")
        return
    while math.prod(grid) > _MOST_BLOCKS:
        grid = [max(1, side // 2) for side in grid]
    begin = time.perf_counter()
    with tempfile.NamedTemporaryFile("w", suffix=".h") as header:
        header.write(_HEADER)
        header.flush()
        options = xgpu.CudaOptions(optimize=args.optimize, arguments=["-include", header.name])
        try:
            module = xgpu.load(str(source), "host", cuda=options)
        except _ERRORS as error:
            yield table.Outcome(reason=_refused(str(error)), detail=str(error)[:600])
            return
    compiled = time.perf_counter() - begin
    if not module.kernels:
        yield table.Outcome(reason="no kernel")
        return
    kernel = next(iter(module.kernels.values()))
    numbers = dict(re.findall(r"__requires\((?:\w+\s*&&\s*)?(\w+)\s*==\s*(\d+)", text))
    arguments = [_argument(p, numbers) for p in str(kernel.parameters).strip("()").split(", ") if p]
    begin = time.perf_counter()
    try:
        with xgpu.sanitized() as watched:
            kernel[tuple(grid), tuple(block)](*arguments)
    except _ERRORS as error:
        yield table.Outcome(reason=_refused(str(error)), detail=str(error)[:600])
        return
    seconds = {"compile": compiled, "watched": time.perf_counter() - begin}
    findings = watched.findings()
    if args.pairs and not findings:
        seconds |= table.launch_cost(lambda: kernel[tuple(grid), tuple(block)](*arguments))
    found = table.by_kind(finding.kind for finding in findings)
    yield table.Outcome(
        expected=expected, found=found, seconds=seconds, detail=findings.text()[:400]
    )


def _dimensions(text: str, name: str) -> list[int]:
    match = re.search(rf"--{name}=(\[[^\]]*\]|\d+)", text)
    sides = [int(side) for side in re.findall(r"\d+", match[1])] if match else [1]
    return [*sides, 1, 1, 1][:3]


def _argument(parameter: str, numbers: dict[str, str]) -> object:
    """Zeros for a pointer, a number for a number. A parameter reads `name: type`."""
    name, _, kind = parameter.partition(": ")
    if "ptr" in kind:
        return np.zeros(_ARRAY, np.int32)
    if kind.startswith("f"):
        return 1.0
    return int(numbers.get(name, 1 if kind == "i1" else 64))


def _refused(message: str) -> str:
    """A reason in few words."""
    words = {
        "texture": "textures", "surface": "surfaces", "curand": "cuRAND", "cooperative": "groups",
        "no definition": "an undefined function", "undefined": "an undefined function",
        "argument": "an argument that cannot be made up", "function pointer": "function pointers",
    }  # fmt: skip
    for word, reason in words.items():
        if word in message.lower():
            return f"refused: {reason}"
    return f"refused: {message.splitlines()[0][-60:]}" if message else "refused"


if __name__ == "__main__":
    sys.exit(main())

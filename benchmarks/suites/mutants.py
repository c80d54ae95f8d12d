# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutants of correct CUDA C++ kernels, under the sanitizer.

    python benchmarks/suites/mutants.py benchmarks/suites/mutants [--list] [--every 10]

The kernels lie in `kernels.cu` of the folder; `RESULTS` has what each one computes. One barrier,
fence, wait, atomic operation, bound, index or initialization is changed at a time. Each kernel and
each mutant runs in its natural order and in four others. Of mutants that are not reported the table
says whether the result of the natural order is still right: a barrier may be more than a kernel
needs, and a wrong index within the bounds is no mistake that a sanitizer knows of.
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import table

import xgpu

_ORDERS = 4
_HEAD = re.compile(r"^// (\w+) (\d+) (\d+) (\d+)$", re.MULTILINE)

#: What is changed, by what stands there and what takes its place.
MUTATIONS = {
    "a barrier is missing": (r"__syncthreads\(\);", ""),
    "a fence is missing": (r"__threadfence\(\);", ""),
    "a fence of a block": (r"__threadfence\(\);", "__threadfence_block();"),
    "a wait is missing": (r"while \(.*\);", ""),
    "an atomic operation of a block": (
        r"\batomic(Add|Exch|Max)\(&(out|tmp)", r"atomic\1_block(&\2",
    ),
    "an operation is not atomic": (r"\batomicAdd\(&([^;]+), ([^;,()]+)\);", r"\1 += \2;"),
    "an initialization is missing": (r".*// init", ""),
    "a bound is one too large": (r"(\bif \([\w +]+|; \w+) < (n|\d+)\b", r"\1 <= \2"),
    "an index is one too large": (r"\b(out|in|s)\[([it])\]", r"\1[\2 + 1]"),
    "a guard is too wide": (r"\b(t|threadIdx\.x) == 0\b", r"\1 <= 1"),
    "an array is too small": (r"(__shared__ int \w+)\[(\d+)\];", r"\1[\2 - 1];"),
}  # fmt: skip


Array = np.ndarray[Any, np.dtype[Any]]
Result = Callable[[Array], Array]


def first(values: Any) -> Result:
    """Results that are the first elements of `out`, of which the others are 0: numbers, or what a
    function makes of the elements of `in`."""

    def result(given: Array) -> Array:
        out = np.zeros_like(given)
        found: Any = values(given) if callable(values) else values
        made = np.atleast_1d(np.asarray(found))
        out[: len(made)] = made
        return out

    return result


def _in_blocks(size: int) -> Result:
    return first(lambda v: v.reshape(-1, size).sum(1))


def _square(v: Array) -> Array:
    return v.reshape(16, 16)


def _sums(v: Array) -> Array:
    """What each block of 64 elements gives, behind the sum of all."""
    return np.array([v.sum(), *v.reshape(-1, 64).sum(1)])


def _steps(v: Array) -> Array:
    for _ in range(4):
        v = v + np.roll(v, -1)
    return v


def _maxima(v: Array) -> Array:
    return v.reshape(-1, 8).max(0)


def _centered(v: Array) -> Array:
    return (v.max() - v).sum() - (v.max() - v)


def _moving(v: Array) -> Array:
    more = np.append(v, [0] * 4)
    return more[:-4] + more[2:-2] + more[4:]


def _stencil(v: Array) -> Array:
    more = np.concatenate(([0], v, [0]))
    return more[:-2] + more[1:-1] + more[2:]


def _waves(v: Array) -> Array:
    level = [0] * len(v)
    for t in range(1, len(v)):
        level[t] = 1 + min(level[t // 2], level[t * 3 // 4])
    return np.array(level, np.int32)


def _convolution(v: Array) -> Array:
    return np.convolve(v, [1, 2, 3, 2, 1], "same")


def _matrix_vector(v: Array) -> Array:
    return _square(v) @ v[:16]


def _twice_smooth(v: Array) -> Array:
    for _ in range(2):
        v = v + np.roll(v, -1)
    return v


def _turned_tiles(v: Array) -> Array:
    return v.reshape(-1, 32)[:, ::-1].ravel()


def _even(v: Array) -> Array:
    counts = (v % 2 == 0).reshape(-1, 64).sum(1)
    return np.array([counts.sum(), *counts])


def _rule_ninety(v: Array) -> Array:
    v = v % 2
    for _ in range(5):
        v = np.roll(v, 1) ^ np.roll(v, -1)
    return v


def _eliminated(v: Array) -> Array:
    v = v.copy()
    for step in range(31):
        v[step + 1 :] -= int(v[step] / 2)
    return v


def _shortest(v: Array) -> Array:
    d = v.reshape(8, 8) + 1
    np.fill_diagonal(d, 0)
    for q in range(8):
        d = np.minimum(d, d[:, q : q + 1] + d[q : q + 1])
    return d.ravel()


RESULTS: dict[str, Result] = {
    "copy": first(lambda v: v),
    "grid_stride": first(lambda v: 3 * v + 1),
    "reverse": first(lambda v: v.reshape(-1, 64)[:, ::-1].ravel()),
    "reduce_tree": _in_blocks(64),
    "reduce_warps": _in_blocks(128),
    "reduce_atomic": first(np.sum),
    "reduce_ticket": first(_sums),
    "scan_steps": first(np.cumsum),
    "scan_tree": first(np.cumsum),
    "scan_chained": first(np.cumsum),
    "histogram_shared": first(lambda v: np.bincount(v % 16, minlength=16)),
    "histogram_global": first(lambda v: np.bincount(v % 16, minlength=16)),
    "transpose": first(lambda v: _square(v).T.ravel()),
    "matmul": first(lambda v: (_square(v) @ _square(v)).ravel()),
    "stencil": first(_stencil),
    "stencil_steps": first(_steps),
    "ring": first(lambda v: np.roll(v, -3)),
    "lock": first(lambda v: [v[:4].sum(), 4]),
    "two_locks": first([-4, 4]),
    "message": first(lambda v: v[:1]),
    "grid_barrier": first(lambda v: v[::-1]),
    "sort_bitonic": first(np.sort),
    "sort_odd_even": first(np.sort),
    "compaction": first(lambda v: v[v % 2 == 0].sum()),
    "list_ranks": first(lambda v: np.arange(len(v))[::-1]),
    "queue": first(lambda v: 2 * v),
    "labels": first(_maxima),
    "center": first(_centered),
    "moving_sum": first(_moving),
    "waves": first(_waves),
    "dot": first(lambda v: v @ v),
    "maximum_tree": first(lambda v: v.reshape(-1, 64).max(1)),
    "maximum_scan": first(np.maximum.accumulate),
    "less_the_mean": first(lambda v: 64 * v - v.reshape(-1, 64).sum(1).repeat(64)),
    "reverse_warps": first(_turned_tiles),
    "sum_of_rows": _in_blocks(8),
    "matrix_vector": first(_matrix_vector),
    "transpose_in_place": first(lambda v: _square(v).T.ravel()),
    "convolution": first(_convolution),
    "gather": first(lambda v: v.reshape(-1, 64)[:, np.arange(64) * 5 % 64].ravel()),
    "scatter": first(lambda v: v.reshape(-1, 64)[:, np.arange(64) * 13 % 64].ravel()),
    "message_in_a_block": first(lambda v: v[:1] + 1),
    "relay": first(lambda v: np.cumsum(v[:4])),
    "ticket_lock": first(lambda v: v[:4].sum()),
    "last_block_maximum": first(np.max),
    "smoothing_steps": first(_twice_smooth),
    "hand_over": first(lambda v: v[:32] + v[32:]),
    "tiles_in_turns": first(_turned_tiles),
    "histogram_of_warps": first(lambda v: np.bincount(v % 8, minlength=8)),
    "rank_sort": first(np.sort),
    "count_even": first(_even),
    "votes": first(lambda v: (v > 50).reshape(-1, 64).sum(1)),
    "sum_everywhere": first(lambda v: v.reshape(-1, 128).sum(1).repeat(128)),
    "scan_warps": first(np.cumsum),
    "above_the_pivot": first(lambda v: v > v[::64].repeat(64)),
    "two_counters": first(lambda v: [(v < 50).sum(), (v >= 50).sum()]),
    "rule_ninety": first(_rule_ninety),
    "elimination": first(_eliminated),
    "shortest_ways": first(_shortest),
    "lock_of_a_bucket": first(lambda v: [v[0] + v[2], v[1] + v[3]]),
}


@dataclass(frozen=True)
class Kernel:
    """A kernel and how it is launched."""

    name: str
    text: str
    blocks: int
    threads: int
    elements: int


def kernels(text: str) -> Iterator[Kernel]:
    """The kernels of a file."""
    heads = list(_HEAD.finditer(text))
    for head, end in zip(heads, [*(h.start() for h in heads[1:]), len(text)], strict=True):
        blocks, threads, elements = map(int, head.groups()[1:])
        yield Kernel(head[1], text[head.end() : end], blocks, threads, elements)


def mutants(kernel: Kernel) -> Iterator[tuple[str, Kernel]]:
    """The mutants of a kernel, with what is changed in each."""
    for what, (pattern, other) in MUTATIONS.items():
        for found in re.finditer(pattern, kernel.text):
            text = kernel.text[: found.start()] + found.expand(other) + kernel.text[found.end() :]
            before = kernel.text[: found.start()]
            place = f"{before.count(chr(10))}.{len(before) - before.rfind(chr(10))}"
            name = f"{kernel.name}-{place}-{what.replace(' ', '-')}"
            yield what, Kernel(name, text, kernel.blocks, kernel.threads, kernel.elements)


def main() -> int:
    """Run the suite; the exit code of `table.main`."""
    args = table.options(__doc__ or "").parse_args()
    programs = list[table.Program]()
    for kernel in kernels((args.folder / "kernels.cu").read_text()):
        wanted = RESULTS[kernel.name]
        programs.append(table.Program(kernel.name, "correct", partial(run, kernel, wanted, "")))
        for what, mutant in mutants(kernel):
            programs.append(table.Program(mutant.name, what, partial(run, mutant, wanted, what)))
    table.import_compiler()
    return table.main(programs, args)


def run(kernel: Kernel, wanted: Result, what: str) -> Iterator[table.Outcome]:
    """One kernel under the sanitizer; `what` is changed in it, "" for nothing."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kernel.cu"
        path.write_text(kernel.text)
        begin = time.perf_counter()
        function = xgpu.load(str(path), "host").kernels["k"]
        compiled = time.perf_counter() - begin
    given = np.random.default_rng(1).integers(0, 100, kernel.elements).astype(np.int32)
    out = np.zeros(kernel.elements, np.int32)
    begin = time.perf_counter()
    with xgpu.sanitized(schedules=_ORDERS) as watched:
        try:
            function[kernel.blocks, kernel.threads](
                given, out, np.zeros(64, np.int32), kernel.elements
            )
        except xgpu.DeviceError:
            out[:] = -1
        findings = watched.findings()
    seconds = {"compile": compiled, "watched": time.perf_counter() - begin}
    right = bool(np.array_equal(out, wanted(given)))
    group = what or "correct"
    if what and not findings:
        group = f"{what}: not reported, {'the same' if right else 'another'} result"
    yield table.Outcome(
        group=group, expected=None if what else "", found=table.by_kind(f.kind for f in findings),
        seconds=seconds, detail=findings.text()[:300],
        reason=table.RAN if right or what else "another result",
    )  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())

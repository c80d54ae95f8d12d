# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels on the host device beside the same loops in C, with as many threads, in pairs.

    python benchmarks/against_c.py [--repeat 15] [--threads 2] [--output F.json] [kernel ...]

compiles `benchmarks/c/loops.c` by clang (`CLANG` names another) for this processor, -O3, with
glibc's vectors for exp and log, and `benchmarks/c/kernels.cu` for the host device. Each line has
milliseconds of both by the clock, the least of all runs, and of processor time of all threads, the
median; then ratios of processor time, the median of neighbouring runs and that of the least times,
and the bound that one of them is to keep. On a machine that does other work, read these. Both get
the same arrays, and what they compute is compared. The first launch, which compiles, is left out.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from host_case import apart

import xgpu

_SOURCES = Path(__file__).resolve().parent / "c"
_FLAGS = ("-O3", "-march=native", "-fveclib=libmvec", "-fno-math-errno", "-shared", "-fPIC")
_LIBRARIES = ("-lmvec", "-lm", "-lpthread")


class Pair(NamedTuple):
    """A kernel and its loop. `arrays` are the arguments, number `result` is written; `numbers` are
    arguments behind them. The loop has `size` elements, of which a thread
    takes `step` at a time (0: an equal share). `reset` puts back what a run changes."""

    name: str
    bound: float
    arrays: Sequence[np.ndarray]
    numbers: Sequence[int]
    grid: tuple[int, ...]
    block: tuple[int, ...]
    size: int
    step: int
    result: int
    tolerance: float = 0.0
    reset: Callable[[np.ndarray], None] | None = None


def _pairs() -> list[Pair]:
    choose = np.random.default_rng(1)
    many, side = 1 << 22, 2048

    def floats(count: int, low: float = 0.0, high: float = 1.0) -> np.ndarray:
        return choose.uniform(low, high, count).astype(np.float32)

    a, b, c = apart(floats(many), floats(many), np.zeros(many, np.float32))
    line, tiles = (many // 256,), (side // 16, side // 16)
    rows = (side // 256, side)
    small = 512
    m = apart(floats(small * small), floats(small * small), np.zeros(small * small, np.float32))
    n = 4096
    stars = [floats(n, -1) for _ in range(3)]
    prices = [floats(1 << 20, 5, 30), floats(1 << 20, 1, 100), floats(1 << 20, 0.25, 10)]
    picture = np.zeros(1024 * 1024, np.int32)
    starts, columns = _graph(choose, 1 << 17, 32)
    values, x, y = floats(len(columns)), floats(1 << 17), np.zeros(1 << 17, np.float32)
    distance = np.full(1 << 17, -1, np.int32)

    def begin(found: np.ndarray) -> None:
        found[:] = -1
        found[::16] = 3

    begin(distance)
    spheres = np.stack(
        [floats(24, -2, 2), floats(24, -2, 2), floats(24, 0, 4), floats(24, 0.2, 0.6)], axis=1
    ).ravel()
    shown = np.zeros(512 * 512, np.float32)
    return [
        Pair("copy", 1.1, (a, c), (), line, (256,), many, 0, 1),
        Pair("add", 1.1, (a, b, c), (), line, (256,), many, 0, 2),
        Pair("triad", 1.1, (a, b, c), (), line, (256,), many, 0, 2, 1e-6),
        Pair("transpose", 1.1, (a, c), (side,), tiles, (16, 16), side // 16, 0, 1),
        Pair("stencil", 1.1, (a, c), (side,), rows, (256,), side, 0, 1, 1e-6),
        Pair("reduce", 1.3, (a, c), (), (many // 1024,), (256,), many // 1024, 0, 1, 1e-5),
        Pair("scan", 1.3, (a, c), (), line, (256,), many // 256, 0, 1, 1e-5),
        Pair("softmax", 1.3, (a, c), (), (many // 1024,), (256,), many // 1024, 0, 1, 1e-5),
        Pair("matmul", 1.5, m, (small,), (32, 32), (16, 16), small // 8, 1, 2, 1e-4),
        Pair("convolution", 1.5, (a, floats(25), c), (side,), rows, (256,), side, 0, 2, 1e-5),
        Pair("bodies", 1.5, (*stars, np.zeros(3 * n, np.float32)), (n,), (n // 256,), (256,), n, 0,
             3, 1e-3),
        Pair("options", 1.5, (*prices, np.zeros(1 << 20, np.float32)), (), (4096,), (256,), 1 << 20,
             0, 3, 1e-4),
        Pair("mandelbrot", 2.0, (picture,), (1024,), (4, 1024), (256,), 1024, 8, 0, 1.0),
        Pair("sparse", 2.0, (starts, columns, values, x, y), (), (512,), (256,), 1 << 17, 2048, 4,
             1e-4),
        Pair("search", 2.0, (starts, columns, distance), (3,), (512,), (256,), 1 << 17, 2048, 2,
             reset=begin),
        Pair("rays", 2.0, (spheres, shown), (24, 512), (2, 512), (256,), 512, 8, 1, 1e-2),
    ]  # fmt: skip


def blocks_of_kernels() -> list[tuple[str, tuple[int, int, int]]]:
    """The names of the kernels, and the blocks that they are launched with."""
    return [(pair.name, (*pair.block, 1, 1)[:3]) for pair in _pairs()]


def _graph(choose: np.random.Generator, count: int, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows of 0 to `most` random columns each."""
    lengths = choose.integers(0, most + 1, count)
    starts = np.zeros(count + 1, np.int32)
    np.cumsum(lengths, out=starts[1:])
    return starts, choose.integers(0, count, starts[-1], dtype=np.int32)


def _library(threads: int) -> ctypes.CDLL:
    """The loops, compiled."""
    clang = os.environ.get("CLANG", "clang")
    with tempfile.TemporaryDirectory() as folder:
        built = Path(folder) / "loops.so"
        source = str(_SOURCES / "loops.c")
        subprocess.run([clang, *_FLAGS, source, "-o", str(built), *_LIBRARIES], check=True)
        library = ctypes.CDLL(str(built))
    library.start(threads)
    return library


def _in_c(pair: Pair, library: ctypes.CDLL, threads: int) -> Callable[[], None]:
    numbers = [ctypes.c_int(n) for n in pair.numbers]
    addresses = [array.ctypes.data for array in pair.arrays]
    addresses += [ctypes.addressof(n) for n in numbers]
    given = (ctypes.c_void_p * len(addresses))(*addresses)
    body = ctypes.cast(getattr(library, pair.name), ctypes.c_void_p)
    step = pair.step or -(-pair.size // threads)
    count, each = ctypes.c_long(pair.size), ctypes.c_long(step)

    def run() -> None:
        _ = numbers  # until here
        library.parallel(body, given, count, each)

    return run


def _as_kernel(pair: Pair, module: Any) -> Callable[[], None]:
    launch = module.kernels[pair.name][pair.grid, pair.block]
    given = [*pair.arrays, *(np.int32(n) for n in pair.numbers)]
    return lambda: launch(*given)


def _timed(pair: Pair, act: Callable[[], None]) -> tuple[float, float]:
    if pair.reset is not None:
        pair.reset(pair.arrays[pair.result])
    clock, processor = time.perf_counter(), time.process_time()
    act()
    return (time.perf_counter() - clock) * 1e3, (time.process_time() - processor) * 1e3


def _compare(pair: Pair, kernel: Callable[[], None], loop: Callable[[], None]) -> None:
    results: list[np.ndarray] = []
    for act in (kernel, loop):
        _timed(pair, act)
        results.append(pair.arrays[pair.result].astype(np.float64))
    apart = np.abs(results[0] - results[1]) > pair.tolerance * np.maximum(np.abs(results[1]), 1)
    # Floats that are rounded otherwise change how often a loop goes round, here and there.
    if apart.mean() > (1e-3 if pair.tolerance else 0):
        raise SystemExit(f"{pair.name}: {apart.sum()} of {apart.size} elements differ")


def measured(pair: Pair, module: Any, library: ctypes.CDLL, args: Any) -> dict[str, float]:
    """What is printed of a pair."""
    kernel, loop = _as_kernel(pair, module), _in_c(pair, library, args.threads)
    _compare(pair, kernel, loop)
    ours: list[tuple[float, float]] = []
    theirs: list[tuple[float, float]] = []
    for number in range(args.repeat):
        for which in (0, 1) if number % 2 else (1, 0):
            (ours, theirs)[which].append(_timed(pair, (kernel, loop)[which]))
    ratios = [a[1] / b[1] for a, b in zip(ours, theirs, strict=True)]
    return {
        "clock": min(t[0] for t in ours), "clock_c": min(t[0] for t in theirs),
        "processor": statistics.median(t[1] for t in ours),
        "processor_c": statistics.median(t[1] for t in theirs),
        "least_ratio": min(t[1] for t in ours) / min(t[1] for t in theirs),
        "ratio": statistics.median(ratios), "bound": pair.bound,
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("kernels", nargs="*")
    parser.add_argument("--repeat", type=int, default=15)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--output", type=Path)
    args = parser.parse_args()
    library = _library(args.threads)
    module = xgpu.load(str(_SOURCES / "kernels.cu"), "host", fma_contract=True)
    found: dict[str, dict[str, float]] = {}
    print(
        f"{'kernel':12} {'clock':>8} {'in C':>8} {'processor':>9} {'in C':>8} {'median':>6} "
        f"{'least':>6} bound"
    )
    for pair in _pairs():
        if args.kernels and pair.name not in args.kernels:
            continue
        f = found[pair.name] = measured(pair, module, library, args)
        print(
            f"{pair.name:12} {f['clock']:8.2f} {f['clock_c']:8.2f} {f['processor']:9.2f} "
            f"{f['processor_c']:8.2f} {f['ratio']:6.2f} {f['least_ratio']:6.2f} {pair.bound}"
            f"{'' if min(f['ratio'], f['least_ratio']) <= pair.bound else '  above'}",
            flush=True,
        )  # fmt: skip
    if args.output is not None:
        args.output.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()

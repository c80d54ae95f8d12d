# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels on the host device beside others that run them on a CPU, in one process, in turns.

    python benchmarks/host_device.py [--repeat 15] [--strategy threads] [--output F.json] [case ...]
    python benchmarks/host_device.py --bounds [--repeat 100] [--strategy threads] [case ...]
    python benchmarks/host_device.py --roofline F.svg [--repeat 15] [--machine NAME] [case ...]

prints for each kernel, of both, milliseconds of a launch with its wait: the median by the clock and
the median of processor time, then the medians of the ratios of neighbouring runs. On a machine that
does other work too, processor time is the one to read. The others are PoCL's OpenCL for CPUs
(pyopencl with `pocl-binary-distribution`, or Debian's `pocl-opencl-icd`), Warp's CPU device
(`warp-lang`), Triton's interpreter (`triton`) and numba's simulator, as far as they are installed;
what is not there is named at the end. The simulator's figures are for the 64 threads of one block,
the interpreter's for 16 programs, and their ratios are of times a thread. The first launch, which
compiles, is left out. What xgpu and PoCL compute is checked, and what Warp does but for the
histogram. Buffers are the program's own memory, at different places of a page on both sides. Slow
others are run three times. A launch is one as `kernel[grid, block](...)` makes, which waits, and
whose accesses are checked to be within its arrays. `--bounds` shows what these checks cost: each
kernel with and without them, in turns, the least time of each and the median of the ratios of
neighbouring runs; with `perf` (Linux) also the ratio of the
instructions of a launch on one core. `--roofline` writes a picture of the kernels by operations and
bytes, beside what the machine can do, and prints the table of `xgpu.profile()`: the least time of
each kernel counts.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import signal
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from host_case import Case
from host_kernels import CASES
from host_peers import (
    SIMULATED,
    Launch,
    numba_launch,
    triton_grid,
    triton_launch,
    warp_launch,
)

from tests.support.kernel_launch import Launcher, host_object
from xgpu.host_device.device.peaks import machine_peaks
from xgpu.runtime.session import TraceEvents
from xgpu.runtime.work import KernelRate, kernel_rates, rates_table
from xgpu.tools import roofline

Times = tuple[float, float]


def timed(act: Callable[[], None]) -> Times:
    """Milliseconds by the clock, and of processor time of all threads."""
    clock, processor = time.perf_counter(), time.process_time()
    act()
    return (time.perf_counter() - clock) * 1e3, (time.process_time() - processor) * 1e3


class Ours:
    """A case on the host device; with `bounds` it is kept in its arrays. `cores` are those of the
    machine if none are named."""

    def __init__(
        self, case: Case, strategy: str, bounds: bool = True, cores: int | None = None
    ) -> None:
        self.case = case
        self.buffers = case.arguments()
        self.launcher = Launcher(host_object(case.mlir, 3), strategy, bounds=bounds, cores=cores)
        values = [v if isinstance(v, np.ndarray) else _index(v) for v in self.buffers]
        self.launch = self.launcher.at_once("k", case.grid, case.block, *values)

    def run(self) -> Times:
        if self.case.again is not None:
            self.case.again(self.buffers)
        return timed(self.launch)

    def result(self) -> list[Any]:
        return self.buffers


class Pocl:
    """A case through OpenCL."""

    def __init__(self, case: Case, cl: Any, platform: Any) -> None:
        self.case = case
        self.cl = cl
        self.context = cl.Context(platform.get_devices()[:1])
        self.queue = cl.CommandQueue(self.context)
        self.buffers = case.arguments()
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
        self.device: list[Any] = [
            cl.Buffer(self.context, flags, hostbuf=b) if isinstance(b, np.ndarray) else b
            for b in self.buffers
        ]
        self.kernel = cl.Program(self.context, case.opencl).build().k
        self.kernel.set_args(*self.device)
        self.global_size = tuple(g * b for g, b in zip(case.grid, case.block, strict=True))

    def run(self) -> Times:
        if self.case.again is not None:
            self.case.again(self.buffers)
            for device, host in zip(self.device, self.buffers, strict=True):
                if isinstance(host, np.ndarray) and host.nbytes < 1 << 20:
                    self.cl.enqueue_copy(self.queue, device, host)
            self.queue.finish()
        return timed(self._launch)

    def _launch(self) -> None:
        self.cl.enqueue_nd_range_kernel(self.queue, self.kernel, self.global_size, self.case.block)
        self.queue.finish()

    def result(self) -> list[Any]:
        found: list[Any] = []
        for device, host in zip(self.device, self.buffers, strict=True):
            if isinstance(host, np.ndarray):
                self.cl.enqueue_copy(self.queue, host, device).wait()
            found.append(host)
        return found


def _index(value: Any) -> Any:
    import ctypes

    return ctypes.c_int64(int(value))


def _pocl(missing: dict[str, str]) -> list[tuple[str, Any, Any]]:
    """Each PoCL that there is, under its name: pyopencl, and its platform there."""
    try:
        import pyopencl
    except ImportError as reason:
        missing["PoCL"] = str(reason)
        return []
    found: list[tuple[str, Any, Any]] = []
    for platform in pyopencl.get_platforms():
        if "Portable" not in platform.name:
            continue
        name = " ".join(platform.version.split()[2:4])  # OpenCL 3.0 PoCL 3.1+debian ...
        context = pyopencl.Context(platform.get_devices()[:1])
        try:  # its LLVM may be older than the processor
            pyopencl.Program(context, "kernel void k(void) {}").build()
        except pyopencl.RuntimeError as reason:
            said = [line for line in str(reason).splitlines() if "error:" in line]
            missing[name] = said[0] if said else str(reason)
            continue
        found.append((name, pyopencl, platform))
    if not found:
        missing.setdefault("PoCL", "OpenCL has no such platform, or it compiles nothing here")
    return found


def _median(values: list[float]) -> float:
    return statistics.median(values)


#: Times by name, and for each other the ratios to it, of processor time and by the clock.
Figures = dict[str, Any]


def _figures(columns: list[float]) -> Figures:
    """Of columns of the table: a peer's time by the clock and processor time, and the ratios."""
    clock, cpu, by_clock, ratio = columns
    return {"ms": clock, "cpu_ms": cpu, "ratio": ratio, "ratio by the clock": by_clock}


def measure(
    case: Case, strategy: str, repeat: int, others: list[tuple[str, Any, Any]]
) -> tuple[list[str], Figures]:
    """Rows of the table, one for each PoCL, and their figures. Raises RuntimeError for a wrong
    result."""
    rows: list[str] = []
    figures: Figures = {}
    for name, cl, platform in others or [("", None, None)]:
        ours = Ours(case, strategy)
        theirs = Pocl(case, cl, platform) if cl is not None else None
        for side in (ours, theirs):
            if side is not None:
                side.run()
                if not case.check(side.result()):
                    raise RuntimeError(f"{case.name}: wrong result of {type(side).__name__} {name}")
        a: list[Times] = []
        b: list[Times] = []
        for _ in range(repeat):
            a.append(ours.run())
            if theirs is not None:
                b.append(theirs.run())
        kind = ours.launcher.strategy.split(",")[0]
        columns = [_median([t[i] for t in side]) for side in (a, b) if side for i in (0, 1)]
        columns += [_median([x[i] / y[i] for x, y in zip(a, b, strict=True)]) for i in (0, 1) if b]
        ours.launcher.close()
        row = f"{case.name:16} {kind:12}" + "".join(f" {c:8.2f}" for c in columns)
        rows.append(f"{row}  {name}" if name else row)
        if not figures:
            figures = {"strategy": kind, "ms": columns[0], "cpu_ms": columns[1]}
        if b:
            figures[name] = _figures(columns[2:])
    return rows, figures


class Peer:
    """A case as another runs it; `share` is the part of its threads that run."""

    def __init__(self, case: Case, launch: Launch, share: float = 1.0) -> None:
        self.case = case
        self.share = share
        self._launch, self._result = launch

    def run(self) -> Times:
        return timed(self._launch)

    def check(self) -> bool:
        return self._result is None or self.case.again is not None or (
            self.case.check(self._result())
        )  # fmt: skip


def _numba_share(case: Case) -> float:
    return SIMULATED / int(np.prod(case.grid) * np.prod(case.block))


def _triton_share(case: Case) -> float:
    return float(np.prod(triton_grid(case)) / np.prod(case.grid))


#: Name, what launches, the part of the threads that run, and how many times slow ones do.
PEERS: tuple[tuple[str, Callable[[Case], Launch | None], Callable[[Case], float], int], ...] = (
    ("Warp", warp_launch, lambda case: 1.0, 1000),
    ("Triton", triton_launch, _triton_share, 3),
    ("numba", numba_launch, _numba_share, 3),
)


def peers(case: Case, missing: dict[str, str]) -> list[tuple[str, Peer, int]]:
    """Who else has the kernel, and how often it runs at most; why others are left out."""
    found: list[tuple[str, Peer, int]] = []
    for name, make, share, most in PEERS:
        try:
            launch = make(case)
        except ImportError as reason:
            missing[name] = str(reason)
            continue
        if launch is not None:
            found.append((name, Peer(case, launch, share(case)), most))
    return found


def compare(
    case: Case, strategy: str, repeat: int, missing: dict[str, str]
) -> dict[str, tuple[str, Figures]]:
    """Rows and figures for the others. Raises RuntimeError for a wrong result."""
    rows: dict[str, tuple[str, Figures]] = {}
    for name, peer, most in peers(case, missing):
        ours = Ours(case, strategy)
        peer.run()
        if not peer.check():
            raise RuntimeError(f"{case.name}: wrong result of {name}")
        pairs = [(ours.run(), peer.run()) for _ in range(min(repeat, most))]
        columns = [_median([pair[side][i] for pair in pairs]) for side in (0, 1) for i in (0, 1)]
        columns += [_median([a[i] * peer.share / b[i] for a, b in pairs if b[i]]) for i in (0, 1)]
        row = f"{'':16} {'and ' + name:12}" + "".join(f" {c:8.3g}" for c in columns)
        rows[name] = row, _figures(columns[2:])
        ours.launcher.close()
    return rows


def compare_bounds(case: Case, strategy: str, repeat: int) -> tuple[str, Figures]:
    """A row and figures: the kernel without and with checks of its bounds. Raises RuntimeError for
    a wrong result."""
    sides = [Ours(case, strategy, bounds) for bounds in (False, True)]
    for side in sides:
        side.run()
        if not case.check(side.result()):
            raise RuntimeError(f"{case.name}: wrong result")
    times: list[list[Times]] = [[], []]
    for n in range(repeat):
        for at in (n % 2, 1 - n % 2):
            times[at].append(sides[at].run())
    least = [[min(t[i] for t in side) for i in (0, 1)] for side in times]
    medians = [_median([b[i] / a[i] for a, b in zip(*times, strict=True)]) for i in (0, 1)]
    kind = sides[0].launcher.strategy.split(",")[0]
    counts = [_instructions(case, strategy, bounds) for bounds in (False, True)]
    ratios = [least[1][0] / least[0][0], least[1][1] / least[0][1], *medians]
    columns = [*least[0], *least[1]]
    row = f"{case.name:16} {kind:12}" + "".join(f" {c:8.3f}" for c in (*columns, *ratios))
    figures: Figures = {
        "strategy": kind, "ms": least[0][0], "cpu_ms": least[0][1], "ms with bounds": least[1][0],
        "cpu_ms with bounds": least[1][1], "ratio by the clock": ratios[0], "ratio": ratios[1],
        "median ratio by the clock": ratios[2], "median ratio": ratios[3],
    }  # fmt: skip
    if all(counts):
        figures["instructions ratio"] = counts[1] / counts[0]
        row += f" {counts[1] / counts[0]:8.3f}"
    for side in sides:
        side.launcher.close()
    return row, figures


def _instructions(case: Case, strategy: str, bounds: bool, launches: int = 10) -> int:
    """Instructions of a launch on one core, in user mode; 0 where they cannot be counted."""
    import shutil
    import subprocess

    if shutil.which("perf") is None:
        return 0
    side = Ours(case, strategy, bounds, cores=1)
    side.run()
    begin = ["perf", "stat", "-x,", "-e", "instructions:u", "-p", str(os.getpid())]
    with subprocess.Popen(begin, stderr=subprocess.PIPE, text=True) as counter:
        time.sleep(0.3)  # until it is there
        for _ in range(launches):
            side.run()
        counter.send_signal(signal.SIGINT)
        _, said = counter.communicate()
    side.launcher.close()
    found = [line.split(",")[0] for line in said.splitlines() if "instructions" in line]
    return int(found[0]) // launches if found and found[0].isdecimal() else 0


def _main_bounds(given: argparse.Namespace) -> None:
    titles = ["off", "cpu", "on", "cpu", "ratio", "of cpu", "median", "of cpu", "instr."]
    print(f"{'kernel':16} {'strategy':12}" + "".join(f" {t:>8}" for t in titles))
    results: dict[str, Figures] = {}
    for make in CASES:
        case = make()
        if not given.cases or any(c in case.name for c in given.cases):
            row, results[case.name] = compare_bounds(case, given.strategy, given.repeat)
            print(row, flush=True)
    if given.output is not None:
        given.output.write_text(json.dumps({"bounds": results}, indent=1) + "\n")


def rate_of(case: Case, strategy: str, repeat: int) -> KernelRate:
    """What a kernel does in its fastest launch of `repeat`."""
    launcher = Launcher(host_object(case.mlir, 3), strategy)
    buffers = case.arguments()
    values = [v if isinstance(v, np.ndarray) else _index(v) for v in buffers]
    launch = launcher.prepared("k", case.grid, case.block, *values)
    events = TraceEvents()
    launcher.session.begin_trace(events, time.perf_counter_ns())
    launcher.device.count_work(True)
    for _ in range(repeat + 1):
        if case.again is not None:
            case.again(buffers)
        launch()
    launcher.close()
    counted, *others = [e for e in events if e["cat"] == "kernel"]
    (found,) = kernel_rates([counted, min(others, key=lambda e: e["dur"])])
    found.name = case.name
    return found


def _main_roofline(given: argparse.Namespace) -> None:
    cases = [make() for make in CASES]
    wanted = [c for c in cases if not given.cases or any(word in c.name for word in given.cases)]
    rates = [rate_of(case, given.strategy, given.repeat) for case in wanted]
    cores, peaks = len(os.sched_getaffinity(0)), machine_peaks()
    machine = given.machine or os.uname().machine
    given.roofline.write_text(
        roofline.svg(rates, peaks, f"Host device on {cores} cores of {machine}")
    )
    print(rates_table(rates, peaks))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=15)
    parser.add_argument("--strategy", default="auto")
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--output", type=pathlib.Path, help="a file for the figures, as JSON")
    parser.add_argument("--bounds", action="store_true", help="what checks of bounds cost")
    parser.add_argument("--roofline", type=pathlib.Path, help="a file for a picture of all kernels")
    parser.add_argument("--machine", help="what the picture calls this machine")
    given = parser.parse_args()
    if given.roofline is not None:
        _main_roofline(given)
        return
    if given.bounds:
        _main_bounds(given)
        return
    results: dict[str, Figures] = {}
    missing: dict[str, str] = {}
    others = _pocl(missing)
    titles = ["xgpu", "cpu"] + (["other", "cpu", "ratio", "of cpu"] if others else [])
    print(f"{'kernel':16} {'strategy':12}" + "".join(f" {t:>8}" for t in titles))
    for make in CASES:
        case = make()
        if not given.cases or any(c in case.name for c in given.cases):
            rows, figures = measure(case, given.strategy, given.repeat, others)
            print("\n".join(rows), flush=True)
            results[case.name] = figures
            for name, (row, figure) in compare(case, given.strategy, given.repeat, missing).items():
                print(row, flush=True)
                figures[name] = figure
    for name, reason in missing.items():
        print(f"left out: {name}: {reason}")
    if given.output is not None:
        whole = {"results": results, "left out": missing}
        given.output.write_text(json.dumps(whole, indent=1) + "\n")


if __name__ == "__main__":
    main()

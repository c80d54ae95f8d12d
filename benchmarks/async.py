#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long the lowering of tokens takes, and how many streams and events it makes of them.

Chains, binary join trees and fork-joins of 1,000 to 10,000 operations go through
`gpu-async-to-mgpu` and `mgpu-verify-lifetimes` in one process; processor time counts, and of that
the least of some runs. The last column is the time of an operation in the largest program, as a
ratio to that in the smallest: 1 where time is linear.

usage: async.py [--runs N] [--sizes N,N,...] [--output FILE]
"""

from __future__ import annotations

import argparse
import gc
import json
import pathlib
import sys
import time
from collections import Counter
from collections.abc import Callable

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

LAUNCH = "gpu.launch_func async {} @kernels::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)"
COUNTED = {
    "mgpu.stream_create": "streams",
    "mgpu.event_create": "events",
    "mgpu.event_record": "records",
    "mgpu.stream_wait_event": "waits",
}


def launch(name: str, tokens: list[str]) -> str:
    """A launch that gives the token `name` and waits for `tokens`."""
    return f"    {name} = " + LAUNCH.format(f"[{', '.join(tokens)}]" if tokens else "")


def chain(count: int) -> list[str]:
    """Each launch waits for the one before it."""
    lines = [launch(f"%{i}", [f"%{i - 1}"] if i else []) for i in range(count)]
    return [*lines, f"    gpu.wait [%{count - 1}]"]


def join_tree(count: int) -> list[str]:
    """Half of the launches wait for nothing, the others for two each, until one is left."""
    leaves = (count + 1) // 2
    lines = [launch(f"%{i}", []) for i in range(leaves)]
    level = [f"%{i}" for i in range(leaves)]
    number = leaves
    while len(level) > 1:
        above = [level.pop()] if len(level) % 2 else []
        for pair in zip(level[::2], level[1::2], strict=True):
            lines.append(launch(f"%{number}", list(pair)))
            above.insert(0, f"%{number}")
            number += 1
        level = above
    return [*lines, f"    gpu.wait [{level[0]}]"]


def fork_join(count: int, width: int = 100) -> list[str]:
    """`width` launches at a time, which wait for all before them."""
    lines, before, number = [], "", 0
    for step in range(count // width):
        names = [f"%{number + i}" for i in range(width)]
        number += width
        lines += [launch(name, [before] if before else []) for name in names]
        before = f"%j{step}"
        lines.append(f"    {before} = gpu.wait async [{', '.join(names)}]")
    return [*lines, f"    gpu.wait [{before}]"]


def program(lines: list[str]) -> str:
    """A module with a function of those lines."""
    return "\n".join(
        (
            "module attributes {gpu.container_module} {",
            "  gpu.module @kernels { gpu.func @k() kernel { gpu.return } }",
            "  func.func @main(%n: index) {",
            *lines,
            "    return",
            "  }",
            "}",
        )
    )


SHAPES: dict[str, Callable[[int], list[str]]] = {
    "chain": chain,
    "join tree": join_tree,
    "fork-join": fork_join,
}


def lower(text: str, **options: object) -> tuple[float, float, Counter[str]]:
    """Seconds of the lowering and of the proof, and what it made."""
    from xgpu.conversion.async_tokens.gpu_async_to_mgpu import GpuAsyncToMgpu
    from xgpu.conversion.async_tokens.mgpu_verify_lifetimes import MgpuVerifyLifetimes
    from xgpu.core.syntax import context, parse_module

    module = parse_module(text)
    gc.collect()
    begin = time.process_time()
    GpuAsyncToMgpu(**options).run(module, context())
    middle = time.process_time()
    MgpuVerifyLifetimes().run(module, context())
    end = time.process_time()
    made = Counter(COUNTED[op.name] for op in module.walk() if op.name in COUNTED)
    return middle - begin, end - middle, made


def main() -> None:
    from xgpu.tools.process import relax_collector

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--sizes", default="1000,3000,10000")
    parser.add_argument("--output", help="a file for the figures, as JSON")
    options = parser.parse_args()
    sizes = [int(size) for size in options.sizes.split(",")]
    lower(program(chain(10)))
    relax_collector()
    rows = []
    print(f"{'program':12}{'operations':>11}{'lower':>9}{'verify':>9}  made, and linearity")
    for name, make in SHAPES.items():
        each: list[float] = []
        for size in sizes:
            text = program(make(size))
            runs = [lower(text) for _ in range(options.runs)]
            seconds, proof = min(r[0] for r in runs), min(r[1] for r in runs)
            made = dict(runs[0][2])
            each.append(seconds / size)
            ratio = each[-1] / each[0]
            rows.append({"program": name, "operations": size, "seconds": seconds,
                         "verify": proof, "ratio": ratio, **made})  # fmt: skip
            listed = ", ".join(f"{count} {what}" for what, count in made.items())
            print(f"{name:12}{size:>11}{seconds:>8.2f}s{proof:>8.2f}s  {listed}; {ratio:.2f}")
    _, _, made = lower(program(join_tree(511)), max_streams=8)
    print(f"join tree of 256 leaves, max-streams=8: {made['streams']} streams")
    if options.output:
        pathlib.Path(options.output).write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()

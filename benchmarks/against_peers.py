#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long xgpu takes from source to PTX in one process, beside other compilers of kernels.

The peers are NVRTC, Triton and numba-cuda, with the same kernels in their own languages: a vector
add, a matmul in tiles of 16x16 in shared memory (in Triton: in blocks of 16x16), and gelu, which
needs libdevice. None needs a GPU. Each compiler runs in its own process, in turns, several rounds;
the figure of a round is the median of 15 compilations after a first one, in processor time, and the
ratio of two compilers is the median of the rounds' ratios.

The peers are usually in another environment, made like this:

    python -m venv peers
    peers/bin/pip install cuda-bindings nvidia-cuda-nvrtc 'numba-cuda[cu13]' triton

usage: against_peers.py [--peers peers/bin/python] [--rounds N] [--output FILE]

A peer that is missing there is said to be missing.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
from typing import Any

from compile import ROOT, environment, machine

HERE = pathlib.Path(__file__).resolve().parent
PEERS = {"NVRTC": "nvrtc_peer.py", "Triton": "triton_peer.py", "numba-cuda": "numba_peer.py"}
#: Milliseconds that xgpu should stay within.
AIMS = {"vector add": 30, "tiled matmul": 60}


def run(python: str, script: pathlib.Path) -> dict[str, Any] | str:
    """What a script measured, or why it could not."""
    try:
        done = subprocess.run(
            [python, str(script)], capture_output=True, text=True, env=environment(), cwd=HERE
        )
    except OSError as reason:
        return str(reason)
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        return lines[-1] if lines else f"exit code {done.returncode}"
    return json.loads(done.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--peers", default=sys.executable, help="the Python that has the peers")
    parser.add_argument("--rounds", type=int, default=5)
    default = ROOT / "benchmarks" / "results" / "against_peers.json"
    parser.add_argument("--output", type=pathlib.Path, default=default)
    arguments = parser.parse_args()

    ours: list[dict[str, Any]] = []
    theirs: dict[str, list[dict[str, Any]]] = {name: [] for name in PEERS}
    missing: dict[str, str] = {}
    for _ in range(arguments.rounds):
        found = run(sys.executable, HERE / "in_process.py")
        if isinstance(found, str):
            sys.exit(f"xgpu: {found}")
        ours.append(found)
        for name, script in PEERS.items():
            if name in missing:
                continue
            measured = run(arguments.peers, HERE / "peers" / script)
            if isinstance(measured, str):
                missing[name] = measured
                print(f"{name} is missing: {measured}", flush=True)
            else:
                theirs[name].append(measured)

    kernels: dict[str, Any] = {}
    for kernel in ours[0]:
        mine = [row[kernel]["median_ms"] for row in ours]
        row: dict[str, Any] = {"xgpu_ms": round(statistics.median(mine), 1)}
        if kernel in AIMS:
            row["aim_ms"] = AIMS[kernel]
        print(f"{kernel}: xgpu {row['xgpu_ms']} ms (aim {row.get('aim_ms')})")
        for name, rounds in theirs.items():
            if name in missing:
                continue
            times = [r[kernel]["median_ms"] for r in rounds]
            ratio = statistics.median(a / b for a, b in zip(mine, times, strict=True))
            row[name] = {"ms": round(statistics.median(times), 1), "ratio": round(ratio, 2)}
            print(f"    {name:12} {row[name]['ms']:8.1f} ms   xgpu takes x {row[name]['ratio']}")
        row["where_ms"] = ours[-1][kernel]["where_ms"]
        for step, ms in row["where_ms"].items():
            print(f"    {ms:8.2f} ms  {step}")
        kernels[kernel] = row
    record = {
        "machine": machine(),
        "rounds": arguments.rounds,
        "versions": {name: rows[0]["version"] for name, rows in theirs.items() if rows},
        "missing": missing,
        "kernels": kernels,
    }
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(json.dumps(record, indent=2) + "\n")


if __name__ == "__main__":
    main()

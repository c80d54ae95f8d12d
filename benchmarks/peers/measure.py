# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What every peer measures: the time from source to PTX in one process, after imports."""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable

RUNS = 15


def milliseconds(compile_once: Callable[[], object]) -> float:
    """Processor time of one compilation."""
    start = time.process_time()
    compile_once()
    return (time.process_time() - start) * 1e3


def report(version: str, kernels: dict[str, Callable[[], str]]) -> None:
    """Measures each kernel and prints JSON; a kernel's function gives its PTX."""
    results: dict[str, object] = {"version": version}
    for name, compile_once in kernels.items():
        if ".entry" not in compile_once():
            sys.exit(f"{name}: no PTX")
        later = [milliseconds(compile_once) for _ in range(RUNS)]
        results[name] = {
            "median_ms": round(statistics.median(later), 2),
            "best_ms": round(min(later), 2),
        }
    json.dump(results, sys.stdout)

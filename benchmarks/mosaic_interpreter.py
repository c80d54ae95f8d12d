# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A vector addition in JAX Mosaic's interpreter of GPU kernels, which looks for races between
warpgroups: `benchmarks/sanitizer.py` starts it beside the same kernel under the sanitizer.

    python benchmarks/mosaic_interpreter.py COUNT PER_BLOCK REPEAT

prints milliseconds of processor time of a launch, the median of REPEAT, without and with its search
for races, as JSON; or why there are none.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from typing import Any


def measure(count: int, per_block: int, repeat: int) -> dict[str, float]:
    """Raises ImportError without JAX, or with one that has no such interpreter; RuntimeError for a
    wrong result."""
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax import lax
    from jax._src.pallas.mosaic_gpu.interpret.params import InterpretGPUParams
    from jax.experimental import pallas
    from jax.experimental.pallas import mosaic_gpu

    def add(a: Any, b: Any, c: Any) -> None:
        own = pallas.ds(lax.axis_index("x") * per_block, per_block)
        c[own] = a[own] + b[own]

    first = jnp.arange(count, dtype=jnp.float32)
    second = first * 2
    found: dict[str, float] = {}
    for races in (False, True):
        kernel = mosaic_gpu.kernel(
            add, out_type=jax.ShapeDtypeStruct((count,), jnp.float32),
            grid=(count // per_block,), grid_names=("x",),
            interpret=InterpretGPUParams(detect_races=races),
        )  # fmt: skip
        if not np.array_equal(kernel(first, second), first + second):
            raise RuntimeError("wrong result of the interpreter")
        times: list[float] = []
        for _ in range(repeat):
            begin = time.process_time()
            kernel(first, second).block_until_ready()
            times.append((time.process_time() - begin) * 1e3)
        found["race" if races else "plain"] = statistics.median(times)
    return found


def main() -> None:
    count, per_block, repeat = map(int, sys.argv[1:])
    try:
        print(json.dumps(measure(count, per_block, repeat)))
    except ImportError as problem:
        print(json.dumps({"skipped": f"JAX with Mosaic's interpreter is not there ({problem})"}))


if __name__ == "__main__":
    main()

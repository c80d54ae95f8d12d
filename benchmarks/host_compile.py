# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long kernels of 100 to 10,000 operations take to become code for the host device.

    python benchmarks/host_compile.py [--repeat 3] [operations ...]

prints, for each strategy, processor time of the passes and of LLVM at -O2, the least of some times,
in seconds: a chain of operations on floats, each on the results of the two before it, with a store
in every 100 and, in all columns but the first, a barrier (block loops: of the block; warps and
threads: one that not all wait at).
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from xgpu.host_device.compiler.compiler import host_text, to_threads
from xgpu.host_device.compiler.machine import compile_ir
from xgpu.host_device.compiler.specialize import KernelSource

OPERATIONS = (100, 1_000, 5_000, 10_000)
BLOCK = (64, 1, 1)
#: Columns: a strategy, and what stands behind each store.
COLUMNS = {
    "block loops, no barrier": ("block-loops", None),
    "block loops": ("block-loops", "nvvm.barrier0"),
    "warps": ("warps", "nvvm.barrier id = %one"),
    "threads": ("threads", "nvvm.barrier id = %one"),
}
_STORES = 100


def kernel(operations: int, barrier: str | None) -> str:
    lines: list[str] = []
    before, value = "%x", "%x"
    for i in range(operations):
        name = ("fadd", "fmul", "fsub")[i % 3]
        lines.append(f"    %v{i} = llvm.{name} {value}, {before} : f32")
        before, value = value, f"%v{i}"
        if i % _STORES == _STORES - 1:
            lines.append(f"    llvm.store {value}, %at : f32, !llvm.ptr")
            if barrier is not None:
                lines.append(f"    {barrier}")
    body = "\n".join(lines)
    return f"""gpu.module @m {{
  llvm.func @k(%out: !llvm.ptr, %n: i32) attributes {{gpu.kernel, nvvm.kernel}} {{
    %one = llvm.mlir.constant(1 : i32) : i32
    %tx = nvvm.read.ptx.sreg.tid.x : i32
    %at = llvm.getelementptr %out[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %x = llvm.load %at : !llvm.ptr -> f32
{body}
    llvm.return
  }}
}}"""


def measure(text: str, strategy: str) -> tuple[float, float]:
    """Seconds of the passes, and of LLVM."""
    source = KernelSource(text)
    assert source.module
    begin = time.process_time()
    module = source.module.clone()
    if strategy != "threads":
        module = source.specialized_ir(strategy, "k", BLOCK)
    to_threads(module)
    ir = host_text(module)
    between = time.process_time()
    compile_ir(ir)
    return between - begin, time.process_time() - between


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("operations", type=int, nargs="*", default=OPERATIONS)
    given = parser.parse_args()
    print("| operations | " + " | ".join(COLUMNS) + " |")
    print("|---|" + "---|" * len(COLUMNS))
    for operations in given.operations:
        cells: list[str] = []
        for strategy, barrier in COLUMNS.values():
            text = kernel(operations, barrier)
            found = [measure(text, strategy) for _ in range(given.repeat)]
            passes, llvm = (min(times) for times in zip(*found, strict=True))
            cells.append(f"{passes:.2f} s + {llvm:.2f} s")
        print(f"| {operations:,} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long kernels of 100 to 10,000 operations take to become code for the host device.

    python benchmarks/host_compile.py [--repeat 3] [operations ...]

prints, for each strategy, processor time of the passes and of LLVM at -O2, the least of some times,
in seconds: a chain of operations on floats, each on the results of the two before it, with a store
in every 100 and, in all columns but the first, a barrier (block loops: of the block; warps and
threads: one that not all wait at).

    python benchmarks/host_compile.py --clang [--repeat 3]

compares the kernels of `c/kernels.cu` with clang -O2 (`CLANGXX` names another), which compiles each
as a function of one thread, without vectors of threads and checks of bounds: milliseconds of
processor time from the kernel in the llvm dialect, and from its source by clang, a 20th of what 20
copies take more than none.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from xgpu.host_device.compiler.compiler import host_text, to_threads
from xgpu.host_device.compiler.objects import read_object
from xgpu.host_device.compiler.specialize import KernelSource
from xgpu.host_device.machine.cpu import compile_ir

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


# -- beside clang


_KERNELS = Path(__file__).resolve().parent / "c" / "kernels.cu"
_FLAGS = ("-x", "c++", "-O2", "-march=native", "-fno-math-errno", "-w", "-c")
_COPIES = 20  # of a kernel, since clang takes longer to begin than for one
#: What lets a compiler for processors read kernels.
_SHIM = """
#include <math.h>
struct Index { int x, y, z; };
static thread_local Index threadIdx, blockIdx, blockDim;
#define __global__
#define __device__ static inline
#define __shared__ static
extern "C" void __syncthreads();
extern "C" float __shfl_up_sync(unsigned, float, int);
"""


def functions(text: str) -> tuple[str, dict[str, str]]:
    """What all kernels need, and the source of each kernel by its name."""
    shared, *parts = re.split(r"\n(?=KERNEL |__device__ )", text)
    kernels = [part for part in parts if part.startswith("KERNEL")]
    helpers = [part for part in parts if part not in kernels]
    return "\n".join((_SHIM, shared, *helpers)), {
        part.partition("(")[0].split()[-1]: part for part in kernels
    }


def by_clang(source: str, repeat: int) -> float:
    """Milliseconds that clang takes for a source."""
    times: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        path, made = Path(folder) / "kernel.cpp", Path(folder) / "kernel.o"
        path.write_text(source)
        command = [os.environ.get("CLANGXX", "clang++"), *_FLAGS, str(path), "-o", str(made)]
        for _ in range(repeat):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(command, check=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(times) * 1e3


def compare_with_clang(repeat: int) -> None:
    from against_c import blocks_of_kernels

    import xgpu

    (image,) = xgpu.compile(str(_KERNELS), format="host", fma_contract=True).kernels.values()
    source = KernelSource(read_object(image)[2], has_bounds=True)
    assert source.module
    shared, kernels = functions(_KERNELS.read_text())
    nothing = by_clang(shared, repeat)
    print(f"{'kernel':12} {'strategy':12} {'host':>6} {'clang':>6} ratio")
    ratios: list[float] = []
    for name, block in blocks_of_kernels():
        times: list[float] = []
        strategy = ""
        for _ in range(repeat):
            begin = time.process_time()
            part = source.part(name)
            made, _ = part.compile(name, block)
            if made.code is None:
                part.threads(2)
            times.append((time.process_time() - begin) * 1e3)
            strategy = made.strategy
        copies = [kernels[name].replace(f"{name}(", f"{name}{i}(", 1) for i in range(_COPIES)]
        theirs = (by_clang("\n".join((shared, *copies)), repeat) - nothing) / _COPIES
        ratios.append(min(times) / theirs)
        print(
            f"{name:12} {strategy:12} {min(times):6.1f} {theirs:6.1f} {ratios[-1]:5.1f}",
            flush=True,
        )
    print(f"median of the ratios {statistics.median(ratios):.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--clang", action="store_true", help="kernels beside clang -O2")
    parser.add_argument("operations", type=int, nargs="*", default=OPERATIONS)
    given = parser.parse_args()
    if given.clang:
        compare_with_clang(given.repeat)
        return
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

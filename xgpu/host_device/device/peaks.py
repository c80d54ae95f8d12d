# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What this machine can do at most, measured: bytes of memory and operations on floats.

Memory is STREAM's triad, `a[i] = b[i] + s * c[i]`, on arrays that no cache holds, a slice at a
time, with stores as usual and with stores past the caches; 24 bytes an element are counted, as
STREAM does. Operations are fused multiplications and additions in chains that do not wait for one
another, in vectors of 256 and of 512 bits. The best round counts. It takes some tenths of a second,
once in a process.
"""

from __future__ import annotations

import ctypes
import os
import threading
import time
from functools import cache
from typing import TYPE_CHECKING

from xgpu.host_device.machine.cpu import compile_ir
from xgpu.host_device.native.library import native_library
from xgpu.runtime.work import Peaks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from llvmlite.binding.orcjit import ResourceTracker

_ELEMENTS = 6 << 20  # of 8 bytes, in each of the three arrays
_LINE = 64  # bytes of a line of the cache
_SLICES = 8
_ROUNDS = 6
_CHAINS = 10  # two operations begin in a cycle, and each takes four or five
_STEPS = 500_000
_WIDTHS = (256, 512)
_BITS = {"float": 32, "double": 64}


def machine_peaks(workers: int = 0) -> Peaks:
    """What so many threads can do at once; 0 stands for one on each core that this process has."""
    return _measured(workers or len(os.sched_getaffinity(0)))


@cache
def _measured(workers: int) -> Peaks:
    code = _linked()
    return Peaks(
        _bandwidth(code, workers),
        max(_computing(code, workers, "float", width) for width in _WIDTHS),
        max(_computing(code, workers, "double", width) for width in _WIDTHS),
    )


def _bandwidth(code: ResourceTracker, workers: int) -> float:
    """Bytes a second."""
    arrays = [(ctypes.c_double * (_ELEMENTS + _LINE // 8))() for _ in range(3)]
    places = [-(-ctypes.addressof(array) // _LINE) * _LINE for array in arrays]
    share = _ELEMENTS // _SLICES // workers // 8 * 8
    slices = [
        [
            [*(place + 8 * share * at for place in places), share]
            for at in range(begin, begin + workers)
        ]
        for begin in range(0, _SLICES * workers, workers)
    ]
    found = [
        _seconds(code[name], parts)[0]
        for name in ("triad", "triad_past")
        for parts in slices * _ROUNDS
    ]
    return 24 * share * workers / min(found)


def _computing(code: ResourceTracker, workers: int, ty: str, width: int) -> float:
    """Operations on floats of type `ty` a second."""
    room = (ctypes.c_uint8 * (64 * _CHAINS * workers))()
    place = ctypes.addressof(room)
    parts = [[place + 64 * _CHAINS * at, _STEPS] for at in range(workers)]
    done = 2 * _STEPS * _CHAINS * (width // _BITS[ty]) * workers
    # A thread that waits for its turn on a busy machine computes nothing meanwhile.
    return done / min(_seconds(code[f"{ty}_{width}"], parts)[1] for _ in range(_ROUNDS))


def _seconds(function: int, parts: Sequence[Sequence[int]]) -> tuple[float, float]:
    """How long `function` takes for all parts at once, each in a thread of its own: by the clock,
    and the processor time of the slowest thread."""
    call = ctypes.CFUNCTYPE(None, *[ctypes.c_uint64] * len(parts[0]))(function)
    start = threading.Barrier(len(parts))
    spans: list[tuple[float, float]] = []
    took: list[float] = []

    def work(part: Sequence[int]) -> None:
        start.wait()
        begin, processor = time.perf_counter(), time.thread_time()
        call(*part)
        took.append(time.thread_time() - processor)
        spans.append((begin, time.perf_counter()))

    threads = [threading.Thread(target=work, args=(part,)) for part in parts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return max(end for _, end in spans) - min(begin for begin, _ in spans), max(took)


# -- Code


@cache
def _linked() -> ResourceTracker:
    from llvmlite import binding

    names = ["triad", "triad_past", *(f"{ty}_{width}" for ty in _BITS for width in _WIDTHS)]
    builder = binding.JITLibraryBuilder().add_object_img(compile_ir(_text()))
    for name in names:
        builder.export_symbol(name)
    return builder.link(native_library().jit, "xgpu.peaks")


def _text() -> str:
    """LLVM IR of all functions."""
    chains = [_chains(ty, width) for ty in _BITS for width in _WIDTHS]
    attributes = [
        f'attributes #{width} = {{ "prefer-vector-width"="{width}" '
        f'"min-legal-vector-width"="{width}" }}'
        for width in _WIDTHS
    ]
    triads = [_triad("triad", ""), _triad("triad_past", ", !nontemporal !0")]
    return "\n".join([*triads, *chains, *attributes, "!0 = !{i32 1}"])


def _triad(name: str, store: str) -> str:
    """a, b, c, which begin with a line of the cache, and a multiple of 8 elements."""
    return f"""
define void @{name}(ptr %a, ptr %b, ptr %c, i64 %n) #256 {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %pb = getelementptr double, ptr %b, i64 %i
  %pc = getelementptr double, ptr %c, i64 %i
  %pa = getelementptr double, ptr %a, i64 %i
  %x = load <4 x double>, ptr %pb, align 8
  %y = load <4 x double>, ptr %pc, align 8
  %m = fmul <4 x double> %y, splat (double 3.0)
  %s = fadd <4 x double> %x, %m
  store <4 x double> %s, ptr %pa, align 32{store}
  %next = add i64 %i, 4
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}}"""


def _chains(ty: str, width: int) -> str:
    """A place for the results, and how many steps all chains make."""
    vector = f"<{width // _BITS[ty]} x {ty}>"
    fma = f"@llvm.fma.v{width // _BITS[ty]}f{_BITS[ty]}"
    numbers = range(_CHAINS)
    begin = "\n".join(
        f"  %x{i} = phi {vector} [ splat ({ty} {i}.0), %entry ], [ %y{i}, %loop ]" for i in numbers
    )
    steps = "\n".join(
        f"  %y{i} = call {vector} {fma}({vector} %x{i}, {vector} splat ({ty} 0.5), "
        f"{vector} splat ({ty} 1.0))"
        for i in numbers
    )
    stores = "\n".join(
        f"  %p{i} = getelementptr i8, ptr %out, i64 {64 * i}\n"
        f"  store {vector} %y{i}, ptr %p{i}, align 1"
        for i in numbers
    )
    return f"""
declare {vector} {fma}({vector}, {vector}, {vector})
define void @{ty}_{width}(ptr %out, i64 %n) #{width} {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
{begin}
{steps}
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
{stores}
  ret void
}}"""

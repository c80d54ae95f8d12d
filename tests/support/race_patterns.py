# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small kernels of two phases in the manner of the Indigo suite, and what is true of them.

In each phase every thread does one access whose place is a function of its index; between the
phases stands nothing, a warp's synchronization or a barrier. Whether that races follows from the
definition: two threads, one place, one of them writes, not both atomically, and nothing between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

THREADS = 64

# A place as a function of the thread, and as operations on %t.
PLACES: dict[str, tuple[Callable[[int], int], str]] = {
    "own": (lambda t: t, "arith.addi %t, %c0 : index"),
    "next": (lambda t: (t + 1) % 64, "arith.remui %t1, %c64 : index"),
    "back": (lambda t: 63 - t, "arith.subi %c63, %t : index"),
    "pair": (lambda t: t ^ 1, "arith.xori %t, %c1 : index"),
    "half": (lambda t: t // 2, "arith.divui %t, %c2 : index"),
    "warp": (lambda t: t // 32, "arith.divui %t, %c32 : index"),
    "zero": (lambda t: 0, "arith.addi %c0, %c0 : index"),
    "apart": (lambda t: t + 64, "arith.addi %t, %c64 : index"),
}
DEEDS = ("read", "write", "add")
BETWEEN = ("nothing", "warp", "barrier")
_KIND = {"shared": "memref<128xi32, #gpu.address_space<workgroup>>", "global": "memref<?xi32>"}

Phase = tuple[str, str]
Event = tuple[int, str, int]  # who uses a place, how, in which phase


def conflict(a: Event, b: Event, between: str) -> bool:
    """Whether two uses of one place race, with `between` between the phases."""
    if a[0] == b[0] or (a[1] == "read" and b[1] == "read") or a[1] == b[1] == "add":
        return False
    if a[2] == b[2] or between == "nothing":
        return True
    return between == "warp" and a[0] // 32 != b[0] // 32


class Pattern:
    """Two phases in a kind of memory."""

    def __init__(self, memory: str, first: Phase, between: str, second: Phase) -> None:
        self.memory = memory
        self.first = first
        self.between = between
        self.second = second

    @property
    def name(self) -> str:
        return "_".join((self.memory, *self.first, self.between, *self.second))

    def races(self) -> bool:
        """By definition."""
        events = [(t, PLACES[self.first[0]][0](t), self.first[1], 0) for t in range(THREADS)]
        events += [(t, PLACES[self.second[0]][0](t), self.second[1], 1) for t in range(THREADS)]
        by_place: dict[int, list[Event]] = {}
        for t, place, deed, phase in events:
            by_place.setdefault(place, []).append((t, deed, phase))
        return any(
            conflict(a, b, self.between)
            for found in by_place.values()
            for i, a in enumerate(found)
            for b in found[:i]
        )

    def kernel(self) -> str:
        """The kernel; what it does to `%m` is at places below 128."""
        kind = _KIND[self.memory]
        parameter = f"%m: {kind}, " if self.memory == "global" else ""
        workgroup = f" workgroup(%m: {kind})" if self.memory == "shared" else ""
        lines = [
            f"    gpu.func @{self.name}({parameter}%sum: memref<128xi32>){workgroup} kernel {{",
            *(f"      %c{n} = arith.constant {n} : index" for n in (0, 1, 2, 4, 32, 63, 64)),
            "      %all = arith.constant 0xFFFFFFFF : i32",
            "      %zero = arith.constant 0 : i32",
            "      %t = gpu.thread_id x",
            "      %t1 = arith.addi %t, %c1 : index",
            "      %far = arith.addi %t, %c64 : index",
        ]
        if self.memory == "shared":
            for place in ("%t", "%far"):
                lines.append(f"      memref.store %zero, %m[{place}] : {kind}")
            lines.append("      gpu.barrier")
        lines += self._phase("a", self.first)
        if self.between == "warp":
            lines.append("      nvvm.bar.warp.sync %all : i32")
        if self.between == "barrier":
            lines.append("      gpu.barrier")
        lines += self._phase("b", self.second)
        return "\n".join([*lines, "      gpu.return", "    }"])

    def _phase(self, mark: str, phase: Phase) -> list[str]:
        place, deed = phase
        kind = _KIND[self.memory]
        at = f"%{mark}"
        lines = [f"      {at} = {PLACES[place][1]}"]
        # No two threads write one value, nor one thread the same twice.
        seed = 1000 if mark == "a" else 2000
        lines += [
            f"      {at}_seed = arith.constant {seed} : i32",
            f"      {at}_t = arith.index_cast %t : index to i32",
            f"      {at}_v = arith.addi {at}_t, {at}_seed : i32",
        ]
        if deed == "write":
            lines.append(f"      memref.store {at}_v, %m[{at}] : {kind}")
        elif deed == "add":
            # Relaxed: one that releases and acquires orders what comes behind the later ones.
            pointer = "!llvm.ptr<3>" if self.memory == "shared" else "!llvm.ptr"
            lines += [
                f"      {at}_p = memref.extract_aligned_pointer_as_index %m : {kind} -> index",
                f"      {at}_4 = arith.muli {at}, %c4 : index",
                f"      {at}_q = arith.addi {at}_p, {at}_4 : index",
                f"      {at}_i = arith.index_cast {at}_q : index to i64",
                f"      {at}_x = llvm.inttoptr {at}_i : i64 to {pointer}",
                f"      {at}_o = llvm.atomicrmw add {at}_x, {at}_v monotonic : {pointer}, i32",
            ]
        else:
            lines += [
                f"      {at}_r = memref.load %m[{at}] : {kind}",
                f"      memref.store {at}_r, %sum[{'%t' if mark == 'a' else '%far'}] : "
                "memref<128xi32>",
            ]
        return lines


def patterns() -> Iterator[Pattern]:
    """All that have a chance to race, and as many that have none."""
    for memory in ("shared", "global"):
        for a in PLACES:
            for b in ("own", "back", "pair", "apart"):
                for first, second in (("write", "read"), ("read", "write"), ("add", "write")):
                    for between in BETWEEN:
                        yield Pattern(memory, (a, first), between, (b, second))


class Kernel(Protocol):
    """A pattern of any kind."""

    memory: str

    @property
    def name(self) -> str: ...

    def races(self) -> bool: ...

    def kernel(self) -> str: ...


def program(chosen: Sequence[Kernel]) -> str:
    """One program that launches the kernels one after the other."""
    kernels = "\n".join(p.kernel() for p in chosen)
    lines = [
        "module attributes {gpu.container_module} {", "  gpu.module @kernels {", kernels, "  }",
        "  func.func @main() {",
        "    %c1 = arith.constant 1 : index",
        "    %c64 = arith.constant 64 : index",
        "    %c128 = arith.constant 128 : index",
        "    %i = arith.constant 0 : i32",
        "    %sum = gpu.alloc () : memref<128xi32>",
        "    %m = gpu.alloc (%c128) : memref<?xi32>",
        "    %s0 = gpu.wait async",
        "    %s1 = gpu.memset async [%s0] %sum, %i : memref<128xi32>, i32",
        "    %t0 = gpu.memset async [%s1] %m, %i : memref<?xi32>, i32",
    ]  # fmt: skip
    for n, p in enumerate(chosen):
        argument = "%m : memref<?xi32>, " if p.memory == "global" else ""
        lines.append(
            f"    %t{n + 1} = gpu.launch_func async [%t{n}] @kernels::@{p.name} blocks in "
            f"(%c1, %c1, %c1) threads in (%c64, %c1, %c1) args({argument}%sum : memref<128xi32>)"
        )
    lines += [
        f"    gpu.wait [%t{len(chosen)}]", "    gpu.dealloc %sum : memref<128xi32>",
        "    gpu.dealloc %m : memref<?xi32>", "    return", "  }", "}",
    ]  # fmt: skip
    return "\n".join(lines)

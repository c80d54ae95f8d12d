# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that walk a graph, in the manner of the Indigo suite, and whether they race.

Each thread has a vertex and from one to three neighbours. It pulls values from them, pushes values
to them (plainly or by atomic additions), or puts itself on a list whose end is counted plainly or
atomically; for all vertices or every second one, within one array or from one to another. Then it
may read its own place, behind nothing, a warp's synchronization or a barrier. As in `race_patterns`
what races follows from the definition.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from itertools import product

from race_patterns import BETWEEN, THREADS, Event, conflict

_KIND = {"shared": "memref<128xi32, #gpu.address_space<workgroup>>", "global": "memref<?xi32>"}
DEEDS = ("pull", "push", "push_atomic", "list", "list_atomic")
_COUNTER = 127


def neighbours(vertex: int) -> list[int]:
    return [(5 * vertex + 7 * j + 1) % THREADS for j in range(1 + vertex % 3)]


class GraphPattern:
    """`apart`: what is written is another array than what is read; `uses`: each thread reads its
    own place of what was written at the end."""

    def __init__(
        self, memory: str, deed: str, half: bool, apart: bool, between: str, uses: bool
    ) -> None:
        self.memory = memory
        self.deed = deed
        self.half = half
        self.apart = apart
        self.between = between
        self.uses = uses

    @property
    def name(self) -> str:
        parts = ("graph", self.memory, self.deed, "half" if self.half else "all")
        ends = ("apart" if self.apart else "same", self.between, "used" if self.uses else "unused")
        return "_".join((*parts, *ends))

    def _written(self, vertex: int) -> int:
        return vertex + 64 if self.apart else vertex

    def events(self) -> Iterator[tuple[int, Event]]:
        """Places, and who uses them how."""
        for t in range(THREADS):
            if not self.half or t % 2 == 0:
                yield from self._walk(t)
            if self.uses:
                yield self._written(t), (t, "read", 1)

    def _walk(self, t: int) -> Iterator[tuple[int, Event]]:
        if self.deed == "pull":
            yield from ((n, (t, "read", 0)) for n in neighbours(t))
            yield self._written(t), (t, "write", 0)
        elif self.deed.startswith("push"):
            how = "add" if self.deed == "push_atomic" else "write"
            yield from ((self._written(n), (t, how, 0)) for n in neighbours(t))
        elif self.deed == "list_atomic":
            yield _COUNTER, (t, "add", 0)
        else:
            yield _COUNTER, (t, "write", 0)

    def races(self) -> bool:
        """By definition."""
        by_place: dict[int, list[Event]] = {}
        for place, event in self.events():
            by_place.setdefault(place, []).append(event)
        return any(
            conflict(a, b, self.between)
            for found in by_place.values()
            for i, a in enumerate(found)
            for b in found[:i]
        )

    # -- the kernel

    def kernel(self) -> str:
        kind = _KIND[self.memory]
        parameter = f"%m: {kind}, " if self.memory == "global" else ""
        workgroup = f" workgroup(%m: {kind})" if self.memory == "shared" else ""
        seed = zlib.crc32(self.name.encode()) % 1000000 * 1024
        lines = [
            f"    gpu.func @{self.name}({parameter}%sum: memref<128xi32>){workgroup} kernel {{",
            *(f"      %c{n} = arith.constant {n} : index" for n in (0, 1, 2, 3, 5, 7, 64, 127)),
            "      %all = arith.constant 0xFFFFFFFF : i32",
            "      %zero = arith.constant 0 : i32",
            "      %one = arith.constant 1 : i32",
            f"      %seed = arith.constant {seed} : i32",
            "      %t = gpu.thread_id x",
            "      %t32 = arith.index_cast %t : index to i32",
            "      %far = arith.addi %t, %c64 : index",
            "      %v = arith.addi %t32, %seed : i32",
        ]
        if self.memory == "shared":
            for place in ("%t", "%far"):
                lines.append(f"      memref.store %zero, %m[{place}] : {kind}")
            lines.append("      gpu.barrier")
        lines += self._guarded(self._body(kind))
        if self.between == "warp":
            lines.append("      nvvm.bar.warp.sync %all : i32")
        if self.between == "barrier":
            lines.append("      gpu.barrier")
        if self.uses:
            place = "%far" if self.apart else "%t"
            lines += [
                f"      %own = memref.load %m[{place}] : {kind}",
                "      memref.store %own, %sum[%far] : memref<128xi32>",
            ]
        return "\n".join([*lines, "      gpu.return", "    }"])

    def _guarded(self, body: list[str]) -> list[str]:
        if not self.half:
            return body
        test = [
            "      %rest = arith.remui %t, %c2 : index",
            "      %even = arith.cmpi eq, %rest, %c0 : index",
            "      scf.if %even {",
        ]
        return [*test, *body, "      }"]

    def _body(self, kind: str) -> list[str]:
        if self.deed.startswith("list"):
            return self._list(kind)
        before = [
            "      %more = arith.remui %t, %c3 : index",
            "      %degree = arith.addi %more, %c1 : index",
        ]
        neighbour = [
            "        %a = arith.muli %t, %c5 : index",
            "        %b = arith.muli %j, %c7 : index",
            "        %ab = arith.addi %a, %b : index",
            "        %ab1 = arith.addi %ab, %c1 : index",
            "        %n = arith.remui %ab1, %c64 : index",
        ]
        if self.deed == "pull":
            place = "%far" if self.apart else "%t"
            return [
                *before,
                "      %got = scf.for %j = %c0 to %degree step %c1 iter_args(%x = %v) -> (i32) {",
                *neighbour,
                f"        %y = memref.load %m[%n] : {kind}",
                "        %z = arith.xori %x, %y : i32",
                "        scf.yield %z : i32",
                "      }",
                "      memref.store %got, %sum[%t] : memref<128xi32>",
                f"      memref.store %v, %m[{place}] : {kind}",
            ]
        place = "%n64" if self.apart else "%n"
        push = [
            "        %n64 = arith.addi %n, %c64 : index",
            "        %j32 = arith.index_cast %j : index to i32",
            "        %six = arith.constant 256 : i32",
            "        %w = arith.muli %j32, %six : i32",
            "        %x = arith.addi %w, %v : i32",
            f"        memref.store %x, %m[{place}] : {kind}"
            if self.deed == "push"
            else f"        %o = memref.atomic_rmw addi %x, %m[{place}] : (i32, {kind}) -> i32",
        ]
        return [
            *before,
            "      scf.for %j = %c0 to %degree step %c1 {",
            *neighbour,
            *push,
            "      }",
        ]

    def _list(self, kind: str) -> list[str]:
        """A node with a number writes there, into the other results."""
        if self.deed == "list_atomic":
            count = [
                f"      %end = memref.atomic_rmw addi %one, %m[%c127] : (i32, {kind}) -> i32",
            ]
        else:
            count = [
                f"      %end = memref.load %m[%c127] : {kind}",
                "      %next = arith.addi %end, %v : i32",
                f"      memref.store %next, %m[%c127] : {kind}",
            ]
        return [*count, "      memref.store %end, %sum[%t] : memref<128xi32>"]


def graph_patterns() -> Iterator[GraphPattern]:
    """All of them; a list's end is in one array only."""
    for memory, deed, half, apart in product(_KIND, DEEDS, (False, True), (False, True)):
        if deed.startswith("list") and apart:
            continue
        for between in BETWEEN:
            yield GraphPattern(memory, deed, half, apart, between, True)
        yield GraphPattern(memory, deed, half, apart, "nothing", False)

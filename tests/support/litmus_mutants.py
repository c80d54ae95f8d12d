# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Correct litmus tests, and mutants of them with one fence, barrier, order, scope, location or
branch changed.

A correct test has no race in any execution. Whether a mutant has one is for the memory model to
say: a change may also leave a test correct.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from tests.support.litmus import Litmus, read

#: What signals and what waits, by name: {s} is a scope, {f} the location.
_SIGNALS: dict[str, tuple[list[str], list[str]]] = {
    "release-acquire": (["st.release.{s} {f}, 1"], ["ld.acquire.{s} r0, {f}"]),
    "fences": (
        ["fence.acq_rel.{s}", "st.relaxed.{s} {f}, 1"],
        ["ld.relaxed.{s} r0, {f}", "fence.acq_rel.{s}"],
    ),
    "fences-sc": (
        ["fence.sc.{s}", "st.relaxed.{s} {f}, 1"], ["ld.relaxed.{s} r0, {f}", "fence.sc.{s}"],
    ),
    "atomics": (
        ["atom.release.{s}.add r9, {f}, 1"], ["atom.acquire.{s}.add r0, {f}, 0"],
    ),
    "fence-acquire": (
        ["fence.acq_rel.{s}", "red.relaxed.{s}.add {f}, 1"], ["ld.acquire.{s} r0, {f}"],
    ),
}  # fmt: skip
#: Threads and the scope that they need.
_PLACES = {
    "block": ((0, 0), (0, 0), "cta"),
    "blocks": ((0, 0), (1, 0), "gpu"),
    "gpus": ((0, 0), (1, 1), "sys"),
}
#: What the first and the second thread do with data.
_DATA = {
    "message": (["st.weak x, 1"], ["ld.weak r1, x"]),
    "overwritten": (["st.weak x, 1"], ["st.weak x, 2"]),
    "read-before": (["ld.weak r1, x"], ["st.weak x, 2"]),
    "two": (["st.weak x, 1", "st.weak z, 1"], ["ld.weak r1, x", "ld.weak r2, z"]),
}


@dataclass(frozen=True)
class Source:
    """A test as its threads' places and lines."""

    name: str
    places: tuple[tuple[int, int], ...]
    threads: tuple[tuple[str, ...], ...]

    def test(self) -> Litmus:
        """The litmus test."""
        heads = [f"P{i}@cta {cta},gpu {gpu}" for i, (cta, gpu) in enumerate(self.places)]
        height = max(map(len, self.threads))
        columns = [[*lines, *[""] * (height - len(lines))] for lines in self.threads]
        rows = [" | ".join(heads), *(" | ".join(row) for row in zip(*columns, strict=True))]
        text = " ;\n".join(rows)
        return read(f"PTX {self.name}\n{{ x=0; y=0; z=0; w=0; }}\n{text} ;\nexists (x == 0)\n")


def _branching(wait: list[str], body: list[str], label: str) -> list[str]:
    """What follows a wait, if it has seen the signal. A fence stands behind the branch."""
    return [wait[0], f"bne r0, 1, {label}", *wait[1:], *body, f"{label}:"]


def correct() -> list[Source]:
    """Sixty-eight tests without a race."""
    found = list[Source]()
    for signal, (sends, waits) in _SIGNALS.items():
        for place, (one, two, scope) in _PLACES.items():
            send = [line.format(s=scope, f="y") for line in sends]
            wait = [line.format(s=scope, f="y") for line in waits]
            for data, (first, second) in _DATA.items():
                threads = ((*first, *send), tuple(_branching(wait, second, "LC1")))
                found.append(Source(f"{data}-{signal}-{place}", (one, two), threads))
    for place, (one, two, scope) in _PLACES.items():
        lock = (
            f"atom.acquire.{scope}.cas r0, y, 0, 1", "bne r0, 0, LC1", "ld.weak r1, x",
            "add r1, r1, 1", "st.weak x, r1", f"st.release.{scope} y, 0", "LC1:",
        )  # fmt: skip
        found.append(Source(f"lock-{place}", (one, two), (lock, lock)))
        relay = _branching(
            [f"ld.acquire.{scope} r0, y"], [f"st.release.{scope} w, 1"], "LC1"
        )  # fmt: skip
        last = _branching([f"ld.acquire.{scope} r0, w"], ["ld.weak r1, x"], "LC2")
        threads = (("st.weak x, 1", f"st.release.{scope} y, 1"), tuple(relay), tuple(last))
        third = (2 * two[0], 2 * two[1])
        found.append(Source(f"chain-{place}", (one, two, third), threads))
    barrier = (("st.weak x, 1", "bar.cta.sync 0"), ("bar.cta.sync 0", "ld.weak r1, x"))
    found.append(Source("barrier", ((0, 0), (0, 0)), barrier))
    double = (
        ("st.weak x, 1", "bar.cta.sync 0", "ld.weak r1, z", "bar.cta.sync 0", "st.weak x, 2"),
        ("st.weak z, 1", "bar.cta.sync 0", "ld.weak r1, x", "bar.cta.sync 0", "st.weak z, 2"),
    )
    found.append(Source("barriers", ((0, 0), (0, 0)), double))
    return found


def _changes(line: str) -> Iterator[str | None]:
    """All that one change makes of a line; None where the line is left out."""
    if line.startswith(("fence", "bar.")):
        yield None
    for order, weaker in (
        ("acq_rel", None), ("release", "relaxed"), ("acquire", "relaxed"), ("relaxed", None),
    ):  # fmt: skip
        if f".{order}." in line and weaker:
            yield line.replace(f".{order}.", f".{weaker}.")
        elif f".{order}." in line and line.startswith(("st", "ld")):
            yield f"{line[:2]}.weak {line.split(maxsplit=1)[1]}"
    for scope, narrower in (("sys", "gpu"), ("gpu", "cta")):
        if f".{scope}" in line:
            yield line.replace(f".{scope}", f".{narrower}")
    for place, other in (("x", "z"), ("z", "x"), ("y", "w"), ("w", "y")):
        if not line.endswith(":") and f" {place}" in line:
            yield line.replace(f" {place}", f" {other}", 1)
    if line.startswith("bne"):
        yield None
        yield line.replace("bne", "beq")


def mutants(source: Source, count: int) -> list[Source]:
    """At most `count` mutants, chosen by the test's name."""
    found = list[Source]()
    for number, lines in enumerate(source.threads):
        for i, line in enumerate(lines):
            for j, changed in enumerate(_changes(line)):
                new = (*lines[:i], *([] if changed is None else [changed]), *lines[i + 1 :])
                threads = (*source.threads[:number], new, *source.threads[number + 1 :])
                found.append(Source(f"{source.name}-{number}{i}{j}", source.places, threads))
    chosen = random.Random(source.name).sample(found, min(count, len(found)))
    return sorted(chosen, key=lambda mutant: mutant.name)

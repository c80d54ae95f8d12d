# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutants of correct CUDA C++ kernels: what the model says of them, and what the sanitizer does.

`kernels` reads the correct ones, `mutants` changes one barrier, fence, wait, order, scope, bound,
index or initialization of a kernel at a time. `judged` executes a launch by `kernel_model`, in
several orders of threads, and `watched` on the host device under the sanitizer.
"""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

import xgpu
from tests.support import kernel_model

#: The kernels, each behind a line with its name, blocks, threads and elements.
SOURCES = Path(__file__).parents[2] / "benchmarks" / "suites" / "mutants"
#: Other orders of a launch under the sanitizer, and random ones of the model.
ORDERS = 4
_RANDOM = 12
_TEMPORARY = 64
_HEAD = re.compile(r"^// (\w+) (\d+) (\d+) (\d+)$", re.MULTILINE)
_SCOPED = r"\b(load|store|add)_(relaxed|acquire|release|acq_rel)\("


def _one_more(match: re.Match[str]) -> str:
    return f"{match[1]}{int(match[2]) + 1});"


#: What is changed, by what stands there and what takes its place.
MUTATIONS: dict[str, tuple[str, str | Callable[[re.Match[str]], str]]] = {
    "a barrier is missing": (r"\b(__syncthreads|__syncwarp|barrier_sync)\(.*?\);", ""),
    "an arrival is missing": (r"\bm?barrier_arrive\(.*?\);", ""),
    "a barrier is one line later": (r"(?m)^( *__sync\w+\(\);\n)( *[^{}\n_]*;\n)", r"\2\1"),
    "a barrier is one line earlier": (r"(?m)^( *[^{}\n_]*;\n)( *__sync\w+\(\);\n)", r"\2\1"),
    "a barrier of half as many": (r"(\bbarrier_\w+\(.*, )64\);", r"\g<1>32);"),
    "a fence is missing": (r"(__threadfence|fence_acq_rel)\(\);", ""),
    "a fence of a block": (r"(__threadfence|fence_acq_rel)\(\);", r"\1_block();"),
    "a wait is missing": (
        r"while \(.*\);|__pipeline_(wait_prior\(\d\)|commit\(\));|mbarrier_wait\(.*?\);", ""
    ),
    "a wait leaves one more open": (r"(__pipeline_wait_prior\()(\d)\);", _one_more),
    "a wait for another phase": (r"(mbarrier_wait\(&\w+, )(.*)\);", r"\g<1>1 - \2);"),
    "an mbarrier of half as many": (r"(mbarrier_init\(&\w+, )32\);", r"\g<1>16);"),
    "an order is weaker": (r"\b(load|store|add)_(acquire|release|acq_rel)", r"\1_relaxed"),
    "a scope is a block": (_SCOPED, r"\1_\2_block("),
    "an atomic operation of a block": (
        r"\batomic(Add|Exch|Max|CAS)\(&(out|tmp)", r"atomic\1_block(&\2",
    ),
    "an operation is not atomic": (r"\batomicAdd\(&([^;]+), ([^;,()]+)\);", r"\1 += \2;"),
    "an initialization is missing": (r".*// init", ""),
    "a bound is one too large": (r"(\bif \([\w +]+|; \w+) < (n|\d+)\b", r"\1 <= \2"),
    "an index is one too large": (r"\b(out|in|s)\[([it])\]", r"\1[\2 + 1]"),
    "a guard is too wide": (r"\b(t|threadIdx\.x) == 0\b", r"\1 <= 1"),
    "an array is too small": (r"(__shared__ int \w+)\[(\d+)\];", r"\1[\2 - 1];"),
}  # fmt: skip


@dataclass(frozen=True)
class Kernel:
    """A kernel and how it is launched. `changed` is what a mutant has changed, "" for none."""

    name: str
    prelude: str
    text: str
    blocks: int
    threads: int
    elements: int
    changed: str = ""

    def arrays(self) -> dict[str, list[int]]:
        """What it is launched on."""
        given = np.random.default_rng(1).integers(0, 100, self.elements)
        return {"in": given.tolist(), "out": [0] * self.elements, "tmp": [0] * _TEMPORARY}


def kernels(folder: Path = SOURCES) -> list[Kernel]:
    """The kernels of a folder."""
    found = list[Kernel]()
    for path in sorted(folder.glob("*.cu")):
        text = path.read_text()
        heads = list(_HEAD.finditer(text))
        prelude = text[: heads[0].start()]
        for head, end in zip(heads, [*(h.start() for h in heads[1:]), len(text)], strict=True):
            blocks, threads, elements = map(int, head.groups()[1:])
            code = text[head.end() : end]
            found.append(Kernel(head[1], prelude, code, blocks, threads, elements))
    return found


def mutants(kernel: Kernel) -> Iterator[Kernel]:
    """The mutants of a kernel."""
    for what, (pattern, other) in MUTATIONS.items():
        for found in re.finditer(pattern, kernel.text):
            before, behind = kernel.text[: found.start()], kernel.text[found.end() :]
            new = found.expand(other) if isinstance(other, str) else other(found)
            place = f"{before.count(chr(10))}.{len(before) - before.rfind(chr(10))}"
            name = f"{kernel.name}-{place}-{what.replace(' ', '-')}"
            yield replace(kernel, name=name, text=f"{before}{new}{behind}", changed=what)


@dataclass
class Verdict:
    """What became of a kernel: the kind of its first mistake, "" for none, and what it is, with the
    order of threads that shows it. `equal` says whether there is a race both of whose orders give
    the same values. `out` is the result of the natural order."""

    kind: str = ""
    text: str = ""
    equal: bool = False
    out: list[int] = field(default_factory=list)


def judged(kernel: Kernel) -> Verdict:
    """By the model, in the orders that it tries until one shows a mistake."""
    code = kernel_model.translate(kernel.text)
    verdict = Verdict()
    for order in kernel_model.orders(kernel.blocks, kernel.threads, _RANDOM):
        seen = kernel_model.run(code, kernel.blocks, kernel.threads, kernel.arrays(), order)
        verdict.out = verdict.out or [value or 0 for value in seen.values[1]]
        verdict.equal |= seen.equal > 0
        if seen.found is not None:
            verdict.kind, verdict.text = seen.found.kind, f"{seen.found}, {order.name}"
            break
    return verdict


def watched(kernel: Kernel) -> tuple[Verdict, dict[str, float]]:
    """By the sanitizer, in the natural order and `ORDERS` others, and the seconds that it took. A
    launch that the device ends with an error counts as a mistake."""
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kernel.cu"
        path.write_text(kernel.prelude + kernel.text)
        function = xgpu.load(str(path), "host").kernels["k"]
    middle = time.perf_counter()
    arrays = {name: np.array(values, np.int32) for name, values in kernel.arrays().items()}
    stopped = ""
    with xgpu.sanitized(schedules=ORDERS) as watch:
        try:
            function[kernel.blocks, kernel.threads](*arrays.values(), kernel.elements)
        except xgpu.DeviceError as error:
            stopped = str(error)
        findings = watch.findings()
    kind = findings[0].kind if findings else "stopped" if stopped else ""
    verdict = Verdict(kind, findings.text() + stopped, out=arrays["out"].tolist())
    return verdict, {"compile": middle - begin, "watched": time.perf_counter() - middle}

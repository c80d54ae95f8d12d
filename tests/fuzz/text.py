# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Looks for texts that xgpu does not take as it should.

    python -m tests.fuzz.text --seeds 0:10000
    python -m tests.fuzz.text --seeds 0:10000 --reference /usr/lib/llvm-22/bin/mlir-opt
    python -m tests.fuzz.text --seeds 4711 --show

Each seed is a text of the corpus, in one of both forms, changed; see `mutations`. `judge` says what
must hold. A finding is reported once for each kind, with its seed and the smallest text that does it. With
a reference, texts that one of both accepts and the other refuses are counted by what the other says.
Exit code 1 if anything was found.

Seeds run in processes of their own, some at a time: one that ends its process is a finding, too.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import re
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import Any

from tests.fuzz.corpus import corpus, generic, sound
from tests.fuzz.mutations import changed
from tests.support import processes

#: So many seeds one process runs.
BATCH = 100


@lru_cache(1)
def text_of(seed: int) -> str:
    """The text of a seed: one of the corpus, mostly a sound one, in one of both forms, changed."""
    rng = Random(seed)
    kind = rng.random()
    text = rng.choice(corpus() if kind < 0.15 else sound())
    return changed(rng, generic(text) if kind > 0.6 else text, corpus())


def run_seed(seed: int, *, passes: bool = True) -> dict[str, Any]:
    """What became of a seed's text, as it goes through a pipe."""
    from tests.fuzz.judge import judge

    verdict = judge(text_of(seed), seed, passes=passes)
    finding = verdict.finding
    if finding is not None and "InvalidAfterPass" in finding.signature:
        finding = None if _as_the_reference(seed, finding.detail) else finding
    return {
        "seed": seed,
        "accepted": verdict.accepted,
        "error": verdict.error,
        "signature": None if finding is None else finding.signature,
        "detail": None if finding is None else finding.detail,
    }


def _as_the_reference(seed: int, detail: str) -> bool:
    """Whether mlir-opt, where this machine has it, says of what its own pass leaves what we say."""
    from tests.fuzz.judge import PASSES
    from tests.fuzz.reference import error
    from tests.support.reference import llvm_tool

    tool = llvm_tool("mlir-opt")
    said = error(str(tool), text_of(seed), f"--{Random(seed).choice(PASSES)}") if tool else None
    return said is not None and said in detail


def results(seeds: Sequence[int], *, passes: bool) -> Iterator[dict[str, Any]]:
    """The results of seeds, run in a process of their own; a seed that ends it is reported, too."""
    todo = list(seeds)
    while todo:
        done = 0
        for result in _in_child(todo, passes):
            done += 1
            yield result
        if done < len(todo):
            yield {
                "seed": todo[done], "accepted": False, "error": "", "detail": "",
                "signature": "the process ended",
            }  # fmt: skip
            done += 1
        todo = todo[done:]


def _in_child(seeds: Sequence[int], passes: bool) -> Iterator[dict[str, Any]]:
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            processes.limit_child(seconds=3600)
            os.close(reader)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            with open(writer, "w") as file:
                for seed in seeds:
                    file.write(json.dumps(run_seed(seed, passes=passes)) + "\n")
                    file.flush()
        finally:
            os._exit(0)  # whatever it raised: who called the parent must not run in two processes
    os.close(writer)
    with open(reader) as file:
        for line in file:
            yield json.loads(line)
    os.waitpid(child, 0)


def reproduces(text: str, seed: int, signature: str, *, passes: bool) -> bool:
    """Whether a text is a finding of the same kind; in a process of its own, for it may end it."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            processes.limit_child()
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            from tests.fuzz.judge import judge

            finding = judge(text, seed, passes=passes).finding
            os.write(writer, (finding.signature if finding is not None else "").encode())
        finally:
            os._exit(0)
    os.close(writer)
    with open(reader, "rb") as file:
        found = file.read().decode()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) != signal.SIGKILL:
        found = "the process ended"
    return found == signature


def compare(tool: str, done: Sequence[dict[str, Any]]) -> Counter[tuple[str, str]]:
    """How often one accepts what the other refuses, by what the other says."""
    from tests.fuzz.reference import Crash, error, errors

    texts = [text_of(result["seed"]) for result in done]
    found: Counter[tuple[str, str]] = Counter()
    for result, text, said in zip(done, texts, errors(tool, texts), strict=True):
        if isinstance(said, Crash) or result["signature"] is not None:
            continue
        if any(name in text for name in _OURS):
            continue
        if result["accepted"] and said is not None:
            kind = ("accepted", _shape(said))
        elif not result["accepted"] and said is None and error(tool, text) is None:
            kind = ("refused", _shape(result["error"]))
        else:
            continue
        found[kind] += 1
        EXAMPLES.setdefault(kind, result["seed"])
    return found


#: A dialect and operations that the reference does not have.
_OURS = ("mgpu.", "transform.xgpu.")

#: A seed for each kind of difference.
EXAMPLES: dict[tuple[str, str], int] = {}


def _shape(message: str) -> str:
    """A message without what is the text's own, but with the operation that it is about."""
    about = re.match(r"'[a-z_]+\.[\w.]+' op ", message)
    rest = message[about.end() :] if about is not None else message
    return ((about[0] if about is not None else "") + re.sub(r"'[^']*'|-?[0-9]+", "_", rest))[:100]


def _seeds(text: str) -> range:
    first, _, last = text.partition(":")
    return range(int(first), int(last) if last else int(first) + 1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--seeds", type=_seeds, default=range(1000), help="FIRST:LAST or one")
    parser.add_argument("--reference", help="mlir-opt 22.1, to compare with")
    parser.add_argument("--no-passes", action="store_true", help="only read, verify and print")
    parser.add_argument("--show", action="store_true", help="print the texts of the seeds and end")
    parser.add_argument("--no-reduce", action="store_true", help="show findings as they are")
    parser.add_argument("--seconds", type=float, default=0, help="stop after so many")
    arguments = parser.parse_args()
    if arguments.show:
        for seed in arguments.seeds:
            sys.stdout.write(f"// seed {seed}\n{text_of(seed)}\n")
        return 0
    return _search(arguments)


def _search(arguments: argparse.Namespace) -> int:
    import xgpu.core.syntax.parser
    import xgpu.core.syntax.verify  # noqa: F401  once, for all children

    for text in sound():
        generic(text)
    gc.collect()
    gc.freeze()
    passes = not arguments.no_passes
    start = time.monotonic()
    found: dict[str, list[int]] = {}
    differences: Counter[tuple[str, str]] = Counter()
    counts = Counter[str]()
    for batch in _batches(arguments.seeds):
        done = list(results(batch, passes=passes))
        for result in done:
            counts["accepted" if result["accepted"] else "refused"] += 1
            if result["signature"] is not None:
                if result["signature"] not in found:
                    _tell(result, passes, not arguments.no_reduce)
                found.setdefault(result["signature"], []).append(result["seed"])
        if arguments.reference:
            differences += compare(arguments.reference, done)
        if arguments.seconds and time.monotonic() - start > arguments.seconds:
            break
    taken = time.monotonic() - start
    print(f"{counts.total()} texts, {counts['accepted']} accepted, in {taken:.0f} s")
    for signature, seeds in found.items():
        print(f"  {len(seeds)} times {signature}: seeds {seeds[:5]}")
    for kind, count in differences.most_common():
        print(f"  {count} {kind[0]}; the other: {kind[1]} (seed {EXAMPLES[kind]})")
    return bool(found)


def _batches(seeds: range) -> Iterator[range]:
    for at in range(0, len(seeds), BATCH):
        yield seeds[at : at + BATCH]


def _tell(result: dict[str, Any], passes: bool, reduce: bool) -> None:
    from tests.fuzz.reduce import reduced

    seed, signature = result["seed"], result["signature"]
    text = text_of(seed)
    if reduce:
        text = reduced(
            text, lambda smaller: reproduces(smaller, seed, signature, passes=passes), tries=400
        )
    print(f"== seed {seed}: {signature}\n{result['detail']}\n-- text\n{text}", flush=True)


if __name__ == "__main__":
    sys.exit(main())

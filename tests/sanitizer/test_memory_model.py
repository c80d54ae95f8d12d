# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sanitizer beside PTX's memory model, on litmus tests.

`tests.support.memory_model` decides by the axioms which outcomes are possible and which executions
have a race; `tests.support.litmus_runs` runs a test with its threads in all orders. The classic
shapes have known outcomes, which checks the model itself. Generated tests compare the two on
other combinations.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.support.litmus import Litmus, read
from tests.support.litmus_mutants import Source, correct, mutants
from tests.support.litmus_runs import Kernel, agreement
from tests.support.memory_model import executions

pytestmark = pytest.mark.sampled(2)

TWO_BLOCKS = "P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;"
ONE_BLOCK = "P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;"
TWO_GPUS = "P0@cta 0,gpu 0 | P1@cta 1,gpu 1 ;"


def litmus(threads: str, rows: list[str], condition: str) -> Litmus:
    """A test with x, y and z that are 0 at first."""
    body = "\n".join(f" {row} ;" for row in rows)
    return read(f"PTX test\n{{ x=0; y=0; z=0; }}\n {threads}\n{body}\n{condition}\n")


def passing(threads: str, write: str, see: str) -> Litmus:
    """A message: x, and then y by an operation that is left open, on both sides. The condition is
    that the message was seen and x was not."""
    rows = [f"st.weak x, 1 | {see}", f"{write} | ld.weak r1, x"]
    writes, reads = write.split("; "), see.split("; ")
    column = ["st.weak x, 1", *writes], [*reads, "ld.weak r1, x"]
    height = max(map(len, column))
    one, two = ([*c, *[""] * (height - len(c))] for c in column)
    rows = [f"{a} | {b}" for a, b in zip(one, two, strict=True)]
    return litmus(threads, rows, "exists (P1:r0 == 1 /\\ P1:r1 == 0)")


#: Messages: threads, the writer's operations, the reader's, whether the message can be lost.
MESSAGES = {
    "release-acquire": (TWO_BLOCKS, "st.release.gpu y, 1", "ld.acquire.gpu r0, y", False),
    "weak": (TWO_BLOCKS, "st.weak y, 1", "ld.weak r0, y", True),
    "relaxed": (TWO_BLOCKS, "st.relaxed.gpu y, 1", "ld.relaxed.gpu r0, y", True),
    "no-acquire": (TWO_BLOCKS, "st.release.gpu y, 1", "ld.relaxed.gpu r0, y", True),
    "no-release": (TWO_BLOCKS, "st.relaxed.gpu y, 1", "ld.acquire.gpu r0, y", True),
    "narrow-release": (TWO_BLOCKS, "st.release.cta y, 1", "ld.acquire.gpu r0, y", True),
    "narrow-acquire": (TWO_BLOCKS, "st.release.gpu y, 1", "ld.acquire.cta r0, y", True),
    "narrow-in-one-block": (ONE_BLOCK, "st.release.cta y, 1", "ld.acquire.cta r0, y", False),
    "narrow-on-two-gpus": (TWO_GPUS, "st.release.gpu y, 1", "ld.acquire.gpu r0, y", True),
    "system-on-two-gpus": (TWO_GPUS, "st.release.sys y, 1", "ld.acquire.sys r0, y", False),
    "fences": (
        TWO_BLOCKS, "fence.acq_rel.gpu; st.relaxed.gpu y, 1",
        "ld.relaxed.gpu r0, y; fence.acq_rel.gpu", False,
    ),
    "narrow-fence": (
        TWO_BLOCKS, "fence.acq_rel.cta; st.relaxed.gpu y, 1",
        "ld.relaxed.gpu r0, y; fence.acq_rel.gpu", True,
    ),
    "fences-and-weak": (
        TWO_BLOCKS, "fence.acq_rel.gpu; st.weak y, 1", "ld.weak r0, y; fence.acq_rel.gpu", True,
    ),
    "stored-again": (
        TWO_BLOCKS, "st.release.gpu y, 2; st.relaxed.gpu y, 1", "ld.acquire.gpu r0, y", False,
    ),
    "exchanged-again": (
        TWO_BLOCKS, "st.release.gpu y, 2; atom.relaxed.gpu.exch r2, y, 1",
        "ld.acquire.gpu r0, y", False,
    ),
    "read-again": (
        TWO_BLOCKS, "st.release.gpu y, 1", "ld.relaxed.gpu r0, y; ld.acquire.gpu r2, y", False,
    ),
    "added": (
        TWO_BLOCKS, "atom.release.gpu.add r2, y, 1", "atom.acquire.gpu.add r0, y, 0", False,
    ),
    "barrier": (ONE_BLOCK, "bar.cta.sync 0", "bar.cta.sync 0; ld r0, 1", False),
}  # fmt: skip

#: Other shapes, and whether their condition is possible.
SHAPES = {
    "store-buffering-relaxed": (
        litmus(
            TWO_BLOCKS,
            ["st.relaxed.gpu x, 1 | st.relaxed.gpu y, 1",
             "ld.relaxed.gpu r0, y | ld.relaxed.gpu r0, x"],
            "exists (P0:r0 == 0 /\\ P1:r0 == 0)",
        ), True,
    ),
    "store-buffering-sc": (
        litmus(
            TWO_BLOCKS,
            ["st.relaxed.gpu x, 1 | st.relaxed.gpu y, 1", "fence.sc.gpu | fence.sc.gpu",
             "ld.relaxed.gpu r0, y | ld.relaxed.gpu r0, x"],
            "exists (P0:r0 == 0 /\\ P1:r0 == 0)",
        ), False,
    ),
    "store-buffering-sc-of-blocks": (
        litmus(
            TWO_BLOCKS,
            ["st.relaxed.gpu x, 1 | st.relaxed.gpu y, 1", "fence.sc.cta | fence.sc.cta",
             "ld.relaxed.gpu r0, y | ld.relaxed.gpu r0, x"],
            "exists (P0:r0 == 0 /\\ P1:r0 == 0)",
        ), True,
    ),
    "load-buffering": (
        litmus(
            TWO_BLOCKS,
            ["ld.relaxed.gpu r0, y | ld.relaxed.gpu r0, x",
             "st.relaxed.gpu x, 1 | st.relaxed.gpu y, 1"],
            "exists (P0:r0 == 1 /\\ P1:r0 == 1)",
        ), True,
    ),
    "out-of-thin-air": (
        litmus(
            TWO_BLOCKS,
            ["ld.relaxed.gpu r0, y | ld.relaxed.gpu r0, x",
             "st.relaxed.gpu x, r0 | st.relaxed.gpu y, r0"],
            "exists (P0:r0 != 0)",
        ), False,
    ),
    "coherence-of-reads": (
        litmus(
            TWO_BLOCKS,
            ["st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, x", " | ld.relaxed.gpu r1, x"],
            "exists (P1:r0 == 1 /\\ P1:r1 == 0)",
        ), False,
    ),
    "coherence-of-weak-reads": (
        litmus(
            TWO_BLOCKS,
            ["st.relaxed.gpu x, 1 | ld.weak r0, x", " | ld.weak r1, x"],
            "exists (P1:r0 == 1 /\\ P1:r1 == 0)",
        ), True,
    ),
    "atomic-sum": (
        litmus(
            TWO_BLOCKS, ["red.relaxed.gpu.add x, 1 | red.relaxed.gpu.add x, 1"],
            "exists (x != 2)",
        ), False,
    ),
    "atomic-sum-of-blocks": (
        litmus(
            TWO_BLOCKS, ["red.relaxed.cta.add x, 1 | red.relaxed.cta.add x, 1"],
            "exists (x != 2)",
        ), True,
    ),
    "independent-reads": (
        litmus(
            "P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 | P3@cta 3,gpu 0 ;",
            ["st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, x | ld.relaxed.gpu r0, y | "
             "st.relaxed.gpu y, 1",
             " | fence.acq_rel.gpu | fence.acq_rel.gpu | ",
             " | ld.relaxed.gpu r1, y | ld.relaxed.gpu r1, x | "],
            "exists (P1:r0 == 1 /\\ P1:r1 == 0 /\\ P2:r0 == 1 /\\ P2:r1 == 0)",
        ), True,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MESSAGES)
def test_messages_by_the_model(name: str) -> None:
    threads, write, see, lost = MESSAGES[name]
    test = passing(threads, write, see)
    possible = list(executions(test))
    assert any(test.holds(execution.outcome) for execution in possible) == lost
    # A message that can be lost is a race where it arrives, and the reverse.
    arrived = [e for e in possible if e.outcome[1, "r0"] == 1 and e.outcome[1, "r1"] == 1]
    assert arrived
    assert any(execution.races for execution in arrived) == lost


@pytest.mark.parametrize("name", SHAPES)
def test_shapes_by_the_model(name: str) -> None:
    test, possible = SHAPES[name]
    assert any(test.holds(execution.outcome) for execution in executions(test)) == possible


def verdicts(test: Litmus) -> Counter[str]:
    """How often the sanitizer agrees with the model, over all orders of the threads."""
    kernel, possible = Kernel(test), list(executions(test))
    counts = Counter[str]()
    for order in kernel.orders():
        seen = kernel.observe(order)
        verdict = agreement(seen, possible)
        counts[verdict] += 1
        assert verdict in ("agrees", "ambiguous", "observed"), (
            f"{verdict} {order} {seen.outcome}\n{kernel.text}\n{seen.report}"
        )
    return counts


IN_EVERY_RUN = ("narrow-fence", "stored-again", "narrow-on-two-gpus")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in IN_EVERY_RUN else pytest.mark.long)
        for name in MESSAGES
    ],
)
def test_messages_under_the_sanitizer(name: str) -> None:
    assert verdicts(passing(*MESSAGES[name][:3]))["agrees"]


@pytest.mark.long
@pytest.mark.parametrize("name", SHAPES)
def test_shapes_under_the_sanitizer(name: str) -> None:
    assert verdicts(SHAPES[name][0])["agrees"]


STORED = ("st.relaxed.gpu x, 1 | st.relaxed.gpu x, 2", True)
ADDED = ("red.relaxed.gpu.add x, 1 | atom.relaxed.gpu.add r1, x, 1", False)


@pytest.mark.parametrize(("first", "race"), [STORED, ADDED])
def test_a_read_behind_ones_own_atomic_write(first: str, race: bool) -> None:
    """The store of another thread that an atomic store has replaced races with the read; what a
    read-modify-write has seen does not."""
    test = litmus(TWO_BLOCKS, [first, " | ld.weak r0, x"], "exists (P1:r0 == 2)")
    seen = Kernel(test).observe([[0], [1]])
    assert seen.outcome[1, "r0"] == 2
    assert seen.race == race
    assert agreement(seen, list(executions(test))) == "agrees"


def test_an_atomic_operation_is_ordered_behind_what_it_acquires() -> None:
    """Its write, too, is behind the plain one that the other thread has released."""
    rows = ["st.weak x, 2 | ", "st.release.gpu x, 1 | atom.acquire.gpu.exch r0, x, 3"]
    test = litmus(TWO_BLOCKS, rows, "exists (P1:r0 == 1)")
    seen = Kernel(test).observe([[0], [1]])
    assert seen.outcome[1, "r0"] == 1
    assert not seen.race, seen.report
    assert agreement(seen, list(executions(test))) == "agrees"


THREE_BLOCKS = "P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 ;"
FAILS = "atom.acq_rel.gpu.cas r0, y, 7, 1"

#: Threads one after the other, and whether that is a race.
IN_ORDER: dict[str, tuple[str, list[str], bool]] = {
    "reset-behind-read-modify-writes": (
        THREE_BLOCKS,
        ["atom.relaxed.gpu.add r0, x, 1 | red.relaxed.gpu.add x, 1 | atom.relaxed.gpu.add r0, x, 1",
         " | | st.weak x, 0"], False,
    ),
    "reset-behind-a-reduction": (
        TWO_BLOCKS, ["red.relaxed.gpu.add x, 1 | red.relaxed.gpu.add x, 1", " | st.weak x, 0"],
        True,
    ),
    "read-behind-a-reduction": (
        TWO_BLOCKS, ["red.relaxed.gpu.add x, 1 | red.relaxed.gpu.add x, 1", " | ld.weak r0, x"],
        True,
    ),
    "reset-behind-a-load-of-reductions": (
        THREE_BLOCKS,
        ["red.relaxed.gpu.add x, 1 | red.relaxed.gpu.add x, 1 | ld.relaxed.gpu r0, x",
         " | | st.weak x, 0"], False,
    ),
    "reset-behind-a-store-over-reductions": (
        THREE_BLOCKS,
        ["red.relaxed.gpu.add x, 1 | red.relaxed.gpu.add x, 1 | st.relaxed.gpu x, 5",
         " | | ld.relaxed.gpu r0, x", " | | st.weak x, 0"], True,
    ),
    "reset-behind-stores": (
        THREE_BLOCKS,
        ["st.relaxed.gpu x, 1 | st.relaxed.gpu x, 2 | atom.relaxed.gpu.add r0, x, 1",
         " | | st.weak x, 0"], True,
    ),
    "store-hidden-by-a-read-modify-write": (
        TWO_BLOCKS,
        ["st.weak x, 1 | ld.relaxed.gpu r0, x", "atom.relaxed.gpu.add r0, x, 1 | "], True,
    ),
    "store-behind-a-relaxed-load": (
        TWO_BLOCKS, ["st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, x", " | st.weak x, 2"], False,
    ),
    "store-behind-a-relaxed-load-of-another-value": (
        THREE_BLOCKS,
        ["st.relaxed.gpu x, 1 | st.relaxed.gpu x, 2 | ld.relaxed.gpu r0, x", " | | st.weak x, 3"],
        True,
    ),
    "same-value-behind-a-read": (
        TWO_BLOCKS, ["ld.weak r0, x | st.weak x, 2", "st.weak x, 2 | "], True,
    ),
    "same-value-behind-an-atomic-write": (
        TWO_BLOCKS, ["st.relaxed.gpu x, 2 | st.weak x, 2", "st.weak x, 2 | "], True,
    ),
    "another-value-behind-the-same-one": (
        TWO_BLOCKS, ["st.weak x, 1 | st.weak x, 1", " | st.weak x, 2"], True,
    ),
    "load-that-acquires-what-was-stored-before": (
        TWO_BLOCKS,
        ["st.weak x, 1 | ld.acquire.gpu r0, x", "atom.release.gpu.add r0, x, 1 | "], False,
    ),
    "read-beside-a-failing-comparison": (TWO_BLOCKS, [f"{FAILS} | ld.weak r1, y"], False),
    "write-beside-a-failing-comparison": (TWO_BLOCKS, [f"{FAILS} | st.weak y, 1"], True),
    "failing-comparison-releases-nothing": (
        TWO_BLOCKS, ["st.weak x, 1 | ld.acquire.gpu r1, y", f"{FAILS} | ld.weak r0, x"], True,
    ),
    "failing-comparison-acquires": (
        TWO_BLOCKS, [f"st.weak x, 1 | {FAILS}", "st.release.gpu y, 1 | ld.weak r1, x"], False,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", IN_ORDER)
def test_threads_one_after_the_other(name: str) -> None:
    threads, rows, race = IN_ORDER[name]
    test = litmus(threads, rows, "exists (x == 0)")
    seen = Kernel(test).observe([[number] for number in range(len(test.threads))])
    assert seen.race == race, seen.report
    assert agreement(seen, list(executions(test))) == "agrees"


def generated(seed: int) -> Litmus:
    """A random test of two or three threads and two locations."""
    numbers = random.Random(seed)
    count = numbers.choice((2, 2, 3))
    gpus = numbers.random() < 0.15
    heads, columns = list[str](), list[list[str]]()
    scopes = ("cta", "gpu", "gpu", "sys") if gpus else ("cta", "gpu", "gpu")
    blocks = numbers.choice((1, 2, 3))
    for number in range(count):
        cta = numbers.randrange(blocks)
        heads.append(f"P{number}@cta {cta},gpu {cta % 2 if gpus else 0}")
        columns.append([_operation(numbers, scopes, i) for i in range(numbers.choice((2, 3, 3)))])
    height = max(map(len, columns))
    for column in columns:
        column += [""] * (height - len(column))
    rows = [" | ".join(row) for row in zip(*columns, strict=True)]
    return litmus(f"{' | '.join(heads)} ;", rows, "exists (x == 0)")


def _operation(numbers: random.Random, scopes: tuple[str, ...], i: int) -> str:
    scope, place = numbers.choice(scopes), numbers.choice("xxyy")
    value = numbers.choice((1, 2))
    fence, write = numbers.choice(("acq_rel", "sc")), numbers.choice(("relaxed", "release"))
    read, both = numbers.choice(("relaxed", "acquire")), numbers.choice(("relaxed", "acq_rel"))
    return numbers.choices(
        (
            f"st.weak {place}, {value}", f"ld.weak r{i}, {place}",
            f"st.{write}.{scope} {place}, {value}", f"ld.{read}.{scope} r{i}, {place}",
            f"fence.{fence}.{scope}", f"atom.{both}.{scope}.add r{i}, {place}, 1",
            f"atom.{both}.{scope}.exch r{i}, {place}, {value}",
            f"atom.{both}.{scope}.cas r{i}, {place}, {3 - value}, {value}",
        ),
        (2, 2, 3, 3, 3, 1, 1, 1),
    )[0]  # fmt: skip


@pytest.mark.parametrize("seeds", [pytest.param(range(2))] + [
    pytest.param(range(first, first + 45), marks=pytest.mark.long) for first in (10, 55)
])  # fmt: skip
def test_generated_tests_under_the_sanitizer(seeds: range) -> None:
    counts = Counter[str]()
    for seed in seeds:
        counts += verdicts(generated(seed))
    assert counts["agrees"]


SOURCES = correct()

#: Mutants with a race that no order of whole threads shows.
NOT_REPORTED = {
    # A thread goes on without the lock: the other one would have to have it meanwhile.
    "lock-block-010", "lock-block-011", "lock-blocks-110",
    # Both threads store the same value.
    "barriers-040", "barriers-100", "barriers-140",
    # Reported as a barrier that a thread leaves out.
    "barrier-010",
}  # fmt: skip


def races(source: Source) -> tuple[bool, bool]:
    """Whether a test has a race by the model, and whether the sanitizer reports one in some order
    of its threads."""
    test = source.test()
    kernel = Kernel(test)
    reported = any(kernel.observe(order).race for order in kernel.orders())
    return any(execution.races for execution in executions(test)), reported


@pytest.mark.parametrize("source", SOURCES, ids=[source.name for source in SOURCES])
def test_correct_tests_have_no_race_by_the_model(source: Source) -> None:
    assert not any(execution.races for execution in executions(source.test()))


@pytest.mark.long
@pytest.mark.parametrize("source", SOURCES, ids=[source.name for source in SOURCES])
def test_mutants_that_have_a_race_are_reported_and_no_others(source: Source) -> None:
    assert races(source) == (False, False)
    for mutant in mutants(source, 5):
        racy, reported = races(mutant)
        assert reported == (racy and mutant.name not in NOT_REPORTED), mutant

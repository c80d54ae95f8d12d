# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The model of kernels beside the axioms, and the sanitizer beside that model on mutants.

The model follows one execution of a kernel (`tests.support.trace_model`), the axioms all executions
of a litmus test (`tests.support.memory_model`). On litmus tests the two are compared.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.support import litmus
from tests.support.kernel_mutants import Kernel, judged, kernels, mutants, watched
from tests.support.litmus import Litmus
from tests.support.litmus_mutants import correct
from tests.support.memory_model import Outcome, executions
from tests.support.trace_model import Knowledge, Memory, array

sys.path.insert(0, str(Path(__file__).parent))
from test_memory_model import generated

_SCOPES = {"cta": "cta", "gpu": "gpu", "sys": "gpu", None: ""}


class _Run:
    """A litmus test on one GPU, its threads' instructions in a random order."""

    def __init__(self, test: Litmus, seed: int) -> None:
        blocks = sorted({thread.cta for thread in test.threads})
        size = len(test.threads)
        self.test = test
        self.numbers = random.Random(seed)
        self.threads = [blocks.index(t.cta) * size + n for n, t in enumerate(test.threads)]
        self.memory = Memory(len(blocks), size, stops=False)
        self.cells = {name: array(name, [test.initial.get(name, 0)]) for name in test.locations()}
        self.registers = [
            {r: value for (n, r), value in test.registers.items() if n == i} for i in range(size)
        ]
        self.at = [0] * size
        self.waiting: dict[int, Knowledge] = {}

    def outcome(self) -> Outcome | None:
        """Final values; None if threads wait at a barrier for ever."""
        while live := [
            i for i, t in enumerate(self.test.threads)
            if self.at[i] < len(t.code) and i not in self.waiting
        ]:  # fmt: skip
            self.step(self.numbers.choice(live))
        found: Outcome = {(i, r): v for i, rs in enumerate(self.registers) for r, v in rs.items()}
        found |= {name: pointer.cells[0].value for name, pointer in self.cells.items()}
        return None if self.waiting else found

    def step(self, i: int) -> None:
        code = self.test.threads[i].code[self.at[i]]
        self.at[i] += 1
        name, operands = code.words[0], list(code.operands)
        thread, registers = self.threads[i], self.registers[i]

        def value(operand: str) -> int:
            return registers.get(operand, 0) if operand.startswith("r") else int(operand)

        if name in litmus._BRANCHES:
            if litmus._BRANCHES[name](value(operands[0]), value(operands[1])):
                lines = self.test.threads[i].code
                self.at[i] = next(
                    n for n, c in enumerate(lines)
                    if c.words[0] == "label" and c.operands[0] == operands[-1]
                )  # fmt: skip
        elif name == "fence":
            self.memory.fence(thread, _SCOPES[code.scope], code.order == "sc")
        elif name == "bar":
            self.waiting[i] = self.memory.arrive(thread)
            cta = self.test.threads[i].cta
            alike = [n for n, t in enumerate(self.test.threads) if t.cta == cta]
            if all(n in self.waiting for n in alike):
                known = [self.waiting.pop(n) for n in alike]
                self.memory.barrier(known, [self.threads[n] for n in alike])
        elif name == "add":
            registers[operands[0]] = value(operands[1]) + value(operands[2])
        elif name != "label":
            self.access(thread, code, operands, registers)

    def access(
        self, thread: int, code: litmus.Instruction, operands: list[str], registers: dict[str, int]
    ) -> None:
        name, scope = code.words[0], _SCOPES[code.scope]
        register = operands.pop(0) if name in ("ld", "atom") else ""
        pointer = self.cells[operands.pop(0)]
        given = [registers.get(o, 0) if o.startswith("r") else int(o) for o in operands]
        if name == "ld" and code.order == "weak":
            registers[register] = self.memory.load(thread, pointer)
        elif name == "ld":
            registers[register] = self.memory.strong(thread, pointer, code.order, scope)
        elif name == "st" and code.order == "weak":
            self.memory.store(thread, pointer, given[0])
        elif name == "st":
            self.memory.strong(thread, pointer, code.order, scope, value=given[0])
        else:
            change = {
                "cas": lambda old: given[1] if old == given[0] else None,
                "exch": lambda old: given[0], "add": lambda old: old + given[0],
            }[code.words[3]]  # fmt: skip
            old = self.memory.strong(
                thread, pointer, code.order, scope, change, used=name == "atom"
            )
            if register:
                registers[register] = old


def agreement(test: Litmus, seeds: range) -> Counter[str]:
    """How often the trace has a race where all executions with its outcome have one, and none where
    none has."""
    possible = list(executions(test))
    found = Counter[str]()
    for seed in seeds:
        run = _Run(test, seed)
        outcome = run.outcome()
        if outcome is None:
            continue
        alike = [
            e for e in possible if all(outcome.get(k, 0) == v for k, v in e.outcome.items())
        ]  # fmt: skip
        assert alike, (test, outcome)
        racy = {bool(e.races) for e in alike}
        if len(racy) > 1:
            found["ambiguous"] += 1
        else:
            assert racy == {run.memory.races + run.memory.equal > 0}, (test, outcome)
            found["agrees"] += 1
    return found


def _on_one_gpu(test: Litmus) -> bool:
    return not any(thread.gpu for thread in test.threads)


# In seed 985 a write that no thread observes comes before one that is observed.
@pytest.mark.parametrize("seeds", [range(4), range(985, 986)] + [
    pytest.param(range(first, first + 60), marks=pytest.mark.long) for first in (100, 460)
])  # fmt: skip
def test_a_trace_has_the_races_of_the_axioms(seeds: range) -> None:
    counts = Counter[str]()
    for seed in seeds:
        if _on_one_gpu(test := generated(seed)):
            counts += agreement(test, range(4))
    assert counts["agrees"]


@pytest.mark.long
def test_a_trace_of_messages_and_locks_has_the_races_of_the_axioms() -> None:
    from tests.support.litmus_mutants import mutants as changed

    counts = Counter[str]()
    for source in correct():
        for one in (source, *changed(source, 2)):
            if _on_one_gpu(test := one.test()):
                counts += agreement(test, range(4))
    assert counts["agrees"] > 500


KERNELS = {kernel.name: kernel for kernel in kernels()}
MUTANTS = {mutant.name: mutant for kernel in KERNELS.values() for mutant in mutants(kernel)}

#: Mutants, and the kind of mistake that the model finds in them.
KINDS = {
    "message_release-4.5-an-order-is-weaker": "race",
    "message_release-7.12-a-scope-is-a-block": "race",
    "message-4.5-a-fence-is-missing": "race",
    "relay-6.7-a-wait-is-missing": "race",
    "copied_for_itself-6.3-a-wait-leaves-one-more-open": "race",
    "mbarrier_once-5.15-an-mbarrier-of-half-as-many": "sync",
    "halves-5.3-a-barrier-of-half-as-many": "init",
    "scan_chained-11.7-a-wait-is-missing": "race",
    "gather-2.3-an-array-is-too-small": "memory",
    "message_in_a_block-4.1-an-initialization-is-missing": "init",
    "message-8.5-a-wait-is-missing": "race",
    "message_in_a_block-8.5-a-fence-of-a-block": "",
}


def test_there_are_enough_kernels_and_mutants() -> None:
    assert len(KERNELS) >= 60
    assert len(MUTANTS) >= 300


@pytest.mark.parametrize("name", KINDS)
def test_kinds_of_mistakes_by_the_model(name: str) -> None:
    assert judged(MUTANTS[name]).kind == KINDS[name]


@pytest.mark.parametrize("name", ["lock", "copied_in_turns", "producer_and_consumer", "relay"])
def test_correct_kernels_have_no_mistake_by_the_model(name: str) -> None:
    verdict = judged(KERNELS[name])
    assert (verdict.kind, verdict.equal) == ("", False), verdict.text


@pytest.mark.long
@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)
def test_correct_kernels_give_what_the_model_says(kernel: Kernel) -> None:
    model, (seen, _) = judged(kernel), watched(kernel)
    assert (model.kind, seen.kind) == ("", ""), model.text + seen.text
    assert model.out == seen.out


@pytest.mark.long
@pytest.mark.parametrize("name", list(MUTANTS)[::20])
def test_mutants_with_a_mistake_are_reported_and_no_others(name: str) -> None:
    model, (seen, _) = judged(MUTANTS[name]), watched(MUTANTS[name])
    if model.kind or not model.equal:
        assert bool(seen.kind) == bool(model.kind), f"{model.text} | {seen.text}"

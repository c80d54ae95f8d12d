# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Litmus tests as PTX kernels on the host device, under the sanitizer, beside the memory model.

`observe` launches a test with its threads in all orders: the host device runs threads and blocks
one after another in the order of their numbers, so each order shows one outcome. `compare` asks the
memory model whether that outcome is possible and whether its executions have a race.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product

import numpy as np

import xgpu
from tests.support.litmus import PROXIES, Instruction, Litmus
from tests.support.memory_model import Execution, Outcome

_STRIDE, _REGISTERS = 16, 16


class Inexpressible(Exception):
    """What a test uses and the host device or PTX does not have."""


@dataclass
class Observation:
    """One launch. `order` has the numbers of the test's threads by block, as they ran."""

    order: tuple[tuple[int, ...], ...]
    outcome: Outcome
    race: bool
    deadlock: bool
    report: str


class Kernel:
    """A test as a kernel. Where the test has several GPUs, clusters of blocks are in their place,
    and the scopes gpu and sys become cluster and gpu: the same relations between threads."""

    def __init__(self, test: Litmus) -> None:
        self.test = test
        self.locations = test.locations()
        gpus = sorted({thread.gpu for thread in test.threads})
        self.clustered = len(gpus) > 1
        barriers = any(c.words[0] == "bar" for thread in test.threads for c in thread.code)
        # Barriers count warps: each thread of the test is the first lane of one.
        self.lanes = 32 if barriers else 1
        self.scopes = {"cta": "cta", "gpu": "gpu", "sys": "sys"}
        if self.clustered:
            self.scopes = {"cta": "cta", "gpu": "cluster", "sys": "gpu"}
        self.blocks: list[list[list[int]]] = []
        for gpu in gpus:
            blocks = dict[int, list[int]]()
            for number, thread in enumerate(test.threads):
                if thread.gpu == gpu:
                    blocks.setdefault(thread.cta, []).append(number)
            self.blocks.append(list(blocks.values()))
        self.cluster = max(map(len, self.blocks))
        self.threads = max(len(block) for blocks in self.blocks for block in blocks)
        if barriers and any(len(b) != self.threads for blocks in self.blocks for b in blocks):
            raise Inexpressible("barriers in blocks of several sizes")
        self.names = [
            sorted({o for c in thread.code for o in c.operands if o[0] == "r" and o[1:].isdigit()})
            for thread in test.threads
        ]
        self.text = self._text()
        self.kernel = xgpu.load(self.text, "host").kernels["k"]

    # The text.

    def _text(self) -> str:
        declared = [f"%p{n}_{r}" for n, names in enumerate(self.names) for r in names]
        results = [f".reg .b32 {', '.join(declared)};", "ld.param.u64 %out, [out];"]
        if not declared:
            results = []
        lines = [
            ".version 8.6", ".target sm_90", ".address_size 64",
            ".visible .entry k(.param .u64 memory, .param .u64 roles, .param .u64 out)",
            f".reqnctapercluster {self.cluster}, 1, 1" if self.clustered else "",
            "{", ".reg .pred %lane, %is;", ".reg .b32 %role, %block, %tid, %value;",
            ".reg .b64 %memory, %roles, %out, %at;",
            *results,
            "ld.param.u64 %memory, [memory];", "ld.param.u64 %roles, [roles];",
            "mov.u32 %block, %ctaid.x;", "mov.u32 %tid, %tid.x;",
            f"rem.u32 %value, %tid, {self.lanes};", "setp.eq.u32 %lane, %value, 0;",
            f"div.u32 %tid, %tid, {self.lanes};",
            f"mad.lo.u32 %role, %block, {self.threads}, %tid;",
            "mul.wide.u32 %at, %role, 4;", "add.s64 %at, %roles, %at;",
            "ld.global.u32 %role, [%at];",
        ]  # fmt: skip
        for number in range(len(self.test.threads)):
            lines += [f"setp.eq.u32 %is, %role, {number};", f"@%is bra THREAD{number};"]
        lines.append("bra END;")
        for number, thread in enumerate(self.test.threads):
            lines.append(f"THREAD{number}:")
            for register in self.names[number]:
                value = self.test.registers.get((number, register), 0)
                lines.append(f"mov.u32 %p{number}_{register}, {value};")
            for instruction in thread.code:
                lines += self._instruction(number, instruction)
            for i, register in enumerate(self.names[number]):
                offset = 4 * (number * _REGISTERS + i)
                lines.append(f"@%lane st.global.u32 [%out+{offset}], %p{number}_{register};")
            lines.append("bra END;")
        return "\n".join([*filter(None, lines), "END:", "ret;", "}", ""])

    def _instruction(self, number: int, code: Instruction) -> list[str]:
        name, words = code.words[0], code.words
        operands = [
            f"%p{number}_{o}" if o in self.names[number] else o for o in code.operands
        ]  # fmt: skip
        if name == "label":
            return [f"L{number}_{operands[0]}:"]
        if name == "goto":
            return [f"bra L{number}_{operands[0]};"]
        if name[0] == "b" and len(operands) == 3 and name != "bar":
            if self.lanes > 1:
                raise Inexpressible("barriers and branches in one test")
            left = operands[0]
            if not left.startswith("%"):
                return [
                    f"mov.u32 %value, {left};",
                    f"setp.{name[1:]}.s32 %is, %value, {operands[1]};",
                    f"@%is bra L{number}_{operands[2]};",
                ]
            return [
                f"setp.{name[1:]}.s32 %is, {left}, {operands[1]};",
                f"@%is bra L{number}_{operands[2]};",
            ]
        if name in ("add", "sub", "mul"):
            kind = "mul.lo.s32" if name == "mul" else f"{name}.s32"
            return [
                f"mov.u32 %value, {operands[1]};",
                f"{kind} {operands[0]}, %value, {operands[2]};",
            ]
        if name == "fence":
            if words[1] == "proxy":
                raise Inexpressible(f"fence.proxy.{words[2]}")
            return [f"fence.{code.order}.{self.scopes[code.scope or 'sys']};"]
        if name == "bar":
            identifier = operands[1] if len(operands) > 1 else operands[0]
            count = int(operands[2]) if len(operands) > 2 else self.threads
            kind = "arrive" if "arrive" in words else "sync"
            return [f"barrier.cta.{kind} {identifier}, {count * self.lanes};"]
        return self._access(name, code, operands)

    def _access(self, name: str, code: Instruction, operands: list[str]) -> list[str]:
        """A load, a store, an atomic operation, or a register's new value."""
        if name == "ld" and "weak" not in code.words and code.order == "weak":
            return [f"mov.u32 {operands[0]}, {operands[1]};"]
        if PROXIES[name] != "generic":
            raise Inexpressible(f"the {PROXIES[name]} proxy")
        scope = f".{self.scopes[code.scope]}" if code.scope and code.order != "weak" else ""
        kind = f"{name}.{code.order}{scope}.global"
        register = [operands.pop(0)] if name in ("ld", "atom") else []
        place = operands.pop(0)
        if place in self.test.aliases:
            raise Inexpressible("two addresses of one location")
        address = f"[%memory+{_STRIDE * self.locations.index(place)}]"
        lane = "@%lane " if self.lanes > 1 else ""
        if name in ("ld", "st"):
            return [f"{lane}{kind}.u32 {', '.join([*register, address, *operands])};"]
        operation = code.words[3]
        if operation in ("mul", "div"):
            raise Inexpressible(f"atom.{operation}")
        before: list[str] = []
        if operation == "sub":
            operation = "add"
            before = [f"mov.u32 %value, {operands[0]};", "neg.s32 %value, %value;"]
            operands[0] = "%value"
        number = "u32" if operation == "add" else "b32"
        arguments = ", ".join([*register, address, *operands])
        return [*before, f"{lane}{kind}.{operation}.{number} {arguments};"]

    # Launches.

    def orders(self) -> Iterator[tuple[tuple[int, ...], ...]]:
        """The test's threads by block, in all orders of clusters, blocks and threads."""
        for clusters in permutations(self.blocks):
            ways = [
                [way for p in permutations(blocks) for way in product(*map(permutations, p))]
                for blocks in clusters
            ]
            for way in product(*ways):
                padded = [[*blocks, *[()] * (self.cluster - len(blocks))] for blocks in way]
                yield tuple(block for blocks in padded for block in blocks)

    def observe(self, order: Sequence[Sequence[int]]) -> Observation:
        """A launch under the sanitizer with the threads in this order."""
        words = _STRIDE // 4
        memory = np.zeros(words * max(len(self.locations), 1), np.int32)
        for i, name in enumerate(self.locations):
            memory[words * i] = self.test.initial.get(name, 0)
        roles = np.full(len(order) * self.threads, len(self.test.threads), np.int32)
        for block, numbers in enumerate(order):
            for thread, number in enumerate(numbers):
                roles[block * self.threads + thread] = number
        out = np.zeros(_REGISTERS * len(self.test.threads), np.int32)
        stopped = ""
        with xgpu.sanitized(("race", "sync")) as watched:
            try:
                self.kernel[len(order), self.threads * self.lanes](memory, roles, out)
            except xgpu.DeviceError as error:
                stopped = str(error)
        findings = watched.findings()
        outcome: Outcome = {
            (n, register): int(out[n * _REGISTERS + i])
            for n, names in enumerate(self.names)
            for i, register in enumerate(names)
        }
        for i, name in enumerate(self.locations):
            outcome[name] = int(memory[words * i])
        kinds = {finding.kind for finding in findings}
        deadlock = bool(stopped) or "sync" in kinds
        return Observation(
            tuple(map(tuple, order)), outcome, "race" in kinds, deadlock, findings.text() + stopped
        )


def agreement(observed: Observation, possible: Sequence[Execution]) -> str:
    """How the sanitizer's verdict relates to the model's, of the executions with an outcome:
    "agrees"; "ambiguous" where some have a race and others not; "observed" where it reports
    accesses that observation order alone makes no race; "missed", "false alarm", "impossible
    outcome"; "deadlock" where the model has none."""
    if observed.deadlock:
        return "agrees" if any(e.stuck for e in possible) else "deadlock"
    alike = [e for e in possible if _alike(e.outcome, observed.outcome)]
    if not alike:
        return "impossible outcome"
    race = has_race(observed, possible)
    if race is None:
        return "ambiguous"
    if observed.race == race:
        return "agrees"
    if not race and any(e.unsynchronized for e in alike):
        return "observed"
    return "missed" if race else "false alarm"


def has_race(observed: Observation, possible: Sequence[Execution]) -> bool | None:
    """Whether the executions with an outcome have a race; None where some have and others not."""
    racy = {bool(e.races) for e in possible if _alike(e.outcome, observed.outcome)}
    return racy.pop() if len(racy) == 1 else None


def _alike(possible: Outcome, seen: Outcome) -> bool:
    return all(seen.get(name, value) == value for name, value in possible.items())

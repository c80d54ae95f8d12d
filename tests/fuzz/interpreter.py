# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs functions and kernels in plain Python: what a program means, without any pass.

A thread is a generator that stops where threads meet: at a barrier, or in an operation of its warp.
`run_function` runs one thread, `run_kernel` a grid of them, block by block.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Generator, Sequence
from contextlib import suppress
from typing import Any

from tests.fuzz.numbers import UNSURE, Undefined, Unsure, signed
from tests.fuzz.operations import PURE, width_of

#: More operations than this is a loop that does not end.
MOST = 3_000_000

#: What a thread waits for: the name of the operation, the operation, what it gives.
Meeting = tuple[str, Any, Sequence[Any]]
Thread = Generator[Meeting, Any, list[Any]]


class Buffer:
    """A memref: its elements in a list, and its shape."""

    def __init__(self, data: list[Any], shape: Sequence[int]) -> None:
        self.data = data
        self.shape = tuple(shape)

    def place(self, indices: Sequence[Any]) -> int:
        at = 0
        for index, size in zip(indices, self.shape, strict=True):
            if isinstance(index, Unsure):
                raise Undefined("an index is poison")
            if not 0 <= index < size:
                raise Undefined(f"index {index} of {size}")
            at = at * size + index
        return at


class Unknown(Exception):
    """An operation that the model does not know."""


class Machine:
    """What threads of a kernel share: `ids` says who runs."""

    def __init__(self) -> None:
        self.steps = 0

    # -- regions ----------------------------------------------------------------------------------
    def region(self, region: Any, arguments: Sequence[Any], env: dict[Any, Any]) -> Thread:
        """The operands of the terminator that leaves a region."""
        block = region.blocks[0]
        while True:
            for argument, value in zip(block.args, arguments, strict=True):
                env[argument] = value
            last = yield from self.block(block, env)
            name, values = last.name, [env[v] for v in last.operands]
            if name in ("cf.br", "cf.cond_br", "cf.switch"):
                block, arguments = self.jump(last, values)
                continue
            return values

    def jump(self, op: Any, values: Sequence[Any]) -> tuple[Any, Sequence[Any]]:
        if op.name == "cf.br":
            return op.successors[0], values
        if isinstance(values[0], Unsure):
            raise Undefined("a branch on poison")
        sizes = list(op.properties["operandSegmentSizes"].get_values())
        if op.name == "cf.cond_br":
            first = 1 + sizes[1]
            if values[0]:
                return op.successors[0], values[1:first]
            return op.successors[1], values[first:]
        ranges = [sizes[1], *op.properties["case_operand_segments"].get_values()]
        chosen, width = 0, width_of(op.operands[0].type)
        cases = op.properties.get("case_values")
        if cases is not None:
            from xgpu.core.ir.elements import values_of

            wanted = [int(v) & ((1 << width) - 1) for v in values_of(cases)]
            if values[0] in wanted:
                chosen = 1 + wanted.index(values[0])
        start = 1 + sum(ranges[:chosen])
        return op.successors[chosen], values[start : start + ranges[chosen]]

    def block(self, block: Any, env: dict[Any, Any]) -> Generator[Meeting, Any, Any]:
        """Runs a block; its terminator, which is not run."""
        for op in block.ops:
            name = op.name
            self.steps += 1
            if self.steps > MOST:
                raise Undefined("does not end")
            pure = PURE.get(name)
            if pure is not None:
                found = pure(op, [env[v] for v in op.operands])
                for result, value in zip(op.results, found, strict=True):
                    env[result] = value
                continue
            handler = _HANDLERS.get(name)
            if handler is None:
                if op.next_op is None:
                    return op
                raise Unknown(name)
            found = handler(self, op, [env[v] for v in op.operands], env)
            if isinstance(found, Generator):
                found = yield from found
            for result, value in zip(op.results, found, strict=True):
                env[result] = value
        raise Unknown("a block without a terminator")


# -- memory ---------------------------------------------------------------------------------------
def _alloca(machine: Machine, op: Any, values: Sequence[Any], env: Any) -> list[Any]:
    shape = op.results[0].type.get_shape()
    count = 1
    for size in shape:
        count *= size
    return [Buffer([UNSURE] * count, shape)]


def _load(machine: Machine, op: Any, values: Sequence[Any], env: Any) -> list[Any]:
    return [values[0].data[values[0].place(values[1:])]]


def _store(machine: Machine, op: Any, values: Sequence[Any], env: Any) -> list[Any]:
    values[1].data[values[1].place(values[2:])] = values[0]
    return []


def _dim(machine: Machine, op: Any, values: Sequence[Any], env: Any) -> list[Any]:
    return [values[0].shape[values[1]]]


_KINDS = (
    "addf", "addi", "andi", "assign", "maximumf", "maxnumf", "maxs", "maxu", "minimumf", "minnumf",
    "mins", "minu", "mulf", "muli", "ori", "xori",
)  # fmt: skip


def _atomic(machine: Machine, op: Any, values: Sequence[Any], env: Any) -> list[Any]:
    kind = _KINDS[op.properties["kind"].value.data]
    given, buffer = values[0], values[1]
    place = buffer.place(values[2:])
    old = buffer.data[place]
    if isinstance(old, Unsure) or isinstance(given, Unsure):
        buffer.data[place] = UNSURE
        return [old]
    width = width_of(op.operands[0].type)
    a, b = signed(old, width), signed(given, width)
    buffer.data[place] = {
        "addi": lambda: old + given, "muli": lambda: old * given, "ori": lambda: old | given,
        "andi": lambda: old & given, "xori": lambda: old ^ given, "maxs": lambda: max(a, b),
        "mins": lambda: min(a, b), "maxu": lambda: max(old, given), "minu": lambda: min(old, given),
        "assign": lambda: given,
    }[kind]() & ((1 << width) - 1)  # fmt: skip
    return [old]


# -- control --------------------------------------------------------------------------------------
def _if(machine: Machine, op: Any, values: Sequence[Any], env: Any) -> Thread | list[Any]:
    if isinstance(values[0], Unsure):
        raise Undefined("a branch on poison")
    region = op.regions[0 if values[0] else 1]
    return machine.region(region, [], env) if region.blocks else []


def _execute(machine: Machine, op: Any, values: Sequence[Any], env: Any) -> Thread:
    return machine.region(op.regions[0], [], env)


def _index_switch(machine: Machine, op: Any, values: Sequence[Any], env: Any) -> Thread:
    if isinstance(values[0], Unsure):
        raise Undefined("a branch on poison")
    cases = [int(v) & ((1 << 64) - 1) for v in op.properties["cases"].get_values()]
    chosen = 1 + cases.index(values[0]) if values[0] in cases else 0
    return machine.region(op.regions[chosen], [], env)


def _for(machine: Machine, op: Any, values: Sequence[Any], env: Any) -> Thread:
    low, high, step, *state = values
    if any(isinstance(v, Unsure) for v in (low, high, step)):
        raise Undefined("bounds are poison")
    width = width_of(op.operands[0].type)
    unsigned = op.properties.get("unsignedCmp") is not None
    at = low if unsigned else signed(low, width)
    end = high if unsigned else signed(high, width)
    step = step if unsigned else signed(step, width)
    if step <= 0:
        raise Undefined("the step is not positive")
    while at < end:
        state = yield from machine.region(op.regions[0], [at & ((1 << width) - 1), *state], env)
        at += step
    return list(state)


def _while(machine: Machine, op: Any, values: Sequence[Any], env: Any) -> Thread:
    state = list(values)
    while True:
        condition, *passed = yield from machine.region(op.regions[0], state, env)
        if isinstance(condition, Unsure):
            raise Undefined("a branch on poison")
        if not condition:
            return passed
        state = yield from machine.region(op.regions[1], passed, env)


# -- kernels --------------------------------------------------------------------------------------
def _id(machine: Any, op: Any, values: Sequence[Any], env: Any) -> list[Any]:
    axis = "xyz".index(str(op.properties["dimension"].data))
    return [env[op.name][axis]]


def _meet(machine: Any, op: Any, values: Sequence[Any], env: Any) -> Thread:
    found = yield (op.name, op, values)
    return found


_HANDLERS: dict[str, Any] = {
    "memref.alloca": _alloca, "memref.alloc": _alloca, "memref.load": _load,
    "memref.dealloc": lambda m, op, values, env: [],
    "memref.store": _store, "memref.dim": _dim, "memref.atomic_rmw": _atomic,
    "scf.if": _if, "scf.for": _for, "scf.while": _while, "scf.execute_region": _execute,
    "scf.index_switch": _index_switch,
    "gpu.thread_id": _id, "gpu.block_id": _id, "gpu.block_dim": _id, "gpu.grid_dim": _id,
    "gpu.all_reduce": _meet, "gpu.barrier": _meet, "gpu.shuffle": _meet, "nvvm.redux.sync": _meet, "nvvm.vote.sync": _meet,
}  # fmt: skip


def find_kernel(module: Any) -> Any:
    return next(op for op in module.walk() if op.name == "gpu.func")


def run_function(function: Any, arguments: Sequence[Any]) -> None:
    """Runs a kernel as one thread."""
    env: dict[Any, Any] = {
        **dict.fromkeys(("gpu.thread_id", "gpu.block_id"), (0, 0, 0)),
        **dict.fromkeys(("gpu.block_dim", "gpu.grid_dim"), (1, 1, 1)),
    }
    for meeting in Machine().region(function.regions[0], arguments, env):
        raise Unknown(meeting[0])


def run_kernel(
    function: Any, grid: Sequence[int], block: Sequence[int], arguments: Sequence[Any],
    workgroup: Sequence[tuple[int, ...]] = (),
) -> None:  # fmt: skip
    """Runs a kernel for each thread of a grid; `workgroup` has the shapes of its own memory."""
    machine = Machine()
    for z in range(grid[2]):
        for y in range(grid[1]):
            for x in range(grid[0]):
                _run_block(machine, function, (x, y, z), grid, block, arguments, workgroup)


def _run_block(
    machine: Machine, function: Any, place: Sequence[int], grid: Sequence[int],
    block: Sequence[int], arguments: Sequence[Any], workgroup: Sequence[tuple[int, ...]],
) -> None:  # fmt: skip
    shared = [Buffer([UNSURE] * _count(shape), shape) for shape in workgroup]
    threads: list[Any] = []
    for z in range(block[2]):
        for y in range(block[1]):
            for x in range(block[0]):
                env = {
                    "gpu.thread_id": (x, y, z), "gpu.block_id": tuple(place),
                    "gpu.block_dim": tuple(block), "gpu.grid_dim": tuple(grid),
                }  # fmt: skip
                given = [*arguments, *shared]
                threads.append(machine.region(function.regions[0], given, env))
    answers: list[Any] = [None] * len(threads)
    alive = list(range(len(threads)))
    while alive:
        meetings: dict[int, Meeting] = {}
        for n in alive:
            with suppress(StopIteration):
                meetings[n] = threads[n].send(answers[n])
        alive = list(meetings)
        if any(name == "gpu.all_reduce" for name, _, _ in meetings.values()):
            _reduce(meetings, len(threads), answers)
            continue
        for warp in {n // 32 for n in alive}:
            _answer({n: meetings[n] for n in alive if n // 32 == warp}, answers)


def _count(shape: Sequence[int]) -> int:
    found = 1
    for size in shape:
        found *= size
    return found


def _answer(meetings: dict[int, Meeting], answers: list[Any]) -> None:
    """What the lanes of a warp get; all stand at the same operation."""
    names = {id(op) for _, op, _ in meetings.values()}
    if len(names) != 1:
        raise Undefined("threads wait at different places")
    name, op, _ = next(iter(meetings.values()))
    if name == "gpu.barrier":
        for n in meetings:
            answers[n] = []
        return
    values = {n % 32: given for n, (_, _, given) in meetings.items()}
    for n in meetings:
        answers[n] = _LANES[name](op, n % 32, values)


def _reduce(meetings: dict[int, Meeting], threads: int, answers: list[Any]) -> None:
    """A reduction over the block, of integers."""
    if len({id(op) for _, op, _ in meetings.values()}) != 1 or len(meetings) != threads:
        raise Undefined("threads wait at different places")
    op = next(iter(meetings.values()))[1]
    given = [values[0] for _, _, values in meetings.values()]
    found: Any = UNSURE
    if not any(isinstance(v, Unsure) for v in given):
        word, width = str(op.properties["op"].data), width_of(op.operands[0].type)
        numbers = [signed(v, width) for v in given] if word.endswith("si") else given
        found = functools.reduce(_REDUCED[word], numbers) & ((1 << width) - 1)
    for n in meetings:
        answers[n] = [found]


_REDUCED: dict[str, Any] = {
    "add": operator.add, "and": operator.and_, "or": operator.or_, "xor": operator.xor,
    "minsi": min, "maxsi": max, "minui": min, "maxui": max,
}  # fmt: skip


def _shuffle(op: Any, lane: int, values: dict[int, Sequence[Any]]) -> list[Any]:
    value, distance, width = values[lane]
    if isinstance(distance, Unsure) or isinstance(width, Unsure):
        raise Undefined("a shuffle by poison")
    mode = str(op.properties["mode"].data)
    source = {
        "xor": lane ^ distance, "up": lane - distance, "down": lane + distance, "idx": distance,
    }[mode]  # fmt: skip
    valid = 0 <= source < width
    return [values[source][0] if valid and source in values else value, int(valid)]


def _redux(op: Any, lane: int, values: dict[int, Sequence[Any]]) -> list[Any]:
    given = [v[0] for v in values.values()]
    if any(isinstance(v, Unsure) for v in given):
        return [UNSURE]
    word = str(op.properties["kind"].data)
    numbers = [signed(v, 32) for v in given]
    if word == "add":
        found = sum(given)
    elif word in ("and", "or", "xor"):
        found = given[0]
        for v in given[1:]:
            found = {"and": found & v, "or": found | v, "xor": found ^ v}[word]
    else:
        chosen = given if word[0] == "u" else numbers
        found = (min if "min" in word else max)(chosen)
    return [found & 0xFFFFFFFF]


def _vote(op: Any, lane: int, values: dict[int, Sequence[Any]]) -> list[Any]:
    given = {n: v[1] for n, v in values.items()}
    if any(isinstance(v, Unsure) for v in given.values()):
        return [UNSURE]
    word = str(op.properties["kind"].data)
    if word == "ballot":
        return [sum(1 << n for n, v in given.items() if v)]
    if word == "uni":
        return [int(len(set(given.values())) == 1)]
    return [int({"any": any, "all": all}[word](given.values()))]


_LANES = {"gpu.shuffle": _shuffle, "nvvm.redux.sync": _redux, "nvvm.vote.sync": _vote}

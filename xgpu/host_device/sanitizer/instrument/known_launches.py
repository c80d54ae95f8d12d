# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches of a kernel of which no access needs to be watched, as far as that is known before they
run (`whole_launch`): where threads meet, and what a summary of a launch says.

Two threads do not meet in bytes that are written if the addresses of all accesses there are one
form of the numbers of blocks and threads, each step of which is beyond what all smaller ones
reach together:

    a + 4 * tid.x + 1024 * ctaid.x              256 threads, words
    a + 4 * (tid.x % 16) + 256 * (tid.x / 16)   16 of each, and rows of 64
"""

from __future__ import annotations

import ctypes
import threading
from typing import TYPE_CHECKING, NamedTuple

from xgpu.host_device.device.sanitizer_interface import KnownLaunch

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from xgpu.host_device.abi.record_classes import Launch
    from xgpu.host_device.device.sanitizer_interface import Tables, Words
    from xgpu.host_device.sanitizer.instrument.whole_launch import (
        Condition,
        Dims,
        Form,
        Outline,
        Reach,
    )

#: Sizes and arguments of launches that are remembered; how many launches in a row may be new until
#: none is looked at any more.
_MOST_SHAPES, _MOST_NEW = 64, 64
#: Loops of an access, and iterations of these, that a summary may have.
_MOST_LOOPS, _MOST_TURNS = 4, 1 << 20
_MOST = (1 << 62) - 1  # of what native code computes of a form in 64 bits


class _Shape(NamedTuple):
    """Launches of one size with the same integer arguments: what they reach, for each access its
    words and where in them is its pointer, and the tables that these point to."""

    reaches: list[Reach]
    words: list[list[int]]
    tables: Tables
    #: By the pointers that launches have.
    launches: dict[tuple[int, ...], KnownLaunch | None]


class KnownLaunches:
    """Those of a kernel, with blocks of one size; where `races` are looked for, no threads meet."""

    def __init__(self, outline: Outline, pointers: Sequence[int], *, races: bool) -> None:
        #: Blocks that are screened, as they show what all do in memory of their own.
        self.skipped = int(outline.has_own)
        self._outline = outline
        self._pointers = pointers
        self._races = races
        self._shapes: dict[object, _Shape | None] = {}
        self._new = 0
        self._lock = threading.Lock()

    def find(self, record: Launch) -> KnownLaunch | None:
        """What is known of a launch; None if that is not enough. Threads of several streams may
        call it at a time."""
        with self._lock:
            return self._find(record)

    def _find(self, record: Launch) -> KnownLaunch | None:
        given = (ctypes.c_uint64 * (max(self._pointers, default=0) + 1)).from_address
        integers = {at: _integer(record, at, bits) for at, bits in self._outline.integers.items()}
        grid = (record.grid_x, record.grid_y, record.grid_z)
        block = (record.block_x, record.block_y, record.block_z)
        key = grid, block, tuple(integers.values())
        if key not in self._shapes:
            if self._new >= _MOST_NEW:
                return None
            self._new += 1
            if len(self._shapes) >= _MOST_SHAPES:
                self._shapes.clear()
            self._shapes[key] = self._shape(grid, block, integers)
        else:
            self._new = 0
        shape = self._shapes[key]
        if shape is None:
            return None
        addresses = given(record.params)
        pointers = tuple(
            ctypes.c_uint64.from_address(addresses[at]).value if at in self._pointers else 0
            for at in dict.fromkeys(reach.argument for reach in shape.reaches)
        )
        if pointers not in shape.launches:
            if len(shape.launches) >= _MOST_SHAPES:
                shape.launches.clear()
            shape.launches[pointers] = self._launch(shape, pointers, grid, block)
        return shape.launches[pointers]

    def _shape(self, grid: Dims, block: Dims, integers: dict[int, int]) -> _Shape | None:
        reaches = self._outline.of_launch(grid, block, integers)
        if reaches is None or any(r.argument not in self._pointers for r in reaches):
            return None
        shape = _Shape(reaches, [], {}, {})
        if self._races:
            for reach in reaches:
                words = _words(reach, grid, block, shape.tables)
                if words is None:
                    return None
                shape.words.append(words)
        return shape

    def _launch(
        self, shape: _Shape, pointers: tuple[int, ...], grid: Dims, block: Dims
    ) -> KnownLaunch | None:
        at = dict(zip(dict.fromkeys(r.argument for r in shape.reaches), pointers, strict=True))
        ranges: dict[int, list[int]] = {}
        for reach in shape.reaches:
            pointer = at[reach.argument]
            if (pointer | reach.unit) & (reach.alignment - 1):
                return None
            known = ranges.setdefault(reach.argument, [1 << 62, 0, pointer, 0])
            known[0] = min(known[0], pointer + reach.low)
            known[1] = max(known[1], pointer + reach.high)
            known[3] |= int(reach.writes)
        if self._races and not _are_apart(shape.reaches, at, grid, block):
            return None
        accesses: list[int] = []
        for reach, words in zip(shape.reaches, shape.words, strict=False):
            pointer = at[reach.argument]
            begin, end = pointer + reach.low, pointer + reach.high
            accesses += [*words[:1], words[1] + pointer, *words[2:8], begin, end, *words[8:]]
        given = [word for known in ranges.values() for word in known]
        return KnownLaunch(
            (ctypes.c_int64 * len(given))(*given), (ctypes.c_int64 * len(accesses))(*accesses),
            len(shape.words), shape.tables,
        )  # fmt: skip


def _integer(record: Launch, at: int, bits: int) -> int:
    """An integer argument of a launch, as a signed number."""
    address = ctypes.c_uint64.from_address(record.params + 8 * at).value
    size = max(bits, 8) // 8
    return int.from_bytes(ctypes.string_at(address, size), "little", signed=True)


# -- threads that meet


def _are_apart(reaches: Sequence[Reach], pointers: dict[int, int], grid: Dims, block: Dims) -> bool:
    """Whether no two threads use bytes that one of them writes."""
    ordered = sorted(reaches, key=lambda r: pointers[r.argument] + r.low)
    group: list[Reach] = []
    end = 0
    for reach in ordered:
        begin = pointers[reach.argument] + reach.low
        if group and begin >= end:
            if not _is_apart(group, pointers, grid, block):
                return False
            group = []
        group.append(reach)
        end = max(end, pointers[reach.argument] + reach.high)
    return not group or _is_apart(group, pointers, grid, block)


def _is_apart(group: Sequence[Reach], pointers: dict[int, int], grid: Dims, block: Dims) -> bool:
    """Likewise of accesses that may use the same bytes."""
    if not any(reach.writes for reach in group):
        return True
    least = most = None
    steps: dict[Hashable, int] = {}
    loops: dict[int, int] = {}
    ranges: dict[Hashable, tuple[int, int]] = {}
    for reach in group:
        if reach.form is None:
            return False
        own, counted = _steps_of(reach)
        if counted is None or (own != steps and least is not None):
            return False
        steps = own
        first = pointers[reach.argument] + reach.form.get(None, 0)
        least = first if least is None else min(least, first)
        most = first + reach.size if most is None else max(most, first + reach.size)
        for step, count in counted.items():
            loops[step] = max(loops.get(step, 1), count)
        for kind, sizes in (("ctaid", grid), ("tid", block)):
            for axis, size in enumerate(sizes):
                _widen(ranges, (kind, axis), reach.symbols.get((kind, axis), (0, size - 1)))
        for symbol in own:
            _widen(ranges, symbol, reach.symbols[symbol])
    for symbol, (low, high) in ranges.items():
        if high > low and symbol not in steps and not _is_split(symbol, steps):
            return False
    assert least is not None
    assert most is not None
    radix = [(abs(step), ranges[s][1] - ranges[s][0] + 1) for s, step in steps.items()]
    reached = most - least
    for step, count in sorted([*radix, *((abs(s), n) for s, n in loops.items())]):
        if count > 1:
            if step < reached:
                return False
            reached += step * (count - 1)
    return True


def _steps_of(reach: Reach) -> tuple[dict[Hashable, int], dict[int, int] | None]:
    """The steps by the numbers of blocks and threads; and of loops, with how many there are, None
    if two have the same."""
    own: dict[Hashable, int] = {}
    loops: dict[int, int] = {}
    for symbol, step in (reach.form or {}).items():
        if symbol is None or step == 0:
            continue
        if symbol in reach.steps:
            low, high = reach.symbols[symbol]
            if step in loops or low < 0:
                return own, None
            loops[step] = high + 1
        else:
            own[symbol] = step
    return own, loops


def _widen(
    ranges: dict[Hashable, tuple[int, int]], symbol: Hashable, given: tuple[int, int]
) -> None:  # fmt: skip
    low, high = ranges.get(symbol, given)
    ranges[symbol] = min(low, given[0]), max(high, given[1])


def _is_split(symbol: Hashable, steps: dict[Hashable, int]) -> bool:
    """Whether the quotient and the rest of a number are both there."""
    return any(
        isinstance(s, tuple) and s[0] == "/" and s[1] == symbol and ("%", *s[1:]) in steps
        for s in steps
    )


# -- summaries


def _words(
    reach: Reach, grid: Dims, block: Dims, tables: Tables
) -> list[int] | None:  # fmt: skip
    """What a summary says of an access, all but its pointer and its range; None if it is not known
    who does it."""
    if reach.form is None or not reach.is_exact:
        return None
    loops = list(reach.steps)
    turns = 1
    for count in reach.steps.values():
        turns *= max(count, 1)
    if len(loops) > _MOST_LOOPS or turns > _MOST_TURNS:
        return None
    forms = [reach.form, *(condition.form for condition in reach.conditions)]
    if any(_farthest(form, reach.steps, grid, block) > _MOST for form in forms):
        return None
    parts = _parts(reach.form, loops, block, tables)
    if parts is None:
        return None
    conditions = [_condition(c, loops, block, tables) for c in reach.conditions]
    words = [reach.info & ~(-1 << 52), *parts[:5], len(loops), len(conditions)]
    for step, loop in zip(parts[5:], loops, strict=True):
        words += [step, reach.steps[loop]]
    for condition in conditions:
        if condition is None:
            return None
        words += condition
    return words


def _condition(
    condition: Condition, loops: Sequence[Hashable], block: Dims, tables: Tables
) -> list[int] | None:  # fmt: skip
    parts = _parts(condition.form, loops, block, tables)
    if parts is None:
        return None
    return [max(condition.low, -_MOST), min(condition.high, _MOST), *parts]


def _farthest(form: Form, steps: dict[Hashable, int], grid: Dims, block: Dims) -> int:
    """A number that a form does not exceed in any thread and any turn of its loops, whether the
    thread comes there or not."""
    total = abs(form.get(None, 0))
    for symbol, step in form.items():
        if symbol in steps:
            total += abs(step) * steps[symbol]
        elif isinstance(symbol, tuple):
            kind, axis = symbol[1] if symbol[0] in ("/", "%") else symbol
            total += abs(step) * (grid if kind == "ctaid" else block)[axis]
    return total


def _parts(
    form: Form, loops: Sequence[Hashable], block: Dims, tables: Tables
) -> list[int] | None:  # fmt: skip
    """A form as numbers: the constant, steps by block along x, y and z, the address of a table with
    a number for each thread, steps by loop."""
    by_thread: dict[Hashable, int] = {}
    for symbol, step in form.items():
        is_of_thread = isinstance(symbol, tuple) and (
            symbol[0] == "tid" or (symbol[0] in "/%" and symbol[1][0] == "tid")
        )
        if is_of_thread:
            by_thread[symbol] = step
        elif (
            symbol is not None
            and symbol not in loops
            and (not isinstance(symbol, tuple) or symbol[0] != "ctaid")
        ):
            return None
    key = tuple(sorted(by_thread.items(), key=repr))
    if key not in tables:
        tables[key] = _table(key, block)
    return [
        form.get(None, 0), *(form.get(("ctaid", axis), 0) for axis in range(3)),
        ctypes.addressof(tables[key]), *(form.get(loop, 0) for loop in loops),
    ]  # fmt: skip


def _table(steps: Sequence[tuple[Hashable, int]], block: Dims) -> Words:
    """For each thread of a block the sum of its steps."""
    x, y, z = block
    sums = [0] * (x * y * z)
    for symbol, step in steps:
        assert isinstance(symbol, tuple)
        kind, of, by = ("", symbol, 1) if symbol[0] == "tid" else symbol
        axis = of[1]
        stride = (1, x, x * y)[axis]
        for thread in range(len(sums)):
            at = thread // stride % block[axis]
            sums[thread] += step * (at if not kind else at // by if kind == "/" else at % by)
    return (ctypes.c_int64 * len(sums))(*sums)

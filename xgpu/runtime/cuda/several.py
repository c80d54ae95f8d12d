# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What machine code knows where a program uses several GPUs: which of the driver's handles serves a
program's on the device that is chosen. What is not in the table it leaves to Python.

A stream is in the table of the device that its work is on now, an event in that of the device that
records it, a kernel in each that it was asked for on. Machine code reads while Python, under a
lock, writes: an entry's value stands there before its key, keys stay, and a table that grows is
another one.
"""

from __future__ import annotations

import ctypes
import threading

_CONTEXT, _MASK, _FIRST = 0, 1, 2  # words of a table; then keys and values
_NONE = 2**64 - 1  # no key, or no value for a key any more
_MULTIPLIER, _SHIFT = 0x9E3779B97F4A7C15, 32  # a key's place: some bits of the product
_SMALLEST = 64


class Table:
    """Handles by handles."""

    def __init__(self, context: int) -> None:
        self._context = context
        self._count = 0
        self._words = self._empty(_SMALLEST)
        self._before: list[ctypes.Array[ctypes.c_uint64]] = []  # somebody may still read them

    def _empty(self, slots: int) -> ctypes.Array[ctypes.c_uint64]:
        words = (ctypes.c_uint64 * (_FIRST + 2 * slots))()
        ctypes.memset(ctypes.addressof(words), 0xFF, ctypes.sizeof(words))
        words[_CONTEXT], words[_MASK] = self._context, slots - 1
        return words

    @property
    def address(self) -> int:
        return ctypes.addressof(self._words)

    def _slot(self, key: int) -> int:
        """Where `key` is, or would be."""
        words = self._words
        mask = words[_MASK]
        at = (key * _MULTIPLIER % 2**64) >> _SHIFT & mask
        while words[_FIRST + 2 * at] not in (key, _NONE):
            at = (at + 1) & mask
        return _FIRST + 2 * at

    def put(self, key: int, value: int) -> None:
        if 2 * self._count > self._words[_MASK]:
            self._grow()
        at = self._slot(key)
        self._words[at + 1] = value
        if self._words[at] != key:
            self._words[at] = key
            self._count += 1

    def drop(self, key: int) -> None:
        at = self._slot(key)
        if self._words[at] == key:
            self._words[at + 1] = _NONE

    def _grow(self) -> None:
        """Make room, and leave out keys without values."""
        old = self._words
        alive = [
            (old[i], old[i + 1])
            for i in range(_FIRST, len(old), 2)
            if old[i] != _NONE and old[i + 1] != _NONE
        ]
        self._before.append(old)
        slots = _SMALLEST
        while slots < 4 * len(alive):
            slots *= 2
        self._words, self._count = self._empty(slots), 0
        for key, value in alive:
            self.put(key, value)


class Several:
    """The tables of a program's devices, and those of its events, which any device may wait for.
    `chosen` and `events` are read by machine code: addresses of tables, 0 for none."""

    def __init__(self, chosen: ctypes.c_uint64, events: ctypes.c_uint64) -> None:
        self._tables: dict[int, Table] = {}
        self._events = Table(0)
        self._cells = chosen, events
        self._lock = threading.RLock()
        self._on: int | None = None

    def add_device(self, ordinal: int, context: int) -> bool:
        """Whether the device is new here."""
        with self._lock:
            if ordinal in self._tables:
                return False
            self._tables[ordinal] = Table(context)
            return True

    def choose(self, ordinal: int | None) -> None:
        """The device that work goes to now; None where Python has to do all."""
        with self._lock:
            self._on = ordinal
            self._show()

    def _show(self) -> None:
        chosen = None if self._on is None else self._tables.get(self._on)
        self._cells[0].value = 0 if chosen is None else chosen.address
        self._cells[1].value = self._events.address

    def put(self, handle: int, on: int, value: int) -> None:
        """On the device `on`, `value` of the driver serves the program's `handle`."""
        with self._lock:
            if on in self._tables:
                self._tables[on].put(handle, value)
                self._show()

    def move(self, handle: int, on: int, value: int) -> None:
        """As `put`, and no other device serves it any more."""
        with self._lock:
            for ordinal, table in self._tables.items():
                if ordinal != on:
                    table.drop(handle)
            self.put(handle, on, value)

    def put_event(self, event: int, value: int) -> None:
        """Who waits for the program's `event` waits for `value` of the driver."""
        with self._lock:
            self._events.put(event, value)
            self._show()

    def drop(self, handle: int) -> None:
        """The program has no such handle any more."""
        with self._lock:
            for table in (*self._tables.values(), self._events):
                table.drop(handle)


def lookup_text() -> str:
    """`xgpu_cuda_found(table, key)` as LLVM IR: the value, -1 for none; 0, the null stream, is
    itself."""
    return f"""
define internal i64 @xgpu_cuda_found(ptr %table, i64 %key) {{
begin:
  %null = icmp eq i64 %key, 0
  br i1 %null, label %none, label %search
search:
  %mask.at = getelementptr i64, ptr %table, i64 {_MASK}
  %mask = load i64, ptr %mask.at
  %product = mul i64 %key, {_MULTIPLIER - 2**64}
  %hash = lshr i64 %product, {_SHIFT}
  br label %look
look:
  %i = phi i64 [%hash, %search], [%next, %further]
  %slot = and i64 %i, %mask
  %pair = shl i64 %slot, 1
  %at = add i64 %pair, {_FIRST}
  %key.at = getelementptr i64, ptr %table, i64 %at
  %there = load atomic i64, ptr %key.at acquire, align 8
  %same = icmp eq i64 %there, %key
  br i1 %same, label %found, label %other
other:
  %end = icmp eq i64 %there, -1
  br i1 %end, label %absent, label %further
further:
  %next = add i64 %i, 1
  br label %look
found:
  %value.at = getelementptr i64, ptr %key.at, i64 1
  %value = load i64, ptr %value.at
  ret i64 %value
absent:
  ret i64 -1
none:
  ret i64 0
}}
"""

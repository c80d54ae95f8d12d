# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches whose threads wait in memory for what no thread will write.

A loop that waits for memory and stores nothing tells where it looks (`threads/spin_waits.py`). The
scheduler counts rounds in which all threads of a cluster wait for one another or have only looked
again, and how often a thread has done anything else. A launch waits for ever when

* all of its blocks have begun, and each worker of it makes such rounds and does nothing else for
  three looks of the watchdog in a row. Who stored last has done so before the second look, so that
  every thread has read since what is there;
* what threads wait for is memory of the device or of their block, which the host's code cannot
  write; and
* nothing else runs on the device, and the host waits.
"""

from __future__ import annotations

import ctypes
import threading
from typing import TYPE_CHECKING, Protocol

from xgpu.host_device.compiler.addresses import is_device
from xgpu.host_device.compiler.structs import STATE_NAMES, ctypes_struct, size_of

if TYPE_CHECKING:
    from xgpu.host_device.compiler.record_classes import Launch, Thread, Worker

_ROUNDS = 8  # of each worker, between two looks
_LOOKS = 3
_SHOWN = 4  # places of waits that a report names
_SPINNING = 2  # looks of a thread
_YIELD, _DONE = STATE_NAMES.index("YIELD"), STATE_NAMES.index("DONE")


class Spinning(Protocol):
    """A launch, as far as it may wait for ever."""

    record: Launch

    def all_workers(self) -> list[Worker]:
        """What the threads that run its blocks have for that."""
        ...

    def is_alone(self) -> bool:
        """Whether nothing else runs on the device, and the host waits."""
        ...

    def wait_for_ever(self) -> None:
        """It does: it fails."""
        ...


class SpinWatch:
    """What has been seen of a launch."""

    __slots__ = ("_before", "_looks")

    def __init__(self) -> None:
        self._before: dict[int, tuple[int, int]] = {}
        self._looks = 0

    def look(self, launch: Spinning) -> bool:
        """Whether a launch waits for ever; to be asked again and again, in so many milliseconds
        that all threads make some rounds."""
        workers = launch.all_workers()
        now = {ctypes.addressof(w): (w.progress, w.rounds) for w in workers}
        before, self._before = self._before, now
        all_begun = launch.record.next >= launch.record.groups
        if not now or not all_begun or before.keys() != now.keys():
            self._looks = 0
            return False
        for address, (progress, rounds) in now.items():
            if progress != before[address][0] or rounds - before[address][1] < _ROUNDS:
                self._looks = 0
                return False
        self._looks += 1
        return self._looks >= _LOOKS and all(map(_is_own_memory, workers)) and launch.is_alone()


def threads_of(worker: Worker) -> list[Thread]:
    """The threads of the cluster that a worker runs."""
    first = ctypes_struct("Block").from_address(worker.blocks)
    total = first.count * first.cluster_size
    kind, size = ctypes_struct("Thread"), size_of("Thread")
    return [kind.from_address(worker.threads + i * size) for i in range(total)]


def is_spinning(thread: Thread) -> bool:
    return thread.state == _YIELD and thread.spins >= _SPINNING


def _is_own_memory(worker: Worker) -> bool:
    """Whether what threads wait for is memory that the host's code cannot write."""
    launch = ctypes_struct("Launch").from_address(worker.launch)
    first = ctypes_struct("Block").from_address(worker.blocks)
    begin = first.shared or 0
    shared = range(begin, begin + launch.shared_bytes)
    many = first.cluster_size > 1
    for thread in threads_of(worker):
        if is_spinning(thread):
            address = thread.spin_address or 0
            if not is_device(address) and (many or address not in shared):
                return False
    return True


def describe_spins(workers: list[Worker], file: str) -> str:
    """Who waits where for what, of a launch that waits for ever."""
    waiting: dict[tuple[int, int], list[Thread]] = {}
    for worker in workers:
        for thread in threads_of(worker):
            if is_spinning(thread):
                key = thread.spin_place, thread.spin_address
                waiting.setdefault(key, []).append(thread)
    lines = ["threads wait for ever for memory to change, and no thread is left to write there"]
    for threads in list(waiting.values())[:_SHOWN]:
        lines.append(f"  {spin_text(threads, file)}")
    if len(waiting) > _SHOWN:
        lines.append(f"  and {len(waiting) - _SHOWN} more places")
    return "\n".join(lines)


def spin_text(threads: list[Thread], file: str) -> str:
    """`thread (0, 0, 0) of block (0, 0, 0) at k.mlir:7:9, where 4 bytes at 0x.. are 1`"""
    first = threads[0]
    block = ctypes_struct("Block").from_address(first.block)
    line, column = first.spin_place >> 32, first.spin_place & 0xFFFFFFFF
    prefix = f"{file}:" if file else ""
    place = f" at {prefix}{line}:{column}" if line else ""
    more = f" and {len(threads) - 1} more" if len(threads) > 1 else ""
    return (
        f"thread ({first.tid_x}, {first.tid_y}, {first.tid_z}) of block ({block.ctaid_x}, "
        f"{block.ctaid_y}, {block.ctaid_z}){more}{place}, where {found_text(first)}"
    )


def found_text(thread: Thread) -> str:
    """What a thread finds in vain."""
    count, address = thread.spin_bytes, thread.spin_address or 0
    value = int.from_bytes(ctypes.string_at(address, count), "little")
    return f"{count} bytes at 0x{address:x} hold {value}"


def foreign_threads() -> bool:
    """Whether the program has Python threads beside its main one, which may do anything."""
    own = threading.main_thread()
    return any(t is not own and not t.name.startswith("xgpu ") for t in threading.enumerate())

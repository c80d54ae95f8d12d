# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ends launches without progress, by default after 120 s.

A GPU runs many blocks at the same time; here there are as many as cores. Blocks that wait for
blocks which have not begun would never finish waiting, so a launch that hands out no block for a
while gets more threads. One that still makes no progress is ended with an error: its threads wait
for what no thread will do, or it is a loop without end. One that the main thread runs ends with
Ctrl-C.
"""

from __future__ import annotations

import ctypes
import os
import signal
import threading
import time
import weakref
from typing import TYPE_CHECKING, Protocol

from xgpu.core.ir.errors import DeviceError
from xgpu.core.support.forks import begins_anew
from xgpu.host_device.abi.addresses import is_device
from xgpu.host_device.abi.structs import OF_MBARRIER, STATE_NAMES, ctypes_struct, size_of
from xgpu.host_device.native import signals

if TYPE_CHECKING:
    from xgpu.host_device.abi.record_classes import Launch, Thread, Worker


# -- Launches whose threads wait in memory for what no thread will write.
#
# A loop that waits for memory and stores nothing tells where it looks (`compiler/spin_waits.py`).
# The scheduler counts rounds in which all threads of a cluster wait for one another or have only
# looked again, and how often a thread has done anything else. A launch waits for ever when
#
# * all of its blocks have begun, and each worker of it makes such rounds and does nothing else
# between three looks of the watchdog. Who stored last has done so before the second look, so that
# every thread has read since what is there. Rounds count and not time: the machine may be busy;
# * what threads wait for is memory of the device or of their block, which the host's code cannot
# write; and
# * nothing else runs on the device, and the host waits.


_ROUNDS = 8  # of each worker, between two looks
_LOOKS = 3
_SHOWN = 4  # places of waits that a report names
MOST_ENDED = 4  # workers of which a report says where they were
INTERRUPTED = "interrupted"
_SPINNING = 2  # looks of a thread
_YIELD, _DONE = STATE_NAMES.index("YIELD"), STATE_NAMES.index("DONE")


class Spinning(Protocol):
    """A launch, as far as it may never finish waiting."""

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
        """Whether a launch waits for ever; to be asked again and again. A look counts when all
        workers have made their rounds since the last one that did: on a busy machine that takes
        several."""
        workers = launch.all_workers()
        now = {ctypes.addressof(w): (w.progress, w.rounds) for w in workers}
        before = self._before
        all_begun = launch.record.next >= launch.record.groups
        progress = {address: at for address, (at, _) in now.items()}
        if not now or not all_begun or progress != {a: at for a, (at, _) in before.items()}:
            self._before, self._looks = now, 0
            return False
        if any(rounds - before[address][1] < _ROUNDS for address, (_, rounds) in now.items()):
            return False
        self._before = now
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
    lines = ["threads wait for ever for memory to change, and no thread is left to write there"]
    return "\n".join(lines + _spin_lines(workers, file))


def describe_end(worker: Worker, position: str, has_threads: bool, file: str) -> str:
    """Where a worker was when the watchdog has ended its work: in which block, and which thread ran
    (`position`). Where threads have records of their own (`has_threads`), also those that wait for
    memory to change."""
    waiting = _spin_lines([worker], file) if has_threads else []
    return "\n".join([f"  it was{position}", *waiting])


def _spin_lines(workers: list[Worker], file: str) -> list[str]:
    """A line for each place at which threads wait for memory to change."""
    waiting: dict[tuple[int, int], list[Thread]] = {}
    for worker in workers:
        for thread in threads_of(worker):
            if is_spinning(thread):
                key = thread.spin_place, thread.spin_address
                waiting.setdefault(key, []).append(thread)
    lines = [f"  {spin_text(threads, file)}" for threads in list(waiting.values())[:_SHOWN]]
    if len(waiting) > _SHOWN:
        lines.append(f"  and {len(waiting) - _SHOWN} more places")
    return lines


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
    if count == OF_MBARRIER:
        from xgpu.host_device.device.reports import missing_text

        word = ctypes.c_uint64.from_address(address).value
        return (
            f"the mbarrier at 0x{address:x} is in its phase of parity {word >> 63} "
            f"({missing_text(word)})"
        )
    value = int.from_bytes(ctypes.string_at(address, count), "little")
    return f"{count} bytes at 0x{address:x} hold {value}"


def foreign_threads() -> bool:
    """Whether the program has Python threads beside its main one, which may do anything."""
    own = threading.main_thread()
    return any(
        t is not own and not t.name.startswith("xgpu ") and _lives(t) for t in threading.enumerate()
    )


def _lives(thread: threading.Thread) -> bool:
    """Whether a thread is there: of one that C has begun, Python does not know that it has
    ended."""
    tasks = "/proc/self/task"
    return not os.path.isdir(tasks) or os.path.exists(f"{tasks}/{thread.native_id}")


def native_threads() -> bool:
    """Whether the process has threads that Python does not know."""
    known = {str(thread.native_id) for thread in threading.enumerate()}
    try:
        return not known.issuperset(os.listdir("/proc/self/task"))
    except OSError:  # not on Linux: nothing is known of them
        return True


VARIABLE = "XGPU_WATCHDOG"
_DEFAULT_LIMIT = 120.0
_TICK = 0.1
_PATIENCE = 0.4  # without a block handed out, before a launch whose blocks wait gets more threads,
_LONG_PATIENCE = 5.0  # or one whose blocks are not known to wait: they may just take long


def time_limit() -> float:
    """Seconds that a launch may take without handing out a block; 0: any time."""
    text = os.environ.get(VARIABLE, "")
    try:
        limit = float(text) if text else _DEFAULT_LIMIT
    except ValueError:
        limit = -1.0
    if limit < 0:
        raise DeviceError(f"{VARIABLE} is '{text}', expected a number of seconds, or 0")
    return limit


class _State:
    """How far a launch was when it last got on."""

    __slots__ = ("begun", "interrupts", "since", "spins", "threads")

    def __init__(self, now: float, interrupts: int) -> None:
        self.begun = -1
        self.since = now
        self.interrupts = interrupts  # when it began
        self.threads = 0
        self.spins = SpinWatch()


class Watched(Spinning, Protocol):
    """A launch, as the watchdog sees it."""

    #: How many groups of blocks there are (`groups`) and have been handed out (`next`); whether it
    #: runs (`runs`) and when it began (`interrupts`), if it was not reported.
    record: Launch
    #: The thread that has begun it.
    caller: int
    #: Why its blocks are to end, if they are.
    aborted: str | None

    def abort(self, why: str) -> None: ...

    def cancel(self) -> None: ...

    def begun(self) -> int:
        """A number that changes whenever a block begins."""
        ...

    def add_threads(self, count: int) -> bool: ...


class Watchdog:
    """One thread, which begins with the first launch."""

    def __init__(self) -> None:
        self._limit = time_limit()
        #: What runs, and how many interrupts there had been when it began.
        self._running: dict[Watched, int] = {}
        #: What may run without `begin` and `end`, by number.
        self._expected: dict[int, weakref.ref[Watched]] = {}
        self._closed = False
        self._started = False
        begins_anew(self)

    def begin_anew(self) -> None:
        self._running.clear()
        self._expected.clear()
        self._started = False

    def running(self) -> list[Watched]:
        """What has begun and not ended."""
        return [launch for launch, _ in self._all()]

    def _all(self) -> list[tuple[Watched, int]]:
        found = list(self._running.items())
        for expected in tuple(self._expected.values()):
            launch = expected()
            if launch is not None and launch.record.runs & 1:
                found.append((launch, launch.record.interrupts))
        return found

    def begin(self, launch: Watched) -> None:
        """`launch` starts to run."""
        if not self._started:
            self._start()
        self._running[launch] = signals.count()

    def expect(self, launch: Watched) -> None:
        """`launch` may run, again and again; its record says when."""
        if not self._started:
            self._start()
        key = id(launch)
        self._expected[key] = weakref.ref(launch, lambda _: self._expected.pop(key, None))

    def _start(self) -> None:
        self._started = True
        signals.listen()
        threading.Thread(target=self._watch, name="xgpu watchdog", daemon=True).start()

    def end(self, launch: Watched) -> bool:
        """`launch` has ended; whether its thread has been interrupted and does not know it yet."""
        before = self._running.pop(launch, None)
        if before is None or signals.count() == before:
            return False
        return signals.is_wanted(before, launch.caller)

    def close(self) -> None:
        self._closed = True  # a finalizer may run in any thread: no lock is taken

    def _watch(self) -> None:
        states: dict[Watched, _State] = {}
        while True:
            time.sleep(_TICK)
            if self._closed:
                return
            running = self._all()
            if running:
                signals.listen()
            now = time.monotonic()
            states = {
                launch: states.get(launch) or _State(now, before) for launch, before in running
            }
            for launch, state in states.items():
                self._look(launch, state, now)

    @staticmethod
    def _patience(launch: Watched, state: _State) -> float:
        if not launch.record.awaiting:
            return _LONG_PATIENCE
        return _TICK if state.threads else _PATIENCE

    def _look(self, launch: Watched, state: _State, now: float) -> None:
        if signals.is_wanted(state.interrupts, launch.caller):
            launch.abort(INTERRUPTED)
            return
        if launch.aborted is not None:
            launch.abort(launch.aborted)
            return
        begun = launch.begun()
        if begun != state.begun:
            state.begun, state.since = begun, now
            return
        stuck = now - state.since
        left = launch.record.groups - launch.record.next
        if left <= 0 and stuck > _PATIENCE and state.spins.look(launch):
            launch.wait_for_ever()
            return
        if self._limit and stuck > self._limit:
            launch.abort(
                f"no progress in {self._limit:g} seconds: threads that wait for what other threads "
                f"of the kernel do only later, or a loop without end ({VARIABLE}=seconds changes "
                "the limit, 0 removes it)"
            )
        elif left > 0 and stuck > self._patience(launch, state):
            more = min(left, state.threads or 1)
            if launch.add_threads(more):
                state.threads += more


def interrupt(thread: int) -> None:
    """End the generated code that a thread runs: its guard returns as from a trap."""
    signal.pthread_kill(thread, signal.SIGILL)

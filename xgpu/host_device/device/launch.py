# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches on the host device: checked as CUDA checks them, then spread over threads."""

from __future__ import annotations

import contextlib
import ctypes
import sys
import threading
import time
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from xgpu.core.ir.errors import DeviceError
from xgpu.core.support.demangle import demangled
from xgpu.host_device.abi.addresses import DEVICE, DEVICE_BIT, FAULT_BASE
from xgpu.host_device.abi.codes import NOTICE_CROWDED, THROW_BOUNDS, THROW_TRAP
from xgpu.host_device.abi.structs import LAUNCH_THREADS, ORDER_TURNS, ctypes_struct
from xgpu.host_device.device import reports
from xgpu.host_device.device.arrays import Arguments, missed
from xgpu.host_device.device.helpers import Helpers, Joined, own_worker
from xgpu.host_device.device.modules import WORTH, Kernel, Word
from xgpu.host_device.device.operations import Effect, Range
from xgpu.host_device.device.prototypes import (
    MOST_AT_A_TIME,
    Configuration,
    copy_parameters,
    prototype_of,
    trespass,
    without_bounds,
)
from xgpu.host_device.device.reports import described, is_false_claim, is_of_a_thread
from xgpu.host_device.device.watchdog import (
    INTERRUPTED,
    MOST_ENDED,
    Watchdog,
    describe_end,
    describe_spins,
    interrupt,
)
from xgpu.host_device.native import signals
from xgpu.host_device.native.library import Handlers, native_library

if TYPE_CHECKING:
    from xgpu.host_device.abi import record_classes
    from xgpu.host_device.abi.record_classes import Worker
    from xgpu.host_device.device.memory import Memory
    from xgpu.host_device.device.sanitizer_interface import Sanitizer
    from xgpu.runtime.work import Work


#: Nanoseconds that a kernel is screened until it pays to find out which launches need not be.
WORTH_KNOWING = 2_000_000

_ALONE = 50_000  # nanoseconds until others may be asked to help: what it takes until they come
_STARTING = 2_000_000  # nanoseconds of work for which they are made, if there are none yet

_SMALLEST_ADDRESS = 1 << 20  # smaller values of 64 bits are sizes, strides and the like

_NO_ROOM = "out of memory: no room for the records of a block's threads"

_TAKING_TURNS = 7  # threads that are added where blocks take turns

# Where all wait for blocks that have not begun: at a time, and of a launch (guards have room for
# `GUARD_SLOTS`).
_LEAST_ADDED_THREADS = 8
_MOST_ADDED_THREADS = 480

_STEP = 0.1  # seconds until a thread that has not ended is requested to again


class Launch(Effect):
    """One launch. `run` does it on the calling thread, with help. `own` are pointers to arguments
    that stay there until it has run, and where the kernel has checks of bounds those of `arguments`
    behind them. Raises `DeviceError` for sizes that no GPU would take.
    """

    kind = "kernel"
    #: Whether it does again, in another order, what a launch has done: it prints and warns nothing.
    is_repeated = False
    #: Whether its blocks may wait for each other as a grid. CUDA's driver alone knows others.
    is_cooperative = True

    def __init__(
        self,
        kernel: Kernel,
        configuration: Configuration,
        parameters: int,
        own: ctypes.Array[ctypes.c_void_p] | ctypes.Array[ctypes.c_uint64] | None = None,
        arguments: Arguments | None = None,
    ) -> None:
        if (counts := kernel.module.device.counts) is not None:
            counts.prepare(kernel, configuration)
        self.prototype = prototype = prototype_of(kernel, configuration)
        self.kernel = kernel
        #: As the program has it.
        self.name = demangled(kernel.info.name)
        # Pointers of a caller's `own` stay as they are until it has run.
        #: Those of its arguments that are pointers, as far as they are copied.
        self.pointers: list[int] = []
        if own is None:
            bounds_of = arguments.bounds_of if arguments is not None else _unknown
            own, self.pointers = copy_parameters(kernel, parameters, bounds_of)
        elif arguments is None and kernel.module.has_bounds:
            own = without_bounds(kernel, own)
        self.parameters = own
        #: The arrays among them.
        self.arguments = arguments
        self.record = record = type(prototype.record).from_buffer_copy(prototype.record)
        record.params = ctypes.addressof(own)
        self.failure: str | None = None
        #: Why its blocks are to end, wherever they are.
        self.aborted: str | None = None
        self._ended = 0  # of its blocks' workers, by `aborted`
        self._helpers: Helpers | None = None
        self._joined: Joined | None = None
        self._added = 0  # threads of it
        # Whether threads may join; not while it is compiled or screened.
        self._is_open = False
        #: Each with its place, empty where that is the launch's.
        self._warnings: dict[tuple[str, str], None] | None = None
        #: Bytes that it has printed, and those for which there was no room (`printing`).
        self.printed = self.unprinted = 0
        #: The threads that run blocks, helpers apart, and what each has for it.
        self.workers: dict[int, Worker] = {}
        self.caller = 0
        #: Where the program says so.
        self.location: str | None = None
        #: What it did, if it has counted that, and the share of the cores' time that was used.
        self.work: Work | None = None
        self.busy: float | None = None

    def again(self) -> Launch:
        """A launch of the same kernel with the same arguments that has not run."""
        other = Launch.__new__(Launch)
        other.kernel, other.name, other.parameters = self.kernel, self.name, self.parameters
        other.pointers = self.pointers
        other.is_cooperative = self.is_cooperative
        other.arguments = self.arguments
        other.record = type(self.record).from_buffer_copy(self.record)
        other.record.said = 0
        other.failure = other.aborted = other._helpers = other._joined = None
        other.prototype = self.prototype
        other._is_open = False
        other._added = other._ended = 0
        other._warnings = None
        other.printed = other.unprinted = 0
        other.workers = {}
        other.caller = 0
        other.location = self.location
        other.work = other.busy = None
        return other

    @property
    def configuration(self) -> Configuration:
        """The sizes that it was made with."""
        r = self.record
        return (
            (r.grid_x, r.grid_y, r.grid_z), (r.block_x, r.block_y, r.block_z),
            (r.cluster_x, r.cluster_y, r.cluster_z), r.dynamic_shared,
        )  # fmt: skip

    def with_code_of(self, kernel: Kernel) -> Launch:
        """A launch with the same arguments and sizes of other code for its kernel; see
        `take_outcome`."""
        other = self.again()
        other.kernel, other.prototype = kernel, prototype_of(kernel, self.configuration)
        whole = other.prototype.record
        other.record = type(whole).from_buffer_copy(whole)
        other.record.params = self.record.params
        other.record.workspace = self.record.workspace
        return other

    def take_outcome(self, other: Launch) -> None:
        """What went wrong in `other`, what it said, and what it did, as of this one."""
        self.failure, self._warnings, self.work = other.failure, other._warnings, other.work
        self.printed, self.unprinted = other.printed, other.unprinted

    def keep_apart(self, reaches: Callable[[int], bool]) -> None:
        """Let the kernel fault where it follows an argument to memory that it does not reach."""
        for address in self.pointers:
            if address >> DEVICE_BIT != DEVICE and not reaches(address):
                self._move_away(address)

    def _move_away(self, address: int) -> None:
        for number in self.kernel.info.pointers:
            word = Word.from_address(self.parameters[number])
            if word.value == address:
                word.value = address | FAULT_BASE

    def details(self) -> dict[str, object]:
        r = self.record
        block = (r.block_x, r.block_y, r.block_z)
        found: dict[str, object] = {
            "grid": [r.grid_x, r.grid_y, r.grid_z], "block": list(block),
            "module": self.kernel.info.module,
        }  # fmt: skip
        if self.busy is not None:
            found["busy"] = self.busy
            is_small = r.grid_x * r.block_x < 1 << 31
            found["strategy"] = self.kernel.module.chosen.get((self.name, block, is_small))
        if self.work is not None:
            found["work"] = self.work._asdict()
        return found

    def touches(self, memory: Memory) -> tuple[Range, ...]:
        """The allocations that arguments point into. What else is reached through them, and what
        host memory they point to, is not known: one byte stands for it.
        """
        found: dict[Range, None] = {}
        for pointer, size in zip(self.parameters, self.kernel.info.parameter_sizes, strict=False):
            if size == 8 and pointer:
                value = ctypes.c_uint64.from_address(pointer).value
                if value > _SMALLEST_ADDRESS:
                    begin, end = memory.range_at(value) or (value, value + 1)
                    found[begin, end, True] = None
        return tuple(found)

    def run(self, helpers: Helpers, watchdog: Watchdog) -> str | None:
        """Run all blocks; the result is what went wrong, or None."""
        address = ctypes.addressof(self.record)
        self.caller = threading.get_ident()
        is_fine = False
        try:
            _running[address] = self
            watchdog.begin(self)
            if not self._screened():
                is_fine = self._spread(helpers)
            if not is_fine and self.record.error == 2:
                self.fail(_NO_ROOM)
        finally:
            try:
                interrupted = watchdog.end(self)
            finally:
                _running.pop(address, None)
        if interrupted:  # while a kernel called Python, which cannot raise it there
            raise KeyboardInterrupt
        if self.pointers and self.failure is None and self.kernel.module.sanitizer is None:
            found = trespass(self.pointers)
            if found is not None:
                self.fail(found)
        return self.failure

    def _spread(self, helpers: Helpers) -> bool:
        """Run the blocks here and, if that takes longer than having them come, in helpers; whether
        all is known to have gone well."""
        others = self.prototype.groups - 1
        if others == 0:
            begin = time.thread_time_ns()
            self._work()
            self.prototype.set_pace(1 + (time.thread_time_ns() - begin) * 1024)
            return False
        count = min(helpers.count, others)
        if self.record.order & ORDER_TURNS:
            # Each of them is waited for: helpers come if they have nothing else to do.
            added, count = min(others, _TAKING_TURNS), 0
            self.record.workers = added + 1
            self._is_open = True
            self.add_threads(added)
        self._helpers = helpers
        self._is_open = True
        try:
            is_fine = self._share(helpers, count) if count else self._work() > 0
            while not is_fine and not helpers.withdraw(self.record):
                pass
            self._end_joined()
            return is_fine
        except KeyboardInterrupt:
            while not self._left(helpers):
                pass
            raise

    def _share(self, helpers: Helpers, count: int) -> bool:
        """Run blocks until there are none left, with up to so many helpers: from the beginning
        where blocks may wait for others, or where the last launch has shown that it is worth it."""
        prototype = self.prototype
        self.record.workers = count + 1
        if not prototype.is_independent:
            return self._work(helpers, count) > 0
        wanted = min(prototype.worth, count)
        if wanted == 0 or not helpers.pool:
            self._begin_alone(helpers, count)
            return False
        pace = self._work(helpers, wanted)
        if pace:
            prototype.set_pace(pace)
        return pace > 0

    def _begin_alone(self, helpers: Helpers, count: int) -> None:
        """Run blocks for a while or, if that takes little longer, all, and the others with as many
        of `count` helpers as they are worth."""
        record, groups = self.record, self.prototype.groups
        begin = time.thread_time_ns()
        self._work(alone=_ALONE)
        done = max(min(record.next, groups), 1)
        took = time.thread_time_ns() - begin
        self.prototype.set_pace(1 + took * 1024 // done)
        left = took * (groups - done) // done
        pays = took + left >= WORTH and (left > _STARTING or helpers.is_wanted())
        if pays:
            helpers.start()
        if left == 0 or record.error:
            return
        self._work(helpers, min(left // WORTH, count) if pays else 0)

    def _end_joined(self, timeout: float | None = None) -> bool:
        """Let no more threads join; whether those that have have left."""
        self._is_open = False
        joined = self._joined  # who adds threads looks in the other order: one sees the other
        return joined is None or joined.end(timeout)

    def _left(self, helpers: Helpers) -> bool:
        """Whether no helper is left: an interrupted thread takes its arrays with it."""
        try:
            self.abort(INTERRUPTED)
            return helpers.withdraw(self.record) and self._end_joined(_STEP)
        except KeyboardInterrupt:
            return False

    def settle(self, helpers: Helpers, worker: Worker, code: int) -> None:
        """End a launch that was made again (`xgpu_lead_again` with `worker`, whose result is
        `code`), and is not known to have gone well, or has said something. Raises `DeviceError` for
        what went wrong."""
        try:
            if code > 0:
                self.thrown(worker, code)
            while not helpers.withdraw(self.record):
                pass
        finally:
            self._end_run()
        if self.record.error == 2:
            self.fail(_NO_ROOM)
        if signals.is_wanted(self.record.interrupts, self.caller):
            raise KeyboardInterrupt
        if self.failure is not None:
            raise DeviceError(self.failure)

    def give_up(self, helpers: Helpers, worker: Worker) -> None:
        """Likewise, of one whose thread is interrupted."""
        native_library().release(ctypes.addressof(worker))
        while not self._left(helpers):
            pass
        self._end_run()

    def _end_run(self) -> None:
        record = self.record
        record.runs += record.runs & 1

    def add_threads(self, count: int) -> bool:
        """Let more threads take blocks, at most so many: those that run wait for some that have not
        begun. False if none are handed out now, or it has as many threads as it may have."""
        if self._joined is None:
            self._joined = Joined(self._work)
        if not self._is_open:
            return False
        joined = self._joined
        count = min(count, _MOST_ADDED_THREADS - self._added)
        self._added += max(count, 0)
        for _ in range(count):
            threading.Thread(target=joined, name="xgpu block", daemon=True).start()
        return count > 0

    def widen(self) -> None:
        """All threads that run blocks wait for other blocks, and some have not begun: let twice as
        many run, as on a GPU."""
        record = self.record
        left = record.groups - record.next
        if self.add_threads(count := min(left, max(record.expected, _LEAST_ADDED_THREADS))):
            record.expected += count

    def abort(self, why: str) -> None:
        """Fail, and end the blocks that run. While they do, the watchdog asks for it again: a
        thread in the C library goes on."""
        self.fail(why)
        if why == INTERRUPTED or self.aborted is not None:
            self.record.error = 3  # which ends threads that look at it where nothing says so
        self.aborted = why
        for thread in tuple(self.workers):
            interrupt(thread)
        if self._helpers is not None:
            self._helpers.interrupt(self.record)

    def begun(self) -> int:
        """A number that changes whenever a block begins."""
        own = sum(worker.taken for worker in tuple(self.workers.values()))
        helped = 0 if self._helpers is None else self._helpers.begun(self.record)
        return self.record.next + self.record.runs + own + helped

    def all_workers(self) -> list[Worker]:
        """What all threads that run blocks of it have for that."""
        own = list(self.workers.values())
        return own + ([] if self._helpers is None else self._helpers.workers_of(self.record))

    def is_alone(self) -> bool:
        """Whether nothing else runs on the device, and the host waits."""
        device = self.kernel.module.device
        return len(device.running()) == 1 and device.is_quiet(self.caller)

    def wait_for_ever(self) -> None:
        """Fail: all threads wait for what no thread will do. They see it, and end."""
        sanitizer = self.kernel.module.sanitizer
        workers = self.all_workers()
        if sanitizer is not None:
            sanitizer.spins(workers)
        self.fail(describe_spins(workers, self._file()))
        self.record.error = 1

    def _file(self) -> str:
        return (self.location or "").rsplit(":", 2)[0]

    def cancel(self) -> None:
        """Hand out no more blocks."""
        self.record.error = 3

    def warn(self, what: str, place: str = "") -> None:
        self.record.said = 1
        if self._warnings is None:
            self._warnings = {}
        self._warnings.setdefault((f"kernel '{self.name}': {what}", place))

    def warnings(self) -> tuple[tuple[str, str], ...]:
        """What deserves a word, each with its place: empty where that is the launch's."""
        if self.is_repeated:
            return ()
        if self.unprinted:
            self.warn(
                f"printed {self.printed + self.unprinted} bytes, of which the last "
                f"{self.unprinted} are not shown"
            )
        return tuple(self._warnings or ())

    def fail(self, why: str) -> None:
        self.record.said = 1
        if self.failure is None:
            self.failure = f"kernel '{self.name}': {why}"

    def _fail_at_miss(self, worker: Worker) -> None:
        """Fail for an access outside of an array."""
        if self.failure is None:
            accesses = self.kernel.module.accesses(self.record.entry, worker.miss)
            self.failure = missed(worker, self.name, accesses, self.arguments)

    def _by_threads(self, worker: Worker, code: int) -> str | None:
        """What threads by themselves say of the block in which a vector of threads failed: which of
        them it was, and the address that it used. None if they do not fail so.

        The launch has failed, so what the block does a second time does no harm.
        """
        r = self.record
        if not worker.blocks or not self.kernel.is_vector(r.entry) or not is_of_a_thread(code):
            return None
        if self.failure is not None:  # the watchdog's: the block would never end again
            return None
        if self.kernel.module.sanitizer is not None:  # it would be watched twice
            return None
        if is_false_claim(code):  # made for the strategy that failed
            return None
        first = ctypes_struct("Block").from_address(worker.blocks)
        group = first.clusterid_x + first.nclusterid_x * (
            first.clusterid_y + first.nclusterid_y * first.clusterid_z
        )
        record = type(r).from_buffer_copy(r)
        record.entry, record.suspending = self.kernel.thread_entry()
        record.next = record.front = group
        record.groups, record.error, record.most = group + 1, 0, 1
        record.pool = record.offered = 0
        again = ctypes_struct("Worker")()
        again.launch = ctypes.addressof(record)
        _running[ctypes.addressof(record)] = self
        native = native_library()
        fault = native.fault()
        found = native.work(ctypes.addressof(again), record.suspending)
        text = described(again, found) if found == code else None
        if text is None:
            native.put_fault(fault)
        if found:
            native.release(ctypes.addressof(again))
        del _running[ctypes.addressof(record)]
        return text

    def _screened(self) -> bool:
        """Under the sanitizer: whether the launch is done, and nothing was wrong with it."""
        module, r = self.kernel.module, self.record
        sanitizer = module.sanitizer
        if sanitizer is None:
            return False
        name = self.kernel.info.name
        if r.cluster_x * r.cluster_y * r.cluster_z > 1:
            is_vector = self.kernel.is_vector(r.entry)
            sanitizer.watched_whole(name, is_vector, "it has clusters of blocks")
            return False
        if r.order and module.watched(name).depends_on_order:
            sanitizer.watched_whole(name, False, "it runs in another order")
            return False
        is_small = r.grid_x * r.block_x < 1 << 31
        entry = self.kernel.screen((r.block_x, r.block_y, r.block_z), is_small)
        if not entry:
            sanitizer.watched_whole(name, self.kernel.is_vector(r.entry))
            return False
        record = type(r).from_buffer_copy(r)
        record.entry, record.suspending = entry, 0
        record.most = 1 if r.order else MOST_AT_A_TIME
        thread = threading.get_ident()
        worker = self.workers[thread] = ctypes_struct("Worker")()
        begin = time.thread_time_ns()
        try:
            skipped = self._known(sanitizer, is_small)
            if skipped is not None:
                clean = self._unwatched(sanitizer, record, worker, is_small, skipped)
            else:
                clean = sanitizer.screened(record, self.kernel, name, worker)
                self.kernel.screened_ns += time.thread_time_ns() - begin
        finally:
            self.workers.pop(thread, None)
        return clean or self.failure is not None

    def _known(self, sanitizer: Sanitizer, is_small: bool) -> int | None:
        """How many blocks of the launch have to be screened, where all accesses of the others are
        known to be right; None where they are not, or where it does not pay to find out."""
        r, kernel = self.record, self.kernel
        block = (r.block_x, r.block_y, r.block_z)
        known = kernel.known.get((block, is_small))
        if known is None or r.order or kernel.screened_ns < WORTH_KNOWING:
            return None
        if kernel.module.device.counts is not None or r.groups <= known.skipped:
            return None
        found = known.find(r)
        if found is None or not kernel.unwatched_entry(block, is_small):
            return None
        return known.skipped if sanitizer.is_known(r, found, known.skipped) else None

    def _unwatched(
        self, sanitizer: Sanitizer, record: record_classes.Launch, worker: Worker, is_small: bool,
        skipped: int,
    ) -> bool:  # fmt: skip
        """Run a launch of which all but the first `skipped` blocks need no watch; False where these
        do not show that all is right, and nothing has happened."""
        name = self.kernel.info.name
        if skipped:
            record.groups = skipped
            if not sanitizer.screened(record, self.kernel, name, worker, whole=False):
                sanitizer.is_unknown(record)
                return False
            record = type(record).from_buffer_copy(self.record)
            record.next = record.front = skipped
            record.most = MOST_AT_A_TIME
        block = (record.block_x, record.block_y, record.block_z)
        record.entry, record.suspending = self.kernel.unwatched_entry(block, is_small), 0
        worker.launch = ctypes.addressof(record)
        native, address = native_library(), ctypes.addressof(worker)
        code = native.work(address, 0)
        if code > 0:
            self.thrown(worker, code)
        elif record.error:
            self.record.error = record.error
        sanitizer.watched_as_known(name)
        return True

    def _work(self, helpers: Helpers | None = None, wanted: int = 0, *, alone: int = 0) -> int:
        """Run blocks until there are none, or for `alone` nanoseconds. With up to so many helpers
        the result is how many nanoseconds 1024 groups took them; if it is 0 something has gone
        wrong, or some still help."""
        native = native_library()
        worker, thread = own_worker(), threading.get_ident()
        worker.launch = ctypes.addressof(self.record)
        worker.alone = alone
        address = ctypes.addressof(worker)
        self.workers[thread] = worker
        try:
            try:
                if helpers is not None and wanted:
                    self.record.pool = helpers.ready()
                    code = native.lead(address, wanted)
                else:
                    code = native.work(address, self.prototype.suspending)
            finally:
                del self.workers[thread]
        except KeyboardInterrupt:
            self._leave(address)
            native.release(address)
            raise
        self._leave(address)
        if code > 0:
            self.thrown(worker, code)
        return -min(code, 0)

    def thrown(self, worker: Worker, code: int) -> None:
        """A worker was thrown out of a block, which it still holds."""
        self.record.error = 1
        if code == THROW_BOUNDS:
            self._fail_at_miss(worker)
        elif self.failure is None:  # else it is ended for that, with many others
            is_vector = self.kernel.is_vector(self.record.entry)
            why = self._by_threads(worker, code) or described(worker, code, is_vector)
            self.fail(why + self._about_trap(code))
        elif self.aborted not in (None, INTERRUPTED) and self._ended < MOST_ENDED:
            # Two that end at the same time may leave one line: each is a place to look at.
            self._ended += 1
            self.failure = f"{self.failure}\n{self._end_of(worker, code)}"
        native_library().release(ctypes.addressof(worker))

    def _end_of(self, worker: Worker, code: int) -> str:
        """Where a worker was that has made no progress."""
        where = reports.position(worker, code, self.kernel.is_vector(self.record.entry))
        has_threads = self.record.suspending == LAUNCH_THREADS
        return describe_end(worker, where, has_threads, self._file())

    def _about_trap(self, code: int) -> str:
        """A kernel that synchronizes its grid traps where that is not possible."""
        if code != THROW_TRAP or self.is_cooperative or not self.kernel.module.uses_workspace:
            return ""
        return (
            ": a grid synchronizes (grid.sync()) in cooperative launches only, as by "
            "cudaLaunchCooperativeKernel"
        )

    def _leave(self, worker: int) -> None:
        if self.kernel.module.sanitizer is not None:
            self.kernel.module.sanitizer.leave(worker)


def _unknown(address: int) -> None:
    """The bounds of memory that nothing is known of."""


# Native code knows a launch by the address of its record only.
_running: dict[int, Launch] = {}
_expected: WeakValueDictionary[int, Launch] = WeakValueDictionary()


def announce(launch: Launch) -> None:
    """Let `launch_of` know a launch that may run again and again, as long as it lives."""
    _expected[ctypes.addressof(launch.record)] = launch


def launch_of(record_address: int) -> Launch | None:
    """The running launch whose record lies at `record_address`."""
    return _running.get(record_address) or _expected.get(record_address)


def thrown(worker: Worker, code: int) -> None:
    """A helper was thrown out of a block of a launch."""
    launch = launch_of(worker.launch)
    if launch is not None:
        launch.thrown(worker, code)


# -- What native code tells of kernels, passed on to the launch and its device.


class KernelHandlers(Handlers):
    """The handlers of a process in which kernels run."""

    def stuck(self, worker: int) -> None:
        record: int = ctypes_struct("Worker").from_address(worker).launch
        launch = launch_of(record)
        if launch is not None:
            sanitizer = launch.kernel.module.sanitizer
            if sanitizer is not None:
                with _failing(launch):
                    sanitizer.stuck(worker)
            launch.fail(reports.describe_deadlock(worker))

    def misuse(self, thread: int, kind: int) -> None:
        launch = _launch_of_thread(thread)
        if launch is not None:
            sanitizer = launch.kernel.module.sanitizer
            if sanitizer is not None:
                with _failing(launch):
                    sanitizer.misuse(thread, kind)
            launch.fail(reports.describe_misuse(thread, kind))

    def notice(self, thread: int, kind: int, amount: int) -> None:
        launch = _launch_of_thread(thread)
        if launch is not None and kind == NOTICE_CROWDED:
            launch.widen()
        elif launch is not None:
            sanitizer, place = launch.kernel.module.sanitizer, ""
            if sanitizer is not None:
                with _failing(launch):
                    if sanitizer.notice(thread, kind, amount):
                        return
                    place = sanitizer.notice_place(thread, kind)
            launch.warn(reports.describe_notice(kind, amount), place)

    def assertion(self, thread: int, message: int, file: int, line: int, function: int) -> None:
        text = reports.describe_assertion(thread, message, file, line, function)
        launch = _launch_of_thread(thread)
        if launch is not None:
            launch.kernel.module.device.flush_printed()
        # One write: blocks on other threads fail at the same time.
        print(f"{text}\n", end="", file=sys.stderr, flush=True)
        if launch is not None:
            launch.fail(f"device-side assert triggered: {text}")

    def printf(self, thread: int, format: int, arguments: int) -> int:
        text, count = reports.format_printf(format, arguments)
        launch = _launch_of_thread(thread)
        if launch is not None and not launch.is_repeated:
            launch.kernel.module.device.printed.add(launch, text)
        return count


@contextlib.contextmanager
def _failing(launch: Launch) -> Generator[None]:
    """Let a launch fail for what goes wrong in the sanitizer: native code cannot pass it on, and a
    program without findings would look correct."""
    try:
        yield
    except Exception as problem:
        launch.fail(f"internal error in the sanitizer: {problem!r}")


def _launch_of_thread(thread: int) -> Launch | None:
    """The running launch that a thread's record belongs to."""
    block: int = ctypes_struct("Thread").from_address(thread).block
    return launch_of(ctypes_struct("Block").from_address(block).launch)

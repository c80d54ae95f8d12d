# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sanitizer as the host device knows it: told of allocations, operations and waits, it keeps
what orders them, and hands the rest to native code.

Every operation has a clock for each lane: a stream, or the host (lane 0). What it knows of a lane
are the operations of that lane that it comes after, by streams, events and waits of the host: never
by the order in which things happen to run.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, cast

from xgpu.core.ir.errors import DeviceError, DiagnosticError
from xgpu.core.ir.locations import source_location
from xgpu.core.support.demangle import demangled
from xgpu.core.support.process import rare_collections
from xgpu.host_device.abi.sanitizer_records import KIND_NAMES
from xgpu.host_device.device.operations import Communication, Effect, Transfer, Word, counted
from xgpu.host_device.device.sanitizer_interface import Instrumented
from xgpu.host_device.sanitizer.reports.coverage import Coverage, Launches, NotWatched
from xgpu.host_device.sanitizer.reports.cuda_words import say
from xgpu.host_device.sanitizer.reports.findings import (
    Allocation,
    HostOperation,
    Knowledge,
    distinct,
    in_order,
)
from xgpu.host_device.sanitizer.reports.library import sanitizer_library
from xgpu.host_device.sanitizer.reports.order import OperationOrder

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xgpu.host_device.abi.record_classes import Launch, Worker
    from xgpu.host_device.compiler.objects import Specialized
    from xgpu.host_device.compiler.specialize import KernelSource
    from xgpu.host_device.device.operations import Operation as HostWork
    from xgpu.host_device.device.sanitizer_interface import KnownLaunch
    from xgpu.host_device.sanitizer.instrument.calls import Instrumentation
    from xgpu.host_device.sanitizer.instrument.known_launches import KnownLaunches
    from xgpu.host_device.sanitizer.instrument.whole_launch import Outline
    from xgpu.host_device.sanitizer.reports.findings import Dims, Finding

KINDS = KIND_NAMES
#: What is looked for if nothing is named: many programs leave their end to the process.
DEFAULT_KINDS = ("memory", "race", "sync", "init")
#: Reports of one run, at most `sanitizer_state.MOST_REPORTS`; and what is remembered of screening.
MOST_FINDINGS, _MOST_SCREENS = 4096, 10_000
_MOST_WATCHED = 1000  # ways in which launches were watched
_WARP = 32  # threads
_AGAIN = 2  # a launch that should be screened with more care
#: "owned" and "exposed" are device memory of Python's arrays, where only we write it or others do,
#: too; "array" is memory of other libraries.
_ALLOCATION_KINDS = {
    "device": 0, "owned": 0, "host": 2, "array": 2, "managed": 3, "exposed": 3, "variable": 2,
    "constant": 5,
}  # fmt: skip


_HOST_CODE = HostOperation("code", None, None)


class Sanitizer(Knowledge):
    """What is wrong with one run of a program, of the given kinds."""

    def __init__(self, kinds: Iterable[str] = DEFAULT_KINDS, *, orders: bool = False) -> None:
        super().__init__()
        self.kinds = tuple(kinds)
        #: Whether a volatile access is like a plain one.
        self.volatile_races = "volatile" in self.kinds
        if self.volatile_races and "race" not in self.kinds:
            self.kinds = (*self.kinds, "race")
        #: Whose functions a program calls that uses CUDA, "runtime" or "driver": reports have its
        #: words then.
        self.cuda_calls: str | None = None
        #: Numbers of handles, streams and operations, for all devices that this watches.
        self.counters = counted()
        #: Whether kernels are to run in other orders than the natural one, and which it is now
        #: (`Launch.order`); the largest block, in warps, and the largest grid of the run.
        self.orders = orders
        self.order = 0
        self.most_warps = self.most_groups = 0
        self.notes: dict[tuple[object, ...], Finding] = {}
        self._left_out = 0
        self._by_address: dict[int, Allocation] = {}
        self._calls = sanitizer_library().calls
        self._state = self.record("SanState", sanitizer_library().state)
        self._lock = threading.Lock()
        self._running = 0
        #: Arrays that no launch uses now, by address. The next one may use them again.
        self._unused: dict[int, Allocation] = {}
        self._clocks = OperationOrder(self._calls, self._settle, self._host_code)
        self._objects: dict[int, tuple[str, str | None]] = {}
        #: What is screened, by the text of its module, and the kernel where modules are divided.
        self._sources: dict[tuple[str, str], KernelSource] = {}
        #: Kernels that write where they have read, so that it must be known who has.
        self._fine: set[object] = set()
        #: What became of launches that were screened.
        self.screens: list[str] = []
        #: Why launches of a kernel cannot be screened, by its name.
        self._reasons: dict[str, str] = {}
        #: How launches were watched, and how many of them.
        self._launches: dict[tuple[str, str, str], int] = {}
        self._begin()

    @property
    def left_out(self) -> int:
        """How often there was no room for another report."""
        return self._state.dropped + self._left_out

    def _note(self, found: Finding) -> None:
        """Add what Python has found. What is seen again takes no room."""
        known = self.notes.get(key := found.key())
        if known is not None:
            known.count += found.count
        elif len(self.notes) < MOST_FINDINGS:
            self.notes[key] = found
        else:
            self._left_out += 1

    def _begin(self) -> None:
        self._calls["xgpu_san_begin"](sum(1 << KINDS.index(k) for k in self.kinds if k in KINDS))
        self._state.report_room = MOST_FINDINGS
        self._screen_record = self.record("SanScreen", self._state.screen)
        self._calls["xgpu_san_idle"]()

    def restart(self, order: int) -> None:
        """The program runs again, its kernels in another `order`; what was found is forgotten,
        what was compiled is not."""
        self.order = order
        self.notes = {}
        self._by_address.clear()
        self._unused.clear()
        self._objects.clear()
        self.allocations.clear()
        self._begin()
        self._clocks.restart()

    # -- kernels

    def prepare(self, module: Operation) -> None:
        """Before a program is lowered: what passes would take away stays."""
        from xgpu.host_device.sanitizer.instrument.kernels import keep_plain_waits

        keep_plain_waits(module)

    @rare_collections()
    def instrument(self, module: Operation) -> Instrumentation:
        """Let the kernels of a module tell the sanitizer what they do; the module is changed. Who
        learns of whom in it is part of the result."""
        from xgpu.host_device.sanitizer.instrument.kernels import instrument

        try:
            return instrument(
                module, self.sites, orders=self.orders, volatile_races=self.volatile_races
            )
        except DiagnosticError as problem:
            first = problem.diagnostics[0]
            location = source_location(first.location)
            where = ":".join(map(str, location)) + ": " if location else ""
            raise DeviceError(f"{where}{first.message}") from None

    def instrumented(self, source: KernelSource, kernel: str = "") -> Instrumented:
        """Code of a kernel module that tells the sanitizer what its kernels do, or what one of them
        does, if it is named and the module is divisible."""
        from xgpu.host_device.compiler.kernel_cache import KernelCode
        from xgpu.host_device.compiler.threads.runtime_calls import export_constants
        from xgpu.host_device.machine.cpu import description

        def make() -> Instrumented:
            code = KernelCode(source.text, source=source.part(kernel) if kernel else None)
            code.is_cached = False
            module = code.source.changeable_module()
            constants = export_constants(module)
            made = self.instrument(module)
            return Instrumented(
                code, made.synchronizes, made.depends_on_order, made.signals, constants
            )

        key = ("threads", source.text, kernel, self.orders, self.volatile_races, description())
        return self.sites.made_once(key, make)

    def screen(
        self, source: KernelSource, kernel: str, block: Dims, is_small: bool
    ) -> Specialized | None:
        """Code that screens launches of a kernel; None where only threads can look at it."""
        found = self._screened_code(source, kernel, block, is_small)
        reason = found.reasons[0].reason if found.reasons else "screened"
        self.screens.append(f"{kernel}: {reason}")
        self._reasons[kernel] = reason
        return found if found.code is not None else None

    def by_warps(
        self,
        source: KernelSource,
        watched: Instrumented,
        kernel: str,
        block: Dims,
        is_small: bool,
        *,
        is_asked: bool,
    ) -> Specialized | None:
        """Code in which warps tell what they do; None where threads do. That is so where launches
        can be screened: threads look at what is not certain then. If it is not asked for, it is so
        as well where threads give signals without a race: in lockstep those of a lane are always
        seen; and where blocks are one warp, none of whose threads would run ahead of the others."""
        from xgpu.host_device.compiler.strategies import WARPS
        from xgpu.host_device.machine.cpu import description

        text = source.text
        if self.orders or self._screened_code(source, kernel, block, is_small).code is not None:
            return None
        x, y, z = block
        if not is_asked and (x * y * z <= _WARP or watched.signals):
            return None

        def make() -> Specialized:
            return watched.code.source.compile(kernel, block, is_small=is_small, strategy=WARPS)[0]

        key = ("warps", text, kernel, block, is_small, self.volatile_races, description())
        found = self.sites.made_once(key, make)
        return found if found.code is not None else None

    def _screened_code(
        self, source: KernelSource, kernel: str, block: Dims, is_small: bool
    ) -> Specialized:
        from xgpu.host_device.machine.cpu import description

        key = ("screen", source.text, kernel, block, is_small, self.kinds, description())
        return self.sites.made_once(key, lambda: self._screen(source, kernel, block, is_small))

    @rare_collections()
    def _screen(self, whole: KernelSource, kernel: str, block: Dims, is_small: bool) -> Specialized:
        from xgpu.host_device.compiler.objects import find_module
        from xgpu.host_device.compiler.specialize import KernelSource
        from xgpu.host_device.compiler.threads.runtime_calls import export_constants, is_divisible
        from xgpu.host_device.sanitizer.instrument.calls import Instrumentation
        from xgpu.host_device.sanitizer.instrument.screening import Screen

        divided = is_divisible(whole.module)
        key = whole.text, kernel if divided else ""
        source = self._sources.get(key)
        if source is None:
            if divided:
                source = whole.part(kernel)
            else:
                source = KernelSource(whole.text, compiled=find_module(whole.text))
            self._sources[key] = source
            export_constants(source.changeable_module())
        screen = Screen(Instrumentation(source.changeable_module(), self.sites), self.kinds)
        return source.screened(kernel, block, is_small, screen)

    def function_address(self, symbol: str) -> int | None:
        """The address of a function that instrumented kernels call; None if it is another's."""
        return sanitizer_library().symbols.get(symbol)

    def known_launches(self, outline: object, pointers: Sequence[int]) -> KnownLaunches:
        """Launches of a kernel that need not be watched; `pointers` are the numbers of its
        parameters that are some."""
        from xgpu.host_device.sanitizer.instrument.known_launches import KnownLaunches

        return KnownLaunches(cast("Outline", outline), pointers, races="race" in self.kinds)

    def is_known(self, record: Launch, known: KnownLaunch, skipped: int) -> bool:
        """Whether the memory of a launch is such that all but its first `skipped` blocks need no
        watch."""
        accesses = type(known.accesses).from_buffer_copy(known.accesses)
        found = self._calls["xgpu_san_known"](
            ctypes.addressof(record), ctypes.addressof(known.ranges), len(known.ranges) // 4,
            ctypes.addressof(accesses), known.access_count, skipped,
        )  # fmt: skip
        if found and known.access_count:
            # Native code keeps it, and changes it, until all that comes is ordered behind it.
            self._clocks.keep(known, accesses)
        return bool(found)

    def is_unknown(self, record: Launch) -> None:
        """A launch is watched after all."""
        self._calls["xgpu_san_unknown"](record.identity)

    def watched_as_known(self, kernel: str) -> None:
        """A launch of a kernel was known to be right before it ran."""
        self._note_watched(kernel, "known before it runs", "")
        self._note_fate("known")

    def screened(
        self, record: Launch, kernel: object, name: str, worker: Worker, *, whole: bool = True
    ) -> bool:
        """Run a launch of a kernel of that name in this thread, whose worker that is, as one that
        is screened, if it is not the `whole` launch its first blocks; False where it has to run
        thread by thread, and nothing has happened."""
        fine = kernel in self._fine
        found = self._screened(name, type(record).from_buffer_copy(record), worker, fine, whole)
        if found == _AGAIN and not fine:
            self._fine.add(kernel)
            found = self._screened(name, record, worker, True, whole)
        return found == 1

    def _screened(
        self, kernel: str, record: Launch, worker: Worker, fine: bool, whole: bool
    ) -> int:  # fmt: skip
        from xgpu.host_device.native.library import native_library

        worker.launch = ctypes.addressof(record)
        address = ctypes.addressof(worker)
        begin = self._calls["xgpu_san_screen_begin"]
        if not begin(worker.launch, record.groups, address, int(fine)):
            self.watched_whole(kernel, False, "the numbers of blocks are used up")
            return 0
        native = native_library()
        failed = native.work(address, record.suspending)
        if failed:
            native.release(address)
        # The site at which the launch left the screened way: until the end no other launch is in.
        place = self._screen_record.suspicious >> 1
        clean = self._calls["xgpu_san_screen_end"](address, failed or record.error)
        if whole or clean == 0:
            self._note_screened(kernel, place, clean)
        if whole or clean != 1:
            self._note_fate(("undone", "clean", "again")[clean])
        return clean

    def _note_fate(self, fate: str) -> None:
        self.screens.append(fate)
        if len(self.screens) > 2 * _MOST_SCREENS:
            del self.screens[:_MOST_SCREENS]

    # -- how launches were watched

    def watched_whole(self, kernel: str, is_vector: bool, why: str = "") -> None:
        """Each access of a launch of a kernel is looked at, by threads or by warps; without a
        reason its code cannot be screened."""
        why = why or self._reasons.get(kernel, "it was asked for")
        self._note_watched(kernel, "warp by warp" if is_vector else "thread by thread", why)

    def _note_screened(self, kernel: str, place: int, clean: int) -> None:
        """How a launch was watched that was screened up to the site `place`, 0 for none."""
        if clean == 1:
            self._note_watched(kernel, "screened", "")
        elif clean == 0:
            site = self.sites[place]
            at = f" at {site.file}:{site.line}:{site.column}" if site.line else ""
            why = f"the checks do not tell whether an access{at} is right" if place else "it waits"
            self._note_watched(kernel, "screened, then thread by thread", why)

    def _note_watched(self, *how: str) -> None:
        kernel, way, why = how
        key = demangled(kernel), way, why
        with self._lock:
            if key in self._launches or len(self._launches) < _MOST_WATCHED:
                self._launches[key] = self._launches.get(key, 0) + 1

    def coverage(self) -> Coverage:
        """What was watched, and what was not."""
        with self._lock:
            found = tuple(Launches(*how, n) for how, n in self._launches.items())
        kernels = {launches.kernel for launches in found}
        hints = dict.fromkeys(
            NotWatched(site.kernel, site.name, self.texts.shown(site.location))
            for site in self.sites.not_watched()
            if site.kernel in kernels
        )
        return Coverage(self.kinds, found, tuple(hints))

    def begin_launch(self) -> None:
        with self._lock:
            self._running += 1

    def end_launch(self) -> None:
        """With no launch left, what blocks released is not needed any more."""
        with self._lock:
            self._running -= 1
            if self._running == 0:
                self._calls["xgpu_san_idle"]()

    def leave(self, worker: int) -> None:
        """A worker has stopped, perhaps in the middle of a block."""
        self._calls["xgpu_san_leave"](worker)

    def instrument_host(self, module: Operation) -> None:
        """Let the host's code of a lowered program tell the sanitizer what it does."""
        from xgpu.host_device.sanitizer.instrument.kernels import instrument_host

        instrument_host(module, self.sites, sanitizer_library().symbols["xgpu_san_host_code"])
        self._clocks.watch_host_code()

    # -- order

    def submit(self, operation: HostWork, name: str, what: Effect | None, alone: bool) -> None:
        """An operation has been given to a stream; one that is `alone` is ordered by what it waits
        for and by nothing else."""
        synchronizes = _synchronizes(what)
        if what is None or what.kind != "kernel":
            self.end_unused()
        number = self._clocks.submit(operation, synchronizes, alone=alone)
        self._describe(number, name, operation.location, what)
        if isinstance(what, Word) and operation.action is not None:
            operation.action = self._word(operation, number, what, operation.action)
        elif operation.action is not None:
            operation.action = self._telling(number, what, operation.location, operation.action)

    def begin_part(
        self, operation: HostWork, name: str, what: Effect | None, action: Callable[[], None]
    ) -> Callable[[], None]:
        """What an operation that runs does next, and how it is done. It is ordered with all that
        the operation is ordered with, and with the parts before it."""
        synchronizes = _synchronizes(what)
        number = self._clocks.begin_part(operation, synchronizes)
        self._describe(number, name, operation.location, what)
        return self._telling(number, what, operation.location, action)

    def _describe(self, number: int, name: str, location: str | None, what: Effect | None) -> None:
        """Say what the operation of a number is."""
        self.operations[number] = HostOperation(name, location, what)
        record = getattr(what, "record", None)
        if record is not None:
            record.identity = number
            record.order = self.order
            threads = record.block_x * record.block_y * record.block_z
            self.most_warps = max(self.most_warps, -(-threads // 32))
            self.most_groups = max(self.most_groups, record.groups)

    def _telling(
        self, number: int, what: Effect | None, location: str | None, action: Callable[[], None]
    ) -> Callable[[], None]:
        """What does something and tells what it does to memory."""
        if isinstance(what, Transfer):
            return self._watched(number, what, location, action)
        if isinstance(what, Communication):
            return self._communicates(number, what, location, action)
        return action

    def _word(
        self, operation: HostWork, number: int, what: Word, action: Callable[[], None]
    ) -> Callable[[], None]:
        """A write of a word that streams wait for, or a wait for one, as it is done."""
        site = self.sites.host(operation.location, what.name)

        def access() -> None:
            self._calls["xgpu_san_word"](number, site, what.address, what.size, int(what.writes))

        def write() -> None:
            access()
            self._clocks.write_word(operation.number, what.address, action, what.orders)

        def wait() -> None:
            action()
            self._clocks.see_word(operation.number, what.address)
            access()

        return write if what.writes else wait

    def host_waits(self, operations: Iterable[HostWork]) -> None:
        """The host knows that these operations are over."""
        self._clocks.host_waits(operations)

    def _settle(self) -> None:
        if not self._state.report_count:  # else reports say whose accesses they mean
            self.operations.clear()

    def _host_code(self, number: int) -> None:
        self.operations[number] = _HOST_CODE

    # -- copies and fills

    def _watched(
        self, number: int, what: Transfer, location: str | None, action: Callable[[], None]
    ) -> Callable[[], None]:
        def run() -> None:
            if self._perform(number, what, location):
                action()

        return run

    def _communicates(
        self, number: int, what: Communication, location: str | None, action: Callable[[], None]
    ) -> Callable[[], None]:
        def run() -> None:
            site = self.sites.host(location, what.name)
            for begin, size, writes in what.ranges:
                target, source = (begin, 0) if writes else (0, begin)
                self._calls["xgpu_san_transfer"](number, site, target, source, size, int(writes))
            action()

        return run

    def _perform(self, number: int, what: Transfer, location: str | None) -> bool:
        """Look at a copy, a fill, an allocation or a release; whether it may be done."""
        if what.name == "alloc":
            return True
        size = what.count * max(what.width, 1)
        site = self.sites.host(location, what.name)
        if what.name == "free":
            self._end(self._by_address.get(what.target), number, site, location)
            return True
        fits = self._fits(what, what.target, size, location, "writes")
        if what.source:
            fits = self._fits(what, what.source, size, location, "reads") and fits
        if fits:
            fill = int(not what.source)
            for target, source, bytes in what.parts():
                if source:
                    self._look_at_copy(target, source, bytes, what.name, location)
                self._calls["xgpu_san_transfer"](number, site, target, source, bytes, fill)
        return fits

    def _look_at_copy(
        self, target: int, source: int, size: int, name: str, location: str | None
    ) -> None:
        """Who copies to memory that kernels do not reach will use what is copied."""
        if "init" not in self.kinds or self._lies_in(target) is not None:
            return
        self._look_at([(source, size)], size, name, location)

    def read_by_python(self, parts: list[tuple[int, int]], size: int) -> None:
        """Python copies these pieces of device memory, of `size` bytes together."""
        if "init" in self.kinds:
            self._look_at(parts, size, "numpy", None)

    def _look_at(
        self, parts: list[tuple[int, int]], size: int, name: str, location: str | None
    ) -> None:
        from xgpu.host_device.sanitizer.reports.messages import unwritten_copy_finding

        first = ctypes.c_int64(0)
        missing = begin = 0
        for address, bytes in parts:
            found = self._calls["xgpu_san_missing"](address, bytes, ctypes.addressof(first))
            begin = begin or (first.value if found else 0)
            missing += found
        memory = self._lies_in(begin) if missing else None
        if memory is not None:
            self._note(unwritten_copy_finding(self, name, location, size, missing, begin, memory))

    def _lies_in(self, address: int) -> Allocation | None:
        """The live allocation that holds an address."""
        self.end_unused()
        found = self.allocation_at(address)
        return None if found is None or found.ended else found

    def _fits(
        self, what: Transfer, address: int, size: int, location: str | None, does: str
    ) -> bool:
        from xgpu.host_device.sanitizer.reports.messages import copy_finding

        self.end_unused()
        found = self.allocation_at(address)
        if found is None or (found.ended and found.kind in ("host", "array")):
            return True  # what is no longer registered is the host's as before
        if not found.ended and address + size <= found.address + found.size:
            return True
        if "memory" in self.kinds:
            self._note(copy_finding(self, what.name, location, address, size, does, found))
        return False

    # -- memory

    def allocated(
        self, address: int, size: int, kind: str, location: str | None, name: str = ""
    ) -> None:
        """Memory that kernels may use from here on; `name` is a variable's."""
        if kind != "array":
            self.end_unused()
        number = self._calls["xgpu_san_allocate"](address, size, _ALLOCATION_KINDS[kind])
        made = Allocation(number, address, size, kind, location, name)
        self.allocations[number] = made
        self._by_address[address] = made

    def released(self, address: int, location: str | None, after: Iterable[int] = ()) -> None:
        """The host has released memory: what uses it and is not known to be over is too late, but
        for the operations `after`, whose ends the memory has waited for."""
        number = self._clocks.host_acts(after)
        self.operations[number] = HostOperation("gpu.dealloc", location, None)
        site = self.sites.host(location, "free")
        self._end(self._by_address.get(address), number, site, location)

    def refused(self, why: str, address: int, location: str | None) -> bool:
        """The device cannot release memory; whether that is a finding."""
        from xgpu.host_device.sanitizer.reports.messages import refused_finding

        if "memory" not in self.kinds:
            return False
        found = self._by_address.get(address)
        self._note(refused_finding(self, why, location, found))
        return True

    def allocation_at(self, address: int) -> Allocation | None:
        found = self._by_address.get(address)
        if found is not None and found.size and not found.ended:
            return found  # none that is alive lies over it
        return super().allocation_at(address)

    def lend_array_again(self, address: int, size: int) -> bool:
        """Whether an array that is to be used is registered as it was for an earlier launch. Where
        it holds what nothing has written it is not: the host may have written it since."""
        found = self._unused.get(address)
        if found is None or found.size != size:
            return False
        if not self._calls["xgpu_san_is_written"](address, size):
            return False
        return self._unused.pop(address, None) is not None

    def array_given_back(self, address: int) -> None:
        """No launch uses an array now."""
        found = self._by_address.get(address)
        if found is not None and found.kind == "array" and not found.ended:
            self._unused[address] = found

    def end_unused(self) -> None:
        """Arrays that no launch uses are the host's alone, which may have released them."""
        while self._unused:
            self._release(self._unused.popitem()[1], None)

    def allocated_over(
        self, address: int, size: int, others: Iterable[int], kind: str = "array",
        location: str | None = None,
    ) -> None:  # fmt: skip
        """Memory that holds other memory, at those addresses: what has used that has used it."""
        # What was registered before a run began anew is not known.
        known = [found for other in others if (found := self._by_address.get(other))]
        self.allocated(address, size, kind, location)
        for other in known:
            self._release(other, None)

    def array_forgotten(self, address: int) -> None:
        """An array at an address is gone: what has used it has ended."""
        found = self._by_address.get(address)
        if found is not None and found.kind == "array" and not found.ended:
            found.ended = True
            self._calls["xgpu_san_forget"](found.number)

    def unregistered(self, address: int, location: str | None) -> None:
        found = self._by_address.get(address)
        if found is not None and found.kind in ("host", "array", "variable", "constant"):
            self._release(found, location)

    def _end(self, found: Allocation | None, number: int, site: int, location: str | None) -> None:
        if found is None or found.ended:
            return
        self._calls["xgpu_san_transfer"](number, site, found.address, 0, found.size, 1)
        self._release(found, location)

    def _release(self, found: Allocation, location: str | None) -> None:
        found.ended = True
        found.freed_location = location
        self._calls["xgpu_san_release"](found.number)

    # -- streams and events

    def created(self, what: str, handle: int, location: str | None) -> None:
        self._objects[handle] = (what, location)

    def destroyed(self, handle: int) -> None:
        self._objects.pop(handle, None)

    # -- what native code of the device says

    def stuck(self, worker: int) -> None:
        from xgpu.host_device.sanitizer.reports.waits import stuck_findings

        if "sync" in self.kinds:
            for found in stuck_findings(self, worker):
                self._note(found)

    def spins(self, workers: Iterable[Worker]) -> None:
        """The threads of a launch wait for ever in memory."""
        from xgpu.host_device.sanitizer.reports.waits import spin_findings

        if "sync" in self.kinds:
            for found in spin_findings(self, workers):
                self._note(found)

    def misuse(self, thread: int, kind: int) -> None:
        from xgpu.host_device.sanitizer.reports.waits import misuse_finding

        if "sync" in self.kinds:
            self._note(misuse_finding(self, thread))

    def notice(self, thread: int, kind: int, amount: int) -> bool:
        """Whether what deserves a word is a finding."""
        from xgpu.host_device.sanitizer.reports.waits import notice_finding

        found = notice_finding(self, thread, kind, amount)
        if found is None or "sync" not in self.kinds:
            return False
        self._note(found)
        return True

    def notice_place(self, thread: int, kind: int) -> str:
        """Where that is, empty if it is not known."""
        from xgpu.host_device.sanitizer.reports.waits import notice_place

        return notice_place(self, thread, kind)

    # -- the end

    def findings(self) -> list[Finding]:
        """All that was found, in the order of the source."""
        from xgpu.host_device.sanitizer.reports.messages import leak_findings, native_findings

        # Counts and words change below: copies, as the notes are asked for again.
        found = [*native_findings(self), *(note.copy() for note in list(self.notes.values()))]
        if "leak" in self.kinds:
            found += leak_findings(self, self._objects)
        unique = distinct(found)
        for finding in unique:
            say(finding, self.cuda_calls)
        return in_order(unique)


def _synchronizes(what: Effect | None) -> int:
    """Whether blocks of a launch may learn of one another (`SanOperation`)."""
    kernel = getattr(what, "kernel", None)
    return 0 if kernel is None else kernel.module.watched(kernel.info.name).synchronizes

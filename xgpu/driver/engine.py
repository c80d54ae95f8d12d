# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs host programs: LLVM IR in, machine code in memory, symbols bound, entry called.

The program runs in a thread of its own, under a guard: a device error, a division by zero or a
fault ends it and becomes one `ProgramError`; Ctrl-C reaches the caller at once. Constructors run
before the entry, destructors after it, whatever happened.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import signal
import struct
import threading
from contextlib import nullcontext
from ctypes import CDLL
from typing import TYPE_CHECKING

from xgpu.backend.llvm_ir.containment import watched
from xgpu.core.ir.errors import DeviceError, ProgramError
from xgpu.core.support.forks import new_lock
from xgpu.driver.host_heap import GuardedHeap, HostHeap, LastingHeap
from xgpu.driver.host_source import (
    ABORTED,
    END,
    FLAG,
    LOCATION,
    PYTHON,
    START,
    TABLE,
    VARIABLES,
    HostSource,
    LoweredProgram,
    wrapper_name,
)
from xgpu.driver.options import RESULT_TYPES
from xgpu.host_device.abi.addresses import device_use, is_device
from xgpu.host_device.abi.codes import SIGNAL_CODE, THROW_PROGRAM, THROW_STUCK
from xgpu.host_device.compiler.checks import DIVISION
from xgpu.host_device.device.pages import pages
from xgpu.host_device.native.library import native_library
from xgpu.host_device.native.parts import ASYNC_FUNCTIONS
from xgpu.host_device.native.support import add_support
from xgpu.runtime.device import Device
from xgpu.runtime.mpi import Server, init_for_threads, is_mpi, open_library, serving_rank
from xgpu.runtime.program_threads import end_running, run_in_thread
from xgpu.runtime.session import Session

if TYPE_CHECKING:
    from xgpu.runtime.runner_utils import MemRef

__all__ = ["HostProgram", "ProgramError"]

_numbers = itertools.count()
# The async runtime is one for the process.
_async_lock = new_lock()


class HostProgram:
    """A program, compiled and linked.

    `run` calls `entry`; a `repeatable` program may be run many times, each time with its globals
    as they were at first. Without an `entry` any function with plain parameters can be called, by
    `call`. A `lasting` program is one that `begin` starts and `end` ends; between them `invoke`
    calls any of its functions, and what they leave behind stays.
    """

    def __init__(
        self,
        program: LoweredProgram,
        entry: str | None,
        result: str,
        *,
        session: Session,
        device: Device | None,
        opt_level: int = 2,
        libraries: tuple[CDLL, ...] = (),
        repeatable: bool = False,
        lasting: bool = False,
        ranks: Server | None = None,
    ) -> None:
        self.session = session
        self.device = device
        self._ranks = ranks if ranks is not None else serving_rank()
        self._locations = program.locations
        self._kernels = program.kernels  # until the program loads them
        self._kept: list[object] = []
        self.heap: LastingHeap | HostHeap | GuardedHeap = LastingHeap() if lasting else HostHeap()
        self._trap: str | None = None
        self._fault: str | None = None
        self._native = native_library()
        self._entry = entry
        self._repeatable = repeatable or (entry is None and not lasting)
        self._lasting = lasting
        memory = getattr(device, "memory", None)
        runs_once = not (self._repeatable or lasting) or ranks is not None
        if runs_once and memory is not None:
            self.heap = GuardedHeap(self._heap_failed)
            memory.host_range_at = self.heap.range_at
            memory.is_apart = True
        source = HostSource(program.parts, opt_level)
        if self._entry is not None:
            self.result = source.check_entry(self._entry, result)
            source.wrap(self._entry, self.result)
        else:
            source.wrap_all(aggregates=lasting)
        self._has_variables = self._repeatable and source.list_variables()
        self._communicates = source.communicates
        undefined, code = source.compile(lambda name: self._is_python(name, libraries))
        #: The functions that `call` takes, with the LLVM types of their parameters and result.
        self.functions = source.wrapped
        self._is_async = any(name in ASYNC_FUNCTIONS for name in undefined)
        # A library may make tokens available in threads of its own.
        self._detects_stuck = not libraries
        #: Tokens, values and groups that the program has not dropped, after it ran.
        self.async_alive = 0
        self._link(undefined, code, libraries)
        #: The address of each variable, with the bytes of its first value.
        self._first = self._first_values(source.variable_count) if self._has_variables else []

    def _link(self, undefined: list[str], code: bytes, libraries: tuple[CDLL, ...]) -> None:
        from llvmlite import binding

        builder = add_support(binding.JITLibraryBuilder().add_object_img(code), code)
        missing: list[str] = []
        if self._ranks is None:
            libraries = self._with_mpi(undefined, libraries)
        else:
            self._ranks.choose(undefined)
            self._ranks.location_of = self._locations.__getitem__
            self._ranks.where = lambda: self.session.location()
            self._ranks.room = self._room
        for name in undefined:
            address = self._resolve(name, libraries)
            if address is None:
                missing.append(name)
            else:
                builder.import_symbol(name, address)
        if missing:
            plural = "symbols" if len(missing) > 1 else "symbol"
            names = ", ".join(f"'{n}'" for n in missing)
            raise ProgramError(
                f"undefined {plural} {names}: declared but not defined; "
                "name a library that has it (`libraries` in Python, --shared-libs of xgpu-runner)"
            )
        exports = [START, END, LOCATION, TABLE, FLAG]
        exports += [wrapper_name(name) for name in self.functions]
        if self._has_variables:
            exports.append(VARIABLES)
        for name in exports:
            builder.export_symbol(name)
        try:
            with watched("link the program"):
                self._tracker = builder.link(self._native.jit, f"xgpu.program.{next(_numbers)}")
        except RuntimeError as problem:
            raise ProgramError(f"cannot link the program: {problem}") from None
        self._symbols: dict[str, int] = {name: self._tracker[name] for name in exports}
        self._location = ctypes.c_int32.from_address(self._symbols[LOCATION])
        self.use(self.session)

    def _with_mpi(self, undefined: list[str], libraries: tuple[CDLL, ...]) -> tuple[CDLL, ...]:
        """The libraries, and MPI's where the program calls it and none of them has it."""
        wanted = [name for name in undefined if is_mpi(name)]
        missing = [n for n in wanted if not any(_address_in(lib, n) for lib in libraries)]
        return (*libraries, open_library(wanted)) if missing else libraries

    def _first_values(self, count: int) -> list[tuple[int, bytes]]:
        words = (ctypes.c_uint64 * (2 * count)).from_address(self._symbols[VARIABLES])
        return [
            (address, ctypes.string_at(address, size))
            for address, size in zip(words[::2], words[1::2], strict=True)
        ]

    def use(self, session: Session) -> None:
        """Let the next run print to `session`, and stop when it has failed."""
        self.session = session
        session.location = lambda: self._locations[self._location.value]

    def _is_python(self, name: str, libraries: tuple[CDLL, ...]) -> bool:
        """Whether `name` is a runner function of ours."""
        from xgpu.runtime.runner_utils import lookup

        if self._ranks is not None and self._ranks.serves(name):
            return True
        if any(_address_in(library, name) for library in libraries):
            return False
        return lookup(name, self._write) is not None

    def _write(self, text: str) -> None:
        self.session.write(text)

    def _heap_failed(self, what: str, address: int) -> None:
        """A release went wrong; of device memory at `address`, or by a store beside the memory,
        which the sanitizer has seen itself."""
        sanitizer = getattr(self.device, "sanitizer", None)
        if sanitizer is None:
            self.session.fail(what)
        elif address:
            sanitizer.refused(what, address, self.session.location())

    def _refuse(self, memref: MemRef) -> bool:
        """Whether memory is not the host's to use; the program stops then."""
        if not is_device(memref.base) or self.device is None or self.device.name != "host":
            return False
        self.session.fail(f"host code uses device memory: {pages().describe_device(memref.base)}")
        return True

    def _resolve(self, name: str, libraries: tuple[CDLL, ...]) -> int | None:
        from xgpu.runtime.runner_utils import ALIASES, lookup

        if name == DIVISION:
            return self._keep(
                ctypes.CFUNCTYPE(None, ctypes.c_int32, ctypes.c_int32)(self._on_division)
            )
        if name == ABORTED:
            return self._keep(ctypes.CFUNCTYPE(None)(self._on_abort))
        own = self._repeatable or self._lasting or isinstance(self.heap, GuardedHeap)
        if own and name in ("malloc", "free"):
            return self._keep(getattr(self.heap, name))
        if self._ranks is not None and (found := self._of_ranks(self._ranks, name)) is not None:
            return found
        if name.startswith(PYTHON):
            return self._keep(lookup(name[len(PYTHON) :], self._write, self._refuse))
        if name in ASYNC_FUNCTIONS or name.startswith("xgpu_"):
            return self._native.symbols.get(name)
        if name == "MPI_Init" and self._communicates:
            return self._keep(
                ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_uint64, ctypes.c_uint64)(init_for_threads)
            )
        for library in libraries:
            address = _address_in(library, name)
            if address is not None:
                return address
        process = ctypes.CDLL(None)
        return _address_in(process, ALIASES.get(name, name)) or _address_in(_libm(), name)

    def _room(self, address: int) -> int | None:
        """How many bytes there are from an address to the end of its allocation."""
        found = self.heap.range_at(address) if isinstance(self.heap, GuardedHeap) else None
        return None if found is None else found[1] - address

    def _of_ranks(self, ranks: Server, name: str) -> int | None:
        """The address of what ranks without an MPI library have of a library's symbols."""
        function = name.removeprefix(PYTHON)
        if ranks.serves(function):
            return self._keep(ranks.function(function))
        return ranks.symbol(name)

    def _keep(self, function: ctypes._CFunctionType | None) -> int:
        self._kept.append(function)
        return 0 if function is None else ctypes.cast(function, ctypes.c_void_p).value or 0

    def _on_division(self, location: int, kind: int) -> None:
        where = self._locations[location]
        what = "integer division by zero" if kind == 0 else "integer division overflows"
        self._trap = f"{where}: error: {what}" if where else f"{what} in the host program"

    def _on_abort(self) -> None:
        ctypes.CDLL(None).fflush(None)  # what an assertion has said
        what = "the host program called 'abort', as failed assertions do"
        where = self._locations[self._location.value]
        self._trap = f"{where}: error: {what}" if where else what

    # -- running

    def run(self) -> int | float | None:
        """Call constructors, the entry and destructors; the entry's result.

        Raises `DeviceError` for what the device latched and `ProgramError` for a fault of the
        program.
        """
        assert self._entry is not None
        slot = ctypes.c_uint64(0)
        outcome = self._execute(self._entry, ctypes.addressof(slot))
        if self.device is not None:
            self.device.close()
        self.heap.release()
        self._raise(outcome)
        if self.result == "void":
            return None
        letter = RESULT_TYPES[self.result][1]
        (value,) = struct.unpack_from(letter, bytes(slot))
        return int(value) if letter == "?" else value

    def _execute(self, name: str, slots: int) -> list[int]:
        """Run the program in a thread; what the guards of its parts said."""
        from xgpu.host_device.native.signals import caught_faults

        outcome: list[int] = []
        self._prepare()
        with caught_faults():
            run_in_thread(lambda: self._steps(name, slots, outcome), self._interrupted)
        return outcome

    def _interrupted(self, finished: threading.Event) -> None:
        """Ctrl-C: nothing new begins, and what waits for the device gets a moment to end. A
        program that does not end keeps what it uses.
        """
        self.session.fail("interrupted")
        if self.device is not None:
            end_running(self.device, finished)

    def call(self, name: str, slots: int) -> None:
        """Call the function `name`, in this thread, under handlers that the caller has installed
        (`caught_faults`); then finish the device's work. `slots` is the address of its arguments,
        8 bytes each, behind which there is room for its result. Raises as `run` does.
        """
        outcome: list[int] = []
        self._prepare()
        self._steps(name, slots, outcome)
        if self.device is not None:
            self.device.finish()
        self.heap.release()
        self._raise(outcome)

    def begin(self) -> None:
        """Start a lasting program: load its kernels. Raises as `run` does."""
        self._prepare()
        self._raise([self._guarded(START, 0)])

    def invoke(self, name: str, slots: int) -> None:
        """Call a function of a lasting program, in this thread. What it has given the device may
        still run. Raises as `run` does; what it has failed with is forgotten by that.
        """
        if self._is_async:
            with _async_lock:
                self._raise(self._async_steps(name, slots))
            return
        self._trap = self._fault = None
        self._raise([self._guarded(wrapper_name(name), slots)])

    def _async_steps(self, name: str, slots: int) -> list[int]:
        self._prepare()
        outcome = [self._guarded(wrapper_name(name), slots)]
        outcome.append(self._native.async_stop(any(outcome)))
        self.async_alive = self._native.async_alive()
        return outcome

    def end(self) -> None:
        """End a lasting program, whatever happened in it."""
        self._guarded(END, 0)

    def _prepare(self) -> None:
        if self.device is not None:
            table = self.device.address_table()
            ctypes.memmove(self._symbols[TABLE], table, ctypes.sizeof(table))
        if self._is_async:
            self._native.async_alive()
            self._native.async_start(_processors(), self._detects_stuck)
        self._trap = self._fault = None
        self._location.value = 0
        flag = ctypes.c_void_p.from_address(self._symbols[FLAG])
        flag.value = ctypes.addressof(self.session.flag)

    def _steps(self, name: str, slots: int, outcome: list[int]) -> None:
        with self.device.entered() if self.device is not None else nullcontext():
            self._parts(name, slots, outcome)

    def _parts(self, name: str, slots: int, outcome: list[int]) -> None:
        for address, value in self._first:
            ctypes.memmove(address, value, len(value))
        outcome.append(self._guarded(START, 0))
        if not outcome[-1]:
            outcome.append(self._guarded(wrapper_name(name), slots))
        if self._is_async:
            outcome.append(self._native.async_stop(any(outcome)))
            self.async_alive = self._native.async_alive()
        outcome.append(self._guarded(END, 0))

    def _guarded(self, symbol: str, argument: int) -> int:
        code = self._native.guard(self._symbols[symbol], argument)
        if code > SIGNAL_CODE:
            # In words now: the device is closed before it is raised.
            self._fault = self._fault or self._fault_text(code - SIGNAL_CODE)
        return code

    def _raise(self, outcome: list[int]) -> None:
        if self._trap is not None:
            raise ProgramError(self._trap)
        if self.session.error is not None:
            raise self.session.error
        code = next((c for c in outcome if c), 0)
        if code == THROW_STUCK:
            raise ProgramError(
                "the host program waits for ever: nothing that it awaits can become available"
            )
        if code == THROW_PROGRAM:
            raise DeviceError("the device failed")
        if code:
            raise ProgramError(self._fault or f"signal {code - SIGNAL_CODE}")

    def _fault_text(self, number: int) -> str:
        """What is known of a fault of the program's own code."""
        claim = self._native.false_claim()
        if claim is not None:
            return f"false claim: {claim}"
        found = device_use(self._native.fault_address())
        if found is None or not signal_is_of_memory(number):
            return _fault_text(number, self._locations[self._location.value])
        where = self._locations[found[0]]
        text = f"host code uses device memory: {pages().describe_device(found[1])}"
        return f"{where}: error: {text}" if where else text


def signal_is_of_memory(number: int) -> bool:
    """Whether a signal says that an address is not there."""
    return number in (signal.SIGSEGV, signal.SIGBUS)


def _fault_text(number: int, location: str | None) -> str:
    faults: dict[int, str] = {
        signal.SIGSEGV: "illegal memory access",
        signal.SIGBUS: "misaligned or illegal memory access",
        signal.SIGFPE: "arithmetic fault",
        signal.SIGILL: "the program trapped",
    }
    what = faults.get(number, f"signal {number}")
    text = f"{what} in the host program"
    return f"{location}: error: {text} after the device call here" if location else text


def _processors() -> int:
    """How many threads may run at once."""

    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def _address_in(library: CDLL, name: str) -> int | None:
    try:
        return ctypes.cast(getattr(library, name), ctypes.c_void_p).value
    except AttributeError:
        return None


def _libm() -> CDLL:
    from ctypes.util import find_library

    return ctypes.CDLL(find_library("m"))

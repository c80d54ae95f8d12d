# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The native library: machine code of its sources in this process, part by part (`parts`)."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable

from xgpu.core.ir.errors import DeviceError
from xgpu.core.support.forks import begins_anew, once
from xgpu.core.support.process import REFUSED, is_main_interpreter
from xgpu.host_device.abi.codes import (
    FREE_SLOT,
    GUARD_SLOTS,
    KEPT_SLOT,
    LIBRARY_WORDS,
    LINKING,
    UNITS_WORD,
    linked_once,
)
from xgpu.host_device.native.parts import (
    BEGIN,
    CORE,
    PART_OF,
    PARTS,
    machine_code,
)

_LIBC = ("aligned_alloc", "free", "pthread_self", "sigaltstack", "signal", "_setjmp", "longjmp",
         "malloc", "mprotect", "write", "_exit", "usleep", "pthread_create", "pthread_attr_init",
         "pthread_attr_setdetachstate", "pthread_attr_setstacksize", "pthread_attr_destroy",
         "pthread_key_create", "pthread_setspecific", "pthread_getspecific", "pthread_mutex_lock",
         "pthread_mutex_unlock", "pthread_cond_wait", "pthread_cond_signal",
         "pthread_cond_broadcast", "pthread_cond_timedwait", "pthread_kill",
         "clock_gettime", "sched_yield")  # fmt: skip

_WORK, _SCHEDULED_WORK = "xgpu_guarded_work", "xgpu_guarded_scheduled_work"


def libc_addresses(names: tuple[str, ...]) -> dict[str, int]:
    """Addresses of functions of the C library in this process."""
    process = ctypes.CDLL(None)
    return {name: ctypes.cast(getattr(process, name), ctypes.c_void_p).value or 0 for name in names}


def code_around(name: str) -> tuple[int, int]:
    """Begin and end of the code that a function of this process is part of; the same address where
    the system does not say."""
    try:
        address = ctypes.cast(getattr(ctypes.CDLL(None), name), ctypes.c_void_p).value or 0
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
            for line in maps:
                begin, _, end = line.partition(" ")[0].partition("-")
                if int(begin, 16) <= address < int(end, 16):
                    return int(begin, 16), int(end, 16)
    except (AttributeError, OSError):
        pass
    return 0, 0


class Handlers:
    """What native code asks Python to do. The host device sets these; each gets addresses."""

    def stuck(self, worker: int) -> None:
        """The threads of a cluster wait for one another for ever."""

    def notice(self, thread: int, kind: int, amount: int) -> None:
        """What deserves a word: one of `codes.NOTICE_`, and a number that belongs to it."""

    def misuse(self, thread: int, kind: int) -> None:
        """A thread has done what has no meaning: one of `codes.MISUSE_`."""

    def assertion(self, thread: int, message: int, file: int, line: int, function: int) -> None:
        """A thread's assertion failed."""

    def printf(self, thread: int, format: int, arguments: int) -> int:
        """A thread prints; the number of values."""
        return 0


class Symbols:
    """The addresses of functions by name; who asks for one has its part compiled."""

    def __init__(self, link: Callable[[str], dict[str, int]]) -> None:
        self._link = link
        self._found: dict[str, int] = {}

    def __getitem__(self, name: str) -> int:
        found = self._found.get(name)
        if found is not None:
            return found
        part = PART_OF[name]
        with LINKING:
            if name not in self._found:
                self._found.update(self._link(part))
        return self._found[name]

    def get(self, name: str) -> int | None:
        """The address of a function, None if the library has none of that name."""
        return self[name] if name in PART_OF else None


class NativeLibrary:
    """Addresses by name in `symbols`. Never unloaded: threads may be inside it until the end."""

    def __init__(self) -> None:
        from xgpu.host_device.machine.cpu import create_jit

        word, number = ctypes.c_void_p, ctypes.c_int32
        self.handlers = Handlers()
        self.libraries: list[object] = []
        self._callbacks = self._functions()
        self.jit = create_jit()
        #: The machine code of the parts that are linked, by where it begins.
        self._codes: dict[int, bytes] = {}
        self.symbols = Symbols(self._link)
        self._fault_place = ctypes.CFUNCTYPE(word)(self.symbols["xgpu_fault_place"])
        self._tell_libraries()
        self.guard = ctypes.CFUNCTYPE(number, word, word)(self.symbols["xgpu_guard"])
        table = ctypes.CFUNCTYPE(word)(self.symbols["xgpu_slot_table"])()
        self._slots = (ctypes.c_uint64 * GUARD_SLOTS).from_address(table)
        ctypes.CFUNCTYPE(None)(self.symbols["xgpu_guard_begin"])()
        begins_anew(self)

    def begin_anew(self) -> None:
        """In a forked process: free the slots of the parent's other threads, which it lacks.

        A new thread may get the identifier of one of them, and would take its slot for its own.
        """
        this = threading.get_ident()
        own = (this, this | KEPT_SLOT)
        self._slots[:] = [t if t in own else min(t, FREE_SLOT) for t in self._slots]

    def work(self, worker: int, suspending: int) -> int:
        """Have a worker run blocks of a launch whose `suspending` that is; why it was thrown out of
        that, or 0."""
        return (self._scheduled_work if suspending else self._plain_work)(worker)

    def prepare_work(self, suspending: int) -> None:
        """Have `work` at hand, which a launch's time would show otherwise."""
        _ = self._scheduled_work if suspending else self._plain_work

    @once
    def _plain_work(self) -> Callable[[int], int]:
        return self._work_function(_WORK)

    @once
    def _scheduled_work(self) -> Callable[[int], int]:
        return self._work_function(_SCHEDULED_WORK)

    @once
    def release(self) -> Callable[[int], None]:
        """Give back what a worker has allocated, which was thrown out of its work."""
        return ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self.symbols["xgpu_release"])

    @once
    def lead(self) -> Callable[[int, int], int]:
        """As `work`, with up to so many helpers; below zero if that went well, see its source."""
        kind = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int32)
        return kind(self.symbols["xgpu_lead"])

    @once
    def lead_again(self) -> Callable[[int, int, int], int]:
        """Likewise, of a launch that has run before: worker, launch, helpers."""
        kind = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32)
        return kind(self.symbols["xgpu_lead_again"])

    @once
    def help(self) -> Callable[[int], int]:
        """Be a helper, until the result says why no more: see `sources/helpers.py`."""
        return self._work_function("xgpu_help")

    @once
    def withdraw(self) -> Callable[[int, int], int]:
        """Let a launch have no more helpers; how many it still has after a while."""
        kind = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)
        return kind(self.symbols["xgpu_withdraw"])

    def of_helpers(self, name: str, *records: ctypes.Structure) -> None:
        """One of the functions of helpers that give nothing back."""
        kind = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * len(records))
        kind(self.symbols[name])(*map(ctypes.addressof, records))

    def work_address(self, suspending: int) -> int:
        """Where the code of `work` is."""
        return self.symbols[_SCHEDULED_WORK if suspending else _WORK]

    def _work_function(self, name: str) -> Callable[[int], int]:
        return ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)(self.symbols[name])

    @once
    def async_start(self) -> Callable[[int, int], None]:
        """Start the pool of the async runtime."""
        kind = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int32)
        return kind(self.symbols["xgpu_async_start"])

    @once
    def async_stop(self) -> Callable[[int], int]:
        """Stop it; what it was thrown out of with, or 0."""
        return ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int32)(self.symbols["xgpu_async_stop"])

    @once
    def async_alive(self) -> Callable[[], int]:
        """How many objects of it there are, since this was asked for last."""
        return ctypes.CFUNCTYPE(ctypes.c_int64)(self.symbols["xgpu_async_alive"])

    def _link(self, part: str) -> dict[str, int]:
        """The addresses of a part's functions, which is compiled if it was not cached."""
        from llvmlite import binding

        code = machine_code(part)
        builder = binding.JITLibraryBuilder().add_object_img(code)
        for name, address in self._imports.items():
            builder.import_symbol(name, address)
        if part != CORE:
            for name in PARTS[CORE]:
                builder.import_symbol(name, self.symbols[name])
        exported = (BEGIN, *PARTS[part])
        for name in exported:
            builder.export_symbol(name)
        tracker = builder.link(self.jit, f"xgpu.native.{part}")
        self.libraries.append(tracker)
        found = {name: tracker[name] for name in exported}
        self._codes[found.pop(BEGIN)] = code
        return found

    @once
    def _imports(self) -> dict[str, int]:
        """What parts call that is not theirs."""
        found = libc_addresses(_LIBC)
        for name, callback in self._callbacks.items():
            found[name] = ctypes.cast(callback, ctypes.c_void_p).value or 0
        return found

    def _functions(self) -> dict[str, ctypes._CFunctionType]:
        """What native code calls: the handlers that are there at that time."""
        word, number = ctypes.c_void_p, ctypes.c_int32

        def stuck(worker: int) -> None:
            self.handlers.stuck(worker)

        def notice(thread: int, kind: int, amount: int) -> None:
            self.handlers.notice(thread, kind, amount)

        def misuse(thread: int, kind: int) -> None:
            self.handlers.misuse(thread, kind)

        def assertion(thread: int, message: int, file: int, line: int, function: int) -> None:
            self.handlers.assertion(thread, message, file, line, function)

        def printf(thread: int, format: int, arguments: int) -> int:
            return self.handlers.printf(thread, format, arguments)

        return {
            "xgpu_python.xgpu_stuck": ctypes.CFUNCTYPE(None, word)(stuck),
            "xgpu_python.xgpu_on_notice": ctypes.CFUNCTYPE(None, word, number, ctypes.c_int64)(
                notice
            ),
            "xgpu_python.xgpu_on_misuse": ctypes.CFUNCTYPE(None, word, number)(misuse),
            "xgpu_python.xgpu_on_assert": ctypes.CFUNCTYPE(None, word, word, word, number, word)(
                assertion
            ),
            "xgpu_python.xgpu_on_printf": ctypes.CFUNCTYPE(number, word, word, word)(printf),
        }

    def _tell_libraries(self) -> None:
        """Where the code of the C library and of the dynamic linker is, for
        `guards.in_c_library`."""
        words = (ctypes.c_int64 * 4).from_address(self._fault_place() + 8 * LIBRARY_WORDS)
        for place, name in enumerate(("malloc", "__tls_get_addr")):
            begin, end = code_around(name)
            words[2 * place], words[2 * place + 1] = begin, end - begin

    def tell_units(self, table: int, count: int) -> None:
        """The table for `guards.xgpu_open_unit` lies there, with so many entries. Those of an
        earlier table must stay, for a thread may read them."""
        words = (ctypes.c_int64 * 3).from_address(self._fault_place() + 8 * UNITS_WORD)
        if words[1] != table:
            words[2] = 0
            words[1] = table
        words[2] = count
        words[0] = self.symbols["xgpu_open_unit"]

    def tell_holder(self, address: int) -> None:
        """The sanitizer's words for `guards.in_sanitizer` lie there."""
        ctypes.c_int64.from_address(self._fault_place() + 16).value = address

    def fault(self) -> bytes:
        """Where the last fault was and which address it was about, for `put_fault`."""
        return ctypes.string_at(self._fault_place(), 16)

    def put_fault(self, fault: bytes) -> None:
        """Let that be the last fault, after another one that is not reported."""
        ctypes.memmove(self._fault_place(), fault, len(fault))

    def fault_address(self) -> int:
        """The address that the last fault was about."""
        return ctypes.c_uint64.from_address(self._fault_place() + 8).value

    def false_claim(self) -> str | None:
        """What the code that trapped last claims falsely, in a build that checks it; else None."""
        from xgpu.host_device.machine.cpu import host_target

        if not host_target().is_checked:
            return None
        from xgpu.host_device.machine.claim_checks import message_at

        address = ctypes.c_int64.from_address(self._fault_place()).value
        return message_at(address) if address else None

    def division(self) -> tuple[str | None, tuple[int, int, int] | None]:
        """`file:line:column` of the last division that had no result, and the thread; None for
        what is not known."""
        file, line, column, x, y, z = (ctypes.c_int64 * 6).from_address(self._fault_place() + 24)
        name = ctypes.string_at(file).decode() if file else ""
        place = f"{name}:{line}:{column}" if name else None
        return place, (x, y, z) if x >= 0 else None

    def rank(self) -> tuple[str | None, int]:
        """Where the last `mapa` is that named a block which the cluster does not have, and that."""
        file, line, column, rank = (ctypes.c_int64 * 4).from_address(self._fault_place() + 24)
        name = ctypes.string_at(file).decode() if file else ""
        return f"{name}:{line}:{column}" if name else None, rank

    def fault_source(self) -> str | None:
        """The name of our own source (`sources`) that the last fault was in; None: not in ours."""
        from xgpu.host_device.native.debug import line_table

        address = ctypes.c_int64.from_address(self._fault_place()).value
        begin = max((at for at in list(self._codes) if at <= address), default=None)
        if begin is None:
            return None
        found = line_table(self._codes[begin]).location(address - begin)
        return None if found is None else found[0].rsplit("/", 1)[-1].removesuffix(".py")


@linked_once
def _library() -> NativeLibrary:
    return NativeLibrary()


_known: NativeLibrary | None = None


def native_library() -> NativeLibrary:
    """The library of this process, compiled on first use. Raises `DeviceError` in a
    subinterpreter."""
    global _known
    if _known is None:
        if not is_main_interpreter():
            raise DeviceError(REFUSED)
        _known = _library()
    return _known

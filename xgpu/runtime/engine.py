# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs host programs: LLVM IR in, machine code in memory, symbols bound, entry called.

The program runs in a thread of its own, under a guard: a device error, a division by zero or a
fault ends it and becomes one `ProgramError`; Ctrl-C reaches the caller at once. Constructors run
before the entry, destructors after it, whatever happened.
"""

from __future__ import annotations

import ctypes
import itertools
import re
import threading
from collections.abc import Callable
from typing import Any

from xgpu.errors import DeviceError
from xgpu.runtime.abi import FUNCTIONS
from xgpu.runtime.device import Device
from xgpu.runtime.host_checks import Places, check_divisions
from xgpu.runtime.native.library import (
    ASYNC_FUNCTIONS,
    SIGNAL_CODE,
    THROW_PROGRAM,
    THROW_STUCK,
    native_library,
)
from xgpu.runtime.session import Session

STACK_BYTES = 64 << 20
_numbers = itertools.count()

RESULTS = {"void": ("void", None), "i32": ("i32", ctypes.c_int32), "i64": ("i64", ctypes.c_int64),
           "f32": ("float", ctypes.c_float)}  # fmt: skip


class ProgramError(Exception):
    """The host program cannot be run or went wrong: a message with the place, if it is known."""


class HostProgram:
    """A program, compiled and linked. `run` may be called once."""

    def __init__(
        self,
        text: str,
        entry: str,
        result: str,
        *,
        session: Session,
        device: Device | None,
        opt_level: int = 2,
        libraries: tuple[Any, ...] = (),
        places: Places | None = None,
    ) -> None:
        self.session = session
        self.device = device
        self._places = places or Places()
        self._kept: list[Any] = []
        self._trap: str | None = None
        self._native = native_library()
        undefined, code, self.result = _compile(
            text, entry, result, opt_level, lambda name: self._is_python(name, libraries)
        )
        self._is_async = any(name in ASYNC_FUNCTIONS for name in undefined)
        # A library may make tokens available in threads of its own.
        self._detects_stuck = not libraries
        #: Tokens, values and groups that the program has not dropped, after it ran.
        self.async_alive = 0
        self._link(undefined, code, libraries)

    def _link(self, undefined: list[str], code: bytes, libraries: tuple[Any, ...]) -> None:
        from llvmlite import binding

        builder = binding.JITLibraryBuilder().add_object_img(code).add_current_process()
        missing: list[str] = []
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
                "name a library that has it with --shared-libs"
            )
        exports = ("xgpu_program_start", "xgpu_program_run", "xgpu_program_end", "xgpu_place")
        for name in exports:
            builder.export_symbol(name)
        try:
            self._tracker = builder.link(self._native.jit, f"xgpu.program.{next(_numbers)}")
        except RuntimeError as problem:
            raise ProgramError(f"cannot link the program: {problem}") from None
        self._symbols: dict[str, int] = {name: self._tracker[name] for name in exports}
        self._place = ctypes.c_int32.from_address(self._symbols["xgpu_place"])
        self.session.place = lambda: self._places[self._place.value]

    def _is_python(self, name: str, libraries: tuple[Any, ...]) -> bool:
        """Whether `name` is a runner function of ours."""
        from xgpu.runtime.runner_utils import lookup

        if any(_address_in(library, name) for library in libraries):
            return False
        return lookup(name, self.session.write) is not None

    def _resolve(self, name: str, libraries: tuple[Any, ...]) -> int | None:
        from xgpu.runtime.runner_utils import lookup
        from xgpu.runtime.runner_utils.scalars import ALIASES

        if name == "xgpu_division":
            return self._keep(
                ctypes.CFUNCTYPE(None, ctypes.c_int32, ctypes.c_int32)(self._on_division)
            )
        if name.startswith(_PYTHON):
            return self._keep(lookup(name[len(_PYTHON) :], self.session.write))
        if name in FUNCTIONS or name in ASYNC_FUNCTIONS or name.startswith("xgpu_"):
            return self._native.symbols.get(name)
        for library in libraries:
            address = _address_in(library, name)
            if address is not None:
                return address
        process = ctypes.CDLL(None)
        return _address_in(process, ALIASES.get(name, name)) or _address_in(_libm(), name)

    def _keep(self, function: Any) -> int:
        self._kept.append(function)
        return ctypes.cast(function, ctypes.c_void_p).value or 0

    def _on_division(self, place: int, kind: int) -> None:
        where = self._places[place]
        what = "integer division by zero" if kind == 0 else "integer division overflows"
        self._trap = f"{where}: error: {what}" if where else f"{what} in the host program"

    # -- running

    def run(self) -> int | float | None:
        """Call constructors, the entry and destructors; the entry's result.

        Raises `DeviceError` for what the device latched and `ProgramError` for a fault of the
        program.
        """
        from xgpu.runtime.signals import caught_faults

        outcome: list[int] = []
        slot = ctypes.c_uint64(0)
        finished = threading.Event()

        def body() -> None:
            try:
                outcome.append(self._guarded("xgpu_program_start", 0))
                if not outcome[-1]:
                    outcome.append(self._guarded("xgpu_program_run", ctypes.addressof(slot)))
                if self._is_async:
                    outcome.append(self._native.async_stop(any(outcome)))
                    self.async_alive = self._native.async_alive()
                outcome.append(self._guarded("xgpu_program_end", 0))
            finally:
                finished.set()

        table = None
        if self.device is not None:
            table = self.device.address_table()
            address = self._native.symbols["xgpu_abi_table"]
            ctypes.memmove(address, table, ctypes.sizeof(table))
        if self._is_async:
            self._native.async_alive()
            self._native.async_start(_processors(), self._detects_stuck)
        flag = ctypes.c_void_p.from_address(self._native.symbols["xgpu_error_flag"])
        flag.value = ctypes.addressof(self.session.flag)
        with caught_faults():
            thread = _start_thread(body)
            try:
                while not finished.wait(0.2):
                    pass  # short waits, so that Ctrl-C is noticed
            except KeyboardInterrupt:
                self.session.fail("interrupted")
                if self.device is not None:
                    self.device.cancel()
                raise
            thread.join()
        if self.device is not None:
            self.device.close()
        self._raise(outcome)
        kind = RESULTS[self.result][1]
        return None if kind is None else kind.from_address(ctypes.addressof(slot)).value

    def _guarded(self, symbol: str, argument: int) -> int:
        return self._native.guard(self._symbols[symbol], argument)

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
            raise ProgramError(_fault_text(code - SIGNAL_CODE, self._places[self._place.value]))


def _fault_text(number: int, place: str | None) -> str:
    import signal

    what = {
        signal.SIGSEGV: "illegal memory access",
        signal.SIGBUS: "misaligned or illegal memory access",
        signal.SIGFPE: "arithmetic fault",
        signal.SIGILL: "the program trapped",
    }.get(number, f"signal {number}")  # type: ignore[call-overload]
    text = f"{what} in the host program"
    return f"{place}: error: {text} after the device call here" if place else text


def _processors() -> int:
    """How many threads may run at once."""
    import os

    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def _start_thread(body: Any) -> threading.Thread:
    """A daemon thread with a stack that deep programs fit in."""
    before = threading.stack_size(STACK_BYTES)
    try:
        thread = threading.Thread(target=body, name="xgpu program", daemon=True)
        thread.start()
    finally:
        threading.stack_size(before)
    return thread


def _address_in(library: Any, name: str) -> int | None:
    try:
        return ctypes.cast(getattr(library, name), ctypes.c_void_p).value
    except AttributeError:
        return None


def _libm() -> Any:
    from ctypes.util import find_library

    return ctypes.CDLL(find_library("m"))


# -- compiling

_STRUCTOR_LIST = re.compile(r"^@llvm\.global_(ctors|dtors) = .*$", re.MULTILINE)
_STRUCTOR = re.compile(r"\{ i32 (\d+), ptr @(\"[^\"]*\"|[\w.$-]+), ptr [^}]*\}")


def _compile(
    text: str, entry: str, result: str, opt_level: int, is_python: Callable[[str], bool]
) -> tuple[list[str], bytes, str]:
    """Symbols to be found elsewhere, object code, and the kind of result."""
    from xgpu.backend.host_machine import optimize, parse, target_machine

    entry = entry.replace('"', "")
    try:
        printed = str(parse(text))
    except RuntimeError as problem:
        raise ProgramError(f"LLVM refuses the host program: {str(problem).strip()}") from None
    entry_type = _check_entry(printed, entry, result)
    if result == "auto":
        result = next((kind for kind, (t, _) in RESULTS.items() if t == entry_type), "void")
    structors = {
        match[1]: sorted(
            ((int(priority), name) for priority, name in _STRUCTOR.findall(match[0])),
            key=lambda pair: pair[0],
        )
        for match in _STRUCTOR_LIST.finditer(printed)
    }
    source = _STRUCTOR_LIST.sub("", check_divisions(printed))
    source = source.replace("declare void @xgpu_at(i32)\n", "")
    source = _DECLARATION.sub(lambda m: _through_python(m) if is_python(m[2]) else m[0], source)
    source += _wrapper(entry, entry_type, result, structors)
    module = parse(source)
    undefined = [
        f.name for f in module.functions if f.is_declaration and not f.name.startswith("llvm.")
    ]
    undefined += [g.name for g in module.global_variables if g.is_declaration]
    optimize(module, opt_level)
    return undefined, target_machine(opt_level).emit_object(module), result


_PYTHON = "xgpu.python."
_DECLARATION = re.compile(r'^declare (.*?)@"?([\w.$]+)"?\((.*)\)[^()]*$', re.MULTILINE)


def _through_python(match: re.Match[str]) -> str:
    """A function that calls one of Python's, says so to the guard, and stops if that failed."""
    from xgpu.backend.host_text import result_type, split_commas, typed_value

    result, name = result_type(match[1].strip()), match[2]
    types = [typed_value(p + " %p")[0] for p in split_commas(match[3])]
    parameters = ", ".join(f"{t} %p{i}" for i, t in enumerate(types))
    target = f'@"{_PYTHON}{name}"'
    lines = [
        f"declare {result} {target}({', '.join(types)})",
        f"define internal {result} @{name}({parameters}) {{",
        "  call void @xgpu_enter_python()",
        f"  {'' if result == 'void' else '%r = '}call {result} {target}({parameters})",
        "  call void @xgpu_leave_python()",
        "  call void @xgpu_check()",
        "  ret void" if result == "void" else f"  ret {result} %r",
        "}",
    ]
    return "\n".join(lines)


def _check_entry(printed: str, entry: str, result: str) -> str:
    """The LLVM type that `entry` returns."""
    from xgpu.backend.host_text import result_type

    match = re.search(
        rf'^define ([^@\n]*)@"?{re.escape(entry)}"?\(([^)]*)\)', printed, re.MULTILINE
    )
    if match is None:
        raise ProgramError(f"entry point '{entry}' not found")
    if match[2].strip():
        raise ProgramError(f"entry point '{entry}' must take no arguments")
    type = result_type(match[1].strip())
    if result not in ("void", "auto") and type != RESULTS[result][0]:
        raise ProgramError(
            f"entry point '{entry}' returns {type}, but --entry-point-result={result} was given"
        )
    return type


def _wrapper(
    entry: str, entry_type: str, result: str, structors: dict[str, list[tuple[int, str]]]
) -> str:
    """Three functions that the engine calls, and the place that `xgpu_at` sets."""
    type = RESULTS[result][0]
    start = "\n".join(f"  call void @{name}()" for _, name in structors.get("ctors", []))
    end = "\n".join(f"  call void @{name}()" for _, name in structors.get("dtors", []))
    if type == "void":
        # The entry may return something: nobody asked for it.
        name = "" if entry_type == "void" else "%unused.result = "
        call = f'  {name}call {entry_type} @"{entry}"()'
    else:
        call = f'  %result = call {type} @"{entry}"()\n  store {type} %result, ptr %slot'
    return f"""
declare void @xgpu_enter_python()
declare void @xgpu_leave_python()
declare void @xgpu_check()
@xgpu_place = global i32 0
define internal void @xgpu_at(i32 %place) alwaysinline {{
  store i32 %place, ptr @xgpu_place
  ret void
}}
define void @xgpu_program_start(ptr %unused) {{
{start}
  ret void
}}
define void @xgpu_program_run(ptr %slot) {{
{call}
  ret void
}}
define void @xgpu_program_end(ptr %unused) {{
{end}
  ret void
}}
"""

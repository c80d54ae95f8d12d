# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The native library: compiled from its sources once a process, kept as machine code in memory."""

from __future__ import annotations

import ctypes
import re
import threading
from functools import cache
from importlib.resources import files
from typing import Any

from xgpu.backend.host_structs import STRUCTS, constants
from xgpu.runtime.native.language import compile_source

SIGNAL_CODE = 1000  # a guard's result for a fault is SIGNAL_CODE + the signal's number

THROW_ASSERT, THROW_TRAP = 1, 2  # as in services.py
THROW_PROGRAM = 3  # the host program is to stop: see engine

_SOURCES = ("scheduler", "warp", "mbarrier", "guards", "services")

# What only LLVM IR can say: setjmp returns twice, so it must be called where its frame stays alive.
_GUARD_IR = """
declare i32 @_setjmp(ptr) returns_twice
@xgpu_slots = internal global [262144 x i8] zeroinitializer, align 64

define ptr @xgpu_slot_table() { ret ptr @xgpu_slots }

define i32 @xgpu_guard(ptr %function, ptr %argument) noinline {
  %slot = call ptr @guard_enter()
  %none = icmp eq ptr %slot, null
  br i1 %none, label %bare, label %guarded
bare:
  call void %function(ptr %argument)
  ret i32 0
guarded:
  %buffer = getelementptr i8, ptr %slot, i64 64
  %code = call i32 @_setjmp(ptr %buffer) returns_twice
  %first = icmp eq i32 %code, 0
  br i1 %first, label %run, label %thrown
run:
  call void %function(ptr %argument)
  call void @guard_leave(ptr %slot)
  ret i32 0
thrown:
  call void @guard_leave(ptr %slot)
  ret i32 %code
}
"""

EXPORTS = (
    "xgpu_work", "xgpu_release", "xgpu_frame", "xgpu_barrier", "xgpu_barrier_arrive",
    "xgpu_cluster_arrive", "xgpu_cluster_wait", "xgpu_yield", "xgpu_warp", "xgpu_active_mask",
    "xgpu_mbarrier_init", "xgpu_mbarrier_arrive", "xgpu_mbarrier_arrive_drop",
    "xgpu_mbarrier_expect_tx", "xgpu_mbarrier_complete_tx", "xgpu_mbarrier_pending",
    "xgpu_mbarrier_test", "xgpu_mbarrier_wait", "xgpu_mapa",
    "xgpu_mbarrier_poll", "xgpu_assertfail", "xgpu_trap", "xgpu_vprintf", "xgpu_malloc", "xgpu_free", "xgpu_guard", "xgpu_throw", "xgpu_signal",
)  # fmt: skip

_LIBC = ("aligned_alloc", "free", "pthread_self", "sigaltstack", "signal", "_setjmp", "longjmp",
         "malloc")  # fmt: skip


def source_text() -> str:
    """The native sources as LLVM IR text."""
    folder = files("xgpu.runtime.native")
    source = "\n".join((folder / f"{name}.py").read_text() for name in _SOURCES)
    numbers = constants() | {"SIGNAL_CODE": SIGNAL_CODE}
    text = compile_source(source, numbers, "xgpu native runtime")
    # The declaration made for the subset's sake gives way to the definition.
    text = text.replace("declare ptr @xgpu_slot_table()\n", "") + _GUARD_IR
    return re.sub(r"^define (\w+ @(\w+)\()", _linkage, text, flags=re.MULTILINE)


def _linkage(match: re.Match[str]) -> str:
    """Nobody outside calls what is not exported, so LLVM may inline it and drop it."""
    return f"define {'' if match[2] in EXPORTS else 'internal '}{match[1]}"


def libc_addresses(names: tuple[str, ...]) -> dict[str, int]:
    """Addresses of functions of the C library in this process."""
    process = ctypes.CDLL(None)
    return {name: ctypes.cast(getattr(process, name), ctypes.c_void_p).value or 0 for name in names}


class Handlers:
    """What native code asks Python to do. The host device sets these; each gets addresses."""

    def stuck(self, worker: int) -> None:
        """The threads of a cluster wait for one another for ever."""

    def assertion(self, thread: int, message: int, file: int, line: int, function: int) -> None:
        """A thread's assertion failed."""

    def printf(self, thread: int, format: int, arguments: int) -> int:
        """A thread prints; the number of values."""
        return 0


class NativeLibrary:
    """Addresses by name in `symbols`. Never unloaded: threads may be inside it until the end."""

    def __init__(self) -> None:
        from llvmlite import binding

        from xgpu.backend.host_machine import create_jit

        word, number = ctypes.c_void_p, ctypes.c_int32
        self.handlers = Handlers()
        self._callbacks: dict[str, Any] = {
            "xgpu_stuck": ctypes.CFUNCTYPE(None, word)(lambda w: self.handlers.stuck(w)),
            "xgpu_on_assert": ctypes.CFUNCTYPE(None, word, word, word, number, word)(
                lambda t, m, f, n, c: self.handlers.assertion(t, m, f, n, c)
            ),
            "xgpu_on_printf": ctypes.CFUNCTYPE(number, word, word, word)(
                lambda t, f, a: self.handlers.printf(t, f, a)
            ),
        }
        self.jit = create_jit()
        builder = binding.JITLibraryBuilder()
        builder.add_object_img(_machine_code())
        for name, address in libc_addresses(_LIBC).items():
            builder.import_symbol(name, address)
        for name, callback in self._callbacks.items():
            builder.import_symbol(name, ctypes.cast(callback, word).value or 0)
        for name in EXPORTS:
            builder.export_symbol(name)
        self._tracker = builder.link(self.jit, "xgpu.native")
        self.symbols: dict[str, int] = {name: self._tracker[name] for name in EXPORTS}
        self.guard = ctypes.CFUNCTYPE(number, word, word)(self.symbols["xgpu_guard"])
        self.release = ctypes.CFUNCTYPE(None, word)(self.symbols["xgpu_release"])


def _machine_code() -> bytes:
    """The library's object code; kept in the user's cache directory under a hash of its sources."""
    import hashlib
    import os
    from pathlib import Path

    from xgpu.backend.host_machine import compile_ir, description

    folder = files("xgpu.runtime.native")
    names = (*_SOURCES, "language", "library")
    digest = hashlib.sha256(description().encode())
    for name in names:
        digest.update((folder / f"{name}.py").read_bytes())
    digest.update(repr((STRUCTS, constants())).encode())
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "xgpu"
    path = cache / f"native-{digest.hexdigest()[:32]}.o"
    try:
        return path.read_bytes()
    except OSError:
        pass
    code = compile_ir(source_text(), 2)
    try:
        cache.mkdir(parents=True, exist_ok=True)
        temporary = path.with_suffix(f".{os.getpid()}")
        temporary.write_bytes(code)
        temporary.replace(path)
    except OSError:
        pass  # no cache directory: compile again next time
    return code


_lock = threading.Lock()


@cache
def _library() -> NativeLibrary:
    return NativeLibrary()


def native_library() -> NativeLibrary:
    """The library of this process, compiled on first use."""
    with _lock:
        return _library()

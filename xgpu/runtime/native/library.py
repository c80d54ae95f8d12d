# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The native library: compiled from its sources once a process, kept as machine code in memory."""

from __future__ import annotations

import ctypes
import threading
from functools import cache
from importlib.resources import files
from typing import Any

from xgpu.backend.host_structs import constants
from xgpu.runtime.native.language import compile_source

SIGNAL_CODE = 1000  # a guard's result for a fault is SIGNAL_CODE + the signal's number

_SOURCES = ("scheduler", "warp", "mbarrier", "guards")

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
    "xgpu_mbarrier_test", "xgpu_mbarrier_wait", "xgpu_guard", "xgpu_throw", "xgpu_signal",
)  # fmt: skip

_LIBC = ("aligned_alloc", "free", "pthread_self", "sigaltstack", "signal", "_setjmp", "longjmp")


def source_text() -> str:
    """The native sources as LLVM IR text."""
    folder = files("xgpu.runtime.native")
    source = "\n".join((folder / f"{name}.py").read_text() for name in _SOURCES)
    numbers = constants() | {"SIGNAL_CODE": SIGNAL_CODE}
    text = compile_source(source, numbers, "xgpu native runtime")
    # The declaration made for the subset's sake gives way to the definition.
    return text.replace("declare ptr @xgpu_slot_table()\n", "") + _GUARD_IR


def libc_addresses(names: tuple[str, ...]) -> dict[str, int]:
    """Addresses of functions of the C library in this process."""
    process = ctypes.CDLL(None)
    return {name: ctypes.cast(getattr(process, name), ctypes.c_void_p).value or 0 for name in names}


class NativeLibrary:
    """Addresses by name in `symbols`. Never unloaded: threads may be inside it until the end."""

    def __init__(self) -> None:
        from llvmlite import binding

        from xgpu.backend.host_machine import compile_ir, create_jit

        self._stuck_type = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
        self._stuck = self._stuck_type(self._on_stuck)
        self.stuck_handler: Any = None
        self.jit = create_jit()
        builder = binding.JITLibraryBuilder()
        builder.add_object_img(compile_ir(source_text(), 2))
        for name, address in libc_addresses(_LIBC).items():
            builder.import_symbol(name, address)
        stuck = ctypes.cast(self._stuck, ctypes.c_void_p).value or 0
        builder.import_symbol("xgpu_stuck", stuck)
        for name in EXPORTS:
            builder.export_symbol(name)
        self._tracker = builder.link(self.jit, "xgpu.native")
        self.symbols: dict[str, int] = {name: self._tracker[name] for name in EXPORTS}
        guard_type = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p)
        self.guard = guard_type(self.symbols["xgpu_guard"])
        self.release = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self.symbols["xgpu_release"])

    def _on_stuck(self, worker: int) -> None:
        if self.stuck_handler is not None:
            self.stuck_handler(worker)


_lock = threading.Lock()


@cache
def _library() -> NativeLibrary:
    return NativeLibrary()


def native_library() -> NativeLibrary:
    """The library of this process, compiled on first use."""
    with _lock:
        return _library()

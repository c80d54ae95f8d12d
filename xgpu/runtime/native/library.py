# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The native library: compiled from its sources once a process, kept as machine code in memory."""

from __future__ import annotations

import ctypes
import re
import threading
from functools import cache
from importlib.resources import files

from xgpu.backend.host.structs import STRUCTS, constants, offset, size_of
from xgpu.runtime.native import codes
from xgpu.runtime.native.codes import FAULT_TEXT
from xgpu.runtime.native.support_text import OWN, own_text

_SOURCES = (
    "libc",
    "barriers",
    "turns",
    "orders",
    "overdue",
    "late_copies",
    "scheduler",
    "warp",
    "lanes",
    "small_floats",
    "soft_float",
    "mbarrier",
    "tma",
    "guards",
    "services",
    "async_runtime",
)

# What only LLVM IR can say: setjmp returns twice, so it must be called where its frame stays alive.
_GUARD_IR = """
declare i32 @_setjmp(ptr) returns_twice
@xgpu_slots = internal global [262144 x i8] zeroinitializer, align 64

define ptr @xgpu_slot_table() { ret ptr @xgpu_slots }

@xgpu_fault_counter = internal global [2 x i64] zeroinitializer
define ptr @xgpu_fault_place() { ret ptr @xgpu_fault_counter }

@xgpu_fault = internal constant [FAULT_SIZE x i8] c"FAULT_TEXT"
define ptr @xgpu_fault_text() { ret ptr @xgpu_fault }

define i32 @xgpu_guard(ptr %function, ptr %argument) noinline {
  %saved = alloca [1024 x i8], align 16
  %slot = call ptr @guard_enter()
  %none = icmp eq ptr %slot, null
  br i1 %none, label %again, label %guarded
again:
  %outer = call ptr @guard_nest(ptr %saved)
  %unguarded = icmp eq ptr %outer, null
  br i1 %unguarded, label %bare, label %nested
nested:
  %inner = getelementptr i8, ptr %outer, i64 64
  %result = call i32 @_setjmp(ptr %inner) returns_twice
  %begin = icmp eq i32 %result, 0
  br i1 %begin, label %proceed, label %caught
proceed:
  call void %function(ptr %argument)
  call void @guard_unnest(ptr %outer, ptr %saved)
  ret i32 0
caught:
  call void @guard_unnest(ptr %outer, ptr %saved)
  ret i32 %result
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

# SIGINT is counted and goes on to whoever had it before: Python notes it, and acts on it when the
# main thread comes back from native code.
_INTERRUPT_IR = """
@xgpu_interrupts = internal global [2 x i64] zeroinitializer
define ptr @xgpu_interrupt_words() { ret ptr @xgpu_interrupts }

define void @xgpu_interrupt(i32 %number, ptr %info, ptr %context) {
  %next.at = getelementptr i64, ptr @xgpu_interrupts, i64 1
  %next = load atomic ptr, ptr %next.at seq_cst, align 8
  %none = icmp eq ptr %next, null
  br i1 %none, label %end, label %pass
pass:
  call void %next(i32 %number, ptr %info, ptr %context)
  br label %end
end:
  %count = atomicrmw add ptr @xgpu_interrupts, i64 1 seq_cst
  ret void
}
"""

# What is Python's: a thread that is in it must not be thrown out.
_HANDLERS = {
    "xgpu_stuck": ("void", "ptr"), "xgpu_on_notice": ("void", "ptr, i32, i64"),
    "xgpu_on_misuse": ("void", "ptr, i32"), "xgpu_on_assert": ("void", "ptr, ptr, ptr, i32, ptr"),
    "xgpu_on_printf": ("i32", "ptr, ptr, ptr"),
}  # fmt: skip

# What a worker does, under a guard, and the release of what it has allocated if nothing went wrong.
_WORK_IR = """
declare ptr @llvm.frameaddress.p0(i32)
define i32 @xgpu_guarded_work(ptr %worker) noinline {
  %frame = call ptr @llvm.frameaddress.p0(i32 0)
  %stack = getelementptr i8, ptr %worker, i64 STACK_OFFSET
  store ptr %frame, ptr %stack
  %code = call i32 @xgpu_guard(ptr @xgpu_work, ptr %worker)
  %bad = icmp ne i32 %code, 0
  br i1 %bad, label %end, label %fine
fine:
  call void @xgpu_release(ptr %worker)
  br label %end
end:
  ret i32 %code
}
"""

# Workers of the async runtime: started with a function's address, known by a thread's own value.
_ASYNC_IR = """
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_attr_init(ptr)
declare i32 @pthread_attr_setdetachstate(ptr, i32)
declare i32 @pthread_attr_setstacksize(ptr, i64)
declare i32 @pthread_attr_destroy(ptr)
declare i32 @pthread_key_create(ptr, ptr)
declare i32 @pthread_setspecific(i32, ptr)
declare ptr @pthread_getspecific(i32)
@xgpu_async = internal global [POOL_BYTES x i8] zeroinitializer, align 64
@xgpu_async_key = internal global i32 0
@xgpu_async_has_key = internal global i1 false

define ptr @xgpu_async_pool() { ret ptr @xgpu_async }

define i1 @xgpu_async_is_worker(ptr %pool) {
  %made = load i1, ptr @xgpu_async_has_key
  br i1 %made, label %ask, label %no
ask:
  %key = load i32, ptr @xgpu_async_key
  %own = call ptr @pthread_getspecific(i32 %key)
  %is = icmp ne ptr %own, null
  ret i1 %is
no:
  ret i1 false
}

define i32 @xgpu_async_spawn(ptr %pool) {
  %made = load i1, ptr @xgpu_async_has_key
  br i1 %made, label %start, label %first
first:
  call i32 @pthread_key_create(ptr @xgpu_async_key, ptr null)
  store i1 true, ptr @xgpu_async_has_key
  br label %start
start:
  %attributes = alloca [128 x i8], align 16
  %thread = alloca i64
  call i32 @pthread_attr_init(ptr %attributes)
  call i32 @pthread_attr_setdetachstate(ptr %attributes, i32 1)
  call i32 @pthread_attr_setstacksize(ptr %attributes, i64 STACK_BYTES)
  %failed = call i32 @pthread_create(
    ptr %thread, ptr %attributes, ptr @xgpu_async_thread, ptr %pool)
  call i32 @pthread_attr_destroy(ptr %attributes)
  ret i32 %failed
}

define ptr @xgpu_async_thread(ptr %pool) {
  %key = load i32, ptr @xgpu_async_key
  call i32 @pthread_setspecific(i32 %key, ptr %pool)
  %code = call i32 @xgpu_guard(ptr @async_work, ptr %pool)
  %fine = icmp eq i32 %code, 0
  br i1 %fine, label %end, label %thrown
thrown:
  call void @async_thrown(ptr %pool, i32 %code)
  br label %end
end:
  ret ptr null
}
"""
ASYNC_STACK_BYTES = 16 << 20

ASYNC_FUNCTIONS = (
    "mlirAsyncRuntimeAddRef", "mlirAsyncRuntimeDropRef", "mlirAsyncRuntimeCreateToken",
    "mlirAsyncRuntimeCreateValue", "mlirAsyncRuntimeCreateGroup", "mlirAsyncRuntimeEmplaceToken",
    "mlirAsyncRuntimeEmplaceValue", "mlirAsyncRuntimeSetTokenError",
    "mlirAsyncRuntimeSetValueError", "mlirAsyncRuntimeIsTokenError",
    "mlirAsyncRuntimeIsValueError", "mlirAsyncRuntimeIsGroupError", "mlirAsyncRuntimeAwaitToken",
    "mlirAsyncRuntimeAwaitValue", "mlirAsyncRuntimeAwaitAllInGroup", "mlirAsyncRuntimeExecute",
    "mlirAsyncRuntimeGetValueStorage", "mlirAsyncRuntimeAddTokenToGroup",
    "mlirAsyncRuntimeAwaitTokenAndExecute", "mlirAsyncRuntimeAwaitValueAndExecute",
    "mlirAsyncRuntimeAwaitAllInGroupAndExecute", "mlirAsyncRuntimGetNumWorkerThreads",
)  # fmt: skip

EXPORTS = (
    "xgpu_native_begin", "xgpu_fault_place", "xgpu_work", "xgpu_guarded_work", "xgpu_release",
    "xgpu_frame", "xgpu_barrier", "xgpu_barrier_arrive", "xgpu_barrier_lanes",
    "xgpu_barrier_result", "xgpu_lanes_wait", "xgpu_to_threads", "xgpu_to_lanes",
    "xgpu_cluster_arrive", "xgpu_cluster_wait", "xgpu_yield", "xgpu_step", "xgpu_warp",
    "xgpu_active_mask",
    "xgpu_mbarrier_init", "xgpu_mbarrier_arrive", "xgpu_mbarrier_arrive_drop",
    "xgpu_mbarrier_expect_tx", "xgpu_mbarrier_complete_tx", "xgpu_mbarrier_pending",
    "xgpu_mbarrier_test", "xgpu_mbarrier_wait", "xgpu_mapa",
    "xgpu_mbarrier_poll", "xgpu_assertfail", "xgpu_assertfail_in_function", "xgpu_trap",
    "xgpu_vprintf", "xgpu_malloc", "xgpu_free",
    "xgpu_transfer", "xgpu_stop", "xgpu_kernel_division",
    "xgpu_warpgroup_sync", "xgpu_warp_with", "xgpu_misuse", "xgpu_getctarank",
    "xgpu_tma_load", "xgpu_tma_store", "xgpu_tma_multicast", "xgpu_bulk_load", "xgpu_bulk_store",
    "xgpu_late_stores", "xgpu_bulk_multicast",
    "xgpu_small_from_float", "xgpu_small_to_float", "xgpu_small_stochastic",
    "xgpu_guard", "xgpu_throw", "xgpu_signal", "xgpu_interrupt", "xgpu_interrupt_words",
    "xgpu_enter_python", "xgpu_leave_python",
    "xgpu_async_start", "xgpu_async_stop", "xgpu_async_alive", *ASYNC_FUNCTIONS, *OWN,
)  # fmt: skip

_LIBC = ("aligned_alloc", "free", "pthread_self", "sigaltstack", "signal", "_setjmp", "longjmp",
         "malloc", "mprotect", "write", "_exit", "usleep", "pthread_create", "pthread_attr_init",
         "pthread_attr_setdetachstate", "pthread_attr_setstacksize", "pthread_attr_destroy",
         "pthread_key_create", "pthread_setspecific", "pthread_getspecific", "pthread_mutex_lock",
         "pthread_mutex_unlock", "pthread_cond_wait", "pthread_cond_signal",
         "pthread_cond_broadcast")  # fmt: skip


def _text(name: str) -> str:
    return (files("xgpu.runtime.native") / "sources" / f"{name}.py").read_text()


def _compile(names: tuple[str, ...], title: str) -> str:
    """LLVM IR text of sources."""
    from xgpu.runtime.native.language import Source, compile_sources

    places = "xgpu/runtime/native/sources"
    return compile_sources([Source(n, _text(n), f"{places}/{n}.py") for n in names], title)


def _handlers_text() -> str:
    """Calls of the handlers in Python."""
    lines: list[str] = []
    for name, (result, types) in _HANDLERS.items():
        given = ", ".join(f"{type} %{i}" for i, type in enumerate(types.split(", ")))
        value = "" if result == "void" else "%r = "
        lines += [
            f"declare {result} @xgpu_python.{name}({types})",
            f"define {result} @{name}({given}) {{",
            "  call void @xgpu_enter_python()",
            f"  {value}call {result} @xgpu_python.{name}({given})",
            "  call void @xgpu_leave_python()",
            "  ret void" if result == "void" else f"  ret {result} %r",
            "}",
        ]
    return "\n".join(lines) + "\n"


# Nothing before it: where it is, the machine code begins, whose places the line table counts.
_FIRST = "define void @xgpu_native_begin() noinline { ret void }\n"


def source_text() -> str:
    """The native sources as LLVM IR text."""
    text = _compile(_SOURCES, "xgpu native runtime").replace("\n", "\n" + _FIRST, 1)
    guard = _GUARD_IR.replace("FAULT_SIZE", str(len(FAULT_TEXT)))
    guard = guard.replace("FAULT_TEXT", FAULT_TEXT.replace("\n", "\\0A"))
    pool = _ASYNC_IR.replace("POOL_BYTES", str(size_of("AsyncPool")))
    work = _WORK_IR.replace("STACK_OFFSET", str(offset("Worker", "stack")))
    pool = pool.replace("STACK_BYTES", str(ASYNC_STACK_BYTES))
    guard += _INTERRUPT_IR + _handlers_text() + own_text() + work + pool
    # What the sources declare, and LLVM IR defines here.
    defined = set(re.findall(r"^define \w+ @(\w+)\(", guard, re.MULTILINE))
    text = re.sub(
        r"^declare \w+ @(\w+)\(.*\)\n",
        lambda match: "" if match[1] in defined else match[0],
        text,
        flags=re.MULTILINE,
    )
    return re.sub(r"^define (\w+ @(\w+)\()", _linkage, text + guard, flags=re.MULTILINE)


def _linkage(match: re.Match[str]) -> str:
    """Nobody outside calls what is not exported, so LLVM may inline it and drop it."""
    exported = match[2] in EXPORTS
    return f"define {'' if exported else 'internal '}{match[1]}"


def libc_addresses(names: tuple[str, ...]) -> dict[str, int]:
    """Addresses of functions of the C library in this process."""
    process = ctypes.CDLL(None)
    return {name: ctypes.cast(getattr(process, name), ctypes.c_void_p).value or 0 for name in names}


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


class NativeLibrary:
    """Addresses by name in `symbols`. Never unloaded: threads may be inside it until the end."""

    def __init__(self) -> None:
        from llvmlite import binding

        from xgpu.backend.host.machine import create_jit

        word, number = ctypes.c_void_p, ctypes.c_int32
        self.handlers = Handlers()
        self.libraries: list[object] = []
        self._callbacks = self._functions()
        self.jit = create_jit()
        builder = binding.JITLibraryBuilder()
        self._code = _machine_code()
        builder.add_object_img(self._code)
        for name, address in libc_addresses(_LIBC).items():
            builder.import_symbol(name, address)
        for name, callback in self._callbacks.items():
            builder.import_symbol(name, ctypes.cast(callback, word).value or 0)
        for name in EXPORTS:
            builder.export_symbol(name)
        self._tracker = builder.link(self.jit, "xgpu.native")
        self.symbols: dict[str, int] = {name: self._tracker[name] for name in EXPORTS}
        self.async_start = ctypes.CFUNCTYPE(None, ctypes.c_int64, number)(
            self.symbols["xgpu_async_start"]
        )
        self.async_stop = ctypes.CFUNCTYPE(number, number)(self.symbols["xgpu_async_stop"])
        self.async_alive = ctypes.CFUNCTYPE(ctypes.c_int64)(self.symbols["xgpu_async_alive"])
        self._fault_place = ctypes.CFUNCTYPE(word)(self.symbols["xgpu_fault_place"])
        self.guard = ctypes.CFUNCTYPE(number, word, word)(self.symbols["xgpu_guard"])
        self.work = ctypes.CFUNCTYPE(number, word)(self.symbols["xgpu_guarded_work"])
        self.release = ctypes.CFUNCTYPE(None, word)(self.symbols["xgpu_release"])

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

    def fault_address(self) -> int:
        """The address that the last fault was about."""
        return ctypes.c_uint64.from_address(self._fault_place() + 8).value

    def fault_source(self) -> str | None:
        """`file:line` of our own source that the last fault was in; None: not in ours."""
        from xgpu.runtime.native.debug import line_table

        address = ctypes.c_int64.from_address(self._fault_place())
        at = address.value - self.symbols["xgpu_native_begin"]
        found = line_table(self._code).location(at)
        return None if found is None else f"{found[0]}:{found[1]}"


_COMPILER = (
    "language", "expressions", "arithmetic", "builtins", "values", "debug", "codes", "support",
    "library",
)  # fmt: skip


def _machine_code() -> bytes:
    """The library's object code; kept in the user's cache under a hash of its sources."""
    import hashlib

    from xgpu.backend.host.machine import compile_ir, description
    from xgpu.support import cache as kept

    folder = files("xgpu.runtime.native")
    digest = hashlib.sha256(description().encode())
    for name in _SOURCES:
        digest.update(_text(name).encode())
    for name in _COMPILER:
        digest.update((folder / f"{name}.py").read_bytes())
    digest.update(
        repr((STRUCTS, constants(), codes.PROGRAM_COUNTER_WORD, codes.FAULT_ADDRESS_WORD)).encode()
    )
    key = digest.hexdigest()
    code = kept.get("native", key)
    if code is None:
        code = compile_ir(source_text(), 2)
        kept.put("native", key, code)
    return code


_LIBDEVICE_LIBM = (
    "fma", "fmaf", "sqrt", "sqrtf", "exp", "log", "sin", "cos", "fmod", "cbrt", "pow", "erf",
    "erfc", "fabs", "scalbn", "hypot", "nextafter", "nextafterf",
)  # fmt: skip


@cache
def libdevice_symbols() -> dict[str, int]:
    """Addresses of `xgpu_nv_*`, compiled on first use."""
    from ctypes.util import find_library

    from llvmlite import binding

    from xgpu.backend.host.machine import compile_ir

    sources = ("libm", "directed_rounding", "libdevice_rounding", "libdevice")
    text = _compile(sources, "xgpu libdevice")
    names = re.findall(r"^define \w+ @(xgpu_nv_\w+)\(", text, re.MULTILINE)
    text = re.sub(r"^define (\w+ @(?!xgpu_nv_))", r"define internal \1", text, flags=re.MULTILINE)
    libm = ctypes.CDLL(find_library("m"))
    builder = binding.JITLibraryBuilder().add_object_img(compile_ir(text, 2))
    for name in _LIBDEVICE_LIBM:
        address = ctypes.cast(getattr(libm, name), ctypes.c_void_p).value or 0
        builder.import_symbol(name, address)
    for name in names:
        builder.export_symbol(name)
    native = native_library()
    tracker = builder.link(native.jit, "xgpu.libdevice")
    native.libraries.append(tracker)
    return {name: tracker[name] for name in names}


_lock = threading.Lock()


@cache
def _library() -> NativeLibrary:
    return NativeLibrary()


def native_library() -> NativeLibrary:
    """The library of this process, compiled on first use."""
    with _lock:
        return _library()

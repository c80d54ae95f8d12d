# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What only LLVM IR can say, and sources of the native library need."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from functools import cache

from xgpu.host_device.abi.codes import (
    FAULT_TEXT,
    FIRST_GUARD_SLOT,
    GUARD_SLOT_BYTES,
    GUARD_SLOTS,
    UNITS_WORD,
)
from xgpu.host_device.abi.structs import offset, size_of
from xgpu.host_device.native.debug import DebugInfo
from xgpu.host_device.native.language import Source, compile_function, declaration, functions_of
from xgpu.host_device.native.support_text import own_text

# -- What some functions of native sources need, as a module of LLVM IR of its own.
#
# Functions of sources keep nothing, so any number of modules may have one of them. What keeps
# something (a variable) is in one module, and others import the functions that give it.


_NAME = re.compile(r"@([\w.]+)")
_ITEM = re.compile(r"^(?:(?:define|declare) [^@\n]*@([\w.]+)\(|@([\w.]+) = )", re.MULTILINE)


def items(text: str) -> dict[str, str]:
    """Functions, declarations and variables of LLVM IR without metadata, by name."""
    found = list(_ITEM.finditer(text))
    ends = [match.start() for match in found[1:]] + [len(text)]
    return {
        match[1] or match[2]: text[match.start() : end].strip()
        for match, end in zip(found, ends, strict=True)
    }


def compile_reachable(
    sources: Iterable[Source],
    name: str,
    roots: Collection[str],
    own: Mapping[str, str],
    imported: Collection[str] = (),
) -> str:
    """LLVM IR text of the functions `roots`, in that order, and of all that they use; only `roots`
    can be seen from outside.

    `own` holds what is written in LLVM IR, by name; sources declare it. What is in `imported` is
    found at link time.
    """
    functions = functions_of(sources)
    debug, intrinsics = DebugInfo(), dict[str, str]()
    parts: dict[str, str] = {}
    todo = list(roots)
    for needed in todo:
        if needed in parts or (needed.startswith("llvm.") and needed not in own):
            continue
        is_local = needed not in roots
        if needed in imported:
            text = _head(own[needed]) if needed in own else declaration(functions[needed][0])
        elif needed in own:
            text = own[needed]
            if is_local and text.startswith("define "):
                text = text.replace("define ", "define internal ", 1)
        else:
            signature, scope = functions[needed]
            text = "\n".join(
                compile_function(signature, scope, intrinsics, debug, is_local=is_local)
            )
        parts[needed] = text
        todo += _NAME.findall(text)
    head = f'source_filename = "{name}"'
    return "\n".join([head, *parts.values(), *intrinsics.values(), *debug.lines()]) + "\n"


def _head(definition: str) -> str:
    """The declaration of a function that LLVM IR text defines."""
    head = definition[: definition.index(")") + 1].replace("define ", "declare ", 1)
    return re.sub(r" %[\w.]+", "", head)


ASYNC_STACK_BYTES = 16 << 20

# What only LLVM IR can say: setjmp returns twice, so it must be called where its frame stays alive.
# A thread that ends gives its slot back: the key says where it has one, and whether there is a key.
_GUARD_IR = """
declare i32 @_setjmp(ptr) returns_twice
@xgpu_slots = internal global [SLOTS_BYTES x i8] zeroinitializer, align 64

define ptr @xgpu_slot_table() { ret ptr @xgpu_slots }

@xgpu_guard_keys = internal global [2 x i64] zeroinitializer
define ptr @xgpu_guard_key() { ret ptr @xgpu_guard_keys }

define void @xgpu_guard_begin() {
  %failed = call i32 @pthread_key_create(ptr @xgpu_guard_keys, ptr @guard_give_back)
  %made = icmp eq i32 %failed, 0
  %word = zext i1 %made to i64
  %made.at = getelementptr i64, ptr @xgpu_guard_keys, i64 1
  store i64 %word, ptr %made.at
  ret void
}

@xgpu_fault_counter = internal global [16 x i64] zeroinitializer
define ptr @xgpu_fault_place() { ret ptr @xgpu_fault_counter }

@xgpu_fault = internal constant [FAULT_SIZE x i8] c"FAULT_TEXT"
define ptr @xgpu_fault_text() { ret ptr @xgpu_fault }

define i1 @xgpu_open(i64 %address, ptr %context) {
  %open.at = getelementptr i64, ptr @xgpu_fault_counter, i64 UNITS_WORD
  %open = load atomic ptr, ptr %open.at acquire, align 8
  %none = icmp eq ptr %open, null
  br i1 %none, label %no, label %ask
ask:
  %is = call i1 %open(i64 %address, ptr %context)
  ret i1 %is
no:
  ret i1 false
}

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

# SIGINT is counted and goes on to the handler before: Python notes it, and acts on it when the
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
define i32 @xgpu_guarded_NAME(ptr %worker) noinline {
  %frame = call ptr @llvm.frameaddress.p0(i32 0)
  %stack = getelementptr i8, ptr %worker, i64 STACK_OFFSET
  store ptr %frame, ptr %stack
  %code = call i32 @xgpu_guard(ptr @xgpu_NAME, ptr %worker)
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


@cache
def own_items() -> dict[str, str]:
    """The functions, variables and declarations, by name."""
    guard = _GUARD_IR.replace("FAULT_SIZE", str(len(FAULT_TEXT)))
    guard = guard.replace("FAULT_TEXT", FAULT_TEXT.replace("\n", "\\0A"))
    guard = guard.replace("SLOTS_BYTES", str(FIRST_GUARD_SLOT + GUARD_SLOTS * GUARD_SLOT_BYTES))
    guard = guard.replace("UNITS_WORD", str(UNITS_WORD))
    pool = _ASYNC_IR.replace("POOL_BYTES", str(size_of("AsyncPool")))
    pool = pool.replace("STACK_BYTES", str(ASYNC_STACK_BYTES))
    work = _WORK_IR.replace("STACK_OFFSET", str(offset("Worker", "stack")))
    works = "".join(work.replace("NAME", name) for name in ("work", "scheduled_work"))
    frame = "declare ptr @llvm.frameaddress.p0(i32)\n"
    parts = (_FIRST, guard, _INTERRUPT_IR, _handlers_text(), own_text(), frame, works, pool)
    return items("".join(parts))

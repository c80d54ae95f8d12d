# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Who may be thrown out of native code. Native source (see `language`): parsed, never imported.

Each thread that runs generated code does so under `xgpu_guard` (in `library`), which takes a slot here.
A slot is 1024 bytes: 0 thread, 32 the alternate signal stack's description, 56 how deep the thread is
in Python code that generated code has called, 64 jmp_buf. Python must not be thrown out of: a fault there
(a bad address handed to a runtime function) ends the process, with one line.
"""

SLOTS = 256
SLOT_BYTES = 1024
ALTERNATE_STACK = 65536


def pthread_self() -> i64: ...
def sigaltstack(new: ptr, old: ptr) -> i32: ...
def signal(number: i32, handler: ptr) -> ptr: ...
def xgpu_slot_table() -> ptr: ...
def xgpu_fault_text() -> ptr: ...
def write(file: i32, data: ptr, size: i64) -> i64: ...
def _exit(code: i32) -> None: ...
def longjmp(buffer: ptr, code: i32) -> None: ...


def guard_find() -> ptr:
    """The slot of the calling thread, or null."""
    me = pthread_self()
    for i in range(SLOTS):
        slot: Ptr[i64] = advance(xgpu_slot_table(), i * SLOT_BYTES)
        if slot[0] == me:
            return slot
    return None


def guard_enter() -> ptr:
    """Take a slot, with an alternate signal stack; null if the thread has one or none is free."""
    if i64(guard_find()) != 0:
        return None
    me = pthread_self()
    for i in range(SLOTS):
        slot: Ptr[i64] = advance(xgpu_slot_table(), i * SLOT_BYTES)
        if claim(slot, me):
            stack: Ptr[i64] = advance(slot, 32)
            memory = aligned_alloc(64, ALTERNATE_STACK)
            stack[0] = i64(memory)
            stack[1] = 0
            stack[2] = ALTERNATE_STACK
            sigaltstack(stack, None)
            depth: Ptr[i64] = slot
            depth[7] = 0
            return slot
    return None


def claim(slot: Ptr[i64], me: i64) -> i1:
    return exchange_if(slot, 0, me)


def guard_leave(slot: Ptr[i64]) -> None:
    stack: Ptr[i64] = advance(slot, 32)
    memory = ptr(stack[0])
    stack[1] = 2  # SS_DISABLE
    sigaltstack(stack, None)
    free(memory)
    atomic_store(slot[0], 0)


def xgpu_enter_python() -> None:
    slot: Ptr[i64] = guard_find()
    if i64(slot) != 0:
        slot[7] += 1


def xgpu_leave_python() -> None:
    slot: Ptr[i64] = guard_find()
    if i64(slot) != 0:
        slot[7] -= 1


def xgpu_throw(code: i32) -> None:
    """Leave the generated code that this thread runs; returns only where there is no guard."""
    slot = guard_find()
    if i64(slot) != 0:
        longjmp(advance(slot, 64), code)


def xgpu_signal(number: i32, info: Ptr[i64], context: ptr) -> None:
    """Signal handler: a fault in generated code ends that code, any other is left to the default."""
    slot: Ptr[i64] = guard_find()
    if i64(slot) == 0:
        signal(number, None)
        return
    if slot[7] != 0:
        write(2, xgpu_fault_text(), FAULT_TEXT_BYTES)
        _exit(1)
    xgpu_throw(number + SIGNAL_CODE)

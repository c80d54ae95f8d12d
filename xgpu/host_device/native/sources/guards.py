# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Who may be thrown out of native code.

Each thread that runs generated code does so under `xgpu_guard` (in `library`), which takes a slot
here. The table begins with the threads, side by side, for all of them are looked at up to the first
place that no thread has had yet; then come the slots of 1024 bytes: 0 where in the table the thread
is, 8 whether it ends when it comes back from Python, 32 the alternate signal stack's description,
whose memory the next thread in the slot gets, 56 how deep the thread is in Python code that
generated code has called, 64 jmp_buf. A thread that leaves its guard keeps its slot until the
thread ends, and has its alternate stack meanwhile: to set one and to take it back are two system
calls, a third of the time of a small launch. Slots behind the first KEPT_SLOTS are free for others
at once. Python must not be thrown out of: a fault there (a bad
address handed to a runtime function) ends the process, with one line.
A signal that was sent to end generated code is no fault: it ends what a thread
runs when that comes back from Python, and does nothing to one that has left its guard.
In the C library a thread may hold a lock that the whole process needs, such as that of `malloc`.
There the signal is only noted. It is sent again until the thread has ended what it runs, and a wait
ends it (`xgpu_end_if_asked`).
"""

from __future__ import annotations

from xgpu.host_device.abi.codes import (
    FAULT_ADDRESS_WORD,
    FAULT_TEXT_BYTES,
    FIRST_GUARD_SLOT,
    FREE_SLOT,
    GUARD_SLOT_BYTES,
    GUARD_SLOTS,
    KEPT_SLOT,
    KEPT_SLOTS,
    LIBRARY_WORDS,
    PROGRAM_COUNTER_WORD,
    SIGNAL_CODE,
    STACK_POINTER_WORD,
    UNIT_WORDS,
    UNITS_WORD,
)
from xgpu.host_device.native.prelude import (
    Ptr,
    advance,
    atomic_store,
    copy_bytes,
    exchange_if,
    extern,
    i1,
    i32,
    i64,
    ptr,
    ult,
)
from xgpu.host_device.native.sources.libc import (
    _exit,
    aligned_alloc,
    longjmp,
    mprotect,
    pthread_self,
    pthread_setspecific,
    sigaltstack,
    signal,
    write,
)

UNUSED_SLOT = 0
ALTERNATE_STACK = 65536
NESTED_BYTES = 712
READ_WRITE = 3
NO_ACCESS = 2  # SEGV_ACCERR: why there is a SIGSEGV
SIGILL = 4
SENT_ON_DARWIN = 0x10001  # SI_USER there; on Linux what is sent has a code that is not positive


@extern
def xgpu_slot_table() -> ptr: ...
@extern
def xgpu_fault_place() -> Ptr[i64]: ...
@extern
def xgpu_fault_text() -> ptr: ...
@extern
def xgpu_open(address: i64, context: Ptr[i64]) -> i1: ...


@extern
def xgpu_guard_key() -> Ptr[i64]: ...


def guard_find() -> Ptr[i64] | None:
    """The slot of the calling thread, or null."""
    return slot_of(pthread_self())


def slot_of(owner: i64) -> Ptr[i64] | None:
    """The slot with such an entry in the table, or null."""
    threads = Ptr[i64](xgpu_slot_table())
    for i in range(GUARD_SLOTS):
        thread = threads[i]
        if thread == owner:
            return Ptr[i64](advance(xgpu_slot_table(), FIRST_GUARD_SLOT + i * GUARD_SLOT_BYTES))
        if thread == UNUSED_SLOT:
            return None
    return None


def guard_enter() -> ptr | None:
    """Take a slot, with an alternate signal stack; null if the thread has one or none is free."""
    me = pthread_self()
    if slot_of(me) is not None:
        return None
    slot = slot_of(me | KEPT_SLOT)
    if slot is not None:
        slot[1] = 0
        slot[7] = 0
        atomic_store(Ptr[i64](slot[0]), me)
        return slot
    for i in range(GUARD_SLOTS):
        thread = Ptr[i64](advance(xgpu_slot_table(), i * 8))
        if claim(thread, me):
            slot = Ptr[i64](advance(xgpu_slot_table(), FIRST_GUARD_SLOT + i * GUARD_SLOT_BYTES))
            stack = Ptr[i64](advance(slot, 32))
            if stack[0] == 0:
                stack[0] = i64(aligned_alloc(64, ALTERNATE_STACK))
            stack[1] = 0
            stack[2] = ALTERNATE_STACK
            sigaltstack(stack, None)
            slot[0] = i64(thread)
            slot[1] = 0
            slot[7] = 0
            return slot
    return None


def claim(thread: Ptr[i64], me: i64) -> i1:
    return exchange_if(thread, FREE_SLOT, me) or exchange_if(thread, UNUSED_SLOT, me)


def guard_leave(slot: Ptr[i64]) -> None:
    key = xgpu_guard_key()
    place = slot[0] - i64(xgpu_slot_table())
    if place < KEPT_SLOTS * 8 and key[1] != 0 and pthread_setspecific(i32(key[0]), slot) == 0:
        atomic_store(Ptr[i64](slot[0]), pthread_self() | KEPT_SLOT)
    else:
        guard_give_back(slot)


def guard_give_back(slot: Ptr[i64]) -> None:
    """The slot is free: its thread ends, or does not keep it."""
    stack = Ptr[i64](advance(slot, 32))
    stack[1] = 2  # SS_DISABLE
    sigaltstack(stack, None)
    atomic_store(Ptr[i64](slot[0]), FREE_SLOT)


def guard_nest(saved: ptr) -> ptr | None:
    """Guard code inside Python code that guarded code has called; null if this thread is not there.

    What a fault does until `guard_unnest` is kept in `saved`, of NESTED_BYTES.
    """
    slot = guard_find()
    if slot is None:
        return None
    if slot[7] == 0:
        return None
    copy_bytes(saved, advance(slot, 56), NESTED_BYTES)
    slot[7] = 0
    return slot


def guard_unnest(slot: ptr, saved: ptr) -> None:
    copy_bytes(advance(slot, 56), saved, NESTED_BYTES)


def xgpu_enter_python() -> None:
    slot = guard_find()
    if slot is not None:
        slot[7] += 1


def xgpu_leave_python() -> None:
    slot = guard_find()
    if slot is not None:
        slot[7] -= 1
        end_if_noted(slot)


def xgpu_end_if_asked() -> None:
    """Behind a wait in the C library: leave the generated code if a signal has come meanwhile."""
    slot = guard_find()
    if slot is not None:
        end_if_noted(slot)


def end_if_noted(slot: Ptr[i64]) -> None:
    if slot[7] == 0 and slot[1] != 0:
        slot[1] = 0
        xgpu_throw(SIGILL + SIGNAL_CODE)


def xgpu_throw(code: i32) -> None:
    """Leave the generated code that this thread runs; returns only where there is no guard."""
    slot = guard_find()
    if slot is not None:
        longjmp(advance(slot, 64), code)


def was_sent(number: i32, info: Ptr[i64]) -> i1:
    """Whether a signal comes from a thread of this process that wants the code here to end."""
    code = i32(info[1])
    return number == SIGILL and (code <= 0 or code == SENT_ON_DARWIN)


def in_c_library(context: Ptr[i64]) -> i1:
    """Whether the instruction that a signal has interrupted is the C library's or the dynamic
    linker's; False where that is not known."""
    if PROGRAM_COUNTER_WORD == 0:
        return False
    at = context[PROGRAM_COUNTER_WORD]
    ranges = Ptr[i64](advance(xgpu_fault_place(), LIBRARY_WORDS * 8))
    return ult(at - ranges[0], ranges[1]) or ult(at - ranges[2], ranges[3])


def in_handler(slot: Ptr[i64], context: Ptr[i64]) -> i1:
    """Whether a signal has interrupted the handler of another one, which may have come in the C
    library."""
    if PROGRAM_COUNTER_WORD == 0:
        return False
    begin = Ptr[i64](advance(slot, 32))[0]
    return ult(context[STACK_POINTER_WORD] - begin, ALTERNATE_STACK)


def xgpu_open_unit(address: i64, context: Ptr[i64]) -> i1:
    """Whether an address lies behind an allocation, but in its last unit of memory: there is memory
    from now on, and what was interrupted goes on."""
    if PROGRAM_COUNTER_WORD != 0 and context[PROGRAM_COUNTER_WORD] == address:
        return False  # a jump there
    fault = xgpu_fault_place()
    units = Ptr[i64](fault[UNITS_WORD + 1])
    for i in range(fault[UNITS_WORD + 2]):
        at = i * UNIT_WORDS
        if ult(address - units[at], units[at + 1]):
            if units[at + 2] == 0:
                units[at + 2] = address
            return mprotect(ptr(units[at]), units[at + 1], READ_WRITE) == 0
    return False


def in_sanitizer() -> i1:
    """Whether this thread is in the sanitizer's code, which ends the kernel then when it is left
    (`sanitizer_state.let_go`)."""
    place = ptr(xgpu_fault_place()[2])
    if i64(place) == 0:
        return False
    holder = Ptr[i64](place)
    if holder[1] == 0 or holder[0] != pthread_self():
        return False
    holder[2] = 1
    return True


def xgpu_signal(number: i32, info: Ptr[i64], context: Ptr[i64]) -> None:
    """Handles a signal: a fault in generated code ends that code, others have their default."""
    slot = guard_find()
    if slot is None:
        if not was_sent(number, info):
            signal(number, None)
        return
    is_sent = was_sent(number, info)
    if is_sent and in_sanitizer():
        return
    if is_sent and (slot[7] != 0 or in_c_library(context) or in_handler(slot, context)):
        slot[1] = 1
        return
    if slot[7] != 0:
        write(2, xgpu_fault_text(), FAULT_TEXT_BYTES)
        _exit(1)
    fault = xgpu_fault_place()
    if i32(info[1]) == NO_ACCESS and xgpu_open(info[FAULT_ADDRESS_WORD], context):
        return
    fault[1] = info[FAULT_ADDRESS_WORD]
    if PROGRAM_COUNTER_WORD != 0:
        fault[0] = context[PROGRAM_COUNTER_WORD]
    xgpu_throw(number + SIGNAL_CODE)

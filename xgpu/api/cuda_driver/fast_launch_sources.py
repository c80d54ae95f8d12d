# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of `fast_calls` for launches that were made before, and for streams in which
nothing is left, as in `fast_call_sources`."""

from __future__ import annotations

from xgpu.api.cuda_driver.fast_call_sources import (
    driver_words,
    is_sound,
    is_stream,
    thread,
)
from xgpu.api.cuda_driver.fast_calls import (
    ADDRESS,
    ALIGNMENT,
    ARGUMENTS,
    BEFORE,
    BEHIND,
    BEHIND_BYTES,
    CAPTURES,
    CLOCK,
    CONFIG_BLOCK,
    CONFIG_COUNT,
    CONFIG_GRID,
    CONFIG_SHARED,
    CONFIG_STREAM,
    COUNT,
    CURRENT,
    EVENT,
    EVENT_WORDS,
    FUNCTION,
    GATE,
    IN,
    IS_RECORDED,
    LATEST,
    LAUNCH,
    LEAD,
    LOWEST,
    MARK,
    MARKS,
    MOMENT,
    MOST,
    MOST_EVENTS,
    MOST_LAUNCHES,
    OF,
    RECORD,
    SERIES,
    SETTLE,
    SIZES,
    SLOT_SHIFT,
    THREAD,
    TIME,
    UNDONE,
    WITHIN,
    WORKER,
    WORKER_THREAD,
)
from xgpu.api.cuda_driver.fast_memory_sources import (
    allocation,
    are_hidden,
    gate,
    is_calm,
    is_idle,
)
from xgpu.api.cuda_driver.shared_object import CALL_SHIFT, INSIDE, INTERRUPTED, WORKING
from xgpu.host_device.native.prelude import (
    Ptr,
    advance,
    atomic_add,
    atomic_load,
    copy_bytes,
    exchange_if,
    extern,
    i1,
    i8,
    i16,
    i32,
    i64,
    invoke,
    lshr,
    ptr,
    stack,
    ult,
    zext64,
)


@extern
def pthread_self() -> i64: ...


@extern
def clock_gettime(clock: i32, into: Ptr[i64]) -> i32: ...


@extern
def PyGILState_Ensure() -> i32: ...


@extern
def PyGILState_Release(state: i32) -> None: ...


@extern
def PyErr_CheckSignals() -> i32: ...


@extern
def PyErr_Clear() -> None: ...


@extern
def PyErr_SetInterrupt() -> None: ...


@extern
def PyErr_Fetch(kind: ptr, value: ptr, trace: ptr) -> None: ...


@extern
def PyErr_Restore(kind: i64, value: i64, trace: i64) -> None: ...


# -- the functions in Python


@extern
def python_cuLaunchKernel(
    function: i64, gx: i32, gy: i32, gz: i32, bx: i32, by: i32, bz: i32, shared: i32, stream: i64,
    parameters: i64, extra: i64,
) -> i32: ...  # fmt: skip


@extern
def python_cuLaunchKernelEx(config: i64, function: i64, parameters: i64, extra: i64) -> i32: ...


@extern
def python_cuStreamQuery(stream: i64) -> i32: ...


@extern
def python_cuStreamSynchronize(stream: i64) -> i32: ...


@extern
def python_cuCtxSynchronize() -> i32: ...


@extern
def python_cuEventRecord(event: i64, stream: i64) -> i32: ...


@extern
def python_cuEventQuery(event: i64) -> i32: ...


@extern
def python_cuEventSynchronize(event: i64) -> i32: ...


@extern
def python_cuStreamWaitEvent(stream: i64, event: i64, flags: i32) -> i32: ...


# -- launches that were made before, in streams in which nothing is left


def may_work(calls: i64) -> i1:
    """Whether no call is under way, by the library's word of calls."""
    return calls & (INSIDE | WORKING) == 0


def place_of(begin: i64, bytes: i64, handle: i64, slots: i64) -> Ptr[i64]:
    """Words of a handle, from the word `begin`."""
    return Ptr[i64](advance(driver_words(), 8 * begin + bytes * (lshr(handle, SLOT_SHIFT) & slots)))


def launched(
    function: i64, gx: i32, gy: i32, gz: i32, bx: i32, by: i32, bz: i32, shared: i32, stream: i64,
    parameters: i64,
) -> i32:  # fmt: skip
    """Make a launch as it was made before; the result, or UNDONE."""
    words = driver_words()
    number = thread()
    # A kernel may follow pointers to memory that was released.
    if parameters == 0 or words[GATE] == 0 or not is_sound(number) or not is_idle():
        return UNDONE
    if not are_hidden():
        return UNDONE
    calls = atomic_load(gate())
    if not may_work(calls) or not exchange_if(gate(), calls, calls | WORKING):
        return UNDONE
    me = pthread_self()
    words[WORKER_THREAD] = me
    at = (lshr(function, SLOT_SHIFT) * 5 + lshr(stream, SLOT_SHIFT) * 77 + i64(gx) * 3
          + i64(bx) * 11) & (MOST_LAUNCHES - 1)  # fmt: skip
    found = words[LAUNCH + at]
    result = i32(UNDONE)
    if found != 0:
        notes = Ptr[i64](found)
        same = notes[FUNCTION] == function and notes[OF] == words[CURRENT + number]
        same = same and notes[IN] == stream and notes[THREAD] == me
        same = same and notes[WITHIN] == words[SERIES]
        same = same and words[LATEST] == lshr(calls, CALL_SHIFT)
        same = same and notes[SIZES] == zext64(gx) and notes[SIZES + 1] == zext64(gy)
        same = same and notes[SIZES + 2] == zext64(gz) and notes[SIZES + 3] == zext64(bx)
        same = same and notes[SIZES + 4] == zext64(by) and notes[SIZES + 5] == zext64(bz)
        if same and notes[SIZES + 6] == zext64(shared) and are_filled(notes, parameters):
            result = run(notes, at)
    words[WORKER_THREAD] = 0
    atomic_add(gate(), -WORKING)
    return result


def are_filled(notes: Ptr[i64], parameters: i64) -> i1:
    """Copy arguments to where they go. False for one that may be the address of an allocation, but
    of none that is known here."""
    at = i64(0)
    while at < notes[COUNT]:
        target = notes[ARGUMENTS + 2 * at]
        size = notes[ARGUMENTS + 2 * at + 1]
        given = Ptr[i64](parameters)[at]
        if given == 0:
            return False
        if size < 0:
            value = Ptr[i64](given)[0]
            if may_be_allocation(value) and not is_allocation(value):
                return False
            Ptr[i64](target)[0] = value
        elif size == 8:
            Ptr[i64](target)[0] = Ptr[i64](given)[0]
        elif size == 4:
            Ptr[i32](target)[0] = Ptr[i32](given)[0]
        elif size == 2:
            Ptr[i16](target)[0] = Ptr[i16](given)[0]
        elif size == 1:
            Ptr[i8](target)[0] = Ptr[i8](given)[0]
        else:
            copy_bytes(Ptr[i8](target), Ptr[i8](given), size)
        at += 1
    return True


def may_be_allocation(value: i64) -> i1:
    """Whether one may begin at an address: PTX does not say which words are pointers."""
    return value & (ALIGNMENT - 1) == 0 and not ult(value, LOWEST)


def is_allocation(address: i64) -> i1:
    return allocation(address)[ADDRESS] == address


def run(notes: Ptr[i64], at: i64) -> i32:
    """Run a launch whose arguments are there."""
    code = invoke(Ptr[i8](notes[LEAD]), i64, notes[WORKER], notes[RECORD], i32(0))
    if -code > notes[MOST]:
        notes[WITHIN] = 0  # one that is slow is left to Python, which measures it again
    if code < 0 and are_intact(notes):
        return 0
    notes[WITHIN] = 0
    return settled(at, code)


def settled(at: i64, code: i64) -> i32:
    """Let Python end a launch that has not gone well. What Ctrl-C would raise where the function in
    Python begins is put away: that one sees itself that it was pressed. So is an exception that is
    pending, as in `native`."""
    state = PyGILState_Ensure()
    pending = Ptr[i64](stack(24))
    PyErr_Fetch(pending, advance(pending, 8), advance(pending, 16))
    if PyErr_CheckSignals() != 0:
        PyErr_Clear()
    result = invoke(Ptr[i8](driver_words()[SETTLE]), i64, at, code)
    PyErr_Restore(pending[0], pending[1], pending[2])
    if result & INTERRUPTED != 0:
        PyErr_SetInterrupt()
    PyGILState_Release(state)
    return i32(result)


def are_intact(notes: Ptr[i64]) -> i1:
    """Whether nothing was stored beside the allocations that arguments point to."""
    at = i64(0)
    while at < notes[COUNT]:
        if notes[ARGUMENTS + 2 * at + 1] < 0:
            value = Ptr[i64](notes[ARGUMENTS + 2 * at])[0]
            if may_be_allocation(value):
                found = allocation(value)
                before = found[BEFORE]
                if not has_marks(value - before, before):
                    return False
                if not has_marks(found[BEHIND], found[BEHIND_BYTES]):
                    return False
        at += 1
    return True


def has_marks(begin: i64, bytes: i64) -> i1:
    at = begin
    end = begin + bytes
    while at + 8 <= end:
        if Ptr[i64](at)[0] != MARKS:
            return False
        at += 8
    while at < end:
        if Ptr[i8](at)[0] != i8(MARK):
            return False
        at += 1
    return True


def cuLaunchKernel(
    function: i64, gx: i32, gy: i32, gz: i32, bx: i32, by: i32, bz: i32, shared: i32, stream: i64,
    parameters: i64, extra: i64,
) -> i32:  # fmt: skip
    result = launched(function, gx, gy, gz, bx, by, bz, shared, stream, parameters)
    if result != UNDONE:
        return result
    return python_cuLaunchKernel(
        function, gx, gy, gz, bx, by, bz, shared, stream, parameters, extra
    )


def cuLaunchKernelEx(config: i64, function: i64, parameters: i64, extra: i64) -> i32:
    if config != 0 and Ptr[i32](config)[CONFIG_COUNT] == 0:
        c = Ptr[i32](config)
        result = launched(
            function, c[CONFIG_GRID], c[CONFIG_GRID + 1], c[CONFIG_GRID + 2], c[CONFIG_BLOCK],
            c[CONFIG_BLOCK + 1], c[CONFIG_BLOCK + 2], c[CONFIG_SHARED],
            Ptr[i64](config)[CONFIG_STREAM], parameters,
        )  # fmt: skip
        if result != UNDONE:
            return result
    return python_cuLaunchKernelEx(config, function, parameters, extra)


# -- streams with nothing left, and events in them


def has_nothing_left(stream: i64) -> i1:
    """Whether all is done that a stream was given."""
    return is_stream(stream) and is_calm()


def cuStreamQuery(stream: i64) -> i32:
    return 0 if has_nothing_left(stream) else python_cuStreamQuery(stream)


def cuStreamSynchronize(stream: i64) -> i32:
    return 0 if has_nothing_left(stream) else python_cuStreamSynchronize(stream)


def cuCtxSynchronize() -> i32:
    return 0 if has_nothing_left(0) else python_cuCtxSynchronize()


def notes_of(event: i64) -> i64:
    """The address of an event's notes, if it is of the current context and nothing has failed
    there; 0 otherwise."""
    number = thread()
    if event == 0 or driver_words()[GATE] == 0 or not is_sound(number):
        return 0
    found = place_of(EVENT, 8 * EVENT_WORDS, event, MOST_EVENTS - 1)
    if found[0] != event or found[1] != driver_words()[CURRENT + number]:
        return 0
    return found[2]


def cuEventRecord(event: i64, stream: i64) -> i32:
    calls = atomic_load(gate()) if driver_words()[GATE] != 0 else i64(WORKING)
    if may_work(calls) and exchange_if(gate(), calls, calls | WORKING):
        words = driver_words()
        words[WORKER_THREAD] = pthread_self()
        done = is_recorded_now(event, stream)
        words[WORKER_THREAD] = 0
        atomic_add(gate(), -WORKING)
        if done:
            return 0
    return python_cuEventRecord(event, stream)


def is_recorded_now(event: i64, stream: i64) -> i1:
    """Record an event in a stream with nothing left; False if that is not known."""
    found = notes_of(event)
    if found == 0 or not is_stream(stream) or not is_idle():
        return False
    moment = Ptr[i64](advance(driver_words(), 8 * MOMENT))
    clock_gettime(CLOCK, moment)
    notes = Ptr[i64](found)
    notes[TIME] = moment[0] * 1000000000 + moment[1]
    notes[IS_RECORDED] = 1
    return True


def is_past(event: i64) -> i1:
    """Whether machine code has recorded an event last."""
    found = notes_of(event)
    return found != 0 and Ptr[i64](found)[IS_RECORDED] != 0


def cuEventQuery(event: i64) -> i32:
    return 0 if is_past(event) else python_cuEventQuery(event)


def cuEventSynchronize(event: i64) -> i32:
    return 0 if is_past(event) else python_cuEventSynchronize(event)


def cuStreamWaitEvent(stream: i64, event: i64, flags: i32) -> i32:
    if flags == 0 and is_stream(stream) and driver_words()[CAPTURES] == 0 and is_past(event):
        return 0
    return python_cuStreamWaitEvent(stream, event, flags)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of `fast_calls` for memory at rest and for small copies, as in `fast_call_sources`.
Nothing is under way where they do anything."""

from __future__ import annotations

from xgpu.api.cuda_driver.fast_call_sources import (
    driver_words,
    is_sound,
    is_stream,
    slot,
    thread,
)
from xgpu.api.cuda_driver.fast_calls import (
    ACTIVITY,
    ADDRESS,
    APART,
    APART_BIT,
    CAPTURES,
    CURRENT,
    DEVICE,
    DEVICES,
    GATE,
    GRANULE,
    HIGH,
    HOME,
    IDLE,
    IS_HIDDEN,
    IS_RELEASED,
    IS_RESIZED,
    KNOWN,
    LOW,
    MEMORY,
    MEMORY_WORDS,
    MOST_COPIED,
    MOST_RESTS,
    RELEASED,
    REST,
    REST_LOCK,
    RESTING,
    RESTS,
    SERVES,
    SIZE,
    STATE,
    TIMES,
    TYPE,
    WHOLE,
)
from xgpu.api.cuda_driver.shared_object import WORKING
from xgpu.host_device.native.prelude import (
    Ptr,
    advance,
    atomic_load,
    atomic_store,
    copy_bytes,
    exchange_if,
    extern,
    function_address,
    i1,
    i32,
    i64,
    lshr,
    ptr,
    stack,
    ult,
    zext64,
)

PAGE = 4096
NO_ACCESS = 0
READ_AND_WRITE = 3


@extern
def mprotect(address: i64, size: i64, allowed: i32) -> i32: ...


@extern
def xgpu_guard(function: ptr, argument: Ptr[i64]) -> i32: ...


@extern
def xgpu_transfer(record: ptr) -> None: ...


# -- the functions in Python


@extern
def python_cuMemAlloc_v2(address: i64, size: i64) -> i32: ...


@extern
def python_cuMemFree_v2(address: i64) -> i32: ...


@extern
def python_cuMemcpy(to: i64, origin: i64, size: i64) -> i32: ...


@extern
def python_cuMemcpyHtoD_v2(to: i64, origin: i64, size: i64) -> i32: ...


@extern
def python_cuMemcpyDtoH_v2(to: i64, origin: i64, size: i64) -> i32: ...


@extern
def python_cuMemcpyDtoD_v2(to: i64, origin: i64, size: i64) -> i32: ...


@extern
def python_cuMemcpyAsync(to: i64, origin: i64, size: i64, stream: i64) -> i32: ...


@extern
def python_cuMemcpyHtoDAsync_v2(to: i64, origin: i64, size: i64, stream: i64) -> i32: ...


@extern
def python_cuMemcpyDtoHAsync_v2(to: i64, origin: i64, size: i64, stream: i64) -> i32: ...


@extern
def python_cuMemcpyDtoDAsync_v2(to: i64, origin: i64, size: i64, stream: i64) -> i32: ...


@extern
def python_cuMemsetD8_v2(to: i64, value: i32, count: i64) -> i32: ...


@extern
def python_cuMemsetD32_v2(to: i64, value: i32, count: i64) -> i32: ...


@extern
def python_cuMemsetD8Async(to: i64, value: i32, count: i64, stream: i64) -> i32: ...


@extern
def python_cuMemsetD32Async(to: i64, value: i32, count: i64, stream: i64) -> i32: ...


# -- memory at rest, and small copies, where nothing is under way


def gate() -> Ptr[i64]:
    """The library's word of calls, where there is one."""
    return Ptr[i64](driver_words()[GATE])


def is_calm() -> i1:
    """Whether nothing is under way, nor does machine code make a launch."""
    if driver_words()[GATE] != 0 and atomic_load(gate()) & WORKING != 0:
        return False
    return is_idle()


def is_idle() -> i1:
    """Whether devices have nothing left to do, and no stream captures."""
    words = driver_words()
    if words[CAPTURES] != 0:
        return False
    for ordinal in range(words[DEVICES]):
        counter = words[ACTIVITY + ordinal]
        if counter != 0 and Ptr[i64](counter)[0] != words[IDLE + ordinal]:
            return False
    return True


def allocation(address: i64) -> Ptr[i64]:
    """The words of the allocation that begins at an address, if it does."""
    return Ptr[i64](advance(driver_words(), 8 * (MEMORY + MEMORY_WORDS * slot(address))))


def rest(number: i64) -> Ptr[i64]:
    """An entry of the table."""
    return Ptr[i64](advance(driver_words(), 8 * (REST + MEMORY_WORDS * number)))


def lock_rests() -> i32:
    """Take the table, unless another thread has it."""
    place = Ptr[i64](advance(driver_words(), 8 * REST_LOCK))
    return i32(1) if exchange_if(place, 0, 1) else i32(0)


def unlock_rests() -> None:
    atomic_store(Ptr[i64](advance(driver_words(), 8 * REST_LOCK)), 0)


def is_protected(memory: Ptr[i64], allowed: i32) -> i1:
    """Allow the pages of an entry something; whether the system does."""
    begin = memory[ADDRESS] & -PAGE
    return mprotect(begin, memory[ADDRESS] + memory[WHOLE] - begin, allowed) == 0


def are_hidden() -> i1:
    """Take access from what is released; False if another thread uses the table."""
    words = driver_words()
    if words[RELEASED] == 0:
        return True
    if lock_rests() == 0:
        return False
    for i in range(words[RESTS]):
        found = rest(i)
        if found[STATE] == IS_RELEASED and is_protected(found, NO_ACCESS):
            found[STATE] = IS_HIDDEN
            words[RELEASED] -= 1
    unlock_rests()
    return words[RELEASED] == 0


def served_again(whole: i64, size: i64, home: i64) -> i64:
    """The address of memory at rest of a context that serves again; 0 if there is none. The table
    is the caller's."""
    words = driver_words()
    for i in range(words[RESTS]):
        found = rest(i)
        is_it = found[STATE] == IS_RELEASED or found[STATE] == IS_HIDDEN
        if is_it and found[WHOLE] == whole and found[HOME] == home:
            if found[STATE] == IS_RELEASED:
                words[RELEASED] -= 1
            elif not is_protected(found, READ_AND_WRITE):
                return 0
            found[STATE] = SERVES if found[KNOWN] == size else IS_RESIZED
            found[SIZE] = size
            found[TIMES] += 1
            words[RESTING + found[DEVICE]] -= size
            made = allocation(found[ADDRESS])
            made[ADDRESS] = 0
            for word in range(ADDRESS + 1, MEMORY_WORDS):
                made[word] = found[word]
            made[TYPE] = 2
            made[ADDRESS] = found[ADDRESS]
            return found[ADDRESS]
    return 0


def cuMemAlloc_v2(address: i64, size: i64) -> i32:
    number = thread()
    words = driver_words()
    may_serve = address != 0 and size > 0 and words[RESTS] != 0 and is_sound(number)
    if may_serve and is_calm() and lock_rests() != 0:
        whole = (size + (GRANULE - 1)) & -GRANULE
        found = served_again(whole, size, words[CURRENT + number])
        unlock_rests()
        if found != 0:
            Ptr[i64](address)[0] = found
            return 0
    return python_cuMemAlloc_v2(address, size)


def is_laid_down(address: i64) -> i1:
    """Put an allocation to rest, if there is room. The table is the caller's."""
    words = driver_words()
    count = words[RESTS]
    at = i64(0)
    while at < count and rest(at)[ADDRESS] != address:  # one that has been there before
        at += 1
    if at == MOST_RESTS:
        return False
    found = allocation(address)
    if found[ADDRESS] != address:
        return False
    place = rest(at)
    copy_bytes(place, found, 8 * MEMORY_WORDS)
    place[STATE] = IS_RELEASED
    found[ADDRESS] = 0
    words[RELEASED] += 1
    words[RESTING + found[DEVICE]] += found[SIZE]
    if at == count:
        words[RESTS] = count + 1
    return True


def cuMemFree_v2(address: i64) -> i32:
    number = thread()
    found = allocation(address)
    is_own = address != 0 and found[ADDRESS] == address and found[WHOLE] != 0
    may_rest = is_own and is_sound(number) and found[HOME] == driver_words()[CURRENT + number]
    if may_rest and is_calm() and lock_rests() != 0:
        is_done = is_laid_down(address)
        unlock_rests()
        if is_done:
            return 0
    return python_cuMemFree_v2(address)


def is_of_host(address: i64, size: i64) -> i1:
    """Whether these bytes are plainly memory that the driver knows nothing of."""
    words = driver_words()
    if address == 0 or lshr(address, APART_BIT) == APART:
        return False
    return not ult(words[LOW], address + size) or not ult(address, words[HIGH])


def is_of_device(address: i64, size: i64) -> i1:
    """Whether these bytes are the first of an allocation of a device."""
    found = allocation(address)
    return found[ADDRESS] == address and found[TYPE] == 2 and not ult(found[SIZE], size)


def is_transferred(to: i64, origin: i64, count: i64, value: i64, width: i64) -> i1:
    """Do as `memory.transfer`; False where an address faults."""
    record = Ptr[i64](stack(40))
    record[0] = to
    record[1] = origin
    record[2] = count
    record[3] = value
    record[4] = width
    return xgpu_guard(function_address(xgpu_transfer), record) == 0


def is_filled(to: i64, value: i32, count: i64, width: i64, stream: i64) -> i1:
    """Fill with values of `width` bytes, where all is plain."""
    is_small = ult(count - 1, MOST_COPIED // width)
    if to == 0 or not is_small or not is_stream(stream):
        return False
    if not is_of_device(to, count * width) or not is_calm():
        return False
    return is_transferred(to, 0, count, zext64(value), width)


def is_copied(to: i64, origin: i64, size: i64, stream: i64, may_be_host: i32) -> i1:
    """Copy, where all is plain; which end may be the host's: 1 the target, 2 the source."""
    is_small = ult(size - 1, MOST_COPIED)
    if to == 0 or origin == 0 or not is_small or not is_stream(stream):
        return False
    if not is_of_device(to, size) and not ((may_be_host & 1) != 0 and is_of_host(to, size)):
        return False
    is_known = is_of_device(origin, size)
    if not is_known and not ((may_be_host & 2) != 0 and is_of_host(origin, size)):
        return False
    return is_calm() and is_transferred(to, origin, size, 0, 0)


def cuMemcpy(to: i64, origin: i64, size: i64) -> i32:
    return 0 if is_copied(to, origin, size, 0, 3) else python_cuMemcpy(to, origin, size)


def cuMemcpyHtoD_v2(to: i64, origin: i64, size: i64) -> i32:
    return 0 if is_copied(to, origin, size, 0, 2) else python_cuMemcpyHtoD_v2(to, origin, size)


def cuMemcpyDtoH_v2(to: i64, origin: i64, size: i64) -> i32:
    return 0 if is_copied(to, origin, size, 0, 1) else python_cuMemcpyDtoH_v2(to, origin, size)


def cuMemcpyDtoD_v2(to: i64, origin: i64, size: i64) -> i32:
    return 0 if is_copied(to, origin, size, 0, 0) else python_cuMemcpyDtoD_v2(to, origin, size)


def cuMemcpyAsync(to: i64, origin: i64, size: i64, stream: i64) -> i32:
    if is_copied(to, origin, size, stream, 3):
        return 0
    return python_cuMemcpyAsync(to, origin, size, stream)


def cuMemcpyHtoDAsync_v2(to: i64, origin: i64, size: i64, stream: i64) -> i32:
    if is_copied(to, origin, size, stream, 2):
        return 0
    return python_cuMemcpyHtoDAsync_v2(to, origin, size, stream)


def cuMemcpyDtoHAsync_v2(to: i64, origin: i64, size: i64, stream: i64) -> i32:
    if is_copied(to, origin, size, stream, 1):
        return 0
    return python_cuMemcpyDtoHAsync_v2(to, origin, size, stream)


def cuMemcpyDtoDAsync_v2(to: i64, origin: i64, size: i64, stream: i64) -> i32:
    if is_copied(to, origin, size, stream, 0):
        return 0
    return python_cuMemcpyDtoDAsync_v2(to, origin, size, stream)


def cuMemsetD8_v2(to: i64, value: i32, count: i64) -> i32:
    return 0 if is_filled(to, value, count, 1, 0) else python_cuMemsetD8_v2(to, value, count)


def cuMemsetD32_v2(to: i64, value: i32, count: i64) -> i32:
    return 0 if is_filled(to, value, count, 4, 0) else python_cuMemsetD32_v2(to, value, count)


def cuMemsetD8Async(to: i64, value: i32, count: i64, stream: i64) -> i32:
    if is_filled(to, value, count, 1, stream):
        return 0
    return python_cuMemsetD8Async(to, value, count, stream)


def cuMemsetD32Async(to: i64, value: i32, count: i64, stream: i64) -> i32:
    if is_filled(to, value, count, 4, stream):
        return 0
    return python_cuMemsetD32Async(to, value, count, stream)

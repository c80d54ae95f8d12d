# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of `fast_calls`, in the language of the native library
(`xgpu.host_device.native.language`). Pointers of the program are numbers: they may be null."""

from __future__ import annotations

from xgpu.api.cuda_driver.fast_calls import (
    ACTIVITY,
    ADDRESS,
    APART,
    APART_BIT,
    ATTRIBUTE,
    CAPACITY,
    CAPTURES,
    CURRENT,
    DEVICE,
    DEVICES,
    FLAG,
    GRANULE,
    HIGH,
    HOME,
    IDLE,
    IS_AT_REST,
    IS_MANAGED,
    KEY,
    LOW,
    MEMORY,
    MEMORY_WORDS,
    MOST_ATTRIBUTE,
    MOST_COPIED,
    MOST_RESTS,
    MOST_RESULT,
    NAME,
    NO_ATTRIBUTE,
    ORDINAL,
    READY,
    REST,
    REST_LOCK,
    RESTING,
    RESTS,
    SIZE,
    SLOT_SHIFT,
    SLOTS,
    STREAM,
    TEXT,
    TYPE,
    USED,
    WHOLE,
)
from xgpu.host_device.native.prelude import (
    Ptr,
    advance,
    atomic_store,
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


@extern
def driver_words() -> Ptr[i64]: ...


@extern
def pthread_getspecific(key: i32) -> i64: ...


# -- the functions in Python


@extern
def python_cuCtxGetCurrent(context: i64) -> i32: ...


@extern
def python_cuCtxSetCurrent(context: i64) -> i32: ...


@extern
def python_cuCtxGetDevice(device: i64) -> i32: ...


@extern
def python_cuDeviceGetAttribute(value: i64, attribute: i32, device: i32) -> i32: ...


@extern
def python_cuStreamIsCapturing(stream: i64, status: i64) -> i32: ...


@extern
def python_cuPointerGetAttribute(value: i64, attribute: i32, address: i64) -> i32: ...


@extern
def python_cuPointerGetAttributes(
    count: i32, attributes: i64, values: i64, address: i64
) -> i32: ...


@extern
def python_cuMemGetInfo_v2(free: i64, total: i64) -> i32: ...


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


@extern
def xgpu_guard(function: ptr, argument: Ptr[i64]) -> i32: ...


@extern
def xgpu_transfer(record: ptr) -> None: ...


@extern
def python_cuGetErrorName(error: i32, text: i64) -> i32: ...


@extern
def python_cuGetErrorString(error: i32, text: i64) -> i32: ...


# -- contexts and devices


def thread() -> i64:
    """The number of the calling thread; 0 where nothing is known of it."""
    words = driver_words()
    if words[READY] == 0:
        return 0
    number = pthread_getspecific(i32(words[KEY]))
    return number if ult(number, SLOTS) else 0


def is_sound(number: i64) -> i1:
    """Whether a thread has a current context, in which nothing has failed."""
    words = driver_words()
    if number == 0 or words[CURRENT + number] == 0:
        return False
    return Ptr[i32](words[FLAG + number])[0] == 0


def cuCtxGetCurrent(context: i64) -> i32:
    number = thread()
    if number != 0 and context != 0:
        found = driver_words()[CURRENT + number]
        if found != 0:
            Ptr[i64](context)[0] = found
            return 0
    return python_cuCtxGetCurrent(context)


def cuCtxSetCurrent(context: i64) -> i32:
    number = thread()
    if number != 0 and context != 0 and driver_words()[CURRENT + number] == context:
        return 0
    return python_cuCtxSetCurrent(context)


def cuCtxGetDevice(device: i64) -> i32:
    number = thread()
    if number != 0 and device != 0 and driver_words()[CURRENT + number] != 0:
        Ptr[i32](device)[0] = i32(driver_words()[ORDINAL + number])
        return 0
    return python_cuCtxGetDevice(device)


def cuDeviceGetAttribute(value: i64, attribute: i32, device: i32) -> i32:
    words = driver_words()
    at = zext64(attribute)
    ordinal = zext64(device)
    fits = ult(at, MOST_ATTRIBUTE) and ult(ordinal, words[DEVICES])
    if words[READY] != 0 and value != 0 and fits:
        found = words[ATTRIBUTE + ordinal * MOST_ATTRIBUTE + at]
        if found != NO_ATTRIBUTE:
            Ptr[i32](value)[0] = i32(found)
            return 0
    return python_cuDeviceGetAttribute(value, attribute, device)


# -- streams and memory


def slot(handle: i64) -> i64:
    return lshr(handle, SLOT_SHIFT) & (SLOTS - 1)


def cuStreamIsCapturing(stream: i64, status: i64) -> i32:
    words = driver_words()
    is_alive = ult(stream, 3) or words[STREAM + slot(stream)] == stream
    if status != 0 and is_alive and is_sound(thread()) and words[CAPTURES] == 0:
        Ptr[i32](status)[0] = 0
        return 0
    return python_cuStreamIsCapturing(stream, status)


def has_attribute(value: i64, attribute: i32, address: i64) -> i1:
    """Write an attribute of an allocation that begins at an address; False if it is not known."""
    found = Ptr[i64](advance(driver_words(), 8 * (MEMORY + MEMORY_WORDS * slot(address))))
    if value == 0 or address == 0 or found[ADDRESS] != address:
        return False
    if attribute == 1:
        Ptr[i64](value)[0] = found[HOME]
    elif attribute == 2:
        Ptr[i32](value)[0] = i32(found[TYPE])
    elif attribute == 3:
        Ptr[i64](value)[0] = address
    elif attribute == 8:
        Ptr[i32](value)[0] = i32(found[IS_MANAGED])
    elif attribute == 9:
        Ptr[i32](value)[0] = i32(found[DEVICE])
    else:
        return False
    return True


def cuPointerGetAttribute(value: i64, attribute: i32, address: i64) -> i32:
    if is_sound(thread()) and has_attribute(value, attribute, address):
        return 0
    return python_cuPointerGetAttribute(value, attribute, address)


def cuPointerGetAttributes(count: i32, attributes: i64, values: i64, address: i64) -> i32:
    done = i32(0)
    if attributes != 0 and values != 0 and is_sound(thread()):
        while done < count:
            if not has_attribute(Ptr[i64](values)[done], Ptr[i32](attributes)[done], address):
                break
            done += 1
    if count > 0 and done == count:
        return 0
    return python_cuPointerGetAttributes(count, attributes, values, address)


def cuMemGetInfo_v2(free: i64, total: i64) -> i32:
    number = thread()
    if free != 0 and total != 0 and is_sound(number):
        words = driver_words()
        ordinal = words[ORDINAL + number]
        if ult(ordinal, words[DEVICES]) and words[CAPACITY + ordinal] != 0:
            capacity = words[CAPACITY + ordinal]
            used = words[USED + ordinal] - words[RESTING + ordinal]
            Ptr[i64](free)[0] = capacity - used if used < capacity else 0
            Ptr[i64](total)[0] = capacity
            return 0
    return python_cuMemGetInfo_v2(free, total)


# -- memory at rest, and small copies, where nothing is under way


def is_idle() -> i1:
    """Whether nothing is under way on any device, and no stream captures."""
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


def served_again(whole: i64, size: i64, home: i64) -> i64:
    """The address of memory at rest of a context that serves again; 0 if there is none. The table
    is the caller's."""
    words = driver_words()
    for i in range(words[RESTS]):
        found = rest(i)
        if found[IS_AT_REST] != 0 and found[WHOLE] == whole and found[HOME] == home:
            found[IS_AT_REST] = 0
            found[SIZE] = size
            words[RESTING + found[DEVICE]] -= size
            made = allocation(found[ADDRESS])
            made[ADDRESS] = 0
            made[HOME] = home
            made[TYPE] = 2
            made[IS_MANAGED] = 0
            made[DEVICE] = found[DEVICE]
            made[SIZE] = size
            made[WHOLE] = whole
            made[ADDRESS] = found[ADDRESS]
            return found[ADDRESS]
    return 0


def cuMemAlloc_v2(address: i64, size: i64) -> i32:
    number = thread()
    words = driver_words()
    may_serve = address != 0 and size > 0 and words[RESTS] != 0 and is_sound(number)
    if may_serve and is_idle() and lock_rests() != 0:
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
    place[ADDRESS] = address
    place[HOME] = found[HOME]
    place[DEVICE] = found[DEVICE]
    place[SIZE] = found[SIZE]
    place[WHOLE] = found[WHOLE]
    place[IS_AT_REST] = 1
    found[ADDRESS] = 0
    words[RESTING + found[DEVICE]] += found[SIZE]
    if at == count:
        words[RESTS] = count + 1
    return True


def cuMemFree_v2(address: i64) -> i32:
    number = thread()
    found = allocation(address)
    is_own = address != 0 and found[ADDRESS] == address and found[WHOLE] != 0
    may_rest = is_own and is_sound(number) and found[HOME] == driver_words()[CURRENT + number]
    if may_rest and is_idle() and lock_rests() != 0:
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
    is_stream = ult(stream, 3) or driver_words()[STREAM + slot(stream)] == stream
    is_small = ult(count - 1, MOST_COPIED // width)
    if to == 0 or not is_small or not is_stream or not is_sound(thread()):
        return False
    if not is_of_device(to, count * width) or not is_idle():
        return False
    return is_transferred(to, 0, count, zext64(value), width)


def is_copied(to: i64, origin: i64, size: i64, stream: i64, may_be_host: i32) -> i1:
    """Copy, where all is plain; which end may be the host's: 1 the target, 2 the source."""
    is_stream = ult(stream, 3) or driver_words()[STREAM + slot(stream)] == stream
    is_small = ult(size - 1, MOST_COPIED)
    if to == 0 or origin == 0 or not is_small or not is_stream or not is_sound(thread()):
        return False
    if not is_of_device(to, size) and not ((may_be_host & 1) != 0 and is_of_host(to, size)):
        return False
    is_known = is_of_device(origin, size)
    if not is_known and not ((may_be_host & 2) != 0 and is_of_host(origin, size)):
        return False
    return is_idle() and is_transferred(to, origin, size, 0, 0)


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


# -- words for results


def has_text(begin: i64, error: i32, text: i64) -> i1:
    at = zext64(error)
    if text == 0 or not ult(at, MOST_RESULT) or driver_words()[begin + at] == 0:
        return False
    Ptr[i64](text)[0] = driver_words()[begin + at]
    return True


def cuGetErrorName(error: i32, text: i64) -> i32:
    return 0 if has_text(NAME, error, text) else python_cuGetErrorName(error, text)


def cuGetErrorString(error: i32, text: i64) -> i32:
    return 0 if has_text(TEXT, error, text) else python_cuGetErrorString(error, text)

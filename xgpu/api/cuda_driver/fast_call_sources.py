# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of `fast_calls` that only look, in the language of the native library
(`xgpu.host_device.native.language`). Pointers of the program are numbers: they may be null."""

from __future__ import annotations

from xgpu.api.cuda_driver.fast_calls import (
    ADDRESS,
    ATTRIBUTE,
    CAPACITY,
    CAPTURES,
    CURRENT,
    DEVICE,
    DEVICES,
    FLAG,
    HOME,
    IS_MANAGED,
    KEY,
    MEMORY,
    MEMORY_WORDS,
    MOST_ATTRIBUTE,
    MOST_RESULT,
    NAME,
    NO_ATTRIBUTE,
    ORDINAL,
    READY,
    RESTING,
    SLOT_SHIFT,
    SLOTS,
    STREAM,
    TEXT,
    TYPE,
    USED,
)
from xgpu.host_device.native.prelude import (
    Ptr,
    advance,
    extern,
    i1,
    i32,
    i64,
    lshr,
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


def is_stream(handle: i64) -> i1:
    """Whether there is such a stream, and nothing has failed in the current context."""
    is_alive = ult(handle, 3) or driver_words()[STREAM + slot(handle)] == handle
    return is_alive and is_sound(thread())


def cuStreamIsCapturing(stream: i64, status: i64) -> i32:
    if status != 0 and is_stream(stream) and driver_words()[CAPTURES] == 0:
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

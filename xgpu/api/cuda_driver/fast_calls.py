# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions that programs call most, without Python between.

`fast_call_sources` has them, in the language of the native library. They read words that the driver
keeps as its state is (`Mirror`): which context is current in a thread and whether it has failed,
which streams and allocations there are, whether anything is under way. What these do not show, and
all that is wrong, is left to the function in Python.

Words are written by Python, under its lock, and read at any time. So a handle is written last where
something begins, and first where it ends: what is found by its handle is there as a whole.

Machine code writes one table: memory that a program frees rests there, and serves again where the
program allocates as much. Nothing is under way then, so no kernel can use it. Before any function
in Python does something, what is at rest is released, and what serves again has its new size
(`state.Driver.settle_memory`).
"""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence

from xgpu.api.cuda_driver.header import TEXTS, name_of
from xgpu.host_device.compiler import addresses

#: The functions, by their symbols.
NAMES = (
    "cuCtxGetCurrent", "cuCtxSetCurrent", "cuCtxGetDevice", "cuDeviceGetAttribute",
    "cuStreamIsCapturing", "cuPointerGetAttribute", "cuPointerGetAttributes", "cuMemGetInfo_v2",
    "cuGetErrorName", "cuGetErrorString", "cuMemAlloc_v2", "cuMemFree_v2", "cuMemcpy",
    "cuMemcpyHtoD_v2", "cuMemcpyDtoH_v2", "cuMemcpyDtoD_v2", "cuMemcpyAsync",
    "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2", "cuMemcpyDtoDAsync_v2",
    "cuMemsetD8_v2", "cuMemsetD32_v2", "cuMemsetD8Async", "cuMemsetD32Async",
)  # fmt: skip
#: Functions for the driver itself.
_LOCKS = ("lock_rests", "unlock_rests")

# -- where words lie. A thread, a stream and an allocation have a slot, which another may have taken

SLOTS, MOST_DEVICES, MOST_ATTRIBUTE, MOST_RESULT = 4096, 64, 160, 1000
#: The key of a thread's number, whether the driver has begun, captures under way, devices.
KEY, READY, CAPTURES, DEVICES = range(4)
CURRENT = 8
FLAG = CURRENT + SLOTS
ORDINAL = FLAG + SLOTS
STREAM = ORDINAL + SLOTS
MEMORY = STREAM + SLOTS
#: Words of an allocation: its address, its context, CUmemorytype, whether it is managed, device,
#: its bytes, and those that it takes where it may rest, else 0.
ADDRESS, HOME, TYPE, IS_MANAGED, DEVICE, SIZE, WHOLE, MEMORY_WORDS = range(8)
#: For each device the bytes of memory that it has, 0 until it has begun, and those allocated.
CAPACITY = MEMORY + MEMORY_WORDS * SLOTS
USED = CAPACITY + MOST_DEVICES
ATTRIBUTE = USED + MOST_DEVICES
NAME = ATTRIBUTE + MOST_DEVICES * MOST_ATTRIBUTE
TEXT = NAME + MOST_RESULT
#: For each device the address of `HostDevice.activity`, 0 until it has begun, and what that was
#: when nothing was under way.
ACTIVITY = TEXT + MOST_RESULT
IDLE = ACTIVITY + MOST_DEVICES
#: Where allocations begin and end that lie among the host's own memory.
LOW, HIGH = IDLE + MOST_DEVICES, IDLE + MOST_DEVICES + 1
#: What device memory has above which bit of its addresses, where the system lets us choose.
APART_BIT, APART = addresses.DEVICE_BIT, addresses.DEVICE
#: Memory at rest: whether a thread uses the table, its entries, for each device the bytes at rest
#: less those that serve again, and the entries, whose words are those of an allocation; that of
#: its type says whether it rests.
REST_LOCK, RESTS = HIGH + 1, HIGH + 2
RESTING = RESTS + 1
REST = RESTING + MOST_DEVICES
MOST_RESTS, IS_AT_REST = 64, TYPE
_WORDS = REST + MEMORY_WORDS * MOST_RESTS
#: Memory is given in whole units of so many bytes; copies and fills of more are left to Python.
GRANULE, MOST_COPIED = 512, 65536
#: In place of an attribute that a device has not.
NO_ATTRIBUTE = 1 << 40
#: Handles and addresses of allocations are multiples of this, as a rule.
SLOT_SHIFT = 8


def _slot(handle: int) -> int:
    return handle >> SLOT_SHIFT & SLOTS - 1


class Mirror:
    """The words. `key` is that of the threads' numbers (`state.thread_number`)."""

    def __init__(self, key: int, attributes: Sequence[Mapping[int, int]]) -> None:
        self.words = (ctypes.c_int64 * _WORDS)()
        self.words[KEY] = key
        self.words[DEVICES] = len(attributes)
        self.words[IDLE : IDLE + MOST_DEVICES] = [-1] * MOST_DEVICES
        self.words[LOW] = (1 << 63) - 1
        #: How many entries the table of memory at rest has.
        self.rests = ctypes.c_int64.from_buffer(self.words, 8 * RESTS)
        # How the table is locked, once there is machine code.
        self._lock: Callable[[], int] = lambda: 1
        self._unlock: Callable[[], None] = lambda: None
        for ordinal, known in enumerate(attributes):
            begin = ATTRIBUTE + ordinal * MOST_ATTRIBUTE
            self.words[begin : begin + MOST_ATTRIBUTE] = [
                known.get(number, NO_ATTRIBUTE) for number in range(MOST_ATTRIBUTE)
            ]
        #: What words have addresses of: there are as many flags as contexts.
        self._flags: dict[int, ctypes.c_int32] = {}
        self._kept: list[object] = []
        for result, text in TEXTS.items():
            for at, said in ((NAME, name_of(result)), (TEXT, text)):
                made = ctypes.create_string_buffer(said.encode())
                self._kept.append(made)
                self.words[at + result] = ctypes.addressof(made)

    def lock_by(self, lock: Callable[[], int], unlock: Callable[[], None]) -> None:
        """Functions that lock the table of memory at rest, where no other thread does, and free
        it."""
        self._lock, self._unlock = lock, unlock

    def begin(self) -> None:
        """The driver is initialized."""
        self.words[READY] = 1

    def end(self) -> None:
        """It may not be used any more: the process was forked."""
        self.words[READY] = 0

    def current(self, thread: int, context: int, flag: ctypes.c_int32, ordinal: int) -> None:
        """A context is current in a thread; `flag` says whether it has failed."""
        if thread >= SLOTS:
            return
        address = ctypes.addressof(flag)
        self._flags[address] = flag
        self.words[CURRENT + thread] = 0
        self.words[FLAG + thread] = address
        self.words[ORDINAL + thread] = ordinal
        self.words[CURRENT + thread] = context

    def no_context(self, thread: int) -> None:
        """None is current in a thread, or one that is destroyed."""
        if thread < SLOTS:
            self.words[CURRENT + thread] = 0

    def stream(self, handle: int) -> None:
        """There is a stream."""
        self.words[STREAM + _slot(handle)] = handle

    def no_stream(self, handle: int) -> None:
        """There is none of that handle any more."""
        at = STREAM + _slot(handle)
        if self.words[at] == handle:
            self.words[at] = 0

    def captures(self, more: int) -> None:
        """So many captures more are under way."""
        self.words[CAPTURES] += more

    def memory(
        self, address: int, context: int, kind: int, *, is_managed: bool, ordinal: int, size: int
    ) -> None:
        """There is an allocation."""
        if not addresses.is_device(address):
            self.words[LOW] = min(self.words[LOW], address)
            self.words[HIGH] = max(self.words[HIGH], address + size)
        at = MEMORY + MEMORY_WORDS * _slot(address)
        self.words[at + ADDRESS] = 0
        self.words[at + HOME], self.words[at + TYPE] = context, kind
        self.words[at + IS_MANAGED], self.words[at + DEVICE] = int(is_managed), ordinal
        self.words[at + SIZE], self.words[at + WHOLE] = size, 0
        self.words[at + ADDRESS] = address

    def may_rest(self, address: int, size: int) -> None:
        """An allocation is one of cuMemAlloc, whose memory may serve again."""
        at = MEMORY + MEMORY_WORDS * _slot(address)
        if self.words[at + ADDRESS] == address:
            self.words[at + WHOLE] = -(-size // GRANULE) * GRANULE

    def begin_rests(self) -> Iterable[tuple[int, int, int]]:
        """The table of memory at rest, which machine code does not use until `end_rests`:
        addresses, bytes, and whether that is released."""
        while not self._lock():
            time.sleep(0)
        words = self.words[REST : REST + MEMORY_WORDS * self.rests.value]
        return zip(
            words[ADDRESS::MEMORY_WORDS], words[SIZE::MEMORY_WORDS],
            words[IS_AT_REST::MEMORY_WORDS], strict=True,
        )  # fmt: skip

    def end_rests(self) -> None:
        """The table is empty."""
        for ordinal in range(self.words[DEVICES]):
            self.words[RESTING + ordinal] = 0
        self.rests.value = 0
        self._unlock()

    def activity(self, ordinal: int, counter: ctypes.c_int64) -> None:
        """A device has begun, whose activity is counted there."""
        self._kept.append(counter)
        self.words[ACTIVITY + ordinal] = ctypes.addressof(counter)

    def idle(self, ordinal: int, activity: int) -> None:
        """Nothing was under way on a device when its activity was that."""
        self.words[IDLE + ordinal] = activity

    def capacity(self, ordinal: int, size: int) -> None:
        """A device has begun, with so many bytes of memory."""
        self.words[CAPACITY + ordinal] = size

    def used(self, ordinal: int, more: int) -> None:
        """So many bytes more of a device's memory are allocated."""
        self.words[USED + ordinal] += more

    def used_of(self, ordinal: int) -> int:
        """Bytes of a device's memory that are allocated."""
        return self.words[USED + ordinal]

    def no_memory(self, address: int) -> None:
        """There is none at that address any more."""
        at = MEMORY + MEMORY_WORDS * _slot(address)
        if self.words[at + ADDRESS] == address:
            self.words[at + ADDRESS] = 0


# The words, which the language has no way to name.
_OWN = {
    "xgpu_driver_words": f"@xgpu_driver_words = external global [{_WORDS} x i64]",
    "driver_words": "define ptr @driver_words() alwaysinline { ret ptr @xgpu_driver_words }",
}
_FILES = ("fast_call_sources.py", "fast_calls.py")


class FastCalls:
    """Addresses by name in `addresses`. `python` has those of the functions in Python."""

    def __init__(self, mirror: Mirror, python: Mapping[str, int]) -> None:
        from xgpu.driver.cuda_functions import linked
        from xgpu.host_device.native.library import libc_addresses, native_library

        symbols = libc_addresses(("pthread_getspecific",))
        symbols |= {f"python_{name}": python[name] for name in NAMES}
        symbols["xgpu_driver_words"] = ctypes.addressof(mirror.words)
        native = native_library()
        symbols |= {name: native.symbols[name] for name in ("xgpu_guard", "xgpu_transfer")}
        self._tracker, found = linked(machine_code(), symbols, (*NAMES, *_LOCKS))
        lock, unlock = (found.pop(name) for name in _LOCKS)
        mirror.lock_by(ctypes.CFUNCTYPE(ctypes.c_int32)(lock), ctypes.CFUNCTYPE(None)(unlock))
        self.addresses = found


def _file(name: str) -> str:
    with open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8") as file:
        return file.read()


def library_text() -> str:
    """The functions as LLVM IR."""
    from xgpu.host_device.native.language import Source
    from xgpu.host_device.native.library_text import compile_reachable

    source = Source("fast_call_sources", _file(_FILES[0]), f"xgpu/api/cuda_driver/{_FILES[0]}")
    return compile_reachable([source], "xgpu driver", (*NAMES, *_LOCKS), _OWN)


def machine_code() -> bytes:
    """Object code of the functions, from the user's cache if it is there."""
    from xgpu.driver.cuda_functions import cached_code

    return cached_code([_file(name) for name in _FILES], library_text)

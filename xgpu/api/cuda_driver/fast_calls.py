# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions that programs call most, without Python between: those that only look, memory that
serves again, small copies, short launches that were made before, and what asks whether anything is
left to do.

They are in the language of the native library (`fast_call_sources`, `fast_memory_sources`,
`fast_launch_sources`). They read words that the driver keeps as its state is (`Mirror`): which
context is current in a thread and whether it has failed, which streams and allocations there are,
whether anything is under way. What these do not show, and all that is wrong, is left to the
function in Python.

Words are written by Python, under its lock, and read at any time. So a handle is written last where
something begins, and first where it ends: what is found by its handle is there as a whole.

Machine code writes one table: memory that a program frees rests there, and serves again where the
program allocates as much. Nothing is under way then, so no kernel can use it; before one runs, it
loses access. Before any function in Python does something, what is at rest is released, and what
serves again has its new size (`state.Driver.settle_memory`).

A launch is made as Python has made it, as long as no call of Python's comes that may change how.
The library counts calls (`CALLS` of `shared_object`). Python notes their number with the launch
while no other call is under way (`Mirror.calm`), and machine code goes by that if the number is
still the same and no call is under way. While machine code runs a launch, calls of Python's wait
before they do anything.
"""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence

from xgpu.api.cuda_driver.header import TEXTS, name_of
from xgpu.api.cuda_driver.shared_object import CALL_SHIFT, INSIDE, WORKING
from xgpu.host_device.abi import addresses
from xgpu.host_device.device.pages import ALIGNMENT as _ALIGNMENT
from xgpu.host_device.device.pages import MARK as _MARK
from xgpu.host_device.device.pages import Margins, pages
from xgpu.runtime.cuda.launches import LaunchConfig

#: The functions, by their symbols.
NAMES = (
    "cuCtxGetCurrent", "cuCtxSetCurrent", "cuCtxGetDevice", "cuDeviceGetAttribute",
    "cuStreamIsCapturing", "cuPointerGetAttribute", "cuPointerGetAttributes", "cuMemGetInfo_v2",
    "cuGetErrorName", "cuGetErrorString", "cuMemAlloc_v2", "cuMemFree_v2", "cuMemcpy",
    "cuMemcpyHtoD_v2", "cuMemcpyDtoH_v2", "cuMemcpyDtoD_v2", "cuMemcpyAsync",
    "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2", "cuMemcpyDtoDAsync_v2",
    "cuMemsetD8_v2", "cuMemsetD32_v2", "cuMemsetD8Async", "cuMemsetD32Async", "cuLaunchKernel",
    "cuLaunchKernelEx", "cuStreamQuery", "cuStreamSynchronize", "cuCtxSynchronize",
    "cuEventRecord", "cuEventQuery", "cuEventSynchronize", "cuStreamWaitEvent",
)  # fmt: skip
#: Functions for the driver itself.
_LOCKS = ("lock_rests", "unlock_rests")

# -- where words lie. A thread, a stream and an allocation have a slot, which another may have taken

SLOTS, MOST_DEVICES, MOST_ATTRIBUTE, MOST_RESULT = 4096, 64, 160, 1000
#: The key of a thread's number, whether the driver has begun, captures under way, devices, where
#: the library's word of calls is (0 for nowhere), which thread's call machine code does (as
#: pthread_self), what ends a launch that has not gone well, and room for a time. Of the latest
#: calls of Python that follow one another and do what machine code could, the first and the last.
KEY, READY, CAPTURES, DEVICES, GATE, WORKER_THREAD, SETTLE, MOMENT, SERIES, LATEST = range(10)
CURRENT = 16
FLAG = CURRENT + SLOTS
ORDINAL = FLAG + SLOTS
STREAM = ORDINAL + SLOTS
MEMORY = STREAM + SLOTS
#: Words of an allocation: its address, its context, CUmemorytype, whether it is managed, device;
#: how many bytes before it hold marks, where those behind it begin, and how many these are; its
#: bytes, those that it takes where it may rest, else 0, the bytes that Python knows of, and how
#: often it has served again.
(
    ADDRESS, HOME, TYPE, IS_MANAGED, DEVICE, BEFORE, BEHIND, BEHIND_BYTES, SIZE, WHOLE, KNOWN,
    TIMES, MEMORY_WORDS,
) = range(13)  # fmt: skip
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
#: Memory at rest: whether a thread uses the table, its entries, how many of them kernels could use
#: although they are released, for each device the bytes that are released less those that serve
#: again, and the entries, whose words are those of an allocation; that of its type says what it is:
#: it serves as before, is released, serves with another size, or is released and has no access.
REST_LOCK, RESTS, RELEASED = HIGH + 1, HIGH + 2, HIGH + 3
RESTING = RELEASED + 1
REST = RESTING + MOST_DEVICES
MOST_RESTS, STATE = 64, TYPE
SERVES, IS_RELEASED, IS_RESIZED, IS_HIDDEN = range(4)
#: Memory is given in whole units of so many bytes; copies and fills of more are left to Python.
GRANULE, MOST_COPIED = 512, 65536
#: Where notes of launches are, by `launch_slot`.
LAUNCH = REST + MEMORY_WORDS * MOST_RESTS
MOST_LAUNCHES = 1024
#: Of events, by their handles: the handle, the context, and where their notes are.
EVENT = LAUNCH + MOST_LAUNCHES
MOST_EVENTS, EVENT_WORDS = 512, 4
_WORDS = EVENT + MOST_EVENTS * EVENT_WORDS
#: Words of an event's notes: whether machine code has recorded it last, and when.
IS_RECORDED, TIME = 0, 1
#: Words of a launch's notes: what it was made with (the handles of function, context and stream,
#: seven sizes), in which thread (as pthread_self), in which series of calls; what runs it, its
#: record, the worker's, the most nanoseconds of 1024 groups; and of each argument where it goes,
#: and how many bytes it has, below zero for a pointer.
FUNCTION, OF, IN, SIZES, THREAD, WITHIN, LEAD, RECORD, WORKER, MOST, COUNT, ARGUMENTS = (
    0, 1, 2, 3, 10, 11, 12, 13, 14, 15, 16, 17,
)  # fmt: skip
#: The system, which chooses where it maps memory, maps none below.
LOWEST = 1 << 32
#: In place of a result: nothing was done.
UNDONE = -1
CLOCK = time.CLOCK_MONOTONIC
#: What a byte, and a word, beside an allocation hold.
MARK = _MARK - 256
#: What addresses of allocations are multiples of.
ALIGNMENT = _ALIGNMENT
MARKS = int.from_bytes(bytes([_MARK] * 8), "little") - (1 << 64)
#: Where fields of CUlaunchConfig lie, in words of 4 bytes; the stream in words of 8.
CONFIG_GRID, CONFIG_BLOCK = LaunchConfig.grid.offset // 4, LaunchConfig.block.offset // 4
CONFIG_SHARED, CONFIG_COUNT = LaunchConfig.shared.offset // 4, LaunchConfig.count.offset // 4
CONFIG_STREAM = LaunchConfig.stream.offset // 8
#: In place of an attribute that a device has not.
NO_ATTRIBUTE = 1 << 40
#: Handles and addresses of allocations are multiples of this, as a rule.
SLOT_SHIFT = 8


def _slot(handle: int, slots: int = SLOTS) -> int:
    return handle >> SLOT_SHIFT & slots - 1


def launch_slot(function: int, stream: int, grid: int, block: int) -> int:
    """Where the notes of a launch are, by handles and by the first size of the grid and of the
    blocks."""
    number = (function >> SLOT_SHIFT) * 5 + (stream >> SLOT_SHIFT) * 77 + grid * 3 + block * 11
    return number & MOST_LAUNCHES - 1


class Notes:
    """Words that say how a launch is made, and what it is that can be made so."""

    __slots__ = ("owner", "words")

    def __init__(self) -> None:
        self.words = (ctypes.c_int64 * (ARGUMENTS + 2 * _FEW_ARGUMENTS))()
        self.owner: Callable[[], object] | None = None


_FEW_ARGUMENTS = 16


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
        #: The library's word of calls, once there is a library.
        self.calls = ctypes.c_uint64()
        self._notes: dict[int, Notes] = {}
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
        """It may not be used any more: the process was forked. Another thread may have been in a
        launch, or at the table of memory."""
        self.words[READY] = self.words[REST_LOCK] = 0
        self.calls.value &= ~WORKING
        self.calls.value &= ~WORKING  # a thread that is not in this process has set it

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

    def connect(self, calls: ctypes.c_uint64) -> None:
        """There is a library, with that word of calls."""
        self.calls = calls

    def hasten(self, settle: int) -> None:
        """Machine code may do calls; the function at `settle` ends a launch that has not gone well:
        it gets the place of its notes, and what its code has given."""
        self.words[SETTLE] = settle
        self.words[GATE] = ctypes.addressof(self.calls)

    def may_begin(self, thread: int) -> bool:
        """Wait until machine code does no thread's call; False if it does that of the calling
        thread, which is `thread` for Python."""
        while self.calls.value & WORKING:
            if self.words[WORKER_THREAD] == thread:
                return False
            time.sleep(0)
        return True

    def calm(self) -> int:
        """The number of the call that Python is in, if it is in no other: what it finds is so until
        a call with another number comes. 0 otherwise."""
        found = self.calls.value
        return found >> CALL_SHIFT if found & INSIDE == 1 else 0

    def repeats(self) -> int:
        """The series of a call that machine code could do, if the call before was another such;
        what comes between other calls is not worth a note. 0 otherwise. Notes of a series hold
        until there is a call of Python that does not belong to it."""
        call, last = self.calm(), self.words[LATEST]
        if call == 0:
            return 0
        self.words[LATEST] = call
        if call == last + 1:
            return self.words[SERIES]
        self.words[SERIES] = call
        return 0

    def end_series(self) -> None:
        """No note holds any more: what some of them name may be gone."""
        self.words[LATEST] = 0

    def begin_series(self) -> int:
        """Likewise, but for notes that the call makes from here on, whose series this is."""
        self.words[SERIES] = self.words[LATEST]
        return self.words[SERIES]

    def launch(self, words: Sequence[int], owner: Callable[[], object]) -> Notes:
        """Notes of a launch with these words, which are of no series yet."""
        at = launch_slot(words[FUNCTION], words[IN], words[SIZES], words[SIZES + 3])
        notes = self._notes.get(at)
        if notes is None:
            notes = self._notes[at] = Notes()
        if len(notes.words) < len(words):
            # No call of machine code is under way: none reads the words before.
            notes.words = (ctypes.c_int64 * len(words))()
        notes.words[: len(words)] = words
        notes.owner = owner
        self.words[LAUNCH + at] = ctypes.addressof(notes.words)
        return notes

    def owner_of(self, place: int) -> object:
        """What can be made as the notes at a place say; None where there is nothing any more."""
        owner = self._notes[place].owner
        return None if owner is None else owner()

    def event(self, handle: int, context: int, notes: int) -> None:
        """There is an event, with notes at that address."""
        at = EVENT + EVENT_WORDS * _slot(handle, MOST_EVENTS)
        self.words[at : at + 3] = [handle, context, notes]

    def no_event(self, handle: int) -> None:
        """There is none of that handle any more."""
        at = EVENT + EVENT_WORDS * _slot(handle, MOST_EVENTS)
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
        self.words[at + BEFORE : at + SIZE] = _margins(address, pages().near.get(address, ()))
        self.words[at + SIZE : at + MEMORY_WORDS] = size, 0, size, 0
        self.words[at + ADDRESS] = address

    def may_rest(self, address: int, size: int) -> None:
        """An allocation is one of cuMemAlloc, whose memory may serve again."""
        at = MEMORY + MEMORY_WORDS * _slot(address)
        if self.words[at + ADDRESS] == address:
            self.words[at + WHOLE] = -(-size // GRANULE) * GRANULE

    def must_not_rest(self, address: int) -> None:
        """What a program has said of an allocation ends with it."""
        at = MEMORY + MEMORY_WORDS * _slot(address)
        if self.words[at + ADDRESS] == address:
            self.words[at + WHOLE] = 0

    def resized(self, address: int, size: int) -> None:
        """Python knows of another size of an allocation."""
        at = MEMORY + MEMORY_WORDS * _slot(address)
        if self.words[at + ADDRESS] == address:
            self.words[at + KNOWN] = size

    def times(self, address: int) -> int:
        """How often an allocation has served again."""
        at = MEMORY + MEMORY_WORDS * _slot(address)
        return self.words[at + TIMES] if self.words[at + ADDRESS] == address else 0

    def begin_rests(self) -> Iterable[tuple[int, int, int]]:
        """The table of memory at rest, which machine code does not use until `end_rests`:
        addresses, bytes, and states."""
        while not self._lock():
            time.sleep(0)
        words = self.words[REST : REST + MEMORY_WORDS * self.rests.value]
        return zip(
            words[ADDRESS::MEMORY_WORDS], words[SIZE::MEMORY_WORDS],
            words[STATE::MEMORY_WORDS], strict=True,
        )  # fmt: skip

    def end_rests(self) -> None:
        """The table is empty."""
        for ordinal in range(self.words[DEVICES]):
            self.words[RESTING + ordinal] = 0
        self.rests.value = self.words[RELEASED] = 0
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


def _margins(address: int, near: Margins) -> list[int]:
    """Bytes before an allocation that hold marks, where those behind it begin, and how many."""
    before = behind = bytes = 0
    for place, _ in near:
        begin = ctypes.addressof(place)
        if begin < address:
            before = ctypes.sizeof(place)
        else:
            behind, bytes = begin, ctypes.sizeof(place)
    return [before, behind, bytes]


# The words, which the language has no way to name.
_OWN = {
    "xgpu_driver_words": f"@xgpu_driver_words = external global [{_WORDS} x i64]",
    "driver_words": "define ptr @driver_words() alwaysinline { ret ptr @xgpu_driver_words }",
}
_OF_PYTHON = (
    "PyGILState_Ensure", "PyGILState_Release", "PyErr_CheckSignals", "PyErr_Clear", "PyErr_Fetch",
    "PyErr_Restore", "PyErr_SetInterrupt",
)  # fmt: skip
_SOURCES = ("fast_call_sources", "fast_memory_sources", "fast_launch_sources")
_FILES = (*(f"{name}.py" for name in _SOURCES), "fast_calls.py", "shared_object.py")


class FastCalls:
    """Addresses by name in `addresses`. `python` has those of the functions in Python."""

    def __init__(self, mirror: Mirror, python: Mapping[str, int]) -> None:
        from xgpu.driver.cuda_functions import linked
        from xgpu.host_device.native.library import libc_addresses, native_library

        symbols = libc_addresses(
            ("pthread_getspecific", "pthread_self", "clock_gettime", "mprotect")
        )
        symbols |= {
            name: ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value or 0
            for name in _OF_PYTHON
        }
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

    sources = [
        Source(name, _file(f"{name}.py"), f"xgpu/api/cuda_driver/{name}.py") for name in _SOURCES
    ]
    return compile_reachable(sources, "xgpu driver", (*NAMES, *_LOCKS), _OWN)


def machine_code() -> bytes:
    """Object code of the functions, from the user's cache if it is there."""
    from xgpu.driver.cuda_functions import cached_code

    return cached_code([_file(name) for name in _FILES], library_text)

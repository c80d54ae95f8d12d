# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the driver knows: devices, contexts, which context is current in which thread, streams, and
memory by its addresses."""

from __future__ import annotations

import ctypes
import itertools
import sys
import time
from bisect import bisect_right, insort
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from xgpu.api.call_places import native_place, python_place
from xgpu.api.cuda_driver.calls import Postponed, Recorder
from xgpu.api.cuda_driver.fast_calls import IS_HIDDEN, IS_RESIZED, SERVES, Mirror
from xgpu.api.cuda_driver.header import Refused, Result
from xgpu.api.cuda_driver.held import RELEASE_THRESHOLD, Held, Pool, PoolPlace, counted
from xgpu.api.cuda_driver.settings import Settings, attributes_of
from xgpu.core.ir.errors import DeviceError
from xgpu.core.support.forks import begins_anew, new_lock, new_rlock
from xgpu.host_device.device.operations import Effect, Operation
from xgpu.host_device.device.operations import Stream as Work
from xgpu.host_device.device.pages import pages
from xgpu.host_device.sanitizer.reports import watch
from xgpu.runtime.session import Session

if TYPE_CHECKING:
    from xgpu.host_device.device.device import HostDevice

ON_HOST, ON_DEVICE = 1, 2  # CUmemorytype
LEGACY, PER_THREAD = 1, 2  # handles of streams that every context has
NON_BLOCKING = 1  # flag of a stream
#: Words in errors of the host device, and the results that a GPU gives for such a mistake.
_FAULTS = (
    ("out of memory", Result.OUT_OF_MEMORY),
    ("device-side assert", Result.ASSERT),
    ("misaligned", Result.MISALIGNED_ADDRESS),
    ("illegal memory access", Result.ILLEGAL_ADDRESS),
    ("illegal instruction", Result.ILLEGAL_INSTRUCTION),
    ("out of bounds", Result.ILLEGAL_ADDRESS),
)


def result_of(problem: BaseException) -> Result:
    """The result that stands for an error of the host device."""
    text = str(problem)
    return next((result for words, result in _FAULTS if words in text), Result.LAUNCH_FAILED)


T = TypeVar("T", bound=Held)


# -- what nodes of graphs do, and who makes nodes of what a stream is given


# CUgraphNodeType
KERNEL, COPY, FILL, HOST, CHILD, EMPTY, WAIT, RECORD = range(8)
ALLOCATE, FREE, CONDITIONAL = 10, 11, 13

#: Name of an operation, what it does, and how it is described; None: nothing but a join.
Part = tuple[str, Callable[[], None], Effect | None]


class NodeWork:
    """What a node of a graph does: `parts` gives the operations of one launch, which follow one
    another. `given` is the structure that a program has for it; `facts` must stay the same in an
    executable graph."""

    kind = EMPTY
    #: Why it cannot be launched; empty if it can be.
    problem = ""

    def __init__(self, given: ctypes.Structure | None = None, facts: object = None) -> None:
        self.given = None if given is None else type(given).from_buffer_copy(given)
        self.facts = facts

    def parts(self) -> Sequence[Part]:
        return (("join", _nothing, None),)

    def copy(self) -> NodeWork:
        """The same for a copy of the graph. Raises `Refused` where there can be none."""
        return self

    def destroy(self) -> None:
        """The graph ends, with what the node has of its own."""


def _nothing() -> None:
    """What a join does."""


class Capturing(Protocol):
    """A capture: what its streams are given becomes nodes."""

    number: int

    def invalidate(self) -> None:
        """It fails, at its end."""

    def add(self, stream: Stream, work: NodeWork) -> object:
        """A node after the last ones of a stream. Raises `Refused`."""
        ...

    def allocate(self, context: Context, stream: Stream, size: int) -> int:
        """A node that allocates; the address."""
        ...

    def free(self, stream: Stream, address: int) -> None:
        """A node that gives back what one has allocated. Raises `Refused`."""

    def ends(self, stream: Stream) -> Sequence[object]:
        """The last nodes of a stream."""
        ...

    def join(self, stream: Stream, nodes: Iterable[object]) -> None:
        """A stream takes part, and comes after nodes."""


# -- memory by address


class Allocation:
    """Bytes that the driver knows: `kind` is device, managed, host (page-locked), registered,
    mapped (`virtual_memory`) or array (`arrays`). Memory of a graph keeps its address as long as
    the graph is there; `is_given_back` says whether it was freed after the last launch that
    allocates it, or there has been no such launch."""

    __slots__ = (
        "address", "context", "flags", "is_given_back", "is_of_graph", "kind", "number",
        "parts", "pool", "size", "sync_operations", "times",
    )  # fmt: skip

    def __init__(
        self, address: int, size: int, kind: str, context: Context, number: int, flags: int = 0,
        pool: Pool | None = None,
    ) -> None:  # fmt: skip
        self.address, self.size, self.kind, self.context = address, size, kind, context
        self.number, self.flags, self.pool = number, flags, pool
        self.sync_operations = 0
        #: How often it had served again when its number was asked for (`Mirror.times`).
        self.times = 0
        #: What the program has said of its parts (`managed_memory.Part`).
        self.parts: Sequence[object] = ()
        self.is_of_graph = self.is_given_back = False

    @property
    def end(self) -> int:
        return self.address + self.size

    @property
    def is_on_host(self) -> bool:
        return self.kind in ("host", "registered")

    @property
    def is_of_device(self) -> bool:
        """Whether it takes some of the device's memory."""
        return self.kind in ("device", "managed", "array")


class Mapping(NamedTuple):
    """Memory without an address of its own that is mapped somewhere, how many bytes, and what
    devices may do with it (CUmemAccess_flags)."""

    memory: Held
    size: int
    access: dict[int, int]


class Ranges:
    """Allocations, found by any address in them."""

    def __init__(self, mirror: Mirror) -> None:
        self._mirror = mirror
        self._starts: list[int] = []
        self._by_start: dict[int, Allocation] = {}
        self._lock = new_lock()

    def add(self, made: Allocation) -> None:
        with self._lock:
            self._by_start[made.address] = made
            insort(self._starts, made.address)
            context = made.context
            self._mirror.memory(
                made.address, context.handle, ON_HOST if made.is_on_host else ON_DEVICE,
                is_managed=made.kind == "managed", ordinal=context.device.ordinal, size=made.size,
            )  # fmt: skip
            if made.is_of_device:
                self._mirror.used(context.device.ordinal, made.size)

    def remove(self, address: int) -> None:
        with self._lock:
            self._mirror.no_memory(address)
            removed = self._by_start.pop(address)
            if removed.is_of_device:
                self._mirror.used(removed.context.device.ordinal, -removed.size)
            del self._starts[bisect_right(self._starts, address) - 1]

    def resize(self, found: Allocation, size: int) -> None:
        """It has been released and allocated again."""
        self._mirror.used(found.context.device.ordinal, size - found.size)
        self._mirror.resized(found.address, size)
        found.size = size

    def at(self, address: int) -> Allocation | None:
        """The one that begins at an address."""
        return self._by_start.get(address)

    def around(self, address: int) -> Allocation | None:
        """The one that holds an address."""
        found = self._by_start.get(address)
        if found is not None:
            return found
        with self._lock:
            at = bisect_right(self._starts, address) - 1
            found = self._by_start[self._starts[at]] if at >= 0 else None
        return found if found is not None and address < found.end else None

    def end_with(self, found: Allocation) -> int:
        """The end of the bytes that may be used together with an allocation: what is mapped side by
        side is one piece."""
        end = found.end
        next_one = self._by_start.get(end) if found.kind == "mapped" else None
        while next_one is not None and next_one.kind == "mapped":
            end = next_one.end
            next_one = self._by_start.get(end)
        return end

    def all(self) -> list[Allocation]:
        with self._lock:
            return list(self._by_start.values())


# -- threads


@cache
def _thread_words() -> tuple[Callable[[int], int], Callable[[int, int], int], int]:
    """Functions that read and write a word of the calling thread's own, and the word's key."""
    process = ctypes.PyDLL(None)
    key = ctypes.c_uint32()
    process.pthread_key_create(ctypes.byref(key), None)
    read, write = process.pthread_getspecific, process.pthread_setspecific
    read.restype, read.argtypes = ctypes.c_size_t, [ctypes.c_uint32]
    write.argtypes = [ctypes.c_uint32, ctypes.c_size_t]
    return read, write, key.value


_thread_numbers = itertools.count(1)


def thread_number() -> int:
    """The calling thread's number; no other thread has had it."""
    read, write, key = _thread_words()
    found = read(key)
    if not found:
        found = next(_thread_numbers)
        write(key, found)
    return found


class Threads:
    """The contexts of each thread, the current one last. Threads of C have no state in Python that
    lasts from one call to the next, so the system keeps their numbers."""

    def __init__(self, mirror: Mirror) -> None:
        self._stacks: defaultdict[int, list[Context]] = defaultdict(list)
        self._read, _, self._key = _thread_words()
        self._mirror = mirror

    def stack(self) -> Sequence[Context]:
        """The contexts of the calling thread."""
        return self._stacks[self._read(self._key) or thread_number()]

    def push(self, context: Context) -> None:
        """A context is the current one of the calling thread."""
        number = thread_number()
        self._stacks[number].append(context)
        self._show(number)

    def pop(self) -> Context | None:
        """The context that was the current one; None: there was none."""
        number = thread_number()
        stack = self._stacks[number]
        found = stack.pop() if stack else None
        self._show(number)
        return found

    def forget(self, context: Context) -> None:
        """It is destroyed: threads that have it get none."""
        for number, stack in list(self._stacks.items()):
            if stack and stack[-1] is context:
                self._mirror.no_context(number)

    def replace(self, old: Context, new: Context) -> None:
        """Threads that have one context have another."""
        for number, stack in list(self._stacks.items()):
            stack[:] = [new if context is old else context for context in stack]
            self._show(number)

    def _show(self, number: int) -> None:
        stack = self._stacks[number]
        if not stack or not stack[-1].is_alive:
            self._mirror.no_context(number)
            return
        found = stack[-1]
        self._mirror.current(number, found.handle, found.session.flag, found.device.ordinal)


# -- the driver


#: Types in C of what programs give back, but for memory.
#: Seconds that work may go on at the end of the process before its errors are lost.
_LAST_MOMENT = 0.5


class Driver:
    """The driver of this process."""

    def __init__(
        self, settings: Settings, recorder: Recorder | None = None, *, is_of_native: bool = False
    ) -> None:
        self.settings = settings
        #: Whether the program is machine code, whose threads Python does not know.
        self.is_of_native = is_of_native
        if recorder is None and settings.fail_at:
            recorder = Recorder(settings.fail_at, settings.fail_with, keeps_calls=False)
        self.recorder = recorder
        self.is_initialized = False
        #: What handles stand for; each object says by `kinds` which types in C it has.
        self.handles: dict[int, Held] = {}
        self.destroyed: set[int] = set()
        self._numbers = itertools.count(0x5C0000001000, 0x100)
        self.numbers = itertools.count(1)
        self.devices = [Device(self, ordinal) for ordinal in range(settings.devices)]
        #: What machine code knows of this.
        self.mirror = Mirror(_thread_words()[2], [device.attributes for device in self.devices])
        self.ranges = Ranges(self.mirror)
        self.threads = Threads(self.mirror)
        self.lock = new_rlock()
        self._memory_lock = new_rlock()
        self._settles = False
        #: Calls that wait for the end of another.
        self.postponed = Postponed(self.threads)
        self.is_forked = False
        #: Kernels that were launched, by image and name: the image's text.
        self.launched: dict[tuple[str, str], str] | None = {} if settings.fidelity else None
        #: What is called when the first device begins.
        self.on_device: Callable[[], None] | None = None
        #: Where the process finds each function, by its symbol, once it has the library.
        self.addresses: dict[str, int] = {}
        #: Ranges of addresses that programs have reserved, and what is mapped there.
        self.reserved: dict[int, int] = {}
        self.mapped: dict[int, Mapping] = {}
        #: Pools of managed memory and of the host by their place: the first one, and that in use.
        self.default_pools: dict[PoolPlace, Pool] = {}
        self.pools: dict[PoolPlace, Pool] = {}
        #: Attributes of core dumps, once they are asked for.
        self.core_dumps: dict[int, int | bytes] | None = None
        #: How threads let others capture, by their numbers.
        self.capture_modes: dict[int, int] = {}
        #: Strings that programs have pointers to.
        self._texts: dict[str, ctypes.Array[ctypes.c_char]] = {}
        self.session = Session()
        #: How many calls have failed by a mistake of xgpu's.
        self.internal_errors = 0
        if settings.timeline:
            self.session.start_trace()
        begins_anew(self)

    def begin_anew(self) -> None:
        """A forked process has no use of what its parent has initialized."""
        self.is_forked = self.is_initialized
        self.mirror.end()
        self.postponed.clear()

    def begin(self) -> None:
        """The program has initialized the driver."""
        self.is_initialized = True
        self.mirror.begin()

    def make(self, value: Held) -> int:
        """A handle for an object."""
        handle = value.own_handle or next(self._numbers)
        self.handles[handle] = value
        value.handle = handle
        if isinstance(value, Stream):
            self.mirror.stream(handle)
        return handle

    def end(self, value: Held) -> None:
        """A handle means nothing any more."""
        if isinstance(value, Stream):
            self.mirror.no_stream(value.handle)
        self.mirror.no_event(value.handle)
        self.handles.pop(value.handle, None)

    def find(self, handle: int, kind: type[T]) -> T:
        """What a handle stands for. Raises `Refused`."""
        found = self.handles.get(handle)
        if not isinstance(found, kind):
            raise Refused(Result.INVALID_HANDLE, f"0x{handle:x} is no live {kind.kinds[0]}")
        return found

    def device(self, ordinal: int) -> Device:
        if not 0 <= ordinal < len(self.devices):
            raise Refused(Result.INVALID_DEVICE, f"no device {ordinal}")
        return self.devices[ordinal]

    def current(self) -> Context | None:
        """The context that is current in this thread."""
        stack = self.threads.stack()
        return stack[-1] if stack else None

    def check(self) -> None:
        """Raise `Refused` for what went wrong in the current context, if there is one."""
        current = self.current()
        if current is not None:
            current.check()

    def context(self) -> Context:
        """Likewise; raises `Refused` where there is none, or it is destroyed."""
        stack = self.threads.stack()
        if not stack:
            raise Refused(Result.INVALID_CONTEXT, "no context is current")
        if not stack[-1].is_alive:
            raise Refused(Result.CONTEXT_IS_DESTROYED, "the context is destroyed")
        return stack[-1]

    def settle_memory(self) -> None:
        """Do what the program has done with memory without Python (`fast_calls`). Raises
        `DeviceError` where something was stored beside memory that is released."""
        problems: list[DeviceError] = []
        with self._memory_lock:
            if self._settles:  # a finalizer's call, within this one
                return
            self._settles = True
            try:
                for address, size, state in self.mirror.begin_rests():
                    if state == SERVES:
                        continue
                    found = self.ranges.at(address)
                    assert found is not None
                    if state == IS_RESIZED:
                        self.ranges.resize(found, size)
                        continue
                    try:
                        if state == IS_HIDDEN:
                            pages().show(address)
                        release(found, is_unused=True)
                    except DeviceError as problem:
                        problems.append(problem)
            finally:
                self.mirror.end_rests()
                self._settles = False
        if problems:
            raise problems[0]

    def text(self, value: str) -> int:
        """The address of a text, which stays."""
        found = self._texts.get(value)
        if found is None:
            found = self._texts[value] = ctypes.create_string_buffer(
                value.encode(errors="surrogateescape")
            )
        return ctypes.addressof(found)

    def say(self, text: str) -> None:
        """Tell the user."""
        try:
            sys.stdout.flush()
            print(f"xgpu-cuda: {text}", file=sys.stderr, flush=True)
        except (OSError, ValueError, AttributeError):
            pass  # standard error is closed

    def report_unseen(self) -> None:
        """Says at the end of the process what nothing has waited for: errors of kernels, and what
        they have printed, which is lost as on a GPU. Work that goes on is given a moment. It says
        too which memory behind allocations was used, that are still there."""
        end = time.monotonic() + _LAST_MOMENT
        for context in [v for v in list(self.handles.values()) if isinstance(v, Context)]:
            for stream in context.streams():
                while not all(operation.done for operation in stream.work.frontier):
                    if time.monotonic() > end:
                        break
                    time.sleep(0.001)
            problem = context.unseen_error()
            if problem is not None:
                self.say(f"{problem}; nothing has waited for it")
        for allocation in self.ranges.all():
            allocation.context.host.warn_of_use_behind(allocation.address)
        if any(device.has_begun and device.host.printed.is_pending for device in self.devices):
            self.say(
                "what kernels have printed since the host last waited for them is lost, as on a "
                "GPU: cudaDeviceSynchronize() shows it"
            )

    def leftovers(self) -> dict[str, int]:
        """What is alive, by its type in C."""
        try:
            self.settle_memory()
        except DeviceError as problem:
            self.say(str(problem))
        return dict(counted(list(self.handles.values()), [a.kind for a in self.ranges.all()]))


#: Bytes of memory that a GPU maps at a time: a program that stores a little behind a small array
#: ends well there. (The sanitizer sees the size that was asked for.)
MEMORY_UNIT = 2 << 20


class Device:
    """A simulated GPU. Its machinery is made when a context needs it."""

    def __init__(self, driver: Driver, ordinal: int) -> None:
        self.driver, self.ordinal = driver, ordinal
        self.chip = driver.settings.chip_of(ordinal)
        self.attributes = attributes_of(self.chip, ordinal)
        self.primary: Context | None = None
        self.retained = 0
        self.primary_flags = 0
        self.default_pool: Pool | None = None
        self.pool: Pool | None = None
        #: Counts what nodes of graphs have allocated.
        self.graph_pool = Pool(self.ordinal, is_own=True)
        #: It keeps all, until it is trimmed.
        self.graph_pool.attributes[RELEASE_THRESHOLD] = 2**64 - 1
        self._host: HostDevice | None = None
        #: Its activity when nothing was under way.
        self._idle = -1

    @property
    def host(self) -> HostDevice:
        found = self._host
        if found is None:
            with self.driver.lock:
                found = self._host = self._host or self._made()
                self.driver.mirror.capacity(self.ordinal, found.memory.capacity)
                self.driver.mirror.activity(self.ordinal, found.activity)
                if self.driver.on_device is not None:
                    self.driver.on_device()
                    self.driver.on_device = None
        return found

    def _made(self) -> HostDevice:
        from xgpu.host_device.device.device import HostDevice
        from xgpu.host_device.native.signals import hold_faults

        hold_faults()
        session = Session()
        watched = watch.current()
        if watched is None:
            made = HostDevice(session)
            made.memory.unit = MEMORY_UNIT
        else:
            session.location = native_place if self.driver.is_of_native else python_place
            made = watched.device(session)
            # The runtime, where it is a library: one that is part of the program has no names.
            # A process of Python calls the driver, also where another program has loaded a runtime.
            of_runtime = self.driver.is_of_native and hasattr(ctypes.CDLL(None), "cudaMalloc")
            watched.sanitizer.cuda_calls = "runtime" if of_runtime else "driver"
        made.is_of_native = self.driver.is_of_native
        if watched is not None and watched.backend is None:
            watched.backend = self
        return made

    def note_idle(self) -> None:
        """Let machine code know if nothing is under way."""
        host = self.host
        activity = host.activity.value
        if activity != self._idle and self.driver.session.events is None and host.is_idle():
            self._idle = activity
            self.driver.mirror.idle(self.ordinal, activity)

    def synchronize(self) -> None:
        """Wait for all that the device was given (`watch.Synchronized`)."""
        if self._host is not None:
            self._host.finish()

    @property
    def has_begun(self) -> bool:
        return self._host is not None


class Context(Held):
    """A context. What fails in one of its streams is an error of the context, which stays."""

    kinds = ("CUcontext",)

    def __init__(self, device: Device, flags: int, *, is_primary: bool) -> None:
        self.device, self.driver, self.flags = device, device.driver, flags
        self.host = device.host
        self.is_primary = is_primary
        self.is_alive = True
        self.number = next(self.driver.numbers)
        self.session = Session()
        self._follow_timeline()
        self._said = False
        self.limits: dict[int, int] = {}
        self.peers: set[Context] = set()
        self.cache_config = 0
        #: Attributes of core dumps, once they are asked for.
        self.core_dumps: dict[int, int | bytes] | None = None
        #: The green context that this one stands for, if any.
        self.green: Held | None = None
        #: Streams that wait for the legacy one and that it waits for.
        self.blocking: dict[int, Stream] = {}
        #: What goes with the context.
        self.owned: dict[int, Held] = {}
        self._defaults: dict[int, Stream] = {}
        #: What the program has destroyed, and the operations that may use it until they are done.
        self._retired: list[tuple[tuple[Operation, ...], Held]] = []
        self.legacy = Stream(self, 0, 0)
        self.legacy.is_legacy = True
        self.legacy.handle = LEGACY
        self.driver.make(self)

    def _follow_timeline(self) -> None:
        events = self.driver.session.events
        if events is not None:
            self.session.begin_trace(events, self.driver.session._start)

    @property
    def error(self) -> Result | None:
        """What went wrong, which all functions give from then on."""
        problem = self.session.error
        if problem is None:
            return None
        result = result_of(problem)
        if not self._said:
            self._said = True
            self.driver.say(str(problem))
            self.driver.say(f"each later call of this context gives CUDA_ERROR_{result.name}")
        return result

    def unseen_error(self) -> BaseException | None:
        """What went wrong, if no function has given it."""
        return None if self._said else self.session.error

    def check(self) -> None:
        """Raise `Refused` for what went wrong."""
        if self.session.flag.value:
            earlier = "an earlier failure of this context: " if self._said else ""
            if (error := self.error) is not None:
                raise Refused(error, f"{earlier}{self.session.error}")

    def default_stream(self, per_thread: bool) -> Stream:
        """The legacy stream, or the calling thread's own."""
        if not per_thread:
            return self.legacy
        number = thread_number()
        found = self._defaults.get(number)
        if found is None:
            found = self._defaults[number] = Stream(self, 0, 0)
            found.handle = PER_THREAD
            self.blocking[found.number] = found
        return found

    def own(self, value: Held) -> int:
        """A handle for what ends with the context at the latest."""
        handle = self.driver.make(value)
        self.owned[handle] = value
        if value.leaks_as and self.host.sanitizer is not None:
            where = self.host.current_location()
            self.host.sanitizer.created(value.leaks_as, handle, where)
        return handle

    def disown(self, value: Held) -> None:
        self.owned.pop(value.handle, None)
        if value.leaks_as and self.host.sanitizer is not None:
            self.host.sanitizer.destroyed(value.handle)
        self.driver.end(value)

    def streams(self) -> list[Stream]:
        own = [v for v in list(self.owned.values()) if isinstance(v, Stream)]
        return [self.legacy, *list(self._defaults.values()), *own]

    def retire(self, value: Held) -> None:
        """Destroy what operations that are queued may still use, once these are done: at the latest
        when the host next waits for the context."""
        before = tuple(o for stream in self.streams() for o in stream.work.frontier)
        self._retired.append((before, value))
        self._destroy_retired()

    def _destroy_retired(self) -> None:
        pending, self._retired = self._retired, []
        for before, value in pending:
            if all(operation.done for operation in before):
                value.destroy()
            else:
                self._retired.append((before, value))

    def wait(self, operations: Iterable[Operation]) -> None:
        """The host waits for operations; raises `Refused` for what has failed."""
        waited = tuple(operations)
        host = self.host
        host.wait_for(waited)
        host.flush_printed()
        if host.sanitizer is not None:
            host.sanitizer.host_waits(waited)
        self.device.note_idle()
        if self._retired:
            self._destroy_retired()
        self.check()

    def synchronize(self) -> None:
        """Wait for all streams."""
        self.wait(o for stream in self.streams() for o in stream.work.frontier)

    def destroy(self) -> None:
        """Wait for what runs, and give all back. Errors are not raised: nothing can handle them."""
        self.is_alive = False
        self.driver.threads.forget(self)
        with suppress(Refused):
            self.synchronize()
        memory = [a for a in self.driver.ranges.all() if a.context is self]
        if self.driver.recorder is not None:
            self.driver.recorder.ended_with_context += counted(
                self.owned.values(), [a.kind for a in memory]
            )
        for value in reversed(list(self.owned.values())):
            try:
                value.destroy()
            except (Refused, DeviceError):
                continue
            finally:
                self.disown(value)
        for stream in self.streams():
            stream.release()
        for allocation in memory:
            if self.driver.ranges.at(allocation.address) is allocation:  # no variable of a module
                release(allocation)
        self.driver.destroyed.add(self.handle)
        self.driver.end(self)


def release(allocation: Allocation, *, is_unused: bool = False) -> None:
    """Give memory back; nothing uses it any more. What still runs is waited for, in case it does,
    unless the memory `is_unused`."""
    driver, host = allocation.context.driver, allocation.context.host
    driver.ranges.remove(allocation.address)
    if allocation.kind in ("registered", "mapped"):
        host.mgpuMemHostUnregister(allocation.address)
    elif is_unused:
        host.free_unused(allocation.address)
    elif allocation.kind != "variable":
        host.mgpuMemFree(allocation.address, 0)


class Stream(Held):
    """A stream: operations of the host device in an order."""

    kinds = ("CUstream",)
    leaks_as = "stream"

    def __init__(self, context: Context, flags: int, priority: int) -> None:
        self.context, self.flags, self.priority = context, flags, priority
        self.number = next(context.driver.numbers)
        self._host_handle = context.host.mgpuStreamCreate()
        self.work: Work = context.host.stream(self._host_handle)
        self.work.session = context.session
        if context.host.sanitizer is not None:  # the driver's; the program has the driver's handle
            context.host.sanitizer.destroyed(self._host_handle)
        self.is_legacy = False
        #: Attributes that were set (CUstreamAttrID): the bytes of their values.
        self.attributes: dict[int, bytes] = {}
        #: The capture that takes what the stream is given, if any.
        self.capture: Capturing | None = None

    def enqueue(
        self, name: str, action: Callable[[], None], what: Effect | None = None, *,
        quick: bool = False, always: bool = False,
    ) -> Operation:  # fmt: skip
        """Give the device something to do, after all that the stream has, and after what the legacy
        stream orders it behind. A `quick` one may run at once, in this thread."""
        self.follow_legacy()
        return self.context.host.enqueue(
            self.work, name, action, what=what, quick=quick, always=always
        )

    def perform_at_once(self, action: Callable[[], None]) -> bool:
        """Do something short in this thread, without an operation, where that makes no difference;
        whether it was done."""
        self.follow_legacy()
        return self.context.host.perform_at_once(self.work, action)

    def follow_legacy(self) -> None:
        """The legacy stream waits for blocking ones, and they for it."""
        context = self.context
        if self.is_legacy:
            for other in list(context.blocking.values()):
                self.join(other.work.frontier)
        elif self.number in context.blocking:
            self.join(context.legacy.work.frontier)

    def join(self, operations: tuple[Operation, ...]) -> None:
        """What comes later waits for `operations`."""
        if operations and (self.work.exact or not all(o.done for o in operations)):
            with self.context.host.queueing:
                self.work.join(operations)

    def synchronize(self) -> None:
        self.follow_legacy()
        self.context.wait(self.work.frontier)

    def is_done(self) -> bool:
        self.follow_legacy()
        for operation in self.work.frontier:  # noqa: SIM110 - a generator takes three times as long
            if not operation.done:
                return False
        return True

    def destroy(self) -> None:
        self.context.blocking.pop(self.number, None)
        self.release()

    def release(self) -> None:
        """What it holds still runs."""
        if self._host_handle:
            handle, self._host_handle = self._host_handle, 0
            self.context.host.mgpuStreamDestroy(handle)

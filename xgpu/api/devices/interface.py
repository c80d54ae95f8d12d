# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`Backend`: all that the package `xgpu.api` asks of a device. Handles and addresses are integers.

There is one backend a device in a process, shared by all modules, arrays, streams and threads.
Streams are non-blocking ones; stream 0 is the backend's own, which is what callers get who name
none. An error of a device's work belongs to the stream that it ran in: it is raised, once, by the
next function that waits for that stream or for an event recorded in it, and until then what that
stream is given is skipped.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from xgpu.api.copies import Rows
from xgpu.api.memory import View
from xgpu.core.ir.errors import DeviceError

if TYPE_CHECKING:
    from xgpu.host_device.device.arrays import ArrayFacts
    from xgpu.host_device.device.device import HostDevice
    from xgpu.runtime.cuda.device import CudaDevice
    from xgpu.runtime.session import Session

Dims = tuple[int, int, int]


class Changing:
    """Of an argument that has to be looked at each time: it can change, or must not be kept alive.
    It has the key of no array."""

    key = None


CHANGING = Changing()


class Packed:
    """The words of a launch's arguments in memory, and pointers to each of them. `done`
    gives them back after their use, and they serve again.

    `seen` says of `count` arguments what the words were made of, and has one more: an argument that
    is the same again needs no look.
    `views` are those of the arguments that are arrays, `streams` what others still write them in,
    `repeated` what a launcher keeps that launches with them again; `is_foreign` says that there are
    arrays of others among the views, which are looked at each time. `bounds` has two words for each
    of the others: where the array of a pointer begins, and its bytes plus one
    (`xgpu.host_device.abi.addresses.UNBOUNDED` where it has none); `facts` says which arrays
    there are. `described` has of arrays of NumPy their type, what they say of themselves, and a
    view of none: an array that says the same is not looked at again.

    `direct` is what `Backend.direct_launch` is called with for the same launch again, None where
    the launcher has to be; `thread` is the thread that is about to do so, 0 for none. They lie in
    `home` while they are free.
    """

    __slots__ = (
        "__weakref__", "array", "bounded", "bounds", "count", "data", "described", "direct",
        "facts", "home", "is_foreign", "pointers", "repeated", "seen", "streams", "thread", "views",
        "words",
    )  # fmt: skip

    def __init__(self, bytes: int, places: list[int], count: int, home: list[Packed]) -> None:
        self.home = home
        self.count = count
        self.seen: list[Any] = [CHANGING] * (count + 1)
        self.views: list[View | None] = [None] * count
        self.described: list[tuple[type, dict[str, object], View] | None] = [None] * count
        self.streams: tuple[int, ...] = ()
        self.thread = 0
        self.direct: tuple[object, ...] | None = None
        self.repeated: Callable[..., bool] | None = None
        self.is_foreign = False
        self.data = ctypes.create_string_buffer(-(-max(bytes, 8) // 8) * 8)
        #: The same memory in steps of 8 bytes.
        self.words = memoryview(self.data).cast("B").cast("Q")
        base = ctypes.addressof(self.data)
        #: The pointers, and a pointer to them.
        self.array = (ctypes.c_uint64 * max(len(places), 1))(*[base + p for p in places])
        self.pointers = ctypes.byref(self.array)
        self.bounds: ctypes.Array[ctypes.c_uint64] | None = None
        self.facts: Callable[[Packed], list[tuple[range, ArrayFacts]]] | None = None
        #: The pointers, with one to the bounds behind them, where a launcher has made it.
        self.bounded: ctypes.Array[ctypes.c_uint64] | None = None

    def with_bounds(self, count: int) -> ctypes.Array[ctypes.c_uint64]:
        """The pointers to words, of which there are `count`, and one to the bounds."""
        if self.bounded is None:
            assert self.bounds is not None
            given = [*self.array[:count], ctypes.addressof(self.bounds)]
            self.bounded = (ctypes.c_uint64 * len(given))(*given)
        return self.bounded

    def bounds_of(self, address: int) -> tuple[int, int] | None:
        """See `xgpu.host_device.device.arrays.Arguments`."""
        return None

    def array_of(self, number: int, begin: int, end: int) -> ArrayFacts | None:
        """See `xgpu.host_device.device.arrays.Arguments`."""
        found = [] if self.facts is None else self.facts(self)
        for words, array in found:
            if number in words or (number < 0 and array.extent == (begin, end)):
                return array
        return None

    def let_go(self) -> None:
        """The kernel has run: what others own need not live for it any more."""
        if self.is_foreign:
            self.is_foreign = False
            for i in range(self.count):
                if self.seen[i] is CHANGING:
                    self.views[i] = None

    def done(self) -> None:
        self.home.append(self)


#: Launches with the words of arguments, and says that they are done when they have been read. The
#: second argument stays alive until the kernel has run; the third says that the caller is about to
#: wait for it. The result is whether the kernel has run and nothing is left to wait for.
Launcher = Callable[[Packed, object, bool], bool]


class Description(NamedTuple):
    """What a driver says of a device: its name, and the 16 bytes of its UUID."""

    name: str
    identity: bytes


class Backend:
    """A device as Python uses it, for as long as the process lives; `xgpu.runtime.device.Device` is
    one as a single program uses it. Methods raise `DeviceError` with the device's own words."""

    #: "host" or "cuda:N".
    name: str
    #: DLPack's device type and number.
    dlpack: tuple[int, int]
    #: What `gpu-module-to-binary` should make for it, and for which chip.
    kernel_format: str
    #: Whether memory of this device can be read by the host.
    host_access: bool

    #: Whether launches tell kernels the bounds of their arrays.
    has_bounds = False

    #: Nothing of it can be used any more.
    closed = False

    def __init__(self) -> None:
        self._garbage: deque[Callable[[], None]] = deque()

    def current(self) -> Backend:
        """The device that stands for this one now; another one under a watch of the sanitizer."""
        return self

    #: Whether it wants to know which arrays nothing has used since they were allocated.
    tells_fresh = False

    def reads(self, view: View) -> None:
        """Python is about to read all elements of an array of this device."""

    def writes(self, view: View) -> None:
        """An array of this device is about to be written to."""
        view.is_used()

    def name_source(self, filename: str, text: str) -> None:
        """The text of the program whose image is loaded next, and what its locations call it. Only
        a watch of the sanitizer keeps it."""

    def later(self, release: Callable[[], None]) -> None:
        """Call `release` at the next request. May be called at any time, by any
        thread, also where another function of this object runs: objects die when they like.
        """
        self._garbage.append(release)

    def collect(self) -> None:
        """Give back what nothing uses any more."""
        if self.closed:  # all has been
            self._garbage.clear()
        while self._garbage:
            try:
                release = self._garbage.popleft()
            except IndexError:  # another thread was faster
                return
            try:
                release()
            except KeyboardInterrupt:  # it has not been given back, or not all that belongs to it
                self._garbage.appendleft(functools.partial(_rest, release))
                raise

    def _collect_all(self) -> None:
        """The same, whatever fails: errors are dropped."""
        while self._garbage:
            with contextlib.suppress(DeviceError):
                self.collect()

    @property
    def chip(self) -> str | None:
        """What kernels are compiled for; None: for the host device."""
        raise NotImplementedError

    @property
    def other_chips(self) -> tuple[str, ...]:
        """What kernels are compiled for on other devices that a program may turn to."""
        return ()

    # -- memory

    def allocate(self, size: int) -> int:
        """The address of `size` bytes, 0 for none; what they hold is anything."""
        raise NotImplementedError

    def free_later(self, address: int) -> None:
        """Nothing uses what was allocated here any more; see `later`."""
        raise NotImplementedError

    def copy(self, target: int, source: int, size: int, stream: int) -> None:
        """Copy bytes, from and to wherever they are, in the order of `stream`."""
        raise NotImplementedError

    def copy_rows(self, rows: Rows, stream: int) -> None:
        """Copy rows of bytes, from and to wherever they are, in the order of `stream`."""
        raise NotImplementedError

    def fill(self, target: int, value: int, count: int, width: int, stream: int) -> None:
        """Write `count` values of `width` bytes (1, 2, 4 or 8), in the order of `stream`."""
        raise NotImplementedError

    def exposed(self, address: int, size: int) -> None:
        """Others read and write what was allocated here from now on, without asking."""

    def lend(self, views: Iterable[View | None]) -> None:
        """A program gets these arrays, until `wait_for_program`."""

    # -- modules

    def load(self, image: bytes, bounds: bool | None = None) -> int:
        """A kernel module of `kernel_format`; `bounds` says whether its kernels are kept in their
        arrays where the device can do that, None that the environment says so."""
        raise NotImplementedError

    def unload(self, module: int) -> None:
        """End a module, when nothing of it runs any more."""
        raise NotImplementedError

    def function(self, module: int, name: str) -> int:
        """The kernel `name` of a module."""
        raise NotImplementedError

    def attributes(self, function: int) -> dict[str, int | None]:
        """`registers`, `shared_bytes`, `local_bytes`, `constant_bytes`, `max_threads`: None where
        the device has no such thing."""
        raise NotImplementedError

    def resident_blocks(self, function: int, threads: int, shared: int) -> int | None:
        """How many blocks of that size one multiprocessor holds; None where there is none."""
        raise NotImplementedError

    def limits(self) -> dict[str, int]:
        """`threads_per_multiprocessor`, `threads_per_block`, `multiprocessors`."""
        raise NotImplementedError

    def count(self) -> int:
        """How many devices of this kind there are."""
        raise NotImplementedError

    def description(self) -> Description | None:
        """What the driver says of it; None where there is no driver."""
        return None

    def attribute(self, name: str) -> int:
        """An attribute of the driver, by its name in CUdevice_attribute."""
        raise NotImplementedError

    def memory_info(self) -> tuple[int, int]:
        """Free and total bytes of its memory."""
        raise NotImplementedError

    def launcher(
        self, function: int, grid: Dims, block: Dims, cluster: Dims | None, shared: int, stream: int
    ) -> Launcher:
        """What launches a kernel with these sizes, as often as one likes."""
        raise NotImplementedError

    #: Launches what a launcher has launched before with the same `Packed`, from its `direct`;
    #: anything but 0 says that it has not, and that the launcher has to. None: launchers do all.
    direct_launch: Callable[..., int] | None = None

    # -- streams and events

    def stream_create(self) -> int:
        raise NotImplementedError

    def stream_destroy_later(self, stream: int) -> None:
        """What the stream holds still runs; see `later`."""
        raise NotImplementedError

    def stream_synchronize(self, stream: int) -> None:
        raise NotImplementedError

    def stream_done(self, stream: int) -> bool:
        """Whether all that the stream was given has run."""
        raise NotImplementedError

    def stream_wait(self, stream: int, event: int) -> None:
        """Let what the stream is given from here on wait for `event`."""
        raise NotImplementedError

    def event_create(self) -> int:
        raise NotImplementedError

    def event_destroy_later(self, event: int) -> None:
        """See `later`."""
        raise NotImplementedError

    def event_record(self, event: int, stream: int) -> None:
        raise NotImplementedError

    def event_synchronize(self, event: int) -> None:
        raise NotImplementedError

    def event_done(self, event: int) -> bool:
        raise NotImplementedError

    def event_elapsed(self, first: int, second: int) -> float:
        """Milliseconds from one event to another; both are done."""
        raise NotImplementedError

    def synchronize(self) -> None:
        """Wait for all streams."""
        raise NotImplementedError

    def graph_launcher(self, device: CudaDevice) -> Callable[[], bool] | None:
        """What launches the graph again that a device of `program_device` has launched last since
        this was asked for, and waits; None where there is none. It says whether it was done."""
        return None

    def close(self) -> None:
        """Wait for what runs, and give everything back; nothing of it can be used after that.
        Raises nothing: errors are dropped.
        """
        raise NotImplementedError

    # -- programs

    def program_device(self, session: Session, bounds: bool | None = None) -> Any:
        """A `xgpu.runtime.device.Device` for the functions of one program, on the same memory;
        `bounds` as for `load`."""
        raise NotImplementedError

    def working_on(
        self, device: HostDevice, arrays: Sequence[ArrayFacts]
    ) -> contextlib.AbstractContextManager[None]:
        """While it is open, kernels of a program's `device` are checked against the bounds of
        these arrays."""
        return contextlib.nullcontext()

    def wait_for_program(self, device: Any) -> None:
        """Wait for what a function has given a device of `program_device`."""
        raise NotImplementedError

    def owned_by_program(self, device: Any, address: int) -> int | None:
        """Bytes of what a program has allocated at `address`, None if it has not."""
        raise NotImplementedError


def _rest(release: Callable[[], None]) -> None:
    """What is left of a release that was interrupted; some of it may have been done."""
    with contextlib.suppress(DeviceError):
        release()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a device asks of the sanitizer and tells it: `sanitizer.reports.monitor.Sanitizer`, which
stands above the device."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    import ctypes
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    from xgpu.host_device.abi.record_classes import Launch, Worker
    from xgpu.host_device.compiler.kernel_cache import KernelCode
    from xgpu.host_device.compiler.objects import Specialized
    from xgpu.host_device.compiler.specialize import KernelSource
    from xgpu.host_device.device.operations import Effect, Operation

    Words = ctypes.Array[ctypes.c_int64]
    #: Tables of numbers for each thread, by the steps that these are sums of.
    Tables = dict[tuple[tuple[Hashable, int], ...], Words]

Dims = tuple[int, int, int]


class Instrumented(NamedTuple):
    """Code of a kernel module that tells the sanitizer what kernels do: who learns of whom in it
    (`SanOperation`), whether what it does depends on the order of threads, whether they give one
    another signals without a race, and the bytes of its constants."""

    code: KernelCode
    synchronizes: int
    depends_on_order: bool
    signals: bool
    constants: dict[str, int]


class KnownLaunch(NamedTuple):
    """A launch that needs no watch if its memory is as `ranges` want it: begin, end, a pointer into
    the allocation, whether it is written to. `accesses` are words as
    `sanitizer_pages.spell_out_for` reads them, which has addresses of `tables` among them."""

    ranges: Words
    accesses: Words
    access_count: int
    tables: Tables


class KnownLaunches(Protocol):
    """Launches of a kernel, with blocks of one size, that need not be watched."""

    #: Blocks that are screened all the same.
    skipped: int

    def find(self, record: Launch) -> KnownLaunch | None:
        """What is known of a launch; None if that is not enough."""
        ...


class Sanitizer(Protocol):
    """The sanitizer of a device."""

    @property
    def counters(self) -> tuple[Iterator[int], Iterator[int], Iterator[int]]:
        """Numbers of handles, streams and operations, for all devices that it watches."""
        ...

    # -- Code of kernels.

    def instrumented(self, source: KernelSource, kernel: str = "") -> Instrumented:
        """Code of a module that tells what its kernels do, or that of one kernel."""
        ...

    def screen(
        self, source: KernelSource, kernel: str, block: Dims, is_small: bool
    ) -> Specialized | None:
        """Code that screens launches of the kernel; None where only threads can look at it."""
        ...

    def by_warps(
        self, source: KernelSource, watched: Instrumented, kernel: str, block: Dims,
        is_small: bool, *, is_asked: bool,
    ) -> Specialized | None:  # fmt: skip
        """Code in which warps tell what they do; None where threads do."""
        ...

    def function_address(self, symbol: str) -> int | None:
        """The address of a function that such code calls; None if it is another's."""
        ...

    def known_launches(self, outline: object, pointers: Sequence[int]) -> KnownLaunches:
        """Launches that need not be watched, by the `Specialized.outline` of a kernel; `pointers`
        are the numbers of its parameters that are some."""
        ...

    # -- Launches.

    def begin_launch(self) -> None: ...

    def end_launch(self) -> None: ...

    def is_known(self, record: Launch, known: KnownLaunch, skipped: int) -> bool:
        """Whether the memory of a launch is such that all but its first `skipped` blocks need no
        watch."""
        ...

    def is_unknown(self, record: Launch) -> None:
        """A launch is watched after all."""
        ...

    def watched_as_known(self, kernel: str) -> None:
        """A launch of a kernel was known to be right before it ran."""
        ...

    def watched_whole(self, kernel: str, is_vector: bool, why: str = "") -> None:
        """Each access of a launch is looked at; without a reason its code cannot be screened."""
        ...

    def screened(
        self, record: Launch, kernel: object, name: str, worker: Worker, *, whole: bool = True
    ) -> bool:
        """Run a launch as one that is screened, or its first blocks; False where it has to run
        thread by thread, and nothing has happened."""
        ...

    def spins(self, workers: Iterable[Worker]) -> None:
        """The threads of a launch wait for ever in memory."""
        ...

    def leave(self, worker: int) -> None:
        """A worker has stopped, perhaps in the middle of a block."""
        ...

    def stuck(self, worker: int) -> None:
        """All threads of a block wait, and nothing can end that."""
        ...

    def misuse(self, thread: int, kind: int) -> None:
        """A thread uses a barrier or an mbarrier in a way that has no meaning."""
        ...

    def notice(self, thread: int, kind: int, amount: int) -> bool:
        """Whether what deserves a word is a finding."""
        ...

    def notice_place(self, thread: int, kind: int) -> str:
        """Where that is, empty if it is not known."""
        ...

    # -- Memory.

    def allocated(
        self, address: int, size: int, kind: str, location: str | None, name: str = ""
    ) -> None:
        """Memory that kernels may use from here on; `name` is a variable's."""
        ...

    def allocated_over(
        self, address: int, size: int, others: Iterable[int], kind: str = "array",
        location: str | None = None,
    ) -> None:  # fmt: skip
        """Memory that holds other memory, at those addresses."""
        ...

    def released(self, address: int, location: str | None, after: Iterable[int] = ()) -> None:
        """The host has released memory."""
        ...

    def refused(self, why: str, address: int, location: str | None) -> bool:
        """The device cannot release memory; whether that is a finding."""
        ...

    def unregistered(self, address: int, location: str | None) -> None:
        """Memory of the host, or a variable, is not the device's any more."""
        ...

    # -- Streams and events.

    def submit(self, operation: Operation, name: str, what: Effect | None, alone: bool) -> None:
        """An operation has been given to a stream; one that is `alone` is ordered by what it waits
        for and by nothing else."""
        ...

    def begin_part(
        self, operation: Operation, name: str, what: Effect | None, action: Callable[[], None]
    ) -> Callable[[], None]:
        """What an operation that runs does next, and how it is done."""
        ...

    def host_waits(self, operations: Iterable[Operation]) -> None:
        """The host knows that these operations are over."""
        ...

    def created(self, what: str, handle: int, location: str | None) -> None:
        """A stream, an event or the like, which the program has to destroy."""
        ...

    def destroyed(self, handle: int) -> None: ...

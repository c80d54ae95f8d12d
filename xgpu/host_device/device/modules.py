# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernel modules on the host device: objects made by
`xgpu.host_device.compiler.compiler`, or bitcode compiled for it.

Machine code is made when a kernel is first launched: for the strategy that it gets with that size
of its blocks (`xgpu.host_device.compiler.strategies`), or, once for the module, for threads by
themselves."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from xgpu.backend.llvm_ir.containment import watched
from xgpu.core.ir.errors import DeviceError, DiagnosticError
from xgpu.core.support.demangle import demangled
from xgpu.core.support.forks import new_lock
from xgpu.host_device.abi.structs import LAUNCH_PLAIN, LAUNCH_THREADS
from xgpu.host_device.compiler.kernel_cache import KernelCode
from xgpu.host_device.compiler.objects import KernelInfo, entry_symbol, is_host_object, read_object
from xgpu.host_device.native.library import native_library
from xgpu.host_device.native.support import add_support
from xgpu.host_device.native.value_functions import value_function
from xgpu.runtime.device import format_dims
from xgpu.runtime.launch_limits import LaunchLimits

if TYPE_CHECKING:
    from llvmlite.binding.orcjit import ResourceTracker

    from xgpu.host_device.abi import record_classes
    from xgpu.host_device.compiler.bounds_checks import Access, Checks
    from xgpu.host_device.compiler.objects import Specialized, Why
    from xgpu.host_device.device.sanitizer_interface import Instrumented, KnownLaunches, Sanitizer


# -- Where copies of a kernel's parameters lie.


Word = ctypes.c_uint64


class ParameterLayout:
    """Where copies of a kernel's parameters lie, with the bounds of those that are pointers where
    the kernel `has_bounds`: `words` there are."""

    __slots__ = ("fields", "pointers", "storage", "words")

    def __init__(self, sizes: list[int], pointers: Sequence[int], has_bounds: bool) -> None:
        #: Offsets, the bytes that are copied, None for a word, and whether that is a pointer.
        self.fields: list[tuple[int, type[ctypes.Array[ctypes.c_uint8]] | None, bool]] = []
        total = 0
        for number, size in enumerate(sizes):
            total = -(-total // 16) * 16
            kind = None if size == 8 else ctypes.c_uint8 * size
            self.fields.append((total, kind, number in pointers))
            total += size
        self.pointers = ctypes.c_uint64 * len(sizes)
        #: Pointers to parameters, and one to all bounds.
        self.words = len(sizes) + has_bounds
        bounds = 2 * len(sizes) if has_bounds else 0
        self.storage = ctypes.c_uint64 * (self.words + -(-total // 8) + 2 + bounds)


# -- What launches of a kernel with the same sizes have in common.


_SLOWEST = 1 << 31  # nanoseconds of 1024 groups: enough to ask all for help

# Nanoseconds of work for each helper. One that waits comes in some 10 microseconds; additions of
# vectors that take 80, 100 and 130 alone take 62, 70 and 91 with one (AMD EPYC, two cores).
WORTH = 75_000

#: Nanoseconds of 1024 groups, times groups. A launch of less is run by the thread that makes it.
WORTH_1024 = WORTH * 1024

_SHORTEST = 5_000  # nanoseconds of what a worker takes at a time


class Prototype:
    """What launches of a kernel with the same sizes have in common. What is asked for with each of
    them is here too: after a kernel that fills the caches a field of a record is expensive."""

    __slots__ = ("groups", "is_independent", "is_quick", "pace", "record", "suspending", "worth")

    def __init__(self, record: record_classes.Launch, *, is_independent: bool) -> None:
        self.record = record
        self.groups = record.groups
        self.suspending = record.suspending
        #: Blocks wait for no others: a thread by itself comes to the end of them.
        self.is_independent = is_independent
        #: Nanoseconds of 1024 groups, as far as is known.
        self.pace = 0
        #: How many helpers are worth it: that takes each so long.
        self.worth = 0
        #: Whether the blocks wait for no others and take less time than another thread to begin.
        self.is_quick = False

    def set_pace(self, pace: int) -> bool:
        """Let the next launches know how long 1024 groups take, in nanoseconds; False if what is
        known is good enough, so that nothing changes."""
        if abs(pace - self.pace) * 8 <= self.pace:
            return False
        self.pace = pace = min(pace, _SLOWEST)
        self.record.least = 1 + _SHORTEST * 1024 // pace
        self.worth = pace * self.groups // WORTH_1024
        self.is_quick = self.is_independent and pace * self.groups < WORTH_1024
        return True


# -- Which strategy kernels get on this device: the fastest that applies, or the one that was asked
# for.
#
# `report` is called for each kernel and size of its blocks, when code for it is made.


Dims = tuple[int, int, int]

THREADS = "threads"
#: What `--kernel-strategy` may say.
STRATEGIES = ("auto", "block-loops", "warps", THREADS)


class ChosenStrategy(NamedTuple):
    """Which strategy a kernel got for blocks of a size, and why no faster one; empty texts for what
    is not known. `str` is what `--print-kernel-strategies` prints."""

    kernel: str
    module: str
    location: str
    block: Dims
    strategy: str
    why: str

    def __str__(self) -> str:
        because = f", {self.why}" if self.why else ""
        # Kernels of several modules may have one name.
        place = f"{self.location}: " if self.location else ""
        module = f" (in gpu.module '{self.module}')" if self.module else ""
        sizes = format_dims(*self.block)
        return f"{place}kernel '{self.kernel}', blocks of {sizes}: {self.strategy}{because}{module}"


class KernelStrategies:
    __slots__ = ("forced", "report")

    def __init__(
        self, forced: str = "auto", report: Callable[[ChosenStrategy], None] | None = None
    ) -> None:
        self.forced = forced
        self.report = report

    def choose(
        self,
        source: KernelCode,
        info: KernelInfo,
        block: Dims,
        opt_level: int,
        is_small: bool = True,
    ) -> Specialized | None:
        """What runs blocks of that size; None, or what has no code, for threads by themselves.

        Raises `DeviceError` where the kernel does not have the strategy that was asked for.
        """
        kernel = info.name
        if self.forced == THREADS:
            self._tell(info, block, THREADS, "not block-loops or warps: it was asked for")
            return None
        found = source.specialized(kernel, block, opt_level, is_small, self.forced)
        self._tell(info, block, found.strategy, words(found.reasons))
        if found.code is not None or (self.forced == "auto" and found.is_independent):
            return found
        if self.forced != "auto":
            why = found.reasons[-1]
            where = f"{why.location}: " if why.location else ""
            raise DeviceError(
                f"{where}kernel '{demangled(kernel)}' has no strategy '{self.forced}': {why.reason}"
            )
        return None

    def _tell(self, info: KernelInfo, block: Dims, strategy: str, why: str) -> None:
        if self.report is not None:
            module, place = info.module or "", info.location or ""
            name = demangled(info.name)
            self.report(ChosenStrategy(name, module, place, block, strategy, why))


def words(reasons: Sequence[Why]) -> str:
    """Why a kernel does not have faster strategies; those with one reason together."""
    strategies: dict[str, list[str]] = {}
    for why in reasons:
        where = f" ({why.location})" if why.location else ""
        strategies.setdefault(f"{why.reason}{where}", []).append(why.strategy)
    return ", ".join(f"not {' or '.join(names)}: {reason}" for reason, names in strategies.items())


_BITCODE = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")
_REMEDY = "compile it with cubin-format=host, or let the host device have IR that is not lowered"
_numbers = itertools.count()
_MAX_THREADS = LaunchLimits().threads  # of a block; a launch of more is refused


class Kernel:
    """A kernel and the addresses of its entries; `layout` and `prototypes` are what launches of it
    have in common.
    """

    __slots__ = (
        "entries", "independent", "info", "known", "layout", "module", "prototypes", "screened_ns",
        "screens", "unwatched", "vectors",
    )  # fmt: skip

    def __init__(self, module: HostModule, info: KernelInfo) -> None:
        self.module = module
        self.info = info
        #: Size of a block, and whether the grid is small -> (address, whose coroutines it has).
        self.entries: dict[tuple[Dims, bool], tuple[int, int]] = {}
        #: The same for entries that screen a launch for the sanitizer; 0 where there is none.
        self.screens: dict[tuple[Dims, bool], int] = {}
        #: For the same sizes, where they are screened: the launches that need not be watched.
        self.known: dict[tuple[Dims, bool], KnownLaunches] = {}
        #: Entries for these, 0 where there is none; how long launches were screened.
        self.unwatched: dict[tuple[Dims, bool], int] = {}
        self.screened_ns = 0
        #: Addresses of entries that run vectors of threads.
        self.vectors: set[int] = set()
        #: Those of entries whose blocks never wait for other blocks.
        self.independent: set[int] = set()
        self.layout: ParameterLayout | None = None
        self.prototypes: dict[tuple[Dims, Dims, Dims, int], Prototype] = {}

    def entry(self, block: Dims, is_small: bool = True) -> tuple[int, int]:
        """The code that runs blocks of that size: its address, and whose coroutines it has, if any
        (`LAUNCH_WARPS`, ..).

        `is_small` says that the grid's threads along x can be counted with an i32.
        """
        found = self.entries.get((block, is_small))
        if found is None:
            found = self.module.entry(self.info, block, is_small)
            native_library().prepare_work(found[1])
            self.entries[block, is_small] = found
            if found != self.module.thread_entry(self.info, make=False):
                self.vectors.add(found[0])
        return found

    def screen(self, block: Dims, is_small: bool) -> int:
        """The code that screens a launch with blocks of that size, 0 if there is none
        (`xgpu.host_device.sanitizer.instrument.screening`)."""
        found = self.screens.get((block, is_small))
        if found is None:
            found = self.module.screen(self.info, block, is_small)
            self.screens[block, is_small] = found
        return found

    def unwatched_entry(self, block: Dims, is_small: bool) -> int:
        """The code that runs blocks of that size in loops over vectors, and tells the sanitizer
        nothing; 0 if there is none."""
        found = self.unwatched.get((block, is_small))
        if found is None:
            found = self.module.unwatched_entry(self.info, block, is_small)
            self.unwatched[block, is_small] = found
        return found

    def is_vector(self, address: int) -> bool:
        """Whether the entry at `address` runs vectors of threads."""
        return address in self.vectors

    def thread_entry(self) -> tuple[int, int]:
        """The code that runs each thread by itself."""
        found = self.module.thread_entry(self.info)
        assert found is not None
        return found


class HostModule:
    """A loaded module; its code stays as long as this object does."""

    def __init__(
        self, data: bytes, opt_level: int = 2, strategies: KernelStrategies | None = None,
        sanitizer: Sanitizer | None = None, has_bounds: bool = False,
    ) -> None:  # fmt: skip
        if data.startswith(_BITCODE):
            data = self._compile(data, opt_level)
        elif not is_host_object(data):
            raise DeviceError(not_for_host(data))
        infos, manifest, text = read_object(data)
        #: The device that has loaded it.
        self.device: Any = None
        #: Bytes of workgroup memory: to the end of variables, and to the dynamic part. A kernel
        #: may use fewer of the variables than the module has.
        self.shared_end: int = manifest["shared_end"]
        self.shared_bytes: int = manifest["dynamic_shared"]
        #: Whether kernels may ask for their grid's workspace.
        self.uses_workspace: bool = manifest["uses_workspace"]
        self.has_globals = bool(manifest["globals"])
        #: Variables that the host can use, with their bytes.
        self.variables = manifest["variables"]
        self._strategies = strategies if strategies is not None else KernelStrategies()
        #: Whether kernels get the bounds of their arrays, and stay in them. Under the sanitizer
        #: that looks after it.
        self.has_bounds = has_bounds and sanitizer is None
        self._source = KernelCode(text, self.has_bounds)
        #: The checks of bounds by the entry that they are in, and those of threads by themselves.
        self._checks: dict[int, Checks] = {}
        self._thread_checks: Checks = []
        self.sanitizer = sanitizer
        #: Whether code of each kernel is made by itself, when it is first launched: under the
        #: sanitizer that of a whole module takes long.
        self._is_divided = False
        #: For the sanitizer, by kernel where the module is divided, else by "": code, and that code
        #: where each thread is by itself.
        self._watched: dict[str, Instrumented] = {}
        self._parts: dict[str, ResourceTracker] = {}
        #: Constants that the sanitizer knows, with their bytes.
        self._constants: Mapping[str, int] = {}
        if sanitizer is not None:
            self._is_divided = manifest["is_divisible"]
            if not self._is_divided:
                self._constants = self.watched("").constants
        self._opt_level: int = manifest["opt_level"]
        #: The strategy by kernel, block, and whether the grid is small.
        self.chosen: dict[tuple[str, Dims, bool], str] = {}
        self._suspending: set[str] = set()
        self._threads: ResourceTracker | None = None
        self._trackers: list[object] = []
        self._lock = new_lock()
        _addresses(manifest["symbols"], sanitizer)
        self.kernels = {name: Kernel(self, info) for name, info in infos.items()}
        for name, sizes in manifest["sizes"].items():
            for x, y, z in sizes:
                if name in self.kernels and min(x, y, z) > 0 and x * y * z <= _MAX_THREADS:
                    self.kernels[name].entry((x, y, z))

    def watched(self, kernel: str) -> Instrumented:
        """Code of a kernel that tells the sanitizer what it does, and what is known of it."""
        assert self.sanitizer is not None
        part = kernel if self._is_divided else ""
        found = self._watched.get(part)
        if found is None:
            found = self._watched[part] = self.sanitizer.instrumented(self._source.source, part)
        return found

    def entry(self, info: KernelInfo, block: Dims, is_small: bool) -> tuple[int, int]:
        """See `Kernel.entry`."""
        with self._lock:
            code = self._specialized(info, block, is_small)
            symbol = entry_symbol(info.name)
            if code is None or code.code is None:
                entry, kind = self._code_of(info)[symbol], self._kind(info)
                if code is not None and code.is_independent and kind == LAUNCH_PLAIN:
                    self.kernels[info.name].independent.add(entry)
                return entry, kind
            tracker = self._link_specialized(code.code, code.symbols, symbol)
            self._trackers.append(tracker)
            self._checks[tracker[symbol]] = code.checks
            if code.is_independent:
                self.kernels[info.name].independent.add(tracker[symbol])
            return tracker[symbol], code.coroutines

    def _link_specialized(self, code: bytes, symbols: list[str], entry: str) -> ResourceTracker:
        """Code for a size of blocks, which uses the variables of the code for threads."""
        used = [s for s in symbols if s in self.variables or s in self._constants]
        variables = {name: self._variable(name) for name in used}
        return self._link(code, [s for s in symbols if s not in variables], [entry], variables)

    def _link(
        self, code: bytes, symbols: list[str], exported: list[str],
        variables: Mapping[str, int] | None = None,
    ) -> ResourceTracker:  # fmt: skip
        """Code that uses these functions, and `variables` of other code, with their addresses."""
        functions = _addresses(symbols, self.sanitizer)
        return _link(code, {**functions, **(variables or {})}, exported)

    def _kind(self, info: KernelInfo) -> int:
        """Whether the threads of a kernel are coroutines where each is by itself."""
        return LAUNCH_THREADS if info.name in self._suspending else LAUNCH_PLAIN

    def screen(self, info: KernelInfo, block: Dims, is_small: bool) -> int:
        """See `Kernel.screen`."""
        if self.sanitizer is None or self._strategies.forced == "threads":
            return 0
        with self._lock:
            code = self.sanitizer.screen(self._source.source, info.name, block, is_small)
            if code is None or code.code is None:
                return 0
            if code.outline is not None:
                self.kernels[info.name].known[block, is_small] = self.sanitizer.known_launches(
                    code.outline, info.pointers
                )
            return self._entry_of(code.code, code.symbols, info)

    def unwatched_entry(self, info: KernelInfo, block: Dims, is_small: bool) -> int:
        """See `Kernel.unwatched_entry`."""
        with self._lock:
            level = self._opt_level
            code = self._source.specialized(info.name, block, level, is_small, "block-loops")
            return 0 if code.code is None else self._entry_of(code.code, code.symbols, info)

    def _entry_of(self, code: bytes, symbols: list[str], info: KernelInfo) -> int:
        symbol = entry_symbol(info.name)
        tracker = self._link_specialized(code, symbols, symbol)
        self._trackers.append(tracker)
        return tracker[symbol]

    def _specialized(self, info: KernelInfo, block: Dims, is_small: bool) -> Specialized | None:
        """Object code and symbols for a size of blocks, None where threads run by themselves."""
        if self.sanitizer is not None:
            forced, found = self._strategies.forced, None
            if forced in ("auto", "warps"):
                found = self.sanitizer.by_warps(
                    self._source.source, self.watched(info.name), info.name, block, is_small,
                    is_asked=forced == "warps",
                )  # fmt: skip
        else:
            found = self._strategies.choose(self._source, info, block, self._opt_level, is_small)
        self.chosen[info.name, block, is_small] = THREADS if found is None else found.strategy
        return found

    def thread_entry(self, info: KernelInfo, make: bool = True) -> tuple[int, int] | None:
        """The code that runs each thread by itself, made if need be; None if it is not there."""
        has_code = info.name in self._parts if self._is_divided else self._threads is not None
        if not make and not has_code:
            return None
        with self._lock:
            return self._code_of(info)[entry_symbol(info.name)], self._kind(info)

    def variable(self, name: str) -> int:
        """The address of one of the `variables`."""
        with self._lock:
            return self._variable(name)

    def _variable(self, name: str) -> int:
        return self._thread_code()[name]

    def _shared_variables(self) -> dict[str, int]:
        """The variables of other code that this code uses."""
        return {}

    def _code_of(self, info: KernelInfo) -> ResourceTracker:
        """The code of a kernel in which each thread is by itself, and that of others with it where
        the module is not divided."""
        if not self._is_divided:
            return self._thread_code()
        found = self._parts.get(info.name)
        if found is None:
            code, symbols, suspending, _ = self._threads_of(self.watched(info.name).code)
            self._suspending |= suspending
            found = self._parts[info.name] = self._link(code, symbols, [entry_symbol(info.name)])
        return found

    def _thread_source(self) -> KernelCode:
        """What `_thread_code` is made of."""
        return self._source if self.sanitizer is None else self.watched("").code

    def _threads_of(self, source: KernelCode) -> tuple[bytes, list[str], set[str], Checks]:
        try:
            return source.threads(self._opt_level)
        except RuntimeError as problem:
            raise DeviceError(f"LLVM refuses the module: {problem}") from None

    def _thread_code(self) -> ResourceTracker:
        """The code of all kernels in which each thread is by itself."""
        if self._threads is None:
            code, symbols, self._suspending, self._thread_checks = self._threads_of(
                self._thread_source()
            )
            entries = [entry_symbol(n) for n in self.kernels]
            shared = self._shared_variables()
            own = [name for name in (*self.variables, *self._constants) if name not in shared]
            self._threads = self._link(code, symbols, [*entries, *own], shared)
            self._tell_variables(self._threads)
        return self._threads

    def _tell_variables(self, code: ResourceTracker) -> None:
        """Kernels may reach variables and constants by their addresses."""
        if self.sanitizer is None:
            return
        for kind, sizes in (("variable", self.variables), ("constant", self._constants)):
            for name, size in sizes.items():
                if size:
                    self.sanitizer.allocated(code[name], size, kind, None, name)

    def unload(self) -> None:
        """What kernels could reach by addresses is not there any more."""
        if self.sanitizer is None or self._threads is None:
            return
        for name in (*self.variables, *self._constants):
            self.sanitizer.unregistered(self._threads[name], None)

    def accesses(self, entry: int, check: int) -> Sequence[Access]:
        """The accesses that a check of bounds is for, by its number in the code at `entry`."""
        return self._checks.get(entry, self._thread_checks)[check]

    @staticmethod
    def _compile(data: bytes, opt_level: int) -> bytes:
        from xgpu.host_device.compiler.code import Unsupported
        from xgpu.host_device.compiler.compiler import compile_llvm

        try:
            return compile_llvm(data, opt_level)
        except (Unsupported, DiagnosticError) as problem:
            raise DeviceError(str(problem)) from None
        except RuntimeError as problem:
            raise DeviceError(f"LLVM refuses the module: {problem}") from None


def _link(code: bytes, addresses: Mapping[str, int], exported: list[str]) -> ResourceTracker:
    """Object code in this process: the address of each exported symbol. `addresses` are those of
    the functions and variables that it uses."""
    from llvmlite import binding

    builder = binding.JITLibraryBuilder().add_object_img(code)
    for symbol, address in addresses.items():
        builder.import_symbol(symbol, address)
    add_support(builder, code)
    for symbol in exported:
        builder.export_symbol(symbol)
    with watched("link kernels"):
        return builder.link(native_library().jit, f"xgpu.kernels.{next(_numbers)}")


def _addresses(symbols: list[str], sanitizer: Sanitizer | None) -> dict[str, int]:
    """Where the functions are that a module uses. Raises `DeviceError` for those that are not."""
    native = native_library()
    found: dict[str, int] = {}
    missing: list[str] = []
    for symbol in symbols:
        if symbol.startswith("xgpu_nv_"):
            address = value_function(symbol)
        elif symbol.startswith("xgpu_tensor_"):
            address = _tensor_address(symbol)
        else:
            address = native.symbols.get(symbol)
            if address is None and sanitizer is not None:
                address = sanitizer.function_address(symbol)
            address = address or _process_address(symbol)
        if address is None:
            missing.append(symbol)
        else:
            found[symbol] = address
    if missing:
        raise DeviceError(f"module uses {', '.join(missing)}, which the host device lacks")
    return found


def _tensor_address(symbol: str) -> int | None:
    """The address of a function of matrix and tensor operations."""
    from xgpu.host_device.native.tensor_library import tensor_symbols

    return tensor_symbols().get(symbol)


def _process_address(symbol: str) -> int | None:
    """The address of a function of the C library or libm."""
    for library in (ctypes.CDLL(None), _libm()):
        try:
            return ctypes.cast(getattr(library, symbol), ctypes.c_void_p).value
        except AttributeError:
            continue
    return None


def _libm() -> ctypes.CDLL:
    import ctypes.util

    return ctypes.CDLL(ctypes.util.find_library("m"))


def not_for_host(data: bytes) -> str:
    """Why the host device cannot run a kernel module."""
    kind = gpu_only(data) or "in a form that the host device does not know"
    return f"the kernel module is {kind}, and there is no GPU to run it: {_REMEDY}"


def gpu_only(data: bytes) -> str | None:
    """What kind of code for a GPU alone `data` is, or None."""
    if data.startswith(b"\x7fELF"):
        return "a cubin (machine code of an NVIDIA GPU)"
    if data.startswith(b"\x50\xed\x55\xba"):
        return "a fatbin (machine code of an NVIDIA GPU)"
    if b".target sm_" in data[:4096]:
        return "PTX (for an NVIDIA GPU)"
    return None

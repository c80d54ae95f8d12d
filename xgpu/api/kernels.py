# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels, as something that one can launch and ask."""

from __future__ import annotations

import struct
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, SupportsIndex, cast

from xgpu.api import parameters
from xgpu.api.arrays import Array
from xgpu.api.devices.interface import CHANGING, Backend, Dims, Launcher, Packed
from xgpu.api.loaded import Loaded
from xgpu.api.memory import View
from xgpu.api.parameters import Parameter
from xgpu.api.streams import handle_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xgpu.api.descriptions import DescribedKernel
    from xgpu.runtime.cuda.object_launch import Expected


_AXES = "xyz"
# Arrays of so many shapes and more may come and go: whoever gives others each time gets no code.
_MOST_PLANS = 8
# Of these two that are the same object make the same words.
_CONSTANT = frozenset((int, float, bool))


class Kernel:
    """A kernel of a module.

        kernel[grid, block](x, y, n)                  # grid in blocks, block in threads
        kernel[grid, block, stream, shared](x, y, n)  # shared: bytes of dynamic workgroup memory
        kernel.launch(grid=(8, 8), block=256, cluster=2)(x, y, n)

    Sizes are a number or up to three. Arguments are arrays of any library and numbers; they are
    checked against `parameters`: TypeError and ValueError name the one that does not fit. Without a
    `stream` a launch is over when the call returns, unless all its arrays are `xgpu.Array`s, whose
    elements nobody sees without waiting. Errors of a kernel are `DeviceError`s of whoever waits.
    """

    def __init__(self, loaded: Loaded, described: DescribedKernel) -> None:
        self._loaded = loaded
        self._backend: Backend = loaded.backend
        self.name = described["name"]
        #: The gpu.module that it is in.
        self.module_name = described["module"]
        where = f"kernel '{self.name}'"
        found = described["parameters"]
        #: What it takes, in order; None where a binary does not say.
        self.parameters: tuple[Parameter, ...] | None = (
            None if found is None else tuple(parameters.from_json(p, where) for p in found)
        )
        self._location = described["location"]
        self._block = described["block"]
        self._function: int | None = None
        self._packer: Packer | None = None
        self._lock = threading.Lock()
        self._bound: dict[object, Launch] = {}
        self._described = described
        self._elsewhere: tuple[Backend, Kernel] | None = None

    def __repr__(self) -> str:
        listed = ", ".join(map(repr, self.parameters)) if self.parameters is not None else "?"
        return f"<xgpu.Kernel {self.name}({listed}) on {self._backend.name}>"

    def _repr_html_(self) -> str:
        from xgpu.api.display import kernel_html

        return kernel_html(self)

    @property
    def device(self) -> str:
        """Where it runs: "host" or "cuda:N"."""
        return self._backend.name

    def on(self, backend: Backend) -> Kernel:
        """The same kernel on another device that takes the same code."""
        found = self._elsewhere
        if found is None or found[0] is not backend:
            found = self._elsewhere = backend, Kernel(self._loaded.on(backend), self._described)
        return found[1]

    # -- launches

    def __getitem__(self, configuration: tuple[object, ...]) -> Launch:
        """`kernel[grid, block, stream, shared]`; the last two may be left out."""
        backend = self._backend.current()
        if backend is not self._backend:
            return self.on(backend)[configuration]
        try:
            found = self._bound.get(configuration)
        except TypeError:  # a list among the sizes
            found = None
        if found is not None:
            return found
        if not _is_tuple(configuration) or len(configuration) not in (2, 3, 4):
            raise TypeError(
                f"kernel '{self.name}': expected [grid, block], [grid, block, stream] or "
                "[grid, block, stream, shared]"
            )
        grid, block, stream, shared = (*configuration, None, 0)[:4] if (
            len(configuration) < 4
        ) else configuration  # fmt: skip
        launch = self.launch(grid=grid, block=block, stream=stream, shared=cast("int", shared or 0))
        if len(self._bound) < 256 and _is_plain(configuration):
            self._bound[configuration] = launch
        return launch

    def __call__(self, *arguments: object, **named: object) -> None:
        """A kernel runs on a grid: `kernel[grid, block](...)`."""
        raise TypeError(
            f"kernel '{self.name}' needs the size of its grid and blocks: "
            f"{self.name}[grid, block](...)"
        )

    def launch(
        self, *, grid: object, block: object = None, cluster: object = None, stream: object = None,
        shared: int = 0,
    ) -> Launch:  # fmt: skip
        """A launch that takes the arguments: `kernel.launch(grid=4, block=256)(x, y, n)`.

        `block` may be left out where the kernel says its size; `cluster` counts blocks, `shared`
        bytes. Raises TypeError and ValueError for sizes that are none.
        """
        backend = self._backend.current()
        if backend is not self._backend:
            return self.on(backend).launch(
                grid=grid, block=block, cluster=cluster, stream=stream, shared=shared
            )
        if block is None:
            block = self._block
            if block is None:
                raise TypeError(
                    f"kernel '{self.name}' does not say how large blocks are: give block"
                )
        cluster_dims = None if cluster is None else dims(cluster, "cluster", self.name)
        if shared < 0:
            raise ValueError(f"kernel '{self.name}': shared is {shared!r}, expected bytes")
        return Launch(
            self, dims(grid, "grid", self.name), dims(block, "block", self.name), cluster_dims,
            stream, shared,
        )  # fmt: skip

    @property
    def function(self) -> int:
        """The device's handle."""
        if self._function is None:
            with self._lock:
                if self._function is None:
                    image = self._loaded.image(self.module_name)
                    self._function = self._backend.function(image, self.name)
        return self._function

    @property
    def packer(self) -> Packer:
        """What makes words of arguments."""
        if self._packer is None:
            if self.parameters is None:
                raise TypeError(
                    f"kernel '{self.name}' came as binary, which does not say what it takes"
                )
            self._packer = Packer(f"kernel '{self.name}'", self.parameters)
        return self._packer

    # -- what it is

    @property
    def location(self) -> str | None:
        """Where the source defines it, `file:line:column`."""
        return None if self._location is None else ":".join(map(str, self._location))

    @property
    def source(self) -> str | None:
        """The lines of the source that define it; None where there is no text."""
        from xgpu.api.inspection import source_of

        return source_of(self._loaded, self._location)

    @property
    def known_block(self) -> Dims | None:
        """The size of blocks that the source says it is launched with."""
        if self._block is None:
            return None
        x, y, z = self._block
        return x, y, z

    @property
    def attributes(self) -> dict[str, int | None]:
        """`registers` a thread, `shared_bytes` a block (static), `local_bytes` a thread,
        `constant_bytes`, `max_threads` a block. On the host device, which has no registers, they
        are those of the kernel's cubin where an assembler is installed, else None.
        """
        from xgpu.api.inspection import attributes_of

        return attributes_of(self._loaded, self.module_name, self.name, self.function)

    @property
    def registers(self) -> int | None:
        """Registers a thread; None where nobody can say."""
        return self.attributes["registers"]

    @property
    def shared_bytes(self) -> int | None:
        """Bytes of static workgroup memory a block."""
        return self.attributes["shared_bytes"]

    @property
    def local_bytes(self) -> int | None:
        """Bytes of local memory a thread: what is spilled, and arrays of its own."""
        return self.attributes["local_bytes"]

    @property
    def largest_block(self) -> int:
        """The most threads that a block can have."""
        return self.attributes["max_threads"] or self._backend.limits()["threads_per_block"]

    def occupancy(self, block: object = None, shared: int = 0) -> float:
        """The part of a multiprocessor's threads that blocks of that size keep busy, 0 to 1.

        On the host device it is that of the chip that `ptx` is for.
        """
        from xgpu.api.inspection import occupancy_of

        sizes = dims(block if block is not None else self._block or 0, "block", self.name)
        threads = sizes[0] * sizes[1] * sizes[2]
        return occupancy_of(self._loaded, self.attributes, self.function, threads, shared)

    @property
    def ptx(self) -> str:
        """PTX of the module that it is in; made when it is asked for."""
        from xgpu.api.inspection import ptx_of

        return ptx_of(self._loaded, self.module_name)

    @property
    def llvm_ir(self) -> str:
        """LLVM IR for NVPTX of the module that it is in, before LLVM optimizes it."""
        from xgpu.api.inspection import llvm_ir_of

        return llvm_ir_of(self._loaded, self.module_name)

    @property
    def sass(self) -> str:
        """Machine code of the GPU as `nvdisasm` shows it. Raises `DeviceError` where the toolkit's
        assembler or disassembler is not installed.
        """
        from xgpu.api.inspection import sass_of

        return sass_of(self._loaded, self.module_name, self.name)


def _is_plain(configuration: tuple[object, ...]) -> bool:
    """Whether nothing but numbers is in it: a stream would be kept alive."""
    return all(
        c is None
        or isinstance(c, int)
        or (isinstance(c, tuple) and all(isinstance(n, int) for n in c))
        for c in configuration
    )


def _is_tuple(configuration: object) -> bool:
    return isinstance(configuration, tuple)


def dims(value: object, what: str, kernel: str) -> Dims:
    """One to three sizes. Raises TypeError for what is no size, ValueError for one below 1."""
    given = cast("Sequence[object]", value) if isinstance(value, (tuple, list)) else (value,)
    if not 1 <= len(given) <= 3:
        raise ValueError(f"kernel '{kernel}': {what} has {len(given)} sizes, expected 1 to 3")
    sizes: list[int] = []
    for axis, size in zip(_AXES, given, strict=False):
        try:
            number = cast("SupportsIndex", size).__index__()
        except AttributeError:
            raise TypeError(
                f"kernel '{kernel}': {what} size {axis} is {size!r}, expected an integer"
            ) from None
        if number < 1:
            raise ValueError(
                f"kernel '{kernel}': {what} size {axis} is {number}, expected at least 1"
            )
        sizes.append(number)
    return (*sizes, 1, 1)[:3]  # type: ignore[return-value]


class Launch:
    """A kernel with the sizes of a launch; called with the arguments, as often as one likes."""

    __slots__ = (
        "_device", "_fire", "_free", "_go", "_handle", "_kernel", "_launcher", "_loaded",
        "_packer", "_plans", "_stream", "block", "cluster", "grid", "shared",
    )  # fmt: skip

    def __init__(
        self, kernel: Kernel, grid: Dims, block: Dims, cluster: Dims | None, stream: object,
        shared: int,
    ) -> None:  # fmt: skip
        self._kernel = kernel
        self._loaded = kernel._loaded
        self._handle = handle_of(stream, kernel._backend)
        self._stream = stream
        self._free: list[Packed] = []
        self._packer: Packer | None = None
        self._launcher: Launcher | None = None
        self._device = kernel._backend.name
        self._fire = kernel._backend.launch_record
        # Machine code that takes the arguments, and how often it may still be made anew.
        self._go: Callable[..., bool] | None = None
        self._plans = _MOST_PLANS if kernel._backend.takes_objects else 0
        self.grid = grid
        self.block = block
        self.cluster = cluster
        self.shared = shared

    def __call__(self, *arguments: object) -> None:
        if self._loaded.closed:
            raise ValueError(f"kernel '{self._kernel.name}': the module is closed")
        if self._go is not None and self._go(*arguments):
            return
        try:
            packed = self._free.pop()
        except IndexError:
            packed = self._new_packed()
        seen = packed.seen
        if len(seen) != len(arguments):
            self._store(packed, arguments)
        for argument, last in zip(arguments, seen):  # noqa: B905  as many, and no time for more
            # An array must not be kept alive: its view says as well that it is the same.
            if argument is not last and (type(argument) is not Array or argument._view is not last):
                self._store(packed, arguments)
                break
        waits = self._stream is None and self._must_wait(packed)
        made = self._planned(packed, arguments) if self._plans and not waits else None
        record = packed.record
        if record is None or self._fire(record):
            (self._launcher or self._new_launcher())(packed, arguments, waits)
        else:
            self._free.append(packed)
        if made is not None:
            self._go = made
        if waits:
            self._kernel._backend.stream_synchronize(0)

    def _planned(self, packed: Packed, arguments: tuple[object, ...]) -> Callable[..., bool] | None:
        """Machine code for launches with arguments like these, or None."""
        from xgpu.api.layouts import layout

        self._plans -= 1
        kernel = self._kernel
        expected, where = kernel.packer.expected(arguments), layout()
        if expected is None or where is None:
            return None
        return kernel._backend.object_launch(
            kernel.function, self.grid, self.block, self.cluster, self.shared, self._handle,
            packed.data.raw[: kernel.packer.size], expected, self._stream is None, where,
        )  # fmt: skip

    def _new_packed(self) -> Packed:
        if self._packer is None:
            self._packer = self._kernel.packer
        return self._packer.room(self._free)

    def _new_launcher(self) -> Launcher:
        kernel = self._kernel
        self._launcher = kernel._backend.launcher(
            kernel.function, self.grid, self.block, self.cluster, self.shared, self._handle
        )
        return self._launcher

    def _store(self, packed: Packed, arguments: tuple[object, ...]) -> None:
        (self._packer or self._kernel.packer).store(packed, arguments, self._device)
        if packed.streams:
            _order_after(self._kernel._backend, self._handle, packed.streams)

    def _must_wait(self, packed: Packed) -> bool:
        """Whether the caller could see elements that the kernel has not written yet."""
        return self._kernel.packer.takes_addresses or any(
            view is not None and view.lent for view in packed.views
        )

    def __repr__(self) -> str:
        return f"<launch of {self._kernel.name}, grid {self.grid}, block {self.block}>"


def _order_after(backend: Backend, handle: int, streams: tuple[int, ...]) -> None:
    """Let the stream wait for those in which other libraries write the arrays."""
    for stream in streams:
        if stream == handle:
            continue
        event = backend.event_create()
        try:
            backend.event_record(event, stream)
            backend.stream_wait(handle, event)
        finally:
            backend.event_destroy_later(event)


class Packer:
    """Checks arguments and lays their words out in memory, each at 8 bytes."""

    def __init__(self, where: str, parameters: tuple[Parameter, ...]) -> None:
        self._where = where
        self._parameters = parameters
        self._writers = [struct.Struct("<" + "".join(p.formats)).pack_into for p in parameters]
        self._begins: list[int] = []
        self._places: list[int] = []
        at = 0
        for parameter in parameters:
            self._begins.append(at)
            for format in parameter.formats:
                self._places.append(at)
                at += struct.calcsize("<" + format)
        self._moves = [
            (begin // 8, p.before) if p.before is not None else None
            for p, begin in zip(parameters, self._begins, strict=True)
        ]
        #: Bytes of all words.
        self.size = at
        #: Whether a caller may give addresses, of memory that nobody knows.
        self.takes_addresses = any(p.kind in ("pointer", "blob") for p in parameters)

    def room(self, home: list[Packed]) -> Packed:
        """Memory for the words of arguments; it comes back to `home`."""
        return Packed(self.size, self._places, len(self._parameters), home)

    def store(self, packed: Packed, arguments: tuple[object, ...], device: str) -> None:
        """Write the words of those `arguments` that are others than before. Raises TypeError and
        ValueError that name an argument; what `packed` holds is of no use then.
        """
        if len(arguments) != len(self._parameters):
            raise TypeError(self._count_error(len(arguments)))
        seen, views, words = packed.seen, packed.views, packed.words
        changed = False
        for i, (argument, last, moves) in enumerate(zip(arguments, seen, self._moves, strict=True)):
            if argument is last:
                continue
            if moves is not None and type(argument) is Array:
                view = argument._view
                if view is last:
                    continue
                # One of the same shape, which was checked: it lies elsewhere.
                if type(last) is View and view.key is last.key:
                    at, before = moves
                    words[at] = words[at + 1] = view.address - before
                    seen[i] = views[i] = view
                    continue
            self._store_one(packed, i, argument, device)
            changed = True
        if changed:
            packed.streams = tuple({v.stream: None for v in views if v is not None and v.stream})

    def expected(self, arguments: tuple[object, ...]) -> list[Expected] | None:
        """What machine code expects of arguments like these, which were stored; None where there
        are some that it does not take."""
        found: list[Expected] = []
        for parameter, begin, argument in zip(
            self._parameters, self._begins, arguments, strict=True
        ):
            one = parameter.expected(argument, begin // 8)
            if one is None:
                return None
            found.append(one)
        return found

    def _store_one(self, packed: Packed, i: int, argument: object, device: str) -> None:
        found: list[View] = []
        words = self._parameters[i].words(argument, device, found)
        self._writers[i](packed.data, self._begins[i], *words)
        packed.views[i] = found[0] if found else None
        kind = type(argument)
        packed.seen[i] = argument if kind in _CONSTANT else CHANGING
        if kind is Array and isinstance(argument, Array):
            packed.seen[i] = argument._view

    def _count_error(self, given: int) -> str:
        wanted = len(self._parameters)
        names = ", ".join(p.name for p in self._parameters)
        plural = "argument" if wanted == 1 else "arguments"
        listed = f" ({names})" if names else ""
        return f"{self._where} takes {wanted} {plural}{listed}, but {given} were given"

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches: a kernel with the sizes of its grid, called with arguments."""

from __future__ import annotations

from collections.abc import Sequence
from threading import get_ident
from typing import Protocol, SupportsIndex, cast

from xgpu.api.arrays import Array
from xgpu.api.devices.interface import Backend, Dims, Launcher, Packed
from xgpu.api.loaded import Loaded
from xgpu.api.memory import View
from xgpu.api.packing import Packer
from xgpu.api.streams import handle_of
from xgpu.core.ir.errors import (
    USER_ERRORS,
    ArgumentTypeError,
    ArgumentValueError,
    shows_internals,
    told,
)
from xgpu.core.support.forks import OfOneProcess

_AXES = "xyz"


def dims(value: object, what: str, kernel: str) -> Dims:
    """One to three sizes. Raises TypeError for what is no size, ValueError for one below 1."""
    given = cast("Sequence[object]", value) if isinstance(value, (tuple, list)) else (value,)
    if not 1 <= len(given) <= 3:
        raise ArgumentValueError(
            f"kernel '{kernel}': {what} has {len(given)} sizes, expected 1 to 3"
        )
    sizes: list[int] = []
    for axis, size in zip(_AXES, given, strict=False):
        try:
            number = cast("SupportsIndex", size).__index__()
        except (AttributeError, TypeError):
            raise ArgumentTypeError(
                f"kernel '{kernel}': {what} size {axis} is {size!r}, expected an integer"
            ) from None
        if number < 1:
            raise ArgumentValueError(
                f"kernel '{kernel}': {what} size {axis} is {number}, expected at least 1"
            )
        sizes.append(number)
    return (*sizes, 1, 1)[:3]  # type: ignore[return-value]


def is_integer(value: object) -> bool:
    """Whether Python takes it where an integer has to be."""
    return hasattr(value, "__index__")


class Launchable(Protocol):
    """A kernel, as launches see it."""

    name: str

    @property
    def function(self) -> int: ...

    @property
    def packer(self) -> Packer: ...


class Launch(OfOneProcess):
    """A kernel with the sizes of a launch; called with the arguments, as often as one likes."""

    __slots__ = (
        "_backend", "_direct", "_free", "_handle", "_kernel", "_launcher", "_loaded", "_packer",
        "_sizes", "_slots", "_stream",
    )  # fmt: skip

    def __init__(
        self, kernel: Launchable, loaded: Loaded, backend: Backend, grid: Dims, block: Dims,
        cluster: Dims | None, stream: object, shared: int,
    ) -> None:  # fmt: skip
        self._kernel = kernel
        self._loaded = loaded
        self._backend = backend
        self._handle = handle_of(stream, backend)
        self._stream = stream
        self._free: list[Packed] = []
        self._packer: Packer | None = None
        self._slots: list[int | None] = []
        self._launcher: Launcher | None = None
        self._direct = backend.direct_launch
        self._sizes = grid, block, cluster, shared

    @property
    def grid(self) -> Dims:
        return self._sizes[0]

    @property
    def block(self) -> Dims:
        return self._sizes[1]

    @property
    def cluster(self) -> Dims | None:
        return self._sizes[2]

    @property
    def shared(self) -> int:
        """Bytes of dynamic workgroup memory."""
        return self._sizes[3]

    def __call__(self, *arguments: object, **named: object) -> None:
        # Each step here is a part of every launch: what can be done elsewhere is.
        try:
            if named:
                arguments = self._kernel.packer.ordered(arguments, named)
            try:
                packed = self._free.pop()
            except IndexError:
                packed = self._new_packed()
            seen = packed.seen
            i = 0
            for argument in arguments:
                last = seen[i]
                # An array must not be kept alive: its view says as well that it is the same.
                given = argument._view if type(argument) is Array else argument
                if given is not last:
                    slot = self._slots[i]
                    if slot is None or type(given) is not View or given.key is not last.key:
                        self._store(packed, arguments)
                        break
                    packed.words[slot] = given.address
                    seen[i] = packed.views[i] = given
                i += 1  # noqa: SIM113  enumerate takes longer
            else:
                if i != packed.count:
                    self._store(packed, arguments)  # too few
            waits = self._stream is None and self._must_wait(packed)
            call = self._direct
            if call is not None and not waits:
                try:
                    # First who is here, then whether the launch may go on: see `Packed`.
                    packed.thread = get_ident()
                    direct = packed.direct
                    is_refused = direct is None or call(*direct)
                finally:
                    packed.thread = 0
                if not is_refused:
                    self._free.append(packed)
                    return
            if self._loaded.closed:
                self._check_open()
            is_over = (self._launcher or self._new_launcher())(packed, arguments, waits)
            if waits and not is_over:
                self._backend.stream_synchronize(0)
        except USER_ERRORS as problem:
            if shows_internals():
                raise
            raise told(problem) from None

    def _check_open(self) -> None:
        if self._loaded.closed:
            raise ArgumentValueError(f"kernel '{self._kernel.name}': the module is closed")

    def _new_packed(self) -> Packed:
        if self._packer is None:
            self._packer = self._kernel.packer
            self._slots = self._packer.slots
        return self._packer.room(self._free)

    def _new_launcher(self) -> Launcher:
        kernel = self._kernel
        self._launcher = self._backend.launcher(kernel.function, *self._sizes, self._handle)
        return self._launcher

    def _store(self, packed: Packed, arguments: tuple[object, ...]) -> None:
        self._check_open()
        (self._packer or self._kernel.packer).store(packed, arguments, self._backend.name)
        self._check_open()  # an argument may have closed it when it was asked
        if packed.streams:
            _order_after(self._backend, self._handle, packed.streams)

    def _must_wait(self, packed: Packed) -> bool:
        """Whether the caller could see elements that the kernel has not written yet."""
        if self._packer is not None and self._packer.takes_addresses:
            return True
        for view in packed.views:  # noqa: SIM110  a generator takes as long as a launch
            if view is not None and view.lent:
                return True
        return False

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

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches: a kernel with the sizes of its grid, called with arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, SupportsIndex, cast

from xgpu.api.arrays import Array
from xgpu.api.devices.interface import Backend, Dims, Launcher, Packed
from xgpu.api.loaded import Loaded
from xgpu.api.packing import Packer
from xgpu.api.processes import OfOneProcess
from xgpu.api.streams import handle_of
from xgpu.core.ir.errors import (
    USER_ERRORS,
    ArgumentTypeError,
    ArgumentValueError,
    shows_internals,
    told,
)

if TYPE_CHECKING:
    from collections.abc import Sequence


_AXES = "xyz"
# Arrays of so many shapes and more may come and go: whoever gives others each time gets no code.
_MOST_PLANS = 8


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
        "_backend", "_device", "_fire", "_free", "_go", "_handle", "_kernel", "_launcher",
        "_loaded", "_packer", "_plans", "_sizes", "_stream",
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
        self._launcher: Launcher | None = None
        self._device = backend.name
        self._fire = backend.launch_record
        # Machine code that takes the arguments, and how often it may still be made anew.
        self._go: Callable[..., bool] | None = None
        self._plans = _MOST_PLANS if backend.takes_objects else 0
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
        try:
            if named:
                arguments = self._kernel.packer.ordered(arguments, named)
            if self._loaded.closed:
                raise ArgumentValueError(f"kernel '{self._kernel.name}': the module is closed")
            if self._go is None or not self._go(*arguments):
                self._launch(arguments)
        except USER_ERRORS as problem:
            if shows_internals():
                raise
            raise told(problem) from None

    def _launch(self, arguments: tuple[object, ...]) -> None:
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
            self._backend.stream_synchronize(0)

    def _planned(self, packed: Packed, arguments: tuple[object, ...]) -> Callable[..., bool] | None:
        """Machine code for launches with arguments like these, or None."""
        from xgpu.api.layouts import layout

        self._plans -= 1
        kernel = self._kernel
        expected, where = kernel.packer.expected(arguments), layout()
        if expected is None or where is None:
            return None
        return self._backend.object_launch(
            kernel.function, *self._sizes, self._handle,
            packed.data.raw[: kernel.packer.size], expected, self._stream is None, where,
        )  # fmt: skip

    def _new_packed(self) -> Packed:
        if self._packer is None:
            self._packer = self._kernel.packer
        return self._packer.room(self._free)

    def _new_launcher(self) -> Launcher:
        kernel = self._kernel
        self._launcher = self._backend.launcher(kernel.function, *self._sizes, self._handle)
        return self._launcher

    def _store(self, packed: Packed, arguments: tuple[object, ...]) -> None:
        (self._packer or self._kernel.packer).store(packed, arguments, self._device)
        if self._loaded.closed:  # by what an argument does when it is asked
            raise ArgumentValueError(f"kernel '{self._kernel.name}': the module is closed")
        if packed.streams:
            _order_after(self._backend, self._handle, packed.streams)

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

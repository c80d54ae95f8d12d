# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What an array is to us: an address, a shape, strides, a type of elements, a place."""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, cast

from xgpu.api import elements

if TYPE_CHECKING:
    from numpy import generic
    from numpy.typing import NDArray

#: Where memory is that every processor of this machine reaches.
HOST = "host"

#: CUDA's default stream, by the name that it has beside 0 (CU_STREAM_LEGACY).
LEGACY = 1


#: Of a view: type, shape, strides, device, whether it may be written to, and how far its address
#: is from what elements are aligned to; for a fresh one FRESH as well.
Key = (
    tuple[str, tuple[int, ...], tuple[int, ...], str, bool, int]
    | tuple[str, tuple[int, ...], tuple[int, ...], str, bool, int, str]
)
FRESH = "fresh"

# Keys of arrays: those that are equal are one object, which is fast to compare.
_keys: dict[Key, Key] = {}


def shared_key(key: Key) -> Key:
    """The one key that is equal to this one."""
    if len(_keys) > 4096:
        _keys.clear()
    return _keys.setdefault(key, key)


class View:
    """Memory as an array: `strides` count elements, `device` is "host" or "cuda:N".

    `key` is all but the address, of which it has how far it is from what elements are aligned to:
    two arrays of one key fit the same parameters. `owner` keeps the
    memory alive, where the array itself does not. `lent` says that the array's maker can read
    it without asking us, so that what runs must be waited for.
    `stream` is the CUDA stream after which the elements are there, 0 for now. `described` is what
    NumPy said of its array (`__array_interface__`): one of which it says the same is the same view.

    A fresh view is of memory that nothing can have written to since it was allocated. Its key is
    another one, so that the first launch that takes it does not take it for one of those that were
    checked before, and no other launch has to ask.
    """

    __slots__ = (
        "address", "described", "dtype", "item", "key", "lent", "owner", "shape", "stream",
        "strides",
    )  # fmt: skip

    def __init__(
        self, address: int, shape: tuple[int, ...], strides: tuple[int, ...], dtype: str,
        device: str, writable: bool, owner: object, lent: bool = True, stream: int = 0,
        item: int = 0,
    ) -> None:  # fmt: skip
        #: Bytes of an element: those of a record, which is passed as its first byte, or the type's.
        self.item = item or elements.itemsize(dtype)
        self.address = address
        self.shape = shape
        self.strides = strides
        self.dtype = dtype
        self.key: Key = (
            dtype, shape, strides, device, writable, address % elements.ALIGNMENTS[dtype],
        )  # fmt: skip
        self.owner = owner
        self.lent = lent
        self.stream = stream
        self.described: dict[str, object] | None = None

    def owned_by(self, owner: object) -> View:
        """The same view, kept alive by `owner`."""
        made = View.__new__(View)
        made.address, made.shape, made.strides = self.address, self.shape, self.strides
        made.dtype, made.item, made.key = self.dtype, self.item, self.key
        made.lent, made.stream, made.described = self.lent, self.stream, self.described
        made.owner = owner
        return made

    def seen_as(
        self, owner: object, *, address: int | None = None, shape: tuple[int, ...] | None = None,
        strides: tuple[int, ...] | None = None, dtype: str | None = None, item: int = 0,
    ) -> View:  # fmt: skip
        """The same memory or a part of it, kept alive by `owner`; what is not given is this view's.

        `item` counts bytes of an element: without it those of `dtype`, where that is given."""
        return View(
            self.address if address is None else address,
            self.shape if shape is None else shape,
            self.strides if strides is None else strides,
            dtype or self.dtype, self.device, self.writable, owner, self.lent, self.stream,
            item if item or dtype else self.item,
        )  # fmt: skip

    def is_fresh(self) -> None:
        """The memory has been allocated, and nothing has used it."""
        self.key = shared_key((*self.key[:6], FRESH))

    def is_used(self) -> bool:
        """From here on it may have been written to; whether it was fresh."""
        if len(self.key) == 6:
            return False
        self.key = shared_key(self.key[:6])
        return True

    @property
    def device(self) -> str:
        return self.key[3]

    @property
    def writable(self) -> bool:
        return self.key[4]

    @property
    def aligned(self) -> bool:
        """Whether each element lies where the device reads one at once."""
        return not self.key[5]

    @property
    def nbytes(self) -> int:
        """Bytes of the elements, without what lies between them."""
        count = self.item
        for size in self.shape:
            count *= size
        return count


def contiguous_strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Strides of an array in C order, in elements."""
    strides: list[int] = []
    step = 1
    for size in reversed(shape):
        strides.append(step)
        step *= max(size, 1)
    return tuple(reversed(strides))


@functools.lru_cache(1024)
def span_of(shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int) -> tuple[int, int]:
    """Where elements lie, in bytes from the first one: the lowest, and behind the highest; nowhere
    where there are none."""
    low = high = 0
    for count, stride in zip(shape, strides, strict=True):
        if count == 0:
            return 0, 0
        step = (count - 1) * stride
        low, high = low + min(step, 0), high + max(step, 0)
    return low * itemsize, (high + 1) * itemsize


def memory_owner(array: object) -> object | None:
    """NumPy's array with whose end the memory of `array` goes; None where it is not known."""
    numpy = sys.modules.get("numpy")
    if numpy is None or not isinstance(array, numpy.ndarray):
        return None
    owner = cast("NDArray[generic]", array)
    while isinstance(owner.base, numpy.ndarray):
        owner = cast("NDArray[generic]", owner.base)
    return owner if owner.flags.owndata else None

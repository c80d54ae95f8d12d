# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The bytes of elements that are all the same, for shapes too large to hold each of them."""

from __future__ import annotations

from typing import Any

#: Up to so many bytes, equal elements are held like others.
MOST_BYTES = 1 << 26


class Repeated(bytes):
    """`element` `count` times, held once. Its slices are bytes; iterating goes over one element
    only, which says whether there is anything but zeros. `byte_count` is its length where Python's
    `len` cannot say it."""

    element: bytes
    times: int

    def __new__(cls, element: bytes, count: int) -> Repeated:
        found = super().__new__(cls, element)
        found.element = bytes(element)
        found.times = count
        return found

    @property
    def byte_count(self) -> int:
        return len(self.element) * self.times

    def __len__(self) -> int:
        return self.byte_count

    def __bool__(self) -> bool:
        return True  # what is small is plain bytes

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            start, stop, step = _indices(key, self.byte_count)
            if step != 1:
                raise ValueError("slices of repeated elements have no gaps")
            size = len(self.element)
            first = start // size
            part = repeated(self.element, -(-stop // size) - first)
            if part.__class__ is Repeated:
                if start % size or stop % size:
                    raise ValueError("a part of repeated elements begins and ends with one")
                return part
            return part[start - first * size : stop - first * size]
        if not -self.byte_count <= key < self.byte_count:
            raise IndexError("index out of range")
        at: int = key % len(self.element)
        return self.element[at]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Repeated):
            return False  # shorter ones are plain bytes
        return self.element == other.element and self.times == other.times

    def __hash__(self) -> int:
        return hash((self.element, self.times))

    def __deepcopy__(self, memo: object) -> Repeated:
        return self


def _indices(key: slice, length: int) -> tuple[int, int, int]:
    """What a slice of `length` bytes means; Python's own knows no lengths past its word."""
    bounds = [0 if key.start is None else key.start, length if key.stop is None else key.stop]
    start, stop = (min(max(n + length if n < 0 else n, 0), length) for n in bounds)
    return start, max(start, stop), key.step or 1


def byte_count(data: bytes) -> int:
    """The length of bytes, however they are held."""
    return data.byte_count if isinstance(data, Repeated) else len(data)


def repeated(element: bytes, count: int) -> bytes:
    """`element * count`; held once if that is large."""
    if len(element) * count <= MOST_BYTES:
        return element * count
    return Repeated(element, count)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The bytes of elements that are all the same, for shapes too large to hold each of them."""

from __future__ import annotations

from typing import Any

#: Up to so many bytes, equal elements are held like others.
MOST_BYTES = 1 << 26


class Repeated(bytes):
    """`element` `count` times, held once. It has that length and its slices are bytes; iterating
    goes over one element only, which says whether there is anything but zeros."""

    element: bytes
    times: int

    def __new__(cls, element: bytes, count: int) -> Repeated:
        found = super().__new__(cls, element)
        found.element = bytes(element)
        found.times = count
        return found

    @property
    def size(self) -> int:
        """The number of bytes, which may be more than Python allows a length to be."""
        return len(self.element) * self.times

    def __len__(self) -> int:
        return self.size

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            start, stop, step = key.indices(self.size)
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
        return self.element[range(self.size)[key] % len(self.element)]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Repeated):
            return False  # shorter ones are plain bytes
        return self.element == other.element and self.times == other.times

    def __hash__(self) -> int:
        return hash((self.element, self.times))

    def __deepcopy__(self, memo: object) -> Repeated:
        return self


def size_of(data: bytes) -> int:
    """`len(data)`, for any number of bytes."""
    return data.size if isinstance(data, Repeated) else len(data)


def repeated(element: bytes, count: int) -> bytes:
    """`element * count`; held once if that is large."""
    if len(element) * count <= MOST_BYTES:
        return element * count
    return Repeated(element, count)

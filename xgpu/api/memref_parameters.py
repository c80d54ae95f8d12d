# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parameters that are memrefs: passed as their descriptors, field by field (allocated and aligned
pointer, offset, sizes, strides); see `parameters`."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from xgpu.api import elements
from xgpu.api.memory import View, contiguous_strides
from xgpu.api.parameter import DYNAMIC, Parameter, check_device, viewed
from xgpu.core.ir.errors import ArgumentTypeError, ArgumentValueError

if TYPE_CHECKING:
    from xgpu.runtime.cuda.object_launch import Expected

_MOST_KEYS = 64


class MemRef(Parameter):
    """A ranked memref. `strides` is None for C order, else elements, DYNAMIC where any will do."""

    kind = "memref"

    def __init__(
        self, name: str, type: str, where: str, element: str, sizes: tuple[int, ...],
        strides: tuple[int, ...] | None, offset: int, written: bool,
    ) -> None:  # fmt: skip
        super().__init__(name, type, where)
        self.element = element
        self._sizes = sizes
        self._strides = strides
        self._offset = offset
        #: Whether the kernel may write to it, as far as its body tells.
        self.written = written
        self._accepted = elements.ACCEPTED[element]
        self._itemsize = elements.itemsize(self._accepted[0])
        # An array begins at its first element: an offset that the type asks for lies before it.
        self.before = self._shift = max(offset, 0) * self._itemsize
        self.rank = len(sizes)
        self.formats = ("Q", "Q", "q") + ("q",) * (2 * self.rank)
        self.sizes = (8,) * len(self.formats)
        self._fitting: dict[object, tuple[int, ...]] = {}
        # What was found last: arrays that are given again and again have the same key, as object.
        self._last: tuple[object, str, tuple[int, ...]] = (None, "", ())

    @property
    def shape(self) -> tuple[int | None, ...]:
        return tuple(None if n == DYNAMIC else n for n in self._sizes)

    @property
    def dtype(self) -> str:
        return self._accepted[0]

    def words(
        self, argument: object, device: str, kept: list[View]
    ) -> tuple[int | float | bytes, ...]:
        view = viewed(self, argument)
        kept.append(view)
        key, where, tail = self._last
        if view.key is not key or where is not device:
            tail = self._fitting.get((view.key, device))
            if tail is None:
                tail = self._checked(view, device)
                if len(self._fitting) >= _MOST_KEYS:
                    self._fitting.clear()
                self._fitting[view.key, device] = tail
            self._last = (view.key, device, tail)
        address = view.address - self._shift
        return (address, address, *tail)

    def expected(self, argument: object, at: int) -> Expected | None:
        from xgpu.api.arrays import Array
        from xgpu.runtime.cuda.object_launch import ARRAY, Expected

        if type(argument) is not Array:
            return None
        return Expected(ARRAY, at, key=argument._view.key, before=self._shift)

    def _checked(self, view: View, device: str) -> tuple[int, ...]:
        """Offset, sizes and strides of a view that fits."""
        if view.dtype not in self._accepted:
            expected = " or ".join(self._accepted)
            raise self.error(
                ArgumentTypeError, f"expected elements of {expected}, but found {view.dtype}"
            )
        fits = len(view.shape) == self.rank and all(
            n in (DYNAMIC, m) for n, m in zip(self._sizes, view.shape, strict=True)
        )
        if not fits:
            sizes = ", ".join("?" if n == DYNAMIC else str(n) for n in self._sizes)
            raise self.error(
                ArgumentValueError, f"expected the shape ({sizes}), but found {_tuple(view.shape)}"
            )
        check_device(self, view, device)
        if self.written and not view.writable:
            raise self.error(
                ArgumentValueError, "the array is read-only, and what gets it may write to it"
            )
        if not view.aligned:
            raise self.error(
                ArgumentValueError, f"0x{view.address:x} is not aligned for {view.dtype}"
            )
        return (max(self._offset, 0), *view.shape, *self._fitted_strides(view))

    def _fitted_strides(self, view: View) -> tuple[int, ...]:
        wanted = contiguous_strides(view.shape) if self._strides is None else self._strides
        fitted: list[int] = []
        for size, given, expected in zip(view.shape, view.strides, wanted, strict=True):
            if size <= 1 or 0 in view.shape:  # nobody takes a step
                fitted.append(given if expected == DYNAMIC else expected)
                continue
            if expected not in (DYNAMIC, given):
                what = (
                    "a contiguous array"
                    if self._strides is None
                    else f"the strides {_strides_text(self._strides)}"
                )
                hint = f"; a parameter of type {self._strided_type()} takes any strides"
                raise self.error(
                    ArgumentValueError,
                    f"expected {what}, but found the strides {_tuple(view.strides)}{hint}",
                )
            fitted.append(given)
        return tuple(fitted)

    def _strided_type(self) -> str:
        """The type that differs from the parameter's in taking all strides."""
        sizes = "".join(f"{'?' if n == DYNAMIC else n}x" for n in self._sizes)
        steps = ", ".join("?" * self.rank)
        space = self.type.removesuffix(">").partition(f"{sizes}{self.element}")[2]
        space = "" if self._strides is not None else space
        return f"memref<{sizes}{self.element}, strided<[{steps}], offset: ?>{space}>"

    def to_json(self) -> dict[str, object]:
        return {
            **super().to_json(), "element": self.element, "sizes": self._sizes,
            "strides": self._strides, "offset": self._offset, "written": self.written,
        }  # fmt: skip


class Unranked(Parameter):
    """A memref of any rank: its rank and the address of a descriptor."""

    kind = "unranked"
    formats = ("q", "Q")
    sizes = (8, 8)

    def __init__(self, name: str, type: str, where: str, element: str, written: bool) -> None:
        super().__init__(name, type, where)
        self._element, self._written = element, written

    @property
    def dtype(self) -> str:
        return elements.ACCEPTED[self._element][0]

    def words(
        self, argument: object, device: str, kept: list[View]
    ) -> tuple[int | float | bytes, ...]:
        import ctypes

        rank = len(viewed(self, argument).shape)
        dynamic = (DYNAMIC,) * rank
        ranked = MemRef(
            self.name, self.type, self.where, self._element, dynamic, dynamic, 0, self._written
        )
        words = ranked.words(argument, device, kept)
        descriptor = struct.pack("<QQ" + "q" * (1 + 2 * rank), *words)
        room = ctypes.create_string_buffer(descriptor, len(descriptor))
        kept[-1] = kept[-1].owned_by((kept[-1].owner, room))
        return (rank, ctypes.addressof(room))

    def to_json(self) -> dict[str, object]:
        return {**super().to_json(), "element": self._element, "written": self._written}


def _tuple(values: tuple[int, ...]) -> str:
    return f"({', '.join(map(str, values))})"


def _strides_text(strides: tuple[int, ...]) -> str:
    return f"({', '.join('?' if s == DYNAMIC else str(s) for s in strides)})"

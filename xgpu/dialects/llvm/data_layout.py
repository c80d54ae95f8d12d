# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How large types are in memory: LLVM's data layout.

The one calculator of sizes, alignments and offsets of what LLVM calls types: the translation folds
constant addresses with it, and launches lay out arguments. Source: LLVM's language reference, "Data
Layout".
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IndexType, IntegerType, VectorType

from xgpu.core.ir.errors import Diagnostic, DiagnosticError
from xgpu.core.ir.float_formats import FORMATS
from xgpu.dialects.llvm.types import LLVMArrayType, LLVMPointerType, LLVMStructType

if TYPE_CHECKING:
    from xdsl.ir import Attribute

#: Floating-point types of LLVM, which have sizes.
_FLOATS = frozenset(("f16", "bf16", "f32", "f64", "f80", "f128"))


def _power_of_two(size: int) -> int:
    """The first power of two that is not less than `size`."""
    return 1 << max(size - 1, 0).bit_length()


def _round_up(size: int, align: int) -> int:
    return -(-size // align) * align


class DataLayout:
    """Sizes and alignments in bytes, from LLVM's data layout text ("" for LLVM's defaults)."""

    __slots__ = ("aggregates", "floats", "ints", "no_integers", "pointers", "vectors")

    def __init__(self, text: str = "") -> None:
        # In bits: width -> (ABI alignment, preferred alignment).
        self.ints = {1: (8, 8), 8: (8, 8), 16: (16, 16), 32: (32, 32), 64: (32, 64)}
        self.floats = {16: (16, 16), 32: (32, 32), 64: (64, 64), 128: (128, 128)}
        self.vectors = {64: (64, 64), 128: (128, 128)}
        self.aggregates = (8, 64)
        #: address space -> (size, ABI alignment, index width)
        self.pointers = {0: (64, 64, 64)}
        #: address spaces whose pointers are no integers
        self.no_integers: set[int] = set()
        for item in text.split("-"):
            self._read(item)

    def _read(self, item: str) -> None:
        head, _, rest = item.partition(":")
        numbers = [int(n) for n in rest.split(":") if n.isdigit()]
        if head == "ni":
            self.no_integers.update(numbers)
        elif not numbers:
            return
        elif head[:1] in ("i", "f", "v") and head[1:].isdigit():
            table = {"i": self.ints, "f": self.floats, "v": self.vectors}[head[0]]
            table[int(head[1:])] = numbers[0], numbers[-1] if len(numbers) > 1 else numbers[0]
        elif head == "a":
            self.aggregates = max(numbers[0], 8), numbers[1] if len(numbers) > 1 else numbers[0]
        elif head[:1] == "p" and (head[1:].isdigit() or len(head) == 1):
            size = numbers[0]
            abi = numbers[1] if len(numbers) > 1 else size
            index = numbers[3] if len(numbers) > 3 else size
            self.pointers[int(head[1:] or 0)] = (size, abi, index)

    # --- pointers ----------------------------------------------------------------------------
    def index_width(self, space: int) -> int:
        """The bits of what is added to an address."""
        return self.pointers.get(space, self.pointers[0])[2]

    def pointer_width(self, space: int) -> int:
        """The bits of an address."""
        return self.pointers.get(space, self.pointers[0])[0]

    # --- alignments --------------------------------------------------------------------------
    def align(self, t: Attribute) -> int:
        """The ABI alignment of `t`."""
        return self._align(t, 0)

    def preferred_align(self, t: Attribute) -> int:
        """The alignment that LLVM gives what it places itself."""
        return self._align(t, 1)

    def _align(self, t: Attribute, which: int) -> int:
        """The ABI alignment (`which` 0) or the preferred one (1)."""
        if isinstance(t, IntegerType | IndexType):
            width = t.width.data if isinstance(t, IntegerType) else 64
            at_least = [w for w in self.ints if w >= width]
            return self.ints[min(at_least) if at_least else max(self.ints)][which] // 8
        if isinstance(t, LLVMPointerType):
            return self.pointers.get(t.data, self.pointers[0])[1] // 8
        if isinstance(t, LLVMArrayType):
            return self._align(t.element_type, which)
        if isinstance(t, LLVMStructType):
            if t.packed and which == 0:
                return 1
            fields = [1 if t.packed else self.align(field) for field in t.body]
            return max([self.aggregates[which] // 8, *fields])
        bits = self.bits(t)
        known = (self.vectors if isinstance(t, VectorType) else self.floats).get(bits)
        return known[which] // 8 if known is not None else _power_of_two((bits + 7) // 8)

    # --- sizes -------------------------------------------------------------------------------
    def bits(self, t: Attribute) -> int:
        """The size of `t` in bits, without the padding behind it."""
        if isinstance(t, IntegerType):
            return t.width.data
        if isinstance(t, IndexType):
            return 64
        if isinstance(t, LLVMPointerType):
            return self.pointer_width(t.data)
        if isinstance(t, LLVMArrayType):
            return 8 * t.size * self.size(t.element_type)
        if isinstance(t, LLVMStructType):
            return 8 * self.offsets(t)[-1]
        if isinstance(t, VectorType):
            return math.prod(t.get_shape()) * self.bits(t.element_type)
        if t.name in _FLOATS:
            return FORMATS[t.name].width
        raise DiagnosticError(Diagnostic("error", f"the size of {t} is not known"))

    def store_size(self, t: Attribute) -> int:
        """The bytes that a store of `t` writes."""
        return (self.bits(t) + 7) // 8

    def size(self, t: Attribute) -> int:
        """The bytes from one element of an array of `t` to the next."""
        return _round_up(self.store_size(t), self.align(t))

    def offsets(self, t: LLVMStructType) -> list[int]:
        """The offset of each field, and last the size of the whole."""
        at, found = 0, list[int]()
        for field in t.body:
            at = _round_up(at, 1 if t.packed else self.align(field))
            found.append(at)
            at += self.size(field)
        return [*found, _round_up(at, self.align(t))]

    def offset(self, element: Attribute, indices: list[int]) -> int | None:
        """The bytes that `indices` into `element` are apart, the first of whole elements; None
        where a step leads into what has no parts in memory."""
        total = indices[0] * self.size(element)
        t = element
        for index in indices[1:]:
            if isinstance(t, LLVMStructType):
                if not 0 <= index < len(t.body):
                    return None
                total += self.offsets(t)[index]
                t = t.body[index]
            elif isinstance(t, LLVMArrayType | VectorType):
                t = t.element_type
                total += index * self.size(t)
            else:
                return None
        return total

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What kernels and functions take: each parameter checks its argument and makes words of it.

A memref is passed as its descriptor, field by field: allocated and aligned pointer, offset, sizes,
strides (https://mlir.llvm.org/docs/TargetLLVMIR, "Default Calling Convention for Ranked MemRef").
A parameter is JSON when it is kept on disk (`to_json`, `from_json`).
"""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING, SupportsFloat, SupportsIndex, cast

from xgpu.api.memory import View, contiguous_strides
from xgpu.api.memref_parameters import MemRef, Unranked
from xgpu.api.parameter import Parameter, check_device, shown, viewed
from xgpu.core.ir.errors import ArgumentTypeError, ArgumentValueError
from xgpu.core.support.masked_arrays import is_masked

if TYPE_CHECKING:
    from xgpu.api.descriptions import DescribedType
    from xgpu.runtime.cuda.object_launch import Expected

#: Scalars: how `struct` packs them into 8 bytes.
_SCALARS = {
    "i1": "B7x", "i8": "b7x", "i16": "h6x", "i32": "i4x", "i64": "q", "index": "q",
    "f16": "e6x", "bf16": "H6x", "f32": "f4x", "f64": "d",
}  # fmt: skip
_POINTER_WORD = 8


class Scalar(Parameter):
    """A number."""

    kind = "scalar"

    def __init__(self, name: str, type: str, where: str) -> None:
        super().__init__(name, type, where)
        self.formats = (_SCALARS[type],)
        self.sizes = (struct.calcsize("<" + _SCALARS[type].rstrip("0123456789x") or "q"),)
        self._is_float = "f" in type
        # Kernels count with indices, and compare them unsigned; host code may give any.
        self._is_count = type == "index" and where.startswith("kernel ")
        self._bits = {"index": 64}.get(type) or int(type.strip("bfi"))

    def words(
        self, argument: object, device: str, kept: list[View]
    ) -> tuple[int | float | bytes, ...]:
        if type(argument) is int and not self._is_float:
            return (self._integer(argument),)
        if type(argument) is float and self._is_float:
            return (self._float(argument),)
        kind = type(argument)
        is_number = not getattr(argument, "ndim", 0) and kind not in (str, bytes, list, tuple)
        if not is_number or is_masked(argument):
            raise self.error(
                ArgumentTypeError, f"expected a number, but {shown(argument)} was given"
            )
        if self._is_float:
            try:
                number = float(cast("SupportsFloat", argument))
            except OverflowError:
                raise self.error(
                    ArgumentValueError, f"the number does not fit in {self.type}"
                ) from None
            except (TypeError, ValueError):
                raise self.error(
                    ArgumentTypeError, f"expected a number, but {shown(argument)} was given"
                ) from None
            return (self._float(number),)
        try:
            return (self._integer(cast("SupportsIndex", argument).__index__()),)
        except (AttributeError, TypeError):
            if self.type == "i1" and _is_truth(argument):
                return (int(bool(argument)),)
            raise self.error(
                ArgumentTypeError, f"expected an integer, but {shown(argument)} was given"
            ) from None

    def expected(self, argument: object, at: int) -> Expected | None:
        from xgpu.runtime.cuda.object_launch import DOUBLE, INTEGER, SINGLE, Expected

        bits = self._bits
        if not self._is_float and type(argument) is int:
            high = min(1 << bits, 1 << 63) - 1
            mask = (1 << bits) - 1 if bits < 64 else -1
            low = 0 if self._is_count else -(1 << bits - 1)
            return Expected(INTEGER, at, low=low, high=high, mask=mask)
        if self.type in ("f32", "f64") and type(argument) is float:
            return Expected(SINGLE if bits == 32 else DOUBLE, at)
        return None

    def _integer(self, number: int) -> int:
        """The number as a signed one of the type's width."""
        bits = self._bits
        if number < 0 and self._is_count:
            raise self.error(
                ArgumentValueError, f"expected an index of at least 0, but {number} was given"
            )
        if not -(1 << bits - 1) <= number < 1 << bits:
            named = number if number.bit_length() <= 128 else "the number"
            raise self.error(ArgumentValueError, f"{named} does not fit in {bits} bits")
        if bits == 1:
            return number & 1
        return number - (1 << bits) if number >> (bits - 1) > 0 else number

    def _float(self, number: float) -> float | int:
        if self.type == "bf16":
            bits = _bfloat_bits(number)
            if bits & 0x7FFF == 0x7F80 and not math.isinf(number):
                raise self.error(ArgumentValueError, f"{number} does not fit in {self.type}")
            return bits
        if self._bits < 64:
            try:
                struct.pack("<" + self.formats[0][0], number)
            except OverflowError:
                raise self.error(
                    ArgumentValueError, f"{number} does not fit in {self.type}"
                ) from None
        return number


def _is_truth(value: object) -> bool:
    return isinstance(value, bool) or type(value).__name__ in ("bool", "bool_")


def _bfloat_bits(number: float) -> int:
    """The bits of the nearest bfloat16."""
    if number != number:
        return 0x7FC0
    try:
        (bits,) = struct.unpack("<I", struct.pack("<f", number))
    except OverflowError:
        return 0xFF80 if number < 0 else 0x7F80
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16


class Pointer(Parameter):
    """An address: of an array, which is passed as it is, or a number."""

    kind = "pointer"
    formats = ("Q",)
    sizes = (8,)

    def words(
        self, argument: object, device: str, kept: list[View]
    ) -> tuple[int | float | bytes, ...]:
        if isinstance(argument, int):
            if not 0 <= argument < 1 << 64:
                raise self.error(ArgumentValueError, f"{argument} is no address")
            return (argument,)
        view = viewed(self, argument)
        check_device(self, view, device)
        if view.strides != contiguous_strides(view.shape) and _is_spread(view):
            raise self.error(ArgumentValueError, "expected a contiguous array")
        kept.append(view)
        return (view.address,)


class Blob(Parameter):
    """A value of which only the size is known: of a kernel that came as binary."""

    kind = "blob"

    def __init__(self, name: str, type: str, where: str, size: int) -> None:
        super().__init__(name, type, where)
        self._size = size
        self.sizes = (size,)
        self.formats = ("Q",) if size == _POINTER_WORD else (f"{size}s{-size % 8}x",)

    def words(
        self, argument: object, device: str, kept: list[View]
    ) -> tuple[int | float | bytes, ...]:
        if isinstance(argument, (bytes, bytearray)):
            if len(argument) != self._size:
                raise self.error(
                    ArgumentValueError, f"expected {self._size} bytes, found {len(argument)}"
                )
            data = bytes(argument)
        elif isinstance(argument, int):
            try:
                data = argument.to_bytes(self._size, "little", signed=argument < 0)
            except OverflowError:
                raise self.error(
                    ArgumentValueError, f"{argument} does not fit in {self._size} bytes"
                ) from None
        elif isinstance(argument, float) and self._size in (4, 8):
            try:
                data = struct.pack("<f" if self._size == 4 else "<d", argument)
            except OverflowError:
                raise self.error(
                    ArgumentValueError, f"{argument} does not fit in 4 bytes"
                ) from None
        elif self._size == _POINTER_WORD:
            view = viewed(self, argument)
            check_device(self, view, device)
            kept.append(view)
            return (view.address,)
        else:
            raise self.error(
                ArgumentTypeError, f"expected {self._size} bytes, but {shown(argument)}"
            )
        return (int.from_bytes(data, "little"),) if self._size == _POINTER_WORD else (data,)

    def to_json(self) -> dict[str, object]:
        return {**super().to_json(), "size": self._size}


class Token(Parameter):
    """An async token: an event that the callee waits for; None for one that is over."""

    kind = "token"
    formats = ("Q",)
    sizes = (8,)

    def words(
        self, argument: object, device: str, kept: list[View]
    ) -> tuple[int | float | bytes, ...]:
        if argument is not None:
            synchronize = getattr(argument, "synchronize", None)
            if synchronize is None:
                raise self.error(
                    ArgumentTypeError, f"expected an event or None, but {shown(argument)} was given"
                )
            synchronize()
        return (0,)


def _is_spread(view: View) -> bool:
    steps = zip(view.shape, view.strides, contiguous_strides(view.shape), strict=True)
    return any(size > 1 and given != dense for size, given, dense in steps)


def from_json(described: DescribedType, where: str) -> Parameter:
    """The parameter that `to_json` described."""
    name, type = described["name"], described["type"]
    if described["kind"] == "memref":
        strides = described["strides"]
        return MemRef(
            name, type, where, described["element"], tuple(described["sizes"]),
            None if strides is None else tuple(strides), described["offset"], described["written"],
        )  # fmt: skip
    if described["kind"] == "unranked":
        return Unranked(name, type, where, described["element"], described["written"])
    if described["kind"] == "blob":
        return Blob(name, type, where, described["size"])
    simple = {"scalar": Scalar, "pointer": Pointer, "token": Token}
    return simple.get(described["kind"], Parameter)(name, type, where)

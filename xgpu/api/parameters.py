# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What kernels and functions take: each parameter checks its argument and makes words of it.

A memref is passed as its descriptor, field by field: allocated and aligned pointer, offset, sizes,
strides (https://mlir.llvm.org/docs/TargetLLVMIR, "Default Calling Convention for Ranked MemRef").
A parameter is JSON when it is cached on disk (`to_json`, `from_json`).
"""

from __future__ import annotations

import ctypes
import math
import struct
from typing import TYPE_CHECKING, SupportsComplex, SupportsFloat, SupportsIndex, cast

from xgpu.api import elements
from xgpu.api.memory import HOST, View, contiguous_strides, span_of
from xgpu.api.views import NotAnArray, shown, view_of
from xgpu.core.ir.errors import ArgumentTypeError, ArgumentValueError
from xgpu.driver.arguments import is_masked

if TYPE_CHECKING:
    from xgpu.api.descriptions import DescribedType
    from xgpu.host_device.device.arrays import ArrayFacts

DYNAMIC = -1
_MOST_KEYS = 64  # of arrays that a memref has taken
#: Scalars: how `struct` packs them into 8 bytes.
_SCALARS = {
    "i1": "B7x", "i8": "b7x", "i16": "h6x", "i32": "i4x", "i64": "q", "index": "q",
    "f16": "e6x", "bf16": "H6x", "f32": "f4x", "f64": "d",
}  # fmt: skip
_POINTER_WORD = 8


class Parameter:
    """A parameter: `name` as the source has it (or `#0`), `type` in MLIR's syntax."""

    #: How `struct` packs the words of the argument: a value each of its own 8 bytes.
    formats: tuple[str, ...] = ()
    #: Bytes of each word's value.
    sizes: tuple[int, ...] = ()
    kind = "other"
    #: Arrays that differ in nothing but where they lie differ in the first two words alone, which
    #: are so many bytes before the first element; None: in others.
    before: int | None = None

    def __init__(self, name: str, type: str, where: str) -> None:
        self.name = name
        self.type = type
        #: "kernel 'add'", for messages.
        self.where = where

    def __repr__(self) -> str:
        return f"{self.name}: {self.type}"

    @property
    def shape(self) -> tuple[int | None, ...] | None:
        """Sizes of a memref, None for those that its type leaves open; None for other types."""
        return None

    @property
    def dtype(self) -> str | None:
        """The natural element type of an argument, None where it has none."""
        return elements.ACCEPTED.get(self.type, (None,))[0]

    def error(self, kind: type[Exception], why: str) -> Exception:
        return kind(f"{self.where}, argument '{self.name}' of type {self.type}: {why}")

    def words(
        self, argument: object, device: str, kept: list[View]
    ) -> tuple[int | float | bytes, ...]:
        """What is passed for `argument`, checked; views of arrays go to `kept`."""
        raise self.error(ArgumentTypeError, "arguments of this type cannot be given")

    def facts(self, view: View) -> ArrayFacts:
        """What messages say of an array that was given."""
        from xgpu.host_device.device.arrays import ArrayFacts

        size = view.item
        low, high = span_of(view.shape, view.strides, size)
        return ArrayFacts(
            f"argument '{self.name}'", self.type, view.address, view.shape, view.strides, size,
            (view.address + low, view.address + high),
        )  # fmt: skip

    def to_json(self) -> dict[str, object]:
        return {"kind": self.kind, "name": self.name, "type": self.type}


def viewed(parameter: Parameter, argument: object) -> View:
    try:
        return view_of(argument)
    except NotAnArray as problem:
        raise parameter.error(ArgumentTypeError, str(problem)) from None


def check_device(parameter: Parameter, view: View, device: str) -> None:
    """`device` is where the memory must be; a function of a program takes the host's as well."""
    if view.device == device or (device.startswith("any ") and view.device in (HOST, device[4:])):
        return
    wanted = device.removeprefix("any ")
    where = "the host's memory" if view.device == HOST else view.device
    raise parameter.error(
        ArgumentValueError,
        f"the array lies in {where}, and what gets it runs on {wanted}; "
        f"xgpu.asarray(array, device='{wanted}') copies it",
    )


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


class Complex(Parameter):
    """A complex number: its two parts, one after the other."""

    kind = "complex"

    def __init__(self, name: str, type: str, where: str) -> None:
        super().__init__(name, type, where)
        letter, size = ("f", 8) if type == "complex<f32>" else ("d", 16)
        self.formats = (2 * letter,)
        self.sizes = (size,)

    def words(
        self, argument: object, device: str, kept: list[View]
    ) -> tuple[int | float | bytes, ...]:
        if isinstance(argument, (str, bytes, list, tuple)) or getattr(argument, "ndim", 0):
            raise self.error(
                ArgumentTypeError, f"expected a number, but {shown(argument)} was given"
            )
        try:
            number = complex(cast("SupportsComplex", argument))
            struct.pack("<" + self.formats[0], number.real, number.imag)
        except OverflowError:
            raise self.error(
                ArgumentValueError, f"the number does not fit in {self.type}"
            ) from None
        except (TypeError, ValueError):
            raise self.error(
                ArgumentTypeError, f"expected a number, but {shown(argument)} was given"
            ) from None
        return (number.real, number.imag)


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
    """A value of which only the size is known: of a kernel that came as binary, or a struct that is
    passed by value. An array or a record of NumPy with so many bytes is one."""

    kind = "blob"

    def __init__(self, name: str, type: str, where: str, size: int) -> None:
        super().__init__(name, type, where)
        self._size = size
        self.sizes = (size,)
        self.formats = ("Q",) if size == _POINTER_WORD else (f"{size}s{-size % 8}x",)

    def words(
        self, argument: object, device: str, kept: list[View]
    ) -> tuple[int | float | bytes, ...]:
        if isinstance(argument, (bytes, bytearray)) or self._is_record(argument):
            data = bytes(cast("bytes", argument))
            if len(data) != self._size:
                raise self.error(
                    ArgumentValueError, f"expected {self._size} bytes, found {len(data)}"
                )
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
                ArgumentTypeError, f"expected {self._size} bytes, but {shown(argument)} was given"
            )
        return (int.from_bytes(data, "little"),) if self._size == _POINTER_WORD else (data,)

    def _is_record(self, argument: object) -> bool:
        """Whether the bytes of an argument are what is passed: 8 bytes may be an address."""
        return self._size != _POINTER_WORD and hasattr(argument, "__array_interface__")

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


# -- memrefs


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
            if size <= 1 or 0 in view.shape:  # no step is taken
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
        rank = len(viewed(self, argument).shape)
        dynamic = (DYNAMIC,) * rank
        ranked = MemRef(
            self.name, self.type, self.where, self._element, dynamic, dynamic, 0, self._written
        )
        words = ranked.words(argument, device, kept)
        descriptor = struct.pack("<QQ" + "q" * (1 + 2 * rank), *words)
        room = ctypes.create_string_buffer(descriptor, len(descriptor))
        kept[-1] = kept[-1].seen_as((kept[-1].owner, room))
        return (rank, ctypes.addressof(room))

    def to_json(self) -> dict[str, object]:
        return {**super().to_json(), "element": self._element, "written": self._written}


def _tuple(values: tuple[int, ...]) -> str:
    return f"({', '.join(map(str, values))})"


def _strides_text(strides: tuple[int, ...]) -> str:
    return f"({', '.join('?' if s == DYNAMIC else str(s) for s in strides)})"


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
    simple = {"scalar": Scalar, "complex": Complex, "pointer": Pointer, "token": Token}
    return simple.get(described["kind"], Parameter)(name, type, where)

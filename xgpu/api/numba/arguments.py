# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments of kernels in Python: numba's types of them, and what xgpu's kernels take for them."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from xgpu.api import elements
from xgpu.api.arrays import Array, asarray
from xgpu.api.device_arrays import DeviceArray, Lent, reinterpreted
from xgpu.api.memory import HOST, contiguous_strides
from xgpu.api.views import NotAnArray, view_of
from xgpu.core.ir.errors import ArgumentTypeError, ArgumentValueError

if TYPE_CHECKING:
    from xgpu.frontend.numba.front_end import FrontEnd


def type_of(front: FrontEnd, argument: Any) -> Any:
    """numba's type of an argument."""
    if isinstance(argument, (np.ndarray, np.generic, int, float, complex, tuple, type(None))):
        return _typed(front, argument)
    if isinstance(argument, Direction):
        return type_of(front, argument.value)
    if isinstance(argument, DeviceArray):
        return _array_type(front, argument.dtype, argument.shape, argument.strides)
    try:
        view = view_of(argument)
    except NotAnArray:
        return _typed(front, argument)
    kind = elements.numpy_dtype(view.dtype)
    strides = tuple(n * kind.itemsize for n in view.strides)
    return _array_type(front, kind, view.shape, strides, readonly=not view.writable)


#: What numba has types for, and kernels no arguments.
_NO_ARGUMENTS = (list, set, frozenset, dict, str, bytes)


def _typed(front: FrontEnd, argument: object) -> Any:
    if isinstance(argument, _NO_ARGUMENTS):
        kind = type(argument).__name__
        raise ArgumentTypeError(
            f"a {kind} cannot be an argument of a kernel, expected an array, a number or a tuple"
        )
    if isinstance(argument, tuple) and any(_is_foreign(part) for part in argument):
        types = [type_of(front, part) for part in argument]
        return front.types.BaseTuple.from_types(types, type(argument))
    try:
        return front.typeof(argument)
    except ValueError as problem:
        raise ArgumentTypeError(str(problem)) from None


def _is_foreign(argument: object) -> bool:
    """Whether an argument is an array that numba does not know."""
    return isinstance(argument, (Array, DeviceArray, tuple)) or hasattr(argument, "__dlpack__")


def _array_type(
    front: FrontEnd, kind: np.dtype[Any], shape: tuple[int, ...], strides: tuple[int, ...],
    *, readonly: bool = False,
) -> Any:  # fmt: skip
    dense = tuple(n * kind.itemsize for n in contiguous_strides(shape))
    fortran = tuple(n * kind.itemsize for n in contiguous_strides(shape[::-1]))[::-1]
    steps = [(s, d, f) for n, s, d, f in zip(shape, strides, dense, fortran, strict=True) if n > 1]
    layout = "A"
    if all(s == d for s, d, _ in steps):
        layout = "C"
    elif all(s == f for s, _, f in steps):
        layout = "F"
    return front.types.Array(front.from_dtype(kind), len(shape), layout, readonly=readonly)


def flattened(front: FrontEnd, kind: Any, name: str) -> list[str]:
    """The names of the parameters that an argument of this type becomes."""
    types = front.types
    if isinstance(kind, types.BaseTuple):
        fields = getattr(kind, "fields", None) or range(len(kind.types))
        return [
            inner
            for field, part in zip(fields, kind.types, strict=True)
            for inner in flattened(front, part, f"{name}.{field}")
        ]
    return [] if isinstance(kind, (types.NoneType, types.Omitted)) else [name]


def passed(front: FrontEnd, types: Sequence[object], arguments: Sequence[object]) -> list[object]:
    """What xgpu's kernel takes for arguments of these types of numba's."""
    found: list[object] = []
    for kind, argument in zip(types, arguments, strict=True):
        _pass(front, kind, argument, found)
    return found


def _pass(front: FrontEnd, kind: Any, argument: Any, into: list[object]) -> None:
    """Appends what xgpu's kernel takes for an argument of numba's type `kind`."""
    types = front.types
    if isinstance(argument, Direction):
        argument = argument.value
    if isinstance(kind, types.BaseTuple):
        for part, value in zip(kind.types, argument, strict=True):
            _pass(front, part, value, into)
    elif isinstance(kind, types.Array):
        into.append(_passed_array(front, kind, argument))
    elif isinstance(kind, types.Record):
        into.append(np.frombuffer(argument.tobytes(), np.uint8))
    elif isinstance(kind, (types.NPDatetime, types.NPTimedelta)):
        into.append(int(argument.astype(np.int64)))
    elif not isinstance(kind, (types.NoneType, types.Omitted)):
        into.append(getattr(argument, "value", argument))


def _passed_array(front: FrontEnd, kind: Any, array: Any) -> object:
    """An array as the memref that numba-cuda-mlir has for it: records are their first bytes,
    booleans, halves and dates are integers."""
    types, element = front.types, kind.dtype
    if isinstance(element, types.Record):
        return _records(array)
    if isinstance(element, types.Boolean):
        return reinterpreted(array, "int8")
    if element == types.float16:
        return reinterpreted(array, "int16")
    if isinstance(element, (types.NPDatetime, types.NPTimedelta)):
        return array.view(np.int64)
    return array.array if isinstance(array, DeviceArray) else array


def _records(array: Any) -> object:
    """Records that lie one after the other, as a memref that has a byte of each."""
    if isinstance(array, DeviceArray):
        bytes_, shape, item = array.array, array.shape, array.dtype.itemsize
    else:
        if not array.flags.c_contiguous:
            raise ArgumentValueError("expected a contiguous array of records")
        bytes_, shape, item = array.reshape(-1).view(np.uint8), array.shape, array.itemsize
    view = view_of(bytes_)
    strides = contiguous_strides(shape)
    return Lent(
        view.seen_as((array, view.owner), shape=shape, strides=strides, dtype="uint8", item=item)
    )


class Direction:
    """`cuda.In`, `cuda.Out`, `cuda.InOut`: which way an array is copied to a GPU."""

    def __init__(self, value: object) -> None:
        self.value = value


@contextmanager
def copied(arguments: list[object], device: str) -> Generator[list[object]]:
    """The arguments on a device: arrays of the host are copied to a GPU, and back at the end."""
    if device == HOST:
        yield arguments
        return
    there: list[object] = []
    back: list[tuple[Array, Array]] = []
    for argument in arguments:
        try:
            view = view_of(argument)
        except NotAnArray:
            there.append(argument)
            continue
        if view.device != HOST:
            there.append(argument)
            continue
        copy = asarray(argument, device, copy=True)
        there.append(copy)
        if view.writable:
            back.append((copy, asarray(argument)))
    yield there
    for copy, target in back:
        target.copy_from(copy)


def words(types: tuple[object, ...]) -> str:
    return f"({', '.join(map(str, types))})"

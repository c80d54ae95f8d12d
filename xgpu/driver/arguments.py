# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments of a call from Python, held against the types of the function that gets them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from xgpu.core.ir.errors import UsageError

if TYPE_CHECKING:
    from xdsl.dialects.builtin import MemRefType, ModuleOp, StridedLayoutAttr
    from xdsl.ir import Attribute

    from xgpu.dialects import func

# Element types -> names of numpy's types. Integers without a sign may be given as either.
_DTYPES: dict[str, tuple[str, ...]] = {
    "i1": ("bool", "int8", "uint8"), "i8": ("int8", "uint8"), "i16": ("int16", "uint16"),
    "i32": ("int32", "uint32"), "i64": ("int64", "uint64"), "index": ("int64", "uint64"),
    "f16": ("float16",), "bf16": ("bfloat16", "uint16"), "f32": ("float32",), "f64": ("float64",),
    "complex<f32>": ("complex64",), "complex<f64>": ("complex128",),
}  # fmt: skip


def parameter_types(module: ModuleOp) -> dict[str, list[Attribute]]:
    """The types of the parameters of each function that `module` defines, before it is lowered."""
    found: dict[str, list[Attribute]] = {}
    for op in module.regions[0].blocks[0].ops:
        if op.name == "func.func":
            function = cast("func.FuncOp", op)
            found[function.sym_name.data] = list(function.function_type.inputs)
    return found


def check_arguments(function: str, types: Sequence[Attribute], arguments: Sequence[Any]) -> None:
    """Raise `UsageError` unless each argument is what the type of its parameter says."""
    if len(types) != len(arguments):
        plural = "argument" if len(types) == 1 else "arguments"
        raise UsageError(
            f"function '{function}' takes {len(types)} {plural}, but {len(arguments)} "
            f"{'was' if len(arguments) == 1 else 'were'} given"
        )
    for i, (type, argument) in enumerate(zip(types, arguments, strict=True)):
        why = _mismatch(type, argument)
        if why:
            raise UsageError(f"function '{function}', argument {i} of type {type}: {why}")


def _mismatch(type: Attribute, argument: Any) -> str | None:
    if type.name == "memref":
        return _array_mismatch(cast("MemRefType", type), argument)
    if hasattr(argument, "dtype") and getattr(argument, "ndim", 0):
        return "expected a number, but an array was given"
    text = str(type)
    if text == "index" or text[0] == "i":
        bits = 64 if text == "index" else int(text[1:])
        try:
            number = argument.__index__()
        except (AttributeError, TypeError):
            return f"expected an integer, but {argument!r} was given"
        if not -(1 << bits - 1) <= number < 1 << bits:
            return f"{number} does not fit in {bits} bits"
        return None
    if text in ("f32", "f64"):
        try:
            float(argument)
        except (TypeError, ValueError):
            return f"expected a number, but {argument!r} was given"
        return None
    return "arguments of this type cannot be given"


def _array_mismatch(type: MemRefType, array: Any) -> str | None:
    if not hasattr(array, "ctypes") or not hasattr(array, "dtype"):
        return f"expected an array, but {array!r} was given"
    if is_masked(array):
        return REFUSED
    names = _DTYPES.get(str(type.element_type))
    if names is None:
        return "numpy has no such elements"
    if array.dtype.name not in names:
        return f"expected elements of {' or '.join(names)}, but found {array.dtype.name}"
    if not array.dtype.isnative:
        return "expected elements in the byte order of this machine"
    shape = tuple(type.get_shape())
    fits = len(shape) == array.ndim and all(
        n < 0 or n == m for n, m in zip(shape, array.shape, strict=True)
    )
    if not fits:
        sizes = ", ".join("?" if n < 0 else str(n) for n in shape)
        return f"expected the shape ({sizes}), but found {array.shape}"
    if any(stride % array.itemsize for stride in array.strides):
        return "strides are no multiples of an element's size"
    return _layout_mismatch(type, array)


def _layout_mismatch(type: MemRefType, array: Any) -> str | None:
    layout = type.layout
    if layout.name == "none":
        return None if array.flags.c_contiguous else "expected a contiguous array"
    if layout.name != "strided":
        return None
    strides = cast("StridedLayoutAttr", layout).strides
    for given, expected in zip(array.strides, strides, strict=True):
        number = getattr(expected, "data", None)
        if isinstance(number, int) and number >= 0 and number * array.itemsize != given:
            found = tuple(s // array.itemsize for s in array.strides)
            return f"expected the strides of {layout}, but found {found}"
    return None


def copied(array: Any) -> Any:
    """An array of its own with the strides of `array`, which its function may rely on."""
    if array.flags.c_contiguous or not array.size:
        return array.copy()
    import numpy

    steps = [(n - 1) * s for n, s in zip(array.shape, array.strides, strict=True)]
    before = -sum(min(0, step) for step in steps)
    extent = before + sum(max(0, step) for step in steps) + array.itemsize
    room = numpy.zeros(extent, numpy.uint8)
    copy = numpy.ndarray(array.shape, array.dtype, room, before, array.strides)
    copy[...] = array
    return copy


#: NumPy's masked arrays describe their data as if all of it counted: a kernel would read what is
#: masked, and write beside the mask. This is their refusal.
REFUSED = "masked arrays have no counterpart: give .data, or what .filled(value) makes"


def is_masked(array: object) -> bool:
    """Whether NumPy masks elements of `array`, or could; `numpy.ma` is not loaded for it."""
    masked = sys.modules.get("numpy.ma")
    return masked is not None and isinstance(array, masked.MaskedArray)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types, by the names that NumPy and ml_dtypes give them, and how others spell them."""

from __future__ import annotations

import struct
from typing import Any

from xgpu.core.ir.errors import ArgumentTypeError, ArgumentValueError
from xgpu.driver.arguments import is_masked

#: Name -> bytes of an element, DLPack's type code and bits (dlpack.h, DLDataTypeCode).
ELEMENTS: dict[str, tuple[int, int, int]] = {
    "bool": (1, 6, 8),
    "int8": (1, 0, 8), "int16": (2, 0, 16), "int32": (4, 0, 32), "int64": (8, 0, 64),
    "uint8": (1, 1, 8), "uint16": (2, 1, 16), "uint32": (4, 1, 32), "uint64": (8, 1, 64),
    "float16": (2, 2, 16), "float32": (4, 2, 32), "float64": (8, 2, 64),
    "bfloat16": (2, 4, 16), "complex64": (8, 5, 64), "complex128": (16, 5, 128),
    "float8_e3m4": (1, 7, 8), "float8_e4m3": (1, 8, 8), "float8_e4m3b11fnuz": (1, 9, 8),
    "float8_e4m3fn": (1, 10, 8), "float8_e4m3fnuz": (1, 11, 8), "float8_e5m2": (1, 12, 8),
    "float8_e5m2fnuz": (1, 13, 8), "float8_e8m0fnu": (1, 14, 8),
}  # fmt: skip

#: MLIR's element types -> names of elements that may be given for them, the natural one first.
#: Integers of MLIR have no sign.
ACCEPTED: dict[str, tuple[str, ...]] = {
    "i1": ("bool", "int8", "uint8"), "i8": ("int8", "uint8"), "i16": ("int16", "uint16"),
    "i32": ("int32", "uint32"), "i64": ("int64", "uint64"), "index": ("int64", "uint64"),
    "si8": ("int8",), "si16": ("int16",), "si32": ("int32",), "si64": ("int64",),
    "ui8": ("uint8",), "ui16": ("uint16",), "ui32": ("uint32",), "ui64": ("uint64",),
    "f16": ("float16",), "bf16": ("bfloat16",), "f32": ("float32",), "f64": ("float64",),
    "tf32": ("float32",),
    "complex<f32>": ("complex64",), "complex<f64>": ("complex128",),
    "f8E3M4": ("float8_e3m4",), "f8E4M3": ("float8_e4m3",), "f8E4M3FN": ("float8_e4m3fn",),
    "f8E4M3FNUZ": ("float8_e4m3fnuz",), "f8E4M3B11FNUZ": ("float8_e4m3b11fnuz",),
    "f8E5M2": ("float8_e5m2",), "f8E5M2FNUZ": ("float8_e5m2fnuz",),
    "f8E8M0FNU": ("float8_e8m0fnu",),
}  # fmt: skip

_BY_DLPACK = {(code, bits): name for name, (_, code, bits) in ELEMENTS.items()}
_LETTERS = {"b": "bool", "i": "int", "u": "uint", "f": "float", "c": "complex"}
# Formats of the buffer protocol (the struct module's), with native sizes.
_FORMATS = {
    "?": "bool", "b": "int8", "B": "uint8", "c": "uint8", "h": "int16", "H": "uint16",
    "i": "int32", "I": "uint32", "q": "int64", "Q": "uint64", "e": "float16", "f": "float32",
    "d": "float64", "Zf": "complex64", "Zd": "complex128",
}  # fmt: skip


def itemsize(name: str) -> int:
    """Bytes of an element."""
    return ELEMENTS[name][0]


#: Name -> bytes of what an element is aligned to; numbers that are pairs are as one of them.
ALIGNMENTS = {n: size // 2 if "complex" in n else size for n, (size, _, _) in ELEMENTS.items()}


def from_dlpack(code: int, bits: int, lanes: int) -> str | None:
    """The name of DLPack's type, None for one that MLIR has no memref of."""
    return _BY_DLPACK.get((code, bits)) if lanes == 1 else None


def from_typestr(text: str) -> str | None:
    """The name of a type of the array interface (`<f4`), None for others.

    Elements in the other byte order have no name.
    """
    if text[:1] not in "<|=" or text[1:2] not in _LETTERS:
        return None
    if text[1] == "b":
        return "bool" if text[2:] == "1" else None
    if not text[2:].isdecimal():
        return None
    name = f"{_LETTERS[text[1]]}{8 * int(text[2:])}"
    return name if name in ELEMENTS else None


def from_format(format: str | None) -> str | None:
    """The name of a format of the buffer protocol; None is bytes."""
    if format is None:
        return "uint8"
    plain = format.lstrip("@=<")
    if plain in ("l", "L", "n", "N"):
        size = struct.calcsize(plain)
        return f"{'int' if plain in 'ln' else 'uint'}{8 * size}"
    return _FORMATS.get(plain)


def name_of(dtype: object) -> str:
    """The name of what a caller calls a dtype: a name (`float32`, `f4`, `<f4`, `f32`), a NumPy
    dtype, a scalar class, a dtype of PyTorch or JAX. Raises `TypeError` for what has no name,
    `ValueError` for elements unknown here and for names that NumPy and MLIR give to different ones.
    """
    name = dtype if isinstance(dtype, str) else _name_in(dtype)
    if name in ("i1", "i8"):
        ours, numpys = ACCEPTED[name][0], from_typestr(f"={name}")
        raise ArgumentValueError(
            f"dtype is '{name}', which is {numpys} to NumPy and {ours} to MLIR: name one of them"
        )
    name = ACCEPTED.get(name, (name,))[0]
    if name in ELEMENTS:
        return name
    found = from_typestr(name) or from_typestr(f"={name}")
    if found is None:
        raise ArgumentValueError(f"dtype is {dtype!r}, expected one of {', '.join(ELEMENTS)}")
    return found


def _name_in(dtype: object) -> str:
    if dtype is float:
        return "float64"
    if dtype is int:
        return "int64"
    if dtype is bool:
        return "bool"
    inner = getattr(dtype, "dtype", None)  # jax.numpy.float32
    name = getattr(inner, "name", None) or getattr(dtype, "name", None)
    if isinstance(name, str):
        return name
    if isinstance(dtype, type):
        return dtype.__name__
    text = str(dtype)  # torch.float32
    if text.startswith("torch."):
        return text.removeprefix("torch.")
    raise ArgumentTypeError(f"dtype is {dtype!r}, expected a name like 'float32' or a NumPy dtype")


def numpy_dtype(name: str) -> Any:
    """NumPy's dtype of that name; bfloat16 and floats of 8 bits are ml_dtypes'.

    Raises `TypeError` where ml_dtypes is needed and not installed.
    """
    import numpy

    if name != "bfloat16" and not name.startswith("float8"):
        return numpy.dtype(name)
    try:
        import ml_dtypes  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise ArgumentTypeError(
            f"NumPy has no {name}: install ml_dtypes, or hand the array on by DLPack"
        ) from None
    return numpy.dtype(getattr(ml_dtypes, name))


def encoded(value: object, name: str) -> bytes:
    """A number as an element. Raises TypeError for what is none, ValueError for one that does not
    fit."""
    import numpy

    given = numpy.asarray(value)
    if is_masked(value):
        raise ArgumentTypeError("value is masked, expected a number")
    if given.ndim or given.dtype.kind not in "biufcV":  # V: those of ml_dtypes
        raise ArgumentTypeError(f"value is {value!r}, expected a number")
    if given.dtype.kind == "c" and not name.startswith("complex"):
        raise ArgumentTypeError(f"value is {value!r}, expected a real number for {name}")
    with numpy.errstate(all="ignore"):
        made = given.astype(numpy_dtype(name))
    if name.startswith(("int", "uint", "bool")):
        fits = int(made) == given
    else:
        fits = bool(numpy.isfinite(made)) or not numpy.isfinite(given)
    if not fits:
        raise ArgumentValueError(f"value is {value!r}, which {name} cannot hold")
    return made.tobytes()

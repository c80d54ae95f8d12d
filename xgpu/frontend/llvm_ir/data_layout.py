# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM's data layout as a `#dlti.dl_spec`.

What the text leaves out has LLVM's defaults, as MLIR's importer writes them. Where it says
something twice, the first counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import (
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    Float16Type,
    Float32Type,
    Float64Type,
    Float80Type,
    Float128Type,
    IntegerAttr,
    IntegerType,
    Signedness,
    StringAttr,
    VectorType,
    i32,
    i64,
)

from xgpu.core import ods
from xgpu.dialects.llvm.types import LLVMPointerType

if TYPE_CHECKING:
    from xdsl.ir import Attribute

_DEFAULTS = (
    "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:32:64-f16:16:16-f64:64:64-f128:128:128"
)
_FLOATS: dict[int, type[Attribute]] = {
    16: Float16Type,
    32: Float32Type,
    64: Float64Type,
    80: Float80Type,
    128: Float128Type,
}
_SPACES = {
    "P": "dlti.program_memory_space",
    "G": "dlti.global_memory_space",
    "A": "dlti.alloca_memory_space",
}
_TOKEN = re.compile(r"([A-Za-z]+)(.*)")


class Unreadable(Exception):
    """A part of a data layout that says nothing we know; `args[0]` is the part."""


def data_layout(text: str, unknown: Callable[[str], None]) -> Attribute:
    """The specification that `text` means; `unknown` hears of parts that are left out.

    Errors: `Unreadable` with the part that is wrong.
    """
    types: dict[Attribute, Attribute] = {}
    keys: dict[str, Attribute] = {}
    parts = [*(text.split("-") if text else ()), *_DEFAULTS.split("-")]
    for part in parts:
        match = _TOKEN.fullmatch(part)
        if match is None:
            raise Unreadable(part)
        try:
            if not _add(match[1], match[2], types, keys):
                unknown(part)
        except ValueError:
            raise Unreadable(part) from None
    cls = ods.attr_class("dlti.dl_spec")
    entries = [*types.items(), *((StringAttr(key), value) for key, value in keys.items())]
    return cls(tuple(entries))


def _add(
    prefix: str, rest: str, types: dict[Attribute, Attribute], keys: dict[str, Attribute]
) -> bool:
    """Adds what one part says; False if it is not known. ValueError for a malformed one."""
    if prefix in ("e", "E"):
        if rest:
            raise ValueError
        keys.setdefault("dlti.endianness", StringAttr("little" if prefix == "e" else "big"))
    elif prefix in _SPACES:
        if space := int(rest):
            unsigned = IntegerType(64, Signedness.UNSIGNED)
            keys.setdefault(_SPACES[prefix], IntegerAttr(space, unsigned))
    elif prefix == "m":
        if not rest.removeprefix(":"):
            raise ValueError
        keys.setdefault("dlti.mangling_mode", StringAttr(rest.removeprefix(":")))
    elif prefix == "S":
        if not int(rest):
            raise ValueError
        keys.setdefault("dlti.stack_alignment", IntegerAttr(int(rest), i64))
    elif prefix == "n":
        widths = DenseArrayBase.from_list(i32, _numbers(rest))
        keys.setdefault("dlti.legal_int_widths", widths)
    elif prefix in ("Fi", "Fn"):
        cls = ods.attr_class("dlti.function_pointer_alignment")
        keys.setdefault("dlti.function_pointer_alignment", cls(int(rest), prefix == "Fn"))
    elif prefix in ("i", "f"):
        width, numbers = _sized(rest)
        t = IntegerType(width) if prefix == "i" else _float(width)
        types.setdefault(t, _alignment(numbers))
    elif prefix == "p":
        space, numbers = _sized(rest) if not rest.startswith(":") else (0, _numbers(rest))
        types.setdefault(LLVMPointerType(space), _pointer(numbers))
    else:
        return False
    return True


def _numbers(text: str) -> list[int]:
    return [int(part) for part in text.removeprefix(":").split(":")]


def _sized(text: str) -> tuple[int, list[int]]:
    """`32:32:64`: the number before the first colon, and those behind it."""
    first, _, rest = text.partition(":")
    return int(first), _numbers(rest)


def _float(width: int) -> Attribute:
    cls = _FLOATS.get(width)
    if cls is None:
        raise ValueError
    return cls()


def _dense(numbers: list[int]) -> Attribute:
    return DenseIntOrFPElementsAttr.from_list(VectorType(i64, (len(numbers),)), numbers)


def _alignment(numbers: list[int]) -> Attribute:
    """Minimal and preferred alignment; the second is the first if it is not said."""
    if len(numbers) > 2:
        raise ValueError
    return _dense([numbers[0], numbers[-1]])


def _pointer(numbers: list[int]) -> Attribute:
    """Size, minimal and preferred alignment, size of an index."""
    if not 2 <= len(numbers) <= 4:
        raise ValueError
    size, minimal = numbers[:2]
    preferred = numbers[2] if len(numbers) > 2 else minimal
    return _dense([size, minimal, preferred, numbers[3] if len(numbers) > 3 else size])

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Directed rounding: which of libdevice's functions does it, and conversions to narrower floats in
operations that vectors have too."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


#: libdevice's modes by PTX's.
DIRECTIONS = {"rz": "rz", "rm": "rd", "rp": "ru"}


def directed_name(words: Sequence[str]) -> str | None:
    """libdevice's function, without `__nv_`, for an instruction with directed rounding whose words
    are such as add, rz, f; None for another one."""
    mode = next((DIRECTIONS[word] for word in words if word in DIRECTIONS), None)
    if mode is None or words[-1] not in ("f", "d"):
        return None
    name = words[0]
    if name == "fma":
        return f"fmaf_{mode}" if words[-1] == "f" else f"fma_{mode}"
    return f"{words[-1]}{name}_{mode}"


#: libdevice's words for types of conversions.
_SOURCES = {"i2f": "int2float", "ui2f": "uint2float", "ll2f": "ll2float", "ull2f": "ull2float",
            "ll2d": "ll2double", "ull2d": "ull2double"}  # fmt: skip


def directed_conversion(words: Sequence[str]) -> str | None:
    """Likewise for an integer that becomes a float: i2f, rz."""
    mode = DIRECTIONS.get(words[1]) if len(words) == 2 else None
    return None if mode is None or words[0] not in _SOURCES else f"{_SOURCES[words[0]]}_{mode}"


def mode_of(words: list[str]) -> str:
    """The rounding mode among the words of an instruction; to the nearest where there is none."""
    return next((word for word in words if word in ("rn", "rz", "rm", "rp")), "rn")

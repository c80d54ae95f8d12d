# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lists of integers as attributes, `array<i64: 1, 2>`, and their values.

The same few lists of sizes, indices and positions stand in a module over and over: each is made
once, and unpacked from its bytes once.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from xdsl.dialects.builtin import DenseArrayBase, IntegerType


@lru_cache(maxsize=4096)
def dense_array(bits: int, values: tuple[int, ...]) -> DenseArrayBase[IntegerType]:
    """The attribute with these values of a signless type of so many bits."""
    return DenseArrayBase.from_list(_type(bits), values)


def integers_of(attr: Any) -> tuple[int, ...]:
    """The values of an attribute of integers."""
    return _unpacked(attr.elt_type.width.data, attr.data.data)


@lru_cache(maxsize=4096)
def _unpacked(bits: int, data: bytes) -> tuple[int, ...]:
    element = _type(bits)  # not the key: hashing a type takes longer than unpacking
    return element.unpack(data, len(data) // element.compile_time_size)


@lru_cache(maxsize=64)
def _type(bits: int) -> IntegerType:
    return IntegerType(bits)

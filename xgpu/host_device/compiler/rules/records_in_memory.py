# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Registers in memory, where the device's runtime reads what a thread brings and leaves what it
gets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.dialects.llvm.types import LLVMStructType
from xgpu.host_device.compiler.types import size_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.dialects.builtin import IntegerType
    from xdsl.ir import Attribute, SSAValue

    from xgpu.host_device.compiler.code import Code

    #: A number that is known here, or when the kernel runs.
    Number = int | SSAValue


def register_types(ty: Attribute) -> list[Attribute]:
    """Register types of a result: of one register, or of a struct of them."""
    return list(ty.body) if isinstance(ty, LLVMStructType) else [ty]


def bytes_of(types: Sequence[Attribute]) -> int:
    return sum(size_of(t) or 0 for t in types)


def store_numbers(
    b: Code, place: SSAValue, numbers: Sequence[Number], ty: IntegerType, at: int = 0
) -> None:
    """Stores integers, known or not, one behind the other."""
    size = size_of(ty) or 0
    for i, number in enumerate(numbers):
        value = b.integer(number, ty) if isinstance(number, int) else number
        b.store(value, b.address(place, at + size * i))


def store_registers(b: Code, place: SSAValue, at: int, registers: Sequence[SSAValue]) -> int:
    """Stores values one behind the other, from byte `at` of `place` on; where they end."""
    for value in registers:
        b.store(value, b.address(place, at))
        at += size_of(value.type) or 0
    return at


def load_registers(b: Code, place: SSAValue, at: int, ty: Attribute) -> SSAValue:
    """Loads a value, or a struct of values, from byte `at` of `place` on."""
    found: list[SSAValue] = []
    for kind in register_types(ty):
        found.append(b.load(b.address(place, at), kind))
        at += size_of(kind) or 0
    return b.pack(ty, found) if isinstance(ty, LLVMStructType) else found[0]

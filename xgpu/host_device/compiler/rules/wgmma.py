# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""wgmma: `native/sources/wgmma.py` computes as soon as a warp has come."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from xgpu.host_device.compiler.rules.lowering import Call, Values, intrinsic
from xgpu.host_device.compiler.rules.records_in_memory import (
    bytes_of,
    load_registers,
    register_types,
    store_numbers,
    store_registers,
)
from xgpu.host_device.compiler.rules.tensor_forms import TYPES, type_bits, type_number
from xgpu.host_device.compiler.types import I1, I32, I64

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.ir import SSAValue

    from xgpu.host_device.compiler.code import Code
    from xgpu.host_device.compiler.rules.records_in_memory import Number

_NAME = re.compile(
    r"ptx\.wgmma\.mma_async(?:\.sp)?\.sync\.aligned\.m64n(\d+)k(\d+)"
    r"(\.satfinite)?\.(f16|f32|s32)\.(\w+)\.(\w+)(\.satfinite|\.and\.popc)?"
)
_HEADER = 64
#: Bytes along K of every form.
_DEPTH_BITS = 256
_FLOATS = (("f16", "f16"), ("bf16", "bf16"), ("tf32", "tf32"))


@intrinsic(r"wgmma\.(fence|commit_group)\..*")
def group_starts(call: Call, b: Code) -> Values:
    """Products are done at once."""
    return []


@intrinsic(r"wgmma\.wait_group\..*")
def wait_group(call: Call, b: Code) -> Values:
    b.wait("warpgroup_sync")
    return []


@intrinsic(r"ptx\.wgmma\.mma_async\..*")
def multiply(call: Call, b: Code) -> Values:
    """(D..., A (a descriptor or four registers), B, of sparse A metadata and their selector,
    whether D counts, signs of A and B (floats), then, of 16 bits, whether A (in memory) and B are
    transposed)"""
    match = _NAME.fullmatch(call.name)
    if match is None or match[5] not in TYPES or match[6] not in TYPES:
        b.refuse(f"'{call.name}' is not supported on the host device")
    n, k, d, first, second = int(match[1]), int(match[2]), match[4], match[5], match[6]
    size = n // 8 * 4 * type_bits(d) // 8
    is_sparse = ".sp." in call.name
    if k * type_bits(first) != _DEPTH_BITS << is_sparse or n % 8 or not 8 <= n <= 256:
        b.refuse(f"'{call.name}' is not supported on the host device: its shape")
    if not _belong(d, first, second) or bytes_of(register_types(call.type)) != size:
        b.refuse(f"'{call.name}' is not supported on the host device: its types")
    count = len(register_types(call.type))
    given, rest = call.arguments[:count], call.arguments[count:]
    in_registers = rest[0].type != I64
    registers = rest[:4] if in_registers else []
    rest = rest[4:] if in_registers else rest[1:]
    descriptor_a: Number = 0 if in_registers else call.arguments[count]
    numbers = [_number(b, value) for value in rest[1:]]
    metadata = numbers[:1] if is_sparse else []
    flags: Number = int("satfinite" in call.name)
    if is_sparse:
        selector = b.binary("shl", b.binary("and", numbers[1], 3), 2)
        flags = b.binary("or", selector, flags | 2)
        numbers = numbers[2:]
    keeps, *scales = numbers
    is_integer = d == "s32"
    signs: Sequence[Number] = (1, 1) if is_integer else scales[:2]
    transposed = [] if is_integer else scales[2:]
    if in_registers:
        transposed = [0, *transposed]
    layouts: list[Number] = [*transposed, 0, 0][:2]
    place = b.memory(_HEADER + size + 4 * len(registers) + 4 * len(metadata))
    words: list[Number] = [
        n, k, type_number(first), type_number(second), type_number(d), keeps, *signs, *layouts,
        int(in_registers), flags,
    ]  # fmt: skip
    store_numbers(b, place, words, I32)
    store_numbers(b, place, (descriptor_a, rest[0]), I64, 48)
    end = store_registers(b, place, _HEADER, given)
    end = store_registers(b, place, end, registers)
    store_numbers(b, place, metadata, I32, end)
    b.wait("tensor_wgmma", place)
    return [load_registers(b, place, _HEADER, call.type)]


def _belong(d: str, first: str, second: str) -> bool:
    """Whether there is such a product (PTX ISA, wgmma.mma_async)."""
    if d == "s32":
        return {first, second} <= {"s8", "u8"} or (first, second) == ("b1", "b1")
    if {first, second} <= {"e4m3", "e5m2"}:
        return True
    return (first, second) in _FLOATS and (d == "f32" or first == "f16")


def _number(b: Code, value: SSAValue) -> SSAValue:
    return b.cast("zext", value, I32) if value.type == I1 else value

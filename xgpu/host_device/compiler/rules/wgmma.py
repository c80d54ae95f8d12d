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

    from xdsl.ir import Attribute, SSAValue

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


class Product:
    """A product by the name and the arguments of its intrinsic: D, A (a descriptor or four
    registers), the descriptor of B, and `numbers`: of sparse A metadata and their selector, then
    whether D counts, and of floats the signs of A and B and, of 16 bits, whether A (in memory) and
    B are transposed."""

    def __init__(
        self, name: str, match: re.Match[str], arguments: Sequence[SSAValue], result: Attribute
    ) -> None:
        self.n, self.k = int(match[1]), int(match[2])
        #: Types of D and of elements of A and B, by PTX's names.
        self.d, self.first, self.second = match[4], match[5], match[6]
        self.is_sparse = ".sp." in name
        self.is_float = self.d != "s32"
        count = len(register_types(result))
        self.given = arguments[:count]
        in_registers = arguments[count].type != I64
        rest = count + (4 if in_registers else 1)
        self.registers: Sequence[SSAValue] = arguments[count:rest] if in_registers else ()
        self.descriptor = None if in_registers else arguments[count]
        self.second_descriptor = arguments[rest]
        self.numbers = arguments[rest + 1 :]
        #: Where in `numbers` the signs begin.
        self.first_scale = 3 if self.is_sparse else 1

    @classmethod
    def of(cls, name: str, arguments: Sequence[SSAValue], result: Attribute) -> Product | None:
        """None for the name of another intrinsic or of a product that PTX does not have."""
        match = _NAME.fullmatch(name)
        return None if match is None else cls(name, match, arguments, result)

    @property
    def transposed(self) -> Sequence[SSAValue]:
        """Whether operands in memory are transposed, those that can be."""
        return self.numbers[self.first_scale + 2 :] if self.is_float else ()


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
    found = Product.of(call.name, call.arguments, call.type)
    if found is None or found.first not in TYPES or found.second not in TYPES:
        b.refuse(f"'{call.name}' is not supported on the host device")
    n, k, d, first, second = found.n, found.k, found.d, found.first, found.second
    size = n // 8 * 4 * type_bits(d) // 8
    if k * type_bits(first) != _DEPTH_BITS << found.is_sparse or n % 8 or not 8 <= n <= 256:
        b.refuse(f"'{call.name}' is not supported on the host device: its shape")
    if not _belong(d, first, second) or bytes_of(register_types(call.type)) != size:
        b.refuse(f"'{call.name}' is not supported on the host device: its types")
    numbers = [_number(b, value) for value in found.numbers]
    flags: Number = int("satfinite" in call.name)
    if found.is_sparse:
        selector = b.binary("shl", b.binary("and", numbers[1], 3), 2)
        flags = b.binary("or", selector, flags | 2)
    at = found.first_scale
    metadata = numbers[:1] if found.is_sparse else []
    signs: Sequence[Number] = numbers[at : at + 2] if found.is_float else (1, 1)
    transposed: list[Number] = [*numbers[at + 2 :]] if found.is_float else []
    if found.registers:
        transposed = [0, *transposed]
    layouts: list[Number] = [*transposed, 0, 0][:2]
    place = b.memory(_HEADER + size + 4 * len(found.registers) + 4 * len(metadata))
    words: list[Number] = [
        n, k, type_number(first), type_number(second), type_number(d), numbers[at - 1], *signs,
        *layouts, int(bool(found.registers)), flags,
    ]  # fmt: skip
    descriptor: Number = 0 if found.descriptor is None else found.descriptor
    store_numbers(b, place, words, I32)
    store_numbers(b, place, (descriptor, found.second_descriptor), I64, 48)
    end = store_registers(b, place, _HEADER, found.given)
    end = store_registers(b, place, end, found.registers)
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

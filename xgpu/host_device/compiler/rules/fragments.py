# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrices between memory and the registers of a warp: ldmatrix, stmatrix, movmatrix."""

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
from xgpu.host_device.compiler.types import I32

if TYPE_CHECKING:
    from xgpu.host_device.compiler.code import Code

_COUNT = re.compile(r"x([124])")
#: As `native/sources/warp_matrices.py`.
_LOADED = {"m8n8": 0, "m16n16": 1, "m8n16": 2}
_STORED = {"m8n8": 0, "m16n8": 1}
_FORMATS = {"b6x16_p32": 1, "b4x16_p64": 2}
_HEADER = 24


def _record(call: Call, b: Code, shapes: dict[str, int]) -> list[int]:
    """How many matrices, whether transposed, their shape, how elements are packed."""
    words = call.words
    shape = next((w for w in words if w in shapes), None)
    count = next((int(m[1]) for w in words if (m := _COUNT.fullmatch(w))), None)
    if shape is None or count is None:
        b.refuse(f"'{call.name}' is not supported on the host device")
    packed = next((_FORMATS[w] for w in words if w in _FORMATS), 0)
    return [count, int("trans" in words), shapes[shape], packed]


@intrinsic(r"ldmatrix\.sync\.aligned\..*")
def load(call: Call, b: Code) -> Values:
    """(the address of a row that this lane says): registers."""
    place = b.memory(_HEADER + bytes_of(register_types(call.type)))
    b.store(b.generic(call.arguments[0]), place)
    store_numbers(b, place, _record(call, b, _LOADED), I32, 8)
    b.wait("tensor_ldmatrix", place)
    return [load_registers(b, place, _HEADER, call.type)]


@intrinsic(r"stmatrix\.sync\.aligned\..*")
def store(call: Call, b: Code) -> Values:
    """(the address of a row that this lane says, registers...)"""
    registers = call.arguments[1:]
    place = b.memory(_HEADER + bytes_of([r.type for r in registers]))
    b.store(b.generic(call.arguments[0]), place)
    store_numbers(b, place, _record(call, b, _STORED), I32, 8)
    store_registers(b, place, _HEADER, registers)
    b.wait("tensor_stmatrix", place)
    return []


@intrinsic(r"ptx\.movmatrix\.sync\.aligned\.m8n8\.trans\.b16")
def transpose(call: Call, b: Code) -> Values:
    place = b.memory(8)
    store_registers(b, place, 0, call.arguments)
    b.wait("tensor_movmatrix", place)
    return [load_registers(b, place, 4, call.type)]

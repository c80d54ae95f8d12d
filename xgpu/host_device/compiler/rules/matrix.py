# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix operations of a warp whose threads run by themselves: mma.sync, mma.sp, wmma.

Registers travel in memory: a lane stores its operands there, the runtime works on the memory of all
lanes (`host_device/native/sources/mma.py`), and the lane loads its result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.host_device.compiler.rules.lowering import Call, Values, intrinsic
from xgpu.host_device.compiler.rules.records_in_memory import (
    bytes_of,
    load_registers,
    register_types,
    store_numbers,
    store_registers,
)
from xgpu.host_device.compiler.rules.tensor_forms import (
    TYPES,
    Product,
    shape_of,
    type_bits,
    type_number,
)
from xgpu.host_device.compiler.types import I32, bits

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

    from xgpu.host_device.compiler.code import Code
    from xgpu.host_device.compiler.rules.records_in_memory import Number

_HEADER = 64
#: Flags of a record.
_SATURATE, _DIFFERENCES, _SPARSE, _COLUMNS_A, _ROWS_B = 1, 2, 4, 8, 16


def _matrix_sizes(which: str, shape: tuple[int, int, int]) -> tuple[int, int]:
    m, n, k = shape
    return {"a": (m, k), "b": (k, n), "c": (m, n), "d": (m, n)}[which]


def _stride(call: Call, b: Code, shape: tuple[int, int]) -> SSAValue:
    if "stride" in call.words:
        return call.arguments[-1]
    return b.integer(shape[0] if "col" in call.words else shape[1])


def _element_bits(call: Call) -> int:
    return type_bits(next(w for w in reversed(call.words) if w in TYPES))


@intrinsic(r"wmma\.m\d+n\d+k\d+\.load\..*")
def load(call: Call, b: Code) -> Values:
    """wmma.<shape>.load.{a,b,c}.{row,col}[.stride].<type>(ptr[, stride])."""
    which = call.words[call.words.index("load") + 1]
    rows, columns = _matrix_sizes(which, shape_of(call.name))
    bits = _element_bits(call)
    total = bytes_of(register_types(call.type))
    place = b.memory(total)
    numbers = (rows, columns, int("col" in call.words), bits, total * 8 // bits)
    b.native(
        "tensor_wmma_load", None, place, call.arguments[0], _stride(call, b, (rows, columns)),
        *map(b.integer, numbers),
    )  # fmt: skip
    return [load_registers(b, place, 0, call.type)]


@intrinsic(r"wmma\.m\d+n\d+k\d+\.store\..*")
def store(call: Call, b: Code) -> Values:
    """wmma.<shape>.store.d.{row,col}[.stride].<type>(ptr, registers...[, stride])."""
    rows, columns = _matrix_sizes("d", shape_of(call.name))
    registers = call.arguments[1 : -1 if "stride" in call.words else None]
    place = b.memory(bytes_of([r.type for r in registers]))
    store_registers(b, place, 0, registers)
    numbers = (rows, columns, int("col" in call.words), _element_bits(call))
    b.native(
        "tensor_wmma_store", None, call.arguments[0], place, _stride(call, b, (rows, columns)),
        *map(b.integer, numbers),
    )  # fmt: skip
    return []


@intrinsic(
    r"wmma\.m\d+n\d+k\d+\.((xor|and)\.popc\.)?mma\..*", r"wmma\.m\d+n\d+k\d+\.mma\..*",
    r"(ptx\.)?mma\..*",
)  # fmt: skip
def multiply(call: Call, b: Code) -> Values:
    """Registers of A, B and C, of sparse A metadata and its selector, of scaled blocks scales and
    where in them; to registers of D."""
    form = _form(call, b)
    sizes = form.bytes
    extra = 4 * int(form.is_sparse) + 8 * int(form.scales > 0)
    place = b.memory(_HEADER + sum(sizes) + extra)
    end, used = _HEADER, 0
    while used < len(call.arguments) and end < _HEADER + sum(sizes[:3]):
        end = store_registers(b, place, end, call.arguments[used : used + 1])
        used += 1
    rest = [_number(b, value) for value in call.arguments[used:]]
    count = 2 * int(form.is_sparse) + 6 * int(form.scales > 0)
    if end != _HEADER + sum(sizes[:3]) or len(rest) != count:
        b.refuse(f"'{call.name}' is not supported on the host device: its registers do not fit")
    selector: Number = 0
    if form.is_sparse:
        metadata, selector = rest[:2]
        store_numbers(b, place, (metadata,), I32, end)
        end += 4
        rest = rest[2:]
    identifiers: Number = 0
    if rest:
        store_numbers(b, place, (rest[0], rest[3]), I32, end)
        end += 8
        identifiers = _joined(b, (rest[1], rest[2], rest[4], rest[5]))
    header = [
        *form.shape, *map(type_number, form.types), form.layout, *sizes[:3], _flags(form),
        selector, form.scales, type_number(form.scale_type), identifiers,
    ]  # fmt: skip
    store_numbers(b, place, header, I32)
    b.wait("tensor_mma", place)
    return [load_registers(b, place, end, call.type)]


def _form(call: Call, b: Code) -> Product:
    try:
        form = Product(call.name)
        if bytes_of(register_types(call.type)) == form.bytes[3]:
            return form
    except (ValueError, IndexError):
        pass
    b.refuse(f"'{call.name}' is not supported on the host device")


def _flags(form: Product) -> int:
    flags = _SATURATE * form.saturates + _DIFFERENCES * form.differs + _SPARSE * form.is_sparse
    if form.layouts:
        flags += _COLUMNS_A * (form.layouts[0] == "col") + _ROWS_B * (form.layouts[1] == "row")
    return flags


def _number(b: Code, value: SSAValue) -> SSAValue:
    return b.cast("zext" if (bits(value.type) or 0) < 32 else "bitcast", value, I32)


def _joined(b: Code, numbers: tuple[SSAValue, ...]) -> SSAValue:
    """Four small numbers in one, four bits each."""
    total = numbers[0]
    for at, number in enumerate(numbers[1:], 1):
        total = b.binary("or", total, b.binary("shl", number, 4 * at))
    return total

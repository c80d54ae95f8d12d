# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix operations of a warp whose threads run by themselves: mma.sync, mma.sp, wmma, wgmma, and
ldmatrix, stmatrix, movmatrix.

Registers travel in memory: a lane stores its operands there, the runtime works on the memory of all
lanes (`host_device/native/sources/mma.py`), and the lane loads its result.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from xgpu.host_device.compiler.code import (
    bytes_of,
    load_registers,
    register_types,
    store_numbers,
    store_registers,
)
from xgpu.host_device.compiler.rules.lowering import Call, Values, intrinsic
from xgpu.host_device.compiler.types import I1, I32, I64, bits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.ir import Attribute, SSAValue

    from xgpu.host_device.compiler.code import Code, Number


# -- What the names of matrix operations say: PTX's opcodes and NVVM's intrinsics.
#
# mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32      PTX: types of D, A, B, C
# mma.m16n8k32.row.col.satfinite.s8.u8                           NVVM: as many as are needed


# As `native/sources/elements.py`: number and bits of an element in a register.
TYPES = {
    "f16": (0, 16), "bf16": (1, 16), "f32": (2, 32), "f64": (3, 64), "s8": (4, 8), "u8": (5, 8),
    "s32": (6, 32), "tf32": (7, 32), "e4m3": (8, 8), "e5m2": (9, 8), "e2m3": (10, 8),
    "e3m2": (11, 8), "e2m1": (12, 4), "s4": (13, 4), "u4": (14, 4), "b1": (15, 1),
    "ue8m0": (16, 8), "ue4m3": (17, 8), "e2m1 in a byte": (18, 8),
}  # fmt: skip
#: As `native/sources/mma.py`.
LAYOUT_WMMA, LAYOUT_SYNC, LAYOUT_QUADS = range(3)

_SHAPE = re.compile(r"m(\d+)n(\d+)k(\d+)")
_SCALES = {"1X": 1, "2X": 2, "4X": 4, "1x": 1, "2x": 2, "4x": 4}
_SCALE_TYPES = ("ue8m0", "ue4m3")


def shape_of(name: str) -> tuple[int, int, int]:
    """m, n and k."""
    match = _SHAPE.search(name)
    if match is None:
        raise ValueError(name)
    return int(match[1]), int(match[2]), int(match[3])


def type_number(name: str) -> int:
    return TYPES[name][0]


def type_bits(name: str) -> int:
    return TYPES[name][1]


class Product:
    """A product of a warp: sizes, types of A, B, C and D, and what else its name says."""

    def __init__(self, name: str) -> None:
        words = re.split(r"\.|::", name)
        self.shape = shape_of(name)
        self.is_wmma = words[0] == "wmma"
        self.is_sparse = "sp" in words
        self.differs = "xor" in words
        self.saturates = "satfinite" in words
        #: Scales of a row of A: 0, or how many.
        self.scales = _scales(words)
        self.scale_type = next((w for w in reversed(words) if w in _SCALE_TYPES), "ue8m0")
        self.layouts = [w for w in words if w in ("row", "col")][:2]
        given = [w for w in words if w in TYPES and w not in _SCALE_TYPES]
        is_ptx = words[:2] == ["ptx", "mma"]
        self.types = _types(given, is_ptx)
        if "f8f6f4" in words or "mxf8f6f4" in words:
            self.types = [f"{t} in a byte" if t == "e2m1" else t for t in self.types]

    @property
    def layout(self) -> int:
        if self.is_wmma:
            return LAYOUT_WMMA
        return LAYOUT_QUADS if self.shape == (8, 8, 4) and self.types[0] == "f16" else LAYOUT_SYNC

    @property
    def bytes(self) -> list[int]:
        """Of the registers of A, B, C and D that a lane has."""
        m, n, k = self.shape
        elements = [m * (k // 2 if self.is_sparse else k), k * n, m * n, m * n]
        lanes = 8 if self.layout == LAYOUT_QUADS else 32
        found = [
            count * type_bits(ty) // 8 // lanes
            for count, ty in zip(elements, self.types, strict=True)
        ]
        if self.is_wmma and self.types[0] == "f16":
            found[:2] = [32, 32]  # eight registers, whatever the shape
        return found


def _scales(words: Sequence[str]) -> int:
    """`block_scale.scale_vec::2X`, or as NVVM says it, `block.scale..scale.2x`. What says no number
    has what its kind has."""
    if "block_scale" not in words and not ("block" in words and "scale" in words):
        return 0
    for word in words:
        if word in _SCALES:
            return _SCALES[word]
    return 2 if "mxf4" in words else 1


def _types(given: list[str], is_ptx: bool) -> list[str]:
    """Types of A, B, C and D."""
    if is_ptx or len(given) == 4:
        d, a, b, c = given
        return [a, b, c, d]
    first = given[0]
    if first in ("bf16", "tf32"):
        return [first, first, "f32", "f32"]
    if first == "f64":
        return ["f64"] * 4
    if first in ("s8", "u8", "s4", "u4", "b1"):
        return [first, given[-1], "s32", "s32"]
    if len(given) == 2:  # of f16: D and C
        return ["f16", "f16", given[1], given[0]]
    return ["f16", "f16", first, first]


# -- Matrices between memory and the registers of a warp: ldmatrix, stmatrix, movmatrix.


_COUNT = re.compile(r"x([124])")
#: As `native/sources/warp_matrices.py`.
_LOADED = {"m8n8": 0, "m16n16": 1, "m8n16": 2}
_STORED = {"m8n8": 0, "m16n8": 1}
_FORMATS = {"b6x16_p32": 1, "b4x16_p64": 2}
_FRAGMENT_HEADER = 24


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
def load_fragments(call: Call, b: Code) -> Values:
    """(the address of a row that this lane says): registers."""
    place = b.memory(_FRAGMENT_HEADER + bytes_of(register_types(call.type)))
    b.store(b.generic(call.arguments[0]), place)
    store_numbers(b, place, _record(call, b, _LOADED), I32, 8)
    b.wait("tensor_ldmatrix", place)
    return [load_registers(b, place, _FRAGMENT_HEADER, call.type)]


@intrinsic(r"stmatrix\.sync\.aligned\..*")
def store_fragments(call: Call, b: Code) -> Values:
    """(the address of a row that this lane says, registers...)"""
    registers = call.arguments[1:]
    place = b.memory(_FRAGMENT_HEADER + bytes_of([r.type for r in registers]))
    b.store(b.generic(call.arguments[0]), place)
    store_numbers(b, place, _record(call, b, _STORED), I32, 8)
    store_registers(b, place, _FRAGMENT_HEADER, registers)
    b.wait("tensor_stmatrix", place)
    return []


@intrinsic(r"ptx\.movmatrix\.sync\.aligned\.m8n8\.trans\.b16")
def transpose(call: Call, b: Code) -> Values:
    place = b.memory(8)
    store_registers(b, place, 0, call.arguments)
    b.wait("tensor_movmatrix", place)
    return [load_registers(b, place, 4, call.type)]


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


# -- wgmma: `native/sources/wgmma.py` computes as soon as a warp has come.


_NAME = re.compile(
    r"ptx\.wgmma\.mma_async(?:\.sp)?\.sync\.aligned\.m64n(\d+)k(\d+)"
    r"(\.satfinite)?\.(f16|f32|s32)\.(\w+)\.(\w+)(\.satfinite|\.and\.popc)?"
)
#: Bytes along K of every form.
_DEPTH_BITS = 256
_FLOATS = (("f16", "f16"), ("bf16", "bf16"), ("tf32", "tf32"))


class WarpgroupProduct:
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
    def of(
        cls, name: str, arguments: Sequence[SSAValue], result: Attribute
    ) -> WarpgroupProduct | None:
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
def multiply_warpgroup(call: Call, b: Code) -> Values:
    """(D..., A (a descriptor or four registers), B, of sparse A metadata and their selector,
    whether D counts, signs of A and B (floats), then, of 16 bits, whether A (in memory) and B are
    transposed)"""
    found = WarpgroupProduct.of(call.name, call.arguments, call.type)
    if found is None or found.first not in TYPES or found.second not in TYPES:
        b.refuse(f"'{call.name}' is not supported on the host device")
    n, k, d, first, second = found.n, found.k, found.d, found.first, found.second
    size = n // 8 * 4 * type_bits(d) // 8
    if k * type_bits(first) != _DEPTH_BITS << found.is_sparse or n % 8 or not 8 <= n <= 256:
        b.refuse(f"'{call.name}' is not supported on the host device: its shape")
    if not _belong(d, first, second) or bytes_of(register_types(call.type)) != size:
        b.refuse(f"'{call.name}' is not supported on the host device: its types")
    numbers = [_scale(b, value) for value in found.numbers]
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


def _scale(b: Code, value: SSAValue) -> SSAValue:
    return b.cast("zext", value, I32) if value.type == I1 else value

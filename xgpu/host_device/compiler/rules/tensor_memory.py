# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bulk copies and TMA, and tcgen05: tensor memory and its products (`native/sources/tensor_*.py`).

What is asynchronous is done at once, so waits and fences are nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import VectorType
from xdsl.ir import SSAValue

from xgpu.dialects.llvm.types import LLVMPointerType
from xgpu.host_device.abi.codes import OF_PAIRS
from xgpu.host_device.abi.structs import WARP_OPERATIONS
from xgpu.host_device.compiler.code import Code, store_numbers
from xgpu.host_device.compiler.rules.lowering import Call, Values, intrinsic, operation
from xgpu.host_device.compiler.types import I1, I16, I32, I64, integer_constant

if TYPE_CHECKING:
    from xgpu.host_device.compiler.code import Number


# -- bulk copies and TMA: `cp.async.bulk[.tensor].*`


_TILE = re.compile(r"\.tile\.(\d)d")
#: Four lines of a matrix: where they begin, and the number of each.
_LINES = re.compile(r"\.tile\.(gather|scatter)4\.2d")
_LINE_COORDINATES = 5


def corner(b: Code, coordinates: Sequence[SSAValue]) -> SSAValue:
    """The corner of a box, in memory."""
    place = b.memory(20, 4)
    for at, value in enumerate(coordinates):
        b.store(value, b.address(place, 4 * at))
    return place


def _dimensions(call: Call, b: Code) -> int:
    match = _TILE.search(call.name)
    if match is None:
        b.refuse(f"'llvm.nvvm.{call.name}': only tile mode")
    return int(match[1])


@intrinsic(r"cp\.async\.bulk\.tensor\.g2s\..*")
def tensor_load(call: Call, b: Code) -> Values:
    """g2s[.cta].tile[.gather4].<n>d(dst, mbarrier, map, coordinates..., [multicast mask,]
    cache hint, flags..., [blocks of a group]).
    """
    is_gather = _LINES.search(call.name) is not None
    rank = _LINE_COORDINATES if is_gather else _dimensions(call, b)
    target, bar, tensor, *rest = call.arguments
    given = (target, bar, tensor, corner(b, rest[:rank]))
    rest = rest[rank:]
    flags = [value for value in rest if value.type == I1]
    mask: SSAValue | None = None
    if ".g2s.cta." not in call.name and flags and integer_constant(flags[0]) not in (0, None):
        mask = b.cast("zext", rest[0], I32)
        if integer_constant(rest[-1]) == 2:
            mask = b.binary("or", mask, OF_PAIRS)
    if is_gather:
        b.native("tma_gather", None, *given, b.integer(0, I32) if mask is None else mask)
    elif mask is not None:
        b.native("tma_multicast", None, *given, mask)
    else:
        b.native("tma_load", None, *given)
    return []


@intrinsic(r"cp\.async\.bulk\.tensor\.s2g\..*")
def tensor_store(call: Call, b: Code) -> Values:
    """s2g.tile[.scatter4].<n>d(src, map, coordinates..., cache hint, flag)."""
    is_scatter = _LINES.search(call.name) is not None
    rank = _LINE_COORDINATES if is_scatter else _dimensions(call, b)
    source, tensor, *rest = call.arguments
    name = "tma_scatter" if is_scatter else "tma_store"
    b.native(name, None, source, tensor, corner(b, rest[:rank]))
    return []


#: In the order of nvvm's `tma_redux_kind`.
_REDUCTIONS = ("add", "min", "max", "inc", "dec", "and", "or", "xor")


@intrinsic(r"cp\.async\.bulk\.tensor\.reduce\..*")
def tensor_reduce(call: Call, b: Code) -> Values:
    """reduce.<kind>.tile.<n>d(src, map, coordinates..., cache hint, flag)."""
    rank = _dimensions(call, b)
    source, tensor, *rest = call.arguments
    kind = b.integer(_REDUCTIONS.index(call.name.split(".")[5]), I32)
    b.native("tma_reduce", None, source, tensor, corner(b, rest[:rank]), kind)
    return []


@intrinsic(r"cp\.async\.bulk\.global\.to\.shared\.(cluster|cta)")
def bulk_load(call: Call, b: Code) -> Values:
    """(dst, mbarrier, src, size, [multicast mask,] cache hint, flags...)"""
    flags = [value for value in call.arguments[4:] if value.type == I1]
    if len(flags) > 1 and integer_constant(flags[0]) not in (0, None):
        mask = b.cast("zext", call.arguments[4], I32)
        b.native("bulk_multicast", None, *call.arguments[:4], mask)
    else:
        b.native("bulk_load", None, *call.arguments[:4])
    return []


@intrinsic(r"clusterlaunchcontrol\.try_cancel\.async(\.multicast)?(\.shared)?")
def try_cancel(call: Call, b: Code) -> Values:
    """(answer, mbarrier): no block is given up."""
    to_all = int("multicast" in call.words)
    b.native("try_cancel", None, *call.arguments, b.integer(to_all, I32))
    return []


@intrinsic(r"clusterlaunchcontrol\.query_cancel\.is_canceled")
def is_canceled(call: Call, b: Code) -> Values:
    return [b.icmp("ne", call.arguments[0], 0)]


@intrinsic(r"clusterlaunchcontrol\.query_cancel\.get_first_ctaid\.[xyz]")
def first_block(call: Call, b: Code) -> Values:
    """PTX leaves it open where no block was given up."""
    return [b.integer(0, I32)]


@intrinsic(r"cp\.async\.bulk\.shared\.cta\.to\.cluster")
def bulk_between_blocks(call: Call, b: Code) -> Values:
    """(dst, mbarrier, src, size), the first two of any block of the cluster"""
    b.native("bulk_load", None, *call.arguments[:4])
    return []


@intrinsic(r"cp\.async\.bulk\.shared\.cta\.to\.global")
def bulk_store(call: Call, b: Code) -> Values:
    """(dst, src, size, ...)"""
    b.native("bulk_store", None, *call.arguments[:3])
    return []


@intrinsic(
    r"cp\.async\.bulk\.(commit\.group|wait\.group.*)", r"cp\.async\.bulk\.(tensor\.)?prefetch\..*"
)
def ignore_groups(call: Call, b: Code) -> Values:
    return []


#: As `native/sources/tensor_memory.py`.
_SHAPES = {"32x32b": 0, "16x64b": 1, "16x128b": 2, "16x256b": 3, "16x32bx2": 4}
#: Registers of one repetition.
_REGISTERS = {"32x32b": 1, "16x64b": 1, "16x128b": 2, "16x256b": 4, "16x32bx2": 1}
_MOVE = re.compile(r"tcgen05\.(ld|st)\.(\w+)\.x(\d+)")
#: Rows, bytes of a row, where rows go.
_COPIES = {
    "128x256b": (128, 32, 0), "4x256b": (4, 32, 0), "128x128b": (128, 16, 0),
    "64x128b_warpx2_02_13": (64, 16, 1), "64x128b_warpx2_01_23": (64, 16, 2),
    "32x128b_warpx4": (32, 16, 3),
}  # fmt: skip
#: As `native/sources/warp_matrices.py`.
_FORMATS = {"b4x16_p64": 2}
#: As `native/sources/tensor_mma.py`; NVVM's intrinsics give those without scales by number.
_KINDS = {"f16": 0, "tf32": 1, "f8f6f4": 2, "i8": 3, "mxf8f6f4": 4, "mxf4": 5, "mxf4nvf4": 5}
_MASK = 144


@intrinsic(r"tcgen05\.(wait|fence|relinq)\..*")
def ignore_fences(call: Call, b: Code) -> Values:
    return []


def _address(b: Code, value: SSAValue) -> SSAValue:
    """An address in tensor memory, a descriptor, or another number."""
    if isinstance(value.type, LLVMPointerType):
        return b.value("llvm.ptrtoint", (value,), I64)
    return b.cast("zext", value, I64)


@intrinsic(r"tcgen05\.alloc\..*")
def allocate(call: Call, b: Code) -> Values:
    """(where the address goes, columns)"""
    place = b.memory(16)
    target = b.value("llvm.ptrtoint", (b.generic(call.arguments[0]),), I64)
    store_numbers(b, place, (target, _address(b, call.arguments[1])), I64)
    b.wait("tensor_alloc", place)
    return []


@intrinsic(r"tcgen05\.dealloc\..*")
def release(call: Call, b: Code) -> Values:
    """(address, columns)"""
    place = b.memory(16)
    store_numbers(b, place, [_address(b, value) for value in call.arguments], I64)
    b.wait("tensor_dealloc", place)
    return []


def _moved(call: Call, b: Code) -> tuple[str, int]:
    """The shape and the number of registers."""
    match = _MOVE.fullmatch(call.name)
    if match is None or match[2] not in _SHAPES:
        b.refuse(f"'llvm.nvvm.{call.name}' is not supported on the host device")
    return match[2], int(match[3]) * _REGISTERS[match[2]]


def _numbers(call: Call, b: Code, shape: str, count: int, rest: list[SSAValue]) -> list[SSAValue]:
    """What says where registers lie: shape, registers, packing, columns between halves."""
    packs = b.cast("zext", rest[-1], I32) if rest[-1].type == I1 else rest[-1]
    apart = b.integer(0)
    if shape == "16x32bx2":
        apart = b.cast("trunc", rest[0], I32)
    return [b.integer(_SHAPES[shape]), b.integer(count), packs, apart]


def _together(b: Code) -> None:
    """A warp loads and stores as one: before one of its lanes goes on, all have done what is
    before."""
    zero = b.integer(0)
    sync = b.integer(WARP_OPERATIONS["WARP_SYNC"])
    b.wait("warp", sync, b.integer(-1), b.integer(0, I64), zero, zero)


@intrinsic(r"tcgen05\.ld\..*")
def load(call: Call, b: Code) -> Values:
    """(address[, columns between halves], pack)"""
    shape, count = _moved(call, b)
    _together(b)
    place = b.memory(4 * count)
    rest = call.arguments[1:]
    b.native(
        "tensor_load", None, place, _address(b, call.arguments[0]),
        *_numbers(call, b, shape, count, rest),
    )  # fmt: skip
    values = [b.load(b.address(place, 4 * at), I32) for at in range(count)]
    if call.type == I32:
        return values
    if call.type.name == "vector":
        return [b.vector(call.type, values)]
    return [b.pack(call.type, values)]


@intrinsic(r"tcgen05\.st\..*")
def store(call: Call, b: Code) -> Values:
    """(address[, columns between halves], registers, unpack)"""
    shape, count = _moved(call, b)
    first = 2 if shape == "16x32bx2" else 1
    given = call.arguments[first:-1]
    if len(given) == 1 and given[0].type != I32:
        given = [b.element(given[0], at) for at in range(count)]
    if len(given) != count:
        b.refuse(f"'llvm.nvvm.{call.name}' is not supported on the host device: its registers")
    _together(b)
    place = b.memory(4 * count)
    store_numbers(b, place, given, I32)
    rest = [*call.arguments[1:first], call.arguments[-1]]
    b.native(
        "tensor_store", None, place, _address(b, call.arguments[0]),
        *_numbers(call, b, shape, count, rest),
    )  # fmt: skip
    return []


@intrinsic(r"tcgen05\.cp\..*")
def copy(call: Call, b: Code) -> Values:
    """(address, descriptor)"""
    shape, *formats, group = call.words[2:]
    found = _COPIES.get(shape)
    if formats == ["b6x16_p32"]:
        b.refuse(
            f"'llvm.nvvm.{call.name}' is not supported on the host device: it is not known which "
            "bits of a byte elements of 6 bits become"
        )
    if found is None or len(formats) > 1 or any(word not in _FORMATS for word in formats):
        b.refuse(f"'llvm.nvvm.{call.name}' is not supported on the host device")
    address, descriptor = call.arguments
    unpacks = _FORMATS[formats[0]] if formats else 0
    numbers = map(b.integer, (*found, int(group[-1]), unpacks))
    b.native("tensor_copy", None, _address(b, address), descriptor, *numbers)
    return []


@intrinsic(r"tcgen05\.shift\.down\..*")
def shift(call: Call, b: Code) -> Values:
    """(address)"""
    blocks = b.integer(int(call.name[-1]))
    b.native("tensor_shift", None, _address(b, call.arguments[0]), blocks)
    return []


@intrinsic(r"tcgen05\.commit\..*")
def commit(call: Call, b: Code) -> Values:
    """(mbarrier[, mask of blocks])"""
    if "mc" in call.words:
        bar, mask = call.arguments
        b.native("tensor_commit", None, bar, b.cast("zext", mask, I32))
        return []
    b.native("mbarrier_arrive", I64, call.arguments[0], b.integer(1))
    return []


# -- products


class _Product:
    """What a product says besides D, A, B, its descriptor, and whether D counts."""

    def __init__(self, kind: str | int, blocks: int, words: list[str]) -> None:
        self.kind = _KINDS[kind] if isinstance(kind, str) else kind
        self.blocks = blocks
        self.stationary = "ws" in words
        self.shifts = "ashift" in words
        self.scales: list[SSAValue] = []
        self.scale_count = 0
        self.mask: list[SSAValue] = []
        self.exponent: SSAValue | None = None
        self.metadata: SSAValue | None = None
        self.zeros: SSAValue | None = None


def _emit(b: Code, product: _Product, given: list[SSAValue]) -> Values:
    """`given`: D, A, B, instruction descriptor, whether D counts."""
    d, a, second, instruction, enable = given
    in_tensor = int(a.type.name == "llvm.ptr")
    mask, metadata = product.mask, product.metadata
    place = b.memory(_MASK + 4 * max(len(mask), 1))
    numbers: list[Number] = [
        _address(b, d), _address(b, a), second, _address(b, instruction), _address(b, enable),
        product.kind, product.blocks, in_tensor,
        0 if product.exponent is None else product.exponent, int(product.stationary),
        *([_address(b, s) for s in product.scales] or [0, 0]), product.scale_count,
        int(bool(mask)), int(metadata is not None),
        0 if metadata is None else _address(b, metadata), int(product.shifts),
        0 if product.zeros is None else product.zeros,
    ]  # fmt: skip
    store_numbers(b, place, numbers, I64)
    store_numbers(b, place, mask, I32, _MASK)
    b.native("tensor_mma5", None, place)
    return []


def _elements(b: Code, value: SSAValue) -> list[SSAValue]:
    """The parts of a vector."""
    ty = value.type
    assert isinstance(ty, VectorType)
    return [b.element(value, at) for at in range(ty.shape.data[0].data)]


@intrinsic(r"tcgen05\.mma\..*")
def multiply(call: Call, b: Code) -> Values:
    """(D, A, B, descriptor, enable[, metadata][, scales of A, of B][, exponent][, mask][, columns
    that are zero], kind, blocks, ...)"""
    words = call.words[2:]
    given, rest = call.arguments[:5], call.arguments[5:]
    metadata = rest.pop(0) if "sp" in words else None
    if "block_scale" in words:
        kind = next(word for word in words if word in _KINDS)
        product = _Product(kind, _known(b, rest[2]), words)
        product.scales, product.scale_count = rest[:2], _scale_count(kind, words)
        product.metadata = metadata
        return _emit(b, product, given)
    exponent = rest.pop(0) if "scale_d" in words else None
    mask = _elements(b, rest.pop(0)) if "disable_output_lane" in words else []
    zeros = rest.pop(0) if "zero_col_mask" in words else None
    if "disable_output_lane" in words:
        blocks = 2 if "cg2" in words else 1
    else:
        blocks = 1 if "ws" in words else _known(b, rest[1])
    # NVVM numbers f16, tf32, f8f6f4, i8 as the runtime does.
    product = _Product(_known(b, rest[0]), blocks, words)
    product.metadata, product.exponent, product.mask = metadata, exponent, mask
    product.zeros = zeros
    return _emit(b, product, given)


def _known(b: Code, value: SSAValue) -> int:
    number = integer_constant(value)
    if number is None:
        b.refuse("tcgen05.mma whose kind is not known")
    return number


def _scale_count(kind: str, words: list[str]) -> int:
    """Scales of a row: of 32 elements each, or of 16; of twice as many where A is sparse."""
    if kind == "mxf8f6f4":
        return 1
    if any(word in ("block16", "scale_vec::4X") for word in words):
        return 4
    return 2


@intrinsic(r"ptx\.tcgen05\.mma\..*")
def multiply_by_name(call: Call, b: Code) -> Values:
    """PTX's operands: D, A, B[, metadata], descriptor[, scales][, mask...], enable[, exponent, or
    with .ws columns that are zero]."""
    words = call.words[3:]
    kind = next((w.partition("::")[2] for w in words if w.startswith("kind::")), None)
    group = next((w for w in words if w.startswith("cta_group::")), "cta_group::1")
    if kind not in _KINDS:
        b.refuse(f"'{call.name}' is not supported on the host device")
    product = _Product(kind, int(group[-1]), words)
    if product.stationary and (product.blocks == 2 or "block_scale" in words):
        b.refuse(f"'{call.name}' has no meaning: .ws is of one block, without scales")
    operands = list(call.arguments)
    if "sp" in words:
        product.metadata = operands.pop(3)
    first, rest = operands[:4], operands[4:]
    if "block_scale" in words:
        product.scale_count = _scale_count(kind, words)
        product.scales, rest = rest[:2], rest[2:]
    count = next(
        at for at, value in enumerate(rest) if value.type in (I1, I16) or at == len(rest) - 1
    )
    product.mask, rest = rest[:count], rest[count:]
    if product.shifts and not _may_shift(words, first[1]):
        b.refuse(f"'{call.name}' has no meaning: .ashift is of A in tensor memory, and alone")
    if len(rest) > 1:
        more = b.cast("zext", rest[1], I64)
        if product.stationary:
            product.zeros = more
        else:
            product.exponent = more
    return _emit(b, product, [*first, rest[0]])


def _may_shift(words: list[str], a: SSAValue) -> bool:
    """Not where B is held, blocks are scaled, or A is kept for later products."""
    kept = ("collector::a::fill", "collector::a::use")
    return a.type.name == "llvm.ptr" and not any(w in ("ws", "block_scale", *kept) for w in words)


#: First bit and width of what a descriptor is made of; between bases and modes stands a one.
_FIELDS = ((0, 14), (16, 14), (32, 14), (49, 3), (52, 1), (61, 3))
_FIXED = 1 << 46


@operation("nvvm.tcgen05.mma_smem_desc")
def descriptor(call: Call, b: Code) -> Values:
    """(address, leading offset, stride, base, mode, swizzling)"""
    total: SSAValue = b.integer(_FIXED, I64)
    for value, (at, width) in zip(call.arguments, _FIELDS, strict=True):
        field = b.binary("and", b.cast("zext", value, I64), (1 << width) - 1)
        total = b.binary("or", total, b.binary("shl", field, at))
    return [total]

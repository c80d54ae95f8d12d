# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What MLIR's verifiers of xevm operations check beyond the tables. Messages are MLIR's.

Source: MLIR 22.1 XeVMDialect.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerAttr, IntegerType, VectorType
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core.ir.errors import fail
from xgpu.dialects import xevm

if TYPE_CHECKING:
    from xgpu.dialects.interfaces import Verifier


#: Lanes of a subgroup, which share a block.
_SUBGROUP = 16

#: Element bits -> least and greatest tile width, block counts, most elements in a row of blocks.
_PLAIN = {
    8: (4, 64, (1, 2, 4), 64),
    16: (2, 32, (1, 2, 4), 32),
    32: (1, 16, (1, 2), 16),
    64: (1, 8, (1,), 8),
}
_WIDTHS = {8: (16, 32), 16: (16,), 32: (16,)}


def _number(op: Operation, name: str) -> int:
    attr = cast("IntegerAttr | None", op.properties.get(name))
    return 1 if attr is None else attr.value.data


def _flag(op: Operation, name: str) -> bool:
    return bool(_number(op, name))


def _between(op: Operation, name: str, low: int, high: int) -> None:
    if not low <= _number(op, name) <= high:
        fail(op, f"expecting {name} to be between {low} and {high}")


def _words(values: tuple[int, ...]) -> str:
    *first, last = map(str, values)
    if not first:
        return last
    return f"{', '.join(first)}{',' if len(first) > 1 else ''} or {last}"


def _blocks(op: Operation, allowed: tuple[int, ...]) -> None:
    if _number(op, "v_blocks") not in allowed:
        fail(op, f"expecting v_blocks to be {_words(allowed)}")


def _row(op: Operation, most: int, bits: int) -> None:
    if _number(op, "tile_width") * _number(op, "v_blocks") > most:
        fail(
            op,
            f"tile_width * v_blocks should be less than or equal to {most} for {bits} bit elements",
        )


def _constant(value: SSAValue) -> int | None:
    owner = value.owner
    attr = None
    if isinstance(owner, Operation) and owner.name.endswith("constant"):
        attr = owner.properties.get("value")
    return getattr(getattr(attr, "value", None), "data", None)


def _matrix(op: Operation) -> None:
    """What loads, stores and prefetches of two-dimensional blocks have in common."""
    width, pitch = _constant(op.operands[1]), _constant(op.operands[3])
    if width is not None and pitch is not None and pitch < width:
        fail(op, "4th operand (base pitch) should be >= 2nd operand (base width)")
    if _number(op, "elem_size_in_bits") not in (8, 16, 32):
        fail(op, "expecting 'elem_size_in_bits' to be 8, 16, or 32")
    if _number(op, "tile_height") not in (1, 2, 4, 8, 16, 32):
        fail(op, "expecting tile_height to be 1, 2, 4, 8, 16, or 32")
    if _number(op, "v_blocks") not in (1, 2, 4, 8):
        fail(op, "expecting v_blocks to be 1, 2, 4, or 8")


def _load_shape(op: Operation) -> None:
    ty = cast("VectorType", op.results[0].type)
    bits = getattr(ty.element_type, "bitwidth", None)
    if bits is None:
        fail(op, "expecting result element type to be int or float")
    element = _number(op, "elem_size_in_bits")
    size = ty.get_shape()[0] * bits
    area = _number(op, "tile_height") * _number(op, "tile_width") * _number(op, "v_blocks")
    expected = element * area // _SUBGROUP
    if size != expected:
        fail(
            op,
            f"result size of {size} bits does not match the expected size of {expected} bits",
        )
    transposed, packed = _flag(op, "transpose"), _flag(op, "pack_register")
    if transposed and packed:
        fail(op, "transpose and pack_register are mutually exclusive")
    if transposed:
        _blocks(op, (1,))
        if element == 32:
            _between(op, "tile_height", 1, 32)
            _between(op, "tile_width", 1, 8)
        elif element == 64:
            if _number(op, "tile_height") != 8:
                fail(op, "expecting tile_height to be 8 for 64 bit elements")
            if _number(op, "tile_width") not in (1, 2, 4):
                fail(op, "expecting tile_width to be 1, 2, or 4")
        else:
            fail(op, "transpose is only supported for 32 and 64 bit elements")
    elif packed:
        _blocks(op, (1, 2, 4))
        if element not in (8, 16):
            fail(op, "pack_register is only supported for 8 and 16 bit elements")
        _between(op, "tile_height", 32 // element, 32)
        _between(op, "tile_width", 32 // element, 16)
        if element == 16:
            _row(op, 32, 16)
    else:
        _between(op, "tile_height", 1, 32)
        if element not in _PLAIN:
            fail(op, "expecting elem_size_in_bits to be 8, 16, 32, or 64")
        low, high, blocks, most = _PLAIN[element]
        _between(op, "tile_width", low, high)
        _blocks(op, blocks)
        if element != 64:
            _row(op, most, element)


def _load(op: Operation) -> None:
    _load_shape(op)
    _matrix(op)
    packed = _flag(op, "pack_register")
    bits = cast("VectorType[IntegerType]", op.results[0].type).element_type.bitwidth
    if (_number(op, "elem_size_in_bits") == 32 or packed) and bits != 32:
        fail(op, "expecting result element type to be 32 bits")
    if packed and _number(op, "tile_width") != _SUBGROUP:
        fail(
            op,
            "tile_width when pack_register is true should be equal to subgroup size (16 elements)",
        )


def _width(op: Operation, widths: dict[int, tuple[int, ...]]) -> None:
    element = _number(op, "elem_size_in_bits")
    allowed = widths[element]
    if _number(op, "tile_width") not in allowed:
        fail(
            op,
            f"tile_width for {element} bit elements should be equal to {_words(allowed)}",
        )


def _store(op: xevm.Blockstore2dOp) -> None:
    _between(op, "tile_height", 1, 8)
    element = _number(op, "elem_size_in_bits")
    if element not in _PLAIN:
        fail(op, "expecting elem_size_in_bits to be 8, 16, 32, or 64")
    _between(op, "tile_width", *_PLAIN[element][:2])
    _blocks(op, (1,))
    _matrix(op)
    _width(op, _WIDTHS)


def _prefetch(op: xevm.Blockprefetch2dOp) -> None:
    _matrix(op)
    _width(op, {**_WIDTHS, 32: (8, 16)})


def _vector(op: Operation, ty: Attribute | None) -> None:
    if not isinstance(ty, VectorType):
        return
    narrow = cast("IntegerType", ty.element_type).bitwidth == 8
    sizes = (2, 4, 8, 16) if narrow else (2, 4, 8)
    if ty.get_shape()[0] not in sizes:
        kind = "8-bit element type" if narrow else "element type > 8 bits"
        words = "2, 4, 8 or 16" if narrow else "2, 4 or 8"
        fail(op, f"vector size must be {words} for {kind}")


def _mma(op: Operation) -> None:
    if len(op.operands) == 3 and op.operands[2].type != op.results[0].type:
        fail(op, "type of C operand must match result type")


VERIFY: dict[str, Verifier] = {
    "xevm.blockload": lambda op: _vector(op, op.results[0].type),
    "xevm.blockload2d": _load,
    "xevm.blockprefetch2d": _prefetch,
    "xevm.blockstore": lambda op: _vector(op, op.operands[1].type),
    "xevm.blockstore2d": _store,
    "xevm.mma": _mma,
}

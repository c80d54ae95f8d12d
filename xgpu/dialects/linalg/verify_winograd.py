# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of Winograd's transforms: F(m, r) makes tiles of m outputs from filters of r elements,
of which each takes m + r - 1 inputs. Messages are MLIR's.

A filter has the dimensions (F, H, W, C), an image (N, H, W, C), tiles (alpha of H, alpha of W,
tiles along H, tiles along W, N, C). One direction may be left as it is: alpha is one there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX

from xgpu.core.ir.errors import op_error

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.dialects.builtin import IntegerAttr, ShapedType
    from xdsl.ir import Operation, SSAValue


_Shape = tuple[int, ...]

#: `F_2_3`, `F_4_3`, `F_2_5`.
_FORMS = ((2, 3), (4, 3), (2, 5))


def _static_shape(value: SSAValue) -> _Shape:
    return cast("ShapedType", value.type).get_shape()


def _sizes(op: Operation) -> tuple[int, int]:
    """m and r."""
    return _FORMS[cast("IntegerAttr", op.properties["fmr"]).value.data]


def _expect_output(op: Operation, expected: Sequence[int]) -> None:
    found = _static_shape(op.operands[1])
    for want, have in zip(expected, found, strict=True):
        if DYNAMIC_INDEX not in (want, have) and want != have:
            raise op_error(op, "the output shape is not expected")


def verify_filter(op: Operation) -> None:
    m, r = _sizes(op)
    filters, height, width, channels = _static_shape(op.operands[0])
    for name, size in (("height", height), ("width", width)):
        if size not in (r, 1):
            raise op_error(op, f"expect filter {name} either equals to r or 1")
    if height == 1 and width == 1:
        raise op_error(op, "expect either filter height or width equals to r")
    tiles = [m + r - 1 if size == r else 1 for size in (height, width)]
    _expect_output(op, (*tiles, channels, filters))


def verify_input(op: Operation) -> None:
    m, r = _sizes(op)
    images, *sizes, channels = _static_shape(op.operands[0])
    alphas: list[int] = []
    tiles: list[int] = []
    for size, alpha in zip(sizes, _static_shape(op.operands[1])[:2], strict=True):
        if size == DYNAMIC_INDEX:
            alphas.append(m + r - 1)
            tiles.append(DYNAMIC_INDEX)
        elif alpha == 1:
            alphas.append(1)
            tiles.append(size)
        else:
            alphas.append(m + r - 1)
            tiles.append(int((size - (r - 1)) / m))
    _expect_output(op, (*alphas, *tiles, images, channels))


def verify_output(op: Operation) -> None:
    m, r = _sizes(op)
    *parts, images, filters = _static_shape(op.operands[0])
    sizes: list[int] = []
    for name, alpha, tiles in zip(("height", "width"), parts[:2], parts[2:], strict=True):
        if DYNAMIC_INDEX in (alpha, tiles):
            sizes.append(DYNAMIC_INDEX)
            continue
        if alpha not in (m + r - 1, 1):
            raise op_error(op, f"expect input {name} equals to input tile size")
        sizes.append(tiles if alpha == 1 else m * tiles)
    _expect_output(op, (images, *sizes, filters))

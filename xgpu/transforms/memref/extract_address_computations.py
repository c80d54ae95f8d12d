# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Accesses at indices become accesses at zero of a subview that begins there.

The address is then computed by the subview, where it can be moved and shared. Source: MLIR 22.1
ExtractAddressComputations.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.ir.affine import AffineSymExpr

from xgpu.core.ir.constants import int_of
from xgpu.dialects.affine.index_math import folded_apply
from xgpu.dialects.arith.builders import index_constant
from xgpu.dialects.memref.verify_views import infer_subview
from xgpu.dialects.reshapes import slice_operands
from xgpu.transforms.memref.result_sizes import extract

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xgpu.core.ods.operation import OdsOperation
    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern
    from xgpu.dialects.affine.maps import Mixed

#: Of each access the number of the operand that is the memref, and of the group of indices; whether
#: it touches one element.
_ACCESSES = {
    "memref.load": (0, 1, True),
    "memref.store": (1, 2, True),
    "nvgpu.ldmatrix": (0, 1, False),
    "vector.transfer_read": (0, 1, False),
    "vector.transfer_write": (1, 2, False),
}


def _extract_address(op: Operation, rw: GreedyRewriter) -> bool:
    """load %m[%i, %j] -> load (subview %m[%i, %j] [1, 1] [1, 1])[0, 0]"""
    at, group, is_one = _ACCESSES[op.name]
    base = op.operands[at]
    indices = list(cast("OdsOperation", op).operand_group(group))
    numbers = [int_of(index) for index in indices]
    if base.type.name != "memref" or all(number == 0 for number in numbers):
        return False
    offsets: list[Mixed] = [
        index if number is None else number for index, number in zip(indices, numbers, strict=True)
    ]
    ones = [1] * len(indices)
    sizes: list[Mixed] = list(ones)
    if not is_one:
        metadata = extract(rw, base)
        if metadata is None:
            return False
        left = AffineSymExpr(0) - AffineSymExpr(1)
        pairs = zip(metadata.sizes, offsets, strict=True)
        sizes = [folded_apply(rw, left, [size, offset]) for size, offset in pairs]
    known = [[n if isinstance(n, int) else None for n in part] for part in (offsets, sizes)]
    kind = infer_subview(base.type, known[0], known[1], ones)
    if kind is None:
        return False
    groups, properties = slice_operands((offsets, sizes, ones))
    view = rw.value("memref.subview", [[base], *groups], kind, properties)
    zero = index_constant(rw, 0)
    first = at + 1
    operands = [*op.operands]
    operands[at] = view
    operands[first : first + len(indices)] = [zero] * len(indices)
    rw.set_operands(op, operands)
    return True


PATTERNS: dict[str, tuple[Pattern, ...]] = dict.fromkeys(_ACCESSES, (_extract_address,))

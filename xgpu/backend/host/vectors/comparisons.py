# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether a comparison holds in any lane, without looking at the lanes.

Where lane i compares base + offset[i] with the same number, the least or the greatest offset
decides: a scalar comparison instead of one of vectors. It tells whether a side of a branch can be
passed over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import i1
from xdsl.ir import SSAValue

from xgpu.backend.host.vectors.emission import Affine, Builder, Emitted, Lanes, Uniform
from xgpu.backend.host.vectors.shapes import Shape
from xgpu.backend.llvm_ir.facts import ICMP, number, prop

if TYPE_CHECKING:
    from xdsl.ir import Operation


_INVERSE = {
    "eq": "ne", "ne": "eq", "slt": "sge", "sge": "slt", "sgt": "sle", "sle": "sgt",
    "ult": "uge", "uge": "ult", "ugt": "ule", "ule": "ugt",
}  # fmt: skip
_MIRRORED = {
    "eq": "eq", "ne": "ne", "slt": "sgt", "sgt": "slt", "sle": "sge", "sge": "sle",
    "ult": "ugt", "ugt": "ult", "ule": "uge", "uge": "ule",
}  # fmt: skip


def note_test(
    b: Builder, op: Operation, operands: list[Emitted], shapes: list[Shape], result: Emitted
) -> None:
    """Tells the builder how to test the result of an `llvm.icmp`, if scalars suffice."""
    if not isinstance(result, Lanes):
        return
    predicate = ICMP[number(prop(op, "predicate"))]
    (a, c), (shape, other) = operands, shapes
    if isinstance(c, Affine) and isinstance(a, Uniform):
        a, c, shape, other = c, a, other, shape
        predicate = _MIRRORED[predicate]
    if not isinstance(a, Affine) or not isinstance(c, Uniform) or not shape.exact:
        return
    if predicate[0] == "u" and (shape.low is None or shape.low < 0):
        return
    inverse = _INVERSE[predicate]
    b.tests[result.value] = (
        lambda: _any(b, predicate, a, c.value),
        lambda: _any(b, inverse, a, c.value),
    )


def _any(b: Builder, predicate: str, a: Affine, bound: SSAValue) -> SSAValue:
    least, most = min(a.offsets), max(a.offsets)
    if predicate == "ne":
        return b.integer(1, i1)  # offsets differ, so no number is equal to all
    if predicate == "eq":
        if sorted(a.offsets) != list(range(least, most + 1)):
            values = b.icmp("eq", b.as_lanes(a), b.splat(bound))
            return b.icmp("ne", b.mask_bits(values), 0)
        distance = b.binary("sub", bound, b.add(a.base, least))
        return b.icmp("ule", distance, most - least)
    edge = least if predicate[1:] in ("lt", "le") else most
    return b.icmp(predicate, b.add(a.base, edge), bound)

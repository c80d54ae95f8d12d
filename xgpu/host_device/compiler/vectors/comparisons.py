# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether a condition holds in any lane, or in all, without looking at the lanes.

Where lane i compares base + offset[i] with the same number, the least or the greatest offset
decides: a scalar comparison instead of one of vectors. It tells whether a side of a branch can be
passed over, and whether it needs no mask. All lanes have what two conditions ask for if all have
what each asks for; whether any has both is to be seen in the lanes alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import i1
from xdsl.ir import SSAValue

from xgpu.backend.llvm_ir.facts import ICMP, number, prop
from xgpu.host_device.compiler.constants import integer_constant
from xgpu.host_device.compiler.vectors.emission import (
    Affine,
    Builder,
    Emitted,
    Lanes,
    Test,
    Uniform,
)
from xgpu.host_device.compiler.vectors.shapes import Shape

if TYPE_CHECKING:
    from xdsl.ir import Operation


_INVERSE = {
    "eq": "ne", "ne": "eq", "slt": "sge", "sge": "slt", "sgt": "sle", "sle": "sgt",
    "ult": "uge", "uge": "ult", "ugt": "ule", "ule": "ugt",
}  # fmt: skip
_CONNECTIVES = ("llvm.and", "llvm.or", "llvm.select")
_MIRRORED = {
    "eq": "eq", "ne": "ne", "slt": "sgt", "sgt": "slt", "sle": "sge", "sge": "sle",
    "ult": "ugt", "ugt": "ult", "ule": "uge", "uge": "ule",
}  # fmt: skip


def note_test(
    b: Builder, op: Operation, operands: list[Emitted], shapes: list[Shape], result: Emitted
) -> None:
    """Tells the builder how to test the result of an operation, if scalars suffice."""
    if not isinstance(result, Lanes):
        return
    if op.name == "llvm.icmp":
        _note_comparison(b, op, operands, shapes, result)
    elif op.results[0].type == i1 and op.name in _CONNECTIVES:
        _note_connective(b, op, operands, result)


def _note_connective(b: Builder, op: Operation, operands: list[Emitted], result: Lanes) -> None:
    """`a and b`, `a or b`, as such or as `select a, b, false` and `select a, true, b`."""
    kind = op.name
    if kind == "llvm.select":
        first, then, otherwise = operands
        if _is_constant(otherwise, 0):
            kind, operands = "llvm.and", [first, then]
        elif _is_constant(then, 1):
            kind, operands = "llvm.or", [first, otherwise]
        else:
            return
    index = 1 if kind == "llvm.and" else 0
    first, second = (_test(b, operand, index) for operand in operands)
    if first is None or second is None:
        return

    def either() -> SSAValue:
        return b.binary("or", first(), second())

    b.tests[result.value] = (None, either) if index else (either, None)


def _test(b: Builder, operand: Emitted, index: int) -> Test | None:
    """Whether an operand holds in any lane (0), or not in all (1)."""
    if isinstance(operand, Uniform):
        value = operand.value
        return (lambda: b.negated(value)) if index else (lambda: value)
    return b.tests.get(operand.value, (None, None))[index] if isinstance(operand, Lanes) else None


def _is_constant(operand: Emitted, number: int) -> bool:
    return isinstance(operand, Uniform) and integer_constant(operand.value) == number


def _note_comparison(
    b: Builder, op: Operation, operands: list[Emitted], shapes: list[Shape], result: Lanes
) -> None:
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

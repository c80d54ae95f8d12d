# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds of the complex dialect: what undoes itself, neutral constants, parts of known numbers.

Source: MLIR 22.1 ComplexOps.cpp.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ArrayAttr
from xdsl.ir import Attribute, Operation, SSAValue

if TYPE_CHECKING:
    from xgpu.dialects.hook_types import Folder


Constants = list[Attribute | None]
Folded = list[SSAValue | Attribute] | None


def _defining(value: SSAValue, name: str) -> Operation | None:
    owner = value.owner
    return owner if isinstance(owner, Operation) and owner.name == name else None


def _is_number(attr: Attribute | None, real: float) -> bool:
    """Whether a constant is the real number `real`."""
    if not isinstance(attr, ArrayAttr):
        return False
    values = [getattr(part, "value", None) for part in attr.data]
    return [getattr(value, "data", None) for value in values] == [real, 0.0]


def _inverse(name: str) -> Callable[[Operation, Constants], Folded]:
    """f(g(x)) -> x"""

    def fold(op: Operation, constants: Constants) -> Folded:
        inner = _defining(op.operands[0], name)
        return None if inner is None else [inner.operands[0]]

    return fold


def _part(index: int) -> Callable[[Operation, Constants], Folded]:
    """The real or imaginary part of a constant, or of what was created from parts."""

    def fold(op: Operation, constants: Constants) -> Folded:
        value = constants[0]
        if isinstance(value, ArrayAttr):
            return [value.data[index]]
        created = _defining(op.operands[0], "complex.create")
        return None if created is None else [created.operands[index]]

    return fold


def _create(op: Operation, constants: Constants) -> Folded:
    """create(re(x), im(x)) -> x"""
    real = _defining(op.operands[0], "complex.re")
    imaginary = _defining(op.operands[1], "complex.im")
    if real is None or imaginary is None or real.operands[0] is not imaginary.operands[0]:
        return None
    return [real.operands[0]]


def _add(op: Operation, constants: Constants) -> Folded:
    """sub(a, b) + b -> a, b + sub(a, b) -> a, a + 0 -> a"""
    left, right = op.operands
    for difference, other in ((left, right), (right, left)):
        inner = _defining(difference, "complex.sub")
        if inner is not None and inner.operands[1] is other:
            return [inner.operands[0]]
    return [left] if _is_number(constants[1], 0.0) else None


def _sub(op: Operation, constants: Constants) -> Folded:
    """add(a, b) - b -> a, a - 0 -> a"""
    left, right = op.operands
    inner = _defining(left, "complex.add")
    if inner is not None and inner.operands[1] is right:
        return [inner.operands[0]]
    return [left] if _is_number(constants[1], 0.0) else None


def _by_one(op: Operation, constants: Constants) -> Folded:
    """a * 1 -> a, a / 1 -> a"""
    return [op.operands[0]] if _is_number(constants[1], 1.0) else None


def _fold_bitcast(op: Operation, constants: Constants) -> Folded:
    return [op.operands[0]] if op.operands[0].type == op.results[0].type else None


FOLD: dict[str, Folder] = {
    "complex.add": _add,
    "complex.bitcast": _fold_bitcast,
    "complex.conj": _inverse("complex.conj"),
    "complex.create": _create,
    "complex.div": _by_one,
    "complex.exp": _inverse("complex.log"),
    "complex.im": _part(1),
    "complex.log": _inverse("complex.exp"),
    "complex.mul": _by_one,
    "complex.neg": _inverse("complex.neg"),
    "complex.re": _part(0),
    "complex.sub": _sub,
}

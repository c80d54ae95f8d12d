# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folding one operation: the dialect's `FOLD` hook, and the rules that follow from traits.

MLIR's `Operation::fold`: the results as values or constants; or the operation changed in place; or
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from xdsl.ir import Attribute, Operation, SSAValue

from xgpu import ods
from xgpu.transforms.constants import constant_of

Folder = Callable[[Operation, list[Attribute | None]], Any]

_FOLDERS: dict[str, Folder | None] = {}
_TRAITS: dict[str, frozenset[str]] = {}
NO_TRAITS: frozenset[str] = frozenset()


def traits_of(name: str) -> frozenset[str]:
    """Names of the traits of the operation `name`; empty if it is unknown."""
    found = _TRAITS.get(name)
    if found is None:
        spec = ods.op_spec(name)
        if spec is None:
            found = NO_TRAITS
        else:
            from xgpu.ods.traits import trait_table

            found = frozenset(trait_table(spec))
        _TRAITS[name] = found
    return found


def folder_of(name: str) -> Folder | None:
    """The fold hook of the operation `name`."""
    if name in _FOLDERS:
        return _FOLDERS[name]
    from xgpu.ods.registry import hooks

    table: Mapping[str, Folder] = hooks(name.partition(".")[0], "fold", "FOLD")
    folder = _FOLDERS[name] = table.get(name)
    return folder


def fold(op: Operation) -> list[SSAValue | Attribute] | bool:
    """The replacements of the results of `op`; True if it was changed in place; False if it stays.

    A list is never empty.
    """
    folder = folder_of(op.name)
    traits = traits_of(op.name)
    commutative = "Commutative" in traits
    if folder is None and not commutative and traits.isdisjoint(("Idempotent", "Involution")):
        return False
    constants = [constant_of(v) for v in op.operands]
    result: Any = folder(op, constants) if folder is not None else None
    if isinstance(result, list) and result and result != list(op.results):
        return result  # pyright: ignore[reportUnknownVariableType]
    by_trait = _fold_traits(op, constants, traits)
    if by_trait is not False:
        return by_trait
    return result is True


def _fold_traits(
    op: Operation, constants: Sequence[Attribute | None], traits: frozenset[str]
) -> list[SSAValue | Attribute] | bool:
    operands = op.operands
    if "Commutative" in traits and len(operands) > 1 and _constants_last(op, constants):
        return True
    if len(op.results) != 1:
        return False
    if "Idempotent" in traits:
        if len(operands) == 2 and operands[0] is operands[1]:
            return [operands[0]]
        if len(operands) == 1 and _same_op(op, operands[0]):
            return [operands[0]]
    if "Involution" in traits and len(operands) == 1 and _same_op(op, operands[0]):
        inner: Any = operands[0].owner
        if inner.operands[0].type == op.results[0].type:
            return [inner.operands[0]]
    return False


def _same_op(op: Operation, value: SSAValue) -> bool:
    return isinstance(value.owner, Operation) and value.owner.name == op.name


def _constants_last(op: Operation, constants: Sequence[Attribute | None]) -> bool:
    """Moves constant operands behind the others, keeping the order of each; whether it did."""
    order = sorted(range(len(constants)), key=lambda i: constants[i] is not None)
    if order == list(range(len(constants))):
        return False
    operands = list(op.operands)
    op.operands = [operands[i] for i in order]
    return True

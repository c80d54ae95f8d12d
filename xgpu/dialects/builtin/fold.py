# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds of the builtin dialect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Attribute, Operation, SSAValue

if TYPE_CHECKING:
    from xgpu.dialects.verify_helpers import Folder


def _unrealized_cast(
    op: Operation, constants: list[Attribute | None]
) -> list[SSAValue | Attribute] | None:
    """A cast to the same types, or back to the types that another cast came from."""
    results = [r.type for r in op.results]
    operands = list(op.operands)
    if not operands or not results:
        return None
    if [v.type for v in operands] == results:
        return list(operands)
    before = operands[0].owner
    if not isinstance(before, Operation) or before.name != op.name:
        return None
    if list(before.results) != operands or [v.type for v in before.operands] != results:
        return None
    return list(before.operands)


FOLD: dict[str, Folder] = {"builtin.unrealized_conversion_cast": _unrealized_cast}

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that look at nothing but the types of operands and results, and at how many there are.

Few types recur in a program: what such checks found for some types they would find again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from xgpu.core.ir.fields import operands_of, successors_of, value_type

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation

Check: TypeAlias = "Callable[[Operation], None]"

#: So many rows of types a class of operations remembers.
_MOST = 256

_OF_TYPES: set[Check] = set()


def of_types(check: Check) -> Check:
    """Says of a check that, for an operation without regions and successors, it depends on the
    types and numbers of operands and results only."""
    _OF_TYPES.add(check)
    return check


def once_for_types(checks: Sequence[Check]) -> tuple[Check, ...]:
    """Checks that find what `checks` find, in their order, but ask those `of_types` only for types
    for which not all of `checks` were content before."""
    others = tuple([check for check in checks if check not in _OF_TYPES])
    if len(checks) - len(others) < 2:
        return tuple(checks)
    # By identities, for hashing a type looks at all of it; the types are kept alive.
    good: dict[tuple[int, ...], list[Attribute]] = {}

    def check(op: Operation) -> None:
        operands = operands_of(op)
        types = [*map(value_type, operands), *map(value_type, op.results)]
        key = (len(operands), *map(id, types))
        if key in good and not op.regions and not successors_of(op):
            for one in others:
                one(op)
            return
        for one in checks:
            one(op)
        if op.regions or successors_of(op):
            return
        if len(good) == _MOST:
            good.clear()
        good[key] = types

    return (check,)

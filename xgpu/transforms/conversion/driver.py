# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dialect conversion: one walk, a table of rules, and casts only where somebody still needs them.

A rule turns one operation into others:

    def lower_addi(op, operands, rw):        # rw.create(...) inserts before op, with op's location
        return [rw.value("llvm.add", operands, operands[0].type)]

`operands` are the converted values. A rule returns the values that take the place of the results
(an empty sequence for an operation without results), None if it changed `op` in place and
`op` stays, or raises `NoMatch(reason)`, after which the operation stays as it is.
The invariant: while the walk goes on, every old value keeps its type and users; `values` maps old
to new. Casts are put in at the end, where an operation that was not converted still uses an
old value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from xdsl.ir import SSAValue

if TYPE_CHECKING:
    from xdsl.ir import Operation

Rule = Callable[["Operation", "Sequence[Any]", Any], "Sequence[SSAValue] | None"]


class NoMatch(Exception):
    """A rule does not apply; the reason is shown when a full conversion fails."""

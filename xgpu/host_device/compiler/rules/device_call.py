# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a rule gets (see `lowering`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.ir import Attribute, Operation, SSAValue


class Call:
    """An operation as a call: `name` is the intrinsic without `llvm.nvvm.`, or the operation's own
    name; `words` are its parts; `arguments` are values."""

    __slots__ = ("arguments", "name", "op", "types")

    def __init__(
        self,
        op: Operation,
        name: str,
        arguments: Sequence[SSAValue],
        types: Sequence[Attribute] | None = None,
    ) -> None:
        self.op: Any = op
        self.name = name
        self.arguments = list(arguments)
        #: Types of the results.
        self.types = [r.type for r in op.results] if types is None else list(types)

    @property
    def words(self) -> list[str]:
        return self.name.split(".")

    @property
    def type(self) -> Any:
        """The type of the result, None if there is none."""
        return self.types[0] if self.types else None

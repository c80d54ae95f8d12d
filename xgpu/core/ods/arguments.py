# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types of what constructors of operations take, for the stubs of the dialects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

#: One operand: a value, or the operation whose only result it is.
ValueLike: TypeAlias = SSAValue | Operation
#: An operand that a number may stand for.
SizeLike: TypeAlias = SSAValue | Operation | int
#: Any number of operands.
ValuesLike: TypeAlias = Sequence[ValueLike] | ValueLike
SizesLike: TypeAlias = Sequence[SizeLike] | ValueLike
#: A region: itself, its blocks, or the operations of its only block.
RegionLike: TypeAlias = Region | Block | Sequence[Block] | Sequence[Operation]
#: Attributes by name: attributes, or what plain ones are made of.
Attributes: TypeAlias = Mapping[str, Attribute | str | bool | int | float]

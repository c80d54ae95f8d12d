# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Result types of the bufferization dialect that ODS leaves to C++."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import i1
from xdsl.ir import Attribute, SSAValue

if TYPE_CHECKING:
    from xdsl.dialects.builtin import DenseArrayBase, IntegerType


def _dealloc(
    operands: Sequence[SSAValue],
    properties: dict[str, DenseArrayBase[IntegerType]],
    regions: object,
    attributes: object,
) -> list[Attribute]:
    """A boolean for each memref that is retained."""
    _, _, retained = properties["operandSegmentSizes"].get_values()
    return [i1] * retained


INFER = {"bufferization.dealloc": _dealloc}

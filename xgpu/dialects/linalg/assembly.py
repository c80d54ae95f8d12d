# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names that MLIR suggests for results of linalg operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xgpu.dialects.linalg.structure import inputs

if TYPE_CHECKING:
    from xdsl.ir import Operation, Region, SSAValue

    from xgpu.dialects import linalg


def _fixed(name: str) -> Callable[[Operation], list[str | None]]:
    return lambda op: [name]


def _arguments(
    of_output: str,
) -> Callable[
    [linalg.GenericOp | linalg.MapOp | linalg.ReduceOp, Region], list[tuple[SSAValue, str]]
]:
    """Elements of inputs are called `in`, those of outputs `of_output`."""

    def name(
        op: linalg.GenericOp | linalg.MapOp | linalg.ReduceOp, region: Region
    ) -> list[tuple[SSAValue, str]]:
        block = region.first_block
        if block is None:
            return []
        count = len(inputs(op))
        return [(a, "in" if n < count else of_output) for n, a in enumerate(block.args)]

    return name


NAMES = {
    "linalg.broadcast": _fixed("broadcasted"),
    "linalg.map": _fixed("mapped"),
    "linalg.pack": _fixed("pack"),
    "linalg.reduce": _fixed("reduced"),
    "linalg.transpose": _fixed("transposed"),
    "linalg.unpack": _fixed("unpack"),
}

BLOCK_ARGUMENT_NAMES = {
    "linalg.generic": _arguments("out"),
    "linalg.map": _arguments("init"),
    "linalg.reduce": _arguments("init"),
}

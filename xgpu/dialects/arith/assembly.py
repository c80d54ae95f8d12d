# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names that MLIR suggests for results of arith operations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, Signedness
from xdsl.ir import Operation

from xgpu.core.ir.attribute_text import shown

if TYPE_CHECKING:
    from xgpu.dialects import arith


def _constant_names(op: Operation) -> list[str | None]:
    """`c5`, `c5_i32`, `true`, `cst`, `f`"""
    value = op.properties.get("value")
    kind = op.results[0].type
    if not isinstance(value, IntegerAttr):
        return ["f" if kind.name == "fun" else "cst"]
    number = value.value.data
    if isinstance(kind, IndexType):
        return [f"c{number}"]
    if isinstance(kind, IntegerType):
        if kind.width.data == 1:
            return ["true" if number else "false"]
        if kind.signedness.data is Signedness.SIGNLESS:  # of any other only refused ones are
            return [f"c{number}_i{kind.width.data}"]
    return [f"c{number}_{shown(kind)}"]


def _muli(op: arith.MuliOp) -> list[str | None]:
    """`c4_vscale` for a multiple of `vector.vscale`."""
    if not isinstance(op.results[0].type, IndexType):
        return [None]
    for base, scale in ((op.operands[0], op.operands[1]), (op.operands[1], op.operands[0])):
        if getattr(scale.owner, "name", "") != "vector.vscale":
            continue
        if not isinstance(base.owner, Operation) or base.owner.name != "arith.constant":
            continue
        value = base.owner.properties["value"]
        if isinstance(value, IntegerAttr):
            return [f"c{value.value.data}_vscale"]
    return [None]


NAMES = {"arith.constant": _constant_names, "arith.muli": _muli}

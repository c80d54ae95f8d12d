# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which reductions of a subgroup are one instruction: nvvm.redux.sync."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    i32,
)
from xdsl.ir import Operation

if TYPE_CHECKING:
    from xgpu.dialects import gpu


REDUX = {
    "add": "add",
    "minsi": "min",
    "minnumf": "min",
    "maxsi": "max",
    "maxnumf": "max",
    "and": "and",
    "or": "or",
    "xor": "xor",
}


def why_not_redux(op: Operation) -> str | None:
    """Why nvvm.redux.sync cannot do a gpu.subgroup_reduce; None if it can."""
    properties = op.properties
    if "cluster_size" in properties:
        return "lowering for clustered reduce not implemented"
    if "uniform" not in properties:
        return "cannot be lowered to redux as the op must be run uniformly (entire subgroup)."
    if op.operands[0].type != i32:
        return "unsupported data type"
    if cast("gpu.AllReduceOpAttr", properties["op"]).data not in REDUX:
        return "unsupported reduction mode for redux"
    return None

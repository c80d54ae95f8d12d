# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`convert-vector-to-scf`: vector transfers of a higher rank than the target's become loops."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import VectorType

from xgpu.errors import op_error
from xgpu.transforms.base import Option, Pass

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation


class ConvertVectorToSCF(Pass):
    name = "convert-vector-to-scf"
    summary = "Lower the operations from the vector dialect into the SCF dialect"
    options = (
        Option(
            "full-unroll",
            bool,
            False,
            "Perform full unrolling when converting vector transfers to SCF",
        ),
        Option(
            "target-rank",
            int,
            1,
            "Target vector rank to which transfer ops should be lowered",
        ),
        Option("lower-tensors", bool, False, "Lower transfer ops that operate on tensors"),
        Option(
            "lower-scalable",
            bool,
            False,
            "Add scalable vector specific lowerings (that introduce loops)",
        ),
    )
    target_rank: int

    def run(self, op: Operation, ctx: Context) -> None:
        for inner in op.walk():
            if inner.name not in ("vector.transfer_read", "vector.transfer_write"):
                continue
            ty: Any = inner.results[0].type if inner.results else inner.operands[0].type
            if isinstance(ty, VectorType) and ty.get_num_dims() > self.target_rank:
                raise op_error(
                    inner, f"of rank {ty.get_num_dims()} cannot be lowered to loops yet"
                )

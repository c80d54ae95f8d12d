# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""convert-vector-to-scf: transfers of several dimensions to loops over transfers of fewer.

Transfers of at most `target-rank` dimensions stay, as in MLIR: conversion to llvm takes them. The
loops themselves are not written yet: a transfer of more dimensions is an error that says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xgpu.errors import error
from xgpu.transforms.base import Option, Pass

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation

_TRANSFERS = frozenset({"vector.transfer_read", "vector.transfer_write"})


class ConvertVectorToSCF(Pass):
    """Lowers vector transfers to loops."""

    name = "convert-vector-to-scf"
    summary = "Lower the operations from the vector dialect into the SCF dialect"
    options = (
        Option("full-unroll", bool, False, "Perform full unrolling when converting transfers"),
        Option("target-rank", int, 1, "Target vector rank to which transfer ops are lowered"),
        Option("lower-tensors", bool, False, "Lower transfer ops that operate on tensors"),
        Option("lower-scalable", bool, False, "Add scalable vector specific lowerings"),
    )

    target_rank: int

    def run(self, op: Operation, ctx: Context) -> None:
        for transfer in op.walk():
            if transfer.name not in _TRANSFERS:
                continue
            vector: Any = (
                transfer.results[0].type if transfer.results else transfer.operands[0].type
            )
            rank = len(vector.get_shape())
            if rank > self.target_rank and rank > 1:
                raise error(
                    transfer,
                    f"{self.name} does not lower {transfer.name} of {rank} dimensions yet; "
                    "rewrite it as transfers of one dimension",
                )

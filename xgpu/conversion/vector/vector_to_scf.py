# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`convert-vector-to-scf`: vector transfers of a higher rank than the target's become loops.

Permutation maps are lowered first. Then transfers of n-D vectors become loops over buffers, or
unrolled; those of 1-D vectors that are not adjacent in memory become loops over elements; and
`vector.print` of a vector becomes loops too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.core.passes.base import Option, Pass

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation

    from xgpu.core.rewriting.greedy import Pattern, Patterns


class ConvertVectorToSCF(Pass):
    """Lowers transfers and prints of vectors to loops."""

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
    full_unroll: bool
    target_rank: int
    lower_tensors: bool
    lower_scalable: bool

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.core.rewriting.greedy import apply_patterns
        from xgpu.transforms.vector.transfer_lowering import PERMUTATIONS

        apply_patterns(op, PERMUTATIONS)
        apply_patterns(
            op,
            vector_to_scf_patterns(
                full_unroll=self.full_unroll,
                target_rank=self.target_rank,
                lower_tensors=self.lower_tensors,
                lower_scalable=self.lower_scalable,
            ),
        )


def vector_to_scf_patterns(
    *,
    full_unroll: bool = False,
    target_rank: int = 1,
    lower_tensors: bool = False,
    lower_scalable: bool = False,
) -> Patterns:
    """The patterns of MLIR's `populateVectorToSCFConversionPatterns`."""
    from xgpu.conversion.vector import (
        print_to_scf as vector_print_to_scf,
    )
    from xgpu.conversion.vector import (
        scf_1d as vector_to_scf_1d,
    )
    from xgpu.conversion.vector import (
        scf_loops as vector_to_scf_loops,
    )
    from xgpu.conversion.vector import (
        scf_scalable as vector_to_scf_scalable,
    )
    from xgpu.conversion.vector import (
        scf_unrolled as vector_to_scf_unrolled,
    )
    from xgpu.conversion.vector.scf_bounds import Options

    options = Options(target_rank, lower_tensors)
    lowering = vector_to_scf_unrolled if full_unroll else vector_to_scf_loops
    tables: list[Patterns] = [lowering.patterns(options)]
    if lower_scalable:
        tables.append(vector_to_scf_scalable.patterns(options))
    if target_rank == 1:
        tables.append(vector_to_scf_1d.PATTERNS)
    tables.append(vector_print_to_scf.PATTERNS)
    merged: dict[str, tuple[Pattern, ...]] = {}
    for table in tables:
        for name, found in table.items():
            merged[name] = (*merged.get(name, ()), *found)
    return merged

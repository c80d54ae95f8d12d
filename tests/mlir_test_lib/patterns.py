# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Passes that apply patterns of xgpu by themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlir_test_lib.subgroup_reduce_amd import amd_generation, scalar_to_dpp
from xgpu.core.passes.base import Option, Pass

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation

    from xgpu.core.rewriting.greedy import Pattern


class TestFoldArithExtf(Pass):
    """Folds extensions into contractions."""

    __test__ = False
    name = "test-fold-arith-extf-into-vector-contract-patterns"
    summary = "Test patterns that fold arithmetic extension ops into vector contract ops"

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.core.rewriting.greedy import apply_patterns
        from xgpu.transforms.vector.reduction_to_contract import EXTENSIONS

        apply_patterns(op, EXTENSIONS)


class TestMathAlgebraicSimplification(Pass):
    """Reduces powers with constant exponents."""

    __test__ = False
    name = "test-math-algebraic-simplification"
    summary = "Test math algebraic simplification"

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.core.rewriting.greedy import apply_patterns
        from xgpu.transforms.arith.math_rewrites import PATTERNS

        apply_patterns(op, PATTERNS)


class TestGpuRewrite(Pass):
    """Rewrites operations of gpu in terms of simpler ones."""

    __test__ = False
    name = "test-gpu-rewrite"
    summary = "Applies all rewrite patterns within the GPU dialect."

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.transforms.gpu.rewrites import SUBGROUP_ID_PATTERNS, apply_gpu_rewrites

        apply_gpu_rewrites(op, SUBGROUP_ID_PATTERNS)


class TestGpuSubgroupReduceLowering(Pass):
    """Breaks reductions down, and expands them to shuffles if asked."""

    __test__ = False
    name = "test-gpu-subgroup-reduce-lowering"
    summary = "Applies gpu.subgroup_reduce lowering patterns."
    options = (
        Option("expand-to-shuffles", bool, False, "Expand subgroup_reduce ops to shuffle ops."),
        Option(
            "target",
            str,
            "",
            "Target backend name which will be used to provide compatible lowerings of subgroup "
            "reduce.",
        ),
    )
    expand_to_shuffles: bool
    target: str

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.core.rewriting.greedy import apply_patterns
        from xgpu.transforms.gpu import subgroup_reduce

        patterns: tuple[Pattern, ...] = (subgroup_reduce.break_down, subgroup_reduce.scalarize)
        if self.expand_to_shuffles:
            generation = amd_generation(self.target)
            if generation is not None:
                patterns += (scalar_to_dpp(generation),)
            patterns += (subgroup_reduce.scalar_to_shuffles, subgroup_reduce.vector_to_shuffles)
        apply_patterns(op, {subgroup_reduce.REDUCE: patterns})

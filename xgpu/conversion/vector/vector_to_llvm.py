# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`convert-vector-to-llvm`: first vectors in terms of simpler ones, then the llvm dialect.

The rules are by topic in `vector_*_to_llvm.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.conversion.vector import (
    elements_to_llvm as vector_elements_to_llvm,
)
from xgpu.conversion.vector import (
    memory_to_llvm as vector_memory_to_llvm,
)
from xgpu.conversion.vector import (
    print_to_llvm as vector_print_to_llvm,
)
from xgpu.conversion.vector import (
    reduction_to_llvm as vector_reduction_to_llvm,
)
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.driver import convert

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation

    from xgpu.core.rewriting.driver import Rule

RULES: dict[str, Rule] = {
    **vector_elements_to_llvm.RULES,
    **vector_memory_to_llvm.RULES,
    **vector_print_to_llvm.RULES,
    **vector_reduction_to_llvm.RULES,
}


class ConvertVectorToLLVM(Pass):
    """Lowers vector to the llvm dialect."""

    name = "convert-vector-to-llvm"
    summary = "Lower the operations from the vector dialect into the LLVM dialect"
    options = (
        Option(
            "reassociate-fp-reductions",
            bool,
            False,
            "Allows llvm to reassociate floating-point reductions for speed",
        ),
        Option(
            "force-32bit-vector-indices",
            bool,
            True,
            "Allows compiler to assume vector indices fit in 32-bit if that yields faster code",
        ),
        Option(
            "use-vector-alignment",
            bool,
            False,
            "Use the preferred alignment of a vector type in load/store operations instead of "
            "the alignment of the element type of the memref",
        ),
        Option(
            "vector-contract-lowering",
            str,
            "dot",
            "How vector.contract is lowered",
            ("dot", "llvmintr", "outerproduct", "parallelarith"),
        ),
        Option(
            "vector-transpose-lowering",
            str,
            "eltwise",
            "How vector.transpose is lowered",
            ("eltwise", "llvmintr", "shuffle1d", "shuffle16x16"),
        ),
    )

    reassociate_fp_reductions: bool
    force_32bit_vector_indices: bool
    use_vector_alignment: bool
    vector_contract_lowering: str
    vector_transpose_lowering: str

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.conversion.llvm_types import LLVMTypeConverter

        self._simplify(op)
        types = LLVMTypeConverter()
        types.reassociate_reductions = self.reassociate_fp_reductions
        types.vector_indices_32bit = self.force_32bit_vector_indices
        types.vector_alignment = self.use_vector_alignment
        convert(op, RULES, types, known=("llvm", "arith", "memref"))

    def _simplify(self, op: Operation) -> None:
        """Vectors of several dimensions by those of one."""
        from xgpu.core.rewriting.greedy import apply_patterns
        from xgpu.dialects.vector import fold
        from xgpu.dialects.vector.builders import merge
        from xgpu.transforms.vector import contraction, elements, shapes, transfer_lowering

        patterns = merge(
            fold.MASK_PATTERNS,
            shapes.BROADCAST_PATTERNS,
            contraction.matrix_patterns(
                self.vector_contract_lowering, self.vector_transpose_lowering
            ),
            contraction.patterns(self.vector_contract_lowering),
            contraction.OUTER_PRODUCT_PATTERNS,
            elements.MASK_PATTERNS,
            shapes.SHAPE_PATTERNS,
            transfer_lowering.TRANSFER_PATTERNS,
            elements.materialization(indices_32bit=self.force_32bit_vector_indices),
            shapes.SLICE_PATTERNS,
            elements.ELEMENT_PATTERNS,
        )
        apply_patterns(op, patterns)

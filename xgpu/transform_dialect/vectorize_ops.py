# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""transform.structured.vectorize and vectorize_children_and_apply_patterns."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xgpu.core.ir.inherent import attribute_of
from xgpu.core.ir.op_info import traits_of
from xgpu.dialects.vector.canonicalize import PATTERNS as CANONICAL
from xgpu.transform_dialect.failures import definite, silenceable_at
from xgpu.transform_dialect.interpreter import Results, each, flag
from xgpu.transform_dialect.patterns import Merged
from xgpu.transform_dialect.sizes import mixed_integers
from xgpu.transform_dialect.tracking import TrackingRewriter, apply_tracked
from xgpu.transforms.linalg import decompose_pad
from xgpu.transforms.linalg.vectorization import pad_users
from xgpu.transforms.linalg.vectorization.conditions import Options, has_vector_form
from xgpu.transforms.linalg.vectorization.forwarding import COPIES, FORWARDING
from xgpu.transforms.linalg.vectorization.vectorize import VectorizationPatterns, vectorize
from xgpu.transforms.tensor import fold_tensor_subset_ops
from xgpu.transforms.vector import (
    elements,
    fold_arith_extensions,
    reduction_to_contract,
    transfer_maps,
)
from xgpu.transforms.vector.sink_ops import SinkPatterns
from xgpu.transforms.vector.transfers import READ, WRITE

if TYPE_CHECKING:
    from xdsl.dialects.builtin import DenseArrayBase, IntegerType
    from xdsl.ir import Operation

    from xgpu.core.ods.operation import OdsOperation
    from xgpu.core.rewriting.greedy import Patterns
    from xgpu.transform_dialect.state import State


def vectorize_targets(op: Operation, state: State) -> Results:
    targets = state.ops(op.operands[0])
    if not targets:
        return []
    handles = cast("OdsOperation", op).operand_group(1)
    sizes = mixed_integers(op, state, "static_vector_sizes", handles)
    scalable = cast("DenseArrayBase[IntegerType] | None", attribute_of(op, "scalable_sizes"))
    options = Options(
        sizes,
        [bool(f) for f in scalable.get_values()] if scalable is not None else [False] * len(sizes),
        extract_nd=flag(op, "vectorize_nd_extract"),
        sizes_match=flag(op, "assume_dynamic_dims_match_vec_sizes"),
        contract=flag(op, "create_named_contraction"),
    )
    for target in targets:
        if not has_vector_form(target):
            raise silenceable_at(target.location, "Unsupported Op, cannot vectorize")
        rw = TrackingRewriter(state, target)
        values = vectorize(rw, target, options)
        if values is None:
            raise silenceable_at(target.location, "Attempted to vectorize, but failed")
        rw.replace(target, values)
    return []


def vectorize_children(op: Operation, target: Operation, state: State) -> list[Operation]:
    """Everything in the target that can be, and patterns that make vectors of it simpler."""
    if "IsolatedFromAbove" not in traits_of(target.name):
        note = [(target.location, "non-isolated target")]
        raise definite(op, f"'{op.name}' op requires isolated-from-above targets", note)
    if not apply_tracked(target, _patterns(op), state):
        raise definite(op, "failed to apply", [(target.location, "attempted to apply to")])
    return [target]


def _patterns(op: Operation) -> Patterns:
    merged = Merged()
    options = Options(
        extract_nd=flag(op, "vectorize_nd_extract"),
        flatten_depthwise=flag(op, "flatten_1d_depthwise_conv"),
    )
    merged.add(FORWARDING)
    if flag(op, "vectorize_padding"):
        merged.add(pad_users.PATTERNS)
    merged.add(VectorizationPatterns(options))
    if not flag(op, "disable_transfer_permutation_map_lowering_patterns"):
        merged.add(transfer_maps.PATTERNS)
    if not flag(op, "disable_multi_reduction_to_contract_patterns"):
        merged.add(reduction_to_contract.PATTERNS)
    merged.add(SinkPatterns())
    merged.add({name: CANONICAL[name] for name in (READ, WRITE) if name in CANONICAL})
    merged.add(fold_tensor_subset_ops.TO_TRANSFERS)
    merged.add(COPIES)
    if flag(op, "fold_type_extensions_into_contract"):
        merged.add(fold_arith_extensions.PATTERNS)
    if flag(op, "vectorize_padding"):
        merged.add(decompose_pad.PATTERNS)
    merged.add({"vector.step": elements.PATTERNS["vector.step"]})
    return merged


OPS = {
    "transform.structured.vectorize_children_and_apply_patterns": each(vectorize_children),
    "transform.structured.vectorize": vectorize_targets,
}

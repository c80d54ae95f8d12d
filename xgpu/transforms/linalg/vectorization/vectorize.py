# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Vectorizes one operation: asks whether it can be, then builds.

Source: MLIR 22.1 Vectorization.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import Operation, SSAValue

from xgpu.core.ir.op_info import traits_of
from xgpu.core.rewriting.rewriter import Rewriter
from xgpu.dialects.linalg import ops
from xgpu.transforms.affine.expand import expand_map
from xgpu.transforms.linalg.vectorization import convolution, packing
from xgpu.transforms.linalg.vectorization.body import Body
from xgpu.transforms.linalg.vectorization.conditions import MOVES, Options, can_vectorize
from xgpu.transforms.linalg.vectorization.contraction import vectorize_contraction
from xgpu.transforms.linalg.vectorization.convolution_shape import is_convolution
from xgpu.transforms.linalg.vectorization.masking import Space
from xgpu.transforms.linalg.vectorization.reductions import body_of

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern


def vectorize(rw: Rewriter, op: Operation, options: Options) -> list[SSAValue] | None:
    """Builds the vector form of `op` before it; the values that replace its results, or None.

    The caller replaces `op`. Where a part has no vector form, what has been built is left without
    users.
    """
    if not can_vectorize(op, options):
        return None
    rw.before(op)
    rw.location = op.location
    match op.name:
        case "tensor.pad":
            return packing.vectorize_pad(rw, op, options.sizes)
        case "linalg.pack":
            return packing.vectorize_pack(rw, op, options.sizes)
        case "linalg.unpack":
            return packing.vectorize_unpack(rw, op, options.sizes, options.scalable)
        case "tensor.insert_slice":
            return packing.vectorize_insert_slice(rw, op, options.sizes)
        case _:
            return _structured(rw, op, options)


def _structured(rw: Rewriter, op: Operation, options: Options) -> list[SSAValue] | None:
    space = Space(rw, op, options.sizes, options.scalable)
    space.sizes_match = options.sizes_match
    if not space.prepare():
        return None
    if is_convolution(op):
        return convolution.vectorize_convolution(
            space, options.sizes, options.scalable, flatten=options.flatten_depthwise
        )
    if options.contract and "ContractionOpInterface" in traits_of(op.name):
        return vectorize_contraction(space)
    _expand_affine(rw, op)
    if not ops.outputs(op):
        return None
    body = Body(space)
    return body.results if body.run() else None


def _expand_affine(rw: Rewriter, op: Operation) -> None:
    """affine.apply in the body becomes arithmetic."""
    for inner in list(body_of(op).ops):
        if inner.name != "affine.apply":
            continue
        rw.before(inner)
        map_ = cast("AffineMapAttr", inner.properties["map"]).data
        rw.replace(inner, expand_map(rw, map_, list(inner.operands)))
    rw.before(op)


class VectorizationPatterns(dict[str, "Sequence[Pattern]"]):
    """A pattern that vectorizes, for operations of all names that have a vector form."""

    def __init__(self, options: Options) -> None:
        super().__init__()

        def pattern(op: Operation, rw: GreedyRewriter) -> bool:
            values = vectorize(rw, op, options)
            if values is None:
                return False
            rw.replace(op, values)
            return True

        self._found = (pattern,)

    def get(self, key: str, default: object = None) -> Sequence[Pattern]:  # type: ignore[override]
        is_one = key in MOVES or "LinalgStructuredInterface" in traits_of(key)
        return self._found if is_one or "LinalgOp" in traits_of(key) else ()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the slices of the tensor dialect (extract_slice, insert_slice, parallel_insert_slice) say:
where, how much and in which steps, and which dimensions the smaller tensor leaves out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap

from xgpu.core.rewriting.rewriter import Rewriter
from xgpu.dialects.affine import maps as ap
from xgpu.dialects.affine.index_math import as_value, folded_apply
from xgpu.dialects.affine.maps import Mixed
from xgpu.dialects.reshapes import kept_dimensions, slice_operands
from xgpu.transforms.memref.view_metadata import mixed, segments

if TYPE_CHECKING:
    from xdsl.dialects.builtin import TensorType


class Slice:
    """The parts of a slice `op`."""

    def __init__(self, op: Operation) -> None:
        self.op = op
        first = 1 if op.name == "tensor.extract_slice" else 2
        counts = segments(op)[first:]
        self.offsets = mixed(op, "offsets", first)
        self.sizes = mixed(op, "sizes", first + counts[0])
        self.strides = mixed(op, "strides", first + counts[0] + counts[1])
        small = cast("TensorType", op.results[0].type if first == 1 else op.operands[0].type)
        self.kept = kept_dimensions(self.sizes, small.get_shape())

    @property
    def has_unit_strides(self) -> bool:
        return all(stride == 1 for stride in self.strides)

    def outer_indices(self, rw: Rewriter, indices: Sequence[Mixed]) -> list[SSAValue]:
        """The indices into the larger tensor for `indices` into the smaller one."""
        inner = dict(zip(self.kept, indices, strict=True))
        expr = ap.affine.add(ap.symbol(0), ap.affine.mul(ap.symbol(1), ap.symbol(2)))
        return [
            as_value(rw, folded_apply(rw, expr, [offset, inner.get(dim, 0), stride]))
            for dim, (offset, stride) in enumerate(zip(self.offsets, self.strides, strict=True))
        ]

    def outer_map(self, inner: AffineMap) -> AffineMap:
        """`inner`, a map of indices into the smaller tensor, for indices into the larger one."""
        dims: list[AffineExpr] = [AffineDimExpr(dim) for dim in self.kept]
        results = tuple(ap.substitute(result, dims, ()) for result in inner.results)
        return AffineMap(len(self.sizes), 0, results)


def insert(
    rw: Rewriter,
    like: Operation,
    source: SSAValue,
    dest: SSAValue,
    place: tuple[Sequence[Mixed], Sequence[Mixed], Sequence[Mixed]],
) -> Operation:
    """An insertion, of the kind that `like` is, with these offsets, sizes and strides."""
    groups, properties = slice_operands(place)
    return rw.create(like.name, (source, dest, *groups), [r.type for r in like.results], properties)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`fold-tensor-subset-ops`, and what the slices of the tensor dialect say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap

from xgpu.core.ir.constants import int_of
from xgpu.core.ir.construction import defining
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern, apply_patterns
from xgpu.dialects.affine import maps as ap
from xgpu.dialects.affine.index_math import as_value, folded_apply
from xgpu.dialects.affine.maps import Mixed
from xgpu.dialects.reshapes import kept_dimensions, slice_operands
from xgpu.transforms.memref.result_sizes import mixed, segments
from xgpu.transforms.vector.transfers import Transfer, create_read, create_write

if TYPE_CHECKING:
    from xdsl.context import Context


# --- slices --------------------------------------------------------------------------------------
# What the slices of the tensor dialect (extract_slice, insert_slice, parallel_insert_slice) say:
# where, how much and in which steps, and which dimensions the smaller tensor leaves out.


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


# --- fold tensor subset ops ----------------------------------------------------------------------
# `fold-tensor-subset-ops`: transfers of vectors from and to slices go to the whole tensor, and
# so does what is inserted into what is inserted.
#
#     %s = tensor.extract_slice %t[%i, 4] [8, 8] [1, 1] : tensor<?x?xf32> to tensor<8x8xf32>
#     %v = vector.transfer_read %s[%j, %k], %pad {in_bounds = [true]} : ...
#     =>
#     %v = vector.transfer_read %t[%i + %j, %k + 4], %pad {in_bounds = [true]} : ...
#
# Source: MLIR 22.1 FoldTensorSubsetOps.cpp.


def _folds(transfer: Transfer, part: Slice) -> bool:
    """Whether the elements of `transfer` are all in the slice, one beside another."""
    return not transfer.has_out_of_bounds_dim() and transfer.mask is None and part.has_unit_strides


def _read_slice(op: Operation, rw: GreedyRewriter) -> bool:
    """A read of an extracted slice reads the tensor."""
    transfer = Transfer(op)
    extract = defining(transfer.base, "tensor.extract_slice")
    if extract is None:
        return False
    part = Slice(extract)
    if not _folds(transfer, part):
        return False
    # A vector.mask holds nothing but the operation that it masks.
    around = op.parent_op()
    rw.before(around if around is not None and around.name == "vector.mask" else op)
    indices = part.outer_indices(rw, transfer.indices)
    rw.before(op)
    assert transfer.padding is not None
    value = create_read(
        rw,
        transfer.vector_type,
        extract.operands[0],
        indices,
        transfer.padding,
        part.outer_map(transfer.map),
        transfer.in_bounds,
        None,
    )
    rw.replace(op, [value])
    return True


def _insert_written(op: Operation, rw: GreedyRewriter) -> bool:
    """A vector that is all of an inserted slice is written to the tensor."""
    write = defining(op.operands[0], "vector.transfer_write")
    if write is None:
        return False
    transfer, part = Transfer(write), Slice(op)
    slice_type = cast("TensorType", op.operands[0].type)
    if not _folds(transfer, part) or transfer.shape != tuple(slice_type.get_shape()):
        return False
    indices = part.outer_indices(rw, transfer.indices)
    the_map = part.outer_map(transfer.map)
    new = create_write(
        rw, transfer.vector, op.operands[1], indices, the_map, transfer.in_bounds, None
    )
    rw.replace(op, list(new.results))
    return True


def _insert_inserted(op: Operation, rw: GreedyRewriter) -> bool:
    """What fills a slice, that is inserted, is inserted itself."""
    inner = defining(op.operands[0], "tensor.insert_slice")
    if inner is None:
        return False
    outer_part, inner_part = Slice(op), Slice(inner)
    if not outer_part.has_unit_strides or not inner_part.has_unit_strides:
        return False
    if [outer_part.sizes[dim] for dim in outer_part.kept] != inner_part.sizes:
        return False
    sizes: list[Mixed] = [
        size if dim in outer_part.kept else 1 for dim, size in enumerate(outer_part.sizes)
    ]
    around = op.parent_op()
    if op.name == "tensor.parallel_insert_slice" and around is not None:
        rw.before(around)
    offsets = [_number(item) for item in outer_part.outer_indices(rw, inner_part.offsets)]
    rw.before(op)
    place = (offsets, sizes, outer_part.strides)
    new = insert(rw, op, inner.operands[0], op.operands[1], place)
    rw.replace(op, list(new.results))
    return True


def _number(item: SSAValue) -> Mixed:
    known = int_of(item)
    return item if known is None else known


PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "tensor.insert_slice": (_insert_written, _insert_inserted),
    "tensor.parallel_insert_slice": (_insert_inserted,),
    "vector.transfer_read": (_read_slice,),
}

#: Only the patterns that make transfers of it.
TO_TRANSFERS: dict[str, tuple[Pattern, ...]] = {
    "tensor.insert_slice": (_insert_written,),
    "vector.transfer_read": (_read_slice,),
}


class FoldTensorSubsetOpsPass(Pass):
    """Transfers and insertions go through slices to the whole tensor."""

    name = "fold-tensor-subset-ops"
    summary = "Fold tensor subset ops into producer/consumer ops"

    def run(self, op: Operation, ctx: Context) -> None:
        apply_patterns(op, PATTERNS)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Vectorizes one operation: asks whether it can be, then builds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import AffineMapAttr, AnyFloat, IndexType, IntegerType
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core.ir.constants import constant_of, int_of
from xgpu.core.ir.op_info import traits_of
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.linalg import ops
from xgpu.dialects.syntax_helpers import DYNAMIC
from xgpu.transforms.affine.expand import expand_map
from xgpu.transforms.linalg.vectorization import convolution, maps, packing
from xgpu.transforms.linalg.vectorization.body import Body, vectorize_contraction
from xgpu.transforms.linalg.vectorization.convolution import is_convolution
from xgpu.transforms.linalg.vectorization.maps import body_of
from xgpu.transforms.linalg.vectorization.packing import constant_padding, group, padding_of
from xgpu.transforms.linalg.vectorization.vectors import Space
from xgpu.transforms.memref.result_sizes import mixed
from xgpu.transforms.vector.unroll import is_elementwise as is_elementwise_op

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern


# --- conditions ----------------------------------------------------------------------------------
# What can be vectorized, asked before anything is built.
#
# Source: MLIR 22.1 Vectorization.cpp (vectorizeOpPrecondition and what it calls).


#: Operations other than structured ones that have a form on vectors.
MOVES = ("linalg.pack", "linalg.unpack", "tensor.insert_slice", "tensor.pad")


@dataclass
class Options:
    """How an operation is vectorized.

    Without `sizes` vectors have the operation's own shape, which must be static.
    """

    sizes: Sequence[int] = ()
    #: Which of the sizes are scalable.
    scalable: Sequence[bool] = field(default_factory=list[bool])
    #: Also tensor.extract with several indices.
    extract_nd: bool = False
    #: A depthwise convolution of one dimension works on rows of channels and places together.
    flatten_depthwise: bool = False
    #: Sizes that are not known are those of the vectors: no masks.
    sizes_match: bool = False
    #: Named contractions become vector.contract.
    contract: bool = False


def has_vector_form(op: Operation) -> bool:
    """Whether operations of this name can be vectorized at all."""
    return ops.is_structured(op) or op.name in MOVES


def can_be_element(ty: Attribute) -> bool:
    return isinstance(ty, IntegerType | IndexType | AnyFloat)


def is_elementwise(op: Operation) -> bool:
    """Whether each iteration computes one element of each output, by operations on scalars."""
    indexing = ops.indexing_maps(op)
    if any(it != ops.PARALLEL for it in ops.iterator_types(op)):
        return False
    if not maps.all_projected_permutations(indexing):
        return False
    if not all(maps.is_permutation(m) for m in indexing[len(ops.inputs(op)) :]):
        return False
    return all(_is_scalar_op(inner) for inner in maps.body_of(op).ops)


_SCALAR_OPS = frozenset(
    (
        "affine.apply",
        "arith.constant",
        "func.constant",
        "linalg.index",
        "linalg.yield",
        "tensor.extract",
    )
)


def _is_scalar_op(op: Operation) -> bool:
    if op.name not in _SCALAR_OPS and not is_elementwise_op(op):
        return False
    return all(can_be_element(result.type) for result in op.results)


def masked_sizes_fit(extents: Sequence[int], sizes: Sequence[int]) -> bool:
    """Whether vectors of `sizes` can hold all of `extents` (DYNAMIC: any size)."""
    if len(sizes) != len(extents):
        return False
    return all(a == DYNAMIC or a <= b for a, b in zip(extents, sizes, strict=True))


def can_vectorize(op: Operation, options: Options) -> bool:
    if not has_vector_form(op) or not _scalable_fits(op, options):
        return False
    match op.name:
        case "tensor.pad":
            return _pad(op, options.sizes)
        case "linalg.pack":
            return _pack(op, options.sizes)
        case "linalg.unpack":
            return _unpack(op, options.sizes)
        case "tensor.insert_slice":
            return _insert_slice(op, options.sizes)
        case _:
            return _structured(op, options)


# --- structured operations ---------------------------------------------------------------------
def _structured(op: Operation, options: Options) -> bool:
    shapes = [ops.shape_of(operand) or () for operand in op.operands]
    if any(0 in dims for dims in shapes):
        return False
    if options.sizes and not masked_sizes_fit(maps.loop_sizes(op), options.sizes):
        return False
    if any(DYNAMIC in dims for dims in shapes) and not _dynamic(op, options):
        return False
    if not all(_has_elements(inner, options) for inner in maps.body_of(op).ops):
        return False
    if is_elementwise(op):
        return True
    if is_convolution(op):
        return convolution.can_vectorize(op)
    if not maps.all_projected_permutations(ops.indexing_maps(op)):
        return False
    return maps.are_reductions(op)


def _has_elements(op: Operation, options: Options) -> bool:
    """Whether vectors can have what `op` works on as elements."""
    values: list[SSAValue] = [*op.operands, *op.results]
    if op.name == "tensor.extract" and (len(op.operands) == 2 or options.extract_nd):
        values = [*op.operands[1:2], *op.results]
    return all(can_be_element(value.type) for value in values)


def _dynamic(op: Operation, options: Options) -> bool:
    if is_convolution(op):
        return convolution.can_be_dynamic(op, flatten=options.flatten_depthwise)
    if has_reduction(op):
        return maps.are_reductions(op)
    if op.name in ("linalg.generic", "linalg.copy") or is_elementwise(op):
        return True
    return "ContractionOpInterface" in traits_of(op.name)


def has_reduction(op: Operation) -> bool:
    """Whether `op` is a linalg.reduce, or a linalg.generic that reduces."""
    if op.name == "linalg.generic":
        return ops.REDUCTION in ops.iterator_types(op)
    return op.name == "linalg.reduce"


# --- moves -------------------------------------------------------------------------------------
def _on_tensors(op: Operation) -> bool:
    return all(value.type.name != "memref" for value in op.operands)


def _pack(op: Operation, sizes: Sequence[int]) -> bool:
    source, dest = group(op, 0)[0], group(op, 1)[0]
    padding = group(op, 2)
    if not _on_tensors(op) or (padding and constant_of(padding[0]) is None):
        return False
    known = DYNAMIC not in (*(ops.shape_of(source) or ()), *(ops.shape_of(dest) or ()))
    if sizes and len(sizes) != ops.rank_of(dest):
        return False
    return (bool(sizes) or known) and all(int_of(tile) is not None for tile in group(op, 3))


def _unpack(op: Operation, sizes: Sequence[int]) -> bool:
    source, dest = group(op, 0)[0], group(op, 1)[0]
    extents = ops.shape_of(source) or ()
    if not _on_tensors(op):
        return False
    if not sizes:
        return DYNAMIC not in (*extents, *(ops.shape_of(dest) or ()))
    return masked_sizes_fit(extents, sizes)


def _pad(op: Operation, sizes: Sequence[int]) -> bool:
    if constant_padding(op) is None:
        return False
    extents = ops.shape_of(op.results[0]) or ()
    if not masked_sizes_fit(extents, sizes):
        return False
    # What is padded in front would move, but where there is one element at all.
    for extent, low in zip(extents, mixed(op, "low", 1), strict=True):
        known = low if isinstance(low, int) else int_of(low)
        if known != 0 and extent != 1:
            return False
    return True


def _insert_slice(op: Operation, sizes: Sequence[int]) -> bool:
    source = group(op, 0)[0]
    if not can_be_element(ops.scalar_type(source)):
        return False
    if sizes and len(sizes) != ops.rank_of(source):
        return False
    known = DYNAMIC not in (ops.shape_of(source) or ()) or bool(sizes)
    return known or padding_of(op) is not None


# --- scalable vectors --------------------------------------------------------------------------
_SCALABLE_OPS = frozenset(
    f"linalg.{name}" for name in ("batch_matmul", "batch_mmt4d", "matmul", "matvec", "mmt4d")
)


def _scalable_fits(op: Operation, options: Options) -> bool:
    """Whether the scalable dimensions are ones that vectors of this operation may have: the last
    parallel one of several iterations, the last two parallel ones, or the last of all."""
    flags = list(options.scalable)
    count = sum(flags)
    if count == 0:
        return True
    if not ops.is_structured(op):
        return op.name == "linalg.unpack"
    iterators = ops.iterator_types(op)
    if count > 2 or len(flags) != len(iterators):
        return False
    last = max(d for d, flag in enumerate(flags) if flag)
    inner = range(last + 1, len(flags))
    if iterators[last] == ops.REDUCTION:
        if count == 2 or last + 1 != len(flags) or op.name == "linalg.matmul":
            return False
    elif any(iterators[d] == ops.PARALLEL and options.sizes[d] != 1 for d in inner):
        return False
    if count == 2 and not (flags[last - 1] and iterators[last - 1] == ops.PARALLEL):
        return False
    return (
        is_elementwise(op)
        or op.name in _SCALABLE_OPS
        or convolution.is_depthwise(op)
        or has_reduction(op)
    )


# --- vectorize -----------------------------------------------------------------------------------
# Vectorizes one operation: asks whether it can be, then builds.
#
# Source: MLIR 22.1 Vectorization.cpp.


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
            return _vectorize_structured(rw, op, options)


def _vectorize_structured(rw: Rewriter, op: Operation, options: Options) -> list[SSAValue] | None:
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

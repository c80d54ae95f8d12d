# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sums of products become vector.contract, which takes over what its operands are made by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, DenseArrayBase, IntegerType, VectorType
from xdsl.ir import Operation
from xdsl.ir.affine import AffineDimExpr, AffineMap

from xgpu.core import ods
from xgpu.core.ir.construction import defining
from xgpu.dialects.syntax_helpers import scalable_dims
from xgpu.dialects.vector.builders import masked
from xgpu.dialects.vector.ops import shape, vector_type
from xgpu.transforms.vector.contraction import Contraction

if TYPE_CHECKING:
    from xdsl.ir import Attribute, SSAValue

    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern
    from xgpu.dialects import vector


# --- reduction to contract -----------------------------------------------------------------------
# Sums of products become vector.contract, which takes over what its operands are made by.
#
#     %p = arith.mulf %a, %b : vector<4x8x16xf32>
#     %s = vector.multi_reduction <add>, %p, %c [2]
#     =>
#     %s = vector.contract {(i, j, k), (i, j, k) -> (i, j)} %a, %b, %c
#
# Then broadcasts and transpositions of %a, %b and %c become other maps. Source: MLIR 22.1
# VectorTransforms.cpp (populateVectorReductionToContractPatterns).


#: A map by the dimensions that its results are.
Dims = tuple[int, ...]


def _properties(
    maps: Sequence[Dims], iterators: Sequence[Attribute], kind: Attribute
) -> dict[str, Attribute]:
    count = len(iterators)
    made = [AffineMap(count, 0, tuple(AffineDimExpr(d) for d in dims)) for dims in maps]
    return {
        "indexing_maps": ArrayAttr([AffineMapAttr(map_) for map_ in made]),
        "iterator_types": ArrayAttr(list(iterators)),
        "kind": kind,
    }


def permutation_of(op: Operation) -> list[int]:
    """What a vector.transpose does: result dimension i is the source's `[i]`."""
    attr = cast("DenseArrayBase[IntegerType]", op.properties["permutation"])
    return list(attr.get_values())


def product_to_contract(op: vector.MultiReductionOp, rw: GreedyRewriter) -> bool:
    """multi_reduction <add> of a product -> contract of the factors"""
    kind = op.properties["kind"]
    product = defining(op.operands[0], "arith.muli", "arith.mulf")
    if product is None or kind.data != "add":
        return False
    rank = len(shape(op.operands[0].type))
    reduced = op.properties["reduction_dims"].get_values()
    kept = tuple(d for d in range(rank) if d not in reduced)
    everything = tuple(range(rank))
    names = ["parallel" if d in kept else "reduction" for d in range(rank)]
    iterators = [ods.enum("vector.iterator_type", name) for name in names]
    properties = _properties([everything, everything, kept], iterators, kind)
    operands = [*product.operands, op.operands[1]]
    rw.replace_with(op, "vector.contract", operands, [op.results[0].type], properties)
    return True


def transposed_factors(op: vector.ContractOp, rw: GreedyRewriter) -> bool:
    """contract of transposed factors -> contract of the factors, with other maps"""
    contraction = Contraction(op)
    factors = [contraction.left, contraction.right]
    changed = False
    for at, factor in enumerate(factors):
        transpose = defining(factor, "vector.transpose")
        if transpose is None:
            continue
        dims = contraction.maps[at]
        order = permutation_of(transpose)
        contraction.maps[at] = tuple(dims[order.index(d)] for d in range(len(order)))
        factors[at] = transpose.operands[0]
        changed = True
    if not changed:
        return False
    properties = _properties(contraction.maps, contraction.iterators, op.properties["kind"])
    operands = [*factors, contraction.acc]
    rw.replace_with(op, op.name, operands, [op.results[0].type], properties)
    return True


def _without_broadcast(
    contraction: Contraction, factor: SSAValue, dims: Dims
) -> tuple[SSAValue, Dims] | None:
    """The source of a broadcast factor and its map, if the contraction may repeat it itself."""
    broadcast = defining(factor, "vector.broadcast")
    if broadcast is None or not isinstance(broadcast.operands[0].type, VectorType):
        return None
    source = broadcast.operands[0]
    inner, outer = shape(source.type), shape(factor.type)
    lead = len(outer) - len(inner)
    if lead == 0 or inner != outer[lead:]:
        return None
    # A sum over what is repeated is not the sum over one of it.
    if any(outer[d] != 1 and contraction.is_reduction(dims[d]) for d in range(lead)):
        return None
    return source, dims[lead:]


def broadcast_factors(op: vector.ContractOp, rw: GreedyRewriter) -> bool:
    """contract of a factor that is repeated along leading dimensions -> contract of the factor"""
    contraction = Contraction(op)
    factors = [contraction.left, contraction.right]
    maps: list[Dims] = list(contraction.maps)
    changed = False
    for at in range(2):
        found = _without_broadcast(contraction, factors[at], maps[at])
        if found is not None:
            factors[at], maps[at] = found
            changed = True
    if not changed:
        return False
    used = sorted({d for dims in maps for d in dims})
    # The factors alone must show the size of each dimension, and one that both have is reduced.
    if any(d not in maps[0] and d not in maps[1] for d in used):
        return False
    if not any(contraction.is_reduction(d) and d in maps[0] and d in maps[1] for d in used):
        return False
    mask = contraction.mask
    if mask is not None:
        mask = _mask_of(rw, contraction, used)
        if mask is None:
            return False
    maps = [tuple(used.index(d) for d in dims) for dims in maps]
    iterators = [contraction.iterators[d] for d in used]
    properties = _properties(maps, iterators, op.properties["kind"])
    rw.before(contraction.root)
    ty = op.results[0].type
    operands = [*factors, contraction.acc]
    value = masked(rw, mask, op.name, operands, ty, properties)
    rw.replace(contraction.root, [value])
    return True


def _mask_of(rw: GreedyRewriter, contraction: Contraction, used: Sequence[int]) -> SSAValue | None:
    """The mask without the dimensions that are dropped, which must have size 1."""
    assert contraction.mask is not None
    kind = cast("VectorType", contraction.mask.type)
    sizes, flags = shape(kind), scalable_dims(kind)
    if any(size != 1 for d, size in enumerate(sizes) if d not in used):
        return None
    if len(used) == len(sizes):
        return contraction.mask
    rw.before(contraction.root)
    smaller = vector_type(kind.element_type, [sizes[d] for d in used], [flags[d] for d in used])
    return rw.value("vector.shape_cast", [contraction.mask], smaller)


def transposed_result(op: vector.TransposeOp, rw: GreedyRewriter) -> bool:
    """transpose of a contract whose accumulator is transposed -> contract with another last map"""
    contract = defining(op.operands[0], "vector.contract")
    if contract is None or not contract.results[0].has_one_use():
        return False
    contraction = Contraction(contract)
    transpose = defining(contraction.acc, "vector.transpose")
    if transpose is None:
        return False
    dims, order = contraction.maps[2], permutation_of(transpose)
    result = tuple(dims[d] for d in permutation_of(op))
    if tuple(dims[order.index(d)] for d in range(len(order))) != result:
        return False
    maps = [*contraction.maps[:2], result]
    properties = _properties(maps, contraction.iterators, contract.properties["kind"])
    operands = [contraction.left, contraction.right, transpose.operands[0]]
    rw.replace_with(op, "vector.contract", operands, [op.results[0].type], properties)
    return True


PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "vector.contract": (broadcast_factors, transposed_factors),
    "vector.multi_reduction": (product_to_contract,),
    "vector.transpose": (transposed_result,),
}


# --- fold arith extensions -----------------------------------------------------------------------
# Extensions of both factors become part of a contract, whose sum has the wide type.


def _fold(op: Operation, rw: GreedyRewriter) -> bool:
    """contract(ext(a), ext(b), c) -> contract(a, b, c)"""
    owners = [value.owner for value in op.operands[:2]]
    names = {owner.name if isinstance(owner, Operation) else "" for owner in owners}
    if names not in ({"arith.extf"}, {"arith.extsi"}):
        return False
    sources = [owner.operands[0] for owner in owners if isinstance(owner, Operation)]
    rw.replace_with(
        op,
        op.name,
        [*sources, op.operands[2]],
        [op.results[0].type],
        dict(op.properties),
    )
    return True


EXTENSIONS = {"vector.contract": (_fold,)}

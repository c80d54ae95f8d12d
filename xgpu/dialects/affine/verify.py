# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of affine operations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from xdsl.dialects.builtin import AffineMapAttr, MemRefType, VectorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine.affine_map import AffineMap

from xgpu.core.ir.errors import error, op_error
from xgpu.core.ods.predicates import element_or_self, is_float, is_integer
from xgpu.dialects import affine
from xgpu.dialects.affine.maps import (
    affine_scope,
    is_valid_dim,
    is_valid_symbol,
    verify_dims_and_symbols,
)
from xgpu.dialects.affine.syntax import verify_dma_start, verify_dma_wait
from xgpu.dialects.interfaces import Edge, Verifier, verify_edges
from xgpu.dialects.memref.syntax import reduction_kinds
from xgpu.dialects.syntax_helpers import DYNAMIC

# -- apply, min, max ----------------------------------------------------------------------------


def _count(op: Operation, affine_map: AffineMap) -> None:
    if len(op.operands) != affine_map.num_dims + affine_map.num_symbols:
        raise op_error(op, "operand count and affine map dimension and symbol count must match")


def _apply(op: affine.ApplyOp) -> None:
    affine_map = op.map.data
    _count(op, affine_map)
    if len(affine_map.results) != 1:
        raise op_error(op, "mapping must produce one value")
    scope = affine_scope(op)
    for operand in op.operands[affine_map.num_dims :]:
        if is_valid_dim(operand, scope) and not is_valid_symbol(operand, scope):
            raise error(op, "dimensional operand cannot be used as a symbol")


def _min_max(op: affine.MaxOp | affine.MinOp) -> None:
    affine_map = op.map.data
    _count(op, affine_map)
    if not affine_map.results:
        raise op_error(op, "affine map expect at least one result")


# -- memory -------------------------------------------------------------------------------------


def _verify_indexing(
    op: affine.LoadOp | affine.StoreOp | affine.VectorLoadOp | affine.VectorStoreOp,
    memref: SSAValue,
    operands: Sequence[SSAValue],
) -> None:
    affine_map = op.map.data
    if len(affine_map.results) != len(cast("MemRefType", memref.type).shape):
        raise op_error(op, "affine map num results must equal memref rank")
    if affine_map.num_dims + affine_map.num_symbols != len(operands):
        raise op_error(op, "expects as many subscripts as affine map inputs")
    for operand in operands:
        if operand.type.name != "index":
            raise op_error(op, "index to load must have 'index' type")
    verify_dims_and_symbols(op, operands, affine_map.num_dims)


def _load(op: affine.LoadOp) -> None:
    memref, *operands = op.operands
    if op.results[0].type != cast("MemRefType", memref.type).element_type:
        raise op_error(op, "result type must match element type of memref")
    _verify_indexing(op, memref, operands)


def _store(op: affine.StoreOp) -> None:
    value, memref, *operands = op.operands
    if value.type != cast("MemRefType", memref.type).element_type:
        raise op_error(op, "value to store must have the same type as memref element type")
    _verify_indexing(op, memref, operands)


def _vector(memref_at: int) -> Verifier:
    def verify(op: affine.VectorLoadOp | affine.VectorStoreOp) -> None:
        memref, *operands = op.operands[memref_at:]
        vector = cast("VectorType", op.operands[0].type if memref_at else op.results[0].type)
        _verify_indexing(op, memref, operands)
        if cast("MemRefType", memref.type).element_type != vector.element_type:
            raise op_error(op, "requires memref and vector types of the same elemental type")

    return verify


def _prefetch(op: affine.PrefetchOp) -> None:
    memref, *operands = op.operands
    affine_map = op.map.data
    if len(affine_map.results) != len(cast("MemRefType", memref.type).shape):
        raise op_error(op, "affine map num results must equal memref rank")
    if affine_map.num_dims + affine_map.num_symbols != len(operands):
        raise op_error(op, "too few operands")
    verify_dims_and_symbols(op, operands, affine_map.num_dims)


# -- loops, conditions --------------------------------------------------------------------------


def _for_regions(op: affine.ForOp) -> None:
    block = op.regions[0].block
    if not block.args or block.args[0].type.name != "index":
        raise op_error(
            op, "expected body to have a single index argument for the induction variable"
        )
    properties = op.properties
    if op.step.value.data < 1:
        raise op_error(op, "expected step to be representable as a positive signed integer")
    for place, (name, words) in enumerate((("lowerBoundMap", "lower"), ("upperBoundMap", "upper"))):
        affine_map = cast("AffineMapAttr", properties[name]).data
        if not affine_map.results:
            raise op_error(op, f"expected {words} bound map to have at least one result")
        wanted, found = affine_map.num_dims + affine_map.num_symbols, len(op.operand_group(place))
        if wanted != found:
            raise op_error(
                op,
                f"expected {wanted} operands for the map of the {words} bound, found {found}",
            )
        if wanted:
            verify_dims_and_symbols(op, op.operand_group(place), affine_map.num_dims)
    inits = op.operand_group(2)
    if len(op.results) != len(inits):
        raise op_error(op, "mismatch between the number of loop-carried values and results")
    if len(block.args) - 1 != len(inits):
        raise op_error(op, "mismatch between the number of basic block args and results")


def _if(op: affine.IfOp) -> None:
    condition = op.condition.data
    if len(op.operands) != condition.num_dims + condition.num_symbols:
        raise op_error(op, "operand count and integer set dimension and symbol count must match")
    verify_dims_and_symbols(op, op.operands, condition.num_dims)


def _parallel(op: affine.ParallelOp) -> None:
    properties = op.properties
    lower = list(cast("Iterable[int]", properties["lowerBoundsGroups"].iter_values()))
    upper = list(cast("Iterable[int]", properties["upperBoundsGroups"].iter_values()))
    steps = len(properties["steps"].data)
    arguments = len(op.regions[0].block.args)
    if not arguments == len(lower) == len(upper) == steps:
        raise op_error(
            op,
            f"the number of region arguments ({arguments}) and the number of map groups for lower "
            f"({len(lower)}) and upper bound ({len(upper)}), and the number of steps ({steps}) "
            "must all match",
        )
    if any(a.type.name != "index" for a in op.regions[0].block.args):
        raise op_error(op, "expected body arguments of type 'index', the induction variables")
    split = 0
    for words, groups, name in (
        ("lower", lower, "lowerBoundsMap"),
        ("upper", upper, "upperBoundsMap"),
    ):
        affine_map = properties[name].data
        if any(size == 0 for size in groups):
            raise op_error(op, f"expected {words} bound map to have at least one result")
        if sum(groups) != len(affine_map.results):
            raise op_error(op, f"expected {words} bounds map to have {sum(groups)} results")
    if len(properties["reductions"].data) != len(op.results):
        raise op_error(op, "a reduction must be specified for each output")
    for kind, result in zip(properties["reductions"].data, op.results, strict=True):
        if not _reduces(kind.value.data, result.type):
            raise op_error(op, "result type cannot match reduction attribute")
    for name in ("lowerBoundsMap", "upperBoundsMap"):
        affine_map = properties[name].data
        count = affine_map.num_dims + affine_map.num_symbols
        verify_dims_and_symbols(op, op.operands[split : split + count], affine_map.num_dims)
        split += count


def _reduces(kind: int, result: Attribute) -> bool:
    """Whether a reduction kind goes with a type: floating-point kinds with floats."""
    name = next(name for name, value in reduction_kinds().items() if value == kind)
    element = element_or_self(result)
    if name == "assign":
        return True
    return is_float(element) if name.endswith("f") else is_integer(element)


def _if_regions(op: Operation) -> None:
    if not op.regions[1].blocks:
        verify_edges(op, [Edge("parent", "parent", (), op.results)])


def _yield(op: Operation) -> None:
    parent = op.parent_op()
    if parent is None or parent.name not in ("affine.for", "affine.if", "affine.parallel"):
        raise op_error(op, "only terminates affine.if/for/parallel regions")
    if len(op.operands) != len(parent.results):
        raise op_error(op, "parent of yield must have same number of results as the yield operands")
    for operand, result in zip(op.operands, parent.results, strict=True):
        if operand.type != result.type:
            raise op_error(op, "types mismatch between yield op and its parent")


# -- index arithmetic ---------------------------------------------------------------------------


def _verify_basis(
    op: affine.DelinearizeIndexOp | affine.LinearizeIndexOp, dynamic: Sequence[SSAValue]
) -> None:
    basis = op.static_basis.get_values()
    if sum(1 for size in basis if size == DYNAMIC) != len(dynamic):
        raise op_error(
            op,
            "mismatch between dynamic and static basis (kDynamic marker but no corresponding "
            "dynamic basis entry) -- this can only happen due to an incorrect fold/rewrite",
        )


def _delinearize(op: affine.DelinearizeIndexOp) -> None:
    basis = len(op.static_basis.get_values())
    if len(op.results) not in (basis, basis + 1):
        raise op_error(
            op, "should return an index for each basis element and up to one extra index"
        )
    _verify_basis(op, op.operands[1:])
    if any(size != DYNAMIC and size <= 0 for size in op.static_basis.get_values()):
        raise op_error(op, "no basis element may be statically non-positive")


def _linearize(op: affine.LinearizeIndexOp) -> None:
    basis = len(op.static_basis.get_values())
    indices = len(op.operand_group(0))
    if indices not in (basis, basis + 1):
        raise op_error(
            op, "should be passed a basis element for each index except possibly the first"
        )
    _verify_basis(op, op.operand_group(1))


VERIFY = {
    "affine.apply": _apply,
    "affine.min": _min_max,
    "affine.max": _min_max,
    "affine.load": _load,
    "affine.store": _store,
    "affine.vector_load": _vector(0),
    "affine.vector_store": _vector(1),
    "affine.prefetch": _prefetch,
    "affine.dma_start": verify_dma_start,
    "affine.dma_wait": verify_dma_wait,
    "affine.if": _if,
    "affine.parallel": _parallel,
    "affine.yield": _yield,
    "affine.delinearize_index": _delinearize,
    "affine.linearize_index": _linearize,
}
VERIFY_REGIONS = {"affine.for": _for_regions, "affine.if": _if_regions}

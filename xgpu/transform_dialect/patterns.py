# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the pattern descriptor operations stand for: patterns by operation name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import ComplexType, VectorType
from xdsl.ir import Operation

from xgpu.dialects.affine.index_math import bit_width, product
from xgpu.transform_dialect.interpreter import flag, integer
from xgpu.transform_dialect.state import definite
from xgpu.transforms.vector.unroll import UnrollPatterns, is_elementwise

if TYPE_CHECKING:
    from xdsl.dialects.builtin import AffineMapAttr, IntegerAttr, MemRefType
    from xdsl.ir import Attribute
    from xdsl.ir.affine import AffineDimExpr, AffineMap

    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern
    from xgpu.dialects import memref, vector


Table = Mapping[str, Sequence["Pattern"]]

#: Descriptor without options -> module and name of its patterns.
TABLES: dict[str, str] = {
    "gpu.gpu_rewrite_patterns": "xgpu.transforms.gpu.rewrites:PATTERNS",
    "linalg.fold_add_into_dest": "xgpu.transforms.linalg.destinations:ADD_PATTERNS",
    "linalg.decompose_pad": "xgpu.transforms.linalg.decompose_aggregates:PAD_PATTERNS",
    "linalg.pad_vectorization": "xgpu.transforms.linalg.vectorization.transfers:PAD_PATTERNS",
    "memref.expand_strided_metadata": "xgpu.transforms.memref.expand_strided_metadata:PATTERNS",
    "memref.extract_address_computations": (
        "xgpu.transforms.memref.extract_address_computations:PATTERNS"
    ),
    "memref.fold_memref_alias_ops": "xgpu.transforms.memref.fold_memref_alias_ops:PATTERNS",
    "memref.resolve_ranked_shaped_type_result_dims": (
        "xgpu.transforms.memref.resolve_shaped_type_result_dims:PATTERNS"
    ),
    "scf.for_loop_canonicalization": "xgpu.transforms.scf.for_loop_canonicalization:PATTERNS",
    "tensor.decompose_concat": "xgpu.transforms.tensor_folds:CONCAT_PATTERNS",
    "tensor.fold_tensor_subset_ops": "xgpu.transforms.fold_tensor_subset_ops:PATTERNS",
    "tensor.fold_tensor_subset_ops_into_vector_transfers": (
        "xgpu.transforms.fold_tensor_subset_ops:TO_TRANSFERS"
    ),
    "vector.fold_arith_extension": "xgpu.transforms.vector.reduction_to_contract:EXTENSIONS",
    "vector.lower_broadcast": "xgpu.transforms.vector.shapes:BROADCAST_PATTERNS",
    "vector.lower_create_mask": "xgpu.transforms.vector.elements:MASK_PATTERNS",
    "vector.lower_masked_transfers": "xgpu.transforms.vector.transfer_lowering:MASKED",
    "vector.lower_masks": "xgpu.transforms.vector.elements:MASK_PATTERNS",
    "vector.lower_outerproduct": "xgpu.transforms.vector.contraction:OUTER_PRODUCT_PATTERNS",
    "vector.lower_scan": "xgpu.transforms.vector.multi_reduction:SCAN",
    "vector.reduction_to_contract": "xgpu.transforms.vector.reduction_to_contract:PATTERNS",
    "vector.transfer_permutation_patterns": "xgpu.transforms.vector.transfer_lowering:PERMUTATIONS",
}
#: Descriptor -> operations of the table of unrolling patterns that it stands for.
_UNROLLED: dict[str, tuple[str, ...]] = {
    "vector.lower_bitcast": ("vector.bitcast",),
    "vector.lower_gather": ("vector.gather",),
    "vector.lower_interleave": ("vector.deinterleave", "vector.interleave"),
    "vector.unroll_from_elements": ("vector.from_elements",),
    "vector.unroll_to_elements": ("vector.to_elements",),
}
#: Descriptor -> function of the descriptor that gives its patterns.
MAKERS: dict[str, str] = {
    "canonicalization": "xgpu.transform_dialect.patterns:canonicalization",
    "gpu.eliminate_barriers": "xgpu.transform_dialect.patterns:eliminate_barriers",
    "gpu.unroll_vectors_subgroup_mma": "xgpu.transform_dialect.patterns:unroll_subgroup_mma",
    "linalg.tiling_canonicalization": "xgpu.transform_dialect.patterns:tiling_canonicalization",
    "memref.alloc_to_alloca": "xgpu.transform_dialect.patterns:alloc_to_alloca",
    "tensor.fold_tensor_empty": "xgpu.transform_dialect.patterns:fold_tensor_empty",
    "tensor.rewrite_as_constant": "xgpu.transform_dialect.patterns:rewrite_as_constant",
    "vector.lower_contraction": "xgpu.transform_dialect.patterns:lower_contraction",
    "vector.lower_multi_reduction": "xgpu.transform_dialect.patterns:multi_reduction",
    "vector.lower_shape_cast": "xgpu.transform_dialect.patterns:shape_cast",
    "vector.lower_transfer": "xgpu.transform_dialect.patterns:lower_transfer",
    "vector.lower_transpose": "xgpu.transform_dialect.patterns:lower_transpose",
    "vector.sink_ops": "xgpu.transform_dialect.patterns:sink_ops",
    "vector.materialize_masks": "xgpu.transform_dialect.patterns:materialize_masks",
    "vector.transfer_to_scf": "xgpu.transform_dialect.patterns:transfer_to_scf",
}


class Merged(dict[str, "Sequence[Pattern]"]):
    """Patterns of several tables; those that come with a rule for every dialect are asked last."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[Table] = []

    def add(self, table: Table) -> None:
        if type(table) is not dict:
            self.open.append(table)
            return
        for name, patterns in table.items():
            self[name] = (*self.get_own(name), *patterns)

    def get_own(self, name: str) -> Sequence[Pattern]:
        return super().get(name, ())

    def get(self, key: str, default: object = None) -> Sequence[Pattern]:  # type: ignore[override]
        found = super().get(key, ())
        for table in self.open:
            found = (*found, *(table.get(key) or ()))
        return found


def _load(path: str) -> object:
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)


def collect(descriptors: Iterable[Operation]) -> Table:
    """The patterns that `descriptors` name."""
    merged = Merged()
    for op in descriptors:
        name = op.name.removeprefix("transform.apply_patterns.")
        if name in TABLES:
            table: Table = _load(TABLES[name])  # type: ignore[assignment]
        elif name in _UNROLLED:
            table = _unrolled(_UNROLLED[name])
        elif name in MAKERS:
            maker: Callable[[Operation], Table] = _load(MAKERS[name])  # type: ignore[assignment]
            table = maker(op)
        else:
            raise definite(op, f"the patterns of '{op.name}' are not supported by xgpu")
        merged.add(table)
    return merged


def _unrolled(names: Iterable[str]) -> Table:
    from xgpu.transforms.vector.elements import ELEMENT_PATTERNS

    return {name: ELEMENT_PATTERNS[name] for name in names}


_CONTRACTIONS = ("dot", "llvmintr", "outerproduct", "parallelarith")
_TRANSPOSES = ("eltwise", "llvmintr", "shuffle_1d", "shuffle_16x16")
_REDUCTIONS = ("innerparallel", "innerreduction")


def _strategy(op: Operation, names: Sequence[str], default: str) -> str:
    """The descriptor's lowering strategy: the keyword of an integer attribute."""
    return names[integer(op, "lowering_strategy", names.index(default))]


def lower_contraction(op: Operation) -> Table:
    from xgpu.transforms.vector.contraction import patterns

    strategy = _strategy(op, _CONTRACTIONS, "outerproduct")
    if strategy not in ("dot", "outerproduct", "parallelarith"):
        raise definite(op, f"the lowering strategy '{strategy}' is not supported by xgpu")
    return patterns(strategy)


def multi_reduction(op: Operation) -> Table:
    from xgpu.transforms.vector.multi_reduction import patterns

    strategy = _strategy(op, _REDUCTIONS, "innerparallel")
    return patterns(inner_reduction=strategy == "innerreduction")


def shape_cast(op: Operation) -> Table:
    from xgpu.transforms.vector.shapes import SHAPE_PATTERNS

    return {"vector.shape_cast": SHAPE_PATTERNS["vector.shape_cast"]}


def lower_transpose(op: Operation) -> Table:
    from xgpu.transforms.vector.shapes import SHAPE_PATTERNS

    strategy = _strategy(op, _TRANSPOSES, "eltwise")
    if strategy != "eltwise":
        raise definite(op, f"the lowering strategy '{strategy}' is not supported by xgpu")
    return {"vector.transpose": SHAPE_PATTERNS["vector.transpose"]}


def lower_transfer(op: Operation) -> Table:
    from xgpu.dialects.vector.builders import merge
    from xgpu.transforms.vector.transfer_lowering import PERMUTATIONS, patterns

    return merge(patterns(integer(op, "max_transfer_rank", 1)), PERMUTATIONS)


def materialize_masks(op: Operation) -> Table:
    from xgpu.transforms.vector.elements import materialization

    return materialization(indices_32bit=False)


def fold_tensor_empty(op: Operation) -> Table:
    from xgpu.transforms.tensor_folds import fold_empty

    return fold_empty(single_use=flag(op, "fold_single_use_only"))


def rewrite_as_constant(op: Operation) -> Table:
    from xgpu.transforms import tensor_folds

    return tensor_folds.rewrite_as_constant(aggressive=flag(op, "aggressive"))


def sink_ops(op: Operation) -> Table:
    from xgpu.transforms.vector.sink_ops import SinkPatterns

    return SinkPatterns()


def canonicalization(op: Operation) -> Table:
    """The canonicalization patterns of all dialects."""
    from xgpu.transforms.generic.canonicalize import CanonicalizationPatterns

    return CanonicalizationPatterns()


#: Operations whose canonicalization cleans up what tiling makes.
_OF_TILING = (
    *("affine.apply", "affine.for", "affine.max", "affine.min", "memref.subview", "memref.view"),
    *("scf.for", "scf.parallel", "tensor.cast", "tensor.empty", "tensor.extract_slice"),
    "tensor.insert_slice",
)


def tiling_canonicalization(op: Operation) -> Table:
    """The canonicalization patterns of those, and what holds for every structured operation."""
    from xgpu.core.ir.op_info import op_info
    from xgpu.dialects.linalg.canonicalize import OF_ALL_STRUCTURED

    return {**OF_ALL_STRUCTURED, **{name: op_info(name).canonicalizations for name in _OF_TILING}}


def eliminate_barriers(op: Operation) -> Table:
    from xgpu.transforms.gpu.gpu_eliminate_barriers import erase_unnecessary_barrier

    return {"gpu.barrier": (erase_unnecessary_barrier,)}


def transfer_to_scf(op: Operation) -> Table:
    from xgpu.conversion.vector.vector_to_scf import vector_to_scf_patterns

    return vector_to_scf_patterns(
        full_unroll=flag(op, "full_unroll"), target_rank=integer(op, "max_transfer_rank", 1)
    )


# --- memref patterns -----------------------------------------------------------------------------
# transform.apply_patterns.memref.alloc_to_alloca: allocations that are freed in their block.


def _bytes(ty: Attribute) -> int:
    if isinstance(ty, VectorType):
        return product(ty.get_shape()) * _bytes(ty.element_type)
    if isinstance(ty, ComplexType):
        return 2 * _bytes(ty.element_type)
    return -(-bit_width(ty) // 8)


def _fits(ty: Attribute, limit: int | None) -> bool:
    if limit is None:
        return True
    memref = cast("MemRefType", ty)
    shape = memref.get_shape()
    return all(n >= 0 for n in shape) and product(shape) * _bytes(memref.element_type) <= limit


def _dealloc(alloc: Operation) -> Operation | None:
    following = alloc.next_op
    while following is not None:
        if following.name == "memref.dealloc" and following.operands[0] is alloc.results[0]:
            return following
        following = following.next_op
    return None


def alloc_to_alloca(op: Operation) -> Table:
    """The pattern for allocations of up to `size_limit` bytes."""
    attr = cast("IntegerAttr | None", op.properties.get("size_limit"))
    limit = None if attr is None else attr.value.data

    def rewrite(alloc: memref.AllocOp, rw: GreedyRewriter) -> bool:
        if not _fits(alloc.results[0].type, limit):
            return False
        dealloc = _dealloc(alloc)
        if dealloc is None:
            return False
        rw.before(alloc)
        rw.location = alloc.location
        new = rw.create(
            "memref.alloca",
            [list(alloc.operand_group(0)), list(alloc.operand_group(1))],
            [alloc.results[0].type],
            {
                k: v
                for k, v in cast("Operation", alloc).properties.items()
                if k != "operandSegmentSizes"
            },
        )
        rw.erase(dealloc)
        rw.replace(alloc, new.results)
        return True

    return {"memref.alloc": (rewrite,)}


# --- unroll mma ----------------------------------------------------------------------------------
# transform.apply_patterns.gpu.unroll_vectors_subgroup_mma: shapes that a subgroup's mma takes.


def _slice_shape(op: Operation) -> tuple[bool, Sequence[int] | None]:
    """Whether all users take slices of one shape, and that shape."""
    shape: Sequence[int] | None = None
    for use in op.results[0].uses:
        if use.operation.name != "vector.extract_strided_slice":
            return False, None
        ty = cast("VectorType", use.operation.results[0].type)
        if shape is not None and list(shape) != list(ty.get_shape()):
            return False, None
        shape = ty.get_shape()
    return True, shape


def _maps(contract: vector.ContractOp) -> list[AffineMap]:
    return [cast("AffineMapAttr", attr).data for attr in contract.indexing_maps.data]


def _order(op: Operation) -> list[int] | None:
    """Reductions outermost, then what the left operand has: so that it stays in registers."""
    if op.name != "vector.contract":
        return None
    contract = cast("vector.ContractOp", op)
    kinds = [attr.data for attr in contract.iterator_types.data]
    left = {cast("AffineDimExpr", e).position for e in _maps(contract)[0].results}
    indices = range(len(kinds))
    return (
        [i for i in indices if kinds[i] == "reduction"]
        + [i for i in indices if kinds[i] == "parallel" and i in left]
        + [i for i in indices if kinds[i] == "parallel" and i not in left]
    )


def unroll_subgroup_mma(op: Operation) -> UnrollPatterns:
    """The patterns for the m x n x k of the descriptor `op`."""
    m, n, k = (integer(op, name, 1) for name in "mnk")

    def shape_of(target: Operation) -> Sequence[int] | None:
        if target.name == "vector.contract":
            rank = len(cast("vector.ContractOp", target).iterator_types.data)
            return None if rank < 3 else [*[1] * (rank - 3), m, n, k]
        if target.name == "vector.transfer_write":
            rank = len(cast("VectorType", target.operands[0].type).get_shape())
            return None if rank < 2 else [*[1] * (rank - 2), m, n]
        if target.name == "vector.transfer_read":
            return _slice_shape(target)[1]
        if is_elementwise(target) and len(target.results) == 1:
            ty = target.results[0].type
            if not isinstance(ty, VectorType) or len(ty.get_shape()) < 2:
                return None
            sliced, shape = _slice_shape(target)
            if not sliced:
                return None
            return shape if shape is not None else [*[1] * (len(ty.get_shape()) - 2), m, n]
        return None

    return UnrollPatterns(shape_of, _order)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reading `vector.transfer_read` and `vector.transfer_write` alike, and building them.

Also small builders for what transfers become: extracts, inserts, broadcasts, transposes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    ArrayAttr,
    BoolAttr,
    IndexType,
    IntegerAttr,
    VectorType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap

from xgpu.dialects.memref_layout import strides_and_offset
from xgpu.dialects.syntax_helpers import i64_array, scalable_dims
from xgpu.dialects.vector.ops import vector_type

if TYPE_CHECKING:
    from xdsl.dialects.builtin import MemRefType, TensorType

    from xgpu.core.ods.operation import OdsOperation
    from xgpu.core.rewriting.builder import Rewriter
    from xgpu.dialects import vector

READ, WRITE = "vector.transfer_read", "vector.transfer_write"
_INDEX = IndexType()


class Transfer:
    """What a transfer operation transfers: operands and attributes by their meaning."""

    __slots__ = (
        "base",
        "in_bounds",
        "indices",
        "is_read",
        "map",
        "mask",
        "op",
        "padding",
        "vector",
    )

    def __init__(self, op: Operation) -> None:
        group = cast("OdsOperation", op).operand_group
        first = 0 if op.name == READ else 1
        self.op: Operation = op
        self.is_read = op.name == READ
        self.base: SSAValue = group(first)[0]
        self.indices: list[SSAValue] = list(group(first + 1))
        self.padding: SSAValue | None = group(2)[0] if self.is_read else None
        #: What is written, or the result of a read.
        self.vector: SSAValue = op.results[0] if self.is_read else group(0)[0]
        masks = group(3)
        self.mask: SSAValue | None = masks[0] if masks else None
        self.map: AffineMap = cast("AffineMapAttr", op.properties["permutation_map"]).data
        in_bounds = cast("ArrayAttr[IntegerAttr]", op.properties["in_bounds"])
        self.in_bounds = [bool(flag.value.data) for flag in in_bounds.data]

    # --- types -------------------------------------------------------------------------------
    @property
    def vector_type(self) -> VectorType:
        return cast("VectorType", self.vector.type)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.vector_type.get_shape())

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def on_tensor(self) -> bool:
        return self.base.type.name == "tensor"

    @property
    def same_elements(self) -> bool:
        """Whether memory and vector have the same element type."""
        base = cast("MemRefType | TensorType", self.base.type)
        return base.element_type == self.vector_type.element_type

    @property
    def mask_rank(self) -> int:
        kind = cast("VectorType | None", self.mask.type if self.mask is not None else None)
        return len(kind.get_shape()) if kind is not None else 0

    @property
    def leading_scalable(self) -> bool:
        flags = scalable_dims(self.vector_type)
        return bool(flags) and flags[0]

    # --- dimensions --------------------------------------------------------------------------
    def memory_dim(self, dim: int) -> int | None:
        """The dimension of memory that vector dimension `dim` runs along; None: a broadcast."""
        expr = self.map.results[dim]
        return expr.position if isinstance(expr, AffineDimExpr) else None

    def is_broadcast(self, dim: int) -> bool:
        return self.memory_dim(dim) is None

    def has_out_of_bounds_dim(self) -> bool:
        return not all(self.in_bounds)


def bools(values: Iterable[bool]) -> ArrayAttr:
    return ArrayAttr([BoolAttr.from_bool(value) for value in values])


def _attributes(permutation: AffineMap, in_bounds: Sequence[bool]) -> dict[str, Attribute]:
    return {"permutation_map": AffineMapAttr(permutation), "in_bounds": bools(in_bounds)}


def create_read(
    rw: Rewriter,
    result_type: Attribute,
    base: SSAValue,
    indices: Sequence[SSAValue],
    padding: SSAValue,
    permutation: AffineMap,
    in_bounds: Sequence[bool],
    mask: SSAValue | None = None,
) -> SSAValue:
    """Creates a `vector.transfer_read`."""
    operands = [base, list(indices), padding, mask]
    return rw.value(READ, operands, result_type, _attributes(permutation, in_bounds))


def create_write(
    rw: Rewriter,
    vector: SSAValue,
    base: SSAValue,
    indices: Sequence[SSAValue],
    permutation: AffineMap,
    in_bounds: Sequence[bool],
    mask: SSAValue | None = None,
) -> Operation:
    """Creates a `vector.transfer_write`, whose result is the tensor if it writes one."""
    results = [base.type] if base.type.name == "tensor" else []
    operands = [vector, base, list(indices), mask]
    return rw.create(WRITE, operands, results, _attributes(permutation, in_bounds))


# --- maps ----------------------------------------------------------------------------------------
def permuted_minor_identity(affine_map: AffineMap) -> list[int] | None:
    """The permutation that makes of a minor identity with broadcasts `affine_map`, or None.

    Broadcast results get the places that are left: the first ones, if there are more results than
    dimensions.
    """
    count = len(affine_map.results)
    start = affine_map.num_dims - count
    permutation = [0] * count
    found = [False] * count
    broadcasts: list[int] = []
    for at, expr in enumerate(affine_map.results):
        if isinstance(expr, AffineConstantExpr):
            if expr.value != 0:
                return None
            broadcasts.append(at)
        elif isinstance(expr, AffineDimExpr) and expr.position >= max(start, 0):
            permutation[at] = expr.position - start
            found[expr.position - start] = True
        else:
            return None
    place = 0
    for at in broadcasts:
        while place < len(found) and found[place]:
            place += 1
        permutation[at] = place
        place += 1
    return permutation


def is_minor_identity_with_broadcasts(affine_map: AffineMap) -> bool:
    """Whether each result is the minor identity's, or a broadcast."""
    start = affine_map.num_dims - len(affine_map.results)
    if start < 0:
        return False
    return all(
        expr.value == 0
        if isinstance(expr, AffineConstantExpr)
        else isinstance(expr, AffineDimExpr) and expr.position == start + at
        for at, expr in enumerate(affine_map.results)
    )


# --- types ---------------------------------------------------------------------------------------
def without_leading_dims(kind: VectorType, count: int = 1) -> VectorType:
    """A vector type without its first `count` dimensions."""
    shape = tuple(kind.get_shape())
    return vector_type(kind.element_type, shape[count:], scalable_dims(kind)[count:])


def with_unit_dims(kind: VectorType, count: int) -> VectorType:
    """A vector type with `count` more dimensions of size 1 before its own."""
    shape = (1,) * count + tuple(kind.get_shape())
    return vector_type(kind.element_type, shape, (False,) * count + tuple(scalable_dims(kind)))


def last_dim_is_unit_stride(kind: Attribute) -> bool:
    """Whether elements of a memref's last dimension are adjacent."""
    layout = strides_and_offset(cast("MemRefType", kind))
    return layout is not None and (not layout[0] or layout[0][-1] == 1)


# --- building ------------------------------------------------------------------------------------
def _position(position: Sequence[SSAValue | int]) -> tuple[list[SSAValue], Attribute]:
    dynamic = [p for p in position if not isinstance(p, int)]
    return dynamic, i64_array([p if isinstance(p, int) else DYNAMIC_INDEX for p in position])


def extract(rw: Rewriter, source: SSAValue, *position: SSAValue | int) -> SSAValue:
    """Creates a `vector.extract`; of the element type if the position is complete."""
    kind = cast("VectorType", source.type)
    dynamic, static = _position(position)
    complete = len(position) == len(kind.get_shape())
    result = kind.element_type if complete else without_leading_dims(kind, len(position))
    return rw.value("vector.extract", [source, *dynamic], result, {"static_position": static})


def insert(rw: Rewriter, value: SSAValue, dest: SSAValue, *position: SSAValue | int) -> SSAValue:
    """Creates a `vector.insert`."""
    dynamic, static = _position(position)
    operands = [value, dest, *dynamic]
    return rw.value("vector.insert", operands, dest.type, {"static_position": static})


def mixed_position(op: vector.ExtractOp | vector.InsertOp) -> list[SSAValue | int]:
    """The position of a `vector.extract` or `vector.insert`."""
    dynamic = iter(op.operand_group(1 if op.name == "vector.extract" else 2))
    static = op.static_position.get_values()
    return [next(dynamic) if p == DYNAMIC_INDEX else p for p in static]


def broadcast(rw: Rewriter, value: SSAValue, kind: Attribute) -> SSAValue:
    return rw.value("vector.broadcast", [value], kind)


def transpose(rw: Rewriter, value: SSAValue, permutation: Sequence[int]) -> SSAValue:
    """Creates a `vector.transpose`: result dimension i is the source's `permutation[i]`."""
    kind = cast("VectorType", value.type)
    shape, flags = tuple(kind.get_shape()), scalable_dims(kind)
    result = vector_type(
        kind.element_type, [shape[p] for p in permutation], [flags[p] for p in permutation]
    )
    return rw.value("vector.transpose", [value], result, {"permutation": i64_array(permutation)})

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An operation on one process, and indices of processes.

Source: MLIR 22.1 ShardingInterface.cpp, Transforms.cpp of shard, ShardingInterfaceImpl.cpp of
linalg.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, AnyFloat, IntegerType, SymbolRefAttr, TensorType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineExpr, AffineSymExpr

from xgpu.core import ods
from xgpu.core.ir import affine
from xgpu.core.ir.construction import set_type
from xgpu.core.ir.errors import error, op_error
from xgpu.core.ir.op_info import traits_of
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.affine.index_math import as_value, folded_apply
from xgpu.dialects.affine.maps import Mixed
from xgpu.dialects.arith.builders import cmpi, constant, index_constant
from xgpu.dialects.linalg import ops as linalg_ops
from xgpu.dialects.shard.sharding import INDEX, Grid, Sharding, axes_attribute, grid_at, shard_type
from xgpu.transforms.linalg.decompose_aggregates import create_fill
from xgpu.transforms.linalg.vectorization.maps import combiner
from xgpu.transforms.scf.builders import if_else

Shardings = Sequence["Sharding | None"]


@dataclass(frozen=True)
class OnProcess:
    """An operation, its shardings, and what its operands are on one process. `mapping` has for
    each value of the whole program the value on one process, `blocks` likewise. What the
    operation becomes is built with `rw`."""

    op: Operation
    operands: Shardings
    results: Shardings
    mapping: dict[SSAValue, SSAValue]
    blocks: Mapping[Block, Block]
    rw: Rewriter

    def grid(self, sharding: Sharding) -> Grid:
        return grid_at(self.op, sharding.grid)

    def shard_type(self, kind: Attribute, sharding: Sharding | None) -> Attribute:
        """The type of a shard. Reports a dimension that cannot be split so."""
        if sharding is None:
            return kind
        try:
            return shard_type(kind, self.grid(sharding), sharding)
        except ValueError as problem:
            raise error(self.op, f"cannot be partitioned: {problem}") from None

    def clone(self) -> Operation:
        """A copy whose results have the types of shards."""
        return self.clone_with(self.mapping)

    def clone_with(self, operands: Mapping[SSAValue, SSAValue]) -> Operation:
        """The same with operands of its own."""
        mapping = dict(operands)
        made = self.op.clone(mapping, dict(self.blocks))
        made.location = self.op.location
        for result, sharding in zip(made.results, self.results, strict=True):
            set_type(result, self.shard_type(result.type, sharding))
        self.rw.insert(made)
        self.mapping.update(zip(self.op.results, made.results, strict=True))
        return made


def partition_replicated(given: OnProcess) -> None:
    """The same on all processes: an operation of which nothing is known takes whole tensors, unless
    it ends a block and passes on what it takes."""
    is_split = any(
        s is not None and not s.is_replication for s in (*given.operands, *given.results)
    )
    if is_split and "Terminator" not in traits_of(given.op.name):
        raise op_error(
            given.op,
            "cannot be partitioned: sharding interface is not implemented, and its tensors are "
            "not on all processes as a whole",
        )
    given.clone()


# -- Indices of processes.


def indices_along(
    rw: Rewriter, name: str, grid: SymbolRefAttr, axes: Sequence[int]
) -> list[SSAValue]:
    """`shard.process_multi_index` or `shard.grid_shape` along some axes."""
    properties: dict[str, Attribute] = {"grid": grid, "axes": axes_attribute(axes)}
    return list(rw.create(name, (), [INDEX] * len(axes), properties).results)


def linear_index(rw: Rewriter, indices: Sequence[Mixed], sizes: Sequence[Mixed]) -> Mixed:
    """The position of an element in the order of rows: composed affine.apply."""
    strides: list[Mixed] = []
    for at in range(len(sizes)):
        product: AffineExpr = AffineConstantExpr(1)
        for following in range(len(sizes) - 1, at, -1):
            product = affine.mul(product, AffineSymExpr(following))
        strides.append(folded_apply(rw, product, sizes))
    total: AffineExpr = AffineConstantExpr(0)
    operands: list[Mixed] = []
    for index, stride in zip(indices, strides, strict=True):
        at = len(operands)
        total = affine.add(total, affine.mul(AffineSymExpr(at), AffineSymExpr(at + 1)))
        operands += (index, stride)
    return folded_apply(rw, total, operands)


def process_linear_index(rw: Rewriter, grid: SymbolRefAttr, axes: Sequence[int]) -> SSAValue:
    """The index of this process among those along some axes."""
    indices = indices_along(rw, "shard.process_multi_index", grid, axes)
    sizes = indices_along(rw, "shard.grid_shape", grid, axes)
    return as_value(rw, linear_index(rw, indices, sizes))


# -- Reductions over axes of the grid.

#: Operations that combine, by the kind of a reduction between processes.
REDUCTIONS = {
    "sum": ("arith.addf", "arith.addi"),
    "product": ("arith.mulf", "arith.muli"),
    "max": ("arith.maximumf", "arith.maxui", "arith.maxsi"),
    "min": ("arith.minimumf", "arith.minui", "arith.minsi"),
    "bitwise_or": ("arith.ori",),
    "bitwise_xor": ("arith.xori",),
    "bitwise_and": ("arith.andi",),
}
_KINDS = {name: kind for kind, names in REDUCTIONS.items() for name in names}
_NEUTRAL_FLOATS = {"sum": 0.0, "product": 1.0, "max": -inf, "min": inf}


def _neutral(name: str, kind: Attribute) -> int | float | None:
    """What leaves the other operand of a combining operation as it is."""
    if isinstance(kind, AnyFloat):
        return _NEUTRAL_FLOATS.get(_KINDS.get(name, ""))
    if not isinstance(kind, IntegerType):
        return None
    top = 1 << (kind.width.data - 1)
    known = {"muli": 1, "maxui": 0, "minui": -1, "maxsi": -top, "minsi": top - 1, "andi": -1}
    zeros = dict.fromkeys(("addi", "ori", "xori"), 0)
    return {**zeros, **known}.get(name.removeprefix("arith."))


def partition_reduction(given: OnProcess, axes: Sequence[int]) -> None:
    """A reduction over loops that are split: each process reduces its part, the first of a group
    into the given tensor and the others into a neutral one; an all_reduce combines them."""
    op, rw = given.op, given.rw
    outputs = linalg_ops.outputs(op)
    if len(outputs) != 1 or len(op.results) != 1:
        raise op_error(op, "cannot be partitioned: a split reduction must have one result")
    combining = combiner(op, 0)
    element = cast("TensorType[Attribute]", outputs[0].type).element_type
    neutral = None if combining is None else _neutral(combining.name, element)
    if combining is None or neutral is None:
        raise op_error(op, "cannot be partitioned: its reduction has no neutral element")
    sharding = next(s for s in (*given.operands, *given.results) if s is not None)
    start = _first_process_only(rw, sharding.grid, axes, given.mapping[outputs[0]], neutral)
    mapping = {**given.mapping, outputs[0]: start}
    part = given.clone_with(mapping).results[0]
    reduction = {} if _KINDS[combining.name] == "sum" else _reduction(_KINDS[combining.name])
    properties = {"grid": sharding.grid, "grid_axes": axes_attribute(axes), **reduction}
    given.mapping[op.results[0]] = rw.value("shard.all_reduce", [part], part.type, properties)


def _reduction(kind: str) -> dict[str, Attribute]:
    return {"reduction": ods.enum("shard.partial", kind)}


def _first_process_only(
    rw: Rewriter, grid: SymbolRefAttr, axes: Sequence[int], given: SSAValue, neutral: int | float
) -> SSAValue:
    """The given tensor on the first process along the axes, a neutral one on the others."""
    index = process_linear_index(rw, grid, axes)
    is_first = cmpi(rw, "eq", index, index_constant(rw, 0))
    chosen = if_else(
        rw, is_first, [given.type], lambda: [given], lambda: [_filled(rw, given, neutral)]
    )
    return chosen.results[0]


def _filled(rw: Rewriter, like: SSAValue, number: int | float) -> SSAValue:
    """A tensor of the shape of another, with one number everywhere."""
    kind = cast("TensorType[Attribute]", like.type)
    open_sizes = [
        rw.value("tensor.dim", [like, index_constant(rw, at)], INDEX)
        for at, extent in enumerate(kind.get_shape())
        if extent == DYNAMIC_INDEX
    ]
    empty = rw.value("tensor.empty", open_sizes, kind)
    return create_fill(rw, constant(rw, number, kind.element_type), empty).results[0]

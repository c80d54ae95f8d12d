# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tensor.pad as what is around, and an insertion of the source.

    %p = tensor.pad %a low[1] high[2] { yield %c } : tensor<5xf32> to tensor<8xf32>
    =>
    %e = tensor.empty() : tensor<8xf32>
    %f = linalg.fill ins(%c) outs(%e)
    %p = tensor.insert_slice %a into %f[1] [5] [1]

What depends on the place is computed by tensor.generate. Source: MLIR 22.1
ConvertToDestinationStyle.cpp, Transforms.cpp (DecomposePadOpPattern).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerType, TensorType, i64
from xdsl.ir import Attribute, Region, SSAValue

from xgpu.dialects.affine.index_math import as_value
from xgpu.dialects.affine.maps import Mixed
from xgpu.dialects.linalg.bodies import build_region
from xgpu.dialects.syntax_helpers import DYNAMIC
from xgpu.transforms.linalg.vectorization.packing import constant_padding, outside
from xgpu.transforms.linalg.vectorization.whole import size_at, sizes_of
from xgpu.transforms.memref.view_metadata import mixed

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern
    from xgpu.core.rewriting.rewriter import Rewriter


def create_fill(rw: Rewriter, value: SSAValue, dest: SSAValue) -> Operation:
    """linalg.fill of the tensor or memref `dest` with `value`."""
    region = build_region("linalg.fill", [value, dest], {}, 1, rw.location)
    types = [dest.type] if isinstance(dest.type, TensorType) else []
    return rw.create("linalg.fill", [[value], [dest]], types, regions=[region])


def decompose_pad(op: Operation, rw: GreedyRewriter) -> bool:
    kind = cast("TensorType[Attribute]", op.results[0].type)
    source = op.operands[0]
    low, high = mixed(op, "low", 1), mixed(op, "high", 1 + _dynamic_lows(op))
    dynamic: list[SSAValue] = []
    for dim, size in enumerate(kind.get_shape()):
        if size == DYNAMIC:
            inner = as_value(rw, size_at(rw, source, dim))
            dynamic.append(_sum(rw, _sum(rw, inner, low[dim]), high[dim]))
    around = _around(op, rw, kind, dynamic)
    sizes = sizes_of(rw, source)
    groups: list[list[SSAValue]] = [[source], [around]]
    properties: dict[str, Attribute] = {}
    ones: list[Mixed] = [1] * len(sizes)
    for name, items in (("offsets", low), ("sizes", sizes), ("strides", ones)):
        groups.append([item for item in items if isinstance(item, SSAValue)])
        numbers = [item if isinstance(item, int) else DYNAMIC for item in items]
        properties[f"static_{name}"] = DenseArrayBase.from_list(i64, numbers)
    rw.replace_with(op, "tensor.insert_slice", groups, [kind], properties)
    return True


def _dynamic_lows(op: Operation) -> int:
    lows = cast("DenseArrayBase[IntegerType]", op.properties["static_low"]).get_values()
    return sum(number == DYNAMIC for number in lows)


def _sum(rw: Rewriter, left: SSAValue, right: Mixed) -> SSAValue:
    if right == 0:
        return left
    return rw.value("arith.addi", [left, as_value(rw, right)], left.type)


def _around(
    op: Operation, rw: Rewriter, kind: TensorType[Attribute], dynamic: list[SSAValue]
) -> SSAValue:
    """A tensor of the padded size that is padding everywhere."""
    value = constant_padding(op)
    empty = rw.value("tensor.empty", dynamic, kind)
    if value is not None:
        return create_fill(rw, outside(rw, op, value), empty).results[0]
    region = Region()
    op.regions[0].move_blocks(region)
    return rw.create("tensor.generate", dynamic, [kind], regions=[region]).results[0]


PATTERNS: dict[str, tuple[Pattern, ...]] = {"tensor.pad": (decompose_pad,)}

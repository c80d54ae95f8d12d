# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gpu operations in terms of simpler ones: what MLIR calls the gpu rewrite patterns.

    gpu.global_id x   =>  block_id x * block_dim x + thread_id x
    gpu.subgroup_id   =>  linear thread id / gpu.subgroup_size
    gpu.shuffle of i64, f64  =>  two of i32
    gpu.all_reduce uniform   =>  `all_reduce.py`

Source: MLIR 22.1 GlobalIdRewriter.cpp, SubgroupIdRewriter.cpp, ShuffleRewriter.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import Float64Type, IndexType, IntegerType, i1, i32, i64

from xgpu.core import ods
from xgpu.dialects.arith.builders import constant
from xgpu.transforms.gpu.all_reduce import lower_all_reduces

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from xdsl.dialects.builtin import IntAttr
    from xdsl.ir import Operation, SSAValue

    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern
    from xgpu.core.rewriting.rewriter import Rewriter
    from xgpu.dialects import gpu

_INDEX = IndexType()


def _id(rw: Rewriter, name: str, dimension: str) -> SSAValue:
    return rw.value(name, (), _INDEX, {"dimension": ods.enum("gpu.dim", dimension)})


def _index(rw: Rewriter, name: str, left: SSAValue, right: SSAValue) -> SSAValue:
    return rw.value(f"arith.{name}", (left, right), _INDEX)


def rewrite_global_id(op: Operation, rw: Rewriter) -> bool:
    """block_id * block_dim + thread_id"""
    dimension = cast("gpu.DimAttr", op.properties["dimension"])
    block = _id(rw, "gpu.block_id", dimension.data)
    size = _id(rw, "gpu.block_dim", dimension.data)
    start = _index(rw, "muli", block, size)
    thread = _id(rw, "gpu.thread_id", dimension.data)
    rw.replace(op, [_index(rw, "addi", thread, start)])
    return True


def rewrite_subgroup_id(op: Operation, rw: GreedyRewriter) -> bool:
    """(tid.x + dim.x * (tid.y + dim.y * tid.z)) / subgroup_size"""
    dim_x = _id(rw, "gpu.block_dim", "x")
    dim_y = _id(rw, "gpu.block_dim", "y")
    tid_x, tid_y, tid_z = (_id(rw, "gpu.thread_id", d) for d in "xyz")
    row = _index(rw, "addi", _index(rw, "muli", dim_y, tid_z), tid_y)
    linear = _index(rw, "addi", tid_x, _index(rw, "muli", dim_x, row))
    size = rw.value("gpu.subgroup_size", (), _INDEX)
    rw.replace(op, [_index(rw, "divui", linear, size)])
    return True


def rewrite_shuffle(op: Operation, rw: GreedyRewriter) -> bool:
    """A 64-bit shuffle as two of 32 bits."""
    value, offset, width = op.operands
    ty = value.type
    is_float = isinstance(ty, Float64Type)
    if not is_float and not (isinstance(ty, IntegerType) and cast("IntAttr", ty.width).data == 64):
        return False
    if is_float:
        value = rw.value("arith.bitcast", (value,), i64)
    low = rw.value("arith.trunci", (value,), i32)
    thirty_two = constant(rw, 32, i64)
    shifted = rw.value("arith.shrui", (value, thirty_two), i64)
    high = rw.value("arith.trunci", (shifted,), i32)
    mode = {"mode": op.properties["mode"]}
    shuffled = [
        rw.create("gpu.shuffle", (half, offset, width), (i32, i1), mode) for half in (low, high)
    ]
    low, high = (rw.value("arith.extui", (s.results[0],), i64) for s in shuffled)
    high = rw.value("arith.shli", (high, thirty_two), i64)
    result = rw.value("arith.ori", (high, low), i64)
    if is_float:
        result = rw.value("arith.bitcast", (result,), ty)
    valid = rw.value("arith.andi", (shuffled[0].results[1], shuffled[1].results[1]), i1)
    rw.replace(op, [result, valid])
    return True


def rewrite_all_reduces(op: Operation, rw: GreedyRewriter) -> bool:
    """All reductions of a kernel at once: they share its buffers."""
    return lower_all_reduces(op, rw)


PATTERNS = {
    "gpu.func": (rewrite_all_reduces,),
    "gpu.global_id": (rewrite_global_id,),
    "gpu.subgroup_id": (rewrite_subgroup_id,),
    "gpu.shuffle": (rewrite_shuffle,),
}


def apply_gpu_rewrites(
    root: Operation, more: Mapping[str, Sequence[Pattern]] | None = None
) -> None:
    """Rewrites, and folds on the way, as MLIR's greedy driver does; `more` are other patterns."""
    from xgpu.core.rewriting.greedy import apply_patterns

    apply_patterns(root, {**PATTERNS, **(more or {})})

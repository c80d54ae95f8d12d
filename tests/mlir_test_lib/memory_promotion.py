# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments of kernels are copied to workgroup memory, and back at the end.

The innermost three loops of the copies run over the threads of the block.
Source: MLIR 22.1 GPU MemoryPromotion.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import (
    AffineMapAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    i64,
)
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap, AffineSymExpr

from xgpu.conversion.vector.scf_transfers import size_of
from xgpu.core import ods
from xgpu.core.ir import affine
from xgpu.core.ir.errors import op_error
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.arith.builders import index_constant
from xgpu.dialects.gpu.syntax import WORKGROUP_COUNT

if TYPE_CHECKING:
    from xdsl.context import Context

_INDEX = IndexType()
_S0, _S1 = AffineSymExpr(0), AffineSymExpr(1)
_PRODUCT = AffineMap(0, 2, (affine.mul(_S0, _S1),))
_SUM = AffineMap(0, 2, (affine.add(_S0, _S1),))
_THREADS = 3
_MARK = "gpu.test_promote_workgroup"


def _apply(rw: Rewriter, what: AffineMap, left: SSAValue, right: SSAValue) -> SSAValue:
    return rw.value("affine.apply", [left, right], _INDEX, {"map": AffineMapAttr(what)})


def _copy(rw: Rewriter, source: SSAValue, target: SSAValue) -> None:
    """Builds the loops that copy `source` to `target`, at least three."""
    kind: Any = source.type
    rank = len(kind.get_shape())
    zero, one = index_constant(rw, 0), index_constant(rw, 1)
    missing = max(_THREADS - rank, 0)
    uppers = [one] * missing
    for dim in range(rank):
        # MLIR makes a constant of the dimension first, which it then may not need.
        index_constant(rw, dim)
        uppers.append(size_of(rw, source, dim))
    ids: list[tuple[SSAValue, SSAValue]] = []
    for name in "xyz":
        dimension = {"dimension": ods.enum("gpu.dim", name)}
        thread = rw.value("gpu.thread_id", (), _INDEX, dimension)
        ids.append((thread, rw.value("gpu.block_dim", (), _INDEX, dimension)))
    outer = rw.anchor, rw.block
    ivs: list[SSAValue] = []
    first_mapped = len(uppers) - _THREADS
    for at, upper in enumerate(uppers):
        lower, step = zero, one
        if at >= first_mapped:
            thread, size = ids[len(uppers) - 1 - at]
            lower = _apply(rw, _SUM, _apply(rw, _PRODUCT, thread, one), zero)
            step = _apply(rw, _PRODUCT, size, one)
        block = Block(arg_types=[_INDEX])
        rw.create("scf.for", [lower, upper, step], regions=[Region(block)])
        end = ods.create("scf.yield", location=rw.location)
        block.add_op(end)
        rw.before(end)
        ivs.append(block.args[0])
    active = ivs[missing:]
    loaded = rw.value("memref.load", [source, *active], kind.element_type)
    rw.create("memref.store", [loaded, target, *active])
    rw.anchor, rw.block = outer


def promote_to_workgroup_memory(function: Operation, number: int) -> None:
    """Lets the body of a gpu.func use a copy of argument `number` in workgroup memory."""
    region = function.regions[0]
    entry = region.blocks[0]
    argument = entry.args[number]
    kind: Any = argument.type
    if not isinstance(kind, MemRefType) or not kind.has_static_shape():
        raise op_error(function, "can only promote memrefs of a static shape")
    if len(region.blocks) != 1:
        raise op_error(function, "unstructured control flow cannot be promoted")
    space: Any = ods.enum("gpu.address_space", "workgroup")
    buffer_type = MemRefType(kind.element_type, kind.get_shape(), NoneAttr(), space)
    signature: Any = function.properties["function_type"]
    stated: Any = function.attributes.get(WORKGROUP_COUNT)
    count = stated.value.data if stated is not None else 0
    buffer = entry.insert_arg(buffer_type, len(signature.inputs.data) + count)
    function.attributes[WORKGROUP_COUNT] = IntegerAttr(count + 1, i64)
    argument.replace_all_uses_with(buffer)
    rw = Rewriter(entry.first_op, block=entry, location=function.location)
    rw.location = function.location
    _copy(rw, argument, buffer)
    rw.create("gpu.barrier")
    assert entry.last_op is not None
    rw.before(entry.last_op)
    rw.create("gpu.barrier")
    _copy(rw, buffer, argument)


class TestGpuMemoryPromotion(Pass):
    """Promotes the arguments that are marked with `gpu.test_promote_workgroup`."""

    name = "test-gpu-memory-promotion"
    summary = "Promotes the annotated arguments of gpu.func to workgroup memory."
    anchor = "gpu.func"

    def run(self, op: Operation, ctx: Context) -> None:
        attributes: Any = op.properties.get("arg_attrs")
        if attributes is None:
            return
        for number, marks in enumerate(attributes.data):
            if _MARK in marks.data:
                promote_to_workgroup_memory(op, number)

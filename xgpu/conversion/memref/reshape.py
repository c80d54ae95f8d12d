# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""memref.reshape to a rank that is known at run time only: a loop fills a descriptor in memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, SSAValue

from xgpu.conversion.memref.descriptor import (
    MemRefDescriptor,
    UnrankedDescriptor,
    unranked_size_in_bytes,
)
from xgpu.core.ir.blocks import split_before
from xgpu.core.rewriting.driver import NoMatch
from xgpu.dialects.llvm import builders as llvm
from xgpu.dialects.llvm.types import LLVMStructType

if TYPE_CHECKING:
    from xdsl.dialects.builtin import MemRefType

    from xgpu.conversion.llvm_types import LLVMTypeConverter
    from xgpu.core.rewriting.driver import Conversion


def reshape_unranked(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    """The rank is the length of the shape; sizes are copied and strides computed, last first."""
    types = cast("LLVMTypeConverter", rw.types)
    index = types.index
    shape_type = cast("MemRefType", op.operands[1].type)
    if not isinstance(shape_type.element_type, IndexType):
        raise NoMatch("expected a shape of index")
    if not hasattr(op.operands[0].type, "shape"):
        raise NoMatch("expected a source of known rank")
    extent = shape_type.get_shape()[0]
    shape = MemRefDescriptor(rw, operands[1])
    rank = shape.size(0) if extent < 0 else llvm.index_constant(rw, extent, index)
    result = UnrankedDescriptor.poison(rw, rw.convert_type(op.results[0].type))
    result.set_rank(rank)
    memory = llvm.alloca(rw, unranked_size_in_bytes(rw, types, result, 0), llvm.I8)
    result.set_pointer(memory)

    source = MemRefDescriptor(rw, operands[0])
    parts = (source.allocated(), source.aligned(), source.offset())
    pointer = source.pointer_type
    llvm.store(rw, parts[0], memory)
    llvm.store(rw, parts[1], llvm.gep(rw, memory, pointer, [1]))
    llvm.store(rw, parts[2], llvm.gep(rw, memory, pointer, [2]))
    fixed = LLVMStructType((pointer, pointer, index, index))
    sizes = llvm.gep(rw, memory, fixed, [0, 3])
    strides = llvm.gep(rw, sizes, index, [rank])
    extents = shape.aligned()
    one = llvm.index_constant(rw, 1, index)
    last = llvm.binary(rw, "sub", rank, one)

    head, tail = split_before(op)
    region = tail.parent
    assert region is not None
    condition = Block(arg_types=[index, index])
    for argument in condition.args:
        argument.location = op.location
    body = Block()
    region.insert_block_before(condition, tail)
    region.insert_block_before(body, tail)
    rw.at_end(head)
    llvm.branch(rw, condition, [last, one])

    rw.at_end(condition)
    position, stride = condition.args
    zero = llvm.index_constant(rw, 0, index)
    goes_on = llvm.icmp(rw, "sge", position, zero)
    llvm.cond_branch(rw, goes_on, body, tail)

    rw.at_end(body)
    size = llvm.load(rw, llvm.gep(rw, extents, index, [position]), index)
    llvm.store(rw, size, llvm.gep(rw, sizes, index, [position]))
    llvm.store(rw, stride, llvm.gep(rw, strides, index, [position]))
    next_stride = llvm.binary(rw, "mul", stride, size)
    next_position = llvm.binary(rw, "sub", position, one)
    llvm.branch(rw, condition, [next_position, next_stride])
    rw.before(op)
    return [result.value]

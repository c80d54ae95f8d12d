# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Other looks at the same memory, in the llvm dialect: casts, views, reshapes, metadata."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IndexType, MemRefType, UnrankedMemRefType, i64
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr

from xgpu.conversion.memref_descriptor import (
    MemRefDescriptor,
    UnrankedDescriptor,
    element_pointer,
    unranked_size_in_bytes,
)
from xgpu.core.ir.blocks import split_before
from xgpu.core.rewriting.driver import Conversion, NoMatch, Rule
from xgpu.dialects import memref
from xgpu.dialects.llvm import builders as llvm
from xgpu.dialects.llvm.types import LLVMPointerType, LLVMStructType
from xgpu.dialects.memref_layout import strided_form

if TYPE_CHECKING:
    from xgpu.conversion.llvm_types import LLVMTypeConverter


# --- reshape -------------------------------------------------------------------------------------
# memref.reshape to a rank that is known at run time only: a loop fills a descriptor in memory.


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


# --- views ---------------------------------------------------------------------------------------
# Other looks at the same memory, in the llvm dialect: casts, views, metadata.
#
# subview, expand_shape and collapse_shape are for `expand-strided-metadata` before.
# Source: MLIR 22.1 MemRefToLLVM.cpp.


#: What stands in static_offsets, static_sizes, static_strides for an operand.
_DYNAMIC = -(2**63)


def lower_cast(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    types = cast("LLVMTypeConverter", rw.types)
    source, target = op.operands[0].type, op.results[0].type
    new_type = cast("LLVMStructType", rw.convert_type(target))
    value = operands[0]
    if isinstance(source, MemRefType) and isinstance(target, MemRefType):
        if value.type != new_type:
            raise NoMatch("the descriptors differ")
        return [value]
    if isinstance(source, MemRefType):
        one = llvm.index_constant(rw, 1, i64)
        memory = llvm.alloca(rw, one, value.type)
        llvm.store(rw, value, memory)
        rank = llvm.index_constant(rw, source.get_num_dims(), types.index)
        descriptor = UnrankedDescriptor.poison(rw, new_type)
        descriptor.set_rank(rank)
        descriptor.set_pointer(memory)
        return [descriptor.value]
    if isinstance(target, MemRefType):
        return [llvm.load(rw, UnrankedDescriptor(rw, value).pointer(), new_type)]
    raise NoMatch("a cast between memrefs of unknown rank is none")


def lower_memory_space_cast(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    types = cast("LLVMTypeConverter", rw.types)
    target = op.results[0].type
    pointer = types.pointer(cast("MemRefType | UnrankedMemRefType", target))
    if pointer is None:
        raise NoMatch("the memory space has no address space")
    if isinstance(target, MemRefType):
        parts = MemRefDescriptor(rw, operands[0]).unpack()
        parts[0] = rw.value("llvm.addrspacecast", [parts[0]], pointer)
        parts[1] = rw.value("llvm.addrspacecast", [parts[1]], pointer)
        return [MemRefDescriptor.pack(rw, types, target, parts).value]
    return [_cast_unranked_space(op, operands[0], pointer, rw)]


def _cast_unranked_space(
    op: Operation, value: SSAValue, new: LLVMPointerType, rw: Conversion
) -> SSAValue:
    """A copy of the descriptor on the stack, with its two pointers cast."""
    types = cast("LLVMTypeConverter", rw.types)
    old = types.pointer(cast("MemRefType | UnrankedMemRefType", op.operands[0].type))
    if old is None:
        raise NoMatch("the memory space has no address space")
    source = UnrankedDescriptor(rw, value)
    rank, memory = source.rank(), source.pointer()
    target = UnrankedDescriptor.poison(rw, rw.convert_type(op.results[0].type))
    target.set_rank(rank)
    size = unranked_size_in_bytes(rw, types, target, 0)
    copy = llvm.alloca(rw, size, llvm.I8)
    target.set_pointer(copy)
    allocated = llvm.load(rw, memory, old)
    aligned = llvm.load(rw, llvm.gep(rw, memory, old, [1]), old)
    allocated = rw.value("llvm.addrspacecast", [allocated], new)
    aligned = rw.value("llvm.addrspacecast", [aligned], new)
    llvm.store(rw, allocated, copy)
    llvm.store(rw, aligned, llvm.gep(rw, copy, new, [1]))
    old_rest = llvm.gep(rw, memory, old, [2])
    new_rest = llvm.gep(rw, copy, new, [2])
    pointers = llvm.index_constant(rw, 16, types.index)
    llvm.memcpy(rw, new_rest, old_rest, llvm.binary(rw, "sub", size, pointers))
    return target.value


def _source_pointers(rw: Conversion, ty: Attribute, value: SSAValue) -> tuple[SSAValue, SSAValue]:
    """The allocated and the aligned pointer of a memref of known or unknown rank."""
    types = cast("LLVMTypeConverter", rw.types)
    if isinstance(ty, MemRefType):
        memref = MemRefDescriptor(rw, value)
        return memref.allocated(), memref.aligned()
    assert isinstance(ty, UnrankedMemRefType)
    pointer = types.pointer(ty)
    if pointer is None:
        raise NoMatch("the memory space has no address space")
    memory = UnrankedDescriptor(rw, value).pointer()
    allocated = llvm.load(rw, memory, pointer)
    aligned = llvm.load(rw, llvm.gep(rw, memory, pointer, [1]), pointer)
    return allocated, aligned


def lower_reinterpret_cast(
    op: memref.ReinterpretCastOp, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    target = op.results[0].type
    sizes = op.properties["operandSegmentSizes"]
    _, offsets, extents, _ = sizes.get_values()
    statics = (op.static_offsets, op.static_sizes, op.static_strides)
    rest = list(operands[1:])
    groups = (rest[:offsets], rest[offsets : offsets + extents], rest[offsets + extents :])
    mixed: list[list[SSAValue | int]] = []
    for static, dynamic in zip(statics, groups, strict=True):
        values = iter(dynamic)
        mixed.append([next(values) if n == _DYNAMIC else n for n in static.get_values()])
    descriptor = MemRefDescriptor.poison(rw, rw.convert_type(target))
    allocated, aligned = _source_pointers(rw, op.operands[0].type, operands[0])
    descriptor.set_allocated(allocated)
    descriptor.set_aligned(aligned)

    def value(what: SSAValue | int) -> SSAValue:
        return descriptor.constant(what) if isinstance(what, int) else what

    descriptor.set_offset(value(mixed[0][0]))
    for i, (size, stride) in enumerate(zip(mixed[1], mixed[2], strict=True)):
        descriptor.set_size(i, value(size))
        descriptor.set_stride(i, value(stride))
    return [descriptor.value]


def lower_transpose(
    op: memref.TransposeOp, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    source = MemRefDescriptor(rw, operands[0])
    permutation = op.properties["permutation"]
    target = MemRefDescriptor.poison(rw, rw.convert_type(op.results[0].type))
    target.set_allocated(source.allocated())
    target.set_aligned(source.aligned())
    target.set_offset(source.offset())
    for i, dimension in enumerate(cast("Sequence[AffineDimExpr]", permutation.data.results)):
        target.set_size(i, source.size(dimension.position))
        target.set_stride(i, source.stride(dimension.position))
    return [target.value]


def lower_view(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    """A typed look at bytes, which begins at a shift."""
    types = cast("LLVMTypeConverter", rw.types)
    ty = cast("MemRefType", op.results[0].type)
    form = strided_form(ty)
    if form is None or form[1] != 0:
        raise NoMatch("expected a view with strides and without an offset")
    strides = form[0]
    source_type = cast("MemRefType", op.operands[0].type)
    source = MemRefDescriptor(rw, operands[0])
    shift, *dynamic = operands[1:]
    target = MemRefDescriptor.poison(rw, rw.convert_type(ty))
    target.set_allocated(source.allocated())
    byte = rw.convert_type(source_type.element_type)
    target.set_aligned(llvm.gep(rw, source.aligned(), byte, [shift]))
    target.set_offset(llvm.index_constant(rw, 0, types.index))
    stride: SSAValue | None = None
    inner_size: SSAValue | None = None
    shape = ty.get_shape()
    for i in reversed(range(len(shape))):
        if shape[i] < 0:
            size = dynamic[sum(d < 0 for d in shape[:i])]
        else:
            size = llvm.index_constant(rw, shape[i], types.index)
        target.set_size(i, size)
        known = strides[i]
        if known is not None:
            stride = llvm.index_constant(rw, known, types.index)
        elif inner_size is not None:
            stride = inner_size if stride is None else llvm.binary(rw, "mul", stride, inner_size)
        else:
            stride = llvm.index_constant(rw, 1, types.index)
        target.set_stride(i, stride)
        inner_size = size
    return [target.value]


# --- metadata ----------------------------------------------------------------------------------
def lower_extract_pointer(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    types = cast("LLVMTypeConverter", rw.types)
    ty = op.operands[0].type
    if isinstance(ty, MemRefType):
        aligned = MemRefDescriptor(rw, operands[0]).aligned()
    else:
        pointer = types.pointer(cast("MemRefType | UnrankedMemRefType", ty))
        if pointer is None:
            raise NoMatch("the memory space has no address space")
        memory = UnrankedDescriptor(rw, operands[0]).pointer()
        aligned = llvm.load(rw, llvm.gep(rw, memory, pointer, [1]), pointer)
    return [rw.value("llvm.ptrtoint", [aligned], types.index)]


def lower_extract_metadata(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    types = cast("LLVMTypeConverter", rw.types)
    source = MemRefDescriptor(rw, operands[0])
    allocated, aligned = source.allocated(), source.aligned()
    buffer = MemRefDescriptor.from_static_shape(
        rw,
        types,
        op.results[0].type,  # pyright: ignore
        allocated,
        aligned,
    )
    rank = source.rank
    return [
        buffer.value,
        source.offset(),
        *(source.size(i) for i in range(rank)),
        *(source.stride(i) for i in range(rank)),
    ]


# --- reshape -----------------------------------------------------------------------------------
def lower_reshape(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    if isinstance(op.results[0].type, MemRefType):
        return _reshape_ranked(op, operands, rw)
    return reshape_unranked(op, operands, rw)


def _reshape_ranked(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    types = cast("LLVMTypeConverter", rw.types)
    ty = cast("MemRefType", op.results[0].type)
    shape_type = cast("MemRefType", op.operands[1].type)
    reads = -1 in ty.get_shape() and not isinstance(shape_type.element_type, IndexType)
    if reads and not rw.has_rule("arith.index_cast"):
        raise NoMatch("the sizes need an arith.index_cast, which is not converted")
    form = strided_form(ty)
    if form is None or form[1] != 0:
        raise NoMatch("expected a result without an offset")
    target = MemRefDescriptor.poison(rw, rw.convert_type(ty))
    allocated, aligned = _source_pointers(rw, op.operands[0].type, operands[0])
    target.set_allocated(allocated)
    target.set_aligned(aligned)
    target.set_offset(target.constant(0))
    stride: SSAValue | None = None
    for i in reversed(range(ty.get_num_dims())):
        known = form[0][i]
        if known is not None or stride is None:
            stride = target.constant(1 if known is None else known)
        extent = ty.get_shape()[i]
        if extent >= 0:
            size = target.constant(extent)
        else:
            index = llvm.index_constant(rw, i, types.index)
            place = element_pointer(rw, types, shape_type, operands[1], [index])
            size = llvm.load(rw, place, rw.convert_type(shape_type.element_type))
            if size.type != types.index:
                wider = size.type.width.data < types.index_bitwidth  # pyright: ignore
                size = rw.value("llvm.sext" if wider else "llvm.trunc", [size], types.index)
        target.set_size(i, size)
        target.set_stride(i, stride)
        stride = llvm.binary(rw, "mul", stride, size)
    return [target.value]


RULES: dict[str, Rule] = {
    "memref.cast": lower_cast,
    "memref.extract_aligned_pointer_as_index": lower_extract_pointer,
    "memref.extract_strided_metadata": lower_extract_metadata,
    "memref.memory_space_cast": lower_memory_space_cast,
    "memref.reinterpret_cast": lower_reinterpret_cast,
    "memref.reshape": lower_reshape,
    "memref.transpose": lower_transpose,
    "memref.view": lower_view,
}

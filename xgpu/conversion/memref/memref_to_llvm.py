# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`finalize-memref-to-llvm`: memrefs as structs of pointers, offset, sizes and strides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    BoolAttr,
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
    MemRefType,
    NoneAttr,
    StringAttr,
    UnitAttr,
    UnrankedMemRefType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xgpu.conversion.llvm_types import LLVMTypeConverter
from xgpu.conversion.memref import allocation as memref_allocation
from xgpu.conversion.memref import views as memref_views
from xgpu.conversion.memref.allocation import size_in_bytes
from xgpu.conversion.memref_descriptor import MemRefDescriptor, UnrankedDescriptor, element_pointer
from xgpu.conversion.to_llvm import INDEX_BITWIDTH
from xgpu.core.ir.blocks import split_before
from xgpu.core.ir.constants import int_of
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.driver import NoMatch, convert
from xgpu.dialects.llvm import builders as llvm
from xgpu.dialects.llvm.types import LLVMArrayType, LLVMStructType
from xgpu.dialects.memref_layout import contiguous_strides, strided_form

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.core.rewriting.driver import Conversion, Rule
    from xgpu.dialects import memref


# --- access --------------------------------------------------------------------------------------
# What is done with memrefs, in the llvm dialect: loads, stores, atomics, sizes, copies.
#
# Source: MLIR 22.1 MemRefToLLVM.cpp.


#: Kinds of memref.atomic_rmw (addf, addi, andi, assign, maximumf, maxnumf, maxs, maxu, minimumf,
#: minnumf, mins, minu, mulf, muli, ori, xori) as numbers of llvm.atomicrmw's operations.
_ATOMIC = (11, 1, 3, 0, 19, 13, 7, 9, 20, 14, 8, 10, None, None, 5, 6)
ACQ_REL, MONOTONIC = 6, 2


def _memory_properties(op: Operation) -> dict[str, Attribute]:
    properties: dict[str, Attribute] = {}
    alignment = op.properties.get("alignment")
    if alignment is not None:
        properties["alignment"] = alignment
    nontemporal = op.properties.get("nontemporal")
    if isinstance(nontemporal, IntegerAttr) and nontemporal.value.data:
        properties["nontemporal"] = UnitAttr()
    return properties


def lower_load(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    types = cast("LLVMTypeConverter", rw.types)
    ty = cast("MemRefType", op.operands[0].type)
    pointer = element_pointer(rw, types, ty, operands[0], operands[1:])
    result = rw.convert_type(op.results[0].type)
    return [llvm.load(rw, pointer, result, **_memory_properties(op))]


def lower_store(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    types = cast("LLVMTypeConverter", rw.types)
    ty = cast("MemRefType", op.operands[1].type)
    pointer = element_pointer(rw, types, ty, operands[1], operands[2:])
    llvm.store(rw, operands[0], pointer, **_memory_properties(op))
    return ()


def lower_prefetch(
    op: memref.PrefetchOp, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    types = cast("LLVMTypeConverter", rw.types)
    ty = cast("MemRefType", op.operands[0].type)
    pointer = element_pointer(rw, types, ty, operands[0], operands[1:], flags=0)
    numbers: dict[str, Attribute] = {}
    for name, source in (("rw", "isWrite"), ("hint", "localityHint"), ("cache", "isDataCache")):
        value = op.properties[source]
        numbers[name] = IntegerAttr(abs(value.value.data), i32)
    rw.create("llvm.intr.prefetch", [pointer], (), numbers)
    return ()


def lower_atomic_rmw(
    op: memref.AtomicRmwOp, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    types = cast("LLVMTypeConverter", rw.types)
    kind = op.properties["kind"]
    target = _ATOMIC[kind.value.data]
    if target is None:
        raise NoMatch("there is no atomicrmw for this kind")
    ty = cast("MemRefType", op.operands[1].type)
    pointer = element_pointer(rw, types, ty, operands[1], operands[2:], flags=0)
    return [
        rw.value(
            "llvm.atomicrmw",
            [pointer, operands[0]],
            operands[0].type,
            {
                "bin_op": IntegerAttr(target, i64),
                "ordering": IntegerAttr(ACQ_REL, i64),
            },
        )
    ]


def lower_generic_atomic_rmw(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    """A loop that computes the new value from the old one until the exchange succeeds. Floats are
    exchanged as the integers of their bits: `llvm.cmpxchg` takes no others."""
    body = op.regions[0].blocks[0]
    for inner in body.ops:
        dialect = inner.name.partition(".")[0]
        known = dialect in ("llvm", "builtin") or inner.name == "memref.atomic_yield"
        if not known and not rw.has_rule(inner.name):
            raise NoMatch(f"the body has an operation that is not converted: {inner.name}")
    end = cast("Operation", body.last_op)
    if end.operands[0].owner.parent is not body and end.operands[0] not in body.args:
        # MLIR takes the new value from the body only.
        raise NoMatch("the new value does not come from the body")
    types = cast("LLVMTypeConverter", rw.types)
    ty = cast("MemRefType", op.operands[0].type)
    value_type = rw.convert_type(op.results[0].type)
    exchanged: Attribute = value_type
    if isinstance(value_type, AnyFloat):
        exchanged = IntegerType(value_type.bitwidth)

    def cast_to(kind: Attribute, value: SSAValue) -> SSAValue:
        return value if exchanged is value_type else rw.value("llvm.bitcast", [value], kind)

    pointer = element_pointer(rw, types, ty, operands[0], operands[1:], flags=0)
    initial = llvm.load(rw, pointer, exchanged)
    head, tail = split_before(op)
    region = tail.parent
    assert region is not None
    loop = Block(arg_types=[exchanged])
    loop.args[0].location = op.location
    region.insert_block_before(loop, tail)
    rw.at_end(head)
    llvm.branch(rw, loop, [initial])
    # The body itself becomes the loop's.
    rw.at_end(loop)
    rw.map_value(body.args[0], cast_to(value_type, loop.args[0]))
    for inner in list(body.ops):
        if inner is end:
            continue
        inner.detach()
        loop.add_op(inner)
    rw.at_end(loop)
    new = cast_to(exchanged, end.operands[0])
    pair = rw.value(
        "llvm.cmpxchg",
        [pointer, loop.args[0], new],
        LLVMStructType((exchanged, llvm.I1)),
        {
            "success_ordering": IntegerAttr(ACQ_REL, i64),
            "failure_ordering": IntegerAttr(MONOTONIC, i64),
        },
    )
    seen = llvm.extract(rw, pair, 0)
    done = llvm.extract(rw, pair, 1)
    result = cast_to(value_type, seen)
    llvm.cond_branch(rw, done, tail, loop, (), [seen])
    return [result]


def lower_assume_alignment(
    op: memref.AssumeAlignmentOp, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    types = cast("LLVMTypeConverter", rw.types)
    ty = cast("MemRefType", op.operands[0].type)
    alignment = op.properties["alignment"]
    pointer = MemRefDescriptor(rw, operands[0]).buffer(types, ty)
    true = llvm.attribute_constant(rw, BoolAttr.from_bool(True), llvm.I1)
    amount = llvm.index_constant(rw, alignment.value.data, types.index)
    _assume(rw, true, "align", [pointer, amount])
    return [operands[0]]


def _assume(rw: Conversion, true: SSAValue, tag: str, values: Sequence[SSAValue]) -> None:
    rw.create(
        "llvm.intr.assume",
        [true, *values],
        (),
        {
            "op_bundle_sizes": DenseArrayBase.from_list(i32, [len(values)]),
            "op_bundle_tags": ArrayAttr([StringAttr(tag)]),
        },
    )


def lower_distinct_objects(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    """Tells of each pair of buffers that they do not overlap."""
    types = rw.types
    if len(operands) < 2:
        return list(operands)
    pointers = [
        MemRefDescriptor(rw, value).buffer(types, old.type)  # pyright: ignore
        for old, value in zip(op.operands, operands, strict=True)
    ]
    true = llvm.attribute_constant(rw, BoolAttr.from_bool(True), llvm.I1)
    for i, first in enumerate(pointers):
        for second in pointers[i + 1 :]:
            _assume(rw, true, "separate_storage", [first, second])
    return list(operands)


# --- sizes -------------------------------------------------------------------------------------
def lower_dim(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    types = cast("LLVMTypeConverter", rw.types)
    ty = cast("MemRefType", op.operands[0].type)
    memref, index = operands
    if isinstance(ty, UnrankedMemRefType):
        return [_unranked_dim(rw, ty, memref, index)]
    rank = ty.get_num_dims()
    known = int_of(op.operands[1])
    if known is not None and 0 <= known < rank:
        extent = ty.get_shape()[known]
        if extent >= 0:
            return [llvm.index_constant(rw, extent, types.index)]
        return [MemRefDescriptor(rw, memref).size(known)]
    if rank == 0:
        raise NoMatch("a memref without dimensions has no size")
    # The index is known at run time only: through memory.
    one = llvm.index_constant(rw, 1, types.index)
    sizes = llvm.extract(rw, memref, 3)
    array = LLVMArrayType(rank, types.index)
    memory = llvm.alloca(rw, one, array)
    llvm.store(rw, sizes, memory)
    place = llvm.gep(rw, memory, array, [0, index])
    return [llvm.load(rw, place, types.index)]


def _unranked_dim(rw: Conversion, ty: MemRefType, memref: SSAValue, index: SSAValue) -> SSAValue:
    """Sizes come after the offset in the descriptor in memory."""
    types = cast("LLVMTypeConverter", rw.types)
    scalar = types.convert(MemRefType(ty.element_type, [], NoneAttr(), ty.memory_space))
    descriptor = UnrankedDescriptor(rw, memref).pointer()
    offset = llvm.gep(rw, descriptor, scalar, [0, 2])
    one = llvm.index_constant(rw, 1, types.index)
    place = llvm.gep(rw, offset, types.index, [llvm.binary(rw, "add", one, index)])
    return llvm.load(rw, place, types.index)


def lower_rank(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    types = cast("LLVMTypeConverter", rw.types)
    ty = cast("MemRefType", op.operands[0].type)
    if isinstance(ty, UnrankedMemRefType):
        return [UnrankedDescriptor(rw, operands[0]).rank()]
    return [llvm.index_constant(rw, ty.get_num_dims(), types.index)]


# --- copies ------------------------------------------------------------------------------------
def _is_plain(ty: Attribute) -> bool:
    """Whether the elements lie one after the other."""
    if not isinstance(ty, MemRefType):
        return False
    form = strided_form(ty)
    if form is None:
        return False
    shape = ty.get_shape()
    if form[0] == contiguous_strides(shape) and form[1] == 0:
        return True
    return all(d > 0 for d in shape) and _strides_fit(shape, form[0])


def _strides_fit(shape: Sequence[int], strides: Sequence[int | None]) -> bool:
    """Strides of a static shape, where those of dimensions of size one do not matter."""
    expected = 1
    for extent, stride in zip(reversed(shape), reversed(strides), strict=True):
        if extent == 1:
            continue
        if stride != expected:
            return False
        expected *= extent
    return True


def lower_copy(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    if _is_plain(op.operands[0].type) and _is_plain(op.operands[1].type):
        return _copy_memory(op, operands, rw)
    return _call_copy(op, operands, rw)


def _copy_memory(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    types = cast("LLVMTypeConverter", rw.types)
    ty = cast("MemRefType", op.operands[0].type)
    source, target = (MemRefDescriptor(rw, value) for value in operands)
    count = llvm.index_constant(rw, 1, types.index)
    for i in range(ty.get_num_dims()):
        count = llvm.binary(rw, "mul", count, source.size(i))
    element = rw.convert_type(ty.element_type)
    size = llvm.binary(rw, "mul", count, size_in_bytes(rw, element))
    pointers: list[SSAValue] = []
    for memref in (source, target):
        aligned = memref.aligned()
        pointers.append(llvm.gep(rw, aligned, element, [memref.offset()]))
    llvm.memcpy(rw, pointers[1], pointers[0], size)
    return ()


def _call_copy(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    """Calls the runtime's `memrefCopy` with descriptors on the stack."""
    types = cast("LLVMTypeConverter", rw.types)
    saved = rw.value("llvm.intr.stacksave", (), llvm.POINTER)
    unranked = [
        _as_unranked(rw, cast("MemRefType | UnrankedMemRefType", old.type), value)
        for old, value in zip(op.operands, operands, strict=True)
    ]
    one = llvm.index_constant(rw, 1, types.index)
    memory: list[SSAValue] = []
    for value in unranked:
        memory.append(llvm.alloca(rw, one, value.type))
        llvm.store(rw, value, memory[-1])
    ty = cast("MemRefType", op.operands[0].type)
    size = size_in_bytes(rw, rw.convert_type(ty.element_type))
    function = llvm.declare(
        rw,
        llvm.symbol_table(op),
        "memrefCopy",
        (types.index, llvm.POINTER, llvm.POINTER),
        llvm.VOID,
    )
    llvm.call(rw, llvm.reference(function), [size, *memory], None)
    rw.create("llvm.intr.stackrestore", [saved])
    return ()


def _as_unranked(rw: Conversion, ty: MemRefType | UnrankedMemRefType, value: SSAValue) -> SSAValue:
    types = cast("LLVMTypeConverter", rw.types)
    if isinstance(ty, UnrankedMemRefType):
        return value
    rank = llvm.constant(rw, ty.get_num_dims(), types.index)
    one = llvm.index_constant(rw, 1, i64)
    memory = llvm.alloca(rw, one, value.type)
    llvm.store(rw, value, memory)
    descriptor = UnrankedDescriptor.poison(rw, LLVMStructType((types.index, llvm.POINTER)))
    descriptor.set_rank(rank)
    descriptor.set_pointer(memory)
    return descriptor.value


ACCESS_RULES: dict[str, Rule] = {
    "memref.assume_alignment": lower_assume_alignment,
    "memref.atomic_rmw": lower_atomic_rmw,
    "memref.copy": lower_copy,
    "memref.dim": lower_dim,
    "memref.distinct_objects": lower_distinct_objects,
    "memref.generic_atomic_rmw": lower_generic_atomic_rmw,
    "memref.load": lower_load,
    "memref.prefetch": lower_prefetch,
    "memref.rank": lower_rank,
    "memref.store": lower_store,
}


# --- memref to llvm ------------------------------------------------------------------------------
# `finalize-memref-to-llvm`: memrefs as structs of pointers, offset, sizes and strides.
#
# Further rules are in `allocation.py` and `views.py`.


RULES: dict[str, Rule] = {
    **memref_allocation.RULES,
    **ACCESS_RULES,
    **memref_views.RULES,
}


class FinalizeMemRefToLLVMConversionPass(Pass):
    """Lowers memref to the llvm dialect."""

    name = "finalize-memref-to-llvm"
    summary = "Finalize MemRef dialect to LLVM dialect conversion"
    anchor = "builtin.module"
    options = (
        Option("use-aligned-alloc", bool, False, "Use aligned_alloc in place of malloc"),
        INDEX_BITWIDTH,
        Option(
            "use-generic-functions",
            bool,
            False,
            "Call generic allocation and deallocation functions instead of malloc and free",
        ),
    )

    use_aligned_alloc: bool
    index_bitwidth: int
    use_generic_functions: bool

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.conversion.llvm_types import index_width

        types = LLVMTypeConverter(self.index_bitwidth or index_width(op))
        types.aligned_alloc = self.use_aligned_alloc
        types.generic_functions = self.use_generic_functions
        convert(op, RULES, types)

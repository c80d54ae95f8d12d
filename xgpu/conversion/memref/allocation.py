# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where memrefs come from, in the llvm dialect: alloc, alloca, dealloc, globals, alloca scopes.

Source: MLIR 22.1 MemRefToLLVM.cpp, AllocLikeConversion.cpp, Pattern.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ComplexType,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FixedBitwidthType,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    UnitAttr,
    UnrankedMemRefType,
    VectorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.conversion.memref_descriptor import MemRefDescriptor, UnrankedDescriptor
from xgpu.core import ods
from xgpu.core.ir.blocks import block_before, split_before
from xgpu.core.ir.errors import error
from xgpu.core.rewriting.driver import Conversion, NoMatch, Rule
from xgpu.dialects import memref
from xgpu.dialects.llvm import builders as llvm
from xgpu.dialects.llvm.types import LLVMArrayType, LLVMPointerType
from xgpu.dialects.memref_layout import contiguous_strides, strided_form

if TYPE_CHECKING:
    from xgpu.conversion.llvm_types import LLVMTypeConverter
    from xgpu.dialects.llvm import FuncOp

#: The least alignment that `aligned_alloc` is asked for.
_LEAST_ALIGNMENT = 16
#: The allocated pointer of a global, which must not be freed.
_NOT_TO_FREE = 0xDEADBEEF


def size_in_bytes(rw: Conversion, element: Attribute) -> SSAValue:
    """The bytes from one element to the next, by the target's data layout."""
    types = cast("LLVMTypeConverter", rw.types)
    end = llvm.gep(rw, llvm.zero(rw, llvm.POINTER), element, [1])
    return rw.value("llvm.ptrtoint", [end], types.index)


def sizes_and_strides(
    rw: Conversion, ty: MemRefType, dynamic: Sequence[SSAValue], *, in_bytes: bool
) -> tuple[list[SSAValue], list[SSAValue], SSAValue]:
    """Sizes and row-major strides of a new buffer, and its size in elements or bytes."""
    types = cast("LLVMTypeConverter", rw.types)
    rest = iter(dynamic)
    shape = ty.get_shape()
    sizes = [next(rest) if d < 0 else llvm.index_constant(rw, d, types.index) for d in shape]
    running = llvm.index_constant(rw, 1, types.index)
    known: int | None = 1
    strides: list[SSAValue] = []
    for extent, size in zip(reversed(shape), reversed(sizes), strict=True):
        strides.append(running)
        is_unit = known == 1
        known = None if known is None or extent < 0 else known * extent
        if is_unit:
            running = size
        elif known is None:
            running = llvm.binary(rw, "mul", running, size)
        else:
            running = llvm.index_constant(rw, known, types.index)
    strides.reverse()
    if not in_bytes:
        return sizes, strides, running
    element = cast("AnyFloat | IntegerType", rw.convert_type(ty.element_type))
    end = llvm.gep(rw, llvm.zero(rw, llvm.POINTER), element, [running])
    return sizes, strides, rw.value("llvm.ptrtoint", [end], types.index)


def _check(op: Operation) -> MemRefType:
    """The type of a new buffer, which must be contiguous."""
    ty = cast("MemRefType", op.results[0].type)
    form = strided_form(ty)
    if form is None or form[0] != contiguous_strides(ty.get_shape()) or form[1] != 0:
        raise NoMatch("expected a memref of identity layout")
    return ty


def _rounded_up(rw: Conversion, value: SSAValue, alignment: SSAValue) -> SSAValue:
    """`value` rounded up to a multiple of `alignment`."""
    one = llvm.index_constant(rw, 1, alignment.type)
    bump = llvm.binary(rw, "sub", alignment, one)
    bumped = llvm.binary(rw, "add", value, bump)
    over = llvm.binary(rw, "urem", bumped, alignment)
    return llvm.binary(rw, "sub", bumped, over)


def _in_space(rw: Conversion, pointer: SSAValue, ty: MemRefType) -> SSAValue:
    """What an allocation function returned, as a pointer into the memref's address space."""
    types = cast("LLVMTypeConverter", rw.types)
    wanted = types.pointer(ty)
    if wanted is None:
        raise NoMatch("the memory space has no address space")
    if pointer.type == wanted:
        return pointer
    return rw.value("llvm.addrspacecast", [pointer], wanted)


def _is_scalar(ty: Attribute) -> bool:
    return isinstance(ty, IntegerType | IndexType | AnyFloat)


def _alignment(op: Operation) -> int | None:
    attribute = op.properties.get("alignment")
    return attribute.value.data if isinstance(attribute, IntegerAttr) else None


def _dynamic_sizes(op: Operation, operands: Sequence[SSAValue]) -> Sequence[SSAValue]:
    sizes = cast("DenseArrayBase[IntegerType]", op.properties["operandSegmentSizes"])
    return operands[: sizes.get_values()[0]]


def lower_alloc(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    types = cast("LLVMTypeConverter", rw.types)
    ty = _check(op)
    if types.pointer(ty) is None:
        raise NoMatch("the memory space has no address space")
    aligned_alloc = types.aligned_alloc
    function = _allocator(op, rw, aligned_alloc)
    sizes, strides, size = sizes_and_strides(rw, ty, _dynamic_sizes(op, operands), in_bytes=True)
    allocate = _allocate_aligned if aligned_alloc else _allocate
    allocated, aligned = allocate(op, rw, ty, size, function)
    return [MemRefDescriptor.from_parts(rw, types, ty, allocated, aligned, sizes, strides).value]


def _allocator(op: Operation, rw: Conversion, aligned: bool) -> Operation:
    """The function that allocates; found before anything is built, for it may be refused."""
    types = cast("LLVMTypeConverter", rw.types)
    name = "aligned_alloc" if aligned else "malloc"
    if types.generic_functions:
        name = "_mlir_memref_to_llvm_" + ("aligned_alloc" if aligned else "alloc")
    arguments = (types.index,) * (2 if aligned else 1)
    return llvm.declare(rw, llvm.symbol_table(op), name, arguments, llvm.POINTER)


def _allocate(
    op: Operation, rw: Conversion, ty: MemRefType, size: SSAValue, function: Operation
) -> tuple[SSAValue, SSAValue]:
    """`malloc` of enough for the alignment that is asked for."""
    types = cast("LLVMTypeConverter", rw.types)
    wanted = _alignment(op)
    alignment: SSAValue | None = None
    if wanted is not None:
        alignment = llvm.index_constant(rw, wanted, types.index)
    elif not _is_scalar(ty.element_type):
        # malloc aligns for scalars; what is larger gets its own size as alignment.
        alignment = size_in_bytes(rw, rw.convert_type(ty.element_type))
    if alignment is not None:
        size = llvm.binary(rw, "add", size, alignment)
    result = llvm.call(rw, llvm.reference(function), [size], llvm.POINTER).results[0]
    allocated = _in_space(rw, result, ty)
    if alignment is None:
        return allocated, allocated
    address = rw.value("llvm.ptrtoint", [allocated], types.index)
    address = _rounded_up(rw, address, alignment)
    return allocated, rw.value("llvm.inttoptr", [address], allocated.type)


def _allocate_aligned(
    op: Operation, rw: Conversion, ty: MemRefType, size: SSAValue, function: Operation
) -> tuple[SSAValue, SSAValue]:
    """`aligned_alloc`, whose size must be a multiple of the alignment."""
    types = cast("LLVMTypeConverter", rw.types)
    element_bytes = bytes_of(types, ty.element_type)
    alignment = _alignment(op)
    if alignment is None:
        alignment = max(_LEAST_ALIGNMENT, 1 << (element_bytes - 1).bit_length())
    constant = llvm.index_constant(rw, alignment, types.index)
    known = element_bytes
    for extent in ty.get_shape():
        known *= extent if extent >= 0 else 1
    if known % alignment:
        size = _rounded_up(rw, size, constant)
    result = llvm.call(rw, llvm.reference(function), [constant, size], llvm.POINTER).results[0]
    allocated = _in_space(rw, result, ty)
    return allocated, allocated


def bytes_of(types: LLVMTypeConverter, ty: Attribute) -> int:
    """The size of an element by MLIR's default data layout."""
    if isinstance(ty, IndexType):
        return 8
    if isinstance(ty, IntegerType):
        return -(-ty.width.data // 8)
    if isinstance(ty, ComplexType):
        return 2 * bytes_of(types, ty.element_type)
    if isinstance(ty, VectorType):
        # A vector is padded to a power of two in its last dimension.
        count = 1
        for extent in ty.get_shape()[:-1]:
            count *= extent
        last = ty.get_shape()[-1] if ty.get_shape() else 1
        bits = (1 << (last - 1).bit_length()) * 8 * bytes_of(types, ty.element_type)
        return count * bits // 8
    if isinstance(ty, MemRefType):
        rank = ty.get_num_dims()
        return 2 * 8 + (1 + 2 * rank) * types.index_bitwidth // 8
    if isinstance(ty, UnrankedMemRefType):
        return 8 + types.index_bitwidth // 8
    if isinstance(ty, FixedBitwidthType):
        return -(-ty.bitwidth // 8)
    if isinstance(ty, LLVMPointerType):
        return 8
    raise NoMatch(f"the size of {ty} is not known")


def lower_alloca(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    types = cast("LLVMTypeConverter", rw.types)
    ty = _check(op)
    pointer = types.pointer(ty)
    if pointer is None:
        raise NoMatch("the memory space has no address space")
    sizes, strides, size = sizes_and_strides(rw, ty, _dynamic_sizes(op, operands), in_bytes=False)
    element = rw.convert_type(ty.element_type)
    memory = llvm.alloca(rw, size, element, pointer.address_space, _alignment(op) or 0)
    return [MemRefDescriptor.from_parts(rw, types, ty, memory, memory, sizes, strides).value]


def lower_dealloc(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    types = cast("LLVMTypeConverter", rw.types)
    name = "_mlir_memref_to_llvm_free" if types.generic_functions else "free"
    function = cast(
        "FuncOp", llvm.declare(rw, llvm.symbol_table(op), name, (llvm.POINTER,), llvm.VOID)
    )
    ty: Attribute = op.operands[0].type
    if isinstance(ty, UnrankedMemRefType):
        pointer = types.pointer(ty)
        if pointer is None:
            raise NoMatch("the memory space has no address space")
        allocated = llvm.load(rw, UnrankedDescriptor(rw, operands[0]).pointer(), pointer)
    else:
        allocated = MemRefDescriptor(rw, operands[0]).allocated()
    llvm.call(rw, llvm.reference(function), [allocated], None)
    return ()


# --- globals -----------------------------------------------------------------------------------
def _array_type(rw: Conversion, ty: MemRefType) -> Attribute:
    """The type of a global's memory: nested arrays."""
    result: Attribute = rw.convert_type(ty.element_type)
    for extent in reversed(ty.get_shape()):
        result = LLVMArrayType(extent, result)
    return result


def lower_global(
    op: memref.GlobalOp, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    types = cast("LLVMTypeConverter", rw.types)
    ty = op.properties["type"]
    array = _array_type(rw, ty)
    space = types.address_space(ty)
    if space is None:
        raise error(op, "memory space cannot be converted to an integer address space")
    visibility = op.properties.get("sym_visibility")
    private = visibility is not None and visibility.data == "private"
    properties: dict[str, Attribute] = {
        "sym_name": op.properties["sym_name"],
        "global_type": array,
        "linkage": ods.enum("llvm.linkage", "private" if private else "external"),
        "addr_space": IntegerAttr(space, i32),
    }
    if "constant" in op.properties:
        properties["constant"] = UnitAttr()
    if "alignment" in op.properties:
        properties["alignment"] = op.properties["alignment"]
    initial = op.properties.get("initial_value")
    region = Region()
    if isinstance(initial, UnitAttr):
        region.add_block(Block())
    elif initial is not None:
        properties["value"] = _initial_value(initial, ty)
    rw.create("llvm.mlir.global", properties=properties, regions=(region,))
    if region.blocks:
        anchor = rw.anchor
        rw.at_end(region.blocks[0])
        rw.create("llvm.return", [llvm.undef(rw, array)])
        assert anchor is not None
        rw.before(anchor)
    return ()


def _initial_value(initial: Attribute, ty: MemRefType) -> Attribute:
    """The value itself; the element of a memref without dimensions."""
    if ty.get_num_dims() or not isinstance(initial, DenseIntOrFPElementsAttr):
        return initial
    value = cast("int | float", next(iter(initial.get_values())))
    if isinstance(value, int):
        return IntegerAttr(value, initial.get_element_type())  # pyright: ignore
    return FloatAttr(value, initial.get_element_type())  # pyright: ignore


def lower_get_global(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    types = cast("LLVMTypeConverter", rw.types)
    ty = _check(op)
    pointer = types.pointer(ty)
    if pointer is None:
        raise NoMatch("the memory space has no address space")
    sizes, strides, _ = sizes_and_strides(rw, ty, (), in_bytes=True)
    name = {"global_name": op.properties["name"]}
    address = rw.value("llvm.mlir.addressof", (), pointer, name)
    array = _array_type(rw, ty)
    memory = llvm.gep(rw, address, array, [0] * (1 + ty.get_num_dims()))
    mark = llvm.index_constant(rw, _NOT_TO_FREE, i64)
    allocated = rw.value("llvm.inttoptr", [mark], pointer)
    return [MemRefDescriptor.from_parts(rw, types, ty, allocated, memory, sizes, strides).value]


# --- scopes ------------------------------------------------------------------------------------
def lower_alloca_scope(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    """Saves the stack before the region and restores it after."""
    region = op.regions[0]
    body, last = region.blocks[0], region.blocks[-1]
    head, tail = split_before(op)
    after = tail
    if op.results:
        types = [rw.convert_type(result.type) for result in op.results]
        after = block_before(tail, types, [op.location] * len(types))
    region.move_blocks_before(after)
    rw.at_end(head)
    saved = rw.value("llvm.intr.stacksave", (), llvm.POINTER)
    llvm.branch(rw, body)
    end = last.last_op
    assert end is not None
    rw.before(end)
    returned = rw.converted_all(end.operands)
    rw.before(end)
    rw.create("llvm.intr.stackrestore", [saved])
    llvm.branch(rw, after, returned)
    rw.erase(end)
    if after is not tail:
        rw.at_end(after)
        llvm.branch(rw, tail)
    return list(after.args) if op.results else ()


RULES: dict[str, Rule] = {
    "memref.alloc": lower_alloc,
    "memref.alloca": lower_alloca,
    "memref.alloca_scope": lower_alloca_scope,
    "memref.dealloc": lower_dealloc,
    "memref.get_global": lower_get_global,
    "memref.global": lower_global,
}

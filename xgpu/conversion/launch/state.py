# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the rules of one conversion to runtime calls share: the runtime's functions, arguments of
kernels, buffers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerAttr, IntegerType, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.conversion.launch.kernel_signature import (
    Convention,
    KernelSignature,
    Memref,
    UnrankedMemref,
    as_memref,
    as_unranked_memref,
    integer_width,
)
from xgpu.conversion.memref_descriptor import MemRefDescriptor
from xgpu.core import ods
from xgpu.core.ir.calls import is_function
from xgpu.core.ir.symbols import lookup, symbol_name
from xgpu.core.rewriting.builder import Rewriter
from xgpu.core.rewriting.driver import Conversion, NoMatch
from xgpu.core.support.abi import FUNCTIONS
from xgpu.dialects.llvm import builders as llvm
from xgpu.dialects.llvm.builders import (
    POINTER,
    VOID,
    binary,
    call,
    function_attributes,
    gep,
    index_constant,
    zero,
)
from xgpu.dialects.llvm.types import LLVMFunctionType, LLVMPointerType
from xgpu.dialects.memref_layout import contiguous_strides, strided_form

if TYPE_CHECKING:
    from xdsl.ir import LocationAttr

    from xgpu.conversion.llvm_types import LLVMTypeConverter
    from xgpu.dialects import gpu


# --- runtime functions ---------------------------------------------------------------------------
# Calls of the runtime's functions from the llvm dialect, and their declarations.
#
# Both come from the table of them (`xgpu/core/support/abi.py`): a rule says which function and
# with what, and cannot declare it otherwise than the devices have it. Where a program counts in
# less than 64 bits, its sizes are widened to what the function takes.


_TYPES: dict[str, Attribute] = {
    "ptr": POINTER,
    "void": VOID,
    **{f"i{width}": IntegerType(width) for width in (8, 16, 32, 64)},
}


def parameter_types(name: str) -> list[Attribute]:
    """What a function of the runtime takes, in the llvm dialect."""
    return [_TYPES[ty] for ty in FUNCTIONS[name].parameters]


def function_type(name: str) -> LLVMFunctionType:
    """The type of a function of the runtime in the llvm dialect."""
    return LLVMFunctionType(parameter_types(name), _TYPES[FUNCTIONS[name].result])


class Declarations:
    """Which functions the modules that one conversion meets declare."""

    __slots__ = ("_names",)

    def __init__(self) -> None:
        #: By the module's identity: the module, which is kept, and its functions.
        self._names: dict[int, tuple[Operation, set[str]]] = {}

    def declare(self, module: Operation, name: str, location: LocationAttr) -> None:
        """Declares a function of the runtime at the end of `module`, if it is not there."""
        declared = self._declared(module)
        if name not in declared:
            declared.add(name)
            _append(module, name, location)

    def _declared(self, module: Operation) -> set[str]:
        known = self._names.get(id(module))
        if known is None:
            names = {
                name
                for block in module.regions[0].blocks
                for op in block.ops
                if op.name == "llvm.func" and (name := symbol_name(op))
            }
            known = self._names[id(module)] = (module, names)
        return known[1]


def declare_runtime_function(module: Operation, name: str, location: LocationAttr) -> None:
    """Declares a function of the runtime at the end of `module`, if no symbol has its name."""
    if lookup(module, name) is None:
        _append(module, name, location)


def _append(module: Operation, name: str, location: LocationAttr) -> None:
    block = module.regions[0].blocks.last
    assert block is not None
    block.add_op(
        ods.create(
            "llvm.func",
            properties=function_attributes(name, function_type(name)),
            regions=[Region()],
            location=location,
        )
    )


def module_around(block: Block) -> Operation | None:
    """The module nearest around `block`: its symbols are those that operations in it see."""
    op = block.parent_op()
    while op is not None and op.name != "builtin.module":
        op = op.parent_op()
    return op


def call_runtime_function(rw: Rewriter, name: str, arguments: Sequence[SSAValue]) -> list[SSAValue]:
    """Calls a function of the runtime that is declared; its result, if it has one."""
    taken = parameter_types(name)
    values = [_fitted(rw, value, ty) for value, ty in zip(arguments, taken, strict=True)]
    result = _TYPES[FUNCTIONS[name].result]
    return list(call(rw, name, values, None if result == VOID else result).results)


def _fitted(rw: Rewriter, value: SSAValue, wanted: Attribute) -> SSAValue:
    """`value` as a parameter of type `wanted`: sizes in 64 bits, addresses of any memory as such
    of the host's."""
    ty = value.type
    if ty == wanted:
        return value
    if isinstance(ty, LLVMPointerType):
        return rw.value("llvm.addrspacecast", (value,), wanted)
    width, taken = integer_width(ty), integer_width(wanted)
    assert width is not None, f"'{ty}' where the runtime takes '{wanted}'"
    assert taken is not None, f"'{ty}' where the runtime takes '{wanted}'"
    return rw.value("llvm.zext" if width < taken else "llvm.trunc", (value,), wanted)


# --- kernel arguments ----------------------------------------------------------------------------
# Where launches put the arguments of kernels: one buffer a function, in its entry block.
#
# A launch stores its arguments in the buffer and hands on an array of their addresses, from which
# the runtime copies before the launch returns. So all launches of a function share the buffer,
# which is as large as the largest needs, and those with the same types share the array; neither
# grows the stack in a loop.


#: What stacks are aligned to.
_ALIGNMENT = 16


class ArgumentBuffers:
    """The buffers of all functions of one conversion."""

    __slots__ = ("_buffers", "_lists")

    def __init__(self) -> None:
        self._buffers: dict[Block, _Buffer] = {}
        self._lists: dict[Block, _Buffer] = {}

    def list(self, rw: Rewriter, values: Sequence[SSAValue]) -> SSAValue:
        """Stores handles one behind the other; the address of the first."""
        if not values:
            return llvm.zero(rw, llvm.POINTER)
        block = _entry_block(rw)
        buffer = self._lists.get(block)
        if buffer is None:
            buffer = self._lists[block] = _Buffer(block, rw.location)
        buffer.reserve(8 * len(values))
        for i, value in enumerate(values):
            llvm.store(rw, value, llvm.gep(rw, buffer.memory, llvm.POINTER, [i]))
        return buffer.memory

    def store(
        self, rw: Rewriter, signature: KernelSignature, values: Sequence[SSAValue]
    ) -> SSAValue:
        """Stores the arguments of a launch where `rw` is; the array of their addresses."""
        if not values:
            return llvm.zero(rw, llvm.POINTER)
        block = _entry_block(rw)
        buffer = self._buffers.get(block)
        if buffer is None:
            buffer = self._buffers[block] = _Buffer(block, rw.location)
        assert rw.anchor is not None
        layout = signature.layout(rw.anchor)
        buffer.align(layout.alignment)
        array, addresses = buffer.array(layout.offsets, layout.size)
        for value, address in zip(values, addresses, strict=True):
            llvm.store(rw, value, address)
        return array


class _Buffer:
    """The buffer of one function, and the arrays of addresses in it by their offsets."""

    __slots__ = ("_addresses", "_arrays", "_last", "_location", "_size", "memory")

    def __init__(self, block: Block, location: LocationAttr | None) -> None:
        rw = Rewriter(location=location)
        # What a coroutine has before it begins is on the stack of its caller.
        begin = next((op for op in block.ops if op.name == "llvm.intr.coro.begin"), None)
        if begin is None:
            rw.at_start(block)
        else:
            rw.after(begin)
        self._location = location
        self._size = _definition(llvm.constant(rw, 0, i64))
        self.memory = llvm.alloca(rw, self._size.results[0], llvm.I8, 0, _ALIGNMENT)
        self._last = _definition(self.memory)
        self._arrays: dict[tuple[int, ...], tuple[SSAValue, list[SSAValue]]] = {}
        self._addresses: dict[int, SSAValue] = {}

    def reserve(self, size: int) -> None:
        """Makes the buffer at least `size` bytes large."""
        if _number(self._size.properties["value"]) < size:
            self._size.properties["value"] = IntegerAttr(size, i64)

    def align(self, alignment: int) -> None:
        """Aligns the buffer to at least `alignment` bytes."""
        alloca = _definition(self.memory)
        if _number(alloca.properties["alignment"]) < alignment:
            alloca.properties["alignment"] = IntegerAttr(alignment, i64)

    def array(self, offsets: tuple[int, ...], size: int) -> tuple[SSAValue, list[SSAValue]]:
        """The array with the addresses of `offsets`, and the addresses."""
        self.reserve(size)
        known = self._arrays.get(offsets)
        if known is None:
            rw = Rewriter(location=self._location)
            rw.after(self._last)
            array = llvm.alloca(rw, llvm.constant(rw, len(offsets), i64), llvm.POINTER)
            addresses = [self._address(rw, offset) for offset in offsets]
            for i, address in enumerate(addresses):
                slot = llvm.gep(rw, array, llvm.POINTER, [i])
                self._last = llvm.store(rw, address, slot)
            known = self._arrays[offsets] = (array, addresses)
        return known

    def _address(self, rw: Rewriter, offset: int) -> SSAValue:
        address = self._addresses.get(offset)
        if address is None:
            address = self._addresses[offset] = llvm.gep(rw, self.memory, llvm.I8, [offset])
        return address


def _number(attribute: Attribute) -> int:
    assert isinstance(attribute, IntegerAttr)
    return attribute.value.data


def _definition(value: SSAValue) -> Operation:
    owner = value.owner
    assert isinstance(owner, Operation)
    return owner


def _entry_block(rw: Rewriter) -> Block:
    """The first block of the function that `rw` is in."""
    assert rw.block is not None
    op = rw.block.parent_op()
    outermost = rw.block
    while op is not None and op.name != "builtin.module":
        region = op.regions[0]
        first = region.first_block
        if first is not None:
            outermost = first
        if is_function(op):
            break
        op = op.parent_op()
    return outermost


# --- sparse facts --------------------------------------------------------------------------------
# Which matrices are sparse by twos in fours (2:4).


def is_2to4(handle: SSAValue) -> bool:
    return getattr(handle.owner, "name", "") == "gpu.create_2to4_spmat"


def dense_tensors_of_2to4(root: Operation) -> set[int]:
    """The ids of the dense tensors in `root` that a product with a 2:4 matrix takes."""
    return {
        id(tensor)
        for op in cast("Iterator[gpu.SpmmOp]", root.walk())
        if op.name == "gpu.spmm" and is_2to4(op.spmat_a)
        for tensor in (op.dnmat_b, op.dnmat_c)
    }


# --- state ---------------------------------------------------------------------------------------
# What the rules of one conversion to runtime calls share.


class RuntimeState:
    """Declarations, where tokens end, and how kernels get their arguments."""

    __slots__ = (
        "arguments", "convention", "declarations", "dense_of_2to4", "module", "token_ends",
    )  # fmt: skip

    def __init__(self, module: Operation, convention: Convention = Convention()) -> None:  # noqa: B008 - it is frozen
        self.module = module
        #: How launches pass memrefs, and where they put the arguments of kernels.
        self.convention = convention
        self.arguments = ArgumentBuffers()
        #: Ids of dense tensors that are multiplied with a matrix of 2:4 sparsity.
        self.dense_of_2to4 = dense_tensors_of_2to4(module)
        #: Token -> the last operation of what made it; events of its stream go behind that.
        self.token_ends: dict[SSAValue, Operation] = {}
        self.declarations = Declarations()


class LaunchConversion(Conversion):
    """A conversion with the types of the llvm dialect and a `RuntimeState`: what rules are given
    by the passes that have both. For annotations."""

    types: LLVMTypeConverter  # pyright: ignore[reportIncompatibleVariableOverride]
    state: RuntimeState


def runtime_call(rw: LaunchConversion, name: str, arguments: Sequence[SSAValue]) -> list[SSAValue]:
    """Calls a function of the runtime, declared at the end of the nearest module; its results."""
    assert rw.block is not None
    assert rw.location is not None
    module = module_around(rw.block) or rw.state.module
    rw.state.declarations.declare(module, name, rw.location)
    return call_runtime_function(rw, name, arguments)


def runtime_value(rw: LaunchConversion, name: str, arguments: Sequence[SSAValue]) -> SSAValue:
    """The result of a call of a function of the runtime."""
    (value,) = runtime_call(rw, name, arguments)
    return value


# --- buffers -------------------------------------------------------------------------------------
# Buffers in calls of the runtime: their sizes in elements and bytes, and their addresses.


def memref_type(value: SSAValue) -> Memref:
    """The type of a value that is a ranked memref by its operation's definition."""
    ty = as_memref(value.type)
    assert ty is not None
    return ty


def unranked_type(value: SSAValue) -> UnrankedMemref:
    """The type of a value that is an unranked memref by its operation's definition."""
    ty = as_unranked_memref(value.type)
    assert ty is not None
    return ty


def require_identity_layout(ty: Memref) -> None:
    """Raises `NoMatch` unless the elements lie one after the other from the memref's address."""
    if strided_form(ty) != (contiguous_strides(ty.get_shape()), 0):
        raise NoMatch("expected a memref with an identity layout")


def allocation_sizes(
    rw: LaunchConversion, ty: Memref, dynamic: Sequence[SSAValue]
) -> tuple[list[SSAValue], list[SSAValue], SSAValue]:
    """Sizes, strides and bytes of a new buffer of type `ty`."""
    index = rw.types.index
    remaining = iter(dynamic)
    shape = ty.get_shape()
    sizes = [next(remaining) if n < 0 else index_constant(rw, n, index) for n in shape]
    known: int | None = 1
    running = index_constant(rw, 1, index)
    strides: list[SSAValue] = []
    for extent, size in zip(reversed(shape), reversed(sizes), strict=True):
        strides.append(running)
        was_one = known == 1
        known = None if known is None or extent < 0 else known * extent
        if was_one:
            running = size
        elif known is None:
            running = binary(rw, "mul", running, size, 0)
        else:
            running = index_constant(rw, known, index)
    strides.reverse()
    return sizes, strides, size_in_bytes(rw, ty, running)


def size_in_bytes(
    rw: LaunchConversion, ty: Memref | UnrankedMemref, count: SSAValue | int
) -> SSAValue:
    """The bytes of `count` elements: the address of the element behind the last, from null."""
    element = rw.convert_type(ty.element_type)
    end = gep(rw, zero(rw, POINTER), element, [count])
    return rw.value("llvm.ptrtoint", (end,), rw.types.index)


def new_buffer(
    rw: LaunchConversion,
    ty: Memref,
    pointer: SSAValue,
    sizes: Sequence[SSAValue],
    strides: Sequence[SSAValue],
) -> SSAValue:
    """The descriptor of a buffer that the runtime has allocated at `pointer`."""
    space = rw.types.address_space(ty)
    if space:
        pointer = rw.value("llvm.addrspacecast", (pointer,), LLVMPointerType(space))
    return MemRefDescriptor.from_parts(rw, rw.types, ty, pointer, pointer, sizes, strides).value


def generic_pointer(rw: LaunchConversion, pointer: SSAValue) -> SSAValue:
    """`pointer` in address space 0."""
    if pointer.type == POINTER:
        return pointer
    return rw.value("llvm.addrspacecast", (pointer,), POINTER)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Registers of inline PTX: bits of a width, which instructions take for what they need.

A register holds a value of any type of that many bits; it becomes an integer, a float or a pointer
where an instruction reads it. In a body without branches it is a value; where control flow meets
again it is private memory of the thread, which later passes make a value of.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import (
    DenseArrayBase,
    IntegerType,
    StringAttr,
    VectorType,
    i32,
)

from xgpu.dialects.llvm.types import LLVMPointerType
from xgpu.host_device.compiler import claims
from xgpu.host_device.compiler.code import Code, FunctionState, ModuleState
from xgpu.host_device.compiler.types import I32, I64, bits

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from xdsl.ir import Attribute, Block, Operation, SSAValue

    from xgpu.host_device.compiler.ptx.grammar import Placeholder

SHARED_SPACES = (3, 7)
_TYPE_WIDTH = re.compile(r"(\d+)(?:x(\d))?$")
#: Bits of a register by the letter of a constraint (LLVM's NVPTX target).
LETTERS = {"b": 1, "c": 16, "h": 16, "r": 32, "f": 32, "l": 64, "d": 64, "N": 64, "q": 128}


#: On an operation that an instruction of inline PTX became: the opcode.
INSTRUCTION = "host.instruction"
#: Beginnings of the names of operations that get it.
_WITH_OPCODE = ("nvvm.", "llvm.call_intrinsic", "llvm.fence")


class Raiser(Code):
    """Builds before an operation of a function that no pass for the host has changed yet."""

    #: The opcode that operations carry, none if it is empty.
    instruction = ""

    def __init__(self, op: Operation, function: Operation) -> None:
        super().__init__(_State(function), op)

    def inserted(self, op: Operation) -> None:
        if self.instruction and op.name.startswith(_WITH_OPCODE):
            op.attributes[INSTRUCTION] = StringAttr(self.instruction)

    def once(
        self,
        key: object,
        name: str,
        ty: Attribute,
        properties: Mapping[str, Attribute] | None = None,
    ) -> SSAValue:
        return self.value(name, (), ty, properties)

    def go_to(self, block: Block, anchor: Operation | None = None) -> None:
        """Build at the end of a block, or before one of its operations."""
        self.block, self.anchor = block, anchor

    def loop(self, count: SSAValue, build: Callable[[SSAValue], None]) -> None:
        """What `build` makes for each number below `count`, an i32."""
        from xdsl.ir import Block

        from xgpu.core.ir.blocks import add_argument, split_before

        anchor = self.anchor
        if anchor is not None:
            head, rest = split_before(anchor)
        else:
            head, rest = self.current, Block()
        body = Block()
        region = head.parent
        assert region is not None
        if anchor is None:
            region.insert_block_after(rest, head)
        region.insert_block_after(body, head)
        self.go_to(head)
        zero = self.integer(0)
        some = self.icmp("ne", count, zero)
        self.cond_branch(some, body, rest, (zero,))
        self.go_to(body)
        index = add_argument(body, I32, self.op.location)
        build(index)
        following = self.binary("add", index, 1)
        more = self.icmp("ult", following, count)
        self.cond_branch(more, body, rest, (following,))
        self.go_to(rest, anchor)

    def nvvm(
        self, name: str, arguments: Sequence[SSAValue], result: Attribute | None = None
    ) -> SSAValue | None:
        """A call of the intrinsic `llvm.nvvm.<name>`."""
        given = list(arguments)
        properties = {
            "intrin": StringAttr(f"llvm.nvvm.{name}"),
            "operandSegmentSizes": DenseArrayBase.from_list(i32, [len(given), 0]),
            "op_bundle_sizes": DenseArrayBase.from_list(i32, []),
        }
        types = () if result is None else (result,)
        op = self.create("llvm.call_intrinsic", given, types, properties)
        return op.results[0] if result is not None else None


class _State(FunctionState):
    def __init__(self, function: Operation) -> None:
        # No thread's record yet.
        self.function = function
        self.module = ModuleState()
        self.is_kernel = True
        self.prologue = function.regions[0].blocks[0]
        self.known = {}


class Slot:
    """A register: `value` if it is known, or where in memory it is."""

    __slots__ = ("place", "value", "width")

    def __init__(self, width: int) -> None:
        self.width = width
        self.value: SSAValue | None = None
        self.place: SSAValue | None = None


def type_width(name: str) -> int | None:
    """The bits of a type of PTX."""
    if name == "pred":
        return 1
    match = _TYPE_WIDTH.search(name)
    return None if match is None else int(match[1]) * int(match[2] or 1)


def width_of(ty: Attribute) -> int | None:
    """The bits of a scalar or vector."""
    if not isinstance(ty, VectorType):
        return bits(ty)
    each = bits(ty.element_type)
    return None if each is None else each * ty.shape.data[0].data


def integer_type(width: int) -> IntegerType:
    return IntegerType(width)


def as_integer(b: Code, value: SSAValue, width: int, signed: bool = False) -> SSAValue:
    """The bits of a value as an integer; a narrower one is extended."""
    ty = value.type
    if isinstance(ty, LLVMPointerType):
        return b.cast("ptrtoint", value, integer_type(width))
    have = width_of(ty) or width
    if not isinstance(ty, IntegerType):
        value = b.cast("bitcast", value, integer_type(have))
    if have == width:
        return value
    name = "trunc" if have > width else "sext" if signed else "zext"
    return b.cast(name, value, integer_type(width))


def as_type(b: Code, value: SSAValue, ty: Attribute) -> SSAValue:
    """The bits of a value as another type of so many bits, or of fewer."""
    if value.type == ty:
        return value
    if isinstance(ty, LLVMPointerType):
        return as_pointer(b, value, ty.address_space)
    width = width_of(ty)
    if width is None:
        b.refuse(f"an operand of type {ty} in inline assembly")
    whole = as_integer(b, value, width)
    return whole if ty == whole.type else b.cast("bitcast", whole, ty)


def as_pointer(b: Code, value: SSAValue, space: int) -> SSAValue:
    """A register as an address in an address space. One of 32 bits is in shared memory."""
    ty = value.type
    wanted = LLVMPointerType(space) if space else LLVMPointerType()
    if isinstance(ty, LLVMPointerType):
        return b.cast("addrspacecast", value, wanted) if ty != wanted else value
    if width_of(ty) == 32 and space in SHARED_SPACES:
        assert isinstance(b, Raiser)
        found = b.nvvm("ptx.shared.pointer", (as_integer(b, value, 32),), wanted)
        assert found is not None
        return found
    return b.cast("inttoptr", as_integer(b, value, 64), wanted)


def private_memory(b: Raiser, function: Operation, width: int) -> SSAValue:
    """Memory of the thread for a register, at the function's begin."""
    first = function.regions[0].blocks[0]
    with b.insertion_guard():
        b.at_start(first)
        return b.value(
            "llvm.alloca", (b.integer(1, I64),), LLVMPointerType(),
            {"elem_type": integer_type(stored_width(width)), **claims.aligned(8)},
        )  # fmt: skip


def stored_width(width: int) -> int:
    return max(width, 8)


class Registers:
    """The registers of a body, those that are operands of the assembly among them."""

    def __init__(self, b: Raiser) -> None:
        self.b = b
        self.slots: list[Slot] = []
        #: By the position of an operand.
        self.placed: list[Slot] = []
        #: The condition code's carry, where an instruction uses it.
        self.carry: Slot | None = None

    def new(self, width: int) -> Slot:
        slot = Slot(width)
        self.slots.append(slot)
        return slot

    def at(self, operand: Placeholder) -> Slot:
        if operand.index >= len(self.placed):
            self.b.refuse(f"inline assembly names ${operand.index}, which it does not have")
        return self.placed[operand.index]

    def read(self, slot: Slot) -> SSAValue:
        b = self.b
        if slot.place is None:
            if slot.value is None:
                slot.value = b.poison(integer_type(slot.width))
            return slot.value
        whole = b.load(slot.place, integer_type(stored_width(slot.width)))
        return as_integer(b, whole, slot.width)

    def write(self, slot: Slot, value: SSAValue) -> None:
        if slot.place is None:
            slot.value = value
            return
        b = self.b
        whole = as_integer(b, as_integer(b, value, slot.width), stored_width(slot.width))
        b.store(whole, slot.place)

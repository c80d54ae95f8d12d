# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the rules of instructions build with where inline PTX is read for the host.

In a body without branches a register is a value; where control flow joins it is private memory of
the thread, which later passes make a value of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Block, Operation

from xgpu.core.ir.blocks import add_argument, split_before
from xgpu.core.ir.symbols import symbol_name
from xgpu.dialects.llvm.types import LLVMPointerType
from xgpu.frontend.ptx.registers import (
    PtxBuilder,
    Registers,
    Slot,
    as_integer,
    integer_type,
)
from xgpu.host_device.abi.structs import SIZES, layout
from xgpu.host_device.compiler import claims
from xgpu.host_device.compiler.code import Code, FunctionState, ModuleState
from xgpu.host_device.compiler.types import I32, I64

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from xdsl.ir import Attribute, SSAValue

    from xgpu.dialects.llvm.types import LLVMFunctionType

#: On an operation that an instruction of inline PTX became: the opcode.
INSTRUCTION = "host.instruction"
#: Beginnings of the names of operations that get it.
_WITH_OPCODE = ("nvvm.", "llvm.call_intrinsic", "llvm.fence")


class Raiser(Code, PtxBuilder):
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

    def function_type(self, name: str) -> LLVMFunctionType | None:
        module = self.state.function.parent_op()
        functions = module.regions[0].blocks[0].ops if isinstance(module, Operation) else ()
        for op in functions:
            if op.name == "llvm.func" and symbol_name(op) == name:
                return cast("LLVMFunctionType", op.properties["function_type"])
        return None

    def tensor_map_field(self, name: str) -> tuple[int, int, int]:
        offset, kind, count = layout("TensorMap")[0][name]
        return offset, count, SIZES.get(kind, 8)

    def shared_pointer(self, value: SSAValue, ty: LLVMPointerType) -> SSAValue:
        found = self.nvvm("ptx.shared.pointer", (value,), ty)
        assert found is not None
        return found

    def loop(self, count: SSAValue, build: Callable[[SSAValue], None]) -> None:
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


class _State(FunctionState):
    def __init__(self, function: Operation) -> None:
        # No thread's record yet.
        self.function = function
        self.module = ModuleState()
        self.is_kernel = True
        self.prologue = function.regions[0].blocks[0]
        self.known = {}


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


class BodyRegisters(Registers):
    """The registers of a body, those that are operands of the assembly among them."""

    def __init__(self, b: Raiser) -> None:
        super().__init__(b)
        self.b: Raiser = b
        self.slots: list[Slot] = []

    def new(self, width: int, declared: str = "") -> Slot:
        """A register. `declared` is its type, where it has one."""
        slot = Slot(width, None, declared)
        self.slots.append(slot)
        return slot

    def read(self, slot: Slot) -> SSAValue:
        if slot.place is None:
            return super().read(slot)
        whole = self.b.load(slot.place, integer_type(stored_width(slot.width)))
        return as_integer(self.b, whole, slot.width)

    def write(self, slot: Slot, value: SSAValue) -> None:
        if slot.place is None:
            slot.value = value
            return
        b = self.b
        whole = as_integer(b, as_integer(b, value, slot.width), stored_width(slot.width))
        b.store(whole, slot.place)

    def constant(self, slot: Slot) -> int | None:
        return super().constant(slot) if slot.place is None else None

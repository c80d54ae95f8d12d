# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Registers of PTX: bits of a width, which instructions take for what they need.

A register holds a value of any type of that many bits; it becomes an integer, a float or a pointer
where an instruction reads it. `PtxBuilder` and `Registers` are what the rules of instructions build
with. The reader of inline PTX (`xgpu.host_device.compiler.ptx`) and the import of whole modules
(`importer`) derive from both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NoReturn

from xdsl.dialects.builtin import (
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
    StringAttr,
    VectorType,
    i1,
    i8,
    i16,
    i32,
    i64,
)
from xdsl.ir import Attribute, SSAValue

from xgpu.core.ir.constants import constant_of
from xgpu.dialects.llvm.builders import POINTER, LLVMBuilder
from xgpu.dialects.llvm.types import LLVMFunctionType, LLVMPointerType

if TYPE_CHECKING:
    from xgpu.frontend.ptx.grammar import Placeholder

__all__ = ["I1", "I8", "I16", "I32", "I64", "POINTER"]

I1, I8, I16, I32, I64 = i1, i8, i16, i32, i64
SHARED_SPACES = (3, 7)
_TYPE_WIDTH = re.compile(r"(?<!\d)(\d{1,3})(?:x(\d))?$")
_FLOAT_WIDTHS = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}
#: Bits of a register by the letter of a constraint (LLVM's NVPTX target).
LETTERS = {"b": 1, "c": 16, "h": 16, "r": 32, "f": 32, "l": 64, "d": 64, "N": 64, "q": 128}


class PtxBuilder(LLVMBuilder):
    """Builds what instructions stand for."""

    def refuse(self, message: str) -> NoReturn:
        """There are no operations for this."""
        raise NotImplementedError

    def function_type(self, name: str) -> LLVMFunctionType | None:
        """The type of a function of the module, as those who call it see it."""
        raise NotImplementedError

    def loop(self, count: SSAValue, build: Callable[[SSAValue], None]) -> None:
        """What `build` makes for each number below `count`, an i32."""
        raise NotImplementedError

    def memory(self, size: int, alignment: int) -> SSAValue:
        """So many bytes of the thread's own."""
        raise NotImplementedError

    def tensor_map_field(self, name: str) -> tuple[int, int, int]:
        """Where a field of a device's tensor map is: offset, elements (0: no list), bytes of
        each."""
        raise NotImplementedError

    def shared_pointer(self, value: SSAValue, ty: LLVMPointerType) -> SSAValue:
        """An i32 as an address in shared memory."""
        return self.cast("inttoptr", value, ty)

    def nvvm(
        self, name: str, arguments: Sequence[SSAValue], result: Attribute | None = None
    ) -> SSAValue | None:
        """A call of the intrinsic `llvm.nvvm.<name>`."""
        return self.called_intrinsic(f"llvm.nvvm.{name}", arguments, result)

    def called_intrinsic(
        self, name: str, arguments: Sequence[SSAValue], result: Attribute | None = None
    ) -> SSAValue | None:
        """A call of an intrinsic of LLVM by its name."""
        given = list(arguments)
        properties = {
            "intrin": StringAttr(name),
            "operandSegmentSizes": DenseArrayBase.from_list(i32, [len(given), 0]),
            "op_bundle_sizes": DenseArrayBase.from_list(i32, []),
        }
        types = () if result is None else (result,)
        op = self.create("llvm.call_intrinsic", given, types, properties)
        return op.results[0] if result is not None else None


class Slot:
    """A register: `value` if it is known, or where in memory it is."""

    __slots__ = ("declared", "place", "type", "value", "width")

    def __init__(self, width: int, type: Attribute | None = None, declared: str = "") -> None:
        self.width = width
        #: The type of PTX in its declaration; empty for one that has none.
        self.declared = declared
        #: The type of its values where control flow joins; None: an integer.
        self.type = type
        self.value: SSAValue | None = None
        self.place: SSAValue | None = None


class Registers:
    """The registers that instructions read and write; here each holds the value of its last
    write."""

    def __init__(self, b: PtxBuilder) -> None:
        self.b = b
        #: By the position of an operand of inline PTX.
        self.placed: list[Slot] = []
        #: The condition code's carry, where an instruction uses it.
        self.carry: Slot | None = None

    def at(self, operand: Placeholder) -> Slot:
        if operand.index >= len(self.placed):
            self.b.refuse(f"inline assembly names ${operand.index}, which it does not have")
        return self.placed[operand.index]

    def read(self, slot: Slot) -> SSAValue:
        if slot.value is None:
            slot.value = self.b.poison(integer_type(slot.width))
        return slot.value

    def write(self, slot: Slot, value: SSAValue) -> None:
        slot.value = value

    def constant(self, slot: Slot) -> int | None:
        """The number that a register is known to hold."""
        return None if slot.value is None else integer_constant(slot.value)


def integer_constant(value: SSAValue) -> int | None:
    """The integer that `value` is, if that is known."""
    found = constant_of(value)
    return found.value.data if isinstance(found, IntegerAttr) else None


def type_width(name: str) -> int | None:
    """The bits of a type of PTX."""
    if name == "pred":
        return 1
    match = _TYPE_WIDTH.search(name)
    return None if match is None else int(match[1]) * int(match[2] or 1)


def width_of(ty: Attribute) -> int | None:
    """The bits of a scalar or vector; 64 for a pointer."""
    if isinstance(ty, VectorType):
        each = width_of(ty.element_type)
        return None if each is None else each * ty.shape.data[0].data
    if isinstance(ty, IntegerType):
        return ty.width.data
    return 64 if isinstance(ty, LLVMPointerType) else _FLOAT_WIDTHS.get(ty.name)


@lru_cache(maxsize=64)
def integer_type(width: int) -> IntegerType:
    return IntegerType(width)


def as_integer(b: PtxBuilder, value: SSAValue, width: int, signed: bool = False) -> SSAValue:
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


def as_type(b: PtxBuilder, value: SSAValue, ty: Attribute) -> SSAValue:
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


def as_pointer(b: PtxBuilder, value: SSAValue, space: int) -> SSAValue:
    """A register as an address in an address space. One of 32 bits is in shared memory."""
    ty = value.type
    wanted = LLVMPointerType(space) if space else LLVMPointerType()
    if isinstance(ty, LLVMPointerType):
        return b.cast("addrspacecast", value, wanted) if ty != wanted else value
    if width_of(ty) == 32 and space in SHARED_SPACES:
        return b.shared_pointer(as_integer(b, value, 32), wanted)
    return b.cast("inttoptr", as_integer(b, value, 64), wanted)

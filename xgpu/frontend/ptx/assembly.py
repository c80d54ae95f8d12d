# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Instructions of a module that stay pieces of inline PTX: those without operations of their own.

    mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, ...}, {%r1, ...}, ...;
becomes
    %0 = llvm.inline_asm has_side_effects "mma... {$0, $1, $2, $3}, {$4, ...};", "=f,=f,...,r" ...

The host device reads each by the rules of inline PTX, LLVM hands it on as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerAttr, StringAttr, UnitAttr, f32, f64, i64
from xdsl.ir import Attribute, SSAValue

from xgpu.dialects.llvm.types import LLVMStructType, LLVMVoidType
from xgpu.frontend.ptx.grammar import Address, Group, Name, Not, Number, Operand, Pair
from xgpu.frontend.ptx.registers import Slot, as_type, integer_type

if TYPE_CHECKING:
    from xgpu.frontend.ptx.instructions import Built

#: Instructions that stay, by their first words.
_KEPT = frozenset((
    "mma", "movmatrix", "ldmatrix", "stmatrix", "wmma", "wgmma", "tcgen05", "getctarank",
    "cp.reduce", "st.async", "red.async", "createpolicy", "prefetch", "prefetchu", "discard",
    "applypriority", "griddepcontrol", "setmaxnreg", "pmevent", "tensormap",
    "st.bulk", "clusterlaunchcontrol", "tex", "tld4", "txq", "suq", "suld", "sust",
))  # fmt: skip
#: Those without a result.
_STORES = (
    "stmatrix", "wmma.store", "cp.reduce", "st.async", "red.async", "prefetch", "prefetchu",
    "discard", "applypriority", "griddepcontrol", "setmaxnreg", "pmevent", "tcgen05.st",
    "tcgen05.mma", "tcgen05.cp", "tcgen05.alloc", "tcgen05.dealloc", "tcgen05.commit",
    "tcgen05.relinquish_alloc_permit", "tcgen05.fence", "tcgen05.wait", "tcgen05.shift",
    "tensormap", "wgmma.fence", "wgmma.commit_group", "wgmma.wait_group",
    "st.bulk", "clusterlaunchcontrol.try_cancel", "sust",
)  # fmt: skip
#: Those that read what they write.
_UPDATES = ("wgmma.mma_async",)
_LETTERS = {1: "b", 8: "h", 16: "h", 32: "r", 64: "l", 128: "q"}


def is_assembly(words: Sequence[str], by_first: bool = True) -> bool:
    """Whether an instruction stays; by its first two words alone where the first has a rule of
    modules."""
    return (by_first and words[0] in _KEPT) or ".".join(words[:2]) in _KEPT


def build_assembly(p: Built) -> None:
    """Builds an instruction as inline PTX."""
    _Piece(p).build()


class _Piece:
    def __init__(self, p: Built) -> None:
        self._p = p
        words = p.instruction.words
        name = ".".join(words[:2]).partition("::")[0]
        self._has_result = words[0] not in _STORES and name not in _STORES
        self._updates = name in _UPDATES
        self._written: list[Slot] = []
        self._types: list[Attribute] = []
        self._targets: list[str] = []
        self._read: list[SSAValue] = []
        self._sources: list[str] = []

    def build(self) -> None:
        p = self._p
        operands = list(p.operands)
        if self._has_result and operands:
            self._collect(operands[0])
        before = len(self._written)
        numbers = iter(range(before))
        texts = [
            self._target(operand, numbers) if at == 0 and self._has_result
            else self._source(operand)
            for at, operand in enumerate(operands)
        ]  # fmt: skip
        if self._updates:
            for at, slot in enumerate(self._written):
                self._read.append(as_type(p.b, p.registers.read(slot), self._types[at]))
                self._sources.append(str(at))
        text = (
            f"{p.instruction.opcode} {', '.join(texts)};" if texts else f"{p.instruction.opcode};"
        )
        properties = {
            "asm_string": StringAttr(text),
            "constraints": StringAttr(",".join([*self._targets, *self._sources])),
            "asm_dialect": IntegerAttr(0, i64),
            "has_side_effects": UnitAttr(),
        }
        result: Attribute = LLVMVoidType()
        if self._types:
            result = self._types[0] if len(self._types) == 1 else LLVMStructType(self._types)
        types = (result,) if self._types else ()
        op = p.b.create("llvm.inline_asm", self._read, types, properties)
        for at, slot in enumerate(self._written):
            value = op.results[0] if len(self._types) == 1 else p.b.member(op.results[0], at)
            if value.type != slot.type and slot.width not in (1, 16, 32, 64, 128):
                value = as_type(p.b, value, integer_type(slot.width))
            p.registers.write(slot, value)

    def _collect(self, operand: Operand) -> None:
        """Notes the registers that are written."""
        for part in _parts(operand):
            slot = self._p.slot(part)
            if slot is None:
                if isinstance(part, Name) and part.text == "_":
                    continue
                self._p.refuse("its result is no register")
            self._written.append(slot)
            ty: Attribute = integer_type(max(slot.width, 16) if slot.width > 1 else 1)
            if slot.type is not None and slot.type in (f32, f64):
                ty = slot.type
            self._types.append(ty)
            self._targets.append("=" + self._letter(slot.width, ty))

    def _target(self, operand: Operand, numbers: Iterator[int]) -> str:
        if isinstance(operand, Group):
            return "{" + ", ".join(self._target(part, numbers) for part in operand.parts) + "}"
        if isinstance(operand, Pair):
            return f"{self._target(operand.first, numbers)}|{self._target(operand.second, numbers)}"
        if isinstance(operand, Name) and operand.text == "_":
            return "_"
        return f"${next(numbers)}"

    def _source(self, operand: Operand) -> str:
        p = self._p
        if isinstance(operand, Group):
            return "{" + ", ".join(self._source(part) for part in operand.parts) + "}"
        if isinstance(operand, Pair):
            return f"{self._source(operand.first)}|{self._source(operand.second)}"
        if isinstance(operand, Address):
            rest = "".join(f", {self._source(part)}" for part in operand.rest)
            offset = f"+{operand.offset}" if operand.offset else ""
            return f"[{self._address(operand.base)}{offset}{rest}]"
        if isinstance(operand, Not):
            return f"!{self._source(operand.of)}"
        if isinstance(operand, Number):
            return _number(operand)
        if isinstance(operand, Name) and operand.text == "_":
            return "_"
        slot = p.slot(operand)
        if slot is None:
            return self._input(p.value(operand, 64), 64)
        return self._input(p.read(slot), slot.width)

    def _address(self, base: Operand) -> str:
        p = self._p
        if isinstance(base, Number):
            return _number(base)
        slot = p.slot(base)
        return self._input(p.value(base, 64), 64 if slot is None else slot.width)

    def _input(self, value: SSAValue, width: int) -> str:
        ty: Attribute = value.type
        if ty not in (f32, f64):
            if ty.name != "llvm.ptr":
                value = as_type(self._p.b, value, integer_type(width))
            elif width != 64:
                value = as_type(
                    self._p.b,
                    self._p.b.cast("ptrtoint", value, integer_type(width)),
                    integer_type(width),
                )
            if width == 8:
                value = self._p.b.cast("zext", value, integer_type(16))
        self._read.append(value)
        self._sources.append(self._letter(width, value.type))
        return f"${len(self._written) + len(self._read) - 1}"

    @staticmethod
    def _letter(width: int, ty: Attribute) -> str:
        if ty in (f32, f64):
            return "f" if ty == f32 else "d"
        return _LETTERS.get(width, "r")


def _parts(operand: Operand) -> list[Operand]:
    if isinstance(operand, Group):
        return [inner for part in operand.parts for inner in _parts(part)]
    if isinstance(operand, Pair):
        return [*_parts(operand.first), *_parts(operand.second)]
    return [operand]


def _number(number: Number) -> str:
    if number.width == 32:
        return f"0f{number.value:08X}"
    return f"0d{number.value:016X}" if number.width == 64 else str(number.value)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which registers hold pointers and which floats, from the instructions that write them.

PTX declares registers by their bits: an address is a `.b64`, and LLVM declares floats as `.b32`. A
register all of whose values are addresses in one address space is a pointer where control flow
joins; an address that is computed by additions becomes `llvm.getelementptr`, which analyses
understand. A parameter of 64 bits is a pointer if its value is used as an address: of `a + b` the
operand that is no product, shift, conversion or number is the address.

Where it is not known, a register is an integer: that is right too, and says less.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import f32, f64
from xdsl.ir import Attribute

from xgpu.dialects.llvm.types import LLVMPointerType
from xgpu.frontend.ptx.grammar import (
    Address,
    Group,
    Instruction,
    Name,
    Operand,
    Pair,
    Sum,
    Variable,
)
from xgpu.frontend.ptx.registers import Slot

if TYPE_CHECKING:
    from xgpu.frontend.ptx.control_flow import Step

#: Address spaces of variables.
SPACES = {"global": 1, "shared": 3, "const": 4, "local": 0, "param": 0}
_CVTA = {"global": 1, "shared": 3, "shared::cta": 3, "shared::cluster": 7, "const": 4, "local": 0,
         "param": 0}  # fmt: skip
_MEMORY = ("ld", "ldu", "st", "atom", "red", "prefetch", "prefetchu", "cp", "mbarrier")
_WORDS = ("u64", "s64", "b64", "f64", "u32", "s32", "b32")
#: Arithmetic whose result has the type of its last word.
_FLOATING = {"f32": f32, "f64": f64}
#: What moves bits of any type.
_MOVING = ("mov", "selp", "ld", "ldu", "shfl", "atom")
_NOT_FLOATS = ("setp", "set", "st", "red", "testp", "slct", "cvt", "call")


class Definition:
    """What a register gets: a pointer in `space` if it is known, else what `copies` or, added,
    `terms` hold; an integer where all are empty. `parameter` is one that was loaded, `widened` a
    register of 32 bits that was extended: an address where that is one."""

    __slots__ = ("copies", "parameter", "slot", "space", "terms", "widened")

    def __init__(self, slot: Slot) -> None:
        self.slot = slot
        self.space: int | None = None
        self.copies: list[Slot] = []
        self.terms: list[Slot | None] = []
        self.parameter: Variable | None = None
        self.widened: Slot | None = None


class RegisterTypes:
    """Finds types for the registers of a body, and which parameters are pointers.

    `find` gives what a name is: a register, or a variable. Linear in the steps.
    """

    def __init__(
        self, steps: Sequence[Step], find: Callable[[Step, str], Slot | Variable | None]
    ) -> None:
        self._find = find
        self._definitions: list[Definition] = []
        self._addresses: set[Slot] = set()
        self._floats: dict[Slot, Attribute | None] = {}
        #: Names that instructions have.
        self._used: set[str] = set()
        for step in steps:
            if isinstance(step.statement, Instruction):
                self._look(step, step.statement)
        #: Parameters of 64 bits that are used as addresses.
        self.pointers = self._parameters()
        self._set_types()

    # -- instructions

    def _look(self, step: Step, instruction: Instruction) -> None:
        words, operands = instruction.words, instruction.operands
        word = words[0]
        if not operands:
            return
        for operand in operands:
            if isinstance(operand, Address) and isinstance(operand.base, Name):
                self._used.add(operand.base.text)
            elif isinstance(operand, Name | Sum):
                self._used.add(operand.text if isinstance(operand, Name) else operand.name)
            elif isinstance(operand, Group):
                self._used.update(p.text for p in operand.parts if isinstance(p, Name))
        if word in _MEMORY and "param" not in words:
            for operand in operands:
                if isinstance(operand, Address):
                    self._is_address(step, operand.base)
        if word == "tensormap" and "global_address" in words:
            self._is_address(step, operands[-1])
        if word in ("cvta", "isspacep") and len(operands) > 1:
            self._is_address(step, operands[1])
        for at, target in enumerate(_targets(operands[0])):
            slot = self._slot(step, target)
            if slot is not None:
                self._defined(step, instruction, slot, at)

    def _is_address(self, step: Step, operand: Operand) -> None:
        slot = self._slot(step, operand)
        if slot is not None:
            self._addresses.add(slot)

    def _slot(self, step: Step, operand: Operand) -> Slot | None:
        if not isinstance(operand, Name):
            return None
        found = self._find(step, operand.text)
        return found if isinstance(found, Slot) else None

    def _defined(self, step: Step, instruction: Instruction, slot: Slot, at: int) -> None:
        words = instruction.words
        if slot.width not in (32, 64) or words[0] in ("st", "red", "bar"):
            return
        ty = _float_type(words) if slot.type is None else None
        if ty is None or (slot in self._floats and self._floats[slot] != ty):
            if words[0] not in _MOVING:
                self._floats[slot] = None
        else:
            self._floats[slot] = ty
        found = Definition(slot)
        rule = _RULES.get(words[0])
        if rule is not None and at == 0 and words[-1] in _WORDS:
            rule(self, step, instruction, found)
        self._definitions.append(found)

    def _load(self, step: Step, instruction: Instruction, found: Definition) -> None:
        source = instruction.operands[1] if len(instruction.operands) > 1 else None
        if not isinstance(source, Address) or not isinstance(source.base, Name):
            return
        if not any(word.startswith("param") for word in instruction.words):
            return
        variable = self._find(step, source.base.text)
        if isinstance(variable, Variable) and not variable.sizes and not source.offset:
            found.parameter = variable

    def _move(self, step: Step, instruction: Instruction, found: Definition) -> None:
        source = instruction.operands[1] if len(instruction.operands) > 1 else None
        if isinstance(source, Name | Sum):
            name = source.text if isinstance(source, Name) else source.name
            variable = self._find(step, name)
            if isinstance(variable, Slot):
                found.copies = [variable]
            elif variable is not None:
                found.space = SPACES.get(variable.space)

    def _cast(self, step: Step, instruction: Instruction, found: Definition) -> None:
        words = instruction.words
        if "to" not in words:
            found.space = 0
            return
        found.space = next((_CVTA[word] for word in words if word in _CVTA), None)

    def _sum(self, step: Step, instruction: Instruction, found: Definition) -> None:
        operands = instruction.operands[1:]
        if "cc" in instruction.words or "sat" in instruction.words:
            return
        if instruction.words[0] == "mad":
            if not {"wide", "lo"}.intersection(instruction.words):
                return
            operands = operands[2:]
        if instruction.words[0] == "sub":
            operands = operands[:1]
        found.terms = [self._slot(step, operand) for operand in operands]

    def _widen(self, step: Step, instruction: Instruction, found: Definition) -> None:
        """Addresses of variables that are not in global memory may have 32 bits."""
        if instruction.words[1:] == ["u64", "u32"] and len(instruction.operands) > 1:
            found.widened = self._slot(step, instruction.operands[1])

    def _select(self, step: Step, instruction: Instruction, found: Definition) -> None:
        given = [self._slot(step, operand) for operand in instruction.operands[1:3]]
        found.copies = [slot for slot in given if slot is not None]
        if len(found.copies) != 2:
            found.copies = []

    # -- what follows

    def _parameters(self) -> set[str]:
        """Names of parameters that are loaded into registers that are used as addresses."""
        by_slot: dict[Slot, list[Definition]] = {}
        for definition in self._definitions:
            by_slot.setdefault(definition.slot, []).append(definition)
        work = list(self._addresses)
        seen = set(work)
        found: set[str] = set()
        while work:
            slot = work.pop()
            for definition in by_slot.get(slot, ()):
                variable = definition.parameter
                if variable is not None:
                    if slot.width == 64:
                        found.add(variable.name)
                    continue
                for source in _bases(definition, by_slot):
                    if source not in seen:
                        seen.add(source)
                        work.append(source)
        for definition in self._definitions:
            variable = definition.parameter
            if variable is not None and variable.name in found:
                definition.space = 0
        return found

    def is_used(self, variable: Variable) -> bool:
        """Whether something is done with a parameter."""
        return variable.name in self._used

    def _set_types(self) -> None:
        """All values of a register are addresses in one space: assumed until one is not."""
        spaces: dict[Slot, int | None] = {}
        used: dict[Slot, list[Definition]] = {}
        for definition in self._definitions:
            for source in (*definition.copies, *definition.terms, definition.widened):
                if source is not None:
                    used.setdefault(source, []).append(definition)
        by_slot: dict[Slot, list[Definition]] = {}
        for definition in self._definitions:
            by_slot.setdefault(definition.slot, []).append(definition)
        unknown = -1
        work = list(by_slot)
        changes: dict[Slot, int] = {}
        while work:
            slot = work.pop()
            known = [
                found for d in by_slot[slot]
                if (found := _space(d, spaces, by_slot, unknown)) != unknown
            ]  # fmt: skip
            if not known:
                continue
            space = known[0] if all(k == known[0] for k in known) else None
            if spaces.get(slot, unknown) == space or changes.get(slot, 0) > 3:
                continue
            changes[slot] = changes.get(slot, 0) + 1
            spaces[slot] = space if changes[slot] < 4 else None
            work += [d.slot for d in used.get(slot, ())]
        for slot in by_slot:
            space = spaces.get(slot)
            if space is not None and slot.type is None:
                slot.type = LLVMPointerType(space) if space else LLVMPointerType()
        for slot, ty in self._floats.items():
            if slot.type is None and ty is not None:
                slot.type = ty


def _space(
    definition: Definition, spaces: dict[Slot, int | None], by_slot: dict[Slot, list[Definition]],
    unknown: int,
) -> int | None:  # fmt: skip
    """The address space of what is written, None for an integer, `unknown` so far."""
    if definition.space is not None:
        return definition.space
    if definition.widened is not None:
        return spaces.get(definition.widened, unknown) if definition.widened in by_slot else None
    sources = definition.copies or definition.terms
    known: list[int | None] = []
    for source in sources:
        if source is None or source not in by_slot:
            known.append(None)
        else:
            known.append(spaces.get(source, unknown))
    if definition.copies:
        rest = [k for k in known if k != unknown]
        return unknown if not rest else rest[0] if all(k == rest[0] for k in rest) else None
    pointers = [k for k in known if k is not None]
    if not known or not pointers:
        return None
    return pointers[0] if len(pointers) == 1 else None if unknown not in pointers else unknown


def _bases(definition: Definition, by_slot: dict[Slot, list[Definition]]) -> list[Slot]:
    """The registers that an address may have come from."""
    if definition.copies:
        return definition.copies
    terms = [term for term in definition.terms if term is not None]
    if len(terms) < 2:
        return terms
    given = [term for term in terms if not _is_number(term, by_slot)]
    return given[:1] if all(_is_loaded(term, by_slot) for term in given) else given


def _is_number(slot: Slot, by_slot: dict[Slot, list[Definition]]) -> bool:
    """Whether nothing that a register gets can be an address."""
    return not any(
        d.space is not None or d.copies or d.terms or d.parameter is not None
        for d in by_slot.get(slot, ())
    )


def _is_loaded(slot: Slot, by_slot: dict[Slot, list[Definition]]) -> bool:
    return all(d.parameter is not None for d in by_slot.get(slot, ()))


def _float_type(words: Sequence[str]) -> Attribute | None:
    if words[0] == "cvt":
        return _FLOATING.get(words[-2]) if len(words) > 2 else None
    return None if words[0] in _NOT_FLOATS else _FLOATING.get(words[-1])


def _targets(operand: Operand) -> Sequence[Operand]:
    if isinstance(operand, Group):
        return operand.parts
    return [operand.first] if isinstance(operand, Pair) else [operand]


_RULES = {
    "ld": RegisterTypes._load,
    "mov": RegisterTypes._move,
    "cvta": RegisterTypes._cast,
    "add": RegisterTypes._sum,
    "sub": RegisterTypes._sum,
    "mad": RegisterTypes._sum,
    "selp": RegisterTypes._select,
    "cvt": RegisterTypes._widen,
}

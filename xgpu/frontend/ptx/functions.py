# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A function of PTX as an `llvm.func`.

    .visible .entry k(.param .u64 p, .param .u32 n) { ... }
becomes
    llvm.func @k(%p: !llvm.ptr, %n: i32) attributes {nvvm.kernel} { ... }

Statements get the names they see (`_flatten`), become blocks (`control_flow`), and each instruction
is built by its rule: those of `module_rules`, which know of modules, parameters and pointers, else
those that inline PTX has too. What only inline PTX has operations for stays a piece of it
(`assembly`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DenseArrayBase, DenseIntOrFPElementsAttr, VectorType, i32
from xdsl.ir import Block, Operation, Region

from xgpu.core.ir.blocks import add_argument
from xgpu.dialects.llvm import builders as llvm
from xgpu.dialects.llvm.types import LLVMFunctionType
from xgpu.frontend.ptx.assembly import build_assembly, is_assembly
from xgpu.frontend.ptx.control_flow import (
    FlowBlock,
    NoTarget,
    SSARegisters,
    Step,
    flow_of,
    joined_waits,
)
from xgpu.frontend.ptx.declarations import (
    Bound,
    ModuleBuilder,
    Place,
    ScopeNames,
    Surroundings,
    hint,
    signature,
    variable_align,
    variable_size,
)
from xgpu.frontend.ptx.grammar import (
    Address,
    Element,
    Group,
    Instruction,
    Label,
    Loc,
    Name,
    Operand,
    Prototype,
    PtxError,
    Register,
    Scope,
    Sum,
    Targets,
    Variable,
)
from xgpu.frontend.ptx.instructions import FLOATS, rule_of
from xgpu.frontend.ptx.module_rules import RULES, Imported
from xgpu.frontend.ptx.operand_types import check_operands
from xgpu.frontend.ptx.register_types import RegisterTypes
from xgpu.frontend.ptx.registers import PtxBuilder, Slot, as_integer, as_type, type_width

if TYPE_CHECKING:
    from xdsl.ir import Attribute, LocationAttr, SSAValue

    from xgpu.frontend.ptx.module_reader import Function

_COMPONENTS = "xyzw"


class FunctionImport:
    """Builds the body of a function."""

    def __init__(self, module: Surroundings, function: Function) -> None:
        assert function.body is not None
        self.module = module
        self.function = function
        self._places: list[Place] = []
        self._labels: list[Label] = []
        self._targets: dict[Step, Sequence[Label]] = {}
        self._arguments: list[Bound | Place | list[Slot]] = []
        self._result: Bound | Place | list[Slot] | None = None
        self._location = module.location(function.at)
        self._has_carry = False
        self._current = FlowBlock()
        names = ScopeNames()
        for parameter in function.parameters:
            self._arguments.append(self._declare_parameter(names, parameter))
        for parameter in function.returns:
            self._result = self._declare_parameter(names, parameter)
        self.steps = joined_waits(self._flatten(function.body, names))
        self.types = RegisterTypes(self.steps, self._find)

    # -- names

    def _declare_parameter(
        self, names: ScopeNames, variable: Variable
    ) -> Bound | Place | list[Slot]:
        if variable.space == "reg" or (variable.count > 1 and not variable.sizes):
            register = Register(variable.name, variable.type, variable.count)
            return self._declare_register(names, register, variable.at)
        found = self._memory_or_value(variable)
        names[variable.name] = found
        return found

    def _memory_or_value(self, variable: Variable) -> Bound | Place:
        if variable.sizes:
            return Place(variable)
        width = type_width(variable.type) or 32
        return Bound(variable, Slot(width, FLOATS.get(variable.type)))

    def _declare_register(self, names: ScopeNames, register: Register, at: int) -> list[Slot]:
        width = type_width(register.type)
        if width is None:
            raise PtxError(register.type, at, f"a register of type '.{register.type}'")
        ty = FLOATS.get(register.type)
        slots = [Slot(width, ty, register.type) for _ in range(register.count)]
        if register.count == 1:
            names[register.name] = slots[0]
            return slots
        for component, slot in zip(_COMPONENTS, slots, strict=False):
            names[f"{register.name}.{component}"] = slot
        names[register.name] = Group(
            [Name(f"{register.name}.{c}") for c in _COMPONENTS[: len(slots)]]
        )
        return slots

    def _flatten(
        self, scope: Scope, outer: ScopeNames, loc: list[LocationAttr | None] | None = None
    ) -> list[Step]:
        names = ScopeNames(outer)
        loc = [None] if loc is None else loc
        for statement in scope.statements:
            if isinstance(statement, Register):
                self._declare_register(names, statement, self.function.at)
            elif isinstance(statement, Label):
                if isinstance(names.get(statement.name), Label) and statement.name in names:
                    raise PtxError(statement.name, statement.at, "the label is there twice")
                names[statement.name] = statement
            elif isinstance(statement, Variable):
                names[statement.name] = self._declare_variable(statement)
            elif isinstance(statement, Prototype | Targets):
                names[statement.name] = statement
        steps: list[Step] = []
        for statement in scope.statements:
            if isinstance(statement, Scope):
                steps += self._flatten(statement, names, loc)
            elif isinstance(statement, Loc):
                loc[0] = self.module.source_location(statement)
            elif isinstance(statement, Label):
                steps.append(Step(statement, names, None))
            elif isinstance(statement, Instruction):
                location = loc[0] or self.module.location(statement.at)
                steps.append(self._step(statement, names, location))
        return steps

    def _declare_variable(self, variable: Variable) -> object:
        if variable.space == "param":
            return self._memory_or_value(variable)
        if variable.space == "local":
            place = Place(variable)
            self._places.append(place)
            return place
        return self.module.add_local_variable(self.function, variable)

    def _step(self, statement: Instruction, names: ScopeNames, location: LocationAttr) -> Step:
        statement.operands = [
            self._element(operand, statement, names) if isinstance(operand, Element)
            else self._expanded(operand, names)
            for operand in statement.operands
        ]  # fmt: skip
        step = Step(statement, names, location)
        word = statement.words[0]
        self._has_carry = (
            self._has_carry or word in ("addc", "subc", "madc") or "cc" in statement.words
        )
        if word == "brx":
            name = statement.operands[1] if len(statement.operands) > 1 else None
            found = names.get(name.text) if isinstance(name, Name) else None
            labels = found.labels if isinstance(found, Targets) else ()
            given = [label for n in labels if isinstance(label := names.get(n), Label)]
            if not given or len(given) != len(labels):
                raise PtxError(statement.text, statement.at, "its targets are not known")
            self._targets[step] = given
        return step

    def _element(self, element: Element, statement: Instruction, names: ScopeNames) -> Operand:
        """An element of a variable: what an instruction accesses, or its address."""
        found = names.get(element.name)
        variable = found.variable if isinstance(found, Place) else found
        if variable is None:
            variable = self.module.variables.get(element.name)
        if not isinstance(variable, Variable) or not variable.sizes:
            raise PtxError(element.name, statement.at, f"'{element.name}' is no array")
        count = variable.count
        for size in variable.sizes[1:]:
            count *= size or 1
        offset = element.index * max((type_width(variable.type) or 8) // 8, 1) * count
        if statement.words[0] in ("mov", "cvta"):
            return Sum(element.name, offset)
        return Address(Name(element.name), offset, [])

    def _expanded(self, operand: Operand, names: ScopeNames) -> Operand:
        """A register of a vector type as its components."""
        if isinstance(operand, Name):
            found = names.get(operand.text)
            return found if isinstance(found, Group) else operand
        if isinstance(operand, Group):
            parts = [self._expanded(part, names) for part in operand.parts]
            return (
                Group(parts)
                if any(a is not b for a, b in zip(parts, operand.parts, strict=True))
                else operand
            )
        return operand

    def _find(self, step: Step, name: str) -> Slot | Variable | None:
        """What a name is, for `RegisterTypes`."""
        found = step.names.get(name)
        if isinstance(found, Place | Bound):
            return found.variable
        if isinstance(found, Slot | Variable):
            return found
        return self.module.variables.get(name)

    # -- the function

    def build(self) -> Operation:
        """The `llvm.func`. Raises `PtxError`."""
        function = self.function
        try:
            order = flow_of(self.steps, self._targets)
        except NoTarget as problem:
            given = problem.step.statement
            raise PtxError(getattr(given, "text", ""), given.at, "its target is no label") from None
        region = Region()
        for block in order:
            block.block = Block()
            region.add_block(block.block)
        entry = order[0].block
        assert entry is not None
        op = self.module.function_operation(function, self.signature(), region)
        b = self.b = ModuleBuilder(self.module, entry, self._location, self._is_repeated)
        self.registers = SSARegisters(b, order)
        if self._has_carry:
            self.registers.carry = Slot(1)
        self._enter_arguments(entry)
        for place in self._places:
            size, align = variable_size(place.variable), variable_align(place.variable)
            place.pointer = b.allocation(size, align)
        conditions: dict[FlowBlock, SSAValue | None] = {}
        for block in order:
            self._current = block
            assert block.block is not None
            b.at_end(block.block)
            self.registers.enter(block)
            for step in block.steps:
                self._instruction(step)
            conditions[block] = self._condition(block)
            self.registers.leave(block)
        self.registers.finish(order)
        numbers: dict[FlowBlock, int] = {}
        for block in order:
            self._end(block, conditions[block], numbers)
        return op

    def signature(self) -> LLVMFunctionType:
        return signature(self.function.returns, self.function.parameters, self.pointers)

    @property
    def pointers(self) -> frozenset[str]:
        """Names of the parameters that are pointers. One of an entry that is not used takes what
        a pointer takes, a number too."""
        return frozenset(
            p.name for p in self.function.parameters
            if not p.sizes and p.count == 1 and type_width(p.type) == 64
            and (p.pointee is not None or p.name in self.types.pointers
                 or (self.function.is_entry and not self.types.is_used(p)))
        )  # fmt: skip

    def _enter_arguments(self, entry: Block) -> None:
        b = self.b
        self.registers.enter(self._entry_block(entry))
        types = self.signature().arguments
        for variable, bound, ty in zip(
            self.function.parameters, self._arguments, types, strict=True
        ):
            argument = add_argument(entry, ty, self._location)
            argument.name_hint = hint(variable.name)
            if isinstance(bound, Place):
                bound.pointer = argument
            elif isinstance(bound, Bound):
                bound.slot.type = ty
                self.registers.write(bound.slot, argument)
            elif len(bound) == 1:
                self.registers.write(bound[0], argument)
            else:
                self._split_vector(argument, bound)
        if isinstance(self._result, Place):
            variable = self._result.variable
            self._result.pointer = b.allocation(variable_size(variable), variable_align(variable))

    def _entry_block(self, entry: Block) -> FlowBlock:
        found = FlowBlock()
        found.block = entry
        found.values = self.registers.entry.values
        return found

    def _split_vector(self, value: SSAValue, slots: Sequence[Slot]) -> None:
        for at, slot in enumerate(slots):
            self.registers.write(slot, self.b.element(value, at))

    # -- instructions

    def _built(self, step: Step) -> Imported:
        statement = step.statement
        assert isinstance(statement, Instruction)
        b = self.b
        b.location = step.location
        b.at = statement.at
        return Imported(b, self.registers, statement, step.names)

    def _instruction(self, step: Step) -> None:
        built = self._built(step)
        instruction = built.instruction
        words = instruction.words
        own = RULES.get(words[0])
        check_operands(built)
        if is_assembly(words, own is None):
            build_assembly(built)
            return
        rule = rule_of(words)
        if rule is None and own is None:
            built.refuse()
        if instruction.guard is None:
            if (own is None or not own(built)) and rule is not None:
                rule.build(built)
            return
        holds = built.predicate(instruction.guard)
        registers = self.registers
        registers.written = {}
        if (own is None or not own(built)) and rule is not None:
            rule.build(built)
        written, registers.written = registers.written, None
        for slot, old in written.items():
            self._choose(slot, old, holds)

    def _choose(self, slot: Slot, old: SSAValue | None, holds: SSAValue) -> None:
        """A register keeps its value where the predicate does not hold."""
        registers, b = self.registers, self.b
        new = registers.read(slot)
        if old is None:
            old = registers.value_before(slot)
        if old.owner.name == "llvm.mlir.poison" if not isinstance(old.owner, Block) else False:
            return
        if old.type != new.type:
            old, new = (as_integer(b, value, slot.width) for value in (old, new))
        registers.write(slot, b.select(holds, new, old))

    def _is_repeated(self) -> bool:
        """Whether control comes back to the block that is being built."""
        seen: set[FlowBlock] = set()
        work = list(self._current.successors)
        while work:
            found = work.pop()
            if found not in seen:
                seen.add(found)
                work += found.successors
        return self._current in seen

    # -- ends of blocks

    def _condition(self, block: FlowBlock) -> SSAValue | None:
        """What the branch at the end of a block depends on, or what is returned."""
        step = block.end
        if step is None:
            return None
        built = self._built(step)
        statement = built.instruction
        word = statement.words[0]
        if statement.guard is not None:
            return built.predicate(statement.guard)
        if word == "brx":
            return built.integer(0, 32)
        if word == "ret" and not self.function.is_entry:
            return self._returned()
        return None

    def _returned(self) -> SSAValue | None:
        b, bound = self.b, self._result
        if bound is None:
            return None
        ty = self.signature().result
        if isinstance(bound, Place):
            assert bound.pointer is not None
            return llvm.load(b, bound.pointer, ty)
        if isinstance(bound, Bound):
            return as_type(b, self.registers.read(bound.slot), ty)
        if len(bound) == 1:
            return as_type(b, self.registers.read(bound[0]), ty)
        assert isinstance(ty, VectorType)
        values = [as_integer(b, self.registers.read(slot), slot.width) for slot in bound]
        return b.vector(ty, values)

    def _end(
        self, block: FlowBlock, condition: SSAValue | None, numbers: dict[FlowBlock, int]
    ) -> None:
        b, step = self.b, block.end
        assert block.block is not None
        if condition is not None:
            condition = self.registers.resolved(condition)
        b.at_end(block.block)
        if step is not None:
            b.location = step.location
        if not block.successors:
            self._leave(step, condition)
            return
        given: list[list[SSAValue]] = []
        blocks: list[Block] = []
        for successor in block.successors:
            number = numbers.get(successor, 0)
            while successor.predecessors[number] is not block:
                number += 1
            given.append(self.registers.given(block, number, successor))
            assert successor.block is not None
            blocks.append(successor.block)
        if len(blocks) == 1 and (condition is None or step is None):
            b.branch(blocks[0], given[0])
            return
        assert condition is not None
        assert step is not None
        statement = step.statement
        assert isinstance(statement, Instruction)
        if statement.words[0] == "brx":
            _switch(b, condition, blocks, given)
            return
        if len(blocks) == 1:
            blocks, given = blocks * 2, given * 2
        b.cond_branch(condition, blocks[0], blocks[1], given[0], given[1])

    def _leave(self, step: Step | None, value: SSAValue | None) -> None:
        b = self.b
        statement = None if step is None else step.statement
        word = statement.words[0] if isinstance(statement, Instruction) else "ret"
        if word == "exit" and not self.function.is_entry:
            b.create("nvvm.exit")
            b.create("llvm.unreachable")
        elif step is None and self.function.returns:
            b.create("llvm.unreachable")  # nothing behind the last instruction is done
        else:
            b.create("llvm.return", () if value is None else (value,))


def _switch(
    b: PtxBuilder, condition: SSAValue, blocks: Sequence[Block], given: Sequence[Sequence[SSAValue]]
) -> None:
    """The last target is the default: an index that is too large has no meaning."""
    cases = len(blocks) - 1
    order = [cases, *range(cases)]
    operands = [value for at in order for value in given[at]]
    properties: dict[str, Attribute] = {
        "case_operand_segments": DenseArrayBase.from_list(
            i32, [len(given[at]) for at in range(cases)]
        ),
        "operandSegmentSizes": DenseArrayBase.from_list(
            i32, [1, len(given[cases]), sum(len(given[at]) for at in range(cases))]
        ),
    }
    if cases:
        kind = VectorType(i32, (cases,))
        properties["case_values"] = DenseIntOrFPElementsAttr.from_list(kind, list(range(cases)))
    b.create(
        "llvm.switch", (condition, *operands), (), properties,
        successors=[blocks[at] for at in order],
    )  # fmt: skip

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A function of PTX as an `llvm.func`.

    .visible .entry k(.param .u64 p, .param .u32 n) { ... }
becomes
    llvm.func @k(%p: !llvm.ptr, %n: i32) attributes {nvvm.kernel} { ... }

Statements get the names they see (`_flatten`), become blocks (`control_flow`), and each instruction
is built by its rule: those of `_RULES`, which know of modules, parameters and pointers, else those
that inline PTX has too. What only inline PTX has operations for stays a piece of it (`assembly`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NoReturn, Protocol

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, VectorType
from xdsl.ir import Block, Operation, Region

from xgpu.core.ir.blocks import add_argument
from xgpu.dialects.llvm import builders as llvm
from xgpu.dialects.llvm.types import (
    LLVMArrayType,
    LLVMFunctionType,
    LLVMPointerType,
    LLVMVoidType,
)
from xgpu.frontend.ptx.assembly import build_assembly, is_assembly
from xgpu.frontend.ptx.calls import KNOWN
from xgpu.frontend.ptx.control_flow import (
    FlowBlock,
    NoTarget,
    SSARegisters,
    Step,
    flow_of,
    joined_waits,
)
from xgpu.frontend.ptx.grammar import (
    Address,
    Element,
    Group,
    Instruction,
    Label,
    Loc,
    Name,
    Number,
    Operand,
    Prototype,
    PtxError,
    Register,
    Scope,
    Sum,
    Targets,
    Variable,
)
from xgpu.frontend.ptx.instructions import FLOATS, Built, Names, rule_of, scalar_of
from xgpu.frontend.ptx.memory import Access
from xgpu.frontend.ptx.register_types import RegisterTypes
from xgpu.frontend.ptx.registers import (
    I8,
    I64,
    PtxBuilder,
    Slot,
    as_integer,
    as_pointer,
    as_type,
    integer_type,
    type_width,
    width_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from xdsl.ir import Attribute, LocationAttr, SSAValue

    from xgpu.frontend.ptx.module_reader import Function

_COMPONENTS = "xyzw"


class Surroundings(Protocol):
    """What a function's body asks of its module."""

    #: The module's variables by name.
    variables: dict[str, Variable]

    def location(self, at: int) -> LocationAttr:
        """The place of a statement in the text."""
        ...

    def source_location(self, loc: Loc) -> LocationAttr | None:
        """The place in the program that the PTX was made from; None where it has none."""
        ...

    def function_type(self, name: str) -> LLVMFunctionType | None:
        """The type of a function of the module; None for any other name."""
        ...

    def callee_name(self, name: str) -> str:
        """The name that a function has among the modules that are linked."""
        ...

    def symbol(self, b: PtxBuilder, name: str) -> SSAValue | None:
        """The address of a variable or function of the module; None for any other name."""
        ...

    def address_of(self, b: PtxBuilder, variable: Variable) -> SSAValue:
        """The address of a variable that a function declares."""
        ...

    def add_local_variable(self, function: Function, variable: Variable) -> Variable:
        """Notes a variable that a function declares; it becomes one of the module."""
        ...

    def declare(self, name: str, ty: LLVMFunctionType) -> None:
        """Declares a function that every device has."""
        ...

    def function_operation(
        self, function: Function, ty: LLVMFunctionType, region: Region
    ) -> Operation:
        """The `llvm.func` of a function."""
        ...


class Place:
    """A variable in memory that a function has for itself, or a parameter in memory."""

    __slots__ = ("pointer", "variable")

    def __init__(self, variable: Variable) -> None:
        self.variable = variable
        self.pointer: SSAValue | None = None


class Bound:
    """A parameter that is one value; `spilled` is the memory of one that is read in parts."""

    __slots__ = ("slot", "spilled", "variable")

    def __init__(self, variable: Variable, slot: Slot) -> None:
        self.variable = variable
        self.slot = slot
        self.spilled: SSAValue | None = None


class ScopeNames(dict[str, object]):
    """The names of a list of statements in braces; those around it are seen too."""

    def __init__(self, outer: ScopeNames | None = None) -> None:
        super().__init__()
        self._outer = outer

    def get(self, key: str, default: object = None) -> object:
        scope: ScopeNames | None = self
        while scope is not None:
            found = dict.get(scope, key)
            if found is not None:
                return found
            scope = scope._outer
        return default


class ModuleBuilder(PtxBuilder):
    """Builds in a function of a module; constants are in its first block."""

    def __init__(self, module: Surroundings, entry: Block, location: LocationAttr) -> None:
        super().__init__(block=entry, location=location)
        self.module = module
        self.entry = entry
        self.at = 0

    def refuse(self, message: str) -> NoReturn:
        raise PtxError(message, self.at, message)

    def function_type(self, name: str) -> LLVMFunctionType | None:
        return self.module.function_type(name)

    def once(
        self, key: object, name: str, ty: Attribute,
        properties: Mapping[str, Attribute] | None = None,
    ) -> SSAValue:  # fmt: skip
        found = self.constants.get(key)
        if found is None:
            with self.insertion_guard():
                self.at_start(self.entry)
                found = self.constants[key] = self.value(name, (), ty, properties)
        return found

    def allocation(self, size: int, align: int) -> SSAValue:
        """Memory of the thread, for the whole function."""
        one = self.integer(1, I64)
        assert isinstance(one.owner, Operation)
        with self.insertion_guard():
            self.after(one.owner)
            return llvm.alloca(self, one, LLVMArrayType(max(size, 1), I8), alignment=align)


def parameter_type(variable: Variable, is_pointer: bool = False) -> Attribute:
    """The type of a parameter that is one value."""
    if is_pointer:
        space = {"global": 1, "const": 4, "shared": 3}.get((variable.pointee or ("", 0))[0], 0)
        return LLVMPointerType(space) if space else LLVMPointerType()
    if variable.type in FLOATS:
        return FLOATS[variable.type]
    width = type_width(variable.type)
    assert width is not None
    ty = integer_type(width)
    return ty if variable.count == 1 else VectorType(ty, (variable.count,))


def variable_size(variable: Variable) -> int:
    """Bytes of a variable; those of an array without a size are none."""
    size = max((type_width(variable.type) or 8) // 8, 1) * variable.count
    for count in variable.sizes:
        size *= count or 0
    return size


def variable_align(variable: Variable) -> int:
    natural = max((type_width(variable.type) or 8) // 8, 1) * variable.count
    return max(variable.align, natural)


def returned_type(variable: Variable) -> Attribute:
    """The type of a result: an array as an array of integers of its alignment."""
    if not variable.sizes:
        return parameter_type(variable)
    size, align = variable_size(variable), variable_align(variable)
    unit = next(n for n in (8, 4, 2, 1) if n <= align and size % n == 0)
    return LLVMArrayType(size // unit, integer_type(8 * unit))


def by_value(parameters: Sequence[Variable | None]) -> Attribute:
    """The attributes of arguments: those with a variable are passed by value in memory."""
    found: list[DictionaryAttr] = []
    for variable in parameters:
        attributes: dict[str, Attribute] = {}
        if variable is not None:
            attributes["llvm.byval"] = LLVMArrayType(variable_size(variable), I8)
            attributes["llvm.align"] = IntegerAttr(variable_align(variable), I64)
        found.append(DictionaryAttr(attributes))
    return ArrayAttr(found)


def signature(
    returns: Sequence[Variable], parameters: Sequence[Variable],
    pointers: frozenset[str] = frozenset(),
) -> LLVMFunctionType:  # fmt: skip
    """The type of a function. Raises `PtxError` for several results."""
    if len(returns) > 1:
        raise PtxError(returns[1].name, returns[1].at, "a function with several results")
    arguments = [
        LLVMPointerType() if p.sizes else parameter_type(p, p.name in pointers)
        for p in parameters
    ]  # fmt: skip
    result = returned_type(returns[0]) if returns else LLVMVoidType()
    return LLVMFunctionType(tuple(arguments), result)


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
        slots = [Slot(width, ty) for _ in range(register.count)]
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
        b = self.b = ModuleBuilder(self.module, entry, self._location)
        self.registers = SSARegisters(b, order)
        if self._has_carry:
            self.registers.carry = Slot(1)
        self._enter_arguments(entry)
        for place in self._places:
            size, align = variable_size(place.variable), variable_align(place.variable)
            place.pointer = b.allocation(size, align)
        conditions: dict[FlowBlock, SSAValue | None] = {}
        for block in order:
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
        return Imported(self, statement, step.names)

    def _instruction(self, step: Step) -> None:
        built = self._built(step)
        instruction = built.instruction
        words = instruction.words
        own = _RULES.get(words[0])
        if own is None and is_assembly(words):
            build_assembly(built)
            return
        rule = rule_of(words)
        if rule is None:
            built.refuse()
        if instruction.guard is None:
            if own is None or not own(built):
                rule.build(built)
            return
        holds = built.predicate(instruction.guard)
        registers = self.registers
        registers.written = {}
        if own is None or not own(built):
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
    from xdsl.dialects.builtin import DenseArrayBase, DenseIntOrFPElementsAttr, i32

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


#: A number that the printer of IR takes for its own, and drops.
_NUMBER = re.compile(r"_(?=\d+$)")


def hint(name: str) -> str | None:
    """A name of PTX as the name of a value: without `%`, and without `_` before a last number."""
    text = name.lstrip("%$").replace("$", "_").replace("%", "_")
    return _NUMBER.sub("", text) if text.isidentifier() else None


class Imported(Built):
    """An instruction of a module that is being built."""

    def __init__(self, function: FunctionImport, instruction: Instruction, names: Names) -> None:
        super().__init__(function.registers, instruction, names)
        self.function = function
        self.b: ModuleBuilder = function.b

    def refuse(self, why: str = "") -> NoReturn:
        reason = f": {why}" if why else ""
        self.b.refuse(f"'{self.instruction.text[:120]}' is not supported{reason}")

    def slot(self, operand: Operand) -> Slot | None:
        found = super().slot(operand)
        if found is None and isinstance(operand, Name):
            bound = self.names.get(operand.text)
            return bound.slot if isinstance(bound, Bound) else None
        return found

    def value(self, at: int | Operand, width: int = 32) -> SSAValue:
        operand = self.operand(at)
        if isinstance(operand, Sum):
            return self.moved(self._special(operand.name), operand.offset)
        return super().value(operand, width)

    def _special(self, text: str) -> SSAValue:
        found = self.names.get(text)
        if isinstance(found, Place):
            return self.place(found)
        if isinstance(found, Variable):
            return self.function.module.address_of(self.b, found)
        if found is None:
            symbol = self.function.module.symbol(self.b, text)
            if symbol is not None:
                return symbol
        return super()._special(text)

    def place(self, found: Place) -> SSAValue:
        """The address of a variable of the function."""
        if found.pointer is None:
            variable = found.variable
            found.pointer = self.b.allocation(variable_size(variable), variable_align(variable))
        return found.pointer

    def pointer(self, at: int | Operand, space: int) -> SSAValue:
        found = self.address(at)
        bound = self.names.get(found.base.text) if isinstance(found.base, Name) else None
        if isinstance(bound, Bound):
            return self.moved(self.spilled(bound), found.offset)
        slot = self.slot(found.base)
        base = self.value(found.base, slot.width if slot is not None else 64)
        base = self.in_space(base, space)
        return self.moved(base, found.offset)

    def in_space(self, value: SSAValue, space: int) -> SSAValue:
        """A value as an address in a space. Memory of the thread has generic addresses here."""
        if space == _LOCAL:
            is_generic = value.type == LLVMPointerType()
            return (
                value
                if is_generic
                else as_pointer(
                    self.b, value, 0 if isinstance(value.type, LLVMPointerType) else _LOCAL
                )
            )
        ty = value.type
        if isinstance(ty, LLVMPointerType) and 0 not in (ty.address_space, space):
            if ty.address_space == space:
                return value
            value = as_pointer(self.b, value, 0)
        return as_pointer(self.b, value, space)

    def spilled(self, bound: Bound) -> SSAValue:
        """Memory with the value of a parameter that is read in parts, or whose address is taken."""
        if bound.spilled is None:
            size, align = variable_size(bound.variable), variable_align(bound.variable)
            bound.spilled = self.b.allocation(size, align)
        value = self.registers.read(bound.slot)
        llvm.store(self.b, value, bound.spilled)
        return bound.spilled


_LOCAL = 5


# -- rules that know of modules: each says whether it has built the instruction


def _is_pointer(value: SSAValue | None) -> bool:
    return value is not None and isinstance(value.type, LLVMPointerType)


def _held(p: Imported, operand: Operand) -> SSAValue | None:
    """The pointer that an operand holds, if it is one."""
    if isinstance(operand, Name | Sum):
        value = p.value(operand, 64)
        return value if _is_pointer(value) else None
    return None


def _offset(p: Imported, operand: Operand, width: int, negative: bool = False) -> SSAValue | int:
    if isinstance(operand, Number):
        return -operand.value if negative else operand.value
    value = as_integer(p.b, p.value(operand, width), width)
    value = p.b.cast("sext", value, I64) if width < 64 else value
    return p.b.binary("sub", 0, value) if negative else value


def _moved_by(p: Imported, base: SSAValue, offset: SSAValue | int) -> SSAValue:
    if isinstance(offset, int):
        return p.moved(base, offset)
    return llvm.gep(p.b, base, I8, [offset])


def _integer_width(p: Imported) -> int | None:
    """The bits of an operation on integers that may be addresses."""
    word = p.instruction.words[-1]
    return int(word[1:]) if word in ("u64", "s64", "b64", "u32", "s32", "b32") else None


def _add(p: Imported) -> bool:
    width = _integer_width(p)
    if width is None or {"cc", "sat"}.intersection(p.words) or len(p.operands) != 3:
        return False
    first, second = p.operands[1:]
    is_sub = p.instruction.words[0] == "sub"
    held = _held(p, first), _held(p, second)
    if held[0] is not None and held[1] is None:
        p.write(0, _moved_by(p, held[0], _offset(p, second, width, is_sub)))
        return True
    if held[1] is not None and held[0] is None and not is_sub:
        p.write(0, _moved_by(p, held[1], _offset(p, first, width)))
        return True
    return False


def _multiply_add(p: Imported) -> bool:
    words = p.instruction.words
    if _integer_width(p) is None or len(p.operands) != 4 or "sat" in words or "cc" in words:
        return False
    base = _held(p, p.operands[3])
    if base is None or not {"wide", "lo"}.intersection(words):
        return False
    rule = rule_of(["mul"])
    assert rule is not None
    slot = Slot(64 if "wide" in words or words[-1].endswith("64") else 32)
    product = Instruction(
        None,
        ".".join(["mul", *words[1:]]),
        [Name(_PRODUCT), *p.operands[1:3]],
        p.instruction.text,
        p.instruction.at,
    )
    built = Imported(p.function, product, _WithProduct(p.names, slot))
    rule.build(built)
    offset = as_integer(p.b, p.registers.read(slot), slot.width)
    offset = p.b.cast("sext", offset, I64) if slot.width < 64 else offset
    p.write(0, _moved_by(p, base, offset))
    return True


#: The name of a register for a product; no name of PTX is empty.
_PRODUCT = ""


class _WithProduct:
    """Names, and that register."""

    def __init__(self, names: Names, slot: Slot) -> None:
        self._names = names
        self._slot = slot

    def get(self, key: str, /) -> object:
        return self._slot if key == _PRODUCT else self._names.get(key)


def _move(p: Imported) -> bool:
    words = p.instruction.words
    if len(p.operands) != 2:
        return False
    target, source = p.operands
    if len(words) == 3 and words[1] in ("v2", "v4", "v8"):
        if not isinstance(target, Group) or not isinstance(source, Group):
            p.refuse()
        width = (scalar_of(words[2]) or p.refuse())[1]
        values = [p.value(part, width) for part in source.parts]
        if len(values) != len(target.parts):
            p.refuse()
        for part, value in zip(target.parts, values, strict=True):
            p.write(part, value)
        return True
    if isinstance(source, Name) and isinstance(bound := p.names.get(source.text), Bound):
        p.write(target, p.spilled(bound))
        return True
    return False


def _convert_address(p: Imported) -> bool:
    words = list(p.instruction.words[1:])
    to = "to" in words
    space = next((_SPACES[w] for w in words if w in _SPACES), None)
    if space is None or len(p.operands) != 2:
        return False
    source = p.operands[1]
    value = p.value(source, type_width(words[-1]) or 64)
    given, wanted = (0, space) if to else (space, 0)
    if not _is_pointer(value):
        value = p.in_space(value, given)
    p.write(0, p.in_space(value, wanted))
    return True


_SPACES = {"global": 1, "shared": 3, "shared::cta": 3, "shared::cluster": 7, "local": _LOCAL,
           "const": 4, "param": 0, "param::entry": 0}  # fmt: skip


def _select(p: Imported) -> bool:
    if _integer_width(p) is None or len(p.operands) != 4:
        return False
    held = [_held(p, operand) for operand in p.operands[1:3]]
    first, second = held
    if first is None or second is None or first.type != second.type:
        return False
    p.write(0, p.b.select(p.predicate(3), first, second))
    return True


def _narrow_address(p: Imported) -> bool:
    """cvt.u32.u64 of an address in shared memory, and cvt.u64.u32 of one that 32 bits hold: it
    stays one."""
    words = p.instruction.words[1:]
    if words not in (["u32", "u64"], ["u64", "u32"]) or len(p.operands) != 2:
        return False
    held = _held(p, p.operands[1])
    if held is None:
        return False
    slot = p.slot(p.operands[1])
    is_short = words[0] == "u64" and slot is not None and slot.width == 32
    if not is_short and held.type not in (LLVMPointerType(3), LLVMPointerType(7)):
        return False
    p.write(0, held)
    return True


def _parameter_space(p: Imported) -> str | None:
    return next((w for w in p.words if w == "param" or w.startswith("param::")), None)


def _load(p: Imported) -> bool:
    space = _parameter_space(p)
    if space is None:
        return False
    p.take(space)
    access = Access(p)
    address = p.address(1)
    bound = p.names.get(address.base.text) if isinstance(address.base, Name) else None
    if isinstance(bound, Bound) and access.count == 1 and not address.offset:
        value = p.registers.read(bound.slot)
        if (width_of(value.type) or 0) == access.width:
            p.write(0, value, access.kind == "s")
            return True
    pointer = p.pointer(1, 0)
    load_all(p, access, pointer)
    return True


def load_all(p: Built, access: Access, pointer: SSAValue) -> None:
    targets = p.parts(0)
    if len(targets) != access.count:
        p.refuse()
    size = max(access.width // 8, 1)
    for at, target in enumerate(targets):
        place = p.moved(pointer, at * size)
        value = p.b.value(
            "llvm.load", (place,), integer_type(access.width), access.properties(size)
        )
        p.write(target, value, access.kind == "s")


def _store(p: Imported) -> bool:
    space = _parameter_space(p)
    if space is None:
        return False
    p.take(space)
    access = Access(p)
    address = p.address(0)
    bound = p.names.get(address.base.text) if isinstance(address.base, Name) else None
    sources = p.parts(1)
    if isinstance(bound, Bound):
        if address.offset or len(sources) != 1:
            p.refuse("a part of a parameter")
        value = p.value(sources[0], access.width)
        if width_of(value.type) != bound.slot.width:
            value = as_integer(p.b, as_integer(p.b, value, access.width), bound.slot.width)
        p.registers.write(bound.slot, value)
        return True
    if len(sources) != access.count:
        p.refuse()
    pointer = p.pointer(0, 0)
    size = max(access.width // 8, 1)
    for at, source in enumerate(sources):
        value = p.integer(source, access.width)
        place = p.moved(pointer, at * size)
        p.b.create("llvm.store", (value, place), (), access.properties(size))
    return True


def _popped(operands: list[Operand]) -> list[Operand]:
    """The members of the first operand, if it is a list in parentheses, which is taken away."""
    if not operands or not isinstance(operands[0], Group):
        return []
    parts = operands[0].parts
    del operands[0]
    return parts


def _call(p: Imported) -> bool:
    p.take("uni")
    p.finish()
    operands = list(p.operands)
    result = _popped(operands)
    target = operands.pop(0) if operands else None
    given = _popped(operands)
    prototype = operands.pop(0) if operands else None
    if not isinstance(target, Name) or operands:
        p.refuse("what it calls is not known")
    direct = p.slot(target) is None
    if direct:
        ty = p.b.function_type(target.text) or _known(p.function.module, target.text)
        if ty is None:
            p.refuse(f"'{target.text}' is not declared")
    else:
        found = p.names.get(prototype.text) if isinstance(prototype, Name) else None
        if not isinstance(found, Prototype):
            p.refuse("its prototype is not known")
        ty = signature(found.returns, found.parameters)
    if len(given) != len(ty.arguments):
        p.refuse(f"'{target.text}' takes {len(ty.arguments)} arguments")
    if len(result) != (0 if isinstance(ty.result, LLVMVoidType) else 1) and result:
        p.refuse("its results")
    values = [
        _argument(p, operand, wanted) for operand, wanted in zip(given, ty.arguments, strict=True)
    ]
    if direct:
        name = p.function.module.callee_name(target.text)
        op = llvm.call(p.b, name, values, ty.result)
    else:
        callee = as_pointer(p.b, p.value(target, 64), 0)
        op = llvm.call(p.b, None, [callee, *values], ty.result)
    bound = [p.names.get(part.text) if isinstance(part, Name) else None for part in given]
    structs = [b.variable if isinstance(b, Place) else None for b in bound]
    if any(structs):
        op.properties["arg_attrs"] = by_value(structs)
    if result:
        _take_result(p, result[0], op.results[0])
    return True


def _argument(p: Imported, operand: Operand, wanted: Attribute) -> SSAValue:
    bound = p.names.get(operand.text) if isinstance(operand, Name) else None
    if isinstance(bound, Place):
        return p.place(bound)
    return as_type(p.b, p.value(operand, width_of(wanted) or 32), wanted)


def _take_result(p: Imported, target: Operand, value: SSAValue) -> None:
    bound = p.names.get(target.text) if isinstance(target, Name) else None
    if isinstance(bound, Place):
        llvm.store(p.b, value, p.place(bound))
    elif isinstance(target, Group):
        for at, part in enumerate(target.parts):
            p.write(part, p.b.element(value, at))
    else:
        p.write(target, value)


def _known(module: Surroundings, name: str) -> LLVMFunctionType | None:
    found = KNOWN.get(name)
    if found is None:
        return None
    ty = LLVMFunctionType(found[0], LLVMVoidType() if found[1] is None else found[1])
    module.declare(name, ty)
    return ty


_RULES: dict[str, Callable[[Imported], bool]] = {
    "add": _add, "sub": _add, "mad": _multiply_add, "mov": _move, "cvta": _convert_address,
    "selp": _select, "cvt": _narrow_address, "ld": _load, "st": _store, "call": _call,
}  # fmt: skip

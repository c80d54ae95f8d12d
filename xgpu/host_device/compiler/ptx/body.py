# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A piece of inline PTX as operations of the llvm and nvvm dialects.

    %v = llvm.inline_asm "mov.u32 $0, 0; @$2 ld.global.b32 $0, [$1];", "=r,l,b" %p, %c
becomes
    llvm.cond_br %c, ^then, ^rest(%zero)
  ^then:
    %w = llvm.load %p : !llvm.ptr<1> -> i32
    llvm.br ^rest(%w)
  ^rest(%v: i32):

What `instructions` has a rule for is built; anything else is refused with its text. A body with
branches becomes blocks, and its registers private memory. A loop that tries again until an mbarrier
says yes becomes one operation that waits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Block

from xgpu.core.ir.blocks import add_argument, split_before
from xgpu.core.ir.construction import erase_operation
from xgpu.dialects.llvm.types import LLVMStructType
from xgpu.frontend.ptx.carries import uses_carry
from xgpu.frontend.ptx.control_flow import Step, joined_waits
from xgpu.frontend.ptx.grammar import (
    Instruction,
    Label,
    Name,
    PtxError,
    Register,
    Scope,
    parse,
)
from xgpu.frontend.ptx.instructions import Built, Rule, rule_of
from xgpu.frontend.ptx.operand_types import check_operands
from xgpu.frontend.ptx.registers import (
    LETTERS,
    Slot,
    as_integer,
    as_type,
    integer_type,
    type_width,
    width_of,
)
from xgpu.host_device.compiler.code import Unsupported
from xgpu.host_device.compiler.ptx.registers import (
    BodyRegisters,
    Raiser,
    private_memory,
)

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation, SSAValue


class Body:
    """Builds what stands for one `llvm.inline_asm`, before it."""

    def __init__(self, op: Operation, function: Operation, names: bool = False) -> None:
        self.op = op
        self.function = function
        #: Whether operations carry the opcode of their instruction.
        self.names = names
        self.b = Raiser(op, function)
        self.registers = BodyRegisters(self.b)
        self._outputs: list[Slot] = []

    def run(self) -> list[SSAValue]:
        """The results. Raises `Unsupported`."""
        try:
            scope = parse(_text(self.op, "asm_string"))
        except PtxError as problem:
            self.b.refuse(f"inline assembly cannot be read at '{problem}'")
        self._bind_operands()
        steps = joined_waits(self._flatten(scope, {}))
        if any(isinstance(s.statement, Instruction) and uses_carry(s.statement) for s in steps):
            self.registers.carry = self.registers.new(1)
        labels = [s.statement for s in steps if isinstance(s.statement, Label)]
        if labels or any(_opcode(s) == "bra" for s in steps):
            self._with_branches(steps, labels)
        else:
            for step in steps:
                self._instruction(step)
        return self._results()

    # -- operands of the assembly

    def _bind_operands(self) -> None:
        constraints = [c for c in _text(self.op, "constraints").split(",") if c]
        written = [c for c in constraints if c.startswith("=")]
        read = [c for c in constraints if not c.startswith(("=", "~"))]
        types = self._result_types()
        for constraint, ty in zip(written, types, strict=True):
            slot = self._placed(constraint, width_of(ty) or 32)
            self._outputs.append(slot)
            self.registers.placed.append(slot)
        if len(read) != len(self.op.operands):
            self.b.refuse("inline assembly whose constraints are not one for each operand")
        for constraint, value in zip(read, self.op.operands, strict=True):
            if constraint.startswith("*"):
                self.b.refuse(f"the constraint '{constraint}' of inline assembly")
            if constraint.isdecimal():
                slot = self._outputs[int(constraint)]
            else:
                slot = self._placed(constraint, width_of(value.type) or 64)
            slot.value = value
            self.registers.placed.append(slot)

    def _placed(self, constraint: str, width: int) -> Slot:
        """The register of an operand: one of bits, whatever the letter."""
        width = LETTERS.get(constraint[-1]) or width
        return self.registers.new(width, "pred" if width == 1 else f"b{width}")

    def _result_types(self) -> list[Attribute]:
        results = self.op.results
        if not results or results[0].type.name == "llvm.void":
            return []
        ty = results[0].type
        return list(ty.body) if isinstance(ty, LLVMStructType) else [ty]

    def _results(self) -> list[SSAValue]:
        if not self._outputs:
            return []
        b = self.b
        ty = self.op.results[0].type
        types = self._result_types()
        found = [
            as_type(b, self.registers.read(slot), t)
            for slot, t in zip(self._outputs, types, strict=True)
        ]
        if isinstance(ty, LLVMStructType) and types != [ty]:
            return [b.pack(ty, found)]
        return found

    def _flatten(self, scope: Scope, outer: dict[str, Slot | Label]) -> list[Step]:
        names = dict(outer)
        for statement in scope.statements:
            if isinstance(statement, Register):
                width = type_width(statement.type)
                if width is None or statement.count != 1:
                    self.b.refuse(f"a register of type '.{statement.type}' in inline assembly")
                names[statement.name] = self.registers.new(width, statement.type)
            elif isinstance(statement, Label):
                names[statement.name] = statement
        steps: list[Step] = []
        for statement in scope.statements:
            if isinstance(statement, Scope):
                steps += self._flatten(statement, names)
            elif isinstance(statement, Instruction | Label):
                steps.append(Step(statement, names))
        return steps

    # -- instructions

    def _instruction(self, step: Step) -> None:
        instruction = step.statement
        assert isinstance(instruction, Instruction)
        built = Built(self.registers, instruction, step.names)
        rule = rule_of(instruction.words)
        if rule is None:
            built.refuse()
        check_operands(built)
        if self.names:
            self.b.instruction = instruction.written_opcode
        if instruction.guard is None:
            rule.build(built)
            return
        holds = built.predicate(instruction.guard)
        if rule.pure and all(slot.place is None for slot in self.registers.slots):
            self._selected(built, rule, holds)
        else:
            self._guarded(built, rule, holds)

    def _selected(self, built: Built, rule: Rule, holds: SSAValue) -> None:
        """What only computes is done in any case; the predicate says whose result counts."""
        before = [slot.value for slot in self.registers.slots]
        rule.build(built)
        b = self.b
        for slot, old in zip(self.registers.slots, before, strict=False):
            new = slot.value
            if new is old or old is None or new is None:
                continue
            kept = as_integer(b, old, slot.width) if old.type != new.type else old
            if old.type != new.type:
                new = as_integer(b, new, slot.width)
            slot.value = b.select(holds, new, kept)

    def _guarded(self, built: Built, rule: Rule, holds: SSAValue) -> None:
        """A branch around it; what it writes meets what was there before."""
        b = self.b
        head, then, tail = self._split()
        before = [slot.value for slot in self.registers.slots]
        b.go_to(then)
        rule.build(built)
        changed = [
            (slot, old) for slot, old in zip(self.registers.slots, before, strict=False)
            if slot.value is not old
        ]  # fmt: skip
        given: list[SSAValue] = []
        for slot, _ in changed:
            assert slot.value is not None
            given.append(as_integer(b, slot.value, slot.width))
        b.branch(tail, given)
        b.go_to(head)
        kept = [
            b.poison(integer_type(slot.width)) if old is None else as_integer(b, old, slot.width)
            for slot, old in changed
        ]
        b.cond_branch(holds, then, tail, (), kept)
        for slot, _ in changed:
            slot.value = add_argument(tail, integer_type(slot.width), self.op.location)
        self._go_on(tail)

    def _split(self) -> tuple[Block, Block, Block]:
        """What was built so far, a new block, and what follows."""
        if self._tail is None:
            head, tail = split_before(self.op)
        else:
            head, tail = self.b.current, Block()
            self._insert(tail)
        then = Block()
        region = head.parent
        assert region is not None
        region.insert_block_after(then, head)
        return head, then, tail

    _tail: Block | None = None

    def _insert(self, block: Block) -> None:
        assert self._tail is not None
        region = self._tail.parent
        assert region is not None
        region.insert_block_before(block, self._tail)

    def _go_on(self, block: Block) -> None:
        self.b.go_to(block, self.op if self._tail is None else None)

    # -- branches

    def _with_branches(self, steps: list[Step], labels: list[Label]) -> None:
        b = self.b
        for slot in self.registers.slots:
            slot.place = private_memory(b, self.function, slot.width)
            if slot.value is not None:
                self.registers.write(slot, slot.value)
        head, tail = split_before(self.op)
        self._tail = tail
        blocks = {label: Block() for label in labels}
        b.go_to(head)
        is_open = True
        for step in steps:
            statement = step.statement
            if isinstance(statement, Label):
                block = blocks[statement]
                self._insert(block)
                if is_open:
                    b.branch(block)
                b.go_to(block)
                is_open = True
            elif not is_open:
                continue  # nothing comes here
            elif statement.words[0] == "bra":
                is_open = self._branch(step, blocks)
            else:
                self._instruction(step)
        if is_open:
            b.branch(tail)
        self._tail = None
        b.go_to(tail, self.op)

    def _branch(self, step: Step, blocks: dict[Label, Block]) -> bool:
        """Whether what follows can be reached."""
        instruction = step.statement
        assert isinstance(instruction, Instruction)
        built = Built(self.registers, instruction, step.names)
        (operand,) = instruction.operands
        target = step.names.get(operand.text) if isinstance(operand, Name) else None
        if not isinstance(target, Label):
            built.refuse()
        b = self.b
        if instruction.guard is None:
            b.branch(blocks[target])
            return False
        holds = built.predicate(instruction.guard)
        following = Block()
        self._insert(following)
        b.cond_branch(holds, blocks[target], following)
        b.go_to(following)
        return True


def _opcode(step: Step) -> str:
    statement = step.statement
    return statement.words[0] if isinstance(statement, Instruction) else ""


def _text(op: Operation, name: str) -> str:
    """A property that is a text."""
    attr = op.properties[name]
    assert isinstance(attr, StringAttr)
    return attr.data


def raise_body(op: Operation, function: Operation, names: bool = False) -> bool:
    """Replaces an `llvm.inline_asm` by what it does; whether that has registers in memory. Raises
    `Unsupported` at it. `names`: see `raise_assembly`."""
    body = Body(op, function, names)
    try:
        found = body.run()
    except Unsupported as problem:
        raise Unsupported(str(problem), op) from None
    for old, new in zip(op.results, found, strict=False):
        old.replace_all_uses_with(new)
    erase_operation(op)
    return any(slot.place is not None for slot in body.registers.slots)

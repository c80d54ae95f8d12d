# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The control flow of a body of PTX, and its registers as SSA values.

Statements become blocks (`flow_of`). A predicated instruction that does more than compute is a
block of its own, with a branch around it; those that follow with the same predicate join it.
`SSARegisters` finds for each read of a register the value that arrives there. Blocks in the
iterated dominance frontier of its writes have an argument for it (Cytron et al., "Efficiently
Computing Static Single Assignment Form", TOPLAS 1991), made when it is first read; elsewhere the
value is that at the end of the immediate dominator. Arguments that always have the same value go
again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from xgpu.core.ir.blocks import add_argument
from xgpu.frontend.ptx.grammar import (
    Address,
    Group,
    Instruction,
    Label,
    Name,
    Not,
    Number,
    Operand,
    Pair,
    Statement,
)
from xgpu.frontend.ptx.instructions import Names, rule_of
from xgpu.frontend.ptx.registers import (
    PtxBuilder,
    Registers,
    Slot,
    as_type,
    integer_constant,
    integer_type,
)

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Block, BlockArgument, LocationAttr, SSAValue


class Step:
    """A statement with the names that it sees, and its location in a module."""

    __slots__ = ("location", "names", "statement")

    def __init__(
        self, statement: Instruction | Label, names: Names, location: LocationAttr | None = None
    ) -> None:
        self.statement = statement
        self.names = names
        self.location = location


def joined_waits(steps: list[Step]) -> list[Step]:
    """Each loop around one `mbarrier.try_wait` or `test_wait` as one instruction, `xgpu.wait`.

    again: mbarrier.try_wait.parity.b64 p, [bar], phase;
           @p bra done;  bra again;  done:         or        @!p bra again;
    """
    if not any(_is_try(step.statement) for step in steps):
        return steps
    uses = Counter(target for step in steps if (target := branch_target(step)) is not None)
    named = Counter(name for step in steps for name in _named(step.statement))
    found: list[Step] = []
    at = 0
    while at < len(steps):
        taken = _wait_at(steps, at, uses)
        if taken == 0:
            found.append(steps[at])
            at += 1
            continue
        tried = steps[at + 1]
        instruction = tried.statement
        assert isinstance(instruction, Instruction)
        operands = instruction.operands[1:]
        words = ["xgpu", "wait", *instruction.words[2:]]
        whole = Instruction(None, ".".join(words), operands, instruction.text, instruction.at)
        found.append(Step(whole, tried.names, tried.location))
        done = instruction.operands[0]
        if isinstance(done, Name) and named[done.text] > _NAMED_IN_LOOP:
            given: list[Operand] = [done, Number(1)]
            holds = Instruction(None, "mov.pred", given, instruction.text, instruction.at)
            found.append(Step(holds, tried.names, tried.location))
        at += taken
    return found


#: How often such a loop names its predicate: the result of the wait, and that of its branch.
_NAMED_IN_LOOP = 2


def _named(statement: Statement) -> Iterator[str]:
    """The names in an instruction that are no addresses."""
    if isinstance(statement, Instruction):
        for operand in statement.operands:
            yield from register_names(operand)
        if statement.guard is not None:
            yield from register_names(statement.guard)


def _is_try(statement: Statement) -> bool:
    return isinstance(statement, Instruction) and statement.words[0] == "mbarrier"


def _wait_at(steps: list[Step], at: int, uses: Counter[str]) -> int:
    """How many statements from `at` on are such a loop."""
    label = steps[at].statement
    if not isinstance(label, Label) or at + 2 >= len(steps):
        return 0
    tried = steps[at + 1].statement
    if not isinstance(tried, Instruction) or tried.words[0] != "mbarrier":
        return 0
    if len(tried.words) < 2 or not tried.operands:
        return 0
    done = tried.operands[0]
    if "wait" not in tried.words[1] or tried.guard is not None or not isinstance(done, Name):
        return 0
    if _jumps(steps, at + 2, label.name, done.text, inverted=True):
        return 3 if uses[label.name] == 1 else 0
    end = steps[at + 4].statement if at + 4 < len(steps) else None
    if not isinstance(end, Label):
        return 0
    fits = (
        _jumps(steps, at + 2, end.name, done.text, inverted=False)
        and _jumps(steps, at + 3, label.name, None, inverted=False)
        and uses[label.name] == 1
        and uses[end.name] == 1
    )
    return 5 if fits else 0


def _jumps(steps: list[Step], at: int, to: str, guard: str | None, inverted: bool) -> bool:
    """Whether a statement is a branch to that label under that predicate."""
    statement = steps[at].statement
    if not isinstance(statement, Instruction) or branch_target(steps[at]) != to:
        return False
    given = statement.guard
    if inverted != isinstance(given, Not):
        return False
    given = given.of if isinstance(given, Not) else given
    return given is None if guard is None else isinstance(given, Name) and given.text == guard


def branch_target(step: Step) -> str | None:
    """The label that a branch goes to."""
    statement = step.statement
    if not isinstance(statement, Instruction) or statement.words[0] != "bra":
        return None
    operand = statement.operands[0] if statement.operands else None
    return operand.text if isinstance(operand, Name) else None


# -- blocks


class FlowBlock:
    """Statements that follow each other. `end` is the branch at its end: an instruction under whose
    predicate the first successor is next, or `ret`, `exit`, `brx`; None where the only successor
    is."""

    __slots__ = (
        "block", "dominator", "end", "filled", "frontier", "incomplete", "number", "predecessors",
        "sealed", "steps", "successors", "values",
    )  # fmt: skip

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.end: Step | None = None
        self.successors: list[FlowBlock] = []
        self.predecessors: list[FlowBlock] = []
        #: The place in reverse postorder, the immediate dominator, the dominance frontier.
        self.number = 0
        self.dominator: FlowBlock | None = None
        self.frontier: list[FlowBlock] = []
        # Of the construction of SSA form.
        self.block: Block | None = None
        self.values: dict[Slot, SSAValue] = {}
        self.incomplete: list[Phi] = []
        self.filled = False
        self.sealed = False


class NoTarget(Exception):
    """A branch goes to a label that is not there; `step` is it."""

    def __init__(self, step: Step) -> None:
        super().__init__()
        self.step = step


#: What ends a block.
_ENDS = ("bra", "brx", "ret", "exit")


def flow_of(steps: Sequence[Step], targets: Mapping[Step, Sequence[Label]]) -> list[FlowBlock]:
    """The blocks that can be reached, the first one first, each behind its predecessors but for
    loops. `targets` are those of `brx`. Raises `NoTarget`."""
    entry = current = FlowBlock()
    at_label: dict[Label, FlowBlock] = {}
    for step in steps:
        if isinstance(step.statement, Label):
            at_label[step.statement] = FlowBlock()
    at = 0
    while at < len(steps):
        step = steps[at]
        at += 1
        statement = step.statement
        if isinstance(statement, Label):
            following = at_label[statement]
            if current.end is None:
                current.successors.append(following)
            current = following
            continue
        if statement.words[0] in _ENDS:
            current = _ended(current, step, at_label, targets)
            continue
        rule = rule_of(statement.words)
        if statement.guard is None or (rule is not None and rule.pure):
            current.steps.append(step)
            continue
        then, tail = FlowBlock(), FlowBlock()
        current.end, current.successors = step, [then, tail]
        then.steps.append(_unguarded(step))
        while at < len(steps) and _joins(steps[at], statement, then):
            then.steps.append(_unguarded(steps[at]))
            at += 1
        then.successors = [tail]
        current = tail
    return _in_order(entry)


def _ended(
    current: FlowBlock, step: Step, at_label: Mapping[Label, FlowBlock],
    targets: Mapping[Step, Sequence[Label]],
) -> FlowBlock:  # fmt: skip
    """Ends a block; the one that follows."""
    statement = step.statement
    assert isinstance(statement, Instruction)
    following = FlowBlock()
    word = statement.words[0]
    current.end = step
    if word == "brx":
        current.successors = [at_label[label] for label in targets[step]]
        if statement.guard is not None:
            raise NoTarget(step)
        return following
    if word != "bra":
        if statement.guard is not None:
            leaving = FlowBlock()
            leaving.end = _unguarded(step)
            current.successors = [leaving, following]
        return following
    operand = statement.operands[0] if statement.operands else None
    label = step.names.get(operand.text) if isinstance(operand, Name) else None
    if not isinstance(label, Label):
        raise NoTarget(step)
    current.successors = [at_label[label]]
    if statement.guard is not None:
        current.successors.append(following)
    return following


def _unguarded(step: Step) -> Step:
    given = step.statement
    assert isinstance(given, Instruction)
    plain = Instruction(None, given.opcode, given.operands, given.text, given.at)
    return Step(plain, step.names, step.location)


def _joins(step: Step, first: Instruction, then: FlowBlock) -> bool:
    """Whether an instruction has the predicate of the one before it, which changes nothing of
    that."""
    statement = step.statement
    if not isinstance(statement, Instruction) or statement.guard is None:
        return False
    if statement.words[0] in _ENDS:
        return False
    name = _predicate(first.guard)
    if name is None or _predicate(statement.guard) != name:
        return False
    last = then.steps[-1].statement
    assert isinstance(last, Instruction)
    return not last.operands or name[0] not in register_names(last.operands[0])


def _predicate(guard: Operand | None) -> tuple[str, bool] | None:
    inner = guard.of if isinstance(guard, Not) else guard
    return (inner.text, isinstance(guard, Not)) if isinstance(inner, Name) else None


def register_names(operand: Operand) -> Iterator[str]:
    """The names in an operand that is no address."""
    if isinstance(operand, Name):
        yield operand.text
    elif isinstance(operand, Group):
        for part in operand.parts:
            yield from register_names(part)
    elif isinstance(operand, Pair):
        yield from register_names(operand.first)
        yield from register_names(operand.second)
    elif isinstance(operand, Not):
        yield from register_names(operand.of)
    elif isinstance(operand, Address):
        return


def _in_order(entry: FlowBlock) -> list[FlowBlock]:
    """Reverse postorder of what can be reached; notes predecessors."""
    order: list[FlowBlock] = []
    seen = {id(entry)}
    stack = [(entry, iter(entry.successors))]
    while stack:
        block, rest = stack[-1]
        found = next((b for b in rest if id(b) not in seen), None)
        if found is None:
            order.append(block)
            stack.pop()
            continue
        seen.add(id(found))
        stack.append((found, iter(found.successors)))
    order.reverse()
    for number, block in enumerate(order):
        block.number = number
        for successor in block.successors:
            successor.predecessors.append(block)
    _dominate(order)
    return order


def _dominate(order: Sequence[FlowBlock]) -> None:
    """Finds dominators and dominance frontiers (Cooper, Harvey and Kennedy, "A Simple, Fast
    Dominance Algorithm")."""
    entry = order[0]
    entry.dominator = entry
    changed = True
    while changed:
        changed = False
        for block in order[1:]:
            known = [p for p in block.predecessors if p.dominator is not None]
            found = known[0]
            for other in known[1:]:
                found = _common(found, other)
            if block.dominator is not found:
                block.dominator, changed = found, True
    for block in order[1:]:
        if len(block.predecessors) < 2:
            continue
        for before in block.predecessors:
            runner = before
            while runner is not block.dominator:
                if block not in runner.frontier[-1:]:
                    runner.frontier.append(block)
                assert runner.dominator is not None
                runner = runner.dominator


def _common(a: FlowBlock, b: FlowBlock) -> FlowBlock:
    while a is not b:
        if a.number < b.number:
            a, b = b, a
        assert a.dominator is not None
        a = a.dominator
    return a


# -- registers


class Phi:
    """An argument of a block for a register; `operands` by the block's predecessors."""

    __slots__ = ("argument", "at", "operands", "slot", "users")

    def __init__(self, slot: Slot, at: FlowBlock, argument: BlockArgument) -> None:
        self.slot = slot
        self.at = at
        self.argument = argument
        self.operands: list[SSAValue] = []
        #: The arguments that it is an operand of.
        self.users: list[Phi] = []


class SSARegisters(Registers):
    """The registers of a body whose blocks are `order`; `enter` and `leave` each in that order,
    then `finish`."""

    def __init__(self, b: PtxBuilder, order: Sequence[FlowBlock]) -> None:
        super().__init__(b)
        self._current = order[0]
        self._phis: dict[SSAValue, Phi] = {}
        #: What stands for an argument that went again.
        self._instead: dict[SSAValue, SSAValue] = {}
        self._poison: dict[int, SSAValue] = {}
        self._writes = _writes(order)
        #: The blocks that have an argument for a register, if they are known.
        self._joins: dict[Slot, set[FlowBlock] | None] = {}
        self.entry = order[0]
        #: The registers that were written since it was set, with their values before; None: they
        #: are not noted.
        self.written: dict[Slot, SSAValue | None] | None = None

    def enter(self, block: FlowBlock) -> None:
        self._current = block
        block.sealed = all(p.filled for p in block.predecessors)

    def leave(self, block: FlowBlock) -> None:
        """No instruction follows in this block."""
        block.filled = True
        for successor in block.successors:
            if not successor.sealed and all(p.filled for p in successor.predecessors):
                successor.sealed = True
                given, successor.incomplete = successor.incomplete, []
                for phi in given:
                    self._complete(phi)

    def read(self, slot: Slot) -> SSAValue:
        return self.value_in(self._current, slot)

    def write(self, slot: Slot, value: SSAValue) -> None:
        if self.written is not None and slot not in self.written:
            self.written[slot] = self._current.values.get(slot)
        ty = type_of(slot)
        if value.type != ty and "llvm.ptr" not in (ty.name, value.type.name):
            value = as_type(self.b, value, ty)
        self._current.values[slot] = value

    def constant(self, slot: Slot) -> int | None:
        value = self._current.values.get(slot)
        return None if value is None else integer_constant(self.resolved(value))

    def value_in(self, block: FlowBlock, slot: Slot) -> SSAValue:
        """The value at the end of a block so far."""
        found = block.values.get(slot)
        if found is not None:
            return self.resolved(found)
        self._find(block, slot)
        return self.resolved(block.values[slot])

    def value_before(self, slot: Slot) -> SSAValue:
        """The value that a register has at the begin of the block, whatever it holds by now."""
        block = self._current
        now = block.values.pop(slot)
        before = self.value_in(block, slot)
        block.values[slot] = now
        return before

    def _find(self, block: FlowBlock, slot: Slot) -> None:
        stack: list[tuple[FlowBlock, Phi | None]] = [(block, None)]
        while stack:
            at, phi = stack.pop()
            if phi is not None:
                self._complete(phi)
                continue
            if slot in at.values:
                continue
            if not at.predecessors:
                at.values[slot] = self._undefined(slot)
                continue
            if len(at.predecessors) == 1 or not self._is_join(at, slot):
                before = at.dominator
                assert before is not None
                known = before.values.get(slot)
                if known is not None:
                    at.values[slot] = known
                else:
                    stack += [(at, None), (before, None)]
                continue
            made = self._new_phi(at, slot)
            if not at.sealed:
                at.incomplete.append(made)
                continue
            stack.append((at, made))
            stack += [(p, None) for p in at.predecessors if slot not in p.values]

    def _is_join(self, block: FlowBlock, slot: Slot) -> bool:
        """Whether several values of a register may arrive at a block."""
        if slot not in self._joins:
            self._joins[slot] = self._frontier(slot)
        joins = self._joins[slot]
        return joins is None or block in joins

    def _frontier(self, slot: Slot) -> set[FlowBlock] | None:
        """The iterated dominance frontier of a register's writes; None where those are not known,
        as of the carry."""
        work = list(self._writes.get(slot, ()))
        if slot is self.carry:
            return None
        found: set[FlowBlock] = set()
        while work:
            for block in work.pop().frontier:
                if block not in found:
                    found.add(block)
                    work.append(block)
        return found

    def _undefined(self, slot: Slot) -> SSAValue:
        """A register that nothing has been written to."""
        found = self._poison.get(slot.width)
        if found is None:
            b = self.b
            block = self.entry.block
            assert block is not None
            with b.insertion_guard():
                b.at_start(block)
                found = b.poison(integer_type(slot.width))
            self._poison[slot.width] = found
        return found

    def _new_phi(self, at: FlowBlock, slot: Slot) -> Phi:
        assert at.block is not None
        assert self.b.location is not None
        argument = add_argument(at.block, type_of(slot), self.b.location)
        phi = self._phis[argument] = Phi(slot, at, argument)
        at.values[slot] = argument
        return phi

    def _complete(self, phi: Phi) -> None:
        for before in phi.at.predecessors:
            value = self.value_in(before, phi.slot)
            phi.operands.append(value)
            used = self._phis.get(value)
            if used is not None:
                used.users.append(phi)
        self._simplify(phi)

    def _simplify(self, phi: Phi) -> None:
        """Removes an argument that always has the same value, and then what used it."""
        again = [phi]
        while again:
            at = again.pop()
            if at.argument in self._instead or len(at.operands) != len(at.at.predecessors):
                continue
            given = {self.resolved(value) for value in at.operands} - {at.argument}
            if len(given) != 1:
                continue
            (same,) = given
            if same.type != at.argument.type:
                continue
            self._instead[at.argument] = same
            at.argument.replace_all_uses_with(same)
            del self._phis[at.argument]
            known = self._phis.get(same)
            for user in at.users:
                if user is not at and user.argument not in self._instead:
                    again.append(user)
                    if known is not None:
                        known.users.append(user)

    def resolved(self, value: SSAValue) -> SSAValue:
        """What stands for a value by now: an argument of a block may have gone."""
        instead = self._instead
        if value not in instead:
            return value
        end = instead[value]
        while end in instead:
            end = instead[end]
        while value in instead:
            instead[value], value = end, instead[value]
        return end

    def finish(self, order: Sequence[FlowBlock]) -> None:
        """Removes the arguments that have gone; no register is read after it."""
        for block in order:
            assert block.block is not None
            for argument in list(block.block.args):
                if argument in self._instead:
                    block.block.erase_arg(argument)

    def given(self, block: FlowBlock, number: int, at: FlowBlock) -> list[SSAValue]:
        """What `block` gives to the arguments of its successor `at`, which has it as its
        predecessor `number`; built where the builder is."""
        assert at.block is not None
        found: list[SSAValue] = []
        for argument in at.block.args:
            phi = self._phis[argument]
            found.append(as_type(self.b, self.resolved(phi.operands[number]), argument.type))
        return found


def _writes(order: Sequence[FlowBlock]) -> dict[Slot, set[FlowBlock]]:
    """The blocks that may write each register: those where an instruction's first operand has it,
    or, of a call, any."""
    found: dict[Slot, set[FlowBlock]] = {}
    for block in order:
        for step in block.steps:
            statement = step.statement
            if not isinstance(statement, Instruction) or not statement.operands:
                continue
            for name in _written_names(statement.operands[0]):
                slot = step.names.get(name)
                slot = getattr(slot, "slot", slot)  # of a parameter
                if isinstance(slot, Slot):
                    found.setdefault(slot, set()).add(block)
    return found


def _written_names(operand: Operand) -> Iterator[str]:
    if isinstance(operand, Address):
        yield from _written_names(operand.base)
    else:
        yield from register_names(operand)


def type_of(slot: Slot) -> Attribute:
    """The type of a register where several values of it meet."""
    return integer_type(slot.width) if slot.type is None else slot.type

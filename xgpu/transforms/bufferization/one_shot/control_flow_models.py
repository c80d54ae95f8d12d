# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bufferization of branches between blocks and of the scf dialect: conditionals and loops."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, Region, SSAValue

from xgpu.core.ir.constants import int_of
from xgpu.core.ir.construction import set_type
from xgpu.core.ir.errors import error, op_error
from xgpu.core.ir.region_flow import (
    predecessor_edges,
    region_ends,
    successor_operands,
    successor_ranges,
)
from xgpu.dialects.affine.maps import Mixed
from xgpu.transforms.bufferization.one_shot.buffers import Buffers, State
from xgpu.transforms.bufferization.one_shot.model import Model
from xgpu.transforms.bufferization.one_shot.options import (
    Buffer,
    dynamic_buffer,
    is_tensor,
    tensor_type,
)
from xgpu.transforms.bufferization.one_shot.values import Alias, Operand, Source, contains, owner_of

# --- scf loops -----------------------------------------------------------------------------------
# Bufferization of loops: values that iterations carry become buffers that stay.


def _block(op: Operation, region: int = 0) -> Block:
    block = op.regions[region].first_block
    assert block is not None
    return block


def _end(block: Block) -> Operation:
    assert block.last_op is not None
    return block.last_op


def _carried_type(
    argument: SSAValue, init: SSAValue, carried: SSAValue, buffers: Buffers, stack: list[SSAValue]
) -> Buffer:
    """The type of what an iteration gets: that of `init` and of what the one before `carried`."""
    first = buffers.type_or_buffer(init, stack)
    if sum(value is argument for value in stack) >= 2:
        return first  # it is being asked for
    second = buffers.type_or_buffer(carried, stack)
    if first == second:
        return second
    if first.memory_space != second.memory_space:
        raise op_error(
            owner_of(argument),
            "init_arg and yielded value bufferize to inconsistent memory spaces",
        )
    return dynamic_buffer(tensor_type(argument), second.memory_space)


def _wrap(arguments: Sequence[BlockArgument], types: Sequence[Attribute], buffers: Buffers) -> None:
    """Gives a block's arguments the types of buffers; inside, tensors of them stand."""
    block = arguments[0].block if arguments else None
    if block is not None:
        buffers.at_start(block)
    for argument, kind in zip(arguments, types, strict=True):
        retype(argument, kind, buffers)


def retype(argument: BlockArgument, kind: Attribute, buffers: Buffers) -> None:
    """Makes an argument the buffer, and its users use a tensor of it."""
    old = argument.type
    if old == kind:
        return
    uses = [Operand(use.operation, use.index) for use in argument.uses]
    set_type(argument, kind)
    tensor = buffers.as_tensor(argument, old)
    for op, index in uses:
        op.operands[index] = tensor


def _rebuild(
    op: Operation,
    buffers: Buffers,
    operands: Sequence[SSAValue],
    types: Sequence[Attribute],
) -> Operation:
    regions = [Region() for _ in op.regions]
    for old, new in zip(op.regions, regions, strict=True):
        old.move_blocks(new)
    return buffers.create(op.name, operands, types, op.properties, op.attributes, regions)


def _is_own(value: SSAValue, argument: SSAValue, region: Region, state: State) -> bool:
    """Whether `value` shares no buffer with what is outside of the loop but `argument`."""
    op = region.parent
    assert op is not None
    for alias in state.sharing(value) or ():
        if alias is argument:
            continue
        owner = alias.owner
        if isinstance(owner, Block):
            around = owner.parent_op()
            if around is None or around is op or not contains(op, around):
                return False
        elif not contains(op, owner):
            return False
    return True


class For(Model):
    """The buffer of an initial value is what all iterations work on."""

    __slots__ = ()

    def reads(self, use: Operand, state: State) -> bool:
        low, high = int_of(use.op.operands[0]), int_of(use.op.operands[1])
        if low is None or high is None or high <= low:
            return True  # the result may be the initial value
        return state.is_read(self._argument(use.op, use.at - 3))

    def writes(self, use: Operand, state: State) -> bool:
        return True

    def _argument(self, op: Operation, at: int) -> SSAValue:
        return _block(op).args[at + 1]

    def _is_equivalent(self, op: Operation, at: int, state: State) -> bool:
        return state.are_equivalent(self._argument(op, at), _end(_block(op)).operands[at])

    def aliases(self, use: Operand, state: State) -> Sequence[Alias]:
        at = use.at - 3
        same = self._is_equivalent(use.op, at, state)
        return (Alias(use.op.results[at], same, same),)

    def is_writable(self, value: SSAValue, state: State) -> bool:
        return True

    def resolve(self, op: Operation, buffers: Buffers, state: State) -> None:
        """A yielded value that shares a buffer with something else outside is copied."""
        buffers.copy_operands(op, state)
        if op.results and state.sharing(op.results[0]) is None:
            return  # nothing was analyzed
        end = _end(_block(op))
        buffers.before(end)
        for at, value in enumerate(end.operands):
            if is_tensor(value.type) and not _is_own(
                value, self._argument(op, at), op.regions[0], state
            ):
                with buffers.located(end.location):
                    end.operands[at] = buffers.allocate_tensor(value)

    def verify(self, op: Operation, state: State) -> None:
        if state.options.allow_return_allocs_from_loops:
            return
        for at, result in enumerate(op.results):
            if is_tensor(result.type) and not self._is_equivalent(op, at, state):
                raise error(
                    _end(_block(op)),
                    f"Yield operand #{at} is not equivalent to the corresponding iter bbArg",
                )

    def buffer_type(self, value: SSAValue, buffers: Buffers, stack: list[SSAValue]) -> Buffer:
        op = owner_of(value)
        if isinstance(value, OpResult):
            return buffers.type_of(self._argument(op, value.index), stack)
        assert isinstance(value, BlockArgument)
        at = value.index - 1
        carried = _end(_block(op)).operands[at]
        return _carried_type(value, op.operands[3 + at], carried, buffers, stack)

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        inits: list[SSAValue] = []
        for value, result in zip(buffers.of_all(op.operands[3:]), op.results, strict=True):
            tensor = is_tensor(result.type)
            inits.append(buffers.cast(value, buffers.type_of(result)) if tensor else value)
        types = [value.type for value in inits]
        new = _rebuild(op, buffers, [*op.operands[:3], *inits], types)
        _wrap(_block(new).args[1:], types, buffers)
        buffers.replace_by(op, new.results)


class While(Model):
    """As `For`, with two regions."""

    __slots__ = ()

    def reads(self, use: Operand, state: State) -> bool:
        return True

    def writes(self, use: Operand, state: State) -> bool:
        return True

    def _is_equivalent(self, op: Operation, at: int, state: State) -> bool:
        before, after = _block(op), _block(op, 1)
        if at >= len(before.args) or op.results[at].type != before.args[at].type:
            return False
        return state.are_equivalent(
            before.args[at], _end(before).operands[1 + at]
        ) and state.are_equivalent(after.args[at], _end(after).operands[at])

    def aliases(self, use: Operand, state: State) -> Sequence[Alias]:
        at, op = use.at, use.op
        if at >= len(op.results) or use.value.type != op.results[at].type:
            return ()
        same = self._is_equivalent(op, at, state)
        return (Alias(op.results[at], same, same),)

    def is_writable(self, value: SSAValue, state: State) -> bool:
        return True

    def resolve(self, op: Operation, buffers: Buffers, state: State) -> None:
        buffers.copy_operands(op, state)
        if op.results and state.sharing(op.results[0]) is None:
            return  # nothing was analyzed
        before, after = _block(op), _block(op, 1)
        end = _end(before)
        buffers.before(end)
        values = list(end.operands[1:])
        for at, value in enumerate(values):
            if not is_tensor(value.type):
                continue
            inside = at < len(before.args) and state.are_equivalent(before.args[at], value)
            carried = _end(after).operands
            again = at < len(carried) and state.are_equivalent(after.args[at], carried[at])
            if not inside or not again:
                end.operands[1 + at] = buffers.allocate_tensor(value)

    def verify(self, op: Operation, state: State) -> None:
        if state.options.allow_return_allocs_from_loops:
            return
        for region, words, skip in ((0, "Condition arg", 1), (1, "Yield operand", 0)):
            block = _block(op, region)
            for at, value in enumerate(_end(block).operands[skip:]):
                if not is_tensor(value.type):
                    continue
                if at >= len(block.args) or not state.are_equivalent(value, block.args[at]):
                    raise error(
                        _end(block),
                        f"{words} #{at} is not equivalent to the corresponding iter bbArg",
                    )

    def buffer_type(self, value: SSAValue, buffers: Buffers, stack: list[SSAValue]) -> Buffer:
        op = owner_of(value)
        before, after = _block(op), _block(op, 1)
        assert isinstance(value, BlockArgument | OpResult)
        if isinstance(value, BlockArgument) and value.block is before:
            at = value.index
            carried = _end(after).operands[at]
            return _carried_type(value, op.operands[at], carried, buffers, stack)
        return buffers.type_or_buffer(_end(before).operands[1 + value.index], stack)

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        inits: list[SSAValue] = []
        for value, argument in zip(buffers.of_all(op.operands), _block(op).args, strict=True):
            tensor = is_tensor(argument.type)
            inits.append(buffers.cast(value, buffers.type_of(argument)) if tensor else value)
        results = [
            buffers.type_of(argument) if is_tensor(argument.type) else argument.type
            for argument in _block(op, 1).args
        ]
        new = _rebuild(op, buffers, inits, results)
        _wrap(_block(new).args, [value.type for value in inits], buffers)
        _wrap(_block(new, 1).args, results, buffers)
        for argument in (*_block(new).args, *_block(new, 1).args):
            argument.location = op.location
        buffers.replace_by(op, new.results)


class Condition(Model):
    """What goes on to the second region and out of the loop keeps its buffer."""

    __slots__ = ()

    def reads(self, use: Operand, state: State) -> bool:
        return True

    def must_be_in_place(self, use: Operand, state: State) -> bool:
        return True

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        loop = op.parent_op()
        assert loop is not None
        values = [op.operands[0]]
        for at, value in enumerate(op.operands[1:]):
            if is_tensor(value.type):
                buffer = buffers.of(value)
                kind = buffers.type_or_buffer(_block(loop, 1).args[at], [])
                values.append(buffers.cast(buffer, kind))
            else:
                values.append(value)
        buffers.create(op.name, values, (), op.properties, op.attributes)
        buffers.erase(op)


class Forall(Model):
    """Threads write parts of one buffer."""

    __slots__ = ()

    def _counts(self, op: Operation) -> list[int]:
        sizes = op.properties["operandSegmentSizes"]
        assert isinstance(sizes, DenseArrayBase)
        return [int(n) for n in sizes.get_values()]

    def _bounds(self, op: Operation) -> list[tuple[int | None, int | None, int | None]]:
        """Lower bound, upper bound and step of each dimension, None where they are values."""
        parts: list[list[int | None]] = []
        at = 0
        for name, count in zip(
            ("LowerBound", "UpperBound", "Step"), self._counts(op)[:3], strict=True
        ):
            numbers = op.properties[f"static{name}"]
            assert isinstance(numbers, DenseArrayBase)
            values = iter(op.operands[at : at + count])
            at += count
            mixed: list[Mixed] = [
                next(values) if n == -(2**63) else int(n) for n in numbers.get_values()
            ]
            parts.append([n if isinstance(n, int) else int_of(n) for n in mixed])
        return list(zip(*parts, strict=True))

    def _first(self, op: Operation) -> int:
        return len(op.operands) - len(op.results)

    def _arguments(self, op: Operation) -> Sequence[BlockArgument]:
        arguments = _block(op).args
        return arguments[len(arguments) - len(op.results) :]

    def reads(self, use: Operand, state: State) -> bool:
        # What no thread writes keeps the initial values, as MLIR has it: also where all is written.
        return True

    def writes(self, use: Operand, state: State) -> bool:
        return True

    def aliases(self, use: Operand, state: State) -> Sequence[Alias]:
        return (Alias(use.op.results[use.at - self._first(use.op)], True),)

    def is_writable(self, value: SSAValue, state: State) -> bool:
        return True

    def is_repetitive(self, op: Operation, region: int) -> bool:
        return any(
            low is None or high is None or step is None or low + step < high
            for low, high, step in self._bounds(op)
        )

    def is_parallel(self, op: Operation, region: int) -> bool:
        return self.is_repetitive(op, region)

    def buffer_type(self, value: SSAValue, buffers: Buffers, stack: list[SSAValue]) -> Buffer:
        op = owner_of(value)
        at = value.index if isinstance(value, OpResult) else self._arguments(op).index(value)  # pyright: ignore[reportArgumentType]
        return buffers.type_of(op.operands[self._first(op) + at], stack)

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        first = self._first(op)
        outs = buffers.of_all(op.operands[first:])
        block = _block(op)
        buffers.at_start(block)
        for argument, buffer in zip(self._arguments(op), outs, strict=True):
            argument.replace_all_uses_with(buffers.as_tensor(buffer, argument.type))
        for argument in reversed(self._arguments(op)):
            block.erase_arg(argument)
        buffers.before(op)
        regions = [Region()]
        op.regions[0].move_blocks(regions[0])
        sizes = op.properties["operandSegmentSizes"]
        assert isinstance(sizes, DenseArrayBase)
        counts = DenseArrayBase.from_list(sizes.elt_type, [*self._counts(op)[:3], 0])
        properties = {**op.properties, "operandSegmentSizes": counts}
        buffers.create(op.name, op.operands[:first], (), properties, op.attributes, regions)
        buffers.replace_by(op, outs)


class InParallel(Model):
    """The end of a parallel loop, which has no tensors of its own."""

    __slots__ = ()

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        """Nothing to do."""


# --- cf ------------------------------------------------------------------------------------------
# Bufferization of branches between blocks: arguments of blocks are buffers that may be those of
# each branch's operands.


def _callers(argument: SSAValue) -> list[Operand]:
    """The operands of branches that become this argument of a block."""
    assert isinstance(argument, BlockArgument)
    found: list[Operand] = []
    for op, successor in predecessor_edges(argument.block):
        ranges = successor_ranges(op)
        if ranges is not None:
            found.append(Operand(op, ranges[successor][0] + argument.index))
    return found


def branch_sources(argument: SSAValue) -> list[Source]:
    return [Source(use, True, False) for use in _callers(argument)]


def branch_type(argument: SSAValue, buffers: Buffers, stack: list[SSAValue]) -> Buffer:
    """The type of a block's argument: what branches pass, or of unknown layout if they differ."""
    found: Buffer | None = None
    for use in _callers(argument):
        value = use.value
        if any(value is waiting for waiting in stack):
            continue
        kind = buffers.type_or_buffer(value, stack)
        if found is None or kind == found:
            found = kind
            continue
        if kind.memory_space != found.memory_space:
            raise op_error(
                owner_of(argument),
                "incoming operands of block argument have inconsistent memory spaces",
            )
        found = dynamic_buffer(tensor_type(argument), kind.memory_space)
    if found is None:
        raise op_error(owner_of(argument), "could not infer buffer type of block argument")
    return found


def bufferize_arguments(block: Block, buffers: Buffers) -> None:
    """Gives a block buffers as arguments, and branches to it buffers as operands."""
    types = [buffers.type_of(a) if is_tensor(a.type) else a.type for a in block.args]
    buffers.at_start(block)
    for argument, kind in zip(block.args, types, strict=True):
        retype(argument, kind, buffers)
    for op, successor in predecessor_edges(block):
        values = successor_operands(op, successor)
        if values is None:
            raise op_error(
                op,
                "cannot bufferize ops with block references that do not implement "
                "BranchOpInterface",
            )
        ranges = successor_ranges(op)
        assert ranges is not None
        for at, (value, kind) in enumerate(zip(values, types, strict=True)):
            if value.type == kind or not is_tensor(value.type):
                continue
            buffers.before(op)
            given = buffers.type_of(value)
            buffers.after_value(value)
            buffer = buffers.value("bufferization.to_buffer", (value,), given)
            if given != kind:
                buffer = buffers.value("memref.cast", (buffer,), kind)
            op.operands[ranges[successor][0] + at] = buffer


class Branch(Model):
    """Passes its operands on to arguments of blocks."""

    __slots__ = ()

    def aliases(self, use: Operand, state: State) -> Sequence[Alias]:
        found: list[Alias] = []
        for (start, end), block in zip(
            successor_ranges(use.op) or (), use.op.successors, strict=True
        ):
            if start <= use.at < end:
                found.append(Alias(block.args[use.at - start], True, False))
        return found

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        """The operands change with the block's arguments."""


_BRANCH = Branch()


# --- scf -----------------------------------------------------------------------------------------
# Bufferization of conditionals and of what ends regions of the scf dialect.


#: Regions that run once.
_ONCE = ("scf.execute_region", "shape.assuming")
_PARENTS = frozenset((*_ONCE, *(f"scf.{name}" for name in ("for", "if", "index_switch", "while"))))


def _ends(op: Operation) -> list[Operation]:
    return [end for index in range(len(op.regions)) for end in region_ends(op, index)]


class Conditional(Model):
    """scf.if and scf.index_switch: a result is what one of the regions yields."""

    __slots__ = ("words",)

    def __init__(self, words: str) -> None:
        self.words = words

    def _yields(self, op: Operation) -> list[Operation]:
        """The order in which types are compared: a switch's default comes first."""
        return _ends(op)

    def sources(self, value: SSAValue, state: State) -> Sequence[Source]:
        if not isinstance(value, OpResult):
            return ()
        return [Source(Operand(end, value.index), True, False) for end in _ends(value.op)]

    def buffer_type(self, value: SSAValue, buffers: Buffers, stack: list[SSAValue]) -> Buffer:
        assert isinstance(value, OpResult)
        found: Buffer | None = None
        for end in self._yields(value.op):
            kind = buffers.type_or_buffer(end.operands[value.index], stack)
            if found is None or kind == found:
                found = kind
                continue
            if kind.memory_space != found.memory_space:
                raise error(value.op, f"inconsistent memory space on {self.words}")
            found = dynamic_buffer(tensor_type(value), kind.memory_space)
        assert found is not None
        return found

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        types = [buffers.type_of(r) if is_tensor(r.type) else r.type for r in op.results]
        rebuild(op, buffers, op.operands, types)


def rebuild(
    op: Operation, buffers: Buffers, operands: Sequence[SSAValue], types: Sequence[Attribute]
) -> None:
    """Replaces `op` by the same with other operands and results, around the same regions."""
    regions = [Region() for _ in op.regions]
    for old, new in zip(op.regions, regions, strict=True):
        old.move_blocks(new)
    made = buffers.create(op.name, operands, types, op.properties, op.attributes, regions)
    buffers.replace_by(op, made.results)


class ExecuteRegion(Model):
    """A result is what the only yield yields."""

    __slots__ = ()

    several_blocks = True

    def is_writable(self, value: SSAValue, state: State) -> bool:
        return True

    def verify(self, op: Operation, state: State) -> None:
        if len(_ends(op)) != 1:
            raise op_error(op, "op without unique scf.yield is not supported")

    def sources(self, value: SSAValue, state: State) -> Sequence[Source]:
        if not isinstance(value, OpResult):
            return branch_sources(value)
        ends = _ends(value.op)
        return [Source(Operand(ends[0], value.index), True)] if len(ends) == 1 else ()

    def buffer_type(self, value: SSAValue, buffers: Buffers, stack: list[SSAValue]) -> Buffer:
        if isinstance(value, OpResult):
            return super().buffer_type(value, buffers, stack)
        return branch_type(value, buffers, stack)

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        (end,) = _ends(op)
        buffers.before(end)
        for index, value in enumerate(end.operands):
            if is_tensor(value.type):
                end.operands[index] = buffers.of(value)
        for block in op.regions[0].blocks:
            bufferize_arguments(block, buffers)
        buffers.before(op)
        rebuild(op, buffers, op.operands, [value.type for value in end.operands])


class Yield(Model):
    """What a region yields keeps its buffer: a copy would have to be made in the region."""

    __slots__ = ()

    def reads(self, use: Operand, state: State) -> bool:
        return True

    def must_be_in_place(self, use: Operand, state: State) -> bool:
        return True

    def aliases(self, use: Operand, state: State) -> Sequence[Alias]:
        parent = use.op.parent_op()
        if parent is None or parent.name not in ("scf.if", *_ONCE):
            if parent is not None and parent.name == "scf.index_switch":
                return (Alias(parent.results[use.at], True, False),)
            return ()
        return (Alias(parent.results[use.at], True, parent.name != "scf.if"),)

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        parent = op.parent_op()
        assert parent is not None
        if parent.name not in _PARENTS:
            raise error(op, "unsupported scf::YieldOp parent")
        values: list[SSAValue] = []
        for index, value in enumerate(op.operands):
            if not is_tensor(value.type):
                values.append(value)
                continue
            buffer = buffers.of(value)
            kind = _wanted(parent, index, buffers)
            values.append(buffer if kind is None else buffers.cast(buffer, kind))
        buffers.create(op.name, values, (), op.properties, op.attributes)
        buffers.erase(op)


def _wanted(parent: Operation, index: int, buffers: Buffers) -> Buffer | None:
    """The type of what the region is to yield."""
    if parent.name in _ONCE:
        return None
    target: SSAValue
    if parent.name == "scf.while":
        first = parent.regions[0].first_block
        assert isinstance(first, Block)
        target = first.args[index]
    else:
        target = parent.results[index]
    return buffers.type_or_buffer(target, [])


MODELS: dict[str, Model] = {
    "scf.condition": Condition(),
    "scf.for": For(),
    "scf.forall": Forall(),
    "scf.forall.in_parallel": InParallel(),
    "scf.while": While(),
    "cf.br": _BRANCH,
    "cf.cond_br": _BRANCH,
    "scf.execute_region": ExecuteRegion(),
    "scf.if": Conditional("then/else branches"),
    "scf.index_switch": Conditional("switch cases"),
    "scf.yield": Yield(),
    "shape.assuming": ExecuteRegion(),
    "shape.assuming_yield": Yield(),
}

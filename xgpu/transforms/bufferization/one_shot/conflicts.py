# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Why an operand may not keep its buffer.

A read follows definitions: through the sources of what is read, it sees what some value defines.
Another write to the same buffer that may come between that definition and the read makes the read
see something else: a conflict. Where loops come between, an operation that stands before another
may still run after it, so order in the text counts only inside of the loop that the definition is
in. Source of the algorithm: MLIR 22.1 OneShotDecisions.cpp.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.ir import Block, Operation, Region, SSAValue

from xgpu.transforms.bufferization.one_shot.annotations import mark_conflict, mark_read_only
from xgpu.transforms.bufferization.one_shot.models.subsets import Insertion, insertion_of
from xgpu.transforms.bufferization.one_shot.order import (
    ancestor_in,
    are_exclusive,
    contains,
    may_reach,
)
from xgpu.transforms.bufferization.one_shot.values import Operand, uses_of

if TYPE_CHECKING:
    from xgpu.transforms.bufferization.one_shot.decisions import Decisions


def writes_read_only(use: Operand, state: Decisions, *, new: bool = True) -> bool:
    """Whether a buffer that must not be written would be, if `use` kept its buffer.

    Without `new`: whether it is, by the decisions that have been made.
    """
    values = [use.value, *(alias.value for alias in state.aliases(use))]
    if not (new and state.writes(use)) and not any(_writes(state, value) for value in values):
        return False
    read_only = False
    for value in values:
        for alias in state.alias_sets.members(value):
            if state.is_writable(alias):
                continue
            read_only = True
            if not state.options.print_conflicts:
                return True
            mark_read_only(alias)
    return read_only


def reads_other_contents(use: Operand, state: Decisions, *, new: bool = True) -> bool:
    """Whether somebody would read what the program does not say, if `use` kept its buffer.

    Without `new`: whether somebody does, by the decisions that have been made.
    """
    reads: dict[Operand, None] = {}
    writes: dict[Operand, None] = {}
    for value in (use.value, *(alias.value for alias in state.aliases(use))):
        reads.update(dict.fromkeys(_reads(state, value)))
        writes.update(dict.fromkeys(_writes(state, value)))
    if new and state.writes(use):
        writes[use] = None
    if not reads or not writes:
        return False
    if state.options.check_parallel_regions and any(_is_shared(state, write) for write in writes):
        return True
    return any(_conflict(state, read, write) for read in reads for write in writes)


def _writes(state: Decisions, value: SSAValue) -> list[Operand]:
    """What writes the buffer of `value` where it stands."""
    return [
        use
        for alias in state.alias_sets.members(value)
        for use in uses_of(alias)
        if state.is_in_place(use) and state.writes(use)
    ]


def _reads(state: Decisions, value: SSAValue) -> list[Operand]:
    """What reads the buffer of `value`, or passes it on, undecided yet, to who does."""
    return [
        use
        for alias in state.alias_sets.members(value)
        for use in uses_of(alias)
        if state.reads(use)
        or (not state.writes(use) and any(state.is_read(a.value) for a in state.aliases(use)))
    ]


def _is_shared(state: Decisions, write: Operand) -> bool:
    """Whether several threads of a parallel loop would write one buffer from outside of it."""
    here = state.parallel_region(write.op.parent_region())
    return any(
        state.parallel_region(_region_of(value)) is not here
        for value in state.trace(write.value, state.defines_contents)
    )


def _region_of(value: SSAValue) -> Region | None:
    owner = value.owner
    return owner.parent if isinstance(owner, Block) else owner.parent_region()


# --- one read and one write --------------------------------------------------------------------
def _conflict(state: Decisions, read: Operand, write: Operand) -> bool:
    """Whether `read` may see what `write` writes, and should not."""
    definitions = state.definitions(read.value)
    if not definitions or _is_harmless(state, read, write, definitions):
        return False
    for definition in definitions:
        if not _overwrites(state, write, definition):
            continue
        if state.options.print_conflicts:
            mark_conflict(read, write, definition)
        return True
    return False


def _is_harmless(
    state: Decisions, read: Operand, write: Operand, definitions: list[SSAValue]
) -> bool:
    if _order_counts(state, read, write, definitions) and (
        state.order.happens_before(read.op, write.op)
        or read == write
        or are_exclusive(read.op, write.op)
    ):
        return True
    model = state.known_model(read.op)
    if (
        read.op is write.op
        and model is not None
        and model.is_elementwise(read.op, (read, write), state)
        and (_comes_from(state, read, write) or _comes_from(state, write, read))
    ):
        return True
    if _are_disjoint(state, read, write):
        return True
    if model is not None and model.is_no_conflict(read, write, state):
        return True
    other = state.known_model(write.op)
    return (
        write.op is not read.op and other is not None and other.is_no_conflict(read, write, state)
    )


def _overwrites(state: Decisions, write: Operand, definition: SSAValue) -> bool:
    """Whether `write` may come after the `definition`, and is not that itself."""
    owner = definition.owner
    if isinstance(owner, Operation):
        if state.order.happens_before(write.op, owner) or contains(owner, write.op):
            return False
    elif ancestor_in(owner, write.op) is None:
        return False
    aliases = state.aliases(write)
    return not (len(aliases) == 1 and aliases[0].value is definition)


def _comes_from(state: Decisions, a: Operand, b: Operand) -> bool:
    """Whether the value of `a` is that of `b`, by way of equivalent values of its type."""
    other = b.value
    return bool(
        state.trace(
            a.value,
            lambda value: value is other,
            leaves=False,
            equivalent_only=True,
            same_type_only=True,
        )
    )


# --- order -------------------------------------------------------------------------------------
def _order_counts(
    state: Decisions, read: Operand, write: Operand, definitions: list[SSAValue]
) -> bool:
    """Whether what stands first runs first, as often as the definitions do."""
    return _order_counts_in_regions(state, read, write, definitions) and _order_counts_in_blocks(
        read, write, definitions
    )


def _order_counts_in_regions(
    state: Decisions, read: Operand, write: Operand, definitions: list[SSAValue]
) -> bool:
    for definition in definitions:
        region = state.repetitive_region(read.op.parent_region())
        outside = state.repetitive_region(_region_of(definition))
        if region is outside:
            continue
        # The outermost loop around the read that the definition is not in.
        while region is not None and region.parent is not None:
            around = state.repetitive_region(region.parent.parent_region())
            if around is outside:
                break
            region = around
        if region is None or region.parent is None or region.parent.is_ancestor(write.op):
            return False
    return True


def _order_counts_in_blocks(read: Operand, write: Operand, definitions: list[SSAValue]) -> bool:
    reading, writing = read.op.parent, write.op.parent
    if reading is None or writing is None or reading.parent is not writing.parent:
        return True
    for definition in definitions:
        owner = definition.owner
        at = owner if isinstance(owner, Block) else owner.parent
        if may_reach(reading, writing, at) and may_reach(writing, reading, at):
            return False
    return True


# --- parts of tensors --------------------------------------------------------------------------
def _fills(state: Decisions, value: SSAValue, insertion: Insertion) -> bool:
    """Whether `value` is, wherever it comes from, the part that the insertion fills."""
    is_part: Callable[[SSAValue], bool] = lambda v: insertion.is_part(v, state)  # noqa: E731
    return all(is_part(found) for found in state.trace(value, is_part))


def _is_onto_itself(state: Decisions, read: Operand, write: Operand, insertion: Insertion) -> bool:
    """Whether a parallel loop copies its own tensor onto itself, element by element."""
    return (
        insertion.op.name == "tensor.parallel_insert_slice"
        and read == insertion.source
        and write == insertion.destination
        and insertion.begins_with_destination()
        and _comes_from(state, read, write)
    )


def _are_disjoint(state: Decisions, read: Operand, write: Operand) -> bool:
    """Whether an insertion reads or writes only what the other does not."""
    insertion = insertion_of(read.op)
    if insertion is not None:
        # An insertion reads all of its destination but the part that it fills.
        if read == insertion.destination and _fills(state, write.value, insertion):
            return True
        if (
            read == insertion.source
            and write == insertion.destination
            and _fills(state, read.value, insertion)
        ):
            return True
        if _is_onto_itself(state, read, write, insertion):
            return True
    insertion = insertion_of(write.op)
    if insertion is None or write != insertion.destination:
        return False
    # What is written is what is there already.
    source = insertion.source.value
    return state.are_equivalent(read.value, source) and _fills(state, source, insertion)

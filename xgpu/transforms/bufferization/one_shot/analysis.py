# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which operands write where they stand: the decisions, the conflicts that forbid it, the
analysis, and its results as attributes.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, StringAttr, UnitAttr, i64
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue

from xgpu.core.ir.constants import int_of
from xgpu.core.ir.errors import op_error
from xgpu.core.ir.region_flow import REGION_ENDS
from xgpu.core.syntax.names import Names
from xgpu.transforms.bufferization.one_shot.buffers import State
from xgpu.transforms.bufferization.one_shot.options import is_tensor
from xgpu.transforms.bufferization.one_shot.state import Undecided
from xgpu.transforms.bufferization.one_shot.values import (
    Operand,
    Order,
    ancestor_in,
    are_exclusive,
    contains,
    has_tensors,
    may_reach,
    tensor_operands,
    uses_of,
    walk_postorder,
)
from xgpu.transforms.fold_tensor_subset_ops import Slice

if TYPE_CHECKING:
    from xgpu.dialects.affine.maps import Mixed
    from xgpu.transforms.bufferization.one_shot.options import Options


# --- subsets -------------------------------------------------------------------------------------
# Operations that fill a part of a tensor, and what takes the same part out of it (MLIR's
# SubsetInsertionOpInterface).


#: What writes all of the destination.
_COPIES = frozenset({"bufferization.materialize_in_destination", "linalg.copy"})
_SLICES = frozenset({"tensor.insert_slice", "tensor.parallel_insert_slice"})


class Insertion(NamedTuple):
    """An operation that writes `source` to a part of `destination`, or to all of it."""

    op: Operation
    source: Operand
    destination: Operand

    def is_part(self, value: SSAValue, state: State) -> bool:
        """Whether `value` is what stands where the source is written to."""
        if not isinstance(value, OpResult):
            return False
        if self.op.name not in _SLICES:
            return state.are_equivalent(value, self.destination.value)
        if value.op.name != "tensor.extract_slice":
            return False
        mine, other = Slice(self.op), Slice(value.op)
        return (
            state.are_equivalent(value.op.operands[0], self.destination.value)
            and _same(mine.offsets, other.offsets)
            and _same(mine.sizes, other.sizes)
            and _same(mine.strides, other.strides)
        )

    def begins_with_destination(self) -> bool:
        """Whether a tensor of the destination's type is written where its elements would stand."""
        if self.op.name not in _SLICES or self.source.value.type != self.destination.value.type:
            return False
        place = Slice(self.op)
        return all(_known(offset) == 0 for offset in place.offsets) and all(
            _known(stride) == 1 for stride in place.strides
        )


def _known(item: Mixed) -> Mixed:
    if isinstance(item, int):
        return item
    number = int_of(item)
    return item if number is None else number


def _same(a: list[Mixed], b: list[Mixed]) -> bool:
    return len(a) == len(b) and all(
        _known(x) is _known(y) or (isinstance(_known(x), int) and _known(x) == _known(y))
        for x, y in zip(a, b, strict=True)
    )


def insertion_of(op: Operation) -> Insertion | None:
    """`op` as an insertion, if it is one."""
    if op.name in _SLICES:
        return Insertion(op, Operand(op, 0), Operand(op, 1))
    if op.name in _COPIES:
        return Insertion(op, Operand(op, 0), Operand(op, 1))
    return None


# --- annotations ---------------------------------------------------------------------------------
# What the analysis found, as attributes of operations: for tests of it.


_EQUIVALENT = "__equivalent_func_args__"
_IN_PLACE = "__inplace_operands_attr__"
_RESULTS, _ARGUMENTS = "__opresult_alias_set_attr__", "__bbarg_alias_set_attr__"


def _mark(op: Operation | None, prefix: str, what: str) -> None:
    """Numbers by what is there already, so that a run does not depend on those before it."""
    if op is not None:
        op.attributes[f"{prefix}[{what}]"] = UnitAttr()


def _number(op: Operation, letter: str) -> int:
    """How many marks of this kind there are in the outermost operation."""
    root = op
    while (parent := root.parent_op()) is not None:
        root = parent
    names = {
        name.partition("[")[0]
        for inner in root.walk()
        for name in inner.attributes
        if name.startswith(f"{letter}_") and "[" in name
    }
    return len(names)


def _owner(value: SSAValue) -> tuple[Operation | None, str]:
    owner = value.owner
    if isinstance(owner, Block):
        return owner.parent_op(), f"bbArg {owner.args.index(value)}"
    assert isinstance(value, OpResult)
    return owner, f"result {value.index}"


def mark_conflict(read: Operand, write: Operand, definition: SSAValue) -> None:
    """Names the three that a conflict is between."""
    prefix = f"C_{_number(read.op, 'C')}"
    op, what = _owner(definition)
    _mark(write.op, prefix, f"CONFL-WRITE: {write.at}")
    _mark(read.op, prefix, f"READ: {read.at}")
    _mark(op, prefix, f"DEF: {what}")


def mark_read_only(value: SSAValue) -> None:
    op, what = _owner(value)
    if op is not None:
        _mark(op, f"W_{_number(op, 'W')}", f"NOT-WRITABLE: {what}")


def mark_decisions(root: Operation, state: Decisions) -> None:
    """For each operand "true" if it keeps its buffer, "false", or "none" for what is no tensor."""
    for op in root.walk():
        uses = tensor_operands(op)
        if not uses:
            continue
        words = ["none"] * len(op.operands)
        for use in uses:
            words[use.at] = "true" if state.is_in_place(use) else "false"
        op.attributes[_IN_PLACE] = ArrayAttr([StringAttr(word) for word in words])


def mark_equivalent_arguments(op: Operation, arguments: list[int | None]) -> None:
    """For each operand of a return the number of the argument that it is, or -1."""
    if any(argument is not None for argument in arguments):
        numbers = [IntegerAttr(-1 if at is None else at, i64) for at in arguments]
        op.attributes[_EQUIVALENT] = ArrayAttr(numbers)


def mark_alias_sets(root: Operation, state: Decisions) -> None:
    """For each result and argument the names of all that share its buffer."""
    names = Names(generic=False)
    names.number(root)

    def aliases(value: SSAValue) -> Attribute:
        members = state.alias_sets.members(value)
        return ArrayAttr([StringAttr(names.values[id(v)]) for v in members])

    for op in root.walk():
        results = [aliases(result) for result in op.results if is_tensor(result.type)]
        if results:
            op.attributes[_RESULTS] = ArrayAttr(results)
        regions = [
            ArrayAttr(
                [
                    ArrayAttr([aliases(arg) for arg in block.args if is_tensor(arg.type)])
                    for block in region.blocks
                ]
            )
            for region in op.regions
        ]
        if any(is_tensor(a.type) for r in op.regions for b in r.blocks for a in b.args):
            op.attributes[_ARGUMENTS] = ArrayAttr(regions)


# --- decisions -----------------------------------------------------------------------------------
# What has been decided: which operands keep their buffers, and which values share one.


class Classes:
    """Sets of values, which are joined."""

    __slots__ = ("_sets",)

    def __init__(self) -> None:
        self._sets: dict[SSAValue, list[SSAValue]] = {}

    def members(self, value: SSAValue) -> Sequence[SSAValue]:
        return self._sets.get(value) or (value,)

    def join(self, a: SSAValue, b: SSAValue) -> None:
        first = self._sets.setdefault(a, [a])
        second = self._sets.setdefault(b, [b])
        if first is second:
            return
        if len(first) < len(second):
            first, second = second, first
        first.extend(second)
        for value in second:
            self._sets[value] = first

    def same(self, a: SSAValue, b: SSAValue) -> bool:
        return a is b or (a in self._sets and self._sets[a] is self._sets.get(b))


class Decisions(Undecided):
    """The decisions for all operands in `root`."""

    def __init__(self, root: Operation, options: Options) -> None:
        super().__init__(options)
        self.alias_sets = Classes()
        self.equivalent_sets = Classes()
        self.order = Order()
        self._in_place: set[Operand] = set()
        self.undefined: set[Operand] = set()
        self._definitions: dict[SSAValue, list[SSAValue]] = {}
        self._is_read: dict[SSAValue, bool] = {}
        self._decide_given(root)

    def _decide_given(self, op: Operation) -> None:
        """Operands that must keep their buffers do."""
        for inner in op.walk():
            model = self.known_model(inner)
            if model is None:
                continue
            for use in tensor_operands(inner):
                if model.must_be_in_place(use, self):
                    self.keep(use)

    # --- what is known -------------------------------------------------------------------------
    def is_in_place(self, use: Operand) -> bool:
        return use in self._in_place

    def is_undefined(self, use: Operand) -> bool:
        return use in self.undefined

    def are_equivalent(self, a: SSAValue, b: SSAValue) -> bool:
        return self.equivalent_sets.same(a, b)

    def sharing(self, value: SSAValue) -> Sequence[SSAValue] | None:
        return self.alias_sets.members(value)

    def are_aliases(self, a: SSAValue, b: SSAValue) -> bool:
        return self.alias_sets.same(a, b)

    def definitions(self, value: SSAValue) -> list[SSAValue]:
        found = self._definitions.get(value)
        if found is None:
            found = self._definitions[value] = super().definitions(value)
        return found

    def is_read(self, value: SSAValue) -> bool:
        found = self._is_read.get(value)
        if found is None:
            found = self._is_read[value] = super().is_read(value)
        return found

    def is_written(self, value: SSAValue) -> bool:
        """Whether anything writes the buffer of `value`."""
        return any(
            self.is_in_place(use) and self.writes(use)
            for alias in self.alias_sets.members(value)
            for use in uses_of(alias)
        )

    def forget(self) -> None:
        """Facts of functions have changed, and what follows from them."""
        self._definitions.clear()
        self._is_read.clear()

    def keep(self, use: Operand) -> None:
        """Decides that an operand keeps its buffer."""
        if use in self._in_place:
            return
        self._in_place.add(use)
        for alias in self.aliases(use):
            self.alias_sets.join(alias.value, use.value)


# --- conflicts -----------------------------------------------------------------------------------
# Why an operand may not keep its buffer.
#
# A read follows definitions: through the sources of what is read, it sees what some value defines.
# Another write to the same buffer that may come between that definition and the read makes the read
# see something else: a conflict. Where loops come between, an operation that stands before another
# may still run after it, so order in the text counts only inside of the loop that the definition is
# in. Source of the algorithm: MLIR 22.1 OneShotDecisions.cpp.


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
    """Whether an operation would read what the program does not say, if `use` kept its buffer.

    Without `new`: whether one does, by the decisions that have been made.
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
    model = state.known_model(read.op)
    if _order_counts(state, read, write, definitions) and (
        state.order.happens_before(read.op, write.op)
        or read == write
        or are_exclusive(read.op, write.op)
        or (
            read.op is write.op
            and model is not None
            and model.is_elementwise(read.op, (read, write), state)
            and (_comes_from(state, read, write) or _comes_from(state, write, read))
        )
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


# --- analysis ------------------------------------------------------------------------------------
# Which operands write where they stand: the analysis of one-shot bufferization.
#
# Each operand is decided once, by default from the last operation to the first. It keeps its buffer
# if nothing would then read what the program does not say (`conflicts`), nor write what must not be
# written. A decision joins the alias sets of the operand and of what shares its buffer, and later
# decisions see that. Source of the algorithm: MLIR 22.1 OneShotAnalysis.cpp.


class Analysis(Decisions):
    """Decides for all operands in a root."""

    # --- deciding ------------------------------------------------------------------------------
    def analyze(self, op: Operation) -> None:
        """Decides for `op` and what it contains.

        Raises DiagnosticError where operands that must keep their buffers cannot.
        """
        self.forget()
        self._check(op)
        self._decide(op)
        self._find_equivalences(op)
        self._find_undefined(op)
        for inner in walk_postorder(op):
            model = self.known_model(inner)
            if model is not None:
                model.verify(inner, self)

    def _check(self, op: Operation) -> None:
        operations = [(inner, self.known_model(inner)) for inner in walk_postorder(op)]
        for inner, model in operations:
            if model is None or model.several_blocks:
                continue
            if any(len(region.blocks) > 1 for region in inner.regions):
                raise op_error(
                    inner,
                    "op or BufferizableOpInterface implementation does not support unstructured "
                    "control flow, but at least one region has multiple blocks",
                )
        for inner, model in operations:
            if model is not None:
                self._check_given(inner)

    def _check_given(self, op: Operation) -> None:
        if (
            op.name == "bufferization.to_tensor"
            and "restrict" not in op.properties
            and op.results[0].first_use is not None
            and is_tensor(op.results[0].type)
        ):
            raise op_error(
                op, "to_tensor ops without `restrict` are not supported by One-Shot Analysis"
            )
        for use in tensor_operands(op):
            if reads_other_contents(use, self, new=False):
                raise op_error(
                    op, "not bufferizable under the given constraints: cannot avoid RaW conflict"
                )
            if self.is_in_place(use) and writes_read_only(use, self, new=False):
                raise op_error(
                    op,
                    "not bufferizable under the given constraints: would write to read-only buffer",
                )

    def _decide(self, op: Operation) -> None:
        operations = [inner for inner in walk_postorder(op) if has_tensors(inner)]
        for inner in self._in_order(op, operations):
            for use in tensor_operands(inner):
                if writes_read_only(use, self) or reads_other_contents(use, self):
                    continue
                self.keep(use)

    def _in_order(self, op: Operation, operations: list[Operation]) -> Iterable[Operation]:
        heuristic = self.options.analysis_heuristic
        if heuristic == "top-down":
            return operations
        if heuristic == "bottom-up-from-terminators":
            return self._from_terminators(op, operations)
        if heuristic == "fuzzer":
            random.Random(self.options.analysis_fuzzer_seed).shuffle(operations)
        return reversed(operations)

    def _from_terminators(self, op: Operation, operations: list[Operation]) -> list[Operation]:
        """First what regions yield and what that shares buffers with, then the others."""
        found: dict[Operation, None] = {}
        for end in walk_postorder(op):
            region = end.parent_region()
            if end.name not in REGION_ENDS or end in found or region is None:
                continue
            found[end] = None
            pending = [v for v in end.operands if is_tensor(v.type)]
            while pending:
                value = pending.pop()
                owner = value.owner
                if isinstance(owner, Block) or owner in found:
                    continue
                found[owner] = None
                if region.parent is None or not contains(region.parent, owner):
                    continue
                pending.extend(source.operand.value for source in self.sources(value))
        return [*found, *(inner for inner in reversed(operations) if inner not in found)]

    # --- after deciding ------------------------------------------------------------------------
    def _find_equivalences(self, op: Operation) -> None:
        for inner in walk_postorder(op):
            model = self.known_model(inner)
            if model is None:
                continue
            for result in inner.results:
                if is_tensor(result.type):
                    self._find_equivalence(result, model.allocates(inner))

    def _find_equivalence(self, result: SSAValue, allocates: bool) -> None:
        sources = self.sources(result)
        if not sources:
            return
        first = sources[0].operand.value
        for source in sources:
            value, in_place = source.operand.value, self.is_in_place(source.operand)
            if source.equivalent and source.definite and in_place:
                self.equivalent_sets.join(result, value)
                return
            # Whatever path control takes, all have to be one buffer.
            if not source.equivalent or not in_place or not self.are_equivalent(value, first):
                allocates = True
        if not allocates:
            self.equivalent_sets.join(result, first)

    def _find_undefined(self, op: Operation) -> None:
        for inner in walk_postorder(op):
            if self.known_model(inner) is None:
                continue
            for result in inner.results:
                if is_tensor(result.type) and not self.definitions(result):
                    self.undefined.update(uses_of(result))

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`mgpu-verify-lifetimes`: proves that streams, events and graphs are used while they live."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from xdsl.dialects.builtin import UnknownLoc
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.core.ir.calls import is_call, is_function, is_return
from xgpu.core.ir.errors import DiagnosticError, op_error
from xgpu.core.ir.region_flow import EDGES, REGION_ENDS, edges, successor_operands
from xgpu.core.passes.base import Pass

if TYPE_CHECKING:
    from xdsl.context import Context


# --- lifetimes -----------------------------------------------------------------------------------
# What is true of each handle of the mgpu dialect on the paths through a function.
#
# `check` walks functions in the order of the program. States meet where paths do, and loops are
# gone round until nothing changes, so what it accepts holds on every path. A value that branches,
# loops and returns hand on lives on as the value that takes its place.


#: Types of handles that must be destroyed -> what messages call them.
OWNED = {
    "mgpu.stream": "stream",
    "mgpu.event": "event",
    "mgpu.module": "module",
    "mgpu.graph": "graph",
    "mgpu.graph_exec": "executable graph",
}
_DESTROY = frozenset(
    (
        "mgpu.stream_destroy", "mgpu.event_destroy", "mgpu.module_unload", "mgpu.graph_destroy",
        "mgpu.graph_exec_destroy",
    )
)  # fmt: skip
LIVE, DEAD, BORROWED = 1, 2, 4

Path = tuple[tuple[Attribute, str], ...]


class Fact(NamedTuple):
    """What may be true of a handle: bits, where it ended, and the paths to living and to dead."""

    bits: int
    ended: Operation | None = None
    live_path: Path = ()
    dead_path: Path = ()


class State:
    """Facts by handle: those that changed here over those that `base` has."""

    __slots__ = ("base", "own")

    def __init__(self, base: State | None = None) -> None:
        self.base = base
        self.own: dict[SSAValue, Fact] = {}

    def get(self, value: SSAValue) -> Fact | None:
        state: State | None = self
        while state is not None:
            fact = state.own.get(value)
            if fact is not None:
                return fact
            state = state.base
        return None

    def copy(self) -> State:
        new = State(self.base)
        new.own = dict(self.own)
        return new


def _join(
    known: State | None, new: State, end: Operation, before: Callable[[SSAValue], Fact | None]
) -> tuple[State, bool]:
    """The state where `new`, which comes from `end`, meets what is `known`; whether it grew."""
    if known is None:
        return new.copy(), True
    changed = False
    for value in dict.fromkeys((*known.own, *new.own)):
        mine, other = known.own.get(value) or before(value), new.own.get(value) or before(value)
        if mine is None or other is None or other.bits | mine.bits == mine.bits:
            if mine is None and other is not None:
                known.own[value] = other
                changed = True
            continue
        live, dead = mine.live_path, mine.dead_path
        if other.bits & LIVE and not mine.bits & LIVE:
            live = (*other.live_path, (_location(end), "and is alive on the path through here"))
        if other.bits & DEAD and not mine.bits & DEAD:
            dead = (*other.dead_path, (_location(end), "and is destroyed on the path through here"))
        known.own[value] = Fact(mine.bits | other.bits, mine.ended or other.ended, live, dead)
        changed = True
    return known, changed


def check(root: Operation) -> None:
    """Raises `DiagnosticError` where a handle in `root` does not live as it must."""
    for op in root.walk():
        if is_function(op) and op.regions and _has_handles(op.regions[0]):
            _Checker().function(op)


def _has_handles(body: Region) -> bool:
    first = body.first_block
    return first is not None and (
        any(map(_is_handle, first.args))
        or any(any(map(_is_handle, op.results)) for block in body.blocks for op in block.walk())
    )


def _is_handle(value: SSAValue) -> bool:
    return value.type.name in OWNED


def _kind(value: SSAValue) -> str:
    kind = OWNED[value.type.name]
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"


class _Checker:
    """Checks one function."""

    __slots__ = ("_alias",)

    def __init__(self) -> None:
        #: Casts of handles -> the handle
        self._alias: dict[SSAValue, SSAValue] = {}

    def function(self, op: Operation) -> None:
        state = State()
        for arg in op.regions[0].blocks[0].args:
            if _is_handle(arg):
                state.own[arg] = Fact(BORROWED)
        self._region(op.regions[0], state)

    # --- regions and blocks ----------------------------------------------------------------
    def _region(self, region: Region, state: State) -> list[tuple[Operation, State]]:
        """The operations by which control leaves `region`, and the states there."""
        blocks = region.blocks
        ends: list[tuple[Operation, State]] = []
        if len(blocks) == 1:
            inner = State(state)
            self._block(blocks[0], inner)
            self._end(blocks[0], inner, ends)
            return ends
        entry = blocks[0]
        states: dict[Block, State] = {entry: State(state)}
        worklist = [entry]
        found: dict[Operation, State] = {}
        while worklist:
            block = worklist.pop(0)
            inner = states[block].copy()
            self._block(block, inner)
            last = block.last_op
            if last is None:
                continue
            if not last.successors:
                leaving: list[tuple[Operation, State]] = []
                self._end(block, inner, leaving)
                found.update(leaving)
                continue
            for index, successor in enumerate(last.successors):
                reached = inner.copy()
                values = successor_operands(last, index) or []
                self._move(last, values, successor.args, reached)
                states[successor], changed = _join(states.get(successor), reached, last, state.get)
                if changed and successor not in worklist:
                    worklist.append(successor)
        return list(found.items())

    def _end(self, block: Block, state: State, ends: list[tuple[Operation, State]]) -> None:
        last = block.last_op
        if last is None or last.name == "llvm.unreachable":
            return
        if is_return(last):
            for value in dict.fromkeys(last.operands):
                if _is_handle(value):
                    self._give(last, value, state)
            self._leaks(last, state)
        elif not last.successors:
            ends.append((last, state))

    def _block(self, block: Block, state: State) -> None:
        for op in block.ops:
            self._operation(op, state)

    def _leaks(self, last: Operation, state: State, handed: Iterable[SSAValue] = ()) -> None:
        """Whatever was made in the region that control leaves must be over."""
        given = {self._alias.get(v, v) for v in handed}
        for value, fact in state.own.items():
            if fact.bits & LIVE and value not in given and _region_of(value) is last.parent.parent:  # pyright: ignore
                raise self._leak(value, fact, last)

    # --- operations ------------------------------------------------------------------------
    def _operation(self, op: Operation, state: State) -> None:
        if op.regions:
            if op.name in EDGES:
                self._control_flow(op, state)
            elif not is_function(op):
                for region in op.regions:
                    if region.first_block is not None:
                        for end, inner in self._region(region, state):
                            self._leaks(end, inner)
            return
        if op.name == "builtin.unrealized_conversion_cast" and len(op.operands) == 1:
            self._cast(op, state)
            return
        if op.name in _DESTROY:
            self._destroy(op, self._handle(op.operands[0]), state)
            return
        if op.name == "mgpu.cache_store":
            # The program's end destroys it.
            if _is_handle(op.operands[0]):
                self._give(op, self._handle(op.operands[0]), state)
            return
        if not is_return(op) and not op.successors and op.name not in REGION_ENDS:
            for value in op.operands:
                handle = self._alias.get(value, value)
                if _is_handle(handle):
                    self._use(op, handle, state)
        makes = (op.name.startswith("mgpu.") and op.name != "mgpu.cache_load") or is_call(op)
        for result in op.results:
            if not _is_handle(result):
                continue
            before = state.get(result)
            if makes and before is not None and before.bits & LIVE:
                raise self._leak(result, before, op)
            state.own[result] = Fact(LIVE if makes else BORROWED)

    def _handle(self, value: SSAValue) -> SSAValue:
        return self._alias.get(value, value)

    def _cast(self, op: Operation, state: State) -> None:
        source = self._handle(op.operands[0])
        result = op.results[0]
        if _is_handle(source):
            self._use(op, source, state)
            self._alias[result] = source
        elif _is_handle(result):
            state.own[result] = Fact(BORROWED)

    def _control_flow(self, op: Operation, state: State) -> None:
        entered: dict[int, State] = {}
        over: State | None = None
        worklist: list[int] = []

        def follow(end: Operation, inner: State) -> None:
            nonlocal over
            for flow in edges(op, end):
                reached = inner.copy()
                self._move(end, flow.operands, flow.inputs, reached)
                if flow.target is None:
                    over, _ = _join(over, reached, end, state.get)
                    continue
                entered[flow.target], changed = _join(
                    entered.get(flow.target), reached, end, state.get
                )
                if changed and flow.target not in worklist:
                    worklist.append(flow.target)

        follow(op, State(state))
        while worklist:
            index = worklist.pop(0)
            # Both share what they see of the operations around `op`.
            for end, inner in self._region(op.regions[index], entered[index]):
                flows = edges(op, end)
                self._leaks(end, inner, [v for flow in flows for v in flow.operands])
                follow(end, _since(inner, state))
        if over is not None:
            state.own.update(over.own)

    # --- what happens to handles -----------------------------------------------------------
    def _use(self, op: Operation, value: SSAValue, state: State) -> None:
        fact = state.get(value)
        if fact is None or not fact.bits & DEAD:
            return
        how = "may have been" if fact.bits & LIVE else "has been"
        raise self._ended(op, value, fact, f"uses {_kind(value)} that {how} destroyed")

    def _destroy(self, op: Operation, value: SSAValue, state: State) -> None:
        fact = state.get(value)
        if fact is not None and fact.bits & BORROWED:
            raise self._ended(op, value, fact, f"destroys {_kind(value)} that the caller owns")
        if fact is not None and fact.bits & DEAD:
            how = "may have been" if fact.bits & LIVE else "has been"
            raise self._ended(
                op, value, fact, f"destroys {_kind(value)} that {how} destroyed already"
            )
        state.own[value] = Fact(DEAD, op)

    def _give(self, op: Operation, value: SSAValue, state: State) -> None:
        """`value` has another owner from here on."""
        self._use(op, value, state)
        fact = state.get(value)
        if fact is not None and fact.bits & BORROWED:
            raise self._ended(op, value, fact, f"returns {_kind(value)} that the caller owns")
        state.own[value] = Fact(DEAD, op)

    def _move(
        self, op: Operation, values: Iterable[SSAValue], targets: Iterable[SSAValue], state: State
    ) -> None:
        """`targets` take the place of `values`."""
        moved: list[tuple[SSAValue, Fact]] = []
        for value, target in zip(values, targets, strict=False):
            handle = self._handle(value)
            if not _is_handle(handle):
                continue
            self._use(op, handle, state)
            fact = state.get(handle) or Fact(BORROWED)
            moved.append((target, fact))
            if not fact.bits & BORROWED:
                state.own[handle] = Fact(DEAD, op)
        for target, fact in moved:
            state.own[target] = Fact(fact.bits)

    # --- messages --------------------------------------------------------------------------
    def _ended(self, op: Operation, value: SSAValue, fact: Fact, text: str) -> DiagnosticError:
        notes = [_made(value)]
        if fact.ended is not None:
            notes.append((fact.ended.location, _what_ended(fact.ended)))
        notes += fact.dead_path
        return op_error(op, text, notes)

    def _leak(self, value: SSAValue, fact: Fact, last: Operation) -> DiagnosticError:
        owner = value.owner
        maker = owner if isinstance(owner, Operation) else last
        ended = any(use.operation.name in _DESTROY for use in value.uses)
        how = "is not destroyed on every path" if ended else "is never destroyed"
        notes: list[tuple[Attribute | None, str]] = []
        if fact.ended is not None:
            notes.append((fact.ended.location, _what_ended(fact.ended)))
        notes += fact.live_path
        again = last is owner
        notes.append(
            (_location(last), "it is alive when it is made again" if again else "it is alive here")
        )
        return op_error(maker, f"has {_kind(value)} that {how}", notes)


def _since(state: State, base: State) -> State:
    """What changed in `state`, which lies over others, since `base`."""
    layers: list[State] = []
    at: State | None = state
    while at is not None and at is not base:
        layers.append(at)
        at = at.base
    merged = State(base)
    for layer in reversed(layers):
        merged.own.update(layer.own)
    return merged


def _region_of(value: SSAValue) -> Region | None:
    owner = value.owner
    block = owner if isinstance(owner, Block) else owner.parent
    return block.parent if block is not None else None


def _location(op: Operation) -> Attribute:
    """Where `op` is; an implicit terminator is where its parent is."""
    parent = op.parent_op()
    if isinstance(op.location, UnknownLoc) and parent is not None:
        return parent.location
    return op.location


def _made(value: SSAValue) -> tuple[Attribute | None, str]:
    owner = value.owner
    if isinstance(owner, Operation):
        return owner.location, "made here"
    return getattr(value, "location", None), "it comes in here"


def _what_ended(op: Operation) -> str:
    return "destroyed here" if op.name in _DESTROY else "handed on here"


# --- mgpu verify lifetimes -----------------------------------------------------------------------
# `mgpu-verify-lifetimes`: proves that streams, events and graphs are used while they live.
#
# On every path through a function each handle that the function makes, or is given by a call, is
# destroyed exactly once or returned, and not used after. Handles that are arguments are the
# caller's: they are used, and not destroyed. The state of a handle is what is true of it on some
# path; a walk in the order of the program joins states where paths meet, and goes round loops
# until nothing changes. A message names the handle, and as notes where it was made, where it
# ended, and the branches between. xgpu's own.
#
#     live       it can be used
#     dead       it has been destroyed
#     both       one or the other, by the path: an error wherever it is used or forgotten


class MgpuVerifyLifetimes(Pass):
    name = "mgpu-verify-lifetimes"
    summary = "Prove that streams and events are used while they live, and destroyed once"

    def run(self, op: Operation, ctx: Context) -> None:
        check(op)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Control flow that differs among lanes, as masks: one walk over a region's levels.

A walk follows a level from node to node. Where a branch is uniform and its two sides are apart, it
stays a branch. Where lanes part, both sides are done one after the other, each under the mask of
the lanes that take it, and passed over if there is none; block arguments where they meet again are
selects. Sides that are not apart (shared tails) are done node by node in topological order, each
under the mask of its edges. A loop that lanes leave at different times runs while any lane is in
it; what leaves it is kept, lane by lane, as it was when the lane left.

A side that does little more than read and write memory is there twice where scalars tell whether
all lanes take it (`x < n` in the middle of an array): once for all, without a mask. One with a loop
is there twice where a look at the lanes tells it.

Every edge that is taken leaves a `Record`: for which lanes, with which operands. Records of a node
meet in `_arrive`; those that leave the level (to the loop's header, or out of the loop) are handed
to the caller.

Invariant: operations are emitted where at least one lane of the mask is set. So a load
from a uniform address is a plain load. `_guarded` sees to that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, cast

from xdsl.ir import Block, Operation, SSAValue

from xgpu.core.ir.dominance import Edge, Loop
from xgpu.core.ir.region_flow import successor_operands
from xgpu.host_device.compiler import operations
from xgpu.host_device.compiler.code import THIS_BLOCK, THIS_THREAD, WAITS
from xgpu.host_device.compiler.emission import Builder, Emitted
from xgpu.host_device.compiler.types import I1, integer_constant, plain, vector_of
from xgpu.host_device.compiler.vectors.reconvergence import (
    Mask,
    Passed,
    Reconvergence,
    Record,
    rebuilt,
)
from xgpu.host_device.compiler.vectors.shapes import VARYING, WARP, Shape
from xgpu.host_device.compiler.vectors.uniformity import END, Level, Uniformity
from xgpu.host_device.compiler.vectors.warp_calls import (
    BARRIER,
    ONCE,
    SCRATCH,
    WARPGROUP,
    YIELDS,
    is_device_call,
)

if TYPE_CHECKING:
    from xdsl.ir import Attribute


# -- Whether some lanes of a warp may wait while the others have not gone on.
#
#     if (elected) { wait(full); arrive(empty) }       // the others have nothing to do here,
#     bar.warp.sync                                    // and wait for them there
#
# On a GPU the lanes that do not wait go on. In a warp that is a vector they do so only later, which
# makes no difference where nothing that they do before they meet again is visible to other threads:
# `others_are_quiet` follows their ways from where the lanes parted to an operation for which the
# whole warp must come, or to the end.


#: Calls without an effect on other threads.
_SILENT = frozenset((THIS_THREAD, THIS_BLOCK, "xgpu_mbarrier_test", "xgpu_mbarrier_pending"))
#: What waits for all lanes of the warp: collectives, and barriers of whole warps.
_TOGETHER = ("xgpu_warp", "xgpu_tensor_", "xgpu_cluster_wait", BARRIER, WARPGROUP)
_QUIET = (
    operations.ELEMENTWISE | operations.CONSTANTS | operations.HINTS | operations.FENCES
    | operations.TERMINATORS
    | {"llvm.getelementptr", "llvm.addrspacecast", "llvm.load", "llvm.alloca", "llvm.extractvalue"}
)  # fmt: skip

_GOES_ON, _MEETS, _SEEN = range(3)


def others_are_quiet(u: Uniformity, op: Operation, block: int) -> bool:
    """Whether a wait in `block`, for what is the same for all lanes that come, may hold up the
    lanes that do not come."""
    if operations.callee(op) not in ONCE:
        return False
    if not all(u.at(value, block).is_uniform for value in op.operands[1:]):
        return False
    for level in u.levels:
        for node in level.order:
            ways = _other_ways(u, level, node, block)
            if ways is None or not all(_is_quiet(u, edge) for edge in ways):
                return False
    return True


def _other_ways(u: Uniformity, level: Level, node: int, block: int) -> list[Edge] | None:
    """Where lanes go that part at a node from those that come to `block`; None if that is not to
    be distinguished."""
    out = level.out[node]
    inner = level.inner.get(node)
    if inner is not None:
        leaves = u.loop_level[inner.header] == VARYING and block in inner.blocks
        return out if leaves else []
    if len(out) < 2 or u.branch_level[node] != VARYING:
        return []
    own: list[Edge] = []
    others: list[Edge] = []
    for edge in out:
        way = level.blocks_of(level.between([level.to(edge)], level.after[node]))
        (own if block in way else others).append(edge)
    if not own:
        return []
    return others or None


def _is_quiet(u: Uniformity, edge: Edge) -> bool:
    """Whether lanes that leave a block by that edge do nothing that is seen before they meet the
    rest of their warp. A branch that decides by the same value sends them the same way again."""
    graph = u.graph
    decides = _condition(u, edge[0])
    home = None if decides is None else u.home(decides)
    seen: set[tuple[int, bool]] = set()
    stack = [(graph.target(edge), True)]
    while stack:
        block, is_same = stack.pop()
        is_same = is_same and block != home
        if (block, is_same) in seen:
            continue
        seen.add((block, is_same))
        state = _followed(graph.blocks[block].ops)
        if state == _SEEN:
            return False
        if state == _MEETS:
            continue
        targets = graph.successors[block]
        if is_same and decides is not None and _condition(u, block) is decides:
            targets = [targets[edge[1]]]
        stack += [(target, is_same) for target in targets]
    return True


def _condition(u: Uniformity, block: int) -> SSAValue | None:
    last = u.graph.blocks[block].last_op
    return last.operands[0] if last is not None and last.name == "llvm.cond_br" else None


def _followed(ops: Iterable[Operation]) -> int:
    for op in ops:
        state = _effect(op)
        if state != _GOES_ON:
            return state
    return _GOES_ON


def _effect(op: Operation) -> int:
    """What one operation of lanes that go on means to the others of their warp."""
    name = op.name
    if name in operations.WARP:
        return _MEETS if _whole_warp(op) else _SEEN
    if name in _QUIET or operations.register(op) is not None:
        return _GOES_ON
    if name == "llvm.store":
        return _GOES_ON if _is_private(op.operands[1]) else _SEEN
    if operations.is_mark(op):
        return _GOES_ON
    if not is_device_call(op):
        return _SEEN
    callee = operations.callee(op) or ""
    if callee in _SILENT or callee in YIELDS or callee in ONCE:
        return _GOES_ON
    if WAITS not in op.attributes or not callee.startswith(_TOGETHER):
        return _SEEN
    # xgpu_warp(thread, what, mask, ...)
    return _SEEN if callee == "xgpu_warp" and not _is_full(op.operands[2]) else _MEETS


def _whole_warp(op: Operation) -> bool:
    """Whether a warp operation is for all lanes."""
    if not op.operands and op.name == "nvvm.elect.sync":
        return True
    at = 0 if op.name != "nvvm.redux.sync" else 1
    return at < len(op.operands) and _is_full(op.operands[at])


def _is_full(mask: SSAValue) -> bool:
    return integer_constant(mask) in (-1, 0xFFFFFFFF)


def _is_private(place: SSAValue) -> bool:
    """Whether an address is of memory that holds what an operation needs for itself."""
    owner = place.owner
    while isinstance(owner, Operation) and owner.name == "llvm.getelementptr":
        owner = owner.operands[0].owner
    return isinstance(owner, Operation) and (
        owner.name == "llvm.alloca" and SCRATCH in owner.attributes
    )


#: So many operations without effects are done rather than passed over.
_CHEAP = 6
#: A side of so many operations may be there twice.
_MOST_TWICE = 128
_HARMLESS = operations.TERMINATORS | operations.HINTS | {"llvm.addrspacecast"}


class Walk(Reconvergence):
    """Emits the blocks of a region; operations by `emit`, values by `get` and `bind`."""

    def __init__(
        self,
        uniformity: Uniformity,
        builder: Builder,
        get: Callable[[SSAValue], Emitted],
        bind: Callable[[SSAValue, Emitted], None],
        emit: Callable[[Operation, int, Mask], None],
    ) -> None:
        super().__init__(uniformity, builder, get, bind)
        self.emit = emit
        self._leaving: tuple[Edge, Block] | None = None
        self._left: Record | None = None
        self._live_out: dict[int, list[SSAValue]] = {}
        self._wanted: list[SSAValue] = []

    # -- levels

    def region(self, level: Level, stop: int, mask: Mask) -> None:
        """Emits a region from its entry up to, and with, the block `stop`, where all lanes end."""
        if level.entry != stop:
            self._chain(level, level.entry, stop, mask)
            self._arrive(stop, mask)
        self._operations(stop, mask)

    def _chain(self, level: Level, node: int, stop: int, mask: Mask) -> None:
        """Emits nodes from `node` until `stop`, which is not emitted; END stops at the level's."""
        while node != stop:
            if level.inner.get(node) is not None:
                following = self._loop_node(level, node, mask)
            else:
                self._operations(node, mask)
                following = self._branch(level, node, mask)
            if following in (END, stop):
                return
            self._arrive(following, mask)
            node = following

    def _operations(self, block: int, mask: Mask) -> None:
        for op in self.graph.blocks[block].ops:
            if op.name not in operations.TERMINATORS:
                self.emit(op, block, mask)

    def _deliver(self, level: Level, edge: Edge, mask: Mask) -> int:
        """Records that the lanes of `mask` take an edge; the node that it leads to."""
        live = self._live(edge) if level.to(edge) == END else {}
        record = Record(edge, mask, self._operands(edge), live)
        return self._hand_over(level, record)

    def _hand_over(self, level: Level, record: Record) -> int:
        target = level.to(record.edge)
        if target == END:
            self._ends.append(record)
        else:
            self._incoming.setdefault(target, []).append(record)
        return target

    def _operands(self, edge: Edge) -> list[Emitted]:
        last = cast("Operation", self.graph.blocks[edge[0]].last_op)
        return [self.get(v) for v in successor_operands(last, edge[1]) or ()]

    def _live(self, edge: Edge) -> dict[SSAValue, Emitted]:
        """What the loop around must keep of the values that it leaves behind."""
        if not self._wanted:
            return {}
        found: dict[SSAValue, Emitted] = {}
        for value in self._wanted:
            home = self.u.home(value)
            if home is not None and self.graph.dominates(home, edge[0]):
                found[value] = self.get(value)
        return found

    # -- branches

    def _branch(self, level: Level, node: int, mask: Mask) -> int:
        """Emits what a block's branch leads to, up to where its ways meet; that node."""
        out = level.out[node]
        if len(out) == 1:
            return self._deliver(level, out[0], mask)
        if not out:
            return END
        leaving = self._leaving
        if leaving is not None and leaving[0] in out:
            return self._leave(level, node, mask)
        condition = self.graph.blocks[node].last_op.operands[0]  # type: ignore[union-attr]
        stop = level.after[node]
        sides = [level.between([level.to(e)], stop) for e in out]
        if not self._are_apart(level, node, sides):
            self._by_edges(level, node, condition, mask)
        elif self.u.at(condition, node).is_uniform:
            self._uniform_sides(level, out, condition, stop, mask)
        else:
            self._divergent_sides(level, out, condition, sides, stop, mask)
        return stop

    def _leave(self, level: Level, node: int, mask: Mask) -> int:
        """The branch by which all lanes leave a uniform loop."""
        assert self._leaving is not None
        (edge, after), self._leaving = self._leaving, None
        self._left = Record(edge, mask, self._operands(edge), {})
        condition = self._scalar(self.graph.blocks[node].last_op.operands[0])  # type: ignore[union-attr]
        stay = self.b.new_block()
        then, otherwise = (after, stay) if edge[1] == 0 else (stay, after)
        self.b.cond_branch(condition, then, otherwise)
        self.b.enter(stay)
        return self._deliver(level, (node, 1 - edge[1]), mask)

    def _are_apart(self, level: Level, node: int, sides: list[list[int]]) -> bool:
        """Whether the sides share no node, and are entered from `node` alone."""
        first, second = set(sides[0]), set(sides[1])
        if first & second:
            return False
        for side in (first, second):
            for inner in side:
                for b, _ in self.graph.edges_in[inner]:
                    source = level.node_of(b)
                    if source not in side and source != node and source != inner:
                        return False
        return True

    def _side(self, level: Level, edge: Edge, stop: int, mask: Mask) -> None:
        target = self._deliver(level, edge, mask)
        if target not in (stop, END):
            self._arrive(target, mask)
            self._chain(level, target, stop, mask)

    def _uniform_sides(
        self, level: Level, out: list[Edge], condition: SSAValue, stop: int, mask: Mask
    ) -> None:
        blocks = [self.b.new_block(), self.b.new_block()]
        join = self.b.new_block()
        self.b.cond_branch(self._scalar(condition), blocks[0], blocks[1])
        outcomes: list[tuple[Block, list[Record]]] = []
        for block, edge in zip(blocks, out, strict=True):
            self.b.enter(block)
            records = self._collect(stop, lambda edge=edge: self._side(level, edge, stop, mask))
            if stop != END:
                records = [self._combined(records, stop, mask)]
            outcomes.append((self.b.current, records))
        self._join_sides(outcomes, join, stop, mask)

    def _divergent_sides(
        self,
        level: Level,
        out: list[Edge],
        condition: SSAValue,
        sides: list[list[int]],
        stop: int,
        mask: Mask,
    ) -> None:
        lanes = self.b.as_lanes(self.get(condition))
        taken = (self.b.both(mask, lanes), self.b.both(mask, self.b.negated(lanes)))
        for edge, side, own in zip(out, sides, taken, strict=True):
            if not side:
                self._deliver(level, edge, own)
                continue
            self._guarded(
                level,
                side,
                own,
                stop,
                lambda mask, edge=edge: self._side(level, edge, stop, mask),
                mask is None,
            )

    def _guarded(
        self,
        level: Level,
        nodes: list[int],
        mask: SSAValue,
        stop: int,
        act: Callable[[Mask], None],
        may_be_all: bool,
    ) -> None:
        """Does `act`, which emits `nodes` under the mask it is given, where a lane of `mask` is
        set, which may be all."""
        if not self._needs_guard(level, nodes):
            with self.b.speculation():
                records = self._collect(stop, lambda: act(mask))
            if stop != END and records:
                records = [self._combined(records, stop, mask)]
            self._put_back(stop, records)
            return
        if may_be_all and stop != END and self._pays_twice(level, nodes):
            self._twice(mask, stop, act, has_loop=any(node in level.inner for node in nodes))
        else:
            self._passed_over(mask, stop, lambda: act(mask))

    def _twice(
        self, mask: SSAValue, stop: int, act: Callable[[Mask], None], has_loop: bool
    ) -> None:
        """Does `act` for all lanes, or else for those of `mask`, if scalars tell which, or a look
        at the lanes for what `has_loop`."""
        test = self.b.tests.get(mask, (None, None))[1]
        if test is None and not has_loop:
            self._passed_over(mask, stop, lambda: act(mask))
            return
        whole, partly, join = (self.b.new_block() for _ in range(3))
        is_part = test() if test is not None else self.b.icmp("ne", self.b.mask_bits(mask), -1)
        self.b.cond_branch(is_part, partly, whole)
        outcomes: list[tuple[Block, list[Record]]] = []
        self.b.enter(whole)
        records = self._collect(stop, lambda: act(None))
        outcomes.append((self.b.current, [self._combined(records, stop, None)]))
        self.b.enter(partly)
        records = self._collect(stop, lambda: self._passed_over(mask, stop, lambda: act(mask)))
        outcomes.append((self.b.current, [self._combined(records, stop, mask)]))
        self._join_sides(outcomes, join, stop, mask)

    def _pays_twice(self, level: Level, nodes: list[int]) -> bool:
        """Whether a side is short, and uses memory: masked accesses cost more than others, and so
        do their checks."""
        size = 0
        uses_memory = False
        for number in level.blocks_of(nodes):
            for op in self.graph.blocks[number].ops:
                if op.name in ("llvm.load", "llvm.store"):
                    if operations.is_ordered(op):
                        return False
                    uses_memory = True
                elif operations.is_inserted(op):
                    continue
                elif not (operations.is_pure(op) or op.name in _HARMLESS):
                    return False
                size += 1
        return uses_memory and size <= _MOST_TWICE

    def _passed_over(self, mask: SSAValue, stop: int, act: Callable[[], None]) -> None:
        """Does `act` where a lane of `mask` is set."""
        inside, join = self.b.new_block(), self.b.new_block()
        some = self.b.any(mask)
        origin = self.b.current
        self.b.enter(inside)
        records = self._collect(stop, act)
        if stop != END:
            records = [self._combined(records, stop, mask)]
        self._skip_join(origin, some, inside, join, records, stop, mask)

    def _needs_guard(self, level: Level, nodes: list[int]) -> bool:
        count = 0
        for node in nodes:
            if node in level.inner:
                return True
            for op in self.graph.blocks[node].ops:
                if op.name in operations.TERMINATORS:
                    if len(op.successors) > 1:
                        return True
                    continue
                if not operations.is_pure(op) or op.name in operations.DIVISIONS:
                    return True
                count += 1
        return count > _CHEAP

    def _escaping(self, blocks: set[int]) -> list[SSAValue]:
        """Values of these blocks that others use."""
        found: list[SSAValue] = []
        for b in sorted(blocks):
            block = self.graph.blocks[b]
            for value in (*block.args, *(r for op in block.ops for r in op.results)):
                if any(self._home_of(u.operation) not in blocks for u in value.uses):
                    found.append(value)
        return found

    def _home_of(self, op: Operation) -> int | None:
        return None if op.parent is None else self.graph.number.get(op.parent)

    # -- sides that share nodes

    def _by_edges(self, level: Level, node: int, condition: SSAValue, mask: Mask) -> None:
        """Emits all between `node` and where its ways meet, one node after the other."""
        raise NotImplementedError

    # -- loops

    def _loop_node(self, level: Level, node: int, mask: Mask) -> int:
        """Emits a loop, and what its ways out lead to; where they meet."""
        raise NotImplementedError

    def _loop(self, level: Level, node: int, mask: Mask) -> None:
        """Emits a loop and hands the records of its exits to the level."""
        raise NotImplementedError


# -- Branches whose sides share nodes: node after node in topological order, each under the mask of
# the lanes whose edges led there, and passed over where that is empty.


class SharedSides(Walk):
    """Emits what lies between such a branch and where all its ways meet."""

    def _by_edges(self, level: Level, node: int, condition: SSAValue, mask: Mask) -> None:
        """Emits all between `node` and where its ways meet, one node after the other."""
        lanes = self.b.as_lanes(self.get(condition))
        taken = (self.b.both(mask, lanes), self.b.both(mask, self.b.negated(lanes)))
        out = level.out[node]
        for edge, own in zip(out, taken, strict=True):
            self._deliver(level, edge, own)
        stop = level.after[node]
        self._nodes(level, level.between([level.to(e) for e in out], stop), stop)

    def _nodes(self, level: Level, nodes: list[int], stop: int) -> None:
        for node in nodes:
            mask = self._arrive_by_masks(node)
            self._single(level, node, mask)

    def _single(self, level: Level, node: int, mask: SSAValue) -> None:
        """One node under its own mask, passed over if that is empty."""
        blocks = level.blocks_of([node])
        inside, join = self.b.new_block(), self.b.new_block()
        some = self.b.any(mask)
        origin = self.b.current
        self.b.enter(inside)
        before_ends, self._ends = self._ends, []
        before, self._incoming = self._incoming, {}
        if node in level.inner:
            self._loop(level, node, mask)
        else:
            self._operations(node, mask)
            self._edges_of(level, node, mask)
        found = [(level.to(r.edge), r) for rs in self._incoming.values() for r in rs]
        found += [(END, r) for r in self._ends]
        self._incoming, self._ends = before, before_ends
        escaping = self._escaping(blocks)
        kept = [(v, self.get(v)) for v in escaping]
        passed = Passed(self.b)
        for _, record in found:
            passed.add(record, with_mask=True)
        for _, emitted in kept:
            passed.add_value(emitted)
        passed.join(self.b.current, origin, some, inside, join)
        for target, record in found:
            passed.take(record, with_mask=True)
            if target == END:
                self._ends.append(record)
            else:
                self._incoming.setdefault(target, []).append(record)
        for value, emitted in kept:
            self.bind(value, passed.take_value(emitted))

    def _edges_of(self, level: Level, node: int, mask: SSAValue) -> None:
        out = level.out[node]
        if len(out) < 2:
            for edge in out:
                self._deliver(level, edge, mask)
            return
        condition = self.graph.blocks[node].last_op.operands[0]  # type: ignore[union-attr]
        lanes = self.b.as_lanes(self.get(condition))
        self._deliver(level, out[0], self.b.both(mask, lanes))
        self._deliver(level, out[1], self.b.both(mask, self.b.negated(lanes)))

    def _arrive_by_masks(self, node: int) -> SSAValue:
        records = self._incoming.pop(node)
        mask: Mask = records[0].mask
        for record in records[1:]:
            mask = self.b.either(mask, record.mask)
        whole = mask if mask is not None else self.b.all_lanes()
        record = self._combined(records, node, whole)
        for argument, value in zip(self.graph.blocks[node].args, record.values, strict=True):
            self.bind(argument, value)
        return whole


# -- Loops: one that all lanes leave at once, and one that runs while any lane is in it.


class RegionWalk(SharedSides):
    """Emits the blocks of a region, loops included."""

    def _loop_node(self, level: Level, node: int, mask: Mask) -> int:
        """Emits a loop, and what its ways out lead to; where they meet."""
        loop = level.inner[node]
        out = level.out[node]
        self._loop(level, node, mask)
        if len(out) == 1:
            return level.to(out[0])
        stop = level.after[node]
        self._nodes(level, level.between([level.to(e) for e in loop.exits], stop), stop)
        return stop

    def _loop(self, level: Level, node: int, mask: Mask) -> None:
        """Emits a loop and hands the records of its exits to the level."""
        loop = level.inner[node]
        body = self.u.level_of(loop)
        saved = (self._incoming, self._ends, self._leaving, self._left, self._wanted)
        self._incoming, self._ends, self._leaving, self._left = {}, [], None, None
        if self._is_uniform(loop):
            self._wanted = []
            records = self._uniform_loop(loop, body, mask)
        else:
            self._wanted = self._leaving_values(loop)
            records = self._divergent_loop(loop, body, mask)
        self._incoming, self._ends, self._leaving, self._left, self._wanted = saved
        for record in records:
            # What an outer loop wants to keep is known only now.
            record.live = self._live(record.edge) if level.to(record.edge) == END else {}
            self._hand_over(level, record)

    def _is_uniform(self, loop: Loop) -> bool:
        """Whether all lanes leave by one branch, in the same iteration."""
        if len(loop.exits) != 1 or self.u.loop_level[loop.header] > WARP:
            return False
        block = loop.exits[0][0]
        if not self.u.at(self.graph.blocks[block].last_op.operands[0], block).is_uniform:  # type: ignore[union-attr]
            return False
        return self.graph.loop_of[block] is loop and all(
            self.graph.dominates(block, latch) for latch in loop.latches
        )

    def _uniform_loop(self, loop: Loop, body: Level, mask: Mask) -> list[Record]:
        header = self.graph.blocks[loop.header]
        shapes = self._argument_shapes(loop.header)
        initial = [self.raw(self.get(a), s) for a, s in zip(header.args, shapes, strict=True)]
        head, after = self.b.new_block([v.type for v in initial]), self.b.new_block()
        self.b.branch(head, initial)
        self.b.enter(head)
        for argument, new, shape in zip(header.args, head.args, shapes, strict=True):
            self.bind(argument, rebuilt(new, shape))
        self._leaving = (loop.exits[0], after)
        self._chain(body, loop.header, END, mask)
        left = self._left
        assert left is not None
        back = self._combined(self._ends, loop.header, mask)
        self.b.branch(head, [self.raw(v, s) for v, s in zip(back.values, shapes, strict=True)])
        self.b.enter(after)
        return [left]

    def _leaving_values(self, loop: Loop) -> list[SSAValue]:
        found = self._live_out.get(loop.header)
        if found is None:
            found = self._live_out[loop.header] = self._escaping(loop.blocks)
        return found

    def _divergent_loop(self, loop: Loop, body: Level, mask: Mask) -> list[Record]:
        """Runs while any lane is in the loop. Carries, besides the header's arguments, which lanes
        are in it, and for each way out which lanes took it and what they brought along."""
        header = self.graph.blocks[loop.header]
        shapes = self._argument_shapes(loop.header)
        initial = [self.raw(self.get(a), s) for a, s in zip(header.args, shapes, strict=True)]
        lanes = mask if mask is not None else self.b.all_lanes()
        kept = _Kept(self, loop)
        start = [lanes, *initial, *kept.initial()]
        head, after = self.b.new_block([v.type for v in start]), self.b.new_block()
        self.b.branch(head, start)
        self.b.enter(head)
        inside = head.args[0]
        for i, (argument, shape) in enumerate(zip(header.args, shapes, strict=True)):
            self.bind(argument, rebuilt(head.args[1 + i], shape))
        kept.begin(list(head.args[1 + len(shapes) :]))
        self._chain(body, loop.header, END, inside)
        back = [r for r in self._ends if self.graph.target(r.edge) == loop.header]
        kept.update([r for r in self._ends if self.graph.target(r.edge) != loop.header])
        stay = back[0].mask
        for record in back[1:]:
            stay = self.b.either(stay, record.mask)
        again = stay if stay is not None else self.b.all_lanes()
        values = self._combined(back, loop.header, again).values
        following = [again, *(self.raw(v, s) for v, s in zip(values, shapes, strict=True))]
        following += kept.values
        done = self.b.negated(self.b.any(again))
        self.b.cond_branch(done, after, head, (), following)
        self.b.enter(after)
        return kept.records(mask)


class _Kept:
    """What lanes that have left a loop took with them."""

    def __init__(self, walk: RegionWalk, loop: Loop) -> None:
        self.walk = walk
        self.loop = loop
        u, b = walk.u, walk.b
        self.places: list[tuple[Edge | None, SSAValue | None, Shape, Attribute]] = []
        self.masks = len(loop.exits) > 1
        for edge in loop.exits:
            target = walk.graph.target(edge)
            if self.masks:
                self.places.append((edge, None, Shape(VARYING), vector_of(I1, b.width)))
            last = cast("Operation", walk.graph.blocks[edge[0]].last_op)
            for value in successor_operands(last, edge[1]) or ():
                shape = u.at(value, target)
                self.places.append((edge, value, shape, _type(value, shape, b)))
        outside = walk.graph.target(loop.exits[0]) if loop.exits else 0
        for value in walk._wanted:
            shape = u.at(value, outside)
            self.places.append((None, value, shape, _type(value, shape, b)))
        self.values: list[SSAValue] = []

    def initial(self) -> list[SSAValue]:
        b = self.walk.b
        return [
            b.all_lanes(False) if value is None else b.poison(ty) for _, value, _, ty in self.places
        ]

    def begin(self, arguments: list[SSAValue]) -> None:
        self.values = arguments

    def update(self, records: list[Record]) -> None:
        """Takes what lanes bring that leave in this iteration."""
        walk, b = self.walk, self.walk.b
        taken: dict[Edge, int] = {}
        for at, (edge, value, shape, _) in enumerate(self.places):
            old = self.values[at]
            for record in records:
                if edge is not None and record.edge != edge:
                    continue
                mask = record.mask if record.mask is not None else b.all_lanes()
                if value is None:
                    old = b.union(old, mask)
                    continue
                if edge is None:
                    emitted = record.live.get(value)
                else:
                    # The n-th value of this edge.
                    emitted = record.values[taken.get(edge, 0)]
                if emitted is None:
                    continue
                new = walk.raw(emitted, shape)
                condition = mask if shape.level == VARYING else b.any(mask)
                old = b.select(condition, new, old)
            if edge is not None and value is not None:
                taken[edge] = taken.get(edge, 0) + 1
            self.values[at] = old

    def records(self, mask: Mask) -> list[Record]:
        """The records of the loop's exits, after its end."""
        walk = self.walk
        found = {edge: Record(edge, mask, [], {}) for edge in self.loop.exits}
        for value, (edge, name, shape, _) in zip(self.values, self.places, strict=True):
            if edge is None:
                assert name is not None
                walk.bind(name, rebuilt(value, shape))
            elif name is None:
                found[edge].mask = value
            else:
                found[edge].values.append(rebuilt(value, shape))
        return list(found.values())


def _type(value: SSAValue, shape: Shape, b: Builder) -> Attribute:
    return vector_of(value.type, b.width) if shape.level == VARYING else plain(value.type)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How each value of a kernel differs among threads: data flow, and what control flow adds.

Values start as unknown and are only ever raised. Three things raise a value beyond its operands:

* *Sync dependence*: where ways meet again that threads chose differently, a block argument differs
  even if each of its operands is uniform, unless they are one value. For each branch that differs
  (among warps, or among lanes), labels flow from its ways through the level that it is in; a node
  that two labels reach is such a join.
* *Temporal divergence*: threads leave a loop in different iterations, so what is uniform inside
  differs outside. `at` gives the shape of a value where it is used.
* Memory: a load from one address gives one value; kernels without races cannot tell loads between
  two barriers apart. What is volatile or atomic is uniform in a warp at best, which reads once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Block, Operation, SSAValue

from xgpu.backend.llvm_ir.facts import integers, prop, text_of
from xgpu.core.ir.dominance import ControlFlowGraph, Edge, Loop, immediate_post_dominators, reached
from xgpu.core.ir.region_flow import incoming, successor_operands
from xgpu.host_device.compiler import claims, operations
from xgpu.host_device.compiler.types import gep_strides, size_of
from xgpu.host_device.compiler.vectors import shapes, transfer
from xgpu.host_device.compiler.vectors.shapes import AFFINE, BLOCK, VARYING, WARP, Layout, Shape
from xgpu.host_device.compiler.vectors.warp_calls import is_device_call, shape_of

if TYPE_CHECKING:
    from xdsl.ir import BlockArgument

    from xgpu.dialects import llvm


# -- Levels of a function's control flow: parts of it without cycles.
#
# A *level* is a set of blocks that one enters at one place (a function, a region between barriers,
# a loop's body), in which each loop further in counts as one node, so that a level has no cycles;
# ways out of it lead to `END`. All later steps (which joins are divergent, how masks flow) work on
# levels.


END = -1


class Level:
    """Blocks entered at `entry`, with the loops among them as single nodes.

    `loop` is the loop whose body this is, or None. `order` has the nodes, each named by its first
    block, in topological order; `out[node]` the edges that leave it, and `to(edge)` the node an
    edge leads to, or END; `after[node]` is where all ways from a node meet again, END included.
    """

    def __init__(
        self, graph: ControlFlowGraph, blocks: set[int], entry: int, loop: Loop | None
    ) -> None:
        self.graph = graph
        self.loop = loop
        self.entry = entry
        self.blocks = blocks
        self.inner: dict[int, Loop] = {}
        self._node_of: dict[int, int] = {}
        for b in sorted(blocks):
            inner = _outermost(graph, b, loop, blocks)
            node = b if inner is None else inner.header
            self._node_of[b] = node
            if inner is not None:
                self.inner[node] = inner
        self.order = sorted(set(self._node_of.values()))
        self.out: dict[int, list[Edge]] = {}
        for node in self.order:
            inner = self.inner.get(node)
            if inner is not None:
                self.out[node] = list(inner.exits)
            else:
                self.out[node] = [(node, k) for k in range(len(graph.successors[node]))]
        self.after = self._postdominators()

    def to(self, edge: Edge) -> int:
        target = self.graph.target(edge)
        if target == self.entry:
            return END
        return self._node_of.get(target, END)

    def node_of(self, block: int) -> int:
        """The node that `block` belongs to; END if it is not in the level."""
        return self._node_of.get(block, END)

    def between(self, start: Iterable[int], stop: int) -> list[int]:
        """The nodes that are reached from nodes `start` before `stop`, in topological order."""
        return sorted(reached(start, lambda node: map(self.to, self.out[node]), (stop, END)))

    def blocks_of(self, nodes: Iterable[int]) -> set[int]:
        """All blocks of the nodes."""
        found: set[int] = set()
        for node in nodes:
            inner = self.inner.get(node)
            found |= inner.blocks if inner is not None else {node}
        return found

    def _postdominators(self) -> dict[int, int]:
        place = {node: i for i, node in enumerate(self.order)}
        place[END] = len(place)
        successors = [[place[self.to(e)] for e in self.out[node]] for node in self.order]
        names = [*self.order, END]
        above = immediate_post_dominators(successors)
        return {node: names[at] for node, at in zip(self.order, above, strict=True)}


def _outermost(
    graph: ControlFlowGraph, block: int, around: Loop | None, blocks: set[int]
) -> Loop | None:
    """The outermost loop that contains `block` and lies wholly within `blocks` and in `around`."""
    found: Loop | None = None
    for loop in graph.loops_around(block):
        if loop is around or not loop.blocks <= blocks:
            break
        found = loop
    return found


_MAX_ROUNDS = 64
_EXACT_ROUNDS = 3  # after so many, bounds that still move are given up


class Uniformity:
    """The shapes of the values of a prepared `llvm.func`."""

    def __init__(self, function: Operation, layout: Layout) -> None:
        self.function = function
        self.layout = layout
        self.graph = ControlFlowGraph(function.regions[0])
        self.shapes: dict[SSAValue, Shape] = {}
        #: Of an operation with a struct for its result: the shape of each member.
        self.members: dict[SSAValue, tuple[Shape, ...]] = {}
        graph = self.graph
        self.branch_level = [BLOCK] * len(graph.blocks)
        self.join_level = [BLOCK] * len(graph.blocks)
        self.loop_level: dict[int, int] = {loop.header: BLOCK for loop in graph.loops}
        self.levels = [Level(graph, set(range(len(graph.blocks))), 0, None)]
        self._bodies = {
            loop.header: Level(graph, loop.blocks, loop.header, loop) for loop in graph.loops
        }
        self.levels += self._bodies.values()
        self._home: dict[SSAValue, int] = {}
        self._run()

    # -- answers

    def at(self, value: SSAValue, block: int) -> Shape:
        """The shape of `value` where block number `block` uses it."""
        shape = self.shapes.get(value, shapes.UNIFORM)
        home = self._home.get(value)
        if home is None or home == block:
            return shape
        for loop in self.graph.loops_around(home):
            if block in loop.blocks:
                break
            shape = shapes.at_least(shape, self.loop_level[loop.header])
        return shape

    def of(self, value: SSAValue) -> Shape:
        """The shape of `value` where it is defined."""
        return self.shapes.get(value, shapes.UNIFORM)

    def home(self, value: SSAValue) -> int | None:
        """The number of the block that defines `value`."""
        return self._home.get(value)

    def level_of(self, loop: Loop) -> Level:
        """The body of a loop."""
        return self._bodies[loop.header]

    def why_varying(self, value: SSAValue) -> Operation | None:
        """The operation from which a value's difference among threads comes."""
        seen: set[SSAValue] = set()
        stack = [value]
        while stack:
            current = stack.pop()
            if current in seen:
                continue
            seen.add(current)
            owner = current.owner
            if isinstance(owner, Block):
                if owner in self.graph.number:
                    stack += incoming(self.graph, cast("BlockArgument", current))
                continue
            wider = [o for o in owner.operands if self.of(o).level > BLOCK]
            if not wider and self.of(current).level > BLOCK:
                return owner
            stack += wider
        return None

    # -- data flow

    def _run(self) -> None:
        for number, block in enumerate(self.graph.blocks):
            for argument in block.args:
                self._home[argument] = number
            for op in block.ops:
                for result in op.results:
                    self._home[result] = number
        for argument in self.graph.blocks[0].args:
            self.shapes[argument] = shapes.UNIFORM
        for round in range(_MAX_ROUNDS):
            self._rounds = round
            changed = self._flow()
            changed |= self._control()
            if not changed:
                return
        raise AssertionError("the analysis of shapes does not come to an end")

    def _flow(self) -> bool:
        changed = False
        for number, block in enumerate(self.graph.blocks):
            if number:
                changed |= self._arguments(number, block)
            for op in block.ops:
                changed |= self._visit(op, number)
            last = block.last_op
            if last is not None and last.name == "llvm.cond_br":
                level = min(self.at(last.operands[0], number).level, VARYING)
                level = VARYING if level == AFFINE else level
                if level > self.branch_level[number]:
                    self.branch_level[number] = level
                    changed = True
        return changed

    def _arguments(self, number: int, block: Block) -> bool:
        changed = False
        for index, argument in enumerate(block.args):
            joined: Shape | None = None
            values: set[SSAValue | None] = set()
            for b, k in self.graph.edges_in[number]:
                given = successor_operands(self.graph.blocks[b].last_op, k)  # type: ignore[arg-type]
                values.add(None if given is None else given[index])
                if given is None or given[index] not in self.shapes:
                    continue
                shape = self.at(given[index], number)
                joined = shape if joined is None else shapes.join(joined, shape)
            if joined is not None:
                if len(values) > 1:  # one value that comes on all ways does not tell them apart
                    joined = shapes.at_least(joined, self.join_level[number])
                changed |= self._learn(argument, joined)
        return changed

    def _learn(self, value: SSAValue, shape: Shape) -> bool:
        old = self.shapes.get(value)
        if old is None:
            self.shapes[value] = shape
            return True
        new = shapes.widen(old, shape) if self._rounds > _EXACT_ROUNDS else shapes.join(old, shape)
        if new == old:
            return False
        self.shapes[value] = new
        return True

    def _visit(self, op: Operation, number: int) -> bool:
        if not op.results:
            return False
        given: list[Shape] = []
        for operand in op.operands:
            if operand not in self.shapes and operand not in self.members:
                return False  # not reached yet
            given.append(self.at(operand, number))
        if len(op.results) != 1:
            return max([self._learn(r, shapes.VARIES) for r in op.results])
        result = op.results[0]
        found = self._shape(op, given, number)
        if isinstance(found, tuple):
            changed = self.members.get(result) != found
            self.members[result] = found
            return self._learn(result, shapes.VARIES) or changed
        return self._learn(result, found)

    # -- rules

    def _shape(self, op: Operation, given: list[Shape], number: int) -> Shape | tuple[Shape, ...]:
        name = op.name
        if name == "llvm.mlir.constant":
            return _constant(op)
        if name in operations.CONSTANTS:
            return shapes.UNIFORM
        register = operations.register(op)
        if register is not None:
            return self._register(register)
        if name in ("llvm.addrspacecast", "llvm.ptrtoint", "llvm.inttoptr", "llvm.bitcast"):
            return _converted(op, given[0])
        if name == "llvm.getelementptr":
            return self._address(op, given)
        if name == "llvm.load":
            return self._loaded(cast("llvm.LoadOp", op), given[0])
        if name == "llvm.alloca":
            return self._private(op)
        if name == "llvm.extractvalue":
            return self._member(op)
        if name in operations.WARP:
            return _of_warp(op, given)
        if name in operations.ELEMENTWISE:
            found = transfer.of_integers(op, given, self.layout.width)
            return found if found is not None else transfer.general(given)
        if name == "llvm.call_intrinsic" and operations.is_computed(op):
            return transfer.general(given)
        if name == "llvm.call" and is_device_call(op):
            return shape_of(op, given, self.layout.width)
        if name == "llvm.call" and operations.callee(op) not in operations.SERVICES:
            return transfer.general(given)
        if name in ("llvm.atomicrmw", "llvm.cmpxchg", "llvm.call"):
            return shapes.VARIES
        if name.startswith("nvvm.") and not _touches_memory(op):
            return transfer.general(given)
        return shapes.VARIES

    def _register(self, register: str) -> Shape:
        found = self.layout.register(register)
        if found is not None:
            return found
        if operations.is_clock(register):
            return shapes.WARP_UNIFORM
        if register in ("ctaid.y", "ctaid.z"):
            return shapes.ranged(BLOCK, 0, 65535)
        if register.startswith("envreg"):
            return shapes.UNIFORM
        return shapes.ranged(BLOCK, 0, (1 << 31) - 1)

    def _address(self, op: Operation, given: list[Shape]) -> Shape:
        strides = gep_strides(op)
        if strides is None:
            return transfer.general(given)
        indices: list[tuple[Shape, int]] = []
        for shape, operand, stride in zip(given[1:], op.operands[1:], strides[1], strict=True):
            bits = transfer.bits_of(operand.type) or 64
            if shape.level == AFFINE and bits < 64 and not shape.exact:
                return shapes.VARIES
            indices.append((shape, stride))
        return transfer.of_address(op, given[0], indices, self.layout.width)

    def _loaded(self, op: llvm.LoadOp, address: Shape) -> Shape:
        if not address.is_uniform:
            return shapes.VARIES
        return shapes.WARP_UNIFORM if operations.is_ordered(op) else shapes.uniform(address.level)

    def _private(self, op: Operation) -> Shape:
        """Private memory lies lane after lane."""
        size = private_bytes(op)
        if size is None:
            return shapes.VARIES
        offsets = tuple(lane * size for lane in range(self.layout.width))
        return shapes.affine(offsets, level=WARP)

    def _member(self, op: Operation) -> Shape:
        members = self.members.get(op.operands[0])
        position = integers(op.properties["position"])
        if members is not None and len(position) == 1:
            return members[position[0]]
        return shapes.VARIES if self.of(op.operands[0]).level > WARP else shapes.WARP_UNIFORM

    # -- control flow

    def _control(self) -> bool:
        changed = False
        for level in reversed(self.levels):
            for node in level.order:
                out = level.out[node]
                inner = level.inner.get(node)
                by = self.branch_level[node] if inner is None else self.loop_level[inner.header]
                if len(out) > 1 and by > BLOCK:
                    changed |= self._spread(level, node, out, by)
        return changed

    def _spread(self, level: Level, node: int, out: list[Edge], by: int) -> bool:
        """Raises the joins of the ways out of `node`, and the loop that some of them leave."""
        stop = level.after[node]
        labels: dict[int, int] = {}
        ends: set[tuple[int, int]] = set()
        changed = False
        joins: list[int] = []

        def flow(edge: Edge, label: int) -> None:
            target = level.to(edge)
            if target == END:
                ends.add((label, self.graph.target(edge)))
            elif labels.setdefault(target, label) != label:
                joins.append(target)
                # Its own label from here on; its successors come later in the order.
                labels[target] = len(self.graph.blocks) + target

        for way, edge in enumerate(out):
            flow(edge, way)
        for between in level.between([level.to(e) for e in out], stop):
            for edge in level.out[between]:
                flow(edge, labels[between])
        for join in joins:
            if self.join_level[join] < by:
                self.join_level[join] = by
                changed = True
        loop = level.loop
        if loop is not None and len(ends) > 1 and self.loop_level[loop.header] < by:
            self.loop_level[loop.header] = by
            changed = True
        return changed


def _constant(op: Operation) -> Shape:
    value = prop(op, "value")
    if isinstance(value, IntegerAttr):
        bits = transfer.bits_of(op.results[0].type)
        if bits is not None and bits <= 64:
            return shapes.number(transfer.signed(value.value.data, bits))
    return shapes.UNIFORM


def _converted(op: Operation, shape: Shape) -> Shape:
    """Casts between pointers, and to and from integers of their width."""
    source, target = op.operands[0].type, op.results[0].type
    if source.name == target.name == "llvm.ptr":
        return shape
    wide = all(t.name == "llvm.ptr" or transfer.bits_of(t) == 64 for t in (source, target))
    if wide and shape.level == AFFINE:
        return shapes.affine(shape.offsets or (), None, align=shape.align)
    return transfer.general([shape])


def _of_warp(op: Operation, given: list[Shape]) -> Shape | tuple[Shape, ...]:
    name = op.name
    if name == "nvvm.vote.sync" or name == "nvvm.redux.sync":
        members = given[0 if name == "nvvm.vote.sync" else 1]
        return shapes.WARP_UNIFORM if members.is_uniform else shapes.VARIES
    if name == "nvvm.shfl.sync":
        lane, clamp = given[2], given[3]
        whole = text_of(prop(op, "kind")) == "idx" and lane.is_uniform and clamp.constant == 31
        value = shapes.WARP_UNIFORM if whole or given[1].is_uniform else shapes.VARIES
        is_pair = op.results[0].type.name == "llvm.struct"
        return (value, shapes.VARIES) if is_pair else value
    return shapes.VARIES


def _touches_memory(op: Operation) -> bool:
    return any(o.type.name == "llvm.ptr" for o in op.operands) or not op.results


def private_bytes(op: Operation) -> int | None:
    """The bytes from one thread's copy of what an `llvm.alloca` allocates to the next's, all of
    which are aligned as it says; None if not known."""
    count = op.operands[0].owner
    if isinstance(count, Block) or count.name != "llvm.mlir.constant":
        return None
    value = cast("IntegerAttr", prop(count, "value"))
    size = size_of(prop(op, "elem_type"))
    if size is None:
        return None
    step = max(16, claims.of_allocation(op))
    return -(-size * value.value.data // step) * step


# -- Where lanes of a vector have parted: between a branch that differs and where its ways meet.


def divergent_blocks(uniformity: Uniformity) -> set[int]:
    """Blocks that only some lanes of a vector may run at a time."""
    found: set[int] = set()
    for level in uniformity.levels:
        for node in level.order:
            out = level.out[node]
            inner = level.inner.get(node)
            by = (
                uniformity.branch_level[node]
                if inner is None
                else uniformity.loop_level[inner.header]
            )
            if inner is not None and by == VARYING:
                found |= inner.blocks
            if len(out) > 1 and by == VARYING:
                nodes = level.between([level.to(e) for e in out], level.after[node])
                found |= level.blocks_of(nodes)
    return found


def divergent_sides(uniformity: Uniformity) -> Iterator[tuple[set[int], set[int]]]:
    """For each branch at which lanes part, the blocks that only those come to who take one way, for
    two ways; a loop that they leave at different places has such ways too."""
    for level in uniformity.levels:
        for node in level.order:
            out = level.out[node]
            inner = level.inner.get(node)
            by = (
                uniformity.branch_level[node]
                if inner is None
                else uniformity.loop_level[inner.header]
            )
            if len(out) < 2 or by != VARYING:
                continue
            ways = [level.between([level.to(e)], level.after[node]) for e in out]
            for at, way in enumerate(ways):
                for other in ways[at + 1 :]:
                    yield (
                        level.blocks_of(set(way) - set(other)),
                        level.blocks_of(set(other) - set(way)),
                    )

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is complete when: for each point, the points that are done before it starts; and what
callers must know of a function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue

from xgpu.conversion.async_tokens.points import (
    Argument,
    AsyncRegion,
    Call,
    Exit,
    HostAccess,
    HostWait,
    Loop,
    Point,
    Return,
    Work,
    is_token,
    leave,
    mask_of,
    meet,
)
from xgpu.conversion.async_tokens.tokens import TokenView
from xgpu.core.ir.dominance import ControlFlowGraph
from xgpu.core.ir.region_flow import successor_operands

# --- summaries -----------------------------------------------------------------------------------
# What callers must know of a function: which work it does, after what, and who waits for it.


class Ordered(Protocol):
    """The order in a function, as far as callers must know it: `FunctionOrder` in
    happens_before.py."""

    view: TokenView
    need: dict[Point, int]
    start: dict[Point, int]
    exit: Exit


class Summary:
    """`work` is the function's work and calls, as bits; `waited` what of it the host has waited
    for when the function returns, `work_of` what each result's completion implies of it.

    `arguments_of` has for each result the arguments that it implies; `waits_for` the arguments
    that the host has waited for on return; `starts_after` the arguments that all work follows.
    """

    __slots__ = ("arguments_of", "starts_after", "waited", "waits_for", "work", "work_of")

    def __init__(self, order: Ordered) -> None:
        view = order.view
        arguments = {
            point.value.index: point.bit
            for point in view.points
            if isinstance(point, Argument) and isinstance(point.value, BlockArgument)
        }
        self.work = 0
        first = -1
        for point in view.points:
            if isinstance(point, Work | Call):
                self.work |= order.need.get(point, point.bit)
                first &= order.start.get(point, -1)
        done, values, _ = order.exit
        self.waited = done & self.work
        self.waits_for: list[int] = [i for i, bit in arguments.items() if done & bit]
        self.starts_after: list[int] = [
            i for i, bit in arguments.items() if self.work and first & bit
        ]
        self.work_of: dict[int, int] = {}
        self.arguments_of: dict[int, list[int]] = {}
        function_type = view.function.properties.get("function_type")
        types: Iterable[Attribute] = getattr(function_type, "outputs", ())
        for i, kind in enumerate(types):
            if is_token(kind):
                bits = values[i] if i < len(values) else 0
                self.work_of[i] = bits & self.work
                self.arguments_of[i] = [k for k, bit in arguments.items() if bits & bit]

    @property
    def is_host_only(self) -> bool:
        """Whether the function does nothing that tokens order."""
        return not self.work and not self.work_of and not self.waits_for


# --- happens before ------------------------------------------------------------------------------
# What is complete when: for each point, the points that are done before it starts.
#
# Sets of points are the bits of integers. A walk in program order carries `done`, what the host has
# waited for, and for each token what its completion implies. Where control flow joins, what holds
# on each way is kept; what was not executed on a way holds on it.
#
# Inside of a loop the bits speak of the current iteration. Each token that an iteration passes to
# the next, and the host's state, has a bit of its own, from which `Loop.carries` knows what is
# done of all earlier iterations. Bits that leave the loop speak of all iterations.


class FunctionOrder:
    """The order of one function: `start` and `host` have each point's bits when it starts.

    `start` counts tokens and waits of the host, `host` the latter alone. `summaries` gives what
    is known of the function that a call calls.
    """

    def __init__(self, view: TokenView, summaries: Callable[[Operation], Summary | None]) -> None:
        self.view = view
        self._summaries = summaries
        self.implied: dict[SSAValue, int] = {}
        self._promised: dict[SSAValue, int] = {}
        self.start: dict[Point, int] = {}
        self.host: dict[Point, int] = {}
        #: The loops around each point, outermost first.
        self.loops: dict[Point, tuple[Loop, ...]] = {}
        #: Bits that are all set when a call's work is done, where it is not the call's own.
        self.need: dict[Point, int] = {}
        #: Joins of tokens of which less is known where the join is than where they are made.
        self.vague: set[SSAValue] = set()
        self._stack: tuple[Loop, ...] = ()
        self._forests: dict[Region, LoopForest] = {}
        self._block_loops: dict[Block, Loop] = {}
        self.exit = Exit(0, (), 0)
        function = view.function
        if function.regions and function.regions[0].first_block is not None:
            arguments = function.regions[0].first_block.args
            bits = [view.of_value[a].bit if a in view.of_value else 0 for a in arguments]
            exits = self._region(function.regions[0], 0, bits)
            count = max((len(e.values) for e in exits), default=0)
            self.exit = meet(exits, count)

    # -- blocks

    def _region(self, region: Region, done: int, arguments: Sequence[int]) -> list[Exit]:
        """Walk a region that begins with `done`; how control leaves it."""
        block = region.first_block
        if block is None:
            return [Exit(done, (), 0)]
        if block.next_block is None:
            self._bind(block, arguments)
            done = self._block(block, done)
            values = self._operands(block.last_op, done)
            return [Exit(done, values, mask_of(self.view.span[block]))]
        forest = self._forests.get(region)
        if forest is None:
            forest = self._forests[region] = LoopForest(region)
        return self._blocks(forest, None, block, Exit(done, arguments, 0))[1]

    def _blocks(
        self, forest: LoopForest, header: Block | None, first: Block, state: Exit
    ) -> tuple[list[Exit], list[Exit], list[tuple[Block, Exit]]]:
        """Walk the blocks of a loop (None: of the region) once.

        Gives the ways back to the header, out of the region, and to blocks outside of the loop.
        """
        waiting: dict[Block, list[Exit]] = {first: [state]}
        back: list[Exit] = []
        ends: list[Exit] = []
        leaving: list[tuple[Block, Exit]] = []
        for block in forest.order(header):
            incoming = waiting.pop(block, None)
            if incoming is None:
                continue
            begin = meet(incoming, len(block.args))
            inner = block is not header and forest.is_header(block)
            if inner:
                going, out = self._block_loop(forest, block, begin)
                ends += out
            else:
                self._bind(block, begin.values)
                done = self._block(block, begin.done)
                reached = begin.reached | mask_of(self.view.span[block])
                last = block.last_op
                if last is None or not last.successors:
                    ends.append(Exit(done, self._operands(last, done), reached))
                    continue
                going = self._edges(forest, block, done, reached)
            for target, way in going:
                if target is header:
                    back.append(way)
                elif forest.inside(target, header):
                    waiting.setdefault(target, []).append(way)
                else:
                    leaving.append((target, way))
        return back, ends, leaving

    def _edges(
        self, forest: LoopForest, block: Block, done: int, reached: int
    ) -> list[tuple[Block, Exit]]:
        last = block.last_op
        assert last is not None
        found: list[tuple[Block, Exit]] = []
        for number, target in enumerate(last.successors):
            if forest.tangled:
                # What is known of one iteration says nothing of the others: start anew.
                found.append((target, Exit(0, [0] * len(target.args), -1)))
                continue
            operands = successor_operands(last, number)
            bits = [self._use(v, block) | done for v in operands or ()]
            bits += [0] * (len(target.args) - len(bits))
            found.append((target, Exit(done, bits, reached)))
        return found

    def _block_loop(
        self, forest: LoopForest, header: Block, begin: Exit
    ) -> tuple[list[tuple[Block, Exit]], list[Exit]]:
        mask = 0
        for block in forest.blocks(header):
            mask |= mask_of(self.view.span[block])
        tokens = [self.view.of_value.get(a) for a in header.args]
        results: list[tuple[list[Exit], list[tuple[Block, Exit]]]] = []

        def body(done: int, bits: Sequence[int]) -> list[Exit]:
            back, ends, leaving = self._blocks(forest, header, header, Exit(done, bits, 0))
            results[:] = [(ends, leaving)]
            return back

        loop = self._loop(mask, header, tokens, begin, body)
        self._block_loops[header] = loop
        ends, leaving = results[0]
        for way in (*ends, *(way for _, way in leaving)):
            loop.left |= way.reached
        reached = begin.reached | mask
        outside = [(target, leave(loop, way, reached)) for target, way in leaving]
        return outside, [leave(loop, way, reached) for way in ends]

    def _loop(
        self,
        mask: int,
        header: Block,
        tokens: Sequence[Point | None],
        begin: Exit,
        body: Callable[[int, Sequence[int]], list[Exit]],
    ) -> Loop:
        """Walk a loop's body until what its iterations pass on does not change."""
        loop = Loop(mask)
        host = 1 << self.view.hidden[header]
        own = [0 if t is None else t.bit for t in tokens]
        loop.members = [host, *own]
        around = self._stack
        self._stack = (*around, loop)
        done, values = begin.done, list(begin.values)
        while True:
            # Queries while walking know nothing of earlier iterations yet.
            loop.carries = [0] * len(loop.members)
            back = body(done | host, [v | b for v, b in zip(values, own, strict=False)])
            new_done, new_values = done, list(values)
            for way in back:
                new_done &= way.done
                new_values = [a & b for a, b in zip(new_values, way.values, strict=False)]
            if new_done == done and new_values == values:
                break
            done, values = new_done, new_values
        self._stack = around
        loop.carries = [mask] * len(loop.members)
        changed = True
        while changed:
            changed = False
            for i in range(len(loop.members)):
                bits = loop.carries[i]
                for way in back:
                    passed = way.done if i == 0 else way.values[i - 1]
                    bits &= (passed | (mask & ~way.reached)) & loop.earlier(passed)
                if bits != loop.carries[i]:
                    loop.carries[i] = bits
                    changed = True
        return loop

    def _bind(self, block: Block, values: Sequence[int]) -> None:
        for argument, bits in zip(block.args, values, strict=False):
            point = self.view.of_value.get(argument)
            if point is not None:
                self.implied[argument] = bits | point.bit
                self._note(point, bits, 0)

    def _note(self, point: Point, start: int, done: int) -> None:
        self.start[point] = start
        self.host[point] = done
        self.loops[point] = self._stack

    # -- values

    def _operands(self, op: Operation | None, done: int) -> list[int]:
        """What a terminator passes on; the host has waited for `done` by then."""
        if op is None:
            return []
        block = op.parent
        assert block is not None
        operands = op.operands[1:] if op.name == "scf.condition" else op.operands
        return [self._use(v, block) | done for v in operands]

    def _use(self, value: SSAValue, block: Block) -> int:
        """What the completion of a token implies, seen from `block`."""
        bits = self.implied.get(value, 0)
        if not bits or not self._forests:
            return bits
        home: Block | None = value.owner if isinstance(value.owner, Block) else value.owner.parent
        at: Block | None = block
        while at is not None and home is not None and at is not home:
            region = at.parent
            forest = None if region is None else self._forests.get(region)
            if forest is not None:
                source = home
                while source.parent is not region:
                    up = source.parent_op()
                    if up is None or up.parent is None:
                        break
                    source = up.parent
                if source.parent is region and source is not at:
                    if forest.tangled:
                        return 0
                    for header in forest.left(source, at):
                        loop = self._block_loops[header]
                        bits = loop.outside(bits, loop.left)
            up = at.parent_op()
            at = None if up is None else up.parent
        return bits

    def _tokens(self, op: Operation, block: Block) -> int:
        bits = 0
        for value in op.operands:
            if value in self.implied:
                seen = self._use(value, block)
                bits |= seen
                if op.name == "gpu.wait" and op.results and not self.is_exact(value, seen):
                    self.vague.add(op.results[0])
        return bits

    def is_exact(self, value: SSAValue, seen: int) -> bool:
        """Whether `seen`, what `value` implies somewhere, is all that it does."""
        return seen == self.implied.get(value) and value not in self.vague

    def seen(self, value: SSAValue, op: Operation) -> int:
        """What the completion of a token implies where `op` is."""
        assert op.parent is not None
        return self._use(value, op.parent)

    # -- operations

    def _block(self, block: Block, done: int) -> int:
        of_op = self.view.of_op
        for op in block.ops:
            point = of_op.get(op)
            if point is not None:
                done = self._point(point, block, done)
            elif op in self.view.span:
                done = self._nested(op, done)
        return done

    def _point(self, point: Point, block: Block, done: int) -> int:
        op = point.op
        waited = self._tokens(op, block) | done
        match point:
            case AsyncRegion():
                self._execute(point, waited, done)
                return done
            case Call():
                return self._call(point, block, done)
            case HostAccess():
                self._note(point, done, done)
                return done | point.bit
            case _:
                self._note(point, waited, done)
        if op.name == "async.await":
            # The value that a body yields is there: what the host waited for in it is done.
            done |= self._promised.get(op.operands[0], 0) | point.bit
            for result in op.results:
                self.implied[result] = waited | done
            return done
        if isinstance(point, HostWait):
            return waited | point.bit
        if isinstance(point, Return):
            return done
        is_async = False
        for result in op.results:
            if is_token(result.type):
                self.implied[result] = waited | point.bit
                is_async = True
        return done if is_async else waited | point.bit

    def _call(self, point: Point, block: Block, done: int) -> int:
        summary = self._summaries(point.op)
        operands = [self._use(v, block) for v in point.op.operands]
        start = done
        parts = [1 << n for n in self.view.parts.get(point, ())]
        tokens = [i for i, v in enumerate(point.op.results) if is_token(v.type)]
        if summary is None:
            self._note(point, start, done)
            for part, i in zip(parts, tokens, strict=True):
                self.implied[point.op.results[i]] = done | part
            return done
        for i in summary.starts_after:
            start |= operands[i]
        self._note(point, start, done)
        covered = summary.waited
        after = done
        for i in summary.waits_for:
            after |= operands[i]
        need = 0
        for part, i in zip(parts, tokens, strict=True):
            work = summary.work_of[i] & ~summary.waited
            covered |= work
            if work:
                need |= part
            else:
                after |= part
        if covered != summary.work:
            need |= point.bit
        elif not need:
            need = point.bit
            after |= point.bit
        self.need[point] = need
        for i in tokens:
            bits = after
            for j in summary.arguments_of[i]:
                bits |= operands[j]
            for part, k in zip(parts, tokens, strict=True):
                if not summary.work_of[k] & ~summary.work_of[i] & ~summary.waited:
                    bits |= part
            self.implied[point.op.results[i]] = bits
        return after

    def _execute(self, point: Point, waited: int, done: int) -> None:
        """async.execute: its body is host code of its own, that the host does not wait for."""
        op = point.op
        bits = [self.implied.get(v, 0) for v in op.body_operands]  # pyright: ignore
        self._note(point, waited, done)
        ends = self._region(op.regions[0], waited, bits)
        end = meet(ends, len(op.results) - 1)
        self.implied[op.results[0]] = end.done | point.bit
        self._promised[op.results[0]] = end.done | point.bit
        for result, value in zip(op.results[1:], end.values, strict=False):
            self.implied[result] = value | end.done | point.bit
            self._promised[result] = end.done | point.bit

    def _nested(self, op: Operation, done: int) -> int:
        """An operation with regions."""
        name = op.name
        if name in ("scf.for", "affine.for", "scf.parallel", "scf.forall", "affine.parallel"):
            return self._for(op, done)
        if name == "scf.while":
            return self._while(op, done)
        ends: list[Exit] = []
        for region in op.regions:
            ends += self._region(region, done, [0] * 8)
        has_results = name in _BRANCHES
        if name in ("scf.if", "affine.if") and op.regions[-1].first_block is None and op.results:
            has_results = False
        end = meet(ends, min((len(e.values) for e in ends), default=0))
        self._results(op, end.values if has_results else [], end.done)
        return end.done if has_results else done

    def _results(self, op: Operation, values: Sequence[int], done: int) -> None:
        for i, result in enumerate(op.results):
            point = self.view.of_value.get(result)
            if point is not None:
                bits = values[i] if i < len(values) else 0
                self._note(point, bits | done, 0)
                self.implied[result] = bits | done | point.bit

    def _for(self, op: Operation, done: int) -> int:
        region = op.regions[0]
        header = region.first_block
        assert header is not None
        first = 1 if op.name in ("scf.for", "affine.for") else len(header.args)
        arguments = list(header.args[first:])
        block = op.parent
        assert block is not None
        initial = op.operands[len(op.operands) - len(arguments) :]
        begin = Exit(done, [self._use(v, block) | done for v in initial], 0)
        tokens = [self.view.of_value.get(a) for a in arguments]
        header_state: list[Exit] = []

        def body(done: int, bits: Sequence[int]) -> list[Exit]:
            header_state[:] = [Exit(done, bits, 0)]
            ends = self._region(region, done, [*([0] * first), *bits])
            count = len(arguments)
            return [Exit(e.done, [*e.values, *([0] * count)][:count], e.reached) for e in ends]

        loop = self._loop(mask_of(self.view.span[op]), header, tokens, begin, body)
        end = leave(loop, header_state[0], 0)
        self._results(op, end.values, end.done)
        return end.done

    def _while(self, op: Operation, done: int) -> int:
        before, after = op.regions
        header = before.first_block
        block = op.parent
        assert header is not None
        assert block is not None
        begin = Exit(done, [self._use(v, block) | done for v in op.operands], 0)
        tokens = [self.view.of_value.get(a) for a in header.args]
        leaving: list[Exit] = []

        def body(done: int, bits: Sequence[int]) -> list[Exit]:
            conditions = self._region(before, done, bits)
            leaving[:] = conditions
            middle = meet(conditions, len(op.results))
            ends = self._region(after, middle.done, middle.values)
            return [Exit(e.done, e.values, e.reached | middle.reached) for e in ends]

        loop = self._loop(mask_of(self.view.span[op]), header, tokens, begin, body)
        end = meet([leave(loop, way, 0) for way in leaving], len(op.results))
        self._results(op, end.values, end.done)
        return end.done


#: Operations whose regions run once at most, and give their results.
_BRANCHES = frozenset(
    ("affine.if", "memref.alloca_scope", "scf.execute_region", "scf.if", "scf.index_switch")
)


class LoopForest:
    """The natural loops of a region by their headers, and the order to walk them in.

    `tangled` says that some cycle is no natural loop (control enters it at several blocks); then
    there are none.
    """

    def __init__(self, region: Region) -> None:
        graph = ControlFlowGraph(region)
        self.tangled = graph.irreducible is not None
        loops = [] if self.tangled else graph.loops
        self._bodies = {
            graph.blocks[loop.header]: {graph.blocks[b] for b in loop.blocks} for loop in loops
        }
        #: The headers of the loops around each block, innermost first.
        self._around: dict[Block, list[Block]] = {}
        self._own: dict[Block | None, list[Block]] = {}
        for number, block in enumerate(graph.blocks):
            around = [] if self.tangled else list(graph.loops_around(number))
            headers = self._around[block] = [graph.blocks[loop.header] for loop in around]
            self._own.setdefault(headers[0] if headers else None, []).append(block)
            if headers and headers[0] is block:
                outer = headers[1] if len(headers) > 1 else None
                self._own.setdefault(outer, []).append(block)

    def is_header(self, block: Block) -> bool:
        return block in self._bodies

    def blocks(self, header: Block) -> set[Block]:
        """The blocks of a loop, those of the loops in it too."""
        return self._bodies[header]

    def order(self, header: Block | None) -> list[Block]:
        """The blocks of a loop (None: of the region); of the loops in it only the headers."""
        return self._own.get(header, [])

    def inside(self, block: Block, header: Block | None) -> bool:
        return header is None or block in self._bodies[header]

    def left(self, source: Block, target: Block) -> list[Block]:
        """The headers of the loops around `source` that are not around `target`, innermost first.

        A block that cannot be reached is in no loop.
        """
        around = self._around.get(target, ())
        return [header for header in self._around.get(source, ()) if header not in around]

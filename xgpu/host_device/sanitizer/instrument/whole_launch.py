# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is known of all accesses of a launch before it runs.

    %i = ctaid.x * ntid.x + tid.x
    if (%i < %n) { .. load p[%i] .. }

With the sizes of a launch and its integer arguments, each value that addresses are computed from
lies in a range, and most are linear forms of the numbers of blocks and threads and of the
iterations of loops. If all addresses are such, the accesses of the launch are known as a whole: the
bytes of each argument that they reach, whether two threads meet, and who uses which byte.

A value without a form has a range alone. A value without a range may be anything, and an access
with such an address is looked at as before (`screening`). All is computed in integers that do not
overflow: what would leave its type has no range.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, NamedTuple, cast

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from xgpu.backend.llvm_ir.facts import number
from xgpu.core.ir.construction import clone_operation
from xgpu.core.ir.dominance import ControlFlowGraph, immediate_post_dominators
from xgpu.core.ir.liveness import definition_block
from xgpu.core.ir.region_flow import successor_operands
from xgpu.host_device.abi.sanitizer_records import FLAG_ATOMIC, FLAG_WRITE
from xgpu.host_device.compiler import operations
from xgpu.host_device.compiler.types import I1, gep_strides, integer_constant
from xgpu.host_device.sanitizer.instrument.block_invariance import BlockInvariance
from xgpu.host_device.sanitizer.instrument.linear_values import (
    RULES,
    Known,
    add,
    constant,
    either,
    limits,
    plus,
    remainder,
    times,
    width_of,
)
from xgpu.host_device.sanitizer.instrument.loops import (
    FENCE,
    GROUPS,
    INFO,
    SAME,
    SHARED,
    SPINS,
    STRIDE,
    UNSIGNED,
)

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from xgpu.core.ir.dominance import Loop
    from xgpu.host_device.sanitizer.instrument.linear_values import Form

    Dims = tuple[int, int, int]

_AXES = ("x", "y", "z")
#: Values that an address is computed from, one after the other, and conditions of one access.
_MOST_STEPS, _MOST_CONDITIONS = 200, 32
_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
_OPPOSITE = {
    "eq": "ne", "ne": "eq", "slt": "sge", "sge": "slt", "sgt": "sle", "sle": "sgt",
    "ult": "uge", "uge": "ult", "ugt": "ule", "ule": "ugt",
}  # fmt: skip
_SWAPPED = {"sgt": "slt", "sge": "sle", "ugt": "ult", "uge": "ule"}
_WORKGROUP = 3  # the address space
_ANY = 1 << 127  # beyond all numbers
_WIDTHS = (1, 8, 16, 32, 64)  # bits of arguments that are followed
_FARTHEST = 1 << 60  # bytes from a pointer: no sum with a pointer leaves 64 bits


class Condition(NamedTuple):
    """A form that lies from `low` to `high`."""

    form: Form
    low: int
    high: int


class Reach(NamedTuple):
    """What an access reaches in a launch: bytes from `low` to `high`, that is not included, from
    an argument on (its number). It is aligned to `unit` bytes if the argument is. Its `form` is
    that of its addresses, under `conditions` and no others if it `is_exact`; each loop takes up to
    so many steps by the symbol that counts it."""

    argument: int
    low: int
    high: int
    unit: int
    info: int
    form: Form | None
    conditions: tuple[Condition, ...]
    is_exact: bool
    steps: dict[Hashable, int]
    symbols: dict[Hashable, tuple[int, int]]

    @property
    def size(self) -> int:
        return self.info >> 32 & 0xFFFF

    @property
    def alignment(self) -> int:
        return 1 << (self.info >> 48 & 15)

    @property
    def writes(self) -> bool:
        return bool(self.info >> 20 & FLAG_WRITE)


def outline_of(function: Operation) -> Outline | None:
    """What can be known of launches of a kernel that has marks; None if that is not all."""
    marks: list[Operation] = []
    alike: BlockInvariance | None = None
    has_own = False
    for block in function.regions[0].blocks:
        for op in block.ops:
            if operations.is_screen_check(op):
                if FENCE in op.attributes:
                    continue
                is_own = GROUPS in op.attributes or number(op.attributes[SHARED]) != 0
                if is_own:
                    if SAME not in op.attributes:
                        return None
                    has_own = True
                elif (number(op.attributes[INFO]) >> 20) & FLAG_ATOMIC or number(
                    op.attributes[SPINS]
                ):
                    return None
                else:
                    marks.append(op)
            elif op.name in operations.WARP:
                alike = BlockInvariance(function) if alike is None else alike
                if not _meets_alike(op, block, alike):
                    return None
                has_own = True
            elif not _is_harmless(op):
                return None
    return Outline(clone_operation(function), has_own)


def _is_harmless(op: Operation) -> bool:
    """Whether an operation does nothing that ends a launch, or that has no mark."""
    if op.name in operations.DIVISIONS:
        return integer_constant(op.operands[1]) not in (None, 0, -1)
    if op.name == "llvm.unreachable" or op.name in operations.ATOMICS:
        return False
    if op.name == "llvm.mlir.addressof" and getattr(op.results[0].type, "data", 0) != _WORKGROUP:
        return False  # what is watched has a constant at one address, other code at its own
    return not (op.name == "llvm.call" and not (operations.callee(op) or "").startswith("__nv_"))


def _meets_alike(op: Operation, block: Block, alike: BlockInvariance) -> bool:
    """Whether the lanes that meet at an operation of a warp are the same in each block: all but
    what they exchange is (`Checks.together`)."""
    if not alike.runs_alike(block):
        return False
    exchanged = {"nvvm.shfl.sync": 1, "nvvm.redux.sync": 0, "nvvm.vote.sync": 1,
                 "nvvm.vote.ballot.sync": 1, "nvvm.match.sync": 1}.get(op.name)  # fmt: skip
    return all(alike.is_invariant(value) for at, value in enumerate(op.operands) if at != exchanged)


class Outline:
    """A kernel with marks. Blocks may have memory of their own (`has_own`), of which the first one
    shows what all do."""

    def __init__(self, function: Operation, has_own: bool) -> None:
        self.has_own = has_own
        self.graph = ControlFlowGraph(function.regions[0])
        self.entry = function.regions[0].blocks[0]
        self.after = immediate_post_dominators(self.graph.successors)
        #: Calls of marks of global memory, with their blocks.
        self.marks = [
            (number_, op) for number_, block in enumerate(self.graph.blocks) for op in block.ops
            if operations.is_screen_check(op)
            and SHARED in op.attributes and not number(op.attributes[SHARED])
        ]  # fmt: skip
        self.counters = {
            loop.header: found for loop in self.graph.loops
            if (found := self._counter(loop)) is not None
        }  # fmt: skip
        #: The numbers of integer arguments, and their bits.
        self.integers = {
            at: argument.type.width.data for at, argument in enumerate(self.entry.args)
            if isinstance(argument.type, IntegerType) and argument.type.width.data in _WIDTHS
            and argument.first_use is not None
        }  # fmt: skip
        self.is_reducible = self.graph.irreducible is None

    def of_launch(
        self, grid: Dims, block: Dims, arguments: Mapping[int, int]
    ) -> list[Reach] | None:
        """What the accesses of a launch reach, whose integer arguments are signed numbers; None
        where that is not known of all. Those that no thread does are left out."""
        if not self.is_reducible:
            return None
        found: list[Reach] = []
        ways: dict[int, _Way] = {}
        for number_, op in self.marks:
            way = ways.get(number_)
            if way is None:
                way = ways[number_] = _Way(self, number_, grid, block, arguments)
            if way.is_never:
                continue
            reach = way.reach(op)
            if reach is None:
                return None
            found.append(reach)
        return found

    def _counter(self, loop: Loop) -> _Counter | None:
        """What counts a loop that goes on while that is below a bound."""
        graph = self.graph
        header = graph.blocks[loop.header]
        test = cast("Operation", header.last_op)
        outside = [(b, k) for b, k in graph.edges_in[loop.header] if b not in loop.blocks]
        if test.name != "llvm.cond_br" or len(loop.latches) != 1 or len(outside) != 1:
            return None
        inside = [graph.successors[loop.header][k] in loop.blocks for k in (0, 1)]
        less = test.operands[0].owner
        if inside != [True, False] or isinstance(less, Block) or less.name != "llvm.icmp":
            return None
        predicate = _PREDICATES[number(less.properties["predicate"])]
        counter, bound = less.operands
        if predicate not in ("slt", "ult") or counter.owner is not header:
            return None
        if graph.number[definition_block(bound)] in loop.blocks:
            return None
        index = cast("BlockArgument", counter).index
        entry = cast("Operation", graph.blocks[outside[0][0]].last_op)
        latch = cast("Operation", graph.blocks[loop.latches[0]].last_op)
        first = (successor_operands(entry, outside[0][1]) or ())[index]
        back = next(k for b, k in graph.edges_in[loop.header] if b == loop.latches[0])
        following = (successor_operands(latch, back) or ())[index].owner
        if isinstance(following, Block) or following.name != "llvm.add":
            return None
        by = [o for o in following.operands if o is not counter]
        if len(by) != 1 or not self._is_fixed(by[0], loop):
            return None
        return _Counter(
            cast("BlockArgument", counter), first, bound, by[0], predicate.startswith("u")
        )  # fmt: skip

    def _is_fixed(self, value: SSAValue, loop: Loop, depth: int = 8) -> bool:
        """Whether a value is plainly the same in all iterations of a loop."""
        if self.graph.number[definition_block(value)] not in loop.blocks:
            return True
        owner = value.owner
        if isinstance(owner, Block) or depth == 0:
            return False
        if owner.name in operations.CONSTANTS or operations.register(owner) is not None:
            return True
        return owner.name in RULES and all(
            self._is_fixed(o, loop, depth - 1) for o in owner.operands
        )  # fmt: skip


class _Counter(NamedTuple):
    """An argument of a loop's header, with its first value, the bound that it is compared with, as
    an unsigned number if that `is_unsigned`, and the step."""

    value: BlockArgument
    first: SSAValue
    bound: SSAValue
    step: SSAValue
    is_unsigned: bool


class _Way:
    """What holds where a block of a kernel runs, in one launch."""

    def __init__(
        self, outline: Outline, block: int, grid: Dims, size: Dims, arguments: Mapping[int, int]
    ) -> None:
        self._o = outline
        self._sizes = {"ctaid": grid, "tid": size}
        self._size = size
        self._arguments = arguments
        self._known: dict[SSAValue, Known | None] = {}
        self._facts: dict[SSAValue, tuple[int, int]] = {}
        #: The range of each symbol that forms have.
        self.symbols: dict[Hashable, tuple[int, int]] = {}
        #: Steps of each loop that has a symbol.
        self._steps: dict[Hashable, int] = {}
        self._conditions: list[Condition] = []
        self._is_exact = True
        self.is_never = False
        self._depth = 0
        self._block = block
        self._enter(block)

    # -- conditions

    def _enter(self, block: int) -> None:
        """Collect what must hold where a block runs."""
        graph = self._o.graph
        chain: list[tuple[SSAValue, bool]] = []
        at = block
        while at:
            above = graph.idom[at]
            loop_blocks = graph.loop_of[at].blocks if self._is_header(at) else ()  # type: ignore[union-attr]
            edges = [e for e in graph.edges_in[at] if e[0] not in loop_blocks]
            last = cast("Operation", graph.blocks[above].last_op)
            if len(edges) == 1 and edges[0][0] == above:
                if last.name == "llvm.cond_br" and not self._leaves(edges[0], block):
                    chain.append((last.operands[0], edges[0][1] == 0))
            elif not self._follows(at, above):
                self._is_exact = False
            at = above
        for loop in graph.loops_around(block):
            is_counted = loop.header in self._o.counters
            if not is_counted or any(e[0] != loop.header for e in loop.exits):
                self._is_exact = False
        if len(chain) > _MOST_CONDITIONS:
            self._is_exact = False
        for condition, holds in reversed(chain[:_MOST_CONDITIONS]):
            self._assume(condition, holds)
            # What has been computed does not know of it.
            self._known.clear()
        for condition in self._conditions:
            self._narrow_symbols(condition)
        self._known.clear()

    def _leaves(self, edge: tuple[int, int], block: int) -> bool:
        """Whether an edge is the only one that leaves a loop: a block behind it says no more than
        that the loop is over."""
        loop = self._o.graph.loop_of[edge[0]]
        return loop is not None and block not in loop.blocks and loop.exits == [edge]

    def _is_header(self, block: int) -> bool:
        loop = self._o.graph.loop_of[block]
        return loop is not None and loop.header == block

    def _follows(self, later: int, earlier: int) -> bool:
        """Whether each way from one block comes to a later one."""
        at = earlier
        while at < len(self._o.graph.blocks):
            if at == later:
                return True
            following = self._o.after[at]
            if following == at:
                return False
            at = following
        return False

    def _assume(self, value: SSAValue, holds: bool) -> None:
        owner = value.owner
        if isinstance(owner, Operation):
            if owner.name == ("llvm.and" if holds else "llvm.or"):
                for operand in owner.operands:
                    self._assume(operand, holds)
                return
            if owner.name == "llvm.xor" and integer_constant(owner.operands[1]) in (1, -1):
                self._assume(owner.operands[0], not holds)
                return
            compared = owner.operands[0].type if owner.name == "llvm.icmp" else I1
            if isinstance(compared, IntegerType) and compared != I1:
                predicate = _PREDICATES[number(owner.properties["predicate"])]
                if not holds:
                    predicate = _OPPOSITE[predicate]
                a, b = owner.operands
                if predicate in _SWAPPED:
                    a, b, predicate = b, a, _SWAPPED[predicate]
                if self._compare(predicate, a, b):
                    return
        known = self.known(value)
        if known is not None and known.is_constant:
            if (known.low != 0) != holds:
                self.is_never = True
            return
        self._is_exact = False

    def _compare(self, predicate: str, a: SSAValue, b: SSAValue) -> bool:
        """Note what a comparison says that holds; False if it is more than that."""
        x, y = self.known(a), self.known(b)
        low, high = -_ANY, 0  # of a - b
        is_whole = True
        if predicate.startswith("u"):
            if y is not None and y.low >= 0:
                # What is negative as a signed number is the greater one.
                if x is None or x.low < 0:
                    self._limit(a, 0, _ANY)
                    if x is not None and x.form is not None:
                        self._conditions.append(Condition(x.form, 0, _ANY))
                    else:
                        is_whole = False
            elif x is None or y is None or x.low < 0 or y.low < 0:
                return False
            predicate = "s" + predicate[1:]
        if predicate == "slt":
            high = -1
        elif predicate == "eq":
            low = 0
        elif predicate == "ne":
            if x is None or y is None:
                return False
            if x.low >= y.high:
                low, high = 1, _ANY
            elif x.high <= y.low:
                high = -1
            else:
                return False
        if y is not None:
            self._limit(a, y.low + low, y.high + high)
        if x is not None:
            self._limit(b, x.low - high, x.high - low)
        if x is None or y is None:
            return False
        form = plus(x.form, y.form, -1)
        if form is None:
            return False
        self._conditions.append(Condition(form, low, high))
        return is_whole

    def _limit(self, value: SSAValue, low: int, high: int) -> None:
        """A value lies from one number to another."""
        was = self._facts.get(value, (-_ANY, _ANY))
        self._facts[value] = now = max(was[0], low), min(was[1], high)
        if now[0] > now[1]:
            self.is_never = True
        owner = value.owner
        if now == was or isinstance(owner, Block):
            return
        if owner.name == "llvm.sext":
            self._limit(owner.operands[0], *now)
        elif owner.name == "llvm.zext" and (inner := self.known(owner.operands[0])) is not None:
            if inner.low >= 0:
                self._limit(owner.operands[0], *now)
        elif owner.name in ("llvm.add", "llvm.sub"):
            by = integer_constant(owner.operands[1])
            least, most = limits(width_of(value))
            if by is not None:
                by = by if owner.name == "llvm.add" else -by
                low, high = max(now[0], least) - by, min(now[1], most) - by
                if low >= least and high <= most:  # else it may be a sum that wraps
                    self._limit(owner.operands[0], low, high)

    def _narrow_symbols(self, condition: Condition) -> None:
        """What a condition says of each symbol of its form."""
        form, low, high = condition
        ranges = {s: self._span(s, f) for s, f in form.items()}
        least, most = sum(r[0] for r in ranges.values()), sum(r[1] for r in ranges.values())
        for symbol, factor in form.items():
            if symbol is None:
                continue
            # factor * symbol lies from low - (the most of the others) to high - (the least).
            first = low - (most - ranges[symbol][1])
            last = high - (least - ranges[symbol][0])
            if factor < 0:
                first, last, factor = -last, -first, -factor
            was = self.symbols[symbol]
            now = max(was[0], -(-first // factor)), min(was[1], last // factor)
            if now[0] > now[1]:
                self.is_never = True
                return
            self.symbols[symbol] = now

    def _span(self, symbol: Hashable, factor: int) -> tuple[int, int]:
        if symbol is None:
            return factor, factor
        low, high = self.symbols[symbol]
        return min(factor * low, factor * high), max(factor * low, factor * high)

    def _bounds(self, form: Form) -> tuple[int, int]:
        """The range of a form, by those of its symbols and the conditions on parts of it."""
        rest, low, high = dict(form), 0, 0
        for condition in self._conditions:
            symbols = [s for s in condition.form if s is not None]
            if len(symbols) < 2 or any(s not in rest for s in symbols):
                continue
            by, over = divmod(rest[symbols[0]], condition.form[symbols[0]])
            if over or any(rest[s] != by * condition.form[s] for s in symbols):
                continue
            spans = [self._span(s, f) for s, f in condition.form.items()]
            first = max(condition.low, sum(s[0] for s in spans))
            last = min(condition.high, sum(s[1] for s in spans))
            low += min(by * first, by * last)
            high += max(by * first, by * last)
            rest = cast("Form", plus(rest, condition.form, -by))
        spans = [self._span(s, f) for s, f in rest.items()]
        return low + sum(s[0] for s in spans), high + sum(s[1] for s in spans)

    # -- accesses

    def reach(self, op: Operation) -> Reach | None:
        """What the access of a mark reaches."""
        found = self._pointer(op.operands[0])
        if found is None:
            return None
        base, at = found
        if not isinstance(base, BlockArgument):
            return None
        info = number(op.attributes[INFO])
        low, high = at.low, at.high
        form, unit = at.form, at.unit
        is_exact, steps = self._is_exact, dict(self._steps)
        symbols = dict(self.symbols)
        if STRIDE in op.attributes:
            count = self.known(op.operands[2])
            if count is None or (count.low < 0 and UNSIGNED in op.attributes):
                return None
            stride = number(op.attributes[STRIDE])
            most = max(count.high - 1, 0)
            low, high = low + min(0, stride * most), high + max(0, stride * most)
            unit = gcd(unit, stride)
            steps[op] = max(count.high, 0)
            symbols[op] = (0, most)
            form = plus(form, {op: stride, None: 0})
            is_exact = is_exact and count.is_constant
        if len(op.operands) > 2 + (STRIDE in op.attributes):
            is_exact = False  # how much is copied, the kernel computes
        if low < -_FARTHEST or high > _FARTHEST:
            return None
        size = info >> 32 & 0xFFFF
        named = {op, *(form or ())}.union(*(condition.form for condition in self._conditions))
        used = {s: n for s, n in steps.items() if s in named}
        around = {("loop", loop.header) for loop in self._o.graph.loops_around(self._block)}
        is_exact = is_exact and all(s is op or s in around for s in used)
        return Reach(
            base.index, low, high + size, unit, info, form, tuple(self._conditions), is_exact, used,
            symbols,
        )  # fmt: skip

    def _pointer(self, value: SSAValue) -> tuple[SSAValue, Known] | None:
        """What an address is computed from, and how far it is from there."""
        at = constant(0)
        for _ in range(_MOST_STEPS):
            owner = value.owner
            if isinstance(owner, Block):
                if owner is not self._o.entry:
                    return None
                break
            if owner.name == "llvm.addrspacecast":
                value = owner.operands[0]
                continue
            if owner.name == "llvm.mlir.addressof":
                break
            if owner.name != "llvm.getelementptr":
                return None
            steps = gep_strides(owner)
            if steps is None:
                return None
            at = add(at, constant(steps[0]))
            for stride, index in zip(steps[1], owner.operands[1:], strict=True):
                known = self.known(index)
                if known is None:
                    return None
                at = add(at, times(known, stride))
            value = owner.operands[0]
        else:
            return None
        if at.form is not None:
            low, high = self._bounds(at.form)
            at = Known(max(at.low, low), min(at.high, high), at.unit, at.form)
        return value, at

    # -- values

    def known(self, value: SSAValue) -> Known | None:
        """What is known of a number."""
        if value in self._known:
            return self._known[value]
        if self._depth >= _MOST_STEPS:
            return None
        self._depth += 1
        found = self._find(value)
        self._depth -= 1
        least, most = limits(width_of(value))
        if found is not None and (found.low < least or found.high > most):
            found = None  # before facts: they are about what is left of it
        fact = self._facts.get(value)
        if fact is not None:
            if found is None:
                # It is not known how it is computed, but what it was compared with.
                found = Known(least, most, 1, None)
            low, high = max(found.low, fact[0]), min(found.high, fact[1])
            if low > high:
                self.is_never = True
                low = high = found.low
            found = found._replace(low=low, high=high)
        self._known[value] = found
        return found

    def _find(self, value: SSAValue) -> Known | None:
        owner = value.owner
        if isinstance(owner, Block):
            return self._argument(cast("BlockArgument", value), owner)
        fixed = integer_constant(value)
        if fixed is not None:
            return constant(fixed if width_of(value) > 1 else fixed & 1)
        register = operations.register(owner)
        if register is not None:
            return self._register(register)
        rule = RULES.get(owner.name)
        if rule is None or (owner.name.endswith("ext") and owner.operands[0].type == I1):
            return None
        operands = [self.known(o) for o in owner.operands]
        if owner.name == "llvm.select":
            return either(operands[1:])
        if owner.name in ("llvm.urem", "llvm.and") and operands[1] is not None:
            return remainder(self, owner.name, operands)
        if any(o is None for o in operands):
            return None
        return rule(self, *cast("list[Known]", operands))

    def _argument(self, value: BlockArgument, block: Block) -> Known | None:
        if block is self._o.entry:
            given = self._arguments.get(value.index)
            return None if given is None else constant(given if width_of(value) > 1 else given & 1)
        graph = self._o.graph
        number_ = graph.number[block]
        counted = self._o.counters.get(number_)
        if counted is not None and counted.value is value:
            return self._counted(number_, counted)
        if self._is_header(number_):
            return None
        # Ways meet: it is one of what they bring.
        self._known[value] = None
        given = [
            (successor_operands(cast("Operation", graph.blocks[b].last_op), k) or ())[value.index]
            for b, k in graph.edges_in[number_]
        ]
        return either([self.known(v) for v in given])

    def _counted(self, header: int, counter: _Counter) -> Known | None:
        """What counts a loop: first, first + step, .. below the bound, and what ends it."""
        begin, end = self.known(counter.first), self.known(counter.bound)
        step = self.known(counter.step)
        if begin is None or end is None or step is None:
            return None
        if not step.is_constant or step.low <= 0:
            return None
        if counter.is_unsigned and (begin.low < 0 or end.low < 0):
            return None
        high = max(begin.high, end.high - 1 + step.low)
        symbol = ("loop", header)
        count = max(0, -(-(end.high - begin.low) // step.low))
        # The last value is what the loop ends with.
        self.symbols.setdefault(symbol, (0, count))
        self._steps[symbol] = count + 1
        form = plus(begin.form, {symbol: step.low, None: 0})
        return Known(begin.low, high, gcd(begin.unit, step.low), form)

    def _register(self, name: str) -> Known | None:
        kind, _, axis = name.partition(".")
        if axis not in _AXES:
            return None
        at = _AXES.index(axis)
        sizes = self._sizes.get(kind.removeprefix("n"))
        if sizes is None:
            return None
        if kind.startswith("n"):
            return constant(sizes[at])
        if sizes[at] == 1:
            return constant(0)
        symbol = (kind, at)
        self.symbols.setdefault(symbol, (0, sizes[at] - 1))
        low, high = self.symbols[symbol]
        return Known(low, high, 1, {symbol: 1, None: 0})

    # -- divisions

    def divided(self, a: Known, by: int) -> tuple[Known, Known]:
        """A number that is not negative by a positive constant: the quotient, and the rest."""
        quotient = Known(a.low // by, a.high // by, 1, None)
        rest = Known(0, min(a.high, by - 1), 1, None)
        if a.high // by == a.low // by:
            rest = Known(a.low % by, a.high % by, 1, None)
        if a.form is None:
            return quotient, rest
        whole = {s: f // by for s, f in a.form.items() if s is not None and f % by == 0}
        parts = {s: f for s, f in a.form.items() if s is not None and f % by}
        fixed = a.form.get(None, 0)
        whole[None], parts[None] = fixed // by, fixed % by
        spans = [self._span(s, f) for s, f in parts.items()]
        if sum(s[0] for s in spans) >= 0 and sum(s[1] for s in spans) < by:
            return quotient._replace(form=whole), rest._replace(form=parts)
        # The rest is that of one number, which has a quotient and a rest of its own.
        (symbol, *others) = [s for s in parts if s is not None]
        if others or parts[symbol] != 1 or parts[None] or not isinstance(symbol, tuple):
            return quotient, rest
        if symbol[0] not in ("tid", "ctaid"):
            return quotient, rest
        size = self._sizes[symbol[0]][symbol[1]]
        high, low = ("/", symbol, by), ("%", symbol, by)
        self.symbols.setdefault(high, (0, (size - 1) // by))
        self.symbols.setdefault(low, (0, min(size, by) - 1))
        return (
            quotient._replace(form=plus(whole, {high: 1})), rest._replace(form={low: 1, None: 0})
        )  # fmt: skip

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks of bounds (`bounds_checks`) for a vector of threads.

Where the lanes lie at known distances one comparison of scalars says that all of them, and what
lies between, are in the array. Only where it does not are lanes that run looked at, each by
itself. Lanes anywhere are compared as a vector. A lane that misses ends the kernel.

In a loop over the vectors of a block (`block_loops`) all that is left is to ask whether what the
whole block may access is in the array, which is known before the loop, if it is: a sum of values
that are the same in the block and of values that have bounds, as the thread's number has, and as
the counter of a loop has where it is below a number (`for i = tid; i < 256; i += 32`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, cast

from xdsl.dialects.builtin import IntegerAttr, i1
from xdsl.ir import Block, SSAValue

from xgpu.backend.llvm_ir.facts import integers, number, prop
from xgpu.core.ir.region_flow import successor_operands
from xgpu.dialects.llvm.attributes import ICMP
from xgpu.host_device.compiler import operations
from xgpu.host_device.compiler.bounds_checks import Sums, signed
from xgpu.host_device.compiler.code import BOUNDS_FAILED, call_properties
from xgpu.host_device.compiler.emission import (
    Affine,
    Builder,
    Emitted,
    Lanes,
    Test,
    Uniform,
)
from xgpu.host_device.compiler.types import I32, I64, integer_constant, vector_of
from xgpu.host_device.compiler.vectors.shapes import Shape

if TYPE_CHECKING:
    from xdsl.dialects.builtin import IntegerType
    from xdsl.ir import BlockArgument, Operation

    from xgpu.core.ir.dominance import ControlFlowGraph


# -- Whether a condition holds in any lane, or in all, without looking at the lanes.
#
# Where lane i compares base + offset[i] with the same number, the least or the greatest offset
# decides: a scalar comparison instead of one of vectors. It tells whether a side of a branch can be
# passed over, and whether it needs no mask. All lanes have what two conditions ask for if all have
# what each asks for; whether any has both is to be seen in the lanes alone.


_INVERSE = {
    "eq": "ne", "ne": "eq", "slt": "sge", "sge": "slt", "sgt": "sle", "sle": "sgt",
    "ult": "uge", "uge": "ult", "ugt": "ule", "ule": "ugt",
}  # fmt: skip
_CONNECTIVES = ("llvm.and", "llvm.or", "llvm.select")
_MIRRORED = {
    "eq": "eq", "ne": "ne", "slt": "sgt", "sgt": "slt", "sle": "sge", "sge": "sle",
    "ult": "ugt", "ugt": "ult", "ule": "uge", "uge": "ule",
}  # fmt: skip


def note_test(
    b: Builder, op: Operation, operands: list[Emitted], shapes: list[Shape], result: Emitted
) -> None:
    """Tells the builder how to test the result of an operation, if scalars suffice."""
    if not isinstance(result, Lanes):
        return
    if op.name == "llvm.icmp":
        _note_comparison(b, op, operands, shapes, result)
    elif op.results[0].type == i1 and op.name in _CONNECTIVES:
        _note_connective(b, op, operands, result)


def _note_connective(b: Builder, op: Operation, operands: list[Emitted], result: Lanes) -> None:
    """`a and b`, `a or b`, as such or as `select a, b, false` and `select a, true, b`."""
    kind = op.name
    if kind == "llvm.select":
        first, then, otherwise = operands
        if _is_constant(otherwise, 0):
            kind, operands = "llvm.and", [first, then]
        elif _is_constant(then, 1):
            kind, operands = "llvm.or", [first, otherwise]
        else:
            return
    index = 1 if kind == "llvm.and" else 0
    first, second = (_test(b, operand, index) for operand in operands)
    if first is None or second is None:
        return

    def either() -> SSAValue:
        return b.binary("or", first(), second())

    b.tests[result.value] = (None, either) if index else (either, None)


def _test(b: Builder, operand: Emitted, index: int) -> Test | None:
    """Whether an operand holds in any lane (0), or not in all (1)."""
    if isinstance(operand, Uniform):
        value = operand.value
        return (lambda: b.negated(value)) if index else (lambda: value)
    return b.tests.get(operand.value, (None, None))[index] if isinstance(operand, Lanes) else None


def _is_constant(operand: Emitted, number: int) -> bool:
    return isinstance(operand, Uniform) and integer_constant(operand.value) == number


def _note_comparison(
    b: Builder, op: Operation, operands: list[Emitted], shapes: list[Shape], result: Lanes
) -> None:
    predicate = ICMP[number(prop(op, "predicate"))]
    (a, c), (shape, other) = operands, shapes
    if isinstance(c, Affine) and isinstance(a, Uniform):
        a, c, shape, other = c, a, other, shape
        predicate = _MIRRORED[predicate]
    if not isinstance(a, Affine) or not isinstance(c, Uniform):
        return
    inverse = _INVERSE[predicate]
    is_unsigned = predicate[0] == "u"
    if shape.exact and not (is_unsigned and _may_be_negative(shape)):
        b.tests[result.value] = (
            lambda: _any(b, predicate, a, c.value),
            lambda: _any(b, inverse, a, c.value),
        )
    elif predicate in ("ult", "ule") and not _may_be_negative(other):
        b.tests[result.value] = (None, lambda: b.negated(_are_below(b, predicate, a, c.value)))
    elif predicate in ("ugt", "uge") and not _may_be_negative(other):
        b.tests[result.value] = (lambda: b.negated(_are_below(b, inverse, a, c.value)), None)


def _may_be_negative(shape: Shape) -> bool:
    return shape.low is None or shape.low < 0


def _are_below(b: Builder, predicate: str, a: Affine, bound: SSAValue) -> SSAValue:
    """Whether all lanes are below a bound of which the sign is zero, as unsigned numbers, though
    lanes may have wrapped (`x - 1 < n - 2`): the lowest is, by as much as the lanes are apart."""
    least, most = min(a.offsets), max(a.offsets)
    count = bound if predicate == "ult" else b.add(bound, 1)
    span = b.integer(most - least, cast("IntegerType", count.type))
    room = b.value("llvm.intr.usub.sat", (count, span), count.type)
    return b.icmp("ult", b.add(a.base, least), room)


def _any(b: Builder, predicate: str, a: Affine, bound: SSAValue) -> SSAValue:
    least, most = min(a.offsets), max(a.offsets)
    if predicate == "ne":
        return b.integer(1, i1)  # offsets differ, so no number is equal to all
    if predicate == "eq":
        if sorted(a.offsets) != list(range(least, most + 1)):
            values = b.icmp("eq", b.as_lanes(a), b.splat(bound))
            return b.icmp("ne", b.mask_bits(values), 0)
        distance = b.binary("sub", bound, b.add(a.base, least))
        return b.icmp("ule", distance, most - least)
    edge = least if predicate[1:] in ("lt", "le") else most
    return b.icmp(predicate, b.add(a.base, edge), bound)


class BoundsChecks:
    """Emits checks; `linear` gives the numbers of a vector's threads where the code now is."""

    def __init__(self, builder: Builder, linear: Callable[[], Emitted]) -> None:
        self.b = builder
        #: What is asked for whole blocks, where the code is in a loop over their vectors.
        self.block: WholeBlock | None = None
        self._done: set[Operation] = set()
        self._linear = linear
        self._limits: dict[tuple[SSAValue, int], SSAValue] = {}

    def emit(
        self, op: Operation, get: Callable[[SSAValue], Emitted], mask: SSAValue | None
    ) -> None:
        """A check, with those that follow it at once."""
        if op in self._done:
            return
        checks = [op]
        following = op.next_op
        while following is not None and operations.is_bounds_check(following):
            checks.append(following)
            following = following.next_op
        own = [] if self.block is None else [c for c in checks if self.block.is_known(c)]
        if self.block is None or not own:
            self._emit(op, [get(o) for o in op.operands], mask)
            return
        after = self.b.new_block()
        self._unless(self.block.holds(own), after, self.b.new_block())
        for check in own:
            self._emit(check, [get(o) for o in check.operands], mask, is_seldom=True)
        self.b.branch(after)
        self.b.enter(after)
        self._done.update(c for c in own if c is not op)
        if op not in own:
            self._emit(op, [get(o) for o in op.operands], mask)

    def _emit(
        self, op: Operation, given: Sequence[Emitted], mask: SSAValue | None,
        is_seldom: bool = False,
    ) -> None:  # fmt: skip
        b = self.b
        group, low, span = integers(op.attributes[operations.BOUNDS])
        address, begin, room, *size = given
        on = b.new_block()
        near = address if isinstance(address, (Uniform, Affine)) and not size else None
        if near is not None and isinstance(begin, Uniform) and isinstance(room, Uniform):
            facts = _Facts(group, span, begin.value, room.value)
            self._near(facts, near, low, mask, on, is_seldom)
        else:
            row = b.rows.get(address.value) if isinstance(address, Lanes) and not size else None
            if (
                row is not None and row.holds is not None
                and isinstance(begin, Uniform) and isinstance(room, Uniform)
            ):  # fmt: skip
                beside, apart = b.new_block(), b.new_block()
                b.usually(row.holds, beside, apart)
                b.enter(beside)
                facts = _Facts(group, span, begin.value, room.value)
                self._near(facts, Affine(row.base, row.offsets), low, mask, on, is_seldom=True)
                b.enter(apart)
                given = [Lanes(row.again()), *given[1:]]
            self._anywhere(group, low, span, given, mask, on)
        b.enter(on)

    def _near(
        self, facts: _Facts, address: Uniform | Affine, low: int, mask: SSAValue | None, on: Block,
        is_seldom: bool,
    ) -> None:  # fmt: skip
        """Goes on at `on` where lanes at known distances do not miss. Where that is seldom asked,
        nothing is computed for it at the function's beginning."""
        b = self.b
        if isinstance(address, Uniform):
            base, offsets = address.value, (0,) * b.width
        else:
            base, offsets = address.base, address.offsets
        first = min(offsets)
        length = max(offsets) - first + facts.span
        start = b.add(b.value("llvm.ptrtoint", (base,), I64), low)
        origin = b.add(b.value("llvm.sub", (start, facts.begin), I64), first)
        if is_seldom:
            behind = b.value("llvm.sub", (b.add(origin, length), facts.room), I64)
            fits = b.value("llvm.xor", (behind, b.integer(-1)), I64)
            fine = b.icmp("sge", b.value("llvm.or", (origin, fits), I64), 0)
        else:
            fine = b.icmp("ult", origin, self._limit(facts.room, length))
        self._unless(fine, on, b.new_block())
        far = tuple(o - first for o in offsets)
        bad: SSAValue | None = None
        if mask is not None:
            bad = b.both(mask, self._bad_near(origin, far, facts))
            self._unless(b.icmp("eq", b.mask_bits(bad), 0), on, b.new_block())
        step = _step(offsets)
        linear = self._linear()
        if step is None or not isinstance(linear, Affine) or _step(linear.offsets) != 1:
            if bad is None:
                bad = self._bad_near(origin, far, facts)
            starts = b.value("llvm.add", (b.splat(start), b.constant_vector(offsets, I64)),
                             vector_of(I64, b.width))  # fmt: skip
            number, own = self._first(bad, linear, starts)
            self._fail(facts, number, own)
            return
        lanes = b.integer((1 << b.width) - 1) if bad is None else self._bits(bad)
        number = b.add(linear.base, linear.offsets[0])
        self._fail(facts, number, b.add(start, offsets[0]), lanes, step)

    def _unless(self, fine: SSAValue, on: Block, missed: Block) -> None:
        self.b.usually(fine, on, missed)
        self.b.enter(missed)

    def _limit(self, room: SSAValue, span: int) -> SSAValue:
        """How far from its beginning so many bytes may begin, plus one; 0 where they do not fit."""
        key = room, span
        found = self._limits.get(key)
        if found is not None:
            return found
        b = self.b
        found = b.value("llvm.intr.usub.sat", (room, b.integer(span)), I64)
        if room.owner is b.first:
            found.owner.detach()  # type: ignore[union-attr]
            b.first.add_op(found.owner)  # type: ignore[arg-type]
            self._limits[key] = found
        return found

    def _bad_near(self, origin: SSAValue, far: tuple[int, ...], facts: _Facts) -> SSAValue:
        """The lanes that miss, of those so far behind the lowest. What is computed here depends on
        the address alone: LLVM would compute all else before the loop over a block's vectors."""
        b = self.b
        words, distances = vector_of(I64, b.width), b.constant_vector(far, I64)
        behind = b.value("llvm.sub", (b.add(origin, facts.span), facts.room), I64)
        first, last = (
            b.value("llvm.add", (b.splat(value), distances), words) for value in (origin, behind)
        )
        # It begins at 0 or more, and does not reach behind the array.
        fits = b.value("llvm.xor", (last, b.constant_vector([-1] * b.width, I64)), words)
        zeros = b.constant_vector([0] * b.width, I64)
        return b.icmp("slt", b.value("llvm.or", (first, fits), words), zeros)

    def _anywhere(
        self, group: int, low: int, span: int, given: Sequence[Emitted], mask: SSAValue | None,
        on: Block,
    ) -> None:  # fmt: skip
        """Looks at each lane that runs, and goes on at `on` if none misses."""
        b = self.b
        words = vector_of(I64, b.width)
        address, begin, room, *size = (b.as_lanes(g) for g in given)
        start = b.value("llvm.ptrtoint", (address,), words)
        if low:
            start = b.value("llvm.add", (start, b.constant_vector([low] * b.width, I64)), words)
        origin = b.value("llvm.sub", (start, begin), words)
        bytes = size[0] if size else b.constant_vector([span] * b.width, I64)
        bad = b.icmp("uge", origin, b.value("llvm.intr.usub.sat", (room, bytes), words))
        if size:
            bad = b.both(b.icmp("ne", bytes, b.constant_vector([0] * b.width, I64)), bad)
        if mask is not None:
            bad = b.both(mask, bad)
        self._unless(b.icmp("eq", b.mask_bits(bad), 0), on, b.new_block())
        linear, own, begin, room, bytes = self._first(
            bad, self._linear(), start, begin, room, bytes
        )
        self._fail(_Facts(group, 0, begin, room), linear, own, span=bytes)

    def _bits(self, mask: SSAValue) -> SSAValue:
        bits = self.b.mask_bits(mask)
        return bits if bits.type == I64 else self.b.cast("zext", bits, I64)

    def _first(self, bad: SSAValue, linear: Emitted, *values: SSAValue) -> list[SSAValue]:
        """What the first of some lanes has."""
        b = self.b
        bits = b.mask_bits(bad)
        lane = b.value("llvm.intr.cttz", (bits,), bits.type, {"is_zero_poison": IntegerAttr(1, i1)})
        return [b.extract(v, lane) for v in (b.as_lanes(linear), *values)]

    def _fail(
        self, facts: _Facts, linear: SSAValue, start: SSAValue, lanes: SSAValue | None = None,
        step: int = 0, span: SSAValue | None = None,
    ) -> None:  # fmt: skip
        """Ends the kernel: one of `lanes`, `step` bytes apart, misses, lane 0 if there are none;
        `span` is what is only known at run time."""
        b = self.b
        span = b.integer(facts.span) if span is None else span
        found = [
            b.integer(facts.group, I32), linear, b.integer(1) if lanes is None else lanes, start,
            b.integer(step), facts.begin, facts.room, span,
        ]  # fmt: skip
        b.create("llvm.call", found, (), call_properties(BOUNDS_FAILED, found))
        b.create("llvm.unreachable")


class _Facts:
    """A check: its number, the bytes from its address on, and the array's bounds."""

    __slots__ = ("begin", "group", "room", "span")

    def __init__(self, group: int, span: int, begin: SSAValue, room: SSAValue) -> None:
        self.group = group
        self.span = span
        self.begin = begin
        self.room = room


def _step(offsets: tuple[int, ...]) -> int | None:
    """By how much each is larger than the one before; None if that differs."""
    steps = {b - a for a, b in pairwise(offsets)}
    return None if len(steps) > 1 else steps.pop() if steps else 0


_Range = tuple[int, int]
_EXTENSIONS = ("llvm.sext", "llvm.zext")
#: The sum of factors of values of 32 bits, so that their sum is one of 64 bits.
_MOST_FACTORS = 1 << 29
#: Bytes: no block accesses so many of an array.
_MOST_OF_A_BLOCK = 1 << 32


class _Index(NamedTuple):
    """An integer of 64 bits: values that are there before the loop over vectors, with factors, and
    what lies between two numbers. Where `limits` are given it has been extended from 32 bits, and
    is that sum only where the sum lies between them: 32 bits cannot have another."""

    parts: Sequence[tuple[SSAValue, int]]
    low: int
    high: int
    limits: _Range | None = None


def _below(header: Block, counter: SSAValue) -> tuple[str, SSAValue] | None:
    """How a loop's header asks whether a counter is less than something, and than what: `slt` or
    `ult`, with the body of the loop where it is."""
    branch = header.last_op
    if branch is None or branch.name != "llvm.cond_br":
        return None
    less = branch.operands[0].owner
    if isinstance(less, Block) or less.name != "llvm.icmp" or less.operands[0] is not counter:
        return None
    predicate = ICMP[number(prop(less, "predicate"))]
    return (predicate, less.operands[1]) if predicate in ("slt", "ult") else None


def _step_of(following: SSAValue, counter: SSAValue) -> int:
    """By what number a counter grows in an iteration; 0 if that is not known."""
    op = following.owner
    if isinstance(op, Block) or op.name != "llvm.add" or op.operands[0] is not counter:
        return 0
    step = integer_constant(op.operands[1])
    return 0 if step is None else signed(step)


class WholeBlock:
    """Says before a loop over the vectors of a block whether any thread can miss.

    `shape` gives the shape of a value of the kernel with that `graph`, `known` what is the same in
    the whole block and is there before the loop, else None."""

    def __init__(
        self, builder: Builder, graph: ControlFlowGraph, shape: Callable[[SSAValue], Shape],
        known: Callable[[SSAValue], SSAValue | None],
    ) -> None:  # fmt: skip
        self.b = builder
        self._graph = graph
        self._shape = shape
        self._known = known
        self._counters: dict[SSAValue, tuple[int, _Range] | None] = {}
        self._sums = Sums()
        self._narrow = Sums(I32)
        #: The branch that enters the loop; None where the code is in none.
        self.entry: Operation | None = None
        self._answers: dict[tuple[Operation, ...], SSAValue] = {}

    def is_known(self, op: Operation) -> bool:
        """Whether it can be said of a check."""
        if self.entry is None or len(op.operands) != 3:  # no bytes that a value says
            return False
        if any(self._known(v) is None for v in op.operands[1:]):
            return False
        found = self._terms(op)
        return found is not None and _length(found) < _MOST_OF_A_BLOCK

    def _terms(self, op: Operation) -> list[tuple[_Index, int]] | None:
        """The address of a check as a sum, each term with its factor; None where nothing is known
        of one of them."""
        terms, constant = self._sums.address(op.operands[0])
        found = [(_Index((), signed(constant), signed(constant)), 1)]
        for value, factor in terms.items():
            index = self._index(value, op)
            if index is None:
                return None
            found.append((index, signed(factor)))
        return found

    def _index(self, value: SSAValue, op: Operation) -> _Index | None:
        if self._known(value) is not None:
            return _Index(((value, 1),), 0, 0)
        owner = value.owner
        if not isinstance(owner, Block) and owner.name in _EXTENSIONS:
            found = self._extended(owner, op)
            if found is not None:
                return found
        ends = self._range(value, op)
        return None if ends is None else _Index((), *ends)

    def _extended(self, extension: Operation, op: Operation) -> _Index | None:
        """The sum of 32 bits that is made wider. Its parts may wrap: what counts is whether the
        whole does, as numbers without end."""
        narrow = extension.operands[0]
        if narrow.type != I32:
            return None
        terms, constant = self._narrow.sum(narrow)
        low = high = signed(constant, 32)
        parts: list[tuple[SSAValue, int]] = []
        for value, factor in terms.items():
            by = signed(factor, 32)
            if self._known(value) is not None:
                parts.append((value, by))
                continue
            ends = self._range(value, op)
            if ends is None:
                return None
            least, most = sorted(by * n for n in ends)
            low, high = low + least, high + most
        is_signed = extension.name == "llvm.sext"
        limits = (-(1 << 31), (1 << 31) - 1) if is_signed else (0, (1 << 32) - 1)
        if sum(abs(by) for _, by in parts) > _MOST_FACTORS or high - low > limits[1] - limits[0]:
            return None
        shape = self._shape(narrow)
        is_exact = shape.low is not None and (is_signed or shape.low >= 0)
        return _Index(parts, low, high, None if is_exact else limits)

    def _range(self, value: SSAValue, op: Operation) -> _Range | None:
        """Between what numbers a value is where `op` is executed."""
        if value.type not in (I64, I32):
            return None
        shape = self._shape(value)
        if shape.low is not None and shape.high is not None:
            return shape.low, shape.high
        if value not in self._counters:
            self._counters[value] = self._counter(value)
        counter, block = self._counters[value], op.parent
        if counter is None or block is None:
            return None
        body, ends = counter
        return ends if self._graph.dominates(body, self._graph.number[block]) else None

    def _counter(self, value: SSAValue) -> tuple[int, _Range] | None:
        """The body of a loop that `value` counts, as the block that its test leads to, and between
        what numbers it is there: at least what it begins with, and below what has a greatest value.
        """
        graph, header = self._graph, value.owner
        if not isinstance(header, Block) or header not in graph.number:
            return None
        at = graph.number[header]
        loop = graph.loop_of[at]
        if loop is None or loop.header != at or not (test := _below(header, value)):
            return None
        far = 1 << (cast("IntegerType", value.type).width.data - 3)
        predicate, bound, body = test[0], self._shape(test[1]).high, graph.target((at, 0))
        if bound is None or body not in loop.blocks or len(graph.edges_in[body]) != 1:
            return None
        least: list[int] = []
        for before, index in graph.edges_in[at]:
            branch = cast("Operation", graph.blocks[before].last_op)
            given = (successor_operands(branch, index) or [])[cast("BlockArgument", value).index]
            if before not in loop.blocks:
                low = self._shape(given).low
                if low is None:
                    return None
                least.append(low)
            elif not 0 < _step_of(given, value) < far:
                return None
        # Less than `far` from a bound below `far` no sum of both wraps.
        low = min(least)
        if not -far < low <= bound < far or (predicate == "ult" and low < 0):
            return None
        return body, (low, bound - 1)

    def holds(self, checks: Sequence[Operation]) -> SSAValue:
        """Whether none of these checks can fail, computed before the loop."""
        key = tuple(checks)
        found = self._answers.get(key)
        if found is not None:
            return found
        b, entry = self.b, self.entry
        assert entry is not None
        here, b.block = b.block, Block()
        for op in checks:
            fine = self._holds(op)
            found = fine if found is None else b.binary("and", found, fine)
        built, b.block = b.block, here
        for op in list(built.ops):
            op.detach()
            cast("Block", entry.parent).insert_op_before(op, entry)
        assert found is not None
        self._answers[key] = found
        return found

    def _holds(self, op: Operation) -> SSAValue:
        b = self.b
        _, low, span = integers(op.attributes[operations.BOUNDS])
        terms = self._terms(op) or []
        begin, room = (cast("SSAValue", self._known(v)) for v in op.operands[1:])
        first, fine = low, None
        start: SSAValue | None = None
        for index, factor in terms:
            first += min(factor * index.low, factor * index.high)
            value = self._sum(index)
            if value is None:
                continue
            if index.limits is not None:
                fits = self._fits(value, index, index.limits)
                fine = fits if fine is None else b.binary("and", fine, fits)
            term = b.mul(value, factor)
            start = term if start is None else b.binary("add", start, term)
        assert start is not None  # the pointer is there
        origin = b.add(b.value("llvm.sub", (start, begin), I64), first)
        length = b.integer(_length(terms) + span)
        inside = b.icmp("ult", origin, b.value("llvm.intr.usub.sat", (room, length), I64))
        return inside if fine is None else b.binary("and", fine, inside)

    def _sum(self, index: _Index) -> SSAValue | None:
        """The parts of an index, added as integers of 64 bits."""
        b = self.b
        total: SSAValue | None = None
        for value, factor in index.parts:
            known = cast("SSAValue", self._known(value))
            if known.type == I32:
                known = b.cast("sext", known, I64)
            elif known.type != I64:
                known = b.value("llvm.ptrtoint", (known,), I64)
            term = b.mul(known, factor)
            total = term if total is None else b.binary("add", total, term)
        return total

    def _fits(self, parts: SSAValue, index: _Index, limits: _Range) -> SSAValue:
        """Whether a sum with these parts lies between limits, whatever else is in it."""
        b = self.b
        room = limits[1] - limits[0] - (index.high - index.low)
        return b.icmp("ule", b.add(parts, index.low - limits[0]), room)


def _length(terms: Sequence[tuple[_Index, int]]) -> int:
    """How far apart the least and the greatest sum are."""
    return sum(abs(factor) * (index.high - index.low) for index, factor in terms)

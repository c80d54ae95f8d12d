# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions that `async-parallel-for` makes of a parallel loop.

The *compute function* works on one block of the loop's iteration space: of the indices from
`block_index * block_size` on, seen as a line. Its arguments are the two, the trip counts, lower
bounds, upper bounds and steps of the loop, and what its body uses from outside.

The *dispatch function* is given a range of blocks: it hands the upper half of it to a task of its
own again and again, and works on the first block itself. Source: MLIR 22.1 AsyncParallelFor.cpp.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    FunctionType,
    IndexType,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.core import ods
from xgpu.core.ir.symbols import SymbolTable
from xgpu.core.rewriting.rewriter import Rewriter
from xgpu.dialects.arith.builders import binary, cmpi, index_constant
from xgpu.dialects.gpu.ops import clone_with_locations, parent_of, used_values_defined_above

if TYPE_CHECKING:
    from xgpu.dialects import async_, scf


INDEX = IndexType()


def call(rw: Rewriter, function: Operation, operands: Sequence[SSAValue]) -> None:
    name = cast("StringAttr", function.properties["sym_name"])
    rw.create("func.call", operands, (), {"callee": SymbolRefAttr(name)})


def new_block(rw: Rewriter, types: Sequence[Attribute] = ()) -> Block:
    block = Block(arg_types=types)
    arguments = block.args
    assert rw.location is not None
    for argument in arguments:
        argument.location = rw.location
    return block


def execute_into_group(
    rw: Rewriter, group: SSAValue, function: Operation, operands: Sequence[SSAValue]
) -> None:
    """An async.execute that calls `function`; its token joins `group`."""
    with rw.inside(new_block(rw)) as body:
        call(rw, function, operands)
        rw.create("async.yield")
    token = ods.attr_class("async.token")()
    execute = rw.create("async.execute", [[], []], (token,), regions=(Region(body),))
    rw.create("async.add_to_group", (execute.results[0], group), (INDEX,))


def _function(
    rw: Rewriter, name: str, inputs: Sequence[Attribute], around: Operation
) -> tuple[Operation, Block]:
    """A new private function at the end of the module, and its block."""
    module = parent_of(around, "builtin.module")
    assert module is not None
    block = new_block(rw, inputs)
    function = ods.create(
        "func.func",
        properties={
            "sym_name": StringAttr(name),
            "function_type": FunctionType.from_lists(list(inputs), []),
            "sym_visibility": StringAttr("private"),
        },
        regions=(Region(block),),
        location=rw.location,
    )
    SymbolTable(module).insert(function)
    rw.inserted(function)
    return function, block


class Bounds:
    """What is known at compile time of the loop: an attribute or None for each dimension."""

    __slots__ = ("lower", "steps", "trip_counts", "upper")

    def __init__(
        self,
        trip_counts: Sequence[IntegerAttr | None],
        lower: Sequence[IntegerAttr | None],
        upper: Sequence[IntegerAttr | None],
        steps: Sequence[IntegerAttr | None],
    ) -> None:
        self.trip_counts = trip_counts
        self.lower = lower
        self.upper = upper
        self.steps = steps


class ComputeFunction:
    """Builds the compute function of the parallel loop `op`.

    The `aligned` innermost loops always run from 0 to their trip count: the caller guarantees
    that blocks are multiples of them.
    """

    def __init__(self, rw: Rewriter, op: scf.ParallelOp, bounds: Bounds, aligned: int) -> None:
        self.rw = rw
        self.op = op
        self.rank = len(op.regions[0].blocks[0].args)
        self.aligned = aligned
        self.captures = used_values_defined_above(op.regions[0])
        inputs: list[Attribute] = [INDEX] * (2 + 4 * self.rank)
        inputs += [value.type for value in self.captures]
        name = "parallel_compute_fn_with_aligned_loops" if aligned else "parallel_compute_fn"
        self.func, block = _function(rw, name, inputs, op)
        with rw.inside(block):
            self._build(block, bounds)

    def _build(self, block: Block, bounds: Bounds) -> None:
        rw, rank = self.rw, self.rank
        arguments = block.args
        index, size = arguments[:2]
        self.arguments = arguments[2 + 4 * rank :]
        self.zero, self.one = index_constant(rw, 0), index_constant(rw, 1)
        self.trip_counts = self._known(arguments[2 : 2 + rank], bounds.trip_counts)
        self.lower = self._known(arguments[2 + rank : 2 + 2 * rank], bounds.lower)
        self.steps = self._known(arguments[2 + 3 * rank : 2 + 4 * rank], bounds.steps)
        total = self.trip_counts[0]
        for count in self.trip_counts[1:]:
            total = binary(rw, "muli", total, count)
        first = binary(rw, "muli", index, size)
        end = binary(rw, "addi", first, size)
        end = binary(rw, "minsi", end, total)
        last = binary(rw, "subi", end, self.one)
        self.first = self._coordinates(first)
        self.last = self._coordinates(last)
        self.end = [binary(rw, "addi", value, self.one) for value in self.last]
        #: For each loop: its induction variable, and whether it and all loops around it are in
        #: their first (last) iteration.
        self.variables: list[SSAValue] = []
        self.is_first: list[SSAValue] = []
        self.is_last: list[SSAValue] = []
        self._loop(0, self.first[0], self.end[0])
        rw.create("func.return")

    def _known(
        self, arguments: Sequence[SSAValue], attributes: Sequence[Attribute | None]
    ) -> list[SSAValue]:
        """Constants in place of the arguments whose values are known."""
        return [
            argument
            if attribute is None
            else self.rw.value("arith.constant", (), argument.type, {"value": attribute})
            for argument, attribute in zip(arguments, attributes, strict=True)
        ]

    def _coordinates(self, index: SSAValue) -> list[SSAValue]:
        """The coordinates of a position on the line."""
        found: list[SSAValue] = []
        for count in reversed(self.trip_counts):
            found.append(binary(self.rw, "remsi", index, count))
            index = binary(self.rw, "divsi", index, count)
        return found[::-1]

    def _loop(self, depth: int, lower: SSAValue, upper: SSAValue) -> None:
        rw = self.rw
        with rw.inside(new_block(rw, (INDEX,))) as body:
            self._body(depth, body.args[0])
            rw.create("scf.yield")
        rw.create("scf.for", (lower, upper, self.one), (), regions=(Region(body),))

    def _body(self, depth: int, iteration: SSAValue) -> None:
        rw = self.rw
        scaled = binary(rw, "muli", iteration, self.steps[depth])
        self.variables.append(binary(rw, "addi", self.lower[depth], scaled))
        self.is_first.append(cmpi(rw, "eq", iteration, self.first[depth]))
        self.is_last.append(cmpi(rw, "eq", iteration, self.last[depth]))
        if depth > 0:
            for flags in (self.is_first, self.is_last):
                flags[depth] = binary(rw, "andi", flags[depth], flags[depth - 1])
        inner = depth + 1
        if inner == self.rank:
            self._clone_body()
        elif inner >= self.rank - self.aligned:
            self._loop(inner, self.zero, self.trip_counts[inner])
        else:
            lower = self._select(self.is_first[depth], self.first[inner], self.zero)
            upper = self._select(self.is_last[depth], self.end[inner], self.trip_counts[inner])
            self._loop(inner, lower, upper)

    def _select(self, condition: SSAValue, one: SSAValue, other: SSAValue) -> SSAValue:
        return self.rw.value("arith.select", (condition, one, other), one.type)

    def _clone_body(self) -> None:
        body = self.op.regions[0].blocks[0]
        mapping: dict[SSAValue, SSAValue] = dict(zip(body.args, self.variables, strict=True))
        mapping.update(zip(self.captures, self.arguments, strict=True))
        for op in body.ops:
            if op is not body.last_op:
                self.rw.insert(clone_with_locations(op, mapping))


def dispatch_function(rw: Rewriter, compute: ComputeFunction) -> Operation:
    """Builds the function that splits a range of blocks among tasks."""
    group_type = cast("async_.GroupType", ods.attr_class("async.group")())
    function_type = cast("FunctionType", compute.func.properties["function_type"])
    inputs = [group_type, INDEX, *function_type.inputs.data]
    function, block = _function(rw, "async_dispatch_fn", inputs, compute.func)
    group, start, end, *forwarded = block.args
    with rw.inside(block):
        one, two = index_constant(rw, 1), index_constant(rw, 2)
        before, after = new_block(rw, (INDEX, INDEX)), new_block(rw, (INDEX, INDEX))
        rw.create(
            "scf.while", (start, end), (INDEX, INDEX), regions=(Region(before), Region(after))
        )
        with rw.inside(before):
            distance = binary(rw, "subi", before.args[1], before.args[0])
            more = cmpi(rw, "sgt", distance, one)
            rw.create("scf.condition", (more, *before.args))
        with rw.inside(after):
            distance = binary(rw, "subi", after.args[1], after.args[0])
            half = binary(rw, "divsi", distance, two)
            middle = binary(rw, "addi", after.args[0], half)
            operands = [group, middle, after.args[1], *forwarded]
            execute_into_group(rw, group, function, operands)
            rw.create("scf.yield", (after.args[0], middle))
        call(rw, compute.func, [start, *forwarded])
        rw.create("func.return")
    return function


def conditional(
    rw: Rewriter, condition: SSAValue, then: Callable[[], None], otherwise: Callable[[], None]
) -> None:
    """An scf.if without results."""
    blocks: list[Block] = []
    for build in (then, otherwise):
        with rw.inside(new_block(rw)) as block:
            build()
            rw.create("scf.yield")
        blocks.append(block)
    rw.create("scf.if", (condition,), (), regions=[Region(b) for b in blocks])

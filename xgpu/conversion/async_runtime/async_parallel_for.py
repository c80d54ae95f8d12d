# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`async-parallel-for`: an scf.parallel becomes tasks over blocks of its iteration space."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.context import Context
from xdsl.dialects.builtin import (
    FloatAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    f32,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.conversion.async_runtime.async_to_async_runtime import clone_constants_into
from xgpu.core import ods
from xgpu.core.ir.blocks import block_with
from xgpu.core.ir.constants import constant_of
from xgpu.core.ir.construction import clone_operation
from xgpu.core.ir.symbols import SymbolTable
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.core.rewriting.folding import fold, materialize
from xgpu.dialects.arith.builders import attribute_constant, binary, cmpi, index_constant, select
from xgpu.dialects.gpu.ops import parent_of, used_values_defined_above

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter
    from xgpu.dialects import async_, scf


# --- parallel functions --------------------------------------------------------------------------
# The functions that `async-parallel-for` makes of a parallel loop.
#
# The *compute function* works on one block of the loop's iteration space: of the indices from
# `block_index * block_size` on, seen as a line. Its arguments are the two, the trip counts, lower
# bounds, upper bounds and steps of the loop, and what its body uses from outside.
#
# The *dispatch function* is given a range of blocks: it hands the upper half of it to a task of its
# own again and again, and works on the first block itself. Source: MLIR 22.1 AsyncParallelFor.cpp.


INDEX = IndexType()


def call(rw: Rewriter, function: Operation, operands: Sequence[SSAValue]) -> None:
    name = cast("StringAttr", function.properties["sym_name"])
    rw.create("func.call", operands, (), {"callee": SymbolRefAttr(name)})


def new_block(rw: Rewriter, types: Sequence[Attribute] = ()) -> Block:
    return block_with(types, rw.location)


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
        return select(self.rw, condition, one, other)

    def _clone_body(self) -> None:
        body = self.op.regions[0].blocks[0]
        mapping: dict[SSAValue, SSAValue] = dict(zip(body.args, self.variables, strict=True))
        mapping.update(zip(self.captures, self.arguments, strict=True))
        for op in body.ops:
            if op is not body.last_op:
                self.rw.insert(clone_operation(op, mapping))


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


# --- async parallel for --------------------------------------------------------------------------
# `async-parallel-for`: an scf.parallel becomes tasks over blocks of its iteration space.
#
# How large a block is follows from the number of workers and the least size of a task. Source:
# MLIR 22.1 AsyncParallelFor.cpp.


#: Inner loops of together at most so many iterations, known at compile time, are not cut.
_MAX_UNROLLABLE = 512
#: Blocks for each worker: the first, and from more than so many workers on the others.
_OVERSHARDING = 8.0
_OVERSHARDING_ABOVE = ((4, 4.0), (8, 2.0), (16, 1.0), (32, 0.8), (64, 0.6))


class AsyncParallelForPass(Pass):
    """Splits parallel loops into asynchronous tasks."""

    name = "async-parallel-for"
    summary = (
        "Convert scf.parallel operations to multiple async compute ops executed concurrently "
        "for non-overlapping iteration ranges"
    )
    anchor = "builtin.module"
    options = (
        Option(
            "async-dispatch",
            bool,
            True,
            "Dispatch async compute tasks using recursive work splitting. If `false` async "
            "compute tasks will be launched using simple for loop in the caller thread.",
        ),
        Option(
            "num-workers",
            int,
            8,
            "The number of available workers to execute async operations. If `-1` the value "
            "will be retrieved from the runtime.",
        ),
        Option(
            "min-task-size", int, 1000, "The minimum task size for sharding parallel operation."
        ),
    )
    async_dispatch: bool
    num_workers: int
    min_task_size: int

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.core.rewriting.greedy import apply_patterns

        def rewrite(loop: scf.ParallelOp, rw: GreedyRewriter) -> bool:
            return _Split(self, loop, rw).run()

        apply_patterns(op, {"scf.parallel": (rewrite,)}, top_down=False)


def _fold_or_create(rw: GreedyRewriter, name: str, left: SSAValue, right: SSAValue) -> SSAValue:
    """The operation, or what it folds to."""
    op = ods.create(f"arith.{name}", (left, right), (left.type,), location=rw.location)
    folded = fold(op)
    if isinstance(folded, list):
        value = folded[0]
        if not isinstance(value, SSAValue):
            made = materialize(rw, value, left.type, "arith")
            assert made is not None
            value = made
        op.drop_all_references()
        return value
    return rw.insert(op).results[0]


def _constants(values: Sequence[SSAValue]) -> list[IntegerAttr | None]:
    found = [constant_of(value) for value in values]
    return [a if isinstance(a, IntegerAttr) else None for a in found]


class _Split:
    """The rewriting of one parallel loop."""

    def __init__(
        self, options: AsyncParallelForPass, op: scf.ParallelOp, rw: GreedyRewriter
    ) -> None:
        self.options = options
        self.op = op
        self.rw = rw

    def run(self) -> bool:
        op, rw = self.op, self.rw
        if op.results:  # reductions
            return False
        self.least = index_constant(rw, self.options.min_task_size)
        clone_constants_into(op.regions[0])
        self.lower = list(op.lower_bound)
        self.upper = list(op.upper_bound)
        self.steps = list(op.step)
        self.trip_counts: list[SSAValue] = []
        for lower, upper, step in zip(self.lower, self.upper, self.steps, strict=True):
            span = _fold_or_create(rw, "subi", upper, lower)
            self.trip_counts.append(_fold_or_create(rw, "ceildivsi", span, step))
        self.total = self.trip_counts[0]
        for count in self.trip_counts[1:]:
            self.total = binary(rw, "muli", self.total, count)
        zero = index_constant(rw, 0)
        nothing = cmpi(rw, "eq", self.total, zero)
        conditional(rw, nothing, lambda: None, self._dispatch)
        rw.erase(op)
        return True

    def _dispatch(self) -> None:
        rw = self.rw
        self.bounds = Bounds(
            *map(_constants, (self.trip_counts, self.lower, self.upper, self.steps))
        )
        unrollable, iterations = self._unrollable()
        workers = self._scaled_workers()
        most = binary(rw, "maxsi", index_constant(rw, 1), workers)
        size = binary(rw, "ceildivsi", self.total, most)
        size = binary(rw, "maxsi", size, self.least)
        self.block_size = binary(rw, "minsi", self.total, size)
        self.block_count = binary(rw, "ceildivsi", self.total, self.block_size)
        if not unrollable:
            self._launch(0, self.block_size)
            return
        inner = index_constant(rw, iterations)
        whole = cmpi(rw, "sge", self.block_size, inner)

        def aligned() -> None:
            compute = ComputeFunction(rw, self.op, self.bounds, unrollable)
            inner = index_constant(rw, iterations)
            blocks = binary(rw, "ceildivsi", self.block_size, inner)
            self._launch_compute(compute, binary(rw, "muli", blocks, inner))

        conditional(rw, whole, aligned, lambda: self._launch(0, self.block_size))

    def _unrollable(self) -> tuple[int, int]:
        """How many inner loops are not cut, and the product of their trip counts."""
        counts = self.bounds.trip_counts
        known = [0 if c is None else c.value.data for c in counts]
        products = [0] * len(known)
        products[-1] = known[-1]
        number = 0
        for i in range(len(known) - 2, -1, -1):
            products[i] = known[i] * products[i + 1]
            if 0 < products[i + 1] <= _MAX_UNROLLABLE:
                number += 1
        return number, products[len(known) - number] if number else 0

    def _scaled_workers(self) -> SSAValue:
        """The number of blocks that keep the workers busy; the more workers, the fewer each."""
        rw, number = self.rw, self.options.num_workers
        if number >= 0:
            workers = index_constant(rw, number)
        else:
            workers = rw.value("async.runtime.num_worker_threads", (), INDEX)
        factor = self._float(_OVERSHARDING)
        for above, less in _OVERSHARDING_ABOVE:
            begin = index_constant(rw, above)
            inside = cmpi(rw, "sgt", workers, begin)
            factor = select(rw, inside, self._float(less), factor)
        as_int = rw.value("arith.index_cast", (workers,), i32)
        as_float = rw.value("arith.sitofp", (as_int,), f32)
        none = {"fastmath": ods.enum("arith.fastmath", "none")}
        scaled = rw.value("arith.mulf", (factor, as_float), f32, none)
        back = rw.value("arith.fptosi", (scaled,), i32)
        return rw.value("arith.index_cast", (back,), INDEX)

    def _float(self, value: float) -> SSAValue:
        return attribute_constant(self.rw, FloatAttr(value, f32), f32)

    # --- tasks -------------------------------------------------------------------------------
    def _launch(self, aligned: int, block_size: SSAValue) -> None:
        self._launch_compute(ComputeFunction(self.rw, self.op, self.bounds, aligned), block_size)

    def _launch_compute(self, compute: ComputeFunction, block_size: SSAValue) -> None:
        self.compute = compute
        self.shared = [
            block_size, *self.trip_counts, *self.lower, *self.upper, *self.steps,
            *compute.captures,
        ]  # fmt: skip
        if self.options.async_dispatch:
            self._split_recursively()
        else:
            self._submit_in_turn()

    def _group(self, one: SSAValue) -> SSAValue:
        """A group for the tasks: the first block is the caller's own."""
        size = binary(self.rw, "subi", self.block_count, one)
        return self.rw.value("async.create_group", (size,), ods.attr_class("async.group")())

    def _split_recursively(self) -> None:
        rw, compute, shared = self.rw, self.compute, self.shared
        dispatch = dispatch_function(rw, compute)
        zero, one = index_constant(rw, 0), index_constant(rw, 1)
        single = cmpi(rw, "eq", self.block_count, one)

        def launch() -> None:
            group = self._group(one)
            call(rw, dispatch, [group, zero, self.block_count, *shared])
            rw.create("async.await_all", (group,))

        conditional(rw, single, lambda: call(rw, compute.func, [zero, *shared]), launch)

    def _submit_in_turn(self) -> None:
        rw, function, shared = self.rw, self.compute.func, self.shared
        zero, one = index_constant(rw, 0), index_constant(rw, 1)
        group = self._group(one)
        with rw.inside(new_block(rw, (INDEX,))) as body:
            execute_into_group(rw, group, function, [body.args[0], *shared])
            rw.create("scf.yield")
        rw.create("scf.for", (one, self.block_count, one), (), regions=(Region(body),))
        call(rw, function, [zero, *shared])
        rw.create("async.await_all", (group,))

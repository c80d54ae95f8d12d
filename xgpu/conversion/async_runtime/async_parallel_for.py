# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`async-parallel-for`: an scf.parallel becomes tasks over blocks of its iteration space.

How large a block is follows from the number of workers and the least size of a task. Source:
MLIR 22.1 AsyncParallelFor.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import FloatAttr, IntegerAttr, f32, i32
from xdsl.ir import Operation, Region, SSAValue

from xgpu.conversion.async_runtime.async_to_async_runtime import clone_constants_into
from xgpu.conversion.async_runtime.parallel_functions import (
    INDEX,
    Bounds,
    ComputeFunction,
    call,
    conditional,
    dispatch_function,
    execute_into_group,
    new_block,
)
from xgpu.core import ods
from xgpu.core.ir.constants import constant_of
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.folding import fold
from xgpu.core.rewriting.materialize import materialize
from xgpu.dialects.arith.builders import attribute_constant, binary, cmpi, index_constant

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.core.rewriting.greedy import GreedyRewriter
    from xgpu.dialects import scf

#: Inner loops of together at most so many iterations, known at compile time, are not cut.
_MAX_UNROLLABLE = 512
#: Blocks for each worker: the first, and from more than so many workers on the others.
_OVERSHARDING = 8.0
_OVERSHARDING_ABOVE = ((4, 4.0), (8, 2.0), (16, 1.0), (32, 0.8), (64, 0.6))


class AsyncParallelFor(Pass):
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

    def __init__(self, options: AsyncParallelFor, op: scf.ParallelOp, rw: GreedyRewriter) -> None:
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
            factor = rw.value("arith.select", (inside, self._float(less), factor), f32)
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

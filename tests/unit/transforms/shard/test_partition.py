# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program that is partitioned over a grid computes what it computed as a whole.

Ranks are simulated: each value of the partitioned function is one array a process, and collectives
are what NumPy does with the arrays of a group.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from xgpu.core.ir.constants import constant_value
from xgpu.core.passes.pipeline_text import parse_pipeline
from xgpu.core.syntax import context, parse_module
from xgpu.core.syntax.verify import verify_module
from xgpu.dialects.linalg import ops as linalg_ops
from xgpu.dialects.shard.sharding import axes_of

PASSES = "builtin.module(shard-distribute)"
GRIDS = ((2,), (4,), (2, 2), (2, 4))
SIZE = 8

Shape = tuple[int, ...]
Array = Any


# -- A model of a grid of processes.


class Grid:
    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.processes = list(itertools.product(*map(range, shape)))

    def place(self, process: Shape, axes: Sequence[int]) -> tuple[int, int]:
        """The index of a process among those along some axes, and their number."""
        index, count = 0, 1
        for axis in axes:
            index, count = index * self.shape[axis] + process[axis], count * self.shape[axis]
        return index, count

    def groups(self, axes: Sequence[int]) -> list[list[int]]:
        """The numbers of the processes of each group along some axes, in order."""
        found: dict[Shape, list[int]] = {}
        for number, process in enumerate(self.processes):
            rest = tuple(at for axis, at in enumerate(process) if axis not in axes)
            found.setdefault(rest, []).append(number)
        return [
            sorted(group, key=lambda number: self.place(self.processes[number], axes)[0])
            for group in found.values()
        ]

    def shard(self, whole: Array, process: Shape, split: Sequence[Sequence[int]]) -> Array:
        for dimension, axes in enumerate(split):
            index, count = self.place(process, axes)
            whole = np.split(whole, count, dimension)[index]
        return whole


class Ranks:
    """Runs a function on all processes at once; a value is a list of one array a process."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.values: dict[Any, list[Array]] = {}

    def run(self, function: Any, arguments: Sequence[list[Array]]) -> list[list[Array]]:
        self.values.update(zip(function.regions[0].block.args, arguments, strict=True))
        return self.block(function.regions[0].block)

    def block(self, block: Any) -> list[list[Array]]:
        for op in block.ops:
            operands = [self.values[value] for value in op.operands]
            if op is block.last_op:
                return operands
            results = self.operation(op, operands)
            self.values.update(zip(op.results, results, strict=True))
        raise AssertionError("a block without a terminator")

    def operation(self, op: Any, operands: list[list[Array]]) -> list[list[Array]]:
        dialect, _, name = op.name.partition(".")
        if dialect == "shard":
            return getattr(self, name)(op, *operands)
        if op.name == "scf.if":
            return self.conditional(op, operands[0])
        compute = _compute(op)
        return [[compute(*given) for given in zip(*operands, strict=True)] or self.same(compute())]

    def same(self, value: Array) -> list[Array]:
        return [value] * len(self.grid.processes)

    def conditional(self, op: Any, condition: list[Array]) -> list[list[Array]]:
        yes, no = (self.block(region.block) for region in op.regions)
        return [
            [a if c else b for c, a, b in zip(condition, *both, strict=True)]
            for both in zip(yes, no, strict=True)
        ]

    # --- collectives -------------------------------------------------------------------------
    def _each_group(
        self, op: Any, given: list[Array], combine: Callable[[list[Array]], list[Array]]
    ) -> list[list[Array]]:
        result: list[Array] = [None] * len(given)
        for group in self.grid.groups(axes_of(op)):
            made = combine([given[number] for number in group])
            for number, value in zip(group, made, strict=True):
                result[number] = value
        return [result]

    def all_reduce(self, op: Any, given: list[Array]) -> list[list[Array]]:
        return self._each_group(op, given, lambda parts: [sum(parts)] * len(parts))

    def all_gather(self, op: Any, given: list[Array]) -> list[list[Array]]:
        at = op.properties["gather_axis"].value.data
        return self._each_group(op, given, lambda p: [np.concatenate(p, at)] * len(p))

    def all_slice(self, op: Any, given: list[Array]) -> list[list[Array]]:
        at = op.properties["slice_axis"].value.data
        return self._each_group(
            op, given, lambda p: [np.split(x, len(p), at)[i] for i, x in enumerate(p)]
        )

    def reduce_scatter(self, op: Any, given: list[Array]) -> list[list[Array]]:
        at = op.properties["scatter_axis"].value.data
        return self._each_group(op, given, lambda p: np.split(sum(p), len(p), at))

    def all_to_all(self, op: Any, given: list[Array]) -> list[list[Array]]:
        split = op.properties["split_axis"].value.data
        joined = op.properties["concat_axis"].value.data

        def exchange(parts: list[Array]) -> list[Array]:
            pieces = [np.split(part, len(parts), split) for part in parts]
            return [np.concatenate(column, joined) for column in zip(*pieces, strict=True)]

        return self._each_group(op, given, exchange)

    def process_multi_index(self, op: Any) -> list[list[Array]]:
        axes = axes_of(op, "axes") or range(len(self.grid.shape))
        return [[process[axis] for process in self.grid.processes] for axis in axes]

    def grid_shape(self, op: Any) -> list[list[Array]]:
        axes = axes_of(op, "axes") or range(len(self.grid.shape))
        return [self.same(self.grid.shape[axis]) for axis in axes]


# -- Operations on one process.


def _compute(op: Any) -> Callable[..., Array]:
    shape = tuple(getattr(op.results[0].type, "get_shape", tuple)())
    if op.name == "arith.constant":
        return lambda: _constant(op)
    if op.name == "affine.apply":
        return lambda *symbols: op.properties["map"].data.eval(
            list(symbols[: op.properties["map"].data.num_dims]),
            list(symbols[op.properties["map"].data.num_dims :]),
        )[0]
    if op.name == "arith.cmpi":
        return lambda left, right: left == right
    if op.name == "linalg.transpose":
        order = linalg_ops.numbers(op, "permutation")
        return lambda given, _: given.transpose(order)
    return {
        "arith.addf": lambda left, right: left + right,
        "linalg.add": lambda left, right, _: left + right,
        "linalg.fill": lambda value, given: np.full_like(given, value),
        "linalg.matmul": lambda left, right, given: given + left @ right,
        "linalg.mul": lambda left, right, _: left * right,
        "shard.shard": lambda given, _: given,
        "tensor.cast": lambda given: given,
        "tensor.empty": lambda: np.full(shape, np.nan),
    }[op.name]


def _constant(op: Any) -> Array:
    value: Any = constant_value(op)
    if not hasattr(value, "get_element_type"):
        return value.value.data
    elements = np.array(list(value.get_values()), float)
    return np.broadcast_to(elements, value.type.get_shape())


# -- Random programs.


class Program:
    """A chain of operations on square tensors, of which random ones have random shardings."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.grid = Grid(self.random.choice(GRIDS))
        self.lines: list[str] = []
        self.count = 0
        #: How each argument is split.
        self.arguments: list[list[list[int]]] = []
        self.tensors = [self._argument(number) for number in range(3)]
        for _ in range(self.random.randint(1, 5)):
            self.tensors.append(self._operation())
        self.split = self._sharding()
        self.result = self._annotated(self.tensors[-1], self.split, for_users=True)

    def _name(self) -> str:
        self.count += 1
        return f"%{self.count + 100}"

    def _sharding(self) -> list[list[int]]:
        split: list[list[int]] = [[], []]
        for axis in self.random.sample(range(len(self.grid.shape)), len(self.grid.shape)):
            if self.random.random() < 0.7:
                self.random.choice(split).append(axis)
        return split

    def _annotated(self, value: str, split: list[list[int]], *, for_users: bool) -> str:
        sharding, made = self._name(), self._name()
        users = " annotate_for_users" if for_users else ""
        self.lines.append(f"{sharding} = shard.sharding @g split_axes = {split} : !shard.sharding")
        self.lines.append(f"{made} = shard.shard {value} to {sharding}{users} : {TENSOR}")
        return made

    def _argument(self, number: int) -> str:
        self.arguments.append(self._sharding())
        return self._annotated(f"%a{number}", self.arguments[-1], for_users=False)

    def _operation(self) -> str:
        kind = self.random.choice(("add", "mul", "matmul", "matmul", "transpose", "addf"))
        left, right, into = (self.random.choice(self.tensors) for _ in range(3))
        made = self._name()
        if kind == "addf":
            self.lines.append(f"{made} = arith.addf {left}, {right} : {TENSOR}")
        elif kind == "transpose":
            self.lines.append(
                f"{made} = linalg.transpose ins({left} : {TENSOR}) outs({into} : {TENSOR}) "
                "permutation = [1, 0]"
            )
        else:
            if kind == "matmul" and self.random.random() < 0.5:
                into = self._zeros()
            self.lines.append(
                f"{made} = linalg.{kind} ins({left}, {right} : {TENSOR}, {TENSOR}) "
                f"outs({into} : {TENSOR}) -> {TENSOR}"
            )
        if self.random.random() < 0.3:
            return self._annotated(made, self._sharding(), for_users=False)
        return made

    def _zeros(self) -> str:
        zero, empty, made = self._name(), self._name(), self._name()
        self.lines.append(f"{zero} = arith.constant 0.0 : f32")
        self.lines.append(f"{empty} = tensor.empty() : {TENSOR}")
        self.lines.append(
            f"{made} = linalg.fill ins({zero} : f32) outs({empty} : {TENSOR}) -> {TENSOR}"
        )
        return made

    @property
    def text(self) -> str:
        shape = "x".join(map(str, self.grid.shape))
        arguments = ", ".join(f"%a{n}: {TENSOR}" for n in range(3))
        body = "\n  ".join([*self.lines, f"return {self.result} : {TENSOR}"])
        head = f"func.func @f({arguments}) -> {TENSOR}"
        return f"shard.grid @g(shape = {shape})\n{head} {{\n  {body}\n}}\n"


TENSOR = f"tensor<{SIZE}x{SIZE}xf32>"


class Whole(Ranks):
    """One process that has all tensors as a whole."""

    def __init__(self) -> None:
        super().__init__(Grid((1,)))

    def sharding(self, op: Any) -> list[list[Array]]:
        return [[None]]

    def shard(self, op: Any, given: list[Array], _: list[Array]) -> list[list[Array]]:
        return [given]


def _function(module: Any) -> Any:
    return next(op for op in module.body.block.ops if op.name == "func.func")


def _check(seed: int) -> None:
    program = Program(seed)
    inputs = [
        np.random.default_rng(seed + n).integers(-3, 4, (SIZE, SIZE)).astype(float)
        for n in range(3)
    ]
    module = parse_module(program.text)
    wanted = Whole().run(_function(module), [[given] for given in inputs])[0][0]
    parse_pipeline(PASSES).run(module, context(), [])
    verify_module(module)
    grid = program.grid
    parts = [
        [grid.shard(given, process, split) for process in grid.processes]
        for given, split in zip(inputs, program.arguments, strict=True)
    ]
    found = Ranks(grid).run(_function(module), parts)[0]
    for process, part in zip(grid.processes, found, strict=True):
        np.testing.assert_array_equal(part, grid.shard(wanted, process, program.split))


@pytest.mark.parametrize("seed", range(24))
def test_ranks_compute_the_whole(seed: int) -> None:
    _check(seed)


@pytest.mark.long
def test_ranks_compute_the_whole_of_more_programs() -> None:
    for seed in range(100, 500):
        _check(seed)

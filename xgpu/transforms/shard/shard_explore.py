# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`shard-explore`: how to split the arguments of functions over a grid, by a model of costs.

Each way to split the arguments is propagated, in two orders, and partitioned. What one process then
computes and receives, divided by the rates that the options say, is its time; the arguments and
results that it holds are its memory. Where there are too many ways for that, one argument after the
other takes the way that is best beside the others', from several beginnings, until none changes.

The best ways are said as remarks, and the best is put into the function with all that follows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Protocol, TypeVar, cast

from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, SymbolRefAttr, TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core.ir.construction import clone_operation
from xgpu.core.ir.diagnostic import Diagnostic
from xgpu.core.ir.errors import DiagnosticError, op_error
from xgpu.core.ir.op_info import traits_of
from xgpu.core.ir.symbols import symbol_name
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.core.syntax import context, parse_module, print_module
from xgpu.core.syntax.diagnostics import emit
from xgpu.dialects.llvm.types import DataLayout
from xgpu.dialects.shard.sharding import Axes, Grid, Sharding, build_shard, build_sharding
from xgpu.transforms.linalg.vectorization.maps import loop_sizes
from xgpu.transforms.shard.communication import bytes_moved, collectives_in
from xgpu.transforms.shard.shard_distribute import ShardDistribute
from xgpu.transforms.shard.sharding_propagation import ShardingPropagation

if TYPE_CHECKING:
    from xgpu.dialects import func

#: For each argument the axes of the grid along which each of its dimensions is split.
Choice = tuple[tuple[Axes, ...], ...]
_A = TypeVar("_A")
_B = TypeVar("_B")
_LAYOUT = DataLayout()
#: How often one argument after the other takes its best way.
_ROUNDS = 3
#: What an argument says may go to results first, or what a result needs to operands.
_TRAVERSALS = ("forward-backward", "backward-forward")


@dataclass(frozen=True)
class Rates:
    """What a machine does: operations and bytes a second of one process, seconds that a collective
    takes besides, and the bytes that a process may hold (0: any number)."""

    operations: float = 1e12
    bandwidth: float = 10e9
    latency: float = 5e-6
    memory: int = 0


@dataclass(frozen=True, order=True)
class Cost:
    """What a choice costs one process: seconds, and the bytes that it holds and receives, where it
    is propagated in an order."""

    seconds: float
    memory: int
    received: float
    traversal: str


class Mapper(Protocol):
    """As `map`: that of an executor of `concurrent.futures`, Dask or MPI spreads the work."""

    def __call__(self, work: Callable[[_A], _B], items: Iterable[_A], /) -> Iterable[_B]: ...


def explore(
    module: ModuleOp, function: func.FuncOp, grid: Grid, rates: Rates, *, most: int = 2000,
    mapper: Mapper = map,
) -> list[tuple[Cost, Choice]]:  # fmt: skip
    """The ways to split a function's arguments over a grid, the best first, as far as they were
    tried, and at most about `most` of them. `mapper` spreads the work."""
    text = print_module(module)
    arguments = [_splits(value, grid) for value in _arguments(function)]
    measure = partial(cost_of, text, symbol_name(function) or "", grid, rates)
    known: dict[Choice, Cost | None] = {}

    def try_all(choices: Iterator[Choice]) -> None:
        new = [choice for choice in dict.fromkeys(choices) if choice not in known]
        known.update(zip(new, mapper(measure, new), strict=True))

    if prod(map(len, arguments)) <= most:
        try_all(product(*arguments))
    else:
        _search(arguments, known, try_all, most)
    return sorted((cost, choice) for choice, cost in known.items() if cost is not None)


def _search(
    arguments: Sequence[Sequence[tuple[Axes, ...]]], known: dict[Choice, Cost | None],
    try_all: Callable[[Iterator[Choice]], None], most: int,
) -> None:  # fmt: skip
    """Tries the ways of one argument after the other, from one argument split and from all that
    are split alike."""
    longest = max(map(len, arguments))
    beginnings = [
        tuple(ways[min(at, len(ways) - 1)] for ways in arguments) for at in range(longest)
    ]
    for best in beginnings:
        for _ in range(_ROUNDS):
            before = best
            for at, ways in enumerate(arguments):
                around = [(*best[:at], way, *best[at + 1 :]) for way in ways]
                try_all(iter(around))
                allowed = [(cost, c) for c in around if (cost := known[c]) is not None]
                best = min(allowed)[1] if allowed else best
            if best == before or len(known) >= most:
                break


def _arguments(function: func.FuncOp) -> Sequence[SSAValue]:
    return function.regions[0].blocks[0].args


def _splits(value: SSAValue, grid: Grid) -> list[tuple[Axes, ...]]:
    """All ways to split a value: each axis of the grid splits one dimension or none."""
    if not isinstance(value.type, TensorType):
        return [()]
    shape = cast("TensorType[Attribute]", value.type).get_shape()
    found: list[tuple[Axes, ...]] = []
    for places in product(range(-1, len(shape)), repeat=grid.rank):
        axes = tuple(
            tuple(axis for axis, place in enumerate(places) if place == dimension)
            for dimension in range(len(shape))
        )
        if all(_divides(grid, part, extent) for part, extent in zip(axes, shape, strict=True)):
            found.append(axes)
    return found


def _divides(grid: Grid, axes: Axes, extent: int) -> bool:
    return not axes or (extent != DYNAMIC_INDEX and extent % grid.group_size(axes) == 0)


# -- The cost of one choice.


def cost_of(text: str, name: str, grid: Grid, rates: Rates, choice: Choice) -> Cost | None:
    """What a choice costs in the better order of propagation, None for one that cannot be, or needs
    more memory than there is."""
    costs = [_cost(text, name, grid, rates, choice, traversal) for traversal in _TRAVERSALS]
    return min((cost for cost in costs if cost is not None), default=None)


def _cost(
    text: str, name: str, grid: Grid, rates: Rates, choice: Choice, traversal: str
) -> Cost | None:
    module = cast("ModuleOp", clone_operation(_parsed(text)))
    function = _function(module, name)
    try:
        annotate(function, grid, choice, traversal)
        ShardDistribute().run(module, context())
        moved = bytes_moved(function).total() / prod(grid.shape)
    except DiagnosticError:
        return None
    memory = sum(map(_bytes, _held(function)))
    if rates.memory and memory > rates.memory:
        return None
    seconds = _operations(function) / rates.operations + moved / rates.bandwidth
    seconds += collectives_in(function) * rates.latency
    return Cost(seconds, memory, moved, traversal)


@lru_cache(maxsize=1)
def _parsed(text: str) -> ModuleOp:
    """A program that many choices are tried on."""
    return parse_module(text)


def _function(module: ModuleOp, name: str) -> func.FuncOp:
    found = next(op for op in module.walk() if op.name == "func.func" and symbol_name(op) == name)
    return cast("func.FuncOp", found)


def annotate(function: func.FuncOp, grid: Grid, choice: Choice, traversal: str) -> None:
    """Puts a choice into a function, in place, and what follows from it in an order of propagation.
    Raises where nothing does."""
    rw = Rewriter()
    block = function.regions[0].blocks[0]
    first = block.first_op
    assert first is not None  # a terminator
    rw.before(first)
    rw.location = function.location
    reference = SymbolRefAttr(grid.name)
    for value, split in zip(list(block.args), choice, strict=True):
        if not isinstance(value.type, TensorType):
            continue
        uses = list(value.uses)
        sharding = build_sharding(rw, Sharding(reference, split or ((),)))
        made = build_shard(rw, value, sharding, for_users=False)
        for use in uses:
            use.operation.operands[use.index] = made.result
    ShardingPropagation(traversal=traversal).run(function, context())


def _held(function: func.FuncOp) -> list[Attribute]:
    """The types of arguments and results."""
    kind = function.properties["function_type"]
    return [*kind.inputs.data, *kind.outputs.data]


def _bytes(kind: Attribute) -> int:
    if not isinstance(kind, TensorType):
        return 0
    tensor = cast("TensorType[Attribute]", kind)
    return prod(tensor.get_shape()) * _LAYOUT.size(tensor.element_type)


def _operations(function: func.FuncOp) -> int:
    """How many numbers a function computes: those of each loop's body, and of whole tensors."""
    total = 0
    for op in function.regions[0].blocks[0].ops:
        if op.name.startswith("linalg."):
            body = [inner for inner in op.regions[0].blocks[0].ops if _computes(inner)]
            total += prod(loop_sizes(op)) * len(body)
        elif _computes(op) and isinstance(op.results[0].type, TensorType):
            total += prod(op.results[0].type.get_shape())
    return total


def _computes(op: Operation) -> bool:
    return op.name.startswith(("arith.", "math.")) and "ConstantLike" not in traits_of(op.name)


# -- The pass.


def shown(function: func.FuncOp, cost: Cost, choice: Choice) -> str:
    """A choice and its cost in words."""
    splits = ", ".join(
        f"#{number} {[list(axes) for axes in split]}"
        for number, (value, split) in enumerate(zip(_arguments(function), choice, strict=True))
        if isinstance(value.type, TensorType)
    )
    return (
        f"{cost.seconds * 1e6:.3f} us, {cost.received:,.0f} bytes received and {cost.memory:,} "
        f"held by a process: {splits}"
    )


class ShardExplore(Pass):
    """The best ways to split arguments."""

    name = "shard-explore"
    summary = "Split the arguments of functions over a grid in the best way of a cost model"
    anchor = "builtin.module"
    options = (
        Option("grid", str, "", "The grid (default: the only one)"),
        Option("top", int, 3, "How many ways are said", least=1),
        Option("most", int, 2000, "About how many ways are tried", least=1),
        Option("gflops", int, 1000, "Operations of a process, in 10^9 a second", least=1),
        Option("bandwidth", int, 10000, "Bytes that a process receives, in 10^6 a second", least=1),
        Option("latency", int, 5000, "What a collective takes besides, in nanoseconds", least=0),
        Option("memory", int, 0, "Bytes of arguments and results a process may hold (0: any)"),
    )
    grid: str
    top: int
    most: int
    gflops: int
    bandwidth: int
    latency: int
    memory: int

    def run(self, op: Operation, ctx: Context) -> None:
        grid = self._grid(op)
        module = cast("ModuleOp", op)
        rates = Rates(self.gflops * 1e9, self.bandwidth * 1e6, self.latency * 1e-9, self.memory)
        for inner in list(op.regions[0].blocks[0].ops):
            if inner.name != "func.func" or not _can_be_explored(inner):
                continue
            function = cast("func.FuncOp", inner)
            found = explore(module, function, grid, rates, most=self.most)
            if not found:
                raise op_error(function, "cannot be split over the grid within its memory")
            for cost, choice in found[: self.top]:
                emit(Diagnostic("remark", shown(function, cost, choice), function.location))
            best, choice = found[0]
            annotate(function, grid, choice, best.traversal)

    def _grid(self, op: Operation) -> Grid:
        grids = [Grid.of(found) for found in op.walk() if found.name == "shard.grid"]
        named = [grid for grid in grids if self.grid in ("", grid.name)]
        if len(named) != 1 or not named[0].is_static:
            raise op_error(op, "needs one grid of known shape, or the name of one")
        return named[0]


def _can_be_explored(function: Operation) -> bool:
    """Whether a function has tensors and no shardings of its own."""
    blocks = function.regions[0].blocks
    if blocks.first is None or not any(isinstance(a.type, TensorType) for a in blocks[0].args):
        return False
    return not any(op.name.startswith("shard.") for op in function.walk())

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where control goes between an operation and its regions, for analyses.

`edges(op, end, constants)` gives what may follow `end`: `op` itself (it is about to run its
regions), or a terminator of one of them. `constants` has the known constants of the operands of
`end`, by which edges that are never taken are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from xdsl.dialects.builtin import AffineMapAttr, DenseArrayBase, IntegerAttr, IntegerType, i32
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from xgpu.core.ir.integers import integers_of

if TYPE_CHECKING:
    from xgpu.core.ir.dominance import ControlFlowGraph

# -- Which operands a branch passes to which successor: MLIR's BranchOpInterface.


def successor_ranges(op: Operation) -> list[tuple[int, int]] | None:
    """For each successor the range of operands [start, end) that become its arguments.

    None for a terminator that is no branch, or of which this is not known.
    """
    name = op.name
    count = len(op.operands)
    if name in ("cf.br", "llvm.br"):
        return [(0, count)]
    if name in ("cf.cond_br", "llvm.cond_br"):
        _, true, false = segment_sizes(op)
        return [(1, 1 + true), (1 + true, 1 + true + false)]
    if name in ("cf.switch", "llvm.switch"):
        _, default, _ = segment_sizes(op)
        ranges = [(1, 1 + default)]
        at = 1 + default
        for size in case_sizes(op):
            ranges.append((at, at + size))
            at += size
        return ranges
    if name == "llvm.invoke":
        sizes = segment_sizes(op)
        at = sizes[0]
        return [(at, at + sizes[1]), (at + sizes[1], at + sizes[1] + sizes[2])]
    return None


def segment_sizes(op: Operation) -> list[int]:
    """The value of `operandSegmentSizes`."""
    sizes = op.properties.get("operandSegmentSizes") or op.attributes["operandSegmentSizes"]
    return list(integers_of(sizes))


def case_sizes(op: Operation) -> list[int]:
    """The number of operands that a switch passes to each case."""
    sizes = op.properties.get("case_operand_segments")
    return list(integers_of(sizes)) if sizes is not None else []


def successor_operands(op: Operation, index: int) -> list[SSAValue] | None:
    """The operands that the branch `op` passes to its successor `index`."""
    ranges = successor_ranges(op)
    if ranges is None:
        return None
    start, end = ranges[index]
    return list(op.operands[start:end])


def predecessor_edges(block: Block) -> list[tuple[Operation, int]]:
    """The branches to `block`: (terminator, which successor of it)."""
    edges: list[tuple[Operation, int]] = []
    use = block.first_use
    while use is not None:
        if use.operation.parent is not None:
            edges.append((use.operation, use.index))
        use = use._next_use  # pyright: ignore[reportPrivateUsage]
    return edges


def incoming(
    graph: ControlFlowGraph, value: BlockArgument, inside: set[Block] | None = None
) -> list[SSAValue]:
    """The values that come into an argument of a block, from blocks `inside` a loop or from all;
    none for an argument of the function."""
    found: list[SSAValue] = []
    for b, k in graph.edges_in[graph.number[value.owner]]:
        last = graph.blocks[b].last_op
        if last is None or (inside is not None and last.parent not in inside):
            continue
        given = successor_operands(last, k)
        if given is not None and value.index < len(given):
            found.append(given[value.index])
    return found


def set_successor_operands(op: Operation, index: int, values: list[SSAValue]) -> None:
    """Replaces the operands that the branch `op` passes to its successor `index`."""
    ranges = successor_ranges(op)
    assert ranges is not None
    start, end = ranges[index]
    operands = list(op.operands)
    op.operands = [*operands[:start], *values, *operands[end:]]
    change = len(values) - (end - start)
    if change == 0 or op.name in ("cf.br", "llvm.br"):
        return
    sizes = segment_sizes(op)
    if op.name in ("cf.switch", "llvm.switch"):
        if index == 0:
            sizes[1] += change
        else:
            sizes[2] += change
            cases = case_sizes(op)
            cases[index - 1] += change
            op.properties["case_operand_segments"] = DenseArrayBase.from_list(i32, cases)
    else:
        sizes[index + 1] += change
    op.properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, sizes)


def erase_block_argument(block: Block, index: int) -> None:
    """Removes an argument without users, and the operands of branches for it."""
    for op, successor in predecessor_edges(block):
        values = successor_operands(op, successor)
        assert values is not None
        set_successor_operands(op, successor, values[:index] + values[index + 1 :])
    block.erase_arg(block.args[index])


Constants = Sequence[Attribute | None]


class Flow(NamedTuple):
    """To the region `target` (None: to the results), which `inputs` get which `operands`."""

    target: int | None
    operands: Sequence[SSAValue]
    inputs: Sequence[SSAValue]


def _into(op: Operation, index: int, operands: Sequence[SSAValue] = (), first: int = 0) -> Flow:
    block = op.regions[index].first_block
    assert block is not None
    return Flow(index, operands, block.args[first:])


def _out(op: Operation, operands: Sequence[SSAValue] = ()) -> Flow:
    return Flow(None, operands, op.results if operands else ())


def _known(attr: Attribute | None) -> int | None:
    return attr.value.data if isinstance(attr, IntegerAttr) else None


# --- the operations ----------------------------------------------------------------------------
def _for(op: Operation, end: Operation, constants: Constants) -> list[Flow]:
    values = op.operands[3:] if end is op else end.operands
    inside, outside = _into(op, 0, values, 1), _out(op, values)
    if end is op:
        low, high, step = (_known(c) for c in constants[:3])
        if low is not None and high is not None and step is not None and step > 0:
            return [inside] if low < high else [outside]
    return [inside, outside]


def _while(op: Operation, end: Operation, constants: Constants) -> list[Flow]:
    if end is op:
        return [_into(op, 0, op.operands)]
    if end.name == "scf.condition":
        values = end.operands[1:]
        condition = _known(constants[0])
        after, outside = _into(op, 1, values), _out(op, values)
        if condition is None:
            return [after, outside]
        return [after] if condition else [outside]
    return [_into(op, 0, end.operands)]


def _if(op: Operation, end: Operation, constants: Constants) -> list[Flow]:
    if end is not op:
        return [_out(op, end.operands)]
    condition = _known(constants[0]) if op.name == "scf.if" else None
    flows: list[Flow] = []
    if condition is None or condition:
        flows.append(_into(op, 0))
    if condition is None or not condition:
        has_else = op.regions[1].first_block is not None
        flows.append(_into(op, 1) if has_else else _out(op))
    return flows


def _once(op: Operation, end: Operation, constants: Constants) -> list[Flow]:
    return [_into(op, 0)] if end is op else [_out(op, end.operands)]


def _repeat(op: Operation, end: Operation, constants: Constants) -> list[Flow]:
    """A loop whose region neither takes nor gives values along its edges."""
    return [Flow(0, (), ()), _out(op)]


def _switch(op: Operation, end: Operation, constants: Constants) -> list[Flow]:
    if end is not op:
        return [_out(op, end.operands)]
    value = _known(constants[0])
    if value is None:
        return [_into(op, i) for i in range(len(op.regions))]
    cases = cast("DenseArrayBase[IntegerType]", op.properties["cases"])
    values = list(cases.get_values())
    return [_into(op, values.index(value) + 1 if value in values else 0)]


def _affine_for(op: Operation, end: Operation, constants: Constants) -> list[Flow]:
    sizes = cast("DenseArrayBase[IntegerType]", op.properties["operandSegmentSizes"])
    low, high, _ = sizes.get_values()
    values = op.operands[low + high :] if end is op else end.operands
    inside, outside = _into(op, 0, values, 1), _out(op, values)
    count = _affine_trip_count(op)
    if end is op and count is not None:
        return [inside] if count else [outside]
    if end is not op and count == 1:
        return [outside]
    return [inside, outside]


def _affine_trip_count(op: Operation) -> int | None:
    bounds: list[int] = []
    for name in ("lowerBoundMap", "upperBoundMap"):
        attr = cast("AffineMapAttr", op.properties[name])
        results = attr.data.results
        value = getattr(results[0], "value", None) if len(results) == 1 else None
        if not isinstance(value, int):
            return None
        bounds.append(value)
    step = cast("IntegerAttr", op.properties["step"])
    return max(-((bounds[0] - bounds[1]) // step.value.data), 0)


def _execute(op: Operation, end: Operation, constants: Constants) -> list[Flow]:
    """async.execute: its results are the token and wrapped values, not what is yielded."""
    return [Flow(0, (), ())] if end is op else [_out(op)]


Edges = Callable[[Operation, Operation, Constants], list[Flow]]

EDGES: dict[str, Edges] = {
    "affine.for": _affine_for,
    "affine.if": _if,
    "async.execute": _execute,
    "gpu.warp_execute_on_lane_0": _once,
    "memref.alloca_scope": _once,
    "scf.execute_region": _once,
    "scf.for": _for,
    "scf.forall": _repeat,
    "scf.if": _if,
    "scf.index_switch": _switch,
    "scf.parallel": _repeat,
    "scf.while": _while,
    "shape.assuming": _once,
}

#: Terminators of regions, by which control leaves them (not branches inside of one).
REGION_ENDS = frozenset(
    (
        "affine.yield",
        "async.yield",
        "gpu.yield",
        "memref.alloca_scope.return",
        "scf.condition",
        "scf.forall.in_parallel",
        "scf.reduce",
        "scf.yield",
        "shape.assuming_yield",
    )
)


def is_region_branch(op: Operation) -> bool:
    return op.name in EDGES


def edges(op: Operation, end: Operation, constants: Constants = ()) -> list[Flow]:
    """What may follow `end`, which is `op` or a terminator in one of its regions."""
    if len(constants) < len(end.operands):
        constants = [None] * len(end.operands)
    return EDGES[op.name](op, end, constants)


def region_ends(op: Operation, index: int) -> list[Operation]:
    """The terminators by which control leaves the region `index`."""
    found: list[Operation] = []
    for block in op.regions[index].blocks:
        last = block.last_op
        if last is not None and last.name in REGION_ENDS:
            found.append(last)
    return found

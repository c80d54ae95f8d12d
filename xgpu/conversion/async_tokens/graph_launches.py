# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which points of a unit can be launched together as one graph, and launching them so."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.conversion.async_tokens.points import Graph, Join, Point, Work
from xgpu.conversion.async_tokens.units import At, Step, Unit
from xgpu.core import ods
from xgpu.core.ir.calls import is_function
from xgpu.core.ir.symbols import lookup
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects import gpu
from xgpu.dialects.llvm import builders as llvm
from xgpu.dialects.llvm.types import LLVMArrayType, LLVMFunctionType
from xgpu.dialects.mgpu.ops import GraphExecType, GraphNodeType, GraphType

# --- graph launches ------------------------------------------------------------------------------
# Launches a run of work as one graph.
#
#   %x = mgpu.cache_load @graph[0] : !mgpu.graph_exec
#   %first = mgpu.is_null %x : !mgpu.graph_exec
#   scf.if %first {
#     %g = mgpu.graph_create                     built and instantiated by the first that comes here
#     %n = mgpu.graph_add_kernel %g[] ..
#     mgpu.cache_store .., @graph[..]
#   } else {
#     mgpu.graph_set_kernel %x, ..               who comes later gives the nodes new parameters
#   }
#   mgpu.graph_launch .., %stream
#
# The graph outlives the call: a function among the program's destructors ends it.


#: Slots of a graph's global: the executable graph, the graph, and its nodes.
#: What the names of globals begin with that hold a graph and its nodes.
GRAPH_PREFIX = "mgpu_graph_"
_EXEC, _GRAPH, _NODES = 0, 1, 2
#: Before modules are unloaded, which destructors of a lower priority do.
_PRIORITY = 124


class Graphs:
    """The graphs of one module."""

    __slots__ = ("_count", "_ends", "_module")

    def __init__(self, module: Operation) -> None:
        self._module = module
        self._count = 0
        self._ends: list[str] = []

    def launch(
        self, run: Graph, stream: SSAValue, kernel: dict[Attribute, SSAValue], rw: Rewriter
    ) -> list[Operation]:
        """Launches `run` on `stream`; the operations that it replaces."""
        cache = SymbolRefAttr(self._global(_NODES + len(run.members), rw))
        have = _load(rw, cache, _EXEC, GraphExecType())
        first = rw.value("mgpu.is_null", [have], i1)
        build, update = Region(Block()), Region(Block())
        rw.create("scf.if", [first], (), regions=[build, update])
        _build(run, cache, kernel, _inside(build, rw))
        _update(run, cache, kernel, _inside(update, rw))
        rw.create("mgpu.graph_launch", [_load(rw, cache, _EXEC, GraphExecType()), stream])
        return [point.op for point in run.members]

    def _global(self, size: int, rw: Rewriter) -> str:
        """A global of `size` handles, all null, and what ends its graph."""
        while lookup(self._module, f"{GRAPH_PREFIX}{self._count}") is not None:
            self._count += 1
        name = f"{GRAPH_PREFIX}{self._count}"
        ty = LLVMArrayType(size, llvm.POINTER)
        body = Region(Block())
        inner = _inside(body, rw)
        inner.create("llvm.return", [llvm.zero(inner, ty)])
        block = self._module.regions[0].blocks[0]
        at = Rewriter(location=rw.location)
        at.at_end(block)
        at.create(
            "llvm.mlir.global",
            properties={
                "addr_space": IntegerAttr(0, i32),
                "global_type": ty,
                "linkage": ods.enum("llvm.linkage", "internal"),
                "sym_name": StringAttr(name),
            },
            regions=[body],
        )
        self._end_function(name, at)
        return name

    def _end_function(self, name: str, at: Rewriter) -> None:
        entry, destroy, end = Block(), Block(), Block()
        cache = SymbolRefAttr(name)
        rw = Rewriter(block=entry, location=at.location)
        have = _load(rw, cache, _EXEC, GraphExecType())
        llvm.cond_branch(rw, rw.value("mgpu.is_null", [have], i1), end, destroy)
        rw.at_end(destroy)
        index = {"cache": cache, "index": IntegerAttr(_EXEC, i64)}
        owned = rw.value("mgpu.cache_take", (), GraphExecType(), index)
        rw.create("mgpu.graph_exec_destroy", [owned])
        index = {"cache": cache, "index": IntegerAttr(_GRAPH, i64)}
        rw.create("mgpu.graph_destroy", [rw.value("mgpu.cache_take", (), GraphType(), index)])
        llvm.branch(rw, end)
        rw.at_end(end)
        rw.create("llvm.return")
        function = f"{name}_end"
        properties = llvm.function_attributes(function, LLVMFunctionType([], llvm.VOID))
        properties["linkage"] = ods.enum("llvm.linkage", "internal")
        at.create("llvm.func", properties=properties, regions=[Region([entry, destroy, end])])
        self._ends.append(function)

    def finish(self) -> None:
        """Lists what ends the graphs among the program's destructors."""
        if not self._ends:
            return
        rw = Rewriter(location=self._module.location)
        rw.at_end(self._module.regions[0].blocks[0])
        rw.create(
            "llvm.mlir.global_dtors",
            properties={
                "dtors": ArrayAttr([SymbolRefAttr(name) for name in self._ends]),
                "priorities": ArrayAttr([IntegerAttr(_PRIORITY, i32) for _ in self._ends]),
                "data": ArrayAttr([ods.attr_class("llvm.zero")() for _ in self._ends]),
            },
        )


def _inside(region: Region, rw: Rewriter) -> Rewriter:
    return Rewriter(block=region.blocks[0], location=rw.location)


def _load(rw: Rewriter, cache: SymbolRefAttr, index: int, ty: Attribute) -> SSAValue:
    slot = {"cache": cache, "index": IntegerAttr(index, i64)}
    return rw.value("mgpu.cache_load", (), ty, slot)


def _store(rw: Rewriter, value: SSAValue, cache: SymbolRefAttr, index: int) -> None:
    slot = {"cache": cache, "index": IntegerAttr(index, i64)}
    rw.create("mgpu.cache_store", [value], (), slot)


def _build(
    run: Graph, cache: SymbolRefAttr, kernel: dict[Attribute, SSAValue], rw: Rewriter
) -> None:
    graph = rw.value("mgpu.graph_create", (), GraphType())
    nodes: dict[Point, SSAValue] = {}
    for point in run.members:
        op = point.op
        rw.location = op.location
        nodes[point] = _add(op, graph, [nodes[p] for p in run.needs[point]], kernel, rw)
    executable = rw.value("mgpu.graph_instantiate", [graph], GraphExecType())
    _store(rw, executable, cache, _EXEC)
    _store(rw, graph, cache, _GRAPH)
    for i, node in enumerate(nodes.values()):
        _store(rw, node, cache, _NODES + i)
    rw.create("scf.yield")


def _add(
    op: Any,
    graph: SSAValue,
    before: list[SSAValue],
    kernel: dict[Attribute, SSAValue],
    rw: Rewriter,
) -> SSAValue:
    node = GraphNodeType()
    if op.name == "gpu.memcpy":
        return rw.create(
            "mgpu.graph_add_memcpy", [graph, *before, op.dst, op.src], (node,)
        ).results[0]
    if op.name == "gpu.memset":
        operands = [graph, *before, op.dst, op.value]
        return rw.create("mgpu.graph_add_memset", operands, (node,)).results[0]
    sizes, operands = _launch(op)
    return rw.insert(
        ods.op_class("mgpu.graph_add_kernel").create(
            operands=[graph, *before, kernel[op.properties["kernel"]], *operands],
            result_types=[node],
            properties=_segments([1, len(before), 1, *sizes]),
            location=op.location,
        )
    ).results[0]


def _update(
    run: Graph, cache: SymbolRefAttr, kernel: dict[Attribute, SSAValue], rw: Rewriter
) -> None:
    executable = _load(rw, cache, _EXEC, GraphExecType())
    for i, point in enumerate(run.members):
        op: Any = point.op
        rw.location = op.location
        node = _load(rw, cache, _NODES + i, GraphNodeType())
        if op.name == "gpu.memcpy":
            rw.create("mgpu.graph_set_memcpy", [executable, node, op.dst, op.src])
        elif op.name == "gpu.memset":
            rw.create("mgpu.graph_set_memset", [executable, node, op.dst, op.value])
        else:
            sizes, operands = _launch(op)
            rw.insert(
                ods.op_class("mgpu.graph_set_kernel").create(
                    operands=[executable, node, kernel[op.properties["kernel"]], *operands],
                    # Without the groups of cluster sizes, which are empty.
                    properties=_segments([1, 1, 1, *sizes[:6], *sizes[9:]]),
                    location=op.location,
                )
            )
    rw.create("scf.yield")


def _launch(op: Any) -> tuple[list[int], tuple[SSAValue, ...]]:
    """The operands of a launch that say what it launches, and the sizes of their groups."""
    tokens, *sizes, objects = op.properties["operandSegmentSizes"].get_values()
    operands = tuple(op.operands)
    return sizes, operands[tokens : len(operands) - objects]


def _segments(sizes: list[int]) -> dict[str, Attribute]:
    return {"operandSegmentSizes": DenseArrayBase.from_list(i32, sizes)}


# --- graph runs ----------------------------------------------------------------------------------
# Which points of a unit can be launched together as one graph.
#
# A run is work of one block with nothing between that has its place in time: host waits, calls,
# synchronous operations, control flow. Its shape is the same each time the block is executed: so
# its graph is built once, and later only the parameters of its nodes change. `form_runs` puts one
# point in the place of each run; what waits for any of it waits for the graph.


_GRAPH_NODES = frozenset(("gpu.launch_func", "gpu.memcpy", "gpu.memset"))


class _Run:
    """Work that is to be one graph, and the joins between it."""

    __slots__ = ("joins", "members")

    def __init__(self) -> None:
        self.members: list[Work] = []
        self.joins: list[Point] = []


def form_runs(unit: Unit) -> list[tuple[Operation, str]]:
    """Puts graphs in the place of runs; for other operations why they are not in one."""
    refused: list[tuple[Operation, str]] = []
    runs: list[_Run] = []
    for run in _runs(unit, refused):
        if len(run.members) == 1:
            refused.append((run.members[0].op, "nothing else can be in a graph with it"))
        else:
            runs.append(run)
    if runs:
        _replace(unit, [(_contract(unit, run), run) for run in runs])
    return refused


def _runs(unit: Unit, refused: list[tuple[Operation, str]]) -> list[_Run]:
    """All runs, those of one member too; what cannot be in any goes to `refused`."""
    runs: list[_Run] = []
    everywhere = _why_not_here(unit)
    current: _Run | None = None
    for step in unit.script:
        if not isinstance(step, At):
            current = None
            continue
        point = step.point
        is_near = current is not None and current.members[-1].block is point.block
        if isinstance(point, Join) and current is not None and is_near:
            current.joins.append(point)
            continue
        if point not in unit.on_stream or not isinstance(point, Work):
            current = None
            continue
        why = _why_not(point) or everywhere
        if why is not None:
            current = None
            refused.append((point.op, why))
            continue
        if current is None or not is_near:
            current = _Run()
            runs.append(current)
        current.members.append(point)
    return runs


def _why_not_here(unit: Unit) -> str | None:
    function = unit.region.parent
    if function is None or not is_function(function):
        return "it runs beside other threads of the host, which would share the graph"
    return None


def _why_not(point: Work) -> str | None:
    """Why work cannot be a node of a graph."""
    op = point.op
    if not point.is_async:
        return "the host waits for it"
    if op.name in ("gpu.alloc", "gpu.dealloc"):
        return "memory of a graph would belong to the graph"
    if op.name not in _GRAPH_NODES:
        return "it is a call of a library"
    if op.name == "gpu.launch_func" and cast("gpu.LaunchFuncOp", op).cluster_size_x is not None:
        return "the parameters of a launch in clusters cannot be changed in a graph"
    return None


def _contract(unit: Unit, run: _Run) -> Graph:
    """One point for all of a run, at the place of its last member."""
    members = set[Point](run.members)
    needs: dict[Point, tuple[Point, ...]] = {}
    outside: dict[Point, None] = {}
    order: dict[Point, None] = {}
    for point in run.members:
        sources = unit.sources(unit.needs[point])[::-1]
        needs[point] = tuple(s for s in sources if s in members)
        outside.update(dict.fromkeys(s for s in sources if s not in members))
        order.update(dict.fromkeys(unit.order[point]))
    last = run.members[-1]
    graph = Graph(last.index, last.op, last.block, tuple(run.members), needs)
    unit.needs[graph] = list(outside)
    unit.order[graph] = list(order)
    unit.on_stream.add(graph)
    for join in run.joins:
        unit.needs[join] = unit.sources(unit.needs[join])
    return graph


def _replace(unit: Unit, formed: list[tuple[Graph, _Run]]) -> None:
    """Puts the graphs in the place of their members, and what waits for those behind them."""
    stands_for: dict[Point, Point] = {m: graph for graph, run in formed for m in run.members}
    # The joins between the members stand for the graph too: they come after it.
    behind: dict[Point, list[Point]] = {
        run.members[-1]: [graph, *run.joins] for graph, run in formed
    }
    gone = {*stands_for, *(join for _, run in formed for join in run.joins)}
    script: list[Step] = []
    for step in unit.script:
        if isinstance(step, At) and step.point in behind:
            script += map(At, behind[step.point])
        elif not isinstance(step, At) or step.point not in gone:
            script.append(step)
    unit.script = script
    for token, point in unit.of.items():
        unit.of[token] = stands_for.get(point, point)
    unit.on_stream.difference_update(stands_for)
    unit.points = [step.point for step in script if isinstance(step, At)]
    unit.number = {point: i for i, point in enumerate(unit.points)}
    for found in (unit.needs, unit.order):
        for point in unit.points:
            found[point] = list(dict.fromkeys(stands_for.get(p, p) for p in found[point]))
    unit.count_forks()

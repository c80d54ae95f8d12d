# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches a run of work as one graph.

    %x = mgpu.cache_load @graph[0] : !mgpu.graph_exec
    %first = mgpu.is_null %x : !mgpu.graph_exec
    scf.if %first {
      %g = mgpu.graph_create                     built and instantiated by the first that comes here
      %n = mgpu.graph_add_kernel %g[] ..
      mgpu.cache_store .., @graph[..]
    } else {
      mgpu.graph_set_kernel %x, ..               who comes later gives the nodes new parameters
    }
    mgpu.graph_launch .., %stream

The graph outlives the call: a function among the program's destructors ends it.
"""

from __future__ import annotations

from typing import Any

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

from xgpu.conversion.async_tokens.points import Graph, Point
from xgpu.core import ods
from xgpu.core.ir.symbols import lookup
from xgpu.core.rewriting.rewriter import Rewriter
from xgpu.dialects.llvm import builders as llvm
from xgpu.dialects.llvm.types import LLVMArrayType, LLVMFunctionType
from xgpu.dialects.mgpu.ops import GraphExecType, GraphNodeType, GraphType

#: Slots of a graph's global: the executable graph, the graph, and its nodes.
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
        while lookup(self._module, f"mgpu_graph_{self._count}") is not None:
            self._count += 1
        name = f"mgpu_graph_{self._count}"
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

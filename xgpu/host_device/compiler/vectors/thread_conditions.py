# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which vectors of a block run an operation, by the branches on thread indices around it.

    if (threadIdx.x == 0)                    // the first vector alone
      atomicExch(&done[blockIdx.x], 1);

A block of code that an edge of a conditional branch dominates runs in threads alone for which the
condition holds. The condition is computed for each thread where it follows from thread indices,
the size of the block and constants; any other leaves all threads.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from xdsl.ir import Block, Operation, SSAValue

from xgpu.backend.llvm_ir.facts import number, prop
from xgpu.dialects.llvm.attributes import ICMP
from xgpu.host_device.compiler import operations
from xgpu.host_device.compiler.types import bits, integer_constant
from xgpu.host_device.compiler.vectors.shapes import WARP_SIZE, index

if TYPE_CHECKING:
    from collections.abc import Callable

    from xgpu.core.ir.dominance import ControlFlowGraph
    from xgpu.host_device.compiler.vectors.shapes import Layout

_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "eq": int.__eq__, "ne": int.__ne__, "lt": int.__lt__, "le": int.__le__, "gt": int.__gt__,
    "ge": int.__ge__,
}  # fmt: skip
#: Of unsigned numbers; the result is cut to its width.
_BINARY: dict[str, Callable[[int, int], int | None]] = {
    "llvm.add": lambda a, b: a + b,
    "llvm.sub": lambda a, b: a - b,
    "llvm.mul": lambda a, b: a * b,
    "llvm.xor": lambda a, b: a ^ b,
    "llvm.shl": lambda a, b: a << b if b < 64 else None,
    "llvm.lshr": lambda a, b: a >> b,
    "llvm.udiv": lambda a, b: a // b if b else None,
    "llvm.urem": lambda a, b: a % b if b else None,
}


class ThreadConditions:
    """Of a prepared function: which vectors of a block of that layout run a block of it."""

    def __init__(self, graph: ControlFlowGraph, layout: Layout) -> None:
        self._graph = graph
        self._layout = layout
        self._values: dict[SSAValue, list[int | None]] = {}
        self._threads: dict[int, list[int]] = {}

    def threads(self, block: int) -> list[int]:
        """The numbers of the threads that may run block number `block` of the graph, in order."""
        found = self._threads.get(block)
        if found is None:
            holds = [True] * self._layout.threads
            for condition, wanted in self._conditions(block):
                for t, value in enumerate(self._of(condition)):
                    if value is not None and bool(value) != wanted:
                        holds[t] = False
            found = self._threads[block] = [t for t, may in enumerate(holds) if may]
        return found

    def vectors(self, block: int) -> list[int]:
        """The numbers of the vectors some of whose threads may run a block, in order."""
        return sorted({self.vector_of[t] for t in self.threads(block)})

    @cached_property
    def vector_of(self) -> list[int]:
        """The vector of each thread."""
        layout = self._layout
        if not layout.rows:
            return [t // layout.width for t in range(layout.threads)]
        x = layout.block[0]
        return [t // x * layout.columns + t % x // layout.width for t in range(layout.threads)]

    def _conditions(self, block: int) -> list[tuple[SSAValue, bool]]:
        """The conditions of the edges that dominate a block, each with what it has to be."""
        graph = self._graph
        found: list[tuple[SSAValue, bool]] = []
        while block != 0:
            edges = graph.edges_in[block]
            if len(edges) == 1:
                last = graph.blocks[edges[0][0]].last_op
                if last is not None and last.name == "llvm.cond_br":
                    found.append((last.operands[0], edges[0][1] == 0))
            block = graph.idom[block]
        return found

    def _of(self, value: SSAValue) -> list[int | None]:
        """The value in each thread, unsigned; None where it is not known."""
        found = self._values.get(value)
        if found is None:
            # A value of a loop that depends on itself is not known.
            self._values[value] = [None] * self._layout.threads
            found = self._values[value] = self._computed(value)
        return found

    def _computed(self, value: SSAValue) -> list[int | None]:
        unknown: list[int | None] = [None] * self._layout.threads
        op = value.owner
        if isinstance(op, Block):
            return unknown
        constant = integer_constant(value)
        width = bits(value.type)
        if width is None:
            return unknown
        if constant is not None:
            return [constant & ((1 << width) - 1)] * self._layout.threads
        register = operations.register(op)
        if register is not None:
            return self._register(register)
        if op.name in ("llvm.zext", "llvm.trunc", "llvm.sext"):
            of = bits(op.operands[0].type)
            given = self._of(op.operands[0])
            signed = op.name == "llvm.sext"
            return [_resized(v, of, width, signed) for v in given]
        if op.name == "llvm.select":
            return [_selected(*given) for given in zip(*map(self._of, op.operands), strict=True)]
        if len(op.operands) != 2:
            return unknown
        a, b = (self._of(operand) for operand in op.operands)
        combine = _combination(op)
        return [_cut(combine(x, y), width) for x, y in zip(a, b, strict=True)]

    def _register(self, name: str) -> list[int | None]:
        threads, block = self._layout.threads, self._layout.block
        stem, _, axis = name.partition(".")
        if stem == "tid":
            return [index(block, "xyz".index(axis), t) for t in range(threads)]
        if stem == "ntid":
            return [block["xyz".index(axis)]] * threads
        if name == "laneid":
            return [t % WARP_SIZE for t in range(threads)]
        if name == "warpid":
            return [t // WARP_SIZE for t in range(threads)]
        return [None] * threads


def _selected(condition: int | None, a: int | None, b: int | None) -> int | None:
    if condition is None:
        return a if a == b else None
    return a if condition else b


def _cut(value: int | None, width: int) -> int | None:
    return None if value is None else value & ((1 << width) - 1)


def _resized(value: int | None, of: int | None, width: int, signed: bool) -> int | None:
    if value is None or of is None:
        return None
    return _cut(_signed(value, of) if signed else value, width)


def _signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> (width - 1) else value


def _combination(op: Operation) -> Callable[[int | None, int | None], int | None]:
    """What an operation makes of its two operands, each of which may be unknown."""
    if op.name in ("llvm.and", "llvm.or"):
        is_and = op.name == "llvm.and"
        whole = (1 << (bits(op.results[0].type) or 0)) - 1

        def bitwise(a: int | None, b: int | None) -> int | None:
            decided = 0 if is_and else whole
            if decided in (a, b):
                return decided
            if a is None or b is None:
                return None
            return a & b if is_and else a | b

        return bitwise
    if op.name == "llvm.icmp":
        predicate = ICMP[number(prop(op, "predicate"))]
        compare = _COMPARE[predicate[-2:]]
        width = bits(op.operands[0].type) if predicate.startswith("s") else None

        def compared(a: int | None, b: int | None) -> int | None:
            if a is None or b is None:
                return None
            return int(compare(_signed(a, width), _signed(b, width)) if width else compare(a, b))

        return compared
    compute = _BINARY.get(op.name)

    def binary(a: int | None, b: int | None) -> int | None:
        return None if compute is None or a is None or b is None else compute(a, b)

    return binary

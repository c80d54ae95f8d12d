# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is computed on each element of a product is computed where the element is stored.

Elementwise operations right behind the product that read its result at the element that they write
(a bias, an activation, a residual) need no loop and no kernel of their own: the thread that has the
element computes them. They are taken as long as nothing else stands between that could see memory
before or after, and as long as what they read is no memory that is written here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr

from xgpu.analysis.memory import may_alias, root_of
from xgpu.core.ir.effects import is_memory_effect_free
from xgpu.dialects.linalg import ops
from xgpu.kernels.circular import numbers

if TYPE_CHECKING:
    from xdsl.ir.affine import AffineMap

    from xgpu.core.rewriting.rewriter import Rewriter
    from xgpu.kernels.circular.numbers import Number
    from xgpu.kernels.gemm.product import Product

_ALLOCATIONS = frozenset({"memref.alloc", "memref.alloca"})


@dataclass
class _Step:
    """An elementwise operation, and by operand the loop along each dimension."""

    op: Operation
    inputs: Sequence[SSAValue]
    output: SSAValue
    loops: Sequence[tuple[int, ...]]


class Epilogue:
    """The steps behind one product."""

    def __init__(self, product: Product) -> None:
        self.product = product
        self.fill = _fill(product)
        self.steps: list[_Step] = []
        written = [product.c.value]
        read = [product.a.value, product.b.value]
        op = product.op.next_op
        while op is not None:
            step = _step(op)
            if step is None:
                if not _touches_nothing(op):
                    break
            elif self._belongs(step, written, read):
                self.steps.append(step)
                written.append(step.output)
                read += [v for v in _memrefs(step.inputs) if v not in written]
            else:
                break
            op = op.next_op

    def _belongs(self, step: _Step, written: Sequence[SSAValue], read: Sequence[SSAValue]) -> bool:
        """Whether a step reads and writes elements where they were just computed. What it writes
        must be nothing that the kernel has `read`: other blocks may not have done so yet."""
        out = step.loops[-1]
        if len(out) != len(self.product.c.loops) or set(out) != set(range(len(out))):
            return False
        reads = [*step.inputs, step.output]
        if not any(value in written for value in step.inputs):
            return False
        for value, loops in zip(reads, step.loops, strict=True):
            if ops.shape_of(value) is None:
                continue  # a number is no memory
            if value in written:
                if loops != out:
                    return False
            elif any(may_alias(root_of(value), root_of(other)) for other in written):
                return False
        others = [*read, *(v for v in _memrefs(step.inputs) if v is not step.output)]
        return step.output in written or not any(
            may_alias(root_of(step.output), root_of(value)) for value in others
        )

    @property
    def place(self) -> Operation:
        """Where all operands of the product and of the steps are known."""
        return self.steps[-1].op if self.steps else self.product.op

    def initial(self, rw: Rewriter, indices: Sequence[SSAValue]) -> SSAValue:
        """What the product is added to at one element."""
        c = self.product.c
        if self.fill is not None:
            return self.fill[1]
        return rw.value("memref.load", [c.value, *indices], c.element)

    def values(
        self, rw: Rewriter, element: SSAValue, indices: Sequence[Number]
    ) -> dict[SSAValue, SSAValue]:
        """By memref what is stored at `indices`: an element of the product's result, and what the
        steps make of it."""
        values: dict[SSAValue, SSAValue] = {self.product.c.value: element}
        for step in self.steps:
            values[step.output] = _evaluate(rw, step, values, indices)
        return {memory: values[memory] for memory in self.outputs()}

    def reads_nothing(self) -> bool:
        """Whether `initial` and `values` load no element."""
        written = self._written()
        return self.fill is not None and all(
            value in written for step in self.steps for value in _memrefs(step.inputs)
        )

    def outputs(self) -> list[SSAValue]:
        """The memrefs that `values` gives elements of: those that anything else can read."""
        written = self._written()
        read = [memory for memory in written if not self._is_passed_on(memory)]
        return read or written

    def _written(self) -> list[SSAValue]:
        return list(dict.fromkeys([self.product.c.value, *(step.output for step in self.steps)]))

    def _is_passed_on(self, memory: SSAValue) -> bool:
        """Whether `memory` is there only to give the product's elements to the steps."""
        owner = memory.owner
        if not isinstance(owner, Operation) or owner.name not in _ALLOCATIONS:
            return False
        own = {self.product.op, *(step.op for step in self.steps)}
        if self.fill is not None:
            own.add(self.fill[0])
        users = (use.operation for use in memory.uses)
        return all(user in own or user.name == "memref.dealloc" for user in users)

    def erase(self, rw: Rewriter) -> None:
        """Erases the product with what is computed in its kernel, and memory that is not used."""
        passed_on = [memory for memory in self._written() if self._is_passed_on(memory)]
        for op in [step.op for step in self.steps] + [self.product.op]:
            rw.erase(op)
        if self.fill is not None:
            rw.erase(self.fill[0])
        for memory in passed_on:
            users = [use.operation for use in memory.uses]
            if all(user.name == "memref.dealloc" for user in users):
                for user in users:
                    rw.erase(user)
                rw.erase(memory.owner)  # pyright: ignore[reportArgumentType]


def _memrefs(values: Sequence[SSAValue]) -> list[SSAValue]:
    return [value for value in values if ops.shape_of(value) is not None]


def _touches_nothing(op: Operation) -> bool:
    """Whether an operation neither reads nor writes memory that others know."""
    return not op.regions and (op.name in _ALLOCATIONS or is_memory_effect_free(op))


def _fill(product: Product) -> tuple[Operation, SSAValue] | None:
    """The operation that gave all of the product's result one value, and the value, if nothing that
    touches memory stands between."""
    op, c = product.op.prev_op, product.c
    while op is not None and _touches_nothing(op):
        op = op.prev_op
    if op is None or not ops.is_structured(op) or not ops.is_on_buffers(op):
        return None
    value = _filled_with(op)
    return (op, value) if value is not None and value.type == c.element and (
        list(ops.outputs(op)) == [c.value]
    ) else None  # fmt: skip


def _filled_with(op: Operation) -> SSAValue | None:
    """The number that an operation gives to all elements that it writes."""
    if any(kind != "parallel" for kind in ops.iterator_types(op)) or not op.regions:
        return None
    block = op.regions[0].first_block
    if block is None or block.last_op is None or block.last_op is not block.first_op:
        return None
    (value,) = block.last_op.operands
    if not isinstance(value, BlockArgument) or value.block is not block:
        return value
    if value.index >= len(ops.inputs(op)):
        return None
    given = ops.inputs(op)[value.index]
    return given if ops.shape_of(given) is None else None


def _step(op: Operation) -> _Step | None:
    """`op` as a step, if it computes each element of one memref from elements of others."""
    if not ops.is_structured(op) or not ops.is_on_buffers(op) or not op.regions:
        return None
    outputs = ops.outputs(op)
    if len(outputs) != 1 or any(kind != "parallel" for kind in ops.iterator_types(op)):
        return None
    block = op.regions[0].first_block
    if block is None or any(not is_memory_effect_free(inner) for inner in _computing(op)):
        return None
    loops = [_loops(map) for map in ops.indexing_maps(op)]
    if any(found is None for found in loops):
        return None
    return _Step(op, ops.inputs(op), outputs[0], [found or () for found in loops])


def _computing(op: Operation) -> list[Operation]:
    """What the body computes, without its end."""
    return list(op.regions[0].block.ops)[:-1]


def _loops(map: AffineMap) -> tuple[int, ...] | None:
    found = tuple(e.position for e in map.results if isinstance(e, AffineDimExpr))
    return found if len(found) == len(map.results) else None


def _evaluate(
    rw: Rewriter, step: _Step, values: Mapping[SSAValue, SSAValue], indices: Sequence[Number]
) -> SSAValue:
    """What a step gives for one element."""
    index_of = dict(zip(step.loops[-1], indices, strict=True))
    block = step.op.regions[0].block
    known: dict[SSAValue, SSAValue] = {}
    for argument, value, loops in zip(
        block.args, (*step.inputs, step.output), step.loops, strict=True
    ):
        if argument.first_use is None:
            continue
        if value in values:
            known[argument] = values[value]
        elif ops.shape_of(value) is None:
            known[argument] = value
        else:
            at = [numbers.value(rw, index_of[loop]) for loop in loops]
            known[argument] = rw.value("memref.load", [value, *at], argument.type)
    for inner in _computing(step.op):
        if inner.name == "linalg.index":
            loop = inner.properties["dim"].value.data  # pyright: ignore
            known[inner.results[0]] = numbers.value(rw, index_of[loop])
            continue
        copy = rw.insert(inner.clone(known))
        known.update(zip(inner.results, copy.results, strict=True))
    last = block.last_op
    assert last is not None
    result = last.operands[0]
    return known.get(result, result)

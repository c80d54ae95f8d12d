# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loads from workgroup memory to registers, those of iteration n + P beside computing n.

    for n { %v = load(n); compute(%v) }  ==>  %v0 .. = load(0 .. P - 1)
                                              for n in 0 .. N - P { %w = load(n + P); compute(%v0);
                                                                    carry %v1 .., %w }
                                              for n in N - P .. N { compute(%v0); carry %v1 .. }

Registers cannot be indexed, so the sets of values move on from one iteration to the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xgpu.analysis.memory import Access, Slice, accesses, is_workgroup
from xgpu.core.ir.constants import make
from xgpu.core.ir.construction import replace_all_uses
from xgpu.core.ir.effects import is_memory_effect_free
from xgpu.core.ir.errors import error
from xgpu.dialects.arith.builders import attribute_constant
from xgpu.dialects.gpu.ops import clone_with_locations
from xgpu.kernels.circular import numbers
from xgpu.transforms.scf.builders import for_loop, if_else

if TYPE_CHECKING:
    from xgpu.core.rewriting.rewriter import Rewriter
    from xgpu.kernels.circular.numbers import Number
    from xgpu.kernels.circular.options import Options

_LOADS = frozenset(
    {"memref.load", "nvgpu.ldmatrix", "vector.load", "vector.transfer_read", "affine.load"}
)


def register_loads(loop: Operation) -> list[Operation]:
    """Operations directly in the loop's body that load from workgroup memory."""
    return [
        op
        for op in loop.regions[0].block.ops
        if op.name in _LOADS and any(a.kind == "read" and _in_workgroup(a) for a in accesses(op))
    ]


def _in_workgroup(access: Access) -> bool:
    return isinstance(access.root, str) or (
        isinstance(access.root, SSAValue) and is_workgroup(access.root.type)
    )


class RegisterBuffers:
    """The loads of a loop, `ahead` iterations before they are used."""

    def __init__(self, loop: Operation, options: Options) -> None:
        self.loop = loop
        self.body: Block = loop.regions[0].block
        self.loads = register_loads(loop)
        self.ahead = options.ahead()
        self.values = [result for op in self.loads for result in op.results]
        self._check()
        self.along = Slice(self.body, self.loads)
        roots = [op for op in self.body.ops if not is_memory_effect_free(op)]
        roots = [op for op in roots if op not in self.loads and op is not self.body.last_op]
        used = [at for at, result in enumerate(loop.results) if result.first_use is not None]
        self.computing = Slice(self.body, roots, used, self.loads)

    def _check(self) -> None:
        for op in self.body.ops:
            if any(inner.name == "gpu.barrier" for inner in op.walk()):
                raise error(
                    op,
                    "a barrier in the loop: what is loaded ahead of it may not be there yet",
                    [(self.loads[0].location, "loaded here")],
                )
        along = set(Slice(self.body, self.loads).ops)
        reads = [a for op in along for a in accesses(op)]
        for op in self.body.ops:
            for access in accesses(op):
                if access.kind == "write" and any(access.conflicts(a) for a in reads):
                    raise error(
                        access.op,
                        "writes what is loaded to registers ahead of it",
                        [(self.loads[0].location, "loaded here")],
                    )
        for value in self.values:
            if make(value.type, 0) is None:
                raise error(self.loads[0], f"cannot carry a value of type {value.type}")

    # --- building ------------------------------------------------------------------------------
    def build(self, rw: Rewriter) -> Operation:
        """Builds everything in place of the loop; gives the main loop."""
        loop = self.loop
        rw.before(loop)
        rw.location = loop.location
        count = numbers.iterations(rw, *loop.operands[:3])
        state = [loop.operands[3 + at] for at in self.along.arguments]
        ring: list[SSAValue] = []
        for j in range(self.ahead):
            is_there = numbers.compare(rw, numbers.SLT, j, count)
            found = self._guarded(rw, is_there, numbers.value(rw, j), state)
            ring += found[: len(self.values)]
            state = found[len(self.values) :]
        own = [loop.operands[3 + at] for at in self.computing.arguments]
        split = numbers.largest(rw, numbers.sub(rw, count, self.ahead), 0)
        main = self._loop(rw, 0, split, [*own, *ring, *state], tail=False)
        last = main
        if self.ahead:
            last = self._loop(rw, split, count, list(main.results), tail=True)
        for at, value in zip(self.computing.arguments, last.results, strict=False):
            replace_all_uses(loop.results[at], value)
        rw.erase(loop)
        return main

    def _guarded(
        self, rw: Rewriter, condition: SSAValue, at: SSAValue, state: list[SSAValue]
    ) -> list[SSAValue]:
        """The loads of iteration `at` if there is one, and what the next one is given."""
        types: list[Attribute] = [value.type for value in (*self.values, *state)]

        def nothing() -> Sequence[SSAValue]:
            zeros: list[SSAValue] = []
            for value in self.values:
                zero = make(value.type, 0)
                assert zero is not None
                zeros.append(attribute_constant(rw, zero, value.type))
            return [*zeros, *state]

        branch = if_else(rw, condition, types, lambda: self._load(rw, at, state), nothing)
        return list(branch.results)

    def _loop(
        self, rw: Rewriter, low: Number, high: Number, carried: list[SSAValue], *, tail: bool
    ) -> Operation:
        begin, end, by = (numbers.value(rw, n) for n in (low, high, 1))

        def step(n: SSAValue, values: list[SSAValue]) -> Sequence[SSAValue]:
            size, width = len(self.computing.arguments), len(self.values)
            own, rest = values[:size], values[size:]
            ring, state = rest[: self.ahead * width], rest[self.ahead * width :]
            if not tail:
                ahead = numbers.value(rw, numbers.add(rw, n, self.ahead))
                found = list(self._load(rw, ahead, state))
                ring, state = [*ring, *found[:width]], found[width:]
            else:
                ring = [*ring, *ring[len(ring) - width :]]
            later = self._compute(rw, n, own, ring[:width])
            return [*later, *ring[width:], *state]

        return for_loop(rw, begin, end, by, carried, step)

    def _mapping(
        self, rw: Rewriter, at: SSAValue, carried: Slice, values: Sequence[SSAValue]
    ) -> dict[SSAValue, SSAValue]:
        lower, _, step = (numbers.number(v) for v in self.loop.operands[:3])
        induction = self.body.args[0]
        if not isinstance(induction.type, IndexType):
            raise error(self.loop, "expected a loop over an index, to load ahead of it")
        iv = numbers.add(rw, lower, numbers.mul(rw, at, step))
        mapping: dict[SSAValue, SSAValue] = {induction: numbers.value(rw, iv)}
        for index, value in zip(carried.arguments, values, strict=True):
            mapping[self.body.args[1 + index]] = value
        return mapping

    def _yielded(self, carried: Slice, mapping: dict[SSAValue, SSAValue]) -> list[SSAValue]:
        last = self.body.last_op
        assert last is not None
        return [mapping.get(v, v) for v in (last.operands[at] for at in carried.arguments)]

    def _load(self, rw: Rewriter, at: SSAValue, state: Sequence[SSAValue]) -> Sequence[SSAValue]:
        mapping = self._mapping(rw, at, self.along, state)
        for op in self.along.ops:
            rw.insert(clone_with_locations(op, mapping))
        return [*(mapping[value] for value in self.values), *self._yielded(self.along, mapping)]

    def _compute(
        self, rw: Rewriter, at: SSAValue, own: list[SSAValue], values: list[SSAValue]
    ) -> list[SSAValue]:
        mapping = self._mapping(rw, at, self.computing, own)
        mapping.update(zip(self.values, values, strict=True))
        for op in self.computing.ops:
            rw.insert(clone_with_locations(op, mapping))
        return self._yielded(self.computing, mapping)

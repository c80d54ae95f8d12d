# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`dealloc_helper`: which of several memrefs are to be freed, and who owns what is retained.

It gets pointers as indices: what to free, what is retained, the conditions; it fills in two lists
of booleans. Source: MLIR 22.1 LowerDeallocations.cpp.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FunctionType,
    IndexType,
    IntegerAttr,
    MemRefType,
    StringAttr,
    i1,
    i64,
)
from xdsl.ir import Block, Operation, Region, SSAValue

from xgpu.core import ods
from xgpu.core.ir.symbols import lookup
from xgpu.core.rewriting.rewriter import Rewriter
from xgpu.dialects.arith.builders import index_constant
from xgpu.dialects.bufferization.canonicalize import boolean

if TYPE_CHECKING:
    from xdsl.ir import LocationAttr


_INDEX = IndexType()
_EQ, _NE = 0, 1
Body = Callable[[Rewriter, SSAValue, Sequence[SSAValue]], Sequence[SSAValue]]


def add_helper(table: Operation, location: LocationAttr) -> str:
    """Adds the function to a symbol table; its name."""
    name, number = "dealloc_helper", 0
    while lookup(table, name) is not None:
        name = f"dealloc_helper_{number}"
        number += 1
    pointers, booleans = MemRefType(_INDEX, [DYNAMIC_INDEX]), MemRefType(i1, [DYNAMIC_INDEX])
    types = [pointers, pointers, booleans, booleans, booleans]
    block = Block(arg_types=types)
    for argument in block.args:
        argument.location = location
    _Helper(block, location).fill()
    function = ods.create(
        "func.func",
        properties={
            "sym_name": StringAttr(name),
            "sym_visibility": StringAttr("private"),
            "function_type": FunctionType.from_lists(types, []),
        },
        regions=[Region(block)],
        location=location,
    )
    body = table.regions[0].blocks.first
    assert body is not None
    body.add_op(function)
    return name


class _Helper:
    def __init__(self, block: Block, location: LocationAttr) -> None:
        self.rw = Rewriter(block=block, location=location)
        self.pointers, self.retained, self.conditions, self.freed, self.owned = block.args

    def fill(self) -> None:
        rw = self.rw
        self.zero, self.one = (index_constant(rw, n) for n in (0, 1))
        self.true, false = boolean(rw, True), boolean(rw, False)
        count = rw.value("memref.dim", (self.pointers, self.zero), _INDEX)
        self.kept = rw.value("memref.dim", (self.retained, self.zero), _INDEX)

        def clear(rw: Rewriter, i: SSAValue, values: Sequence[SSAValue]) -> Sequence[SSAValue]:
            rw.create("memref.store", (false, self.owned, i))
            return ()

        _loop(rw, (self.zero, self.kept, self.one), (), clear)
        _loop(rw, (self.zero, count, self.one), (), self._one)
        rw.create("func.return")

    def _one(self, rw: Rewriter, i: SSAValue, values: Sequence[SSAValue]) -> Sequence[SSAValue]:
        """Whether the memref `i` is freed: nobody retains it, nobody freed it before."""
        pointer = rw.value("memref.load", (self.pointers, i), _INDEX)
        condition = rw.value("memref.load", (self.conditions, i), i1)

        def retain(rw: Rewriter, k: SSAValue, values: Sequence[SSAValue]) -> Sequence[SSAValue]:
            other = rw.value("memref.load", (self.retained, k), _INDEX)
            same = _compare(rw, _EQ, other, pointer)
            block = Block()
            inner = Rewriter(block=block, location=rw.location)
            owned = inner.value("memref.load", (self.owned, k), i1)
            owned = inner.value("arith.ori", (owned, condition), i1)
            inner.create("memref.store", (owned, self.owned, k))
            inner.create("scf.yield")
            rw.create("scf.if", (same,), regions=(Region(block), Region()))
            differs = _compare(rw, _NE, other, pointer)
            return (rw.value("arith.andi", (values[0], differs), i1),)

        def before(rw: Rewriter, k: SSAValue, values: Sequence[SSAValue]) -> Sequence[SSAValue]:
            other = rw.value("memref.load", (self.pointers, k), _INDEX)
            differs = _compare(rw, _NE, other, pointer)
            return (rw.value("arith.andi", (values[0], differs), i1),)

        alone = _loop(rw, (self.zero, self.kept, self.one), (self.true,), retain)
        alone = _loop(rw, (self.zero, i, self.one), alone, before)
        freed = rw.value("arith.andi", (alone[0], condition), i1)
        rw.create("memref.store", (freed, self.freed, i))
        return ()


def _compare(rw: Rewriter, predicate: int, a: SSAValue, b: SSAValue) -> SSAValue:
    return rw.value("arith.cmpi", (a, b), i1, {"predicate": IntegerAttr(predicate, i64)})


def _loop(
    rw: Rewriter, bounds: Sequence[SSAValue], values: Sequence[SSAValue], body: Body
) -> Sequence[SSAValue]:
    block = Block(arg_types=[_INDEX, *(v.type for v in values)])
    for argument in block.args:
        argument.location = rw.location  # pyright: ignore
    inner = Rewriter(block=block, location=rw.location)
    inner.create("scf.yield", tuple(body(inner, block.args[0], block.args[1:])))
    types = [v.type for v in values]
    return rw.create("scf.for", (*bounds, *values), types, regions=(Region(block),)).results

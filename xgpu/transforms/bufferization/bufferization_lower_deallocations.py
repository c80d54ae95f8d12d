# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`bufferization-lower-deallocations` and `convert-bufferization-to-memref`: clones and
deallocations as operations of memref.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FunctionType,
    IndexType,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    StringAttr,
    SymbolRefAttr,
    UnrankedMemRefType,
    i1,
    i64,
)
from xdsl.ir import Block, Operation, Region, SSAValue

from xgpu.core import ods
from xgpu.core.ir.errors import error
from xgpu.core.ir.op_info import traits_of
from xgpu.core.ir.symbols import lookup, nearest_table
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.core.rewriting.driver import NoMatch, convert
from xgpu.dialects.arith.builders import index_constant
from xgpu.dialects.bufferization.canonicalize import BufferOrigins, boolean, view_base
from xgpu.dialects.memref.verify import can_cast
from xgpu.transforms.scf.builders import for_loop

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Attribute, LocationAttr

    from xgpu.core.rewriting.driver import Conversion
    from xgpu.dialects import bufferization


# --- deallocation helper -------------------------------------------------------------------------
# `dealloc_helper`: which of several memrefs are to be freed, and who owns what is retained.
#
# It gets pointers as indices: what to free, what is retained, the conditions; it fills in two lists
# of booleans. Source: MLIR 22.1 LowerDeallocations.cpp.


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
        """Whether the memref `i` is freed: nothing retains it, and nothing freed it before."""
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


# --- bufferization lower deallocations -----------------------------------------------------------
# `bufferization-lower-deallocations`: `bufferization.dealloc` as memref.dealloc under conditions.
#
# One memref is compared with what is retained in line; for several a function `dealloc_helper`
# compares each with each. Memory that gpu.alloc allocated is freed by gpu.dealloc: memref.dealloc
# would give it to the host's `free`. Source: MLIR 22.1 LowerDeallocations.cpp.


_NOT_EQUAL = IntegerAttr(1, i64)


class LowerDeallocationsPass(Pass):
    """Lowers deallocs to the memref dialect."""

    name = "bufferization-lower-deallocations"
    summary = "Lowers `bufferization.dealloc` operations to `memref.dealloc` operations"

    def run(self, op: Operation, ctx: Context) -> None:
        if op.name != "builtin.module" and "FunctionOpInterface" not in traits_of(op.name):
            raise error(op, "root operation must be a builtin.module or a function")
        found = [
            cast("bufferization.DeallocOp", o)
            for o in op.walk()
            if o.name == "bufferization.dealloc"
        ]
        if not found:
            return
        helpers: dict[Operation | None, str] = {}
        if op.name == "builtin.module":
            for dealloc in found:
                table = cast("ModuleOp | None", nearest_table(dealloc))
                if len(dealloc.memrefs) > 1 and table is not None and table not in helpers:
                    helpers[table] = add_helper(table, op.location)
        origins = BufferOrigins(op)
        for dealloc in found:
            lowering = _Lowering(dealloc, origins)
            Rewriter(dealloc).replace(dealloc, lowering.run(helpers))


class _Lowering:
    """One dealloc; its operations come before it."""

    def __init__(self, op: bufferization.DeallocOp, origins: BufferOrigins) -> None:
        self.op = op
        self.origins = origins
        self.rw = Rewriter(op)
        self.memrefs = list(op.memrefs)
        self.conditions = list(op.conditions)
        self.retained = list(op.retained)

    def run(self, helpers: dict[Operation | None, str]) -> list[SSAValue]:
        """The values that replace the results."""
        if not self.memrefs:
            return [boolean(self.rw, False)] * len(self.retained)
        if len(self.memrefs) == 1:
            return self._one_memref() if self.retained else self._only_free()
        table = nearest_table(self.op)
        if table not in helpers:
            raise error(
                self.op,
                "library function required for generic lowering, but cannot be automatically "
                "inserted when operating on functions",
            )
        return self._several(helpers[table])

    # --- freeing -------------------------------------------------------------------------------
    def _free_if(self, condition: SSAValue, memref: SSAValue) -> None:
        block = Block()
        inner = Rewriter(block=block, location=self.rw.location)
        if self._is_on_gpu(memref):
            inner.create("gpu.dealloc", (memref,))
        else:
            inner.create("memref.dealloc", (memref,))
        inner.create("scf.yield")
        self.rw.create("scf.if", (condition,), regions=(Region(block), Region()))

    def _is_on_gpu(self, memref: SSAValue) -> bool:
        """Whether gpu.alloc made the memory."""
        makers = {
            value.owner.name
            for value in self.origins.origins(view_base(memref))
            if isinstance(value.owner, Operation)
        }
        if "gpu.alloc" in makers and len(makers) > 1:
            raise error(self.op, "cannot tell whether memory of the host or of a GPU is freed here")
        return "gpu.alloc" in makers

    def _only_free(self) -> list[SSAValue]:
        self._free_if(self.conditions[0], self.memrefs[0])
        return []

    def _one_memref(self) -> list[SSAValue]:
        rw, condition = self.rw, self.conditions[0]
        pointer = self._pointer(self.memrefs[0])
        differs = [
            rw.value("arith.cmpi", (pointer, self._pointer(value)), i1, {"predicate": _NOT_EQUAL})
            for value in self.retained
        ]
        from_all = differs[0]
        for other in differs[1:]:
            from_all = rw.value("arith.andi", (from_all, other), i1)
        self._free_if(rw.value("arith.andi", (from_all, condition), i1), self.memrefs[0])
        true = boolean(rw, True)
        results: list[SSAValue] = []
        for other in differs:
            same = rw.value("arith.xori", (other, true), i1)
            results.append(rw.value("arith.andi", (same, condition), i1))
        return results

    def _several(self, helper: str) -> list[SSAValue]:
        rw = self.rw
        count, kept = len(self.memrefs), len(self.retained)
        memrefs, conditions, retained = (
            self._list(n, ty)
            for n, ty in ((count, _INDEX), (len(self.conditions), i1), (kept, _INDEX))
        )
        for i, memref in enumerate(self.memrefs):
            self._store(self._pointer(memref), memrefs, i)
        for i, condition in enumerate(self.conditions):
            self._store(condition, conditions, i)
        for i, value in enumerate(self.retained):
            self._store(self._pointer(value), retained, i)
        given = [self._dynamic(buffer) for buffer in (memrefs, conditions, retained)]
        freed, owned = self._list(count, i1), self._list(kept, i1)
        arguments = (given[0], given[2], given[1], self._dynamic(freed), self._dynamic(owned))
        rw.create("func.call", arguments, (), {"callee": SymbolRefAttr(helper)})
        for i, memref in enumerate(self.memrefs):
            index = self._index(i)
            self._free_if(rw.value("memref.load", (freed, index), i1), memref)
        results = [rw.value("memref.load", (owned, self._index(i)), i1) for i in range(kept)]
        for buffer in (memrefs, retained, conditions, freed, owned):
            rw.create("memref.dealloc", (buffer,))
        return results

    # --- values --------------------------------------------------------------------------------
    def _pointer(self, memref: SSAValue) -> SSAValue:
        return self.rw.value("memref.extract_aligned_pointer_as_index", (memref,), _INDEX)

    def _index(self, value: int) -> SSAValue:
        return index_constant(self.rw, value)

    def _list(self, size: int, element: Attribute) -> SSAValue:
        return self.rw.value("memref.alloc", ([], []), MemRefType(element, [size]))

    def _store(self, value: SSAValue, buffer: SSAValue, index: int) -> None:
        self.rw.create("memref.store", (value, buffer, self._index(index)))

    def _dynamic(self, buffer: SSAValue) -> SSAValue:
        target = MemRefType(cast("MemRefType", buffer.type).element_type, [DYNAMIC_INDEX])
        return self.rw.value("memref.cast", (buffer,), target)


# --- bufferization to memref ---------------------------------------------------------------------
# `convert-bufferization-to-memref`: clones and deallocations as operations of memref.
#
# A clone is an allocation and a copy. The sizes of a memref without a rank are read in a loop, and
# its copy is allocated in one dimension. Source: MLIR 22.1 BufferizationToMemRef.cpp.


_CLONE, _DEALLOC = "bufferization.clone", "bufferization.dealloc"


def _dim(rw: Conversion, memref: SSAValue, at: int) -> SSAValue:
    ty = memref.type
    index = index_constant(rw, at)
    if isinstance(ty, MemRefType) and ty.get_shape()[at] != DYNAMIC_INDEX:
        return index_constant(rw, ty.get_shape()[at])
    return rw.value("memref.dim", (memref, index), _INDEX)


def lower_clone(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    """An allocation of the layout that allocations have, cast to the type that is wanted."""
    (source,) = operands
    ty = op.results[0].type
    if isinstance(ty, UnrankedMemRefType):
        copy = _allocate_unranked(rw, source, ty)
    else:
        copy = _allocate(rw, source, cast("MemRefType", ty))
    rw.create("memref.copy", (source, copy))
    return [copy]


def _allocate(rw: Conversion, source: SSAValue, ty: MemRefType) -> SSAValue:
    plain = MemRefType(ty.element_type, ty.shape, NoneAttr(), ty.memory_space)
    if plain != ty and not can_cast(plain, ty):
        raise NoMatch("a buffer with this layout cannot be allocated")
    shape = ty.get_shape()
    sizes = [_dim(rw, source, i) for i, size in enumerate(shape) if size == DYNAMIC_INDEX]
    copy = rw.value("memref.alloc", (sizes, []), plain)
    return copy if plain == ty else rw.value("memref.cast", (copy,), ty)


def _allocate_unranked(rw: Conversion, source: SSAValue, ty: UnrankedMemRefType) -> SSAValue:
    zero, one = index_constant(rw, 0), index_constant(rw, 1)
    rank = rw.value("memref.rank", (source,), _INDEX)
    shape = rw.value("memref.alloca", ([rank], []), MemRefType(_INDEX, [DYNAMIC_INDEX]))

    def read_size(at: SSAValue, carried: list[SSAValue]) -> Sequence[SSAValue]:
        size = rw.value("memref.dim", (source, at), _INDEX)
        rw.create("memref.store", (size, shape, at))
        return [rw.value("arith.muli", (carried[0], size), _INDEX)]

    count = for_loop(rw, zero, rank, one, [one], read_size).results[0]
    flat = MemRefType(ty.element_type, [DYNAMIC_INDEX], NoneAttr(), ty.memory_space)
    copy = rw.value("memref.alloc", ([count], []), flat)
    return rw.value("memref.reshape", (copy, shape), ty)


class ConvertBufferizationToMemRefPass(Pass):
    """Converts what is left of the bufferization dialect."""

    name = "convert-bufferization-to-memref"
    summary = "Convert operations from the Bufferization dialect to the MemRef dialect"

    def run(self, op: Operation, ctx: Context) -> None:
        convert(
            op, {_CLONE: lower_clone}, illegal=_is_illegal, known=("arith", "func", "memref", "scf")
        )
        if any(inner.name == _DEALLOC for inner in op.walk()):
            LowerDeallocationsPass().run(op, ctx)


def _is_illegal(op: Operation) -> bool:
    return op.name.startswith("bufferization.") and op.name != _DEALLOC

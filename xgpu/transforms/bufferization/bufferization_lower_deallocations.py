# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`bufferization-lower-deallocations`: `bufferization.dealloc` as memref.dealloc under conditions.

One memref is compared with what is retained in line; for several a function `dealloc_helper`
compares each with each. Memory that gpu.alloc allocated is freed by gpu.dealloc: memref.dealloc
would give it to the host's `free`. Source: MLIR 22.1 LowerDeallocations.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    IntegerAttr,
    MemRefType,
    SymbolRefAttr,
    i1,
    i64,
)
from xdsl.ir import Block, Operation, Region, SSAValue

from xgpu.core.ir.errors import error
from xgpu.core.ir.op_info import traits_of
from xgpu.core.ir.symbols import nearest_table
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.rewriter import Rewriter
from xgpu.dialects.arith.builders import index_constant
from xgpu.dialects.bufferization.canonicalize import BufferOrigins, boolean, view_base
from xgpu.transforms.bufferization.deallocation_helper import add_helper

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Attribute

    from xgpu.dialects import bufferization

_INDEX = IndexType()
_NE = IntegerAttr(1, i64)


class LowerDeallocations(Pass):
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
            rw.value("arith.cmpi", (pointer, self._pointer(value)), i1, {"predicate": _NE})
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

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`expand-realloc`: memref.realloc as an allocation and a copy where memory must grow.

Source: MLIR 22.1 ExpandRealloc.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    MemRefType,
    StridedLayoutAttr,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.rewriter import Rewriter
from xgpu.dialects.arith.builders import index_constant

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.dialects import memref

_INDEX = IndexType()
_ULT = 6


class ExpandRealloc(Pass):
    """Expands memref.realloc."""

    name = "expand-realloc"
    summary = "Expand memref.realloc operations into its components"
    options = (Option("emit-deallocs", bool, True, "Free the original"),)
    emit_deallocs: bool

    def run(self, op: Operation, ctx: Context) -> None:
        for found in list(op.walk()):
            if found.name == "memref.realloc":
                _expand(cast("memref.ReallocOp", found), self.emit_deallocs)


def _one_dimension(
    size: SSAValue | None, static: int
) -> tuple[list[list[SSAValue]], dict[str, Attribute]]:
    """Operands and properties of a view of one dimension from offset 0 with stride 1."""
    sizes = [] if size is None else [size]
    numbers = (0, DYNAMIC_INDEX if size is not None else static, 1)
    names = ("static_offsets", "static_sizes", "static_strides")
    return [[], sizes, []], {
        name: DenseArrayBase.from_list(i64, [n]) for name, n in zip(names, numbers, strict=True)
    }


def _expand(op: memref.ReallocOp, emit_deallocs: bool) -> None:
    rw, source = Rewriter(op), op.operands[0]
    ty, new_type = cast("MemRefType", source.type), op.results[0].type
    old_extent, new_extent = ty.get_shape()[0], new_type.get_shape()[0]
    if old_extent < 0:
        old_size = rw.value("memref.dim", (source, index_constant(rw, 0)), _INDEX)
    else:
        old_size = index_constant(rw, old_extent)
    requested = op.dynamic_result_size
    new_size = index_constant(rw, new_extent) if requested is None else requested
    grows = rw.value("arith.cmpi", (old_size, new_size), i1, {"predicate": IntegerAttr(_ULT, i64)})

    then = Block()
    inner = Rewriter(block=then, location=op.location)
    alignment = {
        k: v for k, v in cast("dict[str, Attribute]", op.properties).items() if k == "alignment"
    }
    sizes = [] if requested is None else [requested]
    new = inner.value("memref.alloc", (sizes, []), new_type, alignment)
    layout = StridedLayoutAttr([1])
    part = MemRefType(ty.element_type, [old_extent], layout, new_type.memory_space)
    operands, static = _one_dimension(old_size if old_extent < 0 else None, old_extent)
    view = inner.value("memref.subview", ([new], *operands), part, static)
    inner.create("memref.copy", (source, view))
    if emit_deallocs:
        inner.create("memref.dealloc", (source,))
    inner.create("scf.yield", (new,))

    otherwise = Block()
    inner = Rewriter(block=otherwise, location=op.location)
    operands, static = _one_dimension(requested, new_extent)
    view = inner.value("memref.reinterpret_cast", ([source], *operands), new_type, static)
    inner.create("scf.yield", (view,))
    result = rw.create("scf.if", (grows,), (new_type,), regions=(Region(then), Region(otherwise)))
    rw.replace(op, list(result.results))

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`memref-expand` and `expand-realloc`: memref operations that the conversion to llvm does not
take.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    MemRefType,
    StridedLayoutAttr,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.core.rewriting.driver import Conversion, NoMatch, convert
from xgpu.dialects.arith.builders import cmpi, index_constant

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.dialects import memref


# --- memref expand -------------------------------------------------------------------------------
# `memref-expand`: memref operations that the conversion to llvm does not take.
#
# A memref.reshape to a known rank becomes loads of the sizes and a reinterpret_cast.
# Source: MLIR 22.1 ExpandOps.cpp of memref.


_INDEX = IndexType()


def lower_reshape(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    """Sizes from last to first, strides as their products."""
    shape_operand = op.operands[1]
    shape_type = cast("MemRefType", shape_operand.type)
    ty = cast("MemRefType", op.results[0].type)
    if -1 in shape_type.get_shape():
        raise NoMatch("the rank is not known")
    shape = ty.get_shape()
    sizes: list[SSAValue | int] = list(shape)
    strides: list[SSAValue | int] = [1] * len(shape)
    stride: SSAValue | None = None
    known = 1
    for i in reversed(range(len(shape))):
        if shape[i] < 0:
            size = rw.value(
                "memref.load", (shape_operand, index_constant(rw, i)), shape_type.element_type
            )
            if not isinstance(size.type, IndexType):
                size = rw.value("arith.index_cast", (size,), _INDEX)
            sizes[i] = size
        else:
            size = index_constant(rw, shape[i])
        strides[i] = known if stride is None else stride
        if i == 0:
            break
        if stride is not None:
            stride = rw.value("arith.muli", (stride, size), _INDEX)
        elif shape[i] < 0:
            stride = rw.value("arith.muli", (index_constant(rw, known), size), _INDEX)
        else:
            known *= shape[i]
    groups: list[SSAValue | list[SSAValue]] = [op.operands[0], []]
    properties = {"static_offsets": DenseArrayBase.from_list(i64, [0])}
    for name, items in (("sizes", sizes), ("strides", strides)):
        groups.append([item for item in items if isinstance(item, SSAValue)])
        static = [DYNAMIC_INDEX if isinstance(item, SSAValue) else item for item in items]
        properties[f"static_{name}"] = DenseArrayBase.from_list(i64, static)
    return [rw.create("memref.reinterpret_cast", groups, (ty,), properties).results[0]]


class ExpandOpsPass(Pass):
    """Legalizes memref operations to be convertible to LLVM."""

    name = "memref-expand"
    summary = "Legalize memref operations to be convertible to LLVM."

    def run(self, op: Operation, ctx: Context) -> None:
        convert(
            op,
            {"memref.reshape": lower_reshape},
            illegal=lambda o: o.name == "memref.reshape" and _has_known_rank(o),
            known=("arith", "memref"),
        )


def _has_known_rank(op: Operation) -> bool:
    ty = cast("MemRefType", op.operands[1].type)
    return -1 not in ty.get_shape()


# --- expand realloc ------------------------------------------------------------------------------
# `expand-realloc`: memref.realloc as an allocation and a copy where memory must grow.
#
# Source: MLIR 22.1 ExpandRealloc.cpp.


class ExpandReallocPass(Pass):
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
    grows = cmpi(rw, "ult", old_size, new_size)

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

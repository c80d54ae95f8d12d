# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`convert-bufferization-to-memref`: clones and deallocations as operations of memref.

A clone is an allocation and a copy. The sizes of a memref without a rank are read in a loop, and
its copy is allocated in one dimension. Source: MLIR 22.1 BufferizationToMemRef.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    MemRefType,
    NoneAttr,
    UnrankedMemRefType,
)

from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.driver import NoMatch, convert
from xgpu.dialects.arith.builders import index_constant
from xgpu.dialects.memref.verify import can_cast
from xgpu.transforms.scf.builders import for_loop

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation, SSAValue

    from xgpu.core.rewriting.driver import Conversion

_INDEX = IndexType()
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


class ConvertBufferizationToMemRef(Pass):
    """Converts what is left of the bufferization dialect."""

    name = "convert-bufferization-to-memref"
    summary = "Convert operations from the Bufferization dialect to the MemRef dialect"

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.transforms.bufferization.bufferization_lower_deallocations import (
            LowerDeallocations,
        )

        convert(
            op, {_CLONE: lower_clone}, illegal=_is_illegal, known=("arith", "func", "memref", "scf")
        )
        if any(inner.name == _DEALLOC for inner in op.walk()):
            LowerDeallocations().run(op, ctx)


def _is_illegal(op: Operation) -> bool:
    return op.name.startswith("bufferization.") and op.name != _DEALLOC

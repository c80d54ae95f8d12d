# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memrefs of unknown rank that cross functions: the ranked descriptor travels on the heap.

Returned ones are copied to memory of `malloc`; the caller copies them to its stack and frees that.
Source: MLIR 22.1 ConvertToLLVMPattern::copyUnrankedDescriptor.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import UnrankedMemRefType
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.conversion.memref.descriptor import UnrankedDescriptor, unranked_size_in_bytes
from xgpu.dialects.llvm import builders as llvm

if TYPE_CHECKING:
    from xgpu.conversion.llvm_types import LLVMTypeConverter
    from xgpu.core.rewriting.driver import Conversion


def copy_unranked(
    op: Operation,
    rw: Conversion,
    types: Sequence[Attribute],
    values: Sequence[SSAValue],
    *,
    to_heap: bool,
) -> list[SSAValue]:
    """`values`, whose old types are `types`, with the unranked ones copied to the heap, or from
    there to the stack."""
    return [
        _copy(op, rw, value, to_heap) if isinstance(ty, UnrankedMemRefType) else value
        for ty, value in zip(types, values, strict=True)
    ]


def _copy(op: Operation, rw: Conversion, value: SSAValue, to_heap: bool) -> SSAValue:
    types = cast("LLVMTypeConverter", rw.types)
    table = llvm.symbol_table(op)
    # MLIR declares both, whichever it needs.
    free = llvm.declare(rw, table, "free", (llvm.POINTER,), llvm.VOID)
    malloc = llvm.declare(rw, table, "malloc", (types.index,), llvm.POINTER)
    source = UnrankedDescriptor(rw, value)
    size = unranked_size_in_bytes(rw, types, source, 0)
    if to_heap:
        memory = llvm.call(rw, llvm.reference(malloc), [size], llvm.POINTER).results[0]
    else:
        memory = llvm.alloca(rw, size, llvm.I8)
    pointer = source.pointer()
    llvm.memcpy(rw, memory, pointer, size)
    if not to_heap:
        llvm.call(rw, llvm.reference(free), [pointer], None)
    target = UnrankedDescriptor.poison(rw, value.type)
    target.set_rank(source.rank())
    target.set_pointer(memory)
    return target.value

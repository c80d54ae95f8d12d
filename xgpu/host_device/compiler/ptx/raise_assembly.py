# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inline PTX as operations of the llvm and nvvm dialects (see `ptx.body`).

    llvm.inline_asm "@$1 st.global.b32 [$2], $0;", "r,b,l" %v, %c, %p
becomes a branch around
    llvm.store %v, %p : i32, !llvm.ptr<1>

Also operations that MLIR makes inline PTX of: `nvvm.inline_ptx`, `nvvm.wgmma.mma_async`. And an
address in shared memory of 32 bits, which `llvm.inttoptr` makes a pointer, is one of the block's
memory: there pointers have 64 bits, of which an address has the lower ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerType

from xgpu.core.ir.construction import erase_operation, nested_operations
from xgpu.dialects.llvm.types import LLVMPointerType

if TYPE_CHECKING:
    from xdsl.ir import Operation

_WRITTEN_AS_PTX = ("nvvm.inline_ptx", "nvvm.wgmma.mma_async")


def raise_assembly(function: Operation, *, names: bool = False) -> None:
    """Changes a function in place. Raises `Unsupported` at an operation.

    With `names`, what synchronizes or copies carries its instruction's opcode (`INSTRUCTION`).
    """
    found = list(nested_operations(function))
    if any(op.name in _WRITTEN_AS_PTX for op in found):
        _write_ptx(function)
        found = list(nested_operations(function))
    branches = False
    for op in found:
        if op.name == "llvm.inline_asm":
            from xgpu.host_device.compiler.ptx.body import raise_body

            branches = raise_body(op, function, names) or branches
        elif op.name == "llvm.inttoptr":
            _widen_shared(op, function)
    if branches:
        from xgpu.host_device.compiler.scalarize import promote

        promote(function)  # registers, for what waits in a loop is visible to what decides on it


def _write_ptx(function: Operation) -> None:
    from xgpu.conversion.nvgpu.nvvm_to_llvm import RULES
    from xgpu.core.rewriting.driver import convert

    convert(function, {name: RULES[name] for name in _WRITTEN_AS_PTX}, None, fold=False)


def _widen_shared(op: Operation, function: Operation) -> None:
    source, target = op.operands[0].type, op.results[0].type
    if not isinstance(source, IntegerType) or not isinstance(target, LLVMPointerType):
        return
    if source.width.data != 32 or target.address_space not in (3, 7):
        return
    from xgpu.host_device.compiler.ptx.registers import Raiser

    found = Raiser(op, function).shared_pointer(op.operands[0], target)
    op.results[0].replace_all_uses_with(found)
    erase_operation(op)

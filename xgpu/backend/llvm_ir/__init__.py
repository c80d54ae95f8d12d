# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The llvm and nvvm dialects as LLVM IR text, by tables.

    translate(module_op) -> str
    translate_parts(module_op) -> ModuleParts      # for linking

Each operation name has an emitter, a function of a writer and the operation (`instructions`,
`calls`, `intrinsics`, `nvvm`). `nvvm_table` replaces the emitters of nvvm operations, so that the
same kernel can become code for another machine: an emitter gets a `FunctionWriter` `w` and an
operation, reads operands with `w.value` and `w.typed`, and writes with `w.define`, `w.new`,
`w.line` and `w.call`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from llvmlite.binding import ContextRef, ModuleRef
    from xdsl.ir import Operation

    from xgpu.backend.llvm_ir.translation import translate, translate_parts

__all__ = ["canonical", "translate", "translate_parts"]


def __getattr__(name: str) -> Callable[..., object]:
    """The translation, loaded late: a program that was lowered before needs no operations."""
    if name not in ("translate", "translate_parts"):
        raise AttributeError(name)
    from xgpu.backend.llvm_ir import translation

    return getattr(translation, name)


def canonical(text: str, at: Operation | None = None) -> str:
    """What LLVM prints after it parsed and verified `text`.

    Errors: `DiagnosticError` with LLVM's words, at the operation `at`.
    """
    from xgpu.backend.llvm_ir.module import in_order_of_use

    printed = _printed(text, at)
    ordered = in_order_of_use(printed, text)
    if ordered is not None:
        printed = _printed(ordered, at)
    return printed.replace("; ModuleID = '<string>'", "; ModuleID = 'LLVMDialectModule'", 1)


def _printed(text: str, at: Operation | None) -> str:
    """What LLVM prints of `text`. In a context of its own, where no other module has taken the
    names of its types."""
    import llvmlite.binding as llvm

    from xgpu.backend.llvm_ir.context import TAGGED

    module = parse(text, at, llvm.create_context())
    try:
        if TAGGED in text:
            for function in module.functions:
                for block in function.blocks:
                    if block.name.startswith(TAGGED):
                        block.name = ""
        return str(module)
    finally:
        module.close()  # before its context, whatever holds either


def parse(text: str, at: Operation | None = None, context: ContextRef | None = None) -> ModuleRef:
    """The llvmlite module of `text`, parsed and verified."""
    from xgpu.backend.llvm_ir.parsing import RefusedError, parsed

    try:
        return parsed(text, context)
    except RuntimeError as problem:
        refused = RefusedError(problem, text, at.location if at is not None else None)
        raise (refused if at is None else refused.at(at)) from None

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Globals that hold a kernel: found, and loaded, when the program begins.

    llvm.mlir.global external @m_k_function() {mgpu.kernel = @m::@k} : !llvm.ptr

becomes

    @m_k_function = internal global ptr null
    @m_k_resolve             ; among llvm.global_ctors, right after the module has been loaded

So no launch waits for the loading of its kernel, and launches that may overlap do so from the first
on. In the IR the global has no initializer: a translation that does not know the attribute leaves
an undefined symbol, not a null kernel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import SymbolRefAttr

from xgpu.backend.llvm_ir.facts import prop, text_of
from xgpu.backend.llvm_ir.gpu_binary import PRIORITY
from xgpu.backend.llvm_ir.gpu_launch import binary_of, name_of_kernel
from xgpu.backend.llvm_ir.parts import Variable
from xgpu.backend.llvm_ir.types import symbol
from xgpu.core.ir.errors import error

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xgpu.backend.llvm_ir.context import ModuleContext

KERNEL = "mgpu.kernel"


def kernel_global(m: ModuleContext, op: Operation) -> str:
    """The definition of a global with the attribute `mgpu.kernel`; adds what resolves it."""
    reference = op.attributes[KERNEL]
    if not isinstance(reference, SymbolRefAttr) or len(reference.nested_references) != 1:
        raise error(op, f"expected a kernel in a module in '{KERNEL}': @module::@kernel")
    module, name = reference.root_reference.data, reference.nested_references.data[0].data
    binary_of(m, op, module)
    function = f"@{symbol(text_of(prop(op, 'sym_name')))}"
    resolve = f"@{symbol(f'{module}_{name}_resolve')}"
    get = m.declare_runtime("mgpuModuleGetFunction")
    preload = m.declare_runtime("mgpuKernelPreload")
    m.functions.append(
        f'define internal void {resolve}() section ".text.startup" {{\nentry:\n'
        f"  %0 = load ptr, ptr @{symbol(f'{module}_module')}\n"
        f"  %1 = call ptr {get}(ptr %0, ptr {name_of_kernel(m, module, name)})\n"
        f"  call void {preload}(ptr %1)\n"
        f"  store ptr %1, ptr {function}\n"
        "  ret void\n}"
    )
    m.constructors.append((PRIORITY + 1, resolve))
    m.variables.append(Variable(function, "ptr"))
    return f"{function} = internal global ptr null"

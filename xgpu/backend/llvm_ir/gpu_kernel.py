# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`mgpu.kernel` in a host function: a kernel that was found, and loaded, when the program began.

@m_k_function = internal global ptr null
@m_k_resolve             ; among llvm.global_ctors, right after the module has been loaded

So no launch waits for the loading of its kernel, and launches that may overlap do so from the first
on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xgpu.backend.llvm_ir.facts import prop
from xgpu.backend.llvm_ir.gpu_binary import PRIORITY
from xgpu.backend.llvm_ir.gpu_launch import binary_of, name_of_kernel
from xgpu.backend.llvm_ir.types import symbol

if TYPE_CHECKING:
    from xgpu.backend.llvm_ir.function import FunctionWriter


def kernel(w: FunctionWriter, op: Any) -> None:
    """Writes a load of the kernel's handle."""
    m = w.module
    reference: Any = prop(op, "kernel")
    module, name = reference.root_reference.data, reference.nested_references.data[-1].data
    binary_of(w, op, module)
    function = f"@{symbol(f'{module}_{name}_function')}"
    memory = f"{function} = internal global ptr null"
    if memory not in m.late_globals:
        m.late_globals.append(memory)
        resolve = f"@{symbol(f'{module}_{name}_resolve')}"
        get = m.declare("mgpuModuleGetFunction", "declare ptr @mgpuModuleGetFunction(ptr, ptr)")
        preload = m.declare("mgpuKernelPreload", "declare void @mgpuKernelPreload(ptr)")
        m.functions.append(
            f'define internal void {resolve}() section ".text.startup" {{\nentry:\n'
            f"  %0 = load ptr, ptr @{symbol(f'{module}_module')}\n"
            f"  %1 = call ptr {get}(ptr %0, ptr {name_of_kernel(w, module, name)})\n"
            f"  call void {preload}(ptr %1)\n"
            f"  store ptr %1, ptr {function}\n"
            "  ret void\n}"
        )
        m.constructors.append((PRIORITY + 1, resolve))
    w.define(op.results[0], f"load ptr, ptr {function}")

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`gpu.launch_func` in a host function: the arguments' addresses in an array, and mgpu calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xgpu.backend.llvm_ir.facts import prop
from xgpu.backend.llvm_ir.types import quoted, symbol
from xgpu.ir.errors import error

if TYPE_CHECKING:
    from xgpu.backend.llvm_ir.context import ModuleContext
    from xgpu.backend.llvm_ir.function import FunctionWriter

_I64 = ", i64"


def launch_func(w: FunctionWriter, op: Any) -> None:
    """Writes a launch; one without a stream creates its own and waits for it."""
    m = w.module
    kernel: Any = prop(op, "kernel")
    module_name = kernel.root_reference.data
    launched = kernel.nested_references.data[-1].data
    binary_of(m, op, module_name)
    if op.async_dependencies or op.results:
        raise error(op, "tokens cannot be translated to LLVM IR: run gpu-to-llvm before")
    values = list(op.kernel_operands)
    # The struct of the arguments has no name; LLVM numbers it.
    number = sum(1 for name in w.types.structs if name[1:].isdigit())
    kind = f"%{number}"
    fields = ", ".join(w.types(v.type) for v in values)
    w.types.structs[kind] = f"{{ {fields} }}" if fields else "{}"
    record = w.new(f"alloca {kind}")
    array = w.new(f"alloca ptr, i64 {len(values)}")
    for i, value in enumerate(values):
        field = w.new(f"getelementptr inbounds nuw {kind}, ptr {record}, i32 0, i32 {i}")
        w.line(f"store {w.typed(value)}, ptr {field}")
        place = w.new(f"getelementptr ptr, ptr {array}, i32 {i}")
        w.line(f"store ptr {field}, ptr {place}")
    handle = w.new(f"load ptr, ptr @{symbol(f'{module_name}_module')}")
    name = name_of_kernel(m, module_name, launched)
    get = m.declare("mgpuModuleGetFunction", "declare ptr @mgpuModuleGetFunction(ptr, ptr)")
    function = w.new(f"call ptr {get}(ptr {handle}, ptr {name})")
    own = op.async_object is None
    if own:
        create = m.declare("mgpuStreamCreate", "declare ptr @mgpuStreamCreate()")
        stream = w.new(f"call ptr {create}()")
    else:
        stream = w.value(op.async_object)
    dims = [op.grid_size_x, op.grid_size_y, op.grid_size_z]
    dims += [op.block_size_x, op.block_size_y, op.block_size_z]
    shared = op.dynamic_shared_memory_size
    memory = f"i32 {w.value(shared)}" if shared is not None else "i32 0"
    if op.cluster_size_x is not None:
        dims = [op.cluster_size_x, op.cluster_size_y, op.cluster_size_z, *dims]
        call = m.declare(
            "mgpuLaunchClusterKernel",
            f"declare void @mgpuLaunchClusterKernel(ptr{_I64 * 9}, i32, ptr, ptr, ptr)",
        )
        tail = ""
    else:
        call = m.declare(
            "mgpuLaunchKernel",
            f"declare void @mgpuLaunchKernel(ptr{_I64 * 6}, i32, ptr, ptr, ptr, i64)",
        )
        tail = f", i64 {len(values)}"
    sizes = ", ".join(f"i64 {_wide(w, d)}" for d in dims)
    w.line(
        f"call void {call}(ptr {function}, {sizes}, {memory}, ptr {stream}, ptr {array}, "
        f"ptr null{tail})"
    )
    if own:
        for what in ("Synchronize", "Destroy"):
            name = f"mgpuStream{what}"
            target = m.declare(name, f"declare void @{name}(ptr)")
            w.line(f"call void {target}(ptr {stream})")


def binary_of(m: ModuleContext, op: Any, module_name: str) -> Any:
    """The `gpu.binary` of that name, which `op` refers to."""
    binary = m.symbols.get(module_name)
    if binary is None or binary.name != "gpu.binary":
        raise error(op, f"couldn't find the binary holding the kernel: {module_name}")
    return binary


def _wide(w: FunctionWriter, value: Any) -> str:
    """A grid or block size as i64, which the runtime takes."""
    if w.types(value.type) == "i64" or w.value(value)[0] != "%":
        return w.value(value)
    return w.new(f"zext {w.typed(value)} to i64")


def name_of_kernel(m: ModuleContext, module_name: str, kernel_name: str) -> str:
    """The global with the kernel's name, made when first asked for."""
    name = f"@{symbol(f'{module_name}_{kernel_name}_name')}"
    raw = kernel_name.encode("utf-8", "surrogateescape") + b"\0"
    text = f'{name} = private unnamed_addr constant [{len(raw)} x i8] c"{quoted(raw)}", align 1'
    if text not in m.late_globals:
        m.late_globals.append(text)
    return name

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`gpu.launch_func` in a host function: the arguments' addresses in an array, and mgpu calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xgpu.backend.llvm_ir.types import quoted, symbol
from xgpu.conversion.launch.kernel_signature import KernelSignature, LaunchCall
from xgpu.core.ir.errors import error

if TYPE_CHECKING:
    from xdsl.ir import Operation, SSAValue

    from xgpu.backend.llvm_ir.context import ModuleContext
    from xgpu.backend.llvm_ir.function import FunctionWriter
    from xgpu.dialects import gpu


def launch_func(w: FunctionWriter, op: gpu.LaunchFuncOp) -> None:
    """Writes a launch; one without a stream creates its own and waits for it."""
    m = w.module
    kernel = op.kernel
    module_name = kernel.root_reference.data
    launched = kernel.nested_references.data[-1].data
    binary_of(m, op, module_name)
    if op.async_dependencies or op.results:
        raise error(op, "tokens cannot be translated to LLVM IR: run gpu-to-llvm before")
    values = list(op.kernel_operands)
    signature = KernelSignature.lowered([v.type for v in values])
    parameters = _stored(w, signature, values)
    handle = w.new(f"load ptr, ptr @{symbol(f'{module_name}_module')}")
    name = name_of_kernel(m, module_name, launched)
    get = m.declare_runtime("mgpuModuleGetFunction")
    function = w.new(f"call ptr {get}(ptr {handle}, ptr {name})")
    own = op.async_object is None
    if own:
        stream = w.new(f"call ptr {m.declare_runtime('mgpuStreamCreate')}()")
    else:
        stream = w.value(cast("SSAValue", op.async_object))
    shared = op.dynamic_shared_memory_size
    cluster, grid, block = (
        tuple(f"i64 {_wide(w, size)}" for size in sizes if size is not None)
        for sizes in (
            (op.cluster_size_x, op.cluster_size_y, op.cluster_size_z),
            (op.grid_size_x, op.grid_size_y, op.grid_size_z),
            (op.block_size_x, op.block_size_y, op.block_size_z),
        )
    )
    launch = LaunchCall(
        f"ptr {function}", grid, block, cluster,
        f"i32 {w.value(shared)}" if shared is not None else "i32 0",
        f"ptr {parameters}", signature.count,
    )  # fmt: skip
    called, arguments = launch.on_stream(f"ptr {stream}", "ptr null", "i64 {}".format)
    w.line(f"call void {m.declare_runtime(called)}({', '.join(arguments)})")
    if own:
        for name in ("mgpuStreamSynchronize", "mgpuStreamDestroy"):
            w.line(f"call void {m.declare_runtime(name)}(ptr {stream})")


def _stored(w: FunctionWriter, signature: KernelSignature, values: list[SSAValue]) -> str:
    """Stores the arguments in a struct; the array of their addresses."""
    # The struct of the arguments has no name; LLVM numbers it.
    number = sum(1 for name in w.types.structs if name[1:].isdigit())
    kind = f"%{number}"
    fields = ", ".join(map(w.types, signature.types))
    w.types.structs[kind] = f"{{ {fields} }}" if fields else "{}"
    record = w.new(f"alloca {kind}")
    array = w.new(f"alloca ptr, i64 {signature.count}")
    for i, value in enumerate(values):
        field = w.new(f"getelementptr inbounds nuw {kind}, ptr {record}, i32 0, i32 {i}")
        w.line(f"store {w.typed(value)}, ptr {field}")
        slot = w.new(f"getelementptr ptr, ptr {array}, i32 {i}")
        w.line(f"store ptr {field}, ptr {slot}")
    return array


def binary_of(m: ModuleContext, op: Operation, module_name: str) -> Operation:
    """The `gpu.binary` of that name, which `op` refers to."""
    binary = m.symbols.get(module_name)
    if binary is None or binary.name != "gpu.binary":
        raise error(op, f"couldn't find the binary holding the kernel: {module_name}")
    return binary


def _wide(w: FunctionWriter, value: SSAValue) -> str:
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
